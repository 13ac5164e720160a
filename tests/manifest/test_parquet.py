"""Manifests in Parquet: typed columns, bad files, rejects of the same schema."""

from __future__ import annotations

import datetime as dt
import decimal
import io
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.errors import ManifestError
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.findings import Finding

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
OTHER = "urn:lex:it:stato:legge:1990-08-07;241"


def parquet(columns: dict[str, object]) -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table(columns), sink)
    return sink.getvalue()


def read(source: object, **options: object) -> tuple[list[object], list[Finding], object]:
    findings: list[Finding] = []
    with open_manifest(source, on_finding=findings.append, **options) as manifest:
        return list(manifest.families()), findings, manifest


def test_typed_columns_are_read() -> None:
    data = parquet(
        {
            "urn": [ACT, OTHER],
            "title@it": pa.array(["Legge", None]).dictionary_encode(),
            "issued": pa.array([dt.date(2003, 9, 21), None]),
            "modified": pa.array(["2004-01-01", None]).cast(pa.timestamp("ns")),
            "version_order": pa.array([3.0, float("nan")]),
            "url": pa.array([["https://a.example/1", "https://a.example/2"], []]),
            "bytes": pa.array([[5, 7], None]),
            "status": ["withdrawn", ""],
        }
    )
    families, findings, manifest = read(io.BytesIO(data))
    record = families[1].records[0]
    assert findings == []
    assert (record.issued, record.modified) == (dt.date(2003, 9, 21), dt.date(2004, 1, 1))
    assert record.version_order == 3
    assert [(item.url[-1], item.bytes) for item in record.items] == [("1", 5), ("2", 7)]
    assert record.source.line == 1
    assert families[0].records[0].version_order is None
    assert (manifest.rows, manifest.rejected) == (2, 0)


BAD_VALUES = {
    "a truth value": ("title", pa.array([True]), "LX510"),
    "a broken number": ("version_order", pa.array([1.5]), "LX513"),
    "a time": ("issued", pa.array(["2003-09-21T10:00:00"]).cast(pa.timestamp("us")), "LX512"),
    "bytes": ("title", pa.array([b"x"]), "LX510"),
    "an object": ("title", pa.array([{"it": "x"}]), "LX510"),
    "a broken decimal": ("version_order", pa.array([decimal.Decimal("1.5")]), "LX513"),
    "no UTF-8": ("title", pa.array([b"a\xff"]).cast(pa.string(), safe=False), "LX501"),
    "two megabytes": ("title", pa.array(["x" * 2_000_000]), "LX503"),
}


@pytest.mark.parametrize(("column", "values", "code"), BAD_VALUES.values(), ids=BAD_VALUES)
def test_values_that_no_cell_holds(column: str, values: object, code: str) -> None:
    _, findings, manifest = read(io.BytesIO(parquet({"urn": [ACT], column: values})))
    assert [(f.line, f.column, f.code) for f in findings] == [(1, column, code)]
    assert (manifest.rows, manifest.rejected) == (1, 1)


def test_rejects_have_the_same_schema(tmp_path: Path) -> None:
    source, path = tmp_path / "acts.parquet", tmp_path / "rejects.parquet"
    urns = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(2000)]
    urns[7] = urns[1500] = "x"
    urns[1999] = urns[0]
    table = pa.table({"urn": urns, "issued": [dt.date(2003, 9, 21)] * 2000, "n": range(2000)})
    pq.write_table(table, source)
    mapping = tmp_path / "columns.toml"
    mapping.write_text('ignore = ["n"]', encoding="utf-8")
    _, findings, manifest = read(source, rejects=path, mapping=mapping)
    rejected = pq.read_table(path)
    assert rejected.schema == table.schema
    assert rejected.column("n").to_pylist() == [7, 1500, 1999]
    assert [f.line for f in findings] == [8, 1501, 2000]
    assert (manifest.rows, manifest.rejected) == (2000, 3)
    read(source, mapping=mapping)
    assert sorted(p.name for p in tmp_path.iterdir()) == [
        "acts.parquet",
        "columns.toml",
        "rejects.parquet",
        "rejects.reasons.csv",
    ]


def test_streams_that_cannot_go_back() -> None:
    class Pipe(io.BytesIO):
        def seek(self, *_: int) -> int:
            raise io.UnsupportedOperation("seek")

    with pytest.raises(ManifestError, match="name a file"):
        read(Pipe(parquet({"urn": [ACT]})))


def test_columns_are_checked() -> None:
    with pytest.raises(ManifestError, match=r'"titel" .did you mean "title"'):
        read(io.BytesIO(parquet({"urn": [ACT], "titel": ["x"]})))
    many = {f"c{number}": [""] for number in range(1001)}
    with pytest.raises(ManifestError, match="1,001 columns"):
        read(io.BytesIO(parquet(many)))


@given(st.binary(max_size=60), st.integers(0, 400), st.booleans())
def test_broken_files_are_refused_or_read(noise: bytes, at: int, cut: bool) -> None:
    good = parquet({"urn": [ACT]})
    data = good[: at + 4] if cut else good[: at + 4] + noise + good[at + 4 + len(noise) :]
    try:
        _, _, manifest = read(io.BytesIO(data), format="parquet")
    except ManifestError:
        return
    assert manifest.rows <= 1


def test_without_pyarrow_the_extra_is_named(tmp_path: Path) -> None:
    source = tmp_path / "acts.parquet"
    source.write_bytes(parquet({"urn": [ACT]}))
    program = (
        "import sys; sys.modules['pyarrow'] = None\n"
        "from lexurn.errors import MissingExtraError\n"
        "from lexurn.manifest import open_manifest\n"
        "try: open_manifest(sys.argv[1])\n"
        "except MissingExtraError as missing: print(missing)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, source],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": ":".join(sys.path)},
    )
    assert done.stdout.startswith('Parquet files need the extra "parquet"')
    assert 'pip install "lexurn[parquet]"' in done.stdout


def test_bad_rows_without_raw_bytes_are_told_apart_by_their_places(tmp_path: Path) -> None:
    """Else a name would be withdrawn though its row became bad for the first time."""
    long = "x" * ((1 << 20) + 1)
    digests = []
    for bad in (0, 1):
        titles = [long if at == bad else "Legge" for at in range(2)]
        file = tmp_path / f"{bad}.parquet"
        file.write_bytes(parquet({"urn": [ACT, OTHER], "title@it": titles}))
        with open_manifest(file) as manifest:
            assert len(list(manifest.families())) == 1
            digests.append({*manifest.list_rejected_digests()})
    assert len(digests[0]) == len(digests[1]) == 1
    assert digests[0].isdisjoint(digests[1])
