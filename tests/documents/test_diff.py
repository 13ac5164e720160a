"""What changes is shown: lines that can be applied again, words where there are none."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.documents import (
    Document,
    Edit,
    OutcomeStatus,
    apply_edits,
    document_from_bytes,
    embed,
    remove,
)
from lexurn.documents.changes import (
    diff_edits,
    diff_lines,
    diff_texts,
    split_lines,
)
from lexurn.documents.document import preview_edits
from lexurn.documents.identification import load_format

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

ACT = "urn:lex:it:stato:legge:2003-09-21;456"
PLACES = st.lists(st.integers(0, 40), max_size=8).map(sorted)
TEXTS = st.text(st.sampled_from("ab\n\r\0à"), max_size=60).map(lambda text: text.encode("latin-1"))
HEADER = re.compile(rb"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@\n")
NO_END = b"\n\\ No newline at end of file\n"


def edits_at(places: list[int], size: int, new: bytes) -> list[Edit]:
    at = [min(each, size) for each in places]
    return [Edit(start=one, end=two, new=new) for one, two in zip(at[::2], at[1::2], strict=False)]


def patched(old: list[bytes], hunks: Sequence[bytes]) -> bytes:
    """Apply a unified diff, as strictly as can be."""
    new: list[bytes] = []
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
        text = line[1:].removesuffix(NO_END)
        if line[:1] in b" -":
            assert old[done] == text
            done += 1
        if line[:1] in b" +":
            new.append(text)
    return b"".join((*new, *old[done:]))


def hunks_of(document: Document, edits: Sequence[Edit]) -> list[bytes]:
    hunks = diff_lines(document, edits) if edits else []
    assert hunks is not None
    return hunks


@given(st.binary(max_size=60), PLACES, st.binary(max_size=5), st.integers(0, 99))
def test_an_edited_document_is_read_like_its_bytes(
    data: bytes, places: list[int], new: bytes, start: int
) -> None:
    edits = edits_at(places, len(data), new)
    document = document_from_bytes(data)
    view, whole = preview_edits(document, edits), apply_edits(document, edits)
    assert view.size == len(whole)
    assert view.read() == whole
    assert view.read(start, start + 7) == whole[start : start + 7]


@given(TEXTS, PLACES, TEXTS)
def test_lines_can_be_applied(data: bytes, places: list[int], new: bytes) -> None:
    edits = edits_at(places, len(data), new)
    document = document_from_bytes(data)
    hunks = hunks_of(document, edits)
    assert patched(split_lines(data), hunks) == apply_edits(document, edits)


@pytest.mark.parametrize("size", [100, 20_000])
def test_changes_far_apart_are_shown_each_where_it_is(size: int) -> None:
    chance = random.Random(1)
    data = b"".join(b"%d\n" % chance.randrange(10**6) for _ in range(size))
    places = sorted(chance.sample(range(len(data)), 12))
    edits = edits_at(places, len(data), b"new\nnew\n")
    document = document_from_bytes(data)
    hunks = hunks_of(document, edits)
    assert patched(split_lines(data), hunks) == apply_edits(document, edits)


def test_changes_with_long_lines_between_them_are_shown_once() -> None:
    data = b"".join(b"%d" % each + b"x" * 30_000 + b"\n" for each in range(9))
    edits = [Edit(start=at, end=at, new=b"new\n") for at in (5, 100_000, 200_000)]
    hunks = hunks_of(document_from_bytes(data), edits)
    assert patched(split_lines(data), hunks) == apply_edits(document_from_bytes(data), edits)


def test_only_the_window_of_a_large_document_is_held() -> None:
    data = b"a line of a document\n" * 200_000
    largest = 0

    def read_some(start: int, size: int) -> bytes:
        nonlocal largest
        largest = max(largest, size)
        return data[start : start + size]

    document = Document(name="a", size=len(data), reader=read_some)
    at = len(data) // 2
    hunks = hunks_of(document, [Edit(start=at, end=at, new=b"x")])
    assert len(hunks) == 9
    assert hunks[0] == b"@@ -99998,7 +99998,7 @@\n"
    assert largest <= 1 << 20


def test_what_is_longer_than_anybody_reads_is_said_in_words() -> None:
    page = document_from_bytes(b"<html>" + b"x" * 3_000_000 + b"</html>", "a.html")
    edits = [Edit(start=6, end=6, new=b"<meta>\n")]
    assert diff_lines(page, edits) is None
    assert diff_edits(page, edits, load_format("html")) == (b"--- a.html\n+++ a.html\n")


PAGE = "<!DOCTYPE html>\n<html>\n<head>\n<title>Città</title>\n</head>\n<p>à\n<p>è\n<p>x"
PAGES = {
    "plain": PAGE.encode(),
    "line feed at the end": f"{PAGE}\n".encode(),
    "CRLF": PAGE.replace("\n", "\r\n").encode(),
    "CR": PAGE.replace("\n", "\r").encode(),
    "Latin-1": PAGE.encode("latin-1"),
    "other line ends": PAGE.replace("Città", "C\x85i\u2028tt\x0bà\x0c").encode(),
    "one line": PAGE.replace("\n", "").encode(),
    "short": b"<p>x",
}


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no program patch")
@pytest.mark.parametrize("name", ["act.html", "an act.html", 'a"b\\c\td\n.html', "città.html"])
@pytest.mark.parametrize("kind", PAGES)
def test_patch_does_what_is_shown(kind: str, name: str, tmp_path: Path) -> None:
    page = tmp_path / name
    page.write_bytes(PAGES[kind])
    for change in (partial(embed, page, ACT), partial(remove, page)):
        old = page.read_bytes()
        diff = change(write=False).diff
        change()
        wanted = page.read_bytes()
        page.write_bytes(old)
        patch(tmp_path, diff)
        assert page.read_bytes() == wanted
    assert wanted == PAGES[kind]


@pytest.mark.skipif(shutil.which("patch") is None, reason="there is no program patch")
def test_patch_writes_and_deletes_sidecars(tmp_path: Path) -> None:
    path = tmp_path / "act.bin"
    path.write_bytes(b"\x01")
    patch(tmp_path, embed(path, ACT, sidecar=True, write=False).diff)
    assert embed(path, ACT, sidecar=True).status is OutcomeStatus.UNCHANGED
    patch(tmp_path, remove(path, write=False).diff)
    assert [each.name for each in tmp_path.iterdir()] == ["act.bin"]


def patch(folder: Path, diff: bytes) -> None:
    """Apply a diff in a folder, without any doubt."""
    command = ("patch", "-p0", "--batch", "--no-backup-if-mismatch")
    below = diff.replace(os.fsencode(folder) + b"/", b"")
    done = subprocess.run(command, cwd=folder, input=below, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"offset" not in done.stdout
    assert b"fuzz" not in done.stdout


def test_files_that_come_and_go_are_shown() -> None:
    assert diff_texts("a", None, b"x\n") == b"--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+x\n"
    assert diff_texts("a", b"x\n", None) == b"--- a\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
