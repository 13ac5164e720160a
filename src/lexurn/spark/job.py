"""Jobs on a cluster: the request, the report, and the tasks of each step in plain Python.

A result of a step carries its kind, since a step has a main result and others beside it.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lexurn.errors import LexurnError
from lexurn.graph import nquads_of
from lexurn.manifest import AliasSets, JoinedActs, RejectedRow, build_family
from lexurn.model import today

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Sequence
    from pathlib import Path

    from lexurn.manifest import PackedGroup, PackedRow, Portion, RowReader
    from lexurn.model import Family
    from lexurn.registry import Registry


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Manifests to N-Quads.

    Attributes:
        sources: manifests, read as one; every node finds them under the same path.
        target: the folder that the quads go to, new: a path that every node has, or a URL that
            Spark knows (``hdfs://...``, ``s3a://...``).
        mapping: a TOML file that says what the columns mean.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by each file's extension.
        registry: what names are minted with where rows give none; None for the built-in one.
        dialect: what names are written in, where that is not RFC 9676.
        rejects: where bad rows are written, unchanged; on the machine that starts the job.
        as_of: the day for which the version in force is asked.
        base: where the HTTP-URI equivalents lie, or None.
        checks: whether alias sets that break a shape are left out.
        sorts: whether the quads come sorted by bytes and each once, over all files of the target
            in the order of their names; else each alias set's stand together, as it comes.
        parts: whether the quads of each jurisdiction go to a folder of its own.
        portion: about how many bytes of a manifest are one task.
        partitions: how many tasks join and build alias sets; None to go by the cluster.
    """

    sources: tuple[str, ...]
    target: str
    mapping: str | Path | None = None
    format: str | None = None
    registry: Registry | None = None
    dialect: str | None = None
    rejects: str | Path | None = None
    as_of: dt.date = field(default_factory=today)
    base: str | None = None
    checks: bool = False
    sorts: bool = True
    parts: bool = False
    portion: int = 8 << 20
    partitions: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What a job did.

    Attributes:
        rows: how many rows were read.
        rejected: how many of them were rejected.
        rejects: the rejects files that were written.
        families: how many alias sets were written.
        names: how many names they have.
        refused: how many alias sets were left out, since they break a shape.
    """

    rows: int = 0
    rejected: int = 0
    rejects: tuple[Path, ...] = ()
    families: int = 0
    names: int = 0
    refused: int = 0


PORTION: Final = "portion"
ROW: Final = "row"
GROUP: Final = "group"
QUADS: Final = "quads"
COPY: Final = "copy"
FINDING: Final = "finding"
REJECT: Final = "reject"
RESULT: Final = "result"
BROKEN: Final = "torn"
COUNTS: Final = "counts"
FAULT: Final = "fault"

_ROWS_AT_ONCE: Final = 1_000

StepResult = tuple[str, Any]
ActKey = tuple[int, str]


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


class BuildOptions(NamedTuple):
    """What alias sets become: see `Job`."""

    as_of: dt.date
    base: str | None
    checks: bool


def cut_portions(reader: RowReader, size: int) -> Iterator[StepResult]:
    """The portions of a table, or why it cannot be read here."""
    try:
        for portion in reader.portions(size):
            yield PORTION, (reader.place, portion)
    except LexurnError as fault:
        yield FAULT, str(fault)


def read_portion(readers: Sequence[RowReader], task: Task) -> Iterator[StepResult]:
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


def find_joined_acts(rows: Iterable[PackedRow]) -> Iterator[tuple[str, str]]:
    """The acts that aliases join."""
    for row in rows:
        if row.alias_act is not None and row.alias_act != row.act:
            yield row.act, row.alias_act


def choose_task(root: str, partitions: int) -> int:
    """The task that joins the rows of some acts; the same in every process."""
    return zlib.crc32(root.encode()) % partitions


def place_rows(
    known_kin: str | None, partitions: int, rows: Iterable[PackedRow]
) -> Iterator[tuple[ActKey, PackedRow]]:
    """Rows with the task that they go to: all rows that aliases may join go to the same.

    Args:
        known_kin: the file that says which acts belong together; None where each stands alone.
        partitions: how many tasks there are.
        rows: the rows.
    """
    if known_kin is None:
        for row in rows:
            yield (choose_task(row.act, partitions), ""), row
        return
    with JoinedActs(known_kin) as known:
        for row in rows:
            yield (choose_task(known.root(row.act), partitions), ""), row


def gather_alias_sets(
    readers: Sequence[RowReader], place: int, rows: Iterable[tuple[ActKey, PackedRow]]
) -> Iterator[tuple[ActKey, StepResult]]:
    """The alias sets of the rows of a task, each with its act; rows that fit no others.

    What is shared with other alias sets is not known before all tasks are done.
    """
    with AliasSets(readers) as alias_sets:
        for _, row in rows:
            alias_sets.add(row)
        for finding in alias_sets.join():
            yield (place, ""), (FINDING, finding)
        for reject in alias_sets.rejects():
            yield (place, ""), (REJECT, reject)
        for act, url in alias_sets.copies():
            yield (place, act), (COPY, url)
        for group in alias_sets.groups():
            yield (place, group.act), (GROUP, group._replace(shared=()))


def share_copies(url: str, holders: Sequence[ActKey]) -> Iterator[tuple[ActKey, StepResult]]:
    """Each alias set that has a copy, with the copy, where there are several."""
    if len(holders) > 1:
        for holder in holders:
            yield holder, (COPY, url)


def find_broken_rows(numbers: frozenset[int], rows: Iterable[PackedRow]) -> Iterator[RejectedRow]:
    """The rows with these numbers, as they stand in their tables."""
    for row in rows:
        if row.number in numbers:
            yield RejectedRow(row.place, row.number, row.line, row.raw or b"")


def build_quads(
    building: BuildOptions, found: Iterable[tuple[ActKey, Iterable[StepResult]]]
) -> Iterator[StepResult]:
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
        if rows >= _ROWS_AT_ONCE:
            yield from _build_groups(building, held)
            held, rows = [], 0
    if held:
        yield from _build_groups(building, held)


def _build_groups(building: BuildOptions, groups: Iterable[PackedGroup]) -> Iterator[StepResult]:
    families: list[Family] = []
    for group in groups:
        family, findings = build_family(group)
        for finding in findings:
            yield FINDING, finding
        if family is None:
            yield BROKEN, tuple(row.number for row in group.rows)
        else:
            families.append(family)
    broken: Collection[int] = ()
    if building.checks:
        from lexurn.shacl import find_invalid_families  # noqa: PLC0415 - an engine

        results, broken = find_invalid_families(families, as_of=building.as_of, base=building.base)
        for result in results:
            yield RESULT, result
    good = [family for place, family in enumerate(families) if place not in broken]
    for family in good:
        quads = nquads_of(family, as_of=building.as_of, base=building.base).decode()
        yield QUADS, (family.key.jurisdiction.code, quads)
    names = sum(len(family.records) for family in good)
    yield COUNTS, Counts(len(good), names, len(broken))
