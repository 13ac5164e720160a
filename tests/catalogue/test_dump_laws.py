"""Laws of dumps: sorting outside memory is sorting; documents say what the store holds."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

from catalogue_parts import lines_of
from hypothesis import given
from hypothesis import strategies as st
from sizes import examples
from strategies_model import tables

from lexurn.catalogue import dump, open_rdf_source
from lexurn.catalogue.files import sort_lines
from lexurn.graph import Format, read
from lexurn.model import families_of
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.model import Record

LINES = st.lists(st.binary(max_size=6).filter(lambda line: b"\n" not in line), max_size=200)
FORMATS = st.sampled_from(["nquads", "ntriples", "turtle", "trig", "jsonld"])


@given(LINES, st.integers(1, 40))
def test_sorting_outside_memory_is_sorting(lines: list[bytes], size: int) -> None:
    whole = [line + b"\n" for line in lines]
    pieces = [b"".join(whole[start : start + size]) for start in range(0, len(whole), size)]
    found = b"".join(sort_lines(pieces))
    assert found == b"".join(sorted(set(whole)))


def test_lines_larger_than_memory_are_sorted() -> None:
    lines = [bytes([65 + n % 26]) * (1_000_000 + n) + b"\n" for n in range(60)]
    found = b"".join(sort_lines(reversed(lines)))
    assert found == b"".join(sorted(lines))


def test_a_last_line_without_its_end_gets_one() -> None:
    assert b"".join(sort_lines([b"b\na"])) == b"a\nb\n"


@given(tables(), FORMATS, st.sampled_from([None, "https://law.example"]))
@examples(20)
def test_what_is_held_is_written_and_read_back(
    stated: Sequence[Record], form: str, base: str | None
) -> None:
    families = families_of(stated)
    store = EmbeddedStore(None)
    quads = "".join(lines_of(families, base)).encode()
    store.fill(quads)
    target = io.BytesIO()
    dump(store, target, form)
    data = target.getvalue()
    assert read(data, Format.from_name(form)).merged == read(quads, Format.NQUADS).merged
    if form in {"nquads", "trig"}:
        with open_rdf_source([io.BytesIO(data)], format=form) as source:
            assert tuple(source.families()) == families
    again = io.BytesIO()
    dump(store, again, form)
    assert again.getvalue() == data
