"""The ontology before two judges: HermiT for consistency, the OWL API for the profile OWL 2 DL."""

from __future__ import annotations

from datetime import date
from itertools import islice
from typing import TYPE_CHECKING

import pyoxigraph as ox
import pytest
from ontology_tools import (
    DATA,
    LEXO,
    MAPPINGS,
    ONTOLOGY,
    TOP,
    compiled_checker,
    empty_classes,
    kinds,
    profile_violations,
    statements,
    turtle,
)
from sizes import one_in

from lexurn.graph import Format, statements_of, write
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

ACTS = TOP / "examples" / "acts.csv"
FRBR = DATA / "frbr_core.ttl"
ALIASES = DATA / "alias_set.ttl"


@pytest.fixture(scope="module", autouse=True)
def quick_java() -> Iterator[None]:
    """Spare Java the compilation that short runs do not repay."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("JAVA_TOOL_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        yield


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
    assert empty_classes(turtle(ONTOLOGY, *files), tmp_path) == set()


def test_it_is_consistent_with_the_graph_of_the_example(tmp_path: Path) -> None:
    if not ACTS.is_file():
        pytest.skip("examples/acts.csv is not there")
    data: list[ox.Triple] = []
    with open_manifest(ACTS) as opened:
        for family in islice(opened.families(), 0, None, one_in(4)):
            made = statements_of(family, as_of=date(2026, 1, 1), base="https://law.example")
            data += _parsed(write(made, Format.NTRIPLES))
    assert len(data) > 1000
    assert empty_classes([*turtle(ONTOLOGY, FRBR, *MAPPINGS), *data], tmp_path) == set()


def _parsed(lines: bytes) -> list[ox.Triple]:
    return [quad.triple for quad in ox.parse(input=lines, format=ox.RdfFormat.N_TRIPLES)]


CONTRADICTIONS = {
    "a work that is an item": ":x a lexo:Work , lexo:Item .",
    "an alias at another level": ":x a lexo:Work . :y a lexo:Expression . :x owl:sameAs :y .",
    "an expression of two works": ":x frbr:realizationOf :y , :z . :y owl:differentFrom :z .",
    "an item that is the exemplar of two": (
        ":x frbr:exemplarOf :y , :z . :y owl:differentFrom :z ."
    ),
    "two layers in one": "lexo:decoded owl:sameAs lexo:computed .",
    "an order that is no number": ':x lexo:versionOrder "first" .',
}


@pytest.mark.parametrize("facts", CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_contradictions_are_found(facts: str, tmp_path: Path) -> None:
    assert empty_classes([*turtle(ONTOLOGY, FRBR), *statements(facts)], tmp_path) is None


# what can be: each class has members in some graph
POSSIBLE = {
    "AnnexWithIdentifier": ("lexo:Annex", "lexo:annexId"),
    "AnnexOfAnnex": ("lexo:Annex", "frbr:part"),
    "ExpressionWithLanguage": ("lexo:Expression", "lexo:languageTag"),
    "ExpressionWithLocalDate": ("lexo:Expression", "lexo:localDate"),
    "ManifestationOfWork": ("lexo:Manifestation", "lexo:manifestationOf"),
    "PartitionWithCopy": ("lexo:Partition", "lexo:item"),
    "WorkWithLocalDate": ("lexo:Work", "lexo:localDate"),
}
# what cannot be: a thing of this class with that property, or of both classes
IMPOSSIBLE = {
    "AnnexAsExpression": ("lexo:Annex", "lexo:Expression"),
    "AnnexWithVersionDate": ("lexo:Annex", "lexo:versionDate"),
    "ExpressionWithAnnexIdentifier": ("lexo:Expression", "lexo:annexId"),
    "ExpressionWithManifestationOfWork": ("lexo:Expression", "lexo:manifestation"),
    "ItemWithCopy": ("lexo:Item", "lexo:item"),
    "ManifestationWithMeasure": ("lexo:Manifestation", "lexo:measureType"),
    "PartitionAsManifestation": ("lexo:Partition", "lexo:Manifestation"),
    "PartitionWithNumber": ("lexo:Partition", "lexo:number"),
    "WorkEmbodied": ("lexo:Work", "frbr:embodiment"),
    "WorkWithForce": ("lexo:Work", "lexo:forceFrom"),
    "WorkWithMediaType": ("lexo:Work", "lexo:mediaType"),
    "WorkWithVersionDate": ("lexo:Work", "lexo:versionDate"),
}


def _defined(name: str, kind: str, also: str) -> str:
    """A class: what is of one kind and of another, or has a property, in Turtle."""
    if also.partition(":")[2][0].isupper():
        return f":{name} a owl:Class ; rdfs:subClassOf {kind} , {also} ."
    declared = {**kinds(ONTOLOGY), **kinds(FRBR)}
    space = "http://purl.org/vocab/frbr/core#" if also.startswith("frbr:") else LEXO
    is_data = "DatatypeProperty" in declared[space + also.partition(":")[2]]
    value = "rdfs:Literal" if is_data else "owl:Thing"
    return (
        f":{name} a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( {kind}"
        f" [ a owl:Restriction ; owl:onProperty {also} ; owl:someValuesFrom {value} ] ) ] ."
    )


def test_each_property_keeps_to_its_level(tmp_path: Path) -> None:
    cases = {**POSSIBLE, **IMPOSSIBLE}
    asked = "\n".join(_defined(name, kind, also) for name, (kind, also) in cases.items())
    empty = empty_classes([*turtle(ONTOLOGY, FRBR), *statements(asked)], tmp_path)
    assert empty is not None
    assert {iri.rpartition("/")[2] for iri in empty} == set(IMPOSSIBLE)


@pytest.fixture(scope="module")
def checker(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled_checker(tmp_path_factory.mktemp("checker"))


def test_it_and_its_mappings_are_in_owl_2_dl(checker: Path, tmp_path: Path) -> None:
    together = tmp_path / "together.nt"
    ox.serialize(turtle(ONTOLOGY, FRBR, *MAPPINGS, ALIASES), str(together), ox.RdfFormat.N_TRIPLES)
    found = profile_violations([ONTOLOGY, *MAPPINGS, FRBR, together], checker)
    # the days of the graph are the one thing that OWL 2 DL does not know
    assert [line for line in found.pop(together) if "xsd:date" not in line] == []
    assert {file.name: against for file, against in found.items() if against} == {}


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


@pytest.fixture(scope="module")
def violations(checker: Path, tmp_path_factory: pytest.TempPathFactory) -> list[list[str]]:
    """What the OWL API has against each of these, asked in one go."""
    folder = tmp_path_factory.mktemp("outside")
    files = [folder / f"{number}.ttl" for number in range(len(OUTSIDE))]
    for file, facts in zip(files, OUTSIDE.values(), strict=True):
        file.write_text(
            "@prefix : <https://law.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> ."
            "@prefix xsd: <http://www.w3.org/2001/XMLSchema#> ."
            f"<https://law.example/{file.stem}> a owl:Ontology . {facts}",
            encoding="utf-8",
        )
    found = profile_violations(files, checker)
    return [found[file] for file in files]


@pytest.mark.parametrize("number", range(len(OUTSIDE)), ids=OUTSIDE)
def test_what_is_not_in_owl_2_dl_is_found(number: int, violations: list[list[str]]) -> None:
    assert violations[number] != []
