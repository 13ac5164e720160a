"""The ontology before two judges: HermiT for consistency, the OWL API for the profile OWL 2 DL."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from ontology_tools import (
    DATA,
    MAPPINGS,
    ONTOLOGY,
    TOP,
    compiled_checker,
    is_consistent,
    profile_violations,
    statements,
    turtle,
)

if TYPE_CHECKING:
    from pathlib import Path

ACTS = TOP / "examples" / "acts.csv"
FRBR = DATA / "frbr_core.ttl"
ALIASES = DATA / "alias_set.ttl"


@pytest.mark.parametrize(
    "files",
    [
        pytest.param([], id="alone"),
        pytest.param([FRBR], id="with FRBR core"),
        pytest.param([FRBR, *MAPPINGS], id="with FRBR core and every mapping"),
        pytest.param([FRBR, ALIASES], id="with FRBR core and an alias set"),
    ],
)
def test_it_is_consistent(files: list[Path], tmp_path: Path) -> None:
    assert is_consistent(turtle(ONTOLOGY, *files), tmp_path)


def test_it_is_consistent_with_the_graph_of_the_example(tmp_path: Path) -> None:
    manifest = pytest.importorskip("lexurn.manifest", reason="manifests are not read yet")
    graph = pytest.importorskip("lexurn.graph", reason="graphs are not written yet")
    if not ACTS.is_file():
        pytest.skip("examples/acts.csv is not there")
    data: list[ox.Triple] = []
    with manifest.open_manifest(ACTS) as opened:
        for family in opened.families():
            made = graph.statements_of(family, as_of=date(2026, 1, 1), base="https://law.example")
            data += _parsed(graph.write(made, graph.Format.NTRIPLES))
    assert len(data) > 1000
    assert is_consistent([*turtle(ONTOLOGY, FRBR, *MAPPINGS), *data], tmp_path)


def _parsed(lines: bytes) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(input=lines, format=ox.RdfFormat.N_TRIPLES)]


CONTRADICTIONS = {
    "a work that is an item": ":x a lexo:Work , lexo:Item .",
    "an annex that is an expression": ":x a lexo:Annex , lexo:Expression .",
    "a partition that is a manifestation": ":x a lexo:Partition , lexo:Manifestation .",
    "an alias at another level": (":x a lexo:Work . :y a lexo:Expression . :x owl:sameAs :y ."),
    "an expression of two works": (":x frbr:realizationOf :y , :z . :y owl:differentFrom :z ."),
    "an item of two manifestations as their exemplar": (
        ":x frbr:exemplarOf :y , :z . :y owl:differentFrom :z ."
    ),
    "a work embodied": ":x a lexo:Work ; frbr:embodiment :y .",
    "a version before a work": ":x a lexo:Work ; lexo:earlierVersion :y .",
    "a version date on a work": ':x a lexo:Work ; lexo:versionDate "2004" .',
    "a measure on a manifestation": ':x a lexo:Manifestation ; lexo:measureType "law" .',
    "an annex identifier on a version": ':x a lexo:Expression ; lexo:annexId "annex.1" .',
    "a manifestation of an expression without embodiment": (
        ":x a lexo:Expression ; lexo:manifestation :y ."
    ),
    "a copy that is named": ":x lexo:item :y . :y a lexo:Work .",
    "two layers in one": "lexo:decoded owl:sameAs lexo:computed .",
    "an order that is no number": ':x lexo:versionOrder "first" .',
}


@pytest.mark.parametrize("facts", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions_are_found(facts: str, tmp_path: Path) -> None:
    assert not is_consistent([*turtle(ONTOLOGY, FRBR), *statements(facts)], tmp_path)


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_checker(tmp_path_factory.mktemp("checker"))


def test_it_and_its_mappings_are_in_owl_2_dl(checker: Path, tmp_path: Path) -> None:
    together = tmp_path / "together.nt"
    ox.serialize(turtle(ONTOLOGY, FRBR, *MAPPINGS, ALIASES), str(together), ox.RdfFormat.N_TRIPLES)
    found = profile_violations([ONTOLOGY, *MAPPINGS, FRBR], checker)
    assert {file.name: against for file, against in found.items() if against} == {}
    # the days of the graph are the one thing that OWL 2 DL does not know
    against = profile_violations([together], checker)[together]
    assert [line for line in against if "xsd:date" not in line] == []


OUTSIDE = {
    "a term that is not declared": ":x a :Undeclared .",
    "a day": ':p a owl:DatatypeProperty . :x :p "2004-12-07"^^xsd:date .',
    "a functional property that is transitive": (
        ":p a owl:ObjectProperty , owl:TransitiveProperty , owl:FunctionalProperty ."
    ),
    "a property with texts and nodes": (
        ":p a owl:ObjectProperty , owl:DatatypeProperty . :x :p :y ; :p 'z' ."
    ),
}


@pytest.mark.parametrize("facts", OUTSIDE.values(), ids=OUTSIDE)
def test_what_is_not_in_owl_2_dl_is_found(facts: str, checker: Path, tmp_path: Path) -> None:
    file = tmp_path / "outside.ttl"
    file.write_text(
        "@prefix : <https://law.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> ."
        "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> . :o a owl:Ontology . " + facts,
        encoding="utf-8",
    )
    assert profile_violations([file], checker)[file] != []
