"""Results and reports of a check, and their writers: text, JSON, and SHACL's report in Turtle."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph

from lexurn.shacl.shapes import Severity, load_shapes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.model import Source

_LONGEST_VALUE = 120
_NOUNS = {
    Severity.VIOLATION: ("violation", "violations"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("note", "notes"),
}
_TURTLE_HEAD = """\
@prefix dc: <http://purl.org/dc/elements/1.1/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix sh: <http://www.w3.org/ns/shacl#> .

[] a sh:ValidationReport ;
"""


class EngineResult(NamedTuple):
    """Result as an engine gives it; terms as N-Triples writes them."""

    focus: str
    shape: str
    component: str
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Fault that a shape found in one node.

    Attributes:
        severity: violation, warning or info.
        focus: the node, a term as N-Triples writes it.
        path: the property or path at fault as SPARQL writes it, or None for the node itself.
        value: the value at fault, a term as N-Triples writes it. None where a value is missing, or
            where it is the node itself.
        message: the fault, a sentence for people.
        shape: the IRI of the shape.
        component: the IRI of the SHACL constraint component.
        rule: the rule behind the shape, for example ``RFC 9676 §5.6``.
        source: the file and line of the record that described the node, where known.
    """

    severity: Severity
    focus: str
    path: str | None = None
    value: str | None = None
    message: str
    shape: str
    component: str
    rule: str
    source: Source | None = None

    @property
    def order(self) -> tuple[int, str, str, str, str, str]:
        """Sort key of the result in a report: the gravest first, then by node."""
        return (
            self.severity.rank,
            self.focus,
            self.shape,
            self.path or "",
            self.value or "",
            self.component,
        )

    @property
    def source_order(self) -> tuple[str, int, str]:
        """Sort key of the result in a report for people: by file and line, then by node."""
        source = self.source
        return ("", 0, self.focus) if source is None else (source.file, source.line, self.focus)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """Report of a check.

    Attributes:
        results: in the order of `Result.order`, each once.
        checked: the number of nodes checked, those of a class of lexurn.
        notes: remarks on the whole check, for example that nothing was checked.
    """

    results: tuple[Result, ...] = ()
    checked: int = 0
    notes: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """True where no result is a violation."""
        return self.count(Severity.VIOLATION) == 0

    def count(self, severity: Severity) -> int:
        """Count the results of a severity."""
        return sum(result.severity is severity for result in self.results)


def write_text_report(report: CheckReport) -> str:
    """Write a report as text: the results by file, line and node, then the notes and the counts."""
    by_source = attrgetter("source_order")
    lines: list[str] = []
    for _, group in groupby(sorted(report.results, key=by_source), by_source):
        results = list(group)
        source, focus = results[0].source, strip_brackets(results[0].focus)
        lines.append(focus if source is None else f"{source.file}:{source.line}: {focus}")
        # Each message stands once, with the values at fault.
        for (severity, message, rule), same in groupby(
            results, attrgetter("severity", "message", "rule")
        ):
            lines.append(f"  {_NOUNS[severity][0]}: {message}{f' ({rule})' if rule else ''}")
            for value in (strip_brackets(each.value) for each in same if each.value is not None):
                is_long = len(value) > _LONGEST_VALUE
                lines.append(f"    {value[:_LONGEST_VALUE]}..." if is_long else f"    {value}")
    lines.extend(f"note: {note}" for note in report.notes)
    counts = ((report.count(each), each) for each in Severity)
    found = ", ".join(format_count(count, severity) for count, severity in counts if count)
    if report.checked:
        nodes = "node" if report.checked == 1 else "nodes"
        sound = "no faults among these" if report.notes else "nothing is wrong"
        lines.append(f"{report.checked:,} {nodes} checked: {found or sound}")
    else:
        lines.append(f"nothing was checked: {found}" if found else "nothing was checked")
    return "\n".join(lines) + "\n"


def format_count(number: int, severity: Severity) -> str:
    """Write a number of results of one severity with its noun."""
    return f"{number:,} {_NOUNS[severity][number != 1]}"


def make_json_report(report: CheckReport) -> dict[str, Any]:
    """Make JSON values of a report (``ontology/report.schema.json``).

    IRIs have no brackets, blank nodes are ``_:label``, literals are as in N-Triples.
    """
    return {
        "conforms": report.conforms,
        "checked": report.checked,
        "counts": {each.value.lower(): report.count(each) for each in Severity},
        "notes": list(report.notes),
        "results": [
            {
                "severity": result.severity.value.lower(),
                "file": None if result.source is None else result.source.file,
                "line": None if result.source is None else result.source.line,
                "focus": strip_brackets(result.focus),
                "path": result.path and strip_brackets(result.path),
                "value": result.value and strip_brackets(result.value),
                "message": result.message,
                "rule": result.rule,
                "shape": result.shape,
                "component": result.component,
            }
            for result in report.results
        ],
    }


def strip_brackets(term: str) -> str:
    """Return an IRI without its brackets; a path of several IRIs and other terms as they are."""
    return term[1:-1] if term.startswith("<") and ">" not in term[:-1] else term


def write_turtle_report(report: CheckReport) -> bytes:
    """Write a report as Turtle in the vocabulary of SHACL; equal results give equal bytes.

    ``sh:conforms`` is true only where there is no result at all, not even a warning (SHACL §3.6.1).
    Notes are ``rdfs:comment``; the file and line of a result are ``dc:source``, written
    ``acts.csv#line=12``.
    """
    lines = [f"  sh:conforms {'false' if report.results else 'true'}"]
    lines.extend(f"  rdfs:comment {write_turtle_text(note)}@en" for note in report.notes)
    for result in report.results:
        statements = " ;\n".join(f"    {statement}" for statement in _list_statements(result))
        lines.append(f"  sh:result [\n{statements}\n  ]")
    return (_TURTLE_HEAD + " ;\n".join(lines) + " .\n").encode()


def _list_statements(result: Result) -> Iterator[str]:
    yield "a sh:ValidationResult"
    yield f"sh:resultSeverity sh:{result.severity.value}"
    yield f"sh:focusNode {write_turtle_term(result.focus)}"
    # A shape gives the path as SHACL's node; a result without a shape has the property itself.
    shape = load_shapes().shapes.get(result.shape)
    path = result.path if shape is None or shape.path is None else shape.path.turtle
    if path:
        yield f"sh:resultPath {path}"
    if result.value is not None:
        yield f"sh:value {write_turtle_term(result.value)}"
    yield f"sh:resultMessage {write_turtle_text(result.message)}@en"
    yield f"sh:sourceShape <{result.shape}>"
    yield f"sh:sourceConstraintComponent <{result.component}>"
    if result.source is not None:
        yield f"dc:source {write_turtle_text(f'{result.source.file}#line={result.source.line}')}"


def write_turtle_term(term: str) -> str:
    """Write a term for Turtle; as a text where RDF does not allow it: that is the fault found."""
    if not term.startswith("<"):
        return term
    try:
        return str(pyoxigraph.NamedNode(term[1:-1]))
    except ValueError:
        return write_turtle_text(term[1:-1])


def write_turtle_text(text: str) -> str:
    """Write a text as a literal; lone surrogates, which no encoding can carry, become ``?``."""
    return str(pyoxigraph.Literal(text.encode(errors="replace").decode()))
