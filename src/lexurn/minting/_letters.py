"""Letters: lower case by language, and what they are in ASCII (RFC 9676 sections 3.3, 3.4).

The registry's folds of a language come first (German "ü" is "ue"), then the base letter without its
marks, then the transliteration that anyascii has for whole scripts.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import quote

from lexurn.minting._steps import Action, MintFinding, Mode, Written
from lexurn.minting._text_cleaning import clean, compile_words
from lexurn.minting._text_codes import Place, finding, step
from lexurn.minting._text_scripts import shown
from lexurn.minting._text_vocabulary import vocabulary_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.registry import Words

__all__ = ["ascii_of", "encoded", "fold", "lowered", "unwritable", "written_word"]

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


def lowered(text: str, language: str) -> str:
    """The text in lower case: letter by letter, but for Turkic "I" and the final sigma.

    >>> lowered("İL", "tr"), lowered("ΝΟΜΟΣ", "el"), lowered("İL", "it")
    ('il', 'νομος', 'il')
    """
    if text.isascii() and language not in _DOTTED:
        return text.lower()
    if language in _DOTTED:
        text = text.translate(_TURKIC)
    plain = "".join(map(_lower, text))
    if _SIGMA in plain or _FINAL in plain:
        plain = _FINAL_SIGMA.sub(_FINAL, plain.replace(_FINAL, _SIGMA))
    return plain


def _lower(character: str) -> str:
    lower = character.lower()
    return lower if len(lower) == 1 else "i"


def ascii_of(word: str, folds: Mapping[str, str]) -> str:
    """A word in lower case as ASCII letters and digits; "" where no letter of it has any.

    >>> ascii_of("münchen", {"ü": "ue"}), ascii_of("sanità", {}), ascii_of("закон", {})
    ('muenchen', 'sanita', 'zakon')
    """
    if word.isascii():
        return word
    word = _monotonic(_POINTS.sub("", word))
    for letter in sorted(folds, key=len, reverse=True):
        word = word.replace(letter, folds[letter])
    return "".join(each if each.isascii() else _letter(each) for each in word)


def _monotonic(word: str) -> str:
    """A Greek word as it is spelt since 1982, by which folds know its letters."""
    if not _POLYTONIC.search(word):
        return word
    plain = unicodedata.normalize("NFD", word).translate(_MONOTONIC)
    return unicodedata.normalize("NFC", plain)


_IDEOGRAPH = re.compile("[\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


@lru_cache(maxsize=8_192)
def _letter(character: str) -> str:
    """One letter beyond ASCII in ASCII; "" for marks and for what is not pronounced."""
    known = _LETTERS.get(character)
    if known is not None:
        return known
    base = unicodedata.normalize("NFD", character)[0]
    if base.isascii():
        return base.lower() if base.isalnum() else ""
    from anyascii import anyascii  # noqa: PLC0415  a table of all scripts: not with the package

    return _KEPT.sub("", anyascii(character).lower())


def unwritable(word: str, folds: Mapping[str, str]) -> str | None:
    """The first letter of a word for which no ASCII is known; None where there is none.

    An ideograph is read in another way in each language and word, so none is known for it: RFC 9676
    section 3.4 then asks for Unicode.
    """
    from anyascii import anyascii  # noqa: PLC0415  as above

    for each in word:
        if each.isascii() or each in folds or not each.isalpha():
            continue
        if _IDEOGRAPH.match(each) or (not anyascii(each) and not _letter(each)):
            return each
    return None


def encoded(word: str) -> str:
    """A word with every character beyond ASCII as percent-encoded UTF-8 (RFC 3986)."""
    return quote(word.translate(_ORDINAL_SIGNS), safe="%-._~'=()")


def written_word(word: str, folds: Mapping[str, str], mode: Mode) -> str:
    """A word in lower case as a name has it; "" where it has no ASCII letters."""
    return ascii_of(word, folds) if mode is Mode.ASCII else encoded(word)


def fold(text: str, words: Words, mode: Mode, field: str) -> Written:
    """A text in lower case with its letters as a name has them; ASCII signs stay as they are.

    Args:
        text: any text.
        words: the words of its language.
        mode: ASCII letters, or percent-encoded UTF-8.
        field: the field that it stands in.

    Returns:
        The text with its steps; no text where a finding is an error.
    """
    vocabulary = vocabulary_of(words)
    cleaned = clean(text, field, vocabulary.script)
    if cleaned.failed:
        return Written(text=None, steps=cleaned.steps, findings=cleaned.findings)
    lower = lowered(cleaned.text, words.language)
    steps = [step(field, Action.LOWERED, cleaned.text, lower, "RFC 9676 §3.3")]
    faults: list[MintFinding] = []
    pieces: list[str] = []
    at = 0
    for match in compile_words(lower).finditer(lower):
        written = written_word(match[0], words.folds, mode)
        strange = mode is Mode.ASCII and unwritable(match[0], words.folds)
        if not written or strange:
            place = Place(field, text, 0, len(text))
            faults.append(finding("LX719", place, shown(strange or match[0])))
        pieces += [_signs(lower[at : match.start()]), written]
        at = match.end()
    folded = "".join((*pieces, _signs(lower[at:])))
    action = Action.FOLDED if mode is Mode.ASCII else Action.ENCODED
    steps.append(step(field, action, lower, folded, "RFC 9676 §3.4"))
    return Written(
        text=None if faults else folded,
        steps=(*cleaned.steps, *(each for each in steps if each.before != each.after)),
        findings=(*cleaned.findings, *faults),
    )


def _signs(text: str) -> str:
    """The signs of ASCII; others are eliminated (RFC 9676 section 4.1)."""
    return text if text.isascii() else "".join(each for each in text if each.isascii())
