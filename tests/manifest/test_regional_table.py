"""Messy table of a region: semicolons, Latin-1, HTML, type and number in one cell, own words."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from lexurn.cli import main
from lexurn.errors import ManifestError
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.findings import Finding

KINDS = {"L.R.": "legge", "Reg. reg.": "regolamento", "D.P.G.R.": "decreto"}
MAPPING = r"""
encoding = "latin-1"
separator = ";"
language = "it"
date_order = "dmy"
two_digit_years = 1970
titles = "html"
distinct = true
ignore = ["id", "allegato"]
[columns]
del = "date"
titolo = "title"
"data B.U.R." = "published"
stato = "force"
[patterns]
atto = '(?P<measure>L\.R\.|Reg\. reg\.|D\.P\.G\.R\.) n[.°] ?(?P<number>\d+)(?:/\d+)?$'
[values]
measure = { "L.R." = "Legge", "Reg. reg." = "Regolamento", "D.P.G.R." = "Decreto" }
force = { vigente = "in-force", "abrogato" = "repealed", "n.d." = "" }
[constants]
jurisdiction = "it"
authority = "Regione Toscana"
"""


def make_table() -> tuple[bytes, list[str]]:
    """Make the table of 230 rows, and the names of those that can be decided."""
    lines, names = ["id;atto;del;titolo;data B.U.R.;stato;allegato"], []
    for number in range(1, 75):
        day = dt.date(1998, 1, 7) + dt.timedelta(days=30 * number)
        for kind, (short, measure) in enumerate(KINDS.items()):
            date = f"{day:%d/%m/%Y}" if number % 2 else f"{day.day}.{day.month}.{day:%Y} 00:00:00"
            mark = "n. " if number % 3 else "n°"
            year = f"/{day.year}" if kind else ""
            title = f"<p>Attivit&agrave; <b>n.{number}</b><br>delle  citt\u00e0 {kind}</p>"
            published = f"{day + dt.timedelta(days=9):%d/%m/%y}"
            force = ("vigente", "abrogato", "n.d.", "")[number % 4]
            act = f"{len(lines)};{short} {mark}{number}{year};{date}"
            lines.append(f'{act};"{title}";{published};{force};x')
            names.append(f"urn:lex:it:regione.toscana:{measure}:{day};{number}")
    lines.append(lines[1])  # once more for a second annex
    lines += [
        "224;L.R. senza numero;07/01/2003;Legge;;;",
        "225;Delibera n. 5;07/01/2003;Delibera;;;",
        "226;L.R. n. 99;31/02/2003;Legge;;;",
        "227;L.R. n. 98;;Legge;;;",
        '228;L.R. n. 97;07/01/2003;Legge "a;;;',
        "229;L.R. n. 96;07/01/2003;Legge;;sospeso;",
        "230;L.R. n. 95;07/01/2003;Legge",
    ]
    return "\r\n".join(lines).encode("latin-1"), sorted(names)


def test_all_rows_that_can_be_decided_have_their_names(tmp_path: Path) -> None:
    data, names = make_table()
    table, mapping = tmp_path / "atti.csv", tmp_path / "columns.toml"
    table.write_bytes(data)
    mapping.write_text(MAPPING, encoding="utf-8")
    findings: list[Finding] = []
    with open_manifest(table, mapping=mapping, on_finding=findings.append) as manifest:
        records = [family.records[0] for family in manifest.families()]
        assert (manifest.rows, manifest.rejected) == (230, 7)
    assert sorted(str(record.name) for record in records) == names
    assert records[0].titles[0].value == "Attività n.1 delle città 2"
    assert all(record.published is not None for record in records)
    codes = Counter(found.code for found in findings if found.severity == "error")
    assert codes == {"LX528": 2, "LX744": 1, "LX702": 1, "LX505": 1, "LX527": 1, "LX506": 1}


def test_the_summary_is_one_screen(tmp_path: Path) -> None:
    table, mapping = tmp_path / "atti.csv", tmp_path / "columns.toml"
    table.write_bytes(make_table()[0])
    mapping.write_text(MAPPING, encoding="utf-8")
    done = CliRunner().invoke(main, ["validate", str(table), "--map", str(mapping)])
    assert "7 of 230 rows rejected" in done.stderr
    assert len(done.stderr.splitlines()) <= 30


STEPS = {
    "nothing": ("", 'seems to be ";"; write separator = ";" in .*columns.toml'),
    "the separator": ('separator = ";"', 'unknown columns "id", "atto"'),
}


@pytest.mark.parametrize(("toml", "said"), STEPS.values(), ids=STEPS)
def test_each_step_on_the_way_is_explained(tmp_path: Path, toml: str, said: str) -> None:
    (tmp_path / "atti.csv").write_bytes(make_table()[0])
    (tmp_path / "columns.toml").write_text(toml, encoding="utf-8")
    with pytest.raises(ManifestError, match=said):
        open_manifest(tmp_path / "atti.csv", mapping=tmp_path / "columns.toml")


def test_rows_in_another_encoding_have_one_finding_each(tmp_path: Path) -> None:
    (tmp_path / "atti.csv").write_bytes(make_table()[0])
    mapping = MAPPING.replace('encoding = "latin-1"\n', "")
    (tmp_path / "columns.toml").write_text(mapping, encoding="utf-8")
    findings: list[Finding] = []
    with open_manifest(
        tmp_path / "atti.csv", mapping=tmp_path / "columns.toml", on_finding=findings.append
    ) as manifest:
        list(manifest.families())
    wrong = [found for found in findings if found.code == "LX501"]
    assert len({found.line for found in wrong}) == len(wrong) > 200
    assert 'encoding = "cp1252" for Windows-1252' in wrong[0].message
