"""Days that citations and titles state, compared with a column of days beside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.manifest.columns import is_phrase
from lexurn.manifest.days import DayRules
from lexurn.minting.comparison import read_cited_act

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.mapping_draft import MappingDraft

_MOST_ROWS, _MOST_CODES = 40, 10  # tried
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
        if 2 * len(found) > len(compared):
            day, cell = found[0]
            share = f"{len(found)} of {len(compared)} rows differ"
            return f"{header} says {day}, {column.header} says {cell}: {share}"
    return ""


def ask_for_cited_days(draft: MappingDraft) -> bool:
    """Propose to read the day of the act from a column of citations or titles; tell if one may."""
    for header, days in _list_cited_days(draft):
        at, (row, day) = draft.sample.headers.index(header), days[0]
        if "{" not in header:
            words = " ".join(draft.sample.rows[row][at].split())
            reason = f"it states the date of the act ({day} in {words[:40]}…)"
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
            read = ((row, _read_cited_day(draft, at, row, code)) for row in rows)
            days = [(row, day) for row, day in read if day]
            if 2 * len(days) > len(rows):
                yield column.header, days
                break


def _read_cited_day(draft: MappingDraft, at: int, row: int, code: str) -> str:
    """Read the day of a cell that begins with type and day; else return an empty text."""
    fields = {
        "jurisdiction": code,
        "language": draft.language,
        "citation": draft.sample.rows[row][at],
    }
    act = read_cited_act(fields, draft.registry)
    is_certain = act.is_certain_of("measure", "number", "date")
    return act.days[0] if is_certain and act.measure and len(act.days) == 1 else ""


def _read_day(cell: str) -> set[str]:
    """Read the days that a cell can mean."""
    orders = (DayRules(order, 1950, "UTC").read(cell) for order in ("dmy", "mdy", "ymd"))
    found = filter(None, (*orders, DayRules("").read_words(cell)))
    return {day for day in found if day >= _FIRST_GREGORIAN}
