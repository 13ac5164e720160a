"""The nodes of a sample of works, in the order of the works, so that chunks can be cut."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_owners import act_of
from lexurn.graph import Layer
from lexurn.name import http_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._check_spool import Spool
    from lexurn.catalogue._protocols import Holdings
    from lexurn.model import Family

__all__ = ["LAYERS", "chunks_of_nodes", "gather_sample"]

LAYERS: Final = " ".join(f"FROM <{layer.iri}>" for layer in Layer)
_BATCH: Final = 500
_LARGEST: Final = 10


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
        act = act_of(record.name.iri.encode()).decode()
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
