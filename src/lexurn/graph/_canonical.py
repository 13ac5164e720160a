"""Labels of blank nodes that depend on the graph alone, in bounded time.

RDFC-1.0 takes exponential time on graphs made for that, and graphs come from strangers. So nodes
are told apart by what surrounds them, step by step further out (colour refinement); those that
still look alike are then taken one by one. Only graphs that defeat this bounded search, such as
regular ones without a text or IRI in them, may keep an order that depends on their old labels.
What lexurn makes of records has no blank nodes at all.
"""

from __future__ import annotations

from collections import defaultdict
from hashlib import sha256
from typing import TYPE_CHECKING

from lexurn.graph._terms import Triple, is_blank

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

__all__ = ["Graphs", "canonical", "lines_of"]

Graphs = dict[str, list[Triple]]
"""Triples by the term of their named graph, ``""`` for the default graph."""

_Quad = tuple[str, str, str, str]
_Colours = dict[str, str]

_EFFORT = 500_000
"""How many times a node is looked at, all nodes together."""


def canonical(graphs: Mapping[str, Iterable[Triple]]) -> Graphs:
    """The graphs with labels for their blank nodes that depend on the graphs alone."""
    known = {graph: list(triples) for graph, triples in graphs.items()}
    if not any(map(_has_blanks, known.values())) and not any(map(is_blank, filter(None, known))):
        return known
    quads = sorted({(*triple, graph) for graph, triples in known.items() for triple in triples})
    labels = _labels(quads)
    relabelled: Graphs = {graph: [] for graph in known if not graph or not is_blank(graph)}
    for quad in quads:
        subject, predicate, value, graph = (labels.get(term, term) for term in quad)
        relabelled.setdefault(graph, []).append((subject, predicate, value))
    return relabelled


def lines_of(graphs: Mapping[str, Iterable[Triple]]) -> list[str]:
    """The lines of N-Quads (N-Triples for the default graph), sorted, none twice."""
    lines: set[str] = set()
    for graph, triples in graphs.items():
        end = f" {graph} .\n" if graph else " .\n"
        lines.update([f"{s} {p} {o}{end}" for s, p, o in triples])
    return sorted(lines)


def _has_blanks(triples: Iterable[Triple]) -> bool:
    return any("_" in (subject[0], value[0]) for subject, _, value in triples)


def _labels(quads: Iterable[_Quad]) -> dict[str, str]:
    around: dict[str, list[_Quad]] = defaultdict(list)
    for quad in quads:
        for term in {term for term in quad if term[:1] == "_"}:
            around[term].append(quad)
    rounds = iter(range(_EFFORT // len(around) + 2))
    colours = _refined(dict.fromkeys(sorted(around), ""), around, rounds)
    for _ in rounds:
        alike = _first_alike(colours)
        if alike is None:
            break
        chosen = _digest([colours[alike], "chosen"])
        colours = _refined(colours | {alike: chosen}, around, rounds)
    order = sorted(around, key=lambda node: (colours[node], node))
    width = len(str(len(order)))
    return {node: f"_:b{place:0{width}d}" for place, node in enumerate(order)}


def _refined(
    colours: _Colours, around: Mapping[str, Iterable[_Quad]], rounds: Iterator[int]
) -> _Colours:
    """Colours that tell apart what the quads around a node and its neighbours tell apart."""
    for _ in rounds:
        finer = {node: _colour(node, quads, colours) for node, quads in around.items()}
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer
    return colours


def _colour(node: str, quads: Iterable[_Quad], colours: _Colours) -> str:
    seen = ("\x00".join([_look(term, node, colours) for term in quad]) for quad in quads)
    return _digest([colours[node], *sorted(seen)])


def _look(term: str, node: str, colours: _Colours) -> str:
    if term == node:
        return "_:"
    return f"_:{colours[term]}" if term in colours else term


def _digest(parts: Iterable[str]) -> str:
    return sha256("\x01".join(parts).encode()).hexdigest()


def _first_alike(colours: _Colours) -> str | None:
    """One of the nodes that no colour tells apart, None where all are told apart."""
    seen: dict[str, str] = {}
    alike = [
        (colours[node], seen[colours[node]])
        for node in sorted(colours)
        if seen.setdefault(colours[node], node) != node
    ]
    return min(alike)[1] if alike else None
