"""Dates in a jurisdiction's own calendar, behind the ``|`` of a date (RFC 9676 section 3.6).

A blank becomes ``-``; what is not allowed or reserved becomes ``.``; letters beyond ASCII are
percent-encoded. A date that is given is held against the ISO date where its calendar is known.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING

from lexurn.minting._calendars import Calendar, local_of, number_of_iso, read_local
from lexurn.minting._date_codes import date_finding
from lexurn.minting._letters import ascii_of, lowered
from lexurn.minting._one_date import read_date
from lexurn.minting._steps import Action, Mode, Step, Written

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.minting._calendars import LocalDay
    from lexurn.minting._steps import MintFinding
    from lexurn.registry import Words

__all__ = ["compute_local", "local_date"]

_RULE, _LETTERS, _CASE = "RFC 9676 §3.6", "RFC 9676 §3.4", "RFC 9676 §3.3"
_BLANKS = re.compile(r"\s+")
_DASHES = re.compile("[\u05be\u2010-\u2015\u2212]")
# ASCII that may stand in a local date as it is: `date-loc` of section 8.
_ALLOWED = frozenset("abcdefghijklmnopqrstuvwxyz0123456789.-_'=()")
# Signs beyond ASCII that are parts of words: geresh and gershayim, the middle dots.
_IN_WORDS = frozenset("\u00b7\u05f3\u05f4\u30fb")
# The marks of Hebrew numerals as a keyboard for other languages writes them.
_TYPED_GERSHAYIM = re.compile(
    "(?<=[\u05d0-\u05ea])(?:[\"\u201c\u201d\u201e]|'')(?=[\u05d0-\u05ea])"
)
_TYPED_GERESH = re.compile("(?<=[\u05d0-\u05ea])['`\u00b4\u2018\u2019]")
# Marks of direction and of joining say nothing in a name, and are forbidden or warned of there.
_UNSEEN = frozenset("\u00ad\u061c\u200b\u200c\u200d\u200e\u200f\u2066\u2067\u2068\u2069\ufeff")
_DOTS = re.compile(r"\.{2,}")
_JULIAN_YEARS = range(1582, 1931)
_MOST = 120


def local_date(text: str, iso: str, words: Words, mode: Mode, field: str) -> Written:
    """A local date as it stands behind ``|``, checked against the ISO date.

    Args:
        text: the local date as given.
        iso: the same day in ISO 8601.
        words: the words of its language.
        mode: how letters outside ASCII are written.
        field: the field of the metadata.
    """
    plain = _seen(text)
    if not plain:
        return _failed(date_finding("LX740", field, text, f'"{text}"'))
    hidden = next(filter(_is_hidden, plain), None)
    if hidden is not None or len(plain) > _MOST:
        shown = f'"{plain[:_MOST]}…"' if hidden is None else f"U+{ord(hidden):04X}"
        return _failed(date_finding("LX741", field, text, shown))
    findings = tuple(_held(plain, text, iso, words, field))
    if any(found.is_error for found in findings):
        return _failed(*findings)
    return _written(plain, text, words, mode, field).after((), findings)


def compute_local(iso: str, calendar: str, mode: Mode, field: str) -> Written:
    """A date of the Gregorian calendar in another one, as it stands behind ``|``.

    Args:
        iso: the date in ISO 8601.
        calendar: ``hebrew``, ``hijri`` (by the civil table, with a warning) or ``japanese``.
        mode: in ASCII, months and eras have their Latin names.
        field: the field of the metadata.
    """
    known = calendar in list(Calendar)
    words = local_of(iso, Calendar(calendar), mode) if known else None
    if words is None:
        return _failed(date_finding("LX759", field, iso, iso, f'"{calendar}"'))
    text = _encoded(_BLANKS.sub("-", words))
    step = Step(field=field, action=Action.COMPUTED, before=iso, after=text, rule=_RULE)
    findings = (
        (date_finding("LX755", field, iso, words),) if calendar == Calendar.HIJRI.value else ()
    )
    return Written(text=text, steps=(step,), findings=findings)


def _failed(*findings: MintFinding) -> Written:
    return Written(text=None, findings=findings)


def _seen(text: str) -> str:
    """The text composed, without compatibility forms and without marks that nobody sees."""
    composed = unicodedata.normalize("NFKC", text)
    return "".join(each for each in composed if each not in _UNSEEN).strip()


def _is_hidden(character: str) -> bool:
    unseen = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}
    return unseen and not character.isspace()


def _held(plain: str, text: str, iso: str, words: Words, field: str) -> Iterator[MintFinding]:
    """What is to be said of a local date beside the ISO date."""
    day = number_of_iso(iso)
    if day is None:
        return
    local = read_local(plain)
    if local is not None:
        yield from _against(local, text, iso, day, field)
        return
    read = read_date(plain, words, field).text
    if read is not None and read != iso and not _is_julian(read, day):
        yield date_finding("LX757", field, text, f'"{plain}"', read, iso)


def _against(local: LocalDay, text: str, iso: str, day: int, field: str) -> Iterator[MintFinding]:
    """A day off is let through where nightfall or a sighting may explain it."""
    shown, calendar = f'"{text.strip()}"', local.calendar.title()
    if not local.isos:
        yield date_finding("LX752", field, text, shown, calendar, suggestion=local.instead)
    elif iso not in local.isos:
        off = min(abs(day - (number_of_iso(each) or 0)) for each in local.isos)
        near = off == 1 and local.calendar is not Calendar.JAPANESE
        code = "LX756" if near else "LX753"
        yield date_finding(code, field, text, shown, " or ".join(local.isos), calendar, iso)


def _is_julian(read: str, day: int) -> bool:
    """Whether a date is the day in the Julian calendar, which runs days behind."""
    number, century = number_of_iso(read), int(read[:2])
    behind = century - century // 4 - 2
    return int(read[:4]) in _JULIAN_YEARS and number is not None and day - number == behind


# How it is written.


def _written(plain: str, text: str, words: Words, mode: Mode, field: str) -> Written:
    lower = lowered(plain, words.language)
    folded = _folded(lower, words) if mode is Mode.ASCII else lower
    signs = _DOTS.sub(".", "".join(map(_allowed, _blankless(folded)))).strip(".-")
    if not any(map(str.isalnum, signs)):
        return _failed(date_finding("LX740", field, text, f'"{text}"'))
    encoded = _encoded(signs)
    stages = (
        (Action.LOWERED, plain, lower, _CASE),
        (Action.FOLDED, lower, folded, _LETTERS),
        (Action.REPLACED, folded, signs, _RULE),
        (Action.ENCODED, signs, encoded, _LETTERS),
    )
    steps = (
        Step(field=field, action=action, before=before, after=after, rule=rule)
        for action, before, after, rule in stages
        if before != after
    )
    return Written(text=encoded, steps=tuple(steps))


def _blankless(text: str) -> str:
    """Hebrew marks as Hebrew has them, dashes as hyphens, and a hyphen for each blank."""
    marked = _TYPED_GERESH.sub("\u05f3", _TYPED_GERSHAYIM.sub("\u05f4", text))
    return _BLANKS.sub("-", _DASHES.sub("-", marked))


def _allowed(character: str) -> str:
    """The character, or the dot that stands for one that is not allowed or reserved."""
    if character.isascii():
        return character if character in _ALLOWED else "."
    letter = unicodedata.category(character)[0] in "LMN" or character in _IN_WORDS
    return character if letter else "."


def _folded(text: str, words: Words) -> str:
    """Latin letters in ASCII; letters of other scripts stay: they are the local format."""
    return "".join(
        ascii_of("".join(run), words.folds) if latin else "".join(run)
        for latin, run in groupby(text, key=_is_latin)
    )


def _is_latin(character: str) -> bool:
    """Whether a character is a Latin letter, or a mark such as they have."""
    return unicodedata.name(character, "").startswith(("LATIN", "COMBINING"))


def _encoded(text: str) -> str:
    """Letters beyond ASCII as percent-encoded UTF-8, hex digits in upper case."""
    return "".join(
        each if each.isascii() else "".join(f"%{octet:02X}" for octet in each.encode())
        for each in text
    )
