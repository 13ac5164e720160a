"""Force of acts and versions: sentences, each true until the law changes, and a timeline.

The timeline is an ordered list of versions, newest first, and a band of their spans.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from lexurn.labels import describe_version
from lexurn.model import ForceBasis, LegalForce, is_original
from lexurn.name import Level
from lexurn.pages.text import PageText, make_title
from lexurn.pages.view import find_last_day

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.model import Chain, ChainVersion
    from lexurn.name import Name
    from lexurn.pages.text import Words
    from lexurn.pages.view import FamilyView, VersionPosition

# --- sentences ------------------------------------------------------------------------

_BASIS_KEYS = {
    ForceBasis.STATED: "basis.stated",
    ForceBasis.EVENT_DATE: "basis.event-date",
    ForceBasis.AMENDMENT_DATE: "basis.amendment-date",
    ForceBasis.ACT_DATE: "basis.act-date",
    ForceBasis.PUBLISHED: "basis.published",
    ForceBasis.NEXT_VERSION: "basis.next-version",
}


def describe_version_force(view: FamilyView, position: VersionPosition, words: Words) -> str:
    """Return whether a version is in force, in a sentence that stays true until that changes."""
    state = _describe_state(view, position, words)
    if state is not None:
        return state
    version, is_stated = position.version, position.version.is_force_stated
    if not version.is_dated:
        return f"{words('force.unknown')}."
    start, until = describe_start(version, words), version.until
    if version.start is not None and not version.has_span:
        versions = position.chain.versions
        following = versions[versions.index(version) + 1 :]
        is_replaced = any(each.start == version.start for each in following)
        key = "force.replaced-first-day" if is_replaced else "force.never"
        return f"{words(key, day=words.day(version.start))}."
    if version.start is not None and version.start > view.as_of:
        key, day = "force.not-yet" if is_stated else "force.later", start
    elif until is not None and until <= view.as_of:
        key, day = "force.ended" if is_stated else "force.replaced", words.day(until)
    elif is_stated:
        key, day = "force.in-force-since", start
    elif until is not None:
        return f"{words('force.span', day=start, until=words.day(until))}."
    else:
        return f"{words('force.latest-known', day=start)}. {words('force.not-known')}."
    return f"{words(key, day=day)}."


def describe_work_force(view: FamilyView, chain: Chain, words: Words) -> str:
    """Return since when a work and its current version are in force, by one chain.

    The first day of the work is the one that is stated.
    """
    current, act = chain.current(view.as_of), chain.last.act_force
    position = None if current.version is None else view.position(current.version)
    if position is not None:
        version = position.version
        force, start = chain.find_force(version, view.as_of), describe_start(version, words)
        if force is None:
            text = words("force.latest-known", day=start)
            named = describe_version(version.name, words.language)
            return f"{words('force.of-version', state=text, version=named)}."
        since = act.in_force_from if force is LegalForce.IN_FORCE else act.force_on
        since = since if act.force in {None, force} else None
        text = f"{describe_state(force, since, words)}."
        if force.is_in_force and version.start not in {None, since}:
            text = f"{text} {words('force.current-since', day=start)}."
        return text
    state = act.find_state(view.as_of)
    if state is not None and not state.is_in_force:
        return f"{describe_state(state, act.in_force_until, words)}."
    if current.since is not None:
        key = "force.ended" if act.in_force_until == current.since else "force.none-since"
        return f"{words(key, day=words.day(current.since))}."
    if chain.begin is None:
        return f"{words('force.unknown-version')}."
    key = "force.first-starts" if chain.first is not None else "force.first-known-starts"
    return f"{words(key, day=words.day(chain.begin))}."


def describe_act_force(view: FamilyView, name: Name, words: Words) -> str | None:
    """Return whether an act without versions is in force; None where that is not known."""
    force = view.find_force(name)
    if force is None:
        return None
    start, until = view.find_stated_force(name)
    if start is not None and start > view.as_of:
        return f"{words('force.not-yet', day=words.day(start))}."
    record = view.record(name)
    since = record.force_on if record.force is force else None
    if since is None:
        since = start if force.is_in_force else until
    return f"{describe_state(force, since, words)}."


def describe_state(state: LegalForce, since: dt.date | None, words: Words) -> str:
    """Return a state of force in words, with its first day if that is known."""
    if since is None:
        return words(f"force.{state.value}")
    return words(f"force.{state.value}-since", day=words.day(since))


def describe_start(version: ChainVersion, words: Words) -> str:
    """Return the first day in force, and its source if that is not a statement."""
    if version.start is None or version.start_basis is None:
        return words("force.day-unknown")
    day, basis = words.day(version.start), version.start_basis
    if basis is ForceBasis.STATED:
        return day
    key = "force.inferred" if version.is_force_stated else "force.inferred-only"
    return words(key, day=day, basis=words(_BASIS_KEYS[basis]))


def _describe_state(view: FamilyView, position: VersionPosition, words: Words) -> str | None:
    """Return the state of force that is stated for a version; None where its days say the same.

    The state of the act counts for the version in force, and for one whose end is not known.
    """
    chain, version, day = position.chain, position.version, view.as_of
    is_current = chain.current(day).version == version.name
    force = version.stated_force
    if force.find_state(day) is None and (is_current or version.until is None):
        force = version.act_force
    state, on = force.find_state(day), force.force_on
    is_of_act = force is version.act_force
    if state is None or (state is LegalForce.IN_FORCE and (is_current or is_of_act)):
        return None
    if on is None and is_current and state.is_in_force:
        return f"{words(f'force.{state.value}-since', day=describe_start(version, words))}."
    return f"{describe_state(state, on, words)}."


# --- the timeline ---------------------------------------------------------------------

_MAX_NEIGHBOURS = 10
"""Number of versions listed before a version, and after it; a work lists all of its versions."""
_MAX_SPANS = 60
"""Number of versions whose spans are drawn one by one; of more, the versions of each decade."""
BAND_WIDTH, BAND_HEIGHT = 1_000, 28
"""Size of a band, in the units of its drawing."""
_MIN_TICK_GAP = 70
_TICK_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_TICK_MARGIN = 20
_DAYS_IN_YEAR = 365.25


class TimelineEntry(NamedTuple):
    """Version in a timeline, or a time without a known version.

    Attributes:
        text: its span in words, else its title if a label identifies it, else the version in words.
        start: the first day of its span in ISO 8601; empty without one.
        until: the first day after its span in ISO 8601; empty where it has not ended.
        name: the version; None for a time without one.
        is_current: whether it is the version in force, else the latest known.
        mark: its state of force in words if it is the current version, or not yet in force.
        tone: ``now`` of a version in force, ``off`` of a current one that is not, else empty.
        is_here: whether the page is about it.
        is_original: whether it is the original text.
        amending: the acts that made it.
        formats: its files.
    """

    text: PageText
    start: str
    until: str
    name: Name | None = None
    is_current: bool = False
    mark: str = ""
    tone: str = ""
    is_here: bool = False
    is_original: bool = False
    amending: tuple[Name, ...] = ()
    formats: tuple[Name, ...] = ()


class Band(NamedTuple):
    """Drawing of the spans over the years; of many versions, of their number in each decade.

    Attributes:
        paths: the path of the shapes of each class: ``tick``, ``a``, ``b``, ``now``, ``dot``.
        years: the years below it, with their horizontal positions.
    """

    paths: Mapping[str, str]
    years: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """Versions of an act in one language.

    Attributes:
        language: the language tag; empty where the versions have none.
        entries: the versions, newest first.
        more: the number of versions that are not listed.
        total: the number of versions.
        band: the drawing; None where there is nothing to draw.
    """

    language: str
    entries: tuple[TimelineEntry, ...]
    more: int
    total: int
    band: Band | None


def make_timeline(
    view: FamilyView, chain: Chain, words: Words, position: VersionPosition | None = None
) -> Timeline:
    """Make the timeline of a chain: whole, or the neighbours of a version.

    Args:
        view: the view of the family.
        chain: the chain.
        words: the words of the page.
        position: the position of the version that the page is about.
    """
    versions: Sequence[ChainVersion] = chain.versions
    if position is not None:
        first = max(position.number - _MAX_NEIGHBOURS, 0)
        versions = versions[first : position.number + _MAX_NEIGHBOURS + 1]
    here = None if position is None else position.version.name
    key = chain.work, chain.language
    if key not in view.bands:
        view.bands[key] = _draw_band(view, chain)
    return Timeline(
        language=chain.language or "",
        entries=tuple(_list_entries(view, chain, versions, here, words)),
        more=len(chain.versions) - len(versions),
        total=len(chain.versions),
        band=view.bands[key],
    )


def _list_entries(
    view: FamilyView,
    chain: Chain,
    versions: Sequence[ChainVersion],
    here: Name | None,
    words: Words,
) -> Iterator[TimelineEntry]:
    ends: set[dt.date] = set()
    current = chain.current(view.as_of).version
    for version in reversed(versions):
        if version.until is not None and version.until not in ends:
            ends.add(version.until)
            gap = chain.find_gap(version.until)
            if gap is not None:
                yield _make_gap(chain, *gap, words)
        mark = tone = ""
        if version.name == current:
            force = chain.find_force(version, view.as_of)
            mark = words("version.latest-known" if force is None else f"force.{force.value}")
            if force is not None:
                tone = "now" if force.is_in_force else "off"
        elif version.start is not None and version.has_span and version.start > view.as_of:
            mark = words("version.not-yet")
        records = [view.record(each) for each in version.names]
        is_by_title = not version.has_span and is_labelled_version(version.name)
        titles = view.own_titles(version.name) if is_by_title else ()
        yield TimelineEntry(
            text=make_title(titles[0]) if titles else PageText(describe_span(version, words)),
            start=_write_day(version.start) if version.has_span else "",
            until=_write_day(version.until) if version.has_span else "",
            name=version.name,
            is_current=version.name == current,
            mark=mark,
            tone=tone,
            is_here=version.name == here,
            is_original=any(
                each.expression is not None and is_original(each.expression.version)
                for each in version.names
            ),
            amending=tuple(dict.fromkeys(each for one in records for each in one.amended_by)),
            formats=view.formats(version.name),
        )
    act, begin = chain.last.act_force.in_force_from, chain.begin
    is_earliest = chain.earliest in versions and chain.first is None
    if is_earliest and act is not None and begin is not None and act < begin:
        yield _make_gap(chain, act, begin, words)


def _make_gap(chain: Chain, start: dt.date, until: dt.date | None, words: Words) -> TimelineEntry:
    """Make the entry for a time in which no version is known; after the last, it has no end."""
    last = find_last_day(until)
    if last is not None:
        text = words("version.gap", start=words.day(start), last=words.day(last))
    else:
        is_end = chain.last.act_force.in_force_until == start
        text = words("version.ended" if is_end else "version.unknown", start=words.day(start))
    return TimelineEntry(PageText(text), _write_day(start), _write_day(until))


def _write_day(day: dt.date | None) -> str:
    return "" if day is None else day.isoformat()


def is_labelled_version(name: Name) -> bool:
    """Return whether a label identifies a version, such as that of a bill, and no date."""
    if name.level is not Level.EXPRESSION or name.expression is None:
        return False
    version = name.expression.version
    return name.partition is None and version.date is None and not is_original(version)


def describe_span(version: ChainVersion, words: Words) -> str:
    """Describe the span of a version, else its version in words."""
    start, last = version.start, find_last_day(version.until)
    if version.has_span and start is not None:
        if last is None:
            return words("version.from", start=words.day(start))
        key = "version.only" if last == start else "version.from-to"
        return words(key, start=words.day(start), last=words.day(last))
    if version.has_span and last is not None:
        return words("version.until", last=words.day(last))
    text = describe_version(version.name, words.language)
    return text[:1].upper() + text[1:]


# --- the band -------------------------------------------------------------------------


def _draw_band(view: FamilyView, chain: Chain) -> Band | None:
    """Draw the spans of a chain; None where fewer than two of them have a start."""
    spans = [(each.start, each) for each in chain.versions if each.start and each.has_span]
    if len(spans) <= 1:
        return None
    starts = [start for start, _ in spans]
    low = min(starts)
    high = max(starts + [each.until for _, each in spans if each.until])
    # An open span is drawn on by a twelfth: no page depends on the day on which it is made.
    total = (high - low).days * 13 // 12 + 1

    def locate(day: dt.date) -> int:
        return (day - low).days * BAND_WIDTH // total

    span = total / _DAYS_IN_YEAR
    fitting = (each for each in _TICK_STEPS if BAND_WIDTH * each / span >= _MIN_TICK_GAP)
    step = next(fitting, _TICK_STEPS[-1])
    first = low.year - low.year % step + step
    ticks = range(first, min(low.year + int(span), dt.MAXYEAR) + 1, step)
    placed = ((locate(dt.date(year, 1, 1)), year) for year in ticks)
    years = tuple(each for each in placed if _TICK_MARGIN <= each[0] <= BAND_WIDTH - _TICK_MARGIN)
    paths = {"tick": "".join(f"M{x} 0v42" for x, _ in years)}
    if len(spans) > _MAX_SPANS:
        counts = Counter(start.year // 10 * 10 for start in starts)
        highest = max(counts.values())
        paths["a"] = ""
        for decade, count in sorted(counts.items()):
            left = max(locate(dt.date(max(decade, 1), 1, 1)), 0)
            right = min(locate(dt.date(min(decade + 10, dt.MAXYEAR), 1, 1)), BAND_WIDTH)
            height = max(BAND_HEIGHT * count // highest, 1)
            paths["a"] += f"M{left} 36H{max(right - 2, left + 1)}v-{height}H{left}z"
        return Band(paths, years)
    current = chain.current(view.as_of).version
    for index, (start, version) in enumerate(sorted(spans, key=itemgetter(0))):
        left = locate(start)
        right = BAND_WIDTH if version.until is None else locate(version.until)
        kind = "now" if version.name == current else "ab"[index % 2]
        path = f"M{left} 8H{max(right, left + 2)}v{BAND_HEIGHT}H{left}z"
        paths[kind] = paths.get(kind, "") + path
    paths["dot"] = "".join(f"M{locate(start)} 22h0" for start in starts)
    return Band(paths, years)
