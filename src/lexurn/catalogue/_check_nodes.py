"""The nodes of a store in the order of the works that they belong to, so that chunks can be cut.

What belongs to an act has its name in front; copies belong to a work that has them, other nodes to
a name that they are equal to. So almost all that a shape looks at lies in one chunk.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.catalogue._embedded import EmbeddedStore
from lexurn.catalogue._solutions import selected
from lexurn.graph import Layer
from lexurn.name import http_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.catalogue._check_spool import Spool
    from lexurn.catalogue._protocols import Holdings, Store
    from lexurn.model import Family

__all__ = ["LAYERS", "chunks_of_nodes", "gather_nodes", "gather_sample"]

LAYERS: Final = " ".join(f"FROM <{layer.iri}>" for layer in Layer)
_ITEM_OF: Final = "https://w3id.org/lexurn/ns#itemOf"
_SAME_AS: Final = "http://www.w3.org/2002/07/owl#sameAs"
_SUBJECTS: Final = f"SELECT REDUCED ?s {LAYERS} WHERE {{ ?s ?p ?o }}"
_OWNERS: Final = (
    f"SELECT ?s ?o {LAYERS} WHERE {{ ?s <{_ITEM_OF}> ?o }}",
    f'SELECT ?s ?o {LAYERS} WHERE {{ ?s <{_SAME_AS}> ?o FILTER(!STRSTARTS(STR(?s), "urn:lex:")) }}',
)
_ACT: Final = re.compile(r"urn:lex:[^:]*:[^:]*:[^:]*:[^:@$~]*")
_LINE: Final = re.compile(r"(\S+) <([^>]*)> (\S+)")
_STEP: Final = 10_000
_BATCH: Final = 500
_LARGEST: Final = 10


def gather_nodes(store: Store, spool: Spool, told: Callable[[str, int, int | None], None]) -> int:
    """Note the nodes of a store that are subjects, each with the work that it belongs to.

    Returns:
        How many blank nodes there are; they are not noted, since nobody can ask for them by name.
    """
    spool.database.execute("CREATE TABLE node (iri TEXT, owner TEXT)")
    counted = _Counted(told)
    pairs = _asked(store) if isinstance(store, EmbeddedStore) else _dumped(store)
    spool.fill("INSERT INTO node VALUES (?, ?)", counted.named(pairs))
    return counted.blank


class _Counted:
    """Pairs of nodes and owners on their way, counted."""

    def __init__(self, told: Callable[[str, int, int | None], None]) -> None:
        self.blank = 0
        self._told = told

    def named(self, pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
        for count, (node, owner) in enumerate(pairs):
            if count % _STEP == 0:
                self._told("listing nodes", count, None)
            if node.startswith("_:"):
                self.blank += 1
            else:
                yield node, _act_of(owner)


def _act_of(iri: str) -> str:
    """The act whose name stands in front of an IRI, else the IRI itself."""
    found = _ACT.match(iri)
    return iri if found is None else found[0]


def _asked(store: Store) -> Iterator[tuple[str, str]]:
    """Nodes and owners by SPARQL, which an engine of this process answers row by row."""
    for row in selected(store, _SUBJECTS):
        node = _plain(row["s"])
        yield node, node
    for text in _OWNERS:
        for row in selected(store, text):
            yield _plain(row["s"]), _plain(row["o"])


def _plain(term: object) -> str:
    return term.value if isinstance(term, pyoxigraph.NamedNode) else str(term)


def _dumped(store: Store) -> Iterator[tuple[str, str]]:
    """Nodes and owners from all quads: servers cut long answers, but hand out all of a graph."""
    last = ""
    for piece in store.dump():
        for line in piece.decode().split("\n"):
            found = _LINE.match(line)
            if found is None:
                continue
            node, predicate, value = found[1].strip("<>"), found[2], found[3].strip("<>")
            if node != last:
                yield node, node
            if predicate == _ITEM_OF or (predicate == _SAME_AS and node[:8] != "urn:lex:"):
                yield node, value
            last = node


def gather_sample(holdings: Holdings, spool: Spool, count: int, base: str | None) -> int:
    """Note the nodes of so many works, spread evenly over all; how many works these are."""
    spool.database.execute("CREATE TABLE node (iri TEXT, owner TEXT)")
    total = sum(1 for _ in holdings.keys())  # noqa: SIM118 - holdings are no mapping
    taken = min(count, total)
    wanted = {place * total // taken for place in range(taken)} if taken else set()
    keys = [key for place, key in enumerate(holdings.keys()) if place in wanted]
    for start in range(0, len(keys), _BATCH):
        families = holdings.families(keys[start : start + _BATCH])
        pairs = (pair for family in families for pair in _nodes_of(family, base))
        spool.fill("INSERT INTO node VALUES (?, ?)", pairs)
    return taken


def _nodes_of(family: Family, base: str | None) -> Iterator[tuple[str, str]]:
    for record in family.records:
        act = _act_of(record.name.iri)
        yield record.name.iri, act
        if base is not None:
            yield http_of(record.name, base).uri, act
        for item in record.items:
            yield item.url, act
            if item.sha256 is not None:
                yield f"urn:sha256:{item.sha256}", act


def chunks_of_nodes(spool: Spool, most: int) -> Iterator[tuple[str, ...]]:
    """The nodes in chunks, by work; an act is cut only where it has ten times that many nodes.

    Args:
        spool: where they were noted.
        most: how many nodes a chunk has, or some more up to the end of an act.
    """
    # Of several owners a name goes before the node itself: "http..." < "urn:lex:".
    query = "SELECT iri, MAX(owner) AS act FROM node GROUP BY iri ORDER BY act, iri"
    chunk: list[str] = []
    current: str | None = None
    for iri, act in spool.rows(query):
        if len(chunk) >= most and (act != current or len(chunk) >= most * _LARGEST):
            yield tuple(chunk)
            chunk = []
        chunk.append(iri)
        current = act
    if chunk:
        yield tuple(chunk)
