"""``lexurn resolve`` over a catalogue in a folder."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from lexurn.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

_ACTS = Path(__file__).parents[1] / "cases" / "resolve_acts.csv"
_ACT = "urn:lex:it:stato:legge:2003-09-21;456"
_OPTIONS = ("--dialect", "auto", "--jobs", "1", "--base", "https://law.example")
_URL = "https://parlamento.example/456/2012.html"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Result]:
    """Run the verb on a catalogue of the cases' acts."""
    place = tmp_path_factory.mktemp("catalogue") / "laws"
    made = CliRunner().invoke(
        main,
        ["catalogue", "load", str(_ACTS), "-c", str(place), *_OPTIONS],
    )
    assert made.exit_code == 0, made.output

    def resolved(*arguments: str, **more: str | bytes) -> Result:
        return CliRunner().invoke(main, ["resolve", "-c", str(place), *arguments], **more)  # type: ignore[arg-type]

    return resolved


def test_a_name_for_people(run: Callable[..., Result]) -> None:
    result = run(f"{_ACT}~art15;par3", "--date", "2026-01-01")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[0] == _ACT
    assert "exact, score 1" in result.stdout
    assert f"{_URL}#art15 " in result.stdout
    assert "LX954" in result.stdout
    force = "from 2012-06-30, the amendment date; no other date is stated"
    assert f"({force}; not known whether it is in force)" in result.stdout
    assert "https://law.example/lex/it/stato/legge/2003-09-21;456#art15;par3" in result.stdout


def test_urls_alone_and_how_they_match_beside_them(run: Callable[..., Result]) -> None:
    result = run("it:legge:2003;456", "--format", "urls")
    assert (result.exit_code, result.stdout) == (0, f"{_URL}\n")
    assert "partial" in result.stderr
    assert "LX950" in result.stderr


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "urls"])
def test_a_name_that_fits_several_acts_has_no_single_answer(
    run: Callable[..., Result], form: str
) -> None:
    result = run("urn:lex:it:stato:legge:2015;5", "--format", form)
    assert result.exit_code == 1
    told = result.stderr if form == "urls" else result.stdout
    assert "urn:lex:it:stato:legge:2015-01-15;5" in told
    assert "urn:lex:it:stato:legge:2015-06-16;5" in told


def test_copies_of_several_acts_are_not_mixed(run: Callable[..., Result]) -> None:
    result = run("urn:lex:it:stato:legge:2015;5", _ACT, "--format", "urls")
    assert (result.exit_code, result.stdout) == (1, f"{_URL}\n")
    assert "several: 2 match" in result.stderr
    assert result.stderr.count("LX950") == 2


def test_what_may_be_a_withdrawn_act_has_no_single_answer(run: Callable[..., Result]) -> None:
    result = run("urn:lex:br:federal:decreto:2010;87", "--format", "urls")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "LX945" in result.stderr


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("urn:lex:it:stato:legge:2003-09-21;457", "not found"),
        ("urn:lex:it:stato:legge:1950-01-01;99", "withdrawn"),
        ("legge sulle acque", "not found"),
        ("", "not found"),
    ],
)
def test_what_is_not_found(run: Callable[..., Result], name: str, word: str) -> None:
    result = run(name, "--format", "urls")
    assert (result.exit_code, result.stdout) == (1, "")
    assert word in result.stderr
    assert "LX9" in result.stderr


def test_names_on_standard_input_one_object_a_line(run: Callable[..., Result]) -> None:
    result = run("-", "--format", "jsonl", input=f"{_ACT}\nurn:lex:zz:a:b:2003;1\n")
    answers = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 1
    assert [each["match"] for each in answers] == ["exact", "none"]


@pytest.mark.parametrize("form", ["text", "json", "jsonl", "urls"])
def test_lines_that_are_no_utf_8_are_not_found_and_the_next_is(
    run: Callable[..., Result], form: str
) -> None:
    lines = f"{_ACT}\n".encode() + b"urn:lex:it:stato:legge:1990-08-07;999\xff\n" + _ACT.encode()
    result = run("-", "--format", form, input=lines)
    assert result.exit_code == 1
    assert not isinstance(result.exception, UnicodeError)
    assert result.stdout.count(_URL) >= 2
    if form in {"json", "jsonl"}:
        text = result.stdout if form == "json" else f"[{','.join(result.stdout.splitlines())}]"
        assert [each["match"] for each in json.loads(text)] == ["exact", "none", "exact"]
        assert "LX958" in result.stdout
    else:
        assert "not found" in result.stderr
        assert "LX958" in result.stderr


def test_json_is_one_array(run: Callable[..., Result]) -> None:
    result = run(_ACT, f"{_ACT}@originale:it", "--format", "json")
    names = [each["candidates"][0]["name"] for each in json.loads(result.stdout)]
    assert names == [_ACT, f"{_ACT}@originale:it"]
    assert json.loads(run("-", "--format", "json", input="").stdout) == []


def test_day_and_language(run: Callable[..., Result]) -> None:
    asked = ("urn:lex:ch:etat:loi:2006-05-14;22", "--format", "urls")
    result = run(*asked, "--date", "2007-01-01", "--language", "DE")
    assert result.stdout == "https://bund.example/22/original.de.html\n"
    assert run(*asked, "--date", "1999-01-01").stdout == ""


def test_a_version_is_in_force_where_the_next_one_is_withdrawn(run: Callable[..., Result]) -> None:
    result = run("urn:lex:br:federal:decreto:2010-01-01;81", "--date", "2021-01-01")
    assert result.exit_code == 0
    assert "decreto:2010-01-01;81@original:pt" in result.stdout
    assert "2015" not in result.stdout


def test_the_base_of_the_catalogue(run: Callable[..., Result]) -> None:
    result = run("https://law.example/lex/it/stato/legge/2003-09-21;456", "--format", "urls")
    assert result.stdout == f"{_URL}\n"


def test_dialects_may_be_refused(run: Callable[..., Result]) -> None:
    asked = ("urn:nir:stato:legge:2003-09-21;456", "--format", "urls", "--dialect")
    assert run(*asked, "auto").exit_code == 0
    assert run(*asked, "rfc9676").exit_code == 1


def test_a_registry_of_ones_own(run: Callable[..., Result], tmp_path: Path) -> None:
    file = tmp_path / "own.ttl"
    file.write_text(
        "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
        "<https://w3id.org/lexurn/registry/it/measures/legge-acque> a skos:Concept ;\n"
        "  skos:inScheme <https://w3id.org/lexurn/registry/it/measures> ;\n"
        '  skos:notation "legge" ; skos:prefLabel "legge delle acque"@it ;\n'
        '  skos:altLabel "acquae"@it .\n',
        encoding="utf-8",
    )
    asked = ("urn:lex:it:stato:acquae:2003-09-21;456", "--format", "urls")
    assert run(*asked).exit_code == 1
    result = run(*asked, "--registry", str(file))
    assert (result.exit_code, result.stdout) == (0, f"{_URL}\n"), result.stderr


@pytest.mark.parametrize(
    "wrong", [["--date", "yesterday"], ["--language", "d e"], ["--dialect", "x"]]
)
def test_wrong_usage(run: Callable[..., Result], wrong: list[str]) -> None:
    assert run(_ACT, *wrong).exit_code == 2


def test_there_is_no_catalogue(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["resolve", "-c", str(tmp_path / "none"), _ACT])
    assert result.exit_code == 1
    assert "Traceback" not in result.output


def test_nothing_in_a_name_steers_the_terminal(run: Callable[..., Result]) -> None:
    result = run("urn:lex:it:\x1b[31mred", "--format", "text")
    assert "\x1b[31m" not in result.output
