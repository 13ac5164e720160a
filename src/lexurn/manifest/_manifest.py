"""The manifest: rows in, families out, in bounded memory; bad rows are said and kept."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, Self

from lexurn.errors import ManifestError
from lexurn.manifest._building import build_family
from lexurn.manifest._gathering import Gathering
from lexurn.manifest._mapping import NO_MAPPING, read_mapping
from lexurn.manifest._names import DIALECTS
from lexurn.manifest._plan import plan_of
from lexurn.manifest._reader import RowReader, portions_of, read_portion, silent
from lexurn.manifest._rejects import rejects_of, write_rejects
from lexurn.manifest._rows import check_constants
from lexurn.manifest._sources import is_file, open_table

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from lexurn.manifest._building import Built
    from lexurn.manifest._faults import RowFinding
    from lexurn.manifest._packed import PackedGroup, RejectedRow
    from lexurn.manifest._reader import ReadRows
    from lexurn.manifest._sources import Source
    from lexurn.manifest._table import Table
    from lexurn.model import Family
    from lexurn.registry import Registry

    Spread = Callable[..., Iterator[ReadRows]]

__all__ = ["Manifest", "open_manifest"]

_STEP = 1_000


class Manifest:
    """A table of named things, open for reading; a context manager.

    Attributes:
        rows: how many rows were read so far.
        rejected: how many of them were rejected.
        rejects: the rejects files that were written.
        readers: what reads the rows of each table, in this process or another.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        *,
        files: ExitStack,
        named: Collection[int],
        rejects: Sequence[Path],
        on_finding: Callable[[RowFinding], None],
        on_progress: Callable[[int], None],
    ) -> None:
        """Keep the parts; `open_manifest` makes them."""
        self.rows = 0
        self.rejected = 0
        self.rejects: tuple[Path, ...] = ()
        self._tables = tables
        self.readers = tuple(
            RowReader(
                place=place,
                file=table.file,
                format=table.format,
                plan=table.plan,
                keeps_raw=bool(rejects),
            )
            for place, table in enumerate(tables)
        )
        self._files, self._named = files, named
        self._paths = rejects
        self._on_finding = on_finding
        self._on_progress = on_progress
        self._gathering: Gathering | None = None
        self._is_behind = False
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the files and forget the rows."""
        self._is_closed = True
        self._files.close()

    def families(self) -> Iterator[Family]:
        """The families of all good rows, sorted by key; each stands for itself.

        The first call reads all rows; what is wrong with them is said then. The rows of a family
        come together in the order of the input.

        Raises:
            ManifestError: the input cannot be read any further, the disk is full, or the manifest
                is closed.
        """
        for group in self.groups():
            family = self.settle(group, build_family(group))
            if family is not None:
                yield family
        self.finish()

    def groups(self) -> Iterator[PackedGroup]:
        """The rows of each alias set, sorted as families are: for `build_family`, in any process.

        As `families`, but for the building: what that gives is to be told to `settle`, and the end
        to `finish`.

        Raises:
            ManifestError: as `families`.
        """
        yield from self._read().groups()

    def read(self, spread: Spread) -> None:
        """Read all rows by several processes; `families` and `groups` read alone without it.

        Args:
            spread: maps a function over tasks, `lexurn.workers.Workers.map`.

        Raises:
            ManifestError: as `families`.
        """
        self._read(spread)

    def settle(self, group: PackedGroup, built: Built) -> Family | None:
        """Say what was found when a family was built, and reject the rows that make none.

        Raises:
            ManifestError: the disk is full, or the manifest is closed.
        """
        for finding in built.findings:
            self._on_finding(finding)
        if built.family is None:
            gathering = self._read()
            gathering.reject(group)
            self.rejected += len(group.rows)
            self._is_behind = True
        return built.family

    def say(self, finding: RowFinding) -> None:
        """Tell whoever listens of a finding on rows that was made elsewhere."""
        self._on_finding(finding)

    def finish(self) -> None:
        """Write the rejects file again if rows were rejected since it was written.

        Raises:
            ManifestError: it cannot be written, or the manifest is closed.
        """
        if self._is_behind:
            self._write_rejects(self._read())

    def take_over(self, rows: int, rejected: Iterable[RejectedRow]) -> None:
        """Write the rejects file of tables whose rows were read elsewhere, with `readers`.

        Args:
            rows: how many rows were read.
            rejected: those that are no good; the pieces of a row in their order.

        Raises:
            ManifestError: it cannot be written, or the manifest is closed.
        """
        if self._is_closed:
            raise ManifestError("the manifest is closed; open it again to write its rejects")
        last = None
        with Gathering(self.readers) as gathering:
            for row in rejected:
                gathering.spool.reject(row.place, row.number, row.line, (row.raw,))
                self.rejected += row.number != last
                last = row.number
            self.rows += rows
            self._write_rejects(gathering)

    def _read(self, spread: Spread | None = None) -> Gathering:
        """All rows on disk, grouped; read once."""
        if self._is_closed:
            raise ManifestError("the manifest is closed; open it again to read it")
        if self._gathering is None:
            try:
                self._gathering = self._read_all(Gathering(self.readers), spread)
            except BaseException:
                self.close()  # a stream cannot be read twice
                raise
        return self._gathering

    def _read_all(self, gathering: Gathering, spread: Spread | None) -> Gathering:
        self._files.callback(gathering.close)
        for table, reader in zip(self._tables, self.readers, strict=True):
            if spread is None or reader.place not in self._named:
                self._read_table(gathering, table, reader)
            else:
                self._read_portions(gathering, reader, spread)
        self._on_progress(self.rows)
        for finding in gathering.settle():
            self._on_finding(finding)
        self.rejected += gathering.rejected
        self._write_rejects(gathering)
        return gathering

    def _read_table(self, gathering: Gathering, table: Table, reader: RowReader) -> None:
        for raw in table.rows():
            self.rows += 1
            if self.rows % _STEP == 0:
                self._on_progress(self.rows)
            row, findings = reader.read(raw, self.rows)
            for finding in findings:
                self._on_finding(finding)
            if row is not None:
                gathering.add(row)
                continue
            self.rejected += 1
            if self._paths:
                whole = chain((raw.raw,), raw.rest)
                gathering.spool.reject(reader.place, self.rows, raw.line, whole)

    def _read_portions(self, gathering: Gathering, reader: RowReader, spread: Spread) -> None:
        for read in spread(read_portion, portions_of(reader, self.rows)):
            self.rows += read.total
            self._on_progress(self.rows)
            for finding in read.findings:
                self._on_finding(finding)
            for row in read.rows:
                gathering.add(row)
            self.rejected += len({bad.number for bad in read.rejected})
            for bad in read.rejected if self._paths else ():
                gathering.spool.reject(bad.place, bad.number, bad.line, (bad.raw or b"",))

    def _write_rejects(self, gathering: Gathering) -> None:
        self._is_behind = False
        if self._paths:
            self.rejects = write_rejects(self._paths, self._tables, gathering.spool)


def open_manifest(  # noqa: PLR0913 - options by name, each with a default
    source: Source | list[Source] | tuple[Source, ...],
    *,
    mapping: str | Path | None = None,
    format: str | None = None,
    registry: Registry | None = None,
    dialect: str | None = None,
    rejects: str | Path | Sequence[str | Path] | None = None,
    on_finding: Callable[[RowFinding], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Manifest:
    """Open a table of acts: CSV, JSON Lines or Parquet.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, or a list of them.
        mapping: a TOML file that says what the columns mean; see `lexurn.manifest`.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by the file's extension.
        registry: what names are minted with where rows give none; None for the built-in one.
        dialect: what names are written in: ``lexml``, ``nir``, ``draft``, or ``auto`` to find out;
            None for RFC 9676. The spelling that came in is kept (``Record.dialect_names``).
        rejects: where bad rows are written, unchanged: one file, or one for each source; a file of
            an earlier run is replaced, or removed when no row is bad.
        on_finding: is told what is wrong with rows.
        on_progress: is told now and then how many rows were read.

    Raises:
        ManifestError: a source cannot be read, its header is none of a manifest, the mapping file
            means nothing, or the rejects file cannot be written.
        MissingExtraError: Parquet without pyarrow.
    """
    sources = [*source] if isinstance(source, list | tuple) else [source]
    if not sources:
        raise ManifestError("no source; name a file, or - for standard input")
    meaning = NO_MAPPING if mapping is None else read_mapping(mapping)
    if dialect is not None and dialect not in DIALECTS:
        raise ManifestError(f"no dialect {dialect!r}; there are {', '.join(DIALECTS)}")
    check_constants(plan_of(meaning, registry, dialect))
    with ExitStack() as stack:
        tables = [
            open_table(each, format, plan_of(meaning, registry, dialect), stack) for each in sources
        ]
        paths = rejects_of(rejects, sources)
        return Manifest(
            tables,
            files=stack.pop_all(),
            named={place for place, each in enumerate(sources) if is_file(each)},
            rejects=paths,
            on_finding=on_finding or silent,
            on_progress=on_progress or silent,
        )
