"""Tables of publishers: an edited mapping of ten lines gives the right names, and no wrong one."""

from __future__ import annotations

import gzip
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from lexurn.cli import main
from lexurn.manifest import open_manifest, open_rows

CORPUS = Path(os.environ.get("LEXURN_CORPUS", ".")) / "tables"
INDEX = CORPUS / "index.jsonl"
TABLES = (
    [json.loads(line) for line in INDEX.read_text(encoding="utf-8").splitlines()]
    if INDEX.is_file()
    else []
)
MAPPINGS = Path(__file__).parent / "mappings"


def make_comparable(name: str, table: dict[str, Any]) -> str:
    """Leave the issuer out where the index does: its words are those of the mapping."""
    parts = name.split(":")
    if table["compare"] == "all but the issuer, which the table does not say in full":
        del parts[3]
    return ":".join(parts)


@pytest.mark.skipif(not TABLES, reason="LEXURN_CORPUS has no tables")
@pytest.mark.parametrize("table", TABLES, ids=[table["file"] for table in TABLES])
def test_tables_of_publishers_give_the_names_that_they_mean(
    tmp_path: Path, table: dict[str, Any]
) -> None:
    file = CORPUS / table["file"]
    mapping = MAPPINGS / f"{file.stem}.toml"
    assert len(mapping.read_text(encoding="utf-8").splitlines()) <= 11
    with open_rows(file, mapping) as opened:
        lines = [line for line, _ in opened.rows]
    names: dict[str, int] = {}
    with open_manifest(
        file, mapping=mapping, rejects=tmp_path / "rejects.csv", as_of="2026-11-27"
    ) as manifest:
        for family in manifest.families():
            for record in family.records:
                if record.source is not None:
                    names[make_comparable(str(record.name), table)] = record.source.line
        rows = manifest.rows
    of_lines = {line: name for name, line in names.items()}
    assert rows == len(lines)
    for expected in table["expected"]:
        name, line = expected["name"], lines[expected["record"] - 1]
        if name is None:
            assert line not in of_lines, expected["why"]
        else:
            found = of_lines.get(line)
            assert make_comparable(name, table) in names, (expected["record"], found)


def test_each_mapping_belongs_to_a_table() -> None:
    files = {Path(table["file"]).stem for table in TABLES}
    assert not TABLES or files == {path.stem for path in MAPPINGS.glob("*.toml")}


@pytest.mark.skipif(not TABLES, reason="LEXURN_CORPUS has no tables")
@pytest.mark.parametrize("table", TABLES, ids=[table["file"] for table in TABLES])
def test_mint_and_publish_read_alike(tmp_path: Path, table: dict[str, Any]) -> None:
    file = CORPUS / table["file"]
    names: list[set[str]] = []
    findings: list[list[tuple[str, int, str]]] = []
    rejects: list[bytes | None] = []
    site = ("--out", str(tmp_path / "site"), "--base", "https://law.example", "--force")
    for command, *options in (("mint",), ("publish", *site)):
        found, rejected = tmp_path / f"{command}.jsonl", tmp_path / f"{command}.rejects"
        files = ("--findings", str(found), "--rejects", str(rejected))
        mapping = str(MAPPINGS / f"{file.stem}.toml")
        done = CliRunner().invoke(main, [command, str(file), "--map", mapping, *files, *options])
        assert done.exit_code in {0, 1, 3}, done.stderr
        names.append({*done.stdout.split()})
        lines = map(json.loads, found.read_text(encoding="utf-8").splitlines())
        findings.append(sorted((each["code"], each["line"], each["message"]) for each in lines))
        reasons = rejected.with_name(f"{command}.reasons.csv")
        rejects.append(rejected.read_bytes() + reasons.read_bytes() if rejected.exists() else None)
    quads = gzip.decompress((tmp_path / "site/catalogue.nq.gz").read_bytes()).decode()
    names[1] = {*re.findall(r'<http://purl.org/dc/terms/identifier> "(urn:[^"]+)"', quads)}
    for minted, published in (names, findings, rejects):
        assert minted == published
