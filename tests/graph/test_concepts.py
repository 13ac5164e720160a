"""The concepts of the registry that acts have, and what is stated of them."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn import graph_of
from lexurn import vocabulary as v
from lexurn.graph import (
    CONCEPT_LINKS,
    CONCEPT_PROPERTIES,
    Format,
    describe_concepts,
    find_concepts,
    list_concept_links,
    nquads_of,
    statements_of,
    write,
)
from lexurn.model import Record, family_of
from lexurn.name import parse
from lexurn.registry import REGISTRY_BASE, load_registry

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "concepts.jsonl").read_text().splitlines()
]
DAY = dt.date(2020, 1, 1)
AUTHORITY = f"<{REGISTRY_BASE}it/authorities/"


def links(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {each: [] for each in CONCEPT_LINKS}
    for link in list_concept_links(parse(text)):
        predicate, _, value = link.partition(" ")
        assert value.startswith(f"<{REGISTRY_BASE}")
        found[predicate].append(value[1 + len(REGISTRY_BASE) : -1])
    return found


def stated(concept: str) -> set[tuple[str, str]]:
    return {(p, o) for s, p, o in describe_concepts([concept]).computed if s == concept}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
def test_an_act_has_the_concepts_of_its_name(case) -> None:
    one = {"jurisdiction": v.JURISDICTION, "measure": v.MEASURE_CONCEPT}
    wanted = {link: [case[key]] if case[key] else [] for key, link in one.items()}
    assert links(case["name"]) == wanted | {v.ISSUER_CONCEPT: case["issuers"]}


def test_concepts_stand_on_acts_alone_in_the_computed_layer() -> None:
    act = "urn:lex:it:stato:legge:2000-01-01;1"
    below = ("", ":allegato.1", "@original:it", "$senato.it:text-html", "~art1")
    family = family_of(Record(name=parse(act + each)) for each in below)
    made = statements_of(family, as_of=DAY)
    assert {s for s, p, _ in made.computed if p in CONCEPT_LINKS} == {f"<{act}>"}
    assert not {p for _, p, _ in (*made.decoded, *made.catalogued)} & CONCEPT_LINKS
    assert find_concepts([family]) == {o for _, p, o in made.computed if p in CONCEPT_LINKS}


def test_an_alias_has_the_concepts_of_its_own_name() -> None:
    act = parse("urn:lex:it:stato:decreto.legislativo:2005-03-07;82")
    alias = parse("urn:lex:it:stato:codice;amministrazione.digitale:2005-03-07;82")
    family = family_of([Record(name=act), Record(name=alias, alias_of=act)])
    found = {o for _, p, o in statements_of(family, as_of=DAY).computed}
    measures = f"<{REGISTRY_BASE}it/measures/"
    assert {f"{measures}decreto.legislativo>", f"{measures}codice>"} <= found


def test_a_concept_has_labels_notation_and_replacement() -> None:
    finance = f"{AUTHORITY}ministero.finanze>"
    assert stated(finance) == {
        (v.TYPE, v.CONCEPT_CLASS),
        (v.NOTATION, '"ministero.finanze"'),
        (v.PREF_LABEL, '"Ministero delle finanze"@it'),
        (v.PREF_LABEL, '"Ministry of Finance"@en'),
    }
    replaced = next(each for each in load_registry().law("uk").authorities if each.replaced_by)
    (link,) = [o for p, o in stated(f"<{replaced.iri}>") if p == v.IS_REPLACED_BY]
    assert (v.NOTATION, f'"{replaced.replaced_by}"') in stated(link)


@pytest.mark.parametrize(
    ("narrow", "broad"),
    [
        ("it/units/toscana", "jurisdictions/it"),
        ("br/units/sao.paulo_campinas", "br/units/sao.paulo"),
        (
            "it/authorities/ministero.economia.finanze_ragioneria.generale.stato",
            "it/authorities/ministero.economia.finanze",
        ),
    ],
)
def test_a_broader_concept_is_described_with_it(narrow: str, broad: str) -> None:
    one, other = (f"<{REGISTRY_BASE}{each}>" for each in (narrow, broad))
    assert (v.BROADER, other) in stated(one)
    described = {s for s, _, _ in describe_concepts([one]).computed}
    assert other in described


def test_concepts_match_those_of_the_european_union() -> None:
    table = "<http://publications.europa.eu/resource/authority/"
    for concept, code in (
        ("jurisdictions/it", "country/ITA"),
        ("eu/measures/regolamento", "resource-type/REG"),
        ("eu/authorities/council", "corporate-body/CONSIL"),
    ):
        assert (v.EXACT_MATCH, f"{table}{code}>") in stated(f"<{REGISTRY_BASE}{concept}>")


def test_a_concept_that_the_registry_does_not_have_is_not_described() -> None:
    unknown = ("it/authorities/ufficio.ignoto", "jurisdictions/qq", "it/nothing/stato", "x")
    terms = (*(f"<{REGISTRY_BASE}{each}>" for each in unknown), "<https://law.example/x>", "<x:y>")
    assert describe_concepts(terms).merged == ()


@st.composite
def acts(draw: st.DrawFn) -> str:
    law = load_registry().law(draw(st.sampled_from(["it", "eu", "ch", "br", "uk", "fr"])))
    issuers = st.sampled_from([each.notation for each in law.authorities] + ["office;unit"])
    authority = "+".join(draw(st.lists(issuers, min_size=1, max_size=2, unique=True)))
    measure = draw(st.sampled_from([each.notation for each in law.measures] + ["paper;a"]))
    days = st.dates().map(str) | st.sampled_from(["1999", "2001", "5.legislature"])
    return f"urn:lex:{law.code}:{authority}:{measure}:{draw(days)};1"


@given(acts())
def test_a_dated_concept_existed_at_the_date_of_the_act(text: str) -> None:
    name = parse(text)
    details = name.work.details
    for link in list_concept_links(name):
        concept = link.partition(" ")[2]
        described = stated(concept)
        assert {p for p, _ in described} <= CONCEPT_PROPERTIES
        assert any(p == v.PREF_LABEL for p, _ in described)
        entry = load_registry().entry(concept[1:-1])
        if entry is not None and (entry.valid_from or entry.valid_until):
            days = [date.iso for date in details.dates] or [f"{details.period}-06-15"]
            assert len(days[0]) == len("2000-01-01")
            assert all(map(entry.valid_on, days))


@given(acts())
def test_the_same_quads_are_written_both_ways(text: str) -> None:
    family = family_of([Record(name=parse(text))])
    made = statements_of(family, as_of=DAY)
    assert write(made, Format.NQUADS) == nquads_of(family, as_of=DAY)


def test_a_graph_of_records_has_the_labels_of_their_concepts() -> None:
    texts = (
        "urn:lex:it:ministero.finanze:decreto:1999-12-20;3",
        "urn:lex:it:stato:legge:2000-01-01;1",
    )
    graph = graph_of([Record(name=parse(text)) for text in texts])
    query = """
        PREFIX lexo: <https://w3id.org/lexurn/ns#> PREFIX skos: <http://www.w3.org/2004/02/skos/core#>
        SELECT ?act { ?act lexo:issuerConcept/skos:prefLabel "Ministry of Finance"@en }"""
    assert [str(row.act) for row in graph.query(query)] == [texts[0]]
