"""Names in PDF files that others have signed, encrypted, saved anew or added to."""

from __future__ import annotations

import io
import re
import sys
from typing import Any

import pikepdf
import pytest
from pdf_files import (
    FILES,
    OBJECTS,
    ORIGINAL,
    THEIRS,
    VERSION,
    WORK,
    change,
    embedded,
    lengths_in_streams,
    metadata,
    removal,
    removed,
    table_file,
    updated,
    with_metadata,
)
from pdf_sayings import code_of, codes_of_reading, ours, said

from lexurn.documents import Change, DocumentError, document, document_from_bytes, load_format
from lexurn.documents.formats import pdf as pdf_format
from lexurn.documents.formats.pdf import make_fingerprint
from lexurn.errors import MissingExtraError
from lexurn.pages import make_document_metadata

DC = "http://purl.org/dc/elements/1.1/"
NAME = str(VERSION.name).encode()

SIGNATURE = b"<< /Type /Sig /ByteRange [0 1 2 3] /Contents <00> >>"
OLD_SIGNATURE = b"<< /Type /Sig /Contents <00> >>"
FORM = b"<< /Type /Catalog /Pages 2 0 R /AcroForm << /SigFlags 3 /Fields [6 0 R] >> >>"
PERMISSIONS = b"<< /Type /Catalog /Pages 2 0 R /Perms << /DocMDP 5 0 R >> >>"


def with_field(*fields: bytes, catalog: bytes = FORM) -> bytes:
    """A file with a form: its first field, and what belongs to that."""
    objects = dict(enumerate(fields, 6))
    return table_file({**OBJECTS, 1: catalog, 5: OLD_SIGNATURE, **objects})


MANY = b"[%b]" % b" ".join([b"7 0 R"] * 10_000)
SIGNED = {
    "byte range": table_file({**OBJECTS, 5: SIGNATURE}),
    "field": with_field(b"<< /FT /Sig /V 5 0 R >>"),
    "field with its value in it": with_field(b"<< /FT /Sig /V << /Contents <00> >> >>"),
    "field below": with_field(b"<< /FT /Sig /Kids [7 0 R] >>", b"<< /Parent 6 0 R /V 5 0 R >>"),
    "value above": with_field(b"<< /V 5 0 R /Kids [7 0 R] >>", b"<< /FT /Sig >>"),
    "form in a circle": with_field(b"<< /T (a) /Kids [6 0 R] >>"),
    "form of many fields": with_field(b"<< /T (a) /Kids %b >>" % MANY, b"<< /T (a) >>"),
    "broken field": with_field(b"<< /FT /Sig /FT /Sig >>"),
    "no field": with_field(b"null"),
    "fields that are none": with_field(b"(a)"),
    "empty field": with_field(b"<< /FT /Sig /T (a) >>"),
    "empty field below": with_field(b"<< /FT /Sig /Kids [7 0 R] >>", b"<< /Parent 6 0 R >>"),
    "field whose value is not there": with_field(b"<< /FT /Sig /V 99 0 R >>"),
    "value that is empty": with_field(b"<< /FT /Sig /V << /Type /Sig >> >>"),
    "field of another kind": with_field(b"<< /FT /Tx /V 5 0 R >>"),
    "no fields": with_field(catalog=FORM.replace(b" /Fields [6 0 R]", b"")),
    "permissions": table_file({**OBJECTS, 1: PERMISSIONS}),
    "usage rights": table_file({**OBJECTS, 1: PERMISSIONS.replace(b"DocMDP", b"UR3")}),
    "usage rights of old": table_file({**OBJECTS, 1: PERMISSIONS.replace(b"DocMDP", b"UR")}),
}
UNSIGNED = {
    "form that has none": with_field(catalog=FORM.replace(b"/SigFlags 3", b"/SigFlags 0")),
    "form to be added to alone": with_field(catalog=FORM.replace(b"/SigFlags 3", b"/SigFlags 2")),
    "no permissions": table_file({**OBJECTS, 1: PERMISSIONS.replace(b"/DocMDP 5 0 R", b"")}),
    "other permissions": table_file({**OBJECTS, 1: PERMISSIONS.replace(b"DocMDP", b"Other")}),
}


@pytest.mark.parametrize("count", [1, 2, 400])
def test_object_streams_whose_lengths_stand_in_each_other_are_refused(count: int) -> None:
    assert code_of(lengths_in_streams(count)) == "LX346"


@pytest.mark.parametrize("data", SIGNED.values(), ids=SIGNED)
def test_a_signed_file_is_refused_unless_forced(data: bytes) -> None:
    assert code_of(data) == "LX348"
    assert [each.code for each in change(data, is_forced=True).findings] == ["LX349"]
    assert removed(embedded(data, is_forced=True)) == data


@pytest.mark.parametrize("size", range(10, 60))
def test_a_signature_is_seen_wherever_the_pieces_end_that_are_read(
    size: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document, "_PIECE_SIZE", size)
    assert make_fingerprint(document_from_bytes(SIGNED["byte range"])).is_signed is True
    assert make_fingerprint(document_from_bytes(SIGNED["empty field"])).is_signed is False


@pytest.mark.parametrize("data", UNSIGNED.values(), ids=UNSIGNED)
def test_a_file_that_is_still_to_be_signed_takes_a_name(data: bytes) -> None:
    assert change(data).findings == ()
    assert removed(embedded(data)) == data


def test_a_signed_file_that_has_its_name_needs_no_change() -> None:
    forced = embedded(SIGNED["field"], is_forced=True)
    assert change(forced) == Change()
    assert code_of(forced, marking=ORIGINAL) == "LX348"


def test_a_signature_behind_ours_is_not_cut_off() -> None:
    signed = updated(embedded(FILES["table"]), {9: SIGNATURE})
    assert change(signed) == Change()
    for act in (removed, lambda data: embedded(data, ORIGINAL)):
        with pytest.raises(DocumentError, match="LX351"):
            act(signed)
    assert (DC + "identifier", str(VERSION.name), None) in ours(signed)


def test_what_cannot_be_brought_up_to_date_is_told() -> None:
    bare = make_document_metadata(VERSION.name)
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
    data, is_forced = encrypted(password, how), False
    change = load_format("pdf").remove(document_from_bytes(data), is_forced)
    assert (change.edits, [each.code for each in change.findings]) == ((), ["LX359"])
    assert code_of(data, is_forced=True) == "LX347"
    assert removed(data) == data
    assert len(codes_of_reading(data) & codes) == 1
    if codes == {"LX356"}:
        assert "Theirs" in {each.value for each in said(data)}


def test_why_nothing_of_an_encrypted_file_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    found = [encrypted(word, {"R": 3, "aes": False, "metadata": False}) for word in ("", "secret")]
    with pytest.raises(DocumentError, match=r"LX357: .*\(its password is not empty\)"):
        said(found[1])
    monkeypatch.setattr(pdf_format, "_LARGEST_ENCRYPTED", 10)
    with pytest.raises(DocumentError, match=r"LX357: .*larger than .* megabytes"):
        said(found[0])


def test_an_encrypted_file_needs_an_extra_to_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    data = encrypted("", {"R": 6})
    monkeypatch.setitem(sys.modules, "pypdf", None)
    assert said(FILES["table"])
    with pytest.raises(MissingExtraError, match="embed"):
        said(data)


@pytest.mark.parametrize("revision", [4, 6])
def test_what_is_needed_for_aes_is_named(monkeypatch: pytest.MonkeyPatch, revision: int) -> None:
    for name in [each for each in sys.modules if each.partition(".")[0] == "pypdf"]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("cryptography", "Crypto"):
        monkeypatch.setitem(sys.modules, name, None)
    data = encrypted("", {"R": revision})
    with pytest.raises(MissingExtraError, match="embed"):
        said(data)
