"""The reports of a check, and its command."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import jsonschema
import pyoxigraph
import pytest
from catalogue_parts import AS_OF
from checked_catalogue import BAD_URL, SCRIPT, all_of, families, fill, written
from click.testing import CliRunner, Result

from lexurn import data
from lexurn.catalogue import (
    CatalogueReport,
    CheckFormat,
    CheckOptions,
    LoadOptions,
    check_catalogue,
    list_check_rules,
    load,
    open_catalogue,
)
from lexurn.cli import main
from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.model import Record, families_of
from lexurn.name import parse
from lexurn.shacl import Severity

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SH = "http://www.w3.org/ns/shacl#"


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> str:
    return fill(tmp_path_factory.mktemp("check") / "law")


@pytest.fixture(scope="module")
def report(place: str) -> Iterator[CatalogueReport]:
    with open_catalogue(place) as catalogue, check_catalogue(catalogue) as found:
        yield found


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, ("catalogue", "check", *arguments))


def test_the_heaviest_come_first(report: CatalogueReport) -> None:
    counts = report.counts()
    ranks = [(rule.severity.rank, -count) for rule, count in counts]
    assert ranks == sorted(ranks)
    assert counts[0][0].code == "ItemUrl"
    assert not report.conforms
    assert sum(count for _, count in counts) == report.count() == len(list(report.findings()))


def test_json_is_what_its_schema_says(report: CatalogueReport) -> None:
    found = json.loads(written(report, CheckFormat.JSON))
    schema = json.loads(data.read_text("ontology/check.schema.json"))
    jsonschema.Draft202012Validator(schema).validate(found)
    assert found["counts"]["violation"] == report.count(Severity.VIOLATION)
    assert len(found["findings"]) == report.count()
    by_code = {rule["code"]: rule["count"] for rule in found["rules"]}
    assert by_code == {rule.code: count for rule, count in report.counts()}


def test_sarif_names_rules_levels_and_places(report: CatalogueReport) -> None:
    found = json.loads(written(report, CheckFormat.SARIF))
    (sarif,) = found["runs"]
    rules = sarif["tool"]["driver"]["rules"]
    levels = {"Violation": "error", "Warning": "warning", "Info": "note"}
    assert found["version"] == "2.1.0"
    assert len(sarif["results"]) == report.count()
    for result in sarif["results"]:
        rule = rules[result["ruleIndex"]]
        assert rule["id"] == result["ruleId"]
        assert result["level"] == levels[report.rules[rule["id"]].severity.value]
        assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"]
    prints = [result["partialFingerprints"]["lexurn/v1"] for result in sarif["results"]]
    assert len(prints) == len(set(prints))


def test_turtle_is_a_report_of_shacl(report: CatalogueReport) -> None:
    turtle = written(report, CheckFormat.TURTLE)
    store = pyoxigraph.Store()
    store.load(turtle, format=pyoxigraph.RdfFormat.TURTLE)

    def count(pattern: str) -> int:
        return len({str(row[0]) for row in store.query(f"SELECT ?r {{ {pattern} }}")})  # type: ignore[union-attr]

    assert count(f"?s <{SH}result> ?r") == report.count()
    assert count(f"?r <{SH}resultSeverity> <{SH}Violation>") == report.count(Severity.VIOLATION)
    complete = " ; ".join(
        f"<{SH}{each}> ?{each}"
        for each in ("focusNode", "resultMessage", "resultSeverity", "sourceConstraintComponent")
    )
    assert count(f"?r {complete}") == report.count()
    assert store.query(f"ASK {{ ?s <{SH}conforms> false }}")


def test_the_page_escapes_what_it_shows_and_names_every_rule(report: CatalogueReport) -> None:
    page = written(report, CheckFormat.HTML).decode()
    assert SCRIPT not in page
    assert 'href="ftp:' not in page
    for rule, _ in report.counts():
        assert f'id="{rule.code}"' in page
    assert page.index('id="ItemUrl"') < page.index('id="LX974"')


def test_the_page_shows_some_and_counts_the_rest(tmp_path: Path) -> None:
    records = [Record(name=parse(f"urn:lex:it:stato:legge:2001-01-01;{n}")) for n in range(60)]
    folder = tmp_path / "law"
    with open_catalogue(folder, write=True) as catalogue:
        load(catalogue, families_of(records), LoadOptions(as_of=AS_OF))
        with check_catalogue(catalogue, CheckOptions(only=("Title",))) as report:
            page = written(report, CheckFormat.HTML).decode()
            text = written(report, CheckFormat.TEXT).decode()
    assert page.count("<tr>\n<th scope") == 50
    assert "10 more are in the reports for machines" in page
    assert "... and 50 more" in text
    assert "60 nodes checked: 60 warnings" in text


def test_a_sample_is_spread_and_noted(place: str) -> None:
    with open_catalogue(place) as catalogue:
        with check_catalogue(catalogue, CheckOptions(sample=5)) as few:
            assert 5 <= few.checked < 20
            assert any("5 works are checked" in note for note in few.notes)
        with check_catalogue(catalogue, CheckOptions(sample=1_000_000)) as more:
            full = {each for each in more.findings() if not each.rule.startswith("LX")}
    assert full == {each for each in all_of(place) if not each.rule.startswith("LX")}


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"only": ("lexs:ItemUrl",)}, {"ItemUrl"}),
        ({"only": ("lx961", "ItemUrl")}, {"LX961", "ItemUrl"}),
        ({"only": ("LX961", "ItemUrl"), "skip": ("LX961",)}, {"ItemUrl"}),
    ],
)
def test_rules_are_chosen_and_left_out(
    place: str, options: dict[str, Any], codes: set[str]
) -> None:
    assert {each.rule for each in all_of(place, **options)} == codes


def test_loops_alone_are_looked_for_in_the_whole_at_once(place: str) -> None:
    said: list[str] = []
    options = CheckOptions(only=("AliasLoop",))
    with (
        open_catalogue(place) as catalogue,
        check_catalogue(
            catalogue, options, on_progress=lambda what, *_: said.append(what)
        ) as found,
    ):
        assert (found.checked, found.notes, found.is_void) == (0, (), False)
    assert said == ["sorting the findings"]


def test_an_alias_of_itself_is_found_and_blank_nodes_are_noted(tmp_path: Path) -> None:
    folder = fill(tmp_path / "law")
    with open_catalogue(folder, write=True) as catalogue:
        act = "<urn:lex:it:stato:legge:1989-01-01;1>"
        graph = f"GRAPH <{Layer.CATALOGUED.iri}>"
        same = "<http://www.w3.org/2002/07/owl#sameAs>"
        catalogue.store.update(
            f"INSERT DATA {{ {graph} {{ {act} {same} {act} . [] {same} {act} }} }}"
        )
        options = CheckOptions(only=("AliasLoop", "AliasChain"), jobs=1)
        with check_catalogue(catalogue, options) as report:
            loops = [each.focus for each in report.findings() if each.rule == "AliasLoop"]
            assert loops == [act]
            assert any("blank nodes are not checked" in note for note in report.notes)


def test_a_rule_that_there_is_not_is_named_with_those_like_it(place: str) -> None:
    with (
        open_catalogue(place) as catalogue,
        pytest.raises(CatalogueError, match=r"no rule 'Itemurls'; did you mean ItemUrl"),
    ):
        check_catalogue(catalogue, CheckOptions(only=("Itemurls",)))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--only", "NOPE"), "no rule 'NOPE'"),
        (("--skip", ""), "no rule ''"),
        (("--only", "LX961", "--skip", "lx961"), "nothing is left to check"),
    ],
)
def test_rules_that_make_no_check_are_wrong_usage(
    place: str, arguments: tuple[str, ...], message: str
) -> None:
    done = run("-c", place, *arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_every_rule_has_a_code_of_its_own_and_a_message() -> None:
    rules = list_check_rules()
    assert len(rules) > 200
    assert all(code == rule.code and rule.message for code, rule in rules.items())


# The verb


def test_the_verb_says_what_is_wrong_and_its_exit_code_says_whether(place: str) -> None:
    result = run("-c", place)
    assert result.exit_code == 1
    assert BAD_URL in result.output
    assert run("-c", place, "--skip", "ItemUrl", "--skip", "ExemplarKind").exit_code == 0


def test_the_verb_writes_a_file_whole(place: str, tmp_path: Path) -> None:
    out = tmp_path / "check.html"
    result = run("-c", place, "--format", "html", "--out", str(out))
    assert out.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert [path.name for path in tmp_path.iterdir()] == ["check.html"]
    assert "nodes checked" in result.output


def test_the_verb_lists_its_rules() -> None:
    result = run("--list")
    assert result.exit_code == 0
    assert "LX961" in result.output
    assert "License" in result.output


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-c", "nowhere"), "nowhere"),
        (("-c", "{place}", "--only", "Nothing"), "there is no rule 'Nothing'"),
        (("-c", "{place}", "--out", "{place}/no/such/folder"), "cannot be written"),
    ],
)
def test_what_stands_in_the_way_is_said(place: str, arguments: tuple[str, ...], said: str) -> None:
    result = run(*(each.replace("{place}", place) for each in arguments))
    assert result.exit_code != 0
    assert said in result.output or said in str(result.exception)
    assert "Traceback" not in result.output


def test_a_catalogue_with_nothing_in_it_does_not_pass(tmp_path: Path) -> None:
    folder = str(tmp_path / "law")
    with open_catalogue(folder, write=True) as catalogue:
        catalogue.store.flush()
    result = run("-c", folder)
    assert result.exit_code == 1
    assert "no node has a class of lexurn" in result.output


def test_a_damaged_index_is_said_with_what_mends_it(tmp_path: Path) -> None:
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        load(catalogue, families(), LoadOptions(as_of=AS_OF, jobs=1))
    names = tmp_path / "law" / "names.sqlite"
    whole = names.read_bytes()
    pages = range(4096, len(whole), 4096)
    said = set()
    for page in pages:
        names.write_bytes(whole[:page] + b"\xa5" * 4096 + whole[page + 4096 :])
        done = run("-c", str(tmp_path / "law"), "--only", "LX961", "--only", "LX965")
        if done.exit_code:
            said.add(done.stderr.partition(" (")[0] + done.stderr.partition(")")[2])
    assert said == {f"error: {names} is damaged. Rebuild it: lexurn catalogue rebuild\n"}
