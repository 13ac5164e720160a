"""What belongs together in a family, for a resolver that trusts no catalogue to be tidy.

A family of lexurn's own has aliases of one step; one from a server may have chains and circles.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lexurn.model import Status
from lexurn.name import Level, check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.model import Family, Record
    from lexurn.name import Name

__all__ = ["Kin", "is_withdrawn", "under"]


def under(act: Name | str, name: Name) -> Name | None:
    """The same thing under another act, or another name of its act; None where that is no name."""
    return check(f"{act}{str(name)[len(str(name.act_name)) :]}").name


def is_withdrawn(record: Record | None) -> bool:
    """Whether a name is withdrawn."""
    return record is not None and record.status is Status.WITHDRAWN


class Kin:
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
        return _ends_of(aliases)

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


def _ends_of(aliases: Mapping[Name, Name]) -> dict[Name, Name]:
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
