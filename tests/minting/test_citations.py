"""Citations as clerks, lawyers and gazettes of each country write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lexurn.minting import try_mint

_CASES = Path(__file__).parent.parent / "cases"


def _cases() -> list[Any]:
    """List the cases; one with a reason to skip it must fail until the reason is gone."""
    cases = []
    for file in sorted(_CASES.glob("citations_*.jsonl")):
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1):
            case = json.loads(line)
            reason = case.get("skip")
            marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
            cases.append(pytest.param(case, id=f"{file.stem}-{number}", marks=marks))
    return cases


@pytest.mark.parametrize("case", _cases())
def test_a_citation_gives_its_name_or_is_refused(case: dict[str, Any]) -> None:
    name = try_mint(case["input"]).name
    if name is None:
        assert case["must"] != "mint", "refused needlessly"
    else:
        assert str(name) == case["urn"]
