"""Repairs that are certain in form: what the RFC itself orders for characters that may not stand.

Section 3.2 turns ``/`` into ``-``, 6.3.4 everything else in a number too; elsewhere punctuation
goes and words are joined by dots (4.1, 6.4.1, 3.6). Separators in a wrong place are not repaired,
since nobody knows what the writer meant.
"""

from __future__ import annotations

import datetime as dt
import re
from typing import TYPE_CHECKING

from lexurn.name._characters import BIDI, canonical, decoded, is_control, is_unwritable

if TYPE_CHECKING:
    from lexurn.name._leaf import Kind

__all__ = ["mended", "mended_date"]

_SEPARATORS = frozenset(":;@$+,~|#?*!")
_TOKEN = re.compile(r"%[0-7][0-9A-Fa-f]|.", re.DOTALL)
_LOOSE_DATE = re.compile(
    r"([0-9]{4})[-/.\u2010-\u2015\u2212]([0-9]{1,2})[-/.\u2010-\u2015\u2212]([0-9]{1,2})"
)
_COMPACT_DATE = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_DAY_FIRST = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4})")
_MONTHS = 12
_ENCODED_PLUS = "%2B"
# Control characters are gone by then, so two of them can stand for what is to be filled.
_GAP, _BLANK = "\0", "\1"
_GAPS = re.compile(f"[{_GAP}{_BLANK}]+")
_DOTS = re.compile(r"\.{2,}")
_SURROGATES = re.compile("[\ud800-\udfff]")


def mended(text: str, kind: Kind) -> str | None:
    """A text as its character rule would have it, or None where that is not certain or no gain."""
    if "+" in kind.signs and _ENCODED_PLUS in text.upper():
        return None  # The form that section 5.7 leaves for the plus sign of a media type.
    if not kind.joint or not _SEPARATORS.isdisjoint(text) or _SURROGATES.search(text):
        return None
    try:
        plain = decoded(text)
    except UnicodeDecodeError:
        return None
    tokens = [_plain(token) for token in _TOKEN.findall(plain)]
    if "%" in tokens:
        return None
    repaired = _tidied("".join(_allowed(token, kind) for token in tokens), kind)
    return repaired if repaired and repaired != text else None


def mended_date(text: str) -> str | None:
    """A date in another order or without padding as ISO 8601, where only one day can be meant."""
    if (match := _LOOSE_DATE.fullmatch(text)) or (match := _COMPACT_DATE.fullmatch(text)):
        return _day(match[1], match[2], match[3])
    if (match := _DAY_FIRST.fullmatch(text)) and (
        int(match[1]) > _MONTHS or int(match[1]) == int(match[2])
    ):
        return _day(match[3], match[2], match[1])
    return None


def _plain(token: str) -> str:
    """A token, decoded where it is encoded ASCII."""
    return chr(int(token[1:], 16)) if len(token) > 1 else token


def _allowed(character: str, kind: Kind) -> str:
    """What takes the place of a character: itself, nothing (it cannot be seen), or a gap."""
    if character in kind.signs or (character.isascii() and character.isalnum()):
        return character
    if character.isspace():
        return _BLANK
    if is_control(character) or character in BIDI:
        return ""
    return _GAP if character.isascii() or is_unwritable(character) else character


def _tidied(text: str, kind: Kind) -> str:
    """Joints in the gaps, none at the ends; dots one at a time; everything canonical."""
    text = _GAPS.sub(
        lambda gap: kind.joint if _GAP in gap[0] else kind.blank, text.strip(_BLANK + _GAP)
    )
    text = _DOTS.sub(".", text).rstrip(".")
    return canonical(text.lstrip("".join(kind.signs)) if kind.headed else text)


def _day(year: str, month: str, day: str) -> str | None:
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None
