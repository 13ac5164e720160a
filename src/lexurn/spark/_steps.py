"""The steps of a job as functions of the items of one task: plain Python, by the rooms below.

What a step gives is told apart by its kind, since a step has a main result and others besides.
"""

from __future__ import annotations

import zlib
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lexurn.errors import LexurnError
from lexurn.graph import nquads_of
from lexurn.manifest import Gathering, Kin, RejectedRow, build_family

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from lexurn.manifest import PackedGroup, PackedRow, Portion, RowReader
    from lexurn.model import Family

__all__ = [
    "COPY",
    "COUNTS",
    "FAULT",
    "FINDING",
    "GROUP",
    "PORTION",
    "QUADS",
    "REJECT",
    "RESULT",
    "ROW",
    "TORN",
    "Building",
    "Counts",
    "Task",
    "build",
    "cut",
    "doomed",
    "gather",
    "kin",
    "place_of",
    "placed",
    "read",
    "sharing",
]

PORTION: Final = "portion"
ROW: Final = "row"
GROUP: Final = "group"
QUADS: Final = "quads"
COPY: Final = "copy"
FINDING: Final = "finding"
REJECT: Final = "reject"
RESULT: Final = "result"
TORN: Final = "torn"
COUNTS: Final = "counts"
FAULT: Final = "fault"

_ROWS: Final = 1_000

Told = tuple[str, Any]
Key = tuple[int, str]


class Task(NamedTuple):
    """A portion of a table to be read: its table, and how many rows stand before it in all."""

    place: int
    portion: Portion
    before: int


class Counts(NamedTuple):
    """How many alias sets and names were written, and how many alias sets were left out."""

    families: int
    names: int
    refused: int


class Building(NamedTuple):
    """What alias sets become: see `Job`."""

    as_of: dt.date
    base: str | None
    checks: bool


def cut(reader: RowReader, size: int) -> Iterator[Told]:
    """The portions of a table, or why it cannot be read here."""
    try:
        for portion in reader.portions(size):
            yield PORTION, (reader.place, portion)
    except LexurnError as fault:
        yield FAULT, str(fault)


def read(readers: Sequence[RowReader], task: Task) -> Iterator[Told]:
    """The rows of a portion, good and bad, and what is to be said of them."""
    reader = readers[task.place]
    for number, raw in enumerate(reader.rows(task.portion), start=task.before + 1):
        row, findings = reader.read(raw, number)
        for finding in findings:
            yield FINDING, finding
        if row is not None:
            yield ROW, row
            continue
        for piece in chain((raw.raw,), raw.rest) if reader.keeps_raw else (b"",):
            yield REJECT, RejectedRow(task.place, number, raw.line, piece)


def kin(rows: Iterable[PackedRow]) -> Iterator[tuple[str, str]]:
    """The acts that aliases join."""
    for row in rows:
        if row.alias_act is not None and row.alias_act != row.act:
            yield row.act, row.alias_act


def place_of(root: str, partitions: int) -> int:
    """The task that joins the rows of some acts; the same in every process."""
    return zlib.crc32(root.encode()) % partitions


def placed(
    known_kin: str | None, partitions: int, rows: Iterable[PackedRow]
) -> Iterator[tuple[Key, PackedRow]]:
    """Rows with the task that they go to: all rows that aliases may join go to the same.

    Args:
        known_kin: the file that says which acts belong together; None where each stands alone.
        partitions: how many tasks there are.
        rows: the rows.
    """
    if known_kin is None:
        for row in rows:
            yield (place_of(row.act, partitions), ""), row
        return
    with Kin(known_kin) as known:
        for row in rows:
            yield (place_of(known.root(row.act), partitions), ""), row


def gather(
    readers: Sequence[RowReader], place: int, rows: Iterable[tuple[Key, PackedRow]]
) -> Iterator[tuple[Key, Told]]:
    """The alias sets of the rows of a task, each with its act; rows that fit no others.

    What is shared with other alias sets is not known before all tasks are done.
    """
    with Gathering(readers) as gathering:
        for _, row in rows:
            gathering.add(row)
        for finding in gathering.settle():
            yield (place, ""), (FINDING, finding)
        for reject in gathering.rejects():
            yield (place, ""), (REJECT, reject)
        for act, url in gathering.copies():
            yield (place, act), (COPY, url)
        for group in gathering.groups():
            yield (place, group.act), (GROUP, group._replace(shared=()))


def sharing(url: str, holders: Sequence[Key]) -> Iterator[tuple[Key, Told]]:
    """Each alias set that has a copy, with the copy, where there are several."""
    if len(holders) > 1:
        for holder in holders:
            yield holder, (COPY, url)


def doomed(numbers: frozenset[int], rows: Iterable[PackedRow]) -> Iterator[RejectedRow]:
    """The rows with these numbers, as they stand in their tables."""
    for row in rows:
        if row.number in numbers:
            yield RejectedRow(row.place, row.number, row.line, row.raw or b"")


def build(building: Building, found: Iterable[tuple[Key, Iterable[Told]]]) -> Iterator[Told]:
    """Alias sets to quads, with the jurisdiction of each, and what is to be said of them.

    Args:
        building: how.
        found: the rows of each alias set, and the copies that it shares.
    """
    held: list[PackedGroup] = []
    rows = 0
    for _, told in found:
        parts = tuple(told)
        shared = tuple(sorted(value for kind, value in parts if kind == COPY))
        for kind, group in parts:
            if kind == GROUP:
                held.append(group._replace(shared=shared))
                rows += len(group.rows)
        if rows >= _ROWS:
            yield from _build(building, held)
            held, rows = [], 0
    if held:
        yield from _build(building, held)


def _build(building: Building, groups: Iterable[PackedGroup]) -> Iterator[Told]:
    families: list[Family] = []
    for group in groups:
        family, findings = build_family(group)
        for finding in findings:
            yield FINDING, finding
        if family is None:
            yield TORN, tuple(row.number for row in group.rows)
        else:
            families.append(family)
    broken: Collection[int] = ()
    if building.checks:
        from lexurn.shacl import verdicts_on  # noqa: PLC0415 - an engine

        results, broken = verdicts_on(families, as_of=building.as_of, base=building.base)
        for result in results:
            yield RESULT, result
    good = [family for place, family in enumerate(families) if place not in broken]
    for family in good:
        quads = nquads_of(family, as_of=building.as_of, base=building.base).decode()
        yield QUADS, (family.key.jurisdiction.code, quads)
    names = sum(len(family.records) for family in good)
    yield COUNTS, Counts(len(good), names, len(broken))
