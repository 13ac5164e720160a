"""The registry at run time: law by jurisdiction, words by language, from the compiled tables."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from lexurn import data
from lexurn.registry._entries import LAW_KINDS, WORD_KINDS, Kind, kind_of_scheme, table_of
from lexurn.registry._keys import key_of
from lexurn.registry._law import Law, Words
from lexurn.registry._lexicon import Lexicon, overlaid
from lexurn.registry._rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.registry._entries import Entry

__all__ = ["Registry", "registry"]

_APOSTROPHES = ("'", "\u2019", "\u02bc")


class Registry:
    """Typed look-ups over the registry; see `registry` and `open_registry`.

    >>> registry().law("zz").languages
    ()
    """

    __slots__ = ("_laws", "_lexicons", "_own", "_words")

    def __init__(self, own: Iterable[Entry] = ()) -> None:
        """Lay a publisher's entries over the built-in ones; the same IRI takes the place.

        Args:
            own: whole entries; an entry that overrides a built-in one stands for all of it.
        """
        self._own: dict[tuple[Kind, str], dict[str, Entry]] = {}
        for entry in own:
            self._own.setdefault((entry.kind, entry.scope), {})[entry.iri] = entry
        self._lexicons: dict[tuple[Kind, str], Lexicon] = {}
        self._laws: dict[str, Law] = {}
        self._words: dict[str, Words] = {}

    def law(self, code: str) -> Law:
        """The authorities and measures of a jurisdiction-code; an empty `Law` if not known."""
        code = code.lower()
        if code not in self._laws:
            self._laws[code] = self._law(code)
        return self._laws[code]

    def words(self, language: str) -> Words:
        """The words of a language (of the primary subtag of its tag); empty if not known."""
        language = language.partition("-")[0].lower()
        if language not in self._words:
            self._words[language] = self._words_of(language)
        return self._words[language]

    def jurisdictions(self) -> tuple[str, ...]:
        """The jurisdiction-codes that authorities, measures or units are known of, sorted."""
        own = {scope for kind, scope in self._own if kind in LAW_KINDS}
        return tuple(sorted({*_scopes("law"), *_scopes("units"), *own}))

    def languages(self) -> tuple[str, ...]:
        """The languages that words are known of, sorted."""
        own = {scope for kind, scope in self._own if kind not in LAW_KINDS}
        return tuple(sorted({*_scopes("words"), *own}))

    def lexicon(self, kind: Kind, scope: str) -> Lexicon:
        """The entries of one kind of a jurisdiction or language; empty if there are none."""
        if (kind, scope) not in self._lexicons:
            self._lexicons[kind, scope] = self._lexicon(kind, scope)
        return self._lexicons[kind, scope]

    def entry(self, iri: str) -> Entry | None:
        """The entry with an IRI, or None."""
        for own in self._own.values():
            if iri in own:
                return own[iri]
        place = kind_of_scheme(iri.rpartition("/")[0])
        return self.lexicon(*place).by_iri(iri) if place else None

    @property
    def own(self) -> tuple[Entry, ...]:
        """The entries that a publisher has added or overridden, sorted by IRI."""
        found = (each for own in self._own.values() for each in own.values())
        return tuple(sorted(found, key=lambda each: each.iri))

    def __reduce__(self) -> tuple[type[Registry], tuple[list[Entry]]]:
        """For other processes: a publisher's entries; everything else they read themselves."""
        return Registry, (list(self.own),)

    def _lexicon(self, kind: Kind, scope: str) -> Lexicon:
        section = _section(kind, scope)
        rows = Rows(section.get("entries", ()), kind, scope)
        own = self._own.get((kind, scope))
        if own is None:
            return Lexicon(rows, section.get("keys", {}))
        return overlaid((each for each in rows if each.iri not in own), own.values())

    def _law(self, code: str) -> Law:
        conventions = sorted(self.lexicon(Kind.CONVENTION, code), key=lambda each: each.iri)
        return Law(
            code=code,
            authorities=self.lexicon(Kind.AUTHORITY, code),
            bodies=self.lexicon(Kind.BODY, code),
            measures=self.lexicon(Kind.MEASURE, code),
            units=self.lexicon(Kind.UNIT, code),
            languages=tuple(
                _word(each).lower() for each in conventions if each.notation == "language"
            ),
            conventions={
                each.notation: _word(each)
                for each in reversed(conventions)
                if each.notation != "language"
            },
        )

    def _words_of(self, language: str) -> Words:
        kinds = {kind: self.lexicon(kind, language) for kind in WORD_KINDS}
        return Words(
            language=language,
            connectives=_keys(kinds[Kind.CONNECTIVE]),
            elided=_elided(kinds[Kind.CONNECTIVE]),
            ordinals=_numbers(kinds[Kind.ORDINAL]),
            cardinals=_numbers(kinds[Kind.CARDINAL]),
            months=_numbers(kinds[Kind.MONTH]),
            weekdays=_numbers(kinds[Kind.WEEKDAY]),
            datewords=_keys(kinds[Kind.DATEWORD]),
            markers=_keys(kinds[Kind.MARKER]),
            abbreviations=dict(kinds[Kind.ABBREVIATION].items()),
            qualifiers={key: _qualified(found) for key, found in kinds[Kind.QUALIFIER].items()},
            annexes=kinds[Kind.ANNEX],
            partitions=kinds[Kind.PARTITION].entries,
            folds={_word(each): each.notation for each in kinds[Kind.FOLD]},
            formats={each.notation: _word(each) for each in kinds[Kind.FORMAT]},
        )


@cache
def registry() -> Registry:
    """The built-in registry."""
    return Registry()


@cache
def _scopes(part: str) -> frozenset[str]:
    """The jurisdictions or languages that there are tables of."""
    folder = data.folder("ontology") / "tables" / part
    return frozenset(file.name.removesuffix(".json") for file in folder.glob("*.json"))


def _section(kind: Kind, scope: str) -> Mapping[str, Any]:
    name = table_of(kind, scope)
    if scope not in _scopes(name.partition("/")[0]):
        return {}
    section: Mapping[str, Any] = data.table(name).get(kind.value, {})
    return section


def _word(entry: Entry) -> str:
    return entry.labels[0].text if entry.labels else ""


def _keys(lexicon: Lexicon) -> frozenset[str]:
    return frozenset(key for key, _ in lexicon.items())


def _numbers(lexicon: Lexicon) -> dict[str, int]:
    """Numbers by key; a key that means two numbers means none."""
    found = ((key, {int(each.notation) for each in entries}) for key, entries in lexicon.items())
    return {key: min(numbers) for key, numbers in found if len(numbers) == 1}


def _elided(lexicon: Lexicon) -> frozenset[str]:
    """The keys of what is written with an apostrophe and not also without."""
    texts = [text for entry in lexicon for text in entry.texts]
    whole = {key_of(text) for text in texts if not text.endswith(_APOSTROPHES)}
    return frozenset({key_of(text) for text in texts} - whole)


def _qualified(entries: tuple[Entry, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for entry in entries for word in entry.qualifies))
