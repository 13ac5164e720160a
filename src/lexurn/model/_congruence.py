"""The least equality that follows from given pairs: equal names have equal things under them.

Where ``alias`` equals ``canonical``, so does ``alias:annex`` equal ``canonical:annex``, and so on
down to manifestations. Congruence closure with the smaller class moved into the larger one: near
linear, whatever the pairs.
"""

from __future__ import annotations

from collections import defaultdict, deque
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.name import Name

__all__ = ["Congruence"]


class Congruence:
    """Classes of equal names, each with one of them as its root."""

    def __init__(self, names: Iterable[Name], pairs: Iterable[tuple[Name, Name]]) -> None:
        """Find the classes.

        Args:
            names: all names, with all that is above them.
            pairs: names that are equal, all of them among ``names``.
        """
        self._root: dict[Name, Name] = {}
        self._members: dict[Name, list[Name]] = {}
        self._under: dict[Name, list[Name]] = defaultdict(list)
        self._suffix: dict[Name, str] = {}
        self._written: dict[tuple[Name, str], Name] = {}
        for name in names:
            self._add(name)
        waiting = deque(pairs)
        while waiting:
            waiting.extend(self._join(*waiting.popleft()))

    def _add(self, name: Name) -> None:
        """A name in a class of its own; a partition hangs on nothing, it is part of a text."""
        self._root[name] = name
        self._members[name] = [name]
        parent = name.parent
        if parent is not None and name.partition is None:
            suffix = str(name)[len(str(parent)) :]
            self._suffix[name] = suffix
            self._under[parent].append(name)
            self._written[parent, suffix] = name

    def _join(self, one: Name, other: Name) -> Iterable[tuple[Name, Name]]:
        """Make two names equal; the pairs under them that are equal for that reason."""
        large, small = self._root[one], self._root[other]
        if large == small:
            return []
        if self._weight(large) < self._weight(small):
            large, small = small, large
        for name in self._members[small]:
            self._root[name] = large
        self._members[large] += self._members.pop(small)
        moved = self._under.pop(small, [])
        self._under[large] += moved
        pairs = [(self._written.setdefault((large, self._suffix[n]), n), n) for n in moved]
        return [pair for pair in pairs if pair[0] != pair[1]]

    def _weight(self, root: Name) -> int:
        return len(self._members[root]) + len(self._under.get(root, ()))

    def root(self, name: Name) -> Name:
        """The name that stands for the class of ``name`` here; which one says nothing."""
        return self._root[name]

    def members(self, root: Name) -> list[Name]:
        """The names of a class."""
        return self._members[root]

    def topmost_first(self) -> tuple[list[Name], list[Name]]:
        """The roots, each behind all that its class hangs on; and those that hang on themselves."""
        open_ends = dict.fromkeys(self._members, 0)
        for names in self._under.values():
            for name in names:
                open_ends[self._root[name]] += 1
        ordered = [root for root, number in open_ends.items() if number == 0]
        for root in ordered:
            for name in self._under.get(root, ()):
                below = self._root[name]
                open_ends[below] -= 1
                if open_ends[below] == 0:
                    ordered.append(below)
        return ordered, [root for root, number in open_ends.items() if number]
