"""The formats that can take a name, by key; each is loaded when it is needed."""

from __future__ import annotations

import importlib
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.embedding._format import Format

__all__ = ["MODULES", "format_named", "formats"]

MODULES: Final[Mapping[str, str]] = MappingProxyType(
    {
        "html": "lexurn.embedding._html",
        "xhtml": "lexurn.embedding._xhtml",
        "akoma-ntoso": "lexurn.embedding._akoma_ntoso",
        "lexml": "lexurn.embedding._lexml",
        "nir": "lexurn.embedding._nir",
        "pdf": "lexurn.embedding._pdf",
        "docx": "lexurn.embedding._docx",
        "odt": "lexurn.embedding._odt",
        "epub": "lexurn.embedding._epub",
    }
)
"""The module of each format, by its key; it holds a `FORMAT`."""


@cache
def format_named(key: str) -> Format:
    """The format of a key of `MODULES`."""
    found: Format = importlib.import_module(MODULES[key]).FORMAT
    return found


def formats() -> tuple[Format, ...]:
    """All formats."""
    return tuple(map(format_named, MODULES))
