"""Excerpts: what the shapes look at when they look at some nodes, read from a store.

A shape sees the values of a node, what points at it, and what lies a step or two behind certain
links. With all of that beside it, a chunk has the findings of the whole graph.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.catalogue.chunks import (
    CLASSED_LINKS,
    CURRENT,
    FOLLOWED_LINKS,
    FROM_LAYERS,
    INVERSE_LINKS,
    ITEM,
    LICENSE,
    NAME_CLASSES,
    NEXT,
    NOTHING_KNOWN,
    RDF_TYPE,
    REALIZATION,
    SAME,
    UPWARD_LINKS,
    VERSION,
    read_portion,
    split_portion,
)
from lexurn.store import select_rows
from lexurn.vocabulary import RDF, RDFS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.catalogue.chunks import KnownNodes, Portion
    from lexurn.store import Store

_BATCH: Final = 500
_CONSTRUCT, _SELECT = "CONSTRUCT { ?s ?p ?o }", "SELECT ?s ?p ?o"
OUT_QUERY: Final = "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
_INTO_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?o {{ {nodes} }} ?s ?p ?o "
    "FILTER(?p IN ({links})) }} LIMIT {limit}"
)
TYPES_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o "
    f"FILTER(?p = <{RDF}type>) }}}}"
)
ANY_QUERY: Final = "SELECT DISTINCT ?s {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
BLANK_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o . ?o ?q ?v }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o "
    "OPTIONAL {{ ?o ?q ?v FILTER(isBlank(?o)) }} }}"
)
UNNAMED_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ ?s ?p ?o FILTER(isBlank(?s) || isBlank(?o)) }} "
    "LIMIT {limit}"
)
_SUBCLASSES_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?p {{ "
    f"<{RDFS}subClassOf> }}}} ?s ?p ?o }}}}"
)


def split_batches(terms: list[str]) -> Iterator[list[str]]:
    """Terms in the numbers that one query may name."""
    for start in range(0, len(terms), _BATCH):
        yield terms[start : start + _BATCH]


def read_subclasses(store: Store) -> str:
    """What a store states on classes under classes, as N-Triples: usually nothing."""
    return construct_ntriples(store, _SUBCLASSES_QUERY.format(layers=FROM_LAYERS))


def fill_query(query: str, nodes: Iterable[str], **values: object) -> str:
    """A query about some nodes, terms as N-Triples writes them."""
    return query.format(layers=FROM_LAYERS, nodes=" ".join(nodes), **values)


def read_triples(store: Store, query: str, nodes: Sequence[str], **values: object) -> str:
    """Return the triples of a CONSTRUCT about some nodes, as N-Triples.

    Raises:
        CatalogueError: the store cannot be asked.
    """
    return construct_ntriples(store, fill_query(query, nodes, **values))


def read_pointing(
    store: Store, nodes: Sequence[str], links: str, most: int
) -> tuple[str, tuple[str, ...]]:
    """What points at some nodes by links, as N-Triples; and the nodes at which too much does.

    Args:
        store: the store.
        nodes: the nodes.
        links: the links, with commas between them.
        most: how much may point at one.
    """
    text = read_triples(store, _INTO_QUERY, nodes, links=links, limit=most + 1)
    if text.count("\n") <= most:
        return text, ()
    if len(nodes) == 1:
        return "", tuple(nodes)
    half = len(nodes) // 2
    one, other = (read_pointing(store, each, links, most) for each in (nodes[:half], nodes[half:]))
    return one[0] + other[0], one[1] + other[1]


def construct_ntriples(store: Store, text: str) -> str:
    """The triples of a CONSTRUCT as N-Triples."""
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QueryTriples):
        return ""
    written = answer.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES)
    return "" if written is None else written.decode()


#: How many links may lead to a node that is looked at.
MOST_LINKS: Final = 20_000
#: The subject, the link and the value of a line.
EDGE_LINE: Final = re.compile(r"^([^ \n]+) <([^>]*)> (.*) \.$", re.MULTILINE)

_READ_LINKS: Final = INVERSE_LINKS | FOLLOWED_LINKS | CLASSED_LINKS | {RDF_TYPE, LICENSE}
_READ_LINE: Final = re.compile(
    rf"^([^ \n]+) <({'|'.join(map(re.escape, sorted(_READ_LINKS)))})> (.*) \.$", re.MULTILINE
)
_NO_IRI: Final = re.compile('[\x00-\x20<>"{}|^`\\\\]')
_ROUNDS: Final = 256
_FARTHEST: Final = 20_000
_BACKWARDS: Final = ", ".join(f"<{link}>" for link in sorted(INVERSE_LINKS))
_TYPE_LINK: Final = f" <{RDF_TYPE}> "


class ExcerptReader:
    """What was read so far of a store, and the links in it.

    Attributes:
        out: by link and node, what the node points at.
        into: by link and node, what points at the node.
        is_cut: whether links lead farther than they were followed.
        crowded: the nodes that too many links lead to.
    """

    def __init__(self, store: Store, common: str, held: KnownNodes) -> None:
        self._store, self._held = store, held
        self._texts: list[str] = []
        self._read: set[str] = set()
        self._pointed: set[str] = set()
        self.out: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.into: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.is_cut = False
        self.crowded: set[str] = set()
        if common:
            self.keep(common)

    @property
    def text(self) -> str:
        """All that was read, each triple once."""
        lines = (line for text in self._texts for line in text.split("\n") if line)
        return "".join(f"{line}\n" for line in dict.fromkeys(lines))

    def take(self, nodes: Collection[str]) -> None:
        """Read all that is stated of some nodes, but for those read before."""
        wanted = sorted(node for node in nodes if _is_named(node) and node not in self._read)
        self._read.update(wanted)
        held, absent = _split_known(wanted, self._held.on)
        self.keep("".join(self._held.on[node] for node in held))
        for some in split_batches(absent):
            text = self._asked(OUT_QUERY, some)
            blank = _find_blank_holders(text)
            if blank:
                lines = (line for line in text.split("\n") if line.partition(" ")[0] not in blank)
                text = "\n".join(lines) + construct_ntriples(
                    self._store, fill_query(BLANK_QUERY, sorted(blank))
                )
            self.keep(text)

    def point(self, nodes: Collection[str]) -> set[str]:
        """Read what points at some nodes by the links that count backwards.

        What one of them says of another one is left out, since all that they say is to be taken.

        Returns:
            The nodes of which nothing was read, since too many links lead to each.
        """
        wanted = sorted(node for node in nodes if not node.startswith("_:"))
        held, absent = _split_known(wanted, self._held.to)
        crowded = {node for node in held if _is_crowded(self._held.to[node])}
        for some in split_batches(absent):
            text, many = read_pointing(self._store, some, _BACKWARDS, MOST_LINKS)
            self.keep(text)
            crowded.update(many)
        taken = set(wanted) - crowded
        lines = (line for node in held if node in taken for line in self._held.to[node])
        self._keep_lines(line for line in lines if line.partition(" ")[0] not in taken)
        self._pointed |= taken
        self.crowded |= crowded
        self.is_cut = self.is_cut or bool(crowded)
        return crowded

    def undescribed(self, foci: Collection[str]) -> set[str]:
        """What these point at by links whose objects are looked at, though nothing is said of it.

        It stands nowhere as a subject, so that no chunk has it for itself.
        """
        pointed = self._over(foci, INVERSE_LINKS)
        found = {node for node in pointed if node.startswith('"')}
        named = sorted(node for node in pointed - self._read if _is_named(node))
        _, unknown = _split_known(named, self._held.to)
        for some in split_batches(unknown):
            rows = select_rows(self._store, fill_query(ANY_QUERY, some))
            found |= set(some) - {str(row["s"]) for row in rows}
        return found

    def surround(self, foci: Collection[str]) -> None:
        """Read what lies behind the links of some nodes."""
        near = self._over(foci, FOLLOWED_LINKS) | self._back(foci, {SAME})
        self.take(near)
        same = self._over(foci, {SAME}) | self._back(foci, {SAME})
        self.take(self._over(same, {REALIZATION}))
        self._back_to(self._over(foci, {NEXT}), VERSION)
        self._back_to(self._over(foci, {CURRENT}), SAME)
        self.take(self._back(self._over(foci, {CURRENT}), {SAME}))
        self._follow(self._over(foci, {NEXT}), {NEXT})
        unlicensed = {s for s in foci if s in self.out[ITEM] and s not in self.out[LICENSE]}
        self._follow(unlicensed, UPWARD_LINKS, back=SAME)
        self._classes(self._over(foci, CLASSED_LINKS | INVERSE_LINKS))

    def _follow(self, start: Collection[str], links: Collection[str], back: str = "") -> None:
        """Read what can be reached from some nodes by links, and by ``back`` backwards."""
        reached = frontier = set(start)
        for _ in range(_ROUNDS):
            if not frontier or len(reached) > _FARTHEST + len(start):
                break
            self.take(frontier)
            ahead = self._over(frontier, links)
            if back:
                # Of what was read as a neighbour it is not known yet what points at it.
                self._back_to(frontier - self._pointed, back)
                ahead |= self._back(reached, {back})
            frontier = {node for node in ahead if _is_named(node)} - reached
            reached = reached | frontier
        self.is_cut = self.is_cut or bool(frontier)

    def _classes(self, nodes: Collection[str]) -> None:
        wanted = sorted(node for node in nodes if _is_named(node) and node not in self._read)
        held, absent = _split_known(wanted, self._held.on)
        for node in held:
            lines = self._held.on[node].split("\n")
            self._keep_lines(line for line in lines if line.startswith(f"{node}{_TYPE_LINK}"))
        for some in split_batches(absent):
            self.keep(self._asked(TYPES_QUERY, some))

    def _over(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """What some nodes point at by links."""
        return _find_ends((self.out[link] for link in links), nodes)

    def _back(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """What points at some nodes by links, of what was read."""
        return _find_ends((self.into[link] for link in links), nodes)

    def _back_to(self, nodes: Iterable[str], link: str) -> None:
        """Read what points at some nodes by one link."""
        wanted = sorted(node for node in nodes if _is_named(node))
        held, absent = _split_known(wanted, self._held.to)
        for node in held:
            end = f" <{link}> {node} ."
            self._keep_lines(line for line in self._held.to[node] if line.endswith(end))
        for some in split_batches(absent):
            text, many = read_pointing(self._store, some, f"<{link}>", _FARTHEST)
            self.is_cut = self.is_cut or bool(many)
            self.keep(text)

    def _asked(self, query: str, nodes: Sequence[str]) -> str:
        return read_triples(self._store, query, nodes)

    def _keep_lines(self, lines: Iterable[str]) -> None:
        self.keep("".join(f"{line}\n" for line in lines))

    def keep(self, text: str) -> None:
        """Take triples over, and note the links among them."""
        if not text:
            return
        self._texts.append(text)
        for subject, link, value in _READ_LINE.findall(text):
            self.out[link].setdefault(subject, []).append(value)
            if link in INVERSE_LINKS:
                self.into[link].setdefault(value, []).append(subject)


def is_iri(text: str) -> bool:
    """Whether a text may stand in a query as an IRI."""
    return _NO_IRI.search(text) is None


def _is_named(term: str) -> bool:
    return term.startswith("<") and is_iri(term[1:-1])


def _find_ends(links: Iterable[Mapping[str, Sequence[str]]], nodes: Collection[str]) -> set[str]:
    """What links lead to from some nodes."""
    starts = set(nodes)
    return {end for link in links for start in link.keys() & starts for end in link[start]}


def _split_known(nodes: Iterable[str], held: Collection[str]) -> tuple[list[str], list[str]]:
    """The nodes of which is held what is asked, and the others."""
    parts: tuple[list[str], list[str]] = ([], [])
    for node in nodes:
        parts[node not in held].append(node)
    return parts


def _is_crowded(lines: Collection[str]) -> bool:
    """Whether too many links lead to a node; of layers that say the same one counts."""
    return len(lines) > MOST_LINKS and len(set(lines)) > MOST_LINKS


def _find_blank_holders(text: str) -> set[str]:
    """The named subjects of which a blank node is a value."""
    if " _:" not in text:
        return set()
    found = EDGE_LINE.findall(text)
    return {subject for subject, _, value in found if value.startswith("_:")}


_MOST_UNNAMED: Final = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Part of a graph, and the nodes of it that are to be checked.

    Attributes:
        ntriples: the triples.
        foci: the nodes, terms as N-Triples writes them; empty where it is about blank nodes.
        typed: how many of them are of a class of lexurn.
        untyped: how many LEX names among them are of none.
        is_cut: whether links lead farther than anybody follows them, or too many to a node.
        is_blank: whether blank nodes may be among the values.
        crowded: the nodes that too many links lead to: they were left out.
    """

    ntriples: str
    foci: frozenset[str]
    typed: int
    untyped: int
    is_cut: bool
    is_blank: bool
    crowded: frozenset[str] = frozenset()


def read_excerpts(store: Store, portion: Portion, common: str, most: int) -> Iterator[Excerpt]:
    """The nodes of a portion, in chunks of about ``most``, each as `read_excerpt` has it.

    Raises:
        CatalogueError: the store or the portion cannot be read.
    """
    held = NOTHING_KNOWN if portion.is_large else read_portion(portion)
    for nodes in split_portion(portion, most):
        yield read_excerpt(store, nodes, common, held)


def read_excerpt(
    store: Store, nodes: Iterable[str], common: str = "", held: KnownNodes = NOTHING_KNOWN
) -> Excerpt:
    """Some nodes of a store, with all that the shapes look at beside them.

    Args:
        store: the store.
        nodes: plain IRIs; what is none, and so cannot be asked for, is left out.
        common: triples that belong to every part, as N-Triples.
        held: what was read of the store before; only what lies outside of it is asked for.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = ExcerptReader(store, common, held)
    foci = {f"<{node}>" for node in nodes if is_iri(node)}
    # With a part of what points at a node its shapes would find faults that it has not.
    foci -= reader.point(foci)
    reader.take(foci)
    others = reader.undescribed(foci)
    foci |= others - reader.point(others)
    reader.surround(foci)
    typed = {
        node for node in foci if not NAME_CLASSES.isdisjoint(reader.out[RDF_TYPE].get(node, ()))
    }
    names = {node for node in foci if node.startswith("<urn:lex:")}
    ntriples = reader.text
    return Excerpt(
        ntriples=ntriples,
        foci=frozenset(foci),
        typed=len(typed),
        untyped=len(names - typed),
        is_cut=reader.is_cut,
        is_blank=" _:" in ntriples,
        crowded=frozenset(reader.crowded),
    )


def read_unnamed_excerpt(store: Store, common: str = "") -> Excerpt:
    """The blank nodes of a store, all at once, since nobody can ask for one of them by name.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = ExcerptReader(store, common, NOTHING_KNOWN)
    text = construct_ntriples(store, UNNAMED_QUERY.format(layers=FROM_LAYERS, limit=_MOST_UNNAMED))
    reader.keep(text)
    foci = {node for edge in EDGE_LINE.findall(text) for node in edge if node.startswith("_:")}
    reader.surround(foci)
    typed = [
        node for node in foci if not NAME_CLASSES.isdisjoint(reader.out[RDF_TYPE].get(node, ()))
    ]
    return Excerpt(
        ntriples=reader.text,
        foci=frozenset(),
        typed=len(typed),
        untyped=0,
        is_cut=reader.is_cut or text.count("\n") >= _MOST_UNNAMED,
        is_blank=True,
    )
