"""Remote store and the names on it: a real Oxigraph server on loopback."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from remote_cases import CASES, emptied, held, insert, line, open_emptied
from servers import oxigraph_server

from lexurn.catalogue.catalogue import make_number_key
from lexurn.catalogue.server import list_zero_padded
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


@pytest.fixture
def store(server: str) -> Iterator[RemoteStore]:
    with open_emptied(server) as opened:
        yield opened


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_server_does(case: Callable[[RemoteStore], None], store: RemoteStore) -> None:
    case(store)


def test_a_server_that_is_only_read(server: str) -> None:
    opened = RemoteStore(Endpoint(query=server))
    with pytest.raises(CatalogueError, match="is read only"):
        opened.update("CLEAR ALL")
    opened.close()


def test_endpoints_are_named_in_a_file(server: str, tmp_path: Path) -> None:
    update = server.replace("/query", "/update")
    file = tmp_path / "law.toml"
    file.write_text(f'query = "{server}"\nupdate = "{update}"\ntimeout = 20\n', encoding="utf-8")
    opened = RemoteStore(str(file))
    emptied(opened)
    insert(opened, [line("a", '"1"')])
    assert held(opened) == [line("a", '"1"')]
    assert opened.location == server
    opened.close()


def test_nobody_at_the_address() -> None:
    with oxigraph_server() as gone:
        pass
    opened = RemoteStore(gone)
    with pytest.raises(CatalogueError, match=r"cannot be reached.*is it running\?"):
        opened.query("ASK {}")
    opened.close()


@given(st.from_regex(r"[a-z0-9.\-]{1,12}", fullmatch=True), st.integers(0, 4))
def test_zeros_are_put_where_keys_have_none(number: str, zeros: int) -> None:
    key = make_number_key(number)
    found = list_zero_padded(key)
    assert found[0] == key
    assert len(found) <= 256
    assert {make_number_key(each) for each in found} == {key}
    if key.isdigit() and len(key) + zeros <= 10:
        assert "0" * zeros + key in found
