"""PDF files that are broken, or larger than any should be: refused in words that say why."""

from __future__ import annotations

import re

import pytest
from pdf_files import (
    CATALOG,
    FILES,
    OBJECTS,
    PAGE,
    THEIRS,
    TRAILER,
    embedded,
    hybrid_file,
    last_start,
    lengths_in_streams,
    removed,
    stream,
    stream_file,
    table_file,
    updated,
    with_metadata,
)
from pdf_sayings import codes_of_reading, said

from lexurn.documents import DocumentError
from lexurn.documents.containers import pdf_objects
from lexurn.documents.formats import pdf


def row(number: int) -> bytes:
    """The row of an object in the table of a file."""
    return b"%010d 00000 n" % FILES["table"].index(b"%d 0 obj" % number)


def in_a_circle() -> bytes:
    """A file whose last section says that the one before is itself."""
    data = table_file(trailer=TRAILER + b" /Prev 999")
    return data.replace(b"/Prev 999", b"/Prev %d" % last_start(data))


UPDATED = updated(FILES["table"], {3: PAGE.replace(b"9 9", b"77 77")})
BROKEN: dict[str, tuple[str, bytes]] = {
    "last end cut off": ("does not end in startxref", UPDATED.removesuffix(b"%%EOF\n")),
    "last end cut short": ("does not end in startxref", UPDATED.removesuffix(b"F\n")),
    "last end written otherwise": (
        "does not end in startxref",
        UPDATED.removesuffix(b"%%EOF\n") + b"%EOF\n",
    ),
    "last end in one word": (
        "does not end in startxref",
        UPDATED.removesuffix(b"\n%%EOF\n") + b"%%EOF\n",
    ),
    "last start that is none": (
        "does not end in startxref",
        re.sub(rb"\d+\n%%EOF\n$", b"x\n%%EOF\n", UPDATED),
    ),
    "cut off": ("does not end in startxref", FILES["table"][:-40]),
    "half": ("does not end in startxref", FILES["table"][:300]),
    "hybrid": ("a hybrid cross-reference section", hybrid_file()),
    "predictor that is unusual": (
        "uses an unusual predictor",
        stream_file(predictor=11),
    ),
    "length of an object stream in one": (
        "the length of an object stream is in an object stream",
        lengths_in_streams(2),
    ),
    "start elsewhere": (
        "there is no object at 17",
        re.sub(rb"startxref\n\d+", b"startxref\n17", FILES["table"]),
    ),
    "start behind": (
        "a cross-reference section lies outside of the file",
        re.sub(rb"startxref\n\d+", b"startxref\n99999", FILES["table"]),
    ),
    "row elsewhere": (
        "there is no object at 16",
        FILES["table"].replace(b"0000000015 00000 n", b"0000000016 00000 n"),
    ),
    "row of another": ("an object other than 1 at", FILES["table"].replace(row(1), row(2))),
    "row that is none": (
        "a row of the cross-reference table is broken",
        FILES["table"].replace(b"0000000015 00000 n", b"000000001x 00000 n"),
    ),
    "numbered from 1": (
        "its catalog has the wrong type",
        FILES["table"].replace(b"xref\n0 5", b"xref\n1 5"),
    ),
    "circle": ("have no end", in_a_circle()),
    "previous is text": (
        "/Prev of a trailer is not an offset",
        table_file(trailer=TRAILER + b" /Prev (a)"),
    ),
    "previous below zero": (
        "a cross-reference section lies outside of the file",
        table_file(trailer=TRAILER + b" /Prev -5"),
    ),
    "previous is none": ("there is no object at 9", table_file(trailer=TRAILER + b" /Prev 9")),
    "no catalog": ("its trailer names no catalog", table_file(trailer=b"/Info 4 0 R")),
    "catalog of another generation": (
        "its catalog has the wrong type",
        table_file(trailer=b"/Root 1 7 R"),
    ),
    "catalog is none": (
        "its catalog has the wrong type",
        table_file({**OBJECTS, 1: b"<< /Type /Font >>"}),
    ),
    "catalog is a number": ("its catalog has the wrong type", table_file({**OBJECTS, 1: b"7"})),
    "no pages": (
        "its catalog has no pages",
        table_file({**OBJECTS, 1: b"<< /Type /Catalog /Pages 88 0 R >>"}),
    ),
    "two roots": ("/Root is repeated", table_file(trailer=TRAILER + b" /Root 1 0 R")),
    "references in a circle": (
        "a reference leads to another one",
        table_file({**OBJECTS, 2: b"2 0 R"}),
    ),
    "too deep": (
        "objects are nested too deeply",
        table_file({**OBJECTS, 1: CATALOG[:-2] + b"/A " + b"[" * 9_000 + b"]" * 9_000 + b">>"}),
    ),
    "metadata is no stream": (
        "its metadata is not a stream",
        table_file({**with_metadata(), 5: b"(a)"}),
    ),
    "metadata in place": (
        "its metadata is not a stream",
        table_file({**OBJECTS, 1: CATALOG[:-2] + b"/Metadata (a) >>"}),
    ),
    "metadata packed otherwise": (
        "a stream is compressed by LZWDecode",
        table_file({**with_metadata(), 5: stream(b"x", b"/Filter /LZWDecode")}),
    ),
    "length is wrong": (
        "the length of a stream is wrong",
        table_file(with_metadata()).replace(
            b"/Length %d" % len(THEIRS), b"/Length %d" % (len(THEIRS) - 9)
        ),
    ),
    "stream is broken": (
        "a stream is compressed by FlateDecoed",
        FILES["stream"].replace(b"/FlateDecode", b"/FlateDecoed"),
    ),
    "stream is cut off": (
        "a cross-reference stream has fewer rows than /Size says",
        FILES["stream"].replace(b"/W [1 3 2]", b"/W [1 9 9]"),
    ),
    "size too large": ("than /Size says", FILES["stream"].replace(b"/Size 7", b"/Size 9")),
    "size that is none": (
        "/Size of a cross-reference stream is wrong",
        FILES["stream"].replace(b"/Size 7", b"/Size(7)"),
    ),
    "columns without width": (
        "/W of a cross-reference stream is wrong",
        FILES["stream"].replace(b"/W [1 3 2]", b"/W [0 0 0]"),
    ),
    "columns that are none": (
        "/W of a cross-reference stream is wrong",
        FILES["stream"].replace(b"/W [1 3 2]", b"/W [(a)  ]"),
    ),
    "bytes in front": ("bytes precede its header", b"HTTP/1.1 200 OK\n\n" + FILES["table"]),
    "bytes in front that offsets count": (
        "bytes precede its header",
        table_file(before=b"HTTP/1.1 200 OK\n\n%PDF-1.7\n"),
    ),
    "stream of another type": (
        "there is no cross-reference section at an offset of one",
        FILES["stream"].replace(b"/XRef", b"/XReg"),
    ),
    "index that is none": (
        "/Index of a cross-reference stream is wrong",
        FILES["stream"].replace(b"/Root 1 0 R", b"/Index [0 -1] /Root 1 0 R"),
    ),
    "predictor that is none": (
        "a stream uses the predictor 2, which is not supported",
        FILES["stream, foretold"].replace(b"tor 12", b"tor 02"),
    ),
    "no columns": (
        "/Columns of a stream is out of range",
        FILES["stream, foretold"].replace(b"/Columns 6", b"/Columns 0"),
    ),
    "rows that are no PNG": (
        "uses an unusual predictor",
        FILES["stream, foretold"].replace(b"/Columns 6", b"/Columns 2"),
    ),
    "object stream of another type": (
        "an object stream has the wrong type",
        FILES["catalog in a stream"].replace(b"/ObjStm", b"/ObjStn"),
    ),
    "object stream without numbers": (
        "an object stream is broken",
        FILES["catalog in a stream"].replace(b"/First 1", b"/First 4"),
    ),
    "object stream without start": (
        "an object stream is broken",
        FILES["catalog in a stream"].replace(b"/First 1", b"/First -"),
    ),
    "number too high": (
        "an object has a number that is too high",
        table_file(trailer=TRAILER).replace(b"0 5\n", b"99999990 5\n"),
    ),
}


@pytest.mark.parametrize(("words", "data"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_refused(words: str, data: bytes) -> None:
    with pytest.raises(DocumentError, match=re.escape(words)) as error:
        embedded(data, is_forced=True)
    assert error.value.finding.code == "LX346"
    assert codes_of_reading(data) == {"LX346"}


@pytest.mark.parametrize(
    "data",
    [
        table_file().replace(b"trailer\n", b"8388605 1\n0000000009 00000 n \ntrailer\n"),
        FILES["stream"].replace(b"/Size 7", b"/Size 8388606"),
        FILES["table"].replace(b"/Size 5", b"/Size 8388607"),
    ],
)
def test_a_file_with_no_number_left_is_refused_before_it_is_written(data: bytes) -> None:
    with pytest.raises(DocumentError, match=r"LX346: .*/Size"):
        embedded(data, is_forced=True)


@pytest.mark.parametrize(
    "data",
    [
        table_file().replace(b"trailer\n", b"8388604 1\n0000000009 00000 n \ntrailer\n"),
    ],
)
def test_the_last_numbers_are_taken(data: bytes) -> None:
    assert removed(embedded(embedded(data))) == data


@pytest.mark.parametrize("data", [b"", b"%PDF", b"<html>", bytes(2_000) + FILES["table"]])
def test_what_is_no_pdf_is_refused(data: bytes) -> None:
    for act in (embedded, removed, said):
        with pytest.raises(DocumentError, match="LX346"):
            act(data)


MANY = stream_file({**OBJECTS, **dict.fromkeys(range(5, 300), b"1")}, packed=range(1, 300))
"""A file whose objects all stand in one stream, and whose rows are packed to a half."""

BOUNDS = {
    "sections": (pdf_objects, "_MOST_SECTIONS", 2, "have no end", FILES["several updates"]),
    "subsections": (pdf_objects, "_MOST_SUBSECTIONS", 1, "too large", FILES["gaps"]),
    "rows": (pdf_objects, "LARGEST_STREAM", 1_500, "sections are too large", MANY),
    "object streams": (pdf, "_MOST_OBJECT_STREAMS", 0, "too many object streams", MANY),
    "object stream": (pdf, "_LARGEST_OBJECT_STREAM", 1_000, "larger than 1,000 bytes", MANY),
    "offset": (pdf, "_HIGHEST_OFFSET", 1_000, "it is too large", FILES["table"]),
}


@pytest.mark.parametrize(("module", "bound", "most", "words", "data"), BOUNDS.values(), ids=BOUNDS)
def test_what_is_larger_than_any_should_be_is_refused(
    module: object, bound: str, most: int, words: str, data: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert removed(embedded(data)) == data
    monkeypatch.setattr(module, bound, most)
    with pytest.raises(DocumentError, match=words) as error:
        embedded(data)
    assert error.value.finding.code == "LX346"
