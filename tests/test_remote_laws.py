"""Laws of a catalogue on a server: what a publisher states comes back, whatever it is."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from remote_cases import emptied, held, lines_of
from servers import oxigraph_server
from strategies_model import tables

from lexurn.catalogue._keys import number_key, years_of
from lexurn.catalogue._remote import RemoteStore
from lexurn.catalogue._remote_holdings import RemoteHoldings
from lexurn.catalogue._remote_texts import zeros_before
from lexurn.catalogue._remote_updates import pieces_by_graph, updates_of
from lexurn.graph import nquads_of
from lexurn.model import families_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.model import Record

AS_OF = dt.date(2010, 6, 1)


@pytest.fixture(scope="module")
def store() -> Iterator[RemoteStore]:
    with oxigraph_server() as url:
        opened = RemoteStore(url)
        yield opened
        opened.close()


@settings(max_examples=60)
@given(records=tables())
def test_alias_sets_come_back(store: RemoteStore, records: list[Record]) -> None:
    families = families_of(records)
    emptied(store)
    store.fill(b"".join(nquads_of(family, as_of=AS_OF) for family in families))
    holdings = RemoteHoldings(store)
    names = [record.name for family in families for record in family.records]
    acts = [name for name in names if name.parent is None]
    found = holdings.families([str(act) for act in acts])
    assert found == list(families)
    assert [family.shared for family in found] == [family.shared for family in families]
    assert list(holdings.keys()) == [str(family.key) for family in families]
    for act in acts:
        for number in act.work.details.numbers:
            for year in (None, *years_of(act.work.details)):
                near = holdings.near(str(act.jurisdiction), number_key(number), year)
                assert str(act) in near
    spelled = {(text, str(r.name)) for f in families for r in f.records for text in r.dialect_names}
    for text in {text for text, _ in spelled}:
        assert {(text, name) for name in holdings.spelled(text)} == {
            s for s in spelled if s[0] == text
        }
    holders: dict[str, list[str]] = {}
    for family in families:
        for url in sorted({item.url for record in family.records for item in record.items}):
            holders.setdefault(url, []).append(str(family.key))
    assert holdings.holders(holders, 99) == holders


@settings(max_examples=40)
@given(records=tables(), places=st.lists(st.integers(0, 10_000), max_size=30))
def test_changes_do_what_they_say(
    store: RemoteStore, records: list[Record], places: list[int]
) -> None:
    data = b"".join(nquads_of(family, as_of=AS_OF) for family in families_of(records))
    lines = sorted(line for line in set(lines_of(data)) if "nonNegativeInteger" not in line)
    removed = sorted({lines[place % len(lines)] for place in places})
    emptied(store)
    store.change([], lines)
    assert held(store) == lines
    store.change(removed, [])
    assert held(store) == sorted(set(lines) - set(removed))
    store.change(lines, removed)
    assert held(store) == removed


@given(st.integers(1, 5), st.integers(0, 12), st.integers(0, 12))
def test_updates_keep_to_their_bound(most: int, removed: int, added: int) -> None:
    lines = [f'<a:s> <a:p> "{n}" <a:g{n % 2}> .\n' for n in range(24)]
    updates = list(updates_of(lines[:removed], lines[12 : 12 + added], most=most))
    named = [line for text in updates for line in text.split("\n") if line.startswith("<a:s>")]
    assert len(named) == removed + added
    assert all(text.count("<a:s>") <= most for text in updates)
    assert (len(updates) <= 1) == (removed + added <= most)


@given(st.lists(st.integers(0, 50), unique=True))
def test_pieces_hold_everything_once(numbers: list[int]) -> None:
    lines = [f'<a:s> <a:p> "{n}" <a:g{n % 3}> .\n' for n in numbers]
    found = [
        line.replace(" .\n", f" <{graph}> .\n")
        for graph, piece in pieces_by_graph("".join(lines).encode())
        for line in lines_of(piece)
    ]
    assert sorted(found) == sorted(lines)


@given(st.from_regex(r"[a-z0-9.\-]{1,12}", fullmatch=True), st.integers(0, 4))
def test_zeros_are_put_where_keys_have_none(number: str, zeros: int) -> None:
    ways = zeros_before(number_key(number))
    assert len(ways) <= 256
    assert {number_key(way) for way in ways} == {number_key(number)}
    digits = "".join(c for c in number_key(number) if c.isdigit())
    if digits and number_key(number).isdigit() and len(digits) + zeros <= 10:
        assert "0" * zeros + digits in ways
