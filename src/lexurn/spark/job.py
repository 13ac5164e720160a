"""Jobs on a cluster: the request, the report, the tasks in plain Python, and their flow on Spark.

The results of a step are told apart by their class, since a step has a main result and others
beside it. Only the functions at the end import pyspark, where it is needed.
"""

from __future__ import annotations

import pickle
import secrets
import tempfile
import zlib
from collections import defaultdict
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from operator import attrgetter, itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from lexurn.errors import CatalogueError, LexurnError, ManifestError, MissingExtraError
from lexurn.findings import Finding
from lexurn.graph import Format, describe_concepts, find_concepts, nquads_of, write
from lexurn.manifest import (
    AliasSets,
    JoinedActs,
    PackedGroup,
    PackedRow,
    Portion,
    RejectedRow,
    build_family,
    open_manifest,
    read_portion,
    write_joined_acts,
)
from lexurn.model import today

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pyspark.core.broadcast import Broadcast
    from pyspark.core.rdd import RDD
    from pyspark.sql import DataFrame, SparkSession

    from lexurn.manifest import RowReader
    from lexurn.model import Family
    from lexurn.registry import Registry
    from lexurn.shacl import Result

_ROWS_AT_ONCE = 1_000
_LONGEST_CAUSE = 2_000
_get_task = itemgetter(0)  # of an `ActKey`; one object, so that Spark knows equal partitions


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """Request to write manifests as N-Quads.

    Attributes:
        sources: manifests, read as one; every node finds them under the same path.
        target: the new folder of the quads: a path that every node has, or a URL that Spark knows
            (``hdfs://...``, ``s3a://...``).
        mapping: a TOML file with the meaning of the columns.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by each file's extension.
        registry: the registry for names that are minted; None for the built-in one.
        dialect: the dialect of names; None for RFC 9676.
        rejects: the file for bad rows, unchanged; on the machine that starts the job.
        as_of: the day for which the version in force is asked.
        base: the base of the HTTP-URI equivalents, or None.
        checks: leave out alias sets that break a shape.
        sorts: sort the quads by bytes and write each once, over all files of the target in the
            order of their names; else the quads of each alias set stand together, and those of
            concepts may be repeated.
        parts: write a folder for each jurisdiction.
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
    """Outcome of a job.

    Attributes:
        rows: the number of rows read.
        rejected: the number of rows rejected.
        rejects: the rejects files that were written.
        families: the number of alias sets written.
        names: the number of their names.
        refused: the number of alias sets left out, since they break a shape.
    """

    rows: int = 0
    rejected: int = 0
    rejects: tuple[Path, ...] = ()
    families: int = 0
    names: int = 0
    refused: int = 0


# --- tasks, in plain Python -----------------------------------------------------------

_Kept = TypeVar("_Kept", bound="RDD[Any] | DataFrame")

ActKey = tuple[int, str]
"""Task that joins the rows of an act, and the act."""


class Task(NamedTuple):
    """Portion of a table to be read: its table, and the number of rows of all tables before it."""

    table: int
    portion: Portion
    before: int


class Copy(NamedTuple):
    """Copy of an alias set."""

    url: str


class BrokenRows(NamedTuple):
    """Numbers of the rows of an alias set that contradict each other."""

    numbers: tuple[int, ...]


class Quads(NamedTuple):
    """Quads of an alias set, or of the concepts of a jurisdiction's acts, and the jurisdiction."""

    jurisdiction: str
    text: str


class Counts(NamedTuple):
    """Numbers of alias sets and names written, and of alias sets left out."""

    families: int
    names: int
    refused: int


class BuildOptions(NamedTuple):
    """Options for building alias sets; see `Job`."""

    as_of: dt.date
    base: str | None
    checks: bool


def cut_portions(reader: RowReader, size: int) -> Iterator[tuple[int, Portion] | str]:
    """Yield the portions of a table, each with its number, or why a node cannot read it."""
    try:
        for portion in reader.portions(size):
            yield reader.table, portion
    except LexurnError as fault:
        yield str(fault)


def read_rows(
    readers: Sequence[RowReader], task: Task
) -> Iterator[PackedRow | RejectedRow | Finding]:
    """Yield the rows of a portion, good and bad, and the findings on them."""
    for row, rejected, findings in read_portion(readers[task.table], task.portion, task.before):
        yield from findings
        if row is not None:
            yield row
        elif rejected is not None:
            yield rejected


def find_joined_acts(rows: Iterable[PackedRow]) -> Iterator[tuple[str, str]]:
    """Yield the pairs of acts that aliases join."""
    for row in rows:
        if row.alias_act is not None and row.alias_act != row.act:
            yield row.act, row.alias_act


def place_rows(
    joined_acts: str | None, partitions: int, rows: Iterable[PackedRow]
) -> Iterator[tuple[ActKey, PackedRow]]:
    """Yield rows with their task: rows that aliases may join go to the same.

    Args:
        joined_acts: a file of `write_joined_acts`; None where each act stands alone.
        partitions: the number of tasks.
        rows: the rows.
    """
    with ExitStack() as stack:
        joined = None if joined_acts is None else stack.enter_context(JoinedActs(joined_acts))
        for row in rows:
            root = row.act if joined is None else joined.root(row.act)
            yield (_hash_text(root) % partitions, ""), row


def gather_alias_sets(
    readers: Sequence[RowReader], table: int, rows: Iterable[tuple[ActKey, PackedRow]]
) -> Iterator[tuple[ActKey, PackedGroup | Copy | RejectedRow | Finding]]:
    """Yield the alias sets of the rows of a task, each with its act; reject rows that do not fit.

    The copies that other alias sets share are not known before all tasks are done.
    """
    with AliasSets(readers) as alias_sets:
        for _, row in rows:
            alias_sets.add(row)
        for finding in alias_sets.join():
            yield (table, ""), finding
        for reject in alias_sets.rejects():
            yield (table, ""), reject
        for act, url in alias_sets.copies():
            yield (table, act), Copy(url)
        for group in alias_sets.groups():
            yield (table, group.act), group._replace(shared=())


def share_copies(url: str, holders: Iterable[ActKey]) -> Iterator[tuple[ActKey, Copy]]:
    """Yield each alias set that has a copy, with the copy, where there are several."""
    known = tuple(holders)
    if len(known) > 1:
        for holder in known:
            yield holder, Copy(url)


def find_broken_rows(numbers: Collection[int], rows: Iterable[PackedRow]) -> Iterator[RejectedRow]:
    """Yield the rows with these numbers, as they stand in their tables."""
    for row in rows:
        if row.number in numbers:
            yield RejectedRow(row.table, row.number, row.line, row.raw or b"")


def build_quads(
    options: BuildOptions, found: Iterable[tuple[ActKey, Iterable[PackedGroup | Copy]]]
) -> Iterator[Quads | Counts | BrokenRows | Finding | Result]:
    """Build alias sets, some at a time; yield the quads and the findings of each.

    The concepts of the acts of a jurisdiction are described once for each call.

    Args:
        options: the options.
        found: the rows of each alias set, and the copies that it shares.
    """
    waiting: list[PackedGroup] = []
    concepts: defaultdict[str, set[str]] = defaultdict(set)
    rows = 0
    for _, values in found:
        parts = tuple(values)
        shared = tuple(sorted(each.url for each in parts if isinstance(each, Copy)))
        for group in parts:
            if isinstance(group, PackedGroup):
                waiting.append(group._replace(shared=shared))
                rows += len(group.rows)
        if rows >= _ROWS_AT_ONCE:
            yield from _build_groups(options, waiting, concepts)
            waiting, rows = [], 0
    if waiting:
        yield from _build_groups(options, waiting, concepts)
    for jurisdiction, terms in concepts.items():
        yield Quads(jurisdiction, write(describe_concepts(terms), Format.NQUADS).decode())


def _build_groups(
    options: BuildOptions, groups: Iterable[PackedGroup], concepts: Mapping[str, set[str]]
) -> Iterator[Quads | Counts | BrokenRows | Finding | Result]:
    families: list[Family] = []
    for group in groups:
        family, findings = build_family(group)
        yield from findings
        if family is None:
            yield BrokenRows(tuple(row.number for row in group.rows))
        else:
            families.append(family)
    invalid: Collection[int] = ()
    if options.checks:
        from lexurn.shacl import find_invalid_families  # noqa: PLC0415 - loads a SHACL engine

        results, invalid = find_invalid_families(families, as_of=options.as_of, base=options.base)
        yield from results
    good = [family for number, family in enumerate(families) if number not in invalid]
    for family in good:
        quads = nquads_of(family, as_of=options.as_of, base=options.base).decode()
        jurisdiction = family.key.jurisdiction.code
        concepts[jurisdiction].update(find_concepts((family,)))
        yield Quads(jurisdiction, quads)
    names = sum(len(family.records) for family in good)
    yield Counts(len(good), names, len(invalid))


# --- flow on a cluster ----------------------------------------------------------------


def run(
    job: Job,
    session: SparkSession,
    *,
    on_finding: Callable[[Finding], None] | None = None,
    on_result: Callable[[Result], None] | None = None,
) -> Report:
    """Do a job on the cluster of a session.

    The quads are those that one process writes of the same manifests, byte for byte once sorted.
    The results of tasks lie on the disks of the cluster until the job ends.

    Args:
        job: the job.
        session: a session of Spark, which stays open.
        on_finding: is called with each finding on rows.
        on_result: is called with each result on alias sets, if the job checks them.

    Raises:
        ManifestError: a manifest, its mapping file or the rejects file cannot be used, or some node
            cannot read a manifest.
        CatalogueError: the target exists, or the cluster fails.
        MissingExtraError: pyspark is not installed.
    """
    if "-" in job.sources:
        raise ManifestError("-: nodes of a cluster cannot read standard input; name a file")
    with _translate_failures(), ExitStack() as stack:
        # Only Spark's own file systems know whether a folder exists; its Python interface cannot
        # ask.
        java: Any = session.sparkContext._jvm  # noqa: SLF001 - no public way there
        target = java.org.apache.hadoop.fs.Path(job.target)
        configuration = java.org.apache.spark.SparkContext.getOrCreate().hadoopConfiguration()
        if target.getFileSystem(configuration).exists(target):
            raise CatalogueError(f"{job.target}: exists already; name a new folder, or remove it")
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
        flow = _JobFlow(job, session, manifest.readers, stack)
        flow.write()
        if on_finding is not None:
            for finding in flow.findings():
                on_finding(finding)
        if on_result is not None:
            for result in flow.results():
                on_result(result)
        manifest.write_rejected(flow.rows, flow.rejects())
        families, names, refused = flow.counts()
        return Report(
            rows=manifest.rows,
            rejected=manifest.rejected,
            rejects=manifest.rejects,
            families=families,
            names=names,
            refused=refused,
        )


@contextmanager
def _translate_failures() -> Iterator[None]:
    """Explain in a sentence the failure that the cluster reports in a page.

    Raises:
        CatalogueError: the cluster failed.
        MissingExtraError: pyspark is not installed.
    """
    try:
        from py4j.protocol import Py4JError  # noqa: PLC0415 - the extra spark
        from pyspark.errors import PySparkException  # noqa: PLC0415 - the extra spark
    except ImportError as missing:
        raise MissingExtraError("spark") from missing
    try:
        yield
    except (Py4JError, PySparkException) as failed:
        # The line that names our own error, or any error, or else the first one.
        lines = [line.strip() for line in str(failed).splitlines()]
        ours = [line for line in lines if line.startswith("lexurn.errors.")]
        named = [line for line in lines if "Exception:" in line or "Error:" in line]
        cause = next(iter([*ours, *named, *filter(None, lines)]), "no reason given")
        raise CatalogueError(
            f"the cluster did not do the job: {cause[:_LONGEST_CAUSE]}; see its logs"
        ) from None


class _JobFlow:
    """One job under way.

    Four steps, each kept on the disks of the cluster until the job ends: portions of the manifests
    are read; rows that aliases may join meet in one task, which rejects those that do not fit the
    others and gives alias sets; copies that several alias sets have are found; alias sets become
    quads. Findings and rejected rows stand beside the main result of a step.

    Attributes:
        rows: the number of rows of the manifests.
    """

    def __init__(
        self, job: Job, session: SparkSession, readers: Sequence[RowReader], stack: ExitStack
    ) -> None:
        """Plan the job; only the manifests are cut into portions yet.

        Args:
            job: the job.
            session: a session of Spark.
            readers: the readers of the tables.
            stack: frees the disks in the end.

        Raises:
            ManifestError: some node cannot read a manifest.
        """
        self._job, self._session, self._stack = job, session, stack
        self._context = session.sparkContext
        shared: Broadcast[Sequence[RowReader]] = self._context.broadcast(tuple(readers))
        stack.callback(shared.destroy)
        cut = partial(cut_portions, size=job.portion)
        found = self._context.parallelize(readers, max(len(readers), 1)).flatMap(cut).collect()
        tasks: list[Task] = []
        self.rows = 0
        for each in found:
            if isinstance(each, str):
                raise ManifestError(f"{each} (every node of the cluster must find the file there)")
            table, portion = each
            tasks.append(Task(table, portion, self.rows))
            self.rows += portion.rows
        many = max(len(tasks), self._context.defaultParallelism, 1)
        self._partitions = job.partitions or many
        read = self._context.parallelize(tasks, max(len(tasks), 1))
        self._read = self._keep(read.flatMap(lambda task: read_rows(shared.value, task)))
        self._rows: RDD[PackedRow] = _select(self._read, PackedRow)
        self._sets = self._gather_sets(shared)
        self._lines = self._make_lines()
        others = self._lines.where("other is not null").select("other").rdd
        self._on_rows = _StepOutput(self._keep(_leave_out(self._read, PackedRow)))
        self._on_sets = _StepOutput(self._keep(_leave_out(self._sets.values(), PackedGroup, Copy)))
        self._on_families = _StepOutput(others.map(lambda row: pickle.loads(row[0])))  # noqa: S301 - packed by this job

    def _keep(self, found: _Kept) -> _Kept:
        """Keep the result of a step on disk: it is asked for more than once."""
        from pyspark import StorageLevel  # noqa: PLC0415 - the extra spark

        found.persist(StorageLevel.DISK_ONLY)
        self._stack.callback(found.unpersist)
        return found

    def _gather_sets(self, readers: Broadcast[Sequence[RowReader]]) -> RDD[tuple[ActKey, Any]]:
        """Gather the alias sets, by task and act."""
        from pyspark import SparkFiles  # noqa: PLC0415 - the extra spark

        # All aliases come to one process, which writes for every node the acts that they join.
        pairs = self._keep(self._rows.mapPartitions(find_joined_acts))
        joined_acts = None
        if pairs.count():  # counting reads all portions at once, the iterator one by one
            # The file stays until the session ends: a node that starts later asks for it, too.
            folder = tempfile.mkdtemp(dir=SparkFiles.getRootDirectory())
            joined_acts = f"joined-{secrets.token_hex(8)}.sqlite"
            file = Path(folder) / joined_acts
            write_joined_acts(file, pairs.toLocalIterator())
            self._context.addFile(str(file))
        partitions = self._partitions

        def add_keys(rows: Iterable[PackedRow]) -> Iterator[tuple[ActKey, PackedRow]]:
            file = None if joined_acts is None else SparkFiles.get(joined_acts)
            return place_rows(file, partitions, rows)

        keyed = self._rows.mapPartitions(add_keys).partitionBy(partitions, _get_task)
        # After their key they stay where they are: the next steps find them there.
        found: RDD[tuple[ActKey, Any]] = keyed.mapPartitionsWithIndex(
            lambda number, rows: gather_alias_sets(readers.value, number, rows),
            preservesPartitioning=True,
        )
        return self._keep(found)

    def _make_lines(self) -> DataFrame:
        """Make the quads as lines, each with its jurisdiction; beside them other results.

        They are kept as Spark's own engine has them: there are many.
        """
        many = self._partitions
        copies = self._sets.filter(lambda item: isinstance(item[1], Copy))
        holders = copies.map(lambda item: (item[1].url, item[0])).groupByKey(many, _hash_text)
        shared = holders.flatMap(lambda item: share_copies(*item)).partitionBy(many, _get_task)
        groups = self._sets.filter(lambda item: isinstance(item[1], PackedGroup))
        met = groups.union(shared).groupByKey(many, _get_task)
        options = BuildOptions(self._job.as_of, self._job.base, self._job.checks)
        rows = met.mapPartitions(partial(build_quads, options)).map(_pack_result)
        columns = "jurisdiction string, quads string, other binary"
        quads = self._session.createDataFrame(rows, columns, verifySchema=False)
        line = r"explode_outer(split(quads, '\n')) AS line"
        return self._keep(quads.selectExpr("jurisdiction", line, "other"))

    def write(self) -> None:
        """Do all steps, and write the quads."""
        by = ["jurisdiction"] if self._job.parts else []
        lines = self._lines.where("line <> ''").select(*by, "line")
        if self._job.sorts:
            # Spark compares texts by their bytes in UTF-8, as `sort` does with LC_ALL=C. Equal
            # lines meet in one range and become one there, without another way to other nodes.
            ranged = lines.repartitionByRange(*by, "line")
            lines = ranged.distinct().sortWithinPartitions(*by, "line")
        lines.write.partitionBy(*by).text(self._job.target)

    def findings(self) -> Iterator[Finding]:
        """Yield the findings on single rows in the order of the input, then those on several.

        The latter come by file and line.
        """
        yield from self._on_rows.of(Finding).toLocalIterator()
        rest = self._context.union([self._on_sets.of(Finding), self._on_families.of(Finding)])
        if not rest.isEmpty():
            yield from rest.sortBy(attrgetter("file", "line", "code", "message")).toLocalIterator()

    def results(self) -> Iterator[Result]:
        """Yield the results of validation, violations first."""
        from lexurn.shacl import Result  # noqa: PLC0415 - only where alias sets are checked

        found = self._on_families.of(Result)
        if not found.isEmpty():
            yield from found.sortBy(attrgetter("order")).toLocalIterator()

    def counts(self) -> Counts:
        """Return the numbers of what was written."""
        counts = list(self._on_families.of(Counts).toLocalIterator())
        return Counts(*map(sum, zip(*counts, strict=True))) if counts else Counts(0, 0, 0)

    def rejects(self) -> Iterator[RejectedRow]:
        """Yield the bad rows unchanged."""
        for step in (self._on_rows, self._on_sets):
            yield from step.of(RejectedRow).toLocalIterator()
        broken = self._on_families.of(BrokenRows).toLocalIterator()
        numbers = frozenset(chain.from_iterable(each.numbers for each in broken))
        if numbers:
            yield from self._rows.mapPartitions(
                partial(find_broken_rows, numbers)
            ).toLocalIterator()


class _StepOutput:
    """Results of a step beside its main result, and their classes: often there are none."""

    def __init__(self, found: RDD[Any]) -> None:
        self._found = found
        self._known: frozenset[type] | None = None

    def of(self, kind: type) -> RDD[Any]:
        """Return the results of one class; nothing is asked of the cluster where there are none."""
        if self._known is None:
            classes = self._found.map(type).distinct()
            self._known = frozenset(classes.collect())
        return _select(self._found, kind) if kind in self._known else self._found.context.emptyRDD()


def _select(found: RDD[Any], kind: type) -> RDD[Any]:
    return found.filter(lambda each: isinstance(each, kind))


def _leave_out(found: RDD[Any], *kinds: type) -> RDD[Any]:
    return found.filter(lambda each: not isinstance(each, kinds))


def _hash_text(text: str) -> int:
    """Return a number of a text that is the same in every process, unlike Python's own hash."""
    return zlib.crc32(text.encode())


def _pack_result(found: object) -> tuple[str | None, str | None, bytes | None]:
    """Pack a result as a row: quads, or anything else in a form that only Python reads."""
    return (*found, None) if isinstance(found, Quads) else (None, None, pickle.dumps(found))
