"""Abbreviations and acronyms: expanded by the registry or refused (RFC 9676 sections 3.5, 4.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.minting._text_pieces import Piece, Text
    from lexurn.minting._text_vocabulary import Vocabulary
    from lexurn.registry import Entry

__all__ = ["Found", "expansion", "explains", "is_acronym", "resembles", "unknown_abbreviation"]

_LONGEST_ACRONYM = 6
#: "CdA", "DoJ", "EuGH": short, with capitals behind small letters; "REsp": two in front.
_BUMPY = re.compile(r"[^\W\d_]{2,6}")
_LONGEST_CHAIN = 6


class Found(NamedTuple):
    """An abbreviation that the registry knows.

    Attributes:
        entries: what it can mean, one entry for each expansion.
        taken: how many pieces it takes.
    """

    entries: tuple[Entry, ...]
    taken: int


def expansion(text: Text, at: int, vocabulary: Vocabulary, *, annexes: bool) -> Found | None:
    """The longest registered abbreviation that starts here: with its dots, or in capitals.

    Args:
        text: the text in pieces.
        at: where to look.
        vocabulary: the words of the language.
        annexes: whether abbreviations of annexes count.
    """
    for count in range(_reach(text.pieces, at, vocabulary), 0, -1):
        chain = text.pieces[at : at + count]
        if not _looks_abbreviated(chain, text, vocabulary):
            continue
        key = key_of(". ".join(each.text for each in chain) if count > 1 else chain[0].text)
        joined = key_of(".".join(each.text for each in chain))
        for each in dict.fromkeys((joined, key)):
            entries = _entries(each, vocabulary, annexes=annexes)
            if entries:
                return Found(entries, count)
    return None


def _entries(key: str, vocabulary: Vocabulary, *, annexes: bool) -> tuple[Entry, ...]:
    found = vocabulary.words.abbreviations.get(key, ())
    if annexes:
        found = (*vocabulary.annexed.get(key, ()), *found)
    live = [each for each in found if not each.obsolete] or list(found)
    return tuple({each.notation: each for each in reversed(live)}.values())[::-1]


def _reach(pieces: Sequence[Piece], at: int, vocabulary: Vocabulary) -> int:
    """How many pieces an abbreviation could take here."""
    count = 1
    while at + count < len(pieces) and count < _LONGEST_CHAIN and pieces[at + count - 1].dotted:
        count += 1
    listed = vocabulary.longest.get(pieces[at].key, 1)
    return min(max(count, listed), len(pieces) - at)


def _looks_abbreviated(chain: Sequence[Piece], text: Text, vocabulary: Vocabulary) -> bool:
    """Whether pieces are written as an abbreviation: dots, capitals, or a registered bare form."""
    if any(each.text.isdigit() for each in chain) or any(each.elided for each in chain[:-1]):
        return False
    if len(chain) > 1:
        return chain[0].is_letter or (chain[0].dotted and not text.named)
    only = chain[0]
    if (only.dotted and not text.named) or only.key in vocabulary.undotted:
        return True
    return len(only.text) > 1 and only.shows_capitals and (text.mixed or text.lone)


def unknown_abbreviation(pieces: Sequence[Piece], at: int) -> int:
    """How many pieces an abbreviation takes that nobody has registered; 0 where there is none.

    A dot says that a word is cut short, but not between or behind digits ("31.12"), and not
    behind the initials of a name ("G. Verdi") or the letter of a number ("S.2544").
    """
    first = pieces[at]
    if not first.dotted or any(each.isdigit() for each in first.text) or _initials(pieces, at):
        return 0
    count = 1
    while at + count < len(pieces) and _tied(pieces[at + count - 1], pieces[at + count]):
        count += 1
    return count


def _tied(piece: Piece, following: Piece) -> bool:
    """Whether dots make one abbreviation of two pieces: ``D.Lgs``, ``D. P.``."""
    if following.text[0].isdigit():
        return False
    return piece.after == "." or (piece.dotted and piece.is_letter and following.is_letter)


def _initials(pieces: Sequence[Piece], at: int) -> bool:
    """Whether a letter with a dot is the initial of a name, or begins a number without a blank.

    In front of everything else it may as well be a word cut short ("L. Regionale"), and several
    letters in a row may be an acronym: both are left to the registry.
    """
    if not pieces[at].is_letter or at + 1 == len(pieces):
        return False
    following = pieces[at + 1]
    if following.text[0].isdigit():
        return pieces[at].after == "."
    if (
        at == 0
        or pieces[at].after.strip() != "."
        or (pieces[at - 1].dotted and pieces[at - 1].is_letter)
    ):
        return False
    return following.text[0].isupper() and not following.is_letter and not following.dotted


def is_acronym(piece: Piece, text: Text) -> bool:
    """Whether a word is written as an acronym: in capitals where others are not, or alone."""
    letters = piece.text
    if not letters.isalpha() or len(letters) == 1:
        return False
    if letters.isupper():
        return text.mixed or (text.lone and len(letters) <= _LONGEST_ACRONYM)
    return _is_bumpy(letters)


def _is_bumpy(letters: str) -> bool:
    """Capitals inside a short word, as in "CdA"; not Dutch "IJssel", not "McGee"."""
    if not _BUMPY.fullmatch(letters) or letters[:2] == "IJ" or sum(map(str.isupper, letters)) < 2:  # noqa: PLR2004 - it needs two capitals
        return False
    return letters[:2].isupper() or letters[-1].isupper()


def explains(pieces: Sequence[Piece], at: int, before: str) -> bool:
    """Whether an acronym stands in brackets behind the words that it is made of.

    Args:
        pieces: the words of the text.
        at: the acronym's place.
        before: the character in front of it.
    """
    piece = pieces[at]
    if before != "(" or not piece.after.startswith(")"):
        return False
    initials = iter("".join(each.key[0] for each in pieces[:at]))
    return all(letter in initials for letter in piece.key)


def resembles(piece: Piece, vocabulary: Vocabulary) -> Entry | None:
    """The entry of an abbreviation that a word without a dot could be; None if there is none."""
    found = vocabulary.words.abbreviations.get(piece.key, ())
    return found[0] if found and found[0].notation != piece.key else None
