"""Normalisation of words by the registry (RFC 9676 10.3): acronyms, abbreviations, connectives.

Names do without connectives (sections 4.1 and 6). A single letter may be one, and may be what a
section or an annex is called by: "lavoro e politiche sociali", "sezione e civile". The word before
it tells which, as far as it is known.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import compress
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn.registry import MAX_LANGUAGES, collect_authority_words, make_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Final

    from lexurn.registry import AuthorityWords, Law, Lexicon, Registry, Words


def is_numeral(word: str) -> bool:
    """Whether a word may be a Roman numeral, also one with four equal letters.

    >>> is_numeral("xviii"), is_numeral("civil"), is_numeral("")
    (True, False, False)
    """
    return bool(word) and _ROMAN.fullmatch(word) is not None


_ROMAN = re.compile(r"m{0,4}(?:c[md]|d?c{0,4})(?:x[cl]|l?x{0,4})(?:i[xv]|v?i{0,4})")
_TWO_LETTERS: Final = re.compile(r"[^\W\d_].*[^\W\d_]")


def _never(_noun: str, _letter: str) -> bool:
    return False


def mark_meaningful_words(
    words: Sequence[str],
    connectives: Collection[str],
    designates: Callable[[str, str], bool] = _never,
) -> list[bool]:
    """Which words of an element bear its meaning: all but the connectives before a word.

    What stands last, or before a letter or a number, numbers a section or an annex, though some
    language has a connective that is written so. So does a letter behind such a noun.

    >>> mark_meaningful_words(["lavoro", "e", "politiche"], {"e"})
    [True, False, True]
    >>> mark_meaningful_words(["sezione", "e"], {"e"})
    [True, True]
    >>> mark_meaningful_words(["sezione", "e", "civile"], {"e"}, lambda *_: True)
    [True, True, True]

    Args:
        words: the words of one element, as keys.
        connectives: those of the languages that it may be in.
        designates: whether, behind a word, a letter tells one such thing from another.
    """
    found: list[bool] = []
    is_before_word = False
    for place in range(len(words) - 1, -1, -1):
        word = words[place]
        is_connective = word in connectives
        is_letter = is_connective and len(word) == 1 and place > 0
        is_borne = not (is_connective and is_before_word) or (
            is_letter and designates(words[place - 1], word)
        )
        found.append(is_borne)
        if not is_connective:
            is_before_word = _TWO_LETTERS.search(word) is not None and not is_numeral(word)
    return found[::-1]


def is_shortened(longer: Sequence[str], shorter: Sequence[str], leaves: Sequence[bool]) -> bool:
    """Whether words are those of another element without some of those that it may leave out.

    >>> is_shortened(["ufficio", "e", "civile"], ["ufficio", "civile"], [False, True, False])
    True

    Args:
        longer: the words of the other element.
        shorter: the words.
        leaves: which words of the other element may be left out.
    """
    place = 0
    for word, may_leave in zip(longer, leaves, strict=True):
        if place < len(shorter) and word == shorter[place]:
            place += 1
        elif not may_leave:
            return False
    return place == len(shorter)


MOST_PARTS: Final = 8


@dataclass(frozen=True)
class LegalVocabulary:
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
    def issuing_words(self) -> AuthorityWords:
        """The words that authorities are called by."""
        return collect_authority_words(self.registry, self.law.code)

    def bare(self, number: str) -> str:
        """A number without the word for "number" in front: ``n.456`` is ``456``."""
        word, dot, behind = number.partition(".")
        return behind if dot and behind[:1].isdigit() and make_key(word) in self.markers else number

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
        words = make_key(text.replace(".", " ")).split()
        if not self.connectives.isdisjoint(words):  # few have any, and many are compared
            words = [*compress(words, self._borne(words))]
        return " ".join(words)

    def _borne(self, words: Sequence[str]) -> list[bool]:
        return mark_meaningful_words(words, self.connectives, self._may_designate)

    def is_alike(self, one: str, other: str) -> bool:
        """Whether two elements differ in letters that may be connectives, on one side alone."""
        mine, theirs = (self.key(each).split() for each in (one, other))
        longer, shorter = (mine, theirs) if len(mine) > len(theirs) else (theirs, mine)
        if len(longer) == len(shorter) or self.connectives.isdisjoint(longer):
            return False
        borne = mark_meaningful_words(longer, self.connectives, self.designates)
        return is_shortened(longer, shorter, [not each for each in borne])

    @cached_property
    def designators(self) -> frozenset[str]:
        """Nouns behind which a letter is a designation: annexes, sections, articles.

        None that is an authority by itself: "état" is one, besides a table.
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
        """Words of authorities and measures behind which a letter is a connective.

        Of a word that is a whole body by itself (``ufficio``) there may be several.
        """
        measures = {word for each in self.law.measures for word in _split_notation(each.notation)}
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
        borne = self._borne([*map(make_key, words)])
        filled = (self.folded(self._word(word)) for word in compress(words, borne))
        return ".".join(key.replace(" ", ".") for word in filled if (key := make_key(word)))

    def _word(self, word: str) -> str:
        """The one word that an abbreviation stands for, else the word itself."""
        found: set[str] = set()
        for language in self.law.languages[:MAX_LANGUAGES]:
            entries = self.registry.words(language).abbreviations.get(make_key(word), ())
            found.update(entry.labels[0].text for entry in entries if entry.labels)
        return found.pop() if len(found) == 1 else word

    def heading(self, text: str) -> str:
        """The heading of an annex with its first word in full: ``all.1`` is ``allegato.1``."""
        first, dot, behind = unquote(text).partition(".")
        for language in self.law.languages[:MAX_LANGUAGES]:
            found = self.registry.words(language).annexes.find(first)
            if found:
                return found[0].notation + dot + behind
        return text

    def knows(self, lexicon: Lexicon, text: str) -> bool:
        """Whether the registry has a word, so that it is no other word with a fault."""
        return bool(lexicon.by_notation(text) or lexicon.find(write_as_words(text)))


@lru_cache(maxsize=64)
def load_vocabulary(registry: Registry, code: str) -> LegalVocabulary:
    """The law and the words of a jurisdiction-code."""
    law = registry.law(code)
    languages = law.languages[:MAX_LANGUAGES]
    words = [registry.words(each) for each in languages]
    connectives = frozenset[str]().union(*(each.connectives for each in words))
    elided = frozenset[str]().union(*(each.elided for each in words))
    markers = frozenset[str]().union(*(each.markers for each in words))
    return LegalVocabulary(law, connectives, elided, markers, _merge_folds(words), registry)


def _merge_folds(words: Sequence[Words]) -> dict[int, str]:
    """How languages write letters in ASCII; where they differ, the first of them."""
    folds: dict[int, str] = {}
    for each in reversed(words):
        folds |= {ord(one): other for one, other in each.folds.items() if len(one) == 1}
    return folds


def write_as_words(text: str) -> str:
    """An element of a name as words."""
    return unquote(text).replace(".", " ")


def normalise_jurisdiction(jurisdiction: str, registry: Registry) -> str:
    """Return a jurisdiction with the units that the registry knows by its words."""
    code, *units = jurisdiction.split(";")
    if not units or len(units) > MOST_PARTS:
        return jurisdiction
    tongue = load_vocabulary(registry, code)
    lexicon, whole = tongue.law.units, ""
    for unit in units:
        start = f"{whole};" if whole else ""
        found = {entry.notation for entry in lexicon.find(write_as_words(unit))}
        inside = {
            each for each in found if each.startswith(start) and ";" not in each[len(start) :]
        }
        whole = inside.pop() if len(inside) == 1 else start + _fold_unit(unit, tongue)
    return f"{code};{whole}"


def _split_notation(notation: str) -> list[str]:
    return notation.replace(";", ".").split(".")


def _fold_unit(unit: str, tongue: LegalVocabulary) -> str:
    """A unit in ASCII as the languages of its state write it; else as it was given."""
    plain = unquote(unit)
    folded = tongue.folded(plain)
    return folded if folded != plain and folded.isascii() else unit
