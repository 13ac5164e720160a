"""Formats of tables, by the extensions of files."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import Final, NamedTuple


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
