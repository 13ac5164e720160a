"""Registry at run time: law by jurisdiction and words by language, from the compiled tables."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from typing import TYPE_CHECKING

from lexurn.data import find_folder, load_table
from lexurn.registry.entries import (
    LAW_KINDS,
    WORD_KINDS,
    EntryRows,
    Kind,
    Lexicon,
    get_table_name,
    make_key,
    overlay_lexicon,
    read_scheme_iri,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.registry.entries import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Law:
    """Authorities and types of measure of one jurisdiction.

    Attributes:
        code: the jurisdiction-code.
        authorities: the issuers (RFC 9676 section 6.1).
        bodies: bodies and functions inside any authority (section 6.1.4).
        measures: types of measure (section 6.2).
        units: jurisdiction-units (section 2.1); ``sao.paulo;campinas`` is a unit of a unit.
        languages: tags of its official languages, the default first.
        conventions: conventions of its names by key: ``thousands``, ``state``, formats of labels.
    """

    code: str
    authorities: Lexicon = field(default_factory=Lexicon)
    bodies: Lexicon = field(default_factory=Lexicon)
    measures: Lexicon = field(default_factory=Lexicon)
    units: Lexicon = field(default_factory=Lexicon)
    languages: tuple[str, ...] = ()
    conventions: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """Words of one language that matter in names; all keys are made by `make_key`.

    Attributes:
        language: its primary subtag.
        connectives: keys of articles, prepositions and conjunctions (RFC 9676 section 4.1).
        elided: keys of the connectives that are only written with an apostrophe: ``dell``.
        ordinals: numbers by key (section 4.3).
        cardinals: numbers by key, for written dates.
        months: 1 to 12 by key.
        weekdays: 1 (Monday) to 7 by key.
        datewords: keys of words inside dates.
        markers: keys of words before a document number.
        abbreviations: expansions by key; several for an ambiguous abbreviation (section 3.5).
        qualifiers: the first words of the authorities that an adjective repeats, by key (6.2.1).
        annexes: words for annexes (section 6.4.1).
        partitions: labels of partitions (section 5.8).
        folds: ASCII forms of letters, if not their base letter (section 3.4).
        formats: templates of labels by key.
    """

    language: str
    connectives: frozenset[str] = frozenset()
    elided: frozenset[str] = frozenset()
    ordinals: Mapping[str, int] = field(default_factory=dict)
    cardinals: Mapping[str, int] = field(default_factory=dict)
    months: Mapping[str, int] = field(default_factory=dict)
    weekdays: Mapping[str, int] = field(default_factory=dict)
    datewords: frozenset[str] = frozenset()
    markers: frozenset[str] = frozenset()
    abbreviations: Mapping[str, tuple[Entry, ...]] = field(default_factory=dict)
    qualifiers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    annexes: Lexicon = field(default_factory=Lexicon)
    partitions: tuple[Entry, ...] = ()
    folds: Mapping[str, str] = field(default_factory=dict)
    formats: Mapping[str, str] = field(default_factory=dict)


_APOSTROPHES = ("'", "\u2019", "\u02bc")


class Registry:
    """Typed look-ups in the registry; see `load_registry` and `open_registry`.

    >>> load_registry().law("zz").languages
    ()
    """

    __slots__ = ("_laws", "_lexicons", "_own", "_words")

    def __init__(self, own: Iterable[Entry] = ()) -> None:
        """Add a publisher's entries to the built-in ones, and replace those with the same IRI.

        Args:
            own: whole entries; one that replaces a built-in entry replaces all its fields.
        """
        self._own: dict[tuple[Kind, str], dict[str, Entry]] = {}
        for entry in own:
            self._own.setdefault((entry.kind, entry.scope), {})[entry.iri] = entry
        self._lexicons: dict[tuple[Kind, str], Lexicon] = {}
        self._laws: dict[str, Law] = {}
        self._words: dict[str, Words] = {}

    def law(self, code: str) -> Law:
        """Return the law of a jurisdiction-code; an unknown code has an empty one."""
        code = code.lower()
        if code in self._laws:
            return self._laws[code]
        conventions = sorted(self.lexicon(Kind.CONVENTION, code), key=lambda each: each.iri)
        listed = [(each.notation, _first_label(each)) for each in conventions]
        self._laws[code] = law = Law(
            code=code,
            authorities=self.lexicon(Kind.AUTHORITY, code),
            bodies=self.lexicon(Kind.BODY, code),
            measures=self.lexicon(Kind.MEASURE, code),
            units=self.lexicon(Kind.UNIT, code),
            languages=tuple(text.lower() for key, text in listed if key == "language"),
            conventions={key: text for key, text in reversed(listed) if key != "language"},
        )
        return law

    def words(self, language: str) -> Words:
        """Return the words of a language, by the primary subtag of its tag; empty if unknown."""
        language = language.partition("-")[0].lower()
        if language in self._words:
            return self._words[language]
        kinds = {kind: self.lexicon(kind, language) for kind in WORD_KINDS}
        texts = {text for entry in kinds[Kind.CONNECTIVE] for text in entry.texts}
        whole = {make_key(text) for text in texts if not text.endswith(_APOSTROPHES)}
        self._words[language] = words = Words(
            language=language,
            connectives=_list_keys(kinds[Kind.CONNECTIVE]),
            elided=frozenset(set(map(make_key, texts)) - whole),
            ordinals=_list_numbers(kinds[Kind.ORDINAL]),
            cardinals=_list_numbers(kinds[Kind.CARDINAL]),
            months=_list_numbers(kinds[Kind.MONTH]),
            weekdays=_list_numbers(kinds[Kind.WEEKDAY]),
            datewords=_list_keys(kinds[Kind.DATEWORD]),
            markers=_list_keys(kinds[Kind.MARKER]),
            abbreviations=dict(kinds[Kind.ABBREVIATION].items()),
            qualifiers={
                key: tuple(dict.fromkeys(word for entry in found for word in entry.qualifies))
                for key, found in kinds[Kind.QUALIFIER].items()
            },
            annexes=kinds[Kind.ANNEX],
            partitions=kinds[Kind.PARTITION].entries,
            folds={_first_label(each): each.notation for each in kinds[Kind.FOLD]},
            formats={each.notation: _first_label(each) for each in kinds[Kind.FORMAT]},
        )
        return words

    def jurisdictions(self) -> tuple[str, ...]:
        """List the jurisdiction-codes that have entries, sorted."""
        own = {scope for kind, scope in self._own if kind in LAW_KINDS}
        return tuple(sorted({*_list_scopes("law"), *_list_scopes("units"), *own}))

    def languages(self) -> tuple[str, ...]:
        """List the languages that have entries, sorted."""
        own = {scope for kind, scope in self._own if kind not in LAW_KINDS}
        return tuple(sorted({*_list_scopes("words"), *own}))

    def lexicon(self, kind: Kind, scope: str) -> Lexicon:
        """Return the entries of one kind of a jurisdiction or language."""
        if (kind, scope) in self._lexicons:
            return self._lexicons[kind, scope]
        name = get_table_name(kind, scope)
        is_compiled = scope in _list_scopes(name.partition("/")[0])
        section = load_table(name).get(kind.value, {}) if is_compiled else {}
        rows = EntryRows(section.get("entries", ()), kind, scope)
        own = self._own.get((kind, scope))
        if own is None:
            found = Lexicon(rows, section.get("keys", {}))
        else:
            found = overlay_lexicon((each for each in rows if each.iri not in own), own.values())
        self._lexicons[kind, scope] = found
        return found

    def entry(self, iri: str) -> Entry | None:
        """Return the entry with an IRI, or None."""
        for own in self._own.values():
            if iri in own:
                return own[iri]
        place = read_scheme_iri(iri.rpartition("/")[0])
        return self.lexicon(*place).by_iri(iri) if place else None

    @property
    def own(self) -> tuple[Entry, ...]:
        """Entries that a publisher has added or replaced, sorted by IRI."""
        found = (each for own in self._own.values() for each in own.values())
        return tuple(sorted(found, key=lambda each: each.iri))

    def __reduce__(self) -> tuple[type[Registry], tuple[list[Entry]]]:
        """Pickle the publisher's entries; other processes read the built-in ones themselves."""
        return Registry, (list(self.own),)


@cache
def load_registry() -> Registry:
    """Return the built-in registry."""
    return Registry()


@cache
def _list_scopes(part: str) -> frozenset[str]:
    """List the jurisdictions or languages that have a compiled table."""
    folder = find_folder("ontology") / "tables" / part
    return frozenset(file.name.removesuffix(".json") for file in folder.glob("*.json"))


def _first_label(entry: Entry) -> str:
    return entry.labels[0].text if entry.labels else ""


def _list_keys(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(key for key, _ in lexicon.items())


def _list_numbers(lexicon: Lexicon) -> dict[str, int]:
    """List numbers by key, without keys of two numbers."""
    found = ((key, {int(each.notation) for each in entries}) for key, entries in lexicon.items())
    return {key: min(numbers) for key, numbers in found if len(numbers) == 1}


# A jurisdiction with as many authorities, and as many types of measure, is well covered.
GOOD_COVERAGE = 15


@dataclass(frozen=True, slots=True, kw_only=True)
class LawCoverage:
    """Numbers of entries of one jurisdiction.

    Attributes:
        code: its code.
        counts: the number of current entries by kind.
        obsolete: the number of obsolete entries.
        languages: primary subtags of the labels' languages, the most frequent first.
        unsourced: the number of entries without a source.
        unexampled: the number of authorities and measures without an example.
    """

    code: str
    counts: Mapping[Kind, int]
    obsolete: int
    languages: tuple[str, ...]
    unsourced: int
    unexampled: int

    @property
    def enough(self) -> bool:
        """True if it has `GOOD_COVERAGE` authorities and as many types of measure."""
        return min(self.counts[Kind.AUTHORITY], self.counts[Kind.MEASURE]) >= GOOD_COVERAGE


@dataclass(frozen=True, slots=True, kw_only=True)
class WordCoverage:
    """Numbers of entries of one language.

    Attributes:
        language: its primary subtag.
        counts: the number of entries by kind.
    """

    language: str
    counts: Mapping[Kind, int]


def measure_law_coverage(known: Registry) -> tuple[LawCoverage, ...]:
    """Count the entries of each jurisdiction, sorted by code."""
    return tuple(_measure_law(known, code) for code in known.jurisdictions())


def _measure_law(known: Registry, code: str) -> LawCoverage:
    listed = [entry for kind in LAW_KINDS for entry in known.lexicon(kind, code)]
    live = [entry for entry in listed if not entry.obsolete]
    languages = Counter(
        label.language.partition("-")[0]
        for entry in live
        if entry.kind is not Kind.CONVENTION
        for label in entry.labels
    )
    unexampled = (each for each in live if not each.examples)
    return LawCoverage(
        code=code,
        counts={kind: sum(each.kind is kind for each in live) for kind in LAW_KINDS},
        obsolete=len(listed) - len(live),
        languages=tuple(language for language, _ in languages.most_common()),
        unsourced=sum(each.kind is not Kind.CONVENTION and not each.sources for each in live),
        unexampled=sum(each.kind in {Kind.AUTHORITY, Kind.MEASURE} for each in unexampled),
    )


def measure_word_coverage(known: Registry) -> tuple[WordCoverage, ...]:
    """Count the entries of each language, sorted."""
    return tuple(
        WordCoverage(
            language=language,
            counts={kind: len(known.lexicon(kind, language)) for kind in WORD_KINDS},
        )
        for language in known.languages()
    )
