"""Japanese eras: from the Gregorian calendar of 1873 on, years are counted from an accession.

An era starts on a day that a law or proclamation names. If the change took effect on that very
day, the day is both the last of one era and the first of the next; dates are written in the next.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from typing import NamedTuple

from lexurn.minting.characters import to_ascii_digits
from lexurn.minting.draft import Mode

IS_EXACT = True


class Era(NamedTuple):
    """Era: its name in Japanese and Latin letters, its first and last day, and its year 1."""

    name: str
    latin: str
    first: dt.date
    last: dt.date
    counted_from: int


class EraDate(NamedTuple):
    """Date of an era: its Latin name, the year in it, month and day of the Gregorian calendar."""

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
NUMERALS = "〇零一二三四五六七八九十百"
_NUMBER = rf"[0-9]+|[{NUMERALS}]+"
_DATE = re.compile(
    rf"(?P<era>明治|大正|昭和|平成|令和|meiji|taisho|showa|heisei|reiwa|[mtshr](?=[0-9])|[mtshr](?=\.[0-9]))"
    rf"[\s.-]*(?P<year>元|{_NUMBER})(?:\s*年\s*|[\s./-]+)(?P<month>{_NUMBER})(?:\s*月\s*|[\s./-]+)"
    rf"(?P<day>{_NUMBER})\s*日?"
)
_DAY = rf"\s*[年년]\s*(?P<month>{_NUMBER})\s*[月월]\s*(?P<day>{_NUMBER})\s*[日일]"
_GREGORIAN = re.compile(rf"(?:西暦)?\s*(?P<year>[0-9]{{4}}|[〇零一二三四五六七八九]{{4}}){_DAY}")
#: A year without its century, or without its era.
_SHORT = re.compile(rf"(?P<year>[0-9]{{2}}){_DAY}")


def read(text: str) -> tuple[EraDate, ...] | None:
    """Return the date that a text means, None if it names no era; the era may lack the day."""
    found = _DATE.fullmatch(_normalize(text))
    if found is None:
        return None
    era = _BY_NAME[found["era"]]
    year = 1 if found["year"] == _FIRST_YEAR else read_number(found["year"])
    return (EraDate(era.latin, year, read_number(found["month"]), read_number(found["day"])),)


def to_ordinal(date: EraDate) -> int | None:
    """Return the ordinal of a date, None if the era has no such day."""
    number = estimate(date)
    era = _BY_NAME[date.era]
    is_in_era = number is not None and era.first.toordinal() <= number <= era.last.toordinal()
    return number if is_in_era else None


def estimate(date: EraDate) -> int | None:
    """Return the ordinal of a date, also of one outside its era: its years are counted on."""
    try:
        year = _BY_NAME[date.era].counted_from + date.year - 1
        return dt.date(year, date.month, date.day).toordinal()
    except (OverflowError, ValueError):
        return None


def from_ordinal(number: int) -> EraDate | None:
    """Return the date with an ordinal, None before 1873."""
    day = dt.date.fromordinal(number)
    for era in reversed(_ERAS):
        if era.first <= day:
            return EraDate(era.latin, day.year - era.counted_from + 1, day.month, day.day)
    return None


def write(date: EraDate, mode: Mode) -> str:
    """Write a date: ``平成15年9月21日``, the first year ``元年``, or ``heisei 15 9 21``."""
    if mode is Mode.ASCII:
        return f"{date.era} {date.year} {date.month} {date.day}"
    year = _FIRST_YEAR if date.year == 1 else str(date.year)
    return f"{_BY_NAME[date.era].name}{year}年{date.month}月{date.day}日"


def read_gregorian(text: str) -> tuple[int, int, int] | None:
    """Return year, month and day of ``2003年9月21日``, also in Hangul or Chinese numerals.

    The year may have two digits; its century or era is then unknown.
    """
    plain = _normalize(text)
    found = _GREGORIAN.fullmatch(plain) or _SHORT.fullmatch(plain)
    if found is None:
        return None
    return read_number(found["year"]), read_number(found["month"]), read_number(found["day"])


def find_dates(text: str) -> list[tuple[int, int]]:
    """Return the spans of dates with 年, 月 and 日 (or in Hangul), of an era or not, in a text."""
    if "年" not in text and "년" not in text:
        return []
    # A character that becomes several is kept, so that offsets stay the same.
    plain = "".join(one if len(one := _normalize(each)) == 1 else each for each in text)
    return [match.span() for pattern in (_DATE, _GREGORIAN) for match in pattern.finditer(plain)]


def _normalize(text: str) -> str:
    """Return plain forms and ASCII digits, lower case, without macrons."""
    folded = unicodedata.normalize("NFKC", text).casefold().strip()
    return to_ascii_digits(folded.replace("ō", "o").replace("ū", "u"))


def read_number(text: str) -> int:
    """Return a number in ASCII digits or in Chinese numerals (``二十二``, ``二〇〇三``)."""
    if text.isascii():
        return int(text)
    if _TEN not in text and _HUNDRED not in text:
        return int("".join(str(_DIGITS[digit]) for digit in text))
    hundreds, hundred, rest = text.rpartition(_HUNDRED)
    tens, ten, ones = rest.rpartition(_TEN)
    value = 100 * (_DIGITS.get(hundreds, 0) or 1) if hundred else 0
    value += 10 * (_DIGITS.get(tens, 0) or 1) if ten else 0
    return value + _DIGITS.get(ones, 0)
