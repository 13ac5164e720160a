"""XML as a stream of events with byte offsets, and small trees of it; its form and signature.

The parser is expat of the standard library. A reader may stop early. Nothing outside of the
document is fetched: no entity, no DTD, no XInclude. Entities in text are never expanded. Those in
attributes are: expat limits how far a document grows by them, and tags are short then.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from dataclasses import dataclass
from functools import cache
from html.entities import html5
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NoReturn, TypeAlias
from xml.parsers import expat

from lexurn.documents.document import DocumentError, make_error, make_finding
from lexurn.vocabulary import XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.documents.document import Document
    from lexurn.findings import Finding

# The schemas of law need some thirty elements in each other.
_DEEPEST: Final = 1_000
_MOST_ATTRIBUTES: Final = 1_000
# One tag or comment is held in memory: pictures stand in attributes at times.
_LONGEST_TOKEN: Final = 1 << 25
# If entities are declared, expat lets a tag grow to a hundred times its length.
_LONGEST_TOKEN_WITH_ENTITIES: Final = 1 << 20
# Each element inside has all prefixes in scope.
_MOST_NAMESPACES: Final = 256
MOST_ATTRIBUTE_TEXT: Final = 1 << 26
"""Limit for the characters of all attributes. Each prefix in a new scope counts as 16."""

MOST_NODES: Final = 200_000
"""Limit for elements, comments and instructions of a tree in memory."""

LONGEST_TEXT: Final = 1 << 24
"""Limit for the characters of text of a tree in memory."""

# Less than a second's work, which a run over a folder can bear for each file.
_LONGEST_CHECKED: Final = 64 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Attribute of a start tag, other than a namespace declaration.

    Attributes:
        uri: its namespace; empty where it is in none; None if its prefix is not declared.
        local: its name without prefix.
        value: its value, with references resolved.
    """

    uri: str | None
    local: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """Piece of markup or text, with the offsets of its first byte and after its last one."""

    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StartTag(Token):
    """Start tag, or the tag of an empty element (an `EndTag` follows all the same).

    Attributes:
        uri: the namespace of the element; empty where it is in none; None if its prefix is not
            declared (it may be in a DTD, which is never fetched).
        local: its name without prefix.
        prefix: its prefix, empty where it has none.
        attributes: its attributes, in the order of the document.
        scope: the namespaces in scope, by prefix, which may be empty.
        line: the line of its first byte, from 1.
        is_empty: True if it is written ``<a/>``.
    """

    uri: str | None
    local: str
    prefix: str
    attributes: tuple[Attribute, ...]
    scope: Mapping[str, str]
    line: int
    is_empty: bool

    def get(self, local: str, uri: str = "") -> str | None:
        """Return the value of an attribute; None if there is none of that name."""
        for each in self.attributes:
            if each.local == local and each.uri == uri:
                return each.value
        return None

    @property
    def language(self) -> str | None:
        """Language that the tag itself declares; None if it declares none."""
        return self.get("lang", XML_NAMESPACE)

    def is_named(self, uri: str, local: str) -> bool:
        """Return whether it is an element of this namespace and name."""
        return self.local == local and self.uri == uri

    def qualify(self, local: str) -> str:
        """Return the name of an element in the same namespace, with its prefix."""
        return f"{self.prefix}:{local}" if self.prefix else local


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTag(Token):
    """End of an element; of one that is written ``<a/>`` the empty position after its tag."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Text(Token):
    """Piece of the text of an element.

    A reference to an entity of HTML, or to one that is plain text, is read as that text. Any other
    reference stays as it is written.
    """

    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment(Token):
    """Comment, or a processing instruction other than the XML declaration, with its line from 1.

    The text is that between ``<!--`` and ``-->``; an instruction has none.
    """

    value: str
    line: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctype(Token):
    """Document type declaration; its offsets are only known to be after its identifiers."""

    public_id: str | None


XmlEvent: TypeAlias = StartTag | EndTag | Text | Comment | Doctype

BLOCK_BEGIN: Final = "lexurn:begin"
"""Text of the comment in front of a block of lexurn."""

BLOCK_END: Final = "lexurn:end"
"""Text of the comment after a block of lexurn."""

_DECLARED_ENCODING = re.compile(rb"""<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']""")
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)

# The start of a line is looked for so far back.
_LONGEST_LINE = 4_096
_ASCII, _NOT_ASCII = bytes(range(128)), bytes(range(128, 256))
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
    | {"\r": "&#13;"}
)


def detect_codec(document: Document) -> str:
    """Return the codec of an XML document, without a byte order mark."""
    head = document.read(0, 1024)
    for mark, codec in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return codec
    declared = _DECLARED_ENCODING.match(head)
    if declared is None:
        return "utf-8"
    name = declared[1].decode("ascii")
    found = _find_codec(name)
    if found is None:
        text = name[:60]
        raise make_error("LX331", document.name, line=1, text=text, encoding=f'"{text}"')
    return found


@cache
def _find_codec(name: str) -> str | None:
    """Return a codec that extends ASCII by single bytes, or is UTF-8 or UTF-16.

    Others may have ``<`` in the middle of a letter, or are not encodings of texts.
    """
    try:
        codec = codecs.lookup(name).name
        if codec in {"utf-8", "utf-16"}:
            return codec
        is_odd = "escape" in codec or codec == "utf-8-sig"
        if is_odd or _ASCII.decode(codec) != _ASCII.decode("ascii"):
            return None
        return codec if len(_NOT_ASCII.decode(codec, "replace")) == len(_NOT_ASCII) else None
    except (LookupError, ValueError):
        return None


def encode_xml(text: str, codec: str) -> bytes:
    """Encode XML text, with references for characters that the encoding lacks."""
    return text.encode(codec, "xmlcharrefreplace")


def escape_xml(text: str) -> str:
    """Escape a value for an attribute in double quotes, or for text."""
    return text.translate(_ESCAPES)


def read_layout(document: Document, offset: int, codec: str) -> str:
    """Return the newline and the blanks in front of an offset, if nothing else is there."""
    unit = 2 if codec.startswith("utf-16") else 1
    start = max(0, offset - _LONGEST_LINE * unit)
    before = document.read(start, offset).decode(codec, "replace")
    found = re.search(r"(?:\r\n|\n|\r)[ \t]*\Z", before)
    return "" if found is None else found[0]


# The element of XML Signature, as expat reports it with a blank as the separator.
_SIGNATURE_ELEMENT = "http://www.w3.org/2000/09/xmldsig# Signature"
_UNKNOWN_ENCODING: Final = expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]
# The message of expat would be "no element found".
_FAULTS: Final[Mapping[int, str]] = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]: "it ends before its root element does",
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: "it ends in a tag or comment",
}


def _create_parser(codec: str, *, separator: str | None = None) -> expat.XMLParserType:
    """Create a parser that expands no entity in text.

    A separator comes between namespaces and names. Without one, names are as they are written.
    """
    # Documents call UTF-8 utf8 as well, which expat does not know.
    parser = expat.ParserCreate("UTF-8" if codec == "utf-8" else None, separator)
    # Any handler, even None, keeps expat from expanding entities.
    parser.DefaultHandler = None
    parser.ordered_attributes = parser.specified_attributes = True
    return parser


def _feed_parser(
    parser: expat.XMLParserType, name: str, piece: bytes, *, is_last: bool = False
) -> DocumentError | None:
    """Parse a piece of a document, and return the fault in it."""
    try:
        parser.Parse(piece, is_last)
    except DocumentError as fault:
        return fault
    except (expat.ExpatError, LookupError, ValueError) as fault:
        if not isinstance(fault, expat.ExpatError) or fault.code == _UNKNOWN_ENCODING:
            return make_error("LX331", name, line=1, encoding="that it declares")
        why = _FAULTS.get(fault.code) or expat.ErrorString(fault.code) or "unknown error"
        return make_error("LX330", name, line=fault.lineno, why=why)
    return None


def _refuse(parser: expat.XMLParserType, name: str, what: str) -> NoReturn:
    """Refuse a document that exceeds a limit at the position of its parser."""
    raise make_error("LX332", name, line=parser.CurrentLineNumber, what=what)


def _check_element(parser: expat.XMLParserType, name: str, depth: int, given: list[str]) -> None:
    if depth > _DEEPEST:
        _refuse(parser, name, f"elements are nested more than {_DEEPEST:,} deep")
    if len(given) > 2 * _MOST_ATTRIBUTES:
        _refuse(parser, name, f"an element has more than {_MOST_ATTRIBUTES:,} attributes")


def _check_token(parser: expat.XMLParserType, name: str, size: int, *, has_entities: bool) -> None:
    most = _LONGEST_TOKEN_WITH_ENTITIES if has_entities else _LONGEST_TOKEN
    if size > most:
        _refuse(parser, name, f"a tag or comment is longer than {most:,} bytes")


def check_well_formed(document: Document) -> tuple[Finding, ...]:
    """Read a document to its end, by expat alone: a hundred megabytes take a second.

    Returns:
        A finding if the document is too large to be read whole.
    """
    parser = _create_parser(detect_codec(document))
    depth = size = 0
    entities: list[bool] = []

    def start(_: str, attributes: list[str]) -> None:
        nonlocal depth
        depth += 1
        _check_element(parser, document.name, depth, attributes)

    def end(_: str) -> None:
        nonlocal depth
        depth -= 1

    parser.StartElementHandler, parser.EndElementHandler = start, end
    parser.EntityDeclHandler = lambda *_: entities.append(True)
    is_whole = document.size <= _LONGEST_CHECKED
    for piece in chain(document.pieces(0, _LONGEST_CHECKED), [b""] if is_whole else []):
        fault = _feed_parser(parser, document.name, piece, is_last=not piece)
        if fault is not None:
            raise fault
        size += len(piece)
        # The token at the position of expat has no end yet.
        waiting = size - parser.CurrentByteIndex
        _check_token(parser, document.name, waiting, has_entities=bool(entities))
    if is_whole:
        return ()
    line, what, limit = parser.CurrentLineNumber, "the document has", _LONGEST_CHECKED >> 20
    return (make_finding("LX344", document.name, line=line, what=what, limit=limit),)


def find_signature(document: Document) -> int | None:
    """Return the line of the first XML signature; None if there is none.

    XAdES uses the same element. Nobody can verify a signature after a fault of form. A document
    with a tag that does not end counts as signed.
    """
    parser, found, size = _create_parser(detect_codec(document), separator=" "), list[int](), 0

    def start(name: str, _: object) -> None:
        if name == _SIGNATURE_ELEMENT:
            found.append(parser.CurrentLineNumber)

    parser.StartElementHandler = start
    for piece in document.pieces():
        is_broken = _feed_parser(parser, document.name, piece) is not None
        size += len(piece)
        if size - parser.CurrentByteIndex > _LONGEST_TOKEN:
            found.append(parser.CurrentLineNumber)
        if found or is_broken:
            break
    return found[0] if found else None


# A head is small; a document that is read further is read in larger pieces.
_FIRST_PIECE = 1 << 14
_LARGEST_PIECE = 1 << 18


def parse_events(document: Document) -> Iterator[XmlEvent]:
    """Yield the events of a document in order; the caller may stop at any time.

    All events in front of a fault come before the error.
    """
    scanner = _Scanner(document.name, detect_codec(document))
    at, size, waiting = 0, _FIRST_PIECE, 0
    while at < document.size:
        piece = document.read(at, at + size)
        at += len(piece)
        yield from scanner.feed(piece)
        waiting = 0 if scanner.has_moved else waiting + len(piece)
        has_entities = bool(scanner.entities)
        _check_token(scanner.parser, document.name, waiting, has_entities=has_entities)
        # Expat reads a long tag again from its start with each piece, so pieces grow with it.
        size = max(min(2 * size, _LARGEST_PIECE), waiting)
    yield from scanner.feed(b"", size=document.size)


class _Scanner:
    """Handlers of expat, and the events that they have seen."""

    def __init__(self, name: str, codec: str) -> None:
        self.has_moved = False
        self._name = name
        self.entities: dict[str, str | None] = {}
        self._events: deque[XmlEvent] = deque()
        # The end of a token is the beginning of the next one.
        self._pending: list[tuple[type[XmlEvent], dict[str, Any]]] = []
        # Around the root, and in each open element.
        self._scopes: list[Mapping[str, str]] = [{"": "", "xml": XML_NAMESPACE}]
        self._attribute_text = 0
        parser = self.parser = _create_parser(codec)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = lambda value: self._add_pending(Text, value=value)
        parser.SkippedEntityHandler = self._skipped
        parser.CommentHandler = lambda value: self._add_pending(
            Comment, value=value, line=parser.CurrentLineNumber
        )
        parser.ProcessingInstructionHandler = lambda *_: self._add_pending(
            Comment, value="", line=parser.CurrentLineNumber
        )
        parser.StartDoctypeDeclHandler = lambda _name, _system, public, _: self._add_pending(
            Doctype, public_id=public
        )
        parser.EntityDeclHandler = self._entity
        parser.DefaultHandler = self._other

    def feed(self, piece: bytes, size: int | None = None) -> Iterator[XmlEvent]:
        """Parse a piece, and yield its events; at the end of the document its size is given."""
        self.has_moved = False
        fault = _feed_parser(self.parser, self._name, piece, is_last=size is not None)
        if fault is None and size is not None:
            self._emit_pending(size)
        while self._events:
            yield self._events.popleft()
        if fault is not None:
            raise fault

    def _add_pending(self, kind: type[XmlEvent], **values: Any) -> None:
        at = self.parser.CurrentByteIndex
        is_pair = kind is EndTag and [each[0] for each in self._pending] == [StartTag]
        if not is_pair:
            self._emit_pending(at)
        self.has_moved = True
        self._pending.append((kind, {**values, "start": at}))

    def _emit_pending(self, end: int) -> None:
        """Emit the pending events, whose end is known now."""
        self.has_moved = True
        pending, self._pending = self._pending, []
        if len(pending) == 2:  # a start tag, and the end of its element after it
            (_, opening), (_, closing) = pending
            is_empty = closing["start"] == end
            self._events.append(StartTag(**opening, end=closing["start"], is_empty=is_empty))
            self._events.append(EndTag(**closing, end=end))
        for kind, values in pending if len(pending) == 1 else ():
            if kind is StartTag:
                values["is_empty"] = False
            self._events.append(kind(**values, end=end))

    def _start(self, name: str, given: list[str]) -> None:
        _check_element(self.parser, self._name, len(self._scopes), given)
        scope, attributes = _resolve_attributes(self._scopes[-1], given)
        if len(scope) > _MOST_NAMESPACES:
            what = f"more than {_MOST_NAMESPACES:,} prefixes are declared in one place"
            _refuse(self.parser, self._name, what)
        self._attribute_text += sum(len(each.value) for each in attributes)
        if scope is not self._scopes[-1]:
            self._attribute_text += 16 * len(scope)
        if self._attribute_text > MOST_ATTRIBUTE_TEXT:
            _refuse(self.parser, self._name, "its attributes and prefixes are too many")
        prefix, _, local = name.rpartition(":")
        self._add_pending(
            StartTag,
            uri=scope.get(prefix),
            local=local,
            prefix=prefix,
            attributes=attributes,
            scope=scope,
            line=self.parser.CurrentLineNumber,
        )
        self._scopes.append(scope)

    def _end(self, _: str) -> None:
        self._scopes.pop()
        self._add_pending(EndTag)

    def _skipped(self, name: str, is_parameter_entity: int) -> None:
        if len(self._scopes) == 1 or is_parameter_entity:
            self._other("")
            return
        value = self.entities[name] if name in self.entities else html5.get(f"{name};")
        is_plain = value is not None and "<" not in value and "&" not in value
        self._add_pending(Text, value=value if is_plain else f"&{name};")

    def _entity(self, name: str, is_parameter: int, value: str | None, *_: object) -> None:
        """Keep a declaration: the first of a name counts (XML 1.0 section 4.2)."""
        self._other("")
        if not is_parameter:
            self.entities.setdefault(name, value)

    def _other(self, _: str) -> None:
        self._emit_pending(self.parser.CurrentByteIndex)


def _resolve_attributes(
    scope: Mapping[str, str], given: list[str]
) -> tuple[Mapping[str, str], tuple[Attribute, ...]]:
    """Return the namespaces that a start tag puts in scope, and its attributes."""
    if not given:
        return scope, ()
    names = zip(given[::2], given[1::2], strict=True)
    pairs = [(*name.rpartition(":")[::2], value) for name, value in names]
    declared = {
        local if prefix else "": value
        for prefix, local, value in pairs
        if prefix == "xmlns" or (not prefix and local == "xmlns")
    }
    inner = {**scope, **declared} if declared else scope
    return inner, tuple(
        Attribute(uri=inner.get(prefix) if prefix else "", local=local, value=value)
        for prefix, local, value in pairs
        if prefix != "xmlns" and (prefix or local != "xmlns")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlNode:
    """Element with its content.

    Attributes:
        opening: its start tag: names, attributes, positions.
        children: the elements, comments and instructions in it, in their order.
        text: its own text, without that of other elements in it.
        content_end: the offset after its content: that of its end tag.
        end: the offset after its end tag.
    """

    opening: StartTag
    children: tuple[XmlNode | Comment, ...]
    text: str
    content_end: int
    end: int

    @property
    def start(self) -> int:
        """Offset of its start tag."""
        return self.opening.start

    @property
    def name(self) -> tuple[str, str]:
        """Namespace, empty without a known one, and local name."""
        return self.opening.uri or "", self.opening.local

    @property
    def value(self) -> str:
        """Own text without blanks around it."""
        return self.text.strip()

    @property
    def elements(self) -> Iterator[XmlNode]:
        """Child elements."""
        return (each for each in self.children if isinstance(each, XmlNode))

    def find_all(self, uri: str, local: str) -> Iterator[XmlNode]:
        """Return the child elements of one namespace and name."""
        return (each for each in self.elements if each.opening.is_named(uri, local))

    def find_first(self, uri: str, local: str) -> XmlNode | None:
        """Return the first element of `find_all`; None if there is none."""
        return next(self.find_all(uri, local), None)

    def get(self, local: str, uri: str = "") -> str | None:
        """Return the value of an attribute; None if there is none of that name."""
        return self.opening.get(local, uri)


Child: TypeAlias = XmlNode | Comment


def parse_root(document: Document, events: Iterator[XmlEvent] | None = None) -> XmlNode:
    """Parse a small document, perhaps by its events, and return its root element."""
    stream = parse_events(document) if events is None else events
    opening = next(each for each in stream if isinstance(each, StartTag))
    root = parse_node(document, stream, opening)
    deque(stream, maxlen=0)
    return root


def parse_node(document: Document, stream: Iterator[XmlEvent], opening: StartTag) -> XmlNode:
    """Parse the rest of an element, whose start tag is the last event that was taken."""
    path: list[tuple[StartTag, list[Child], list[str]]] = [(opening, [], [])]
    nodes = length = 0
    for event in stream:
        _, children, texts = path[-1]
        if isinstance(event, Text):
            texts.append(event.value)
            length += len(event.value)
        elif isinstance(event, StartTag):
            path.append((event, [], []))
            nodes += 1
        elif isinstance(event, EndTag):
            node = XmlNode(
                opening=path.pop()[0],
                children=tuple(children),
                text="".join(texts),
                content_end=event.start,
                end=event.end,
            )
            if not path:
                return node
            path[-1][1].append(node)
        elif isinstance(event, Comment):
            children.append(event)
            nodes += 1
        if nodes > MOST_NODES or length > LONGEST_TEXT:
            what = f"{opening.local[:60]} is too large"
            raise make_error("LX332", document.name, line=opening.line, what=what)
    raise AssertionError("an element that is not closed is a fault of the stream")
