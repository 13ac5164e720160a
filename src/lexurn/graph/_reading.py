"""Bytes to statements. The parsers are pyoxigraph's; lexurn has none of its own for RDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.errors import GraphError
from lexurn.graph._formats import Format
from lexurn.graph._jsonld import with_context
from lexurn.graph._statements import Layer, Statements

if TYPE_CHECKING:
    from lexurn.graph._terms import Triple

__all__ = ["read"]

_ENGINE = {
    Format.TURTLE: pyoxigraph.RdfFormat.TURTLE,
    Format.TRIG: pyoxigraph.RdfFormat.TRIG,
    Format.NTRIPLES: pyoxigraph.RdfFormat.N_TRIPLES,
    Format.NQUADS: pyoxigraph.RdfFormat.N_QUADS,
    Format.JSONLD: pyoxigraph.RdfFormat.JSON_LD,
    Format.RDFXML: pyoxigraph.RdfFormat.RDF_XML,
}
_LAYERS = {f"<{layer.iri}>": layer.value for layer in Layer}
_BOM = b"\xef\xbb\xbf"


def read(data: bytes, format: Format) -> Statements:
    """The statements in some bytes; what stands in no layer's graph goes to ``catalogued``.

    Raises:
        GraphError: the bytes are not of that format; the message says where, if the parser does.
    """
    layers: dict[str, list[Triple]] = {layer: [] for layer in _LAYERS.values()}
    text = data.removeprefix(_BOM)
    if format is Format.JSONLD:
        text = with_context(text)
    try:
        for quad in pyoxigraph.parse(text, format=_ENGINE[format]):
            layer = _LAYERS.get(str(quad.graph_name), Layer.CATALOGUED.value)
            layers[layer].append(_triple_of(quad))
    except SyntaxError as error:
        raise GraphError(f"not {format.media_type}: {_explained(error)}") from None
    return Statements(**{layer: tuple(triples) for layer, triples in layers.items()})


def _triple_of(quad: pyoxigraph.Quad) -> Triple:
    value = quad.object
    if isinstance(value, pyoxigraph.Triple):
        raise GraphError(f"{value} is a triple within a triple (RDF 1.2), which is not read here")
    if isinstance(value, pyoxigraph.Literal) and value.direction is not None:
        raise GraphError(f"{value} has a direction (RDF 1.2), which is not read here")
    return str(quad.subject), str(quad.predicate), str(value)


def _explained(error: SyntaxError) -> str:
    """What the parser says, with line and column at the front where it knows them."""
    message = str(error.msg).removeprefix("Parser error at ")
    if error.lineno is None:
        return message
    _, _, problem = message.partition(": ")
    column = "" if error.offset is None else f", column {error.offset}"
    return f"line {error.lineno}{column}: {problem or message}"
