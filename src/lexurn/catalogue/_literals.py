"""Literals as lexurn writes them, where a store gives them back in another type.

Oxigraph keeps all kinds of integers as ``xsd:integer``. The size of a copy is the one number of
our graphs with a narrower type (DCAT 3: ``xsd:nonNegativeInteger``), which is put back here.
"""

from __future__ import annotations

import re
from typing import Final

__all__ = ["as_written", "bytes_as_written"]

_SIZE: Final = (
    r'(<http://www\.w3\.org/ns/dcat#byteSize> "[0-9]+"\^\^<http://www\.w3\.org/2001/XMLSchema#)'
    r"integer>"
)
_TEXT: Final = re.compile(_SIZE)
_BYTES: Final = re.compile(_SIZE.encode())


def as_written(lines: str) -> str:
    """N-Triples or N-Quads with the types that lexurn writes."""
    return _TEXT.sub(r"\1nonNegativeInteger>", lines)


def bytes_as_written(lines: bytes) -> bytes:
    """The same for bytes."""
    return _BYTES.sub(rb"\1nonNegativeInteger>", lines)
