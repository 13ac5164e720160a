"""A server that cuts every answer, as Virtuoso does: nothing is left out, all commands work."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

import pyoxigraph
import pytest
from cut_cases import CASES, GAZETTE, loaded, rows_for
from remote_cases import emptied
from servers import oxigraph_server

from lexurn.catalogue import open_catalogue
from lexurn.store.remote import RemoteStore
from lexurn.store.remote_answers import TruncatedAnswerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from lexurn.catalogue import Catalogue
    from lexurn.store.protocol import EngineAnswer
    from lexurn.store.sparql import QueryForm

MOST = 100
ROWS = rows_for(MOST)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with oxigraph_server() as url:
        yield url


@pytest.fixture
def law(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Catalogue]:
    """A catalogue on a server that gives less than a hundred rows at a time."""
    asked = RemoteStore._asked

    def cut(
        store: RemoteStore, form: Mapping[str, str | Sequence[str]], kind: QueryForm
    ) -> EngineAnswer:
        answer = asked(store, form, kind)
        if isinstance(answer, pyoxigraph.QueryTriples):
            some = [pyoxigraph.Quad(*triple) for triple in islice(answer, MOST)]
            few = pyoxigraph.Store()
            few.extend(some)
            return few.query("CONSTRUCT WHERE { ?s ?p ?o }")  # without a word
        if isinstance(answer, pyoxigraph.QuerySolutions) and len(list(answer)) >= MOST:
            raise TruncatedAnswerError(f"it cut its answer at its limit of {MOST} rows", rows=MOST)
        return asked(store, form, kind)

    monkeypatch.setattr(RemoteStore, "_asked", cut)
    for size in ("_PAGE_SIZE", "_NAMES_AT_ONCE"):
        monkeypatch.setattr(f"lexurn.catalogue.given.{size}", MOST // 2)
    with open_catalogue(server, write=True) as catalogue:
        emptied(catalogue.store)
        loaded(catalogue, tmp_path, ROWS)
        yield catalogue


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_server_that_cuts_does(
    case: Callable[[Catalogue, Path, str], None], law: Catalogue, tmp_path: Path
) -> None:
    case(law, tmp_path, ROWS)


def test_more_than_pages_can_give_is_said(law: Catalogue, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lexurn.store.remote_answers.MOST_PAGED_ROWS", MOST // 2)
    with pytest.raises(TruncatedAnswerError, match="cut its answer at its limit of 100 rows"):
        list(law.store.quads([GAZETTE]))
