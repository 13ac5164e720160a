"""Style of labels, and notations in its words: of authorities, measures, languages, formats.

A style has the templates, words and months of one language for one jurisdiction.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import TYPE_CHECKING
from urllib.parse import unquote

from lexurn import data
from lexurn.findings import Finding, make_finding
from lexurn.registry import FORMAT_KEYS, Kind, make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from lexurn.name import Format
    from lexurn.registry import Entry, Law, Lexicon, Registry, Words


FALLBACK_LANGUAGE = "en"
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
# Templates that are not taken from English if a language lacks them.
_OPTIONAL_TEMPLATES = FORMAT_KEYS - _DEFAULT_TEMPLATES.keys()
_FIELD = re.compile(r"\{([a-z-]+)\}")
_LOOSE_SIGNS = re.compile(r"\s+([,;.)])|\(\s+|(?:,\s*)+(?=,)")
_ORDINAL_SIGN = re.compile("1([º°.])")
_BLANKS = re.compile(r"\s+")


def fill_template(template: str, **values: str) -> str:
    """Fill the fields of a template; an empty field leaves no sign behind."""
    filled = _FIELD.sub(lambda field: values.get(field[1], ""), template)
    tidy = _LOOSE_SIGNS.sub(lambda found: found[1] or ("(" if "(" in found[0] else ""), filled)
    return _BLANKS.sub(" ", tidy).replace("()", "").strip(" ,;")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Style:
    """Style of labels in one language for one jurisdiction; `make_style` makes each once.

    Attributes:
        registry: the registry.
        law: the jurisdiction.
        words: the words of the language.
        formats: templates by key.
        months: the names of the months; () if they are not known.
        states: notations of the conventional authority of section 6.1.6, in any language.
        ordinal_sign: the sign after the number of an ordinal (``º``), or "".
    """

    registry: Registry
    law: Law
    words: Words
    formats: Mapping[str, str]
    months: tuple[str, ...]
    states: frozenset[str]
    ordinal_sign: str

    @property
    def language(self) -> str:
        """Language of the words."""
        return self.words.language

    def fill(self, key: str, **values: str) -> str:
        """Fill the fields of the template of a key."""
        return fill_template(self.formats.get(key) or _DEFAULT_TEMPLATES[key], **values)

    def join_all(self, texts: Sequence[str], key: str = "and") -> str:
        """Join texts with the word for "and": ``a``, ``a and b``, ``a, b and c``."""
        *others, last = texts or [""]
        word = self.formats.get(key) or self.formats.get("and", _DEFAULT_TEMPLATES["and"])
        return self.join(others) + word + last if others else last

    def join(self, texts: Iterable[str]) -> str:
        """Join the texts that are not empty: ``a, b, c``."""
        return self.formats.get("join", _DEFAULT_TEMPLATES["join"]).join(filter(None, texts))


@lru_cache(maxsize=256)
def make_style(registry: Registry, code: str, language: str) -> Style:
    """Make the style of a jurisdiction's labels in a language."""
    law, words = registry.law(code), registry.words(language)
    own: dict[str, str] = {}
    states: set[str] = set()
    for entry in registry.lexicon(Kind.CONVENTION, code):
        if entry.notation == "state":
            states.update(each.text for each in entry.labels)
        elif entry.notation in FORMAT_KEYS:
            fitting = [each for each in entry.labels if each.language.startswith(words.language)]
            own.update((entry.notation, each.text) for each in fitting)
    formats = {**registry.words(FALLBACK_LANGUAGE).formats, **words.formats, **own}
    for key in _OPTIONAL_TEMPLATES:
        if words.formats and key not in {**words.formats, **own}:
            formats.pop(key, None)  # a form that only English has
    sign = _ORDINAL_SIGN.match(formats.get("date-first", ""))
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
    )


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

    def merge(self, other: Notes) -> None:
        """Add the findings of other notes."""
        self._found |= other._found

    @property
    def findings(self) -> tuple[Finding, ...]:
        """Findings in the order in which they were added."""
        return tuple(self._found)


_HIDDEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# A dot between two digits belongs to a number ("dtd-nir-2.2"), any other stands for a blank.
_BLANK_DOT = re.compile(r"(?<![0-9])\.|\.(?![0-9])")


def escape_hidden(text: str) -> str:
    """Percent-encode characters that cannot be seen or turn the direction of text."""
    if text.isprintable():
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


# Words without their last vowel, before an apostrophe: "nell'Emilia", "d'Ascq".
_ELIDED = re.compile(
    r"\b(l|d|qu|all|coll|dall|dell|nell|sull) (?=[aeiouyhàâéèêîôùœæ])", re.IGNORECASE
)


@lru_cache(maxsize=4_096)
def title_notation(notation: str, style: Style) -> str:
    """Write the notation of a proper name as words: ``Reggio nell'Emilia``, ``Council Europe``.

    All words but the connectives of the languages of the jurisdiction have a capital.
    """
    languages = style.law.languages or (FALLBACK_LANGUAGE,)
    connectives = frozenset().union(*(style.registry.words(each).connectives for each in languages))
    first, *others = split_notation(notation).split(" ")
    words = (each if each in connectives else capitalize(each) for each in others)
    text = " ".join((capitalize(first), *words))
    return _ELIDED.sub(r"\1'", text) if {"fr", "it"} & set(languages) else text


def describe_series(head: str, specifications: Iterable[str]) -> str:
    """Describe a part, with its specifications in brackets after it."""
    shown = ", ".join(map(split_notation, specifications))
    return f"{head} ({shown})" if shown else head


def describe_notation(
    lexicon: Lexicon, notation: str, component: str, style: Style, notes: Notes
) -> str:
    """Describe a notation by its entry, or by the entry of its first words and the rest.

    ``turma.1`` is "Turma 1" if ``turma`` is registered. A notation without any entry is that of the
    jurisdiction, or is written as it is, with a note.
    """
    words = notation.split(".")
    for length in range(len(words), 0, -1):
        if entries := lexicon.by_notation(".".join(words[:length])):
            current = min(entries, key=lambda each: (each.obsolete, len(each.iri), each.iri))
            text, rest = choose_label(current, component, style, notes), ".".join(words[length:])
            return f"{text} {title_notation(rest, style)}" if rest else text
    if place := _find_jurisdiction(notation, style):
        return place
    notes.add("LX791", component, notation, split_notation(notation))
    return title_notation(notation, style)


@lru_cache(maxsize=4_096)
def _find_jurisdiction(notation: str, style: Style) -> str:
    """Find the label of the jurisdiction whose notation it is; empty if it is another."""
    key = make_key(split_notation(notation))
    places = data.load_table("jurisdiction_concepts")["labels"].get(style.law.code, {})
    for language, place in places.items():
        if key in normalize_label(place, style.registry.words(language)):
            return escape_hidden(places.get(style.language, place))
    return ""


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


def normalize_label(text: str, words: Words) -> set[str]:
    """Return the forms of a label in names: with and without connectives, letters folded or not."""
    folded = text.lower()
    for letter, plain_letters in words.folds.items():
        folded = folded.replace(letter, plain_letters)
    keys = {make_key(text), make_key(folded)}
    connectives = words.connectives
    return keys | {" ".join(w for w in key.split() if w not in connectives) for key in keys}


def name_language(tag: str, language: str) -> str:
    """Return the name of a language in a language, else its tag: ``Deutsch (de-ch)``."""
    primary, _, rest = tag.partition("-")
    name = data.load_table("language_names").get(language, {}).get(primary)
    if name is None:
        return tag
    return f"{escape_hidden(name)} ({tag})" if rest else escape_hidden(name)


def describe_format(form: Format) -> str:
    """Describe a format by its usual name, else its media type: ``PDF 1.7``."""
    known = _load_format_names().get(form.mime)
    name = known or escape_hidden(unquote(form.mime)).replace("-", "/", 1)
    return " ".join((name, *map(split_notation, form.specifications)))


@cache
def _load_format_names() -> Mapping[str, str]:
    """Load the extension of each media type, in capitals."""
    table = data.load_table("extensions")
    exact = {mime: extension for extension, mime in table["formats"].items()}
    return {mime: extension.upper() for mime, extension in (table["shared"] | exact).items()}
