"""The index of names made again from the store that it follows from."""

from __future__ import annotations

import os
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._rdf_prepared import reindexed_rdf, tasks_of, undated_rows
from lexurn.catalogue._rdf_source import rdf_families
from lexurn.catalogue._remote_texts import MEASURE_TYPE
from lexurn.catalogue._solutions import selected
from lexurn.graph import Layer
from lexurn.model import Record, family_of
from lexurn.name import check
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._embedded import EmbeddedStore
    from lexurn.catalogue._index import Index
    from lexurn.catalogue._told import Told
    from lexurn.name import Name

__all__ = ["reindex"]

_CHUNK: Final = 5_000
_ACTS: Final = (
    f"SELECT ?act WHERE {{ GRAPH <{Layer.DECODED.iri}> {{ ?act {MEASURE_TYPE} ?type }} }}"
)


def reindex(index: Index, store: EmbeddedStore, told: Told) -> int:
    """Make an index again; how many acts it has by their names alone, since no more can be read.

    Args:
        index: the index, within a transaction.
        store: the store beside it.
        told: who is told of it, and how many processes there are.

    Raises:
        CatalogueError: the store cannot be read, or the index not be written.
    """
    index.clear()
    done = 0
    with (
        closing(store.dump()) as pieces,
        rdf_families([pieces], on_finding=told.finding) as source,
        Workers(told.jobs or os.cpu_count() or 1) as workers,
    ):
        for made in workers.map(reindexed_rdf, tasks_of(source.groups(), _CHUNK)):
            for built in made.settled:
                source.settle(built)
            index.settle((), made.rows)
            done += len(made.rows)
            told.progress(done)
        source.finish()
    lost = 0
    acts = _acts_in(store)
    while some := tuple(islice(acts, _CHUNK)):
        known = index.known([str(act) for act in some])
        bare = [family_of([Record(name=act)]) for act in some if str(act) not in known]
        index.settle((), map(undated_rows, bare))
        lost += len(bare)
    return lost


def _acts_in(store: EmbeddedStore) -> Iterator[Name]:
    """The acts that the store says anything of."""
    for row in selected(store, _ACTS):
        name = check(row["act"].value).name
        if name is not None and name.is_act:
            yield name
