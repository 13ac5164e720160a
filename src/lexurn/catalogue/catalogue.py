"""Catalogue and holdings: the protocols that other packages use, and holdings in memory.

A catalogue in a folder has an Oxigraph store for SPARQL, and an index in SQLite for its names.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from lexurn.catalogue.keys import find_years, is_dated, make_number_key
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Final, Self

    from lexurn.catalogue.keys import FamilyRows
    from lexurn.model import Family, Item
    from lexurn.store import EmbeddedStore, NamedRows, ParameterValue, Store, Triples


class TooLargeError(Exception):
    """Several alias sets that state more, together, than memory may hold."""


class NameLookup(Protocol):
    """Look-up of acts by name, number, date and spelling, as resolution needs it."""

    def family(self, act: str) -> Family | None:
        """Return the alias set that has an act or one of its aliases (canonical text, no annex)."""
        ...

    def families(self, acts: Collection[str]) -> Sequence[Family]:
        """Return the alias sets that have any of ``acts``, each once, sorted by key."""
        ...

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """Return the acts and aliases of acts that have a number, sorted.

        Args:
            jurisdiction: the whole element, ``br;sao.paulo``.
            number: one number as `make_number_key` has it; acts with several numbers have each.
            year: four digits: only acts with a date or a period in that year.
        """
        ...

    def dated(self, head: str, day: str) -> Sequence[str]:
        """Return the acts and aliases of acts with a head and a first date, of any number; sorted.

        Args:
            head: jurisdiction, authority and measure: ``urn:lex:fr:etat:loi``.
            day: ``1881-07-29``.
        """
        ...

    def spelled(self, text: str) -> Sequence[str]:
        """Return the names (of any level) of which ``text`` is a spelling in a dialect; sorted."""
        ...


class Holdings(NameLookup, Protocol):
    """Names of a catalogue in a folder, as loading needs them."""

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """Return the alias sets that have any of ``acts``, each once, sorted by key.

        Args:
            acts: the acts.
            most: how many characters all that is stated of several may have; None for any number.

        Raises:
            TooLargeError: it has more; ask for fewer acts.
        """
        ...

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """Return, for each URL of a copy that is held, keys of the alias sets that have it.

        Args:
            urls: the URLs.
            most: how many keys for each are enough (a gazette may hold a million acts).
        """
        ...

    def copies(self, url: str, without: Collection[str]) -> Iterable[Item]:
        """Return what alias sets other than those with the keys ``without`` state of a copy.

        A statement of several may come several times.
        """
        ...

    def keys(self) -> Iterator[str]:
        """Return the keys of all alias sets, sorted."""
        ...

    def is_empty(self) -> bool:
        """Return whether nothing at all is held, which is known at once."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Alias sets that leave a catalogue, and those that take their place.

    Attributes:
        old: alias sets held now, sorted by key.
        new: alias sets held afterwards in their place, and new ones, sorted by key.
    """

    old: tuple[Family, ...]
    new: tuple[Family, ...]


class Catalogue(Protocol):
    """Catalogue that is open; a context manager.

    Attributes:
        place: the folder, for messages.
        base: the start of HTTP-URI equivalents, None if it has none.
        portion: the best number of bytes of N-Quads to add at a time.
    """

    place: str
    base: str | None
    portion: int

    @property
    def store(self) -> EmbeddedStore:
        """Quads."""
        ...

    @property
    def holdings(self) -> Holdings:
        """Names."""
        ...

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Replace old families by new ones; return the changes that were needed."""
        ...

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Return whether nothing is held of some families, nor of their copies."""
        ...

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:
        """Return the keys of the families whose quads are held just so."""
        ...

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:
        """Add families that are new."""
        ...

    def query(
        self,
        text: str,
        *,
        allow: Collection[str] = (),
        timeout: float | None = None,
        memory: int | None = None,
    ) -> NamedRows | Triples | bool:
        """Return the answer to a SPARQL query: rows by column name, triples, or a truth."""
        ...

    def ready(self, name: str, /, **parameters: ParameterValue) -> NamedRows | Triples | bool:
        """Return the answer to a ready query."""
        ...

    def update(self, text: str) -> None:
        """Do a SPARQL update of the user."""
        ...

    def close(self) -> None:
        """Close it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class _HasStore(Protocol):
    @property
    def store(self) -> Store: ...


class CatalogueQueries:
    """Queries on an open catalogue, in a folder or on a server."""

    def query(
        self: _HasStore,
        text: str,
        *,
        allow: Collection[str] = (),
        timeout: float | None = None,
        memory: int | None = None,
    ) -> NamedRows | Triples | bool:
        """Return the answer to a SPARQL query.

        Args:
            text: a SPARQL 1.1 query.
            allow: as of `lexurn.store.query`.
            timeout: as of `lexurn.store.query`, in seconds.
            memory: as of `lexurn.store.query`, in megabytes.

        Returns:
            Rows by column name with Python values for SELECT, a truth for ASK, else triples.

        Raises:
            CatalogueError: as of `lexurn.store.query`.
        """
        from lexurn.store import NamedRows, Solutions, query  # noqa: PLC0415 - loads an engine

        answer = query(self.store, text, allow=allow, timeout=timeout, memory=memory)
        return NamedRows(answer) if isinstance(answer, Solutions) else answer

    def ready(
        self: _HasStore, name: str, /, **parameters: ParameterValue
    ) -> NamedRows | Triples | bool:
        """Return the answer to a ready query; ``lexurn catalogue query --list`` lists them.

        Raises:
            CatalogueError: there is no such query, or a parameter is missing, unknown or wrong.
        """
        from lexurn.store import ready  # noqa: PLC0415 - loads an engine

        return CatalogueQueries.query(self, ready(name, **parameters))


class UnreadableFamilyError(CatalogueError):
    """Alias set that a store holds, but that cannot be read as one."""


T = TypeVar("T")
MOST_STATED: Final = 4_000_000
"""Maximum number of characters stated of several alias sets: of some 10,000 names."""


def read_in_lots(
    holdings: Holdings, things: Sequence[T], act_of: Callable[[T], str]
) -> Iterator[tuple[Sequence[T], Sequence[Family]]]:
    """Yield the alias sets that have the acts of some things, with these, in their order.

    Each lot is read when it is asked for, so changes by earlier lots are seen.

    Args:
        holdings: the names of the catalogue.
        things: things with an act each.
        act_of: the act of each.
    """
    try:
        families = holdings.families({act_of(each) for each in things}, MOST_STATED)
    except TooLargeError:
        half = len(things) // 2
        yield from read_in_lots(holdings, things[:half], act_of)
        yield from read_in_lots(holdings, things[half:], act_of)
    else:
        yield things, families


class MemoryHoldings:
    """Families in memory, by name; see `lexurn.catalogue.Holdings`.

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
            for record in family.records:
                name = record.name
                if name.is_act:
                    self._acts[str(name)] = family
                    years = find_years(name.work.details)
                    for number in {make_number_key(each) for each in name.work.details.numbers}:
                        self._near[str(name.jurisdiction), number].append((str(name), years))
                for text in record.dialect_names:
                    self._spelled[text].add(str(name))
                for item in record.items:
                    self._copies[item.url][key].add(item)

    def family(self, act: str) -> Family | None:
        """Return the alias set that has an act or one of its aliases."""
        return self._acts.get(act)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:  # noqa: ARG002 - all is in memory
        """Return the alias sets that have any of ``acts``, each once, sorted by key."""
        found = {str(self._acts[act].key) for act in acts if act in self._acts}
        return tuple(self._families[key] for key in sorted(found))

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """Return the acts and aliases of acts that have a number, sorted."""
        held = self._near.get((jurisdiction, number), ())
        return sorted(act for act, years in held if year is None or year in years)

    def dated(self, head: str, day: str) -> Sequence[str]:
        """Return the acts and aliases of acts with a head and a first date, sorted."""
        return sorted(act for act in self._acts if is_dated(act, head, day))

    def spelled(self, text: str) -> Sequence[str]:
        """Return the names of which ``text`` is a spelling in a dialect."""
        return sorted(self._spelled.get(text, ()))

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """Return, for each URL that is held, at most so many keys of alias sets that have it."""
        return {url: sorted(self._copies[url])[:most] for url in urls if url in self._copies}

    def copies(self, url: str, without: Collection[str]) -> Collection[Item]:
        """Return what alias sets other than those with the keys ``without`` state of a copy."""
        held = self._copies.get(url, {})
        return {item for key, items in held.items() if key not in without for item in items}

    def keys(self) -> Iterator[str]:
        """Return the keys of all alias sets, sorted."""
        return iter(sorted(self._families))

    def is_empty(self) -> bool:
        """Return whether nothing at all is held."""
        return not self._families
