"""Changes as SPARQL updates, and as pieces for a graph store."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._remote_texts import CHECKSUM
from lexurn.errors import CatalogueError
from lexurn.graph import Layer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping

_Lines = tuple[list[str], list[str]]

__all__ = ["pieces_by_graph", "updates_of"]

_PIECE: Final = 1 << 23
_NAME: Final = "<urn:lex:"
_EXEMPLAR: Final = "<http://purl.org/vocab/frbr/core#exemplar>"
_END: Final = " .\n"
_DECODED: Final = f"<{Layer.DECODED.iri}>"


def updates_of(removed: Collection[str], added: Collection[str], *, most: int) -> Iterator[str]:
    """Updates that take out and put in N-Quads lines.

    One update where it names ``most`` lines at the most; else several, each with all lines of its
    nodes: where it breaks off between two, each node states what it did or what it will, never
    both. Each may be done twice with no harm.

    Args:
        removed: lines that go, unless they are in ``added`` too.
        added: lines that come.
        most: how many lines one update may name; one of a single node may name more, so may one
            of copies with their digests.

    Raises:
        CatalogueError: a line has a blank node, which no update can name.
    """
    kept = frozenset(added)
    nodes: dict[str, _Lines] = {}
    for place, lines in enumerate((sorted(set(removed) - kept), sorted(kept))):
        for line in lines:
            nodes.setdefault(line.partition(" ")[0], ([], []))[place].append(line)
    gone: list[str] = []
    come: list[str] = []
    for unit in _units(nodes):
        going = [line for node in unit for line in nodes[node][0]]
        coming = [line for node in unit for line in nodes[node][1]]
        if (gone or come) and len(gone) + len(come) + len(going) + len(coming) > most:
            yield _update(gone, come)
            gone, come = [], []
        gone += going
        come += coming
    if gone or come:
        yield _update(gone, come)


def _units(nodes: Mapping[str, _Lines]) -> list[list[str]]:
    """Nodes that change together, in the order in which they do.

    A copy cannot be read without its digest, and a digest not be found without a copy.
    """
    first: dict[str, str] = {}
    for node in sorted(nodes, key=_place):
        for line in chain(*nodes[node]):
            subject, predicate, value = line.split(" ", 3)[:3]
            if predicate == CHECKSUM:
                one, other = sorted((_first(first, subject), _first(first, value)), key=_place)
                if one != other:
                    first[other] = one
    units: dict[str, list[str]] = {}
    for node in sorted(nodes, key=lambda each: (_turn(each, nodes[each]), _place(each))):
        units.setdefault(_first(first, node), []).append(node)
    return list(units.values())


def _turn(node: str, lines: _Lines) -> int:
    """Names that only learn whether a copy is theirs alone come before those they learn it from.

    Those who share a copy are found by what comes in, as long as that is another than what is held.
    """
    if not node.startswith(_NAME):
        return 0
    return 2 - all(line.split(" ", 2)[1] == _EXEMPLAR for line in chain(*lines))


def _place(node: str) -> tuple[bool, str]:
    """Copies come before the names that lead to them, names after what stands above them.

    So a copy that a name has no more is forgotten before the name does not lead to it any more.
    """
    return node.startswith(_NAME), node.rstrip(">")


def _first(first: dict[str, str], node: str) -> str:
    """The first node that changes together with one; paths are halved on the way."""
    while (before := first.get(node)) is not None:
        first[node] = first.get(before, before)
        node = before
    return node


def _update(gone: Iterable[str], come: Iterable[str]) -> str:
    return " ;\n".join((*_data("DELETE DATA", gone), *_data("INSERT DATA", come)))


def _data(verb: str, lines: Iterable[str]) -> Iterator[str]:
    """Operations of an update; N-Quads terms are SPARQL's too.

    One operation a graph: where one names several, Virtuoso leaves some literals behind.
    """
    graphs: dict[str, list[str]] = {}
    for line in lines:
        triple, graph = _split(line)
        graphs.setdefault(graph, []).append(triple)
    for graph, triples in sorted(graphs.items()):
        yield f"{verb} {{ GRAPH {graph} {{\n{''.join(triples)}}} }}"


def pieces_by_graph(nquads: bytes) -> Iterator[tuple[str, bytes]]:
    """N-Quads as N-Triples, each piece with the IRI of its graph.

    What is decoded comes first: names whose pieces are in, but not all, are known to be held.

    Raises:
        CatalogueError: a line has a blank node: twice the same would be two nodes.
    """
    graphs: dict[str, list[str]] = {}
    size = 0
    for line in nquads.decode().split("\n"):
        if not line:
            continue
        triple, graph = _split(f"{line}\n")
        graphs.setdefault(graph, []).append(triple)
        size += len(triple)
        if size > _PIECE:
            yield from _pieces(graphs)
            graphs, size = {}, 0
    yield from _pieces(graphs)


def _pieces(graphs: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, bytes]]:
    for graph in sorted(graphs, key=lambda each: each != _DECODED):
        yield graph[1:-1], "".join(graphs[graph]).encode()


def _split(line: str) -> tuple[str, str]:
    """The triple of a line as a line of its own, and the term of its graph.

    Raises:
        CatalogueError: it has a blank node, or is no line of N-Quads in a named graph.
    """
    triple, _, graph = line.removesuffix(_END).rpartition(" ")
    if not (graph.startswith("<") and graph.endswith(">") and triple.startswith("<")):
        raise CatalogueError(f"no quad in a named graph without blank nodes: {line.strip()}")
    value = triple.split(" ", 2)[-1]
    if value.startswith("_:"):
        raise CatalogueError(f"a blank node cannot be put on a server: {line.strip()}")
    return f"{triple}{_END}", graph
