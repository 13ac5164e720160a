"""XML read by places: what stands where, in any encoding, and what is refused."""

from __future__ import annotations

import re
from contextlib import suppress
from encodings.aliases import aliases
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.documents import Document, DocumentError, document_from_bytes
from lexurn.documents.containers import xml
from lexurn.documents.containers.xml import (
    Comment,
    Doctype,
    EndTag,
    StartTag,
    Text,
    check_well_formed,
    detect_codec,
    encode_xml,
    escape_xml,
    parse_events,
    parse_root,
    read_layout,
)
from lexurn.documents.formats.xml import remove_block

PAGE = """<?xml version="1.0"?>
<!DOCTYPE a PUBLIC "p" "s" [<!ENTITY word "text"><!ENTITY tag "<b/>">]>
<!-- first -->
<a xmlns="urn:x-a" xmlns:p="urn:x-p" one="1 &gt; 0 > &word;" p:two='"'  ><b/><p:c></p:c>
<d xmlns="" none="é">x&word;&nbsp;&tag;<![CDATA[<e>]]>y</d><q:f/><?do it?></a >
<!-- last -->
"""


def document(text: str, codec: str = "utf-8") -> Document:
    return document_from_bytes(text.encode(codec), "a.xml")


def fault(data: bytes) -> str:
    with pytest.raises(DocumentError) as caught:
        list(parse_events(document_from_bytes(data, "a.xml")))
    return caught.value.finding.code


def whole_codes(data: bytes) -> list[str]:
    try:
        return [each.code for each in check_well_formed(document_from_bytes(data, "a.xml"))]
    except DocumentError as fault:
        return [fault.finding.code]


@pytest.mark.parametrize("codec", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_every_event_knows_its_place_in_every_encoding(codec: str) -> None:
    page = document(PAGE, codec)
    pieces = [
        (type(each), page.read(each.start, each.end).decode(detect_codec(page)))
        for each in parse_events(page)
        if not isinstance(each, Text | Doctype)
    ]
    assert pieces == [
        (Comment, "<!-- first -->"),
        (
            StartTag,
            """<a xmlns="urn:x-a" xmlns:p="urn:x-p" one="1 &gt; 0 > &word;" p:two='"'  >""",
        ),
        (StartTag, "<b/>"),
        (EndTag, ""),
        (StartTag, "<p:c>"),
        (EndTag, "</p:c>"),
        (StartTag, '<d xmlns="" none="é">'),
        (EndTag, "</d>"),
        (StartTag, "<q:f/>"),
        (EndTag, ""),
        (Comment, "<?do it?>"),
        (EndTag, "</a >"),
        (Comment, "<!-- last -->"),
    ]


def test_an_element_knows_its_names_its_attributes_and_its_line() -> None:
    root = parse_root(document(PAGE))
    first, second, third, fourth = root.elements
    assert (root.opening.uri, root.opening.local, root.opening.line) == ("urn:x-a", "a", 4)
    assert root.get("one") == "1 > 0 > text"
    assert root.get("two") is None
    assert root.get("two", "urn:x-p") == '"'
    assert (first.opening.uri, first.opening.is_empty) == ("urn:x-a", True)
    assert (second.opening.uri, second.opening.prefix, second.opening.is_empty) == (
        "urn:x-p",
        "p",
        False,
    )
    assert (third.opening.uri, third.get("none")) == ("", "é")
    assert (fourth.opening.uri, fourth.opening.local) == (None, "f")
    assert root.find_first("urn:x-a", "b") == first


def test_entities_in_text_are_read_but_never_expanded() -> None:
    third = list(parse_root(document(PAGE)).elements)[2]
    assert third.text == "xtext\xa0&tag;<e>y"
    assert not third.children


def test_a_document_is_read_no_further_than_asked() -> None:
    asked: list[int] = []
    head = b"<html><head></head>"

    def reader(start: int, size: int) -> bytes:
        asked.append(start)
        return (head if start == 0 else b"").ljust(size)

    stream = parse_events(Document(name="large.xml", size=1 << 30, reader=reader))
    assert next(each for each in stream if isinstance(each, EndTag)).end == len(head)
    assert set(asked) == {0}


@pytest.mark.parametrize("codec", sorted({*aliases.values()} - {"utf_16"}))
def test_any_encoding_is_read_as_its_codec_reads_it_or_refused(codec: str) -> None:
    text = f"<?xml version='1.0' encoding='{codec.replace('_', '-')}'?><a b='x'>é</a>"
    try:
        data = text.encode(codec)
    except (LookupError, UnicodeError):
        data = text.encode("latin-1")
    page = document_from_bytes(data)
    with suppress(DocumentError):
        root = parse_root(page)
        known = detect_codec(page)
        assert root.text == page.read(root.opening.end, root.content_end).decode(known)
        assert encode_xml("<€>", known).decode(known) in {"<€>", "<&#8364;>"}


def test_utf_8_by_another_name_is_read() -> None:
    data = "<?xml version='1.0' encoding='utf8'?><a>é</a>".encode()
    assert parse_root(document_from_bytes(data)).text == "é"


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "LX330"),
        (b"text", "LX330"),
        (b"<a>", "LX330"),
        (b"<a></b>", "LX330"),
        (b"<a b='1' b='2'/>", "LX330"),
        (b"<a>\xff</a>", "LX330"),
        (b"<a>&nbsp;</a>", "LX330"),
        (b"<a/><b/>", "LX330"),
        (b"<?xml version='1.0' encoding='shift_jis'?><a/>", "LX331"),
        (b"<?xml version='1.0' encoding='none-such'?><a/>", "LX331"),
        (b"<?xml version='1.0' encoding='utf-7'?><a/>", "LX331"),
        (b"<a>\n<b>", "LX330"),
        (b"<a>\n</a", "LX330"),
        (b"<a>" * 2_000, "LX332"),
        (b"<a " + b" ".join(b'a%d=""' % each for each in range(2_000)) + b"/>", "LX332"),
        (b"<a " + b" ".join(b'xmlns:a%d="u"' % each for each in range(500)) + b"/>", "LX332"),
        (b"<a><!--" + b"x" * (1 << 26), "LX332"),
        (b"<!DOCTYPE a [<!ENTITY a 'x'>]><a b='" + b"x" * (1 << 24), "LX332"),
        (b"<!DOCTYPE a [<!ENTITY a '&b;'><!ENTITY b '&a;'>]><a b='&a;'/>", "LX330"),
        (b"<!DOCTYPE a [<!ENTITY a '&a;'>]><a b='&a;'/>", "LX330"),
    ],
)
def test_what_is_refused(data: bytes, code: str) -> None:
    assert fault(data) == code
    assert set(whole_codes(data)) <= {code, "LX330"}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"<a>\n<b>", "a.xml:2: LX330: the file is not well-formed XML (it ends before its root"),
        (
            b"<a>\n<b",
            "a.xml:2: LX330: the file is not well-formed XML (it ends in a tag or comment)",
        ),
        (b"<a>\n</b>", "a.xml:2: LX330: the file is not well-formed XML (mismatched tag)"),
        (b"<?xml version='1.0' encoding='big5'?><a/>", 'LX331: the encoding "big5" is not'),
    ],
)
def test_a_fault_is_said_with_its_line(data: bytes, words: str) -> None:
    with pytest.raises(DocumentError, match=re.escape(words)):
        list(parse_events(document_from_bytes(data, "a.xml")))


def test_long_texts_are_no_long_tags() -> None:
    for text in (b"x" * (34 << 20), b"<![CDATA[" + b"x" * (34 << 20) + b"]]>"):
        assert whole_codes(b"<a>" + text + b"</a>") == []


def test_a_billion_laughs_are_refused_or_never_heard() -> None:
    lines = ["<!ENTITY lol0 'lol'>"]
    lines += [f"<!ENTITY lol{n} '{f'&lol{n - 1};' * 10}'>" for n in range(1, 10)]
    start = f"<!DOCTYPE a [{''.join(lines)}]>"
    assert parse_root(document(f"{start}<a>&lol9;</a>")).text == "&lol9;"
    data = f"{start}<a b='&lol9;'/>".encode()
    assert (fault(data), whole_codes(data)) == ("LX330", ["LX330"])
    long = f"<!DOCTYPE a [<!ENTITY b '{'x' * 60_000}'>]><a c='{'&b;' * 100_000}'/>".encode()
    assert (fault(long), whole_codes(long)) == ("LX330", ["LX330"])


def test_nothing_outside_is_fetched(tmp_path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("secret")
    text = f'<!DOCTYPE a SYSTEM "{secret}" [<!ENTITY x SYSTEM "{secret.as_uri()}">]><a>&x;</a>'
    assert parse_root(document(text)).text == ""


def test_what_comes_before_a_fault_is_given() -> None:
    stream = parse_events(document_from_bytes(b"<a><b/><c>&</c>", "a.xml"))
    assert [next(stream).local for _ in range(2)] == ["a", "b"]  # type: ignore[union-attr]


def test_what_is_written_is_in_the_encoding_of_the_document() -> None:
    latin = document_from_bytes(b"<?xml version='1.0' encoding='ISO-8859-1'?>\r\n <a/>")
    assert detect_codec(latin) == "iso8859-1"
    assert encode_xml("é€", detect_codec(latin)) == b"\xe9&#8364;"
    assert escape_xml('<&">\n') == "&lt;&amp;&quot;&gt;&#10;"
    assert read_layout(latin, latin.size - 4, "iso8859-1") == "\r\n "
    assert read_layout(latin, latin.size, "iso8859-1") == ""
    wide = document("<a>\n\t<b/></a>", "utf-16")
    assert read_layout(wide, 2 + 2 * 5, detect_codec(wide)) == "\n\t"


@given(
    st.recursive(
        st.sampled_from(
            ["<e/>", "<e ></e >", "<p:e xmlns:p='u' a='>'/>", "é", "<!-- - -->", "&lt;"]
        ),
        lambda inner: st.lists(inner).map(lambda each: f'<f g="\'">{"".join(each)}\n</f>'),
    ),
    st.sampled_from(["utf-8", "utf-16"]),
    st.integers(1, 50),
)
def test_events_lie_side_by_side_in_order(content: str, codec: str, step: int) -> None:
    page = document(f"<r>{content}</r>", codec)
    slow = Document(name="", size=page.size, reader=lambda at, _: page.read(at, at + step))
    seen = list(parse_events(page))
    assert all(one.end <= other.start for one, other in pairwise(seen))
    assert seen[-1].end == page.size
    assert b"".join(page.read(each.start, each.end) for each in seen) == page.read(seen[0].start)
    assert list(parse_events(slow)) == seen
    assert check_well_formed(page) == check_well_formed(slow) == ()


@given(st.binary())
def test_any_bytes_are_read_or_refused(data: bytes) -> None:
    for given_data in (data, b"<a>" + data):
        whole = whole_codes(given_data)
        assert whole == ([fault(given_data)] if whole else [])
        if not whole:
            list(parse_events(document_from_bytes(given_data)))


def test_what_each_element_holds_is_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    prefixes = "".join(f' xmlns:p{number}="urn:x"' for number in range(200))
    scopes = f"<a{prefixes}>" + '<b xmlns:q="u"/>' * 50 + "</a>"
    entity = "x" * 1_000
    values = f"<!DOCTYPE a [<!ENTITY e '{entity}'>]><a>" + '<b c="&e;"/>' * 100 + "</a>"
    for text in (scopes, values):
        assert len(list(parse_events(document(text)))) > 100
    monkeypatch.setattr("lexurn.documents.containers.xml.MOST_ATTRIBUTE_TEXT", 50_000)
    assert fault(scopes.encode()) == fault(values.encode()) == "LX332"


@pytest.mark.parametrize(
    ("bound", "most", "inner"),
    [
        ("MOST_NODES", 10, "<b/>" * 11),
        ("MOST_NODES", 10, "<!-- b -->" * 11),
        ("MOST_NODES", 10, "<?b c?>" * 11),
        ("MOST_NODES", 10, "<b>" * 11 + "</b>" * 11),
        ("LONGEST_TEXT", 100, "x" * 101),
        ("LONGEST_TEXT", 100, "<b>xxx</b>" * 40),
    ],
)
def test_what_is_held_of_a_part_is_bounded(
    bound: str, most: int, inner: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = document(f"<a>{inner}</a>")
    assert parse_root(data).opening.local == "a"
    monkeypatch.setattr(xml, bound, most)
    with pytest.raises(DocumentError, match="LX332") as caught:
        parse_root(data)
    assert "a is too large" in caught.value.finding.message


@pytest.mark.parametrize("name", ["unicode_escape", "raw_unicode_escape", "utf-8-sig", "utf_8_sig"])
def test_an_encoding_of_python_alone_is_none(name: str) -> None:
    assert fault(f"<?xml version='1.0' encoding='{name}'?><a/>".encode()) == "LX331"


def test_a_layout_longer_than_what_stands_before_it_is_no_fault() -> None:
    text = f"<a><!-- lexurn:begin -->\n{' ' * 80}<b/><!-- lexurn:end --></a>"
    root = parse_root(document(text))
    assert remove_block(document(text), root, lambda _: True)[0].new == b""
