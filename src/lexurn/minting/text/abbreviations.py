"""Abbreviations and acronyms: expanded by the registry or refused (RFC 9676 sections 3.5, 4.2)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.minting.text.words import Piece, SplitText, Vocabulary
    from lexurn.registry import Entry

_LONGEST_ACRONYM = 6
#: Short words with capitals behind small letters ("CdA", "EuGH") or two in front ("REsp").
_SHORT_WORD = re.compile(r"[^\W\d_]{2,6}")
_LONGEST_CHAIN = 6


class KnownAbbreviation(NamedTuple):
    """Abbreviation that the registry knows.

    Attributes:
        entries: what it can mean, one entry for each expansion.
        taken: how many pieces it takes.
    """

    entries: tuple[Entry, ...]
    taken: int


def find_abbreviation(
    text: SplitText, at: int, vocabulary: Vocabulary, *, annexes: bool
) -> KnownAbbreviation | None:
    """Return the longest registered abbreviation that starts here, with dots or in capitals.

    Args:
        text: the text in pieces.
        at: where to look.
        vocabulary: the words of the language.
        annexes: whether abbreviations of annexes count.
    """
    for count in range(_count_candidates(text.pieces, at, vocabulary), 0, -1):
        chain = text.pieces[at : at + count]
        if not _is_abbreviated(chain, text, vocabulary):
            continue
        key = make_key(". ".join(each.text for each in chain) if count > 1 else chain[0].text)
        joined = make_key(".".join(each.text for each in chain))
        for each in dict.fromkeys((joined, key)):
            entries = _find_entries(each, vocabulary, annexes=annexes)
            if entries:
                return KnownAbbreviation(entries, count)
    return None


def _find_entries(key: str, vocabulary: Vocabulary, *, annexes: bool) -> tuple[Entry, ...]:
    found = vocabulary.words.abbreviations.get(key, ())
    if annexes:
        found = (*vocabulary.annexed.get(key, ()), *found)
    live = [each for each in found if not each.obsolete] or list(found)
    return tuple({each.notation: each for each in reversed(live)}.values())[::-1]


def _count_candidates(pieces: Sequence[Piece], at: int, vocabulary: Vocabulary) -> int:
    """Return how many pieces an abbreviation could take here."""
    count = 1
    while at + count < len(pieces) and count < _LONGEST_CHAIN and pieces[at + count - 1].dotted:
        count += 1
    listed = vocabulary.longest.get(pieces[at].key, 1)
    return min(max(count, listed), len(pieces) - at)


def _is_abbreviated(chain: Sequence[Piece], text: SplitText, vocabulary: Vocabulary) -> bool:
    """Return whether pieces are an abbreviation: dots, capitals or a registered bare form."""
    if any(each.text.isdigit() for each in chain) or any(each.elided for each in chain[:-1]):
        return False
    if len(chain) > 1:
        return chain[0].is_letter or (chain[0].dotted and not text.named)
    only = chain[0]
    if (only.dotted and not text.named) or only.key in vocabulary.undotted:
        return True
    return len(only.text) > 1 and only.shows_capitals and (text.mixed or text.lone)


def count_unknown_abbreviation(pieces: Sequence[Piece], at: int) -> int:
    """Return how many pieces an unregistered abbreviation takes, 0 where there is none.

    A dot says that a word is cut short, but not between or behind digits ("31.12"), and not
    behind the initials of a name ("G. Verdi") or the letter of a number ("S.2544").
    """
    first = pieces[at]
    if not first.dotted or any(each.isdigit() for each in first.text) or _is_initial(pieces, at):
        return 0
    count = 1
    while at + count < len(pieces) and _is_joined_by_dot(
        pieces[at + count - 1], pieces[at + count]
    ):
        count += 1
    return count


def _is_joined_by_dot(piece: Piece, following: Piece) -> bool:
    """Return whether dots make one abbreviation of two pieces: ``D.Lgs``, ``D. P.``."""
    if following.text[0].isdigit():
        return False
    return piece.after == "." or (piece.dotted and piece.is_letter and following.is_letter)


def _is_initial(pieces: Sequence[Piece], at: int) -> bool:
    """Return whether a letter with a dot is the initial of a name, or begins a number.

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


def is_acronym(piece: Piece, text: SplitText) -> bool:
    """Return whether a word is an acronym: in capitals where others are not, or alone."""
    letters = piece.text
    if not letters.isalpha() or len(letters) == 1:
        return False
    if letters.isupper():
        return text.mixed or (text.lone and len(letters) <= _LONGEST_ACRONYM)
    return _has_inner_capitals(letters)


def _has_inner_capitals(letters: str) -> bool:
    """Return whether capitals stand inside a short word, as in "CdA"; not "IJssel", "McGee"."""
    capitals = sum(map(str.isupper, letters))
    if not _SHORT_WORD.fullmatch(letters) or letters[:2] == "IJ" or capitals <= 1:
        return False
    return letters[:2].isupper() or letters[-1].isupper()


def is_explained_acronym(pieces: Sequence[Piece], at: int, before: str) -> bool:
    """Return whether an acronym stands in brackets behind the words that it is made of.

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


def find_undotted_abbreviation(piece: Piece, vocabulary: Vocabulary) -> Entry | None:
    """Return the entry of an abbreviation that a word without a dot could be, or None."""
    found = vocabulary.words.abbreviations.get(piece.key, ())
    return found[0] if found and found[0].notation != piece.key else None
