"""A job on a cluster: which step follows which, and what goes from task to task."""

from __future__ import annotations

import pickle
import secrets
import tempfile
import zlib
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError, MissingExtraError
from lexurn.manifest import write_kin
from lexurn.spark import _steps as steps

try:
    from pyspark import SparkFiles, StorageLevel
    from pyspark.sql import functions
except ImportError as missing:
    raise MissingExtraError("spark") from missing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from contextlib import ExitStack

    from pyspark.core.broadcast import Broadcast
    from pyspark.core.rdd import RDD
    from pyspark.sql import DataFrame, SparkSession

    from lexurn.manifest import PackedRow, RejectedRow, RowFinding, RowReader
    from lexurn.shacl import Result
    from lexurn.spark._job import Job

__all__ = ["Flow"]

Readers = tuple["RowReader", ...]


class Flow:
    """One job under way.

    Four steps, each kept on the disks of the cluster until the job ends: portions of the manifests
    are read; rows that aliases may join meet in one task, which rejects those that do not fit the
    others and gives alias sets; copies that several alias sets have are found; alias sets become
    quads. What is said of rows comes beside the main result of a step.

    Attributes:
        rows: how many rows the manifests have.
    """

    def __init__(
        self, job: Job, session: SparkSession, readers: Sequence[RowReader], stack: ExitStack
    ) -> None:
        """Plan the job; nothing but cutting manifests into portions is done yet.

        Args:
            job: the job.
            session: a session of Spark.
            readers: what reads the rows of each table.
            stack: clears up in the end.

        Raises:
            ManifestError: some node cannot read a manifest.
        """
        self._job, self._session, self._stack = job, session, stack
        self._context = session.sparkContext
        self._readers: Broadcast[Readers] = self._context.broadcast(tuple(readers))
        stack.callback(self._readers.destroy)
        tasks = self._tasks(readers)
        self.rows = sum(task.portion.rows for task in tasks)
        many = max(len(tasks), self._context.defaultParallelism, 1)
        self._partitions = job.partitions or many
        read = self._context.parallelize(tasks, max(len(tasks), 1))
        self._read = self._kept(read.flatMap(partial(_read, self._readers)))
        self._rows: RDD[PackedRow] = _of(self._read, steps.ROW)
        self._sets = self._gathered()
        self._lines = self._quads()
        of_families = self._lines.where("told is not null").select("told").rdd.map(_unpickled)
        self._said = [
            _Said(self._kept(self._read.filter(_is_not(steps.ROW)))),
            _Said(self._kept(self._sets.values().filter(_is_not(steps.GROUP, steps.COPY)))),
            _Said(of_families),
        ]

    def _kept(self, found: RDD[Any]) -> RDD[Any]:
        """What a step gives, on disk: it is asked for more than once."""
        found.persist(StorageLevel.DISK_ONLY)
        self._stack.callback(found.unpersist)
        return found

    def _tasks(self, readers: Sequence[RowReader]) -> list[steps.Task]:
        """All portions in the order of the input, each with the number of rows before it."""
        cut = partial(steps.cut, size=self._job.portion)
        told = self._context.parallelize(readers, max(len(readers), 1)).flatMap(cut).collect()
        tasks: list[steps.Task] = []
        before = 0
        for kind, value in told:
            if kind == steps.FAULT:
                raise ManifestError(f"{value} (every node of the cluster must find the file there)")
            place, portion = value
            tasks.append(steps.Task(place, portion, before))
            before += portion.rows
        return tasks

    def _gathered(self) -> RDD[tuple[steps.Key, steps.Told]]:
        """The alias sets, by task and act."""
        place = partial(_placed, self._kin(), self._partitions)
        rows = self._rows.mapPartitions(place).partitionBy(self._partitions, _task_of)
        gather = partial(_gather, self._readers)
        # Behind their key they stay where they are: the next steps find them there.
        return self._kept(rows.mapPartitionsWithIndex(gather, preservesPartitioning=True))

    def _kin(self) -> str | None:
        """The name of a file on every node that says which acts belong together.

        All aliases come to one process, which keeps on disk what acts they join.
        """
        pairs = self._kept(self._rows.mapPartitions(steps.kin))
        if not pairs.count():  # counting reads all portions at once, what follows one by one
            return None
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="lexurn-")))
        file = folder / f"kin-{secrets.token_hex(8)}.sqlite"
        write_kin(file, pairs.toLocalIterator())
        self._context.addFile(str(file))
        return file.name

    def _families(self) -> RDD[steps.Told]:
        """The quads of each alias set, which knows by now what copies others have too."""
        copies = self._sets.filter(_is_copy).map(_copy_of)
        holders = copies.groupByKey(self._partitions, _number_of)
        shared = holders.flatMap(_sharing).partitionBy(self._partitions, _task_of)
        sets = self._sets.filter(_is_group).union(shared)
        building = steps.Building(self._job.as_of, self._job.base, self._job.checks)
        met = sets.groupByKey(self._partitions, _task_of)
        return met.mapPartitions(partial(steps.build, building))

    def _quads(self) -> DataFrame:
        """The quads as lines, each with its jurisdiction; beside them what is said of alias sets.

        They are kept as Spark's own engine has them: there are many.
        """
        columns = "jurisdiction string, quads string, told binary"
        rows = self._families().map(_row_of)
        quads = self._session.createDataFrame(rows, columns, verifySchema=False)
        line = functions.explode_outer(functions.split("quads", "\n")).alias("line")
        lines = quads.select("jurisdiction", line, "told").persist(StorageLevel.DISK_ONLY)
        self._stack.callback(lines.unpersist)
        return lines

    def write(self) -> None:
        """Do it all, and write the quads."""
        by = ["jurisdiction"] if self._job.parts else []
        lines = self._lines.where("line <> ''").select(*by, "line")
        if self._job.sorts:
            # Spark compares texts by their bytes in UTF-8, as `sort` does with LC_ALL=C. Equal
            # lines meet in one range and become one there, without another way to other nodes.
            ranged = lines.repartitionByRange(*by, "line")
            lines = ranged.distinct().sortWithinPartitions(*by, "line")
        lines.write.partitionBy(*by).text(self._job.target)

    def findings(self) -> Iterator[RowFinding]:
        """What is to be said of rows: of each by itself in the order of the input, then the rest.

        The rest is what shows only beside other rows; it comes by file and line.
        """
        alone, *others = (said.of(steps.FINDING) for said in self._said)
        yield from alone.toLocalIterator()
        rest = self._context.union(others)
        if not rest.isEmpty():
            yield from rest.sortBy(_order_of).toLocalIterator()

    def results(self) -> Iterator[Result]:
        """What is wrong with alias sets, the heaviest first."""
        found = self._said[-1].of(steps.RESULT)
        if not found.isEmpty():
            yield from found.sortBy(_order_of_result).toLocalIterator()

    def counts(self) -> steps.Counts:
        """How much was written."""
        counts = self._said[-1].of(steps.COUNTS).toLocalIterator()
        families = names = refused = 0
        for each in counts:
            families += each.families
            names += each.names
            refused += each.refused
        return steps.Counts(families, names, refused)

    def rejects(self) -> Iterator[RejectedRow]:
        """The bad rows as they are."""
        for said in self._said[:2]:
            yield from said.of(steps.REJECT).toLocalIterator()
        torn = frozenset(chain.from_iterable(self._said[-1].of(steps.TORN).toLocalIterator()))
        if torn:
            yield from self._rows.mapPartitions(partial(steps.doomed, torn)).toLocalIterator()


class _Said:
    """What a step says beside its main result, and of what kinds that is: often of none."""

    def __init__(self, told: RDD[steps.Told]) -> None:
        self._told = told
        self._known: frozenset[str] | None = None

    def of(self, kind: str) -> RDD[Any]:
        """What is of one kind; nothing is asked of the cluster where there is nothing."""
        if self._known is None:
            self._known = frozenset(self._told.mapPartitions(_kinds).collect())
        return _of(self._told, kind) if kind in self._known else self._told.context.emptyRDD()


def _kinds(told: Iterable[steps.Told]) -> Iterable[str]:
    return {kind for kind, _ in told}


def _is_not(*kinds: str) -> Callable[[steps.Told], bool]:
    return lambda told: told[0] not in kinds


def _of(told: RDD[steps.Told], kind: str) -> RDD[Any]:
    """What is of one kind."""
    return told.filter(lambda each: each[0] == kind).values()


def _task_of(key: steps.Key) -> int:
    return key[0]


def _number_of(text: str) -> int:
    """A number of a text that is the same in every process, unlike Python's own hash."""
    return zlib.crc32(text.encode())


def _is_copy(item: tuple[steps.Key, steps.Told]) -> bool:
    return item[1][0] == steps.COPY


def _is_group(item: tuple[steps.Key, steps.Told]) -> bool:
    return item[1][0] == steps.GROUP


def _copy_of(item: tuple[steps.Key, steps.Told]) -> tuple[str, steps.Key]:
    """Where a copy lies, and the alias set that has it."""
    return item[1][1], item[0]


def _sharing(item: tuple[str, Iterable[steps.Key]]) -> Iterator[tuple[steps.Key, steps.Told]]:
    url, holders = item
    return steps.sharing(url, tuple(holders))


def _row_of(told: steps.Told) -> tuple[str | None, str | None, bytes | None]:
    """What a step gives as a row: quads, or anything else in a form that only Python reads."""
    kind, value = told
    return (*value, None) if kind == steps.QUADS else (None, None, pickle.dumps(told))


def _unpickled(row: Sequence[bytes]) -> steps.Told:
    told: steps.Told = pickle.loads(row[0])  # noqa: S301 - written by this very job
    return told


def _order_of(finding: RowFinding) -> tuple[str, int, str, str]:
    return finding.file, finding.line, finding.code, finding.message


def _order_of_result(result: Result) -> tuple[int, str, str, str, str, str]:
    return result.order


def _read(readers: Broadcast[Readers], task: steps.Task) -> Iterator[steps.Told]:
    return steps.read(readers.value, task)


def _placed(
    kin: str | None, partitions: int, rows: Iterable[PackedRow]
) -> Iterator[tuple[steps.Key, PackedRow]]:
    return steps.placed(None if kin is None else SparkFiles.get(kin), partitions, rows)


def _gather(
    readers: Broadcast[Readers], place: int, rows: Iterable[tuple[steps.Key, PackedRow]]
) -> Iterator[tuple[steps.Key, steps.Told]]:
    return steps.gather(readers.value, place, rows)
