"""What the resolver answers: section 10.3 of the RFC as cases, over a small catalogue."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from lexurn.catalogue import MemoryHoldings, resolve
from lexurn.manifest import open_manifest

_CASES_FOLDER = Path(__file__).parent / "cases"
_TODAY = dt.date(2026, 1, 1)


def _cases() -> list[dict[str, Any]]:
    lines = (_CASES_FOLDER / "resolve.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@cache
def _holdings() -> MemoryHoldings:
    with open_manifest(_CASES_FOLDER / "resolve_acts.csv", dialect="auto") as manifest:
        return MemoryHoldings(manifest.families())


@pytest.mark.parametrize("case", _cases(), ids=lambda case: case["id"])
def test_case(case: dict[str, Any]) -> None:
    ask = dict(case["ask"])
    if "date" in ask:
        ask["date"] = dt.date.fromisoformat(ask["date"])
    answer = resolve(ask.pop("name"), _holdings(), **ask)
    said = {reason.code: reason.message for reason in answer.all_reasons()}
    assert (answer.match.value, [str(each.name) for each in answer.candidates]) == (
        case["match"],
        case["found"],
    ), said
    assert set(case.get("codes", ())) <= said.keys(), said
    editions = [str(each.name) for found in answer.candidates for each in found.editions]
    assert editions == case.get("versions", editions), said
    assert list(answer.urls) == case.get("urls", list(answer.urls)), said
