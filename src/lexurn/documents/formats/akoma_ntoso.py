"""Akoma Ntoso: names as ``FRBRalias``, at each FRBR level that the name has.

The name of a work stands in ``FRBRWork``, that of an expression in ``FRBRWork`` (its work) and
``FRBRExpression``, that of a file in all three. They are those of the document itself, in the
``identification`` of its root; those of its components are others.

The schema of 3.0 wants a ``name`` on such an alias, which is ``urn:lex``; those of 1.0 and 2.0 know
no such attribute, and an alias there is known by its value.
"""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from lexurn.documents.containers.xml import escape_xml
from lexurn.documents.document import Change, DocumentFormat, Notation, Statement
from lexurn.documents.findings import DocumentError, make_finding
from lexurn.documents.formats.xml import (
    choose_layout,
    embed_in_xml,
    find_own_offsets,
    find_part,
    insert_block,
    qualify_name,
    read_from_xml,
    remove_block,
    remove_from_xml,
)
from lexurn.documents.names import (
    check_agreement,
    compare_languages,
    is_lex_urn,
    is_name_like,
    is_related,
    parse_any_name,
)
from lexurn.documents.terms import AKOMA_NTOSO, is_akoma_ntoso, make_term

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import Final

    from lexurn.documents.containers.xml import XmlNode
    from lexurn.documents.document import Document, Edit
    from lexurn.findings import Finding
    from lexurn.name import Name
    from lexurn.pages import DocumentMetadata

_ALIAS_NAME = "urn:lex"
_OASIS = "http://docs.oasis-open.org/"
# An alias comes behind all of these, and in front of all else (schema of 3.0, coreProperties).
_PRECEDING = frozenset({"FRBRthis", "FRBRuri", "FRBRalias"})
_LEVEL_LABELS = {
    "FRBRWork": "work",
    "FRBRExpression": "expression",
    "FRBRManifestation": "manifestation",
}


def _plan_removal(document: Document) -> tuple[Edit, ...]:
    levels = find_levels(document)
    return tuple(
        sorted(
            edit
            for node in levels.values()
            for edit in remove_block(document, node, _is_own_element)
        )
    )


def _is_own_element(node: XmlNode) -> bool:
    """Return whether an element in a block may be one that lexurn wrote."""
    return _is_alias(node) and not node.children and not node.text


def _plan_addition(document: Document, marking: DocumentMetadata) -> Change:
    """Plan the addition of a name to a document without a block of lexurn."""
    levels = find_levels(document)
    if not levels:
        element = "identification, which is the first in its meta"
        raise DocumentError(
            make_finding("LX333", document.name, format="Akoma Ntoso", element=element)
        )
    findings = [*_check_languages(document, levels, marking)]
    edits = []
    for level, name in _names_by_level(marking.name):
        node = levels.get(level)
        if node is None:
            findings.append(_report_missing_level(document, level, name, marking))
            continue
        said = _find_level_names(node, name)
        if not check_agreement(document, said, name, marking, is_of_level=True):
            edits.append(_insert_alias(document, node, name))
        findings += _find_other_names(document, said, name, marking)
    names = dict(_names_by_level(marking.name))
    for level in (each for each in levels if each not in names):
        _check_lower_level(document, levels[level], marking)
    return Change(edits=tuple(sorted(edits)), findings=tuple(findings))


def _find_other_names(
    document: Document, said: Iterable[tuple[int, str]], name: Name, marking: DocumentMetadata
) -> Iterator[Finding]:
    """Yield a warning for each other name beside one that agrees."""
    for line, text in said:
        other = parse_any_name(text)
        if other is not None and other not in marking.equals(name) and _is_other_name(text, name):
            yield make_finding(
                "LX380", document.name, line=line, text=text, one=name, other=other, topic=""
            )


def _check_lower_level(document: Document, level: XmlNode, marking: DocumentMetadata) -> None:
    """Check that a level that a name does not have says the name of nothing else.

    Raises:
        DocumentError: it does.
    """
    said = _find_level_names(level, marking.name)
    others = [each for each in said if _is_other_name(each[1], marking.name)]
    check_agreement(document, others, marking.name, marking)


def _names_by_level(name: Name) -> Iterator[tuple[str, Name]]:
    """Yield the levels of a name, with the elements for them."""
    yield "FRBRWork", name.work_name
    if name.expression_name is not None:
        yield "FRBRExpression", name.expression_name
    if name.manifestation is not None:
        yield "FRBRManifestation", name.document


def _report_missing_level(
    document: Document, level: str, name: Name, marking: DocumentMetadata
) -> Finding:
    """Make the finding on a level that the document does not describe.

    Raises:
        DocumentError: it is the level of the name itself.
    """
    label = _LEVEL_LABELS[level]
    if name != marking.name:
        return make_finding(
            "LX338", document.name, text=str(name), level=label, element=level, name=name
        )
    better = str(name.parent or name)
    raise DocumentError(
        make_finding(
            "LX335", document.name, text=str(name), level=label, element=level, better=better
        )
    )


def _find_level_names(level: XmlNode, name: Name) -> list[tuple[int, str]]:
    """Return the names in a level that compete with this one."""
    values = ((node, _read_value(node)) for node in level.elements)
    return [
        (node.opening.line, value)
        for node, value in values
        if _is_alias(node) or (node.opening.local in _PRECEDING and _is_other_name(value, name))
    ]


def _is_other_name(text: str, name: Name) -> bool:
    """Return whether a text names an act that is not related to the name.

    An annex stands below its act, and a document is one of them.
    """
    found = parse_any_name(text) if is_name_like(text) else None
    if found is None:
        return False
    is_annex = name.work_name in found.work_name.ancestors()
    return found.partition is not None or is_annex or not is_related(found, name)


def _is_alias(node: XmlNode) -> bool:
    """Return whether an element holds a LEX name, or is meant to."""
    if node.opening.local != "FRBRalias":
        return False
    return (node.get("name") or "").strip().lower() == _ALIAS_NAME or is_lex_urn(_read_value(node))


def _insert_alias(document: Document, level: XmlNode, name: Name) -> Edit:
    before = [each for each in level.elements if each.opening.local in _PRECEDING]
    after = before[-1] if before else None
    alias = qualify_name(level.opening, "FRBRalias")
    kind = f' name="{_ALIAS_NAME}"' if (level.opening.uri or "").startswith(_OASIS) else ""
    line = f'<{alias} value="{escape_xml(str(name))}"{kind}/>'
    return insert_block(document, level, after, [line], choose_layout(document, level, after))


def _check_languages(
    document: Document, levels: dict[str, XmlNode], marking: DocumentMetadata
) -> tuple[Finding, ...]:
    expression = levels.get("FRBRExpression")
    elements = () if expression is None else expression.elements
    said = [
        (each.opening.line, each.get("language") or "")
        for each in elements
        if each.opening.local == "FRBRlanguage"
    ]
    return compare_languages(document, said, marking)


def _read_statements(
    document: Document, on_finding: Callable[[Finding], None]
) -> Iterator[Statement]:
    """Yield the statements of an Akoma Ntoso document about itself.

    Args:
        document: the document.
        on_finding: is called with the faults of broken blocks.

    Raises:
        DocumentError: it cannot be read.
    """
    for node in find_levels(document).values():
        yield from _read_level(node, find_own_offsets(document, node, on_finding))


FORMAT: Final = DocumentFormat(
    key="akoma-ntoso",
    label="Akoma Ntoso",
    suffixes=frozenset({".akn", ".xml"}),
    media_types=frozenset({"application/akn+xml", "application/xml", "text/xml"}),
    embed=partial(embed_in_xml, _plan_removal, _plan_addition),
    remove=partial(remove_from_xml, _plan_removal),
    read=partial(read_from_xml, _read_statements),
)
_LEVELS: Final = ("FRBRWork", "FRBRExpression", "FRBRManifestation", "FRBRItem")

# What stands behind a name there and is no more than the component that the document is.
_COMPONENTS: Final = {
    "FRBRthis": re.compile(r"/(?:!?[A-Za-z][\w.-]*)?\s*\Z", re.ASCII),
    "FRBRuri": re.compile(r"/(?:![A-Za-z][\w.-]*|main)?\s*\Z", re.ASCII),
}

# Where the value of an element stands; the first that is there.
_VALUE_ATTRIBUTES = ("value", "date", "language", "href")


def _read_value(node: XmlNode, attribute: str = "value") -> str:
    """Return the value of an element; of a name the part before a component of the document.

    ``FRBRthis`` has ``/!main`` or the like behind what ``FRBRuri`` says, which no name holds; some
    documents say it in both.
    """
    text = node.get(attribute) or ""
    component = _COMPONENTS.get(node.opening.local)
    return component.sub("", text) if component is not None and is_name_like(text) else text


def find_levels(document: Document) -> dict[str, XmlNode]:
    """Return the FRBR levels that the identification of the root describes, by element.

    Args:
        document: any XML document; one that is no Akoma Ntoso has none, nor has one without an
            identification as the first thing in its metadata.

    Raises:
        DocumentError: it cannot be read.
    """
    part = find_part(document, [None, "meta", "identification"])
    uri = part.root.uri or ""
    if part.node is None or not is_akoma_ntoso(uri, part.root.local):
        return {}
    found = ((level, part.node.first(uri, level)) for level in _LEVELS)
    return {level: node for level, node in found if node is not None and node.children}


def _read_level(level: XmlNode, ours: frozenset[int]) -> Iterator[Statement]:
    for node in level.elements:
        found = next((each for each in _VALUE_ATTRIBUTES if node.get(each) is not None), None)
        if found is None:
            continue
        name = node.get("name")
        path = (level.opening.local, node.opening.local, *([name] if name else []))
        yield Statement(
            notation=Notation.AKOMA_NTOSO,
            subject=None,
            term=make_term(AKOMA_NTOSO, *path),
            value=_read_value(node, found).strip(),
            is_iri=found == "href",
            line=node.opening.line,
            is_embedded=node.start in ours,
        )
