"""Known days in the Hebrew, Hijri and Japanese calendars, and what their readers make of texts."""

from __future__ import annotations

import datetime as dt

import pytest

from lexurn.minting import Mode
from lexurn.minting.calendars import (
    Calendar,
    hebrew,
    hijri,
    japanese,
    read_local_day,
    write_local_day,
)


def number(iso: str) -> int:
    return dt.date.fromisoformat(iso).toordinal()


# New Year's days of the Hebrew calendar, then feasts and days of public record.
HEBREW = [
    ("1 Tishri 5680", "1919-09-25"), ("1 Tishri 5709", "1948-10-04"),
    ("1 Tishri 5750", "1989-09-30"), ("1 Tishri 5751", "1990-09-20"),
    ("1 Tishri 5752", "1991-09-09"), ("1 Tishri 5753", "1992-09-28"),
    ("1 Tishri 5754", "1993-09-16"), ("1 Tishri 5755", "1994-09-06"),
    ("1 Tishri 5756", "1995-09-25"), ("1 Tishri 5757", "1996-09-14"),
    ("1 Tishri 5758", "1997-10-02"), ("1 Tishri 5759", "1998-09-21"),
    ("1 Tishri 5760", "1999-09-11"), ("1 Tishri 5761", "2000-09-30"),
    ("1 Tishri 5764", "2003-09-27"), ("1 Tishri 5766", "2005-10-04"),
    ("1 Tishri 5774", "2013-09-05"), ("1 Tishri 5777", "2016-10-03"),
    ("1 Tishri 5782", "2021-09-07"), ("1 Tishri 5784", "2023-09-16"),
    ("1 Tishri 5785", "2024-10-03"), ("10 Tishri 5734", "1973-10-06"),
    ("15 Nisan 5760", "2000-04-20"), ("15 Nisan 5783", "2023-04-06"),
    ("15 Nisan 5784", "2024-04-23"), ("5 Iyar 5708", "1948-05-14"),
    ("16 Kislev 5708", "1947-11-29"), ("28 Iyar 5727", "1967-06-07"),
    ("14 Adar II 5784", "2024-03-24"), ("14 Adar 5783", "2023-03-07"),
    ("25 Kislev 5784", "2023-12-08"), ("9 Av 5765", "2005-08-14"),
    ("21 Elul 5759", "1999-09-02"), ("15 Shevat 5760", "2000-01-22"),
    ("6 Sivan 5784", "2024-06-12"), ("17 Tammuz 5783", "2023-07-06"),
    ("10 Tevet 5784", "2023-12-22"),
]  # fmt: skip

# New Year's days of the calendar of Umm al-Qura, then the day of the Saudi Basic Law.
HIJRI = [
    ("1 Muharram 1343", "1924-08-01"), ("1 Muharram 1400", "1979-11-20"),
    ("1 Muharram 1420", "1999-04-17"), ("1 Muharram 1421", "2000-04-06"),
    ("1 Muharram 1422", "2001-03-26"), ("1 Muharram 1423", "2002-03-15"),
    ("1 Muharram 1424", "2003-03-04"), ("1 Muharram 1425", "2004-02-21"),
    ("1 Muharram 1426", "2005-02-10"), ("1 Muharram 1427", "2006-01-31"),
    ("1 Muharram 1428", "2007-01-20"), ("1 Muharram 1429", "2008-01-10"),
    ("1 Muharram 1430", "2008-12-29"), ("1 Muharram 1431", "2009-12-18"),
    ("1 Muharram 1432", "2010-12-07"), ("1 Muharram 1433", "2011-11-26"),
    ("1 Muharram 1434", "2012-11-15"), ("1 Muharram 1435", "2013-11-04"),
    ("1 Muharram 1436", "2014-10-25"), ("1 Muharram 1437", "2015-10-14"),
    ("1 Muharram 1438", "2016-10-02"), ("1 Muharram 1439", "2017-09-21"),
    ("1 Muharram 1440", "2018-09-11"), ("1 Muharram 1441", "2019-08-31"),
    ("1 Muharram 1442", "2020-08-20"), ("1 Muharram 1443", "2021-08-09"),
    ("1 Muharram 1444", "2022-07-30"), ("1 Muharram 1445", "2023-07-19"),
    ("27 Sha'ban 1412", "1992-03-01"),
]  # fmt: skip

# Acts and days of public record.
JAPANESE = [
    ("明治6年1月1日", "1873-01-01"), ("明治22年2月11日", "1889-02-11"),
    ("明治27年8月1日", "1894-08-01"), ("明治29年4月27日", "1896-04-27"),
    ("明治37年2月10日", "1904-02-10"), ("明治40年4月24日", "1907-04-24"),
    ("大正元年7月30日", "1912-07-30"), ("大正3年7月28日", "1914-07-28"),
    ("大正12年9月1日", "1923-09-01"), ("大正15年12月24日", "1926-12-24"),
    ("昭和元年12月25日", "1926-12-25"), ("昭和11年2月26日", "1936-02-26"),
    ("昭和16年12月8日", "1941-12-08"), ("昭和20年8月15日", "1945-08-15"),
    ("昭和21年11月3日", "1946-11-03"), ("昭和22年5月3日", "1947-05-03"),
    ("昭和39年10月10日", "1964-10-10"), ("昭和45年3月14日", "1970-03-14"),
    ("昭和64年1月7日", "1989-01-07"), ("平成元年1月8日", "1989-01-08"),
    ("平成7年1月17日", "1995-01-17"), ("平成10年2月7日", "1998-02-07"),
    ("平成15年9月21日", "2003-09-21"), ("平成23年3月11日", "2011-03-11"),
    ("平成31年4月30日", "2019-04-30"), ("令和元年5月1日", "2019-05-01"),
    ("令和元年10月22日", "2019-10-22"), ("令和3年7月23日", "2021-07-23"),
]  # fmt: skip

CASES = [
    *((Calendar.HEBREW, local, iso) for local, iso in HEBREW),
    *((Calendar.HIJRI, local, iso) for local, iso in HIJRI),
    *((Calendar.JAPANESE, local, iso) for local, iso in JAPANESE),
]


@pytest.mark.parametrize(("calendar", "local", "iso"), CASES)
def test_a_known_day_is_read(calendar: Calendar, local: str, iso: str) -> None:
    read = read_local_day(local)
    assert read is not None
    assert (read.calendar, read.isos) == (calendar, (iso,))


@pytest.mark.parametrize(("calendar", "local", "iso"), CASES)
@pytest.mark.parametrize("mode", Mode)
def test_a_known_day_is_written_and_read_back(
    calendar: Calendar, local: str, iso: str, mode: Mode
) -> None:
    written = write_local_day(iso, calendar, mode)
    assert written is not None
    assert written.isascii() is (mode is Mode.ASCII)
    assert (
        written.split()[0].isdecimal() is (calendar is not Calendar.JAPANESE) or mode is Mode.UTF8
    )
    read = read_local_day(written)
    assert read is not None
    assert read.isos == (iso,), local


SPELLINGS = [
    ("כ״א באלול תשנ״ט", "1999-09-02"),
    ("כ״א-בֶּאֱלוּל-תשנ״ט", "1999-09-02"),
    ('כ"א אלול ה\'תשנ"ט', "1999-09-02"),
    ("כא באלול תשנט", "1999-09-02"),
    ("21 באלול 5759", "1999-09-02"),
    ("Elul 21, 5759", "1999-09-02"),
    ("ה׳ באייר תש״ח", "1948-05-14"),
    ("ט״ו בשבט תש״ס", "2000-01-22"),
    ("ט״ז בכסלו תש״ח", "1947-11-29"),
    ("י״ד באדר ב׳ תשפ״ד", "2024-03-24"),
    ("14 Adar Sheni 5784", "2024-03-24"),
    ("14 Veadar 5784", "2024-03-24"),
    ("א׳ במרחשוון ת״ש", "1939-10-14"),
    ("27 شعبان 1412", "1992-03-01"),
    ("٢٧ شعبان ١٤١٢ هـ", "1992-03-01"),
    ("1412/8/27 هـ", "1992-03-01"),
    ("27/08/1412 هـ", "1992-03-01"),
    ("27 chaabane 1412", "1992-03-01"),
    ("27 Şaban 1412", "1992-03-01"),
    ("1 ذو الحجة 1420", "2000-03-07"),
    ("1 ذي الحجة 1420", "2000-03-07"),
    ("1 Zilhicce 1420", "2000-03-07"),
    ("10 joumada el oula 1420", "1999-08-21"),
    ("昭和二十二年五月三日", "1947-05-03"),
    ("昭和22年5月3日", "1947-05-03"),
    ("㍼22年5月3日", "1947-05-03"),
    ("S22.5.3", "1947-05-03"),
    ("Shōwa 22-5-3", "1947-05-03"),
    ("平成十年十二月十日", "1998-12-10"),
]


@pytest.mark.parametrize(("text", "iso"), SPELLINGS)
def test_spellings_of_local_dates(text: str, iso: str) -> None:
    read = read_local_day(text)
    assert read is not None
    assert read.isos == (iso,)


NO_DAYS = [
    ("30 Elul 5759", Calendar.HEBREW),
    ("31 Tishri 5760", None),
    ("14 Adar II 5783", Calendar.HEBREW),
    ("30 Tevet 5760", Calendar.HEBREW),
    ("31 safar 1420", Calendar.HIJRI),
    ("1420/13/1 هـ", Calendar.HIJRI),
    ("昭和64年1月8日", Calendar.JAPANESE),
    ("平成31年5月1日", Calendar.JAPANESE),
    ("明治5年12月3日", Calendar.JAPANESE),
    ("昭和22年2月30日", Calendar.JAPANESE),
]


@pytest.mark.parametrize(("text", "calendar"), NO_DAYS)
def test_days_that_a_calendar_lacks(text: str, calendar: Calendar | None) -> None:
    read = read_local_day(text)
    assert (read and read.calendar) == calendar
    assert read is None or read.isos == ()


NO_LOCAL_DATES = [
    "",
    " ",
    "2003-09-21",
    "21 settembre 2003",
    "21 nisan 2003",
    "5 av",
    "elul 5759",
    "א",
    "of 12/05/1500",
    "x" * 300,
    "昭和",
    "年月日",
    "שלום עולם",
    "safar 1420",
    "1 av 12 5759",
]


@pytest.mark.parametrize("text", NO_LOCAL_DATES)
def test_what_is_no_local_date(text: str) -> None:
    assert read_local_day(text) is None


def test_adar_that_does_not_say_which_is_two_days_in_a_leap_year() -> None:
    read = read_local_day("14 Adar 5784")
    assert read is not None
    assert read.isos == ("2024-02-23", "2024-03-24")


def test_the_day_that_an_ended_era_would_have_is_said() -> None:
    read = read_local_day("昭和64年1月8日")
    assert read is not None
    assert read.instead == "1989-01-08"


@pytest.mark.parametrize(
    ("year", "letters"),
    [(5759, "תשנ״ט"), (5715, "תשט״ו"), (5716, "תשט״ז"), (5700, "ת״ש"), (5701, "תש״א"),
     (5800, "ת״ת"), (5005, "ה׳ה׳"), (4999, "ד׳תתקצ״ט"), (5000, "ה׳ אלפים"), (6001, "ו׳א׳")],
)  # fmt: skip
def test_years_in_hebrew_letters(year: int, letters: str) -> None:
    written = hebrew.write(hebrew.HebrewDate(year, 7, 1), Mode.UTF8)
    assert written == f"א׳ בתשרי {letters}"


def test_the_thirtieth_by_sighting_is_read() -> None:
    assert hijri.read("30 muharram 1420") == (hijri.HijriDate(1420, 1, 30),)
    assert hijri.to_ordinal(hijri.HijriDate(1420, 1, 30)) is None
    read = read_local_day("30 muharram 1420")
    assert read is not None
    assert (read.isos, read.exact) == (("1999-05-16",), False)


@pytest.mark.parametrize("year", [1300, 1342, 1501])
def test_a_hijri_year_outside_the_tables_has_no_day(year: int) -> None:
    read = read_local_day(f"1 muharram {year}")
    assert read is not None
    assert (read.calendar, read.isos, read.exact) == (Calendar.HIJRI, (), False)


def test_an_era_change_within_a_day_is_read_in_both_eras() -> None:
    for text in ("明治45年7月30日", "大正元年7月30日"):
        (date,) = japanese.read(text) or ()
        assert japanese.to_ordinal(date) == number("1912-07-30")
    assert write_local_day("1912-07-30", Calendar.JAPANESE, Mode.UTF8) == "大正元年7月30日"


def test_calendars_that_do_not_reach_a_day() -> None:
    assert write_local_day("1872-12-31", Calendar.JAPANESE, Mode.UTF8) is None
    assert write_local_day("1924-07-31", Calendar.HIJRI, Mode.UTF8) is None
    assert write_local_day("1924-08-01", Calendar.HIJRI, Mode.ASCII) == "1 muharram 1343"
    assert write_local_day("2077-11-16", Calendar.HIJRI, Mode.ASCII) == "30 dhu al-hijja 1500"
    assert write_local_day("2077-11-17", Calendar.HIJRI, Mode.UTF8) is None
    assert write_local_day("1500-02-29", Calendar.HEBREW, Mode.UTF8) is None
    assert write_local_day("0001-01-01", Calendar.HEBREW, Mode.ASCII) == "18 tevet 3761"


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_hebrew_against_another_implementation() -> None:
    peer = pytest.importorskip("convertdate.hebrew")
    for day in range(number("1000-01-01"), number("3000-01-01"), 97):
        date = dt.date.fromordinal(day)
        assert hebrew.from_ordinal(day) == peer.from_gregorian(date.year, date.month, date.day)


def test_the_hijri_calendar_is_at_most_two_days_off_the_civil_table() -> None:
    peer = pytest.importorskip("convertdate.islamic")
    for day in range(number("1930-01-01"), number("2070-01-01"), 31):
        date = hijri.from_ordinal(day)
        assert date is not None
        by_table = dt.date(*peer.to_gregorian(*date))
        assert abs(by_table.toordinal() - day) <= 2
