"""The rows of a table read, whole or in portions; a reader can be sent to any process."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import ManifestError
from lexurn.manifest._faults import finding_of
from lexurn.manifest._packed import PackedRow, RejectedRow
from lexurn.manifest._records import packed
from lexurn.manifest._rows import act_of, read_row
from lexurn.manifest._sources import open_table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.manifest._faults import Fault, RowFinding
    from lexurn.manifest._plan import Plan
    from lexurn.manifest._portions import Portion
    from lexurn.manifest._rows import Reading
    from lexurn.manifest._table import RawRow, Table, TableFormat

__all__ = ["ReadRows", "RowReader", "portions_of", "read_portion", "silent"]

_PORTION = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class RowReader:
    """Reads the rows of one table.

    Attributes:
        place: the number of the table, from 0.
        file: its file as given.
        format: its format.
        plan: what its columns mean.
        keeps_raw: whether good rows keep their bytes, since they may be rejected later.
    """

    place: int
    file: str
    format: TableFormat
    plan: Plan
    keeps_raw: bool = False

    def portions(self, size: int) -> Iterator[Portion]:
        """The table in portions that can be read apart from each other; opens its file anew.

        Args:
            size: about how many bytes a portion has.

        Raises:
            ManifestError: the file cannot be opened or read any more.
        """
        with ExitStack() as stack:
            yield from self._opened(stack).portions(size)

    def rows(self, portion: Portion) -> Iterator[RawRow]:
        """The rows of a portion as they stand in the table; opens its file anew.

        Raises:
            ManifestError: the file cannot be opened or read any more.
        """
        with ExitStack() as stack:
            yield from self._opened(stack).part(portion)

    def _opened(self, stack: ExitStack) -> Table:
        if self.file == "-":
            raise ManifestError("-: a stream can be read once only; name a file")
        return open_table(self.file, self.format, self.plan, stack)

    def read(self, row: RawRow, number: int) -> tuple[PackedRow | None, list[RowFinding]]:
        """What a raw row says, and what is to be said of it; None where it is no good.

        Args:
            row: the row as it stands in the table.
            number: its number among all rows of all tables, from 1.
        """
        if row.cells is None:
            return None, [] if row.fault is None else [self.finding(row.fault, row.line)]
        reading, findings = read_row(self.plan, row.cells, self.file, row.line)
        return (None if reading is None else self._packed(row, reading, number)), findings

    def finding(self, fault: Fault, line: int) -> RowFinding:
        """The finding of a fault of a row of this table."""
        return finding_of(fault, self.file, line)

    def placed(self, fault: Fault, line: int) -> RowFinding:
        """The finding of a fault whose column is a target."""
        return finding_of(self.plan.placed(fault), self.file, line)

    def _packed(self, row: RawRow, reading: Reading, number: int) -> PackedRow:
        alias = reading.alias_of
        copies = reading.fields.get("items", ())
        return PackedRow(
            number,
            act_of(reading.name),
            str(reading.name),
            self.place,
            row.line,
            packed(reading, number),
            row.raw if self.keeps_raw else None,
            None if alias is None else str(alias),
            None if alias is None else act_of(alias),
            tuple({url: None for url, _, _ in copies}) if copies else (),
        )


class ReadRows(NamedTuple):
    """The rows of a portion: how many, the good ones, the others, and what is to be said."""

    total: int
    rows: list[PackedRow]
    rejected: list[RejectedRow]
    findings: list[RowFinding]


def read_portion(reader: RowReader, portion: Portion, before: int) -> ReadRows:
    """Read a portion of a table, in any process.

    Args:
        reader: of the table.
        portion: of `RowReader.portions`.
        before: how many rows of all tables stand before it.

    Raises:
        ManifestError: the file cannot be opened or read any more.
    """
    read = ReadRows(portion.rows, [], [], [])
    for number, raw in enumerate(reader.rows(portion), start=before + 1):
        row, findings = reader.read(raw, number)
        read.findings.extend(findings)
        if row is not None:
            read.rows.append(row)
            continue
        for piece in chain((raw.raw,), raw.rest) if reader.keeps_raw else (b"",):
            read.rejected.append(RejectedRow(reader.place, number, raw.line, piece))
    return read


def portions_of(reader: RowReader, before: int) -> Iterator[tuple[RowReader, Portion, int]]:
    """The tasks of `read_portion` for a whole table.

    Args:
        reader: of the table.
        before: how many rows of all tables stand before it.
    """
    for portion in reader.portions(_PORTION):
        yield reader, portion, before
        before += portion.rows


def silent(_: object) -> None:
    """Say nothing."""
