"""Names in PDF: put behind the file, read again, and cut off again."""

from __future__ import annotations

import io
import re
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

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
    RECORDS,
    THEIRS,
    TRAILER,
    VERSION,
    WORK,
    change,
    embedded,
    metadata,
    packet,
    removal,
    removed,
    stream,
    table_file,
    updated,
    with_metadata,
)

from lexurn.embedding import (
    Change,
    Done,
    EmbeddingError,
    Statement,
    Way,
    _pdf_recovery,
    document_of,
    embed,
)
from lexurn.embedding._pdf import FORMAT
from lexurn.errors import MissingExtraError
from lexurn.export import Marking, marking_of
from lexurn.name import parse

GOLDEN = Path(__file__).parent / "golden_embedding"
DC = "http://purl.org/dc/elements/1.1/"
PRISM = "http://prismstandard.org/namespaces/basic/2.0/"
XMP = "http://ns.adobe.com/xap/1.0/"
NAME = str(VERSION.name).encode()


def said(data: bytes) -> tuple[Statement, ...]:
    return FORMAT.read(document_of(data, "act.pdf")).statements


def ours(data: bytes) -> set[tuple[str, str, str | None]]:
    return {(each.term, each.value, each.language) for each in said(data) if each.is_ours}


def code_of(data: bytes, *, marking: Marking = VERSION, is_forced: bool = False) -> str:
    with pytest.raises(EmbeddingError) as error:
        embedded(data, marking, is_forced=is_forced)
    return error.value.finding.code


def codes_of_reading(data: bytes) -> set[str]:
    """What is said of a file when it is read."""
    try:
        return {each.code for each in FORMAT.read(document_of(data, "act.pdf")).findings}
    except EmbeddingError as error:
        return {error.finding.code}


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


SIGNATURE = b"<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>"
FORM = b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 >> >>"
PERMISSIONS = b"<< /Type /Catalog /Pages 2 0 R /Perms << /DocMDP 5 0 R >> >>"
SIGNED = {
    "byte range": table_file({**OBJECTS, 5: SIGNATURE}),
    "form": table_file({**OBJECTS, 1: FORM}),
    "permissions": table_file({**OBJECTS, 1: PERMISSIONS}),
}


@pytest.mark.parametrize("data", SIGNED.values(), ids=SIGNED)
def test_a_signed_file_is_refused_unless_forced(data: bytes) -> None:
    assert code_of(data) == "LX348"
    assert [each.code for each in change(data, is_forced=True).findings] == ["LX349"]
    assert removed(embedded(data, is_forced=True)) == data


def test_a_form_without_signatures_is_not_signed() -> None:
    form = FORM.replace(b"/SigFlags 3", b"/SigFlags 0")
    assert embedded(table_file({**OBJECTS, 1: form}))


def test_a_signed_file_that_has_its_name_needs_no_change() -> None:
    forced = embedded(SIGNED["form"], is_forced=True)
    assert change(forced) == Change()
    assert code_of(forced, marking=ORIGINAL) == "LX348"


def test_a_signature_behind_ours_is_not_cut_off() -> None:
    signed = updated(embedded(FILES["table"]), {9: SIGNATURE})
    assert change(signed) == Change()
    for act in (removed, lambda data: embedded(data, ORIGINAL)):
        with pytest.raises(EmbeddingError, match="LX351"):
            act(signed)
    assert (DC + "identifier", str(VERSION.name), None) in ours(signed)


def test_what_cannot_be_brought_up_to_date_is_told() -> None:
    bare = marking_of(VERSION.name)
    later = updated(embedded(FILES["table"], bare), {9: b"(a)"})
    assert change(later, bare) == Change()
    found = change(later)
    assert not found.edits
    assert [each.code for each in found.findings] == ["LX353"]


def test_metadata_that_another_wrote_behind_ours_are_not_cut_off() -> None:
    later = updated(embedded(FILES["metadata"]), {5: metadata(THEIRS)})
    assert removal(later) == Change()
    assert not ours(later)
    assert removed(embedded(later)) == later


def saved_anew(data: bytes) -> bytes:
    """A file as a program writes it that reads it and writes it as a whole."""
    after = io.BytesIO()
    with pikepdf.open(io.BytesIO(data)) as pdf:
        pdf.save(after)
    return after.getvalue()


def appended(data: bytes) -> bytes:
    """A file behind which a program put its own metadata, with all that stood in the old ones."""
    packet = re.findall(rb"<\?xpacket.*?end=.w.\?>", data, re.DOTALL)[-1]
    return updated(data, {5: metadata(packet.replace(b"Theirs", b"Others"))})


RESAVED = {
    "saved anew": saved_anew(embedded(FILES["metadata"])),
    "saved anew, without metadata before": saved_anew(embedded(FILES["table"])),
    "metadata written behind": appended(embedded(FILES["metadata"])),
    "a name of others": table_file(
        with_metadata(THEIRS.replace(b"<dc:l", b"<dc:identifier>%b</dc:identifier><dc:l" % NAME))
    ),
}


@pytest.mark.parametrize("data", RESAVED.values(), ids=RESAVED)
def test_no_second_name_goes_into_what_another_program_wrote(data: bytes) -> None:
    name = str(VERSION.name)
    assert code_of(data, marking=ORIGINAL) == "LX362"
    assert code_of(data, marking=WORK, is_forced=True) == "LX362"
    names = [each.value for each in said(embedded(data)) if each.term == DC + "identifier"]
    assert names == [name]
    for each in (removal(data), removal(embedded(data))):
        assert [(found.code, found.text) for found in each.findings] == [("LX368", name)]
    assert removed(data) == data


@pytest.mark.parametrize("key", ["saved anew", "metadata written behind"])
def test_what_has_its_name_already_is_not_changed(key: str) -> None:
    assert change(RESAVED[key]) == Change()


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


BROKEN = {
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


def test_a_broken_file_is_read_as_far_as_it_goes() -> None:
    data = re.sub(rb"startxref\n\d+", b"startxref\n17", FILES["metadata"])
    reading = FORMAT.read(document_of(data, "act.pdf"))
    assert {"Theirs", "Theirs (1)"} <= {each.value for each in reading.statements}


@pytest.mark.parametrize("data", [b"", b"%PDF", b"<html>", bytes(2_000) + FILES["table"]])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    for act in (embedded, removed, said):
        with pytest.raises(EmbeddingError, match="LX345"):
            act(data)


ENCRYPTIONS = {
    "empty password": ("", {"R": 3, "aes": False, "metadata": False}, {"LX356"}),
    "password": ("secret", {"R": 3, "aes": False, "metadata": False}, {"LX357"}),
    "AES and streams": ("", {"R": 6}, {"LX356"}),
    "AES of 128 bits": ("", {"R": 4}, {"LX356"}),
    "AES, password": ("secret", {"R": 6}, {"LX357"}),
}


def encrypted(password: str, how: dict[str, Any]) -> bytes:
    after = io.BytesIO()
    modes = pikepdf.ObjectStreamMode
    mode = modes.generate if how["R"] == 6 else modes.disable
    with pikepdf.open(io.BytesIO(FILES["metadata"])) as pdf:
        encryption = pikepdf.Encryption(user=password, owner="x", **how)
        pdf.save(after, encryption=encryption, object_stream_mode=mode)
    return after.getvalue()


@pytest.mark.parametrize(("password", "how", "codes"), ENCRYPTIONS.values(), ids=ENCRYPTIONS)
def test_an_encrypted_file_is_refused(password: str, how: dict[str, Any], codes: set[str]) -> None:
    data = encrypted(password, how)
    assert code_of(data, is_forced=True) == "LX347"
    assert removed(data) == data
    assert len(codes_of_reading(data) & codes) == 1
    if codes == {"LX356"}:
        assert "Theirs" in {each.value for each in said(data)}


@pytest.mark.parametrize("revision", [4, 6])
def test_what_is_needed_for_aes_is_named(monkeypatch: pytest.MonkeyPatch, revision: int) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == "pypdf"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("cryptography", "Crypto"):
        monkeypatch.setitem(sys.modules, name, None)
    data = encrypted("", {"R": revision})
    with pytest.raises(EmbeddingError, match=r"LX357: .* package cryptography; pip install"):
        said(data)


@pytest.mark.parametrize("data", [*SIGNED.values(), encrypted("", {"R": 6})])
def test_a_signed_or_encrypted_file_gets_files_beside_it(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "act.pdf"
    path.write_bytes(data)
    with pytest.raises(EmbeddingError, match=r"files beside it .*\(--sidecar\)"):
        embed(path, VERSION.name)
    assert embed(path, VERSION.name, sidecar=True).done is Done.SIDECAR
    assert embed(path, VERSION.name, sidecar=True).done is Done.UNCHANGED
    assert path.read_bytes() == data
    assert len(list(tmp_path.iterdir())) == 3


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
