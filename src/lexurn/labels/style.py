"""Style of labels in one language for one jurisdiction: templates, months, signs, notations.

A part that the registry has no words for is written from its notation, with a note.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn.findings import Finding, make_finding
from lexurn.registry import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.registry import Entry, Law, Lexicon, Registry, Words

_FALLBACK_LANGUAGE = "en"
# Templates for keys that neither the language nor English has.
_DEFAULT_TEMPLATES = {
    "date": "{year}-{month}-{day}",
    "act": "{measure} {date}, {number}",
    "act-issuer": "{authority}, {measure} {date}, {number}",
    "act-unnumbered": "{measure} {date}",
    "act-issuer-unnumbered": "{authority}, {measure} {date}",
    "act-period": "{measure} {number} ({period})",
    "act-issuer-period": "{authority}, {measure} {number} ({period})",
    "version": "{date}",
    "version-label": "{version}",
    "original": "original",
    "in-language": "{language}",
    "edition": "{publisher}, {format}",
    "and": ", ",
    "join": ", ",
    "partition": "{label} {number}",
    "annex": "{label} {number}",
}
_FIRST_DAY = "date-first"
_FIELD = re.compile(r"\{([a-z-]+)\}")
_LOOSE_SIGNS = re.compile(r"\s+([,;.)])|\(\s+|(?:,\s*)+(?=,)")
_ORDINAL_SIGN = re.compile("1([º°.])")
_BLANKS = re.compile(r"\s+")


class Notes:
    """Findings of one label, each once: the parts that have no words in its language."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Finding, None] = {}

    def add(self, code: str, component: str, text: str, *values: str) -> None:
        """Add a finding about a component of the name."""
        shown = (f'"{each}"' for each in values)
        found = make_finding(code, *shown, component=component, text=text, end=len(text))
        self._found[found] = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings in the order in which they were added."""
        return tuple(self._found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """Style of labels in one language for one jurisdiction.

    Attributes:
        registry: the registry.
        law: the jurisdiction.
        words: the words of the language.
        formats: templates by key.
        months: the names of the months; () if they are not known.
        states: notations of the conventional authority of section 6.1.6, in any language.
        ordinal_sign: the sign behind the number of an ordinal (``º``), or "".
        thousands: the sign between the thousands of a document number, or "".
    """

    registry: Registry
    law: Law
    words: Words
    formats: Mapping[str, str]
    months: tuple[str, ...]
    states: frozenset[str]
    ordinal_sign: str
    thousands: str

    @property
    def language(self) -> str:
        """Language of the words."""
        return self.words.language

    def fill(self, key: str, **values: str) -> str:
        """Fill the fields of a template; an empty field leaves no sign behind."""
        template = self.formats.get(key) or _DEFAULT_TEMPLATES[key]
        filled = _FIELD.sub(lambda field: values.get(field[1], ""), template)
        tidy = _LOOSE_SIGNS.sub(lambda found: found[1] or ("(" if "(" in found[0] else ""), filled)
        return _BLANKS.sub(" ", tidy).replace("()", "").strip(" ,;")

    def join_all(self, texts: Sequence[str]) -> str:
        """Join texts with the word for "and": ``a``, ``a and b``, ``a, b and c``."""
        *others, last = texts or [""]
        word = self.formats.get("and", _DEFAULT_TEMPLATES["and"])
        return self.join(others) + word + last if others else last

    def join(self, texts: Iterable[str]) -> str:
        """Join the texts that are not empty: ``a, b, c``."""
        return self.formats.get("join", _DEFAULT_TEMPLATES["join"]).join(filter(None, texts))


def list_fallbacks(language: str, law: Law) -> Iterator[str]:
    """List the tags to try: the tag, its primary subtag, those of the jurisdiction, English."""
    yield language
    yield language.partition("-")[0]
    yield from law.languages
    yield _FALLBACK_LANGUAGE


@lru_cache(maxsize=256)
def make_style(registry: Registry, code: str, language: str) -> Style:
    """Make the style of a jurisdiction's labels in a language."""
    law, words = registry.law(code), registry.words(language)
    own: dict[str, str] = {}
    states: set[str] = set()
    for entry in registry.lexicon(Kind.CONVENTION, code):
        if entry.notation == "state":
            states.update(each.text for each in entry.labels)
        elif entry.notation in {*_DEFAULT_TEMPLATES, _FIRST_DAY}:
            fitting = [each for each in entry.labels if each.language.startswith(words.language)]
            own.update((entry.notation, each.text) for each in fitting)
    formats = {**registry.words(_FALLBACK_LANGUAGE).formats, **words.formats, **own}
    if words.formats and _FIRST_DAY not in {**words.formats, **own}:
        formats.pop(_FIRST_DAY, None)  # a form that only English has
    sign = _ORDINAL_SIGN.match(formats.get(_FIRST_DAY, ""))
    entries = registry.lexicon(Kind.MONTH, words.language)
    names = {entry.notation: entry.labels[0].text for entry in entries if entry.labels}
    months = tuple(names.get(str(month), "") for month in range(1, 13))
    return Style(
        registry=registry,
        law=law,
        words=words,
        formats=formats,
        months=months if all(months) else (),
        states=frozenset(states),
        ordinal_sign=sign[1] if sign else "",
        thousands=law.conventions.get("thousands", ""),
    )


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# A dot between two digits belongs to a number ("dtd-nir-2.2"), any other stands for a blank.
_BLANK_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")


def escape_hidden(text: str) -> str:
    """Percent-encode characters that cannot be seen or turn the direction of text."""
    if text.isascii() and text.isprintable():
        return text
    return "".join(map(_escape_character, text))


def _escape_character(character: str) -> str:
    if character.isspace():
        return " "
    if unicodedata.category(character) not in _HIDDEN:
        return character
    octets = character.encode("utf-8", "surrogatepass")
    return "".join(f"%{octet:02X}" for octet in octets)


def split_notation(notation: str) -> str:
    """Write a notation as words: decoded, with blanks for its dots, nothing added."""
    words = _BLANK_DOT.sub(" ", unquote(notation, errors="replace"))
    return _BLANKS.sub(" ", escape_hidden(words)).strip() or escape_hidden(notation)


def capitalize(text: str) -> str:
    """Return a text with a capital first."""
    return text[:1].upper() + text[1:]


def describe_series(head: str, specifications: Iterable[str]) -> str:
    """Describe a part, with its specifications in brackets behind it."""
    shown = ", ".join(map(split_notation, specifications))
    return f"{head} ({shown})" if shown else head


def describe_notation(
    lexicon: Lexicon, notation: str, component: str, style: Style, notes: Notes
) -> str:
    """Describe a notation by its entry, or by the entry of its first words and the rest.

    ``turma.1`` is "Turma 1" if ``turma`` is registered. A notation without any entry is written as
    it is, with a note.
    """
    words = notation.split(".")
    for length in range(len(words), 0, -1):
        if entries := lexicon.by_notation(".".join(words[:length])):
            current = min(entries, key=lambda each: (each.obsolete, len(each.iri), each.iri))
            text, rest = choose_label(current, component, style, notes), ".".join(words[length:])
            return f"{text} {capitalize(split_notation(rest))}" if rest else text
    notes.add("LX791", component, notation, split_notation(notation))
    return capitalize(split_notation(notation))


def choose_label(entry: Entry, component: str, style: Style, notes: Notes) -> str:
    """Choose the label of an entry in the language of the style, else in another, with a note."""
    own = entry.label_in(style.language)
    if own is not None:
        return escape_hidden(own)
    found = [(entry.label_in(language), language) for language in style.law.languages]
    for text, language in (*found, *((each.text, each.language) for each in entry.labels[:1])):
        if text is not None:
            values = entry.notation, style.language, language
            notes.add("LX792", component, entry.notation, *values)
            return escape_hidden(text)
    return capitalize(split_notation(entry.notation))
