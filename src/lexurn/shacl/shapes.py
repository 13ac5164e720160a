"""Shapes as data: Turtle for the engines, messages, rules and paths for the reports."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from lexurn import data
from lexurn.shacl.results import CheckError, Severity
from lexurn.vocabulary import RDF, RDFS, SH

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

SHAPES = "https://w3id.org/lexurn/shapes#"

_NAMES_FILE = "shapes/names.ttl"
_FIRST, _REST = f"<{RDF}first>", f"<{RDF}rest>"
_REPETITIONS = {"zeroOrMorePath": "*", "oneOrMorePath": "+", "zeroOrOnePath": "?"}
_MESSAGE = f"<{SH}message>"
_TARGET_PREFIX = f"{SH}target"
_TARGETS = frozenset(
    f"<{SH}{name}>" for name in ("targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf")
)
_RULE = re.compile(r"RFC \d+ §[\d.]*\d(?:, §[\d.]*\d)*")


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


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def without_targets(self, is_kept: Callable[[str], bool]) -> str:
        """Return the Turtle in which only the shapes that are kept have targets."""
        turtle = pyoxigraph.RdfFormat.TURTLE
        triples = [
            quad.triple
            for quad in pyoxigraph.parse(self.turtle, format=turtle)
            if not quad.predicate.value.startswith(_TARGET_PREFIX)
            or is_kept(str(quad.subject).strip("<>"))
        ]
        written = pyoxigraph.serialize(triples, format=turtle)
        return "" if written is None else written.decode()


@cache
def load_shapes() -> ShapeSet:
    """Load the shapes of lexurn.

    Raises:
        MissingDataError: the folder is absent or empty.
        CheckError: the folder holds no shape, or one that cannot be read.
    """
    files = sorted(data.find_folder("shapes").glob("*.ttl"))
    shapes = parse_shapes(file.read_text(encoding="utf-8") for file in files)
    of_names = frozenset(
        node[1:-1]
        for node, values in _read_properties(data.read_text(_NAMES_FILE)).items()
        if _TARGETS & values.keys()
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
    properties = _read_properties(turtle)
    if not any(_TARGETS & values.keys() for values in properties.values()):
        raise CheckError("There are no shapes to check against. Install lexurn again.")
    shapes = (
        _read_shape(node, properties)
        for node, values in properties.items()
        if _MESSAGE in values and node.startswith("<")
    )
    return ShapeSet(turtle=turtle, shapes=MappingProxyType({each.iri: each for each in shapes}))


def _read_properties(turtle: str) -> dict[str, dict[str, list[str]]]:
    """Return the values of each property of each node, as N-Triples writes them."""
    properties: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    try:
        for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE):
            properties[str(quad.subject)][str(quad.predicate)].append(str(quad.object))
    except SyntaxError as error:
        raise CheckError(f"The shapes are not Turtle: {error}") from error
    return {node: dict(values) for node, values in properties.items()}


def _read_shape(node: str, properties: Mapping[str, Mapping[str, list[str]]]) -> Shape:
    values = properties[node]
    severity = values.get(f"<{SH}severity>", [f"<{SH}Violation>"])[0]
    path = values.get(f"<{SH}path>")
    rule = _RULE.search(_read_text(values, f"<{SH}description>"))
    return Shape(
        iri=node[1:-1],
        name=_read_text(values, f"<{RDFS}label>"),
        message=_read_text(values, _MESSAGE),
        rule=rule[0] if rule else "",
        severity=Severity(severity[1:-1].removeprefix(SH)),
        path=_read_path(path[0], properties) if path else None,
    )


def _read_text(values: Mapping[str, list[str]], predicate: str) -> str:
    """Return the text of a property, empty where the node has none."""
    found = values.get(predicate, ['""'])[0]
    line = f"<x:s> <x:p> {found} ."
    quad = next(iter(pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)))
    return str(getattr(quad.object, "value", ""))


def _read_path(node: str, properties: Mapping[str, Mapping[str, list[str]]]) -> PropertyPath:
    """Read the path that starts at a node in a graph of shapes."""
    values = properties.get(node, {})
    if _FIRST in values:
        return _join_sequence(
            [_read_path(part, properties) for part in _list_members(node, properties)]
        )
    if inverse := values.get(f"<{SH}inversePath>"):
        inner = _read_path(inverse[0], properties)
        return PropertyPath(f"^{inner.sparql}", f"[ sh:inversePath {inner.turtle} ]")
    if alternatives := values.get(f"<{SH}alternativePath>"):
        members = _list_members(alternatives[0], properties)
        parts = [_read_path(part, properties) for part in members]
        listed = _join_sequence(parts).turtle
        return PropertyPath(
            f"({'|'.join(part.sparql for part in parts)})", f"[ sh:alternativePath {listed} ]"
        )
    for name, mark in _REPETITIONS.items():
        if repeated := values.get(f"<{SH}{name}>"):
            inner = _read_path(repeated[0], properties)
            return PropertyPath(f"{inner.sparql}{mark}", f"[ sh:{name} {inner.turtle} ]")
    return PropertyPath(node, node)


def _join_sequence(parts: Sequence[PropertyPath]) -> PropertyPath:
    sparql = "/".join(part.sparql for part in parts)
    return PropertyPath(sparql, f"( {' '.join(part.turtle for part in parts)} )")


def _list_members(node: str, properties: Mapping[str, Mapping[str, list[str]]]) -> Iterator[str]:
    """Yield the members of an RDF list."""
    while _FIRST in (values := properties.get(node, {})):
        yield values[_FIRST][0]
        node = values[_REST][0]
