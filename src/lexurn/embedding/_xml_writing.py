"""What is written into an XML document: in its encoding, with its newlines, between marks."""

from __future__ import annotations

import codecs
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    from lexurn.embedding._document import Document

__all__ = ["BEGIN", "END", "codec_of", "encoded", "escaped", "layout_before"]

BEGIN: Final = "lexurn:begin"
"""What the comment says in front of what was put in."""

END: Final = "lexurn:end"
"""What the comment says behind it."""

_DECLARED = re.compile(rb"""\A<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']""")

_MARKS_OF_ORDER = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)

# Where a line starts is looked for so far back, and its end so far ahead.
_LONGEST_LINE = 4_096
_ASCII, _BEYOND = bytes(range(128)), bytes(range(128, 256))
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
    | {"\r": "&#13;"}
)


def codec_of(document: Document) -> str:
    """The codec in which an XML document is read and written; without a byte order mark.

    Raises:
        EmbeddingError: the document cannot be read, or is in an encoding that cannot be.
    """
    head = document.read(0, 1024)
    for mark, codec in _MARKS_OF_ORDER:
        if head.startswith(mark):
            return codec
    declared = _DECLARED.match(head)
    if declared is None:
        return "utf-8"
    name = declared[1].decode("ascii")
    known = _codec(name)
    if known is None:
        said = name[:60]
        raise EmbeddingError(
            finding("LX331", document.name, line=1, text=said, encoding=f'"{said}"')
        )
    return known


@cache
def _codec(name: str) -> str | None:
    """The codec of an encoding that has ASCII as it is and one byte for all else, or is UTF-8.

    Python knows many others, of which some have ``<`` in the middle of a letter, or are no
    encodings of texts at all.
    """
    try:
        codec = codecs.lookup(name).name
        if codec in {"utf-8", "utf-16"}:
            return codec
        is_odd = "escape" in codec or codec == "utf-8-sig"
        if is_odd or _ASCII.decode(codec) != _ASCII.decode("ascii"):
            return None
        return codec if len(_BEYOND.decode(codec, "replace")) == len(_BEYOND) else None
    except (LookupError, ValueError):
        return None


def encoded(text: str, codec: str) -> bytes:
    """Text of an XML document in its encoding; references for characters that it does not have."""
    return text.encode(codec, "xmlcharrefreplace")


def escaped(text: str) -> str:
    """A value for an attribute in double quotes, or a text."""
    return text.translate(_ESCAPES)


def layout_before(document: Document, offset: int, codec: str) -> str:
    """The newline and the blanks right in front of a place; empty where something else is."""
    unit = 2 if codec.startswith("utf-16") else 1
    start = max(0, offset - _LONGEST_LINE * unit)
    before = document.read(start, offset).decode(codec, "replace")
    found = re.search(r"(?:\r\n|\n|\r)[ \t]*\Z", before)
    return "" if found is None else found[0]
