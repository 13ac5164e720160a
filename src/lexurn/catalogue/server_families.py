"""Alias sets read from a SPARQL server: from acts down to all that stands under them, step by step.

The graph may be anybody's: only names that stand under the act that leads to them are followed,
nothing twice, and no further than any catalogue of ours goes. Of an alias set that cannot be read
whole, all that can be read is given.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.catalogue.catalogue import (
    MendedFamily,
    TooLargeError,
    UnreadableFamilyError,
    ignore_mended,
)
from lexurn.errors import GraphError
from lexurn.graph import Layer, Statements, records_of
from lexurn.model import ModelError, families_of, family_of
from lexurn.name import check
from lexurn.store import select_in_parts, select_triples_in_parts
from lexurn.vocabulary import CHECKSUM, DCTERMS, FRBR, IDENTIFIER, ITEM, LEXO, SAME_AS, XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.graph import Triple
    from lexurn.model import Family, Record
    from lexurn.name import Name
    from lexurn.store import RemoteStore

_DECODED: Final = f"<{Layer.DECODED.iri}>"
_CATALOGUED: Final = f"<{Layer.CATALOGUED.iri}>"

_UNIT: Final = f"<{LEXO}jurisdictionUnit>"
UPWARD_LINKS: Final = (
    f"<{LEXO}annexOf>",
    f"<{FRBR}realizationOf>",
    f"<{FRBR}embodimentOf>",
    f"<{LEXO}manifestationOf>",
    f"<{DCTERMS}isPartOf>",
)
"""From each name to the one above it; all are in the decoded layer."""

_EACH_LAYER: Final = " UNION ".join(f"{{ GRAPH <{layer.iri}> {{ ?s ?p ?o }} }}" for layer in Layer)
ANYTHING_QUERY: Final = f"SELECT ?s WHERE {{ {_EACH_LAYER} }} LIMIT 1"
"""Something that is stated in any layer."""

_ACT_NODE: Final = re.compile(r"<urn:lex(?::[^:@$~>]+){4}")
_ACT_IN_SPARQL: Final = '"^(urn:lex(:[^:@$~]+){4}).*$"'
_DIGITS: Final = re.compile(r"(%[0-9A-Fa-f]{2}|\.[0-9]+)|([0-9]+)")
_WIDEST_NUMBER: Final = 10
_MOST_VARIANTS: Final = 256


def find_act_node(term: str) -> str | None:
    """The node of the act (a term) in a LEX name's node, None where it is none."""
    found = _ACT_NODE.match(term)
    return None if found is None else f"{found[0]}>"


def write_step_query(nodes: Sequence[str], acts: Sequence[str]) -> str:
    """What is stated of some nodes, what is under them, and what is an alias of them.

    Args:
        nodes: terms.
        acts: those among them that may be acts: whether they are held is asked too.
    """
    these = " ".join(nodes)
    parts = [
        f"{{ VALUES ?s {{ {these} }} GRAPH {_CATALOGUED} {{ ?s ?p ?o }} }}",
        *(_write_link_pattern(these, link, _DECODED) for link in UPWARD_LINKS),
        _write_link_pattern(these, SAME_AS, _CATALOGUED),
    ]
    if acts:
        parts.append(
            f"{{ VALUES ?s {{ {' '.join(acts)} }} GRAPH {_DECODED} {{ ?s {IDENTIFIER} ?o }} "
            f"BIND({IDENTIFIER} AS ?p) }}"
        )
    return f"SELECT ?s ?p ?o WHERE {{ {' UNION '.join(parts)} }}"


def write_known_query(acts: Sequence[str]) -> str:
    """One of some acts that is held."""
    return (
        f"SELECT ?act WHERE {{ VALUES ?act {{ {' '.join(acts)} }} "
        f"GRAPH {_DECODED} {{ ?act {IDENTIFIER} ?text }} }} LIMIT 1"
    )


def _write_link_pattern(nodes: str, link: str, graph: str) -> str:
    return f"{{ VALUES ?o {{ {nodes} }} GRAPH {graph} {{ ?s {link} ?o }} BIND({link} AS ?p) }}"


def write_copies_query(copies: Sequence[str]) -> str:
    """What is stated of some copies and of their digests."""
    these = f"VALUES ?copy {{ {' '.join(copies)} }}"
    return (
        f"SELECT ?s ?p ?o WHERE {{ {{ {these} GRAPH {_CATALOGUED} {{ ?copy ?p ?o }} "
        f"BIND(?copy AS ?s) }} UNION {{ {these} GRAPH {_CATALOGUED} {{ ?copy {CHECKSUM} ?s . "
        f"?s ?p ?o }} }} }}"
    )


def write_count_query(copies: Sequence[str]) -> str:
    """How many names have each of some copies."""
    return (
        f"SELECT ?copy (COUNT(*) AS ?names) WHERE {{ VALUES ?copy {{ {' '.join(copies)} }} "
        f"GRAPH {_CATALOGUED} {{ ?name {ITEM} ?copy }} }} GROUP BY ?copy"
    )


def write_holders_query(copies: Sequence[str], limit: int | None = None) -> str:
    """The acts that have each of some copies, themselves or below them."""
    text = (
        f"SELECT DISTINCT ?copy ?act WHERE {{ VALUES ?copy {{ {' '.join(copies)} }} "
        f"GRAPH {_CATALOGUED} {{ ?name {ITEM} ?copy }} "
        f'BIND(REPLACE(STR(?name), {_ACT_IN_SPARQL}, "$1") AS ?act) }}'
    )
    return text if limit is None else f"{text} LIMIT {limit}"


def write_other_names_query(copies: Sequence[tuple[str, int]]) -> str:
    """Names that have some copies: of each copy as many as are asked for, not all.

    A gazette may be a copy of a million acts, and one name more than known ones is enough.
    """
    parts = (
        f"{{ SELECT ?copy ?name WHERE {{ VALUES ?copy {{ {copy} }} "
        f"GRAPH {_CATALOGUED} {{ ?name {ITEM} ?copy }} }} LIMIT {count} }}"
        for copy, count in copies
    )
    return f"SELECT ?copy ?name WHERE {{ {' UNION '.join(parts)} }}"


def write_near_query(
    code: str, units: Sequence[str], numbers: Iterable[str], year: str | None
) -> str:
    """The acts of a jurisdiction that have one of some numbers (and a year)."""
    values = " ".join(str(pyoxigraph.Literal(number)) for number in numbers)
    where = [f"VALUES ?number {{ {values} }}", f"?act <{LEXO}number> ?number ."]
    where.append(f"?act <{LEXO}jurisdictionCode> {pyoxigraph.Literal(code)} .")
    where += [f"?act {_UNIT} {pyoxigraph.Literal(unit)} ." for unit in units]
    if not units:
        # A nation has thousands of units, each of which numbers its acts from 1.
        where.append(f"FILTER NOT EXISTS {{ ?act {_UNIT} ?unit }}")
    if year is not None:
        in_year = f"FILTER(CONTAINS(STR(?when), {pyoxigraph.Literal(year)}))"
        days, periods = (f"?act <{LEXO}{each}> ?when" for each in ("date", "period"))
        where.append(f"{{ {days} }} UNION {{ {periods} }} {in_year}")
    return f"SELECT DISTINCT ?act WHERE {{ GRAPH {_DECODED} {{ {' '.join(where)} }} }}"


def write_dated_query(name: Name, day: str) -> str:
    """The acts with the issuers and the measure of a name that have a date."""
    stated = {
        "jurisdictionCode": name.jurisdiction.code,
        "authority": str(name.work.authority),
        "measureType": name.work.measure.type,
    }
    where = f'?act <{LEXO}date> "{day}"^^<{XSD}date> '
    where += " ".join(f"; <{LEXO}{each}> {pyoxigraph.Literal(v)}" for each, v in stated.items())
    return f"SELECT DISTINCT ?act WHERE {{ GRAPH {_DECODED} {{ {where} }} }}"


def write_spelling_query(text: str) -> str:
    """The names of which a text is a spelling in a dialect."""
    spelling = f"<{LEXO}dialectName> {pyoxigraph.Literal(text)}"
    return f"SELECT DISTINCT ?name WHERE {{ GRAPH {_CATALOGUED} {{ ?name {spelling} }} }}"


def list_zero_padded(number: str) -> tuple[str, ...]:
    """A number, and the same with zeros in front of its digits, ten digits wide at most.

    Several groups of digits are not so wide, so that there are 256 ways at most. Behind a dot a
    zero counts (see `make_number_key`).

    >>> list_zero_padded("a-7")[:3]
    ('a-7', 'a-07', 'a-007')
    """
    parts = [match for match in _DIGITS.split(number) if match]
    groups = sum(part.isdigit() for part in parts)
    if groups == 0:
        return (number,)
    ways = max(int(_MOST_VARIANTS ** (1 / groups)), 1)
    choices = (tuple(_pad_digits(part, ways)) if part.isdigit() else (part,) for part in parts)
    return tuple(map("".join, product(*choices)))


def _pad_digits(digits: str, most: int) -> Iterator[str]:
    yield digits
    for width in range(len(digits) + 1, min(_WIDEST_NUMBER, len(digits) + most - 1) + 1):
        yield digits.zfill(width)


_MOST_HOPS: Final = 64
_LARGEST: Final = 100_000
_UPWARD_LINKS: Final = frozenset(UPWARD_LINKS)


@dataclass(frozen=True, slots=True, kw_only=True)
class ActGroup:
    """The acts of one alias set, and what is known of their names.

    Attributes:
        acts: the nodes of the acts.
        links: the decoded triples that lead from names to what is above them.
        stated: the catalogued triples of the names.
    """

    acts: frozenset[str]
    links: tuple[Triple, ...]
    stated: tuple[Triple, ...]


class GraphWalk:
    """All that is stated of the alias sets of some acts."""

    def __init__(self, store: RemoteStore, most: int | None = None) -> None:
        """Make ready; ``most`` characters of what is stated may be held, None for any number."""
        self._store, self._left = store, most
        self._stated: dict[str, list[Triple]] = {}
        self._links: dict[str, list[Triple]] = {}
        self._seen: set[str] = set()
        self._held: set[str] = set()
        self._hops: dict[str, int] = {}
        self._sizes: Counter[str] = Counter()
        self._beside: dict[str, set[str]] = defaultdict(set)

    def go(self, acts: Iterable[str]) -> None:
        """Follow everything that leads from some acts to names of their alias sets.

        Raises:
            CatalogueError: the server cannot be asked.
            UnreadableFamilyError: there is no end to what it has.
            TooLargeError: it has more than may be held.
        """
        frontier = [term for act in acts for term in self._started(act, 0)]
        while frontier:
            frontier = [found for row in self._step(frontier) for found in self._followed(row)]

    def held_groups(self, acts: Iterable[str]) -> list[ActGroup]:
        """The acts that are one work each, with what is stated of them; those that are held."""
        groups: list[ActGroup] = []
        done: set[str] = set()
        for act in acts:
            if act in done or act not in self._held:
                continue
            members = self._together(act)
            done |= members
            groups.append(
                ActGroup(
                    acts=frozenset(members),
                    links=tuple(t for each in sorted(members) for t in self._links.get(each, ())),
                    stated=tuple(t for each in sorted(members) for t in self._stated.get(each, ())),
                )
            )
        return groups

    def _together(self, act: str) -> set[str]:
        members, rest = {act}, [act]
        while rest:
            further = self._beside[rest.pop()] - members
            members |= further
            rest += further
        return members

    def _step(self, frontier: Sequence[str]) -> Iterator[Triple]:
        def text_of(terms: Sequence[str]) -> str:
            return write_step_query(terms, [each for each in terms if each in self._hops])

        for triple in select_triples_in_parts(self._store, frontier, text_of):
            self._spend(len(triple[2]))
            yield triple

    def _spend(self, size: int) -> None:
        if self._left is not None:
            self._left -= size
            if self._left < 0:
                raise TooLargeError

    def _started(self, act: str, hops: int) -> Iterator[str]:
        """An act that is met for the first time.

        Raises:
            UnreadableFamilyError: it is too many aliases away.
        """
        if act in self._hops:
            return
        if hops > _MOST_HOPS:
            raise UnreadableFamilyError(
                f"{self._store.place}: more than {_MOST_HOPS} aliases lead on from one to the "
                f"next, up to {act}; an alias names its canonical name, never another alias"
            )
        self._hops[act] = hops
        yield from self._visited(act, act)

    def _visited(self, name: str, act: str) -> Iterator[str]:
        if name in self._seen:
            return
        self._seen.add(name)
        self._sizes[act] += 1
        if self._sizes[act] > _LARGEST:
            raise UnreadableFamilyError(
                f"{self._store.place}: more than {_LARGEST:,} names stand under {act}; one alias "
                "set has no more"
            )
        yield name

    def _followed(self, row: Triple) -> Iterator[str]:
        """Keep a triple; give what it leads to."""
        subject, predicate, value = row
        act = find_act_node(subject)
        if act is None or not _is_name(subject):
            return
        if predicate == SAME_AS:
            yield from self._across(row, act)
        elif predicate in _UPWARD_LINKS:
            if act in self._hops and subject.startswith(value[:-1]) and subject != value:
                self._held.add(act)
                self._links.setdefault(act, []).append(row)
                yield from self._visited(subject, act)
        elif predicate == IDENTIFIER:
            self._held.add(act)
            self._links.setdefault(act, []).append(row)
        else:
            self._held.add(act)
            self._stated.setdefault(act, []).append(row)

    def _across(self, row: Triple, act: str) -> Iterator[str]:
        """An alias joins the acts of both its ends."""
        other = find_act_node(row[2])
        if other is None or not _is_name(row[2]):
            return
        self._held |= {act, other}
        self._stated.setdefault(act, []).append(row)
        if act != other:
            self._beside[act].add(other)
            self._beside[other].add(act)
        hops = min(self._hops.get(act, _MOST_HOPS), self._hops.get(other, _MOST_HOPS)) + 1
        for each in (act, other):
            yield from self._started(each, hops)


@lru_cache(maxsize=65536)
def _is_name(term: str) -> bool:
    """Whether a term is the node of a name as our graphs write it: an IRI, canonical."""
    if term[0] != "<":
        return False
    name = check(term[1:-1]).name
    return name is not None and name.iri == term[1:-1]


_Lost = list[tuple[str, str]]


def mend_families(
    group: ActGroup, about: Iterable[Triple], shared: Collection[str], fault: str
) -> tuple[tuple[Family, ...], MendedFamily]:
    """The alias set, or the several that it falls apart into, or none, and what was left out.

    A property whose values contradict each other is left out with all of them; so is one value
    that is none. Aliases that contradict each other are left out all together.

    Args:
        group: what is stated of its names.
        about: what is stated of their copies and of the digests of those.
        shared: the copies that other alias sets have too.
        fault: why it cannot be read whole.

    Raises:
        ModelError: nothing can be made of it.
    """
    lost: _Lost = []
    kept = _select_readable(group.stated, about, lost)
    records = records_of(Statements(decoded=group.links, catalogued=kept))
    try:
        families = families_of(records)
    except ModelError as torn:
        lost += ((str(record.name), str(torn)) for record in records if record.alias_of)
        families = families_of([_drop_alias(record) for record in records])
    # Of an act of which nothing can be read, nothing is left but its name.
    key = str(families[0].key) if families else _format_name(min(group.acts))
    families = tuple(family_of(each.records, {*each.shared, *shared}) for each in families)
    return families, MendedFamily(key=key, fault=fault, lost=tuple(dict.fromkeys(lost)))


def _drop_alias(record: Record) -> Record:
    return replace(record, alias_of=None)


def _select_readable(
    stated: Iterable[Triple], about: Iterable[Triple], lost: _Lost
) -> tuple[Triple, ...]:
    """The triples that can be read together, name by name."""
    names: dict[str, list[Triple]] = defaultdict(list)
    nodes: dict[str, list[Triple]] = defaultdict(list)
    for triple in stated:
        names[triple[0]].append(triple)
    for triple in dict.fromkeys(about):
        nodes[triple[0]].append(triple)
    kept: dict[Triple, None] = {}
    for triples in names.values():
        kept |= dict.fromkeys(_select_readable_of(triples, nodes, lost))
    return tuple(kept)


def _select_readable_of(
    triples: Sequence[Triple], nodes: Mapping[str, Sequence[Triple]], lost: _Lost
) -> list[Triple]:
    """Those of the triples on one name that can be read together, with those on its copies."""
    whole = [*triples, *_list_copy_triples(triples, nodes)]
    if _find_fault(whole) is None:
        return whole
    name = _format_name(triples[0][0])
    properties: dict[str, list[Triple]] = defaultdict(list)
    for triple in triples:
        properties[triple[1]].append(triple)
    kept: list[Triple] = []
    for each in properties.values():
        some, fault = _read_property(each, nodes)
        lost += [(name, fault)] if fault is not None else []
        kept += some
    fault = _find_fault(kept)
    if fault is not None:
        # Each can be read by itself; together they say what cannot be.
        lost.append((name, fault))
        return []
    return kept


def _read_property(
    triples: Sequence[Triple], nodes: Mapping[str, Sequence[Triple]]
) -> tuple[list[Triple], str | None]:
    """What can be read of one property of a name, and what is wrong with the rest."""
    whole = [*triples, *_list_copy_triples(triples, nodes)]
    fault = _find_fault(whole)
    if fault is None:
        return whole, None
    good: list[Triple] = []
    for triple in triples:
        copies = _list_copy_triples([triple], nodes)
        ways: tuple[list[Triple], ...] = ([triple, *copies], [triple], [])
        good += next(way for way in ways if _find_fault(way) is None)
    return (good if _find_fault(good) is None else []), fault


def _list_copy_triples(
    triples: Iterable[Triple], nodes: Mapping[str, Sequence[Triple]]
) -> list[Triple]:
    """What is stated of the copies that triples name, and of their digests."""
    copies = [value for _, predicate, value in triples if predicate == ITEM]
    found = [triple for copy in copies for triple in nodes.get(copy, ())]
    found += [t for _, _, value in found if value not in copies for t in nodes.get(value, ())]
    return found


def _find_fault(triples: Sequence[Triple]) -> str | None:
    try:
        records_of(Statements(decoded=(), catalogued=tuple(triples)))
    except (GraphError, ModelError) as fault:
        return str(fault)
    return None


def _format_name(node: str) -> str:
    name = check(node[1:-1]).name
    return node if name is None else str(name)


_LOAD: Final = "load the rows of this work again, which puts them in its place"
_TAKE_OUT: Final = "take it out there with an update (lexurn catalogue query --allow update)"


def read_families(
    store: RemoteStore,
    acts: Iterable[str],
    on_mended: Callable[[MendedFamily], None] | None = None,
    most: int | None = None,
) -> Iterator[Family]:
    """The alias sets that have any of some acts, in no order; those that are held.

    Args:
        store: the server.
        acts: acts, as terms (``<urn:lex:...>``).
        on_mended: is told of each that cannot be read whole; it then comes as far as it can be
            read, and may fall apart into several.
        most: how many characters all that is stated of several may have; None for any number.

    Raises:
        CatalogueError: the server cannot be asked.
        UnreadableFamilyError: what it holds is no alias set.
        TooLargeError: several acts are asked for, and more is stated of them.
    """
    groups = _walk_groups(store, acts, most)
    copies = _Copies(store, groups)
    for group in groups:
        about = [triple for copy in sorted(_list_copies(group)) for triple in copies.about(copy)]
        shared = [copy[1:-1] for copy in _list_copies(group) & copies.shared]
        yield from _read_group(group, about, shared, store.place, on_mended)


def read_bare_families(store: RemoteStore, acts: Iterable[str]) -> Iterator[Family]:
    """As `read_families`, with nothing known of copies but their URLs: sooner, for their keys."""
    for group in _walk_groups(store, acts):
        # Their keys can be told, whatever else cannot be read of them.
        yield from _read_group(group, (), (), store.place, ignore_mended)


def _walk_groups(
    store: RemoteStore, acts: Iterable[str], most: int | None = None
) -> list[ActGroup]:
    wanted = list(dict.fromkeys(acts))
    walk = GraphWalk(store, most if len(wanted) > 1 else None)
    walk.go(wanted)
    return walk.held_groups(wanted)


class _Copies:
    """What is stated of copies, and which of them several alias sets have."""

    def __init__(self, store: RemoteStore, groups: Sequence[ActGroup]) -> None:
        holders: dict[str, list[int]] = defaultdict(list)
        names: dict[str, set[str]] = defaultdict(set)
        for place, group in enumerate(groups):
            for name, predicate, value in group.stated:
                if predicate == ITEM:
                    holders[value].append(place)
                    names[value].add(name)
        terms = sorted(holders)
        self.shared = {copy for copy, places in holders.items() if len(set(places)) > 1}
        self._about: dict[str, list[Triple]] = defaultdict(list)
        for triple in select_triples_in_parts(store, terms, write_copies_query):
            self._about[triple[0]].append(triple)

        def text_of(some: Sequence[str]) -> str:
            return write_other_names_query([(copy, len(names[copy]) + 1) for copy in some])

        lonely = [term for term in terms if term not in self.shared]
        for found, holder in select_in_parts(store, lonely, text_of, ["copy", "name"]):
            if str(holder) not in names[str(found)]:
                self.shared.add(str(found))

    def about(self, copy: str) -> Iterator[Triple]:
        """What is stated of a copy and of its digests."""
        for triple in self._about.get(copy, ()):
            yield triple
            if triple[2] in self._about and triple[2] != copy:
                yield from self._about[triple[2]]


def _read_group(
    group: ActGroup,
    about: Sequence[Triple],
    shared: Collection[str],
    place: str,
    on_mended: Callable[[MendedFamily], None] | None,
) -> Sequence[Family]:
    statements = Statements(decoded=group.links, catalogued=(*group.stated, *about))
    try:
        return (family_of(records_of(statements), shared),)
    except (GraphError, ModelError) as fault:
        said = str(fault)
    if on_mended is None:
        raise UnreadableFamilyError(f"{_describe_foreign(place, said)}; {_LOAD}")
    try:
        families, mended = mend_families(group, about, shared, said)
    except (GraphError, ModelError) as fault:
        raise UnreadableFamilyError(
            f"{_describe_foreign(place, str(fault))}; {_TAKE_OUT}"
        ) from None
    on_mended(mended)
    return families


def _describe_foreign(place: str, fault: str) -> str:
    return f"{place} holds what is no catalogue of ours: {fault}"


def _list_copies(group: ActGroup) -> set[str]:
    return {value for _, predicate, value in group.stated if predicate == ITEM and value[0] == "<"}
