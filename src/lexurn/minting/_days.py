"""Days: whether there is such a day, how it is written, and what it may mean without a century."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from lexurn.minting._date_codes import date_finding
from lexurn.minting._date_words import numeral
from lexurn.minting._steps import Action, Step, Written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.minting._steps import MintFinding

__all__ = ["DATE_RULE", "Day", "dated", "failed", "is_day", "iso_text", "odd_year", "shown"]

DATE_RULE = "RFC 9676 §3.6"
#: Year (its digits, of any script), month and day.
Day = tuple[str, int, int]

_LAST_JULIAN_YEAR, _CENTURYLESS, _LINE = 1582, 2, 60


def shown(text: str) -> str:
    """A text as a message shows it."""
    return f'"{text}"' if len(text) <= _LINE else f'"{text[: _LINE - 1]}…"'


def failed(*findings: MintFinding) -> Written:
    """What has no date, and why."""
    return Written(text=None, findings=findings)


def iso_text(year: str, month: int, day: int) -> str:
    """A day in ISO 8601."""
    return f"{numeral(year):04}-{month:02}-{day:02}"


def is_day(year: str, month: int, day: int) -> bool:
    """Whether the proleptic Gregorian calendar has a day."""
    try:
        dt.date(numeral(year), month, day)
    except ValueError:
        return False
    return True


def dated(text: str, field: str, day: Day, span: tuple[int, int]) -> Written:
    """A day, if there is one; year 0000 and Julian leap days with a warning, as names are read."""
    iso = iso_text(*day)
    year = numeral(day[0])
    findings: tuple[MintFinding, ...] = ()
    if not is_day(*day):
        if year == 0 and is_day("0004", *day[1:]):
            findings = (date_finding("LX747", field, text, span=span),)
        elif year % 4 == 0 and 0 < year <= _LAST_JULIAN_YEAR and day[1:] == (2, 29):
            findings = (date_finding("LX748", field, text, iso, span=span),)
        else:
            return failed(date_finding("LX744", field, text, iso, span=span))
    same = text == iso
    step = Step(field=field, action=Action.DATED, before=text, after=iso, rule=DATE_RULE)
    return Written(text=iso, steps=() if same else (step,), findings=findings)


def odd_year(text: str, field: str, days: Sequence[Day], span: tuple[int, int]) -> MintFinding:
    """The finding of a year without its century, with the dates that it may mean."""
    candidates = [
        iso
        for year, month, day in days
        for full in _full_years(year)
        if is_day(*(iso_parts := (full, month, day))) and (iso := iso_text(*iso_parts))
    ]
    meant = " or ".join(candidates) or "of any century"
    return date_finding("LX743", field, text, f'"{days[0][0]}"', meant, span=span)


def _full_years(year: str) -> tuple[str, ...]:
    number = numeral(year)
    if len(year) == _CENTURYLESS:
        return f"{1900 + number}", f"{2000 + number}"
    return (f"{number:04}",)
