"""What a check asks of a store: queries about some nodes, and their answers as N-Triples."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import pyoxigraph

from lexurn.catalogue._check_nodes import LAYERS
from lexurn.catalogue._embedded import EmbeddedStore
from lexurn.catalogue._remote_answers import CutError
from lexurn.catalogue._remote_rows import triples_in_parts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._protocols import Store
    from lexurn.catalogue._remote import RemoteStore

__all__ = [
    "ANY",
    "BLANK",
    "OUT",
    "TYPES",
    "UNNAMED",
    "asked",
    "batches",
    "constructed",
    "filled",
    "pointing",
    "subclasses_of",
]

_BATCH: Final = 500
_TRIPLES, _ROWS = "CONSTRUCT { ?s ?p ?o }", "SELECT ?s ?p ?o"
OUT: Final = "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
_INTO: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?o {{ {nodes} }} ?s ?p ?o "
    "FILTER(?p IN ({links})) }} LIMIT {limit}"
)
TYPES: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o "
    "FILTER(?p = <http://www.w3.org/1999/02/22-rdf-syntax-ns#type>) }}"
)
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


def asked(store: Store, query: str, nodes: Sequence[str], **values: object) -> str:
    """The triples of a CONSTRUCT about some nodes, as N-Triples.

    A server is asked for rows: some that cut what CONSTRUCT gives do not say so.

    Raises:
        CatalogueError: the store cannot be asked.
    """
    if isinstance(store, EmbeddedStore):
        return constructed(store, filled(query, nodes, **values))

    def text_of(some: Sequence[str]) -> str:
        return filled(query, some, **values).replace(_TRIPLES, _ROWS, 1)

    triples = triples_in_parts(cast("RemoteStore", store), nodes, text_of)
    return "".join(f"{subject} {link} {value} .\n" for subject, link, value in triples)


def pointing(
    store: Store, nodes: Sequence[str], links: str, most: int
) -> tuple[str, tuple[str, ...]]:
    """What points at some nodes by links, as N-Triples; and the nodes at which too much does.

    Args:
        store: the store.
        nodes: the nodes.
        links: the links, with commas between them.
        most: how much may point at one.
    """
    try:
        text = asked(store, _INTO, nodes, links=links, limit=most + 1)
    except CutError:
        text = None
    if text is not None and text.count("\n") <= most:
        return text, ()
    if len(nodes) == 1:
        return "", tuple(nodes)
    half = len(nodes) // 2
    one, other = (pointing(store, each, links, most) for each in (nodes[:half], nodes[half:]))
    return one[0] + other[0], one[1] + other[1]


def constructed(store: Store, text: str) -> str:
    """The triples of a CONSTRUCT as N-Triples."""
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QueryTriples):
        return ""
    written = answer.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES)
    return "" if written is None else written.decode()
