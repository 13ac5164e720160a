"""What documents say of themselves, in the terms of lexurn; and the common slips."""

from __future__ import annotations

import datetime as dt
import json

import pytest
from reading_cases import ACT, DC, DCTERMS, ELI, IANA, SCHEMA, ours, page, reading_of

from lexurn.documents import Notation, Reading, Statement, document_from_bytes, extract_document
from lexurn.documents.extraction import interpret_reading
from lexurn.documents.names import classify_identifier
from lexurn.documents.results import Extraction
from lexurn.documents.terms import FIELDS_BY_TERM
from lexurn.model import LanguageText, LegalForce, Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

OLD, NEW = f"{ACT}@originale:it", f"{ACT}@2005-01-01:it"
LATEST, FILE = f"{ACT}@2009-07-01:it", f"{ACT}@2005-01-01:it$parlamento.it:text-html"
OTHER = "urn:lex:it:stato:legge:2010-01-01;1"
AKN = "http://docs.oasis-open.org/legaldocml/ns/akn/3.0#"
IANA_TYPES = "http://www.iana.org/assignments/media-types/"
HTML = frozenset({"text/html"})


def of(text: str, *, is_embedded_only: bool = False) -> Extraction:
    return interpret_reading(
        reading_of(text),
        file="a.html",
        format="html",
        media_types=HTML,
        is_embedded_only=is_embedded_only,
    )


def says(
    *said: tuple[str | None, str, str], notation: Notation = Notation.META, is_iri: bool = False
) -> Extraction:
    statements = tuple(
        Statement(notation=notation, subject=s, term=p, value=o, is_iri=is_iri, line=at)
        for at, (s, p, o) in enumerate(said, 1)
    )
    return interpret_reading(
        Reading(statements=statements), file="a", format="html", media_types=HTML
    )


def head_of(*lines: str) -> Extraction:
    return of(page("\n".join(lines)))


def identifier(name: str) -> str:
    return f'<meta name="DC.identifier" content="{name}">'


def link(rel: str, name: str) -> str:
    return f'<link rel="{rel}" href="{name}">'


def block(value: dict[str, object]) -> str:
    text = json.dumps({"@context": "https://schema.org", **value})
    return f'<script type="application/ld+json">{text}</script>'


def json_ld_of(name: str) -> str:
    return block({"@id": name, "@type": "Legislation"})


# Names


IDENTIFIED = {
    "DC": identifier(NEW),
    "DCTERMS": f'<meta name="DCTERMS.identifier" content="{NEW}">',
    "a bare name": f'<meta name="urn:lex" content="{NEW}">',
    "legislationIdentifier": block({"@type": "Legislation", "legislationIdentifier": NEW}),
    "an @id": block({"@type": "Legislation", "@id": NEW}),
    "main entity": block({"@type": "WebPage", "mainEntity": {"@id": NEW, "name": "x"}}),
    "HTTP": block(
        {
            "@type": "Legislation",
            "@id": "https://a.example/b/lex/it/stato/legge/2003-09-21;456/@/2005-01-01/it",
        }
    ),
    "id_local": f'<meta about="https://a.example/eli/1" property="{ELI}id_local" content="{NEW}">',
    "microdata": f'<div itemscope itemtype="https://schema.org/Legislation" itemid="{NEW}">'
    '<b itemprop="name">x</b></div>',
}


@pytest.mark.parametrize("way", IDENTIFIED)
def test_names(way: str) -> None:
    found = head_of(IDENTIFIED[way])
    assert str(found.name) == NEW
    assert len(found.names) == 1
    assert found.findings == ()


def test_a_name_is_told_once_with_all_places() -> None:
    found = head_of(identifier(NEW), IDENTIFIED["DCTERMS"], IDENTIFIED["legislationIdentifier"])
    (name,) = found.names
    assert [(each.notation, each.line) for each in name.occurrences] == [
        (Notation.META, 3),
        (Notation.META, 4),
        (Notation.JSON_LD, 5),
    ]


def test_what_a_page_mentions_is_not_what_it_is() -> None:
    versions = [{"@type": "Legislation", "@id": each, "name": each} for each in (OLD, NEW)]
    found = head_of(block({"@type": "Legislation", "@id": ACT, "workExample": versions}))
    assert [str(each.name) for each in found.names] == [ACT]
    assert [str(each) for each in found.named("hasVersion")] == [OLD, NEW]
    assert found.titles == ()


def test_things_that_lead_to_each_other_are_the_first() -> None:
    text = (
        f'<link about="{ACT}" property="{ELI}is_realized_by" href="{NEW}">'
        f'<link about="{NEW}" property="{ELI}realizes" href="{ACT}">'
        f'<meta about="{NEW}" property="{ELI}title" content="x">'
    )
    assert str(head_of(text).name) == ACT


def rdfa(term: str, target: str, kind: str = "LegalExpression") -> str:
    return f'<a property="{ELI}{term}" typeof="{ELI}{kind}" href="{target}">x</a>'


def graph(*nodes: dict[str, object]) -> str:
    return block({"@graph": [{"@type": "Legislation", **node} for node in nodes]})


LINKED = {
    "a version": (identifier(ACT), rdfa("is_realized_by", OLD), ACT),
    "another act": (identifier(ACT), rdfa("cites", OTHER), ACT),
    "another act alone": ("", rdfa("cites", OTHER), None),
    "acts that name each other": (
        link("DCTERMS.hasVersion", NEW),
        rdfa("cites", ACT)
        + f'<link about="{ACT}" property="{ELI}cites" href="{OTHER}">'
        + f'<link about="{OTHER}" property="{ELI}cites" href="{ACT}">',
        None,
    ),
    "plain strings": (
        graph({"@id": ACT, "workExample": [OLD, NEW]}, {"@id": OLD}, {"@id": NEW}),
        "",
        ACT,
    ),
    "itself as the same": (
        f'<link property="{SCHEMA}sameAs" href="{OLD}">',
        json_ld_of(OLD),
        OLD,
    ),
    "what it is to be cited by": (link("cite-as", OLD), "", OLD),
    "its canonical place, a name": (link("canonical", OLD), "", OLD),
    "what others are to be cited by": (link("cite-as", OTHER), identifier(OLD), OLD),
    "where it is to be cited by": (link("cite-as", "https://law.example/1"), "", None),
    "itself in another language": (link("alternate", OLD), json_ld_of(OLD), OLD),
    "itself by its identifier": (link("DC.identifier", OLD), json_ld_of(OLD), OLD),
    "itself by where it lies": (
        f'<link property="{SCHEMA}url" href="{OLD}">',
        json_ld_of(OLD),
        OLD,
    ),
    "its own name again": (
        identifier(OLD),
        json_ld_of(OLD) + graph({"@id": ACT, "workExample": {"@id": OLD}}),
        OLD,
    ),
    "what a piece of news is about": (
        block({"@type": "NewsArticle", "about": {"@type": "Legislation", "@id": ACT}}),
        "",
        None,
    ),
    "what a list of acts leads to": (
        block(
            {
                "@type": "ItemList",
                "itemListElement": [{"item": {"@id": ACT}}, {"item": {"@id": OTHER}}],
            }
        ),
        json_ld_of(ACT) + json_ld_of(OTHER),
        None,
    ),
    "where it stands in the site": (
        block({"@type": "BreadcrumbList", "itemListElement": [{"item": {"@id": ACT}}]}),
        json_ld_of(ACT),
        ACT,
    ),
    "what the page is about": (
        block({"@type": "WebPage", "mainEntity": {"@type": "Legislation", "@id": ACT}}),
        "",
        ACT,
    ),
    "versions that lead back": (
        identifier(ACT),
        graph(*({"@id": each, "exampleOfWork": {"@id": ACT}} for each in (OLD, NEW))),
        ACT,
    ),
    "another act that amends it": (
        identifier(ACT),
        graph({"@id": OTHER, "legislationAmends": {"@id": ACT}}),
        ACT,
    ),
    "a part of it": (
        identifier(ACT),
        graph({"@id": f"{ACT}~art1", "isPartOf": {"@id": ACT}}),
        ACT,
    ),
    "a version, and the name of its act": (
        identifier(ACT),
        graph({"@id": NEW, "exampleOfWork": {"@id": ACT}, "citation": {"@id": ACT}}),
        NEW,
    ),
    "a version that is named, and others": (
        identifier(ACT) + identifier(NEW),
        graph(*({"@id": each, "exampleOfWork": {"@id": ACT}} for each in (OLD, NEW))),
        NEW,
    ),
    "a version that has an address": (
        identifier(ACT) + identifier(NEW),
        graph(
            {"@id": OLD, "exampleOfWork": {"@id": ACT}},
            {"@id": "https://a.example/1", "identifier": NEW, "exampleOfWork": {"@id": ACT}},
        ),
        NEW,
    ),
    "what it is about": (
        "",
        f'<a property="{SCHEMA}mainEntity" typeof="x:T" href="{OLD}">x</a>',
        OLD,
    ),
}


@pytest.mark.parametrize("case", LINKED)
def test_what_a_page_links_to_is_not_what_it_is(case: str) -> None:
    head, body, name = LINKED[case]
    found = of(page(head, body))
    assert (None if found.name is None else str(found.name)) == name
    assert not {"LX380", "LX387"} & {each.code for each in found.findings}


@pytest.mark.parametrize(
    "relation",
    [
        *("canonical", "cite-as", "current", "first"),
        *("last", "latest-version", "self", "version-history"),
    ],
)
def test_what_a_page_links_to_as_itself_is_the_page(relation: str) -> None:
    law = {"@id": OLD, "@type": "Legislation", "name": "Legge 456"}
    found = head_of(link(relation, OLD), block(law))
    assert (str(found.name), [each.value for each in found.titles]) == (OLD, ["Legge 456"])
    assert not {"LX380", "LX387"} & {each.code for each in found.findings}


def test_what_has_the_name_of_the_page_is_the_page_whatever_leads_there() -> None:
    version = {"@id": OLD, "@type": "Legislation", "name": "Legge 456"}
    act = {"@id": ACT, "@type": "Legislation", "workExample": {"@id": OLD}}
    found = head_of(identifier(OLD), block(version), block(act))
    assert ([each.value for each in found.titles], found.findings) == (["Legge 456"], ())


LAW = {"@type": "Legislation", "name": "Legge 456", "datePublished": "2003-09-22"}


@pytest.mark.parametrize(
    ("head", "titles"),
    [
        (identifier(ACT) + block(LAW), ["Legge 456"]),
        (identifier(ACT) + block({**LAW, "@id": "https://a.example/eli/1"}), ["Legge 456"]),
        (identifier(ACT) + block({**LAW, "@id": OTHER, "isPartOf": {"@id": ACT}}), []),
        (identifier(ACT) + block(LAW) + block(LAW), []),
        (identifier(ACT) + block({"@type": "Organization", "identifier": "5", "name": "x"}), []),
        (identifier(ACT) + block({**LAW, "@id": ACT}) + block({**LAW, "name": "x"}), ["Legge 456"]),
        (identifier(ACT) + block({"@type": "WebPage", "citation": LAW}), []),
        (
            block({**LAW, "@id": ACT, "@type": "WebPage"}) + block({**LAW, "name": "x"}),
            ["Legge 456"],
        ),
        (ours(ACT) + block(LAW), ["Legge 456"]),
    ],
)
def test_the_only_law_of_a_page_is_what_has_its_name(head: str, titles: list[str]) -> None:
    found = of(page(head))
    assert str(found.name) == ACT
    assert [each.value for each in found.titles] == titles
    assert found.published == (dt.date(2003, 9, 22) if titles else None)


def test_an_iri_is_a_name_whatever_other_identifier_there_is() -> None:
    found = head_of(block({"@id": ACT, "identifier": "32003L0456"}))
    assert str(found.name) == ACT
    assert [(each.scheme, each.value) for each in found.identifiers] == [("celex", "32003L0456")]


def test_names_at_several_levels_agree() -> None:
    found = says(
        (None, f"{AKN}FRBRWork.FRBRalias.urn:lex", ACT),
        (None, f"{AKN}FRBRWork.FRBRuri", "/akn/it/act/2003/456"),
        (None, f"{AKN}FRBRExpression.FRBRalias.urn:lex", NEW),
        (None, f"{AKN}FRBRExpression.FRBRlanguage", "ita"),
        notation=Notation.AKOMA_NTOSO,
    )
    assert str(found.name) == NEW
    assert [str(each.name) for each in found.names] == [NEW, ACT]
    assert [(each.scheme, each.value) for each in found.identifiers] == [
        ("akn", "/akn/it/act/2003/456")
    ]
    assert (found.languages, found.findings) == (("it",), ())


@pytest.mark.parametrize(
    ("text", "name", "code"),
    [
        ("urn:nir:stato:legge:2003-09-21;456", ACT, "LX385"),
        (
            "urn:lex:br:federal:lei:1990-07-11;8069!art2",
            "urn:lex:br:federal:lei:1990-07-11;8069~art2",
            "LX385",
        ),
        ("urn:lex:it:stato:legge:2003-9-21;456", ACT, "LX385"),
        ("urn:lex:it;stato:legge:2003-09-21;456", ACT, "LX385"),
    ],
)
def test_names_in_dialects(text: str, name: str, code: str) -> None:
    found = head_of(identifier(text))
    assert str(found.name) == name
    assert found.names[0].spellings == (text,)
    assert code in [each.code for each in found.findings]


@pytest.mark.parametrize("name", ["urn:lex:br:federal:lei:2008-06-19;11705", ACT.upper()])
def test_a_name_that_is_one_is_in_no_dialect(name: str) -> None:
    found = head_of(identifier(name))
    assert (str(found.name), found.names[0].spellings) == (name.lower(), ())
    assert "LX385" not in {each.code for each in found.findings}


def test_a_name_with_an_error_is_said_at_its_place() -> None:
    found = head_of(identifier("urn:lex:ch:staat:gesetz:2006-05-14;22@original:DE_CH"))
    assert found.name is None
    (problem,) = [each for each in found.findings if each.code == "LX203"]
    assert problem.text[problem.start : problem.end] == "DE_CH"
    assert (problem.line, problem.suggestion) == (
        3,
        "urn:lex:ch:staat:gesetz:2006-05-14;22@original:de-ch",
    )


# Everything else that is said


def test_what_lexurn_wrote_comes_back() -> None:
    record = Record(
        name=parse(NEW),
        titles=(LanguageText(value="Norme", language="it"), LanguageText(value="x")),
        issued=dt.date(2003, 9, 22),
        published=dt.date(2003, 9, 23),
        modified=dt.date(2020, 1, 1),
        in_force_from=dt.date(2005, 2, 1),
        in_force_until=dt.date(2009, 8, 1),
        amended_by=(parse(OTHER),),
        licenses=("https://l.example/",),
        publishers=("Stato", "https://p.example/"),
        creators=("Camera",),
        subjects=("acqua",),
    )
    records = (record, Record(name=parse(OLD)), Record(name=parse(LATEST)))
    for base in (None, "https://law.example"):
        marking = make_document_metadata(record.name, records, base=base)
        found = of(page(ours(NEW, records, base=base)), is_embedded_only=True)
        assert str(found.name) == NEW
        assert found.names[0].is_embedded
        assert set(found.titles) == set(marking.titles)
        assert (found.languages, found.findings) == (("it",), ())
        for field in ("issued", "published", "modified", "in_force_from", "in_force_until"):
            assert getattr(found, field) == getattr(record, field)
        for field in ("licenses", "creators", "subjects"):
            assert getattr(found, field) == getattr(record, field)
        assert set(found.publishers) == set(record.publishers)
        assert found.named("consolidates") == (parse(OTHER),)
        assert found.named("isVersionOf") == (parse(ACT),)
        if base is not None:
            assert found.named("first") == found.named("previous") == (parse(OLD),)
            assert found.named("current") == (parse(ACT),)


ACT_FROM, ACT_UNTIL = dt.date(2005, 1, 1), dt.date(2010, 1, 1)
FORCE = f'<meta property="{ELI}first_date_entry_in_force" content="2005-01-01">'
INTERVALS = {
    "one after the other": ("", ["2005-01-01/..", "2003-01-01/2004-12-31"], ACT_FROM, None),
    "the first says nothing": ("", ["../..", "x", "2005-01-01/2009-12-31"], ACT_FROM, ACT_UNTIL),
    "an open beginning": ("", ["../2009-12-31", "2003-01-01/2004-12-31"], None, ACT_UNTIL),
    "another that begins otherwise": (FORCE, ["2003-01-01/2004-12-31"], ACT_FROM, None),
    "the same once more": (FORCE, ["2005-01-01/2009-12-31"], ACT_FROM, ACT_UNTIL),
    "its end alone": (FORCE, ["../2009-12-31"], ACT_FROM, ACT_UNTIL),
}


@pytest.mark.parametrize("case", INTERVALS)
def test_days_of_two_intervals_are_not_mixed(case: str) -> None:
    head, intervals, start, end = INTERVALS[case]
    found = head_of(head, block({"@id": NEW, "temporalCoverage": intervals}))
    assert (found.in_force_from, found.in_force_until) == (start, end)


FORCES = {
    f"{ELI}InForce-inForce": LegalForce.IN_FORCE,
    f"{ELI}InForce-notInForce": LegalForce.NOT_IN_FORCE,
    f"{ELI}InForce-partiallyInForce": LegalForce.PARTLY_IN_FORCE,
    f"{ELI}InForce-gone": None,
    "https://example.org/InForce-inForce": None,
}


@pytest.mark.parametrize("value", FORCES)
def test_a_state_of_force_of_eli_is_read(value: str) -> None:
    found = head_of(identifier(NEW), f'<link property="{ELI}in_force" href="{value}">')
    assert found.force == FORCES[value]


@pytest.mark.parametrize(
    ("value", "force"),
    [
        ("https://schema.org/InForce", LegalForce.IN_FORCE),
        ("http://schema.org/PartiallyInForce", LegalForce.PARTLY_IN_FORCE),
        ("NotInForce", LegalForce.NOT_IN_FORCE),
        ("in vigore", None),
    ],
)
def test_a_state_of_force_of_schema_org_is_read(value: str, force: LegalForce | None) -> None:
    assert head_of(block({"@id": NEW, "legislationLegalForce": value})).force == force


def test_the_first_known_state_of_force_counts() -> None:
    states = [f"{ELI}InForce-gone", f"{ELI}InForce-notInForce", f"{ELI}InForce-inForce"]
    links = "".join(f'<link property="{ELI}in_force" href="{each}">' for each in states)
    assert head_of(identifier(NEW), links).force is LegalForce.NOT_IN_FORCE


def test_ours_only() -> None:
    text = page(f'<meta name="DC.title" content="x">{ours(NEW)}')
    assert of(text).titles == (LanguageText(value="x"),)
    assert of(text, is_embedded_only=True).titles == ()


def test_where_only_ours_counts_others_are_not_judged() -> None:
    slips = (
        '<meta property="dcterms.title" content="x"><script type="application/ld+json">{</script>'
    )
    document = document_from_bytes(page(ours(NEW) + slips).encode(), "a.html")
    assert {each.code for each in extract_document(document).findings} == {"LX372"}
    assert extract_document(document, is_embedded_only=True).findings == ()


def test_a_tag_that_is_none_is_told_where_it_stands_first() -> None:
    text = page(identifier(NEW) + '<meta name="DC.title" content="x">' * 2, language="it_IT")
    found = [each for each in of(text).findings if each.code == "LX378"]
    assert [each.line for each in found] == [2]


def test_agents_and_coverage_in_json_ld() -> None:
    found = head_of(
        block(
            {
                "@id": NEW,
                "publisher": {"@type": "Organization", "name": "Stato"},
                "temporalCoverage": "2005-02-01/2009-07-31",
                "license": "https://l.example/",
                "sameAs": ["https://a.example/eli/1", OTHER],
                "inLanguage": "IT",
            }
        )
    )
    assert found.publishers == ("Stato",)
    assert (found.in_force_from, found.in_force_until) == (dt.date(2005, 2, 1), dt.date(2009, 8, 1))
    assert found.licenses == ("https://l.example/",)
    assert [(each.scheme, each.value) for each in found.identifiers] == [
        ("eli", "https://a.example/eli/1")
    ]
    assert found.named("sameAs") == (parse(OTHER),)
    assert found.languages == ("it",)


@pytest.mark.parametrize(
    ("value", "scheme"),
    [
        ("http://www.boe.es/eli/es/lo/1978/12/27/1", "eli"),
        ("/eli/es/lo/1978", "eli"),
        ("ECLI:EU:C:2019:1", "ecli"),
        ("32016R0679", "celex"),
        ("CELEX:32016R0679", "celex"),
        ("doi:10.2861/1", "doi"),
        ("https://doi.org/10.2861/1", "doi"),
        ("978-92-78-40000-0", "isbn"),
        ("/akn/it/act/2003/456", "akn"),
        ("https://a.example/x", "http"),
        ("urn:uuid:1", "urn"),
        ("456/2003", "other"),
        ("", "other"),
    ],
)
def test_schemes(value: str, scheme: str) -> None:
    assert classify_identifier(value) == scheme


# Slips


def json_ld(**facts: object) -> str:
    return block({"@id": NEW, **facts})


SLIPS = {
    "force of ELI and schema.org mixed": (
        json_ld(legislationLegalForce="InForce-NotInForce"),
        "LX376",
        f"{SCHEMA}NotInForce",
    ),
    "force in words": (json_ld(legislationLegalForce="in vigore"), "LX376", None),
    "media type": (json_ld(encodingFormat="application/html"), "LX377", "text/html"),
    "media type of ELI": (
        f'<link about="{NEW}" property="{ELI}format" href="{IANA_TYPES}application/html">',
        "LX377",
        f"{IANA_TYPES}text/html",
    ),
    "three letters": (json_ld(inLanguage="eng"), "LX378", "en"),
    "underscore": (json_ld(inLanguage="en_GB"), "LX378", "en-GB"),
    "country": (json_ld(inLanguage="us"), "LX378", None),
    "shorter than a range": (json_ld(inLanguage="qb"), "LX378", None),
    "name of a language": (json_ld(inLanguage="English"), "LX378", "en"),
    "language of a text": (
        json_ld(name={"@value": "x", "@language": "en_GB"}),
        "LX378",
        "en-GB",
    ),
    "version of a version": (
        identifier(NEW) + link("DCTERMS.isVersionOf", OLD),
        "LX379",
        None,
    ),
    "previous is the work": (identifier(NEW) + link("prev", ACT), "LX379", None),
    "two names": (identifier(NEW) + identifier(OTHER), "LX380", None),
    "two versions": (identifier(NEW) + identifier(OLD), "LX380", None),
    "two names, one of which is to be cited": (
        identifier(NEW) + identifier(OTHER) + link("cite-as", NEW),
        "LX380",
        None,
    ),
    "previous is itself": (identifier(NEW) + link("prev", NEW), "LX381", None),
    "previous is later": (identifier(NEW) + link("prev", LATEST), "LX381", None),
    "previous is of another act": (
        identifier(NEW) + link("prev", f"{OTHER}@2001-01-01"),
        "LX381",
        None,
    ),
    "first is later": (identifier(NEW) + link("first", LATEST), "LX381", None),
    "next is earlier": (identifier(NEW) + link("next", OLD), "LX381", None),
    "next is itself": (identifier(NEW) + link("next", NEW), "LX381", None),
    "relative canonical": (identifier(NEW) + link("canonical", "/a"), "LX382", None),
    "canonical of no web page": (identifier(NEW) + link("canonical", NEW), "LX382", None),
    "no term of ELI": (
        f'<meta about="{NEW}" property="{ELI}date_of_document" content="x">',
        "LX383",
        "eli:date_document",
    ),
    "no type of ELI": (
        f'<div about="{NEW}" typeof="{ELI}LegalRessource"></div>',
        "LX383",
        "eli:LegalResource",
    ),
    "no date": (json_ld(datePublished="21/09/2003"), "LX384", None),
    "no such day": (json_ld(datePublished="2003-02-30"), "LX384", None),
    "date without hyphens": (json_ld(dateModified="20030921"), "LX384", "2003-09-21"),
    "coverage": (json_ld(temporalCoverage="ieri/.."), "LX384", None),
    "another language": (
        identifier(NEW) + '<meta name="DC.language" content="en">',
        "LX337",
        None,
    ),
    "form of another file": (
        identifier(f"{NEW}$parlamento.it:application-pdf"),
        "LX386",
        None,
    ),
}


@pytest.mark.parametrize("slip", SLIPS)
def test_slips(slip: str) -> None:
    text, code, suggestion = SLIPS[slip]
    found = head_of(text).findings
    assert [(each.code, each.suggestion, each.line) for each in found] == [(code, suggestion, 3)]
    assert "{" not in found[0].message


@pytest.mark.parametrize(
    ("said", "code"),
    [
        (f'<meta property="{ELI}id_local" content="{OTHER}">', "LX387"),
        (block({"@type": "Legislation", "legislationIdentifier": OTHER}), "LX387"),
        (f'<meta about="#a" property="{ELI}id_local" content="{OTHER}">', "LX380"),
        (f'<meta about="{OTHER}" property="{ELI}title" content="x">', "LX380"),
    ],
)
def test_what_has_an_iri_of_its_own_is_not_surely_the_page(said: str, code: str) -> None:
    found = of(page(f"{said}\n{ours(NEW)}"))
    assert str(found.name) == NEW
    assert code in {each.code for each in found.findings}
    assert len({"LX380", "LX387"} & {each.code for each in found.findings}) == 1


@pytest.mark.parametrize("base", [None, "https://law.example"])
def test_our_block_against_the_page(base: str | None) -> None:
    found = of(page(f"{identifier(OTHER)}\n{ours(NEW, base=base)}"))
    assert str(found.name) == NEW
    assert [(each.code, each.line) for each in found.findings] == [("LX387", 3)]


@pytest.mark.parametrize(
    "text",
    [
        identifier(NEW) + identifier(ACT),
        identifier(NEW) + link("first", OLD) + link("prev", OLD) + link("next", LATEST),
        identifier(OLD) + link("first", OLD) + link("next", NEW),
        identifier(NEW) + link("last", ACT) + link("version-history", ACT),
        identifier(NEW) + link("canonical", "https://a.example/"),
        identifier(FILE) + link("DCTERMS.isFormatOf", NEW),
        identifier(NEW) + json_ld(sameAs=OTHER) + identifier(OTHER),
        json_ld(legislationLegalForce="https://schema.org/InForce", datePublished="2003"),
        json_ld(legislationLegalForce="PartiallyInForce", encodingFormat="application/pdf"),
        json_ld(temporalCoverage="2003-01-01/..", inLanguage=["it", "de-CH"]),
        '<link rel="next" href="?page=2">',
        identifier(NEW) + link("next", f"{ACT}@2005-01-01:de"),
        identifier(NEW) + link("prev", f"{ACT}@2005-01-01:de"),
    ],
)
def test_what_is_no_slip(text: str) -> None:
    assert head_of(text).findings == ()


@pytest.mark.parametrize(
    ("mime", "media_type", "codes"),
    [
        ("application-epub%2Bzip", "application/epub+zip", []),
        ("application-epub-zip", "application/epub+zip", []),
        ("application-xhtml%2bxml", "application/xhtml+xml", []),
        (
            "application-vnd.ms-word.document.macroenabled.12",
            "application/vnd.ms-word.document.macroEnabled.12",
            [],
        ),
        ("application-epub%2Bzip", "application/pdf", ["LX386"]),
    ],
)
def test_the_type_in_a_name_is_that_of_the_file(
    mime: str, media_type: str, codes: list[str]
) -> None:
    name = f"{OLD}$parlamento.it:{mime}"
    statement = Statement(notation=Notation.OPF, subject=None, term=f"{DC}identifier", value=name)
    found = interpret_reading(
        Reading(statements=(statement,)),
        file="a",
        format="epub",
        media_types=frozenset({media_type}),
    )
    assert [each.code for each in found.findings] == codes
    assert not codes or "application/epub+zip, but" in found.findings[0].message


def test_levels_of_akoma_ntoso() -> None:
    found = says((None, f"{AKN}FRBRWork.FRBRalias.urn:lex", NEW), notation=Notation.AKOMA_NTOSO)
    assert [each.code for each in found.findings] == ["LX379"]


@pytest.mark.parametrize(
    ("name", "schemes"),
    [
        ("title", []),
        ("shortTitle", []),
        ("docTitle", []),
        ("urn:lex", ["other"]),
        ("titleNumber", ["other"]),
    ],
)
def test_titles_in_akoma_ntoso_are_no_identifiers(name: str, schemes: list[str]) -> None:
    found = says(
        (None, f"{AKN}FRBRWork.FRBRalias.{name}", "Legge 456"), notation=Notation.AKOMA_NTOSO
    )
    assert [each.scheme for each in found.identifiers] == schemes


@pytest.mark.parametrize(
    ("field", "value", "found"),
    [
        ("licenses", "https://a.example/x", ("https://a.example/x",)),
        ("licenses", "https://me@a.example/", ()),
        ("urls", "http://[", ()),
        ("creators", "http://[", ()),
        ("creators", "Camera http://[", ("Camera http://[",)),
        ("publishers", "Umwelt:Wasser", ("Umwelt:Wasser",)),
        ("subjects", "urn:", ()),
    ],
)
def test_links_that_nobody_can_follow(field: str, value: str, found: tuple[str, ...]) -> None:
    term = next(term for term, each in FIELDS_BY_TERM.items() if each == field)
    extraction = says((None, term, value))
    assert getattr(extraction, field) == found
    assert [each.code for each in extraction.findings] == ([] if found else ["LX389"])


@pytest.mark.parametrize("character", ["\x01", "\x7f", "\x81", "\ud800", "\uffff"])
def test_what_is_no_character_of_a_text_is_left_out(character: str) -> None:
    found = says(
        (None, f"{DC}identifier", NEW),
        (None, f"{DC}title", f"a{character}b"),
        (None, f"{DC}publisher", "_:p"),
        ("_:p", f"{SCHEMA}name", f"{character}c"),
        (None, f"{DCTERMS}license", f"https://a.example/{character}"),
        (None, f"{DC}creator", "d\r\ne"),
    )
    assert [each.value for each in found.titles] == ["ab"]
    assert (found.publishers, found.licenses, found.creators) == (("c",), (), ("d\r\ne",))
    said = [(each.code, each.line) for each in found.findings]
    assert said == [("LX319", 2), ("LX319", 4), ("LX389", 5)]
    assert f"U+{ord(character):04X} in dc:title" in found.findings[0].message


@pytest.mark.parametrize(
    ("notation", "day"),
    [(Notation.OPF, None), (Notation.OOXML, None), (Notation.META, dt.date(2020, 1, 2))],
)
def test_the_day_of_the_last_save_is_none_of_the_act(
    notation: Notation, day: dt.date | None
) -> None:
    found = says((None, f"{DCTERMS}modified", "2020-01-02T00:00:00Z"), notation=notation)
    assert (found.modified, found.findings) == (day, ())


@pytest.mark.parametrize("notation", list(Notation))
def test_who_typed_or_saved_a_file_did_not_make_the_act(notation: Notation) -> None:
    found = says((None, f"{DC}creator", "Camera"), notation=notation)
    is_account = notation in {Notation.ODF, Notation.OOXML, Notation.PDF_INFO}
    assert (found.creators, found.findings) == (() if is_account else ("Camera",), ())


def test_a_creator_in_xmp_that_a_program_copied_did_not_make_the_act() -> None:
    info, xmp = (
        [
            Statement(notation=notation, subject=None, term=f"{DC}creator", value=value, line=1)
            for value in values
        ]
        for notation, values in (
            (Notation.PDF_INFO, ["admin; rex"]),
            (Notation.XMP, ["admin", "rex", "Camera"]),
        )
    )
    found = interpret_reading(Reading(statements=(*xmp, *info)), file="a.pdf", format="pdf")
    assert found.creators == ("Camera",)
    assert says((None, f"{DC}creator", "()"), notation=Notation.XMP).creators == ()


@pytest.mark.parametrize(
    ("name", "page_language", "languages", "lines"),
    [
        (NEW, "en", (), [2]),
        (NEW, "en-GB", ("de", "fr"), [2, 5]),
        (NEW, "IT-CH", ("de", "it"), []),
        (NEW, "", ("en", "mul"), [5]),
        (NEW, "und", ("zxx",), []),
        (ACT, "en", ("de",), []),
        (f"{ACT}@2005-01-01", "en", ("de",), []),
    ],
)
def test_a_document_in_another_language_than_its_name_says(
    name: str, page_language: str, languages: tuple[str, ...], lines: list[int]
) -> None:
    metas = [f'<meta name="DC.language" content="{each}">' for each in languages]
    found = of(page("\n".join((identifier(name), "", *metas)), language=page_language))
    assert [(each.code, each.line) for each in found.findings] == [("LX337", at) for at in lines]


def test_a_language_of_three_letters_and_what_lexurn_wrote() -> None:
    term = f"{AKN}FRBRExpression.FRBRlanguage"
    name = (None, f"{AKN}FRBRExpression.FRBRalias.urn:lex", NEW)
    english = says(name, (None, term, "eng"), notation=Notation.AKOMA_NTOSO)
    assert [(each.code, each.text) for each in english.findings] == [("LX337", "eng")]
    assert says(name, (None, term, "ita"), notation=Notation.AKOMA_NTOSO).findings == ()
    for code, tag in (("fre", "fr"), ("ger", "de"), ("FRE", "fr"), ("mul", "mul")):
        found = says((None, term, code), notation=Notation.AKOMA_NTOSO)
        assert (found.languages, found.findings) == ((tag,), ())
    alone = of(page(ours(NEW), language="en"))
    assert [(each.code, each.line) for each in alone.findings] == [("LX337", 2)]
    theirs = of(page(f'{ours(NEW)}<meta name="DC.language" content="en">'))
    assert [each.text for each in theirs.findings] == ["en"]


def test_nothing_is_said() -> None:
    found = interpret_reading(Reading(), file="a", format="pdf")
    assert found == Extraction(file="a", format="pdf")


ELI_PAGE = f"""
<section prefix="eli: {ELI}">
<div about="https://a.example/eli/loi/2016/8/8/1/jo" typeof="eli:LegalResource">
 <span property="eli:id_local" content="PRMX1"></span>
 <span property="eli:date_publication" datatype="xsd:date" content="2016-08-09">ieri</span>
 <span property="eli:is_realized_by" resource="https://a.example/eli/loi/2016/8/8/1/jo/fr"></span>
</div>
<div about="https://a.example/eli/loi/2016/8/8/1/jo/fr" typeof="eli:LegalExpression">
 <span property="eli:title" lang="fr">Loi</span>
 <a property="eli:realizes" href="https://a.example/eli/loi/2016/8/8/1/jo">x</a>
</div></section>
"""


def test_a_law_without_a_name_is_read_all_the_same() -> None:
    found = of(page("", ELI_PAGE))
    assert (found.name, found.published, found.findings) == (None, dt.date(2016, 8, 9), ())
    assert {(each.scheme, each.value) for each in found.identifiers} == {
        ("eli", "https://a.example/eli/loi/2016/8/8/1/jo"),
        ("other", "PRMX1"),
    }
    assert [each.kind for each in found.relations] == ["hasVersion"]


def test_relations_without_names_are_kept() -> None:
    found = head_of(identifier(NEW), link("next", "?page=2"))
    assert [(each.kind, each.target, each.name) for each in found.relations] == [
        ("next", "?page=2", None)
    ]


def test_terms_are_one_whatever_they_are_called() -> None:
    found = says(
        (None, "http://schema.org/name", "a"),
        (None, f"{SCHEMA}name", "b"),
        (None, f"{DC}title", "c"),
        (None, f"{DCTERMS}title", "a"),
    )
    assert [each.value for each in found.titles] == ["a", "b", "c"]
    assert says((None, f"{IANA}prev", OLD), is_iri=True).named("previous") == (parse(OLD),)
