"""Graph of a family: made once, then written in parts, some nodes for each page."""

from __future__ import annotations

from functools import cached_property, lru_cache
from sys import intern
from typing import TYPE_CHECKING

from lexurn.graph.concepts import describe_concepts, find_concepts
from lexurn.graph.jsonld import JsonNode, read_json_node, write_json_nodes
from lexurn.graph.layers import gather_layers, write_layers
from lexurn.graph.statements import Layer, Statements, node_sort_key, sort_objects
from lexurn.graph.writing import Format, join_turtle_blocks, write, write_turtle_block
from lexurn.model import read_day

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.graph.statements import Triple
    from lexurn.graph.writing import TurtleBlock
    from lexurn.model import Family

_LEX_PREFIX = "<urn:lex:"
_MOST_KEPT = 1_000
"""Number of names up to which nodes are kept for further pages; each takes some kilobytes."""


class _Properties:
    """Properties of a node in some layers; each form of them is written at most once."""

    def __init__(self, term: str, properties: Iterable[str]) -> None:
        self._term = term
        self.predicates: dict[str, list[str]] = {}
        for each in properties:
            predicate, _, value = each.partition(" ")
            self.predicates.setdefault(intern(predicate), []).append(value)  # few, in all nodes
        for predicate, values in self.predicates.items():
            if len(values) > 1:
                self.predicates[predicate] = sort_objects(values)

    @cached_property
    def block(self) -> TurtleBlock:
        """Statements in Turtle."""
        return write_turtle_block(self._term, self.predicates)

    @cached_property
    def json(self) -> JsonNode:
        """Node in JSON-LD."""
        return read_json_node(self.predicates)


@lru_cache(maxsize=4_096)
def _describe_concept(concept: str) -> _Properties:
    """Describe a concept: the acts of many families share it."""
    statements = describe_concepts((concept,)).computed
    found = [f"{predicate} {value}" for node, predicate, value in statements if node == concept]
    return _Properties(concept, found)


class FamilyGraph:
    """Graph of a family in three layers, with the statements on the concepts of its acts."""

    def __init__(self, family: Family, *, as_of: dt.date | str, base: str | None = None) -> None:
        """Make the graph; arguments and errors are those of `lexurn.graph.statements_of`."""
        self._family = family
        self._layers = gather_layers(family, read_day(as_of), base)
        self._keeps = len(family.records) <= _MOST_KEPT
        self._nodes: dict[str, _Properties] = {}
        self._others: dict[str, list[str]] = {}
        self._decoded: dict[str, _Properties] = {}

    @cached_property
    def _concepts(self) -> Mapping[str, _Properties]:
        triples = describe_concepts(find_concepts((self._family,))).computed
        return {concept: _describe_concept(concept) for concept, _, _ in triples}

    def write_nquads(self) -> bytes:
        """Write the family as canonical N-Quads, without its concepts; see `nquads_of`."""
        return write_layers(self._layers)

    def select(self, nodes: Iterable[str], ancestors: Iterable[str]) -> Excerpt:
        """Select the statements on some nodes.

        What these link to and is no LEX name belongs to them: records, copies, concepts.

        Args:
            nodes: the nodes.
            ancestors: nodes of which only the decoded layer is selected.
        """
        # In a large family, the terms alone are stored.
        found: dict[str, _Properties | None] = {}
        waiting = list(nodes)
        while waiting:
            term = waiting.pop()
            node = None if term in found else self.find_node(term)
            if node is not None:
                found[term] = node if self._keeps else None
                waiting += self._others[term] if self._keeps else self._find_others(node)
        decoded = self._layers[0]
        for term in ancestors:
            if term not in found and term in decoded:
                if term not in self._decoded:
                    self._decoded[term] = _Properties(term, decoded[term])
                found[term] = self._decoded[term]
        return Excerpt(self, {term: found[term] for term in sorted(found, key=node_sort_key)})

    def find_node(self, term: str) -> _Properties | None:
        """Find the properties of a node; None where there are none."""
        node = self._nodes.get(term) or self._concepts.get(term)
        if node is None and any(term in layer for layer in self._layers):
            properties = (each for layer in self._layers for each in layer.get(term, ()))
            node = _Properties(term, properties)
        if self._keeps and node is not None and term not in self._nodes:
            self._nodes[term] = node
            self._others[term] = self._find_others(node)
        return node

    def _find_others(self, node: _Properties) -> list[str]:
        """Find the objects that belong to a node."""
        return [
            value
            for values in node.predicates.values()
            for value in values
            if value[0] == "<" and not value.startswith(_LEX_PREFIX)
            if value in self._concepts or any(value in layer for layer in self._layers)
        ]

    def list_statements(self, nodes: Mapping[str, _Properties | None]) -> Statements:
        """List the statements on nodes: all of them, or the decoded ones of an ancestor."""
        layers: dict[str, tuple[Triple, ...]] = {}
        for number, layer in enumerate(Layer):
            known = [
                (term, predicate, value)
                for term, node in nodes.items()
                if layer is Layer.DECODED or node is None or node is not self._decoded.get(term)
                for each in self._layers[number].get(term, ())
                for predicate, _, value in (each.partition(" "),)
            ]
            if layer is Layer.COMPUTED:
                known += [
                    (term, predicate, value)
                    for term in nodes
                    if term in self._concepts
                    for predicate, values in self._concepts[term].predicates.items()
                    for value in values
                ]
            layers[layer] = tuple(known)
        return Statements(**layers)


class Excerpt:
    """Statements on some nodes of a family, to be written in several formats."""

    def __init__(self, whole: FamilyGraph, nodes: Mapping[str, _Properties | None]) -> None:
        """Store the graph, and the nodes in reading order; None to find them when needed."""
        self._whole, self._nodes = whole, nodes

    def write(self, form: Format, *, context: str | None = None, root: str | None = None) -> bytes:
        """Write the canonical bytes of the statements; see `lexurn.graph.write`."""
        nodes = self._nodes
        if form is Format.TURTLE:
            return join_turtle_blocks(node.block for _, node in self._list_nodes()).encode()
        if form is Format.JSONLD:
            top = None if root is None else f"<{root}>"
            json_nodes = {term: node.json for term, node in self._list_nodes()}
            return write_json_nodes(json_nodes, context, top).encode()
        return write(self._whole.list_statements(nodes), form)

    def _list_nodes(self) -> Iterator[tuple[str, _Properties]]:
        for term, known in self._nodes.items():
            node = known or self._whole.find_node(term)
            if node is not None:
                yield term, node
