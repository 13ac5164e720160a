"""The part of a document that says what it is, found by the path that leads to it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.embedding._xml import Closing, Opening, Text, events
from lexurn.embedding._xml_tree import node_of
from lexurn.embedding._xml_writing import codec_of, layout_before

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._xml import Event
    from lexurn.embedding._xml_tree import Node

__all__ = ["Part", "part_of"]

_REFERENCE: Final = re.compile(r"&[^#;&\s][^;&\s]*;")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """What a path leads to.

    Attributes:
        root: the start tag of the root element.
        parent: the start tag of the last element on the path that is there, the root at least.
        missing: the names on the path of those that are not there.
        node: the element that the path leads to, with all in it; None where it is not there.
        layout: the newline and the blanks in front of what stands first in the parent.
        is_hidden: whether what is missing may stand in an entity, none of which is expanded.
    """

    root: Opening
    parent: Opening
    missing: tuple[str | None, ...]
    node: Node | None
    layout: str
    is_hidden: bool = False


def part_of(document: Document, path: Sequence[str | None]) -> Part:
    """What a path leads to; the document is read no further than that.

    At each step it is the first element in the one before, and must have the name asked for: all
    schemas have what says what a document is there. So no large document is searched in vain.

    Args:
        document: the document.
        path: the local names from below the root element on, all in its namespace; None for any.

    Raises:
        EmbeddingError: the document cannot be read so far.
    """
    stream = events(document)
    root = parent = next(each for each in stream if isinstance(each, Opening))
    for at, local in enumerate(path):
        first, opening, is_hidden = _inside(stream)
        layout = "" if first is None else layout_before(document, first, codec_of(document))
        if opening is None or opening.uri != root.uri or local not in {None, opening.local}:
            return Part(
                root=root,
                parent=parent,
                missing=tuple(path[at:]),
                node=None,
                layout=layout,
                is_hidden=is_hidden,
            )
        if at == len(path) - 1:
            node = node_of(document, stream, opening)
            return Part(root=root, parent=parent, missing=(), node=node, layout=layout)
        parent = opening
    raise ValueError("a path has a step")


def _inside(stream: Iterator[Event]) -> tuple[int | None, Opening | None, bool]:
    """Where the first thing in an element starts that is no text, and its first element.

    Besides, whether a reference stands in front of that whose text is not known.
    """
    first: int | None = None
    is_hidden = False
    for event in stream:
        if isinstance(event, Closing):
            break
        if isinstance(event, Text):
            is_hidden = is_hidden or _REFERENCE.fullmatch(event.value) is not None
            continue
        first = event.start if first is None else first
        if isinstance(event, Opening):
            return first, event, is_hidden
    return first, None, is_hidden
