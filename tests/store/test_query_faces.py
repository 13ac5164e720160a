from __future__ import annotations

import datetime as dt
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from query_store import ACTS

import lexurn
from lexurn.catalogue import LoadOptions, load_manifest
from lexurn.errors import CatalogueError
from lexurn.store import Triples

if TYPE_CHECKING:
    from pathlib import Path

LAW = "urn:lex:it:stato:legge:2003-09-21;456"


@pytest.fixture
def place(tmp_path: Path) -> str:
    place = str(tmp_path / "law")
    with (
        lexurn.open_catalogue(place, write=True) as catalogue,
        lexurn.open_manifest([str(ACTS)]) as manifest,
    ):
        load_manifest(catalogue, manifest, LoadOptions(as_of=dt.date(2026, 1, 1)))
    return place


def test_rows_have_names_and_python_values(place: str) -> None:
    text = """PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>
        SELECT (1 AS ?whole) (1.5 AS ?decimal) (1e0 AS ?double) (true AS ?truth)
            ("2024-02-29"^^xsd:date AS ?day) ("2024-02-29T12:00:00Z"^^xsd:dateTime AS ?time)
            ("x"@it AS ?text) (<urn:a> AS ?iri) ("2024-13-01"^^xsd:date AS ?wrong) ?none {}"""
    with lexurn.open_catalogue(place) as catalogue, catalogue.query(text) as rows:
        (row,) = rows
    assert row == {
        "whole": 1,
        "decimal": Decimal("1.5"),
        "double": 1.0,
        "truth": True,
        "day": dt.date(2024, 2, 29),
        "time": dt.datetime(2024, 2, 29, 12, tzinfo=dt.UTC),
        "text": "x",
        "iri": "urn:a",
        "wrong": "2024-13-01",
        "none": None,
    }


def test_other_forms_and_ready_queries(place: str) -> None:
    with lexurn.open_catalogue(place) as catalogue:
        assert catalogue.query("ASK { ?s ?p ?o }") is True
        assert isinstance(catalogue.query("CONSTRUCT WHERE { ?s ?p ?o }"), Triples)
        rows = catalogue.ready("acts-on", date="2003-09-21")
        assert LAW in {row["act"] for row in rows}
        with pytest.raises(CatalogueError, match="no-such-query"):
            catalogue.ready("no-such-query")
        with pytest.raises(CatalogueError, match="allow"):
            catalogue.query("INSERT DATA {}")


def test_resolve_takes_a_path_or_an_open_catalogue(tmp_path: Path) -> None:
    table = tmp_path / "acts.csv"
    table.write_text(f"urn,title\n{LAW},Legge quadro\n")
    place = tmp_path / "law"
    with (
        lexurn.open_catalogue(place, write=True) as catalogue,
        lexurn.open_manifest(table) as manifest,
    ):
        load_manifest(catalogue, manifest, LoadOptions(as_of=dt.date(2026, 1, 1), jobs=1))
    by_path = lexurn.resolve(LAW, str(place))
    with lexurn.open_catalogue(place) as catalogue:
        assert lexurn.resolve(LAW, catalogue) == by_path
        assert lexurn.resolve(LAW, catalogue.holdings) == by_path
    assert str(by_path.candidates[0].name) == LAW
