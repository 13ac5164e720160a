"""Names from metadata in twenty-two languages: acts as they are cited, and what must be refused.

Each case was written from RFC 9676 and from how acts of the jurisdiction are cited. Words that the
registry knows stand as its notations; all others by rule.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TypedDict

import pytest

from lexurn.minting import try_mint
from lexurn.name import check

_FILE = Path(__file__).parents[1] / "cases" / "minting_languages.jsonl"
_LANGUAGES = "ar bg ca cs da de el en es fi fr he hu it ja nl pl pt ro ru sv tr"
_FEWEST_NAMES, _FEWEST_REFUSALS = 12, 3

#: What a refusal is for, and the codes that say it.
_REFUSALS = {
    "abbreviation": {"LX720", "LX721", "LX722", "LX723"},
    "bidi": {"LX713"},
    "day": {"LX744", "LX752"},
    "homoglyph": {"LX716", "LX717"},
    "local": {"LX754"},
    "order": {"LX742"},
    "year": {"LX743"},
}


class Case(TypedDict, total=False):
    """One act: its fields, and its name or why it has none."""

    language: str
    fields: dict[str, object]
    name: str
    refused: str
    section: str
    why: str


CASES: list[Case] = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
NAMES = [case for case in CASES if "name" in case]
REFUSALS = [case for case in CASES if "refused" in case]


def _title(case: Case) -> str:
    return f"{case['language']}-{case['why']}"


@pytest.mark.parametrize("case", NAMES, ids=_title)
def test_an_act_has_the_name_that_the_rfc_asks_for(case: Case) -> None:
    minted = try_mint(case["fields"])
    assert ([found.message for found in minted.errors], str(minted)) == ([], case["name"])


@pytest.mark.parametrize("case", NAMES, ids=_title)
def test_the_names_asked_for_are_valid_and_canonical(case: Case) -> None:
    report = check(case["name"])
    assert report.valid
    assert str(report.name) == case["name"]


@pytest.mark.parametrize("case", NAMES, ids=_title)
def test_a_name_that_stays_in_unicode_says_so(case: Case) -> None:
    if case["fields"].get("mode") == "utf8":
        return
    minted = try_mint(case["fields"])
    assert minted.name is not None
    work = minted.name.work
    is_encoded = "%" in f"{work.authority}{work.measure}{work.details.numbers}"
    assert is_encoded is ("LX719" in {found.code for found in minted.findings})


@pytest.mark.parametrize("case", REFUSALS, ids=_title)
def test_what_cannot_be_decided_is_refused_for_its_reason(case: Case) -> None:
    minted = try_mint(case["fields"])
    codes = {found.code for found in minted.errors}
    assert minted.name is None
    assert codes
    assert codes <= _REFUSALS[case["refused"]], codes


def test_every_language_has_its_cases() -> None:
    names = Counter(case["language"] for case in NAMES)
    refusals = Counter(case["language"] for case in REFUSALS)
    assert " ".join(sorted(names)) == _LANGUAGES
    assert " ".join(sorted(refusals)) == _LANGUAGES
    assert min(names.values()) >= _FEWEST_NAMES
    assert min(refusals.values()) >= _FEWEST_REFUSALS


def test_no_case_stands_twice() -> None:
    fields = [json.dumps(case["fields"], sort_keys=True) for case in CASES]
    assert len(fields) == len(set(fields))


def test_an_act_of_serbia_has_one_name_in_both_scripts() -> None:
    given = {"jurisdiction": "rs", "language": "sr", "number": "72"}
    cyrillic = {"authority": "Народна скупштина", "measure": "Закон жртава"}
    latin = {"authority": "Narodna skupština", "measure": "Zakon žrtava"}
    name = "urn:lex:rs:narodna.skupstina:zakon.zrtava:2009-09-03;72"
    for words, date in ((cyrillic, "3. септембра 2009."), (latin, "trećeg septembra 2009. godine")):
        assert str(try_mint({**given, **words, "date": date})) == name


@pytest.mark.parametrize(
    ("authority", "measure", "start"),
    [
        ("Президент України", "Указ", "ua:prezydent.ukrainy:ukaz"),
        ("Влада", "Уредба", "rs:vlada:uredba"),
        ("Fürstliche Regierung", "Verordnung", "li:fuerstliche.regierung:verordnung"),
        ("Ríkisstjórn Íslands", "Lög", "is:rikisstjorn.islands:log"),
    ],
)
def test_a_country_with_one_official_language_needs_none(
    authority: str, measure: str, start: str
) -> None:
    fields = {"authority": authority, "measure": measure, "date": "2019-03-12", "number": "27/2019"}
    minted = try_mint({"jurisdiction": start[:2], **fields})
    codes = {found.code for found in minted.findings}
    name = f"urn:lex:{start}:2019-03-12;27-2019"
    assert (str(minted), codes & {"LX704", "LX705"}) == (name, set())


@pytest.mark.parametrize("jurisdiction", ["ba", "by", "cy", "kz", "mt"])
def test_a_country_with_several_official_languages_asks_for_one(jurisdiction: str) -> None:
    fields = {"authority": "x", "measure": "y", "date": "2019-03-12", "number": "5"}
    minted = try_mint({"jurisdiction": jurisdiction, **fields})
    assert {found.code for found in minted.findings} & {"LX704", "LX705"}
