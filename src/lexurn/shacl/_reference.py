"""The reference engine: pyshacl on an rdflib graph, for one document or a few."""

from __future__ import annotations

import logging
from contextlib import contextmanager
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import pyoxigraph
import rdflib
from rdflib.namespace import SH
from rdflib.plugins.sparql import prepareQuery

from lexurn.shacl._engine import Found
from lexurn.shacl._results import CheckError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rdflib.plugins.sparql.sparql import Query
    from rdflib.query import Result as QueryResult
    from rdflib.term import Node

    from lexurn.shacl._shapes import Catalogue

__all__ = ["reference"]

_TERM_LOG = logging.getLogger("rdflib.term")
_prepared = lru_cache(maxsize=512)(prepareQuery)


class _Graph(rdflib.Graph):
    """A graph that reads each SPARQL text once: pyshacl asks the same of every node."""

    def query(self, query_object: str | Query, *others: Any, **options: Any) -> QueryResult:
        """As `rdflib.Graph.query`."""
        if isinstance(query_object, str):
            query_object = _prepared(query_object)
        return super().query(query_object, *others, **options)


def reference(triples: str, shapes: Catalogue) -> tuple[Found, ...]:
    """What the shapes find in N-Triples, by pyshacl.

    Raises:
        CheckError: it is absent or failed.
    """
    try:
        import pyshacl  # noqa: PLC0415  (slow to load)
    except ImportError as error:
        raise CheckError("the reference engine is absent: pip install pyshacl") from error
    with _quiet():
        graph = _graph_of(triples)
        try:
            _, report, text = pyshacl.validate(
                graph, shacl_graph=_shapes_of(shapes.turtle), inplace=True
            )
        except Exception as error:
            raise CheckError(f"the reference engine failed: {error}") from error
    if not isinstance(report, rdflib.Graph):
        raise CheckError(f"the reference engine failed: {text}")
    return tuple(_found_of(report, node) for node in report.objects(None, SH.result))


@contextmanager
def _quiet() -> Iterator[None]:
    """No log lines on literals that are no values: the shapes find those."""
    before = _TERM_LOG.disabled
    _TERM_LOG.disabled = True
    try:
        yield
    finally:
        _TERM_LOG.disabled = before


@cache
def _shapes_of(turtle: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=turtle, format="turtle")


def _graph_of(triples: str) -> _Graph:
    """N-Triples as a graph whose literals and blank nodes keep their texts."""
    graph = _Graph()
    for quad in pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.N_TRIPLES):
        graph.add((_node_of(quad.subject), _node_of(quad.predicate), _node_of(quad.object)))
    return graph


def _node_of(term: Any) -> Node:
    if isinstance(term, pyoxigraph.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, pyoxigraph.BlankNode):
        return rdflib.BNode(term.value)
    if term.language is not None:
        return rdflib.Literal(term.value, lang=term.language)
    if term.datatype.value == str(rdflib.XSD.string):
        return rdflib.Literal(term.value)
    return rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)


def _found_of(report: rdflib.Graph, node: Node) -> Found:
    """One result; a value that only repeats the node is left out, as the engines differ there."""
    focus, value = report.value(node, SH.focusNode), report.value(node, SH.value)
    return Found(
        focus=_term_of(focus),
        shape=str(report.value(node, SH.sourceShape)),
        component=str(report.value(node, SH.sourceConstraintComponent)),
        value=None if value is None or value == focus else _term_of(value),
    )


def _term_of(node: Node | None) -> str:
    """A term as Oxigraph writes it, so that equal terms are equal texts whatever the engine."""
    if isinstance(node, rdflib.URIRef):
        return f"<{node}>"
    if not isinstance(node, rdflib.Literal):
        return f"_:{node}"
    if node.language is not None:
        return str(pyoxigraph.Literal(str(node), language=node.language))
    if node.datatype is None:
        return str(pyoxigraph.Literal(str(node)))
    return str(pyoxigraph.Literal(str(node), datatype=pyoxigraph.NamedNode(str(node.datatype))))
