"""A check in chunks of any size finds the same, and says how far it is."""

from __future__ import annotations

import tempfile
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF
from check_links import LINKS, NODES, SOUND
from check_runs import in_chunks, quiet, store_of
from hypothesis import example, given, settings
from hypothesis import strategies as st

from lexurn.catalogue import CheckOptions, LoadOptions, check_catalogue, load, open_catalogue
from lexurn.catalogue.excerpts import gather_nodes, split_nodes
from lexurn.catalogue.findings import CheckSpool
from lexurn.errors import CatalogueError
from lexurn.graph import Layer, Statements
from lexurn.model import Record, families_of
from lexurn.name import parse
from lexurn.shacl import CheckError

if TYPE_CHECKING:
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
STARTS = [*NODES, *ODD, "_:one", "_:two"]


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


def found_in_chunks(store: Store, most: int) -> set[CheckFinding] | None:
    """What is found, or None where the engine cannot read an IRI that is none."""
    try:
        return in_chunks(store, most)
    except CheckError as error:
        assert "IRI" in str(error)  # noqa: PT017 - other faults are none of it
        return None


@settings(max_examples=12, deadline=None)
@example(lines={(each, TYPE, ITEM, 3) for each in REFUSED})
@example(lines={(REFUSED[1], LINKS[0], NODES[0], 0)})
@example(lines={(NODES[0], LINKS[0], REFUSED[0], 0)})
@example(lines={(NODES[0], LINKS[0], ODD[3], 1)})
@example(lines={(ODD[0], LINKS[0], NODES[0], 1)})
@example(lines={(NODES[0], LINKS[0], "_:one", 3)})
@example(lines={("_:one", LINKS[0], NODES[0], 0)})
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
)
def test_chunks_of_any_size_have_the_same_findings(lines) -> None:
    store = in_layers(lines)
    assert found_in_chunks(store, 1) == found_in_chunks(store, 60)


ACT = "urn:lex:it:stato:legge:2000-01-01;1"


@pytest.mark.parametrize(("nodes", "most", "sizes"), [(100, 60, [100, 1]), (100, 7, [70, 30, 1])])
def test_an_act_is_cut_only_where_it_is_ten_times_as_large(nodes, most, sizes) -> None:
    names = [f"<{ACT}~art{number}>" for number in range(nodes)]
    links = [(name, LINKS[0], f"<{ACT}>") for name in (*names, "<urn:lex:it:stato:legge:2000;2>")]
    with closing(CheckSpool()) as spool:
        gather_nodes(store_of(Statements(catalogued=tuple(links))), spool, quiet)
        assert sorted(map(len, split_nodes(spool, most)), reverse=True) == sizes


def test_a_full_disk_is_said() -> None:
    with closing(CheckSpool()) as spool:
        spool.execute("PRAGMA max_page_count = 1")  # SQLite raises it to the pages in use
        rows = ((f"{ACT}{number}", ACT) for number in range(10_000))
        with pytest.raises(CatalogueError, match=r"database or disk is full; .*TMPDIR"):
            spool.fill("INSERT INTO node VALUES (?, ?)", rows)


@pytest.fixture
def place(tmp_path: Path) -> str:
    acts = families_of(Record(name=parse(f"{ACT}{number}")) for number in range(30))
    with open_catalogue(tmp_path / "law", write=True) as made:
        load(made, acts, LoadOptions(as_of=AS_OF, jobs=1))
    return str(tmp_path / "law")


def test_progress_counts_lines_then_nodes(place: str) -> None:
    said: list[tuple[str, int, int | None]] = []
    options = CheckOptions(jobs=1, chunk=5)
    with (
        open_catalogue(place) as catalogue,
        check_catalogue(catalogue, options, on_progress=lambda *each: said.append(each)),
    ):
        total = sum(piece.count(b"\n") for piece in catalogue.store.dump())
    many = 30
    read = [each for each in said if each[0] == "reading"]
    checked = [each for each in said if each[0] == "checking"]
    assert (read[0], read[-1]) == (("reading", 0, None), ("reading", total, None))
    assert (checked[0], checked[-1]) == (("checking", 0, many), ("checking", many, many))
    assert len(checked) > 2


@pytest.mark.parametrize("moment", ["reading", "checking"])
def test_an_interrupted_check_leaves_no_files(place, tmp_path, monkeypatch, moment) -> None:
    (tmp_path / "temporary").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))

    def told(what: str, done: int, _total: int | None) -> None:
        if what == moment and done:
            assert list((tmp_path / "temporary").rglob("*.sqlite"))
            raise KeyboardInterrupt

    with open_catalogue(place) as catalogue, pytest.raises(KeyboardInterrupt):
        check_catalogue(catalogue, CheckOptions(jobs=1), on_progress=told)
    assert list((tmp_path / "temporary").iterdir()) == []
