"""Normalisation by the registry (RFC 9676 10.3): acronyms, abbreviations, names of authorities.

The catalogue may hold a name in any of the forms, so that what is asked for is not replaced, but
becomes several: as it is written, and as the registry would write it.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.catalogue._connectives import bearing, is_shortened
from lexurn.catalogue._reasons import reason
from lexurn.registry import MOST_LANGUAGES, issuing_words, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.catalogue._reasons import Reason
    from lexurn.registry import IssuingWords, Law, Lexicon, Registry, Words

__all__ = [
    "MOST_PARTS",
    "Tongue",
    "jurisdictions_of",
    "said_of",
    "spoken",
    "tongue_of",
]

MOST_PARTS: Final = 8


@dataclass(frozen=True)
class Tongue:
    """The law of a jurisdiction, and the words of its languages."""

    law: Law
    connectives: frozenset[str]
    elided: frozenset[str]
    markers: frozenset[str]
    folds: Mapping[int, str]
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
        return issuing_words(self.registry, self.law.code)

    def bare(self, number: str) -> str:
        """A number without the word for "number" in front: ``n.456`` is ``456``."""
        word, dot, behind = number.partition(".")
        return behind if dot and behind[:1].isdigit() and key_of(word) in self.markers else number

    def is_same(self, one: str, other: str) -> bool:
        """Whether two elements are the same but for accents, encoding and connectives.

        Where there are several languages, a letter may be written as in any of them.
        """
        if self.key(one) == self.key(other):
            return True
        if len(self.law.languages) == 1 or not self.folds or "%" not in one + other:
            return False
        return self._bare(unquote(one)) == self._bare(unquote(other))

    def key(self, text: str) -> str:
        """What is left of an element without accents, encoding and connectives."""
        return self._bare(self.folded(unquote(text)))

    def _bare(self, text: str) -> str:
        words = key_of(text.replace(".", " ")).split()
        if not self.connectives.isdisjoint(words):  # few have any, and many are compared
            words = [*compress(words, self._borne(words))]
        return " ".join(words)

    def _borne(self, words: Sequence[str]) -> list[bool]:
        return bearing(words, self.connectives, self._may_designate)

    def is_alike(self, one: str, other: str) -> bool:
        """Whether two elements differ in letters that may be connectives, on one side alone."""
        mine, theirs = (self.key(each).split() for each in (one, other))
        longer, shorter = (mine, theirs) if len(mine) > len(theirs) else (theirs, mine)
        if len(longer) == len(shorter) or self.connectives.isdisjoint(longer):
            return False
        borne = bearing(longer, self.connectives, self.designates)
        return is_shortened(longer, shorter, [not each for each in borne])

    @cached_property
    def designators(self) -> frozenset[str]:
        """Nouns behind which a letter is a designation: annexes, sections, articles.

        None that is an authority by itself: "état" is one, besides a table.
        """
        entries = (
            entry
            for language in self.law.languages[:MOST_LANGUAGES]
            for words in (self.registry.words(language),)
            for entry in (*words.annexes.entries, *words.partitions)
        )
        nouns = {key_of(text) for each in entries for text in (*each.texts, spoken(each.notation))}
        return frozenset(nouns - {each.notation for each in self.law.authorities})

    @cached_property
    def _plain_words(self) -> frozenset[str]:
        """Words of authorities and measures behind which a letter is a connective.

        Of a word that is a whole body by itself (``ufficio``) there may be several.
        """
        measures = {word for each in self.law.measures for word in _parts_of(each.notation)}
        bodies = {each.notation for each in self.law.bodies}
        return frozenset(self.issuing_words.every | measures) - bodies - self.designators

    def designates(self, noun: str, letter: str) -> bool:
        """Whether a letter behind a word is surely a designation, and no "d'" of "d'appello"."""
        return noun in self.designators and letter not in self.elided

    def _may_designate(self, noun: str, _letter: str) -> bool:
        """Whether a letter behind a word may be a designation: unless it is known not to."""
        return noun not in self._plain_words and noun not in self.connectives

    def folded(self, text: str) -> str:
        """A text with the letters that its languages write otherwise in ASCII: "ü" is "ue"."""
        if text.isascii() or not self.folds:
            return text
        return unicodedata.normalize("NFC", text).lower().translate(self.folds)

    def expanded(self, text: str) -> str:
        """An element with its abbreviations filled out, without connectives, as names have it."""
        words = unquote(text).split(".")
        borne = self._borne([*map(key_of, words)])
        filled = (self.folded(self._word(word)) for word in compress(words, borne))
        return ".".join(key.replace(" ", ".") for word in filled if (key := key_of(word)))

    def _word(self, word: str) -> str:
        """The one word that an abbreviation stands for, else the word itself."""
        found: set[str] = set()
        for language in self.law.languages[:MOST_LANGUAGES]:
            entries = self.registry.words(language).abbreviations.get(key_of(word), ())
            found.update(entry.labels[0].text for entry in entries if entry.labels)
        return found.pop() if len(found) == 1 else word

    def heading(self, text: str) -> str:
        """The heading of an annex with its first word in full: ``all.1`` is ``allegato.1``."""
        first, dot, behind = unquote(text).partition(".")
        for language in self.law.languages[:MOST_LANGUAGES]:
            found = self.registry.words(language).annexes.find(first)
            if found:
                return found[0].notation + dot + behind
        return text

    def knows(self, lexicon: Lexicon, text: str) -> bool:
        """Whether the registry has a word, so that it is no other word with a fault."""
        return bool(lexicon.by_notation(text) or lexicon.find(spoken(text)))


@lru_cache(maxsize=64)
def tongue_of(registry: Registry, code: str) -> Tongue:
    """The law and the words of a jurisdiction-code."""
    law = registry.law(code)
    languages = law.languages[:MOST_LANGUAGES]
    words = [registry.words(each) for each in languages]
    connectives = frozenset[str]().union(*(each.connectives for each in words))
    elided = frozenset[str]().union(*(each.elided for each in words))
    markers = frozenset[str]().union(*(each.markers for each in words))
    return Tongue(law, connectives, elided, markers, _folds(words), registry)


def _folds(words: Sequence[Words]) -> dict[int, str]:
    """How languages write letters in ASCII; where they differ, the first of them."""
    folds: dict[int, str] = {}
    for each in reversed(words):
        folds |= {ord(one): other for one, other in each.folds.items() if len(one) == 1}
    return folds


def said_of(component: str, before: str, after: str) -> Reason:
    """That an element is another by the registry."""
    return reason("LX942", before, after, component=component)


def spoken(text: str) -> str:
    """An element of a name as words."""
    return unquote(text).replace(".", " ")


def jurisdictions_of(
    jurisdiction: str, registry: Registry
) -> Iterable[tuple[str, tuple[Reason, ...]]]:
    """A jurisdiction as it is written, and with the units that the registry knows by its words."""
    yield jurisdiction, ()
    code, *units = jurisdiction.split(";")
    if not units or len(units) > MOST_PARTS:
        return
    tongue = tongue_of(registry, code)
    lexicon, whole = tongue.law.units, ""
    for unit in units:
        start = f"{whole};" if whole else ""
        found = {entry.notation for entry in lexicon.find(spoken(unit))}
        inside = {
            each for each in found if each.startswith(start) and ";" not in each[len(start) :]
        }
        whole = inside.pop() if len(inside) == 1 else start + _folded_unit(unit, tongue)
    known = f"{code};{whole}"
    if known != jurisdiction:
        yield known, (said_of("jurisdiction", jurisdiction, known),)


def _parts_of(notation: str) -> list[str]:
    return notation.replace(";", ".").split(".")


def _folded_unit(unit: str, tongue: Tongue) -> str:
    """A unit in ASCII as the languages of its state write it; else as it was given."""
    plain = unquote(unit)
    folded = tongue.folded(plain)
    return folded if folded != plain and folded.isascii() else unit
