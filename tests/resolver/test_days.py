"""What is said of a day: in force, not yet, no longer, not known; withdrawn, or later to be."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Any

import pytest

from lexurn.catalogue import MemoryHoldings
from lexurn.model import Item, Record, Status, families_of
from lexurn.name import parse
from lexurn.resolver import Match, make_answer_json, resolve

if TYPE_CHECKING:
    from lexurn.resolver import Answer

_ACT = "urn:lex:it:stato:legge:1948-01-01;7"
_ITEMS = (Item(url="https://law.example/7"),)


def _day(text: str | None) -> dt.date | None:
    return None if text is None else dt.date.fromisoformat(text)


def _record(name: str, since: str | None = None, until: str | None = None, **more: Any) -> Record:
    return Record(name=parse(name), in_force_from=_day(since), in_force_until=_day(until), **more)


def _asked(day: str, *records: Record, name: str = _ACT) -> tuple[Answer, str]:
    answer = resolve(name, MemoryHoldings(families_of(records)), date=_day(day))
    return answer, " ".join(each.message for each in answer.all_reasons() if each.code == "LX952")


@pytest.mark.parametrize(
    ("since", "until", "day", "said"),
    [
        (None, "1990-01-01", "1995-05-05", "no longer in force on 1995-05-05: it ended on 1990"),
        (None, "1990-01-01", "1990-01-01", "no longer in force"),
        (None, "1990-01-01", "1989-12-31", ""),
        ("1950-01-01", None, "1949-12-31", "not yet in force on 1949-12-31: it comes into force"),
        ("1950-01-01", None, "1950-01-01", ""),
        (None, None, "1900-01-01", ""),
    ],
)
def test_a_work_without_versions(since: str, until: str, day: str, said: str) -> None:
    for name in (_ACT, f"{_ACT}:allegato.1"):
        annex = _record(f"{_ACT}:allegato.1", items=_ITEMS)
        act = _record(_ACT, since, until, items=_ITEMS)
        answer, told = _asked(day, act, annex, name=name)
        assert answer.match is Match.EXACT
        assert answer.urls == ("https://law.example/7",)
        assert told.startswith(said)
        assert bool(told) is bool(said)


@pytest.mark.parametrize(
    ("since", "until", "version", "day", "said"),
    [
        (
            "1948-02-01",
            None,
            "2020-01-01",
            "1950-01-01",
            "no version of 1950-01-01 is in the catalogue",
        ),
        (None, None, "2020-01-01", "1950-01-01", "no version of 1950-01-01 is in the catalogue"),
        ("1948-02-01", None, "2020-01-01", "1948-01-15", "not yet in force on 1948-01-15"),
        ("1948-02-01", None, "originale", "1948-01-15", "comes into force on 1948-02-01"),
        (None, None, "originale", "1947-01-15", "not known to be in force on 1947-01-15"),
        (None, None, "originale", "1947-01-15", "is from 1948-01-01, the date of the act"),
        ("1948-02-01", "1990-01-01", "originale", "1995-01-01", "no longer in force"),
    ],
)
def test_a_work_of_which_no_version_of_the_day_is_held(
    since: str, until: str, version: str, day: str, said: str
) -> None:
    answer, told = _asked(day, _record(_ACT, since, until), _record(f"{_ACT}@{version}:it"))
    assert said in told
    assert not answer.candidates[0].editions
    assert ("not yet in force" in told) is ("not yet" in said or "comes into" in said)


@pytest.mark.parametrize(
    ("act", "version", "day", "expected"),
    [
        ((None, None), (None, None), "1990-01-01", ("1948-01-01", "BasisActDate", None)),
        ((None, None), (None, None), "1940-01-01", None),
        (("1948-02-01", None), (None, None), "1990-01-01", ("1948-02-01", "BasisStated", True)),
        ((None, "1980-01-01"), (None, None), "1970-01-01", ("1948-01-01", "BasisActDate", True)),
        ((None, None), ("1949-01-01", None), "1990-01-01", ("1949-01-01", "BasisStated", True)),
        ((None, None), (None, "1950-01-01"), "1949-01-01", ("1948-01-01", "BasisActDate", True)),
    ],
)
def test_force_is_known_only_where_a_record_states_a_day(
    act: tuple[str | None, str | None],
    version: tuple[str | None, str | None],
    day: str,
    expected: tuple[str, str, bool | None] | None,
) -> None:
    answer, _ = _asked(day, _record(_ACT, *act), _record(f"{_ACT}@originale:it", *version))
    found = [
        (str(each.start), each.start_basis, each.in_force) for each in answer.candidates[0].editions
    ]
    assert found == ([] if expected is None else [expected])
    for each in make_answer_json(answer)["candidates"][0]["versions"]:
        assert (each["start"], each["start_basis"], each["in_force"]) == expected


def test_between_two_versions_none_is_held() -> None:
    first = _record(f"{_ACT}@originale:it", until="1960-01-01")
    told = _asked("1970-01-01", first, _record(f"{_ACT}@2020-01-01:it"))[1]
    assert "no version of 1970-01-01 is in the catalogue" in told


def _withdrawn(name: str) -> Record:
    day = dt.date(2030, 1, 1)
    return _record(name, items=_ITEMS, status=Status.WITHDRAWN, withdrawn_on=day)


def test_a_version_stands_for_itself_when_its_act_is_withdrawn() -> None:
    records = (_withdrawn(_ACT), _record(f"{_ACT}@originale:it", items=_ITEMS))
    for behind, match in (("@originale:it", Match.EXACT), ("@originale", Match.PARTIAL)):
        answer, told = _asked("2026-01-01", *records, name=_ACT + behind)
        assert (answer.match, answer.urls) == (match, ("https://law.example/7",))
        assert "withdrawn since 2030-01-01" in told


@pytest.mark.parametrize("day", ["1990-01-01", "2026-01-01", "2031-01-01"])
def test_a_withdrawal_is_of_the_name_whatever_day_is_asked(day: str) -> None:
    version = f"{_ACT}@originale:it"
    records = (_withdrawn(_ACT), _record(version, items=_ITEMS))
    for behind in ("", "@2020-01-01:it", "~art1"):
        answer, _ = _asked(day, *records, name=_ACT + behind)
        assert (answer.match, answer.urls) == (Match.WITHDRAWN, ())
        assert answer.candidates[0].withdrawn_on == dt.date(2030, 1, 1)
    for behind in ("~art1", "~art1;com2"):
        part = (_record(_ACT, items=_ITEMS), _withdrawn(f"{_ACT}~art1"))
        assert _asked(day, *part, name=_ACT + behind)[0].match is Match.WITHDRAWN
    assert not _asked(day, _withdrawn(version))[0].candidates[0].editions


def test_a_version_of_the_same_day_is_in_force_where_the_other_is_withdrawn() -> None:
    first, second = f"{_ACT}@2001-01-01:it", f"{_ACT}@2002-01-01:it"
    records = (
        _record(first, "2001-01-01"),
        _record(second, "2001-01-01", status=Status.WITHDRAWN),
    )
    answer, told = _asked("2026-01-01", *records)
    (edition,) = answer.candidates[0].editions
    assert (str(edition.name), edition.in_force, told) == (first, True, "")


def test_a_format_of_a_version_that_is_withdrawn() -> None:
    version = _record(f"{_ACT}@2001-01-01:it", status=Status.WITHDRAWN)
    name = f"{_ACT}@2001-01-01:it$a.it:pdf"
    answer, told = _asked("2026-01-01", version, _record(name, items=_ITEMS), name=name)
    assert answer.urls == ("https://law.example/7",)
    (edition,) = answer.candidates[0].editions
    assert (edition.in_force, edition.is_withdrawn) == (None, True)
    assert f"{version.name} is withdrawn; {name} is not" in told


@pytest.mark.parametrize("behind", ["\udcff", "~\udcff", "@\udcff", ":\ud800"])
@pytest.mark.parametrize("dialect", ["auto", "rfc9676", "lexml"])
def test_what_is_no_text_is_no_name(behind: str, dialect: str) -> None:
    holdings = MemoryHoldings(families_of([_record(_ACT)]))
    answer = resolve(_ACT + behind, holdings, dialect=dialect)
    assert answer.match is Match.NONE
    assert [each.code for each in answer.reasons] == ["LX958"]
    assert "UTF-8" in answer.reasons[0].message


def test_a_day_may_be_a_text() -> None:
    holdings = MemoryHoldings(families_of([_record(_ACT, "1950-01-01", items=_ITEMS)]))
    assert resolve(_ACT, holdings, date="1949-12-31") == resolve(
        _ACT, holdings, date=dt.date(1949, 12, 31)
    )
    with pytest.raises(ValueError, match="'yesterday'"):
        resolve(_ACT, holdings, date="yesterday")


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("<urn:lex:it:stato:legge>", "missing value: details"),
        (" urn:lex:it", "missing value: authority"),
        ("(urn:lex:it:stato)", "missing value: measure"),
        ("hello", 'the name does not begin with "urn:"'),
    ],
)
def test_a_name_in_brackets_is_judged_without_them(text: str, fault: str) -> None:
    reasons = resolve(text, MemoryHoldings(())).reasons
    assert [each.code for each in reasons] == ["LX958"]
    assert reasons[0].message.startswith(f"this is not a valid name: {fault}")
