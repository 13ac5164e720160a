"""Version chains (RFC 9676 section 7): a work's expressions in one language, first to last."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from heapq import heappop, heappush
from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterator, Sequence

    from lexurn.name import Name

__all__ = ["Chain", "ChainVersion", "Current"]

_Turn = tuple["dt.date", "Name | None"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainVersion:
    """One version, under all its names.

    Attributes:
        name: its name under the canonical work, else the smallest of its names.
        names: all names of it, sorted.
        start: the first day in force; None where nothing says so (then it is never current), and
            of a version whose name is withdrawn.
        until: the first day no longer in force, be it that of a later version that is withdrawn;
            None where it has not ended.
    """

    name: Name
    names: tuple[Name, ...]
    start: dt.date | None = None
    until: dt.date | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Current:
    """What is in force on a day.

    Attributes:
        version: the name of the version; None where none is in force (not yet, or no longer).
        since: the day from which on this answer holds, None where it holds from the beginning.
    """

    version: Name | None
    since: dt.date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """The versions of one work in one language.

    Attributes:
        work: the canonical work (an act or an annex).
        language: the language tag that all names share, or None.
        versions: in their order, at least one.
        is_withdrawn: whether the name of the work is withdrawn; then none of them is current.
    """

    work: Name
    language: str | None = None
    versions: tuple[ChainVersion, ...]
    is_withdrawn: bool = False
    _turns: tuple[_Turn, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        turns = () if self.is_withdrawn else tuple(_turns_of(self.versions))
        object.__setattr__(self, "_turns", turns)

    @property
    def first(self) -> ChainVersion:
        """The earliest version, the original where it is known."""
        return self.versions[0]

    @property
    def last(self) -> ChainVersion:
        """The end of the order, whether in force or not."""
        return self.versions[-1]

    def current(self, as_of: dt.date) -> Current:
        """The version in force on ``as_of``: where several are, the last in the chain's order.

        ``since`` is the latest day, not after ``as_of``, on which a version came into force or left
        it with nothing in its place. So asking for ``since`` gives the same answer, and a later day
        gives another ``since`` only with another version.
        """
        place = bisect_right(self._turns, as_of, key=itemgetter(0))
        if place == 0:
            return Current(version=None, since=None)
        since, version = self._turns[place - 1]
        return Current(version=version, since=since)


def _turns_of(versions: Sequence[ChainVersion]) -> Iterator[_Turn]:
    """The days on which the answer changes, each with the version in force from then on."""
    in_force: Name | None = None
    waiting = _spans_of(versions)
    active: list[tuple[int, dt.date | None]] = []
    position = 0
    for day in sorted({day for span in waiting for day in span[:2] if day is not None}):
        while position < len(waiting) and waiting[position][0] <= day:
            _, until, place = waiting[position]
            heappush(active, (-place, until))
            position += 1
        _drop_ended(active, day)
        version = versions[-active[0][0]].name if active else None
        if version != in_force:
            yield day, version
            in_force = version


def _spans_of(
    versions: Sequence[ChainVersion],
) -> list[tuple[dt.date, dt.date | None, int]]:
    """Start, end and place of each version that is in force for a day at least; by start."""
    spans = [
        (version.start, version.until, place)
        for place, version in enumerate(versions)
        if version.start is not None and (version.until is None or version.start < version.until)
    ]
    return sorted(spans, key=itemgetter(0))


def _drop_ended(active: list[tuple[int, dt.date | None]], day: dt.date) -> None:
    """Drop versions that have ended from the top of the heap; those below cannot win anyway."""
    while active:
        until = active[0][1]
        if until is None or until > day:
            return
        heappop(active)
