"""Names withdrawn: a tombstone, never a deletion (RFC 9676 sections 2.2, 9.4)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._load import LoadOptions, load
from lexurn.catalogue._lots import held_in_lots
from lexurn.errors import CatalogueError
from lexurn.model import Status, family_of, today

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue._catalogue import Catalogue
    from lexurn.catalogue._refusals import Refusal
    from lexurn.model import Family, Record
    from lexurn.name import Name

__all__ = ["Withdrawal", "WithdrawalOutcome", "withdraw"]

_MANY: Final = 500


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
    options = LoadOptions(as_of=as_of, jobs=1, on_refused=_stop)
    while some := tuple(islice(waiting, _MANY)):
        for lot, families in held_in_lots(catalogue.holdings, some, _act_of):
            held = {record.name: record for family in families for record in family.records}
            reached = _reached(lot, held, below=below)
            stones = {
                each: _tombstone(held[each], on, is_named=each in reached)
                for names in reached.values()
                for each in names
            }
            buried = [_buried(family, stones) for family in families]
            load(catalogue, [family for family in buried if family is not None], options)
            for name in lot:
                for each in reached[name] or (name,):
                    yield _withdrawal(each, held.get(each), stones.get(each))
                held.update((each, stones[each]) for each in reached[name])


def _act_of(name: Name) -> str:
    return str(name.act_name)


def _reached(
    names: Iterable[Name], held: Mapping[Name, Record], *, below: bool
) -> dict[Name, Sequence[Name]]:
    """For each of some names those held that are withdrawn with it, itself first."""
    if not below:
        return {name: (name,) if name in held else () for name in names}
    by_act: dict[Name, list[Name]] = {}
    for name in held:
        by_act.setdefault(name.act_name, []).append(name)
    return {name: _below(name, by_act.get(name.act_name, ())) for name in names}


def _below(name: Name, held: Sequence[Name]) -> Sequence[Name]:
    """A name and what is held below it, sorted; nothing where it is not held itself."""
    if name not in held:
        return ()
    return (name, *sorted((each for each in held if name in each.ancestors()), key=str))


def _tombstone(record: Record, on: dt.date | None, *, is_named: bool) -> Record:
    """A record that is withdrawn; one that was so keeps its day, unless one is said of its name."""
    if record.status is Status.WITHDRAWN and (on is None or not is_named):
        return record
    return replace(record, status=Status.WITHDRAWN, withdrawn_on=on or today())


def _buried(family: Family, stones: Mapping[Name, Record]) -> Family | None:
    """A family with tombstones; None where nothing changes."""
    records = tuple(stones.get(record.name, record) for record in family.records)
    return None if records == family.records else family_of(records, family.shared)


def _withdrawal(name: Name, before: Record | None, stone: Record | None) -> Withdrawal:
    if before is None or stone is None:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.UNKNOWN)
    after, was = stone.withdrawn_on, before.withdrawn_on
    if before.status is not Status.WITHDRAWN:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.WITHDRAWN, on=after)
    if after != was:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.MOVED, on=after, before=was)
    return Withdrawal(name=name, outcome=WithdrawalOutcome.BEFORE, on=after)


def _stop(refusal: Refusal) -> None:
    raise CatalogueError(f"{refusal.key} cannot be changed: {refusal.reason}")
