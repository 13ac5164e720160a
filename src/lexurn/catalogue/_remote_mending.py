"""Of an alias set that cannot be read whole, all that can be read of it."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.catalogue._remote_texts import ITEM
from lexurn.catalogue._unreadable import Mended
from lexurn.errors import GraphError
from lexurn.graph import Statements, records_of
from lexurn.model import ModelError, families_of, family_of
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lexurn.catalogue._remote_walk import Group
    from lexurn.graph import Triple
    from lexurn.model import Family, Record

__all__ = ["mended_families"]

_Lost = list[tuple[str, str]]


def mended_families(
    group: Group, about: Iterable[Triple], shared: Collection[str], fault: str
) -> tuple[tuple[Family, ...], Mended]:
    """The alias set, or the several that it falls apart into, or none, and what was left out.

    A property whose values contradict each other is left out with all of them; so is one value
    that is none. Aliases that contradict each other are left out all together.

    Args:
        group: what is stated of its names.
        about: what is stated of their copies and of the digests of those.
        shared: the copies that other alias sets have too.
        fault: why it cannot be read whole.

    Raises:
        ModelError: nothing can be made of it.
    """
    lost: _Lost = []
    kept = _kept(group.stated, about, lost)
    records = records_of(Statements(decoded=group.links, catalogued=kept))
    try:
        families = families_of(records)
    except ModelError as torn:
        lost += ((str(record.name), str(torn)) for record in records if record.alias_of)
        families = families_of([_unaliased(record) for record in records])
    # Of an act of which nothing can be read, nothing is left but its name.
    key = str(families[0].key) if families else _text_of(min(group.acts))
    families = tuple(family_of(each.records, {*each.shared, *shared}) for each in families)
    return families, Mended(key=key, fault=fault, lost=tuple(dict.fromkeys(lost)))


def _unaliased(record: Record) -> Record:
    return replace(record, alias_of=None)


def _kept(stated: Iterable[Triple], about: Iterable[Triple], lost: _Lost) -> tuple[Triple, ...]:
    """The triples that can be read together, name by name."""
    names: dict[str, list[Triple]] = defaultdict(list)
    nodes: dict[str, list[Triple]] = defaultdict(list)
    for triple in stated:
        names[triple[0]].append(triple)
    for triple in dict.fromkeys(about):
        nodes[triple[0]].append(triple)
    kept: dict[Triple, None] = {}
    for triples in names.values():
        kept |= dict.fromkeys(_readable(triples, nodes, lost))
    return tuple(kept)


def _readable(
    triples: Sequence[Triple], nodes: Mapping[str, Sequence[Triple]], lost: _Lost
) -> list[Triple]:
    """Those of the triples on one name that can be read together, with those on its copies."""
    whole = [*triples, *_on_copies(triples, nodes)]
    if _fault(whole) is None:
        return whole
    name = _text_of(triples[0][0])
    properties: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        properties[triple[1]].append(triple)
    kept: list[Triple] = []
    for each in properties.values():
        some, fault = _property(each, nodes)
        lost += [(name, fault)] if fault is not None else []
        kept += some
    fault = _fault(kept)
    if fault is not None:
        # Each can be read by itself; together they say what cannot be.
        lost.append((name, fault))
        return []
    return kept


def _property(
    triples: Sequence[Triple], nodes: Mapping[str, Sequence[Triple]]
) -> tuple[list[Triple], str | None]:
    """What can be read of one property of a name, and what is wrong with the rest."""
    whole = [*triples, *_on_copies(triples, nodes)]
    fault = _fault(whole)
    if fault is None:
        return whole, None
    good: list[Triple] = []
    for triple in triples:
        copies = _on_copies([triple], nodes)
        ways: tuple[list[Triple], ...] = ([triple, *copies], [triple], [])
        good += next(way for way in ways if _fault(way) is None)
    return (good if _fault(good) is None else []), fault


def _on_copies(triples: Iterable[Triple], nodes: Mapping[str, Sequence[Triple]]) -> list[Triple]:
    """What is stated of the copies that triples name, and of their digests."""
    copies = [value for _, predicate, value in triples if predicate == ITEM]
    found = [triple for copy in copies for triple in nodes.get(copy, ())]
    found += [t for _, _, value in found if value not in copies for t in nodes.get(value, ())]
    return found


def _fault(triples: Sequence[Triple]) -> str | None:
    try:
        records_of(Statements(decoded=(), catalogued=tuple(triples)))
    except (GraphError, ModelError) as fault:
        return str(fault)
    return None


def _text_of(node: str) -> str:
    name = check(node[1:-1]).name
    return node if name is None else str(name)
