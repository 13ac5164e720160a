"""Opening of any source as a table: by its format, which its name or its first bytes show.

A file beside a table may state its layout. `open_table` gives a table to the reader of rows;
`open_rows` gives the rows as they stand.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterable
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from importlib import import_module
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple, cast

from lexurn.errors import ManifestError
from lexurn.manifest.formats import EXTENSIONS, FORMATS, TableFormat
from lexurn.manifest.json import ObjectStream, is_objects
from lexurn.manifest.mapping import (
    NO_MAPPING,
    SEPARATORS,
    TableMapping,
    is_text_encoding,
    read_mapping,
)
from lexurn.manifest.plan import check_headers, make_plan
from lexurn.manifest.tables import BOM, OpenSource, read_block

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.manifest.parquet import ParquetTable
    from lexurn.manifest.plan import TablePlan
    from lexurn.manifest.tables import TextTable

    Table = TextTable | ParquetTable

TableSource = str | Path | BinaryIO | Iterable[Any]

_MAGIC = (
    (b"PAR1", TableFormat.PARQUET),
    (b"PK\x03\x04", TableFormat.XLSX),
    (b"\xd0\xcf\x11\xe0", TableFormat.XLS),
    (b"\x1f\x8b", None),
)
_SECOND_OBJECT = re.compile(rb"\s*\{[^\n]*\}\s*\n\s*\{")  # a JSON document has one
_FLAT_OBJECT = re.compile(rb"\s*\{[^\n\[{]*\}\s*")  # one row, such as a single rejected one
_MIMETYPE_OF_ODS = b"application/vnd.oasis.opendocument.spreadsheet"


def open_table(
    source: TableSource,
    stated: str | None,
    plan: TablePlan,
    stack: ExitStack,
    book: object = None,
) -> Table:
    """Open a source as a table, at its first row.

    Args:
        source: a path, ``-`` for standard input, a stream of bytes, a data frame, or an iterable of
            mappings.
        stated: the format, one of `TableFormat`; None to go by the extension, or by the first bytes
            where there is none.
        plan: the meaning of its columns.
        stack: closes the file in the end.
        book: the workbook, if it was read.

    Raises:
        ManifestError: it cannot be read, or not as a manifest.
        MissingExtraError: Parquet without pyarrow, a workbook without python-calamine.
    """
    if isinstance(source, str | Path):
        file = str(source)
        stream = _open_file(file, stack)
    elif is_objects(source):
        stream, file = cast("BinaryIO", ObjectStream(source)), ObjectStream.name
        stated = TableFormat.JSONL
    else:
        stream, name = cast("BinaryIO", source), getattr(source, "name", None)
        file = name if isinstance(name, str) else "-"
    head = read_block(stream, file)
    if stated is not None and stated not in [*TableFormat]:
        raise ManifestError(
            f'unknown format "{stated}" for a manifest; use one of {", ".join(TableFormat)}'
        )
    kind = _detect_format(file, head) if stated is None else TableFormat(stated)
    _check_magic(kind, head, file)
    if isinstance(source, str | Path) and file != "-":
        plan = apply_package(plan, Path(file))
    module, reader = FORMATS[kind].reader
    opened = OpenSource(file, kind, stream, head)
    read = getattr(import_module(f"lexurn.manifest.{module}"), reader)
    table: Table = read(opened, plan) if book is None else read(opened, plan, book)
    if table.headers:
        check_headers(table.headers, plan, file)
    return table


def _check_magic(kind: TableFormat, head: bytes, file: str) -> None:
    """Check that the first bytes of a file are those of its format."""
    found = [found for magic, found in _MAGIC if head.startswith(magic)]
    packed = {TableFormat.XLSX, TableFormat.ODS}
    if not found or found[0] is kind or (found[0] in packed and kind in packed):
        return
    if found[0] is None:
        why = "is compressed; decompress it, for example: gunzip -c FILE | lexurn ... -"
    else:
        name = found[0]
        title = "Parquet" if name is TableFormat.PARQUET else "a spreadsheet or another ZIP file"
        title = "an old spreadsheet" if name is TableFormat.XLS else title
        why = f"is {title}; name it FILE.{name}, or use --format {name} (validate: --input {name})"
    raise ManifestError(f"{file}: {why}")


class RawTable(NamedTuple):
    """Table as it stands, whatever its columns mean.

    Attributes:
        file: its file as given.
        format: its format.
        headers: the names of its columns; in JSON those of its first rows.
        rows: the number of each good row, and its cells by column.
    """

    file: str
    format: TableFormat
    headers: tuple[str, ...]
    rows: Iterator[tuple[int, Mapping[str, str]]]


_ROWS_WITH_COLUMNS = 100


@contextmanager
def open_rows(
    source: TableSource,
    mapping: str | Path | TableMapping | None = None,
    format: str | None = None,
    *,
    book: object = None,
) -> Iterator[RawTable]:
    """Open any table as it stands; of a mapping, only the layout of the table counts.

    Args:
        source: as in `open_table`.
        mapping: a mapping file, or a mapping.
        format: the format, or None to detect it.
        book: the workbook, if it was read.

    Raises:
        ManifestError: the table cannot be read.
        MissingExtraError: as `open_table`.
    """
    plan = make_plan(choose_mapping(mapping))
    plan = replace(plan, templates=(), constants=(), takes_all=True)
    with ExitStack() as stack:
        table = open_table(source, format, plan, stack, book)
        good = ((raw.line, raw.cells) for raw in table.rows() if raw.cells is not None)
        first = [] if table.headers else list(islice(good, _ROWS_WITH_COLUMNS))
        headers = table.headers or dict.fromkeys(key for _, cells in first for key in cells)
        yield RawTable(table.file, table.format, tuple(headers), chain(first, good))


def choose_mapping(mapping: str | Path | TableMapping | None) -> TableMapping:
    """Return a mapping; read it where it is a file."""
    if isinstance(mapping, TableMapping):
        return mapping
    return NO_MAPPING if mapping is None else read_mapping(mapping)


def _open_file(file: str, stack: ExitStack) -> BinaryIO:
    if file == "-":
        stream = getattr(sys.stdin, "buffer", None)
        if stream is None:
            raise ManifestError("-: there is no standard input to read from")
        return cast("BinaryIO", stream)
    try:
        return stack.enter_context(Path(file).open("rb"))
    except (OSError, ValueError) as missing:
        why = (missing.strerror if isinstance(missing, OSError) else None) or missing
        raise ManifestError(f"{file}: cannot be opened: {why}") from None


def _detect_format(file: str, head: bytes) -> TableFormat:
    """Detect the format of a table by its extension, or by its first bytes."""
    kind = EXTENSIONS.get(Path(file).suffix.lower())
    start = head.removeprefix(BOM)
    is_rows = _SECOND_OBJECT.match(start) or _FLAT_OBJECT.fullmatch(start)
    if kind is TableFormat.JSON and is_rows:
        return TableFormat.JSONL
    if kind is not None:
        return kind
    if _MIMETYPE_OF_ODS in head[:200]:
        return TableFormat.ODS
    found = next((found for magic, found in _MAGIC if head.startswith(magic)), None)
    if found is not None:
        return found
    start = start.lstrip()
    if start.startswith(b"["):
        return TableFormat.JSON
    return TableFormat.JSONL if start.startswith(b"{") else TableFormat.CSV


_LARGEST_DESCRIPTION = 10 << 20


def apply_package(plan: TablePlan, path: Path) -> TablePlan:
    """Return a plan with the layout of its table that a file beside it states.

    The file is in CSVW (W3C) or a Data Package (Frictionless). Encoding, separator and row of the
    header are read; a mapping file takes precedence.

    Raises:
        ManifestError: that file cannot be read, or states a layout that cannot be read.
    """
    # CSVW, section 5 (https://www.w3.org/TR/tabular-data-model/#locating-metadata), then
    # https://datapackage.org/standard/data-package/
    for name in (f"{path.name}-metadata.json", "csv-metadata.json", "datapackage.json"):
        file = path.with_name(name)
        if not file.is_file():
            continue
        try:
            if file.stat().st_size > _LARGEST_DESCRIPTION:
                raise ManifestError(f"{file}: larger than 10 MB, so not a description of a table")
            described = json.loads(file.read_bytes().decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError) as broken:
            raise ManifestError(
                f"{file}: cannot be read as JSON, to see the layout of {path.name}: {broken}"
            ) from None
        root = described if isinstance(described, dict) else {}
        for table in (root, *(root.get("tables") or ()), *(root.get("resources") or ())):
            if not isinstance(table, dict) or path.name not in {
                table.get("url"),
                table.get("path"),
            }:
                continue
            dialect = table.get("dialect") or root.get("dialect")
            dialect = dialect if isinstance(dialect, dict) else {}
            layout = _read_layout(table, dialect, f"{file}: {path.name}")
            mapping = plan.mapping
            missing = {key: each for key, each in layout.items() if getattr(mapping, key) is None}
            return replace(plan, mapping=replace(mapping, **missing))
    return plan


def _read_layout(table: dict[str, Any], dialect: dict[str, Any], where: str) -> dict[str, Any]:
    """Read encoding, separator and row of the header, as a mapping file has them."""
    encoding = table.get("encoding") or dialect.get("encoding")
    separator = dialect.get("delimiter")
    rows = dialect.get("headerRows") or [1 + (dialect.get("skipRows") or 0)]
    if dialect.get("header") is False or dialect.get("headerRowCount") == 0:
        raise ManifestError(f"{where} has no header; add a row with the names of the columns")
    if encoding is not None and not (isinstance(encoding, str) and is_text_encoding(encoding)):
        raise ManifestError(f"{where}: encoding {encoding!r} is not known; correct it there")
    if separator is not None and separator not in SEPARATORS:
        raise ManifestError(f"{where}: {separator!r} cannot separate cells; use , ; | or a tab")
    if len(rows) != 1 or not isinstance(rows[0], int):
        raise ManifestError(f"{where}: the header has several rows; leave one")
    layout = {"encoding": encoding, "separator": separator}
    return layout if rows == [1] else layout | {"header": rows[0]}
