"""Portions of a table that can be read apart from each other, row by row the same."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.manifest._lines import Lines
    from lexurn.manifest._table import RawRow

__all__ = ["Portion", "portions_of_lines", "rows_until"]


class Portion(NamedTuple):
    """A portion of a table.

    Attributes:
        start: the offset of its first byte; in Parquet the number of its first row group.
        end: the offset behind it; in Parquet the row group behind it.
        line: the number of the line before it; in Parquet of the row.
        rows: how many rows it has.
    """

    start: int
    end: int
    line: int
    rows: int


def portions_of_lines(
    rows: Iterable[RawRow], lines: Lines, size: int, line: Callable[[], int]
) -> Iterator[Portion]:
    """Cut a table of lines behind the row that reaches ``size`` bytes, again and again.

    Only who reads all rows knows where one ends: a cell in quotes may hold what looks like a row.

    Args:
        rows: its rows, from the first.
        lines: the lines that they are taken from.
        size: about how many bytes a portion has.
        line: the number of the line that was read last.
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


def rows_until(rows: Iterable[RawRow], lines: Lines, end: int) -> Iterator[RawRow]:
    """The rows up to the one that ends at an offset."""
    for row in rows:
        yield row
        deque(row.rest, maxlen=0)
        if lines.at >= end:
            return
