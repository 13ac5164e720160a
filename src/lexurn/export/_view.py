"""One family seen from outside: equal names, places in chains, titles, addresses."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

from lexurn.export._paths import is_served_exactly, segments_of, served_path
from lexurn.model import Family, Record, families_of, family_of, is_original
from lexurn.name import Level, http_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.model import Chain, ChainVersion, LanguageText
    from lexurn.name import Name

__all__ = ["Place", "View", "above", "family_with", "records_in"]

_VersionKey = tuple["Name", str]
# Names in earnest have some six levels. Without a limit, one name of thousands of annexes would
# be written out with thousands of others on each of thousands of pages.
_DEEPEST = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a version stands in its chain.

    Attributes:
        chain: the chain.
        position: from 0.
    """

    chain: Chain
    position: int

    @property
    def version(self) -> ChainVersion:
        """The version itself."""
        return self.chain.versions[self.position]

    @property
    def previous(self) -> ChainVersion | None:
        """The version before it, None for the first."""
        return self.chain.versions[self.position - 1] if self.position else None

    @property
    def next(self) -> ChainVersion | None:
        """The version after it, None for the last."""
        following = self.position + 1
        return self.chain.versions[following] if following < len(self.chain.versions) else None


@dataclass(frozen=True, kw_only=True)
class View:
    """A family, the day it is looked at, and the address of its site.

    Attributes:
        family: the family.
        as_of: the day for what is in force.
        base: the base of HTTP URIs, None where the names have none.
        is_lasting: whether only that is seen which stays as it is when an act is amended or
            translated, a file is added or a day goes by: nothing that lies below a name, beside it
            or after it.
    """

    family: Family
    as_of: dt.date
    base: str | None = None
    is_lasting: bool = False
    _addresses: dict[Name, str] = field(default_factory=dict, repr=False, compare=False)

    def record(self, name: Name) -> Record:
        """What is stated of a name; nothing, where the family does not hold it."""
        return self.family.record(name) or Record(name=name)

    def equals(self, name: Name) -> tuple[Name, ...]:
        """All names of the same thing, the canonical one first."""
        canonical = self.family.canonical(name)
        return (canonical, *self._aliases.get(canonical, ()))

    @cached_property
    def _aliases(self) -> Mapping[Name, list[Name]]:
        aliases: dict[Name, list[Name]] = defaultdict(list)
        for record in self.family.records:
            canonical = self.family.canonical(record.name)
            if canonical != record.name:
                aliases[canonical].append(record.name)
        return aliases

    @cached_property
    def _places(self) -> Mapping[Name, Place]:
        return {
            name: Place(chain=chain, position=position)
            for chain in self.family.chains
            for position, version in enumerate(chain.versions)
            for name in version.names
        }

    def place(self, name: Name) -> Place | None:
        """Where the version that ``name`` is, or is a file or a part of, stands in its chain."""
        if name.expression_name is None:
            return None
        return self._places.get(name.expression_name)

    def version_day(self, name: Name) -> dt.date | None:
        """A day on which the version is what holds, as ELI and schema.org date versions.

        That is its first day in force, where that is known, and not the date of the amendment.
        """
        place = self.place(name)
        if place is not None and place.version.start is not None:
            return place.version.start
        date = None if name.expression is None else name.expression.version.date
        return None if date is None else date.day

    def chains(self, name: Name) -> tuple[Chain, ...]:
        """The chains of a work, one for each language; none for other names."""
        if self.is_lasting or name.level is not Level.WORK or name.partition is not None:
            return ()
        return self._chains.get(self.family.canonical(name), ())

    @cached_property
    def _chains(self) -> Mapping[Name, tuple[Chain, ...]]:
        chains: dict[Name, tuple[Chain, ...]] = {}
        for chain in self.family.chains:
            chains[chain.work] = (*chains.get(chain.work, ()), chain)
        return chains

    def translations(self, place: Place) -> tuple[tuple[str, Name], ...]:
        """The same version in other languages: language tags and names, sorted by tag."""
        if self.is_lasting:
            return ()
        same = self._versions.get(_version_key(place.chain.work, place.version.name), ())
        return tuple(
            (chain.language, version.name)
            for chain, version in same
            if chain.language is not None and chain.language != place.chain.language
        )

    @cached_property
    def _versions(self) -> Mapping[_VersionKey, list[tuple[Chain, ChainVersion]]]:
        versions: dict[_VersionKey, list[tuple[Chain, ChainVersion]]] = defaultdict(list)
        for chain in self.family.chains:
            for version in chain.versions:
                versions[_version_key(chain.work, version.name)].append((chain, version))
        return versions

    def below(self, name: Name) -> Iterator[Name]:
        """The name, its equals and all that is nested under any of them, 16 levels deep."""
        seen: set[Name] = set()
        waiting = [(name, 0)]
        while waiting:
            current, depth = waiting.pop()
            if current in seen:
                continue
            seen.add(current)
            yield current
            waiting.extend((each, depth) for each in self.equals(current))
            if depth < _DEEPEST:
                waiting.extend((each, depth + 1) for each in self.family.children(current))

    def children(self, name: Name) -> tuple[Name, ...]:
        """The names straight under a name or one of its equals, those with one meaning once."""
        if self.is_lasting:
            return ()
        children = (child for equal in self.equals(name) for child in self.family.children(equal))
        return tuple(dict.fromkeys(map(self.family.canonical, children)))

    def titles(self, name: Name) -> tuple[LanguageText, ...]:
        """The titles of a name, else of its equals, else of the version or the work that it is of.

        An inherited title is only taken in the language of the version, where that is known.
        """
        for each in self._titled(name):
            titles = self.own_titles(each)
            if titles:
                return _in_language_of(name, titles)
        return ()

    def own_titles(self, name: Name) -> tuple[LanguageText, ...]:
        """The titles that are stated of a name itself.

        One whose language has the jurisdiction's code stands first: mostly the act's own language.
        """
        home, titles = name.jurisdiction.code, self.record(name).titles
        return tuple(sorted(titles, key=lambda title: title.language != home))

    def _titled(self, name: Name) -> Iterator[Name]:
        """Where a title may stand, nearest first: never on what the name is merely a part of."""
        levels: list[Name | None] = [name]
        if name.partition is None:
            levels += [name.expression_name, name.work_name]
        for level in levels:
            if level is not None:
                yield level
                yield from self.equals(level)

    def address(self, name: Name) -> str:
        """The HTTP URI of a name.

        Raises:
            ValueError: the view has no base, or it is none.
        """
        address = self._addresses.get(name)
        if address is None:
            address = self._addresses[name] = http_of(name, self.base or "").uri
        return address

    def served(self, name: Name) -> str:
        """The URL under which a static server has the name's page; mostly its HTTP URI.

        Where the view has no base it is the name itself.
        """
        if self.base is None:
            return name.iri
        if is_served_exactly(name):
            return self.address(name)
        return f"{self.base.rstrip('/')}/{served_path(segments_of(name))}"


def above(name: Name) -> tuple[Name, ...]:
    """What stands above a name, nearest first: 16 levels, and the act where there are more."""
    found: list[Name] = []
    parent = name.parent
    while parent is not None and len(found) < _DEEPEST:
        found.append(parent)
        parent = parent.parent
    return (*found, name.act_name) if parent is not None else tuple(found)


def _version_key(work: Name, name: Name) -> _VersionKey:
    """What versions in several languages share: the work, and the version but for its words."""
    if name.expression is None:
        return work, ""
    version = name.expression.version
    head = "original" if is_original(version) else str(version.date or version.specification)
    return work, ";".join((head, *map(str, version.events)))


def _in_language_of(name: Name, titles: tuple[LanguageText, ...]) -> tuple[LanguageText, ...]:
    language = None if name.expression is None else name.expression.language
    matching = tuple(title for title in titles if title.language == language)
    return matching if language is not None and matching else titles


def records_in(records: Family | Iterable[Record]) -> tuple[Record, ...]:
    """The records of a family, or any records, as they are."""
    return records.records if isinstance(records, Family) else tuple(records)


def family_with(name: Name, records: Family | Iterable[Record]) -> Family:
    """The family of a name, among the families of any records; the name is added where it lacks.

    Raises:
        ModelError: the records contradict each other.
    """
    if isinstance(records, Family) and records.record(name) is not None:
        return records
    known = records_in(records)
    if all(record.name != name for record in known):
        known = (*known, Record(name=name))
    act = name.act_name
    for family in families_of(known):
        if family.record(act) is not None:
            return family
    return family_of([Record(name=name)])
