"""Facts about the columns of a sample: the words of their headers, and the kinds of their cells."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import urlsplit

from lexurn import data
from lexurn.manifest.cells import is_web_url
from lexurn.manifest.days import DayRules
from lexurn.manifest.samples import MANY
from lexurn.minting import try_mint
from lexurn.registry import load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from lexurn.manifest.guesses import Sample

_MOST = 0.9  # share of cells of one kind that makes the kind of a column; the rest may be slips
_SHOWN, _LONGEST_SHOWN, _FEW, _SHORT_WORD = 4, 40, 20, 3
# Years of acts; one before the second is of a Hijri calendar.
_FIRST_LOCAL_YEAR, _FIRST_YEAR, _LAST_YEAR, _LONGEST_DAY = 1200, 1500, 2100, 50


# Headers


class Notation(NamedTuple):
    """Notation of identifiers that contain parts of a name.

    Attributes:
        pattern: a regular expression with a group for each part.
        jurisdiction: the jurisdiction that uses it.
        measures: types of act by the signs for them.
    """

    pattern: str
    jurisdiction: str
    measures: Mapping[str, str]


class HeaderWords(NamedTuple):
    """Words of headers.

    Attributes:
        roles: by role, the groups of words of which a header must have all, and their languages.
        force: states of force by the words for them.
        calendars: jurisdictions whose tables have days of a calendar of their own.
        notations: identifiers that contain the parts of a name.
    """

    roles: Mapping[str, Mapping[tuple[str, ...], tuple[str, ...]]]
    force: Mapping[str, str]
    calendars: Mapping[str, Sequence[str]]
    notations: Mapping[str, Notation]


@lru_cache(maxsize=1)
def load_header_words() -> HeaderWords:
    """Load the words of headers and of states of force in all languages."""
    table = json.loads(data.read_text("ontology/column_words.json"))
    roles: dict[str, dict[tuple[str, ...], tuple[str, ...]]] = {}
    for role, words in table["headers"].items():
        groups = roles.setdefault(role, {})
        for language, found in words.items():
            for each in found:
                group = tuple(each.split())
                groups[group] = (*groups.get(group, ()), language)
    force = {
        make_key(each): state
        for state, words in table["force"].items()
        for found in words.values()
        for each in found
    }
    notations = {
        name: Notation(each["pattern"], each["jurisdiction"], each["measures"])
        for name, each in table["notations"].items()
    }
    return HeaderWords(roles, force, table["calendars"], notations)


_PARTS = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|_")
_MEMBER = re.compile(r"(?<=\w\w)\.(?=\w\w)")  # of an object in JSON, as "document.date"
# Characters of a part of a compound; words of East Asian scripts are short.
_SHORTEST_PART, _SHORTEST_EASTERN, _FIRST_EASTERN = 6, 2, "\u2e80"


def list_header_words(header: str) -> tuple[str, ...]:
    """List the keys of the words of a header, such as ``signing_date`` or ``signingDate``."""
    return tuple(make_key(_PARTS.sub(" ", _MEMBER.sub(" ", header))).split())


class HeaderRoles(NamedTuple):
    """Roles of a header.

    Attributes:
        words: by role, the words of the header that say so.
        languages: the languages of these words, each with a weight.
    """

    words: Mapping[str, frozenset[str]]
    languages: Mapping[str, float]


@lru_cache(maxsize=1024)
def find_roles(header: str) -> HeaderRoles:
    """Find the roles that the words of a header have."""
    members = [*map(list_header_words, _MEMBER.split(header))]
    found: dict[str, set[str]] = {}
    languages: Counter[str] = Counter()
    for role, groups in load_header_words().roles.items():
        for (group, spoken), words in product(groups.items(), members):
            matches = [_find_word(each, words) for each in group]
            if all(matches):
                found.setdefault(role, set()).update(filter(None, matches))
                languages.update(dict.fromkeys(spoken, 1 / len(spoken)))
    return HeaderRoles({role: frozenset(each) for role, each in found.items()}, languages)


def guess_header_language(headers: Sequence[str]) -> str | None:
    """Guess the language of most headers, None where that is not certain."""
    found: Counter[str] = Counter()
    for header in headers:
        found.update(find_roles(header).languages)
    (best, most), (_, second), *_ = [*found.most_common(2), ("", 0), ("", 0)]
    return best if most > 1 and most > 1.2 * second else None


def _find_word(wanted: str, words: Sequence[str]) -> str | None:
    """Find a word, or one that begins or ends with it, as compounds do."""
    if wanted in words:
        return wanted
    if len(wanted) < (_SHORTEST_PART if wanted < _FIRST_EASTERN else _SHORTEST_EASTERN):
        return None
    # A word with a role of its own is not a compound: "signature" does not end in "nature".
    compounds = [each for each in words if each not in load_single_words()]
    return next(
        (each for each in compounds if each.startswith(wanted) or each.endswith(wanted)), None
    )


@lru_cache(maxsize=1)
def load_single_words() -> frozenset[str]:
    """Load the words that have a role alone."""
    groups = (group for found in load_header_words().roles.values() for group in found)
    return frozenset(group[0] for group in groups if len(group) == 1)


# Cells


_YEAR_FIRST = re.compile(r"\d{4}")
_ISO = re.compile(r"\d{4}(-?)\d\d\1\d\d(?!\d)")
_PLAIN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WORDS = re.compile(r"[^\W\d_]+\.?|\d+")


ADDRESS = re.compile(r"[a-z][a-z0-9+.\-]*://\S+", re.IGNORECASE)
ABSENT: Final = frozenset(
    {"na", "n/a", "nan", "null", "none", "nil", "-", "--", "—", "s/d", "n.d."}
)
"""Words for an absent value."""


class DayReading(NamedTuple):
    """Reading of a day in a cell.

    Attributes:
        orders: the orders of its numbers that give a day: ``iso``, ``dmy``, ``mdy``, ``ymd``,
            ``words``.
        is_short: True if it needs the century of its year.
        has_zone: True if it needs the time zone of its place.
        is_local: True if its year is of a Hijri calendar.
        is_plain: True if it is read without a line in the mapping file.
    """

    orders: frozenset[str]
    is_short: bool = False
    has_zone: bool = False
    is_local: bool = False
    is_plain: bool = False


@lru_cache(maxsize=20_000)
def read_day(text: str) -> DayReading | None:
    """Read a cell that holds a day and nothing else; None for any other."""
    tried = ("ymd",) if _YEAR_FIRST.match(text) else ("dmy", "mdy")
    days = {order: day for order in tried if (day := DayRules(order, 2000, "UTC").read(text))}
    years = [int(day[:4]) for day in days.values()]
    if not years or not _FIRST_LOCAL_YEAR <= years[0] <= _LAST_YEAR:
        return DayReading(frozenset({"words"})) if _is_day_in_words(text) else None
    return DayReading(
        frozenset({"iso"} if _ISO.match(text) else days),
        is_short=not any(DayRules(order, None, "UTC").read(text) for order in days),
        has_zone=not any(DayRules(order, 2000).read(text) for order in days),
        is_local=years[0] < _FIRST_YEAR,
        is_plain=_PLAIN.fullmatch(text) is not None,
    )


@lru_cache(maxsize=1)
def _load_months() -> frozenset[str]:
    registry = load_registry()
    return frozenset(key for each in registry.languages() for key in registry.words(each).months)


def _is_day_in_words(text: str) -> bool:
    """Return whether a text is one day, one month in words and one year."""
    if len(text) > _LONGEST_DAY:
        return False
    words = _WORDS.findall(text)
    numbers = [int(each) for each in words if each.isdecimal() and len(each) <= 4]  # noqa: PLR2004
    months = [each for each in words if make_key(each) in _load_months()]
    has_day = len(numbers) == 2 and min(numbers) <= 31 and max(numbers) >= _FIRST_YEAR  # noqa: PLR2004
    return has_day and len(months) == 1 and len(words) <= 7  # noqa: PLR2004 - "26 de outubro de 1999"


YEAR: Final = r"(?:1[5-9]|20)[0-9]{2}"
"""Regular expression of the year of an act."""


def is_year(text: str) -> bool:
    """Return whether a text is a year of four digits."""
    return len(text) == 4 and text.isdecimal() and _FIRST_YEAR <= int(text) <= _LAST_YEAR  # noqa: PLR2004


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
        return tuple(filter(None, map(read_day, self.cells)))

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


def has_words_of_titles(column: ColumnFacts, sample: Sample) -> bool:
    """Return whether a column has a few words that other cells of most rows have, too."""
    if column.digits or 2 * len(column.counts) > column.total:
        return False
    at = sample.headers.index(column.header)
    found = 0
    for row in sample.rows:
        word = row[at].strip().casefold()
        others = " ".join((*row[:at], *row[at + 1 :])).casefold() if len(word) > 2 else ""  # noqa: PLR2004 - "t"
        found += bool(re.search(rf"(?<!\w){re.escape(word)}(?!\w)", others)) if others else 0
    return 2 * found > len(column.cells)


# Columns of days

DATE_ORDERS = {"dmy": "day first", "mdy": "month first", "ymd": "year first"}
_ROLES = ("other-act", "in-force-until", "in-force-from", "published", "modified", "other-date")
DAY_COLUMNS = {
    "in-force-until": "in_force_until",
    "in-force-from": "in_force_from",
    "published": "published",
    "modified": "modified",
}


def choose_day_role(column: ColumnFacts) -> str | None:
    """Choose the meaning of a column of days by its header, None where several fit or none."""
    found = [role for role in _ROLES if role in column.roles]
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
    return "date" if all(len(each) <= _SHORT_WORD for each in unknown) else None


def find_order(days: Sequence[DayReading]) -> str:
    """Find the order of days, ``open`` or ``mixed``.

    If few of many days decide, these may be slips: the order is open.
    """
    orders = Counter(day.orders for day in days)
    certain = {each: times for each, times in orders.items() if len(each) == 1}
    certain = {each: certain[each] for each in certain if not each & {"iso", "words"}}
    unsure = sum(times for each, times in orders.items() if len(each) > 1)
    if len(certain) == 1:
        ((order, times),) = certain.items()
        return "open" if _FEW * times < unsure else next(iter(order))
    return "mixed" if certain else "open" if unsure else "iso"


def describe_days(column: ColumnFacts) -> str | None:
    """Describe a column whose cells are days, None for any other."""
    if not column.has_most(len(column.days)):
        return None
    order = find_order(column.days)
    text = f"{column.share(len(column.days))} are days"
    if order in DATE_ORDERS:
        deciding = sum(day.orders == {order} for day in column.days)
        return f"{text}, {DATE_ORDERS[order]}: {deciding} decide it"
    return text + {"mixed": ", some day first, some month first", "open": ", order open"}.get(
        order, ""
    )


# Columns of citations


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


def read_cited_act(cell: str, code: str) -> CitedAct | None:
    """Read a citation with a measure and a number; None for any other text."""
    minted = try_mint({"jurisdiction": code, "citation": cell})
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
    if any(map(str.isalpha, "".join(numbers))):
        digits = rf"(?:[^\W\d_]+[/.-])*\d(?:[\w{others}]*\w)?"
    joint = r"\s[^\W\d_]{1,3}\s" if _JOINT.fullmatch(between) else _escape(between)
    last = f"{joint}(?P<{kind}>{_FOLLOWING[kind]})" if kind else ""
    return rf"^(?P<measure>{measure}){_escape(before)}(?P<number>{digits}){last}"


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
    return words if most >= MANY * len(column.cells) and len(column.counts) > 1 else ""


def leave_groups(pattern: str, given: Collection[str]) -> str:
    """Take the names off the groups of a pattern that something else gives."""
    return re.sub(r"\(\?P<(\w+)>", lambda found: "(?:" if found[1] in given else found[0], pattern)


_NUMBER_AND_YEAR = (
    rf"^(?P<number>.*\d)\s*(?:[/-]|\b(?:of|de|del|di|от|від|z|r\.)\b)\s*(?P<period>{YEAR})$",
    rf"^(?P<period>{YEAR})\s*[/-]\s*(?P<number>\d+)$",
)


def find_number_and_year(column: ColumnFacts) -> str:
    """Find the pattern of a column of numbers and years, such as 12/2003; empty if it has none."""
    for pattern in _NUMBER_AND_YEAR:
        found = [*filter(None, map(re.compile(pattern).match, column.counts))]
        if column.has_most(column.count(re.compile(pattern).match)):
            years = {each["period"] for each in found}
            return pattern if len(years) > 1 or len(found) < _FEW else ""
    return ""


def find_in_address(column: ColumnFacts, target: str, digits: str) -> tuple[str, str] | None:
    """Find the piece of the addresses of a column that may hold a value."""
    marks = (r"/",) if target == "period" else (r"No\.?-?", r"n[o°º]?[-._]", r"number[-._]")
    for mark in marks:
        pattern = rf"{mark}(?P<{target}>{digits})" + "/" * (target == "period")
        found = [match for match in map(re.compile(pattern).search, column.cells) if match]
        if len(found) >= MANY * len(column.cells) and len({match[target] for match in found}) > 1:
            reason = f"no column has it, but {column.share(len(found))} cells match: check"
            return pattern, f"{reason} ({shorten(column.cells[0])})"
    return None
