"""What the shapes look at when they look at some nodes, read from a store.

A shape sees the values of a node, what points at it, and what lies a step or two behind certain
links. With all of that beside it, a chunk has the findings of the whole graph.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._check_asked import UNNAMED, constructed
from lexurn.catalogue._check_held import NOTHING_HELD, Held, chunks_of, held_of
from lexurn.catalogue._check_links import KINDS, RDF_TYPE
from lexurn.catalogue._check_nodes import LAYERS
from lexurn.catalogue._check_reader import EDGE, Reader, is_iri

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._check_held import Portion
    from lexurn.catalogue._protocols import Store

__all__ = ["Excerpt", "excerpt_of", "excerpts_of", "unnamed_excerpt"]

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


def excerpts_of(store: Store, portion: Portion, common: str, most: int) -> Iterator[Excerpt]:
    """The nodes of a portion, in chunks of about ``most``, each as `excerpt_of` has it.

    Raises:
        CatalogueError: the store or the portion cannot be read.
    """
    held = NOTHING_HELD if portion.is_large else held_of(portion)
    for nodes in chunks_of(portion, most):
        yield excerpt_of(store, nodes, common, held)


def excerpt_of(
    store: Store, nodes: Iterable[str], common: str = "", held: Held = NOTHING_HELD
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
    reader = Reader(store, common, held)
    foci = {f"<{node}>" for node in nodes if is_iri(node)}
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
    reader = Reader(store, common, NOTHING_HELD)
    text = constructed(store, UNNAMED.format(layers=LAYERS, limit=_MOST_UNNAMED))
    reader.keep(text)
    foci = {node for edge in EDGE.findall(text) for node in edge if node.startswith("_:")}
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
