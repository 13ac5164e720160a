"""Other people's readers: rdflib, pyoxigraph, n3 and jsonld.js find the graph that was written."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pyoxigraph
import pytest
import rdflib
from graph_sample import AS_OF, FAMILY, golden, sample
from rdflib.compare import isomorphic

from lexurn import data
from lexurn.graph import (
    Format,
    Statements,
    dataset_of,
    graph_of,
    load_context,
    make_rdflib_graph,
    read,
    serialize,
    triples_of,
    write,
)

# rdflib warns of itself while its Dataset parses.
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:rdflib")

formats = pytest.mark.parametrize("form", list(Format), ids=[each.name for each in Format])
TOP = Path(__file__).parents[2]
SCRIPT = Path(__file__).parents[1] / "support" / "graph_readers.mjs"
NODE_MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", TOP / "node_modules"))
RDFLIB = {
    Format.TURTLE: "turtle",
    Format.TRIG: "trig",
    Format.NTRIPLES: "nt",
    Format.NQUADS: "nquads",
    Format.JSONLD: "json-ld",
    Format.RDFXML: "xml",
}
N3 = (Format.TURTLE, Format.TRIG, Format.NTRIPLES, Format.NQUADS)


@pytest.fixture
def literals_as_written(monkeypatch):
    """rdflib rewrites literals while it parses unless it is told not to."""
    monkeypatch.setattr(rdflib, "NORMALIZE_LITERALS", False)
    monkeypatch.setattr("rdflib.term.rdflib.NORMALIZE_LITERALS", False)


@pytest.fixture(scope="module")
def node():
    """Run the script with node and the packages that it needs, or skip."""
    missing = [each for each in ("n3", "jsonld") if not (NODE_MODULES / each).is_dir()]
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    if missing:
        pytest.skip(f"npm packages {', '.join(missing)} are not in {NODE_MODULES}")

    def run(text, *arguments):
        done = subprocess.run(
            ["node", str(SCRIPT), *arguments],
            input=text,
            capture_output=True,
            check=False,
            env={**os.environ, "LEXURN_NODE_MODULES": str(NODE_MODULES)},
        )
        assert done.returncode == 0, done.stderr.decode()
        return done.stdout

    return run


def quads(statements):
    return {line for line in write(statements, Format.NQUADS).split(b"\n") if line}


@formats
@pytest.mark.usefixtures("literals_as_written")
def test_rdflib_reads_it(form):
    found = rdflib.Dataset(default_union=True)
    found.parse(data=golden(form).read_bytes(), format=RDFLIB[form])
    assert triples_of(found) == sample().merged
    assert isomorphic(make_rdflib_graph(triples_of(found)), make_rdflib_graph(sample().merged))


@pytest.mark.usefixtures("literals_as_written")
@pytest.mark.parametrize("form", [Format.TRIG, Format.NQUADS])
def test_rdflib_reads_the_layers(form):
    found = rdflib.Dataset()
    found.parse(data=golden(form).read_bytes(), format=RDFLIB[form])
    assert serialize(found, Format.NQUADS).encode() == golden(Format.NQUADS).read_bytes()


@formats
def test_pyoxigraph_reads_it(form):
    engine = pyoxigraph.RdfFormat.from_media_type(form.media_type)
    found = pyoxigraph.parse(golden(form).read_bytes(), format=engine)
    triples = {(str(q.subject), str(q.predicate), str(q.object)) for q in found}
    assert triples == set(sample().merged)


@formats
def test_lexurn_reads_it(form):
    found = read(golden(form).read_bytes(), form)
    assert found == (sample() if form.has_graphs else Statements(catalogued=sample().merged))


@pytest.mark.parametrize("form", N3, ids=[each.name for each in N3])
def test_n3_reads_it(node, form):
    found = read(node(golden(form).read_bytes(), "n3", form.media_type), Format.NQUADS)
    assert found == (sample() if form.has_graphs else Statements(catalogued=sample().merged))


def test_jsonld_js_reads_it(node):
    found = read(node(golden(Format.JSONLD).read_bytes(), "jsonld"), Format.NQUADS)
    assert found.merged == sample().merged


def test_pyld_reads_it():
    jsonld = pytest.importorskip("pyld.jsonld", reason="PyLD is not installed")
    document = json.loads(golden(Format.JSONLD).read_bytes())
    text = jsonld.to_rdf(document, {"format": "application/n-quads"})
    assert read(text.encode(), Format.NQUADS).merged == sample().merged


def without_order(value):
    """JSON-LD with lists sorted, numbers as texts and without its context."""
    if isinstance(value, dict):
        return {key: without_order(item) for key, item in value.items() if key != "@context"}
    if isinstance(value, list):
        return sorted(map(without_order, value), key=lambda item: json.dumps(item, sort_keys=True))
    return str(value)


def nest_once(document):
    """JSON-LD without what is nested again: a frame nests a node once in each work."""
    seen = set()

    def visit(value):
        if isinstance(value, list):
            return [visit(item) for item in value]
        if not isinstance(value, dict):
            return value
        if value.get("id") in seen:
            return value["id"]
        seen.update({value["id"]} if "id" in value else ())
        return {key: visit(item) for key, item in value.items()}

    works = sorted(document["@graph"], key=lambda work: "sameAs" in work)
    return without_order({"@graph": visit(works)})


def nested():
    """What we write, and the same triples for others to frame."""
    statements = sample(base=None)
    written = json.loads(write(statements, Format.JSONLD))
    return without_order(written), write(statements, Format.NTRIPLES)


def test_the_frame_nests_alike_with_pyld():
    jsonld = pytest.importorskip("pyld.jsonld", reason="PyLD is not installed")
    ours, triples = nested()
    frame = json.loads(data.read_text("ontology/frame.jsonld"))
    graph = jsonld.from_rdf(triples.decode(), {"format": "application/n-quads"})
    assert nest_once(jsonld.frame(graph, frame, {"omitGraph": False})) == ours


def test_the_frame_nests_alike_with_jsonld_js(node):
    ours, triples = nested()
    path = data.find_folder("ontology") / "frame.jsonld"
    assert nest_once(json.loads(node(triples, "frame", str(path)))) == ours


def test_the_frame_holds_the_context():
    frame = json.loads(data.read_text("ontology/frame.jsonld"))
    assert frame["@context"] == load_context(), (
        "PYTHONPATH=src python tests/support/graph_sample.py copies the context"
    )
    assert list(frame["@context"]) == list(load_context())


def test_works_hold_expressions_hold_manifestations_hold_items():
    graph = json.loads(write(sample(), Format.JSONLD))["@graph"]
    paths = set()

    def walk(node, path):
        for key, value in node.items():
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict) and "id" in item:
                    paths.add((*path, key))
                    walk(item, (*path, key))

    for node in graph:
        walk(node, ())
    assert paths == {
        ("hasPart",),
        ("realization",),
        ("realization", "hasPart"),
        ("realization", "embodiment"),
        ("realization", "embodiment", "item"),
        ("realization", "embodiment", "item", "checksum"),
        ("realization", "embodiment", "hasPart"),
        ("realization", "embodiment", "hasPart", "hasPart"),
        ("manifestation",),
    }


def test_each_node_is_written_once():
    seen = []

    def walk(value):
        if isinstance(value, dict):
            if len(value) > 1 and "id" in value:
                seen.append(value["id"])
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(json.loads(write(sample(), Format.JSONLD))["@graph"])
    assert sorted(seen) == sorted({s[1:-1] for s, _, _ in sample().merged})


def test_a_context_by_its_url_is_read_offline():
    by_url = write(sample(), Format.JSONLD, context="url")
    assert json.loads(by_url)["@context"] == "https://w3id.org/lexurn/context.jsonld"
    assert read(by_url, Format.JSONLD).merged == sample().merged


def test_each_term_of_the_context_is_written_by_somebody():
    written = {p[1:-1] for _, p, _ in sample().merged} | {
        o[1:-1] for _, _, o in sample().merged if o.startswith("<")
    }
    unused = []
    for key, definition in load_context().items():
        iri = definition["@id"] if isinstance(definition, dict) else definition
        prefix, _, local = str(iri).partition(":")
        if prefix in load_context() and f"{load_context()[prefix]}{local}" not in written:
            unused.append(key)
    spare = ["BasisAmendmentDate", "BasisActDate", "BasisPublished"]
    assert unused == [*spare, "period", "creatorName", "subject"]


def test_graphs_for_users_of_rdflib():
    graph = graph_of(FAMILY.records, as_of=AS_OF)
    assert isinstance(graph, rdflib.Graph)
    assert triples_of(graph) == sample(base=None).merged
    assert "urn" not in dict(graph.namespaces())
    assert dict(graph.namespaces())["lexo"] == rdflib.URIRef("https://w3id.org/lexurn/ns#")
    dataset = dataset_of(FAMILY.records, as_of=AS_OF)
    assert isinstance(dataset, rdflib.Dataset)
    assert serialize(dataset, "nquads").encode() == write(sample(base=None), Format.NQUADS)
    for form in Format:
        if not form.has_graphs:
            assert serialize(graph, form).encode() == write(sample(base=None), form)
