"""Laws of citations: no wrong name without a warning, and one name for all forms of an act."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from made_citations import CitedAct, judge, make_acts

from lexurn.minting.citation import read_form
from lexurn.minting.mentions import get_known_words
from lexurn.registry import load_registry

_ACTS = list(make_acts(9676, 150))


@pytest.mark.parametrize("act", _ACTS, ids=lambda act: f"{act.code}:{act.measure}:{act.number}")
def test_no_form_of_an_act_gives_a_wrong_name_in_silence(act: CitedAct) -> None:
    assert [form for form in act.forms if judge(act, form) == "wrong"] == []


def test_most_forms_of_acts_give_their_name() -> None:
    judged = [judge(act, form) for act in _ACTS for form in act.forms]
    assert judged.count("right") >= 0.85 * len(judged)


def _list_citations() -> list[tuple[str, str, str]]:
    """List jurisdiction, language and text of citations, real and made ones."""
    files = sorted((Path(__file__).parent.parent / "cases").glob("citations_*.jsonl"))
    lines = (line for file in files for line in file.read_text("utf-8").splitlines())
    inputs: list[dict[str, Any]] = [json.loads(line)["input"] for line in lines]
    real = [
        (each["jurisdiction"].partition(";")[0], each.get("language", ""), each["citation"])
        for each in inputs
        if "citation" in each
    ]
    made = [(act.code, act.language, form) for act in _ACTS for form in act.forms]
    return [*real, *made]


def test_the_form_of_a_citation_is_that_of_all_with_other_numbers() -> None:
    """A form is read once, in a text whose numbers stand for all numbers of their kind."""
    registry = load_registry()
    for code, language, text in _list_citations():
        law = registry.law(code)
        known = get_known_words(registry.words(language or law.languages[0]), law)
        own = read_form.__wrapped__(text, known, frozenset())
        assert read_form.__wrapped__(known.mask_numbers(text), known, frozenset()) == own, text
