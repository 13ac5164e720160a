"""What the shapes look at when they look at some nodes, read from a store.

A shape sees the values of a node, what points at it, and what lies a step or two behind certain
links. With all of that beside it, a chunk has the findings of the whole graph.
"""

from __future__ import annotations

import re
from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_asked import (
    ANY,
    BLANK,
    OUT,
    TYPES,
    UNNAMED,
    asked,
    batches,
    constructed,
    filled,
    pointing,
)
from lexurn.catalogue._check_links import (
    BEHIND,
    CLASSED,
    CURRENT,
    INVERSE,
    ITEM,
    KINDS,
    LICENSE,
    NEXT,
    RDF_TYPE,
    REALIZATION,
    SAME,
    UPWARD,
    VERSION,
)
from lexurn.catalogue._check_nodes import LAYERS
from lexurn.catalogue._solutions import selected

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Sequence

    from lexurn.catalogue._protocols import Store

__all__ = ["MOST_LINKS", "Excerpt", "excerpt_of", "unnamed_excerpt"]

#: How many links may lead to a node that is looked at.
MOST_LINKS: Final = 20_000

_LOOKED_AT: Final = INVERSE | BEHIND | CLASSED | {RDF_TYPE, LICENSE}
_EDGE: Final = re.compile(r"^(\S+) <([^>]*)> (.*) \.$", re.MULTILINE)
_NO_IRI: Final = re.compile('[\x00-\x20<>"{}|^`\\\\]')
_ROUNDS: Final = 256
_FARTHEST: Final = 20_000
_BACKWARDS: Final = ", ".join(f"<{link}>" for link in sorted(INVERSE))
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


def excerpt_of(store: Store, nodes: Iterable[str], common: str = "") -> Excerpt:
    """Some nodes of a store, with all that the shapes look at beside them.

    Args:
        store: the store.
        nodes: plain IRIs; what is none, and so cannot be asked for, is left out.
        common: triples that belong to every part, as N-Triples.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = _Reader(store, common)
    foci = {f"<{node}>" for node in nodes if _NO_IRI.search(node) is None}
    # With a part of what points at a node its shapes would find faults that it has not.
    foci -= reader.point(foci)
    reader.take(foci)
    others = reader.undescribed(foci)
    foci |= others - reader.point(others)
    reader.surround(foci)
    typed = {node for node in foci if not KINDS.isdisjoint(reader.out[RDF_TYPE].get(node, ()))}
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


def unnamed_excerpt(store: Store, common: str = "") -> Excerpt:
    """The blank nodes of a store, all at once, since nobody can ask for one of them by name.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = _Reader(store, common)
    text = constructed(store, UNNAMED.format(layers=LAYERS, limit=_MOST_UNNAMED))
    reader.keep(text)
    foci = {node for edge in _EDGE.findall(text) for node in edge if node.startswith("_:")}
    reader.surround(foci)
    typed = [node for node in foci if not KINDS.isdisjoint(reader.out[RDF_TYPE].get(node, ()))]
    return Excerpt(
        ntriples=reader.text,
        foci=frozenset(),
        typed=len(typed),
        untyped=0,
        is_cut=reader.is_cut or text.count("\n") >= _MOST_UNNAMED,
        is_blank=True,
    )


class _Reader:
    """What was read so far of a store, and the links in it.

    Attributes:
        out: by link and node, what the node points at.
        into: by link and node, what points at the node.
        is_cut: whether links lead farther than they were followed.
        crowded: the nodes that too many links lead to.
    """

    def __init__(self, store: Store, common: str) -> None:
        self._store = store
        self._texts: list[str] = []
        self._read: set[str] = set()
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
        for some in batches(wanted):
            text = self._asked(OUT, some)
            blank = _with_blank(text)
            if blank:
                lines = (line for line in text.split("\n") if line.partition(" ")[0] not in blank)
                text = "\n".join(lines) + constructed(self._store, filled(BLANK, sorted(blank)))
            self.keep(text)

    def point(self, nodes: Collection[str]) -> set[str]:
        """Read what points at some nodes by the links that count backwards.

        Returns:
            The nodes of which nothing was read, since too many links lead to each.
        """
        wanted = sorted(node for node in nodes if not node.startswith("_:"))
        crowded: set[str] = set()
        for some in batches(wanted):
            text, many = pointing(self._store, some, _BACKWARDS, MOST_LINKS)
            self.keep(text)
            crowded.update(many)
        self.crowded |= crowded
        self.is_cut = self.is_cut or bool(crowded)
        return crowded

    def undescribed(self, foci: Collection[str]) -> set[str]:
        """What these point at by links whose objects are looked at, though nothing is said of it.

        It stands nowhere as a subject, so that no chunk has it for itself.
        """
        pointed = {o for link in INVERSE for s in foci for o in self.out[link].get(s, ())}
        found = {node for node in pointed if node.startswith('"')}
        named = sorted(node for node in pointed - self._read if _is_named(node))
        for some in batches(named):
            rows = selected(self._store, filled(ANY, some))
            found |= set(some) - {str(row["s"]) for row in rows}
        return found

    def surround(self, foci: Collection[str]) -> None:
        """Read what lies behind the links of some nodes."""
        near = self._over(foci, BEHIND) | self._back(foci, {SAME})
        self.take(near)
        same = self._over(foci, {SAME}) | self._back(foci, {SAME})
        self.take(self._over(same, {REALIZATION}))
        self._back_to(self._over(foci, {NEXT}), VERSION)
        self._back_to(self._over(foci, {CURRENT}), SAME)
        self.take(self._back(self._over(foci, {CURRENT}), {SAME}))
        self._follow(self._over(foci, {NEXT}), {NEXT})
        unlicensed = {s for s in foci if s in self.out[ITEM] and s not in self.out[LICENSE]}
        self._follow(unlicensed, UPWARD, back=SAME)
        self._classes(self._over(foci, CLASSED | INVERSE))

    def _follow(self, start: Collection[str], links: Collection[str], back: str = "") -> None:
        """Read what can be reached from some nodes by links, and by ``back`` backwards."""
        reached = frontier = set(start)
        for _ in range(_ROUNDS):
            if not frontier or len(reached) > _FARTHEST + len(start):
                break
            new = frontier - self._read
            self.take(new)
            frontier = self._over(frontier, links)
            if back:
                self._back_to(new, back)
                frontier |= self._back(reached, {back})
            frontier = {node for node in frontier if _is_named(node)} - reached
            reached = reached | frontier
        self.is_cut = self.is_cut or bool(frontier)

    def _classes(self, nodes: Collection[str]) -> None:
        wanted = sorted(node for node in nodes if _is_named(node) and node not in self._read)
        for some in batches(wanted):
            self.keep(self._asked(TYPES, some))

    def _over(self, nodes: Iterable[str], links: Collection[str]) -> set[str]:
        """What some nodes point at by links."""
        ends = [self.out[link] for link in links]
        return {o for s in nodes for end in ends for o in end.get(s, ())}

    def _back(self, nodes: Iterable[str], links: Collection[str]) -> set[str]:
        """What points at some nodes by links, of what was read."""
        ends = [self.into[link] for link in links]
        return {s for o in nodes for end in ends for s in end.get(o, ())}

    def _back_to(self, nodes: Iterable[str], link: str) -> None:
        """Read what points at some nodes by one link."""
        for some in batches(sorted(node for node in nodes if _is_named(node))):
            text, many = pointing(self._store, some, f"<{link}>", _FARTHEST)
            self.is_cut = self.is_cut or bool(many)
            self.keep(text)

    def _asked(self, query: str, nodes: Sequence[str]) -> str:
        return asked(self._store, query, nodes)

    def keep(self, text: str) -> None:
        """Take triples over, and note the links among them."""
        if not text:
            return
        self._texts.append(text)
        for subject, link, value in _EDGE.findall(text):
            if link in _LOOKED_AT:
                self.out[link].setdefault(subject, []).append(value)
                if link in INVERSE:
                    self.into[link].setdefault(value, []).append(subject)


def _is_named(term: str) -> bool:
    return term.startswith("<") and _NO_IRI.search(term[1:-1]) is None


def _with_blank(text: str) -> set[str]:
    """The named subjects of which a blank node is a value."""
    if " _:" not in text:
        return set()
    found = _EDGE.findall(text)
    return {subject for subject, _, value in found if value.startswith("_:")}
