"""Parquet, read in batches with pyarrow: the extra ``parquet``, loaded when a table needs it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, BinaryIO

from lexurn.errors import ManifestError, MissingExtraError
from lexurn.manifest._faults import RowFault
from lexurn.manifest._plan import check_headers
from lexurn.manifest._portions import Portion
from lexurn.manifest._table import RawRow, TableFormat
from lexurn.manifest._values import typed_cell

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError as missing:
    raise MissingExtraError("parquet") from missing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from lexurn.manifest._plan import Plan

__all__ = ["ParquetTable"]

_BATCH = 512


class ParquetTable:
    """A Parquet file; a row's line is its number."""

    format = TableFormat.PARQUET
    head = b""
    end = b""

    def __init__(self, stream: BinaryIO, file: str, plan: Plan) -> None:
        """Read the schema.

        Raises:
            ManifestError: no Parquet, or columns that are no manifest's.
        """
        self.file = file
        self.plan = plan
        with _readable(file):
            self._parquet = parquet.ParquetFile(stream)
            headers = list(self._parquet.schema_arrow.names)
        check_headers(headers, plan, file)
        used = {name for each in plan.mapping.templates for name in each.columns}
        self._headers = [h for h in headers if plan.columns[h] is not None or h in used]

    def rows(self) -> Iterator[RawRow]:
        """The rows, once."""
        return self._rows(0, None)

    def portions(self, size: int) -> Iterator[Portion]:
        """The rows in portions of whole row groups, of about ``size`` bytes on disk."""
        meta = self._parquet.metadata
        start, line, rows, held = 0, 0, 0, 0
        for number in range(meta.num_row_groups):
            group = meta.row_group(number)
            rows += group.num_rows
            held += sum(
                group.column(each).total_compressed_size for each in range(group.num_columns)
            )
            if held >= size or number + 1 == meta.num_row_groups:
                yield Portion(start, number + 1, line, rows)
                start, line, rows, held = number + 1, line + rows, 0, 0

    def part(self, portion: Portion) -> Iterator[RawRow]:
        """The rows of a portion, as `rows` would give them."""
        return self._rows(portion.line, range(portion.start, portion.end))

    def _rows(self, number: int, groups: range | None) -> Iterator[RawRow]:
        for batch in self._batches(self._headers, groups):
            columns = [_values_of(batch.column(header)) for header in self._headers]
            for values in zip(*columns, strict=True):
                number += 1
                yield self._row(number, values)

    def _batches(self, headers: list[str] | None, groups: range | None = None) -> Iterator[Any]:
        wanted = None if groups is None else list(groups)
        with _readable(self.file):
            yield from self._parquet.iter_batches(_BATCH, row_groups=wanted, columns=headers)

    def _row(self, number: int, values: tuple[Any, ...]) -> RawRow:
        pairs = zip(self._headers, values, strict=True)
        columns = self.plan.columns
        try:
            cells = {header: typed_cell(value, header, columns[header]) for header, value in pairs}
        except RowFault as found:
            return RawRow(number, b"", None, found.fault)
        return RawRow(number, b"", cells)

    def copy(self, lines: Iterable[int], path: Path) -> None:
        """Write the rows with these numbers, which grow, to a Parquet file of the same schema."""
        wanted = iter(lines)
        line = next(wanted, None)
        first = 1
        with parquet.ParquetWriter(path, self._parquet.schema_arrow) as writer:
            for batch in self._batches(None):
                places = []
                while line is not None and line < first + batch.num_rows:
                    places.append(line - first)
                    line = next(wanted, None)
                if places:
                    writer.write_batch(batch.take(pa.array(places)))
                first += batch.num_rows


def _values_of(column: Any) -> list[Any]:
    """The values of a column; bytes that are no UTF-8 become lone surrogates, which rows reject."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        values = column.cast("binary").to_pylist()
        return [value and value.decode("utf-8", "surrogateescape") for value in values]


@contextmanager
def _readable(file: str) -> Iterator[None]:
    """Say in one sentence why a file cannot be read, whatever pyarrow says it with."""
    broken = (pa.ArrowException, OSError, ValueError, TypeError, LookupError, ArithmeticError)
    try:
        yield
    except ManifestError:
        raise
    except (*broken, RuntimeError, MemoryError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ManifestError(f"{file}: cannot be read as Parquet: {why}") from None
