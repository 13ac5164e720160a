"""Tables of publishers: an edited mapping of ten lines gives the right names, and no wrong one."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

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
