"""Registry at run time: law by jurisdiction and words by language, from the compiled tables.

The words of a law also tell which issuer the word for a measure states.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
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
    from collections.abc import Iterable, Mapping, Sequence

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

    def list_values(self, key: str) -> frozenset[str]:
        """Return the values of a convention that lists several; none if there is no such one."""
        return _split_values(self.conventions.get(key, ""))


@lru_cache(maxsize=512)
def _split_values(text: str) -> frozenset[str]:
    return frozenset(text.split())


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
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
        file_marks: those of them that stand before the number of a file or case.
        issuer_words: the words between a type of measure and its issuer, by key. The value is the
            form of the issuer after it: ``plain`` or ``inflected``.
        subject_words: keys of words that begin the subject of an act.
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
    file_marks: frozenset[str] = frozenset()
    issuer_words: Mapping[str, str] = field(default_factory=dict)
    subject_words: frozenset[str] = frozenset()
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
            languages=tuple(text.lower() for key, text in listed if key == "language")
            or tuple(load_table("jurisdiction_concepts")["languages"].get(code, ())),
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
            file_marks=frozenset(
                key for key, found in kinds[Kind.MARKER].list_notations().items() if "file" in found
            ),
            issuer_words={
                key: found[0] for key, found in kinds[Kind.ISSUER_WORD].list_notations().items()
            },
            subject_words=_list_keys(kinds[Kind.SUBJECT_WORD]),
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
        scheme = read_scheme_iri(iri.rpartition("/")[0])
        return self.lexicon(*scheme).by_iri(iri) if scheme else None

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
    return frozenset(lexicon.keys)


def _list_numbers(lexicon: Lexicon) -> dict[str, int]:
    """List numbers by key, without keys of two numbers."""
    found = ((key, set(map(int, texts))) for key, texts in lexicon.list_notations().items())
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
        checked: the number of entries that were compared with their sources.
        unexampled: the number of authorities and measures without an example.
    """

    code: str
    counts: Mapping[Kind, int]
    obsolete: int
    languages: tuple[str, ...]
    unsourced: int
    checked: int
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
        checked=sum(each.checked is not None for each in live),
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


# The words of so many languages of a jurisdiction are used.
MAX_LANGUAGES = 6
_BETWEEN_PREFIX = "inter"
_LONGEST_SHORT_WORD = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorityWords:
    """Words in the names of the authorities of a jurisdiction.

    Attributes:
        whole: the notations of authorities and bodies.
        every: all words in them.
        plain: all words but the proper names of places.
        first: the words for kinds of authority: ``ministero``, ``comune``.
        named: the words for kinds with an adjective: ``regione`` has "regionale".
    """

    whole: frozenset[str]
    every: frozenset[str]
    plain: frozenset[str]
    first: frozenset[str]
    named: frozenset[str]

    def select_kinds(self, stated: StatedIssuer) -> frozenset[str]:
        """Return the kinds of authority that may contradict the stated issuer."""
        return self.named if stated.is_loose else self.first


@lru_cache(maxsize=64)
def collect_authority_words(registry: Registry, code: str) -> AuthorityWords:
    """Collect the words of the authorities of a jurisdiction-code.

    A text after a registered kind of authority (``comune``) is a proper name.
    """
    law = registry.law(code)
    words = _load_words(registry, law)
    authorities = set(law.authorities.notations)
    known = (*law.authorities.notations, *law.bodies.notations)
    whole = {part for each in known for part in (each, *each.split(";"))}
    kinds = tuple(f"{each}{mark}" for each in authorities for mark in ".;")
    after = (each[len(kind) :] for each in authorities for kind in kinds if each.startswith(kind))
    names = _split_notations((*after, *law.units.notations))
    heads = {head for each in words for found in each.qualifiers.values() for head in found}
    first = {each.partition(";")[0].partition(".")[0] for each in (*known, *heads)}
    every = _split_notations(whole) | first
    plain = every - (names - first)
    return AuthorityWords(
        whole=frozenset(whole),
        every=frozenset(every),
        plain=frozenset(plain),
        first=frozenset(first),
        named=frozenset(head.partition(".")[0] for head in heads),
    )


def _load_words(registry: Registry, law: Law) -> list[Words]:
    return [registry.words(each) for each in law.languages[:MAX_LANGUAGES]]


def _split_notations(notations: Iterable[str]) -> set[str]:
    return {word for each in notations for word in each.replace(";", ".").split(".")}


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedIssuer:
    """Statement of the word for a measure about its issuer (RFC 9676 section 6.2.1).

    Attributes:
        issuer: the notation of the stated authority, or None.
        body: the notation of the stated body or office, or None.
        kinds: the beginnings of authorities of the stated kinds.
        several: the kinds of which several authorities issue it together ("interministeriale").
        is_loose: True if an adjective alone states the kind ("federale"); authorities of kinds
            without an adjective do not contradict it.
    """

    issuer: str | None = None
    body: str | None = None
    kinds: tuple[str, ...] = ()
    several: tuple[str, ...] = ()
    is_loose: bool = False

    @property
    def is_empty(self) -> bool:
        """True if any authority may be the issuer."""
        return not (self.issuer or self.body or self.kinds)

    def describe(self) -> list[str]:
        """Describe the possible issuers; of kinds with the same beginning, only the shortest."""
        if self.issuer is not None:
            return [f'"{self.issuer}"']
        starts = sorted(self.kinds or filter(None, [self.body]), key=len)
        shortest = (
            each for at, each in enumerate(starts) if not each.startswith(tuple(starts[:at]))
        )
        return [f'{"several of " if each in self.several else ""}"{each}"' for each in shortest]

    def is_met_by(self, authority: str) -> bool:
        """Return whether one of the issuers in an authority is a stated one."""
        issuers = authority.split("+")
        if self.body is not None:
            return any(map(self._has_body, issuers))
        is_single = len(issuers) == 1
        return not self.kinds or any(
            self._is_of_kind(each, is_single=is_single) for each in issuers
        )

    def may_be(self, authority: str, known: frozenset[str] | None = None) -> bool:
        """Return whether a given authority may be the stated one.

        It may omit its body (section 6.1.4).

        Args:
            authority: the whole element.
            known: kinds of authority; if given, an authority of no such kind may be any.
        """
        if not (self.issuer or self.kinds):
            return True
        issuers = authority.split("+")
        return any(
            (self.issuer is not None and _is_start(issuer, self.issuer))
            or (self.body is not None and self._has_body(issuer))
            or self._is_of_kind(issuer, is_single=len(issuers) == 1)
            or (known is not None and not self._is_of_known_kind(issuer, known))
            for issuer in issuers
        )

    def _has_body(self, issuer: str) -> bool:
        """Return whether an issuer has all words of the stated body."""
        return _split_notations([self.body or ""]) <= _split_notations([issuer])

    def _is_of_kind(self, issuer: str, *, is_single: bool) -> bool:
        kinds = [kind for kind in self.kinds if not (is_single and kind in self.several)]
        return any(_is_start(issuer, kind) for kind in kinds)

    def _is_of_known_kind(self, issuer: str, known: frozenset[str]) -> bool:
        """Return whether the first word of an authority is a known kind, or begins one.

        ``land`` is not a kind, but it begins ``landtag`` and ``landesregierung``.
        """
        first = issuer.partition(";")[0].partition(".")[0]
        if first in known or self.is_loose or len(first) <= _LONGEST_SHORT_WORD:
            return first in known
        return any(each.startswith(first) for each in known)


def _is_start(issuer: str, start: str) -> bool:
    return issuer == start or issuer.startswith((f"{start}.", f"{start};"))


ANY_ISSUER = StatedIssuer()


def find_stated_issuer(
    entry: Entry | None, asked: str, registry: Registry, code: str
) -> StatedIssuer:
    """Find the issuer that the word for a measure states; the type alone states none.

    Args:
        entry: the measure; None for an unregistered one, which states no issuer.
        asked: the measure as it was written, in words.
        registry: the registry.
        code: the jurisdiction-code.
    """
    if entry is None or make_key(asked) == make_key(entry.notation.replace(".", " ")):
        return ANY_ISSUER
    law = registry.law(code)
    stated = _read_labels(entry, _load_words(registry, law), asked)
    if stated != ANY_ISSUER:
        return stated
    # The first half of a compound: ``landesgesetz`` is the law of a Land.
    first = make_key(asked).removesuffix(entry.notation)
    if not first.endswith("s") or " " in first or make_key(asked) == first:
        return ANY_ISSUER
    stems = {first[:-1], first.removesuffix("es")}
    known = collect_authority_words(registry, code).first
    kinds = {each for each in known if each.startswith(tuple(stems))}
    found = {each.notation for stem in stems for each in law.authorities.find(stem)}
    if not kinds and not found:
        return ANY_ISSUER
    if found and entry.issuer is not None:
        found.add(entry.issuer)
    return StatedIssuer(kinds=tuple(sorted(kinds | found | stems)))


def _read_labels(entry: Entry, words: Sequence[Words], asked: str) -> StatedIssuer:
    """Read the issuer from the labels of a measure, or from adjectives.

    A label with nothing but the type ("Legge") states no issuer, even if the registry has one. The
    word that was written may have an adjective ("legge statale").

    Args:
        entry: the measure.
        words: the words of the languages of the law.
        asked: the measure as it was written, in words.
    """
    plain = entry.notation.split(".")
    connectives = frozenset[str]().union(*(each.connectives for each in words))
    labels = [_list_words(each.text, connectives) for each in entry.labels]
    if not labels or ";" in entry.notation:
        return ANY_ISSUER
    if plain in labels:
        more = [word for word in _list_words(asked, connectives) if word not in plain]
        if not all(any(word in each.qualifiers for each in words) for word in more):
            return ANY_ISSUER  # an adjective may belong to another word: "federal register notice"
        found = _read_qualifiers(more, words)
        return replace(found, is_loose=bool(found.kinds))
    more = [word for label in labels for word in label if word not in plain]
    kinds = _read_qualifiers(more, words)
    return replace(kinds, issuer=entry.issuer, body=entry.body)


def _list_words(text: str, connectives: frozenset[str]) -> list[str]:
    """List the words of a text, without connectives."""
    return [word for word in make_key(text).split() if word not in connectives]


def _read_qualifiers(adjectives: Iterable[str], words: Sequence[Words]) -> StatedIssuer:
    """Read the kinds of authority that adjectives state.

    "Ministeriale" states one authority of a kind, "interministeriale" several.
    """
    kinds: dict[str, None] = {}
    several: dict[str, None] = {}
    for qualifiers in (each.qualifiers for each in words):
        for word in adjectives:
            found = qualifiers.get(word, ())
            kinds.update(dict.fromkeys(found))
            if word.startswith(_BETWEEN_PREFIX):
                single = qualifiers.get(word.removeprefix(_BETWEEN_PREFIX), ())
                several.update((kind, None) for kind in found if kind in single)
    return StatedIssuer(kinds=tuple(kinds), several=tuple(several))
