"""Laws of labels: every name has one in every language, the same each time, with nothing unseen."""

from __future__ import annotations

import unicodedata

from hypothesis import given
from hypothesis import strategies as st
from strategies import languages, names

from lexurn.labels import make_label
from lexurn.name import Name, parse
from lexurn.registry import load_registry

TAGS = st.none() | st.sampled_from(load_registry().languages()) | languages() | st.text(max_size=5)


@given(names(), TAGS)
def test_every_name_has_a_label_in_every_language(name: Name, tag: str | None) -> None:
    labelled = make_label(name, tag)
    assert labelled == make_label(parse(str(name)), tag)
    assert labelled.text == labelled.text.strip() != ""
    assert labelled.language in load_registry().languages()
    for each in labelled.text:
        assert unicodedata.category(each) not in {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    for found in labelled.findings:
        assert found.message
        assert found.severity == "note"


@given(names(), st.sampled_from(load_registry().languages()))
def test_a_label_is_in_the_language_asked_for(name: Name, tag: str) -> None:
    labelled = make_label(name, tag)
    fell_back = [found for found in labelled.findings if found.code == "LX790"]
    assert (labelled.language == tag) is (not fell_back)


@given(names(), st.sampled_from(load_registry().languages()))
def test_numbers_are_in_the_label(name: Name, tag: str) -> None:
    details = name.work.details
    text = make_label(name, tag).text.replace(".", "")
    for number in () if details.is_lex_number else details.numbers:
        if number.isalnum():
            assert number in text
