"""``lexurn catalogue query`` as a user runs it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lexurn.cli import main
from lexurn.store import list_ready_queries

ACTS = Path(__file__).parents[1] / "cases" / "query_acts.csv"
ACT = "urn:lex:it:stato:legge:2003-09-21;456"
ALL = "SELECT ?s ?p ?o { ?s ?p ?o }"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    place = str(tmp_path_factory.mktemp("catalogues") / "law")
    result = run("catalogue", "load", str(ACTS), "-c", place)
    assert result.exit_code == 0, result.output
    return place


def run(
    *arguments: str, given: str | bytes | None = None, env: dict[str, str] | None = None
) -> Result:
    return CliRunner().invoke(main, arguments, input=given, env=env)


def asked(*arguments: str, **more: str) -> Result:
    return run("catalogue", "query", *arguments, **more)


def test_ready_queries_are_listed_and_shown() -> None:
    listed = asked("--list").stdout.splitlines()
    assert [line.split("  ")[0] for line in listed] == [each.name for each in list_ready_queries()]
    assert "  Titles with a word (text, jurisdiction, [measure])" in "\n".join(listed)
    objects = [json.loads(line) for line in asked("--list", "--format", "json").stdout.splitlines()]
    assert [each["name"] for each in objects] == [each.name for each in list_ready_queries()]
    assert objects[0]["parameters"][0]["type"] == "name"
    shown = asked("--show", "version-at").stdout
    assert "date (date): the day; default today" in shown
    assert "language (language): the language; it includes its regions; optional" in shown
    assert f'query version-at -c CATALOGUE -p work="{ACT}"' in shown
    assert "SELECT ?languageTag" in shown
    assert "#+" not in shown


def test_a_ready_query_is_asked(place: str) -> None:
    result = asked("version-at", "-c", place, "-p", f"work={ACT}", "-p", "date=2006-01-01")
    assert result.exit_code == 0
    assert f"it           {ACT}@2005-01-01:it  2005-01-01" in result.stdout
    again = asked("is-known", "-p", f"name={ACT}", env={"LEXURN_CATALOGUE": place})
    assert again.stdout == "true\n"


def test_a_query_comes_from_anywhere(place: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.rq"
    file.write_text("#+ [parameters.a]\n#+ type = 'name'\nASK { $a ?p ?o }", encoding="utf-8-sig")
    for arguments, given in (
        (["--sparql", f"ASK {{ <{ACT}> ?p ?o }}"], None),
        (["-"], f"ASK {{ <{ACT}> ?p ?o }}"),
        ([str(file), "-p", f"a={ACT}"], None),
        (["-", "--param", f"$a:name={ACT}"], "ASK { $a ?p ?o }"),
    ):
        result = asked(*arguments, "-c", place, given=given)
        assert (result.exit_code, result.stdout) == (0, "true\n"), result.output


@pytest.mark.parametrize("form", ["table", "csv", "tsv"])
def test_rows_are_cut_and_it_is_said(place: str, form: str) -> None:
    head = 2 if form == "table" else 1
    result = asked("--sparql", ALL, "-c", place, "--limit", "3", "--format", form)
    assert len(result.stdout.splitlines()) == head + 3
    assert "there are more results; these are the first 3" in result.stderr
    whole = asked("--sparql", f"{ALL} LIMIT 3", "-c", place, "--limit", "3", "--format", form)
    assert (whole.exit_code, len(whole.stdout.splitlines())) == (0, head + 3)
    assert "there is more" not in whole.stderr


def test_graphs_are_written(place: str) -> None:
    result = asked("about", "-p", f"name={ACT}", "-c", place)
    assert result.stdout.startswith("@prefix ")
    assert asked("about", "-p", f"name={ACT}", "-c", place, "--format", "ntriples").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sparql", "SELECT * { ?s ?p"], "not SPARQL: line 1, column 17"),
        (["--sparql", "INSERT DATA {}"], "Allow it with --allow update"),
        (["--sparql", "ASK { SERVICE <http://127.0.0.1:9/> {} }"], "--allow service"),
        (["/nowhere/x.rq"], "cannot be opened"),
        (
            [
                "--sparql",
                "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i . ?j ?k ?l . ?m ?n ?o }",
                "--timeout",
                "1",
            ],
            "longer than 1 second",
        ),
    ],
)
def test_what_is_wrong_is_said(place: str, arguments: list[str], message: str) -> None:
    result = asked(*arguments, "-c", place)
    assert result.exit_code == 1, result.output
    assert message in result.stderr
    assert result.stdout == ""


def test_what_is_no_text_is_said(place: str) -> None:
    result = run("catalogue", "query", "-", "-c", place, given=b"ASK { ?s ?p '\xff' }")
    assert result.exit_code == 1
    assert "standard input is not UTF-8 (at byte 13)" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["versions", "--sparql", ALL],
        ["versions", "-p", "work"],
        ["versions"],
        ["versions", "-p", "work=urn:lex:x"],
        ["versions", "-p", "work=urn:lex:it:stato:legge:2000-01-01;1", "-p", "day=2000-01-01"],
        ["acts-on", "-p", "date=yesterday"],
        ["vertions"],
        ["--show", "vertions"],
        ["--sparql", ALL, "-p", "x=1"],
        ["--sparql", ALL, "--format", "turtle"],
        ["--sparql", "CONSTRUCT WHERE { ?s ?p ?o }", "--format", "csv"],
        ["--format", "yaml"],
        ["acts-on", "-p", "date=2001-01-01", "-p", "date:date=2002-01-01"],
        ["--sparql", ALL, "--timeout", "inf"],
        ["--sparql", ALL, "--timeout", "nan"],
        ["--sparql", ALL, "--timeout", "1e18"],
        ["--sparql", ALL, "--timeout", "-1"],
        ["--sparql", ALL, "--memory", "99999999999999999999"],
        ["--sparql", ALL, "--memory", "-1"],
    ],
)
def test_wrong_usage_is_told_apart(place: str, arguments: list[str]) -> None:
    result = asked(*arguments, "-c", place)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--sparql", ALL, "--format", "turtle"], "returns no graph"),
        (["vertions"], "did you mean versions"),
        (["nosuch"], "list them with --list"),
        (["acts-on", "-p", "date=2001-01-01", "-p", "$date=2002-01-01"], "is given twice"),
        ([ALL], "Write --sparql in front of it"),
        (["DESCRIBE <https://law.example/x>"], "Write --sparql in front of it"),
        (["versions"], "needs work"),
        (["versions", "-p", "work=urn:lex:x"], "not a valid LEX name"),
        (["versions", "-p", "work\x1b[2J=1"], r"no parameter work\x1b[2J;"),
    ],
)
def test_wrong_usage_is_said(place: str, arguments: list[str], message: str) -> None:
    assert message in asked(*arguments, "-c", place).stderr


def test_a_catalogue_must_be_named() -> None:
    result = asked("withdrawn", env={"LEXURN_CATALOGUE": ""})
    assert result.exit_code == 2
    assert "--catalogue" in result.stderr


def test_an_update_is_done(tmp_path: Path) -> None:
    place = str(tmp_path / "law")
    assert run("catalogue", "load", str(ACTS), "-c", place).exit_code == 0
    text = "INSERT DATA { GRAPH <urn:mine> { <urn:a> <urn:b> 'c' } }"
    done = asked("--sparql", text, "-c", place, "--allow", "update")
    assert (done.exit_code, done.stdout) == (0, "")
    assert "statements, 1 more than before" in done.stderr
    assert "names no graph" not in done.stderr
    assert asked("--sparql", "ASK { <urn:a> <urn:b> 'c' }", "-c", place).stdout == "true\n"


def test_an_update_of_no_graph_says_that_it_changed_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "law")
    assert run("catalogue", "load", str(ACTS), "-c", place).exit_code == 0
    bare = asked("--sparql", "DELETE WHERE { ?s ?p ?o }", "-c", place, "--allow", "update")
    assert (bare.exit_code, bare.stdout) == (0, "")
    assert "statements, as many as before" in bare.stderr
    assert "Write GRAPH <https://w3id.org/lexurn/ns#catalogued> { ... }" in bare.stderr
    text = "DELETE WHERE { GRAPH ?layer { ?s <http://purl.org/dc/terms/title> ?title } }"
    titles = asked("--sparql", text, "-c", place, "--allow", "update")
    assert "fewer than before" in titles.stderr


def test_a_missing_memory_limit_is_said_once(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexurn.store.CAN_LIMIT_MEMORY", False)
    done = asked("--sparql", "ASK {}", "-c", place)
    assert (done.exit_code, done.stdout) == (0, "true\n")
    assert done.stderr.count("cannot limit the memory of a query") == 1
