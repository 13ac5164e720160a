"""How alike two words of names are: edit distance, within bounds that keep meanings apart."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

__all__ = ["distance", "is_numeral", "spelling_distance"]

_DIGITS = re.compile(r"[0-9]+")
_ROMAN = re.compile(r"m{0,4}(?:c[md]|d?c{0,4})(?:x[cl]|l?x{0,4})(?:i[xv]|v?i{0,4})")
_MOST: Final = 3
_LONGEST: Final = 256
#: Up to how many letters a word has no slip, or one: two make too many words another word.
_SHORT, _MIDDLE = 4, 13


@lru_cache(maxsize=65_536)
def spelling_distance(asked: str, held: str) -> int | None:
    """In how many letters two elements of names differ; None where they are not alike.

    Word by word, so that short words (which a letter makes another word: ``lei``, ``loi``) and
    numbers, Roman ones too, have to be the same; or with a dot more or less.

    >>> spelling_distance("presidente.repubblcia", "presidente.repubblica")
    1
    >>> spelling_distance("allegato.1", "allegato.2") is None
    True
    """
    if max(len(asked), len(held)) > _LONGEST or _DIGITS.findall(asked) != _DIGITS.findall(held):
        return None
    mine, others = asked.split("."), held.split(".")
    if len(mine) != len(others):
        return 1 if asked.replace(".", "") == held.replace(".", "") else None
    total = 0
    for one, other in zip(mine, others, strict=True):
        if one != other:
            found = distance(one, other, _limit(one, other))
            if found is None or (is_numeral(one) and is_numeral(other)):
                return None
            total += found
    return total if total <= _MOST else None


def is_numeral(word: str) -> bool:
    """Whether a word may be a Roman numeral, also one with four equal letters.

    >>> is_numeral("xviii"), is_numeral("civil"), is_numeral("")
    (True, False, False)
    """
    return bool(word) and _ROMAN.fullmatch(word) is not None


def _limit(one: str, other: str) -> int:
    """How many letters two words may differ in, and still be one word.

    Two only where they are long: ``derogation`` and ``abrogation`` are two words.
    """
    longer = max(len(one), len(other))
    if longer <= _SHORT:
        return 0
    return 1 if longer <= _MIDDLE else 2


def distance(one: str, other: str, limit: int) -> int | None:
    """The letters to put in, leave out, change or swap with the next; None where over a limit.

    >>> distance("legge", "lege", 1), distance("legge", "ley", 1)
    (1, None)
    """
    if one == other:
        return 0
    if limit <= 0 or abs(len(one) - len(other)) > limit:
        return None
    if len(set(one) ^ set(other)) > 2 * limit:
        return None
    return _measured(*_apart(one, other), limit)


def _apart(one: str, other: str) -> tuple[str, str]:
    """Two words without what they have in common in front and behind."""
    front = _common(one, other)
    one, other = one[front:], other[front:]
    behind = _common(one[::-1], other[::-1])
    return one[: len(one) - behind], other[: len(other) - behind]


def _common(one: str, other: str) -> int:
    """How many letters two words have in common in front."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (a, b) in pairs if a != b), min(len(one), len(other)))


def _measured(one: str, other: str, limit: int) -> int | None:
    """Optimal string alignment, row by row, given up where no way within the limit is left."""
    before: list[int] = []
    last: list[int] = []
    row = list(range(len(other) + 1))
    for place, letter in enumerate(one, 1):
        before, last, row = last, row, [place]
        for at, against in enumerate(other, 1):
            cost = min(last[at] + 1, row[at - 1] + 1, last[at - 1] + (letter != against))
            if before and at > 1 and letter == other[at - 2] and one[place - 2] == against:
                cost = min(cost, before[at - 2] + 1)
            row.append(cost)
        if min(row) > limit and min(last) > limit:
            return None
    return row[-1] if row[-1] <= limit else None
