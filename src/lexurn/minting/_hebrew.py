# ruff: noqa: RUF001, RUF002 - letters of other scripts are what this is about
"""The Hebrew calendar: its days as day numbers and back, its names and its numerals.

The arithmetic calendar in force since Hillel II: mean conjunctions and the four postponements. A
day number counts days of the proleptic Gregorian calendar, 1 for 0001-01-01, as `datetime.date`
does; nightfall, at which the Hebrew day begins, is left aside.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from lexurn.minting._steps import Mode

__all__ = ["HebrewDate", "hebrew_of", "hints", "in_hebrew", "number_of", "read_hebrew"]

_NISAN, _MARHESHVAN, _KISLEV, _TISHRI, _ADAR, _SECOND_ADAR = 1, 8, 9, 7, 12, 13
_SHORT_MONTHS = frozenset({2, 4, 6, 10, 13})
_MONTHS_IN_CYCLE, _YEARS_IN_CYCLE = 235, 19
_PARTS_IN_DAY = 25_920
# Day number of 1 Tishri of the year 1.
_EPOCH = -1_373_427
_MEAN_YEAR = 35_975_351 / 98_496
_MILLENNIUM, _THIS_MILLENNIUM = 1000, 5
_LONGEST_MONTH = 30
_WEEK, _DAYS_A_MONTH = 7, 29

_GERESH, _GERSHAYIM = "\u05f3", "\u05f4"
_LETTERS = tuple(zip((*range(1, 10), *range(10, 100, 10), *range(100, 401, 100)),
                     "אבגדהוזחטיכלמנסעפצקרשת", strict=True))  # fmt: skip
_VALUES = {letter: value for value, letter in _LETTERS} | {
    "ך": 20,
    "ם": 40,
    "ן": 50,
    "ף": 80,
    "ץ": 90,
}
# Fifteen and sixteen are written 9 + 6 and 9 + 7, so that no name of God is spelt.
_AVOIDED = {15: "טו", 16: "טז"}
_THOUSANDS_WORD = "אלפים"
_POINTS = re.compile(
    "[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u200e\u200f\u202a-\u202e\u2066-\u2069]"
)
_MARKS = str.maketrans(dict.fromkeys("'’‘`´", _GERESH) | dict.fromkeys('"”“„', _GERSHAYIM))
_WORD = re.compile("[a-z]+")
_BORDERS = re.compile(r"[\s,;/\u2010-\u2015\u05be-]+")
_NUMERAL = re.compile(
    f"[א-ת]{{1,6}}{_GERSHAYIM}?[א-ת]?{_GERESH}?|[א-ת]{_GERESH}[א-ת]{{0,5}}{_GERSHAYIM}?[א-ת]?{_GERESH}?"
)
_ERAS = frozenset({"am", "a.m", "לבריאת", "העולם", "לחודש"})

#: Month by number from Nisan: in Hebrew letters, then in Latin ones.
_NAMES = {
    1: ("ניסן", "nisan"), 2: ("אייר", "iyar"), 3: ("סיוון", "sivan"), 4: ("תמוז", "tammuz"),
    5: ("אב", "av"), 6: ("אלול", "elul"), 7: ("תשרי", "tishri"), 8: ("חשוון", "heshvan"),
    9: ("כסלו", "kislev"), 10: ("טבת", "tevet"), 11: ("שבט", "shevat"), 12: ("אדר", "adar"),
    13: ("אדר ב׳", "adar ii"),
}  # fmt: skip
_FIRST_ADAR_NAMES = ("אדר א׳", "adar i")
_SPELLINGS = {
    1: "nissan", 2: "iyyar iar איר", 3: "siwan סיון", 4: "tamuz", 5: "ab menachem-av מנחם-אב",
    6: "ellul", 7: "tishrei tishre tisri tischri",
    8: "cheshvan chesvan heschwan marheshvan marcheshvan חשון מרחשוון מרחשון", 9: "chislev כסליו",
    10: "tebet teveth tebeth", 11: "shvat sh'vat schevat shebat sebat",
}  # fmt: skip
_FIRST, _SECOND = (
    frozenset(["i", "1", "a", "alef", "aleph", "rishon", "א", "א׳", "ראשון"]),
    frozenset(["ii", "2", "b", "bet", "beth", "sheni", "ב", "ב׳", "שני"]),
)


class HebrewDate(NamedTuple):
    """A day: year of the world, month from Nisan (13 is the second Adar), day of the month."""

    year: int
    month: int
    day: int


def is_leap(year: int) -> bool:
    """Whether a year has thirteen months."""
    return (7 * year + 1) % _YEARS_IN_CYCLE < 7  # noqa: PLR2004  seven of nineteen


def _elapsed(year: int) -> int:
    """Days from the epoch to the mean conjunction of Tishri, never on Sunday, Wednesday, Friday."""
    months = (_MONTHS_IN_CYCLE * year - 234) // _YEARS_IN_CYCLE
    day = _DAYS_A_MONTH * months + (12_084 + 13_753 * months) // _PARTS_IN_DAY
    return day + 1 if (3 * (day + 1)) % _WEEK < 3 else day  # noqa: PLR2004  three of seven days


@lru_cache(maxsize=1024)
def _new_year(year: int) -> int:
    """Day number of 1 Tishri, put off where a year would have an impossible length."""
    before, this, after = _elapsed(year - 1), _elapsed(year), _elapsed(year + 1)
    delay = 2 if after - this == 356 else int(this - before == 382)  # noqa: PLR2004  such lengths
    return _EPOCH + this + delay


def _months(year: int) -> tuple[int, ...]:
    """The months of a year from Tishri on."""
    last = _SECOND_ADAR if is_leap(year) else _ADAR
    return (*range(_TISHRI, last + 1), *range(_NISAN, _TISHRI))


def month_length(year: int, month: int) -> int:
    """How many days a month has: 29 or 30."""
    length = _new_year(year + 1) - _new_year(year)
    short = (
        month in _SHORT_MONTHS
        or (month == _ADAR and not is_leap(year))
        or (month == _MARHESHVAN and length % 10 != 5)  # noqa: PLR2004  355 or 385 days
        or (month == _KISLEV and length % 10 == 3)  # noqa: PLR2004  353 or 383 days
    )
    return 29 if short else 30


def number_of(date: HebrewDate) -> int | None:
    """The day number of a day; None where the calendar has no such day."""
    year, month, day = date
    if year < 1 or month not in _months(year) or not 1 <= day <= month_length(year, month):
        return None
    months = _months(year)
    before = (month_length(year, each) for each in months[: months.index(month)])
    return _new_year(year) + sum(before) + day - 1


def hebrew_of(number: int) -> HebrewDate | None:
    """The day with a day number; None before the year 1."""
    year = int((number - _EPOCH) / _MEAN_YEAR) + 2
    while _new_year(year) > number:
        year -= 1
    if year < 1:
        return None
    rest = number - _new_year(year)
    for month in _months(year):
        length = month_length(year, month)
        if rest < length:
            return HebrewDate(year, month, rest + 1)
        rest -= length
    return None


# In words and back.


def in_hebrew(date: HebrewDate, mode: Mode) -> str:
    """``כ״א באלול תשנ״ט``, or ``21 elul 5759`` in ASCII."""
    names = _NAMES[date.month]
    if date.month == _ADAR and is_leap(date.year):
        names = _FIRST_ADAR_NAMES
    if mode is Mode.ASCII:
        return f"{date.day} {names[1]} {date.year}"
    return f"{_numeral(date.day)} ב{names[0]} {_year_numeral(date.year)}"


def _numeral(number: int) -> str:
    """A number below 1000 in letters, with geresh or gershayim."""
    letters = ""
    rest = number
    for value, letter in reversed(_LETTERS):
        if rest in _AVOIDED:
            letters, rest = letters + _AVOIDED[rest], 0
        while rest >= value:
            letters, rest = letters + letter, rest - value
    if len(letters) == 1:
        return letters + _GERESH
    return f"{letters[:-1]}{_GERSHAYIM}{letters[-1]}"


def _year_numeral(year: int) -> str:
    """A year in letters; those of this millennium without its five, as is the custom."""
    thousands, rest = divmod(year, _MILLENNIUM)
    if not rest:
        return f"{_numeral(thousands)} {_THOUSANDS_WORD}"
    if not thousands:
        return str(rest)
    if thousands == _THIS_MILLENNIUM and rest > _LONGEST_MONTH:
        return _numeral(rest)
    return f"{_numeral(thousands)}{_numeral(rest)}"


def read_hebrew(text: str) -> tuple[HebrewDate, ...] | None:
    """The days that a text can mean; None where it is no Hebrew date, () where there is none.

    An Adar that does not say which is two days in a leap year.
    """
    words = [word for word in _BORDERS.split(_plain(text)) if word and word not in _ERAS]
    for start in range(len(words)):
        for end in range(min(len(words), start + 2), start, -1):
            months = _months_of(words[start:end])
            rest = [*words[:start], *words[end:]]
            if months and (parts := _day_and_year(rest)):
                return _existing(months, *parts)
    return None


def _plain(text: str) -> str:
    return _POINTS.sub("", text).translate(_MARKS).casefold().strip(" .")


def _months_of(words: list[str]) -> tuple[int, ...]:
    """The months that a word, or Adar and its number, can stand for."""
    found = _month_table().get(" ".join(words)) or _month_table().get("-".join(words))
    if found is None and words[0].startswith("ב"):
        return _months_of([words[0][1:], *words[1:]]) if len(words[0]) > 1 else ()
    return found or ()


@lru_cache(maxsize=1)
def _month_table() -> dict[str, tuple[int, ...]]:
    table: dict[str, tuple[int, ...]] = {
        name.casefold(): (month,) for month, names in _NAMES.items() for name in names
    }
    for month, spellings in _SPELLINGS.items():
        table |= dict.fromkeys(spellings.split(), (month,))
    for adar in ("אדר", "adar"):
        table[adar] = (_ADAR, _SECOND_ADAR)
        table |= {f"{adar} {which}": (-_ADAR,) for which in _FIRST}
        table |= {f"{adar} {which}": (_SECOND_ADAR,) for which in _SECOND}
    return table | {"veadar": (_SECOND_ADAR,), "ואדר": (_SECOND_ADAR,)}


def hints() -> frozenset[str]:
    """ASCII words that a Hebrew date in ASCII has one of."""
    words = {part for name in _month_table() for part in _WORD.findall(name)}
    return frozenset(word for word in words if len(word) > 1)


def _day_and_year(words: list[str]) -> tuple[int, int] | None:
    """Day and year, whichever stands first: of two numbers only one can be a day."""
    if len(words) == 3 and words[2] == _THOUSANDS_WORD:  # noqa: PLR2004  day, thousands, the word
        words = [words[0], words[1] + _THOUSANDS_WORD]
    if len(words) != 2:  # noqa: PLR2004  a day and a year
        return None
    first, second = words
    for day_word, year_word in ((first, second), (second, first)):
        day, year = _number(day_word), _year(year_word)
        if day is not None and year is not None and 1 <= day <= _LONGEST_MONTH:
            return day, year
    return None


def _year(word: str) -> int | None:
    """A year: four digits, or letters, of this millennium where they name none."""
    if word.isdecimal():
        year = int(word)
        return year if 3000 < year < 10_000 else None  # noqa: PLR2004  no other calendar's year
    if word.endswith(_THOUSANDS_WORD):
        thousands = _letters(word.removesuffix(_THOUSANDS_WORD))
        return None if thousands is None else thousands * _MILLENNIUM
    head, geresh, tail = word.partition(_GERESH)
    if geresh and tail and len(head) == 1:
        rest = _letters(tail)
        return None if rest is None else _VALUES[head] * _MILLENNIUM + rest
    rest = _letters(word)
    return None if rest is None or rest <= _LONGEST_MONTH else _THIS_MILLENNIUM * _MILLENNIUM + rest


def _number(word: str) -> int | None:
    stripped = word.rstrip(".")
    return int(stripped) if stripped.isdecimal() else _letters(word)


def _letters(word: str) -> int | None:
    """The value of a numeral in letters; None where the word is none."""
    if not _NUMERAL.fullmatch(word):
        return None
    letters = word.replace(_GERESH, "").replace(_GERSHAYIM, "")
    value = sum(_VALUES[letter] for letter in letters)
    return value if value < _MILLENNIUM else None


def _existing(months: tuple[int, ...], day: int, year: int) -> tuple[HebrewDate, ...]:
    """The days among the candidates that the calendar has."""
    leap = is_leap(year)
    if months == (-_ADAR,):
        months = (_ADAR,) if leap else ()
    dates = (HebrewDate(year, month, day) for month in months)
    return tuple(date for date in dates if number_of(date) is not None)
