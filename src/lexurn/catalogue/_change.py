"""What a merge takes out of a store and puts into it, quad by quad."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._merge import Merge
from lexurn.graph import nquads_of
from lexurn.name import http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._protocols import Holdings, Store
    from lexurn.model import Family, Item

__all__ = ["Change", "change_of", "touched"]

_LEXO: Final = "https://w3id.org/lexurn/ns#"
_ITEM_OF: Final = f"<{_LEXO}itemOf>"
_EXEMPLAR_OF: Final = "<http://purl.org/vocab/frbr/core#exemplarOf>"
_TYPE: Final = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
_CHECKSUM: Final = "<http://spdx.org/rdf/terms#checksum>"
_SIZE: Final = "<http://www.w3.org/ns/dcat#byteSize>"
_LINE: Final = re.compile(r"<([^>]*)> (<[^>]*>) (.*) <[^>]*> \.\n", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """N-Quads lines that leave a store, and lines that come into it."""

    removed: frozenset[str]
    added: frozenset[str]


def change_of(
    merge: Merge, store: Store, holdings: Holdings, *, as_of: dt.date, base: str | None
) -> Change:
    """What has to be done to a store so that it holds the new families in place of the old.

    What the store holds of their names is asked, not believed; what else it holds stays.
    """
    wanted = {
        line
        for family in merge.new
        for line in _lines(nquads_of(family, as_of=as_of, base=base).decode())
    }
    nodes = {node for family in (*merge.old, *merge.new) for node in _nodes(family, base)}
    there = set(_held(nodes, store))
    there |= _own_copies(merge, store, holdings)
    return Change(removed=frozenset(there - wanted), added=frozenset(wanted - there))


def touched(merge: Merge, change: Change) -> Merge:
    """The families of a merge on whose names or copies a change says anything else."""
    nodes = {_parts(line)[0] for line in (*change.removed, *change.added)}
    return Merge(
        old=tuple(family for family in merge.old if not nodes.isdisjoint(_named(family))),
        new=tuple(family for family in merge.new if not nodes.isdisjoint(_named(family))),
    )


def _named(family: Family) -> set[str]:
    names = {record.name.iri for record in family.records}
    return names | {item.url for item in _items((family,))}


def _lines(text: str) -> Iterator[str]:
    """Lines that end at line feeds only, as N-Quads has them."""
    return (f"{line}\n" for line in text.split("\n") if line)


def _nodes(family: Family, base: str | None) -> Iterator[str]:
    for record in family.records:
        yield record.name.iri
        if base is not None:
            yield http_of(record.name, base).uri


def _held(nodes: Iterable[str], store: Store) -> Iterator[str]:
    """The lines of some nodes; not those to blank nodes of somebody's own: no update names them."""
    lines = store.quads(sorted(nodes))
    return (line for line in lines if not _parts(line)[2].startswith("_:"))


def _own_copies(merge: Merge, store: Store, holdings: Holdings) -> set[str]:
    """The lines on copies that nobody else stands behind, their digests included."""
    urls = {item.url for item in _items((*merge.old, *merge.new))}
    keys = {str(family.key) for family in (*merge.old, *merge.new)}
    names = {f"<{r.name.iri}>" for family in (*merge.old, *merge.new) for r in family.records}
    shared = {url for url, held in holdings.holders(urls, len(keys) + 1).items() if {*held} - keys}
    # A gazette may be the copy of thousands of acts, with a line for each.
    others = {url: holdings.copies(url, keys) for url in shared}
    own: set[str] = set()
    for line in _held(urls, store):
        url, predicate, value = _parts(line)
        if url not in shared or _is_own(predicate, value, names, others[url]):
            own.add(line)
    return own | _own_digests(own, store)


def _is_own(predicate: str, value: str, names: set[str], others: Iterable[Item]) -> bool:
    """Whether a line on a copy that others have too is of some names only."""
    if predicate in {_ITEM_OF, _EXEMPLAR_OF}:
        return value in names
    if predicate == _SIZE:
        return all(item.bytes is None or f'"{item.bytes}"' not in value for item in others)
    if predicate == _CHECKSUM:
        return all(f"<urn:sha256:{item.sha256}>" != value for item in others)
    return predicate != _TYPE


def _own_digests(own: Iterable[str], store: Store) -> set[str]:
    """The lines on digests at which no line points but those given."""
    pointing: dict[str, set[str]] = {}
    for line in own:
        url, predicate, value = _parts(line)
        if predicate == _CHECKSUM:
            pointing.setdefault(value, set()).add(url)
    lonely = [
        each[1:-1] for each, urls in sorted(pointing.items()) if urls >= _pointing(each, store)
    ]
    return set(_held(lonely, store))


def _pointing(digest: str, store: Store) -> set[str]:
    answer = store.query(f"SELECT DISTINCT ?copy WHERE {{ ?copy {_CHECKSUM} {digest} }}")
    return {row["copy"].value for row in answer}  # type: ignore[union-attr]  # a SELECT


def _parts(line: str) -> tuple[str, str, str]:
    """Subject without brackets, predicate and object of a line."""
    found = _LINE.fullmatch(line)
    return ("", "", "") if found is None else (found[1], found[2], found[3])


def _items(families: Iterable[Family]) -> Iterator[Item]:
    return (item for family in families for record in family.records for item in record.items)
