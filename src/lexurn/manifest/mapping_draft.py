"""Drafts of mapping files: lines, and the columns that have no meaning yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.manifest.columns import list_columns
from lexurn.manifest.guesses import Guess
from lexurn.manifest.mapping import find_groups

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.days import DayReading
    from lexurn.manifest.guesses import Sample

_NAMING = frozenset({"number", "date", "period", "measure"})


class MappingDraft:
    """Draft of a mapping file for one table.

    Attributes:
        sample: the columns and first rows of the table.
        guesses: the lines so far.
        columns: facts about the columns.
        left: those without a meaning, by header.
        days: the days that were read, by header.
        codes: the jurisdictions that it may be, the likeliest first.
    """

    def __init__(self, sample: Sample) -> None:
        """Start with the settings of a sample, and all its columns."""
        self.sample = sample
        self.guesses: list[Guess] = list(sample.settings)
        self.columns = list_columns(sample)
        self.left: dict[str, ColumnFacts] = {each.header: each for each in self.columns}
        self.days: dict[str, Sequence[DayReading]] = {}
        self.codes: tuple[str, ...] = ()

    def add(self, table: str, key: str, value: str | bool, reason: str) -> None:  # noqa: FBT001 - a value
        """Add a line that is decided."""
        self.guesses.append(Guess(table, key, value, reason))

    def ask(self, table: str, key: str, value: str, reason: str) -> None:
        """Add a line that is left as a comment."""
        self.guesses.append(Guess(table, key, value, reason, is_decided=False))

    def take(self, column: ColumnFacts, target: str, reason: str) -> None:
        """Decide the meaning of a column."""
        empty = column.total - len(column.cells)
        if empty and target in _NAMING:
            reason += f"; {empty} rows have none"
        self.add("columns", column.header, target, reason)
        self.left.pop(column.header, None)
        for word in column.absent:
            self.add(f"values.{target}", word, "", "no value")

    def ask_about(self, columns: Iterable[ColumnFacts], target: str, reason: str) -> None:
        """Leave open which of several columns has a meaning; none is used until then."""
        for column in columns:
            shown = f"{reason} ({column.show()})"
            if self.left.pop(column.header, None):
                self.ask("columns", column.header, target, shown)
                self.ignore(column.header, f"may be {target}: see below")
            else:  # it has another meaning, too
                self.ask("templates", target, f"{{{column.header}}}", shown)

    def ignore(self, header: str, reason: str) -> None:
        """Leave a column out."""
        self.add("ignore", header, True, reason)  # noqa: FBT003 - a value
        self.left.pop(header, None)

    def find_target(self, target: str) -> str | None:
        """Return the column that is decided to have a meaning, or None."""
        lines = (each for each in self.guesses if each.is_decided and each.table == "columns")
        return next((each.key for each in lines if each.value == target), None)

    def has_date(self) -> bool:
        """Return whether something gives the day or year of the act, or is asked about."""
        return any(
            str(each.value) in {"date", "period"} or each.key in {"date", "period"}
            for each in self.guesses
        )

    def list_given(self) -> set[str]:
        """List the parts of a name that decided lines give."""
        sure = [each for each in self.guesses if each.is_decided]
        columns = [str(each.value) for each in sure if each.table == "columns"]
        constants = [each.key for each in sure if each.table == "constants"]
        patterns = find_groups(str(each.value) for each in sure if each.table == "patterns")
        return {*columns, *constants, *patterns}
