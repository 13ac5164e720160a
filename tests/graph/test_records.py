"""From a graph back to records: what is read, and what is refused with its place."""

from __future__ import annotations

import datetime as dt

import pytest
from graph_sample import ACT, FAMILY, SHA256, sample

from lexurn import vocabulary
from lexurn.errors import GraphError
from lexurn.graph import Format, Statements, find_as_of, read, records_of, statements_of, write
from lexurn.model import Item, LanguageText, Record, Status, families_of, family_of
from lexurn.name import parse

DAY = dt.date(2020, 1, 1)
A = "urn:lex:xx:a:b:2000-01-01;1"
B = "urn:lex:xx:a:b:2000-01-01;2"
C = "urn:lex:xx:a:b:2000-01-01;3"
WORK = f"<{A}>"
ITEM = "<https://example.org/x>"
SUM = f"<urn:sha256:{SHA256}>"  # as older graphs have it: its value counts


def turtle(text):
    prefixes = "".join(
        f"@prefix {key}: <{value}> .\n" for key, value in vocabulary.PREFIXES.items()
    )
    return read(f"{prefixes}{text}".encode(), Format.TURTLE)


def record(text, name=A):
    (found,) = [each for each in records_of(turtle(text)) if str(each.name) == name]
    return found


def test_the_sample_comes_back():
    assert records_of(sample()) == FAMILY.records
    assert records_of(sample().merged) == FAMILY.records
    assert find_as_of(sample()) == dt.date(2006, 1, 1)


@pytest.mark.parametrize("form", list(Format))
def test_the_sample_comes_back_from_each_format(form):
    assert records_of(read(write(sample(), form), form)) == FAMILY.records


def test_without_versions_in_force_any_early_day_will_do():
    statements = statements_of(family_of([Record(name=parse(A))]), as_of=DAY)
    assert find_as_of(statements) == dt.date.min


def test_nodes_that_are_no_names_are_no_records():
    text = f"{ITEM} a lexo:Item . <https://law.example/x> owl:sameAs {WORK} . [] a dcat:Catalog ."
    assert records_of(turtle(text)) == ()


def test_names_without_a_type_are_records_too():
    assert record(f'{WORK} dcterms:title "x" .').titles == (LanguageText(value="x"),)


def test_what_others_write_differently_is_one_name():
    text = f'<URN:LEX:XX:a:b:2000-01-01;1> dcterms:title "x" . {WORK} dcterms:title "y"@it .'
    assert record(text).titles == (LanguageText(value="x"), LanguageText(value="y", language="it"))


def test_a_record_is_read_from_its_node_and_from_the_name():
    day, on = 'dcterms:modified "2001-02-03"^^xsd:date', "lexo:status lexo:Withdrawn"
    expected = Record(name=parse(A), modified=dt.date(2001, 2, 3), status=Status.WITHDRAWN)
    own = f"<{A}#record>"
    for text in (
        f"{own} a dcat:CatalogRecord ; foaf:primaryTopic {WORK} ; {day} ; {on} .",
        f"{WORK} a lexo:Work . {own} {day} ; {on} .",
        f"{WORK} {day} ; {on} .",
        f"{WORK} {day} . {own} {day} ; {on} .",
        f'{own} {day} ; {on} ; dcterms:title "not of the law" .',
    ):
        assert record(text) == expected


def test_only_a_withdrawn_name_is_an_alias_of_what_replaces_it():
    text, on = f"{WORK} dcterms:isReplacedBy <{B}> .", f"{OWN} lexo:status lexo:Withdrawn ."
    gone = Record(name=parse(A), alias_of=parse(B), status=Status.WITHDRAWN)
    assert record(text) == Record(name=parse(A))
    assert record(f"{text} {on}") == gone
    # as older graphs have it
    assert record(f"{WORK} owl:sameAs <{B}> ; lexo:status lexo:Withdrawn .") == gone


def test_the_acts_that_made_a_version_are_read_from_it_alone():
    version = f"{A}@2005-01-01"
    made = f"<{version}> lexo:consolidates <{B}> . {WORK} lexo:amendedBy <{B}> , <{C}> ."
    assert record(made, version).amended_by == (parse(B),)
    assert record(made).amended_by == (parse(C),)
    # as older graphs have it
    assert record(f"<{version}> lexo:amendedBy <{B}> .", version).amended_by == (parse(B),)


def test_what_is_no_column_is_left():
    assert record(f'{WORK} rdfs:label "x" ; lexo:number "77" .') == Record(name=parse(A))


def test_copies_with_several_sizes_lose_nothing():
    text = f"{WORK} lexo:item {ITEM} . {ITEM} dcat:byteSize 2, 1 ; spdx:checksum {SUM} ."
    text += f'{SUM} spdx:algorithm {vocabulary.SHA256} ; spdx:checksumValue "{SHA256.upper()}" .'
    assert record(text).items == (
        Item(url="https://example.org/x", bytes=1, sha256=SHA256),
        Item(url="https://example.org/x", bytes=2),
    )


OWN, CHANGED = f"<{A}#record>", "dcterms:modified"
FAULTS = {
    "no date": (f'{WORK} dcterms:issued "2000" .', "dcterms:issued", "not an xsd:date"),
    "a plain text": (f'{WORK} dcterms:issued "2000-01-01" .', "dcterms:issued", "xsd:date"),
    "no such day": (
        f'{WORK} lexo:inForceFrom "2001-02-30"^^xsd:date .',
        "lexo:inForceFrom",
        "real day",
    ),
    "a time zone": (
        f'{WORK} dcterms:modified "2001-02-03Z"^^xsd:date .',
        "dcterms:modified",
        "time zone",
    ),
    "digits of elsewhere": (
        f'{WORK} dcterms:issued "\uff12\uff10\uff10\uff11-02-03"^^xsd:date .',
        "dcterms:issued",
        "xsd:date",
    ),
    "an IRI for a date": (f"{WORK} dcterms:issued {ITEM} .", "dcterms:issued", "not a literal"),
    "two dates": (
        f'{WORK} dcterms:issued "2001-01-01"^^xsd:date, "2001-01-02"^^xsd:date .',
        "dcterms:issued",
        "2 values",
    ),
    "two aliases": (f"{WORK} owl:sameAs <{B}>, <{C}> .", "owl:sameAs", "2 values"),
    "no name": (f"{WORK} owl:sameAs <urn:lex:xx> .", "owl:sameAs", "not a LEX name"),
    "no name as twin": (f"{WORK} lexo:alias {ITEM} .", "lexo:alias", "not a LEX name"),
    "two days of change": (
        f'{WORK} {CHANGED} "2001-01-01"^^xsd:date . {OWN} {CHANGED} "2001-01-02"^^xsd:date .',
        "dcterms:modified",
        "2 values",
    ),
    "a text as twin": (f'{WORK} lexo:alias "{B}" .', "lexo:alias", "not a LEX name"),
    "a text as page": (f'{WORK} foaf:page "x" .', "foaf:page", "not an IRI"),
    "a blank licence": (f"{WORK} dcterms:license [] .", "dcterms:license", "not an IRI"),
    "a blank publisher": (f"{WORK} dc:publisher [] .", "dc:publisher", "not a literal"),
    "a number as title": (f"{WORK} dcterms:title 1 .", "dcterms:title", "not a text"),
    "no number": (f"{WORK} lexo:versionOrder 1.5 .", "lexo:versionOrder", "not a whole number"),
    "another status": (f"{WORK} lexo:status lexo:Lost .", "lexo:status", "not a status"),
    "no size": (
        f'{WORK} lexo:item {ITEM} . {ITEM} dcat:byteSize "big" .',
        "dcat:byteSize",
        "not a whole number",
    ),
    "a size beyond all disks": (
        f"{WORK} lexo:item {ITEM} . {ITEM} dcat:byteSize {1 << 63} .",
        "dcat:byteSize",
        "does not fit in 64 bits",
    ),
    "a size of many digits": (
        f"{WORK} lexo:item {ITEM} . {ITEM} dcat:byteSize {'9' * 4001} .",
        "dcat:byteSize",
        "not a whole number",
    ),
    "an order beyond all chains": (
        f"{WORK} lexo:versionOrder {1 << 63} .",
        "lexo:versionOrder",
        "does not fit in 64 bits",
    ),
    "an order before all chains": (
        f"{WORK} lexo:versionOrder {-(1 << 63) - 1} .",
        "lexo:versionOrder",
        "does not fit in 64 bits",
    ),
    "no algorithm": (
        f'{WORK} lexo:item {ITEM} . {ITEM} spdx:checksum {SUM} . {SUM} spdx:checksumValue "0" .',
        "spdx:checksumValue",
        "SHA-256",
    ),
}


def test_the_largest_numbers_are_read():
    most = (1 << 63) - 1
    text = (
        f"{WORK} lexo:item {ITEM} ; lexo:versionOrder {-most - 1} . {ITEM} dcat:byteSize +{most} ."
    )
    found = record(text)
    assert (found.version_order, found.items[0].bytes) == (-most - 1, most)


@pytest.mark.parametrize(("text", "prop", "problem"), FAULTS.values(), ids=FAULTS)
def test_a_fault_names_node_and_property(text, prop, problem):
    with pytest.raises(GraphError) as caught:
        records_of(turtle(text))
    prefix, _, local = prop.partition(":")
    message = str(caught.value)
    assert problem in message
    assert f"<{vocabulary.PREFIXES[prefix]}{local}>" in message
    assert any(each in message for each in (WORK, ITEM, SUM))


@pytest.mark.parametrize(
    "text",
    [
        f"{ITEM} a lexo:Work .",
        "[] a lexo:Expression .",
        "<urn:lex:xx> dcterms:title 'x' .",
        "<urn:lex:> a lexo:Work .",
    ],
)
def test_a_node_that_should_be_a_name_and_is_none(text):
    with pytest.raises(GraphError, match="is not a LEX name"):
        records_of(turtle(text))


def test_no_day_is_taken_from_a_broken_answer():
    with pytest.raises(GraphError, match="asOf"):
        find_as_of(turtle(f'{WORK} lexo:asOf "today" .'))


ALIASES = {
    "of a work": {B: A},
    "of two works": {B: A, C: A},
    "of an expression alone": {f"{B}@original": f"{A}@original"},
    "of an annex": {f"{A}:annex.b": f"{A}:annex.a"},
    "of a work and of a version of it": {B: A, f"{B}@2001-01-01": f"{A}@original"},
    "of what follows anyway": {B: A, f"{B}@original": f"{A}@original"},
    "of a partition": {B: A, f"{B}~art1": f"{A}~art1"},
    "of a version against that of its work": {B: A, f"{A}@2002-02-02": f"{B}@2002-02-02"},
    "of what another alias has": {B: A, C: A, f"{A}@2003-03-03": f"{C}@2002-02-02"},
}


@pytest.mark.parametrize("aliases", ALIASES.values(), ids=ALIASES)
def test_aliases_survive_in_merged_layers(aliases):
    behind = ("@original", "@2002-02-02", "@2002-02-02$x.it:text-html", ":annex.a:annex.1@original")
    names = {*aliases, *(f"{work}{rest}" for work in (B, C) for rest in behind)}
    rows = [
        Record(name=parse(each), alias_of=parse(aliases[each]) if each in aliases else None)
        for each in sorted(names)
    ]
    families = families_of(rows)
    statements = Statements.union(statements_of(each, as_of=DAY) for each in families)
    assert families_of(records_of(statements)) == families
    again = families_of(records_of(statements.merged))
    merged = Statements.union(statements_of(each, as_of=DAY) for each in again)
    assert merged.merged == statements.merged


def test_computed_aliases_are_not_taken_for_stated_ones():
    rows = [
        Record(name=parse(f"{A}@original")),
        Record(name=parse(f"{B}@original")),
        Record(name=parse(B), alias_of=parse(A)),
    ]
    statements = statements_of(family_of(rows), as_of=DAY)
    found = {str(each.name): each.alias_of for each in records_of(statements.merged)}
    assert found[f"{B}@original"] is None
    assert found[B] == parse(A)


def test_the_act_is_found_again():
    assert any(str(each.name) == ACT for each in records_of(sample()))
