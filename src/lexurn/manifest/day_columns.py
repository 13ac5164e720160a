"""Columns of days and years: those of the act, of its publication and of its force."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.manifest.columns import is_count, is_year, list_header_words, load_header_words
from lexurn.manifest.days import find_order, guess_day
from lexurn.manifest.mapping_draft import Guess
from lexurn.manifest.number_columns import find_other_days

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.mapping_draft import MappingDraft

_SHORT_WORD, _MANY_ROWS = 3, 10
_FEWEST_EXCHANGED = 4  # of dates and of texts; fewer may be so by chance
_CAPITALS = re.compile(r"\b[A-Z]{2,}\b")
_MILLISECONDS = re.compile(r"-?\d{11,13}")
_DATE_ORDERS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
_ROLES = ("other-act", "in-force-until", "in-force-from", "published", "modified", "other-date")
DAY_COLUMNS = {
    "in-force-until": "in_force_until",
    "in-force-from": "in_force_from",
    "published": "published",
    "modified": "modified",
}
"""Columns of a manifest by the roles of headers; without those of the day of the act."""


def _choose_day_role(column: ColumnFacts) -> str | None:
    """Choose the meaning of a column of days by its header, None where several fit or none."""
    roles = column.roles.keys() | ({"published"} if "gazette" in column.roles else set())
    found = [role for role in _ROLES if role in roles]
    if "other-act" in found:
        return "other-act"
    if "act-date" in column.roles:
        return None if found else "act-date"
    if len(found) > 1:
        return None
    if found or "date" not in column.roles:
        return found[0] if found else None
    known = frozenset().union(*column.roles.values())
    unknown = [each for each in list_header_words(column.header) if each not in known]
    # "del" says nothing, but "BOP" may be a gazette.
    capitals = [] if column.header.isupper() else _CAPITALS.findall(column.header)
    is_plain = all(len(each) <= _SHORT_WORD for each in unknown)
    return "date" if is_plain and not {*map(str.lower, capitals)} & {*unknown} else None


def _describe_days(column: ColumnFacts) -> str:
    """Describe a column whose cells are days; empty for any other."""
    if not column.has_most(len(column.days)):
        return ""
    order = find_order(column.days)
    text = f"{column.share(len(column.days))} are dates"
    if order in _DATE_ORDERS:
        deciding = sum(day.orders == {order} for day in column.days)
        return f"{text}, {_DATE_ORDERS[order]} ({deciding} show it)"
    mixed = {"mixed": ", some day first, some month first", "open": ", order open"}
    return text + mixed.get(order, "")


def take_days(draft: MappingDraft, target: str) -> None:
    """Take the day of the act, or ask which of the columns of days has it."""
    for column in list(draft.left.values()):
        if "date" in column.roles and column.is_mostly(_MILLISECONDS.fullmatch):
            draft.ignore(column.header, "milliseconds since 1970, which are not read: export days")
    left = {each: _describe_days(each) for each in draft.left.values() if not is_count(each)}
    days = {column: reason for column, reason in left.items() if reason}
    groups: dict[str, list[ColumnFacts]] = {}
    for column in days:
        draft.days[column.header] = column.days
        groups.setdefault(_choose_day_role(column) or "unknown", []).append(column)
    groups.pop("other-act", None)
    published = groups.get("published", [])
    for role in DAY_COLUMNS:
        _take_other_days(draft, groups.pop(role, []), role, days)
    certain = groups.get("act-date", [])
    if not certain and "unknown" not in groups:
        # Many rows with one day have that of an export.
        dated = groups.get("date", ())
        certain = [each for each in dated if len(each.counts) > 1 or len(each.cells) < _MANY_ROWS]
    if len(certain) != 1:
        names = ("date", "unknown", "other-date")
        others = [each for name in names for each in groups.get(name, ())]
        others = certain or [*others, *published]
        draft.ask_about(others, target, "which is the date of the act?")
    else:
        is_named = "act-date" in groups
        by = "by the header" if is_named else "no other column can be the date of the act"
        _take_day_of_act(draft, certain[0], target, f"{days[certain[0]]}; {by}")
    for column, reason in days.items():
        if column.header in draft.left:
            kind = "act" if "other-act" in column.roles else "date"
            draft.ignore(column.header, f"{reason}; the header names another {kind}")


def _take_day_of_act(draft: MappingDraft, column: ColumnFacts, target: str, reason: str) -> None:
    """Take the day of the act, unless it needs a calendar, or citations mostly state others."""
    is_local = any(day.is_local for day in column.days)
    calendars = load_header_words().calendars.items() if is_local else ()
    name = next((name for name, codes in calendars if {*draft.codes[:1]} & {*codes}), None)
    if name is not None:
        draft.add("", "calendar", name, f"the calendar of {draft.codes[0]}")
    if is_local and name is None:
        draft.ask_about([column], target, "first choose the calendar")
    elif exchanged := _find_exchanged_days(column):
        draft.ask_about([column], target, exchanged)
    elif target == "date" and (other := find_other_days(draft, column)):
        draft.ask_about([column], target, f'{other}; "published" if it is the day of publication')
    else:
        draft.take(column, target, reason)


def _find_exchanged_days(column: ColumnFacts) -> str:
    """Tell that a spreadsheet may have exchanged day and month in the cells that it made dates.

    It reads 3/1 as the first of March, and leaves 31/1 as a text, since there is no month 31. Then
    all its dates are of the first twelve days, and all texts of later ones.
    """
    days = [(each, reading) for each in column.cells if (reading := guess_day(each)) is not None]
    dates = [each for each, day in days if day.is_plain]
    texts = [each for each, day in days if day.orders in ({"dmy"}, {"mdy"})]
    is_split = len(dates) + len(texts) == len(days) and all(each[8:] <= "12" for each in dates)
    if not is_split or min(len(dates), len(texts)) < _FEWEST_EXCHANGED:
        return ""
    return (
        f"all {len(dates)} dates ({dates[0]}) are of days up to 12, and all {len(texts)} texts "
        f"({texts[0]}) of later ones: did a spreadsheet exchange day and month of the dates? "
        "Then export them as texts"
    )


def _take_other_days(
    draft: MappingDraft,
    columns: Sequence[ColumnFacts],
    role: str,
    reasons: Mapping[ColumnFacts, str],
) -> None:
    """Take the column of a day of publication or of force, or ask which of several has it."""
    if len(columns) > 1:
        draft.ask_about(columns, DAY_COLUMNS[role], f"which is {DAY_COLUMNS[role]}?")
        return
    for column in columns:
        note = "; the first day no longer in force" if role == "in-force-until" else ""
        if role == "modified" and any(day.has_zone for day in column.days):
            del draft.days[column.header]
            draft.ask_about([column], role, "its times of day need time_zone")
        elif exchanged := _find_exchanged_days(column):
            draft.ask_about([column], DAY_COLUMNS[role], exchanged)
        elif any(day.is_free for day in column.days):
            reason = "only the date of the act may be in such words"
            draft.ignore(column.header, f"{reasons[column]}, but {reason}")
        else:
            draft.take(column, DAY_COLUMNS[role], f"{reasons[column]}; by the header{note}")


def add_date_order(draft: MappingDraft) -> None:
    """Add the lines on how days are written, which hold for all columns of days."""
    orders = {header: find_order(days) for header, days in draft.days.items()}
    found = {*orders.values()} - {"iso"}
    # A column in which no day decides follows the others.
    certain = found - {"open"} or found
    names = ", ".join(header for header, order in orders.items() if order in found)
    if len(certain) == 1 and certain <= _DATE_ORDERS.keys():
        order = certain.pop()
        follow = ", ".join(header for header, each in orders.items() if each == "open")
        sure = ", ".join(header for header, each in orders.items() if each == order)
        more = f"; also used for {follow}, which fits every order" if follow else ""
        draft.add("", "date_order", order, f"{_DATE_ORDERS[order]} in {sure}{more}")
    elif certain:
        _ask_for_order(draft, names)
    elif headers := [
        header
        for header, days in draft.days.items()
        if not all(day.is_plain or "words" in day.orders for day in days)
    ]:
        reason = "year first, with a time of day or without hyphens, in"
        draft.add("", "date_order", "ymd", f"{reason} {', '.join(headers)}")
    for key, value, kind, reason in (
        ("two_digit_years", 1950, "is_short", "the first of the hundred years of the dates in"),
        ("time_zone", "", "has_zone", "the place of these times, such as Europe/Rome:"),
        ("calendar", "solar-hijri", "is_local", "or another calendar, in"),
    ):
        headers = [h for h, days in draft.days.items() if any(getattr(d, kind) for d in days)]
        if headers and all(each.key != key for each in draft.guesses):
            why = f"{reason} {', '.join(headers)}"
            draft.guesses.append(Guess("", key, value, why, is_decided=False))


def _ask_for_order(draft: MappingDraft, names: str) -> None:
    """Ask for the order of days; name the first day of the rarer order that shows one."""
    found: dict[str, list[str]] = {"dmy": [], "mdy": []}
    for header in draft.days:
        for number, cell in enumerate(draft.list_cells(header), start=1):
            orders = day.orders if (day := guess_day(cell)) else ()
            for order in orders & found.keys() if len(orders) == 1 else ():
                found[order].append(f"row {number}, {cell}")
    rare, common = sorted(found, key=lambda order: len(found[order]))
    shown = rare if found[rare] else common
    why = "no day is after the 12th"
    if days := found[shown]:
        total = sum(map(len, draft.days.values()))
        why = f"{len(days)} of {total} {'is' if len(days) == 1 else 'are'} {_DATE_ORDERS[shown]}"
        why += f" ({days[0]})"
    order, other = (common, rare) if days else ("dmy", "mdy")
    draft.ask("", "date_order", order, f"or {other}? {why}: {names}")


def take_years(draft: MappingDraft) -> None:
    """Take the year of the act, if no column has its day, or ask which of the columns has it."""
    years = [
        column
        for column in draft.left.values()
        if "year" in column.roles and column.is_mostly(is_year)
    ]
    dated = draft.find_target("date")
    own = [each for each in years if not {"other-act", "published"} & each.roles.keys()]
    asked = any(each.value == "date" and not each.is_decided for each in draft.guesses)
    if dated is not None:
        for column in years:
            draft.ignore(column.header, f"years, but {dated} has the whole day")
    elif len(own) == 1 and not asked:
        column = own[0]
        share = column.share(column.count(is_year))
        draft.take(column, "period", f"{share} are years; no column has the whole day")
    else:
        draft.ask_about(own, "period", "which is the year of the act?")
