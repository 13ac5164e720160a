"""Loading of RDF: sources into a catalogue, and the index made again from its own store."""

from __future__ import annotations

import datetime as dt
import os
from collections import deque
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.catalogue.keys import make_rows, unpack_family
from lexurn.catalogue.loading import Loader, feed_store
from lexurn.catalogue.rdf_source import build_rdf, open_rdf_source
from lexurn.graph import Layer, nquads_of
from lexurn.model import Record, family_of, split_by_size
from lexurn.name import check
from lexurn.shacl import find_invalid_families
from lexurn.store import select_rows
from lexurn.vocabulary import MEASURE_TYPE
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Catalogue
    from lexurn.catalogue.index import Index, RebuildOptions
    from lexurn.catalogue.keys import FamilyRows
    from lexurn.catalogue.loading import LoadOptions, LoadReport
    from lexurn.catalogue.rdf_source import RdfFamilies, RdfSource
    from lexurn.catalogue.rdf_spool import RdfGroup
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.store import EmbeddedStore

    Groups = tuple[RdfGroup, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRdf:
    """What some alias sets of a source are to a catalogue that holds none of them.

    Attributes:
        rows: of the index, one for each.
        places: of the groups that these were made from, among those given.
        nquads: of all; empty where only the rows were asked for.
        settled: for `RdfSource.settle`: what was turned down, without the families.
        names: how many names they have.
        is_sound: whether it was asked if any of them breaks a shape, and none does.
    """

    rows: tuple[FamilyRows, ...]
    places: tuple[int, ...]
    nquads: bytes
    settled: tuple[RdfFamilies, ...]
    names: int
    is_sound: bool


def split_tasks(groups: Iterable[RdfGroup], nodes: int) -> Iterator[tuple[tuple[RdfGroup, ...]]]:
    """The groups as tasks for workers, in their order, each of about ``nodes`` nodes."""
    return ((lot,) for lot in split_by_size(groups, lambda group: len(group.parts), nodes))


def prepare_rdf(
    groups: Sequence[RdfGroup], *, as_of: dt.date, base: str | None, check: bool
) -> PreparedRdf:
    """Make some alias sets ready for a load.

    Args:
        groups: of `RdfSource.groups`.
        as_of: the day for which the version in force is asked.
        base: what HTTP-URI equivalents begin with, or None.
        check: whether it is asked if any breaks a shape.
    """
    families, places, settled = _build_groups(groups)
    nquads = [nquads_of(family, as_of=as_of, base=base) for family in families]
    return PreparedRdf(
        rows=tuple(make_rows(f, n, as_of) for f, n in zip(families, nquads, strict=True)),
        places=places,
        nquads=b"".join(nquads),
        settled=settled,
        names=sum(len(family.records) for family in families),
        is_sound=check and not find_invalid_families(families, as_of=as_of, base=base).broken,
    )


def prepare_index_rows(groups: Sequence[RdfGroup]) -> PreparedRdf:
    """Make some alias sets that a store holds ready for its index."""
    families, places, settled = _build_groups(groups)
    return PreparedRdf(
        rows=tuple(map(make_undated_rows, families)),
        places=places,
        nquads=b"",
        settled=settled,
        names=sum(len(family.records) for family in families),
        is_sound=False,
    )


def make_undated_rows(family: Family) -> FamilyRows:
    """The rows of a family in a store.

    Nobody knows as of which day the store says what is in force, nor all of its quads.
    """
    return replace(make_rows(family, b"", dt.date.min), digest=b"")


def _build_groups(
    groups: Iterable[RdfGroup],
) -> tuple[list[Family], tuple[int, ...], tuple[RdfFamilies, ...]]:
    families: list[Family] = []
    places: list[int] = []
    settled: list[RdfFamilies] = []
    for place, group in enumerate(groups):
        built = build_rdf(group)
        families += built.families
        places += [place] * len(built.families)
        if built.rejected or built.oversize is not None:
            settled.append(replace(built, families=()))
    return families, tuple(places), tuple(settled)


_NODES_AT_ONCE: Final = 5_000


def load_rdf(catalogue: Catalogue, source: RdfSource, options: LoadOptions) -> LoadReport:
    """Take sources of RDF into a catalogue; as `load` does their families, with several processes.

    What is said of families that are refused here goes to the rejects, like all that is no good.

    Args:
        catalogue: the catalogue, open for writing.
        source: the sources, of which nothing was read yet.
        options: how.

    Raises:
        CatalogueError: the store cannot be written, or the disk is full.
        CheckError: the check could not be made.
    """
    loading = _RdfLoad(catalogue, source, options)
    # Where something is held, what breaks a shape shows only when both are joined.
    check = options.check and catalogue.holdings.is_empty()
    waiting: deque[Groups] = deque()

    def tasks() -> Iterator[tuple[Groups]]:
        for task in split_tasks(source.groups(), _NODES_AT_ONCE):
            waiting.extend(task)
            yield task

    make = partial(prepare_rdf, as_of=options.as_of, base=catalogue.base, check=check)
    with Workers(options.jobs or os.cpu_count() or 1) as workers:
        feed_store(workers.map(make, tasks()), lambda each: loading.take(waiting.popleft(), each))
    loading.loader.finish()
    source.finish()
    return loading.loader.report


class _RdfLoad:
    """A load under way."""

    def __init__(self, catalogue: Catalogue, source: RdfSource, options: LoadOptions) -> None:
        self.loader = Loader(catalogue, options)
        self._catalogue, self._source, self._options = catalogue, source, options

    def take(self, groups: Groups, made: PreparedRdf) -> None:
        """Take in what another process made of some groups; by families, where some are held."""
        for built in made.settled:
            self._source.settle(built)
        if not made.rows:
            return
        if self._is_apart(made):
            self.loader.add(made.rows, made.nquads, made.names)
            return
        # What is unchanged may break a shape none the less.
        same = frozenset() if self._options.check else self._catalogue.same(made.rows)
        left = [at for at, each in enumerate(made.rows) if each.key not in same]
        families = [unpack_family(made.rows[at].data) for at in left]
        names = sum(len(family.records) for family in families)
        self.loader.leave(len(same), made.names - names)
        for at in self.loader.take(families):
            self._source.refuse(groups[made.places[left[at]]], families[at])

    def _is_apart(self, made: PreparedRdf) -> bool:
        """Whether nothing that is held, and no shape, has a say in it."""
        if self._options.check:
            return made.is_sound and self._catalogue.is_new(made.rows)
        return self.loader.is_new(made.rows)


_CHUNK: Final = 5_000
_ACTS_QUERY: Final = (
    f"SELECT ?act WHERE {{ GRAPH <{Layer.DECODED.iri}> {{ ?act {MEASURE_TYPE} ?type }} }}"
)


def fill_index(index: Index, store: EmbeddedStore, told: RebuildOptions) -> int:
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
        open_rdf_source([pieces], on_finding=told.finding) as source,
        Workers(told.jobs or os.cpu_count() or 1) as workers,
    ):
        for made in workers.map(prepare_index_rows, split_tasks(source.groups(), _CHUNK)):
            for built in made.settled:
                source.settle(built)
            index.settle((), made.rows)
            done += len(made.rows)
            told.progress(done)
        source.finish()
    lost = 0
    acts = _list_acts(store)
    while some := tuple(islice(acts, _CHUNK)):
        known = index.known([str(act) for act in some])
        bare = [family_of([Record(name=act)]) for act in some if str(act) not in known]
        index.settle((), map(make_undated_rows, bare))
        lost += len(bare)
    return lost


def _list_acts(store: EmbeddedStore) -> Iterator[Name]:
    """The acts that the store says anything of."""
    for row in select_rows(store, _ACTS_QUERY):
        name = check(row["act"].value).name
        if name is not None and name.is_act:
            yield name
