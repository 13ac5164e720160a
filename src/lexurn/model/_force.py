"""When versions are in force: from what is stated, else from their names (RFC 9676 5.6, 7.1.2).

A span is half-open: ``start`` is its first day, ``until`` the first day that is no longer in it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.model._order import is_original
from lexurn.model._values import Status

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence

    from lexurn.model._values import Record
    from lexurn.name import Details, Version

__all__ = ["ActForce", "Span", "Stated", "act_force", "force_of", "spans_of", "stated_of"]

Span = tuple["dt.date | None", "dt.date | None"]

_NEVER: Span = (None, None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Stated:
    """What the records of one thing, under all its names, state of its force.

    Where they differ, the record that stands first has the say.
    """

    start: dt.date | None = None
    until: dt.date | None = None
    published: dt.date | None = None
    version_order: int | None = None
    withdrawn: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ActForce:
    """What is known of a work as a whole.

    Attributes:
        start: the first day on which any version can be in force, as stated.
        until: the first day on which none is any more, as stated.
        begin: where the original starts: ``start``, else the day of publication, else the act's.
    """

    start: dt.date | None = None
    until: dt.date | None = None
    begin: dt.date | None = None


def stated_of(records: Sequence[Record]) -> Stated:
    """What the records of equal names state, the first record that states it deciding."""
    if len(records) == 1:
        return _stated_of_one(records[0])
    return Stated(
        start=_first(record.in_force_from for record in records),
        until=_first(record.in_force_until for record in records),
        published=_first(record.published for record in records),
        version_order=next((r.version_order for r in records if r.version_order is not None), None),
        withdrawn=all(record.status is Status.WITHDRAWN for record in records),
    )


def _stated_of_one(record: Record) -> Stated:
    return Stated(
        start=record.in_force_from,
        until=record.in_force_until,
        published=record.published,
        version_order=record.version_order,
        withdrawn=record.status is Status.WITHDRAWN,
    )


def act_force(works: Sequence[Stated], details: Details) -> ActForce:
    """The force of a work as a whole.

    Args:
        works: the work itself, then (of an annex) the annexes above it and the act: an annex is
            part of its act (RFC 9676 section 6.4.1), so what it does not state the act does.
        details: dates and numbers of the act; with several dates the act is complete on the last.
    """
    start = _first(work.start for work in works)
    published = _first(work.published for work in works)
    days = [day for date in details.dates if (day := date.day) is not None]
    return ActForce(
        start=start,
        until=_first(work.until for work in works),
        begin=_first((start, published, max(days, default=None))),
    )


def force_of(version: Version, stated: Stated, act: ActForce) -> dt.date | None:
    """The first day in force: as stated, else the last event date, else the amendment date.

    An original starts at its publication, else where the act does. No version starts before the
    act, unless it states so. None where nothing says.
    """
    if stated.start is not None:
        return stated.start
    named = _named_day(version)
    if named is None and is_original(version):
        return act.start or stated.published or act.begin
    if named is None or act.start is None:
        return named
    return max(named, act.start)


def _named_day(version: Version) -> dt.date | None:
    """The last event date, else the amendment date; None where that is no day of the calendar."""
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    return None if last is None else last.day


def spans_of(
    starts: Sequence[dt.date | None], stated: Sequence[Stated], act: ActForce
) -> list[Span]:
    """The spans of the versions of a chain, in its order.

    A version without a stated end ends where the next dated one starts (RFC 9676 section 5.6), or
    the act ends. A later version that starts earlier leaves it an empty span. One that is withdrawn
    is never in force, but ends what was before it: the text of that day is not held any more.
    """
    spans: list[Span] = []
    following = act.until
    for start, version in zip(reversed(starts), reversed(stated), strict=True):
        if start is None or _is_nothing(start, version):
            spans.append(_NEVER)
            continue
        until = version.until
        if until is None and following is not None:
            until = max(start, following)
        spans.append(_NEVER if version.withdrawn else (start, until))
        following = start if act.until is None else min(start, act.until)
    return spans[::-1]


def _is_nothing(start: dt.date, version: Stated) -> bool:
    """Whether a version is withdrawn, and stated never to have been in force."""
    return version.withdrawn and version.until is not None and version.until <= start


def _first(days: Iterable[dt.date | None]) -> dt.date | None:
    return next((day for day in days if day is not None), None)
