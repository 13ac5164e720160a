"""Holdings in memory: for small sets of families, and for tests."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from lexurn.catalogue._keys import is_dated, number_key, years_of

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from lexurn.model import Family, Item
    from lexurn.name import Name

__all__ = ["MemoryHoldings"]


class MemoryHoldings:
    """Families by name; see `lexurn.catalogue.Holdings` for what they are asked.

    >>> MemoryHoldings(()).family("urn:lex:it:stato:legge:2003-09-21;456") is None
    True
    """

    def __init__(self, families: Iterable[Family]) -> None:
        """Take families that share no name."""
        self._families = {str(family.key): family for family in families}
        self._acts: dict[str, Family] = {}
        self._near: dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
        self._spelled: dict[str, set[str]] = defaultdict(set)
        self._copies: dict[str, dict[str, set[Item]]] = defaultdict(lambda: defaultdict(set))
        for key, family in self._families.items():
            self._take(key, family)

    def _take(self, key: str, family: Family) -> None:
        for record in family.records:
            if record.name.is_act:
                self._acts[str(record.name)] = family
                self._number(record.name)
            for text in record.dialect_names:
                self._spelled[text].add(str(record.name))
            for item in record.items:
                self._copies[item.url][key].add(item)

    def _number(self, act: Name) -> None:
        details = act.work.details
        years = years_of(details)
        for number in {number_key(each) for each in details.numbers}:
            self._near[str(act.jurisdiction), number].append((str(act), years))

    def family(self, act: str) -> Family | None:
        """The alias set that has an act or one of its aliases."""
        return self._acts.get(act)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:  # noqa: ARG002 - all is in memory
        """The alias sets that have any of ``acts``, each once, sorted by key."""
        found = {str(self._acts[act].key) for act in acts if act in self._acts}
        return tuple(self._families[key] for key in sorted(found))

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """The acts and aliases of acts that have a number, sorted."""
        held = self._near.get((jurisdiction, number), ())
        return sorted(act for act, years in held if year is None or year in years)

    def dated(self, head: str, day: str) -> Sequence[str]:
        """The acts and aliases of acts with a head and a first date, sorted."""
        return sorted(act for act in self._acts if is_dated(act, head, day))

    def spelled(self, text: str) -> Sequence[str]:
        """The names of which ``text`` is a spelling in a dialect."""
        return sorted(self._spelled.get(text, ()))

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """For each URL of a copy that is held, at most so many keys of alias sets that have it."""
        return {url: sorted(self._copies[url])[:most] for url in urls if url in self._copies}

    def copies(self, url: str, without: Collection[str]) -> Collection[Item]:
        """What alias sets other than those with the keys ``without`` state of a copy."""
        held = self._copies.get(url, {})
        return {item for key, items in held.items() if key not in without for item in items}

    def keys(self) -> Iterator[str]:
        """The keys of all alias sets, sorted."""
        return iter(sorted(self._families))

    def is_empty(self) -> bool:
        """Whether nothing at all is held."""
        return not self._families
