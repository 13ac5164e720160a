"""Tables in any format: raw rows, the lines and portions of files, typed values as cells."""

from __future__ import annotations

import datetime as dt
import decimal
import math
import sqlite3
import tempfile
from collections import deque
from contextlib import contextmanager
from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lexurn.errors import ManifestError
from lexurn.manifest.cells import Fault, RowFault, quote_value
from lexurn.manifest.mapping import LIST_COLUMNS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import Any, BinaryIO, Final

    from lexurn.manifest.mapping import Column, TablePlan


class TableFormat(StrEnum):
    """Format of a manifest."""

    CSV = "csv"
    JSONL = "jsonl"
    PARQUET = "parquet"


EXTENSIONS: Final = MappingProxyType(
    {
        ".csv": TableFormat.CSV,
        ".jsonl": TableFormat.JSONL,
        ".ndjson": TableFormat.JSONL,
        ".parquet": TableFormat.PARQUET,
        ".pq": TableFormat.PARQUET,
    }
)


class RawRow(NamedTuple):
    """Row as it stands in the table.

    Attributes:
        line: its first line, from 1; in Parquet the row's number.
        raw: its bytes, or the first piece of them; empty in Parquet.
        cells: its cells by header, None where they cannot be told apart.
        fault: the reason for that.
        rest: the further pieces of a row that is too long; to be read before the next row.
    """

    line: int
    raw: bytes
    cells: Mapping[str, str] | None
    fault: Fault | None = None
    rest: Iterable[bytes] = ()


class Table(Protocol):
    """Table, open at its first row."""

    @property
    def file(self) -> str:
        """File of the table, as given."""
        ...

    @property
    def format(self) -> TableFormat:
        """Format of the table."""
        ...

    @property
    def plan(self) -> TablePlan:
        """Meaning of its columns."""
        ...

    @property
    def head(self) -> bytes:
        """Bytes before its first row, with which a rejects file starts, too."""
        ...

    @property
    def end(self) -> bytes:
        """Line end of its rows, where they are bytes."""
        ...

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows, once."""
        ...

    def portions(self, size: int) -> Iterator[Portion]:
        """Yield portions of about ``size`` bytes, instead of the rows."""
        ...

    def read_portion(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion, as `rows` would, instead of the rows."""
        ...

    def copy_rows(self, lines: Iterable[int], path: Path) -> None:
        """Write rows to a file of their own, where they are not lines of bytes."""
        ...


class Portion(NamedTuple):
    """Portion of a table.

    Attributes:
        start: the offset of its first byte; in Parquet the number of its first row group.
        end: the offset behind it; in Parquet the row group behind it.
        line: the number of the line before it; in Parquet of the row.
        rows: its number of rows.
    """

    start: int
    end: int
    line: int
    rows: int


def cut_portions(
    rows: Iterable[RawRow], lines: Lines, size: int, line: Callable[[], int]
) -> Iterator[Portion]:
    """Cut a table of lines into portions, each behind the row that reaches ``size`` bytes.

    All rows must be read to find where one ends: a cell in quotes may hold lines like rows.

    Args:
        rows: its rows, from the first.
        lines: the lines that they are taken from.
        size: about how many bytes a portion has.
        line: returns the number of the line that was read last.
    """
    start, before, count = lines.at, line(), 0
    for row in rows:
        deque(row.rest, maxlen=0)
        count += 1
        if lines.at - start >= size:
            yield Portion(start, lines.at, before, count)
            start, before, count = lines.at, line(), 0
    if count:
        yield Portion(start, lines.at, before, count)


def take_rows_until(rows: Iterable[RawRow], lines: Lines, end: int) -> Iterator[RawRow]:
    """Yield the rows up to the one that ends at an offset."""
    for row in rows:
        yield row
        deque(row.rest, maxlen=0)
        if lines.at >= end:
            return


LONGEST_ROW = 1 << 20
"""The most bytes that one row may have, its line end included."""

BLOCK_SIZE = 1 << 18


def read_block(stream: BinaryIO, file: str, size: int = BLOCK_SIZE) -> bytes:
    """Read the next bytes of a stream, none at its end.

    Raises:
        ManifestError: the stream cannot be read, or is not binary.
    """
    try:
        block = stream.read(size)
    except (OSError, ValueError) as broken:
        why = (broken.strerror if isinstance(broken, OSError) else None) or broken
        raise ManifestError(f"{file}: cannot be read: {why}") from None
    if not isinstance(block, bytes):
        raise ManifestError(f"{file}: a stream of bytes is needed; open it in binary mode")
    return block


class Lines:
    """Lines of a stream with their line ends; lines can be put back.

    A line longer than `LONGEST_ROW` comes in pieces: the first is longer than that, the last one
    ends as lines do or with the stream.

    Attributes:
        file: their file as given.
        end: the line end.
        at: the offset of the next line in the file.
    """

    def __init__(
        self, stream: BinaryIO, file: str, head: bytes, *, start: int = 0, end: bytes = b""
    ) -> None:
        """Start with ``head``, the bytes that were read already.

        Args:
            stream: the bytes.
            file: their file, for messages.
            head: the first of them.
            start: the offset of ``head`` in the file.
            end: the line end; empty to find it in ``head``: a carriage return alone ends all lines
                where it ends the first one.
        """
        self.file = file
        self.end = end or _find_line_end(head)
        self.at = start
        self._stream = stream
        self._put_back: deque[bytes] = deque()
        self._lines = _split_lines(stream, file, head, self.end)

    def take(self) -> bytes:
        """Return the next line, empty at the end of the stream."""
        line = self._put_back.popleft() if self._put_back else next(self._lines, b"")
        self.at += len(line)
        return line

    def put_back(self, lines: list[bytes]) -> None:
        """Give lines back, to be taken again in the same order."""
        self._put_back.extendleft(reversed(lines))
        self.at -= sum(map(len, lines))

    def from_offset(self, start: int) -> Lines:
        """Return the lines of the same stream from an offset on; these here come to an end.

        Raises:
            ManifestError: the stream cannot go there.
        """
        try:
            self._stream.seek(start)
        except (OSError, ValueError, AttributeError) as fixed:
            raise ManifestError(
                f"{self.file}: cannot be read in parts: {fixed}; name a file"
            ) from None
        head = read_block(self._stream, self.file)
        return Lines(self._stream, self.file, head, start=start, end=self.end)

    def rest_of(self, piece: bytes) -> Iterator[bytes]:
        """Yield the further pieces of a line that is too long."""
        while piece and not piece.endswith(self.end):
            piece = self.take()
            yield piece


def _find_line_end(head: bytes) -> bytes:
    feed, alone = head.find(b"\n"), head.find(b"\r")
    return b"\r" if alone >= 0 and feed < 0 else b"\n"


def _split_lines(stream: BinaryIO, file: str, head: bytes, end: bytes) -> Iterator[bytes]:
    tail, block = b"", head
    while block:
        first, *others = block.split(end)
        tail += first
        for other in others:
            line = tail + end
            if len(line) > LONGEST_ROW:
                yield from _cut_long_line(line)
            else:
                yield line
            tail = other
        while len(tail) > LONGEST_ROW:
            yield tail[: LONGEST_ROW + 1]
            tail = tail[LONGEST_ROW + 1 :]
        block = read_block(stream, file)
    if tail:
        yield tail


def _cut_long_line(line: bytes) -> Iterator[bytes]:
    for at in range(0, len(line), LONGEST_ROW + 1):
        yield line[at : at + LONGEST_ROW + 1]


_EXACT_INTEGERS = 1 << 53


def read_typed_cell(value: object, header: str, column: Column | None) -> str:
    """Read the cell of a value in a column; columns that are left out may hold anything.

    Args:
        value: a value of JSON or Parquet.
        header: the name of the column in the table.
        column: its meaning, None where it is left out.

    Raises:
        RowFault: no cell of this column may hold the value.
    """
    cell = format_cell(value)
    if cell is not None and len(cell) > LONGEST_ROW:
        raise RowFault(Fault(code="LX503", column=header, values={"most": LONGEST_ROW}))
    if column is None:
        return cell or ""
    takes_list = column.target in LIST_COLUMNS
    if cell is None or (isinstance(value, list) and not takes_list):
        expected = "one text or number, or a list of them" if takes_list else "one text or number"
        values = {"value": quote_value(str(value)), "expected": expected}
        raise RowFault(Fault(code="LX510", column=header, values=values))
    return cell


def format_cell(value: object) -> str | None:
    """Write a value as a cell, None where no cell may hold it.

    Texts stay as they are, null is empty, whole numbers and days are written out, and the items of
    a list stand on a line each.
    """
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        cells = [format_cell(each) for each in value if not isinstance(each, list)]
        texts = [cell for cell in cells if cell]
        return "\n".join(texts) if len(texts) == len(value) else None
    return "" if value is None else _format_scalar(value)


def _format_scalar(value: object) -> str | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return str(value)
    if isinstance(value, dt.datetime):
        is_day = value.tzinfo is None and value.time() == dt.time.min
        return (value.date() if is_day else value).isoformat()
    if isinstance(value, dt.date):
        return value.isoformat()
    if isinstance(value, float | decimal.Decimal):
        return _format_whole_number(value)
    return None


def _format_whole_number(value: Any) -> str | None:
    """Write a whole number that has a decimal point; not-a-number marks an empty cell."""
    if value.is_nan() if isinstance(value, decimal.Decimal) else math.isnan(value):
        return ""
    is_exact = -_EXACT_INTEGERS < value < _EXACT_INTEGERS
    return str(int(value)) if is_exact and value == int(value) else None


@contextmanager
def explain_disk_errors() -> Iterator[None]:
    """Explain in one sentence why the disk cannot hold the rows.

    Raises:
        ManifestError: it cannot.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as full:
        raise make_disk_error(full) from None


def make_disk_error(full: Exception) -> ManifestError:
    """Make the error for a temporary file that cannot be written or read."""
    return ManifestError(
        f"the rows cannot be kept in a temporary file: {full}; free space in "
        f"{tempfile.gettempdir()}, or set TMPDIR to a folder on a larger disk"
    )
