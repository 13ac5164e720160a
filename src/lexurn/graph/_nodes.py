"""Triples gathered by node, for the writers: what people read goes by node."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from lexurn.graph import _vocabulary as v
from lexurn.graph._terms import is_blank

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.graph._terms import Triple

__all__ = ["Nodes", "anonymous_in", "nodes_of", "place_of"]

Nodes = dict[str, dict[str, list[str]]]
"""Subject -> predicate -> objects."""

_DEEPEST = 8


def nodes_of(triples: Iterable[Triple]) -> Nodes:
    """The triples by subject and predicate, none twice, nodes in the order in which people read.

    Predicates stand in no order: each writer has its own.
    """
    nodes: Nodes = {}
    predicates: dict[str, list[str]] = {}
    last = None
    for subject, predicate, value in triples:
        if subject != last:  # triples of a node mostly come together
            predicates = nodes.setdefault(subject, {})
            last = subject
        if predicate in predicates:
            predicates[predicate].append(value)
        else:
            predicates[predicate] = [value]
    for predicates in nodes.values():
        for predicate, values in predicates.items():
            if len(values) > 1:
                predicates[predicate] = sorted(set(values), key=_value_place)
    return {node: nodes[node] for node in sorted(nodes, key=place_of)}


def place_of(node: str) -> tuple[int, str]:
    """Where a node stands: LEX names first, what is above before what is below, blanks last."""
    if is_blank(node):
        return 2, node
    return (0 if node.startswith("<urn:lex:") else 1), node[1:-1]


def _value_place(value: str) -> str:
    """Texts, IRIs (what is above before what is below), blanks."""
    return value[:-1] if value[0] == "<" else value


def anonymous_in(nodes: Mapping[str, Mapping[str, Iterable[str]]]) -> frozenset[str]:
    """The blank nodes that need no label: one place refers to them, and they can stand there.

    What refers to itself round a circle keeps a label, and so do classes and each node that would
    stand too deep to be read.
    """
    if not any(map(is_blank, nodes)):
        return frozenset()
    counts: Counter[str] = Counter()
    above: dict[str, str] = {}
    for node, predicates in nodes.items():
        for predicate, values in predicates.items():
            for value in [value for value in values if value[0] == "_"]:
                counts[value] += 2 if predicate == v.TYPE else 1
                above[value] = node
    once = {node: above[node] for node, count in counts.items() if count == 1}
    depths: dict[str, int] = {}
    for node in once:
        _find_depth(node, once, depths)
    return frozenset(node for node, depth in depths.items() if depth)


def _find_depth(node: str, above: Mapping[str, str], depths: dict[str, int]) -> None:
    """Note how deep a node and those above it stand; 0 is what keeps its label."""
    path: dict[str, None] = {}
    while node in above and node not in depths and node not in path:
        path[node] = None
        node = above[node]
    if node in path:
        depths[node] = 0
        del path[node]
    depth = depths.get(node, 0)
    for each in reversed(path):
        depth = (depth + 1) % (_DEEPEST + 1)
        depths[each] = depth
