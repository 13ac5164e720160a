"""The key under which words are looked up: what is left when spelling is set aside."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["key_of", "keys_of"]

# Accents of Latin, Greek and Cyrillic letters, points of Hebrew, vowel signs and tatweel of Arabic.
_MARKS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
# Letters that Unicode does not take for a base letter with an accent, though their readers do.
_BASES = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
# What joins the letters on its two sides: dots, Hebrew marks of acronyms, the Catalan middle dot.
_JOINERS = frozenset('.·\u05f3\u05f4"')
_ASCII_WORDS = re.compile(r"[^a-z0-9]+")
_ASCII_JOINERS = re.compile(r"(?<=[a-z])[.\"](?=[a-z])")


@lru_cache(maxsize=16_384)
def key_of(text: str) -> str:
    """The key of a label, form or abbreviation, the same however it is spelt.

    Without case, accents and compatibility forms; apostrophes and punctuation are borders of
    words; dots inside and behind letters join them, and so do single letters side by side join;
    one blank between words. Letters of other scripts stay. A key is its own key.

    >>> key_of("D.P.R."), key_of("D. P. R."), key_of("Ministère de l'Économie")
    ('dpr', 'dpr', 'ministere de l economie')
    """
    key = " ".join(_joined(_words(text)))
    composed = unicodedata.normalize("NFKC", key)
    # What was joined may compose (Hangul, Tibetan), and a composed letter may join again.
    return key if key == composed else key_of(composed)


def keys_of(text: str) -> tuple[str, ...]:
    """All keys that a form is listed under: as it is, and with and without blanks behind dots.

    >>> keys_of("D.Lgs.")
    ('dlgs', 'd lgs')
    """
    if "." not in text:
        return tuple(filter(None, (key_of(text),)))
    spaced, close = text.replace(".", ". "), re.sub(r"\.\s+", ".", text)
    return tuple(dict.fromkeys(filter(None, map(key_of, (text, spaced, close)))))


def _words(text: str) -> list[str]:
    if text.isascii():
        lower = text.lower()
        return _ASCII_WORDS.sub(" ", _ASCII_JOINERS.sub("", lower)).split()
    return "".join(_bordered(_plain(text))).split()


def _plain(text: str) -> str:
    """The letters without case, accents and compatibility forms."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = _MARKS.sub("", folded).translate(_BASES)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())


def _bordered(text: str) -> Iterator[str]:
    """The letters, marks and digits; what joins dropped; a blank for everything else."""
    last = len(text) - 1
    for at, character in enumerate(text):
        if _in_word(character):
            yield character
        elif character in _JOINERS and 0 < at < last and _joins(text[at - 1], text[at + 1]):
            continue
        elif unicodedata.category(character) != "Cf":
            yield " "


def _in_word(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _joins(before: str, after: str) -> bool:
    return not any(each.isnumeric() or not _in_word(each) for each in (before, after))


def _joined(words: list[str]) -> Iterator[str]:
    """The words, single letters side by side made one."""
    for single, group in groupby(words, key=lambda word: len(word) == 1 and word.isalpha()):
        if single:
            yield "".join(group)
        else:
            yield from group
