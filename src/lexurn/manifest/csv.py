"""CSV as RFC 4180 has it, read row by row; each row keeps its bytes.

A quote stands around a whole cell or doubled in such a cell, nowhere else: so a quote that is never
closed shows at the line where it opens, and cannot swallow the lines behind it.
"""

from __future__ import annotations

import csv
import re
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import ManifestError
from lexurn.manifest.cells import Fault, quote_value
from lexurn.manifest.mapping import check_headers
from lexurn.manifest.tables import LONGEST_ROW, RawRow, TableFormat, cut_portions, take_rows_until

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.manifest.mapping import TablePlan
    from lexurn.manifest.tables import Lines, Portion

_BOM = b"\xef\xbb\xbf"
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]")


class CsvTable:
    """CSV file behind its header."""

    format = TableFormat.CSV

    def __init__(
        self, lines: Lines, plan: TablePlan, head: bytes, headers: list[str], line: int
    ) -> None:
        """Keep the parts; `open_csv` reads them."""
        self.file = lines.file
        self.plan = plan
        self.head = head
        self.end = lines.end
        self._lines = lines
        self._headers = headers
        self._line = line
        self._splitter = RowSplitter(plan.mapping.separator)

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows, once; blank lines are left out."""
        while raw := self._lines.take():
            self._line += 1
            if len(raw) > LONGEST_ROW:
                row = self._too_long(raw)
                yield row
                deque(row.rest, maxlen=0)
            elif raw.strip(b"\r\n"):
                row = self._row(raw)
                self._line += _count_inner_lines(row.raw, self._lines.end)
                yield row

    def portions(self, size: int) -> Iterator[Portion]:
        """Yield portions of about ``size`` bytes, each as long as whole rows are."""
        return cut_portions(self.rows(), self._lines, size, lambda: self._line)

    def read_portion(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion, as `rows` would."""
        lines = self._lines.from_offset(portion.start)
        part = CsvTable(lines, self.plan, self.head, self._headers, portion.line)
        return take_rows_until(part.rows(), lines, portion.end)

    def _too_long(self, raw: bytes) -> RawRow:
        text = raw.decode("utf-8", "replace")
        place = self._splitter.split(text).number
        column = self._headers[place - 1] if 0 < place <= len(self._headers) else None
        fault = Fault(code="LX503", column=column, values={"most": LONGEST_ROW})
        return RawRow(self._line, raw, None, fault, self._lines.rest_of(raw))

    def _row(self, raw: bytes) -> RawRow:
        """Read one row, with the further lines that a cell in quotes may hold."""
        text = _decode_row(raw)
        split = self._splitter.split(text)
        if split.problem is None and len(split.cells) == len(self._headers):
            return RawRow(self._line, raw, dict(zip(self._headers, split.cells, strict=True)))
        if split.problem == "LX504":
            whole = self._longer(raw)
            if whole is not None:
                return whole
        return RawRow(self._line, raw, None, self._fault(text, split))

    def _longer(self, raw: bytes) -> RawRow | None:
        """Read the row that starts with the line ``raw``, None where no line closes its quote."""
        taken: list[bytes] = []
        size, is_open = len(raw), True
        while is_open and size <= LONGEST_ROW and (line := self._lines.take()):
            taken.append(line)
            size += len(line)
            is_open = line.count(b'"') % 2 == 0
        whole = b"".join((raw, *taken))
        split = self._splitter.split(_decode_row(whole))
        if size <= LONGEST_ROW and split.problem is None and len(split.cells) == len(self._headers):
            cells = [self._with_feeds(cell) for cell in split.cells]
            return RawRow(self._line, whole, dict(zip(self._headers, cells, strict=True)))
        self._lines.put_back(taken)
        return None

    def _with_feeds(self, cell: str) -> str:
        """Return a cell with line feeds as its line breaks."""
        cell = cell.replace("\r\n", "\n")
        return cell.replace("\r", "\n") if self._lines.end == b"\r" else cell

    def _fault(self, text: str, split: SplitRow) -> Fault:
        if split.problem is None:
            values = {"value": len(split.cells), "expected": len(self._headers)}
            return Fault(code="LX506", end=len(text), text=text, values=values)
        known = 0 < split.number <= len(self._headers)
        column = self._headers[split.number - 1] if known else None
        return Fault(code=split.problem, column=column, start=split.at, end=split.at + 1, text=text)

    def copy_rows(self, lines: Iterable[int], path: object) -> None:
        """Copy nothing: rows of CSV are bytes."""


def _decode_row(raw: bytes) -> str:
    """Decode a row; bytes that are not UTF-8 become lone surrogates, which rows reject."""
    return raw.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _count_inner_lines(raw: bytes, end: bytes) -> int:
    return max(0, raw.count(end) - 1) if b'"' in raw else 0


class SplitRow(NamedTuple):
    """Cells of a row, or the fault that prevents a split.

    Attributes:
        cells: the cells.
        problem: the code of a fault, None where there is none.
        at: the offset of the quote at fault in the row.
        number: the number of the cell at fault (or the last one), from 1.
    """

    cells: list[str]
    problem: str | None = None
    at: int = 0
    number: int = 0


class RowSplitter:
    """Splitter of rows into cells, at a separator."""

    def __init__(self, separator: str) -> None:
        """Keep the separator, one ASCII character."""
        self._separator = separator
        # A dialect that is made once: making it takes longer than reading a row.
        self._dialect = csv.reader((), delimiter=separator, strict=True).dialect
        mark = re.escape(separator)
        cell = rf'(?:"[^"]*+(?:""[^"]*+)*+"|[^"{mark}]*+)'
        self._regular = re.compile(rf"{cell}(?:{mark}{cell})*+")

    def split(self, text: str) -> SplitRow:
        """Split a row without its line end into cells."""
        if '"' not in text:
            cells = text.split(self._separator)
            return SplitRow(cells, None, 0, len(cells))
        try:
            (cells,) = csv.reader((text,), self._dialect)
        except (csv.Error, ValueError):
            return self._slowly(text)  # out of place, or longer than csv.field_size_limit()
        # The module takes quotes amid a cell for text; without any in the cells there were none.
        if '"' in "".join(cells) and self._regular.fullmatch(text) is None:
            return self._slowly(text)
        return SplitRow(cells, None, 0, len(cells))

    def _slowly(self, text: str) -> SplitRow:
        """Split cell by cell, up to the first quote that is out of place."""
        cells: list[str] = []
        at = 0
        while True:
            number = len(cells) + 1
            is_quoted = text.startswith('"', at)
            end = (
                _find_closing_quote(text, at + 1)
                if is_quoted
                else _find_cell_end(text, self._separator, at)
            )
            if end < 0:
                return SplitRow(cells, "LX504", at, number)
            if is_quoted:
                cells.append(text[at + 1 : end - 1].replace('""', '"'))
                stray = -1 if text[end : end + 1] in {"", self._separator} else end - 1
            else:
                cells.append(text[at:end])
                stray = text.find('"', at, end)
            if stray >= 0:
                return SplitRow(cells, "LX505", stray, number)
            if end >= len(text):
                return SplitRow(cells, None, 0, number)
            at = end + 1


def _find_cell_end(text: str, separator: str, at: int) -> int:
    end = text.find(separator, at)
    return len(text) if end < 0 else end


def _find_closing_quote(text: str, at: int) -> int:
    """Return the offset behind the quote that closes a cell, -1 where none does."""
    while (quote := text.find('"', at)) >= 0:
        if not text.startswith('"', quote + 1):
            return quote + 1
        at = quote + 2
    return -1


def open_csv(lines: Lines, plan: TablePlan) -> CsvTable:
    """Open a CSV file and read its header.

    Raises:
        ManifestError: there is no header, or its columns are unknown.
    """
    raw, number = lines.take(), 1
    while raw and not raw.removeprefix(_BOM).strip(b"\r\n"):
        raw, number = lines.take(), number + 1
    if not raw:
        raise ManifestError(f"{lines.file}: the file is empty; a manifest starts with a header")
    if len(raw) > LONGEST_ROW:
        raise ManifestError(
            f"{lines.file}: the first line is longer than {LONGEST_ROW:,} bytes, so it is no header"
        )
    headers = _read_headers(raw, number, lines.file, plan)
    check_headers(headers, plan, lines.file)
    return CsvTable(lines, plan, raw, headers, number)


def _read_headers(raw: bytes, number: int, file: str, plan: TablePlan) -> list[str]:
    try:
        text = raw.decode("utf-8-sig").rstrip("\r\n")
    except UnicodeDecodeError as broken:
        raise ManifestError(
            f"{file}:{number}: the header is no UTF-8 at byte {broken.start}; save the table as "
            "UTF-8"
        ) from None
    control = _CONTROL.search(text.replace("\t", ""))
    if control is not None:
        raise ManifestError(
            f"{file}:{number}: the header holds U+{ord(control[0]):04X}, which is no text; is this "
            "a CSV file in UTF-8, with lines that end in LF or CRLF?"
        )
    split = RowSplitter(plan.mapping.separator).split(text)
    if split.problem is not None:
        raise ManifestError(
            f"{file}:{number}: a quote in the header, column {split.number}, is not closed or "
            f"stands amid a name: {quote_value(text[split.at :])}"
        )
    return [cell.strip() for cell in split.cells]
