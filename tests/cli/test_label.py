"""``lexurn label`` as a user has it: arguments in, text and exit code out."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from click.testing import CliRunner, Result

from lexurn.cli import main

if TYPE_CHECKING:
    from pathlib import Path

ACT = "urn:lex:it:stato:legge:2003-09-21;456"


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["label", *arguments], input=stdin)


def test_a_name_in_words() -> None:
    done = run(f"{ACT}~art3;par2", "--lang", "it")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == "Legge 21 settembre 2003, n. 456, articolo 3, comma 2\n"


def test_names_on_standard_input_in_their_order() -> None:
    done = run("-", stdin=f"{ACT}\nurn:lex:fr:etat:loi:2004-05-15;106\n".encode())
    assert done.exit_code == 0
    assert done.stdout.splitlines() == [
        "Legge 21 settembre 2003, n. 456",
        "Loi n° 106 du 15 mai 2004",
    ]


def test_what_has_no_words_is_said_on_standard_error() -> None:
    done = run("urn:lex:it:ente.ignoto:legge:2003-09-21;456", "--lang", "xx")
    assert done.exit_code == 0
    assert done.stdout == "Ente Ignoto, Legge 21 settembre 2003, n. 456\n"
    assert 'note LX790: the registry has no words of "xx"' in done.stderr
    assert 'note LX791: "ente ignoto" is not registered' in done.stderr


def test_what_is_no_name_is_exit_code_1() -> None:
    done = run("urn:lex:it:stato:legge", ACT)
    assert done.exit_code == 1
    assert done.stdout == "Legge 21 settembre 2003, n. 456\n"
    assert "error LX201" in done.stderr


def test_json_lines() -> None:
    done = run("-", "--format", "jsonl", "--lang", "de", stdin=f"{ACT}\nx\n".encode())
    assert done.exit_code == 1
    good, bad = map(json.loads, done.stdout.splitlines())
    assert good["input"] == good["name"] == ACT
    assert (good["label"], good["language"]) == ("Legge vom 21. September 2003, Nr. 456", "de")
    assert [found["code"] for found in good["findings"]] == ["LX792"]
    assert (bad["input"], bad["name"], bad["label"], bad["language"]) == ("x", None, None, None)
    assert bad["findings"][0]["severity"] == "error"


def test_a_registry_with_an_error_leaves_the_built_in_one(tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text("this is not Turtle", encoding="utf-8")
    done = run(ACT, "--registry", str(file))
    assert done.exit_code == 1
    assert done.stdout == "Legge 21 settembre 2003, n. 456\n"
    assert "LX9" in done.stderr


def test_a_name_is_needed() -> None:
    assert run().exit_code == 2
