"""Connectives in the elements of names, which names do without (RFC 9676 sections 4.1 and 6).

A single letter may be one, and may be what a section or an annex is called by: "lavoro e politiche
sociali", "sezione e civile". The word before it tells which, as far as it is known.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._likeness import is_numeral

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

__all__ = ["bearing", "is_shortened"]

_TWO_LETTERS: Final = re.compile(r"[^\W\d_].*[^\W\d_]")


def _never(_noun: str, _letter: str) -> bool:
    return False


def bearing(
    words: Sequence[str],
    connectives: Collection[str],
    designates: Callable[[str, str], bool] = _never,
) -> list[bool]:
    """Which words of an element bear its meaning: all but the connectives before a word.

    What stands last, or before a letter or a number, numbers a section or an annex, though some
    language has a connective that is written so. So does a letter behind such a noun.

    >>> bearing(["lavoro", "e", "politiche"], {"e"})
    [True, False, True]
    >>> bearing(["sezione", "e"], {"e"})
    [True, True]
    >>> bearing(["sezione", "e", "civile"], {"e"}, lambda *_: True)
    [True, True, True]

    Args:
        words: the words of one element, as keys.
        connectives: those of the languages that it may be in.
        designates: whether, behind a word, a letter tells one such thing from another.
    """
    found: list[bool] = []
    is_before_word = False
    for place in range(len(words) - 1, -1, -1):
        word = words[place]
        is_connective = word in connectives
        is_letter = is_connective and len(word) == 1 and place > 0
        is_borne = not (is_connective and is_before_word) or (
            is_letter and designates(words[place - 1], word)
        )
        found.append(is_borne)
        if not is_connective:
            is_before_word = _TWO_LETTERS.search(word) is not None and not is_numeral(word)
    return found[::-1]


def is_shortened(longer: Sequence[str], shorter: Sequence[str], leaves: Sequence[bool]) -> bool:
    """Whether words are those of another element without some of those that it may leave out.

    >>> is_shortened(["ufficio", "e", "civile"], ["ufficio", "civile"], [False, True, False])
    True

    Args:
        longer: the words of the other element.
        shorter: the words.
        leaves: which words of the other element may be left out.
    """
    place = 0
    for word, may_leave in zip(longer, leaves, strict=True):
        if place < len(shorter) and word == shorter[place]:
            place += 1
        elif not may_leave:
            return False
    return place == len(shorter)
