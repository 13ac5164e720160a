"""A catalogue on Virtuoso, which cuts every answer: loaded twice, refreshed, withdrawn, checked."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from cut_cases import CASES, loaded, rows_for
from remote_cases import emptied
from servers import virtuoso_server

from lexurn.catalogue import open_catalogue
from lexurn.catalogue.given import BOOKKEEPING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from lexurn.catalogue import Catalogue

MOST = 1_000
ROWS = rows_for(MOST)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A file that names the endpoints of a server that gives a thousand rows at a time."""
    folder = tmp_path_factory.mktemp("server")
    endpoints = {"query": "sparql", "update": "sparql-auth", "store": "sparql-graph-crud-auth"}
    with (
        virtuoso_server(folder / "virtuoso", rows=MOST) as url,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("LEXURN_USER", "dba")
        patch.setenv("LEXURN_PASSWORD", "dba")
        file = folder / "server.toml"
        text = "".join(f'{name} = "{url}/{path}"\n' for name, path in endpoints.items())
        file.write_text(text, "utf-8")
        yield str(file)


@pytest.fixture
def law(server: str, tmp_path: Path) -> Iterator[Catalogue]:
    with open_catalogue(server, write=True) as catalogue:
        emptied(catalogue.store)
        catalogue.store.update(f"CLEAR SILENT GRAPH <{BOOKKEEPING}given>")
        loaded(catalogue, tmp_path, ROWS)
        yield catalogue


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_catalogue_there_does(
    case: Callable[[Catalogue, Path, str], None], law: Catalogue, tmp_path: Path
) -> None:
    case(law, tmp_path, ROWS)
