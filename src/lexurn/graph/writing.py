"""Writers of RDF: the same statements give the same bytes, on every machine and run.

Labels of blank nodes depend on the graph alone. RDFC-1.0 takes exponential time on graphs made for
that, and graphs come from strangers. So nodes are told apart by what surrounds them, step by step
further out (colour refinement); those that still look alike are then taken one by one. Only graphs
that defeat this bounded search, such as regular ones without a text or IRI in them, may keep an
order that depends on their old labels. The graphs of records have no blank nodes at all.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.graph.formats import Format
from lexurn.graph.jsonld import write_jsonld
from lexurn.graph.statements import (
    Layer,
    Triple,
    group_by_node,
    is_blank,
    is_literal,
    parse_literal,
)
from lexurn.graph.turtle import write_trig, write_turtle

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from lexurn.graph.jsonld import ContextStyle
    from lexurn.graph.statements import Statements


def write(
    statements: Statements,
    format: Format,
    *,
    context: ContextStyle = "inline",
) -> bytes:
    """Write the canonical bytes of statements.

    The layers are named graphs in N-Quads and TriG, and merged in all other formats.

    Args:
        statements: the statements.
        format: the format.
        context: for JSON-LD, whether the context stands inside or is named by its URL.

    Raises:
        GraphError: RDF/XML cannot hold some property or character.
    """
    layers = {f"<{layer.iri}>": statements.layer(layer) for layer in Layer}
    return write_graphs(layers, format, context=context)


def write_graphs(
    graphs: Mapping[str, Iterable[Triple]],
    format: Format,
    *,
    context: ContextStyle = "inline",
) -> bytes:
    """Write the canonical bytes of any named graphs; ``""`` is the term of the default graph."""
    if format is Format.NQUADS:
        return "".join(format_lines(label_blank_nodes(graphs))).encode()
    if format is Format.TRIG:
        return write_trig(label_blank_nodes(graphs)).encode()
    # Labels of blank nodes must not depend on graphs that the format does not have.
    merged = {"": chain.from_iterable(graphs.values())}
    return _write_text(label_blank_nodes(merged)[""], format, context).encode()


def _write_text(triples: Iterable[Triple], format: Format, context: ContextStyle) -> str:
    if format is Format.NTRIPLES:
        return "".join(format_lines({"": triples}))
    if format is Format.JSONLD:
        return write_jsonld(triples, context)
    return write_turtle(triples) if format is Format.TURTLE else _write_rdfxml(triples)


# The engine writes other properties, too, but no reader of RDF/XML would find them again.
_XML_PROPERTY = re.compile(
    r"<(?!http://www\.w3\.org/(?:2000/xmlns/|XML/)).*[A-Za-z_][A-Za-z0-9_.-]*>"
)
_RESERVED = frozenset(f"<{v.RDF}{name}>" for name in ("aboutEach", "aboutEachPrefix", "bagID"))
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")


def _write_rdfxml(triples: Iterable[Triple]) -> str:
    """Write RDF/XML with the engine, and refuse what it would write as broken XML."""
    lines: list[str] = []
    namespaces: set[str] = set()
    for node, predicates in group_by_node(triples).items():
        for predicate in sorted(predicates, key=lambda each: (each != v.TYPE, each)):
            if predicate in _RESERVED or not _XML_PROPERTY.fullmatch(predicate):
                raise GraphError(f"{predicate} cannot be the name of an element of RDF/XML")
            namespaces.add(predicate[1 : max(predicate.rfind("#"), predicate.rfind("/")) + 1])
            for value in predicates[predicate]:
                if is_literal(value) and _NOT_XML.search(parse_literal(value).value):
                    raise GraphError(f"RDF/XML has no control characters: {predicate} {value[:80]}")
                lines.append(f"{node} {predicate} {value} .")
    prefixes = {prefix: each for prefix, each in v.PREFIXES.items() if each in namespaces}
    text = io.BytesIO()
    quads = pyoxigraph.parse("\n".join(lines), format=pyoxigraph.RdfFormat.N_TRIPLES)
    try:
        pyoxigraph.serialize(quads, text, pyoxigraph.RdfFormat.RDF_XML, prefixes=prefixes)
    except (OSError, SyntaxError) as fault:
        raise GraphError(str(fault)) from None
    # A reader of XML takes a bare carriage return for a line feed.
    return f"{text.getvalue().decode()}\n".replace("\r", "&#13;")


Graphs = dict[str, list[Triple]]
"""Triples by the term of their named graph, ``""`` for the default graph."""

_Quad = tuple[str, str, str, str]
_Colours = dict[str, str]

_MOST_VISITS = 500_000
"""How many times a node is looked at, all nodes together."""


def label_blank_nodes(graphs: Mapping[str, Iterable[Triple]]) -> Graphs:
    """Label blank nodes so that the labels depend on the graphs alone."""
    known = {graph: list(triples) for graph, triples in graphs.items()}
    if not any(map(_has_blanks, known.values())) and not any(map(is_blank, filter(None, known))):
        return known
    quads = sorted({(*triple, graph) for graph, triples in known.items() for triple in triples})
    labels = _choose_labels(quads)
    relabelled: Graphs = {graph: [] for graph in known if not graph or not is_blank(graph)}
    for quad in quads:
        subject, predicate, value, graph = (labels.get(term, term) for term in quad)
        relabelled.setdefault(graph, []).append((subject, predicate, value))
    return relabelled


def format_lines(graphs: Mapping[str, Iterable[Triple]]) -> list[str]:
    """Write the lines of N-Quads (N-Triples for the default graph), sorted, none twice."""
    lines: set[str] = set()
    for graph, triples in graphs.items():
        end = f" {graph} .\n" if graph else " .\n"
        lines.update([f"{s} {p} {o}{end}" for s, p, o in triples])
    return sorted(lines)


def _has_blanks(triples: Iterable[Triple]) -> bool:
    return any("_" in (subject[0], value[0]) for subject, _, value in triples)


def _choose_labels(quads: Iterable[_Quad]) -> dict[str, str]:
    around: dict[str, list[_Quad]] = defaultdict(list)
    for quad in quads:
        for term in {term for term in quad if term[:1] == "_"}:
            around[term].append(quad)
    rounds = iter(range(_MOST_VISITS // len(around) + 2))
    colours = _refine_colours(dict.fromkeys(sorted(around), ""), around, rounds)
    for _ in rounds:
        alike = _find_alike(colours)
        if alike is None:
            break
        chosen = _digest([colours[alike], "chosen"])
        colours = _refine_colours(colours | {alike: chosen}, around, rounds)
    order = sorted(around, key=lambda node: (colours[node], node))
    width = len(str(len(order)))
    return {node: f"_:b{place:0{width}d}" for place, node in enumerate(order)}


def _refine_colours(
    colours: _Colours, around: Mapping[str, Iterable[_Quad]], rounds: Iterator[int]
) -> _Colours:
    """Refine colours until no node's quads and neighbours tell more nodes apart."""
    for _ in rounds:
        finer = {node: _compute_colour(node, quads, colours) for node, quads in around.items()}
        if len(set(finer.values())) == len(set(colours.values())):
            return finer
        colours = finer
    return colours


def _compute_colour(node: str, quads: Iterable[_Quad], colours: _Colours) -> str:
    seen = ("\x00".join([_describe_term(term, node, colours) for term in quad]) for quad in quads)
    return _digest([colours[node], *sorted(seen)])


def _describe_term(term: str, node: str, colours: _Colours) -> str:
    if term == node:
        return "_:"
    return f"_:{colours[term]}" if term in colours else term


def _digest(parts: Iterable[str]) -> str:
    return sha256("\x01".join(parts).encode()).hexdigest()


def _find_alike(colours: _Colours) -> str | None:
    """Return one of the nodes with equal colours, None where all differ."""
    seen: dict[str, str] = {}
    alike = [
        (colours[node], seen[colours[node]])
        for node in sorted(colours)
        if seen.setdefault(colours[node], node) != node
    ]
    return min(alike)[1] if alike else None
