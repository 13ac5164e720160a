"""Sheets of workbooks in XLSX, XLS and ODS, read with python-calamine: the extra ``sheets``."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from contextlib import contextmanager, nullcontext
from typing import TYPE_CHECKING, Any, cast
from xml.parsers import expat

from lexurn.errors import ManifestError, MissingExtraError
from lexurn.findings import make_finding
from lexurn.manifest.cells import CellError, quote_value
from lexurn.manifest.plan import name_columns
from lexurn.manifest.tables import Lines, OpenSource, RawRow, TextTable

try:
    import python_calamine as calamine
except ImportError as missing:
    raise MissingExtraError("sheets") from missing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.findings import Finding
    from lexurn.manifest.plan import TablePlan

_LARGEST_FILE = 100 << 20
_LARGEST_UNPACKED = 512 << 20
_MOST_CELLS = 20_000_000
_MOST_MERGED = 100_000
_BLOCK_SIZE = 1 << 20
_ROW = re.compile(rb'<row\b[^>]{0,200}?\br="([0-9]{1,7})"')
_CELL = re.compile(rb'\br="([A-Z]{1,3})[0-9]')
_LONGEST_TAG = 300
_LOST = "?"  # stands in rejected rows for a text that a spreadsheet changed; no name may have it
_SAVE_AS_CSV = "save the sheet as CSV in UTF-8"


class SheetTable(TextTable):
    """Sheet of a workbook; a row's line is its number in the sheet.

    Rejected rows are written as CSV.
    """

    is_whole = True

    def __init__(self, source: OpenSource, plan: TablePlan, book: Any = None) -> None:
        """Read the sheet.

        Args:
            source: the workbook.
            plan: the meaning of its columns.
            book: the workbook that `open_book` has read; None to read it.

        Raises:
            ManifestError: it cannot be read, is too large, or has no header; the workbook has
                several sheets and the mapping file names none.
        """
        super().__init__(source._replace(head=b""), plan)
        with open_book(source) if book is None else nullcontext(book) as opened:
            sheet = self._choose_sheet(opened)
            self.sheet = sheet.name
            merged = sheet.merged_cell_ranges or []
            self._rows = sheet.iter_rows()
            self._line = (sheet.start or (0, 0))[0]
            left = (sheet.start or (0, 0))[1]
        # By row and column from 0, the first row of the merged cells that begin above.
        self._merged = {
            (row, column - left): top
            for (top, first), (bottom, last) in merged[:_MOST_MERGED]
            for row in range(top + 1, min(bottom, top + _MOST_MERGED) + 1)
            for column in range(first, last + 1)
        }
        before: list[str] = []
        headers: list[str] = []
        wanted = plan.mapping.header
        for values in self._rows:
            self._line += 1
            cells = [_show_value(value) for value in values]
            if self._line == wanted or (wanted is None and any(cells)):
                headers = [" ".join(cell.split()) for cell in cells]
                break
            before += [_write_row(cells)] * (wanted is not None)
        if not headers:
            raise ManifestError(
                f"{self.file}: the sheet {quote_value(sheet.name)} has no row with a header; name "
                "another sheet, or correct header in the mapping file"
            )
        self.headers = name_columns(headers, plan)
        self.head = "".join((*before, _write_row(headers))).encode()

    def _open_lines(self, _source: OpenSource) -> Lines:
        return cast("Lines", None)  # rows come from the workbook

    def _choose_sheet(self, book: Any) -> Any:
        """Return the sheet that the mapping file names, else the only one that is not empty."""
        wanted = self.plan.mapping.sheet
        if wanted is not None:
            if wanted not in book.sheet_names:
                listed = ", ".join(map(quote_value, book.sheet_names[:20]))
                raise ManifestError(
                    f"{self.file}: there is no sheet {quote_value(wanted)}; name one of {listed}"
                )
            return book.get_sheet_by_name(wanted)
        sheets = _list_visible(book)
        filled = [sheet for sheet in sheets if sheet.height and sheet.end is not None]
        if len(filled) == 1:
            return filled[0]
        listed = ", ".join(
            f"{quote_value(sheet.name)} ({sheet.height:,} rows, {sheet.width:,} columns)"
            for sheet in filled[:20]
        )
        hidden = len(book.sheet_names) - len(sheets)
        if not filled:
            remedy = f"{hidden} are hidden: name one with sheet in a mapping file"
            remedy = remedy if hidden else "give the workbook that has the table"
            raise ManifestError(f"{self.file}: no sheet has cells; {remedy}")
        raise ManifestError(
            f"{self.file}: several sheets: {listed}; name one in a mapping file, such as "
            f"sheet = {quote_value(max(filled, key=_count_cells).name)}"
        )

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows; empty ones are left out."""
        for values in self._rows:
            self._line += 1
            if any(value != "" for value in values):
                yield self._read_values(values)

    def _read_row(self, raw: bytes) -> RawRow:
        raise NotImplementedError

    def _read_values(self, values: list[Any]) -> RawRow:
        shown = [_show_value(value) for value in values]
        cells: dict[str, str] = {}
        fault: Finding | None = None
        for number, (header, value) in enumerate(zip(self.headers, values, strict=False)):
            try:
                top = self._merged.get((self._line - 1, number))
                if top is not None and self.plan.uses(header) and not self.plan.takes_all:
                    merged = make_finding("LX530", named={"value": top + 1}, column=header)
                    fault = fault or merged
                cells[header] = self.plan.read_value(header, value, shown[number])
            except CellError as error:
                fault = fault or error.finding
                if error.finding.code == "LX510":
                    shown[number] = _LOST  # as a text in CSV, it would be taken for the value
        raw = _write_row(shown).encode("utf-8", "surrogatepass")
        return RawRow(self._line, raw, cells if fault is None else None, fault)


def list_sheets(book: Any) -> list[str]:
    """List the visible sheets of a workbook that have several rows and columns, largest first."""
    tables = [each for each in _list_visible(book) if min(each.height, each.width) > 1]
    return [each.name for each in sorted(tables, key=_count_cells, reverse=True)]


def _list_visible(book: Any) -> list[Any]:
    visible = calamine.SheetVisibleEnum.Visible
    names = [each.name for each in book.sheets_metadata if each.visible == visible]
    return [book.get_sheet_by_name(name) for name in names]


@contextmanager
def open_book(source: OpenSource) -> Iterator[Any]:
    """Read a whole workbook, and explain in one sentence why it cannot be read.

    Raises:
        ManifestError: it cannot be read, or is too large.
    """
    pieces, size = [source.head], len(source.head)
    while size <= _LARGEST_FILE and (block := source.stream.read(_BLOCK_SIZE)):
        pieces.append(block)
        size += len(block)
    if size > _LARGEST_FILE:
        raise ManifestError(
            f"{source.file}: larger than {_LARGEST_FILE >> 20} MB; {_SAVE_AS_CSV}, which is read "
            "row by row"
        )
    data = b"".join(pieces)
    _check_size(data, source.file)
    with _explain_errors(source.file):
        yield calamine.CalamineWorkbook.from_filelike(io.BytesIO(data))


def _check_size(data: bytes, file: str) -> None:
    """Check that a workbook unpacks to a size that fits in memory.

    A small ZIP file can unpack to any size, and two cells far apart span any number of cells.

    Raises:
        ManifestError: it does not.
    """
    if not data.startswith(b"PK"):
        return
    size = 0
    with _explain_errors(file), zipfile.ZipFile(io.BytesIO(data)) as packed:
        for member in packed.infolist():
            name = member.filename
            span = _OdsSpan() if name == "content.xml" else _XlsxSpan()
            is_sheet = name == "content.xml" or "/worksheets/" in name
            with packed.open(member) as stream:
                while block := stream.read(_BLOCK_SIZE):
                    size += len(block)
                    if size > _LARGEST_UNPACKED:
                        raise ManifestError(
                            f"{file}: unpacks to more than {_LARGEST_UNPACKED >> 20} MB; "
                            f"{_SAVE_AS_CSV}, which is read row by row"
                        )
                    if is_sheet:
                        span.feed(block)
            if span.rows * span.columns > _MOST_CELLS:
                raise ManifestError(
                    f"{file}: {name} spans {span.rows:,} rows and {span.columns:,} columns, more "
                    f"than {_MOST_CELLS:,} cells; delete what lies far from the table, or "
                    f"{_SAVE_AS_CSV}"
                )


def _count_cells(sheet: Any) -> int:
    return int(sheet.height * sheet.width)


class _XlsxSpan:
    """Rows and columns that the cells of a sheet in XLSX span."""

    def __init__(self) -> None:
        self.rows = self.columns = 0
        self._seen, self._tail = 0, b""

    def feed(self, block: bytes) -> None:
        """Measure the next bytes of the sheet."""
        self._seen += block.count(b"<row")
        block, self._tail = self._tail + block, block[-_LONGEST_TAG:]
        self.rows = max(self.rows, self._seen, *map(int, _ROW.findall(block)), 0)
        for letters in {*_CELL.findall(block)}:
            number = 0
            for letter in letters:
                number = number * 26 + letter - 64
            self.columns = max(self.columns, number)


class _OdsSpan:
    """Rows and columns that the cells of all sheets in ODS span; one element repeats many."""

    def __init__(self) -> None:
        self.rows = self.columns = 0
        self._row = self._repeated = self._column = 0
        parser = expat.ParserCreate()
        parser.StartElementHandler = self._start
        self.feed = parser.Parse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "table:table":
            self._row = 0
        elif name == "table:table-row":
            self._repeated = int(attributes.get("table:number-rows-repeated", "1"))
            self._row += self._repeated
            self._column = 0
        elif name in {"table:table-cell", "table:covered-table-cell"}:
            self._column += int(attributes.get("table:number-columns-repeated", "1"))
            if "office:value-type" in attributes:
                self.rows = max(self.rows, self._row)
                self.columns = max(self.columns, self._column)


@contextmanager
def _explain_errors(file: str) -> Iterator[None]:
    """Explain in one sentence why a workbook cannot be read."""
    try:
        yield
    except ManifestError:
        raise
    except calamine.PasswordError:
        raise ManifestError(f"{file}: has a password; {_SAVE_AS_CSV}") from None
    except Exception as error:
        if isinstance(error, MemoryError | KeyboardInterrupt):
            raise
        why = str(error).partition("\n")[0] or type(error).__name__
        raise ManifestError(f"{file}: cannot be read as a spreadsheet: {why}") from None


def _show_value(value: Any) -> str:
    """Return a value as a person sees it."""
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if hasattr(value, "isoformat"):
        shown = value.isoformat()
        return str(shown).removesuffix("T00:00:00")
    return str(value)


def _write_row(cells: list[str]) -> str:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()
