"""Cluster side of a job: which step follows which, and what goes from task to task."""

from __future__ import annotations

import pickle
import secrets
import tempfile
import zlib
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lexurn.errors import CatalogueError, ManifestError, MissingExtraError
from lexurn.manifest import open_manifest, write_joined_acts
from lexurn.spark.job import (
    BROKEN,
    COPY,
    COUNTS,
    FAULT,
    FINDING,
    GROUP,
    QUADS,
    REJECT,
    RESULT,
    ROW,
    BuildOptions,
    Counts,
    Report,
    Task,
    build_quads,
    cut_portions,
    find_broken_rows,
    find_joined_acts,
    gather_alias_sets,
    place_rows,
    read_portion,
    share_copies,
)

try:
    from py4j.protocol import Py4JError
    from pyspark import SparkFiles, StorageLevel
    from pyspark.errors import PySparkException
    from pyspark.sql import functions
except ImportError as missing:
    raise MissingExtraError("spark") from missing


if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pyspark.core.broadcast import Broadcast
    from pyspark.core.rdd import RDD
    from pyspark.sql import DataFrame, SparkSession

    from lexurn.findings import Finding
    from lexurn.manifest import Manifest, PackedRow, RejectedRow, RowReader
    from lexurn.shacl import Result
    from lexurn.spark.job import ActKey, Job, StepResult

_MAX_CAUSE_LENGTH = 2_000


def run(
    job: Job,
    session: SparkSession,
    *,
    on_finding: Callable[[Finding], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Report:
    """Do a job on the cluster of a session.

    The quads are those that one process writes of the same manifests, byte for byte once sorted.
    What a task has done lies on the disks of the cluster until the job ends.

    Args:
        job: what is to be done.
        session: a session of Spark, which stays open.
        on_finding: is told what is wrong with rows.
        on_result: is told what is wrong with alias sets, if the job checks them.

    Raises:
        ManifestError: a manifest, its mapping file or the rejects file is no good, or some node
            cannot read a manifest.
        CatalogueError: the target is there already, or the cluster fails.
    """
    for source in job.sources:
        if source == "-":
            raise ManifestError("-: nodes of a cluster cannot read this; name a file")
    with _translate_failures(), ExitStack() as stack:
        _check_target(job.target, session)
        manifest = stack.enter_context(
            open_manifest(
                [Path(source).absolute() for source in job.sources],
                mapping=job.mapping,
                format=job.format,
                registry=job.registry,
                dialect=job.dialect,
                rejects=job.rejects,
                on_finding=on_finding,
            )
        )
        flow = JobFlow(job, session, manifest.readers, stack)
        flow.write()
        if on_finding is not None:
            for finding in flow.findings():
                on_finding(finding)
        if on_result is not None:
            for result in flow.results():
                on_result(result)
        return _make_report(flow, manifest)


def _make_report(flow: JobFlow, manifest: Manifest) -> Report:
    manifest.write_rejected(flow.rows, flow.rejects())
    counts = flow.counts()
    return Report(
        rows=manifest.rows,
        rejected=manifest.rejected,
        rejects=manifest.rejects,
        families=counts.families,
        names=counts.names,
        refused=counts.refused,
    )


@contextmanager
def _translate_failures() -> Iterator[None]:
    """Say in a sentence what the cluster says in a page.

    Raises:
        CatalogueError: the cluster failed.
    """
    try:
        yield
    except (Py4JError, PySparkException) as failed:
        raise CatalogueError(
            f"the cluster did not do the job: {_find_cause(str(failed))}; its logs say more"
        ) from None


def _find_cause(page: str) -> str:
    """The line of a trace that says what happened: of our own errors, of any, or the first."""
    lines = [line.strip() for line in page.splitlines()]
    ours = [line for line in lines if line.startswith("lexurn.errors.")]
    named = [line for line in lines if "Exception:" in line or "Error:" in line]
    return next(iter([*ours, *named, *filter(None, lines)]), "no word why")[:_MAX_CAUSE_LENGTH]


def _check_target(target: str, session: SparkSession) -> None:
    """Make sure, before anything is read, that the target is new."""
    # What is a folder is for Spark's own file systems to say; its Python face has no word for it.
    java: Any = session.sparkContext._jvm  # noqa: SLF001 - see above
    path = java.org.apache.hadoop.fs.Path(target)
    system = path.getFileSystem(
        java.org.apache.spark.SparkContext.getOrCreate().hadoopConfiguration()
    )
    if system.exists(path):
        raise CatalogueError(f"{target}: is there already; name a new folder, or remove it")


Readers = tuple["RowReader", ...]


class JobFlow:
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
        self._read = self._kept(read.flatMap(partial(_read_task, self._readers)))
        self._rows: RDD[PackedRow] = _select_kind(self._read, ROW)
        self._sets = self._gathered()
        self._lines = self._quads()
        of_families = self._lines.where("told is not null").select("told").rdd.map(_unpack_result)
        self._said = [
            _StepOutput(self._kept(self._read.filter(_is_other_than(ROW)))),
            _StepOutput(self._kept(self._sets.values().filter(_is_other_than(GROUP, COPY)))),
            _StepOutput(of_families),
        ]

    def _kept(self, found: RDD[Any]) -> RDD[Any]:
        """What a step gives, on disk: it is asked for more than once."""
        found.persist(StorageLevel.DISK_ONLY)
        self._stack.callback(found.unpersist)
        return found

    def _tasks(self, readers: Sequence[RowReader]) -> list[Task]:
        """All portions in the order of the input, each with the number of rows before it."""
        cut = partial(cut_portions, size=self._job.portion)
        told = self._context.parallelize(readers, max(len(readers), 1)).flatMap(cut).collect()
        tasks: list[Task] = []
        before = 0
        for kind, value in told:
            if kind == FAULT:
                raise ManifestError(f"{value} (every node of the cluster must find the file there)")
            place, portion = value
            tasks.append(Task(place, portion, before))
            before += portion.rows
        return tasks

    def _gathered(self) -> RDD[tuple[ActKey, StepResult]]:
        """The alias sets, by task and act."""
        place = partial(_place_task, self._kin(), self._partitions)
        rows = self._rows.mapPartitions(place).partitionBy(self._partitions, _get_task)
        gather = partial(_gather_task, self._readers)
        # Behind their key they stay where they are: the next steps find them there.
        return self._kept(rows.mapPartitionsWithIndex(gather, preservesPartitioning=True))

    def _kin(self) -> str | None:
        """The name of a file on every node that says which acts belong together.

        All aliases come to one process, which keeps on disk what acts they join.
        """
        pairs = self._kept(self._rows.mapPartitions(find_joined_acts))
        if not pairs.count():  # counting reads all portions at once, what follows one by one
            return None
        folder = Path(self._stack.enter_context(tempfile.TemporaryDirectory(prefix="lexurn-")))
        file = folder / f"kin-{secrets.token_hex(8)}.sqlite"
        write_joined_acts(file, pairs.toLocalIterator())
        self._context.addFile(str(file))
        return file.name

    def _families(self) -> RDD[StepResult]:
        """The quads of each alias set, which knows by now what copies others have too."""
        copies = self._sets.filter(_is_copy).map(_swap_copy)
        holders = copies.groupByKey(self._partitions, _hash_text)
        shared = holders.flatMap(_share_task).partitionBy(self._partitions, _get_task)
        sets = self._sets.filter(_is_group).union(shared)
        building = BuildOptions(self._job.as_of, self._job.base, self._job.checks)
        met = sets.groupByKey(self._partitions, _get_task)
        return met.mapPartitions(partial(build_quads, building))

    def _quads(self) -> DataFrame:
        """The quads as lines, each with its jurisdiction; beside them what is said of alias sets.

        They are kept as Spark's own engine has them: there are many.
        """
        columns = "jurisdiction string, quads string, told binary"
        rows = self._families().map(_pack_result)
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

    def findings(self) -> Iterator[Finding]:
        """What is to be said of rows: of each by itself in the order of the input, then the rest.

        The rest is what shows only beside other rows; it comes by file and line.
        """
        alone, *others = (said.of(FINDING) for said in self._said)
        yield from alone.toLocalIterator()
        rest = self._context.union(others)
        if not rest.isEmpty():
            yield from rest.sortBy(_get_finding_order).toLocalIterator()

    def results(self) -> Iterator[Result]:
        """What is wrong with alias sets, the heaviest first."""
        found = self._said[-1].of(RESULT)
        if not found.isEmpty():
            yield from found.sortBy(_get_result_order).toLocalIterator()

    def counts(self) -> Counts:
        """How much was written."""
        counts = self._said[-1].of(COUNTS).toLocalIterator()
        families = names = refused = 0
        for each in counts:
            families += each.families
            names += each.names
            refused += each.refused
        return Counts(families, names, refused)

    def rejects(self) -> Iterator[RejectedRow]:
        """The bad rows as they are."""
        for said in self._said[:2]:
            yield from said.of(REJECT).toLocalIterator()
        torn = frozenset(chain.from_iterable(self._said[-1].of(BROKEN).toLocalIterator()))
        if torn:
            yield from self._rows.mapPartitions(partial(find_broken_rows, torn)).toLocalIterator()


class _StepOutput:
    """What a step says beside its main result, and of what kinds that is: often of none."""

    def __init__(self, told: RDD[StepResult]) -> None:
        self._told = told
        self._known: frozenset[str] | None = None

    def of(self, kind: str) -> RDD[Any]:
        """What is of one kind; nothing is asked of the cluster where there is nothing."""
        if self._known is None:
            self._known = frozenset(self._told.mapPartitions(_find_kinds).collect())
        return (
            _select_kind(self._told, kind) if kind in self._known else self._told.context.emptyRDD()
        )


def _find_kinds(told: Iterable[StepResult]) -> Iterable[str]:
    return {kind for kind, _ in told}


def _is_other_than(*kinds: str) -> Callable[[StepResult], bool]:
    return lambda told: told[0] not in kinds


def _select_kind(told: RDD[StepResult], kind: str) -> RDD[Any]:
    """What is of one kind."""
    return told.filter(lambda each: each[0] == kind).values()


def _get_task(key: ActKey) -> int:
    return key[0]


def _hash_text(text: str) -> int:
    """A number of a text that is the same in every process, unlike Python's own hash."""
    return zlib.crc32(text.encode())


def _is_copy(item: tuple[ActKey, StepResult]) -> bool:
    return item[1][0] == COPY


def _is_group(item: tuple[ActKey, StepResult]) -> bool:
    return item[1][0] == GROUP


def _swap_copy(item: tuple[ActKey, StepResult]) -> tuple[str, ActKey]:
    """Where a copy lies, and the alias set that has it."""
    return item[1][1], item[0]


def _share_task(item: tuple[str, Iterable[ActKey]]) -> Iterator[tuple[ActKey, StepResult]]:
    url, holders = item
    return share_copies(url, tuple(holders))


def _pack_result(told: StepResult) -> tuple[str | None, str | None, bytes | None]:
    """What a step gives as a row: quads, or anything else in a form that only Python reads."""
    kind, value = told
    return (*value, None) if kind == QUADS else (None, None, pickle.dumps(told))


def _unpack_result(row: Sequence[bytes]) -> StepResult:
    told: StepResult = pickle.loads(row[0])  # noqa: S301 - written by this very job
    return told


def _get_finding_order(finding: Finding) -> tuple[str, int, str, str]:
    return finding.file, finding.line, finding.code, finding.message


def _get_result_order(result: Result) -> tuple[int, str, str, str, str, str]:
    return result.order


def _read_task(readers: Broadcast[Readers], task: Task) -> Iterator[StepResult]:
    return read_portion(readers.value, task)


def _place_task(
    kin: str | None, partitions: int, rows: Iterable[PackedRow]
) -> Iterator[tuple[ActKey, PackedRow]]:
    return place_rows(None if kin is None else SparkFiles.get(kin), partitions, rows)


def _gather_task(
    readers: Broadcast[Readers], place: int, rows: Iterable[tuple[ActKey, PackedRow]]
) -> Iterator[tuple[ActKey, StepResult]]:
    return gather_alias_sets(readers.value, place, rows)
