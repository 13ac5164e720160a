"""Which format a ZIP file is: the names of its members say it."""

from __future__ import annotations

import re
import struct
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_TYPES = b"[Content_Types].xml"
# What stands in front of the name of a member, and how long that is, in the two kinds of headers.
_HEADER = re.compile(rb"PK\x03\x04.{22}(..)..", re.DOTALL)
_ENTRY = struct.Struct("<4s24x3H12x")
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
    names = frozenset(_listed(_directory(document))) or frozenset(_met(beginning))
    for member, key in _MEMBERS:
        if member in names:
            return key, ""
    # The text of a Word document may have any name.
    key_by_suffix = _SUFFIXES.get(document.suffix)
    if _TYPES in names and key_by_suffix != "docx":
        return None, _NO_TEXT
    return key_by_suffix, "" if key_by_suffix else "a ZIP file"


def _listed(directory: bytes) -> Iterator[bytes]:
    """The names of members that a directory lists, up to where it is cut off or broken."""
    at = 0
    while directory.startswith(b"PK\x01\x02", at) and at + _ENTRY.size <= len(directory):
        _, name, extra, comment = _ENTRY.unpack_from(directory, at)
        at += _ENTRY.size
        yield directory[at : at + name]
        at += name + extra + comment


def _met(beginning: bytes) -> Iterator[bytes]:
    """The names of members whose headers stand in the beginning of a file without a directory."""
    for header in _HEADER.finditer(beginning):
        yield beginning[header.end() :][: int.from_bytes(header[1], "little")]


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
