"""Laws of a catalogue on a server: what a publisher states comes back, whatever it is."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from remote_cases import emptied, held, lines_of
from servers import oxigraph_server
from strategies_model import tables

from lexurn.catalogue import LoadOptions, load
from lexurn.catalogue.changes import compute_change, merge_families
from lexurn.catalogue.keys import find_years, make_number_key
from lexurn.catalogue.server import ServerCatalogue, ServerHoldings
from lexurn.catalogue.server_families import list_zero_padded
from lexurn.graph import nquads_of
from lexurn.model import Item, ModelError, Record, families_of
from lexurn.name import parse
from lexurn.store.remote import RemoteStore, split_by_graph, write_updates

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.model import Family

AS_OF = dt.date(2010, 6, 1)
OPTIONS = LoadOptions(as_of=AS_OF)


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
    holdings = ServerHoldings(store)
    names = [record.name for family in families for record in family.records]
    acts = [name for name in names if name.parent is None]
    found = holdings.families([str(act) for act in acts])
    assert found == list(families)
    assert [family.shared for family in found] == [family.shared for family in families]
    assert list(holdings.keys()) == [str(family.key) for family in families]
    for act in acts:
        for number in act.work.details.numbers:
            for year in (None, *find_years(act.work.details)):
                near = holdings.near(str(act.jurisdiction), make_number_key(number), year)
                assert str(act) in near
        head, _, details = str(act).rpartition(":")
        if act.work.details.dates:
            assert str(act) in holdings.dated(head, details[:10])
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


LINES = st.builds(
    "<{}> <a:p> {} <a:g{}> .\n".format,
    st.sampled_from(["a:1", "a:2", "a:3", "a:30", "urn:sha256:aa", "urn:sha256:bb"]),
    st.sampled_from(['"x"', '"y"', "<a:1>"]),
    st.integers(0, 1),
)


@given(st.integers(1, 5), st.sets(LINES), st.sets(LINES))
def test_updates_take_each_node_whole(most: int, removed: set[str], added: set[str]) -> None:
    updates = list(write_updates(removed, added, most=most))
    state, seen = set(removed), set[str]()
    for text in updates:
        gone, new = _done_by(text)
        nodes = {line.split(" ")[0] for line in gone | new}
        assert nodes
        assert not nodes & seen
        assert len(nodes) == 1 or len(gone) + len(new) <= most
        seen |= nodes
        state = (state - gone) | new
        for node in nodes:
            assert {each for each in state if each.startswith(f"{node} ")} == {
                each for each in added if each.startswith(f"{node} ")
            }
    assert state == added
    count = len(removed | added)
    assert len(updates) <= 1 or count > most


def test_a_copy_changes_with_its_digests() -> None:
    """A digest at which no copy points any more would never be found again."""
    of = "<a:{}> <http://spdx.org/rdf/terms#checksum> <urn:sha256:{}> <a:g> .\n".format
    value = '<urn:sha256:{}> <a:p> "{}" <a:g> .\n'.format
    removed = [of(1, "aa"), value("aa", "aa"), of(2, "bb"), value("bb", "bb")]
    added = [of(1, "cc"), value("cc", "cc"), of(3, "bb"), '<a:4> <a:p> "x" <a:g> .\n']
    updates = [gone | new for gone, new in map(_done_by, write_updates(removed, added, most=1))]
    assert sorted({line.split(" ")[0] for line in update} for update in updates) == [
        {"<a:1>", "<urn:sha256:aa>", "<urn:sha256:cc>"},
        {"<a:2>", "<a:3>", "<urn:sha256:bb>"},
        {"<a:4>"},
    ]


def test_copies_change_before_the_names_that_lead_to_them() -> None:
    nodes = ["<https://a.example/>", "<urn:nbn:de:1>", "<urn:lex:it:a:b:2000-01-01;1>"]
    nodes.append(f"{nodes[-1][:-1]}:annex.1>")
    lines = [f'{node} <a:p> "x" <a:g> .\n' for node in reversed(nodes)]
    for removed, added in ((lines, []), ([], lines)):
        updates = [gone | new for gone, new in map(_done_by, write_updates(removed, added, most=1))]
        assert [line.split(" ")[0] for update in updates for line in update] == nodes


def _done_by(text: str) -> tuple[set[str], set[str]]:
    """The lines that an update takes out, and those that it puts in."""
    done: dict[str, set[str]] = {"DELETE": set(), "INSERT": set()}
    for operation in text.split(" ;\n"):
        head, *triples = operation.removesuffix("}}").removesuffix("} }").split("\n")
        graph = head.split(" ")[4]
        for triple in triples:
            if triple.startswith("<"):
                done[head.split(" ")[0]].add(triple.replace(" .", f" {graph} .\n"))
    return done["DELETE"], done["INSERT"]


@settings(max_examples=20, deadline=None)
@given(records=tables(), others=tables(), most=st.integers(1, 40), data=st.data())
def test_a_change_that_breaks_off_is_done_by_the_next(
    store: RemoteStore, records: list[Record], others: list[Record], most: int, data: st.DataObject
) -> None:
    """Between any two updates all can be read, or is mended; the same again does the rest."""
    before, after = families_of(records), families_of(others)
    emptied(store)
    with ServerCatalogue(store.endpoint.query, write=True) as catalogue:
        load(catalogue, before, OPTIONS)
        try:
            change = _change(catalogue, after)
        except ModelError:
            reject()  # what contradicts what is held is taken in family by family
        updates = list(write_updates(*change, most=most))
        broken_off = updates[: data.draw(st.integers(0, len(updates)))]
        _is_done_by_the_next(catalogue, after, change, [broken_off])


@pytest.mark.parametrize("other", ["at", "ch"])
@pytest.mark.parametrize("is_shared", [True, False])
def test_who_shares_a_copy_learns_so_though_a_change_breaks_off(
    store: RemoteStore, other: str, *, is_shared: bool
) -> None:
    """Whichever of the two is named first, whether a copy becomes shared or is so no more."""
    copies = (Item(url="https://law.example/1.pdf"), Item(url="https://law.example/2.pdf"))
    document = "urn:lex:{}:a:b:2000-01-01;1@2001-01-01$a:b"
    held_by, other_name = parse(document.format("be")), parse(document.format(other))
    alone = Record(name=other_name, items=copies[1:])
    before, after = (Record(name=other_name, items=copies), alone)[:: 1 - 2 * is_shared]
    emptied(store)
    with ServerCatalogue(store.endpoint.query, write=True) as catalogue:
        load(catalogue, families_of([Record(name=held_by, items=copies[:1]), before]), OPTIONS)
        coming = families_of([after])
        change = _change(catalogue, coming)
        updates = list(write_updates(*change, most=1))
        broken_off = (updates[:place] for place in range(len(updates) + 1))
        _is_done_by_the_next(catalogue, coming, change, broken_off)


def _is_done_by_the_next(
    catalogue: ServerCatalogue,
    families: Sequence[Family],
    change: tuple[list[str], list[str]],
    broken_off: Iterable[list[str]],
) -> None:
    """Assert that a load ends as it would have, wherever the one before it broke off."""
    removed, added = change
    refused = load(catalogue, families, OPTIONS).refused
    wanted = held(catalogue.store)
    for updates in broken_off:
        catalogue.store.change(added, removed)
        for text in updates:
            catalogue.store.update(text)
        assert load(catalogue, families, OPTIONS).refused == refused
        assert held(catalogue.store) == wanted


def _change(catalogue: ServerCatalogue, families: Sequence[Family]) -> tuple[list[str], list[str]]:
    """The lines that a load takes out and puts in."""
    merged = merge_families(families, catalogue.holdings)
    change = compute_change(
        merged,
        b"".join(nquads_of(family, as_of=AS_OF) for family in merged.new),
        catalogue.store,
        catalogue.holdings,
        as_of=AS_OF,
        base=None,
    )
    return sorted(change.removed), sorted(change.added)


@given(st.lists(st.integers(0, 50), unique=True))
def test_pieces_hold_everything_once(numbers: list[int]) -> None:
    lines = [f'<a:s> <a:p> "{n}" <a:g{n % 3}> .\n' for n in numbers]
    found = [
        line.replace(" .\n", f" <{graph}> .\n")
        for graph, piece in split_by_graph("".join(lines).encode())
        for line in lines_of(piece)
    ]
    assert sorted(found) == sorted(lines)


@given(st.from_regex(r"[a-z0-9.\-]{1,12}", fullmatch=True), st.integers(0, 4))
def test_zeros_are_put_where_keys_have_none(number: str, zeros: int) -> None:
    ways = list_zero_padded(make_number_key(number))
    assert len(ways) <= 256
    assert {make_number_key(way) for way in ways} == {make_number_key(number)}
    digits = "".join(c for c in make_number_key(number) if c.isdigit())
    if digits and make_number_key(number).isdigit() and len(digits) + zeros <= 10:
        assert "0" * zeros + digits in ways
