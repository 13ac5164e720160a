"""Laws of calendars: every day has one date, dates follow each other, months have their lengths."""

from __future__ import annotations

import datetime as dt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lexurn.minting import Mode
from lexurn.minting.calendars import (
    Calendar,
    hebrew,
    hijri,
    japanese,
    read_local_day,
    write_local_day,
)

# Three thousand years; the calendars repeat nothing in them but their own rules.
DAYS = st.integers(dt.date(1, 1, 1).toordinal(), dt.date(3000, 12, 31).toordinal())
YEARS = st.integers(3762, 6760)


@given(DAYS)
def test_hebrew_days_go_both_ways(number: int) -> None:
    date = hebrew.from_ordinal(number)
    assert date is not None
    assert hebrew.to_ordinal(date) == number


@given(DAYS)
def test_the_next_hebrew_day_is_the_next_date(number: int) -> None:
    today, tomorrow = hebrew.from_ordinal(number), hebrew.from_ordinal(number + 1)
    assert today is not None
    assert tomorrow is not None
    if tomorrow.day == 1:
        assert today.day in {29, 30}
        assert hebrew.to_ordinal(today._replace(day=today.day + 1)) is None
    else:
        assert tomorrow == today._replace(day=today.day + 1)


@given(YEARS)
def test_hebrew_years_have_one_of_six_lengths_and_never_start_on_three_days(year: int) -> None:
    first = hebrew.to_ordinal(hebrew.HebrewDate(year, 7, 1))
    following = hebrew.to_ordinal(hebrew.HebrewDate(year + 1, 7, 1))
    assert first is not None
    assert following is not None
    lengths = {383, 384, 385} if hebrew.is_leap(year) else {353, 354, 355}
    assert following - first in lengths
    assert dt.date.fromordinal(first).isoweekday() not in {3, 5, 7}


@given(YEARS)
def test_passover_never_starts_on_three_days(year: int) -> None:
    passover = hebrew.to_ordinal(hebrew.HebrewDate(year, 1, 15))
    assert passover is not None
    assert dt.date.fromordinal(passover).isoweekday() not in {1, 3, 5}


@given(YEARS)
def test_seven_of_nineteen_years_are_leap(year: int) -> None:
    assert sum(map(hebrew.is_leap, range(year, year + 19))) == 7


@given(st.integers(1343, 1499), st.integers(1, 12))
def test_hijri_months_follow_each_other(year: int, month: int) -> None:
    first = hijri.to_ordinal(hijri.HijriDate(year, month, 1))
    following = hijri.to_ordinal(hijri.HijriDate(year + month // 12, month % 12 + 1, 1))
    assert first is not None
    assert following is not None
    length = following - first
    assert length in ({29, 30} if year > 1355 else {28, 29, 30, 31})
    assert hijri.to_ordinal(hijri.HijriDate(year, month, length)) == following - 1
    assert hijri.to_ordinal(hijri.HijriDate(year, month, length + 1)) is None


@given(st.dates(dt.date(1924, 8, 1), dt.date(2077, 11, 16)))
def test_hijri_days_go_both_ways(day: dt.date) -> None:
    date = hijri.from_ordinal(day.toordinal())
    assert date is not None
    assert date.year in hijri.YEARS
    assert hijri.to_ordinal(date) == day.toordinal()


@given(st.integers(1343, 1499))
def test_hijri_years_have_twelve_months_of_the_moon(year: int) -> None:
    first = hijri.to_ordinal(hijri.HijriDate(year, 1, 1))
    following = hijri.to_ordinal(hijri.HijriDate(year + 1, 1, 1))
    assert first is not None
    assert following is not None
    assert following - first in range(353, 358)


@given(st.dates(dt.date(1873, 1, 1), dt.date(2999, 12, 31)))
def test_japanese_days_go_both_ways(day: dt.date) -> None:
    date = japanese.from_ordinal(day.toordinal())
    assert date is not None
    assert (date.month, date.day) == (day.month, day.day)
    assert japanese.to_ordinal(date) == day.toordinal()


@pytest.mark.parametrize("calendar", Calendar)
@pytest.mark.parametrize("mode", Mode)
@given(day=st.dates(dt.date(1873, 1, 1), dt.date(2200, 12, 31)))
def test_what_is_written_is_read_back(calendar: Calendar, mode: Mode, day: dt.date) -> None:
    written = write_local_day(day.isoformat(), calendar, mode)
    if calendar is Calendar.HIJRI and not dt.date(1924, 8, 1) <= day <= dt.date(2077, 11, 16):
        assert written is None
        return
    assert written is not None
    read = read_local_day(written)
    assert read is not None
    assert (read.calendar, read.isos) == (calendar, (day.isoformat(),))


@given(st.text(max_size=40) | st.text("אבדולתשנ״׳\"' 1257,-", max_size=25))
def test_any_text_is_read_or_not(text: str) -> None:
    read = read_local_day(text)
    assert read is None or all(dt.date.fromisoformat(iso) for iso in read.isos)
