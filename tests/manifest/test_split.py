"""Families built from packed groups, in this process and in others, as a manifest builds them."""

from __future__ import annotations

import datetime as dt
import io
import json
import pickle
from contextlib import ExitStack
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest

from lexurn.errors import ManifestError
from lexurn.findings import Finding
from lexurn.graph import nquads_of
from lexurn.manifest import (
    AliasSets,
    FamilyResult,
    JoinedActs,
    RejectedRow,
    build_family,
    open_manifest,
    read_portion,
    write_joined_acts,
)
from lexurn.manifest.opening import open_table
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from lexurn.manifest.tables import RawRow

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
OTHER = "urn:lex:it:stato:legge:2004-01-02;7"
ALIAS = "urn:lex:it:stato:legge:2003-09-21;456.bis"
DAY = dt.date(2020, 1, 1)
GAZETTE = "https://law.example/gazette.pdf"
ROWS = (
    "urn,title@it,alias_of,url,in_force_until",
    f"{ACT},Una legge,,,",
    f"{OTHER}@2005-01-01,,,,2008-01-01",
    f"{OTHER}@2006-01-01,,,{GAZETTE},",
    f"{ALIAS},,{ACT},,",
    f"{ACT},twice,,,",
    f"{ACT}@testo.presentato,,,,",
    f"{ACT}@testo.approvato:it,,,{GAZETTE},",
    "urn:lex:it,,,,",
    "urn:lex:it:stato:legge:2009-01-02;9,,urn:lex:it:stato:legge:2009-01-02;10,,",
    "urn:lex:it:stato:legge:2009-01-02;10,,urn:lex:it:stato:legge:2009-01-02;11,,",
)


def table() -> io.BytesIO:
    return io.BytesIO("\n".join(ROWS).encode())


def whole() -> tuple[bytes, list[Finding]]:
    findings: list[Finding] = []
    with open_manifest(table(), on_finding=findings.append) as manifest:
        quads = b"".join(nquads_of(family, as_of=DAY) for family in manifest.families())
    return quads, findings


def test_other_processes_build_the_same_families() -> None:
    quads, findings = whole()
    said: list[Finding] = []
    with open_manifest(table(), on_finding=said.append) as manifest, Workers(2) as workers:
        answers = list(workers.map(build_family, ((group,) for group in manifest.groups())))
    families = [built.family for built in answers if built.family is not None]
    assert b"".join(nquads_of(family, as_of=DAY) for family in families) == quads
    assert [*said, *(found for built in answers for found in built.findings)] == findings
    assert {found.code for found in findings} >= {"LX531", "LX535", "LX611"}


def test_groups_come_in_the_order_of_families_and_know_what_they_share() -> None:
    with open_manifest(table()) as manifest:
        groups = list(manifest.groups())
        keys = [str(family.key) for family in manifest.families()]
    assert [group.act for group in groups] == keys
    shared = {group.act: group.shared for group in groups}
    assert {shared[ACT], shared[OTHER]} == {(GAZETTE,)}
    assert {*shared.values()} == {(), (GAZETTE,)}
    assert pickle.loads(pickle.dumps(groups)) == groups


def test_a_group_that_makes_no_family_is_rejected(tmp_path: Path) -> None:
    path, findings = tmp_path / "rejects.csv", list[Finding]()
    with open_manifest(table(), rejects=path, on_finding=findings.append) as manifest:
        for group in manifest.groups():
            built = build_family(group)
            torn = FamilyResult(None, built.findings[:1]) if group.act == OTHER else built
            assert manifest.accept(group, torn) is torn.family
        before = path.read_bytes()
        manifest.finish()
        assert manifest.rejected == 5
        assert [group.act for group in manifest.groups()] == [
            ACT,
            "urn:lex:it:stato:legge:2009-01-02;11",
        ]
    assert [line.decode() for line in path.read_bytes().splitlines()] == [
        ROWS[0],
        *ROWS[2:4],
        ROWS[5],
        *ROWS[8:10],
    ]
    assert len(before.splitlines()) == 4
    assert findings[-1].code == "LX611"


CELLS = (
    b'urn,title@it\r\n\r\n"%s","Una ""legge""\r\nin due righe"\r\n\r\n\r\n%s,"open\r\n%s,b\r\n'
    b"%s,%s\r\n%s,\xff\r\n%s,the end"
)
"""A quoted cell of two lines, blank lines, an open quote, a row too long, bytes of no text."""


def tables(tmp_path: Path) -> dict[str, Path]:
    """The same things in each format."""
    acts = [f"{ACT}.{number}" for number in range(6)]
    a, b, c, d, e, f = (act.encode() for act in acts)
    csv, jsonl = tmp_path / "acts.csv", tmp_path / "acts.jsonl"
    csv.write_bytes(CELLS % (a, b, c, d, b"x" * (3 << 19), e, f))
    lines = [{"urn": act, "title@it": f"Legge {act[-1]}"} for act in acts]
    texts = [json.dumps(line) for line in lines]
    texts[2:2] = ["", "{", json.dumps({"urn": OTHER, "title@it": "x" * (1 << 21)}), " "]
    texts.append(json.dumps({"urn": OTHER, "titel": "unknown"}))
    jsonl.write_text("\n".join(texts), encoding="utf-8-sig")
    return {"csv": csv, "jsonl": jsonl}


@pytest.mark.parametrize("format", ["csv", "jsonl"])
@pytest.mark.parametrize("size", [1, 40, 90, 200, 1 << 20, 1 << 30])
def test_portions_read_apart_are_the_table(tmp_path: Path, format: str, size: int) -> None:
    path = tables(tmp_path)[format]

    def rows_of(rows: Iterable[RawRow]) -> list[tuple[int, bytes, object, object]]:
        whole: list[tuple[int, bytes, object, object]] = []
        for row in rows:
            if row.is_further_piece:
                line, raw, *others = whole.pop()
                whole.append((line, raw + row.raw, *others))
            else:
                whole.append(tuple(row))
        return whole

    with open_manifest(path) as manifest:
        (reader,) = pickle.loads(pickle.dumps(manifest.readers))
        next(manifest.groups())
        count = manifest.rows
    portions = list(reader.portions(size))
    apart = [rows_of(reader.rows(portion)) for portion in portions]
    assert [len(rows) for rows in apart] == [portion.rows for portion in portions]
    with ExitStack() as stack:
        together = rows_of(open_table(path, None, reader.plan, stack).rows())
    assert [row for rows in apart for row in rows] == together
    assert len(together) == count >= 6
    assert (len(portions) == 1) == (size == 1 << 30)
    assert len(portions) <= count


def test_portions_of_parquet_are_row_groups(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "acts.parquet"
    urns = [f"{ACT}.{number}" for number in range(10)]
    parquet.write_table(pa.table({"urn": urns}), path, row_group_size=3)
    with open_manifest(path) as manifest:
        (reader,) = pickle.loads(pickle.dumps(manifest.readers))
    assert [tuple(portion) for portion in reader.portions(1)] == [
        (0, 1, 0, 3),
        (1, 2, 3, 3),
        (2, 3, 6, 3),
        (3, 4, 9, 1),
    ]
    (whole,) = reader.portions(1 << 30)
    assert whole.rows == 10
    for size in (1, 1 << 30):
        rows = [row for portion in reader.portions(size) for row in reader.rows(portion)]
        assert [row.line for row in rows] == list(range(1, 11))
        assert [dict(row.cells or {}) for row in rows] == [{"urn": urn} for urn in urns]


def test_a_stream_has_no_portions() -> None:
    with open_manifest(table()) as manifest, pytest.raises(ManifestError, match="name a file"):
        list(manifest.readers[0].portions(1))


def test_what_was_read_elsewhere_gives_the_same_rejects_file(tmp_path: Path) -> None:
    path, mine, theirs = (
        tables(tmp_path)["csv"],
        tmp_path / "a.rejects.csv",
        tmp_path / "b.rejects.csv",
    )
    with open_manifest(path, rejects=mine) as manifest:
        assert len(list(manifest.families())) == 3
    with open_manifest(path, rejects=theirs) as other:
        (reader,) = other.readers
        rejected: list[RejectedRow] = []
        number = 0
        for portion in reader.portions(100):
            read = read_portion(reader, portion, number)
            rejected += (row.rejected for row in read if row.rejected is not None)
            number += portion.rows
        other.write_rejected(number, rejected)
        assert (other.rows, other.rejected) == (manifest.rows, manifest.rejected) == (6, 3)
        assert other.rejects == (theirs,)
    assert theirs.read_bytes() == mine.read_bytes()
    assert len(rejected) > other.rejected
    with pytest.raises(ManifestError, match="closed"):
        other.write_rejected(0, ())


def test_kin_in_a_file(tmp_path: Path) -> None:
    path = tmp_path / "kin.sqlite"
    chain = [f"act{number:03}" for number in range(300)]
    write_joined_acts(path, [*pairwise(chain), ("b", "a"), ("c", "b"), ("a", "c")])
    with JoinedActs(path) as kin:
        assert {kin.root(act) for act in chain} == {"act000"}
        assert [kin.root(act) for act in "abcd"] == ["a", "a", "a", "d"]
    (tmp_path / "none").write_bytes(b"no database at all")
    with JoinedActs(tmp_path / "none") as kin, pytest.raises(ManifestError, match="cannot be read"):
        kin.root("a")
    with pytest.raises(ManifestError, match="cannot be read"):
        JoinedActs(tmp_path / "absent")


@pytest.mark.parametrize("mapped", [False, True])
def test_readers_of_rows_can_be_sent_to_other_processes(tmp_path: Path, *, mapped: bool) -> None:
    mapping = tmp_path / "columns.toml"
    mapping.write_text('[columns]\nname = "urn"\n[templates]\ntitle = "{name}"', encoding="utf-8")
    rows = [("name" if mapped else "urn"), ACT, "urn:lex:it", OTHER]
    source = tmp_path / "acts.csv"
    source.write_text("\n".join(rows), encoding="utf-8")
    with open_manifest(source, mapping=mapping if mapped else None) as manifest:
        readers = pickle.loads(pickle.dumps(manifest.readers))
        assert next(manifest.groups()).act == ACT
    raw = (row for portion in readers[0].portions(1) for row in readers[0].rows(portion))
    read = list(readers[0].read_rows(raw, 0))
    assert [row and (row.number, row.line, row.name) for row, _, _ in read] == [
        (1, 2, ACT),
        None,
        (3, 4, OTHER),
    ]
    assert [found.column for _, _, findings in read for found in findings] == [rows[0]]
    with AliasSets(readers) as alias_sets:
        for row, _, _ in read:
            if row is not None:
                alias_sets.add(row)
        assert list(alias_sets.join()) == []
        families = [build_family(group).family for group in alias_sets.groups()]
    assert [str(family.key) for family in families if family is not None] == [ACT, OTHER]
