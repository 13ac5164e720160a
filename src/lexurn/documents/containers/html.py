"""HTML pages as bytes: encoding, tokens, the end of the head, and the block of lexurn.

A head has ten elements, each empty or with text alone. So a walk through its tokens needs no tree.
It ends at the first token of another kind (WHATWG HTML sections 13.2.5 and 13.2.6.4).

Encodings of the web have the signs of markup as the single bytes of ASCII. So tokens are found
without decoding, at offsets of the file. UTF-16 and ISO-2022-JP are the exceptions: of such a page
only the encoding is known.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final

from lexurn.documents.findings import DocumentError, make_error, make_finding
from lexurn.documents.terms import load_vocabulary

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.documents.document import Document
    from lexurn.findings import Finding

# Python's codecs that read what the standard's decoders of another name read.
_CODECS: Final[Mapping[str, str]] = {
    "big5": "big5hkscs",
    "euc-kr": "cp949",
    "gbk": "gb18030",
    "iso-8859-8-i": "iso-8859-8",
    "macintosh": "mac-roman",
    "shift_jis": "cp932",
    "utf-16be": "utf-16-be",
    "utf-16le": "utf-16-le",
    "windows-874": "cp874",
    "x-mac-cyrillic": "mac-cyrillic",
    "x-user-defined": "windows-1252",
}
UNUSUAL_ENCODINGS: Final = frozenset({"utf-16be", "utf-16le", "iso-2022-jp"})
"""Encodings in which the signs of markup are not always the bytes of ASCII."""


@lru_cache(maxsize=1_000)
def find_encoding(label: bytes) -> str | None:
    """Return the encoding of a label, or None (WHATWG Encoding section 4.2)."""
    wanted = label.strip(b"\t\n\f\r ").lower().decode("latin-1")
    encodings = load_vocabulary("encodings").items()
    return next((name for name, labels in encodings if wanted in {name, *labels}), None)


def find_codec(encoding: str) -> str | None:
    """Return Python's codec for an encoding; None for ``replacement``, which has no text.

    Codecs differ in invalid bytes: decode with ``errors="replace"``.
    """
    return None if encoding == "replacement" else _CODECS.get(encoding, encoding)


_FLAGS = re.IGNORECASE | re.DOTALL
# A value without an end makes the tag invalid: no other match is tried.
_ATTRIBUTE_VALUE = rb"""(?:"[^"]*+"|'[^']*+'|[^\t\n\f\r >"'][^\t\n\f\r >]*+|(?=>))"""
_GAP = rb"[\t\n\f\r ]*+"
_ATTRIBUTE = (
    rb"[^\t\n\f\r />][^\t\n\f\r />=]*+"
    rb"(?>" + _GAP + rb"=" + _GAP + _ATTRIBUTE_VALUE + rb"|(?!" + _GAP + rb"=))"
)
_ATTRIBUTES: Final = rb"(?:[\t\n\f\r /]++|" + _ATTRIBUTE + rb")*+"
_AFTER_NAME = rb"(?=[\t\n\f\r />])"
_LEAVING = rb"(?:head|body|html|br)" + _AFTER_NAME
_EMPTY = rb"(?:meta|link|base|basefont|bgsound)" + _AFTER_NAME
_TEXTS = rb"(?:script|style|title|noframes|noscript)" + _AFTER_NAME
_FRAMES = rb"(?:html|head)" + _AFTER_NAME
_STAYING = rb"(?:" + rb"|".join((_EMPTY, _TEXTS, _FRAMES)) + rb")"
_BLANK_REFERENCE = (
    rb"&(?:Tab;|NewLine;|\#(?:0*+(?:9|10|12|13|32)(?![0-9])"
    rb"|[xX]0*+(?:9|[aAcCdD]|20)(?![0-9a-fA-F]));?)"
)
TOKEN: Final = re.compile(
    _GAP + rb"(?:"
    rb"<(?P<empty>" + _EMPTY + _ATTRIBUTES + rb">)"
    rb"|<(?P<text>" + _TEXTS + _ATTRIBUTES + rb">)"
    rb"|<(?P<frame>" + _FRAMES + _ATTRIBUTES + rb">)"
    rb"|<(?P<comment>!--(?:-?>|.*?--!?>))"
    rb"|<(?P<doctype>!doctype[^>]*+>)"
    rb"|<(?P<code>\?(?!xml)[^>]*+>)"
    rb"|<(?P<bogus>(?:!(?!--|doctype)|\?|/(?![a-z]))[^>]*+>)"
    rb"|<(?P<end>/(?!" + _LEAVING + rb")[a-z][^\t\n\f\r />]*+" + _ATTRIBUTES + rb">)"
    rb"|(?P<blank>" + _BLANK_REFERENCE + rb")"
    rb"|(?P<stop>[^\t\n\f\r <]|<(?:/" + _LEAVING + rb"|(?!" + _STAYING + rb")"
    rb"[a-z][^\t\n\f\r />]*+" + _AFTER_NAME + rb"|[^a-z!?/]))"
    rb")",
    _FLAGS,
)
"""Blanks and one token: the group of its kind begins after the ``<``, if there is one.

A token that does not end has no match. ``stop`` is the first token after a head.
"""

# There are no tags in the text of these; in that of ``noscript`` none if scripts run.
_RAW_ELEMENTS: Final = frozenset({b"title", b"style", b"noframes", b"noscript"})

_TAG_NAME = re.compile(rb"[^\t\n\f\r />]*+")
_ONE_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:" + _GAP + rb"=" + _GAP + rb"(" + _ATTRIBUTE_VALUE + rb"))?+",
    _FLAGS,
)
_END_TAG = re.compile(rb"</[a-z][^\t\n\f\r />]*+" + _ATTRIBUTES + rb">", _FLAGS)
_RAW_ENDS: Final = {
    name: re.compile(rb"</" + name + _AFTER_NAME, _FLAGS) for name in (*_RAW_ELEMENTS, b"template")
}
_SCRIPT_SIGNS = re.compile(rb"<!--|-->|<(/?)script[\t\n\f\r />]", _FLAGS)


def read_tag_name(tag: bytes) -> bytes:
    """Return the element name of a tag in lower case; the tag is given after its ``<``."""
    match = _TAG_NAME.match(tag)
    return b"" if match is None else match[0].lower()


def parse_attributes(tag: bytes) -> dict[bytes, bytes]:
    """Return the attributes of a start tag: names in lower case, the first of each name.

    The tag is given after its ``<``.
    """
    found: dict[bytes, bytes] = {}
    for match in _ONE_ATTRIBUTE.finditer(tag, len(read_tag_name(tag))):
        value = match[2] or b""
        if value[:1] in {b'"', b"'"}:
            value = value[1:-1]
        if b"&" in value:
            value = unescape(value.decode("latin-1")).encode("latin-1", "replace")
        found.setdefault(match[1].lower(), value)
    return found


def _find_text_end(text: bytes, start: int, name: bytes) -> tuple[int, int] | None:
    """Return the offsets of the end tag of an element with text; None if it does not end."""
    if name == b"script":
        begun = _find_script_end(text, start)
    else:
        found = _RAW_ENDS[name].search(text, start)
        begun = None if found is None else found.start()
    tag = None if begun is None else _END_TAG.match(text, begun)
    return None if tag is None else tag.span()


def _find_script_end(text: bytes, start: int) -> int | None:
    """Return the offset of the end tag of a script; None if there is none.

    A script may contain ``<!-- <script> </script> -->``, whose end tag does not end it
    (sections 13.2.5.20 to 13.2.5.31).
    """
    depth = 0  # 1 in a comment, 2 in a script in a comment
    at = start
    while match := _SCRIPT_SIGNS.search(text, at):
        sign = match[0]
        if sign == b"<!--":
            depth = depth or 1
            at = match.start() + 2  # the hyphens may be those of "-->" too
            continue
        at = match.end()
        if sign == b"-->":
            depth = 0
        elif not match[1]:
            depth = 2 if depth else 0
        elif depth < 2:  # noqa: PLR2004 - its own end
            return match.start()
        else:
            depth = 1
    return None


PRESCAN_LENGTH: Final = 1024
"""Number of bytes in which a browser looks for an encoding before it parses a page."""

_BYTE_ORDER_MARKS: Final = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xfe\xff", "utf-16be"),
    (b"\xff\xfe", "utf-16le"),
)
_XML_UTF16: Final = ((b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be"))
_MARKUP = re.compile(rb"<(?:(!--)|(meta(?=[\t\n\f\r /]))|(/?[a-z])|[!/?])", re.IGNORECASE)
_ENDS_OF_NAME = frozenset({b"", b"\t", b"\n", b"\f", b"\r", b" ", b">"})
_REST_OF_TAG = re.compile(_ATTRIBUTES + rb">", re.IGNORECASE)
_CHARSET = re.compile(
    rb"""charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:"([^"]*+)"|'([^']*+)'|(?!["'])([^\t\n\f\r ;]*+))""",
    re.IGNORECASE,
)
_CHARSET_SIGN = re.compile(rb"charset[\t\n\f\r ]*+=", re.IGNORECASE)
_XML_ENCODING = re.compile(rb"encoding[\0-\x20]*+=[\0-\x20]*+(?:\"([^\"]*+)\"|'([^']*+)')")


def find_byte_order_mark(data: bytes) -> tuple[str, int] | None:
    """Return the encoding of a byte order mark, and its length; None if there is no mark."""
    marks = ((name, len(mark)) for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark))
    return next(marks, None)


def prescan_encoding(data: bytes) -> str | None:
    """Return the encoding that a browser finds in the first bytes of a page without a mark.

    This is "prescan a byte stream to determine its encoding", else the encoding of an XML
    declaration. It knows no scripts and titles, so it also finds a charset in their text.
    """
    for sign, name in _XML_UTF16:
        if data.startswith(sign):
            return name
    head = data[:PRESCAN_LENGTH]
    found = _prescan_charset(head) if b"charset" in head.lower() else None
    if found is not None or not head.startswith(b"<?xml") or b">" not in head:
        return found
    # This is "get an XML encoding".
    match = _XML_ENCODING.match(head, max(head.find(b"encoding"), 0))
    label = None if match is None else match[1] or match[2]
    if not label or any(byte <= 0x20 for byte in label):  # noqa: PLR2004 - blanks and controls
        return None
    encoding = find_encoding(label)
    return "utf-8" if encoding in {"utf-16be", "utf-16le"} else encoding


def _prescan_charset(head: bytes) -> str | None:
    at = 0
    while match := _MARKUP.search(head, at):
        comment, meta, tag = match.groups()
        if comment:
            end = head.find(b"-->", match.start() + 2) + 3
        elif meta or tag:
            name_end = match.end()
            while not meta and head[name_end : name_end + 1] not in _ENDS_OF_NAME:
                name_end += 1
            rest = _REST_OF_TAG.match(head, name_end)
            end = 0 if rest is None else rest.end()
            tag = head[match.start() + 1 : end]
            if meta and (charset := read_charset(tag, is_parsed=False)) is not None:
                return charset
        else:
            end = head.find(b">", match.end()) + 1
        if end < match.end():
            return None
        at = end
    return None


def read_charset(tag: bytes, *, is_parsed: bool = True) -> str | None:
    """Return the encoding that a ``meta`` element declares, by its start tag after the ``<``.

    The search of a browser before it parses a page ignores an element with an unknown ``charset``.
    """
    attributes = parse_attributes(tag)
    if b"charset" in attributes:
        charset = _choose_usable_encoding(find_encoding(attributes[b"charset"]))
        if charset is not None or not is_parsed:
            return charset
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    # The label in ``text/html; charset=utf-8`` (WHATWG HTML section 2.4.6).
    content = attributes.get(b"content", b"")
    sign = _CHARSET_SIGN.search(content)
    match = None if sign is None else _CHARSET.match(content, sign.start())
    label = None if match is None else match[1] or match[2] or match[3]
    return None if label is None else _choose_usable_encoding(find_encoding(label))


def _choose_usable_encoding(encoding: str | None) -> str | None:
    """Return the encoding for a declared one: a page in ASCII bytes is not UTF-16."""
    if encoding in {"utf-16be", "utf-16le"}:
        return "utf-8"
    return "windows-1252" if encoding == "x-user-defined" else encoding


BLOCK_BEGIN: Final = b"<!-- lexurn:begin -->"
BLOCK_END: Final = b"<!-- lexurn:end -->"

_BLANKS = re.compile(rb"[\t\n\f\r ]*+")
_SERVER_CODE = re.compile(rb"\?(?:php|=|[\t\n\f\r ])", re.IGNORECASE)
_METADATA_ELEMENTS = frozenset({b"meta", b"link", b"style", b"noframes", b"basefont", b"bgsound"})
_LONGEST_NAME = 16
MOST_TOKENS: Final = 250_000
"""Limit for the tags and comments of a head."""

# More tokens are walked over, so that a block after them is found.
_MOST_WALKED: Final = MOST_TOKENS + 10_000
# Results of a step of the walk that are not the offset of the next one.
_STOP, _CUT = -1, -2


@dataclass(slots=True, kw_only=True)
class PageHead:
    """Head of a page; all offsets are those of the file.

    Attributes:
        position: the offset at which a parser leaves the head; tags put in there are in the head.
        is_begun: True if a head begins in front of that position.
        is_cut: True if a token begins at that position that never ends.
        stop: the first bytes at that position.
        begins: the offsets of the marks that begin our block.
        ends: the offsets of the marks that end it.
        tags: the offsets of the start tags of the head, after their ``<``.
        roots: the offsets of the start tags of the root.
        others: the offsets of comments and the like that are not marks.
        charset: the first encoding that an element declares.
        doctype: the document type, or the XML declaration; empty if there is none.
        code: the offset of code for a server that is cut at a ``>`` in it; -1 if there is none.
        count: the number of its tokens.
    """

    position: int = -1
    is_begun: bool = False
    is_cut: bool = False
    stop: bytes = b""
    begins: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    tags: list[tuple[int, int]] = field(default_factory=list)
    roots: list[tuple[int, int]] = field(default_factory=list)
    others: list[tuple[int, int]] = field(default_factory=list)
    charset: str | None = None
    doctype: bytes = b""
    code: int = -1
    count: int = 0

    def end_at(self, position: int, *, is_cut: bool = False) -> None:
        """Set the position at which a parser leaves the head, unless it is known."""
        if self.position < 0:
            self.position, self.is_cut = position, is_cut


def _walk_head(text: bytes, start: int, *, is_whole: bool) -> PageHead | None:
    """Return the head of a page after a byte order mark; None if the text ends in the head.

    The text is whole if there is nothing after it, or no more is read.
    """
    head = PageHead()
    if not _walk_tokens(head, text, start) and not is_whole:
        return None
    if text.startswith(b"<?xml", start) and head.others:
        head.doctype = text[start : head.others[0][1]]
    head.position = len(text) if head.position < 0 else head.position
    head.is_begun = head.is_begun or any(each < head.position for each, _ in head.tags)
    head.stop = text[head.position : head.position + _LONGEST_NAME]
    last = head.tags[-1][1] if head.tags else 0
    if b"charset" in text[:last].lower():
        tags = (text[begin:end] for begin, end in head.tags)
        charsets = (read_charset(tag) for tag in tags if tag[:4].lower() == b"meta")
        head.charset = next(filter(None, charsets), None)
    return head


def _walk_tokens(head: PageHead, text: bytes, at: int) -> bool:
    """Walk to the end of a head; return False if the text ends before that is known."""
    match, note = TOKEN.match, head.tags.append
    for count in range(_MOST_WALKED):
        head.count = count
        token = match(text, at)
        if token is None:
            # The text ends, maybe in the middle of a token.
            blanks = _BLANKS.match(text, at)
            at = at if blanks is None else blanks.end()
            head.end_at(at, is_cut=at < len(text))
            return False
        kind = token.lastgroup or ""
        span = token.span(kind)
        if kind == "empty":  # most tags
            at = span[1]
            note(span)
            continue
        at = _take_token(head, text, kind, *span)
        if at < 0:
            return at == _STOP
    head.end_at(at)
    head.count = _MOST_WALKED
    return True


def _take_token(head: PageHead, text: bytes, kind: str, start: int, end: int) -> int:
    """Take a token; return the offset after it, or that the walk ends there."""
    if kind == "text":
        return _take_text(head, text, start, end)
    if kind == "stop":
        # A template belongs to the head, whatever is in it.
        head.end_at(start)
        if text[start : start + 9].lower() != b"<template":
            return _STOP
        closing = _find_text_end(text, start, b"template")
        return _CUT if closing is None else closing[1]
    written = text[start - 1 : end]
    if kind == "frame":
        # ``html`` and ``head`` may come late and again, and are the same.
        if written[1:5].lower() == b"head":
            head.is_begun = True
        else:
            head.roots.append((start, end))
    elif written == BLOCK_BEGIN:
        head.begins.append(start - 1)
    elif written == BLOCK_END:
        head.ends.append(start - 1)
    elif kind in {"comment", "doctype", "bogus", "code"}:
        head.others.append((start, end))
        head.doctype = head.doctype or (written if kind == "doctype" else b"")
        is_cut_code = _SERVER_CODE.match(written, 1) and not written.endswith(b"?>")
        if kind == "code" and is_cut_code and head.code < 0:
            head.code = start - 1
    return end


def _take_text(head: PageHead, text: bytes, start: int, end: int) -> int:
    """Take an element whose content is text, up to its end tag."""
    name = read_tag_name(text[start : start + _LONGEST_NAME])
    closing = _find_text_end(text, end, name)
    if closing is None:
        head.end_at(start - 1, is_cut=True)
        return _CUT
    if name == b"noscript" and not _is_metadata_only(text[end : closing[0]]):
        head.end_at(start - 1)  # after it only our block is looked for
    else:
        head.tags.append((start, end))
    return closing[1]


def _is_metadata_only(text: bytes) -> bool:
    """Return whether a ``noscript`` ends at the same position with and without scripts."""
    at = 0
    while token := TOKEN.match(text, at):
        kind = token.lastgroup or ""
        start, at = token.span(kind)
        if kind in {"comment", "bogus", "blank"}:
            continue
        name = read_tag_name(text[start:at])
        if name not in _METADATA_ELEMENTS:
            return False
        if name in _RAW_ELEMENTS:
            closing = _find_text_end(text, at, name)
            if closing is None:
                return False
            at = closing[1]
    return not text[at:].strip(b"\t\n\f\r ")


DEFAULT_ENCODING: Final = "windows-1252"
"""Encoding of pages that declare none, as most browsers in Europe and America assume it."""

LONGEST_HEAD: Final = 16 << 20
"""Limit for the bytes of a head, with scripts and pictures in it."""

_LONGEST_BLOCK: Final = 1 << 20
# Nearly all heads end in the first one, and most pages.
_WINDOWS: Final = (64 << 10, 1 << 20, LONGEST_HEAD + _LONGEST_BLOCK)


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """Beginning of a page, with its head.

    Attributes:
        document: the page.
        encoding: its encoding (WHATWG); None if it declares none.
        is_marked: True if it has a byte order mark.
        text: the bytes of its beginning; empty in an unusual encoding.
        head: its head.
        block: the offsets of our block, with its last line break; None if there is none.
    """

    document: Document
    encoding: str | None
    is_marked: bool
    text: bytes
    head: PageHead
    block: tuple[int, int] | None

    @property
    def span(self) -> tuple[int, int]:
        """Offsets of the block of lexurn, or of the position for it at the end of the head."""
        return self.block or (self.head.position, self.head.position)


def open_page(document: Document) -> HtmlPage:
    """Open a document as a page."""
    for window in _WINDOWS:
        data = document.read(0, window)
        is_whole = window >= document.size
        mark = find_byte_order_mark(data)
        encoding = prescan_encoding(data) if mark is None else mark[0]
        text = b"" if encoding in {"utf-16be", "utf-16le"} else data
        start = 0 if mark is None else mark[1]
        is_last = is_whole or window == _WINDOWS[-1]
        head = _walk_head(text, min(start, len(text)), is_whole=is_last or not text)
        if head is None:
            continue
        # A browser begins anew where an element declares another encoding.
        if mark is None and head.charset is not None:
            encoding = head.charset
        if encoding in UNUSUAL_ENCODINGS:
            text, head = b"", PageHead(position=0)
        elif head.count == _MOST_WALKED or (not is_whole and (head.is_cut or not head.stop)):
            raise DocumentError(make_long_head_finding(document))
        return HtmlPage(
            document=document,
            encoding=encoding,
            is_marked=mark is not None,
            text=text,
            head=head,
            block=_find_block(document, text, head),
        )
    raise AssertionError  # the last window always has a head


def make_long_head_finding(document: Document) -> Finding:
    """Return the finding on a head that is too long."""
    return make_finding("LX324", document.name, limit=LONGEST_HEAD >> 20, most=MOST_TOKENS)


def _find_block(document: Document, text: bytes, head: PageHead) -> tuple[int, int] | None:
    """Return the offsets of the block of lexurn; None if there is none."""
    begins, ends = head.begins, head.ends
    if not begins and not ends:
        return None
    if len(begins) > 1 and len(begins) == len(ends):
        first, second = (find_line(text, begin) for begin in begins[:2])
        name, count = document.name, len(begins)
        raise make_error("LX320", name, line=second, count=count, first=first, second=second)
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        is_end = bool(ends) and (not begins or ends[0] < begins[0] or len(ends) > len(begins))
        line = find_line(text, ends[-1] if is_end else begins[-1])
        marks = BLOCK_BEGIN.decode(), BLOCK_END.decode()
        mark, other = reversed(marks) if is_end else marks
        raise make_error("LX321", document.name, line=line, text=mark, mark=mark, other=other)
    end = ends[0] + len(BLOCK_END)
    line_break = LINE_BREAK.match(text, end)
    return begins[0], end if line_break is None else line_break.end()


LINE_BREAK: Final = re.compile(rb"\r\n?|\n")
"""Line break of any system."""


def find_line(text: bytes, at: int) -> int:
    """Return the line of an offset, from 1."""
    return 1 + sum(1 for _ in LINE_BREAK.finditer(text, 0, at))
