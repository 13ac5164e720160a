"""The manifest: rows in, families out, in bounded memory; bad rows are said and kept."""

from __future__ import annotations

from contextlib import ExitStack
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Self

from lexurn.errors import ManifestError
from lexurn.manifest._faults import Fault, finding_of, finding_of_family
from lexurn.manifest._kin import chains, find_shared, join_acts, oversize, shared_by, twins
from lexurn.manifest._mapping import NO_MAPPING, read_mapping
from lexurn.manifest._names import DIALECTS
from lexurn.manifest._plan import plan_of
from lexurn.manifest._records import packed, unpacked
from lexurn.manifest._rejects import check_rejects, write_rejects
from lexurn.manifest._rows import act_of, check_constants, read_row
from lexurn.manifest._sources import open_table
from lexurn.manifest._spool import Spool, SpooledAlias, SpooledRow
from lexurn.model import ModelError, Record, Source, family_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import TracebackType

    from lexurn.manifest._faults import RowFinding
    from lexurn.manifest._kin import PlacedFault
    from lexurn.manifest._records import Ranked
    from lexurn.manifest._rows import Reading
    from lexurn.manifest._sources import Source as ManifestSource
    from lexurn.manifest._table import RawRow, Table
    from lexurn.model import Family
    from lexurn.name import Name
    from lexurn.registry import Registry

__all__ = ["Manifest", "open_manifest"]

_STEP = 1_000
_FAMILIES = "SELECT act, id, file, line, data FROM row ORDER BY act"


class Manifest:
    """A table of named things, open for reading; a context manager.

    Attributes:
        rows: how many rows were read so far.
        rejected: how many of them were rejected.
        rejects: the rejects files that were written.
    """

    def __init__(
        self,
        tables: Sequence[Table],
        *,
        files: ExitStack,
        rejects: Path | None,
        on_finding: Callable[[RowFinding], None],
        on_progress: Callable[[int], None],
    ) -> None:
        """Keep the parts; `open_manifest` makes them."""
        self.rows = 0
        self.rejected = 0
        self.rejects: tuple[Path, ...] = ()
        self._tables = tables
        self._files = files
        self._path = rejects
        self._on_finding = on_finding
        self._on_progress = on_progress
        self._spool: Spool | None = None
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
        spool = self._read()
        rejected = self.rejected
        for act, rows in groupby(spool.query(_FAMILIES), key=itemgetter(0)):
            family = self._family(spool, act, sorted(rows, key=itemgetter(1)))
            if family is not None:
                yield family
        if self.rejected > rejected:
            self._write_rejects(spool)

    def _read(self) -> Spool:
        """All rows on disk, grouped; read once."""
        if self._is_closed:
            raise ManifestError("the manifest is closed; open it again to read it")
        if self._spool is None:
            try:
                self._spool = self._read_all(Spool())
            except BaseException:
                self.close()  # a stream cannot be read twice
                raise
        return self._spool

    def _read_all(self, spool: Spool) -> Spool:
        self._files.callback(spool.close)
        for place, table in enumerate(self._tables):
            self._read_table(spool, place, table)
        spool.flush()
        self._on_progress(self.rows)
        self._see_whole(spool)
        self._write_rejects(spool)
        return spool

    def _read_table(self, spool: Spool, place: int, table: Table) -> None:
        for row in table.rows():
            self.rows += 1
            if self.rows % _STEP == 0:
                self._on_progress(self.rows)
            reading = self._reading(table, row)
            if reading is None:
                self.rejected += 1
                if self._path is not None:
                    spool.reject(place, self.rows, row.line, chain((row.raw,), row.rest))
            else:
                self._keep(spool, place, row, reading)

    def _reading(self, table: Table, row: RawRow) -> Reading | None:
        if row.cells is None:
            if row.fault is not None:
                self._on_finding(finding_of(row.fault, table.file, row.line))
            return None
        reading, findings = read_row(table.plan, row.cells, table.file, row.line)
        for finding in findings:
            self._on_finding(finding)
        return reading

    def _keep(self, spool: Spool, place: int, row: RawRow, reading: Reading) -> None:
        name, act = str(reading.name), act_of(reading.name)
        data = packed(reading, self.rows)
        raw = None if self._path is None else row.raw
        if reading.alias_of is not None:
            target = str(reading.alias_of)
            spool.add_alias(SpooledAlias(self.rows, name, target, act, act_of(reading.alias_of)))
        spool.add(SpooledRow(self.rows, act, name, place, row.line, data, raw))
        for url in {url for url, _, _ in reading.fields.get("items", ())}:
            spool.add_copy(self.rows, url)

    def _see_whole(self, spool: Spool) -> None:
        """What can be told of rows only beside the others."""
        files = [table.file for table in self._tables]
        self._doom(spool, twins(spool, files))
        self._doom(spool, chains(spool))
        join_acts(spool)
        self._doom(spool, oversize(spool))
        find_shared(spool)

    def _doom(self, spool: Spool, faults: Iterable[PlacedFault]) -> None:
        for number, place, line, fault in faults:
            spool.doom(number)
            table = self._tables[place]
            self._on_finding(finding_of(table.plan.placed(fault), table.file, line))
        self.rejected += spool.drop_doomed()

    def _family(
        self, spool: Spool, act: str, rows: list[tuple[str, int, int, int, bytes]]
    ) -> Family | None:
        records: list[Record] = []
        ranks: list[tuple[Ranked, Source]] = []
        for _, _, place, line, data in rows:
            source = Source(file=self._tables[place].file, line=line)
            record, ranked = unpacked(data, source)
            records.append(record)
            if ranked is not None:
                ranks.append((ranked, source))
        if ranks:
            records += _ranked(ranks, {str(record.name) for record in records})
        try:
            has_copies = any(record.items for record in records)
            family = family_of(records, shared_by(spool, act) if has_copies else ())
        except ModelError as torn:
            self._say_torn(torn, records)
            for _, number, *_ in rows:
                spool.doom(number)
            self.rejected += spool.drop_doomed()
            return None
        for found in family.findings:
            at_fault = _source_of(found.names, family)
            if at_fault is not None:
                self._on_finding(finding_of_family(found, at_fault))
        return family

    def _say_torn(self, torn: ModelError, records: Sequence[Record]) -> None:
        """Say what rows contradict each other in a way that only the family shows."""
        names = () if torn.finding is None else torn.finding.names
        at_fault = [record for name in names for record in records if record.name == name]
        source = next((r.source for r in (*at_fault, *records) if r.source is not None), None)
        if source is not None:
            fault = Fault(code="LX538", values={"value": str(torn)})
            self._on_finding(finding_of(fault, source.file, source.line))

    def _write_rejects(self, spool: Spool) -> None:
        if self._path is not None:
            self.rejects = write_rejects(self._path, self._tables, spool)


def _source_of(names: Iterable[Name], family: Family) -> Source | None:
    """Where the first of some names that a row describes was read: the one to mend first."""
    sources = [record.source for record in map(family.record, names) if record is not None]
    return next((source for source in sources if source is not None), None)


def _ranked(ranks: Iterable[tuple[Ranked, Source]], known: set[str]) -> Iterator[Record]:
    """Records of versions that no row describes and no date orders: their first row does."""
    for (name, number), source in ranks:
        if name not in known:
            known.add(name)
            yield Record(name=parse(name), version_order=number, source=source)


def _silent(_: object) -> None:
    """Say nothing."""


def open_manifest(  # noqa: PLR0913 - options by name, each with a default
    source: ManifestSource | list[ManifestSource] | tuple[ManifestSource, ...],
    *,
    mapping: str | Path | None = None,
    format: str | None = None,
    registry: Registry | None = None,
    dialect: str | None = None,
    rejects: str | Path | None = None,
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
        rejects: where bad rows are written, unchanged; a file of an earlier run is replaced, or
            removed when no row is bad.
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
    path = None if rejects is None else Path(rejects)
    with ExitStack() as stack:
        tables = [
            open_table(each, format, plan_of(meaning, registry, dialect), stack) for each in sources
        ]
        if path is not None:
            check_rejects(path, sources, [table.head for table in tables])
        return Manifest(
            tables,
            files=stack.pop_all(),
            rejects=path,
            on_finding=on_finding or _silent,
            on_progress=on_progress or _silent,
        )
