"""A report for a terminal: what is wrong where, and how much of it."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from lexurn.shacl._results import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.shacl._results import CheckReport, Result

__all__ = ["text_of"]

_LONGEST = 120
_PLURALS = {
    Severity.VIOLATION: ("violation", "violations"),
    Severity.WARNING: ("warning", "warnings"),
    Severity.INFO: ("remark", "remarks"),
}


def text_of(report: CheckReport) -> str:
    """A report as text: the results by file, line and node, then the notes and the counts."""
    lines = [line for _, group in _groups(report) for line in _lines_of(list(group))]
    lines.extend(f"note: {note}" for note in report.notes)
    lines.append(_summary_of(report))
    return "\n".join(lines) + "\n"


def _groups(report: CheckReport) -> Iterator[tuple[tuple[str, int, str], Iterator[Result]]]:
    return groupby(sorted(report.results, key=_place_of), key=_place_of)


def _place_of(result: Result) -> tuple[str, int, str]:
    source = result.source
    return ("", 0, result.focus) if source is None else (source.file, source.line, result.focus)


def _lines_of(results: list[Result]) -> Iterator[str]:
    """The lines on one node."""
    source, focus = results[0].source, _plain(results[0].focus)
    yield focus if source is None else f"{source.file}:{source.line}: {focus}"
    for message, group in groupby(results, key=_message_of):
        yield f"  {message}"
        yield from (f"    {_short(each.value)}" for each in group if each.value is not None)


def _message_of(result: Result) -> str:
    rule = f" ({result.rule})" if result.rule else ""
    return f"{_PLURALS[result.severity][0]}: {result.message}{rule}"


def _short(value: str) -> str:
    value = _plain(value)
    return value if len(value) <= _LONGEST else f"{value[:_LONGEST]}..."


def _plain(term: str) -> str:
    """An IRI without its angle brackets; any other term as it is."""
    return term[1:-1] if term.startswith("<") and term.endswith(">") else term


def _summary_of(report: CheckReport) -> str:
    counts = (_counted(report.count(each), *_PLURALS[each]) for each in Severity)
    found = ", ".join(each for each in counts if each)
    if not report.checked:
        return f"nothing was checked: {found}" if found else "nothing was checked"
    return f"{_counted(report.checked, 'node', 'nodes')} checked: {found or 'nothing is wrong'}"


def _counted(number: int, singular: str, plural: str) -> str:
    """A number with its noun, empty where it is 0."""
    return "" if number == 0 else f"{number:,} {singular if number == 1 else plural}"
