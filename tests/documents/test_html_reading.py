"""What pages say in their heads, in microdata and in JSON-LD, and what is wrong with it."""

from __future__ import annotations

import json
import warnings
from contextlib import nullcontext

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_cases import (
    ACT,
    DC,
    DCTERMS,
    ELI,
    IANA,
    SCHEMA,
    codes,
    ours,
    page,
    reading_of,
    said,
)
from reading_mutations import check, sample
from sizes import examples, size

from lexurn.documents import DocumentError, Notation, document_from_bytes, load_format
from lexurn.documents.reading import page as page_module
from lexurn.documents.reading.html import read_xhtml
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import make_document_metadata

MANY = size(250, 1_000)
TITLE = "https://html.spec.whatwg.org/#the-title-element"
LANGUAGE = "https://html.spec.whatwg.org/#attr-lang"
VERSION = f"{ACT}@2005-01-01:it"
RECORDS = (
    Record(name=parse(ACT), titles=(LanguageText(value="Città", language="it"),)),
    Record(name=parse(f"{ACT}@originale:it")),
    Record(name=parse(VERSION)),
)
HEAD = make_document_metadata(parse(VERSION), RECORDS, base="https://law.example").head()
HEAD_OF_XML = make_document_metadata(parse(VERSION), RECORDS).head(is_xml=True)
BLOCK = ours(VERSION, RECORDS, base="https://law.example")

META = {
    f'<meta name="DC.identifier" content=" {ACT} ">': (f"{DC}identifier", ACT, ""),
    f'<meta name="dc.Identifier" content="{ACT}">': (f"{DC}identifier", ACT, ""),
    f'<meta name="dcterms.identifier" content="{ACT}">': (f"{DCTERMS}identifier", ACT, ""),
    f'<meta name="dc:identifier" content="{ACT}">': (f"{DC}identifier", ACT, ""),
    f'<meta name="urn:lex" content="{ACT}">': (f"{DC}identifier", ACT, ""),
    '<meta name="DC.Date.issued" content="2003">': (f"{DCTERMS}issued", "2003", ""),
    f'<meta name="DC.Identifier.URN" content="{ACT}">': (f"{DC}identifier", ACT, ""),
    f'<meta name="DCTERMS.identifier.url" content="{ACT}">': (f"{DCTERMS}identifier", ACT, ""),
    f'<META NAME="DC.IDENTIFIER" CONTENT="{ACT}">': (f"{DC}identifier", ACT, ""),
    '<META NAME="DC.DATE.ISSUED" CONTENT="2003">': (f"{DCTERMS}issued", "2003", ""),
    f'<meta name="DCTERMS.ISVERSIONOF" content="{ACT}">': (f"{DCTERMS}isVersionOf", ACT, ""),
    f'<link rel="DCTERMS.isversionof" href="{ACT}">': (f"{DCTERMS}isVersionOf", ACT, "iri"),
    '<meta name="DCTERMS.LANGUAGE" scheme="DCTERMS.RFC5646" content="it">': (
        f"{DCTERMS}language",
        "it",
        "",
    ),
    '<meta name="DC.title" lang="it" content="Città">': (f"{DC}title", "Città", "it"),
    '<meta name="DCTERMS.issued" scheme="DCTERMS.W3CDTF" content="2003">': (
        f"{DCTERMS}issued",
        "2003",
        "",
    ),
    f'<link rel="schema.E" href="{ELI}"><meta name="E.number" content="4">': (
        f"{ELI}number",
        "4",
        "",
    ),
    f'<link rel="DCTERMS.isVersionOf" href="{ACT}">': (f"{DCTERMS}isVersionOf", ACT, "iri"),
    '<link rel="first" href="/a">': (f"{IANA}first", "/a", "iri"),
    '<link rel="PREV" href="a/b">': (f"{IANA}prev", "a/b", "iri"),
    '<link rel="last-version" href="?v=2">': (f"{IANA}last-version", "?v=2", "iri"),
    f'<link rel="cite-as" href="{ACT}">': (f"{IANA}cite-as", ACT, "iri"),
    '<base href="https://a.example/b/"><link rel="next" href="c">': (
        f"{IANA}next",
        "https://a.example/b/c",
        "iri",
    ),
    '<link rel="http://a.example/rel" href="b">': ("http://a.example/rel", "b", "iri"),
    "<title> Legge </title>": (TITLE, "Legge", ""),
}


@pytest.mark.parametrize("head", META)
def test_what_a_head_says(head: str) -> None:
    assert said(page(head), Notation.META) == [(None, *META[head])]


@pytest.mark.parametrize(
    ("declared", "start"),
    [
        ("http://purl.org/dc/elements/1.1/", DC),
        ("http://purl.org/dc/elements/1.1", DC),
        ("http://purl.org/dc", DC),
        ("http://purl.org/dc/", DC),
        ("http://purl.org/dc#", DC),
        ("http://purl.org/DC/elements/1.0/", DC),
        ("https://www.purl.org/dc/elements/1.1/", DC),
        ("http://purl.org/metadata/dublin_core#", DC),
        ("https://purl.org/dc/terms", DCTERMS),
        ("http://purl.org/dc/dcmitype/", "http://purl.org/dc/dcmitype/"),
        ("http://purl.org/dcx/", "http://purl.org/dcx/"),
        ("http://a.example/purl.org/dc/", "http://a.example/purl.org/dc/"),
    ],
)
def test_dublin_core_by_whatever_name(declared: str, start: str) -> None:
    head = f'<link rel="schema.DC" href="{declared}"><meta name="DC.identifier" content="{ACT}">'
    assert said(page(head), Notation.META) == [(None, f"{start}identifier", ACT, "")]


@pytest.mark.parametrize(
    ("is_xml", "attributes", "language"),
    [
        (True, 'lang="en" xml:lang="it"', "it"),
        (True, 'xml:lang="it"', "it"),
        (True, 'lang="en"', "en"),
        (True, 'lang="en" xml:lang=""', ""),
        (False, 'lang="en" xml:lang="it"', "en"),
        (False, 'xml:lang="it"', ""),
    ],
)
def test_which_attribute_says_the_language(*, is_xml: bool, attributes: str, language: str) -> None:
    text = (
        f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title {attributes}>x</title>'
        f'<meta name="DC.title" content="y" {attributes} /></head><body></body></html>'
    )
    found = said(text, Notation.META, is_xml=is_xml)
    assert [kind for *_, kind in found] == [language, language]


@pytest.mark.parametrize(
    "head",
    [
        '<meta name="keywords" content="urn">',
        '<meta name="identifier" content="5">',
        '<meta name="DC.identifier">',
        '<meta name="og:title" content="x">',
        '<link rel="stylesheet" href="a.css">',
        '<link rel="shortcut icon" href="a.ico">',
        '<link rel="schema.X" href="http://x.example/">',
        '<link rel="next">',
        "<!-- <meta name='DC.identifier' content='a'> -->",
        '<script><!-- <meta name="DC.identifier" content="a"> --></script>',
        '<template><meta name="DC.identifier" content="a"></template>',
    ],
)
def test_what_says_nothing_of_the_law(head: str) -> None:
    assert said(page(head), Notation.META) == []


def test_a_text_has_the_language_of_the_page() -> None:
    text = page('<meta name="DC.title" content="Legge">', language="it")
    assert (None, f"{DC}title", "Legge", "it") in said(text, Notation.META)


@pytest.mark.parametrize("is_xml", [False, True])
def test_what_we_wrote_is_ours(*, is_xml: bool) -> None:
    head = make_document_metadata(parse(VERSION), RECORDS).head(is_xml=is_xml)
    text = (
        '<html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><head>'
        '<meta name="DC.title" content="x" /><title>x</title>\n<!-- lexurn:begin -->\n'
        f"{head}<!-- lexurn:end -->\n</head><body></body></html>"
    )
    statements = reading_of(text, is_xml=is_xml).statements
    ours = [each for each in statements if each.is_embedded]
    assert {each.notation for each in ours} == {Notation.META, Notation.RDFA, Notation.JSON_LD}
    assert {each.value for each in ours if each.term == f"{DC}identifier"} == {VERSION}
    assert [each.language for each in ours if each.term == f"{DC}title"] == ["it"]
    assert {each.term for each in statements if not each.is_embedded} >= {f"{DC}title", TITLE}


@pytest.mark.parametrize(
    "start",
    ["", "<!DOCTYPE html>", "<html>", "<html><head>", "<html lang=de><!-- x --><title>y</title>"],
)
@pytest.mark.parametrize("end", ["", "</head>", "<p>x", "<body>", "<frameset>"])
def test_what_we_wrote_is_ours_whatever_tags_are_left_out(start: str, end: str) -> None:
    statements = reading_of(f"{start}{BLOCK}{end}").statements
    ours = [each for each in statements if each.is_embedded]
    assert {each.notation for each in ours} == {Notation.META, Notation.RDFA, Notation.JSON_LD}
    assert {each.term for each in statements if not each.is_embedded} <= {TITLE, LANGUAGE}


@pytest.mark.parametrize(
    "text",
    [
        page("", BLOCK),
        f"<svg>{BLOCK}</svg>",
        f"<html><head><title>x</title><noscript><p>{BLOCK}",
        f"<html><head></head><!-- lexurn:begin -->{HEAD}<!-- lexurn:end -->",
        f"<html><head></head><body></body></html><!-- lexurn:begin -->{HEAD}<!-- lexurn:end -->",
        page(BLOCK.replace("lexurn:end", "x")),
        page(f'<script type="text/x">{BLOCK.replace("script", "x")}</script>'),
        page(f"<!-- lexurn:begin --><!-- lexurn:end -->{HEAD}"),
        page(f"<!--lexurn:begin-->{HEAD}<!--lexurn:end-->"),
        page(f"<!-- lexurn:begin -->{HEAD}<!--  lexurn:end  -->"),
    ],
)
def test_what_only_looks_like_our_block_is_not_ours(text: str) -> None:
    assert not any(each.is_embedded for each in reading_of(text).statements)


@pytest.mark.parametrize(
    "head",
    [
        f"<head><noscript><!-- lexurn:begin --></noscript>{HEAD_OF_XML}<!-- lexurn:end --></head>",
        f"<head></head><head><!-- lexurn:begin -->{HEAD_OF_XML}<!-- lexurn:end --></head>",
    ],
)
def test_a_block_is_in_the_first_head(head: str) -> None:
    text = f'<html xmlns="http://www.w3.org/1999/xhtml">{head}<body></body></html>'
    statements = reading_of(text, is_xml=True).statements
    assert statements
    assert not any(each.is_embedded for each in statements)


def test_a_second_head_is_read_as_the_first() -> None:
    text = f"<html><head></head>\n<head><title>{ACT}</title></head><body></body></html>"
    assert [each.value for each in reading_of(text).statements] == [ACT]


def test_what_is_no_mark_of_ours_does_not_hide_our_block() -> None:
    statements = reading_of(page(f"<!--lexurn:begin--><!--lexurn:end-->{BLOCK}")).statements
    assert any(each.is_embedded for each in statements)


def test_both_parsers_read_the_same() -> None:
    text = (
        '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml" lang="it"><head>'
        f"<title>x</title>{make_document_metadata(parse(ACT), RECORDS).head(is_xml=True)}</head>"
        '<body><p property="dc:title">a<b>c</b></p></body></html>'
    )
    assert reading_of(text).statements == reading_of(text, is_xml=True).statements


MICRODATA = f"""
<article itemscope itemtype="https://schema.org/Legislation" itemid="{ACT}" itemref="far none">
 <h1 itemprop="name" lang="it">Legge <b>456</b></h1>
 <meta itemprop="legislationIdentifier" content="{ACT}">
 <a itemprop="url license" href="/l">x</a>
 <time itemprop="legislationDate" datetime="2003-09-21">ieri</time>
 <div itemprop="workExample" itemscope itemtype="https://schema.org/Legislation">
  <data itemprop="http://a.example/p" value="5">x</data></div>
</article>
<p id="far"><span itemprop="inLanguage">it</span></p>
<div itemscope><span itemprop="lost">x</span></div>
"""


def test_microdata() -> None:
    found = said(page("", MICRODATA), Notation.MICRODATA)
    assert (ACT, f"{SCHEMA}name", "Legge 456", "it") in found
    assert (ACT, f"{SCHEMA}legislationIdentifier", ACT, "") in found
    assert (ACT, f"{SCHEMA}url", "/l", "iri") in found
    assert (ACT, f"{SCHEMA}license", "/l", "iri") in found
    assert (ACT, f"{SCHEMA}legislationDate", "2003-09-21", "") in found
    assert (ACT, f"{SCHEMA}inLanguage", "it", "") in found
    ((_, _, inner, _),) = [each for each in found if each[1] == f"{SCHEMA}workExample"]
    assert (inner, "http://a.example/p", "5", "") in found
    assert not [each for each in found if "lost" in each[1]]


@pytest.mark.parametrize("element", ["a", "link", "img", "object"])
def test_a_link_of_microdata_that_leads_nowhere_has_no_value(element: str) -> None:
    item = f'<p itemscope itemtype="{SCHEMA}L"><{element} itemprop="license">x</{element}></p>'
    found = said(page('<base href="https://a.example/">', item), Notation.MICRODATA)
    assert [(value, kind) for _, term, value, kind in found if term.endswith("license")] == [
        ("", "")
    ]


@pytest.mark.parametrize(
    ("item", "found"),
    [
        # An item without a type has no identifier of its own.
        (
            f'<p itemscope itemid="{ACT}"><b itemprop="http://a.example/p">x</b></p>',
            [("_:", "http://a.example/p", "x")],
        ),
        # An item is no property of itself, though it takes itself in.
        (
            f'<p id="i" itemscope itemtype="{SCHEMA}L" itemprop="about" itemref="i">x</p>',
            [("_:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", f"{SCHEMA}L")],
        ),
    ],
)
def test_an_item_of_microdata_is_what_it_says(item: str, found: list[tuple[str, str, str]]) -> None:
    told = said(page("", item), Notation.MICRODATA)
    assert [((subject or "")[:2], term, value) for subject, term, value, _ in told] == found


def test_microdata_as_extruct_reads_it() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import extruct  # noqa: PLC0415 - its import warns

        (item, _) = extruct.extract(page("", MICRODATA), syntaxes=["microdata"])["microdata"]
    theirs = {f"{SCHEMA}{name}" for name in item["properties"]}
    ours = {
        term
        for subject, term, _, _ in said(page("", MICRODATA), Notation.MICRODATA)
        if subject == ACT
    }
    assert {term for term in ours if term.startswith(SCHEMA)} == theirs


def test_items_that_take_in_each_other_end() -> None:
    text = "".join(
        f'<p id="i{n}" itemscope itemtype="http://a.example/T" itemprop="p" itemref="i{1 - n}"></p>'
        for n in range(2)
    )
    assert len(said(page("", text), Notation.MICRODATA)) == 4


def block(value: object) -> str:
    return page(f'<script type="application/ld+json">\n{json.dumps(value, indent=1)}\n</script>')


LEGISLATION = {
    "@context": "https://schema.org",
    "@type": "Legislation",
    "@id": ACT,
    "name": {"@value": "Città", "@language": "it"},
    "license": "https://l.example/",
    "workExample": [{"@type": "Legislation", "@id": VERSION}],
}


@pytest.mark.parametrize(
    "context",
    ["https://schema.org", "http://schema.org/", "http://www.schema.org", ["https://schema.org"]],
)
def test_json_ld(context: object) -> None:
    found = said(block({**LEGISLATION, "@context": context}), Notation.JSON_LD)
    assert (ACT, f"{SCHEMA}name", "Città", "it") in found
    assert (ACT, f"{SCHEMA}license", "https://l.example/", "iri") in found
    assert (ACT, f"{SCHEMA}workExample", VERSION, "iri") in found


def test_json_ld_in_a_list_and_in_a_graph() -> None:
    parts = {"@context": "https://schema.org", "@graph": [{"@id": ACT, "name": "x"}]}
    assert said(block([parts]), Notation.JSON_LD) == [(ACT, f"{SCHEMA}name", "x", "")]


def test_json_ld_of_whole_iris_needs_no_context() -> None:
    text = block({"@graph": [{"@id": ACT, "@type": "https://schema.org/Legislation"}]})
    assert codes(text) == []
    assert (ACT, f"{SCHEMA}Legislation") in {(s, o) for s, _, o, _ in said(text, Notation.JSON_LD)}


def test_json_ld_says_where_things_stand() -> None:
    (title,) = [each for each in reading_of(block(LEGISLATION)).statements if each.value == "Città"]
    assert title.line == 9


@pytest.mark.parametrize("base", ["", "<base href='a b'>", "<base href='%zz'>"])
def test_what_is_no_iri_is_told_as_it_stands_there(base: str) -> None:
    more = {"license": "my licence.html", "url": "/x y"}
    text = base + block({**LEGISLATION, **more})
    findings = reading_of(text).findings
    assert {each.text for each in findings} == set(more.values())
    lines = text.splitlines()
    assert all(each.text in lines[each.line - 1] for each in findings)


@pytest.mark.parametrize(
    ("base", "told"),
    [
        ("/my docs/", "/my%20docs/x"),
        ("{{ url }}|^`\\", "x"),
        ("http://[#x", "x"),
        ("http://a:b/", "x"),
        ("http://a b/", "http://a%20b/x"),
        ("mailto:a@b.example", "mailto:x"),
        ("%PUBLIC_URL%/", "%25PUBLIC_URL%25/x"),
        ("https://a.example/100% a/", "https://a.example/100%25%20a/x"),
        ("[[base]]", "x"),
        ("http://[v1.x]/[a]/", "x"),
        (" https://a.example/y#z ", "https://a.example/x"),
    ],
)
def test_a_base_of_any_kind_loses_nothing(base: str, told: str) -> None:
    text = f"<base href='{base}'>" + block({**LEGISLATION, "license": "x"})
    assert codes(text) == []
    found = said(text, Notation.JSON_LD)
    assert (ACT, f"{SCHEMA}name", "Città", "it") in found
    assert (ACT, f"{SCHEMA}license", told, "iri") in found


BLOCKS = {
    "LX373": {key: value for key, value in LEGISLATION.items() if key != "@context"},
    "LX374": {**LEGISLATION, "@context": ["https://schema.org", "https://a.example/context"]},
    "LX389": {**LEGISLATION, "@id": "urn:lex:it:stato:legge 5"},
}


def test_what_is_no_iri_is_read_all_the_same() -> None:
    reading = reading_of(block(BLOCKS["LX389"]))
    (found,) = reading.findings
    assert found.text == "urn:lex:it:stato:legge 5"
    assert "RDF readers ignore" in found.message
    assert found.text in {each.subject for each in reading.statements}


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"@graph": [LEGISLATION]}, []),
        ({"@graph": [LEGISLATION], "@id": ACT, f"{DC}title": "x"}, []),
        ({"@graph": [LEGISLATION], "name": "x"}, ["LX373"]),
        ({"@graph": [LEGISLATION, {"name": "x"}]}, ["LX373"]),
        ({"@graph": {**BLOCKS["LX373"]}}, ["LX373"]),
    ],
)
def test_a_context_may_stand_further_in(value: dict[str, object], found: list[str]) -> None:
    text = block(value)
    assert codes(text) == found
    assert "Città" in {value for _, _, value, _ in said(text, Notation.JSON_LD)}


WRAPPED = [
    "\ufeff{}",
    "\n\ufeff {}\n",
    "<!--\n{}\n-->",
    "<![CDATA[{}]]>",
    "//<![CDATA[\n{}\n//]]>",
    "// <!--\n{}\n// -->\n",
    "/*<![CDATA[*/{}/*]]>*/",
    "\n/* <![CDATA[ */\n{}\n/* ]]> */ ",
]


@pytest.mark.parametrize("wrapping", WRAPPED)
def test_json_ld_that_is_hidden_from_others_is_read(wrapping: str) -> None:
    def text(inner: str) -> str:
        script = wrapping.replace("{}", inner)
        return f'\n<script type="application/ld+json">{script}</script>'

    assert codes(text(json.dumps(LEGISLATION))) == []
    assert (ACT, f"{SCHEMA}name", "Città", "it") in said(
        text(json.dumps(LEGISLATION)), Notation.JSON_LD
    )
    (found,) = reading_of(text('{"a":\n x}')).findings
    assert (found.code, found.line) == ("LX372", 3 + wrapping.partition("{}")[0].count("\n"))
    assert "expecting value" in found.message


def test_a_context_that_is_imported_is_not_fetched() -> None:
    context = {"@import": "https://a.example/context", "@vocab": SCHEMA}
    assert codes(block({**LEGISLATION, "@context": context})) == ["LX372"]


@pytest.mark.parametrize("code", BLOCKS)
def test_slips_in_json_ld(code: str) -> None:
    text = block(BLOCKS[code])
    assert codes(text) == [code]
    assert "Città" in {value for _, _, value, _ in said(text, Notation.JSON_LD)}


@pytest.mark.parametrize(
    "text",
    [
        "{",
        *(f'{{"@context": "https://schema.org", "name": {each}}}' for each in ("NaN", "-Infinity")),
        '{"@context": "https://schema.org", "name": "x",}',
        '{"@context": 5}',
        '{"@context": {"a": {"@id": 5}}}',
        '{"a": ' + "1" * 5000 + "}",
        "[" * 100_000,
        '{"@context": "https://schema.org", "a": ' + '{"a":' * 5_000 + "1" + "}" * 5_001,
    ],
    ids=range(9),
)
def test_what_is_no_json_ld(text: str) -> None:
    found = codes(page(f'<script type="application/ld+json">{text}</script>'))
    assert found
    assert set(found) <= {"LX372", "LX373"}


@pytest.mark.parametrize(
    ("written", "value", "found"),
    [
        ("2003", "2003", []),
        ('"a\\ud800b"', "ab", []),
        ('"a\\ud83d\\ude00"', "a😀", []),
    ],
)
def test_values_in_json_ld(written: str, value: str, found: list[str]) -> None:
    text = page(
        '<script type="application/ld+json">'
        f'{{"@context": "https://schema.org", "@id": "{ACT}", "name": {written}}}</script>'
    )
    assert [each[2] for each in said(text, Notation.JSON_LD)] == [value]
    assert codes(text) == found


@pytest.mark.parametrize(
    "text", ["", "5", "null", '"x"', "[]", "{}", "<!-- {} -->", "//<![CDATA[\n{}\n//]]>"]
)
def test_what_says_nothing_in_json_ld(text: str) -> None:
    assert codes(page(f'<script type="application/ld+json">{text}</script>')) == []


@pytest.mark.parametrize(
    ("head", "code", "suggestion"),
    [
        ('<link rel="alternate" type="application/html" href="a">', "LX377", "text/html"),
        ('<link rel="alternate" type="html" href="a">', "LX377", "text/html"),
        ('<link rel="alternate" hreflang="eng" href="a">', "LX378", "en"),
        ('<link rel="alternate" hreflang="en_GB" href="a">', "LX378", "en-GB"),
        ('<link rel="alternate" hreflang="English" href="a">', "LX378", "en"),
        ('<link rel="alternate" hreflang="jp" href="a">', "LX378", None),
        ('<meta name="eli:number" content="4">', "LX375", None),
    ],
)
def test_slips_in_a_head(head: str, code: str, suggestion: str | None) -> None:
    (found,) = reading_of(page(head)).findings
    assert (found.code, found.suggestion, found.line) == (code, suggestion, 3)


@pytest.mark.parametrize(
    "head",
    [
        '<link rel="alternate" type="text/html; charset=utf-8" hreflang="de-CH-1996" href="a">',
        '<link rel="alternate" hreflang="x-default" href="a">',
        '<p lang="x-none">x</p><meta name="DC.title" lang="X-None" content="x">',
        '<meta name="DC.title" lang="i-klingon" content="x">',
        '<meta name="DC.title" lang="en-GB-oed" content="x">',
        '<link rel="alternate" hreflang="zh-Hant-TW" href="a">',
        HEAD,
    ],
)
def test_what_is_no_slip(head: str) -> None:
    assert codes(page(head)) == []


@pytest.mark.parametrize("charset", ["iso-8859-1", "windows-1251", "shift_jis", "utf-8"])
def test_encodings(charset: str) -> None:
    title = {"windows-1251": "Закон", "shift_jis": "法律"}.get(charset, "Città")
    text = page(f'<meta name="DC.title" content="{title}">', charset=charset)
    statements = reading_of(text.encode(charset)).statements
    assert title in [each.value for each in statements]


@pytest.mark.parametrize(
    ("data", "title"),
    [
        ("<title>Città</title>".encode(), "Città"),
        ("<title>Città</title>".encode("cp1252"), "Città"),
        (
            b"<!--" + b" " * 2_000 + b"-->" + "<meta charset=utf-8><title>“</title>".encode(),
            "“",
        ),
        ("<title>Città</title>".encode() + b"\xe0", "CittÃ"),
    ],
)
def test_a_page_that_says_no_encoding_is_utf8_if_it_can_be(data: bytes, title: str) -> None:
    reading = reading_of(b"<!DOCTYPE html>" + data)
    assert [each.value for each in reading.statements if each.term == TITLE] == [title]
    assert reading.findings == ()


WIDE = ["utf-16", "UTF-16LE", "unicode", "csUnicode", "ISO-10646-UCS-2", "ucs-2"]


@pytest.mark.parametrize("encoding", ["windows-1251", "ISO-8859-5", "UTF-8", "none", *WIDE])
def test_the_encoding_of_an_xml_declaration_counts(encoding: str) -> None:
    codec = "utf-8" if encoding in {"none", *WIDE} else encoding
    data = f'<?xml version="1.0" encoding="{encoding}"?>\n<title>Закон</title>'.encode(codec)
    assert [each.value for each in reading_of(data).statements] == ["Закон"]


def test_iso_2022_jp() -> None:
    text = page('<meta name="DC.title" content="法律">', charset="iso-2022-jp")
    statements = reading_of(text.encode("iso-2022-jp")).statements
    assert "法律" in [each.value for each in statements]


def test_utf16() -> None:
    text = page('<meta name="DC.title" content="Città">').encode("utf-16")
    assert [each.value for each in reading_of(text).statements] == ["Città"]


@pytest.mark.parametrize(("depth", "refused"), [(900, []), (1_500, ["LX332"])])
def test_xhtml_takes_a_name_where_it_can_be_read_again(depth: int, refused: list[str]) -> None:
    head = '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body>'
    text = f"{head}{'<div>' * depth}{'</div>' * depth}</body></html>"
    document = document_from_bytes(text.encode(), "a.xhtml")
    with pytest.raises(DocumentError) if refused else nullcontext():
        load_format("xhtml").embed(document, make_document_metadata(parse(ACT)), False)
    assert [each.code for each in read_xhtml(document).findings] == refused


@pytest.mark.parametrize(
    ("reference", "value"),
    [
        *(("x", "x"), ("../x", "../x"), ("a/../../x#y", "../x#y"), ("../", "../"), (".", "./")),
        *(("/x", "/x"), ("/", "/"), ("?a", "?a"), ("#a", "#a"), ("//a.example/x", "//a.example/x")),
    ],
)
def test_references_of_a_page_without_a_place_stay(reference: str, value: str) -> None:
    text = page("", f'<a property="dc:relation" href="{reference}">x</a>')
    (found,) = said(text, Notation.RDFA)
    assert found[2] in {value, f"https:{value}"}


def test_xhtml_that_is_cut_off_says_what_stands_before() -> None:
    head = make_document_metadata(parse(VERSION), RECORDS).head(is_xml=True)
    text = f'<html xmlns="http://www.w3.org/1999/xhtml"><head>{head}'
    reading = reading_of(text, is_xml=True)
    assert VERSION in {each.value for each in reading.statements}
    assert [each.code for each in reading.findings][:1] == ["LX330"]


PIECES = st.sampled_from(
    [
        *META,
        *("<html>", "<head>", "</head>", "<body>", "<p>", "</p>", "<table>", "<svg>", "<template>"),
        *(
            "<script>",
            "</script>",
            "<!--",
            "-->",
            "<title>",
            "<![CDATA[",
            "]]>",
            "<",
            ">",
            '"',
            "&",
        ),
        *("<!-- lexurn:begin -->", "<!-- lexurn:end -->", HEAD, BLOCK, MICRODATA, "\0", "\ud7ff"),
        *(
            '<p property="dc:title" typeof>',
            '<p prefix="a: b c:" rel="a:b :c _:d">',
            "<p about='['>",
        ),
        *('<p itemscope itemid="[" itemtype="a b">', "<base href='http://['>", "<a href='//['>"),
        '<script type="application/ld+json">{"@context":"https://schema.org","@id":"a","b":{"c":1}}',
    ]
)


@examples(100)
@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_any_page_can_be_read(text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    first = reading_of(data)
    assert first == reading_of(data)
    assert all(each.value == each.value.strip() for each in first.statements)
    assert not [
        each for each in first.statements if "page.invalid" in f"{each.subject}{each.value}"
    ]


@examples(100)
@given(st.binary(max_size=200))
def test_any_bytes_can_be_read(data: bytes) -> None:
    assert reading_of(data) == reading_of(data)


@examples(60)
@given(st.lists(PIECES | st.text(max_size=5), max_size=12).map("".join))
def test_two_parsers_make_one_tree(text: str) -> None:
    from justhtml import JustHTML  # noqa: PLC0415 - an extra

    referee = JustHTML(text, sanitize=False, scripting_enabled=False).root
    waiting, expected = [*reversed(referee.children)], []
    while waiting:
        node = waiting.pop()
        if node.name[0] not in "#!":
            expected.append((node.name, {key: value or "" for key, value in node.attrs.items()}))
            waiting.extend(reversed(node.children))
    tree, _ = page_module.parse_html(document_from_bytes(text.encode(), "a.html"))
    assert [(each.name, each.attributes) for each in tree.elements] == expected


def test_damaged_pages_can_be_read() -> None:
    assert sum(check(sample(seed)) for seed in range(MANY)) > MANY


def test_a_page_that_says_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_module, "MOST_STATEMENTS", 3)
    reading = reading_of(page('<meta name="DC.title" content="x">' * 5))
    assert len(reading.statements) == 3
    assert [each.code for each in reading.findings] == ["LX370"]


@pytest.mark.parametrize("is_xml", [False, True])
def test_a_page_that_is_too_large(monkeypatch: pytest.MonkeyPatch, *, is_xml: bool) -> None:
    monkeypatch.setattr(page_module, "LARGEST_PAGE", 300)
    monkeypatch.setattr(page_module, "LARGEST_PAGE", 300)
    start = f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>{ACT}</title></head><body>'
    reading = reading_of(f"{start}{'<p>x</p>' * 400}</body></html>", is_xml=is_xml)
    assert [each.value for each in reading.statements] == [ACT]
    assert [each.code for each in reading.findings] == ["LX370"]
