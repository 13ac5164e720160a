"""What an Akoma Ntoso document says of itself: the identification of its root."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._statement import Reading, Statement, Way
from lexurn.embedding._xml_blocks import ours_in
from lexurn.embedding._xml_parts import part_of
from lexurn.embedding._xml_terms import AKOMA_NTOSO, term

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._xml_tree import Node

__all__ = ["identification_of", "levels_of", "read"]

_LEVELS: Final = ("FRBRWork", "FRBRExpression", "FRBRManifestation", "FRBRItem")
_NAMESPACES = ("http://docs.oasis-open.org/legaldocml/ns/akn/", "http://www.akomantoso.org/")
_ROOTS = frozenset({"akomaNtoso", "akomantoso"})

# Where the value of an element stands; the first that is there.
_VALUES = ("value", "date", "language", "href")


def identification_of(document: Document) -> Node:
    """The identification of the root of a document.

    Raises:
        EmbeddingError: it is no Akoma Ntoso, or has none.
    """
    part = part_of(document, [None, "meta", "identification"])
    root = part.root
    if not (root.uri or "").startswith(_NAMESPACES) or root.local not in _ROOTS:
        element = f"akomaNtoso of {_NAMESPACES[0]}3.0"
    elif part.node is not None:
        return part.node
    else:
        element = "identification, which is the first in its meta"
    raise EmbeddingError(
        finding("LX333", document.name, line=root.line, format="Akoma Ntoso", element=element)
    )


def levels_of(identification: Node) -> dict[str, Node]:
    """The FRBR levels that an identification has, by the names of their elements."""
    uri = identification.opening.uri or ""
    found = ((level, identification.first(uri, level)) for level in _LEVELS)
    return {level: node for level, node in found if node is not None and node.children}


def read(document: Document) -> Reading:
    """What an Akoma Ntoso document says of itself.

    Raises:
        EmbeddingError: it cannot be read, or has no identification.
    """
    levels = levels_of(identification_of(document))
    return Reading(
        statements=tuple(
            statement for node in levels.values() for statement in _statements(document, node)
        )
    )


def _statements(document: Document, level: Node) -> Iterator[Statement]:
    ours = {each.start for each in ours_in(document, level)}
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
            value=(node.get(found) or "").strip(),
            is_iri=found == "href",
            line=node.opening.line,
            is_ours=node.start in ours,
        )
