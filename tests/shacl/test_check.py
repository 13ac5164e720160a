"""The check room: what may be checked, what reports say, and that no failure passes for success."""

from __future__ import annotations

import builtins
import datetime as dt
import json
import pickle
import sys
import types

import pytest
import rdflib
from check_graphs import AS_OF, BASE, broken, cases, sound, sound_families
from jsonschema import Draft202012Validator

from lexurn import data
from lexurn.graph import Statements
from lexurn.model import Item, Record, Source, families_of
from lexurn.name import parse
from lexurn.shacl import (
    CheckError,
    CheckReport,
    Result,
    Severity,
    check_families,
    find_invalid_families,
    make_json_report,
    validate,
    write_text_report,
    write_turtle_report,
)
from lexurn.shacl.reference import write_term
from lexurn.shacl.shapes import SHAPES, load_shapes, parse_shapes

SH = rdflib.SH
ACT = "urn:lex:it:stato:legge:2000-01-05;12"


def _case(name: str) -> Statements:
    return broken(next(case for case in cases() if case.id == name))


def _result(**changes) -> Result:
    values = {
        "severity": Severity.VIOLATION,
        "focus": f"<{ACT}>",
        "message": "Something is wrong.",
        "shape": f"{SHAPES}ForceOrder",
        "component": f"{SH}OrConstraintComponent",
        "rule": "RFC 9676 §5.6",
    }
    return Result(**(values | changes))


# --- what may be checked --------------------------------------------------------------


def test_an_rdflib_graph_and_a_dataset_say_what_statements_say() -> None:
    statements = _case("force-reversed")
    text = "".join(" ".join(triple) + " .\n" for triple in statements.merged)
    graph = rdflib.Graph().parse(data=text, format="nt")
    dataset = rdflib.Dataset()
    for number, triple in enumerate(graph):
        dataset.graph(rdflib.URIRef(f"urn:x:{number % 3}")).add(triple)
    expected = validate(statements, engine="bulk")
    assert not expected.conforms
    assert validate(graph, engine="bulk") == expected
    assert validate(dataset, engine="bulk") == expected
    assert validate(graph) == expected


@pytest.mark.parametrize("engine", ["reference", "bulk"])
def test_a_foreign_graph_is_not_said_to_be_good(engine) -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef("urn:x:a"), rdflib.RDFS.label, rdflib.Literal("a")))
    report = validate(graph, engine=engine)
    assert report.checked == 0
    assert report.notes == ("Nothing was checked: no node of the graph has a class of lexurn.",)
    assert "note: Nothing was checked" in write_text_report(report)
    assert write_text_report(report).endswith("\nnothing was checked\n")


def test_names_without_a_class_are_counted() -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef(ACT), rdflib.RDFS.label, rdflib.Literal("a")))
    assert validate(graph, engine="bulk").notes[1:] == (
        "1 LEX name has no class of lexurn, and no shape applies.",
    )


def test_an_empty_graph_has_a_note() -> None:
    assert validate(Statements(), engine="bulk").notes
    assert validate(rdflib.Graph()).notes


@pytest.mark.parametrize("engine", ["reference", "bulk"])
@pytest.mark.parametrize(
    "iri", ["urn:lex:it:stato:legge:2000-01-05|x;1", "urn:lex:it:a b", "urn:lex:it:a%zz", "{", ""]
)
def test_an_iri_that_is_none_is_a_result(engine, iri) -> None:
    graph = rdflib.Graph()
    work = rdflib.URIRef("https://w3id.org/lexurn/ns#Work")
    graph.add((rdflib.URIRef(iri), rdflib.RDF.type, work))
    report = validate(graph, engine=engine)
    assert [result.shape for result in report.results] == [f"{SHAPES}Term"]
    assert not report.conforms
    rdflib.Graph().parse(data=write_turtle_report(report), format="turtle")


def test_a_lone_surrogate_is_a_result() -> None:
    graph = rdflib.Graph()
    graph.add((rdflib.URIRef(ACT), rdflib.RDFS.label, rdflib.Literal("\ud800")))
    report = validate(graph, engine="bulk")
    assert [result.shape for result in report.results] == [f"{SHAPES}Term"]
    assert write_turtle_report(report)
    assert write_text_report(report)


def test_a_result_without_a_node_can_be_written() -> None:
    assert write_term(None) == ("_:None", True)


def test_literals_keep_their_texts() -> None:
    """rdflib would read a day with a time zone as one without."""
    results = validate(_case("date-with-time-zone")).results
    assert any(each.value and '"2000-01-06+01:00"' in each.value for each in results)


# --- nothing passes for success -------------------------------------------------------


def test_no_shapes_are_an_error() -> None:
    with pytest.raises(CheckError, match="no shapes"):
        parse_shapes([])
    with pytest.raises(CheckError, match="no shapes"):
        parse_shapes(["@prefix sh: <http://www.w3.org/ns/shacl#> . <x:s> a sh:NodeShape ."])


def test_shapes_that_are_no_turtle_are_an_error() -> None:
    with pytest.raises(CheckError, match="not Turtle"):
        parse_shapes(["<x:s> a"])


def test_an_unknown_engine_is_an_error() -> None:
    with pytest.raises(CheckError, match="no engine 'quick'"):
        validate(Statements(), engine="quick")  # type: ignore[arg-type]


@pytest.mark.parametrize(("engine", "package"), [("bulk", "shacl_rust"), ("reference", "pyshacl")])
def test_an_absent_engine_is_an_error(engine, package, monkeypatch) -> None:
    real = builtins.__import__

    def without(name, *others):
        if name == package:
            raise ImportError(name)
        return real(name, *others)

    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(CheckError, match="pip install"):
        validate(sound(), engine=engine)


class PanicException(BaseException):
    """How a fault in Rust arrives in Python."""


@pytest.mark.parametrize("fault", [ValueError("boom"), PanicException("boom")])
def test_a_failing_bulk_engine_is_an_error(fault, monkeypatch) -> None:
    def fail(*_others, **_options):
        raise fault

    monkeypatch.setitem(sys.modules, "shacl_rust", types.SimpleNamespace(validate=fail))
    with pytest.raises(CheckError, match="The bulk engine failed: boom"):
        validate(sound(), engine="bulk")


def test_an_interrupt_stays_an_interrupt(monkeypatch) -> None:
    def interrupt(*_others, **_options):
        raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "shacl_rust", types.SimpleNamespace(validate=interrupt))
    with pytest.raises(KeyboardInterrupt):
        validate(sound(), engine="bulk")


@pytest.mark.parametrize(
    ("report", "message"),
    [
        ({}, "cannot read"),
        (None, "cannot read"),
        ({"results": [{}], "conforms": False}, "cannot read"),
        ({"results": [], "conforms": False}, "contradicts itself"),
        (
            {
                "results": [
                    {
                        "focusNode": "<x:a>",
                        "sourceShape": "<x:none>",
                        "sourceConstraintComponent": "<x:c>",
                    }
                ],
                "conforms": False,
            },
            "an unknown shape: x:none",
        ),
    ],
)
def test_a_strange_report_of_the_bulk_engine_is_an_error(report, message, monkeypatch) -> None:
    engine = types.SimpleNamespace(validate=lambda *_others, **_options: report)
    monkeypatch.setitem(sys.modules, "shacl_rust", engine)
    with pytest.raises(CheckError, match=message):
        validate(sound(), engine="bulk")


# --- families, with file and line -----------------------------------------------------


def test_sound_families_have_no_results() -> None:
    assert check_families(sound_families(), as_of=AS_OF, base=BASE) == ()
    assert check_families((), as_of=AS_OF) == ()


def _records() -> list[Record]:
    """A row of an act with reversed dates; one of its version, whose manifestation has no row."""
    pdf = parse(f"{ACT}@originale:it$stato.it:application-pdf")
    return [
        Record(
            name=parse(ACT),
            in_force_from=dt.date(2001, 1, 1),
            in_force_until=dt.date(2000, 1, 1),
            source=Source(file="acts.csv", line=7),
        ),
        Record(
            name=parse(f"{pdf}~art1"),
            items=(Item(url="javascript:alert(1)"),),
            source=Source(file="acts.csv", line=12),
        ),
    ]


def test_results_name_the_row() -> None:
    results = check_families(families_of(_records()), as_of=AS_OF)
    found = {(each.shape.removeprefix(SHAPES), each.focus): each.source for each in results}
    assert found[("ForceOrder", f"<{ACT}>")] == Source(file="acts.csv", line=7)
    assert found[("ItemUrl", "<javascript:alert(1)>")] == Source(file="acts.csv", line=12)


def test_a_node_without_a_row_has_that_of_its_nearest_ancestor() -> None:
    version = parse(f"{ACT}@originale:it")
    copy = Record(
        name=parse(f"{version}$stato.it:text-html"),
        alias_of=None,
        items=(Item(url="ftp://stato.it/a"),),
    )
    families = families_of([*_records(), copy])
    results = check_families(families, as_of=AS_OF)
    lines = {each.focus: each.source.line for each in results if each.source is not None}
    assert lines[f"<{copy.name.iri}>"] == 7  # no licence; the act is the nearest with a row


def test_chunks_give_what_the_whole_gives_and_can_travel() -> None:
    families = families_of([*_records(), Record(name=parse("urn:lex:fr:etat:loi:2000-01-01;1"))])
    whole = check_families(families, as_of=AS_OF, base=BASE)
    parts = [
        result for each in families for result in check_families([each], as_of=AS_OF, base=BASE)
    ]
    assert sorted(parts, key=lambda each: each.order) == list(whole)
    assert pickle.loads(pickle.dumps((check_families, whole)))[1] == whole


# --- reports --------------------------------------------------------------------------


def test_text_groups_by_row_and_ends_with_counts() -> None:
    results = check_families(families_of(_records()), as_of=AS_OF)
    text = write_text_report(CheckReport(results=results, checked=5, notes=("a note",)))
    assert f"acts.csv:7: {ACT}\n" in text
    message = "The end of force is before its start. Correct one of the days."
    assert f"  violation: {message} (RFC 9676 §5.6)\n" in text
    assert text.index("acts.csv:7:") < text.index("acts.csv:12:")
    violations = sum(each.severity is Severity.VIOLATION for each in results)
    last = text.splitlines()[-1]
    assert last.startswith(f"5 nodes checked: {violations} violation")
    assert text.splitlines()[-2] == "note: a note"


def test_text_says_each_message_once_and_cuts_long_values() -> None:
    long = f'"{"x" * 500}"'
    typed = '"1"^^<x:y>'
    values = ('"a"', long, typed, "<x:b>")
    report = CheckReport(results=tuple(_result(value=each) for each in values), checked=1)
    text = write_text_report(report)
    assert text.count("Something is wrong.") == 1
    assert '    "a"\n' in text
    assert f"    {typed}\n" in text
    assert "    x:b\n" in text
    assert "..." in text
    assert max(map(len, text.splitlines())) < 140
    assert text.endswith("1 node checked: 4 violations\n")


@pytest.mark.parametrize("case", ["force-reversed", "no-title", "alias-loop", "title-empty"])
def test_json_follows_its_schema(case) -> None:
    schema = json.loads(data.read_text("ontology/report.schema.json"))
    Draft202012Validator.check_schema(schema)
    report = make_json_report(validate(_case(case), engine="bulk"))
    Draft202012Validator(schema).validate(report)
    assert json.loads(json.dumps(report)) == report
    assert report["counts"]["violation"] == sum(
        each["severity"] == "violation" for each in report["results"]
    )
    assert report["conforms"] is (report["counts"]["violation"] == 0)


def test_json_writes_terms_plainly() -> None:
    source = Source(file="a.csv", line=3)
    result = _result(value='"x"@it', path="<x:a>/<x:b>", source=source)
    row = make_json_report(CheckReport(results=(result, _result(path="<x:a>", value="_:b"))))[
        "results"
    ]
    assert row[0]["focus"] == ACT
    assert (row[0]["path"], row[1]["path"]) == ("<x:a>/<x:b>", "x:a")
    assert (row[0]["value"], row[1]["value"]) == ('"x"@it', "_:b")
    assert (row[0]["file"], row[0]["line"], row[1]["file"]) == ("a.csv", 3, None)


def _read(report: CheckReport) -> rdflib.Graph:
    return rdflib.Graph().parse(data=write_turtle_report(report), format="turtle")


def test_the_rdf_report_holds_every_result() -> None:
    source = Source(file="a.csv", line=3)
    report = validate(_case("alias-loop"), engine="bulk")
    results = tuple(_result(source=source, value=f'"{number}"') for number in range(2))
    graph = _read(CheckReport(results=report.results + results, notes=("a note",)))
    nodes = list(graph.subjects(rdflib.RDF.type, SH.ValidationResult))
    assert len(nodes) == len(report.results) + 2
    root = graph.value(predicate=rdflib.RDF.type, object=SH.ValidationReport)
    assert set(graph.objects(root, SH.result)) == set(nodes)
    assert graph.value(root, SH.conforms) == rdflib.Literal(lexical_or_value=False)
    assert graph.value(root, rdflib.RDFS.comment) == rdflib.Literal("a note", lang="en")
    assert set(graph.objects(None, rdflib.DC.source)) == {rdflib.Literal("a.csv#line=3")}
    messages = {str(each) for each in graph.objects(None, SH.resultMessage)}
    assert {each.message for each in report.results} <= messages


def test_the_rdf_report_of_a_sound_graph_conforms() -> None:
    graph = _read(validate(sound(), engine="bulk"))
    assert set(graph.objects(None, SH.conforms)) == {rdflib.Literal(lexical_or_value=True)}


def test_every_path_is_written_as_shacl_reads_it() -> None:
    shapes = [shape for shape in load_shapes().shapes.values() if shape.path is not None]
    results = tuple(
        _result(shape=shape.iri, path=shape.path.sparql) for shape in shapes if shape.path
    )
    graph = _read(CheckReport(results=results))
    original = rdflib.Graph().parse(data=load_shapes().turtle, format="turtle")
    for node in graph.subjects(rdflib.RDF.type, SH.ValidationResult):
        shape = graph.value(node, SH.sourceShape)
        assert _shown(graph, graph.value(node, SH.resultPath)) == _shown(
            original, original.value(shape, SH.path)
        )


def _shown(graph: rdflib.Graph, node) -> str:
    """A path by structure, whatever its blank nodes are called."""
    if isinstance(node, rdflib.URIRef):
        return str(node)
    parts = [(str(p), _shown(graph, o)) for p, o in graph.predicate_objects(node)]
    return str(sorted(parts))


def test_reports_are_the_same_bytes_whatever_the_order_of_triples() -> None:
    statements = _case("alias-loop")
    graphs = []
    for triples in (statements.merged, statements.merged[::-1]):
        text = "".join(" ".join(triple) + " .\n" for triple in triples)
        graphs.append(rdflib.Graph().parse(data=text, format="nt"))
    first, second = (validate(graph, engine="bulk") for graph in graphs)
    assert write_turtle_report(first) == write_turtle_report(second)
    assert write_text_report(first) == write_text_report(second)


def test_many_families_are_checked_a_part_at_a_time(monkeypatch) -> None:
    families = families_of(
        Record(name=parse(f"urn:lex:it:stato:legge:2000-01-05;{number}")) for number in range(9)
    )
    whole = check_families(families, as_of=AS_OF)
    monkeypatch.setattr("lexurn.shacl.validation._BATCH_CHARACTERS", 2000)
    assert len(whole) == 9  # no title
    assert check_families(families, as_of=AS_OF) == whole


def _with_copy(number: int, size: int) -> Record:
    item = Item(url="https://law.example/a.pdf", bytes=size)
    name = f"urn:lex:it:stato:legge:2001-01-01;{number}@originale:it$stato.it:application-pdf"
    return Record(name=parse(name), items=(item,))


def test_what_works_contradict_each_other_in_is_held_against_neither() -> None:
    records = [_with_copy(1, 10), _with_copy(2, 11), _with_copy(3, 10)]
    days = {"in_force_from": dt.date(2001, 1, 1), "in_force_until": dt.date(2000, 1, 1)}
    records.append(Record(name=parse("urn:lex:it:stato:legge:2001-01-01;3"), **days))
    one, two, bad = families_of(records)
    assert any(each.severity == "Violation" for each in check_families((one, two), as_of=AS_OF))
    assert find_invalid_families((one, two), as_of=AS_OF).broken == {}
    for families, place in (((one, two, bad), 2), ((bad, one), 0), ((bad,), 0)):
        results, found = find_invalid_families(families, as_of=AS_OF)
        assert list(found) == [place]
        assert [each for each in results if each.severity == "Violation"] == list(found[place])
        assert {each.focus for each in found[place]} == {f"<{bad.key.iri}>"}


def test_who_breaks_a_shape_with_a_node_of_its_own_is_found() -> None:
    (bad,) = families_of(_records())
    results, found = find_invalid_families((*sound_families(), bad), as_of=AS_OF)
    assert list(found) == [len(sound_families())]
    assert [each for each in results if each.severity == "Violation"] == list(
        found[len(sound_families())]
    )
