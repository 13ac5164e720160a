"""Names given out by a catalogue on Virtuoso: none twice, as on any other server."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

import pytest
from servers import virtuoso_server
from test_given import BEFORE, UNNUMBERED, filled, minted

from lexurn.catalogue import open_catalogue, open_minter

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A file that names the endpoints of a server with a few acts."""
    folder = tmp_path_factory.mktemp("server")
    endpoints = {"query": "sparql", "update": "sparql-auth", "store": "sparql-graph-crud-auth"}
    with virtuoso_server(folder / "virtuoso") as url, pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEXURN_USER", "dba")
        patch.setenv("LEXURN_PASSWORD", "dba")
        file = folder / "server.toml"
        text = "".join(f'{name} = "{url}/{path}"\n' for name, path in endpoints.items())
        file.write_text(text, "utf-8")
        filled(str(file))
        yield str(file)


def test_what_is_held_is_taken_and_numbers_go_on(server: str) -> None:
    with open_catalogue(server) as catalogue:
        assert minted(catalogue, number=456) == "LX770"
        assert minted(catalogue, unnumbered=10) == "LX770"
        assert minted(catalogue, unnumbered=True, date="2003-09-22") == f"{BEFORE[:-3]}22;lex-91"
        assert minted(catalogue, unnumbered=True, date="2003-09-22") == f"{BEFORE[:-3]}22;lex-92"


def test_many_at_once(server: str) -> None:
    names: list[str] = []
    place = 'ä "b"\n\\c:1'

    def ask() -> None:
        with open_catalogue(server) as catalogue, open_minter(catalogue) as given:
            names.extend(str(given.mint(UNNUMBERED, place=place).name) for _ in range(5))

    threads = [threading.Thread(target=ask) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(names) == 40
    with open_catalogue(server) as catalogue, open_minter(catalogue) as given:
        waiting = [each.name for each in given.waiting() if each.place == place]
    assert sorted(names) == waiting == sorted(set(names))
