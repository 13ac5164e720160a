"""One process at a time writes to a catalogue on a server; who died stops nobody for long."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING

import pytest
from catalogue_parts import AS_OF, families_in, held, lines_of
from remote_cases import emptied
from servers import oxigraph_server

from lexurn.catalogue import LoadOptions, load, open_catalogue, query_at, update_at
from lexurn.catalogue.keys import make_rows
from lexurn.catalogue.server import WriteLease
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.store.embedded import EmbeddedStore
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from lexurn.store.protocol import EngineAnswer


TURNS = "https://w3id.org/lexurn/catalogue#writing"
OPTIONS = LoadOptions(as_of=AS_OF)

DYING = """
import os, sys
from lexurn.catalogue import open_catalogue, server as turns
turns._LEASE_SECONDS = float(sys.argv[2])
opened = open_catalogue(sys.argv[1], write=True)
if sys.argv[3] == "killed":
    os._exit(9)
sys.exit(9)
"""


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph_server() as url:
        yield url


@pytest.fixture
def place(server: str) -> Iterator[str]:
    store = RemoteStore(server)
    emptied(store)
    store.update(f"CLEAR SILENT GRAPH <{TURNS}>")
    yield server
    assert turns_on(store) == 0
    store.close()


def turns_on(store: RemoteStore) -> int:
    return len(list(store.values(f"SELECT ?s {{ GRAPH <{TURNS}> {{ ?s ?p ?o }} }}", ["s"])))


def table(folder: Path, name: str, issued: str) -> Path:
    path = folder / name
    rows = [f"urn:lex:it:stato:legge:2001-01-01;{n},{issued}\n" for n in range(60)]
    path.write_text("urn,issued\n" + "".join(rows), encoding="utf-8")
    return path


def test_a_second_writer_is_told_who_writes(place: str, tmp_path: Path) -> None:
    families = families_in(table(tmp_path, "a.csv", "2001-01-01"))
    who = rf"process {os.getpid()} on .* writes to it since 20.*--wait.* ends by itself in \d+ s"
    with open_catalogue(place, write=True) as first:
        with pytest.raises(CatalogueError, match=rf"{place} is in use: {who}"):
            open_catalogue(place, write=True)
        with pytest.raises(CatalogueError, match="is in use"):
            update_at(place, "CLEAR ALL", allow=["update"])
        with open_catalogue(place) as reader:
            load(first, families, OPTIONS)
            assert len(list(reader.holdings.keys())) == 60
            with pytest.raises(CatalogueError, match="for reading only"):
                load(reader, families, OPTIONS)
            with pytest.raises(CatalogueError, match="for reading only"):
                reader.update("CLEAR ALL")
        assert query_at(place, "ASK { ?s ?p ?o }", timeout=30) is True
    with open_catalogue(place, write=True) as second:
        assert load(second, families, OPTIONS).unchanged == 60


def test_whoever_waits_comes_next(place: str) -> None:
    first = open_catalogue(place, write=True)
    closing = threading.Timer(1.0, first.close)
    closing.start()
    with open_catalogue(place, write=True, wait=60):
        assert closing.finished.is_set()
    closing.join()


def test_a_writer_that_died_stops_nobody_for_long(place: str) -> None:
    command = [sys.executable, "-c", DYING, place, "6", "killed"]
    assert subprocess.run(command, check=False).returncode == 9
    with pytest.raises(CatalogueError, match=r"if it died, .* by itself in [1-6] sec"):
        open_catalogue(place, write=True)
    open_catalogue(place, write=True, wait=60).close()


def test_a_program_that_forgets_to_close_stops_nobody(place: str) -> None:
    command = [sys.executable, "-c", DYING, place, "60", "forgetful"]
    assert subprocess.run(command, check=False).returncode == 9
    open_catalogue(place, write=True).close()


def test_a_turn_is_renewed_while_it_is_used(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexurn.catalogue.server._LEASE_SECONDS", 2.0)
    monkeypatch.setattr("lexurn.catalogue.server._RENEWAL_SECONDS", 0.2)
    with open_catalogue(place, write=True), pytest.raises(CatalogueError, match="is in use"):
        open_catalogue(place, write=True, wait=4)


def test_whoever_lost_the_turn_writes_no_more(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexurn.catalogue.server._LEASE_SECONDS", 0.2)
    one = families_in(table(tmp_path, "a.csv", "2001-01-01"))
    other = families_in(table(tmp_path, "b.csv", "2002-02-02"))
    with open_catalogue(place, write=True) as late:
        time.sleep(0.3)
        load(late, one, OPTIONS)  # nobody else came
        time.sleep(0.3)
        monkeypatch.setattr("lexurn.catalogue.server._LEASE_SECONDS", 60.0)
        with open_catalogue(place, write=True) as next_one:
            for _ in range(2):
                with pytest.raises(CatalogueError, match=r"meanwhile process .* writes to it"):
                    load(late, other, OPTIONS)
            assert load(next_one, one, OPTIONS).unchanged == 60
            assert held(next_one) == lines_of(one)


def test_many_loads_at_once_are_done_one_after_the_other(place: str, tmp_path: Path) -> None:
    tables = [table(tmp_path, f"{year}.csv", f"{year}-01-01") for year in range(2001, 2005)]
    command = [sys.executable, "-m", "lexurn", "catalogue", "load", "--catalogue", place]
    command += ["--as-of", AS_OF.isoformat(), "--jobs", "1", "--wait", "300"]
    loads = [subprocess.Popen([*command, str(each)], stdout=subprocess.DEVNULL) for each in tables]
    assert [each.wait() for each in loads] == [0] * len(loads)
    with open_catalogue(place) as catalogue:
        assert held(catalogue) in [lines_of(families_in(each)) for each in tables]


def test_a_server_that_shows_old_data_is_not_written_to() -> None:
    class Late(EmbeddedStore):
        def change(self, removed: Collection[str], added: Collection[str]) -> None:
            """Keep it for later, as a server that answers from a copy does."""

    store = Late(None)
    with pytest.raises(CatalogueError, match="does not show what was just written"):
        WriteLease(store, wait=0)
    store.close()


def test_time_is_that_of_the_server() -> None:
    class Elsewhere(EmbeddedStore):
        def query(self, text: str) -> EngineAnswer:
            """Its clock is years behind, and names no zone."""
            return super().query(text.replace("NOW()", '"1999-06-15T12:00:00.123456"'))

    store = Elsewhere(None)
    turn = WriteLease(store, wait=0)
    with pytest.raises(CatalogueError, match=r"since 1999-06-15T12:"):
        WriteLease(store, wait=0)
    turn.hold()
    turn.release()
    WriteLease(store, wait=0).release()
    store.close()


def test_whoever_came_and_left_meanwhile_is_noticed(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexurn.catalogue.server._LEASE_SECONDS", 0.2)
    late_ones = families_in(table(tmp_path, "a.csv", "2001-01-01"))
    others = families_in(table(tmp_path, "b.csv", "2002-02-02"))
    nquads = [nquads_of(family, as_of=AS_OF) for family in late_ones]
    rows = [make_rows(f, n, AS_OF) for f, n in zip(late_ones, nquads, strict=True)]
    with open_catalogue(place, write=True) as late:
        assert late.is_new(rows)
        time.sleep(0.3)
        monkeypatch.setattr("lexurn.catalogue.server._LEASE_SECONDS", 60.0)
        with open_catalogue(place, write=True) as other:
            load(other, others, OPTIONS)
        for _ in range(2):
            with pytest.raises(CatalogueError, match="meanwhile another process wrote to it"):
                late.add(rows, b"".join(nquads), as_of=AS_OF)
        assert held(late) == lines_of(others)


def test_a_renewal_that_comes_too_late_is_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, may_go_on = threading.Event(), threading.Event()

    class Slow(EmbeddedStore):
        def change(self, removed: Collection[str], added: Collection[str]) -> None:
            """Take its time with what the thread that renews a turn wants."""
            if threading.current_thread() is not threading.main_thread():
                asked.set()
                may_go_on.wait(60)
            super().change(removed, added)

    monkeypatch.setattr("lexurn.catalogue.server._RENEWAL_SECONDS", 0.01)
    monkeypatch.setattr("lexurn.catalogue.server._RELEASE_SECONDS", 0.01)
    store = Slow(None)
    turn = WriteLease(store, wait=0)
    assert asked.wait(60)
    turn.release()
    may_go_on.set()
    turn._thread.join(60)
    monkeypatch.setattr("lexurn.catalogue.server._RENEWAL_SECONDS", 60.0)
    monkeypatch.setattr("lexurn.catalogue.server._RELEASE_SECONDS", 60.0)
    WriteLease(store, wait=0).release()
    store.close()


@pytest.mark.parametrize("now", ["1/0", '"soon"', '"9999-12-31T23:59:59Z"'])
def test_a_server_that_does_not_know_the_time_is_not_written_to(now: str) -> None:
    class Timeless(EmbeddedStore):
        def query(self, text: str) -> EngineAnswer:
            """Its clock does not go."""
            return super().query(text.replace("NOW()", now))

    store = Timeless(None)
    with pytest.raises(CatalogueError, match="does not say what time it is"):
        WriteLease(store, wait=0)
    store.close()
