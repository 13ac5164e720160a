"""LexML Brasil: the name as ``Metadado/Identificacao URN``.

The schema has room for one name alone. One that says the same, in the words of RFC 9676 or of
LexML, is there already; another contradicts. What is put in is a name by the RFC.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.document import Change, Notation, Statement
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.formats.xml import (
    choose_layout,
    find_own_offsets,
    find_part,
    insert_block,
    insert_element,
    make_schema_format,
    qualify_name,
    remove_block,
)
from lexurn.documents.names import check_agreement
from lexurn.documents.terms import LEXML, is_lexml, make_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.document import Document, Edit
    from lexurn.documents.formats.xml import DocumentPart
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

_IDENTIFICATION = "Identificacao"
_METADATA = "Metadado"


def _find_metadata(document: Document) -> XmlNode | None:
    """Return the metadata of a LexML document; None if it has none."""
    part = find_part(document, [_METADATA])
    return part.node if _is_lexml_document(part) else None


def _is_lexml_document(part: DocumentPart) -> bool:
    return is_lexml(part.root.uri, part.root.local)


def _plan_removal(document: Document) -> tuple[Edit, ...]:
    node = _find_metadata(document)
    return () if node is None else remove_block(document, node, _is_own_element)


def _is_own_element(node: XmlNode) -> bool:
    """Return whether an element in a block may be one that lexurn wrote."""
    return node.opening.local == _IDENTIFICATION and not node.children and not node.text


def _plan_addition(document: Document, marking: DocumentMetadata) -> Change:
    """Plan the addition of a name to a document without a block of lexurn."""
    part = find_part(document, [_METADATA])
    line = f'<{qualify_name(part.root, _IDENTIFICATION)} URN="{escape_xml(str(marking.name))}"/>'
    node = part.node
    if not _is_lexml_document(part) or (node is None and part.parent.is_empty):
        raise DocumentError(
            make_finding("LX333", document.name, format="LexML", element=f"LexML/{_METADATA}")
        )
    if node is None:
        edit = insert_element(document, part.parent, _METADATA, [line], part.layout)
    elif _has_same_name(document, node, marking):
        return Change()
    else:
        edit = insert_block(document, node, None, [line], choose_layout(document, node, None))
    return Change(edits=(edit,))


def _has_same_name(document: Document, metadata: XmlNode, marking: DocumentMetadata) -> bool:
    """Return whether the document has the name already."""
    home = metadata.first(metadata.opening.uri or "", _IDENTIFICATION)
    if home is None:
        return False
    line, text = home.opening.line, home.get("URN") or ""
    if not text.strip():
        raise DocumentError(make_finding("LX342", document.name, line=line))
    return check_agreement(document, [(line, text)], marking.name, marking)


def _read_statements(
    document: Document, on_finding: Callable[[Finding], None]
) -> Iterator[Statement]:
    """Yield the statements of a document about itself: its name, and its events."""
    metadata = _find_metadata(document)
    if metadata is None:
        return
    ours = find_own_offsets(document, metadata, on_finding)
    for node in _find_stating_nodes(metadata):
        for each in node.opening.attributes:
            yield Statement(
                notation=Notation.LEXML,
                subject=None,
                term=make_term(LEXML, node.opening.local, each.local),
                value=each.value.strip(),
                line=node.opening.line,
                is_embedded=node.start in ours,
            )


def _find_stating_nodes(metadata: XmlNode) -> Iterator[XmlNode]:
    """Yield the elements with the name and the events; proprietary ones are passed over."""
    for node in metadata.elements:
        if node.opening.local == _IDENTIFICATION:
            yield node
        elif node.opening.local in {"CicloDeVida", "EventosGerados"}:
            yield from (each for each in node.elements if each.opening.local == "Evento")


FORMAT: Final = make_schema_format(
    "lexml", "LexML", _plan_removal, _plan_addition, _read_statements
)
