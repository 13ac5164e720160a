"""Words, letters, numbers and citations: what each becomes, and what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from minting_text_words import LAWS, WORDS, entry, fresh, make_context

import lexurn
from lexurn.findings import load_codes
from lexurn.minting import Action, Mode, Written
from lexurn.minting.characters import load_spelling
from lexurn.minting.forms import read_citation
from lexurn.minting.numbers import write_number
from lexurn.minting.phrases import (
    TextKind,
    look_up_phrase,
    write_phrase,
)
from lexurn.minting.words import read_roman
from lexurn.name import Severity
from lexurn.registry import Kind, Lexicon

_CASES = Path(__file__).parents[1] / "cases"
_FIELD = "field"


def _read(name: str) -> list[dict[str, object]]:
    lines = (_CASES / name).read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line]


def _written(case: dict[str, object]) -> Written:
    text, mode = str(case["text"]), Mode(case.get("mode", "ascii"))
    words, law = fresh(str(case.get("language", "en"))), LAWS[str(case.get("law", "none"))]
    match case["do"]:
        case "phrase":
            return write_phrase(text, words, mode, _FIELD)
        case "specification":
            return write_phrase(text, words, mode, _FIELD, TextKind.SENTENCE)
        case "annex":
            return write_phrase(text, words, mode, _FIELD, TextKind.ANNEX)
    suffix = case.get("suffix")
    return write_number(
        text, words, law, _FIELD, suffix=None if suffix is None else str(suffix), mode=mode
    )


@pytest.mark.parametrize(
    "case", _read("minting_text.jsonl"), ids=lambda case: f"{case['why']}: {case['text']!r}"[:80]
)
def test_a_text_becomes_what_the_rules_make_of_it(case: dict[str, object]) -> None:
    written = _written(case)
    assert written.text == case.get("gives")
    assert {found.code for found in written.findings} == set(case.get("codes", ()))  # type: ignore[call-overload]
    for found in written.findings:
        assert found.component == _FIELD
        assert found.text == case.get("suffix", case["text"]) or found.text == case["text"]
        assert [found.start, found.end] == case.get("at", [found.start, found.end])
        assert str(case.get("says", "")) in found.message
        assert found.suggestion == case.get("hint", found.suggestion)


@pytest.mark.parametrize(
    "case", _read("minting_text_citations.jsonl"), ids=lambda case: str(case["text"])[:60]
)
def test_a_citation_is_read(case: dict[str, object]) -> None:
    text = str(case["text"])
    cited = read_citation(text, make_context(str(case["language"]), str(case["law"])))
    parts = {
        **cited.fields,
        **{name: each[0] for name, each in cited.fields.items() if name in ("date", "number")},
    }
    if "authority" in parts:
        parts["authority"] = " + ".join("; ".join(levels) for levels in parts["authority"])
    assert parts == {
        name: case[name] for name in ("measure", "authority", "date", "number") if name in case
    }
    assert {found.code for found in cited.findings} == set(case.get("codes", ()))  # type: ignore[call-overload]
    read = [each.after.split(": ", 1) for each in cited.steps if each.action is Action.READ]
    assert len(read) == len(parts)
    assert all(name in parts and each in text for name, each in read)


def test_each_step_says_what_was_done_by_which_rule() -> None:
    written = write_phrase("Min. of Sports, 3rd Dépt", fresh("en"), Mode.ASCII, "authority")
    assert [(each.action, each.before, each.after, each.rule) for each in written.steps] == [
        (Action.LOWERED, "Min. of Sports, 3rd Dépt", "min. of sports, 3rd dépt", "RFC 9676 §3.3"),
        (Action.EXPANDED, "Min.", "ministry", "RFC 9676 §3.5"),
        (Action.DROPPED, "of", "", "RFC 9676 §4.1"),
        (Action.NUMBERED, "3rd", "3", "RFC 9676 §4.3"),
        (Action.FOLDED, "dépt", "dept", "RFC 9676 §3.4"),
        (Action.JOINED, "ministry sports 3 dept", "ministry.sports.3.dept", "RFC 9676 §4.1"),
    ]
    assert {each.field for each in written.steps} == {"authority"}
    sources = {each.action: each.source for each in written.steps}
    assert sources[Action.EXPANDED] == "https://example.org/en/abbreviations/ministry"
    assert sources[Action.DROPPED] == "https://w3id.org/lexurn/registry/words/en/connectives"


def test_steps_of_a_number() -> None:
    written = write_number("nº 9.847/A", fresh("pt"), LAWS["br"], "number")
    assert [(each.action, each.before, each.after) for each in written.steps] == [
        (Action.DROPPED, "nº", ""),
        (Action.REPLACED, "9.847", "9847"),
        (Action.LOWERED, "9847/A", "9847/a"),
        (Action.REPLACED, "9847/a", "9847-a"),
    ]


_AUTHORITIES = Lexicon(
    [
        entry(Kind.AUTHORITY, "ministry.justice", "Ministry of Justice", "Justice Ministry"),
        entry(Kind.AUTHORITY, "ministry.grace", "Ministry of Grace", "MJ", obsolete=True),
        entry(Kind.AUTHORITY, "ministry.jobs", "Ministry of Jobs", "MJ"),
        entry(Kind.AUTHORITY, "port.north", "Port of the North", "PN"),
        entry(Kind.AUTHORITY, "port.nice", "Port of Nice", "PN"),
        entry(Kind.MEASURE, "decree", "Presidential decree", "PD", issuer="president"),
        entry(Kind.MEASURE, "decree", "Ministerial decree", "PD", issuer="ministry"),
    ]
)


@pytest.mark.parametrize(
    ("text", "notation", "codes"),
    [
        ("Ministry of Justice", "ministry.justice", []),
        ("justice ministry", "ministry.justice", []),
        ("ministry.justice", "ministry.justice", []),
        ("The Ministry for Justice", "ministry.justice", []),
        ("MJ", "ministry.jobs", []),
        ("PN", None, ["LX723"]),
        ("PD", "decree", ["LX736"]),
        ("Ministry of Peace", "ministry.peace", ["LX724"]),
        ("Ministry of XY", None, ["LX721"]),
        ("Ministry of\u202e Justice", None, ["LX713"]),
        ("", None, ["LX710"]),
    ],
)
def test_the_registry_comes_first(text: str, notation: str | None, codes: list[str]) -> None:
    for _ in range(2):  # the second answer is the kept one
        written, found = look_up_phrase(text, _AUTHORITIES, WORDS["en"], Mode.ASCII, _FIELD)
        assert written.text == notation
        assert (found is not None) is (notation is not None and not codes)
        assert [each.code for each in written.findings] == codes
        if found is not None and text != notation:
            assert found.iri in {each.source for each in written.steps}


def test_several_meanings_are_all_named() -> None:
    written, _ = look_up_phrase("PN", _AUTHORITIES, WORDS["en"], Mode.ASCII, _FIELD)
    assert "port.nice" in written.findings[0].message
    assert "port.north" in written.findings[0].message
    ambiguous = write_phrase("Reg.", WORDS["en"], Mode.ASCII, _FIELD)
    assert "regulation / registry" in ambiguous.findings[0].message


def test_registered_words_are_encoded_where_names_are_utf8() -> None:
    lexicon = Lexicon(
        [
            entry(Kind.MEASURE, "zakon", "Закон", scope="ru"),
            entry(Kind.MEASURE, "gosudarstvo", "Российское государство", scope="ru"),
        ]
    )
    words = WORDS["ru"]
    assert look_up_phrase("закон", lexicon, words, Mode.ASCII, _FIELD)[0].text == "zakon"
    encoded = look_up_phrase("закон", lexicon, words, Mode.UTF8, _FIELD)[0].text
    assert encoded == "%D0%B7%D0%B0%D0%BA%D0%BE%D0%BD"
    # A notation that is not made of the label is the jurisdiction's choice.
    by_choice = look_up_phrase("Российское государство", lexicon, words, Mode.UTF8, _FIELD)[0].text
    assert by_choice == "gosudarstvo"


def test_lexicons_of_the_same_words_do_not_answer_for_each_other() -> None:
    empty = Lexicon([])
    assert look_up_phrase("MJ", empty, WORDS["en"], Mode.ASCII, _FIELD)[0].text is None
    assert (
        look_up_phrase("MJ", _AUTHORITIES, WORDS["en"], Mode.ASCII, _FIELD)[0].text
        == "ministry.jobs"
    )


def test_words_of_a_publisher_do_not_answer_for_the_built_in_ones() -> None:
    words = WORDS["de"]
    other = type(words)(language="de", connectives=words.connectives)
    assert write_phrase("München", words, Mode.ASCII, _FIELD).text == "muenchen"
    assert write_phrase("München", other, Mode.ASCII, _FIELD).text == "munchen"


@pytest.mark.parametrize("number", range(1, 90))
def test_roman_numerals(number: int) -> None:
    tens = ["", "X", "XX", "XXX", "XL", "L", "LX", "LXX", "LXXX"]
    units = ["", "I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX"]
    text = tens[number // 10] + units[number % 10]
    assert read_roman(text) == (None if text == "L" else number)


@pytest.mark.parametrize("text", ["", "IIX", "VV", "IC", "MIX", "CIVIL", "DI", "XD", "i", "x"])
def test_what_is_no_roman_numeral(text: str) -> None:
    assert read_roman(text) is None


@pytest.mark.parametrize("code", [f"LX{number}" for number in range(710, 740)])
def test_codes_are_numbered_in_their_range_and_say_by_which_rule(code: str) -> None:
    assert load_codes()[code].rule.startswith("RFC 9676 §")


def test_what_keeps_a_name_from_being_minted_is_an_error() -> None:
    refused = {
        case_code
        for case in _read("minting_text.jsonl")
        if "gives" not in case
        for case_code in case["codes"]
    }  # type: ignore[attr-defined]
    assert {load_codes()[code].severity for code in refused} == {Severity.ERROR}
    allowed = {
        case_code
        for case in _read("minting_text.jsonl")
        if "gives" in case
        for case_code in case.get("codes", ())
    }  # type: ignore[attr-defined]
    assert Severity.ERROR not in {load_codes()[code].severity for code in allowed}


@pytest.mark.parametrize("text", [None, "None", "N/A", "NaN", "s/n", "undefined"])
def test_no_name_ends_with_none(text: str | None) -> None:
    """Known fault of other tools: ``;None`` behind the date."""
    assert write_number(str(text), WORDS["pt"], LAWS["br"], "number").text is None


def test_no_hyphen_stands_in_a_measure() -> None:
    """Known fault of other tools: ``decreto-legge``."""
    text = write_phrase("Decreto-Legge", WORDS["it"], Mode.ASCII, "measure").text
    assert text == "decreto.legge"
    assert lexurn.check(f"urn:lex:it:stato:{text}:2003-09-21;456").name is not None


def test_each_table_of_spelling_has_a_source_and_its_own_texts() -> None:
    table = {**load_spelling()}
    sources = table.pop("sources")
    assert sources.keys() == table.keys()
    for other, latin in table["look_alikes"].values():
        assert len(other) == len(latin) == len({*other})
    lists = *table["ordinal_endings"].values(), table["day_suffixes"], table["month_first"]
    for listed in lists:
        assert len({*listed.split()}) == len(listed.split())
        assert listed == listed.lower()
