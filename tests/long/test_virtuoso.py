"""A catalogue on Virtuoso: the same cases as on any other server, and what it does otherwise."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from remote_cases import CASES, STATED, emptied, held, line
from servers import virtuoso_server

from lexurn.catalogue.server import WriteLease
from lexurn.errors import CatalogueError
from lexurn.store.endpoint import Endpoint
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with virtuoso_server(tmp_path_factory.mktemp("server") / "virtuoso") as url:
        yield url


@pytest.fixture(params=["with a graph store", "updates only"])
def store(
    request: pytest.FixtureRequest, server: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[RemoteStore]:
    monkeypatch.setenv("LEXURN_USER", "dba")
    monkeypatch.setenv("LEXURN_PASSWORD", "dba")
    has_store = request.param == "with a graph store"
    opened = RemoteStore(
        Endpoint(
            query=f"{server}/sparql",
            update=f"{server}/sparql-auth",
            store=f"{server}/sparql-graph-crud-auth" if has_store else None,
            timeout=60,
        )
    )
    emptied(opened)
    yield opened
    opened.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_server_does(case: Callable[[RemoteStore], None], store: RemoteStore) -> None:
    case(store)


def test_one_process_writes_at_a_time(store: RemoteStore) -> None:
    turn = WriteLease(store, wait=0)
    with pytest.raises(CatalogueError, match=r"is in use: process .* writes to it since 20"):
        WriteLease(store, wait=0)
    turn.hold()
    turn.release()
    WriteLease(store, wait=0).release()


def test_a_layer_that_is_cut_comes_by_pages(store: RemoteStore) -> None:
    lines = sorted(line(f"s{n}", f'"{n}"') for n in range(22_000))
    store.fill("".join(lines).encode())
    assert held(store) == lines


def test_an_answer_that_is_cut_is_said(store: RemoteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    store.fill("".join(line(f"s{n}", f'"{n}"') for n in range(12_000)).encode())
    monkeypatch.setattr("lexurn.store.remote.MOST_PAGED_ROWS", 11_999)
    with pytest.raises(CatalogueError, match="10,000 of 12,000 statements"):
        held(store)
    with pytest.raises(CatalogueError, match="limit of 10000 rows"):
        store.query("SELECT ?s { ?s ?p ?o }")
    rows = store.query("SELECT ?s { ?s ?p ?o } LIMIT 9999")
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    assert len(list(rows)) == 9999


def test_a_wrong_password_is_said(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXURN_USER", "dba")
    monkeypatch.setenv("LEXURN_PASSWORD", "no-such-secret")
    opened = RemoteStore(Endpoint(query=f"{server}/sparql", update=f"{server}/sparql-auth"))
    with pytest.raises(CatalogueError, match="answered 401") as fault:
        opened.change([], [line("a", '"1"')])
    assert "no-such-secret" not in str(fault.value)
    opened.close()


def test_blank_nodes_of_others_are_no_obstacle(store: RemoteStore) -> None:
    store.update(f"INSERT {{ GRAPH {STATED} {{ [] <http://x.example/p> '1' }} }} WHERE {{}}")
    rows = store.query("SELECT ?s { ?s ?p ?o }")
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    assert [type(row["s"]) for row in rows] == [pyoxigraph.BlankNode]
