"""Normalisation of words by the registry (RFC 9676 §10.3): acronyms, abbreviations, connectives.

Names do without connectives (§4.1, §6). A single letter may be one, or designate a section or an
annex: "lavoro e politiche sociali", "sezione e civile". The word before it tells which, if known.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote

from lexurn.registry import MAX_LANGUAGES, collect_authority_words, make_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from lexurn.registry import AuthorityWords, Law, Lexicon, Registry


def is_numeral(word: str) -> bool:
    """Return whether a word may be a Roman numeral, also one with four equal letters.

    >>> is_numeral("xviii"), is_numeral("civil"), is_numeral("")
    (True, False, False)
    """
    return bool(word) and _ROMAN.fullmatch(word) is not None


_ROMAN = re.compile(r"m{0,4}(?:c[md]|d?c{0,4})(?:x[cl]|l?x{0,4})(?:i[xv]|v?i{0,4})")
_TWO_LETTERS: Final = re.compile(r"[^\W\d_].*[^\W\d_]")


def mark_meaningful_words(
    words: Sequence[str],
    connectives: Collection[str],
    designates: Callable[[str, str], bool] = lambda _noun, _letter: False,
) -> list[bool]:
    """Mark the words of an element that bear its meaning: all but the connectives before a word.

    The last word, or one before a letter or a number, may number a section or an annex, though some
    language has a connective of the same spelling. So may a letter after such a noun.

    >>> mark_meaningful_words(["lavoro", "e", "politiche"], {"e"})
    [True, False, True]
    >>> mark_meaningful_words(["sezione", "e"], {"e"})
    [True, True]
    >>> mark_meaningful_words(["sezione", "e", "civile"], {"e"}, lambda *_: True)
    [True, True, True]

    Args:
        words: the words of one element, as keys.
        connectives: those of the languages that it may be in.
        designates: returns whether a letter after a word designates a section or an annex.
    """
    found: list[bool] = []
    is_before_word = False
    for index in range(len(words) - 1, -1, -1):
        word = words[index]
        is_connective = word in connectives
        is_letter = is_connective and len(word) == 1 and index > 0
        found.append(
            not (is_connective and is_before_word)
            or (is_letter and designates(words[index - 1], word))
        )
        if not is_connective:
            is_before_word = _TWO_LETTERS.search(word) is not None and not is_numeral(word)
    return found[::-1]


MOST_PARTS: Final = 8


@dataclass(frozen=True)
class LegalVocabulary:
    """Law of a jurisdiction, and words of its languages."""

    law: Law
    connectives: frozenset[str]
    elided: frozenset[str]
    markers: frozenset[str]
    folds: Mapping[int, str]
    registry: Registry

    @cached_property
    def general(self) -> frozenset[str]:
        """Authorities whose types of measure do not name them, such as the State."""
        return frozenset(
            entry.issuer
            for entry in self.law.measures
            if entry.issuer is not None
            and not any(self.key(entry.issuer) in self.key(text) for text in entry.spellings)
        )

    @property
    def issuing_words(self) -> AuthorityWords:
        """Words in the names of authorities."""
        return collect_authority_words(self.registry, self.law.code)

    def bare(self, number: str) -> str:
        """Drop the word for "number" in front of a number: ``n.456`` is ``456``."""
        word, dot, rest = number.partition(".")
        return rest if dot and rest[:1].isdigit() and make_key(word) in self.markers else number

    def is_same(self, one: str, other: str) -> bool:
        """Return whether two elements are the same but for accents, encoding and connectives.

        If there are several languages, a letter may be written as in any of them.
        """
        if self.key(one) == self.key(other):
            return True
        if len(self.law.languages) == 1 or not self.folds or "%" not in one + other:
            return False
        return self._drop_connectives(unquote(one)) == self._drop_connectives(unquote(other))

    def key(self, text: str) -> str:
        """Return an element without accents, encoding and connectives."""
        return self._drop_connectives(self.folded(unquote(text)))

    def _drop_connectives(self, text: str) -> str:
        words = make_key(text.replace(".", " ")).split()
        if not self.connectives.isdisjoint(words):  # few have any, and many are compared
            words = [*compress(words, self._mark_words(words))]
        return " ".join(words)

    def _mark_words(self, words: Sequence[str]) -> list[bool]:
        return mark_meaningful_words(words, self.connectives, self._may_designate)

    def is_alike(self, one: str, other: str) -> bool:
        """Return whether two elements differ in letters that may be connectives, on one side."""
        mine, theirs = (self.key(each).split() for each in (one, other))
        longer, shorter = (mine, theirs) if len(mine) > len(theirs) else (theirs, mine)
        if len(longer) == len(shorter) or self.connectives.isdisjoint(longer):
            return False
        marks = mark_meaningful_words(longer, self.connectives, self.designates)
        index = 0  # all the words of the shorter, with nothing but connectives between them
        for word, bears_meaning in zip(longer, marks, strict=True):
            if index < len(shorter) and word == shorter[index]:
                index += 1
            elif bears_meaning:
                return False
        return index == len(shorter)

    @cached_property
    def designators(self) -> frozenset[str]:
        """Nouns after which a letter is a designation: annexes, sections, articles.

        No authority is among them: "état" is one, besides a table.
        """
        entries = (
            entry
            for language in self.law.languages[:MAX_LANGUAGES]
            for words in (self.registry.words(language),)
            for entry in (*words.annexes.entries, *words.partitions)
        )
        nouns = {
            make_key(text)
            for each in entries
            for text in (*each.texts, write_as_words(each.notation))
        }
        return frozenset(nouns - {each.notation for each in self.law.authorities})

    @cached_property
    def _plain_words(self) -> frozenset[str]:
        """Words of authorities and measures after which a letter is a connective.

        Words that are a body by themselves (``ufficio``) are not: there may be several.
        """
        measures = {word for each in self.law.measures for word in re.split("[;.]", each.notation)}
        bodies = {each.notation for each in self.law.bodies}
        return frozenset(self.issuing_words.every | measures) - bodies - self.designators

    def designates(self, noun: str, letter: str) -> bool:
        """Return whether a letter after a word is a designation, not the "d'" of "d'appello"."""
        return noun in self.designators and letter not in self.elided

    def _may_designate(self, noun: str, _letter: str) -> bool:
        """Return whether a letter after a word may be a designation."""
        return noun not in self._plain_words and noun not in self.connectives

    def folded(self, text: str) -> str:
        """Replace the letters that the languages write otherwise in ASCII: "ü" is "ue"."""
        if text.isascii() or not self.folds:
            return text
        return unicodedata.normalize("NFC", text).lower().translate(self.folds)

    def expanded(self, text: str) -> str:
        """Expand the abbreviations of an element and drop its connectives."""
        words = unquote(text).split(".")
        marks = self._mark_words([*map(make_key, words)])
        keys: list[str] = []
        for word in compress(words, marks):
            found = {
                entry.labels[0].text
                for language in self.law.languages[:MAX_LANGUAGES]
                for entry in self.registry.words(language).abbreviations.get(make_key(word), ())
                if entry.labels
            }
            keys.append(make_key(self.folded(found.pop() if len(found) == 1 else word)))
        return ".".join(key.replace(" ", ".") for key in keys if key)

    def heading(self, text: str) -> str:
        """Expand the first word of an annex's heading: ``all.1`` is ``allegato.1``."""
        first, dot, rest = unquote(text).partition(".")
        for language in self.law.languages[:MAX_LANGUAGES]:
            found = self.registry.words(language).annexes.find(first)
            if found:
                return found[0].notation + dot + rest
        return text

    def knows(self, lexicon: Lexicon, text: str) -> bool:
        """Return whether the registry has a word, so that it is not a misspelt one."""
        return bool(lexicon.by_notation(text) or lexicon.find(write_as_words(text)))


@lru_cache(maxsize=64)
def load_vocabulary(registry: Registry, code: str) -> LegalVocabulary:
    """Load the law and the words of a jurisdiction-code."""
    law = registry.law(code)
    languages = law.languages[:MAX_LANGUAGES]
    words = [registry.words(each) for each in languages]
    connectives = frozenset[str]().union(*(each.connectives for each in words))
    elided = frozenset[str]().union(*(each.elided for each in words))
    markers = frozenset[str]().union(*(each.markers for each in words))
    folds: dict[int, str] = {}
    for each in reversed(words):  # the first language counts
        folds |= {ord(one): other for one, other in each.folds.items() if len(one) == 1}
    return LegalVocabulary(law, connectives, elided, markers, folds, registry)


def write_as_words(text: str) -> str:
    """Write an element of a name as words."""
    return unquote(text).replace(".", " ")


def normalise_jurisdiction(jurisdiction: str, registry: Registry) -> str:
    """Return a jurisdiction with the units that the registry knows by its words."""
    code, *units = jurisdiction.split(";")
    if not units or len(units) > MOST_PARTS:
        return jurisdiction
    vocabulary = load_vocabulary(registry, code)
    lexicon, whole = vocabulary.law.units, ""
    for unit in units:
        start = f"{whole};" if whole else ""
        found = {entry.notation for entry in lexicon.find(write_as_words(unit))}
        inside = {
            each for each in found if each.startswith(start) and ";" not in each[len(start) :]
        }
        # Unknown units are in ASCII as the languages of the state write them, where they can be.
        plain = unquote(unit)
        folded = vocabulary.folded(plain)
        ascii_unit = folded if folded != plain and folded.isascii() else unit
        whole = inside.pop() if len(inside) == 1 else f"{start}{ascii_unit}"
    return f"{code};{whole}"
