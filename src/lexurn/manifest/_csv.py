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
from lexurn.manifest._faults import Fault, shown
from lexurn.manifest._lines import LONGEST_ROW
from lexurn.manifest._plan import check_headers
from lexurn.manifest._portions import portions_of_lines, rows_until
from lexurn.manifest._table import RawRow, TableFormat

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.manifest._lines import Lines
    from lexurn.manifest._plan import Plan
    from lexurn.manifest._portions import Portion

__all__ = ["CsvTable", "open_csv"]

_BOM = b"\xef\xbb\xbf"
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ufffe\uffff]")


class CsvTable:
    """A CSV file behind its header."""

    format = TableFormat.CSV

    def __init__(
        self, lines: Lines, plan: Plan, head: bytes, headers: list[str], line: int
    ) -> None:
        """Keep the parts; `open_csv` reads them."""
        self.file = lines.file
        self.plan = plan
        self.head = head
        self.end = lines.end
        self._lines = lines
        self._headers = headers
        self._line = line
        self._splitter = Splitter(plan.mapping.separator)

    def rows(self) -> Iterator[RawRow]:
        """The rows, once; blank lines are no rows."""
        while raw := self._lines.take():
            self._line += 1
            if len(raw) > LONGEST_ROW:
                row = self._too_long(raw)
                yield row
                deque(row.rest, maxlen=0)
            elif raw.strip(b"\r\n"):
                row = self._row(raw)
                self._line += _inner_lines(row.raw, self._lines.end)
                yield row

    def portions(self, size: int) -> Iterator[Portion]:
        """The rows in portions of about ``size`` bytes, each as long as whole rows are."""
        return portions_of_lines(self.rows(), self._lines, size, lambda: self._line)

    def part(self, portion: Portion) -> Iterator[RawRow]:
        """The rows of a portion, as `rows` would give them."""
        lines = self._lines.from_offset(portion.start)
        part = CsvTable(lines, self.plan, self.head, self._headers, portion.line)
        return rows_until(part.rows(), lines, portion.end)

    def _too_long(self, raw: bytes) -> RawRow:
        text = raw.decode("utf-8", "replace")
        place = self._splitter.split(text).number
        column = self._headers[place - 1] if 0 < place <= len(self._headers) else None
        fault = Fault(code="LX503", column=column, values={"most": LONGEST_ROW})
        return RawRow(self._line, raw, None, fault, self._lines.rest_of(raw))

    def _row(self, raw: bytes) -> RawRow:
        """One row, with the further lines that a cell in quotes may hold."""
        text = _text_of(raw)
        split = self._splitter.split(text)
        if split.problem is None and len(split.cells) == len(self._headers):
            return RawRow(self._line, raw, dict(zip(self._headers, split.cells, strict=True)))
        if split.problem == "LX504":
            whole = self._longer(raw)
            if whole is not None:
                return whole
        return RawRow(self._line, raw, None, self._fault(text, split))

    def _longer(self, raw: bytes) -> RawRow | None:
        """The row that ``raw`` is the first line of, None where no line closes its quote well."""
        taken: list[bytes] = []
        size, is_open = len(raw), True
        while is_open and size <= LONGEST_ROW and (line := self._lines.take()):
            taken.append(line)
            size += len(line)
            is_open = line.count(b'"') % 2 == 0
        whole = b"".join((raw, *taken))
        split = self._splitter.split(_text_of(whole))
        if size <= LONGEST_ROW and split.problem is None and len(split.cells) == len(self._headers):
            cells = [self._with_feeds(cell) for cell in split.cells]
            return RawRow(self._line, whole, dict(zip(self._headers, cells, strict=True)))
        self._lines.put_back(taken)
        return None

    def _with_feeds(self, cell: str) -> str:
        """A cell with its line breaks as line feeds."""
        cell = cell.replace("\r\n", "\n")
        return cell.replace("\r", "\n") if self._lines.end == b"\r" else cell

    def _fault(self, text: str, split: Split) -> Fault:
        if split.problem is None:
            values = {"value": len(split.cells), "expected": len(self._headers)}
            return Fault(code="LX506", end=len(text), text=text, values=values)
        known = 0 < split.number <= len(self._headers)
        column = self._headers[split.number - 1] if known else None
        return Fault(code=split.problem, column=column, start=split.at, end=split.at + 1, text=text)

    def copy(self, lines: Iterable[int], path: object) -> None:
        """Rows of CSV are bytes: nothing to copy."""


def _text_of(raw: bytes) -> str:
    """The text of a row; bytes that are no UTF-8 become lone surrogates, which rows reject."""
    return raw.decode("utf-8", "surrogateescape").rstrip("\r\n")


def _inner_lines(raw: bytes, end: bytes) -> int:
    return max(0, raw.count(end) - 1) if b'"' in raw else 0


class Split(NamedTuple):
    """A row cut into cells, or what prevents it.

    Attributes:
        cells: the cells.
        problem: the code of a fault, None where there is none.
        at: where the quote at fault stands in the row.
        number: the number of the cell at fault (or the last one), from 1.
    """

    cells: list[str]
    problem: str | None = None
    at: int = 0
    number: int = 0


class Splitter:
    """Cuts rows into cells at a separator."""

    def __init__(self, separator: str) -> None:
        """Keep the separator, one ASCII character."""
        self._separator = separator
        # A dialect that is made once: making it takes longer than reading a row.
        self._dialect = csv.reader((), delimiter=separator, strict=True).dialect
        mark = re.escape(separator)
        cell = rf'(?:"[^"]*+(?:""[^"]*+)*+"|[^"{mark}]*+)'
        self._regular = re.compile(rf"{cell}(?:{mark}{cell})*+")

    def split(self, text: str) -> Split:
        """The cells of a row without its line end."""
        if '"' not in text:
            cells = text.split(self._separator)
            return Split(cells, None, 0, len(cells))
        try:
            (cells,) = csv.reader((text,), self._dialect)
        except (csv.Error, ValueError):
            return self._slowly(text)  # out of place, or longer than csv.field_size_limit()
        # The module takes quotes amid a cell for text; without any in the cells there were none.
        if '"' in "".join(cells) and self._regular.fullmatch(text) is None:
            return self._slowly(text)
        return Split(cells, None, 0, len(cells))

    def _slowly(self, text: str) -> Split:
        """Cell by cell, up to the first quote that is out of place."""
        cells: list[str] = []
        at = 0
        while True:
            number = len(cells) + 1
            is_quoted = text.startswith('"', at)
            end = _closing(text, at + 1) if is_quoted else _next(text, self._separator, at)
            if end < 0:
                return Split(cells, "LX504", at, number)
            if is_quoted:
                cells.append(text[at + 1 : end - 1].replace('""', '"'))
                stray = -1 if text[end : end + 1] in {"", self._separator} else end - 1
            else:
                cells.append(text[at:end])
                stray = text.find('"', at, end)
            if stray >= 0:
                return Split(cells, "LX505", stray, number)
            if end >= len(text):
                return Split(cells, None, 0, number)
            at = end + 1


def _next(text: str, separator: str, at: int) -> int:
    end = text.find(separator, at)
    return len(text) if end < 0 else end


def _closing(text: str, at: int) -> int:
    """The offset behind the quote that closes a cell, -1 where none does."""
    while (quote := text.find('"', at)) >= 0:
        if not text.startswith('"', quote + 1):
            return quote + 1
        at = quote + 2
    return -1


def open_csv(lines: Lines, plan: Plan) -> CsvTable:
    """A CSV file, its header read.

    Raises:
        ManifestError: no header, or one that is no manifest's.
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
    headers = _headers_of(raw, number, lines.file, plan)
    check_headers(headers, plan, lines.file)
    return CsvTable(lines, plan, raw, headers, number)


def _headers_of(raw: bytes, number: int, file: str, plan: Plan) -> list[str]:
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
    split = Splitter(plan.mapping.separator).split(text)
    if split.problem is not None:
        raise ManifestError(
            f"{file}:{number}: a quote in the header, column {split.number}, is not closed or "
            f"stands amid a name: {shown(text[split.at :])}"
        )
    return [cell.strip() for cell in split.cells]
