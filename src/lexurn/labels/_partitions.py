"""Parts of a text in words: ``art3;par2`` as "articolo 3, comma 2" (RFC 9676 section 5.8)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn.labels._notations import entry_label, safe

if TYPE_CHECKING:
    from lexurn.labels._style import Style
    from lexurn.labels._values import Notes
    from lexurn.registry import Entry

__all__ = ["partition_in_words"]

# Levels are parted by ";"; ids of older markup have "_" or "-" there ("art2-com3").
_LEVELS = re.compile(r"[;_]|-(?=[A-Za-z]{2,}[0-9])")
_NUMBER = re.compile(r"(?P<digits>[0-9]+)(?P<rest>.*)", re.DOTALL)
_ROMAN = re.compile(r"[ivxlcdm]+")
_LETTERS_AT_MOST, _LAST_ROMAN, _LAST_ORDINAL = 2, 3999, 9
_ROMANS = (
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
)  # fmt: skip


def partition_in_words(partition: str, style: Style, notes: Notes) -> str:
    """The levels of a part, outermost first; what is not understood stands as it is."""
    return style.sequence([_level(each, style, notes) for each in _LEVELS.split(partition)])


def _level(piece: str, style: Style, notes: Notes) -> str:
    found = _entry(piece.lower(), style)
    if found is None:
        text = safe(unquote(piece, errors="replace"))
        if piece:
            notes.say("LX793", "partition", piece, text)
        return text
    entry, number = found
    label = entry_label(entry, "partition", style, notes)
    return style.fill("partition", label=label, number=_numbered(number, entry, style))


def _entry(piece: str, style: Style) -> tuple[Entry, str] | None:
    """The kind of part that an id begins with, and its number; the longest kind that fits."""
    fitting = [
        (entry, number)
        for entry in style.words.partitions
        if piece.startswith(entry.notation)
        and (number := _number_of(piece.removeprefix(entry.notation), entry)) is not None
    ]
    return max(fitting, key=lambda each: len(each[0].notation), default=None)


def _number_of(rest: str, entry: Entry) -> str | None:
    """What follows a label, if it can be the number of such a part."""
    number = rest.lstrip(".-")
    if not number:
        return number if not rest else None
    if number[0].isdecimal():
        return number
    lettered = entry.numbering == "letter" and number.isalpha() and len(number) <= _LETTERS_AT_MOST
    counted = entry.numbering == "roman" and _ROMAN.fullmatch(number) is not None
    single = number.isalpha() and len(number) == 1
    return number if lettered or counted or single else None


def _numbered(number: str, entry: Entry, style: Style) -> str:
    """The number in the style of its part: ``II``, ``a``, ``9º``, ``3-bis``."""
    text = safe(unquote(number, errors="replace"))
    found = _NUMBER.fullmatch(text)
    if found is None:
        return text.upper() if entry.numbering == "roman" else text
    digits, rest = found["digits"], found["rest"]
    suffix = f"-{rest}" if rest[:1].isalpha() else rest
    return _digits(int(digits), digits, entry, style) + suffix


def _digits(value: int, digits: str, entry: Entry, style: Style) -> str:
    if entry.numbering == "roman" and 0 < value <= _LAST_ROMAN:
        return _roman(value)
    # Ordinals to the ninth, cardinals behind it, as in the drafting law of Brazil.
    if entry.numbering == "ordinal" and 0 < value <= _LAST_ORDINAL:
        return digits + style.ordinal_sign
    return digits


def _roman(value: int) -> str:
    text = ""
    for worth, numeral in _ROMANS:
        while value >= worth:
            text, value = text + numeral, value - worth
    return text
