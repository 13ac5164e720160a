"""Laws of names, drawn over the whole space of RFC 9676 section 8 and around it."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import name_texts, names, near_names

from lexurn.name import Name, Reading, WorkIdentifier, check, parse, report_to_json
from lexurn.name.characters import canonicalize
from lexurn.name.grammar import compile_clean, compile_plain
from lexurn.name.parser import cut_name, read_pieces

READINGS = st.sampled_from(list(Reading))
# Names in lower-case ASCII, without percent-encoding, and texts near them.
PLAIN_TEXTS = (name_texts() | near_names()).map(
    lambda text: re.sub("%[0-9A-Fa-f]{2}", "e", text).lower()
)
# What the expression leaves to the functions for each production: odd days, an issuer that ends
# with "u", an empty local date, a hyphen in the code, odd signs in a partition, odd language tags.
LEFT = re.compile(
    r"\b0000-|-02-29|u\+|\|(?:[;,:@$~]|\Z)|urn:lex:[^:;]*-|~.*[+@$]|:(?:i-|en-gb-oed|sgn-)"
)
# Besides, lists, a local date that begins with a sign, an editor that looks like a media type.
LEFT_CLEAN = re.compile(
    r",|\|[^a-z0-9]"
    r"|\$(?:application|audio|example|font|haptics|image|message|model|multipart|text|video)-"
)


@given(names())
def test_what_is_written_is_read_back(name: Name) -> None:
    again = parse(str(name))
    assert again == name
    assert str(again) == str(name)
    assert hash(again) == hash(name)


@given(names())
def test_the_iri_is_read_back(name: Name) -> None:
    assert parse(name.iri) == name


@given(names())
def test_parts_rebuild_the_name(name: Name) -> None:
    assert name == Name.of(
        jurisdiction=name.jurisdiction,
        work=name.work,
        expression=name.expression,
        manifestation=name.manifestation,
        partition=name.partition,
    )


@given(names())
def test_ancestors_are_names_that_read_back(name: Name) -> None:
    for ancestor in (*name.ancestors(), name.document, name.work_name, name.act_name):
        read = parse(str(ancestor))
        assert read == ancestor
        assert (read.work, read.expression) == (ancestor.work, ancestor.expression)
        assert str(name).startswith(str(ancestor))


@given(names())
def test_what_stands_above_is_made_of_the_same_parts(name: Name) -> None:
    act = Name.of(
        jurisdiction=name.jurisdiction,
        work=WorkIdentifier(
            authority=name.work.authority,
            measure=name.work.measure,
            details=name.work.details,
        ),
    )
    assert name.act_name == act
    assert name.act_name.is_act
    assert name.is_act == (name.parent is None)
    assert name.work_name == Name.of(jurisdiction=name.jurisdiction, work=name.work)
    document = name.document
    assert (document.work, document.expression) == (name.work, name.expression)
    assert (document.manifestation, document.partition) == (name.manifestation, None)
    if name.expression_name is not None:
        assert name.expression_name.expression == name.expression
        assert name.expression_name.manifestation is None
    for above in (*name.ancestors(), document, name.work_name, name.expression_name or name):
        again = parse(str(above))
        assert (again.work, again.expression) == (above.work, above.expression)
        assert (again.manifestation, again.partition) == (above.manifestation, above.partition)


@given(name_texts())
def test_case_makes_no_other_name(text: str) -> None:
    document, _, _ = text.partition("~")
    document = document.partition("?")[0].partition("#")[0]
    upper = parse(document.upper())
    assert upper == parse(document)
    assert hash(upper) == hash(parse(document))


@given(name_texts(reading="grammar"))
def test_the_text_accepts_what_the_grammar_accepts(text: str) -> None:
    assert check(text, "grammar").name == check(text, "text").name is not None


@given(name_texts() | near_names() | st.text(), READINGS)
def test_any_text_gives_a_report(text: str, reading: Reading) -> None:
    report = check(text, reading)
    assert report.text == text
    assert report.valid is not bool(report.errors)
    for finding in report.findings:
        assert 0 <= finding.start <= finding.end <= len(text)
        finding.message.encode()
    assert report_to_json(report)["valid"] is report.valid


@given(near_names(), READINGS)
def test_parse_and_check_agree(text: str, reading: Reading) -> None:
    report = check(text, reading)
    if report.name is None:
        with pytest.raises(ValueError, match=report.errors[0].code):
            parse(text, reading)
        return
    name = parse(text, reading)
    assert name == report.name
    assert (name.work, name.expression, name.text) == (
        report.name.work,
        report.name.expression,
        text,
    )


@given(near_names(), READINGS)
def test_suggestions_are_valid_names(text: str, reading: Reading) -> None:
    for finding in check(text, reading).findings:
        if finding.suggestion is not None:
            again = check(finding.suggestion, reading)
            assert again.valid
            assert finding.suggestion != text
            assert finding.severity == "error" or finding.code not in {
                other.code for other in again.findings
            }


@given(PLAIN_TEXTS | near_names())
def test_the_expression_accepts_the_names_that_the_productions_accept(text: str) -> None:
    read = read_pieces(cut_name(text))
    is_name = read.write() == text and not read.list_errors(Reading.TEXT)
    if compile_plain()(text):
        assert is_name
        assert read.canonical == text
        assert check(text).parts == read.make_parts()
    elif is_name and read.canonical == text and "%" not in text:
        assert LEFT.search(text)


@given(PLAIN_TEXTS | near_names())
def test_the_clean_expression_accepts_the_names_without_faults(text: str) -> None:
    read = read_pieces(cut_name(text))
    if compile_clean()(text):
        assert compile_plain()(text)
        looked_up = {"LX205", "LX206", "LX207", "LX212", "LX213"}
        assert {fault.code for fault in read.faults} <= looked_up
    elif not read.faults and read.canonical == text and "%" not in text:
        assert LEFT.search(text) or LEFT_CLEAN.search(text)


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20))
def test_the_canonical_form_is_its_own(text: str) -> None:
    once = canonicalize(text.replace("%", ""))
    assert canonicalize(once) == once
    assert once.isascii()
