"""Manifests whose rows give what a name is minted from, or names in the older dialects."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest

from lexurn.errors import ManifestError
from lexurn.manifest import open_manifest, read_fields
from lexurn.manifest.mapping import NAME_COLUMNS
from lexurn.minting import FIELDS, try_mint

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.findings import Finding
    from lexurn.model import Record

TABLE = """jurisdiction,authority,measure,date,number,version,language,title
it,,Legge,21 settembre 2003,456,,,Legge quadro
it,,Legge,21 settembre 2003,456,1 gennaio 2005,it,
it,Ministero delle Finanze,D.M.,20 dicembre 1999,1/P/2000,,,Un decreto
it,,Legge,31 febbraio 2003,7,,,Un giorno che non esiste
"""


def _read(data: str, **options: object) -> tuple[list[Record], list[tuple[int, str | None, str]]]:
    findings: list[tuple[int, str | None, str]] = []
    source = io.BytesIO(data.encode())
    with open_manifest(
        source,
        on_finding=lambda f: findings.append((f.line, f.column, f.code)),
        **options,  # type: ignore[arg-type]
    ) as manifest:
        records = [record for family in manifest.families() for record in family.records]
    return records, findings


def _write_mapping(folder: Path, text: str) -> Path:
    mapping = folder / "map.toml"
    mapping.write_text(text, "utf-8")
    return mapping


def test_rows_without_a_urn_are_named_from_their_fields() -> None:
    records, findings = _read(TABLE)
    assert [str(record.name) for record in records if record.source] == [
        "urn:lex:it:ministero.finanze:decreto:1999-12-20;1-p-2000",
        "urn:lex:it:stato:legge:2003-09-21;456",
        "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it",
    ]
    assert [(line, column) for line, column, _ in findings] == [(5, "date")]


def test_a_urn_goes_before_the_fields() -> None:
    table = "urn,measure,date,number\nurn:lex:it:stato:legge:2003-09-21;456,D.P.R.,2001-01-01,1\n"
    records, findings = _read(table)
    assert ([str(r.name) for r in records], findings) == (
        ["urn:lex:it:stato:legge:2003-09-21;456"],
        [],
    )


def test_a_row_that_says_nothing_of_its_name_is_told_so() -> None:
    _, findings = _read("urn,measure,title\n,,Senza nome\n")
    assert [(line, code) for line, _, code in findings] == [(2, "LX511")]


def test_a_field_twice_is_refused(tmp_path: Path) -> None:
    mapping = _write_mapping(tmp_path, '[columns]\ntype = "measure"\nkind = "measure"\n')
    with pytest.raises(ManifestError, match="both"):
        _read("type,kind\nLegge,Legge\n", mapping=mapping)


def test_constants_and_templates_give_fields(tmp_path: Path) -> None:
    mapping = _write_mapping(
        tmp_path,
        '[constants]\njurisdiction = "it"\n[templates]\ndate = "{y}-{m}-{d}"\n'
        '[columns]\ntipo = "measure"\nn = "number"\n',
    )
    records, findings = _read("y,m,d,tipo,n\n2003,09,21,Legge,456\n", mapping=mapping)
    assert [str(r.name) for r in records] == ["urn:lex:it:stato:legge:2003-09-21;456"]
    assert findings == []


def test_the_columns_are_the_fields_of_minting() -> None:
    assert {*FIELDS} - {*NAME_COLUMNS} == {"title"}
    assert {*NAME_COLUMNS} <= {*FIELDS}


def test_a_number_that_would_change_from_night_to_night_is_not_given_in_a_manifest() -> None:
    table = "jurisdiction,measure,date,unnumbered\nit,Legge,2003-09-21,{}\n"
    records, _ = _read(table.format("2"))
    assert [str(r.name) for r in records] == ["urn:lex:it:stato:legge:2003-09-21;lex-2"]
    records, findings = _read(table.format("true"))
    assert (records, findings) == ([], [(2, "unnumbered", "LX525")])


def test_the_constant_unnumbered_is_for_rows_without_a_number(tmp_path: Path) -> None:
    mapping = _write_mapping(
        tmp_path,
        '[constants]\njurisdiction = "it"\nmeasure = "Legge"\nunnumbered = "1"\n'
        '[values.number]\n"s/n" = ""\n',
    )
    table = "date,number\n2003-09-21,456\n2003-09-22,\n2003-09-23,s/n\n2003-09-24, \n"
    records, findings = _read(table, mapping=mapping)
    assert [str(r.name) for r in records] == [
        "urn:lex:it:stato:legge:2003-09-21;456",
        *(f"urn:lex:it:stato:legge:2003-09-{day};lex-1" for day in (22, 23, 24)),
    ]
    assert findings == []


@pytest.mark.parametrize(
    ("table", "column", "code", "message"),
    [
        ("measure,link\nLegge,law.example/8\n", "jurisdiction", "LX702", "remove its #"),
        (
            "jurisdiction,citation,link\nit,Legge,\n",
            "link",
            "LX702",
            "write true in a column unnumbered",
        ),
        ("jurisdiction,measure,link\nit,Legge,law.example/9\n", "link", "LX702", "unnumbered = "),
        ("jurisdiction,measure,link\nbd,Act,law.example/9\n", "language", "LX704", 'language = "'),
    ],
)
def test_the_message_names_the_missing_field(
    table: str, column: str, code: str, message: str, tmp_path: Path
) -> None:
    mapping = _write_mapping(
        tmp_path,
        "[constants]\nperiod = '2003'\nauthority = 'Stato'\n# jurisdiction = 'it'\n"
        "[patterns]\nlink = 'example/(?:9|(?P<number>.+))'\n",
    )
    found: list[Finding] = []
    source = io.BytesIO(table.encode())
    with open_manifest(source, mapping=mapping, on_finding=found.append) as manifest:
        list(manifest.families())
    (finding,) = (each for each in found if each.code == code)
    assert finding.column == column
    assert message in finding.message


def test_a_year_in_a_period_column_is_meant_as_one() -> None:
    table = "jurisdiction,measure,number,period\nit,Legge,1,2003\nit,Legge,2,20030921\n"
    records, findings = _read(table)
    assert len(records) == 2
    assert findings == [(3, "period", "LX220")]


NIR = "urn:nir:consiglio.di.stato:parere:20030921;456#art2-com3"


def test_names_in_a_dialect_keep_their_spelling() -> None:
    records, findings = _read(f"urn,title\n{NIR},Parere\n", dialect="nir")
    found = next(record for record in records if record.source)
    assert str(found.name) == "urn:lex:it:consiglio.stato:parere:2003-09-21;456~art2;com3"
    assert found.dialect_names == (NIR,)
    codes = [code for _, _, code in findings]
    assert {"LX523", "LX524"} <= {*codes}  # the connective is lost, the scheme is not


def test_a_name_that_is_the_same_in_both_needs_no_second_spelling() -> None:
    text = "urn:lex:br:federal:lei:2002-10-01;10637"
    records, findings = _read(f"urn\n{text}\n", dialect="auto")
    assert [r.dialect_names for r in records] == [()]
    assert [code for _, _, code in findings if code.startswith("LX52")] == []


def test_a_broken_name_in_a_dialect_rejects_its_row() -> None:
    records, findings = _read("urn\nurn:nir:stato:legge:00000-0000\n", dialect="nir")
    assert records == []
    assert findings


def test_an_unknown_dialect_is_an_error() -> None:
    with pytest.raises(ManifestError, match="lexml"):
        _read("urn\n", dialect="latin")


def test_spellings_may_be_a_column() -> None:
    table = "urn,dialect_name\nurn:lex:it:stato:legge:2003-09-21;456,urn:nir:a urn:nir:b\n"
    records, findings = _read(table)
    assert [r.dialect_names for r in records] == [("urn:nir:a", "urn:nir:b")]
    assert findings == []


def test_rows_are_read_as_fields() -> None:
    rows = list(read_fields(io.BytesIO(TABLE.encode())))
    assert [row.line for row in rows] == [2, 3, 4, 5]
    assert rows[1].fields == {
        "jurisdiction": "it",
        "measure": "Legge",
        "date": "21 settembre 2003",
        "number": "456",
        "version": "1 gennaio 2005",
        "version_language": "it",
        "language": "it",
    }
    broken = list(read_fields(io.BytesIO(b'measure\n"Legge\n')))
    assert [(row.fields, row.findings[0].code) for row in broken] == [(None, "LX504")]


def test_lists_of_json_are_lists_of_names() -> None:
    row = {
        "jurisdiction": "it",
        "authority": [["Ministero delle Finanze", "Dipartimento delle Entrate"], ["Stato"]],
        "measure": "Decreto",
        "date": ["1999-12-20"],
        "number": ["3", "4"],
        "annexes": [{"heading": "Allegato A", "title": "Tabella"}],
        "version": "originale",
        "version_language": "it",
        "manifestation": {"publisher": "law.example", "mime": "application/pdf"},
    }
    expected = try_mint(row).name
    assert expected is not None
    with open_manifest(io.BytesIO(json.dumps(row).encode()), format="jsonl") as manifest:
        (family,) = manifest.families()
    assert [each.name for each in family.records if each.source] == [expected]
    (fields,) = read_fields(io.BytesIO(json.dumps(row).encode()), format="jsonl")
    assert fields.fields == row


def test_a_row_keeps_the_name_that_it_states() -> None:
    table = b"urn,measure,issued\nurn:lex:it:stato:legge:2003-09-21;456,,\nx,Legge,\n,Legge,1.2.3\n"
    rows = list(read_fields(io.BytesIO(table)))
    assert [row.name and str(row.name) for row in rows] == [
        "urn:lex:it:stato:legge:2003-09-21;456",
        None,
        None,
    ]
    assert [row.fields is None for row in rows] == [False, True, True]


def test_equal_rows_that_ask_for_a_number_are_rows_of_one_name(tmp_path: Path) -> None:
    table = b"measure,unnumbered,title@it\nLegge,true,A\nLegge,true,B\nLegge,true, A \nLegge,t,A\n"
    constants = '[constants]\njurisdiction = "it"\ndate = "2003-09-21"\n'
    for first, text in (([1, None, 1, None], "distinct = true\n"), ([None] * 4, "")):
        mapping = _write_mapping(tmp_path, f"{text}{constants}")
        findings: list[Finding] = []
        with open_manifest(
            io.BytesIO(table), mapping=mapping, keeps_fields=True, on_finding=findings.append
        ) as manifest:
            rows = list(manifest.field_rows())
        assert [row.first for row in rows] == first
        assert (rows[3].fields, rows[3].list_cells()) == (None, {"title@it": "A"})
        warned = [each.line for each in findings if each.code == "LX539"]
        assert warned == ([] if text else [4])
