"""What can be wrong with a row: each fault at its file, line, column and place."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lexurn.findings import Finding, load_codes
from lexurn.manifest import open_manifest
from lexurn.name import Severity, check

if TYPE_CHECKING:
    from lexurn.model import Record

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
VERSION = f"{ACT}@2005-01-01:it"
OTHER = "urn:lex:it:stato:legge:1990-08-07;241"
THIRD = "urn:lex:it:stato:legge:1970-05-20;300"
DIGEST = "0123456789abcdef" * 4
HEADER = "urn,title@it,issued"


def read(data: bytes, **options: object) -> tuple[list[Record], list[Finding], tuple[int, int]]:
    """All records with a source, all findings, and the counts of a manifest."""
    findings: list[Finding] = []
    with open_manifest(io.BytesIO(data), on_finding=findings.append, **options) as manifest:
        families = list(manifest.families())
        counts = manifest.rows, manifest.rejected
    records = [record for family in families for record in family.records]
    return [record for record in records if record.source is not None], findings, counts


def csv(*lines: str | bytes, header: str = HEADER) -> bytes:
    return b"\n".join(
        line if isinstance(line, bytes) else line.encode() for line in (header, *lines, "")
    )


GOOD = f"{ACT},Legge,2003-09-21"

# the bytes of a table; line, column, code, start, end of what is wrong with it
WHOLE_ROWS = {
    "Latin-1 in a title": (
        csv(GOOD, f"{OTHER},Libert".encode() + b"\xe0,"),
        (3, "title@it", "LX501", 6, 7),
    ),
    "NUL": (csv(GOOD, f"{OTHER},a\0b,"), (3, "title@it", "LX502", 1, 2)),
    "a carriage return in a cell": (csv(GOOD, f'{OTHER},"a\rb",'), (3, "title@it", "LX502", 1, 2)),
    "an escape character": (csv(GOOD, f"{OTHER},a\x1b[31m,"), (3, "title@it", "LX502", 1, 2)),
    "a C1 control": (csv(GOOD, f"{OTHER},ab\x85,"), (3, "title@it", "LX502", 2, 3)),
    "a noncharacter that XML cannot hold": (
        csv(GOOD, f"{OTHER},ab\uffff,"),
        (3, "title@it", "LX502", 2, 3),
    ),
    "ten megabytes in a cell": (
        csv(GOOD, f"{OTHER},{'x' * 10_000_000},"),
        (3, "title@it", "LX503", 0, 0),
    ),
    "ten megabytes in a quoted cell": (
        csv(GOOD, f'{OTHER},"{"x" * 10_000_000}",'),
        (3, "title@it", "LX503", 0, 0),
    ),
    "a quote that is never closed": (
        csv(GOOD, f'{OTHER},"Legge,'),
        (3, "title@it", "LX504", 38, 39),
    ),
    "a quote that the next quote closes too late": (
        csv(GOOD, f'{OTHER},"Legge,', f'{THIRD},"Statuto",'),
        (3, "title@it", "LX504", 38, 39),
    ),
    "text behind a closing quote": (
        csv(GOOD, f'{OTHER},"Legge" quadro,'),
        (3, "title@it", "LX505", 44, 45),
    ),
    "a quote amid an unquoted cell": (
        csv(GOOD, f'{OTHER},Legge "quadro",'),
        (3, "title@it", "LX505", 44, 45),
    ),
    "too few cells": (csv(GOOD, OTHER), (3, None, "LX506", 0, 37)),
    "too many cells": (csv(GOOD, f"{OTHER},a,,"), (3, None, "LX506", 0, 41)),
    "a row behind a row of several lines": (
        csv(f'{ACT},"one\ntwo\nthree",', OTHER),
        (5, None, "LX506", 0, 37),
    ),
    "no name": (csv(GOOD, " ,Legge,"), (3, None, "LX511", 0, 0)),
}


@pytest.mark.parametrize(("data", "expected"), WHOLE_ROWS.values(), ids=WHOLE_ROWS)
def test_faults_of_whole_rows(data: bytes, expected: tuple[object, ...]) -> None:
    records, findings, (rows, rejected) = read(data)
    found = [(f.line, f.column, f.code, f.start, f.end) for f in findings]
    assert found == [expected]
    assert findings[0].file == "-"
    assert findings[0].severity is Severity.ERROR
    assert ACT in [str(record.name) for record in records]
    assert (rows - rejected, rejected) == (len(records), 1)


# a column and a cell; code, start and end of what is wrong with it, and what to write instead
CELLS = {
    "a day of another order": ("issued", "21/09/2003", "LX512", 0, 10, None),
    "a day without hyphens": ("issued", "20030921", "LX512", 0, 8, "2003-09-21"),
    "a week": ("issued", "2003-W38-7", "LX512", 0, 10, None),
    "a day that does not exist": ("published", "2003-02-29", "LX512", 0, 10, None),
    "a year": ("modified", "2003", "LX512", 0, 4, None),
    "a time": ("issued", " 2003-09-21T10:00:00Z", "LX512", 1, 21, "2003-09-21"),
    "digits of another script": ("in_force_from", "٢٠٠٣-٠٩-٢١", "LX512", 0, 10, None),
    "a day in words": ("in_force_until", "oggi", "LX512", 0, 4, None),
    "withdrawn some day": ("withdrawn_on", "x", "LX512", 0, 1, None),
    "a roman number": ("version_order", "IV", "LX513", 0, 2, None),
    "a number with a point": ("version_order", "1.0", "LX513", 0, 3, None),
    "a number without end": ("version_order", "9" * 5000, "LX513", 0, 5000, None),
    "no status": ("status", "repealed", "LX519", 0, 8, None),
    "no state of force": ("force", "valid", "LX527", 0, 5, None),
    "a state of force in words": ("force", "Partly in force", "LX527", 0, 15, "partly-in-force"),
    "a status in upper case": ("status", "Withdrawn", "LX519", 0, 9, "withdrawn"),
    "a script": ("url", "javascript:alert(1)", "LX514", 0, 19, None),
    "a script as a page": ("page", "JavaScript://x/%0Aalert(1)", "LX514", 0, 26, None),
    "a script in capitals": ("license", "JAVASCRIPT:alert(1)", "LX515", 0, 19, None),
    "a file of the browser": ("license", "FileSystem:https://a.example/x", "LX515", 0, 30, None),
    "a file": ("url", "file:///etc/passwd", "LX514", 0, 18, None),
    "a path": ("url", "/acts/456.pdf", "LX514", 0, 13, None),
    "a host alone": ("url", "www.example.org", "LX514", 0, 15, None),
    "no host": ("url", "https:///456", "LX514", 0, 12, None),
    "the second URL": ("url", "https://a.example/1 ftp://a.example/2", "LX514", 20, 37, None),
    "user and password": ("page", "https://u:p@a.example/", "LX514", 0, 22, None),
    "markup in a URL": ("page", "https://a.example/<b>", "LX514", 0, 21, None),
    "half an encoded character": ("page", "https://a.example/%e", "LX514", 0, 20, None),
    "a licence by its name": ("license", "CC-BY", "LX515", 0, 5, None),
    "a licence that runs": ("license", "javascript:alert(1)", "LX515", 0, 19, None),
    "a licence without host": ("license", "http://", "LX515", 0, 7, None),
    "a publisher that is half an IRI": ("publisher", "https://exa[mple", "LX515", 0, 16, None),
    "the second creator": ("creator", "Rossi\nhttp://", "LX515", 6, 13, None),
    "no digest": ("sha256", "abc", "LX516", 0, 3, None),
    "a digest too long": ("sha256", DIGEST + "0", "LX516", 0, 65, None),
    "a negative size": ("bytes", "-1", "LX513", 0, 2, None),
    "a size without a URL": ("bytes", "1", "LX517", 0, 1, None),
    "a digest without a URL": ("sha256", DIGEST, "LX517", 0, 64, None),
    "a file out of the folder": ("file", "a.html\n../b.html", "LX526", 7, 16, None),
    "a file from the root": ("file", "/a.html", "LX526", 0, 7, None),
    "a folder and no file": ("file", "a/", "LX526", 0, 2, None),
    "itself": ("alias_of", ACT, "LX533", 0, 37, None),
    "an expression of itself": ("alias_of", VERSION, "LX534", 0, 51, None),
    "a part of another": ("alias_of", f" {OTHER}~art1", "LX534", 1, 43, None),
}


@pytest.mark.parametrize(
    ("column", "cell", "code", "start", "end", "suggestion"), CELLS.values(), ids=CELLS
)
def test_faults_of_cells(
    column: str, cell: str, code: str, start: int, end: int, suggestion: str | None
) -> None:
    row = json.dumps({"urn": ACT, column: cell})
    other = json.dumps({"urn": OTHER})
    records, findings, counts = read(f"{row}\n{other}\n".encode(), format="jsonl")
    (found,) = findings
    assert (found.line, found.column, found.code) == (1, column, code)
    assert (found.start, found.end, found.suggestion) == (start, end, suggestion)
    assert (found.rule, found.severity) == (load_codes()[code].rule, Severity.ERROR)
    assert [str(record.name) for record in records] == [OTHER]
    assert counts == (2, 1)


NAME_CELLS = [
    ("urn", f"  {ACT[:-4]}"),
    ("alias_of", "urn:nir:stato:legge:2003-09-21;456"),
    ("amended_by", f"{OTHER} nonsense"),
    ("also_named", f"\t{OTHER}\n{OTHER}@"),
]


@pytest.mark.parametrize(("column", "cell"), NAME_CELLS)
def test_findings_on_names_keep_their_code_and_stand_at_their_place_in_the_cell(
    column: str, cell: str
) -> None:
    bad = cell.rsplit(maxsplit=1)[-1].strip()
    expected = check(bad).errors[0]
    row = {"urn": ACT, column: cell} if column != "urn" else {"urn": cell}
    _, findings, counts = read(json.dumps(row).encode(), format="jsonl")
    found = next(f for f in findings if f.severity is Severity.ERROR)
    assert (found.code, found.column, found.message) == (expected.code, column, expected.message)
    assert found.start == cell.rindex(bad) + expected.start
    assert found.end == cell.rindex(bad) + expected.end
    assert (found.rule, found.suggestion) == (expected.rule, expected.suggestion)
    assert counts == (1, 1)


def test_warnings_on_names_leave_the_row() -> None:
    records, findings, counts = read(csv("urn:lex:it:stato:legge:2003;456,Legge,"))
    assert [f.severity for f in findings] == [Severity.WARNING]
    assert len(records) == 1
    assert counts == (1, 0)


@pytest.mark.parametrize("tail", ["#art1", "?=x", "?+y", "?+y?=x#z"])
def test_components_are_no_part_of_a_name(tail: str) -> None:
    records, findings, _ = read(csv(f"{ACT}{tail},Legge,"))
    (found,) = findings
    assert (found.code, found.severity, found.suggestion) == ("LX521", Severity.WARNING, ACT)
    assert (found.start, found.end) == (len(ACT), len(ACT) + len(tail))
    assert str(records[0].name) == ACT


def test_a_lost_character_is_told() -> None:
    records, findings, _ = read(csv(f"{ACT},Libert\ufffd,"))
    assert [(f.code, f.start, f.severity) for f in findings] == [("LX522", 6, Severity.WARNING)]
    assert records[0].titles[0].value == "Libert\ufffd"


URL, URL2 = "https://a.example/1", "https://a.example/2"
COPIES = [
    ({"url": f"{URL} {URL2}", "bytes": "1"}, ("LX517", "bytes", 0, 1)),
    ({"url": URL, "sha256": f"{DIGEST} {DIGEST}"}, ("LX517", "sha256", 0, 129)),
    ({"url": f"{URL} {URL}", "bytes": "1 2"}, ("LX518", "url", 0, 39)),
]


@pytest.mark.parametrize(("fields", "expected"), COPIES)
def test_sizes_and_digests_belong_to_urls(
    fields: dict[str, str], expected: tuple[str, str, int, int]
) -> None:
    _, findings, counts = read(json.dumps({"urn": ACT, **fields}).encode(), format="jsonl")
    assert [(f.code, f.column, f.start, f.end) for f in findings] == [expected]
    assert counts == (1, 1)


def test_all_faults_of_a_row_are_told_at_once() -> None:
    row = {"urn": "x", "issued": "today", "url": "y", "title@it": "a\0"}
    _, findings, counts = read(json.dumps(row).encode(), format="jsonl")
    assert [f.column for f in findings] == ["urn", "issued", "url", "title@it"]
    assert counts == (1, 1)


JSON_ROWS = {
    "no JSON": (b"{urn}", None, "LX507", 1),
    "cut off": (b'{"urn": "x"', None, "LX507", 11),
    "an array": (b'["x"]', None, "LX507", 0),
    "a number": (b"5", None, "LX507", 0),
    "two objects": (b'{"urn":"x"} {"urn":"y"}', None, "LX507", 12),
    "not a number": (b'{"version_order": NaN}', None, "LX507", 0),
    "a number without end": (b'{"version_order": ' + b"9" * 5000 + b"}", None, "LX507", 0),
    "nested too deep": (b"[" * 500_000, None, "LX507", 0),
    "a key twice": (b'{"urn": "x", "urn": "y"}', "urn", "LX508", 0),
    "an unknown key": (b'{"urn": "x", "titel": "y"}', "titel", "LX509", 0),
    "a truth value": (b'{"urn": true}', "urn", "LX510", 0),
    "an object": (b'{"title": {"it": "x"}}', "title", "LX510", 0),
    "a list for one value": (b'{"title": ["x", "y"]}', "title", "LX510", 0),
    "a broken number": (b'{"version_order": 1.5}', "version_order", "LX513", 0),
    "an endless number": (b'{"version_order": 1e999}', "version_order", "LX510", 0),
    "nothing in a list": (b'{"url": [null]}', "url", "LX510", 0),
    "a list in a list": (b'{"url": [["x"]]}', "url", "LX510", 0),
    "a lone surrogate": (b'{"urn": "x", "title": "a\\ud800"}', "title", "LX502", 1),
    "a raw control character": (b'{"title": "a\x01"}', None, "LX507", 12),
    "no UTF-8": (b'{"urn": "x", "title": "a\xff"}', "title", "LX501", 1),
    "ten megabytes": (b'{"title": "' + b"x" * 10_000_000 + b'"}', None, "LX503", 0),
}


@pytest.mark.parametrize(
    ("row", "column", "code", "start"), JSON_ROWS.values(), ids=JSON_ROWS.keys()
)
def test_faults_of_json_lines(row: bytes, column: str | None, code: str, start: int) -> None:
    good = f'{{"urn": "{ACT}"}}\n'.encode()
    row = row.replace(b'"x", ', f'"{OTHER}", '.encode())
    records, findings, counts = read(good + row + b"\n" + good[:-40] + b"}", format="jsonl")
    found = findings[0]
    assert (found.line, found.column, found.code, found.start) == (2, column, code, start)
    assert [str(record.name) for record in records] == [ACT]
    assert counts == (3, 2)


def test_files_stand_on_a_line_each() -> None:
    table = f'urn,file\r\n"{ACT}","b c.html\n\n a/1.pdf "\r\n'.encode()
    records, findings, _ = read(table, format="csv")
    assert not findings
    assert records[0].files == ("a/1.pdf", "b c.html")
    assert read(f'{{"urn": "{ACT}", "file": ["a/1.pdf", "b c.html"]}}'.encode(), format="jsonl")[
        0
    ] == list(records)


def test_two_columns_may_not_give_one_value(tmp_path: Path) -> None:
    mapping = tmp_path / "columns.toml"
    mapping.write_text('[columns]\nday = "issued"\n', encoding="utf-8")
    row = {"urn": ACT, "day": "2003-09-21", "issued": "2003-09-22"}
    _, findings, _ = read(json.dumps(row).encode(), format="jsonl", mapping=mapping)
    assert [(f.code, f.column) for f in findings] == [("LX520", "issued")]


def test_every_code_is_known_by_a_test() -> None:
    here = Path(__file__).parent
    cases = (here.parent / "cases" / f"{name}.jsonl" for name in ("table_checks", "mapping_keys"))
    files = (*here.glob("test_*.py"), *cases)
    tests = "".join(file.read_text("utf-8") for file in files)
    assert [
        code for code in load_codes() if code.startswith("LX5") and tests.count(f'"{code}"') < 1
    ] == []
