"""HTML pages as bytes: tokens, the end of the head, and the block of lexurn.

A head has ten elements, each empty or with text alone. So a walk through its tokens needs no tree.
It ends at the first token of another kind (WHATWG HTML sections 13.2.5 and 13.2.6.4).

Encodings of the web have the signs of markup as the single bytes of ASCII. So tokens are found
without decoding, at offsets of the file. UTF-16 and ISO-2022-JP are the exceptions: lexurn finds
the encoding of such a page, but no tokens.
"""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from dataclasses import dataclass, field
from html import unescape
from typing import TYPE_CHECKING, Final

from lexurn.documents.document import DocumentError, make_error, make_finding

if TYPE_CHECKING:
    from lexurn.documents.document import Document
    from lexurn.findings import Finding

_UTF16_MARKS: Final = (b"\xfe\xff", b"\xff\xfe")
_ISO_2022_JP = re.compile(rb"charset\s*=[\s\"']*(?:cs)?iso-?2022-?jp", re.IGNORECASE)
META_CHARSET: Final = re.compile(rb"<meta[\s/][^>]*charset", re.IGNORECASE)
"""Start of an element that declares an encoding."""

PRESCAN_LENGTH: Final = 1024
"""Number of bytes in which a browser looks for an encoding before it parses a page."""


def find_unusual_codec(data: bytes) -> str | None:
    """Return Python's codec for UTF-16 or ISO-2022-JP, by the first bytes of a page.

    In all other encodings of the web the signs of markup are always the bytes of ASCII.
    """
    if data.startswith(_UTF16_MARKS):
        return "utf-16"
    return "iso2022_jp" if _ISO_2022_JP.search(data, 0, PRESCAN_LENGTH) else None


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
_TOKEN: Final = re.compile(
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

_NAME_END = re.compile(rb"[\t\n\f\r />]")
_ONE_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)"
    rb"(?:" + _GAP + rb"=" + _GAP + rb"(" + _ATTRIBUTE_VALUE + rb"))?+",
    _FLAGS,
)
_END_TAG = re.compile(rb"</[a-z][^\t\n\f\r />]*+" + _ATTRIBUTES + rb">", _FLAGS)
# There are no tags in the text of these; in that of ``noscript`` none if scripts run.
_RAW_ENDS: Final = {
    name: re.compile(rb"</" + name + _AFTER_NAME, _FLAGS)
    for name in (b"title", b"style", b"noframes", b"noscript", b"template")
}
_SCRIPT_SIGNS = re.compile(rb"<!--|-->|<(/?)script[\t\n\f\r />]", _FLAGS)


def parse_tag(tag: bytes) -> tuple[str, dict[str, str]]:
    """Return the name of a start tag, in lower case, and its attributes, the first of each name.

    The tag is given after its ``<``.
    """
    name = _NAME_END.split(tag, 1)[0]
    found: dict[str, str] = {}
    for match in _ONE_ATTRIBUTE.finditer(tag, len(name)):
        value = match[2] or b""
        if value[:1] in {b'"', b"'"}:
            value = value[1:-1]
        key, text = match[1].lower().decode("latin-1"), value.decode("utf-8", "replace")
        found.setdefault(key, unescape(text) if "&" in text else text)
    return name.lower().decode("latin-1"), found


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
        elif depth < 2:  # its own end
            return match.start()
        else:
            depth = 1
    return None


BLOCK_BEGIN: Final = b"<!-- lexurn:begin -->"
BLOCK_END: Final = b"<!-- lexurn:end -->"

_BLANKS = re.compile(rb"[\t\n\f\r ]*+")
_SERVER_CODE = re.compile(rb"\?(?:php|=|[\t\n\f\r ])", re.IGNORECASE)
_LONGEST_NAME = 16
MOST_TOKENS: Final = 250_000
"""Limit for the tags and comments of a head."""

# More tokens are walked over, so that a block after them is found.
_MOST_WALKED: Final = MOST_TOKENS + 10_000
# Results of a step at which the walk ends, in place of the offset of the next one.
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
    doctype: bytes = b""
    code: int = -1
    count: int = 0

    def end_at(self, position: int, *, is_cut: bool = False) -> None:
        """Set the position at which a parser leaves the head, unless it is known."""
        if self.position < 0:
            self.position, self.is_cut = position, is_cut


def _walk_tokens(head: PageHead, text: bytes, at: int) -> bool:
    """Walk to the end of a head; return False if the text ends before that is known."""
    match, note = _TOKEN.match, head.tags.append
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
    name = _NAME_END.split(text[start : start + _LONGEST_NAME], 1)[0].lower()
    closing = _find_text_end(text, end, name)
    if closing is None:
        head.end_at(start - 1, is_cut=True)
        return _CUT
    if name == b"noscript":  # without scripts the head may end in it
        head.end_at(start - 1)
    else:
        head.tags.append((start, end))
    return closing[1]


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
        codec: Python's codec of an unusual encoding; else None.
        text: the bytes of its beginning; empty in an unusual encoding.
        head: its head.
        block: the offsets of our block, with its last line break; None if there is none.
    """

    document: Document
    codec: str | None
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
        codec = find_unusual_codec(data)
        text = data if codec is None else b""
        start = len(BOM_UTF8) if text.startswith(BOM_UTF8) else 0
        head, is_last = PageHead(), is_whole or window == _WINDOWS[-1] or not text
        if not _walk_tokens(head, text, start) and not is_last:
            continue
        if text.startswith(b"<?xml", start) and head.others:
            head.doctype = text[start : head.others[0][1]]
        head.position = len(text) if head.position < 0 else head.position
        head.is_begun = head.is_begun or any(each < head.position for each, _ in head.tags)
        head.stop = text[head.position : head.position + _LONGEST_NAME]
        is_cut = not is_whole and (head.is_cut or not head.stop)
        if text and (head.count == _MOST_WALKED or is_cut):
            raise DocumentError(make_long_head_finding(document))
        return HtmlPage(
            document=document,
            codec=codec,
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
