"""Changes: what becomes of alias sets when others come in, and of the quads of a store.

A record that comes in replaces the one of the same name and leaves all others as they are. So sets
may be joined, torn apart, or stay; and a set that has a copy in common with one that comes in
learns that it is not alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.catalogue.catalogue import Merge
from lexurn.graph import nquads_of
from lexurn.model import families_of, family_of
from lexurn.name import http_of
from lexurn.store import select_rows
from lexurn.vocabulary import DCAT, FRBR, LEXO, RDF, SPDX

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Holdings
    from lexurn.model import Family, Item, Record
    from lexurn.name import Name
    from lexurn.store import Store


def list_acts(families: Iterable[Family]) -> set[str]:
    """The acts and aliases of acts of some families, and those that their names lead to."""
    names: set[Name] = set()
    for family in families:
        for record in family.records:
            names.add(record.name.act_name)
    return {str(name) for name in names}


def merge_families(
    incoming: Sequence[Family], holdings: Holdings, most: int | None = None
) -> Merge:
    """What some families change.

    Args:
        incoming: families that share no name.
        holdings: what the catalogue holds now.
        most: how many characters what is held of several of them may have; None for any number.

    Raises:
        ModelError: a record that comes in contradicts one that is held.
        TooLargeError: more is held.
    """
    old = tuple(holdings.families(list_acts(incoming), most))
    new = _join_records(old, incoming) if old else tuple(incoming)
    return _add_neighbours(Merge(old=old, new=new), holdings, most)


def _join_records(old: Iterable[Family], incoming: Iterable[Family]) -> tuple[Family, ...]:
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


def _add_neighbours(merge: Merge, holdings: Holdings, most: int | None) -> Merge:
    """The merge with the copies that other sets have too, and the one other set that learns so."""
    before, after = _list_urls(merge.old), _list_urls(merge.new)
    if not before | after:
        return merge
    known = {str(family.key) for family in merge.old}
    held = holdings.holders(before | after, most=len(known) + 2)
    others = {url: [k for k in keys if k not in known] for url, keys in held.items()}
    changed = before ^ after
    lonely = {keys[0] for url, keys in others.items() if len(keys) == 1 and url in changed}
    neighbours = tuple(holdings.families(lonely, most)) if lonely else ()
    new = [_set_shared(family, _find_shared(family, others)) for family in merge.new]
    new += [_set_shared(each, _keep_shared(each, after, others)) for each in neighbours]
    return Merge(old=_sort_families((*merge.old, *neighbours)), new=_sort_families(new))


def _find_shared(family: Family, others: Mapping[str, Collection[str]]) -> frozenset[str]:
    """The shared copies of a family that comes in."""
    return family.shared | {url for url in _list_urls((family,)) if others.get(url)}


def _keep_shared(
    family: Family, after: Collection[str], others: Mapping[str, Collection[str]]
) -> frozenset[str]:
    """The shared copies of a family that stays as it is otherwise."""
    looked_at = _list_urls((family,)) & others.keys()
    return (family.shared - looked_at) | {
        url for url in looked_at if url in after or len(others[url]) > 1
    }


def _set_shared(family: Family, shared: frozenset[str]) -> Family:
    return family if shared == family.shared else family_of(family.records, shared)


def _list_urls(families: Iterable[Family]) -> frozenset[str]:
    return frozenset(
        item.url for family in families for record in family.records for item in record.items
    )


def _sort_families(families: Iterable[Family]) -> tuple[Family, ...]:
    return tuple(sorted(families, key=lambda family: str(family.key)))


_ITEM_OF: Final = f"<{LEXO}itemOf>"
_EXEMPLAR_OF: Final = f"<{FRBR}exemplarOf>"
_TYPE: Final = f"<{RDF}type>"
_CHECKSUM: Final = f"<{SPDX}checksum>"
_SIZE: Final = f"<{DCAT}byteSize>"
_DIGEST: Final = "<urn:sha256:{}>"
_LINE: Final = re.compile(r"<([^>]*)> (<[^>]*>) (.*) <[^>]*> \.\n", re.DOTALL)
_MANY_DIGESTS: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class QuadChange:
    """N-Quads lines that leave a store, and lines that come into it."""

    removed: frozenset[str]
    added: frozenset[str]


def compute_change(
    merge: Merge,
    nquads: bytes,
    store: Store,
    holdings: Holdings,
    *,
    as_of: dt.date,
    base: str | None,
) -> QuadChange:
    """What has to be done to a store so that it holds the new families in place of the old.

    What the store holds of their names is asked, not believed; what else it holds stays.

    Args:
        merge: the families.
        nquads: of the new ones.
        store: the store.
        holdings: what the catalogue holds, the old families among it.
        as_of: the day for which the version in force is asked.
        base: what HTTP-URI equivalents begin with, or None.
    """
    wanted = set(_split_lines(nquads))
    nodes = {node for family in (*merge.old, *merge.new) for node in _list_nodes(family, base)}
    own, theirs = _read_copy_lines(merge, store, holdings, as_of)
    own |= set(_read_lines(nodes, store))
    return QuadChange(removed=frozenset(own - wanted), added=frozenset(wanted - own - theirs))


def select_changed(merge: Merge, change: QuadChange) -> Merge:
    """The families of a merge on whose names or copies a change says anything else."""
    nodes = {_find_subject(line) for line in (*change.removed, *change.added)}
    return Merge(
        old=tuple(
            family for family in merge.old if not nodes.isdisjoint(_list_named_nodes(family))
        ),
        new=tuple(
            family for family in merge.new if not nodes.isdisjoint(_list_named_nodes(family))
        ),
    )


def _find_subject(line: str) -> str:
    """The name or the copy of which a line says something; not the copy where it says whose."""
    subject, predicate, value = _split_line(line)
    return value[1:-1] if predicate in {_ITEM_OF, _EXEMPLAR_OF} else subject


def _list_named_nodes(family: Family) -> set[str]:
    names = {record.name.iri for record in family.records}
    return names | {item.url for item in _list_items((family,))}


def _split_lines(nquads: bytes) -> Iterator[str]:
    """Lines that end at line feeds only, as N-Quads has them."""
    return (f"{line}\n" for line in nquads.decode().split("\n") if line)


def _list_nodes(family: Family, base: str | None) -> Iterator[str]:
    for record in family.records:
        yield record.name.iri
        if base is not None:
            yield http_of(record.name, base).uri


def _read_lines(nodes: Iterable[str], store: Store) -> Iterator[str]:
    """The lines of some nodes; not those to blank nodes of somebody's own: no update names them."""
    lines = store.quads(sorted(nodes))
    return (line for line in lines if not _split_line(line)[2].startswith("_:"))


def _read_copy_lines(
    merge: Merge, store: Store, holdings: Holdings, as_of: dt.date
) -> tuple[set[str], set[str]]:
    """The lines on copies that nobody else stands behind, digests included; those others do too."""
    urls = {item.url for item in _list_items((*merge.old, *merge.new))}
    keys = {str(family.key) for family in (*merge.old, *merge.new)}
    shared = {url for url, held in holdings.holders(urls, len(keys) + 1).items() if {*held} - keys}
    # A gazette may be the copy of a million acts, with a line for each: of such a one the store is
    # not asked, since the old families know what they say of it themselves.
    said = set(_write_copy_lines(merge.old, shared, as_of))
    theirs = _find_others_lines(said, keys, holdings)
    own = (said - theirs) | set(_read_lines(urls - shared, store))
    return own | _read_own_digests(own, store), theirs


def _write_copy_lines(
    families: Iterable[Family], urls: Collection[str], as_of: dt.date
) -> Iterator[str]:
    """The lines of some families on some copies."""
    for family in families:
        if any(item.url in urls for item in _list_items((family,))):
            lines = _split_lines(nquads_of(family, as_of=as_of))
            yield from (line for line in lines if line.partition(">")[0][1:] in urls)


def _find_others_lines(said: Iterable[str], keys: Collection[str], holdings: Holdings) -> set[str]:
    """Those of some lines on shared copies that sets without these keys stand behind too."""
    found: set[str] = set()
    stated: dict[str, dict[str, str]] = {}
    for line in said:
        url, predicate, value = _split_line(line)
        if predicate == _TYPE:
            found.add(line)
        elif predicate == _SIZE:
            stated.setdefault(url, {})[value.split('"')[1]] = line
        elif predicate == _CHECKSUM:
            stated.setdefault(url, {})[value] = line
    for url, lines in stated.items():
        found.update(_match_stated(lines, holdings.copies(url, keys)))
    return found


def _match_stated(lines: Mapping[str, str], items: Iterable[Item]) -> Iterator[str]:
    """Those of some lines, by size or digest, that are stated of a copy; no more is read then."""
    waiting = dict(lines)
    for item in items:
        for value in (str(item.bytes), _DIGEST.format(item.sha256)):
            if value in waiting:
                yield waiting.pop(value)
        if not waiting:
            return


def _read_own_digests(own: Iterable[str], store: Store) -> set[str]:
    """The lines on digests at which no line points but those given."""
    pointing: dict[str, set[str]] = {}
    for line in own:
        url, predicate, value = _split_line(line)
        if predicate == _CHECKSUM and value.startswith("<"):
            pointing.setdefault(value, set()).add(url)
    digests = iter(sorted(pointing))
    while some := tuple(islice(digests, _MANY_DIGESTS)):
        for digest, url in _find_copies(some, store):
            if url not in pointing.get(digest, ()):
                pointing.pop(digest, None)
    return set(_read_lines((digest[1:-1] for digest in pointing), store))


def _find_copies(digests: Iterable[str], store: Store) -> Iterator[tuple[str, str]]:
    """Some digests (terms), each with each copy that has it."""
    text = (
        f"SELECT DISTINCT ?digest ?copy WHERE {{ VALUES ?digest {{ {' '.join(digests)} }} "
        f"?copy {_CHECKSUM} ?digest }}"
    )
    return ((str(row["digest"]), row["copy"].value) for row in select_rows(store, text))


def _split_line(line: str) -> tuple[str, str, str]:
    """Subject without brackets, predicate and object of a line."""
    found = _LINE.fullmatch(line)
    return ("", "", "") if found is None else (found[1], found[2], found[3])


def _list_items(families: Iterable[Family]) -> Iterator[Item]:
    return (item for family in families for record in family.records for item in record.items)
