"""Laws of loading: in any pieces and any order, once or twice, a catalogue holds the same."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from catalogue_parts import AS_OF, held, lines_of
from hypothesis import given
from hypothesis import strategies as st
from sizes import examples
from strategies_model import tables

from lexurn.catalogue import LoadOptions, load, open_catalogue
from lexurn.model import families_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.model import Record

BASES = st.sampled_from([None, "https://law.example"])


def loaded(pieces: Sequence[Sequence[Record]], base: str | None) -> tuple[list[str], list[str]]:
    """What a catalogue holds after some loads, and the keys that its index knows."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open_catalogue(Path(folder) / "c", write=True, base=base) as catalogue,
    ):
        for piece in pieces:
            load(catalogue, families_of(piece), LoadOptions(as_of=AS_OF))
        keys = list(catalogue.holdings.keys())
        for key in keys:
            family = catalogue.holdings.family(key)
            assert family is not None
            assert str(family.key) == key
        return held(catalogue), keys


def cut(records: Sequence[Record], places: Sequence[int]) -> list[Sequence[Record]]:
    bounds = [0, *sorted(place % (len(records) + 1) for place in places), len(records)]
    pieces = [records[a:b] for a, b in itertools.pairwise(bounds)]
    return [piece for piece in pieces if piece]


@given(tables(), st.lists(st.integers(0, 1000), max_size=4), BASES)
@examples(12)
def test_pieces_are_the_whole(
    records: Sequence[Record], places: list[int], base: str | None
) -> None:
    whole = families_of(records)
    lines, keys = loaded(cut(records, places), base)
    assert lines == lines_of(whole, base)
    assert keys == [str(family.key) for family in whole]


@given(tables(), BASES)
@examples(8)
def test_twice_is_once(records: Sequence[Record], base: str | None) -> None:
    whole = families_of(records)
    assert loaded([records, records], base)[0] == lines_of(whole, base)


@given(tables(), st.data())
@examples(12)
def test_a_new_record_replaces_the_old_one(records: Sequence[Record], data: st.DataObject) -> None:
    chosen = data.draw(st.lists(st.sampled_from(records), unique_by=lambda r: r.name, min_size=1))
    changed = {
        record.name: dataclasses.replace(
            record, modified=dt.date(2026, 2, 2), items=record.items[:-1], alias_of=None
        )
        for record in chosen
    }
    after = [changed.get(record.name, record) for record in records]
    lines, _ = loaded([records, list(changed.values())], None)
    # Names that were only ever completed stay, since names are never forgotten.
    known = {r.name: r for family in families_of(records) for r in family.records}
    assert lines == lines_of(families_of((known | {r.name: r for r in after}).values()))
