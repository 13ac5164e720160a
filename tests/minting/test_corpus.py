"""Names minted from the metadata of real documents, against the names that they were given."""

from __future__ import annotations

import csv
import html
import os
import re
from pathlib import Path

import pytest

import lexurn
from lexurn.manifest import read_fields
from lexurn.minting import Minted, try_mint

CORPUS = os.environ.get("LEXURN_CORPUS")
pytestmark = pytest.mark.skipif(CORPUS is None, reason="LEXURN_CORPUS does not name the corpora")

MAP = """
separator = "\\t"
ignore = [
  "path", "tipo", "urn", "n_urns", "versions", "pubblicazione", "entrata", "n_events", "n_rel"
]
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
    read = list(read_fields(table, mapping=mapping, format="csv"))
    # The title of one row has a control character.
    assert sum(row.fields is None for row in read) == 1
    minted = [try_mint(row.fields or {}) for row in read]
    wanted = [lexurn.convert(name, source="nir").name for name in given]
    equal = sum(
        answer.name is not None and answer.name == name
        for answer, name in zip(minted, wanted, strict=True)
    )
    assert equal >= 0.99 * (len(given) - 1)
    wrong = [str(a) for a, w in zip(minted, wanted, strict=True) if a.valid and a.name != w]
    assert len(wrong) <= 3


def _minted(row: dict[str, str], *, with_issuer: bool) -> Minted:
    """The answer to a title alone, or to a title and whose act it is."""
    fields: dict[str, object] = {
        "jurisdiction": "br",
        "citation": html.unescape(row["title"]),
        "date_order": "dmy",
    }
    if with_issuer:
        _, _, jurisdiction, authority, _ = row["urn"].split(":", 4)
        fields |= {"jurisdiction": jurisdiction, "authority": authority}
    return try_mint(fields)


def test_titles_of_the_brazilian_portal_give_the_names_that_they_state() -> None:
    """A title states date and number, but mostly not which city or state it is of."""
    rows = _rows("lexml_portal.csv", ",")
    answers = [_minted(row, with_issuer=True).name for row in rows]
    wanted = [lexurn.parse(row["urn"]) for row in rows]
    minted = [(name, want) for name, want in zip(answers, wanted, strict=True) if name is not None]
    assert len(minted) >= 220
    assert sum(name == want for name, want in minted) >= 0.99 * len(minted)


def test_federal_titles_need_nothing_more() -> None:
    rows = [row for row in _rows("lexml_portal.csv", ",") if ":br:federal:" in row["urn"]]
    dated = [row for row in rows if re.search(r"\b(de|\d{2}/\d{2}/) ?[12]\d{3}", row["title"])]
    answers = [_minted(row, with_issuer=False).name for row in dated]
    assert len(dated) >= 70
    agreeing = sum(n == lexurn.parse(r["urn"]) for n, r in zip(answers, dated, strict=True))
    assert agreeing >= 0.9 * len(dated)
