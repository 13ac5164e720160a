"""Rows of tables as fields of metadata, from which names are minted."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from lexurn.findings import Finding
    from lexurn.name import Name


class FieldRow(NamedTuple):
    """Row of a table as fields of metadata; fields that are no row have no file.

    Attributes:
        file: the table's file as given.
        line: the first line of the row.
        fields: its fields by name; None where it is rejected or its cells cannot be read.
        findings: the findings on its cells.
        name: its own name, where it has one.
        place: returns a finding on its fields with file, line, column and cell.
        list_cells: lists its cells by column of a manifest, without those of its name, unless it
            cannot be read.
        number: its number among all rows of a manifest.
        first: the number of the first row of its name, None if no other row has this name.
    """

    file: str
    line: int
    fields: Mapping[str, object] | None
    findings: tuple[Finding, ...] = ()
    name: Name | None = None
    place: Callable[[Finding], Finding] = replace
    list_cells: Callable[[], dict[str, str]] = dict
    number: int = 0
    first: int | None = None

    @property
    def is_further(self) -> bool:
        """True if an earlier row has its name."""
        return self.first is not None and self.first != self.number

    @property
    def location(self) -> str:
        """File and line, without folders: a table may be in another folder in the next run."""
        return f"{Path(self.file).name}:{self.line}" if self.line else ""
