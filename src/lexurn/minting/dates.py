"""Dates in ISO 8601 (RFC 9676 section 3.6): read for certain, or refused with the reason.

ISO 8601 with and without hyphens, timestamps, dates in words in the languages of the registry, in
digits where only one order is possible or the order is given, and Hebrew and Japanese dates.
"""

from __future__ import annotations

import datetime as dt
import re
from difflib import get_close_matches
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.minting.calendars import japanese
from lexurn.minting.calendars.calendar import Calendar, read_local_day
from lexurn.minting.date_grammar import (
    DROPPED_KINDS,
    FoundDate,
    IdentityKey,
    get_date_vocabulary,
    read_days,
    scan_dates,
)
from lexurn.minting.metadata import make_field_finding
from lexurn.minting.steps import Action, Step, Written
from lexurn.minting.text.cleaning import quote_characters as quote
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.findings import Finding
    from lexurn.minting.calendars.calendar import LocalDay
    from lexurn.minting.date_grammar import DateToken, DateVocabulary
    from lexurn.registry import Words

DATE_RULE = "RFC 9676 §3.6"
#: Year (its digits, of any script), month and day.
Day = tuple[str, int, int]

_LAST_JULIAN_YEAR, _SHORT_YEAR = 1582, 2


def refuse_date(*findings: Finding) -> Written:
    """Return what has no date, with the reasons."""
    return Written(text=None, findings=findings)


def format_iso(year: str, month: int, day: int) -> str:
    """Format a day in ISO 8601."""
    return f"{int(year):04}-{month:02}-{day:02}"


def is_day(year: str, month: int, day: int) -> bool:
    """Return whether the proleptic Gregorian calendar has a day."""
    try:
        dt.date(int(year), month, day)
    except ValueError:
        return False
    return True


def write_day(text: str, field: str, day: Day, span: tuple[int, int]) -> Written:
    """Return a day, if there is one.

    Year 0000 and Julian leap days have a warning, as in names.
    """
    iso = format_iso(*day)
    year = int(day[0])
    findings: tuple[Finding, ...] = ()
    if not is_day(*day):
        if year == 0 and is_day("0004", *day[1:]):
            findings = (make_field_finding("LX747", field, text, span=span),)
        elif year % 4 == 0 and 0 < year <= _LAST_JULIAN_YEAR and day[1:] == (2, 29):
            findings = (make_field_finding("LX748", field, text, iso, span=span),)
        else:
            return refuse_date(make_field_finding("LX744", field, text, iso, span=span))
    same = text == iso
    step = Step(field=field, action=Action.DATED, before=text, after=iso, rule=DATE_RULE)
    return Written(text=iso, steps=() if same else (step,), findings=findings)


def explain_year(text: str, field: str, days: Sequence[Day], span: tuple[int, int]) -> Finding:
    """Return the finding of a year without its century, with the dates that it may mean."""
    candidates = []
    for year, month, day in days:
        number = int(year)
        short = len(year) == _SHORT_YEAR
        full = (f"{1900 + number}", f"{2000 + number}") if short else (f"{number:04}",)
        candidates += [format_iso(each, month, day) for each in full if is_day(each, month, day)]
    meant = " or ".join(candidates) or "of any century"
    return make_field_finding("LX743", field, text, f'"{days[0][0]}"', meant, span=span)


_DAY_OR_YEAR = frozenset("nY")
_LETTER = re.compile(r"[^\W\d_]")


def explain_failure(
    text: str, tokens: Sequence[DateToken], vocabulary: DateVocabulary, field: str
) -> Finding:
    """Return the finding of a text without a date, or with more than dates."""
    kinds = [token.kind for token in tokens]
    unknown = [t for t in tokens if t.kind == "O" and _LETTER.match(text, t.start)]
    if unknown and not _DAY_OR_YEAR.isdisjoint(kinds):
        return _explain_word(text, unknown[0], vocabulary, field)
    is_year = kinds.count("Y") == 1 and not unknown and not set(kinds) & set("OTLny")
    return make_field_finding("LX746" if is_year else "LX741", field, text, quote(text))


def _explain_word(text: str, token: DateToken, vocabulary: DateVocabulary, field: str) -> Finding:
    """Return the finding of an unknown word, with the month that is spelt most like it."""
    word = text[token.start : token.end]
    near = get_close_matches(word.casefold(), list(vocabulary.months), n=1, cutoff=0.75)
    suggestion = text[: token.start] + near[0] + text[token.end :] if near else None
    values = (f'"{word}"', vocabulary.language or "und")
    span = token.start, token.end
    return make_field_finding("LX745", field, text, *values, span=span, suggestion=suggestion)


LONGEST_DATE = 300
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
_SIMPLE_DIGITS = re.compile(
    r"(?P<first>[0-9]{1,2})(?P<sign>[./-])(?P<second>[0-9]{1,2})(?P=sign)(?P<third>[0-9]{4})"
)
_MIDNIGHT = re.compile(r"[0:.,]+")
_WEEKDAYS_FROM, _YEAR_DIGITS, _CENTURY = "1583", 4, 100
_LONGEST_LOCAL = 60
_ORDERS = ("dmy", "mdy", "ymd", "ydm")


def read_date(text: str, words: Words, field: str, *, order: str | None = None) -> Written:
    """Return the date in a text in ISO 8601, or an error where it is not certain.

    Args:
        text: a date, in whatever form.
        words: the words of its language.
        field: the field of the metadata.
        order: ``dmy``, ``mdy`` or ``ymd``: how a date in digits is meant, where that is known.
    """
    if len(text) == 10 and text[4] == text[7] == "-" and text.isascii():  # noqa: PLR2004 - 2003-09-21
        plain = _read_iso(text)
        if plain is not None:
            return plain
    elif len(text) == 8 and order in {None, "ymd"} and _COMPACT.fullmatch(text):  # noqa: PLR2004 - 20030921
        return _read_compact(text, field)
    return _read_other_form(text, IdentityKey(words), field, order)


@lru_cache(maxsize=16_384)
def _read_iso(text: str) -> Written | None:
    """Return a date that is in ISO 8601 already, or None."""
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return None
    return Written(text=text)


@lru_cache(maxsize=4096)
def _read_compact(text: str, field: str) -> Written:
    """Return a date such as ``20031221``."""
    plain = _read_iso(f"{text[:4]}-{text[4:6]}-{text[6:]}")
    if plain is None:
        return write_day(text, field, (text[:4], int(text[4:6]), int(text[6:])), (0, 8))
    step = Step(
        field=field, action=Action.DATED, before=text, after=plain.text or "", rule=DATE_RULE
    )
    return plain.after((step,))


@lru_cache(maxsize=4096)
def _read_other_form(text: str, same: IdentityKey, field: str, order: str | None) -> Written:
    """Return any other form of a date; the same text always gives the same answer."""
    stripped = text.strip()
    if not stripped:
        return refuse_date(make_field_finding("LX740", field, text, quote(text)))
    if len(stripped) > LONGEST_DATE:
        return refuse_date(make_field_finding("LX741", field, text, quote(text)))
    vocabulary = get_date_vocabulary(same)
    return (
        _read_simple(text, field, order, vocabulary)
        or _read_timestamp(text, same, field)
        or _read_local_or_eastern(text, field)
        or _read_scanned(text, field, order, vocabulary)
    )


def _read_scanned(text: str, field: str, order: str | None, vocabulary: DateVocabulary) -> Written:
    """Return the one date that words and numbers make, or why they make none."""
    found, tokens = scan_dates(text, vocabulary)
    if not is_only_dates(found, tokens):
        return refuse_date(explain_failure(text, tokens, vocabulary, field))
    if len(found) == 1:
        return choose_reading(text, found[0], field, order, tokens)
    listed = ", ".join(text[each.start : each.end] for each in found)
    return refuse_date(make_field_finding("LX749", field, text, quote(text), listed))


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
        return refuse_date(explain_year(text, field, [short], (0, len(text))))
    return write_day(text, field, (f"{year:04}", month, day), (0, len(text)))


def _read_simple(
    text: str, field: str, order: str | None, vocabulary: DateVocabulary
) -> Written | None:
    """Return ``6 de outubro de 1983`` or ``6/10/1983``, as most dates look, or None."""
    digits = _SIMPLE_DIGITS.fullmatch(text)
    if digits is not None:
        numbers = digits.group("first", "second", "third")
        return choose_reading(text, FoundDate(0, len(text), digits=numbers), field, order, ())
    plain = _SIMPLE_WORDS.fullmatch(text)
    month = vocabulary.months.get(make_key(plain["month"])) if plain else None
    if plain is None or month is None:
        return None
    between = filter(None, plain.group("first", "second"))
    if any(make_key(word) not in vocabulary.dropped for word in between):
        return None
    return write_day(text, field, (plain["year"], month, int(plain["day"])), (0, len(text)))


def is_only_dates(found: Sequence[FoundDate], tokens: Iterable[DateToken]) -> bool:
    """Return whether a text has only dates, and words and signs that dates do without."""
    return bool(found) and all(
        token.kind in DROPPED_KINDS or any(each.start <= token.start < each.end for each in found)
        for token in tokens
    )


def _read_timestamp(text: str, same: IdentityKey, field: str) -> Written | None:
    """Return the date of a timestamp; in a time zone it is certain at midnight only."""
    stamp = _TIMESTAMP.fullmatch(text.strip())
    if stamp is None:
        return None
    written = read_date(stamp["date"], same.words, field)
    if stamp["zone"] and not _MIDNIGHT.fullmatch(stamp["time"]):
        found = make_field_finding("LX741", field, text, quote(text), suggestion=written.text)
        return refuse_date(found)
    time = text.strip()[stamp.end("date") :].strip()
    step = Step(field=field, action=Action.DROPPED, before=time, after="", rule=DATE_RULE)
    return written.after([step])


def _read_local(text: str, local: LocalDay, field: str) -> Written:
    """Return the date of a day in a local calendar; a Hijri one with a warning."""
    shown = quote(text)
    if len(local.isos) > 1:
        meant = " or ".join(local.isos)
        return refuse_date(make_field_finding("LX758", field, text, shown, meant))
    if not local.isos and not local.exact:
        return refuse_date(make_field_finding("LX754", field, text, shown))
    if not local.isos or not local.exact:
        suggestion = local.isos[0] if local.isos else local.instead
        values = shown, local.calendar.title()
        return refuse_date(make_field_finding("LX752", field, text, *values, suggestion=suggestion))
    iso = local.isos[0]
    step = Step(field=field, action=Action.COMPUTED, before=text, after=iso, rule=DATE_RULE)
    is_hijri = local.calendar is Calendar.HIJRI
    findings = (make_field_finding("LX755", field, text, shown),) if is_hijri else ()
    return Written(text=iso, steps=(step,), findings=findings)


def choose_reading(
    text: str, found: FoundDate, field: str, order: str | None, tokens: Sequence[DateToken]
) -> Written:
    """Return the one reading of a date; two readings are an error."""
    days = read_days(found, order)
    span = found.start, found.end
    if any(len(year) != _YEAR_DIGITS for year, _, _ in days):
        return refuse_date(explain_year(text, field, days, span))
    if len(days) > 1:
        isos = [format_iso(*day) for day in days]
        return refuse_date(
            make_field_finding("LX742", field, text, quote(text), " or ".join(isos), span=span)
        )
    written = write_day(text, field, days[0], span)
    if written.text is None:
        suggestion = _suggest_order(found)
        iso = format_iso(*days[0])
        return refuse_date(
            make_field_finding("LX744", field, text, iso, span=span, suggestion=suggestion)
        )
    return _check_weekday(written, text, field, found, tokens)


def _suggest_order(found: FoundDate) -> str | None:
    """Return the one day that a date in digits can be in another order, or None."""
    if not found.digits:
        return None
    days = {day for order in _ORDERS for day in read_days(found, order) if is_day(*day)}
    isos = {format_iso(*day) for day in days if len(day[0]) == _YEAR_DIGITS}
    return isos.pop() if len(isos) == 1 else None


def _check_weekday(
    written: Written, text: str, field: str, found: FoundDate, tokens: Sequence[DateToken]
) -> Written:
    """Add a warning where the text names a weekday that the date is not."""
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


def is_machine_date(text: str) -> bool:
    """Return whether a text is one date as machines, or a local calendar, write it."""
    if _COMPACT.fullmatch(text) or _TIMESTAMP.fullmatch(text):
        return True
    return 0 < len(text) <= _LONGEST_LOCAL and read_local_day(text) is not None


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
    found, tokens = scan_dates(text, get_date_vocabulary(IdentityKey(words)), shared=True)
    is_one = len(found) == 1 and len(found[0].days) <= 1
    if not found or is_one or not is_only_dates(found, tokens):
        return (single,)
    return _drop_repeats(
        [one for each in found for one in _read_found(text, each, field, order)], text, field
    )


def _read_found(text: str, found: FoundDate, field: str, order: str | None) -> list[Written]:
    """Return the dates of one place; several where days share month and year."""
    if len(found.days) > 1:
        span = found.start, found.end
        return [write_day(text, field, (found.year, found.month, day), span) for day in found.days]
    return [choose_reading(text, found, field, order, ())]


def _drop_repeats(dates: list[Written], text: str, field: str) -> tuple[Written, ...]:
    """Return the dates with each date once, and a warning for a repeated one."""
    kept: list[Written] = []
    for each in dates:
        twice = each.text is not None and any(other.text == each.text for other in kept)
        if not twice:
            kept.append(each)
            continue
        warning = make_field_finding("LX751", field, text, str(each.text))
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
    if is_machine_date(stripped):
        return whole
    found, tokens = scan_dates(text, get_date_vocabulary(IdentityKey(words)))
    if len(found) == 1 and is_only_dates(found, tokens):
        return whole
    spans = [_widen_span(each, tokens) for each in found] + japanese.find_dates(text)
    return min(spans, default=None)


def _widen_span(found: FoundDate, tokens: Sequence[DateToken]) -> tuple[int, int]:
    """Return the place of a date with the weekday before it and words of dates behind it."""
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
