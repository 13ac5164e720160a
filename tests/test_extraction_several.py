"""Which of several acts that a page speaks of it is, where it says so."""

from __future__ import annotations

import json

import pytest
from reading_cases import ELI, ours, page, reading_of

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


def microdata(name: str, said: str = "") -> str:
    identifier = f'<meta itemprop="legislationIdentifier" content="{name}">'
    return f'<div {said} itemscope itemtype="https://schema.org/Legislation">{identifier}</div>'


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
    "what is of this page, and not of another": (
        CANONICAL + graph(law(OTHER, mainEntityOfPage=ELSEWHERE), law(ACT, mainEntityOfPage=HOME)),
        "",
    ),
    "what this page is about, and not another": (
        CANONICAL
        + graph(
            {"@type": "WebPage", "@id": ELSEWHERE, "mainEntity": law(OTHER, **{"@id": "#o"})},
            {"@type": "WebPage", "@id": HOME, "mainEntity": law(ACT, **{"@id": "#m"})},
        ),
        "",
    ),
    "a version that its act names": (
        CANONICAL
        + graph(
            law(OTHER, **{"@id": ELSEWHERE, "workExample": {"@id": HOME}}),
            law(ACT, **{"@id": HOME}),
        ),
        "",
    ),
    "what is not in it": (
        CANONICAL
        + graph(law(ACT, **{"@id": "x:y", "citation": law(OTHER, **{"@id": f"{HOME}#1"})})),
        "",
    ),
    "what is of a node that lies there": (
        CANONICAL
        + graph(
            law(OTHER),
            {"@type": "WebPage", "@id": "#page", "url": HOME},
            law(ACT, mainEntityOfPage={"@id": "#page"}),
        ),
        "",
    ),
    "how it is to be cited": (
        f'<link rel="cite-as" href="{ACT}">' + graph(law(OTHER), law(ACT)),
        "",
    ),
    "how it is to be cited, and what it cites": (
        f'<link rel="cite-as" href="{ACT}">' + graph(law(OTHER, **{"@id": ELSEWHERE})),
        "",
    ),
}


PERHAPS = {
    "what the page tells of": (
        CANONICAL
        + graph(
            law(OTHER, **{"@id": ELSEWHERE}),
            {"@type": "WebPage", "@id": f"{HOME}#page", "url": HOME, "about": {"@id": "x:y"}},
            law(ACT, **{"@id": "x:y"}),
        ),
        "",
    ),
    "what an article that is the page tells of": (
        CANONICAL
        + graph(
            {"@type": "Article", "mainEntityOfPage": HOME, "about": law(ACT)},
            law(OTHER),
        ),
        "",
    ),
    "what a page of microdata tells of": (
        "",
        '<div itemscope itemtype="https://schema.org/WebPage">'
        + microdata(OTHER)
        + microdata(ACT, said="itemprop=about")
        + "</div>",
    ),
    "what a page tells of that may be another": (
        graph(
            law(OTHER, **{"@id": "x:y"}),
            {"@type": "WebPage", "@id": HOME, "mainEntity": law(ACT, **{"@id": "x:z"})},
        ),
        "",
    ),
    "what is of a page": (graph(law(OTHER), law(ACT, mainEntityOfPage=HOME)), ""),
    "what is of the page": (
        CANONICAL + graph(law(OTHER), law(ACT, mainEntityOfPage=True)),
        "",
    ),
    "what stands in its place": (
        CANONICAL + graph(law(OTHER, **{"@id": ELSEWHERE}), law(ACT, **{"@id": f"{HOME}#act"})),
        "",
    ),
}


@pytest.mark.parametrize("case", PAGES)
def test_the_page_says_which_it_is(case: str) -> None:
    found = extracted(reading_of(page(*PAGES[case])), file="a.html", format="html")
    assert [str(each.name) for each in found.names] == [ACT]
    assert found.findings == ()


@pytest.mark.parametrize("case", PERHAPS)
def test_what_may_be_the_page_is_it_with_a_word_of_the_others(case: str) -> None:
    found = extracted(reading_of(page(*PERHAPS[case])), file="a.html", format="html")
    assert [str(each.name) for each in found.names] == [ACT, OTHER]
    assert [each.code for each in found.findings] == ["LX380"]


def test_a_version_is_cited_by_the_name_of_its_act() -> None:
    version = f"{ACT}@2005-01-01:it"
    text = page(f'<link rel="cite-as" href="{ACT}">' + graph(law(version)))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert (str(found.name), found.findings) == (version, ())


def test_a_page_of_several_versions_is_the_act() -> None:
    names = [ACT, f"{ACT}@2005-01-01:it", f"{ACT}@2006-01-01:it"]
    text = page("".join(f'<meta name="DC.identifier" content="{each}">' for each in names))
    assert str(extracted(reading_of(text), file="a.html", format="html").name) == ACT


def test_what_is_said_of_the_page_itself_comes_first() -> None:
    text = page("", rdfa(ELSEWHERE, OTHER) + rdfa("", ACT))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert (str(found.name), [each.code for each in found.findings]) == (ACT, ["LX380"])


def test_what_the_page_and_lexurn_say_is_no_contradiction_to_what_it_cites() -> None:
    identifier = f'<meta name="DC.identifier" content="{ACT}">'
    text = page(identifier + ours(ACT) + graph(law(OTHER)))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert (str(found.name), [each.code for each in found.findings]) == (ACT, ["LX380"])


def test_what_an_act_is_about_is_its_subject() -> None:
    text = page(CANONICAL + graph(law(ACT, mainEntityOfPage=HOME, about=law(OTHER))))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


def test_an_act_that_a_page_tells_of_alone_is_not_the_page() -> None:
    text = page(CANONICAL + graph({"@type": "WebPage", "url": HOME, "about": law(ACT)}))
    assert extracted(reading_of(text), file="a.html", format="html").name is None


def test_what_another_page_tells_of_is_not_this_page() -> None:
    other = {"@type": "WebPage", "url": ELSEWHERE, "@id": ELSEWHERE, "about": law(OTHER)}
    text = page(CANONICAL + graph(law(ACT), other))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


def test_where_it_does_not_say_that_it_is_asked_to() -> None:
    text = page(graph(law(OTHER), law(ACT)))
    found = extracted(reading_of(text), file="a.html", format="html")
    assert [each.code for each in found.findings] == ["LX380"]
    assert "mainEntity" in found.findings[0].message
