"""Calendars that jurisdictions date their acts in: read, checked and computed.

Each has one module with the same four functions. `read` gives the dates that a text can mean,
`to_ordinal` the ordinal of a date, `from_ordinal` the date of an ordinal, `write` its words.
"""

from __future__ import annotations

import datetime as dt
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lexurn.minting.calendars import hebrew, hijri, japanese

if TYPE_CHECKING:
    from lexurn.minting.draft import Mode


class Calendar(StrEnum):
    """Calendar other than the Gregorian one."""

    HEBREW = "hebrew"
    HIJRI = "hijri"
    JAPANESE = "japanese"


class _Functions(Protocol):
    """Functions of the module of a calendar, whose dates are of a type of its own."""

    def read(self, text: str) -> tuple[Any, ...] | None: ...
    def to_ordinal(self, date: Any) -> int | None: ...
    def from_ordinal(self, number: int) -> Any: ...
    def write(self, date: Any, mode: Mode) -> str: ...


_CALENDARS: dict[Calendar, _Functions] = {
    Calendar.JAPANESE: japanese,
    Calendar.HEBREW: hebrew,
    Calendar.HIJRI: hijri,
}


class LocalDay(NamedTuple):
    """Day that a date in a local calendar means.

    Attributes:
        calendar: the calendar.
        isos: the days that it can be, in ISO 8601; none if the calendar has no such day.
        instead: the day that a Japanese date would be, had its era lasted; else None.
        exact: False if the calendar cannot tell: ``isos`` has the nearest day, or none.
    """

    calendar: Calendar
    isos: tuple[str, ...]
    instead: str | None = None
    exact: bool = True


def iso_to_ordinal(iso: str) -> int | None:
    """Return the ordinal of a date in ISO 8601, None if the Gregorian calendar lacks the day."""
    try:
        return dt.date.fromisoformat(iso).toordinal()
    except ValueError:
        return None


def ordinal_to_iso(number: int | None) -> str | None:
    """Return the date in ISO 8601 of an ordinal, None outside the years 1 to 9999."""
    is_known = number is not None and 1 <= number <= dt.date.max.toordinal()
    return dt.date.fromordinal(number).isoformat() if number and is_known else None


@lru_cache(maxsize=4096)
def read_local_day(text: str) -> LocalDay | None:
    """Return the day that a date in a local calendar means, None if no calendar reads it."""
    for calendar, functions in _CALENDARS.items():
        dates = functions.read(text)
        if dates is None:
            continue
        isos = tuple(filter(None, map(ordinal_to_iso, map(functions.to_ordinal, dates))))
        if isos or not dates or calendar is Calendar.HEBREW:
            return LocalDay(calendar, isos)
        if calendar is Calendar.JAPANESE:
            return LocalDay(calendar, (), ordinal_to_iso(japanese.extrapolate(dates[0])))
        # A thirtieth by sighting is the day behind the twenty-ninth.
        before = hijri.to_ordinal(dates[0]._replace(day=dates[0].day - 1))
        iso = None if before is None else ordinal_to_iso(before + 1)
        return LocalDay(calendar, (iso,) if iso else (), exact=False)
    return None


def write_local_day(iso: str, calendar: Calendar, mode: Mode) -> str | None:
    """Return the words of a day in a calendar, None if the calendar does not reach it."""
    number = iso_to_ordinal(iso)
    date = None if number is None else _CALENDARS[calendar].from_ordinal(number)
    return None if date is None else _CALENDARS[calendar].write(date, mode)
