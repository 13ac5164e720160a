"""Edits after edits are edits of the first document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lexurn.embedding import Change, Edit, document_of, edited
from lexurn.embedding._composition import composed, renewed
from lexurn.embedding._view import edited_document


@st.composite
def edits_of(draw: st.DrawFn, size: int) -> tuple[Edit, ...]:
    places = sorted(draw(st.lists(st.integers(0, size), max_size=6)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return tuple(
        Edit(start=one, end=other, new=draw(st.binary(max_size=4))) for one, other in pairs
    )


@given(st.data(), st.binary(max_size=30))
def test_two_lists_of_edits_are_one(drawn: st.DataObject, data: bytes) -> None:
    document = document_of(data)
    first = drawn.draw(edits_of(len(data)))
    between = edited_document(document, first)
    second = drawn.draw(edits_of(between.size))
    both = composed(document, first, second)
    assert edited(document, both) == edited(between, second)
    assert all(each.new != document.read(each.start, each.end) for each in both)


def test_what_is_put_in_again_is_no_edit() -> None:
    document = document_of(b"<a>old</a>")
    removal = (Edit(start=3, end=6, new=b""),)
    assert not renewed(
        document, removal, lambda _: Change(edits=(Edit(start=3, end=3, new=b"old"),))
    ).edits
    (edit,) = renewed(
        document, removal, lambda _: Change(edits=(Edit(start=3, end=3, new=b"odd"),))
    ).edits
    assert edit == Edit(start=4, end=5, new=b"d")
