"""Labels of blank nodes that depend on nothing but the graph (RDFC-1.0)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.graph._terms import Triple, is_blank

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Graphs", "canonical", "lines_of"]

Graphs = dict[str, list[Triple]]
"""Triples by the term of their named graph, ``""`` for the default graph."""


def canonical(graphs: Mapping[str, Iterable[Triple]]) -> Graphs:
    """The graphs with canonical labels for their blank nodes."""
    known = {graph: list(triples) for graph, triples in graphs.items()}
    if not any(map(_has_blanks, known.values())) and not any(map(is_blank, filter(None, known))):
        return known
    text = "".join(lines_of(known))
    dataset = pyoxigraph.Dataset(
        pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_QUADS, lenient=True)
    )
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.RDFC_1_0)
    relabelled: Graphs = {}
    for quad in dataset:
        graph = quad.graph_name
        key = "" if isinstance(graph, pyoxigraph.DefaultGraph) else str(graph)
        triple = (str(quad.subject), str(quad.predicate), str(quad.object))
        relabelled.setdefault(key, []).append(triple)
    return relabelled


def _has_blanks(triples: Iterable[Triple]) -> bool:
    return any(subject[0] == "_" or value[0] == "_" for subject, _, value in triples)


def lines_of(graphs: Mapping[str, Iterable[Triple]]) -> list[str]:
    """The lines of N-Quads (N-Triples for the default graph), sorted, none twice."""
    lines: set[str] = set()
    for graph, triples in graphs.items():
        end = f" {graph} .\n" if graph else " .\n"
        lines.update([f"{s} {p} {o}{end}" for s, p, o in triples])
    return sorted(lines)
