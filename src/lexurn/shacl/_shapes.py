"""The shapes as data: their Turtle for the engines, their messages and rules for the reports."""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn import data
from lexurn.shacl._paths import Path, path_of
from lexurn.shacl._results import CheckError, Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["SHAPES", "Catalogue", "Shape", "catalogue", "catalogue_of"]

SHAPES = "https://w3id.org/lexurn/shapes#"
_SH = "http://www.w3.org/ns/shacl#"
_TARGET = f"{_SH}target"
_NAMES = "shapes/names.ttl"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_MESSAGE = f"<{_SH}message>"
_TARGETS = tuple(
    f"<{_SH}{name}>"
    for name in ("targetClass", "targetNode", "targetObjectsOf", "targetSubjectsOf")
)
_RULE = re.compile(r"RFC \d+ §[\d.]*\d(?:, §[\d.]*\d)*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One shape that can give results.

    Attributes:
        iri: its IRI.
        name: a short name for people.
        message: the sentence that a result of it says.
        rule: the rule of the RFC behind it.
        severity: how much its results weigh.
        path: the path of a property shape, or None.
    """

    iri: str
    name: str
    message: str
    rule: str
    severity: Severity
    path: Path | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """All shapes of a folder.

    Attributes:
        turtle: as Turtle.
        shapes: each shape that can give results, by its IRI.
        of_names: the IRIs of those that ask whether what a node says of itself is what its name
            says; each looks at that node alone.
    """

    turtle: str
    shapes: Mapping[str, Shape]
    of_names: frozenset[str] = frozenset()

    def without_targets(self, are_left: Callable[[str], bool]) -> str:
        """The Turtle, but only shapes whose IRI is left look for nodes by themselves."""
        turtle = pyoxigraph.RdfFormat.TURTLE
        kept = [
            quad.triple
            for quad in pyoxigraph.parse(self.turtle, format=turtle)
            if not quad.predicate.value.startswith(_TARGET)
            or are_left(str(quad.subject).strip("<>"))
        ]
        written = pyoxigraph.serialize(kept, format=turtle)
        return "" if written is None else written.decode()


@cache
def catalogue() -> Catalogue:
    """The shapes of lexurn.

    Raises:
        MissingDataError: the folder is absent or empty.
        CheckError: there is no shape in it, or one that cannot be read.
    """
    files = sorted(data.folder("shapes").glob("*.ttl"))
    whole = catalogue_of(file.read_text(encoding="utf-8") for file in files)
    names = _properties_of(data.text(_NAMES))
    of_names = frozenset(
        node[1:-1] for node, values in names.items() if set(_TARGETS) & set(values)
    )
    return replace(whole, of_names=of_names)


def catalogue_of(texts: Iterable[str]) -> Catalogue:
    """The shapes in some Turtle texts.

    Raises:
        CheckError: no shape among them has a target (a check against nothing finds nothing), or
            one cannot be read.
    """
    turtle = "\n".join(texts)
    properties = _properties_of(turtle)
    if not any(set(_TARGETS) & set(values) for values in properties.values()):
        raise CheckError("there are no shapes to check against; install lexurn again")
    shapes = (
        _shape_of(node, properties)
        for node, values in properties.items()
        if _MESSAGE in values and node.startswith("<")
    )
    return Catalogue(turtle=turtle, shapes=MappingProxyType({each.iri: each for each in shapes}))


def _properties_of(turtle: str) -> dict[str, dict[str, list[str]]]:
    """The values of each property of each node, as N-Triples writes them."""
    properties: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    try:
        for quad in pyoxigraph.parse(turtle, format=pyoxigraph.RdfFormat.TURTLE):
            properties[str(quad.subject)][str(quad.predicate)].append(str(quad.object))
    except SyntaxError as error:
        raise CheckError(f"the shapes are not Turtle: {error}") from error
    return {node: dict(values) for node, values in properties.items()}


def _shape_of(node: str, properties: Mapping[str, Mapping[str, list[str]]]) -> Shape:
    values = properties[node]
    severity = values.get(f"<{_SH}severity>", [f"<{_SH}Violation>"])[0]
    path = values.get(f"<{_SH}path>")
    rule = _RULE.search(_text(values, f"<{_SH}description>"))
    return Shape(
        iri=node[1:-1],
        name=_text(values, f"<{_RDFS}label>"),
        message=_text(values, _MESSAGE),
        rule=rule[0] if rule else "",
        severity=Severity(severity[1:-1].removeprefix(_SH)),
        path=path_of(path[0], properties) if path else None,
    )


def _text(values: Mapping[str, list[str]], predicate: str) -> str:
    """The text of a property, empty where there is none."""
    found = values.get(predicate, ['""'])[0]
    line = f"<x:s> <x:p> {found} ."
    quad = next(iter(pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)))
    return str(getattr(quad.object, "value", ""))
