"""Authority and measure together: the head of a name, which thousands of acts share."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting._draft import Draft
from lexurn.minting._issuers import authority_with, issuers_of
from lexurn.minting._measures import measure_of
from lexurn.minting._metadata import Metadata
from lexurn.minting._phrase import specification
from lexurn.minting._subjects import subject_of

if TYPE_CHECKING:
    from lexurn.minting._draft import Context
    from lexurn.minting._jurisdictions import Units
    from lexurn.minting._measures import Measure
    from lexurn.minting._steps import MintFinding, Step
    from lexurn.registry import Entry

__all__ = ["Head", "head_of", "subject_behind", "warn_of_closed"]


class Head(NamedTuple):
    """Authority and measure, which stand in thousands of names.

    Attributes:
        authority: as a name has it; None where it cannot be written.
        types: the measure with its specifications, as a name has it; or None.
        entry: the registry's entry of the measure.
        issuers: the registry's entries of the issuers.
        steps: what was done.
        findings: what is to be said.
    """

    authority: str | None
    types: str | None
    entry: Entry | None
    issuers: tuple[Entry, ...]
    steps: tuple[Step, ...]
    findings: tuple[MintFinding, ...]


@lru_cache(maxsize=8192)
def head_of(
    context: Context,
    authority: tuple[tuple[str, ...], ...],
    measure: str | None,
    specifications: tuple[str, ...],
    units: Units | None,
) -> Head:
    """Authority and measure from their words; remembered, since they recur."""
    given = Metadata(authority=authority, measure=measure, measure_specifications=specifications)
    draft = Draft(given=given)
    issuers = issuers_of(draft, context)
    found = measure_of(draft, context, issuers.plain)
    written = authority_with(draft, (context, units), issuers, found) if found else None
    types = _specified(draft, context, found) if found else None
    entry = found.entry if found else None
    return Head(written, types, entry, issuers.entries, tuple(draft.steps), tuple(draft.findings))


def _specified(draft: Draft, context: Context, measure: Measure) -> str | None:
    """The measure with the specifications that are given (RFC 9676 section 6.2.2)."""
    words, mode, field = context.words, context.mode, "measure_specifications"
    given = draft.given.measure_specifications
    written = [draft.take(specification(each, words, mode, field)) for each in given]
    return None if None in written else ";".join((measure.text, *filter(None, written)))


def subject_behind(draft: Draft, context: Context, head: Head) -> str:
    """The subject that a title states, behind its ``;``, of a type that is told by subject."""
    entry = head.entry
    if entry is None or not entry.titled or draft.given.measure_specifications:
        return ""
    subject = subject_of(draft, context, entry, head.issuers)
    return f";{subject}" if subject else ""


def warn_of_closed(draft: Draft, head: Head, dates: str | None) -> None:
    """Say where an entry is closed for new names, or registered for other days (section 2.2)."""
    entries = [("authority", each) for each in head.issuers]
    if head.entry is not None:
        entries.append(("measure", head.entry))
    for field, entry in entries:
        if entry.obsolete:
            instead = f"write {entry.replaced_by}" if entry.replaced_by else "it has no successor"
            draft.say("LX707", field, value=entry.notation, expected=instead)
        if entry.valid_from or entry.valid_until:
            _warn_of_days(draft, field, entry, (dates or "")[:10])


def _warn_of_days(draft: Draft, field: str, entry: Entry, day: str) -> None:
    if day[4:5] == "-" and not entry.valid_on(day):
        span = f"{entry.valid_from or 'ever'} to {entry.valid_until or 'now'}"
        draft.say("LX708", field, value=entry.notation, expected=span)
