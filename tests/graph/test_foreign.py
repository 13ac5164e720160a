"""Graphs of others: any RDF is written without loss, bad bytes and bad nodes are errors."""

from __future__ import annotations

import json
import re
import xml.etree.ElementTree as ET

import pytest
import rdflib
from graph_sample import AS_OF, RECORDS
from rdflib.compare import isomorphic

from lexurn.errors import GraphError
from lexurn.graph import (
    Format,
    Statements,
    dataset_of,
    graph_of,
    make_rdflib_graph,
    read,
    serialize,
    triples_of,
    write,
)

EX = "https://example.org/"
XSD = "http://www.w3.org/2001/XMLSchema#"
CASES = {
    "empty": "",
    "nested blanks": f"<{EX}a> <{EX}p> [ <{EX}q> [ <{EX}r> 'x' ] , [] ] .",
    "shared blank": f"<{EX}a> <{EX}p> _:x . <{EX}b> <{EX}p> _:x . _:x <{EX}q> 1 .",
    "blank circle": f"_:x <{EX}p> _:y . _:y <{EX}p> _:x .",
    "blank of itself": f"_:x <{EX}p> _:x .",
    "blank class": f"<{EX}a> a [ <{EX}p> 1 ] .",
    "blank root": f"[] <{EX}p> 'x' .",
    "list": f"<{EX}a> <{EX}p> (1 2 (3 'x') ()) .",
    "long list": f"<{EX}a> <{EX}p> ({' '.join(map(str, range(100)))}) .",
    "same twice": f"[] <{EX}p> 'x' . [] <{EX}p> 'x' .",
    "literals": (
        f"<{EX}a> <{EX}p> '01'^^<{XSD}integer>, 1, true, 'true', 1.10, 1e0, 'x'@EN-gb, 'x', "
        f"'2006-05-14+01:00'^^<{XSD}date>, 'x'^^<{EX}t>, ''^^<{EX}t>, '' , 'x y'^^<{EX}t> ."
    ),
    "terms of ours with other values": (
        "@prefix lexo: <https://w3id.org/lexurn/ns#> . @prefix d: <http://purl.org/dc/terms/> ."
        f"<{EX}a> lexo:date 'soon', 'x'@it, <{EX}b>, 3 ;"
        f" d:title 'a', 'b'@it, 3, <{EX}b>, [] ;"
        f" lexo:versionOrder '007'^^<{XSD}integer>, 5, 12345678901234567890 ;"
        f" a 'no class', <{EX}c> ;"
        f" lexo:item 'x', <{EX}b> ; lexo:status 'x', lexo:Withdrawn, <{EX}c> ."
    ),
    "classes and individuals as properties": (
        "@prefix lexo: <https://w3id.org/lexurn/ns#> ."
        "lexo:Work lexo:Withdrawn lexo:Expression ; a lexo:Work ; lexo:decoded lexo:date ."
    ),
    "items in a circle": (
        "@prefix lexo: <https://w3id.org/lexurn/ns#> ."
        f"<{EX}a> <http://purl.org/vocab/frbr/core#realization> <{EX}b> ."
        f"<{EX}b> lexo:item <{EX}a> . <{EX}c> lexo:item <{EX}c> ."
    ),
    "deep parts": "@prefix d: <http://purl.org/dc/terms/> ."
    + "".join(f"<{EX}{n}> d:hasPart <{EX}{n + 1}> . " for n in range(100)),
    "aliases of anything": (
        "@prefix owl: <http://www.w3.org/2002/07/owl#> ."
        f"<{EX}a> owl:sameAs <{EX}b>, <{EX}a>, 'x', [] . <{EX}b> owl:sameAs <{EX}a>, <{EX}c> ."
        f"<{EX}c> <{EX}p> <{EX}d> . <{EX}d> owl:sameAs <{EX}c>, [ owl:sameAs <{EX}d> ] ."
    ),
    "odd IRIs": (
        f"<{EX}é?x=1&y='2'#a(b)> <{EX}p.q-r> <urn:x:%C3%A9> ."
        f"<tag:a,2000:b> <{EX}p_1> <mailto:a@b> ."
    ),
    "a datatype like a short IRI": f"<{EX}a> <{EX}p> 'x'^^<dc:title> .",
    "texts": (
        f"<{EX}a> <{EX}p> '\\\\ \\\" \\n \\r\\n \\t]]>&amp;<b/>',"
        " '\\uFEFF\\u2028\\u0085\\U0001F600 ' ."
    ),
}
PREFIX_CLASH = "<dc:title> <lexo:date> <id:x> . <foaf:page> a <type:x> ."
formats = pytest.mark.parametrize("form", list(Format), ids=[each.name for each in Format])


def graph(text):
    return make_rdflib_graph(read(text.encode(), Format.TURTLE).merged)


@formats
@pytest.mark.parametrize("text", [*CASES.values(), PREFIX_CLASH], ids=[*CASES, "prefix clash"])
def test_any_graph_is_written_without_loss(text, form):
    once = serialize(graph(text), form)
    found = read(once.encode(), form)
    assert isomorphic(make_rdflib_graph(found.merged), graph(text))
    assert write(found, form) == once.encode() or form.has_graphs


@pytest.mark.parametrize("text", [*CASES.values(), PREFIX_CLASH], ids=[*CASES, "prefix clash"])
def test_any_node_is_a_root_of_json_without_loss(text):
    statements = read(text.encode(), Format.TURTLE)
    roots = dict.fromkeys(each for each, _, _ in statements.merged if each.startswith("<"))
    for root in roots:
        once = write(statements, Format.JSONLD, root=root[1:-1])
        assert "@graph" not in json.loads(once)
        found = read(once, Format.JSONLD)
        assert isomorphic(make_rdflib_graph(found.merged), graph(text))


@formats
def test_labels_of_blank_nodes_change_no_byte(form):
    text = "_:{0} <x:p> _:{1} . _:{1} <x:p> _:{2} ; <x:q> 1 . _:{2} <x:p> _:{0} . [] <x:r> _:{2} ."
    one, other = (serialize(graph(text.format(*labels)), form) for labels in ("abc", "zyx"))
    assert one == other


def test_blank_nodes_that_look_alike_are_all_kept():
    text = "".join(f"_:b{n} <x:p> _:b{(n + 1) % 12} ." for n in range(12))
    assert isomorphic(graph(serialize(graph(text), "turtle")), graph(text))


def test_graphs_made_to_defeat_canonical_labels_are_written():
    text = "".join(f"_:b{n} <x:p> _:b{m} ." for n in range(14) for m in range(14) if n != m)
    assert serialize(graph(text), "ntriples").count("\n") == 14 * 13


def test_blanks_stand_where_they_are_meant():
    assert serialize(graph(CASES["nested blanks"]), "turtle") == (
        f"<{EX}a>\n"
        f"    <{EX}p> [\n"
        f"        <{EX}q>\n"
        f"            [],\n"
        f"            [\n"
        f'                <{EX}r> "x"\n'
        f"            ]\n"
        f"    ] .\n"
    )


def test_named_graphs_of_others_are_kept():
    subject, predicate = rdflib.URIRef(f"{EX}a"), rdflib.URIRef(f"{EX}p")
    dataset = rdflib.Dataset()
    dataset.default_graph.add((subject, predicate, rdflib.Literal("x")))
    dataset.graph(rdflib.URIRef(f"{EX}g")).add((subject, predicate, rdflib.Literal("y")))
    assert serialize(dataset, "nquads") == (
        f'<{EX}a> <{EX}p> "x" .\n<{EX}a> <{EX}p> "y" <{EX}g> .\n'
    )
    trig = serialize(dataset, "trig")
    assert trig == (
        f'<{EX}a>\n    <{EX}p> "x" .\n\n<{EX}g> {{\n    <{EX}a>\n        <{EX}p> "y" .\n}}\n'
    )
    assert read(trig.encode(), Format.TRIG).catalogued == triples_of(dataset)
    assert triples_of(dataset) == (
        (f"<{EX}a>", f"<{EX}p>", '"x"'),
        (f"<{EX}a>", f"<{EX}p>", '"y"'),
    )


def test_layers_come_back_as_layers():
    dataset = dataset_of(RECORDS, as_of=AS_OF)
    found = read(serialize(dataset, "trig").encode(), Format.TRIG)
    assert found.decoded
    assert found.computed
    assert found.merged == triples_of(graph_of(RECORDS, as_of=AS_OF))


def test_rdflib_literals_keep_their_letters():
    text = f"<{EX}a> <{EX}p> '01'^^<{XSD}integer>, '2006-05-14+01:00'^^<{XSD}date> ."
    values = {str(value) for value in graph(text).objects()}
    assert values == {"01", "2006-05-14+01:00"}


BAD = {
    "turtle": (Format.TURTLE, b"<http://a> <http://b>\n  'x", "line 2, column 3: "),
    "relative": (Format.TURTLE, b"<a> <b> <c> .", "line 1, column 1: No scheme"),
    "latin-1": (Format.TURTLE, "<http://a> <http://b> 'é' .".encode("latin-1"), "UTF-8"),
    "utf-16": (Format.NTRIPLES, "<http://a> <http://b> 'x' .".encode("utf-16"), "line 1"),
    "nul": (Format.TURTLE, b"\0\0\0", "line 1, column 1"),
    "json": (Format.JSONLD, b"{", "line 1, column 2: "),
    "json deep": (Format.JSONLD, b"[" * 100_000, "ld+json"),
    "json deeper than memory": (
        Format.JSONLD,
        b'{"@id":"a:\\"b","c:d":' * 501 + b"1" + b"}" * 501,
        "nested more than 500 deep",
    ),
    "json with our context": (
        Format.JSONLD,
        b'{"@context": "https://w3id.org/lexurn/context.jsonld", "id": 3',
        "ld+json",
    ),
    "remote context": (Format.JSONLD, b'{"@context": "https://example.org/x"}', "ld+json"),
    "xml": (Format.RDFXML, b"<a>", "rdf+xml"),
    "entities in entities": (
        Format.RDFXML,
        b'<!DOCTYPE a [\n<!ENTITY b "lol">\n<!ENTITY c "&b;&b;">]><a>&c;</a>',
        "line 3: this entity",
    ),
    "a long entity": (
        Format.RDFXML,
        b'<!DOCTYPE a [<!ENTITY b "' + b"x" * 257 + b'">]><a>&b;</a>',
        "line 1: this entity",
    ),
    "triple terms": (
        Format.TURTLE,
        b"<x:a> <x:p> <<( <x:a> <x:b> <x:c> )>> .",
        "triple within a triple",
    ),
    "directions": (Format.TURTLE, b"<x:a> <x:p> 'x'@ar--rtl .", "direction"),
}


@pytest.mark.parametrize(("form", "text", "where"), BAD.values(), ids=BAD)
def test_bad_bytes_are_an_error_with_its_place(form, text, where):
    with pytest.raises(GraphError, match=re.escape(where)):
        read(text, form)


def test_brackets_in_texts_are_not_depth():
    opened = r'"\\", "\"", "' + "[{" * 1000 + '"'
    text = '{"@id": "x:a", "x:b": [' + opened + "]}"
    assert len(read(text.encode(), Format.JSONLD).catalogued) == 3


def test_short_entities_of_rdf_xml_are_read():
    entities = '<!ENTITY rdf "http://www.w3.org/1999/02/22-rdf-syntax-ns#"> <!ENTITY q "?a&amp;b">'
    description = '<rdf:Description rdf:about="x:&q;"><b xmlns="x:" rdf:resource="&rdf;type"/>'
    text = f'<!DOCTYPE a [{entities}]><rdf:RDF xmlns:rdf="&rdf;">{description}</rdf:Description>'
    (triple,) = read(f"{text}</rdf:RDF>".encode(), Format.RDFXML).catalogued
    assert triple[0] == "<x:?a&b>"
    assert triple[2].endswith("ns#type>")


@pytest.mark.parametrize("form", list(Format))
def test_a_byte_order_mark_is_no_fault(form):
    text = serialize(graph(CASES["literals"]), form).encode()
    assert read(b"\xef\xbb\xbf" + text, form) == read(text, form)


@pytest.mark.parametrize(
    "text", ["a", "urn:lex:it:x|y", "http://a b", "", "http://a/<", "x:\ud800"]
)
def test_nodes_that_are_no_iris(text):
    found = rdflib.Graph()
    found.add((rdflib.BNode(), rdflib.RDF.type, rdflib.URIRef(text)))
    with pytest.raises(GraphError, match="not an absolute IRI"):
        serialize(found)


def test_variables_are_no_rdf():
    found = rdflib.Graph()
    found.add((rdflib.URIRef("x:a"), rdflib.RDF.type, rdflib.Variable("v")))
    with pytest.raises(GraphError, match="not a term of RDF"):
        triples_of(found)


@pytest.mark.parametrize(
    "line",
    [
        "<x:a> <x:p> '\\u0001' .",
        "<x:a> <x:p> '\\uFFFE' .",
        "<x:a> <https://example.org/1> 'x' .",
        "<x:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#li> 'x' .",
        "<x:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#bagID> 'x' .",
        "<x:a> <http://www.w3.org/2000/xmlns/c> 'x' .",
        "<x:a> <https://example.org/c/1> 'x' .",
    ],
)
def test_what_rdf_xml_cannot_hold_is_an_error_there_alone(line):
    found = graph(line)
    for form in Format:
        if form is Format.RDFXML:
            with pytest.raises(GraphError, match="RDF/XML"):
                serialize(found, form)
        else:
            assert read(serialize(found, form).encode(), form).merged == triples_of(found)


def test_line_ends_in_rdf_xml_survive_readers_of_xml():
    text = serialize(graph("<x:a> <https://example.org/c> 'a\\r\\n\\rb' ."), Format.RDFXML)
    ((value,),) = ET.fromstring(text)  # noqa: S314 - lexurn wrote it
    assert value.text == "a\r\n\rb"


def test_json_ld_keeps_a_context_that_is_not_ours():
    contexts = [{"p": "x:p"}, "https://w3id.org/lexurn/context.jsonld"]
    text = json.dumps({"@context": contexts, "@id": "x:a", "p": "v"})
    assert read(text.encode(), Format.JSONLD).merged == (("<x:a>", "<x:p>", '"v"'),)


def test_a_clash_of_prefixes_leaves_the_context_out():
    assert list(json.loads(serialize(graph(PREFIX_CLASH), "jsonld"))) == ["@graph"]


def test_empty_statements_are_written_in_each_format():
    assert {form.name: len(write(Statements(), form)) for form in Format if form.has_graphs} == {
        "TRIG": 0,
        "NQUADS": 0,
    }


@pytest.mark.parametrize(
    ("form", "text"),
    [
        (Format.TURTLE, '<x:a> <x:b> "%s" .'),
        (Format.NQUADS, '<x:a> <x:b> "%s" .'),
        (Format.JSONLD, '{"@id": "x:a", "x:b": "%s"}'),
    ],
)
def test_a_text_too_long_for_the_engine_is_said(form, text):
    with pytest.raises(GraphError, match="too long"):
        read((text % ("x" * 17_200_000)).encode(), form)
