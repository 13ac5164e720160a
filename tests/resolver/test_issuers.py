"""Whose a measure is: no act of one authority is given for that of another."""

from __future__ import annotations

import pytest

from lexurn.catalogue import MemoryHoldings
from lexurn.model import Record, families_of
from lexurn.name import parse
from lexurn.resolver import resolve

_ISSUERS = {
    "council": "presidente.consiglio.ministri",
    "president": "presidente.repubblica",
    "ministry": "ministero.finanze",
    "ministries": "ministero.interno+ministero.difesa",
    "region": "regione.toscana;giunta;presidente",
    "regional president": "presidente.regione.toscana",
    "mayor": "comune.pisa;sindaco",
}


def _found(asked: str, *issuers: str, measure: str = "decreto") -> list[str]:
    """The issuers of what is found for an authority and a measure."""
    records = (Record(name=parse(f"urn:lex:it:{each}:{measure}:2001-01-01;45")) for each in issuers)
    answer = resolve(f"urn:lex:it:{asked}:2001-01-01;45", MemoryHoldings(families_of(records)))
    return [str(each.name.work.authority) for each in answer.candidates]


@pytest.mark.parametrize(
    ("measure", "whose"),
    [
        ("d.p.r.", ["president"]),
        ("dpr", ["president"]),
        ("decreto.presidente.repubblica", ["president"]),
        ("d.p.c.m.", ["council"]),
        ("dpcm", ["council"]),
        ("d.m.", ["ministry", "ministries"]),
        ("decreto.ministeriale", ["ministry", "ministries"]),
        ("d.p.g.r.", ["region"]),
        ("decreto.sindacale", ["mayor"]),
        ("decreto", list(_ISSUERS)),
        ("dec.", list(_ISSUERS)),
    ],
)
@pytest.mark.parametrize("issuer", _ISSUERS)
def test_words_of_a_measure_that_name_its_issuer(
    measure: str, whose: list[str], issuer: str
) -> None:
    held = _ISSUERS[issuer]
    assert _found(measure, held) == ([held] if issuer in whose else [])


def test_a_type_that_many_issue_is_that_of_none_of_them() -> None:
    assert _found("decreto", *_ISSUERS.values()) == sorted(_ISSUERS.values())


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("comune.capri", "comune.carpi"),
        ("comune.palma", "comune.parma"),
        ("comune.montefalcone", "comune.montefalco"),
        ("comune.genola", "comune.genova"),
        ("regione.tosacna", "regione.toscana"),
        ("universita.studi.milanno", "universita.studi.milano"),
        ("comune.pisa;ufficio.capri", "comune.pisa;ufficio.carpi"),
        ("comuen.capri", "comune.carpi"),
    ],
)
def test_proper_names_that_differ_are_different_authorities(asked: str, held: str) -> None:
    assert _found(f"{asked}:delibera", held, measure="delibera") == []
    assert _found(f"{held}:delibera", asked, measure="delibera") == []


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        ("comuen.capri", "comune.capri"),
        ("regone.toscana", "regione.toscana"),
        ("minstero.difesa", "ministero.difesa"),
        ("presidente.repubblcia", "presidente.repubblica"),
        ("presidentte.regione.toscana", "presidente.regione.toscana"),
        ("ministerofinanze", "ministero.finanze"),
    ],
)
def test_known_words_may_be_misspelt(asked: str, held: str) -> None:
    assert _found(f"{asked}:delibera", held, measure="delibera") == [held]


def test_of_issuers_with_bodies_each_is_found_where_they_can_all_be() -> None:
    held = "ministero.interno;gabinetto+ministero.interno;segreteria"
    asked = "ministero.interno+ministero.interno;gabinetto"
    assert _found(f"{asked}:decreto", held) == [held]
