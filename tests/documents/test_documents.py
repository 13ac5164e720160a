"""Documents and edits: read at any place, changed nowhere but where an edit says so."""

from __future__ import annotations

import os
import pickle
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn import documents
from lexurn.documents import (
    DocumentError,
    Edit,
    apply_edits,
    document_from_bytes,
)
from lexurn.documents.document import open_document, preview_edits
from lexurn.findings import load_codes

PLACES = st.lists(st.integers(0, 40), max_size=8).map(sorted)


@given(st.binary(min_size=40, max_size=80), PLACES, st.binary(max_size=5))
def test_all_bytes_outside_of_edits_stay(data: bytes, places: list[int], new: bytes) -> None:
    pairs = list(zip(places[::2], places[1::2], strict=False))
    edits = [Edit(start=start, end=end, new=new) for start, end in pairs]
    result = apply_edits(document_from_bytes(data), edits)
    kept, done = [], 0
    for start, end in pairs:
        kept.append(data[done:start])
        done = end
    assert result == new.join([*kept, data[done:]])


@pytest.mark.parametrize("places", [[(3, 2)], [(0, 2), (1, 3)], [(2, 3), (0, 1)], [(0, 7)]])
def test_edits_that_overlap_or_lie_outside_are_refused(places: list[tuple[int, int]]) -> None:
    edits = [Edit(start=start, end=end, new=b"") for start, end in places]
    with pytest.raises(ValueError, match="overlap"):
        preview_edits(document_from_bytes(b"abcdef"), edits)


@given(data=st.binary(max_size=50), start=st.integers(0, 60), end=st.none() | st.integers(0, 60))
def test_a_file_is_read_like_bytes(tmp_path_factory, data: bytes, start: int, end) -> None:
    path = tmp_path_factory.mktemp("read") / "file"
    path.write_bytes(data)
    with open_document(path) as document:
        assert (
            document.read(start, end)
            == data[start:end]
            == document_from_bytes(data).read(start, end)
        )
        assert b"".join(document.pieces(start, end)) == data[start:end]


def test_a_large_file_is_read_in_pieces() -> None:
    data = os.urandom(3 << 20)
    pieces = list(document_from_bytes(data).pieces(5))
    assert len(pieces) == 3
    assert b"".join(pieces) == data[5:]


def test_a_file_cut_meanwhile_is_said(tmp_path: Path) -> None:
    path = tmp_path / "act.html"
    path.write_bytes(b"x" * 100)
    with open_document(path) as document:
        os.truncate(path, 10)
        assert document.read(0, 10) == b"x" * 10
        with pytest.raises(DocumentError, match="LX303"):
            document.read()


@pytest.mark.skipif(os.name != "posix", reason="pipes with names are those of POSIX")
def test_what_is_no_file_is_said(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path, why in (
        ("pipe", "not a regular file"),
        ("absent", "No such file"),
        (".", "it is a folder"),
    ):
        with pytest.raises(DocumentError, match=why), open_document(tmp_path / path):
            pass


def test_an_error_goes_to_another_process_with_its_finding(tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as error, open_document(tmp_path / "absent"):
        pass
    again = pickle.loads(pickle.dumps(error.value))
    assert (str(again), again.finding) == (str(error.value), error.value.finding)
    assert again.finding.location == str(tmp_path / "absent")


def test_each_code_of_documents_is_used() -> None:
    sources = Path(documents.__file__).parent.rglob("*.py")
    used = {code for each in sources for code in re.findall("LX3[0-9]{2}", each.read_text("utf-8"))}
    assert used == {code for code in load_codes() if code.startswith("LX3")}
