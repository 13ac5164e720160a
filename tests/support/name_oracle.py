"""RFC 9676 section 8 once more, as one pattern, written apart from the parser to judge it.

The pattern is section 8 as printed, ambiguities resolved without a change of language, with the
partition of section 5.8 and the components of RFC 8141 section 2. `accepts` adds the three MUSTs of
the prose that section 8 lets through: real days (3.6), UTF-8 and no control characters (3.4).
"""

from __future__ import annotations

import calendar
import re
from urllib.parse import unquote_to_bytes

__all__ = ["PATTERN", "accepts"]

_ALFANUM = r"(?:[A-Za-z0-9]|%[0-9A-Fa-f][0-9A-Fa-f])"
_ALF_DOT = rf"{_ALFANUM}(?:{_ALFANUM}|\.)*"
_ALF_DOT_HYP = rf"{_ALFANUM}(?:{_ALFANUM}|[.-])*"
_OTHER = r"[-_'=()]"
_ALF_DOT_OTH = rf"{_ALFANUM}(?:{_ALFANUM}|\.|{_OTHER})*"
_DATE = rf"[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}(?:\|(?:{_ALFANUM}|\.|{_OTHER})*)?"
_CODE = rf"{_ALFANUM}\.*{_ALFANUM}(?:{_ALFANUM}|\.)*"
_SPECIFIED = rf"{_ALF_DOT}(?:;{_ALF_DOT})*"
_ELEMENT = rf"{_ALF_DOT_HYP}(?:;{_ALF_DOT})*"
_LANGUAGE = r"(?:[A-Za-z]{2,3}(?:-[A-Za-z]{3})*|[A-Za-z]{4,8})"
_PCHAR = r"(?:[A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f][0-9A-Fa-f])"
PATTERN = (
    r"[Uu][Rr][Nn]:[Ll][Ee][Xx]:"
    rf"(?P<code>{_CODE})(?:;{_ALF_DOT})*"
    rf":{_SPECIFIED}(?:\+{_SPECIFIED})*"
    rf":{_SPECIFIED}"
    rf":(?:(?P<dates>{_DATE}(?:,{_DATE})*)|{_ALF_DOT});{_ALF_DOT_OTH}(?:,{_ALF_DOT_OTH})*"
    rf"(?::{_SPECIFIED})*"
    rf"(?:@(?P<version>(?:{_DATE}|{_ALF_DOT})(?:;(?:{_DATE}|{_ALF_DOT}))*)(?::{_LANGUAGE})?)?"
    rf"(?:\${_ELEMENT}:{_ELEMENT}(?::{_ELEMENT}(?::{_ELEMENT})?)?)?"
    rf"(?:~(?:{_ALFANUM}|[._;:,='()+@$-])+)?"
    rf"(?P<tail>(?:\?\+{_PCHAR}(?:{_PCHAR}|/|\?(?!=))*)?(?:\?={_PCHAR}(?:{_PCHAR}|[/?])*)?"
    rf"(?:\#(?:{_PCHAR}|[/?])*)?)"
)
_NAME = re.compile(PATTERN)
_ISO = re.compile(r"(?:^|[,;])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![^|,;])")
_OCTETS = re.compile(r"(?:%[89A-Fa-f][0-9A-Fa-f])+")
_CONTROL = re.compile(r"%[01][0-9A-Fa-f]|%7[Ff]")
_REFUSED = re.compile("[\x80-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
# Two letters become one of ASCII when they are lowered, which leaves too short a code.
_SHRINKING = re.compile(r"%C4%B0|%E2%84%AA", re.IGNORECASE)


def accepts(text: str) -> bool:
    """Whether the grammar reading has to accept a text."""
    match = _NAME.fullmatch(text)
    if match is None:
        return False
    assigned = text[: match.start("tail")]
    when = ((match["dates"] or ""), (match["version"] or ""))
    return (
        all(_is_day(*map(int, day)) for dates in when for day in _ISO.findall(dates))
        and _is_decent(assigned)
        and len(re.findall(_ALFANUM, _SHRINKING.sub("i", match["code"]))) > 1
    )


def _is_day(year: int, month: int, day: int) -> bool:
    if not 1 <= month <= 12:
        return False
    julian = year <= 1582 and year % 4 == 0 and month == 2
    return 1 <= day <= (29 if julian else calendar.monthrange(year or 2000, month)[1])


def _is_decent(assigned: str) -> bool:
    if _CONTROL.search(assigned):
        return False
    try:
        characters = [unquote_to_bytes(run).decode() for run in _OCTETS.findall(assigned)]
    except UnicodeDecodeError:
        return False
    return not any(map(_REFUSED.search, characters))
