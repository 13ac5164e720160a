"""What the resolver answers: section 10.3 of the RFC as cases, over a small catalogue.

The same cases are put to holdings in memory, to a catalogue in a folder, and to one on a server.
"""

from __future__ import annotations

import datetime as dt
import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from servers import oxigraph_server

from lexurn.catalogue import (
    LoadOptions,
    MemoryHoldings,
    load,
    open_catalogue,
    open_server,
    push,
)
from lexurn.manifest import open_manifest
from lexurn.resolver import resolve

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.catalogue import NameLookup
    from lexurn.model import Family
    from lexurn.resolver import Answer

_CASES_FOLDER = Path(__file__).parents[1] / "cases"
_TODAY = dt.date(2026, 1, 1)


def _cases() -> list[dict[str, Any]]:
    lines = (_CASES_FOLDER / "resolve.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def _families() -> Sequence[Family]:
    with open_manifest(_CASES_FOLDER / "resolve_acts.csv", dialect="auto") as manifest:
        return tuple(manifest.families())


@pytest.fixture(scope="module", params=["memory", "folder", "server"])
def holdings(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[NameLookup]:
    """The acts of the cases, held in each way."""
    if request.param == "memory":
        yield MemoryHoldings(_families())
        return
    with ExitStack() as at_last:
        folder = str(tmp_path_factory.mktemp("catalogue") / "laws")
        with open_catalogue(folder, write=True) as catalogue:
            load(catalogue, _families(), LoadOptions(as_of=_TODAY, jobs=1))
        if request.param == "folder":
            yield at_last.enter_context(open_catalogue(folder)).holdings
            return
        url = at_last.enter_context(oxigraph_server())
        push(folder, url)
        yield at_last.enter_context(open_server(url)).holdings


def _answer(ask: dict[str, Any], holdings: NameLookup) -> Answer:
    options = dict(ask)
    if "date" in options:
        options["date"] = dt.date.fromisoformat(options["date"])
    return resolve(options.pop("name"), holdings, **options)


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any], holdings: NameLookup) -> None:
    answer = _answer(case["ask"], holdings)
    said = {reason.code: reason.message for reason in answer.all_reasons()}
    assert (answer.match.value, [str(each.name) for each in answer.candidates]) == (
        case["match"],
        case["found"],
    ), said
    assert set(case.get("codes", ())) <= said.keys(), said
    editions = [str(each.name) for found in answer.candidates for each in found.editions]
    assert editions == case.get("versions", editions), said
    assert list(answer.urls) == case.get("urls", list(answer.urls)), said
    told = " ".join(reason.message for reason in answer.all_reasons())
    assert all(words in told for words in case.get("said", ())), said
    assert not any(words in told for words in case.get("unsaid", ())), said
    in_force = [each.in_force for found in answer.candidates for each in found.editions]
    assert in_force == case.get("in_force", in_force), said
