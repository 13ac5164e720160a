"""Laws of dates: any text is read or refused, what is read is a day, nothing depends on chance."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from lexurn.minting import Mode
from lexurn.minting.dates import find_date, read_date, read_dates
from lexurn.minting.parts import read_period, write_local_date
from lexurn.name import check
from lexurn.registry import load_registry

if TYPE_CHECKING:
    import datetime as dt

LANGUAGES = st.sampled_from((*load_registry().languages(), "xx"))
ORDERS = st.sampled_from((None, "dmy", "mdy", "ymd"))
PIECES = (
    "21", "1", "31", "02", "99", "2003", "1999", "0000", "12345", "/", ".", "-", ",", " ", " ", "(",
    ")", "e", "de", "of", "May", "settembre", "septembre", "er", "º", "年", "月", "日", "平成",
    "Elul", "5759", "שבט", "ב", "رمضان", "1420", "T10:00", "Z", "XII", "\u202e", "\x00", "٣",
    "Monday",
)  # fmt: skip
TEXTS = st.text(max_size=30) | st.lists(st.sampled_from(PIECES), max_size=9).map("".join)


@given(TEXTS, LANGUAGES, ORDERS)
def test_any_text_is_a_date_or_refused(text: str, language: str, order: str | None) -> None:
    words = load_registry().words(language)
    read = read_date(text, words, "date", order=order)
    assert (read.text is None) is any(found.is_error for found in read.findings)
    assert read == read_date(text, words, "date", order=order)
    for found in read.findings:
        assert 0 <= found.start <= found.end <= len(text)
        assert found.text == text
    if read.text is not None:
        report = check(f"urn:lex:it:stato:legge:{read.text};1")
        assert report.valid
        assert report.name is not None
        assert report.name.work.details.dates[0].iso == read.text
        assert read_date(read.text, words, "date").text == read.text


@given(TEXTS, LANGUAGES, ORDERS)
def test_any_text_is_dates_or_refused(text: str, language: str, order: str | None) -> None:
    words = load_registry().words(language)
    read = read_dates(text, words, "date", order)
    assert read
    single = read_date(text, words, "date", order=order)
    if single.text is not None:
        assert read == (single,)
    isos = [each.text for each in read if each.text is not None]
    assert len(set(isos)) == len(isos)


@given(st.text(max_size=40) | TEXTS, LANGUAGES)
def test_a_date_is_found_inside_the_text(text: str, language: str) -> None:
    span = find_date(text, load_registry().words(language))
    if span is not None:
        assert 0 <= span[0] < span[1] <= len(text)
        assert any(each.isdecimal() or not each.isascii() for each in text[slice(*span)])


@given(st.dates(), LANGUAGES, st.sampled_from("/.-"))
def test_digits_mean_a_date_only_in_one_order(day: dt.date, language: str, sign: str) -> None:
    words = load_registry().words(language)
    for order, form in (("dmy", "{0.day}{1}{0.month}{1}"), ("mdy", "{0.month}{1}{0.day}{1}")):
        text = form.format(day, sign) + f"{day.year:04}"
        assert read_date(text, words, "date", order=order).text == day.isoformat()
        free = read_date(text, words, "date")
        clear = day.day > 12 or day.day == day.month
        assert free.text == (day.isoformat() if clear else None)
        assert [found.code for found in free.findings] == ([] if clear else ["LX742"])


@given(st.dates(), LANGUAGES)
def test_iso_and_compact_dates_are_read_in_any_language(day: dt.date, language: str) -> None:
    words = load_registry().words(language)
    for text in (day.isoformat(), day.isoformat().replace("-", ""), f"{day.isoformat()}T00:00:00"):
        read = read_date(text, words, "date")
        assert (read.text, read.findings) == (day.isoformat(), ())


@given(TEXTS, LANGUAGES, st.sampled_from(list(Mode)))
def test_any_text_is_a_period_or_refused(text: str, language: str, mode: Mode) -> None:
    read = read_period(text, load_registry().words(language), mode, "period")
    assert (read.text is None) is any(found.is_error for found in read.findings)
    if read.text is not None:
        report = check(f"urn:lex:it:stato:legge:{read.text};1")
        assert report.name is not None
        assert report.name.work.details.period == read.text


@given(TEXTS, LANGUAGES, st.sampled_from(list(Mode)), st.dates())
def test_any_text_is_a_local_date_or_refused(
    text: str, language: str, mode: Mode, day: dt.date
) -> None:
    words = load_registry().words(language)
    written = write_local_date(text, day.isoformat(), words, mode, "local_date")
    assert (written.text is None) is any(found.is_error for found in written.findings)
    if written.text is not None:
        report = check(f"urn:lex:it:stato:legge:{day.isoformat()}|{written.text};1")
        assert report.valid
        assert str(report.name) == report.text
        assert any(map(str.isalnum, unquote(written.text)))
