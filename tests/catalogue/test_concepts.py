"""Concepts of the registry in a catalogue: described once, and kept through all changes."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, held, lines_of

from lexurn import vocabulary as v
from lexurn.catalogue import (
    LoadOptions,
    Withdrawal,
    check_catalogue,
    compute_stats,
    dump,
    load,
    load_rdf,
    open_catalogue,
    open_rdf_source,
    rebuild,
    refresh,
    withdraw,
)
from lexurn.graph import CONCEPT_LINKS
from lexurn.model import Record, family_of
from lexurn.name import parse
from lexurn.registry import REGISTRY_BASE

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lexurn.catalogue import Catalogue
    from lexurn.findings import Finding
    from lexurn.model import Family

OPTIONS = LoadOptions(as_of=AS_OF, jobs=1)
FINANCE = "urn:lex:it:ministero.finanze:decreto:1999-12-20;{}"
QUERY = """
PREFIX lexo: <https://w3id.org/lexurn/ns#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
SELECT ?act { ?act lexo:issuerConcept/skos:prefLabel "Ministry of Finance"@en } ORDER BY ?act"""


def acts(*texts: str) -> list[Family]:
    return [family_of([Record(name=parse(text))]) for text in texts]


def concept_lines(catalogue: Catalogue) -> list[str]:
    return [line for line in held(catalogue) if line.startswith(f"<{REGISTRY_BASE}")]


def answer(catalogue: Catalogue) -> list[str]:
    return [str(row["act"]) for row in catalogue.query(QUERY)]


@pytest.fixture
def place(tmp_path: Path) -> Path:
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        load(catalogue, acts(*map(FINANCE.format, range(1, 4))), OPTIONS)
    return tmp_path / "law"


def test_the_acts_of_a_ministry_are_found_by_its_name_in_english(place: Path) -> None:
    with open_catalogue(place) as catalogue:
        assert answer(catalogue) == [FINANCE.format(number) for number in (1, 2, 3)]


def test_statements_on_concepts_grow_with_the_concepts_alone(place: Path) -> None:
    with open_catalogue(place, write=True) as catalogue:
        before = concept_lines(catalogue)
        load(catalogue, acts(FINANCE.format(9)), OPTIONS)
        assert concept_lines(catalogue) == before
        other = "urn:lex:fr:etat:loi:2000-01-01;2000-1"
        load(catalogue, acts(other), OPTIONS)
        more = set(concept_lines(catalogue)) - set(before)
        assert {line.split(">")[0].rsplit("registry/")[1] for line in more} == {
            "jurisdictions/fr",
            "fr/authorities/etat",
            "fr/measures/loi",
        }
        every = acts(*map(FINANCE.format, (1, 2, 3, 9)), other)
        assert held(catalogue) == lines_of(every)


def test_a_changed_act_brings_its_concepts(place: Path) -> None:
    changed = [Record(name=parse(FINANCE.format(1)), publishers=("Gazzetta",))]
    alias = "urn:lex:it:ministero.tesoro:decreto:1999-12-20;1"
    changed.append(Record(name=parse(alias), alias_of=parse(FINANCE.format(1))))
    with open_catalogue(place, write=True) as catalogue:
        report = load(catalogue, [family_of(changed)], OPTIONS)
        assert (report.added, report.replaced) == (0, 1)
        assert f"<{REGISTRY_BASE}it/authorities/ministero.tesoro>" in "".join(
            concept_lines(catalogue)
        )


def test_refresh_describes_the_concepts_anew(place: Path) -> None:
    label = f'<{REGISTRY_BASE}jurisdictions/it> {v.PREF_LABEL} "Italy"@en'
    graph = "https://w3id.org/lexurn/ns#computed"
    with open_catalogue(place, write=True) as catalogue:
        before = held(catalogue)
        stale = label.replace("Italy", "Kingdom of Italy")
        unused = f"<{REGISTRY_BASE}jurisdictions/fr> a {v.CONCEPT_CLASS}"
        catalogue.update(
            f"DELETE DATA {{ GRAPH <{graph}> {{ {label} }} }} ; "
            f"INSERT DATA {{ GRAPH <{graph}> {{ {stale} . {unused} }} }}"
        )
        assert held(catalogue) != before
        assert refresh(catalogue, as_of=AS_OF) == 0
        assert held(catalogue) == before
        generation = catalogue.holdings.setting("generation")
        assert refresh(catalogue, as_of=AS_OF) == 0
        assert catalogue.holdings.setting("generation") == generation


def test_a_withdrawn_act_keeps_its_concepts(place: Path) -> None:
    with open_catalogue(place, write=True) as catalogue:
        before = concept_lines(catalogue)
        done: Iterable[Withdrawal] = withdraw(
            catalogue, [parse(FINANCE.format(1))], as_of=AS_OF, on=AS_OF
        )
        assert len(list(done)) == 1
        assert concept_lines(catalogue) == before
        assert FINANCE.format(1) in answer(catalogue)


def test_rebuild_check_and_stats_are_not_disturbed(place: Path) -> None:
    found: list[Finding] = []
    assert rebuild(str(place), on_finding=found.append, jobs=1) == 3
    assert found == []
    with open_catalogue(place) as catalogue:
        stats = compute_stats(catalogue.store)
        assert stats.kinds["work"] == 3
        assert stats.quads["computed"] == 3 * len(CONCEPT_LINKS) + len(concept_lines(catalogue))
        with check_catalogue(catalogue) as report:
            assert report.checked == 3
            assert not any("concept" in str(each) for each in report.notes)


@pytest.mark.parametrize("form", ["nquads", "trig", "turtle", "jsonld", "ntriples"])
def test_a_dump_is_loaded_without_a_finding(place: Path, tmp_path: Path, form: str) -> None:
    found: list[Finding] = []
    target = io.BytesIO()
    with open_catalogue(place) as catalogue:
        dump(catalogue.store, target, form)
        before = held(catalogue)
    target.seek(0)
    with (
        open_catalogue(tmp_path / "copy", write=True) as copy,
        open_rdf_source([target], format=form, on_finding=found.append) as source,
    ):
        load_rdf(copy, source, OPTIONS)
        assert found == []
        assert held(copy) == before


def test_a_label_that_the_registry_does_not_have_is_rejected(tmp_path: Path) -> None:
    concept = f"<{REGISTRY_BASE}jurisdictions/it>"
    act = FINANCE.format(1)
    text = (
        f"<{act}> a <https://w3id.org/lexurn/ns#Work> ;"
        f" <https://w3id.org/lexurn/ns#jurisdiction> <{REGISTRY_BASE}jurisdictions/fr> ."
        f'{concept} {v.PREF_LABEL} "Italy"@en , "Kingdom of Italy"@en .'
    )
    found: list[Finding] = []
    with (
        open_catalogue(tmp_path / "law", write=True) as catalogue,
        open_rdf_source(
            [io.BytesIO(text.encode())], format="turtle", on_finding=found.append
        ) as source,
    ):
        load_rdf(catalogue, source, OPTIONS)
    assert sorted(each.code for each in found) == ["LX981", "LX987"]
