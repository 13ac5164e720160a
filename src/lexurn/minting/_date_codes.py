"""What minting says of dates: code, weight, rule and words."""

from __future__ import annotations

from typing import NamedTuple

from lexurn.minting._steps import MintFinding
from lexurn.name import Severity

__all__ = ["DATE_CODES", "DateCode", "date_finding"]

_ERROR, _WARNING = Severity.ERROR, Severity.WARNING
_DATE, _DATES, _DETAILS = "RFC 9676 §3.6", "RFC 9676 §6.3.2", "RFC 9676 §6.3.1"


class DateCode(NamedTuple):
    """What a code stands for.

    Attributes:
        severity: its weight.
        rule: the rule behind it.
        message: what is wrong and what to do; ``{0}`` and so on are filled in.
    """

    severity: Severity
    rule: str
    message: str


#: The codes of dates, periods and local dates.
DATE_CODES = {
    "LX740": DateCode(_ERROR, _DETAILS, "nothing is left of {0} that could stand in a name"),
    "LX741": DateCode(_ERROR, _DATE, "{0} is not read as a date; write it as YYYY-MM-DD"),
    "LX742": DateCode(
        _ERROR,
        _DATE,
        "{0} can be read as {1}; write the one that is meant, or say the order of day, month and "
        "year (date_order)",
    ),
    "LX743": DateCode(
        _ERROR, _DATE, "the year {0} does not have four digits; it may be {1}: write which"
    ),
    "LX744": DateCode(_ERROR, _DATE, "there is no day {0}"),
    "LX745": DateCode(
        _ERROR, _DATE, "{0} is neither a month nor another word of dates in the language {1}"
    ),
    "LX746": DateCode(
        _ERROR,
        _DATE,
        "{0} has no day and month; give the whole date, or say it in the field period",
    ),
    "LX747": DateCode(_WARNING, _DATE, "the year 0000 is a date by mutual agreement only"),
    "LX748": DateCode(_WARNING, _DATE, "{0} is a day of the Julian calendar only"),
    "LX749": DateCode(_ERROR, _DATES, "{0} holds several dates, and one is expected here: {1}"),
    "LX750": DateCode(_WARNING, _DATE, "{0} is not the weekday of {1}; check the date"),
    "LX751": DateCode(_WARNING, _DATES, "the date {0} is given twice and written once"),
    "LX752": DateCode(_ERROR, _DATE, "the {1} calendar has no such day: {0}"),
    "LX753": DateCode(_ERROR, _DATE, "{0} is {1} in the {2} calendar, and the date says {3}"),
    "LX754": DateCode(
        _ERROR,
        _DATE,
        "{0} is about {1}: the official Hijri calendar goes by sightings or tables of its own and "
        "cannot be computed for certain; give the date in ISO 8601 too",
    ),
    "LX755": DateCode(
        _WARNING,
        _DATE,
        "{0} is computed by the civil table; the official Hijri date may be a day off",
    ),
    "LX756": DateCode(
        _WARNING, _DATE, "{0} is {1} in the {2} calendar as computed, a day off the date {3}"
    ),
    "LX757": DateCode(
        _WARNING, _DATE, "the local date {0} reads as {1}, and the date is {2}; check both"
    ),
    "LX758": DateCode(_ERROR, _DATE, "{0} can mean {1}; write the one that is meant"),
    "LX759": DateCode(_ERROR, _DATE, "{0} cannot be computed in the calendar {1}"),
}


def date_finding(
    code: str,
    field: str,
    text: str,
    *values: str,
    span: tuple[int, int] | None = None,
    suggestion: str | None = None,
) -> MintFinding:
    """The finding that a code makes of a text.

    Args:
        code: a key of `DATE_CODES`.
        field: the field of the metadata.
        text: the text of that field.
        values: what the message shows.
        span: where in the text; the whole of it by default.
        suggestion: what the field could hold instead.
    """
    known = DATE_CODES[code]
    start, end = span or (0, len(text))
    return MintFinding(
        code=code,
        severity=known.severity,
        field=field,
        text=text,
        start=start,
        end=end,
        message=known.message.format(*values),
        rule=known.rule,
        suggestion=suggestion,
    )
