"""NIR (Norme in Rete): the name as an ``urn`` of the ``descrittori``.

The DTDs allow several, so a version of the act that stands there already is put in beside it. A
name that says the same, in the words of RFC 9676 or of NIR (``urn:nir:``), is there already; that
of another act contradicts. What is put in is a name by the RFC, in the form that the release of the
DTD has: an attribute ``valore`` (2.2) or ``value`` (2.1), a text (before, and in bills).
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
    make_schema_format,
    qualify_name,
    remove_block,
)
from lexurn.documents.names import check_agreement, is_lex_urn, is_related, parse_any_name
from lexurn.documents.terms import NIR, make_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Final

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.document import Document, Edit
    from lexurn.findings import Finding
    from lexurn.pages import DocumentMetadata

_NAME_ELEMENT = "urn"
_VALUE_ATTRIBUTES = ("valore", "value")
_ATTRIBUTES_BY_RELEASE = {
    "/nir/2.2": "valore",
    "/nir/2.1": "value",
    "/nir/2.0": None,
    "/nir/1.": None,
    "/disegnilegge/": None,
}
# Names come behind all of these, and in front of all else (DTDs 1.0 to 2.2, and that of bills).
_PRECEDING = frozenset(
    {
        "pubblicazione",
        "altrepubblicazioni",
        "approvazione",
        "entratainvigore",
        "redazione",
        _NAME_ELEMENT,
    }
)


def _find_descriptors(document: Document) -> XmlNode | None:
    """Return the descriptors of a NIR document; None if it has none."""
    part = find_part(document, [None, "meta", "descrittori"])
    return part.node if part.root.local == "NIR" else None


def _plan_removal(document: Document) -> tuple[Edit, ...]:
    node = _find_descriptors(document)
    return () if node is None else remove_block(document, node, _is_own_element)


def _is_own_element(node: XmlNode) -> bool:
    """Return whether an element in a block may be one that lexurn wrote."""
    return (
        node.opening.local == _NAME_ELEMENT and not node.children and is_lex_urn(_read_value(node))
    )


def _plan_addition(document: Document, marking: DocumentMetadata) -> Change:
    """Plan the addition of a name to a document without a block of lexurn."""
    node = _find_descriptors(document)
    if node is None:
        element = "descrittori, which is the first in its meta"
        raise DocumentError(make_finding("LX333", document.name, format="NIR", element=element))
    names = [
        (each.opening.line, text)
        for each in node.elements
        if each.opening.local == _NAME_ELEMENT and (text := _read_value(each))
    ]
    if any(parse_any_name(text) == marking.name for _, text in names):
        return Change()
    is_related_to = any(_is_related_text(text, marking) for _, text in names)
    if not is_related_to and check_agreement(document, names, marking.name, marking):
        return Change()
    before = [each for each in node.elements if each.opening.local in _PRECEDING]
    after = before[-1] if before else None
    edit = insert_block(
        document, node, after, [_write_name(node, marking)], choose_layout(document, node, after)
    )
    return Change(edits=(edit,))


def _is_related_text(text: str, marking: DocumentMetadata) -> bool:
    """Return whether a text names the same act, or a related level of it."""
    found, name = parse_any_name(text), marking.name
    if found is None:
        return False
    return found in marking.equals(name.work_name) or is_related(found, name)


def _write_name(descriptors: XmlNode, marking: DocumentMetadata) -> str:
    """Write the element in the form of the document's release."""
    element, value = qualify_name(descriptors.opening, _NAME_ELEMENT), escape_xml(str(marking.name))
    form = _choose_attribute(descriptors)
    return f"<{element}>{value}</{element}>" if form is None else f'<{element} {form}="{value}"/>'


def _choose_attribute(descriptors: XmlNode) -> str | None:
    """Return the attribute for the value of an element; None if the value is its text.

    Others of its kind show it, else the namespace of the release; without one, which only the DTD
    would know, it is that of the last release.
    """
    like = [each for each in descriptors.elements if each.opening.local in {_NAME_ELEMENT, "alias"}]
    shown = [form for each in like for form in _VALUE_ATTRIBUTES if each.get(form) is not None]
    if shown:
        return shown[0]
    uri = descriptors.opening.uri or ""
    known = [form for release, form in _ATTRIBUTES_BY_RELEASE.items() if release in uri]
    if known:
        return known[0]
    return None if like else _VALUE_ATTRIBUTES[0]


def _read_value(node: XmlNode) -> str:
    """Return the value of an element, in any form."""
    found = next((each for each in _VALUE_ATTRIBUTES if node.get(each) is not None), None)
    return (node.text if found is None else node.get(found) or "").strip()


def _read_statements(
    document: Document, on_finding: Callable[[Finding], None]
) -> Iterator[Statement]:
    """Yield the statements of a document about itself: its descriptors."""
    node = _find_descriptors(document)
    if node is None:
        return
    ours = find_own_offsets(document, node, on_finding)
    for each in _list_elements(node):
        for path, value in _read_values(each):
            yield Statement(
                notation=Notation.NIR,
                subject=None,
                term=make_term(NIR, *path),
                value=value,
                line=each.opening.line,
                is_embedded=each.start in ours,
            )


def _list_elements(descriptors: XmlNode) -> Iterator[XmlNode]:
    """Yield the descriptors, and the subjects in their list."""
    for node in descriptors.elements:
        yield node
        yield from node.elements


def _read_values(node: XmlNode) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the value and the attributes of an element, with paths."""
    local = node.opening.local
    if value := _read_value(node):
        yield (local,), value
    for each in node.opening.attributes:
        if each.local not in _VALUE_ATTRIBUTES and each.value.strip():
            yield (local, each.local), each.value.strip()


FORMAT: Final = make_schema_format("nir", "NIR", _plan_removal, _plan_addition, _read_statements)
