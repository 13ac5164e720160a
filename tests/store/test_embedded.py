"""The embedded store: quads in, changed, out again, and what stands in its way."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyoxigraph
import pytest

from lexurn.errors import CatalogueError
from lexurn.store.embedded import EmbeddedStore

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

G = "<https://w3id.org/lexurn/ns#catalogued>"


def line(subject: str, value: str, graph: str = G) -> str:
    return f"<http://x.example/{subject}> <http://x.example/p> {value} {graph} .\n"


@pytest.fixture(params=["memory", "disk"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EmbeddedStore]:
    opened = EmbeddedStore(None if request.param == "memory" else tmp_path / "s", write=True)
    yield opened
    opened.close()


def held(store: EmbeddedStore) -> list[str]:
    return sorted(b"".join(store.dump()).decode().splitlines(keepends=True))


def test_what_is_filled_in_is_dumped(store: EmbeddedStore) -> None:
    lines = sorted([line("a", '"1"'), line("b", '"tx\\"t\\n"@it'), line("a", "<urn:lex:x>")])
    store.fill("".join(lines).encode())
    store.fill(lines[0].encode())
    assert held(store) == lines


def test_a_change_takes_out_and_puts_in(store: EmbeddedStore) -> None:
    old, kept, new = line("a", '"1"'), line("a", '"2"'), line("a", '"3\\\\é"@pt-br')
    store.fill((old + kept).encode())
    store.change([old], [new])
    assert held(store) == sorted([kept, new])
    assert sorted(store.quads(["http://x.example/a"])) == sorted([kept, new])
    store.change([], [])
    assert len(held(store)) == 2


def test_a_broken_change_changes_nothing(store: EmbeddedStore) -> None:
    store.fill(line("a", '"1"').encode())
    with pytest.raises(CatalogueError, match="not SPARQL"):
        store.change([line("a", '"1"')], ["<a b> <c> <d> <e> .\n"])
    assert held(store) == [line("a", '"1"')]


def test_other_graphs_are_queried_but_not_dumped(store: EmbeddedStore) -> None:
    foreign = line("a", '"2"', "<http://x.example/mine>")
    store.fill((line("a", '"1"') + foreign).encode())
    assert held(store) == [line("a", '"1"')]
    assert list(store.quads(["http://x.example/a"])) == [line("a", '"1"')]
    answer = store.query("SELECT ?o { <http://x.example/a> ?p ?o }")
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    assert sorted(row["o"].value for row in answer) == ["1", "2"]


MINE = "<http://x.example/mine>"
ROWS = "SELECT ?o"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (f"{ROWS} {{ ?s ?p ?o }}", ["1", "2"]),
        (f"{ROWS} FROM {G} {{ ?s ?p ?o }}", ["1"]),
        (f"{ROWS} from {MINE} WHERE {{ ?s ?p ?o }}", ["2"]),
        (f"{ROWS} FROM {G} FROM {MINE} {{ ?s ?p ?o }}", ["1", "2"]),
        (f"PREFIX x: <http://x.example/> {ROWS} FROM x:mine {{ ?s ?p ?o }}", ["2"]),
        (f"{ROWS} FROM <http://x.example/none> {{ ?s ?p ?o }}", []),
        (f"{ROWS} FROM NAMED {MINE} {{ ?s ?p ?o }}", []),
        (f"{ROWS} FROM NAMED {MINE} {{ GRAPH ?g {{ ?s ?p ?o }} }}", ["2"]),
        (f"{ROWS} FROM {G} FROM NAMED {MINE} {{ ?s ?p ?o }}", ["1"]),
        (f"{ROWS} {{ ?s ?p ?o FILTER(?o != 'FROM {MINE}') }} # FROM {MINE}", ["1", "2"]),
        (f"PREFIX from: <http://x.example/> {ROWS} {{ ?from from:p ?o }}", ["1", "2"]),
    ],
)
def test_graphs_that_a_query_names_are_the_ones_asked(
    store: EmbeddedStore, text: str, found: list[str]
) -> None:
    store.fill((line("a", '"1"') + line("b", '"2"', MINE)).encode())
    answer = store.query(text)
    assert isinstance(answer, pyoxigraph.QuerySolutions)
    assert sorted(row["o"].value for row in answer) == found


@pytest.mark.parametrize("text", ["SELECT", "SELECT * { ?s ?p", "DELETE DATA {}"])
def test_what_is_no_query_is_said(store: EmbeddedStore, text: str) -> None:
    with pytest.raises(CatalogueError, match="not SPARQL"):
        store.query(text)


def test_a_second_writer_is_refused(tmp_path: Path) -> None:
    first = EmbeddedStore(tmp_path / "s", write=True)
    with pytest.raises(CatalogueError, match="in use by another process"):
        EmbeddedStore(tmp_path / "s", write=True)
    first.close()
    EmbeddedStore(tmp_path / "s", write=True).close()


def test_a_reader_does_not_write(tmp_path: Path) -> None:
    EmbeddedStore(tmp_path / "s", write=True).close()
    reader = EmbeddedStore(tmp_path / "s")
    with pytest.raises(CatalogueError, match="cannot be written"):
        reader.change([], [line("a", '"1"')])
    reader.close()


def test_a_damaged_store_is_said(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path / "s", write=True)
    store.fill(line("a", '"1"').encode())
    store.close()
    for file in (tmp_path / "s").glob("MANIFEST*"):
        file.write_bytes(b"junk")
    with pytest.raises(CatalogueError, match="damaged"):
        EmbeddedStore(tmp_path / "s")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            'SELECT * { ?s dcterms:title "a:b" } # c:d',
            "the prefix dcterms: is not declared; begin with PREFIX dcterms: <http://purl.org/",
        ),
        ("PREFIX a: <urn:x:> SELECT * { _:b a:c my:d }", "the prefix my: is not declared"),
        ("PREFIX a: <urn:x:> SELECT * { _:b a:c", "error at 1"),
    ],
)
def test_an_undeclared_prefix_is_named(store: EmbeddedStore, text: str, told: str) -> None:
    with pytest.raises(CatalogueError, match=f"not SPARQL: {told}"):
        store.query(text)
