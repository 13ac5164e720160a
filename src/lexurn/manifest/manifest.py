r"""Manifests: rows in, families out, in bounded memory; bad rows are reported and kept.

One row describes one named thing, at whatever level its name stands (RFC 9676 section 5.2); what
stands above it follows from the name. A table is CSV (UTF-8, RFC 4180), JSON Lines or Parquet:

>>> import io
>>> table = [
...     "urn,title@it,issued,url",
...     "urn:lex:it:stato:legge:2003-09-21;456,Legge quadro,2003-09-21,",
...     "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it,,,https://law.example/456.html",
...     "urn:lex:it:stato:legge,Una legge senza numero,,",
... ]
>>> source = io.BytesIO("\n".join(table).encode())
>>> findings = []
>>> with open_manifest(source, on_finding=findings.append) as manifest:
...     for family in manifest.families():
...         print(family.key, len(family.records))
...     print(manifest.rows, "rows,", manifest.rejected, "rejected")
urn:lex:it:stato:legge:2003-09-21;456 2
3 rows, 1 rejected
>>> [(finding.line, finding.column) for finding in findings]
[(4, 'urn')]

Families can be built in other processes: `Manifest.groups` gives the rows of each alias set as
plain values, `build_family` makes a family of them, `Manifest.accept` takes what came of it:

>>> source = io.BytesIO("\n".join(table).encode())
>>> with open_manifest(source) as manifest:
...     for group in manifest.groups():
...         family = manifest.accept(group, build_family(group))
...         print(family.key, len(group.rows))
...     manifest.finish()
urn:lex:it:stato:legge:2003-09-21;456 2

A row with a fault is rejected and does not stop the others. The rejects file holds the bad rows as
they are, below the same header, to be mended and read again.
"""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING

from lexurn.errors import ManifestError
from lexurn.manifest.alias_sets import AliasSets
from lexurn.manifest.cells import DIALECTS
from lexurn.manifest.families import build_family
from lexurn.manifest.mapping import NO_MAPPING, make_plan, read_mapping
from lexurn.manifest.reader import (
    RowReader,
    ignore,
    is_named_file,
    list_portion_tasks,
    open_table,
    read_portion,
)
from lexurn.manifest.rejects import choose_rejects_files, write_rejects
from lexurn.manifest.rows import check_constants

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Self

    from lexurn.findings import Finding
    from lexurn.manifest.families import FamilyResult, PackedGroup, RejectedRow
    from lexurn.manifest.reader import PortionRows, TableSource
    from lexurn.manifest.tables import Table
    from lexurn.model import Family
    from lexurn.registry import Registry

    Spread = Callable[..., Iterator[PortionRows]]

_STEP = 1_000


class Manifest:
    """Manifest, open for reading; a context manager.

    Attributes:
        rows: the number of rows read so far.
        rejected: the number of rows rejected so far.
        rejects: the rejects files that were written.
        readers: the readers of each table, for this process or another.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        *,
        files: ExitStack,
        named: Collection[int],
        rejects: Sequence[Path],
        on_finding: Callable[[Finding], None],
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
        self._alias_sets: AliasSets | None = None
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
        """Close the files and delete the rows."""
        self._is_closed = True
        self._files.close()

    def families(self) -> Iterator[Family]:
        """Yield the families of all good rows, sorted by key; each stands for itself.

        The first call reads all rows and reports their findings. The rows of a family come
        together in the order of the input.

        Raises:
            ManifestError: the input cannot be read any further, the disk is full, or the manifest
                is closed.
        """
        for group in self.groups():
            family = self.accept(group, build_family(group))
            if family is not None:
                yield family
        self.finish()

    def groups(self) -> Iterator[PackedGroup]:
        """Yield the rows of each alias set, sorted as families are, for `build_family`.

        `build_family` works in any process. Give its results to `accept`, and call `finish` last.

        Raises:
            ManifestError: as `families`.
        """
        yield from self._read().groups()

    def read(self, spread: Spread) -> None:
        """Read all rows in several processes; without it, `families` and `groups` read them.

        Args:
            spread: maps a function over tasks, `lexurn.workers.Workers.map`.

        Raises:
            ManifestError: as `families`.
        """
        self._read(spread)

    def accept(self, group: PackedGroup, built: FamilyResult) -> Family | None:
        """Report the findings on a family that was built; reject the rows where there is none.

        Raises:
            ManifestError: the disk is full, or the manifest is closed.
        """
        for finding in built.findings:
            self._on_finding(finding)
        if built.family is None:
            alias_sets = self._read()
            alias_sets.reject(group)
            self.rejected += len(group.rows)
            self._is_behind = True
        return built.family

    def report(self, finding: Finding) -> None:
        """Report a finding on rows that was made elsewhere."""
        self._on_finding(finding)

    def finish(self) -> None:
        """Write the rejects file again if rows were rejected since it was written.

        Raises:
            ManifestError: it cannot be written, or the manifest is closed.
        """
        if self._is_behind:
            self._write_rejects(self._read())

    def write_rejected(self, rows: int, rejected: Iterable[RejectedRow]) -> None:
        """Write the rejects file of tables whose rows were read elsewhere, with `readers`.

        Args:
            rows: the number of rows read.
            rejected: the bad ones; the pieces of a row in their order.

        Raises:
            ManifestError: it cannot be written, or the manifest is closed.
        """
        if self._is_closed:
            raise ManifestError("the manifest is closed; open it again to write its rejects")
        last = None
        with AliasSets(self.readers) as alias_sets:
            for row in rejected:
                alias_sets.spool.reject(row.place, row.number, row.line, (row.raw,))
                self.rejected += row.number != last
                last = row.number
            self.rows += rows
            self._write_rejects(alias_sets)

    def _read(self, spread: Spread | None = None) -> AliasSets:
        """Return all rows on disk, grouped; read them once."""
        if self._is_closed:
            raise ManifestError("the manifest is closed; open it again to read it")
        if self._alias_sets is None:
            try:
                self._alias_sets = self._read_all(AliasSets(self.readers), spread)
            except BaseException:
                self.close()  # a stream cannot be read twice
                raise
        return self._alias_sets

    def _read_all(self, alias_sets: AliasSets, spread: Spread | None) -> AliasSets:
        self._files.callback(alias_sets.close)
        for table, reader in zip(self._tables, self.readers, strict=True):
            if spread is None or reader.place not in self._named:
                self._read_table(alias_sets, table, reader)
            else:
                self._read_portions(alias_sets, reader, spread)
        self._on_progress(self.rows)
        for finding in alias_sets.join():
            self._on_finding(finding)
        self.rejected += alias_sets.rejected
        self._write_rejects(alias_sets)
        return alias_sets

    def _read_table(self, alias_sets: AliasSets, table: Table, reader: RowReader) -> None:
        for raw in table.rows():
            self.rows += 1
            if self.rows % _STEP == 0:
                self._on_progress(self.rows)
            row, findings = reader.read(raw, self.rows)
            for finding in findings:
                self._on_finding(finding)
            if row is not None:
                alias_sets.add(row)
                continue
            self.rejected += 1
            if self._paths:
                whole = chain((raw.raw,), raw.rest)
                alias_sets.spool.reject(reader.place, self.rows, raw.line, whole)

    def _read_portions(self, alias_sets: AliasSets, reader: RowReader, spread: Spread) -> None:
        for read in spread(read_portion, list_portion_tasks(reader, self.rows)):
            self.rows += read.total
            self._on_progress(self.rows)
            for finding in read.findings:
                self._on_finding(finding)
            for row in read.rows:
                alias_sets.add(row)
            self.rejected += len({bad.number for bad in read.rejected})
            for bad in read.rejected if self._paths else ():
                alias_sets.spool.reject(bad.place, bad.number, bad.line, (bad.raw or b"",))

    def _write_rejects(self, alias_sets: AliasSets) -> None:
        self._is_behind = False
        if self._paths:
            self.rejects = write_rejects(self._paths, self._tables, alias_sets.spool)


def open_manifest(  # noqa: PLR0913 - options by name, each with a default
    source: TableSource | list[TableSource] | tuple[TableSource, ...],
    *,
    mapping: str | Path | None = None,
    format: str | None = None,
    registry: Registry | None = None,
    dialect: str | None = None,
    rejects: str | Path | Sequence[str | Path] | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Manifest:
    """Open tables of acts: CSV, JSON Lines or Parquet.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, or a list of them.
        mapping: a TOML file with the meaning of the columns; see `lexurn.manifest.mapping`.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by the file's extension.
        registry: the registry for names that are minted; None for the built-in one.
        dialect: the dialect of names: ``lexml``, ``nir``, ``draft``, or ``auto`` to detect it;
            None for RFC 9676. The original spelling is kept (``Record.dialect_names``).
        rejects: the file for bad rows, unchanged: one file, or one for each source. A file of an
            earlier run is replaced, or removed when no row is bad.
        on_finding: is called with each finding on rows.
        on_progress: is called from time to time with the number of rows read.

    Raises:
        ManifestError: a source cannot be read, its header is not one of a manifest, the mapping
            file has an entry without a meaning, or the rejects file cannot be written.
        MissingExtraError: Parquet without pyarrow.
    """
    sources = [*source] if isinstance(source, list | tuple) else [source]
    if not sources:
        raise ManifestError("no source; name a file, or - for standard input")
    meaning = NO_MAPPING if mapping is None else read_mapping(mapping)
    if dialect is not None and dialect not in DIALECTS:
        raise ManifestError(f"no dialect {dialect!r}; there are {', '.join(DIALECTS)}")
    check_constants(make_plan(meaning, registry, dialect))
    with ExitStack() as stack:
        tables = [
            open_table(each, format, make_plan(meaning, registry, dialect), stack)
            for each in sources
        ]
        paths = choose_rejects_files(rejects, sources)
        return Manifest(
            tables,
            files=stack.pop_all(),
            named={place for place, each in enumerate(sources) if is_named_file(each)},
            rejects=paths,
            on_finding=on_finding or ignore,
            on_progress=on_progress or ignore,
        )
