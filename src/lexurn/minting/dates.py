# ruff: noqa: RUF001, RUF003 - letters of other scripts
"""Dates in ISO 8601 (RFC 9676 section 3.6): read for certain, or refused with the reason.

A date is in ISO 8601, with or without hyphens, a timestamp, or a Hebrew or Japanese date. It may
also be in words of a registered language, or in digits if their order is certain or given.
Words and numbers of a text become tokens of one letter each; patterns of these letters find dates.
"""

from __future__ import annotations

import datetime as dt
import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.calendars import Calendar, iso_to_ordinal, japanese, read_local_day
from lexurn.minting.characters import FIRST_MARK, load_spelling
from lexurn.minting.characters import quote_characters as quote
from lexurn.minting.draft import Action, Log, Written
from lexurn.minting.words import read_roman
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.registry import Words

YEARS = range(1500, 2100)
#: A year of these.
YEAR = "(?:1[5-9]|20)[0-9]{2}"
COMPACT_DATE = re.compile(
    rf"(?<![\w/.-]){YEAR}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?![\w/-]|\.[0-9])"
)
# Marks that belong to the letter before them: Latin, Hebrew, Arabic, Devanagari, Thai.
_MARK = (
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
)
_WORD = rf"(?:[^\W\d_]{_MARK}*)+"
_TOKEN, _PLAIN_TOKEN = re.compile(rf"\d+|{_WORD}|\S"), re.compile(r"\d+|[^\W\d_]+|\S")
_JOINERS = frozenset(",;&+/-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u060c\u3001")
_BRACKETS = frozenset("()\uff08\uff09")
_STOPS = frozenset(".'’°º^:\u00b7\u200e\u200f\u061c\u05be\"«»„“”")
_SIGN_KINDS = {
    **dict.fromkeys(_STOPS, "S"),
    **dict.fromkeys(_BRACKETS, "P"),
    **dict.fromkeys(_JOINERS, "J"),
}
_LONGEST_RUN, _LAST_DAY, _LAST_MONTH, _YEAR_DIGITS = 4, 31, 12, 4
_RUNS = [
    re.compile(rf"{_WORD}(?:(?:\s+|\s?[-'’.\u2010\u2011\u05be]\s?){_WORD}){{{count}}}")
    for count in range(_LONGEST_RUN)
]
_ORDINAL_IN_DIGITS = re.compile(r"[0-9]+ ?([^0-9 ]+)")
_BEFORE_SUFFIX = frozenset("-.'’\u2010\u2011")
_SUFFIXED = re.compile(r"\d[-.'’\u2010\u2011]?[^\W\d_]")


class DateWord(NamedTuple):
    """Word, number or sign, and what it can be in a date.

    Attributes:
        kind: one letter: ``n`` a number from 1 to 31, ``Y`` one of four digits, ``y`` of two that
            is no day, ``T`` of three, ``L`` a longer one; ``M`` a month, ``D`` a day in words,
            ``W`` a word that is dropped; of several of these ``m`` (M, D),
            ``w`` (M, W), ``d`` (D, W), ``a`` (all); ``R`` a Roman month; ``J`` a joining sign or
            word, ``P`` a bracket, ``S`` another sign, ``O`` anything else.
        month: the month that it can be, or 0.
        day: the day that it can be, or 0.
        weekday: the day of the week that it can be, Monday 1, or 0.
        longest: the number of words in the longest entry that it begins.
    """

    kind: str
    month: int = 0
    day: int = 0
    weekday: int = 0
    longest: int = 1


_DROPPED = DateWord("W")
#: By month, twice day and four times dropped word.
_KINDS = "OMDmWwda"
_MAX_WORDS = 16_384


class DateVocabulary(dict[str, DateWord]):
    """Words of dates of one language, numbers and signs, by their text; each made on first use."""

    def __init__(self, words: Words) -> None:
        self.language, self.months, self.weekdays = words.language, words.months, words.weekdays
        self.days = {
            key: value
            for key, value in {**words.cardinals, **words.ordinals}.items()
            if 1 <= value <= _LAST_DAY and words.cardinals.get(key, value) == value
        }
        self.dropped = words.connectives | {*map(make_key, words.datewords)}
        self.joining = make_key(words.formats.get("and", ""))
        # The end of an ordinal in digits is a suffix too: "er" of "1er".
        endings = filter(None, map(_ORDINAL_IN_DIGITS.fullmatch, words.ordinals))
        # Suffixes straight after the number of a day: "1er", "21st", "1º", "21-го", "21-én".
        self.suffixes = {*map(make_key, load_spelling()["day_suffixes"].split())}
        self.suffixes |= {ending[1] for ending in endings}
        self._longest: dict[str, int] = {}  # the words of the longest run, by its first word
        for key in (*self.months, *self.days, *self.weekdays, *words.datewords):
            first, *rest = key.split() or [""]
            length = min(1 + len(rest), _LONGEST_RUN)
            self._longest[first] = max(self._longest.get(first, 1), length)

    def __missing__(self, text: str) -> DateWord:
        if len(self) > _MAX_WORDS:
            self.clear()
        self[text] = word = self._read(text)
        return word

    def _read(self, text: str) -> DateWord:
        if text.isdecimal():
            value, digits = int(text), len(text)
            if digits <= 2:  # a day or the end of a year
                return DateWord("n", day=value) if 1 <= value <= _LAST_DAY else DateWord("y")
            return DateWord({3: "T", _YEAR_DIGITS: "Y"}.get(digits, "L"))
        if not _LETTER.match(text):
            return DateWord(_SIGN_KINDS.get(text, "O"))
        key = make_key(text)
        month, day, weekday = (each.get(key, 0) for each in (self.months, self.days, self.weekdays))
        is_dropped = weekday > 0 or key in self.dropped
        kind = _KINDS[(month > 0) + 2 * (day > 0) + 4 * is_dropped]
        if kind in "WO" and key and key == self.joining:
            kind = "J"
        roman = read_roman(text) or 0
        if kind == "O" and 1 <= roman <= _LAST_MONTH:
            kind, month = "R", roman
        return DateWord(kind, month, day, weekday, self._longest.get(key, 1))


#: The words of dates of a language, made once for each.
get_date_vocabulary = lru_cache(maxsize=64)(DateVocabulary)


#: The kinds of tokens that a date does without.
DROPPED_KINDS = frozenset("WwdaSJP")

_FILL, _WORDED_MONTH = "[WwdaSJP]{0,6}", "[Mmwa]"
_DAY, _MONTH, _YEAR, _ODD_YEAR, _NO_DAY = "[nDmda]", "[MmwaR]", "Y", "[ynT]", "[yT]"
_FIRST_DAY = f"(?P<day>{_DAY})(?:P(?P<again>{_DAY})P)?"
# Days that share a month: "30-31 December", "30 e 31 dicembre".
_SHARED_DAYS = f"{_FIRST_DAY}(?P<more>(?:[WS]{{0,2}}J{{1,2}}{_DAY}){{0,9}})"


def _compile_orders(day: str, year: str, first: str = "Y") -> str:
    """Return the pattern of a date with a month's name, in the four orders of day, month and year.

    A year that stands first has a pattern of its own. A month in Roman numerals stands between the
    others: "5 II 2018"; "II/5/2018" is a number.
    """
    month, last = f"(?P<month>{_MONTH})", f"(?P<year>{year})"
    worded = f"(?P<month>{_WORDED_MONTH})"
    return "|".join(
        # One name can stand in a pattern only once.
        re.sub(r"\(\?P<([a-z]+)>", rf"(?P<\g<1>{number}>", order)
        for number, order in enumerate(
            (
                f"{day}{_FILL}{month}{_FILL}{last}",
                f"{worded}{_FILL}{day}{_FILL}{last}",
                f"(?P<year>{first}){_FILL}{month}{_FILL}{day}(?!{_FILL}Y)",
                f"(?P<year>{first}){_FILL}{day}{_FILL}{worded}(?!{_FILL}Y)",
            )
        )
    )


_SINGLE = re.compile(_compile_orders(_FIRST_DAY, _YEAR))
_SHARED = re.compile(_compile_orders(_SHARED_DAYS, _YEAR))
_ODD = re.compile(_compile_orders(_FIRST_DAY, _ODD_YEAR, _NO_DAY))
_DASHES = r"\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_NUMERIC = re.compile(
    rf"(?<!\d)(?P<first>\d{{1,4}})º?\s?(?P<sign>[./{_DASHES}\uff0f\uff0e])\s?(?P<second>\d{{1,2}})\s?"
    # As in the Nordic countries: "17/6-2005".
    r"(?:(?P=sign)|(?<=/\d)-(?=\d{4})|(?<=/\d\d)-(?=\d{4}))\s?(?P<third>\d{1,4})(?!\d)"
)
_IN_DIGITS = re.compile("[nyTY].?[SJO][ny][SJO][nyTY]")
# Endings of numbers in brackets, as in Basque: "2003(e)ko urtarrilaren 1(a)".
_BRACKETED = re.compile(r"(?<=\d)\([^\W\d_]{1,2}\)[^\W\d_]{0,3}")
_WORD_AND_SIGN = re.compile(r"[^\W\d_][/-]$")
_SIGNS = frozenset("./-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\uff0f\uff0e")


Day = tuple[str, int, int]
"""Year (its digits, of any script), month and day."""


class FoundDate(NamedTuple):
    """Date in a text.

    Attributes:
        start: its offset.
        end: the offset after it.
        days: its day; several if they share month and year; none if all is in digits.
        digits: the three numbers of a date in digits, in their order.
        weekday: the day of the week that is named inside it, or 0.
    """

    start: int
    end: int
    days: tuple[Day, ...] = ()
    digits: tuple[str, ...] = ()
    weekday: int = 0


class DateScan(NamedTuple):
    """Dates of a text from left to right, none within another.

    Attributes:
        dates: the dates.
        words: the words, numbers and signs of the text.
        spans: their places.
        kinds: their kinds.
    """

    dates: list[FoundDate]
    words: list[DateWord]
    spans: list[tuple[int, int]]
    kinds: str


def scan_dates(text: str, vocabulary: DateVocabulary, *, shared: bool = False) -> DateScan:
    """Find the dates of a text.

    If asked for, days may share month and year (``30 and 31 December 1999``).
    """
    if "(" in text:
        text = _BRACKETED.sub(lambda ending: " " * len(ending[0]), text)
    has_marks = not text.isascii() and max(text) >= FIRST_MARK
    matches = [*(_TOKEN if has_marks else _PLAIN_TOKEN).finditer(text)]
    words, spans = [vocabulary[each[0]] for each in matches], [each.span() for each in matches]
    if _SUFFIXED.search(text) or any(word.longest > 1 for word in words):
        words, spans = _join_tokens(text, vocabulary, spans)
    scan = DateScan([], words, spans, "".join([word.kind for word in words]))
    found = [*_find_in_words(text, scan, _SHARED if shared else _SINGLE)]
    if _IN_DIGITS.search(scan.kinds):
        found = sorted([*found, *_find_in_digits(text)], key=lambda date: (date.start, -date.end))
    for each in found or _find_in_words(text, scan, _ODD):
        if not scan.dates or each.start >= scan.dates[-1].end:
            scan.dates.append(each)
    return scan


def _join_tokens(
    text: str, vocabulary: DateVocabulary, spans: Iterable[tuple[int, int]]
) -> tuple[list[DateWord], list[tuple[int, int]]]:
    """Return the words of a text and their places; runs and suffixes of numbers are joined."""
    words: list[DateWord] = []
    places: list[tuple[int, int]] = []
    end = 0
    for start, after in spans:
        if start < end:
            continue
        end, word = after, vocabulary[text[start:after]]
        for count in range(word.longest - 1, 0, -1):  # the longest known run is one word
            run = _RUNS[count].match(text, start)
            if run is not None and vocabulary[run[0]].kind not in "OR":
                end, word = run.end(), vocabulary[run[0]]
                break
        # A word may belong to the number before it: attached, or after a hyphen.
        before = start - (start > 1 and text[start - 1] in _BEFORE_SUFFIX)
        if word.kind in "OM" and before and text[before - 1].isdecimal():
            word = _DROPPED if make_key(text[start:end]) in vocabulary.suffixes else word
        words.append(word)
        places.append((start, end))
    return words, places


_PARTIAL = re.compile(f"{_FIRST_DAY}[WwdaS]{{0,3}}[Mmwa](?!{_FILL}[Yy])")
_PARTIAL_BEHIND = re.compile(f"{_MONTH}[WwdaS]{{0,3}}{_DAY}(?!{_FILL}[Yy])")


def find_partial_dates(scan: DateScan, *, is_day_behind: bool = False) -> list[tuple[int, int]]:
    """Return the spans of a day and a month without a year, between the dates of a text.

    "5 de diciembre" in "Ley 3/2018, de 5 de diciembre"; with the day behind: "(IX. 29.)".
    """
    matches = (_PARTIAL_BEHIND if is_day_behind else _PARTIAL).finditer(scan.kinds)
    places = ((scan.spans[match.start()][0], scan.spans[match.end() - 1][1]) for match in matches)
    return [
        (start, end)
        for start, end in places
        if not any(date.start < end and start < date.end for date in scan.dates)
    ]


def _find_in_words(text: str, scan: DateScan, pattern: re.Pattern[str]) -> Iterator[FoundDate]:
    at = end = 0
    while match := pattern.search(scan.kinds, at):
        date = _read_match(text, scan, match, end)
        at = match.end() if date else match.start() + 1
        if date:
            end = date.end
            yield date


def _read_match(text: str, scan: DateScan, match: re.Match[str], end: int) -> FoundDate | None:
    """Return the date of a match, None if its day is the end of another number."""
    words, spans, order = scan.words, scan.spans, str(match.lastgroup)[-1]
    day, month, year, again = (
        match.start(f"{name}{order}") for name in ("day", "month", "year", "again")
    )
    if again >= 0 and words[again].day != words[day].day:
        return None
    start, kind = spans[match.start()][0], words[match.start()].kind
    if kind in "nYy" and _is_number_end(text, start, end):
        return None
    if kind in "Yy" and _WORD_AND_SIGN.search(text[max(end, start - 2) : start]):
        return None  # "19-A/2024, de 7 de fevereiro"
    more = f"more{order}"
    others = words[slice(*match.span(more))] if more in match.re.groupindex else []
    days = (words[day].day, *(word.day for word in others if word.kind in _DAY))
    weekdays = (words[at].weekday for at in range(*match.span()) if at != month)
    return FoundDate(
        start=start,
        end=spans[match.end() - 1][1],
        days=tuple((text[slice(*spans[year])], words[month].month, each) for each in days),
        weekday=next(filter(None, weekdays), 0),
    )


def _find_in_digits(text: str) -> Iterator[FoundDate]:
    end = 0
    at = 0
    while match := _NUMERIC.search(text, at):
        start, after = match.start(), text[match.end() : match.end() + 2]
        goes_on = after[:1] == match["sign"] and after[1:].isdecimal()
        if goes_on or _is_number_end(text, start, end):
            at = match.end("first") + 1
        else:
            at = end = match.end()
            yield FoundDate(start, end, digits=match.group("first", "second", "third"))


def _is_number_end(text: str, start: int, end: int) -> bool:
    """Return True for a number that ends a longer one (``88.821``), not a date up to ``end``."""
    return start > end + 1 and text[start - 1] in _SIGNS and text[start - 2].isdecimal()


def states_day(text: str, words: Words, iso: str) -> bool:
    """Return True if a text has the given day in words, with or without its year.

    Days in digits are not read.

    >>> from lexurn.registry import load_registry
    >>> states_day("Ley 3/2019, de 5 de marzo", load_registry().words("es"), "2019-03-05")
    True
    """
    year, month, day = iso[:4], int(iso[5:7]), int(iso[8:])
    return any(
        int(found["day"]) == day
        and found["year"] in {None, year}
        and month
        in (words.months.get(make_key(each)) for each in found.group("month", "first") if each)
        for found in _DAY_IN_WORDS.finditer(text)
    )


def read_days(found: FoundDate, order: str | None) -> list[Day]:
    """Return each day that a date can be; an order (``dmy``, ``mdy``, ``ymd``) decides."""
    if not found.digits:
        return [*found.days]
    lengths = [len(each) for each in found.digits]
    if order and lengths[order.index("y")] == max(lengths):
        orders = [order]
    elif lengths[0] > 2:  # no day, so a year
        orders = ["ymd"]
    else:
        orders = ["dmy", "mdy"] if lengths[2] > 2 else ["dmy", "mdy", "ymd"]  # as above
    days = []
    for each in orders:
        part = dict(zip(each, found.digits, strict=True))
        days.append((part["y"], int(part["m"]), int(part["d"])))
    real = [day for day in days if 1 <= day[1] <= _LAST_MONTH and 1 <= day[2] <= _LAST_DAY]
    return list(dict.fromkeys(real or days[:1]))


DATE_RULE = "RFC 9676 §3.6"
LONGEST_DATE = 300
_LAST_JULIAN_YEAR, _SHORT_YEAR = 1582, 2
_DAY_OR_YEAR = frozenset("nY")
_LETTER = re.compile(r"[^\W\d_]")
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_COMPACT = re.compile(r"[0-9]{8}")
_TIMESTAMP = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2}|\d{8})[T\s]\s*(?P<time>\d{1,2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)\s*"
    r"(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_DAY_IN_WORDS = re.compile(
    r"(?P<day>[0-9]{1,2})\.? (?:(?P<first>[^\W\d_]{1,5}) )?(?P<month>[^\W\d_]+)"
    r"(?:\.? (?:(?P<second>[^\W\d_]{1,5}) )?(?P<year>[0-9]{4}))?"
)
_MIDNIGHT = re.compile(r"[0:.,]+")
_WEEKDAYS_FROM, _CENTURY = "1583", 100
_LONGEST_LOCAL = 60
_ORDERS = ("dmy", "mdy", "ymd", "ydm")


def read_date(text: str, words: Words, field: str, *, order: str | None = None) -> Written:
    """Return the date in a text in ISO 8601, or an error if it is not certain.

    Args:
        text: a date in any form.
        words: the words of its language.
        field: the field of the metadata.
        order: ``dmy``, ``mdy`` or ``ymd``: the order of a date in digits, if it is known.
    """
    found = read_dates(text, words, field, order)
    if len(found) == 1:
        return found[0]
    dates = scan_dates(text, get_date_vocabulary(words)).dates
    listed = ", ".join(text[each.start : each.end] for each in dates)
    return Log(field, text).refuse("LX749", quote(text), listed)


@lru_cache(maxsize=4096)
def read_dates(
    text: str, words: Words, field: str, order: str | None = None
) -> tuple[Written, ...]:
    """Return the dates in a text: one or several (RFC 9676 section 6.3.2).

    >>> from lexurn.registry import load_registry
    >>> found = read_dates("1999-12-30, 2000-01-13", load_registry().words("en"), "date")
    >>> [each.text for each in found]
    ['1999-12-30', '2000-01-13']
    """
    if _ISO.fullmatch(text) and iso_to_ordinal(text) is not None:
        return (Written(text=text),)
    log, vocabulary = Log(field, text), get_date_vocabulary(words)
    stripped = text.strip()
    if stripped and len(stripped) <= LONGEST_DATE:
        written = (
            _read_simple(log, vocabulary, order)
            or _read_timestamp(log, stripped, words)
            or _read_local_or_eastern(log, stripped)
        )
    else:
        written = log.refuse("LX741" if stripped else "LX740", quote(text))
    if written is not None:
        return (written,)
    scan = scan_dates(text, vocabulary)
    if len(scan.dates) != 1 or not is_only_dates(scan):
        scan = scan_dates(text, vocabulary, shared=True)
        repeated = _repeat_year(text, scan, vocabulary)
        if repeated != text:
            return read_dates(repeated, words, field, order)
    if not is_only_dates(scan):
        return (_explain_failure(log, scan, vocabulary),)
    kept: list[Written] = []
    for each in scan.dates:
        alone = [each._replace(days=(day,), weekday=0) for day in each.days]
        for found in alone if len(alone) > 1 else [each]:
            written = _choose_reading(Log(field, text), found, order, scan)
            if written.text is None or all(other.text != written.text for other in kept):
                kept.append(written)
            else:
                log.say("LX751", written.text)
                kept[-1] = kept[-1]._replace(findings=(log.findings[-1], *kept[-1].findings))
    return tuple(kept)


def _repeat_year(text: str, scan: DateScan, vocabulary: DateVocabulary) -> str:
    """Return the text with the year behind each day that shares it: "22 October/4 November 1946".

    It is not added if the days are out of their order: "30 December and 13 January 2000".
    """
    whole = text
    for _, end in reversed(find_partial_dates(scan)):
        following = next((each for each in scan.dates if each.start >= end), None)
        if following and following.days:
            whole = f"{whole[:end]} {following.days[0][0]}{whole[end:]}"
    found = scan_dates(whole, vocabulary, shared=True).dates if whole != text else []
    days = [read_days(each, None)[0] for each in found]
    return whole if days == sorted(days) else text


def _read_simple(log: Log, vocabulary: DateVocabulary, order: str | None) -> Written | None:
    """Return ``19831006`` or ``6 de outubro de 1983``, as most look, even an impossible date."""
    if _COMPACT.fullmatch(log.text) and order in {None, "ymd"}:
        year, month, day = log.text[:4], int(log.text[4:6]), int(log.text[6:])
        return write_day(log, (year, month, day), (0, len(log.text)))
    plain = _DAY_IN_WORDS.fullmatch(log.text)
    in_words = vocabulary.months.get(make_key(plain["month"])) if plain else None
    if plain is None or plain["year"] is None or in_words is None:
        return None
    between = filter(None, plain.group("first", "second"))
    if any(make_key(word) not in vocabulary.dropped for word in between):
        return None
    return write_day(log, (plain["year"], in_words, int(plain["day"])), plain.span())


def _read_timestamp(log: Log, text: str, words: Words) -> Written | None:
    """Return the date of a timestamp; in a time zone it is certain at midnight only."""
    stamp = _TIMESTAMP.fullmatch(text)
    if stamp is None:
        return None
    written = read_date(stamp["date"], words, log.field)
    if stamp["zone"] and not _MIDNIGHT.fullmatch(stamp["time"]):
        return log.refuse("LX741", quote(log.text), suggestion=written.text)
    log.step(Action.DROPPED, text[stamp.end("date") :].strip(), "", DATE_RULE)
    return log.finish(log.take(written))


def _read_local_or_eastern(log: Log, text: str) -> Written | None:
    """Return a date in a local calendar or in East Asian form, or None; warn of a Hijri one."""
    local = read_local_day(text)
    if local is not None:
        shown, calendar = quote(log.text), local.calendar.title()
        if len(local.isos) > 1:
            return log.refuse("LX758", shown, " or ".join(local.isos))
        if not local.isos and not local.exact:
            return log.refuse("LX754", shown)
        if not local.isos or not local.exact:
            suggestion = local.isos[0] if local.isos else local.instead
            return log.refuse("LX752", shown, calendar, suggestion=suggestion)
        log.step(Action.COMPUTED, log.text, local.isos[0], DATE_RULE)
        if local.calendar is Calendar.HIJRI:
            log.say("LX755", shown)
        return log.finish(local.isos[0])
    eastern = japanese.read_gregorian(text)
    if eastern is None:
        return None
    year, month, day = eastern
    digits = f"{year:02}" if year < _CENTURY else f"{year:04}"
    found = FoundDate(0, len(log.text), ((digits, month, day),))
    return _choose_reading(log, found, None, DateScan([], [], [], ""))


def write_day(log: Log, day: Day, span: tuple[int, int]) -> Written:
    """Return a day, if there is one.

    Year 0000 and Julian leap days have a warning, as in names.
    """
    iso = format_iso(day)
    year = int(day[0])
    if iso_to_ordinal(iso) is None:
        if year == 0 and iso_to_ordinal(format_iso(("0004", *day[1:]))) is not None:
            log.say("LX747", span=span)
        elif year % 4 == 0 and 0 < year <= _LAST_JULIAN_YEAR and day[1:] == (2, 29):
            log.say("LX748", iso, span=span)
        else:
            return log.refuse("LX744", _show_day(log, iso, span), span=span)
    log.step(Action.DATED, log.text, iso, DATE_RULE)
    return log.finish(iso)


def format_iso(day: Day) -> str:
    """Format a day in ISO 8601."""
    return f"{int(day[0]):04}-{day[1]:02}-{day[2]:02}"


def _explain_failure(log: Log, scan: DateScan, vocabulary: DateVocabulary) -> Written:
    """Refuse a text without a date, or with more than dates.

    The finding names an unknown word, and the month that is spelt most like it.
    """
    text, kinds = log.text, scan.kinds
    others = (span for span, kind in zip(scan.spans, kinds, strict=True) if kind == "O")
    unknown = [span for span in others if _LETTER.match(text, span[0])]
    if not unknown or _DAY_OR_YEAR.isdisjoint(kinds):
        is_year = kinds.count("Y") == 1 and not unknown and set("OTLny").isdisjoint(kinds)
        return log.refuse("LX746" if is_year else "LX741", quote(text))
    start, end = unknown[0]
    word = text[start:end]
    near = get_close_matches(word.casefold(), list(vocabulary.months), n=1, cutoff=0.75)
    suggestion = text[:start] + near[0] + text[end:] if near else None
    shown = f'"{word}"', vocabulary.language or "und"
    return log.refuse("LX745", *shown, span=unknown[0], suggestion=suggestion)


def is_only_dates(scan: DateScan) -> bool:
    """Return True for a text of dates, and words and signs that dates do without."""
    return bool(scan.dates) and all(
        kind in DROPPED_KINDS or any(each.start <= start < each.end for each in scan.dates)
        for kind, (start, _) in zip(scan.kinds, scan.spans, strict=True)
    )


def _choose_reading(log: Log, found: FoundDate, order: str | None, scan: DateScan) -> Written:
    """Return the one reading of a date; two readings are an error."""
    days = read_days(found, order)
    span = found.start, found.end
    if any(len(year) != _YEAR_DIGITS for year, _, _ in days):
        meant = []  # the dates of each century
        for year, month, day in days:
            is_short = len(year) == _SHORT_YEAR
            full = (f"{1900 + int(year)}", f"{2000 + int(year)}") if is_short else (year,)
            meant += [format_iso((each, month, day)) for each in full]
        likely = " or ".join(iso for iso in meant if iso_to_ordinal(iso) is not None)
        return log.refuse("LX743", f'"{days[0][0]}"', likely or "of any century", span=span)
    if len(days) > 1:
        shown = quote(log.text), " or ".join(map(format_iso, days))
        return log.refuse("LX742", *shown, span=span)
    written = write_day(log, days[0], span)
    if written.text is not None:
        return _check_weekday(log, written.text, found, scan)
    # Another order of the digits may make one day.
    others = [day for each in _ORDERS if found.digits for day in read_days(found, each)]
    isos = {format_iso(day) for day in others if len(day[0]) == _YEAR_DIGITS}
    real = [iso for iso in isos if iso_to_ordinal(iso) is not None]
    suggestion = real[0] if len(real) == 1 else None
    return Log(log.field, log.text).refuse(
        "LX744", _show_day(log, format_iso(days[0]), span), span=span, suggestion=suggestion
    )


def _show_day(log: Log, iso: str, span: tuple[int, int]) -> str:
    """Show a day in ISO 8601, and as the text writes it."""
    text = log.text[slice(*span)]
    return iso if text == iso else f"{iso} ({quote(text)})"


def _check_weekday(log: Log, iso: str, found: FoundDate, scan: DateScan) -> Written:
    """Return a date, with a warning if the text names a weekday that it is not."""
    named = found.weekday
    if not named and scan.dates == [found]:  # it may stand before or behind
        others = zip(scan.words, scan.spans, strict=True)
        days = (word.weekday for word, (at, _) in others if not found.start <= at < found.end)
        named = next(filter(None, days), 0)
    if named and iso >= _WEEKDAYS_FROM and dt.date.fromisoformat(iso).isoweekday() != named:
        span = scan.spans[[word.weekday for word in scan.words].index(named)]
        log.say("LX750", quote(log.text[slice(*span)]), iso, span=span)
    return log.finish(iso)


def find_date(text: str, words: Words) -> tuple[int, int] | None:
    """Return the span of the first date in a text, or None; it may still turn out impossible.

    >>> from lexurn.registry import load_registry
    >>> find_date("Legge 21.9.2003, n. 456", load_registry().words("it"))
    (6, 15)
    """
    stripped = text.strip()
    start = text.index(stripped)
    whole = start, start + len(stripped)
    is_local = 0 < len(stripped) <= _LONGEST_LOCAL and read_local_day(stripped) is not None
    if is_local or _COMPACT.fullmatch(stripped) or _TIMESTAMP.fullmatch(stripped):
        return whole
    scan = scan_dates(text, get_date_vocabulary(words))
    if len(scan.dates) == 1 and is_only_dates(scan):
        return whole
    spans = [(each.start, each.end) for each in scan.dates] + japanese.find_dates(text)
    return min(spans, default=None)
