"""Which aliases of a merged graph a publisher stated, and which only follow from those.

``alias@v`` equals ``canonical@v`` since the works are equal: that is computed, and can be computed
again. In merged layers both look alike, so what would be computed is told apart here.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lexurn.model import ModelError, Record, families_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.name import Name

__all__ = ["stated_among"]


def stated_among(names: Iterable[Name], aliases: Mapping[Name, Name]) -> dict[Name, Name]:
    """The aliases among ``aliases`` that do not follow from others; from them, all follow.

    Args:
        names: all names that the graph knows.
        aliases: each alias in it, stated or computed, and its target.
    """
    if not aliases:
        return {}
    known = tuple(names)
    fewest = _fewest(known, aliases)
    return fewest if _give_all(known, fewest, aliases) else dict(aliases)


def _give_all(
    names: Iterable[Name], stated: Mapping[Name, Name], aliases: Mapping[Name, Name]
) -> bool:
    """Whether the model makes all ``aliases`` from those that are ``stated``."""
    try:
        families = families_of(Record(name=name, alias_of=stated.get(name)) for name in names)
    except ModelError:
        return False
    found: dict[Name, Name] = {}
    for family in families:
        found |= {**family.aliases, **family.computed_aliases}
    return found == aliases


def _fewest(names: Iterable[Name], aliases: Mapping[Name, Name]) -> dict[Name, Name]:
    """The aliases that are not the same text behind an alias of what stands above."""
    ranks: dict[int, list[Name]] = defaultdict(list)
    stated = {name: target for name, target in aliases.items() if name.partition is not None}
    for name in names:
        if name.partition is None:
            ranks[_rank(name)].append(name)
    keys: dict[Name, str] = {}
    for rank in sorted(ranks):
        inherited = {name: _inherited(name, keys) for name in ranks[rank]}
        follows = _targets(inherited)
        keys.update(inherited)
        for name in inherited.keys() & aliases.keys():
            if follows.get(inherited[name]) != aliases[name]:
                stated[name] = aliases[name]
                keys[name] = inherited.get(stated[name]) or str(stated[name])
    return stated


def _rank(name: Name) -> int:
    """How many names stand above a name."""
    behind = (name.expression is not None) + (name.manifestation is not None)
    return len(name.work.annexes) + behind


def _inherited(name: Name, keys: Mapping[Name, str]) -> str:
    """The text that a name shares with its equals, by what stands above it."""
    parent = name.parent
    if parent is None:
        return str(name)
    return keys.get(parent, str(parent)) + str(name)[len(str(parent)) :]


def _targets(inherited: Mapping[Name, str]) -> dict[str, Name]:
    """For each shared text the name that stands for all that share it, as the model picks it."""
    targets: dict[str, Name] = {}
    for name in sorted(inherited, key=str):
        key = inherited[name]
        if key not in targets or str(name) == key:
            targets[key] = name
    return targets
