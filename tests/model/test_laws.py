"""What holds for all records: families, aliases, chains."""

from __future__ import annotations

import datetime as dt
import pickle

from hypothesis import assume, given
from hypothesis import strategies as st
from strategies_model import days, records, tables

from lexurn.model import Record, Status, families_of, family_of
from lexurn.name import Level, parse

DAY = dt.timedelta(days=1)


@given(records(), st.randoms(use_true_random=False))
def test_the_order_of_the_records_does_not_matter(rows, random):
    family = family_of(rows)
    random.shuffle(rows)
    again = family_of(rows)
    assert again == family
    assert again.key == family.key
    assert again.chains == family.chains
    assert again.computed_aliases == family.computed_aliases
    assert again.findings == family.findings


@given(records())
def test_a_family_is_whole(rows):
    family = family_of(rows)
    held = [record.name for record in family.records]
    assert held == sorted(set(held))
    for row in rows:
        assert family.record(row.name) == row
    for record in family.records:
        wanted = {*record.name.ancestors(), *([record.alias_of] if record.alias_of else [])}
        assert wanted <= set(held)
    added = set(held) - {row.name for row in rows}
    assert all(family.record(name) == Record(name=name) for name in added)


@given(records())
def test_children_are_the_inverse_of_parents(rows):
    family = family_of(rows)
    for record in family.records:
        children = family.children(record.name)
        assert list(children) == sorted(children)
        assert all(child.parent == record.name for child in children)
    below = [child for record in family.records for child in family.children(record.name)]
    assert sorted(below) == [r.name for r in family.records if r.name.parent is not None]


@given(records())
def test_a_family_of_a_familys_records_is_that_family(rows):
    family = family_of(rows)
    assert family_of(family.records).chains == family.chains
    again = pickle.loads(pickle.dumps(family))
    assert again == family
    assert again.computed_aliases == family.computed_aliases


@given(records())
def test_aliases_are_stars_at_one_level(rows):
    family = family_of(rows)
    links = {**family.computed_aliases, **family.aliases}
    assert len(links) == len(family.computed_aliases) + len(family.aliases)
    for alias, canonical in links.items():
        assert canonical not in links
        assert alias.level == canonical.level
        assert family.canonical(alias) == canonical
        assert family.record(canonical) is not None
    for record in family.records:
        if record.name not in links:
            assert family.canonical(record.name) == record.name


@given(records())
def test_computed_aliases_differ_in_what_stands_above_them_alone(rows):
    family = family_of(rows)
    for alias in family.computed_aliases:
        assert alias.parent is not None
        assert alias.partition is None


@given(records())
def test_each_expression_is_in_one_version_of_one_chain(rows):
    family = family_of(rows)
    versions = [version for chain in family.chains for version in chain.versions]
    names = [name for version in versions for name in version.names]
    assert sorted(names) == [
        record.name
        for record in family.records
        if record.name.level is Level.EXPRESSION
        and record.name.partition is None
        and not all(
            each.status is Status.WITHDRAWN
            for each in family.records
            if family.canonical(each.name) == family.canonical(record.name)
        )
    ]
    for version in versions:
        assert version.name in version.names
        assert list(version.names) == sorted(version.names)


@given(records())
def test_chains_are_told_apart_by_work_and_language(rows):
    chains = family_of(rows).chains
    keys = [(str(chain.work), chain.language or "") for chain in chains]
    assert keys == sorted(set(keys))
    for chain in chains:
        assert chain.versions
        assert {version.name.expression.language for version in chain.versions} == {chain.language}


@given(records(), days())
def test_the_version_in_force_has_started_and_not_ended(rows, day):
    for chain in family_of(rows).chains:
        current = chain.current(day).version
        in_force = [
            version.name
            for version in chain.versions
            if (version.start or version.until)
            and (version.start is None or version.start <= day)
            and (version.until is None or day < version.until)
        ]
        assert current == (in_force[-1] if in_force else None)


@given(records(), days())
def test_asking_for_the_day_since_when_gives_the_same_answer(rows, day):
    for chain in family_of(rows).chains:
        current = chain.current(day)
        if current.since is None:
            assert chain.current(dt.date.min) == current
        else:
            assert current.since <= day
            assert chain.current(current.since) == current


SPANS = st.lists(st.tuples(st.none() | days(), st.none() | days()), min_size=1, max_size=6)


WORK = parse("urn:lex:it:stato:legge:2003-09-21;456")


def chain_of(spans):
    """The chain of versions that state any starts and ends."""
    records = [
        Record(
            name=parse(f"{WORK}@{number:04}-01-01"),
            in_force_from=start or dt.date(number, 1, 1),
            in_force_until=until,
        )
        for number, (start, until) in enumerate(spans, start=1)
    ]
    (chain,) = family_of(records).chains
    return chain


@given(SPANS, days())
def test_each_day_has_one_version_that_is_in_force_by_its_own_span(spans, day):
    chain = chain_of(spans)
    in_force = [
        each.name
        for each in chain.versions
        if each.start <= day and (each.until is None or day < each.until)
    ]
    current = chain.current(day).version
    assert in_force == ([] if current is None else [current])


@given(SPANS, days())
def test_the_last_of_those_stated_to_begin_has_its_first_day(spans, day):
    # A version whose own end comes first replaces the one before it, and is never in force.
    assume(all(until is None or (start or day) < until for start, until in spans))
    chain = chain_of([(day if start is None else start, until) for start, until in spans])
    # One that a later version has replaced before its first day is never in force either.
    ended = [until is not None and until <= day for _, until in spans]
    begun = [
        each.name
        for index, (each, (start, _)) in enumerate(zip(chain.versions, spans, strict=True))
        if (start or day) == day and not any(ended[index:])
    ]
    if begun:
        current = chain.current(day).version
        assert current is not None
        assert str(current) >= str(begun[-1])


@given(SPANS, days())
def test_since_is_a_start_or_end_and_the_answer_was_another_before(spans, day):
    chain = chain_of(spans)
    current = chain.current(day)
    if current.since is None:
        return
    assert current.since in {day for each in chain.versions for day in (each.start, each.until)}
    if current.since > dt.date.min:
        assert chain.current(current.since - DAY).version != current.version


@given(SPANS, days(), days())
def test_since_changes_only_with_the_answer(spans, one, other):
    chain = chain_of(spans)
    earlier, later = chain.current(min(one, other)), chain.current(max(one, other))
    if earlier.since == later.since:
        assert earlier.version == later.version


@given(tables(), st.randoms(use_true_random=False))
def test_families_share_nothing_and_lose_nothing(rows, random):
    families = families_of(rows)
    held = [record.name for family in families for record in family.records]
    assert len(held) == len(set(held))
    assert {row.name for row in rows} <= set(held)
    assert [family.key for family in families] == sorted(family.key for family in families)
    random.shuffle(rows)
    assert families_of(rows) == families


@given(records())
def test_records_of_one_alias_set_are_one_family(rows):
    assert families_of(rows) == (family_of(rows),)
