"""Dates of metadata: read in every form and language of the registry, or refused with a reason."""

from __future__ import annotations

import datetime as dt
import json
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from lexurn.findings import load_codes
from lexurn.labels.notations import make_style
from lexurn.labels.wording import describe_date
from lexurn.minting import Mode, Written
from lexurn.minting.dates import find_date, read_date, read_dates
from lexurn.minting.parts import compute_local_date, read_period, write_local_date
from lexurn.name import Date, check
from lexurn.registry import Kind, Words, load_registry, make_key

CASES = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "minting_dates.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
LANGUAGES = [tag for tag in load_registry().languages() if load_registry().words(tag).months]
# Japanese dates have 年, 月 and 日 round their numbers; they are cases of their own.
SPELT = sorted({*LANGUAGES} - {"ja"})


def words(language: str) -> Words:
    return load_registry().words(language)


def codes(written: Written) -> list[str]:
    return [found.code for found in written.findings]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['language']}-{case['text'][:40]}")
def test_a_date(case: dict[str, Any]) -> None:
    read = read_date(case["text"], words(case["language"]), "date", order=case.get("order"))
    assert (read.text, codes(read)) == (case["iso"], case["codes"])
    for found in read.findings:
        assert found.rule == case["rule"]
        assert found.component == "date"
        assert 0 <= found.start <= found.end <= len(case["text"]) == len(found.text)
    if "suggestion" in case:
        assert read.findings[0].suggestion == case["suggestion"]


@pytest.mark.parametrize("case", [case for case in CASES if case["iso"]], ids=lambda c: c["text"])
def test_what_was_done_is_said(case: dict[str, Any]) -> None:
    read = read_date(case["text"], words(case["language"]), "date", order=case.get("order"))
    if case["text"] == case["iso"]:
        assert read.steps == ()
        return
    assert read.steps
    assert {step.field for step in read.steps} == {"date"}
    assert all(step.before and step.before != step.after for step in read.steps)


def test_every_code_occurs_and_says_something() -> None:
    for code in (load_codes()[f"LX{number}"] for number in range(740, 760)):
        assert code.message[0].islower() or code.message.startswith("{0}")
        assert code.rule.startswith("RFC 9676 §")


@pytest.mark.parametrize("language", LANGUAGES)
def test_dates_as_labels_have_them_are_read_back(language: str) -> None:
    style = make_style(load_registry(), "zz", language)
    for day in range(dt.date(2003, 1, 1).toordinal(), dt.date(2003, 12, 31).toordinal(), 3):
        iso = dt.date.fromordinal(day).isoformat()
        text = describe_date(Date(iso=iso), style)
        assert text != iso
        read = read_date(text, words(language), "date")
        assert (read.text, read.findings) == (iso, ()), text
        assert find_date(text, words(language)) == (0, len(text))
        span = find_date(f"{text} ; 12", words(language))
        assert span is not None, text
        assert span[0] == 0


@cache
def months(language: str) -> list[tuple[int, str]]:
    entries = load_registry().lexicon(Kind.MONTH, language)
    return [(int(entry.notation), text) for entry in entries for text in entry.texts]


@pytest.mark.parametrize("language", SPELT)
@pytest.mark.parametrize("form", ["21 {} 2003", "21. {} 2003", "{} 21, 2003", "2003 {} 21"])
def test_every_form_of_every_month(language: str, form: str) -> None:
    for month, name in months(language):
        read = read_date(form.format(name), words(language), "date")
        assert read.text == f"2003-{month:02}-21", name


@pytest.mark.parametrize("language", SPELT)
@pytest.mark.parametrize("kind", [Kind.ORDINAL, Kind.CARDINAL])
def test_every_word_for_the_day(language: str, kind: Kind) -> None:
    may = next(name for month, name in months(language) if month == 5)
    known = words(language).ordinals if kind is Kind.ORDINAL else words(language).cardinals
    for entry in load_registry().lexicon(kind, language):
        day = int(entry.notation)
        # A spelling that means two numbers (Norwegian "attende", 8th or 18th) means none.
        clear = [text for text in entry.texts if make_key(text) in known]
        for text in clear if 1 <= day <= 31 else ():
            read = read_date(f"{text} {may} 2003", words(language), "date")
            assert read.text == f"2003-05-{day:02}", text


@pytest.mark.parametrize("language", SPELT)
def test_weekdays_are_dropped_and_held_against_the_date(language: str) -> None:
    may = next(name for month, name in months(language) if month == 5)
    for entry in load_registry().lexicon(Kind.WEEKDAY, language):
        name = entry.labels[0].text
        read = read_date(f"{name}, 21 {may} 2003", words(language), "date")
        right = int(entry.notation) == dt.date(2003, 5, 21).isoweekday()
        assert (read.text, codes(read)) == ("2003-05-21", [] if right else ["LX750"]), name


SEVERAL = [
    ("en", "December 30, 1999-January 13, 2000", ["1999-12-30", "2000-01-13"]),
    ("it", "30 dicembre 1999-13 gennaio 2000", ["1999-12-30", "2000-01-13"]),
    ("it", "30 dicembre 1999 e 13 gennaio 2000", ["1999-12-30", "2000-01-13"]),
    ("en", "1999-12-30/2000-01-13", ["1999-12-30", "2000-01-13"]),
    ("en", "1999-12-30 - 2000-01-13", ["1999-12-30", "2000-01-13"]),
    ("en", "1999-12-30; 2000-01-13", ["1999-12-30", "2000-01-13"]),
    ("en", "December 30-31, 1999", ["1999-12-30", "1999-12-31"]),
    ("it", "30 e 31 dicembre 1999", ["1999-12-30", "1999-12-31"]),
    ("fr", "1er, 2 et 3 mai 2000", ["2000-05-01", "2000-05-02", "2000-05-03"]),
    ("en", "21 September 2003", ["2003-09-21"]),
    ("it", "21/09/2003, 22/09/2003", ["2003-09-21", "2003-09-22"]),
]


@pytest.mark.parametrize(("language", "text", "isos"), SEVERAL)
def test_several_dates(language: str, text: str, isos: list[str]) -> None:
    read = read_dates(text, words(language), "date")
    assert [each.text for each in read] == isos
    assert [found for each in read for found in each.findings] == []


def test_a_wrong_weekday_inside_one_of_several_dates() -> None:
    read = read_dates("3 Sunday May 1999; 4 May 1999", words("en"), "date")
    found = [(each.text, codes(each)) for each in read]
    assert found == [("1999-05-03", ["LX750"]), ("1999-05-04", [])]


def test_several_dates_with_a_fault() -> None:
    read = read_dates("1999-12-30, 2000-02-30", words("en"), "date")
    assert [(each.text, codes(each)) for each in read] == [("1999-12-30", []), (None, ["LX744"])]
    read = read_dates("2 May 2000 and 2 May 2000", words("en"), "date")
    assert [(each.text, codes(each)) for each in read] == [("2000-05-02", ["LX751"])]
    read = read_dates("1999-12-30 but not 2000-01-13", words("en"), "date")
    assert [each.text for each in read] == [None]
    read = read_dates("30 and 31 February 2000", words("en"), "date")
    assert [codes(each) for each in read] == [["LX744"], ["LX744"]]


FOUND = [
    ("it", "Legge 21 settembre 2003, n. 456", "21 settembre 2003"),
    ("it", "Legge n. 5, 6 maggio 2003", "6 maggio 2003"),
    ("it", "D.P.R. domenica 21 settembre 2003 n. 4", "21 settembre 2003"),
    ("pt", "Decreto nº 88.821, de 6 de Outubro de 1983", "6 de Outubro de 1983"),
    ("pt", "Lei n° 5 de 6 de outubro de 1983", "6 de outubro de 1983"),
    ("en", "Act of September 21, 2003, No. 456", "September 21, 2003"),
    ("en", "No. 12/2003 of 21.09.2003", "21.09.2003"),
    ("ru", "Закон от 12 декабря 1993 г. № 4", "12 декабря 1993"),
    ("ja", "平成15年9月21日法律第4号", "平成15年9月21日"),
    ("en", " 20030921 ", "20030921"),
    ("en", "2003-02-30", "2003-02-30"),
    ("en", "ACORDAO 0038500-46.2008.5.16.0015", None),
    ("en", "Act No. 20030921 of the House", None),
    ("en", "no date", None),
    ("en", "", None),
]


@pytest.mark.parametrize(("language", "text", "date"), FOUND)
def test_a_date_in_a_longer_text(language: str, text: str, date: str | None) -> None:
    span = find_date(text, words(language))
    assert (span and text[span[0] : span[1]]) == date


PERIODS = [
    ("en", "XIV legislature", "14.legislature"),
    ("it", "XIV legislatura", "14.legislatura"),
    ("it", "XIV Legislatura", "14.legislatura"),
    ("it", "Legislatura XIV", "14.legislatura"),
    ("it", "quattordicesima legislatura", "14.legislatura"),
    ("it", "14a legislatura", "14.legislatura"),
    ("fr", "13ème législature", "13.legislature"),
    ("pt", "54ª Legislatura", "54.legislatura"),
    ("de", "19. Wahlperiode", "19.wahlperiode"),
    ("en", "2019-2021", "2019.2021"),
    ("it", "2003", "2003"),
    ("it", "XIV legislatura, sessione 2", "14.legislatura.sessione.2"),
]


@pytest.mark.parametrize(("language", "text", "period"), PERIODS)
def test_periods(language: str, text: str, period: str) -> None:
    read = read_period(text, words(language), Mode.ASCII, "period")
    assert (read.text, codes(read)) == (period, [])
    assert check(f"urn:lex:it:stato:legge:{period};1").valid


@pytest.mark.parametrize(
    ("text", "code"), [("", "LX710"), (" ", "LX710"), ("--", "LX711"), ("()", "LX711")]
)
def test_what_is_no_period(text: str, code: str) -> None:
    read = read_period(text, words("it"), Mode.ASCII, "period")
    assert (read.text, codes(read)) == (None, [code])


LOCAL = [
    ("כ״א באלול תשנ״ט", "1999-09-02", "כ״א-באלול-תשנ״ט", []),
    ('כ"א באלול תשנ"ט', "1999-09-02", "כ״א-באלול-תשנ״ט", []),
    ("כ״א-בֶּאֱלוּל-תשנ״ט", "1999-09-02", "כ״א-בֶּאֱלוּל-תשנ״ט", []),
    ("\u200fכ״א באלול תשנ״ט\u200f", "1999-09-02", "כ״א-באלול-תשנ״ט", []),
    ("21 Elul 5759", "1999-09-02", "21-elul-5759", []),
    ("21 Elul 5759", "1999-09-01", "21-elul-5759", ["LX756"]),
    ("27 شعبان 1412", "1992-03-02", "27-شعبان-1412", ["LX756"]),
    ("27 شعبان 1412", "1992-03-01", "27-شعبان-1412", []),
    ("30 محرم 1420", "1999-05-16", "30-محرم-1420", []),
    ("30 محرم 1420", "1999-05-17", "30-محرم-1420", ["LX756"]),
    ("27 شعبان 1342", "1924-04-02", "27-شعبان-1342", []),
    ("平成15年9月21日", "2003-09-21", "平成15年9月21日", []),
    ("21/9/2003", "2003-09-21", "21.9.2003", []),
    ("21 settembre 2003", "2003-09-21", "21-settembre-2003", []),
    ("19 febbraio 1861", "1861-03-03", "19-febbraio-1861", []),
    ("19 febbraio 1861", "1861-03-04", "19-febbraio-1861", ["LX757"]),
    ("2 ก.ย. 2542", "1999-09-02", "2-ก.ย.-2542", []),
    ("21, Elul; 5759", "1999-09-02", "21.-elul.-5759", []),
]


@pytest.mark.parametrize(("text", "iso", "local", "found"), LOCAL)
def test_local_dates(text: str, iso: str, local: str, found: list[str]) -> None:
    written = write_local_date(text, iso, words("it"), Mode.UTF8, "local_date")
    assert written.text is not None
    assert written.text.isascii()
    assert (unquote(written.text), codes(written)) == (local, found)
    report = check(f"urn:lex:il:x:y:{iso}|{written.text};1")
    assert report.valid
    assert str(report.name) == report.text
    assert [each.code for each in report.findings if each.component == "date-loc"] == []


NO_LOCAL = [
    ("", "1999-09-02", "LX740"),
    (" \u200f ", "1999-09-02", "LX740"),
    ("///", "1999-09-02", "LX740"),
    ("21 Elul\x005759", "1999-09-02", "LX741"),
    ("21 \u202eElul 5759", "1999-09-02", "LX741"),
    ("x" * 400, "1999-09-02", "LX741"),
    ("30 Elul 5759", "1999-09-11", "LX752"),
    ("昭和64年1月8日", "1989-01-08", "LX752"),
    ("21 Elul 5759", "1999-10-02", "LX753"),
    ("27 شعبان 1412", "1992-03-04", "LX753"),
    ("平成15年9月21日", "2003-09-22", "LX753"),
]


@pytest.mark.parametrize(("text", "iso", "code"), NO_LOCAL)
def test_local_dates_that_are_refused(text: str, iso: str, code: str) -> None:
    written = write_local_date(text, iso, words("he"), Mode.UTF8, "local_date")
    assert (written.text, codes(written)) == (None, [code])


def test_letters_of_a_local_date_in_ascii() -> None:
    written = write_local_date("21 aoû́t 1999", "1999-08-21", words("fr"), Mode.ASCII, "local_date")
    assert written.text == "21-aout-1999"
    written = write_local_date("3. März 1999", "1999-03-03", words("de"), Mode.ASCII, "local_date")
    assert written.text == "3.-maerz-1999"
    written = write_local_date(
        "3 września 1999 r.", "1999-09-03", words("pl"), Mode.ASCII, "local_date"
    )
    assert written.text == "3-wrzesnia-1999-r"
    kept = write_local_date("27 شعبان 1412", "1992-03-02", words("ar"), Mode.ASCII, "local_date")
    assert unquote(kept.text or "") == "27-شعبان-1412"


COMPUTED = [
    ("hebrew", Mode.UTF8, "כ״א-באלול-תשנ״ט", []),
    ("hebrew", Mode.ASCII, "21-elul-5759", []),
    ("hijri", Mode.UTF8, "22-جمادى-الأولى-1420", ["LX755"]),
    ("hijri", Mode.ASCII, "22-jumada-al-ula-1420", ["LX755"]),
    ("japanese", Mode.UTF8, "平成11年9月2日", []),
    ("japanese", Mode.ASCII, "heisei-11-9-2", []),
]


@pytest.mark.parametrize(("calendar", "mode", "local", "found"), COMPUTED)
def test_local_dates_that_are_computed(
    calendar: str, mode: Mode, local: str, found: list[str]
) -> None:
    written = compute_local_date("1999-09-02", calendar, mode, "calendar")
    assert (unquote(written.text or ""), codes(written)) == (local, found)
    assert [step.action for step in written.steps] == ["computed"]
    again = write_local_date(local, "1999-09-02", words("en"), mode, "local_date")
    assert (again.text, codes(again)) == (written.text, [])


@pytest.mark.parametrize(
    ("iso", "calendar"),
    [
        ("1872-12-31", "japanese"),
        ("1924-07-31", "hijri"),
        ("1999-09-02", "maya"),
        ("x", "hebrew"),
    ],
)
def test_local_dates_that_cannot_be_computed(iso: str, calendar: str) -> None:
    written = compute_local_date(iso, calendar, Mode.UTF8, "calendar")
    assert (written.text, codes(written)) == (None, ["LX759"])
