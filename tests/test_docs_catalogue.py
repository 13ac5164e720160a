"""Every example in the walk through the catalogue runs and prints what it says."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import lexurn

TOP = Path(__file__).parents[1]
WALK = TOP / "docs" / "catalogue.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A command is continued on lines that begin with >.
COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
PORTAL, NIR = "lexml_portal.csv", "nir_documents.tsv"
LOADED = re.compile(r"(\S+) names of (\S+) works into \S+: (\S+) added, 0 replaced, 0 unchanged")


def blocks(language: str) -> list[str]:
    if not WALK.is_file():
        pytest.skip("no documents beside the tests (the lane of the bare wheel)")
    text = WALK.read_text(encoding="utf-8")
    return [match[2] for match in FENCE.finditer(text) if match[1] == language]


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    """An environment in which `lexurn` is this lexurn, and a folder with the examples."""
    (tmp_path / "examples").symlink_to(TOP / "examples")
    script = tmp_path / "bin" / "lexurn"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m lexurn "$@"\n')
    script.chmod(0o755)
    source = str(Path(lexurn.__path__[0]).parent)
    path = f"{script.parent}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": source, "NO_COLOR": "1"}


def done(command: str, folder: Path, environment: dict[str, str]) -> str:
    """What a command prints, on either stream."""
    return subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


def test_commands(tmp_path: Path, shell: dict[str, str]) -> None:
    checker = doctest.OutputChecker()
    sessions = "".join(blocks("console"))
    commands = COMMAND.findall(sessions)
    assert len(commands) > 20
    for lines, expected in commands:
        command = lines.strip().replace("\n> ", "\n")
        printed = done(command, tmp_path, shell)
        assert checker.check_output(expected, printed, FLAGS), f"$ {command}\n{printed}"


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(TOP / "examples")
    monkeypatch.chdir(tmp_path)
    text = "\n".join(blocks("python"))
    assert ">>>" in text
    told: list[str] = []
    runner = doctest.DocTestRunner(optionflags=FLAGS)
    test = doctest.DocTestParser().get_doctest(text, {}, "catalogue", str(WALK), 0)
    runner.run(test, out=told.append)
    assert runner.failures == 0, "".join(told)


@pytest.mark.skipif("LEXURN_CORPUS" not in os.environ, reason="no corpus of real names here")
def test_the_walk_on_real_tables(tmp_path: Path, shell: dict[str, str]) -> None:
    """The same commands on the tables that the examples are shaped after."""
    corpus = Path(os.environ["LEXURN_CORPUS"])
    for table, mapping, dialect in ((PORTAL, "portal", "lexml"), (NIR, "nir", "nir")):
        (tmp_path / table).write_bytes((corpus / table).read_bytes())
        options = f"--map examples/{mapping}.toml --dialect {dialect} --catalogue law"
        rows = len((corpus / table).read_text("utf-8").splitlines()) - 1
        printed = done(f"lexurn catalogue load {table} {options} 2> {mapping}.txt", tmp_path, shell)
        loaded = LOADED.match(printed)
        assert loaded is not None, printed
        rejected = re.search(
            r"^(\d+) of \d+ rows rejected",
            (tmp_path / f"{mapping}.txt").read_text("utf-8"),
            re.MULTILINE,
        )
        lost = int(rejected[1]) if rejected else 0
        assert lost <= 1
        assert int(loaded[1]) >= rows - lost
        again = done(f"lexurn catalogue load {table} {options} 2> {mapping}.txt", tmp_path, shell)
        assert f"0 added, 0 replaced, {loaded[2]} unchanged" in again
    asked = "lexurn resolve {} --catalogue law | head -n 2"
    name = "urn:nir:consiglio.nazionale.ricerche:circolare:2001-07-04;16"
    printed = done(asked.format(f"'{name}'"), tmp_path, shell)
    assert printed.startswith("urn:lex:it:consiglio.nazionale.ricerche:circolare:2001-07-04;16\n")
    assert "match      dialect" in printed
    printed = done(asked.format("'urn:lex:br:federal:decreto:1983;88821'"), tmp_path, shell)
    assert printed.startswith("urn:lex:br:federal:decreto:1983-10-06;88821\n")
