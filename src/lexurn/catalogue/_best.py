"""The best version of a work, its documents, and where their copies lie (RFC 9676 10.3, 5.8)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._answer import Copy, Document, Edition
from lexurn.catalogue._reasons import reason
from lexurn.model import is_original
from lexurn.name import check

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._kin import Kin
    from lexurn.catalogue._reasons import Reason
    from lexurn.model import Chain, ChainVersion, Item
    from lexurn.name import Name

    Span = tuple[dt.date | None, dt.date | None]

__all__ = [
    "best_edition",
    "documents_of",
    "edition_of",
    "force_told",
    "is_gone",
    "partly",
    "parts_named",
]

_HTTP: Final = re.compile(r"https?://[^\s\x00-\x20\x7f<>\"{}|\\^`]+", re.IGNORECASE)


def edition_of(chain: Chain, version: ChainVersion, day: dt.date) -> Edition:
    """A version as it stands on a day."""
    in_force = None if version.start is None else chain.current(day).version == version.name
    return Edition(
        name=version.name,
        language=chain.language,
        start=version.start,
        until=version.until,
        in_force=in_force,
    )


def best_edition(
    kin: Kin, chain: Chain, day: dt.date, *, is_day_asked: bool
) -> tuple[Edition | None, Reason | None]:
    """The version in force on a day; where there is none, why, and what is given in its place.

    Where a day was asked for, nothing stands for what was not in force on it. Where none was, the
    most recent text is wanted, in force or not.
    """
    name = chain.current(day).version
    if name is not None:
        version = next(each for each in chain.versions if each.name == name)
        return edition_of(chain, version, day), None
    held = [each for each in chain.versions if not is_gone(kin, each)]
    if not held:
        return None, reason("LX952", f"all versions of {chain.work} are withdrawn")
    begun = [each for each in held if each.start is not None and each.start <= day]
    known = any(each.start is not None for each in held)
    why = _why_none(held, begun, day, _force_of(kin, chain.work))
    if known and is_day_asked:
        return None, reason("LX952", f"{why}; no version is given")
    version = begun[-1] if begun else held[0] if known else held[-1]
    told = f"{why}; {version.name} is given"
    return edition_of(chain, version, day), reason("LX952", told)


def is_gone(kin: Kin, version: ChainVersion) -> bool:
    """Whether a version is withdrawn under all its names."""
    return all(map(kin.is_gone, version.names))


def _force_of(kin: Kin, work: Name) -> Span:
    """The first day on which a work is in force and the first on which it is no more, as stated.

    What an annex does not state, what it belongs to does (section 6.4.1).
    """
    levels = [kin.equals(kin.canonical(each)) for each in (work, *work.ancestors())]
    found = (kin.record(name) for names in levels for name in names)
    records = [record for record in found if record is not None]
    starts = (record.in_force_from for record in records)
    ends = (record.in_force_until for record in records)
    return next(filter(None, starts), None), next(filter(None, ends), None)


def force_told(kin: Kin, work: Name, day: dt.date) -> Reason | None:
    """That a work of which no versions are known is not in force on a day, where it states so."""
    why = _why_not(_force_of(kin, work), day)
    return None if why is None else reason("LX952", f"{why}; what is held of it is given")


def _why_not(force: Span, day: dt.date) -> str | None:
    start, until = force
    if until is not None and until <= day:
        return f"no longer in force on {day}: it ended on {until}"
    if start is not None and day < start:
        return f"not yet in force on {day}: it comes into force on {start}"
    return None


def _why_none(
    held: Sequence[ChainVersion], begun: Sequence[ChainVersion], day: dt.date, force: Span
) -> str:
    """Why no version is in force: the work is not, or none of that day is held."""
    starts = [each.start for each in held if each.start is not None]
    if not starts:
        return "nothing says when its versions are in force"
    why = _why_not(force, day)
    if why is not None:
        return why
    later = [start for start in starts if start > day]
    ends = [each.until for each in begun if each.until is not None and each.until <= day]
    ended = f": it ended on {max(ends)}" if ends else ""
    if not later:
        return f"no longer in force on {day}{ended}"
    if begun or force[0] is not None or not _is_first(held, min(starts)):
        return f"no version of {day} is held: the next is in force from {min(later)}"
    return f"not yet in force on {day}: it comes into force on {min(starts)}"


def _is_first(held: Sequence[ChainVersion], start: dt.date) -> bool:
    """Whether the version that starts first is the original, before which there is none."""
    names = (name.expression for each in held if each.start == start for name in each.names)
    return any(each is not None and is_original(each.version) for each in names)


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
        level = None if partition is None else partly(kin, names, partition)
        items = list(_items(kin, names))
        given = [item for item in items if _HTTP.fullmatch(item.url)]
        withheld += len(items) - len(given)
        documents += _own_parts(kin, names, partition)
        copies = tuple(Copy(url=_url(i, level), bytes=i.bytes, sha256=i.sha256) for i in given)
        documents.append(Document(name=kin.canonical(names[0]), copies=copies, partition=level))
    return tuple(documents), tuple(_told(documents, partition, withheld))


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
    told = f"the fragment is cut back to {', '.join(known)}" if known else "the whole is given"
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
