"""Why a text is no date, said so that its writer can mend it."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import TYPE_CHECKING

from lexurn.minting._date_codes import date_finding

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.minting._date_words import Token, Vocabulary
    from lexurn.minting._steps import MintFinding

__all__ = ["explain"]

_DAY_OR_YEAR = frozenset("nY")
_WORD = re.compile(r"[^\W\d_]")
_LETTERS_SHOWN = 60


def explain(text: str, tokens: Sequence[Token], vocabulary: Vocabulary, field: str) -> MintFinding:
    """The finding of a text in which no date was found, or more than dates."""
    kinds = [token.kind for token in tokens]
    unknown = [t for t in tokens if t.kind == "O" and _WORD.match(text, t.start)]
    if unknown and not _DAY_OR_YEAR.isdisjoint(kinds):
        return _unknown_word(text, unknown[0], vocabulary, field)
    shown = f'"{text}"' if len(text) <= _LETTERS_SHOWN else f'"{text[: _LETTERS_SHOWN - 1]}…"'
    if kinds.count("Y") == 1 and not unknown and not set(kinds) & set("OTLny"):
        return date_finding("LX746", field, text, shown)
    return date_finding("LX741", field, text, shown)


def _unknown_word(text: str, token: Token, vocabulary: Vocabulary, field: str) -> MintFinding:
    """The finding of a word that nobody knows, with the month that is spelt most like it."""
    word = text[token.start : token.end]
    near = get_close_matches(word.casefold(), list(vocabulary.months), n=1, cutoff=0.75)
    suggestion = text[: token.start] + near[0] + text[token.end :] if near else None
    values = (f'"{word}"', vocabulary.language or "und")
    span = token.start, token.end
    return date_finding("LX745", field, text, *values, span=span, suggestion=suggestion)
