"""Days as tables write them: read by the rules of a mapping file, or to find these rules.

Solar Hijri days need jdatetime, of the extra ``sheets``.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple
from zoneinfo import ZoneInfo

from lexurn.errors import MissingExtraError
from lexurn.registry import load_registry, make_key

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_CLOCK = (
    r"(?:(?:T|,?\s)\s?(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?:[.,]\d+)?)?"
    r"\s?(?P<half>[AaPp]\.?[Mm]\.?)?\s?(?P<zone>Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?"
)
_PLAIN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_DIGITS = re.compile(r"(?P<whole>\d{8})" + _CLOCK)
_PARTS = re.compile(  # a Slavic letter for "year" may stand behind
    r"(?P<first>\d{1,4})[º°ª]?\s?(?P<sign>[./-])\s?(?P<middle>\d{1,2})\s?(?P=sign)"
    r"\s?(?P<third>\d{1,4})(?:\s?[\u0433\u0440]|\s?r(?=\.))?\.?" + _CLOCK
)
_LENGTHS = {"y": 4, "m": 2, "d": 2}
_SHORT_YEAR = 2  # digits
_UTC = frozenset({"Z", "UTC", "GMT"})
_LAST_SOLAR_YEAR = 1500  # 2121 CE; a later one is Gregorian


@dataclass(frozen=True, slots=True)
class DayRules:
    """Rules by which a day is read.

    Attributes:
        order: the order of day, month and year: ``dmy``, ``mdy`` or ``ymd``; empty if all digits
            are in ISO 8601.
        two_digit_years: the first of the hundred years in which years of two digits lie, or None.
        time_zone: the time zone in which times become days, or None.
        calendar: ``solar-hijri``, or None for the Gregorian calendar.
        language: the language of the names of months, or None.
    """

    order: str
    two_digit_years: int | None = None
    time_zone: str | None = None
    calendar: str | None = None
    language: str | None = None

    def read(self, text: str) -> str | None:
        """Read a day in digits; return it in ISO 8601, None where it is not certain.

        A day in ISO 8601 needs no order, unless the rules name a calendar.
        A year of four digits that stands first shows the order of its day. A time of day without a
        zone, or with an offset from UTC, is that of the place: the day stands as it is written.
        A time in UTC may be that of another day in the place: it needs the time zone.

        Raises:
            MissingExtraError: a Solar Hijri day without jdatetime.
        """
        if self.calendar is None and _PLAIN.fullmatch(text):
            try:
                return dt.date.fromisoformat(text).isoformat()
            except ValueError:
                return None
        return _read_by_rules(self, text) if self.order else None

    def read_words(self, text: str, *, only_short_years: bool = False) -> str | None:
        """Read a day whose month is a word; return it in ISO 8601, None where it is not certain.

        The words of months are Gregorian: none is read by the rules of another calendar.

        Args:
            text: the day.
            only_short_years: whether years of four digits are left alone.
        """
        found = None if self.calendar else _find_month_in_words(text)
        if found is None or (only_short_years and len(found["year"]) != _SHORT_YEAR):
            return None
        months = _load_months()[make_key(found["month"])]
        numbers = {months[self.language]} if self.language in months else {*months.values()}
        try:
            (month,) = numbers
            year = _read_year(found["year"], self.two_digit_years)
            return dt.date(year, month, int(found["day"])).isoformat()
        except ValueError:
            return None


_WORD = r"[^\W\d_]+"
_DAY_MONTH_YEAR = re.compile(  # the groups without a name are words such as "de" and "roku"
    rf"(?P<day>\d{{1,2}})(?:-?[^\W\d_]{{1,3}}\b|[º°ª.]{{0,2}})[\s/-]*(?:([^\W\d_]{{1,3}})\.?\s+)?"
    rf"(?P<month>[^\W\d_]{{3,}})[.,]?[\s/-]*(?:({_WORD})\.?\s+)?"
    rf"'?(?P<year>\d{{4}}|\d{{2}})\.?(?:\s*({_WORD})\.?)?"
)
_MONTH_DAY_YEAR = re.compile(
    r"(?P<month>[^\W\d_]{3,})\.?\s+(?P<day>\d{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>\d{4})"
)


def _find_month_in_words(text: str) -> re.Match[str] | None:
    """Match a text with a day, a known month in words and a year.

    Any further word is one of the dates of the same language: another may be an era ("AH").
    """
    if len(text) > _LONGEST_DAY:
        return None
    found = _DAY_MONTH_YEAR.fullmatch(text) or _MONTH_DAY_YEAR.fullmatch(text)
    if found is None:
        return None
    month = make_key(found["month"])
    words = {make_key(each) for each in found.groups() if each and not each.isdecimal()} - {month}
    languages = map(load_registry().words, _load_months().get(month, ()))
    return found if any(words <= each.datewords for each in languages) else None


_COMPACT = DayRules("ymd")


@lru_cache(maxsize=4096)
def _read_by_rules(rules: DayRules, text: str) -> str | None:
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
    if whole is not None and rules.order != "ymd" and _read_by_rules(_COMPACT, whole) is not None:
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
    if len(digits) != _SHORT_YEAR or first is None:
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


# --- readings without rules -----------------------------------------------------------

_YEAR_FIRST = re.compile(r"\d{4}")
_ISO = re.compile(r"\d{4}(-?)\d\d\1\d\d(?!\d)")
_EASTERN_DAY = re.compile(r"\d{4}\s?[年년]\s?\d{1,2}\s?[月월]\s?\d{1,2}\s?[日일]")
_WORDS = re.compile(r"[^\W\d_]+\.?|\d+")
_FEW = 20
# Years of acts; one before the second is of a Hijri calendar.
_FIRST_LOCAL_YEAR, FIRST_YEAR, LAST_YEAR, _LONGEST_DAY = 1200, 1500, 2100, 50


class DayReading(NamedTuple):
    """Reading of a day in a cell.

    Attributes:
        orders: the orders of its numbers that give a day: ``iso``, ``dmy``, ``mdy``, ``ymd``,
            ``words``.
        is_short: True if it needs the century of its year.
        has_zone: True if it needs the time zone of its place.
        is_local: True if its year is of a Hijri calendar.
        is_plain: True if it is read without a line in the mapping file.
        is_free: True if its words are read in the day of an act alone.
    """

    orders: frozenset[str]
    is_short: bool = False
    has_zone: bool = False
    is_local: bool = False
    is_plain: bool = False
    is_free: bool = False


@lru_cache(maxsize=20_000)
def guess_day(text: str) -> DayReading | None:
    """Guess how a cell writes a day; None if it holds anything else."""
    tried = ("ymd",) if _YEAR_FIRST.match(text) else ("dmy", "mdy")
    days = {order: day for order in tried if (day := DayRules(order, 2000, "UTC").read(text))}
    years = [int(day[:4]) for day in days.values()]
    if not years or not _FIRST_LOCAL_YEAR <= years[0] <= LAST_YEAR:
        found = _find_month_in_words(text)
        if found is None and not _is_day_in_words(text):
            return None
        is_short = found is not None and len(found["year"]) == _SHORT_YEAR
        return DayReading(frozenset({"words"}), is_short=is_short, is_free=found is None)
    return DayReading(
        frozenset({"iso"} if _ISO.match(text) else days),
        is_short=not any(DayRules(order, None, "UTC").read(text) for order in days),
        has_zone=not any(DayRules(order, 2000).read(text) for order in days),
        is_local=years[0] < FIRST_YEAR,
        is_plain=_PLAIN.fullmatch(text) is not None,
    )


@lru_cache(maxsize=1)
def _load_months() -> dict[str, dict[str, int]]:
    """Load the months by their words: numbers by language, since "listopad" is two months."""
    registry, months = load_registry(), dict[str, dict[str, int]]()
    for language in registry.languages():
        for key, number in registry.words(language).months.items():
            months.setdefault(key, {})[language] = number
    return months


def _is_day_in_words(text: str) -> bool:
    """Return whether a text is one day, one month in words and one year."""
    if len(text) > _LONGEST_DAY:
        return False
    if _EASTERN_DAY.fullmatch(text):
        return True
    words = _WORDS.findall(text)
    numbers = [int(each) for each in words if each.isdecimal() and len(each) <= 4]  # a year
    months = [each for each in words if make_key(each) in _load_months()]
    # A day and a year.
    has_day = len(numbers) == 2 and min(numbers) <= 31 and max(numbers) >= FIRST_YEAR
    return has_day and len(months) == 1 and len(words) <= 7  # "26 de outubro de 1999"


def find_order(days: Sequence[DayReading]) -> str:
    """Find the order of days; ``open`` where none decides, ``mixed`` where they differ.

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
