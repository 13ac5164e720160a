"""What every kind of table gives: raw rows, one after the other."""

from __future__ import annotations

from enum import StrEnum
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from lexurn.manifest._faults import Fault
    from lexurn.manifest._plan import Plan
    from lexurn.manifest._portions import Portion

__all__ = ["EXTENSIONS", "RawRow", "Table", "TableFormat"]


class TableFormat(StrEnum):
    """The formats of a manifest."""

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
    """A row as it stands in the table.

    Attributes:
        line: its first line, from 1; in Parquet the row's number.
        raw: its bytes, or the first piece of them; empty in Parquet.
        cells: its cells by header, None where it has no cells that could be told apart.
        fault: why not.
        rest: the further pieces of a row that is too long; to be read before the next row.
    """

    line: int
    raw: bytes
    cells: Mapping[str, str] | None
    fault: Fault | None = None
    rest: Iterable[bytes] = ()


class Table(Protocol):
    """A table, open at its first row.

    Attributes:
        file: its file as given.
        plan: what its columns mean.
        format: its format.
        head: the bytes before its first row, which a rejects file starts with as well.
        end: what ends its rows, where they are bytes.
    """

    @property
    def file(self) -> str: ...
    @property
    def format(self) -> TableFormat: ...
    @property
    def plan(self) -> Plan: ...
    @property
    def head(self) -> bytes: ...

    @property
    def end(self) -> bytes: ...

    def rows(self) -> Iterator[RawRow]:
        """The rows, once."""
        ...

    def portions(self, size: int) -> Iterator[Portion]:
        """The rows in portions of about ``size`` bytes, instead of the rows."""
        ...

    def part(self, portion: Portion) -> Iterator[RawRow]:
        """The rows of a portion, as `rows` would give them, instead of the rows."""
        ...

    def copy(self, lines: Iterable[int], path: Path) -> None:
        """Write rows to a file of their own, where they are no lines of bytes."""
        ...
