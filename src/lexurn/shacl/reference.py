"""Reference engine: pyshacl on an rdflib graph, for one document or a few."""

from __future__ import annotations

import logging
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Any

import pyoxigraph
import rdflib
from rdflib.namespace import SH
from rdflib.plugins.sparql import prepareQuery

from lexurn.shacl.report import EngineResult
from lexurn.shacl.shapes import CheckError

if TYPE_CHECKING:
    from rdflib.plugins.sparql.sparql import Query
    from rdflib.query import Result as QueryResult
    from rdflib.term import Node

    from lexurn.shacl.shapes import ShapeSet

_TERM_LOG = logging.getLogger("rdflib.term")
_prepare_query = lru_cache(maxsize=512)(prepareQuery)


class _QueryCachingGraph(rdflib.Graph):
    """Graph that parses each SPARQL text once: pyshacl asks the same of every node."""

    def query(self, query_object: str | Query, *others: Any, **options: Any) -> QueryResult:
        """Run a query, as `rdflib.Graph.query`."""
        if isinstance(query_object, str):
            query_object = _prepare_query(query_object)
        return super().query(query_object, *others, **options)


def run_reference_engine(triples: str, shapes: ShapeSet) -> tuple[EngineResult, ...]:
    """Check N-Triples against shapes with pyshacl.

    Raises:
        CheckError: the engine is absent or failed.
    """
    try:
        import pyshacl  # noqa: PLC0415 - slow to load
    except ImportError as error:
        raise CheckError("The reference engine is not installed: pip install pyshacl") from error
    is_disabled = _TERM_LOG.disabled
    _TERM_LOG.disabled = True  # it would warn of literals without a value: the shapes find those
    try:
        graph = _QueryCachingGraph()
        for quad in pyoxigraph.parse(triples, format=pyoxigraph.RdfFormat.N_TRIPLES):
            s, p, o = map(_make_node, quad.triple)
            graph.add((s, p, o))
        _, report, text = pyshacl.validate(
            graph, shacl_graph=_parse_shapes(shapes.turtle), inplace=True
        )
    except Exception as error:
        raise CheckError(f"The reference engine failed: {error}") from error
    finally:
        _TERM_LOG.disabled = is_disabled
    if not isinstance(report, rdflib.Graph):
        raise CheckError(f"The reference engine failed: {text}")
    results = []
    for node in report.objects(None, SH.result):
        focus, value = report.value(node, SH.focusNode), report.value(node, SH.value)
        # A value that only repeats the node is left out, as the engines differ there.
        result = EngineResult(
            focus=write_term(focus)[0],
            shape=str(report.value(node, SH.sourceShape)),
            component=str(report.value(node, SH.sourceConstraintComponent)),
            value=None if value is None or value == focus else write_term(value)[0],
        )
        results.append(result)
    return tuple(results)


@cache
def _parse_shapes(turtle: str) -> rdflib.Graph:
    return rdflib.Graph().parse(data=turtle, format="turtle")


def _make_node(term: Any) -> Node:
    """Make a node of rdflib; literals and blank nodes keep their texts."""
    if isinstance(term, pyoxigraph.NamedNode):
        return rdflib.URIRef(term.value)
    if isinstance(term, pyoxigraph.BlankNode):
        return rdflib.BNode(term.value)
    if term.language is not None:
        return rdflib.Literal(term.value, lang=term.language)
    if term.datatype.value == str(rdflib.XSD.string):
        return rdflib.Literal(term.value)
    return rdflib.Literal(term.value, datatype=rdflib.URIRef(term.datatype.value), normalize=False)


def write_term(node: Any) -> tuple[str, bool]:
    """Write a node of rdflib as N-Triples does, and tell whether RDF allows the term.

    RDF allows no invalid IRI, language tag or datatype, and no lone surrogate. A result without a
    focus node has None.
    """
    if not isinstance(node, rdflib.URIRef | rdflib.Literal):
        return f"_:{node}", True
    try:
        if isinstance(node, rdflib.Literal):
            kind = None if node.datatype is None else pyoxigraph.NamedNode(str(node.datatype))
            literal = pyoxigraph.Literal(str(node), datatype=kind, language=node.language)
            return str(literal), True
        return str(pyoxigraph.NamedNode(node)), True
    except ValueError:
        pass
    return f"<{node}>", False
