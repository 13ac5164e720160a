"""Catalogue on a SPARQL 1.1 server, for reading: a mirror that `push` keeps.

All queries name their graphs with GRAPH, which every server understands.
"""

from __future__ import annotations

import re
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from lexurn import vocabulary as v
from lexurn.catalogue.catalogue import (
    CatalogueQueries,
    find_years,
    is_dated,
    make_number_key,
)
from lexurn.errors import CatalogueError, GraphError
from lexurn.graph import ALIAS_PROPERTIES, Statements, records_of
from lexurn.model import ModelError, family_of
from lexurn.name import check
from lexurn.store import RemoteStore, format_literal

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from lexurn.graph import Triple
    from lexurn.model import Family
    from lexurn.name import Name

_UPWARD_LINKS: Final = (
    v.PART_OF,
    v.REALIZATION_OF,
    v.EMBODIMENT_OF,
    v.MANIFESTATION_OF,
    v.IS_PART_OF,
)
"""Links from each name to the one above it, in the decoded layer."""

MIRROR: Final = "<https://w3id.org/lexurn/catalogue#mirror>"
"""Graph, and its only node, with the mark of the last push and the base of the catalogue."""
MIRROR_BASE: Final = "<https://w3id.org/lexurn/catalogue#base>"

_ACT_NODE: Final = re.compile(r"<urn:lex(?::[^:@$~>]+){4}")
_MOST_NAMES: Final = 100_000
_NODES_AT_ONCE: Final = 200


class ServerCatalogue(CatalogueQueries, AbstractContextManager["ServerCatalogue"]):
    """Catalogue on a server, open for reading; a context manager.

    Attributes:
        location: the URL of the query endpoint, for messages.
        store: its quads.
        holdings: its names.
    """

    def __init__(self, location: str) -> None:
        """Prepare the connection; nothing is sent yet.

        Raises:
            CatalogueError: it is not a server, or credentials cannot be read.
        """
        self.store = self.queried_store = RemoteStore(location)
        self.holdings = ServerHoldings(self.store)
        self.location = self.store.location

    @cached_property
    def base(self) -> str | None:
        """Start of the HTTP-URI equivalents, None if the catalogue has none.

        Raises:
            CatalogueError: the server cannot be asked.
        """
        text = f"SELECT ?base WHERE {{ GRAPH {MIRROR} {{ {MIRROR} {MIRROR_BASE} ?base }} }}"
        return next((base.value for (base,) in self.store.select(text, "base")), None)

    def close(self) -> None:
        """Disconnect."""
        self.store.close()

    def __exit__(self, *_: object) -> None:
        self.close()


class ServerHoldings:
    """Names on a server; see `lexurn.catalogue.NameLookup`.

    Every method raises `CatalogueError` if the server cannot be asked.
    """

    def __init__(self, store: RemoteStore) -> None:
        """Take a store, which stays open."""
        self._store = store

    def family(self, act: str) -> Family | None:
        """Return the alias set that has an act or one of its aliases (canonical text, no annex).

        Raises:
            CatalogueError: the server has something else than an alias set.
        """
        name = check(act).name
        if name is None:
            return None
        links, stated = self._collect(f"<{name.act_name.iri}>")
        if not links and not stated:
            return None
        copies = {
            value for _, predicate, value in stated if predicate == v.ITEM and value[0] == "<"
        }
        about = self._select_triples(sorted(copies), _write_copies_query)
        statements = Statements(decoded=tuple(links), catalogued=(*stated, *about))
        try:
            return family_of(records_of(statements))
        except (GraphError, ModelError) as fault:
            raise CatalogueError(
                f"{self._store.location} contains statements on {act} that are not from a "
                f"catalogue: {fault}"
            ) from None

    def families(self, acts: Collection[str]) -> Sequence[Family]:
        """Return the alias sets that have any of ``acts``, each once, sorted by key."""
        found: dict[str, Family] = {}
        known: set[str] = set()
        for act in sorted(set(acts)):
            family = None if act in known else self.family(act)
            if family is not None:
                found[str(family.key)] = family
                known.update(str(record.name) for record in family.records)
        return [found[key] for key in sorted(found)]

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """Return the acts and aliases of acts that have a number, sorted.

        Numbers are found with up to ten digits, zeros in front included.
        """
        code, *units = jurisdiction.split(";")
        values = " ".join(map(format_literal, list_zero_padded(number)))
        where = [f"VALUES ?number {{ {values} }} ?act {v.NUMBER} ?number ."]
        where.append(f"?act {v.JURISDICTION_CODE} {format_literal(code)} .")
        where += [f"?act {v.JURISDICTION_UNIT} {format_literal(unit)} ." for unit in units]
        if not units:
            # A nation has thousands of units, each of which numbers its acts from 1.
            where.append(f"FILTER NOT EXISTS {{ ?act {v.JURISDICTION_UNIT} ?unit }}")
        if year is not None:
            days, periods = (f"{{ ?act {term} ?when }}" for term in (v.DATE, v.PERIOD))
            in_year = f"FILTER(CONTAINS(STR(?when), {format_literal(year)}))"
            where.append(f"{days} UNION {periods} {in_year}")
        return [
            str(name)
            for name in self._select_names(v.DECODED, "?act", " ".join(where))
            if name.is_act
            and str(name.jurisdiction) == jurisdiction
            and number in map(make_number_key, name.work.details.numbers)
            and (year is None or year in find_years(name.work.details))
        ]

    def dated(self, head: str, day: str) -> Sequence[str]:
        """Return the acts and aliases of acts with a head and a first date, sorted."""
        name = check(f"{head}:{day};x").name
        if name is None or name.work.details.dates[0].day is None:
            return ()
        stated = {
            v.JURISDICTION_CODE: name.jurisdiction.code,
            v.AUTHORITY: str(name.work.authority),
            v.MEASURE_TYPE: name.work.measure.type,
        }
        where = f'?act {v.DATE} "{day}"^^{v.XSD_DATE} '
        where += " ".join(f"; {term} {format_literal(text)}" for term, text in stated.items())
        names = map(str, self._select_names(v.DECODED, "?act", where))
        return [act for act in names if is_dated(act, head, day)]

    def spelled(self, text: str) -> Sequence[str]:
        """Return the names (of any level) of which ``text`` is a spelling in a dialect; sorted."""
        if any("\ud800" <= character <= "\udfff" for character in text):
            return ()
        where = f"?name {v.DIALECT_NAME} {format_literal(text)}"
        return [str(name) for name in self._select_names(v.CATALOGUED, "?name", where)]

    def _collect(self, act: str) -> tuple[list[Triple], list[Triple]]:
        """Return the statements on an act, its aliases, and all names below them.

        Only names below the acts that lead to them are followed: the graph may be anybody's.

        Returns:
            The decoded triples that link names with those above them, and the catalogued triples.
        """
        links: list[Triple] = []
        stated: list[Triple] = []
        seen, nodes = {act}, [act]
        while nodes:
            found: set[str] = set()
            for triple in self._select_triples(nodes, _write_step_query):
                subject, predicate, value = triple
                if not _is_name(subject):
                    continue
                if predicate == v.IDENTIFIER:
                    links.append(triple)
                elif predicate in _UPWARD_LINKS:
                    if subject != value and subject.startswith(value[:-1]):
                        links.append(triple)
                        found.add(subject)
                elif predicate in ALIAS_PROPERTIES and not _is_name(value):
                    continue
                else:
                    stated.append(triple)
                    if predicate in ALIAS_PROPERTIES:
                        found |= {_find_act(subject), _find_act(value)}
            nodes = sorted(found - seen)
            seen |= found
            if len(seen) > _MOST_NAMES:
                raise CatalogueError(
                    f"{self._store.location}: more than {_MOST_NAMES:,} names belong to {act}, and "
                    "an alias set has at most that many"
                )
        return list(dict.fromkeys(links)), list(dict.fromkeys(stated))

    def _select_triples(
        self, terms: Sequence[str], write: Callable[[Sequence[str]], str]
    ) -> Iterator[Triple]:
        """Yield the triples (``?s ?p ?o``) of queries that name some terms each."""
        for start in range(0, len(terms), _NODES_AT_ONCE):
            text = write(terms[start : start + _NODES_AT_ONCE])
            for subject, predicate, value in self._store.select(text, "s", "p", "o"):
                yield str(subject), str(predicate), str(value)

    def _select_names(self, graph: str, variable: str, where: str) -> list[Name]:
        text = f"SELECT DISTINCT {variable} WHERE {{ GRAPH {graph} {{ {where} }} }}"
        nodes = (node.value for (node,) in self._store.select(text, variable[1:]))
        return sorted(filter(None, (check(node).name for node in nodes)), key=str)


def _write_step_query(nodes: Sequence[str]) -> str:
    """Return the query for what is stated of nodes, their records, names below, and aliases."""
    records = [f"{node[:-1]}{v.RECORD_END}>" for node in nodes]
    subjects = f"VALUES ?s {{ {' '.join((*nodes, *records))} }}"
    objects = f"VALUES ?o {{ {' '.join(nodes)} }}"
    parts = [
        f"{{ {subjects} GRAPH {v.CATALOGUED} {{ ?s ?p ?o }} }}",
        f"{{ {subjects} GRAPH {v.DECODED} {{ ?s {v.IDENTIFIER} ?o }} BIND({v.IDENTIFIER} AS ?p) }}",
    ]
    aliases = ((v.CATALOGUED, link) for link in sorted(ALIAS_PROPERTIES))
    for graph, link in (*aliases, *((v.DECODED, link) for link in _UPWARD_LINKS)):
        parts.append(f"{{ {objects} GRAPH {graph} {{ ?s {link} ?o }} BIND({link} AS ?p) }}")
    return f"SELECT ?s ?p ?o WHERE {{ {' UNION '.join(parts)} }}"


def _write_copies_query(copies: Sequence[str]) -> str:
    """Return the query for what is stated of some copies and of their digests."""
    these = f"VALUES ?copy {{ {' '.join(copies)} }}"
    return (
        f"SELECT ?s ?p ?o WHERE {{ {{ {these} GRAPH {v.CATALOGUED} {{ ?copy ?p ?o }} "
        f"BIND(?copy AS ?s) }} UNION {{ {these} GRAPH {v.CATALOGUED} {{ ?copy {v.CHECKSUM} ?s . "
        f"?s ?p ?o }} }} }}"
    )


@lru_cache(maxsize=65536)
def _is_name(term: str) -> bool:
    """Return whether a term is the canonical IRI of a name or of its record."""
    name = check(term[1:-1]).name if term[0] == "<" else None
    return name is not None and name.iri == term[1:-1].removesuffix(v.RECORD_END)


def _find_act(term: str) -> str:
    """Return the node of the act in the node of a name."""
    found = _ACT_NODE.match(term)
    return term if found is None else f"{found[0]}>"


_DIGITS: Final = re.compile(r"(%[0-9A-Fa-f]{2}|\.[0-9]+)|([0-9]+)")
_WIDEST_NUMBER: Final = 10
_MOST_SPELLINGS: Final = 256


def list_zero_padded(number: str) -> tuple[str, ...]:
    """Return a number, and the same with zeros in front of its digits, ten digits wide at most.

    Several groups of digits are not so wide, so that there are 256 ways at most. After a dot a
    zero counts (see `make_number_key`).

    >>> list_zero_padded("a-7")[:3]
    ('a-7', 'a-07', 'a-007')
    """
    parts = [match for match in _DIGITS.split(number) if match]
    groups = sum(part.isdigit() for part in parts)
    if groups == 0:
        return (number,)
    ways = max(int(_MOST_SPELLINGS ** (1 / groups)), 1)
    choices = (
        [
            part.zfill(width)
            for width in range(
                len(part), max(len(part), min(_WIDEST_NUMBER, len(part) + ways - 1)) + 1
            )
        ]
        if part.isdigit()
        else [part]
        for part in parts
    )
    return tuple(map("".join, product(*choices)))
