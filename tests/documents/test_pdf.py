"""Names in PDF: put behind the file, read again, and cut off again."""

from __future__ import annotations

import io
import re
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from pdf_files import (
    ACT,
    FILE_FORM,
    FILES,
    MARKINGS,
    OBJECTS,
    ORIGINAL,
    RECORDS,
    THEIRS,
    VERSION,
    WORK,
    change,
    embedded,
    packet,
    removal,
    removed,
    stream,
    table_file,
    with_metadata,
)
from pdf_sayings import code_of, ours, said

from lexurn.documents import DocumentError, Notation, Statement, document_from_bytes
from lexurn.documents.containers.pdf_objects import read_xref_sections
from lexurn.documents.formats.pdf import FORMAT
from lexurn.name import parse
from lexurn.pages import make_document_metadata

GOLDEN = Path(__file__).parents[1] / "golden_embedding"
DC = "http://purl.org/dc/elements/1.1/"
PRISM = "http://prismstandard.org/namespaces/basic/2.0/"
XMP = "http://ns.adobe.com/xap/1.0/"
DUBLIN = f'xmlns:dc="{DC}"'


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_a_name_goes_in_and_out_again(data: bytes) -> None:
    result = embedded(data)
    assert result.startswith(data)
    assert embedded(result) == result
    assert not change(result).edits
    assert removed(result) == data
    assert not removal(data).edits


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_another_name_takes_the_place_of_the_first(data: bytes) -> None:
    for one, other in pairwise((*MARKINGS, WORK)):
        assert embedded(embedded(data, one), other) == embedded(data, other)


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_all_is_read_again(data: bytes) -> None:
    before = {(each.term, each.value) for each in said(data)}
    result = said(embedded(data))
    name = str(VERSION.name)
    assert Statement(
        notation=Notation.XMP, subject=None, term=DC + "identifier", value=name, is_embedded=True
    ) in (result)
    assert {each.value for each in result if each.term == DC + "relation"} == {
        iri for _, iri in VERSION.relations
    }
    assert "it" in {each.value for each in result if each.term == DC + "language"}
    assert ("2005-01-01") in {
        each.value for each in result if each.term.endswith("versionIdentifier")
    }
    assert {(each.term, each.value) for each in result if not each.is_embedded} == before


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_another_reader_finds_no_fault(data: bytes) -> None:
    with pikepdf.open(io.BytesIO(data)) as old, pikepdf.open(io.BytesIO(embedded(data))) as new:
        assert new.check_pdf_syntax() in ([], old.check_pdf_syntax())
        assert len(new.pages) == 1
        assert new.docinfo == old.docinfo
        text = new.Root.Metadata.read_raw_bytes()
        assert str(VERSION.name).encode() in text
        with new.open_metadata() as found:
            assert found["dc:identifier"] == str(VERSION.name)
            assert found[f"{{{PRISM}}}versionIdentifier"] == "2005-01-01"
        changed = "/ID" in old.trailer
        assert ("/ID" in new.trailer) == changed
        if changed:
            assert bytes(new.trailer.ID[0]) == bytes(old.trailer.ID[0])
            assert bytes(new.trailer.ID[1]) != bytes(old.trailer.ID[1])


@pytest.mark.parametrize("data", FILES.values(), ids=FILES)
def test_objects_that_are_not_changed_have_no_rows(data: bytes) -> None:
    update = document_from_bytes(embedded(data))
    (last, *_) = read_xref_sections(update)
    written = {int(each) for each in re.findall(rb"(\d+) \d+ obj", embedded(data)[len(data) :])}
    assert {number for run in last.runs for number in run.numbers} == written


def test_what_stands_in_a_file_stays_as_it_is_written() -> None:
    assert embedded(FILES["table"]) == (GOLDEN / "pdf_table.pdf").read_bytes()
    assert embedded(FILES["stream"], FILE_FORM) == (GOLDEN / "pdf_stream.pdf").read_bytes()
    assert embedded(FILES["metadata"], WORK) == (GOLDEN / "pdf_metadata.pdf").read_bytes()


def test_a_title_and_a_language_that_are_there_are_kept() -> None:
    needed = {
        (DC + "identifier", str(VERSION.name), None),
        (DC + "relation", ACT, None),
        (DC + "relation", f"{ACT}@originale:it", None),
        (PRISM + "versionIdentifier", "2005-01-01", None),
    }
    language, title = (DC + "language", "it", None), (DC + "title", "Città & <b>", "it")
    assert ours(embedded(FILES["metadata"])) == needed
    assert ours(embedded(FILES["table"])) == {*needed, language}
    bare = ours(embedded(FILES["no information, no identifier"]))
    assert bare == {*needed, language, title, (*title[:2], None)}


@pytest.mark.parametrize("title", [b"()", b"( \\000)", b"null", b"<FEFF>", b"9 9 R"])
def test_a_blank_title_is_none(title: bytes) -> None:
    data = table_file({**OBJECTS, 4: b"<< /Title " + title + b" >>"})
    assert DC + "title" in {term for term, *_ in ours(embedded(data))}


LANGUAGES = {
    "none": (b"", b"", []),
    "the same": (b"(it-IT)", b"it", []),
    "another": (b"(en-GB)", b"", ["en-GB"]),
    "another in the metadata": (b"", b"de", ["de"]),
    "others": (b"(en-GB)", b"de", ["de"]),
    "the same in one place": (b"(en-GB)", b"it", []),
}


@pytest.mark.parametrize(("catalog", "xmp", "told"), LANGUAGES.values(), ids=LANGUAGES)
def test_another_language_is_told(catalog: bytes, xmp: bytes, told: list[str]) -> None:
    theirs = THEIRS.replace(b">de<", b">" + xmp + b"<")
    objects = with_metadata(theirs)
    objects[1] = objects[1].replace(b"/Lang(it)", b"/Lang" + catalog if catalog else b"")
    data = table_file(objects)
    for each in (change(data), change(embedded(data))):
        assert [(found.code, found.text) for found in each.findings] == [
            ("LX337", text) for text in told
        ]
    assert not change(data, WORK).findings


@pytest.mark.parametrize("key", [key for key in FILES if not key.startswith("no information")])
def test_the_information_is_read_of_all_forms(key: str) -> None:
    for data in (FILES[key], embedded(FILES[key])):
        assert {"Theirs (1)", "À", "D:20260101"} <= {each.value for each in said(data)}


def test_the_information_dictionary_is_read_as_xmp() -> None:
    found = {each.term: each.value for each in said(FILES["table"])}
    assert found == {
        DC + "title": "Theirs (1)",
        DC + "creator": "À",
        XMP + "CreateDate": "D:20260101",
        "http://ns.adobe.com/pdfx/1.3/Own": "Name",
    }
    (language,) = (each for each in said(FILES["packed metadata"]) if each.value == "it")
    assert (language.notation, language.term) == (Notation.PDF_INFO, DC + "language")


def test_bytes_that_changed_in_front_of_ours_are_told() -> None:
    changed = embedded(FILES["table"]).replace(b"MediaBox [0 0 9 9]", b"MediaBox [0 0 9 8]")
    for act in (removed, lambda data: embedded(data, ORIGINAL)):
        with pytest.raises(DocumentError, match="LX352"):
            act(changed)


def test_a_mark_elsewhere_is_none() -> None:
    mark = re.search(rb"%lexurn 1 [^\n]*\n", embedded(FILES["table"]))
    assert mark is not None
    for data in (
        table_file({**OBJECTS, 5: stream(mark[0])}),
        table_file({**OBJECTS, 5: b"(" + mark[0] + b")"}, end=b"\n" + mark[0]),
    ):
        assert removed(data) == data
        assert removed(embedded(data)) == data


def test_a_mark_that_lies_is_no_reason_to_cut() -> None:
    data = embedded(FILES["table"])
    for digits in (b"%012d" % 10, b"9" * 12):
        lying = re.sub(rb"%lexurn 1 \d{12}", b"%lexurn 1 " + digits, data)
        with pytest.raises(DocumentError, match="LX346"):
            removed(lying)


def test_metadata_that_cannot_be_read_are_refused_and_told() -> None:
    for wrong in (b"<a", b"<a/>", packet("<b>")):
        data = table_file(with_metadata(wrong))
        assert code_of(data) == "LX350"
        assert [each.code for each in FORMAT.read(document_from_bytes(data)).findings] == ["LX350"]


def test_a_name_without_records_says_what_it_says_itself() -> None:
    bare = make_document_metadata(parse(f"{ACT}@2005-01-01:it"))
    assert (DC + "relation", ACT, None) in ours(embedded(FILES["table"], bare))
    assert not [each for each in ours(embedded(FILES["table"], bare)) if each[0] == DC + "title"]
    assert RECORDS[0].titles


def test_what_is_there_already_needs_no_update() -> None:
    whole = embedded(FILES["table"])
    there = re.search(rb"<\?xpacket.*?end=.w.\?>", whole, re.DOTALL)
    assert there is not None
    data = table_file(with_metadata(there[0]))
    assert embedded(data) == data
    assert code_of(data, marking=ORIGINAL) == "LX362"
