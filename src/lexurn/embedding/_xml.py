"""XML read by places: a scanner that says what stands where, and stops when it is told to.

The parser is expat of the standard library. Nothing outside of the document is ever fetched: no
entity, no DTD, no XInclude. Entities in text are never expanded; those in attributes are, as far as
they are short.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from lexurn.embedding._xml_entities import Entities
from lexurn.embedding._xml_events import (
    XML,
    Attribute,
    Closing,
    Comment,
    Doctype,
    Event,
    Instruction,
    Opening,
    Text,
)
from lexurn.embedding._xml_limits import (
    HEAVIEST,
    MOST_NAMESPACES,
    too_long,
    too_much,
)
from lexurn.embedding._xml_parser import fault_of, parser_of, refusal
from lexurn.embedding._xml_writing import codec_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from xml.parsers import expat

    from lexurn.embedding._document import Document

__all__ = [
    "Attribute",
    "Closing",
    "Comment",
    "Doctype",
    "Event",
    "Instruction",
    "Opening",
    "Text",
    "events",
]

# A head is small; a document that is read further is read in larger pieces.
_FIRST_PIECE = 1 << 14
_LARGEST_PIECE = 1 << 18

_WEIGHT_OF_PREFIX = 16


def events(document: Document) -> Iterator[Event]:
    """What stands in a document, in its order; whoever has enough just stops asking.

    All that comes before a fault is given before the fault is raised.

    Args:
        document: an XML document, or anything.

    Raises:
        EmbeddingError: the document cannot be read, is not well-formed, is in an encoding that
            cannot be read, or has what no honest document has.
    """
    scanner = _Scanner(document.name, codec_of(document))
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
    """Expat with its handlers, and what they have seen."""

    def __init__(self, name: str, codec: str) -> None:
        self.moved = False
        self._name = name
        self._entities = Entities()
        self._seen: deque[Event] = deque()
        # Where a token ends is known once the next one begins.
        self._held: list[tuple[type[Event], dict[str, Any]]] = []
        self._open: list[tuple[str | None, str]] = []
        self._scopes: list[Mapping[str, str]] = [{"": "", "xml": XML}]
        self._weight = 0
        self._parser = self._new_parser(codec)

    def _new_parser(self, codec: str) -> expat.XMLParserType:
        parser = parser_of(codec)
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

    def feed(self, piece: bytes) -> Iterator[Event]:
        """Read on; what was seen comes out, then what is wrong."""
        self.moved = False
        fault = fault_of(self._parser, self._name, piece, is_last=False)
        yield from self._drained()
        if fault is not None:
            raise fault

    def close(self, size: int) -> Iterator[Event]:
        """Read to the end."""
        fault = fault_of(self._parser, self._name, b"", is_last=True)
        if fault is None:
            self._release(size)
        yield from self._drained()
        if fault is not None:
            raise fault

    def _drained(self) -> Iterator[Event]:
        while self._seen:
            yield self._seen.popleft()

    def check_length(self, waiting: int) -> None:
        """Raise where a token is longer than any should be."""
        self._refuse(too_long(waiting, has_entities=bool(self._entities)))

    def _refuse(self, what: str | None) -> None:
        if what is not None:
            raise refusal(self._parser, self._name, what)

    def _hold(self, kind: type[Event], **values: Any) -> None:
        at = self._parser.CurrentByteIndex
        is_pair = kind is Closing and [each[0] for each in self._held] == [Opening]
        if not is_pair:
            self._release(at)
        self.moved = True
        self._held.append((kind, {**values, "start": at}))

    def _release(self, end: int) -> None:
        """Give out what is held, now that it is known where it ends."""
        self.moved = True
        held, self._held = self._held, []
        if len(held) == 2:  # noqa: PLR2004 - a start tag, and the end of its element behind it
            (_, opening), (_, closing) = held
            is_empty = closing["start"] == end
            self._seen.append(Opening(**opening, end=closing["start"], is_empty=is_empty))
            self._seen.append(Closing(**closing, end=end))
        for kind, values in held if len(held) == 1 else ():
            if kind is Opening:
                values["is_empty"] = False
            self._seen.append(kind(**values, end=end))

    def _start(self, name: str, given: list[str]) -> None:
        self._refuse(too_much(len(self._open) + 1, len(given) // 2))
        scope, attributes = _attributes(self._scopes[-1], given)
        if len(scope) > MOST_NAMESPACES:
            self._refuse(f"more than {MOST_NAMESPACES:,} prefixes are declared in one place")
        self._weigh(scope, attributes)
        prefix, local = _split(name)
        uri = scope.get(prefix)
        self._hold(
            Opening,
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

    def _weigh(self, scope: Mapping[str, str], attributes: tuple[Attribute, ...]) -> None:
        self._weight += sum(len(each.value) for each in attributes)
        if scope is not self._scopes[-1]:
            self._weight += _WEIGHT_OF_PREFIX * len(scope)
        if self._weight > HEAVIEST:
            self._refuse("its attributes and prefixes are too many")

    def _end(self, _: str) -> None:
        uri, local = self._open.pop()
        self._scopes.pop()
        self._hold(Closing, uri=uri, local=local, depth=len(self._open))

    def _text(self, value: str) -> None:
        self._hold(Text, value=value)

    def _skipped(self, name: str, is_parameter_entity: int) -> None:
        if self._open and not is_parameter_entity:
            self._hold(Text, value=self._entities.text(name))
        else:
            self._other("")

    def _comment(self, value: str) -> None:
        self._hold(Comment, value=value, line=self._parser.CurrentLineNumber)

    def _instruction(self, target: str, value: str) -> None:
        line = self._parser.CurrentLineNumber
        self._hold(Instruction, target=target, value=value, line=line)

    def _doctype(self, name: str, system: str | None, public: str | None, _: int) -> None:
        line = self._parser.CurrentLineNumber
        self._hold(Doctype, name=name, public_id=public, system_id=system, line=line)

    def _entity(self, name: str, is_parameter: int, value: str | None, *_: object) -> None:
        self._other("")
        if not is_parameter:
            self._entities.declare(name, value)
        self._refuse(self._entities.fault)

    def _other(self, _: str) -> None:
        self._release(self._parser.CurrentByteIndex)


def _attributes(
    scope: Mapping[str, str], given: list[str]
) -> tuple[Mapping[str, str], tuple[Attribute, ...]]:
    """The namespaces that a start tag puts in scope, and its attributes."""
    if not given:
        return scope, ()
    pairs = [(*_split(name), value) for name, value in zip(given[::2], given[1::2], strict=True)]
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


def _split(name: str) -> tuple[str, str]:
    """The prefix and the rest of a name."""
    prefix, colon, local = name.partition(":")
    return (prefix, local) if colon else ("", name)
