"""Lexicons: entries of one kind, found by any spelling of their labels or by their notation."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING, overload

from lexurn.registry.entries import Entry, Label, make_scheme_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from lexurn.registry.entries import Kind

# Accents of Latin, Greek and Cyrillic letters, points of Hebrew, vowel signs and tatweel of Arabic.
_ACCENTS = re.compile(
    "[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]"
)
# Letters with an accent for their readers, but not for Unicode.
_BASE_LETTERS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "\u0131": "i", "æ": "ae", "œ": "oe"}
)
# Signs that join the letters around them: dots, Hebrew acronym marks, the Catalan middle dot.
_JOINERS = frozenset('.·\u05f3\u05f4"')
_ASCII_WORDS = re.compile(r"[^a-z0-9]+")
_ASCII_JOINERS = re.compile(r"(?<=[a-z])[.\"](?=[a-z])")


@lru_cache(maxsize=16_384)
def make_key(text: str) -> str:
    """Make the look-up key of a label, form or abbreviation, the same for all its spellings.

    Case, accents and compatibility forms are dropped. Apostrophes and punctuation separate words,
    dots between and behind letters join them, and adjacent single letters are joined. There is one
    blank between words. Letters of other scripts stay. A key is its own key.

    >>> make_key("D.P.R."), make_key("D. P. R."), make_key("Ministère de l'Économie")
    ('dpr', 'dpr', 'ministere de l economie')
    """
    key = " ".join(_join_letters(_split_words(text)))
    composed = unicodedata.normalize("NFKC", key)
    # Joined letters may compose (Hangul, Tibetan), and a composed letter may join again.
    return key if key == composed else make_key(composed)


def make_keys(text: str) -> tuple[str, ...]:
    """Make all keys of a form: as it is, and with and without blanks behind dots.

    >>> make_keys("D.Lgs.")
    ('dlgs', 'd lgs')
    """
    if "." not in text:
        return tuple(filter(None, (make_key(text),)))
    spaced, close = text.replace(".", ". "), re.sub(r"\.\s+", ".", text)
    return tuple(dict.fromkeys(filter(None, map(make_key, (text, spaced, close)))))


def _split_words(text: str) -> list[str]:
    if text.isascii():
        lower = text.lower()
        return _ASCII_WORDS.sub(" ", _ASCII_JOINERS.sub("", lower)).split()
    return "".join(_separate_words(_fold_text(text))).split()


def _fold_text(text: str) -> str:
    """Drop case, accents and compatibility forms."""
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = _ACCENTS.sub("", folded).translate(_BASE_LETTERS)
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", bare).casefold())


def _separate_words(text: str) -> Iterator[str]:
    """Yield letters, marks and digits, nothing for joining signs, a blank for all others."""
    last = len(text) - 1
    for at, character in enumerate(text):
        if _is_word_character(character):
            yield character
        elif (
            character in _JOINERS
            and 0 < at < last
            and _is_between_letters(text[at - 1], text[at + 1])
        ):
            continue
        elif unicodedata.category(character) != "Cf":
            yield " "


def _is_word_character(character: str) -> bool:
    return character.isalnum() or unicodedata.category(character).startswith("M")


def _is_between_letters(before: str, after: str) -> bool:
    return not any(each.isnumeric() or not _is_word_character(each) for each in (before, after))


def _join_letters(words: list[str]) -> Iterator[str]:
    """Join adjacent single letters."""
    for single, group in groupby(words, key=lambda word: len(word) == 1 and word.isalpha()):
        if single:
            yield "".join(group)
        else:
            yield from group


_LABEL_FIELDS = ("labels", "forms", "abbreviations")
_LIST_FIELDS = ("qualifies", "sources", "examples")
_PLAIN_FIELDS = ("issuer", "body", "titled", "numbering", "name", "broader")
_VALIDITY_FIELDS = ("valid_from", "valid_until", "obsolete", "replaced_by")


def write_row(entry: Entry) -> dict[str, Any]:
    """Make the row of an entry, without empty fields, and with its IRI relative to its scheme."""
    lead = make_scheme_iri(entry.kind, entry.scope) + "/"
    row: dict[str, Any] = {"id": entry.iri.removeprefix(lead), "notation": entry.notation}
    for name in _LABEL_FIELDS:
        if texts := _group_by_language(getattr(entry, name)):
            row[name] = texts
    for name in (*_PLAIN_FIELDS, *_VALIDITY_FIELDS, *_LIST_FIELDS):
        if value := getattr(entry, name):
            row[name] = list(value) if name in _LIST_FIELDS else value
    return row


def _group_by_language(labels: Iterable[Label]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for label in sorted(labels, key=lambda each: (each.language, each.text)):
        found.setdefault(label.language, []).append(label.text)
    return found


class EntryRows(Sequence[Entry]):
    """Entries of one kind in a table, each made on first use."""

    __slots__ = ("_kind", "_made", "_rows", "_scope")

    def __init__(self, rows: Sequence[dict[str, Any]], kind: Kind, scope: str) -> None:
        """Store the rows."""
        self._rows = rows
        self._kind = kind
        self._scope = scope
        self._made: dict[int, Entry] = {}

    def __len__(self) -> int:
        return len(self._rows)

    @overload
    def __getitem__(self, at: int) -> Entry: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, at: int | slice) -> Entry | tuple[Entry, ...]:
        """Return the entry at a place."""
        if isinstance(at, slice):
            return tuple(self)[at]
        if at not in self._made:
            self._made[at] = self._entry(self._rows[at])
        return self._made[at]

    def _entry(self, row: dict[str, Any]) -> Entry:
        slug = row["id"]
        iri = slug if ":" in slug else f"{make_scheme_iri(self._kind, self._scope)}/{slug}"
        given: dict[str, Any] = {
            name: row[name] for name in (*_PLAIN_FIELDS, *_VALIDITY_FIELDS) if name in row
        }
        given |= {name: tuple(row[name]) for name in _LIST_FIELDS if name in row}
        given |= {name: _read_labels(row[name]) for name in _LABEL_FIELDS if name in row}
        return Entry(kind=self._kind, iri=iri, scope=self._scope, notation=row["notation"], **given)


def _read_labels(texts: dict[str, list[str]]) -> tuple[Label, ...]:
    listed = (
        Label(text=text, language=language) for language, each in texts.items() for text in each
    )
    return tuple(sorted(listed))


class Lexicon:
    """Entries of one kind, with look-ups by label, form or abbreviation, and by notation.

    >>> from lexurn.registry import load_registry
    >>> [each.notation for each in load_registry().law("zz").measures.find("any")]
    []
    """

    __slots__ = ("_entries", "_index", "_iris", "_notations")

    def __init__(
        self, entries: Iterable[Entry] = (), index: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        """Sort and index the entries, or take over a given index.

        Args:
            entries: the entries; with an index, a sequence in the order of `sort_entries`, which
                may make its items on demand.
            index: the places in ``entries`` by key.
        """
        given = index is not None and isinstance(entries, Sequence)
        self._entries: Sequence[Entry] = entries if given else sort_entries(entries)  # type: ignore[assignment]  # given: a Sequence
        self._index = index if index is not None else index_entries(self._entries)
        self._notations: dict[str, tuple[Entry, ...]] | None = None
        self._iris: dict[str, Entry] | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, current ones first, then by notation and IRI."""
        return tuple(self._entries)

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
        return self.find_key(make_key(text), language)

    def find_key(self, key: str, language: str = "") -> tuple[Entry, ...]:
        """Find entries by a key of `make_key`; see `find`."""
        found = tuple(self._entries[at] for at in self._index.get(key, ()))
        if len(found) < 2 or not language:  # noqa: PLR2004 - one needs no choice
            return found
        wanted = language.partition("-")[0].lower()
        return tuple(each for each in found if wanted in list_languages(each, key)) or found

    def by_notation(self, notation: str) -> tuple[Entry, ...]:
        """Return the entries with a notation, current ones first."""
        if self._notations is None:
            listed = defaultdict(list)
            for entry in self._entries:
                listed[entry.notation].append(entry)
            self._notations = {key: tuple(found) for key, found in listed.items()}
        return self._notations.get(notation, ())

    def by_iri(self, iri: str) -> Entry | None:
        """Return the entry with an IRI, or None."""
        if self._iris is None:
            self._iris = {entry.iri: entry for entry in self._entries}
        return self._iris.get(iri)

    def items(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """List every key with its entries."""
        for key, places in self._index.items():
            yield key, tuple(self._entries[at] for at in places)


def list_languages(entry: Entry, key: str) -> frozenset[str]:
    """List the primary subtags of the languages in which an entry has a key."""
    listed = (*entry.labels, *entry.forms, *entry.abbreviations)
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
    """Index the places of the entries by the keys of all their spellings, sorted by key."""
    index: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        for key in dict.fromkeys(key for text in entry.spellings for key in make_keys(text)):
            index.setdefault(key, []).append(at)
    return dict(sorted(index.items()))
