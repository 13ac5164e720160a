"""The encoding of a page: found as browsers find it, and kept as it is by what is put in."""

from __future__ import annotations

import pytest
from embedding_html_cases import (
    ACT,
    check_laws,
    check_tree,
    encoding_of,
    own_block,
    put,
    taken_out,
)
from webencodings.labels import LABELS

from lexurn.documents import DocumentError, document_from_bytes
from lexurn.documents.containers.html import find_codec, find_encoding, prescan_encoding
from lexurn.pages import DocumentMetadata

LATE = b" " * 1100
UNUSUAL = {"utf-16le", "utf-16be", "iso-2022-jp"}
NAME = f"{ACT}@2005-01-01:it"

SNIFFED = [
    ("windows-1252", b""),
    ("windows-1252", b"<p>"),
    ("utf-8", b"\xef\xbb\xbf<meta charset=koi8-r>"),
    ("utf-16le", b"\xff\xfe<\0p\0"),
    ("utf-16be", b"\xfe\xff\0<\0p"),
    ("utf-16le", b"<\0?\0x\0m\0l\0"),
    ("utf-16be", b"\0<\0?\0x\0m\0l"),
    ("utf-8", b"<meta charset=utf-8>"),
    ("utf-8", b'<META CHARSET = " UTF8 ">'),
    ("utf-8", b"<meta/charset='utf-16'/>"),
    ("windows-1252", b"<meta charset=x-user-defined>"),
    ("windows-1252", b"<meta charset=latin1>"),
    ("koi8-r", b"<meta charset=none><meta charset=koi8-r>"),
    ("koi8-r", b"<p><body><meta charset=koi8-r>"),
    ("koi8-r", b"<script>'<meta charset=koi8-r>'</script>"),
    ("windows-1252", b"<!-- <meta charset=koi8-r> -->"),
    ("koi8-r", b"<!--><meta charset=koi8-r>"),
    ("windows-1252", b"<x a='<meta charset=koi8-r>'>"),
    ("windows-1252", b"<x a='<meta charset=koi8-r>"),
    ("windows-1252", b"<metacharset=koi8-r>"),
    ("windows-1252", b"<meta xcharset=koi8-r>"),
    ("shift_jis", b"<meta http-equiv=content-type content='text/html; charset=sjis'>"),
    ("shift_jis", b"<meta content='charset charset = \"sjis\";x' http-equiv=Content-Type>"),
    ("windows-1252", b"<meta content='text/html; charset=sjis'>"),
    ("windows-1252", b"<meta http-equiv=refresh content='text/html; charset=sjis'>"),
    ("windows-1252", b"<meta http-equiv=content-type content='charset=\"sjis'>"),
    ("windows-1252", b"<p>" + LATE + b"<meta charset=koi8-r>"),
    ("koi8-r", b"<head>" + LATE + b"<meta charset=koi8-r>"),
    ("koi8-r", b"<head>" + LATE + b"<meta charset=x><meta charset=koi8-r><meta charset=utf-8>"),
    ("koi8-r", b"<head><script>'<meta charset=utf-8>'</script><meta charset=koi8-r>"),
    ("gbk", b"<?xml version='1.0' encoding='gb2312'?>"),
    ("utf-8", b'<?xml encoding = "utf-16"?>'),
    ("windows-1252", b"<?xml encoding='gb 2312'?>"),
    ("windows-1252", b" <?xml encoding='gb2312'?>"),
    ("koi8-r", b"<?xml encoding='gb2312'?><meta charset=koi8-r>"),
    ("replacement", b"<meta charset=iso-2022-kr>"),
]


@pytest.mark.parametrize(("encoding", "page"), SNIFFED)
def test_the_encoding_is_found(encoding: str, page: bytes) -> None:
    assert encoding_of(document_from_bytes(page)) == encoding


def test_all_labels_of_the_standard_are_known() -> None:
    for label, encoding in LABELS.items():
        assert find_encoding(f"\t{label.upper()} ".encode()) == encoding
    assert find_encoding(b"none") is None


@pytest.mark.parametrize("encoding", sorted(set(LABELS.values()) - {"replacement"} - UNUSUAL))
def test_a_name_is_put_in_in_every_encoding(encoding: str) -> None:
    codec = find_codec(encoding) or ""
    letters = "".join(each for each in "äéßжЖüאπ日本国語ソ表能ー㈱한国" if _has(codec, each))
    page = (
        f'<!doctype html><head>\n<meta charset="{encoding}"><title>{letters}</title>\n'
        f"<meta name=a content='{letters}'><!--{letters}--></head>\n<p title={letters}>{letters}"
    )
    data = page.encode(codec)
    assert encoding_of(document_from_bytes(data)) in {encoding, "windows-1252"}
    new = put(data)
    text = new.decode(codec)
    start, end = own_block(document_from_bytes(new)) or (0, 0)
    block = new[start:end].decode(codec)
    assert text.replace(block, "") == page
    assert f'<meta name="DC.identifier" content="{NAME}">\n' in block
    assert taken_out(new) == data
    assert check_laws(data)
    check_tree(data)


def _has(codec: str, letter: str) -> bool:
    try:
        return letter.encode(codec).decode(codec) == letter
    except UnicodeError:
        return False


@pytest.mark.parametrize(
    "page",
    [
        b"<p>\xe6</p><meta charset=koi8-r>",
        b"<head><noscript><img></noscript><meta charset=koi8-r></head>\xe6",
        b"<body><script>a = '<meta charset=koi8-r>'</script><meta charset=koi8-r>\xe6",
        b"<?xml encoding='koi8-r'?><p><meta charset=windows-1251>\xe6",
        b"\n" * 960 + b"<p><meta charset=koi8-r>\xe6",
    ],
)
def test_a_charset_that_would_come_too_late_is_refused(page: bytes) -> None:
    assert prescan_encoding(page) == encoding_of(document_from_bytes(page)) != "windows-1252"
    with pytest.raises(DocumentError, match="LX325"):
        put(page)


@pytest.mark.parametrize(
    "page",
    [
        b"<meta charset=koi8-r><p>\xe6",
        b"<head><noscript><link></noscript><meta charset=koi8-r></head>\xe6",
        b"\xef\xbb\xbf<p><meta charset=koi8-r>",
        b"<p>" + LATE + b"<meta charset=koi8-r>",
        b"<p>\xe6",
    ],
)
def test_a_charset_that_is_found_as_before_is_not_said_again(page: bytes) -> None:
    assert put(page).count(b"charset=") == page.count(b"charset=")
    assert check_laws(page)


@pytest.mark.parametrize(
    "page",
    [
        b"<p><script>a = '<meta charset=koi8-r>'</script>\xe6",
        b"<p><title>a <meta charset=koi8-r></title>\xe6",
        b"<p><template><meta charset=koi8-r></template>\xe6",
        b"<p><textarea><meta charset=koi8-r>\xe6",
        b"\n" * 960 + b"<p><xmp><meta charset=koi8-r></xmp>\xe6",
    ],
)
def test_a_charset_that_no_tag_says_is_not_written(page: bytes) -> None:
    assert prescan_encoding(page) == "koi8-r"
    with pytest.raises(DocumentError, match="LX325"):
        put(page)


def test_a_charset_that_the_block_would_reveal_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    # On the search for a charset all of it is a comment; for a parser it ends, and so does ours.
    page = b"<head><!-- --!></head><meta charset=koi8-r>"
    assert prescan_encoding(page) is None
    monkeypatch.setattr(DocumentMetadata, "head", lambda _self, **_: '<meta name="a">')
    with pytest.raises(DocumentError, match="LX325"):
        put(page)
