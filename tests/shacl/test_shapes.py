"""The shapes as data: what each says of itself, and that a sound graph has nothing to fear."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pyoxigraph
import pytest
from check_graphs import AS_OF, BASE, cases
from sound_rows import ALIAS, LAW, ROWS, assert_sound_graph, assert_sound_rows

from lexurn import data
from lexurn.model import Item, LanguageText, Record, families_of
from lexurn.name import check, parse
from lexurn.shacl import Severity, check_families, check_triples
from lexurn.shacl.shapes import SHAPES, load_shapes
from lexurn.vocabulary import LEXO, RDF

FILES = ("aliases", "frbr", "names", "publishing", "versions")
SH = "http://www.w3.org/ns/shacl#"


def _texts() -> dict[str, str]:
    return {name: data.read_text(f"shapes/{name}.ttl") for name in FILES}


def test_all_shape_files_are_loaded() -> None:
    assert {file.stem for file in data.find_folder("shapes").glob("*.ttl")} == set(FILES)
    turtle = pyoxigraph.RdfFormat.TURTLE
    parsed = [quad for text in _texts().values() for quad in pyoxigraph.parse(text, format=turtle)]
    assert len(load_shapes().triples) == len(parsed) > 0
    assert {each.subject for each in load_shapes().triples} >= {
        quad.subject for quad in parsed if isinstance(quad.subject, pyoxigraph.NamedNode)
    }


@pytest.mark.parametrize("shape", sorted(load_shapes().shapes.values(), key=lambda each: each.iri))
def test_each_shape_explains_itself(shape) -> None:
    assert shape.name
    assert re.fullmatch(r"RFC 9676 §\d+(\.\d+)*(, §\d+(\.\d+)*)*", shape.rule)
    assert re.fullmatch(r"[A-Z].*[^.]\.", shape.message, re.DOTALL)
    assert not re.search(r"https?://|\b(lexo|frbr|iana|dcterms|dcat|owl|sh|xsd):", shape.message)


def test_every_constraint_has_a_message_of_its_own() -> None:
    """A shape with a target, and so with results, is a shape with a message and an IRI."""
    triples = load_shapes().triples
    targets = {str(t.subject) for t in triples if t.predicate.value.startswith(f"{SH}target")}
    known = {f"<{iri}>" for iri in load_shapes().shapes}
    assert targets <= known
    assert known - targets == {f"<{SHAPES}Term>", f"<{SHAPES}UnknownTerm>"}


def test_every_shape_is_exercised_by_a_broken_graph() -> None:
    meant = {shape for case in cases() for shape in case.shapes}
    assert {iri.removeprefix(SHAPES) for iri in load_shapes().shapes} == meant | {"Term"}


def test_the_language_table_is_that_of_the_registry() -> None:
    authority = data.load_table("languages")["authority"]
    text = _texts()["names"]
    row = " ".join(f"{tag}={code}" for tag, code in sorted(authority.items()))
    assert f'" {row} "' in text
    assert f"@[^:]*:({'|'.join(sorted(authority))})(-|$)" in text


def _names_of_the_cases() -> list[str]:
    folder = Path(os.environ["LEXURN_CASES"])
    texts = []
    for file in ("lex_valid", "rfc_examples", "disputed"):
        lines = (folder / f"{file}.jsonl").read_text(encoding="utf-8").splitlines()
        texts += [json.loads(line).get("urn") or "" for line in lines]
    return texts


def _names_of_the_corpus() -> list[str]:
    folder = Path(os.environ["LEXURN_CORPUS"])
    prefixes = (folder / "lex_prefixes.tsv").read_text(encoding="utf-8").splitlines()
    names = (folder / "names_lex.txt").read_text(encoding="utf-8").splitlines()
    return [*names, *(f"{line.partition(chr(9))[0]}:2000-01-01;1" for line in prefixes)]


@pytest.mark.parametrize(
    ("variable", "texts"),
    [("LEXURN_CASES", _names_of_the_cases), ("LEXURN_CORPUS", _names_of_the_corpus)],
)
def test_no_shape_refuses_a_name_that_the_parser_reads(variable, texts) -> None:
    if variable not in os.environ:
        pytest.skip(f"{variable} is not set")
    names = {report.name for report in map(check, texts()) if report.name is not None}
    assert names
    families = families_of([Record(name=name) for name in names])
    results = check_families(families, as_of=AS_OF, base=BASE)
    assert [result for result in results if result.severity is Severity.VIOLATION] == []


def test_only_the_terms_of_the_vocabulary_are_terms_of_lexurn() -> None:
    graph = "".join(
        f"<urn:x:a> <{LEXO}{term}> <{LEXO}unknown> .\n" for term in ("date", "Date", "work")
    )
    graph += f"_:b <{RDF}type> <{LEXO}work> .\n"
    found = {
        (each.focus, each.value, each.severity)
        for each in check_triples(graph)
        if each.shape == f"{SHAPES}UnknownTerm"
    }
    assert found == {
        ("<urn:x:a>", f"<{LEXO}Date>", Severity.WARNING),
        ("<urn:x:a>", f"<{LEXO}work>", Severity.WARNING),
        ("_:b", f"<{LEXO}work>", Severity.WARNING),
    }
    assert check_triples(graph, frozenset({"Title"})) == ()


@pytest.mark.parametrize("partition", [";", ";x", ";;", ";x;y", "a;", "a;;b", "art1;par2", "a'(b)"])
def test_a_partition_belongs_to_what_its_name_says_however_odd(partition) -> None:
    names = [
        parse(f"{LAW}{document}~{partition}") for document in ("", "@original:it$x.it:text-html")
    ]
    rows = [Record(name=name) for name in names]
    rows.append(Record(name=parse(LAW), titles=(LanguageText(value="Legge"),)))
    assert check_families(families_of(rows), as_of=AS_OF) == ()


@pytest.mark.parametrize(
    "name",
    [
        f"{LAW}:annex.a",
        f"{LAW}:annex.a:table.1@original$x.it:text-html",
        f"{LAW}@original:it$x.it:text-html~art1;par2",
        f"{LAW}~art1",
        f"{ALIAS}@original$x.it:text-html",
    ],
)
def test_a_licence_holds_for_all_that_belongs_to_what_has_it(name) -> None:
    item = Item(url="https://law.example/a.html")
    licence = "https://law.example/licence"
    titles = (LanguageText(value="Legge"),)
    rows = [
        Record(name=parse(LAW), titles=titles, licenses=(licence,)),
        Record(name=parse(ALIAS), alias_of=parse(LAW)),
        Record(name=parse(name), titles=titles, items=(item,)),
    ]
    results = check_families(families_of(rows), as_of=AS_OF, base=BASE)
    assert {result.shape.removeprefix(SHAPES) for result in results} <= {"Title"}


def test_nothing_is_wrong_with_the_sound_graph() -> None:
    assert_sound_graph("bulk")


@pytest.mark.parametrize("rows", ROWS.values(), ids=ROWS)
def test_nothing_is_wrong_with_what_only_looks_like_a_fault(
    rows: list[dict[str, str]], tmp_path: Path
) -> None:
    assert_sound_rows(rows, tmp_path, "bulk")
