"""Citations as clerks, lawyers and gazettes of each country write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lexurn.minting import Action, try_mint

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


@pytest.mark.parametrize(
    ("jurisdiction", "text"),
    [
        ("fr", "ECLI:FR:CC:2012:2012-654"),
        ("eu", "32016R0679"),
        ("eu", "http://data.europa.eu/eli/reg/2016/679/oj"),
        ("it", "art. 3"),
        ("es", "artículo 18.4"),
        ("fr", "article L. 121-1"),
    ],
)
def test_what_is_not_a_citation_is_reported_once(jurisdiction: str, text: str) -> None:
    minted = try_mint({"jurisdiction": jurisdiction, "language": jurisdiction, "citation": text})
    assert [found.code for found in minted.findings if found.is_error] == ["LX777"]


def test_a_round_number_is_a_spreadsheets_only_without_thousands() -> None:
    fields = {"jurisdiction": "br", "authority": "federal", "measure": "Lei", "date": "2000-12-14"}
    name = "urn:lex:br:federal:lei:2000-12-14;10000"
    assert str(try_mint({**fields, "number": "10.000"}).name) == name
    assert (
        str(try_mint({**fields, "citation": "Lei nº 10.000, de 14 de dezembro de 2000"}).name)
        == name
    )
    france = {"jurisdiction": "fr", "measure": "Loi", "date": "2000-12-14", "number": "10.000"}
    assert [each.code for each in try_mint(france).findings if each.is_error] == ["LX730"]


def test_the_order_of_a_cited_date_with_dots_is_a_step() -> None:
    fields = {"jurisdiction": "it", "citation": "legge 05.06.2004, n. 3"}
    steps = [each for each in try_mint(fields).steps if each.action is Action.SUPPLIED]
    assert [(each.before, each.after) for each in steps if each.before] == [
        ("05.06.2004", "2004-06-05")
    ]


def test_words_behind_an_amendment_keep_their_place() -> None:
    text = "Companies Act 2006 (as amended), c. 46, foo"
    fields = {"jurisdiction": "uk", "language": "en", "citation": text, "date": "2006-11-08"}
    found = [each.text[each.start : each.end] for each in try_mint(fields).findings]
    assert found == ["as amended", "Companies", "foo"]
