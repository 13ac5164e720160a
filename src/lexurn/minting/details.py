"""Details of an act (RFC 9676 section 6.3): dates, local dates or a period, and numbers.

A date in a jurisdiction's own calendar stands behind the ``|`` of its date (section 3.6). A blank
becomes ``-``, a character that is not allowed or reserved becomes ``.``. Letters beyond ASCII are
percent-encoded. A local date is compared with the ISO date where its calendar is known.
"""

from __future__ import annotations

import re
import unicodedata
from itertools import groupby
from typing import TYPE_CHECKING
from urllib.parse import quote

from lexurn.minting.calendars.calendar import (
    Calendar,
    iso_to_ordinal,
    read_local_day,
    write_local_day,
)
from lexurn.minting.dates import read_date, read_dates, refuse_date
from lexurn.minting.metadata import Mode, make_field_finding
from lexurn.minting.numbers import write_number
from lexurn.minting.steps import Action, Step, Written, make_step
from lexurn.minting.text.cleaning import quote_characters, to_ascii_digits
from lexurn.minting.text.letters import fold_to_ascii, lower_text
from lexurn.minting.text.ordinals import compute_roman
from lexurn.minting.text.phrases import write_phrase
from lexurn.registry import make_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.findings import Finding
    from lexurn.minting.calendars.calendar import LocalDay
    from lexurn.minting.register import Taken
    from lexurn.minting.steps import Context, Draft
    from lexurn.registry import Words

_PERIOD_RULE = "RFC 9676 §4.3"
_PERIOD_PIECE = re.compile(r"[^\s\-\u2010-\u2015/,;:()]+")
_ROMAN = re.compile(r"(?=[MDCLXVI])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
_NUMBERED = re.compile(r"([0-9]+)(?:[°^.]|[^\W\d_]{1,4})?")
_WORD_AND_NUMBER = 2


def read_period(text: str, words: Words, mode: Mode, field: str) -> Written:
    """Return what stands for the date: ``XIV legislatura`` as ``14.legislatura``, number first.

    A bare year is a period only where the metadata states it in this field.
    """
    steps: list[Step] = []
    pieces = []
    for piece in _PERIOD_PIECE.findall(text):
        number = _read_period_number(piece, words)
        if number not in {None, piece}:
            steps.append(make_step(field, Action.NUMBERED, piece, str(number), _PERIOD_RULE))
        pieces.append(number or piece)
    if _ends_with_number(pieces, words):
        before, pieces = " ".join(pieces), [pieces[-1], *pieces[:-1]]
        steps.append(make_step(field, Action.REPLACED, before, " ".join(pieces), _PERIOD_RULE))
    written = write_phrase(" ".join(pieces), words, mode, field)
    if written.text == "" or not pieces:
        return refuse_date(make_field_finding("LX740", field, text, quote_characters(text)))
    return written.after(steps)


def _read_period_number(piece: str, words: Words) -> str | None:
    """Return an ordinal, a Roman numeral or digits of another script as plain digits, or None."""
    key = make_key(piece)
    if key in words.ordinals:
        return str(words.ordinals[key])
    bare = piece.rstrip(".ªº°^")
    if _ROMAN.fullmatch(bare) and key not in words.connectives:
        return str(compute_roman(bare))
    numbered = _NUMBERED.fullmatch(to_ascii_digits(unicodedata.normalize("NFKC", piece)))
    return numbered[1] if numbered else None


def _ends_with_number(pieces: list[str], words: Words) -> bool:
    """Return whether one word stands before one number: ``Legislatura XIV``."""
    kept = [piece for piece in pieces if make_key(piece) not in words.connectives]
    return (
        len(kept) == len(pieces) == _WORD_AND_NUMBER
        and kept[1].isdigit()
        and not kept[0][0].isdigit()
    )


_LOCAL_RULE, _LETTERS_RULE, _CASE_RULE = "RFC 9676 §3.6", "RFC 9676 §3.4", "RFC 9676 §3.3"
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
_LONGEST_LOCAL_DATE = 120


def write_local_date(text: str, iso: str, words: Words, mode: Mode, field: str) -> Written:
    """Return a local date as it stands behind ``|``, checked against the ISO date.

    Args:
        text: the local date as given.
        iso: the same day in ISO 8601.
        words: the words of its language.
        mode: how letters outside ASCII are written.
        field: the field of the metadata.
    """
    composed = unicodedata.normalize("NFKC", text)
    plain = "".join(each for each in composed if each not in _UNSEEN).strip()
    if not plain:
        return refuse_date(make_field_finding("LX740", field, text, quote_characters(text)))
    hidden = next(filter(_is_hidden, plain), None)
    if hidden is not None or len(plain) > _LONGEST_LOCAL_DATE:
        shown = quote_characters(plain) if hidden is None else f"U+{ord(hidden):04X}"
        return refuse_date(make_field_finding("LX741", field, text, shown))
    findings = tuple(_compare_with_iso(plain, text, iso, words, field))
    if any(found.is_error for found in findings):
        return refuse_date(*findings)
    return _write_local_text(plain, text, words, mode, field).after((), findings)


def compute_local_date(iso: str, calendar: str, mode: Mode, field: str) -> Written:
    """Return a Gregorian date in another calendar, as it stands behind ``|``.

    Args:
        iso: the date in ISO 8601.
        calendar: ``hebrew``, ``hijri`` (Umm al-Qura, with a warning) or ``japanese``.
        mode: in ASCII, months and eras have their Latin names.
        field: the field of the metadata.
    """
    known = calendar in list(Calendar)
    words = write_local_day(iso, Calendar(calendar), mode) if known else None
    if words is None:
        return refuse_date(make_field_finding("LX759", field, iso, iso, f'"{calendar}"'))
    text = _encode(_BLANKS.sub("-", words))
    step = make_step(field, Action.COMPUTED, iso, text, _LOCAL_RULE)
    is_hijri = calendar == Calendar.HIJRI.value
    findings = (make_field_finding("LX755", field, iso, words),) if is_hijri else ()
    return Written(text=text, steps=(step,), findings=findings)


def _is_hidden(character: str) -> bool:
    unseen = unicodedata.category(character) in {"Cc", "Cf", "Cs", "Co", "Cn"}
    return unseen and not character.isspace()


def _compare_with_iso(
    plain: str, text: str, iso: str, words: Words, field: str
) -> Iterator[Finding]:
    """Return the findings on a local date beside the ISO date."""
    day = iso_to_ordinal(iso)
    if day is None:
        return
    local = read_local_day(plain)
    if local is not None:
        yield from _compare_days(local, text, iso, day, field)
        return
    read = read_date(plain, words, field).text
    if read is not None and read != iso and not _is_julian(read, day):
        yield make_field_finding("LX757", field, text, quote_characters(plain), read, iso)


def _compare_days(local: LocalDay, text: str, iso: str, day: int, field: str) -> Iterator[Finding]:
    """Compare a local day with the date; nightfall or a sighting may explain one day."""
    shown, calendar = quote_characters(text.strip()), local.calendar.title()
    if not local.isos and local.exact:
        yield make_field_finding("LX752", field, text, shown, calendar, suggestion=local.instead)
    elif local.isos and iso not in local.isos:
        off = min(abs(day - (iso_to_ordinal(each) or 0)) for each in local.isos)
        near = off == 1 and local.calendar is not Calendar.JAPANESE
        values = shown, " or ".join(local.isos), calendar, iso
        yield make_field_finding("LX756" if near else "LX753", field, text, *values)


def _is_julian(read: str, day: int) -> bool:
    """Return whether a date is the day in the Julian calendar, which runs days behind."""
    number, century = iso_to_ordinal(read), int(read[:2])
    behind = century - century // 4 - 2
    return int(read[:4]) in _JULIAN_YEARS and number is not None and day - number == behind


def _write_local_text(plain: str, text: str, words: Words, mode: Mode, field: str) -> Written:
    lower = lower_text(plain, words.language)
    folded = _fold_latin(lower, words) if mode is Mode.ASCII else lower
    marked = _TYPED_GERESH.sub("\u05f3", _TYPED_GERSHAYIM.sub("\u05f4", folded))
    hyphenated = _BLANKS.sub("-", _DASHES.sub("-", marked))
    signs = _DOTS.sub(".", "".join(map(_replace_character, hyphenated))).strip(".-")
    if not any(map(str.isalnum, signs)):
        return refuse_date(make_field_finding("LX740", field, text, quote_characters(text)))
    encoded = _encode(signs)
    stages = (
        (Action.LOWERED, plain, lower, _CASE_RULE),
        (Action.FOLDED, lower, folded, _LETTERS_RULE),
        (Action.REPLACED, folded, signs, _LOCAL_RULE),
        (Action.ENCODED, signs, encoded, _LETTERS_RULE),
    )
    steps = tuple(make_step(field, *stage) for stage in stages if stage[1] != stage[2])
    return Written(text=encoded, steps=steps)


def _replace_character(character: str) -> str:
    """Return the character, or the dot for one that is not allowed or reserved."""
    if character.isascii():
        return character if character in _ALLOWED else "."
    letter = unicodedata.category(character)[0] in "LMN" or character in _IN_WORDS
    return character if letter else "."


def _fold_latin(text: str, words: Words) -> str:
    """Fold Latin letters to ASCII; letters of other scripts stay: they are the local format."""

    def is_latin(character: str) -> bool:
        return unicodedata.name(character, "").startswith(("LATIN", "COMBINING"))

    return "".join(
        fold_to_ascii("".join(run), words.folds) if latin else "".join(run)
        for latin, run in groupby(text, key=is_latin)
    )


def _encode(text: str) -> str:
    """Encode letters beyond ASCII as percent-encoded UTF-8."""
    return quote(text, safe="'=()")


_ISO_AND_LOCAL = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*\|(.+)", re.DOTALL)


def write_dates(draft: Draft, context: Context) -> str | None:
    """Return the dates, or the period that stands for them; None for a missing or faulty one."""
    given = draft.given
    if given.date and given.period:
        draft.say("LX703", "period", given.period, "date")
        return None
    if given.period:
        return draft.take(read_period(given.period, context.words, context.mode, "period"))
    if not given.date:
        draft.say("LX702", "date")
        return None
    dates = _read_given_dates(draft, context)
    return None if dates is None else _add_local_dates(draft, context, dates)


def _read_given_dates(draft: Draft, context: Context) -> list[tuple[str, str | None]] | None:
    """Return the ISO dates, each with the local date that was given with it."""
    found: list[tuple[str, str | None]] = []
    for text in draft.given.date:
        local = _ISO_AND_LOCAL.fullmatch(text)
        words, order = context.words, draft.given.date_order
        for written in read_dates(local[1] if local else text, words, "date", order):
            iso = draft.take(written)
            if iso is None:
                return None
            found.append((iso, local[2].strip() if local else None))
    return found


def _add_local_dates(
    draft: Draft, context: Context, dates: list[tuple[str, str | None]]
) -> str | None:
    """Return each date with its local form: the one given, or one computed, or none."""
    given = draft.given.local_date
    if given and len(given) != len(dates):
        draft.say("LX767", "local_date", ", ".join(given), str(len(given)), str(len(dates)))
        return None
    locals_ = given or [local for _, local in dates]
    written = [
        _add_local_date(draft, context, iso, local, "date")
        for (iso, _), local in zip(dates, locals_, strict=True)
    ]
    return None if None in written else ",".join(filter(None, written))


def _add_local_date(
    draft: Draft, context: Context, iso: str, local: str | None, field: str
) -> str | None:
    calendar = draft.given.calendar
    if local is not None:
        text = draft.take(write_local_date(local, iso, context.words, context.mode, field))
    elif calendar is not None:
        text = draft.take(compute_local_date(iso, calendar, context.mode, field))
    else:
        return iso
    return None if text is None else f"{iso}|{text}"


def write_date(draft: Draft, context: Context, text: str, field: str) -> str | None:
    """Return a date of a version, with its local form behind ``|`` if one is given."""
    local = _ISO_AND_LOCAL.fullmatch(text)
    day = local[1] if local else text
    iso = draft.take(read_date(day, context.words, field, order=draft.given.date_order))
    if iso is None or local is None:
        return iso
    return _add_local_date(draft, context, iso, local[2].strip(), field)


def write_numbers(draft: Draft, context: Context, before: str | None, taken: Taken) -> str | None:
    """Return the numbers, or ``lex-N`` for an act without one (6.3.3).

    Args:
        draft: the draft of the name.
        context: the context of its fields.
        before: the name up to its numbers; None where that is not known.
        taken: the names already given.
    """
    given = draft.given
    if given.number and given.unnumbered is not None:
        draft.say("LX703", "unnumbered", "", "number")
        return None
    if given.unnumbered is not None:
        return _write_lex_number(draft, before, given.unnumbered, taken)
    if not given.number:
        draft.say("LX702", "number", suggestion="unnumbered")
        return None
    mark = context.law.conventions.get("unnumbered")
    is_marked = mark is not None and len(given.number) == 1
    marked = re.fullmatch(rf"{mark}-([0-9]+)", given.number[0].lower()) if is_marked else None
    if marked is None:
        return _write_given_numbers(draft, context)
    number = f"lex-{marked[1]}"
    draft.step("number", Action.REPLACED, given.number[0], number, "RFC 9676 §6.3.3")
    return number


def _write_given_numbers(draft: Draft, context: Context) -> str | None:
    words, law, mode = context.words, context.law, context.mode
    given, suffix = draft.given.number, draft.given.number_suffix
    written = [
        draft.take(write_number(each, words, law, "number", suffix=suffix, mode=mode))
        for each in given
    ]
    if None in written:
        return None
    joined = ",".join(filter(None, written))
    if len(written) > 1:
        draft.step("number", Action.JOINED, ", ".join(given), joined, "RFC 9676 §6.3.4")
    return joined


def _write_lex_number(draft: Draft, before: str | None, count: int, taken: Taken) -> str | None:
    """Return ``lex-N``: the N that was given, or the next that no name has."""
    if count:
        return f"lex-{count}"
    if before is None:
        return None
    number = f"lex-{taken.next_after(before)}"
    draft.step("unnumbered", Action.ALLOCATED, "", number, "RFC 9676 §6.3.3")
    return number
