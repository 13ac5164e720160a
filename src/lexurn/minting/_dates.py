"""Dates of metadata as names have them: ``YYYY-MM-DD`` (RFC 9676 section 3.6), never guessed.

ISO 8601 with and without hyphens, timestamps, dates in words in the languages of the registry, in
digits where only one order is possible or the order is said, and Hebrew and Japanese dates.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.minting import _japanese
from lexurn.minting._date_codes import date_finding
from lexurn.minting._date_patterns import DROPPED, scan
from lexurn.minting._date_words import Same, vocabulary_of
from lexurn.minting._days import dated
from lexurn.minting._one_date import LONGEST_DATE, chosen, is_all, is_written_whole, read_date
from lexurn.minting._periods import read_period

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.minting._date_patterns import Found
    from lexurn.minting._date_words import Token
    from lexurn.minting._steps import Written
    from lexurn.registry import Words

__all__ = ["find_date", "read_date", "read_dates", "read_period"]


def read_dates(
    text: str, words: Words, field: str, order: str | None = None
) -> tuple[Written, ...]:
    """The dates that a text says: one or several (RFC 9676 section 6.3.2).

    >>> from lexurn.registry import registry
    >>> found = read_dates("1999-12-30, 2000-01-13", registry().words("en"), "date")
    >>> [each.text for each in found]
    ['1999-12-30', '2000-01-13']
    """
    single = read_date(text, words, field, order=order)
    if single.text is not None or len(text) > LONGEST_DATE:
        return (single,)
    found, tokens = scan(text, vocabulary_of(Same(words)), shared=True)
    if len(found) + sum(len(each.days) > 1 for each in found) < 2 or not is_all(found, tokens):  # noqa: PLR2004 - one date has been tried
        return (single,)
    return _once([one for each in found for one in _each(text, each, field, order)], text, field)


def _each(text: str, found: Found, field: str, order: str | None) -> list[Written]:
    """The dates of one place; several where days share month and year."""
    if len(found.days) > 1:
        span = found.start, found.end
        return [dated(text, field, (found.year, found.month, day), span) for day in found.days]
    return [chosen(text, found, field, order, ())]


def _once(dates: list[Written], text: str, field: str) -> tuple[Written, ...]:
    """The dates, one that is given twice written once, with a warning."""
    kept: list[Written] = []
    for each in dates:
        twice = each.text is not None and any(other.text == each.text for other in kept)
        if not twice:
            kept.append(each)
            continue
        warning = date_finding("LX751", field, text, str(each.text))
        kept[-1] = kept[-1].after((), (warning,))
    return tuple(kept)


def find_date(text: str, words: Words) -> tuple[int, int] | None:
    """Where the first date of a longer text stands, or None; it may still turn out impossible.

    >>> from lexurn.registry import registry
    >>> find_date("Legge 21.9.2003, n. 456", registry().words("it"))
    (6, 15)
    """
    stripped = text.strip()
    start = text.index(stripped)
    whole = start, start + len(stripped)
    if is_written_whole(stripped):
        return whole
    found, tokens = scan(text, vocabulary_of(Same(words)))
    if len(found) == 1 and is_all(found, tokens):
        return whole
    spans = [_widened(each, tokens) for each in found] + _japanese.places(text)
    return min(spans, default=None)


def _widened(found: Found, tokens: Sequence[Token]) -> tuple[int, int]:
    """The place of a date with the weekday before it and the words of dates behind it."""
    start, end = found.start, found.end
    for token in reversed([token for token in tokens if token.end <= start]):
        if token.kind not in DROPPED:
            break
        if token.weekday:
            start = token.start
    for token in (token for token in tokens if token.start >= end):
        if not token.dated and (token.kind != "S" or token.start != end):
            break
        end = token.end
    return start, end
