"""The documents of a thing, and where their copies lie (RFC 9676 10.3, 5.8)."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import TYPE_CHECKING, Final

from lexurn import data
from lexurn.catalogue._answer import Copy, Document
from lexurn.catalogue._reasons import reason
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._kin import Kin
    from lexurn.catalogue._reasons import Reason
    from lexurn.model import Item
    from lexurn.name import Name

__all__ = ["documents_of", "partly", "parts_named"]

_HTTP: Final = re.compile(r"https?://[^\s\x00-\x20\x7f<>\"{}|\\^`]+", re.IGNORECASE)


def documents_of(
    kin: Kin, nodes: Sequence[Sequence[Name]], partition: str | None
) -> tuple[tuple[Document, ...], tuple[Reason, ...]]:
    """The documents of some things, with all their copies, and what is to be known of them.

    Nothing is given out of what is withdrawn (section 9.4).

    Args:
        kin: the family.
        nodes: for each thing all its names.
        partition: what is to become the fragment, or None.
    """
    documents: list[Document] = []
    withheld = 0
    for all_names in nodes:
        names = [name for name in all_names if not kin.is_gone(name)]
        if not names:
            continue
        level = None
        if partition is not None and _has_fragments(kin.canonical(names[0])):
            level = partly(kin, names, partition)
        items = list(_items(kin, names))
        given = [item for item in items if _HTTP.fullmatch(item.url)]
        withheld += len(items) - len(given)
        documents += _own_parts(kin, names, partition)
        copies = tuple(Copy(url=_url(i, level), bytes=i.bytes, sha256=i.sha256) for i in given)
        documents.append(Document(name=kin.canonical(names[0]), copies=copies, partition=level))
    return tuple(documents), tuple(_told(documents, partition, withheld))


def _has_fragments(name: Name) -> bool:
    """Whether a fragment can be an id in the media type of a thing, or none is known of it."""
    if name.manifestation is None:
        return True
    mime = name.manifestation.format.mime
    types, endings = _fragment_types()
    return mime in types or mime.endswith(endings)


@cache
def _fragment_types() -> tuple[frozenset[str], tuple[str, ...]]:
    """The media types in which an id is a fragment, and how the names of others like them end."""
    table = json.loads(data.text("ontology/fragments.json"))
    return frozenset(table["types"]), tuple(table["endings"])


def _items(kin: Kin, names: Iterable[Name]) -> Iterator[Item]:
    """The copies stated under any of the names of a thing, each URL once, sorted."""
    records = (kin.record(name) for name in names)
    items = {item.url: item for record in records if record is not None for item in record.items}
    return (items[url] for url in sorted(items))


def _url(item: Item, partition: str | None) -> str:
    """The URL with the partition as its fragment; one that has a fragment lies there already."""
    if partition is None or "#" in item.url:
        return item.url
    return f"{item.url}#{partition}"


def _told(documents: Iterable[Document], partition: str | None, withheld: int) -> Iterator[Reason]:
    if withheld:
        what = "a copy" if withheld == 1 else f"{withheld} copies"
        yield reason("LX955", what)
    levels = {each.partition for each in documents if each.name.partition is None}
    if partition is None or not levels or levels == {partition}:
        return
    known = sorted(level for level in levels if level is not None and level != partition)
    told = "the whole is given" if partition not in levels else "of the others the whole is given"
    if known:
        told = f"the fragment is cut back to {', '.join(known)}"
    yield reason("LX954", partition, told)


def partly(kin: Kin, names: Sequence[Name], partition: str) -> str | None:
    """What of a partition a document is known to mark (section 5.8).

    What is stated of the document itself decides, else what is of its version, else of its work,
    since ids are the same in each format; where nothing is stated, all of it may be marked.
    """
    for level in _levels(kin, names):
        if kin.has_parts(level):
            return next(_known_parts(kin, level, partition), (None, None))[0]
    return partition


def _levels(kin: Kin, names: Sequence[Name]) -> Iterator[tuple[Name, ...]]:
    """The names of a document, then those of its version, then those of its work."""
    yield tuple(names)
    work = names[0].work_name
    above = names[0].parent
    while above is not None and len(str(above)) >= len(str(work)):
        yield kin.equals(above)
        above = above.parent


def _known_parts(kin: Kin, names: Sequence[Name], partition: str) -> Iterator[tuple[str, Name]]:
    """The parts of a thing that hold a partition, the narrowest first, each with its name."""
    for part, name in parts_named(names, partition):
        if kin.record(name) is not None and not kin.is_gone(name):
            yield part, name


def parts_named(names: Sequence[Name], partition: str) -> Iterator[tuple[str, Name]]:
    """A partition and those that hold it, the narrowest first, each under each of some names."""
    part = partition
    while part:
        for name in names:
            found = check(f"{name}~{part}").name
            if found is not None:
                yield part, found
        part = part.rpartition(";")[0]


def _own_parts(kin: Kin, names: Sequence[Name], partition: str | None) -> Iterator[Document]:
    """Copies of the partition alone, where it has any."""
    if partition is None or not kin.has_parts(names):
        return
    for _, name in _known_parts(kin, names, partition):
        record = kin.record(name)
        items = () if record is None else record.items
        copies = tuple(
            Copy(url=item.url, bytes=item.bytes, sha256=item.sha256)
            for item in items
            if _HTTP.fullmatch(item.url)
        )
        if copies:
            yield Document(name=name, copies=copies)
            return
