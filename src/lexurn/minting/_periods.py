"""Periods in place of dates, such as a legislature (RFC 9676 section 6.3.1)."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from lexurn.minting._date_codes import date_finding
from lexurn.minting._phrase import phrase
from lexurn.minting._steps import Action, Step, Written
from lexurn.registry import key_of

if TYPE_CHECKING:
    from lexurn.minting._steps import Mode
    from lexurn.registry import Words

__all__ = ["read_period"]

_RULE = "RFC 9676 §4.3"
_PIECE = re.compile(r"[^\s\-\u2010-\u2015/,;:()]+")
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}
_NUMBERED = re.compile(r"([0-9]+)(?:[°^.]|[^\W\d_]{1,4})?")
_WORD_AND_NUMBER = 2


def read_period(text: str, words: Words, mode: Mode, field: str) -> Written:
    """What stands for the date: ``XIV legislatura`` as ``14.legislatura``, number first.

    A bare year is a period only where the metadata says that it is one, in this field.
    """
    steps: list[Step] = []
    pieces = [_counted(piece, words, field, steps) for piece in _PIECE.findall(text)]
    if _is_last(pieces, words):
        turned = [pieces[-1], *pieces[:-1]]
        steps.append(_step(field, Action.REPLACED, " ".join(pieces), " ".join(turned)))
        pieces = turned
    written = phrase(" ".join(pieces), words, mode, field)
    if written.text == "" or not pieces:
        return Written(text=None, findings=(date_finding("LX740", field, text, f'"{text}"'),))
    return written.after(steps)


def _step(field: str, action: Action, before: str, after: str) -> Step:
    return Step(field=field, action=action, before=before, after=after, rule=_RULE)


def _counted(piece: str, words: Words, field: str, steps: list[Step]) -> str:
    """A piece with its ordinal, Roman numeral or digits of another script as plain digits."""
    number = _number(piece, words)
    if number is None or number == piece:
        return piece
    steps.append(_step(field, Action.NUMBERED, piece, number))
    return number


def _number(piece: str, words: Words) -> str | None:
    key = key_of(piece)
    if key in words.ordinals:
        return str(words.ordinals[key])
    bare = piece.rstrip(".ªº°^")
    if _ROMAN.fullmatch(bare) and key not in words.connectives:
        return str(_roman(bare))
    plain = "".join(map(_plain_digit, unicodedata.normalize("NFKC", piece)))
    numbered = _NUMBERED.fullmatch(plain)
    return numbered[1] if numbered else None


def _plain_digit(character: str) -> str:
    value = unicodedata.decimal(character, None)
    return character if value is None else str(value)


def _roman(numeral: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in numeral]
    followed = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < after else value for value, after in followed)


def _is_last(pieces: list[str], words: Words) -> bool:
    """Whether one word stands before one number: ``Legislatura XIV``."""
    kept = [piece for piece in pieces if key_of(piece) not in words.connectives]
    return (
        len(kept) == len(pieces) == _WORD_AND_NUMBER
        and kept[1].isdigit()
        and not kept[0][0].isdigit()
    )
