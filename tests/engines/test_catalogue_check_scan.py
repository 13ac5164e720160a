"""A check reads a store once: it finds what it would find if it looked up each node."""

from __future__ import annotations

import errno
from contextlib import closing, contextmanager
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF
from check_graphs import sound
from check_links import LINKS, NODES, SOUND
from check_runs import in_chunks, looked_up, quiet, store_of
from hypothesis import example, given
from hypothesis import strategies as st
from sizes import examples

from lexurn.catalogue import CheckOptions, LoadOptions, check_catalogue, load, open_catalogue
from lexurn.catalogue.check import read_excerpts
from lexurn.catalogue.chunks import Buckets, StoreScan, read_segments, split_portion
from lexurn.errors import CatalogueError
from lexurn.graph import Layer, Statements
from lexurn.model import Record, families_of
from lexurn.name import parse
from lexurn.shacl import CheckError
from lexurn.store.embedded import EmbeddedStore
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from lexurn.catalogue import CheckFinding
    from lexurn.store import Store

REFUSED = (
    r"<https://law.example/a{b}>",
    r"<https://law.example/a\u0020b>",
    r"<https://law.example/a\u003Eb>",
    r"<urn:lex:it:stato:legge:1999-01-01;9\u0022>",
)
"""IRIs that a store takes, but no query: nodes of that kind are not checked."""
ODD = (
    "<https://law.example/\u00e0\u00a0\u2028>",
    "<urn:lex:it>",
    "<urn:lex:it:stato:legge:1999-01-01;9~art1>",
    "<https://law.example/of.nobody>",
)
TYPE = "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>"
ITEM = "<https://w3id.org/lexurn/ns#Item>"
TEXTS = ('"a _: text"', '"x <http://www.w3.org/2002/07/owl#sameAs> <urn:lex:it> ."', '"7"@it')
STARTS = [*NODES, *ODD]
SETTINGS = "lexurn.catalogue.chunks."


@contextmanager
def in_buckets(count: int, *, largest: int, waiting: int) -> Iterator[None]:
    """Let there be so many buckets, of so many bytes, and so many waiting."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(f"{SETTINGS}BUCKET_COUNT", count)
        patch.setattr(f"{SETTINGS}_MOST_WAITING", waiting)
        patch.setattr(f"{SETTINGS}_LARGEST_PORTION", largest)
        yield


def in_layers(lines: set[tuple[str, str, str, int]]) -> Store:
    """A store of the sound catalogue, and lines that stand in one layer or in all."""
    store = store_of(SOUND)
    layers = [[layer] for layer in Layer] + [list(Layer)]
    store.fill(
        "".join(
            f"{subject} {link} {value} <{layer.iri}> .\n"
            for subject, link, value, place in lines
            for layer in layers[place]
        ).encode()
    )
    return store


def outcome(
    check: Callable[[Store, int], set[CheckFinding]], store: Store, most: int
) -> set[CheckFinding] | None:
    """What is found, or None where the engine cannot read an IRI that is none."""
    try:
        return check(store, most)
    except CheckError as error:
        assert "IRI" in str(error)  # noqa: PT017 - other faults are none of it
        return None


@examples(6)
@example(lines={(each, TYPE, ITEM, 3) for each in REFUSED}, count=1, largest=1 << 20)
@example(lines={(REFUSED[1], LINKS[0], NODES[0], 0)}, count=1, largest=1 << 20)
@example(lines={(NODES[0], LINKS[0], REFUSED[0], 0)}, count=1, largest=1 << 20)
@example(lines={(NODES[0], LINKS[0], ODD[3], 1)}, count=3, largest=1 << 20)
@example(lines={(ODD[0], LINKS[0], NODES[0], 1)}, count=3, largest=1 << 20)
@given(
    lines=st.sets(
        st.tuples(
            st.sampled_from(STARTS),
            st.sampled_from([*LINKS, TYPE]),
            st.sampled_from([*STARTS, *TEXTS, ITEM]),
            st.integers(0, 3),
        ).filter(lambda line: line[1] != TYPE or line[2] == ITEM),
        max_size=16,
    ),
    count=st.sampled_from([1, 3, 1024]),
    largest=st.sampled_from([0, 10_000, 1 << 20]),
)
def test_what_is_read_once_has_the_findings_of_what_is_looked_up(lines, count, largest) -> None:
    store = in_layers(lines)
    with in_buckets(count, largest=largest, waiting=1_000):
        assert outcome(in_chunks, store, 9) == outcome(looked_up, store, 60)


class Asked(EmbeddedStore):
    """A store that nobody should ask."""

    def query(self, text: str):  # type: ignore[no-untyped-def]  # it answers nothing
        raise AssertionError(text)


def test_a_catalogue_that_is_whole_is_not_asked_for_single_nodes(tmp_path) -> None:
    store = Asked(None, write=True)
    store.fill(b"".join(store_of(sound()).dump()))
    with in_buckets(1, largest=1 << 20, waiting=1 << 20), closing(StoreScan(tmp_path)) as scan:
        scan.read(store, Workers(1), None, quiet)
        (portion,) = scan.portions(1_000)
        (excerpt,) = read_excerpts(store, portion, "", 1_000)
    assert excerpt.foci == {node for node, _, _ in SOUND.merged if node.startswith("<")}


ACT = "urn:lex:it:stato:legge:2000-01-01;1"


@pytest.mark.parametrize(("nodes", "most", "sizes"), [(100, 60, [100, 1]), (100, 7, [70, 30, 1])])
def test_an_act_is_cut_only_where_it_is_ten_times_as_large(tmp_path, nodes, most, sizes) -> None:
    names = [f"<{ACT}~art{number}>" for number in range(nodes)]
    links = [(name, LINKS[0], f"<{ACT}>") for name in (*names, "<urn:lex:it:stato:legge:2000;2>")]
    with in_buckets(1, largest=0, waiting=1_000), closing(StoreScan(tmp_path)) as scan:
        scan.read(store_of(Statements(catalogued=tuple(links))), Workers(1), None, quiet)
        (portion,) = scan.portions(1_000)
        assert sorted(map(len, split_portion(portion, most)), reverse=True) == sizes


def test_buckets_hold_what_is_thrown_in(tmp_path: Path) -> None:
    with in_buckets(5, largest=0, waiting=100):
        buckets = Buckets(tmp_path / "lines")
        for number in range(100):
            buckets.add(number % 4, f"{number}\n".encode())
        settled = buckets.settle()
        read = [b"".join(read_segments(settled.segments(each))) for each in range(5)]
    assert list(settled.counts) == [25, 25, 25, 25, 0]
    assert read[1] == b"".join(f"{number}\n".encode() for number in range(1, 100, 4))


class Full:
    """A file on a full disk."""

    def write(self, _data: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    def close(self) -> None:
        pass


def test_a_full_disk_is_said(tmp_path: Path) -> None:
    buckets = Buckets(tmp_path / "lines")
    buckets._file.close()
    buckets._file = Full()  # type: ignore[assignment]
    buckets.add(0, b"a\n")
    with pytest.raises(CatalogueError, match=r"No space left on device.*TMPDIR"):
        buckets.settle()


@pytest.fixture
def place(tmp_path: Path) -> str:
    acts = families_of(Record(name=parse(f"{ACT}{number}")) for number in range(30))
    with open_catalogue(tmp_path / "law", write=True) as made:
        load(made, acts, LoadOptions(as_of=AS_OF, jobs=1))
    return str(tmp_path / "law")


def test_progress_counts_what_is_stated(place: str) -> None:
    said: list[tuple[str, int, int | None]] = []
    options = CheckOptions(jobs=1, chunk=5)
    with (
        open_catalogue(place) as catalogue,
        check_catalogue(catalogue, options, on_progress=lambda *each: said.append(each)),
    ):
        total = sum(piece.count(b"\n") for piece in catalogue.store.dump())
    read = [each for each in said if each[0] == "reading"]
    checked = [each for each in said if each[0] == "checking"]
    assert (read[0], read[-1]) == (("reading", 0, None), ("reading", total, None))
    assert (checked[0], checked[-1]) == (("checking", 0, total), ("checking", total, total))
    assert len(checked) > 2


@pytest.mark.parametrize("moment", ["reading", "checking"])
def test_an_interrupted_check_leaves_no_files(place, tmp_path, monkeypatch, moment) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setenv("TMPDIR", str(tmp_path / "temporary"))

    def told(what: str, done: int, _total: int | None) -> None:
        if what == moment and done:
            assert list((tmp_path / "temporary").rglob("*.nt"))
            raise KeyboardInterrupt

    with open_catalogue(place) as catalogue, pytest.raises(KeyboardInterrupt):
        check_catalogue(catalogue, CheckOptions(jobs=1), on_progress=told)
    assert list((tmp_path / "temporary").iterdir()) == []
