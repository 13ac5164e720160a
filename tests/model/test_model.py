"""Families: what belongs together, what is filled in, what is refused."""

from __future__ import annotations

import dataclasses
import datetime as dt
import pickle

import pytest
from version_cases import record_of

from lexurn.model import (
    Chain,
    ChainVersion,
    Current,
    Family,
    LanguageText,
    ModelError,
    Record,
    Source,
    families_of,
    family_of,
    is_original,
)
from lexurn.model import family as family_module
from lexurn.name import Severity, parse

LAW = "urn:lex:it:stato:legge:2003-09-21;456"
CODE = "urn:lex:it:stato:codice;ambiente:2003-09-21;456"
DECREE = "urn:lex:it:stato:decreto:2003-10-01;7"


def texts(names):
    return [str(name) for name in names]


def refused(*rows):
    with pytest.raises(ModelError) as caught:
        family_of(rows)
    return caught.value


def test_a_single_act_is_a_family():
    record = record_of(LAW, published="2003-10-06")
    family = family_of([record])
    assert family.key == parse(LAW)
    assert family.records == (record,)
    assert family.record(parse(LAW)) is record
    assert family.record(parse(DECREE)) is None
    assert family.canonical(parse(LAW)) == parse(LAW)
    assert family.children(parse(LAW)) == ()
    assert (family.chains, family.findings) == ((), ())
    assert (dict(family.aliases), dict(family.computed_aliases)) == ({}, {})


def test_what_is_above_a_name_is_filled_in():
    name = f"{LAW}:allegato.1:tabella.2@originale:it$parlamento.it:text-html~art1;par2"
    family = family_of([record_of(name)])
    assert texts(record.name for record in family.records) == [
        LAW,
        f"{LAW}:allegato.1",
        f"{LAW}:allegato.1:tabella.2",
        f"{LAW}:allegato.1:tabella.2@originale:it",
        f"{LAW}:allegato.1:tabella.2@originale:it$parlamento.it:text-html",
        f"{LAW}:allegato.1:tabella.2@originale:it$parlamento.it:text-html~art1",
        name,
    ]
    assert family.record(parse(LAW)) == Record(name=parse(LAW))
    assert texts(family.children(parse(LAW))) == [f"{LAW}:allegato.1"]


def test_a_version_is_never_invented_from_one_with_a_language():
    family = family_of([record_of(f"{LAW}@originale:it")])
    assert family.record(parse(f"{LAW}@originale")) is None


def test_canonical_names_and_what_is_above_them_are_filled_in():
    family = family_of([record_of(f"{CODE}@vigente", alias_of=f"{LAW}@2005-01-01:it")])
    assert texts(record.name for record in family.records) == [
        CODE,
        f"{CODE}@vigente",
        LAW,
        f"{LAW}@2005-01-01:it",
    ]
    assert family.key == parse(LAW)


@pytest.mark.parametrize(
    ("rows", "key"),
    [
        ([(LAW, None), (CODE, LAW)], LAW),
        ([(CODE, None), (LAW, CODE)], CODE),
        ([(f"{LAW}@a", f"{CODE}@b")], CODE),
        ([(LAW, f"{DECREE}:allegato.1")], DECREE),
        ([(f"{LAW}@a", f"{CODE}@a"), (f"{CODE}@b", f"{LAW}@b")], CODE),
        ([(f"{LAW}~art1", f"{CODE}~art2")], CODE),
    ],
)
def test_the_key_is_the_act_that_aliases_lead_to(rows, key):
    records = [record_of(urn, **({"alias_of": target} if target else {})) for urn, target in rows]
    assert family_of(records).key == parse(key)


def test_acts_are_one_family_through_any_alias_under_them():
    linked = [
        record_of(f"{LAW}@originale:it"),
        record_of(f"{CODE}:allegato.1$a.it:text-html", alias_of=f"{LAW}:allegato.1$a.it:text-html"),
        record_of(DECREE),
    ]
    assert texts(family.key for family in families_of(linked)) == [DECREE, LAW]


def test_twins_and_amending_acts_do_not_join_families():
    rows = [
        record_of(LAW, also_named=[CODE]),
        Record(name=parse(f"{LAW}@2005-01-01"), amended_by=(parse(DECREE),)),
        record_of(CODE),
    ]
    assert texts(family.key for family in families_of(rows)) == [CODE, LAW]


def test_no_records_are_no_families():
    assert families_of([]) == ()
    assert refused().finding.code == "LX606"


def test_many_acts_joined_in_a_row_are_one_family():
    star = [record_of(f"{LAW}{number}", alias_of=LAW) for number in range(2_000)]
    (family,) = families_of(star)
    assert len(family.records) == 2_001
    assert family.key == parse(LAW)


def test_annexes_a_thousand_deep():
    deep = LAW + ":a" * 1_500
    family = family_of([record_of(deep), record_of(CODE, alias_of=LAW)])
    assert len(family.records) == 1_502
    assert texts(family.children(parse(deep).parent)) == [deep]


def test_a_row_stated_twice_alike_counts_once_and_the_first_line_stays():
    twice = [
        Record(name=parse(LAW), source=Source(file="acts.csv", line=line)) for line in (9, 2, 5)
    ]
    assert family_of(twice).records[0].source == Source(file="acts.csv", line=2)
    assert family_of([Record(name=parse(LAW)), *twice]).records[0].source.line == 2


def test_a_name_described_twice_differently():
    error = refused(
        dataclasses.replace(record_of(LAW), source=Source(file="acts.csv", line=2)),
        dataclasses.replace(
            record_of(LAW),
            titles=(LanguageText(value="Legge", language="it"),),
            source=Source(file="acts.csv", line=7),
        ),
    )
    assert error.finding.code == "LX601"
    assert error.finding.severity is Severity.ERROR
    assert texts(error.finding.names) == [LAW]
    assert "acts.csv:2 and acts.csv:7" in str(error)
    assert "with different title;" in str(error)


@pytest.mark.parametrize(
    ("alias", "canonical"),
    [
        (LAW, f"{CODE}@originale"),
        (f"{LAW}@originale", CODE),
        (f"{LAW}@originale", f"{CODE}$a.it:text-html"),
        (f"{LAW}~art1", CODE),
        (f"{LAW}@a~art1", f"{CODE}@a"),
    ],
)
def test_an_alias_across_levels(alias, canonical):
    error = refused(record_of(alias, alias_of=canonical))
    assert error.finding.code == "LX604"
    assert texts(error.finding.names) == [alias, canonical]


def test_a_chain_of_aliases_is_told_where_to_point():
    error = refused(record_of(CODE, alias_of=DECREE), record_of(DECREE, alias_of=LAW))
    assert error.finding.code == "LX602"
    assert f"alias_of {LAW}" in str(error)


@pytest.mark.parametrize("length", [1, 2, 3, 500])
def test_a_loop_of_aliases(length):
    loop = [record_of(f"{LAW}{n}", alias_of=f"{LAW}{(n + 1) % length}") for n in range(length)]
    assert refused(*loop).finding.code == "LX603"


def test_too_many_names(monkeypatch):
    monkeypatch.setattr(family_module, "_MAX_NAMES", 3)
    rows = [record_of(f"{LAW}@{year}-01-01") for year in (2001, 2002)]
    assert len(family_of(rows).records) == 3
    error = refused(*rows, record_of(f"{LAW}@2003-01-01"))
    assert error.finding.code == "LX605"
    assert "4 names" in str(error)


def test_an_error_can_go_to_another_process():
    error = refused(record_of(LAW, alias_of=LAW))
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error)
    assert again.finding == error.finding


def test_two_stars_over_one_thing_are_a_warning():
    rows = [
        record_of(CODE, alias_of=LAW),
        record_of(f"{DECREE}@x", alias_of=f"{LAW}@2005-01-01"),
        record_of(f"{DECREE}@y", alias_of=f"{CODE}@2005-01-01"),
    ]
    family = family_of(rows)
    (finding,) = family.findings
    assert (finding.code, finding.severity) == ("LX615", Severity.WARNING)
    assert texts(finding.names) == [f"{LAW}@2005-01-01", f"{CODE}@2005-01-01"]
    (chain,) = family.chains
    assert texts(version.name for version in chain.versions) == [f"{LAW}@2005-01-01"]
    assert len(chain.versions[0].names) == 4


def test_findings_name_the_records_to_mend():
    rows = [
        record_of(f"{LAW}@originale", in_force_until="2006-01-01"),
        record_of(f"{LAW}@2005-01-01"),
    ]
    (finding,) = family_of(rows).findings
    assert texts(finding.names) == [f"{LAW}@originale", f"{LAW}@2005-01-01"]
    assert "in_force_until" in finding.message
    assert "until 2006-01-01" in finding.message


def test_families_are_immutable():
    family = family_of([record_of(CODE, alias_of=LAW)])
    with pytest.raises(dataclasses.FrozenInstanceError):
        family.key = parse(LAW)
    with pytest.raises(TypeError):
        family.aliases[parse(LAW)] = parse(CODE)
    assert hash(family) == hash(family_of(family.records))


def test_a_family_goes_to_another_process_with_its_sources():
    record = Record(name=parse(f"{LAW}@originale"), source=Source(file="acts.csv", line=4))
    family = pickle.loads(pickle.dumps(family_of([record])))
    assert isinstance(family, Family)
    assert family.record(record.name).source == record.source
    assert family.chains == family_of([record]).chains


def test_a_chain_answers_for_any_day():
    name = parse(f"{LAW}@originale")
    version = ChainVersion(name=name, names=(name,), start=dt.date.min)
    chain = Chain(work=parse(LAW), versions=(version,))
    assert chain.current(dt.date.min) == Current(version=name, since=dt.date.min)
    assert chain.current(dt.date.max) == Current(version=name, since=dt.date.min)
    assert pickle.loads(pickle.dumps(chain)).current(dt.date.max).version == name


@pytest.mark.parametrize("word", ["original", "originale", "originel", "origineel", "original;x"])
def test_words_for_the_original(word):
    assert is_original(parse(f"{LAW}@{word}").expression.version)


@pytest.mark.parametrize("word", ["originali.x", "2003-09-21", "vigente"])
def test_words_that_are_not(word):
    assert not is_original(parse(f"{LAW}@{word}").expression.version)
