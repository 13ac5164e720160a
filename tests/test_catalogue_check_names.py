"""What no shape sees: names beside each other and beside the registry, case by case."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path
from typing import Any

import pytest

from lexurn.catalogue import CheckFinding, Holdings, LoadOptions, load, open_catalogue
from lexurn.catalogue._check_spool import Spool
from lexurn.catalogue._collisions import RULES, collide
from lexurn.catalogue._memory import MemoryHoldings
from lexurn.model import Item, Record, Status, families_of
from lexurn.name import parse

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "cases" / "collisions.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
CODES = {rule.code for rule in RULES}


def quiet(_what: str, _done: int, _total: int | None) -> None:
    pass


def record(act: dict[str, Any]) -> Record:
    values: dict[str, Any] = {"name": parse(act["urn"])}
    if "alias_of" in act:
        values["alias_of"] = parse(act["alias_of"])
    if "status" in act:
        values["status"] = Status(act["status"])
        values["withdrawn_on"] = dt.date.fromisoformat(act["withdrawn_on"])
    if "url" in act:
        values["items"] = (Item(url=act["url"]),)
    if "dialect_name" in act:
        values["dialect_names"] = (act["dialect_name"],)
    return Record(**values)


def found_in(holdings: Holdings, rules: set[str] = CODES) -> list[CheckFinding]:
    spool = Spool()
    try:
        return list(collide(holdings, spool, rules, told=quiet))
    finally:
        spool.close()


def told(finding: CheckFinding) -> tuple[str, tuple[str, ...]]:
    return finding.rule, (finding.focus[1:-1].replace("%7C", "|"), *finding.others)


def expected(case: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each["rule"], tuple(each["names"])) for each in case["found"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_collision_is_found_with_the_names_concerned(case) -> None:
    findings = found_in(MemoryHoldings(families_of(map(record, case["acts"]))))
    assert sorted(map(told, findings)) == sorted(expected(case))
    by_rule = {finding.rule: finding for finding in findings}
    for each in case["found"]:
        finding = by_rule[each["rule"]]
        assert finding.value == each.get("value", finding.value)
        assert finding.detail == each.get("detail", finding.detail)


def test_every_rule_has_a_case_and_says_what_to_do() -> None:
    assert {each["rule"] for case in CASES for each in case["found"]} == CODES
    assert all(rule.message.endswith(".") and rule.advice.endswith(".") for rule in RULES)
    assert all(rule.basis.startswith("RFC 9676 §") for rule in RULES)


def test_a_catalogue_in_a_folder_has_the_findings_of_all_cases(tmp_path: Path) -> None:
    records = [record(act) for case in CASES for act in case["acts"]]
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        load(catalogue, families_of(records), LoadOptions(as_of=dt.date(2026, 1, 1)))
        findings = found_in(catalogue.holdings)
    wanted = sorted(each for case in CASES for each in expected(case))
    assert sorted(map(told, findings)) == wanted


def test_only_the_rules_asked_for_are_looked_at() -> None:
    records = [record(act) for case in CASES for act in case["acts"]]
    holdings = MemoryHoldings(families_of(records))
    assert {each.rule for each in found_in(holdings, {"LX961"})} == {"LX961"}


def test_many_names_of_one_copy_are_counted_not_listed() -> None:
    url = "https://law.example/gazette.pdf"
    records = [
        Record(name=parse(f"urn:lex:it:stato:legge:1999-01-01;{n}"), items=(Item(url=url),))
        for n in range(1, 101)
    ]
    (finding,) = found_in(MemoryHoldings(families_of(records)), {"LX961"})
    assert len(finding.others) == 20
    assert finding.detail == "and 79 more"
