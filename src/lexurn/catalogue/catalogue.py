"""Catalogue and holdings: the protocols that every catalogue follows, and holdings in memory.

A catalogue has a store for SPARQL and holdings by name. One in a folder has an Oxigraph store and
an index in SQLite; one on a server has both by SPARQL alone. Only where one of them can do more
(tables that SQL looks into, rows as they come, another process that opens the store) it is asked
which one it is.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar, runtime_checkable

from lexurn.catalogue.keys import find_years, is_dated, make_number_key
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import Final, Self

    from lexurn.catalogue.keys import FamilyRows
    from lexurn.model import Family, Item
    from lexurn.name import Name
    from lexurn.store import NamedRows, ParameterValue, Store, Triples


class TooLargeError(Exception):
    """Several alias sets state more, together, than is to be held in memory."""


class Holdings(Protocol):
    """What a catalogue holds, by name."""

    def family(self, act: str) -> Family | None:
        """The alias set that has an act or one of its aliases (canonical text, no annex)."""
        ...

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """The alias sets that have any of ``acts``, each once, sorted by key.

        Args:
            acts: the acts.
            most: how many characters all that is stated of several may have; None for any number.

        Raises:
            TooLargeError: it has more; fewer acts are to be asked for.
        """
        ...

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """The acts and aliases of acts that have a number, sorted.

        Args:
            jurisdiction: the whole element, ``br;sao.paulo``.
            number: one number as `make_number_key` has it; acts with several numbers have each.
            year: four digits: only acts with a date or a period in that year.
        """
        ...

    def dated(self, head: str, day: str) -> Sequence[str]:
        """The acts and aliases of acts with a head and a first date, whatever their number; sorted.

        Args:
            head: jurisdiction, authority and measure: ``urn:lex:fr:etat:loi``.
            day: ``1881-07-29``.
        """
        ...

    def spelled(self, text: str) -> Sequence[str]:
        """The names (of any level) of which ``text`` is a spelling in a dialect; sorted."""
        ...

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """For each URL of a copy that is held, keys of the alias sets that have it.

        Args:
            urls: the URLs.
            most: how many keys for each are enough (a gazette may hold a million acts).
        """
        ...

    def copies(self, url: str, without: Collection[str]) -> Iterable[Item]:
        """What alias sets other than those with the keys ``without`` state of a copy.

        What several state may come several times; who has read enough of it, reads no more.
        """
        ...

    def keys(self) -> Iterator[str]:
        """The keys of all alias sets, sorted."""
        ...

    def is_empty(self) -> bool:
        """Whether nothing at all is held, which is known at once."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """What is taken out of a catalogue, and what is put in its place.

    Attributes:
        old: alias sets that are held now, sorted by key.
        new: what stands for them afterwards, and what was not known, sorted by key.
    """

    old: tuple[Family, ...]
    new: tuple[Family, ...]


class Catalogue(Protocol):
    """A catalogue that is open; a context manager.

    Attributes:
        place: the folder or the URL, for messages.
        base: what HTTP-URI equivalents begin with, None where it has none.
        portion: how many bytes of N-Quads are best added at a time.
    """

    place: str
    base: str | None
    portion: int

    @property
    def store(self) -> Store:
        """Its quads."""
        ...

    @property
    def holdings(self) -> Holdings:
        """Its names."""
        ...

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Put new families in the place of old ones; gives back what really changed."""
        ...

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        ...

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:
        """The keys of the families whose quads are held just so, where that is known at once."""
        ...

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:
        """Put in families that are new."""
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
        """Do a SPARQL update of somebody's own."""
        ...

    def close(self) -> None:
        """Let go of it."""
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
    """Queries on an open catalogue; the part that all catalogues share."""

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
    """An alias set is held so that it cannot be read; of all others nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MendedFamily:
    """An alias set that was read as far as it can be.

    Attributes:
        key: its canonical act, as far as that is known.
        fault: why it cannot be read whole.
        lost: what was left out: the name (canonical text) of which it is stated, and the fault.
    """

    key: str
    fault: str
    lost: tuple[tuple[str, str], ...]


def ignore_mended(_: MendedFamily) -> None:
    """Tell nobody: it does not matter here what was left out, or is told elsewhere."""


@runtime_checkable
class MendingHoldings(Protocol):
    """Holdings that may hold what cannot be read."""

    def as_far_as_readable(self, on_mended: Callable[[MendedFamily], None]) -> Holdings:
        """The same, but of what cannot be read whole all that can be read of it.

        Args:
            on_mended: is told of each alias set of which something was left out.
        """
        ...


T = TypeVar("T")
MOST_STATED: Final = 4_000_000
"""How many characters all that is stated of several alias sets may have: of some 10,000 names."""


def read_in_lots(
    holdings: Holdings, things: Sequence[T], act_of: Callable[[T], str]
) -> Iterator[tuple[Sequence[T], Sequence[Family]]]:
    """The alias sets that have the acts of some things, with these, in their order.

    What comes is read when it is asked for: what was done to those before is seen in it.

    Args:
        holdings: what is held.
        things: what has acts.
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
        years = find_years(details)
        for number in {make_number_key(each) for each in details.numbers}:
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
