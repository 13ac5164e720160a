"""The encoding of a page: found as browsers find it, and kept as it is by what is put in."""

from __future__ import annotations

import pytest
from embedding_html_cases import (
    ACT,
    check_laws,
    check_tree,
    codec_of,
    encoding_of,
    own_block,
    put,
    taken_out,
)
from webencodings.labels import LABELS

from lexurn.documents import DocumentError, document_from_bytes

LATE = b" " * 1100
UNUSUAL = {"utf-16le", "utf-16be", "iso-2022-jp", "x-user-defined"}
NAME = f"{ACT}@2005-01-01:it"


@pytest.mark.parametrize("encoding", sorted(set(LABELS.values()) - {"replacement"} - UNUSUAL))
def test_a_name_is_put_in_in_every_encoding(encoding: str) -> None:
    codec = codec_of(encoding)
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
        b"<head><noscript><link></noscript><meta charset=koi8-r></head>\xe6",
        b"<body><script>a = '<meta charset=koi8-r>'</script><meta charset=koi8-r>\xe6",
        b"<?xml encoding='koi8-r'?><p><meta charset=windows-1251>\xe6",
        b"\n" * 960 + b"<p><meta charset=koi8-r>\xe6",
    ],
)
def test_a_charset_that_would_come_too_late_is_refused(page: bytes) -> None:
    assert encoding_of(document_from_bytes(page)) != "windows-1252"
    with pytest.raises(DocumentError, match="LX325"):
        put(page)


@pytest.mark.parametrize(
    "page",
    [
        b"<meta charset=koi8-r><p>\xe6",
        b"\xef\xbb\xbf<p><meta charset=koi8-r>",
        b"<p>" + LATE + b"<meta charset=koi8-r>",
        b"<title>x</title><form accept-charset=utf-8><script charset=utf-8></script>\xe6",
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
    assert encoding_of(document_from_bytes(page)) == "koi8-r"
    with pytest.raises(DocumentError, match="LX325"):
        put(page)
