"""The state of force that a publisher states: each surface says the same, read back."""

from __future__ import annotations

import datetime as dt
import re
from typing import NamedTuple

import pytest
from lxml import html

from lexurn.catalogue import MemoryHoldings
from lexurn.graph import nquads_of
from lexurn.model import Family, LegalForce, Record, family_of
from lexurn.name import parse
from lexurn.pages import describe, head
from lexurn.resolver import resolve
from lexurn.store import query, ready
from lexurn.store.embedded import EmbeddedStore

ACT = "urn:lex:it:stato:legge:2000-01-01;1"
FIRST, SECOND = f"{ACT}@original:it", f"{ACT}@2005-01-01:it"
Stated = dict[str, str]


class Case(NamedTuple):
    """Columns of the act and of its second version; a day; and what is said of each then.

    ``states`` are those of the act, its first and its second version: in, partly, not or unknown.
    """

    act: Stated
    version: Stated
    day: str
    states: str
    notice: str


IN, PARTLY = {"force": "in-force"}, {"force": "partly-in-force"}
NOT, GONE = {"force": "not-in-force"}, {"force": "repealed"}
ON = {"force_on": "2010-01-01"}
CASES = {
    "nothing": Case({}, {}, "2020-01-01", "? ? ?", "Latest known version, from 1 January 2005"),
    "act in force": Case(IN, {}, "2020-01-01", "in not in", "In force since 1 January 2005"),
    "act in force, earlier": Case(
        IN, {}, "2004-01-01", "in in not", "Not yet in force; enters into force on"
    ),
    "act partly": Case(
        PARTLY, {}, "2020-01-01", "partly not partly", "Partly in force since 1 Jan"
    ),
    "act not": Case(NOT, {}, "2020-01-01", "not not not", "Not in force."),
    "act repealed": Case(GONE, {}, "2020-01-01", "not not not", "Repealed."),
    "repealed on": Case(
        GONE | ON, {}, "2020-01-01", "not not not", "No longer in force since 1 Ja"
    ),
    "before that": Case(GONE | ON, {}, "2009-12-31", "in not in", "In force since 1 January 2005"),
    "version in force": Case({}, IN, "2020-01-01", "in ? in", "In force since 1 January 2005"),
    "version partly": Case({}, PARTLY, "2020-01-01", "partly ? partly", "Partly in force since 1"),
    "version partly on": Case(
        {}, PARTLY | ON, "2020-01-01", "partly ? partly", "Partly in force since 1 January 2010."
    ),
    "version not": Case({}, NOT, "2020-01-01", "? ? not", "Not in force."),
    "version repealed on": Case({}, GONE | ON, "2020-01-01", "? ? not", "Repealed since 1 January"),
    "a state against dates": Case(
        IN, {"in_force_until": "2010-01-01"}, "2020-01-01", "in not not", "No longer in force since"
    ),
    "a state of the version against its end": Case(
        {}, IN | {"in_force_until": "2010-01-01"}, "2020-01-01", "? ? in", "In force."
    ),
    "a later end": Case(
        {},
        IN | {"force_on": "2005-01-01", "in_force_until": "2010-01-01"},
        "2020-01-01",
        "? ? not",
        "No longer in force since 1 January 2010.",
    ),
    "a version in force of a repealed act": Case(GONE, IN, "2020-01-01", "not not in", "In force."),
}


def _record(text: str, columns: Stated) -> Record:
    values: dict[str, object] = {
        key: LegalForce(value) if key == "force" else dt.date.fromisoformat(value)
        for key, value in columns.items()
    }
    return Record(name=parse(text), **values)


def _family(case: Case) -> Family:
    return family_of([_record(ACT, case.act), _record(FIRST, {}), _record(SECOND, case.version)])


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_each_surface_says_the_same(case: Case) -> None:
    family, day = _family(case), dt.date.fromisoformat(case.day)
    words = {"partiallyinforce": "partly", "inforce": "in", "notinforce": "not"}
    for text, expected in zip((ACT, FIRST, SECOND), case.states.split(), strict=True):
        tags = head(parse(text), family, base="https://law.example", as_of=day)
        for pattern in (r"InForce-(\w+)", r"schema\.org/(\w*InForce)"):
            found = [words[each.lower()] for each in re.findall(pattern, tags)]
            assert found == ([] if expected == "?" else [expected]), (text, pattern)
    page = html.fromstring(describe(family, parse(SECOND), "html", as_of=day, language="en"))
    assert case.notice in page.text_content()
    answer = resolve(SECOND, MemoryHoldings((family,)), date=day)
    (edition,) = answer.candidates[0].editions
    assert edition.in_force == {"?": None, "not": False}.get(case.states.split()[2], True)
    store = EmbeddedStore(None, write=True)
    store.fill(nquads_of(family, as_of=day))
    acts = query(store, ready("acts-in-force", jurisdiction="it", date=day))
    # A state that is not known counts as in force from the date of the act.
    is_listed = case.states.split()[0] != "not"
    assert [row[0].value for row in acts] == [ACT] * is_listed
    store.close()


@pytest.mark.parametrize(("day", "is_listed"), [("1900-01-01", False), ("2003-09-21", True)])
def test_an_undated_state_does_not_hold_before_the_act(day: str, *, is_listed: bool) -> None:
    store = EmbeddedStore(None, write=True)
    store.fill(nquads_of(family_of([_record(ACT, IN)]), as_of=dt.date(2020, 1, 1)))
    acts = query(store, ready("acts-in-force", jurisdiction="it", date=dt.date.fromisoformat(day)))
    assert [row[0].value for row in acts] == [ACT] * is_listed
    store.close()


LATEST = (
    "Latest known version, from 1 January 2005 (amendment date; no other date is stated): "
    "version of 1 January 2005, in Italian."
)


@pytest.mark.parametrize(
    ("act", "version", "sentence"),
    [
        (
            {"in_force_from": "2000-05-02"},
            {},
            "In force since 2 May 2000. Current version since 1 January 2005 (amendment date).",
        ),
        (IN, {}, "In force. Current version since 1 January 2005 (amendment date)."),
        ({}, {"in_force_from": "2005-03-01"}, "In force. Current version since 1 March 2005."),
        ({"in_force_from": "2005-01-01"}, {}, "In force since 1 January 2005."),
        (
            PARTLY | ON | {"in_force_from": "2000-02-01"},
            {"in_force_from": "2005-03-01"},
            "Partly in force since 1 January 2010. Current version since 1 March 2005.",
        ),
        (
            {},
            {},
            LATEST,
        ),
    ],
)
def test_an_act_and_its_current_version_begin_apart(
    act: Stated, version: Stated, sentence: str
) -> None:
    family = _family(Case(act, version, "2020-01-01", "", ""))
    page = describe(family, parse(ACT), "html", base="https://law.example", language="en")
    assert html.fromstring(page).find(".//div[@class]/p").text == sentence
