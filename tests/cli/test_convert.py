"""``lexurn convert`` as a user has it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from lexurn import pages
from lexurn.cli import main
from lexurn.cli.shared import DIALECTS, LANGUAGES
from lexurn.dialect import Dialect

if TYPE_CHECKING:
    from pathlib import Path

NIR = "urn:nir:stato:legge:2001-02-03;7#art2-com3"
LEX = "urn:lex:it:stato:legge:2001-02-03;7~art2;com3"


def run(*arguments: str, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(main, ["convert", *arguments], input=stdin)


def test_the_name_stands_alone_on_standard_output() -> None:
    done = run(NIR)
    assert done.exit_code == 0
    assert done.stdout == f"{LEX}\n"


def test_each_change_is_said_with_its_place_and_its_loss() -> None:
    lines = run(NIR).stderr.splitlines()
    heads, shown, carets = lines[::3], lines[1::3], lines[2::3]
    assert [head.split(":")[0] for head in heads] == ["note LX801", "warning LX804", "note LX805"]
    assert 'lost: the sign "#"' in heads[1]
    pointed = [
        line[mark.index("^") : mark.rindex("^") + 1]
        for line, mark in zip(shown, carets, strict=True)
    ]
    assert pointed == ["urn:nir:", "#art2-com3", "art2-com3"]


def test_a_broken_name_is_said_and_not_written() -> None:
    done = run("urn:nir:stato:legge:2001-02-03;None", NIR)
    assert done.exit_code == 1
    assert done.stdout == f"{LEX}\n"
    assert done.stderr.startswith("error LX882: ")


def test_to_a_dialect_and_from_one() -> None:
    assert run("--to", "nir", LEX).stdout == "urn:nir:stato:legge:2001-02-03;7~art2-com3\n"
    given = "urn:lex:br:federal:lei:2011-03-04;5!art1_par2"
    there = run("--from", "lexml", given).stdout.strip()
    assert run("--from", "rfc9676", "--to", "lexml", there).stdout.strip() == given


def test_what_cannot_be_said_in_a_dialect_is_an_error() -> None:
    done = run("--to", "nir", "urn:lex:fr:etat:loi:2004-05-15;106")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "error LX887" in done.stderr


def test_jsonl_answers_each_line_in_order() -> None:
    done = run("--format", "jsonl", "-", stdin=f"{NIR}\n\nbad\xff\n{LEX}\n".encode("latin-1"))
    objects = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["standing"] for each in objects] == ["repairable", "broken", "broken", "valid"]
    assert objects[0]["written"] == LEX
    assert objects[2]["input"] == "bad\udcff"
    assert done.exit_code == 1
    assert done.stderr == ""


def test_the_table_counts_standings_and_rules() -> None:
    names = (LEX, NIR, f"{NIR}-letb", "urn:lex:it:stato:legge:2001;7", "bad")
    done = run("--format", "table", *names)
    lines = [line.split() for line in done.stdout.splitlines()]
    counted = {" ".join(line[2:]): line[0] for line in lines[:4]}
    assert counted == {
        "valid": "1", "valid by accident": "1", "repairable": "2", "broken": "1",
    }  # fmt: skip
    assert lines[4] == ["5", "names"]
    rules = {line[1]: line[0] for line in lines[5:]}
    assert rules == {"LX801": "2", "LX804": "2", "LX805": "2", "LX851": "1", "LX872": "1"}
    assert done.exit_code == 1


def test_the_table_of_nothing() -> None:
    done = run("--format", "table", "-", stdin=b"")
    assert done.exit_code == 0
    assert done.stdout.splitlines()[4].split() == ["0", "names"]


def test_the_table_explains_errors_of_the_parser() -> None:
    done = run("--format", "table", "--from", "rfc9676", "urn:lex:it:stato:legge:2001-2-3;7")
    assert "LX214  error: " in done.stdout


@pytest.mark.parametrize("arguments", [("--from", "akoma", NIR), ("--to", "auto", NIR), ()])
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    assert run(*arguments).exit_code == 2


def test_a_registry_that_is_not_there(tmp_path: Path) -> None:
    done = run("--registry", str(tmp_path / "none.ttl"), NIR)
    assert done.exit_code == 1
    assert "none.ttl" in done.stderr


def test_a_name_in_a_dialect_is_described_with_its_spelling() -> None:
    text = "urn:nir:stato:legge:1990-08-07;241#art2-com3"
    done = CliRunner().invoke(main, ("describe", "--dialect", "nir", text, "--format", "ntriples"))
    assert done.exit_code == 0
    assert f'ns#dialectName> "{text}"' in done.stdout
    assert "<urn:lex:it:stato:legge:1990-08-07;241~art2;com3>" in done.stdout
    broken = CliRunner().invoke(main, ("describe", "--dialect", "nir", "urn:nir:stato:legge"))
    assert broken.exit_code == 1


def test_options_name_all_dialects() -> None:
    assert set(DIALECTS) == {dialect.value for dialect in Dialect}
    assert LANGUAGES == pages.LANGUAGES
