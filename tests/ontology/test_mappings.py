"""The mappings: sound documents that join our terms to real terms of others, and to no others."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
import rdflib
from ontology_tools import DATA, LEXO, MAPPINGS, ONTOLOGY, SKOS, kinds
from rdflib import OWL, RDF, RDFS, Literal, URIRef

if TYPE_CHECKING:
    from pathlib import Path

VOCABULARIES = json.loads((DATA / "vocabularies.json").read_text(encoding="utf-8"))
TARGETS = {
    "dcat": "dcat",
    "eli": "eli",
    "frbr": "frbr",
    "lrmoo": "lrmoo",
    "schema-org": "schema",
}
JOINS = {
    *(URIRef(f"{SKOS}{each}Match") for each in ("broad", "close", "narrow", "related")),
    RDFS.subClassOf,
    RDFS.subPropertyOf,
}
EACH = pytest.mark.parametrize("file", MAPPINGS, ids=lambda file: file.stem)


def _joined(file: Path) -> list[tuple[str, str, str]]:
    graph = rdflib.Graph().parse(file)
    return [(str(one), str(join), str(other)) for one, join, other in graph if join in JOINS]


def test_each_promised_vocabulary_is_mapped() -> None:
    assert {file.stem for file in MAPPINGS} == set(TARGETS)


@EACH
def test_it_says_what_it_is(file: Path) -> None:
    graph = rdflib.Graph().parse(file)
    iri = URIRef(f"https://w3id.org/lexurn/ns/mappings/{file.stem}")
    version = (
        rdflib.Graph().parse(ONTOLOGY).value(URIRef("https://w3id.org/lexurn/ns"), OWL.versionInfo)
    )
    assert (iri, RDF.type, OWL.Ontology) in graph
    assert graph.value(iri, OWL.versionInfo) == version
    assert isinstance(graph.value(iri, URIRef("http://purl.org/dc/elements/1.1/title")), Literal)
    assert not list(graph.triples((None, OWL.imports, None)))


@EACH
def test_it_joins_a_term_of_our_graph_to_a_real_term(file: Path) -> None:
    target = VOCABULARIES[TARGETS[file.stem]]
    real = {target["namespace"] + term for term in target["terms"]}
    joined = _joined(file)
    assert joined
    for one, _, other in joined:
        assert one in kinds(ONTOLOGY), "the first is a term of ours or one that we borrow"
        assert other in real


@EACH
def test_it_says_nothing_but_joins(file: Path) -> None:
    graph = rdflib.Graph().parse(file)
    header = set(graph.subjects(RDF.type, OWL.Ontology))
    rest = {join for one, join, _ in graph if one not in header and join not in {RDF.type, *JOINS}}
    assert rest == set()
    declared = {str(one) for one in graph.subjects(RDF.type, None) if one not in header}
    ends = {term for one, _, other in _joined(file) for term in (one, other)}
    spare = {term for term in declared - ends if not term.startswith(SKOS)}
    assert {term.rpartition("/")[2] for term in spare} == {"ns#license", "title", "description"}


def test_a_term_has_the_same_kind_in_every_file() -> None:
    together: dict[str, set[str]] = {}
    wanted = {"Class", "ObjectProperty", "DatatypeProperty", "AnnotationProperty"}
    for file in (ONTOLOGY, *MAPPINGS):
        for term, kind in kinds(file).items():
            together.setdefault(term, set()).update(kind & wanted)
    assert {term: kind for term, kind in together.items() if len(kind) > 1} == {}


def test_classes_are_joined_to_classes_and_properties_to_properties() -> None:
    for file in MAPPINGS:
        for one, _, other in _joined(file):
            first, second = kinds(file)[one], kinds(file)[other]
            assert ("Class" in first) == ("Class" in second), (one, other)


def test_the_main_terms_are_mapped_everywhere() -> None:
    for file in MAPPINGS:
        ours = {one for one, _, _ in _joined(file)}
        if file.stem in {"eli", "lrmoo", "schema-org"}:
            assert {LEXO + each for each in ("Work", "Expression", "Manifestation")} <= ours
        assert {each for each in ours if each.startswith(LEXO)}
