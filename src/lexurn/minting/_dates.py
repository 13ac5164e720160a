"""Dates of metadata as names have them: ``YYYY-MM-DD`` (RFC 9676 section 3.6), never guessed.

ISO 8601 with and without hyphens, timestamps, dates in words in the languages of the registry, in
digits where only one order is possible or the order is said, and Hebrew and Japanese dates.
"""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.minting import _japanese
from lexurn.minting._calendars import Calendar, read_local
from lexurn.minting._date_codes import date_finding
from lexurn.minting._date_faults import explain
from lexurn.minting._date_patterns import DROPPED, Found, days_in, scan
from lexurn.minting._date_words import Same, numeral, vocabulary_of
from lexurn.minting._periods import read_period
from lexurn.minting._steps import Action, MintFinding, Step, Written
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.minting._calendars import LocalDay
    from lexurn.minting._date_words import Token, Vocabulary
    from lexurn.registry import Words

__all__ = ["find_date", "read_date", "read_dates", "read_period"]

_RULE, _LONGEST = "RFC 9676 §3.6", 300
_COMPACT = re.compile(r"[0-9]{8}")
_STAMP = re.compile(
    r"(?P<date>\d{4}-\d{2}-\d{2}|\d{8})[T\s]\s*(?P<time>\d{1,2}:?\d{2}(?::?\d{2}(?:[.,]\d+)?)?)\s*"
    r"(?P<zone>Z|[+-]\d{2}(?::?\d{2})?)?",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"(?P<day>[0-9]{1,2})\.? (?:(?P<first>[^\W\d_]{1,5}) )?(?P<month>[^\W\d_]+)\.? "
    r"(?:(?P<second>[^\W\d_]{1,5}) )?(?P<year>[0-9]{4})"
)
_NUMERIC = re.compile(r"[0-9./-]+")
_MIDNIGHT = re.compile(r"[0:.,]+")
_LAST_JULIAN_YEAR, _YEAR_DIGITS = 1582, 4
_ORDERS = ("dmy", "mdy", "ymd", "ydm")


def read_date(text: str, words: Words, field: str, *, order: str | None = None) -> Written:
    """The date that a text says, in ISO 8601; an error where it says none for certain.

    Args:
        text: a date, in whatever form.
        words: the words of its language.
        field: the field of the metadata.
        order: ``dmy``, ``mdy`` or ``ymd``: how a date in digits is meant, where that is known.
    """
    if len(text) == 10 and text[4] == "-" and text[:4].isdigit() and text.isascii():  # noqa: PLR2004
        plain = _iso(text)
        if plain is not None:
            return plain
    elif len(text) == 8 and order in {None, "ymd"} and _COMPACT.fullmatch(text):  # noqa: PLR2004
        return _compact(text, field)
    return _read(text, Same(words), field, order)


def read_dates(
    text: str, words: Words, field: str, order: str | None = None
) -> tuple[Written, ...]:
    """The dates that a text says: one or several (RFC 9676 section 6.3.2).

    >>> from lexurn.registry import registry
    >>> found = read_dates("1999-12-30, 2000-01-13", registry().words("en"), "date")
    >>> [each.text for each in found]
    ['1999-12-30', '2000-01-13']
    """
    single = read_date(text, words, field, order=order)
    if single.text is not None or len(text) > _LONGEST:
        return (single,)
    found, tokens = scan(text, vocabulary_of(Same(words)), shared=True)
    if len(found) + sum(len(each.days) > 1 for each in found) < 2 or not _is_all(found, tokens):  # noqa: PLR2004
        return (single,)
    return _once([one for each in found for one in _each(text, each, field, order)], text, field)


def find_date(text: str, words: Words) -> tuple[int, int] | None:
    """Where the first date of a longer text stands, or None; it may still turn out impossible.

    >>> from lexurn.registry import registry
    >>> find_date("Legge 21.9.2003, n. 456", registry().words("it"))
    (6, 15)
    """
    stripped = text.strip()
    start = text.index(stripped)
    whole = start, start + len(stripped)
    if _COMPACT.fullmatch(stripped) or _STAMP.fullmatch(stripped) or _is_local(stripped):
        return whole
    found, tokens = scan(text, vocabulary_of(Same(words)))
    if len(found) == 1 and _is_all(found, tokens):
        return whole
    spans = [_widened(each, tokens) for each in found] + _japanese.places(text)
    return min(spans, default=None)


def _is_local(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and read_local(text) is not None


def _widened(found: Found, tokens: Sequence[Token]) -> tuple[int, int]:
    """The place of a date with the weekday before it and the words of dates behind it."""
    start, end = found.start, found.end
    for token in reversed([token for token in tokens if token.end <= start]):
        if token.kind not in DROPPED:
            break
        if token.weekday:
            start = token.start
    for token in (token for token in tokens if token.start >= end):
        if not token.dated and (token.kind != "S" or token.start != end):
            break
        end = token.end
    return start, end


@lru_cache(maxsize=16_384)
def _iso(text: str) -> Written | None:
    """A date that is in ISO 8601 already; None where it is none."""
    try:
        dt.date.fromisoformat(text)
    except ValueError:
        return None
    return Written(text=text)


@lru_cache(maxsize=4096)
def _compact(text: str, field: str) -> Written:
    """``20031221``."""
    return _dated(text, field, (text[:4], int(text[4:6]), int(text[6:])), (0, 8))


@lru_cache(maxsize=4096)
def _read(text: str, same: Same, field: str, order: str | None) -> Written:
    """Any other form of a date; the same text always gives the same answer."""
    stripped = text.strip()
    if not stripped:
        return _failed(date_finding("LX740", field, text, _shown(text)))
    if len(stripped) > _LONGEST:
        return _failed(date_finding("LX741", field, text, _shown(text)))
    vocabulary = vocabulary_of(same)
    return (
        _quick(text, field, vocabulary)
        or _stamped(text, same, field)
        or _from_elsewhere(text, field)
        or _scanned(text, field, order, vocabulary)
    )


def _scanned(text: str, field: str, order: str | None, vocabulary: Vocabulary) -> Written:
    """The one date that the words and numbers of a text make, or why they make none."""
    found, tokens = scan(text, vocabulary)
    if not _is_all(found, tokens):
        return _failed(explain(text, tokens, vocabulary, field))
    if len(found) == 1:
        return _chosen(text, found[0], field, order, tokens)
    shown = ", ".join(text[each.start : each.end] for each in found)
    return _failed(date_finding("LX749", field, text, _shown(text), shown))


def _from_elsewhere(text: str, field: str) -> Written | None:
    """A date in a local calendar, or as East Asia writes it; None where the text is neither."""
    if _NUMERIC.fullmatch(text):
        return None
    local = read_local(text.strip())
    if local is not None:
        return _from_local(text, local, field)
    eastern = _japanese.gregorian(text)
    if eastern is None:
        return None
    year, month, day = eastern
    return _dated(text, field, (f"{year:04}", month, day), (0, len(text)))


def _quick(text: str, field: str, vocabulary: Vocabulary) -> Written | None:
    """``6 de outubro de 1983``, which is what most dates in words look like; else None."""
    plain = _PLAIN.fullmatch(text)
    month = vocabulary.months.get(key_of(plain["month"])) if plain else None
    if plain is None or month is None:
        return None
    between = filter(None, plain.group("first", "second"))
    if any(key_of(word) not in vocabulary.dropped for word in between):
        return None
    return _dated(text, field, (plain["year"], month, int(plain["day"])), (0, len(text)))


def _shown(text: str) -> str:
    """A text as a message shows it."""
    return f'"{text}"' if len(text) <= 60 else f'"{text[:59]}…"'  # noqa: PLR2004  a line


def _failed(*findings: MintFinding) -> Written:
    return Written(text=None, findings=findings)


def _is_all(found: Sequence[Found], tokens: Iterable[Token]) -> bool:
    """Whether nothing else stands in the text but words and signs that dates do without."""
    return bool(found) and all(
        token.kind in DROPPED or any(each.start <= token.start < each.end for each in found)
        for token in tokens
    )


def _stamped(text: str, same: Same, field: str) -> Written | None:
    """A date with a time of day; in a time zone, the day is certain at midnight only."""
    stamp = _STAMP.fullmatch(text.strip())
    if stamp is None:
        return None
    written = read_date(stamp["date"], same.words, field)
    if stamp["zone"] and not _MIDNIGHT.fullmatch(stamp["time"]):
        found = date_finding("LX741", field, text, _shown(text), suggestion=written.text)
        return _failed(found)
    time = text.strip()[stamp.end("date") :].strip()
    step = Step(field=field, action=Action.DROPPED, before=time, after="", rule=_RULE)
    return written.after([step])


def _from_local(text: str, local: LocalDay, field: str) -> Written:
    """A date in the Hebrew or the Japanese calendar, computed; a Hijri one only as a suggestion."""
    if len(local.isos) > 1:
        shown = " or ".join(local.isos)
        return _failed(date_finding("LX758", field, text, _shown(text), shown))
    if not local.isos:
        values = (_shown(text), local.calendar.title())
        return _failed(date_finding("LX752", field, text, *values, suggestion=local.instead))
    iso = local.isos[0]
    if local.calendar is Calendar.HIJRI:
        return _failed(date_finding("LX754", field, text, _shown(text), iso, suggestion=iso))
    step = Step(field=field, action=Action.COMPUTED, before=text, after=iso, rule=_RULE)
    return Written(text=iso, steps=(step,))


def _chosen(
    text: str, found: Found, field: str, order: str | None, tokens: Sequence[Token]
) -> Written:
    """The one reading of a date; what two readings have is asked."""
    days = days_in(found, order)
    span = found.start, found.end
    if any(len(year) != _YEAR_DIGITS for year, _, _ in days):
        return _failed(_odd_year(text, field, days, span))
    if len(days) > 1:
        isos = [_iso_text(*day) for day in days]
        return _failed(
            date_finding("LX742", field, text, _shown(text), " or ".join(isos), span=span)
        )
    written = _dated(text, field, days[0], span)
    if written.text is None:
        suggestion = _other_order(found)
        shown = _iso_text(*days[0])
        return _failed(date_finding("LX744", field, text, shown, span=span, suggestion=suggestion))
    return _with_weekday(written, text, field, found, tokens)


def _other_order(found: Found) -> str | None:
    """The one day that a date in digits can be in another order than the one it was read in."""
    if not found.digits:
        return None
    days = {day for order in _ORDERS for day in days_in(found, order) if _is_day(*day)}
    isos = {_iso_text(*day) for day in days if len(day[0]) == _YEAR_DIGITS}
    return isos.pop() if len(isos) == 1 else None


def _iso_text(year: str, month: int, day: int) -> str:
    return f"{numeral(year):04}-{month:02}-{day:02}"


def _odd_year(
    text: str, field: str, days: Sequence[tuple[str, int, int]], span: tuple[int, int]
) -> MintFinding:
    """The finding of a year without its century, with the dates that it may mean."""
    candidates = [
        iso
        for year, month, day in days
        for full in _full_years(year)
        if _is_day(*(iso_parts := (full, month, day))) and (iso := _iso_text(*iso_parts))
    ]
    shown = " or ".join(candidates) or "of any century"
    return date_finding("LX743", field, text, f'"{days[0][0]}"', shown, span=span)


def _full_years(year: str) -> tuple[str, ...]:
    number = numeral(year)
    if len(year) == 2:  # noqa: PLR2004  without its century
        return f"{1900 + number}", f"{2000 + number}"
    return (f"{number:04}",)


def _is_day(year: str, month: int, day: int) -> bool:
    try:
        dt.date(numeral(year), month, day)
    except ValueError:
        return False
    return True


def _dated(text: str, field: str, day: tuple[str, int, int], span: tuple[int, int]) -> Written:
    """A day, if there is one; year 0000 and Julian leap days with a warning, as names are read."""
    iso = _iso_text(*day)
    year = numeral(day[0])
    findings: tuple[MintFinding, ...] = ()
    if not _is_day(*day):
        if year == 0 and _is_day("0004", *day[1:]):
            findings = (date_finding("LX747", field, text, span=span),)
        elif year % 4 == 0 and 0 < year <= _LAST_JULIAN_YEAR and day[1:] == (2, 29):
            findings = (date_finding("LX748", field, text, iso, span=span),)
        else:
            return _failed(date_finding("LX744", field, text, iso, span=span))
    same = text == iso
    step = Step(field=field, action=Action.DATED, before=text, after=iso, rule=_RULE)
    return Written(text=iso, steps=() if same else (step,), findings=findings)


def _with_weekday(
    written: Written, text: str, field: str, found: Found, tokens: Sequence[Token]
) -> Written:
    """The same, with a warning where the text names a weekday that the date is not."""
    named = found.weekday or next(
        (
            each.weekday
            for each in tokens
            if each.weekday and not found.start <= each.start < found.end
        ),
        0,
    )
    if not named or written.text is None or written.text[:4] <= str(_LAST_JULIAN_YEAR):
        return written
    if dt.date.fromisoformat(written.text).isoweekday() == named:
        return written
    token = next(each for each in tokens if each.weekday == named)
    word = text[token.start : token.end]
    warning = date_finding(
        "LX750", field, text, f'"{word}"', written.text, span=(token.start, token.end)
    )
    return Written(text=written.text, steps=written.steps, findings=(*written.findings, warning))


def _each(text: str, found: Found, field: str, order: str | None) -> list[Written]:
    """The dates of one place; several where days share month and year."""
    if len(found.days) > 1:
        span = found.start, found.end
        return [_dated(text, field, (found.year, found.month, day), span) for day in found.days]
    return [_chosen(text, found, field, order, ())]


def _once(dates: list[Written], text: str, field: str) -> tuple[Written, ...]:
    """The dates, one that is given twice written once, with a warning."""
    kept: list[Written] = []
    for each in dates:
        twice = each.text is not None and any(other.text == each.text for other in kept)
        if not twice:
            kept.append(each)
            continue
        warning = date_finding("LX751", field, text, str(each.text))
        kept[-1] = kept[-1].after((), (warning,))
    return tuple(kept)
