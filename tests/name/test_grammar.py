"""The grammar reading against section 8 written once more as a pattern (name_oracle.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from name_oracle import accepts
from strategies import name_texts, near_names

from lexurn.name import check

BASES = (
    "urn:lex:it:stato:legge:2006-05-14;22",
    (
        "urn:lex:eu;a:c;d+e:m;s:2006-05-14|3-a,2007-01-02;2,b(1):t;u:v@2008-03-12;2009-01-01|y;e:ita-abc"
        "$a.it;x:text-xml;1:p;q:f~art1;p"
    ),
    "urn:lex:de:m%C3%BCnchen:l:14.x;lex-3@originale:de$a-b.it:c?+r?=q#f",
)
EDITS = ":;@$+,~|*!/?#.-_'=()%&\"<[ \n\0à0aZ"


def _edited(text: str) -> set[str]:
    """All texts that are one character away from a text: replaced, inserted, dropped, cut off."""
    places = range(len(text) + 1)
    return {
        *(text[:at] + edit + text[at + 1 :] for at in places for edit in EDITS),
        *(text[:at] + edit + text[at:] for at in places for edit in EDITS),
        *(text[:at] + text[at + 1 :] for at in places),
        *(text[:at] for at in places),
    }


@pytest.mark.parametrize("base", BASES)
def test_near_misses_are_judged_as_by_the_grammar(base: str) -> None:
    texts = _edited(base)
    assert [text for text in texts if check(text, "grammar").valid != accepts(text)] == []
    assert {accepts(text) for text in texts} == {True, False}


@pytest.mark.parametrize("base", BASES)
def test_an_edit_is_found_where_it_is_or_behind_the_element_before(base: str) -> None:
    for at, sign in ((at, sign) for at in range(8, len(base)) for sign in ' "<\0'):
        text = base[:at] + sign + base[at:]
        start = check(text, "grammar").errors[0].start
        element = max(text.rfind(separator, 0, at) for separator in ":;,+@$~|?#=")
        assert element < start <= at or start == element, text


@given(name_texts() | name_texts(reading="grammar") | near_names() | st.text())
def test_all_texts_are_judged_as_by_the_grammar(text: str) -> None:
    assert check(text, "grammar").valid == accepts(text)
