"""The resolver and what would hang or fool it: loops of aliases, crowds, long and hostile texts."""

from __future__ import annotations

import datetime as dt
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest

from lexurn.catalogue import MemoryHoldings
from lexurn.minting import drop_year
from lexurn.model import Item, Record, families_of
from lexurn.name import LONGEST_NAME, check, parse
from lexurn.resolver import Match, resolution, resolve
from lexurn.resolver.readings import clean_text, read_loosely

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from lexurn.resolver import Answer

_ACT = "urn:lex:it:stato:legge:2003-09-21;456"
_CROWD = 100_000


def _act(number: int) -> str:
    return f"urn:lex:it:stato:legge:2003-09-21;{number}"


def _codes(answer: Answer) -> set[str]:
    return {reason.code for reason in answer.all_reasons()}


class _Crowd(MemoryHoldings):
    """A bucket of very many acts with one number and date."""

    def __init__(self, acts: Sequence[str], held: Sequence[str]) -> None:
        super().__init__(families_of(Record(name=parse(act)) for act in held))
        self.acts = acts

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        assert (jurisdiction, number, year) == ("it", "456", "2003")
        return self.acts


def _comune(number: int) -> str:
    letters = "".join("abcdefghij"[int(digit)] for digit in f"{number:05}")
    return f"urn:lex:it:comune.{letters}villa:delibera:2003-09-21;456"


def test_one_is_found_in_a_crowd() -> None:
    acts = [_comune(number) for number in range(_CROWD)]
    wanted = _comune(4_711)
    answer = resolve(wanted.replace("comune", "comuen"), _Crowd(acts, acts[4_700:4_720]))
    assert answer.match is Match.PARTIAL
    assert wanted in {str(each.name) for each in answer.candidates}


def test_of_a_crowd_with_equal_claims_a_thousand_are_given_and_that_is_said() -> None:
    acts = [_comune(number) for number in range(_CROWD)]
    answer = resolve("urn:lex:it:delibera:2003-09-21;456", _Crowd(acts, acts[:1_000]))
    assert [str(each.name) for each in answer.candidates] == sorted(acts[:1_000])
    assert "LX959" in _codes(answer)
    assert "100,000 names of acts" in answer.reasons[0].message


def test_of_a_crowd_of_others_a_few_are_named() -> None:
    acts = [_comune(number) for number in range(_CROWD)]
    answer = resolve(_ACT, _Crowd(acts, ()))
    assert answer.match is Match.NONE
    assert "99,995 more" in answer.reasons[0].message


@pytest.mark.parametrize(
    "text",
    [
        _ACT + "," + "1," * 4_000 + "1",
        "urn:lex:it:" + "a.b+" * 2_000 + "c:legge:2003-09-21;456",
        "urn:lex:it:" + "a;" * 4_000 + "c:legge:2003-09-21;456",
        "urn:lex:it:" + "a." * 4_000 + "c:legge:2003-09-21;456",
        "urn:lex:it;" + "a;" * 4_000 + "c:stato:legge:2003-09-21;456",
        "urn:lex:it:stato:" + "a" * 8_000 + ":2003-09-21;456",
        "urn:lex:it:stato:legge:" + "2003-09-21," * 700 + "2003-09-21;456",
        _ACT + ":a" * 4_000,
        _ACT + "@2003-01-01" + ";2003-01-01" * 700,
        _ACT + "~" + "a;" * 4_000 + "a",
        _ACT + "$a.it:text-html" + ";a" * 4_000,
        ":" * LONGEST_NAME,
        "urn:" * 2_000,
        "urn:lex:it" + ";" * 8_000,
        "(" * 8_000,
        " " * 8_000 + ":",
    ],
)  # fmt: skip
def test_names_of_eight_thousand_characters_have_an_answer(text: str) -> None:
    assert len(text) <= LONGEST_NAME + 1
    holdings = MemoryHoldings(families_of([Record(name=parse(_ACT))]))
    answer = resolve(text[:LONGEST_NAME], holdings)
    assert answer.text == text[:LONGEST_NAME]
    assert bool(answer.candidates) is (answer.match is not Match.NONE)


def test_a_long_partition_is_looked_for_as_far_as_it_is_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(resolution, "check", lambda text: (asked.append(text), check(text))[1])
    holdings = MemoryHoldings(families_of([Record(name=parse(f"{_ACT}~a;a"))]))
    answer = resolve(f"{_ACT}~{'a;' * 4_000}a", holdings)
    assert answer.candidates[0].documents[0].partition == "a;a"
    assert len(asked) < 20


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (clean_text, f"a{' ' * 200_000}b"),
        (lambda text: list(read_loosely(text)), f"urn:lex:it:{'1-' * 100_000}"),
        (lambda text: drop_year(text, {"2003"}), "1" * 300_000),
    ],
)
def test_what_texts_are_read_by_takes_as_long_as_they_are(
    read: Callable[[str], object], text: str
) -> None:
    assert read(text) is not None


def test_longer_names_are_refused() -> None:
    answer = resolve(_ACT + "a" * LONGEST_NAME, MemoryHoldings(()))
    assert (answer.match, _codes(answer)) == (Match.NONE, {"LX958"})
    assert "8,192" in answer.reasons[0].message


@pytest.mark.parametrize(
    "url",
    [
        "ftp://archive.example/456.txt",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "data:text/html,456",
        "HTTPS:456",
        "https://law.example/a b",
        'https://law.example/"><script>',
        "https://law.example/456\n",
        "//law.example/456",
        "456.html",
        "",
    ],
)
def test_only_http_addresses_are_given_out(url: str) -> None:
    items = (Item(url=url), Item(url="HTTP://law.example/456"))
    holdings = MemoryHoldings(families_of([Record(name=parse(_ACT), items=items)]))
    answer = resolve(f"{_ACT}~art3", holdings)
    assert answer.urls == ("HTTP://law.example/456#art3",)
    assert "LX955" in _codes(answer)


def test_a_copy_of_a_partition_is_given_out_by_http_only() -> None:
    part = Record(name=parse(f"{_ACT}~art3"), items=(Item(url="ftp://archive.example/art3"),))
    answer = resolve(f"{_ACT}~art3", MemoryHoldings(families_of([part])))
    assert answer.match is Match.EXACT
    assert "LX955" in _codes(answer)
    assert answer.urls == ()


def test_what_is_held_under_no_name_of_its_own_is_left_out() -> None:
    holdings = _Crowd([_ACT, "urn:lex:it:stato:legge", "no name", ""], ())
    assert resolve("urn:lex:it:stato:lege:2003-09-21;456", holdings).match is Match.NONE


def test_today_is_the_day_where_none_is_given() -> None:
    before = dt.datetime.now(tz=dt.UTC).date()
    answer = resolve(_ACT, MemoryHoldings(()))
    assert before <= answer.date <= dt.datetime.now(tz=dt.UTC).date()


def test_there_is_no_such_dialect() -> None:
    with pytest.raises(ValueError, match="klingon"):
        resolve(_ACT, MemoryHoldings(()), dialect="klingon")


def test_a_name_may_be_given_for_its_text() -> None:
    holdings = MemoryHoldings(families_of([Record(name=parse(_ACT))]))
    assert resolve(parse(f"{_ACT}?=a=b"), holdings) == replace(resolve(_ACT, holdings))
