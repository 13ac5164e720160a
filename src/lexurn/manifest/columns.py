"""Columns of a sample: their cells, the kinds of these, and the patterns that they follow."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from lexurn.manifest.cells import is_web_url
from lexurn.manifest.days import FIRST_YEAR, LAST_YEAR, DayReading, guess_day
from lexurn.manifest.header_words import find_roles, load_header_words
from lexurn.minting import try_mint

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

MANY: Final = 0.8
"""Share of cells or rows that decides what a column or separator is; the rest may be slips."""

_MOST = 0.9  # share of cells of one kind that makes the kind of a column; the rest may be slips
_SHOWN, _LONGEST_SHOWN, _FEW = 4, 40, 20

ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
ABSENT: Final = frozenset(
    {"na", "n/a", "nan", "null", "none", "nil", "-", "--", "—", "s/d", "n.d."}
)
"""Words for an absent value."""

YEAR: Final = r"(?:1[5-9]|20)[0-9]{2}"
"""Regular expression of the year of an act."""


def is_year(text: str) -> bool:
    """Return whether a text is a year of four digits."""
    return len(text) == 4 and text.isdecimal() and FIRST_YEAR <= int(text) <= LAST_YEAR  # noqa: PLR2004


def is_address(text: str) -> bool:
    """Return whether a text is one web address, or several between blanks."""
    return all(map(is_web_url, text.split()))


@dataclass(eq=False)
class ColumnFacts:
    """Facts about one column of a sample.

    Attributes:
        header: its name.
        cells: its cells that are not empty, without the blanks around them.
        absent: its words for an absent value, which are not in ``cells``.
        total: the number of rows.
    """

    header: str
    cells: tuple[str, ...]
    absent: tuple[str, ...]
    total: int

    @cached_property
    def counts(self) -> Counter[str]:
        """Number of each value."""
        return Counter(self.cells)

    @cached_property
    def days(self) -> tuple[DayReading, ...]:
        """Readings of the cells that are days."""
        return tuple(filter(None, map(guess_day, self.cells)))

    @cached_property
    def roles(self) -> Mapping[str, frozenset[str]]:
        """Roles that its header has, with its words for them."""
        return find_roles(self.header).words

    @cached_property
    def length(self) -> float:
        """Mean number of characters."""
        return sum(map(len, self.cells)) / max(1, len(self.cells))

    @cached_property
    def digits(self) -> int:
        """Number of cells that have a digit."""
        return self.count(lambda cell: any(map(str.isdecimal, cell)))

    @property
    def distinct(self) -> float:
        """Share of different values."""
        return len(self.counts) / max(1, len(self.cells))

    def sample(self, most: int) -> list[str]:
        """Return some of its different values, from its start to its end."""
        step = max(1, len(self.counts) // most)
        return list(self.counts)[::step][:most]

    def share(self, number: int) -> str:
        """Write a number of cells beside that of all which are not empty."""
        return f"{number} of {len(self.cells)}"

    def has_most(self, number: int) -> bool:
        """Return whether a number of cells is nearly all of them."""
        return number > 0 and number >= _MOST * len(self.cells)

    def count_rows(self, cell: str) -> str:
        """Write the number of rows that have a value."""
        return f"{self.counts[cell]} row" + "s" * (self.counts[cell] > 1)

    def show(self, most: int = _SHOWN) -> str:
        """Write its most frequent values."""
        shown = ", ".join(shorten(each) for each, _ in self.counts.most_common(most))
        return shown + ", ..." * (len(self.counts) > most)

    def count(self, is_such: Callable[[str], object]) -> int:
        """Count the cells of a kind."""
        return sum(times for each, times in self.counts.items() if is_such(each))


def shorten(text: str) -> str:
    """Write a text in one line, cut where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[:_LONGEST_SHOWN]}…"


def is_phrase(text: str) -> bool:
    """Return whether a text has several words, or is in a script without blanks."""
    return not ADDRESS.match(text) and (len(text.split()) > 1 or not text[:1].isascii())


def is_latin(text: str) -> bool:
    """Return whether most letters of a text are Latin."""
    letters = [each for each in text if each.isalpha()]
    return 2 * sum(each < "\u0250" for each in letters) >= len(letters)


def find_host_code(cell: str) -> tuple[str, str]:
    """Find the country of a web address by the end of its host, and the host; else empty texts."""
    if not ADDRESS.match(cell):
        return "", ""
    try:
        host = urlsplit(cell.split(maxsplit=1)[0]).hostname or ""
    except ValueError:
        return "", ""
    last = host.rpartition(".")[2]
    return "us" if last in {"gov", "mil"} else last, host


def is_count(column: ColumnFacts) -> bool:
    """Return whether a column counts the rows."""
    numbers = [int(each) for each in column.cells if each.isdecimal()]
    starts = numbers[:1] in ([0], [1]) and len(numbers) == len(column.cells) > 1
    return starts and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


# Patterns of cells with several parts of a name


class CitedAct(NamedTuple):
    """Parts of a citation in a cell.

    Attributes:
        cell: the cell.
        measure: its type of act.
        number: its number.
        has_date: whether it has a day that was understood.
        is_whole: whether all of the cell was understood.
    """

    cell: str
    measure: str
    number: str
    has_date: bool
    is_whole: bool


_DAY = r"\d{1,2}[º°ª]?\s?[./-]\s?\d{1,2}\s?[./-]\s?\d{4}"
_FOLLOWING = {"date": _DAY, "period": rf"{YEAR}(?!\d)"}
_YEAR_BEHIND = re.compile(rf"\s[^\W\d_]{{1,3}}\s{YEAR}$")
_NEAR = 30  # characters behind a number
_MOST_TYPES, _LONGEST_TYPE = 20, 50
_JOINT = re.compile(r"\s[^\W\d_]{1,3}\s")  # "de" or "DEL"


def read_cited_act(cell: str, code: str, language: str | None = None) -> CitedAct | None:
    """Read a citation with a measure and a number; None for any other text.

    Args:
        cell: the text.
        code: the jurisdiction of the act.
        language: the language of the text, if it is known.
    """
    spoken = {"language": language} if language else {}
    minted = try_mint({"jurisdiction": code, "citation": cell, **spoken})
    parts = dict(
        step.after.split(": ", 1)
        for step in minted.steps
        if step.field == "citation" and ": " in step.after
    )
    if not {"measure", "number"} <= parts.keys():
        return None
    is_whole = all(found.code != "LX733" for found in minted.findings)
    return CitedAct(cell, parts["measure"], parts["number"], "date" in parts, is_whole)


def find_stated_issuers(code: str, measures: Collection[str]) -> list[str] | None:
    """Find the issuers that types of act state; None if one of the first of them states none."""
    fields = {"jurisdiction": code, "number": "1", "period": "2000"}
    minted = [try_mint({**fields, "measure": each}) for each in sorted(measures)[:_FEW]]
    if any(found.component == "authority" for each in minted for found in each.findings):
        return None
    return sorted({str(each.name).split(":")[3] for each in minted if each.name is not None})


def make_pattern(cited: Sequence[CitedAct], *, is_dated: bool) -> str:
    """Make a pattern of measure, number and day from citations of one form; empty if none is.

    Args:
        cited: the citations.
        is_dated: whether another column has the day, so that the pattern has none.
    """
    forms: Counter[tuple[str, str, str]] = Counter()
    numbers = [_YEAR_BEHIND.sub("", each.number) for each in cited]
    for each, number in zip(cited, numbers, strict=True):
        # A citation is read without odd blanks, which its cell may have.
        start = each.cell.find(each.measure)
        at = start + len(each.measure)
        first = each.cell.find(number, at)
        if min(start, first) < 0:
            continue
        end = until = first + len(number)
        kind = ""
        for name, text in {} if is_dated else _FOLLOWING.items():
            behind = re.compile(text).search(each.cell, end, end + _NEAR)
            if behind is not None and not kind:
                kind, until = name, behind.start()
        forms[each.cell[at:first], each.cell[end:until], kind] += 1
    (((before, between, kind), times),) = forms.most_common(1) or [(("", "", ""), 0)]
    if 2 * times < len(cited) or not (is_dated or kind):
        return ""
    # Types that are not registered stand before the same sign, but not before a mere blank.
    measures = sorted({_escape(each.measure) for each in cited}, key=len, reverse=True)
    if not before.strip() and (len(measures) > _MOST_TYPES or len(measures[0]) > _LONGEST_TYPE):
        return ""
    measure = r"\D+?" if before.strip() else "|".join(measures)
    signs = sorted({sign for number in numbers for sign in number if not sign.isalnum()})
    others = "".join(f"\\{sign}" if sign in "]\\^-" else sign for sign in signs)
    digits = rf"\d(?:[\d{others}]*\d)?"
    zeros = "" if signs else "0*"  # "04-123" and "4-123" are two numbers
    if any(map(str.isalpha, "".join(numbers))):
        digits = rf"(?:[^\W\d_]+[/.-])*\d(?:[\w{others}]*\w)?"
    joint = r"\s[^\W\d_]{1,3}\s" if _JOINT.fullmatch(between) else _escape(between)
    last = f"{joint}(?P<{kind}>{_FOLLOWING[kind]})" if kind else ""
    return rf"^(?P<measure>{measure}){_escape(before)}{zeros}(?P<number>{digits}){last}"


def _escape(text: str) -> str:
    """Escape a text between parts of a pattern; blanks stay as they are."""
    return re.escape(text).replace(r"\ ", " ")


_LAST_WORDS = re.compile(r"\d\s+(\D*[^\W\d_]\D*)$")


def find_last_words(column: ColumnFacts) -> str:
    """Find the words that most cells have behind a number, such as the name of a gazette."""
    found: Counter[str] = Counter()
    for cell, times in column.counts.items():
        if last := _LAST_WORDS.search(cell):
            found[last[1]] += times
    ((words, most),) = found.most_common(1) or [("", 0)]
    is_word = sum(map(str.isalpha, words)) > 1  # "12 A" is a number
    is_most = most >= MANY * len(column.cells) and len(column.counts) > 1
    return words if is_word and is_most else ""


def leave_groups(pattern: str, given: Collection[str]) -> str:
    """Take the names off the groups of a pattern that something else gives."""
    return re.sub(r"\(\?P<(\w+)>", lambda found: "(?:" if found[1] in given else found[0], pattern)


_WORDED_YEAR = rf"0*(?P<number>\d[\d.]*)\s+[^\W\d_]{{1,5}}\.?\s+(?P<period>{YEAR})$"  # "34 of 2019"
_YEAR_AFTER = rf"0*(?P<number>\d[\d.]*)\s*[/-]\s*(?P<period>{YEAR})$"
_YEAR_BEFORE = rf"(?P<period>{YEAR})\s*[/-]\s*0*(?P<number>\d+)$"


def find_number_and_year(column: ColumnFacts, *, is_dated: bool) -> str:
    """Find the pattern of a column of numbers and years, such as 12/2003; empty if it has none.

    Args:
        column: the column; all its cells start with the same letters, or with none.
        is_dated: whether another column has the day or year: only words between are left out.
    """
    forms = (_WORDED_YEAR,) if is_dated else (_WORDED_YEAR, _YEAR_AFTER, _YEAR_BEFORE)
    starts = Counter(re.match(r"\D*", cell)[0] for cell in column.cells)  # type: ignore[index]
    ((start, _),) = starts.most_common(1) or [("", 0)]
    for form in forms:
        pattern = f"^{_escape(start)}{form}"
        found = [*filter(None, map(re.compile(pattern).match, column.counts))]
        years = {each["period"] for each in found}
        is_most = column.has_most(column.count(re.compile(pattern).match))
        if is_most and len(start) <= _NEAR and (len(years) > 1 or len(found) < _FEW):
            return leave_groups(pattern, {"period"} if is_dated else ())
    return ""


def find_in_address(column: ColumnFacts, target: str) -> tuple[str, str] | None:
    """Find the piece of the addresses of a column that may hold a number or a period."""
    patterns = [rf"{mark}0*(?P<number>[0-9]+)" for mark in load_header_words().number_marks]
    for pattern in patterns if target == "number" else [rf"/(?P<period>{YEAR})/"]:
        found = [match for match in map(re.compile(pattern).search, column.cells) if match]
        if len(found) >= MANY * len(column.cells) and len({match[target] for match in found}) > 1:
            reason = f"no column has it, but {column.share(len(found))} cells match: check"
            return pattern, f"{reason} ({shorten(column.cells[0])})"
    return None
