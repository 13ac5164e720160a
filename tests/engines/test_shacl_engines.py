"""Engines: each is used when asked for; pyshacl takes the place of an absent bulk engine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from lexurn.cli import main

if TYPE_CHECKING:
    from pathlib import Path

ACT = "urn:lex:it:stato:legge:2006-05-14;22"
TABLE = f"""urn,title,in_force_from,in_force_until,license
{ACT},Legge,,,https://law.example/licence
{ACT}@originale:it,Legge,2010-01-01,2009-01-01,
urn:lex:it:stato:legge:2006-05-15;23,,,,
"""
DAY = ("--as-of", "2024-07-01")
NOTE = (
    "note: The shapes are checked with pyshacl. The bulk engine is about 30 times faster: pip inst"
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "acts.csv"
    path.write_text(TABLE, encoding="utf-8")
    return path


def run(folder: Path, *arguments: str, absent: str = "") -> Result:
    """Run a command in a folder, with a package that cannot be imported."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        if absent:
            patch.setitem(sys.modules, absent, None)
        return CliRunner().invoke(main, arguments)


def test_validate_gives_the_same_without_the_bulk_engine(tmp_path: Path, table: Path) -> None:
    command = ("validate", str(table), *DAY, "--format", "turtle")
    bulk, slow = run(tmp_path, *command), run(tmp_path, *command, absent="shacl_rust")
    assert (bulk.exit_code, slow.exit_code) == (1, 1)
    assert "ForceOrder" in bulk.stdout
    assert slow.stdout == bulk.stdout
    assert slow.stderr.count(NOTE) == 1
    assert NOTE not in bulk.stderr


def test_publish_gives_the_same_without_the_bulk_engine(tmp_path: Path, table: Path) -> None:
    command = ("publish", str(table), *DAY, "--base", "https://law.example", "--force")
    bulk = run(tmp_path, *command, "--out", "bulk")
    slow = run(tmp_path, *command, "--out", "slow", absent="shacl_rust")
    assert (bulk.exit_code, slow.exit_code) == (0, 0)
    assert slow.stderr.count(NOTE) == 1
    assert NOTE not in bulk.stderr
    sites = [
        {path.relative_to(site): path.read_bytes() for path in site.rglob("*") if path.is_file()}
        for site in (tmp_path / "bulk", tmp_path / "slow")
    ]
    assert sites[0] == sites[1]
    assert b"ForceOrder" in (tmp_path / "slow" / "report.ttl").read_bytes()


def test_catalogue_check_gives_the_same_without_the_bulk_engine(
    tmp_path: Path, table: Path
) -> None:
    assert run(tmp_path, "catalogue", "load", str(table), "-c", "law", *DAY).exit_code == 0
    command = ("catalogue", "check", "-c", "law", "--format", "json")
    bulk, slow = run(tmp_path, *command), run(tmp_path, *command, absent="shacl_rust")
    assert (bulk.exit_code, slow.exit_code) == (1, 1)
    assert "ForceOrder" in bulk.stdout
    assert slow.stdout == bulk.stdout
    assert slow.stderr.count(NOTE) == 1


def test_load_with_a_check_takes_in_the_same(tmp_path: Path, table: Path) -> None:
    command = ("catalogue", "load", str(table), "--check", *DAY, "-c")
    bulk = run(tmp_path, *command, "bulk")
    slow = run(tmp_path, *command, "slow", absent="shacl_rust")
    assert bulk.exit_code == slow.exit_code == 1
    assert "1 refused" in bulk.stdout
    assert slow.stdout == bulk.stdout.replace("bulk", "slow")
    assert slow.stderr.count(NOTE) == 1


def test_the_bulk_engine_asked_for_and_absent_is_an_error(tmp_path: Path, table: Path) -> None:
    done = run(tmp_path, "validate", str(table), "--engine", "bulk", absent="shacl_rust")
    assert (done.exit_code, done.stdout) == (1, "")
    assert 'The bulk engine is not installed: pip install "lexurn[bulk]"' in done.stderr


@pytest.mark.parametrize("kind", ["csv", "ttl"])
def test_the_reference_engine_asked_for_is_used(tmp_path: Path, table: Path, kind: str) -> None:
    file = table
    if kind == "ttl":
        file = tmp_path / "acts.ttl"
        described = run(tmp_path, "describe", "--manifest", str(table), "--format", "turtle")
        file.write_text(described.stdout, encoding="utf-8")
    command = ("validate", str(file), *DAY, "--engine", "reference")
    assert "not installed: pip install pyshacl" in run(tmp_path, *command, absent="pyshacl").stderr
    plain, alone = run(tmp_path, *command), run(tmp_path, *command, absent="shacl_rust")
    assert "The end of force is before its start." in plain.stdout
    assert (plain.stdout, plain.stderr) == (alone.stdout, alone.stderr)
    assert NOTE not in plain.stderr
