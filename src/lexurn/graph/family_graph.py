"""Graph of a family: made once, then written in parts, some nodes for each page."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lexurn.graph.concepts import describe_concepts, find_concepts
from lexurn.graph.jsonld import JsonNode, read_json_node, write_json_nodes
from lexurn.graph.layers import gather_layers, write_layers
from lexurn.graph.statements import Layer, Statements, node_sort_key, sort_objects
from lexurn.graph.writing import Format, join_turtle_blocks, write, write_turtle_block
from lexurn.model import read_day

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.graph.layers import NodeProperties
    from lexurn.graph.statements import Triple
    from lexurn.graph.writing import TurtleBlock
    from lexurn.model import Family

_LEX_PREFIX = "<urn:lex:"


class _Node:
    """Node with its properties in some layers; each form of it is made at most once."""

    def __init__(self, term: str, layers: Sequence[NodeProperties]) -> None:
        self.term, self.layers = term, layers
        self.predicates: dict[str, list[str]] = {}
        for each in (each for layer in layers for each in layer.get(term, ())):
            predicate, _, value = each.partition(" ")
            self.predicates.setdefault(predicate, []).append(value)
        for predicate, values in self.predicates.items():
            if len(values) > 1:
                self.predicates[predicate] = sort_objects(values)

    @cached_property
    def others(self) -> tuple[str, ...]:
        """Nodes that belong to it: described objects that are not LEX names."""
        return tuple(
            value
            for values in self.predicates.values()
            for value in values
            if value[0] == "<"
            and not value.startswith(_LEX_PREFIX)
            and any(value in layer for layer in self.layers)
        )

    @cached_property
    def block(self) -> TurtleBlock:
        """Statements in Turtle."""
        return write_turtle_block(self.term, self.predicates)

    @cached_property
    def json(self) -> JsonNode:
        """Node in JSON-LD."""
        return read_json_node(self.predicates)

    def list_triples(self, layer: int) -> Iterator[Triple]:
        """List the triples in one layer."""
        for each in self.layers[layer].get(self.term, ()) if layer < len(self.layers) else ():
            predicate, _, value = each.partition(" ")
            yield self.term, predicate, value


class FamilyGraph:
    """Graph of a family in three layers, with the statements on the concepts of its acts."""

    def __init__(self, family: Family, *, as_of: dt.date | str, base: str | None = None) -> None:
        """Make the graph; arguments and errors are those of `lexurn.graph.statements_of`."""
        self._layers = gather_layers(family, read_day(as_of), base)
        decoded, catalogued, computed = self._layers
        concepts: dict[str, list[str]] = {}
        for concept, predicate, value in describe_concepts(find_concepts((family,))).computed:
            concepts.setdefault(concept, []).append(f"{predicate} {value}")
        self._described = (decoded, catalogued, {**computed, **concepts})
        self._nodes: dict[str, _Node] = {}
        self._decoded: dict[str, _Node] = {}

    def write_nquads(self) -> bytes:
        """Write the family as canonical N-Quads, without its concepts; see `nquads_of`."""
        return write_layers(self._layers)

    def write_excerpt(
        self,
        nodes: Iterable[str],
        ancestors: Iterable[str],
        form: Format,
        *,
        context: str | None = None,
        root: str | None = None,
    ) -> bytes:
        """Write the canonical bytes of the statements on some nodes.

        What these link to and is no LEX name belongs to them: records, copies, concepts.

        Args:
            nodes: the nodes.
            ancestors: nodes of which only the decoded layer is written.
            form: the format.
            context: for JSON-LD, the URL of the context; None to write the context inside.
            root: for JSON-LD, the IRI of the node at the top; None for ``@graph``.
        """
        found = self._find_nodes(nodes)
        for term in ancestors:
            if term not in found and term in self._layers[0]:
                if term not in self._decoded:
                    self._decoded[term] = _Node(term, self._layers[:1])
                found[term] = self._decoded[term]
        in_order = [found[term] for term in sorted(found, key=node_sort_key)]
        if form is Format.TURTLE:
            return join_turtle_blocks(node.block for node in in_order).encode()
        if form is Format.JSONLD:
            json_nodes = {node.term: node.json for node in in_order}
            top = None if root is None else f"<{root}>"
            return write_json_nodes(json_nodes, context, top).encode()
        layers = {
            layer: tuple(triple for node in in_order for triple in node.list_triples(number))
            for number, layer in enumerate(Layer)
        }
        return write(Statements(**layers), form)

    def _find_nodes(self, terms: Iterable[str]) -> dict[str, _Node]:
        """Find nodes, and those that belong to them."""
        found: dict[str, _Node] = {}
        waiting = list(terms)
        while waiting:
            term = waiting.pop()
            node = self._nodes.get(term)
            if node is None and any(term in layer for layer in self._described):
                node = self._nodes[term] = _Node(term, self._described)
            if node is not None and term not in found:
                found[term] = node
                waiting += node.others
        return found
