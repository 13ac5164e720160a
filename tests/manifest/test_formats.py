"""Formats of tables: all give the same rows, and each fault says file, place and next step."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest
from odfdo import Document, Table
from pyarrow import parquet
from workbooks import make_xls, make_xlsx

from lexurn.errors import ManifestError
from lexurn.manifest import (
    FORMATS,
    find_lists,
    open_manifest,
    open_rows,
    sheets,
    suggest_rejects_file,
)

if TYPE_CHECKING:
    from lexurn.findings import Finding

HEADERS = ["Geschäft", "Jahr", "Tag", "Wort"]
VALUES: list[list[Any]] = [
    ["04.7817", 2004, dt.date(2003, 9, 21), "Città, «è»"],
    ["05.8258", 2005, dt.date(2005, 1, 2), ""],
]
CELLS = [
    {"Geschäft": "04.7817", "Jahr": "2004", "Tag": "2003-09-21", "Wort": "Città, «è»"},
    {"Geschäft": "05.8258", "Jahr": "2005", "Tag": "2005-01-02", "Wort": ""},
]
TEXTS = [HEADERS, *([str(value) for value in row] for row in VALUES)]
OBJECTS = [dict(zip(HEADERS, row, strict=True)) for row in TEXTS[1:]]
TYPED = [{**each, "Jahr": int(each["Jahr"])} for each in OBJECTS]


def separated(mark: str, encoding: str = "utf-8") -> bytes:
    """The rows with a separator."""
    text = io.StringIO()
    csv.writer(text, delimiter=mark).writerows(TEXTS)
    return text.getvalue().encode(encoding)


def make_ods() -> bytes:
    """The rows in a sheet of LibreOffice."""
    document = Document("spreadsheet")
    document.body.clear()
    table = Table("Acts")
    for row in [HEADERS, *VALUES]:
        table.append_row(_ods_row(row))
    document.body.append(table)
    whole = io.BytesIO()
    document.save(whole)
    return whole.getvalue()


def _ods_row(values: list[Any]) -> Any:
    from odfdo import Row  # noqa: PLC0415

    row = Row()
    row.set_values(values)
    return row


def make_repeated_ods() -> bytes:
    """A sheet of which one element stands for a billion cells."""
    from odfdo import Cell, Row  # noqa: PLC0415

    document = Document("spreadsheet")
    document.body.clear()
    table, row = Table("Acts"), Row(repeated=100_000)
    row.append_cell(Cell("x", repeated=10_000))
    table.append_row(_ods_row(["n"]))
    table.append_row(row)
    document.body.append(table)
    whole = io.BytesIO()
    document.save(whole)
    return whole.getvalue()


def make_parquet() -> bytes:
    """The rows with types."""
    whole = io.BytesIO()
    columns = dict(zip(HEADERS, map(list, zip(*VALUES, strict=True)), strict=True))
    parquet.write_table(pa.table(columns), whole)
    return whole.getvalue()


FILES = {
    "a.csv": (separated(","), ""),
    "semicolons.csv": (separated(";"), 'separator = ";"'),
    "windows.csv": (separated(",", "cp1252"), 'encoding = "cp1252"'),
    "mac.csv": (separated(",", "mac_roman"), 'encoding = "mac_roman"'),
    "mark.csv": (separated(",", "utf-8-sig"), ""),
    "utf16.csv": (separated(",", "utf-16"), ""),
    "utf16-le.tsv": (separated("\t", "utf-16-le"), 'encoding = "utf-16-le"'),
    "a.tsv": (separated("\t"), ""),
    "below.csv": (b"Export of the office\n\n" + separated(","), "header = 3"),
    "a.jsonl": ("\n".join(map(json.dumps, TYPED)).encode(), ""),
    "lines.json": ("\n".join(map(json.dumps, TYPED)).encode(), ""),
    "a.json": (json.dumps(TYPED, indent=2).encode(), ""),
    "utf16.json": (json.dumps(TYPED, ensure_ascii=False).encode("utf-16"), ""),
    "latin.json": (json.dumps(TYPED, ensure_ascii=False).encode("cp1252"), 'encoding = "cp1252"'),
    "deep.json": (
        json.dumps({"n": [1, {"docs": 2}], "a": {"docs": TYPED, "z": 1}}).encode(),
        'rows = "a.docs.*"',
    ),
    "by-key.json": (json.dumps({"acts": dict(enumerate(TYPED))}).encode(), 'rows = "acts.*"'),
    "a.xlsx": (make_xlsx({"Acts": [HEADERS, *VALUES]}), ""),
    "second.xlsx": (make_xlsx({"Notes": [["x"]], "Acts": [HEADERS, *VALUES]}), 'sheet = "Acts"'),
    "hidden.xlsx": (
        make_xlsx({"Notes": [["x"]], "Acts": [HEADERS, *VALUES]}, hidden=["Notes"]),
        "",
    ),
    "below.xlsx": (make_xlsx({"Acts": [["Export"], [], HEADERS, *VALUES]}), "header = 3"),
    "a.ods": (make_ods(), ""),
    "a.xls": (make_xls({"Acts": [HEADERS, *VALUES]}), ""),
    "second.xls": (make_xls({"Notes": [["x"]], "Acts": [HEADERS, *VALUES]}), 'sheet = "Acts"'),
    "a.parquet": (make_parquet(), ""),
}


@pytest.mark.parametrize("name", FILES)
def test_all_formats_give_the_same_rows(tmp_path: Path, name: str) -> None:
    data, toml = FILES[name]
    (tmp_path / name).write_bytes(data)
    mapping = tmp_path / "columns.toml"
    mapping.write_text(toml, encoding="utf-8")
    with open_rows(tmp_path / name, mapping) as table:
        assert list(table.headers) == HEADERS
        assert [cells for _, cells in table.rows] == CELLS
    mapping.write_text(
        f'{toml}\n[columns]\n"Geschäft" = "number"\nJahr = "period"\nTag = "issued"\n'
        'Wort = "title"\n[constants]\njurisdiction = "ch"\nauthority = "Bund"\nmeasure = "Anzug"\n',
        encoding="utf-8",
    )
    with open_manifest(tmp_path / name, mapping=mapping) as manifest:
        names = [str(family.key) for family in manifest.families()]
        (reader,) = manifest.readers
        rows = [row.line for part in reader.portions(1) for row in reader.rows(part)]
    assert [name.rpartition(":")[2] for name in names] == ["2004;04.7817", "2005;05.8258"]
    assert len(rows) == len(VALUES)


@pytest.mark.parametrize("name", FILES)
def test_rejected_rows_are_read_again_with_the_same_mapping(tmp_path: Path, name: str) -> None:
    data, toml = FILES[name]
    (tmp_path / name).write_bytes(data)
    mapping = tmp_path / "columns.toml"
    mapping.write_text(
        f'{toml}\n[columns]\n"Geschäft" = "number"\nJahr = "period"\nTag = "issued"\n'
        'Wort = "title"\n[constants]\njurisdiction = "ch"\nauthority = "Bund"\n'
        'measure = "Anzug"\n[values.issued]\n"2003-09-21" = "unknown"\n',
        encoding="utf-8",
    )
    rejects = Path(suggest_rejects_file(str(tmp_path / name)))
    with open_manifest(tmp_path / name, mapping=mapping, rejects=rejects) as manifest:
        assert len(list(manifest.families())) == 1
    assert manifest.rejects == (rejects,)
    with open_rows(rejects, mapping) as table:
        assert [cells for _, cells in table.rows] == CELLS[:1]


def test_each_format_has_an_example() -> None:
    assert {name.rpartition(".")[2] for name in FILES} == set(FORMATS)


LINES = {
    "a.csv": (b'n,t\n1,"a\nb"\n2,c\n', [2, 4]),
    "a.json": (b'[{"n": 1},\n\n {"n": 2}]', [1, 2]),
    "a.xlsx": (make_xlsx({"s": [["n"], ["1"], [], ["2"]]}), [2, 4]),
}


@pytest.mark.parametrize("name", LINES)
def test_rows_have_the_number_that_their_reader_sees(tmp_path: Path, name: str) -> None:
    data, lines = LINES[name]
    (tmp_path / name).write_bytes(data)
    with open_rows(tmp_path / name) as table:
        assert [line for line, _ in table.rows] == lines


def test_columns_without_a_name_of_their_own_have_a_number(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"date,,date\n1,2,3\n")
    with open_rows(tmp_path / "a.csv") as table:
        assert table.headers == ("date", "#2", "#3")
        assert [cells for _, cells in table.rows] == [{"date": "1", "#2": "2", "#3": "3"}]


def test_objects_inside_objects_have_columns_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text('[{"type": {"id": 7, "name": {"it": "Legge"}}, "n": 1.5}]')
    with open_rows(tmp_path / "a.json") as table:
        rows = [cells for _, cells in table.rows]
    assert rows == [{"type.id": "7", "type.name.it": "Legge", "n": "1.5"}]


def bomb() -> bytes:
    """A workbook of a few kilobytes that unpacks to megabytes."""
    whole = io.BytesIO(make_xlsx({"s": [["n"]]}))
    with (
        zipfile.ZipFile(whole, "a", zipfile.ZIP_DEFLATED) as package,
        package.open("xl/media/zeros", "w", force_zip64=True) as stream,
    ):
        stream.write(bytes(5 << 20))
    return whole.getvalue()


BROKEN = {
    "several.xlsx": (
        make_xlsx({"Notes": [["x"]], "Acts": [["n", "t"], ["1", "2"]]}),
        (
            'several sheets: "Notes" (1 rows, 1 columns), "Acts" (2 rows, 2 columns); name one in '
            'a mapping file, such as sheet = "Acts"'
        ),
    ),
    "empty.xlsx": (make_xlsx({"s": []}), "no sheet has cells"),
    "far.xlsx": (
        make_xlsx({"s": [["n"], *[[]] * 4_999, [""] * 9_999 + ["x"]]}),
        "spans 5,001 rows and 10,000 columns",
    ),
    "repeated.ods": (make_repeated_ods, "spans 100,001 rows and 10,000 columns"),
    "bomb.xlsx": (bomb, "unpacks to more than 4 MB; save the sheet as CSV"),
    "cut.xlsx": (make_xlsx({"s": [["n"]]})[:-40], "cannot be read as a spreadsheet"),
    "old.xls": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "cannot be read"),
    "none.json": (
        b'{"a": [1]}',
        'state the place of the list in a mapping file, such as rows = "do',
    ),
    "cut.json": (b'[{"n": 1}, {"n": 2}, {"n"', "after 2 rows: not JSON"),
    "open.json": (b'[{"n": 1}, {"n": 2}', "after 2 rows: not JSON: a comma is missing, or"),
    "text.json": (b'"a"', "no object"),
    "latin.csv": ("Città,n\n".encode("cp1252"), 'encoding = "cp1252" for Windows-1252'),
    "odd.csv": (b"\xff\xfen\x00\n\x00\x00\xd8", "not utf-16 near byte"),
    "empty.csv": (b"", "the file is empty"),
    "quoted.csv": (b'"n;t"\n"1;2"\n', "each row is one cell in quotes"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_cannot_be_read_is_refused_with_the_next_step(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sheets, "_LARGEST_UNPACKED", 4 << 20)
    data, said = BROKEN[name]
    (tmp_path / name).write_bytes(data if isinstance(data, bytes) else data())
    with pytest.raises(ManifestError) as refused, open_rows(tmp_path / name) as table:
        list(table.rows)
    assert said in str(refused.value)
    assert str(refused.value).startswith(str(tmp_path / name))
    assert "cannot be read" in said or "cannot be read" not in str(refused.value)


LETTERS_IN_UTF8 = {
    "a.csv": "n,t\n1,Qualità\n",
    "ends-inside.csv": "n,t\n1,à\n" + "2," + "a" * ((1 << 20) - 13) + "è\n",
    "late.csv": "n,t\n" + "1,a\n" * 200_000 + "2,è\n",
    "a.json": '[{"n": 1, "t": "Qualità"}]',
    "a.jsonl": '{"n": 1, "t": "Qualità"}\n',
}


@pytest.mark.parametrize("name", LETTERS_IN_UTF8)
@pytest.mark.parametrize("encoding", ["cp1252", "mac_roman", "gb18030"])
def test_a_table_in_utf8_is_read_in_no_other_encoding(
    tmp_path: Path, name: str, encoding: str
) -> None:
    data = LETTERS_IN_UTF8[name].encode()
    (tmp_path / name).write_bytes(data)
    mapping = tmp_path / "m.toml"
    mapping.write_text(f'encoding = "{encoding}"\n', encoding="utf-8")
    for source in (tmp_path / name, io.BytesIO(data)):
        stated = None if isinstance(source, Path) else name.rpartition(".")[2]
        with pytest.raises(ManifestError) as refused, open_rows(source, mapping, stated) as table:
            list(table.rows)
        assert f'states encoding = "{encoding}"; leave that out' in str(refused.value)
    mapping.write_text('encoding = "utf-8"\n', encoding="utf-8")
    with open_rows(tmp_path / name, mapping) as table:
        assert any(cells["t"].endswith(("à", "è")) for _, cells in table.rows)


def test_a_table_in_its_stated_encoding_may_end_like_a_cut_letter(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes("n,t\n1,Qualità".encode("cp1252"))
    (tmp_path / "m.toml").write_text('encoding = "cp1252"\n', encoding="utf-8")
    with open_rows(tmp_path / "a.csv", tmp_path / "m.toml") as table:
        assert [cells["t"] for _, cells in table.rows] == ["Qualità"]


def test_cells_of_a_sheet_without_a_value_of_their_own_reject_their_rows(tmp_path: Path) -> None:
    rows = [
        ["jurisdiction", "authority", "measure", "date", "number", "title"],
        ["it", "stato", "legge", dt.date(2003, 9, 21), "456", "Legge"],
        ["it", "stato", "", dt.date(2003, 9, 22), "457", "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 23), 4.5, "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 24), dt.date(2024, 4, 3), "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 26), 459, True],
        ["it", "stato", "legge", dt.date(2003, 9, 27), 1.2e13, "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 28), dt.time(12, 30), "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 29), True, "Legge"],
        ["it", "stato", "legge", 37894, "460", "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 30), 1_200_000, "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 30), 100_000, "Legge"],
        ["it", "stato", "legge", dt.date(2003, 9, 30), 1_230_000, "Legge"],
    ]
    (tmp_path / "a.xlsx").write_bytes(make_xlsx({"Acts": rows}, merged=["C2:C3"]))
    findings: list[Finding] = []
    rejects = tmp_path / "a.rejects.csv"
    mapping = tmp_path / "m.toml"
    mapping.write_text('date_order = "dmy"\n', encoding="utf-8")
    with open_manifest(
        tmp_path / "a.xlsx", mapping=mapping, rejects=rejects, on_finding=findings.append
    ) as manifest:
        names = [str(family.key) for family in manifest.families()]
    assert names == [
        "urn:lex:it:stato:legge:2003-09-21;456",
        "urn:lex:it:stato:legge:2003-09-26;459",
        "urn:lex:it:stato:legge:2003-09-30;100000",
        "urn:lex:it:stato:legge:2003-09-30;1230000",
    ]
    assert [(found.line, found.column, found.code) for found in findings] == [
        (3, "measure", "LX530"),
        (4, "number", "LX510"),
        (5, "number", "LX510"),
        (7, "number", "LX510"),
        (8, "number", "LX510"),
        (9, "number", "LX510"),
        (10, "date", "LX512"),
        (11, "number", "LX510"),
    ]
    reasons = ["number: zeros", "a date", "12E5", "a time", "a truth value", "2003-09-30", "12E5"]
    for found, reason in zip(findings[1:], reasons, strict=True):
        assert reason in found.message
    assert findings[0].location == f"{tmp_path / 'a.xlsx'}, sheet Acts, row 3"
    lines = rejects.read_text(encoding="utf-8").splitlines()
    assert lines[:2] == [",".join(map(str, rows[0])), "it,stato,,2003-09-22,457,Legge"]
    assert [line.split(",")[4] for line in lines[2:]] == [*"?" * 5, "460", "?"]
    # The rejects file says no more than the workbook: its rows have no names either.
    with open_manifest(rejects) as again:
        assert [*again.families()] == []
    assert again.rejected == 8


def test_lists_of_objects_are_found() -> None:
    data = '{"list": [{"a": 1}], "x": {"y": [{"a": 1}, {"a": 2}], "z": [1]}}'
    assert find_lists(data) == [("list.*", 1), ("x.y.*", 2)]
    assert find_lists('[{"a": 1}]') == [("*", 1)]
