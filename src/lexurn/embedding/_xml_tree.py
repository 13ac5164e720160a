"""A part of an XML document as a whole: an element with all that stands in it, and where."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._xml import Closing, Comment, Instruction, Opening, Text, events
from lexurn.embedding._xml_limits import LONGEST_TEXT, MOST_NODES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._xml import Event

__all__ = ["Child", "Node", "node_of", "root_of"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """An element with all that stands in it.

    Attributes:
        opening: its start tag: names, attributes, places.
        children: the elements, comments and instructions in it, in their order.
        text: the text that stands in it directly, all pieces joined.
        content_end: the offset behind its content, where its end tag starts.
        end: the offset behind its end tag.
    """

    opening: Opening
    children: tuple[Node | Comment | Instruction, ...]
    text: str
    content_end: int
    end: int

    @property
    def start(self) -> int:
        """The offset of its start tag."""
        return self.opening.start

    @property
    def elements(self) -> Iterator[Node]:
        """The elements in it."""
        return (each for each in self.children if isinstance(each, Node))

    def named(self, uri: str, local: str) -> Iterator[Node]:
        """The elements in it of one namespace and name."""
        return (each for each in self.elements if each.opening.is_named(uri, local))

    def first(self, uri: str, local: str) -> Node | None:
        """The first of `named`, None where there is none."""
        return next(self.named(uri, local), None)

    def get(self, local: str, uri: str = "") -> str | None:
        """The value of an attribute, None where there is none of that name."""
        return self.opening.get(local, uri)


Child: TypeAlias = Node | Comment | Instruction


@dataclass(slots=True)
class _Growing:
    """An element that is not closed yet."""

    opening: Opening
    children: list[Child] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)

    def closed(self, closing: Closing) -> Node:
        return Node(
            opening=self.opening,
            children=tuple(self.children),
            text="".join(self.texts),
            content_end=closing.start,
            end=closing.end,
        )


def root_of(document: Document) -> Node:
    """The root element of a small document, which is read to its end.

    Raises:
        EmbeddingError: as `lexurn.embedding._xml.events`; or it is too large to be held.
    """
    stream = events(document)
    opening = next(each for each in stream if isinstance(each, Opening))
    root = node_of(document, stream, opening)
    for _ in stream:
        pass
    return root


def node_of(document: Document, stream: Iterator[Event], opening: Opening) -> Node:
    """An element whose start tag has just come, with all in it; the stream is behind it then.

    Args:
        document: the document, for messages.
        stream: its events, from behind the start tag.
        opening: the start tag.

    Raises:
        EmbeddingError: as `lexurn.embedding._xml.events`; or it is too large to be held.
    """
    path = [_Growing(opening)]
    nodes = length = 0
    for event in stream:
        if isinstance(event, Text):
            path[-1].texts.append(event.value)
            length += len(event.value)
        elif isinstance(event, Opening):
            path.append(_Growing(event))
            nodes += 1
        elif isinstance(event, Closing):
            node = path.pop().closed(event)
            if not path:
                return node
            path[-1].children.append(node)
        elif isinstance(event, Comment | Instruction):
            path[-1].children.append(event)
            nodes += 1
        _check_size(document, opening, nodes, length)
    raise AssertionError("an element that is not closed is a fault of the stream")


def _check_size(document: Document, opening: Opening, nodes: int, length: int) -> None:
    if nodes > MOST_NODES or length > LONGEST_TEXT:
        what = f"{opening.local[:60]} is too large"
        raise EmbeddingError(finding("LX332", document.name, line=opening.line, what=what))
