"""Formats of tables, and their rows as fields of metadata; both load without the readers."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lexurn.findings import Finding
    from lexurn.name import Name


class TableFormat(StrEnum):
    """Format of a manifest."""

    CSV = "csv"
    TSV = "tsv"
    JSONL = "jsonl"
    JSON = "json"
    PARQUET = "parquet"
    XLSX = "xlsx"
    XLS = "xls"
    ODS = "ods"

    @property
    def is_workbook(self) -> bool:
        """True for a workbook, whose rejected rows are written as CSV."""
        return FORMATS[self].extra == "sheets"

    @property
    def rejects(self) -> TableFormat:
        """Format of its rejects files."""
        return TableFormat.CSV if self.is_workbook else self


class FormatEntry(NamedTuple):
    """Entry of the table of formats.

    Attributes:
        extensions: the extensions of its files.
        reader: the module of this package and the class in it that read the format.
        extra: the extra that the reader needs, or None.
    """

    extensions: tuple[str, ...]
    reader: tuple[str, str]
    extra: str | None = None


_CSV, _SHEETS = ("tables", "CsvTable"), ("sheets", "SheetTable")
FORMATS: Final = MappingProxyType(
    {
        TableFormat.CSV: FormatEntry((".csv",), _CSV),
        TableFormat.TSV: FormatEntry((".tsv", ".tab"), _CSV),
        TableFormat.JSONL: FormatEntry((".jsonl", ".ndjson"), ("json", "JsonlTable")),
        TableFormat.JSON: FormatEntry((".json",), ("json", "JsonTable")),
        TableFormat.PARQUET: FormatEntry(
            (".parquet", ".pq"), ("parquet", "ParquetTable"), "parquet"
        ),
        TableFormat.XLSX: FormatEntry((".xlsx", ".xlsm"), _SHEETS, "sheets"),
        TableFormat.XLS: FormatEntry((".xls",), _SHEETS, "sheets"),
        TableFormat.ODS: FormatEntry((".ods",), _SHEETS, "sheets"),
    }
)
"""Formats of tables."""

EXTENSIONS: Final = MappingProxyType(
    {extension: kind for kind, entry in FORMATS.items() for extension in entry.extensions}
)
"""Formats by the extension of a file."""

TABLE_FORMATS: Final = {
    extension.removeprefix("."): str(kind)
    for extension, kind in EXTENSIONS.items()
    if kind is not TableFormat.JSON
}
"""Formats of tables by the ends of file names.

JSON is left out: where RDF is read too, it is JSON-LD.
"""


class FieldRow(NamedTuple):
    """Row of a table as fields of metadata; fields that are no row have no file.

    Attributes:
        file: the table's file as given.
        line: the first line of the row.
        fields: its fields by name; None where it is rejected or its cells cannot be read.
        findings: the findings on its cells.
        name: its own name, where it has one.
        place: returns a finding on its fields with file, line, column and cell.
        list_cells: lists its cells by column of a manifest, without those of its name, unless it
            cannot be read.
        number: its number among all rows of a manifest.
        first: the number of the first row of its name, None if no other row has this name.
    """

    file: str
    line: int
    fields: Mapping[str, object] | None
    findings: tuple[Finding, ...] = ()
    name: Name | None = None
    place: Callable[[Finding], Finding] = replace
    list_cells: Callable[[], dict[str, str]] = dict
    number: int = 0
    first: int | None = None

    @property
    def is_further(self) -> bool:
        """True if an earlier row has its name."""
        return self.first is not None and self.first != self.number

    @property
    def location(self) -> str:
        """File and line, without folders: a table may be in another folder in the next run."""
        return f"{Path(self.file).name}:{self.line}" if self.line else ""
