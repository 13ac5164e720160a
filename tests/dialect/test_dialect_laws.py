"""Laws of conversion, drawn over names of the dialects and over the names of the wild."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import name_texts, names
from strategies_dialect import draft_texts, lexml_texts, near_texts, nir_texts

from lexurn.dialect import Conversion, Dialect, Standing, convert, detect, load_changes
from lexurn.findings import load_codes
from lexurn.name import Name, Severity, check, parse

DIALECTS = st.sampled_from(list(Dialect))
ANY = near_texts() | lexml_texts() | nir_texts() | draft_texts() | st.text() | name_texts()


def corpus() -> list[str]:
    folder = os.environ.get("LEXURN_CORPUS")
    if not folder:
        return []
    files = (Path(folder, name) for name in ("names_lex.txt", "names_nir.txt"))
    return [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]


def back(conversion: Conversion) -> str | None:
    """The text that the way back gives."""
    assert conversion.written is not None
    return convert(conversion.written, source="rfc9676", target=conversion.dialect).written


def check_way_back(conversion: Conversion) -> None:
    if conversion.standing is not Standing.BROKEN and not conversion.losses:
        assert back(conversion) == conversion.text


def check_answer(conversion: Conversion) -> None:
    text, errors = (
        conversion.text,
        [found for found in conversion.findings if found.severity is Severity.ERROR],
    )
    broken = conversion.standing is Standing.BROKEN
    assert (conversion.name is None) == broken == bool(errors)
    for found in conversion.findings:
        assert 0 <= found.start <= found.end <= len(text)
        assert found.code in load_codes()
    for change in conversion.changes:
        assert not broken
        assert 0 <= change.start <= change.end <= len(text)
        assert text[change.start : change.end] == change.before
        assert change.code in load_changes()
        assert change.message
        assert change.rule


@given(ANY)
def test_any_text_has_an_answer(text: str) -> None:
    conversion = convert(text)
    check_answer(conversion)
    if conversion.name is not None:
        assert conversion.written is not None
        assert parse(conversion.written) == conversion.name


@given(ANY, DIALECTS, DIALECTS)
def test_any_text_has_an_answer_in_every_dialect(
    text: str, source: Dialect, target: Dialect
) -> None:
    conversion = convert(text, source=source, target=target)
    assert conversion.text == text
    assert conversion.dialect is source
    assert (conversion.name is None) == (conversion.standing is Standing.BROKEN)
    if conversion.written is None:
        assert conversion.findings


@given(lexml_texts() | nir_texts())
def test_what_loses_nothing_comes_back(text: str) -> None:
    check_way_back(convert(text))


@given(lexml_texts())
def test_lexml_comes_back(text: str) -> None:
    check_way_back(convert(text, source="lexml"))


@given(draft_texts())
def test_drafts_come_back(text: str) -> None:
    conversion = convert(text, source="draft")
    assert conversion.standing is not Standing.BROKEN
    check_way_back(conversion)


@given(names())
def test_a_name_without_a_dialects_marks_stays(name: Name) -> None:
    conversion = convert(str(name), source="rfc9676")
    assert conversion.name == name
    assert conversion.written == str(name)
    assert conversion.changes == ()


CONNECTIVES = ("da", "de", "dei", "del", "di", "e", "a", "l")
OTHERS = ("ministero", "saude", "stato", "comunita.europee", "ceca", "ementa.constitucional")
ITEMS = st.lists(st.sampled_from(CONNECTIVES + OTHERS), min_size=1, max_size=4).map(".".join)
SERIES = st.lists(ITEMS, min_size=1, max_size=2).map(";".join)
DETAILS = ("2001-02-03;7",) * 5 + ("2001;7,8", "20010203;7", "2001-02-03|x;lex-1", "2001;nir-1")
ANNEXES = st.sampled_from(
    ["anexo.1", "allegato.a", "tabela.de.cargos", "anexo.1;titulo;x", "estudo", "retificacao.1"]
)
EVENTS = st.sampled_from(
    ["2002-03-04", "20020304", "2002-03-04|y", "t10.30", "original", "vigente", "di.x.di.y"]
) | st.sampled_from(["errata.corrige", "retificacao.1"])
LEVELS = st.sampled_from(
    ["anexo", "anexo-1", "allegato.a", "art1", "art_1", "art3-bis", "com2", "x-let.a", "(art1,b)"]
)


def some(before: str, text: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.just("") | text.map(before.__add__)


VERSIONS = st.builds(
    "{}{}".format,
    st.lists(EVENTS, min_size=1, max_size=3).map(";".join),
    some(":", st.sampled_from(["it", "mul"])),
)
WORDY = st.builds(
    "urn:lex:{}:{}:{}:{}{}{}{}".format,
    st.sampled_from(["it", "br", "eu", "br;rio.de.janeiro"]),
    st.lists(SERIES, min_size=1, max_size=2).map("+".join),
    SERIES,
    st.sampled_from(DETAILS),
    some(":", st.lists(ANNEXES, min_size=1, max_size=2).map(":".join)),
    some("@", VERSIONS),
    some("~", st.lists(LEVELS, min_size=1, max_size=3).map(";".join)),
)


@given(WORDY, st.sampled_from([Dialect.LEXML, Dialect.NIR]))
def test_a_change_of_the_way_back_is_reported(text: str, target: Dialect) -> None:
    there = convert(text, source="rfc9676", target=target)
    if there.written is not None and there.name is not None:
        again = convert(there.written, source=target)
        assert (again.name == there.name) is not bool(there.losses)
    for change in there.changes:
        whole = (change.start, change.end) == (0, len(text))
        assert whole or text[change.start : change.end] == change.before


@given(ANY)
def test_a_valid_text_is_valid_to_the_parser(text: str) -> None:
    conversion = convert(text)
    if conversion.standing in {Standing.VALID, Standing.ACCIDENTAL}:
        assert check(text).valid
    if conversion.standing is Standing.VALID:
        assert conversion.name == parse(text)
    if conversion.standing is Standing.REPAIRABLE:
        assert not check(text).valid


@given(ANY)
def test_conversion_is_settled_at_once(text: str) -> None:
    first = convert(text)
    if first.written is not None:
        again = convert(first.written, source="rfc9676")
        assert again.written == first.written


@given(ANY)
def test_a_text_is_read_in_a_dialect_that_was_detected(text: str) -> None:
    conversion = convert(text)
    found = [each.dialect for each in detect(text)]
    assert conversion.readings == detect(text)
    if conversion.standing is not Standing.BROKEN and found:
        assert conversion.dialect in {*found, Dialect.LEXML, Dialect.RFC9676}


@given(ANY)
def test_numbers_and_years_are_never_invented(text: str) -> None:
    conversion = convert(text)
    if conversion.name is None or any(each.code == "LX829" for each in conversion.changes):
        return
    lower = text.lower()
    for date in conversion.name.work.details.dates:
        assert date.iso[:4] in lower
    for number in conversion.name.work.details.numbers:
        if number.startswith("lex-"):
            assert number in lower or number.replace("lex-", "nir-") in lower


@pytest.mark.skipif(not corpus(), reason="no corpus")
def test_names_of_the_wild_come_back() -> None:
    for text in corpus():
        conversion = convert(text)
        check_answer(conversion)
        check_way_back(conversion)
