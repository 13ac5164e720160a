"""Bytes to statements. The parsers are pyoxigraph's; lexurn has none of its own for RDF."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.errors import GraphError
from lexurn.graph._formats import Format
from lexurn.graph._guards import guarded
from lexurn.graph._jsonld import with_context
from lexurn.graph._statements import Layer, Statements
from lexurn.graph._strictness import Untagged, strict

if TYPE_CHECKING:
    from collections.abc import Iterator

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
_SHOWN = 80


def read(data: bytes, format: Format) -> Statements:
    """The statements in some bytes; what stands in no layer's graph goes to ``catalogued``.

    Raises:
        GraphError: the bytes are not of that format; the message says where, if the parser does.
            Or they are made to fill memory: JSON nested too deep, XML entities within entities,
            a text of more than 16 MiB. Or a text has a language tag that is none.
    """
    layers: dict[str, list[Triple]] = {layer: [] for layer in _LAYERS.values()}
    try:
        for quad in _quads(data.removeprefix(_BOM), format):
            layer = _LAYERS.get(str(quad.graph_name), Layer.CATALOGUED.value)
            layers[layer].append(_triple_of(quad))
    except SyntaxError as error:
        raise GraphError(f"not {format.media_type}: {_explained(error)}") from None
    except MemoryError as error:  # the parser's own bound
        raise GraphError(f"a text or a term is too long to be read: {error}") from None
    return Statements(**{layer: tuple(triples) for layer, triples in layers.items()})


def _quads(data: bytes, format: Format) -> Iterator[pyoxigraph.Quad]:
    """The quads of some bytes; those of JSON-LD are held to the same as of all other formats.

    Raises:
        GraphError: as `read`, but for what the parser says.
    """
    try:
        text = b"".join(guarded([data], format))
        if format is Format.JSONLD:
            yield from _jsonld(with_context(text))
        else:
            yield from pyoxigraph.parse(text, format=_ENGINE[format])
    except GraphError as fault:
        raise GraphError(f"not {format.media_type}: {fault}") from None


def _jsonld(text: bytes) -> Iterator[pyoxigraph.Quad]:
    for quad in pyoxigraph.parse(text, format=_ENGINE[Format.JSONLD], lenient=True):
        known = strict(quad)
        if isinstance(known, Untagged):
            raise GraphError(f"{known.reason}; it stands in {_shown(quad)}")
        if known is not None:
            yield known


def _shown(quad: pyoxigraph.Quad) -> str:
    """A statement in a sentence, without the tag of its text."""
    text = str(getattr(quad.object, "value", ""))
    text = text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"
    return f"{quad.subject} {quad.predicate} {pyoxigraph.Literal(text)}"


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
