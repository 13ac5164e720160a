"""rdflib graphs: the graph type that users of Python know. The bulk path never uses them."""

from __future__ import annotations

from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

import rdflib
from rdflib.graph import DATASET_DEFAULT_GRAPH_ID

from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.graph.concepts import describe_concepts, find_concepts
from lexurn.graph.formats import Format, write_graphs
from lexurn.graph.layers import statements_of
from lexurn.graph.statements import (
    Layer,
    Statements,
    format_literal,
    format_text,
    is_absolute_iri,
    is_blank,
    is_iri,
    parse_literal,
)
from lexurn.model import families_of, read_day

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable

    from rdflib.term import Node

    from lexurn.graph.statements import Triple
    from lexurn.model import Record


def graph_of(
    records: Iterable[Record], *, as_of: dt.date | str | None = None, base: str | None = None
) -> rdflib.Graph:
    """Make the graph of records, all layers merged, with the labels of their concepts.

    Args:
        records: the records, in any order.
        as_of: the day for which the version in force is asked, as a date or in ISO 8601; today by
            default.
        base: the base of the HTTP-URI equivalents; none are written without it.

    Raises:
        ModelError: the records contradict each other.
        GraphError: no graph can hold a value.
        DateError: ``as_of`` is a text that is not a date.
    """
    return make_rdflib_graph(_make_statements(records, as_of, base).merged)


def dataset_of(
    records: Iterable[Record], *, as_of: dt.date | str | None = None, base: str | None = None
) -> rdflib.Dataset:
    """Make a dataset with the three layers of records as named graphs.

    Arguments and errors are those of `graph_of`.
    """
    statements = _make_statements(records, as_of, base)
    dataset = rdflib.Dataset()
    for layer in Layer:
        _fill_graph(dataset.graph(rdflib.URIRef(layer.iri)), statements.layer(layer))
    return dataset


def _make_statements(
    records: Iterable[Record], as_of: dt.date | str | None, base: str | None
) -> Statements:
    day = read_day(as_of)
    families = families_of(records)
    parts = [statements_of(family, as_of=day, base=base) for family in families]
    return Statements.union((*parts, describe_concepts(find_concepts(families))))


def make_rdflib_graph(triples: Iterable[Triple]) -> rdflib.Graph:
    """Make an rdflib graph of triples, literals kept letter by letter."""
    graph = rdflib.Graph()
    _fill_graph(graph, triples)
    return graph


def _fill_graph(graph: rdflib.Graph, triples: Iterable[Triple]) -> None:
    for prefix, namespace in v.PREFIXES.items():
        graph.bind(prefix, namespace, replace=True)
    for subject, predicate, value in triples:
        graph.add((_make_node(subject), _make_node(predicate), _make_node(value)))


@lru_cache(maxsize=16384)
def _make_node(term: str) -> Node:
    if is_iri(term):
        return rdflib.URIRef(term[1:-1])
    if is_blank(term):
        return rdflib.BNode(term[2:])
    value, language, datatype = parse_literal(term)
    kind = None if datatype is None else rdflib.URIRef(datatype)
    return rdflib.Literal(value, lang=language, datatype=kind, normalize=False)


def triples_of(graph: rdflib.Graph) -> tuple[Triple, ...]:
    """List the triples of an rdflib graph (all graphs of a dataset merged), sorted.

    Raises:
        GraphError: a node is not a term of RDF, for example a relative IRI.
    """
    return tuple(sorted({triple for _, triple in _list_quads(graph)}))


def serialize(graph: rdflib.Graph, format: str | Format = Format.TURTLE) -> str:
    """Write any rdflib graph or dataset in a format; equal graphs give equal texts.

    Raises:
        GraphError: the format is unknown, or a node is not a term of RDF.
    """
    wanted = Format.from_name(format) if isinstance(format, str) else format
    quads = sorted(_list_quads(graph))
    graphs = {key: [each for _, each in group] for key, group in groupby(quads, itemgetter(0))}
    return write_graphs(graphs, wanted).decode()


def _list_quads(graph: rdflib.Graph) -> set[tuple[str, Triple]]:
    quads = getattr(graph, "quads", None)
    found = ((*each, None) for each in graph) if quads is None else quads((None, None, None, None))
    listed: set[tuple[str, Triple]] = set()
    for subject, predicate, value, graph_name in found:
        name = getattr(graph_name, "identifier", graph_name)
        term = "" if name is None or name == DATASET_DEFAULT_GRAPH_ID else _format_term(name)
        listed.add((term, (_format_term(subject), _format_term(predicate), _format_term(value))))
    return listed


def _format_term(node: object) -> str:
    if isinstance(node, rdflib.URIRef):
        if not is_absolute_iri(str(node)):
            raise GraphError(f"{str(node)!r} is not an absolute IRI (for a LEX name use name.iri)")
        return f"<{node}>"
    if isinstance(node, rdflib.BNode):
        return f"_:{node}"
    if not isinstance(node, rdflib.Literal):
        raise GraphError(f"{node!r} is not a term of RDF")
    if node.language is not None:
        return format_literal(str(node), node.language)
    text = format_text(str(node))
    datatype = None if node.datatype is None else f"<{node.datatype}>"
    return text if datatype in {None, v.XSD_STRING} else f"{text}^^{datatype}"
