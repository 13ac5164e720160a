"""Answers as bytes: tables, the formats of the W3C, RDF."""

from __future__ import annotations

import io
import json
import unicodedata
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from query_store import filled_store

from lexurn.errors import CatalogueError
from lexurn.store import answers, query, write_answer

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.store.embedded import EmbeddedStore

VALUES = """SELECT ?a ?b { VALUES (?a ?b) {
  (UNDEF "x,\\"y\\"\\n\\t\\u001b[31m") (<urn:lex:x> "acque"@it) ("\u6c34" 7) } }"""
ROWS = [
    (None, 'x,"y"\n\t\x1b[31m'),
    ("urn:lex:x", "acque"),
    ("\u6c34", "7"),
]
GRAPH = "CONSTRUCT WHERE { ?s <http://purl.org/dc/terms/title> ?o }"


@pytest.fixture(scope="module")
def store() -> Iterator[EmbeddedStore]:
    with filled_store() as filled:
        yield filled


def written(store: EmbeddedStore, text: str, form: str | None) -> str:
    target = io.BytesIO()
    text = text.replace("\\u001b", "\x1b")
    write_answer(query(store, text), form, target)
    return target.getvalue().decode()


@pytest.mark.parametrize("form", ["csv", "tsv", "json", "xml"])
def test_formats_of_results_can_be_read(store: EmbeddedStore, form: str) -> None:
    text = written(store, VALUES, form)
    if form == "csv":
        assert text.startswith('a,b\r\n,"x,""y""\n')
        return
    known = pyoxigraph.QueryResultsFormat.from_extension(
        {"xml": "srx", "json": "srj"}.get(form, form)
    )
    read = pyoxigraph.parse_query_results(text.encode(), format=known)
    rows = [tuple(term and term.value for term in row) for row in read]
    assert rows == ROWS


def test_a_table_is_for_people(store: EmbeddedStore) -> None:
    lines = written(store, VALUES, None).splitlines()
    assert lines == [
        "a          b",
        "---------  -----------------",
        '           x,"y"\\n\\t\\x1b[31m',
        "urn:lex:x  acque@it",
        "\u6c34         7",
    ]
    assert all(unicodedata.category(each) != "Cc" for line in lines for each in line)
    assert written(store, "SELECT ?a ?b {} LIMIT 0", "table") == "a  b\n-  -\n"
    assert written(store, "SELECT (1 AS ?a) {}", "table") == "a\n-\n1\n"


def test_a_long_table_is_written_as_it_comes(store: EmbeddedStore) -> None:
    text = "SELECT ?s ?p ?o { ?s ?p ?o . ?x a ?y }"
    lines = written(store, text, "table").splitlines()
    assert len(lines) == len(written(store, text, "tsv").splitlines()) + 1 > answers._MEASURED_ROWS
    long = written(store, f'SELECT ?a {{ VALUES ?a {{ "{"x" * 200}" "y" }} }}', "table")
    assert long.splitlines()[1] == "-" * answers._WIDEST_COLUMN


@pytest.mark.parametrize(
    ("form", "expected"),
    [(None, "true\n"), ("csv", "true\n"), ("tsv", "true\n"), ("json", '"boolean":true')],
)
def test_a_truth_is_written(store: EmbeddedStore, form: str | None, expected: str) -> None:
    assert expected in written(store, "ASK { ?s ?p ?o }", form)


@pytest.mark.parametrize("form", ["json", "xml"])
def test_a_truth_can_be_read(store: EmbeddedStore, form: str) -> None:
    known = pyoxigraph.QueryResultsFormat.from_extension({"xml": "srx", "json": "srj"}[form])
    for text, truth in (("ASK {}", True), ("ASK { ?s ?p 0.5 }", False)):
        read = pyoxigraph.parse_query_results(written(store, text, form).encode(), format=known)
        assert bool(read) is truth


@pytest.mark.parametrize("most", [10, 100_000])
@pytest.mark.parametrize("form", [None, "turtle", "ntriples", "jsonld", "rdfxml"])
def test_a_graph_can_be_read(
    store: EmbeddedStore, form: str | None, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answers, "_MOST_IN_ORDER", most)
    text = written(store, GRAPH, form)
    read = {
        None: pyoxigraph.RdfFormat.TURTLE,
        "turtle": pyoxigraph.RdfFormat.TURTLE,
        "ntriples": pyoxigraph.RdfFormat.N_TRIPLES,
        "rdfxml": pyoxigraph.RdfFormat.RDF_XML,
    }.get(form)
    if read is None:
        assert "Legge sulle acque" in json.dumps(json.loads(text), ensure_ascii=False)
        return
    expected = {str(triple) for triple in query(store, GRAPH)}
    assert {str(quad.triple) for quad in pyoxigraph.parse(text.encode(), format=read)} == expected


@pytest.mark.parametrize(
    ("text", "form", "message"),
    [
        (GRAPH, "csv", "returns a graph, which cannot be written as csv; use one of turtle, "),
        (
            "ASK {}",
            "turtle",
            "returns no graph, so it cannot be written as turtle; use one of table",
        ),
        ("SELECT * {}", "jsonld", "returns no graph, so it cannot be written as jsonld"),
    ],
)
def test_a_format_that_does_not_fit_is_said(
    store: EmbeddedStore, text: str, form: str, message: str
) -> None:
    with pytest.raises(CatalogueError, match=message):
        written(store, text, form)
