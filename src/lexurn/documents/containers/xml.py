"""XML as a stream of events with byte offsets, which can stop early, and small trees of it.

The parser is expat of the standard library. Nothing outside of the document is ever fetched: no
entity, no DTD, no XInclude. Entities in text are never expanded; those in attributes are, as far as
they are short.
"""

from __future__ import annotations

import codecs
import re
from collections import deque
from dataclasses import dataclass, field
from functools import cache
from html.entities import html5
from typing import TYPE_CHECKING
from xml.parsers import expat

from lexurn.documents.findings import DocumentError, make_finding
from lexurn.vocabulary import XML_NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any, Final, TypeAlias

    from lexurn.documents.document import Document

_DEEPEST: Final = 1_000
"""Elements in elements: the schemas of law need some thirty."""

_MOST_ATTRIBUTES: Final = 1_000
"""Attributes of one element."""

LONGEST_TOKEN: Final = 1 << 25
"""Bytes of one tag or comment, which is held in memory: pictures stand in attributes at times."""

_LONGEST_TOKEN_WITH_ENTITIES: Final = 1 << 20
"""The same where entities are declared: a reference in an attribute may stand for a long text."""

_MOST_NAMESPACES: Final = 256
"""Prefixes in scope at one place: each element inside has them all."""

MOST_ATTRIBUTE_TEXT: Final = 1 << 26
"""Characters of all attributes that are read, a prefix that an element puts in scope, or takes over
with others, counted as 16: each element that is held has its own."""

MOST_NODES: Final = 200_000
"""Elements, comments and instructions of a part that is held in memory as a whole."""

LONGEST_TEXT: Final = 1 << 24
"""Characters of text of such a part."""

LONGEST_CHECKED: Final = 64 << 20
"""Bytes of a document that are read to see whether it is whole: less than a second's work at
the usual share of markup, which a run over a folder can bear for each file."""


def explain_excess(depth: int, attributes: int) -> str | None:
    """Return why an element exceeds the limits; None if it does not.

    Args:
        depth: in how many elements it stands, itself counted.
        attributes: how many attributes it has.
    """
    if depth > _DEEPEST:
        return f"elements stand in each other more than {_DEEPEST:,} deep"
    if attributes > _MOST_ATTRIBUTES:
        return f"an element has more than {_MOST_ATTRIBUTES:,} attributes"
    return None


def explain_length(token: int, *, has_entities: bool) -> str | None:
    """Return why a tag or comment is too long; None if it is not.

    Args:
        token: its bytes.
        has_entities: whether the document declares entities.
    """
    most = _LONGEST_TOKEN_WITH_ENTITIES if has_entities else LONGEST_TOKEN
    return f"a tag or comment is longer than {most:,} bytes" if token > most else None


"""The namespace of ``xml:lang``, which needs no declaration."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attribute:
    """Attribute of a start tag, other than a namespace declaration.

    Attributes:
        uri: its namespace; empty where it is in none; None if its prefix is not declared.
        local: its name without prefix.
        prefix: its prefix, empty where it has none.
        value: its value, with references resolved.
    """

    uri: str | None
    local: str
    prefix: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StartTag:
    """Start tag, or the tag of an empty element (an `EndTag` follows all the same).

    Attributes:
        uri: the namespace of the element; empty where it is in none; None if its prefix is not
            declared (it may be in a DTD, which is never fetched).
        local: its name without prefix.
        prefix: its prefix, empty where it has none.
        attributes: its attributes, in the order of the document.
        scope: the namespaces in scope, by prefix; that of names without prefix by the empty text.
        depth: how many elements it stands in.
        line: the line of its first byte, from 1.
        start: the offset of ``<``.
        end: the offset behind ``>``.
        is_empty: whether it is written ``<a/>``.
    """

    uri: str | None
    local: str
    prefix: str
    attributes: tuple[Attribute, ...]
    scope: Mapping[str, str]
    depth: int
    line: int
    start: int
    end: int
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


@dataclass(frozen=True, slots=True, kw_only=True)
class EndTag:
    """End of an element.

    Attributes:
        uri: the namespace of the element, as `StartTag`.
        local: its name without prefix.
        depth: how many elements it stands in.
        start: the offset of ``</``; behind the tag of an element that is written ``<a/>``.
        end: the offset behind ``>``.
    """

    uri: str | None
    local: str
    depth: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """Text of an element; one text may come in several pieces.

    A reference to an entity with a value that is plain text, or to one of HTML, is that text; any
    other to an entity of the document is left as it is written, and never expanded; one to what
    lies outside of the document is no text.

    Attributes:
        value: the text.
        start: the offset of its first byte.
        end: the offset behind its last one.
    """

    value: str
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """Comment with its place.

    Attributes:
        value: what stands between ``<!--`` and ``-->``.
        line: the line of its first byte, from 1.
        start: the offset of ``<!--``.
        end: the offset behind ``-->``.
    """

    value: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Instruction:
    """Processing instruction, other than the XML declaration.

    Attributes:
        target: its target.
        value: what stands behind the target.
        line: the line of its first byte, from 1.
        start: the offset of ``<?``.
        end: the offset behind ``?>``.
    """

    target: str
    value: str
    line: int
    start: int
    end: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Doctype:
    """Document type declaration; nothing that it refers to is fetched.

    Attributes:
        name: the name of the root element.
        public_id: its public identifier; None if it has none.
        system_id: its system identifier; None if it has none.
        line: a line of it, from 1.
        start: an offset in it, behind its identifiers.
        end: an offset in it, behind that one.
    """

    name: str
    public_id: str | None
    system_id: str | None
    line: int
    start: int
    end: int


XmlEvent: TypeAlias = StartTag | EndTag | Text | Comment | Instruction | Doctype
_ENTITY_REFERENCE = re.compile(r"&([^#;&\s][^;&\s]*);")

# The entities of honest documents are letters and phrases.
_LARGEST_ENTITY = 1 << 16
_MOST_ENTITIES = 10_000


@dataclass(slots=True)
class _EntityTable:
    """General entities of one document, while it is read.

    Attributes:
        fault: why they may not be expanded (too many, too large, in a circle); None if they may.
    """

    fault: str | None = None
    _values: dict[str, str | None] = field(default_factory=dict)
    _sizes: dict[str, int] = field(default_factory=dict)
    _unknown: set[str] = field(default_factory=set)

    def __bool__(self) -> bool:
        """Return whether there are any."""
        return bool(self._values)

    def declare(self, name: str, value: str | None) -> None:
        """Take in a declaration; the first of a name counts (XML 1.0 section 4.2).

        Args:
            name: the entity.
            value: what it stands for; None if that lies outside of the document.
        """
        if name in self._values:
            return
        size = self._size(value or "")
        self._values[name] = value
        self._sizes[name] = min(size, _LARGEST_ENTITY + 1)
        if size > _LARGEST_ENTITY:
            self.fault = (
                f"the entity {name[:60]} would be larger than {_LARGEST_ENTITY:,} characters"
            )
        elif name in self._unknown:
            # A circle is made of such references, and hardly anything else is.
            self.fault = f"an entity refers to {name[:60]}, which is declared behind it"
        elif len(self._values) > _MOST_ENTITIES:
            self.fault = f"it declares more than {_MOST_ENTITIES:,} entities"

    def _size(self, value: str) -> int:
        """Return the size of a value when all in it is expanded."""
        names = _ENTITY_REFERENCE.findall(value)
        self._unknown.update(each for each in names if each not in self._sizes)
        return len(value) + sum(self._sizes.get(each, 0) for each in names)

    def text(self, name: str) -> str:
        """Return the text of a reference: plain text if that is known, else the reference."""
        value = self._values[name] if name in self._values else html5.get(f"{name};")
        if value is None or "<" in value or "&" in value:
            return f"&{name};"
        return value


BLOCK_BEGIN: Final = "lexurn:begin"
"""What the comment says in front of what was put in."""

BLOCK_END: Final = "lexurn:end"
"""What the comment says behind it."""

_DECLARED_ENCODING = re.compile(
    rb"""\A<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']"""
)

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
    (b"<\0", "utf-16-le"),
    (b"\0<", "utf-16-be"),
)

# Where a line starts is looked for so far back, and its end so far ahead.
_LONGEST_LINE = 4_096
_ASCII, _NOT_ASCII = bytes(range(128)), bytes(range(128, 256))
_ESCAPES = str.maketrans(
    {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
    | {"\r": "&#13;"}
)


def detect_codec(document: Document) -> str:
    """Return the codec of an XML document, without a byte order mark.

    Raises:
        DocumentError: the document cannot be read, or is in an encoding that cannot be.
    """
    head = document.read(0, 1024)
    for mark, codec in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            return codec
    declared = _DECLARED_ENCODING.match(head)
    if declared is None:
        return "utf-8"
    name = declared[1].decode("ascii")
    known = _find_codec(name)
    if known is None:
        said = name[:60]
        raise DocumentError(
            make_finding("LX331", document.name, line=1, text=said, encoding=f'"{said}"')
        )
    return known


@cache
def _find_codec(name: str) -> str | None:
    """Return a codec that has ASCII as it is and one byte for all else, or is UTF-8.

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


_UNKNOWN_ENCODING: Final = expat.errors.codes[expat.errors.XML_ERROR_UNKNOWN_ENCODING]
# In the words of expat no element was found, however many there were before the end.
_FAULTS: Final[Mapping[int, str]] = {
    expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]: "it ends before its root element does",
    expat.errors.codes[expat.errors.XML_ERROR_UNCLOSED_TOKEN]: "it ends in a tag or comment",
}


def create_parser(codec: str, *, separator: str | None = None) -> expat.XMLParserType:
    """Create a parser that expands no entity in text.

    Args:
        codec: the codec of the document.
        separator: what stands between namespaces and names; None to have names as they are written.
    """
    # Expat knows UTF-8 by this name alone, and documents call it utf8 as well.
    parser = expat.ParserCreate("UTF-8" if codec == "utf-8" else None, separator)
    # That one was set, be it none, keeps expat from expanding entities.
    parser.DefaultHandler = None
    return parser


def feed_parser(
    parser: expat.XMLParserType, name: str, piece: bytes, *, is_last: bool
) -> DocumentError | None:
    """Read on, and say what is wrong.

    Args:
        parser: the parser.
        name: the name of the document.
        piece: what follows in it.
        is_last: whether nothing follows behind.
    """
    try:
        parser.Parse(piece, is_last)
    except DocumentError as fault:
        return fault
    except expat.ExpatError as fault:
        if fault.code == _UNKNOWN_ENCODING:
            return _make_encoding_error(name)
        why = _FAULTS.get(fault.code) or expat.ErrorString(fault.code) or "a fault without a name"
        return DocumentError(make_finding("LX330", name, line=fault.lineno, why=why))
    except (LookupError, ValueError):
        return _make_encoding_error(name)
    return None


def _make_encoding_error(name: str) -> DocumentError:
    return DocumentError(make_finding("LX331", name, line=1, encoding="that it says it has"))


def make_refusal(parser: expat.XMLParserType, name: str, what: str) -> DocumentError:
    """Make the error of a document that exceeds a limit.

    Args:
        parser: the parser, which is at that place.
        name: the name of the document.
        what: what it has.
    """
    return DocumentError(make_finding("LX332", name, line=parser.CurrentLineNumber, what=what))


# A head is small; a document that is read further is read in larger pieces.
_FIRST_PIECE = 1 << 14
_LARGEST_PIECE = 1 << 18

_WEIGHT_OF_PREFIX = 16


def parse_events(document: Document) -> Iterator[XmlEvent]:
    """Yield the events of a document in order; the caller may stop at any time.

    All that comes before a fault is given before the fault is raised.

    Args:
        document: an XML document, or anything.

    Raises:
        DocumentError: the document cannot be read, is not well-formed, is in an encoding that
            cannot be read, or has what no honest document has.
    """
    scanner = _Scanner(document.name, detect_codec(document))
    at, size, waiting = 0, _FIRST_PIECE, 0
    while at < document.size:
        piece = document.read(at, at + size)
        at += len(piece)
        yield from scanner.feed(piece)
        waiting = 0 if scanner.moved else waiting + len(piece)
        scanner.check_length(waiting)
        # A tag that is longer than all that was read is read again from its start by expat, so
        # what is added grows with it.
        size = max(min(2 * size, _LARGEST_PIECE), waiting)
    yield from scanner.close(document.size)


class _Scanner:
    """Handlers of expat, and the events that they have seen."""

    def __init__(self, name: str, codec: str) -> None:
        self.moved = False
        self._name = name
        self._entities = _EntityTable()
        self._events: deque[XmlEvent] = deque()
        # Where a token ends is known once the next one begins.
        self._pending: list[tuple[type[XmlEvent], dict[str, Any]]] = []
        self._open: list[tuple[str | None, str]] = []
        self._scopes: list[Mapping[str, str]] = [{"": "", "xml": XML_NAMESPACE}]
        self._attribute_text = 0
        self._parser = self._new_parser(codec)

    def _new_parser(self, codec: str) -> expat.XMLParserType:
        parser = create_parser(codec)
        parser.ordered_attributes = True
        parser.specified_attributes = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._text
        parser.SkippedEntityHandler = self._skipped
        parser.CommentHandler = self._comment
        parser.ProcessingInstructionHandler = self._instruction
        parser.StartDoctypeDeclHandler = self._doctype
        parser.EntityDeclHandler = self._entity
        parser.DefaultHandler = self._other
        return parser

    def feed(self, piece: bytes) -> Iterator[XmlEvent]:
        """Read on; what was seen comes out, then what is wrong."""
        self.moved = False
        fault = feed_parser(self._parser, self._name, piece, is_last=False)
        yield from self._drain_events()
        if fault is not None:
            raise fault

    def close(self, size: int) -> Iterator[XmlEvent]:
        """Read to the end."""
        fault = feed_parser(self._parser, self._name, b"", is_last=True)
        if fault is None:
            self._emit_pending(size)
        yield from self._drain_events()
        if fault is not None:
            raise fault

    def _drain_events(self) -> Iterator[XmlEvent]:
        while self._events:
            yield self._events.popleft()

    def check_length(self, waiting: int) -> None:
        """Raise if a token is longer than the limit."""
        self._refuse(explain_length(waiting, has_entities=bool(self._entities)))

    def _refuse(self, what: str | None) -> None:
        if what is not None:
            raise make_refusal(self._parser, self._name, what)

    def _add_pending(self, kind: type[XmlEvent], **values: Any) -> None:
        at = self._parser.CurrentByteIndex
        is_pair = kind is EndTag and [each[0] for each in self._pending] == [StartTag]
        if not is_pair:
            self._emit_pending(at)
        self.moved = True
        self._pending.append((kind, {**values, "start": at}))

    def _emit_pending(self, end: int) -> None:
        """Emit the held events, now that their end is known."""
        self.moved = True
        pending, self._pending = self._pending, []
        if len(pending) == 2:  # noqa: PLR2004 - a start tag, and the end of its element behind it
            (_, opening), (_, closing) = pending
            is_empty = closing["start"] == end
            self._events.append(StartTag(**opening, end=closing["start"], is_empty=is_empty))
            self._events.append(EndTag(**closing, end=end))
        for kind, values in pending if len(pending) == 1 else ():
            if kind is StartTag:
                values["is_empty"] = False
            self._events.append(kind(**values, end=end))

    def _start(self, name: str, given: list[str]) -> None:
        self._refuse(explain_excess(len(self._open) + 1, len(given) // 2))
        scope, attributes = _resolve_attributes(self._scopes[-1], given)
        if len(scope) > _MOST_NAMESPACES:
            self._refuse(f"more than {_MOST_NAMESPACES:,} prefixes are declared in one place")
        self._count_text(scope, attributes)
        prefix, local = _split_name(name)
        uri = scope.get(prefix)
        self._add_pending(
            StartTag,
            uri=uri,
            local=local,
            prefix=prefix,
            attributes=attributes,
            scope=scope,
            depth=len(self._open),
            line=self._parser.CurrentLineNumber,
        )
        self._open.append((uri, local))
        self._scopes.append(scope)

    def _count_text(self, scope: Mapping[str, str], attributes: tuple[Attribute, ...]) -> None:
        self._attribute_text += sum(len(each.value) for each in attributes)
        if scope is not self._scopes[-1]:
            self._attribute_text += _WEIGHT_OF_PREFIX * len(scope)
        if self._attribute_text > MOST_ATTRIBUTE_TEXT:
            self._refuse("its attributes and prefixes are too many")

    def _end(self, _: str) -> None:
        uri, local = self._open.pop()
        self._scopes.pop()
        self._add_pending(EndTag, uri=uri, local=local, depth=len(self._open))

    def _text(self, value: str) -> None:
        self._add_pending(Text, value=value)

    def _skipped(self, name: str, is_parameter_entity: int) -> None:
        if self._open and not is_parameter_entity:
            self._add_pending(Text, value=self._entities.text(name))
        else:
            self._other("")

    def _comment(self, value: str) -> None:
        self._add_pending(Comment, value=value, line=self._parser.CurrentLineNumber)

    def _instruction(self, target: str, value: str) -> None:
        line = self._parser.CurrentLineNumber
        self._add_pending(Instruction, target=target, value=value, line=line)

    def _doctype(self, name: str, system: str | None, public: str | None, _: int) -> None:
        line = self._parser.CurrentLineNumber
        self._add_pending(Doctype, name=name, public_id=public, system_id=system, line=line)

    def _entity(self, name: str, is_parameter: int, value: str | None, *_: object) -> None:
        self._other("")
        if not is_parameter:
            self._entities.declare(name, value)
        self._refuse(self._entities.fault)

    def _other(self, _: str) -> None:
        self._emit_pending(self._parser.CurrentByteIndex)


def _resolve_attributes(
    scope: Mapping[str, str], given: list[str]
) -> tuple[Mapping[str, str], tuple[Attribute, ...]]:
    """Return the namespaces that a start tag puts in scope, and its attributes."""
    if not given:
        return scope, ()
    pairs = [
        (*_split_name(name), value) for name, value in zip(given[::2], given[1::2], strict=True)
    ]
    declared = {
        local if prefix else "": value
        for prefix, local, value in pairs
        if prefix == "xmlns" or (not prefix and local == "xmlns")
    }
    inner = {**scope, **declared} if declared else scope
    return inner, tuple(
        Attribute(uri=inner.get(prefix) if prefix else "", local=local, prefix=prefix, value=value)
        for prefix, local, value in pairs
        if prefix != "xmlns" and (prefix or local != "xmlns")
    )


def _split_name(name: str) -> tuple[str, str]:
    """Return the prefix of a name and the rest."""
    prefix, colon, local = name.partition(":")
    return (prefix, local) if colon else ("", name)


@dataclass(frozen=True, slots=True, kw_only=True)
class XmlNode:
    """Element with its content.

    Attributes:
        opening: its start tag: names, attributes, places.
        children: the elements, comments and instructions in it, in their order.
        text: the text that stands in it directly, all pieces joined.
        content_end: the offset behind its content, where its end tag starts.
        end: the offset behind its end tag.
    """

    opening: StartTag
    children: tuple[XmlNode | Comment | Instruction, ...]
    text: str
    content_end: int
    end: int

    @property
    def start(self) -> int:
        """Offset of its start tag."""
        return self.opening.start

    @property
    def elements(self) -> Iterator[XmlNode]:
        """Child elements."""
        return (each for each in self.children if isinstance(each, XmlNode))

    def named(self, uri: str, local: str) -> Iterator[XmlNode]:
        """Return the child elements of one namespace and name."""
        return (each for each in self.elements if each.opening.is_named(uri, local))

    def first(self, uri: str, local: str) -> XmlNode | None:
        """Return the first element of `named`; None if there is none."""
        return next(self.named(uri, local), None)

    def get(self, local: str, uri: str = "") -> str | None:
        """Return the value of an attribute; None if there is none of that name."""
        return self.opening.get(local, uri)


Child: TypeAlias = XmlNode | Comment | Instruction


@dataclass(slots=True)
class _OpenNode:
    """Element that is not closed yet."""

    opening: StartTag
    children: list[Child] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def closed(self, closing: EndTag) -> XmlNode:
        return XmlNode(
            opening=self.opening,
            children=tuple(self.children),
            text="".join(self.texts),
            content_end=closing.start,
            end=closing.end,
        )


def parse_root(document: Document) -> XmlNode:
    """Parse a small document, and return its root element.

    Raises:
        DocumentError: as `parse_events`; or it is too large to be held.
    """
    stream = parse_events(document)
    opening = next(each for each in stream if isinstance(each, StartTag))
    root = parse_node(document, stream, opening)
    for _ in stream:
        pass
    return root


def parse_node(document: Document, stream: Iterator[XmlEvent], opening: StartTag) -> XmlNode:
    """Parse an element whose start tag was just read; the stream is behind it then.

    Args:
        document: the document, for messages.
        stream: its events, from behind the start tag.
        opening: the start tag.

    Raises:
        DocumentError: as `parse_events`; or it is too large to be held.
    """
    path = [_OpenNode(opening)]
    nodes = length = 0
    for event in stream:
        if isinstance(event, Text):
            path[-1].texts.append(event.value)
            length += len(event.value)
        elif isinstance(event, StartTag):
            path.append(_OpenNode(event))
            nodes += 1
        elif isinstance(event, EndTag):
            node = path.pop().closed(event)
            if not path:
                return node
            path[-1].children.append(node)
        elif isinstance(event, Comment | Instruction):
            path[-1].children.append(event)
            nodes += 1
        _check_size(document, opening, nodes, length)
    raise AssertionError("an element that is not closed is a fault of the stream")


def _check_size(document: Document, opening: StartTag, nodes: int, length: int) -> None:
    if nodes > MOST_NODES or length > LONGEST_TEXT:
        what = f"{opening.local[:60]} is too large"
        raise DocumentError(make_finding("LX332", document.name, line=opening.line, what=what))
