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
from html import unescape
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexurn.documents.findings import DocumentError, make_error, make_finding

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import ClassVar, Final

    from lexurn.documents.document import Document
    from lexurn.findings import Finding

# One encoding a line: its name, then its other labels, all in lower case.
_LABEL_TABLE = """
utf-8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8
ibm866 866 cp866 csibm866
iso-8859-2 csisolatin2 iso-ir-101 iso8859-2 iso88592 iso_8859-2 iso_8859-2:1987 l2 latin2
iso-8859-3 csisolatin3 iso-ir-109 iso8859-3 iso88593 iso_8859-3 iso_8859-3:1988 l3 latin3
iso-8859-4 csisolatin4 iso-ir-110 iso8859-4 iso88594 iso_8859-4 iso_8859-4:1988 l4 latin4
iso-8859-5 csisolatincyrillic cyrillic iso-ir-144 iso8859-5 iso88595 iso_8859-5 iso_8859-5:1988
iso-8859-6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e
  iso-8859-6-i iso-ir-127 iso8859-6 iso88596 iso_8859-6 iso_8859-6:1987
iso-8859-7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso8859-7 iso88597
  iso_8859-7 iso_8859-7:1987 sun_eu_greek
iso-8859-8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso8859-8 iso88598
  iso_8859-8 iso_8859-8:1988 visual
iso-8859-8-i csiso88598i logical
iso-8859-10 csisolatin6 iso-ir-157 iso8859-10 iso885910 l6 latin6
iso-8859-13 iso8859-13 iso885913
iso-8859-14 iso8859-14 iso885914
iso-8859-15 csisolatin9 iso8859-15 iso885915 iso_8859-15 l9
iso-8859-16
koi8-r cskoi8r koi koi8 koi8_r
koi8-u koi8-ru
macintosh csmacintosh mac x-mac-roman
windows-874 dos-874 iso-8859-11 iso8859-11 iso885911 tis-620
windows-1250 cp1250 x-cp1250
windows-1251 cp1251 x-cp1251
windows-1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100
  iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii x-cp1252
windows-1253 cp1253 x-cp1253
windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso8859-9 iso88599 iso_8859-9
  iso_8859-9:1989 l5 latin5 x-cp1254
windows-1255 cp1255 x-cp1255
windows-1256 cp1256 x-cp1256
windows-1257 cp1257 x-cp1257
windows-1258 cp1258 x-cp1258
x-mac-cyrillic x-mac-ukrainian
gbk chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030
big5 big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp cseucpkdfmtjapanese x-euc-jp
iso-2022-jp csiso2022jp
shift_jis csshiftjis ms932 ms_kanji shift-jis sjis windows-31j x-sjis
euc-kr cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601
  windows-949
replacement csiso2022kr hz-gb-2312 iso-2022-cn iso-2022-cn-ext iso-2022-kr
utf-16be unicodefffe
utf-16le csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16
x-user-defined
"""
# Python's codecs that read what the standard's decoders of another name read.
_CODECS: Final[Mapping[str, str]] = MappingProxyType(
    {
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
)
_LABELS: Final = {
    label.encode(): row.split()[0]
    for row in _LABEL_TABLE.replace("\n  ", " ").strip().split("\n")
    for label in row.split()
}
UNUSUAL_ENCODINGS: Final = frozenset({"utf-16be", "utf-16le", "iso-2022-jp"})
"""Encodings in which the signs of markup are not always the bytes of ASCII."""


def find_encoding(label: bytes) -> str | None:
    """Return the encoding of a label, or None (WHATWG Encoding section 4.2)."""
    return _LABELS.get(label.strip(b"\t\n\f\r ").lower())


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
"""Blanks and one token: the group of its kind begins behind the ``<``, if there is one.

A token that does not end has no match. ``stop`` is the first token behind a head.
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
    """Return the element name of a tag in lower case; the tag is given behind its ``<``."""
    match = _TAG_NAME.match(tag)
    return b"" if match is None else match[0].lower()


def parse_attributes(tag: bytes) -> dict[bytes, bytes]:
    """Return the attributes of a start tag: names in lower case, the first of each name.

    The tag is given behind its ``<``.
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
    return next(
        ((name, len(mark)) for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None
    )


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
    return found or _read_xml_encoding(head)


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
    """Return the encoding that a ``meta`` element declares; None if it declares none.

    Args:
        tag: its start tag, behind the ``<``.
        is_parsed: False in the search of a browser before it parses a page, which ignores an
            element with an unknown ``charset``.
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


def _read_xml_encoding(head: bytes) -> str | None:
    """Return the encoding of an XML declaration ("get an XML encoding")."""
    if not head.startswith(b"<?xml") or b">" not in head:
        return None
    match = _XML_ENCODING.match(head, max(head.find(b"encoding"), 0))
    label = None if match is None else match[1] or match[2]
    if not label or any(byte <= 0x20 for byte in label):  # noqa: PLR2004 - blanks and controls
        return None
    encoding = find_encoding(label)
    return "utf-8" if encoding in {"utf-16be", "utf-16le"} else encoding


BLOCK_BEGIN: Final = b"<!-- lexurn:begin -->"
BLOCK_END: Final = b"<!-- lexurn:end -->"

_BLANKS = re.compile(rb"[\t\n\f\r ]*+")
_SERVER_CODE = re.compile(rb"\?(?:php|=|[\t\n\f\r ])", re.IGNORECASE)
_METADATA_ELEMENTS = frozenset({b"meta", b"link", b"style", b"noframes", b"basefont", b"bgsound"})
_LONGEST_NAME = 16
MOST_TOKENS: Final = 250_000
"""Limit for the tags and comments of a head."""

_TOKENS_OF_BLOCK: Final = 10_000
# Results of a step of the walk that are not the offset of the next one.
_STOP, _CUT = -1, -2


@dataclass(slots=True, kw_only=True)
class PageHead:
    """Head of a page; all offsets are those of the file.

    Attributes:
        place: the offset at which a parser leaves the head; tags put in there are in the head.
        is_begun: True if a head begins in front of that place.
        is_cut: True if a token begins at that place that never ends.
        stop: the first bytes at that place.
        begins: the offsets of the marks that begin our block.
        ends: the offsets of the marks that end it.
        tags: the offsets of the start tags of the head, behind their ``<``.
        roots: the offsets of the start tags of the root.
        others: the offsets of comments and the like that are not marks.
        charset: the first encoding that an element declares.
        doctype: the document type, or the XML declaration; empty if there is none.
        code: the offset of code for a server that is cut at a ``>`` in it; -1 if there is none.
        count: the number of its tokens.
        is_endless: True if there are too many tokens.
    """

    place: int = -1
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
    is_endless: bool = False


def _walk_head(text: bytes, start: int, *, is_whole: bool) -> PageHead | None:
    """Return the head of a page; None if its beginning is too short.

    Args:
        text: the beginning of the page.
        start: the offset behind its byte order mark.
        is_whole: True if there is nothing behind it, or no more is read.
    """
    walk = _HeadWalk(text, start)
    if not walk.run() and not is_whole:
        return None
    head = walk.head
    head.place = len(text) if head.place < 0 else head.place
    head.is_begun = head.is_begun or any(each < head.place for each, _ in head.tags)
    head.stop = text[head.place : head.place + _LONGEST_NAME]
    last = head.tags[-1][1] if head.tags else 0
    if b"charset" in text[:last].lower():
        tags = (text[begin:end] for begin, end in head.tags)
        charsets = (read_charset(tag) for tag in tags if tag[:4].lower() == b"meta")
        head.charset = next(filter(None, charsets), None)
    return head


class _HeadWalk:
    """Walk through a head."""

    def __init__(self, text: bytes, start: int) -> None:
        self._text = text
        self._start = start
        self.head = PageHead()

    def run(self) -> bool:
        """Walk to the end of the head; return False if the text ends before that is known."""
        head, text, match, takers = self.head, self._text, TOKEN.match, self._TAKERS
        at, note = self._start, head.tags.append
        for count in range(MOST_TOKENS + _TOKENS_OF_BLOCK):
            head.count = count
            token = match(text, at)
            if token is None:
                blanks = _BLANKS.match(text, at)
                return self._cut(at if blanks is None else blanks.end()) == _STOP
            kind = token.lastgroup or ""
            if kind == "empty":  # most tags
                span = token.span(kind)
                at = span[1]
                note(span)
                continue
            behind = takers[kind](self, *token.span(kind))
            if behind < 0:
                return behind == _STOP
            at = behind
        self._stop_at(at)
        head.count, head.is_endless = MOST_TOKENS + _TOKENS_OF_BLOCK, True
        return True

    def _cut(self, at: int) -> int:
        """Note that the text ends, maybe in the middle of a token."""
        if self.head.place < 0:
            self.head.place, self.head.is_cut = at, at < len(self._text)
        return _CUT

    def _stop_at(self, start: int) -> None:
        if self.head.place < 0:
            self.head.place = start

    def _take_text(self, start: int, end: int) -> int:
        """Take an element whose content is text, up to its end tag."""
        name = read_tag_name(self._text[start : start + _LONGEST_NAME])
        closing = _find_text_end(self._text, end, name)
        if closing is None:
            return self._cut(start - 1)
        if name == b"noscript" and not _is_metadata_only(self._text[end : closing[0]]):
            self._stop_at(start - 1)  # behind it only our block is looked for
        else:
            self.head.tags.append((start, end))
        return closing[1]

    def _take_frame(self, start: int, end: int) -> int:
        """Take ``html`` or ``head``: they may come late and again, and are the same."""
        if self._text[start : start + 4].lower() == b"head":
            self.head.is_begun = True
        else:
            self.head.roots.append((start, end))
        return end

    def _take_stop(self, start: int, _end: int) -> int:
        """Take the end of the head; a template belongs to it, whatever is in it."""
        self._stop_at(start)
        if self._text[start : start + 9].lower() != b"<template":
            return _STOP
        closing = _find_text_end(self._text, start, b"template")
        return _CUT if closing is None else closing[1]

    def _take_comment(self, start: int, end: int) -> int:
        text = self._text[start - 1 : end] if end - start < len(BLOCK_BEGIN) else b""
        if text == BLOCK_BEGIN:
            self.head.begins.append(start - 1)
        elif text == BLOCK_END:
            self.head.ends.append(start - 1)
        else:
            self.head.others.append((start, end))
        return end

    def _take_doctype(self, start: int, end: int) -> int:
        self.head.others.append((start, end))
        self.head.doctype = self.head.doctype or self._text[start - 1 : end]
        return end

    def _take_bogus(self, start: int, end: int) -> int:
        if start - 1 == self._start and self._text.startswith(b"<?xml", start - 1):
            self.head.doctype = self._text[start - 1 : end]
        self.head.others.append((start, end))
        return end

    def _take_code(self, start: int, end: int) -> int:
        is_whole = self._text.endswith(b"?>", start, end)
        if self.head.code < 0 and not is_whole and _SERVER_CODE.match(self._text, start):
            self.head.code = start - 1
        self.head.others.append((start, end))
        return end

    def _take_nothing(self, _start: int, end: int) -> int:
        return end

    _TAKERS: ClassVar[Mapping[str, Callable[[_HeadWalk, int, int], int]]] = {
        "text": _take_text,
        "frame": _take_frame,
        "comment": _take_comment,
        "doctype": _take_doctype,
        "code": _take_code,
        "bogus": _take_bogus,
        "end": _take_nothing,
        "blank": _take_nothing,
        "stop": _take_stop,
    }


def _is_metadata_only(text: bytes) -> bool:
    """Return whether a ``noscript`` ends at the same place with and without scripts."""
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
        """Offsets of the block of lexurn, or of the empty place for it at the end of the head."""
        return self.block or (self.head.place, self.head.place)


def open_page(document: Document) -> HtmlPage:
    """Open a document as a page.

    Raises:
        DocumentError: it cannot be read, its head does not end, or our block is broken.
    """
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
            text, head = b"", PageHead(place=0)
        elif head.is_endless or (not is_whole and (head.is_cut or not head.stop)):
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
    """Return the offsets of the block of lexurn; None if there is none.

    Raises:
        DocumentError: there are two, or a mark has no partner.
    """
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
