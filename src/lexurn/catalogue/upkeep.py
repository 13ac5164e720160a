"""Upkeep: names withdrawn, the day for what is in force, the index, the files of the store.

A name is withdrawn by a tombstone, never deleted (RFC 9676 sections 2.2, 9.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.catalogue.catalogue import Merge, read_in_lots
from lexurn.catalogue.index import DEFAULT_OPTIONS, RebuildOptions
from lexurn.catalogue.loading import LoadOptions, load
from lexurn.errors import CatalogueError
from lexurn.model import Status, family_of, today
from lexurn.store import is_remote

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Catalogue
    from lexurn.catalogue.loading import Refusal
    from lexurn.findings import Finding
    from lexurn.model import Family, Record
    from lexurn.name import Name

_KEYS_AT_ONCE: Final = 500


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
    while some := tuple(islice(keys, _KEYS_AT_ONCE)):
        for lot, held in read_in_lots(catalogue.holdings, some, str):
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
    from lexurn.store import EmbeddedStore  # noqa: PLC0415  (loads an engine)

    if not isinstance(catalogue.store, EmbeddedStore):
        raise CatalogueError(f"{catalogue.place} is on a server, which looks after its own files")
    catalogue.store.optimize()
    catalogue.store.flush()


def rebuild(
    place: str,
    *,
    wait: float = 0.0,
    on_progress: Callable[[int], None] | None = None,
    on_finding: Callable[[Finding], None] | None = None,
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
    from lexurn.catalogue.opening import rebuild_folder  # noqa: PLC0415  (loads an engine)

    told = RebuildOptions(
        on_progress or DEFAULT_OPTIONS.progress, on_finding or DEFAULT_OPTIONS.finding, jobs
    )
    with rebuild_folder(Path(place), wait=wait, told=told) as catalogue:
        keys = catalogue.holdings.keys()
        return sum(1 for _ in keys)


_NAMES_AT_ONCE: Final = 500


class WithdrawalOutcome(StrEnum):
    """What became of a name that was to be withdrawn."""

    WITHDRAWN = "withdrawn"
    BEFORE = "withdrawn before"
    MOVED = "withdrawal moved"
    UNKNOWN = "not held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """A name and what became of it.

    Attributes:
        name: the name.
        outcome: whether it was withdrawn now, was so before, on another day, or is not held.
        on: since when it is withdrawn; None where nobody says.
        before: the day that was stated until now, where that was another.
    """

    name: Name
    outcome: WithdrawalOutcome
    on: dt.date | None = None
    before: dt.date | None = None


def withdraw(
    catalogue: Catalogue,
    names: Iterable[Name],
    *,
    as_of: dt.date,
    on: dt.date | None = None,
    below: bool = False,
) -> Iterator[Withdrawal]:
    """Withdraw names: they stay, with all that is stated of them, and say that they are withdrawn.

    Args:
        catalogue: a catalogue that is open for writing.
        names: the names, of any level; each by itself.
        as_of: the day for which the version in force is asked.
        on: since when they are withdrawn, those that were so before too; None: today, and what
            was withdrawn before keeps its day. However that may be, they are withdrawn at once.
        below: whether everything below a name is withdrawn with it: annexes, versions, formats.
            What of it was withdrawn before keeps its day.

    Yields:
        What became of each name, in their order; those below follow the name, sorted.

    Raises:
        CatalogueError: the catalogue cannot be written.
    """
    waiting = iter(names)
    options = LoadOptions(as_of=as_of, jobs=1, on_refused=_raise_refusal)
    while some := tuple(islice(waiting, _NAMES_AT_ONCE)):
        for lot, families in read_in_lots(catalogue.holdings, some, _find_act_text):
            held = {record.name: record for family in families for record in family.records}
            reached = _find_reached(lot, held, below=below)
            stones = {
                each: _make_tombstone(held[each], on, is_named=each in reached)
                for names in reached.values()
                for each in names
            }
            buried = [_withdraw_in_family(family, stones) for family in families]
            load(catalogue, [family for family in buried if family is not None], options)
            for name in lot:
                for each in reached[name] or (name,):
                    yield _make_withdrawal(each, held.get(each), stones.get(each))
                held.update((each, stones[each]) for each in reached[name])


def _find_act_text(name: Name) -> str:
    return str(name.act_name)


def _find_reached(
    names: Iterable[Name], held: Mapping[Name, Record], *, below: bool
) -> dict[Name, Sequence[Name]]:
    """For each of some names those held that are withdrawn with it, itself first."""
    if not below:
        return {name: (name,) if name in held else () for name in names}
    by_act: dict[Name, list[Name]] = {}
    for name in held:
        by_act.setdefault(name.act_name, []).append(name)
    return {name: _list_below(name, by_act.get(name.act_name, ())) for name in names}


def _list_below(name: Name, held: Sequence[Name]) -> Sequence[Name]:
    """A name and what is held below it, sorted; nothing where it is not held itself."""
    if name not in held:
        return ()
    return (name, *sorted((each for each in held if name in each.ancestors()), key=str))


def _make_tombstone(record: Record, on: dt.date | None, *, is_named: bool) -> Record:
    """A record that is withdrawn; one that was so keeps its day, unless one is said of its name."""
    if record.status is Status.WITHDRAWN and (on is None or not is_named):
        return record
    return replace(record, status=Status.WITHDRAWN, withdrawn_on=on or today())


def _withdraw_in_family(family: Family, stones: Mapping[Name, Record]) -> Family | None:
    """A family with tombstones; None where nothing changes."""
    records = tuple(stones.get(record.name, record) for record in family.records)
    return None if records == family.records else family_of(records, family.shared)


def _make_withdrawal(name: Name, before: Record | None, stone: Record | None) -> Withdrawal:
    if before is None or stone is None:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.UNKNOWN)
    after, was = stone.withdrawn_on, before.withdrawn_on
    if before.status is not Status.WITHDRAWN:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.WITHDRAWN, on=after)
    if after != was:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.MOVED, on=after, before=was)
    return Withdrawal(name=name, outcome=WithdrawalOutcome.BEFORE, on=after)


def _raise_refusal(refusal: Refusal) -> None:
    raise CatalogueError(f"{refusal.key} cannot be changed: {refusal.reason}")
