"""Partitions: a part of the text by its id, or by the words that cite it (RFC 9676 section 5.8)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting._steps import Action
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.minting._draft import Context, Draft
    from lexurn.registry import Entry, Words

__all__ = ["partition_of"]

_ID = re.compile(r"[A-Za-z0-9._;:,='()+%-]+")
_CITED = re.compile(r"\s*,?\s*(?P<label>[^\W\d_]+\.?)\s*(?P<number>[0-9]+[^\W_]*|[^\W\d_]{1,6})\)?")


def partition_of(draft: Draft, context: Context) -> str | None:
    """What stands behind ``~``; "" where no part is meant.

    An id stays as it is, its case too, since it is the id of an element in the text. Words are
    turned into one by the registry's labels ("article 15, paragraph 3": ``art15;par3``).
    """
    text = draft.given.partition
    if not text:
        return ""
    if _ID.fullmatch(text):
        return text
    written = _cited(text, context.words)
    if written is None:
        draft.say("LX765", "partition", text, value=text)
        return None
    draft.step("partition", Action.READ, text, written, "RFC 9676 §5.8", None)
    return written


def _cited(text: str, words: Words) -> str | None:
    """The id of a part as it is cited; None where a word of it is not understood."""
    labels = _labels(words.partitions)
    found: list[str] = []
    at = 0
    while at < len(text):
        piece = _CITED.match(text, at)
        label = labels.get(key_of(piece["label"])) if piece else None
        if piece is None or label is None:
            return None
        found.append(label + piece["number"].lower())
        at = piece.end()
    return ";".join(found)


def _labels(partitions: tuple[Entry, ...]) -> Mapping[str, str]:
    """The id of each kind of part by what it is called; the first listed where two agree."""
    found: dict[str, str] = {}
    for entry in partitions:
        for form in (*entry.labels, *entry.forms, *entry.abbreviations):
            found.setdefault(key_of(form.text), entry.notation)
    return found
