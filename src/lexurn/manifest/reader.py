"""Reader of one table: opens a file or stream, and reads its rows whole or in portions."""

from __future__ import annotations

import shutil
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, cast

from lexurn.errors import ManifestError
from lexurn.manifest.cells import place_fault
from lexurn.manifest.csv import open_csv
from lexurn.manifest.families import PackedRow, RejectedRow, pack_row
from lexurn.manifest.jsonl import JsonlTable
from lexurn.manifest.mapping import NO_MAPPING, make_plan, read_mapping
from lexurn.manifest.rows import act_of, collect_fields, read_cells, read_row
from lexurn.manifest.tables import EXTENSIONS, Lines, TableFormat, explain_disk_errors, read_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.findings import Finding
    from lexurn.manifest.cells import Fault
    from lexurn.manifest.mapping import TablePlan
    from lexurn.manifest.rows import RowValues
    from lexurn.manifest.tables import Portion, RawRow, Table

TableSource = str | Path | BinaryIO

_PARQUET_MAGIC = b"PAR1"
_SAVE_AS_CSV = "save the table as CSV in UTF-8"
_OTHER_FORMATS = (
    (b"\xff\xfe", f"is UTF-16 or UTF-32; {_SAVE_AS_CSV}"),
    (b"\xfe\xff", f"is UTF-16; {_SAVE_AS_CSV}"),
    (b"\x00\x00\xfe\xff", f"is UTF-32; {_SAVE_AS_CSV}"),
    (b"PK\x03\x04", f"is a spreadsheet or another ZIP file; {_SAVE_AS_CSV}"),
    (b"\xd0\xcf\x11\xe0", f"is an old spreadsheet; {_SAVE_AS_CSV}"),
    (b"\x1f\x8b", "is compressed; unpack it, for example: gunzip -c FILE | lexurn ... -"),
    (_PARQUET_MAGIC, "is Parquet; say so: format parquet"),
)


class _Opened(NamedTuple):
    file: str
    stream: BinaryIO
    head: bytes


def open_table(source: TableSource, stated: str | None, plan: TablePlan, stack: ExitStack) -> Table:
    """Open a source as a table, at its first row.

    Args:
        source: a path, ``-`` for standard input, or a stream of bytes.
        stated: ``csv``, ``jsonl`` or ``parquet``; None to go by the extension, or by the first
            bytes where there is none.
        plan: the meaning of its columns.
        stack: closes the file in the end.

    Raises:
        ManifestError: it cannot be read, or not as a manifest.
        MissingExtraError: Parquet without pyarrow.
    """
    opened = _open_source(source, stack)
    kind = _detect_format(opened) if stated is None else _parse_format(stated)
    if kind is TableFormat.PARQUET:
        from lexurn.manifest.parquet import ParquetTable  # noqa: PLC0415 -- needs an extra

        return ParquetTable(_make_seekable(opened, stack), opened.file, plan)
    for magic, what in _OTHER_FORMATS:
        if opened.head.startswith(magic):
            raise ManifestError(f"{opened.file}: {what}")
    lines = Lines(opened.stream, opened.file, opened.head)
    return JsonlTable(lines, plan) if kind is TableFormat.JSONL else open_csv(lines, plan)


def _parse_format(name: str) -> TableFormat:
    try:
        return TableFormat(name)
    except ValueError:
        raise ManifestError(
            f'no format "{name}" for a manifest; there are {", ".join(TableFormat)}'
        ) from None


def _open_source(source: TableSource, stack: ExitStack) -> _Opened:
    if isinstance(source, str | Path):
        file = str(source)
        stream = _open_standard_input() if file == "-" else _open_file(file, stack)
    else:
        stream = source
        name = getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    return _Opened(file, stream, read_block(stream, file))


def _open_standard_input() -> BinaryIO:
    stream = getattr(sys.stdin, "buffer", None)
    if stream is None:
        raise ManifestError("-: there is no standard input to read from")
    return cast("BinaryIO", stream)


def _open_file(file: str, stack: ExitStack) -> BinaryIO:
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise ManifestError(f"{file}: cannot be opened: {why}") from None


def _detect_format(opened: _Opened) -> TableFormat:
    extension = Path(opened.file).suffix.lower() if opened.file != "-" else ""
    if extension in EXTENSIONS:
        return EXTENSIONS[extension]
    if opened.head.startswith(_PARQUET_MAGIC):
        return TableFormat.PARQUET
    start = opened.head.removeprefix(b"\xef\xbb\xbf").lstrip()
    if start.startswith(b"["):
        raise ManifestError(
            f"{opened.file}: is a JSON array; write one object a line instead (JSON Lines)"
        )
    return TableFormat.JSONL if start.startswith(b"{") else TableFormat.CSV


def _make_seekable(opened: _Opened, stack: ExitStack) -> BinaryIO:
    """Return the stream at its start; copy one that cannot go back there to a temporary file."""
    try:
        opened.stream.seek(0)
    except (OSError, ValueError, AttributeError):
        with explain_disk_errors():
            scratch = tempfile.TemporaryFile()  # noqa: SIM115 -- the stack closes it
            copy = stack.enter_context(scratch)
            copy.write(opened.head)
            shutil.copyfileobj(opened.stream, copy)
            copy.seek(0)
        return copy
    return opened.stream


def is_named_file(source: TableSource) -> bool:
    """Return whether a source is a file by its name, which other processes can open too."""
    return isinstance(source, str | Path) and Path(source).is_file()


_PORTION_SIZE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """Reader of the rows of one table.

    Attributes:
        place: the number of the table, from 0.
        file: its file as given.
        format: its format.
        plan: the meaning of its columns.
        keeps_raw: whether good rows keep their bytes, since they may be rejected later.
    """

    place: int
    file: str
    format: TableFormat
    plan: TablePlan
    keeps_raw: bool = False

    def portions(self, size: int) -> Iterator[Portion]:
        """Cut the table into portions that can be read apart from each other; open its file anew.

        Args:
            size: about how many bytes a portion has.

        Raises:
            ManifestError: the file cannot be opened or read any more.
        """
        with ExitStack() as stack:
            yield from self._opened(stack).portions(size)

    def rows(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion as they stand in the table; open its file anew.

        Raises:
            ManifestError: the file cannot be opened or read any more.
        """
        with ExitStack() as stack:
            yield from self._opened(stack).read_portion(portion)

    def _opened(self, stack: ExitStack) -> Table:
        if self.file == "-":
            raise ManifestError("-: a stream can be read once only; name a file")
        return open_table(self.file, self.format, self.plan, stack)

    def read(self, row: RawRow, number: int) -> tuple[PackedRow | None, list[Finding]]:
        """Read a raw row; give None, and the findings, where it is bad.

        Args:
            row: the row as it stands in the table.
            number: its number among all rows of all tables, from 1.
        """
        if row.cells is None:
            return None, [] if row.fault is None else [place_fault(row.fault, self.file, row.line)]
        reading, findings = read_row(self.plan, row.cells, self.file, row.line)
        return (None if reading is None else self._packed(row, reading, number)), findings

    def place_fault(self, fault: Fault, line: int) -> Finding:
        """Return the finding of a fault whose column is one of a manifest."""
        column = None if fault.column is None else self.plan.header_of(fault.column)
        return place_fault(replace(fault, column=column), self.file, line)

    def _packed(self, row: RawRow, reading: RowValues, number: int) -> PackedRow:
        alias = reading.alias_of
        copies = reading.fields.get("items", ())
        return PackedRow(
            number,
            act_of(reading.name),
            str(reading.name),
            self.place,
            row.line,
            pack_row(reading, number),
            row.raw if self.keeps_raw else None,
            None if alias is None else str(alias),
            None if alias is None else act_of(alias),
            tuple({url: None for url, _, _ in copies}) if copies else (),
        )


class PortionRows(NamedTuple):
    """Rows of a portion: their number, the good ones, the bad ones, and the findings."""

    total: int
    rows: list[PackedRow]
    rejected: list[RejectedRow]
    findings: list[Finding]


def read_portion(reader: RowReader, portion: Portion, before: int) -> PortionRows:
    """Read a portion of a table, in any process.

    Args:
        reader: the reader of the table.
        portion: one of `RowReader.portions`.
        before: the number of rows of all tables before it.

    Raises:
        ManifestError: the file cannot be opened or read any more.
    """
    read = PortionRows(portion.rows, [], [], [])
    for number, raw in enumerate(reader.rows(portion), start=before + 1):
        row, findings = reader.read(raw, number)
        read.findings.extend(findings)
        if row is not None:
            read.rows.append(row)
            continue
        for piece in chain((raw.raw,), raw.rest) if reader.keeps_raw else (b"",):
            read.rejected.append(RejectedRow(reader.place, number, raw.line, piece))
    return read


def list_portion_tasks(reader: RowReader, before: int) -> Iterator[tuple[RowReader, Portion, int]]:
    """Yield the tasks of `read_portion` for a whole table.

    Args:
        reader: the reader of the table.
        before: the number of rows of all tables before it.
    """
    for portion in reader.portions(_PORTION_SIZE):
        yield reader, portion, before
        before += portion.rows


def ignore(_: object) -> None:
    """Do nothing."""


class FieldRow(NamedTuple):
    """Row of a table as fields of metadata.

    Attributes:
        file: the table's file as given.
        line: the first line of the row.
        fields: its fields by name; None where its cells cannot be told apart.
        findings: the findings on its cells.
    """

    file: str
    line: int
    fields: Mapping[str, object] | None
    findings: tuple[Finding, ...] = ()


def read_fields(
    source: TableSource, *, mapping: str | Path | None = None, format: str | None = None
) -> Iterator[FieldRow]:
    """Read the rows of any table as fields of metadata, one after the other.

    Args:
        source: a path, ``-`` for standard input, or a stream of bytes.
        mapping: a TOML file with the meaning of the columns.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by the file's extension.

    Raises:
        ManifestError: the table cannot be read at all.
        MissingExtraError: Parquet without pyarrow.
    """
    meaning = NO_MAPPING if mapping is None else read_mapping(mapping)
    with ExitStack() as stack:
        table = open_table(source, format, make_plan(meaning), stack)
        for raw in table.rows():
            if raw.cells is None:
                faults = (
                    () if raw.fault is None else (place_fault(raw.fault, table.file, raw.line),)
                )
                yield FieldRow(table.file, raw.line, None, faults)
            else:
                row = read_cells(table.plan, raw.cells, table.file, raw.line)
                yield FieldRow(table.file, raw.line, collect_fields(row), tuple(row.findings))
