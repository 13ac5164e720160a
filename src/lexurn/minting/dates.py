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
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.calendars import Calendar, iso_to_ordinal, japanese, read_local_day
from lexurn.minting.characters import quote_characters as quote
from lexurn.minting.draft import Action, Step, Written, make_field_finding, refuse
from lexurn.minting.words import read_roman
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from lexurn.findings import Finding
    from lexurn.minting.calendars import LocalDay
    from lexurn.registry import Words

# Marks that belong to the letter before them: Latin, Hebrew, Arabic, Devanagari, Thai.
_MARK = (
    "[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670"
    "\u0900-\u0903\u093a-\u094f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e]"
)
_TOKEN = re.compile(rf"(?P<number>\d+)|(?P<word>(?:[^\W\d_]{_MARK}*)+)|(?P<sign>\S)", re.DOTALL)
_JOINERS = frozenset(",;&+/-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\u060c\u3001")
_BRACKETS = frozenset("()\uff08\uff09")
_STOPS = frozenset(".'’°º^:\u00b7\u200e\u200f\u061c\u05be\"«»„“”")
_SIGN_KINDS = {
    **dict.fromkeys(_STOPS, "S"),
    **dict.fromkeys(_BRACKETS, "P"),
    **dict.fromkeys(_JOINERS, "J"),
}
_BETWEEN_WORDS = re.compile(r"\s+|\s?[-'’.\u2010\u2011\u05be]\s?|")
_ORDINAL_IN_DIGITS = re.compile(r"[0-9]+ ?([^0-9 ]+)")
_LONGEST_RUN, _LAST_DAY, _LAST_MONTH, _YEAR_DIGITS = 4, 31, 12, 4
_BEFORE_SUFFIX = frozenset("-.'’\u2010\u2011")
# Suffixes of languages straight after the number of a day: "1er", "21st", "1º", "21-го", "21-én".
_SUFFIXES = frozenset({
    "st", "rd", "th", "er", "ere", "re", "eme", "e", "o", "a", "os", "ro", "do", "to",
    "vo", "mo", "no", "de", "ste", "ter", "ten", "an", "en", "n", "ja", "i", "in", "jen",
    "ei", "lea", "ea", "y", "ty", "m", "д", "г", "го", "е", "й", "я", "и", "ої", "ого", "та",
    "но", "во", "ро", "мо", "η", "ης", "م", "ב", "ם", "the",
})  # fmt: skip


class DateToken(NamedTuple):
    """Piece of a text with its kind in a date and its place.

    Attributes:
        kind: one letter: ``n`` a number from 1 to 31, ``Y`` one of four digits, ``y`` of two that
            is no day, ``T`` of three, ``L`` a longer one; ``M`` a month, ``D`` a day in words,
            ``W`` a word that is dropped; of several of these ``m`` (M, D),
            ``w`` (M, W), ``d`` (D, W), ``a`` (all); ``R`` a Roman month; ``J`` a joining sign or
            word, ``P`` a bracket, ``S`` another sign, ``O`` anything else.
        start: its offset.
        end: the offset after it.
        month: the month that it can be, or 0.
        day: the day that it can be, or 0.
        weekday: the day of the week that it can be, Monday 1, or 0.
        dated: True if it is a word of dates and nothing else (``года``).
    """

    kind: str
    start: int
    end: int
    month: int = 0
    day: int = 0
    weekday: int = 0
    dated: bool = False


class DateVocabulary(NamedTuple):
    """Words of dates of one language, by key."""

    language: str
    months: Mapping[str, int]
    days: Mapping[str, int]
    weekdays: Mapping[str, int]
    dropped: frozenset[str]
    datewords: frozenset[str]
    joining: str
    suffixes: frozenset[str]
    longest: Mapping[str, int]


@lru_cache(maxsize=64)
def get_date_vocabulary(words: Words) -> DateVocabulary:
    """Return the words of dates of a language, made once for each."""
    days = {
        key: value
        for key, value in {**words.cardinals, **words.ordinals}.items()
        if 1 <= value <= _LAST_DAY and words.cardinals.get(key, value) == value
    }
    runs = (*words.months, *days, *words.weekdays, *words.datewords)
    longest: dict[str, int] = {}  # the words of the longest run, by its first word
    for key in runs:
        first, *rest = key.split() or [""]
        longest[first] = max(longest.get(first, 1), min(1 + len(rest), _LONGEST_RUN))
    datewords = frozenset(map(make_key, words.datewords))
    # The end of an ordinal in digits is a suffix too: "er" of "1er".
    endings = filter(None, map(_ORDINAL_IN_DIGITS.fullmatch, words.ordinals))
    return DateVocabulary(
        language=words.language,
        months=words.months,
        days=days,
        weekdays=words.weekdays,
        dropped=words.connectives | datewords,
        datewords=datewords - words.connectives,
        joining=make_key(words.formats.get("and", "")),
        suffixes=frozenset((*map(make_key, _SUFFIXES), *(ending[1] for ending in endings))),
        longest=longest,
    )


def _make_token(match: re.Match[str]) -> DateToken:
    """Return the token of a number or a sign."""
    start, end = match.span()
    if match["number"] is None:
        return DateToken(_SIGN_KINDS.get(match[0], "O"), start, end)
    value, digits = int(match["number"]), end - start
    if digits <= 2:  # noqa: PLR2004  a day or the end of a year
        is_day = 1 <= value <= _LAST_DAY
        return DateToken("n" if is_day else "y", start, end, day=value if is_day else 0)
    return DateToken({3: "T", _YEAR_DIGITS: "Y"}.get(digits, "L"), start, end)


def _read_longest_run(
    text: str, matches: list[re.Match[str]], at: int, vocabulary: DateVocabulary
) -> tuple[int, DateToken]:
    """Return how many matches from a word on make one entry, and their token."""
    start = matches[at].start()
    ends = [at]
    longest = vocabulary.longest.get(make_key(matches[at][0]), 1)
    for last in range(at + 1, len(matches)) if longest > 1 else ():
        if matches[last]["number"]:
            break
        if matches[last]["word"]:
            between = text[matches[ends[-1]].end() : matches[last].start()]
            if len(ends) >= longest or not _BETWEEN_WORDS.fullmatch(between):
                break
            ends.append(last)
    for last in reversed(ends):
        token = _make_word_token(text, start, matches[last].end(), vocabulary)
        if token is not None:
            return last - at + 1, token
    roman, end = read_roman(matches[at][0]) or 0, matches[at].end()
    if 1 <= roman <= _LAST_MONTH:
        return 1, DateToken("R", start, end, month=roman)
    return 1, DateToken("O", start, end)


def _make_word_token(
    text: str, start: int, end: int, vocabulary: DateVocabulary
) -> DateToken | None:
    """Return the token of a word or a run of words, None if it is unknown."""
    key = make_key(text[start:end])
    month, day = vocabulary.months.get(key, 0), vocabulary.days.get(key, 0)
    weekday = vocabulary.weekdays.get(key, 0)
    dropped = bool(weekday) or key in vocabulary.dropped
    kind = _KINDS.get((bool(month), bool(day), dropped))
    if kind in {"W", None} and key and key == vocabulary.joining:
        kind = "J"
    dated = kind == "W" and key in vocabulary.datewords
    return None if kind is None else DateToken(kind, start, end, month, day, weekday, dated)


_KINDS = {
    (True, False, False): "M",
    (False, True, False): "D",
    (False, False, True): "W",
    (True, True, False): "m",
    (True, False, True): "w",
    (False, True, True): "d",
    (True, True, True): "a",
}


def _is_suffix(
    text: str, matches: list[re.Match[str]], at: int, token: DateToken, vocabulary: DateVocabulary
) -> bool:
    """Return True for a word that belongs to the number before it: attached, or after a hyphen."""
    before = at - 1
    if at > 1 and matches[before]["sign"] in _BEFORE_SUFFIX:
        before -= 1
    attached = before >= 0 and all(
        left.end() == right.start() for left, right in pairwise(matches[before : at + 1])
    )
    if not attached or matches[before]["number"] is None:
        return False
    return make_key(text[token.start : token.end]) in vocabulary.suffixes


#: The kinds of tokens that a date does without.
DROPPED_KINDS = frozenset("WwdaSJP")

_FILL = "[WwdaSJP]{0,6}"
_DAY, _MONTH, _YEAR, _ODD_YEAR, _NO_DAY = "[nDmda]", "[MmwaR]", "Y", "[ynT]", "[yT]"
_FIRST_DAY = f"(?P<day>{_DAY})(?:P(?P<again>{_DAY})P)?"
# Days that share a month: "30-31 December", "30 e 31 dicembre".
_SHARED_DAYS = f"{_FIRST_DAY}(?P<more>(?:[WS]{{0,2}}J{{1,2}}{_DAY}){{0,9}})"


def _compile_orders(day: str, year: str, first: str = "Y") -> str:
    """Return the pattern of a date with a month's name, in the four orders of day, month and year.

    A year that stands first has a pattern of its own.
    """
    month, last = f"(?P<month>{_MONTH})", f"(?P<year>{year})"
    return "|".join(
        # One name can stand in a pattern only once.
        re.sub(r"\(\?P<([a-z]+)>", rf"(?P<\g<1>{number}>", order)
        for number, order in enumerate(
            (
                f"{day}{_FILL}{month}{_FILL}{last}",
                f"{month}{_FILL}{day}{_FILL}{last}",
                f"(?P<year>{first}){_FILL}{month}{_FILL}{day}(?!{_FILL}Y)",
                f"(?P<year>{first}){_FILL}{day}{_FILL}{month}(?!{_FILL}Y)",
            )
        )
    )


_SINGLE = re.compile(_compile_orders(_FIRST_DAY, _YEAR))
_SHARED = re.compile(_compile_orders(_SHARED_DAYS, _YEAR))
_ODD = re.compile(_compile_orders(_FIRST_DAY, _ODD_YEAR, _NO_DAY))
_DASHES = r"\-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d"
_NUMERIC = re.compile(
    rf"(?<!\d)(?P<first>\d{{1,4}})\s?(?P<sign>[./{_DASHES}\uff0f\uff0e])\s?(?P<second>\d{{1,2}})\s?(?P=sign)"
    r"\s?(?P<third>\d{1,4})(?!\d)"
)
# Endings of numbers in brackets, as in Basque: "2003(e)ko urtarrilaren 1(a)".
_BRACKETED = re.compile(r"(?<=\d)\([^\W\d_]{1,2}\)[^\W\d_]{0,3}")
_WORD_AND_SIGN = re.compile(r"[^\W\d_][/-]$")
_SIGNS = frozenset("./-\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe63\uff0d\uff0f\uff0e")


class FoundDate(NamedTuple):
    """Date in a text.

    Attributes:
        start: its offset.
        end: the offset after it.
        days: its day; several if they share month and year.
        month: its month; 0 if all is in digits.
        year: the digits of its year, of any script; empty if all is in digits.
        digits: the three numbers of a date in digits, in their order.
        weekday: the day of the week that is named inside it, or 0.
    """

    start: int
    end: int
    days: tuple[int, ...] = ()
    month: int = 0
    year: str = ""
    digits: tuple[str, ...] = ()
    weekday: int = 0


def scan_dates(
    text: str, vocabulary: DateVocabulary, *, shared: bool = False
) -> tuple[list[FoundDate], list[DateToken]]:
    """Return the dates of a text from left to right, none within another; and all tokens.

    If asked for, days may share month and year (``30 and 31 December 1999``).
    """
    text = _BRACKETED.sub(lambda ending: " " * len(ending[0]), text)
    matches = list(_TOKEN.finditer(text))
    tokens: list[DateToken] = []
    at = 0
    while at < len(matches):  # the longest known run of words is one token
        length, token = 1, _make_token(matches[at])
        if matches[at]["word"]:
            length, token = _read_longest_run(text, matches, at, vocabulary)
            if token.kind in "OM" and _is_suffix(text, matches, at, token, vocabulary):
                token = token._replace(kind="W", month=0)
        tokens.append(token)
        at += length
    found = [*_find_in_words(text, tokens, _SHARED if shared else _SINGLE), *_find_in_digits(text)]
    if not found:
        found = list(_find_in_words(text, tokens, _ODD))
    kept: list[FoundDate] = []
    for each in sorted(found, key=lambda date: (date.start, -date.end)):
        if not kept or each.start >= kept[-1].end:
            kept.append(each)
    return kept, tokens


_PARTIAL = re.compile(f"{_FIRST_DAY}[WwdaS]{{0,3}}[Mmwa](?!{_FILL}[Yy])")


def find_partial_dates(
    dates: Sequence[FoundDate], tokens: Sequence[DateToken]
) -> list[tuple[int, int]]:
    """Return the places of a day and a month without a year, between the dates of a text.

    "5 de diciembre" in "Ley 3/2018, de 5 de diciembre".
    """
    kinds = "".join(token.kind for token in tokens)
    spans = (
        (tokens[match.start()].start, tokens[match.end() - 1].end)
        for match in _PARTIAL.finditer(kinds)
    )
    return [
        (start, end)
        for start, end in spans
        if not any(date.start < end and start < date.end for date in dates)
    ]


def _find_in_words(
    text: str, tokens: Sequence[DateToken], pattern: re.Pattern[str]
) -> Iterator[FoundDate]:
    kinds = "".join(token.kind for token in tokens)
    at = end = 0
    while match := pattern.search(kinds, at):
        date = _read_match(text, tokens, match, end)
        at = match.end() if date else match.start() + 1
        if date:
            end = date.end
            yield date


def _read_match(
    text: str, tokens: Sequence[DateToken], match: re.Match[str], end: int
) -> FoundDate | None:
    """Return the date of a match, None if its day is the end of another number."""
    order = next(number for number in range(4) if match[f"day{number}"])
    day, again = tokens[match.start(f"day{order}")], match.start(f"again{order}")
    month, year = tokens[match.start(f"month{order}")], tokens[match.start(f"year{order}")]
    if again >= 0 and tokens[again].day != day.day:
        return None
    inside = tokens[match.start() : match.end()]
    first = inside[0]
    if _is_number_end(text, first.start, end) and first.kind in "nY":
        return None
    if first.kind == "Y" and _WORD_AND_SIGN.search(text[max(end, first.start - 2) : first.start]):
        return None  # "19-A/2024, de 7 de fevereiro"
    more = f"more{order}"
    others = slice(*match.span(more)) if more in match.re.groupindex else slice(0)
    weekdays = (each.weekday for each in inside if each not in {day, month, year})
    return FoundDate(
        start=inside[0].start,
        end=inside[-1].end,
        days=(day.day, *(each.day for each in tokens[others] if each.kind in _DAY)),
        month=month.month,
        year=text[year.start : year.end],
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


def read_days(found: FoundDate, order: str | None) -> list[Day]:
    """Return each day that a date can be; an order (``dmy``, ``mdy``, ``ymd``) decides."""
    if not found.digits:
        return [(found.year, found.month, day) for day in found.days]
    lengths = [len(each) for each in found.digits]
    if order and lengths[order.index("y")] == max(lengths):
        orders = [order]
    elif lengths[0] > 2:  # noqa: PLR2004 - no day, so a year
        orders = ["ymd"]
    else:
        orders = ["dmy", "mdy"] if lengths[2] > 2 else ["dmy", "mdy", "ymd"]  # noqa: PLR2004 - as above
    days = []
    for each in orders:
        part = dict(zip(each, found.digits, strict=True))
        days.append((part["y"], int(part["m"]), int(part["d"])))
    real = [day for day in days if 1 <= day[1] <= _LAST_MONTH and 1 <= day[2] <= _LAST_DAY]
    return list(dict.fromkeys(real or days[:1]))


Day = tuple[str, int, int]
"""Year (its digits, of any script), month and day."""
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
_SIMPLE_WORDS = re.compile(
    r"(?P<day>[0-9]{1,2})\.? (?:(?P<first>[^\W\d_]{1,5}) )?(?P<month>[^\W\d_]+)\.? "
    r"(?:(?P<second>[^\W\d_]{1,5}) )?(?P<year>[0-9]{4})"
)
_MIDNIGHT = re.compile(r"[0:.,]+")
_WEEKDAYS_FROM, _CENTURY = "1583", 100
_LONGEST_LOCAL = 60
_ORDERS = ("dmy", "mdy", "ymd", "ydm")


@lru_cache(maxsize=4096)
def read_date(text: str, words: Words, field: str, *, order: str | None = None) -> Written:
    """Return the date in a text in ISO 8601, or an error if it is not certain.

    Args:
        text: a date in any form.
        words: the words of its language.
        field: the field of the metadata.
        order: ``dmy``, ``mdy`` or ``ymd``: the order of a date in digits, if it is known.
    """
    if _ISO.fullmatch(text) and iso_to_ordinal(text) is not None:
        return Written(text=text)
    if _COMPACT.fullmatch(text) and order in {None, "ymd"}:
        return write_day(text, field, (text[:4], int(text[4:6]), int(text[6:])), (0, 8))
    return _read_other_form(text, words, field, order)


def _read_other_form(text: str, words: Words, field: str, order: str | None) -> Written:
    """Return any other form of a date."""
    stripped = text.strip()
    if not stripped or len(stripped) > LONGEST_DATE:
        code = "LX741" if stripped else "LX740"
        return refuse(make_field_finding(code, field, text, quote(text)))
    vocabulary = get_date_vocabulary(words)
    written = (
        _read_simple(text, field, vocabulary)
        or _read_timestamp(text, words, field)
        or _read_local_or_eastern(text, field)
    )
    if written is not None:
        return written
    found, tokens = scan_dates(text, vocabulary)
    if not is_only_dates(found, tokens):
        return refuse(explain_failure(text, tokens, vocabulary, field))
    if len(found) == 1:
        return choose_reading(text, found[0], field, order, tokens)
    listed = ", ".join(text[each.start : each.end] for each in found)
    return refuse(make_field_finding("LX749", field, text, quote(text), listed))


def _read_simple(text: str, field: str, vocabulary: DateVocabulary) -> Written | None:
    """Return a date such as ``6 de outubro de 1983``, as most look, even an impossible one."""
    plain = _SIMPLE_WORDS.fullmatch(text)
    month = vocabulary.months.get(make_key(plain["month"])) if plain else None
    if plain is None or month is None:
        return None
    between = filter(None, plain.group("first", "second"))
    if any(make_key(word) not in vocabulary.dropped for word in between):
        return None
    return write_day(text, field, (plain["year"], month, int(plain["day"])), (0, len(text)))


def _read_timestamp(text: str, words: Words, field: str) -> Written | None:
    """Return the date of a timestamp; in a time zone it is certain at midnight only."""
    stamp = _TIMESTAMP.fullmatch(text.strip())
    if stamp is None:
        return None
    written = read_date(stamp["date"], words, field)
    if stamp["zone"] and not _MIDNIGHT.fullmatch(stamp["time"]):
        found = make_field_finding("LX741", field, text, quote(text), suggestion=written.text)
        return refuse(found)
    time = text.strip()[stamp.end("date") :].strip()
    return written.after([Step(field, Action.DROPPED, time, "", DATE_RULE)])


def _read_local_or_eastern(text: str, field: str) -> Written | None:
    """Return a date in a local calendar or in East Asian form, or None."""
    local = read_local_day(text.strip())
    if local is not None:
        return _read_local(text, local, field)
    eastern = japanese.read_gregorian(text)
    if eastern is None:
        return None
    year, month, day = eastern
    if year < _CENTURY:
        short = (f"{year:02}", month, day)
        return refuse(explain_year(text, field, [short], (0, len(text))))
    return write_day(text, field, (f"{year:04}", month, day), (0, len(text)))


def _read_local(text: str, local: LocalDay, field: str) -> Written:
    """Return the date of a day in a local calendar; a Hijri one with a warning."""
    shown = quote(text)
    if len(local.isos) > 1:
        meant = " or ".join(local.isos)
        return refuse(make_field_finding("LX758", field, text, shown, meant))
    if not local.isos and not local.exact:
        return refuse(make_field_finding("LX754", field, text, shown))
    if not local.isos or not local.exact:
        suggestion = local.isos[0] if local.isos else local.instead
        values = shown, local.calendar.title()
        return refuse(make_field_finding("LX752", field, text, *values, suggestion=suggestion))
    iso = local.isos[0]
    step = Step(field, Action.COMPUTED, text, iso, DATE_RULE)
    is_hijri = local.calendar is Calendar.HIJRI
    findings = (make_field_finding("LX755", field, text, shown),) if is_hijri else ()
    return Written(text=iso, steps=(step,), findings=findings)


def write_day(text: str, field: str, day: Day, span: tuple[int, int]) -> Written:
    """Return a day, if there is one.

    Year 0000 and Julian leap days have a warning, as in names.
    """
    iso = format_iso(day)
    year = int(day[0])
    findings: tuple[Finding, ...] = ()
    if iso_to_ordinal(iso) is None:
        if year == 0 and iso_to_ordinal(format_iso(("0004", *day[1:]))) is not None:
            findings = (make_field_finding("LX747", field, text, span=span),)
        elif year % 4 == 0 and 0 < year <= _LAST_JULIAN_YEAR and day[1:] == (2, 29):
            findings = (make_field_finding("LX748", field, text, iso, span=span),)
        else:
            return refuse(make_field_finding("LX744", field, text, iso, span=span))
    steps = () if text == iso else (Step(field, Action.DATED, text, iso, DATE_RULE),)
    return Written(text=iso, steps=steps, findings=findings)


def format_iso(day: Day) -> str:
    """Format a day in ISO 8601."""
    return f"{int(day[0]):04}-{day[1]:02}-{day[2]:02}"


def explain_year(text: str, field: str, days: Sequence[Day], span: tuple[int, int]) -> Finding:
    """Return the finding of a year without its century, with the dates that it may mean."""
    isos = []
    for year, month, day in days:
        is_short = len(year) == _SHORT_YEAR
        full = (f"{1900 + int(year)}", f"{2000 + int(year)}") if is_short else (year,)
        isos += [format_iso((each, month, day)) for each in full]
    meant = " or ".join(iso for iso in isos if iso_to_ordinal(iso) is not None)
    values = f'"{days[0][0]}"', meant or "of any century"
    return make_field_finding("LX743", field, text, *values, span=span)


def explain_failure(
    text: str, tokens: Sequence[DateToken], vocabulary: DateVocabulary, field: str
) -> Finding:
    """Return the finding of a text without a date, or with more than dates.

    It names an unknown word, and the month that is spelt most like it.
    """
    kinds = {token.kind for token in tokens}
    unknown = [t for t in tokens if t.kind == "O" and _LETTER.match(text, t.start)]
    if not unknown or _DAY_OR_YEAR.isdisjoint(kinds):
        years = sum(token.kind == "Y" for token in tokens)
        is_year = years == 1 and not unknown and not kinds & set("OTLny")
        return make_field_finding("LX746" if is_year else "LX741", field, text, quote(text))
    token = unknown[0]
    word = text[token.start : token.end]
    near = get_close_matches(word.casefold(), list(vocabulary.months), n=1, cutoff=0.75)
    suggestion = text[: token.start] + near[0] + text[token.end :] if near else None
    values = (f'"{word}"', vocabulary.language or "und")
    span = token.start, token.end
    return make_field_finding("LX745", field, text, *values, span=span, suggestion=suggestion)


def is_only_dates(found: Sequence[FoundDate], tokens: Sequence[DateToken]) -> bool:
    """Return True for a text of dates, and words and signs that dates do without."""
    return bool(found) and all(
        token.kind in DROPPED_KINDS or any(each.start <= token.start < each.end for each in found)
        for token in tokens
    )


def choose_reading(
    text: str, found: FoundDate, field: str, order: str | None, tokens: Sequence[DateToken]
) -> Written:
    """Return the one reading of a date; two readings are an error."""
    days = read_days(found, order)
    span = found.start, found.end
    if any(len(year) != _YEAR_DIGITS for year, _, _ in days):
        return refuse(explain_year(text, field, days, span))
    if len(days) > 1:
        values = quote(text), " or ".join(map(format_iso, days))
        return refuse(make_field_finding("LX742", field, text, *values, span=span))
    written = write_day(text, field, days[0], span)
    if written.text is not None:
        return _check_weekday(written, text, field, found, tokens)
    # Another order of the digits may make one day.
    others = [day for each in _ORDERS if found.digits for day in read_days(found, each)]
    isos = {format_iso(day) for day in others if len(day[0]) == _YEAR_DIGITS}
    real = [iso for iso in isos if iso_to_ordinal(iso) is not None]
    suggestion = real[0] if len(real) == 1 else None
    shown = format_iso(days[0])
    return refuse(make_field_finding("LX744", field, text, shown, span=span, suggestion=suggestion))


def _check_weekday(
    written: Written, text: str, field: str, found: FoundDate, tokens: Sequence[DateToken]
) -> Written:
    """Add a warning if the text names a weekday that the date is not."""
    outside = (each for each in tokens if not found.start <= each.start < found.end)
    named = found.weekday or next((each.weekday for each in outside if each.weekday), 0)
    if not named or written.text is None or written.text < _WEEKDAYS_FROM:
        return written
    if dt.date.fromisoformat(written.text).isoweekday() == named:
        return written
    token = next(each for each in tokens if each.weekday == named)
    span = token.start, token.end
    word = quote(text[slice(*span)])
    warning = make_field_finding("LX750", field, text, word, written.text, span=span)
    return Written(text=written.text, steps=written.steps, findings=(*written.findings, warning))


def read_dates(
    text: str, words: Words, field: str, order: str | None = None
) -> tuple[Written, ...]:
    """Return the dates in a text: one or several (RFC 9676 section 6.3.2).

    >>> from lexurn.registry import load_registry
    >>> found = read_dates("1999-12-30, 2000-01-13", load_registry().words("en"), "date")
    >>> [each.text for each in found]
    ['1999-12-30', '2000-01-13']
    """
    single = read_date(text, words, field, order=order)
    if single.text is not None or len(text) > LONGEST_DATE:
        return (single,)
    found, tokens = scan_dates(text, get_date_vocabulary(words), shared=True)
    is_one = len(found) == 1 and len(found[0].days) <= 1
    if not found or is_one or not is_only_dates(found, tokens):
        return (single,)
    kept: list[Written] = []
    for each in found:
        span = each.start, each.end
        days = [(each.year, each.month, day) for day in each.days if len(each.days) > 1]
        dates = [write_day(text, field, day, span) for day in days]
        for written in dates or [choose_reading(text, each, field, order, ())]:
            if written.text is None or all(other.text != written.text for other in kept):
                kept.append(written)
            else:
                warning = make_field_finding("LX751", field, text, written.text)
                kept[-1] = kept[-1].after((), (warning,))
    return tuple(kept)


def find_date(text: str, words: Words) -> tuple[int, int] | None:
    """Return the place of the first date in a text, or None; it may still turn out impossible.

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
    found, tokens = scan_dates(text, get_date_vocabulary(words))
    if len(found) == 1 and is_only_dates(found, tokens):
        return whole
    spans = [_widen_span(each, tokens) for each in found] + japanese.find_dates(text)
    return min(spans, default=None)


def _widen_span(found: FoundDate, tokens: Sequence[DateToken]) -> tuple[int, int]:
    """Return the place of a date with the weekday before it and words of dates after it."""
    start, end = found.start, found.end
    for token in reversed([token for token in tokens if token.end <= start]):
        if token.kind not in DROPPED_KINDS:
            break
        if token.weekday:
            start = token.start
    for token in (token for token in tokens if token.start >= end):
        if not token.dated and (token.kind != "S" or token.start != end):
            break
        end = token.end
    return start, end
