"""Changes as SPARQL updates, and as pieces for a graph store."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Final

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

__all__ = ["pieces_by_graph", "updates_of"]

_PIECE: Final = 1 << 23
_END: Final = " .\n"


def updates_of(removed: Collection[str], added: Collection[str], *, most: int) -> Iterator[str]:
    """Updates that take out and put in N-Quads lines.

    One update where it names ``most`` lines at the most; else several, what is put in first. Each
    may be done twice with no harm.

    Args:
        removed: lines that go, unless they are in ``added`` too.
        added: lines that come.
        most: how many lines one update may name.

    Raises:
        CatalogueError: a line has a blank node, which no update can name.
    """
    kept = frozenset(added)
    gone = [line for line in removed if line not in kept]
    if not gone and not kept:
        return
    if len(gone) + len(kept) <= most:
        yield " ;\n".join((*_data("DELETE DATA", gone), *_data("INSERT DATA", sorted(kept))))
        return
    for verb, lines in (("INSERT DATA", sorted(kept)), ("DELETE DATA", gone)):
        rest = iter(lines)
        while some := list(islice(rest, most)):
            yield " ;\n".join(_data(verb, some))


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

    Raises:
        CatalogueError: a line has a blank node: twice the same would be two nodes.
    """
    graphs: dict[str, list[str]] = {}
    sizes: dict[str, int] = {}
    for line in nquads.decode().split("\n"):
        if not line:
            continue
        triple, graph = _split(f"{line}\n")
        graphs.setdefault(graph, []).append(triple)
        sizes[graph] = sizes.get(graph, 0) + len(triple)
        if sizes[graph] > _PIECE:
            del sizes[graph]
            yield graph[1:-1], "".join(graphs.pop(graph)).encode()
    for graph, triples in graphs.items():
        yield graph[1:-1], "".join(triples).encode()


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
