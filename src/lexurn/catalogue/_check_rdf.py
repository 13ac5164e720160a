"""A report on a catalogue as RDF: a ``sh:ValidationReport`` in Turtle, result by result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.shacl import shapes_by_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.catalogue._check_spool import CatalogueReport
    from lexurn.catalogue._check_values import CheckFinding, CheckRule

__all__ = ["pieces_of"]

_HEAD: Final = """\
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

"""


def pieces_of(report: CatalogueReport) -> Iterator[str]:
    """The report, then what it says of the rules that are no shapes.

    ``sh:conforms`` is what SHACL says it is: true only where there is no result at all.
    """
    paths = {code: shape.path.turtle for code, shape in shapes_by_name().items() if shape.path}
    yield _HEAD
    yield f"[] a sh:ValidationReport ;\n  sh:conforms {_boolean(is_true=not report.count())}"
    for note in report.notes:
        yield f" ;\n  rdfs:comment {_text(note)}@en"
    for finding in report.findings():
        lines = " ;\n".join(
            f"    {each}" for each in _statements(finding, report.rules[finding.rule], paths)
        )
        yield f" ;\n  sh:result [\n{lines}\n  ]"
    yield " .\n"
    for each in report.counts():
        if each.rule.code not in shapes_by_name():
            yield _rule(each.rule)


def _statements(finding: CheckFinding, rule: CheckRule, paths: Mapping[str, str]) -> Iterator[str]:
    is_shape = rule.code in shapes_by_name()
    yield "a sh:ValidationResult"
    yield f"sh:resultSeverity sh:{rule.severity.value}"
    yield f"sh:focusNode {_term(finding.focus)}"
    path = paths.get(rule.code, finding.path)
    if path:
        yield f"sh:resultPath {path}"
    if finding.value is not None:
        yield f"sh:value {_term(finding.value)}"
    detail = f" {finding.detail}" if finding.detail else ""
    yield f"sh:resultMessage {_text(f'{rule.message}{detail}')}@en"
    if is_shape:
        yield f"sh:sourceShape <{rule.iri}>"
    yield f"sh:sourceConstraintComponent <{finding.component if is_shape else rule.iri}>"
    for each in finding.others:
        yield f"dcterms:relation {_node(each)}"


def _rule(rule: CheckRule) -> str:
    """What a rule that is no shape is, in RDF."""
    lines = [
        f"\n<{rule.iri}> a sh:ConstraintComponent",
        f"  rdfs:label {_text(rule.name)}@en",
        f"  rdfs:comment {_text(f'{rule.message} {rule.advice}')}@en",
        f"  dcterms:source {_text(rule.basis)}",
    ]
    return " ;\n".join(lines) + " .\n"


def _term(term: str) -> str:
    """A term; one that RDF cannot hold (the very fault that was found) as a text."""
    return _node(term[1:-1]) if term.startswith("<") else term


def _node(iri: str) -> str:
    """A name as a node; a name in a text may have ``|``, which a node has encoded."""
    try:
        return str(pyoxigraph.NamedNode(iri.replace("|", "%7C")))
    except ValueError:
        return _text(iri)


def _text(text: str) -> str:
    return str(pyoxigraph.Literal(text.encode(errors="replace").decode()))


def _boolean(*, is_true: bool) -> str:
    return "true" if is_true else "false"
