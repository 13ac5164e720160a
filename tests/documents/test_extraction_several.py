"""Which of several acts that a page speaks of it is, where it says so."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_cases import ELI, ours, page, reading_of

from lexurn.documents.extraction import interpret_reading

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

PAGES |= {
    "what it is about, wherever it lies": (
        graph(
            law(OTHER, **{"@id": "x:y"}),
            {"@type": "WebPage", "@id": HOME, "mainEntity": law(ACT, **{"@id": "x:z"})},
        ),
        "",
    ),
    "what is of a page, wherever that lies": (
        graph(law(OTHER), law(ACT, mainEntityOfPage=HOME)),
        "",
    ),
}


IRI, CITED = "https://d.example/456", "https://d.example/1"


def rdf(place: str, kind: str, *inner: str) -> str:
    return f'<div about="{place}" typeof="{ELI}{kind}">{"".join(inner)}</div>'


def to(term: str, place: str) -> str:
    return f'<a rel="{ELI}{term}" href="{place}"></a>'


def called(name: str) -> str:
    return f'<span property="{ELI}id_local">{name}</span>'


def beside(**link: object) -> tuple[str, str]:
    """An act that cites another, and something without a name."""
    act, other = law(ACT, **{"@id": IRI, "citation": {"@id": CITED}}), law(OTHER, **{"@id": CITED})
    return graph(act, other, {"@id": "#x", **link}), ""


LED_TO = {
    "by its version": (
        "",
        rdf(IRI, "LegalResource", called(ACT), to("cites", CITED))
        + rdf(f"{HOME}/it", "LegalExpression", to("realizes", IRI))
        + rdf(CITED, "LegalResource", called(OTHER)),
    ),
    "by its version, both ways": (
        "",
        rdf(IRI, "LegalResource", called(ACT), to("is_realized_by", "#x"), to("cites", CITED))
        + rdf("#x", "LegalExpression", to("realizes", IRI), to("is_embodied_by", "#y"))
        + rdf("#y", "Format", to("embodies", "#x"))
        + rdf(CITED, "LegalResource", called(OTHER)),
    ),
    "by its parts": (
        "",
        rdf(IRI, "LegalResource", called(ACT))
        + "".join(
            rdf(f"#{x}", "LegalResourceSubdivision", called(f"{ACT}~art{x}"), to("is_part_of", IRI))
            for x in (1, 2)
        ),
    ),
    "by its file": beside(**{"@type": "LegislationObject", "encodesCreativeWork": {"@id": IRI}}),
    "by a comment": beside(**{"@type": "Comment", "about": {"@id": IRI}}),
    "by a collection": beside(**{"@type": "Collection", "hasPart": {"@id": IRI}}),
    "by its publisher": beside(**{"@type": "Organization", "owns": {"@id": IRI}}),
    "as the one version of an act": (
        "",
        rdf("#x", "LegalResource", to("is_realized_by", IRI), to("cites", CITED))
        + rdf(IRI, "LegalExpression", called(ACT))
        + rdf(CITED, "LegalResource", called(OTHER)),
    ),
    "by the journal that it is in": (
        graph(
            law(ACT, **{"@id": IRI, "isPartOf": {"@id": "#x"}, "citation": law(OTHER)}),
            {"@type": "PublicationIssue", "@id": "#x", "hasPart": {"@id": IRI}},
        ),
        "",
    ),
    "by the top of the page": beside(
        **{
            "@type": "BreadcrumbList",
            "itemListElement": [{"@type": "ListItem", "item": {"@id": IRI}}],
        }
    ),
    "by what is sold of it": (
        CANONICAL + graph(law(ACT, offers={"@type": "Offer", "url": HOME})),
        "",
    ),
    "by its translation": (
        CANONICAL
        + graph(
            {"@type": "Legislation", "@id": HOME, "translationOfWork": {"@id": IRI}},
            law(ACT, **{"@id": IRI, "workTranslation": {"@id": HOME}}),
        ),
        "",
    ),
    "by its page": (
        CANONICAL
        + graph({"@type": "WebPage", "@id": HOME, "url": HOME, "mainEntityOfPage": HOME}, law(ACT)),
        "",
    ),
}


@pytest.mark.parametrize("case", LED_TO)
def test_what_is_of_an_act_and_leads_to_it_does_not_make_it_another(case: str) -> None:
    found = interpret_reading(reading_of(page(*LED_TO[case])), file="a.html", format="html")
    assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


REFERENCES = {
    "main entity": {"@type": "WebPage", "@id": HOME, "mainEntity": {"@id": ACT}},
    "main entity, as a text": {"@type": "WebPage", "@id": HOME, "mainEntity": ACT},
    "property": {
        "@type": "Legislation",
        "@id": HOME,
        "identifier": {"@type": "PropertyValue", "propertyID": "urn:lex", "value": ACT},
    },
    "the same": {"@type": "Legislation", "@id": HOME, "sameAs": ACT},
}


@pytest.mark.parametrize("case", REFERENCES)
def test_a_name_is_read_where_it_is_referred_to(case: str) -> None:
    for head in ("", CANONICAL, CANONICAL + graph(law(OTHER, **{"@id": CITED}))):
        text = page(head + graph(REFERENCES[case]))
        found = interpret_reading(reading_of(text), file="a.html", format="html")
        assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


@pytest.mark.parametrize(
    "place",
    [
        *(f"{HOME}/", "http://l.example/456", "https://L.EXAMPLE:443/%34%35%36", "/456"),
        "https://l.example:x/456",
    ],
)
def test_a_place_is_known_however_it_is_written(place: str) -> None:
    found = interpret_reading(
        reading_of(
            page(CANONICAL + graph(law(OTHER, **{"@id": ELSEWHERE}), law(ACT, **{"@id": place})))
        ),
        file="a.html",
        format="html",
    )
    is_known = ":x" not in place
    assert [str(each.name) for each in found.names] == ([ACT] if is_known else [OTHER, ACT])


THINGS_THERE = {
    "an issue that has it": [{"@type": "PublicationIssue", "@id": HOME, "hasPart": law(ACT)}],
    "an issue that it is in": [
        {"@type": "PublicationIssue", "@id": HOME},
        law(ACT, isPartOf={"@id": HOME}),
    ],
    "an act without a name that changes it": [
        {"@type": "Legislation", "@id": HOME, "legislationChanges": {"@id": IRI}},
        law(ACT, **{"@id": IRI, "legislationChangedBy": {"@id": HOME}}),
    ],
    "news that it is the subject of": [
        {"@type": "NewsArticle", "@id": HOME, "about": {"@id": IRI}},
        law(ACT, **{"@id": IRI, "subjectOf": {"@id": HOME}}),
    ],
    "news on a page": [{"@type": ["WebPage", "NewsArticle"], "@id": HOME, "about": law(ACT)}],
    "a film about it": [
        {"@type": "WebPage", "@id": HOME, "mainEntity": {"@type": "VideoObject", "about": law(ACT)}}
    ],
    "an article of it": [{"@type": "Legislation", "@id": HOME, "isPartOf": law(ACT)}],
    "news in another spelling of the place": [
        {"@type": "NewsArticle", "@id": f"{HOME}/", "about": {"@id": IRI}},
        law(ACT, **{"@id": IRI, "subjectOf": {"@id": f"{HOME}/"}}),
    ],
    "news of a page in the place": [
        {"@type": "NewsArticle", "@id": "#x", "mainEntityOfPage": {"@id": f"{HOME}#page"}},
        law(ACT, subjectOf={"@id": "#x"}),
    ],
    "what a page without a place is about": [
        {"@type": "WebPage", "mainEntity": {"@type": "VideoObject", "about": law(ACT)}}
    ],
    "a version of an act that changes it": [
        {"@type": "Legislation", "@id": HOME, "exampleOfWork": {"@id": "#x"}},
        {"@type": "Legislation", "@id": "#x", "legislationChanges": {"@id": IRI}},
        law(ACT, **{"@id": IRI, "legislationChangedBy": {"@id": "#x"}}),
    ],
    "news about a version of it": [
        {"@type": "NewsArticle", "@id": HOME, "about": {"@id": "#x"}},
        law(ACT, workExample=law(f"{ACT}@2005-01-01:it", **{"@id": "#x"})),
    ],
    "news with a comment about it": [
        {"@type": "NewsArticle", "url": HOME, "comment": {"@type": "Comment", "about": law(ACT)}}
    ],
    "an act without a name, with a comment": [
        {"@type": "Legislation", "@id": HOME, "comment": {"@type": "Comment", "about": law(ACT)}}
    ],
    "questions about it": [
        {"@type": ["WebPage", "FAQPage"], "@id": HOME, "about": {"@id": IRI}},
        law(ACT, **{"@id": IRI, "subjectOf": {"@id": HOME}}),
    ],
}


def test_what_a_comment_on_an_act_is_about_is_no_doubt_of_it() -> None:
    text = page(graph(law(ACT, comment={"@type": "Comment", "about": law(OTHER)})))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


@pytest.mark.parametrize("case", THINGS_THERE)
def test_what_the_page_is_by_its_place_is_no_act_that_it_leads_to(case: str) -> None:
    text = page(CANONICAL + graph(*THINGS_THERE[case]))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert (found.name, found.findings) == (None, ())
    text = page(CANONICAL + graph(*THINGS_THERE[case], law(OTHER)))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert [each.code for each in found.findings] == ["LX380"]


def test_acts_that_have_versions_stand_by_themselves() -> None:
    nodes = []
    for place, name in ((IRI, ACT), (CITED, OTHER)):
        version = f"{place}/it"
        nodes += [
            law(name, **{"@id": place, "workExample": {"@id": version}}),
            law(f"{name}@2005-01-01:it", **{"@id": version, "exampleOfWork": {"@id": place}}),
        ]
    for several in (nodes, nodes[:3]):
        found = interpret_reading(reading_of(page(graph(*several))), file="a.html", format="html")
        assert [str(each.name) for each in found.names] == [ACT, OTHER]
        assert [each.code for each in found.findings] == ["LX380"]


def test_an_act_that_is_only_referred_to_as_the_work_of_the_page_is_it() -> None:
    node = {"@type": "Legislation", "@id": HOME, "exampleOfWork": {"@id": ACT}}
    found = interpret_reading(
        reading_of(page(CANONICAL + graph(node))), file="a.html", format="html"
    )
    assert (str(found.name), found.findings) == (ACT, ())


def test_where_a_resolver_finds_an_act_is_its_name() -> None:
    url = "https://www.example/uri-res/N2Ls?urn:nir:stato:legge:2003-09-21;456"
    found = interpret_reading(
        reading_of(page(f'<link rel="canonical" href="{url}">')), file="a.html", format="html"
    )
    assert str(found.name) == ACT


LISTS = {
    "of one": [{"@type": "ItemList", "itemListElement": [{"item": law(OTHER)}]}],
    "of parts": [
        {"@type": "PublicationIssue", "@id": "#x", "hasPart": [{"@id": IRI}, {"@id": CITED}]},
        law(ACT, **{"@id": IRI, "isPartOf": {"@id": "#x"}}),
        law(OTHER, **{"@id": CITED, "isPartOf": {"@id": "#x"}}),
    ],
    "at the top of news": [
        {"@type": "NewsArticle", "about": law(ACT)},
        {"@type": "BreadcrumbList", "itemListElement": [{"@type": "ListItem", "item": law(OTHER)}]},
    ],
    "of an issue": [
        {"@type": "PublicationIssue", "@id": "#x", "hasPart": [law(ACT), {"name": "another"}]},
    ],
    "that lead to other news": [
        {"@type": "NewsArticle", "name": "x"},
        {
            "@type": "BreadcrumbList",
            "itemListElement": [
                {"@type": "ListItem", "position": 1, "item": law(ACT)},
                {"@type": "ListItem", "position": 2, "name": "news"},
            ],
        },
    ],
    "of what news cites": [
        {"@type": "NewsArticle", "about": law(ACT, citation=law(OTHER))},
    ],
}


@pytest.mark.parametrize("case", LISTS)
def test_a_page_that_only_tells_of_acts_is_none(case: str) -> None:
    found = interpret_reading(reading_of(page(graph(*LISTS[case]))), file="a.html", format="html")
    assert (found.name, found.findings) == (None, ())


PERHAPS = {
    "what a page elsewhere is not about": (
        CANONICAL
        + graph(
            {"@type": "WebPage", "@id": HOME, "about": law(ACT)},
            {"@type": "WebPage", "url": ELSEWHERE, "mainEntity": law(OTHER)},
        ),
        "",
    ),
    "what the page tells of": (
        CANONICAL
        + graph(
            law(OTHER, **{"@id": ELSEWHERE}),
            {"@type": "WebPage", "@id": f"{HOME}#page", "url": HOME, "about": {"@id": "x:y"}},
            law(ACT, **{"@id": "x:y"}),
        ),
        "",
    ),
    "what stands beside an article, and not what that tells of": (
        CANONICAL
        + graph(
            {"@type": "Article", "mainEntityOfPage": HOME, "about": law(OTHER)},
            law(ACT),
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
    "what stands in its place": (
        CANONICAL + graph(law(OTHER, **{"@id": ELSEWHERE}), law(ACT, **{"@id": f"{HOME}#act"})),
        "",
    ),
}


@pytest.mark.parametrize("case", PAGES)
def test_the_page_says_which_it_is(case: str) -> None:
    found = interpret_reading(reading_of(page(*PAGES[case])), file="a.html", format="html")
    assert [str(each.name) for each in found.names] == [ACT]
    assert found.findings == ()


@pytest.mark.parametrize("case", PERHAPS)
def test_what_may_be_the_page_is_it_with_a_word_of_the_others(case: str) -> None:
    found = interpret_reading(reading_of(page(*PERHAPS[case])), file="a.html", format="html")
    assert [str(each.name) for each in found.names] == [ACT, OTHER]
    assert [each.code for each in found.findings] == ["LX380"]


def test_a_version_is_cited_by_the_name_of_its_act() -> None:
    version = f"{ACT}@2005-01-01:it"
    text = page(f'<link rel="cite-as" href="{ACT}">' + graph(law(version)))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert (str(found.name), found.findings) == (version, ())


def test_a_page_of_several_versions_is_the_act() -> None:
    names = [ACT, f"{ACT}@2005-01-01:it", f"{ACT}@2006-01-01:it"]
    text = page("".join(f'<meta name="DC.identifier" content="{each}">' for each in names))
    assert str(interpret_reading(reading_of(text), file="a.html", format="html").name) == ACT


def test_what_is_said_of_the_page_itself_comes_first() -> None:
    text = page("", rdfa(ELSEWHERE, OTHER) + rdfa("", ACT))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert (str(found.name), [each.code for each in found.findings]) == (ACT, ["LX380"])


def test_what_the_page_and_lexurn_say_is_no_contradiction_to_what_it_cites() -> None:
    identifier = f'<meta name="DC.identifier" content="{ACT}">'
    text = page(identifier + ours(ACT) + graph(law(OTHER)))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert (str(found.name), [each.code for each in found.findings]) == (ACT, ["LX380"])


def test_what_an_act_is_about_is_its_subject() -> None:
    text = page(CANONICAL + graph(law(ACT, mainEntityOfPage=HOME, about=law(OTHER))))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


@pytest.mark.parametrize(("kind", "name"), [("WebPage", ACT), ("Article", None)])
def test_an_act_that_a_page_tells_of_alone_is_the_page_but_no_article(
    kind: str, name: str | None
) -> None:
    text = page(CANONICAL + graph({"@type": kind, "url": HOME, "about": law(ACT)}))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert (found.name and str(found.name), found.findings) == (name, ())


def test_what_another_page_tells_of_is_not_this_page() -> None:
    other = {"@type": "WebPage", "url": ELSEWHERE, "@id": ELSEWHERE, "about": law(OTHER)}
    text = page(CANONICAL + graph(law(ACT), other))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert ([str(each.name) for each in found.names], found.findings) == ([ACT], ())


def test_where_it_does_not_say_that_it_is_asked_to() -> None:
    text = page(graph(law(OTHER), law(ACT)))
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    assert [each.code for each in found.findings] == ["LX380"]
    assert "mainEntity" in found.findings[0].message


RELATED = st.sampled_from(
    [
        *("citation", "legislationChanges", "isBasedOn", "about", "mentions", "isPartOf"),
        *("hasPart", "workExample", "exampleOfWork", "subjectOf", "encodesCreativeWork"),
    ]
)
KINDS = st.sampled_from(
    ["WebPage", "Article", "ItemList", "BreadcrumbList", "Comment", "Dataset", "Collection"]
)
THINGS = st.lists(
    st.tuples(KINDS, st.sampled_from([None, "#x", f"{HOME}#y", ELSEWHERE]), RELATED), max_size=3
)


@given(st.data())
def test_no_page_that_says_which_act_it_is_is_another_without_a_word(data: st.DataObject) -> None:
    act: dict[str, object] = law(ACT, **{"@id": IRI})
    other: dict[str, object] = law(OTHER, **{"@id": CITED})
    for one, target in ((act, CITED), (other, IRI)):
        if data.draw(st.booleans()):
            one[data.draw(RELATED)] = {"@id": target}
    nodes = [act, other]
    way = data.draw(st.sampled_from(["main entity", "of page", "place", "of a page"]))
    if way == "main entity":
        nodes.append({"@type": "WebPage", "@id": HOME, "mainEntity": {"@id": IRI}})
    elif way == "place":
        act["url"] = HOME
    else:
        act["mainEntityOfPage"] = HOME
    for kind, place, term in data.draw(THINGS):
        where = {} if place is None else {"@id": place}
        target = data.draw(st.sampled_from([IRI, CITED]))
        nodes.append({"@type": kind, **where, term: {"@id": target}})
    text = page(
        ("" if way == "of a page" else CANONICAL) + graph(*data.draw(st.permutations(nodes)))
    )
    found = interpret_reading(reading_of(text), file="a.html", format="html")
    names = [str(each.name) for each in found.names]
    assert names[:1] == [ACT] or "LX380" in [each.code for each in found.findings]
    assert ACT in names
