"""Calendars that jurisdictions date their acts in: read, checked and computed.

Each has one module with the same four functions. `read` gives the dates that a text can mean,
`to_ordinal` the ordinal of a date, `from_ordinal` the date of an ordinal, `write` its words.
"""

from __future__ import annotations

import datetime as dt
import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from lexurn.minting.calendars import hebrew, hijri, japanese

if TYPE_CHECKING:
    from lexurn.minting.metadata import Mode

_WORD = re.compile("[a-z]+")
_LAST_ORDINAL = dt.date.max.toordinal()


class Calendar(StrEnum):
    """A calendar other than the Gregorian one."""

    HEBREW = "hebrew"
    HIJRI = "hijri"
    JAPANESE = "japanese"


class LocalDay(NamedTuple):
    """Day that a date in a local calendar means.

    Attributes:
        calendar: the calendar.
        isos: the days that it can be, in ISO 8601; none where the calendar has no such day.
        instead: the day that a Japanese date would be, had its era lasted; else None.
        exact: False where the calendar cannot tell: ``isos`` has the nearest day, or none.
    """

    calendar: Calendar
    isos: tuple[str, ...]
    instead: str | None = None
    exact: bool = True


def iso_to_ordinal(iso: str) -> int | None:
    """Return the ordinal of a date in ISO 8601, None where the Gregorian calendar lacks the day."""
    try:
        return dt.date.fromisoformat(iso).toordinal()
    except ValueError:
        return None


def ordinal_to_iso(number: int) -> str | None:
    """Return the date in ISO 8601 of an ordinal, None outside the years 1 to 9999."""
    return dt.date.fromordinal(number).isoformat() if 1 <= number <= _LAST_ORDINAL else None


def read_local_day(text: str) -> LocalDay | None:
    """Return the day that a date in a local calendar means, None where no calendar reads it."""
    # Most texts are in ASCII and name no month or era of such a calendar: that is seen quickly.
    if text.isascii() and _load_hints().isdisjoint(_split_words(text)):
        return None
    return _read_local_day(text)


def _split_words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("'", ""))


@lru_cache(maxsize=1)
def _load_hints() -> frozenset[str]:
    return hebrew.list_ascii_words() | hijri.list_ascii_words() | japanese.list_ascii_words()


@lru_cache(maxsize=1024)
def _read_local_day(text: str) -> LocalDay | None:
    for calendar, functions in _CALENDARS.items():
        dates = functions.read(text)
        if dates is not None:
            ordinals = filter(None, map(functions.to_ordinal, dates))
            isos = tuple(filter(None, map(ordinal_to_iso, ordinals)))
            return LocalDay(calendar, isos) if isos or not dates else _explain(calendar, dates[0])
    return None


def _explain(calendar: Calendar, date: Any) -> LocalDay:
    """Return what is known of a date that its calendar does not have."""
    if calendar is Calendar.JAPANESE:
        number = japanese.extrapolate(date)
        return LocalDay(calendar, (), None if number is None else ordinal_to_iso(number))
    if calendar is Calendar.HIJRI:
        # A thirtieth by sighting is the day behind the twenty-ninth.
        before = hijri.to_ordinal(date._replace(day=date.day - 1))
        iso = None if before is None else ordinal_to_iso(before + 1)
        return LocalDay(calendar, (iso,) if iso else (), exact=False)
    return LocalDay(calendar, ())


def write_local_day(iso: str, calendar: Calendar, mode: Mode) -> str | None:
    """Return the words of a day in a calendar, None where the calendar does not reach it."""
    number = iso_to_ordinal(iso)
    date = None if number is None else _CALENDARS[calendar].from_ordinal(number)
    return None if date is None else _CALENDARS[calendar].write(date, mode)


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
