"""The grammar reading against section 8 written once more as a pattern (name_oracle.py)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from name_oracle import accepts
from strategies import name_texts, near_names

from lexurn.name import check, is_language_tag
from lexurn.name.characters import ALF_DOT, ALF_DOT_HYP, ALF_DOT_OTH
from lexurn.name.grammar import has_outline

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


@pytest.mark.parametrize(
    ("tag", "codes"),
    [
        ("qaa", ["LX207"]),  # the first tag of a range for private use, and the last
        ("qtz", ["LX207"]),
        ("qua", []),
        ("x-a", ["LX204"]),  # a tag for private use as a whole
        ("x-house-1", ["LX204"]),
        ("de-x-a", ["LX204"]),
        ("de-qaaa", ["LX204"]),  # scripts and regions have ranges too
        ("de-qabx", ["LX204"]),
        ("de-qaby", ["LX204", "LX206"]),
        ("de-qm", ["LX204"]),
        ("de-ql", ["LX204", "LX206"]),
        ("de-xz", ["LX204"]),
    ],
)
def test_ranges_for_private_use_hold_their_first_and_last_tag(tag: str, codes: list[str]) -> None:
    found = check(f"urn:lex:it:stato:legge:2003-09-21;456@originale:{tag}").findings
    assert [each.code for each in found] == codes
    assert is_language_tag(tag)


@pytest.mark.parametrize("tag", ["x", "x-", "x-abcdefghi", "de-x", "xx-"])
def test_a_private_use_tag_needs_subtags_of_one_to_eight_characters(tag: str) -> None:
    assert not is_language_tag(tag)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("\x1f", "LX110"),
        ("%1F", "LX106"),
        ("\x7f", "LX110"),  # DEL
        ("%7F", "LX106"),
        ("\x80", "LX110"),
        ("%C2%9F", "LX106"),
        ("%7E", "LX108"),
        ("%C2%A0", "LX111"),
    ],
)
def test_control_characters_are_refused_raw_and_encoded(written: str, code: str) -> None:
    found = check(f"urn:lex:it:stato:a{written}b:2003-09-21;456").findings
    assert [each.code for each in found] == [code]


def test_all_signs_that_a_part_allows_are_in_the_outline() -> None:
    signs = "".join(sorted(ALF_DOT.signs | ALF_DOT_HYP.signs | ALF_DOT_OTH.signs))
    assert has_outline(
        f"URN:lex:aZ09é:a%41;b+c:d:2003-02-29|{signs},2003-01-01;{signs}:e@0000-02-29"
    )
    assert has_outline("urn:lex:it:a:b:c;1~@2003-02-30$;:é#/")


@pytest.mark.parametrize(
    "text",
    [
        "urn:lex:it:stato:legge:2003-02-30;456",
        "urn:lex:it:stato:legge:2003-21-09|3;456@2003-02-28",
        "urn:lex:it:stato:legge:2003-02-28;456@2003-04-31;c:it",
        "urn:lex:it:stato:legge:2003-02-28;4/56",
        "urn:lex:it:stato:legge:2003-02-28",
        "urn:lex:it:stato:2003-02-28;456",
        "urn:lex:it:stato::2003-02-28;456",
    ],
)
def test_texts_without_the_outline_of_a_name_are_invalid(text: str) -> None:
    assert not has_outline(text)
    assert check(text).errors
