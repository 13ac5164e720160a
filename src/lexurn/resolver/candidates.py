"""Candidates of an answer: a name of a family with its versions and documents (RFC 9676 10.3)."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from functools import cache
from itertools import accumulate, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.name import check, http_of
from lexurn.resolver.answer import (
    Candidate,
    Copy,
    Document,
    Match,
    compute_score,
    find_match,
    make_reason,
)
from lexurn.resolver.family import FamilyView, is_withdrawn, replace_act
from lexurn.resolver.within import Preferences, Target, find_target

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Final

    from lexurn.catalogue import NameLookup
    from lexurn.model import Family, Item, LanguageText
    from lexurn.name import Name
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Reason
    from lexurn.resolver.readings import NameRequest

_HTTP_URL: Final = re.compile(r"https?://[^\s\x00-\x20\x7f<>\"{}|\\^`]+", re.IGNORECASE)


def list_documents(
    kin: FamilyView, nodes: Sequence[Sequence[Name]], partition: str | None
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
        for name, items in _list_own_parts(kin, names, partition):
            copies = _list_copies(items)
            withheld += len(items) - len(copies)
            if copies:
                documents.append(Document(name=name, copies=copies))
                break
        level = None
        if partition is not None and _has_fragments(kin.canonical(names[0])):
            level = _find_marked_part(kin, names, partition)
        items = _list_items(kin, names)
        copies = _list_copies(items, level)
        withheld += len(items) - len(copies)
        documents.append(Document(name=kin.canonical(names[0]), copies=copies, partition=level))
    return tuple(documents), tuple(_explain_documents(documents, partition, withheld))


def _has_fragments(name: Name) -> bool:
    """Whether a fragment can be an id in the media type of a thing, or none is known of it."""
    if name.manifestation is None:
        return True
    mime = name.manifestation.format.mime
    types, endings = _load_fragment_types()
    return mime in types or mime.endswith(endings)


@cache
def _load_fragment_types() -> tuple[frozenset[str], tuple[str, ...]]:
    """The media types in which an id is a fragment, and how the names of others like them end."""
    table = json.loads(data.read_text("ontology/fragments.json"))
    return frozenset(table["types"]), tuple(table["endings"])


def _list_items(kin: FamilyView, names: Iterable[Name]) -> list[Item]:
    """The copies stated under any of the names of a thing, each URL once, sorted."""
    records = (kin.record(name) for name in names)
    items = {item.url: item for record in records if record is not None for item in record.items}
    return [items[url] for url in sorted(items)]


def _list_copies(items: Iterable[Item], partition: str | None = None) -> tuple[Copy, ...]:
    """The copies that may be given out, those with an address that is http or https."""
    return tuple(
        Copy(url=_make_url(item, partition), bytes=item.bytes, sha256=item.sha256)
        for item in items
        if _HTTP_URL.fullmatch(item.url)
    )


def _make_url(item: Item, partition: str | None) -> str:
    """The URL with the partition as its fragment; one that has a fragment lies there already."""
    if partition is None or "#" in item.url:
        return item.url
    return f"{item.url}#{partition}"


def _explain_documents(
    documents: Iterable[Document], partition: str | None, withheld: int
) -> Iterator[Reason]:
    if withheld:
        what = "a copy" if withheld == 1 else f"{withheld} copies"
        yield make_reason("LX955", what)
    levels = {each.partition for each in documents if each.name.partition is None}
    if partition is None or not levels or levels == {partition}:
        return
    known = sorted(level for level in levels if level is not None and level != partition)
    told = "the whole is given" if partition not in levels else "of the others the whole is given"
    if known:
        told = f"the fragment is cut back to {', '.join(known)}"
    yield make_reason("LX954", partition, told)


def _find_marked_part(kin: FamilyView, names: Sequence[Name], partition: str) -> str | None:
    """What of a partition a document is known to mark (section 5.8).

    What is stated of the document itself decides, else what is of its version, else of its work,
    since ids are the same in each format; where nothing is stated, all of it may be marked.
    """
    for level in _list_levels(kin, names):
        if kin.has_parts(level):
            return next(_list_known_parts(kin, level, partition), (None, None))[0]
    return partition


def _list_levels(kin: FamilyView, names: Sequence[Name]) -> Iterator[tuple[Name, ...]]:
    """The names of a document, then those of its version, then those of its work."""
    yield tuple(names)
    work = names[0].work_name
    yield from (kin.equals(each) for each in names[0].ancestors() if each.work_name == work)


def _list_known_parts(
    kin: FamilyView, names: Sequence[Name], partition: str
) -> Iterator[tuple[str, Name]]:
    """The parts of a thing that hold a partition, the narrowest first, each with its name."""
    return (each for each in list_held_parts(kin, names, partition) if not kin.is_gone(each[1]))


def list_held_parts(
    kin: FamilyView, names: Iterable[Name], partition: str
) -> list[tuple[str, Name]]:
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


def _list_own_parts(
    kin: FamilyView, names: Sequence[Name], partition: str | None
) -> Iterator[tuple[Name, list[Item]]]:
    """The copies of the partition alone, then of those that hold it."""
    if partition is None or not kin.has_parts(names):
        return
    for _, same in groupby(_list_known_parts(kin, names, partition), key=itemgetter(0)):
        parts = [name for _, name in same]
        yield parts[0], _list_items(kin, parts)


_MOST_HOPS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class ResolverContext:
    """What a question is answered with."""

    holdings: NameLookup
    registry: Registry
    day: dt.date
    is_day_asked: bool
    language: str | None
    dialect: str
    base: str | None

    def wish(self, name: Name) -> Preferences:
        """What is wanted of what a name leads to."""
        return Preferences(
            day=self.day,
            is_day_asked=self.is_day_asked,
            language=self.language,
            registry=self.registry,
            code=name.jurisdiction.code,
        )


def make_candidate(
    desk: ResolverContext, family: Family, name: Name, asked: NameRequest
) -> Candidate:
    """What a name of a family leads to, with its documents."""
    kin, name, led = _follow_foreign_aliases(desk, FamilyView(family), name)
    parts = _list_parts(kin, name, asked.partition)
    gone = _find_withdrawn(kin, parts, _find_decisive(kin, name))
    place = find_target(kin, name, desk.wish(name)) if gone is None else Target(name=gone)
    partition, dropped = _choose_partition(place, name, asked.partition)
    reasons = (*asked.reasons, *led)
    if gone is None and place.name != name and not place.is_of_several:
        gone = _find_withdrawn(kin, _list_parts(kin, place.name, partition), place.name)
        if gone in name.ancestors():  # what would be given in place of the name is of no use then
            place = Target(name=gone)
    reasons = (*reasons, *place.reasons, *dropped)
    if gone is not None:
        return _make_withdrawn(kin, gone, reasons)
    documents, told = list_documents(kin, place.nodes, partition)
    reasons = (*reasons, *told, *_explain_above(kin, place.name))
    return Candidate(
        name=place.name,
        match=find_match(reasons),
        score=compute_score(reasons),
        reasons=reasons,
        titles=_find_titles(kin, place.name),
        editions=place.editions,
        documents=documents,
        uri=_make_uri(place.name, desk.base, partition),
    )


def _choose_partition(
    place: Target, name: Name, asked: str | None
) -> tuple[str | None, tuple[Reason, ...]]:
    """The partition that is looked for: none of an annex or a component that is not held.

    Article 7 of an act is another text than article 7 of its annex (section 6.4.1), or than that of
    a table in a document (section 5.7); what a component is called says not which of them it is.
    """
    if asked is None:
        return None, ()
    if not place.is_work_held:
        told = f"it is of the annex, so that no partition of {place.name} stands for it"
    elif _is_component_lost(place, name):
        told = f"it may be of the component alone, so that the whole of {place.name} is given"
    else:
        return asked, ()
    return None, (make_reason("LX947", asked, told, component="partition"),)


def _is_component_lost(place: Target, name: Name) -> bool:
    """Whether a component of a document was asked for that is not held."""
    if name.manifestation is None or name.manifestation.component is None:
        return False
    lost = {each.component for each in place.reasons if each.code == "LX947"}
    return not lost.isdisjoint({"component", "manifestation"})


def _follow_foreign_aliases(
    desk: ResolverContext, kin: FamilyView, name: Name
) -> tuple[FamilyView, Name, tuple[Reason, ...]]:
    """Where aliases lead that leave the family, as those of a server may; at most so many steps."""
    reasons: list[Reason] = []
    while len(reasons) < _MOST_HOPS:
        act = name.act_name
        target = kin.canonical(act)
        if target == act or kin.record(target) is not None:
            break
        family = desk.holdings.family(str(target))
        other = replace_act(target, name)
        if family is None or other is None or family.key == kin.family.key:
            break
        reasons.append(make_reason("LX943", act, target))
        kin, name = FamilyView(family), other
    return kin, name, tuple(reasons)


def _find_decisive(kin: FamilyView, name: Name) -> Name | None:
    """What decides at once: a name that is held; else the alias under which it would stand.

    What is not held may be found as something else below its act, which stands for itself.
    """
    nearest = kin.nearest((name, name.expression_name or name, name.work_name, name.act_name))
    is_alias = nearest is not None and kin.canonical(nearest) != nearest
    return nearest if nearest == name or is_alias else None


def _find_withdrawn(kin: FamilyView, parts: Iterable[Name], name: Name | None) -> Name | None:
    """What is withdrawn: a partition, else a name.

    Each name that is held stands for itself: a version may outlive the name of its act.
    """
    decisive = (kin.nearest(parts), name)
    return next((each for each in decisive if each and is_withdrawn(kin.record(each))), None)


def _explain_above(kin: FamilyView, name: Name) -> Iterator[Reason]:
    """Which of the names above one that is not withdrawn are."""
    for each in name.ancestors():
        record = kin.record(each)
        if record is not None and is_withdrawn(record):
            since = "" if record.withdrawn_on is None else f" since {record.withdrawn_on}"
            yield make_reason("LX952", f"{each} is withdrawn{since}; {name} is not")


def _list_parts(kin: FamilyView, name: Name, partition: str | None) -> tuple[Name, ...]:
    """The partition of a thing and those that hold it, as far as they are held."""
    if partition is None:
        return ()
    return tuple(part for _, part in list_held_parts(kin, (name,), partition))


def _make_withdrawn(kin: FamilyView, name: Name, reasons: tuple[Reason, ...]) -> Candidate:
    """The answer to a name that is withdrawn: that it was there, and what it was an alias of."""
    record = kin.record(name)
    day = None if record is None else record.withdrawn_on
    said = [make_reason("LX945", name, f" since {day}" if day is not None else "")]
    target = kin.canonical(name)
    if target != name:
        said.append(make_reason("LX943", name, target))
    reasons = (*reasons, *said)
    return Candidate(
        name=name,
        match=Match.WITHDRAWN,
        score=compute_score(reasons),
        reasons=reasons,
        titles=_find_titles(kin, name),
        withdrawn_on=day,
    )


def _find_titles(kin: FamilyView, name: Name) -> tuple[LanguageText, ...]:
    """The titles of a thing, or of the nearest thing above it that has one."""
    for each in (name, *name.ancestors()):
        record = kin.record(kin.canonical(each))
        if record is not None and record.titles:
            return record.titles
    return ()


def _make_uri(name: Name, base: str | None, partition: str | None) -> str | None:
    if base is None:
        return None
    uri = http_of(name.document, base).uri
    return uri if partition is None else f"{uri}#{partition}"
