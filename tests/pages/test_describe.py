"""What is known of one name, in every format."""

from __future__ import annotations

import datetime as dt

import pyoxigraph
import pytest
from export_cases import (
    ACT,
    ANNEX,
    AS_OF,
    BASE,
    FIRST,
    HOSTILE,
    HOSTILE_TITLE,
    NAMES,
    PARTITION,
    PDF,
    SECOND,
    SWISS,
    SWISS_FRENCH,
    THIRD,
    describe_name,
    golden,
    name,
    records,
)
from lxml import html
from rdflib import Graph, URIRef
from rdflib.namespace import DCTERMS, OWL, RDF, Namespace

from lexurn.errors import GraphError
from lexurn.graph import Format, Layer, read
from lexurn.model import LanguageText, Record, families_of
from lexurn.pages import describe

FRBR = Namespace("http://purl.org/vocab/frbr/core#")
LEXO = Namespace("https://w3id.org/lexurn/ns#")


def graph_of(text: str) -> Graph:
    return Graph().parse(data=describe_name(text, "turtle"), format="turtle")


def subjects(text: str) -> set[str]:
    return {str(subject) for subject in graph_of(text).subjects()}


@pytest.mark.parametrize("text", NAMES)
@pytest.mark.parametrize("form", list(Format))
def test_all_formats_say_the_same(text: str, form: Format) -> None:
    merged = read(describe_name(text, form).encode(), form).merged
    assert merged == read(describe_name(text, "turtle").encode(), Format.TURTLE).merged
    assert len(merged) > 5


@pytest.mark.parametrize("text", [ACT, SECOND, SWISS_FRENCH, PARTITION])
def test_text_is_as_agreed(text: str) -> None:
    file = {ACT: "act", SECOND: "version", SWISS_FRENCH: "alias", PARTITION: "partition"}[text]
    golden(f"describe_{file}.txt", describe_name(text, "text"))


def test_turtle_and_json_ld_are_as_agreed() -> None:
    golden("describe_version.ttl", describe_name(SECOND, "turtle"))
    golden("describe_version.jsonld", describe_name(SECOND, "jsonld"))


def test_what_is_nested_is_there() -> None:
    nested = {ACT, FIRST, SECOND, THIRD, PDF, ANNEX, PARTITION, f"{ACT}~art3;par2"}
    assert nested <= subjects(ACT)
    assert "https://files.example/456.pdf" in subjects(ACT)
    assert any(subject.startswith("ni:///sha-256;") for subject in subjects(ACT))


def test_what_is_beside_is_not() -> None:
    found = subjects(SECOND)
    assert {SECOND, PDF, f"{SECOND}~art3"} <= found
    assert not {FIRST, THIRD, ANNEX} & found


def test_what_is_above_says_only_what_its_name_does() -> None:
    graph, act = graph_of(SECOND), URIRef(ACT)
    assert (URIRef(SECOND), FRBR.realizationOf, act) in graph
    assert str(graph.value(act, LEXO.number)) == "456"
    assert graph.value(act, DCTERMS.title) is None
    assert graph.value(act, LEXO.asOf) is None


def test_aliases_and_what_is_under_them_are_there() -> None:
    for text in (SWISS, SWISS_FRENCH):
        graph = graph_of(text)
        assert (URIRef(SWISS_FRENCH), OWL.sameAs, URIRef(SWISS)) in graph
        assert (URIRef(f"{SWISS_FRENCH}@originel:fr"), RDF.type, LEXO.Expression) in graph
        assert (URIRef(f"{SWISS}@original:de"), RDF.type, LEXO.Expression) in graph


def test_addresses_only_with_a_base() -> None:
    address = f"{BASE}/lex/it/stato/legge/2003-09-21;456"
    assert address in subjects(ACT)
    assert BASE not in describe_name(ACT, "turtle", base=None)


def test_a_bare_name_says_what_it_says_itself() -> None:
    text = describe_name(f"{PDF}~art1", "trig", [])
    quads = list(pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TRIG))
    assert {str(quad.graph_name) for quad in quads} == {f"<{Layer.DECODED.iri}>"}
    subjects = {str(quad.subject)[1:-1] for quad in quads}
    assert subjects == {f"{PDF}~art1", PDF, SECOND, ACT}


def test_a_name_unknown_in_a_known_family() -> None:
    unknown = f"{ACT}~art99"
    graph = graph_of(unknown)
    assert (URIRef(unknown), DCTERMS.isPartOf, URIRef(ACT)) in graph


def test_a_family_and_its_records_say_the_same() -> None:
    (family,) = (f for f in families_of(records()) if f.record(name(ACT)))
    for form in ("turtle", "text", "html"):
        assert describe(family, name(ACT), form, as_of=AS_OF, base=BASE) == describe_name(ACT, form)


def test_today_is_the_day_where_none_is_given() -> None:
    now = dt.datetime.now(tz=dt.UTC).date()
    one = describe(records(), name(ACT), "text")
    assert one == describe(records(), name(ACT), "text", as_of=now)


def test_an_unknown_format_is_named() -> None:
    with pytest.raises(GraphError, match="n3"):
        describe_name(ACT, "n3")


def test_text_steers_no_terminal() -> None:
    record = Record(name=name(ACT), titles=(LanguageText(value="\x1b[2J\x9b0m wiped"),))
    text = describe_name(ACT, "text", [record], base=None)
    assert text.startswith("\\u001b[2J\\u009b0m wiped\n")
    assert not any(ord(c) < 32 and c != "\n" for c in text)


def test_text_shows_a_title_as_it_is() -> None:
    assert HOSTILE_TITLE in describe_name(HOSTILE, "text")


def test_html_links_by_address_or_not_at_all() -> None:
    page = html.fromstring(describe_name(SECOND, "html"))
    hrefs = [each.get("href") for each in page.findall(".//body//a[@href]")]
    assert f"{BASE}/lex/it/stato/legge/2003-09-21;456" in hrefs
    bare = html.fromstring(describe_name(SECOND, "html", base=None))
    assert [each.get("href") for each in bare.findall(".//nav//a")] == []
    assert bare.findall(".//link") == []
