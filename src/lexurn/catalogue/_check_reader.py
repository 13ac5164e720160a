"""What is read of a store, as far as it is not held already, and the links in it."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_asked import (
    ANY,
    BLANK,
    OUT,
    TYPES,
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
    LICENSE,
    NEXT,
    RDF_TYPE,
    REALIZATION,
    SAME,
    UPWARD,
    VERSION,
)
from lexurn.catalogue._solutions import selected

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lexurn.catalogue._check_held import Held
    from lexurn.catalogue._protocols import Store

__all__ = ["EDGE", "MOST_LINKS", "Reader", "is_iri"]

#: How many links may lead to a node that is looked at.
MOST_LINKS: Final = 20_000
#: The subject, the link and the value of a line.
EDGE: Final = re.compile(r"^([^ \n]+) <([^>]*)> (.*) \.$", re.MULTILINE)

_LOOKED_AT: Final = INVERSE | BEHIND | CLASSED | {RDF_TYPE, LICENSE}
_FOLLOWED: Final = re.compile(
    rf"^([^ \n]+) <({'|'.join(map(re.escape, sorted(_LOOKED_AT)))})> (.*) \.$", re.MULTILINE
)
_NO_IRI: Final = re.compile('[\x00-\x20<>"{}|^`\\\\]')
_ROUNDS: Final = 256
_FARTHEST: Final = 20_000
_BACKWARDS: Final = ", ".join(f"<{link}>" for link in sorted(INVERSE))
_TYPED: Final = f" <{RDF_TYPE}> "


class Reader:
    """What was read so far of a store, and the links in it.

    Attributes:
        out: by link and node, what the node points at.
        into: by link and node, what points at the node.
        is_cut: whether links lead farther than they were followed.
        crowded: the nodes that too many links lead to.
    """

    def __init__(self, store: Store, common: str, held: Held) -> None:
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
        held, absent = _parted(wanted, self._held.on)
        self.keep("".join(self._held.on[node] for node in held))
        for some in batches(absent):
            text = self._asked(OUT, some)
            blank = _with_blank(text)
            if blank:
                lines = (line for line in text.split("\n") if line.partition(" ")[0] not in blank)
                text = "\n".join(lines) + constructed(self._store, filled(BLANK, sorted(blank)))
            self.keep(text)

    def point(self, nodes: Collection[str]) -> set[str]:
        """Read what points at some nodes by the links that count backwards.

        What one of them says of another one is left out, since all that they say is to be taken.

        Returns:
            The nodes of which nothing was read, since too many links lead to each.
        """
        wanted = sorted(node for node in nodes if not node.startswith("_:"))
        held, absent = _parted(wanted, self._held.to)
        crowded = {node for node in held if _is_crowded(self._held.to[node])}
        for some in batches(absent):
            text, many = pointing(self._store, some, _BACKWARDS, MOST_LINKS)
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
        pointed = self._over(foci, INVERSE)
        found = {node for node in pointed if node.startswith('"')}
        named = sorted(node for node in pointed - self._read if _is_named(node))
        _, unknown = _parted(named, self._held.to)
        for some in batches(unknown):
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
        held, absent = _parted(wanted, self._held.on)
        for node in held:
            lines = self._held.on[node].split("\n")
            self._keep_lines(line for line in lines if line.startswith(f"{node}{_TYPED}"))
        for some in batches(absent):
            self.keep(self._asked(TYPES, some))

    def _over(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """What some nodes point at by links."""
        return _ends((self.out[link] for link in links), nodes)

    def _back(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """What points at some nodes by links, of what was read."""
        return _ends((self.into[link] for link in links), nodes)

    def _back_to(self, nodes: Iterable[str], link: str) -> None:
        """Read what points at some nodes by one link."""
        wanted = sorted(node for node in nodes if _is_named(node))
        held, absent = _parted(wanted, self._held.to)
        for node in held:
            end = f" <{link}> {node} ."
            self._keep_lines(line for line in self._held.to[node] if line.endswith(end))
        for some in batches(absent):
            text, many = pointing(self._store, some, f"<{link}>", _FARTHEST)
            self.is_cut = self.is_cut or bool(many)
            self.keep(text)

    def _asked(self, query: str, nodes: Sequence[str]) -> str:
        return asked(self._store, query, nodes)

    def _keep_lines(self, lines: Iterable[str]) -> None:
        self.keep("".join(f"{line}\n" for line in lines))

    def keep(self, text: str) -> None:
        """Take triples over, and note the links among them."""
        if not text:
            return
        self._texts.append(text)
        for subject, link, value in _FOLLOWED.findall(text):
            self.out[link].setdefault(subject, []).append(value)
            if link in INVERSE:
                self.into[link].setdefault(value, []).append(subject)


def is_iri(text: str) -> bool:
    """Whether a text may stand in a query as an IRI."""
    return _NO_IRI.search(text) is None


def _is_named(term: str) -> bool:
    return term.startswith("<") and is_iri(term[1:-1])


def _ends(links: Iterable[Mapping[str, Sequence[str]]], nodes: Collection[str]) -> set[str]:
    """What links lead to from some nodes."""
    starts = set(nodes)
    return {end for link in links for start in link.keys() & starts for end in link[start]}


def _parted(nodes: Iterable[str], held: Collection[str]) -> tuple[list[str], list[str]]:
    """The nodes of which is held what is asked, and the others."""
    parts: tuple[list[str], list[str]] = ([], [])
    for node in nodes:
        parts[node not in held].append(node)
    return parts


def _is_crowded(lines: Collection[str]) -> bool:
    """Whether too many links lead to a node; of layers that say the same one counts."""
    return len(lines) > MOST_LINKS and len(set(lines)) > MOST_LINKS


def _with_blank(text: str) -> set[str]:
    """The named subjects of which a blank node is a value."""
    if " _:" not in text:
        return set()
    found = EDGE.findall(text)
    return {subject for subject, _, value in found if value.startswith("_:")}
