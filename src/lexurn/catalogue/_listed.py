"""Some of many, for sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["listed"]

_MOST: Final = 5


def listed(things: Sequence[object]) -> str:
    """The first of some things, and how many more there are.

    >>> listed("abc"), listed("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    shown, more = ", ".join(map(str, things[:_MOST])), len(things) - _MOST
    return f"{shown} and {more:,} more" if more > 0 else shown
