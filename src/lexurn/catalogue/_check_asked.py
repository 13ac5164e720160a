"""What a check asks of a store: queries about some nodes, and their answers as N-Triples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.catalogue._check_nodes import LAYERS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._protocols import Store

__all__ = [
    "ANY",
    "BLANK",
    "INTO",
    "OUT",
    "TYPES",
    "UNNAMED",
    "batches",
    "constructed",
    "filled",
    "subclasses_of",
]

_BATCH: Final = 500
OUT: Final = "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
INTO: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?o {{ {nodes} }} ?s ?p ?o "
    "FILTER(?p IN ({links})) }} LIMIT {limit}"
)
TYPES: Final = "CONSTRUCT {{ ?s a ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s a ?o }}"
ANY: Final = "SELECT DISTINCT ?s {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
BLANK: Final = (
    "CONSTRUCT {{ ?s ?p ?o . ?o ?q ?v }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o "
    "OPTIONAL {{ ?o ?q ?v FILTER(isBlank(?o)) }} }}"
)
UNNAMED: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ ?s ?p ?o FILTER(isBlank(?s) || isBlank(?o)) }} "
    "LIMIT {limit}"
)
_SUBCLASSES: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?p {{ "
    "<http://www.w3.org/2000/01/rdf-schema#subClassOf> }} ?s ?p ?o }}"
)


def batches(terms: list[str]) -> Iterator[list[str]]:
    """Terms in the numbers that one query may name."""
    for start in range(0, len(terms), _BATCH):
        yield terms[start : start + _BATCH]


def subclasses_of(store: Store) -> str:
    """What a store states on classes under classes, as N-Triples: usually nothing."""
    return constructed(store, _SUBCLASSES.format(layers=LAYERS))


def filled(query: str, nodes: Iterable[str], **values: object) -> str:
    """A query about some nodes, terms as N-Triples writes them."""
    return query.format(layers=LAYERS, nodes=" ".join(nodes), **values)


def constructed(store: Store, text: str) -> str:
    """The triples of a CONSTRUCT as N-Triples."""
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QueryTriples):
        return ""
    written = answer.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES)
    return "" if written is None else written.decode()
