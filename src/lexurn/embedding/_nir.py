"""NIR (Norme in Rete): the name as an ``urn`` of the ``descrittori``.

The DTDs allow several, so a version of the act that stands there already is put in beside it. A
name that says the same, in the words of RFC 9676 or of NIR (``urn:nir:``), is there already; that
of another act contradicts. What is put in is a name by the RFC, in the form that the release of the
DTD has: an attribute ``valore`` (2.2) or ``value`` (2.1), a text (before, and in bills).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import check_agreement, is_lex, is_related, named
from lexurn.embedding._edit import Change
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._statement import Statement, Way
from lexurn.embedding._xml_blocks import insertion, layout_of, ours_in, qualified, removals
from lexurn.embedding._xml_format import schema_format
from lexurn.embedding._xml_parts import part_of
from lexurn.embedding._xml_terms import NIR, term
from lexurn.embedding._xml_writing import escaped

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._xml_tree import Node
    from lexurn.export import Marking

__all__ = ["FORMAT"]

_HOME = "urn"
_VALUES = ("valore", "value")
_FORMS = {
    "/nir/2.2": "valore",
    "/nir/2.1": "value",
    "/nir/2.0": None,
    "/nir/1.": None,
    "/disegnilegge/": None,
}
# Names come behind all of these, and in front of all else (DTDs 1.0 to 2.2, and that of bills).
_BEFORE = frozenset(
    {"pubblicazione", "altrepubblicazioni", "approvazione", "entratainvigore", "redazione", _HOME}
)


def _descriptors(document: Document) -> Node | None:
    """The descriptors of a document, None where it has none, or is no NIR."""
    part = part_of(document, [None, "meta", "descrittori"])
    return part.node if part.root.local == "NIR" else None


def _removal(document: Document) -> tuple[Edit, ...]:
    node = _descriptors(document)
    return () if node is None else removals(document, node, _is_ours)


def _is_ours(node: Node) -> bool:
    """Whether an element in a block may be one that lexurn wrote."""
    return node.opening.local == _HOME and not node.children and is_lex(_value(node))


def _addition(document: Document, marking: Marking) -> Change:
    """What puts a name into a document that has none of ours."""
    node = _descriptors(document)
    if node is None:
        element = "descrittori, which is the first in its meta"
        raise EmbeddingError(finding("LX333", document.name, format="NIR", element=element))
    names = [
        (each.opening.line, text)
        for each in node.elements
        if each.opening.local == _HOME and (text := _value(each))
    ]
    if any(named(text) == marking.name for _, text in names):
        return Change()
    is_related_to = any(_is_related_to(text, marking) for _, text in names)
    if not is_related_to and check_agreement(document, names, marking.name, marking):
        return Change()
    before = [each for each in node.elements if each.opening.local in _BEFORE]
    after = before[-1] if before else None
    edit = insertion(
        document, node, after, [_line(node, marking)], layout_of(document, node, after)
    )
    return Change(edits=(edit,))


def _is_related_to(text: str, marking: Marking) -> bool:
    """Whether a text is a name of the same act, or of what stands above or below."""
    found, name = named(text), marking.name
    if found is None:
        return False
    return found in marking.equals(name.work_name) or is_related(found, name)


def _line(descriptors: Node, marking: Marking) -> str:
    """The element, in the form of the document's release."""
    element, value = qualified(descriptors.opening, _HOME), escaped(str(marking.name))
    form = _form(descriptors)
    return f"<{element}>{value}</{element}>" if form is None else f'<{element} {form}="{value}"/>'


def _form(descriptors: Node) -> str | None:
    """The attribute that has the value of an element, None where that is its text.

    Others of its kind show it, else the namespace of the release; without one, which only the DTD
    would know, it is that of the last release.
    """
    like = [each for each in descriptors.elements if each.opening.local in {_HOME, "alias"}]
    shown = [form for each in like for form in _VALUES if each.get(form) is not None]
    if shown:
        return shown[0]
    uri = descriptors.opening.uri or ""
    known = [form for release, form in _FORMS.items() if release in uri]
    if known:
        return known[0]
    return None if like else _VALUES[0]


def _value(node: Node) -> str:
    """The value of an element, in whatever form."""
    found = next((each for each in _VALUES if node.get(each) is not None), None)
    return (node.text if found is None else node.get(found) or "").strip()


def _statements(
    document: Document, on_finding: Callable[[DocumentFinding], None]
) -> Iterator[Statement]:
    """What a document says of itself: its descriptors."""
    node = _descriptors(document)
    if node is None:
        return
    ours = ours_in(document, node, on_finding)
    for each in _elements(node):
        for path, value in _said(each):
            yield Statement(
                way=Way.NIR,
                subject=None,
                term=term(NIR, *path),
                value=value,
                line=each.opening.line,
                is_ours=each.start in ours,
            )


def _elements(descriptors: Node) -> Iterator[Node]:
    """The descriptors, and the subjects in their list."""
    for node in descriptors.elements:
        yield node
        yield from node.elements


def _said(node: Node) -> Iterator[tuple[tuple[str, ...], str]]:
    """What an element says, by where it stands: its value, its attributes."""
    local = node.opening.local
    if value := _value(node):
        yield (local,), value
    for each in node.opening.attributes:
        if each.local not in _VALUES and each.value.strip():
            yield (local, each.local), each.value.strip()


FORMAT: Final = schema_format("nir", "NIR", _removal, _addition, _statements)
