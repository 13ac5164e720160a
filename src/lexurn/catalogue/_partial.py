"""Partial matches of acts (RFC 9676 10.3): same jurisdiction, number and date, the rest alike.

All is done on texts: of a hundred thousand acts with one number few are worth being parsed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.catalogue._elements import compared_authority, compared_measure
from lexurn.catalogue._heads import heads_of
from lexurn.catalogue._keys import number_key, years_of
from lexurn.catalogue._normalised import jurisdictions_of, tongue_of
from lexurn.catalogue._numbers import readings_of
from lexurn.catalogue._reasons import reason, score_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from lexurn.catalogue._asked import Asked
    from lexurn.catalogue._heads import Head
    from lexurn.catalogue._normalised import Tongue
    from lexurn.catalogue._protocols import Holdings
    from lexurn.catalogue._reasons import Reason
    from lexurn.name import Details
    from lexurn.registry import Registry

    Compare = Callable[[str | None, str], tuple[Reason, ...] | None]

__all__ = ["LikeAct", "near_acts"]

_MOST_NUMBERS: Final = 16
_MOST_YEARS: Final = 4
_PIECES: Final = 6
_YEAR: Final = re.compile(r"[0-9]{4}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class LikeAct:
    """An act of the catalogue that is like the one asked for.

    Attributes:
        act: its name, or that of its alias.
        reasons: in what it differs.
        asked: what it is like.
    """

    act: str
    reasons: tuple[Reason, ...]
    asked: Asked

    @property
    def score(self) -> float:
        """How like it is, with how the text was read."""
        return score_of((*self.asked.reasons, *self.reasons))


class Nearby(NamedTuple):
    """The acts that are like the one asked for, and those that have its number and date only."""

    like: list[LikeAct]
    others: list[str]


def near_acts(asked: Asked, holdings: Holdings, registry: Registry) -> Nearby:
    """The acts with the number and date asked for, and in what each differs.

    Args:
        asked: what is looked for.
        holdings: the catalogue.
        registry: whose abbreviations and synonyms are filled out.
    """
    tongue = tongue_of(registry, asked.name.jurisdiction.code)
    places = tuple(jurisdictions_of(str(asked.name.jurisdiction), registry))
    judge = _judge_of(asked, tongue)
    found = Nearby([], [])
    if "numbers" in asked.missing:
        for jurisdiction, said in places:
            for act in _of_the_day(judge.heads, jurisdiction, asked, holdings):
                _judged(found, act, said, (), judge, asked)
        return found
    for numbers in readings_of(asked.name.work.details.numbers, _years_in(asked), tongue):
        for jurisdiction, said in places:
            for act in _bucket(asked, jurisdiction, holdings, numbers):
                _judged(found, act, said, numbers, judge, asked)
        if found.like:  # a number that is held as it was written is no other
            break
    return found


def _of_the_day(
    heads: Iterable[Head], jurisdiction: str, asked: Asked, holdings: Holdings
) -> Iterable[str]:
    """The acts of a day by authorities and measures that may be meant, whatever their numbers."""
    day = asked.name.work.details.dates[0].iso
    known = {
        f"urn:lex:{jurisdiction}:{head.authority}:{head.measure}": None
        for head in heads
        if head.authority is not None and head.measure is not None
    }
    return dict.fromkeys(act for head in known for act in holdings.dated(head, day))


def _years_in(asked: Asked) -> tuple[str, ...]:
    if asked.prefix is not None:
        return (asked.prefix[:4],)
    return years_of(asked.name.work.details)[:_MOST_YEARS]


def _bucket(
    asked: Asked, jurisdiction: str, holdings: Holdings, numbers: tuple[str, ...]
) -> Iterable[str]:
    """The acts with one of some numbers, and the year of one of the dates."""
    found: dict[str, None] = {}
    for number in dict.fromkeys(map(number_key, numbers[:_MOST_NUMBERS])):
        for year in _years_in(asked) or (None,):
            found.update(dict.fromkeys(holdings.near(jurisdiction, number, year)))
    return found


def _judged(
    found: Nearby,
    act: str,
    said: tuple[Reason, ...],
    numbers: tuple[str, ...],
    judge: _Judge,
    asked: Asked,
) -> None:
    """Put an act where it belongs, if its number and date are those asked for."""
    pieces = act.split(":")
    details = judge.details(pieces[-1], numbers) if len(pieces) == _PIECES else None
    if details is None:
        return
    head = judge.head(pieces[3], pieces[4])
    if head is None:
        found.others.append(act)
    else:
        found.like.append(LikeAct(act=act, reasons=(*said, *head, *details), asked=asked))


class _Judge(NamedTuple):
    """Compares what is held with what was asked for; what was compared before is remembered."""

    heads: tuple[Head, ...]
    head: Callable[[str, str], tuple[Reason, ...] | None]
    details: Callable[[str, tuple[str, ...]], tuple[Reason, ...] | None]


def _judge_of(asked: Asked, tongue: Tongue) -> _Judge:
    work = asked.name.work
    authority = None if "authority" in asked.missing else str(work.authority)
    measure = None if "measure" in asked.missing else str(work.measure)
    is_unit = ";" in str(asked.name.jurisdiction)
    heads = heads_of(authority, measure, tongue, is_unit=is_unit)

    @cache
    def issued(given: str | None, held: str) -> tuple[Reason, ...] | None:
        return compared_authority(given, held, tongue)

    @cache
    def typed(given: str | None, held: str) -> tuple[Reason, ...] | None:
        return compared_measure(given, held, tongue)

    def best(held_authority: str, held_measure: str) -> tuple[Reason, ...] | None:
        ways = (_way(head, (held_authority, held_measure), issued, typed) for head in heads)
        return max((way for way in ways if way is not None), key=score_of, default=None)

    @cache
    def dated(held: str, numbers: tuple[str, ...]) -> tuple[Reason, ...] | None:
        return compared_details(work.details, asked.prefix, held, numbers)

    return _Judge(heads, best, dated)


def _way(
    head: Head, held: tuple[str, str], issued: Compare, typed: Compare
) -> tuple[Reason, ...] | None:
    measures = typed(head.measure, held[1])
    if measures is None or not head.suits(held[0]):
        return None
    issuers = issued(head.authority, held[0])
    return None if issuers is None else (*head.reasons, *issuers, *measures)


def compared_details(
    given: Details, prefix: str | None, held: str, numbers: tuple[str, ...]
) -> tuple[Reason, ...] | None:
    """In what dates and numbers differ; None where one is another.

    Args:
        given: what was asked for.
        prefix: the year or month that stands for its date, or None.
        held: what the catalogue has, ``2003-09-21;456``.
        numbers: what the numbers that were asked for are read as; none where they are missing.
    """
    when, _, theirs = held.partition(";")
    counted = _compared_numbers(given.numbers, numbers, tuple(theirs.split(",")))
    if counted is None:
        return None
    dated = _compared_dates(given, prefix, when)
    return None if dated is None else (*dated, *counted)


def _compared_numbers(
    given: tuple[str, ...], numbers: tuple[str, ...], held: tuple[str, ...]
) -> tuple[Reason, ...] | None:
    if not numbers:
        return (reason("LX946", "", ",".join(held), component="numbers"),)
    if given == held:
        return ()
    shown = ",".join(given), ",".join(held)
    mine, theirs = frozenset(map(number_key, numbers)), frozenset(map(number_key, held))
    return _compared_sets(mine, theirs, shown, "numbers")


def _compared_sets(
    given: frozenset[str], held: frozenset[str], shown: tuple[str, str], component: str
) -> tuple[Reason, ...] | None:
    """What is the same but for its order or writing; what has more on one side; None for others."""
    if given == held:
        return (reason("LX949", *shown, component=component),)
    if given < held or held < given:
        return (reason("LX948", *shown, component=component),)
    return None


def _compared_dates(given: Details, prefix: str | None, when: str) -> tuple[Reason, ...] | None:
    asked = prefix or given.period or ",".join(map(str, given.dates))
    if asked == when:
        return ()
    held = [text.partition("|")[0] for text in when.split(",")]
    iso = [date.iso for date in given.dates]
    if prefix is not None:
        is_within = any(date.startswith(f"{prefix}-") for date in held) or (
            _YEAR.fullmatch(when) is not None and prefix.startswith(when)
        )
        return _year_for_date(asked, when) if is_within else None
    if _YEAR.fullmatch(when):
        is_within = any(date.startswith(f"{when}-") for date in iso)
        return _year_for_date(asked, when) if is_within else None
    if given.period is not None or not all(map(_DATE.fullmatch, held)):
        return None
    return _compared_sets(frozenset(iso), frozenset(held), (asked, when), "dates")


def _year_for_date(asked: str, held: str) -> tuple[Reason, ...]:
    return (reason("LX950", asked, held, component="dates"),)
