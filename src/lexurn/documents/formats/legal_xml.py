"""Legal XML: names in Akoma Ntoso, LexML Brasil and NIR (Norme in Rete).

Akoma Ntoso has a name as ``FRBRalias`` at each FRBR level of the root's ``identification``. An
expression stands in ``FRBRExpression``, and its work in ``FRBRWork``. The schema of 3.0 requires a
``name`` on such an alias, which is ``urn:lex``. Those of 1.0 and 2.0 have no such attribute.

LexML has room for one name, ``Metadado/Identificacao``. NIR allows several ``urn`` in its
``descrittori``, so one is put beside another version. Both accept a name in their own dialect.
"""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Any, Final

from lexurn.documents import names
from lexurn.documents.containers.xml import StartTag, XmlNode, escape_xml
from lexurn.documents.document import (
    Change,
    Document,
    Edit,
    Notation,
    Statement,
    make_error,
    make_finding,
)
from lexurn.documents.formats.xml import XML_TYPES, XmlSchema, insert_block
from lexurn.documents.terms import AKOMA_NTOSO, LEXML, NIR, is_akoma_ntoso, is_lexml, make_term

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lexurn.name import Name
    from lexurn.pages import DocumentMetadata

# --- Akoma Ntoso ----------------------------------------------------------------------

_ALIAS = "FRBRalias"
_ALIAS_NAME = "urn:lex"
_OASIS = "http://docs.oasis-open.org/"
# An alias comes after all of these, and in front of all else (schema of 3.0, coreProperties).
_BEFORE_ALIAS = frozenset({"FRBRthis", "FRBRuri", _ALIAS})
_LEVELS: Final = ("FRBRWork", "FRBRExpression", "FRBRManifestation", "FRBRItem")
# The suffix of a name that only says which component of the document is meant. ``FRBRthis`` has
# ``/!main`` after the value of ``FRBRuri``; some documents have it in both.
_COMPONENTS: Final = {
    "FRBRthis": re.compile(r"/(?:!?[A-Za-z][\w.-]*)?\s*\Z", re.ASCII),
    "FRBRuri": re.compile(r"/(?:![A-Za-z][\w.-]*|main)?\s*\Z", re.ASCII),
}
# Attributes with the value of an element; the first that is there counts.
_AKOMA_NTOSO_ATTRIBUTES = ("value", "date", "language", "href")


def find_levels(identification: XmlNode) -> dict[str, XmlNode]:
    """Return the FRBR levels in the identification of an Akoma Ntoso document, by element."""
    uri = identification.opening.uri or ""
    found = ((level, identification.find_first(uri, level)) for level in _LEVELS)
    return {level: node for level, node in found if node is not None and node.children}


def _plan_aliases(
    document: Document, _: StartTag, node: XmlNode, marking: DocumentMetadata
) -> Change:
    levels = find_levels(node)
    expression = levels.get("FRBRExpression")
    elements = () if expression is None else expression.elements
    stated = [each for each in elements if each.opening.local == "FRBRlanguage"]
    languages = [each.get("language") or "" for each in stated]
    line = stated[0].opening.line if stated else 0
    findings = [*names.find_language_conflict(document, marking, languages, line)]
    edits: list[Edit] = []
    wanted = {"FRBRWork": marking.name.work_name}
    if marking.name.expression_name is not None:
        wanted["FRBRExpression"] = marking.name.expression_name
    if marking.name.manifestation is not None:
        wanted["FRBRManifestation"] = marking.name.document
    for level, name in wanted.items():
        if level in levels:
            change = _plan_alias(document, levels[level], name, marking)
            edits += change.edits
            findings += change.findings
            continue
        better, label = str(name.parent or name), level.removeprefix("FRBR").lower()
        values: dict[str, Any] = {"level": label, "element": level, "name": name, "better": better}
        if name == marking.name:
            raise make_error("LX335", document.name, text=str(name), **values)
        findings.append(make_finding("LX338", document.name, text=str(name), **values))
    for level in (each for each in levels if each not in wanted):
        # A level that the name does not have must not have the name of something else.
        present = _find_level_names(levels[level], marking.name)
        others = [each for each in present if _is_other_name(each[1], marking.name)]
        names.check_agreement(document, others, marking.name, marking)
    return Change(edits=tuple(sorted(edits)), findings=tuple(findings))


def _plan_alias(
    document: Document, level: XmlNode, name: Name, marking: DocumentMetadata
) -> Change:
    """Return the change that names a level, with a warning for each other name beside it."""
    present = _find_level_names(level, name)
    edits: tuple[Edit, ...] = ()
    if not names.check_agreement(document, present, name, marking, is_of_level=True):
        before = [each for each in level.elements if each.opening.local in _BEFORE_ALIAS]
        kind = f' name="{_ALIAS_NAME}"' if (level.opening.uri or "").startswith(_OASIS) else ""
        tag = f'<{level.opening.qualify(_ALIAS)} value="{escape_xml(str(name))}"{kind}/>'
        edits = (insert_block(document, level, before[-1] if before else None, [tag]),)
    same, file = marking.equals(name), document.name
    others = (
        make_finding("LX380", file, line=line, text=text, one=name, other=other, topic="")
        for line, text in present
        if _is_other_name(text, name) and (other := names.parse_any_name(text)) not in same
    )
    return Change(edits=edits, findings=tuple(others))


def _find_level_names(level: XmlNode, name: Name) -> list[tuple[int, str]]:
    """Return the names in a level that compete with this one, with lines."""
    values = ((node, _read_level_value(node)) for node in level.elements)
    return [
        (node.opening.line, value)
        for node, value in values
        if _is_alias(node) or (node.opening.local in _BEFORE_ALIAS and _is_other_name(value, name))
    ]


def _is_other_name(text: str, name: Name) -> bool:
    """Return whether a text names an act that is not related to the name.

    An annex stands below its act, and a document is one of them.
    """
    found = names.parse_any_name(text) if names.is_name_like(text) else None
    if found is None:
        return False
    is_annex = name.work_name in found.work_name.ancestors()
    return found.partition is not None or is_annex or not names.is_related(found, name)


def _is_alias(node: XmlNode) -> bool:
    """Return whether an element contains a LEX name, or is meant to."""
    if node.opening.local != _ALIAS:
        return False
    kind = (node.get("name") or "").strip().lower()
    return kind == _ALIAS_NAME or names.is_lex_urn(_read_level_value(node))


def _read_level_value(node: XmlNode, attribute: str = "value") -> str:
    """Return the value of an element; of a name the part before a component of the document."""
    text = node.get(attribute) or ""
    component = _COMPONENTS.get(node.opening.local)
    return component.sub("", text) if component is not None and names.is_name_like(text) else text


def _read_level(level: XmlNode, ours: Collection[int]) -> Iterator[Statement]:
    for node in level.elements:
        found = [each for each in _AKOMA_NTOSO_ATTRIBUTES if node.get(each) is not None]
        if not found:
            continue
        name = node.get("name")
        path = (level.opening.local, node.opening.local, *([name] if name else []))
        value, term = _read_level_value(node, found[0]), make_term(AKOMA_NTOSO, *path)
        made = _make_statement(Notation.AKOMA_NTOSO, term, value, node, ours)
        yield replace(made, is_iri=found[0] == "href")


def _make_statement(
    notation: Notation, term: str, value: str, node: XmlNode, ours: Collection[int]
) -> Statement:
    return Statement(
        notation=notation,
        term=term,
        value=value.strip(),
        line=node.opening.line,
        is_embedded=node.start in ours,
    )


# --- LexML Brasil ---------------------------------------------------------------------

_IDENTIFICATION = "Identificacao"


def _plan_identification(
    document: Document, _: StartTag, node: XmlNode, marking: DocumentMetadata
) -> Change:
    opening = node.opening
    tag = f'<{opening.qualify(_IDENTIFICATION)} URN="{escape_xml(str(marking.name))}"/>'
    present = node.find_first(opening.uri or "", _IDENTIFICATION)
    if present is not None:
        line, text = present.opening.line, present.get("URN") or ""
        if not text.strip():
            raise make_error("LX342", document.name, line=line)
        if names.check_agreement(document, [(line, text)], marking.name, marking):
            return Change()
    return Change(edits=(insert_block(document, node, None, [tag]),))


def _read_lexml_node(metadata: XmlNode, ours: Collection[int]) -> Iterator[Statement]:
    """Yield the name of a document."""
    for node in metadata.find_all(metadata.opening.uri or "", _IDENTIFICATION):
        for each in node.opening.attributes:
            term = make_term(LEXML, node.opening.local, each.local)
            yield _make_statement(Notation.LEXML, term, each.value, node, ours)


# --- NIR ------------------------------------------------------------------------------

_URN = "urn"
_URN_ATTRIBUTES = ("valore", "value")
_ATTRIBUTES_BY_RELEASE = {
    "/nir/2.2": "valore",
    "/nir/2.1": "value",
    "/nir/2.0": None,
    "/nir/1.": None,
    "/disegnilegge/": None,
}
# Names come after all of these, and in front of all else (DTDs 1.0 to 2.2, and that of bills).
_BEFORE_URN = frozenset(
    {"pubblicazione", "altrepubblicazioni", "approvazione", "entratainvigore", "redazione", _URN}
)


def _plan_urn(document: Document, _: StartTag, node: XmlNode, marking: DocumentMetadata) -> Change:
    present = [
        (each.opening.line, text)
        for each in node.elements
        if each.opening.local == _URN and (text := _read_urn(each))
    ]
    known = [found for _, text in present if (found := names.parse_any_name(text)) is not None]
    if marking.name in known:
        return Change()
    same = marking.equals(marking.name.work_name)
    is_beside = any(each in same or names.is_related(each, marking.name) for each in known)
    if not is_beside and names.check_agreement(document, present, marking.name, marking):
        return Change()
    before = [each for each in node.elements if each.opening.local in _BEFORE_URN]
    element, value = node.opening.qualify(_URN), escape_xml(str(marking.name))
    # Other elements of its kind show the attribute, else the namespace of the release. Without one,
    # which only the DTD would know, it is that of the last release. None is the text.
    like = [each for each in node.elements if each.opening.local in {_URN, "alias"}]
    shown = [form for each in like for form in _URN_ATTRIBUTES if each.get(form) is not None]
    uri = node.opening.uri or ""
    released = [form for release, form in _ATTRIBUTES_BY_RELEASE.items() if release in uri]
    form = next(chain(shown, released), None if like else _URN_ATTRIBUTES[0])
    line = f"<{element}>{value}</{element}>" if form is None else f'<{element} {form}="{value}"/>'
    return Change(edits=(insert_block(document, node, before[-1] if before else None, [line]),))


def _read_urn(node: XmlNode) -> str:
    """Return the value of an element: an attribute, else its text."""
    found = [value for each in _URN_ATTRIBUTES if (value := node.get(each)) is not None]
    return (found[0] if found else node.text).strip()


def _read_descriptors(descriptors: XmlNode, ours: Collection[int]) -> Iterator[Statement]:
    """Yield the values and attributes of the descriptors, and of the subjects in their list."""
    for node in (each for one in descriptors.elements for each in (one, *one.elements)):
        local, attributes = node.opening.local, node.opening.attributes
        values = {make_term(NIR, local): _read_urn(node)} | {
            make_term(NIR, local, each.local): each.value
            for each in attributes
            if each.local not in _URN_ATTRIBUTES
        }
        for term, value in values.items():
            if value.strip():
                yield _make_statement(Notation.NIR, term, value, node, ours)


AKOMA_NTOSO_FORMAT: Final = XmlSchema(
    label="Akoma Ntoso",
    element="identification, which is the first in its meta",
    path=(None, "meta", "identification"),
    is_root=lambda root: is_akoma_ntoso(root.uri, root.local),
    list_nodes=lambda node: find_levels(node).values(),
    is_own_element=lambda node: _is_alias(node) and not node.children and not node.text,
    plan_addition=_plan_aliases,
    read_node=_read_level,
).make_format("akoma-ntoso", {".akn", ".xml"}, {"application/akn+xml", *XML_TYPES})
LEXML_FORMAT: Final = XmlSchema(
    label="LexML",
    element="LexML/Metadado",
    path=("Metadado",),
    is_root=lambda root: is_lexml(root.uri, root.local),
    is_own_element=lambda node: (
        node.opening.local == _IDENTIFICATION and not node.children and not node.text
    ),
    plan_addition=_plan_identification,
    read_node=_read_lexml_node,
).make_format("lexml", {".xml"}, XML_TYPES)
NIR_FORMAT: Final = XmlSchema(
    label="NIR",
    element="descrittori, which is the first in its meta",
    path=(None, "meta", "descrittori"),
    is_root=lambda root: root.local == "NIR",
    is_own_element=lambda node: (
        node.opening.local == _URN and not node.children and names.is_lex_urn(_read_urn(node))
    ),
    plan_addition=_plan_urn,
    read_node=_read_descriptors,
).make_format("nir", {".xml"}, XML_TYPES)
