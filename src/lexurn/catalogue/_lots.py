"""Alias sets that are held, as many at a time as memory is for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from lexurn.catalogue._protocols import TooMuchError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from lexurn.catalogue._protocols import Holdings
    from lexurn.model import Family

__all__ = ["STATED", "held_in_lots"]

T = TypeVar("T")
STATED: Final = 4_000_000
"""How many characters all that is stated of several alias sets may have: of some 10,000 names."""


def held_in_lots(
    holdings: Holdings, things: Sequence[T], act_of: Callable[[T], str]
) -> Iterator[tuple[Sequence[T], Sequence[Family]]]:
    """The alias sets that have the acts of some things, with these, in their order.

    What comes is read when it is asked for: what was done to those before is seen in it.

    Args:
        holdings: what is held.
        things: what has acts.
        act_of: the act of each.
    """
    try:
        families = holdings.families({act_of(each) for each in things}, STATED)
    except TooMuchError:
        half = len(things) // 2
        yield from held_in_lots(holdings, things[:half], act_of)
        yield from held_in_lots(holdings, things[half:], act_of)
    else:
        yield things, families
