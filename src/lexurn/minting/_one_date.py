"""One date of metadata, in ISO 8601 (RFC 9676 section 3.6): read for certain, or refused."""

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
from lexurn.minting._date_words import Same, vocabulary_of
from lexurn.minting._days import DATE_RULE, dated, failed, is_day, iso_text, odd_year, shown
from lexurn.minting._steps import Action, Step, Written
from lexurn.registry import key_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.minting._calendars import LocalDay
    from lexurn.minting._date_words import Token, Vocabulary
    from lexurn.registry import Words

__all__ = ["LONGEST_DATE", "chosen", "is_all", "is_written_whole", "read_date"]

LONGEST_DATE = 300
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
_DIGITS = re.compile(
    r"(?P<first>[0-9]{1,2})(?P<sign>[./-])(?P<second>[0-9]{1,2})(?P=sign)(?P<third>[0-9]{4})"
)
_MIDNIGHT = re.compile(r"[0:.,]+")
_WEEKDAYS_FROM, _YEAR_DIGITS, _CENTURY = "1583", 4, 100
_LONGEST_LOCAL = 60
_ORDERS = ("dmy", "mdy", "ymd", "ydm")


def read_date(text: str, words: Words, field: str, *, order: str | None = None) -> Written:
    """The date that a text says, in ISO 8601; an error where it says none for certain.

    Args:
        text: a date, in whatever form.
        words: the words of its language.
        field: the field of the metadata.
        order: ``dmy``, ``mdy`` or ``ymd``: how a date in digits is meant, where that is known.
    """
    if len(text) == 10 and text[4] == text[7] == "-" and text.isascii():  # noqa: PLR2004 - 2003-09-21
        plain = _iso(text)
        if plain is not None:
            return plain
    elif len(text) == 8 and order in {None, "ymd"} and _COMPACT.fullmatch(text):  # noqa: PLR2004 - 20030921
        return _compact(text, field)
    return _read(text, Same(words), field, order)


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
    plain = _iso(f"{text[:4]}-{text[4:6]}-{text[6:]}")
    if plain is None:
        return dated(text, field, (text[:4], int(text[4:6]), int(text[6:])), (0, 8))
    step = Step(
        field=field, action=Action.DATED, before=text, after=plain.text or "", rule=DATE_RULE
    )
    return plain.after((step,))


@lru_cache(maxsize=4096)
def _read(text: str, same: Same, field: str, order: str | None) -> Written:
    """Any other form of a date; the same text always gives the same answer."""
    stripped = text.strip()
    if not stripped:
        return failed(date_finding("LX740", field, text, shown(text)))
    if len(stripped) > LONGEST_DATE:
        return failed(date_finding("LX741", field, text, shown(text)))
    vocabulary = vocabulary_of(same)
    return (
        _quick(text, field, order, vocabulary)
        or _stamped(text, same, field)
        or _from_elsewhere(text, field)
        or _scanned(text, field, order, vocabulary)
    )


def _scanned(text: str, field: str, order: str | None, vocabulary: Vocabulary) -> Written:
    """The one date that the words and numbers of a text make, or why they make none."""
    found, tokens = scan(text, vocabulary)
    if not is_all(found, tokens):
        return failed(explain(text, tokens, vocabulary, field))
    if len(found) == 1:
        return chosen(text, found[0], field, order, tokens)
    listed = ", ".join(text[each.start : each.end] for each in found)
    return failed(date_finding("LX749", field, text, shown(text), listed))


def _from_elsewhere(text: str, field: str) -> Written | None:
    """A date in a local calendar, or as East Asia writes it; None where the text is neither."""
    local = read_local(text.strip())
    if local is not None:
        return _from_local(text, local, field)
    eastern = _japanese.gregorian(text)
    if eastern is None:
        return None
    year, month, day = eastern
    if year < _CENTURY:
        short = (f"{year:02}", month, day)
        return failed(odd_year(text, field, [short], (0, len(text))))
    return dated(text, field, (f"{year:04}", month, day), (0, len(text)))


def _quick(text: str, field: str, order: str | None, vocabulary: Vocabulary) -> Written | None:
    """``6 de outubro de 1983`` or ``6/10/1983``, as most dates look; None of any other text."""
    digits = _DIGITS.fullmatch(text)
    if digits is not None:
        numbers = digits.group("first", "second", "third")
        return chosen(text, Found(0, len(text), digits=numbers), field, order, ())
    plain = _PLAIN.fullmatch(text)
    month = vocabulary.months.get(key_of(plain["month"])) if plain else None
    if plain is None or month is None:
        return None
    between = filter(None, plain.group("first", "second"))
    if any(key_of(word) not in vocabulary.dropped for word in between):
        return None
    return dated(text, field, (plain["year"], month, int(plain["day"])), (0, len(text)))


def is_all(found: Sequence[Found], tokens: Iterable[Token]) -> bool:
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
        found = date_finding("LX741", field, text, shown(text), suggestion=written.text)
        return failed(found)
    time = text.strip()[stamp.end("date") :].strip()
    step = Step(field=field, action=Action.DROPPED, before=time, after="", rule=DATE_RULE)
    return written.after([step])


def _from_local(text: str, local: LocalDay, field: str) -> Written:
    """A date in the Hebrew or the Japanese calendar, computed; a Hijri one only as a suggestion."""
    if len(local.isos) > 1:
        meant = " or ".join(local.isos)
        return failed(date_finding("LX758", field, text, shown(text), meant))
    if not local.isos:
        values = (shown(text), local.calendar.title())
        return failed(date_finding("LX752", field, text, *values, suggestion=local.instead))
    iso = local.isos[0]
    if local.calendar is Calendar.HIJRI:
        return failed(date_finding("LX754", field, text, shown(text), iso, suggestion=iso))
    step = Step(field=field, action=Action.COMPUTED, before=text, after=iso, rule=DATE_RULE)
    return Written(text=iso, steps=(step,))


def chosen(
    text: str, found: Found, field: str, order: str | None, tokens: Sequence[Token]
) -> Written:
    """The one reading of a date; what two readings have is asked."""
    days = days_in(found, order)
    span = found.start, found.end
    if any(len(year) != _YEAR_DIGITS for year, _, _ in days):
        return failed(odd_year(text, field, days, span))
    if len(days) > 1:
        isos = [iso_text(*day) for day in days]
        return failed(date_finding("LX742", field, text, shown(text), " or ".join(isos), span=span))
    written = dated(text, field, days[0], span)
    if written.text is None:
        suggestion = _other_order(found)
        iso = iso_text(*days[0])
        return failed(date_finding("LX744", field, text, iso, span=span, suggestion=suggestion))
    return _with_weekday(written, text, field, found, tokens)


def _other_order(found: Found) -> str | None:
    """The one day that a date in digits can be in another order than the one it was read in."""
    if not found.digits:
        return None
    days = {day for order in _ORDERS for day in days_in(found, order) if is_day(*day)}
    isos = {iso_text(*day) for day in days if len(day[0]) == _YEAR_DIGITS}
    return isos.pop() if len(isos) == 1 else None


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
    if not named or written.text is None or written.text < _WEEKDAYS_FROM:
        return written
    if dt.date.fromisoformat(written.text).isoweekday() == named:
        return written
    token = next(each for each in tokens if each.weekday == named)
    word = text[token.start : token.end]
    warning = date_finding(
        "LX750", field, text, f'"{word}"', written.text, span=(token.start, token.end)
    )
    return Written(text=written.text, steps=written.steps, findings=(*written.findings, warning))


def is_written_whole(text: str) -> bool:
    """Whether a text is one date as machines, or as a local calendar, write it."""
    if _COMPACT.fullmatch(text) or _STAMP.fullmatch(text):
        return True
    return 0 < len(text) <= _LONGEST_LOCAL and read_local(text) is not None
