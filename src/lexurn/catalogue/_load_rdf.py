"""Sources of RDF into a catalogue, with several processes."""

from __future__ import annotations

import os
from collections import deque
from functools import partial
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._giving import give
from lexurn.catalogue._load import Loader
from lexurn.catalogue._rdf_prepared import prepared_rdf, tasks_of
from lexurn.catalogue._rows import family_in
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue._catalogue import Catalogue
    from lexurn.catalogue._load import LoadOptions, LoadReport
    from lexurn.catalogue._rdf_prepared import PreparedRdf
    from lexurn.catalogue._rdf_source import RdfSource
    from lexurn.catalogue._rdf_spool import RdfGroup

    Groups = tuple[RdfGroup, ...]

__all__ = ["load_rdf"]

_NODES: Final = 5_000


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
    loading = _RdfLoading(catalogue, source, options)
    # Where something is held, what breaks a shape shows only when both are joined.
    check = options.check and catalogue.holdings.is_empty()
    waiting: deque[Groups] = deque()

    def tasks() -> Iterator[tuple[Groups]]:
        for task in tasks_of(source.groups(), _NODES):
            waiting.extend(task)
            yield task

    make = partial(prepared_rdf, as_of=options.as_of, base=catalogue.base, check=check)
    with Workers(options.jobs or os.cpu_count() or 1) as workers:
        give(workers.map(make, tasks()), lambda each: loading.take(waiting.popleft(), each))
    loading.loader.finish()
    source.finish()
    return loading.loader.report


class _RdfLoading:
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
        families = [family_in(made.rows[at].data) for at in left]
        names = sum(len(family.records) for family in families)
        self.loader.leave(len(same), made.names - names)
        for at in self.loader.take(families):
            self._source.refuse(groups[made.places[left[at]]], families[at])

    def _is_apart(self, made: PreparedRdf) -> bool:
        """Whether nothing that is held, and no shape, has a say in it."""
        if self._options.check:
            return made.is_sound and self._catalogue.is_new(made.rows)
        return self.loader.is_new(made.rows)
