# ruff: noqa: RUF001 - letters of other scripts are what this is about
"""The Hijri calendar by the civil table: its days as day numbers and back, its names.

Months of 30 and 29 days in turn, eleven leap days in thirty years, counted from 16 July 622 of the
Julian calendar. The official calendars of states (Umm al-Qura, sightings) differ from it by a day
or so, which is why a day that is only computed is never taken for the official one.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import NamedTuple

from lexurn.minting._steps import Mode

__all__ = ["HijriDate", "hijri_of", "hints", "in_hijri", "nearest", "number_of", "read_hijri"]

# Day number of 1 Muharram of the year 1, by the civil epoch.
_EPOCH = 227_015
_DAYS_IN_YEAR, _DAYS_IN_CYCLE, _YEARS_IN_CYCLE = 354, 10_631, 30
_MONTHS, _LONGEST_MONTH, _EARLIEST_WRITTEN = 12, 30, 100
_LATEST_WRITTEN = 1700

_NAMES = {
    1: ("محرم", "muharram"), 2: ("صفر", "safar"), 3: ("ربيع الأول", "rabi al-awwal"),
    4: ("ربيع الآخر", "rabi al-thani"), 5: ("جمادى الأولى", "jumada al-ula"),
    6: ("جمادى الآخرة", "jumada al-akhira"), 7: ("رجب", "rajab"), 8: ("شعبان", "shaban"),
    9: ("رمضان", "ramadan"), 10: ("شوال", "shawwal"), 11: ("ذو القعدة", "dhu al-qada"),
    12: ("ذو الحجة", "dhu al-hijja"),
}  # fmt: skip
_SPELLINGS = {
    1: "المحرم|محرم الحرام|moharram|mouharram|muharrem|moharrem",
    2: "صفر الخير|safer",
    3: "ربيع اول|rabi i|rabi 1|rabi al awal|rabi ul awwal|rabi al ula|rabi el aouel|rabie al aoual"
       "|rabia i|rabia al awal|rebiülevvel|rebiulevvel|rabii i",
    4: "ربيع الثاني|ربيع الاخر|ربيع ثاني|rabi ii|rabi 2|rabi al akhir|rabi ul thani|rabi at thani"
       "|rabie ethani|rabi ethani|rabia ii|rabia al thani|rebiülahir|rebiulahir|rabii ii",
    5: "جمادى الاول|جمادي الاولى|جمادى اولى|jumada i|jumada 1|jumada al awwal|jumada al ula"
       "|joumada i|joumada el oula|djoumada el oula|joumada al oula|cemaziyelevvel",
    6: "جمادى الثانية|جمادى الاخر|جمادي الاخرة|jumada ii|jumada 2|jumada al thani|jumada al thaniya"
       "|joumada ii|joumada ethania|djoumada ethania|joumada al akhira|joumada et tania"
       "|cemaziyelahir",
    7: "رجب الفرد|rejeb|redjeb|radjab|recep|receb",
    8: "شعبان المعظم|chaabane|chaaban|chabane|shaaban|saban",
    9: "رمضان المبارك|ramadhan|ramadhane|ramazan|ramzan",
    10: "شوال المكرم|chaoual|chawwal|shawal|chaoul|sevval",
    11: "ذي القعدة|ذو قعدة|ذي قعدة|dhul qada|dhul qadah|dhu al qadah|dhu l qada|dhou el kaada"
        "|dhou el qaada|dou al qaada|kaada|hija al kaada|zilkade|zulqada|zul qada",
    12: "ذي الحجة|ذو حجة|ذي حجة|dhul hijja|dhul hijjah|dhu al hijjah|dhu l hijja|dhou el hidja"
        "|dou al hijja|hija|hijja|zilhicce|zulhijja|zul hijja",
}  # fmt: skip
_ARABIC = str.maketrans("أإآٱىةئؤ", "اااايهيو")
_APOSTROPHES = re.compile("['’‘ʿʾʻʼ`´]")
_WORD = re.compile(r"[0-9]+|[^\W\d_]+(?:\.[^\W\d_]+)*")
_ERAS = frozenset(["ه", "هجري", "هجريه", "هجرية", "ah", "a.h", "h", "hegire", "hicri"])
_FILLERS = frozenset(["سنه", "عام", "من", "يوم", "شهر", "de", "of"]) | _ERAS


class HijriDate(NamedTuple):
    """A day: year of the Hijra, month from Muharram, day of the month."""

    year: int
    month: int
    day: int


def is_leap(year: int) -> bool:
    """Whether the last month of a year has 30 days, by the civil table."""
    return (11 * year + 14) % _YEARS_IN_CYCLE < 11  # noqa: PLR2004  eleven of thirty


def month_length(year: int, month: int) -> int:
    """How many days a month has: 29 or 30."""
    return 30 if month % 2 or (month == _MONTHS and is_leap(year)) else 29


def number_of(date: HijriDate) -> int | None:
    """The day number of a day by the civil table; None where that has no such day."""
    year, month, day = date
    if year < 1 or not 1 <= month <= _MONTHS or not 1 <= day <= month_length(year, month):
        return None
    before = _DAYS_IN_YEAR * (year - 1) + (3 + 11 * year) // _YEARS_IN_CYCLE
    return _EPOCH + before + 29 * (month - 1) + month // 2 + day - 1


def nearest(date: HijriDate) -> int | None:
    """The day number by the civil table; a thirtieth that it lacks is the day behind the last."""
    number = number_of(date)
    if number is not None or not _by_sighting(date):
        return number
    before = number_of(date._replace(day=_LONGEST_MONTH - 1))
    return None if before is None else before + 1


def hints() -> frozenset[str]:
    """ASCII words that a Hijri date in ASCII has one of."""
    words = {word for name in _month_table() for word in name.split()} | _ERAS
    return frozenset(word for word in words if (word.isascii() and len(word) > 1) or word == "h")


def hijri_of(number: int) -> HijriDate | None:
    """The day with a day number by the civil table; None before the year 1."""
    if number < _EPOCH:
        return None
    year = (_YEARS_IN_CYCLE * (number - _EPOCH) + 10_646) // _DAYS_IN_CYCLE
    rest = number - (number_of(HijriDate(year, 1, 1)) or 0)
    for month in range(1, _MONTHS + 1):
        length = month_length(year, month)
        if rest < length:
            return HijriDate(year, month, rest + 1)
        rest -= length
    return None


def in_hijri(date: HijriDate, mode: Mode) -> str:
    """``27 شعبان 1412``, or ``27 shaban 1412`` in ASCII."""
    name = _NAMES[date.month][1 if mode is Mode.ASCII else 0]
    return f"{date.day} {name} {date.year}"


def read_hijri(text: str) -> tuple[HijriDate, ...] | None:
    """The day that a text means; None where it is no Hijri date, () where there is no such day.

    In digits alone it is one only where the text says so (``1412/8/27 هـ``).
    """
    words = _WORD.findall(_plain(text))
    kept = [word for word in words if word not in _FILLERS]
    numbers = [int(word) for word in kept if word.isdecimal()]
    names = " ".join(word for word in words if not word.isdecimal())
    month = _month(names)
    if month is not None:
        return _dated(numbers, month)
    if len(kept) == len(numbers) and not _ERAS.isdisjoint(words):
        return _in_digits(numbers)
    return None


def _plain(text: str) -> str:
    """Lower case, digits of any script as ASCII, letters without marks, Arabic ones evened out."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(map(_evened, folded))
    return _APOSTROPHES.sub("", bare).translate(_ARABIC)


def _evened(character: str) -> str:
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    return "" if unicodedata.category(character) in {"Mn", "Cf", "Lm"} else character


def _month(names: str) -> int | None:
    """The month among the words that are no numbers; words of eras may stand round it."""
    words = names.split()
    for length in (3, 2, 1):
        for start in range(len(words) - length + 1):
            rest = [*words[:start], *words[start + length :]]
            found = _month_table().get(" ".join(words[start : start + length]))
            if found and all(word in _FILLERS for word in rest):
                return found
    return None


@lru_cache(maxsize=1)
def _month_table() -> dict[str, int]:
    spelt = {month: [*names, *_SPELLINGS[month].split("|")] for month, names in _NAMES.items()}
    return {
        " ".join(_WORD.findall(_plain(name))): month
        for month, names in spelt.items()
        for name in names
    }


def _dated(numbers: list[int], month: int) -> tuple[HijriDate, ...] | None:
    """Day and year round a month's name, in either order; years have three or four digits."""
    if len(numbers) != 2:  # noqa: PLR2004  a day and a year
        return None
    day, year = sorted(numbers)
    if not _EARLIEST_WRITTEN <= year <= _LATEST_WRITTEN:
        return None
    date = HijriDate(year, month, day)
    return (date,) if number_of(date) is not None or _by_sighting(date) else ()


def _by_sighting(date: HijriDate) -> bool:
    """Whether it is the thirtieth of a month that the table ends a day earlier."""
    return date.day == _LONGEST_MONTH


def _in_digits(numbers: list[int]) -> tuple[HijriDate, ...] | None:
    """Year, month, day or day, month, year: the year is the number that is no day."""
    if len(numbers) != 3:  # noqa: PLR2004  year, month, day
        return None
    year, month, day = numbers if numbers[0] > numbers[2] else reversed(numbers)
    if not _EARLIEST_WRITTEN <= year <= _LATEST_WRITTEN:
        return None
    date = HijriDate(year, month, day)
    real = 1 <= month <= _MONTHS and (number_of(date) is not None or _by_sighting(date))
    return (date,) if real else ()
