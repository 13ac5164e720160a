"""A catalogue on a SPARQL server over HTTP: a real Oxigraph server on loopback."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

import pytest
from remote_cases import CASES, emptied, held, line
from servers import oxigraph_server

from lexurn.catalogue.server import _TABLES, _find_hidden
from lexurn.errors import CatalogueError
from lexurn.store.endpoint import Endpoint
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph_server() as url:
        yield url


@pytest.fixture(params=["with a graph store", "updates only"])
def store(request: pytest.FixtureRequest, server: str) -> Iterator[RemoteStore]:
    bare = Endpoint(query=server, update=server.replace("/query", "/update"), lines=50)
    opened = RemoteStore(server if request.param == "with a graph store" else bare)
    emptied(opened)
    yield opened
    opened.close()


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_server_does(case: Callable[[RemoteStore], None], store: RemoteStore) -> None:
    case(store)


def test_a_graph_store_that_is_not_there_is_done_without(server: str) -> None:
    update = server.replace("/query", "/update")
    opened = RemoteStore(Endpoint(query=server, update=update, store=f"{server}/nothing"))
    emptied(opened)
    opened.fill(line("a", '"1"').encode())
    assert held(opened) == [line("a", '"1"')]
    opened.close()


def test_a_catalogue_that_is_only_read(server: str) -> None:
    opened = RemoteStore(Endpoint(query=server))
    for change in (lambda: opened.update("CLEAR ALL"), lambda: opened.change([], [line("a", "1")])):
        with pytest.raises(CatalogueError, match="only read"):
            change()
    opened.close()


def test_endpoints_are_named_in_a_file(server: str, tmp_path: Path) -> None:
    update = server.replace("/query", "/update")
    file = tmp_path / "law.toml"
    file.write_text(f'query = "{server}"\nupdate = "{update}"\ntimeout = 20\n', encoding="utf-8")
    opened = RemoteStore(str(file))
    emptied(opened)
    opened.change([], [line("a", '"1"')])
    assert held(opened) == [line("a", '"1"')]
    assert opened.place == server
    opened.close()


def test_what_was_written_outlives_the_server(tmp_path: Path) -> None:
    for lines in ([line("a", '"1"')], [line("a", '"1"'), line("b", '"2"')]):
        with oxigraph_server(tmp_path / "data") as url:
            opened = RemoteStore(url)
            opened.change([], lines)
            opened.flush()
            assert held(opened) == sorted(lines)
            opened.close()


def test_nobody_at_the_address() -> None:
    with oxigraph_server() as gone:
        pass
    opened = RemoteStore(gone)
    with pytest.raises(CatalogueError, match=r"cannot be reached.*is it running\?"):
        opened.query("ASK {}")
    opened.close()


def test_acts_that_names_below_them_join_are_gone_through_once() -> None:
    acts = [f"urn:lex:it:stato:legge:2001-01-01;{n}" for n in range(6)]
    joined = ((acts[n], acts[n + 1]) for n in (0, 2, 4))
    with closing(sqlite3.connect("")) as table:
        table.executescript(_TABLES)
        assert _find_hidden(joined, table) == {acts[0], acts[2], acts[4]}
