"""Laws of names in web pages, for made, mutated and real ones, with parsers as referees."""

from __future__ import annotations

import itertools
import json
import os
import random
import shutil
import subprocess
import sysconfig
from pathlib import Path

import html5lib
import pytest
from embedding_html_browser import BROWSER, disagreements
from embedding_html_cases import (
    ACT,
    PIECES,
    check_laws,
    check_laws_of_edited,
    check_tree,
    edited_page,
    encoding_of,
    made,
    mutated,
    put,
    refusal,
    taken_out,
)
from hypothesis import given
from hypothesis import strategies as st
from sizes import examples, one_in, size

from lexurn.documents import document_from_bytes

MODULES = Path(os.environ.get("LEXURN_NODE_MODULES", Path(__file__).parents[2] / "node_modules"))
MANY = size(300, 1_000)
VNU = MODULES / "vnu-jar" / "build" / "dist" / "vnu.jar"
PLACES = (
    Path(sysconfig.get_path("purelib")),
    Path("/usr/share/doc"),
    Path("/usr/lib/node_modules"),
)
# What browsers do otherwise than the standard where it comes first: a blank written by its number.
_NUMBERED = ("&#32;", "&#x0A;", "&Tab;")
PAGES = st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=14).map("".join)


@given(st.binary(max_size=300))
def test_any_bytes_follow_the_laws(data: bytes) -> None:
    check_laws(data)


@given(PAGES, st.sampled_from(["utf-8", "utf-8-sig", "utf-16", "latin-1", "cp932", "iso2022_jp"]))
def test_pages_of_any_pieces_follow_the_laws(page: str, codec: str) -> None:
    check_laws(page.encode(codec, "ignore"))


@given(PAGES, st.integers(0, 200))
def test_a_page_that_is_cut_anywhere_follows_the_laws(page: str, size: int) -> None:
    check_laws(put_or_same(page.encode("utf-8", "ignore"))[:size])


def put_or_same(data: bytes) -> bytes:
    try:
        return put(data)
    except ValueError:
        return data


@given(PAGES)
def test_no_element_of_a_page_moves(page: str) -> None:
    data = page.encode("utf-8", "ignore")
    if check_laws(data):
        check_tree(data)


def test_mutated_pages_follow_the_laws() -> None:
    failed = []
    for number in range(MANY):
        data = made(random.Random(number)).encode()
        try:
            if check_laws(data):
                check_tree(data)
        except AssertionError:
            failed.append(number)
    assert failed == []


def test_pages_whose_block_was_changed_follow_the_laws_or_are_refused() -> None:
    taken = [check_laws_of_edited(edited_page(random.Random(number))) for number in range(MANY)]
    assert 0.5 < sum(taken) / MANY < 0.9


@pytest.mark.skipif(BROWSER is None, reason="no browser (chromium)")
def test_a_browser_sees_our_tags_in_the_head_and_all_else_as_before(tmp_path: Path) -> None:
    pairs = []
    for number in range(size(600, 2_000)):
        page = made(random.Random(number))
        if not any(piece in page for piece in _NUMBERED):
            pairs.append((page, put_or_same(page.encode()).decode()))
    pairs = [pair for pair in pairs if pair[0] != pair[1]]
    assert len(pairs) > size(300, 1_000)
    wrong = (pairs[0][0], "<p>" + pairs[0][1])
    assert disagreements([*pairs, wrong], tmp_path) == [len(pairs)]


def real_pages() -> list[Path]:
    """Pages that came with what is installed here."""
    found = (path for place in PLACES for path in itertools.islice(place.rglob("*.htm*"), 40))
    return [path for path in found if path.is_file() and path.stat().st_size < 100_000]


def test_real_pages_follow_the_laws() -> None:
    pages = real_pages()
    if len(pages) < 30:
        pytest.skip(f"only {len(pages)} pages are installed here")
    source = random.Random(9676)
    for path in pages[:: one_in(3)]:
        data = path.read_bytes()
        if check_laws(data):
            check_tree(data)
        changed = mutated(source, data.decode("latin-1"))
        check_laws(changed.encode("latin-1", "ignore"))


def test_another_parser_sees_the_name_in_the_head() -> None:
    for number in range(100):
        data = made(random.Random(number)).encode()
        if refusal(lambda data=data: put(data)) is None and b"template" not in data:
            tree = html5lib.parse(put(data), namespaceHTMLElements=False)
            metas = tree.findall("./head/meta[@name='DC.identifier']")
            assert [each.get("content") for each in metas] == [f"{ACT}@2005-01-01:it"]


@examples(20)
@given(st.sampled_from(["utf-8", "koi8-r", "shift_jis", "gb18030", "utf-16"]), st.integers(0, 1100))
def test_a_page_says_the_same_encoding_however_far_its_charset_stands(
    encoding: str, distance: int
) -> None:
    for beginning in ("", "<head>", "<head><noscript><b></noscript>", "<p>", "<!-- --!>"):
        data = f"{beginning}{' ' * distance}<meta charset={encoding}>".encode()
        if refusal(lambda data=data: put(data)) is None:
            assert encoding_of(document_from_bytes(put(data))) == encoding_of(
                document_from_bytes(data)
            )
            assert taken_out(put(data)) == data


_START = '<!doctype html>\n<html lang="it">\n'
_CHARSET = '<meta charset="utf-8">'
_NOSCRIPT = '<noscript><link rel="stylesheet" href="a"></noscript>'
VALID = (
    f"{_START}<head>\n{_CHARSET}\n<title>x</title>\n</head>\n<body><p>x</p></body></html>",
    f"{_START}<head><title>x</title>{_CHARSET}<script>1</script></head><body></body></html>",
    f"{_START}<head>{_NOSCRIPT}{_CHARSET}<title>x</title></head><body></body></html>",
    f"{_START}<title>x</title><p>x",
    f"{_START}<title>x</title><style>a{{}}</style><h1>x</h1>".replace("\n", "\r\n"),
)


def test_the_nu_checker_finds_no_error_that_was_not_there_before(tmp_path: Path) -> None:
    if shutil.which("java") is None or not VNU.is_file():
        pytest.skip(f"java or the Nu HTML checker is missing (looked for {VNU})")
    broken = [made(random.Random(number)) for number in range(40)]
    # A page that has these in its body is wrong as it is, and is not less so with ours before them.
    pages = [*VALID, *(page for page in broken if "charset" not in page and "<base" not in page)]
    for place, page in enumerate(pages):
        (tmp_path / f"{place:02}_before.html").write_bytes(page.encode())
        (tmp_path / f"{place:02}_after.html").write_bytes(put_or_same(page.encode()))
    counts = nu_errors(sorted(tmp_path.glob("*.html")))
    assert all(counts.get(f"{place:02}_after.html", 0) == 0 for place in range(len(VALID)))
    for place in range(len(pages)):
        before, after = (counts.get(f"{place:02}_{when}.html", 0) for when in ("before", "after"))
        assert after <= before, place


def nu_errors(paths: list[Path]) -> dict[str, int]:
    """How many errors the Nu HTML checker finds in each page."""
    run = subprocess.run(
        ["java", "-jar", str(VNU), "--format", "json", *map(str, paths)],
        capture_output=True,
        text=True,
        check=False,
    )
    counts: dict[str, int] = {}
    for message in json.loads(run.stderr)["messages"]:
        if message["type"] != "info":
            name = Path(message["url"]).name
            counts[name] = counts.get(name, 0) + 1
    return counts
