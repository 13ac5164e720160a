"""Calendars that jurisdictions date their acts in: read, checked and computed.

Each has one module with the same five functions, and a constant. `read` gives the dates that a
text can mean, `to_ordinal` the ordinal of a date, `from_ordinal` the date of an ordinal, `write`
its words. For a date without an ordinal, `estimate` gives the ordinal of the day that it may mean.

In: the text of a date in a local calendar, or a day in ISO 8601.
Out: a `LocalDay` with the days that it can be, or the words of a day in a calendar.
Read in this order: hebrew, hijri, japanese.
"""

from __future__ import annotations

import datetime as dt
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lexurn.minting.calendars import hebrew, hijri, japanese
from lexurn.minting.draft import Calendar

if TYPE_CHECKING:
    from lexurn.minting.draft import Mode

__all__ = ["Calendar", "LocalDay", "iso_to_ordinal", "read_local_day", "write_local_day"]


class _CalendarModule(Protocol):
    """Module of a calendar, whose dates are of a type of its own.

    Attributes:
        IS_EXACT: False if a date without an ordinal can be right, for example by a sighting.
    """

    IS_EXACT: bool

    def read(self, text: str) -> tuple[Any, ...] | None: ...
    def to_ordinal(self, date: Any) -> int | None: ...
    def estimate(self, date: Any) -> int | None: ...
    def from_ordinal(self, number: int) -> Any: ...
    def write(self, date: Any, mode: Mode) -> str: ...


# The first calendar that reads a text decides: ``h103.2.1`` is of Heisei, not of the Hijra.
_CALENDARS: dict[Calendar, _CalendarModule] = {
    Calendar.JAPANESE: japanese,
    Calendar.HEBREW: hebrew,
    Calendar.HIJRI: hijri,
}


class LocalDay(NamedTuple):
    """Day that a date in a local calendar means.

    Attributes:
        calendar: the calendar.
        isos: the days that it can be, in ISO 8601; none if the calendar has no such day.
        instead: where ``isos`` is empty, the day that is probably meant: for example that of a
            Japanese date whose era had ended by then, with its years counted on; else None.
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
    if number is None or not 1 <= number <= dt.date.max.toordinal():
        return None
    return dt.date.fromordinal(number).isoformat()


@lru_cache(maxsize=4096)
def read_local_day(text: str) -> LocalDay | None:
    """Return the day that a date in a local calendar means, None if no calendar reads it."""
    for calendar, module in _CALENDARS.items():
        dates = module.read(text)
        if dates is None:
            continue
        isos = tuple(filter(None, map(ordinal_to_iso, map(module.to_ordinal, dates))))
        if isos or not dates:
            return LocalDay(calendar, isos)
        estimated = ordinal_to_iso(module.estimate(dates[0]))
        if module.IS_EXACT:
            return LocalDay(calendar, (), instead=estimated)
        return LocalDay(calendar, () if estimated is None else (estimated,), exact=False)
    return None


def write_local_day(iso: str, calendar: Calendar, mode: Mode) -> str | None:
    """Return the words of a day in a calendar, None if the calendar does not reach it."""
    number = iso_to_ordinal(iso)
    date = None if number is None else _CALENDARS[calendar].from_ordinal(number)
    return None if date is None else _CALENDARS[calendar].write(date, mode)
