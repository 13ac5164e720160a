"""Every example in the walk through the catalogue runs and prints what it says."""

from __future__ import annotations

import csv
import doctest
import json
import os
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import lexurn

TOP = Path(__file__).parents[2]
WALK = TOP / "docs" / "catalogue.md"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# A command is continued on lines that begin with >.
COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
PORTAL, NIR = "lexml_portal.csv", "nir_documents.tsv"
LOADED = re.compile(r"(\S+) names of (\S+) works into \S+: (\S+) added, 0 replaced, 0 unchanged")
REJECTED = re.compile(r"^(\d+) of \d+ rows rejected", re.MULTILINE)


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
    """The same commands on the tables that the examples are shaped after: each name is found."""
    corpus = Path(os.environ["LEXURN_CORPUS"])
    rejected = 0
    for table, mapping, dialect in ((PORTAL, "portal", "lexml"), (NIR, "nir", "nir")):
        (tmp_path / table).write_bytes((corpus / table).read_bytes())
        command = (
            f"lexurn catalogue load {table} --map examples/{mapping}.toml --dialect {dialect} "
            "--catalogue law 2> notes.txt"
        )
        loaded = LOADED.match(done(command, tmp_path, shell))
        assert loaded is not None
        rejected += sum(map(int, REJECTED.findall((tmp_path / "notes.txt").read_text("utf-8"))))
        assert f"0 added, 0 replaced, {loaded[2]} unchanged" in done(command, tmp_path, shell)
    assert rejected == 1  # a control character in a title
    names = [*urns(tmp_path / PORTAL, ","), *urns(tmp_path / NIR, "\t")]
    (tmp_path / "names.txt").write_text("\n".join(names), "utf-8")
    answers = done(
        "lexurn resolve - --format jsonl --catalogue law < names.txt 2> notes.txt", tmp_path, shell
    )
    matches = Counter(json.loads(line)["match"] for line in answers.splitlines())
    assert matches == Counter(exact=424, dialect=374, none=1)
    last = done("lexurn catalogue check --catalogue law | tail -n 1", tmp_path, shell)
    assert last.startswith("799 nodes checked")
    minted = done(
        "lexurn mint -j it --authority 'Regione Campania' --measure Legge --date 2004-12-20 "
        "--number 13 --catalogue law",
        tmp_path,
        shell,
    )
    assert "LX770: urn:lex:it:regione.campania:legge:2004-12-20;13 is already taken" in minted


def urns(table: Path, separator: str) -> list[str]:
    """The names of a table, as it has them."""
    with table.open(encoding="utf-8", newline="") as stream:
        return [row["urn"] for row in csv.DictReader(stream, delimiter=separator)]
