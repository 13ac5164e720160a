"""Changes of a catalogue: the alias sets after a load, and the quads to remove and to add.

A record that is loaded replaces the one of the same name and leaves all others as they are. So
alias sets may be joined or split. A set that shares a copy with a loaded one changes too. The
concepts of the registry that acts have are described once in a store; these statements stay.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn import graph
from lexurn import store as stores
from lexurn.catalogue.catalogue import Merge
from lexurn.lazy import compile_late
from lexurn.model import families_of, family_of
from lexurn.name import http_of
from lexurn.vocabulary import BYTE_SIZE, CHECKSUM, CONCEPT_CLASS, EXEMPLAR_OF, RECORD_END, TYPE

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Sequence

    from lexurn.catalogue.index import Index
    from lexurn.model import Family
    from lexurn.store import EmbeddedStore


def merge_families(incoming: Sequence[Family], holdings: Index, most: int | None = None) -> Merge:
    """Merge some families with those that the catalogue holds of their names.

    Args:
        incoming: families that share no name.
        holdings: the families that the catalogue holds now.
        most: the most characters that the data of several held families may have; None for any
            number.

    Raises:
        ModelError: a record that comes in contradicts one that is held.
        TooLargeError: the held families have more.
    """
    acts = {record.name.act_name for family in incoming for record in family.records}
    old = tuple(holdings.families({str(act) for act in acts}, most))
    new: Sequence[Family] = incoming
    if old:
        records = {record.name: record for family in old for record in family.records}
        for family in incoming:
            targets = frozenset(family.aliases.values())
            for record in family.records:
                # An empty record with names below it, or aliases, exists only for their sake.
                is_described = (
                    record.source is not None
                    or record != type(record)(name=record.name)
                    or not (family.children(record.name) or record.name in targets)
                )
                if record.name not in records or is_described:
                    records[record.name] = record
        new = families_of(records.values())
    return _add_neighbours(Merge(old=old, new=tuple(new)), holdings, most)


def _add_neighbours(merge: Merge, holdings: Index, most: int | None) -> Merge:
    """Add to a merge the copies that other sets share, and the sets that this changes."""
    before, after = _list_urls(merge.old), _list_urls(merge.new)
    if not before | after:
        return merge
    known = {str(family.key) for family in merge.old}
    held = holdings.holders(before | after, most=len(known) + 2)
    others = {url: [k for k in keys if k not in known] for url, keys in held.items()}
    changed = before ^ after
    lonely = {keys[0] for url, keys in others.items() if len(keys) == 1 and url in changed}
    neighbours = tuple(holdings.families(lonely, most)) if lonely else ()
    new: list[Family] = []
    for family in merge.new:
        found = {url for url in _list_urls((family,)) if others.get(url)}
        new.append(_set_shared(family, family.shared | found))
    for family in neighbours:
        known_urls = _list_urls((family,)) & others.keys()
        found = {url for url in known_urls if url in after or len(others[url]) > 1}
        new.append(_set_shared(family, (family.shared - known_urls) | found))
    return Merge(old=_sort_families((*merge.old, *neighbours)), new=_sort_families(new))


def _set_shared(family: Family, shared: frozenset[str]) -> Family:
    return family if shared == family.shared else family_of(family.records, shared)


def _sort_families(families: Iterable[Family]) -> tuple[Family, ...]:
    return tuple(sorted(families, key=lambda family: str(family.key)))


def _list_urls(families: Iterable[Family]) -> frozenset[str]:
    return frozenset(
        item.url for family in families for record in family.records for item in record.items
    )


_LINE: Final = compile_late(r"<([^>]*)> (<[^>]*>) (.*) <[^>]*> \.\n", re.DOTALL)
_MANY_DIGESTS: Final = 500


class QuadChange(NamedTuple):
    """N-Quads lines to remove from a store, and lines to add."""

    removed: frozenset[str]
    added: frozenset[str]


def compute_change(
    merge: Merge,
    nquads: bytes,
    store: EmbeddedStore,
    holdings: Index,
    *,
    as_of: dt.date,
    base: str | None,
) -> QuadChange:
    """Compute the change that puts new families in the place of old ones in a store.

    The store is asked for its statements on their names; all its other statements stay.

    Args:
        merge: the families.
        nquads: the quads of the new ones.
        store: the store.
        holdings: the families that the catalogue holds, the old ones among them.
        as_of: the day for which the version in force is asked.
        base: the start of HTTP-URI equivalents, or None.
    """
    described = write_concepts(graph.find_concepts(merge.new))
    wanted = {*_split_lines(nquads), *_split_lines(described)}
    names = {record.name for family in (*merge.old, *merge.new) for record in family.records}
    nodes = {name.iri for name in names}
    nodes |= {name.iri + RECORD_END for name in names}
    nodes |= {http_of(name, base).uri for name in names} if base is not None else set()
    nodes |= {_split_line(line)[0] for line in _split_lines(described)}
    own, theirs = _read_copy_lines(merge, store, holdings, as_of)
    own |= set(_read_lines(nodes, store))
    return QuadChange(removed=frozenset(own - wanted), added=frozenset(wanted - own - theirs))


def write_concepts(concepts: Iterable[str]) -> bytes:
    """Write the quads on concepts of the registry, given as terms."""
    return graph.write(graph.describe_concepts(concepts), graph.Format.NQUADS)


def compute_concept_change(concepts: Iterable[str], store: EmbeddedStore) -> QuadChange:
    """Compute the change after which a store describes some concepts, as the registry has them.

    Args:
        concepts: the terms of all concepts that the acts in the store have.
        store: the store.
    """
    wanted = set(_split_lines(write_concepts(concepts)))
    computed = graph.Layer.COMPUTED.iri
    rows = stores.select_rows(
        store, f"SELECT ?concept WHERE {{ GRAPH <{computed}> {{ ?concept a {CONCEPT_CLASS} }} }}"
    )
    nodes = {_split_line(line)[0] for line in wanted} | {row["concept"].value for row in rows}
    own = set(_read_lines(nodes, store))
    return QuadChange(removed=frozenset(own - wanted), added=frozenset(wanted - own))


def select_changed(merge: Merge, change: QuadChange) -> Merge:
    """Select the families of a merge whose names or copies a change concerns."""
    nodes: set[str] = set()
    for line in (*change.removed, *change.added):
        subject, predicate, value = _split_line(line)
        # A link from a copy to a name is a statement on the name.
        nodes.add(value[1:-1] if predicate == EXEMPLAR_OF else subject.removesuffix(RECORD_END))

    def is_changed(family: Family) -> bool:
        names = {record.name.iri for record in family.records}
        return not nodes.isdisjoint(names | _list_urls((family,)))

    return Merge(old=tuple(filter(is_changed, merge.old)), new=tuple(filter(is_changed, merge.new)))


def _split_lines(nquads: bytes) -> Iterator[str]:
    """Split N-Quads into lines, which end at line feeds only."""
    return (f"{line}\n" for line in nquads.decode().split("\n") if line)


def _split_line(line: str) -> tuple[str, str, str]:
    """Split a line into subject without brackets, predicate and object."""
    found = _LINE.fullmatch(line)
    return ("", "", "") if found is None else (found[1], found[2], found[3])


def _read_lines(nodes: Iterable[str], store: EmbeddedStore) -> Iterator[str]:
    """Yield the lines of some nodes, without links to blank nodes, which no update can name."""
    lines = store.quads(sorted(nodes))
    return (line for line in lines if not _split_line(line)[2].startswith("_:"))


def _read_copy_lines(
    merge: Merge, store: EmbeddedStore, holdings: Index, as_of: dt.date
) -> tuple[set[str], set[str]]:
    """Read the lines on copies that only these families state, and those that others state too."""
    urls = _list_urls((*merge.old, *merge.new))
    keys = {str(family.key) for family in (*merge.old, *merge.new)}
    shared = {url for url, held in holdings.holders(urls, len(keys) + 1).items() if {*held} - keys}
    # A gazette may be the copy of a million acts, each with a size of its own. So the store is not
    # asked for its lines: the old families hold their own.
    stated: set[str] = set()
    for family in merge.old:
        if not shared.isdisjoint(_list_urls((family,))):
            lines = _split_lines(graph.nquads_of(family, as_of=as_of))
            stated.update(line for line in lines if line.partition(">")[0][1:] in shared)
    theirs = _find_others_lines(stated, keys, holdings)
    own = (stated - theirs) | set(_read_lines(urls - shared, store))
    return own | _read_own_digests(own, store), theirs


def _find_others_lines(lines: Iterable[str], keys: Collection[str], holdings: Index) -> set[str]:
    """Find those of some lines on shared copies that sets with other keys state too."""
    found: set[str] = set()
    stated: dict[str, dict[str, str]] = {}
    for line in lines:
        url, predicate, value = _split_line(line)
        if predicate == TYPE:
            found.add(line)
        elif predicate == BYTE_SIZE:
            stated.setdefault(url, {})[value.split('"')[1]] = line
        elif predicate == CHECKSUM:
            stated.setdefault(url, {})[value] = line
    for url, waiting in stated.items():
        for item in holdings.copies(url, keys):
            for value in (str(item.bytes), f"<{item.digest_uri}>"):
                if value in waiting:
                    found.add(waiting.pop(value))
            if not waiting:
                break
    return found


def _read_own_digests(own: Iterable[str], store: EmbeddedStore) -> set[str]:
    """Read the lines on digests to which no other line points."""
    pointing: dict[str, set[str]] = {}
    for line in own:
        url, predicate, value = _split_line(line)
        if predicate == CHECKSUM and value.startswith("<"):
            pointing.setdefault(value, set()).add(url)
    digests = iter(sorted(pointing))
    while some := tuple(islice(digests, _MANY_DIGESTS)):
        text = (
            f"SELECT DISTINCT ?digest ?copy WHERE {{ VALUES ?digest {{ {' '.join(some)} }} "
            f"?copy {CHECKSUM} ?digest }}"
        )
        for row in stores.select_rows(store, text):
            if row["copy"].value not in pointing.get(str(row["digest"]), ()):
                pointing.pop(str(row["digest"]), None)
    return set(_read_lines((digest[1:-1] for digest in pointing), store))
