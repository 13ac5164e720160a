"""A row while it is read: what it says so far, and what is to be said of it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from lexurn.manifest._faults import Fault, finding_of
from lexurn.name import Severity

if TYPE_CHECKING:
    from lexurn.manifest._faults import RowFinding
    from lexurn.name import Name

__all__ = ["Place", "Row"]


class Place(NamedTuple):
    """A cell: its column, its text, and where its value starts."""

    column: str
    text: str
    start: int = 0


class Row:
    """A row while it is read."""

    __slots__ = ("dialect", "fields", "file", "findings", "line", "minted", "names", "places")

    def __init__(self, file: str, line: int, dialect: str | None = None) -> None:
        self.file = file
        self.line = line
        self.dialect = dialect
        self.fields: dict[str, Any] = {}
        self.names: dict[str, Name] = {}
        self.places: dict[str, Place] = {}
        self.minted: dict[str, Place] = {}
        self.findings: list[RowFinding] = []

    def say(self, fault: Fault) -> None:
        """Note a finding."""
        self.findings.append(finding_of(fault, self.file, self.line))

    def say_at(self, place: Place, code: str, **values: object) -> None:
        """Note a finding on a whole cell."""
        fault = Fault(code=code, start=place.start, end=len(place.text), values=values)
        self.say(replace(fault, column=place.column, text=place.text))

    @property
    def has_error(self) -> bool:
        """Whether a finding rejects the row."""
        return any(found.severity is Severity.ERROR for found in self.findings)
