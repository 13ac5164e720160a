"""Checks of the whole table: names that each row makes well, and that are probably wrong.

A row that fails such a check is rejected, unless the mapping file accepts the code. Only names
that were made from other columns are checked, since a given name is the publisher's own decision.

LX541, LX543 and LX544 need the name alone; LX545, LX548 and LX549 need the row, and are made when
it is read. LX542, LX546 and LX547 need all rows.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from functools import cache
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category

from lexurn import data

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from lexurn.findings import Finding
    from lexurn.registry import Registry

TABLE_CHECKS: Final = tuple(f"LX54{number}" for number in range(1, 10))
"""Codes of the checks, which a mapping file may accept."""

FREE_FIELDS: Final = {"LX547": "titles"}
"""Fields that may differ in the rows of one act, if the mapping file accepts the code."""


class CheckedName(NamedTuple):
    """Name that a row makes, and what tells its act from others.

    Attributes:
        number: the number of the row.
        name: the canonical text of the name.
        act: that of the act that it belongs to.
        title: a title, or None.
        language: the language of the title, or None.
        url: a copy or a page, or None.
    """

    number: int
    name: str
    act: str
    title: str | None = None
    language: str | None = None
    url: str | None = None


class SuspectRow(NamedTuple):
    """Row whose name is probably wrong.

    Attributes:
        number: the number of the row.
        code: one of `TABLE_CHECKS`.
        column: the column of a manifest at fault.
        value: the value at fault.
        expected: the value that fits, or the kind of value.
        other: the number of the other row at fault, or None.
    """

    number: int
    code: str
    column: str
    value: str
    expected: str = ""
    other: int | None = None

    @property
    def suggestion(self) -> str | None:
        """Value to write instead, if the check knows it."""
        return self.expected if self.code == "LX542" else None


class ActParts(NamedTuple):
    """Parts of the name of an act, as texts; the day is empty where the name has a period."""

    jurisdiction: str
    authority: str
    measure: str
    day: str
    number: str


def split_act(act: str) -> ActParts:
    """Split the canonical text of an act's name (RFC 9676 section 5.3)."""
    jurisdiction, authority, measure, details = act.split(":")[2:6]
    date, _, number = details.partition(";")
    return ActParts(jurisdiction, authority, measure, date[:10] if _DAY.match(date) else "", number)


_DAY = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")
_DIGITS = re.compile(r"[0-9.,;+-]+")
_RUN = re.compile(r"[0-9]+|[^\W0-9_]+")
_SHORT_NAME = 3  # letters; "JO" may also be the letters of an issuer


@cache
def _list_gazettes(code: str) -> tuple[str, ...]:
    """List the gazettes of a jurisdiction, and the words for one in its languages."""
    from lexurn.registry import load_registry, make_key  # noqa: PLC0415 - for few names only

    law = load_registry().law(code)
    words = json.loads(data.read_text("ontology/column_words.json"))["headers"]["gazette"]
    general = (each for language in law.languages or words for each in words.get(language, ()))
    return (*law.list_values("gazettes"), *(make_key(each).replace(" ", ".") for each in general))


def _has_gazette(jurisdiction: str, number: str) -> bool:
    """Return whether a number holds the name of a gazette; a short one only before digits."""
    runs = _RUN.findall(number)
    if len(runs) < 2 or all(run.isdigit() for run in runs):  # a name and a number
        return False
    text = f".{'.'.join(runs)}."
    for name in _list_gazettes(jurisdiction.partition(";")[0]):
        at = text.find(f".{name}.")
        behind = text[at + len(name) + 2 :]
        if at >= 0 and (len(name) > _SHORT_NAME or behind[:1].isdigit()):
            return True
    return False


def _check_act(act: str, today: str) -> tuple[str, str, str, str] | None:
    """Check the name of an act by itself.

    Args:
        act: its canonical text.
        today: the day after which days lie in the future.

    Returns:
        The code, column, value and kind of value of the first fault, None where there is none.
    """
    parts = split_act(act)
    if parts.day > today:
        return "LX541", "date", parts.day, ""
    for column in ("authority", "measure"):
        value = getattr(parts, column)
        if _DIGITS.fullmatch(value):
            return "LX543", column, value, column
    if _has_gazette(parts.jurisdiction, parts.number):
        return "LX544", "number", parts.number, ""
    return None


def find_unclear_date(
    fields: Mapping[str, object], findings: Iterable[Finding], act: str
) -> str | None:
    """Return the words of a citation that were not understood, if the date stands behind them.

    Args:
        fields: the fields of a name; only a citation without another date is checked.
        findings: the findings of minting from them.
        act: the canonical text of the act's name.
    """
    citation, year = fields.get("citation"), split_act(act).day[:4]
    if not isinstance(citation, str) or "date" in fields or not year:
        return None
    for found in findings:
        before, after = citation[: found.start], citation[found.end :]
        is_part = found.code == "LX733" and found.component == "citation" and found.text == citation
        if is_part and year not in before and year in after:
            return citation[found.start : found.end]
    return None


def make_title_key(title: str) -> str:
    """Make the key of a title: titles differ by their letters, vowel signs and digits only."""
    folded = title.casefold().replace("i\u0307", "i")  # the Turkish capital "I" with a dot
    if folded.isascii():
        return "".join(filter(str.isalnum, folded))
    return "".join(each for each in folded if each.isalnum() or category(each).startswith("M"))


def find_titled_part(
    fields: Mapping[str, object], act: str, registry: Registry | None
) -> tuple[str, str] | None:
    """Return the day or number of a title that begins with type, number and day of its act.

    It is one that the act does not have. A title in which both differ cites another act.

    Args:
        fields: the fields of a name; only those with a title are checked.
        act: the canonical text of the act's name.
        registry: the registry with which it was minted; None for the built-in one.

    Returns:
        ``date`` or ``number``, and the other value; None where there is none.
    """
    # Tables without titles of this form need no minting.
    from lexurn.minting.comparison import read_cited_act  # noqa: PLC0415
    from lexurn.minting.dates import states_day  # noqa: PLC0415
    from lexurn.registry import load_registry  # noqa: PLC0415

    own, title = split_act(act), str(fields.get("title", ""))[:_LONGEST_CITATION]
    head = title[:_LONGEST_HEAD].partition("(")[0]
    years = {own.day[:4], own.day[2:4]}
    numbers = _list_runs(own.number, years)
    if not own.day or not numbers or not _DIGIT_RUN.search(title[:_LONGEST_HEAD]):
        return None
    registry = registry or load_registry()
    law = registry.law(own.jurisdiction.partition(";")[0])
    language = str(fields.get("language") or next(iter(law.languages), "und"))
    is_dated = states_day(head, registry.words(language.lower()), own.day)
    is_clear = own.day[8:].lstrip("0") not in numbers  # the day is in the title, too
    if is_dated and is_clear and numbers <= _list_runs(head.replace(".", "")):
        return None
    kept = {name: each for name, each in fields.items() if name in _CONTEXT}
    cited = read_cited_act(kept | {"citation": title}, registry)
    # Short words of a type: "Delibera" for "Deliberazione".
    is_of_type = own.measure.startswith(cited.measure) or cited.measure.startswith(own.measure)
    is_certain = cited.is_certain_of("measure", "date", "number")
    if not cited.measure or not is_of_type or not cited.days or not is_certain:
        return None
    others = _list_runs(cited.number, years)
    if own.day not in cited.days:
        is_numbered = numbers <= others or others <= numbers
        return ("date", cited.days[0]) if is_numbered else None
    # The number of a file has another form: "sp. zn. Pl. ÚS 12/17" beside 30/2021.
    forms = (_DIGIT_RUN.sub("#", each) for each in (own.number, cited.number))
    return None if numbers == others or len({*forms}) > 1 else ("number", cited.number)


def _list_runs(text: str, others: Collection[str] = ()) -> set[str]:
    """List the numbers in a text, without some others unless it has no more."""
    runs = {run.lstrip("0") for run in _DIGIT_RUN.findall(text)}
    return runs.difference(others) or runs


_DIGIT_RUN = re.compile("[0-9]+")
_LONGEST_HEAD, _LONGEST_CITATION = 60, 200  # characters
_CONTEXT = frozenset({"jurisdiction", "units", "authority", "language", "mode"})


def find_exchanged_days(days: Sequence[str]) -> dict[int, str]:
    """Find the days that go against the numbers of their series until day and month are exchanged.

    A day after the 12th cannot be exchanged, so it shows where the days around it should lie.
    If hardly a day of the series is like that, the order of all days decides. Once several days
    are wrong, those that fit both ways are found too, since nobody can tell.

    Args:
        days: ISO dates of one year, in the order of the numbers.

    Returns:
        The exchanged day by its index.
    """
    others = {  # the days with day and month exchanged
        at: f"{day[:5]}{day[8:]}-{day[5:7]}"
        for at, day in enumerate(days)
        if day[8:] <= "12" and day[8:] != day[5:7]
    }
    if not others or len(days) < _SHORTEST_SERIES:
        return {}
    places = [*map(_place_in_year, days)]
    fixed = [at for at in range(len(days)) if at not in others]
    ordered = [fixed[at] for at in _find_ordered([places[at] for at in fixed])]
    wrong: dict[int, str] = {}
    unclear: dict[int, str] = {}
    if len(fixed) < _SHORTEST_SERIES / 2:
        wrong = others
    elif len(ordered) < _IN_ORDER * len(fixed):
        return {}  # numbers are not given in the order of the days
    else:
        known = [0, *(places[at] for at in ordered), 13 * 31]

        def measure_distance(at: int, place: int) -> int:
            low, high = known[(before := bisect_left(ordered, at)) : before + 2]
            return max(low - place, place - high, 0)

        usual = max(_WEEK, *(measure_distance(at, places[at]) for at in fixed))
        for at, other in others.items():
            if measure_distance(at, _place_in_year(other)) == 0:
                distance = measure_distance(at, places[at])
                (wrong if distance > usual else unclear)[at] = other
    mended = [_place_in_year(wrong.get(at, day)) for at, day in enumerate(days)]
    least = max(_IN_ORDER * len(days), len(_find_ordered(places)) + 1)
    if len(_find_ordered(mended)) < least:
        return {}
    return wrong | unclear if len(wrong) > 1 else wrong


_SHORTEST_SERIES = 4
_WEEK = 7
_IN_ORDER = 0.8


def _place_in_year(day: str) -> int:
    return int(day[5:7]) * 31 + int(day[8:])


def _find_ordered(places: Sequence[int]) -> list[int]:
    """Find the longest series of places in which none is less than another before it.

    Return their indexes.
    """
    ends: list[int] = []  # by length, the least place with which such a series ends
    indexes: list[int] = []
    before: list[int] = []
    for at, place in enumerate(places):
        length = bisect_right(ends, place)
        ends[length : length + 1] = [place]
        indexes[length : length + 1] = [at]
        before.append(indexes[length - 1] if length else -1)
    found, at = [], indexes[-1] if indexes else -1
    while at >= 0:
        found.append(at)
        at = before[at]
    return found[::-1]


_SCHEMA = """
CREATE TABLE checked (
  id INTEGER PRIMARY KEY, name TEXT, act TEXT, jurisdiction TEXT, authority TEXT, measure TEXT,
  day TEXT, letters TEXT, digits TEXT, title TEXT, language TEXT, url TEXT)
"""
_SELECT_ACTS = "SELECT id, act FROM checked ORDER BY id"
_SELECT_SERIES = """
SELECT jurisdiction, authority, measure, letters, substr(day, 1, 4), digits, day, act FROM checked
WHERE day <> '' AND digits <> '' GROUP BY act ORDER BY 1, 2, 3, 4, 5, 6, 7
"""
_SELECT_ROWS = "SELECT id FROM checked WHERE act = ? ORDER BY id"
_SELECT_TWO_NAMES = """
SELECT id, act, low, high, (
  SELECT MIN(id) FROM checked WHERE act = CASE found.act WHEN low THEN high ELSE low END)
FROM (SELECT id, act, MIN(act) OVER same AS low, MAX(act) OVER same AS high FROM checked
  WHERE digits <> '' AND {given} WINDOW same AS (PARTITION BY jurisdiction, letters, digits, {same})
) AS found WHERE low < high ORDER BY id
"""
_ONE_ACT: Final = (
    # The number in two notations: "12" and "12/2003".
    ("day <> ''", "authority, measure, day"),
    ("title <> '' AND day <> ''", "authority, measure, substr(day, 1, 4), title"),
    ("title <> '' AND day <> ''", "authority, day, title"),
    ("title <> '' AND day <> ''", "measure, day, title"),
    ("url <> ''", "url"),
)
"""Conditions and columns by which two acts with one number are one."""
_SELECT_TWO_ACTS = """
SELECT id, name, CASE id WHEN low THEN high ELSE low END FROM (
  SELECT id, name, MIN(title) OVER same AS first, MAX(title) OVER same AS last,
    MIN(id) OVER same AS low, MAX(id) OVER same AS high FROM checked WHERE title <> ''
  WINDOW same AS (PARTITION BY name, language)) WHERE first < last ORDER BY id
"""
_LONGEST_SERIES = 50_000


class NameChecks:
    """Checks of the names of a table, which are kept in a database: memory is bounded."""

    def __init__(self, database: sqlite3.Connection) -> None:
        """Keep the database, which has no table ``checked`` yet."""
        self._database = database
        database.execute(_SCHEMA)

    def add(self, names: Iterable[CheckedName]) -> None:
        """Take in names."""
        places = ", ".join("?" * 12)
        rows = map(_list_values, names)
        self._database.executemany(f"INSERT INTO checked VALUES ({places})", rows)  # noqa: S608 - marks

    def find_suspects(self, today: str, accepted: Collection[str] = ()) -> Iterator[SuspectRow]:
        """Yield the rows that fail a check, with the first check that they fail.

        Args:
            today: the day after which days lie in the future.
            accepted: the codes of checks to leave out.
        """
        self._database.execute("CREATE INDEX checked_acts ON checked (act)")
        for number, act in self._database.execute(_SELECT_ACTS):
            fault = _check_act(act, today)
            if fault is not None and fault[0] not in accepted:
                yield SuspectRow(number, *fault)
        if "LX542" not in accepted:
            yield from self._find_exchanged_days()
        if "LX546" not in accepted:
            for given, same in _ONE_ACT:
                query = _SELECT_TWO_NAMES.format(given=given, same=same)
                for number, act, low, high, other in self._database.execute(query):
                    expected = high if act == low else low
                    yield SuspectRow(number, "LX546", "number", act, expected, other)
        if "LX547" not in accepted:
            for number, name, other in self._database.execute(_SELECT_TWO_ACTS):
                yield SuspectRow(number, "LX547", "number", name, "", other)

    def _find_exchanged_days(self) -> Iterator[SuspectRow]:
        rows = self._database.execute(_SELECT_SERIES)
        for _, series in groupby(rows, key=itemgetter(slice(0, 5))):
            while acts := [row[6:] for row in islice(series, _LONGEST_SERIES)]:
                found = find_exchanged_days([day for day, _ in acts])
                for at, other in found.items():
                    day, act = acts[at]
                    for (number,) in self._database.execute(_SELECT_ROWS, (act,)):
                        yield SuspectRow(number, "LX542", "date", day, other)


def _list_values(name: CheckedName) -> tuple[object, ...]:
    """List the values of a name in the database.

    A number is split into letters and digits, without the year of the day at an end: the numbers of
    a series have the same letters.
    """
    parts = split_act(name.act)
    runs = _RUN.findall(parts.number)
    year = parts.day[:4]
    # "21/2021" has its year behind, whatever else looks like one.
    years = [(text, end) for text in (year, year[2:]) for end in (-1, 0)]
    found = next((end for text, end in years if len(runs) > 1 and runs[end] == text), None)
    if found is not None:
        del runs[found]
    is_numbered = any(run.isdigit() for run in runs) and runs[0] != "lex"
    letters = ".".join("#" if run.isdigit() else run for run in runs)
    digits = ".".join(f"{run:0>18}" for run in runs if run.isdigit()) if is_numbered else ""
    title = None if name.title is None else make_title_key(name.title)
    return (
        *(name.number, name.name, name.act, *parts[:4], letters, digits),
        *(title, name.language, name.url),
    )
