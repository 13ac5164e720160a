from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from lexurn import registry
from lexurn.cli import main
from lexurn.registry import Kind, make_scheme_iri, open_registry

if TYPE_CHECKING:
    from pathlib import Path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, ["registry", *map(str, arguments)])


def add(file: Path, *arguments: str) -> Result:
    source = ("--source", "https://law.example/")
    return run("add", "--registry", file, *arguments, *(source if "fold" not in arguments else ()))


def test_a_jurisdiction_is_shown() -> None:
    done = run("show", "it", "--kind", "authority")
    assert (done.exit_code, done.stderr) == (0, "")
    head, *rows = done.stdout.splitlines()
    columns = ["kind", "of", "notation", "labels", "also", "issuer", "valid", "checked"]
    assert head.split() == columns
    assert len(rows) == len(registry.load_registry().law("it").authorities)
    assert all(row.startswith("authority  it  ") for row in rows)


def test_words_are_shown_where_a_code_is_meant_otherwise() -> None:
    months = run("show", "words/it", "--kind", "months").stdout.splitlines()
    assert len(months) == 13
    assert run("show", "it", "--kind", "month").exit_code == 1
    assert (
        run("show", "ja", "--kind", "ordinal").stdout
        == run("show", "words/ja", "--kind", "ordinal").stdout
    )


def test_what_is_called_so_is_found_everywhere_or_in_one_place() -> None:
    found = run("show", "--find", "d.p.r.", "--format", "jsonl").stdout.splitlines()
    entries = [json.loads(line) for line in found]
    assert ("measure", "it") in {(each["kind"], each["scope"]) for each in entries}
    in_france = run("show", "fr", "--find", "d.p.r.", "--kind", "measure")
    assert in_france.exit_code == 1
    assert "Nothing found for fr, text 'd.p.r.', measure" in in_france.stderr


def test_one_entry_is_shown_whole() -> None:
    iri = f"{make_scheme_iri(Kind.AUTHORITY, 'it')}/stato"
    lines = run("show", iri).stdout.splitlines()
    assert f"iri            {iri}" in lines
    assert "notation       stato" in lines
    assert not any(line.startswith("body ") for line in lines)


@pytest.mark.parametrize("what", ["zz", "words/zz", "https://law.example/"])
def test_what_is_not_known_is_said(what: str) -> None:
    done = run("show", what)
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"Nothing found for {what}" in done.stderr


def test_a_kind_that_does_not_exist_is_wrong_usage() -> None:
    done = run("show", "it", "--kind", "law")
    assert done.exit_code == 2
    assert "authority" in done.stderr


def test_nothing_asked_for_is_an_overview() -> None:
    text = run("show").stdout
    assert text.split()[:2] == ["code", "jurisdiction"]
    lines = [json.loads(line) for line in run("show", "--format", "jsonl").stdout.splitlines()]
    codes = [each["code"] for each in lines if "code" in each]
    assert codes == list(registry.load_registry().jurisdictions())
    assert [each["language"] for each in lines if "language" in each] == list(
        registry.load_registry().languages()
    )
    italy = lines[codes.index("it")]
    assert italy["enough"] is True
    assert italy["counts"]["authorities"] >= 15


def test_an_own_file_is_checked_alone(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text("@prefix a: <http://law.example/> .\n\na:b a:c\n", "utf-8")
    done = run("check", "--registry", file)
    assert done.exit_code == 1
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"{file}:")
    assert "error LX902" in line
    assert done.stdout.split()[:2] == ["code", "jurisdiction"]


def test_a_slip_of_the_pen_gets_a_suggestion(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    scheme = make_scheme_iri(Kind.AUTHORITY, "it")
    ns = registry.REGISTRY_BASE + "ns#"
    file.write_text(f'<{scheme}/stato>\n    <{ns}abbrevation> "x"@it .\n', "utf-8")
    done = run("check", "--registry", file)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[0].startswith(f"{file}:2: error LX903: ")
    assert done.stderr.splitlines()[1] == "  try: reg:abbreviation"


def test_characters_that_nobody_sees_are_written_out(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    add(file, "authority", "it", "ufficio.prova", "--label", "Ufficio")
    file.write_text(
        file.read_text("utf-8").replace('"Ufficio"', '"\u202eUfficio???\u202e"'), "utf-8"
    )
    done = run("check", "--registry", file)
    assert done.exit_code == 1
    assert "LX919" in done.stderr
    assert "\u202e" not in done.stderr


def test_what_was_deleted_since_is_an_error(tmp_path: Path) -> None:
    before, after = tmp_path / "before.ttl", tmp_path / "after.ttl"
    add(before, "authority", "it", "ufficio.prova", "--label", "Ufficio prova")
    after.write_text("", "utf-8")
    assert run("check", "--registry", after).exit_code == 0
    done = run("check", "--registry", after, "--before", before)
    assert done.exit_code == 1
    assert "LX910" in done.stderr
    assert run("check", "--registry", before, "--before", before).exit_code == 0
    assert run("check", "--before", before).exit_code == 2


def test_entries_are_added(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    name = "urn:lex:it:ufficio.prova:delibera.prova:2001-02-03;1"
    office = ("authority", "it", "ufficio.prova", "--label", "it=Ufficio prova", "--label")
    done = add(file, *office, "de=Probeamt", "--abbreviation", "U.Prv.", "--example", name)
    assert (done.exit_code, done.stdout, done.stderr) == (0, "", "")
    measure = ("measure", "it", "delibera.prova", "--label", "Delibera prova", "--titled")
    assert add(file, *measure, "--issuer", "ufficio.prova", "--from", "2001-01-01").exit_code == 0
    assert add(file, "fold", "de", "u", "--label", "ü").exit_code == 0
    assert add(file, "ordinal", "it", "3", "--label", "terzissimo").exit_code == 0
    known, findings = open_registry(file)
    assert findings == ()
    (found,) = known.law("it").authorities.find("Probeamt")
    assert (found.notation, found.examples) == ("ufficio.prova", (name,))
    (found,) = known.law("it").measures.find("DELIBERA PROVA")
    assert (found.issuer, found.titled, found.valid_from) == ("ufficio.prova", True, "2001-01-01")
    assert known.words("de").folds["ü"] == "u"
    assert known.words("it").ordinals["terzissimo"] == 3
    assert run("show", "it", "--registry", file, "--find", "uprv").exit_code == 0


def test_what_is_added_twice_changes_nothing_and_a_rename_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    office = ("authority", "it", "ufficio.prova", "--label", "Ufficio prova")
    add(file, *office)
    before = file.read_bytes()
    assert add(file, *office).exit_code == 0
    done = add(file, "authority", "it", "altro.prova", "--label", "x", "--id", "ufficio.prova")
    assert done.exit_code == 1
    assert "LX909" in done.stderr
    assert file.read_bytes() == before


def test_two_entries_share_a_notation_by_their_ids(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    add(file, "measure", "it", "decreto", "--label", "decreto prova", "--id", "decreto.prova")
    known, findings = open_registry(file)
    assert findings == ()
    assert [each.notation for each in known.law("it").measures.find("Decreto prova")] == ["decreto"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("authorities", "it", "x", "--label", "X"),
        ("authority", "../it", "x", "--label", "X"),
        ("authority", "it", "x", "--label", "X", "--source", "here"),
        ("authority", "it", "x", "--label", "X", "--source", "https://law.example/> ."),
        ("unit", "it", "x", "--label", "X", "--broader", "a b"),
        ("authority", "it"),
    ],
)
def test_wrong_usage_writes_nothing(arguments: tuple[str, ...], tmp_path: Path) -> None:
    assert run("add", "--registry", tmp_path / "own.ttl", *arguments).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    done = add(tmp_path / "none" / "own.ttl", "authority", "it", "x.prova", "--label", "Xprova")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "none" in done.stderr
