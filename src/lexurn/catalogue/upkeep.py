"""Upkeep of a catalogue: withdrawals, another day for versions in force, files of the store.

A name is withdrawn by a tombstone, never deleted (RFC 9676 §2.2, §9.4).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING, Final

from lexurn.catalogue.catalogue import Merge
from lexurn.catalogue.index import read_in_lots
from lexurn.catalogue.loading import LoadOptions, load
from lexurn.errors import CatalogueError
from lexurn.graph import find_concepts
from lexurn.model import Status, family_of, today

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue.folder import Catalogue
    from lexurn.catalogue.loading import Refusal
    from lexurn.model import Family, Record
    from lexurn.name import Name

_MANY_NAMES: Final = 500


def refresh(
    catalogue: Catalogue, *, as_of: dt.date, on_progress: Callable[[int], None] | None = None
) -> int:
    """Compute again which version of each work is in force; return how many alias sets changed.

    The concepts of the registry are described anew.

    Args:
        catalogue: the catalogue, open for writing.
        as_of: the day.
        on_progress: is called with the number of alias sets done.

    Raises:
        CatalogueError: the store cannot be written.
    """
    keys, done, changed = catalogue.holdings.keys(), 0, 0
    concepts: set[str] = set()
    while some := tuple(islice(keys, _MANY_NAMES)):
        for lot, held in read_in_lots(catalogue.holdings, some, str):
            families = tuple(held)
            changed += len(catalogue.apply(Merge(old=families, new=families), as_of=as_of).new)
            concepts |= find_concepts(families)
            done += len(lot)
            if on_progress is not None:
                on_progress(done)
    catalogue.describe_concepts(concepts, as_of=as_of)
    return changed


def optimize(catalogue: Catalogue) -> None:
    """Compact the files of a store, so that it is read faster.

    This pays once, after a large load, and needs as much disk space again as the store takes.
    Replaced statements still take some space; a dump that is loaded into a new catalogue does not.

    Args:
        catalogue: the catalogue, open for writing.

    Raises:
        CatalogueError: the disk is full.
    """
    catalogue.store.optimize()
    catalogue.store.flush()


class WithdrawalOutcome(StrEnum):
    """Outcome of the withdrawal of a name."""

    WITHDRAWN = "withdrawn"
    BEFORE = "withdrawn before"
    MOVED = "withdrawal moved"
    UNKNOWN = "not held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Withdrawal of a name.

    Attributes:
        name: the name.
        outcome: the outcome.
        on: the day since which it is withdrawn; None where that is unknown.
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
    """Withdraw names: they stay, with all statements on them, and are marked as withdrawn.

    Args:
        catalogue: a catalogue that is open for writing.
        names: the names, of any level; each by itself.
        as_of: the day for which the version in force is asked.
        on: the day since which they are withdrawn, also those that were withdrawn before. None:
            today, and those withdrawn before keep their day. In any case they are withdrawn at
            once.
        below: whether everything below a name is withdrawn with it: annexes, versions, formats.
            Those withdrawn before keep their day.

    Yields:
        The withdrawal of each name, in their order; those below follow the name, sorted.

    Raises:
        CatalogueError: the catalogue cannot be written.
    """
    waiting = iter(names)

    def refuse(refusal: Refusal) -> None:
        raise CatalogueError(f"{refusal.key} cannot be changed: {refusal.reason}")

    options = LoadOptions(as_of=as_of, jobs=1, on_refused=refuse)
    while some := tuple(islice(waiting, _MANY_NAMES)):
        for lot, families in read_in_lots(
            catalogue.holdings, some, lambda name: str(name.act_name)
        ):
            held = {record.name: record for family in families for record in family.records}
            reached = _find_reached(lot, held, below=below)
            stones: dict[Name, Record] = {}
            for each in chain.from_iterable(reached.values()):
                record = held[each]
                # One withdrawn before keeps its day, unless another is given for it.
                if record.status is not Status.WITHDRAWN or (on is not None and each in reached):
                    record = replace(record, status=Status.WITHDRAWN, withdrawn_on=on or today())
                stones[each] = record
            changed: list[Family] = []
            for family in families:
                records = tuple(stones.get(record.name, record) for record in family.records)
                if records != family.records:
                    changed.append(family_of(records, family.shared))
            load(catalogue, changed, options)
            for name in lot:
                for each in reached[name] or (name,):
                    yield _make_withdrawal(each, held.get(each), stones.get(each))
                held.update((each, stones[each]) for each in reached[name])


def _find_reached(
    names: Iterable[Name], held: Mapping[Name, Record], *, below: bool
) -> dict[Name, Sequence[Name]]:
    """Find for each of some names the held ones that are withdrawn with it, itself first."""
    by_act: dict[Name, list[Name]] = {}
    for name in held if below else ():
        by_act.setdefault(name.act_name, []).append(name)
    reached: dict[Name, Sequence[Name]] = {}
    for name in names:
        near = by_act.get(name.act_name, ())
        under = sorted((each for each in near if name in each.ancestors()), key=str)
        reached[name] = (name, *under) if name in held else ()
    return reached


def _make_withdrawal(name: Name, before: Record | None, stone: Record | None) -> Withdrawal:
    if before is None or stone is None:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.UNKNOWN)
    after, was = stone.withdrawn_on, before.withdrawn_on
    if before.status is not Status.WITHDRAWN:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.WITHDRAWN, on=after)
    if after != was:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.MOVED, on=after, before=was)
    return Withdrawal(name=name, outcome=WithdrawalOutcome.BEFORE, on=after)
