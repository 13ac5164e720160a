"""What keeps a catalogue right as time goes by: the day for what is in force, the index."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._endpoint import is_remote
from lexurn.catalogue._lots import held_in_lots
from lexurn.catalogue._merge import Merge
from lexurn.catalogue._told import NOBODY, Told
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable

    from lexurn.catalogue._catalogue import Catalogue
    from lexurn.manifest import RowFinding

__all__ = ["optimize", "rebuild", "refresh"]

_SOME: Final = 500


def refresh(
    catalogue: Catalogue, *, as_of: dt.date, on_progress: Callable[[int], None] | None = None
) -> int:
    """Say anew which version of each work is in force; how many alias sets that changed.

    Args:
        catalogue: open for writing.
        as_of: the day.
        on_progress: is told how many alias sets were looked at.

    Raises:
        CatalogueError: the store cannot be written.
    """
    keys, done, changed = catalogue.holdings.keys(), 0, 0
    while some := tuple(islice(keys, _SOME)):
        for lot, held in held_in_lots(catalogue.holdings, some, str):
            families = tuple(held)
            changed += len(catalogue.apply(Merge(old=families, new=families), as_of=as_of).new)
            done += len(lot)
            if on_progress is not None:
                on_progress(done)
    return changed


def optimize(catalogue: Catalogue) -> None:
    """Let a store put its files together, so that all that reads it is quicker.

    It pays once, after a load of much, and takes as much room beside as the store has. What was
    replaced or withdrawn leaves some room taken all the same; a dump that is loaded anew does not.

    Args:
        catalogue: open for writing.

    Raises:
        CatalogueError: the catalogue is on a server, or the disk is full.
    """
    from lexurn.catalogue._embedded import EmbeddedStore  # noqa: PLC0415  (loads an engine)

    if not isinstance(catalogue.store, EmbeddedStore):
        raise CatalogueError(f"{catalogue.place} is on a server, which looks after its own files")
    catalogue.store.optimize()
    catalogue.store.flush()


def rebuild(
    place: str,
    *,
    wait: float = 0.0,
    on_progress: Callable[[int], None] | None = None,
    on_finding: Callable[[RowFinding], None] | None = None,
    jobs: int | None = None,
) -> int:
    """Make the index of names of a catalogue again from its store; how many alias sets it has.

    Args:
        place: the folder of the catalogue.
        wait: how many seconds to wait for another process that has it open.
        on_progress: is told how many alias sets were done.
        on_finding: is told what the store holds that cannot be read as records; acts of which
            nothing can be read are known by their names, so that nobody is given them.
        jobs: how many processes build families; None for one a processor.

    Raises:
        CatalogueError: the catalogue is on a server, in use, or its store cannot be read.
    """
    if is_remote(place):
        raise CatalogueError(f"{place} is on a server, where there is no index to make again")
    from lexurn.catalogue._opening import rebuilt_folder  # noqa: PLC0415  (loads an engine)

    told = Told(on_progress or NOBODY.progress, on_finding or NOBODY.finding, jobs)
    with rebuilt_folder(Path(place), wait=wait, told=told) as catalogue:
        keys = catalogue.holdings.keys()
        return sum(1 for _ in keys)
