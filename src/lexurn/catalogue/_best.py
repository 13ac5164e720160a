"""The documents of a thing, and where their copies lie (RFC 9676 10.3, 5.8)."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import accumulate, groupby
from operator import itemgetter
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

__all__ = ["documents_of", "parts_held"]

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
        for name, items in _own_parts(kin, names, partition):
            copies = _copies(items)
            withheld += len(items) - len(copies)
            if copies:
                documents.append(Document(name=name, copies=copies))
                break
        level = None
        if partition is not None and _has_fragments(kin.canonical(names[0])):
            level = _partly(kin, names, partition)
        items = _items(kin, names)
        copies = _copies(items, level)
        withheld += len(items) - len(copies)
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


def _items(kin: Kin, names: Iterable[Name]) -> list[Item]:
    """The copies stated under any of the names of a thing, each URL once, sorted."""
    records = (kin.record(name) for name in names)
    items = {item.url: item for record in records if record is not None for item in record.items}
    return [items[url] for url in sorted(items)]


def _copies(items: Iterable[Item], partition: str | None = None) -> tuple[Copy, ...]:
    """The copies that may be given out, those with an address that is http or https."""
    return tuple(
        Copy(url=_url(item, partition), bytes=item.bytes, sha256=item.sha256)
        for item in items
        if _HTTP.fullmatch(item.url)
    )


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


def _partly(kin: Kin, names: Sequence[Name], partition: str) -> str | None:
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
    yield from (kin.equals(each) for each in names[0].ancestors() if each.work_name == work)


def _known_parts(kin: Kin, names: Sequence[Name], partition: str) -> Iterator[tuple[str, Name]]:
    """The parts of a thing that hold a partition, the narrowest first, each with its name."""
    return (each for each in parts_held(kin, names, partition) if not kin.is_gone(each[1]))


def parts_held(kin: Kin, names: Iterable[Name], partition: str) -> list[tuple[str, Name]]:
    """What is held of a partition and those that hold it, the narrowest first, each with its name.

    What is above a name that is held is held too, so that the first that is not ends the search.
    """
    found: list[tuple[str, Name]] = []
    for name in names:
        for part in accumulate(partition.split(";"), "{};{}".format):
            each = check(f"{name}~{part}").name
            if each is None or kin.record(each) is None:
                break
            found.append((part, each))
    return sorted(found, key=lambda each: each[0].count(";"), reverse=True)


def _own_parts(
    kin: Kin, names: Sequence[Name], partition: str | None
) -> Iterator[tuple[Name, list[Item]]]:
    """The copies of the partition alone, then of those that hold it."""
    if partition is None or not kin.has_parts(names):
        return
    for _, same in groupby(_known_parts(kin, names, partition), key=itemgetter(0)):
        parts = [name for _, name in same]
        yield parts[0], _items(kin, parts)
