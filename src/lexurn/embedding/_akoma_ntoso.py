"""Akoma Ntoso: names as ``FRBRalias``, at each FRBR level that the name has.

The name of a work stands in ``FRBRWork``, that of an expression in ``FRBRWork`` (its work) and
``FRBRExpression``, that of a file in all three. They are those of the document itself, in the
``identification`` of its root; those of its components are others.

The schema of 3.0 wants a ``name`` on such an alias, which is ``urn:lex``; those of 1.0 and 2.0 know
no such attribute, and an alias there is known by its value.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.embedding._agreement import (
    check_agreement,
    is_lex,
    is_related,
    language_findings,
    means_name,
    named,
)
from lexurn.embedding._akoma_ntoso_reading import levels_of, statements_of, value_of
from lexurn.embedding._edit import Change
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._format import Format
from lexurn.embedding._xml_blocks import insertion, layout_of, qualified, removals
from lexurn.embedding._xml_format import embed_by, read_by, remove_by
from lexurn.embedding._xml_writing import escaped

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._xml_tree import Node
    from lexurn.export import Marking
    from lexurn.name import Name

__all__ = ["FORMAT"]

_NAME = "urn:lex"
_OASIS = "http://docs.oasis-open.org/"
# An alias comes behind all of these, and in front of all else (schema of 3.0, coreProperties).
_BEFORE = frozenset({"FRBRthis", "FRBRuri", "FRBRalias"})
_LEVEL_NAMES = {
    "FRBRWork": "work",
    "FRBRExpression": "expression",
    "FRBRManifestation": "manifestation",
}


def _removal(document: Document) -> tuple[Edit, ...]:
    levels = levels_of(document)
    return tuple(
        sorted(edit for node in levels.values() for edit in removals(document, node, _is_ours))
    )


def _is_ours(node: Node) -> bool:
    """Whether an element in a block may be one that lexurn wrote."""
    return _is_alias(node) and not node.children and not node.text


def _addition(document: Document, marking: Marking) -> Change:
    """What puts a name into a document that has none of ours."""
    levels = levels_of(document)
    if not levels:
        element = "identification, which is the first in its meta"
        raise EmbeddingError(finding("LX333", document.name, format="Akoma Ntoso", element=element))
    findings = [*_languages(document, levels, marking)]
    edits = []
    for level, name in _names(marking.name):
        node = levels.get(level)
        if node is None:
            findings.append(_absent(document, level, name, marking))
            continue
        said = _said(node, name)
        if not check_agreement(document, said, name, marking, is_of_level=True):
            edits.append(_edit(document, node, name))
        findings += _others(document, said, name, marking)
    names = dict(_names(marking.name))
    for level in (each for each in levels if each not in names):
        _check_below(document, levels[level], marking)
    return Change(edits=tuple(sorted(edits)), findings=tuple(findings))


def _others(
    document: Document, said: Iterable[tuple[int, str]], name: Name, marking: Marking
) -> Iterator[DocumentFinding]:
    """A warning for names of something else that stand beside a name that is right."""
    for line, text in said:
        other = named(text)
        if other is not None and other not in marking.equals(name) and _is_other(text, name):
            yield finding(
                "LX380", document.name, line=line, text=text, one=name, other=other, topic=""
            )


def _check_below(document: Document, level: Node, marking: Marking) -> None:
    """Make sure that a level that a name does not have says the name of nothing else.

    Raises:
        EmbeddingError: it does.
    """
    said = _said(level, marking.name)
    others = [each for each in said if _is_other(each[1], marking.name)]
    check_agreement(document, others, marking.name, marking)


def _names(name: Name) -> Iterator[tuple[str, Name]]:
    """The names at each level that a name has, with the elements that they stand in."""
    yield "FRBRWork", name.work_name
    if name.expression_name is not None:
        yield "FRBRExpression", name.expression_name
    if name.manifestation is not None:
        yield "FRBRManifestation", name.document


def _absent(document: Document, level: str, name: Name, marking: Marking) -> DocumentFinding:
    """What to say of a level that a document says nothing of.

    Raises:
        EmbeddingError: it is the level of the name itself.
    """
    label = _LEVEL_NAMES[level]
    if name != marking.name:
        return finding(
            "LX338", document.name, text=str(name), level=label, element=level, name=name
        )
    better = str(name.parent or name)
    raise EmbeddingError(
        finding("LX335", document.name, text=str(name), level=label, element=level, better=better)
    )


def _said(level: Node, name: Name) -> list[tuple[int, str]]:
    """The names that a level says already where this one would stand, or instead of it."""
    values = ((node, value_of(node)) for node in level.elements)
    return [
        (node.opening.line, value)
        for node, value in values
        if _is_alias(node) or (node.opening.local in _BEFORE and _is_other(value, name))
    ]


def _is_other(text: str, name: Name) -> bool:
    """Whether a text is a name in any dialect, and none of all that stands above or below.

    An annex stands below its act, and a document is one of them.
    """
    found = named(text) if means_name(text) else None
    if found is None:
        return False
    is_annex = name.work_name in found.work_name.ancestors()
    return found.partition is not None or is_annex or not is_related(found, name)


def _is_alias(node: Node) -> bool:
    """Whether an element is a LEX name, or means to be one."""
    if node.opening.local != "FRBRalias":
        return False
    return (node.get("name") or "").strip().lower() == _NAME or is_lex(value_of(node))


def _edit(document: Document, level: Node, name: Name) -> Edit:
    before = [each for each in level.elements if each.opening.local in _BEFORE]
    after = before[-1] if before else None
    alias = qualified(level.opening, "FRBRalias")
    kind = f' name="{_NAME}"' if (level.opening.uri or "").startswith(_OASIS) else ""
    line = f'<{alias} value="{escaped(str(name))}"{kind}/>'
    return insertion(document, level, after, [line], layout_of(document, level, after))


def _languages(
    document: Document, levels: dict[str, Node], marking: Marking
) -> tuple[DocumentFinding, ...]:
    expression = levels.get("FRBRExpression")
    elements = () if expression is None else expression.elements
    said = [
        (each.opening.line, each.get("language") or "")
        for each in elements
        if each.opening.local == "FRBRlanguage"
    ]
    return language_findings(document, said, marking)


FORMAT: Final = Format(
    key="akoma-ntoso",
    label="Akoma Ntoso",
    suffixes=frozenset({".akn", ".xml"}),
    media_types=frozenset({"application/akn+xml", "application/xml", "text/xml"}),
    embed=embed_by(_removal, _addition),
    remove=remove_by(_removal),
    read=read_by(statements_of),
)
