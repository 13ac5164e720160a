"""Names of a catalogue: keys, rows in the index, look-up; and queries that all catalogues have.

A number is found without leading zeros, a date by its year.
"""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final, NamedTuple, Protocol

from lexurn import store
from lexurn.model import Status, pack_family

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Sequence

    from lexurn.model import Family
    from lexurn.name import Details
    from lexurn.store import NamedRows, ParameterValue, Solutions, Store, Triples

_MOST_LISTED: Final = 5


def list_some(things: Sequence[object]) -> str:
    """Return the first of some things as text, and how many more there are.

    >>> list_some("abc"), list_some("abcdefg")
    ('a, b, c', 'a, b, c, d, e and 2 more')
    """
    shown, more = ", ".join(map(str, things[:_MOST_LISTED])), len(things) - _MOST_LISTED
    return f"{shown} and {more:,} more" if more > 0 else shown


_ZEROS = re.compile(r"(?<![0-9.])0+(?=[0-9])")
_YEAR = re.compile(r"(?<![0-9])[0-9]{4}(?![0-9])")


def make_number_key(number: str) -> str:
    """Drop the zeros in front of a number's digits: ``007-bis`` and ``7-bis`` are one key.

    After a dot a zero counts: ``172.010`` and ``172.10`` are two numbers.

    >>> [make_number_key(each) for each in ("007-bis", "0", "lex-03", "0172.010")]
    ['7-bis', '0', 'lex-3', '172.010']
    """
    return _ZEROS.sub("", number)


def find_year(date_or_period: str) -> str | None:
    """Find the first year in a date or a period, None where there is none.

    >>> find_year("2003-09-21"), find_year("legislature.13")
    ('2003', None)
    """
    found = _YEAR.search(date_or_period)
    return None if found is None else found[0]


def _list_times(details: Details) -> list[str]:
    """Return the dates of an act, else its period, else an empty text."""
    return [date.iso for date in details.dates] or [details.period or ""]


def find_years(details: Details) -> tuple[str, ...]:
    """Return the years of an act's dates or period, sorted, none twice."""
    return tuple(sorted(filter(None, {find_year(text) for text in _list_times(details)})))


def is_dated(act: str, head: str, day: str) -> bool:
    """Return whether an act has a head and a first date; other dates and numbers may follow.

    >>> is_dated("urn:lex:fr:etat:loi:1881-07-29;lex-1", "urn:lex:fr:etat:loi", "1881-07-29")
    True
    """
    start = f"{head}:{day}"
    return act.startswith((f"{start};", f"{start},", f"{start}|"))


class FamilyRows(NamedTuple):
    """Rows of one alias set in the index.

    Attributes:
        key: the canonical act.
        data: its records and the URLs that others share; `lexurn.model.unpack_family` reads them.
        digest: of its quads.
        as_of: the day for which its computed layer was made; it may hold for others too.
        acts: for each act and alias of it: name, jurisdiction, authority, measure, details, the
            name that it is an alias of or None, 1 where it is withdrawn.
        details: jurisdiction, number, year, date or period and act, for each number and date.
        copies: URL, size and digest of each copy.
        spellings: each spelling in a dialect, and the name.
    """

    key: str
    data: str
    digest: bytes
    as_of: str
    acts: list[tuple[str, str, str, str, str, str | None, int]]
    details: list[tuple[str, str, str, str, str]]
    copies: list[tuple[str, int | None, str | None]]
    spellings: list[tuple[str, str]]


def make_rows(family: Family, nquads: bytes | None, as_of: dt.date) -> FamilyRows:
    """Make the rows of a family; without its quads, they have no digest."""
    from hashlib import sha256  # noqa: PLC0415 - loads OpenSSL, and only a load needs it

    acts: list[tuple[str, str, str, str, str, str | None, int]] = []
    numbers: list[tuple[str, str, str, str, str]] = []
    for record in family.records:
        if record.name.is_act:
            text, unit, work = str(record.name), str(record.name.jurisdiction), record.name.work
            canonical = None if record.alias_of is None else str(record.alias_of)
            is_withdrawn = int(record.status is Status.WITHDRAWN)
            parts = str(work.authority), str(work.measure), str(work.details)
            acts.append((text, unit, *parts, canonical, is_withdrawn))
            numbers += [
                (unit, make_number_key(number), find_year(time) or "", time, text)
                for number in work.details.numbers
                for time in _list_times(work.details)
            ]
    copies = {(i.url, i.bytes, i.sha256) for record in family.records for i in record.items}
    return FamilyRows(
        key=str(family.key),
        data=pack_family(family),
        # Most processors have instructions for this digest.
        digest=b"" if nquads is None else sha256(nquads).digest()[:16],
        as_of=as_of.isoformat(),
        acts=acts,
        details=numbers,
        copies=sorted(copies, key=lambda copy: (copy[0], copy[1] or -1, copy[2] or "")),
        spellings=[
            (text, str(record.name)) for record in family.records for text in record.dialect_names
        ],
    )


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


class Merge(NamedTuple):
    """Alias sets that leave a catalogue, and those that take their place.

    Attributes:
        old: alias sets held now, sorted by key.
        new: alias sets held afterwards in their place, and new ones, sorted by key.
    """

    old: tuple[Family, ...]
    new: tuple[Family, ...]


class _HasStore(Protocol):
    @property
    def queried_store(self) -> Store: ...

    def answer_from_lists(
        self, text: str, *, most: int | None = None, timeout: float | None = None
    ) -> Solutions | None: ...


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
        listed = self.answer_from_lists(text, timeout=timeout)
        if listed is not None:
            return store.NamedRows(listed)
        answer = store.query(self.queried_store, text, allow=allow, timeout=timeout, memory=memory)
        return store.NamedRows(answer) if isinstance(answer, store.Solutions) else answer

    def ready(
        self: _HasStore, name: str, /, **parameters: ParameterValue
    ) -> NamedRows | Triples | bool:
        """Return the answer to a ready query; ``lexurn catalogue query --list`` lists them.

        Raises:
            CatalogueError: there is no such query, or a parameter is missing, unknown or wrong.
        """
        return CatalogueQueries.query(self, store.ready(name, **parameters))

    def answer_from_lists(
        self, text: str, *, most: int | None = None, timeout: float | None = None
    ) -> Solutions | None:
        """Answer a ready query from lists beside the store; None where there are none.

        Args:
            text: a query.
            most: number of rows after which the answer ends.
            timeout: seconds for the answer.
        """
        del text, most, timeout
        return None


class MemoryHoldings:
    """Families in memory, by name; see `lexurn.catalogue.NameLookup`.

    >>> MemoryHoldings(()).family("urn:lex:it:stato:legge:2003-09-21;456") is None
    True
    """

    def __init__(self, families: Iterable[Family]) -> None:
        """Take families that share no name."""
        self._families = {str(family.key): family for family in families}
        self._acts: dict[str, Family] = {}
        self._near: dict[tuple[str, str], list[tuple[str, tuple[str, ...]]]] = defaultdict(list)
        self._spelled: dict[str, set[str]] = defaultdict(set)
        for family in self._families.values():
            for record in family.records:
                name = record.name
                if name.is_act:
                    self._acts[str(name)] = family
                    years = find_years(name.work.details)
                    for number in {make_number_key(each) for each in name.work.details.numbers}:
                        self._near[str(name.jurisdiction), number].append((str(name), years))
                for text in record.dialect_names:
                    self._spelled[text].add(str(name))

    def family(self, act: str) -> Family | None:
        """Return the alias set that has an act or one of its aliases."""
        return self._acts.get(act)

    def families(self, acts: Collection[str]) -> Sequence[Family]:
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
