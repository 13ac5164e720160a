"""What is right and wrong with the entries of one file, each for itself."""

from __future__ import annotations

import datetime as dt
import difflib
import unicodedata
from typing import TYPE_CHECKING

from lexurn.registry._entries import LAW_KINDS, Kind, scheme_of
from lexurn.registry._keys import keys_of
from lexurn.registry._productions import (
    fault_of_convention,
    fault_of_name,
    fault_of_notation,
    fault_of_template,
    holds,
)
from lexurn.registry._turtle import DCTERMS, OWL, REG, SKOS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.registry._findings import RegistryFinding
    from lexurn.registry._subject import Subject

__all__ = ["PROPERTIES", "check_subject"]

_OWN = (
    "abbreviation",
    "body",
    "issuer",
    "name",
    "numbering",
    "qualifies",
    "titled",
    "validFrom",
    "validUntil",
)
_OF_SKOS = (
    "altLabel",
    "broadMatch",
    "broader",
    "changeNote",
    "closeMatch",
    "definition",
    "editorialNote",
    "exactMatch",
    "example",
    "hiddenLabel",
    "historyNote",
    "inScheme",
    "narrowMatch",
    "narrower",
    "notation",
    "note",
    "prefLabel",
    "related",
    "relatedMatch",
    "scopeNote",
    "topConceptOf",
)
#: The properties of REG and SKOS that an entry may have.
PROPERTIES = frozenset({REG + name for name in _OWN} | {SKOS + name for name in _OF_SKOS})
_NOTATION, _SCHEME = SKOS + "notation", SKOS + "inScheme"
_REPLACED, _BROADER = DCTERMS + "isReplacedBy", SKOS + "broader"
_FROM, _UNTIL = REG + "validFrom", REG + "validUntil"
_SINGLE = (
    *(_NOTATION, _SCHEME, _REPLACED, _BROADER, _FROM, _UNTIL, OWL + "deprecated"),
    *(REG + name for name in ("issuer", "body", "name", "numbering", "titled")),
)
_CALLED = (SKOS + "prefLabel", SKOS + "altLabel", REG + "abbreviation")
_NUMBERINGS = {"arabic", "roman", "letter", "ordinal"}
#: Zero-width joiners are letters' own in Persian and the scripts of India.
_JOINERS = {"\u200c", "\u200d"}
#: Kinds that are looked up by words; before numbers a sign may stand: "§", "#".
_SOUGHT = frozenset(LAW_KINDS) - {Kind.CONVENTION} | {Kind.ABBREVIATION, Kind.ANNEX, Kind.ORDINAL}


def check_subject(subject: Subject) -> Iterator[RegistryFinding]:
    """What is right and wrong with one entry."""
    if ":" not in subject.iri:
        yield subject.finding("LX921", None, None, subject.shown)
        return
    for rule in _RULES:
        yield from rule(subject)
    if subject.place is not None:
        for placed in _PLACED_RULES:
            yield from placed(subject, *subject.place)


def _vocabulary(subject: Subject) -> Iterator[RegistryFinding]:
    for predicate in subject.values:
        if predicate.startswith((REG, SKOS)) and predicate not in PROPERTIES:
            near = difflib.get_close_matches(predicate, PROPERTIES, n=1)
            yield subject.source.finding(
                "LX903",
                (subject.iri, predicate, None),
                _short(predicate),
                suggestion=_short(near[0]) if near else None,
            )


def _short(iri: str) -> str:
    return iri.replace(REG, "reg:").replace(SKOS, "skos:")


def _single(subject: Subject) -> Iterator[RegistryFinding]:
    for predicate in _SINGLE:
        values = tuple(dict.fromkeys(value.text for _, value in subject.each(predicate)))
        if len(values) > 1:
            yield subject.finding(
                "LX913",
                predicate,
                values[1],
                subject.shown,
                len(values),
                _short(predicate),
                ", ".join(values),
            )


def _characters(subject: Subject) -> Iterator[RegistryFinding]:
    for predicate, value in subject.each(*subject.values):
        for character in value.text:
            if _unseen(character):
                yield subject.finding(
                    "LX919", predicate, value.text, subject.shown, f"U+{ord(character):04X}"
                )
                break


def _unseen(character: str) -> bool:
    if character in _JOINERS:
        return False
    return unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}


def _scheme(subject: Subject) -> Iterator[RegistryFinding]:
    stated = subject.first(_SCHEME)
    if subject.known is not None:
        kept = scheme_of(subject.known.kind, subject.known.scope)
        if stated not in {None, kept}:
            yield subject.finding("LX910", _SCHEME, stated, subject.shown, f"<{kept}>")
    elif subject.place is None:
        example = scheme_of(Kind.AUTHORITY, "it")
        yield subject.finding("LX904", _SCHEME, stated, subject.shown, f"<{example}> or the like")


def _days(subject: Subject) -> Iterator[RegistryFinding]:
    wrong = [each for each in subject.each(_FROM, _UNTIL) if not _is_day(each[1].text)]
    for predicate, value in wrong:
        yield subject.finding("LX915", predicate, value.text, value.text)
    known = subject.known
    start = subject.first(_FROM) or (known.valid_from if known else None)
    end = subject.first(_UNTIL) or (known.valid_until if known else None)
    if start and end and not wrong and start >= end:
        at = _UNTIL if subject.first(_UNTIL) else _FROM
        yield subject.finding("LX916", at, None, subject.shown, start, end)


def _is_day(text: str) -> bool:
    try:
        return dt.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _notation(subject: Subject, kind: Kind, scope: str) -> Iterator[RegistryFinding]:
    stated = subject.first(_NOTATION)
    if stated is None:
        if subject.known is None:
            yield subject.finding("LX905", None, None, f"<{subject.iri}>")
        return
    # What a letter becomes is no code: a publisher may fold as his own names do.
    if subject.known and kind is not Kind.FOLD and stated != subject.known.notation:
        yield subject.finding(
            "LX909", _NOTATION, stated, f"<{subject.iri}>", subject.known.notation, stated
        )
    if fault := fault_of_notation(kind, scope, stated):
        yield subject.finding("LX908", _NOTATION, stated, repr(stated), _a(kind), fault)


def _a(kind: Kind) -> str:
    return f"{'an' if kind.word[0] in 'aeio' else 'a'} {kind.word}"


def _called(subject: Subject, kind: Kind, scope: str) -> Iterator[RegistryFinding]:
    if subject.known is None and not subject.values.get(SKOS + "prefLabel"):
        yield subject.finding("LX906", None, None, subject.shown)
    for predicate, value in subject.each(*_CALLED):
        if kind in _SOUGHT and not keys_of(value.text):
            yield subject.finding("LX923", predicate, value.text, repr(value.text))
        if kind is not Kind.CONVENTION and not value.language:
            language = next(iter(subject.registry.law(scope).languages), "en")
            written = f'"{value.text}"@{language if kind in LAW_KINDS else scope}'
            yield subject.finding("LX927", predicate, value.text, repr(value.text), written)


def _sourced(subject: Subject, kind: Kind, scope: str) -> Iterator[RegistryFinding]:
    del scope
    needs = kind in LAW_KINDS and kind is not Kind.CONVENTION and subject.known is None
    if needs and not subject.values.get(DCTERMS + "source"):
        yield subject.finding("LX907", None, None, subject.shown)


def _examples(subject: Subject, kind: Kind, scope: str) -> Iterator[RegistryFinding]:
    for predicate, value in subject.each(SKOS + "example", REG + "name"):
        if fault := fault_of_name(value.text):
            yield subject.finding("LX917", predicate, value.text, value.text, fault)
        elif predicate == SKOS + "example" and not _fits(subject, kind, scope, value.text):
            yield subject.finding(
                "LX918", predicate, value.text, value.text, subject.shown, _a(kind)
            )


def _fits(subject: Subject, kind: Kind, scope: str, example: str) -> bool:
    if kind not in LAW_KINDS or kind is Kind.CONVENTION:
        return True
    lead = f"urn:lex:{scope}"
    return example.startswith((lead + ":", lead + ";")) and holds(kind, subject.notation, example)


def _linked(subject: Subject, kind: Kind, scope: str) -> Iterator[RegistryFinding]:
    law = subject.registry.law(scope)
    for predicate, value in subject.each(REG + "issuer"):
        authorities = (value.text, value.text.partition(";")[0])
        if kind in LAW_KINDS and not any(map(law.authorities.by_notation, authorities)):
            yield subject.finding("LX920", predicate, value.text, scope, value.text)
    for predicate, value in subject.each(_BROADER):
        if subject.registry.entry(value.text) is None:
            yield subject.finding("LX925", predicate, value.text, subject.shown, f"<{value.text}>")


def _shaped(subject: Subject, kind: Kind, scope: str) -> Iterator[RegistryFinding]:
    """Templates, conventions, and how partitions are numbered."""
    del scope
    for predicate, value in subject.each(SKOS + "prefLabel"):
        if fault := _fault_of_value(kind, subject.notation, value.text):
            yield subject.finding("LX926", predicate, value.text, repr(value.text), fault)
    for predicate, value in subject.each(REG + "numbering"):
        if value.text not in _NUMBERINGS:
            known = "it is none of " + ", ".join(sorted(_NUMBERINGS))
            yield subject.finding("LX926", predicate, value.text, repr(value.text), known)


def _fault_of_value(kind: Kind, notation: str, text: str) -> str | None:
    if kind is Kind.FORMAT:
        return fault_of_template(text)
    return fault_of_convention(notation, text) if kind is Kind.CONVENTION else None


_RULES = (_vocabulary, _single, _characters, _scheme, _days)
_PLACED_RULES = (_notation, _called, _sourced, _examples, _linked, _shaped)
