"""Notations in words: by the registry's labels, else by the notation itself, without invention."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.labels._style import Style
    from lexurn.labels._values import Notes
    from lexurn.registry import Entry, Lexicon

__all__ = ["capital", "entry_label", "named", "plain", "safe", "specifications"]

_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# A dot between two digits belongs to a number ("dtd-nir-2.2"), any other stood for a blank.
_BLANK_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
_BLANKS = re.compile(r"\s+")


def safe(text: str) -> str:
    """The text with what cannot be seen, or turns the direction of text, percent-encoded."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_visible, text))


def _visible(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) not in _HIDDEN:
        return character
    octets = character.encode("utf-8", "surrogatepass")
    return "".join(f"%{octet:02X}" for octet in octets)


def plain(notation: str) -> str:
    """A notation as words: decoded, its dots as blanks, nothing added."""
    words = _BLANK_DOT.sub(" ", unquote(notation, errors="replace"))
    return _BLANKS.sub(" ", safe(words)).strip() or safe(notation)


def capital(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


def specifications(texts: Iterable[str]) -> str:
    """What distinguishes further, in brackets; "" where there is nothing."""
    shown = ", ".join(map(plain, texts))
    return f" ({shown})" if shown else ""


def named(lexicon: Lexicon, notation: str, component: str, style: Style, notes: Notes) -> str:
    """A notation by its entry, or by the entry of its first words and what follows them.

    ``turma.1`` is "Turma 1" where ``turma`` is registered; what is not registered at all is
    written from the notation, with a note.
    """
    found = _longest(lexicon, notation)
    if found is None:
        notes.say("LX791", component, notation, plain(notation))
        return capital(plain(notation))
    entry, rest = found
    text = entry_label(entry, component, style, notes)
    return f"{text} {capital(plain(rest))}" if rest else text


def _longest(lexicon: Lexicon, notation: str) -> tuple[Entry, str] | None:
    """The entry of a notation, or of its longest beginning of whole words; and the rest."""
    head, rest = notation, ""
    while head:
        entries = lexicon.by_notation(head)
        if entries:
            return _plainest(entries), rest
        head, _, word = head.rpartition(".")
        rest = f"{word}.{rest}" if rest else word
    return None


def _plainest(entries: tuple[Entry, ...]) -> Entry:
    """Of the entries with one notation, the one that is in force and named after it."""
    return min(entries, key=lambda each: (each.obsolete, len(each.iri), each.iri))


def entry_label(entry: Entry, component: str, style: Style, notes: Notes) -> str:
    """The label of an entry in the language of the style, else in one of the jurisdiction's."""
    own = entry.label_in(style.language)
    if own is not None:
        return safe(own)
    for language in style.law.languages:
        other = entry.label_in(language)
        if other is not None:
            notes.say("LX792", component, entry.notation, entry.notation, style.language, language)
            return safe(other)
    if entry.labels:
        first = entry.labels[0]
        notes.say(
            "LX792", component, entry.notation, entry.notation, style.language, first.language
        )
        return safe(first.text)
    return capital(plain(entry.notation))
