"""What is said of a row: faults while it is read, and the findings that they become."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from lexurn.manifest._codes import CODES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.model import ModelFinding, Source
    from lexurn.name import Finding, Severity

__all__ = [
    "Fault",
    "RowFault",
    "RowFinding",
    "finding_of",
    "finding_of_family",
    "finding_of_name",
    "shown",
]

_LONGEST_SHOWN = 80
_LONGEST_TEXT = 10_000


def shown(text: str) -> str:
    """A value as a message shows it: quoted, cut where it is long."""
    return f'"{text}"' if len(text) <= _LONGEST_SHOWN else f'"{text[:_LONGEST_SHOWN]}…"'


@dataclass(frozen=True, slots=True, kw_only=True)
class RowFinding:
    """One thing to know about a row: where, what, by which rule, and what to write instead.

    Attributes:
        file: the manifest's file as given, ``-`` for standard input.
        line: the first line of the row, from 1; in Parquet the row's number, from 1; 0 where all
            of the file is meant.
        column: the column as the table names it, None where the whole row is meant.
        code: ``LX5`` and two digits, or the code of a finding on a name (below ``LX5``) or on rows
            that do not fit together (``LX6``); stable.
        severity: an error rejects the row, a warning or note does not.
        message: what is wrong and what to do, for people.
        rule: the rule, for example ``RFC 4180 §2``.
        start: offset (code points) of the place in ``text``.
        end: offset behind the place.
        suggestion: what to write instead, or None.
        text: the cell, or the line where its cells cannot be told apart; empty where that is too
            long to be shown.
        unit: what ``line`` counts: ``line``, or ``statement`` in RDF that is not read by lines.
    """

    file: str
    line: int
    column: str | None
    code: str
    severity: Severity
    message: str
    rule: str
    start: int = 0
    end: int = 0
    suggestion: str | None = None
    text: str = ""
    unit: str = "line"

    @property
    def place(self) -> str:
        """The file and the place in it, for people: ``acts.csv:3``, ``acts.ttl, statement 3``."""
        if not self.line:
            return self.file
        return (
            f"{self.file}:{self.line}"
            if self.unit == "line"
            else f"{self.file}, {self.unit} {self.line}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Fault:
    """What is wrong in a row, before its file and line are known.

    Attributes:
        code: a key of `CODES`.
        column: the column as the table names it, None where the whole row is meant.
        start: offset of the place in ``text``.
        end: offset behind the place.
        text: the cell, or the line.
        suggestion: what to write instead, or None.
        values: what the message shows.
    """

    code: str
    column: str | None = None
    start: int = 0
    end: int = 0
    text: str = ""
    suggestion: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)


class RowFault(Exception):  # noqa: N818 -- caught where rows are read, never seen outside
    """Carries a `Fault` up to where rows are read."""

    def __init__(self, fault: Fault) -> None:
        """Keep the fault."""
        super().__init__(fault.code)
        self.fault = fault


def finding_of(fault: Fault, file: str, line: int) -> RowFinding:
    """The finding of a fault, at its file and line."""
    severity, rule, message = CODES[fault.code]
    return RowFinding(
        file=file,
        line=line,
        column=fault.column,
        code=fault.code,
        severity=severity,
        message=message.format(**fault.values),
        rule=rule.format(**fault.values),
        start=fault.start,
        end=fault.end,
        suggestion=fault.suggestion,
        text=_showable(fault.text),
    )


class CellPlace(Protocol):
    """A cell: its column, its text, and where a value starts in it."""

    @property
    def column(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def start(self) -> int: ...


def finding_of_name(found: Finding, cell: CellPlace, file: str, line: int) -> RowFinding:
    """The finding on a name in a cell.

    Args:
        found: what is known of the name.
        cell: the cell, and where the name starts in it.
        file: the manifest's file.
        line: the row's line.
    """
    return RowFinding(
        file=file,
        line=line,
        column=cell.column,
        code=found.code,
        severity=found.severity,
        message=found.message,
        rule=found.rule,
        start=cell.start + found.start,
        end=cell.start + found.end,
        suggestion=found.suggestion,
        text=_showable(cell.text),
    )


def finding_of_family(found: ModelFinding, source: Source) -> RowFinding:
    """The finding on rows that do not fit together, at one of them."""
    return RowFinding(
        file=source.file,
        line=source.line,
        column=None,
        code=found.code,
        severity=found.severity,
        message=found.message,
        rule=found.rule,
    )


def _showable(text: str) -> str:
    return text if len(text) <= _LONGEST_TEXT else ""
