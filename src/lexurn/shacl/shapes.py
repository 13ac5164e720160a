"""Shapes as data: Turtle for the engines, messages, rules and paths for the reports."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pyoxigraph

from lexurn import data
from lexurn.errors import LexurnError
from lexurn.vocabulary import RDF, RDFS, SH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

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
        triples: all of them, with the nodes that they refer to.
        shapes: each shape that can give results, by its IRI.
        of_names: the IRIs of the shapes that compare a node with its own name. Each of them looks
            at that node alone.
    """

    triples: tuple[pyoxigraph.Triple, ...]
    shapes: Mapping[str, Shape]
    of_names: frozenset[str] = frozenset()

    @property
    def turtle(self) -> str:
        """Turtle of these shapes, for the engines."""
        written = pyoxigraph.serialize(self.triples, format=pyoxigraph.RdfFormat.TURTLE)
        return (written or b"").decode()

    def select(self, is_kept: Callable[[str], bool]) -> ShapeSet:
        """Return the shapes that are kept, with the shapes that they refer to."""
        triples: dict[object, list[pyoxigraph.Triple]] = defaultdict(list)
        pending: list[object] = []
        for each in self.triples:
            if not each.predicate.value.startswith(f"{SH}target"):
                triples[each.subject].append(each)
            elif is_kept(str(each.subject).strip("<>")):
                triples[each.subject].append(each)
                pending.append(each.subject)
        kept: list[pyoxigraph.Triple] = []
        while pending:
            own = triples.pop(pending.pop(), [])
            kept += own
            pending += [triple.object for triple in own]
        shapes = {iri: shape for iri, shape in self.shapes.items() if is_kept(iri)}
        return ShapeSet(
            triples=tuple(kept),
            shapes=MappingProxyType(shapes),
            of_names=frozenset(filter(is_kept, self.of_names)),
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
    try:
        found = pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE)
        triples = tuple(quad.triple for quad in found)
    except SyntaxError as error:
        raise CheckError(f"The shapes are not Turtle: {error}") from error
    nodes: dict[str, dict[str, list[Any]]] = defaultdict(lambda: defaultdict(list))
    for each in triples:
        nodes[str(each.subject)][each.predicate.value].append(each.object)
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
    return ShapeSet(triples=triples, shapes=MappingProxyType(shapes))


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
