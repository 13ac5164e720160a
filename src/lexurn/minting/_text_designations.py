"""Short words: connectives that are dropped, and letters and numerals that designate.

Annex A, department I: "a" is an article in English and a preposition in Italian, "i" an article in
Italian. What a letter is follows from its case and from the words beside it; where they leave it
open, it is not decided.
"""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.minting._text_pieces import Piece, Text
    from lexurn.minting._text_vocabulary import Vocabulary

__all__ = ["Role", "role_of"]

_MANY = 4


class Role(StrEnum):
    """What a short word is."""

    CONNECTIVE = "connective"
    WORD = "word"
    UNDECIDED = "undecided"


def role_of(text: Text, at: int, vocabulary: Vocabulary) -> Role:
    """What a word is: one to drop, one to keep, or either."""
    piece = text.pieces[at]
    words = vocabulary.words
    if piece.key not in words.connectives or text.named:
        return Role.WORD
    if piece.elided:
        return Role.CONNECTIVE
    if piece.key in words.elided and not _hangs(text, at):
        return Role.WORD
    if piece.is_letter:
        return _role_of_letter(text, at, vocabulary)
    return Role.WORD if _stands_out(piece, text) or _is_name(piece) else Role.CONNECTIVE


def _hangs(text: Text, at: int) -> bool:
    """Whether an apostrophe stands behind the piece, with a blank before the next word."""
    return text.pieces[at].after.startswith("'")


def _stands_out(piece: Piece, text: Text) -> bool:
    """Whether a word of several letters is in capitals where others are not: an acronym."""
    return text.mixed and piece.shows_capitals


def _is_name(piece: Piece) -> bool:
    """Whether a capital and an accent tell a name from a connective: "Pará" and "para".

    Connectives of several letters have an accent in no language whose names look like them.
    """
    letters = unicodedata.normalize("NFD", piece.text)
    marked = any(unicodedata.combining(each) for each in letters)
    return marked and piece.text[0].isupper() and not piece.text.isupper()


def _role_of_letter(text: Text, at: int, vocabulary: Vocabulary) -> Role:
    """What a letter is that could be a connective: a designation in its place, or not."""
    piece, last = text.pieces[at], at + 1 == len(text.pieces)
    if last:
        return Role.WORD
    if at == 0:
        return _role_of_first(piece, text)
    if text.pieces[at - 1].key in vocabulary.designators:
        return _role_behind_noun(text, at, vocabulary)
    if piece.shows_capitals and text.mixed and not _is_title_case(text):
        return Role.WORD
    return Role.CONNECTIVE


def _role_behind_noun(text: Text, at: int, vocabulary: Vocabulary) -> Role:
    """A letter behind "annex" and the like: in capitals it designates; before a connective it may.

    "Annex a of the act" has the letter, "anexo a la ley" the preposition.
    """
    piece, following = text.pieces[at], text.pieces[at + 1]
    if piece.shows_capitals:
        return Role.WORD
    open_ = len(piece.text) == 1 and piece.text.isascii()
    open_ = open_ and following.key in vocabulary.words.connectives
    return Role.UNDECIDED if open_ else Role.CONNECTIVE


def _role_of_first(piece: Piece, text: Text) -> Role:
    """A first letter: "A bill", "I beni" begin with an article; "I" may also be the numeral."""
    if piece.text == "I" and text.mixed:
        return Role.UNDECIDED
    return Role.CONNECTIVE


def _is_title_case(text: Text) -> bool:
    """Whether all of many words begin with a capital, so that a capital says little."""
    others = [each for each in text.pieces if not each.is_letter and each.text[0].isalpha()]
    return len(others) >= _MANY and all(each.text[0].isupper() for each in others)
