"""Every example in the walk through the catalogue runs and prints what it says."""

from __future__ import annotations

import csv
import json
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from doc_blocks import TOP, find_blocks, is_expected, make_shell, run_command, run_text

WALK = TOP / "docs" / "catalogue.md"
# A command is continued on lines that begin with >.
COMMAND = re.compile(r"^\$ (.*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", re.MULTILINE)
PORTAL, NIR = "lexml_portal.csv", "nir_documents.tsv"
LOADED = re.compile(r"(\S+) names of (\S+) works into \S+: (\S+) added, 0 replaced, 0 unchanged")
REJECTED = re.compile(r"^(\d+) of \d+ rows rejected", re.MULTILINE)


@pytest.fixture
def shell(tmp_path: Path) -> dict[str, str]:
    return make_shell(tmp_path)


def test_commands(tmp_path: Path, shell: dict[str, str]) -> None:
    commands = COMMAND.findall("".join(find_blocks(WALK, "console")))
    assert len(commands) > 20
    for lines, expected in commands:
        command = lines.strip().replace("\n> ", "\n")
        printed = run_command(command, tmp_path, shell)
        assert is_expected(expected, printed), f"$ {command}\n{printed}"


def test_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(TOP / "examples")
    monkeypatch.chdir(tmp_path)
    run_text("\n".join(find_blocks(WALK, "python")), WALK)


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
        loaded = LOADED.match(run_command(command, tmp_path, shell))
        assert loaded is not None
        rejected += sum(map(int, REJECTED.findall((tmp_path / "notes.txt").read_text("utf-8"))))
        again = run_command(command, tmp_path, shell)
        assert f"0 added, 0 replaced, {loaded[2]} unchanged" in again
    assert rejected == 1  # a control character in a title
    names = [*urns(tmp_path / PORTAL, ","), *urns(tmp_path / NIR, "\t")]
    (tmp_path / "names.txt").write_text("\n".join(names), "utf-8")
    answers = run_command(
        "lexurn resolve - --format jsonl --catalogue law < names.txt 2> notes.txt", tmp_path, shell
    )
    matches = Counter(json.loads(line)["match"] for line in answers.splitlines())
    assert matches == Counter(exact=424, dialect=374, none=1)
    last = run_command("lexurn catalogue check --catalogue law | tail -n 1", tmp_path, shell)
    assert last.startswith("799 nodes checked")
    minted = run_command(
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
