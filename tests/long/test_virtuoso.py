"""Virtuoso: the same cases as on any other server, the mirror, and what it does otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from query_store import answer_rows, nquads
from remote_cases import CASES, STATED, emptied, held, line, with_integers
from servers import virtuoso_server

from lexurn.catalogue import (
    LoadOptions,
    compute_stats,
    load_rdf,
    open_catalogue,
    open_rdf_source,
    open_server,
    push,
)
from lexurn.errors import CatalogueError
from lexurn.model import today
from lexurn.store import query, ready
from lexurn.store.endpoint import Endpoint
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_QUERIES = Path(__file__).parents[1] / "cases" / "queries.jsonl"
QUERIES = [json.loads(each) for each in _QUERIES.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A TOML file that names the endpoints of a server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEXURN_USER", "dba")
        patch.setenv("LEXURN_PASSWORD", "dba")
        with virtuoso_server(tmp_path_factory.mktemp("server") / "virtuoso") as url:
            file = tmp_path_factory.mktemp("place") / "virtuoso.toml"
            urls = f'query = "{url}/sparql"\nupdate = "{url}/sparql-auth"\n'
            file.write_text(f"{urls}timeout = 60\n", encoding="utf-8")
            yield str(file)


@pytest.fixture
def store(place: str) -> Iterator[RemoteStore]:
    opened = RemoteStore(place)
    emptied(opened)
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def mirrored(place: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A folder that was pushed to the server."""
    folder = str(tmp_path_factory.mktemp("catalogue") / "law")
    with (
        open_catalogue(folder, write=True, base="https://law.example") as catalogue,
        open_rdf_source([[nquads()]]) as source,
    ):
        load_rdf(catalogue, source, LoadOptions(as_of=today(), jobs=1))
    push(folder, place, replace=True)
    return folder


@pytest.mark.parametrize("case", QUERIES, ids=[case["query"] for case in QUERIES])
def test_a_ready_query_gives_its_answer(mirrored: str, place: str, case: dict[str, object]) -> None:
    assert mirrored
    opened = RemoteStore(place)
    text = ready(case["query"], **case["given"])
    assert answer_rows(query(opened, text)) == case["answer"]
    opened.close()


def test_the_mirror_is_the_same(mirrored: str, place: str) -> None:
    remote = RemoteStore(place)
    deletion = "DELETE WHERE { GRAPH ?g { ?s <http://purl.org/dc/terms/title> ?o } }"
    for change in (None, deletion):
        if change is not None:
            with open_catalogue(mirrored, write=True) as catalogue:
                catalogue.update(change)
            assert push(mirrored, place).replaced
        with open_catalogue(mirrored) as catalogue, open_server(place) as mirror:
            lines = b"".join(catalogue.store.dump()).decode().splitlines(keepends=True)
            assert held(remote) == sorted(map(with_integers, lines))
            assert compute_stats(mirror.store) == compute_stats(catalogue.store)
    remote.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_server_does(case: Callable[[RemoteStore], None], store: RemoteStore) -> None:
    case(store)


def test_an_answer_that_is_cut_is_said(store: RemoteStore) -> None:
    for start in range(0, 12_000, 1_000):
        lines = (line(f"s{n}", f'"{n}"') for n in range(start, start + 1_000))
        triples = "".join(each.replace(f" {STATED}", "") for each in lines)
        store.update(f"INSERT DATA {{ GRAPH {STATED} {{ {triples} }} }}")
    with pytest.raises(CatalogueError, match="limit of 10000 rows"):
        store.query("SELECT ?s { ?s ?p ?o }")
    rows = store.query("SELECT ?s { ?s ?p ?o } LIMIT 9999")
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    assert len(list(rows)) == 9999


def test_a_wrong_password_is_said(store: RemoteStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEXURN_PASSWORD", "no-such-secret")
    opened = RemoteStore(Endpoint(query=store.endpoint.query, update=store.endpoint.update))
    with pytest.raises(CatalogueError, match="answered 401") as fault:
        opened.update(f"INSERT DATA {{ GRAPH {STATED} {{ <a:b> <c:d> 1 }} }}")
    assert "no-such-secret" not in str(fault.value)
    opened.close()


def test_blank_nodes_of_others_are_no_obstacle(store: RemoteStore) -> None:
    store.update(f"INSERT {{ GRAPH {STATED} {{ [] <http://x.example/p> '1' }} }} WHERE {{}}")
    rows = store.query("SELECT ?s { ?s ?p ?o }")
    assert isinstance(rows, pyoxigraph.QuerySolutions)
    assert [type(row["s"]) for row in rows] == [pyoxigraph.BlankNode]
