"""What holds for every name that is resolved, and for every text that is none."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from sizes import examples
from strategies import names

from lexurn import data
from lexurn.catalogue import MemoryHoldings
from lexurn.catalogue.catalogue import find_years, make_number_key
from lexurn.manifest import open_manifest
from lexurn.model import Record, families_of
from lexurn.resolver import REASONS, Match, make_answer_json, resolve
from lexurn.resolver.comparison import measure_distance, measure_spelling_distance

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.name import Name

_CASES = Path(__file__).parents[1] / "cases"
_WORDS = st.text("abcdeé.;1", max_size=12)


with open_manifest(_CASES / "resolve_acts.csv", dialect="auto") as _manifest:
    _FAMILIES = tuple(_manifest.families())
_HELD = MemoryHoldings(_FAMILIES)
_ACTS = [family.key for family in _FAMILIES]
_SCHEMA = json.loads(data.read_text("ontology/answer.schema.json"))


def _records() -> Iterator[Name]:
    for family in _HELD.families([str(act) for act in _ACTS]):
        yield from (record.name for record in family.records)


@pytest.mark.parametrize("name", sorted(_records(), key=str), ids=str)
def test_every_name_that_is_held_is_found_as_it_is(name: Name) -> None:
    answer = resolve(name, _HELD)
    assert answer.match in {Match.EXACT, Match.ALIAS, Match.WITHDRAWN}
    assert len(answer.candidates) == 1
    assert answer.candidates[0].score == 1


@given(names())
def test_what_alone_is_held_is_found(name: Name) -> None:
    holdings = MemoryHoldings(families_of([Record(name=name)]))
    answer = resolve(str(name), holdings)
    assert answer.match is Match.EXACT
    assert [each.name for each in answer.candidates] == [name.document]


@given(names(), names())
def test_another_number_date_or_jurisdiction_is_never_a_match(one: Name, other: Name) -> None:
    answer = resolve(str(one), MemoryHoldings(families_of([Record(name=other)])))
    for candidate in answer.candidates:
        _assert_same_act(one, candidate.name)


def _assert_same_act(asked: Name, found: Name) -> None:
    """One jurisdiction (but for the words of its units), a number and a year in common."""
    assert asked.jurisdiction.code == found.jurisdiction.code
    mine, theirs = asked.work.details, found.work.details
    assert {*map(make_number_key, mine.numbers)} & {*map(make_number_key, theirs.numbers)}
    assert mine.period == theirs.period or {*find_years(mine)} & {*find_years(theirs)}


@given(st.one_of(st.text(max_size=80), st.text("urnlex:;@$~.,+-#?=/!2003%it ", max_size=80)))
def test_any_text_has_an_answer_that_follows_the_schema(text: str) -> None:
    answer = resolve(text, _HELD, date=dt.date(2020, 2, 2))
    Draft202012Validator(_SCHEMA).validate(make_answer_json(answer))
    assert answer.text == text
    assert (answer.match is Match.NONE) is (not answer.candidates)
    assert answer.candidates or answer.reasons


@given(st.sampled_from(_ACTS), st.integers(8, 100), st.sampled_from("abcz019.;:-"))
@examples(60)
def test_a_slip_of_the_pen_finds_no_other_act(act: Name, place: int, letter: str) -> None:
    text = str(act)
    place = min(place, len(text) - 1)
    slipped = text[:place] + letter + text[place + 1 :]
    answer = resolve(slipped, _HELD)
    assert answer == resolve(slipped, _HELD)
    if answer.name is not None:
        for candidate in answer.candidates:
            _assert_same_act(answer.name, candidate.name)
    assert len({each.score for each in answer.candidates}) <= 1
    ordered = [str(each.name) for each in answer.candidates]
    assert ordered == sorted(set(ordered))


@given(_WORDS, _WORDS)
def test_likeness_is_the_same_both_ways(one: str, other: str) -> None:
    assert measure_spelling_distance(one, other) == measure_spelling_distance(other, one)
    assert measure_distance(one, other, 3) == measure_distance(other, one, 3)
    assert (measure_distance(one, other, 3) == 0) is (one == other)


@given(_WORDS, st.integers(0, 11), st.sampled_from(["cut", "swap", "add", "change"]))
def test_one_slip_is_a_distance_of_one_at_most(word: str, place: int, slip: str) -> None:
    before, here, behind = word[:place], word[place : place + 1], word[place + 1 :]
    slipped = {
        "cut": before + behind,
        "swap": before + behind[:1] + here + behind[1:],
        "add": before + "x" + here + behind,
        "change": before + "x" + behind,
    }[slip]
    found = measure_distance(word, slipped, 3)
    assert found is not None
    assert found <= 1


@pytest.mark.parametrize(
    ("one", "other", "letters"),
    [
        ("legge", "lege", 1),
        ("legge", "elgge", 1),
        ("lei", "loi", None),
        ("allegato.a", "allegato.b", None),
        ("sezione.1", "sezione.2", None),
        ("allegato.viii", "allegato.xviii", None),
        ("serie.xviii", "serie.xxviii", None),
        ("xxxviii", "xxxviiii", None),
        ("alegato.xviii", "allegato.xviii", 1),
        ("civile.xviii", "civille.xviii", 1),
        ("ministero.finanze", "ministerofinanze", 1),
        ("presidente.repubblica", "presidnte.repubblcia", 2),
        ("presidente.repubblica", "presidente.consiglio", None),
        ("legge", "legge", 0),
        ("exterieur", "interieur", None),
        ("rectification", "ratification", None),
        ("derogation", "abrogation", None),
        ("commissioner", "commission", None),
        ("autorizazzone", "autorizzazione", 2),
    ],
)
def test_distances(one: str, other: str, letters: int | None) -> None:
    assert measure_spelling_distance(one, other) == letters


def test_the_codes_have_words_and_sections() -> None:
    assert list(REASONS) == [f"LX{number}" for number in range(938, 960) if number != 944]
    for row in REASONS.values():
        assert row.message
        assert row.rule.startswith(("RFC 9676 §", "RFC 8141 §"))
        assert 0 <= row.cost < 1


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(_SCHEMA)


def test_the_schema_knows_every_code() -> None:
    pattern = _SCHEMA["$defs"]["reason"]["properties"]["code"]["pattern"]
    assert all(re.search(pattern, code) for code in REASONS)


def _cases() -> list[dict[str, Any]]:
    lines = (_CASES / "resolve.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_cases_are_many_and_each_names_its_section() -> None:
    cases = _cases()
    assert len(cases) >= 150
    assert len({case["id"] for case in cases}) == len(cases)
    assert all(str(case["rule"]).startswith("RFC ") for case in cases)


def test_the_cases_use_every_reason() -> None:
    used = {code for case in _cases() for code in case.get("codes", ())}
    elsewhere = {"LX955", "LX959"}  # addresses and crowds have tests of their own
    assert used | elsewhere == REASONS.keys()
