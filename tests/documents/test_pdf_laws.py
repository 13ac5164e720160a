"""What holds of every PDF, and of all bytes that are none."""

from __future__ import annotations

import random
import time
import zlib
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pdf_files import (
    FILES,
    MARKINGS,
    OBJECTS,
    change,
    embedded,
    packet,
    removed,
    stream,
    stream_file,
    table_file,
    with_metadata,
)
from pdf_fuzzing import check, damaged
from sizes import examples

from lexurn.documents.containers.pdf_objects import (
    PdfDictionary,
    PdfError,
    PdfReference,
    decode_text_string,
    parse_value,
    unpack_stream,
)
from lexurn.documents.containers.xmp import merge_packet, parse_packet
from lexurn.model import LanguageText, Record
from lexurn.name import parse
from lexurn.pages import DocumentMetadata, make_document_metadata

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
TEXTS = st.text(
    st.characters(blacklist_categories=["Cs"], blacklist_characters="\ufffe\uffff"), max_size=20
)
WORDS = st.sampled_from(
    [
        *("null", "true", "-12", "3.5", "(a\\)(b))", "<0a F>", "/N#20ame", "4 0 R", "%c\n1"),
        *("[1 [(]) /A] 4 0 R]", "<< /A (>>) /B<<>> >>"),
    ]
)
ENTRIES = st.lists(WORDS, max_size=5).map(
    lambda words: "".join(f"/K{place} {word}" for place, word in enumerate(words)).encode()
)


@st.composite
def files(draw: st.DrawFn) -> bytes:
    objects = draw(st.sampled_from([OBJECTS, with_metadata(), with_metadata(is_packed=True)]))
    catalog = objects[1].replace(b"/Pages", draw(ENTRIES) + b" /Pages", 1)
    objects = {**objects, 1: catalog}
    if draw(st.booleans()):
        packed = draw(st.sets(st.sampled_from([1, 2, 3, 4])))
        return stream_file(objects, packed=sorted(packed), predictor=draw(st.sampled_from([1, 12])))
    end = draw(st.sampled_from([b"", b"\n", b"\r", b"\r\n", b"\n\n\0"]))
    return table_file(objects, eol=draw(st.sampled_from([b"\n", b"\r\n"])), end=end)


@given(files(), st.sampled_from(MARKINGS), st.sampled_from(MARKINGS))
def test_in_again_other_and_out(
    data: bytes, one: DocumentMetadata, other: DocumentMetadata
) -> None:
    first = embedded(data, one)
    assert first.startswith(data)
    assert not change(first, one).edits
    assert embedded(first, other) == embedded(data, other)
    assert removed(first) == data


@given(TEXTS, st.sampled_from([None, "it", "zh-hant"]), TEXTS)
def test_any_title_is_read_again(title: str, language: str | None, there: str) -> None:
    record = Record(name=parse(ACT), titles=(LanguageText(value=title, language=language),))
    marking = make_document_metadata(record.name, [record])
    data = merge_packet(b"", marking, "").data
    found = [each.value for each in parse_packet(data).statements if each.term.endswith("title")]
    wanted = marking.titles[0].value.strip(" \t\n\r") if marking.titles else ""
    assert {" ".join(each.split()) for each in found} == (
        {" ".join(wanted.split())} if wanted.split() else set()
    )
    theirs = "".join(f"&#{ord(each)};" for each in there if each.isprintable())
    old = packet(f'<rdf:Description rdf:about=""><a xmlns="urn:a">{theirs}</a></rdf:Description>')
    assert set(parse_packet(old).statements) <= set(
        parse_packet(merge_packet(old, marking, "").data).statements
    )


def test_damaged_files_do_no_harm() -> None:
    chance, files_ = random.Random(9676), list(FILES.values())
    results = Counter(check(damaged(chance.choice(files_), files_, chance)) for _ in range(1_000))
    assert results["done"] > 200
    assert results["LX346"] > 200


@given(st.binary(max_size=60))
def test_any_bytes_do_no_harm(data: bytes) -> None:
    check(data)
    check(b"%PDF-" + data)
    check(FILES["table"] + data)


@examples(100)
@given(
    st.lists(
        st.sampled_from(
            [
                b"<",
                b"<<",
                b">>",
                b"[",
                b"]",
                b"(",
                b")",
                b"/",
                b"1 ",
                b"R",
                b"\\",
                b"%",
                b"\n",
                b"a",
            ]
        ),
        max_size=14,
    ).map(b"".join)
)
def test_any_object_is_a_value_or_none(data: bytes) -> None:
    try:
        _, end = parse_value(data, 0)
    except PdfError:
        return
    assert 0 < end <= len(data)
    assert parse_value(data[:end], 0)[1] == end


VALUES = {
    b"true ": True,
    b"%a\n null": None,
    b"+17": 17,
    b"-.5": -0.5,
    b"4.": 4.0,
    b"12 0 R": PdfReference(12, 0),
    b"/A#42#C3#A9": "ABé",
    b"/": "",
    b"<4 1 4>": b"A@",
    b"(a(b\\)\\\r\nc)\\101\\n\r\n)": b"a(b)c)A\n\n",
}


@pytest.mark.parametrize("data", VALUES)
def test_values(data: bytes) -> None:
    assert parse_value(data, 0)[0] == VALUES[data]


def test_values_stand_in_values() -> None:
    value, end = parse_value(b"<</A[1/B(b)<</C 2 0 R>>]/D null>> ", 0)
    assert isinstance(value, PdfDictionary)
    assert end == 33
    assert value.write_without("D") == b"/A[1/B(b)<</C 2 0 R>>]\n"
    assert value.get("D") is None
    with pytest.raises(PdfError, match="repeated"):
        parse_value(b"<</A 1/A 2>>", 0)[0].get("A")  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"a\x80\xa0\xe9", "a•€é"),
        (b"\xfe\xff\x01\x61", "š"),
        (b"\xff\xfea\0", "a"),
        (b"\xef\xbb\xbf\xc3\xa9", "é"),
        (b"\xfe\xff\xd8", "\ufffd"),
    ],
)
def test_texts(data: bytes, text: str) -> None:
    assert decode_text_string(data) == text


@pytest.mark.parametrize(
    "text", ["\x1ben\x1bAct", "\x1benUS\x1bAct", "A\x1ben\x1bc\x1bit\x1bt", "\u6c49\x1ben\x1bAct"]
)
@pytest.mark.parametrize(
    ("mark", "codec"),
    [(b"\xfe\xff", "utf-16-be"), (b"\xff\xfe", "utf-16-le"), (b"\xef\xbb\xbf", "utf-8")],
)
def test_the_language_of_a_text_is_no_part_of_it(text: str, mark: bytes, codec: str) -> None:
    assert decode_text_string(mark + text.encode(codec)).removeprefix("\u6c49") == "Act"


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xfe\xff\0\x1ben\0\x1b\0A", "A"),
        (b"\xfe\xff\0\x1benUS\0\x1b\0A", "A"),
        (b"\xef\xbb\xbfA\x1bB", "A\x1bB"),
        (b"\xef\xbb\xbfA\x1b a whole sentence \x1bB", "A\x1b a whole sentence \x1bB"),
        (b"A\x1ben\x1bB", "A\u02d9en\u02d9B"),
    ],
)
def test_what_stands_for_no_language_is_text(data: bytes, text: str) -> None:
    assert decode_text_string(data) == text


def test_a_bomb_is_no_stream() -> None:
    packed = zlib.compress(bytes(1 << 22))
    dictionary, _ = parse_value(b"<</Filter/FlateDecode>>", 0)
    assert isinstance(dictionary, PdfDictionary)
    assert len(unpack_stream(dictionary, packed)) == 1 << 22
    with pytest.raises(PdfError, match="larger"):
        unpack_stream(dictionary, packed, 1 << 20)
    with pytest.raises(PdfError, match="truncated"):
        unpack_stream(dictionary, packed[:-9])


HEAD = b"%PDF-1.7\n"
END = b"\nstartxref\n9\n%%EOF\n"
SLOW = {
    "objects": HEAD + b"1 0 obj<</Type/ObjStm>>" * 20_000 + END,
    "subsections": HEAD + b"xref\n" + b"0 0\n" * 20_000 + b"trailer\n<</Root 1 0 R>>" + END,
    "brackets": HEAD + b"1 0 obj\n" + b"[" * 500_000 + END,
    "keys": HEAD + b"xref\n0 0\ntrailer\n<<" + b"/A 1" * 50_000 + b">>" + END,
    "strings": HEAD + b"1 0 obj\n" + b"(" * 1_100_000 + END,
    "escapes": HEAD + b"1 0 obj\n(" + b"\\" * 1_100_000 + b")" + END,
    "comments": HEAD + b"1 0 obj\n" + b"%\n" * 500_000 + END,
    "names": HEAD + b"1 0 obj\n/" + b"#41" * 500_000 + END,
    "packed": table_file(
        {**with_metadata(), 5: stream(zlib.compress(bytes(1 << 26)), b"/Filter/FlateDecode")}
    ),
    "packet": table_file(with_metadata(packet("<a>" * 1_100))),
}


@pytest.mark.parametrize("data", SLOW.values(), ids=SLOW)
def test_what_is_made_to_take_long_does_not(data: bytes) -> None:
    start = time.process_time()
    assert check(data) in {"LX346", "LX350"}
    assert time.process_time() - start < 20
