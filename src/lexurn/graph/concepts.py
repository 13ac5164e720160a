"""Concepts of the registry: those that an act has, and the statements on each of them.

An act has the concepts of its jurisdiction, its issuers and its measure, where the registry knows
them. A dated concept counts only if it existed on all dates of the act, or all through its year. An
act with another period, or with none, has undated concepts only.

A concept is chosen by its notation. The narrowest one counts: that of a jurisdiction-unit before
that of the jurisdiction, that of a body before that of its institution. If several remain, none
counts.
"""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn import data
from lexurn import vocabulary as v
from lexurn.graph.statements import Statements, format_iri, format_literal, format_text
from lexurn.lazy import compile_late

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.graph.statements import Triple
    from lexurn.model import Family
    from lexurn.name import Authority, Details, Jurisdiction, Measure, Name
    from lexurn.registry import Entry, Lexicon

CONCEPT_LINKS = frozenset({v.JURISDICTION, v.ISSUER_CONCEPT, v.MEASURE_CONCEPT})
"""Properties of acts in the computed layer whose values are concepts."""

CONCEPT_PROPERTIES = frozenset(
    {v.TYPE, v.PREF_LABEL, v.NOTATION, v.BROADER, v.EXACT_MATCH, v.IS_REPLACED_BY}
)
"""Properties of concepts in the computed layer."""

_YEAR = compile_late("[0-9]{4}")

_Indexes = tuple[int, int] | None
"""Indexes of the first and the last day of an act among the limits; None if they are unknown."""


def list_concept_links(name: Name) -> tuple[str, ...]:
    """List the links of an act to its concepts, as pairs of predicate and object in one text."""
    work = name.work
    return _read_candidates(name.jurisdiction, work.authority, work.measure).links(work.details)


def find_concepts(families: Iterable[Family]) -> set[str]:
    """Find the terms of the concepts that the acts of some families have."""
    return {
        link.partition(" ")[2]
        for family in families
        for record in family.records
        if record.name.is_act
        for link in list_concept_links(record.name)
    }


def describe_concepts(concepts: Iterable[str]) -> Statements:
    """Describe concepts, and those that are broader or replace them: labels, notations, matches.

    Args:
        concepts: their terms; those that the registry does not have are left out.
    """
    waiting, seen = set(concepts), set[str]()
    triples: set[Triple] = set()
    while waiting:
        concept = waiting.pop()
        seen.add(concept)
        described = _describe_concept(concept)
        triples.update(described)
        links = {v.BROADER, v.IS_REPLACED_BY}
        waiting |= {value for _, predicate, value in described if predicate in links} - seen
    return Statements(computed=tuple(triples))


class _Candidates:
    """Entries of the registry for a jurisdiction, an authority and a measure.

    Acts of different days may have different concepts, so that the links are found once for each
    span between two limits.
    """

    __slots__ = (
        "_authority",
        "_code",
        "_issuers",
        "_known",
        "_limits",
        "_measures",
        "_place",
        "_units",
    )

    def __init__(self, jurisdiction: Jurisdiction, authority: Authority, measure: Measure) -> None:
        from lexurn.registry import REGISTRY_BASE, load_registry  # noqa: PLC0415 - some have none

        law = load_registry().law(jurisdiction.code)
        self._code = jurisdiction.code
        self._place = f"{REGISTRY_BASE}jurisdictions/{jurisdiction.code}"
        self._authority = authority
        self._units = _list_narrowing(law.units, jurisdiction.units)
        self._issuers = [
            _list_narrowing(law.authorities, (issuer.institution, *issuer.functions))
            for issuer in authority.issuers
        ]
        notations = dict.fromkeys((str(measure), measure.type))
        self._measures = [
            [entry for entry in law.measures.by_notation(each) if entry.name is None]
            for each in notations
        ]
        lists = (*self._units, *self._measures, *(each for some in self._issuers for each in some))
        days = {
            day
            for entries in lists
            for entry in entries
            for day in (entry.valid_from, entry.valid_until)
            if day is not None
        }
        self._limits = sorted(days)
        self._known: dict[_Indexes, tuple[str, ...]] = {}

    def links(self, details: Details) -> tuple[str, ...]:
        """Return the links of an act with these details."""
        days = [date.iso for date in details.dates]
        if not days and details.period is not None and _YEAR.fullmatch(details.period):
            days = [f"{details.period}-01-01", f"{details.period}-12-31"]
        limits = self._limits
        indexes = None
        if days and limits:
            indexes = bisect_right(limits, min(days)), bisect_right(limits, max(days))
        links = self._known.get(indexes)
        if links is None:
            span = (min(days), max(days)) if days else None
            links = self._known[indexes] = tuple(dict.fromkeys(self._list_links(span)))
        return links

    def _list_links(self, span: tuple[str, str] | None) -> Iterator[str]:
        def select(entries: Iterable[Entry]) -> list[Entry]:
            # Undated ones always count; others must have existed all through the span.
            return [
                each
                for each in entries
                if not (each.valid_from or each.valid_until)
                or (span is not None and all(map(each.valid_on, span)))
            ]

        unit = _choose_narrowest(map(select, self._units))
        if unit is not None:
            yield f"{v.JURISDICTION} {format_iri(unit.iri)}"
        elif self._code in data.load_table("jurisdiction_concepts")["labels"]:
            yield f"{v.JURISDICTION} {format_iri(self._place)}"
        for narrowing in self._issuers:
            issuer = _choose_narrowest(map(select, narrowing))
            if issuer is not None:
                yield f"{v.ISSUER_CONCEPT} {format_iri(issuer.iri)}"
        for entries in self._measures:
            measure = _choose_measure(select(entries), self._authority)
            if measure is not None:
                yield f"{v.MEASURE_CONCEPT} {format_iri(measure.iri)}"
                return


@lru_cache(maxsize=4096)
def _read_candidates(
    jurisdiction: Jurisdiction, authority: Authority, measure: Measure
) -> _Candidates:
    """Read the candidates of many acts at once: they share jurisdiction, authority and measure."""
    return _Candidates(jurisdiction, authority, measure)


def _list_narrowing(lexicon: Lexicon, parts: tuple[str, ...]) -> list[tuple[Entry, ...]]:
    """List the entries of a notation in parts, then those without its last part, and so on."""
    return [lexicon.by_notation(";".join(parts[:length])) for length in range(len(parts), 0, -1)]


def _choose_narrowest(lists: Iterable[list[Entry]]) -> Entry | None:
    """Return the only entry of the first list that has one, None if that has several."""
    found = next(filter(None, lists), [])
    return found[0] if len(found) == 1 else None


def _choose_measure(entries: list[Entry], authority: Authority) -> Entry | None:
    """Choose among the measures with one notation, as a decree may be of a president or a mayor.

    First the one of the issuer counts, then the one of its body, then the one of no issuer, in the
    end the plain one: the notation was made from its name, and is the end of its IRI.
    """
    plain = [
        each for each in entries if each.iri.rpartition("/")[2] == each.notation.replace(";", "_")
    ]
    first, *others = authority.issuers
    bodies = () if others else (";".join(first.functions), *first.functions[-1:])
    issuer = None if others else str(first)
    groups = (
        [each for each in entries if each.issuer is not None and each.issuer == issuer],
        [each for each in entries if each.issuer is None and each.body in bodies],
        [each for each in entries if each.issuer is None and each.body is None],
        plain,
    )
    for group in groups:
        best = group if len(group) == 1 else [each for each in group if each in plain]
        if len(best) == 1:
            return best[0]
    return None


@lru_cache(maxsize=4096)
def _describe_concept(concept: str) -> tuple[Triple, ...]:
    """Describe one concept; nothing is stated if the registry does not have it."""
    from lexurn.registry import REGISTRY_BASE, Kind, load_registry  # noqa: PLC0415 - some have none

    iri, registry = concept[1:-1], load_registry()
    jurisdictions = f"{REGISTRY_BASE}jurisdictions/"
    if iri.startswith(jurisdictions):
        table, code = data.load_table("jurisdiction_concepts"), iri.removeprefix(jurisdictions)
        stated = [
            *(
                f"{v.PREF_LABEL} {format_literal(text, language)}"
                for language, text in table["labels"].get(code, {}).items()
            ),
            *(f"{v.EXACT_MATCH} {format_iri(each)}" for each in table["matches"].get(code, ())),
        ]
        if not stated:
            return ()
        stated.append(f"{v.NOTATION} {format_text(code)}")
    else:
        entry = registry.entry(iri)
        if entry is None:
            return ()
        labels = {each.language: each.text for each in (*entry.translations, *entry.labels)}
        lexicon = registry.lexicon(entry.kind, entry.scope)
        stated = [
            f"{v.NOTATION} {format_text(entry.notation)}",
            *(f"{v.PREF_LABEL} {format_literal(labels[each], each)}" for each in labels),
            *(f"{v.EXACT_MATCH} {format_iri(each)}" for each in entry.matches),
        ]
        broader = entry.broader
        if broader is None and entry.kind is Kind.UNIT:
            broader = jurisdictions + entry.scope
        if broader is None and entry.kind is Kind.AUTHORITY:
            parts = tuple(entry.notation.split(";")[:-1])
            above = _choose_narrowest(map(list, _list_narrowing(lexicon, parts)))
            broader = None if above is None else above.iri
        replacements = [
            each.iri for each in lexicon.by_notation(entry.replaced_by or "") if each is not entry
        ]
        if broader is not None:
            stated.append(f"{v.BROADER} {format_iri(broader)}")
        if len(replacements) == 1:
            stated.append(f"{v.IS_REPLACED_BY} {format_iri(replacements[0])}")
    return tuple(
        (concept, predicate, value)
        for each in (f"{v.TYPE} {v.CONCEPT_CLASS}", *stated)
        for predicate, _, value in [each.partition(" ")]
    )
