"""A report as RDF: a ``sh:ValidationReport`` in Turtle, the same bytes for the same results."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.shacl._shapes import catalogue

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.shacl._results import CheckReport, Result

__all__ = ["graph_of_report"]

_HEAD = """\
@prefix dc: <http://purl.org/dc/elements/1.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

[] a sh:ValidationReport ;
"""


def graph_of_report(report: CheckReport) -> bytes:
    """A report as Turtle, in the words of SHACL.

    ``sh:conforms`` is what SHACL says it is: true only where there is no result at all, not even a
    warning. Notes are ``rdfs:comment``; the file and line of a result are ``dc:source``, written
    ``acts.csv#line=12``.
    """
    conforms = "false" if report.results else "true"
    lines = [f"  sh:conforms {conforms}"]
    lines.extend(f"  rdfs:comment {_text(note)}@en" for note in report.notes)
    lines.extend(f"  sh:result [\n{_result(each)}\n  ]" for each in report.results)
    return (_HEAD + " ;\n".join(lines) + " .\n").encode()


def _result(result: Result) -> str:
    return " ;\n".join(f"    {statement}" for statement in _statements(result))


def _statements(result: Result) -> Iterator[str]:
    yield "a sh:ValidationResult"
    yield f"sh:resultSeverity sh:{result.severity.value}"
    yield f"sh:focusNode {_term(result.focus)}"
    if path := _path_of(result):
        yield f"sh:resultPath {path}"
    if result.value is not None:
        yield f"sh:value {_term(result.value)}"
    yield f"sh:resultMessage {_text(result.message)}@en"
    yield f"sh:sourceShape <{result.shape}>"
    yield f"sh:sourceConstraintComponent <{result.component}>"
    if result.source is not None:
        yield f"dc:source {_text(f'{result.source.file}#line={result.source.line}')}"


def _path_of(result: Result) -> str | None:
    """The path as SHACL's node; of a result that no shape gave, the property itself."""
    shape = catalogue().shapes.get(result.shape)
    path = None if shape is None else shape.path
    return result.path if path is None else path.turtle


def _term(term: str) -> str:
    """A term; one that RDF cannot hold (the very fault that was found) as a text."""
    if not term.startswith("<"):
        return term
    try:
        return str(pyoxigraph.NamedNode(term[1:-1]))
    except ValueError:
        return _text(term[1:-1])


def _text(text: str) -> str:
    """A text as a literal; lone surrogates, which no encoding can carry, are marked."""
    return str(pyoxigraph.Literal(text.encode(errors="replace").decode()))
