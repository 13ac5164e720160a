"""Parquet, read in batches with pyarrow: the extra ``parquet``, loaded when a table needs it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError, MissingExtraError
from lexurn.manifest.cells import CellError
from lexurn.manifest.formats import TableFormat
from lexurn.manifest.tables import Portion, RawRow

try:
    import pyarrow as pa
    from pyarrow import parquet
except ImportError as missing:
    raise MissingExtraError("parquet") from missing


if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

    from lexurn.manifest.plan import TablePlan
    from lexurn.manifest.tables import OpenSource, RejectedRow

_BATCH = 512


class ParquetTable:
    """Parquet file; a row's line is its number."""

    format = TableFormat.PARQUET
    sheet = None
    head = b""
    is_whole = False

    def __init__(self, source: OpenSource, plan: TablePlan) -> None:
        """Read the schema.

        Raises:
            ManifestError: the file is not Parquet.
        """
        stream, file = source.stream, source.file
        self.file = file
        self.plan = plan
        try:
            stream.seek(0)
        except (OSError, ValueError, AttributeError):
            raise ManifestError(
                f"{file}: Parquet cannot be read from a pipe; name a file"
            ) from None
        with _explain_errors(file):
            self._parquet = parquet.ParquetFile(stream)
            self.headers = list(self._parquet.schema_arrow.names)

    def rows(self) -> Iterator[RawRow]:
        """Yield the rows, once."""
        return self._rows(0, None)

    def portions(self, size: int) -> Iterator[Portion]:
        """Yield portions of whole row groups, of about ``size`` bytes on disk."""
        meta = self._parquet.metadata
        start, line, rows, stored = 0, 0, 0, 0
        for number in range(meta.num_row_groups):
            group = meta.row_group(number)
            rows += group.num_rows
            stored += sum(
                group.column(each).total_compressed_size for each in range(group.num_columns)
            )
            if stored >= size or number + 1 == meta.num_row_groups:
                yield Portion(start, number + 1, line, rows)
                start, line, rows, stored = number + 1, line + rows, 0, 0

    def read_portion(self, portion: Portion) -> Iterator[RawRow]:
        """Yield the rows of a portion, as `rows` would."""
        return self._rows(portion.line, range(portion.start, portion.end))

    def _rows(self, number: int, groups: range | None) -> Iterator[RawRow]:
        read_value = self.plan.read_value
        headers = [header for header in self.headers if self.plan.uses(header)]
        for batch in self._batches(headers, groups):
            columns = [_read_values(batch.column(header)) for header in headers]
            for values in zip(*columns, strict=True):
                number += 1
                pairs = zip(headers, values, strict=True)
                try:
                    cells = {header: read_value(header, value) for header, value in pairs}
                except CellError as error:
                    yield RawRow(number, b"", None, error.finding)
                else:
                    yield RawRow(number, b"", cells)

    def _batches(self, headers: list[str] | None, groups: range | None = None) -> Iterator[Any]:
        wanted = None if groups is None else list(groups)
        with _explain_errors(self.file):
            yield from self._parquet.iter_batches(_BATCH, row_groups=wanted, columns=headers)

    def write_rejects(self, rejects: Iterable[RejectedRow], path: Path) -> None:
        """Write rejected rows, in the order of the table, to a new file of the same schema."""
        wanted = (row.line for row in rejects)
        line = next(wanted, None)
        first = 1
        with parquet.ParquetWriter(path, self._parquet.schema_arrow) as writer:
            for batch in self._batches(None):
                indexes = []
                while line is not None and line < first + batch.num_rows:
                    indexes.append(line - first)
                    line = next(wanted, None)
                if indexes:
                    writer.write_batch(batch.take(pa.array(indexes)))
                first += batch.num_rows


def _read_values(column: Any) -> list[Any]:
    """Read a column; bytes that are not UTF-8 become lone surrogates, which rows reject."""
    try:
        return list(column.to_pylist())
    except UnicodeDecodeError:
        values = column.cast("binary").to_pylist()
        return [value and value.decode("utf-8", "surrogateescape") for value in values]


@contextmanager
def _explain_errors(file: str) -> Iterator[None]:
    """Explain in one sentence why a file cannot be read, whatever error pyarrow raises."""
    broken = (pa.ArrowException, OSError, ValueError, TypeError, LookupError, ArithmeticError)
    try:
        yield
    except ManifestError:
        raise
    except (*broken, RuntimeError, MemoryError) as error:
        why = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise ManifestError(f"{file}: cannot be read as Parquet: {why}") from None
