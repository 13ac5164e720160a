"""Which of several acts that a page speaks of it is, where it says so."""

from __future__ import annotations

import json

import pytest
from reading_cases import ELI, page, reading_of

from lexurn.embedding._extracting import extracted

ACT, OTHER = "urn:lex:it:stato:legge:2003-09-21;456", "urn:lex:it:stato:legge:2000-01-01;1"
HOME, ELSEWHERE = "https://l.example/456", "https://l.example/1"
CANONICAL = f'<link rel="canonical" href="{HOME}">'


def graph(*nodes: dict[str, object]) -> str:
    block = json.dumps({"@context": "https://schema.org", "@graph": nodes})
    return f'<script type="application/ld+json">{block}</script>'


def law(name: str, **more: object) -> dict[str, object]:
    return {"@type": "Legislation", "legislationIdentifier": name, **more}


def rdfa(place: str, name: str) -> str:
    identifier = f'<span property="{ELI}id_local">{name}</span>'
    return f'<div about="{place}" typeof="{ELI}LegalResource">{identifier}</div>'


PAGES = {
    "where it lies": (CANONICAL, rdfa(ELSEWHERE, OTHER) + rdfa(HOME, ACT)),
    "its canonical link": (
        CANONICAL + graph(law(OTHER, **{"@id": ELSEWHERE}), law(ACT, **{"@id": HOME})),
        "",
    ),
    "the URL of what lies there": (
        CANONICAL + graph(law(OTHER, url=ELSEWHERE), law(ACT, url=HOME)),
        "",
    ),
    "what it is about": (
        graph(
            law(OTHER, **{"@id": "#o"}),
            {"@type": "WebPage", "mainEntity": {"@id": "#m"}},
            law(ACT, **{"@id": "#m"}),
        ),
        "",
    ),
    "what says that it is the page's": (graph(law(OTHER), law(ACT, mainEntityOfPage=HOME)), ""),
}


@pytest.mark.parametrize("case", PAGES)
def test_the_page_says_which_it_is(case: str) -> None:
    found = extracted(reading_of(page(*PAGES[case])), file="a.html", format="html")
    assert [str(each.name) for each in found.names] == [ACT]
    assert found.findings == ()


def test_where_it_does_not_say_that_it_is_asked_to() -> None:
    text = page(graph(law(OTHER), law(ACT)))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert [each.code for each in found.findings] == ["LX380"]
    assert "mainEntity" in found.findings[0].message
