"""The authority: issuers with their bodies and functions (RFC 9676 section 6.1)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from lexurn.minting._phrase import look_up, phrase
from lexurn.minting._steps import Action, Written
from lexurn.name import Severity

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft
    from lexurn.minting._jurisdictions import Units
    from lexurn.minting._measures import Measure
    from lexurn.registry import Entry

__all__ = ["Issuers", "authority_with", "issuers_of", "levels_in"]

_FIELD = "authority"
_NUMBER = re.compile(r"^[0-9]+\.|\.[0-9]+$")


class Issuers:
    """The issuers that were given.

    Attributes:
        text: as a name has them; None where none was given or one cannot be read.
        entries: the registry's entries of those that it knows.
    """

    __slots__ = ("entries", "text")

    def __init__(self, text: str | None, entries: tuple[Entry, ...] = ()) -> None:
        self.text = text
        self.entries = entries


def issuers_of(draft: Draft, context: Context) -> Issuers:
    """The issuers as given, each level looked up or written by rule."""
    found: list[str] = []
    entries: list[Entry] = []
    for levels in draft.given.authority:
        written = [_level(draft, context, level, at, entries) for at, level in enumerate(levels)]
        if None not in written:
            found.append(";".join(filter(None, written)))
    if len(found) < len(draft.given.authority) or not found:
        return Issuers(None)
    if len(found) > 1:
        joined = " + ".join("; ".join(levels) for levels in draft.given.authority)
        draft.step(_FIELD, Action.JOINED, joined, "+".join(found), "RFC 9676 §6.1.2", None)
    return Issuers("+".join(dict.fromkeys(found)), tuple(entries))


def levels_in(text: str, context: Context) -> tuple[str, ...]:
    """The levels of an issuer that a citation names in one breath ("Court of Appeal, Chamber 2").

    A comma parts levels only where what stands before it is a registered authority, and each part
    behind it a registered body; else it stands within a name ("Ministry of Finances, Budget, ...").
    """
    first, *others = (piece.strip() for piece in text.split(","))
    if not others or not context.law.authorities.find(first):
        return (text,)
    return (first, *others) if all(_is_body(each, context) for each in others) else (text,)


def _is_body(text: str, context: Context) -> bool:
    bodies = context.law.bodies
    written = phrase(text, context.words, context.mode, _FIELD).text or ""
    return bool(bodies.find(text) or bodies.by_notation(_NUMBER.sub("", written)))


def _level(draft: Draft, context: Context, text: str, at: int, entries: list[Entry]) -> str | None:
    """One level of an issuer: the institution or office, or what lies within it."""
    lexicon = context.law.bodies if at else context.law.authorities
    written, entry = look_up(text, lexicon, context.words, context.mode, _FIELD)
    if entry is not None:
        entries.append(entry)
    elif at and lexicon.by_notation(_NUMBER.sub("", written.text or "")):
        written = _as_known(written)
    return draft.take(written)


def _as_known(written: Written) -> Written:
    """A numbered body of a registered kind ("turma 1"): as good as registered."""
    told = tuple(found for found in written.findings if found.severity is not Severity.NOTE)
    return Written(text=written.text, steps=written.steps, findings=told)


def authority_with(
    draft: Draft, place: tuple[Context, Units | None], given: str | None, measure: Measure
) -> str | None:
    """The whole authority: what was given, completed by what the measure says of it.

    The body that a type of measure names is added to the issuer (6.1.4); where no issuer is given,
    the one that the type belongs to stands (6.1.6), or that of the unit whose act it is.

    Args:
        draft: the name in the making.
        place: what fields are read by, and the jurisdiction's units if there are any.
        given: the authority that was given, as a name has it.
        measure: the measure.
    """
    context, units = place
    if given is not None and measure.issuer not in {None, given}:
        draft.say("LX760", _FIELD, given, value=measure.text, expected=str(measure.issuer))
        return None
    authority = given or measure.issuer or _implied(draft, measure, units)
    if authority is None:
        if not draft.given.authority:
            draft.say("LX702", _FIELD)
        return None
    if units is None and not _belongs(context, authority, measure):
        issuer = measure.entry.issuer if measure.entry else ""
        draft.say("LX760", _FIELD, authority, value=measure.text, expected=str(issuer))
        return None
    return _with_body(draft, authority, measure)


def _implied(draft: Draft, measure: Measure, units: Units | None) -> str | None:
    """The authority of a unit, or the one that a type of measure belongs to."""
    entry = measure.entry
    if draft.given.authority:
        return None
    if units is not None:
        if units.issuer is not None:
            draft.step(_FIELD, Action.SUPPLIED, "", units.issuer, "RFC 9676 §2.1", None)
        return units.issuer
    if entry is None or entry.issuer is None or measure.qualified:
        return None
    draft.step(_FIELD, Action.SUPPLIED, "", entry.issuer, "RFC 9676 §6.1.6", entry.iri)
    return entry.issuer


def _belongs(context: Context, authority: str, measure: Measure) -> bool:
    """Whether a type whose words name its issuer ("D.P.R.") stands beside no other issuer."""
    entry = measure.entry
    if entry is None or entry.issuer in {None, authority, authority.partition(";")[0]}:
        return True
    labels = [
        phrase(each.text, context.words, context.mode, "measure").text for each in entry.labels
    ]
    return measure.text in labels or ";" in entry.notation


def _with_body(draft: Draft, authority: str, measure: Measure) -> str:
    """The authority with the body that the measure names, if that is not the issuer itself."""
    body = measure.body
    if body is None or body in authority.split(";")[1:] or authority.startswith(f"{body}."):
        return authority
    whole = f"{authority};{body}"
    source = measure.entry.iri if measure.entry else None
    draft.step(_FIELD, Action.SUPPLIED, authority, whole, "RFC 9676 §6.1.4", source)
    return whole
