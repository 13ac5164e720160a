"""What no shape sees: names beside each other and beside the registry, case by case."""

from __future__ import annotations

import datetime as dt
from contextlib import closing, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import pytest
from collision_cases import CASES, record

from lexurn.catalogue import CheckFinding, LoadOptions, load, open_catalogue
from lexurn.catalogue.check import find_loops
from lexurn.catalogue.collisions import (
    WORDING_STAGES,
    ActWording,
    compare_names,
    find_collisions,
)
from lexurn.catalogue.index import Index, make_index_rows
from lexurn.catalogue.report import CheckSpool, compute_fingerprint, list_collision_rules
from lexurn.model import Item, Record, families_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

RULES = list_collision_rules()
CODES = set(RULES)


AS_OF = dt.date(2026, 1, 1)


def quiet(_what: str, _done: int, _total: int | None) -> None:
    pass


@contextmanager
def indexed(records: Iterable[Record]) -> Iterator[Index]:
    """Make an index of some records."""
    with (
        TemporaryDirectory() as folder,
        closing(Index(Path(folder) / "names", write=True)) as index,
    ):
        index.settle((), [make_index_rows(families_of(records), AS_OF)])
        yield index


def found_in(index: Index, rules: set[str] = CODES) -> list[CheckFinding]:
    with closing(CheckSpool()) as spool:
        return list(find_collisions(index, spool, rules, on_progress=quiet))


def found_among(records: Iterable[Record], rules: set[str] = CODES) -> list[CheckFinding]:
    with indexed(records) as index:
        return found_in(index, rules)


def told(finding: CheckFinding) -> tuple[str, tuple[str, ...]]:
    return finding.rule, (finding.focus[1:-1].replace("%7C", "|"), *finding.others)


def expected(case: dict[str, Any]) -> list[tuple[str, tuple[str, ...]]]:
    return [(each["rule"], tuple(each["names"])) for each in case["found"]]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_collision_is_found_with_the_names_concerned(case) -> None:
    findings = found_among(map(record, case["acts"]))
    assert sorted(map(told, findings)) == sorted(expected(case))
    by_rule = {finding.rule: finding for finding in findings}
    for each in case["found"]:
        finding = by_rule[each["rule"]]
        assert finding.value == each.get("value", finding.value)
        assert finding.detail == each.get("detail", finding.detail)


def test_every_rule_has_a_case_and_says_what_to_do() -> None:
    assert {each["rule"] for case in CASES for each in case["found"]} == CODES
    assert all(rule.message.endswith(".") and rule.advice.endswith(".") for rule in RULES.values())
    assert all(rule.basis.startswith("RFC 9676 §") for rule in RULES.values())


def test_a_catalogue_in_a_folder_has_the_findings_of_all_cases(tmp_path: Path) -> None:
    records = [record(act) for case in CASES for act in case["acts"]]
    with open_catalogue(tmp_path / "law", write=True) as catalogue:
        load(catalogue, families_of(records), LoadOptions(as_of=dt.date(2026, 1, 1)))
        findings = found_in(catalogue.holdings)
    wanted = sorted(each for case in CASES for each in expected(case))
    assert sorted(map(told, findings)) == wanted
    assert len(set(map(compute_fingerprint, findings))) == len(findings)


def test_only_the_rules_asked_for_are_looked_at() -> None:
    records = [record(act) for case in CASES for act in case["acts"]]
    assert {each.rule for each in found_among(records, {"LX961"})} == {"LX961"}


def test_gaps_are_looked_for_without_a_look_at_words(monkeypatch: pytest.MonkeyPatch) -> None:
    records = [record(act) for case in CASES for act in case["acts"] if case["id"] == "gaps"]
    monkeypatch.delattr(ActWording, "write_stages")
    assert len(found_among(records, {"LX974"})) == 1


def test_many_names_of_one_copy_are_counted_not_listed() -> None:
    url = "https://law.example/gazette.pdf"
    records = [
        Record(name=parse(f"urn:lex:it:stato:legge:1999-01-01;{n}"), items=(Item(url=url),))
        for n in range(1, 101)
    ]
    (finding,) = found_among(records, {"LX961"})
    assert len(finding.others) == 20
    assert finding.detail == "and 79 more"


def steps_for(acts: list[str], rules: set[str]) -> tuple[int, int]:
    """How many thousand steps SQLite takes to look for collisions, and how many there are."""
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    records = [Record(name=parse(each)) for each in acts]
    with indexed(records) as index, closing(CheckSpool()) as spool:
        spool.database.set_progress_handler(count, 1_000)
        return len(list(find_collisions(index, spool, rules, on_progress=quiet))), steps


def test_one_number_in_the_year_of_many_municipalities_takes_as_long_as_they_are_many() -> None:
    def acts(many: int) -> list[str]:
        short = (f"urn:lex:it:comune.c{each}:delibera:2003;1" for each in range(many))
        whole = (f"urn:lex:it:comune.d{each}:delibera:2003-01-02;1" for each in range(many))
        both = ("urn:lex:it:comune.x:delibera:2003;1", "urn:lex:it:comune.x:delibera:2003-01-02;1")
        return [*short, *whole, *both]

    few, some = (steps_for(acts(many), {"LX966", "LX967"}) for many in (100, 800))
    assert few[0] == some[0] == 1
    assert some[1] < 12 * few[1]


class _Counted(int):
    """A number that counts how often it is looked up."""

    looked_up = 0

    def __hash__(self) -> int:
        _Counted.looked_up += 1
        return super().__hash__()


@pytest.mark.parametrize("stage", range(len(WORDING_STAGES)))
def test_many_names_that_are_one_at_a_late_stage_are_compared_once_at_each(stage: int) -> None:
    def looked_up(many: int) -> int:
        acts = []
        for each in range(many):
            keys = (f"{each}" if place < stage else "one" for place in range(len(WORDING_STAGES)))
            acts.append((f"name {each:04}", _Counted(each), tuple(keys)))
        _Counted.looked_up = 0
        (finding,) = compare_names(acts)
        assert (finding.rule, finding.detail) == (WORDING_STAGES[stage], f"and {many - 21} more")
        return _Counted.looked_up

    assert looked_up(200) < 3 * looked_up(100)


class _Compared(str):
    """A node that counts how often it is compared."""

    __slots__ = ()
    times = 0
    __hash__ = str.__hash__

    def __eq__(self, other: object) -> bool:
        _Compared.times += 1
        return super().__eq__(other)


def test_loops_beside_a_long_way_are_each_found_at_once() -> None:
    def compared(many: int) -> int:
        way = [_Compared(f"{each}") for each in range(many)]
        beside = [_Compared(f"{each} beside") for each in range(many)]
        back = [_Compared(f"{each} back") for each in range(many)]
        edges = {one: [other] for one, other in zip(back, beside, strict=True)}
        edges |= {one: [other] for one, other in zip(beside, back, strict=True)}
        edges |= {way[at]: [beside[at], *way[at + 1 : at + 2]] for at in range(many)}
        _Compared.times = 0
        assert find_loops({node: edges[node] for node in (*way, *beside, *back)}) == {
            *beside,
            *back,
        }
        return _Compared.times

    assert compared(400) < 3 * compared(200)
