"""Other people's readers find in head tags what was put there."""

from __future__ import annotations

import io
import json
import os
import shutil
import subprocess
import warnings
from pathlib import Path

import pyoxigraph
import pytest
from export_cases import (
    ACT,
    AS_OF,
    BASE,
    FIRST,
    HOSTILE,
    HOSTILE_TITLE,
    PDF,
    SECOND,
    url,
    write_head,
)
from rdflib import Graph, Literal, URIRef
from rdflib.namespace import DCTERMS, RDF, XSD, Namespace

from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import head

ELI = Namespace("http://data.europa.eu/eli/ontology#")
NAMES = [ACT, SECOND, PDF, HOSTILE]
MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", Path(__file__).parents[2] / "node_modules"))

PARSE = """
const { RdfaParser } = require("rdfa-streaming-parser");
const parser = new RdfaParser({ baseIRI: process.argv[1], contentType: "text/html" });
const type = (t) => t.datatype.value.endsWith("#string") ? "" : `^^<${t.datatype.value}>`;
const term = (t) => t.termType === "NamedNode" ? `<${t.value}>`
  : JSON.stringify(t.value) + (t.language ? `@${t.language}` : type(t));
const line = (q) => `${term(q.subject)} ${term(q.predicate)} ${term(q.object)} .`;
parser.on("data", (q) => console.log(line(q)));
parser.on("error", (e) => { console.error(e); process.exit(1); });
process.stdin.pipe(parser);
"""


def page(tags: str) -> str:
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>x</title>\n'
        f"{tags}</head><body></body></html>"
    )


def from_pyrdfa(text: str) -> Graph:
    return from_pyrdfa_of(write_head(text))


def from_pyrdfa_of(tags: str) -> Graph:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pyRdfa import pyRdfa  # noqa: PLC0415 - its import warns
        from pyRdfa.options import Options  # noqa: PLC0415 - as above

        options = Options(output_processor_graph=False, embedded_rdf=False)
        processor = pyRdfa(options=options, base="https://law.example/x", media_type="text/html")
        graph = processor.graph_from_source(io.StringIO(page(tags)), rdfOutput=False)
    found = Graph()
    for triple in graph:
        if str(triple[0]).startswith(f"{BASE}/lex/"):
            found.add(triple)
    return found


def plain(graph: Graph) -> set[tuple[str, str, str, str]]:
    """The triples; a text without a type and an ``xsd:string`` are one in RDF 1.1."""
    return {
        (str(s), str(p), str(o), str(getattr(o, "language", None) or getattr(o, "datatype", None)))
        if getattr(o, "datatype", None) != XSD.string
        else (str(s), str(p), str(o), "None")
        for s, p, o in graph
    }


def from_node(text: str) -> Graph:
    if shutil.which("node") is None or not (MODULES / "rdfa-streaming-parser").is_dir():
        pytest.skip(f"node or rdfa-streaming-parser is missing (looked in {MODULES})")
    run = subprocess.run(
        ["node", "-e", PARSE, "https://law.example/x"],
        input=page(write_head(text)),
        env={**os.environ, "NODE_PATH": str(MODULES)},
        capture_output=True,
        text=True,
        check=True,
        encoding="utf-8",
    )
    graph = Graph().parse(data=run.stdout, format="nt")
    found = Graph()
    for triple in graph:
        if str(triple[0]).startswith(f"{BASE}/lex/"):
            found.add(triple)
    return found


def extracted(text: str, syntax: str) -> list[dict[str, object]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import extruct  # noqa: PLC0415 - its import warns

        found: list[dict[str, object]] = extruct.extract(
            page(write_head(text)), base_url="https://law.example/x", syntaxes=[syntax]
        )[syntax]
    return found


def test_pyrdfa_reads_eli() -> None:
    graph, version = from_pyrdfa(SECOND), URIRef(url(SECOND))
    assert (version, RDF.type, ELI.LegalExpression) in graph
    assert (version, ELI.realizes, URIRef(url(ACT))) in graph
    assert (version, ELI.title, Literal("Norme sulla tutela delle acque", lang="it")) in graph
    assert (version, DCTERMS.date, Literal("2005-01-01", datatype=XSD.date)) in graph
    assert (version, ELI.is_embodied_by, URIRef(url(PDF))) in graph


@pytest.mark.parametrize("partition", ["", "~art1"])
@pytest.mark.parametrize("level", ["", "@2001-01-01:it", "@2001-01-01:it$a.it:text-html"])
def test_terms_of_eli_stand_only_where_its_domains_allow(level: str, partition: str) -> None:
    row = Record(
        name=parse(f"{ACT}{level}{partition}"),
        titles=(LanguageText(value="Titolo"),),
        published=AS_OF,
        in_force_from=AS_OF,
        in_force_until=AS_OF,
        amended_by=(parse(HOSTILE),),
        licenses=("https://a.example/l",),
    )
    below = [Record(name=parse(f"{row.name};com1" if partition else f"{row.name}~art1"))]
    graph = from_pyrdfa_of(head(row, below, base=BASE))
    terms = {p.fragment for _, p, _ in graph if p.startswith(str(ELI))}
    works = {"has_part", "is_part_of", "date_document", "is_realized_by"}
    dated = {"first_date_entry_in_force", "date_no_longer_in_force", "amended_by"}
    assert not works & terms or not level
    assert not {"title", "language", "realizes"} & terms or (level[:1] == "@" and "$" not in level)
    assert not {"licence", "embodies"} & terms or ("$" in level and not partition)
    assert not dated & terms or "$" not in level
    licence = {str(value) for value in graph.objects(None, DCTERMS.license)}
    licence |= {str(value) for value in graph.objects(None, ELI.licence)}
    assert licence == {"https://a.example/l"}
    assert bool(set(graph.objects(None, RDF.type))) == (not partition or not level)


def test_pyrdfa_reads_a_hostile_title_as_it_was_written() -> None:
    graph = from_pyrdfa(HOSTILE)
    texts = {str(title) for title in graph.objects(URIRef(url(HOSTILE)), DCTERMS.title)}
    assert HOSTILE_TITLE in texts


@pytest.mark.parametrize("text", NAMES)
def test_two_readers_of_rdfa_agree(text: str) -> None:
    ours, theirs = from_pyrdfa(text), from_node(text)
    assert len(ours) > 3
    assert plain(ours) == plain(theirs)
    assert not [o for o in ours.objects() if isinstance(o, Literal) and o.language == "en"]


@pytest.mark.parametrize("text", NAMES)
def test_extruct_reads_rdfa(text: str) -> None:
    (found,) = (each for each in extracted(text, "rdfa") if each["@id"] == url(text))
    assert set(found) - {"@id", "@type"} == {
        str(p) for _, p, _ in from_pyrdfa(text) if p != RDF.type
    }


def test_extruct_reads_dublin_core() -> None:
    (found,) = extracted(SECOND, "dublincore")
    elements = {(e.get("name"), e.get("content")) for e in found["elements"]}  # type: ignore[attr-defined]
    terms = {(e.get("rel"), e.get("href")) for e in found["terms"]}  # type: ignore[attr-defined]
    assert {("DC.identifier", SECOND), ("DC.language", "it")} <= elements
    assert ("DCTERMS.isVersionOf", ACT) in terms


@pytest.mark.parametrize("text", NAMES)
def test_extruct_reads_legislation(text: str) -> None:
    (found,) = extracted(text, "json-ld")
    kind = "LegislationObject" if text == PDF else "Legislation"
    assert (found["@type"], found["@id"]) == (kind, text)
    assert found["legislationIdentifier"] == text


def test_legislation_is_json_ld() -> None:
    (found,) = extracted(FIRST, "json-ld")
    context = {
        "@vocab": "https://schema.org/",
        "url": {"@type": "@id"},
        "sameAs": {"@type": "@id"},
    }
    text = json.dumps({**found, "@context": context})
    quads = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD)
    triples = {(str(q.subject), str(q.predicate), str(q.object)) for q in quads}
    schema = "https://schema.org/"
    assert (f"<{FIRST}>", f"<{RDF.type}>", f"<{schema}Legislation>") in triples
    assert (f"<{FIRST}>", f"<{schema}exampleOfWork>", f"<{ACT}>") in triples
    assert (f"<{FIRST}>", f"<{schema}name>", '"Norme sulla tutela delle acque"@it') in triples
