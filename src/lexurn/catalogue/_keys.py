"""Keys under which acts are found again: a number without leading zeros, the year of a date."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.name import Details

__all__ = ["is_dated", "number_key", "year_of", "years_of"]

_ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def number_key(number: str) -> str:
    """A number without the zeros in front of its digits: ``007-bis`` and ``7-bis`` are one key.

    Behind a dot a zero counts: ``172.010`` and ``172.10`` are two numbers.

    >>> number_key("007-bis"), number_key("0"), number_key("lex-03"), number_key("0172.010")
    ('7-bis', '0', 'lex-3', '172.010')
    """
    return _ZEROS.sub("", number)


def year_of(date_or_period: str) -> str | None:
    """The first year that stands in a date or a period, None where none does.

    >>> year_of("2003-09-21"), year_of("legislature.13")
    ('2003', None)
    """
    found = _YEAR.search(date_or_period)
    return None if found is None else found[0]


def years_of(details: Details) -> tuple[str, ...]:
    """The years of an act's dates or period, sorted, none twice."""
    written = [date.iso for date in details.dates]
    if details.period is not None:
        written.append(details.period)
    years = {year for text in written if (year := year_of(text)) is not None}
    return tuple(sorted(years))


def is_dated(act: str, head: str, day: str) -> bool:
    """Whether an act has a head and a first date: local dates, other dates and numbers follow it.

    >>> is_dated("urn:lex:fr:etat:loi:1881-07-29;lex-1", "urn:lex:fr:etat:loi", "1881-07-29")
    True
    """
    start = f"{head}:{day}"
    return act.startswith((f"{start};", f"{start},", f"{start}|"))
