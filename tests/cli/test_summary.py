"""Summary of findings on tables: each kind once, the same in all commands that read tables."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from workbooks import make_xlsx

from lexurn.cli import main

ACT = "urn:lex:it:stato:legge:2003-09-21"
BASE = ("--base", "https://law.example")
COMMANDS = {
    "publish": ("publish", "{}", *BASE, "--out", "site", "--jobs", "1"),
    "validate": ("validate", "{}"),
    "describe": ("describe", "--manifest", "{}"),
    "load": ("catalogue", "load", "{}", "-c", "law", "--jobs", "1"),
}
ROWS = [f"{ACT};{n},1.2.2003,x" for n in range(1_200)] + [f"{ACT};1200,,", "x,,", "x,2003-09-21,"]
SUMMARY = (
    'acts.csv:2, column issued: error LX512 (1,200 times): "1.2.2003" is not a date; write a day '
    "of the calendar as YYYY-MM-DD, or state its form in a mapping file (date_order, time_zone) "
    "(ISO 8601)\n  1.2.2003\n  ^^^^^^^^\n"
    'acts.csv:2, column url: error LX514 (1,200 times): "x" is not an absolute http or https URL; '
    "write one such as https://law.example/act (RFC 9110 §4.2)\n  x\n  ^\n"
    "acts.csv:1203, column urn: error LX101 (2 times): "
)
REJECTED = "1,202 of 1,203 rows rejected: 2,402 errors"


def run(*arguments: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "acts.csv").write_text("\n".join(["urn,issued,url", *ROWS]), "utf-8")
    return tmp_path


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_all_commands_print_one_summary(command: tuple[str, ...]) -> None:
    done = run(*(each.format("acts.csv") for each in command))
    assert done.exit_code == (3 if command[0] == "publish" else 1)
    assert SUMMARY in done.stderr
    assert REJECTED in done.stderr
    assert len(done.stderr.splitlines()) <= 30
    quiet = run(*(each.format("acts.csv") for each in command), "--quiet")
    assert (quiet.exit_code, quiet.stderr) == (done.exit_code, "")


def test_minting_prints_the_same_summary() -> None:
    rows = ["measure,date,number", *(f"Legge,31 febbraio 2003,{n}" for n in range(1, 1_201))]
    Path("leggi.csv").write_text("\n".join([*rows, "Legge,2003-09-21,1"]), "utf-8")
    done = run("mint", "leggi.csv", "-j", "it")
    assert (done.exit_code, done.stdout) == (3, f"{ACT};1\n")
    first, *_, last = done.stderr.splitlines()
    assert first.startswith("leggi.csv:2, column date: error LX744 (1,200 times): the day ")
    assert last == "1,200 of 1,201 rows rejected: 1,200 errors"
    assert len(done.stderr.splitlines()) <= 30
    assert run("mint", "leggi.csv", "-j", "it", "-q").stderr == ""


def test_however_many_kinds_there_are_the_summary_fits_on_a_screen() -> None:
    values = [f"urn:lex:it:stato:legge:{part}" for part in ("", "x", "x;", ";", "2003-13-01;1")]
    values += [f"{ACT};{tail}" for tail in ("1@", "1$", "1~", "1@x:DE_CH", "1@%zz", "a b", "1*")]
    values += ["urn:lex:", "urn:x:y", "", "urn:lex:it", "urn:lex:it:stato", f"{ACT};1!"]
    rows = [f"{value},{n}.1.2003,{n},{n},x" for n, value in enumerate(values)]
    Path("acts.csv").write_text("\n".join(["urn,issued,bytes,sha256,license", *rows]), "utf-8")
    done = run("validate", "acts.csv")
    lines = done.stderr.splitlines()
    assert len(lines) <= 30
    assert re.match(r"also error LX\d+ \(\d+ from acts\.csv:\d+\), error LX", lines[-3])
    assert lines[-2] == "--findings FILE writes all findings (.jsonl, .csv or .sarif)."
    assert len({line for line in lines if "error LX512" in line}) == 1
    assert run("validate", "acts.csv", "--max-findings", "1").stderr == done.stderr
    more = run("validate", "acts.csv", "--max-findings", "9").stderr.splitlines()
    assert {*lines} <= {*more}


@pytest.mark.parametrize(
    ("issuers", "line"),
    [
        (["Ente Parco Rana"] * 3, None),
        (
            [*["Ente Parco Rana"] * 3, *["Ente Parco Orso"] * 2, "Ente Prco Rana"],
            "  also Ente Prco Rana (1 from acts.csv:7), Ente Parco Orso (2 from acts.csv:5)",
        ),
        ([f"Ente Parco {chr(at)}orso" for at in range(97, 119)], ", more"),
    ],
)
def test_each_issuer_that_is_not_registered_is_shown(issuers: list[str], line: str | None) -> None:
    rows = [f"{each},Delibera,2003-09-21,{at}" for at, each in enumerate(issuers, start=1)]
    Path("acts.csv").write_text("\n".join(["authority,measure,date,number", *rows]), "utf-8")
    done = run("mint", "acts.csv", "-j", "it")
    found = [each for each in done.stderr.splitlines() if each.startswith("  also ")]
    assert [each[-len(line) :] for each in found if line] == ([line] if line else [])
    assert len(found) == (line is not None)
    done = run("mint", "acts.csv", "-j", "it", "--max-findings", "99")
    assert done.stderr.count("note LX724") == len(issuers)
    assert "  also " not in done.stderr


def test_the_line_of_codes_has_errors_before_warnings() -> None:
    rows = [f"Legge,true,2003-09-{n},Uno" for n in (21, 21, 21, 22, 22)]
    rows += ["Legge,,2003-09-23,Due"]
    Path("acts.csv").write_text("\n".join(["measure,unnumbered,date,title", *rows]), "utf-8")
    done = run("mint", "acts.csv", "-j", "it", "--max-findings", "0")
    assert done.stderr.splitlines()[0] == (
        "error LX702 (1 from acts.csv:7), warning LX539 (3 from acts.csv:3)"
    )


def test_examples_on_demand() -> None:
    done = run("validate", "acts.csv", "--max-findings", "3")
    assert done.stderr.count("error LX512") == 3
    assert "acts.csv:4, column issued: error LX512: " in done.stderr
    done = run("validate", "acts.csv", "--max-findings", "0")
    first, *_ = done.stderr.splitlines()
    assert first == (
        "error LX512 (1,200 from acts.csv:2), error LX514 (1,200 from acts.csv:2), "
        "error LX101 (2 from acts.csv:1203)"
    )


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "sarif"])
def test_a_file_has_all_findings(suffix: str) -> None:
    file = Path(f"all.{suffix}")
    done = run("validate", "acts.csv", "--findings", str(file))
    assert "--findings" not in done.stderr
    text = file.read_text("utf-8")
    if suffix == "sarif":
        (found,) = json.loads(text)["runs"]
        results = found["results"]
        rules = [each["id"] for each in found["tool"]["driver"]["rules"]]
        assert all(rules[each["ruleIndex"]] == each["ruleId"] for each in results)
        place = results[0]["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] == "acts.csv"
        lines = [
            each["locations"][0]["physicalLocation"]["region"]["startLine"] for each in results
        ]
    elif suffix == "csv":
        results = list(csv.DictReader(text.splitlines()))
        lines = [int(each["line"]) for each in results]
    else:
        results = [json.loads(line) for line in text.splitlines()]
        assert results[0]["message"].startswith('"1.2.2003" is not a date')
        lines = [each["line"] for each in results]
    assert (len(results), lines[:3], lines[-1]) == (2_402, [2, 2, 3], 1_204)


def test_findings_on_a_workbook_name_its_sheet() -> None:
    rows = [["urn", "issued"], [f"{ACT};1", "1.2.2003"]]
    Path("acts.xlsx").write_bytes(make_xlsx({"Leggi 2003": rows}))
    done = run("validate", "acts.xlsx", "--findings", "all.sarif")
    assert "acts.xlsx, sheet Leggi 2003, row 2, column issued: error LX512" in done.stderr
    (found,) = json.loads(Path("all.sarif").read_text("utf-8"))["runs"]
    assert found["results"][0]["locations"][0]["logicalLocations"] == [
        {"name": "Leggi 2003", "kind": "module"},
        {"name": "issued", "kind": "member"},
    ]


def test_a_file_is_written_when_the_run_ends_with_an_error() -> None:
    arguments = (each.format("acts.csv") for each in COMMANDS["publish"])
    done = run(*arguments, "--max-rejects", "0", "--findings", "all.jsonl")
    assert done.exit_code == 1
    assert len(Path("all.jsonl").read_text("utf-8").splitlines()) == 2_402


@pytest.mark.parametrize("file", ["all.txt", "all", "missing/all.csv"])
def test_a_file_of_another_format_is_wrong_usage(file: str) -> None:
    done = run("validate", "acts.csv", "--findings", file)
    assert done.exit_code == 2
    assert "--findings" in done.stderr


def test_validate_does_not_call_a_table_sound_whose_rows_were_rejected() -> None:
    Path("acts.csv").write_text(f"urn,title\n{ACT};1,Legge\nx,y\n", "utf-8")
    done = run("validate", "acts.csv")
    assert done.exit_code == 1
    assert done.stdout == (
        "note: 1 of 2 rows rejected, so they were not checked\n"
        "1 node checked: no faults among these\n"
    )


def test_warnings_on_rows_leave_a_trace_in_unattended_runs() -> None:
    rows = ["Decreto,1/2006,2005-05-14,Uno", "Decreto,2/2006,2005-05-14,Dos"]
    constants = 'jurisdiction = "es"\nauthority = "Estado"\n'
    Path("acts.csv").write_text("\n".join(["measure,number,date,title@es", *rows, ""]), "utf-8")
    Path("acts.toml").write_text(f"[constants]\n{constants}", "utf-8")
    options = ("acts.csv", "--map", "acts.toml", "--quiet")
    done = run("validate", *options)
    assert done.stdout == ("note: 2 warnings on rows\n2 nodes checked: no faults among these\n")
    publish = ("publish", *options, "--out", "site", "--base", "https://law.example", "--json")
    for _ in range(2):
        found = json.loads(run(*publish).stdout)
        assert found["findings"] == {"error": 0, "warning": 2, "note": 0}


def test_violations_are_summarized_too() -> None:
    rows = [f"{ACT};{n},https://a.example/{n}.pdf,nowhere" for n in range(300)]
    Path("acts.csv").write_text("\n".join(["urn,url,license", *rows]), "utf-8")
    done = run(*(each.format("acts.csv") for each in COMMANDS["publish"]))
    assert len(done.stderr.splitlines()) <= 30


@pytest.mark.parametrize(
    ("option", "command"),
    [
        ("--base", ("head", f"{ACT};1", "--base", "nonsense")),
        ("--base", ("describe", f"{ACT};1", "--base", "ftp://law.example")),
        ("--input", ("validate", "acts.csv", "--input", "foo")),
        ("--mode", ("mint", "--mode", "latin", "--measure", "Legge")),
        ("--calendar", ("mint", "--calendar", "mayan", "--measure", "Legge")),
        ("--date-order", ("mint", "--date-order", "dym", "--measure", "Legge")),
        ("--max-findings", ("validate", "acts.csv", "--max-findings", "-1")),
    ],
)
def test_a_bad_value_of_an_option_is_wrong_usage(option: str, command: tuple[str, ...]) -> None:
    done = run(*command)
    assert (done.exit_code, done.stdout) == (2, "")
    assert option in done.stderr


def test_minting_holds_back_the_rows_that_publish_holds_back() -> None:
    days = ["01-20", "02-14", "01-03", "03-22", "05-04", "04-21", "05-30"]
    rows = [f"it,stato,legge,2003-{day},{n}" for n, day in enumerate(days, 1)]
    rows += ["it,stato,legge,2003-06-30,12", "it,stato,legge,2003-06-30,012/2003"]
    head = "jurisdiction,authority,measure,date,number"
    Path("acts.csv").write_text("\n".join([head, *rows]), "utf-8")
    published = run(*(each.format("acts.csv") for each in COMMANDS["publish"]))
    done = run("mint", "acts.csv")
    assert [line[-1] for line in done.stdout.splitlines()] == ["1", "2", "4", "6", "7"]
    assert published.stdout.startswith("5 names of 5 works")
    for code, line in (("LX542", 4), ("LX546", 9)):
        assert f"acts.csv:{line}, column number: error {code} (2 times)" in done.stderr.replace(
            "column date", "column number"
        )
        assert f"error {code} (2 times)" in published.stderr
    assert '12" and "urn:lex:it:stato:legge:2003-06-30;' in done.stderr
    assert '" in acts.csv:10 are probably one act' in done.stderr


def test_one_kind_more_than_there_is_room_for_is_shown() -> None:
    columns = [
        "urn",
        *(f"title@{each}" for each in ("it", "de", "fr", "es", "pt", "nl", "sv", "fi", "da")),
    ]
    bad = "a\x01b"
    Path("acts.csv").write_text(
        "\n".join([",".join(columns), ",".join([f"{ACT};1", *[bad] * 9])]), "utf-8"
    )
    lines = run("validate", "acts.csv").stderr.splitlines()
    assert sum("error LX502" in line for line in lines) == 9
    assert not any(line.startswith("also ") for line in lines)


def test_rare_words_are_shown_where_there_is_no_room_for_their_kind() -> None:
    tags = ("it", "de", "fr", "es", "pt", "nl", "sv", "fi", "da", "pl")
    types = [*["Delibberazione"] * 5, "Delibberazoine", *["Delibberazione"] * 4]
    rows = [",".join(["Legge,2003-09-21,1", *["a\x01b"] * 10])]
    rows += [f"{each},2003-09-21,{at},,,,,,,,,," for at, each in enumerate(types, start=2)]
    head = ",".join(["measure,date,number", *(f"title@{each}" for each in tags)])
    Path("acts.csv").write_text("\n".join([head, *rows]), "utf-8")
    lines = run("mint", "acts.csv", "-j", "it;bari").stderr.splitlines()
    assert (
        "  LX724: Delibberazoine (1 from acts.csv:8), Delibberazione (9 from acts.csv:3)" in lines
    )
    assert len(lines) <= 30
