"""What becomes of the alias sets of a catalogue when others come in: pure, and family by family.

A record that comes in replaces the one of the same name and leaves all others as they are. So sets
may be joined, torn apart, or stay; and a set that has a copy in common with one that comes in
learns that it is not alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.model import families_of, family_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lexurn.catalogue._protocols import Holdings
    from lexurn.model import Family, Record
    from lexurn.name import Name

__all__ = ["Merge", "acts_of", "merge"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """What is taken out of a catalogue, and what is put in its place.

    Attributes:
        old: alias sets that are held now, sorted by key.
        new: what stands for them afterwards, and what was not known, sorted by key.
    """

    old: tuple[Family, ...]
    new: tuple[Family, ...]


def acts_of(families: Iterable[Family]) -> set[str]:
    """The acts and aliases of acts of some families, and those that their names lead to."""
    names: set[Name] = set()
    for family in families:
        for record in family.records:
            names.add(record.name.act_name)
    return {str(name) for name in names}


def merge(incoming: Sequence[Family], holdings: Holdings, most: int | None = None) -> Merge:
    """What some families change.

    Args:
        incoming: families that share no name.
        holdings: what the catalogue holds now.
        most: how many characters what is held of several of them may have; None for any number.

    Raises:
        ModelError: a record that comes in contradicts one that is held.
        TooMuchError: more is held.
    """
    old = tuple(holdings.families(acts_of(incoming), most))
    new = _joined(old, incoming) if old else tuple(incoming)
    return _with_neighbours(Merge(old=old, new=new), holdings, most)


def _joined(old: Iterable[Family], incoming: Iterable[Family]) -> tuple[Family, ...]:
    records = {record.name: record for family in old for record in family.records}
    for family in incoming:
        for record in family.records:
            if record.name not in records or _is_described(record, family):
                records[record.name] = record
    return families_of(records.values())


def _is_described(record: Record, family: Family) -> bool:
    """Whether a row may have described a record, rather than a name below it or an alias of it.

    What states nothing and has something below it is there for the sake of that: it says nothing
    against what is held.
    """
    if record.source is not None or record != type(record)(name=record.name):
        return True
    is_target = record.name in family.aliases.values()
    return not family.children(record.name) and not is_target


def _with_neighbours(merge: Merge, holdings: Holdings, most: int | None) -> Merge:
    """The merge with the copies that other sets have too, and the one other set that learns so."""
    before, after = _urls(merge.old), _urls(merge.new)
    if not before | after:
        return merge
    known = {str(family.key) for family in merge.old}
    held = holdings.holders(before | after, most=len(known) + 2)
    others = {url: [k for k in keys if k not in known] for url, keys in held.items()}
    changed = before ^ after
    lonely = {keys[0] for url, keys in others.items() if len(keys) == 1 and url in changed}
    neighbours = tuple(holdings.families(lonely, most)) if lonely else ()
    new = [_sharing(family, _also(family, others)) for family in merge.new]
    new += [_sharing(each, _still(each, after, others)) for each in neighbours]
    return Merge(old=_sorted((*merge.old, *neighbours)), new=_sorted(new))


def _also(family: Family, others: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The shared copies of a family that comes in."""
    return family.shared | {url for url in _urls((family,)) if others.get(url)}


def _still(
    family: Family, after: Collection[str], others: Mapping[str, Collection[str]]
) -> frozenset[str]:
    """The shared copies of a family that stays as it is otherwise."""
    looked_at = _urls((family,)) & others.keys()
    return (family.shared - looked_at) | {
        url for url in looked_at if url in after or len(others[url]) > 1
    }


def _sharing(family: Family, shared: frozenset[str]) -> Family:
    return family if shared == family.shared else family_of(family.records, shared)


def _urls(families: Iterable[Family]) -> frozenset[str]:
    return frozenset(
        item.url for family in families for record in family.records for item in record.items
    )


def _sorted(families: Iterable[Family]) -> tuple[Family, ...]:
    return tuple(sorted(families, key=lambda family: str(family.key)))
