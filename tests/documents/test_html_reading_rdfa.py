"""RDFa as others read it: triple for triple, on pages of many shapes and on our own heads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reading_cases import ACT, BASE, DCTERMS, ELI, codes, ours_of, page, said, theirs_of
from sizes import examples

from lexurn.documents import Notation
from lexurn.model import LanguageText, Record
from lexurn.name import http_of, parse
from lexurn.pages import make_document_metadata
from lexurn.vocabulary import XHV

PREFIX = f'prefix="eli: {ELI} x: http://x.example/"'
SHAPES = {
    "property with text": '<p property="dc:title">Legge</p>',
    "about": '<p about="urn:lex:a" property="dc:title">Legge</p>',
    "about with a compact IRI": '<p about="x:a" property="dc:title">Legge</p>',
    "safe compact IRI": '<p about="[x:a]" property="dc:title">Legge</p>',
    "safe compact IRI of no prefix": '<p about="[nope:a]" property="dc:title">Legge</p>',
    "content": '<p about="a" property="dc:title" content="Legge">x</p>',
    "language": '<p lang="it" property="dc:title">Legge <b lang="de">Gesetz</b></p>',
    "no language": '<div lang="it"><p lang="" property="dc:title">Legge</p></div>',
    "datatype": '<p property="eli:date_document" datatype="xsd:date">2003-09-21</p>',
    "empty datatype": '<p lang="it" property="dc:title" datatype="">L <i>a</i></p>',
    "href": '<a property="eli:realizes" href="b">x</a>',
    "resource before href": '<a property="eli:realizes" resource="c" href="b">x</a>',
    "src": '<img property="x:p" src="i.png">',
    "href beside content": '<a property="dc:title" content="t" href="b">x</a>',
    "rel": '<a about="a" rel="eli:realizes" href="b">x</a>',
    "rev": '<a about="a" rev="eli:realizes" href="b">x</a>',
    "rel and property": '<a about="a" rel="eli:realizes" property="dc:title" href="b">x</a>',
    "word in rel beside property": '<a about="a" rel="next" property="eli:cites" href="b">x</a>',
    "typeof": '<div about="a" typeof="eli:LegalResource x:T"><p property="dc:title">t</p></div>',
    "typeof alone": '<div typeof="eli:LegalResource"><p property="dc:title">t</p></div>',
    "typeof and resource": '<div typeof="x:T" resource="r"><p property="dc:title">t</p></div>',
    "typeof and property": '<p about="a"><b property="x:p" typeof="x:T">'
    '<i property="dc:title">t</i></b></p>',
    "typeof, property and href": '<a property="x:p" typeof="x:T" href="h">'
    '<i property="dc:title">t</i></a>',
    "typeof, property and about": '<p about="a" property="x:p" typeof="x:T">t</p>',
    "typeof and rel": '<p rel="x:p" typeof="x:T"><i property="dc:title">t</i></p>',
    "typeof, rel and href": '<a rel="x:p" typeof="x:T" href="b"><i property="dc:title">t</i></a>',
    "typeof, rel and about": '<a about="c" rel="x:p" typeof="x:T" href="b">'
    '<i property="dc:title">t</i></a>',
    "empty typeof": '<p typeof=""><i property="dc:title">t</i></p>',
    "chaining": '<p about="a" rel="eli:is_realized_by"><i about="b">x</i><i resource="c">y</i></p>',
    "chaining backwards": '<p about="a" rev="eli:realizes"><i about="b">x</i></p>',
    "chaining by a property": '<p about="a" rel="x:p"><i property="dc:title">t</i></p>',
    "chaining through plain elements": '<p about="a" rel="x:p"><b><i about="b">x</i></b></p>',
    "chaining by typeof": '<p about="a" rel="x:p"><i typeof="x:T">x</i></p>',
    "vocab": f'<div vocab="{ELI}" typeof="LegalResource"><i property="title">t</i></div>',
    "vocab of ours": '<div vocab="https://w3id.org/lexurn/ns#"><i property="number">1</i></div>',
    "empty fragment and query": '<a property="x:p" href="#">x</a><a property="x:p" href="?">y</a>',
    "no vocab": f'<div vocab="{ELI}"><b vocab=""><i property="title">t</i></b></div>',
    "prefix further in": '<div prefix="y: http://y.example/"><i property="y:t">t</i></div>',
    "prefix anew": '<div prefix="x: http://y.example/"><i property="x:t">t</i></div>',
    "prefix in capitals": '<div prefix="YY: http://y.example/"><i property="yy:t">t</i></div>',
    "default prefix": '<p about="a" property=":next">t</p>',
    "full IRI": '<p about="a" property="http://a.example/b">t</p>',
    "several properties": '<p about="a" property="dc:title x:p http://a.example/b word">t</p>',
    "blank node by name": '<p about="_:a" property="dc:title">t</p><i about="b" rel="x:p" '
    'resource="[_:a]"></i>',
    "time": '<time about="a" property="x:p" datetime="2003-09-21">x</time>',
    "time with a moment": '<time about="a" property="x:p" datetime="2003-09-21T10:00:00">x</time>',
    "time as text": '<time about="a" property="x:p">2003-09</time>',
    "time that is none": '<time about="a" property="x:p" lang="it">ieri</time>',
    "nested subjects": '<div about="a"><p property="dc:title">t</p><div resource="b">'
    '<p property="dc:title">u</p></div></div>',
    "text of much": '<p about="a" property="dc:title">a<b>b<i>c</i></b> d</p>',
    "license": '<a rel="license" href="http://l.example/">l</a>',
    "base": '<div about=""><p property="dc:title">t</p></div>',
    "svg": '<svg about="a"><title property="dc:title">t</title></svg>',
}


def body(text: str) -> str:
    return page(f'<base href="{BASE}">', f"<section {PREFIX}>{text}</section>", language="en")


@pytest.mark.parametrize("shape", SHAPES)
def test_shapes_are_read_as_by_pyrdfa(shape: str) -> None:
    text = body(SHAPES[shape])
    found = ours_of(text, Notation.RDFA)
    assert found == theirs_of(text)
    assert found or shape in {"empty typeof", "safe compact IRI of no prefix"} or "vocab" in shape


# Where no word of rel counts, pyRdfa makes a new node for what stands in the element, though RDFa
# Core section 7.5 step 10 asks for predicates.
LINKS = st.sampled_from(["dc:title", "x:p", "http://a.example/b", "x:p word", "eli:number x:q"])
TERMS = st.sampled_from(["dc:title", "x:p", "http://a.example/b", "word", "next", "eli:number x:q"])
REFERENCES = st.sampled_from(["a", "#b", "#", "x:c", "[x:d]", "urn:lex:a:b", "_:n", "", "/e"])
VALUES = {
    "about": REFERENCES,
    "resource": REFERENCES,
    "href": st.sampled_from(["f", "urn:lex:a:b", "#g"]),
    "src": st.just("s"),
    "typeof": st.sampled_from(["x:T", "eli:LegalResource x:U"]),
    "property": TERMS,
    "rel": LINKS,
    "rev": LINKS,
    "content": st.just("c"),
    "datatype": st.sampled_from(["x:dt", ""]),
    "lang": st.sampled_from(["it", "de", ""]),
    "vocab": st.sampled_from(["http://v.example/", ""]),
    "prefix": st.sampled_from(
        ["x: http://z.example/", "p: http://p.example/ x: http://w.example/"]
    ),
}


@st.composite
def elements(draw: st.DrawFn, depth: int = 3) -> str:
    names = draw(st.lists(st.sampled_from(sorted(VALUES)), unique=True, max_size=4))
    if {"prefix", "vocab"} & set(names) and "about" not in names:
        # To pyRdfa an element that only declares something is one that says something (step 12).
        names.append("about")
    attributes = "".join(f' {name}="{draw(VALUES[name])}"' for name in names)
    inner = draw(st.lists(elements(depth - 1), max_size=2)) if depth else []
    return f"<span{attributes}>t{draw(st.integers(0, 9))}{''.join(inner)}</span>"


@examples(60)
@given(elements())
def test_any_tree_is_read_as_by_pyrdfa(tree: str) -> None:
    text = body(tree)
    assert ours_of(text, Notation.RDFA) == theirs_of(text)


RECORDS = (
    Record(
        name=parse(ACT),
        titles=(LanguageText(value="Norme & <tutela>", language="it"), LanguageText(value="x")),
        licenses=("https://l.example/1",),
        publishers=("Stato", "https://stato.example/"),
    ),
    Record(name=parse(f"{ACT}@originale:it")),
    Record(name=parse(f"{ACT}@2005-01-01:it"), titles=(LanguageText(value="T", language="it"),)),
    Record(name=parse(f"{ACT}@2005-01-01:it$parlamento.it:text-html")),
    Record(name=parse(f"{ACT}~art3")),
)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: str(record.name))
@pytest.mark.parametrize("base", [None, "https://law.example"])
def test_our_heads_are_read_as_by_pyrdfa(record: Record, base: str | None) -> None:
    head = make_document_metadata(record.name, RECORDS, base=base).head()
    text = page(f'<base href="{BASE}">\n{head}', language="en")
    found = ours_of(text, Notation.RDFA)
    assert found == theirs_of(text)
    subject = str(record.name) if base is None else http_of(record.name, base).uri
    assert (subject, f"{ELI}id_local", str(record.name), XSD_STRING) in found


XSD_STRING = "http://www.w3.org/2001/XMLSchema#string"


ROOTS = {
    "html with a type": ('typeof="x:T"', "", "<title>t</title>"),
    "html": ('typeof="x:T" property="x:p"', "", "<title>t</title>"),
    "head": ("", 'typeof="x:T"', '<meta property="dc:title" content="t">'),
}


@pytest.mark.parametrize("root", ROOTS)
def test_a_root_and_a_head_are_about_the_page(root: str) -> None:
    html, head, inner = ROOTS[root]
    text = f"<!DOCTYPE html>\n<html {PREFIX} {html}><head {head}>{inner}</head><body></body></html>"
    assert {each[0] for each in said(text, Notation.RDFA)} == {None}


def test_a_list_beside_a_link_is_left_out() -> None:
    text = body(
        '<a about="a" rel="x:p" inlist="" href="b">x</a><a about="a" rel="x:q" href="b">x</a>'
    )
    assert {each[1] for each in said(text, Notation.RDFA)} == {"http://x.example/q"}


def test_many_prefixes_are_read() -> None:
    many = " ".join(f"p{at}: http://a.example/{at}/" for at in range(1_100))
    text = f'<p prefix="{many}"><b about="a" property="p5:t">t</b></p>'
    assert [each[1] for each in said(text, Notation.RDFA)] == ["http://a.example/5/t"]


def test_the_page_itself_has_no_iri() -> None:
    text = page("", '<p property="dc:title">Legge</p><a rel="license" href="l.html">l</a>')
    assert said(text, Notation.RDFA) == [
        (None, f"{DCTERMS}title", "Legge", ""),
        (None, "http://www.w3.org/1999/xhtml/vocab#license", "l.html", "iri"),
    ]


def test_a_prefix_that_is_not_declared() -> None:
    text = page("", '<p about="a" property="eli:title">Legge</p>')
    assert codes(text) == ["LX375"]
    assert said(text, Notation.RDFA) == [("a", "eli:title", "Legge", "")]


def test_words_of_xhtml_1_are_terms_there() -> None:
    text = (
        '<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML+RDFa 1.0//EN" "http://www.w3.org/x.dtd">'
        '<html xmlns="http://www.w3.org/1999/xhtml"><body><a rel="next" href="b"/></body></html>'
    )
    link = (None, "http://www.w3.org/1999/xhtml/vocab#next", "b", "iri")
    assert said(text, Notation.RDFA, is_xml=True) == [link]
    assert said(text, Notation.RDFA) == []


@pytest.mark.parametrize("is_xml", [False, True])
def test_prefixes_of_xml_are_prefixes(*, is_xml: bool) -> None:
    text = (
        f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:eli="{ELI}"><head><title>t</title>'
        '</head><body><p about="a" property="eli:title" xml:lang="it" lang="it">L</p></body></html>'
    )
    assert said(text, Notation.RDFA, is_xml=is_xml) == [("a", f"{ELI}title", "L", "it")]


@pytest.mark.parametrize("is_xml", [False, True])
def test_the_nearest_prefix_counts(*, is_xml: bool) -> None:
    text = (
        f'<html xmlns="http://www.w3.org/1999/xhtml" xmlns:a="{ELI}" prefix="a: {DCTERMS}">'
        '<head><title>t</title></head><body><p about="x" property="a:title">t</p>'
        '<div xmlns:c="http://c.example/"><p about="x" property="a:t">t</p></div>'
        '<div prefix="a: http://b.example/"><p about="x" property="a:t">t</p></div>'
        f'<div xmlns:a="{XHV}"><p about="x" property="a:t">t</p></div></body></html>'
    )
    assert [term for _, term, _, _ in said(text, Notation.RDFA, is_xml=is_xml)] == [
        f"{DCTERMS}title",
        f"{DCTERMS}t",
        "http://b.example/t",
        f"{XHV}t",
    ]
