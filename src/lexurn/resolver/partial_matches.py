"""Partial matches of acts (RFC 9676 §10.3): same jurisdiction, number and date, the rest similar.

Names are compared as texts, since a hundred thousand acts may have one number. Authority and
measure may be meant as given, or as the registry writes them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice, product
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.catalogue import (
    MOST_PARTS,
    find_years,
    load_vocabulary,
    make_number_key,
    normalise_jurisdiction,
    write_as_words,
)
from lexurn.registry import ANY_ISSUER, find_stated_issuer, make_key
from lexurn.resolver.answer import compute_score, make_reason
from lexurn.resolver.comparison import (
    compare_authority,
    compare_measure,
    list_number_readings,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue import LegalVocabulary, NameLookup
    from lexurn.name import Details
    from lexurn.registry import Entry, Lexicon, Registry, StatedIssuer
    from lexurn.resolver.answer import Reasons
    from lexurn.resolver.readings import NameRequest

_MOST_FORMS: Final = 3
_MOST_HEADS: Final = 24
_BY_REGISTRY: Final = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class ActHead:
    """Authority and measure that may be meant; None for a missing one.

    Attributes:
        authority: the whole element.
        measure: the whole element.
        reasons: the steps from the given elements.
        stated: the issuer that the words of the measure state, if that is still open.
        known: the known kinds of authority, if one was given.
    """

    authority: str | None
    measure: str | None
    reasons: Reasons = ()
    stated: StatedIssuer = ANY_ISSUER
    known: frozenset[str] | None = None

    def suits(self, held: str) -> bool:
        """Return True if an authority of the catalogue may be the one that the measure states."""
        if self.known is None:
            return self.stated.is_met_by(held)
        return self.stated.may_be(held, self.known)


def list_heads(
    authority: str | None,
    measure: str | None,
    vocabulary: LegalVocabulary,
    *,
    is_unit: bool = False,
) -> tuple[ActHead, ...]:
    """Return the possible meanings of authority and measure: as given, then by the registry.

    Args:
        authority: the given authority; None if it is missing.
        measure: the given measure; None if it is missing.
        vocabulary: the law and the words of the jurisdiction.
        is_unit: True if the jurisdiction is a part of a state, which "State" then means.
    """
    heads = [ActHead(authority=authority, measure=measure)]
    authorities = [] if authority is None else list(_list_authorities(authority, vocabulary))
    types, _, extra = (measure or "").partition(";")
    forms = [(measure, "", None)] if measure is None else _list_measures(types, extra, vocabulary)
    for whole, word, entry in forms:
        reasons: Reasons = ()
        if whole != measure:
            reasons = (make_reason("LX942", measure, whole, component="measure"),)
        stated = find_stated_issuer(
            entry, write_as_words(word), vocabulary.registry, vocabulary.law.code
        )
        issuers = (authority, *authorities)
        given = [each for each in issuers if each is not None]
        # "State" only means that the authority is of no other jurisdiction.
        is_general = (is_unit or not stated.kinds) and not vocabulary.general.isdisjoint(given)
        is_met = stated == ANY_ISSUER or is_general or any(map(stated.may_be, given))
        is_open = authority is None or not is_met
        rest = stated if is_open else ANY_ISSUER
        known = None if authority is None else vocabulary.issuing_words.select_kinds(stated)
        if rest.issuer is None or authority is not None:
            heads += [_make_head(authority, each, whole, reasons, rest, known) for each in issuers]
        if entry is None or entry.issuer is None:
            continue
        # A measure states its issuer by its own word, or if nothing else does. A type that several
        # measures share ("decreto") is not that of a measure with a longer name.
        key = make_key(write_as_words(word))
        may_issue = key != make_key(write_as_words(entry.notation)) or (
            authority is None and any(make_key(text) == key for text in entry.spellings)
        )
        if may_issue and not _is_denied(authority, entry.issuer, stated, vocabulary):
            heads.append(_make_head(authority, entry.issuer, whole, reasons, ANY_ISSUER, None))
    unique = {(head.authority, head.measure, head.stated): head for head in reversed(heads)}
    return tuple(islice(reversed(unique.values()), _MOST_HEADS))


def _make_head(
    given: str | None,
    issuer: str | None,
    measure: str | None,
    reasons: Reasons,
    stated: StatedIssuer,
    known: frozenset[str] | None,
) -> ActHead:
    if issuer is not None and issuer != given:
        if given is None:
            added = make_reason("LX946", "", issuer, component="authority", cost=_BY_REGISTRY)
        else:
            added = make_reason("LX942", given, issuer, component="authority")
        reasons = (added, *reasons)
    return ActHead(authority=issuer, measure=measure, reasons=reasons, stated=stated, known=known)


def _is_denied(
    authority: str | None, issuer: str, stated: StatedIssuer, vocabulary: LegalVocabulary
) -> bool:
    """Return True if the given authority is a known one other than the issuer.

    "State" only means that it is of no other jurisdiction: the measure decides, unless it states
    the kind of its issuer ("lei municipal").
    """
    if authority is None:
        return False
    lexicon = vocabulary.law.authorities
    known = {
        entry.notation
        for entry in (*lexicon.by_notation(authority), *lexicon.find(write_as_words(authority)))
    }
    others = () if stated.kinds else vocabulary.general
    if known:
        return not known & {issuer, *others}
    kind = authority.partition(".")[0]
    return kind in vocabulary.issuing_words.first and kind != issuer.partition(".")[0]


def _list_measures(
    types: str, specifications: str, vocabulary: LegalVocabulary
) -> Iterator[tuple[str, str, Entry | None]]:
    """Yield the measures that a type may mean, with the word and the entry of the registry."""
    rest = f";{specifications}" if specifications else ""
    measures = vocabulary.law.measures
    known = [*measures.by_notation(types), *measures.find(write_as_words(types))]
    if not known:
        expanded = vocabulary.expanded(types)
        known = [*measures.by_notation(expanded), *measures.find(write_as_words(expanded))]
        if not known and expanded and expanded != types:
            yield expanded + rest, types, None
    for entry in known[: 2 * _MOST_FORMS]:
        yield entry.notation + rest, types, entry
    yield types + rest, types, None


def _list_authorities(authority: str, vocabulary: LegalVocabulary) -> Iterator[str]:
    """Yield the authorities that one may mean, other than itself."""
    issuers = authority.split("+")
    parts = [part for issuer in issuers for part in issuer.split(";")]
    if len(parts) > MOST_PARTS:
        return
    written = [
        tuple(
            _list_forms(
                part, vocabulary, vocabulary.law.bodies if index else vocabulary.law.authorities
            )
            for index, part in enumerate(issuer.split(";"))
        )
        for issuer in issuers
    ]
    choices = [(";".join(each) for each in product(*issuer)) for issuer in written]
    for combined in islice(product(*choices), _MOST_HEADS):
        whole = "+".join(combined)
        if whole != authority:
            yield whole


def _list_forms(part: str, vocabulary: LegalVocabulary, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the notations of the registry for an institution or a body, then its own."""
    expanded = vocabulary.expanded(part)
    found: list[str] = []
    for text in dict.fromkeys((part, expanded)):
        for entry in (*lexicon.by_notation(text), *lexicon.find(write_as_words(text))):
            found += [entry.notation, *([entry.replaced_by] if entry.replaced_by else [])]
    return tuple(dict.fromkeys(filter(None, (*found[:_MOST_FORMS], expanded, part))))


_MOST_NUMBERS: Final = 16
_MOST_YEARS: Final = 4
_NAME_PIECES: Final = 6
_YEAR: Final = re.compile(r"[0-9]{4}")
_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarAct:
    """Act of the catalogue that is similar to the given one.

    Attributes:
        act: its name, or that of its alias.
        reasons: its differences.
        request: the name that it is similar to.
    """

    act: str
    reasons: Reasons
    request: NameRequest

    @property
    def score(self) -> float:
        """Certainty of the match, with that of the reading."""
        return compute_score((*self.request.reasons, *self.reasons))


class FoundActs(NamedTuple):
    """Acts that are similar to the given one, and acts with only its number and date."""

    similar: list[SimilarAct]
    nearby: list[str]


def find_similar_acts(request: NameRequest, holdings: NameLookup, registry: Registry) -> FoundActs:
    """Find the acts with the number and date of a request, with their differences.

    Args:
        request: the name to look for.
        holdings: the catalogue.
        registry: the registry of abbreviations and synonyms.
    """
    vocabulary = load_vocabulary(registry, request.name.jurisdiction.code)
    asked = str(request.name.jurisdiction)
    # As written, then with the units of the registry for its words.
    jurisdictions: list[tuple[str, Reasons]] = [(asked, ())]
    known = normalise_jurisdiction(asked, registry)
    if known != asked:
        reason = make_reason("LX942", asked, known, component="jurisdiction")
        jurisdictions.append((known, (reason,)))
    comparer = _Comparer(request, vocabulary)
    found = FoundActs([], [])
    if "numbers" in request.missing:
        day = request.name.work.details.dates[0].iso
        for jurisdiction, reasons in jurisdictions:
            heads = {
                f"urn:lex:{jurisdiction}:{head.authority}:{head.measure}": None
                for head in comparer.heads
                if head.authority is not None and head.measure is not None
            }
            for act in dict.fromkeys(act for head in heads for act in holdings.dated(head, day)):
                comparer.add_if_similar(found, act, reasons, ())
        return found
    years = find_years(request.name.work.details)[:_MOST_YEARS]
    if request.prefix is not None:
        years = (request.prefix[:4],)
    given = request.name.work.details.numbers
    for numbers in list_number_readings(given, years, vocabulary):
        keys = dict.fromkeys(map(make_number_key, numbers[:_MOST_NUMBERS]))
        for jurisdiction, reasons in jurisdictions:
            acts = dict.fromkeys(
                act
                for key in keys
                for year in years or (None,)
                for act in holdings.near(jurisdiction, key, year)
            )
            for act in acts:
                comparer.add_if_similar(found, act, reasons, numbers)
        if found.similar:  # a number that is held as written is no other
            break
    return found


class _Comparer:
    """Comparison of acts with a request; comparisons of elements are cached."""

    def __init__(self, request: NameRequest, vocabulary: LegalVocabulary) -> None:
        self._request = request
        work = request.name.work
        self.heads = list_heads(
            None if "authority" in request.missing else str(work.authority),
            None if "measure" in request.missing else str(work.measure),
            vocabulary,
            is_unit=";" in str(request.name.jurisdiction),
        )
        self._compare_authority = cache(partial(compare_authority, vocabulary=vocabulary))
        self._compare_measure = cache(partial(compare_measure, vocabulary=vocabulary))
        self._compare_head = cache(self._compare_heads)
        self._compare_details = cache(partial(compare_details, work.details, request.prefix))

    def add_if_similar(
        self, found: FoundActs, act: str, reasons: Reasons, numbers: tuple[str, ...]
    ) -> None:
        """Add an act to those found, if it has the date and one reading of the numbers."""
        pieces = act.split(":")
        if len(pieces) != _NAME_PIECES:
            return
        details = self._compare_details(pieces[-1], numbers)
        if details is None:
            return
        head = self._compare_head(pieces[3], pieces[4])
        if head is None:
            found.nearby.append(act)
        else:
            all_reasons = (*reasons, *head, *details)
            found.similar.append(SimilarAct(act=act, reasons=all_reasons, request=self._request))

    def _compare_heads(self, authority: str, measure: str) -> Reasons | None:
        """Return the fewest differences of an authority and a measure from those requested."""
        ways: list[Reasons] = []
        for head in self.heads:
            measures = self._compare_measure(head.measure, measure)
            if measures is not None and head.suits(authority):
                issuers = self._compare_authority(head.authority, authority)
                if issuers is not None:
                    ways.append((*head.reasons, *issuers, *measures))
        return max(ways, key=compute_score, default=None)


def compare_details(
    given: Details, prefix: str | None, held: str, numbers: tuple[str, ...]
) -> Reasons | None:
    """Return the differences of dates and numbers; None if they are not the same.

    Args:
        given: the given details.
        prefix: the year or month that stands for the date, or None.
        held: the details in the catalogue, ``2003-09-21;456``.
        numbers: the reading of the given numbers; empty if they are missing.
    """
    when, _, theirs = held.partition(";")
    held_numbers = theirs.split(",")
    counted: Reasons | None = ()
    if not numbers:
        counted = (make_reason("LX946", "", theirs, component="numbers"),)
    elif [*given.numbers] != held_numbers:
        shown = ",".join(given.numbers), theirs
        mine, others = (frozenset(map(make_number_key, each)) for each in (numbers, held_numbers))
        counted = _compare_sets(mine, others, shown, "numbers")
    if counted is None:
        return None
    dated = _compare_dates(given, prefix, when)
    return None if dated is None else (*dated, *counted)


def _compare_sets(
    given: frozenset[str], held: frozenset[str], shown: tuple[str, str], component: str
) -> Reasons | None:
    """Compare sets: equal but for order or writing, or one within the other; else None."""
    if given == held:
        return (make_reason("LX949", *shown, component=component),)
    if given < held or held < given:
        return (make_reason("LX948", *shown, component=component),)
    return None


def _compare_dates(given: Details, prefix: str | None, when: str) -> Reasons | None:
    asked = prefix or given.period or ",".join(map(str, given.dates))
    if asked == when:
        return ()
    held = [text.partition("|")[0] for text in when.split(",")]
    iso = [date.iso for date in given.dates]
    is_year = _YEAR.fullmatch(when) is not None
    if prefix is not None:
        is_within = any(date.startswith(f"{prefix}-") for date in held) or (
            is_year and prefix.startswith(when)
        )
    elif is_year:
        is_within = any(date.startswith(f"{when}-") for date in iso)
    elif given.period is not None or not all(map(_DATE.fullmatch, held)):
        return None
    else:
        return _compare_sets(frozenset(iso), frozenset(held), (asked, when), "dates")
    return (make_reason("LX950", asked, when, component="dates"),) if is_within else None
