"""Words of names as RFC 9676 has them: lower case, ASCII, joined by dots, without connectives.

One item (what stands between two separators) is settled once and kept, since the same authorities
and types of measure come again and again.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.dialect._work import Piece

if TYPE_CHECKING:
    from lexurn.dialect._speech import Speech
    from lexurn.dialect._work import Work

__all__ = ["folded", "is_settled", "settled"]

_SEPARATORS = re.compile(r"([;+])")
_JOINTS = re.compile(r"[-_'/.\u2010-\u2015\u2019]+")
_TRIPLET = re.compile(r"(%[0-9A-Fa-f]{2})")
# What the base letter of a letter is, where Unicode does not take it apart.
_LETTERS = str.maketrans(
    dict(zip("ßæœøđðłþ\u0131", "ss ae oe o d d l th i".split(), strict=True))  # noqa: SIM905 - it reads as a table
)
_MISSPELT = {"ementa.constitucional": "emenda.constitucional"}
"""Words that tools in use write for others: an ementa is a summary, never an amendment."""


def settled(work: Work, piece: Piece) -> str:
    """A series of words (authority, measure, annex, unit), with what was changed noted."""
    text, steps = _settled(piece.text, work.speech)
    for code, start, before, after, lost in steps:
        work.change(code, Piece(piece.start + start, before), after, lost)
    return text


def is_settled(text: str, speech: Speech) -> bool:
    """Whether there is nothing to change in a series of words."""
    return not _settled(text, speech)[1]


_Step = tuple[str, int, str, str, str | None]


@lru_cache(maxsize=8192)
def _settled(text: str, speech: Speech) -> tuple[str, tuple[_Step, ...]]:
    """The series as names have it, and each change with its place."""
    items, steps, start = [], [], 0
    for item in _SEPARATORS.split(text):
        became, changed = (item, ()) if item in {";", "+"} else _item(item, speech)
        items.append(became)
        steps += [(code, start, item, after, lost) for code, after, lost in changed]
        start += len(item)
    return "".join(items), tuple(steps)


def _item(item: str, speech: Speech) -> tuple[str, list[tuple[str, str, str | None]]]:
    """One item as names have it, and its changes: code, what it became, what is lost."""
    steps: list[tuple[str, str, str | None]] = []
    if not item.isascii():
        item = _step(steps, "LX822", item, folded(item, speech))
    item = _step(steps, "LX823", item, _lowered(item))
    if not _JOINTS.sub("", item).replace("%", "").isalnum():
        return item, steps
    if _JOINTS.search(item.replace(".", "")):
        item = _step(steps, "LX820", item, _JOINTS.sub(".", item).strip("."))
    if item in _MISSPELT:
        item = _step(steps, "LX831", item, _MISSPELT[item])
    kept, dropped = _without_connectives(item, speech)
    if dropped:
        steps.append(("LX821", kept, f'the words "{" ".join(dropped)}"'))
    return kept, steps


def _step(steps: list[tuple[str, str, str | None]], code: str, before: str, after: str) -> str:
    """Note a step where it changed anything."""
    if after != before:
        steps.append((code, after, None))
    return after


def _lowered(item: str) -> str:
    """In lower case, but for the digits of percent-encoded octets."""
    pieces = _TRIPLET.split(item)
    pieces[::2] = map(str.lower, pieces[::2])
    return "".join(pieces)


def folded(text: str, speech: Speech) -> str:
    """Letters in ASCII, by the language, else by their base letter; others stay (RFC 9676 3.4)."""
    return "".join(_base(letter, speech) for letter in unicodedata.normalize("NFC", text))


def _base(letter: str, speech: Speech) -> str:
    if letter.isascii():
        return letter
    lower = letter.lower()
    spelt = speech.folds.get(lower) or lower.translate(_LETTERS)
    base = "".join(c for c in unicodedata.normalize("NFKD", spelt) if not unicodedata.combining(c))
    return base if base.isascii() and base.isalnum() else letter


def _without_connectives(item: str, speech: Speech) -> tuple[str, list[str]]:
    """The item without the words that only join others, and those words.

    What the registry has as it is stays. The first and the last word join nothing, so that they
    stay, and so does a single letter behind the word or number that it belongs to (``annex.a``).
    """
    words = item.split(".")
    inner = words[1:-1]
    if speech.connectives.isdisjoint(inner) or _is_known(item, speech):
        return item, []
    kept, dropped = [words[0]], []
    for before, word in zip(words, inner, strict=False):
        if word in speech.connectives and not _designates(before, word, speech):
            dropped.append(word)
        else:
            kept.append(word)
    return ".".join((*kept, words[-1])), dropped


def _designates(before: str, word: str, speech: Speech) -> bool:
    return len(word) == 1 and (before in speech.annexes or before[-1:].isdigit())


def _is_known(item: str, speech: Speech) -> bool:
    known = speech.authorities, speech.bodies, speech.measures, speech.units
    return any(item in notations for notations in known)
