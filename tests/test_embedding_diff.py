"""What changes is shown: lines that can be applied again, words where there are none."""

from __future__ import annotations

import io
import random
import re
import zipfile
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.embedding import Document, Edit, document_of, edited
from lexurn.embedding._diff import _members, _members_in_words, diff_of_texts
from lexurn.embedding._diff_lines import line_hunks
from lexurn.embedding._view import edited_document

if TYPE_CHECKING:
    from collections.abc import Sequence

PLACES = st.lists(st.integers(0, 40), max_size=8).map(sorted)
TEXTS = st.text(st.sampled_from("ab\n"), max_size=60).map(str.encode)
HEADER = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


def edits_at(places: list[int], size: int, new: bytes) -> list[Edit]:
    at = [min(each, size) for each in places]
    return [Edit(start=one, end=two, new=new) for one, two in zip(at[::2], at[1::2], strict=False)]


def patched(old: list[str], hunks: Sequence[str]) -> list[str]:
    """Apply a unified diff, as strictly as can be."""
    new: list[str] = []
    done = 0
    for line in hunks:
        found = HEADER.fullmatch(line)
        if found is not None:
            first, count = int(found[1]), int(found[2] or 1)
            start = first - 1 if count else first
            new += old[done:start]
            done = start
            other, many = int(found[3]), int(found[4] or 1)
            assert len(new) == (other - 1 if many else other)
            continue
        if line[0] in " -":
            assert old[done] == line[1:]
            done += 1
        if line[0] in " +":
            new.append(line[1:])
    return new + old[done:]


def lines_of(data: bytes) -> list[str]:
    lines = data.decode().split("\n")
    return lines if lines[-1] else lines[:-1]


@given(st.binary(max_size=60), PLACES, st.binary(max_size=5), st.integers(0, 99))
def test_an_edited_document_is_read_like_its_bytes(
    data: bytes, places: list[int], new: bytes, start: int
) -> None:
    edits = edits_at(places, len(data), new)
    document = document_of(data)
    view, whole = edited_document(document, edits), edited(document, edits)
    assert view.size == len(whole)
    assert view.read() == whole
    assert view.read(start, start + 7) == whole[start : start + 7]


@given(TEXTS, PLACES, TEXTS)
def test_lines_can_be_applied(data: bytes, places: list[int], new: bytes) -> None:
    edits = edits_at(places, len(data), new)
    document = document_of(data)
    hunks = list(line_hunks(document, edits))
    assert patched(lines_of(data), hunks) == lines_of(edited(document, edits))


@pytest.mark.parametrize("size", [100, 20_000])
def test_changes_far_apart_are_shown_each_where_it_is(size: int) -> None:
    chance = random.Random(1)  # noqa: S311 - no secret
    data = b"".join(b"%d\n" % chance.randrange(10**6) for _ in range(size))
    places = sorted(chance.sample(range(len(data)), 12))
    edits = edits_at(places, len(data), b"new\nnew\n")
    document = document_of(data)
    hunks = list(line_hunks(document, edits))
    assert patched(lines_of(data), hunks) == lines_of(edited(document, edits))


def test_only_the_window_of_a_large_document_is_held() -> None:
    data = b"a line of a document\n" * 200_000
    largest = 0

    def read_some(start: int, size: int) -> bytes:
        nonlocal largest
        largest = max(largest, size)
        return data[start : start + size]

    document = Document(name="a", size=len(data), reader=read_some)
    at = len(data) // 2
    hunks = list(line_hunks(document, [Edit(start=at, end=at, new=b"x")]))
    assert len(hunks) == 9
    assert hunks[0] == "@@ -99998,7 +99998,7 @@"
    assert largest <= 1 << 20


def test_a_page_of_one_line_is_cut() -> None:
    data = b"<html>" + b"x" * 1_000_000 + b"</html>"
    hunks = list(line_hunks(document_of(data), [Edit(start=6, end=6, new=b"<meta>\n")]))
    assert hunks[0] == "@@ -1 +1,2 @@"
    assert [hunk[:7] for hunk in hunks[1:]] == ["-<html>", "+<html>", "+xxxxxx"]
    assert max(map(len, hunks)) < 1_100


def test_utf_16_is_shown_as_text() -> None:
    data = "\ufeff<html>\n<head>\n</head>\n".encode("utf-16-le")
    at = data.index("</head>".encode("utf-16-le"))
    hunks = list(
        line_hunks(document_of(data), [Edit(start=at, end=at, new="à\n".encode("utf-16-le"))])
    )
    assert hunks == ["@@ -1,3 +1,4 @@", " \ufeff<html>", " <head>", "+à", " </head>"]


def test_other_encodings_are_shown_somehow() -> None:
    data = "città\nx\n".encode("latin-1")
    hunks = list(line_hunks(document_of(data), [Edit(start=6, end=6, new=b"y\n")]))
    assert hunks == ["@@ -1,2 +1,3 @@", " città", "+y", " x"]


def zipped(**members: str) -> Document:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as container:
        for name, text in members.items():
            container.writestr(zipfile.ZipInfo(name), text)
    return document_of(out.getvalue())


def test_members_of_containers_are_named() -> None:
    before, after = _members(zipped(a="x", b="y", c="z")), _members(zipped(a="x", b="!", d="z"))
    assert list(_members_in_words(before, after)) == [
        "@@ b changes @@",
        "@@ c is taken out @@",
        "@@ d is put in @@",
    ]
    assert _members(document_of(b"PK\x03\x04")) == {}


def test_files_that_come_and_go_are_shown() -> None:
    assert diff_of_texts("a", None, "x\n") == "--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+x\n"
    assert diff_of_texts("a", "x\n", None) == "--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
