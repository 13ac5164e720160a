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
from graph_sample import ACT, ALIAS, AS_OF, FAMILY, ORIGINAL, PDF, golden, sample
from rdflib.compare import isomorphic

from lexurn import data
from lexurn import vocabulary as v
from lexurn.errors import GraphError
from lexurn.graph import (
    Format,
    Statements,
    dataset_of,
    describe_concepts,
    find_concepts,
    graph_of,
    load_context,
    make_rdflib_graph,
    read,
    serialize,
    triples_of,
    write,
)
from lexurn.name import parse

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


LINKS = {"sameAs", "isReplacedBy"}


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
        # A frame states the link from an alias in both directions.
        whole = dict(value)
        for reverse, link in (("equivalent", "sameAs"), ("replaces", "isReplacedBy")):
            if aliases := value.get(reverse):
                whole[reverse] = [
                    {key: item for key, item in alias.items() if key != link} for alias in aliases
                ]
        return {key: visit(item) for key, item in whole.items()}

    works = sorted(document["@graph"], key=lambda work: not work.keys().isdisjoint(LINKS))
    # An alias, nested in its canonical name, is at the top of what a frame gives, too.
    roots = [work for work in visit(works) if not isinstance(work, str)]
    return without_order({"@graph": roots})


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
        ("equivalent",),
        ("replaces",),
        ("replaces", "record"),
        ("replaces", "realization"),
        ("hasPart",),
        ("record",),
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
            seen.extend(each for each in value.get("equivalent", ()) if isinstance(each, str))
            for item in value.values():
                walk(item)
        elif isinstance(value, list):
            for item in value:
                walk(item)

    walk(json.loads(write(sample(), Format.JSONLD))["@graph"])
    assert sorted(seen) == sorted({s[1:-1] for s, _, _ in sample().merged})


SITE = "https://law.example/context.jsonld"
ROOTS = [each for each, _, _ in sample().merged if each.startswith("<urn:lex:")]


@pytest.mark.parametrize("url", [v.CONTEXT_URL, SITE])
def test_a_linked_context_is_read_offline(url):
    linked = write(sample(), Format.JSONLD, context=url)
    assert json.loads(linked)["@context"] == url
    assert read(linked, Format.JSONLD).merged == sample().merged
    later = json.dumps(dict(reversed(json.loads(linked).items()))).encode()
    assert read(later, Format.JSONLD).merged == sample().merged


def test_the_context_of_another_site_is_not_guessed():
    linked = write(sample(), Format.JSONLD, context="https://other.example/context.jsonld")
    with pytest.raises(GraphError, match="context"):
        read(linked, Format.JSONLD)


def inline(document):
    """The document with the file of the context in the place of its URL."""
    context = json.loads(data.find_folder("ontology").joinpath("context.jsonld").read_bytes())
    assert document["@context"] == SITE
    return {**document, **context}


def write_from(root):
    return json.loads(write(sample(), Format.JSONLD, context=SITE, root=root[1:-1]))


@pytest.mark.parametrize("root", dict.fromkeys(ROOTS))
def test_each_node_can_be_the_root(root):
    document = write_from(root)
    assert document["id"] == root[1:-1]
    assert "@graph" not in document
    text = json.dumps(inline(document))
    found = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD)
    assert {(str(q.subject), str(q.predicate), str(q.object)) for q in found} == set(
        sample().merged
    )


@pytest.mark.usefixtures("literals_as_written")
@pytest.mark.parametrize("root", [f"<{parse(each).iri}>" for each in (ACT, ORIGINAL, ALIAS, PDF)])
def test_rdflib_reads_a_root(root):
    text = json.dumps(inline(write_from(root)))
    found = rdflib.Graph().parse(data=text, format="json-ld")
    assert triples_of(found) == sample().merged


def test_jsonld_js_reads_a_linked_context(node):
    path = data.find_folder("ontology") / "context.jsonld"
    for root in dict.fromkeys(ROOTS):
        text = json.dumps(write_from(root)).encode()
        found = read(node(text, "jsonld", f"{SITE}={path}"), Format.NQUADS)
        assert found.merged == sample().merged


def test_the_root_holds_what_it_is_linked_with():
    version = write_from(f"<{parse(ORIGINAL).iri}>")
    work = version["realizationOf"]
    assert work["id"] == parse(ACT).iri
    assert all(each.startswith("https://law.example/lex/it") for each in version["equivalent"])
    assert parse(ORIGINAL).iri in work["realization"]
    alias = write_from(f"<{ALIAS}>")
    assert [each["id"] for each in alias["sameAs"]] == [parse(ACT).iri]


def test_prefixes_are_those_of_turtle():
    spaces = {
        key: value
        for key, value in load_context().items()
        if isinstance(value, str) and value.endswith(("#", "/"))
    }
    assert spaces == dict(v.PREFIXES)


def test_each_term_of_the_context_is_written_by_somebody():
    written = {p[1:-1] for _, p, _ in sample().merged} | {
        o[1:-1] for _, _, o in sample().merged if o.startswith("<")
    }
    unused = []
    for key, definition in load_context().items():
        iri = next(iter(definition.values())) if isinstance(definition, dict) else definition
        prefix, _, local = str(iri).partition(":")
        if prefix in load_context() and f"{load_context()[prefix]}{local}" not in written:
            unused.append(key)
    spare = ["BasisAmendmentDate", "BasisActDate", "BasisPublished"]
    states = ["InForce", "NotInForce", "Repealed"]
    of_concepts = ["prefLabel", "notation", "exactMatch", "broader"]
    assert unused == ["Concept", *states, *spare, *of_concepts, "creatorName", "subject"]


def test_graphs_for_users_of_rdflib():
    graph = graph_of(FAMILY.records, as_of=AS_OF)
    expected = sample(base=None) + describe_concepts(find_concepts([FAMILY]))
    assert isinstance(graph, rdflib.Graph)
    assert triples_of(graph) == expected.merged
    assert "urn" not in dict(graph.namespaces())
    assert dict(graph.namespaces())["lexo"] == rdflib.URIRef("https://w3id.org/lexurn/ns#")
    dataset = dataset_of(FAMILY.records, as_of=AS_OF)
    assert isinstance(dataset, rdflib.Dataset)
    assert serialize(dataset, "nquads").encode() == write(expected, Format.NQUADS)
    for form in Format:
        if not form.has_graphs:
            assert serialize(graph, form).encode() == write(expected, form)
