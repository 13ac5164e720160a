"""Where the file of an HTTP URI lies: on any disk, inside the site, never two in one place."""

from __future__ import annotations

import hashlib
import re
from pathlib import PurePosixPath
from urllib.parse import unquote, urljoin

import pytest
from export_cases import name
from hypothesis import given
from strategies import names

from lexurn.name import Name, http_path
from lexurn.pages.paths import (
    WRITTEN_FILES,
    escape_segment,
    is_path_exact,
    locate_folder,
    make_collision_key,
    make_relative_link,
    quote_path,
)

ACT = "urn:lex:it:stato:legge:2000-01-01;1"


def escaped(segment: str, kept: str) -> str:
    return f"_{kept}-{hashlib.sha256(segment.encode()).hexdigest()[:16]}"


@pytest.mark.parametrize(
    ("segment", "written"),
    [
        ("legge", "legge"),
        ("2000-01-01;1~art3;par2", "2000-01-01;1~art3;par2"),
        ("@", "@"),
        ("$", "$"),
        ("дума", "дума"),
        ("1999-09-02|21-elul", escaped("1999-09-02|21-elul", "1999-09-0221-elul")),
        ("a" * 200, "a" * 200),
        ("a" * 201, escaped("a" * 201, "a" * 40)),
        ("ж" * 100, "ж" * 100),
        ("ж" * 101, escaped("ж" * 101, "")),
        (".", escaped(".", ".")),
        ("..", escaped("..", "..")),
        ("../../etc", escaped("../../etc", "....etc")),
        ("a\\b", escaped("a\\b", "ab")),
        ("a\x00b", escaped("a\x00b", "ab")),
        ("a\x85b", escaped("a\x85b", "ab")),
        ("_a", escaped("_a", "a")),
        ("index.html", escaped("index.html", "index.html")),
        ("INDEX.HTML", escaped("INDEX.HTML", "INDEX.HTML")),
        ("sitemap.xml", escaped("sitemap.xml", "sitemap.xml")),
        ("...", escaped("...", "...")),
        ("....x", "....x"),
        ("a.", escaped("a.", "a.")),
        ("a ", escaped("a ", "a")),
        (" a", " a"),
        *((f"a{each}b", escaped(f"a{each}b", "ab")) for each in '<>:"|?*'),
        ("con", escaped("con", "con")),
        ("Aux", escaped("Aux", "Aux")),
        ("nul.txt", escaped("nul.txt", "nul.txt")),
        ("prn .a.b", escaped("prn .a.b", "prn.a.b")),
        ("com1", escaped("com1", "com1")),
        ("LPT9.x", escaped("LPT9.x", "LPT9.x")),
        ("com\u00b2", escaped("com\u00b2", "com")),
        ("conin$", escaped("conin$", "conin$")),
        ("com", "com"),
        ("com10", "com10"),
        ("console", "console"),
        ("consiglio", "consiglio"),
        ("a.con", "a.con"),
        ("a/b", escaped("a/b", "ab")),
    ],
)
def test_a_segment_as_it_is_written(segment: str, written: str) -> None:
    assert escape_segment(segment) == written


def test_every_file_that_publish_writes_is_reserved() -> None:
    for file in WRITTEN_FILES:
        assert escape_segment(file) == escaped(file, re.sub("[^a-z0-9.-]", "", file))


@pytest.mark.parametrize(
    "text",
    [
        "urn:lex:it:%2e%2e:%2e%2e%2f:2000-01-01;1",
        "urn:lex:it:stato:legge:2000-01-01;%2e%2e%2f%2e%2e%2fetc",
        "urn:lex:it:%2e:%2e.%2f..%2f:2000-01-01;1:%2e%2e",
        "urn:lex:it:stato:legge:2000-01-01;1:%5c%5chost",
    ],
)
def test_no_name_leads_out_of_the_site(text: str) -> None:
    path = PurePosixPath("/site").joinpath(*locate_folder(name(text)))
    assert path.parts[:3] == ("/", "site", "lex")
    assert ".." not in path.parts
    assert all("/" not in part and "\\" not in part for part in path.parts[1:])


def test_names_as_long_as_they_may_be() -> None:
    long = name(ACT + ":a" * ((8_192 - len(ACT)) // 2))
    wide = name(f"urn:lex:it:stato:legge:2000-01-01;{'1' * 8_000}")
    other = name(str(long)[:-1] + "b")
    for each in (long, wide, other):
        assert len("/".join(locate_folder(each)).encode()) < 3_100
        assert all(len(segment.encode()) < 255 for segment in locate_folder(each))
        assert not is_path_exact(each)
    assert locate_folder(long) != locate_folder(other)
    assert locate_folder(wide)[-1] == escaped(f"2000-01-01;{'1' * 8_000}", f"2000-01-01;{'1' * 29}")


@given(names())
def test_the_path_is_the_decoded_path_of_the_address(each: Name) -> None:
    decoded = [unquote(segment) for segment in http_path(each).removeprefix("/").split("/")]
    assert is_path_exact(each) == (list(locate_folder(each)) == decoded)
    if is_path_exact(each):
        assert unquote(quote_path(locate_folder(each))) == "/".join(decoded)


@given(names(), names())
def test_a_link_leads_from_page_to_page(one: Name, two: Name) -> None:
    start, end = locate_folder(one), locate_folder(two)
    link = make_relative_link(start, end)
    page = f"https://law.example/{quote_path(start)}/index.html"
    assert unquote(urljoin(page, link)) == unquote(
        f"https://law.example/{quote_path(end)}/index.html"
    )
    assert ":" not in link.split("/")[0]


def test_paths_that_a_simple_disk_takes_for_one() -> None:
    upper, lower = name(f"{ACT}~Art1"), name(f"{ACT}~art1")
    assert upper != lower
    assert make_collision_key(locate_folder(upper)) == make_collision_key(locate_folder(lower))
    composed, decomposed = (f"{ACT}~%C3%A9", f"{ACT}~e%CC%81")
    keys = {make_collision_key(locate_folder(name(text))) for text in (composed, decomposed)}
    assert len(keys) == 1
