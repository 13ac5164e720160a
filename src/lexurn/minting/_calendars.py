"""Calendars that jurisdictions date their acts in: read, checked and computed.

Hebrew and Japanese dates can be computed for certain, Hijri ones only about: the official calendars
go by sightings or tables of their own.
"""

from __future__ import annotations

import datetime as dt
import re
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting import _hebrew, _hijri, _japanese

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.minting._steps import Mode

__all__ = ["Calendar", "LocalDay", "iso_of", "local_of", "number_of_iso", "read_local"]

_WORD = re.compile("[a-z]+")
_LAST = dt.date.max.toordinal()


class Calendar(StrEnum):
    """A calendar other than the Gregorian one."""

    HEBREW = "hebrew"
    HIJRI = "hijri"
    JAPANESE = "japanese"


class LocalDay(NamedTuple):
    """What a date in a local calendar means.

    Attributes:
        calendar: the calendar.
        isos: the days that it can be, in ISO 8601; none where the calendar has no such day.
        instead: the day that a Japanese date would be, had its era lasted; else None.
    """

    calendar: Calendar
    isos: tuple[str, ...]
    instead: str | None = None


def number_of_iso(iso: str) -> int | None:
    """The day number of a date in ISO 8601; None where the Gregorian calendar has no such day."""
    try:
        return dt.date.fromisoformat(iso).toordinal()
    except ValueError:
        return None


def iso_of(number: int) -> str | None:
    """The date in ISO 8601 of a day number; None outside the years 1 to 9999."""
    return dt.date.fromordinal(number).isoformat() if 1 <= number <= _LAST else None


def read_local(text: str) -> LocalDay | None:
    """The day that a date in a local calendar means; None where it is in none that is known."""
    # Most texts are in ASCII and name no month or era of such a calendar: that is seen quickly.
    if text.isascii() and _hints().isdisjoint(_words(text)):
        return None
    return _read_local(text)


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower().replace("'", ""))


@lru_cache(maxsize=1)
def _hints() -> frozenset[str]:
    return _hebrew.hints() | _hijri.hints() | _japanese.hints()


@lru_cache(maxsize=1024)
def _read_local(text: str) -> LocalDay | None:
    japanese = _japanese.era_date(text)
    if japanese is not None:
        return _japanese_day(japanese)
    hebrew = _hebrew.read_hebrew(text)
    if hebrew is not None:
        return _local_day(Calendar.HEBREW, map(_hebrew.number_of, hebrew))
    hijri = _hijri.read_hijri(text)
    if hijri is not None:
        return _local_day(Calendar.HIJRI, map(_hijri.nearest, hijri))
    return None


def _japanese_day(date: _japanese.EraDate) -> LocalDay:
    number = _japanese.number_of(date)
    found = _local_day(Calendar.JAPANESE, [number])
    return found if found.isos else found._replace(instead=_japanese.outside(date))


def _local_day(calendar: Calendar, numbers: Iterable[int | None]) -> LocalDay:
    isos = (iso_of(number) for number in numbers if number is not None)
    return LocalDay(calendar, tuple(iso for iso in isos if iso is not None))


def local_of(iso: str, calendar: Calendar, mode: Mode) -> str | None:
    """The words of a day in a calendar; None where the calendar does not reach it."""
    number = number_of_iso(iso)
    if number is None:
        return None
    if calendar is Calendar.HEBREW:
        hebrew = _hebrew.hebrew_of(number)
        return None if hebrew is None else _hebrew.in_hebrew(hebrew, mode)
    if calendar is Calendar.HIJRI:
        hijri = _hijri.hijri_of(number)
        return None if hijri is None else _hijri.in_hijri(hijri, mode)
    era = _japanese.era_of(number)
    return None if era is None else _japanese.in_eras(era, mode)
