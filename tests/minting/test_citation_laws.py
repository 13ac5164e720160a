"""Laws of citations: no wrong name without a warning, and one name for all forms of an act."""

from __future__ import annotations

import json
import random
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from made_citations import CitedAct, judge, make_acts
from sizes import one_in

from lexurn.minting.forms import CitationForms, MaskedText, read_form
from lexurn.minting.mentions import Span
from lexurn.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.minting.elements import CitationForm

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


def _mix(texts: list[tuple[str, str, str]], chance: random.Random) -> Iterator[str]:
    """Put words of one citation behind, before or among those of another."""
    for code, language, text in texts:
        alike = [each for *where, each in texts if where == [code, language]]
        words, others = text.split(" "), chance.choice(alike).split(" ")
        at, start = chance.randrange(len(words) + 1), chance.randrange(len(others))
        yield " ".join((*words[:at], *others[start:], *chance.choice(((), words[at:]))))


@cache
def _make_forms(code: str, language: str = "") -> CitationForms:
    law = load_registry().law(code)
    return CitationForms(load_registry().words(language or law.languages[0]), law)


def test_the_form_of_a_citation_is_that_of_all_like_it() -> None:
    """A form is read once, with stand-ins for all numbers of a kind and words without a meaning."""
    listed = _list_citations()
    mixed = zip(listed, _mix(listed, random.Random(9676)), strict=True)
    some = islice(mixed, None, None, one_in(3))
    for code, language, text in (*listed, *((*where, each) for (*where, _), each in some)):
        forms = _make_forms(code, language)
        own, masked = read_form.__wrapped__(text, forms, frozenset()), forms.mask(text)
        form = read_form.__wrapped__(masked.text, forms, frozenset())
        assert _locate(form, masked) == _locate(own, MaskedText(text, text, len(text))), text


def _locate(form: CitationForm, masked: MaskedText) -> list[object]:
    """Return the places of a form in the citation that a text with stand-ins was made of."""
    return [
        {name: masked.locate(*span) for name, span in form.found.items()},
        [[(label, at and masked.locate(*at)) for label, at in each] for each in form.levels],
        form.year and masked.locate(*form.year),
        [
            (note.code, masked.locate(*note.span), *[_locate_value(v, masked) for v in note.values])
            for note in form.notes
        ],
    ]


def _locate_value(value: Span | str, masked: MaskedText) -> object:
    return masked.locate(*value) if isinstance(value, Span) else value


@pytest.mark.parametrize(
    ("code", "text", "form"),
    [
        (
            "fr",
            "Loi n° 2019-222 du 23 mars 2019 relative à la réforme pour la justice",
            "Loi n° 1999-999 du 19 mars 1999 relative qqqqqq",
        ),
        (
            "fr",
            "Loi relative à la pêche et à la loi du 3 mai 2001 (JO)",
            "Loi relative qqqqqq et à la loi du 3 mai 1999 (JO)",
        ),
        ("it", "Legge regionale toscana 3 maggio 2001", "Legge regionale toscana 9 maggio 1999"),
        ("fr", "Loi « Informatique » n° 78-17", "Loi « Informatique » n° 99-19"),
        ("it", "Decreto presidente regione", "Decreto presidente regione"),
        (
            "de",
            "Schreiben des Bundesministerium des Innern, für Bau und Heimat 4 Mai 2014",
            "Schreiben des Bundesministerium des Innern, für Bau und Heimat 9 Mai 1999",
        ),
        ("cz", "Zákon č. 500/2004 Sb., správní řád", "Zákon č. 999/1999 Sb., správní řád"),
    ],
)
def test_words_with_a_meaning_stay_in_the_form(code: str, text: str, form: str) -> None:
    assert _make_forms(code).mask(text).text == form
