"""Containers: only our members change, all other bytes stay, and what is broken is refused."""

from __future__ import annotations

import io
import os
import re
import struct
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from embedding_zip_cases import (
    ACT,
    DOCX,
    FIRST,
    FORCED,
    KINDS,
    LATER,
    SAID,
    SHAPES,
    UNFORCED,
    contents,
    embedded,
    end_of,
    fault_of,
    format_of,
    packed,
    removed,
    restores,
    with_large_end,
    with_large_offsets,
)

from lexurn.documents import DocumentError, apply_edits, document_from_bytes
from lexurn.documents.containers import zip as zip_module
from lexurn.documents.containers.zip import open_container

if TYPE_CHECKING:
    from collections.abc import Callable

ALL = [(kind, shape) for kind in KINDS for shape in SHAPES]
DATA = packed(DOCX)
END = end_of(DATA)
OURS = {
    "docx": {"[Content_Types].xml", "_rels/.rels", "docProps/core.xml", "docProps/custom.xml"},
    "odt": {"meta.xml"},
    "epub": {"EPUB/book.opf"},
}


@pytest.mark.parametrize(("kind", "shape"), ALL)
def test_a_name_goes_in_and_comes_out_again(kind: str, shape: str) -> None:
    form, data = format_of(kind), SHAPES[shape](KINDS[kind][1])
    named = embedded(form, data)
    assert embedded(form, named) == named != data
    assert restores(data, removed(form, named))
    assert removed(form, data) == data
    assert embedded(form, embedded(form, data, FIRST)) == named
    said = {each.term: each.value for each in form.read(document_from_bytes(named)).statements}
    assert SAID.items() <= said.items()


@pytest.mark.parametrize(("kind", "shape"), ALL)
def test_all_other_members_stay_byte_for_byte(kind: str, shape: str) -> None:
    form, data = format_of(kind), SHAPES[shape](KINDS[kind][1])
    named = embedded(form, data)
    before, after = (
        open_container(document_from_bytes(data)),
        open_container(document_from_bytes(named)),
    )
    old, new = contents(data), contents(named)
    assert {name for name in new if old.get(name) != new[name]} <= OURS[form.key]
    for member in before.members:
        if old[member.name] == new[member.name]:
            other = after.by_name[member.name]
            size = member.end - member.start
            record = before.document.read(member.start, member.end)
            assert record == after.document.read(other.start, other.start + size)
            assert (member.entry[:42], member.entry[46:]) == (other.entry[:42], other.entry[46:])


@pytest.mark.parametrize("kind", KINDS)
def test_the_file_does_not_grow_with_each_name(kind: str) -> None:
    form, data = format_of(kind), packed(KINDS[kind][1])
    once = embedded(form, data)
    again = once
    for marking in (FIRST, LATER) * 3:
        again = embedded(form, again, marking)
    assert again == once


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_was_packed_anew_loses_nothing_but_its_packing(kind: str) -> None:
    form, data = format_of(kind), packed(KINDS[kind][1])
    repacked = packed(contents(embedded(form, data)))
    assert embedded(form, repacked) == repacked
    change = form.remove(document_from_bytes(repacked), UNFORCED)
    assert contents(apply_edits(document_from_bytes(repacked), change.edits)) == contents(data)
    assert change.findings == ()
    assert contents(embedded(form, repacked, FIRST)) == contents(embedded(form, data, FIRST))


def _with_field(offset: int, form: str, value: int, data: bytes = DATA) -> bytes:
    changed = bytearray(data)
    struct.pack_into(form, changed, offset, value)
    return bytes(changed)


def _entry(name: str, data: bytes = DATA) -> int:
    """The offset of an entry of the directory."""
    return data.rindex(name.encode()) - 46


def _packed_otherwise() -> bytes:
    """A document one of whose members, none of metadata, is packed as none may be."""
    file = io.BytesIO(DATA)
    with zipfile.ZipFile(file, "a", zipfile.ZIP_LZMA) as archive:
        archive.writestr("word/styles.xml", "<styles/>")
    return file.getvalue()


def _twice() -> bytes:
    file = io.BytesIO(DATA)
    with zipfile.ZipFile(file, "a") as archive, pytest.warns(UserWarning, match="Duplicate"):
        archive.writestr("word/document.xml", "<other/>")
    return file.getvalue()


def _overlapping() -> bytes:
    """Two members of the same name length, of which one lies in the other."""
    inner = struct.pack("<4s5H3L2H", b"PK\x03\x04", 20, 0, 0, 0, 33, 0, 0, 0, 5, 0) + b"b.txt"
    data = packed({**DOCX, "a.txt": inner, "b.txt": b""}, method=zipfile.ZIP_STORED)
    place = data.index(b"PK\x03\x04", data.index(b"a.txt"))
    return _with_field(_entry("b.txt", data) + 42, "<L", place, data)


def _with_bytes_behind_what_is_packed() -> bytes:
    name, content = "docProps/core.xml", DOCX["docProps/core.xml"].encode()
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    inner = packer.compress(content) + packer.flush() + b"x"
    data = packed({**DOCX, name: inner}, method=zipfile.ZIP_STORED)
    header, entry = (
        open_container(document_from_bytes(data)).by_name[name].start,
        _entry(name, data),
    )
    for place, form, value in (
        (8, "<H", 8),
        (14, "<L", zlib.crc32(content)),
        (22, "<L", len(content)),
    ):
        data = _with_field(header + place, form, value, data)
        data = _with_field(entry + place + 2, form, value, data)
    return data


BROKEN: dict[str, tuple[str, bytes, str]] = {
    "empty": ("LX360", b"", "no end record"),
    "text": ("LX360", b"PK, said the officer", "no end record"),
    "cut": ("LX360", DATA[:-1], "some are missing"),
    "cut in half": ("LX360", DATA[: len(DATA) // 2], "no end record"),
    "its head is missing": ("LX360", DATA[9:], "belong to no member"),
    "bytes after": ("LX360", DATA + b"x", "after its end"),
    "bytes in front": ("LX360", b"#!/bin/sh\n" + DATA, "belong to no member"),
    "two ends": ("LX363", packed(DOCX, b"PK\x05\x06" + b"\0" * 18), "two end records"),
    "two disks": ("LX363", _with_field(END + 4, "<H", 1), "multi-part"),
    "more on other disks": ("LX363", _with_field(END + 8, "<H", 1), "multi-part"),
    "too few entries": ("LX360", _with_field(END + 8, "<L", 3 | 3 << 16), "longer"),
    "too many entries": ("LX360", _with_field(END + 8, "<L", 9 | 9 << 16), "directory"),
    "a broken directory": ("LX360", _with_field(_entry("_rels/.rels"), "<L", 0), "directory"),
    "a name too long": ("LX360", _with_field(_entry("_rels/.rels") + 28, "<H", 999), "directory"),
    "no size": ("LX363", _with_field(_entry("_rels/.rels") + 24, "<L", 0xFFFF_FFFF), "ZIP64"),
    "out of place": ("LX360", _with_field(_entry("_rels/.rels") + 42, "<L", 3), "directory states"),
    "cut off": ("LX360", _with_field(_entry("_rels/.rels") + 20, "<L", 1 << 30), "cut off"),
    "another member": (
        "LX363",
        _with_field(_entry("docProps/core.xml") + 46, "<B", ord("D")),
        "not the member",
    ),
    "another method": (
        "LX363",
        _with_field(DATA.index(b"docProps/core.xml") - 22, "<H", 0),
        "not the member",
    ),
    "bytes behind what is packed": ("LX360", _with_bytes_behind_what_is_packed(), "is broken"),
    "on another disk": ("LX363", _with_field(_entry("_rels/.rels") + 34, "<H", 1), "another disk"),
    "large end": ("LX363", with_large_end(DOCX), "ZIP64"),
    "large offsets": ("LX363", with_large_offsets(DOCX), "ZIP64"),
    "too many entries for one end": ("LX363", _with_field(END + 10, "<H", 0xFFFF), "ZIP64"),
    "wrong sum": ("LX360", _with_field(_entry("_rels/.rels") + 16, "<L", 1), "is broken"),
    "wrong size": ("LX360", _with_field(_entry("_rels/.rels") + 24, "<L", 1), "is broken"),
    "encrypted": ("LX361", _with_field(_entry("word/document.xml") + 8, "<H", 1), "encrypted"),
    "twice": ("LX363", _twice(), "twice"),
    "overlapping": ("LX363", _overlapping(), "overlap"),
    "a bomb": ("LX364", packed({**DOCX, "docProps/core.xml": b" " * (17 << 20)}), "metadata"),
    "too large": (
        "LX364",
        packed({**DOCX, "_rels/.rels": b"x" * (17 << 20)}, method=zipfile.ZIP_STORED),
        "metadata",
    ),
    "packed otherwise": ("LX363", packed(DOCX, method=zipfile.ZIP_BZIP2), "method 12"),
}


@pytest.mark.parametrize("case", BROKEN)
def test_what_is_broken_or_does_harm_is_refused(case: str) -> None:
    code, data, words = BROKEN[case]
    form = format_of("docx")
    calls: tuple[Callable[..., object], ...] = (
        form.read,
        lambda document: form.embed(document, LATER, FORCED),
        lambda document: form.remove(document, FORCED),
    )
    for call in calls:
        with pytest.raises(DocumentError, match=words) as error:
            call(document_from_bytes(data, "act.docx"))
        assert error.value.finding.code == code
        assert error.value.finding.file == "act.docx"


def test_a_member_that_no_document_may_have_is_not_passed_over() -> None:
    form, data = format_of("docx"), _packed_otherwise()
    words = "styles.xml is compressed by method 14"
    with pytest.raises(DocumentError, match=words):
        form.embed(document_from_bytes(data), LATER, FORCED)
    (found,) = form.read(document_from_bytes(data)).findings
    assert words in found.message
    assert form.remove(document_from_bytes(data), UNFORCED).edits == ()


def test_a_directory_is_no_larger_than_those_of_documents(monkeypatch: pytest.MonkeyPatch) -> None:
    assert fault_of(open_container, DATA) is None
    monkeypatch.setattr(zip_module, "_LARGEST_DIRECTORY", 100)
    with pytest.raises(DocumentError, match="LX363: its directory is too large"):
        open_container(document_from_bytes(DATA))


@pytest.mark.parametrize(("bound", "most"), [("_ZIP64", len(DATA)), ("_ZIP64_SHORT", 5)])
def test_a_container_that_would_need_64_bits_is_refused(
    bound: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(zip_module, bound, most)
    with pytest.raises(DocumentError, match="LX363: it would need ZIP64 records"):
        embedded(format_of("docx"), DATA)


def test_a_bomb_that_is_not_read_does_not_matter() -> None:
    data = packed({**DOCX, "word/media/image1.png": b"\0" * (40 << 20)})
    form = format_of("docx")
    assert restores(data, removed(form, embedded(form, data)))


DAMAGES: dict[str, Callable[[str, bytes], bytes]] = {
    "another sum": lambda name, data: _with_field(_entry(name, data) + 16, "<L", 1, data),
    "another size": lambda name, data: _with_field(_entry(name, data) + 24, "<L", 1, data),
    "a larger size": lambda name, data: _with_field(_entry(name, data) + 24, "<L", 1 << 20, data),
    "another packing": lambda name, data: _with_field(_packed_at(name, data), "<L", 0, data),
}


def _packed_at(name: str, data: bytes) -> int:
    return open_container(document_from_bytes(data)).by_name[name].data


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_container_with_any_broken_member_takes_no_name_and_is_read(
    kind: str, how: str, method: int
) -> None:
    form = format_of(kind)
    members = {**KINDS[kind][1], "media/image.bin": b"0123456789" * 1_000}
    plain = packed(members, method=method)
    named = embedded(form, plain)
    damaged = DAMAGES[how]("media/image.bin", named)
    for data in (damaged, DAMAGES[how]("media/image.bin", plain)):
        assert fault_of(lambda each: form.embed(each, LATER, UNFORCED), data) == "LX360"
    reading = form.read(document_from_bytes(damaged))
    assert [each.code for each in reading.findings] == ["LX360"]
    assert "media/image.bin is broken" in reading.findings[0].message
    assert str(LATER.name) in {each.value for each in reading.statements if each.is_embedded}
    assert removed(form, damaged) == DAMAGES[how]("media/image.bin", plain)


def test_what_is_not_read_of_a_very_large_container_is_said(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = packed({**DOCX, "a.bin": b"0" * 10_000, "word/z.xml": b"1" * 10})
    monkeypatch.setattr(zip_module, "_MOST_UNPACKED", 9_000)
    form = format_of("docx")
    for each in (data, DAMAGES["another sum"]("a.bin", data)):
        assert [found.code for found in form.read(document_from_bytes(each)).findings] == ["LX344"]
        change = form.embed(document_from_bytes(each), LATER, UNFORCED)
        assert [found.code for found in change.findings] == ["LX344"]
    broken = DAMAGES["another sum"]("word/z.xml", data)
    assert fault_of(lambda each: form.embed(each, LATER, UNFORCED), broken) == "LX360"


def _unmarked(content: bytes) -> bytes:
    return re.sub(rb"<!-- lexurn:[^>]*-->", b"", content)


def test_another_name_that_lexurn_did_not_mark_is_a_conflict() -> None:
    for kind, (_, members) in KINDS.items():
        form = format_of(kind)
        named = contents(embedded(form, packed(members)))
        unmarked = packed({name: _unmarked(content) for name, content in named.items()})
        assert embedded(form, unmarked) == unmarked
        change = form.remove(document_from_bytes(unmarked), UNFORCED)
        assert {each.code for each in change.findings} >= {"LX368"}
        assert fault_of(lambda each, f=form: f.embed(each, FIRST, UNFORCED), unmarked) == "LX362"
        assert ACT in str(form.read(document_from_bytes(unmarked)))


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_written_is_the_golden_text(kind: str) -> None:
    """``LEXURN_WRITE_GOLDEN=1`` agrees to what it is now."""
    form, members = format_of(kind), KINDS[kind][1]
    named = contents(embedded(form, packed(members)))
    texts = [
        f"==== {name}\n{content.decode()}\n"
        for name, content in named.items()
        if content != members.get(name, "").encode()
    ]
    path = Path(__file__).parents[1] / "golden_embedding" / f"zip_{kind.replace(' ', '_')}.txt"
    if os.environ.get("LEXURN_WRITE_GOLDEN"):
        path.write_text("".join(texts), "utf-8")
    assert path.read_text("utf-8") == "".join(texts)
