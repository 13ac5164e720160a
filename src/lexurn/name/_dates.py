"""Dates of names: ``date = date-iso ["|" date-loc]`` (RFC 9676 section 3.6), and look-alikes.

A day must exist in the proleptic Gregorian calendar. Two are let through with a warning, and are
no `datetime.date`: those of the year 0000, and 29 February of Julian leap years up to 1582.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache

from lexurn.name._characters import quoted
from lexurn.name._codes import Fault, Fix
from lexurn.name._leaf import ALF_DOT, DATE_LOC, Parsed, read_leaf, refusal, shifted
from lexurn.name._mending import mended_date
from lexurn.name._values import Date

__all__ = ["is_date", "read_date", "read_dates", "read_period"]

_ISO = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
# Digits and dashes in any order: meant as a date, whatever else is wrong with it.
_DATE_LIKE = re.compile(r"[^A-Za-z.;]{0,6}?[0-9][^.;]*[-/\u2010-\u2015\u2212]")
_PERIOD_LIKE_A_DATE = re.compile(
    r"[0-9]{4}(?:[0-9]{2}){0,2}|[0-9]{4}(?:\.[0-9]{1,2}){1,2}|(?:[0-9]{1,2}\.){1,2}[0-9]{4}"
)
_ENCODED_BAR = "%7C"
_LAST_JULIAN_YEAR = 1582


def is_date(text: str) -> bool:
    """Whether a text is meant as a date rather than as a word."""
    return _ISO.match(text) is not None or _DATE_LIKE.match(text) is not None


@lru_cache(maxsize=4096)
def _day(iso: str) -> Parsed[Date]:
    """A day in ISO 8601, 10 characters."""
    year, month, day = int(iso[:4]), int(iso[5:7]), int(iso[8:])
    code = None
    try:
        dt.date(year or 4, month, day)
    except ValueError:
        julian = year % 4 == 0 and year <= _LAST_JULIAN_YEAR and (month, day) == (2, 29)
        code = "LX217" if julian else "LX215"
    code = code or (None if year else "LX216")
    faults = (Fault(code, "date", 0, 10, (iso,)),) if code else ()
    return Parsed(None if code == "LX215" else Date(iso=iso), iso, faults)


def read_date(text: str) -> Parsed[Date]:
    """Read ``date = date-iso ["|" date-loc]``; ``%7C`` for the bar is read with a warning."""
    match = _ISO.match(text)
    if match is None:
        return _no_date(text)
    day, rest = _day(match[0]), text[match.end() :]
    if not rest:
        return day
    if rest[0] == "|":
        return _with_local(day, rest[1:], match.end() + 1)
    if rest[:3].upper() == _ENCODED_BAR:
        fix = Fix(match.end(), match.end() + 3, "|")
        bar = Fault("LX218", "date-loc", match.end(), match.end() + 3, (), fix)
        return _with_local(day, rest[3:], match.end() + 3, bar)
    # Whether there is such a day is not asked: what follows may well belong to its digits.
    return Parsed(None, text, (refusal(text, match.end(), "date"),))


def read_dates(text: str) -> Parsed[tuple[Date, ...]]:
    """Read ``dates = date *("," date)`` (RFC 9676 section 6.3.2)."""
    values: list[Date | None] = []
    faults: list[Fault] = []
    texts: list[str] = []
    seen: set[str] = set()
    start = 0
    for item in text.split(","):
        read = read_date(item)
        if read.value is not None and read.text in seen:
            fix = Fix(start - 1, start + len(item), "")
            faults.append(Fault("LX221", "dates", start, start + len(item), (quoted(item),), fix))
        seen.add(read.text)
        values.append(read.value)
        texts.append(read.text)
        faults += shifted(read.faults, start)
        start += len(item) + 1
    dates = tuple(value for value in values if value is not None)
    whole = dates if len(dates) == len(values) else None
    return Parsed(whole, ",".join(texts), tuple(faults))


def read_period(text: str) -> Parsed[str]:
    """Read ``period = alf-dot`` (RFC 9676 section 6.3.1); one that reads as a date is warned of."""
    read = read_leaf(text, ALF_DOT, "period")
    if read.value is None:
        return read._replace(faults=tuple(map(_of_a_date, read.faults)))
    if not _PERIOD_LIKE_A_DATE.fullmatch(text):
        return read
    fix = Fix(0, len(text), repair) if (repair := mended_date(text)) else None
    like_a_date = Fault("LX220", "period", 0, len(text), (quoted(text),), fix)
    return read._replace(faults=(*read.faults, like_a_date))


def _of_a_date(fault: Fault) -> Fault:
    """What is neither a date nor a period lacks a date, which is what most details have."""
    return fault._replace(component="date") if fault.component == "period" else fault


def _no_date(text: str) -> Parsed[Date]:
    """What stands in place of a date: nothing, a broken triplet, or something else."""
    if not text:
        return Parsed(None, "", (Fault("LX201", "date", 0, 0),))
    broken = read_leaf(text, ALF_DOT, "date").faults[-1:]
    if broken and broken[0].code == "LX104":
        return Parsed(None, text, broken)
    fix = Fix(0, len(text), repair) if (repair := mended_date(text)) else None
    return Parsed(None, text, (Fault("LX214", "date", 0, len(text), (quoted(text),), fix),))


def _with_local(day: Parsed[Date], local: str, start: int, *faults: Fault) -> Parsed[Date]:
    """A day with its form in the jurisdiction's own calendar."""
    if local:
        read = read_leaf(local, DATE_LOC, "date-loc")
    else:
        read = Parsed("", "", (Fault("LX219", "date-loc", 0, 0, (), Fix(-1, 0, "")),))
    found = (*day.faults, *faults, *shifted(read.faults, start))
    text = f"{day.text}|{read.text}"
    if day.value is None or read.value is None:
        return Parsed(None, text, found)
    return Parsed(Date(iso=day.text, local=read.value), text, found)
