"""Family of a name as the resolver sees it, and the version in force on a day (RFC 9676 §10.3).

A family of lexurn's own has aliases of one step; one from a server may have chains and circles.
Where no version is in force, the answer gives the reason.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from lexurn.model import Status, is_original
from lexurn.name import check
from lexurn.resolver.answer import Edition, make_reason

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.model import Chain, ChainVersion, Family, Record
    from lexurn.name import Level, Name, Version
    from lexurn.resolver.answer import Reason

    Span = tuple[dt.date | None, dt.date | None]


def replace_act(act: Name | str, name: Name) -> Name | None:
    """Return a name with another act, or another name of its act; None if that is not valid."""
    return check(f"{act}{str(name)[len(str(name.act_name)) :]}").name


def is_withdrawn(record: Record | None) -> bool:
    """Return True if a record is that of a withdrawn name."""
    return record is not None and record.status is Status.WITHDRAWN


class FamilyView:
    """Family with its aliases followed."""

    def __init__(self, family: Family) -> None:
        """Take a family; aliases are followed when needed."""
        self.family = family

    @cached_property
    def _ends(self) -> Mapping[Name, Name]:
        """Names at the end of each alias; for a circle the first of its names."""
        aliases = self.family.aliases
        if not any(target in aliases for target in aliases.values()):
            return aliases
        return _follow_aliases(aliases)

    @cached_property
    def circles(self) -> frozenset[Name]:
        """Names whose own aliases lead back to them."""
        return frozenset(name for name, end in self._ends.items() if name == end)

    def find_canonical(self, name: Name) -> Name:
        """Return the name at the end of the aliases of a name; else the name itself."""
        if not self.family.aliases:
            return name
        return self._ends.get(name) or self.family.computed_aliases.get(name, name)

    @cached_property
    def _equals(self) -> Mapping[Name, tuple[Name, ...]]:
        groups: dict[Name, list[Name]] = {}
        for record in self.family.records:
            groups.setdefault(self.find_canonical(record.name), []).append(record.name)
        return {target: tuple(names) for target, names in groups.items() if len(names) > 1}

    def list_equals(self, name: Name) -> tuple[Name, ...]:
        """Return all names of a thing that have records, sorted; at least the name itself."""
        if not self.family.aliases:
            return (name,)
        return self._equals.get(self.find_canonical(name), (name,))

    def get_record(self, name: Name) -> Record | None:
        """Return the record of a name, or None."""
        return self.family.record(name)

    @cached_property
    def _withdrawn(self) -> frozenset[Name]:
        return frozenset(each.name for each in self.family.records if is_withdrawn(each))

    def is_gone(self, name: Name) -> bool:
        """Return True if a name is withdrawn, or the nearest held name above it (RFC 9676 §9.4).

        Each held name stands for itself, even below a withdrawn one.
        """
        if not self._withdrawn:
            return False
        return self.find_nearest((name, *name.ancestors())) in self._withdrawn

    def find_nearest(self, names: Iterable[Name]) -> Name | None:
        """Return the first of some names that has a record."""
        return next((each for each in names if self.get_record(each) is not None), None)

    def _list_below(self, names: Iterable[Name]) -> Iterator[Name]:
        return (child for name in names for child in self.family.children(name))

    def has_parts(self, names: Iterable[Name]) -> bool:
        """Return True if some names have partitions that are not withdrawn."""
        parts = (each for each in self._list_below(names) if each.partition is not None)
        return not all(map(self.is_gone, parts))

    def list_children(self, names: Iterable[Name], level: Level) -> Iterator[Name]:
        """Return the names of a level straight below some names, without partitions."""
        below = self._list_below(names)
        return (each for each in below if each.partition is None and each.level is level)


def _follow_aliases(aliases: Mapping[Name, Name]) -> dict[Name, Name]:
    """Return the end of each alias; each is followed once."""
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
    """Withdrawn version with the day from which it would be in force."""

    start: dt.date
    name: Name


def make_edition(view: FamilyView, chain: Chain, version: ChainVersion, day: dt.date) -> Edition:
    """Make the edition of a version on a day."""
    is_known = version.start is not None or is_version_withdrawn(view, version)
    return Edition(
        name=version.name,
        language=chain.language,
        start=version.start,
        until=version.until,
        in_force=chain.current(day).version == version.name if is_known else None,
    )


def choose_edition(
    view: FamilyView, chain: Chain, day: dt.date, *, is_day_asked: bool
) -> tuple[Edition | None, Reason | None]:
    """Return the version in force on a day; else the version in its place, and the reason.

    For a given day only the version before a withdrawn one stands in. Without a given day the most
    recent version is wanted, in force or not.
    """
    name = chain.current(day).version
    if name is not None:
        version = next(each for each in chain.versions if each.name == name)
        return make_edition(view, chain, version, day), None
    held = _list_held(view, chain)
    if not held:
        return None, make_reason("LX952", _explain_all_withdrawn(view, chain))
    begun = [each for each in held if each.start is not None and each.start <= day]
    known = any(each.start is not None for each in held)
    why = _explain_none(view, chain, held, day)
    if begun and _is_cut_off(view, chain, begun[-1], day):
        told = f"{why}; {begun[-1].name}, before it, is given"
        return make_edition(view, chain, begun[-1], day), make_reason("LX952", told)
    if known and is_day_asked:
        language = _format_language(view, chain) if _is_elsewhere(view, chain, day) else ""
        return None, make_reason("LX952", f"{why}; no version{language} is given")
    version = begun[-1] if begun else held[0] if known else held[-1]
    told = f"{why}; {version.name} is given"
    return make_edition(view, chain, version, day), make_reason("LX952", told)


def _is_cut_off(view: FamilyView, chain: Chain, version: ChainVersion, day: dt.date) -> bool:
    """Return True if only a withdrawn version ended the last one that began by a day.

    An end that the version or its work states does not count.
    """
    if _find_withdrawn(view, chain, day) is None or _explain_not_in_force(
        _find_force(view, chain.work), day
    ):
        return False
    return all(each.in_force_until is None for each in _list_records(view, version.names))


def is_version_withdrawn(view: FamilyView, version: ChainVersion) -> bool:
    """Return True if a version is withdrawn under all its names."""
    return all(map(view.is_gone, version.names))


def _list_held(view: FamilyView, chain: Chain) -> list[ChainVersion]:
    return [each for each in chain.versions if not is_version_withdrawn(view, each)]


def _list_other_chains(view: FamilyView, chain: Chain) -> list[Chain]:
    """Return the versions of the same work in other languages."""
    return [each for each in view.family.chains if each.work == chain.work and each is not chain]


def _format_language(view: FamilyView, chain: Chain) -> str:
    """Write the language, if the work has several."""
    if not _list_other_chains(view, chain):
        return ""
    return " without a language" if chain.language is None else f' in "{chain.language}"'


def _explain_all_withdrawn(view: FamilyView, chain: Chain) -> str:
    return f"all versions of {chain.work}{_format_language(view, chain)} are withdrawn"


def _explain_withdrawn(gone: _WithdrawnVersion, day: dt.date) -> str:
    return f"the version of {day} is withdrawn: {gone.name}, from {gone.start} on"


def _find_withdrawn(view: FamilyView, chain: Chain, day: dt.date) -> _WithdrawnVersion | None:
    """Return the withdrawn version that would be in force on a day (section 9.4)."""
    gone = [each for each in chain.versions if is_version_withdrawn(view, each)]
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
        and (start := _find_start(view, chain, each)) is not None
        and start <= day
        and all((start, place) > other for other in begun)
        and not _has_ended(view, each, day)
    ]
    return max(found, default=None, key=lambda each: (each.start, str(each.name)))


def _find_start(view: FamilyView, chain: Chain, version: ChainVersion) -> dt.date | None:
    """Return the day from which a withdrawn version would be in force: stated, else named."""
    stated = [each.in_force_from for each in _list_records(view, version.names)]
    named = (each.expression.version for each in version.names if each.expression is not None)
    force = _find_force(view, chain.work)[0]
    return next(
        (
            day
            for day in (*stated, *(_find_first_day(each, chain.work, force) for each in named))
            if day
        ),
        None,
    )


def _find_first_day(version: Version, work: Name, force: dt.date | None) -> dt.date | None:
    """Return the first day that a version names; for an original that of its work (§7.1.2)."""
    dates = [event.date for event in version.events if event.date is not None]
    last = dates[-1] if dates else version.date
    if last is not None and last.day is not None:
        return last.day if force is None else max(last.day, force)
    if last is not None or not is_original(version):
        return None
    days = (date.day for date in work.work.details.dates)
    return force or max((day for day in days if day is not None), default=None)


def _has_ended(view: FamilyView, version: ChainVersion, day: dt.date) -> bool:
    ends = (each.in_force_until for each in _list_records(view, version.names))
    return any(end is not None and end <= day for end in ends)


def _list_records(view: FamilyView, names: Sequence[Name]) -> Iterator[Record]:
    return (record for name in names if (record := view.get_record(name)) is not None)


def _find_force(view: FamilyView, work: Name) -> Span:
    """Return the first day in force of a work and the first day no longer in force, as stated.

    An annex without its own days has those of its act (section 6.4.1).
    """
    levels = [view.list_equals(view.find_canonical(each)) for each in (work, *work.ancestors())]
    records = [record for names in levels for record in _list_records(view, names)]
    starts = (record.in_force_from for record in records)
    ends = (record.in_force_until for record in records)
    return next(filter(None, starts), None), next(filter(None, ends), None)


def explain_force(view: FamilyView, work: Name, day: dt.date) -> Reason | None:
    """Explain that a work without known versions is not in force on a day, if it states that."""
    why = _explain_not_in_force(_find_force(view, work), day)
    return (
        None
        if why is None
        else make_reason("LX952", f"{why}; the content of the catalogue is given")
    )


def _explain_not_in_force(force: Span, day: dt.date) -> str | None:
    start, until = force
    if until is not None and until <= day:
        return f"no longer in force on {day}: it ended on {until}"
    if start is not None and day < start:
        return f"not yet in force on {day}: it comes into force on {start}"
    return None


def _explain_none(
    view: FamilyView, chain: Chain, held: Sequence[ChainVersion], day: dt.date
) -> str:
    """Explain why no version is in force: the work is not, or no version of that day is held."""
    if all(each.start is None for each in held):
        return "it is unknown when its versions are in force"
    why = _explain_not_in_force(_find_force(view, chain.work), day)
    if why is not None:
        return why
    gone = _find_withdrawn(view, chain, day)
    if gone is not None:
        return _explain_withdrawn(gone, day)
    if _is_elsewhere(view, chain, day):
        return _explain_language(held, day, _format_language(view, chain))
    return _explain_work(held, day, _find_force(view, chain.work)[0])


def _is_elsewhere(view: FamilyView, chain: Chain, day: dt.date) -> bool:
    """Return True if a work has a version in force in another language, withdrawn or not."""
    return any(
        other.current(day).version is not None or _find_withdrawn(view, other, day) is not None
        for other in _list_other_chains(view, chain)
    )


def _explain_language(held: Sequence[ChainVersion], day: dt.date, language: str) -> str:
    """Explain why no version in a language is in force, though the work is."""
    later, ends = _list_later_starts(held, day), _list_ends(held, day)
    more = f": the next is in force from {min(later)}" if later else ""
    if not later and ends:
        more = f": the last ended on {max(ends)}"
    return f"no version of {day}{language} is held{more}"


def _explain_work(held: Sequence[ChainVersion], day: dt.date, force: dt.date | None) -> str:
    """Explain why no version is in force, as the work is not."""
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
    """Return the ends of the versions that began by a day."""
    begun = [each for each in held if each.start is not None and each.start <= day]
    return [each.until for each in begun if each.until is not None and each.until <= day]


def _is_first(held: Sequence[ChainVersion], start: dt.date) -> bool:
    """Return True if the version that starts first is the original."""
    names = (name.expression for each in held if each.start == start for name in each.names)
    return any(each is not None and is_original(each.version) for each in names)
