"""Words of a text, the vocabulary of its language, and the role of short words.

Annex A, department I: "a" is an article in English and a preposition in Italian, "i" an article in
Italian. Case and the words beside it decide about a letter. Where they do not, nothing is decided.
"""

from __future__ import annotations

import re
import unicodedata
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import unquote

from lexurn.minting.text.cleaning import compile_word_pattern, find_script
from lexurn.registry import REGISTRY_BASE, make_key

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.registry import Entry, Words

#: What a name already has: lower case, digits, triplets, dots between words and nothing else.
_NAME_FORM = re.compile(r"(?:[a-z0-9]|%[0-9A-Fa-f]{2})+(?:\.(?:[a-z0-9]|%[0-9A-Fa-f]{2})+)*")
_TRIPLETS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
#: Signs inside a word that are no border of words: Hebrew marks of acronyms, the Catalan dot.
_INNER_SIGNS = frozenset({"\u05f3", "\u05f4", "\u00b7", '"'})
_SIGNS = frozenset("°^˚º")


class Piece(NamedTuple):
    """Word of a text.

    Attributes:
        text: as it is written, without signs inside.
        key: its key in the registry.
        start: its offset.
        end: the offset behind it.
        after: what stands between it and the next one.
    """

    text: str
    key: str
    start: int
    end: int
    after: str

    @property
    def dotted(self) -> bool:
        """Return whether a dot stands right behind it."""
        return self.after.startswith(".")

    @property
    def elided(self) -> bool:
        """Return whether an apostrophe joins it to the next word."""
        return self.after == "'"

    @property
    def signed(self) -> bool:
        """Return whether a sign of ordinals stands right behind it: ``1°``, ``2^``."""
        return self.after[:1] in _SIGNS and self.after != ""

    @property
    def is_letter(self) -> bool:
        """Return whether it is one letter."""
        letters = [each for each in self.text if not unicodedata.combining(each)]
        return len(letters) == 1 and letters[0].isalpha()

    @property
    def shows_capitals(self) -> bool:
        """Return whether all its letters are capitals, and there is one."""
        return self.text.isupper()


class SplitText(NamedTuple):
    """Text in pieces.

    Attributes:
        pieces: its words.
        named: whether it has the form of a part of a name, dots between words.
        mixed: whether it has small letters, so that words in capitals stand out.
    """

    pieces: tuple[Piece, ...]
    named: bool
    mixed: bool

    @property
    def lone(self) -> bool:
        """Return whether it is one word."""
        return len(self.pieces) == 1


def is_name_form(text: str) -> bool:
    """Return whether a text is a part of a name already.

    >>> is_name_form("annex.a"), is_name_form("Annex A"), is_name_form("legge")
    (True, False, False)
    """
    return ("." in text or "%" in text) and _NAME_FORM.fullmatch(text) is not None


def decode_triplets(text: str) -> str:
    """Decode the percent-encoded letters beyond ASCII; what is not UTF-8 stays."""
    return _TRIPLETS.sub(_decode_run, text) if "%" in text else text


def _decode_run(run: re.Match[str]) -> str:
    try:
        return unquote(run[0], errors="strict")
    except UnicodeDecodeError:
        return run[0]


def split_text(text: str, *, elides: bool) -> SplitText:
    """Return the words of a clean text.

    Args:
        text: the text.
        elides: whether an apostrophe parts words in its language (dell'interno), or stands
            inside a word (king's).
    """
    named = is_name_form(text)
    if named:
        text = decode_triplets(text)
    found: list[Piece] = []
    matches = list(compile_word_pattern(text).finditer(text))
    for at, match in enumerate(matches):
        end = matches[at + 1].start() if at + 1 < len(matches) else len(text)
        after = text[match.end() : end]
        before = found[-1] if found else None
        if before is not None and _is_joined(before, match[0], elides=elides):
            found.pop()
            whole, start = before.text + match[0], before.start
        else:
            whole, start = match[0], match.start()
        found.append(Piece(whole, make_key(whole), start, match.end(), after))
    mixed = any(each.islower() for each in text)
    return SplitText(tuple(each for each in found if each.key), named, mixed)


def _is_joined(before: Piece, word: str, *, elides: bool) -> bool:
    """Return whether the sign between two pieces stands inside a word."""
    if before.after == "'":
        return not elides
    if before.after == '"':
        return "\u05d0" <= before.text[-1] <= "\u05ea" and "\u05d0" <= word[0] <= "\u05ea"
    return before.after in _INNER_SIGNS and before.text[-1].isalpha() and word[0].isalpha()


_MAX_LANGUAGES = 64
_MAX_PHRASES = 16_384
_SAMPLE_SIZE = 40


class Vocabulary:
    """Words of one language, with indexes, and a cache of what was written with them.

    Attributes:
        words: the registry's words of the language.
    """

    def __init__(self, words: Words) -> None:
        self.words = words
        self._written: dict[tuple[object, ...], object] = {}

    def recall(self, key: tuple[object, ...]) -> object | None:
        """Return what was kept under a key."""
        return self._written.get(key)

    def keep(self, key: tuple[object, ...], written: object) -> None:
        """Keep a value under a key; forget everything when there is too much."""
        if len(self._written) >= _MAX_PHRASES:
            self._written.clear()
        self._written[key] = written

    @cached_property
    def script(self) -> str | None:
        """Script that the language is written in, or None."""
        sample = [*list(self.words.connectives)[:_SAMPLE_SIZE], *self.words.months]
        scripts = [find_script(key[0]) for key in sorted(sample) if key]
        return max(sorted(set(filter(None, scripts))), key=scripts.count, default=None)

    @cached_property
    def longest(self) -> dict[str, int]:
        """Length in words of the longest ordinal or abbreviation, by its first word."""
        return _count_longest((*self.words.ordinals, *self.words.abbreviations, *self.annexed))

    @cached_property
    def connected(self) -> dict[str, int]:
        """Length in words of the longest connective of several words, by its first word."""
        return _count_longest(key for key in self.words.connectives if " " in key)

    @cached_property
    def annexed(self) -> dict[str, tuple[Entry, ...]]:
        """Abbreviations of annexes by key."""
        found: dict[str, dict[str, Entry]] = {}
        for entry in self.words.annexes.entries:
            for text in _list_spellings(entry):
                found.setdefault(make_key(text), {})[entry.iri] = entry
        return {key: tuple(entries.values()) for key, entries in found.items()}

    @cached_property
    def undotted(self) -> frozenset[str]:
        """Keys of the abbreviations that are also registered without a final dot."""
        entries = (entry for found in self.words.abbreviations.values() for entry in found)
        spellings = (each for entry in entries for each in _list_spellings(entry))
        return frozenset(make_key(each) for each in spellings if not each.endswith("."))

    @cached_property
    def designators(self) -> frozenset[str]:
        """Keys of the nouns that a letter or a number follows: annexes, articles."""
        entries = (*self.words.annexes.entries, *self.words.partitions)
        named = {make_key(text) for entry in entries for text in (*entry.texts, entry.notation)}
        return frozenset(named)

    def source(self, kind: str) -> str:
        """Return the IRI of the scheme of one kind of words, the source of a step."""
        return f"{REGISTRY_BASE}words/{self.words.language}/{kind}"


def _count_longest(keys: Iterable[str]) -> dict[str, int]:
    found: dict[str, int] = {}
    for key in keys:
        first, *rest = key.split()
        found[first] = max(found.get(first, 1), 1 + len(rest))
    return found


def _list_spellings(entry: Entry) -> list[str]:
    """Return the spellings of an abbreviation; an entry with full forms counts those with a dot."""
    forms = [each.text for each in entry.forms]
    if entry.kind.word != "abbreviation":
        forms = [each for each in forms if each.endswith(".")]
    return [*forms, *(each.text for each in entry.abbreviations)]


_VOCABULARIES: dict[int, Vocabulary] = {}


def get_vocabulary(words: Words) -> Vocabulary:
    """Return the vocabulary of some words, made once for each."""
    found = _VOCABULARIES.get(id(words))
    if found is not None and found.words is words:
        return found
    if len(_VOCABULARIES) >= _MAX_LANGUAGES:
        _VOCABULARIES.clear()
    found = _VOCABULARIES[id(words)] = Vocabulary(words)
    return found


_MANY_WORDS = 4


class WordRole(StrEnum):
    """Role of a short word."""

    CONNECTIVE = "connective"
    WORD = "word"
    UNDECIDED = "undecided"


def find_role(text: SplitText, at: int, vocabulary: Vocabulary) -> WordRole:
    """Return the role of a word: one to drop, one to keep, or either."""
    piece = text.pieces[at]
    words = vocabulary.words
    if piece.key not in words.connectives or text.named:
        return WordRole.WORD
    if piece.elided:
        return WordRole.CONNECTIVE
    if piece.key in words.elided and not piece.after.startswith("'"):
        return WordRole.WORD
    if piece.is_letter:
        return _find_letter_role(text, at, vocabulary)
    stands_out = text.mixed and piece.shows_capitals
    return WordRole.WORD if stands_out or _looks_like_name(piece) else WordRole.CONNECTIVE


def _looks_like_name(piece: Piece) -> bool:
    """Return whether a capital and an accent tell a name from a connective: "Pará", "para".

    Connectives of several letters have an accent in no language whose names look like them.
    """
    letters = unicodedata.normalize("NFD", piece.text)
    marked = any(unicodedata.combining(each) for each in letters)
    return marked and piece.text[0].isupper() and not piece.text.isupper()


def _find_letter_role(text: SplitText, at: int, vocabulary: Vocabulary) -> WordRole:
    """Return the role of a letter that is a connective or designates something."""
    piece = text.pieces[at]
    if at + 1 == len(text.pieces):
        return WordRole.WORD
    if at == 0:
        # "A bill", "I beni" begin with an article; "I" may also be the numeral.
        undecided = piece.text == "I" and text.mixed
        return WordRole.UNDECIDED if undecided else WordRole.CONNECTIVE
    if text.pieces[at - 1].key in vocabulary.designators:
        return _find_role_after_noun(text, at, vocabulary)
    if piece.shows_capitals and text.mixed and not _is_title_case(text):
        return WordRole.WORD
    return WordRole.CONNECTIVE


def _find_role_after_noun(text: SplitText, at: int, vocabulary: Vocabulary) -> WordRole:
    """Return the role of a letter behind "annex" and the like, where capitals designate.

    "Annex a of the act" has the letter, "anexo a la ley" the preposition.
    """
    piece, following = text.pieces[at], text.pieces[at + 1]
    if piece.shows_capitals:
        return WordRole.WORD
    undecided = len(piece.text) == 1 and piece.text.isascii()
    undecided = undecided and following.key in vocabulary.words.connectives
    return WordRole.UNDECIDED if undecided else WordRole.CONNECTIVE


def _is_title_case(text: SplitText) -> bool:
    """Return whether all of many words begin with a capital, so that it says little."""
    others = [each for each in text.pieces if not each.is_letter and each.text[0].isalpha()]
    return len(others) >= _MANY_WORDS and all(each.text[0].isupper() for each in others)
