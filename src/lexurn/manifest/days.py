"""Days as tables write them, read by the rules of a mapping file.

Solar Hijri days need jdatetime, of the extra ``sheets``.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from lexurn.errors import MissingExtraError

if TYPE_CHECKING:
    from collections.abc import Mapping

_CLOCK = (
    r"(?:(?:T|,?\s)\s?(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?"
)
_DIGITS = re.compile(r"(?P<whole>\d{8})" + _CLOCK)
_PARTS = re.compile(
    r"(?P<first>\d{1,4})[º°ª]?\s?(?P<sign>[./-])\s?(?P<middle>\d{1,2})\s?(?P=sign)"
    r"\s?(?P<third>\d{1,4})\.?" + _CLOCK
)
_LENGTHS = {"y": 4, "m": 2, "d": 2}
_UTC = frozenset({"Z", "UTC", "GMT"})
_LAST_SOLAR_YEAR = 1500  # 2121 CE; a later one is Gregorian


@dataclass(frozen=True, slots=True)
class DayRules:
    """Rules by which the digits of a day are read.

    Attributes:
        order: the order of day, month and year: ``dmy``, ``mdy`` or ``ymd``.
        two_digit_years: the first of the hundred years in which years of two digits lie, or None.
        time_zone: the time zone in which times become days, or None.
        calendar: ``solar-hijri``, or None for the Gregorian calendar.
    """

    order: str
    two_digit_years: int | None = None
    time_zone: str | None = None
    calendar: str | None = None

    def read(self, text: str) -> str | None:
        """Read a day in digits; return it in ISO 8601, None where it is not certain.

        A year of four digits that stands first shows the order of its day. A time of day without a
        zone, or with an offset from UTC, is that of the place: the day stands as it is written.
        A time in UTC may be that of another day in the place: it needs the time zone.

        Raises:
            MissingExtraError: a Solar Hijri day without jdatetime.
        """
        return _read_day(self, text)


_COMPACT = DayRules("ymd")


@lru_cache(maxsize=4096)
def _read_day(rules: DayRules, text: str) -> str | None:
    text = "".join(str(unicodedata.decimal(c)) if c.isdecimal() else c for c in text.strip())
    found = _DIGITS.fullmatch(text) or _PARTS.fullmatch(text)
    if found is None:
        return None
    named = found.groupdict()
    whole = named.get("whole")
    if whole is not None:
        cuts = [sum(_LENGTHS[part] for part in rules.order[:number]) for number in range(4)]
        parts = [whole[start:end] for start, end in pairwise(cuts)]
        values = dict(zip(rules.order, parts, strict=True))
    else:
        order = "ymd" if len(named["first"]) == _LENGTHS["y"] else rules.order
        values = dict(zip(order, found.group("first", "middle", "third"), strict=True))
    if whole is not None and rules.order != "ymd" and _read_day(_COMPACT, whole) is not None:
        return None  # 20121012 is a day in two orders
    try:
        year = _read_year(values["y"], rules.two_digit_years)
        day = _make_day(year, int(values["m"]), int(values["d"]), rules.calendar)
        if named["hour"] is not None:
            day = _place_day(day, named, rules.time_zone)
    except (ValueError, OverflowError):
        return None
    return day.isoformat()


def _read_year(digits: str, first: int | None) -> int:
    """Read a year of four digits, or of two in the hundred years that begin with ``first``.

    Raises:
        ValueError: it has other digits, or two without a century.
    """
    if len(digits) == _LENGTHS["y"]:
        return int(digits)
    if len(digits) != _LENGTHS["m"] or first is None:
        raise ValueError(digits)
    return first + (int(digits) - first) % 100


def _make_day(year: int, month: int, day: int, calendar: str | None) -> dt.date:
    """Make a day of a calendar.

    Raises:
        ValueError: there is no such day.
        MissingExtraError: a Solar Hijri day without jdatetime.
    """
    if calendar is None:
        return dt.date(year, month, day)
    if year > _LAST_SOLAR_YEAR:
        raise ValueError(year)
    try:
        import jdatetime  # noqa: PLC0415 - needs an extra
    except ImportError as missing:
        raise MissingExtraError("sheets") from missing
    made: dt.date = jdatetime.date(year, month, day).togregorian()
    return made


def _place_day(day: dt.date, clock: Mapping[str, str | None], zone: str | None) -> dt.date:
    """Return the day of a time of day, in the time zone if one is stated.

    Raises:
        ValueError: there is no such time, or the time in UTC can be of two days.
    """
    hour = int(clock["hour"] or 0)
    half = (clock["half"] or "").lower()
    if half:
        hour = hour % 12 + 12 * half.startswith("p")
    time = dt.time(hour, int(clock["minute"] or 0), int(clock["second"] or 0))
    offset = clock["zone"]
    if offset is None:
        return day
    is_utc = offset in _UTC or not offset.strip("+-0:")
    if zone is None:
        if is_utc and time != dt.time.min:
            raise ValueError(offset)
        return day
    digits = "0000" if is_utc else f"{offset[1:].replace(':', ''):0<4}"
    shift = dt.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    moment = dt.datetime.combine(day, time) - (-shift if offset.startswith("-") else shift)
    place = dt.UTC if zone == "UTC" else ZoneInfo(zone)  # UTC needs no table of zones
    return moment.replace(tzinfo=dt.UTC).astimezone(place).date()
