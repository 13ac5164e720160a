"""What is right and wrong between entries: replacements, ambiguous forms, files that disagree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.registry._concepts import jurisdictions
from lexurn.registry._entries import LAW_KINDS, Entry, Kind, table_of
from lexurn.registry._lexicon import languages_of
from lexurn.registry._registry import registry
from lexurn.registry._source import place_in
from lexurn.registry._turtle import DCTERMS, SKOS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.registry._findings import RegistryFinding
    from lexurn.registry._registry import Registry
    from lexurn.registry._source import Source

__all__ = [
    "ambiguities",
    "ambiguous",
    "contradictions",
    "deletions",
    "losses",
    "replacements",
    "takings",
    "unknown_codes",
]

_REPLACED, _NOTATION, _SCHEME = DCTERMS + "isReplacedBy", SKOS + "notation", SKOS + "inScheme"
_CODES = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT)
# Abbreviations of the language are not among them: their several expansions are listed on purpose.
_NAMED = frozenset({Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT, Kind.ANNEX})


def replacements(source: Source, with_own: Registry) -> Iterator[RegistryFinding]:
    """Entries replaced by what nothing knows, and circles of replacements."""
    links = {
        iri: values[_REPLACED][0].text
        for iri, values in source.subjects.items()
        if values.get(_REPLACED)
    }
    for iri, target in links.items():
        at = (iri, _REPLACED, target)
        if target not in source.subjects and with_own.entry(target) is None:
            yield source.finding("LX911", at, f"<{iri}>", f"<{target}>")
        elif circle := _circle(iri, links):
            yield source.finding("LX912", at, " -> ".join(circle))


def losses(source: Source, part: str, scope: str) -> Iterator[RegistryFinding]:
    """Codes of the compiled tables that a built-in file has renamed or deleted.

    Args:
        source: the file.
        part: the folder that it lies in: ``law``, ``units``.
        scope: the jurisdiction that it is of.
    """
    for kind in _CODES:
        if table_of(kind, scope) != f"{part}/{scope}":
            continue
        for entry in registry().lexicon(kind, scope):
            at: tuple[str, str | None, str | None] = (entry.iri, None, None)
            stated = source.subjects.get(entry.iri, {}).get(_NOTATION)
            if stated is None:
                yield source.finding("LX910", at, f"<{entry.iri}>", "the compiled table")
            elif stated[0].text != entry.notation:
                at = (entry.iri, _NOTATION, stated[0].text)
                yield source.finding("LX909", at, f"<{entry.iri}>", entry.notation, stated[0].text)


def _circle(iri: str, links: Mapping[str, str]) -> list[str]:
    """The way from an IRI back to itself; empty if there is none."""
    way = [iri]
    while (following := links.get(way[-1])) is not None:
        way.append(following)
        if following == iri:
            return way
        if following in way[:-1]:
            return []
    return []


def unknown_codes(source: Source) -> Iterator[RegistryFinding]:
    """Jurisdiction-codes of entries that the registry does not list, each once."""
    seen = set()
    for iri, values in source.subjects.items():
        place = place_in(values)
        if place is None or place[0] not in LAW_KINDS or place[1] in seen:
            continue
        seen.add(place[1])
        if place[1] not in jurisdictions():
            yield source.finding("LX922", (iri, _SCHEME, None), place[1])


def ambiguous(entries: Iterable[Entry], key: str) -> bool:
    """Whether entries found by one key leave open what a name has.

    Those that are obsolete do not count, nor those that were never there at the same time, nor
    those that are called so in different languages only.
    """
    live = [each for each in entries if not each.obsolete]
    return any(
        _meaning(one) != _meaning(other)
        and _meet(one, other)
        and bool(languages_of(one, key) & languages_of(other, key))
        for at, one in enumerate(live)
        for other in live[:at]
    )


def _meaning(entry: Entry) -> tuple[object, ...]:
    return entry.notation, entry.issuer, entry.body, entry.titled, entry.name


def _meet(one: Entry, other: Entry) -> bool:
    first, last = "0000", "9999-99"
    start = max(one.valid_from or first, other.valid_from or first)
    return start < min(one.valid_until or last, other.valid_until or last)


def ambiguities(source: Source, with_own: Registry) -> Iterator[RegistryFinding]:
    """Forms of a file that stand for several entries, each form once."""
    places = {place_in(values) for values in source.subjects.values()} - {None}
    for kind, scope in sorted(filter(None, places)):
        if kind not in _NAMED:
            continue
        for key, entries in with_own.lexicon(kind, scope).items():
            mine = [each for each in entries if each.iri in source.subjects]
            if mine and ambiguous(entries, key):
                shown = ", ".join(f"{each.notation} <{each.iri}>" for each in entries)
                yield source.finding("LX914", (mine[-1].iri, None, None), repr(key), shown)


def takings(source: Source, with_own: Registry) -> Iterator[RegistryFinding]:
    """Forms that stood for built-in entries and now stand for those of the file."""
    places = {(each.kind, each.scope) for each in with_own.own if each.iri in source.subjects}
    for kind, scope in sorted(places):
        for key, entries in with_own.lexicon(kind, scope).items():
            mine = [each for each in entries if each.iri in source.subjects]
            before = registry().lexicon(kind, scope).find_key(key)
            lost = {each.iri: each.notation for each in before}
            for kept in entries:
                lost.pop(kept.iri, None)
            if mine and lost:
                now = ", ".join(sorted({each.notation for each in entries}))
                at = (mine[0].iri, None, None)
                yield source.finding("LX924", at, repr(key), now, ", ".join(sorted(lost.values())))


def contradictions(sources: Iterable[Source]) -> Iterator[RegistryFinding]:
    """What one file states of an IRI otherwise than a file before it."""
    stated: dict[tuple[str, str], tuple[str, frozenset[str]]] = {}
    for source in sources:
        for iri, values in source.subjects.items():
            for predicate, objects in values.items():
                texts = frozenset(f"{each.text}@{each.language}" for each in objects)
                file, before = stated.setdefault((iri, predicate), (source.file, texts))
                if before != texts:
                    at = (iri, predicate, None)
                    shown = f"<{predicate}>"
                    yield source.finding(
                        "LX928", at, source.file, file, f"<{iri}>", "other values", shown
                    )


def deletions(source: Source, before: Source) -> Iterator[RegistryFinding]:
    """What a file has renamed or deleted of what stood in it before."""
    for iri, values in before.subjects.items():
        old = values.get(_NOTATION)
        new = source.subjects.get(iri, {}).get(_NOTATION)
        if iri not in source.subjects:
            yield source.finding("LX910", (iri, None, None), f"<{iri}>", before.file)
        elif old and new and old[0].text != new[0].text:
            at = (iri, _NOTATION, new[0].text)
            yield source.finding("LX909", at, f"<{iri}>", old[0].text, new[0].text)
