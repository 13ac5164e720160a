"""LexML Brasil: the name as ``Metadado/Identificacao URN``.

The schema has room for one name alone. One that says the same, in the words of RFC 9676 or of
LexML, is there already; another contradicts. What is put in is a name by the RFC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import check_agreement
from lexurn.embedding._edit import Change
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._statement import Statement, Way
from lexurn.embedding._xml_blocks import (
    element_with_block,
    insertion,
    layout_of,
    ours_in,
    qualified,
    removals,
)
from lexurn.embedding._xml_format import schema_format
from lexurn.embedding._xml_parts import part_of
from lexurn.embedding._xml_terms import LEXML, is_lexml, term
from lexurn.embedding._xml_writing import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._xml_parts import Part
    from lexurn.embedding._xml_tree import Node
    from lexurn.export import Marking

__all__ = ["FORMAT"]

_HOME = "Identificacao"
_SECTION = "Metadado"


def _metadata(document: Document) -> Node | None:
    """The metadata of a document, None where it has none, or is no LexML."""
    part = part_of(document, [_SECTION])
    return part.node if _is_lexml(part) else None


def _is_lexml(part: Part) -> bool:
    return is_lexml(part.root.uri, part.root.local)


def _removal(document: Document) -> tuple[Edit, ...]:
    node = _metadata(document)
    return () if node is None else removals(document, node, _is_ours)


def _is_ours(node: Node) -> bool:
    """Whether an element in a block may be one that lexurn wrote."""
    return node.opening.local == _HOME and not node.children and not node.text


def _addition(document: Document, marking: Marking) -> Change:
    """What puts a name into a document that has none of ours."""
    part = part_of(document, [_SECTION])
    line = f'<{qualified(part.root, _HOME)} URN="{escaped(str(marking.name))}"/>'
    node = part.node
    if not _is_lexml(part) or (node is None and part.parent.is_empty):
        raise EmbeddingError(
            finding("LX333", document.name, format="LexML", element=f"LexML/{_SECTION}")
        )
    if node is None:
        edit = element_with_block(document, part.parent, _SECTION, [line], part.layout)
    elif _is_there(document, node, marking):
        return Change()
    else:
        edit = insertion(document, node, None, [line], layout_of(document, node, None))
    return Change(edits=(edit,))


def _is_there(document: Document, metadata: Node, marking: Marking) -> bool:
    """Whether the name stands there already."""
    home = metadata.first(metadata.opening.uri or "", _HOME)
    if home is None:
        return False
    line, text = home.opening.line, home.get("URN") or ""
    if not text.strip():
        raise EmbeddingError(finding("LX342", document.name, line=line))
    return check_agreement(document, [(line, text)], marking.name, marking)


def _statements(
    document: Document, on_finding: Callable[[DocumentFinding], None]
) -> Iterator[Statement]:
    """What a document says of itself: its name, and the events of its life."""
    metadata = _metadata(document)
    if metadata is None:
        return
    ours = ours_in(document, metadata, on_finding)
    for node in _said(metadata):
        for each in node.opening.attributes:
            yield Statement(
                way=Way.LEXML,
                subject=None,
                term=term(LEXML, node.opening.local, each.local),
                value=each.value.strip(),
                line=node.opening.line,
                is_ours=node.start in ours,
            )


def _said(metadata: Node) -> Iterator[Node]:
    """The name, and the events; what is proprietary is no business of ours."""
    for node in metadata.elements:
        if node.opening.local == _HOME:
            yield node
        elif node.opening.local in {"CicloDeVida", "EventosGerados"}:
            yield from (each for each in node.elements if each.opening.local == "Evento")


FORMAT: Final = schema_format("lexml", "LexML", _removal, _addition, _statements)
