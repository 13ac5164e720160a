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

__all__ = ["is_article", "partition_of"]

_ID = re.compile(r"[A-Za-z0-9._;:,='()+%-]+")
_TOKEN = re.compile(r"[^\W_]+(?:[.ºª°](?![^\W\d_]))?|§+")
_BETWEEN = re.compile(r"[\s,;()\-\u2013/.]*")
_NUMBER = re.compile(r"[0-9]+[^\W_]*|[^\W\d_]{1,2}|[ivxlcIVXLC]{1,6}")
_ADDED = frozenset(
    ["bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies"]
)
_LONGEST_LABEL = 3
_ARTICLES = ("art", "par", "com")


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


def is_article(text: str, words: Words) -> bool:
    """Whether a text cites an article or a paragraph, which is no issuer and no measure.

    >>> from lexurn.registry import registry
    >>> is_article("art. 2", registry().words("it")), is_article("sez. IV", registry().words("it"))
    (True, False)
    """
    return (_cited(text, words) or "").startswith(_ARTICLES)


def _cited(text: str, words: Words) -> str | None:
    """The id of a part as it is cited; None where a word of it is not understood."""
    tokens = _TOKEN.findall(text)
    if any(len(token) > 1 and key_of(token) in words.connectives for token in tokens):
        return None
    labels = _labels(words.partitions)
    found: list[str] = []
    at = 0
    while at < len(tokens):
        read = _level(tokens, at, labels)
        if read is None:
            return None
        level, at = read
        found.append(level)
    is_whole = all(_BETWEEN.fullmatch(rest) for rest in _TOKEN.split(text))
    return ";".join(found) if found and is_whole else None


def _level(tokens: list[str], at: int, labels: Mapping[str, str]) -> tuple[str, int] | None:
    """One level, its label before its number or behind it, and where the next one starts."""
    for length in range(_LONGEST_LABEL, 0, -1):
        end = at + length
        before = labels.get(_key(tokens[at:end]))
        if before is not None and end < len(tokens) and _NUMBER.fullmatch(_bare(tokens[end])):
            number, after = _numbered(tokens, end)
            return before + number, after
        number, after = _numbered(tokens, at)
        behind = labels.get(_key(tokens[after : after + length]))
        if behind is not None and number[:1].isdigit():
            return behind + number, after + length
    return None


def _numbered(tokens: list[str], at: int) -> tuple[str, int]:
    """A number with what is added to it ("3 bis"), and where the next word starts."""
    number = _bare(tokens[at]).lower()
    if at + 1 < len(tokens) and tokens[at + 1].lower() in _ADDED and number.isdigit():
        return number + tokens[at + 1].lower(), at + 2
    return number, at + 1


def _bare(token: str) -> str:
    return token.rstrip(".ºª°")


def _key(tokens: list[str]) -> str:
    """A label as it is looked up; a sign such as § stands for itself."""
    text = " ".join(tokens)
    return key_of(text) or text


def _labels(partitions: tuple[Entry, ...]) -> Mapping[str, str]:
    """The id of each kind of part by what it is called; the first listed where two agree."""
    found: dict[str, str] = {}
    for entry in partitions:
        for form in (*entry.labels, *entry.forms, *entry.abbreviations):
            found.setdefault(_key([form.text]), entry.notation)
    return found
