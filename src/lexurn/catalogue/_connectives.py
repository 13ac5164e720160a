"""Connectives in the elements of names, which names do without (RFC 9676 sections 4.1 and 6)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._likeness import is_numeral

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

__all__ = ["bearing"]

_TWO_LETTERS: Final = re.compile(r"[^\W\d_].*[^\W\d_]")


def bearing(words: Sequence[str], connectives: Collection[str]) -> list[bool]:
    """Which words of an element bear its meaning: all but the connectives before a word.

    What stands last, or before a letter or a number, numbers a section or an annex, though some
    language has a connective that is written so.

    >>> bearing(["lavoro", "e", "politiche"], {"e"})
    [True, False, True]
    >>> bearing(["sezione", "e"], {"e"})
    [True, True]

    Args:
        words: the words of one element, as keys.
        connectives: those of the languages that it may be in.
    """
    found: list[bool] = []
    is_before_word = False
    for word in reversed(words):
        is_connective = word in connectives
        found.append(not (is_connective and is_before_word))
        if not is_connective:
            is_before_word = _TWO_LETTERS.search(word) is not None and not is_numeral(word)
    return found[::-1]
