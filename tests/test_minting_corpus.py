"""Names minted from the metadata of real documents, against the names that they were given."""

from __future__ import annotations

import csv
import html
import os
from pathlib import Path

import pytest

import lexurn
from lexurn.manifest import read_fields
from lexurn.minting import try_mint

CORPUS = os.environ.get("LEXURN_CORPUS")
pytestmark = pytest.mark.skipif(CORPUS is None, reason="LEXURN_CORPUS does not name the corpora")

MAP = """
separator = "\\t"
ignore = ["path", "tipo", "urn", "n_urns", "versions", "pubblicazione", "entrata", "n_events", "n_rel"]
[columns]
emanante = "authority"
tipoDoc = "measure"
dataDoc = "date"
numDoc = "number"
titolo = "title"
[constants]
jurisdiction = "it"
"""


def _rows(file: str, delimiter: str) -> list[dict[str, str]]:
    with (Path(str(CORPUS)) / file).open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter=delimiter))


def test_italian_acts_get_the_names_that_their_institute_gave_them(tmp_path: Path) -> None:
    mapping = tmp_path / "map.toml"
    mapping.write_text(MAP, encoding="utf-8")
    table = Path(str(CORPUS)) / "nir_documents.tsv"
    given = [row["urn"] for row in _rows(table.name, "\t")]
    minted = [try_mint(row.fields or {}) for row in read_fields(table, mapping=mapping, format="csv")]
    wanted = [lexurn.convert(name, source="nir").name for name in given]
    equal = sum(
        answer.name is not None and answer.name == name
        for answer, name in zip(minted, wanted, strict=True)
    )
    assert equal >= 0.99 * len(given)
    wrong = [str(a) for a, w in zip(minted, wanted, strict=True) if a.valid and a.name != w]
    assert len(wrong) <= 3


def test_titles_of_the_brazilian_portal_give_the_names_that_they_state() -> None:
    rows = _rows("lexml_portal.csv", ",")
    stated, agreeing = 0, 0
    for row in rows:
        name = lexurn.parse(row["urn"])
        prefix = row["urn"].split(":")
        minted = try_mint(
            {
                "jurisdiction": prefix[2],
                "authority": prefix[3].replace(".", " "),
                "citation": html.unescape(row["title"]),
                "date_order": "dmy",
            }
        )
        if minted.name is not None:
            stated += 1
            agreeing += minted.name == name
    assert stated >= 200
    assert agreeing >= 0.95 * stated
