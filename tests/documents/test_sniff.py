"""Which format a document is: by its content, whatever its name says."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.documents import DocumentError, document_from_bytes, identify_format
from lexurn.documents.identification import FORMAT_MODULES, identify_key

XHTML = b'<html xmlns="http://www.w3.org/1999/xhtml"><head/></html>'
PROLOG = b'<?xml version="1.0" encoding="UTF-8"?>\n'
AKN = b'<akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0"><act/></akomaNtoso>'


def zipped(*members: tuple[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, data in members:
            container.writestr(name, data)
    return out.getvalue()


WORD = zipped(("[Content_Types].xml", b"<Types/>"), ("word/document.xml", b"<x/>"))
SHEET = zipped(("[Content_Types].xml", b"<Types/>"), ("xl/workbook.xml", b"<x/>"))
EPUB = zipped(("mimetype", b"application/epub+zip"), ("META-INF/container.xml", b"<x/>"))
ODT = zipped(("mimetype", b"application/vnd.oasis.opendocument.text"), ("content.xml", b"<x/>"))

WORD_ELSEWHERE = zipped(("[Content_Types].xml", b"<Types/>"), ("word/main.xml", b"<x/>"))


def commented(data: bytes, comment: bytes) -> bytes:
    """A ZIP file with a comment that speaks of members."""
    return data[:-2] + len(comment).to_bytes(2, "little") + comment


DOCUMENTS = {
    "a page": (b"<!DOCTYPE html><p>x", "a.html", "html"),
    "a body with our block in front": (b"<!-- lexurn:begin -->\n<link>\n<body>", "a.pdf", "html"),
    "a page without suffix": (b"  \n<!doctype HTML>", "a", "html"),
    "a page by its root": (b"<html lang=it>", "a.php", "html"),
    "a page with a mark": (b"\xef\xbb\xbf<html>", "a.htm", "html"),
    "a page in UTF-16": ("\ufeff<html>".encode("utf-16-le"), "a.htm", "html"),
    "a page with a comment first": (b"<!-- x --><p>y", "a.html", "html"),
    "a page of text alone": (b"Art. 1", "a.html", "html"),
    "a page with a list first": (b"[1] Art. 1 <p>x", "a.html", "html"),
    "a page of text with a colon": (b"Art. 1: x\n<p>MIME", "a.html", "html"),
    "a page with code in front": (b"{% extends 'a' %}", "a.html", "html"),
    "JSON under the name of a page": (b'\xef\xbb\xbf\n{ "a": "<p>x" }', "a.html", None),
    "a list in JSON under the name of a page": (b'[\n {"a": 1}]', "a.html", None),
    "RTF under the name of a page": (b"{\\rtf1 x}", "a.htm", None),
    "MHTML by Word": (b"MIME-Version: 1.0\nContent-Type: x\n\n<html>", "a.htm", None),
    "MHTML by Chrome": (b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n", "a.html", None),
    "a page with a broken tag": (b"<x<y", "a.html", "html"),
    "a page under the name of a PDF": (b"<!DOCTYPE html><p>%PDF-1.7", "a.pdf", "html"),
    "a page that speaks of PDF": (b"<p>%PDF-1.7", "a.html", "html"),
    "XHTML as HTML": (PROLOG + XHTML, "a.html", "html"),
    "XHTML without prolog": (XHTML, "a", "html"),
    "XHTML": (PROLOG + XHTML, "a.xhtml", "xhtml"),
    "XHTML by its suffix": (XHTML, "a.xhtml", "xhtml"),
    "XHTML by its prolog": (PROLOG + XHTML, "a", "xhtml"),
    "Akoma Ntoso": (PROLOG + AKN, "a.xml", "akoma-ntoso"),
    "Akoma Ntoso with a prefix": (AKN.replace(b"xmlns", b"xmlns:a"), "a.xml", None),
    "Akoma Ntoso as HTML": (PROLOG + AKN, "a.html", "akoma-ntoso"),
    "LexML": (b'<LexML xmlns="http://www.lexml.gov.br/1.0"/>', "a.xml", "lexml"),
    "NIR with a DTD": (b'<!DOCTYPE NIR SYSTEM "nir.dtd"><NIR/>', "a.xml", "nir"),
    "NIR": (b'<NIR xmlns="http://www.normeinrete.it/nir/2.2/"/>', "a.xml", "nir"),
    "other XML": (b"<rss/>", "a.xml", None),
    "Akoma Ntoso behind letters in UTF-8 by another name": (
        b"<?xml version='1.0' encoding='utf8'?><!-- \xc3\xa9 -->" + AKN,
        "a.xml",
        "akoma-ntoso",
    ),
    "Akoma Ntoso in EUC": (b"<?xml version='1.0' encoding='euc-kr'?>" + AKN, "a.xml", None),
    "XHTML in Big5 as HTML": (
        b"<?xml version='1.0' encoding='big5'?>" + XHTML,
        "a.html",
        "html",
    ),
    "broken XML": (PROLOG + b"<a", "a.xml", None),
    "broken XML under the name of a page": (PROLOG + b"<html", "a.html", "html"),
    "an SVG": (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "a.svg", None),
    "XML of an unknown encoding": (b'<?xml version="1.0" encoding="x-y"?><a/>', "a.xml", None),
    "PDF": (b"%PDF-1.7\n", "a.pdf", "pdf"),
    "PDF behind some bytes": (b"\x00" * 500 + b"%PDF-1.4", "a.bin", "pdf"),
    "PDF too far behind": (b"\x00" * 1100 + b"%PDF-1.4", "a.pdf", None),
    "a text that speaks of PDF": (b"The header of a PDF is %PDF-1.7", "a.txt", None),
    "a text that speaks of its end too": (b"%%PDF-1.7 ... startxref, %%EOF", "a.txt", None),
    "PDF behind letters": (b"HTTP/1.1 200 OK\n\n%PDF-1.7 startxref\n9\n%%EOF", "a.bin", "pdf"),
    "PDF behind letters, cut off": (b"HTTP/1.1 200 OK\n\n%PDF-1.7", "a.pdf", "pdf"),
    "Word": (WORD, "a.docx", "docx"),
    "a sheet": (SHEET, "a.xlsx", None),
    "EPUB": (EPUB, "a.epub", "epub"),
    "EPUB under another name": (EPUB, "a.zip", "epub"),
    "ODT": (ODT, "a.odt", "odt"),
    "ODT without its type": (zipped(("META-INF/manifest.xml", b"<x/>")), "a.odt", "odt"),
    "an ODF sheet": (
        zipped(("mimetype", b"application/vnd.oasis.opendocument.spreadsheet")),
        "a.ods",
        None,
    ),
    "Word whose text is called otherwise": (WORD_ELSEWHERE, "a.docx", "docx"),
    "Word whose text is called otherwise, as a ZIP": (WORD_ELSEWHERE, "a.zip", None),
    "a ZIP with a book unpacked in it": (
        zipped(("src/META-INF/container.xml", b"<x/>")),
        "a.zip",
        None,
    ),
    "a ZIP with Word unpacked in it": (zipped(("my-word/document.xml", b"<x/>")), "a.zip", None),
    "a ZIP with a name that goes on": (zipped(("word/document.xml.bak", b"<x/>")), "a.zip", None),
    "a ZIP that speaks of Word": (
        commented(zipped(("a.txt", b"word/document.xml")), b"word/document.xml"),
        "a.zip",
        None,
    ),
    "Word whose directory is nowhere": (WORD.replace(b"PK\x05\x06", b"PK\x05\x05"), "a", None),
    "a ZIP": (zipped(("a.txt", b"x")), "a.zip", None),
    "an empty ZIP": (zipped(), "a.zip", None),
    "a ZIP under the name of Word": (zipped(("a.txt", b"x")), "a.docx", "docx"),
    "old Word": (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\x00" * 600, "a.doc", None),
    "packed": (b"\x1f\x8b\x08", "a.html", None),
    "bytes under the name of a page": (b"\x00\x01\x02", "a.html", None),
    "text": (b"<!-- x -->\nText", "a.md", None),
    "Turtle": (b"<urn:x> a <urn:y> .", "a.ttl", None),
    "a program": (b"<?php echo 1;", "a.php", None),
}


@pytest.mark.parametrize(("data", "name", "key"), DOCUMENTS.values(), ids=DOCUMENTS)
def test_content_tells_the_format(data: bytes, name: str, key: str | None) -> None:
    assert identify_key(document_from_bytes(data, name))[0] == key


@pytest.mark.parametrize("codec", ["Shift_JIS", "GB18030", "Big5", "EUC-KR"])
@pytest.mark.parametrize("suffix", [".xml", ".xhtml", ""])
def test_xml_in_an_encoding_that_is_not_read_is_to_be_converted(codec: str, suffix: str) -> None:
    data = f'<?xml version="1.0" encoding="{codec}"?><a/>'.encode(codec)
    what = identify_format(document_from_bytes(data, f"a{suffix}")).what
    assert f'"{codec}"; convert it to UTF-8' in what


def test_an_empty_file_is_said() -> None:
    with pytest.raises(DocumentError, match="LX312"):
        identify_format(document_from_bytes(b"", "a.html"))


def test_a_wrong_suffix_is_noted() -> None:
    found = identify_format(document_from_bytes(b"<html>", "a.pdf"))
    assert [(each.code, str(each.severity)) for each in found.findings] == [("LX314", "note")]
    assert ".html" in found.findings[0].message
    assert (
        "rename it to .odt"
        in identify_format(document_from_bytes(ODT, "a.zip")).findings[0].message
    )
    assert (
        "rename it to .xml"
        in identify_format(document_from_bytes(PROLOG + AKN, "a.html")).findings[0].message
    )
    assert identify_format(document_from_bytes(b"<html>", "a.htm")).findings == ()
    assert identify_format(document_from_bytes(b"<html>", "a")).findings == ()


def test_a_bomb_in_a_doctype_is_not_expanded() -> None:
    entities = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(20))
    text = f'<!DOCTYPE x [<!ENTITY e0 "x">{entities}]><x>&e20;</x>'
    assert identify_key(document_from_bytes(text.encode(), "a.xml"))[0] is None


def test_a_root_is_looked_for_near_the_beginning() -> None:
    data = b"<!-- " + b"x" * (2 << 20) + b" -->" + AKN
    assert identify_key(document_from_bytes(data, "a.xml"))[0] is None


BEGINNINGS = st.sampled_from([data for data, _, _ in DOCUMENTS.values()])
NAMES = st.sampled_from(["a", "a.html", "a.xml", "a.xhtml", "a.pdf", "a.docx", "a.zip", "a.txt"])


@given(BEGINNINGS, st.integers(0, 900), st.binary(max_size=60), NAMES)
def test_any_bytes_are_something(data: bytes, at: int, new: bytes, name: str) -> None:
    document = document_from_bytes(data[:at] + new + data[at:] or b"x", name)
    key, what = identify_key(document)
    assert key in FORMAT_MODULES or (key is None and what)


@pytest.mark.parametrize(
    ("data", "is_page"),
    [
        (b"<!-- a --><p>b", False),
        (b"<!-- a -->b", False),
        (b"<p>b & c", False),
        (b"<!DOCTYPE html><p>b", True),
        (b"<html><p>b & c", True),
    ],
)
def test_without_a_suffix_a_page_is_what_surely_is_one(data: bytes, *, is_page: bool) -> None:
    assert (identify_format(document_from_bytes(data, "a")).format is not None) == is_page
    assert identify_format(document_from_bytes(data, "a.html")).format is not None


WORDS = {
    "a page that is none": (b"\xff\xfe\0\0<\0\0\0", "a.html", "a .html file that is not HTML"),
    "a PDF that is none": (b"text", "a.pdf", "a .pdf file that is not PDF"),
    "XML that is none": (b"text", "a.xml", "a .xml file that is not XML"),
    "of no format": (b"text", "a.txt", "a .txt file"),
    "old Word": (
        DOCUMENTS["old Word"][0],
        "a.doc",
        "an old Office document, or one with a password (save it as DOCX, without a password)",
    ),
    "packed": (b"\x1f\x8b", "a.html", "a compressed file (decompress it first)"),
    "XML of another kind": (b"<rss/>", "a.xml", "XML whose root is rss in no namespace"),
    "XHTML of another kind": (b"<rss/>", "a.xhtml", "XML whose root is rss in no namespace"),
    "broken": (b"<?xml version='1.0'?>\n\n<1>", "a.xml", "broken XML (line 3)"),
    "Akoma Ntoso of old": (
        b'<akomaNtoso xmlns="http://www.akomantoso.example/1.0"/>',
        "a.xml",
        "XML whose root is akomaNtoso in the namespace http://www.akomantoso.example/1.0",
    ),
}


@pytest.mark.parametrize(("data", "name", "what"), WORDS.values(), ids=WORDS)
def test_what_takes_no_name_is_called_what_it_is(data: bytes, name: str, what: str) -> None:
    assert identify_format(document_from_bytes(data, name)).what == what
