"""rdflib graphs: what users of Python know. The bulk path never goes through them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import rdflib
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from lexurn.errors import GraphError
from lexurn.graph import _vocabulary as v
from lexurn.graph._family import statements_of
from lexurn.graph._formats import Format
from lexurn.graph._statements import Layer, Statements
from lexurn.graph._terms import Triple, is_blank, is_iri, literal, parts_of, quoted, typed
from lexurn.graph._writing import write_graphs
from lexurn.model import families_of, today

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from rdflib.term import Node

    from lexurn.model import Record

__all__ = ["dataset_of", "graph_of", "rdflib_graph", "serialize", "triples_of"]

_ABSOLUTE = re.compile('[A-Za-z][A-Za-z0-9+.-]*:[^\x00-\x20<>"{}|^`\\\\\ud800-\udfff]*')


def graph_of(
    records: Iterable[Record], *, as_of: dt.date | None = None, base: str | None = None
) -> rdflib.Graph:
    """The graph of records, all layers merged.

    Args:
        records: what is stated, in any order.
        as_of: the day for which the version in force is asked; today by default.
        base: where the HTTP-URI equivalents lie; none are written without it.

    Raises:
        ModelError: records that contradict each other.
        GraphError: a value that no graph can hold.
    """
    return rdflib_graph(_statements_of(records, as_of, base).merged)


def dataset_of(
    records: Iterable[Record], *, as_of: dt.date | None = None, base: str | None = None
) -> rdflib.Dataset:
    """The three layers of records as named graphs; arguments and errors as of `graph_of`."""
    statements = _statements_of(records, as_of, base)
    dataset = rdflib.Dataset()
    for layer in Layer:
        _fill(dataset.graph(rdflib.URIRef(layer.iri)), statements.layer(layer))
    return dataset


def _statements_of(
    records: Iterable[Record], as_of: dt.date | None, base: str | None
) -> Statements:
    day = today() if as_of is None else as_of
    families = families_of(records)
    return Statements.union(statements_of(family, as_of=day, base=base) for family in families)


def rdflib_graph(triples: Iterable[Triple]) -> rdflib.Graph:
    """Triples as an rdflib graph, literals kept letter by letter."""
    graph = rdflib.Graph()
    _fill(graph, triples)
    return graph


def _fill(graph: rdflib.Graph, triples: Iterable[Triple]) -> None:
    for prefix, namespace in v.PREFIXES.items():
        graph.bind(prefix, namespace, replace=True)
    for subject, predicate, value in triples:
        graph.add((_node(subject), _node(predicate), _node(value)))


@lru_cache(maxsize=16384)
def _node(term: str) -> Node:
    if is_iri(term):
        return rdflib.URIRef(term[1:-1])
    if is_blank(term):
        return rdflib.BNode(term[2:])
    value, language, datatype = parts_of(term)
    kind = None if datatype is None else rdflib.URIRef(datatype)
    return rdflib.Literal(value, lang=language, datatype=kind, normalize=False)


def triples_of(graph: rdflib.Graph) -> tuple[Triple, ...]:
    """The triples of an rdflib graph (all graphs of a dataset merged), sorted.

    Raises:
        GraphError: a node that is no RDF, for example a relative IRI.
    """
    return tuple(sorted({triple for _, triple in _quads(graph)}))


def serialize(graph: rdflib.Graph, format: str | Format = Format.TURTLE) -> str:
    """Any rdflib graph or dataset in a format; equal graphs give equal texts.

    Raises:
        GraphError: an unknown format, or a node that is no RDF.
    """
    wanted = Format.from_name(format) if isinstance(format, str) else format
    quads = sorted(_quads(graph))
    graphs = {key: [each for _, each in group] for key, group in groupby(quads, itemgetter(0))}
    return write_graphs(graphs, wanted).decode()


def _quads(graph: rdflib.Graph) -> set[tuple[str, Triple]]:
    quads = getattr(graph, "quads", None)
    if quads is not None:
        return {
            (_graph_term(name), (_term(s), _term(p), _term(o)))
            for s, p, o, name in quads((None, None, None, None))
        }
    return {("", (_term(s), _term(p), _term(o))) for s, p, o in graph}


def _graph_term(name: object) -> str:
    name = getattr(name, "identifier", name)
    return "" if name is None or name == DATASET_DEFAULT_GRAPH_ID else _term(name)


def _term(node: object) -> str:
    if isinstance(node, rdflib.URIRef):
        if _ABSOLUTE.fullmatch(node) is None:
            raise GraphError(f"{str(node)!r} is not an absolute IRI (for a LEX name take name.iri)")
        return f"<{node}>"
    if isinstance(node, rdflib.BNode):
        return f"_:{node}"
    if not isinstance(node, rdflib.Literal):
        raise GraphError(f"{node!r} is no term of RDF")
    if node.language is not None:
        return literal(str(node), node.language)
    return quoted(str(node)) if node.datatype is None else typed(str(node), f"<{node.datatype}>")
