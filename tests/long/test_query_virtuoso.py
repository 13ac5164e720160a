"""The ready queries on Virtuoso: the same answers as anywhere."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from query_store import answer_rows, nquads
from servers import virtuoso_server

from lexurn.store import query, ready
from lexurn.store.endpoint import Endpoint
from lexurn.store.remote import RemoteStore

if TYPE_CHECKING:
    from collections.abc import Iterator

_CASES = Path(__file__).parents[1] / "cases" / "queries.jsonl"
CASES = [json.loads(line) for line in _CASES.read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RemoteStore]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LEXURN_USER", "dba")
        patch.setenv("LEXURN_PASSWORD", "dba")
        with virtuoso_server(tmp_path_factory.mktemp("server") / "virtuoso") as url:
            opened = RemoteStore(
                Endpoint(
                    query=f"{url}/sparql",
                    update=f"{url}/sparql-auth",
                    store=f"{url}/sparql-graph-crud-auth",
                    timeout=60,
                )
            )
            opened.fill(nquads())
            yield opened
            opened.close()


@pytest.mark.parametrize("case", CASES, ids=[case["query"] for case in CASES])
def test_a_ready_query_gives_its_answer(store: RemoteStore, case: dict[str, object]) -> None:
    text = ready(case["query"], **case["given"])
    assert answer_rows(query(store, text)) == case["answer"]
