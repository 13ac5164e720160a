# ruff: noqa: RUF001 - letters of other scripts
"""Hijri calendar of Umm al-Qura: its days as ordinals and back, its names.

Saudi Arabia publishes this calendar; hijridate has its tables for the years 1343 to 1500. Other
states go by sightings, so their dates may differ by a day. Nothing is computed for other years.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from typing import NamedTuple

from lexurn.minting.characters import load_month_names, to_ascii_digits
from lexurn.minting.draft import Mode

IS_EXACT = False
YEARS = range(1343, 1501)
"""Years that the tables cover."""
_MONTHS, _LONGEST_MONTH = range(1, 13), 30
_WRITTEN_YEARS = range(100, 1701)

_ARABIC = str.maketrans("أإآٱىةئؤ", "اااايهيو")
_APOSTROPHES = re.compile("['’‘ʿʾʻʼ`´]")
_WORD = re.compile(r"[0-9]+|[^\W\d_]+(?:\.[^\W\d_]+)*")
_ERAS = frozenset(["ه", "هجري", "هجريه", "هجرية", "ah", "a.h", "h", "hegire", "hicri"])
_FILLERS = frozenset(["سنه", "عام", "من", "يوم", "شهر", "de", "of"]) | _ERAS


class HijriDate(NamedTuple):
    """Date of the Hijri calendar; months count from Muharram."""

    year: int
    month: int
    day: int


def to_ordinal(date: HijriDate) -> int | None:
    """Return the ordinal of a date, None if the tables have no such day."""
    from hijridate import Hijri  # noqa: PLC0415 - few names need it

    try:
        return Hijri(*date).to_gregorian().toordinal()
    except (OverflowError, ValueError):
        return None


def estimate(date: HijriDate) -> int | None:
    """Return the ordinal after that of the day before: a thirtieth by sighting follows the 29th."""
    before = to_ordinal(date._replace(day=date.day - 1))
    return None if before is None else before + 1


def from_ordinal(number: int) -> HijriDate | None:
    """Return the date with an ordinal, None outside the tables."""
    from hijridate import Gregorian  # noqa: PLC0415 - few names need it

    try:
        return HijriDate(*Gregorian.fromordinal(number).to_hijri().datetuple())
    except (OverflowError, ValueError):
        return None


def write(date: HijriDate, mode: Mode) -> str:
    """Write a date: ``27 شعبان 1412``, or ``27 shaban 1412`` in ASCII."""
    name = load_month_names("hijri")[date.month][1 if mode is Mode.ASCII else 0]
    return f"{date.day} {name} {date.year}"


def read(text: str) -> tuple[HijriDate, ...] | None:
    """Return the date that a text means, None if it is not a Hijri date.

    It is empty if no calendar has such a day. Digits alone need the era (``1412/8/27 هـ``).
    """
    plain = _normalize(text)
    found = _compile_months().search(plain)
    month = _load_months()[found[0]] if found else None
    words = plain.replace(found[0], " ", 1).split() if found else plain.split()
    kept = [word for word in words if word not in _FILLERS]
    if not all(map(str.isdecimal, kept)):
        return None
    numbers = [*map(int, kept)]
    if month is not None and len(numbers) == 2:  # a day and a year, in any order
        day, year = sorted(numbers)
    elif month is None and len(numbers) == 3 and not _ERAS.isdisjoint(words):  # day, month, year
        # Of year, month, day or day, month, year the larger end is the year.
        year, month, day = numbers if numbers[0] > numbers[2] else reversed(numbers)
    else:
        return None
    if year not in _WRITTEN_YEARS:
        return None
    date = HijriDate(year, month, day)
    # The tables have months of 31 days in early years; other calendars have 30 days at most.
    is_day = month in _MONTHS and (1 <= day <= _LONGEST_MONTH or to_ordinal(date) is not None)
    return (date,) if is_day else ()


def _normalize(text: str) -> str:
    """Return words in lower case, ASCII digits, no marks, Arabic letters in one spelling."""
    folded = to_ascii_digits(unicodedata.normalize("NFKD", text.casefold()))
    bare = "".join(c for c in folded if unicodedata.category(c) not in {"Mn", "Cf", "Lm"})
    return " ".join(_WORD.findall(_APOSTROPHES.sub("", bare).translate(_ARABIC)))


@cache
def _load_months() -> dict[str, int]:
    """Return the months by the spellings of their names."""
    names = ((name, month) for month, names in load_month_names("hijri").items() for name in names)
    return {_normalize(name): month for name, month in names}


@cache
def _compile_months() -> re.Pattern[str]:
    """Return the pattern of the names of months, the longest first."""
    names = sorted(_load_months(), key=len, reverse=True)
    return re.compile(rf"(?<!\S)(?:{'|'.join(map(re.escape, names))})(?!\S)")
