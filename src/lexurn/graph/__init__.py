"""The graph room: model values to RDF and back, in canonical bytes (three layers, six formats)."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
from lexurn.rooms import on_request

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

# rdflib takes longer to load than all the rest.
_OF_RDFLIB = dict.fromkeys(
    ("dataset_of", "graph_of", "rdflib_graph", "serialize", "triples_of"), "_rdflib"
)

__getattr__ = on_request(__name__, _OF_RDFLIB)
