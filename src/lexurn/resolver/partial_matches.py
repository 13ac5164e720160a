"""Partial matches of acts (RFC 9676 10.3): same jurisdiction, number and date, the rest similar.

All is done on texts: of a hundred thousand acts with one number few are worth being parsed. The
authority and the measure may be meant as given, or as the registry has them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from itertools import islice, product
from typing import TYPE_CHECKING, NamedTuple

from lexurn.catalogue import (
    MOST_PARTS,
    find_years,
    load_vocabulary,
    make_number_key,
    write_as_words,
)
from lexurn.registry import ANY_ISSUER, find_stated_issuer, make_key
from lexurn.resolver.answer import compute_score, make_reason
from lexurn.resolver.comparison import (
    compare_authority,
    compare_measure,
    explain_registry_form,
    list_jurisdiction_forms,
    list_number_readings,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from typing import Final

    from lexurn.catalogue import LegalVocabulary, NameLookup
    from lexurn.name import Details
    from lexurn.registry import Entry, Lexicon, Registry, StatedIssuer
    from lexurn.resolver.answer import Reason
    from lexurn.resolver.readings import NameRequest

    Compare = Callable[[str | None, str], tuple[Reason, ...] | None]

_MOST_FORMS: Final = 3
_MOST_HEADS: Final = 24
_BY_REGISTRY: Final = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class ActHead:
    """An authority and a measure that may be meant; None for one that is missing.

    Attributes:
        authority: the whole element.
        measure: the whole element.
        reasons: how they follow from what was asked for.
        stated: what the words of the measure state of the authority, where that is still open.
        known: the kinds of authority that are known, where one was given.
    """

    authority: str | None
    measure: str | None
    reasons: tuple[Reason, ...] = ()
    stated: StatedIssuer = ANY_ISSUER
    known: frozenset[str] | None = None

    def suits(self, held: str) -> bool:
        """Whether an authority that is held may be the one that the measure states."""
        if self.known is None:
            return self.stated.is_met_by(held)
        return self.stated.may_be(held, self.known)


def list_heads(
    authority: str | None, measure: str | None, tongue: LegalVocabulary, *, is_unit: bool = False
) -> tuple[ActHead, ...]:
    """What may be meant by an authority and a measure: as given first, then by the registry.

    Args:
        authority: the authority as it was given; None where it is missing.
        measure: the measure, in the same way.
        tongue: the law and the words of the jurisdiction.
        is_unit: whether the jurisdiction is a part of a state, whose "State" is that part.
    """
    heads = [ActHead(authority=authority, measure=measure)]
    authorities = [] if authority is None else list(_list_authorities(authority, tongue))
    types, _, behind = (measure or "").partition(";")
    forms = [(measure, "", None)] if measure is None else _list_measures(types, behind, tongue)
    for whole, word, entry in forms:
        said = (
            ()
            if whole == measure
            else (explain_registry_form("measure", str(measure), str(whole)),)
        )
        stated = find_stated_issuer(entry, write_as_words(word), tongue.registry, tongue.law.code)
        issuers = (authority, *authorities)
        is_open = authority is None or not _states_no_other(
            stated, issuers, tongue, is_unit=is_unit
        )
        rest = stated if is_open else ANY_ISSUER
        known = None if authority is None else tongue.issuing_words.select_kinds(stated)
        if rest.issuer is None or authority is not None:
            heads += [
                replace(_make_head(authority, each, whole, said), stated=rest, known=known)
                for each in issuers
            ]
        if (
            entry is not None
            and entry.issuer is not None
            and _may_issue(authority, entry, word)
            and not _is_denied(authority, entry.issuer, stated, tongue)
        ):
            heads.append(_make_head(authority, entry.issuer, whole, said))
    unique = {(head.authority, head.measure, head.stated): head for head in reversed(heads)}
    return tuple(islice(reversed(unique.values()), _MOST_HEADS))


def _states_no_other(
    stated: StatedIssuer, issuers: Sequence[str | None], tongue: LegalVocabulary, *, is_unit: bool
) -> bool:
    """Whether an authority that is given, in one of its forms, is one that a measure states.

    "State" says no more than that it is no other jurisdiction's.
    """
    if stated == ANY_ISSUER:
        return True
    given = [each for each in issuers if each is not None]
    if (is_unit or not stated.kinds) and not tongue.general.isdisjoint(given):
        return True
    return any(stated.may_be(each) for each in given)


def _make_head(
    given: str | None, issuer: str | None, measure: str | None, said: tuple[Reason, ...]
) -> ActHead:
    if issuer is None or issuer == given:
        return ActHead(authority=issuer, measure=measure, reasons=said)
    if given is None:
        added = make_reason("LX946", "", issuer, component="authority", cost=_BY_REGISTRY)
    else:
        added = explain_registry_form("authority", given, issuer)
    return ActHead(authority=issuer, measure=measure, reasons=(added, *said))


def _may_issue(authority: str | None, entry: Entry, word: str) -> bool:
    """Whether a measure says whose it is: where its own word does, or nothing else.

    A type that several measures share ("decreto") is not that of the one whose name is longer.
    """
    key = make_key(write_as_words(word))
    if key != make_key(write_as_words(entry.notation)):
        return True
    return authority is None and any(make_key(text) == key for text in entry.spellings)


def _is_denied(
    authority: str | None, issuer: str, stated: StatedIssuer, tongue: LegalVocabulary
) -> bool:
    """Whether the authority that is given is a known one that is not the issuer.

    "State" says no more than that it is no other jurisdiction's: the measure has the say, unless
    it states of what kind its issuer is ("lei municipal").
    """
    if authority is None:
        return False
    lexicon = tongue.law.authorities
    known = {
        entry.notation
        for entry in (*lexicon.by_notation(authority), *lexicon.find(write_as_words(authority)))
    }
    others = () if stated.kinds else tongue.general
    if known:
        return not known & {issuer, *others}
    kind = authority.partition(".")[0]
    return kind in tongue.issuing_words.first and kind != issuer.partition(".")[0]


def _list_measures(
    types: str, behind: str, tongue: LegalVocabulary
) -> Iterator[tuple[str, str, Entry | None]]:
    """Measures that a type may mean, each with the word for it and the registry's entry."""
    rest = f";{behind}" if behind else ""
    measures = tongue.law.measures
    known = [*measures.by_notation(types), *measures.find(write_as_words(types))]
    if not known:
        expanded = tongue.expanded(types)
        known = [*measures.by_notation(expanded), *measures.find(write_as_words(expanded))]
        if not known and expanded and expanded != types:
            yield expanded + rest, types, None
    for entry in known[: 2 * _MOST_FORMS]:
        yield entry.notation + rest, types, entry
    yield types + rest, types, None


def _list_authorities(authority: str, tongue: LegalVocabulary) -> Iterator[str]:
    """Whole authorities that one may mean, other than itself."""
    issuers = authority.split("+")
    parts = [part for issuer in issuers for part in issuer.split(";")]
    if len(parts) > MOST_PARTS:
        return
    written = [
        tuple(
            _list_forms(part, tongue, tongue.law.bodies if place else tongue.law.authorities)
            for place, part in enumerate(issuer.split(";"))
        )
        for issuer in issuers
    ]
    choices = [(";".join(each) for each in product(*issuer)) for issuer in written]
    for combined in islice(product(*choices), _MOST_HEADS):
        whole = "+".join(combined)
        if whole != authority:
            yield whole


def _list_forms(part: str, tongue: LegalVocabulary, lexicon: Lexicon) -> tuple[str, ...]:
    """How the registry would write an institution or a body; at last as it is written."""
    expanded = tongue.expanded(part)
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
    """An act of the catalogue that is like the one asked for.

    Attributes:
        act: its name, or that of its alias.
        reasons: in what it differs.
        asked: what it is like.
    """

    act: str
    reasons: tuple[Reason, ...]
    asked: NameRequest

    @property
    def score(self) -> float:
        """How like it is, with how the text was read."""
        return compute_score((*self.asked.reasons, *self.reasons))


class NearbyActs(NamedTuple):
    """The acts that are like the one asked for, and those that have its number and date only."""

    like: list[SimilarAct]
    others: list[str]


def find_similar_acts(asked: NameRequest, holdings: NameLookup, registry: Registry) -> NearbyActs:
    """The acts with the number and date asked for, and in what each differs.

    Args:
        asked: what is looked for.
        holdings: the catalogue.
        registry: whose abbreviations and synonyms are filled out.
    """
    tongue = load_vocabulary(registry, asked.name.jurisdiction.code)
    places = tuple(list_jurisdiction_forms(str(asked.name.jurisdiction), registry))
    judge = _make_comparer(asked, tongue)
    found = NearbyActs([], [])
    if "numbers" in asked.missing:
        for jurisdiction, said in places:
            for act in _find_acts_of_day(judge.heads, jurisdiction, asked, holdings):
                _add_if_similar(found, act, said, (), judge, asked)
        return found
    for numbers in list_number_readings(
        asked.name.work.details.numbers, _list_years(asked), tongue
    ):
        for jurisdiction, said in places:
            for act in _find_acts_by_number(asked, jurisdiction, holdings, numbers):
                _add_if_similar(found, act, said, numbers, judge, asked)
        if found.like:  # a number that is held as it was written is no other
            break
    return found


def _find_acts_of_day(
    heads: Iterable[ActHead], jurisdiction: str, asked: NameRequest, holdings: NameLookup
) -> Iterable[str]:
    """The acts of a day by authorities and measures that may be meant, whatever their numbers."""
    day = asked.name.work.details.dates[0].iso
    known = {
        f"urn:lex:{jurisdiction}:{head.authority}:{head.measure}": None
        for head in heads
        if head.authority is not None and head.measure is not None
    }
    return dict.fromkeys(act for head in known for act in holdings.dated(head, day))


def _list_years(asked: NameRequest) -> tuple[str, ...]:
    if asked.prefix is not None:
        return (asked.prefix[:4],)
    return find_years(asked.name.work.details)[:_MOST_YEARS]


def _find_acts_by_number(
    asked: NameRequest, jurisdiction: str, holdings: NameLookup, numbers: tuple[str, ...]
) -> Iterable[str]:
    """The acts with one of some numbers, and the year of one of the dates."""
    found: dict[str, None] = {}
    for number in dict.fromkeys(map(make_number_key, numbers[:_MOST_NUMBERS])):
        for year in _list_years(asked) or (None,):
            found.update(dict.fromkeys(holdings.near(jurisdiction, number, year)))
    return found


def _add_if_similar(
    found: NearbyActs,
    act: str,
    said: tuple[Reason, ...],
    numbers: tuple[str, ...],
    judge: _Comparer,
    asked: NameRequest,
) -> None:
    """Put an act where it belongs, if its number and date are those asked for."""
    pieces = act.split(":")
    details = judge.details(pieces[-1], numbers) if len(pieces) == _NAME_PIECES else None
    if details is None:
        return
    head = judge.head(pieces[3], pieces[4])
    if head is None:
        found.others.append(act)
    else:
        found.like.append(SimilarAct(act=act, reasons=(*said, *head, *details), asked=asked))


class _Comparer(NamedTuple):
    """Compares what is held with what was asked for; what was compared before is remembered."""

    heads: tuple[ActHead, ...]
    head: Callable[[str, str], tuple[Reason, ...] | None]
    details: Callable[[str, tuple[str, ...]], tuple[Reason, ...] | None]


def _make_comparer(asked: NameRequest, tongue: LegalVocabulary) -> _Comparer:
    work = asked.name.work
    authority = None if "authority" in asked.missing else str(work.authority)
    measure = None if "measure" in asked.missing else str(work.measure)
    is_unit = ";" in str(asked.name.jurisdiction)
    heads = list_heads(authority, measure, tongue, is_unit=is_unit)

    @cache
    def issued(given: str | None, held: str) -> tuple[Reason, ...] | None:
        return compare_authority(given, held, tongue)

    @cache
    def typed(given: str | None, held: str) -> tuple[Reason, ...] | None:
        return compare_measure(given, held, tongue)

    def best(held_authority: str, held_measure: str) -> tuple[Reason, ...] | None:
        ways = (
            _compare_head(head, (held_authority, held_measure), issued, typed) for head in heads
        )
        return max((way for way in ways if way is not None), key=compute_score, default=None)

    @cache
    def dated(held: str, numbers: tuple[str, ...]) -> tuple[Reason, ...] | None:
        return compare_details(work.details, asked.prefix, held, numbers)

    return _Comparer(heads, best, dated)


def _compare_head(
    head: ActHead, held: tuple[str, str], issued: Compare, typed: Compare
) -> tuple[Reason, ...] | None:
    measures = typed(head.measure, held[1])
    if measures is None or not head.suits(held[0]):
        return None
    issuers = issued(head.authority, held[0])
    return None if issuers is None else (*head.reasons, *issuers, *measures)


def compare_details(
    given: Details, prefix: str | None, held: str, numbers: tuple[str, ...]
) -> tuple[Reason, ...] | None:
    """In what dates and numbers differ; None where one is another.

    Args:
        given: what was asked for.
        prefix: the year or month that stands for its date, or None.
        held: what the catalogue has, ``2003-09-21;456``.
        numbers: what the numbers that were asked for are read as; none where they are missing.
    """
    when, _, theirs = held.partition(";")
    counted = _compare_numbers(given.numbers, numbers, tuple(theirs.split(",")))
    if counted is None:
        return None
    dated = _compare_dates(given, prefix, when)
    return None if dated is None else (*dated, *counted)


def _compare_numbers(
    given: tuple[str, ...], numbers: tuple[str, ...], held: tuple[str, ...]
) -> tuple[Reason, ...] | None:
    if not numbers:
        return (make_reason("LX946", "", ",".join(held), component="numbers"),)
    if given == held:
        return ()
    shown = ",".join(given), ",".join(held)
    mine, theirs = frozenset(map(make_number_key, numbers)), frozenset(map(make_number_key, held))
    return _compare_sets(mine, theirs, shown, "numbers")


def _compare_sets(
    given: frozenset[str], held: frozenset[str], shown: tuple[str, str], component: str
) -> tuple[Reason, ...] | None:
    """What is the same but for its order or writing; what has more on one side; None for others."""
    if given == held:
        return (make_reason("LX949", *shown, component=component),)
    if given < held or held < given:
        return (make_reason("LX948", *shown, component=component),)
    return None


def _compare_dates(given: Details, prefix: str | None, when: str) -> tuple[Reason, ...] | None:
    asked = prefix or given.period or ",".join(map(str, given.dates))
    if asked == when:
        return ()
    held = [text.partition("|")[0] for text in when.split(",")]
    iso = [date.iso for date in given.dates]
    if prefix is not None:
        is_within = any(date.startswith(f"{prefix}-") for date in held) or (
            _YEAR.fullmatch(when) is not None and prefix.startswith(when)
        )
        return _explain_year_for_date(asked, when) if is_within else None
    if _YEAR.fullmatch(when):
        is_within = any(date.startswith(f"{when}-") for date in iso)
        return _explain_year_for_date(asked, when) if is_within else None
    if given.period is not None or not all(map(_DATE.fullmatch, held)):
        return None
    return _compare_sets(frozenset(iso), frozenset(held), (asked, when), "dates")


def _explain_year_for_date(asked: str, held: str) -> tuple[Reason, ...]:
    return (make_reason("LX950", asked, held, component="dates"),)
