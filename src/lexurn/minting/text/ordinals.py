# ruff: noqa: RUF001, RUF002, RUF003 - letters of other scripts
"""Ordinal numbers as Arabic digits (RFC 9676 section 4.3): IV, third, 1°, 2^, 3ª, 1st, 2-й, Α΄."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.minting.text.words import Piece, Vocabulary

#: I to LXXXIX. Numerals with C, D or M are left alone: what is written so is mostly an acronym.
_ROMAN = re.compile(r"(?=[IVXL])(XL|L?X{0,3})(IX|IV|V?I{0,3})")
#: A Roman numeral with the ending of an ordinal: "XIIIe", "IIº".
_ROMAN_ENDED = re.compile(r"([IVXL]+)([^\W\d_A-Z]+|[ºª])")
_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
#: Greek numerals from 1 to 99 in capitals, which a sign behind them tells from letters: ΣΤ΄, ΙΑ΄.
_GREEK = re.compile(r"(?=.)([ΙΚΛΜΝΞΟΠϘ]?)(ΣΤ|[ΑΒΓΔΕϚΖΗΘ]?)")
_GREEK_TENS = {letter: 10 * at for at, letter in enumerate("ΙΚΛΜΝΞΟΠϘ", 1)}
_GREEK_UNITS = {"ΣΤ": 6} | {letter: at for at, letter in enumerate("ΑΒΓΔΕϚΖΗΘ", 1)}
_GREEK_SIGNS = frozenset("'\u0384\u0374\u02b9\u00b4")
_DIGITS = re.compile(r"([0-9]+)(\D*)")
_SIGNS = frozenset("ºª")
_TENS = frozenset(range(10, 100, 10))

#: How ordinals in digits end, by language. Data on spelling, not on law.
_ENDINGS = {
    "bg": "ви ри ти ми ва ра та ма во ро то мо ия ият",
    "ca": "r n t è a er on rt",
    "de": "te ter tes ten ste",
    "el": "ος η ο ης ου",
    "en": "st nd rd th",
    "es": "er era ero do da to ta mo ma vo va no na a o",
    "fr": "er re ère ere e eme ème ième ieme nd nde",
    "it": "a o",
    "nl": "e de ste",
    "pt": "a o",
    "ro": "a lea ul",
    "ru": "й я е го ое ая ой ый ий",
    "sv": "a e",
    "tr": "inci nci ıncı uncu üncü ncı ncu ncü",
    "uk": "й я е го а",
}
_ENDINGS_OF = {language: frozenset(listed.split()) for language, listed in _ENDINGS.items()}


class Ordinal(NamedTuple):
    """Ordinal in digits.

    Attributes:
        digits: in Arabic digits.
        taken: how many pieces it takes.
    """

    digits: str
    taken: int = 1


def read_roman(text: str) -> int | None:
    """Return the value of a Roman numeral in capitals, None where it is not one.

    >>> [read_roman(text) for text in ("IV", "XVI", "IIII", "DI", "L", "iv")]
    [4, 16, None, None, None, None]
    """
    if text == "L" or not _ROMAN.fullmatch(text):
        return None
    return compute_roman(text)


def compute_roman(numeral: str) -> int:
    """Return the value of a Roman numeral in capitals."""
    values = [_VALUES[each] for each in numeral]
    return sum(-a if a < b else a for a, b in zip(values, [*values[1:], 0], strict=True))


def read_ordinal(
    pieces: Sequence[Piece], at: int, language: str, *, designates: bool
) -> Ordinal | None:
    """Return an ordinal in digits, None where the piece is something else.

    An ending of one plain letter is one only before a further word and not behind a noun that a
    letter designates: "3a sezione" is the third section, "allegato 3a" and "section 3a" are not.
    """
    greek = _read_greek(pieces[at]) if language == "el" else None
    return greek or _read_ordinal_digits(pieces, at, language, designates=designates)


def _read_ordinal_digits(
    pieces: Sequence[Piece], at: int, language: str, *, designates: bool
) -> Ordinal | None:
    """Return an ordinal in digits or Roman letters that ends as ordinals do."""
    piece = pieces[at]
    match = _DIGITS.fullmatch(piece.text)
    if match is None:
        match = _ROMAN_ENDED.fullmatch(piece.text)
        value = read_roman(match[1]) if match else None
        if match is None or value is None:
            return None
        digits, ending = str(value), match[2]
    else:
        digits, ending = match.groups()
    if not ending:
        return _read_split_ordinal(pieces, at, language) or (
            Ordinal(digits) if piece.signed else None
        )
    if ending in _SIGNS or (ending[0] in _SIGNS and not ending[1:].isalpha()):
        return Ordinal(digits)
    if ending.lower() not in _ENDINGS_OF.get(language, ()) or ending.isupper():
        return None
    if len(ending) == 1 and ending.isascii() and (designates or at + 1 == len(pieces)):
        return None
    return Ordinal(digits)


def _read_greek(piece: Piece) -> Ordinal | None:
    """Return a numeral in Greek letters, None for a word (the elided "ΥΠ'", "ΑΠ'")."""
    match = _GREEK.fullmatch(piece.text)
    if match is None or piece.after[:1] not in _GREEK_SIGNS:
        return None
    return Ordinal(str(_GREEK_TENS.get(match[1], 0) + _GREEK_UNITS.get(match[2], 0)))


def _read_split_ordinal(pieces: Sequence[Piece], at: int, language: str) -> Ordinal | None:
    """Return an ordinal with its ending behind a sign: ``2-й``, ``2:a``, ``2'nci``, ``1.º``."""
    piece = pieces[at]
    if at + 1 >= len(pieces) or piece.after not in {"-", ":", "'", "."}:
        return None
    ending = pieces[at + 1].text
    if ending in _SIGNS or (piece.after != "." and ending in _ENDINGS_OF.get(language, ())):
        return Ordinal(piece.text, 2)
    return None


def read_ordinal_words(pieces: Sequence[Piece], at: int, vocabulary: Vocabulary) -> Ordinal | None:
    """Return the longest ordinal in words; tens and units in two words add up."""
    ordinals = vocabulary.words.ordinals
    longest = min(vocabulary.longest.get(pieces[at].key, 1), len(pieces) - at)
    for count in range(longest, 0, -1):
        value = ordinals.get(" ".join(each.key for each in pieces[at : at + count]))
        if value is not None:
            return _add_unit(pieces, at, value, count, vocabulary)
    tens = vocabulary.words.cardinals.get(pieces[at].key)
    if tens in _TENS and pieces[at].after in {" ", "-"}:
        return (
            _add_unit(pieces, at, tens, 0, vocabulary)
            if _read_unit(pieces, at + 1, vocabulary)
            else None
        )
    return None


def _add_unit(
    pieces: Sequence[Piece], at: int, value: int, count: int, vocabulary: Vocabulary
) -> Ordinal:
    """Return the value with the unit that follows tens ("décima primeira"): 10 and 1."""
    follows = at + max(count, 1)
    unit = _read_unit(pieces, follows, vocabulary) if value in _TENS else None
    if unit is None or pieces[follows - 1].after not in {" ", "-"}:
        return Ordinal(str(value), max(count, 1))
    return Ordinal(str(value + unit), max(count, 1) + 1)


def _read_unit(pieces: Sequence[Piece], at: int, vocabulary: Vocabulary) -> int | None:
    value = vocabulary.words.ordinals.get(pieces[at].key) if at < len(pieces) else None
    return value if value is not None and 1 <= value <= 9 else None  # noqa: PLR2004  units
