"""Which names name one thing: stated aliases (RFC 9676 section 5.5) and what follows from them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexurn.model._findings import fault, warning

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.model._findings import ModelFinding
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
    ``alias@v:l`` and ``canonical@v:l`` are one version, and the same holds below them. Where only
    aliases have the thing, the smallest of their names stands for it.
    """
    if not aliases:
        return Equality()
    groups: dict[str, list[Name]] = defaultdict(list)
    keys: dict[Name, str] = {}
    for name in sorted(names, key=str):
        groups[_key_of(name, aliases, keys)].append(name)
    stated = frozenset(aliases.values())
    return _equality({k: group for k, group in groups.items() if len(group) > 1}, aliases, stated)


def _key_of(name: Name, aliases: Mapping[Name, Name], keys: dict[Name, str]) -> str:
    """The text that equal names share: the name with canonical names before each suffix."""
    if name in keys:
        return keys[name]
    canonical, parent = aliases.get(name), name.parent
    if canonical is not None:
        key = _key_of(canonical, aliases, keys)
    elif parent is None or name.partition is not None:
        key = str(name)
    else:
        key = _key_of(parent, aliases, keys) + str(name)[len(str(parent)) :]
    keys[name] = key
    return key


def _equality(
    groups: Mapping[str, list[Name]], aliases: Mapping[Name, Name], stated: frozenset[Name]
) -> Equality:
    targets: dict[Name, Name] = {}
    members: dict[Name, tuple[Name, ...]] = {}
    findings: list[ModelFinding] = []
    for key, group in groups.items():
        centres = [name for name in group if name in stated]
        target = next((n for n in centres or group if str(n) == key), (centres or group)[0])
        members[target] = tuple(group)
        targets.update(dict.fromkeys(group, target))
        if len(centres) > 1:
            findings.append(_several_centres(target, centres))
    computed = {
        name: target
        for name, target in targets.items()
        if name != target and name not in aliases and name not in stated
    }
    return Equality(targets=targets, members=members, computed=computed, findings=tuple(findings))


def _several_centres(target: Name, centres: list[Name]) -> ModelFinding:
    others = [name for name in centres if name != target]
    message = (
        f"{', '.join(map(str, others))} and {target} name one thing, yet each has aliases of its "
        f"own: state all of them as aliases of {target}"
    )
    return warning("LX615", message, (target, *others), _RULE)
