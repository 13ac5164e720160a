"""Rows that an earlier run of publish has read: the outcome is as if all rows were read again."""

from __future__ import annotations

import csv
import io
from dataclasses import asdict
from typing import TYPE_CHECKING

import pytest
from site_runs import sound, tree

import lexurn.minting
from lexurn.manifest import open_manifest
from lexurn.publishing import publish
from lexurn.registry import Kind, make_scheme_iri, open_registry

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from lexurn.findings import Finding
    from lexurn.publishing import PublishReport

Rows = list[list[str]]
AUTHORITIES = make_scheme_iri(Kind.AUTHORITY, "it")
OWN = f"""
@prefix dcterms: <http://purl.org/dc/terms/> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
<{AUTHORITIES}/parco.immaginario> a skos:Concept ;
    skos:inScheme <{AUTHORITIES}> ;
    skos:notation "parco.immaginario" ;
    skos:prefLabel "Ente Parco Immaginario"@it ;
    dcterms:source <https://law.example/> .
"""
HEADER = "urn,citation,title,published,url,alias_of"
LAW = "urn:lex:it:stato:legge"
MAPPING = """
language = "it"
date_order = "dmy"
[constants]
jurisdiction = "it"
"""


def make_rows() -> Rows:
    """Make acts cited in words, one with warnings, and two of one act far from each other."""
    rows = [
        ["", f"Legge {each % 28 + 1} marzo 2003, n. {each}", f"Titolo {each}", "", "", ""]
        for each in range(1, 24)
    ]
    rows[3][4] = "https://law.example/3.html"
    rows[5] = [
        "",
        "Regolamento 5 marzo 2003, n. 5, dell'Ente Parco Immaginario",
        "Parco",
        "",
        "",
        "",
    ]
    rows[8][0], rows[8][1] = f"{LAW}:2003-03-10;900", ""
    rows.append([f"{LAW}:2003-03-03;2@2004-01-01:it", "", "", "", "", ""])
    rows.append([f"{LAW}:2003-03-03;2@second", "", "", "", "", ""])
    return rows


def change(at: int, column: int, text: str) -> Callable[[Rows], None]:
    def edit(rows: Rows) -> None:
        rows[at][column] = text

    return edit


EDITS: dict[str, list[Callable[[Rows], None]]] = {
    "nothing": [],
    "a title": [change(20, 2, "Titolo rettificato")],
    "a citation": [change(20, 1, "Legge 1 aprile 2004, n. 99")],
    "a row amid the others": [
        lambda rows: rows.insert(7, ["", "Legge 9 maggio 2005, n. 7", "Nuova", "", "", ""])
    ],
    "a row removed": [lambda rows: rows.pop(12)],
    "rows moved": [lambda rows: rows.reverse()],
    "a cell with line breaks": [change(2, 2, 'Due\nrighe, "virgolette"')],
    "doubled rows": [lambda rows: rows.extend([list(rows[4]), list(rows[4])])],
    "another row of an act": [
        lambda rows: rows.append(["", rows[10][1], "Altro titolo", "", "", ""])
    ],
    "an alias": [
        lambda rows: rows.append([f"{LAW}:1999-01-02;1", "", "", "", "", f"{LAW}:2003-03-10;900"])
    ],
    "a copy of two acts": [change(21, 4, "https://law.example/3.html")],
    "a bad row": [change(15, 1, "Legge 31 febbraio 2003, n. 15")],
    "too many cells": [lambda rows: rows[16].append("x")],
    "a day before the act": [change(17, 3, "01/02/2003")],
    "a day in the future": [change(18, 1, "Legge 1 aprile 2027, n. 18")],
}


class Site:
    """Site that is published again and again from one table."""

    def __init__(self, folder: Path, **options: object) -> None:
        folder.mkdir()
        self.folder, self.options = folder, options
        self.mapping, self.header, self.as_of = MAPPING, HEADER, "2026-01-01"
        self.registry: object = None

    def publish(self, rows: Rows) -> tuple[PublishReport, list[Finding]]:
        text = io.StringIO()
        csv.writer(text).writerows(rows)
        table, mapping = self.folder / "acts.csv", self.folder / "map.toml"
        table.write_text(f"{self.header}\n{text.getvalue()}", newline="")
        mapping.write_text(self.mapping)
        findings: list[Finding] = []
        with open_manifest(
            [str(table)],
            mapping=mapping,
            registry=self.registry,  # type: ignore[arg-type]
            rejects=self.folder / "acts.rejects.csv",
            as_of=self.as_of,
            on_finding=findings.append,
        ) as manifest:
            report = publish(
                manifest,
                self.folder / "site",
                base="https://law.example",
                as_of=self.as_of,
                check=sound,
                workers=1,
                force=True,
                **self.options,  # type: ignore[arg-type]
            )
        return report, findings

    def describe(self, rows: Rows) -> object:
        """Publish, and return all that the publisher sees, with paths below the folder."""
        report, findings = self.publish(rows)
        seen = {key: value for key, value in asdict(report).items() if key != "written"}
        rejects = [
            file.read_bytes().replace(str(self.folder).encode(), b"")
            for file in sorted(self.folder.glob("*.rejects*"))
        ]
        texts = repr((seen, findings)).replace(str(self.folder), "")
        return texts, rejects, tree(self.folder / "site")


@pytest.fixture
def sites(tmp_path: Path) -> tuple[Site, Site]:
    """Two sites of the same rows; the second reads all rows in each run."""
    pair = Site(tmp_path / "a"), Site(tmp_path / "b", rewrite=True)
    for each in pair:
        each.publish(make_rows())
    return pair


@pytest.mark.parametrize("name", EDITS)
def test_edits_have_the_same_outcome(sites: tuple[Site, Site], name: str) -> None:
    rows = make_rows()
    for edit in EDITS[name]:
        edit(rows)
    one, other = sites
    assert one.describe(rows) == other.describe(rows)
    assert one.describe(make_rows()) == other.describe(make_rows())


@pytest.mark.parametrize(
    ("attribute", "value"),
    [
        ("mapping", MAPPING.replace('"dmy"', '"mdy"')),
        ("mapping", f'{MAPPING}authority = "Ministero delle Finanze"\n'),
        ("mapping", f'accept = ["LX541"]\n{MAPPING}'),
        ("header", "urn,citation,title,issued,url,alias_of"),
        ("as_of", "2003-03-12"),
        ("as_of", "2028-01-01"),
    ],
)
def test_another_meaning_has_the_same_outcome(
    sites: tuple[Site, Site], attribute: str, value: str
) -> None:
    rows = make_rows()
    rows[17][3] = "04/05/2003"
    rows[18][1] = "Legge 1 aprile 2027, n. 18"
    for each in sites:
        each.publish(rows)
        setattr(each, attribute, value)
    one, other = sites
    assert one.describe(rows) == other.describe(rows)


def count_minted(monkeypatch: pytest.MonkeyPatch, site: Site, rows: Rows) -> int:
    """Count the rows of a run whose names are minted."""
    times, mint = [0], lexurn.minting.try_mint

    def count(*values: object, **options: object) -> object:
        times[0] += 1
        return mint(*values, **options)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(lexurn.minting, "try_mint", count)
        site.publish(rows)
    return times[0]


def test_only_new_rows_are_minted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sites: tuple[Site, Site]
) -> None:
    site, other = sites
    rows = make_rows()
    assert count_minted(monkeypatch, site, rows) == 0
    assert count_minted(monkeypatch, other, rows) == 22
    rows[20][2] = "Titolo rettificato"
    rows.insert(3, ["", "Legge 9 maggio 2005, n. 7", "Nuova", "", "", ""])
    assert count_minted(monkeypatch, site, rows) == 2
    file = tmp_path / "own.ttl"
    file.write_text(OWN)
    site.registry, other.registry = (open_registry(file)[0] for _ in range(2))
    assert count_minted(monkeypatch, site, rows) == 23
    assert count_minted(monkeypatch, site, rows) == 0
    assert (tmp_path / "a/site/lex/it/parco.immaginario").is_dir()
