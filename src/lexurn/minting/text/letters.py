"""Letters: lower case by language, and their ASCII form (RFC 9676 sections 3.3, 3.4).

The registry's folds of a language come first (German "ü" is "ue"), then the base letter without its
marks, then the transliteration that anyascii has for whole scripts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from lexurn.minting.metadata import Mode

if TYPE_CHECKING:
    from collections.abc import Mapping


#: Languages that have an "i" with a dot and one without, in both cases.
_DOTTED = frozenset({"tr", "az"})
_TURKIC = str.maketrans({"İ": "i", "I": "\u0131"})
#: Letters that are not a base letter with a mark, or not in Unicode's eyes.
_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ħ": "h",
    "\u0131": "i", "ŧ": "t", "ŋ": "ng", "ª": "a", "º": "o", "ĸ": "k", "ŉ": "n",
}  # fmt: skip
_ORDINAL_SIGNS = str.maketrans({"ª": "a", "º": "o"})
_KEPT = re.compile(r"[^a-z0-9]+")
_SIGMA, _FINAL = "\u03c3", "\u03c2"
#: Points of vowels and of chant, of Hebrew and Arabic: a word is the same with them or without.
_POINTS = re.compile(
    r"[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
    r"\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670\u06d6-\u06dc\u06df-\u06e4\u06e7-\u06ed]+"
)
_POLYTONIC = re.compile(r"[\u1f00-\u1fff]")
#: Greek breathings and the small iota go, the three accents are one.
_MONOTONIC = {0x313: None, 0x314: None, 0x345: None, 0x300: 0x301, 0x342: 0x301}
_FINAL_SIGMA = re.compile(r"(?<=[^\W_]|[\u0300-\u036f])\u03c3(?![^\W_]|[\u0300-\u036f])")


def lower_text(text: str, language: str) -> str:
    """Return the text in lower case: letter by letter, but for Turkic "I" and the final sigma.

    >>> lower_text("İL", "tr"), lower_text("ΝΟΜΟΣ", "el"), lower_text("İL", "it")
    ('il', 'νομος', 'il')
    """
    if text.isascii() and language not in _DOTTED:
        return text.lower()
    if language in _DOTTED:
        text = text.translate(_TURKIC)
    plain = "".join(map(_lower_character, text))
    if _SIGMA in plain or _FINAL in plain:
        plain = _FINAL_SIGMA.sub(_FINAL, plain.replace(_FINAL, _SIGMA))
    return plain


def _lower_character(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else "i"


def fold_to_ascii(word: str, folds: Mapping[str, str]) -> str:
    """Return a word in lower case as ASCII letters and digits, "" where it has none.

    >>> fold_to_ascii("münchen", {"ü": "ue"}), fold_to_ascii("закон", {})
    ('muenchen', 'zakon')
    """
    if word.isascii():
        return word
    word = _make_monotonic(_POINTS.sub("", word))
    for letter in sorted(folds, key=len, reverse=True):
        word = word.replace(letter, folds[letter])
    return "".join(each if each.isascii() else _transliterate(each) for each in word)


def _make_monotonic(word: str) -> str:
    """Return a Greek word in the spelling of 1982, by which folds know its letters."""
    if not _POLYTONIC.search(word):
        return word
    plain = unicodedata.normalize("NFD", word).translate(_MONOTONIC)
    return unicodedata.normalize("NFC", plain)


_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


@lru_cache(maxsize=8_192)
def _transliterate(character: str) -> str:
    """Return a letter beyond ASCII in ASCII, "" for marks and for silent letters."""
    known = _LETTERS.get(character)
    if known is not None:
        return known
    base = unicodedata.normalize("NFD", character)[0]
    if base.isascii():
        return base.lower() if base.isalnum() else ""
    from anyascii import anyascii  # noqa: PLC0415  a table of all scripts: not with the package

    return _KEPT.sub("", anyascii(character).lower())


def find_unwritable(word: str, folds: Mapping[str, str]) -> str | None:
    """Return the first letter of a word for which no ASCII is known, or None.

    An ideograph is read in another way in each language and word, so none is known for it: RFC 9676
    section 3.4 then asks for Unicode.
    """
    from anyascii import anyascii  # noqa: PLC0415  as above

    for each in word:
        if each.isascii() or each in folds or not each.isalpha():
            continue
        if _IDEOGRAPH.match(each) or (not anyascii(each) and not _transliterate(each)):
            return each
    return None


def percent_encode(word: str) -> str:
    """Encode every character beyond ASCII as percent-encoded UTF-8 (RFC 3986)."""
    return quote(word.translate(_ORDINAL_SIGNS), safe="%-._~'=()")


def write_word(word: str, folds: Mapping[str, str], mode: Mode) -> str:
    """Return a word in lower case as a name has it, "" where it has no ASCII letters."""
    return fold_to_ascii(word, folds) if mode is Mode.ASCII else percent_encode(word)
