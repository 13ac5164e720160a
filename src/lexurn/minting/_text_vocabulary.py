"""The words of a language as minting needs them: indexes made once, and what was written before."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from lexurn.minting._text_scripts import script_of
from lexurn.registry import BASE, key_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.registry import Entry, Lexicon, Words

__all__ = ["Vocabulary", "vocabulary_of"]

_MOST_LANGUAGES = 64
_MOST_PHRASES = 16_384
_SAMPLE = 40


class Vocabulary:
    """What is known of one language, and a cache of what was written with it.

    Attributes:
        words: the registry's words of the language.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self._written: dict[tuple[object, ...], object] = {}

    def recall(self, key: tuple[object, ...]) -> object | None:
        """What was kept under a key."""
        return self._written.get(key)

    def keep(self, key: tuple[object, ...], written: object) -> None:
        """Keep something under a key; everything is forgotten when there is too much."""
        if len(self._written) >= _MOST_PHRASES:
            self._written.clear()
        self._written[key] = written

    @cached_property
    def script(self) -> str | None:
        """The script that the language is written in; None where that is not known."""
        sample = [*list(self.words.connectives)[:_SAMPLE], *self.words.months]
        scripts = [script_of(key[0]) for key in sorted(sample) if key]
        return max(sorted(set(filter(None, scripts))), key=scripts.count, default=None)

    @cached_property
    def longest(self) -> dict[str, int]:
        """How many words the longest ordinal or abbreviation has, by its first word."""
        return _longest((*self.words.ordinals, *self.words.abbreviations, *self.annexed))

    @cached_property
    def connected(self) -> dict[str, int]:
        """How many words the longest connective of several words has, by its first word."""
        return _longest(key for key in self.words.connectives if " " in key)

    @cached_property
    def annexed(self) -> dict[str, tuple[Entry, ...]]:
        """Abbreviations of annexes by key."""
        return dict(_abbreviated(self.words.annexes))

    @cached_property
    def undotted(self) -> frozenset[str]:
        """Keys of the abbreviations that are registered without a dot at their end too."""
        entries = (entry for found in self.words.abbreviations.values() for entry in found)
        spellings = (each for entry in entries for each in _spelt(entry))
        return frozenset(key_of(each) for each in spellings if not each.endswith("."))

    @cached_property
    def designators(self) -> frozenset[str]:
        """Keys of the nouns behind which a letter or a number designates: annexes, articles."""
        entries = (*self.words.annexes.entries, *self.words.partitions)
        named = {key_of(text) for entry in entries for text in (*entry.texts, entry.notation)}
        return frozenset(named)

    def source(self, kind: str) -> str:
        """The IRI of the scheme of one kind of words, which a step names as its source."""
        return f"{BASE}words/{self.words.language}/{kind}"


def _longest(keys: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key in keys:
        first, *rest = key.split()
        found[first] = max(found.get(first, 1), 1 + len(rest))
    return found


def _abbreviated(lexicon: Lexicon) -> Iterable[tuple[str, tuple[Entry, ...]]]:
    found: dict[str, dict[str, Entry]] = {}
    for entry in lexicon.entries:
        for text in _spelt(entry):
            found.setdefault(key_of(text), {})[entry.iri] = entry
    return ((key, tuple(entries.values())) for key, entries in found.items())


def _spelt(entry: Entry) -> list[str]:
    """How an abbreviation is spelt; of an entry that also has full forms, what ends with a dot."""
    forms = [each.text for each in entry.forms]
    if entry.kind.word != "abbreviation":
        forms = [each for each in forms if each.endswith(".")]
    return [*forms, *(each.text for each in entry.abbreviations)]


_KNOWN: dict[int, Vocabulary] = {}


def vocabulary_of(words: Words) -> Vocabulary:
    """The vocabulary of some words; made once for each."""
    found = _KNOWN.get(id(words))
    if found is not None and found.words is words:
        return found
    if len(_KNOWN) >= _MOST_LANGUAGES:
        _KNOWN.clear()
    found = _KNOWN[id(words)] = Vocabulary(words)
    return found
