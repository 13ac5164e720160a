"""Edits after edits are edits of the first document."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from lexurn.documents import Change, Edit, apply_edits, document_from_bytes
from lexurn.documents.document import preview_edits, replace_own_edits


@st.composite
def edits_of(draw: st.DrawFn, size: int) -> tuple[Edit, ...]:
    places = sorted(draw(st.lists(st.integers(0, size), max_size=6)))
    pairs = zip(places[::2], places[1::2], strict=False)
    return tuple(
        Edit(start=one, end=other, new=draw(st.binary(max_size=4))) for one, other in pairs
    )


@given(st.data(), st.binary(max_size=30))
def test_two_lists_of_edits_are_one(drawn: st.DataObject, data: bytes) -> None:
    document = document_from_bytes(data)
    first = drawn.draw(edits_of(len(data)))
    between = preview_edits(document, first)
    second = drawn.draw(edits_of(between.size))
    both = replace_own_edits(document, first, lambda _: Change(edits=second)).edits
    assert apply_edits(document, both) == apply_edits(between, second)
    assert not first or len(both) <= 1
    assert all(each.new != document.read(each.start, each.end) for each in both or () if first)


def test_what_is_put_in_again_is_no_edit() -> None:
    document = document_from_bytes(b"<a>old</a>")
    removal = (Edit(start=3, end=6, new=b""),)
    assert not replace_own_edits(
        document, removal, lambda _: Change(edits=(Edit(start=3, end=3, new=b"old"),))
    ).edits
    (edit,) = replace_own_edits(
        document, removal, lambda _: Change(edits=(Edit(start=3, end=3, new=b"odd"),))
    ).edits
    assert edit == Edit(start=3, end=6, new=b"odd")
