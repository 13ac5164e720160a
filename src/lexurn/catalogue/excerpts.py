"""Excerpts of a store: some nodes with all that the shapes look at beside them.

A shape sees the values of a node, the nodes that point at it, and a step or two behind certain
links. With all of that beside it, an excerpt has the findings of the whole graph. The nodes of a
store are noted on disk first, by the act that they belong to, so that memory stays bounded.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from lexurn.graph import Layer
from lexurn.name import http_of
from lexurn.store import select_rows
from lexurn.vocabulary import (
    ANNEX,
    ANNEX_CLASS,
    ANNEX_OF,
    CHECKSUM,
    CURRENT,
    EMBODIMENT,
    EMBODIMENT_OF,
    EXEMPLAR,
    EXEMPLAR_OF,
    EXPRESSION,
    FIRST,
    HAS_CURRENT_VERSION,
    HAS_PART,
    HAS_VERSION,
    IS_PART_OF,
    ITEM,
    ITEM_CLASS,
    ITEM_OF,
    LANGUAGE_VERSION,
    LANGUAGE_VERSION_OF,
    LAST,
    LICENSE,
    MANIFESTATION,
    MANIFESTATION_CLASS,
    MANIFESTATION_OF,
    NEXT,
    PART,
    PARTITION,
    PREVIOUS,
    RDFS,
    REALIZATION,
    REALIZATION_OF,
    SAME_AS,
    TYPE,
    WORK,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Holdings
    from lexurn.catalogue.findings import CheckSpool
    from lexurn.model import Family
    from lexurn.store import EmbeddedStore

    ProgressCallback = Callable[[str, int, int | None], None]

_BETWEEN_VERSIONS: Final = frozenset({FIRST, LAST, NEXT, PREVIOUS, CURRENT})
#: Links that shapes follow backwards, or whose objects they target.
INVERSE_LINKS: Final = _BETWEEN_VERSIONS | {
    ANNEX,
    EMBODIMENT,
    EXEMPLAR,
    HAS_CURRENT_VERSION,
    HAS_PART,
    HAS_VERSION,
    ITEM,
    LANGUAGE_VERSION,
    MANIFESTATION,
    PART,
    REALIZATION,
    SAME_AS,
}
#: Links behind which shapes look at all statements.
FOLLOWED_LINKS: Final = _BETWEEN_VERSIONS | {
    HAS_CURRENT_VERSION,
    HAS_VERSION,
    REALIZATION,
    SAME_AS,
}
#: Links upwards, which the search for a licence follows to their end.
UPWARD_LINKS: Final = frozenset(
    {ANNEX_OF, EMBODIMENT_OF, IS_PART_OF, MANIFESTATION_OF, REALIZATION_OF, SAME_AS}
)
#: Links whose objects must be of a class.
CLASSED_LINKS: Final = UPWARD_LINKS | {CHECKSUM, EXEMPLAR_OF, ITEM_OF, LANGUAGE_VERSION_OF}
_NAME_CLASSES: Final = frozenset(
    {ANNEX_CLASS, EXPRESSION, ITEM_CLASS, MANIFESTATION_CLASS, PARTITION, WORK}
)

#: The clauses that let a query see all layers as one graph.
FROM_LAYERS: Final = " ".join(f"FROM <{layer.iri}>" for layer in Layer)


# --- nodes of a store -----------------------------------------------------------------

_LEX_PREFIX: Final = b"urn:lex:"
_ACT: Final = re.compile(rb"urn:lex:[^:]*:[^:]*:[^:]*:[^:@$~]*")
_BLOCK: Final = re.compile(rb"([^ \n]+) .*\n(?:\1 .*\n)*")
_NODE: Final = re.compile(rb'<([^\x00-\x20<>"{}|^`\\]*)>')
_OWNER: Final = re.compile(
    rf" (?:{re.escape(ITEM_OF)}|{re.escape(SAME_AS)}) <([^ <>]*)> \.$".encode(), re.MULTILINE
)
_BATCH: Final = 500
_LARGEST_ACT: Final = 10


def find_act(iri: bytes) -> bytes:
    """Return the act whose name begins an IRI, else the IRI itself.

    >>> find_act(b"urn:lex:it:stato:legge:1990-08-07;241:allegato.1@originale:it")
    b'urn:lex:it:stato:legge:1990-08-07;241'
    """
    found = _ACT.match(iri)
    return iri if found is None else found[0]


def gather_nodes(store: EmbeddedStore, spool: CheckSpool, on_progress: ProgressCallback) -> bool:
    """Note all nodes of a store that have statements, each with its act.

    Returns:
        True if statements have blank nodes as subjects; these are not noted.

    Raises:
        CatalogueError: the store cannot be read, or the disk is full.
    """
    has_blank_nodes = False
    lines = 0

    def list_rows() -> Iterator[tuple[str, str]]:
        nonlocal has_blank_nodes, lines
        on_progress("reading", 0, None)
        for piece in chain.from_iterable(map(store.triples, Layer)):
            for block in _BLOCK.finditer(piece):
                node = _NODE.fullmatch(block[1])
                if node is not None:
                    yield node[1].decode(), _find_owner(node[1], block[0]).decode()
                elif block[1].startswith(b"_:"):
                    has_blank_nodes = True
            lines += piece.count(b"\n")
            on_progress("reading", lines, None)

    spool.fill("INSERT INTO node VALUES (?, ?)", list_rows())
    return has_blank_nodes


def _find_owner(node: bytes, lines: bytes) -> bytes:
    """Return the act of a node: by its name, else the last of those that it links to."""
    if node.startswith(_LEX_PREFIX):
        return find_act(node)
    return max(map(find_act, _OWNER.findall(lines)), default=node)


def gather_sample(holdings: Holdings, spool: CheckSpool, count: int, base: str | None) -> int:
    """Note the nodes of ``count`` works, spread evenly over all; return the number of works.

    Raises:
        CatalogueError: the names cannot be read.
    """
    total = sum(1 for _ in holdings.keys())  # noqa: SIM118 - holdings are no mapping
    taken = min(count, total)
    wanted = {place * total // taken for place in range(taken)} if taken else set()
    keys = [key for place, key in enumerate(holdings.keys()) if place in wanted]
    for some in _split_batches(keys):
        families = holdings.families(some)
        pairs = (pair for family in families for pair in _list_nodes(family, base))
        spool.fill("INSERT INTO node VALUES (?, ?)", pairs)
    return taken


def _list_nodes(family: Family, base: str | None) -> Iterator[tuple[str, str]]:
    for record in family.records:
        act = find_act(record.name.iri.encode()).decode()
        yield record.name.iri, act
        if base is not None:
            yield http_of(record.name, base).uri, act
        for item in record.items:
            yield item.url, act
            if item.sha256 is not None:
                yield f"urn:sha256:{item.sha256}", act


def split_nodes(spool: CheckSpool, size: int) -> Iterator[tuple[str, ...]]:
    """Yield the noted nodes in chunks, by act.

    An act is cut only if it has ten times as many nodes as a chunk.

    Args:
        spool: the spool that holds the nodes.
        size: the number of nodes in a chunk, which goes on to the end of an act.
    """
    # A name goes before the node itself where both are noted: "http..." < "urn:lex:".
    query = "SELECT iri, MAX(act) AS act FROM node GROUP BY iri ORDER BY act, iri"
    chunk: list[str] = []
    current: str | None = None
    for iri, act in spool.rows(query):
        if len(chunk) >= size and (act != current or len(chunk) >= size * _LARGEST_ACT):
            yield tuple(chunk)
            chunk = []
        chunk.append(iri)
        current = act
    if chunk:
        yield tuple(chunk)


# --- excerpts -------------------------------------------------------------------------

#: The most links that may lead to a node that is checked.
MOST_LINKS: Final = 20_000
_MOST_ROUNDS: Final = 256
_MOST_FOLLOWED: Final = 20_000
_MOST_BLANK: Final = 200_000

_EDGE: Final = re.compile(r"^([^ \n]+) <[^>]*> (.*) \.$", re.MULTILINE)
_READ_LINKS: Final = INVERSE_LINKS | FOLLOWED_LINKS | CLASSED_LINKS | {TYPE, LICENSE}
_READ_LINE: Final = re.compile(
    rf"^([^ \n]+) ({'|'.join(map(re.escape, sorted(_READ_LINKS)))}) (.*) \.$", re.MULTILINE
)
_NOT_IN_IRI: Final = re.compile('[\x00-\x20<>"{}|^`\\\\]')

_CONSTRUCT: Final = f"CONSTRUCT {{{{ ?s ?p ?o }}}} {FROM_LAYERS} WHERE "
_STATED: Final = _CONSTRUCT + "{{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
_POINTING: Final = (
    _CONSTRUCT + "{{ VALUES ?o {{ {nodes} }} ?s ?p ?o FILTER(?p IN ({links})) }} LIMIT {limit}"
)
_CLASSES: Final = (
    _CONSTRUCT + f"{{{{ VALUES ?s {{{{ {{nodes}} }}}} ?s ?p ?o FILTER(?p = {TYPE}) }}}}"
)
_SUBJECTS: Final = (
    f"SELECT DISTINCT ?s {FROM_LAYERS} WHERE {{{{ VALUES ?s {{{{ {{nodes}} }}}} ?s ?p ?o }}}}"
)
_STATED_WITH_BLANK: Final = (
    f"CONSTRUCT {{{{ ?s ?p ?o . ?o ?q ?v }}}} {FROM_LAYERS} "
    "WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o OPTIONAL {{ ?o ?q ?v FILTER(isBlank(?o)) }} }}"
)
_BLANK: Final = (
    _CONSTRUCT + f"{{{{ ?s ?p ?o FILTER(isBlank(?s) || isBlank(?o)) }}}} LIMIT {_MOST_BLANK}"
).format()
_SUBCLASSES: Final = (
    _CONSTRUCT + f"{{{{ VALUES ?p {{{{ <{RDFS}subClassOf> }}}} ?s ?p ?o }}}}"
).format()


class ExcerptCounts(NamedTuple):
    """Counts and limits of an excerpt.

    Attributes:
        typed: the number of nodes with a class of lexurn.
        untyped: the number of LEX names without one.
        is_cut: True if links lead farther than they are followed, or too many lead to a node.
        has_blank_nodes: True if values may be blank nodes.
        crowded: the nodes that too many links lead to; they are left out.
    """

    typed: int
    untyped: int
    is_cut: bool
    has_blank_nodes: bool
    crowded: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Part of a graph with the nodes to check.

    Attributes:
        ntriples: the triples.
        foci: the nodes, terms as N-Triples writes them; empty where blank nodes are meant.
        counts: counts and limits.
    """

    ntriples: str
    foci: frozenset[str]
    counts: ExcerptCounts


def read_subclasses(store: EmbeddedStore) -> str:
    """Return the statements of a store on subclasses as N-Triples; usually none.

    Raises:
        CatalogueError: the store cannot be read.
    """
    return _construct(store, _SUBCLASSES)


def read_excerpt(store: EmbeddedStore, nodes: Iterable[str], common: str = "") -> Excerpt:
    """Read some nodes of a store, with all that the shapes look at beside them.

    Args:
        store: the store.
        nodes: plain IRIs; one that no query can name is left out.
        common: triples that belong to each excerpt, as N-Triples.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = _ExcerptReader(store, common)
    foci = {node for each in nodes if _is_iri(node := f"<{each}>")}
    # With only some of the links to a node, its shapes would find faults that it has not.
    foci -= reader.read_pointing(foci)
    reader.read_stated(foci)
    others = reader.find_undescribed(foci)
    foci |= others - reader.read_pointing(others)
    reader.read_surroundings(foci)
    typed = {node for node in foci if reader.has_class(node)}
    names = {node for node in foci if node.startswith("<urn:lex:")}
    ntriples = reader.ntriples
    return Excerpt(
        ntriples=ntriples,
        foci=frozenset(foci),
        counts=ExcerptCounts(
            typed=len(typed),
            untyped=len(names - typed),
            is_cut=reader.is_cut,
            has_blank_nodes=" _:" in ntriples,
            crowded=frozenset(reader.crowded),
        ),
    )


def read_blank_excerpt(store: EmbeddedStore, common: str = "") -> Excerpt:
    """Read the blank nodes of a store, all at once, as no query can name one of them.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = _ExcerptReader(store, common)
    text = _construct(store, _BLANK)
    reader.keep(text)
    foci = {node for edge in _EDGE.findall(text) for node in edge if node.startswith("_:")}
    reader.read_surroundings(foci)
    return Excerpt(
        ntriples=reader.ntriples,
        foci=frozenset(),
        counts=ExcerptCounts(
            typed=sum(map(reader.has_class, foci)),
            untyped=0,
            is_cut=reader.is_cut or text.count("\n") >= _MOST_BLANK,
            has_blank_nodes=True,
        ),
    )


class _ExcerptReader:
    """Reader of a store that keeps the triples read so far, and the links among them.

    Attributes:
        is_cut: True if links lead farther than they were followed.
        crowded: the nodes that too many links lead to.
    """

    def __init__(self, store: EmbeddedStore, common: str) -> None:
        self._store = store
        self._texts: list[str] = []
        self._stated: set[str] = set()
        self._pointed: set[str] = set()
        self._out: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self._into: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.is_cut = False
        self.crowded: set[str] = set()
        self.keep(common)

    @property
    def ntriples(self) -> str:
        """All triples that were read, each once."""
        lines = (line for text in self._texts for line in text.split("\n") if line)
        return "".join(f"{line}\n" for line in dict.fromkeys(lines))

    def has_class(self, node: str) -> bool:
        """Return True if a node has a class of lexurn."""
        return not _NAME_CLASSES.isdisjoint(self._out[TYPE].get(node, ()))

    def read_stated(self, nodes: Collection[str]) -> None:
        """Read all statements on some nodes, except those read before."""
        wanted = self._select_unread(nodes)
        self._stated.update(wanted)
        for some in _split_batches(wanted):
            text = self._construct(_STATED, some)
            blank = {node for node, value in _EDGE.findall(text) if value.startswith("_:")}
            if blank:  # labels of blank nodes hold within one answer only
                lines = text.split("\n")
                text = "\n".join(each for each in lines if each.partition(" ")[0] not in blank)
                text += self._construct(_STATED_WITH_BLANK, sorted(blank))
            self.keep(text)

    def read_pointing(self, nodes: Collection[str]) -> set[str]:
        """Read the links to some nodes that shapes follow backwards.

        Returns:
            The nodes that too many links lead to; nothing is read of them.
        """
        links = ", ".join(sorted(INVERSE_LINKS))
        crowded: set[str] = set()
        for some in _split_batches(sorted(filter(_is_iri, nodes))):
            crowded.update(self._read_links_to(some, links, MOST_LINKS))
        self._pointed |= set(nodes) - crowded
        self.crowded |= crowded
        self.is_cut = self.is_cut or bool(crowded)
        return crowded

    def find_undescribed(self, foci: Collection[str]) -> set[str]:
        """Return the objects of links from some nodes that have no statements.

        They are no subjects, so that no other excerpt has them.
        """
        pointed = self._follow(foci, INVERSE_LINKS)
        found = {node for node in pointed if node.startswith('"')}
        for some in _split_batches(self._select_unread(pointed)):
            rows = select_rows(self._store, _SUBJECTS.format(nodes=" ".join(some)))
            found |= set(some) - {str(row["s"]) for row in rows}
        return found

    def read_surroundings(self, foci: Collection[str]) -> None:
        """Read all that shapes look at behind the links of some nodes."""
        self.read_stated(self._follow(foci, FOLLOWED_LINKS) | self._follow_back(foci, SAME_AS))
        same = self._follow(foci, {SAME_AS}) | self._follow_back(foci, SAME_AS)
        self.read_stated(self._follow(same, {REALIZATION}))
        self._read_back(self._follow(foci, {NEXT}), HAS_VERSION)
        current = self._follow(foci, {HAS_CURRENT_VERSION})
        self._read_back(current, SAME_AS)
        self.read_stated(self._follow_back(current, SAME_AS))
        self._read_reachable(self._follow(foci, {NEXT}), {NEXT})
        unlicensed = {s for s in foci if s in self._out[ITEM] and s not in self._out[LICENSE]}
        self._read_reachable(unlicensed, UPWARD_LINKS, back=SAME_AS)
        classed = self._follow(foci, CLASSED_LINKS | INVERSE_LINKS)
        for some in _split_batches(self._select_unread(classed)):
            self.keep(self._construct(_CLASSES, some))

    def _read_reachable(
        self, start: Collection[str], links: Collection[str], back: str = ""
    ) -> None:
        """Read all nodes that links lead to from some nodes, and ``back`` backwards."""
        reached = frontier = set(start)
        for _ in range(_MOST_ROUNDS):
            if not frontier or len(reached) > _MOST_FOLLOWED + len(start):
                break
            self.read_stated(frontier)
            ahead = self._follow(frontier, links)
            if back:
                # The links to a node that was read as a neighbour are not known yet.
                self._read_back(frontier - self._pointed, back)
                ahead |= self._follow_back(reached, back)
            frontier = set(filter(_is_iri, ahead)) - reached
            reached = reached | frontier
        self.is_cut = self.is_cut or bool(frontier)

    def _follow(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """Return the objects of links from some nodes."""
        return _find_ends((self._out[link] for link in links), nodes)

    def _follow_back(self, nodes: Collection[str], link: str) -> set[str]:
        """Return the subjects of a link to some nodes, among those read."""
        return _find_ends((self._into[link],), nodes)

    def _read_back(self, nodes: Iterable[str], link: str) -> None:
        """Read one link to some nodes."""
        for some in _split_batches(sorted(filter(_is_iri, nodes))):
            if self._read_links_to(some, link, _MOST_FOLLOWED):
                self.is_cut = True

    def _read_links_to(self, nodes: Sequence[str], links: str, most: int) -> Sequence[str]:
        """Read links to some nodes; return the nodes that more than ``most`` lead to."""
        text = self._construct(_POINTING, nodes, links=links, limit=most + 1)
        if text.count("\n") <= most:
            self.keep(text)
            return ()
        if len(nodes) == 1:
            return nodes
        half = len(nodes) // 2
        halves = nodes[:half], nodes[half:]
        return [node for each in halves for node in self._read_links_to(each, links, most)]

    def _select_unread(self, nodes: Iterable[str]) -> list[str]:
        return sorted(node for node in nodes if node not in self._stated and _is_iri(node))

    def _construct(self, query: str, nodes: Iterable[str], **values: object) -> str:
        return _construct(self._store, query.format(nodes=" ".join(nodes), **values))

    def keep(self, text: str) -> None:
        """Keep triples, and note the links among them."""
        self._texts.append(text)
        for subject, link, value in _READ_LINE.findall(text):
            self._out[link].setdefault(subject, []).append(value)
            if link in INVERSE_LINKS:
                self._into[link].setdefault(value, []).append(subject)


def _construct(store: EmbeddedStore, text: str) -> str:
    """Return the triples of a CONSTRUCT query as N-Triples."""
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QueryTriples):
        return ""
    written = answer.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES)
    return "" if written is None else written.decode()


def _split_batches(terms: Sequence[str]) -> Iterator[Sequence[str]]:
    """Yield as many terms at a time as one query may name."""
    for start in range(0, len(terms), _BATCH):
        yield terms[start : start + _BATCH]


def _is_iri(term: str) -> bool:
    """Return True if a term is an IRI that a query can name."""
    return term.startswith("<") and _NOT_IN_IRI.search(term[1:-1]) is None


def _find_ends(links: Iterable[Mapping[str, Sequence[str]]], nodes: Collection[str]) -> set[str]:
    starts = set(nodes)
    return {end for link in links for start in link.keys() & starts for end in link[start]}
