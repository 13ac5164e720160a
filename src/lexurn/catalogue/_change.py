"""What a merge takes out of a store and puts into it, quad by quad."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._merge import Merge
from lexurn.catalogue._solutions import selected
from lexurn.graph import nquads_of
from lexurn.name import http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Iterator, Mapping

    from lexurn.catalogue._protocols import Holdings, Store
    from lexurn.model import Family, Item

__all__ = ["Change", "change_of", "touched"]

_LEXO: Final = "https://w3id.org/lexurn/ns#"
_ITEM_OF: Final = f"<{_LEXO}itemOf>"
_EXEMPLAR_OF: Final = "<http://purl.org/vocab/frbr/core#exemplarOf>"
_TYPE: Final = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_CHECKSUM: Final = "<http://spdx.org/rdf/terms#checksum>"
_SIZE: Final = "<http://www.w3.org/ns/dcat#byteSize>"
_DIGEST: Final = "<urn:sha256:{}>"
_LINE: Final = re.compile(r"<([^>]*)> (<[^>]*>) (.*) <[^>]*> \.\n", re.DOTALL)
_MANY: Final = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """N-Quads lines that leave a store, and lines that come into it."""

    removed: frozenset[str]
    added: frozenset[str]


def change_of(
    merge: Merge,
    nquads: bytes,
    store: Store,
    holdings: Holdings,
    *,
    as_of: dt.date,
    base: str | None,
) -> Change:
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
    wanted = set(_lines(nquads))
    nodes = {node for family in (*merge.old, *merge.new) for node in _nodes(family, base)}
    own, theirs = _on_copies(merge, store, holdings, as_of)
    own |= set(_held(nodes, store))
    return Change(removed=frozenset(own - wanted), added=frozenset(wanted - own - theirs))


def touched(merge: Merge, change: Change) -> Merge:
    """The families of a merge on whose names or copies a change says anything else."""
    nodes = {_about(line) for line in (*change.removed, *change.added)}
    return Merge(
        old=tuple(family for family in merge.old if not nodes.isdisjoint(_named(family))),
        new=tuple(family for family in merge.new if not nodes.isdisjoint(_named(family))),
    )


def _about(line: str) -> str:
    """The name or the copy of which a line says something; not the copy where it says whose."""
    subject, predicate, value = _parts(line)
    return value[1:-1] if predicate in {_ITEM_OF, _EXEMPLAR_OF} else subject


def _named(family: Family) -> set[str]:
    names = {record.name.iri for record in family.records}
    return names | {item.url for item in _items((family,))}


def _lines(nquads: bytes) -> Iterator[str]:
    """Lines that end at line feeds only, as N-Quads has them."""
    return (f"{line}\n" for line in nquads.decode().split("\n") if line)


def _nodes(family: Family, base: str | None) -> Iterator[str]:
    for record in family.records:
        yield record.name.iri
        if base is not None:
            yield http_of(record.name, base).uri


def _held(nodes: Iterable[str], store: Store) -> Iterator[str]:
    """The lines of some nodes; not those to blank nodes of somebody's own: no update names them."""
    lines = store.quads(sorted(nodes))
    return (line for line in lines if not _parts(line)[2].startswith("_:"))


def _on_copies(
    merge: Merge, store: Store, holdings: Holdings, as_of: dt.date
) -> tuple[set[str], set[str]]:
    """The lines on copies that nobody else stands behind, digests included; those others do too."""
    urls = {item.url for item in _items((*merge.old, *merge.new))}
    keys = {str(family.key) for family in (*merge.old, *merge.new)}
    shared = {url for url, held in holdings.holders(urls, len(keys) + 1).items() if {*held} - keys}
    # A gazette may be the copy of a million acts, with a line for each: of such a one the store is
    # not asked, since the old families know what they say of it themselves.
    said = set(_said(merge.old, shared, as_of))
    theirs = _theirs(said, keys, holdings)
    own = (said - theirs) | set(_held(urls - shared, store))
    return own | _own_digests(own, store), theirs


def _said(families: Iterable[Family], urls: Collection[str], as_of: dt.date) -> Iterator[str]:
    """The lines of some families on some copies."""
    for family in families:
        if any(item.url in urls for item in _items((family,))):
            lines = _lines(nquads_of(family, as_of=as_of))
            yield from (line for line in lines if line.partition(">")[0][1:] in urls)


def _theirs(said: Iterable[str], keys: Collection[str], holdings: Holdings) -> set[str]:
    """Those of some lines on shared copies that sets without these keys stand behind too."""
    found: set[str] = set()
    stated: dict[str, dict[str, str]] = {}
    for line in said:
        url, predicate, value = _parts(line)
        if predicate == _TYPE:
            found.add(line)
        elif predicate == _SIZE:
            stated.setdefault(url, {})[value.split('"')[1]] = line
        elif predicate == _CHECKSUM:
            stated.setdefault(url, {})[value] = line
    for url, lines in stated.items():
        found.update(_stated_too(lines, holdings.copies(url, keys)))
    return found


def _stated_too(lines: Mapping[str, str], items: Iterable[Item]) -> Iterator[str]:
    """Those of some lines, by size or digest, that are stated of a copy; no more is read then."""
    waiting = dict(lines)
    for item in items:
        for value in (str(item.bytes), _DIGEST.format(item.sha256)):
            if value in waiting:
                yield waiting.pop(value)
        if not waiting:
            return


def _own_digests(own: Iterable[str], store: Store) -> set[str]:
    """The lines on digests at which no line points but those given."""
    pointing: dict[str, set[str]] = {}
    for line in own:
        url, predicate, value = _parts(line)
        if predicate == _CHECKSUM and value.startswith("<"):
            pointing.setdefault(value, set()).add(url)
    digests = iter(sorted(pointing))
    while some := tuple(islice(digests, _MANY)):
        for digest, url in _pointing(some, store):
            if url not in pointing.get(digest, ()):
                pointing.pop(digest, None)
    return set(_held((digest[1:-1] for digest in pointing), store))


def _pointing(digests: Iterable[str], store: Store) -> Iterator[tuple[str, str]]:
    """Some digests (terms), each with each copy that has it."""
    text = (
        f"SELECT DISTINCT ?digest ?copy WHERE {{ VALUES ?digest {{ {' '.join(digests)} }} "
        f"?copy {_CHECKSUM} ?digest }}"
    )
    return ((str(row["digest"]), row["copy"].value) for row in selected(store, text))


def _parts(line: str) -> tuple[str, str, str]:
    """Subject without brackets, predicate and object of a line."""
    found = _LINE.fullmatch(line)
    return ("", "", "") if found is None else (found[1], found[2], found[3])


def _items(families: Iterable[Family]) -> Iterator[Item]:
    return (item for family in families for record in family.records for item in record.items)
