"""Family of a name as the resolver sees it, and the version in force on a day (RFC 9676 §10.3).

If no version is in force, the answer gives the reason.
"""

from __future__ import annotations

from functools import cached_property
from operator import itemgetter
from typing import TYPE_CHECKING

from lexurn.model import Chain, ChainVersion, Status, read_stated_force
from lexurn.name import Level, check
from lexurn.resolver.answer import Edition, make_reason

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.model import Family, Record, StatedForce
    from lexurn.name import Name
    from lexurn.resolver.answer import Reason


def replace_act(act: Name | str, name: Name) -> Name | None:
    """Return a name with another act, or another name of its act; None if that is not valid."""
    return check(f"{act}{str(name)[len(str(name.act_name)) :]}").name


def is_withdrawn(record: Record | None) -> bool:
    """Return True if a record is that of a withdrawn name."""
    return record is not None and record.status is Status.WITHDRAWN


class FamilyView:
    """Family with the look-ups that the resolver needs."""

    def __init__(self, family: Family) -> None:
        """Take a family."""
        self.family = family
        self._withdrawn = {each.name for each in family.records if is_withdrawn(each)}

    @cached_property
    def _equals(self) -> Mapping[Name, tuple[Name, ...]]:
        groups: dict[Name, list[Name]] = {}
        for record in self.family.records:
            groups.setdefault(self.family.canonical(record.name), []).append(record.name)
        return {target: tuple(names) for target, names in groups.items() if len(names) > 1}

    def list_equals(self, name: Name) -> tuple[Name, ...]:
        """Return all names of a thing that have records, sorted; at least the name itself."""
        if not self.family.aliases:
            return (name,)
        return self._equals.get(self.family.canonical(name), (name,))

    def is_gone(self, name: Name) -> bool:
        """Return True if a name is withdrawn, or the nearest held name above it (RFC 9676 §9.4).

        Each held name stands for itself, even below a withdrawn one.
        """
        if not self._withdrawn:
            return False
        return self.find_nearest((name, *name.ancestors())) in self._withdrawn

    def list_records(self, names: Iterable[Name]) -> Iterator[Record]:
        """Return the records of some names."""
        return (record for name in names if (record := self.family.record(name)) is not None)

    def find_nearest(self, names: Iterable[Name]) -> Name | None:
        """Return the first of some names that has a record."""
        return next((each for each in names if self.family.record(each) is not None), None)

    def has_parts(self, names: Iterable[Name]) -> bool:
        """Return True if some names have partitions that are not withdrawn."""
        return any(
            each.partition is not None and not self.is_gone(each)
            for name in names
            for each in self.family.children(name)
        )

    def list_children(self, names: Iterable[Name], level: Level) -> Iterator[Name]:
        """Return the names of a level straight below some names, without partitions."""
        return (
            each
            for name in names
            for each in self.family.children(name)
            if each.level is level and each.partition is None
        )


# --- versions on a day ----------------------------------------------------------------


def make_edition(view: FamilyView, chain: Chain, version: ChainVersion, day: dt.date) -> Edition:
    """Make the edition of a version on a day."""
    force = chain.find_force(version, day)
    return Edition(
        name=version.name,
        language=chain.language,
        start=version.start,
        until=version.until,
        start_basis=version.start_basis,
        until_basis=version.until_basis,
        in_force=None if force is None else force.is_in_force,
        is_withdrawn=is_version_withdrawn(view, version),
    )


def choose_edition(
    view: FamilyView, chain: Chain, day: dt.date, *, is_day_asked: bool
) -> tuple[Edition | None, Reason | None]:
    """Return the version in force on a day; else the version in its place, and the reason.

    For a given day no other version stands in. Without a given day the most recent version is
    wanted, in force or not.
    """
    name = chain.current(day).version
    if name is not None:
        version = next(each for each in chain.versions if each.name == name)
        return make_edition(view, chain, version, day), None
    state = _ChainOnDay(view, chain, day)
    why = state.explain_none()
    is_known = any(each.is_dated for each in chain.versions)
    if is_known and is_day_asked:
        language = state.language if state.is_in_force_elsewhere else ""
        return None, make_reason("LX952", f"{why}; no version{language} is given")
    version = (state.begun or (chain.versions[:1] if is_known else chain.versions))[-1]
    reason = make_reason("LX952", f"{why}; {version.name} is given")
    return make_edition(view, chain, version, day), reason


def list_withdrawn(view: FamilyView, works: Sequence[Name]) -> list[Chain]:
    """List the withdrawn versions of a work, which are in no chain, each as a chain of its own."""
    versions = dict.fromkeys(
        view.family.canonical(name)
        for name in view.list_children(works, Level.EXPRESSION)
        if all(map(is_withdrawn, view.list_records(view.list_equals(name))))
    )
    return [
        Chain(
            work=view.family.canonical(works[0]),
            language=None if name.expression is None else name.expression.language,
            versions=(ChainVersion(name=name, names=view.list_equals(name)),),
        )
        for name in versions
    ]


def is_version_withdrawn(view: FamilyView, version: ChainVersion) -> bool:
    """Return True if a version is withdrawn under all its names."""
    return all(map(view.is_gone, version.names))


def explain_force(view: FamilyView, work: Name, day: dt.date) -> Reason | None:
    """Explain that a work without known versions is not in force on a day, if it states that."""
    why = _explain_not_in_force(_find_force(view, work), day)
    if why is None:
        return None
    return make_reason("LX952", f"{why}; the content of the catalogue is given")


def _find_force(view: FamilyView, work: Name) -> StatedForce:
    """Return the stated force of a work.

    An annex without its own days has those of its act (section 6.4.1).
    """
    levels = [view.list_equals(view.family.canonical(each)) for each in (work, *work.ancestors())]
    return read_stated_force(record for names in levels for record in view.list_records(names))


def _explain_not_in_force(force: StatedForce, day: dt.date) -> str | None:
    start, until = force.in_force_from, force.in_force_until
    state = force.find_state(day)
    if state is not None and state.is_in_force:
        return None
    if force.has_unknown_end:
        return f"not in force on {day}: its state is {force.force}"
    if until is not None and until <= day:
        return f"no longer in force on {day}: it ended on {until}"
    if start is not None and day < start:
        return f"not yet in force on {day}: it comes into force on {start}"
    return None


class _ChainOnDay:
    """Versions of a work in one language on a day on which none is in force.

    Attributes:
        begun: the versions that began by the day.
    """

    def __init__(self, view: FamilyView, chain: Chain, day: dt.date) -> None:
        self._view, self._chain, self._day = view, chain, day
        self._force = _find_force(view, chain.work)
        dated = (each for each in chain.versions if each.is_dated)
        self.begun = [each for each in dated if each.start is None or each.start <= day]

    @cached_property
    def _others(self) -> list[Chain]:
        """Versions of the same work in other languages."""
        chain = self._chain
        chains = self._view.family.chains
        return [each for each in chains if each.work == chain.work and each is not chain]

    @property
    def language(self) -> str:
        """Language in words, if the work has several."""
        if not self._others:
            return ""
        language = self._chain.language
        return " without a language" if language is None else f' in "{language}"'

    @cached_property
    def is_in_force_elsewhere(self) -> bool:
        """True if the work has a version in force in another language."""
        return any(other.current(self._day).version is not None for other in self._others)

    def explain_none(self) -> str:
        """Explain why no version is in force: the work is not, or no version is held."""
        day = self._day
        versions = self._chain.versions
        starts = [each.start for each in versions if each.start is not None]
        why = _explain_not_in_force(self._force, day)
        if not starts and not self.begun:
            why = "it is unknown when its versions are in force"
        if why is not None:
            return why
        later = [each for each in versions if each.start is not None and each.start > day]
        ends = [each.until for each in self.begun if each.until is not None and each.until <= day]
        if self.is_in_force_elsewhere:
            more = f": the last ended on {max(ends)}" if ends else ""
            if later:
                more = f": the next is {_describe_start(later)}"
            return f"no version of {day}{self.language} is in the catalogue{more}"
        if not later:
            ended = f": it ended on {max(ends)}" if ends else ""
            return f"no longer in force on {day}{ended}"
        original = self._chain.first
        is_first = original is not None and original.start == min(starts)
        if self.begun or self._force.in_force_from is not None or not is_first:
            more = f"the next is {_describe_start(later)}"
            return f"no version of {day} is in the catalogue: {more}"
        if original is None or not original.is_force_stated:
            return f"not known to be in force on {day}: the original is {_describe_start(later)}"
        return f"not yet in force on {day}: it comes into force on {original.start}"


def _describe_start(versions: Iterable[ChainVersion]) -> str:
    """Describe the first start of some versions; an inferred one is no claim of force."""
    starts = ((each.start, each) for each in versions if each.start is not None)
    start, version = min(starts, key=itemgetter(0))
    if version.is_force_stated or version.start_basis is None:
        return f"in force from {start}"
    return f"from {start}, the {version.start_basis.label}"
