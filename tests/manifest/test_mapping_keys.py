"""Keys of a mapping file, by cases: a mapping, a table, the names and values that they give."""

from __future__ import annotations

import datetime as dt
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

import lexurn
from lexurn.errors import ManifestError
from lexurn.manifest import FORMATS, MAPPING_KEYS, open_manifest, open_rows

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.findings import Finding

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "mapping_keys.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]


def read(
    tmp_path: Path, toml: str, table: str
) -> tuple[dict[str, dict[str, Any]], list[tuple[int, str, str | None]]]:
    """The stated values of each record by name, and line, code and column of each error."""
    mapping = tmp_path / "columns.toml"
    mapping.write_text(toml, encoding="utf-8")
    findings: list[Finding] = []
    records: dict[str, dict[str, Any]] = {}
    with open_manifest(
        io.BytesIO(table.encode()), mapping=mapping, on_finding=findings.append
    ) as manifest:
        for family in manifest.families():
            for record in family.records:
                if record.source is not None:
                    records[str(record.name)] = {
                        "titles": [title.value for title in record.titles],
                        "published": record.published and record.published.isoformat(),
                        "issued": record.issued and record.issued.isoformat(),
                        "force": record.force and record.force.value,
                        "pages": list(record.pages),
                    }
    errors = [(each.line, each.code, each.column) for each in findings if each.severity == "error"]
    return records, errors


@pytest.mark.parametrize("case", CASES, ids=[case["name"] for case in CASES])
def test_keys_of_mapping_files(tmp_path: Path, case: dict[str, Any]) -> None:
    records, errors = read(tmp_path, "\n".join(case["mapping"]), "\n".join(case["table"]))
    assert list(records) == case["names"]
    for name, values in case.get("values", {}).items():
        assert {key: records[name][key] for key in values} == values
    assert [list(error) for error in errors] == case.get("errors", [])


def test_each_key_has_a_case() -> None:
    elsewhere = {"accept", "encoding", "header", "rows", "separator", "sheet", "templates"}
    mappings = "\n".join(line for case in CASES for line in case["mapping"])
    for key in MAPPING_KEYS:
        shown = f"[{key.name}" if key.kind is dict else f"{key.name} ="
        assert key.name in elsewhere or shown in mappings, key.name


def test_a_pattern_that_takes_long_is_refused(tmp_path: Path) -> None:
    toml = "[patterns]\nx = '(?P<title>(?:x|xx)+)$'"
    table = "urn,x\nurn:lex:it:stato:legge:2003-09-21;456," + "x" * 60 + "y\n"
    with pytest.raises(ManifestError, match=r"-:2: a pattern of .*columns.toml takes over a sec"):
        read(tmp_path, toml, table)


def test_the_page_has_all_keys_and_formats() -> None:
    page = (Path(__file__).parents[2] / "docs" / "tables.md").read_text(encoding="utf-8")
    for key in MAPPING_KEYS:
        shown = f"[{key.name}]" if key.kind is dict else key.name
        assert f"| `{shown}` | {key.meaning} | `{key.example}` |\n" in page
    for kind, entry in FORMATS.items():
        files = ", ".join(f"`{extension}`" for extension in entry.extensions)
        extra = f"`lexurn[{entry.extra}]`" if entry.extra else ""
        assert f"| `{kind}` | {files} | {extra} |\n" in page


def test_rows_in_memory_are_a_table() -> None:
    name = "urn:lex:it:stato:legge:2003-09-21;"
    rows = [
        {"urn": f"{name}1", "issued": dt.date(2003, 9, 21), "version_order": 3.0, "title": None},
        {"urn": f"{name}2", "issued": dt.datetime(2003, 9, 22), "title": float("nan")},  # noqa: DTZ001
        {"urn": "x", "title": "Legge"},
    ]
    columns = {key: [row.get(key) for row in rows[:2]] for key in ("urn", "issued")}
    sources: list[Any] = [rows, iter(rows), (row for row in rows), [iter(rows)], pa.table(columns)]
    for source in sources:
        with open_manifest(source) as manifest:
            families = [*manifest.families()]
        assert [str(family.key) for family in families] == [f"{name}1", f"{name}2"]
        issued = [family.records[0].issued for family in families]
        assert issued == [dt.date(2003, 9, 21), dt.date(2003, 9, 22)]
    with pytest.raises(ManifestError, match="rows: int is not a row; give a mapping"):
        open_manifest(iter([1]))


def test_rows_in_memory_are_published(tmp_path: Path) -> None:
    rows = [{"urn": f"urn:lex:it:stato:legge:2003-09-21;{n}", "title": "Legge"} for n in range(3)]
    for number, source in enumerate((rows, iter(rows), pa.Table.from_pylist(rows))):
        report = lexurn.publish(source, tmp_path / str(number), base="https://a.example", workers=1)
        assert report.families == len(rows)
    with lexurn.open_manifest(rows) as manifest:
        families = list(manifest.families())
    report = lexurn.publish(iter(families), tmp_path / "f", base="https://a.example", workers=1)
    assert report.families == len(rows)


def test_frames_are_read_by_their_methods() -> None:
    class PandasFrame:
        columns = ("urn",)

        def itertuples(self, *, index: bool, name: str | None) -> Iterator[tuple[str]]:
            assert (index, name) == (False, None)
            yield ("urn:lex:it:stato:legge:2003-09-21;1",)

        def __iter__(self) -> Iterator[str]:
            return iter(self.columns)

    class PolarsFrame:
        def iter_rows(self, *, named: bool) -> Iterator[dict[str, str]]:
            assert named
            yield {"urn": "urn:lex:it:stato:legge:2003-09-21;1"}

        def __iter__(self) -> Iterator[str]:
            return iter(("urn",))

    for frame in (PandasFrame(), PolarsFrame()):
        with open_manifest(frame) as manifest:
            assert len([*manifest.families()]) == 1


LAYOUTS = {
    "a.csv-metadata.json": {"url": "a.csv", "dialect": {"delimiter": ";", "encoding": "cp1252"}},
    "csv-metadata.json": {
        "tables": [{"url": "b.csv"}, {"url": "a.csv"}],
        "dialect": {"delimiter": ";", "encoding": "cp1252"},
    },
    "datapackage.json": {
        "resources": [{"path": "a.csv", "encoding": "cp1252", "dialect": {"delimiter": ";"}}]
    },
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_description_beside_a_table_gives_its_layout(tmp_path: Path, name: str) -> None:
    (tmp_path / "a.csv").write_bytes("à;b\n1;2\n".encode("cp1252"))
    (tmp_path / name).write_text(json.dumps(LAYOUTS[name]), encoding="utf-8")
    with open_rows(tmp_path / "a.csv") as table:
        assert table.headers == ("à", "b")
    (tmp_path / name).write_text("{", encoding="utf-8")
    with pytest.raises(ManifestError, match=rf"{name}: cannot be read as JSON"):
        open_rows(tmp_path / "a.csv").__enter__()


@pytest.mark.parametrize(
    ("dialect", "message"),
    [
        ({"header": False}, "has no header; add a row"),
        ({"headerRowCount": 0}, "has no header; add a row"),
        ({"encoding": "latin-99"}, "encoding 'latin-99' is not known"),
        ({"delimiter": ":"}, "':' cannot separate cells"),
        ({"headerRows": [1, 2]}, "the header has several rows"),
    ],
)
def test_a_layout_that_cannot_be_read_is_refused(
    tmp_path: Path, dialect: dict[str, object], message: str
) -> None:
    (tmp_path / "a.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    described = {"url": "a.csv", "dialect": dialect}
    (tmp_path / "a.csv-metadata.json").write_text(json.dumps(described), encoding="utf-8")
    with pytest.raises(ManifestError, match=rf"a.csv-metadata.json: a.csv.* {message}"):
        open_rows(tmp_path / "a.csv").__enter__()


@pytest.mark.parametrize("dialect", [{"skipRows": 1}, {"headerRows": [2]}])
def test_a_layout_names_the_row_of_the_header(tmp_path: Path, dialect: dict[str, object]) -> None:
    (tmp_path / "a.csv").write_text("Acts of 2024,\na,b\n1,2\n", encoding="utf-8")
    described = {"url": "a.csv", "dialect": dialect}
    (tmp_path / "a.csv-metadata.json").write_text(json.dumps(described), encoding="utf-8")
    with open_rows(tmp_path / "a.csv") as table:
        assert table.headers == ("a", "b")
