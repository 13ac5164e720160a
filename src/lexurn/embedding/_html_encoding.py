"""The encoding of a page as browsers find it (WHATWG HTML section 13.2.3.2), and a view by it."""

from __future__ import annotations

import re
import sys
from array import array
from dataclasses import dataclass
from typing import Final

from lexurn.embedding._html_labels import encoding_of_label
from lexurn.embedding._html_tokens import ATTRIBUTES, attributes_of

__all__ = ["PRESCANNED", "View", "charset_in", "mark_of", "prescanned", "view"]

PRESCANNED: Final = 1024
"""How many bytes are looked at before a page is parsed."""

_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xfe\xff", "utf-16be"),
    (b"\xff\xfe", "utf-16le"),
)
_XML_UTF16: Final = ((b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be"))
_MARKUP = re.compile(rb"<(?:(!--)|(meta(?=[\t\n\f\r /]))|(/?[a-z])|[!/?])", re.IGNORECASE)
_ENDS_OF_NAME = frozenset({b"", b"\t", b"\n", b"\f", b"\r", b" ", b">"})
_REST_OF_TAG = re.compile(ATTRIBUTES + rb">", re.IGNORECASE)
_CHARSET = re.compile(
    rb"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|(?!["'])([^\t\n\f\r ;]*+))""",
    re.IGNORECASE,
)
_CHARSET_SIGN = re.compile(rb"charset[\t\n\f\r ]*+=", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"encoding[\0-\x20]*+=[\0-\x20]*+(?:\"([^\"]*+)\"|'([^']*+)')")
_FOREIGN = re.compile(rb"\x1b(?:\([IJ]|\$[@B]).*?(?=\x1b\(B|\Z)", re.DOTALL)
_NARROW: Final = bytes(range(0x80)) + b"\x80" * (0x10000 - 0x80)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The beginning of a page with one byte for each of its code units.

    Attributes:
        text: what is ASCII as it is, all else as bytes from 80 up.
        offset: how many bytes of the file come before, as a byte order mark.
        unit: how many bytes of the file each stands for.
    """

    text: bytes
    offset: int = 0
    unit: int = 1

    def place(self, at: int) -> int:
        """The offset in the file of an offset in the text."""
        return self.offset + self.unit * at


def mark_of(data: bytes) -> tuple[str, int] | None:
    """The encoding that a byte order mark says, and its length; None where there is no mark."""
    return next(((name, len(mark)) for mark, name in _MARKS if data.startswith(mark)), None)


def view(data: bytes, encoding: str) -> View:
    """The beginning of a page as its encoding wants it to be looked at."""
    mark = mark_of(data)
    offset = 0 if mark is None else mark[1]
    if encoding in {"utf-16be", "utf-16le"}:
        return View(text=_narrowed(data[offset:], encoding), offset=offset, unit=2)
    text = data[offset:]
    return View(text=_masked(text) if encoding == "iso-2022-jp" else text, offset=offset)


def _narrowed(data: bytes, encoding: str) -> bytes:
    """One byte for each code unit of UTF-16."""
    units = array("H", data[: len(data) & ~1])
    if (encoding == "utf-16le") != (sys.byteorder == "little"):
        units.byteswap()
    return bytes(map(_NARROW.__getitem__, units))


def _masked(text: bytes) -> bytes:
    """ISO-2022-JP with all that is no ASCII made unlike any markup."""
    masked = bytearray(text)
    for match in _FOREIGN.finditer(text):
        masked[match.start() : match.end()] = b"\x80" * (match.end() - match.start())
    return bytes(masked).replace(b"\x1b", b"\x80")


def prescanned(data: bytes) -> str | None:
    """What a browser takes from the first bytes of a page that has no byte order mark.

    "Prescan a byte stream to determine its encoding", with the encoding of an XML declaration where
    nothing else says one. It knows no scripts and no titles, so that it finds charsets that
    are none; what it says holds all the same.
    """
    for sign, name in _XML_UTF16:
        if data.startswith(sign):
            return name
    head = data[:PRESCANNED]
    found = _charset_before_parsing(head) if b"charset" in head.lower() else None
    return found or _xml_encoding(head)


def _charset_before_parsing(head: bytes) -> str | None:
    at = 0
    while match := _MARKUP.search(head, at):
        comment, meta, tag = match.groups()
        if comment:
            end = head.find(b"-->", match.start() + 2) + 3
        elif meta or tag:
            end = _end_of_tag(head, match.end() if meta else _end_of_name(head, match.end()))
            tag = head[match.start() + 1 : end]
            if meta and (charset := charset_in(tag, is_parsed=False)) is not None:
                return charset
        else:
            end = head.find(b">", match.end()) + 1
        if end < match.end():
            return None
        at = end
    return None


def _end_of_name(head: bytes, at: int) -> int:
    while head[at : at + 1] not in _ENDS_OF_NAME:
        at += 1
    return at


def _end_of_tag(head: bytes, at: int) -> int:
    match = _REST_OF_TAG.match(head, at)
    return 0 if match is None else match.end()


def charset_in(tag: bytes, *, is_parsed: bool = True) -> str | None:
    """The encoding that a ``meta`` element of a page says, None where it says none.

    Args:
        tag: its start tag, behind the ``<``.
        is_parsed: whether it is an element; a browser that only looks for a charset passes over
            one whose ``charset`` is none, whatever else it says.
    """
    attributes = attributes_of(tag)
    if b"charset" in attributes:
        charset = _usable(encoding_of_label(attributes[b"charset"]))
        if charset is not None or not is_parsed:
            return charset
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    label = _declared_charset(attributes.get(b"content", b""))
    return None if label is None else _usable(encoding_of_label(label))


def _declared_charset(content: bytes) -> bytes | None:
    """The label in ``text/html; charset=utf-8`` (WHATWG HTML section 2.4.6)."""
    sign = _CHARSET_SIGN.search(content)
    match = None if sign is None else _CHARSET.match(content, sign.start())
    if match is None:
        return None
    return next((label for label in match.groups() if label is not None), None)


def _usable(encoding: str | None) -> str | None:
    """What a page in bytes of ASCII can be in that says so: UTF-16 it is not."""
    if encoding in {"utf-16be", "utf-16le"}:
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding


def _xml_encoding(head: bytes) -> str | None:
    """What an XML declaration says ("get an XML encoding")."""
    if not head.startswith(b"<?xml") or b">" not in head:
        return None
    match = _XML_ENCODING.match(head, max(head.find(b"encoding"), 0))
    label = None if match is None else match[1] or match[2]
    if not label or any(byte <= 0x20 for byte in label):  # noqa: PLR2004 - blanks and controls
        return None
    encoding = encoding_of_label(label)
    return "utf-8" if encoding in {"utf-16be", "utf-16le"} else encoding
