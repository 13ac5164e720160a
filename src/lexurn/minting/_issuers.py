"""The authority: issuers with their bodies and functions (RFC 9676 section 6.1)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting._choice import meant
from lexurn.minting._draft import Draft
from lexurn.minting._phrase import look_up, notation_of, phrase
from lexurn.minting._steps import Action, Mode, Written
from lexurn.name import Severity
from lexurn.registry import issuing_words, key_of

if TYPE_CHECKING:
    from lexurn.minting._draft import Context
    from lexurn.minting._jurisdictions import Units
    from lexurn.minting._measures import Measure
    from lexurn.registry import Entry, Lexicon

__all__ = ["Issuers", "authority_with", "issuers_of", "levels_in"]

_FIELD = "authority"
_NUMBER = re.compile(r"^[0-9]+\.|\.[0-9]+$")


class Issuers(NamedTuple):
    """The issuers that were given.

    Attributes:
        text: as a name has them; None where none was given or one cannot be read.
        plain: the same in ASCII, by which the registry knows them.
        entries: the registry's entries of those that it knows.
    """

    text: str | None = None
    plain: str | None = None
    entries: tuple[Entry, ...] = ()


def issuers_of(draft: Draft, context: Context) -> Issuers:
    """The issuers as given, each level looked up or written by rule."""
    given = draft.given.authority
    entries: list[Entry] = []
    written = [_issuer(draft, context, levels, entries) for levels in given]
    found = [each for each in written if each is not None]
    if len(found) < len(given) or not found:
        return Issuers()
    text, plain = ("+".join(dict.fromkeys(each)) for each in zip(*found, strict=True))
    if len(found) > 1:
        joined = " + ".join("; ".join(levels) for levels in given)
        draft.step(_FIELD, Action.JOINED, joined, text, "RFC 9676 §6.1.2", None)
    return Issuers(text, plain, tuple(entries))


def _issuer(
    draft: Draft, context: Context, levels: tuple[str, ...], entries: list[Entry]
) -> tuple[str, str] | None:
    """One issuer with its levels, as a name has it and in ASCII."""
    written = [_level(draft, context, level, at, entries) for at, level in enumerate(levels)]
    if None in written:
        return None
    text = ";".join(filter(None, written))
    if context.mode is Mode.ASCII:
        return text, text
    ascii_context = replace(context, mode=Mode.ASCII)
    spare = Draft(given=draft.given)
    plain = [_level(spare, ascii_context, level, at, []) for at, level in enumerate(levels)]
    return text, text if None in plain else ";".join(filter(None, plain))


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
    draft: Draft, place: tuple[Context, Units | None], given: Issuers, measure: Measure
) -> str | None:
    """The whole authority: what was given, completed by what the measure says of it.

    The body that a type of measure names is added to the issuer (6.1.4); where no issuer is given,
    the one that the type belongs to stands (6.1.6), or that of the unit whose act it is.

    Args:
        draft: the name in the making.
        place: what fields are read by, and the jurisdiction's units if there are any.
        given: the issuers that were given.
        measure: the measure.
    """
    context, units = place
    plain = given.plain or measure.issuer or _implied(draft, context, measure, units)
    if plain is None:
        if not draft.given.authority:
            draft.say("LX702", _FIELD)
        return None
    belongs = units is not None or _belongs(context, plain, measure)
    if measure.issuer not in {None, plain} or not belongs:
        wanted = measure.issuer or (measure.entry.issuer if measure.entry else None)
        draft.say("LX760", _FIELD, plain, value=measure.text, expected=str(wanted))
        return None
    if units is None and given.plain:
        _warn_of_another(draft, context, given.plain, measure)
    text = given.text or _spelt(context, context.law.authorities, plain)
    return _with_body(draft, context, (text, plain), measure)


def _warn_of_another(draft: Draft, context: Context, plain: str, measure: Measure) -> None:
    """Say where an adjective or a compound ("legge regionale", "Landesgesetz") names another."""
    stated = measure.stated
    known = issuing_words(context.registry, context.law.code)
    text = draft.given.measure or ""
    has_its_word = not set(key_of(text).split()).isdisjoint(re.split(r"[.;+]", plain))
    if stated.says_nothing or has_its_word or stated.may_be(plain, known.beside(stated)):
        return
    expected = " or ".join(stated.told())
    draft.say("LX775", "measure", text, value=text, expected=expected, given=plain)


def _spelt(context: Context, lexicon: Lexicon, notation: str) -> str:
    """A notation of the registry as a name has it in the mode that is asked for."""
    known = meant(lexicon.by_notation(notation), context.words.language)
    if context.mode is Mode.ASCII or not known:
        return notation
    return notation_of(known[0], context.words, context.mode, _FIELD)


def _implied(draft: Draft, context: Context, measure: Measure, units: Units | None) -> str | None:
    """The authority of a unit, or the one that a type of measure belongs to.

    The words of some types name their issuer ("Act of the Scottish Parliament"); others ("Act")
    belong to the state, which is no issuer of what a unit enacts.
    """
    entry = measure.entry
    if draft.given.authority:
        return None
    if units is not None and not (entry is not None and _names_issuer(context, entry)):
        if units.issuer is not None:
            draft.step(_FIELD, Action.SUPPLIED, "", units.issuer, "RFC 9676 §2.1", None)
        return units.issuer
    if entry is None or entry.issuer is None or measure.qualified:
        return None
    if context.law.conventions.get("local") and not _names_issuer(context, entry):
        draft.say("LX774", _FIELD, value=entry.issuer)
    draft.step(_FIELD, Action.SUPPLIED, "", entry.issuer, "RFC 9676 §6.1.6", entry.iri)
    return entry.issuer


def _belongs(context: Context, plain: str, measure: Measure) -> bool:
    """Whether a type whose words name its issuer ("D.P.R.") stands beside no other issuer."""
    entry = measure.entry
    if entry is None or entry.issuer in {None, plain, plain.partition(";")[0]}:
        return True
    return not _names_issuer(context, entry)


def _names_issuer(context: Context, entry: Entry) -> bool:
    """Whether the label of a type says more than the type: whose it is."""
    words = context.words
    labels = (phrase(each.text, words, Mode.ASCII, "measure").text for each in entry.labels)
    plain = entry.notation in labels or ";" in entry.notation
    return entry.issuer is not None and not plain


def _with_body(draft: Draft, context: Context, authority: tuple[str, str], measure: Measure) -> str:
    """The authority with the body that the measure names, if that is not the issuer itself."""
    text, plain = authority
    body = measure.body
    if body is None or body in plain.split(";")[1:] or plain.startswith(f"{body}."):
        return text
    whole = f"{text};{_spelt(context, context.law.bodies, body)}"
    source = measure.entry.iri if measure.entry else None
    draft.step(_FIELD, Action.SUPPLIED, text, whole, "RFC 9676 §6.1.4", source)
    return whole
