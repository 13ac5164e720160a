"""Which format a ZIP file is: the names of its members say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.embedding._document import Document

__all__ = ["key_of_zip"]

# The end record, the longest comment behind it, and as much of the directory before it as names
# of members may stand in; a large directory is mostly of pictures, and its beginning tells as much.
_END = 22 + 0xFFFF
_MOST = 4 << 20
_BEGINNING = 1 << 12
_KINDS: tuple[tuple[bytes, str | None], ...] = (
    (rb"application/epub\+zip", "epub"),
    (rb"application/vnd\.oasis\.opendocument\.text", "odt"),
    (rb"application/vnd\.oasis\.opendocument\.", None),
)
_MEMBERS = (
    (b"word/document.xml", "docx"),
    (b"word/document2.xml", "docx"),
    (b"META-INF/container.xml", "epub"),
)
_SUFFIXES = {
    **dict.fromkeys((".docx", ".docm", ".dotx", ".dotm"), "docx"),
    **dict.fromkeys((".odt", ".ott", ".odm", ".oth"), "odt"),
    ".epub": "epub",
}
_NO_TEXT = "an office file that is no text document"


def key_of_zip(document: Document) -> tuple[str | None, str]:
    """The key of the format of a ZIP file, None where it is none that can take a name; what it is.

    Nothing is unpacked: what is wrong with the file is for its format to say.

    Raises:
        EmbeddingError: it cannot be read.
    """
    beginning = document.read(0, _BEGINNING)
    for pattern, key in _KINDS:
        if re.match(rb"PK\x03\x04.{26}mimetype" + pattern, beginning, re.DOTALL):
            return key, "" if key else _NO_TEXT
    names = _directory(document) or beginning
    for member, key in _MEMBERS:
        if member in names:
            return key, ""
    if b"[Content_Types].xml" in names:
        return None, _NO_TEXT
    key_by_suffix = _SUFFIXES.get(document.suffix)
    return key_by_suffix, "" if key_by_suffix else "a ZIP file"


def _directory(document: Document) -> bytes:
    """The directory of the members; nothing where it cannot be found."""
    tail = document.read(max(0, document.size - _END))
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) < at + 22:
        return b""
    size = int.from_bytes(tail[at + 12 : at + 16], "little")
    end = document.size - len(tail) + at
    start = max(0, end - size)
    return document.read(start, min(end, start + _MOST))
