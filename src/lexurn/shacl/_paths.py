"""Property paths of shapes, in the words of SPARQL (for people) and of SHACL (for RDF reports)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Path", "path_of"]

_SH = "http://www.w3.org/ns/shacl#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_FIRST, _REST = f"<{_RDF}first>", f"<{_RDF}rest>"
_MARKS = {"zeroOrMorePath": "*", "oneOrMorePath": "+", "zeroOrOnePath": "?"}


class Path(NamedTuple):
    """One path: as SPARQL writes it, and as Turtle writes SHACL's node for it."""

    sparql: str
    turtle: str


def path_of(node: str, properties: Mapping[str, Mapping[str, list[str]]]) -> Path:
    """The path that starts at ``node`` in a graph of shapes."""
    values = properties.get(node, {})
    if _FIRST in values:
        return _sequence([path_of(part, properties) for part in _members(node, properties)])
    if inverse := values.get(f"<{_SH}inversePath>"):
        inner = path_of(inverse[0], properties)
        return Path(f"^{inner.sparql}", f"[ sh:inversePath {inner.turtle} ]")
    if alternatives := values.get(f"<{_SH}alternativePath>"):
        parts = [path_of(part, properties) for part in _members(alternatives[0], properties)]
        listed = _sequence(parts).turtle
        return Path(f"({'|'.join(p.sparql for p in parts)})", f"[ sh:alternativePath {listed} ]")
    for name, mark in _MARKS.items():
        if repeated := values.get(f"<{_SH}{name}>"):
            inner = path_of(repeated[0], properties)
            return Path(f"{inner.sparql}{mark}", f"[ sh:{name} {inner.turtle} ]")
    return Path(node, node)


def _sequence(parts: Sequence[Path]) -> Path:
    sparql = "/".join(part.sparql for part in parts)
    return Path(sparql, f"( {' '.join(part.turtle for part in parts)} )")


def _members(node: str, properties: Mapping[str, Mapping[str, list[str]]]) -> Iterator[str]:
    """The members of a list."""
    while _FIRST in (values := properties.get(node, {})):
        yield values[_FIRST][0]
        node = values[_REST][0]
