"""What an Akoma Ntoso document says of itself: the identification of its root."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import means_name
from lexurn.embedding._statement import Statement, Way
from lexurn.embedding._xml_blocks import ours_in
from lexurn.embedding._xml_parts import part_of
from lexurn.embedding._xml_terms import AKOMA_NTOSO, is_akoma_ntoso, term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._xml_tree import Node

__all__ = ["levels_of", "statements_of", "value_of"]

_LEVELS: Final = ("FRBRWork", "FRBRExpression", "FRBRManifestation", "FRBRItem")

# What stands behind a name there and is no more than the component that the document is.
_COMPONENTS: Final = {
    "FRBRthis": re.compile(r"/(?:!?[A-Za-z][\w.-]*)?\s*\Z", re.ASCII),
    "FRBRuri": re.compile(r"/(?:![A-Za-z][\w.-]*|main)?\s*\Z", re.ASCII),
}

# Where the value of an element stands; the first that is there.
_VALUES = ("value", "date", "language", "href")


def value_of(node: Node, attribute: str = "value") -> str:
    """The value of an element; of a name what stands in front of a component of the document.

    ``FRBRthis`` has ``/!main`` or the like behind what ``FRBRuri`` says, which no name holds; some
    documents say it in both.
    """
    text = node.get(attribute) or ""
    component = _COMPONENTS.get(node.opening.local)
    return component.sub("", text) if component is not None and means_name(text) else text


def levels_of(document: Document) -> dict[str, Node]:
    """The FRBR levels of which the identification of a document's root says anything, by element.

    Args:
        document: any XML document; one that is no Akoma Ntoso has none, nor has one without an
            identification as the first thing in its metadata.

    Raises:
        EmbeddingError: it cannot be read.
    """
    part = part_of(document, [None, "meta", "identification"])
    uri = part.root.uri or ""
    if part.node is None or not is_akoma_ntoso(uri, part.root.local):
        return {}
    found = ((level, part.node.first(uri, level)) for level in _LEVELS)
    return {level: node for level, node in found if node is not None and node.children}


def statements_of(
    document: Document, on_finding: Callable[[DocumentFinding], None]
) -> Iterator[Statement]:
    """What an Akoma Ntoso document says of itself.

    Args:
        document: the document.
        on_finding: is told of blocks of ours that are none.

    Raises:
        EmbeddingError: it cannot be read.
    """
    for node in levels_of(document).values():
        yield from _statements(node, ours_in(document, node, on_finding))


def _statements(level: Node, ours: frozenset[int]) -> Iterator[Statement]:
    for node in level.elements:
        found = next((each for each in _VALUES if node.get(each) is not None), None)
        if found is None:
            continue
        name = node.get("name")
        path = (level.opening.local, node.opening.local, *([name] if name else []))
        yield Statement(
            way=Way.AKOMA_NTOSO,
            subject=None,
            term=term(AKOMA_NTOSO, *path),
            value=value_of(node, found).strip(),
            is_iri=found == "href",
            line=node.opening.line,
            is_ours=node.start in ours,
        )
