"""Extractions as JSON, as manifests, as RDF; and the command line."""

from __future__ import annotations

import csv
import datetime as dt
import io
import json
from dataclasses import replace
from typing import TYPE_CHECKING

import jsonschema
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from reading_cases import ACT, ELI, SCHEMA, ours, page, reading_of
from sizes import examples

from lexurn import data
from lexurn.cli import main
from lexurn.documents import (
    Notation,
    Reading,
    Statement,
    extraction_to_json,
    extraction_to_rows,
    rows_to_csv,
    rows_to_rdf,
)
from lexurn.documents.extraction import interpret_reading, merge_rows
from lexurn.documents.terms import FIELDS_BY_TERM, IDENTIFIER_TERMS, RELATION_KINDS
from lexurn.graph import CONCEPT_LINKS, Format, read, records_of
from lexurn.manifest import open_manifest
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.vocabulary import PREF_LABEL

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

    from lexurn.documents import Extraction
    from lexurn.documents.extraction import Row
    from lexurn.manifest import Finding
    from lexurn.name import Name

VALID = jsonschema.Draft202012Validator(
    json.loads(data.read_text("ontology/extraction.schema.json"))
)
OTHER = "urn:lex:it:governo:legge:2003-09-21;456"
NEW = f"{ACT}@2005-01-01:it"
RECORD = Record(
    name=parse(NEW),
    titles=(LanguageText(value='Norme, e "altro"', language="it"),),
    issued=dt.date(2003, 9, 22),
    published=dt.date(2003, 9, 23),
    modified=dt.date(2020, 1, 1),
    in_force_from=dt.date(2005, 2, 1),
    in_force_until=dt.date(2009, 8, 1),
    amended_by=(parse("urn:lex:it:stato:legge:2004-01-01;1"),),
    licenses=("https://l.example/",),
    publishers=("Stato",),
    creators=("Camera", "Senato"),
    subjects=("acqua",),
)


def our_page(record: Record = RECORD) -> str:
    return our_page_of(record.name, (record,))


def our_page_of(name: Name, records: tuple[Record, ...], base: str | None = None) -> str:
    return page(ours(str(name), records, base=base))


def json_ld_of(name: str, *others: str) -> str:
    block = json.dumps({"@context": "https://schema.org", "@id": name, "sameAs": others})
    return page(f'<script type="application/ld+json">{block}</script>')


def of(text: str, file: str = "a.html") -> Extraction:
    return interpret_reading(reading_of(text), file=file, format="html")


def check(extraction: Extraction) -> dict[str, object]:
    found = extraction_to_json(extraction)
    VALID.validate(found)
    return found


def test_json() -> None:
    found = check(of(our_page()))
    assert (found["name"], found["level"], found["version"]) == (NEW, "expression", "2005-01-01")
    assert found["in_force_until"] == "2009-08-01"
    (name,) = found["names"]  # type: ignore[misc]
    assert name["ours"]  # type: ignore[has-type]


def records_in(table: bytes, form: str) -> list[Record]:
    findings: list[object] = []
    with open_manifest(io.BytesIO(table), format=form, on_finding=findings.append) as manifest:
        found = [family.record(parse(NEW)) for family in manifest.families()]
    assert findings == []
    return [replace(record, files=()) for record in found if record is not None]


@pytest.mark.parametrize("form", ["csv", "jsonl"])
def test_a_manifest_says_what_the_page_says(form: str) -> None:
    rows = extraction_to_rows(of(our_page(), file="acts/a.html"))
    lines = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    (record,) = records_in(b"".join(rows_to_csv(rows)) if form == "csv" else lines, form)
    assert record == RECORD


@pytest.mark.parametrize("form", ["turtle", "jsonld", "nquads"])
def test_rdf_says_what_the_page_says(form: str) -> None:
    text = b"".join(
        rows_to_rdf(extraction_to_rows(of(our_page())), form, as_of=dt.date(2020, 1, 1))
    )
    statements = read(text, Format.from_name(form))
    assert RECORD in records_of(statements)
    links = {value for _, predicate, value in statements.merged if predicate in CONCEPT_LINKS}
    labelled = {node for node, predicate, _ in statements.merged if predicate == PREF_LABEL}
    assert links
    assert links <= labelled


@pytest.mark.parametrize("form", ["turtle", "nquads"])
def test_rdf_does_not_say_which_version_is_first_or_last(form: str) -> None:
    text = b"".join(
        rows_to_rdf(extraction_to_rows(of(our_page())), form, as_of=dt.date(2020, 1, 1))
    ).decode()
    assert NEW in text
    assert "assignments/relation/" not in text
    assert "iana:first" not in text
    assert "asOf" not in text


def test_a_row_has_a_state_of_force_unless_its_end_is_stated() -> None:
    force = f'<link property="{ELI}in_force" href="{ELI}InForce-inForce">'
    end = f'<meta property="{ELI}date_no_longer_in_force" content="2030-01-01">'
    head = f'<meta name="DC.identifier" content="{NEW}">{force}'
    (row,) = extraction_to_rows(of(page(head)))
    assert row["force"] == "in-force"
    (row,) = extraction_to_rows(of(page(head + end)))
    assert row["in_force_until"] == "2030-01-02"
    assert "force" not in row
    assert check(of(page(head + end)))["force"] == "in-force"


@pytest.mark.parametrize("file", [" a.html", "a\nb.html", "a\rb.html", "\udce0.html", "../a"])
def test_a_path_that_no_manifest_can_have_is_left_out(file: str) -> None:
    (row, *_) = extraction_to_rows(of(our_page(), file=file))
    assert "file" not in row


def test_tables_have_a_column_for_each_language() -> None:
    rows = [
        {"urn": ACT, "title@it": "a", "title": "b"},
        {"urn": NEW, "title@de-ch": "c", "creator": ["d", "e"], "url": ["f", "g"]},
    ]
    text = b"".join(rows_to_csv(rows)).decode()
    found = list(csv.DictReader(io.StringIO(text)))
    assert list(found[0])[:4] == ["urn", "title", "title@de-ch", "title@it"]
    assert (found[1]["creator"], found[1]["url"]) == ("d\ne", "f g")


def test_an_empty_table_is_a_table() -> None:
    assert b"".join(rows_to_csv([])).startswith(b"urn,title,")
    assert b"".join(rows_to_rdf([], "nquads", as_of=dt.date(2020, 1, 1))) == b""


def test_aliases_are_rows() -> None:
    other = OTHER
    text = json_ld_of(ACT, other, NEW)
    assert [(row["urn"], row.get("alias_of")) for row in extraction_to_rows(of(text))] == [
        (ACT, None),
        (other, ACT),
    ]
    cited = text.replace("<script", f'<link rel="cite-as" href="{other}"><script')
    assert [(row["urn"], row.get("alias_of")) for row in extraction_to_rows(of(cited))] == [
        (ACT, other)
    ]


@pytest.mark.parametrize("base", [None, "https://law.example"])
@pytest.mark.parametrize("version", ["", "@2005-01-01:it"])
def test_the_page_of_an_alias_says_which_name_is_the_canonical_one(
    base: str | None, version: str
) -> None:
    one, other = parse(ACT), parse(OTHER)
    names = [parse(f"{each}{version}") for each in (one, other)]
    known = {each: Record(name=each) for each in names}
    known |= {one: Record(name=one), other: Record(name=other, alias_of=one)}
    pages = (our_page_of(each, tuple(known.values()), base) for each in names)
    rows = list(merge_rows(row for text in pages for row in extraction_to_rows(of(text))))
    assert [(row["urn"], row.get("alias_of")) for row in rows] == [
        (f"{OTHER}{version}", f"{ACT}{version}"),
        (f"{ACT}{version}", None),
    ]


@pytest.mark.parametrize("names", [(ACT, OTHER), (OTHER, ACT)])
def test_of_two_names_that_are_the_same_one_is_the_alias_of_the_other(
    names: tuple[str, str],
) -> None:
    pages = [json_ld_of(one, other) for one, other in (names, names[::-1])]
    rows = merge_rows(row for text in pages for row in extraction_to_rows(of(text)))
    assert [(row["urn"], row.get("alias_of")) for row in rows] == [(OTHER, None), (ACT, OTHER)]


def test_what_keeps_a_row_out_of_rdf_names_its_file() -> None:
    rows: list[Row] = [{"urn": ACT}, {"urn": "x", "file": ["a.html"]}, {"urn": "y"}]
    found: list[Finding] = []
    text = b"".join(rows_to_rdf(rows, "nquads", as_of=dt.date(2020, 1, 1), on_finding=found.append))
    assert [each.location for each in found] == ["a.html", "y"]
    assert ACT.encode() in text


@pytest.mark.parametrize("form", ["csv", "turtle", "jsonld", "nquads"])
def test_bad_characters_keep_no_document_out(folder: Path, form: str) -> None:
    text = our_page().replace("altro", "al&#1;tro").replace("Stato", "Sta&#x81;to")
    (folder / "site/a.html").write_text(text, "utf-8")
    done = run(folder, "--folder", str(folder / "site"), "--format", form)
    assert NEW in done.stdout
    assert "a.html:" in done.stderr
    assert "LX319" in done.stderr
    assert done.exit_code == 0


@pytest.mark.parametrize(
    ("file", "kept"),
    [
        ("a.html", ["a.html"]),
        ("a\x01.html", None),
        ("b/a.html", ["b/a.html"]),
        ("/a.html", None),
        ("../a.html", None),
    ],
)
def test_paths(file: str, kept: list[str] | None) -> None:
    (row,) = extraction_to_rows(of(our_page(), file=file))
    assert row.get("file") == kept


def test_no_name_is_no_row() -> None:
    assert extraction_to_rows(of(page("<title>x</title>"))) == ()


TEXTS = st.sampled_from(
    [
        *(
            ACT,
            NEW,
            f"{NEW}$a.it:application-html",
            "urn:lex:",
            "urn:nir:stato:legge:2003;4",
            "_:a",
        ),
        *(
            "https://a.example/lex/it/stato/legge/2003-09-21;456",
            "2003-02-30",
            "en_GB",
            "eng",
            "a/b",
        ),
        *("http://[", "https://me@a.example/", "urn:", " \x1c", "a\x01b", "\ud800", "\0"),
        *("text/pdf", "InForce-NotInForce", f"{ELI}nope", "9999-12-31"),
        *("2005-01-01/2004-01-01", "0001-01-01", "urn:lex:br:federal:lei:1990-07-11;8069!art2", ""),
    ]
) | st.text(max_size=12)
STATEMENTS = st.builds(
    Statement,
    notation=st.sampled_from(list(Notation)),
    subject=st.none() | TEXTS,
    term=st.sampled_from(
        [*IDENTIFIER_TERMS, *RELATION_KINDS, *FIELDS_BY_TERM, f"{ELI}x", f"{SCHEMA}encodingFormat"]
    ),
    value=TEXTS,
    is_iri=st.booleans(),
    language=st.none() | TEXTS,
    line=st.integers(0, 3),
    is_embedded=st.booleans(),
)


@examples(100)
@given(statements=st.lists(STATEMENTS, max_size=8), is_embedded_only=st.booleans())
def test_whatever_is_said_can_be_told(
    statements: list[Statement], *, is_embedded_only: bool
) -> None:
    reading = Reading(statements=tuple(statements))
    found = interpret_reading(reading, file="a", format="html", is_embedded_only=is_embedded_only)
    check(found)
    assert (found.name is None) == (not found.names)
    assert faults_of(b"".join(rows_to_csv(extraction_to_rows(found))), "csv") == []


def faults_of(table: bytes, form: str) -> list[Finding]:
    """What keeps rows of a table out."""
    findings: list[Finding] = []
    with open_manifest(io.BytesIO(table), format=form, on_finding=findings.append) as manifest:
        list(manifest.families())
    return [each for each in findings if each.severity == "error"]


# The command line


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site/a.html").write_text(our_page(), "utf-8")
    (tmp_path / "site/b.html").write_text(page("<title>x</title>"), "utf-8")
    return tmp_path


def run(folder: Path, *arguments: str) -> Result:
    del folder
    return CliRunner().invoke(main, ["extract", *arguments])


def test_cli_json(folder: Path) -> None:
    done = run(folder, str(folder / "site/a.html"), str(folder / "site/b.html"))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    for each in found:
        VALID.validate(each)
    assert [each["name"] for each in found] == [NEW, None]
    assert (done.exit_code, done.stderr) == (0, "")


def test_cli_folder(folder: Path) -> None:
    done = run(folder, "--folder", str(folder / "site"), "--format", "csv")
    (record,) = records_in(done.stdout_bytes, "csv")
    assert record == RECORD
    assert "a.html" in done.stdout


@pytest.mark.parametrize("bad", ["absent.html", "empty.html", "picture.png", "site"])
def test_cli_bad_files_do_not_stop_the_others(folder: Path, bad: str) -> None:
    (folder / "empty.html").touch()
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    done = run(folder, str(folder / bad), str(folder / "site/a.html"))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["name"] for each in found] == [None, NEW]
    assert (found[0]["format"], found[0]["findings"][0]["severity"]) == (None, "error")
    assert done.exit_code == 1
    assert str(folder / bad) in done.stderr


def test_cli_folders_without_a_name_are_folders(folder: Path) -> None:
    done = run(folder, ".", "/", "", "..", str(folder / "site/a.html"))
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert [each["name"] for each in found] == [None] * 4 + [NEW]
    assert all("it is a folder" in each["findings"][0]["message"] for each in found[:4])


def test_cli_says_findings(folder: Path) -> None:
    path = folder / "slip.html"
    path.write_text(page("", language="en_GB"), "utf-8")
    done = run(folder, str(path))
    assert f"{path}:2: warning LX378" in done.stderr
    assert "try: en-GB" in done.stderr
    assert done.exit_code == 0


def test_cli_ours(folder: Path) -> None:
    path = folder / "mixed.html"
    text = our_page().replace(
        "<!-- lexurn:begin", '<meta name="DC.creator" content="x"><!-- lexurn:begin'
    )
    path.write_text(text, "utf-8")
    (one, other) = (json.loads(run(folder, str(path), each).stdout) for each in ("--all", "--ours"))
    assert one["creators"] == ["Camera", "Senato", "x"]
    assert other["creators"] == ["Camera", "Senato"]


def test_cli_wrong_usage() -> None:
    assert CliRunner().invoke(main, ["extract"]).exit_code == 2


def test_documents_with_one_name_are_one_row(folder: Path) -> None:
    other = our_page().replace("Camera", "Assemblea")
    (folder / "site/c.html").write_text(other, "utf-8")
    done = run(folder, "--folder", str(folder / "site"), "--format", "csv")
    (record,) = records_in(done.stdout_bytes, "csv")
    assert record.creators == ("Assemblea", "Camera", "Senato")
    assert (done.exit_code, done.stderr) == (0, "")
    (row,) = csv.DictReader(io.StringIO(done.stdout))
    assert row["file"] == "a.html\nc.html"


def test_what_differs_in_documents_with_one_name_is_said(folder: Path) -> None:
    (folder / "site/c.html").write_text(our_page().replace("2003-09-22", "2003-09-25"), "utf-8")
    done = run(folder, "--folder", str(folder / "site"), "--format", "csv")
    (record,) = records_in(done.stdout_bytes, "csv")
    assert record == RECORD
    assert "c.html: warning LX371: a.html also has the name" in done.stderr
    assert '"2003-09-22" for issued' in done.stderr
    # Nobody knows which of the two is right.
    assert "try:" not in done.stderr
