"""Shapes as data, and their results, with reports as text, JSON and RDF.

The engines read the Turtle of the shapes. Reports have their messages, rules and paths.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from itertools import groupby
from operator import attrgetter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph

from lexurn import data
from lexurn.errors import LexurnError
from lexurn.vocabulary import RDF, RDFS, SH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from lexurn.model import Source

    _Nodes = Mapping[str, Mapping[str, list[Any]]]


SHAPES = "https://w3id.org/lexurn/shapes#"

_REPETITIONS = {"zeroOrMorePath": "*", "oneOrMorePath": "+", "zeroOrOnePath": "?"}
_TARGETS = frozenset(
    f"{SH}{name}" for name in ("targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf")
)
_RULE = re.compile(r"RFC \d+ §[\d.]*\d(?:, §[\d.]*\d)*")


class CheckError(LexurnError, RuntimeError):
    """Check that could not be made: no shapes, no engine, or an engine that failed."""


class Severity(StrEnum):
    """Severities of SHACL; only a violation prevents publication."""

    VIOLATION = "Violation"
    WARNING = "Warning"
    INFO = "Info"

    @property
    def rank(self) -> int:
        """Rank of the severity: 0 for the gravest."""
        return tuple(Severity).index(self)


class PropertyPath(NamedTuple):
    """Property path: as SPARQL writes it, and as Turtle writes SHACL's node for it."""

    sparql: str
    turtle: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """Shape that can give results.

    Attributes:
        iri: its IRI.
        name: a short name for people.
        message: the sentence that its results show.
        rule: the rule of the RFC behind it.
        severity: the severity of its results.
        path: the path of a property shape, or None.
    """

    iri: str
    name: str
    message: str
    rule: str
    severity: Severity
    path: PropertyPath | None = None


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ShapeSet:
    """Shapes of a folder.

    Attributes:
        turtle: all of them as Turtle.
        shapes: each shape that can give results, by its IRI.
        of_names: the IRIs of the shapes that compare a node with its own name. Each of them looks
            at that node alone.
    """

    turtle: str
    shapes: Mapping[str, Shape]
    of_names: frozenset[str] = frozenset()

    def select(self, is_kept: Callable[[str], bool]) -> ShapeSet:
        """Return the shapes that are kept, with the shapes that they refer to."""
        turtle = pyoxigraph.RdfFormat.TURTLE
        triples: dict[object, list[pyoxigraph.Triple]] = defaultdict(list)
        pending: list[object] = []
        for quad in pyoxigraph.parse(self.turtle, format=turtle):
            if not quad.predicate.value.startswith(f"{SH}target"):
                triples[quad.subject].append(quad.triple)
            elif is_kept(str(quad.subject).strip("<>")):
                triples[quad.subject].append(quad.triple)
                pending.append(quad.subject)
        kept: list[pyoxigraph.Triple] = []
        while pending:
            own = triples.pop(pending.pop(), [])
            kept += own
            pending += [triple.object for triple in own]
        written = pyoxigraph.serialize(kept, format=turtle) or b""
        shapes = {iri: shape for iri, shape in self.shapes.items() if is_kept(iri)}
        of_names = frozenset(filter(is_kept, self.of_names))
        return replace(
            self, turtle=written.decode(), shapes=MappingProxyType(shapes), of_names=of_names
        )


@cache
def load_shapes() -> ShapeSet:
    """Load the shapes of lexurn.

    Raises:
        MissingDataError: the folder is absent or empty.
        CheckError: the folder holds no shape, or one that cannot be read.
    """
    files = sorted(data.find_folder("shapes").glob("*.ttl"))
    shapes = parse_shapes(file.read_text(encoding="utf-8") for file in files)
    names = data.read_text("shapes/names.ttl")
    of_names = frozenset(
        quad.subject.value
        for quad in pyoxigraph.parse(names, format=pyoxigraph.RdfFormat.TURTLE)
        if quad.predicate.value in _TARGETS
    )
    return replace(shapes, of_names=of_names)


def load_shapes_by_name() -> Mapping[str, Shape]:
    """Return the shapes that can give results, by the last part of their IRIs: ``License``.

    Raises:
        CheckError: there are no shapes.
        MissingDataError: the folder of the shapes is absent.
    """
    return {shape.iri.removeprefix(SHAPES): shape for shape in load_shapes().shapes.values()}


def parse_shapes(texts: Iterable[str]) -> ShapeSet:
    """Parse shapes from Turtle texts.

    Raises:
        CheckError: no shape among them has a target (a check against nothing finds nothing), or
            one cannot be read.
    """
    turtle = "\n".join(texts)
    nodes = _read_nodes(turtle)
    if not any(_TARGETS & values.keys() for values in nodes.values()):
        raise CheckError("There are no shapes to check against. Install lexurn again.")
    shapes: dict[str, Shape] = {}
    for node, values in nodes.items():
        if node.startswith("<") and f"{SH}message" in values:
            texts_of = {term: found[0].value for term, found in values.items()}
            rule = _RULE.search(texts_of.get(f"{SH}description", ""))
            path = values.get(f"{SH}path")
            shapes[node[1:-1]] = Shape(
                iri=node[1:-1],
                name=texts_of.get(f"{RDFS}label", ""),
                message=texts_of[f"{SH}message"],
                rule=rule[0] if rule else "",
                severity=Severity(texts_of.get(f"{SH}severity", "Violation").removeprefix(SH)),
                path=_read_path(path[0], nodes) if path else None,
            )
    return ShapeSet(turtle=turtle, shapes=MappingProxyType(shapes))


def _read_nodes(turtle: str) -> _Nodes:
    """Read the nodes of a Turtle text: the values of each property, by its IRI."""
    nodes: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    try:
        for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE):
            nodes[str(quad.subject)][quad.predicate.value].append(quad.object)
    except SyntaxError as error:
        raise CheckError(f"The shapes are not Turtle: {error}") from error
    return {node: dict(values) for node, values in nodes.items()}


def _read_path(node: object, nodes: _Nodes) -> PropertyPath:
    """Read the path that starts at a node in a graph of shapes."""
    values = nodes.get(str(node), {})
    if f"{RDF}first" in values:
        parts = _read_paths(node, nodes)
        return PropertyPath("/".join(part.sparql for part in parts), _write_list(parts))
    if inverse := values.get(f"{SH}inversePath"):
        inner = _read_path(inverse[0], nodes)
        return PropertyPath(f"^{inner.sparql}", f"[ sh:inversePath {inner.turtle} ]")
    if alternatives := values.get(f"{SH}alternativePath"):
        parts = _read_paths(alternatives[0], nodes)
        choice = "|".join(part.sparql for part in parts)
        return PropertyPath(f"({choice})", f"[ sh:alternativePath {_write_list(parts)} ]")
    for name, mark in _REPETITIONS.items():
        if repeated := values.get(f"{SH}{name}"):
            inner = _read_path(repeated[0], nodes)
            return PropertyPath(f"{inner.sparql}{mark}", f"[ sh:{name} {inner.turtle} ]")
    return PropertyPath(str(node), str(node))


def _read_paths(node: object, nodes: _Nodes) -> list[PropertyPath]:
    """Read the paths in an RDF list."""
    paths = []
    while f"{RDF}first" in (values := nodes.get(str(node), {})):
        paths.append(_read_path(values[f"{RDF}first"][0], nodes))
        node = values[f"{RDF}rest"][0]
    return paths


def _write_list(parts: Iterable[PropertyPath]) -> str:
    return f"( {' '.join(part.turtle for part in parts)} )"


# --- results and reports --------------------------------------------------------------

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
