"""The graph room: model values to RDF and back, in canonical bytes (three layers, six formats)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from lexurn.graph._decoded import decoded_of
from lexurn.graph._family import nquads_of, statements_of
from lexurn.graph._formats import Format
from lexurn.graph._guards import LONGEST_TEXT, guarded
from lexurn.graph._jsonld import context
from lexurn.graph._reading import read
from lexurn.graph._records import as_of_of, records_of
from lexurn.graph._statements import Layer, Statements
from lexurn.graph._strictness import Untagged, strict
from lexurn.graph._terms import Triple
from lexurn.graph._unpacked import unpacked
from lexurn.graph._writing import write

if TYPE_CHECKING:
    from lexurn.graph._rdflib import dataset_of, graph_of, rdflib_graph, serialize, triples_of

__all__ = [
    "LONGEST_TEXT",
    "Format",
    "Layer",
    "Statements",
    "Triple",
    "Untagged",
    "as_of_of",
    "context",
    "dataset_of",
    "decoded_of",
    "graph_of",
    "guarded",
    "nquads_of",
    "rdflib_graph",
    "read",
    "records_of",
    "serialize",
    "statements_of",
    "strict",
    "triples_of",
    "unpacked",
    "write",
]

_OF_RDFLIB = frozenset({"dataset_of", "graph_of", "rdflib_graph", "serialize", "triples_of"})


def __getattr__(name: str) -> Any:
    """What hands out rdflib graphs; rdflib is loaded when the first of these is asked for."""
    if name not in _OF_RDFLIB:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from lexurn.graph import _rdflib  # noqa: PLC0415  (rdflib takes longer than all the rest)

    return getattr(_rdflib, name)
