"""The ontology as a document: complete, in order, and of one kind for each term."""

from __future__ import annotations

import datetime as dt
import functools
import re

import pyoxigraph
import pytest
import rdflib
from ontology_tools import LEXO, ONTOLOGY, TOP, kinds, turtle
from rdflib import OWL, RDF, RDFS, SKOS, XSD, BNode, Literal, URIRef

import lexurn
from lexurn.graph import Layer, statements_of
from lexurn.manifest import open_manifest
from lexurn.model import FIELDS, Kind

IRI = URIRef("https://w3id.org/lexurn/ns")
PROPERTY_KINDS = {"ObjectProperty", "DatatypeProperty", "AnnotationProperty"}
GRAPH = rdflib.Graph().parse(ONTOLOGY)
OWN = sorted(term for term in kinds(ONTOLOGY) if term.startswith(LEXO))
LANGUAGES = ("en", "it", "fr", "de", "es", "pt")
EXAMPLES = TOP / "examples"
AS_OF = dt.date(2024, 6, 1)
PROPERTIES = [term for term in OWN if kinds(ONTOLOGY)[term] & PROPERTY_KINDS]
INVERSES = {
    ("manifestation", "manifestationOf"),
}


def test_it_says_what_it_is() -> None:
    version = lexurn.__version__
    assert (IRI, RDF.type, OWL.Ontology) in GRAPH
    assert GRAPH.value(IRI, OWL.versionInfo) == Literal(version)
    assert GRAPH.value(IRI, OWL.versionIRI) == URIRef(f"{IRI}/{version}")
    assert GRAPH.value(IRI, URIRef("http://creativecommons.org/ns#license")) == URIRef(
        "https://www.apache.org/licenses/LICENSE-2.0"
    )
    for term in ("title", "description"):
        said = GRAPH.value(IRI, URIRef(f"http://purl.org/dc/elements/1.1/{term}"))
        assert isinstance(said, Literal)
        assert said.language == "en"


def test_it_imports_nothing() -> None:
    assert not list(GRAPH.triples((None, OWL.imports, None)))


@pytest.mark.parametrize("term", OWN)
def test_each_term_is_explained(term: str) -> None:
    node = URIRef(term)
    (comment,) = GRAPH.objects(node, RDFS.comment)
    assert isinstance(comment, Literal)
    assert comment.language == "en"
    assert re.fullmatch(r"[A-Z][^\n]+\.\)?", comment), "a comment is made of sentences"
    assert list(GRAPH.objects(node, RDFS.isDefinedBy)) == [IRI]
    cited = re.findall(r"§([\d.]*\d)", comment)
    linked = {str(link).rpartition("section-")[2] for link in GRAPH.objects(node, RDFS.seeAlso)}
    assert set(cited) == linked, "the sections named are the sections linked"


@pytest.mark.parametrize("term", OWN)
def test_each_term_has_a_label_in_six_languages(term: str) -> None:
    labels = list(GRAPH.objects(URIRef(term), RDFS.label))
    assert sorted(label.language for label in labels) == sorted(LANGUAGES)
    assert all(str(label).strip() == str(label) != "" for label in labels)


@functools.cache
def known_quads() -> frozenset[tuple[str, str, str, str]]:
    """The graph of the example acts and the ontology, merged (graph ``""``) and by layer."""
    found = {("", *map(str, triple)) for triple in turtle(ONTOLOGY)}
    nir = {"mapping": EXAMPLES / "nir.toml", "dialect": "nir"}
    for table, options in (("acts.csv", {}), ("nir.tsv", nir)):
        with open_manifest([str(EXAMPLES / table)], **options) as manifest:
            for family in manifest.families():
                statements = statements_of(family, as_of=AS_OF)
                found |= {("", *triple) for triple in statements.merged}
                for layer in Layer:
                    found |= {(f"<{layer.iri}>", *each) for each in statements.layer(layer)}
    return frozenset(found)


@pytest.mark.parametrize("term", OWN)
def test_each_term_has_an_example_that_is_true(term: str) -> None:
    examples = list(GRAPH.objects(URIRef(term), SKOS.example))
    assert examples
    prefixes = "".join(f"@prefix {prefix}: <{space}> ." for prefix, space in GRAPH.namespaces())
    for example in examples:
        quads = list(pyoxigraph.parse(prefixes + example, format=pyoxigraph.RdfFormat.TRIG))
        assert any(f"<{term}>" in map(str, quad) for quad in quads)
        for quad in quads:
            graph = str(quad.graph_name).removeprefix("DEFAULT")
            assert (graph, *map(str, quad.triple)) in known_quads()


@pytest.mark.parametrize("term", PROPERTIES)
def test_each_property_says_where_it_stands(term: str) -> None:
    node = URIRef(term)
    (domain,) = GRAPH.objects(node, RDFS.domain)
    (value,) = GRAPH.objects(node, RDFS.range)
    for end in (domain, value):
        if isinstance(end, BNode):
            members = list(GRAPH.items(GRAPH.value(end, OWL.unionOf)))
            assert members == sorted(members)
            assert len(members) > 1
    is_data = "DatatypeProperty" in kinds(ONTOLOGY)[term]
    assert is_data == (value == RDFS.Literal or str(value).startswith(str(XSD)))


def test_inverses_are_stated() -> None:
    stated = {
        (str(one).removeprefix(LEXO), str(other).removeprefix(LEXO))
        for one, other in GRAPH.subject_objects(OWL.inverseOf)
    }
    assert stated == INVERSES
    pairs = {term for term in OWN if f"{term}Of" in OWN}
    assert {one for one, _ in stated} == {term.removeprefix(LEXO) for term in pairs}


def test_days_have_a_range_that_owl_knows() -> None:
    assert XSD.date not in set(GRAPH.objects())
    open_ranges = {
        str(term).removeprefix(LEXO) for term in GRAPH.subjects(RDFS.range, RDFS.Literal)
    }
    stated = {field.predicate[1:-1] for field in FIELDS if field.kind is Kind.DAY}
    ours = {term.removeprefix(LEXO) for term in stated if term.startswith(LEXO)}
    force = {"forceFrom", "forceUntil"}
    assert open_ranges == {"asOf", "date", "eventDate", "versionDate"} | force | ours


def test_nothing_counts() -> None:
    counting = {OWL.FunctionalProperty, OWL.InverseFunctionalProperty, OWL.Restriction}
    assert not counting & set(GRAPH.objects(None, RDF.type))


def test_the_levels_exclude_each_other() -> None:
    (node,) = GRAPH.subjects(RDF.type, OWL.AllDisjointClasses)
    members = {str(each) for each in GRAPH.items(GRAPH.value(node, OWL.members))}
    named = ("Work", "Expression", "Manifestation", "Item", "Partition")
    assert members == {LEXO + each for each in named}


def test_each_term_has_one_kind() -> None:
    exclusive = {*PROPERTY_KINDS, "Class", "NamedIndividual"}
    assert {term: kind for term, kind in kinds(ONTOLOGY).items() if len(kind & exclusive) > 1} == {}


def test_borrowed_terms_are_declared_and_nothing_else_is_said_of_them() -> None:
    borrowed = {term for term in kinds(ONTOLOGY) if not term.startswith(LEXO)} - {str(IRI)}
    for term in borrowed:
        said = set(GRAPH.predicates(URIRef(term), None))
        assert said == {RDF.type}, term
    known = {str(OWL), str(RDF), str(RDFS), str(XSD), "https://www.rfc-editor.org/", LEXO, str(IRI)}
    used = {
        str(each) for each in (*GRAPH.predicates(), *GRAPH.objects()) if isinstance(each, URIRef)
    }
    strangers = {each for each in used if not each.startswith(tuple(known))} - borrowed
    assert strangers == {"https://www.apache.org/licenses/LICENSE-2.0"}


def test_dublin_core_has_texts_or_nodes_never_both() -> None:
    terms = "http://purl.org/dc/terms/"
    found = {
        term.removeprefix(terms): kind
        for term, kind in kinds(ONTOLOGY).items()
        if term.startswith(terms)
    }
    nodes = {
        "creator",
        "hasPart",
        "isPartOf",
        "isReplacedBy",
        "isVersionOf",
        "language",
        "license",
        "publisher",
        "subject",
    }
    texts = {
        "available",
        "bibliographicCitation",
        "identifier",
        "issued",
        "modified",
        "title",
    }
    assert found == {
        **{each: {"ObjectProperty"} for each in nodes},
        **{each: {"DatatypeProperty"} for each in texts},
    }


def test_terms_stand_in_alphabetical_order() -> None:
    text = ONTOLOGY.read_text(encoding="utf-8")
    parts = re.split(r"# -{20,}\n# .*\n# -{20,}\n", text)[1:]
    assert len(parts) == 5
    for part in parts[:-1]:
        names = re.findall(r"^lexo:(\w+)$", part, re.MULTILINE)
        assert names
        assert names == sorted(names)
    for group in parts[-1].strip().split("\n\n"):
        assert group.splitlines() == sorted(group.splitlines())
