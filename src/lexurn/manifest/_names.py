"""Names in cells: by RFC 9676, or in one of the older dialects."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.manifest._faults import Fault, finding_of_name, shown
from lexurn.name import check

if TYPE_CHECKING:
    from lexurn.manifest._draft import Place, Row
    from lexurn.name import Name

__all__ = ["DIALECTS", "name_in"]

DIALECTS = ("auto", "draft", "lexml", "nir")
"""What names may be written in besides RFC 9676."""


def name_in(row: Row, place: Place, text: str) -> Name | None:
    """The name, its findings said at its place in the cell."""
    if row.dialect is not None:
        return _converted(row, place, text, row.dialect)
    report = check(text)
    name = report.name
    for found in report.findings:
        row.findings.append(finding_of_name(found, place, row.file, row.line))
    if name is not None and ("?" in text or "#" in text):
        _say_dropped(row, place, text, name)
    return name


def _converted(row: Row, place: Place, text: str, dialect: str) -> Name | None:
    """The name that a text in a dialect is, with each change; what is lost is a warning."""
    from lexurn.dialect import Dialect, convert  # noqa: PLC0415 - with its words, where they are asked for

    conversion = convert(text, source="auto" if dialect == "auto" else Dialect(dialect))
    for found in conversion.findings:
        row.findings.append(finding_of_name(found, place, row.file, row.line))
    for change in conversion.changes:
        fault = Fault(
            code="LX523" if change.loss else "LX524",
            column=place.column,
            start=place.start + change.start,
            end=place.start + change.end,
            text=place.text,
            suggestion=None if conversion.name is None else str(conversion.name),
            values={"value": change.message, "expected": change.lost, "rule": change.rule},
        )
        row.say(fault)
    return conversion.name


def _say_dropped(row: Row, place: Place, text: str, name: Name) -> None:
    """Say which r-, q- and f-components a name had; they are no part of it."""
    at = min(at for mark in "?#" if (at := text.find(mark)) >= 0)
    fault = Fault(code="LX521", start=place.start + at, end=place.start + len(text))
    values = {"value": shown(text[at:])}
    row.say(
        replace(fault, column=place.column, text=place.text, suggestion=str(name), values=values)
    )
