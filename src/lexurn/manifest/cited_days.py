"""Days, numbers and years that citations and titles state, compared with other columns."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.manifest.columns import is_phrase, is_year
from lexurn.manifest.days import DayRules

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.mapping_draft import MappingDraft

_MOST_ROWS, _MOST_CODES = 40, 10  # tried
_THOUSANDS = re.compile(r"(?<=\d)[.,\s](?=\d{3}(?!\d))")
_FIRST_GREGORIAN = "1500"  # an earlier year is of a Hijri calendar


def find_other_days(draft: MappingDraft, column: ColumnFacts) -> str:
    """Describe the first day that a citation states otherwise, if most differ; else empty.

    Args:
        draft: the draft, with the columns of the table.
        column: the column that may have the day of the act.
    """
    at = draft.sample.headers.index(column.header)
    for header, days in _list_cited_days(draft):
        compared = [
            (day, cell) for row, day in days if (cell := draft.sample.rows[row][at].strip())
        ]
        found = [
            (day, each) for day, each in compared if day not in (own := _read_day(each)) and own
        ]
        if reason := _describe_most(header, column.header, found, len(compared)):
            return reason
    return ""


def find_other_numbers(draft: MappingDraft, cited: ColumnFacts, column: ColumnFacts) -> str:
    """Describe the first number that a citation does not have, if most do not; else empty.

    Either may lack the year that the other has.
    """
    pairs = _list_pairs(draft, cited.header, column.header)
    found = [
        (cell, number)
        for cell, number in pairs
        if (own := _list_runs(number) - _list_years(number)) and own.isdisjoint(_list_runs(cell))
    ]
    return _describe_most(cited.header, column.header, found, len(pairs))


def find_other_years(draft: MappingDraft, cited: ColumnFacts) -> str:
    """Describe the first citation of another year than its row, if most are; else empty.

    The year of a row is that of the act or, if no column is decided to have it, of its publication.
    """
    dated = next(filter(None, map(draft.find_target, ("date", "period", "published"))), None)
    pairs = [] if dated is None else _list_pairs(draft, cited.header, dated)
    found = [
        (cell, day)
        for cell, day in pairs
        if (own := _list_years(cell))
        and own.isdisjoint({each[:4] for each in _read_day(day)} or {day})
    ]
    return _describe_most(cited.header, dated or "", found, len(pairs))


def ask_for_cited_days(draft: MappingDraft) -> bool:
    """Propose to read the day of the act from a column of citations or titles; tell if one may."""
    for header, days in _list_cited_days(draft):
        at, (row, day) = draft.sample.headers.index(header), days[0]
        if "{" not in header:
            words = " ".join(draft.sample.rows[row][at].split())
            reason = f"date of the act ({day} in {words[:40]}…), and number of rows without one"
            draft.ask("templates", "citation", f"{{{header}}}", reason)
            return True
    return False


def _list_cited_days(draft: MappingDraft) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the columns whose cells mostly begin with type and day, and rows with days."""
    for at, column in enumerate(draft.columns):
        if {"other-act", "note"} & column.roles.keys() or not column.is_mostly(is_phrase):
            continue
        rows = [row for row, cells in enumerate(draft.sample.rows) if cells[at].strip()]
        rows = rows[:: max(1, len(rows) // _MOST_ROWS)][:_MOST_ROWS]
        for code in draft.codes[:_MOST_CODES]:
            read = ((row, draft.read_cited_act(draft.sample.rows[row][at], code)) for row in rows)
            days = [
                (row, act.days[0])
                for row, act in read
                if act.measure and len(act.days) == 1
                # Without a number only a registered type tells an act from a gazette.
                if act.number or draft.find_measure(act.cited.fields["measure"])
                if act.is_certain_of("measure", "date")  # the number may be that of a file
            ]
            if 2 * len(days) > len(rows):
                yield column.header, days
                break


def _read_day(cell: str) -> set[str]:
    """Read the days that a cell can mean."""
    orders = (DayRules(order, 1950, "UTC").read(cell) for order in ("dmy", "mdy", "ymd"))
    found = filter(None, (*orders, DayRules("").read_words(cell)))
    return {day for day in found if day >= _FIRST_GREGORIAN}


def _list_runs(text: str) -> set[str]:
    """List the numbers in a text, without leading zeros."""
    return {run.lstrip("0") for run in re.findall(r"\d+", _THOUSANDS.sub("", text))}


def _list_years(text: str) -> set[str]:
    """List the years in a text that has other numbers, too."""
    runs = _list_runs(text)
    return {*filter(is_year, runs)} if len(runs) > 1 else set()


def _list_pairs(draft: MappingDraft, one: str, other: str) -> list[tuple[str, str]]:
    """List the cells of two columns in some of the rows."""
    at, of = map(draft.sample.headers.index, (one, other))
    rows = draft.sample.rows[:: max(1, len(draft.sample.rows) // _MOST_ROWS)][:_MOST_ROWS]
    return [(row[at].strip(), row[of].strip()) for row in rows]


def _describe_most(one: str, other: str, found: Sequence[tuple[str, str]], total: int) -> str:
    """Describe the first of the rows in which two columns differ, if most do; else empty."""
    if 2 * len(found) <= total:
        return ""
    says = f"{one} says {found[0][0]}, {other} says {found[0][1]}"
    return f"{says}: {len(found)} of {total} rows differ"
