"""Mirror of a catalogue on a server: the same statements, only changes sent, safe to interrupt."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import pytest
from catalogue_parts import AS_OF
from click.testing import CliRunner
from remote_cases import STATED, emptied, held, insert, line, open_emptied, with_integers
from servers import oxigraph_server

import lexurn
from lexurn.catalogue import (
    LoadOptions,
    compute_stats,
    load,
    open_catalogue,
    open_readable,
    open_server,
    push,
    query_at,
    update_at,
)
from lexurn.cli import main
from lexurn.errors import CatalogueError
from lexurn.manifest import open_manifest
from lexurn.store import HttpStatusError, NamedRows, RemoteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

ACTS = Path(__file__).parents[2] / "examples" / "acts.csv"
BASE = "https://law.example"
ACT = "urn:lex:it:stato:costituzione:1947-12-27;lex-1"
TITLE = "<http://purl.org/dc/terms/title>"


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph_server() as url:
        yield url


@pytest.fixture
def store(server: str) -> Iterator[RemoteStore]:
    with open_emptied(server) as opened:
        yield opened


@pytest.fixture
def url(store: RemoteStore, server: str) -> str:
    """The URL of a server that holds nothing."""
    assert held(store) == []
    return server


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("loaded") / "law"
    with open_catalogue(folder, write=True, base=BASE) as catalogue, open_manifest(ACTS) as acts:
        load(catalogue, acts.families(), LoadOptions(as_of=AS_OF, jobs=1))
    return folder


@pytest.fixture
def law(loaded: Path, tmp_path: Path) -> Path:
    """A catalogue of some works."""
    return Path(shutil.copytree(loaded, tmp_path / "law"))


def lines_of(folder: Path) -> list[str]:
    with open_catalogue(folder) as catalogue:
        data = b"".join(catalogue.store.dump()).decode()
    return sorted(with_integers(f"{each}\n") for each in data.split("\n") if each)


def change(folder: Path, text: str) -> None:
    with open_catalogue(folder, write=True) as catalogue:
        catalogue.update(text)


def test_a_server_holds_the_same_after_a_push(law: Path, url: str, store: RemoteStore) -> None:
    progress: list[int] = []
    report = push(law, url, on_progress=progress.append)
    assert held(store) == lines_of(law)
    assert report.added == report.nodes > 100
    assert (report.replaced, report.removed, report.omitted) == (0, 0, 0)
    assert push(law, url) == report._replace(added=0)


def test_only_changes_are_sent(
    law: Path, url: str, store: RemoteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = push(law, url).nodes
    sent: list[str] = []
    update = RemoteStore.update
    monkeypatch.setattr(
        RemoteStore, "update", lambda store, text: (sent.append(text), update(store, text))[1]
    )
    new = "<https://x.example/new> <https://x.example/p> 'c'"
    change(law, f"INSERT DATA {{ GRAPH {STATED} {{ <{ACT}> {TITLE} 'Altro'@it . {new} }} }}")
    report = push(law, url)
    assert report == (nodes + 1, 1, 1, 0, 0)
    assert held(store) == lines_of(law)
    assert len(sent) == 2  # one is the mark
    assert sum(map(len, sent)) < 20_000
    change(law, f"DELETE DATA {{ GRAPH {STATED} {{ {new} }} }}")
    assert push(law, url) == (nodes, 0, 0, 1, 0)
    assert held(store) == lines_of(law)


def test_it_is_queried_counted_and_resolved_there(law: Path, url: str) -> None:
    push(law, url)
    text = "SELECT ?act { ?act a <https://w3id.org/lexurn/ns#Work> } ORDER BY ?act"
    here, there = (list(query_at(place, text, timeout=60)) for place in (str(law), url))
    assert here == there
    with open_catalogue(law) as catalogue, open_server(url) as mirror:
        assert compute_stats(mirror.store) == compute_stats(catalogue.store)
        assert mirror.base == BASE
        rows = mirror.ready("versions", work=ACT)
        assert isinstance(rows, NamedRows)
        assert list(rows) == list(catalogue.ready("versions", work=ACT))  # type: ignore[arg-type]
        assert mirror.query("ASK {}", timeout=60) is True
    for name in (ACT, f"{ACT}@:it~art3", "urn:lex:it:stato:legge:1990;241", f"{BASE}/lex/it"):
        assert lexurn.resolve(name, url, date=AS_OF) == lexurn.resolve(name, law, date=AS_OF)
    with open_readable(url) as mirror:
        found = lexurn.resolve(ACT, mirror, date=AS_OF, base=mirror.base)
        assert found == lexurn.resolve(ACT, law, date=AS_OF)


def test_blank_nodes_are_left_out_and_counted(law: Path, url: str, store: RemoteStore) -> None:
    before = lines_of(law)
    change(law, f"INSERT DATA {{ GRAPH {STATED} {{ [] {TITLE} 'x' . <{ACT}> {TITLE} [] }} }}")
    for _ in range(2):
        assert push(law, url).omitted == 2
    assert held(store) == before


def test_a_push_that_is_interrupted_is_completed_by_the_next(
    law: Path, url: str, store: RemoteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whenever it ends, before or behind an update, and whatever is changed meanwhile."""
    monkeypatch.setattr("lexurn.catalogue.mirror._LINES", 400)
    update = RemoteStore.update
    stops = [(0, True), (0, False), (0, True), (1, False), (2, True), (5, False), (3, True)]
    for number, (calls, is_sent) in enumerate([*stops, (2, False), (2, True)]):
        left = [calls, is_sent]

        def stop(store: RemoteStore, text: str, left: list[int] = left) -> None:
            left[0] -= 1
            if left[0] >= 0 or left[1]:
                update(store, text)
            if left[0] < 0:
                raise KeyboardInterrupt

        with monkeypatch.context() as patched:
            patched.setattr(RemoteStore, "update", stop)
            with pytest.raises(KeyboardInterrupt):
                push(law, url)
        change(
            law,
            f"DELETE {{ GRAPH ?g {{ ?s {TITLE} ?o }} }} "
            f"INSERT {{ GRAPH ?g {{ ?s {TITLE} '{number % 3}' }} }} WHERE {{ GRAPH ?g {{ "
            f"?s {TITLE} ?o FILTER(STRENDS(STR(?s), '{number % 4}')) }} }}",
        )
    push(law, url)
    assert held(store) == lines_of(law)


def test_many_statements_on_a_node_are_sent_in_parts(
    law: Path, url: str, store: RemoteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lexurn.catalogue.mirror._LINES", 10)
    titles = " , ".join(f"'{n}'" for n in range(50))
    change(law, f"INSERT DATA {{ GRAPH {STATED} {{ <{ACT}> {TITLE} {titles} }} }}")
    push(law, url)
    assert held(store) == lines_of(law)


def test_a_proxy_that_takes_no_large_bodies_is_sent_small_ones(
    law: Path, url: str, store: RemoteStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    update = RemoteStore.update

    def narrow(store: RemoteStore, text: str) -> None:
        if len(text) > 60_000:
            raise HttpStatusError(url, httpx2.Response(413), b"")
        update(store, text)

    monkeypatch.setattr(RemoteStore, "update", narrow)
    push(law, url)
    assert held(store) == lines_of(law)


def test_what_others_hold_is_not_overwritten(
    law: Path, url: str, store: RemoteStore, tmp_path: Path
) -> None:
    mine = line("a", '"1"')
    insert(store, [mine])
    with pytest.raises(CatalogueError, match=r"not pushed from this folder\. .*--replace"):
        push(law, url)
    assert held(store) == [mine]
    push(law, url, replace=True)
    assert held(store) == lines_of(law)
    copy = tmp_path / "copy"
    shutil.copytree(law, copy)
    push(law, url)
    for folder in (copy, tmp_path / "other"):
        if folder != copy:
            open_catalogue(folder, write=True).close()
        with pytest.raises(CatalogueError, match="last pushed to from another catalogue"):
            push(folder, url)
    assert push(tmp_path / "other", url, replace=True).nodes == 0
    assert held(store) == []


def test_a_server_that_was_emptied_is_filled_again(law: Path, url: str, store: RemoteStore) -> None:
    first = push(law, url)
    emptied(store)
    assert push(law, url) == first
    assert held(store) == lines_of(law)


def test_two_pushes_at_once_are_refused(
    law: Path, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    update, said = RemoteStore.update, []

    def again(store: RemoteStore, text: str) -> None:
        if "GRAPH" in text and "INSERT DATA" in text and not said:
            with pytest.raises(CatalogueError) as fault:
                push(law, url)
            said.append(str(fault.value))
        update(store, text)

    with monkeypatch.context() as patched:
        patched.setattr(RemoteStore, "update", again)
        push(law, url)
    assert "law is in use" in said[0]
    copy = tmp_path / "copy"
    shutil.copytree(law, copy)

    def meanwhile(store: RemoteStore, text: str) -> None:
        update(store, text)
        if "#mark>" not in text and len(said) == 1:
            said.append("pushed")
            push(copy, url, replace=True)

    change(law, f"INSERT DATA {{ GRAPH {STATED} {{ <{ACT}> {TITLE} 'x' }} }}")
    monkeypatch.setattr(RemoteStore, "update", meanwhile)
    with pytest.raises(CatalogueError, match="at the same time"):
        push(law, url)


def test_a_server_that_shows_old_data_is_refused(
    law: Path, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(RemoteStore, "update", lambda *_: None)
    with pytest.raises(CatalogueError, match="does not return the data that was just written"):
        push(law, url)


def test_a_lost_or_broken_state_is_said(law: Path, url: str, store: RemoteStore) -> None:
    push(law, url)
    (state,) = law.glob("push-*.sqlite")
    state.write_bytes(b"nothing of the kind " * 100)
    with pytest.raises(CatalogueError, match=r"delete it, then push with --replace"):
        push(law, url)
    state.unlink()
    with pytest.raises(CatalogueError, match="from another catalogue"):
        push(law, url)
    push(law, url, replace=True)
    assert held(store) == lines_of(law)


def test_a_server_is_only_read(url: str, tmp_path: Path) -> None:
    (tmp_path / "acts.csv").write_text(f"urn\n{ACT}\n", encoding="utf-8")
    for words in (
        ("load", str(tmp_path / "acts.csv")),
        *(("check",), ("dump",), ("withdraw", ACT), ("refresh",)),
    ):
        done = CliRunner().invoke(main, ("catalogue", *words, "-c", url))
        assert done.exit_code == 1
        assert "can only be queried. Work on a folder, then mirror it there" in done.stderr
    with pytest.raises(CatalogueError, match="only be queried"):
        update_at(url, f"INSERT DATA {{ GRAPH {STATED} {{ <{ACT}> {TITLE} 'x' }} }}")
    with pytest.raises(CatalogueError, match="Push from the folder"):
        push(url, url)


def test_the_command_says_what_it_sent(law: Path, url: str) -> None:
    asked = ("catalogue", "push", url, "-c", str(law))
    done = CliRunner().invoke(main, asked)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{push(law, url).nodes:,} nodes of ")
    assert " added, 0 replaced, 0 removed\n" in done.stdout
    assert " 0 added, 0 replaced, 0 removed\n" in CliRunner().invoke(main, asked).stdout
    stats = CliRunner().invoke(main, ("catalogue", "stats", "-c", url))
    assert stats.stdout == CliRunner().invoke(main, ("catalogue", "stats", "-c", str(law))).stdout
    found = CliRunner().invoke(main, ("resolve", ACT, "-c", url))
    assert found.exit_code == 0, found.output


def test_a_closed_catalogue_on_a_server_is_reported() -> None:
    with open_server("http://127.0.0.1:9/query") as mirror:
        holdings = mirror.holdings
    for use in (
        lambda: mirror.query("ASK { ?s ?p ?o }"),
        lambda: lexurn.resolve(ACT, mirror),
        lambda: holdings.family(ACT),
        lambda: mirror.base,
    ):
        with pytest.raises(CatalogueError, match=r"/query is closed\. Open it again\."):
            use()
