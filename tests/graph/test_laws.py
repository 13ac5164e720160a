"""Laws of the graph room, over records of all kinds."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import names
from strategies_model import days, records, tables

from lexurn.graph import (
    Format,
    Layer,
    Statements,
    find_as_of,
    nquads_of,
    read,
    records_of,
    statements_of,
    write,
)
from lexurn.graph.layers import classify_name
from lexurn.graph.statements import format_text, parse_literal
from lexurn.model import families_of, family_of

bases = st.sampled_from([None, "https://law.example"])
formats = st.sampled_from(list(Format))


def graph_again(statements, base):
    """Graph -> model -> graph, by nothing but the graph itself."""
    day = find_as_of(statements)
    families = families_of(records_of(statements))
    return Statements.union(statements_of(each, as_of=day, base=base) for each in families)


@given(records(), days(), bases)
def test_graph_to_model_to_graph_is_the_identity(stated, day, base):
    statements = statements_of(family_of(stated), as_of=day, base=base)
    assert graph_again(statements, base) == statements


@given(records(), days(), bases)
def test_so_it_is_when_the_layers_are_merged(stated, day, base):
    statements = statements_of(family_of(stated), as_of=day, base=base)
    merged = Statements(catalogued=statements.merged)
    assert graph_again(merged, base).merged == merged.merged


@given(records(), days())
def test_model_to_graph_to_model_is_the_identity(stated, day):
    family = family_of(stated)
    assert records_of(statements_of(family, as_of=day)) == family.records


@given(tables(), days())
def test_several_families_are_read_back_as_one_graph(stated, day):
    families = families_of(stated)
    statements = Statements.union(statements_of(each, as_of=day) for each in families)
    assert families_of(records_of(statements)) == families


@given(records(), days(), bases)
def test_the_bulk_path_writes_the_same_bytes(stated, day, base):
    family = family_of(stated)
    statements = statements_of(family, as_of=day, base=base)
    assert nquads_of(family, as_of=day, base=base) == write(statements, Format.NQUADS)


@given(records(), st.randoms(), formats)
def test_the_order_of_records_changes_no_byte(stated, random, form):
    shuffled = list(stated)
    random.shuffle(shuffled)
    one, other = (
        write(statements_of(family_of(each), as_of=dt.date(2005, 1, 1)), form)
        for each in (stated, shuffled)
    )
    assert one == other


@given(records(), days(), formats)
def test_what_is_written_is_read_back(stated, day, form):
    statements = statements_of(family_of(stated), as_of=day)
    found = read(write(statements, form), form)
    if form.has_graphs:
        assert found == statements
    else:
        assert found.merged == statements.merged


@given(records(), days())
def test_no_layer_repeats_another(stated, day):
    statements = statements_of(family_of(stated), as_of=day)
    assert len(statements.merged) == sum(len(statements.layer(layer)) for layer in Layer)


@given(names())
def test_the_name_above_is_the_parent(name):
    document = str(name)
    parent = name.parent
    assert classify_name(name).parent(document) == ("" if parent is None else str(parent))


@given(st.text())
def test_a_text_is_quoted_and_unquoted(text):
    assert parse_literal(format_text(text)).value == text


@pytest.mark.parametrize("form", list(Format))
def test_nothing_is_written_as_nothing(form):
    assert read(write(Statements(), form), form) == Statements()
