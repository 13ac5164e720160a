"""Resolution (RFC 9676 §10.3): from any text to candidates with documents and reasons."""

from __future__ import annotations

import json
import re
from functools import cache
from itertools import accumulate, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple, cast

from lexurn import data
from lexurn.catalogue import list_some
from lexurn.lazy import compile_late
from lexurn.model import read_day
from lexurn.name import check, http_of, parse
from lexurn.resolver.answer import (
    Answer,
    Candidate,
    Copy,
    Document,
    Match,
    compute_score,
    find_match,
    make_reason,
)
from lexurn.resolver.family import FamilyView, is_withdrawn, replace_act
from lexurn.resolver.readings import NameRequest, explain_refusal, is_text, list_requests
from lexurn.resolver.target import Preferences, Target, find_target

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue import Catalogue, NameLookup, ServerCatalogue
    from lexurn.model import Family, Item, LanguageText
    from lexurn.name import Name
    from lexurn.registry import Registry
    from lexurn.resolver.answer import Reason, Reasons
    from lexurn.resolver.partial_matches import SimilarAct

_MOST_CANDIDATES: Final = 1_000
_NO_ACT_OF_DAY: Final = (
    "the catalogue has no act of this authority, measure and date; add the number, which also "
    "finds an act without its authority or measure, or with a year only"
)


def resolve(  # noqa: PLR0913 - each option is one keyword
    name: str | Name,
    catalogue: str | Path | Catalogue | ServerCatalogue | NameLookup,
    *,
    date: dt.date | str | None = None,
    language: str | None = None,
    registry: Registry | None = None,
    dialect: str = "auto",
    base: str | None = None,
) -> Answer:
    """Find all that a catalogue has for a name, exact or not (RFC 9676 section 10.3).

    >>> from lexurn.catalogue import MemoryHoldings
    >>> resolve("urn:lex:it:stato:legge:2003-09-21;456", MemoryHoldings(())).match
    <Match.NONE: 'none'>

    Args:
        name: a name, or any text that may be one, with or without a partition.
        catalogue: an open catalogue or its holdings; or the argument of `open_readable`.
        date: the day on which a version must be in force, as a date or in ISO 8601; by default
            today (UTC).
        language: the language (BCP 47); by default that of the name, else all.
        registry: the registry of acronyms, abbreviations and synonyms; None for the built-in one.
        dialect: the dialect of the name: ``auto``, ``rfc9676``, ``lexml``, ``nir``, ``draft``.
        base: the base of the catalogue's HTTP-URI equivalents, which are then read as names.

    Returns:
        All candidates with the best score, with match and reasons; any text has an answer.

    Raises:
        CatalogueError: the catalogue cannot be read.
        DateError: ``date`` is a text that is not a date.
        ValueError: there is no such dialect.
    """
    day = read_day(date)
    if isinstance(catalogue, str | Path):
        from lexurn.catalogue import open_readable  # noqa: PLC0415 - an open catalogue needs none

        with open_readable(catalogue) as opened:
            return resolve(
                name,
                opened.holdings,
                date=date,
                language=language,
                registry=registry,
                dialect=dialect,
                base=base or opened.base,
            )
    if dialect not in {"auto", "rfc9676"}:
        from lexurn.dialect import Dialect  # noqa: PLC0415 - names of the RFC need none

        dialect = Dialect(dialect).value
    context = ResolverContext(
        holdings=cast("NameLookup", getattr(catalogue, "holdings", catalogue)),
        preferences=Preferences(
            day=day,
            is_day_asked=date is not None,
            language=None if language is None else language.lower(),
            registry=registry,
        ),
        dialect=dialect,
        base=base,
    )
    return _Question(str(name), context).find_answer()


class ResolverContext(NamedTuple):
    """Catalogue, preferences and options by which a question is answered."""

    holdings: NameLookup
    preferences: Preferences
    dialect: str
    base: str | None


class _Question:
    """Text to resolve, with the readings that were tried."""

    def __init__(self, text: str, context: ResolverContext) -> None:
        self._text, self._context = text, context
        self._requests: list[NameRequest] = []

    def find_answer(self) -> Answer:
        """Return the candidates by name, else by similarity, else the reason for none."""
        found = self._find_by_name()
        # A withdrawn name yields to one that is not.
        lasting = _select_not_withdrawn(found) or found
        found, total = lasting, len(lasting)
        nearby: list[str] = []
        if not found:
            similar, nearby = self._find_similar()
            total = len(similar)
            found = self._make_candidates(similar[:_MOST_CANDIDATES])
            lasting = _select_not_withdrawn(found) or found
        # A withdrawn act may be the one that is meant, but hides none that is not (section 9.4).
        best = max((each.score for each in lasting), default=0.0)
        chosen = {
            each.name: each
            for each in reversed(found)
            if each.score == best or (each.match is Match.WITHDRAWN and each.score > best)
        }
        candidates = tuple(
            sorted(
                chosen.values(), key=lambda each: (each.match is Match.WITHDRAWN, str(each.name))
            )
        )
        reasons: Reasons = ()
        if not candidates:
            reasons = (self._explain_none(nearby),)
        elif total > _MOST_CANDIDATES:
            reasons = (make_reason("LX959", f"{total:,}", f"{_MOST_CANDIDATES:,}"),)
        first = self._requests[0] if self._requests else None
        return Answer(
            text=self._text,
            name=None if first is None or first.missing else first.name,
            match=candidates[0].match if candidates else Match.NONE,
            date=self._context.preferences.day,
            language=self._context.preferences.language,
            partition=None if first is None else first.partition,
            candidates=candidates,
            reasons=reasons,
        )

    def _explain_none(self, nearby: Sequence[str]) -> Reason:
        if not self._requests:
            return explain_refusal(self._text, self._context.base)
        first = self._requests[0]
        if "numbers" in first.missing:
            return make_reason("LX958", _NO_ACT_OF_DAY)
        if not nearby:
            return make_reason("LX956", first.name.jurisdiction)
        return make_reason("LX957", list_some(nearby))

    def _find_by_name(self) -> list[Candidate]:
        """Return what the catalogue has under the name itself, in any reading."""
        partial: list[Candidate] = []
        for requests in self._read():
            found = [
                make_candidate(self._context, family, request.name, request)
                for request in requests
                if not request.missing
                and (family := self._context.holdings.family(str(request.name.act_name)))
            ]
            if found and found[0].match is not Match.PARTIAL:
                self._requests = [requests[0], *self._requests]
                return found
            partial += found
        return partial

    def _read(self) -> Iterator[list[NameRequest]]:
        """Yield the readings of the text; spellings of publishers come before rules."""
        context, registry = self._context, self._context.preferences.registry
        has_spellings = context.dialect != "rfc9676"
        for request in list_requests(
            self._text, dialect=context.dialect, registry=registry, base=context.base
        ):
            if has_spellings and find_match(request.reasons) is not Match.EXACT:
                has_spellings = False
                yield self._read_spellings()
            self._requests.append(request)
            yield [request]
        if has_spellings:
            yield self._read_spellings()

    def _read_spellings(self) -> list[NameRequest]:
        if not is_text(self._text):
            return []
        reason = make_reason("LX940", "a spelling in a dialect", "as the publisher states")
        names = [parse(name) for name in self._context.holdings.spelled(self._text)]
        return [
            NameRequest(name=name.document, partition=name.partition, reasons=(reason,))
            for name in names
        ]

    def _find_similar(self) -> tuple[list[SimilarAct], list[str]]:
        """Return the most similar acts in any reading, and those that are only nearby."""
        from lexurn.registry import load_registry  # noqa: PLC0415 - exact names need none
        from lexurn.resolver.partial_matches import find_similar_acts  # noqa: PLC0415 - as above

        similar: list[SimilarAct] = []
        nearby: set[str] = set()
        context = self._context
        registry = context.preferences.registry or load_registry()
        for request in self._requests:
            found = find_similar_acts(request, context.holdings, registry)
            similar += found.similar
            nearby.update(found.nearby)
        best = max((each.score for each in similar), default=0.0)
        return [each for each in similar if each.score == best], sorted(nearby)

    def _make_candidates(self, similar: Sequence[SimilarAct]) -> list[Candidate]:
        """Make candidates of acts; a withdrawn name yields to other names of the same act."""
        families = {
            str(record.name): family
            for family in self._context.holdings.families([each.act for each in similar])
            for record in family.records
            if record.name.is_act
        }
        found: dict[str, list[Candidate]] = {}
        for each in similar:
            name = replace_act(each.act, each.request.name)
            if name is not None and each.act in families:
                family = families[each.act]
                reasons = (*each.request.reasons, *each.reasons)
                request = each.request._replace(reasons=reasons)
                same = found.setdefault(str(family.key), [])
                same.append(make_candidate(self._context, family, name, request))
        return [each for same in found.values() for each in _select_not_withdrawn(same) or same]


def _select_not_withdrawn(found: Sequence[Candidate]) -> list[Candidate]:
    return [each for each in found if each.match is not Match.WITHDRAWN]


# --- candidates -----------------------------------------------------------------------


def make_candidate(
    context: ResolverContext, family: Family, name: Name, request: NameRequest
) -> Candidate:
    """Make the candidate of a name in a family, with its documents."""
    view = FamilyView(family)
    parts = _list_parts(view, name, request.partition)
    decisive: Name | None = name
    if view.family.record(name) is None:
        # It may be found as another thing below its act, unless it stands under an alias.
        nearest = view.find_nearest((name.expression_name or name, name.work_name, name.act_name))
        is_alias = nearest is not None and view.family.canonical(nearest) != nearest
        decisive = nearest if is_alias else None
    gone = _find_withdrawn(view, parts, decisive)
    target = find_target(view, name, context.preferences) if gone is None else Target(name=gone)
    partition, dropped = _choose_partition(target, name, request.partition)
    if gone is None and target.name != name and not target.is_of_several:
        gone = _find_withdrawn(view, _list_parts(view, target.name, partition), target.name)
        if gone in name.ancestors():  # nothing stands in for the name then
            target = Target(name=gone)
    reasons = (*request.reasons, *target.reasons, *dropped)
    if gone is not None:
        return _make_withdrawn(view, gone, reasons)
    documents, remarks = list_documents(view, target.nodes, partition)
    reasons = (*reasons, *remarks)
    for each in target.name.ancestors():
        record = view.family.record(each)
        if record is not None and is_withdrawn(record):
            since = "" if record.withdrawn_on is None else f" since {record.withdrawn_on}"
            why = f"{each} is withdrawn{since}; {target.name} is not"
            reasons = (*reasons, make_reason("LX952", why))
    uri = None
    if context.base is not None:
        uri = http_of(target.name.document, context.base).uri
        uri = uri if partition is None else f"{uri}#{partition}"
    return Candidate(
        name=target.name,
        match=find_match(reasons),
        score=compute_score(reasons),
        reasons=reasons,
        titles=_find_titles(view, target.name),
        editions=target.editions,
        documents=documents,
        uri=uri,
    )


def _choose_partition(target: Target, name: Name, given: str | None) -> tuple[str | None, Reasons]:
    """Return the partition to look for: none of an annex or component that is not held.

    Article 7 of an act is another text than article 7 of its annex (section 6.4.1), or than that of
    a component (section 5.7), whose name does not tell which of them it is.
    """
    if given is None:
        return None, ()
    if not target.is_work_held:
        reason = f"it belongs to the annex, so no partition of {target.name} stands for it"
    elif (
        name.manifestation is not None
        and name.manifestation.component is not None
        and not {"component", "manifestation"}.isdisjoint(
            each.component for each in target.reasons if each.code == "LX947"
        )
    ):
        reason = f"it may belong to the component alone, so the whole of {target.name} is given"
    else:
        return given, ()
    return None, (make_reason("LX947", given, reason, component="partition"),)


def _find_withdrawn(view: FamilyView, parts: Iterable[Name], name: Name | None) -> Name | None:
    """Return the withdrawn name: a partition, else a name.

    Each held name stands for itself: a version may outlive the name of its act.
    """
    decisive = (each for each in (view.find_nearest(parts), name) if each is not None)
    return next((each for each in decisive if is_withdrawn(view.family.record(each))), None)


def _make_withdrawn(view: FamilyView, name: Name, reasons: Reasons) -> Candidate:
    """Make the candidate of a withdrawn name: only that it existed, and its alias."""
    record = view.family.record(name)
    day = None if record is None else record.withdrawn_on
    reasons = (*reasons, make_reason("LX945", name, f" since {day}" if day is not None else ""))
    target = view.family.canonical(name)
    if target != name:
        reasons = (*reasons, make_reason("LX943", name, target))
    return Candidate(
        name=name,
        match=Match.WITHDRAWN,
        score=compute_score(reasons),
        reasons=reasons,
        titles=_find_titles(view, name),
        withdrawn_on=day,
    )


def _find_titles(view: FamilyView, name: Name) -> tuple[LanguageText, ...]:
    """Return the titles of a name, or of the nearest name above it that has one."""
    for each in (name, *name.ancestors()):
        record = view.family.record(view.family.canonical(each))
        if record is not None and record.titles:
            return record.titles
    return ()


# --- documents ------------------------------------------------------------------------

_HTTP_URL: Final = compile_late(r"https?://[^\s\x00-\x20\x7f<>\"{}|\\^`]+", re.IGNORECASE)


def list_documents(
    view: FamilyView, things: Sequence[Sequence[Name]], partition: str | None
) -> tuple[tuple[Document, ...], Reasons]:
    """Return the documents of some things with all copies, and remarks on them.

    Nothing is given of withdrawn things (section 9.4).

    Args:
        view: the family.
        things: all names of each thing.
        partition: the partition that becomes the fragment, or None.
    """
    documents: list[Document] = []
    withheld = 0
    for all_names in things:
        names = [name for name in all_names if not view.is_gone(name)]
        if not names:
            continue
        parts: Iterable[tuple[str, Name]] = ()
        if partition is not None and view.has_parts(names):
            parts = _list_known_parts(view, names, partition)
        # First the copies of the partition alone, else of the narrowest part that holds it.
        for _, same in groupby(parts, key=itemgetter(0)):
            own = [name for _, name in same]
            items = _list_items(view, own)
            copies = _list_copies(items)
            withheld += len(items) - len(copies)
            if copies:
                documents.append(Document(name=own[0], copies=copies))
                break
        name, level = view.family.canonical(names[0]), None
        if partition is not None:
            form = name.manifestation
            if form is None or _has_fragments(form.format.mime):
                level = _find_marked_part(view, names, partition)
        items = _list_items(view, names)
        copies = _list_copies(items, level)
        withheld += len(items) - len(copies)
        documents.append(Document(name=name, copies=copies, partition=level))
    return tuple(documents), tuple(_explain_documents(documents, partition, withheld))


@cache
def _has_fragments(mime: str) -> bool:
    """Return True if a fragment is an id in a media type."""
    table = json.loads(data.read_text("ontology/fragments.json"))
    return mime in table["types"] or mime.endswith(tuple(table["endings"]))


def _list_items(view: FamilyView, names: Iterable[Name]) -> list[Item]:
    """Return the copies stated under any name of a thing, each URL once, sorted."""
    records = (view.family.record(name) for name in names)
    items = {item.url: item for record in records if record is not None for item in record.items}
    return [items[url] for url in sorted(items)]


def _list_copies(items: Iterable[Item], partition: str | None = None) -> tuple[Copy, ...]:
    """Return the copies with an http or https address; the partition becomes the fragment."""
    suffix = "" if partition is None else f"#{partition}"
    return tuple(
        Copy(
            url=item.url if "#" in item.url else f"{item.url}{suffix}",
            bytes=item.bytes,
            sha256=item.sha256,
        )
        for item in items
        if _HTTP_URL.fullmatch(item.url)
    )


def _explain_documents(
    documents: Iterable[Document], partition: str | None, withheld: int
) -> Iterator[Reason]:
    if withheld:
        yield make_reason("LX955", "a copy is" if withheld == 1 else f"{withheld} copies are")
    levels = {each.partition for each in documents if each.name.partition is None}
    if partition is None or not levels or levels == {partition}:
        return
    known = sorted(level for level in levels if level is not None and level != partition)
    is_in_none = partition not in levels
    given = "the whole document is given" if is_in_none else "the other copies are given as a whole"
    if known:
        given = f"the fragment is cut back to {', '.join(known)}"
    yield make_reason("LX954", partition, given)


def _find_marked_part(view: FamilyView, names: Sequence[Name], partition: str) -> str | None:
    """Return the part of a partition that a document marks, as far as known (section 5.8).

    The statements on the document decide, else those on its version, else those on its work, since
    ids are the same in each format. Without statements the document may mark all of it.
    """
    work = names[0].work_name
    above = (view.list_equals(each) for each in names[0].ancestors() if each.work_name == work)
    for level in (tuple(names), *above):
        if view.has_parts(level):
            return next(_list_known_parts(view, level, partition), (None, None))[0]
    return partition


def _list_known_parts(
    view: FamilyView, names: Sequence[Name], partition: str
) -> Iterator[tuple[str, Name]]:
    """Return the parts of a thing that hold a partition, the narrowest first, with their names."""
    return (each for each in _list_held_parts(view, names, partition) if not view.is_gone(each[1]))


def _list_parts(view: FamilyView, name: Name, partition: str | None) -> tuple[Name, ...]:
    """Return the held names of a partition and of those that hold it."""
    if partition is None:
        return ()
    return tuple(part for _, part in _list_held_parts(view, (name,), partition))


def _list_held_parts(
    view: FamilyView, names: Iterable[Name], partition: str
) -> list[tuple[str, Name]]:
    """Return a partition and those that hold it, as far as held, the narrowest first.

    The names above a held name are held too, so that the first that is not ends the search.
    """
    found: list[tuple[str, Name]] = []
    for name in names:
        for part in accumulate(partition.split(";"), "{};{}".format):
            each = check(f"{name}~{part}").name
            if each is None or view.family.record(each) is None:
                break
            found.append((part, each))
    return sorted(found, key=lambda each: each[0].count(";"), reverse=True)
