"""Numbers as texts write them: with a word, a year behind, dots for thousands (RFC 9676 6.3.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lexurn.catalogue._normalised import Tongue

__all__ = ["readings_of", "without_thousands", "without_year"]

_THOUSANDS: Final = re.compile(r"(?<![0-9.])[1-9][0-9]{0,2}(?:\.[0-9]{3})+(?![0-9.])")
_YEAR_BEHIND: Final = re.compile(r"(.*[0-9].*)-([0-9]{4})", re.DOTALL)


def readings_of(
    numbers: Sequence[str], years: Collection[str], tongue: Tongue
) -> tuple[tuple[str, ...], ...]:
    """What numbers may be, as they are written first: a later one counts where no earlier one does.

    ``172.101`` is a number of its own in Switzerland, and ``11.340`` is 11340 in Brazil.

    Args:
        numbers: all that were given.
        years: those of the date that was given.
        tongue: whose words for "number" are set aside.
    """
    bare = tuple(map(tongue.bare, numbers))
    yearless = tuple(without_year(each, years) for each in bare)
    found = [tuple(numbers), bare, yearless]
    found += [tuple(map(without_thousands, each)) for each in (bare, yearless)]
    return tuple(dict.fromkeys(found))


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
    found = _YEAR_BEHIND.fullmatch(number)
    return found[1] if found is not None and found[2] in years else number
