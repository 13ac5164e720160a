"""Names that differ only in how their numbers are written: probably those of one act.

With zeros in front, with dots for thousands, with the year of the act behind (RFC 9676 6.3.4).
"""

from __future__ import annotations

import re
from itertools import islice, product
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from lexurn.name import Name

__all__ = ["acts_alike", "without_thousands", "without_year"]

# Behind a dot a zero counts: 172.010 and 172.10 are two numbers.
_DIGITS: Final = re.compile(r"((?<![0-9.])[0-9]+)")
_THOUSANDS: Final = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.])")
_YEAR: Final = re.compile(r"[0-9]{4}")
_WIDEST: Final = 6
_MOST: Final = 256


def acts_alike(name: Name) -> tuple[str, ...]:
    """The names that the act of a name would have with its numbers written in other ways.

    Numbers are filled up to six digits, which is as far as offices go.

    >>> from lexurn.name import parse
    >>> acts_alike(parse("urn:lex:it:stato:legge:2003-09-21;00456"))[:2]
    ('urn:lex:it:stato:legge:2003-09-21;456', 'urn:lex:it:stato:legge:2003-09-21;456-2003')
    """
    act = str(name.act_name)
    details = name.work.details
    before = act.removesuffix(",".join(details.numbers))
    days = [details.period or "", *(date.iso for date in details.dates)]
    years = {found[0] for day in days if (found := _YEAR.match(day))}
    most = max(2, int(_MOST ** (1 / len(details.numbers))))  # so that each of several varies
    written = [tuple(islice(_written(number, years), most)) for number in details.numbers]
    names = (f"{before}{','.join(numbers)}" for numbers in product(*written))
    return tuple(dict.fromkeys(each for each in islice(names, _MOST) if each != act))


def without_thousands(number: str) -> str:
    """A number without the dots that set its thousands apart.

    >>> without_thousands("11.340"), without_thousands("0.101"), without_thousands("172.10")
    ('11340', '0.101', '172.10')
    """
    return _THOUSANDS.sub(lambda found: found[0].replace(".", ""), number)


def without_year(number: str, years: Collection[str]) -> str:
    """A number without the year behind it, where that is a year of its date.

    >>> without_year("241-1990", {"1990"}), without_year("241-1991", {"1990"})
    ('241', '241-1991')
    """
    before, _, year = number.rpartition("-")
    is_behind = year in years and year.isdecimal() and any(map(str.isdecimal, before))
    return before if is_behind else number


def _written(number: str, years: Collection[str]) -> Iterator[str]:
    """A number as it is, then in other ways."""
    plain = without_year(number, years)
    bare = without_thousands(plain)
    dotted = f"{int(bare):,}".replace(",", ".") if _is_long(bare) else bare
    for each in dict.fromkeys((plain, bare, dotted)):
        for filled in _filled(each):
            yield filled
            yield from (f"{filled}-{year}" for year in sorted(years))


def _is_long(number: str) -> bool:
    """Whether a number is one of digits alone that has thousands."""
    return number.isascii() and number.isdecimal() and 3 < len(number.lstrip("0")) <= 2 * _WIDEST  # noqa: PLR2004 - thousands


def _filled(number: str) -> Iterator[str]:
    """A number with more and fewer zeros in front of its digits."""
    pieces = (
        _widths(piece) if at % 2 else (piece,) for at, piece in enumerate(_DIGITS.split(number))
    )
    return map("".join, product(*pieces))


def _widths(digits: str) -> tuple[str, ...]:
    """Digits with no zeros in front, with one, and so on."""
    bare = digits.lstrip("0") or "0"
    return tuple(bare.zfill(width) for width in range(len(bare), max(_WIDEST, len(bare)) + 1))
