"""Japanese eras: from the Gregorian calendar of 1873 on, years are counted from an accession.

An era starts on a day that a law or proclamation names. Where the change took effect on that very
day, the day is both the last of one era and the first of the next; dates are written in the next.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import NamedTuple

from lexurn.minting._steps import Mode

__all__ = [
    "EraDate",
    "era_date",
    "era_of",
    "gregorian",
    "hints",
    "in_eras",
    "number_in",
    "number_of",
    "outside",
    "places",
    "read_eras",
]


class Era(NamedTuple):
    """An era: its name in Japanese and Latin letters, its first day and its last, inclusive."""

    name: str
    latin: str
    first: dt.date
    last: dt.date
    counted_from: int


class EraDate(NamedTuple):
    """A day: the era's Latin name, the year in it, month and day of the Gregorian calendar."""

    era: str
    year: int
    month: int
    day: int


#: Until 2 December 1872 the calendar was a lunisolar one; Meiji 6 began with 1 January 1873.
_ERAS = (
    Era("明治", "meiji", dt.date(1873, 1, 1), dt.date(1912, 7, 30), 1868),
    Era("大正", "taisho", dt.date(1912, 7, 30), dt.date(1926, 12, 25), 1912),
    Era("昭和", "showa", dt.date(1926, 12, 25), dt.date(1989, 1, 7), 1926),
    Era("平成", "heisei", dt.date(1989, 1, 8), dt.date(2019, 4, 30), 1989),
    Era("令和", "reiwa", dt.date(2019, 5, 1), dt.date.max, 2019),
)
_BY_NAME = {name: era for era in _ERAS for name in (era.name, era.latin, era.latin[0])}
_FIRST_YEAR = "元"
_DIGITS = {digit: value for value, digit in enumerate("〇一二三四五六七八九")} | {"零": 0}
_TEN, _HUNDRED = "十", "百"
_NUMBER = r"[0-9]+|[〇零一二三四五六七八九十百]+"
_DATE = re.compile(
    rf"(?P<era>明治|大正|昭和|平成|令和|meiji|taisho|showa|heisei|reiwa|[mtshr](?=[0-9])|[mtshr](?=\.[0-9]))"
    rf"[\s.-]*(?P<year>元|{_NUMBER})(?:\s*年\s*|[\s./-]+)(?P<month>{_NUMBER})(?:\s*月\s*|[\s./-]+)"
    rf"(?P<day>{_NUMBER})\s*日?"
)
_DAY = rf"\s*[年년]\s*(?P<month>{_NUMBER})\s*[月월]\s*(?P<day>{_NUMBER})\s*[日일]"
_GREGORIAN = re.compile(rf"(?:西暦)?\s*(?P<year>[0-9]{{4}}|[〇零一二三四五六七八九]{{4}}){_DAY}")
#: A year without its century, or without its era.
_SHORT = re.compile(rf"(?P<year>[0-9]{{2}}){_DAY}")


def era_of(number: int) -> EraDate | None:
    """The day with a day number; None before 1873."""
    day = dt.date.fromordinal(number)
    for era in reversed(_ERAS):
        if era.first <= day:
            return EraDate(era.latin, day.year - era.counted_from + 1, day.month, day.day)
    return None


def number_of(date: EraDate) -> int | None:
    """The day number of a day; None where the era has no such day."""
    day = _day(date)
    era = _BY_NAME[date.era]
    return day.toordinal() if day is not None and era.first <= day <= era.last else None


def _day(date: EraDate) -> dt.date | None:
    """The Gregorian day, whether or not the era still lasted."""
    try:
        return dt.date(_BY_NAME[date.era].counted_from + date.year - 1, date.month, date.day)
    except ValueError:
        return None


def outside(date: EraDate) -> str | None:
    """The ISO date that a day would be, had its era lasted; None where there is no such day."""
    day = _day(date)
    return None if day is None else day.isoformat()


def in_eras(date: EraDate, mode: Mode) -> str:
    """``平成15年9月21日``, its first year ``元年``; or ``heisei 15 9 21`` in ASCII."""
    if mode is Mode.ASCII:
        return f"{date.era} {date.year} {date.month} {date.day}"
    year = _FIRST_YEAR if date.year == 1 else str(date.year)
    return f"{_BY_NAME[date.era].name}{year}年{date.month}月{date.day}日"


def read_eras(text: str) -> tuple[EraDate, ...] | None:
    """The day that a text means; None where it is no such date, () where there is no such day."""
    found = _DATE.fullmatch(_plain(text))
    if found is None:
        return None
    date = _era_date(found)
    return (date,) if number_of(date) is not None else ()


def era_date(text: str) -> EraDate | None:
    """The era, year, month and day that a text names, whether or not there is such a day."""
    found = _DATE.fullmatch(_plain(text))
    return None if found is None else _era_date(found)


def _era_date(found: re.Match[str]) -> EraDate:
    era = _BY_NAME[found["era"]]
    year = 1 if found["year"] == _FIRST_YEAR else number_in(found["year"])
    return EraDate(era.latin, year, number_in(found["month"]), number_in(found["day"]))


def gregorian(text: str) -> tuple[int, int, int] | None:
    """Year, month and day of ``2003年9月21日`` (or in Hangul, or Chinese numerals), else None.

    The year may have two digits and be nobody knows which.
    """
    plain = _plain(text)
    found = _GREGORIAN.fullmatch(plain) or _SHORT.fullmatch(plain)
    if found is None:
        return None
    return number_in(found["year"]), number_in(found["month"]), number_in(found["day"])


def hints() -> frozenset[str]:
    """ASCII words that a date of an era in ASCII has one of."""
    return frozenset(name for name in _BY_NAME if name.isascii())


def places(text: str) -> list[tuple[int, int]]:
    """Where dates with 年, 月 and 日 (or in Hangul), of an era or not, stand in a text."""
    if "年" not in text and "년" not in text:
        return []
    plain = "".join(_single(character) for character in text)
    return [match.span() for pattern in (_DATE, _GREGORIAN) for match in pattern.finditer(plain)]


def _single(character: str) -> str:
    """As `_plain`, one character for one, so that places stay."""
    plain = _plain(character)
    return plain if len(plain) == 1 else character


def _plain(text: str) -> str:
    """Compatibility forms and digits of any script as plain ones, lower case, no macrons."""
    folded = unicodedata.normalize("NFKC", text).casefold().strip()
    bare = folded.replace("ō", "o").replace("ū", "u")
    return "".join(map(_digit, bare))


def _digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def number_in(text: str) -> int:
    """A number in ASCII digits or in Chinese numerals (``二十二``, ``二〇〇三``)."""
    if text.isascii():
        return int(text)
    if _TEN not in text and _HUNDRED not in text:
        return int("".join(str(_DIGITS[digit]) for digit in text))
    hundreds, hundred, rest = text.rpartition(_HUNDRED)
    tens, ten, ones = rest.rpartition(_TEN)
    value = 100 * (_ones(hundreds) or 1) if hundred else 0
    value += 10 * (_ones(tens) or 1) if ten else 0
    return value + _ones(ones)


def _ones(text: str) -> int:
    return _DIGITS.get(text, 0)
