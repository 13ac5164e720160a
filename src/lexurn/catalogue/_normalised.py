"""Normalisation by the registry (RFC 9676 10.3): acronyms, abbreviations, names of authorities.

The catalogue may hold a name in any of the forms, so that what is asked for is not replaced, but
becomes several: as it is written, and as the registry would write it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import compress, islice, product
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.catalogue._connectives import bearing
from lexurn.catalogue._issuing import ANYBODY, Stated, issuing_words, stated_by
from lexurn.catalogue._reasons import reason
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._issuing import IssuingWords
    from lexurn.catalogue._reasons import Reason
    from lexurn.registry import Entry, Law, Lexicon, Registry

__all__ = ["Head", "Tongue", "heads_of", "jurisdictions_of", "tongue_of"]

_MOST_FORMS: Final = 3
_MOST_HEADS: Final = 24
_MOST_PARTS: Final = 8
_MOST_LANGUAGES: Final = 6
_BY_REGISTRY: Final = 0.08


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """An authority and a measure that may be meant; None for one that is missing.

    Attributes:
        authority: the whole element.
        measure: the whole element.
        reasons: how they follow from what was asked for.
        stated: what the words of the measure state of an authority that is missing.
    """

    authority: str | None
    measure: str | None
    reasons: tuple[Reason, ...] = ()
    stated: Stated = ANYBODY


@dataclass(frozen=True)
class Tongue:
    """The law of a jurisdiction, and the words of its languages."""

    law: Law
    connectives: frozenset[str]
    markers: frozenset[str]
    registry: Registry

    @cached_property
    def general(self) -> frozenset[str]:
        """Authorities that issue types of measure whose words do not name them: the State."""
        return frozenset(
            entry.issuer
            for entry in self.law.measures
            if entry.issuer is not None
            and not any(self.key(entry.issuer) in self.key(text) for text in entry.spellings)
        )

    @property
    def issuing_words(self) -> IssuingWords:
        """The words that authorities are called by."""
        return _issuing_words(self.registry, self.law.code)

    def bare(self, number: str) -> str:
        """A number without the word for "number" in front: ``n.456`` is ``456``."""
        word, dot, behind = number.partition(".")
        return behind if dot and behind[:1].isdigit() and key_of(word) in self.markers else number

    def key(self, text: str) -> str:
        """What is left of an element without accents, encoding and connectives."""
        words = key_of(unquote(text).replace(".", " ")).split()
        if not self.connectives.isdisjoint(words):  # few have any, and many are compared
            words = [*compress(words, bearing(words, self.connectives))]
        return " ".join(words)

    def expanded(self, text: str) -> str:
        """An element with its abbreviations filled out, without connectives, as names have it."""
        words = unquote(text).split(".")
        borne = bearing([*map(key_of, words)], self.connectives)
        filled = (self._word(word) for word in compress(words, borne))
        return ".".join(key.replace(" ", ".") for word in filled if (key := key_of(word)))

    def _word(self, word: str) -> str:
        """The one word that an abbreviation stands for, else the word itself."""
        found: set[str] = set()
        for language in self.law.languages[:_MOST_LANGUAGES]:
            entries = self.registry.words(language).abbreviations.get(key_of(word), ())
            found.update(entry.labels[0].text for entry in entries if entry.labels)
        return found.pop() if len(found) == 1 else word

    def heading(self, text: str) -> str:
        """The heading of an annex with its first word in full: ``all.1`` is ``allegato.1``."""
        first, dot, behind = unquote(text).partition(".")
        for language in self.law.languages[:_MOST_LANGUAGES]:
            found = self.registry.words(language).annexes.find(first)
            if found:
                return found[0].notation + dot + behind
        return text

    def knows(self, lexicon: Lexicon, text: str) -> bool:
        """Whether the registry has a word, so that it is no other word with a fault."""
        return bool(lexicon.by_notation(text) or lexicon.find(_spoken(text)))


@lru_cache(maxsize=64)
def tongue_of(registry: Registry, code: str) -> Tongue:
    """The law and the words of a jurisdiction-code."""
    law = registry.law(code)
    languages = law.languages[:_MOST_LANGUAGES]
    words = [registry.words(each) for each in languages]
    connectives = frozenset[str]().union(*(each.connectives for each in words))
    markers = frozenset[str]().union(*(each.markers for each in words))
    return Tongue(law, connectives, markers, registry)


@lru_cache(maxsize=64)
def _issuing_words(registry: Registry, code: str) -> IssuingWords:
    law = registry.law(code)
    return issuing_words(law, [registry.words(each) for each in law.languages[:_MOST_LANGUAGES]])


def heads_of(authority: str | None, measure: str | None, tongue: Tongue) -> tuple[Head, ...]:
    """What may be meant by an authority and a measure: as given first, then by the registry."""
    heads = [Head(authority=authority, measure=measure)]
    authorities = [] if authority is None else list(_authorities(authority, tongue))
    types, _, behind = (measure or "").partition(";")
    forms = [(measure, "", None)] if measure is None else _measures(types, behind, tongue)
    for whole, word, entry in forms:
        said = () if whole == measure else (_said("measure", str(measure), str(whole)),)
        stated = ANYBODY if entry is None or authority is not None else _stated(entry, word, tongue)
        if stated.issuer is None:
            issuers = (authority, *authorities)
            heads += [
                replace(_head(authority, each, whole, said), stated=stated) for each in issuers
            ]
        if (
            entry is not None
            and entry.issuer is not None
            and _may_issue(authority, entry, word)
            and not _is_denied(authority, entry.issuer, tongue)
        ):
            heads.append(_head(authority, entry.issuer, whole, said))
    unique = {(head.authority, head.measure, head.stated): head for head in reversed(heads)}
    return tuple(islice(reversed(unique.values()), _MOST_HEADS))


def _stated(entry: Entry, word: str, tongue: Tongue) -> Stated:
    """What a word for a measure states of its issuer; the type alone states nothing."""
    if key_of(_spoken(word)) == key_of(_spoken(entry.notation)):
        return ANYBODY
    languages = tongue.law.languages[:_MOST_LANGUAGES]
    words = [tongue.registry.words(each) for each in languages]
    return stated_by(entry, words, tongue.connectives)


def _head(
    given: str | None, issuer: str | None, measure: str | None, said: tuple[Reason, ...]
) -> Head:
    if issuer is None or issuer == given:
        return Head(authority=issuer, measure=measure, reasons=said)
    if given is None:
        added = reason("LX946", "", issuer, component="authority", cost=_BY_REGISTRY)
    else:
        added = _said("authority", given, issuer)
    return Head(authority=issuer, measure=measure, reasons=(added, *said))


def _may_issue(authority: str | None, entry: Entry, word: str) -> bool:
    """Whether a measure says whose it is: where its own word does, or nothing else.

    A type that several measures share ("decreto") is not that of the one whose name is longer.
    """
    key = key_of(_spoken(word))
    if key != key_of(_spoken(entry.notation)):
        return True
    return authority is None and any(key_of(text) == key for text in entry.spellings)


def _is_denied(authority: str | None, issuer: str, tongue: Tongue) -> bool:
    """Whether the authority that is given is a known one that is not the issuer.

    "State" says no more than that it is no other jurisdiction's: the measure has the say.
    """
    if authority is None:
        return False
    lexicon = tongue.law.authorities
    known = {
        entry.notation
        for entry in (*lexicon.by_notation(authority), *lexicon.find(_spoken(authority)))
    }
    return bool(known) and not known & {issuer, *tongue.general}


def _measures(types: str, behind: str, tongue: Tongue) -> Iterator[tuple[str, str, Entry | None]]:
    """Measures that a type may mean, each with the word for it and the registry's entry."""
    rest = f";{behind}" if behind else ""
    measures = tongue.law.measures
    known = [*measures.by_notation(types), *measures.find(_spoken(types))]
    if not known:
        expanded = tongue.expanded(types)
        known = [*measures.by_notation(expanded), *measures.find(_spoken(expanded))]
        if not known and expanded and expanded != types:
            yield expanded + rest, types, None
    for entry in known[: 2 * _MOST_FORMS]:
        yield entry.notation + rest, types, entry
    yield types + rest, types, None


def _authorities(authority: str, tongue: Tongue) -> Iterator[str]:
    """Whole authorities that one may mean, other than itself."""
    issuers = authority.split("+")
    parts = [part for issuer in issuers for part in issuer.split(";")]
    if len(parts) > _MOST_PARTS:
        return
    written = [
        tuple(
            _forms(part, tongue, tongue.law.bodies if place else tongue.law.authorities)
            for place, part in enumerate(issuer.split(";"))
        )
        for issuer in issuers
    ]
    choices = [(";".join(each) for each in product(*issuer)) for issuer in written]
    for combined in islice(product(*choices), _MOST_HEADS):
        whole = "+".join(combined)
        if whole != authority:
            yield whole


def _forms(part: str, tongue: Tongue, lexicon: Lexicon) -> tuple[str, ...]:
    """How the registry would write an institution or a body; at last as it is written."""
    expanded = tongue.expanded(part)
    found: list[str] = []
    for text in dict.fromkeys((part, expanded)):
        for entry in (*lexicon.by_notation(text), *lexicon.find(_spoken(text))):
            found += [entry.notation, *([entry.replaced_by] if entry.replaced_by else [])]
    return tuple(dict.fromkeys(filter(None, (*found[:_MOST_FORMS], expanded, part))))


def _said(component: str, before: str, after: str) -> Reason:
    return reason("LX942", before, after, component=component)


def _spoken(text: str) -> str:
    """An element of a name as words."""
    return unquote(text).replace(".", " ")


def jurisdictions_of(
    jurisdiction: str, registry: Registry
) -> Iterable[tuple[str, tuple[Reason, ...]]]:
    """A jurisdiction as it is written, and with the units that the registry knows by its words."""
    yield jurisdiction, ()
    code, *units = jurisdiction.split(";")
    if not units or len(units) > _MOST_PARTS:
        return
    lexicon, whole = registry.law(code).units, ""
    for unit in units:
        start = f"{whole};" if whole else ""
        found = {entry.notation for entry in lexicon.find(_spoken(unit))}
        inside = {
            each for each in found if each.startswith(start) and ";" not in each[len(start) :]
        }
        whole = inside.pop() if len(inside) == 1 else start + unit
    known = f"{code};{whole}"
    if known != jurisdiction:
        yield known, (_said("jurisdiction", jurisdiction, known),)
