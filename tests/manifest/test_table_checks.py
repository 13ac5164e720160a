"""Checks of the whole table: names that are well made and probably wrong."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.findings import Finding, load_codes
from lexurn.manifest import open_manifest
from lexurn.manifest.table_checks import TABLE_CHECKS, find_exchanged_days

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases/table_checks.jsonl").read_text().splitlines()
]
CORPUS = Path(os.environ.get("LEXURN_CORPUS", "missing"))
CONSTANTS = {"jurisdiction": "it", "authority": "stato", "measure": "legge"}


@pytest.mark.parametrize("case", CASES, ids=[each["case"] for each in CASES])
def test_rows_are_held_back(case: dict[str, Any], tmp_path: Path) -> None:
    mapping = tmp_path / "columns.toml"
    text = case.get("mapping", "")
    columns = case["header"].split(",")
    is_whole = bool({"[templates]", "[constants]"} & {*text.splitlines()})
    if not is_whole and not {"urn", "citation"} & {*columns}:
        text += "[constants]\n" + "".join(
            f'{key} = "{value}"\n' for key, value in CONSTANTS.items() if key not in columns
        )
    mapping.write_text(text, encoding="utf-8")
    table = io.BytesIO("\n".join([case["header"], *case["rows"]]).encode())
    findings: list[Finding] = []
    with open_manifest(
        table, mapping=mapping, as_of="2026-11-27", on_finding=findings.append
    ) as manifest:
        families = list(manifest.families())
    held = {str(each.line): each.code for each in findings if each.is_error}
    for each in findings:
        if each.code == "LX542":
            assert each.suggestion == "-".join(each.text.split("-")[at] for at in (0, 2, 1))
    assert held == case["held"]
    assert manifest.rejected == len(held)
    assert sum(len(each.records) for each in families) >= len(case["rows"]) - len(held)
    table.seek(0)
    with open_manifest(table, mapping=mapping, as_of="2026-11-27", keeps_fields=True) as manifest:
        rows = list(manifest.field_rows())
    refused = {str(row.line): row.findings[0].code for row in rows if row.fields is None}
    assert (len(rows), refused) == (len(case["rows"]), held)


def test_every_check_has_a_code_and_a_case() -> None:
    assert {load_codes()[code].rule for code in TABLE_CHECKS} == {
        "lexurn: checks of the whole table"
    }
    met = {code for case in CASES for code in case["held"].values()}
    assert met >= {*TABLE_CHECKS}


@pytest.mark.skipif(not CORPUS.is_dir(), reason="LEXURN_CORPUS does not name the corpus")
def test_a_real_table_with_days_exchanged() -> None:
    """Hold back 47 of the 107 ordinances that have a number, all of them wrong, and no other."""
    file = CORPUS / "tables/bd-ordinances.csv"
    rows = []
    with file.open(encoding="utf-8-sig") as stream:
        for row in csv.DictReader(stream):
            number = re.search(r"(?:No\.?-?|Ordinance-)0?(\d+)-?(?:of)?-20", row["pdf_url"])
            uploaded = re.search(r"act/([0-9-]{10})-", row["pdf_url"])
            if number is not None and uploaded is not None:
                rows.append((row["enactment_date"], number[1], uploaded[1]))
    table = ["jurisdiction,authority,measure,date,number,published"]
    table += [f"bd,president,ordinance,{','.join(row)}" for row in rows]
    source = io.BytesIO("\n".join(table).encode())
    findings: list[Finding] = []
    with open_manifest(source, as_of="2026-11-27", on_finding=findings.append) as manifest:
        list(manifest.families())
    held = {each.line for each in findings if each.code in {"LX542", "LX549"}}
    for line, (enacted, _, uploaded_on) in enumerate(rows, 2):
        delay = dt.date.fromisoformat(uploaded_on) - dt.date.fromisoformat(enacted)
        assert (dt.timedelta() <= delay <= dt.timedelta(days=30)) == (line not in held)
    assert (len(rows), len(held), manifest.rejected) == (107, 47, 47)


DAYS = st.lists(
    st.dates(min_value=dt.date(2003, 1, 1), max_value=dt.date(2003, 12, 31)),
    max_size=60,
)


@given(DAYS)
def test_days_in_order_are_never_held_back(days: list[dt.date]) -> None:
    assert find_exchanged_days(sorted(day.isoformat() for day in days)) == {}


def test_a_contradiction_of_titles_names_the_code_that_accepts_it(tmp_path: Path) -> None:
    act = "urn:lex:it:stato:legge:2003-09-21;456"
    (tmp_path / "m.toml").write_text("distinct = true\n", encoding="utf-8")
    found: list[Finding] = []
    source = io.BytesIO(
        f"urn,title@it,issued\n{act},Norme,2003-09-21\n{act},Regole,\n{act},,2003-09-22\n".encode()
    )
    with open_manifest(source, mapping=tmp_path / "m.toml", on_finding=found.append) as manifest:
        list(manifest.families())
    assert [(each.line, each.code) for each in found] == [(3, "LX529"), (4, "LX529")]
    accepted = ['accept = ["LX547"]' in each.message for each in found]
    assert accepted == [True, False]
