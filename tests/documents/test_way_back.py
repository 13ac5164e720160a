"""What is put into a document can be taken out again: that is made sure of before it is written."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from embedding_zip_cases import DOCX, packed
from hypothesis import given
from hypothesis import strategies as st
from pdf_files import FILES, updated

from lexurn.documents import (
    DocumentError,
    Edit,
    OutcomeStatus,
    apply_edits,
    document_from_bytes,
    embed,
)
from lexurn.documents.containers import pdf_objects
from lexurn.documents.containers import zip as zip_module
from lexurn.documents.document import preview_edits

if TYPE_CHECKING:
    from pathlib import Path
    from types import ModuleType

NAME = "urn:lex:it:stato:legge:2003-09-21;456"
AT_THE_LIMIT = {
    "members of a container": (
        "a.docx",
        packed(DOCX),
        zip_module,
        "_LARGEST_DIRECTORY",
        # One byte too few for the entry of another member.
        int.from_bytes(packed(DOCX)[-10:-6], "little") + 46 + len("docProps/custom.xml") - 1,
    ),
    "sections of a PDF": (
        "a.pdf",
        updated(FILES["table"], {3: b"<< /Type /Page /Parent 2 0 R >>"}),
        pdf_objects,
        "_MOST_SECTIONS",
        2,
    ),
}


@pytest.mark.parametrize("case", AT_THE_LIMIT)
def test_what_could_not_be_taken_out_is_not_put_in(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, data, module, bound, most = AT_THE_LIMIT[case]
    path = tmp_path / file
    path.write_bytes(data)
    assert code_at(path, module, bound, most, monkeypatch) == "LX341"
    assert path.read_bytes() == data
    assert embed(path, NAME, sidecar=True, write=False).status is OutcomeStatus.SIDECAR
    assert code_at(path, module, bound, most + 1, monkeypatch) is None
    assert path.read_bytes() != data


def code_at(
    path: Path, module: ModuleType, bound: str, most: int, monkeypatch: pytest.MonkeyPatch
) -> str | None:
    """The code of the fault where a bound is so low."""
    monkeypatch.setattr(module, bound, most)
    try:
        embed(path, NAME)
    except DocumentError as fault:
        return fault.finding.code
    return None


@given(st.data())
def test_a_document_afterwards_is_the_edited_one(data: st.DataObject) -> None:
    old = data.draw(st.binary(max_size=40))
    places = sorted(data.draw(st.lists(st.integers(0, len(old)), max_size=8)))
    pairs = zip(places[::2], places[1::2], strict=False)
    edits = [
        Edit(start=one, end=other, new=data.draw(st.binary(max_size=9))) for one, other in pairs
    ]
    document = document_from_bytes(old)
    new, view = apply_edits(document, edits), preview_edits(document, edits)
    start, end = sorted(data.draw(st.tuples(*[st.integers(0, len(new))] * 2)))
    assert (view.size, view.read(), view.read(start, end)) == (len(new), new, new[start:end])
