"""Which names name one thing: stated aliases (RFC 9676 section 5.5) and what follows from them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexurn.model._congruence import Congruence
from lexurn.model._findings import fault, warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.model._findings import ModelError, ModelFinding
    from lexurn.model._values import Record
    from lexurn.name import Name

__all__ = ["Equality", "equality_of", "stated_aliases"]

_RULE = "RFC 9676 §5.5"


@dataclass(frozen=True, slots=True, kw_only=True)
class Equality:
    """Names that are equal, stated or computed.

    Attributes:
        targets: each name that has an equal, and the one name that stands for all of them.
        members: that one name, and all names that equal it, itself included; sorted.
        computed: names and their target where no alias is stated.
        findings: equal names that are targets of different stated aliases.
    """

    targets: Mapping[Name, Name] = field(default_factory=dict)
    members: Mapping[Name, tuple[Name, ...]] = field(default_factory=dict)
    computed: Mapping[Name, Name] = field(default_factory=dict)
    findings: tuple[ModelFinding, ...] = ()

    def target(self, name: Name) -> Name:
        """The name that stands for ``name`` and all its equals."""
        return self.targets.get(name, name)

    def equals(self, name: Name) -> tuple[Name, ...]:
        """All names equal to ``name``, the one that stands for them first."""
        target = self.target(name)
        others = self.members.get(target, ())
        return (target, *(other for other in others if other != target))


def stated_aliases(records: Iterable[Record]) -> dict[Name, Name]:
    """Each alias that is stated, and its canonical name; the records are sorted by name.

    Raises:
        ModelError: an alias across levels, of itself, in a loop or in a chain.
    """
    aliases = {record.name: record.alias_of for record in records if record.alias_of is not None}
    for alias, canonical in aliases.items():
        _check_level(alias, canonical)
        if canonical in aliases:
            _refuse_chain(aliases, alias)
    return aliases


def _check_level(alias: Name, canonical: Name) -> None:
    same_level = alias.level == canonical.level
    if same_level and (alias.partition is None) == (canonical.partition is None):
        return
    message = (
        f"{alias} ({_kind(alias)}) is stated as an alias of {canonical} ({_kind(canonical)}); "
        "an alias stands at the level of its canonical name"
    )
    raise fault("LX604", message, (alias, canonical), _RULE)


def _kind(name: Name) -> str:
    return name.level.value if name.partition is None else f"partition of a {name.level.value}"


def _refuse_chain(aliases: Mapping[Name, Name], alias: Name) -> None:
    """Raise for an alias whose canonical name is an alias itself: a loop or a chain."""
    seen = {alias}
    end = aliases[alias]
    while end in aliases and end not in seen:
        seen.add(end)
        end = aliases[end]
    between = aliases[alias]
    if end in seen:
        message = f"{alias} is an alias of {between}, which leads back: leave one of them canonical"
        raise fault("LX603", message, (alias, between), _RULE)
    message = f"{alias} is an alias of {between}, itself an alias of {end}: write alias_of {end}"
    raise fault("LX602", message, (alias, between, end), _RULE)


def equality_of(names: Iterable[Name], aliases: Mapping[Name, Name]) -> Equality:
    """Which of ``names`` are equal, given the stated aliases among them.

    An annex, an expression or a manifestation is what stands before its suffix, plus the suffix: so
    ``alias@v:l`` and ``canonical@v:l`` are one version, and the same holds below them. The name
    that is stated as canonical stands for all, else the one under the canonical name of what is
    above it; where only aliases have the thing, the smallest of their names.

    Args:
        names: all names of a family, with all that is above them.
        aliases: the stated aliases and their canonical names.

    Raises:
        ModelError: an act that is an alias of its own annex.
    """
    if not aliases:
        return Equality()
    classes = Congruence(names, aliases.items())
    ordered, endless = classes.topmost_first()
    if endless:
        raise _part_of_itself(endless, aliases, classes)
    stated = frozenset(aliases.values())
    targets: dict[Name, Name] = {}
    members: dict[Name, tuple[Name, ...]] = {}
    findings: list[ModelFinding] = []
    for root in ordered:
        group = sorted(classes.members(root), key=str)
        if len(group) > 1:
            centres = [name for name in group if name in stated]
            target = _best_of(centres or group, targets)
            members[target] = tuple(group)
            targets.update(dict.fromkeys(group, target))
            findings.extend(_several_centres(target, centres))
    computed = {
        name: target
        for name, target in targets.items()
        if name != target and name not in aliases and name not in stated
    }
    return Equality(targets=targets, members=members, computed=computed, findings=tuple(findings))


def _best_of(names: Sequence[Name], targets: Mapping[Name, Name]) -> Name:
    """The first name that stands under the canonical name of what is above it, else the first."""
    for name in names:
        parent = name.parent
        if parent is not None and targets.get(parent, parent) == parent:
            return name
    return names[0]


def _part_of_itself(
    endless: Iterable[Name], aliases: Mapping[Name, Name], classes: Congruence
) -> ModelError:
    """The fault of an act that is an alias of its own annex, straight or through others."""
    within = frozenset(endless)
    alias = min((each for each in aliases if classes.root(each) in within), key=str)
    message = (
        f"{alias} is an alias of {aliases[alias]}, so that it would be an annex of itself: "
        "take one of the aliases out"
    )
    return fault("LX603", message, (alias, aliases[alias]), _RULE)


def _several_centres(target: Name, centres: Sequence[Name]) -> Iterator[ModelFinding]:
    """A finding where equal names are canonical names of different stated aliases."""
    others = [name for name in centres if name != target]
    if others:
        message = (
            f"{', '.join(map(str, others))} and {target} name one thing, yet each has aliases of "
            f"its own: state all of them as aliases of {target}"
        )
        yield warning("LX615", message, (target, *others), _RULE)
