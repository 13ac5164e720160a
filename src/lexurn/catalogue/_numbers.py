"""Numbers as texts write them: with a word, a year behind, dots for thousands (RFC 9676 6.3.4)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.minting import without_thousands, without_year

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from lexurn.catalogue._normalised import Tongue

__all__ = ["readings_of"]


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
