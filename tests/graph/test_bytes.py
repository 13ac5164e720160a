"""Canonical bytes: golden files, the same in every process, readable by people."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from graph_sample import AS_OF, BASE, FAMILY, GOLDEN, RECORDS, golden, sample
from ontology_tools import list_terms

from lexurn import vocabulary
from lexurn.errors import GraphError
from lexurn.graph import (
    Format,
    Statements,
    load_context,
    nquads_of,
    read,
    statements_of,
    write,
)
from lexurn.model import Item, Record, family_of

formats = pytest.mark.parametrize("form", list(Format), ids=[each.name for each in Format])


@formats
def test_golden_files(form):
    again = "PYTHONPATH=src python tests/support/graph_sample.py writes the golden files anew"
    assert write(sample(), form) == golden(form).read_bytes(), again


def test_each_format_has_a_golden_file():
    assert sorted(GOLDEN.glob("sample.*")) == sorted(map(golden, Format))


@formats
def test_the_order_of_records_is_no_matter(form):
    backwards = family_of(RECORDS[::-1])
    assert write(statements_of(backwards, as_of=AS_OF, base=BASE), form) == write(sample(), form)


_DIGESTS = """
import hashlib
from graph_sample import AS_OF, BASE, FAMILY, sample
from lexurn.graph import Format, nquads_of, serialize, dataset_of, graph_of, write
from graph_sample import RECORDS
for form in Format:
    print(hashlib.sha256(write(sample(), form)).hexdigest())
print(hashlib.sha256(nquads_of(FAMILY, as_of=AS_OF, base=BASE)).hexdigest())
print(hashlib.sha256(serialize(graph_of(RECORDS, as_of=AS_OF), "turtle").encode()).hexdigest())
print(hashlib.sha256(serialize(dataset_of(RECORDS, as_of=AS_OF), "trig").encode()).hexdigest())
"""


def output(code, seed="random"):
    tests = Path(__file__).parent
    path = os.pathsep.join((str(tests), str(tests.parent / "src"), *sys.path))
    run = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": path},
        capture_output=True,
        check=True,
        text=True,
    )
    return run.stdout


def digests(seed):
    return output(_DIGESTS, seed).split()


def test_hash_seeds_change_no_byte():
    first = digests("0")
    assert first[: len(Format)] == [
        hashlib.sha256(golden(form).read_bytes()).hexdigest() for form in Format
    ]
    assert digests("1") == digests("2") == first


def test_the_bulk_path_writes_what_write_writes():
    assert nquads_of(FAMILY, as_of=AS_OF, base=BASE) == write(sample(), Format.NQUADS)


@pytest.mark.parametrize("form", [Format.NTRIPLES, Format.NQUADS])
def test_lines_are_sorted_by_their_octets(form):
    lines = write(sample(), form).split(b"\n")
    assert lines.pop() == b""
    assert lines == sorted(set(lines))


def test_turtle_reads_like_turtle():
    text = write(sample(), Format.TURTLE).decode()
    assert not re.search(r"[ \t]\n", text), "blanks at the end of a line"
    assert "@prefix urn:" not in text
    assert re.search(
        r"^<urn:lex:it:stato:decreto:1999-09-02;3>\n    a frbr:Work, lexo:Work ;",
        text,
        re.MULTILINE,
    )
    heads = re.findall(r"^<([^>]*)>$", text, re.MULTILINE)
    assert len(heads) == len(set(heads)) == len({s for s, _, _ in sample().merged})
    names = [head for head in heads if head.startswith("urn:lex:")]
    assert names == sorted(names)
    assert heads[: len(names)] == names


def test_only_prefixes_in_use_are_declared():
    text = write(
        Statements(decoded=((vocabulary.WORK, vocabulary.TYPE, vocabulary.FRBR_WORK),)),
        Format.TURTLE,
    ).decode()
    assert re.findall(r"@prefix (\w+):", text) == ["frbr", "lexo"]


def test_layers_are_graphs_where_the_format_has_graphs():
    trig = write(sample(), Format.TRIG).decode()
    assert re.findall(r"^(\S+) \{$", trig, re.MULTILINE) == [
        "lexo:catalogued",
        "lexo:computed",
        "lexo:decoded",
    ]
    graphs = {line.split(b" ")[-2] for line in write(sample(), Format.NQUADS).splitlines()}
    assert graphs == {
        vocabulary.CATALOGUED.encode(),
        vocabulary.COMPUTED.encode(),
        vocabulary.DECODED.encode(),
    }


def test_another_day_changes_only_what_is_in_force():
    other = statements_of(FAMILY, as_of=dt.date(2000, 1, 1), base=BASE)
    assert other.decoded == sample().decoded
    assert other.catalogued == sample().catalogued
    changed = {p for _, p, _ in set(other.computed) ^ set(sample().computed)}
    assert changed == {vocabulary.CURRENT, vocabulary.HAS_CURRENT_VERSION, vocabulary.AS_OF}


def test_a_day_on_which_nothing_changed_changes_no_byte():
    later = statements_of(FAMILY, as_of=AS_OF + dt.timedelta(days=1), base=BASE)
    assert write(later, Format.TURTLE) == write(sample(), Format.TURTLE)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("turtle", Format.TURTLE),
        ("ttl", Format.TURTLE),
        (".ttl", Format.TURTLE),
        ("text/turtle; charset=utf-8", Format.TURTLE),
        ("TriG", Format.TRIG),
        ("nt", Format.NTRIPLES),
        ("ntriples", Format.NTRIPLES),
        ("n-quads", Format.NQUADS),
        ("application/n-quads", Format.NQUADS),
        ("json-ld", Format.JSONLD),
        ("jsonld", Format.JSONLD),
        ("application/ld+json", Format.JSONLD),
        ("rdfxml", Format.RDFXML),
        ("xml", Format.RDFXML),
        ("application/rdf+xml", Format.RDFXML),
    ],
)
def test_formats_go_by_many_names(name, expected):
    assert Format.from_name(name) is expected


def test_an_unknown_format_is_told_apart_from_known_ones():
    with pytest.raises(GraphError, match="'hdt'; use one of turtle, trig, ntriples"):
        Format.from_name("hdt")


@pytest.mark.parametrize(
    "stated",
    [
        {"version_order": 1 << 63},
        {"version_order": -(1 << 63) - 1},
        {"items": (Item(url="https://law.example/a.pdf", bytes=1 << 63),)},
    ],
)
def test_numbers_that_no_database_holds_are_not_written(stated):
    family = family_of([Record(name=RECORDS[0].name, **stated)])
    with pytest.raises(GraphError, match="does not fit in 64 bits"):
        nquads_of(family, as_of=AS_OF)


def test_no_term_and_no_prefix_is_named_urn():
    assert "urn" not in load_context()
    assert "urn" not in vocabulary.PREFIXES


def test_rdflib_is_loaded_only_where_it_is_asked_for():
    code = "import sys, lexurn.graph; print('rdflib' in sys.modules, 'pyshacl' in sys.modules)"
    assert output(code).split() == ["False", "False"]


def test_the_vocabulary_is_iris():
    assert list_terms()
    assert all(re.fullmatch(r"https?://\S+[#/][A-Za-z_0-9-]+", term) for term in list_terms())


def test_a_format_that_the_engine_knows_is_one_row() -> None:
    n3 = object.__new__(Format)
    n3._name_ = "N3"
    n3.__init__("text/n3", "n3", (), has_graphs=False)  # type: ignore[misc]
    statements = sample()
    assert read(write(statements, n3), n3) == Statements(catalogued=statements.merged)
