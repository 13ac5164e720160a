"""Aliases: names of one thing, stated by publishers (RFC 9676 section 5.5) or computed.

If ``alias`` equals ``canonical``, then ``alias:annex`` equals ``canonical:annex``, and so on down
to manifestations. Congruence closure finds these pairs; it moves the smaller class into the larger
one, so that it takes near linear time.
"""

from __future__ import annotations

from collections import defaultdict, deque
from contextlib import suppress
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import TYPE_CHECKING

from lexurn.findings import make_finding
from lexurn.model.fields import make_error

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from lexurn.findings import Finding
    from lexurn.model.fields import Record
    from lexurn.name import Name


class Congruence:
    """Classes of equal names.

    Attributes:
        roots: the name that stands for the class of each name; the choice of it has no meaning.
        members: the names of each class, by its root.
    """

    def __init__(self, names: Iterable[Name], pairs: Iterable[tuple[Name, Name]]) -> None:
        """Find the classes.

        Args:
            names: all names, with all names above them.
            pairs: pairs of equal names, all of them among ``names``.
        """
        self.roots: dict[Name, Name] = {}
        self.members: dict[Name, list[Name]] = {}
        self._under: dict[Name, list[Name]] = defaultdict(list)
        suffixes: dict[Name, str] = {}
        written: dict[tuple[Name, str], Name] = {}
        for name in names:
            self.roots[name] = name
            self.members[name] = [name]
            parent = name.parent
            if parent is not None and name.partition is None:  # a partition has no parent here
                suffixes[name] = suffix = str(name)[len(str(parent)) :]
                self._under[parent].append(name)
                written[parent, suffix] = name
        waiting = deque(pairs)
        while waiting:
            one, other = waiting.popleft()
            large, small = self.roots[one], self.roots[other]
            if large == small:
                continue
            if self._weigh(large) < self._weigh(small):
                large, small = small, large
            self.roots.update(dict.fromkeys(self.members[small], large))
            self.members[large] += self.members.pop(small)
            moved = self._under.pop(small, [])
            self._under[large] += moved
            # Names below with the same suffix become equal for that reason.
            below = [(written.setdefault((large, suffixes[n]), n), n) for n in moved]
            waiting.extend(pair for pair in below if pair[0] != pair[1])

    def _weigh(self, root: Name) -> int:
        return len(self.members[root]) + len(self._under.get(root, ()))

    def topmost_first(self) -> tuple[list[Name], set[Name]]:
        """Sort the roots after those of all names above; return those within themselves apart."""
        sorter: TopologicalSorter[Name] = TopologicalSorter(dict.fromkeys(self.members, ()))
        for above, names in self._under.items():
            for name in names:
                sorter.add(self.roots[name], above)
        with suppress(CycleError):  # what stands in no circle can still be sorted
            sorter.prepare()
        ordered: list[Name] = []
        while ready := sorter.get_ready():
            ordered += ready
            sorter.done(*ready)
        return ordered, self.members.keys() - set(ordered)


@dataclass(frozen=True, slots=True, kw_only=True)
class EqualNames:
    """Equal names, stated or computed, each set with one name as its target.

    Attributes:
        targets: the target of each name that equals another.
        members: all names of a set, by its target; sorted, those of withdrawn aliases last.
        computed: the target of each name without a stated alias.
        findings: remarks on names with stated aliases of their own that equal another such name.
    """

    targets: Mapping[Name, Name] = field(default_factory=dict)
    members: Mapping[Name, tuple[Name, ...]] = field(default_factory=dict)
    computed: Mapping[Name, Name] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()

    def target(self, name: Name) -> Name:
        """Return the target of a name, by default the name itself."""
        return self.targets.get(name, name)

    def equals(self, name: Name) -> tuple[Name, ...]:
        """List all names equal to a name, the target first."""
        target = self.target(name)
        others = self.members.get(target, ())
        return (target, *(other for other in others if other != target))


_ALL_DIFFERENT = EqualNames()


def collect_aliases(records: Iterable[Record]) -> dict[Name, Name]:
    """Collect the stated aliases with their canonical names; the records are sorted by name.

    Raises:
        ModelError: an alias across levels, of itself, in a loop or in a chain.
    """
    aliases = {record.name: record.alias_of for record in records if record.alias_of is not None}
    for alias, canonical in aliases.items():
        levels = _describe_level(alias), _describe_level(canonical)
        if levels[0] != levels[1]:
            raise make_error("LX604", (alias, canonical), alias, levels[0], canonical, levels[1])
        if canonical in aliases:
            seen, end = {alias}, canonical
            while end in aliases and end not in seen:
                seen.add(end)
                end = aliases[end]
            if end in seen:
                why = "; these aliases form a loop, so keep one of the names canonical"
                raise make_error("LX603", (alias, canonical), alias, canonical, why)
            raise make_error("LX602", (alias, canonical, end), alias, canonical, end)
    return aliases


def _describe_level(name: Name) -> str:
    return name.level.value if name.partition is None else f"partition of a {name.level.value}"


def find_equal_names(
    names: Iterable[Name], aliases: Mapping[Name, Name], withdrawn: Collection[Name] = ()
) -> EqualNames:
    """Find the equal names that follow from stated aliases.

    The name of an annex, expression or manifestation is its parent's name plus a suffix. So
    ``alias@v:l`` and ``canonical@v:l`` are one version, and the same holds below them. The target
    is the name stated as canonical, else the one below the target of its parent, else the smallest;
    one below a withdrawn alias only if all are.

    Args:
        names: all names of a family, with all names above them.
        aliases: the stated aliases and their canonical names.
        withdrawn: the withdrawn aliases among them.

    Raises:
        ModelError: an act that is an alias of its own annex.
    """
    if not aliases:
        return _ALL_DIFFERENT
    classes = Congruence(names, aliases.items())
    ordered, endless = classes.topmost_first()
    if endless:
        # An act is an alias of its own annex, directly or through others.
        alias = min((each for each in aliases if classes.roots[each] in endless), key=str)
        why = "; it would be an annex of itself, so remove one of the aliases"
        raise make_error("LX603", (alias, aliases[alias]), alias, aliases[alias], why)
    canonical_names = frozenset(aliases.values())
    targets: dict[Name, Name] = {}
    members: dict[Name, tuple[Name, ...]] = {}
    findings: list[Finding] = []
    for root in ordered:
        group = sorted(classes.members[root], key=str)
        if len(group) > 1:
            if withdrawn:
                group.sort(key=lambda name: not {name, *name.ancestors()}.isdisjoint(withdrawn))
            centres = [name for name in group if name in canonical_names]
            choices = centres or group
            below_target = (
                name
                for name in choices
                if (above := name.parent) is not None and targets.get(above, above) == above
            )
            target = next(below_target, choices[0])
            members[target] = tuple(group)
            targets.update(dict.fromkeys(group, target))
            if others := [str(name) for name in centres if name != target]:
                listed = (str(target), *others)
                findings.append(make_finding("LX615", ", ".join(others), target, names=listed))
    computed = {
        name: target
        for name, target in targets.items()
        if name != target and name not in aliases and name not in canonical_names
    }
    return EqualNames(targets=targets, members=members, computed=computed, findings=tuple(findings))
