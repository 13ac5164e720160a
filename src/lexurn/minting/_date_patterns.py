"""Dates inside a text: in words, in digits, and as East Asia writes them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting._date_words import numeral, tokens_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.minting._date_words import Token, Vocabulary

__all__ = ["DROPPED", "Found", "days_in", "scan"]

#: The kinds of tokens that a date does without.
DROPPED = frozenset("WwdaSJP")

_FILL = "[WwdaSJP]{0,6}"
_DAY, _MONTH, _YEAR, _ODD_YEAR, _NO_DAY = "[nDmda]", "[MmwaR]", "Y", "[ynT]", "[yT]"
_FIRST_DAY = f"(?P<day>{_DAY})(?:P(?P<again>{_DAY})P)?"
# Days that share a month: "30-31 December", "30 e 31 dicembre".
_SHARED_DAYS = (
    f"(?P<day>{_DAY})(?:P(?P<again>{_DAY})P)?(?P<more>(?:[WS]{{0,2}}J{{1,2}}{_DAY}){{0,9}})"
)


def _orders(day: str, year: str, first: str = "Y") -> str:
    """Day month year, month day year, year month day, year day month: a month's name is in it.

    Args:
        day: what a day is.
        year: what a year is where it stands last.
        first: what a year is where it stands first.
    """
    month, last = f"(?P<month>{_MONTH})", f"(?P<year>{year})"
    return "|".join(
        _renumbered(order, number)
        for number, order in enumerate(
            (
                f"{day}{_FILL}{month}{_FILL}{last}",
                f"{month}{_FILL}{day}{_FILL}{last}",
                f"(?P<year>{first}){_FILL}{month}{_FILL}{day}(?!{_FILL}Y)",
                f"(?P<year>{first}){_FILL}{day}{_FILL}{month}(?!{_FILL}Y)",
            )
        )
    )


def _renumbered(order: str, number: int) -> str:
    """The pattern with names of its own, since one name can stand in a pattern only once."""
    return re.sub(r"\(\?P<([a-z]+)>", rf"(?P<\g<1>{number}>", order)


_SINGLE = re.compile(_orders(_FIRST_DAY, _YEAR))
_SHARED = re.compile(_orders(_SHARED_DAYS, _YEAR))
_ODD = re.compile(_orders(_FIRST_DAY, _ODD_YEAR, _NO_DAY))
_DASHES = r"\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_NUMERIC = re.compile(
    rf"(?<!\d)(?P<first>\d{{1,4}})\s?(?P<sign>[./{_DASHES}\uff0f\uff0e])\s?(?P<second>\d{{1,2}})\s?(?P=sign)"
    r"\s?(?P<third>\d{1,4})(?!\d)"
)
# Endings of numbers in brackets, as in Basque: "2003(e)ko urtarrilaren 1(a)".
_BRACKETED = re.compile(r"(?<=\d)\([^\W\d_]{1,2}\)[^\W\d_]{0,3}")
_SIGNS = frozenset("./-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\uff0f\uff0e")


class Found(NamedTuple):
    """A date in a text.

    Attributes:
        start: where it begins.
        end: where it ends.
        days: its day; several where they share month and year.
        month: its month; 0 where all is in digits.
        year: the digits of its year, of any script; empty where all is in digits.
        digits: the three numbers of a date in digits, in their order.
        weekday: the day of the week that is named inside it, or 0.
    """

    start: int
    end: int
    days: tuple[int, ...] = ()
    month: int = 0
    year: str = ""
    digits: tuple[str, ...] = ()
    weekday: int = 0


def scan(
    text: str, vocabulary: Vocabulary, *, shared: bool = False
) -> tuple[list[Found], tuple[Token, ...]]:
    """The dates of a text, from left to right, none within another; and all tokens.

    Args:
        text: any text.
        vocabulary: the words of its language.
        shared: read days that share month and year (``30 and 31 December 1999``) as such.
    """
    text = _BRACKETED.sub(lambda ending: " " * len(ending[0]), text)
    tokens = tokens_of(text, vocabulary)
    found = [*_in_words(text, tokens, _SHARED if shared else _SINGLE), *_in_digits(text)]
    if not found:
        found = list(_in_words(text, tokens, _ODD))
    return _apart(found), tokens


def _in_words(text: str, tokens: Sequence[Token], pattern: re.Pattern[str]) -> Iterator[Found]:
    kinds = "".join(token.kind for token in tokens)
    at = end = 0
    while match := pattern.search(kinds, at):
        date = _named(text, tokens, match, end)
        at = match.end() if date else match.start() + 1
        if date:
            end = date.end
            yield date


def _named(text: str, tokens: Sequence[Token], match: re.Match[str], end: int) -> Found | None:
    """The date that a match stands for; None where its day is the end of another number."""
    order = next(number for number in range(4) if match[f"day{number}"])
    day, again = tokens[match.start(f"day{order}")], match.start(f"again{order}")
    month, year = tokens[match.start(f"month{order}")], tokens[match.start(f"year{order}")]
    if again >= 0 and tokens[again].day != day.day:
        return None
    inside = tokens[match.start() : match.end()]
    if _is_tail(text, inside[0].start, end) and inside[0].kind in "nY":
        return None
    return Found(
        start=inside[0].start,
        end=inside[-1].end,
        days=tuple(_days(tokens, match, order, day)),
        month=month.month,
        year=text[year.start : year.end],
        weekday=_weekday(inside, {day, month, year}),
    )


def _days(tokens: Sequence[Token], match: re.Match[str], order: int, first: Token) -> Iterator[int]:
    yield first.day
    group = f"more{order}"
    if group in match.re.groupindex and match[group]:
        for token in tokens[match.start(group) : match.end(group)]:
            if token.kind in _DAY:
                yield token.day


def _weekday(tokens: Iterable[Token], used: set[Token]) -> int:
    return next((token.weekday for token in tokens if token.weekday and token not in used), 0)


def _in_digits(text: str) -> Iterator[Found]:
    end = 0
    at = 0
    while match := _NUMERIC.search(text, at):
        start, after = match.start(), text[match.end() : match.end() + 2]
        if _is_tail(text, start, end) or (after[:1] == match["sign"] and after[1:].isdecimal()):
            at = match.end("first") + 1
            continue
        at = end = match.end()
        yield Found(start, end, digits=(match["first"], match["second"], match["third"]))


def _is_tail(text: str, start: int, end: int) -> bool:
    """Whether a number ends a longer one (``88.821``) other than a date that ends at ``end``."""
    return start > end + 1 and text[start - 1] in _SIGNS and text[start - 2].isdecimal()


def _apart(found: list[Found]) -> list[Found]:
    """Those that do not overlap: the first, and of two that begin together the longer."""
    kept: list[Found] = []
    for each in sorted(found, key=lambda date: (date.start, -date.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept


def days_in(found: Found, order: str | None) -> list[tuple[str, int, int]]:
    """Year (its digits), month and day, in each order that the date can be read in.

    Args:
        found: a date.
        order: ``dmy``, ``mdy`` or ``ymd``; None where nobody said it.
    """
    if not found.digits:
        return [(found.year, found.month, day) for day in found.days]
    orders = [order] if order and _puts_year(order, found.digits) else _possible(found.digits)
    readings: dict[tuple[str, int, int], None] = {}
    for each in orders:
        part = dict(zip(each, found.digits, strict=True))
        readings[part["y"], numeral(part["m"]), numeral(part["d"])] = None
    return list(readings)


def _puts_year(order: str, digits: tuple[str, ...]) -> bool:
    """Whether the year of an order stands where the longest number does."""
    part = dict(zip(order, map(len, digits), strict=True))
    return part["y"] == max(part.values())


def _possible(digits: tuple[str, ...]) -> list[str]:
    """The orders that three numbers can have: four digits are a year, a month is 12 at most."""
    if len(digits[0]) > 2:  # noqa: PLR2004  no day
        return ["ymd"]
    orders = ["dmy", "mdy"] if len(digits[2]) > 2 else ["dmy", "mdy", "ymd"]  # noqa: PLR2004  a year
    fitting = [order for order in orders if _fits(order, digits)]
    return fitting or orders[:1]


def _fits(order: str, digits: tuple[str, ...]) -> bool:
    part = dict(zip(order, map(numeral, digits), strict=True))
    return 1 <= part["m"] <= 12 and 1 <= part["d"] <= 31  # noqa: PLR2004  months and days
