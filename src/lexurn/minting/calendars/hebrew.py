# ruff: noqa: RUF001, RUF002 - letters of other scripts
"""Hebrew calendar: its days as ordinals and back, its names and its numerals.

pyluach computes the arithmetic calendar in force since Hillel II. An ordinal counts days of the
proleptic Gregorian calendar, 1 for 0001-01-01, as `datetime.date` does. Nightfall, at which the
Hebrew day begins, is left aside.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from lexurn.minting.characters import load_month_names
from lexurn.minting.draft import Mode

IS_EXACT = True

# Adar of a leap year is two months; its first has a key of its own in the table of names.
_ADAR, _SECOND_ADAR, _FIRST_ADAR = 12, 13, -12
#: Julian day, at midnight, of the ordinal 0.
_JULIAN_DAY = 1_721_424.5
_MILLENNIUM, _THIS_MILLENNIUM = 1000, 5
_YEARS = range(3001, 10_000)
_LONGEST_MONTH = 30

_GERESH, _GERSHAYIM = "\u05f3", "\u05f4"
_NUMBERS = *range(1, 10), *range(10, 100, 10), *range(100, 401, 100), 20, 40, 50, 80, 90
_VALUES = dict(zip("אבגדהוזחטיכלמנסעפצקרשתךםןףץ", _NUMBERS, strict=True))
_THOUSANDS_WORD = "אלפים"
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_MARKS = str.maketrans(dict.fromkeys("'’‘`´", _GERESH) | dict.fromkeys('"”“„', _GERSHAYIM))
_BORDERS = re.compile(r"[\s,;/\u2010-\u2015\u05be-]+")
_NUMERAL = re.compile(
    f"[א-ת]{{1,6}}{_GERSHAYIM}?[א-ת]?{_GERESH}?|[א-ת]{_GERESH}[א-ת]{{0,5}}{_GERSHAYIM}?[א-ת]?{_GERESH}?"
)
_ERAS = frozenset({"am", "a.m", "לבריאת", "העולם", "לחודש"})


class HebrewDate(NamedTuple):
    """Date of the Hebrew calendar; months count from Nisan, and 13 is the second Adar."""

    year: int
    month: int
    day: int


def is_leap(year: int) -> bool:
    """Return True if a year has thirteen months."""
    return (7 * year + 1) % 19 < 7  # seven of nineteen years


def to_ordinal(date: HebrewDate) -> int | None:
    """Return the ordinal of a date, None if the calendar has no such day."""
    from pyluach import dates  # noqa: PLC0415 - few names need it

    try:
        return int(dates.HebrewDate(*date).jd - _JULIAN_DAY)
    except ValueError:
        return None


def estimate(_date: HebrewDate) -> None:
    """Return None: a day that the calendar lacks means no other one."""


def from_ordinal(number: int) -> HebrewDate | None:
    """Return the date with an ordinal, None before the year 1."""
    from pyluach import dates  # noqa: PLC0415 - few names need it

    try:
        return HebrewDate(*dates.JulianDay(number + _JULIAN_DAY).to_heb().tuple())
    except ValueError:
        return None


def write(date: HebrewDate, mode: Mode) -> str:
    """Write a date: ``כ״א באלול תשנ״ט``, or ``21 elul 5759`` in ASCII."""
    from pyluach import dates  # noqa: PLC0415 - few names need it

    is_first_adar = date.month == _ADAR and is_leap(date.year)
    names = load_month_names("hebrew")[_FIRST_ADAR if is_first_adar else date.month]
    if mode is Mode.ASCII:
        return f"{date.day} {names[1]} {date.year}"
    written = dates.HebrewDate(*date)
    thousands, rest = divmod(date.year, _MILLENNIUM)
    is_short = thousands == _THIS_MILLENNIUM and rest > _LONGEST_MONTH  # without its five
    year = written.hebrew_year(thousands=not is_short) + ("" if rest else f" {_THOUSANDS_WORD}")
    return f"{written.hebrew_day()} ב{names[0]} {year}"


def read(text: str) -> tuple[HebrewDate, ...] | None:
    """Return the dates that a text can mean, None if it is not a Hebrew date.

    The calendar may lack one of them. An Adar without its number is two months in a leap year.
    """
    plain = " ".join(_split_words(text))
    for name in _compile_months().finditer(plain):
        words = (plain[: name.start()] + plain[name.end() :]).split()
        parts = _read_day_and_year([word for word in words if word not in _ERAS])
        if parts:
            day, year = parts
            months = _load_months()[name[1]]
            if months == (_FIRST_ADAR,):
                months = (_ADAR,) if is_leap(year) else ()
            return tuple(HebrewDate(year, month, day) for month in months)
    return None


def _split_words(text: str) -> list[str]:
    plain = _POINTS.sub("", text).translate(_MARKS).casefold().strip(" .")
    return [word for word in _BORDERS.split(plain) if word]


@cache
def _load_months() -> dict[str, tuple[int, ...]]:
    """Return the months by their names; Adar alone can be two."""
    named = ((name, month) for month, names in load_month_names("hebrew").items() for name in names)
    table = {" ".join(_split_words(name)): (month,) for name, month in named}
    return table | dict.fromkeys(("אדר", "adar"), (_ADAR, _SECOND_ADAR))


@cache
def _compile_months() -> re.Pattern[str]:
    """Return the pattern of the names of months, the longest first; "in" may stand before one."""
    names = sorted(_load_months(), key=len, reverse=True)
    return re.compile(rf"(?<!\S)ב?({'|'.join(map(re.escape, names))})(?!\S)")


def _read_day_and_year(words: list[str]) -> tuple[int, int] | None:
    """Return day and year in either order: of two numbers only one can be a day."""
    if len(words) == 3 and words[2] == _THOUSANDS_WORD:  # day, thousands, the word
        words = [words[0], words[1] + _THOUSANDS_WORD]
    if len(words) != 2:  # a day and a year
        return None
    first, second = words
    for day_word, year_word in ((first, second), (second, first)):
        digits = day_word.rstrip(".")
        day = int(digits) if digits.isdecimal() else _read_letters(day_word)
        year = _read_year(year_word)
        if day is not None and year is not None and 1 <= day <= _LONGEST_MONTH:
            return day, year
    return None


def _read_year(word: str) -> int | None:
    """Return a year of four digits, or of letters that may leave out this millennium."""
    if word.isdecimal():
        year = int(word)
        return year if year in _YEARS else None  # no other calendar's year
    if word.endswith(_THOUSANDS_WORD):
        thousands = _read_letters(word.removesuffix(_THOUSANDS_WORD))
        return None if thousands is None else thousands * _MILLENNIUM
    head, geresh, tail = word.partition(_GERESH)
    if geresh and tail and len(head) == 1:
        rest = _read_letters(tail)
        return None if rest is None else _VALUES[head] * _MILLENNIUM + rest
    rest = _read_letters(word)
    return None if rest is None or rest <= _LONGEST_MONTH else _THIS_MILLENNIUM * _MILLENNIUM + rest


def _read_letters(word: str) -> int | None:
    """Return the value of a numeral in letters, None if the word is not one."""
    if not _NUMERAL.fullmatch(word):
        return None
    letters = word.replace(_GERESH, "").replace(_GERSHAYIM, "")
    value = sum(_VALUES[letter] for letter in letters)
    return value if value < _MILLENNIUM else None
