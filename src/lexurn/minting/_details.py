"""The details: dates or period, and numbers (RFC 9676 section 6.3)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting._dates import read_date, read_dates
from lexurn.minting._local_dates import compute_local, local_date
from lexurn.minting._numbers import document_id
from lexurn.minting._periods import read_period
from lexurn.minting._steps import Action

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft
    from lexurn.minting._taken import Taken

__all__ = ["dates_of", "numbers_of", "one_date"]

_ISO_AND_LOCAL = re.compile(r"\s*([0-9]{4}-[0-9]{2}-[0-9]{2})\s*\|(.+)", re.DOTALL)


def dates_of(draft: Draft, context: Context) -> str | None:
    """The dates, or the period that stands for them; None where there is none, or a fault."""
    given = draft.given
    if given.date and given.period:
        draft.say("LX703", "period", given.period, value="date")
        return None
    if given.period:
        return draft.take(read_period(given.period, context.words, context.mode, "period"))
    if not given.date:
        draft.say("LX702", "date")
        return None
    dates = _dates(draft, context)
    return None if dates is None else _with_local(draft, context, dates)


def _dates(draft: Draft, context: Context) -> list[tuple[str, str | None]] | None:
    """ISO dates, each with the local date that was given with it."""
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


def _with_local(draft: Draft, context: Context, dates: list[tuple[str, str | None]]) -> str | None:
    """Each date with its local form: the one given, or one computed, or none."""
    given = draft.given.local_date
    if given and len(given) != len(dates):
        counts = {"value": str(len(given)), "expected": str(len(dates))}
        draft.say("LX767", "local_date", ", ".join(given), **counts)
        return None
    locals_ = given or [local for _, local in dates]
    written = [
        _one_with_local(draft, context, iso, local, "date")
        for (iso, _), local in zip(dates, locals_, strict=True)
    ]
    return None if None in written else ",".join(filter(None, written))


def _one_with_local(
    draft: Draft, context: Context, iso: str, local: str | None, field: str
) -> str | None:
    calendar = draft.given.calendar
    if local is not None:
        text = draft.take(local_date(local, iso, context.words, context.mode, field))
    elif calendar is not None:
        text = draft.take(compute_local(iso, calendar, context.mode, field))
    else:
        return iso
    return None if text is None else f"{iso}|{text}"


def one_date(draft: Draft, context: Context, text: str, field: str) -> str | None:
    """A date of a version, with its local form behind ``|`` where one is given."""
    local = _ISO_AND_LOCAL.fullmatch(text)
    day = local[1] if local else text
    iso = draft.take(read_date(day, context.words, field, order=draft.given.date_order))
    if iso is None or local is None:
        return iso
    return _one_with_local(draft, context, iso, local[2].strip(), field)


def numbers_of(draft: Draft, context: Context, before: str | None, taken: Taken) -> str | None:
    """The numbers, or ``lex-N`` for what has none (6.3.3).

    Args:
        draft: the name in the making.
        context: what its fields are read by.
        before: the name up to its numbers; None where that is not known.
        taken: the names already given.
    """
    given = draft.given
    if given.number and given.unnumbered is not None:
        draft.say("LX703", "unnumbered", value="number")
        return None
    if given.unnumbered is not None:
        return _unnumbered(draft, before, given.unnumbered, taken)
    if not given.number:
        draft.say("LX702", "number", suggestion="unnumbered")
        return None
    return _numbered(draft, context)


def _numbered(draft: Draft, context: Context) -> str | None:
    marked = _marked_unnumbered(draft, context)
    if marked is not None:
        return marked
    numbers = draft.given.number
    suffix = draft.given.number_suffix
    written = [
        draft.take(
            document_id(
                each, context.words, context.law, "number", suffix=suffix, mode=context.mode
            )
        )
        for each in numbers
    ]
    if None in written:
        return None
    if len(written) > 1:
        joined = ",".join(filter(None, written))
        draft.step("number", Action.JOINED, ", ".join(numbers), joined, "RFC 9676 §6.3.4", None)
    return ",".join(filter(None, written))


def _marked_unnumbered(draft: Draft, context: Context) -> str | None:
    """``lex-N`` for a number that says, in the way of its jurisdiction, that there is none."""
    mark = context.law.conventions.get("unnumbered")
    given = draft.given.number
    found = (
        re.fullmatch(rf"{mark}-([0-9]+)", given[0].lower()) if mark and len(given) == 1 else None
    )
    if found is None:
        return None
    number = f"lex-{found[1]}"
    draft.step("number", Action.REPLACED, given[0], number, "RFC 9676 §6.3.3", None)
    return number


def _unnumbered(draft: Draft, before: str | None, count: int, taken: Taken) -> str | None:
    """``lex-N``: the N that was given, or the next that no name has."""
    if count:
        return f"lex-{count}"
    if before is None:
        return None
    number = f"lex-{taken.next_after(before)}"
    draft.step("unnumbered", Action.ALLOCATED, "", number, "RFC 9676 §6.3.3", None)
    return number
