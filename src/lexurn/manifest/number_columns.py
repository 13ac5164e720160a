"""Columns of numbers and of citations, and the patterns of cells that have several parts.

Days, numbers and years that citations and titles state are compared with other columns.
"""

from __future__ import annotations

import re
from collections import Counter
from itertools import product
from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest.columns import (
    ADDRESS,
    FEWEST_DISTINCT,
    LONG_TEXT,
    MANY,
    find_roles,
    has_titles,
    is_count,
    is_phrase,
    is_year,
    list_header_words,
    load_header_words,
    load_single_words,
    shorten,
)
from lexurn.manifest.days import DayRules, guess_day

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.manifest.columns import ColumnFacts
    from lexurn.manifest.mapping_draft import MappingDraft

_LONGEST_NUMBER, _LONGEST_CITATION = 60, 320  # characters, on average
_MOST_CELLS, _MOST_CODES = 40, 10  # tried
_MANY_TO_A_SLIP = 20  # numbers for each one that has leading zeros by a slip
_END = r"[\s,]|$|/(?:1[5-9]|20)\d\d$"
_ZEROS = re.compile(rf"(?:^|\s)0+\d+(?:{_END})")  # "04-123" and "4-123" are two numbers
_CITING = frozenset({"act", "measure", "number", "summary", "title"})
_TITLES = frozenset({"summary", "title"})  # without a day, their numbers may be other ones
_BARE, _OF_ACT = 4, 5  # ranks of headers that name a number, and the number of an act
_NO_NUMBER = frozenset(
    {"id", "other-act", "other-matter", "published", "other-date", "authority", "office"}
    | {"measure", "gazette"}
)


def take_numbers(draft: MappingDraft) -> None:
    """Take the column that has the number of the act, else one of citations; or ask."""
    unsure = _take_number(draft)
    if not {"number"} & draft.list_given() and not {"citation"} & draft.list_parts():
        columns = sorted(draft.left.values(), key=lambda each: "title" in each.roles)
        for column, cited, code in _list_cited(draft, columns):
            is_title = "title" in column.roles
            others = [each.header for each in unsure if is_title and each is not column]
            doubt = f"{others[0]} may have the number" if others else ""
            doubt = doubt or _find_other_years(draft, column)
            if _take_cited(draft, column, cited, code, doubt):
                break
    unsure = [each for each in unsure if each.header in draft.left]
    if "citation" in draft.list_parts():  # elsewhere it may be the number: "BGBl. Nr. 165/1999"
        unsure = [each for each in unsure if "gazette" not in each.roles]
    draft.ask_about(unsure, "number", "is it the number of the act?")


def _take_number(draft: MappingDraft) -> list[ColumnFacts]:
    """Take the column that has the number of the act, or return those that may have it."""
    levels = {
        column: _rank_number(draft, column)
        for column in draft.left.values()
        if column.digits >= MANY * max(1, len(column.cells))
        and column.length <= _LONGEST_NUMBER
        and column.distinct >= FEWEST_DISTINCT
        and not column.is_mostly(ADDRESS.fullmatch)
    }
    best = max(levels.values(), default=0)
    least = best - 2 if best >= _BARE else 1
    first = [column for column, level in levels.items() if level >= least]
    has_date = bool({"date", "period"} & draft.list_parts())
    if best < _BARE or len(first) > 1:
        for column in () if best or has_date else list(draft.left.values()):
            if dated := _find_number_and_year(column, is_dated=False):
                draft.ask("patterns", column.header, dated, f"number and year? {column.show(2)}")
                draft.ignore(column.header, "number and year of the act? see below")
        return first if best else []
    (column,) = first
    if _ask_about_cited(draft, column):
        return []
    others = [each.header for each, level in levels.items() if each is not column and level]
    more = f"; not {', '.join(others)}" if others else ""
    share, different = column.share(column.digits), f"{len(column.counts)} different"
    reason = f"{share} have digits, {different}; by the header{more}"
    words = _find_last_words(column)
    last = rf"(?:\s+{re.escape(words)})?" if words else ""
    frames = load_header_words().number_frames
    framed = (each for each in frames if column.is_mostly(re.compile(each).fullmatch))
    pattern = next(framed, "") or _find_number_and_year(column, is_dated=has_date)
    zeros = [] if pattern else [*filter(_ZEROS.search, column.counts)]
    slip = _find_padded_row(draft, column, zeros) if zeros else ""
    if slip:
        reason += f"; {slip}"
    elif any(map(_ZEROS.match, zeros)):
        pattern = rf"^(?:0+(?=\d+(?:{_END})))?(?P<number>.+?){last}$"
        known = f"if citations leave out the leading zeros ({zeros[0]})"
        draft.ask("patterns", column.header, pattern, known)
        draft.ask_about([column], "number", "if citations have the leading zeros too")
        return []
    if pattern:
        reason += ", with the year" * (pattern not in frames)
    elif words:
        pattern, reason = rf"^(?P<number>.*?){last}$", f"{reason}; without {words}"
    draft.take(column, "number", reason, pattern)
    return []


def _ask_about_cited(draft: MappingDraft, column: ColumnFacts) -> bool:
    """Ask about a column of numbers that citations or titles contradict; return whether any do."""
    citing = [each for each in draft.left.values() if _CITING & each.roles.keys()]
    citing = [each for each in citing if each is not column and "gazette" not in each.roles]
    for other, cited, _ in _list_cited(draft, citing):
        is_title = bool(_TITLES & other.roles.keys())
        whole = [each for each in cited if each.is_whole and (each.has_date or not is_title)]
        sure = [each for each in whole if draft.find_measure(each.measure)]
        is_sure = len(sure) >= MANY * len(other.sample(_MOST_CELLS))
        doubt = _find_other_numbers(draft, other, column) if is_sure else ""
        if doubt and not _find_other_years(draft, other):  # those are of other acts
            draft.ask_about([column], "number", doubt)
            cites = "is it the citation of the act?"
            if is_title:
                draft.ask("templates", "citation", f"{{{other.header}}}", cites)
            else:
                draft.ask_about([other], "citation", cites)
            return True
    return False


def _find_padded_row(draft: MappingDraft, column: ColumnFacts, zeros: Sequence[str]) -> str:
    """Find the row of the few numbers with leading zeros among shorter ones that have none."""
    few = column.count(_ZEROS.search)
    is_few = len(column.cells) >= _MANY_TO_A_SLIP * few
    if not is_few or not any(len(each) < len(zeros[0]) for each in column.counts):
        return ""
    row = draft.list_cells(column.header).index(zeros[0]) + 1
    return f"{few} with leading zeros, which stay (row {row}, {zeros[0]})"


def _rank_number(draft: MappingDraft, column: ColumnFacts) -> int:
    """Rank a column as the number of the act; 0 for none.

    One of rank 4 or 5 is decided if no other one has the same rank, or one or two less. A counter
    of rows has two less, since the acts of one year may count as rows do. A column that most rows
    do not have is asked about at most.
    """
    roles, words = column.roles, list_header_words(column.header)
    is_counter = is_count(column)
    is_rare = 2 * len(column.cells) < column.total
    if "number" not in roles:
        is_digits = column.is_mostly(str.isdecimal) and not is_counter
        if is_digits and "id" not in roles and draft.find_measure(" ".join(words)):
            return 1 if is_rare else _OF_ACT  # "ley" above 21000
        if "title" in roles and has_titles(column):
            return 0
        is_like = column.is_varied and not _NO_NUMBER & roles.keys() and not is_counter
        return int(is_like and not column.count(lambda cell: len(cell) > LONG_TEXT))
    if _NO_NUMBER & roles.keys() or (is_rare and not is_counter):
        return 1
    is_bare = {*words} == roles["number"] and {*words} <= load_single_words()
    rank = _BARE if is_bare else 1 + 2 * column.is_varied
    if "act" in roles or draft.find_measures(column.header):
        rank = _OF_ACT
    return max(1, rank - 2) if is_counter else rank


def _list_cited(
    draft: MappingDraft, columns: Iterable[ColumnFacts]
) -> Iterator[tuple[ColumnFacts, list[_CitedCell], str]]:
    """Yield the columns in which at least half of the cells cite an act, and the jurisdiction."""
    for column in columns:
        sample = column.sample(_MOST_CELLS)
        is_other = bool({"other-act", "note"} & column.roles.keys())
        if column.length > _LONGEST_CITATION or not sample or is_other:
            continue
        for code in draft.codes[:_MOST_CODES]:
            cited = [*filter(None, (_read_cell(draft, cell, code) for cell in sample))]
            if "title" in column.roles and len(draft.registry.law(code).measures):
                # "Permesso di costruire pratica D29" has the number of a file.
                cited = [
                    each for each in cited if each.is_certain and draft.find_measure(each.measure)
                ]
            if 2 * len(cited) >= len(sample):
                yield column, cited, code


def _take_cited(
    draft: MappingDraft,
    column: ColumnFacts,
    cited: Sequence[_CitedCell],
    code: str,
    doubt: str,
) -> bool:
    """Take a column in which at least half of the cells cite an act; return whether it may be."""
    is_dated = draft.find_target("date") is not None
    sample = column.sample(_MOST_CELLS)
    share = f"{len(cited)} of {len(sample)} are citations of {code}"
    is_most = len(cited) >= MANY * len(sample)
    known = sum(bool(draft.find_measure(each.measure)) for each in cited)
    if not _CITING & column.roles.keys():
        is_likely = is_most and known >= MANY * len(cited)
        if is_likely:
            draft.ask_about([column], "citation", f"{share}: of the act itself?")
        return is_likely
    pattern = _make_pattern(cited, is_dated=is_dated)
    found = [*filter(None, map(re.compile(pattern).match, column.cells))] if pattern else []
    read = [each for each in cited if each.is_whole and draft.find_measure(each.measure)]
    sure = [each for each in read if is_dated or each.has_date]
    matching = f"{share}; it matches {column.share(len(found))} cells"
    is_whole = True
    if len(sure) >= MANY * len(sample) and not doubt:
        padded = [*filter(_ZEROS.search, column.counts)][:_MOST_CELLS]
        acts = (_read_cell(draft, each, code) for each in padded)
        zeros = [each.cell for each in acts if each and each.number.startswith("0")]
        slip = f"; {len(zeros)} with leading zeros, which stay ({zeros[0]})" if zeros else ""
        unsure = [shorten(each.cell) for each in cited if each not in sure]
        slip += f"; check {len(unsure)} ({unsure[0]})" if unsure else ""
        draft.take(column, "citation", share + slip)
    elif pattern and known == len(cited) and len(found) >= MANY * len(column.cells) and not doubt:
        if "date" in found[0].groupdict():
            days = (guess_day(each["date"]) for each in found)
            draft.days[column.header] = [*filter(None, days)]
        draft.add("patterns", column.header, pattern, matching)
        draft.left.pop(column.header)
        is_whole = column.is_mostly(re.compile(pattern).fullmatch)
    else:
        if pattern and not doubt and not any(each.has_date for each in cited):
            draft.ask("patterns", column.header, pattern, matching)
            if "title" not in column.roles:
                draft.ignore(column.header, "type and number of the act? see below")
            return True
        understood = {each.cell for each in read}
        unread = [shorten(each) for each in sample if each not in understood][:2]
        gap = f"not all is understood: {', '.join(unread)}" if unread else "they lack a date"
        reason = f"{share}, but {doubt or gap}"
        if "title" in column.roles and "{" not in column.header:
            reason += f" ({column.show()})"
            draft.ask("templates", "citation", f"{{{column.header}}}", reason)
        else:
            draft.ask_about([column], "citation", reason)
        return True
    if "{" not in column.header:
        _use_words(draft, column, is_whole=is_whole)
    return True


def _use_words(draft: MappingDraft, column: ColumnFacts, *, is_whole: bool) -> None:
    """Use a column of citations as titles, or as citations on pages, too."""
    words = f"{{{column.header}}}"
    if "title" in column.roles:
        draft.add("templates", "title", words, "the citations are titles, too")
    if is_whole and column.is_mostly(re.compile(_YEAR).search):
        # Words at the end may be the subject of the act, which is no part of its citation.
        cite = draft.add if column.is_mostly(lambda cell: cell[-1].isdecimal()) else draft.ask
        cite("templates", "cited_as", words, "pages then cite the acts in these words")


def ask_for_pattern(draft: MappingDraft, target: str) -> bool:
    """Propose the piece of an address that may hold a number or period; return whether one may."""
    marks = load_header_words().number_marks if target == "number" else ("/",)
    value = "0*(?P<number>[0-9]+)" if target == "number" else rf"(?P<period>{_YEAR})/"
    for column, mark in product(draft.columns, marks):
        found = [*filter(None, map(re.compile(mark + value).search, column.cells))]
        if len(found) >= MANY * len(column.cells) and len({match[target] for match in found}) > 1:
            reason = f"no column has it, but {column.share(len(found))} cells match: check"
            reason += f" ({shorten(column.cells[0])})"
            draft.ask("patterns", column.header, mark + value, reason)
            return True
    return False


# --- patterns of cells with several parts of a name -----------------------------------


class _CitedCell(NamedTuple):
    """Parts of a citation: whether it has a day, and whether all of the cell was understood.

    The number may be that of another act or a file if it is not certain.

    ``sign`` is the word before the number if the registry does not know it, such as "số".
    """

    cell: str
    measure: str
    number: str
    has_date: bool
    is_whole: bool
    is_certain: bool
    sign: str


_YEAR = r"(?:1[5-9]|20)[0-9]{2}"
_DAY = r"\d{1,2}[º°ª]?\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{4}"
_FOLLOWING = {"date": _DAY, "period": rf"{_YEAR}(?!\d)"}
_YEAR_BEHIND = re.compile(rf"\s[^\W\d_]{{1,3}}\s{_YEAR}$")
_NEAR = 30  # characters behind a number
_MOST_TYPES, _LONGEST_TYPE, _FEW = 20, 50, 20
_JOINT = re.compile(r"\s[^\W\d_]{1,3}\s")  # "de" or "DEL"


def _read_cell(draft: MappingDraft, cell: str, code: str) -> _CitedCell | None:
    """Read a citation with a measure and a number; None for any other text."""
    act = draft.read_cited_act(cell, code)
    fields, codes = act.cited.fields, {found.code for found in act.cited.findings}
    if not fields.keys() >= {"measure", "number"}:
        return None
    measure, _, last = fields["measure"].rpartition(" ")
    sign = last if measure and "number" in find_roles(last).words else ""
    measure, number = measure if sign else fields["measure"], fields["number"][0]
    return _CitedCell(
        cell, measure, number, "date" in fields, "LX733" not in codes, "LX781" not in codes, sign
    )


def _make_pattern(cited: Sequence[_CitedCell], *, is_dated: bool) -> str:
    """Make a pattern of measure, number and day, if no other column has it; empty if none fits."""
    forms: Counter[tuple[str, str, str]] = Counter()
    numbers = [_YEAR_BEHIND.sub("", each.number) for each in cited]
    for each, number in zip(cited, numbers, strict=True):
        # A citation is read without odd blanks, which its cell may have.
        first = each.cell.find(number, each.cell.find(each.measure) + len(each.measure))
        # "An Act to amend the Finance Act 2": the number belongs to the type next to it.
        start = each.cell.rfind(each.measure, 0, max(first, 0))
        if start < 0:
            continue
        at = start + len(each.measure)
        end = until = first + len(number)
        before = each.cell[at:first].removeprefix(f" {each.sign}" if each.sign else "")
        kind = ""
        for name, text in {} if is_dated else _FOLLOWING.items():
            behind = re.compile(text).search(each.cell, end, end + _NEAR)
            if behind is not None and not kind:
                kind, until = name, behind.start()
        forms[before, each.cell[end:until], kind] += 1
    (((before, between, kind), times),) = forms.most_common(1) or [(("", "", ""), 0)]
    if 2 * times < len(cited) or not (is_dated or kind):
        return ""
    # Types that are not registered stand before the same sign, but not before a mere blank.
    measures = sorted(sorted({_escape(each.measure) for each in cited}), key=len, reverse=True)
    if not before.strip() and (len(measures) > _MOST_TYPES or len(measures[0]) > _LONGEST_TYPE):
        return ""
    measure = r"\D+?" if before.strip() else "|".join(measures)
    joint = r"\s[^\W\d_]{1,3}\s" if _JOINT.fullmatch(between) else _escape(between)
    last = f"{joint}(?P<{kind}>{_FOLLOWING[kind]})" if kind else ""
    words = "|".join(sorted({_escape(f" {each.sign}") for each in cited if each.sign}))
    before = (rf"(?:{words})?" if words else "") + _escape(before)
    plain = [each for each in numbers if not any(map(str.isalpha, each))]
    for texts in (plain, numbers):  # with letters a number may go on in the words behind
        signs = sorted({sign for number in texts for sign in number if not sign.isalnum()})
        others = "".join(f"\\{sign}" if sign in "]\\^-" else sign for sign in signs)
        digits = rf"\d(?:[\d{others}]*\d)?"
        zeros = "" if signs else "0*"  # "04-123" and "4-123" are two numbers
        if texts is numbers:
            digits = rf"(?:[^\W\d_]+[/.-])*\d(?:[\w{others}]*\w)?"
        pattern = rf"^(?P<measure>{measure}){before}{zeros}(?P<number>{digits}){last}"
        read = [
            found["number"] == (number.lstrip("0") if zeros else number)
            for each, number in zip(cited, numbers, strict=True)
            if (found := re.match(pattern, each.cell))
        ]
        if all(read) and 2 * len(read) >= len(cited):
            return pattern
    return ""


def _escape(text: str) -> str:
    """Escape a text between parts of a pattern; blanks stay as they are."""
    return re.escape(text).replace(r"\ ", " ")


_LAST_WORDS = re.compile(r"\d\s+(\D*[^\W\d_]\D*)$")


def _find_last_words(column: ColumnFacts) -> str:
    """Find the words that most cells have behind a number, such as the name of a gazette."""
    found: Counter[str] = Counter()
    for cell, times in column.counts.items():
        if last := _LAST_WORDS.search(cell):
            found[last[1]] += times
    ((words, most),) = found.most_common(1) or [("", 0)]
    is_word = sum(map(str.isalpha, words)) > 1  # "12 A" is a number
    is_most = most >= MANY * len(column.cells) and len(column.counts) > 1
    return words if is_word and is_most else ""


# "34 of 2019", "34/2019", "2019/34"
_WORDED_YEAR = rf"0*(?P<number>\d[\d.]*)\s+[^\W\d_]{{1,5}}\.?\s+(?P<period>{_YEAR})$"
_YEAR_AFTER = rf"0*(?P<number>\d[\d.]*)\s*[/-]\s*(?P<period>{_YEAR})$"
_YEAR_BEFORE = rf"(?P<period>{_YEAR})\s*[/-]\s*0*(?P<number>\d+)$"


def _find_number_and_year(column: ColumnFacts, *, is_dated: bool) -> str:
    """Find the pattern of a column of numbers and years, such as 12/2003; empty if it has none.

    If another column has the day or year, only words between are left out.
    """
    forms = (_WORDED_YEAR,) if is_dated else (_WORDED_YEAR, _YEAR_AFTER, _YEAR_BEFORE)
    starts = Counter(re.match(r"\D*", cell)[0] for cell in column.cells)  # type: ignore[index]
    ((start, _),) = starts.most_common(1) or [("", 0)]
    for form in forms:
        pattern = f"^{_escape(start)}{form}"
        found = [*filter(None, map(re.compile(pattern).match, column.counts))]
        years = {each["period"] for each in found}
        is_most = column.is_mostly(re.compile(pattern).match)
        if is_most and len(start) <= _NEAR and (len(years) > 1 or len(found) < _FEW):
            return pattern.replace("?P<period>", "?:") if is_dated else pattern
    return ""


# --- citations compared with other columns --------------------------------------------

_THOUSANDS = re.compile(r"(?<=\d)[.,\s](?=\d{3}(?!\d))")
_FIRST_GREGORIAN = "1500"  # an earlier year is of a Hijri calendar


def find_other_days(draft: MappingDraft, column: ColumnFacts) -> str:
    """Describe the first day that a citation states otherwise, if most differ; else empty.

    Args:
        draft: the draft, with the columns of the table.
        column: the column that may have the day of the act.
    """
    cells = draft.list_cells(column.header)
    for header, days in _list_cited_days(draft):
        compared = [(day, cells[row]) for row, day in days if cells[row]]
        found = [
            (day, each) for day, each in compared if day not in (own := _read_day(each)) and own
        ]
        if reason := _describe_most(header, column.header, found, len(compared)):
            return reason
    return ""


def _find_other_numbers(draft: MappingDraft, cited: ColumnFacts, column: ColumnFacts) -> str:
    """Describe the first number that a citation does not have, if most do not; else empty.

    Either may lack the year that the other has.
    """
    pairs = _list_pairs(draft, cited.header, column.header)
    found = [
        (cell, number)
        for cell, number in pairs
        if (own := _list_runs(number) - _list_years(number)) and own.isdisjoint(_list_runs(cell))
    ]
    return _describe_most(cited.header, column.header, found, len(pairs))


def _find_other_years(draft: MappingDraft, cited: ColumnFacts) -> str:
    """Describe the first citation of another year than its row, if most are; else empty.

    The year of a row is that of the act or, if no column is decided to have it, of its publication.
    """
    dated = next(filter(None, map(draft.find_target, ("date", "period", "published"))), None)
    pairs = [] if dated is None else _list_pairs(draft, cited.header, dated)
    found = [
        (cell, day)
        for cell, day in pairs
        if (own := _list_years(cell))
        and own.isdisjoint({each[:4] for each in _read_day(day)} or {day})
    ]
    return _describe_most(cited.header, dated or "", found, len(pairs))


def ask_for_cited_days(draft: MappingDraft) -> bool:
    """Propose to read the day of the act from a column of citations or titles; tell if one may."""
    for header, days in _list_cited_days(draft):
        row, day = days[0]
        if "{" not in header:
            words = " ".join(draft.list_cells(header)[row].split())
            reason = f"date of the act ({day} in {words[:40]}…), and number of rows without one"
            draft.ask("templates", "citation", f"{{{header}}}", reason)
            return True
    return False


def _list_cited_days(draft: MappingDraft) -> Iterator[tuple[str, list[tuple[int, str]]]]:
    """Yield the columns whose cells mostly begin with type and day, and rows with days."""
    for column in draft.columns:
        if {"other-act", "note"} & column.roles.keys() or not column.is_mostly(is_phrase):
            continue
        cells = draft.list_cells(column.header)
        rows = [row for row, cell in enumerate(cells) if cell]
        rows = rows[:: max(1, len(rows) // _MOST_CELLS)][:_MOST_CELLS]
        for code in draft.codes[:_MOST_CODES]:
            read = ((row, draft.read_cited_act(cells[row], code)) for row in rows)
            days = [
                (row, act.days[0])
                for row, act in read
                if act.measure and len(act.days) == 1
                # Without a number only a registered type tells an act from a gazette.
                if act.number or draft.find_measure(act.cited.fields["measure"])
                if act.is_certain_of("measure", "date")  # the number may be that of a file
            ]
            if 2 * len(days) > len(rows):
                yield column.header, days
                break


def _read_day(cell: str) -> set[str]:
    """Read the days that a cell can mean."""
    orders = (DayRules(order, 1950, "UTC").read(cell) for order in ("dmy", "mdy", "ymd"))
    found = filter(None, (*orders, DayRules("").read_words(cell)))
    return {day for day in found if day >= _FIRST_GREGORIAN}


def _list_runs(text: str) -> set[str]:
    """List the numbers in a text, without leading zeros."""
    return {run.lstrip("0") for run in re.findall(r"\d+", _THOUSANDS.sub("", text))}


def _list_years(text: str) -> set[str]:
    """List the years in a text that has other numbers, too."""
    runs = _list_runs(text)
    return {*filter(is_year, runs)} if len(runs) > 1 else set()


def _list_pairs(draft: MappingDraft, one: str, other: str) -> list[tuple[str, str]]:
    """List the cells of two columns in some of the rows."""
    pairs = [*zip(draft.list_cells(one), draft.list_cells(other), strict=True)]
    return pairs[:: max(1, len(pairs) // _MOST_CELLS)][:_MOST_CELLS]


def _describe_most(one: str, other: str, found: Sequence[tuple[str, str]], total: int) -> str:
    """Describe the first of the rows in which two columns differ, if most do; else empty."""
    if 2 * len(found) <= total:
        return ""
    says = f"{one} says {found[0][0]}, {other} says {found[0][1]}"
    return f"{says}: {len(found)} of {total} rows differ"
