"""The details of an act, date and number (RFC 9676 section 6.3), out of what dialects write."""

from __future__ import annotations

import datetime as dt
import re
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.dialect._words import folded
from lexurn.dialect._work import Piece, cut

if TYPE_CHECKING:
    from lexurn.dialect._work import Work

__all__ = ["NUMBER_BEHIND_COLON", "day_of", "is_plain", "read_number", "read_when"]

NUMBER_BEHIND_COLON = re.compile(r"[0-9][a-z0-9]*(?:[-/.][a-z0-9]+)*", re.IGNORECASE)
"""What can only be a number where an annex would be: annexes have a heading."""
_ISO = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_LOOSE = re.compile(r"([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})")
_COMPACT = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})")
_YEAR = re.compile(r"[0-9]{4}")
_UNKNOWN = re.compile(r"[0-9_-]*_[0-9_-]*")
_ZEROS = re.compile(r"0+(?:-0+)*")
_DIGITS = re.compile(r"[0-9-]+")
_RANGE = re.compile(r"\[([^\[\],]+),([^\[\],]+)\]")
_ORDINAL_PERIOD = re.compile(r"(?=.*[0-9])(?=.*[a-z])[a-z0-9.]+", re.IGNORECASE)
_PLAIN = re.compile(
    r"([1-9][0-9]{3})(?:-(?!01-01)([0-9]{2})-([0-9]{2}))?;[0-9][a-z0-9]*(?:-[a-z0-9]+)*"
)
_NONE = re.compile(r"none|null|nan|undefined", re.IGNORECASE)
_SYSTEM_NUMBER = re.compile(r"nir-([0-9]+)", re.IGNORECASE)
_HAS_DIGIT = re.compile(r"[0-9]")
_EARLIEST = 1000


@lru_cache(maxsize=4096)
def day_of(year: str, month: str, day: str) -> str | None:
    """A day in ISO 8601, None where there is no such day."""
    try:
        return dt.date(int(year), int(month), int(day)).isoformat()
    except ValueError:
        return None


def is_plain(work: Work, piece: Piece) -> bool:
    """Whether date and number stand as they should: nearly all do; a bare year is noted."""
    match = _PLAIN.fullmatch(piece.text)
    if match is None:
        return False
    if match[2] is None:
        work.say("LX851", Piece(piece.start, match[1]))
        return True
    return day_of(match[1], match[2], match[3]) is not None


def read_when(work: Work, piece: Piece) -> str:
    """Dates or period; what is wrong with it is noted."""
    text = piece.text
    if match := _RANGE.fullmatch(text):
        work.change("LX832", piece, f"{match[1]},{match[2]}")
        first = piece.at(1, match[1])
        return f"{_date(work, first)},{_date(work, first.at(len(match[1]) + 1, match[2]))}"
    if "|" in text:
        return text
    if "," in text:
        return ",".join(_date(work, each) for each in cut(piece, ","))
    if _YEAR.fullmatch(text) and not _ZEROS.fullmatch(text):
        work.say("LX851", piece)
        return text
    return _date(work, piece)


def _date(work: Work, piece: Piece) -> str:
    """One date, or what stands in its place."""
    text = piece.text
    if not text:
        work.say("LX876", piece)
    elif _ZEROS.fullmatch(text):
        work.say("LX879", piece)
    elif match := _LOOSE.fullmatch(text):
        return _day(work, piece, match, "LX813")
    elif match := _COMPACT.fullmatch(text):
        return _day(work, piece, match, "LX812")
    elif _UNKNOWN.fullmatch(text):
        work.say("LX878", piece)
    elif _DIGITS.fullmatch(text):
        work.say("LX880" if work.nir or "-" in text else "LX855", piece)
    elif not _ORDINAL_PERIOD.fullmatch(text):
        work.say("LX881" if work.nir else "LX855", piece)
    return text


def _day(work: Work, piece: Piece, match: re.Match[str], code: str) -> str:
    """A day, padded or taken apart where it was not written as it should be."""
    iso = day_of(match[1], match[2], match[3])
    if iso is None:
        work.say("LX880", piece)
        return piece.text
    if iso != piece.text:
        work.change(code, piece, iso)
    if iso.endswith("-01-01"):
        work.say("LX852", piece)
    elif int(match[1]) < _EARLIEST:
        work.say("LX853", piece)
    return iso


def read_number(work: Work, piece: Piece) -> str:
    """Numbers as names have them; what is wrong with one is noted."""
    if "," not in piece.text:
        return _number(work, piece)
    return ",".join(_number(work, each) for each in cut(piece, ","))


def _number(work: Work, piece: Piece) -> str:
    text = piece.text
    if not text:
        work.say("LX877", piece)
    elif _NONE.fullmatch(text):
        work.say("LX882", piece)
    elif not text.strip("_"):
        work.say("LX878", piece)
    elif work.nir and (match := _SYSTEM_NUMBER.fullmatch(text)):
        work.change("LX825", piece, f"lex-{match[1]}")
        return f"lex-{match[1]}"
    elif not _HAS_DIGIT.search(text):
        work.say("LX858", piece)
    return _spelt(work, piece)


def _spelt(work: Work, piece: Piece) -> str:
    """A number in ASCII, without "/", and in lower case where the dialect is left behind."""
    text = piece.text
    if not text.isascii() and (plain := folded(text, work.speech)) != text:
        work.change("LX822", piece, plain)
        text = plain
    if "/" in text:
        work.change("LX824", piece, text.replace("/", "-"))
        text = text.replace("/", "-")
    if work.nir and "%" not in text and text != text.lower():
        work.change("LX823", piece, text.lower())
        text = text.lower()
    return text
