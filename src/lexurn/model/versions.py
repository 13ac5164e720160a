"""Versions: their order, their spans of force, and their chains (RFC 9676 section 7).

A span is half-open: ``start`` is its first day, ``until`` the first day after it. Days come from
statements of the publisher, else from the names (sections 5.6 and 7.1.2). The original of an act
without a date, such as a bill, has an open start: its span has only an end.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from collections import defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from math import inf
from operator import attrgetter, itemgetter
from typing import TYPE_CHECKING, NamedTuple

from lexurn.data import load_table
from lexurn.errors import DateError
from lexurn.findings import make_finding
from lexurn.model.fields import LegalForce, Status
from lexurn.name import Level

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence

    from lexurn.findings import Finding
    from lexurn.model.aliases import EqualNames
    from lexurn.model.fields import Record
    from lexurn.name import Name, Version

_ORIGINAL, _DATED, _LABELLED = range(3)
_EVENT_DATE, _EVENT_NAME = range(2)


class OrderKey(NamedTuple):
    """Sort key of a version in its chain; the first field that differs decides.

    Attributes:
        kind: original, dated, labelled without any date: in this order.
        day: the amendment date in ISO 8601, ``""`` without one.
        events: (0, date) for each event with a date, (1, ``""``) for each with a name only.
        order: the order stated by the publisher, infinite without one.
        version: the version as text.
        name: the name of the expression as text.
    """

    kind: int
    day: str
    events: tuple[tuple[int, str], ...]
    order: float
    version: str
    name: str


def is_original(version: Version) -> bool:
    """Return whether the label of a version is the word for the original in any language."""
    label = version.specification
    return label is not None and label in load_table("original")["words"]


def make_translation_key(version: Version) -> Hashable:
    """Make the key that a version shares with its translations.

    The original is one version in all languages, whatever their words for it.
    """
    return version.date, is_original(version) or version.specification, version.events


def make_order_key(name: Name, version: Version, version_order: int | None) -> OrderKey:
    """Make the sort key of a version in its chain.

    The original comes first, then versions by amendment date. Versions of one date are sorted by
    their events, one by one: no event comes first, then dates by day, then names in no order. The
    first event date of a label counts as its amendment date; labels without any date come last.
    Where all this is equal, ``version_order`` decides, and finally the text.

    Args:
        name: the name of the expression.
        version: its version.
        version_order: the order stated by the publisher, or None.
    """
    days = [event.date.iso for event in version.events if event.date is not None]
    events = tuple(
        (_EVENT_NAME, "") if event.date is None else (_EVENT_DATE, event.date.iso)
        for event in version.events
    )
    if version.date is not None:
        kind, day = _DATED, version.date.iso  # ISO texts sort as days
    elif is_original(version):
        kind, day = _ORIGINAL, ""
    elif days:
        kind, day = _DATED, days[0]
    else:
        kind, day, events = _LABELLED, "", ()
    order = inf if version_order is None else version_order
    return OrderKey(kind, day, events, order, str(version), str(name))


class ForceBasis(StrEnum):
    """Source of the start or the end of a span of force; the values are terms of the ontology."""

    STATED = "BasisStated"
    EVENT_DATE = "BasisEventDate"
    AMENDMENT_DATE = "BasisAmendmentDate"
    ACT_DATE = "BasisActDate"
    PUBLISHED = "BasisPublished"
    NEXT_VERSION = "BasisNextVersion"

    @property
    def label(self) -> str:
        """Words for the source, as in "1949-05-23, the date of the act"."""
        return _BASIS_LABELS[self]


_BASIS_LABELS = {
    ForceBasis.STATED: "stated day",
    ForceBasis.EVENT_DATE: "event date",
    ForceBasis.AMENDMENT_DATE: "amendment date",
    ForceBasis.ACT_DATE: "date of the act",
    ForceBasis.PUBLISHED: "day of publication",
    ForceBasis.NEXT_VERSION: "start of the next version",
}


class ForceDay(NamedTuple):
    """First day of a span of force, or the first day after it, with its source."""

    day: dt.date
    basis: ForceBasis | None


_OPEN_START = ForceDay(dt.date.min, None)
"""Start before all days."""

Span = tuple[ForceDay | None, ForceDay | None]
"""The start and the ``until`` of a version, None where there is none."""

_NO_SPAN: Span = (None, None)


class StatedForce(NamedTuple):
    """Dates and state of force in the records of one act or version, under all its names.

    Attributes:
        in_force_from: the first day in force: stated, else that of the state in force.
        in_force_until: the first day no longer in force: stated, else that of a state that is not
            in force.
        published: the day of publication.
        version_order: the order of a version in its chain.
        withdrawn: whether all names are withdrawn.
        force: the state of force.
        force_on: the first day of that state.
        date: the date of the canonical act; a state of being in force without a day holds from it.
    """

    in_force_from: dt.date | None = None
    in_force_until: dt.date | None = None
    published: dt.date | None = None
    version_order: int | None = None
    withdrawn: bool = False
    force: LegalForce | None = None
    force_on: dt.date | None = None
    date: dt.date | None = None

    @property
    def has_statement(self) -> bool:
        """True if a day or a state of force is stated."""
        days_and_state = (self.in_force_from, self.in_force_until, self.force)
        return any(each is not None for each in days_and_state)

    @property
    def has_unknown_end(self) -> bool:
        """True if it is stated as not in force, but not since when."""
        is_over = self.force is not None and not self.force.is_in_force
        return is_over and self.in_force_until is None and self.force_on is None

    def find_state(self, day: dt.date) -> LegalForce | None:
        """Return the state of force that is stated for a day; None if only dates can tell.

        A state wins over dates, but one with a day only over earlier ones.
        """
        on = self.force_on
        if on is None:
            is_early = self.date is not None and day < self.date
            return None if is_early and self.force and self.force.is_in_force else self.force
        days = self.in_force_from, self.in_force_until
        is_over = any(each is not None and on < each <= day for each in days)
        return None if day < on or is_over else self.force


_NOTHING_STATED = StatedForce()


def read_stated_force(records: Iterable[Record]) -> StatedForce:
    """Read the dates and the state of force in records; the first one with a value decides."""
    start = until = published = order = force = on = canonical = date = None
    is_withdrawn = True
    for record in records:
        start = start or record.in_force_from
        until = until or record.in_force_until
        published = published or record.published
        order = record.version_order if order is None else order
        if force is None and record.force is not None:
            force, on = record.force, record.force_on
        is_withdrawn = is_withdrawn and record.status is Status.WITHDRAWN
        canonical = record.name if canonical is None and record.alias_of is None else canonical
    if force is not None and canonical is not None:
        dates = (each.day for each in canonical.work.details.dates)
        date = max(filter(None, dates), default=None)
    if on is not None:
        if force is LegalForce.IN_FORCE and start is None and (until is None or on < until):
            start = on
        is_over = force is not None and not force.is_in_force
        if is_over and until is None and (start is None or start <= on):
            until = on
    return StatedForce(start, until, published, order, is_withdrawn, force, on, date)


def find_start(
    version: Version, own: StatedForce, act: StatedForce, date_of_act: ForceDay | None
) -> ForceDay | None:
    """Find the first day in force: stated, else the last event date, else the amendment date.

    An original starts with the act, else at a publication, else on the date in the act's name. No
    other version starts before the act, unless its publisher states so. A version that is partly
    in force from a day may have started earlier, but not later. Return None if the day is unknown.

    Args:
        version: the version.
        own: the force that records state of it.
        act: the force that records state of its act.
        date_of_act: the day in the name of the act.
    """
    if own.in_force_from is not None:
        return ForceDay(own.in_force_from, ForceBasis.STATED)
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    named = None if last is None else last.day
    published = own.published or act.published
    start = date_of_act if published is None else ForceDay(published, ForceBasis.PUBLISHED)
    if named is not None and (act.in_force_from is None or act.in_force_from <= named):
        start = ForceDay(named, ForceBasis.EVENT_DATE if dates else ForceBasis.AMENDMENT_DATE)
    elif named is None and not is_original(version):
        start = None
    elif act.in_force_from is not None:
        start = ForceDay(act.in_force_from, ForceBasis.STATED)
    on = own.force_on
    if on is not None and own.force is LegalForce.PARTLY_IN_FORCE:
        has_ended = own.in_force_until is not None and own.in_force_until <= on
        if not has_ended and (start is None or on < start.day):
            return ForceDay(on, ForceBasis.STATED)
    return start


def compute_spans(
    starts: Sequence[ForceDay | None], forces: Sequence[StatedForce], act: StatedForce
) -> list[Span]:
    """Compute the spans of the versions of a chain, in its order; stated ones may overlap.

    A version without a stated end ends when the next dated one starts (RFC 9676 section 5.6). All
    end with the act at the latest. A version is never in force if that day is before its own start.
    One that is stated as not in force, without a day and without a later version, has no span.

    For example, four versions without stated ends, the third of them undated, in an act without an
    end, have these starts and spans: 2000, 2010, None, 2005 give (2000, 2010), (2010, 2010),
    (None, None), (2005, None). The second span is empty, since 2005 is before 2010.
    """
    spans: list[Span] = []
    last = act.in_force_until
    end = None if last is None else ForceDay(last, ForceBasis.STATED)
    following = end
    for start, force in zip(reversed(starts), reversed(forces), strict=True):
        if start is None:
            spans.append(_NO_SPAN)
            continue
        until = following
        stated = force.in_force_until
        if stated is not None and (end is None or stated < end.day):
            until = ForceDay(stated, ForceBasis.STATED)
        elif stated is not None and end is not None:
            until = ForceDay(max(end.day, start.day), end.basis)
        elif following is not None and following.day < start.day:
            until = ForceDay(start.day, following.basis)
        is_unknown = force.has_unknown_end or act.has_unknown_end
        spans.append(_NO_SPAN if until is None and is_unknown else (start, until))
        following = ForceDay(start.day, ForceBasis.NEXT_VERSION)
        if end is not None and end.day <= start.day:
            following = end
    return spans[::-1]


def separate_spans(spans: Sequence[Span]) -> list[Span]:
    """Shorten spans that overlap, so that each day has one version at most.

    The later version of the order has the day. A version that begins while a later one is in force
    has an empty span; another one ends where a later one begins, and does not return.
    """
    separate: list[Span] = []
    taken: list[tuple[dt.date, dt.date]] = []  # spans of the later versions, sorted
    for start, until in reversed(spans):
        if start is None:
            separate.append(_NO_SPAN)
            continue
        position = bisect_right(taken, start.day, key=itemgetter(0))
        end = dt.date.max if until is None else until.day
        later = None
        if position and taken[position - 1][1] > start.day:
            later = start.day
        elif position < len(taken) and taken[position][0] < end:
            later = taken[position][0]
        if later is None:
            separate.append((start, until))
        else:
            separate.append((start, ForceDay(later, ForceBasis.NEXT_VERSION)))
            end = later
        if start.day < end:
            taken.insert(position, (start.day, end))
    return separate[::-1]


_Change = tuple["dt.date", "ChainVersion | None"]
"""A day, and the version in force from that day on, None for no version."""


class ChainVersion(NamedTuple):
    """Version under all its names.

    Attributes:
        name: its name under the canonical work, else the smallest of its names.
        names: all its names, sorted.
        start: the first day in force; None if it is unknown or open.
        until: the first day no longer in force; None if the version has not ended. A version with
            an end but no start is in force before that day (an open start); without both days its
            force is unknown, and it is never current.
        start_basis: the source of ``start``, None without one.
        until_basis: the source of ``until``, None without one.
        stated_force: the force that records state of it.
        act_force: the force that records state of its act.
    """

    name: Name
    names: tuple[Name, ...]
    start: dt.date | None = None
    until: dt.date | None = None
    start_basis: ForceBasis | None = None
    until_basis: ForceBasis | None = None
    stated_force: StatedForce = _NOTHING_STATED
    act_force: StatedForce = _NOTHING_STATED

    @property
    def is_force_stated(self) -> bool:
        """True if a day or a state of force is stated for the version or its act.

        Without one, nothing is known of its force but the order of the versions.
        """
        return self.stated_force.has_statement or self.act_force.has_statement

    @property
    def is_dated(self) -> bool:
        """True if the first day in force or the first day after it is known."""
        return self.start is not None or self.until is not None

    @property
    def has_span(self) -> bool:
        """True if the version is in force for at least a day."""
        if self.start is None or self.until is None:
            return self.is_dated
        return self.start < self.until


class Current(NamedTuple):
    """Version in force on a day.

    Attributes:
        version: the name of the version; None if none is in force (not yet, or no longer).
        since: the first day on which this holds, None if it holds from the beginning.
    """

    version: Name | None
    since: dt.date | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Versions of one work in one language, without those whose names are withdrawn.

    Attributes:
        work: the canonical work (an act or an annex).
        language: the language tag that all names share, or None.
        versions: the versions in their order, at least one.
    """

    work: Name
    language: str | None = None
    versions: tuple[ChainVersion, ...]
    _changes: tuple[_Change, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # The days on which the version in force changes, each with the new version.
        changes: list[_Change] = []
        until: dt.date | None = None
        spans = [(each.start or dt.date.min, each) for each in self.versions if each.has_span]
        for start, version in sorted(spans, key=itemgetter(0)):
            if until is not None and until < start:
                changes.append((until, None))
            changes.append((start, version))
            until = version.until
        if until is not None:
            changes.append((until, None))
        object.__setattr__(self, "_changes", tuple(changes))

    @property
    def first(self) -> ChainVersion | None:
        """Original (RFC 9676 section 7.1.1); None if the earliest known version is a later one."""
        expressions = (name.expression for name in self.earliest.names)
        is_first = any(each is not None and is_original(each.version) for each in expressions)
        return self.earliest if is_first else None

    @property
    def earliest(self) -> ChainVersion:
        """First known version of the order."""
        return self.versions[0]

    @property
    def last(self) -> ChainVersion:
        """Last version of the order, in force or not."""
        return self.versions[-1]

    @property
    def begin(self) -> dt.date | None:
        """First day on which a version is in force; None if there is none, or it is unknown."""
        return self._changes[0][0] if self._changes else None

    def find_gap(self, start: dt.date) -> tuple[dt.date, dt.date | None] | None:
        """Return the time from a day on in which no version is in force; None if one is.

        These are its first day and the first day after it, None if it has no end.
        """
        count = bisect_right(self._changes, start, key=itemgetter(0))
        if not count or self._changes[count - 1] != (start, None):
            return None
        return start, self._changes[count][0] if count < len(self._changes) else None

    def find_force(self, version: ChainVersion, day: dt.date) -> LegalForce | None:
        """Return the state of force of a version on a day; None where it is not known.

        A state that is stated for the version, or for its act, wins over days of force. It is known
        only where a record states a day or a state of force for the version or its act.
        """
        own, act = version.stated_force.find_state(day), version.act_force.find_state(day)
        if own is not None or (act is not None and not act.is_in_force):
            return own or act
        if not version.is_dated or not version.is_force_stated:
            return None
        is_current = self.current(day).version == version.name
        return act or LegalForce.IN_FORCE if is_current else LegalForce.NOT_IN_FORCE

    def current(self, as_of: dt.date) -> Current:
        """Return the version in force on a day; of several, the last in the order of the chain.

        ``since`` is the last day up to ``as_of`` on which the version changed: the answer is the
        same for each day from ``since`` to the next change, and a cache can use ``since`` as key.

        For example, A is in force from 2000 until 2005, and B from 2005 until 2010. The answer is
        (None, None) in 1999, (A, 2000) in 2004, (B, 2005) in 2005, and (None, 2010) in 2012.
        """
        count = bisect_right(self._changes, as_of, key=itemgetter(0))
        if count == 0:
            return Current(version=None, since=None)
        since, version = self._changes[count - 1]
        if version is None:
            return Current(version=None, since=since)
        return Current(version=version.name, since=version.start)


_COLUMN_NAMES = {"in_force_from": "dates of force", "in_force_until": "ends of force"}
_COLUMN_NAMES |= {"published": "days of publication", "version_order": "orders"}


class _VersionEntry(NamedTuple):
    """Version that is being put into a chain."""

    name: Name
    names: tuple[Name, ...]
    version: Version
    stated_force: StatedForce
    key: OrderKey


def build_chains(
    records: Mapping[Name, Record], equality: EqualNames
) -> tuple[tuple[Chain, ...], tuple[Finding, ...]]:
    """Build the chains of a family, by work and language, with the findings about them.

    Args:
        records: the records of the family by name, complete and sorted.
        equality: the names among them that are equal, each set with its target.
    """
    entries: dict[tuple[Name, str], list[_VersionEntry]] = defaultdict(list)
    for name in records:
        expression = name.expression if name.level is Level.EXPRESSION else None
        if expression is None or name.partition is not None:
            continue
        if equality.target(name) == name:
            equals, version = equality.equals(name), expression.version
            force = read_stated_force([records[equal] for equal in equals])
            if force.withdrawn:
                continue
            key = make_order_key(name, version, force.version_order)
            entry = _VersionEntry(name, tuple(sorted(equals, key=str)), version, force, key)
            work = records[equality.target(name.work_name)].name
            entries[work, expression.language or ""].append(entry)
    chains: list[Chain] = []
    findings: list[Finding] = []
    for (work, language), versions in sorted(
        entries.items(), key=lambda entry: (str(entry[0][0]), entry[0][1])
    ):
        versions.sort(key=attrgetter("key"))
        # An annex is part of its act (RFC 9676 section 6.4.1), so the act supplies missing dates.
        works = (work, *work.ancestors())
        act = read_stated_force(records[name] for each in works for name in equality.equals(each))
        date_of_act = None if work.work.details.dates else _OPEN_START
        days = [date.day for date in work.work.details.dates if date.day is not None]
        if days:  # the act is complete on the last
            date_of_act = ForceDay(max(days), ForceBasis.ACT_DATE)
        forces = [entry.stated_force for entry in versions]
        starts = [
            find_start(entry.version, force, act, date_of_act)
            for entry, force in zip(versions, forces, strict=True)
        ]
        spans = compute_spans(starts, forces, act)
        findings.extend(_check_spans(versions, spans))
        end = act.in_force_until
        findings += [
            make_finding("LX616", entry.name, start.day, end, names=(str(entry.name),))
            for entry, start in zip(versions, starts, strict=True)
            if end is not None and start is not None and start.day > end
        ]
        chain = Chain(
            work=work,
            language=language or None,
            versions=tuple(
                _make_version(entry, act, span)
                for entry, span in zip(versions, separate_spans(spans), strict=True)
            ),
        )
        chains.append(chain)
    return tuple(chains), tuple(findings)


def _make_version(entry: _VersionEntry, act: StatedForce, span: Span) -> ChainVersion:
    start, until = span
    if start is _OPEN_START:
        start, until = None, None if until is None or until.day == dt.date.min else until
    return ChainVersion(
        name=entry.name,
        names=entry.names,
        start=start.day if start else None,
        until=until.day if until else None,
        start_basis=start.basis if start else None,
        until_basis=until.basis if until else None,
        stated_force=entry.stated_force,
        act_force=act,
    )


def _check_spans(entries: Sequence[_VersionEntry], spans: Sequence[Span]) -> Iterator[Finding]:
    """Report versions in force at the same time, two originals, and spans that end too early."""
    in_force = [
        (start.day, index, dt.date.max if until is None else until.day)
        for index, (start, until) in enumerate(spans)
        if start is not None and (until is None or start.day < until.day)
    ]
    longest: tuple[dt.date, int, dt.date] | None = None  # so far the one that ends last
    for each in sorted(in_force):
        if longest is not None and longest[2] > each[0]:
            pair = sorted((longest, each), key=itemgetter(1))
            names = tuple(str(entries[index].name) for _, index, _ in pair)
            starts = ["" if day == dt.date.min else f"from {day}" for day, _, _ in pair]
            ends = ["" if day == dt.date.max else f"until {day}" for _, _, day in pair]
            texts = [f"{start} {end}".strip() for start, end in zip(starts, ends, strict=True)]
            yield make_finding("LX611", names[0], texts[0], names[1], texts[1], names=names)
        if longest is None or longest[2] <= each[2]:
            longest = each
    originals = [e.name for e in entries if not e.version.events and is_original(e.version)]
    if len(originals) > 1:
        names = tuple(map(str, originals))
        yield make_finding("LX613", len(names), ", ".join(names), names=names)
    for entry in entries:
        start, until = entry.stated_force.in_force_from, entry.stated_force.in_force_until
        if start is not None and until is not None and until <= start:
            yield make_finding("LX614", entry.name, until, start, names=(str(entry.name),))


def find_contradictions(records: Mapping[Name, Record], equality: EqualNames) -> Iterator[Finding]:
    """Report equal names that state different dates of force."""
    for target in equality.members:
        equals = equality.equals(target)
        for column, plain in _COLUMN_NAMES.items():
            values = {name: getattr(records[name], column) for name in equals}
            stating = tuple(name for name, value in values.items() if value is not None)
            if len({values[name] for name in stating}) > 1:
                texts = ", ".join(f"{name} {values[name]}" for name in stating)
                names = tuple(map(str, stating))
                yield make_finding("LX612", plain, texts, column, names=names)


def today() -> dt.date:
    """Return the present day in UTC, which is the same all over the world."""
    return dt.datetime.now(tz=dt.UTC).date()


def read_day(day: dt.date | str | None) -> dt.date:
    """Return a day that is given as a date or in ISO 8601; today where it is None.

    >>> read_day("2021-01-31")
    datetime.date(2021, 1, 31)

    Raises:
        DateError: the text is not a date.
    """
    if not isinstance(day, str):
        return today() if day is None else day
    try:
        return dt.date.fromisoformat(day)
    except ValueError:
        raise DateError(f"{day!r} is not a date. Write YYYY-MM-DD.") from None
