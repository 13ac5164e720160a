"""Manifests as a whole: sources, headers, twins and aliases, rejects files, full disks."""

from __future__ import annotations

import copy
import csv
import datetime as dt
import doctest
import io
import json
import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lexurn.errors import ManifestError
from lexurn.manifest import alias_sets, open_manifest
from lexurn.manifest import manifest as manifest_module
from lexurn.model import (
    Item,
    LanguageText,
    LegalForce,
    ModelError,
    Record,
    Source,
    Status,
    families_of,
)
from lexurn.name import Severity, parse

if TYPE_CHECKING:
    from lexurn.findings import Finding

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
OTHER = "urn:lex:it:stato:legge:1990-08-07;241"
THIRD = "urn:lex:it:stato:legge:1970-05-20;300"
FOURTH = "urn:lex:it:stato:legge:1985-02-28;47"


def read(source: object, **options: object) -> tuple[list[object], list[Finding], object]:
    findings: list[Finding] = []
    with open_manifest(source, on_finding=findings.append, **options) as manifest:
        return list(manifest.families()), findings, manifest


def table(*rows: str, header: str = "urn,alias_of") -> io.BytesIO:
    return io.BytesIO("\n".join((header, *rows, "")).encode())


def keys(families: list[object]) -> list[str]:
    return [str(family.key) for family in families]


def test_every_column_goes_to_its_field() -> None:
    row = {
        "urn": f"{ACT}@2005-01-01:it",
        "title": " Legge\tquadro ",
        "title@IT": "Legge\r\nquadro",
        "cited_as": " L. 21 settembre 2003,\n n. 456 ",
        "alias_of": f"{OTHER}@2005-01-01:it",
        "also_named": f"{OTHER} {THIRD}",
        "issued": "2003-09-21",
        "published": "2003-09-22",
        "modified": "2003-09-23",
        "in_force_from": "2003-09-24",
        "in_force_until": "2003-09-20",
        "force": "partly-in-force",
        "force_on": "2003-09-24",
        "amended_by": f"{THIRD}\n{OTHER} {THIRD}",
        "version_order": "-7",
        "url": "https://b.example/ HTTP://A.example:80/x?y#z",
        "bytes": "5 -",
        "sha256": f"- {'AB' * 32}",
        "page": "https://a.example/%20?q=[1",
        "license": "https://l.example/ urn:x-licence:1",
        "publisher": "Ministero dell'interno\nhttps://p.example/",
        "creator": "C",
        "subject": "Umwelt:Wasser",
        "status": "withdrawn",
        "withdrawn_on": "2020-02-29",
    }
    row["page"] = "https://a.example/%20?q=1"
    families, findings, _ = read(io.BytesIO(json.dumps(row).encode()), format="jsonl")
    assert findings == []
    assert families[0].record(parse(row["urn"])) == Record(
        name=parse(row["urn"]),
        titles=(
            LanguageText(value="Legge\tquadro"),
            LanguageText(value="Legge\nquadro", language="it"),
        ),
        cited_as="L. 21 settembre 2003,\n n. 456",
        alias_of=parse(row["alias_of"]),
        also_named=(parse(THIRD), parse(OTHER)),
        issued=dt.date(2003, 9, 21),
        published=dt.date(2003, 9, 22),
        modified=dt.date(2003, 9, 23),
        in_force_from=dt.date(2003, 9, 24),
        in_force_until=dt.date(2003, 9, 20),
        force=LegalForce.PARTLY_IN_FORCE,
        force_on=dt.date(2003, 9, 24),
        amended_by=(parse(THIRD), parse(OTHER)),
        version_order=-7,
        items=(
            Item(url="HTTP://A.example:80/x?y#z", sha256="ab" * 32),
            Item(url="https://b.example/", bytes=5),
        ),
        pages=("https://a.example/%20?q=1",),
        licenses=("https://l.example/", "urn:x-licence:1"),
        publishers=("Ministero dell'interno", "https://p.example/"),
        creators=("C",),
        subjects=("Umwelt:Wasser",),
        status=Status.WITHDRAWN,
        withdrawn_on=dt.date(2020, 2, 29),
    )
    assert families[0].record(parse(row["urn"])).source == Source(file="-", line=1)


# --- what bytes a table may come in -------------------------------------------------------------

ENCODINGS = {
    "line feeds": b"urn,title\n%s,a\n\n%s,b\n",
    "no last line end": b"urn,title\n%s,a\n\n%s,b",
    "carriage returns and line feeds": b"urn,title\r\n%s,a\r\n\r\n%s,b\r\n",
    "a byte order mark": b"\xef\xbb\xbfurn,title\n%s,a\n\n%s,b\n",
    "blank lines first": b"\n\r\nurn,title\n%s,a\n%s,b\n",
    "quoted headers": b'"urn" , "title"\n%s,a\n\n%s,b\n'.replace(b" ", b""),
}


@pytest.mark.parametrize("data", ENCODINGS.values(), ids=ENCODINGS)
def test_line_ends_and_byte_order_marks(data: bytes) -> None:
    families, findings, _ = read(io.BytesIO(data % (ACT.encode(), OTHER.encode())))
    lines = {str(r.name): (r.titles[0].value, r.source.line) for f in families for r in f.records}
    assert findings == []
    first = 4 if data.startswith(b"\n") else 2
    last = first + 1 if data.startswith(b"\n") else first + 2
    assert lines == {ACT: ("a", first), OTHER: ("b", last)}


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_cells_of_several_lines_keep_their_line_breaks(end: str) -> None:
    data = end.join(["urn,title", f'{ACT},"one', 'two ""three"""', f"{OTHER},four", ""])
    families, findings, _ = read(io.BytesIO(data.encode()))
    records = [record for family in families for record in family.records]
    assert findings == []
    assert sorted((r.titles[0].value, r.source.line) for r in records) == [
        ("four", 4),
        ('one\ntwo "three"', 2),
    ]


def test_cells_may_be_longer_than_the_csv_module_likes() -> None:
    title = "x" * 200_000 + '"'
    families, findings, _ = read(table(f'{ACT},"{title}""', header="urn,title"))
    assert findings == []
    assert families[0].records[0].titles[0].value == title


def test_json_lines_with_a_byte_order_mark_and_blank_lines() -> None:
    data = b'\xef\xbb\xbf{"urn": "%s"}\r\n\r\n{"urn": "%s"}' % (ACT.encode(), OTHER.encode())
    families, findings, manifest = read(io.BytesIO(data))
    assert findings == []
    assert sorted(f.records[0].source.line for f in families) == [1, 3]
    assert (manifest.rows, manifest.rejected) == (2, 0)


REFUSED = {
    "nothing": (b"", "empty"),
    "blank lines": (b"\n\n\r\n", "empty"),
    "UTF-16 without a mark": ("urn,title\n".encode("utf-16-be"), "U+0000"),
    "UTF-32": ("urn,title\n".encode("utf-32-be"), "U+0000"),
    "a spreadsheet": (b"PK\x03\x04xl/workbook.xml", "spreadsheet"),
    "an old spreadsheet": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "spreadsheet"),
    "compressed": (b"\x1f\x8b\x08\x00", "compressed"),
    "carriage returns alone": (b"urn,title\rx,a\r", "U+000D"),
    "NUL in the header": (b"urn,ti\0tle\n", "U+0000"),
    "a header that is no UTF-8": (b"urn,libert\xe0\n", "byte 10"),
    "a quote in the header": (b'urn,"title\n', "quote"),
    "twins": (b"urn,title,title\n", 'columns 2 and 3 are both named "title"'),
    "a column without name": (b"urn,title,\n", "column 3 has no name"),
    "no urn": (b"title,url\n", "urn"),
    "unknown columns": (
        b"urn,Title,issue,foo\n",
        '"Title" (did you mean "title"?), "issue" (did you mean "issued"?), "foo"; ',
    ),
    "a language without its sign": (b"urn,title_it\n", '(did you mean "title@it"?)'),
    "no language tag": (b"urn,title@i_t\n", '"title@i_t"'),
    "parts of a name": (b"jurisdiction,authority,number\n", "give measure, date"),
    "semicolons": (
        b"urn;title;issued\n",
        ': the separator of the cells seems to be ";"; write separator = ";"',
    ),
    "a million columns": (b"urn," + b"," * 1_000_000 + b"\n", "1,000,002 columns"),
    "a million named columns": (
        ",".join(f"column{number}" for number in range(1_000_000)).encode(),
        "longer than 1,048,576 bytes",
    ),
    "unknown keys": (b'{"urn": "x", "titel": "y"}', '"titel" (did you mean "title"?)'),
}


@pytest.mark.parametrize(("data", "told"), REFUSED.values(), ids=REFUSED)
def test_what_is_no_manifest_is_refused(data: bytes, told: str) -> None:
    with pytest.raises(ManifestError) as refused:
        read(io.BytesIO(data))
    assert told in str(refused.value)
    assert str(refused.value).startswith("-:")


def test_all_unknown_columns_are_named_up_to_a_thousand() -> None:
    unknown = [f"unknown{number}" for number in range(999)]
    with pytest.raises(ManifestError, match=", ".join(f'"{name}"' for name in unknown)):
        read(io.BytesIO(",".join(["urn", *unknown]).encode()))
    row = json.dumps({f"unknown{number}": "" for number in range(20_000)})
    with pytest.raises(ManifestError, match=r'"unknown999" and 19,000 more'):
        read(io.BytesIO(row.encode()))


def test_a_header_alone_is_a_manifest_without_rows() -> None:
    families, findings, manifest = read(io.BytesIO(b"urn,title"))
    assert (families, findings, manifest.rows, manifest.rejected) == ([], [], 0, 0)


def test_the_format_goes_by_the_extension_and_can_be_said(tmp_path: Path) -> None:
    text = json.dumps({"urn": ACT})
    for name, stated in {"a.jsonl": None, "b.ndjson": None, "c.csv": "jsonl", "d": None}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
        families, _, _ = read(tmp_path / name, format=stated)
        assert keys(families) == [ACT]
    with pytest.raises(ManifestError, match="csv, tsv, jsonl, json, parquet, xlsx"):
        open_manifest(tmp_path / "a.jsonl", format="xml")
    with pytest.raises(ManifestError, match="the header"):
        open_manifest(tmp_path / "a.jsonl", format="csv")


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(table(f"{ACT},", "x,")))
    families, findings, _ = read("-")
    assert keys(families) == [ACT]
    assert [(f.file, f.line) for f in findings] == [("-", 3)]


def test_files_that_cannot_be_opened_are_told(tmp_path: Path) -> None:
    for source in (tmp_path / "missing.csv", tmp_path, "a\0b.csv"):
        with pytest.raises(ManifestError, match="cannot be"):
            read(source)
    with pytest.raises(ManifestError, match="no source"):
        read([])
    with pytest.raises(ManifestError, match="binary"):
        read(io.StringIO("urn\n"))


def test_a_stream_that_breaks_off() -> None:
    class Broken(io.RawIOBase):
        blocks = iter([b"urn\n" + ACT.encode() + b"\n"])

        def read(self, _size: int = -1) -> bytes:
            for block in self.blocks:
                return block
            raise OSError(5, "Input/output error")

    with open_manifest(Broken()) as manifest:
        with pytest.raises(ManifestError, match="Input/output error"):
            next(manifest.families())
        with pytest.raises(ManifestError, match="closed"):
            next(manifest.families())


def test_several_sources_are_one_manifest(tmp_path: Path) -> None:
    one, two = tmp_path / "one.csv", tmp_path / "two.jsonl"
    one.write_bytes(table(f"{ACT},", "bad,").getvalue())
    two.write_text(
        "\n".join(json.dumps({"urn": urn}) for urn in (OTHER, ACT)) + "\n", encoding="utf-8"
    )
    families, findings, manifest = read([one, two])
    assert keys(families) == [OTHER, ACT]
    assert [(f.file, f.line) for f in findings] == [(str(one), 3), (str(two), 2)]
    assert (findings[1].code, findings[1].text) == ("LX531", ACT)
    assert f"{one}:2" in findings[1].message
    assert (manifest.rows, manifest.rejected) == (4, 2)


def test_progress_is_told() -> None:
    told: list[int] = []
    rows = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(1, 2501)]
    read(table(*rows, header="urn"), on_progress=told.append)
    assert told == [1000, 2000, 2500]


# --- rows among others --------------------------------------------------------------------------

# rows; line, column, code of what is wrong; keys of the families
AMONG_OTHERS = {
    "the same name twice": (
        [f"{ACT},", f"{ACT}@2005-01-01,", f"{ACT.upper()},"],
        [(4, "urn", "LX531", None)],
        [ACT],
    ),
    "the same name three times": (
        [f"{ACT},", f"{ACT},", f"{ACT},"],
        [(3, "urn", "LX531", None), (4, "urn", "LX531", None)],
        [ACT],
    ),
    "the same alias for two works": (
        [f"{ACT},{OTHER}", f"{ACT},{THIRD}", f"{OTHER},", f"{THIRD},"],
        [(3, "alias_of", "LX532", None)],
        [THIRD, OTHER],
    ),
    "the same alias twice": (
        [f"{ACT},{OTHER}", f"{ACT},{OTHER}"],
        [(3, "urn", "LX531", None)],
        [OTHER],
    ),
    "itself": ([f"{ACT},{ACT}"], [(2, "alias_of", "LX533", None)], []),
    "an alias of an alias": (
        [f"{ACT},{OTHER}", f"{OTHER},{THIRD}"],
        [(2, "alias_of", "LX535", THIRD)],
        [THIRD],
    ),
    "an alias of an alias of an alias": (
        [f"{OTHER},{THIRD}", f"{ACT},{OTHER}", f"{THIRD},{FOURTH}"],
        [(2, "alias_of", "LX535", FOURTH), (3, "alias_of", "LX535", FOURTH)],
        [FOURTH],
    ),
    "a loop of two": (
        [f"{ACT},{OTHER}", f"{OTHER},{ACT}", f"{THIRD},"],
        [(2, "alias_of", "LX536", None), (3, "alias_of", "LX536", None)],
        [THIRD],
    ),
    "a loop of three": (
        [f"{ACT},{OTHER}", f"{OTHER},{THIRD}", f"{THIRD},{ACT}"],
        [(line, "alias_of", "LX536", None) for line in (2, 3, 4)],
        [],
    ),
    "a way into a loop": (
        [f"{FOURTH},{ACT}", f"{ACT},{OTHER}", f"{OTHER},{ACT}"],
        [(line, "alias_of", "LX536", None) for line in (2, 3, 4)],
        [],
    ),
    "another level": (
        [f"{ACT},{OTHER}@2005-01-01"],
        [(2, "alias_of", "LX534", None)],
        [],
    ),
}


@pytest.mark.parametrize(("rows", "expected", "left"), AMONG_OTHERS.values(), ids=AMONG_OTHERS)
def test_rows_that_do_not_fit_the_others(
    rows: list[str], expected: list[tuple[object, ...]], left: list[str]
) -> None:
    families, findings, manifest = read(table(*rows))
    assert [(f.line, f.column, f.code, f.suggestion) for f in findings] == expected
    assert keys(families) == left
    assert manifest.rejected == len(expected)
    assert manifest.rows == len(rows)


def test_a_very_long_chain_takes_no_long_time() -> None:
    acts = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(1000)]
    rows = [f"{one},{other}" for one, other in pairwise(acts)]
    families, findings, _ = read(table(*rows))
    assert len(findings) == 998
    assert keys(families) == [acts[-1]]


def test_families_come_by_key_and_their_rows_together() -> None:
    rows = [f"{ACT}@2005-01-01,", f"{THIRD},", f"{OTHER},{ACT}", f"{ACT},", f"{OTHER}~art1,"]
    families, findings, _ = read(table(*rows))
    assert findings == []
    assert keys(families) == [THIRD, ACT]
    assert {str(record.name) for record in families[1].records} == {
        ACT,
        OTHER,
        f"{ACT}@2005-01-01",
        f"{OTHER}~art1",
    }


def test_aliases_of_expressions_join_acts_along_a_path() -> None:
    acts = [f"urn:lex:it:stato:legge:2003-09-21;{number:04}" for number in range(300)]
    rows = [
        f"{one}@{year}-01-01,{other}@{year}-01-01"
        for year, (one, other) in enumerate(pairwise(acts), start=1700)
    ]
    families, findings, _ = read(table(*reversed(rows)))
    assert findings == []
    assert len(families) == 1
    assert str(families[0].key) == acts[1]


def test_a_rejected_alias_joins_nothing() -> None:
    rows = [f"{ACT},{OTHER}", f"{ACT},{THIRD}", f"{THIRD}@2005-01-01,", f"{OTHER},"]
    families, _, _ = read(table(*rows))
    assert keys(families) == [THIRD, OTHER]


def test_an_alias_set_that_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(alias_sets, "LARGEST_ALIAS_SET", 3)
    rows = [f"{ACT},", *(f"{ACT}@200{n}-01-01," for n in range(2)), f"{OTHER},{ACT}", f"{THIRD},"]
    families, findings, manifest = read(table(*rows))
    assert keys(families) == [THIRD]
    assert [(f.line, f.code, f.severity) for f in findings] == [(2, "LX537", Severity.ERROR)]
    assert "4 rows" in findings[0].message
    assert (manifest.rows, manifest.rejected) == (5, 4)


def test_a_copy_that_several_families_have_is_known_to_be_shared() -> None:
    gazette, own = "https://example.org/gazette.pdf", "https://example.org/own.pdf"
    rows = [
        f"{ACT}$a.it:application-pdf,,{gazette}",
        f"{OTHER}$a.it:application-pdf,{THIRD}$a.it:application-pdf,{gazette}",
        f"{THIRD}$a.it:application-pdf,,{own}",
        f"{FOURTH},,{own} {gazette}",
        f"{FOURTH}@original,,https://example.org/{FOURTH}",
    ]
    families, _, _ = read(table(*rows, header="urn,alias_of,url"))
    assert {str(family.key): family.shared for family in families} == {
        ACT: {gazette},
        THIRD: {gazette, own},
        FOURTH: {gazette, own},
    }
    again = families_of(record for family in families for record in family.records)
    assert [family.shared for family in again] == [family.shared for family in families]
    copies = copy.deepcopy(families)  # as a pickle does
    assert [family.shared for family in copies] == [family.shared for family in families]


def test_rows_that_do_not_fit_together_are_said_and_kept() -> None:
    rows = [f"{ACT}@2001-01-01,,2005-01-01", f"{ACT}@2002-01-01,,", f"{OTHER},,"]
    families, findings, manifest = read(table(*rows, header="urn,alias_of,in_force_until"))
    assert keys(families) == [OTHER, ACT]
    ((line, code, severity),) = [(f.line, f.code, f.severity) for f in findings]
    assert (line, code, severity) == (2, "LX611", Severity.WARNING)
    assert findings[0].message == families[1].findings[0].message
    assert manifest.rejected == 0


def test_a_family_that_the_model_refuses(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    real = alias_sets.family_of

    def family_of(records: list[Record], shared: object) -> object:
        if str(records[0].name) == ACT:
            raise ModelError("torn")
        return real(records, shared)

    monkeypatch.setattr(alias_sets, "family_of", family_of)
    path = tmp_path / "rejects.csv"
    families, findings, manifest = read(table(f"{ACT},", f"{OTHER},"), rejects=path)
    assert keys(families) == [OTHER]
    assert [(f.line, f.code, f.message) for f in findings] == [(2, "LX538", "torn")]
    reasons = path.with_name("rejects.reasons.csv").read_text("utf-8")
    assert reasons.splitlines()[1:] == ["-,2,,LX538,torn,"]
    assert path.read_bytes() == table(f"{ACT},").getvalue()
    assert manifest.rejects == (path,)


def test_versions_that_no_date_orders_take_the_place_of_their_row() -> None:
    rows = [
        f"{ACT}@testo.presentato,",
        f"{ACT}@approvato.senato,9",
        f"{ACT}@original,",
        f"{ACT}@2005-01-01,",
        f"{ACT}@approvato.camera;2004-01-01,",
        f"{ACT}@testo.b:it$a.it:text-html,",
        f"{ACT}@testo.b:it~art1,",
        f"{ACT}@testo.c~art1,",
        f"{ACT}@testo.c,",
    ]
    families, findings, _ = read(table(*rows, header="urn,version_order"))
    assert findings == []
    orders = {str(r.name).removeprefix(ACT): r.version_order for r in families[0].records}
    assert {name: order for name, order in orders.items() if order is not None} == {
        "@testo.presentato": 1,
        "@approvato.senato": 9,
        "@testo.b:it": 6,
        "@testo.c": 9,
    }
    assert families[0].record(parse(f"{ACT}@testo.b:it")).source == Source(file="-", line=7)


# --- rejects --------------------------------------------------------------------------------------


def test_rejects_are_the_bad_rows_as_they_are(tmp_path: Path) -> None:
    source, path = tmp_path / "acts.csv", tmp_path / "rejects.csv"
    head = b"\xef\xbb\xbfurn,title\r\n"
    bad = [
        b'x,"a ""b"" \r\nc"\r\n',
        b"y,\xff\0\r\n",
        f'{OTHER},"never closed\r\n'.encode(),
        f"{THIRD},{'z' * 3_000_000}\r\n".encode(),
        b",,,\r\n",
        f"{ACT},twin".encode(),
    ]
    good = f"{ACT},good\r\n".encode()
    source.write_bytes(head + bad[0] + good + b"\r\n" + b"".join(bad[1:]))
    _, findings, manifest = read(source, rejects=path)
    assert path.read_bytes() == head + b"".join(bad)
    assert manifest.rejects == (path,)
    assert (manifest.rows, manifest.rejected, len(findings)) == (7, 6, 7)
    assert sorted(tmp_path.iterdir()) == [source, path, path.with_name("rejects.reasons.csv")]


def test_reasons_lie_beside_rejects_and_go_with_them(tmp_path: Path) -> None:
    source, path = tmp_path / "acts.csv", tmp_path / "acts.rejects.csv"
    long = b"z" * 3_000_000
    rows = (
        f"{ACT},a,2003-09-21",
        f"{ACT},b,1.2.2003",
        "x,,",
        f"{ACT},c,",
        f"{OTHER},{long.decode()},",
        f"{THIRD}@2005-01-01:it,\udcff,",
    )
    source.write_bytes("\n".join(["urn,title,issued", *rows]).encode(errors="surrogateescape"))
    read(source, rejects=path)
    with path.with_name("acts.rejects.reasons.csv").open(encoding="utf-8", newline="") as stream:
        reasons = list(csv.DictReader(stream))
    assert [(each["file"], each["line"], each["column"], each["code"]) for each in reasons] == [
        (str(source), "3", "issued", "LX512"),
        (str(source), "4", "urn", "LX101"),
        (str(source), "5", "urn", "LX531"),
        (str(source), "6", "title", "LX503"),
        (str(source), "7", "title", "LX501"),
    ]
    assert reasons[0]["message"].startswith('"1.2.2003" is not a date')
    source.write_text("urn,title,issued\n", encoding="utf-8")
    read(source, rejects=path)
    assert list(tmp_path.iterdir()) == [source]


def test_a_last_row_without_line_end_does_not_run_into_the_next(tmp_path: Path) -> None:
    one, two, path = (tmp_path / name for name in ("one.csv", "two.csv", "rejects.csv"))
    one.write_bytes(b"urn,title\nx,1")
    two.write_bytes(b"urn,title\ny,2")
    read([one, two], rejects=path)
    assert path.read_bytes() == b"urn,title\nx,1\ny,2"


def test_tables_with_other_headers_have_rejects_of_their_own(tmp_path: Path) -> None:
    sources = [tmp_path / name for name in ("a.csv", "b.csv", "c.jsonl")]
    sources[0].write_bytes(b"urn,title\nx,1\n")
    sources[1].write_bytes(b"title,urn\n2,y\n")
    sources[2].write_bytes(b'{"urn": "z"}\n')
    path = tmp_path / "rejects.csv"
    _, _, manifest = read(sources, rejects=path)
    assert [p.name for p in manifest.rejects] == ["rejects.csv", "rejects.2.csv", "rejects.3.jsonl"]
    assert [p.read_bytes() for p in manifest.rejects] == [p.read_bytes() for p in sources]


def test_each_table_may_have_a_rejects_file_of_its_own(tmp_path: Path) -> None:
    sources = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    for source, row in zip(sources, ("x,", f"{ACT},", "y,"), strict=True):
        source.write_bytes(table(row).getvalue())
    paths = [tmp_path / f"{source.stem}.rejects.csv" for source in sources]
    _, _, manifest = read(sources, rejects=paths)
    assert manifest.rejects == (paths[0], paths[2])
    for source, path in zip(sources, paths, strict=True):
        assert not path.exists() if path == paths[1] else path.read_bytes() == source.read_bytes()


@pytest.mark.parametrize(
    "names", [["rejects.csv"], ["rejects.csv"] * 2, ["r.rejects", "s.rejects", "r.rejects"]]
)
def test_rejects_files_are_one_for_each_source(tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(ManifestError, match="for 2 sources"):
        open_manifest([table("x,"), table("y,")], rejects=[tmp_path / name for name in names])


def test_a_numbered_rejects_file_still_says_what_it_is(tmp_path: Path) -> None:
    sources = [tmp_path / "a.csv", tmp_path / "b.jsonl"]
    sources[0].write_bytes(b"urn,title\nx,1\n")
    sources[1].write_bytes(b'{"urn": "z"}\n')
    _, _, manifest = read(sources, rejects=tmp_path / "acts.rejected")
    assert [each.name for each in manifest.rejects] == ["acts.rejected", "acts.rejected.2.jsonl"]


def test_rejected_rows_are_counted_by_file(tmp_path: Path) -> None:
    sources = [tmp_path / name for name in ("a.csv", "b.csv", "c.csv")]
    for source, rows in zip(
        sources, ((f"{ACT},", "x,", "y,"), (f"{THIRD},",), ("z,",)), strict=True
    ):
        source.write_bytes(table(*rows).getvalue())
    paths = [tmp_path / f"{each.stem}.rejects.csv" for each in sources]
    with open_manifest(sources, rejects=paths) as manifest:
        assert manifest.count_rejected() == {}
        assert len(list(manifest.families())) == 2
        assert manifest.count_rejected() == {str(sources[0]): 2, str(sources[2]): 1}
        assert manifest.rejected == 3


def test_rejects_of_an_earlier_run_go_when_none_are_bad(tmp_path: Path) -> None:
    path = tmp_path / "rejects.csv"
    read(table("x,"), rejects=path)
    assert path.exists()
    _, _, manifest = read(table(f"{ACT},"), rejects=path)
    assert not path.exists()
    assert manifest.rejects == ()


def test_rejects_never_take_the_place_of_another_file(tmp_path: Path) -> None:
    source, notes = tmp_path / "acts.csv", tmp_path / "notes.csv"
    source.write_bytes(table("x,").getvalue())
    notes.write_bytes(b"dear diary\n")
    for path, told in {
        source: "source itself",
        tmp_path / "." / "acts.csv": "source itself",
        notes: 'must contain the word "reject"',
        tmp_path: "not a regular file",
        tmp_path / "missing" / "rejects.csv": "no folder",
    }.items():
        with pytest.raises(ManifestError, match=told):
            open_manifest(source, rejects=path)
    assert notes.read_bytes() == b"dear diary\n"


def test_rejects_are_written_over_nothing_on_their_way(tmp_path: Path) -> None:
    path, mine = tmp_path / "rejects.csv", tmp_path / "mine"
    mine.write_bytes(b"mine")
    (tmp_path / ".rejects.csv.part").symlink_to(mine)
    read(table("x,"), rejects=path)
    assert path.exists()
    assert mine.read_bytes() == b"mine"


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
def test_further_rejects_take_the_place_of_files_alone(tmp_path: Path) -> None:
    path, pipe = tmp_path / "rejects.csv", tmp_path / "rejects.2.csv"
    os.mkfifo(pipe)
    with pytest.raises(ManifestError, match=r"rejects.2.csv: not a regular file"):
        read([table("x,"), io.BytesIO(b"title,urn\n2,y\n")], rejects=path)
    assert pipe.is_fifo()


def test_without_a_rejects_file_no_file_is_written(tmp_path: Path) -> None:
    source = tmp_path / "acts.csv"
    source.write_bytes(table("x,").getvalue())
    read(source)
    assert list(tmp_path.iterdir()) == [source]


def test_a_rejects_file_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ManifestError, match=r"rejects.csv: .* No space left on device"):
        read(table("x,"), rejects=tmp_path / "rejects.csv")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["others.csv", "bad.jsonl", "reject/others.csv"])
def test_a_rejects_file_that_may_be_something_else_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(table(f"{ACT},").getvalue())
    before = path.read_bytes()
    with pytest.raises(
        ManifestError, match=r'must contain the word "reject"; for example .*reject'
    ):
        read(table("x,"), rejects=path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("name", ["rejects.csv", "acts.Rejected", "rejects.jsonl"])
def test_a_rejects_file_is_written_anew_every_night(tmp_path: Path, name: str) -> None:
    for bad in ("x,", "y,"):
        read(table(bad), rejects=tmp_path / name)
        assert (tmp_path / name).read_text(encoding="utf-8").splitlines()[1] == bad
    jsonl = io.BytesIO(b'{"urn": "z"}\n')
    read(jsonl, format="jsonl", rejects=tmp_path / name)
    assert (tmp_path / name).read_bytes() == jsonl.getvalue()


# --- disks and interrupts -------------------------------------------------------------------------


def test_a_full_disk_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        alias_sets, "SPOOL_SETTINGS", (*alias_sets.SPOOL_SETTINGS, "PRAGMA max_page_count = 12")
    )
    rows = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(1, 5000)]
    with pytest.raises(ManifestError, match=r"full.*TMPDIR"):
        read(table(*rows, header="urn"))


LIMITED = """
import resource, sys
from lexurn.errors import ManifestError
from lexurn.manifest import alias_sets, open_manifest
alias_sets.SPOOL_SETTINGS = tuple(s for s in alias_sets.SPOOL_SETTINGS if "cache_size" not in s) + (
    "PRAGMA cache_size = 4",)
resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, 200_000))
try:
    with open_manifest(sys.argv[1]) as manifest:
        print(len(list(manifest.families())))
except ManifestError as full:
    print("refused:", full)
"""


@pytest.mark.skipif(os.name != "posix", reason="limits of file sizes are POSIX")
def test_a_disk_that_takes_no_more_is_told(tmp_path: Path) -> None:
    source, temporary = tmp_path / "acts.csv", tmp_path / "temporary"
    temporary.mkdir()
    rows = [f"urn:lex:it:stato:legge:2003-09-21;{number}" for number in range(1, 10_000)]
    source.write_bytes(table(*rows, header="urn").getvalue())
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, source],
        capture_output=True,
        text=True,
        check=True,
        env={
            **os.environ,
            "TMPDIR": str(temporary),
            "SQLITE_TMPDIR": str(temporary),
            "PYTHONPATH": os.pathsep.join(sys.path),
        },
    )
    assert done.stdout.startswith("refused: the rows cannot be kept")
    assert list(temporary.iterdir()) == []


def test_an_interrupt_leaves_nothing_behind(tmp_path: Path) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    rows = [f"x{number}," for number in range(2000)]
    with (
        pytest.raises(KeyboardInterrupt),
        open_manifest(
            table(*rows), rejects=tmp_path / "rejects.csv", on_progress=interrupt
        ) as manifest,
    ):
        next(manifest.families())
    assert list(tmp_path.iterdir()) == []


def test_families_can_be_read_again_until_the_manifest_is_closed() -> None:
    with open_manifest(table(f"{ACT},", f"{OTHER},")) as manifest:
        first = next(manifest.families())
        assert str(first.key) == OTHER
        assert list(manifest.families()) == list(manifest.families())
        assert (manifest.rows, manifest.rejected) == (2, 0)
    with pytest.raises(ManifestError, match="closed"):
        next(manifest.families())


def test_the_page_of_the_room_is_true() -> None:
    failed, tried = doctest.testmod(manifest_module)
    assert tried > 3
    assert failed == 0
