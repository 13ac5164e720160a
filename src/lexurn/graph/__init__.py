"""Graphs: RDF in three layers, made of records and read back.

The layers are *decoded* (from the name), *catalogued* (by its publisher) and *computed* (from all).

In: families of records, RDF in six formats, and rdflib graphs.
Out: statements, records, rdflib graphs, and canonical bytes: equal statements, equal bytes.
Read in this order: statements, catalogued, concepts, jsonld, formats, layers, rdflib.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.graph.catalogued import (
        ALIAS_PROPERTIES,
        CATALOGUED_PROPERTIES,
        FORCE_TERMS,
        ITEM_CLASSES,
        ITEM_PROPERTIES,
        RECORD_PROPERTIES,
        find_as_of,
        records_of,
    )
    from lexurn.graph.concepts import (
        CONCEPT_LINKS,
        CONCEPT_PROPERTIES,
        describe_concepts,
        find_concepts,
        list_concept_links,
    )
    from lexurn.graph.formats import (
        LONGEST_TEXT,
        Format,
        InvalidLanguageTag,
        check_quad,
        decompress_stream,
        guard_document,
        read,
        write,
    )
    from lexurn.graph.jsonld import inline_context, load_context
    from lexurn.graph.layers import (
        COMPUTED_PROPERTIES,
        DECODED_PROPERTIES,
        ITEM_LINKS,
        NAME_CLASSES,
        Excerpt,
        FamilyGraph,
        decode_name,
        nquads_of,
        statements_of,
    )
    from lexurn.graph.rdflib import dataset_of, graph_of, make_rdflib_graph, serialize, triples_of
    from lexurn.graph.statements import (
        LAYERS,
        Layer,
        Statements,
        Triple,
        format_integer,
        format_literal,
        format_text,
        is_absolute_iri,
    )

__all__ = [
    "ALIAS_PROPERTIES",
    "CATALOGUED_PROPERTIES",
    "COMPUTED_PROPERTIES",
    "CONCEPT_LINKS",
    "CONCEPT_PROPERTIES",
    "DECODED_PROPERTIES",
    "FORCE_TERMS",
    "ITEM_CLASSES",
    "ITEM_LINKS",
    "ITEM_PROPERTIES",
    "LAYERS",
    "LONGEST_TEXT",
    "NAME_CLASSES",
    "RECORD_PROPERTIES",
    "Excerpt",
    "FamilyGraph",
    "Format",
    "InvalidLanguageTag",
    "Layer",
    "Statements",
    "Triple",
    "check_quad",
    "dataset_of",
    "decode_name",
    "decompress_stream",
    "describe_concepts",
    "find_as_of",
    "find_concepts",
    "format_integer",
    "format_literal",
    "format_text",
    "graph_of",
    "guard_document",
    "inline_context",
    "is_absolute_iri",
    "list_concept_links",
    "load_context",
    "make_rdflib_graph",
    "nquads_of",
    "read",
    "records_of",
    "serialize",
    "statements_of",
    "triples_of",
    "write",
]

__getattr__, __dir__ = attach(__name__)
