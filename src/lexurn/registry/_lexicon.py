"""Look-ups among the entries of one kind: by what people write, and by what names have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING

from lexurn.registry._keys import key_of, keys_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.registry._entries import Entry

__all__ = ["Lexicon", "index_of", "languages_of", "ordered", "overlaid"]


class Lexicon:
    """Entries of one kind, found by label, form or abbreviation, or by notation.

    >>> from lexurn.registry import registry
    >>> [each.notation for each in registry().law("zz").measures.find("any")]
    []
    """

    __slots__ = ("_entries", "_index", "_iris", "_notations")

    def __init__(
        self, entries: Iterable[Entry] = (), index: Mapping[str, Sequence[int]] | None = None
    ) -> None:
        """Take the entries over, and their index where it has been made before.

        Args:
            entries: the entries; where an index is given, a sequence in the order of `ordered`,
                which is kept as it is, so that it may make them on demand.
            index: places in ``entries`` by key.
        """
        given = index is not None and isinstance(entries, Sequence)
        self._entries: Sequence[Entry] = entries if given else ordered(entries)  # type: ignore[assignment]  # given: a Sequence
        self._index = index if index is not None else index_of(self._entries)
        self._notations: dict[str, tuple[Entry, ...]] | None = None
        self._iris: dict[str, Entry] | None = None

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, those that are not obsolete first, then by notation and IRI."""
        return tuple(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, text: str, language: str = "") -> tuple[Entry, ...]:
        """The entries that are called so, those that are not obsolete first; () if none is.

        Args:
            text: a label, form or abbreviation in any spelling.
            language: where several are called so: those that are in this language, if any is.
        """
        return self.find_key(key_of(text), language)

    def find_key(self, key: str, language: str = "") -> tuple[Entry, ...]:
        """As `find`, by a key that `key_of` has made before."""
        found = tuple(self._entries[at] for at in self._index.get(key, ()))
        if len(found) < 2 or not language:  # noqa: PLR2004 - one needs no choice
            return found
        wanted = language.partition("-")[0].lower()
        return tuple(each for each in found if wanted in languages_of(each, key)) or found

    def by_notation(self, notation: str) -> tuple[Entry, ...]:
        """The entries with a notation, those that are not obsolete first; () if none has it."""
        if self._notations is None:
            listed = defaultdict(list)
            for entry in self._entries:
                listed[entry.notation].append(entry)
            self._notations = {key: tuple(found) for key, found in listed.items()}
        return self._notations.get(notation, ())

    def by_iri(self, iri: str) -> Entry | None:
        """The entry with an IRI, or None."""
        if self._iris is None:
            self._iris = {entry.iri: entry for entry in self._entries}
        return self._iris.get(iri)

    def items(self) -> Iterator[tuple[str, tuple[Entry, ...]]]:
        """Every key, with the entries that it finds."""
        for key, places in self._index.items():
            yield key, tuple(self._entries[at] for at in places)


def languages_of(entry: Entry, key: str) -> frozenset[str]:
    """Primary subtags of the languages in which an entry is found by a key."""
    listed = (*entry.labels, *entry.forms, *entry.abbreviations)
    return frozenset(
        each.language.partition("-")[0] for each in listed if key in keys_of(each.text)
    )


def overlaid(entries: Iterable[Entry], own: Iterable[Entry]) -> Lexicon:
    """The entries and a publisher's own; what his own are called no longer means others."""
    mine = ordered(own)
    listed = ordered((*entries, *mine))
    index: dict[str, Sequence[int]] = dict(index_of(listed))
    iris = {each.iri for each in mine if not each.obsolete}
    for key in index_of(each for each in mine if not each.obsolete):
        index[key] = [at for at in index[key] if listed[at].iri in iris]
    return Lexicon(listed, index)


def ordered(entries: Iterable[Entry]) -> tuple[Entry, ...]:
    """Those that are not obsolete first, then by notation and IRI."""
    return tuple(sorted(entries, key=lambda each: (each.obsolete, each.notation, each.iri)))


def index_of(entries: Iterable[Entry]) -> dict[str, list[int]]:
    """The places of the entries by the keys of everything they are called, sorted by key."""
    index: dict[str, list[int]] = {}
    for at, entry in enumerate(entries):
        for key in dict.fromkeys(key for text in entry.spellings for key in keys_of(text)):
            index.setdefault(key, []).append(at)
    return dict(sorted(index.items()))
