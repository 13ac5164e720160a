"""HTML pages as bytes: encoding, tokens, the end of the head, and the block of lexurn.

What a parser makes of tags before it leaves the head is simple: there are ten elements, each empty
or with text alone. So it needs no tree, and the walk ends at the first token that is none of these.

Every encoding of the web but UTF-16 has all signs of markup as the same single bytes as ASCII, and
none of them as a part of another character (ISO-2022-JP aside, see `_make_view`). So tokens are
found without decoding, and an offset of a token is an offset of the file (WHATWG HTML sections
13.2.3.2, 13.2.5 and 13.2.6.4).
"""

from __future__ import annotations

import re
import sys
from array import array
from dataclasses import dataclass
from html import unescape
from types import MappingProxyType
from typing import TYPE_CHECKING

from lexurn.documents.findings import DocumentError, make_finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from typing import Any, ClassVar, Final

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
_LABEL_BLANKS = b"\t\n\f\r "


def _parse_label_table() -> Mapping[bytes, str]:
    lines = _LABEL_TABLE.replace("\n  ", " ").split("\n")
    rows = (line.split() for line in lines if line)
    return MappingProxyType({label.encode(): row[0] for row in rows for label in row})


_LABELS: Final = _parse_label_table()


def find_encoding(label: bytes) -> str | None:
    """Return the encoding that a label names, or None (WHATWG Encoding section 4.2)."""
    return _LABELS.get(label.strip(_LABEL_BLANKS).lower())


def find_codec(encoding: str) -> str | None:
    """Return Python's codec for an encoding; None for ``replacement``, which has no text.

    Where bytes mean nothing in the encoding, codecs differ: decode with ``errors="replace"``.
    """
    return None if encoding == "replacement" else _CODECS.get(encoding, encoding)


_FLAGS = re.IGNORECASE | re.DOTALL
# A value that is opened and not closed makes all of the tag none: nothing is tried in its place.
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
"""One token and blanks before it: a group of the kind begins behind the ``<``, where there is one.

No match: a token that does not end. ``stop`` is what ends a head, whatever comes behind.
"""

_RAW_ELEMENTS: Final = frozenset({b"title", b"style", b"noframes", b"noscript"})
"""Elements whose text has no tags in it; ``noscript`` has none where scripts run."""

_TAG_NAME = re.compile(rb"[^\t\n\f\r />]*+")
_ONE_ATTRIBUTE = re.compile(
    rb"([^\t\n\f\r />][^\t\n\f\r />=]*+)(?:"
    + _GAP
    + rb"="
    + _GAP
    + rb"("
    + _ATTRIBUTE_VALUE
    + rb"))?+",
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
    for name, value in _list_attributes(tag):
        found.setdefault(name.lower(), value)
    return found


def _list_attributes(tag: bytes) -> Iterator[tuple[bytes, bytes]]:
    matches = _ONE_ATTRIBUTE.finditer(tag, len(read_tag_name(tag)))
    for match in matches:
        value = match[2] or b""
        if value[:1] in {b'"', b"'"}:
            value = value[1:-1]
        yield match[1], _unescape(value) if b"&" in value else value


def _unescape(value: bytes) -> bytes:
    return unescape(value.decode("latin-1")).encode("latin-1", "replace")


def _skip_end_tag(text: bytes, start: int) -> int | None:
    """Return where an end tag ends; None if it does not end."""
    match = _END_TAG.match(text, start)
    return None if match is None else match.end()


def _find_raw_end(text: bytes, start: int, name: bytes) -> int | None:
    """Return where the end tag of a raw text element begins; None if there is none."""
    match = _RAW_ENDS[name].search(text, start)
    return None if match is None else match.start()


def _find_script_end(text: bytes, start: int) -> int | None:
    """Return where the end tag of a script begins; None if there is none.

    A script may hold ``<!-- <script> </script> -->``, whose end tag is none of its own
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
"""How many bytes are looked at before a page is parsed."""

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
_NOT_ASCII = re.compile(rb"\x1b(?:\([IJ]|\$[@B]).*?(?=\x1b\(B|\Z)", re.DOTALL)
_NARROW: Final = bytes(range(0x80)) + b"\x80" * (0x10000 - 0x80)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageView:
    """Beginning of a page with one byte for each of its code units.

    Attributes:
        text: what is ASCII as it is, all else as bytes from 80 up.
        offset: how many bytes of the file come before, as a byte order mark.
        unit: how many bytes of the file each stands for.
    """

    text: bytes
    offset: int = 0
    unit: int = 1

    def place(self, at: int) -> int:
        """Return the offset in the file of an offset in the text."""
        return self.offset + self.unit * at


def find_byte_order_mark(data: bytes) -> tuple[str, int] | None:
    """Return the encoding of a byte order mark, and its length; None if there is no mark."""
    return next(
        ((name, len(mark)) for mark, name in _BYTE_ORDER_MARKS if data.startswith(mark)), None
    )


def _make_view(data: bytes, encoding: str) -> PageView:
    """Return the beginning of a page as its encoding requires it to be read."""
    mark = find_byte_order_mark(data)
    offset = 0 if mark is None else mark[1]
    if encoding in {"utf-16be", "utf-16le"}:
        return PageView(text=_narrow_utf16(data[offset:], encoding), offset=offset, unit=2)
    text = data[offset:]
    return PageView(
        text=_mask_iso_2022_jp(text) if encoding == "iso-2022-jp" else text, offset=offset
    )


def _narrow_utf16(data: bytes, encoding: str) -> bytes:
    """Return one byte for each code unit of UTF-16."""
    units = array("H", data[: len(data) & ~1])
    if (encoding == "utf-16le") != (sys.byteorder == "little"):
        units.byteswap()
    return bytes(map(_NARROW.__getitem__, units))


def _mask_iso_2022_jp(text: bytes) -> bytes:
    """Mask everything in ISO-2022-JP that is not ASCII, so that it is unlike markup."""
    masked = bytearray(text)
    for match in _NOT_ASCII.finditer(text):
        masked[match.start() : match.end()] = b"\x80" * (match.end() - match.start())
    return bytes(masked).replace(b"\x1b", b"\x80")


def prescan_encoding(data: bytes) -> str | None:
    """Return the encoding that a browser finds in the first bytes of a page without a mark.

    "Prescan a byte stream to determine its encoding", with the encoding of an XML declaration where
    nothing else says one. It knows no scripts and no titles, so that it finds charsets that
    are none; what it says holds all the same.
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
            end = _find_tag_end(head, match.end() if meta else _find_name_end(head, match.end()))
            tag = head[match.start() + 1 : end]
            if meta and (charset := read_charset(tag, is_parsed=False)) is not None:
                return charset
        else:
            end = head.find(b">", match.end()) + 1
        if end < match.end():
            return None
        at = end
    return None


def _find_name_end(head: bytes, at: int) -> int:
    while head[at : at + 1] not in _ENDS_OF_NAME:
        at += 1
    return at


def _find_tag_end(head: bytes, at: int) -> int:
    match = _REST_OF_TAG.match(head, at)
    return 0 if match is None else match.end()


def read_charset(tag: bytes, *, is_parsed: bool = True) -> str | None:
    """Return the encoding that a ``meta`` element declares; None if it declares none.

    Args:
        tag: its start tag, behind the ``<``.
        is_parsed: whether it is an element; a browser that only looks for a charset passes over
            one whose ``charset`` is none, whatever else it says.
    """
    attributes = parse_attributes(tag)
    if b"charset" in attributes:
        charset = _choose_usable_encoding(find_encoding(attributes[b"charset"]))
        if charset is not None or not is_parsed:
            return charset
    if attributes.get(b"http-equiv", b"").lower() != b"content-type":
        return None
    label = _find_charset_label(attributes.get(b"content", b""))
    return None if label is None else _choose_usable_encoding(find_encoding(label))


def _find_charset_label(content: bytes) -> bytes | None:
    """Return the label in ``text/html; charset=utf-8`` (WHATWG HTML section 2.4.6)."""
    sign = _CHARSET_SIGN.search(content)
    match = None if sign is None else _CHARSET.match(content, sign.start())
    if match is None:
        return None
    return next((label for label in match.groups() if label is not None), None)


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
_EMPTY_TOKENS = frozenset({"comment", "bogus", "blank"})
_LONGEST_NAME = 16
MOST_TOKENS: Final = 250_000
"""Tags and comments that a head may have; no page has as many but one that is made to be a load."""

_TOKENS_OF_BLOCK: Final = 10_000
# What a walk does instead of going on at an offset.
_STOP, _CUT = -1, -2


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHead:
    """Facts about the head of a page; offsets are those of the text that was read.

    Attributes:
        place: where a parser leaves the head; tags put in there are in the head.
        is_begun: whether a head was begun before that place.
        is_cut: whether a token begins there that never ends.
        stop: the beginning of what stands there.
        begins: where marks stand that begin our block.
        ends: where marks stand that end it.
        tags: where start tags of the head begin and end, behind their ``<``.
        roots: where start tags of the root begin and end.
        others: where comments and the like begin and end that are no marks.
        charset: the first encoding that an element says.
        doctype: the document type, or the XML declaration; empty for none.
        code: where code for a server stands that is cut at a ``>`` in it; -1 for none.
        count: how many tokens it has, tags and comments and others.
        is_endless: whether it has so many that the walk was given up.
    """

    place: int
    is_begun: bool
    is_cut: bool
    stop: bytes
    begins: tuple[int, ...]
    ends: tuple[int, ...]
    tags: tuple[tuple[int, int], ...]
    roots: tuple[tuple[int, int], ...]
    others: tuple[tuple[int, int], ...]
    charset: str | None
    doctype: bytes
    code: int
    count: int
    is_endless: bool


def _walk_head(text: bytes, *, is_whole: bool) -> PageHead | None:
    """Return the head at the beginning of a text; None if a partial text is too short.

    Args:
        text: bytes in which markup is ASCII, without a byte order mark.
        is_whole: whether the page ends where the text ends.
    """
    walk = _HeadWalk(text)
    return walk.head() if walk.run() or is_whole else None


class _HeadWalk:
    """Walk through a head."""

    def __init__(self, text: bytes) -> None:
        self._text = text
        self._place: int | None = None
        self._is_begun = False
        self._is_cut = False
        self._marks: dict[bytes, list[int]] = {BLOCK_BEGIN: [], BLOCK_END: []}
        self._tags: list[tuple[int, int]] = []
        self._roots: list[tuple[int, int]] = []
        self._others: list[tuple[int, int]] = []
        self._doctype = b""
        self._code = -1
        self._count = 0

    def run(self) -> bool:
        """Walk to the end of the head; return False if the text ends before that is known."""
        text, match, takers, note = self._text, TOKEN.match, self._TAKERS, self._tags.append
        at = 0
        for count in range(MOST_TOKENS + _TOKENS_OF_BLOCK):
            token = match(text, at)
            if token is None:
                blanks = _BLANKS.match(text, at)
                self._count = count
                return self._cut(at if blanks is None else blanks.end()) == _STOP
            kind = token.lastgroup or ""
            if kind == "empty":  # most tags
                span = token.span(kind)
                at = span[1]
                note(span)
                continue
            behind = takers[kind](self, *token.span(kind))
            if behind < 0:
                self._count = count
                return behind == _STOP
            at = behind
        self._stop_at(at)
        self._count = MOST_TOKENS + _TOKENS_OF_BLOCK
        return True

    def head(self) -> PageHead:
        """Facts that were found."""
        place = len(self._text) if self._place is None else self._place
        return PageHead(
            place=place,
            is_begun=self._is_begun or any(start < place for start, _ in self._tags),
            is_cut=self._is_cut,
            stop=self._text[place : place + _LONGEST_NAME],
            begins=tuple(self._marks[BLOCK_BEGIN]),
            ends=tuple(self._marks[BLOCK_END]),
            tags=tuple(self._tags),
            roots=tuple(self._roots),
            others=tuple(self._others),
            charset=next(self._charsets(), None),
            doctype=self._doctype,
            code=self._code,
            is_endless=self._count >= MOST_TOKENS + _TOKENS_OF_BLOCK,
            count=self._count,
        )

    def _charsets(self) -> Iterator[str]:
        """Return the encodings that elements declare, in order."""
        last = self._tags[-1][1] if self._tags else 0
        if b"charset" not in self._text[:last].lower():
            return
        for start, end in self._tags:
            tag = self._text[start:end]
            if tag[:4].lower() == b"meta" and (charset := read_charset(tag)) is not None:
                yield charset

    def _cut(self, at: int) -> int:
        """Note that the text ends, maybe in the middle of a token."""
        if self._place is None:
            self._place, self._is_cut = at, at < len(self._text)
        return _CUT

    def _take_text(self, start: int, end: int) -> int:
        """Take an element whose content is text, up to its end tag."""
        text = self._text
        name = read_tag_name(text[start : start + _LONGEST_NAME])
        begun = _find_script_end(text, end) if name == b"script" else _find_raw_end(text, end, name)
        behind = None if begun is None else _skip_end_tag(text, begun)
        if begun is None or behind is None:
            return self._cut(start - 1)
        if name == b"noscript" and not _is_metadata_only(text[end:begun]):
            self._stop_at(start - 1)  # what follows is looked at for our block alone
        else:
            self._tags.append((start, end))
        return behind

    def _stop_at(self, start: int) -> None:
        if self._place is None:
            self._place = start

    def _take_frame(self, start: int, end: int) -> int:
        """Take ``html`` or ``head``: they may come late and again, and are the same."""
        if self._text[start : start + 4].lower() == b"head":
            self._is_begun = True
        else:
            self._roots.append((start, end))
        return end

    def _take_stop(self, start: int, _end: int) -> int:
        """Take the end of the head; a template belongs to it, whatever it holds."""
        self._stop_at(start)
        if self._text[start : start + 9].lower() != b"<template":
            return _STOP
        begun = _find_raw_end(self._text, start, b"template")
        behind = None if begun is None else _skip_end_tag(self._text, begun)
        return _CUT if behind is None else behind

    def _take_comment(self, start: int, end: int) -> int:
        marks = None
        if end - start < len(BLOCK_BEGIN):
            marks = self._marks.get(self._text[start - 1 : end])
        if marks is None:
            self._others.append((start, end))
        else:
            marks.append(start - 1)
        return end

    def _take_doctype(self, start: int, end: int) -> int:
        self._others.append((start, end))
        if not self._doctype:
            self._doctype = self._text[start - 1 : end]
        return end

    def _take_bogus(self, start: int, end: int) -> int:
        if start == 1 and self._text.startswith(b"<?xml"):
            self._doctype = self._text[:end]
        self._others.append((start, end))
        return end

    def _take_code(self, start: int, end: int) -> int:
        is_whole = self._text.endswith(b"?>", start, end)
        if self._code < 0 and not is_whole and _SERVER_CODE.match(self._text, start):
            self._code = start - 1
        self._others.append((start, end))
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
        start, end = token.span(kind)
        behind = end if kind in _EMPTY_TOKENS else _skip_metadata(text, start, end)
        if behind is None:
            return False
        at = behind
    return not text[at:].strip(b"\t\n\f\r ")


def _skip_metadata(text: bytes, start: int, end: int) -> int | None:
    """Return where an element ends that may stand in a ``noscript`` of a head, or None."""
    name = read_tag_name(text[start:end])
    if name not in _METADATA_ELEMENTS:
        return None
    if name not in _RAW_ELEMENTS:
        return end
    begun = _find_raw_end(text, end, name)
    return None if begun is None else _skip_end_tag(text, begun)


DEFAULT_ENCODING: Final = "windows-1252"
"""What a page is in that says nothing of it, as most browsers in Europe and America take it."""

LONGEST_HEAD: Final = 16 << 20
"""How many bytes a head may have: scripts and pictures within a head, and nothing reads more."""

_LONGEST_BLOCK: Final = 1 << 20
# Nearly all heads end in the first, and the whole of most pages is in it.
_WINDOWS: Final = (64 << 10, 1 << 20, LONGEST_HEAD + _LONGEST_BLOCK)


@dataclass(frozen=True, slots=True, kw_only=True)
class HtmlPage:
    """Beginning of a page, with its head.

    Attributes:
        document: the page.
        encoding: its encoding (WHATWG); None if it says none.
        is_marked: whether a byte order mark says the encoding.
        view: its beginning as single bytes; what offsets count.
        head: its head.
        block: where our block begins and ends, its last line break included; None for none.
    """

    document: Document
    encoding: str | None
    is_marked: bool
    view: PageView
    head: PageHead
    block: tuple[int, int] | None

    @property
    def span(self) -> tuple[int, int]:
        """Offsets of the block of lexurn, or of the empty place for it at the end of the head."""
        return self.block or (self.head.place, self.head.place)


def open_page(document: Document) -> HtmlPage:
    """Open a document as a page.

    Raises:
        DocumentError: it cannot be read, its head does not end, or our block is not whole.
    """
    for window in _WINDOWS:
        data = document.read(0, window)
        is_whole = window >= document.size
        looked = _scan_head(data, is_whole=is_whole or window == _WINDOWS[-1])
        if looked is not None:
            encoding, seen, head = looked
            _check_head_length(document, head, is_whole=is_whole)
            return HtmlPage(
                document=document,
                encoding=encoding,
                is_marked=find_byte_order_mark(data) is not None,
                view=seen,
                head=head,
                block=_find_block(document, seen.text, head),
            )
    raise AssertionError  # the last window always has a head


def _scan_head(data: bytes, *, is_whole: bool) -> tuple[str | None, PageView, PageHead] | None:
    """Return encoding, view and head of the beginning of a page; None if it is too short.

    An element that says an encoding has the last word: a browser begins anew, where it has begun
    with another.
    """
    mark = find_byte_order_mark(data)
    first = prescan_encoding(data) if mark is None else mark[0]
    seen = _make_view(data, first or DEFAULT_ENCODING)
    head = _walk_head(seen.text, is_whole=is_whole)
    if head is None or mark is not None or seen.unit > 1 or head.charset in {None, first}:
        return None if head is None else (first, seen, head)
    if "iso-2022-jp" not in {first, head.charset}:
        return head.charset, seen, head
    seen = _make_view(data, head.charset)
    again = _walk_head(seen.text, is_whole=is_whole)
    return None if again is None else (head.charset, seen, again)


def _check_head_length(document: Document, head: PageHead, *, is_whole: bool) -> None:
    if head.is_endless or (not is_whole and (head.is_cut or not head.stop)):
        raise DocumentError(make_long_head_finding(document))


def make_long_head_finding(document: Document) -> Finding:
    """Make the finding on a head that is too long."""
    return make_finding("LX324", document.name, limit=LONGEST_HEAD >> 20, most=MOST_TOKENS)


def _find_block(document: Document, text: bytes, head: PageHead) -> tuple[int, int] | None:
    """Return where the block of lexurn begins and ends in the text; None if there is none.

    Raises:
        DocumentError: there are two, or a mark stands alone.
    """
    begins, ends = head.begins, head.ends
    if not begins and not ends:
        return None
    if len(begins) > 1 and len(begins) == len(ends):
        first, second = (find_line(text, begin) for begin in begins[:2])
        values: dict[str, Any] = {"count": len(begins), "first": first, "second": second}
        raise DocumentError(make_finding("LX320", document.name, line=second, **values))
    if len(begins) != 1 or len(ends) != 1 or ends[0] < begins[0]:
        raise DocumentError(_make_unpaired_finding(document, text, begins, ends))
    end = ends[0] + len(BLOCK_END)
    return begins[0], end + _measure_line_break(text, end)


def _make_unpaired_finding(
    document: Document, text: bytes, begins: tuple[int, ...], ends: tuple[int, ...]
) -> Finding:
    """Make the finding on the first mark that has no partner."""
    is_end = bool(ends) and (not begins or ends[0] < begins[0] or len(ends) > len(begins))
    line = find_line(text, ends[-1] if is_end else begins[-1])
    mark, other = (BLOCK_END, BLOCK_BEGIN) if is_end else (BLOCK_BEGIN, BLOCK_END)
    values = {"mark": mark.decode(), "other": other.decode()}
    return make_finding("LX321", document.name, line=line, text=mark.decode(), **values)


def _measure_line_break(text: bytes, at: int) -> int:
    """Return the length of the line break at an offset; 0 if there is none."""
    if text.startswith(b"\r\n", at):
        return 2
    return int(text[at : at + 1] in {b"\n", b"\r"})


def find_line(text: bytes, at: int) -> int:
    """Return the line of an offset, from 1."""
    before = text[:at]
    return 1 + before.count(b"\n") + before.count(b"\r") - before.count(b"\r\n")
