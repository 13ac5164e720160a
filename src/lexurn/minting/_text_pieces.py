"""The pieces of a text: its words, and what stands between them."""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple
from urllib.parse import unquote

from lexurn.minting._text_cleaning import compile_words
from lexurn.registry import key_of

__all__ = ["Piece", "Text", "decoded_triplets", "is_name_form", "pieces_of"]

#: What a name already has: lower case, digits, triplets, dots between words and nothing else.
_NAME_FORM = re.compile(r"(?:[a-z0-9]|%[0-9A-Fa-f]{2})+(?:\.(?:[a-z0-9]|%[0-9A-Fa-f]{2})+)*")
_TRIPLETS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
#: Signs inside a word that are no border of words: Hebrew marks of acronyms, the Catalan dot.
_INNER = frozenset({"\u05f3", "\u05f4", "\u00b7", '"'})
_SIGNS = frozenset("°^˚º")


class Piece(NamedTuple):
    """One word of a text.

    Attributes:
        text: as it is written, without signs inside.
        key: its key in the registry.
        start: its offset.
        end: the offset behind it.
        after: what stands between it and the next one.
    """

    text: str
    key: str
    start: int
    end: int
    after: str

    @property
    def dotted(self) -> bool:
        """Whether a dot stands right behind it."""
        return self.after.startswith(".")

    @property
    def elided(self) -> bool:
        """Whether an apostrophe joins it to the next word."""
        return self.after == "'"

    @property
    def signed(self) -> bool:
        """Whether a sign of ordinals stands right behind it: ``1°``, ``2^``."""
        return self.after[:1] in _SIGNS and self.after != ""

    @property
    def is_letter(self) -> bool:
        """Whether it is one letter."""
        letters = [each for each in self.text if not unicodedata.combining(each)]
        return len(letters) == 1 and letters[0].isalpha()

    @property
    def shows_capitals(self) -> bool:
        """Whether all its letters are capitals, and there is one."""
        return self.text.isupper()


class Text(NamedTuple):
    """A text in pieces.

    Attributes:
        pieces: its words.
        named: it has the form of a part of a name already, dots between words.
        mixed: it has small letters, so that words in capitals stand out.
    """

    pieces: tuple[Piece, ...]
    named: bool
    mixed: bool

    @property
    def lone(self) -> bool:
        """Whether it is one word."""
        return len(self.pieces) == 1


def is_name_form(text: str) -> bool:
    """Whether a text is a part of a name already.

    >>> is_name_form("annex.a"), is_name_form("Annex A"), is_name_form("legge")
    (True, False, False)
    """
    return ("." in text or "%" in text) and _NAME_FORM.fullmatch(text) is not None


def decoded_triplets(text: str) -> str:
    """The text with its percent-encoded letters beyond ASCII as letters; what is no UTF-8 stays."""
    return _TRIPLETS.sub(_decoded, text) if "%" in text else text


def _decoded(run: re.Match[str]) -> str:
    try:
        return unquote(run[0], errors="strict")
    except UnicodeDecodeError:
        return run[0]


def pieces_of(text: str, *, elides: bool) -> Text:
    """The words of a cleaned text.

    Args:
        text: the text.
        elides: whether an apostrophe parts words in its language (dell'interno), or stands
            inside a word (king's).
    """
    named = is_name_form(text)
    if named:
        text = decoded_triplets(text)
    found: list[Piece] = []
    matches = list(compile_words(text).finditer(text))
    for at, match in enumerate(matches):
        end = matches[at + 1].start() if at + 1 < len(matches) else len(text)
        after = text[match.end() : end]
        before = found[-1] if found else None
        if before is not None and _joins(before, match[0], elides=elides):
            found.pop()
            whole, start = before.text + match[0], before.start
        else:
            whole, start = match[0], match.start()
        found.append(Piece(whole, key_of(whole), start, match.end(), after))
    mixed = any(each.islower() for each in text)
    return Text(tuple(each for each in found if each.key), named, mixed)


def _joins(before: Piece, word: str, *, elides: bool) -> bool:
    """Whether a sign inside a word, and no border, stands between two pieces."""
    if before.after == "'":
        return not elides
    if before.after == '"':
        return "\u05d0" <= before.text[-1] <= "\u05ea" and "\u05d0" <= word[0] <= "\u05ea"
    return before.after in _INNER and before.text[-1].isalpha() and word[0].isalpha()
