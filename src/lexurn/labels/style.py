"""Style of labels in one language for one jurisdiction: templates, months, signs, notations.

What the registry has no words for is written from its notation, with a note.
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
#: What stands in for a template that neither the language nor English has.
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
_FIELD = re.compile(r"\{([a-z-]+)\}")
_BLANK_RUNS = re.compile(r"\s+")
_LOOSE_SIGNS = re.compile(r"\s+([,;.)])|\(\s+|(?:,\s*)+(?=,)")
_ORDINAL_SIGN = re.compile("1([º°.])")


class Notes:
    """Findings of one label, each once: what could not be said in its language."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[Finding, None] = {}

    def say(self, code: str, component: str, text: str, *values: str) -> None:
        """Note a finding on a component of the name."""
        shown = (f'"{each}"' for each in values)
        found = make_finding(code, *shown, component=component, text=text, end=len(text))
        self._found[found] = None

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings in the order in which they were noted."""
        return tuple(self._found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The style of labels in one language for one jurisdiction.

    Attributes:
        registry: the registry.
        law: the jurisdiction.
        words: the words of the language.
        formats: templates by key.
        months: the names of the months; () where they are not known.
        states: notations of the conventional authority of section 6.1.6, in any language.
        ordinal_sign: what follows the number of an ordinal: ``º``; "" where nothing does.
        thousands: what groups the thousands of a document number; "" where nothing does.
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
        """The language of the words."""
        return self.words.language

    def fill(self, key: str, **values: str) -> str:
        """A template with its fields filled; what a field leaves empty leaves no sign behind."""
        template = self.formats.get(key) or _DEFAULT_TEMPLATES[key]
        filled = _FIELD.sub(lambda field: values.get(field[1], ""), template)
        return _tidy(filled)

    def joined(self, texts: Sequence[str]) -> str:
        """``a``, ``a and b``, ``a, b and c``."""
        if len(texts) < 2:  # noqa: PLR2004  nothing to join
            return "".join(texts)
        last = self.formats.get("and", _DEFAULT_TEMPLATES["and"])
        return self.sequence(texts[:-1]) + last + texts[-1]

    def sequence(self, texts: Sequence[str]) -> str:
        """``a, b, c``; what is empty is left out."""
        return self.formats.get("join", _DEFAULT_TEMPLATES["join"]).join(filter(None, texts))


def _tidy(text: str) -> str:
    once = _LOOSE_SIGNS.sub(lambda found: found[1] or ("(" if "(" in found[0] else ""), text)
    return _BLANK_RUNS.sub(" ", once).replace("()", "").strip(" ,;")


def list_fallbacks(language: str, law: Law) -> Iterator[str]:
    """The tags to try for a language: itself, its primary subtag, the jurisdiction's, English."""
    yield language
    yield language.partition("-")[0]
    yield from law.languages
    yield _FALLBACK_LANGUAGE


@lru_cache(maxsize=256)
def make_style(registry: Registry, code: str, language: str) -> Style:
    """The style of a jurisdiction's labels in a language."""
    law, words = registry.law(code), registry.words(language)
    own = dict(_list_templates(registry, code, words.language))
    formats = {**registry.words(_FALLBACK_LANGUAGE).formats, **words.formats, **own}
    sign = _ORDINAL_SIGN.match(formats.get("date-first", ""))
    return Style(
        registry=registry,
        law=law,
        words=words,
        formats=_drop_english_forms(formats, words, own),
        months=_load_months(registry, words.language),
        states=frozenset(_list_states(registry, code)),
        ordinal_sign=sign[1] if sign else "",
        thousands=law.conventions.get("thousands", ""),
    )


def _drop_english_forms(
    formats: dict[str, str], words: Words, own: Mapping[str, str]
) -> Mapping[str, str]:
    """Without what only English has a form for, where the language has words of its own."""
    if words.formats and "date-first" not in {**words.formats, **own}:
        formats.pop("date-first", None)
    return formats


def _list_templates(registry: Registry, code: str, language: str) -> Iterator[tuple[str, str]]:
    """The templates that a jurisdiction has of its own in a language."""
    for entry in registry.lexicon(Kind.CONVENTION, code):
        for each in entry.labels:
            if entry.notation in {*_DEFAULT_TEMPLATES, "date-first"} and each.language.startswith(
                language
            ):
                yield entry.notation, each.text


def _list_states(registry: Registry, code: str) -> Iterator[str]:
    for entry in registry.lexicon(Kind.CONVENTION, code):
        if entry.notation == "state":
            yield from (each.text for each in entry.labels)


def _load_months(registry: Registry, language: str) -> tuple[str, ...]:
    """The names of the twelve months as dates have them."""
    entries = registry.lexicon(Kind.MONTH, language)
    found = {entry.notation: entry.labels[0].text for entry in entries if entry.labels}
    names = tuple(found.get(str(month), "") for month in range(1, 13))
    return names if all(names) else ()


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# A dot between two digits belongs to a number ("dtd-nir-2.2"), any other stood for a blank.
_BLANK_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
_BLANKS = re.compile(r"\s+")


def escape_hidden(text: str) -> str:
    """The text with what cannot be seen, or turns the direction of text, percent-encoded."""
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
    """A notation as words: decoded, its dots as blanks, nothing added."""
    words = _BLANK_DOT.sub(" ", unquote(notation, errors="replace"))
    return _BLANKS.sub(" ", escape_hidden(words)).strip() or escape_hidden(notation)


def capitalize(text: str) -> str:
    """The text with a capital first."""
    return text[:1].upper() + text[1:]


def describe_specifications(texts: Iterable[str]) -> str:
    """What distinguishes further, in brackets; "" where there is nothing."""
    shown = ", ".join(map(split_notation, texts))
    return f" ({shown})" if shown else ""


def describe_notation(
    lexicon: Lexicon, notation: str, component: str, style: Style, notes: Notes
) -> str:
    """A notation by its entry, or by the entry of its first words and what follows them.

    ``turma.1`` is "Turma 1" where ``turma`` is registered; what is not registered at all is
    written from the notation, with a note.
    """
    found = _find_longest(lexicon, notation)
    if found is None:
        notes.say("LX791", component, notation, split_notation(notation))
        return capitalize(split_notation(notation))
    entry, rest = found
    text = choose_label(entry, component, style, notes)
    return f"{text} {capitalize(split_notation(rest))}" if rest else text


def _find_longest(lexicon: Lexicon, notation: str) -> tuple[Entry, str] | None:
    """The entry of a notation, or of its longest beginning of whole words; and the rest."""
    head, rest = notation, ""
    while head:
        entries = lexicon.by_notation(head)
        if entries:
            return _choose_current(entries), rest
        head, _, word = head.rpartition(".")
        rest = f"{word}.{rest}" if rest else word
    return None


def _choose_current(entries: tuple[Entry, ...]) -> Entry:
    """Of the entries with one notation, the one that is in force and named after it."""
    return min(entries, key=lambda each: (each.obsolete, len(each.iri), each.iri))


def choose_label(entry: Entry, component: str, style: Style, notes: Notes) -> str:
    """The label of an entry in the language of the style, else in one of the jurisdiction's."""
    own = entry.label_in(style.language)
    if own is not None:
        return escape_hidden(own)
    for language in style.law.languages:
        other = entry.label_in(language)
        if other is not None:
            notes.say("LX792", component, entry.notation, entry.notation, style.language, language)
            return escape_hidden(other)
    if entry.labels:
        first = entry.labels[0]
        notes.say(
            "LX792", component, entry.notation, entry.notation, style.language, first.language
        )
        return escape_hidden(first.text)
    return capitalize(split_notation(entry.notation))
