"""Family of a name as the resolver sees it, and the version in force on a day (RFC 9676 10.3).

The resolver trusts no catalogue to be tidy: a family of lexurn's own has aliases of one step, one
from a server may have chains and circles. Where no version is in force, the reason is given.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lexurn.model import Status, is_original
from lexurn.name import Level, check
from lexurn.resolver.answer import Edition, make_reason

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.model import Chain, ChainVersion, Family, Record
    from lexurn.name import Name, Version
    from lexurn.resolver.answer import Reason

    Span = tuple[dt.date | None, dt.date | None]


def replace_act(act: Name | str, name: Name) -> Name | None:
    """The same thing under another act, or another name of its act; None where that is no name."""
    return check(f"{act}{str(name)[len(str(name.act_name)) :]}").name


def is_withdrawn(record: Record | None) -> bool:
    """Whether a name is withdrawn."""
    return record is not None and record.status is Status.WITHDRAWN


class FamilyView:
    """A family with what its aliases lead to."""

    def __init__(self, family: Family) -> None:
        """Take a family over; aliases are followed when they are asked for."""
        self.family = family

    @cached_property
    def _ends(self) -> Mapping[Name, Name]:
        """For each alias the name at the end of its chain; of a circle the first of its names."""
        aliases = self.family.aliases
        if not any(target in aliases for target in aliases.values()):
            return aliases
        return _follow_aliases(aliases)

    @cached_property
    def circles(self) -> frozenset[Name]:
        """The names that their own aliases lead back to."""
        return frozenset(name for name, end in self._ends.items() if name == end)

    def canonical(self, name: Name) -> Name:
        """The name that ``name`` is an alias of, at the end of all aliases; else ``name``."""
        if not self.family.aliases:
            return name
        return self._ends.get(name) or self.family.computed_aliases.get(name, name)

    @cached_property
    def _equals(self) -> Mapping[Name, tuple[Name, ...]]:
        groups: dict[Name, list[Name]] = {}
        for record in self.family.records:
            groups.setdefault(self.canonical(record.name), []).append(record.name)
        return {target: tuple(names) for target, names in groups.items() if len(names) > 1}

    def equals(self, name: Name) -> tuple[Name, ...]:
        """All names of a thing that the family has records of, sorted; at least ``name``."""
        if not self.family.aliases:
            return (name,)
        return self._equals.get(self.canonical(name), (name,))

    def record(self, name: Name) -> Record | None:
        """The record of a name, None where the family has none."""
        return self.family.record(name)

    @cached_property
    def _withdrawn(self) -> frozenset[Name]:
        return frozenset(each.name for each in self.family.records if is_withdrawn(each))

    def is_gone(self, name: Name) -> bool:
        """Whether a name is withdrawn; of one that is not held, what it lies below (RFC 9676 9.4).

        Each name that is held stands for itself, whatever became of those above it.
        """
        if not self._withdrawn:
            return False
        return self.nearest((name, *name.ancestors())) in self._withdrawn

    def nearest(self, names: Iterable[Name]) -> Name | None:
        """The first of some names that the family has a record of."""
        return next((each for each in names if self.record(each) is not None), None)

    def below(self, names: Iterable[Name]) -> Iterator[Name]:
        """The names straight under any of some names."""
        for name in names:
            yield from self.family.children(name)

    def has_parts(self, names: Iterable[Name]) -> bool:
        """Whether the family has partitions of any of some names that are not withdrawn."""
        parts = (each for each in self.below(names) if each.partition is not None)
        return not all(map(self.is_gone, parts))

    def annexes(self, works: Iterable[Name]) -> Iterator[Name]:
        """The annexes straight under some works."""
        return (each for each in self.below(works) if _is_whole(each, Level.WORK))

    def manifestations(self, names: Iterable[Name]) -> Iterator[Name]:
        """The manifestations straight under some versions or works."""
        return (each for each in self.below(names) if _is_whole(each, Level.MANIFESTATION))


def _is_whole(name: Name, level: Level) -> bool:
    return name.partition is None and name.level is level


def _follow_aliases(aliases: Mapping[Name, Name]) -> dict[Name, Name]:
    """Where aliases lead, each followed once however long the chains are."""
    ends: dict[Name, Name] = {}
    for start in aliases:
        way: dict[Name, None] = {}
        name = start
        while name in aliases and name not in ends and name not in way:
            way[name] = None
            name = aliases[name]
        end = ends.get(name, name)
        if name in way:
            end = min([*way][[*way].index(name) :], key=str)
        ends.update(dict.fromkeys(way, end))
    return ends


class _WithdrawnVersion(NamedTuple):
    """A version that is withdrawn, with the day from which on it would be in force."""

    start: dt.date
    name: Name


def make_edition(kin: FamilyView, chain: Chain, version: ChainVersion, day: dt.date) -> Edition:
    """A version as it stands on a day."""
    is_known = version.start is not None or is_version_withdrawn(kin, version)
    return Edition(
        name=version.name,
        language=chain.language,
        start=version.start,
        until=version.until,
        in_force=chain.current(day).version == version.name if is_known else None,
    )


def choose_edition(
    kin: FamilyView, chain: Chain, day: dt.date, *, is_day_asked: bool
) -> tuple[Edition | None, Reason | None]:
    """The version in force on a day; where there is none, why, and what is given in its place.

    Where a day was asked for, nothing stands for what was not in force on it, but for a text that
    is withdrawn the one before it. Where none was, the most recent text is wanted, in force or not.
    """
    name = chain.current(day).version
    if name is not None:
        version = next(each for each in chain.versions if each.name == name)
        return make_edition(kin, chain, version, day), None
    held = _list_held(kin, chain)
    if not held:
        return None, make_reason("LX952", _explain_all_withdrawn(kin, chain))
    begun = [each for each in held if each.start is not None and each.start <= day]
    known = any(each.start is not None for each in held)
    why = _explain_none(kin, chain, held, day)
    if begun and _is_cut_off(kin, chain, begun[-1], day):
        told = f"{why}; {begun[-1].name}, before it, is given"
        return make_edition(kin, chain, begun[-1], day), make_reason("LX952", told)
    if known and is_day_asked:
        language = _format_language(kin, chain) if _is_elsewhere(kin, chain, day) else ""
        return None, make_reason("LX952", f"{why}; no version{language} is given")
    version = begun[-1] if begun else held[0] if known else held[-1]
    told = f"{why}; {version.name} is given"
    return make_edition(kin, chain, version, day), make_reason("LX952", told)


def _is_cut_off(kin: FamilyView, chain: Chain, version: ChainVersion, day: dt.date) -> bool:
    """Whether the last version that began by a day ended with one that is withdrawn, and no more.

    What it states itself, or what its work does, is no matter of another version.
    """
    if _find_withdrawn(kin, chain, day) is None or _explain_not_in_force(
        _find_force(kin, chain.work), day
    ):
        return False
    return all(each.in_force_until is None for each in _list_records(kin, version.names))


def is_version_withdrawn(kin: FamilyView, version: ChainVersion) -> bool:
    """Whether a version is withdrawn under all its names."""
    return all(map(kin.is_gone, version.names))


def _list_held(kin: FamilyView, chain: Chain) -> list[ChainVersion]:
    return [each for each in chain.versions if not is_version_withdrawn(kin, each)]


def _list_other_chains(kin: FamilyView, chain: Chain) -> list[Chain]:
    """The versions of the same work in other languages."""
    return [each for each in kin.family.chains if each.work == chain.work and each is not chain]


def _format_language(kin: FamilyView, chain: Chain) -> str:
    """Of which language is spoken, where the work has several."""
    if not _list_other_chains(kin, chain):
        return ""
    return " without a language" if chain.language is None else f' in "{chain.language}"'


def _explain_all_withdrawn(kin: FamilyView, chain: Chain) -> str:
    return f"all versions of {chain.work}{_format_language(kin, chain)} are withdrawn"


def _explain_withdrawn(gone: _WithdrawnVersion, day: dt.date) -> str:
    return f"the version of {day} is withdrawn: {gone.name}, from {gone.start} on"


def _find_withdrawn(kin: FamilyView, chain: Chain, day: dt.date) -> _WithdrawnVersion | None:
    """The version that would be in force on a day, were it not withdrawn (section 9.4)."""
    gone = [each for each in chain.versions if is_version_withdrawn(kin, each)]
    if not gone:
        return None
    begun = [
        (each.start, place)
        for place, each in enumerate(chain.versions)
        if each.start is not None and each.start <= day
    ]
    found = [
        _WithdrawnVersion(start, each.name)
        for place, each in enumerate(chain.versions)
        if each in gone
        and (start := _find_start(kin, chain, each)) is not None
        and start <= day
        and all((start, place) > other for other in begun)
        and not _has_ended(kin, each, day)
    ]
    return max(found, default=None, key=lambda each: (each.start, str(each.name)))


def _find_start(kin: FamilyView, chain: Chain, version: ChainVersion) -> dt.date | None:
    """From which day on a withdrawn version would be in force: as stated, else as it is named."""
    stated = [each.in_force_from for each in _list_records(kin, version.names)]
    named = (each.expression.version for each in version.names if each.expression is not None)
    force = _find_force(kin, chain.work)[0]
    return next(
        (
            day
            for day in (*stated, *(_find_first_day(each, chain.work, force) for each in named))
            if day
        ),
        None,
    )


def _find_first_day(version: Version, work: Name, force: dt.date | None) -> dt.date | None:
    """The first day that a version names; of an original that of its work (section 7.1.2)."""
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    if last is not None and last.day is not None:
        return last.day if force is None else max(last.day, force)
    if last is not None or not is_original(version):
        return None
    days = (date.day for date in work.work.details.dates)
    return force or max((day for day in days if day is not None), default=None)


def _has_ended(kin: FamilyView, version: ChainVersion, day: dt.date) -> bool:
    ends = (each.in_force_until for each in _list_records(kin, version.names))
    return any(end is not None and end <= day for end in ends)


def _list_records(kin: FamilyView, names: Sequence[Name]) -> Iterator[Record]:
    return (record for name in names if (record := kin.record(name)) is not None)


def _find_force(kin: FamilyView, work: Name) -> Span:
    """The first day on which a work is in force and the first on which it is no more, as stated.

    What an annex does not state, what it belongs to does (section 6.4.1).
    """
    levels = [kin.equals(kin.canonical(each)) for each in (work, *work.ancestors())]
    records = [record for names in levels for record in _list_records(kin, names)]
    starts = (record.in_force_from for record in records)
    ends = (record.in_force_until for record in records)
    return next(filter(None, starts), None), next(filter(None, ends), None)


def explain_force(kin: FamilyView, work: Name, day: dt.date) -> Reason | None:
    """That a work of which no versions are known is not in force on a day, where it states so."""
    why = _explain_not_in_force(_find_force(kin, work), day)
    return None if why is None else make_reason("LX952", f"{why}; what is held of it is given")


def _explain_not_in_force(force: Span, day: dt.date) -> str | None:
    start, until = force
    if until is not None and until <= day:
        return f"no longer in force on {day}: it ended on {until}"
    if start is not None and day < start:
        return f"not yet in force on {day}: it comes into force on {start}"
    return None


def _explain_none(kin: FamilyView, chain: Chain, held: Sequence[ChainVersion], day: dt.date) -> str:
    """Why no version is in force: the work is not, or none of that day is held."""
    if all(each.start is None for each in held):
        return "nothing says when its versions are in force"
    why = _explain_not_in_force(_find_force(kin, chain.work), day)
    if why is not None:
        return why
    gone = _find_withdrawn(kin, chain, day)
    if gone is not None:
        return _explain_withdrawn(gone, day)
    if _is_elsewhere(kin, chain, day):
        return _explain_language(held, day, _format_language(kin, chain))
    return _explain_work(held, day, _find_force(kin, chain.work)[0])


def _is_elsewhere(kin: FamilyView, chain: Chain, day: dt.date) -> bool:
    """Whether a work has a text in force in another language, though that may be withdrawn."""
    return any(
        other.current(day).version is not None or _find_withdrawn(kin, other, day) is not None
        for other in _list_other_chains(kin, chain)
    )


def _explain_language(held: Sequence[ChainVersion], day: dt.date, language: str) -> str:
    """Why no version in a language is in force, though the work is."""
    later, ends = _list_later_starts(held, day), _list_ends(held, day)
    more = f": the next is in force from {min(later)}" if later else ""
    if not later and ends:
        more = f": the last ended on {max(ends)}"
    return f"no version of {day}{language} is held{more}"


def _explain_work(held: Sequence[ChainVersion], day: dt.date, force: dt.date | None) -> str:
    """Why no version is in force where nothing else of the work is."""
    later, ends = _list_later_starts(held, day), _list_ends(held, day)
    if not later:
        ended = f": it ended on {max(ends)}" if ends else ""
        return f"no longer in force on {day}{ended}"
    starts = [each.start for each in held if each.start is not None]
    if len(later) < len(starts) or force is not None or not _is_first(held, min(starts)):
        return f"no version of {day} is held: the next is in force from {min(later)}"
    return f"not yet in force on {day}: it comes into force on {min(starts)}"


def _list_later_starts(held: Sequence[ChainVersion], day: dt.date) -> list[dt.date]:
    return [each.start for each in held if each.start is not None and each.start > day]


def _list_ends(held: Sequence[ChainVersion], day: dt.date) -> list[dt.date]:
    """When the versions that began by a day ended."""
    begun = [each for each in held if each.start is not None and each.start <= day]
    return [each.until for each in begun if each.until is not None and each.until <= day]


def _is_first(held: Sequence[ChainVersion], start: dt.date) -> bool:
    """Whether the version that starts first is the original, before which there is none."""
    names = (name.expression for each in held if each.start == start for name in each.names)
    return any(each is not None and is_original(each.version) for each in names)
