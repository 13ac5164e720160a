"""The measure: its registered type, the issuer and body that the type implies, its specifications.

RFC 9676 section 6.2. What a type of measure says of its issuer ("legge regionale", "D.P.R.",
"Deliberazione CdA") belongs to the authority (6.2.1), and is moved or dropped by the registry.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.minting._choice import meant
from lexurn.minting._phrase import look_up, notation_of, phrase
from lexurn.minting._steps import Action, Mode
from lexurn.registry import ANYBODY, Stated, key_of, stated_of

if TYPE_CHECKING:
    from lexurn.minting._draft import Context, Draft
    from lexurn.registry import Entry

__all__ = ["Measure", "measure_of"]

_FIELD = "measure"
_RULE = "RFC 9676 §6.2.1"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A type of measure as a name has it, and what the registry says of it.

    Attributes:
        text: the type; registered specifications behind ``;``.
        entry: the registry's entry, or None.
        issuer: the notation of the authority that the words of the measure name; or None.
        body: the notation of the body that they name; or None.
        qualified: they only say of what kind the issuer is, so that it must be given.
        stated: what the words say of the issuer that was given.
    """

    text: str
    entry: Entry | None = None
    issuer: str | None = None
    body: str | None = None
    qualified: str | None = None
    stated: Stated = ANYBODY


def measure_of(draft: Draft, context: Context, authority: str | None) -> Measure | None:
    """The measure of some metadata; None where it is absent or cannot be read.

    Args:
        draft: the name in the making.
        context: what its fields are read by.
        authority: the authority that was given, in ASCII; None where none was.
    """
    text = draft.given.measure
    if text is None:
        draft.say("LX702", _FIELD)
        return None
    entry = _chosen(text, context, authority)
    if entry is not None:
        found: Measure | None = _registered(draft, context, text, entry)
    else:
        found = _split(draft, context, text, authority) or _looked_up(draft, context, text)
    if found is None or authority is None:
        return found
    return replace(found, stated=_stated(text, context, authority))


def _stated(text: str, context: Context, authority: str) -> Stated:
    """What a measure says of its issuer, whether all of its words are registered or the first."""
    words = text.split()
    heads = (" ".join(words[:at]) for at in range(len(words), 0, -1))
    known = (_chosen(each, context, authority) for each in heads)
    entry = next((each for each in known if each is not None), None)
    return stated_of(entry, text, context.registry, context.law.code)


def _chosen(text: str, context: Context, authority: str | None) -> Entry | None:
    """The one registered type of these words; among several, that of the given issuer."""
    found = meant(context.law.measures.find(text), context.words.language)
    if len(found) > 1:
        found = tuple(each for each in found if each.issuer == authority) or found
    if len({(each.notation, each.issuer, each.body) for each in found}) == 1:
        return found[0]
    return None


def _registered(draft: Draft, context: Context, text: str, entry: Entry) -> Measure:
    written = notation_of(entry, context.words, context.mode, _FIELD)
    draft.step(_FIELD, Action.LOOKED_UP, text, written, _RULE, entry.iri)
    return Measure(text=written, entry=entry, body=entry.body)


def _looked_up(draft: Draft, context: Context, text: str) -> Measure | None:
    written, entry = look_up(text, context.law.measures, context.words, context.mode, _FIELD)
    notation = draft.take(written)
    if notation is None:
        return None
    return Measure(text=notation, entry=entry, body=entry.body if entry else None)


def _split(draft: Draft, context: Context, text: str, authority: str | None) -> Measure | None:
    """A registered type with words behind it that say whose it is; None where it is not so."""
    words = text.split()
    for at in range(len(words) - 1, 0, -1):
        head, rest = " ".join(words[:at]), " ".join(words[at:])
        entry = _chosen(head, context, authority)
        if entry is not None:
            return _with_rest(draft, context, (head, entry, rest), authority)
    return None


def _with_rest(
    draft: Draft, context: Context, parts: tuple[str, Entry, str], authority: str | None
) -> Measure | None:
    """What the words behind a type are: an adjective of the issuer, a body, or an authority."""
    head, entry, rest = parts
    heads = context.words.qualifiers.get(key_of(rest))
    if heads is not None:
        if authority is not None and _head(authority) not in heads:
            return None
        draft.step(_FIELD, Action.DROPPED, rest, "", _RULE, None)
        return replace(_registered(draft, context, head, entry), qualified=rest)
    key = phrase(rest, context.words, Mode.ASCII, _FIELD).text or ""
    bodies = context.law.bodies.find(rest) or context.law.bodies.by_notation(key)
    if bodies:
        draft.step("authority", Action.READ, rest, bodies[0].notation, _RULE, bodies[0].iri)
        return replace(_registered(draft, context, head, entry), body=bodies[0].notation)
    issuers = context.law.authorities.find(rest) or context.law.authorities.by_notation(key)
    if issuers:
        draft.step("authority", Action.READ, rest, issuers[0].notation, _RULE, issuers[0].iri)
        return replace(_registered(draft, context, head, entry), issuer=issuers[0].notation)
    return None


def _head(authority: str) -> str:
    """The first word of an authority's name."""
    return authority.partition(";")[0].partition("+")[0].partition(".")[0]
