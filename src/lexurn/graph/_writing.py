"""Statements to bytes: the same statements give the same bytes, on every machine and run."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING

from lexurn.graph._canonical import canonical, lines_of
from lexurn.graph._formats import Format
from lexurn.graph._jsonld import ContextStyle, jsonld_of
from lexurn.graph._rdfxml import rdfxml_of
from lexurn.graph._statements import Layer
from lexurn.graph._turtle import trig_of, turtle_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from lexurn.graph._statements import Statements
    from lexurn.graph._terms import Triple

__all__ = ["write", "write_graphs"]


def write(
    statements: Statements,
    format: Format,
    *,
    context: ContextStyle = "inline",
) -> bytes:
    """The canonical bytes of statements.

    The layers are named graphs in N-Quads and TriG, and merged in all other formats.

    Args:
        statements: what is written.
        format: the format.
        context: for JSON-LD, whether the context stands inside or is named by its URL.

    Raises:
        GraphError: RDF/XML has no way to hold some property or character.
    """
    layers = {f"<{layer.iri}>": statements.layer(layer) for layer in Layer}
    return write_graphs(layers, format, context=context)


def write_graphs(
    graphs: Mapping[str, Iterable[Triple]],
    format: Format,
    *,
    context: ContextStyle = "inline",
) -> bytes:
    """The canonical bytes of any named graphs; ``""`` is the term of the default graph."""
    if format is Format.NQUADS:
        return "".join(lines_of(canonical(graphs))).encode()
    if format is Format.TRIG:
        return trig_of(canonical(graphs)).encode()
    # Labels of blank nodes must not depend on graphs that the format does not have.
    merged = {"": chain.from_iterable(graphs.values())}
    return _text_of(canonical(merged)[""], format, context).encode()


def _text_of(triples: Iterable[Triple], format: Format, context: ContextStyle) -> str:
    if format is Format.NTRIPLES:
        return "".join(lines_of({"": triples}))
    if format is Format.JSONLD:
        return jsonld_of(triples, context)
    return turtle_of(triples) if format is Format.TURTLE else rdfxml_of(triples)
