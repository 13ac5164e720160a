"""Entries of the registry as typed values, and lexicons that find them by label and notation."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, lru_cache
from itertools import groupby
from typing import Any, overload

from lexurn.lazy import compile_late

#: Where the registry's IRIs begin.
REGISTRY_BASE = "https://w3id.org/lexurn/registry/"


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Label:
    """Label of a concept in one language.

    Attributes:
        text: the text of the label.
        language: its language tag, lower case; ``""`` for none.
    """

    text: str
    language: str


#: Latin words behind the number of an act or a part that was added later: "12 bis".
NUMBER_ADDITIONS = (
    *("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies"),
)


class Kind(StrEnum):
    """Kind of an entry; the value is the last part of the IRI of its scheme."""

    AUTHORITY = "authorities"
    BODY = "bodies"
    MEASURE = "measures"
    UNIT = "units"
    CONVENTION = "conventions"
    CONNECTIVE = "connectives"
    ORDINAL = "ordinals"
    CARDINAL = "cardinals"
    MONTH = "months"
    WEEKDAY = "weekdays"
    DATEWORD = "datewords"
    MARKER = "markers"
    ISSUER_WORD = "issuer-words"
    SUBJECT_WORD = "subject-words"
    ABBREVIATION = "abbreviations"
    QUALIFIER = "qualifiers"
    ANNEX = "annexes"
    PARTITION = "partitions"
    FOLD = "folds"
    FORMAT = "formats"

    @property
    def word(self) -> str:
        """Singular of the kind, for people: ``authority``."""
        return self.name.lower().replace("_", " ")

    @property
    def is_law(self) -> bool:
        """True for the law of a jurisdiction, False for the words of a language."""
        return self in LAW_KINDS


#: Kinds of a jurisdiction's law; all others are words of a language.
LAW_KINDS = (Kind.AUTHORITY, Kind.BODY, Kind.MEASURE, Kind.UNIT, Kind.CONVENTION)
WORD_KINDS = tuple(kind for kind in Kind if kind not in LAW_KINDS)
#: Keys of the templates of labels: the notations of formats, and of some conventions.
FORMAT_KEYS = frozenset(
    {
        *(
            "act",
            "act-file",
            "act-issuer",
            "act-issuer-unnumbered",
            "act-issuer-period",
            "act-period",
        ),
        *("act-plain", "act-issuer-year", "act-issuers-year", "act-unnumbered", "act-year", "and"),
        *("and-issuers", "annex", "date", "date-first", "day", "edition", "in-language", "join"),
        *("original", "partition", "version", "version-label"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """Entry of the law of a jurisdiction or of the words of a language.

    Attributes:
        kind: its kind.
        iri: its IRI.
        scope: its jurisdiction-code or language.
        notation: its form in names (RFC 9676 section 3); the number of an ordinal, month and the
            like, the replacement of a fold, the key of a format.
        labels: its full names, sorted.
        forms: other full spellings, sorted.
        abbreviations: abbreviations and acronyms, sorted.
        hidden: texts that find it and are never written, such as a genitive, sorted.
        translations: its names in languages in which names are not written, sorted; they find
            nothing.
        issuer: the notation of the authority of a measure, if none is given.
        body: the notation of the body that a type of measure adds to its issuer.
        titled: True if the specification of a measure comes from its title (section 6.2.2).
        qualifies: the first words of the authorities that an adjective repeats, or to which a type
            of measure belongs if another one has the same abbreviation.
        numbering: the numbering of a partition: ``arabic``, ``roman``, ``letter``, ``ordinal``.
        name: the full name of the one act that the entry stands for.
        broader: the IRI of the unit that contains a unit.
        valid_from: the first day of its existence, ``YYYY-MM-DD``.
        valid_until: the first day after its existence.
        obsolete: True if it is closed for new names, but kept for old ones (section 2.2).
        replaced_by: the notation of its replacement.
        matches: the IRIs of the same concept in other vocabularies, sorted.
        sources: the sources of the entry, sorted.
        checked: the day on which it was compared with its sources, ``YYYY-MM-DD``; None if never.
        examples: whole names that use it, sorted.
    """

    kind: Kind
    iri: str
    scope: str
    notation: str
    labels: tuple[Label, ...] = ()
    forms: tuple[Label, ...] = ()
    abbreviations: tuple[Label, ...] = ()
    hidden: tuple[Label, ...] = ()
    translations: tuple[Label, ...] = ()
    issuer: str | None = None
    body: str | None = None
    titled: bool = False
    qualifies: tuple[str, ...] = ()
    numbering: str | None = None
    name: str | None = None
    broader: str | None = None
    valid_from: str | None = None
    valid_until: str | None = None
    obsolete: bool = False
    replaced_by: str | None = None
    matches: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    checked: str | None = None
    examples: tuple[str, ...] = ()

    @property
    def example(self) -> str | None:
        """First name that uses it, or None."""
        return self.examples[0] if self.examples else None

    @property
    def texts(self) -> tuple[str, ...]:
        """Labels, forms and abbreviations, in this order."""
        listed = (*self.labels, *self.forms, *self.abbreviations)
        return tuple(dict.fromkeys(each.text for each in listed))

    @property
    def spellings(self) -> tuple[str, ...]:
        """Texts that find it: `texts` and hidden ones, but not the expansion of an abbreviation."""
        full = () if self.kind is Kind.ABBREVIATION else self.labels
        listed = (*full, *self.forms, *self.abbreviations, *self.hidden)
        return tuple(dict.fromkeys(each.text for each in listed))

    def label_in(self, language: str) -> str | None:
        """Return its first label in a language (a tag, or its primary subtag), or None."""
        primary = language.partition("-")[0]
        for wanted in (language, primary):
            for each in self.labels:
                if each.language == wanted or each.language.partition("-")[0] == wanted:
                    return each.text
        return None

    def valid_on(self, day: str) -> bool:
        """Return whether it existed on a day, ``YYYY-MM-DD``; unknown limits are open."""
        started = self.valid_from is None or self.valid_from <= day
        return started and (self.valid_until is None or day < self.valid_until)


def make_scheme_iri(kind: Kind, scope: str) -> str:
    """Make the IRI of the scheme for the entries of a kind."""
    words = "" if kind in LAW_KINDS else "words/"
    return f"{REGISTRY_BASE}{words}{scope}/{kind.value}"


def read_scheme_iri(scheme: str) -> tuple[Kind, str] | None:
    """Read kind and scope from the IRI of a scheme; return None for any other IRI."""
    scope, _, last = scheme.removeprefix(REGISTRY_BASE).removeprefix("words/").partition("/")
    kind = next((each for each in Kind if each.value == last), None)
    return (kind, scope) if kind and scope and make_scheme_iri(kind, scope) == scheme else None


def get_table_name(kind: Kind, scope: str) -> str:
    """Return the name of the compiled table with the entries of a kind: ``law/it``."""
    if kind is Kind.UNIT:
        return f"units/{scope}"
    return f"{'law' if kind in LAW_KINDS else 'words'}/{scope}"


# Accents of Latin, Greek and Cyrillic letters, points of Hebrew, vowel signs and tatweel of Arabic.
_ACCENTS = compile_late(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
# Letters with an accent for their readers, but not for Unicode.
_BASE_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
# Signs that join the letters around them: dots, Hebrew acronym marks, the Catalan middle dot.
_JOINERS = frozenset('.·\u05f3\u05f4"')
_ASCII_WORDS = compile_late(r"[^a-z0-9]+")
_ASCII_JOINERS = compile_late(r"(?<=[a-z])[.\"](?=[a-z])")


@lru_cache(maxsize=16_384)
def make_key(text: str) -> str:
    """Make the look-up key of a label, form or abbreviation, the same for all its spellings.

    Case, accents and compatibility forms are dropped. Apostrophes and punctuation separate words,
    dots between and after letters join them, and adjacent single letters are joined. There is one
    blank between words. Letters of other scripts stay. A key is its own key.

    >>> make_key("D.P.R."), make_key("D. P. R."), make_key("Ministère de l'Économie")
    ('dpr', 'dpr', 'ministere de l economie')
    """
    words: list[str] = []  # adjacent single letters are joined
    for is_single, group in groupby(
        _split_words(text), key=lambda word: len(word) == 1 and word.isalpha()
    ):
        found = list(group)
        words += ["".join(found)] if is_single else found
    key = " ".join(words)
    composed = unicodedata.normalize("NFKC", key)
    # Joined letters may compose (Hangul, Tibetan), and a composed letter may join again.
    return key if key == composed else make_key(composed)


def make_keys(text: str) -> tuple[str, ...]:
    """Make all keys of a form: as it is, and with and without blanks after dots.

    >>> make_keys("D.Lgs.")
    ('dlgs', 'd lgs')
    """
    if "." not in text:
        return tuple(filter(None, (make_key(text),)))
    spaced, close = text.replace(".", ". "), re.sub(r"\.\s+", ".", text)
    return tuple(dict.fromkeys(filter(None, map(make_key, (text, spaced, close)))))


def _split_words(text: str) -> list[str]:
    if text.isascii():
        bare = text.lower()
    else:  # without case, accents and compatibility forms
        folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
        bare = _ACCENTS.sub("", folded).translate(_BASE_LETTERS)
        bare = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())
    if bare.isascii():
        return _ASCII_WORDS.sub(" ", _ASCII_JOINERS.sub("", bare)).split()
    parted = ""
    for at, character in enumerate(bare):
        if _is_word_character(character):
            parted += character
        elif character in _JOINERS and 0 < at < len(bare) - 1:
            around = bare[at - 1], bare[at + 1]
            if any(each.isnumeric() or not _is_word_character(each) for each in around):
                parted += " "
        elif unicodedata.category(character) != "Cf":
            parted += " "
    return parted.split()


def _is_word_character(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


# Fields of `Entry` but for its kind, scope, IRI and notation: labels, several texts, one value.
LABEL_FIELDS = ("labels", "forms", "abbreviations", "hidden", "translations")
LIST_FIELDS = ("qualifies", "matches", "sources", "examples")
PLAIN_FIELDS = (
    *("issuer", "body", "titled", "numbering", "name", "broader"),
    *("valid_from", "valid_until", "obsolete", "replaced_by", "checked"),
)


def write_row(entry: Entry) -> dict[str, Any]:
    """Make the row of an entry, without empty fields, and with its IRI relative to its scheme."""
    lead = make_scheme_iri(entry.kind, entry.scope) + "/"
    row: dict[str, Any] = {"id": entry.iri.removeprefix(lead), "notation": entry.notation}
    for name in LABEL_FIELDS:
        for label in sorted(getattr(entry, name), key=lambda each: (each.language, each.text)):
            row.setdefault(name, {}).setdefault(label.language, []).append(label.text)
    for name in (*PLAIN_FIELDS, *LIST_FIELDS):
        if value := getattr(entry, name):
            row[name] = list(value) if name in LIST_FIELDS else value
    return row


class EntryRows(Sequence[Entry]):
    """Entries of one kind in a table, each made on first use."""

    __slots__ = ("_kind", "_made", "_scope", "rows")

    def __init__(self, rows: Sequence[dict[str, Any]], kind: Kind, scope: str) -> None:
        """Store the rows."""
        self.rows = rows
        self._kind = kind
        self._scope = scope
        self._made: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self.rows)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        """Return the entry at an index."""
        if isinstance(at, slice):
            return tuple(self)[at]
        if at not in self._made:
            row = self.rows[at]
            given: dict[str, Any] = {name: row[name] for name in PLAIN_FIELDS if name in row}
            given |= {name: tuple(row[name]) for name in LIST_FIELDS if name in row}
            for name in LABEL_FIELDS:
                texts = row.get(name, {})
                listed = (Label(text=text, language=each) for each in texts for text in texts[each])
                given[name] = tuple(sorted(listed))
            scheme, slug = make_scheme_iri(self._kind, self._scope), row["id"]
            iri = slug if ":" in slug else f"{scheme}/{slug}"
            given |= {"kind": self._kind, "iri": iri, "scope": self._scope}
            self._made[at] = Entry(notation=row["notation"], **given)
        return self._made[at]


class Lexicon:
    """Entries of one kind, with look-ups by label, form or abbreviation, and by notation.

    >>> from lexurn.registry import load_registry
    >>> [each.notation for each in load_registry().law("zz").measures.find("any")]
    []
    """

    def __init__(
        self, entries: Sequence[Entry] = (), index: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        """Sort and index the entries, or take over a given index.

        Args:
            entries: the entries; with an index in the order of `sort_entries`.
            index: the indexes in ``entries`` by key.
        """
        self._entries = entries if index is not None else sort_entries(entries)
        self._index = index if index is not None else index_entries(self._entries)

    @property
    def entries(self) -> tuple[Entry, ...]:
        """Entries, current ones first, then by notation and IRI."""
        return tuple(self._entries)

    @property
    def notations(self) -> list[str]:
        """Notations of the entries, in their order; a table's entries are not made for it."""
        if isinstance(self._entries, EntryRows):
            return [row["notation"] for row in self._entries.rows]
        return [each.notation for each in self._entries]

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, text: str, language: str = "") -> tuple[Entry, ...]:
        """Find entries by a text, current ones first.

        Args:
            text: a label, form or abbreviation in any spelling.
            language: the preferred language, if several entries have this text.
        """
        key = make_key(text)
        found = self.find_key(key)
        return (self.select(found, key, language) or found) if language and found else found

    @staticmethod
    def select(entries: tuple[Entry, ...], key: str, language: str) -> tuple[Entry, ...]:
        """Select the entries that have a key in a language, by its primary subtag."""
        wanted = language.partition("-")[0].lower()
        return tuple([each for each in entries if wanted in list_languages(each, key)])

    def count_words(self, keys: Iterable[str]) -> int:
        """Return how many words of a text, by their keys, can begin the key of an entry."""
        prefix, count = "", 0
        for key in keys:
            prefix = f"{prefix} {key}" if prefix else key
            if prefix not in self.beginnings:
                break
            count += 1
        return count

    @cached_property
    def beginnings(self) -> frozenset[str]:
        """Keys, and the first words of each."""
        words = [key.split() for key in self._index]
        return frozenset(" ".join(each[:at]) for each in words for at in range(1, len(each) + 1))

    def find_key(self, key: str) -> tuple[Entry, ...]:
        """Find entries by a key of `make_key`, current ones first."""
        return tuple([self._entries[at] for at in self._index.get(key, ())])

    def by_notation(self, notation: str) -> tuple[Entry, ...]:
        """Return the entries with a notation, current ones first."""
        return tuple([self._entries[at] for at in self._notations.get(notation, ())])

    @cached_property
    def _notations(self) -> dict[str, list[int]]:
        listed: dict[str, list[int]] = {}
        for at, notation in enumerate(self.notations):
            listed.setdefault(notation, []).append(at)
        return listed

    def by_iri(self, iri: str) -> Entry | None:
        """Return the entry with an IRI, or None."""
        return self._iris.get(iri)

    @cached_property
    def _iris(self) -> dict[str, Entry]:
        return {entry.iri: entry for entry in self._entries}

    @property
    def keys(self) -> Iterable[str]:
        """Every key."""
        return self._index.keys()

    def list_notations(self) -> dict[str, list[str]]:
        """List the notations of the entries of every key."""
        notations = self.notations
        return {key: [notations[at] for at in indexes] for key, indexes in self._index.items()}

    def items(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """List every key with its entries."""
        for key, indexes in self._index.items():
            yield key, tuple(self._entries[at] for at in indexes)


def list_languages(entry: Entry, key: str) -> frozenset[str]:
    """List the primary subtags of the languages in which an entry has a key."""
    listed = (*entry.labels, *entry.forms, *entry.abbreviations, *entry.hidden)
    languages = frozenset(each.language.partition("-")[0] for each in listed)
    if len(languages) == 1:
        return languages
    return frozenset(
        each.language.partition("-")[0] for each in listed if key in make_keys(each.text)
    )


def overlay_lexicon(entries: Iterable[Entry], own: Iterable[Entry]) -> Lexicon:
    """Add a publisher's entries; the keys of these no longer find other entries."""
    mine = sort_entries(own)
    listed = sort_entries((*entries, *mine))
    index: dict[str, Sequence[int]] = dict(index_entries(listed))
    iris = {each.iri for each in mine if not each.obsolete}
    for key in index_entries(each for each in mine if not each.obsolete):
        index[key] = [at for at in index[key] if listed[at].iri in iris]
    return Lexicon(listed, index)


def sort_entries(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Sort current entries first, then by notation and IRI."""
    return tuple(sorted(entries, key=lambda each: (each.obsolete, each.notation, each.iri)))


def index_entries(entries: Iterable[Entry]) -> dict[str, list[int]]:
    """List the indexes of the entries by the keys of all their spellings, sorted by key."""
    index: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        for key in dict.fromkeys(key for text in entry.spellings for key in make_keys(text)):
            index.setdefault(key, []).append(at)
    return dict(sorted(index.items()))
