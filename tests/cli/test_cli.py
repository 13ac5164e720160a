"""The command line as a user has it: arguments in, text and exit code out."""

from __future__ import annotations

import datetime as dt
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import lexurn
from lexurn.catalogue.dumps import DUMP_FORMATS
from lexurn.cli import main
from lexurn.cli.catalogue import dump_command
from lexurn.graph import CONCEPT_LINKS, nquads_of
from lexurn.manifest import open_manifest
from lexurn.vocabulary import PREF_LABEL

WORK = "urn:lex:it:stato:legge:2006-05-14;22"
VERBS = (
    "compare",
    "convert",
    "describe",
    "head",
    "http",
    "label",
    "mint",
    "parse",
    "publish",
    "registry",
    "validate",
)
TABLE = f"""urn,title@it,in_force_from,url,license
{WORK},Legge di prova,2006-06-01,,https://creativecommons.org/licenses/by/4.0/
{WORK}@2008-03-12:it,,2008-04-01,,
{WORK}@2008-03-12:it$senato.it:application-pdf,,,https://senato.example/a.pdf,
"""


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "acts.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.fixture
def bad_table(tmp_path: Path) -> Path:
    path = tmp_path / "bad.csv"
    path.write_text(TABLE + "urn:lex:it:stato:legge:2006-5-14;22,x,,,\n", encoding="utf-8")
    return path


# parse


def test_parse_shows_the_parts() -> None:
    done = run("parse", f"{WORK}@originale:it~art3")
    assert done.exit_code == 0
    assert "version        originale" in done.stdout
    assert "partition      art3" in done.stdout
    assert done.stderr == ""


def test_parse_points_at_the_fault() -> None:
    text = "urn:lex:ch:staat:gesetz:2006-05-14;22@original:DE_CH"
    done = run("parse", text)
    assert done.exit_code == 1
    assert done.stdout == ""
    head, shown, carets, mend = done.stderr.splitlines()
    assert head.startswith('error LX203: "DE_CH" is not a language tag')
    assert head.endswith("(RFC 9676 §5.6)")
    assert shown[carets.index("^") : carets.rindex("^") + 1] == "DE_CH"
    assert mend.strip() == f"try: {text.replace('DE_CH', 'de-ch')}"


def test_parse_answers_every_line_in_order() -> None:
    done = run("parse", "--format", "jsonl", "-", stdin=f"{WORK}\n\nbad\xff\r\n{WORK}~a".encode())
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["valid"] for each in objects] == [True, False, False, True]
    assert objects[2]["input"] == "bad\xff"
    assert done.exit_code == 1


def test_parse_keeps_octets_that_are_no_utf8_apart() -> None:
    done = run("parse", "--format", "jsonl", "-", stdin=b"urn:lex:\xff\n")
    assert json.loads(done.stdout)["input"] == "urn:lex:\udcff"
    assert done.exit_code == 1


def test_parse_answers_a_line_longer_than_memory_should_hold() -> None:
    done = run("parse", "--format", "jsonl", "-", stdin=b"a" * 1_000_000 + b"\n" + WORK.encode())
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["valid"] for each in objects] == [False, True]
    assert len(objects[0]["input"]) <= 65_536


def test_parse_writes_the_canonical_name() -> None:
    done = run("parse", "--format", "name", WORK.upper())
    assert done.stdout == f"{WORK}\n"


def test_parse_holds_to_the_grammar_when_asked() -> None:
    name = f"{WORK}@original:de-ch"
    assert run("parse", name).exit_code == 0
    assert run("parse", "--reading", "grammar", name).exit_code == 1


def test_nothing_in_a_name_steers_the_terminal() -> None:
    done = run("parse", "urn:lex:it:a\x1b[31m\u202eb:c:2000-01-01;1")
    assert "\x1b" not in done.stderr
    assert "\u202e" not in done.stderr
    assert "\\x1b[31m\\u202e" in done.stderr


# compare, http


@pytest.mark.parametrize(
    ("other", "exit_code", "told"),
    [
        (WORK.upper(), 0, f"equivalent: {WORK}"),
        (WORK.replace("22", "23"), 1, "different: numbers (22; 23)"),
        (
            WORK.replace("-14;22", "-15;22,3"),
            1,
            "different: dates (2006-05-14; 2006-05-15), numbers (22; 22, 3)",
        ),
        (
            f"{WORK}@original~art1",
            1,
            "different: expression (none; original), partition (none; art1)",
        ),
        ("nonsense", 1, ""),
    ],
)
def test_compare(other: str, exit_code: int, told: str) -> None:
    done = run("compare", WORK, other)
    assert done.exit_code == exit_code
    assert done.stdout.strip() == told


def test_compare_as_json() -> None:
    done = run("compare", "--format", "json", WORK, f"{WORK}@original")
    assert json.loads(done.stdout) == {
        "equivalent": False,
        "first": WORK,
        "second": f"{WORK}@original",
        "differing": ["expression"],
    }


def test_http_there_and_back() -> None:
    uri = "https://law.example/lex/it/stato/legge/2006-05-14;22/@/original/it"
    assert run("http", "--base", "https://law.example", f"{WORK}@original:it").stdout == f"{uri}\n"
    assert run("http", uri).stdout == f"{WORK}@original:it\n"


def test_http_needs_a_base_to_write() -> None:
    done = run("http", WORK)
    assert done.exit_code == 2
    assert "--base" in done.stderr


def test_http_refuses_a_path_that_climbs() -> None:
    done = run("http", "https://law.example/lex/it/../legge/2006-05-14;22")
    assert done.exit_code == 1
    assert "^" in done.stderr
    assert done.stdout == ""


def test_parse_answers_before_it_waits_for_more() -> None:
    command = [sys.executable, "-m", "lexurn", "parse", "--format", "jsonl", "-"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number in (1, 2):
            process.stdin.write(f"{WORK}{number}\nurn:lex:".encode())
            process.stdin.flush()
            name = "urn:lex:" * (number - 1) + f"{WORK}{number}"
            assert json.loads(process.stdout.readline())["input"] == name
        process.stdin.close()
        assert json.loads(process.stdout.read())["input"] == "urn:lex:"


# describe, head, validate


def test_describe_a_bare_name() -> None:
    done = run("describe", WORK, "--format", "turtle")
    assert done.exit_code == 0
    assert 'lexo:number "22"' in done.stdout


def test_describe_with_a_manifest(table: Path) -> None:
    done = run("describe", WORK, "--manifest", str(table), "--format", "turtle")
    assert '"Legge di prova"@it' in done.stdout
    assert done.exit_code == 0


def test_describe_says_when_the_manifest_has_no_such_name(table: Path) -> None:
    done = run("describe", WORK.replace("22", "23"), "--manifest", str(table))
    assert done.exit_code == 1
    assert "not in the manifest" in done.stderr


def test_describe_writes_references_and_links(table: Path) -> None:
    def described(form: str) -> bytes:
        return run("describe", WORK, "--manifest", str(table), "--format", form).stdout_bytes

    assert described("bibtex").startswith(b"@legislation{")
    assert described("ris").endswith(b"\r\nER  - \r\n")
    assert json.loads(described("csl-json"))[0]["id"] == WORK
    assert json.loads(described("linkset"))["linkset"][0]["anchor"] == WORK


def test_describe_writes_a_whole_manifest_as_rdf_only(table: Path) -> None:
    done = run("describe", "--manifest", str(table), "--format", "bibtex")
    assert done.exit_code == 2
    assert "--format bibtex needs a NAME" in done.stderr


@pytest.mark.parametrize("form", ["nquads", "ntriples", "turtle", "jsonld", "rdfxml", "trig"])
def test_describe_a_whole_manifest(table: Path, form: str) -> None:
    done = run("describe", "--manifest", str(table), "--format", form)
    assert done.exit_code == 0
    statements = lexurn.read(done.stdout_bytes, lexurn.Format.from_name(form))
    names = {record.name for record in lexurn.records_of(statements.merged)}
    assert lexurn.parse(f"{WORK}@2008-03-12:it$senato.it:application-pdf") in names
    # Each concept that an act has is described.
    links = {value for _, predicate, value in statements.merged if predicate in CONCEPT_LINKS}
    labelled = {node for node, predicate, _ in statements.merged if predicate == PREF_LABEL}
    assert links
    assert links <= labelled


def test_describe_a_long_manifest_in_the_order_of_its_acts(tmp_path: Path) -> None:
    act = "urn:lex:it:stato:legge:2006-05-14;{}".format
    rows = [f"{act(number)},{act(number + 1) if number == 7 else ''}" for number in range(1, 5_500)]
    torn = [f"{act(9_000)}:allegato.1,{act(9_000)}"]
    (tmp_path / "acts.csv").write_text("\n".join(["urn,alias_of", *rows, *torn]), "utf-8")
    done = run("describe", "--manifest", str(tmp_path / "acts.csv"), "--as-of", "2026-01-01")
    assert done.exit_code == 1
    assert "LX538" in done.stderr
    with open_manifest(tmp_path / "acts.csv") as manifest:
        families = list(manifest.families())
    written = [nquads_of(each, as_of=dt.date(2026, 1, 1)) for each in families]
    assert len(families) == 5_498
    assert done.stdout_bytes.startswith(b"".join(written))


@pytest.mark.parametrize("command", [("describe",), ("catalogue", "load")])
def test_every_format_of_graphs_can_be_named(command: tuple[str, ...]) -> None:
    words = run(*command, "--help").stdout.replace("|", " ").replace("[", " ").split()
    assert {each.name.lower() for each in lexurn.Format} <= {word.rstrip("]") for word in words}


def test_describe_needs_something_to_describe() -> None:
    assert run("describe").exit_code == 2


def test_head_tags(table: Path) -> None:
    done = run("head", WORK, "--base", "https://law.example", "--manifest", str(table))
    assert done.exit_code == 0
    assert f'<meta name="DC.identifier" content="{WORK}"' in done.stdout


def test_head_of_a_name_that_is_not_in_the_manifest_writes_nothing(table: Path) -> None:
    name = WORK.replace("22", "23")
    done = run("head", name, "--base", "https://law.example", "--manifest", str(table))
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"{name} is not in the manifest" in done.stderr


@pytest.mark.parametrize(
    "command", [("catalogue", "stats"), ("catalogue", "check"), ("mint", "--number", "1")]
)
def test_an_empty_place_of_a_catalogue_is_refused(command: tuple[str, ...]) -> None:
    done = run(*command, "--catalogue", "")
    assert done.exit_code == 2
    assert "--catalogue is empty. Name the place of a catalogue." in done.stderr


def test_validate_a_manifest(table: Path) -> None:
    done = run("validate", str(table), "--format", "json")
    report = json.loads(done.stdout)
    assert report["conforms"]
    assert report["checked"] == 3
    assert done.exit_code == 0


def test_validate_names_the_line_of_the_manifest(tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    rows = f"""urn,title,in_force_from,in_force_until
{WORK},T,,
{WORK}@original,T,2010-01-01,2009-01-01
"""
    path.write_text(rows, encoding="utf-8")
    done = run("validate", str(path))
    assert done.exit_code == 1
    assert f"{path}:3" in done.stdout


@pytest.mark.parametrize("engine", ["bulk", "reference"])
def test_validate_rdf(table: Path, tmp_path: Path, engine: str) -> None:
    graph = tmp_path / "graph.ttl"
    graph.write_bytes(run("describe", "--manifest", str(table), "--format", "turtle").stdout_bytes)
    assert run("validate", str(graph), "--engine", engine).exit_code == 0
    broken = graph.read_text(encoding="utf-8").replace('lexo:number "22"', 'lexo:number "23"')
    graph.write_text(broken, encoding="utf-8")
    assert run("validate", str(graph), "--engine", engine).exit_code == 1


@pytest.mark.parametrize(
    "data", [b"", b"\xff\xfe", b"<a> <b>", b"\x00" * 10, b"@prefix : <urn:lex:> . :a :b :c ."]
)
def test_validate_any_bytes(tmp_path: Path, data: bytes) -> None:
    for extension in ("ttl", "nq", "jsonld", "rdf", "csv", "jsonl", "parquet", "docx"):
        path = tmp_path / f"x.{extension}"
        path.write_bytes(data)
        done = run("validate", str(path))
        assert done.exit_code in {0, 1, 2}
        assert done.exception is None or isinstance(done.exception, SystemExit)
        assert done.output.strip()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("empty.ttl", ""),
        ("foreign.ttl", "<http://a.example/b> <http://a.example/c> 1 ."),
        ("acts.csv", "urn,title\n"),
    ],
)
def test_what_holds_nothing_to_check_is_not_called_good(
    tmp_path: Path, name: str, text: str
) -> None:
    path = tmp_path / name
    path.write_text(text, encoding="utf-8")
    done = run("validate", str(path))
    assert done.exit_code == 1
    assert "nothing was checked" in done.output


# publish


def test_publish(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    done = run(*arguments, "--jobs", "1")
    assert done.exit_code == 0, done.output
    assert done.stdout.startswith(f"3 names of 1 work in {out}: ")
    assert (out / "lex/it/stato/legge/2006-05-14;22/index.html").is_file()


def test_publish_reads_statements_about_the_site(table: Path, tmp_path: Path) -> None:
    file, out = tmp_path / "site.toml", tmp_path / "site"
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    file.write_text('[title]\nen = "Laws"\n[publisher]\nname = "Parliament"\n')
    done = run(*arguments, "--jobs", "1", "--site", str(file))
    assert done.exit_code == 0, done.output
    assert "catalogue.ttl lacks description, license, contact. State them" in done.stderr
    assert 'dcterms:title "Laws"@en' in (out / "catalogue.ttl").read_text("utf-8")
    file.write_text("licence = 1")
    done = run(*arguments, "--site", str(file))
    assert done.exit_code == 1
    assert (
        'site.toml:1: "licence" is not a key of a site file; did you mean license?' in done.stderr
    )


@pytest.mark.parametrize("inside", ["", "site"])
def test_publish_writes_nothing_into_a_catalogue(table: Path, tmp_path: Path, inside: str) -> None:
    law = tmp_path / "law"
    assert run("catalogue", "load", str(table), "-c", str(law), "--jobs", "1").exit_code == 0
    before = sorted(law.rglob("*"))
    done = run("publish", str(table), "--out", str(law / inside), "--base", "https://law.example")
    assert done.exit_code == 1
    assert "is a catalogue" in done.stderr
    assert sorted(law.rglob("*")) == before


def test_bad_rows_of_a_folder_that_nobody_may_write_are_kept_here(
    bad_table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setattr(os, "access", lambda path, _: Path(path) != bad_table.parent)
    done = run("catalogue", "load", str(bad_table), "-c", "law", "--jobs", "1")
    assert done.exit_code == 1
    assert f"kept in {bad_table.stem}.rejects.csv" in done.stderr
    assert Path(f"{bad_table.stem}.rejects.csv").is_file()
    assert " 1 added" in done.stdout


@pytest.mark.parametrize(
    ("name", "text", "what"),
    [("acts.csv", "urn,title\n", "rows"), ("acts.nq", "# nothing\n", "statements")],
)
def test_a_source_without_content_is_told(tmp_path: Path, name: str, text: str, what: str) -> None:
    empty = tmp_path / name
    empty.write_text(text, encoding="utf-8")
    done = run("catalogue", "load", str(empty), "-c", str(tmp_path / "law"))
    assert (done.exit_code, done.stderr) == (0, f"no {what} in {empty}\n")


def test_a_refusal_names_file_and_line(tmp_path: Path) -> None:
    acts = tmp_path / "acts.csv"
    name = "urn:lex:it:stato:legge:2006-01-01"
    rows = f"{name};1,,\n{name};2,2007-01-01,2006-01-01\n{name};3,,\n"
    acts.write_text(f"urn,in_force_from,in_force_until\n{rows}", encoding="utf-8")
    law = str(tmp_path / "law")
    for _ in range(2):  # the second time they are held
        done = run("catalogue", "load", str(acts), "-c", law, "--check")
        assert f"error: {acts}:3: {name};2 was not loaded: " in done.stderr
    acts.write_text(f"urn,alias_of\n{name};7,{name};8\n", encoding="utf-8")
    assert run("catalogue", "load", str(acts), "-c", law).exit_code == 0
    rows = f"{name};1,\n{name};9,\n{name};8,{name};7\n"
    acts.write_text(f"urn,alias_of\n{rows}", encoding="utf-8")
    bad = tmp_path / "rejects.csv"
    done = run("catalogue", "load", str(acts), "-c", law, "--rejects", str(bad))
    assert f"error: {acts}:4: {name};8 was not loaded: LX603" in done.stderr
    assert "1 added, 0 replaced, 1 unchanged, 1 refused" in done.stdout
    assert bad.read_text(encoding="utf-8") == f"urn,alias_of\n{name};8,{name};7\n"


def test_what_is_no_source_is_said(tmp_path: Path) -> None:
    law = str(tmp_path / "law")
    for source, code, said in (
        (str(tmp_path), 1, f"error: {tmp_path} is a folder. Name the files in it.\n"),
        (
            "/dev/null",
            1,
            "error: /dev/null is not a regular file. Pass it on standard input, as -.\n",
        ),
        (f"{law}.csv", 1, f"error: {law}.csv does not exist. Check the path.\n"),
        ("", 2, "Error: A SOURCE is empty. Name a file, or - for standard input.\n"),
    ):
        done = run("catalogue", "load", source, "-c", law)
        assert done.exit_code == code
        assert done.stderr.endswith(said)


def test_a_catalogue_without_a_name_is_refused(table: Path) -> None:
    done = run("catalogue", "load", str(table), "-c", "")
    assert done.exit_code == 2
    assert "--catalogue is empty" in done.stderr


ASKED = (
    ("catalogue", "refresh"),
    ("catalogue", "withdraw", "urn:lex:it:stato:legge:2006-05-14;22"),
    ("catalogue", "optimize"),
    ("catalogue", "rebuild"),
    ("catalogue", "stats"),
    ("catalogue", "dump"),
    ("catalogue", "check"),
    ("catalogue", "query", "withdrawn"),
    ("mint", "--given"),
)


@pytest.mark.parametrize("asked", ASKED, ids=lambda asked: asked[1])
def test_a_place_that_is_no_catalogue_is_left_as_it_is(
    asked: tuple[str, ...], tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for folder in ("empty", "full"):
        (tmp_path / folder).mkdir()
    (tmp_path / "full" / "x").touch()
    before = sorted(tmp_path.rglob("*"))
    for name in ("absent", "file", "empty", "full"):
        done = run(*asked, "-c", str(tmp_path / name))
        assert (done.exit_code, done.stdout) == (1, "")
        assert done.stderr.endswith("lexurn catalogue load.\n")
    done = run(*asked, "-c", " ")
    assert (done.exit_code, done.stdout) == (2, "")
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("asked", "code", "message"),
    [
        (("load", "{table}", "-c", "{table}"), 1, "is not a folder. Name a new or an empty one"),
        (("load", "{table}", "-c", "{new}", "--base", "law.example"), 2, "an absolute http"),
        (("load", "{table}", "-c", "{new}", "--as-of", "2006-01"), 2, "Write YYYY-MM-DD"),
        (("load", "{table}", "-c", "{new}", "--map", "{new}"), 2, "does not exist"),
        (("load", "{table}", "-c", "{new}", "--jobs", "0"), 2, "not in the range"),
        (("withdraw", "", "-c", "{law}"), 2, "A NAME is empty"),
        (("check", "-c", "{law}", "--out", ""), 2, "--out is empty"),
        (("check", "-c", "{law}", "--out", "{folder}"), 1, "is a folder. Name a file in it"),
        (("check", "-c", "{law}", "--out", "{new}/x"), 1, "there is no folder"),
        (("dump", "{folder}", "-c", "{law}"), 1, "Name a file in an existing folder"),
        (("query", "versions", "-p", "=x", "-c", "{law}"), 2, "not NAME=VALUE"),
        (("query", "{folder}/x.rq", "-c", "{law}"), 1, "cannot be opened"),
        (("stats", "-c", "{law}", "--wait", "x"), 2, "is not a valid integer"),
    ],
)
def test_bad_values_are_said(
    asked: tuple[str, ...], code: int, message: str, table: Path, tmp_path: Path
) -> None:
    places = {"table": str(table), "folder": str(tmp_path)}
    places |= {name: str(tmp_path / name) for name in ("law", "new")}
    assert run("catalogue", "load", str(table), "-c", places["law"]).exit_code == 0
    done = run("catalogue", *(each.format_map(places) for each in asked))
    assert (done.exit_code, done.stdout) == (code, "")
    assert message in done.stderr
    assert not (tmp_path / "new").exists()


def test_publish_keeps_bad_rows(bad_table: Path, tmp_path: Path) -> None:
    out, rejects = tmp_path / "site", tmp_path / "rejects.csv"
    done = run(
        "publish", str(bad_table), "--out", str(out), "--base", "https://law.example",
        "--rejects", str(rejects), "--jobs", "1",
    )  # fmt: skip
    assert done.exit_code == 3
    assert f"{bad_table}:5, column urn" in done.stderr
    head, row = rejects.read_text(encoding="utf-8").splitlines()
    assert head == TABLE.splitlines()[0]
    assert row == "urn:lex:it:stato:legge:2006-5-14;22,x,,,"
    assert (out / "lex/it/stato/legge/2006-05-14;22/index.html").is_file()


def test_publish_stops_where_more_rows_are_bad_than_allowed(
    bad_table: Path, tmp_path: Path
) -> None:
    out = tmp_path / "site"
    arguments = ["publish", str(bad_table), "--out", str(out), "--base", "https://law.example"]
    done = run(*arguments, "--max-rejects", "0")
    assert done.exit_code == 1
    assert "1 row was rejected, and 0 are allowed" in done.stderr
    told = json.loads(run(*arguments, "--max-rejects", "0", "--json").stdout)
    assert (told["published"], told["error"][:17]) == (False, "1 row was rejected"[:17])
    assert not out.exists()


def test_a_dry_run_of_publish_writes_nothing(bad_table: Path, tmp_path: Path) -> None:
    files = sorted(tmp_path.rglob("*"))
    out = tmp_path / "site"
    done = run(
        "publish", str(bad_table), "--out", str(out), "--base", "https://a.example", "--dry-run"
    )
    assert done.exit_code == 3
    assert "; nothing was written (--dry-run)" in done.stdout
    assert f"{bad_table}:5, column urn" in done.stderr
    assert sorted(tmp_path.rglob("*")) == files


def test_publish_tells_of_names_that_left_the_input(table: Path, tmp_path: Path) -> None:
    out, text = tmp_path / "site", table.read_text(encoding="utf-8")
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    other = "urn:lex:it:stato:legge:2007-01-01;7"
    table.write_text(f"{text}{other},Altra legge,,,\n", encoding="utf-8")
    assert run(*arguments, "--jobs", "1").exit_code == 0
    table.write_text(text, encoding="utf-8")
    done = run(*arguments, "--jobs", "1")
    assert "1 name no longer in the input; " in done.stderr
    assert "--replaced says so" in done.stderr
    assert " SHACL findings in report.html" in done.stdout
    assert other in done.stderr
    asked = run(*arguments, "--prune", stdin=b"n\n")
    assert asked.exit_code == 0
    assert "Remove the pages of 1 name?" in asked.stderr
    other_act = "urn:lex:it:stato:legge:2009-01-01;9"
    kept = run(*arguments, "--prune", "--yes", "--only", other_act, "--json")
    assert json.loads(kept.stdout)["removed"] == []
    arguments += ["--only", other]
    summary = json.loads(run(*arguments, "--prune", "--yes", "--json").stdout)
    assert (summary["removed"], summary["names"]) == ([other], 3)
    assert not (out / "lex/it/stato/legge/2007-01-01;7").exists()


def test_publish_tells_of_a_name_that_lost_its_row(table: Path, tmp_path: Path) -> None:
    out, act = tmp_path / "site", "urn:lex:it:stato:legge:2007-01-01;7"
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    rows = [f"{act},Altra legge", f"{act}@2008-01-01:it,"]
    table.write_text("\n".join(["urn,title", *rows]), encoding="utf-8")
    assert run(*arguments, "--jobs", "1").exit_code == 0
    table.write_text("\n".join(["urn,title", rows[1]]), encoding="utf-8")
    done = run(*arguments, "--jobs", "1")
    assert done.exit_code == 0
    assert "note: 1 name without a row of its own now; the page stays" in done.stderr
    assert f"are in the input: {act}\n" in done.stderr
    assert "emptied" in run(*arguments, "--json").stdout


def test_publish_leads_from_a_wrong_name_to_the_right_one(table: Path, tmp_path: Path) -> None:
    out, file = tmp_path / "site", tmp_path / "old.csv"
    old, new = "urn:lex:it:stato:legge:2006-05-14;23", "urn:lex:it:stato:legge:2006-05-14;22"
    file.write_text(f"old,new\n{old},{new}\n")
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    assert run(*arguments, "--replaced", str(file)).exit_code == 0
    page = (out / "lex/it/stato/legge/2006-05-14;23/index.html").read_text(encoding="utf-8")
    assert "../2006-05-14;22/index.html" in page


def test_publish_takes_a_catalogue(table: Path, tmp_path: Path) -> None:
    law, out = str(tmp_path / "law"), tmp_path / "site"
    assert run("catalogue", "load", str(table), "-c", law, "--jobs", "1").exit_code == 0
    done = run("publish", "-c", law, "--out", str(out), "--base", "https://law.example")
    assert done.stdout.startswith(f"3 names of 1 work in {out}: ")
    both = run("publish", str(table), "-c", law, "--out", "x", "--base", "https://law.example")
    assert both.exit_code == 2
    none = run("publish", "--out", str(out), "--base", "https://law.example")
    assert none.exit_code == 2
    assert "Give a MANIFEST, or --catalogue." in none.stderr


def test_publish_compares_the_files_of_a_site(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "site"
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    assert run(*arguments, "--jobs", "1").exit_code == 0
    done = run("publish", "--check", str(out))
    assert (done.exit_code, done.stdout) == (0, "")
    (out / "about.html").write_text("mine")
    (out / "mine.txt").write_text("mine")
    done = run("publish", "--check", str(out))
    assert (done.exit_code, done.stdout) == (1, "changed about.html\nforeign mine.txt\n")
    assert "publish --rewrite" in done.stderr
    assert run(*arguments, "--rewrite").exit_code == 0
    assert run("publish", "--check", str(out)).exit_code == 0


def test_publish_tells_where_bad_rows_are_when_none_is_good(table: Path, tmp_path: Path) -> None:
    arguments = ["publish", str(table), "--out", str(tmp_path / "site")]
    arguments += ["--base", "https://law.example", "--jobs", "1"]
    assert run(*arguments).exit_code == 0
    table.write_text("urn\nnone\n", encoding="utf-8")
    done = run(*arguments)
    assert done.exit_code == 1
    assert f"1 of 1 rows rejected: 1 error; kept in {tmp_path / 'acts.rejects.csv'}" in done.stderr
    assert "nothing was changed" in done.stderr


def test_publish_makes_no_site_of_rejected_rows_alone(tmp_path: Path) -> None:
    table, out = tmp_path / "acts.csv", tmp_path / "site"
    table.write_text("urn\nnone\n", encoding="utf-8")
    done = run("publish", str(table), "--out", str(out), "--base", "https://law.example")
    assert (done.exit_code, out.exists()) == (1, False)
    assert "No row is valid; nothing was published." in done.stderr
    assert (tmp_path / "acts.rejects.csv").read_text(encoding="utf-8") == "urn\nnone\n"


def test_publish_names_what_stays_because_rows_were_rejected(table: Path, tmp_path: Path) -> None:
    out, other = tmp_path / "site", "urn:lex:it:stato:legge:2007-01-01;7"
    arguments = ["publish", str(table), "--out", str(out), "--base", "https://law.example"]
    arguments += ["--jobs", "1"]
    text = table.read_text(encoding="utf-8")
    table.write_text(f"{text}{other},Altra legge,,,\n", encoding="utf-8")
    first = run(*arguments)
    assert "catalogue.ttl lacks" in first.stderr
    table.write_text(f"{text}none,,,,\n", encoding="utf-8")
    done = run(*arguments)
    assert done.exit_code == 3
    assert "1 name not in the input; rows rejected since may be theirs, so" in done.stderr
    assert f": {other}. Correct these rows. To withdraw a name, keep its row" in done.stderr
    assert "catalogue.ttl lacks" not in done.stderr
    summary = json.loads(run(*arguments, "--json").stdout)
    assert (summary["kept"], summary["new"]) == ([other], {"count": 0, "works": []})
    assert summary["changed"] == {"count": 0, "works": []}
    assert summary["newly_rejected"] == {"count": 0, "rows": []}
    table.write_text(f"{text}none,,,,\nneither,,,,\n", encoding="utf-8")
    found = run(*arguments, "--json", "--dry-run")
    newly_rejected = json.loads(found.stdout)["newly_rejected"]
    (row,) = newly_rejected["rows"]
    assert newly_rejected["count"] == 1
    assert (row["file"], row["line"], row["column"]) == (str(table), text.count("\n") + 2, "urn")
    done = run(*arguments)
    assert f"1 of 2 rejected rows is new: {table}:{row['line']} ({row['code']})\n" in done.stderr
    assert "rejected rows" not in first.stderr
    site = tmp_path / "site.toml"
    site.write_text('language = "it"\n', encoding="utf-8")
    assert "catalogue.ttl lacks" in run(*arguments, "--site", str(site)).stderr


def test_published_reports_name_the_file_without_its_folders(tmp_path: Path) -> None:
    manifest, out = tmp_path / "acts.csv", tmp_path / "site"
    manifest.write_text(f"urn,url\n{WORK},https://senato.example/a.pdf\n", encoding="utf-8")
    done = run("publish", str(manifest), "--out", str(out), "--base", "https://law.example")
    assert done.exit_code == 0
    for report in ("report.html", "report.ttl"):
        text = (out / report).read_text(encoding="utf-8")
        assert "acts.csv" in text
        assert str(tmp_path) not in text


@pytest.mark.parametrize("rows", ["", "urn:lex:it:stato:legge:2006-5-14;22,x,,,\n"])
def test_a_file_beside_the_manifest_is_never_lost(tmp_path: Path, rows: str) -> None:
    manifest, kept = tmp_path / "acts.csv", tmp_path / "acts.rejects.csv"
    manifest.write_text(TABLE + rows, encoding="utf-8")
    kept.write_text("somebody is mending this", encoding="utf-8")
    run("publish", str(manifest), "--out", str(tmp_path / "s"), "--base", "https://law.example")
    assert kept.read_text(encoding="utf-8") == "somebody is mending this"
    second = tmp_path / "acts.rejects-2.csv"
    assert second.is_file() == bool(rows)
    assert not rows or second.read_text(encoding="utf-8").endswith(rows)
    done = run(
        "publish", str(manifest), "--out", str(tmp_path / "s"), "--base", "https://law.example"
    )
    assert not (tmp_path / "acts.rejects-3.csv").exists()
    assert not rows or f"kept in {second}" in done.stderr


def test_publish_refuses_a_folder_that_is_not_ours(table: Path, tmp_path: Path) -> None:
    out = tmp_path / "theirs"
    out.mkdir()
    (out / "precious.txt").write_text("mine")
    done = run("publish", str(table), "--out", str(out), "--base", "https://law.example")
    assert done.exit_code == 1
    assert [path.name for path in out.iterdir()] == ["precious.txt"]


@pytest.mark.parametrize("folder", [".", "..", "/"])
def test_publish_refuses_a_folder_as_a_table(folder: str, tmp_path: Path) -> None:
    site = tmp_path / "site"
    done = run("publish", folder, "--out", str(site), "--base", "https://law.example")
    assert (done.exit_code, done.stderr.count("\n")) == (1, 1)
    assert f"{folder}: cannot be opened: Is a directory" in done.stderr


@pytest.mark.parametrize("base", ["law.example", "ftp://law.example", "https://", "javascript:1"])
def test_publish_refuses_a_base_that_is_none(table: Path, tmp_path: Path, base: str) -> None:
    done = run("publish", str(table), "--out", str(tmp_path / "site"), "--base", base)
    assert done.exit_code == 2
    assert f"the base '{base}' cannot be used" in done.stderr


# the command itself


@pytest.mark.parametrize("verb", VERBS)
def test_help_tells_what_a_verb_does(verb: str) -> None:
    done = run(verb, "--help")
    assert done.exit_code == 0
    assert verb in run("--help").stdout
    assert len(done.stdout.splitlines()) > 5
    assert "\\b" not in done.stdout
    if verb not in {"compare", "registry"}:
        assert f"\n  lexurn {verb} " in done.stdout


@pytest.mark.parametrize("arguments", [["nonsense"], ["parse"], ["parse", "--format", "x", WORK]])
def test_wrong_usage_is_exit_code_2(arguments: list[str]) -> None:
    assert run(*arguments).exit_code == 2


def test_version() -> None:
    assert run("--version").stdout.strip().endswith(lexurn.__version__)


def test_a_pipe_that_closes_early_is_no_traceback() -> None:
    source = str(Path(lexurn.__path__[0]).parent)
    names = b"".join(WORK.encode() + str(n).encode() + b"\n" for n in range(20_000))
    command = f'"{sys.executable}" -m lexurn parse --format jsonl - | head -n 1'
    done = subprocess.run(
        ["bash", "-c", command],
        input=names, capture_output=True, check=False, env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert json.loads(done.stdout)["valid"]
    assert b"Traceback" not in done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("where", [">/dev/full", ">&-"])
@pytest.mark.parametrize("verb", ["parse", "describe", "compare", "validate", "--help"])
def test_an_output_that_cannot_be_written_is_an_error(table: Path, verb: str, where: str) -> None:
    source = str(Path(lexurn.__path__[0]).parent)
    arguments = {"--help": "", "validate": f"'{table}'", "compare": f"'{WORK}' '{WORK}'"}
    given = arguments.get(verb, f"'{WORK}'")
    command = f"'{sys.executable}' -m lexurn {verb} {given} {where}"
    done = subprocess.run(
        ["bash", "-c", command],
        capture_output=True, check=False, env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert b"Traceback" not in done.stderr
    if verb != "--help" or where != ">&-":
        assert done.returncode == 1
        assert done.stderr.startswith(b"error: ")


@pytest.mark.skipif(os.name != "posix", reason="that is said to a shell of POSIX")
@pytest.mark.parametrize("verb", ["parse", "validate"])
def test_nothing_is_wrong_where_standard_error_is_closed(table: Path, verb: str) -> None:
    source = str(Path(lexurn.__path__[0]).parent)
    given = f"'{table}'" if verb == "validate" else f"'{WORK}'"
    done = subprocess.run(
        ["bash", "-c", f"'{sys.executable}' -m lexurn {verb} {given} 2>&-"],
        capture_output=True, check=False, env={**os.environ, "PYTHONPATH": source},
    )  # fmt: skip
    assert done.returncode == 0


def test_a_run_that_is_asked_to_end_leaves_no_temporary_files(tmp_path: Path) -> None:
    source, temporary = str(Path(lexurn.__path__[0]).parent), tmp_path / "tmp"
    temporary.mkdir()
    table = tmp_path / "acts.csv"
    table.write_text("\n".join(["urn", *(f"{WORK}{n}" for n in range(20_000))]), encoding="utf-8")
    command = [sys.executable, "-m", "lexurn", "publish", str(table), "--out", "site"]
    with subprocess.Popen(
        [*command, "--base", "https://law.example"],
        stderr=subprocess.PIPE, cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": source, "TMPDIR": str(temporary)},
    ) as process:  # fmt: skip
        waiting = time.monotonic() + 60
        while not any(temporary.glob("*/*")) and time.monotonic() < waiting:
            time.sleep(0.01)
        assert any(temporary.glob("*/*"))
        process.terminate()
        assert process.wait(60) == -signal.SIGTERM
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert not any(temporary.iterdir())


@pytest.mark.parametrize(
    ("arguments", "code"), [(["parse", WORK], 0), (["validate", "none.ttl"], 1), (["parse"], 2)]
)
def test_a_program_that_runs_a_command_keeps_its_handler(arguments: list[str], code: int) -> None:
    def handle(*_: object) -> None:
        pass

    before = signal.signal(signal.SIGTERM, handle)
    try:
        assert run(*arguments).exit_code == code
        assert signal.getsignal(signal.SIGTERM) is handle
    finally:
        signal.signal(signal.SIGTERM, before)


def test_validate_names_the_file_that_is_no_rdf(tmp_path: Path) -> None:
    broken, unknown = tmp_path / "a.ttl", tmp_path / "a.docx"
    for path in (broken, unknown):
        path.write_bytes(b"<a> <b>")
    assert f"error: {broken}: not text/turtle: line 1" in run("validate", str(broken)).stderr
    told = run("validate", str(unknown)).stderr
    assert f"error: {unknown}: unknown format" in told
    assert "csv" in told
    told = run("validate", str(tmp_path / "none.ttl")).stderr
    assert told == f"error: {tmp_path / 'none.ttl'}: cannot be opened: No such file or directory\n"


def test_versions_in_force_at_once_are_said_with_the_row(tmp_path: Path) -> None:
    path = tmp_path / "acts.csv"
    rows = (f"{WORK},Legge,", f"{WORK}@2008-01-01,,2020-01-01", f"{WORK}@2009-01-01,,")
    path.write_text("\n".join(("urn,title,in_force_until", *rows, "")), encoding="utf-8")
    done = run("validate", str(path))
    assert done.exit_code == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{path}:3: warning LX611: {WORK}@2008-01-01")


def test_lists_of_formats_are_those_of_the_packages_that_load_slowly() -> None:
    (option,) = (each for each in dump_command.params if each.name == "form")
    offered = option.type.to_info_dict()["choices"]
    assert sorted(offered) == sorted(each.name.lower() for each in DUMP_FORMATS)
