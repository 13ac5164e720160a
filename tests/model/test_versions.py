"""Version chains, case by case, from the model's own values."""

from __future__ import annotations

import datetime as dt
from itertools import chain as chained

import pytest
from version_cases import CASES, FAULTY, SOUND, records_of

from lexurn.model import ModelError, families_of

sound = pytest.mark.parametrize("case", SOUND, ids=[case["id"] for case in SOUND])


def chains_of(case):
    families = families_of(records_of(case))
    chains = chained.from_iterable(family.chains for family in families)
    return {(str(chain.work), chain.language): chain for chain in chains}


def span_of(version):
    start, until = (day and day.isoformat() for day in (version.start, version.until))
    return [start, version.start_basis, until, version.until_basis]


def test_there_are_cases_enough_each_with_its_own_name():
    assert len(CASES) >= 60
    assert len({case["id"] for case in CASES}) == len(CASES)


@sound
def test_chains_and_their_order(case):
    expected = {
        (chain["work"], chain["language"]): [
            (names[0], tuple(sorted(names))) for names in chain["versions"]
        ]
        for chain in case["chains"]
    }
    found = {
        key: [(str(version.name), tuple(map(str, version.names))) for version in chain.versions]
        for key, chain in chains_of(case).items()
    }
    assert found == expected


@sound
def test_first_and_last(case):
    chains = chains_of(case)
    for expected in case["chains"]:
        chain = chains[expected["work"], expected["language"]]
        earliest = expected["versions"][0][0]
        assert (chain.first and str(chain.first.name)) == expected.get("first", earliest)
        assert str(chain.earliest.name) == earliest
        assert str(chain.last.name) == expected["versions"][-1][0]


@sound
def test_spans_and_their_sources(case):
    chains = chains_of(case)
    for expected in case["chains"]:
        if "spans" in expected:
            chain = chains[expected["work"], expected["language"]]
            assert list(map(span_of, chain.versions)) == expected["spans"]


@sound
def test_what_is_in_force(case):
    chains = chains_of(case)
    for expected in case["chains"]:
        chain = chains[expected["work"], expected["language"]]
        for day, answer in expected["current"].items():
            current = chain.current(dt.date.fromisoformat(day))
            version = current.version and str(current.version)
            since = current.since and current.since.isoformat()
            assert [version, since] == answer, day


@sound
def test_aliases_stated_and_computed(case):
    pairs = set()
    for family in families_of(records_of(case)):
        assert not family.aliases.keys() & family.computed_aliases.keys()
        for links in (family.aliases, family.computed_aliases):
            pairs |= {(str(alias), str(canonical)) for alias, canonical in links.items()}
        same = {(str(alias), str(canonical)) for alias, canonical in family.same.items()}
        assert pairs - same == {pair for pair in pairs if pair[0] in case.get("replaced", ())}
    assert pairs == set(map(tuple, case["same_as"]))


@sound
def test_findings(case):
    families = families_of(records_of(case))
    codes = [finding.code for family in families for finding in family.findings]
    assert sorted(codes) == sorted(case["findings"])


@pytest.mark.parametrize("case", FAULTY, ids=[case["id"] for case in FAULTY])
def test_faults(case):
    with pytest.raises(ModelError, match=case["error"]) as caught:
        families_of(records_of(case))
    assert caught.value.finding.code == case["error"]
    assert set(caught.value.finding.names) & {str(record.name) for record in records_of(case)}
