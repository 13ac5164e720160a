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

A row with a fault is rejected and does not stop the others. The rejects file holds the bad rows as
they are, below the same header, to be mended and read again; a file beside it holds the reasons.
"""

from __future__ import annotations

import csv
import filecmp
import os
import re
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from itertools import chain, count
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING, Self

from lexurn.errors import ManifestError
from lexurn.files import is_same_file, replace_atomically
from lexurn.manifest.alias_sets import REASON_COLUMNS, AliasSets, build_family
from lexurn.manifest.cells import DIALECTS
from lexurn.manifest.formats import EXTENSIONS, TableFormat
from lexurn.manifest.json import is_objects
from lexurn.manifest.opening import choose_mapping, open_table
from lexurn.manifest.plan import make_plan
from lexurn.manifest.row_cache import read_cached_rows
from lexurn.manifest.rows import (
    RowReader,
    check_constants,
    list_portion_tasks,
    read_portion,
)
from lexurn.model import read_day

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

    from lexurn.findings import Finding, Severity
    from lexurn.manifest.alias_sets import FamilyResult, PackedGroup
    from lexurn.manifest.formats import FieldRow
    from lexurn.manifest.mapping import TableMapping
    from lexurn.manifest.opening import Table, TableSource
    from lexurn.manifest.row_cache import RowCache
    from lexurn.manifest.rows import ReadRow
    from lexurn.manifest.tables import RejectedRow
    from lexurn.model import Family
    from lexurn.registry import Registry

    Spread = Callable[..., Iterator[Iterable[ReadRow]]]

_STEP = 1_000
_NUMBERED = re.compile(r"(.*\.rejects)-([0-9]+)")


class Manifest:
    """Manifest, open for reading; a context manager.

    Attributes:
        rows: the number of rows read so far.
        rejected: the number of rows rejected so far.
        rejects: the rejects files that were written.
        counts: the number of findings of each severity on rows read so far.
        readers: the readers of each table, for this process or another.
        cache: the rows that earlier runs have read; None to read all.
    """

    def __init__(  # noqa: PLR0913 - options by name
        self,
        tables: Sequence[Table],
        *,
        files: ExitStack,
        named: Collection[int],
        rejects: Sequence[Path],
        keeps_fields: bool,
        today: str,
        on_finding: Callable[[Finding], None] | None,
        on_progress: Callable[[int], None] | None,
    ) -> None:
        """Keep the parts; `open_manifest` makes them."""
        self.rows = 0
        self.rejected = 0
        self.cache: RowCache | None = None
        self.rejects: tuple[Path, ...] = ()
        self.counts: Counter[Severity] = Counter()
        self.readers = tuple(
            RowReader(
                table=number,
                file=table.file,
                format=table.format,
                plan=table.plan,
                keeps_raw=bool(rejects),
                keeps_fields=keeps_fields,
            )
            for number, table in enumerate(tables)
        )
        self._tables = tables
        self._sheets = {each.file: each.sheet for each in tables if each.sheet is not None}
        self._files, self._named = files, named
        self._paths = rejects
        self._today = today
        self._on_finding, self._on_progress = on_finding, on_progress
        self._alias_sets: AliasSets | None = None
        self._has_new_rejects = self._has_built = False
        self._is_closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
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
            spread: maps a function over tasks, as `lexurn.workers.Workers.map` does.

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
            self.report(finding)
        if built.family is None:
            self.reject([row.number for row in group.rows], built.findings)
        return built.family

    def reject(self, numbers: Sequence[int], findings: Iterable[Finding]) -> None:
        """Reject good rows; call `finish` when all are there.

        Args:
            numbers: their numbers among all rows.
            findings: the reasons.

        Raises:
            ManifestError: the disk is full, or the manifest is closed.
        """
        self._read().reject_rows(numbers, findings)
        self.rejected += len(numbers)
        self._has_new_rejects = True

    def field_rows(self) -> Iterator[FieldRow]:
        """Yield all rows for minting, in the order of the input, after all checks of a manifest.

        A rejected row has no fields, and the reasons as its findings.

        Open the manifest with ``keeps_fields``. A row that asks for the next free number has no
        name yet.

        Raises:
            ManifestError: as `families`.
        """
        if not self._has_built:
            for group in self.groups():
                self.accept(group, build_family(group))
            self._has_built = True
        yield from self._read().field_rows()

    def report(self, finding: Finding) -> None:
        """Count a finding on rows, and report it with the sheet of a workbook."""
        self.counts[finding.severity] += 1
        if self._on_finding is not None:
            sheet = self._sheets.get(finding.file)
            self._on_finding(finding if sheet is None else replace(finding, sheet=sheet))

    def finish(self) -> None:
        """Write the rejects file again if rows were rejected since it was written.

        Raises:
            ManifestError: it cannot be written, or the manifest is closed.
        """
        if self._has_new_rejects:
            self._write_rejects(self._read())

    @property
    def language(self) -> str | None:
        """Language that the mapping states."""
        return self.readers[0].plan.mapping.language

    def count_rejected(self) -> dict[str, int]:
        """Count the rows of each file that were rejected and kept for a rejects file."""
        return {} if self._alias_sets is None else self._alias_sets.count_rejected()

    def list_rejected_digests(self) -> Iterator[tuple[bytes, int]]:
        """List the digests of the rejected rows, each with the number of these rows.

        The digest is that of the cells that are used: it is the same in each run.
        """
        return self._read().list_digests()

    def explain_rejected(self, count_wanted: Callable[[bytes], int], most: int) -> list[Finding]:
        """Return the first error in each of the first rejected rows that are wanted.

        Args:
            count_wanted: returns the number of rows that are wanted of those with a digest.
            most: the number of rows up to which they are explained.
        """
        return self._read().explain_rejects(count_wanted, most)

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
                alias_sets.reject(row)
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
                alias_sets = self._files.enter_context(AliasSets(self.readers))
                self._alias_sets = alias_sets
                for table, reader in zip(self._tables, self.readers, strict=True):
                    if self.cache is not None and table.headers and not reader.keeps_fields:
                        cached = read_cached_rows(reader, table, self.rows, self.cache)
                        self._take_rows(alias_sets, cached)
                    elif spread is None or reader.table not in self._named:
                        self._take_rows(alias_sets, reader.read_rows(table.rows(), self.rows))
                    else:
                        for rows in spread(read_portion, list_portion_tasks(reader, self.rows)):
                            self._take_rows(alias_sets, rows)
                if self._on_progress is not None:
                    self._on_progress(self.rows)
                for finding in alias_sets.join(self._today):
                    self.report(finding)
                self.rejected += alias_sets.rejected
                self._write_rejects(alias_sets)
            except BaseException:
                self.close()  # a stream cannot be read twice
                raise
        return self._alias_sets

    def _take_rows(self, alias_sets: AliasSets, rows: Iterable[ReadRow]) -> None:
        for row, rejected, findings in rows:
            for finding in findings:
                self.report(finding)
            if rejected is not None:
                self.rejected += rejected.number > self.rows  # not a further piece of the last one
                self.rows = rejected.number
                alias_sets.reject(rejected, findings)
            elif row is not None:
                self.rows = row.number
                alias_sets.add(row)
            if self.rows % _STEP == 0 and self._on_progress is not None:
                self._on_progress(self.rows)

    def _write_rejects(self, alias_sets: AliasSets) -> None:
        """Write the bad rows, in the order of the tables; remove files of an earlier run.

        There is a file for each table, or one for all of them. Then rows of tables with other
        headers or formats go to files of their own, numbered from 2, with the extension of their
        format: ``rejects.csv``, ``rejects.2.jsonl``.

        Raises:
            ManifestError: a file cannot be written, or is a folder, a pipe or a device.
        """
        self._has_new_rejects = False
        paths, tables = self._paths, self._tables
        if not paths:
            return
        groups: dict[object, list[int]] = {}
        for index, table in enumerate(tables):
            is_alone = len(paths) > 1 or table.format in {TableFormat.PARQUET, TableFormat.JSON}
            groups.setdefault(index if is_alone else (table.format, table.head), []).append(index)
        written: list[Path] = []
        for number, indexes in enumerate(groups.values()):
            table = tables[indexes[0]]
            path = paths[number] if len(paths) > 1 else paths[0]
            if len(paths) == 1 and number > 0:
                stem = path.stem if path.suffix.lower() in EXTENSIONS else path.name
                is_same = table.format is tables[0].format
                extension = path.suffix if is_same else f".{table.format.rejects}"
                path = path.with_name(f"{path.stem if is_same else stem}.{number + 1}{extension}")
            _refuse_special_file(path)
            _refuse_special_file(name_reasons_file(path))
            rows = alias_sets.rejects(indexes)
            first = next(rows, None)
            try:
                if first is None:
                    path.unlink(missing_ok=True)
                    name_reasons_file(path).unlink(missing_ok=True)
                    continue
                with replace_atomically(path) as part:
                    table.write_rejects(chain((first,), rows), part)
                path = _keep_earlier(path)
                _write_reasons(alias_sets.reasons(indexes), path)
            except OSError as full:
                raise ManifestError(
                    f"{path}: the rejects file cannot be written: {full.strerror or full}"
                ) from None
            written.append(path)
        self.rejects = tuple(written)


def open_manifest(  # noqa: PLR0913 - options by name, each with a default
    source: TableSource | list[TableSource] | tuple[TableSource, ...],
    *,
    mapping: str | Path | TableMapping | None = None,
    format: str | None = None,
    registry: Registry | None = None,
    dialect: str | None = None,
    rejects: str | Path | Sequence[str | Path] | None = None,
    keeps_fields: bool = False,
    as_of: dt.date | str | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> Manifest:
    """Open tables of acts: CSV, JSON, Parquet, workbooks, or rows in memory.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, a data frame (pandas, polars,
            pyarrow), an iterable of mappings, or a list of sources.
        mapping: the meaning of the columns: a TOML file (see `lexurn.manifest.mapping`), or a
            mapping that `read_mapping` gave.
        format: the format, one of `TableFormat`; None to go by the file's extension.
        registry: the registry for names that are minted; None for the built-in one.
        dialect: the dialect of names: ``lexml``, ``nir``, ``draft``, or ``auto`` to detect it;
            None for RFC 9676. The original spelling is kept (``Record.dialect_names``).
        rejects: the file for bad rows, unchanged: one file, or one for each source. A file of an
            earlier run is replaced, or removed when no row is bad.
        keeps_fields: whether `Manifest.field_rows` will be called, to mint names.
        as_of: the day after which days of acts lie in the future; None for today.
        on_finding: is called with each finding on rows.
        on_progress: is called from time to time with the number of rows read.

    Raises:
        ManifestError: a source cannot be read, its header is not one of a manifest, the mapping
            file has an entry without a meaning, or the rejects file cannot be written.
        MissingExtraError: Parquet without pyarrow, a workbook without python-calamine.
    """
    sources = [source]
    if isinstance(source, list | tuple) and not is_objects(source):
        sources = [*source]
    if not sources:
        raise ManifestError("no source; name a file, or - for standard input")
    meaning = choose_mapping(mapping)
    if dialect is not None and dialect not in DIALECTS:
        raise ManifestError(f"unknown dialect {dialect!r}; use one of {', '.join(DIALECTS)}")
    check_constants(make_plan(meaning, registry, dialect))
    with ExitStack() as stack:
        tables = [
            open_table(each, format, make_plan(meaning, registry, dialect), stack)
            for each in sources
        ]
        paths = _choose_rejects_files(rejects, sources)
        return Manifest(
            tables,
            files=stack.pop_all(),
            named={
                number
                for number, each in enumerate(sources)
                if isinstance(each, str | Path)
                and Path(each).is_file()
                and not tables[number].is_whole
            },
            rejects=paths,
            keeps_fields=keeps_fields,
            today=read_day(as_of).isoformat(),
            on_finding=on_finding,
            on_progress=on_progress,
        )


def suggest_rejects_files(
    sources: Sequence[str], format: str | None = None, *, replaces_untouched: bool = False
) -> list[str]:
    """Suggest a rejects file for each table, as `suggest_rejects_file`."""
    paths: list[str] = []
    for source in sources:
        taken = {Path(path).absolute() for path in paths}
        path = suggest_rejects_file(
            source, format, taken=taken, replaces_untouched=replaces_untouched
        )
        paths.append(path)
    return paths


def suggest_rejects_file(
    source: str,
    format: str | None = None,
    *,
    taken: Collection[Path] = (),
    replaces_untouched: bool = False,
) -> str:
    """Suggest a rejects file beside a table: ``acts.rejects.csv`` beside ``acts.csv``.

    A file that exists is not suggested, since somebody may be correcting it: then
    ``acts.rejects-2.csv``. If the folder of the table cannot be written, the file is in the
    current folder.

    Args:
        source: a path; ``-`` is standard input.
        format: the format of the table where that was given.
        taken: absolute paths that are suggested for other tables.
        replaces_untouched: whether a file that an earlier run wrote, and nobody has touched since,
            may be suggested; only for a table that still has the rows of that run.
    """
    path = Path(f"rejects.{TableFormat(format or 'csv').rejects}")
    if source != "-":
        suffix = Path(source).suffix
        kind = EXTENSIONS.get(suffix.lower())
        if kind is not None and kind.is_workbook:
            suffix = f".{kind.rejects}"
        path = Path(f"{Path(source).stem}.rejects{suffix}")
        if os.access(Path(source).parent, os.W_OK):
            path = Path(source).parent / path.name
    others = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    free = (each for each in chain((path,), others) if each.absolute() not in taken)
    return str(
        next(
            each
            for each in free
            if not lexists(each) or (replaces_untouched and _is_untouched(each))
        )
    )


def name_reasons_file(rejects: Path) -> Path:
    """Return the file of the reasons for a rejects file: ``acts.rejects.reasons.csv``."""
    return rejects.with_name(f"{rejects.stem}.reasons.csv")


def _is_untouched(path: Path) -> bool:
    """Return whether a rejects file and its reasons are as a run of lexurn wrote them."""
    with suppress(OSError):
        return path.lstat().st_mtime_ns == name_reasons_file(path).lstat().st_mtime_ns
    return False


def _write_reasons(reasons: Iterator[tuple[object, ...]], rejects: Path) -> None:
    """Write the reasons for which rows were rejected, each on a line; no file where none is known.

    The rejects file gets the time of its reasons: any change of either file makes them differ.

    Raises:
        OSError: the file cannot be written.
    """
    first, path = next(reasons, None), name_reasons_file(rejects)
    if first is None:
        path.unlink(missing_ok=True)
        return
    with (
        replace_atomically(path) as part,
        part.open("x", encoding="utf-8", newline="") as stream,
    ):
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerows(chain((REASON_COLUMNS, first), reasons))
    written = path.stat().st_mtime_ns
    os.utime(rejects, ns=(written, written))


def _keep_earlier(path: Path) -> Path:
    """Keep an earlier rejects file with the same rows in place of one numbered from 2.

    So a command that runs every night leaves one file for the rows that nobody has corrected yet.
    """
    found = _NUMBERED.fullmatch(path.stem)
    if found is None:
        return path
    names = [found[1], *(f"{found[1]}-{number}" for number in range(2, int(found[2])))]
    for earlier in (path.with_name(name + path.suffix) for name in names):
        if earlier.is_file() and filecmp.cmp(earlier, path, shallow=False):
            path.unlink()
            name_reasons_file(path).unlink(missing_ok=True)
            return earlier
    return path


def _choose_rejects_files(
    rejects: str | Path | Sequence[str | Path] | None, sources: Sequence[object]
) -> list[Path]:
    """Choose the rejects files of some sources: none, one for all of them, or one for each."""
    if rejects is None:
        return []
    if isinstance(rejects, str | Path):
        paths = [Path(rejects)]
    else:
        paths = [Path(each) for each in rejects]
        if not len({path.absolute() for path in paths}) == len(paths) == len(sources):
            raise ManifestError(
                f"{len(paths)} rejects files for {len(sources)} sources; name one file, or one "
                "for each source"
            )
    for path in paths:
        check_rejects_file(path, sources)
    return paths


def check_rejects_file(path: Path, sources: Iterable[object]) -> None:
    """Check, before anything is read, that a rejects file can be written.

    Each run overwrites it, so its name has to show that it is a rejects file. The first run refuses
    another name, too: a command that works the first night works the second.

    Raises:
        ManifestError: it is a source, has another name, is not a regular file, or has no folder.
    """
    if not path.parent.is_dir():
        raise ManifestError(f"{path}: there is no folder {path.parent} for the rejects file")
    _refuse_special_file(path)
    for source in sources:
        if isinstance(source, str | Path) and is_same_file(path, source):
            raise ManifestError(f"{path}: the rejects file is the source itself; name another")
    check_rejects_name(path)


def check_rejects_name(path: Path) -> None:
    """Check that the name of a rejects file holds the word "reject".

    Raises:
        ManifestError: it does not.
    """
    if "reject" not in path.name.lower():
        raise ManifestError(
            f"{path}: a rejects file is overwritten each time, so its name must contain the word "
            f'"reject"; for example {path.with_name(f"{path.stem}.rejects{path.suffix}")}'
        )


def _refuse_special_file(path: Path) -> None:
    if path.exists() and not path.is_file():
        raise ManifestError(f"{path}: not a regular file; name another rejects file")
