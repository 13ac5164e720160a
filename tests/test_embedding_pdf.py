"""Names in PDF: put behind the file, read again, and cut off again."""

from __future__ import annotations

import io
import re
import sys
from itertools import pairwise
from pathlib import Path

import pikepdf
import pytest
from pdf_files import (
    ACT,
    CATALOG,
    FILE_FORM,
    FILES,
    MARKINGS,
    OBJECTS,
    ORIGINAL,
    PAGE,
    RECORDS,
    THEIRS,
    TRAILER,
    VERSION,
    WORK,
    change,
    embedded,
    packet,
    removal,
    removed,
    stream,
    table_file,
    updated,
    with_metadata,
)
from pdf_sayings import code_of, codes_of_reading, ours, said

from lexurn.embedding import (
    EmbeddingError,
    Statement,
    Way,
    _pdf_recovery,
    document_of,
)
from lexurn.embedding._pdf import FORMAT
from lexurn.embedding._pdf_chain import chain_of
from lexurn.embedding._pdf_file import view_of
from lexurn.errors import MissingExtraError
from lexurn.export import marking_of
from lexurn.name import parse

GOLDEN = Path(__file__).parent / "golden_embedding"
DC = "http://purl.org/dc/elements/1.1/"
PRISM = "http://prismstandard.org/namespaces/basic/2.0/"
XMP = "http://ns.adobe.com/xap/1.0/"


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
        way=Way.XMP, subject=None, term=DC + "identifier", value=name, is_ours=True
    ) in (result)
    assert {each.value for each in result if each.term == DC + "relation"} == {
        iri for _, iri in VERSION.relations
    }
    assert "it" in {each.value for each in result if each.term == DC + "language"}
    assert ("2005-01-01") in {
        each.value for each in result if each.term.endswith("versionIdentifier")
    }
    assert {(each.term, each.value) for each in result if not each.is_ours} == before


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
    update = document_of(embedded(data)[view_of(document_of(data))[1] :])
    (last, *_) = chain_of(update)
    written = {int(each) for each in re.findall(rb"(\d+) \d+ obj", embedded(data)[len(data) :])}
    assert {number for number in range(last.size) if last.knows(number)} == written


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


def test_the_information_dictionary_is_read_as_xmp() -> None:
    found = {each.term: each.value for each in said(FILES["table"])}
    assert found == {
        DC + "title": "Theirs (1)",
        DC + "creator": "À",
        XMP + "CreateDate": "D:20260101",
        "http://ns.adobe.com/pdfx/1.3/Own": "Name",
    }
    (language,) = (each for each in said(FILES["packed metadata"]) if each.value == "it")
    assert (language.way, language.term) == (Way.PDF_INFO, DC + "language")


def test_bytes_that_changed_in_front_of_ours_are_told() -> None:
    changed = embedded(FILES["table"]).replace(b"MediaBox [0 0 9 9]", b"MediaBox [0 0 9 8]")
    for act in (removed, lambda data: embedded(data, ORIGINAL)):
        with pytest.raises(EmbeddingError, match="LX352"):
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
        with pytest.raises(EmbeddingError, match="LX346"):
            removed(lying)


UPDATED = updated(FILES["table"], {3: PAGE.replace(b"9 9", b"77 77")})
BROKEN = {
    "last end cut off": UPDATED.removesuffix(b"%%EOF\n"),
    "last end cut short": UPDATED.removesuffix(b"F\n"),
    "last end written otherwise": UPDATED.removesuffix(b"%%EOF\n") + b"%EOF\n",
    "last end in one word": UPDATED.removesuffix(b"\n%%EOF\n") + b"%%EOF\n",
    "last start that is none": re.sub(rb"\d+\n%%EOF\n$", b"x\n%%EOF\n", UPDATED),
    "cut off": FILES["table"][:-40],
    "half": FILES["table"][:300],
    "start elsewhere": re.sub(rb"startxref\n\d+", b"startxref\n17", FILES["table"]),
    "start behind": re.sub(rb"startxref\n\d+", b"startxref\n99999", FILES["table"]),
    "row elsewhere": FILES["table"].replace(b"0000000015 00000 n", b"0000000016 00000 n"),
    "row that is none": FILES["table"].replace(b"0000000015 00000 n", b"000000001x 00000 n"),
    "numbered from 1": FILES["table"].replace(b"xref\n0 5", b"xref\n1 5"),
    "circle": table_file(trailer=TRAILER + b" /Prev 9").replace(b"/Prev 9", b"/Prev 345"),
    "previous is text": table_file(trailer=TRAILER + b" /Prev (a)"),
    "previous below zero": table_file(trailer=TRAILER + b" /Prev -5"),
    "previous is none": table_file(trailer=TRAILER + b" /Prev 9"),
    "no catalog": table_file(trailer=b"/Info 4 0 R"),
    "catalog is none": table_file({**OBJECTS, 1: b"<< /Type /Font >>"}),
    "catalog is a number": table_file({**OBJECTS, 1: b"7"}),
    "no pages": table_file({**OBJECTS, 1: b"<< /Type /Catalog /Pages 88 0 R >>"}),
    "two roots": table_file(trailer=TRAILER + b" /Root 1 0 R"),
    "references in a circle": table_file({**OBJECTS, 2: b"2 0 R"}),
    "too deep": table_file(
        {**OBJECTS, 1: CATALOG[:-2] + b"/A " + b"[" * 9_000 + b"]" * 9_000 + b">>"}
    ),
    "metadata is no stream": table_file({**with_metadata(), 5: b"(a)"}),
    "metadata in place": table_file({**OBJECTS, 1: CATALOG[:-2] + b"/Metadata (a) >>"}),
    "metadata packed otherwise": table_file(
        {**with_metadata(), 5: stream(b"x", b"/Filter /LZWDecode")}
    ),
    "length is wrong": table_file(with_metadata()).replace(
        b"/Length %d" % len(THEIRS), b"/Length %d" % (len(THEIRS) - 9)
    ),
    "stream is broken": FILES["stream"].replace(b"/FlateDecode", b"/FlateDecoed"),
    "stream is cut off": FILES["stream"].replace(b"/W [1 3 2]", b"/W [1 9 9]"),
    "columns without width": FILES["stream"].replace(b"/W [1 3 2]", b"/W [0 0 0]"),
    "columns that are none": FILES["stream"].replace(b"/W [1 3 2]", b"/W [(a)  ]"),
    "offsets from elsewhere": table_file(before=b"HTTP/1.1 200 OK\n\n%PDF-1.7\n"),
    "stream of another type": FILES["stream"].replace(b"/XRef", b"/XReg"),
    "index that is none": FILES["stream"].replace(b"/Root 1 0 R", b"/Index [0 -1] /Root 1 0 R"),
    "predictor that is none": FILES["stream, foretold"].replace(b"tor 12", b"tor 02"),
    "no columns": FILES["stream, foretold"].replace(b"/Columns 6", b"/Columns 0"),
    "rows that are no PNG": FILES["stream, foretold"].replace(b"/Columns 6", b"/Columns 2"),
    "object stream of another type": FILES["catalog in a stream"].replace(b"/ObjStm", b"/ObjStn"),
    "object stream without numbers": FILES["catalog in a stream"].replace(b"/First 1", b"/First 4"),
    "object stream without start": FILES["catalog in a stream"].replace(b"/First 1", b"/First -"),
    "number too high": table_file(trailer=TRAILER).replace(b"0 5\n", b"99999990 5\n"),
}


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_refused(data: bytes) -> None:
    assert code_of(data, is_forced=True) == "LX346"
    assert codes_of_reading(data) & {"LX346", "LX355"}


@pytest.mark.parametrize(
    "data",
    [
        table_file().replace(b"/Size 5", b"/Size 8388606"),
        FILES["stream"].replace(b"/Size 7", b"/Size 8388606 /Index [0 7]"),
    ],
)
def test_a_file_with_no_number_left_is_refused_before_it_is_written(data: bytes) -> None:
    assert code_of(data, is_forced=True) == "LX346"


def test_the_last_numbers_are_taken() -> None:
    data = table_file().replace(b"/Size 5", b"/Size 8388605")
    assert removed(embedded(embedded(data))) == data


def test_a_broken_file_is_read_as_far_as_it_goes() -> None:
    data = re.sub(rb"startxref\n\d+", b"startxref\n17", FILES["metadata"])
    reading = FORMAT.read(document_of(data, "act.pdf"))
    assert {"Theirs", "Theirs (1)"} <= {each.value for each in reading.statements}


@pytest.mark.parametrize("data", [b"", b"%PDF", b"<html>", bytes(2_000) + FILES["table"]])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    for act in (embedded, removed, said):
        with pytest.raises(EmbeddingError, match="LX345"):
            act(data)


def test_metadata_that_cannot_be_read_are_refused_and_told() -> None:
    for wrong in (b"<a", b"<a/>", packet("<b>")):
        data = table_file(with_metadata(wrong))
        assert code_of(data) == "LX350"
        assert [each.code for each in FORMAT.read(document_of(data)).findings] == ["LX350"]


def test_a_name_without_records_says_what_it_says_itself() -> None:
    bare = marking_of(parse(f"{ACT}@2005-01-01:it"))
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


def test_a_broken_file_needs_an_extra_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert said(FILES["table"])
    with pytest.raises(MissingExtraError, match="embed"):
        said(BROKEN["half"])


def test_a_broken_file_that_is_large_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pdf_recovery, "_LARGEST", 10)
    assert codes_of_reading(BROKEN["start elsewhere"]) == {"LX346"}


def test_a_search_that_takes_too_long_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_pdf_recovery, "_MOST_SECONDS", 0.0)
    assert codes_of_reading(BROKEN["start elsewhere"]) == {"LX346"}


def test_a_number_that_is_hidden_beside_a_table_is_not_taken() -> None:
    data = FILES["hybrid"].replace(b"/Index [4 1]", b"/Index [9 1]").replace(b"/Size 7", b"/Size 2")
    assert b"\n10 0 obj" in embedded(data)[len(data) :]
    assert removed(embedded(data)) == data
