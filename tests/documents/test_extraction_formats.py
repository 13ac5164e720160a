"""What lexurn puts into a document of any format is read out of it again."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import pytest
from embedding_zip_cases import KINDS, ODT, packed
from embedding_zip_cases import embedded as embedded_in_zip
from xml_documents import AKOMA_NTOSO, DOCUMENTS, NIR
from xml_documents import embedded as embedded_in_xml

from lexurn.documents import Extraction, document_from_bytes, extract, extract_document
from lexurn.documents.identification import load_format
from lexurn.name import parse
from lexurn.pages import make_document_metadata

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
VERSION = f"{ACT}@2005-01-01:it"
GOLDEN = Path(__file__).parents[1] / "golden_embedding"


def of(data: bytes, name: str = "", *, is_embedded_only: bool = False) -> Extraction:
    return extract_document(document_from_bytes(data, name), is_embedded_only=is_embedded_only)


@pytest.mark.parametrize("key", DOCUMENTS)
@pytest.mark.parametrize("name", [ACT, VERSION])
def test_xml(key: str, name: str) -> None:
    found = of(embedded_in_xml(key, DOCUMENTS[key].encode(), name), is_embedded_only=True)
    assert (str(found.name), found.format, found.findings) == (name, key, ())


@pytest.mark.parametrize("kind", KINDS)
def test_zip(kind: str) -> None:
    key, members = KINDS[kind]
    found = of(embedded_in_zip(load_format(key), packed(members)))
    assert (str(found.name), found.format) == (VERSION, key)
    assert found.named("isVersionOf") == (parse(ACT),)
    assert found.named("previous") == found.named("first") == (parse(f"{ACT}@originale:it"),)
    assert [each.value for each in found.titles if each.language in {"it", None}]


@pytest.mark.parametrize("file", sorted(path.name for path in GOLDEN.glob("pdf_*.pdf")))
def test_pdf(file: str) -> None:
    found = of((GOLDEN / file).read_bytes(), file, is_embedded_only=True)
    assert found.name is not None
    assert (found.name.work_name, found.format) == (parse(ACT), "pdf")


def test_what_akoma_ntoso_says_of_itself() -> None:
    found = of(AKOMA_NTOSO.encode())
    assert (found.name, found.languages) == (None, ("it",))
    assert [each.value for each in found.titles] == ["Legge è"]
    assert {each.scheme for each in found.identifiers} == {"akn"}
    assert found.findings == ()


def test_what_nir_says_of_itself() -> None:
    found = of(NIR.encode())
    assert (found.published, found.in_force_from) == (dt.date(2003, 9, 30), dt.date(2003, 10, 15))
    assert found.findings == ()


def test_what_is_wrong_with_a_member_is_said_of_it(tmp_path: Path) -> None:
    file = tmp_path / "a.odt"
    file.write_bytes(packed({**ODT, "meta.xml": "<a>"}))
    (found,) = extract(file, name="x/a.odt").findings
    assert found.file == "x/a.odt (meta.xml)"
    assert extract(file, name="x/a.odt").file == "x/a.odt"
    file.unlink()
    assert extract(file, name="x/a.odt").findings[0].file == "x/a.odt"


@pytest.mark.parametrize("key", DOCUMENTS)
@pytest.mark.parametrize("mark", ["begin", "end"])
def test_half_a_block_hides_nothing_else(key: str, mark: str) -> None:
    data = embedded_in_xml(key, DOCUMENTS[key].encode(), ACT)
    found = of(data.replace(f"lexurn:{mark}".encode(), b"x"))
    assert (str(found.name), found.format) == (ACT, key)
    assert not found.names[0].is_embedded
    assert {each.code for each in found.findings} == {"LX334"}


def test_two_blocks_in_a_page_of_xhtml_are_said() -> None:
    data = embedded_in_xml("xhtml", DOCUMENTS["xhtml"].encode(), ACT)
    end = b"<!-- lexurn:end -->"
    found = of(data.replace(end, end + b"<!-- lexurn:begin -->" + end))
    assert found.name == parse(ACT)
    assert [(each.code, each.line) for each in found.findings] == [("LX334", 7)]
    broken = of(data.replace(b"lexurn:end", b"x").replace(b"</head>", b"</heat>"))
    assert (broken.name, [each.code for each in broken.findings]) == (parse(ACT), ["LX330"])


def test_html() -> None:
    html = load_format("html")
    page = document_from_bytes(b"<!DOCTYPE html><title>x</title><p>y")
    (edit,) = html.embed(page, make_document_metadata(parse(VERSION)), False).edits
    data = page.read()
    found = of(data[: edit.start] + edit.new + data[edit.end :], is_embedded_only=True)
    assert (str(found.name), found.languages, found.findings) == (VERSION, ("it",), ())
