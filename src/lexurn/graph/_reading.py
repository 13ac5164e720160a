"""Bytes to statements. The parsers are pyoxigraph's; lexurn has none of its own for RDF."""

from __future__ import annotations

import re
from itertools import accumulate
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
_DEEPEST = 500
_LONGEST_ENTITY = 256
_NO_BRACKETS = bytes(set(range(256)) - set(b'"[]{}'))
_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_STRING = re.compile(rb'"[^"]*"?')
_ENTITY = re.compile(rb"<!ENTITY([^<]*)")
_VALUE = re.compile(rb'"([^"]*)"')
_REFERENCE = re.compile(rb"&(?!#|(?:amp|lt|gt|quot|apos);)")


def read(data: bytes, format: Format) -> Statements:
    """The statements in some bytes; what stands in no layer's graph goes to ``catalogued``.

    Raises:
        GraphError: the bytes are not of that format; the message says where, if the parser does.
            Or they are made to fill memory: JSON nested too deep, XML entities within entities,
            a text of more than 16 MiB.
    """
    layers: dict[str, list[Triple]] = {layer: [] for layer in _LAYERS.values()}
    text = data.removeprefix(_BOM)
    if format is Format.JSONLD:
        _refuse_depth(text)
        text = with_context(text)
    elif format is Format.RDFXML:
        _refuse_entities(text)
    try:
        for quad in pyoxigraph.parse(text, format=_ENGINE[format]):
            layer = _LAYERS.get(str(quad.graph_name), Layer.CATALOGUED.value)
            layers[layer].append(_triple_of(quad))
    except SyntaxError as error:
        raise GraphError(f"not {format.media_type}: {_explained(error)}") from None
    except MemoryError as error:  # the parser's own bound
        raise GraphError(f"a text or a term is too long to be read: {error}") from None
    return Statements(**{layer: tuple(triples) for layer, triples in layers.items()})


def _refuse_depth(text: bytes) -> None:
    """Refuse JSON so deep that the parser's memory grows with the square of the depth.

    Raises:
        GraphError: it is.
    """
    plain = text.replace(rb"\\", b"").replace(rb"\"", b"").translate(None, _NO_BRACKETS)
    brackets = _STRING.sub(b"", plain)
    if max(accumulate(map(_STEPS.__getitem__, brackets)), default=0) > _DEEPEST:
        raise GraphError(
            f"not {Format.JSONLD.media_type}: nested more than {_DEEPEST} deep; no graph needs that"
        )


def _refuse_entities(text: bytes) -> None:
    """Refuse XML entities that grow when they are put in: long ones, and entities in entities.

    Raises:
        GraphError: there is one.
    """
    for entity in _ENTITY.finditer(text):
        value = _VALUE.search(entity[1])
        if value and (len(value[1]) > _LONGEST_ENTITY or _REFERENCE.search(value[1])):
            line = text.count(b"\n", 0, entity.start()) + 1
            raise GraphError(
                f"not {Format.RDFXML.media_type}: line {line}: this entity is longer than "
                f"{_LONGEST_ENTITY} bytes or holds another entity; write it out"
            )


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
