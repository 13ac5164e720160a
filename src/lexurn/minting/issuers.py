"""Issuers: the jurisdiction with its units, and the authority (RFC 9676 sections 2.1 and 6.1)."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from lexurn.minting.draft import Action, Draft, Mode
from lexurn.minting.phrases import choose_entries, look_up_phrase, write_notation, write_phrase
from lexurn.name import Severity
from lexurn.registry import Lexicon, collect_authority_words, make_key

if TYPE_CHECKING:
    from lexurn.minting.draft import Context
    from lexurn.minting.measures import Measure
    from lexurn.registry import Entry

_CODE = re.compile(r"[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*")
_JURISDICTION_FIELD = "jurisdiction"
_SHORTEST_CODE = 2
_NO_ENTRIES = Lexicon()


def write_code(draft: Draft) -> str | None:
    """Return the jurisdiction-code as a name has it, None if it is absent or not a code."""
    text = (draft.given.jurisdiction or "").partition(";")[0].strip()
    if not text:
        draft.say("LX702", _JURISDICTION_FIELD)
        return None
    lowered = text.lower()
    if len(text) < _SHORTEST_CODE or not _CODE.fullmatch(lowered):
        draft.say("LX772", _JURISDICTION_FIELD, text)
        return None
    if lowered != text:
        draft.step(_JURISDICTION_FIELD, Action.LOWERED, text, lowered, "RFC 9676 §3.3")
    return lowered


class Units(NamedTuple):
    """Units of a jurisdiction.

    Attributes:
        text: as they stand behind the code, each with its ``;``.
        issuer: the authority that acts of the last one have by default; None if the registry
            has none.
    """

    text: str
    issuer: str | None = None


def write_units(draft: Draft) -> Units | None:
    """Return the given units, from the larger to the smaller; None if one is unreadable.

    Each is registered within those before it, or written by rule.
    """
    _, _, behind = (draft.given.jurisdiction or "").partition(";")
    given = (*(piece.strip() for piece in behind.split(";") if piece.strip()), *draft.given.units)
    lexicon, language = draft.law.units, draft.words.language
    units = Units("")
    for text in given:
        within = units.text.removeprefix(";")
        before = f"{within};" if within else ""
        found = (*lexicon.find(text), *lexicon.by_notation(before + text.lower()))
        inside = (each for each in found if each.notation.rpartition(";")[0] == within)
        known = {each.notation: each for each in choose_entries(inside, language)}
        if len(known) == 1:
            notation, entry = known.popitem()
            unit, issuer = notation.removeprefix(before), entry.issuer
            draft.step("units", Action.LOOKED_UP, text, unit, "RFC 9676 §2.1", entry.iri)
        else:
            written, _ = look_up_phrase(text, _NO_ENTRIES, draft.words, draft.mode, "units")
            by_rule = draft.take(written)
            if by_rule is None:
                return None
            unit, issuer = by_rule, None
        units = Units(f"{units.text};{unit}", issuer)
    return units


_AUTHORITY_FIELD = "authority"
_BODY_NUMBER = re.compile(r"^[0-9]+\.|\.[0-9]+$")


class Issuers(NamedTuple):
    """Issuers that were given.

    Attributes:
        text: as a name has them; None if none was given or one cannot be read.
        plain: the same in ASCII, by which the registry knows them.
        entries: the registry's entries of those that it knows.
    """

    text: str | None = None
    plain: str | None = None
    entries: tuple[Entry, ...] = ()


def write_issuers(draft: Draft) -> Issuers:
    """Return the issuers as given, each level looked up or written by rule."""
    given = draft.given.authority
    entries: list[Entry] = []
    written = [_write_issuer(draft, levels, entries) for levels in given]
    found = [each for each in written if each is not None]
    if len(found) < len(given) or not found:
        return Issuers()
    text, plain = ("+".join(dict.fromkeys(each)) for each in zip(*found, strict=True))
    if len(found) > 1:
        joined = " + ".join("; ".join(levels) for levels in given)
        draft.step(_AUTHORITY_FIELD, Action.JOINED, joined, text, "RFC 9676 §6.1.2")
    return Issuers(text, plain, tuple(entries))


def _write_issuer(
    draft: Draft, levels: tuple[str, ...], entries: list[Entry]
) -> tuple[str, str] | None:
    """Return one issuer with its levels, as a name has it and in ASCII."""
    written = [_write_level(draft, level, at, entries) for at, level in enumerate(levels)]
    if None in written:
        return None
    text = ";".join(filter(None, written))
    if draft.mode is Mode.ASCII:
        return text, text
    spare = Draft(given=draft.given)
    spare.context = replace(draft.context, mode=Mode.ASCII)
    plain = [_write_level(spare, level, at, []) for at, level in enumerate(levels)]
    return text, text if None in plain else ";".join(filter(None, plain))


def split_levels(text: str, context: Context) -> tuple[str, ...]:
    """Split an issuer that a citation names with its levels ("Court of Appeal, Chamber 2").

    A comma parts levels only behind a registered authority, and before registered bodies. Else it
    belongs to a name ("Ministry of Finances, Budget, ...").
    """
    first, *others = (piece.strip() for piece in text.split(","))
    if not others or not context.law.authorities.find(first):
        return (text,)
    bodies = context.law.bodies
    for each in others:
        written = write_phrase(each, context.words, context.mode, _AUTHORITY_FIELD).text
        if not bodies.find(each) and not _find_numbered_body(bodies, written):
            return (text,)
    return (first, *others)


def _find_numbered_body(bodies: Lexicon, written: str | None) -> tuple[Entry, ...]:
    """Return the registered bodies that a notation names, with a number ("turma.1") or without."""
    return bodies.by_notation(_BODY_NUMBER.sub("", written or ""))


def _write_level(draft: Draft, text: str, at: int, entries: list[Entry]) -> str | None:
    """Return one level of an issuer: the institution or office, or a part of it."""
    lexicon = draft.law.bodies if at else draft.law.authorities
    written, entry = look_up_phrase(text, lexicon, draft.words, draft.mode, _AUTHORITY_FIELD)
    if entry is not None:
        entries.append(entry)
    elif at and _find_numbered_body(lexicon, written.text):
        # A numbered body of a registered kind is as good as registered.
        kept = tuple(each for each in written.findings if each.severity is not Severity.NOTE)
        written = replace(written, findings=kept)
    return draft.take(written)


def write_authority(
    draft: Draft, units: Units | None, given: Issuers, measure: Measure
) -> str | None:
    """Return the whole authority: the given one, completed by what belongs to the measure.

    The body that a type of measure names is added to the issuer (6.1.4). If no issuer is given,
    the one that the type belongs to stands (6.1.6), or that of the unit whose act it is.
    """
    plain = given.plain or measure.issuer or _find_implied_issuer(draft, measure, units)
    if plain is None:
        if not draft.given.authority:
            draft.say("LX702", _AUTHORITY_FIELD)
        return None
    # A type whose words name its issuer ("D.P.R.") has no other issuer.
    owner = measure.entry.issuer if measure.entry else None
    is_owner = owner in {None, plain, plain.partition(";")[0]} or not _names_issuer(draft, measure)
    if measure.issuer not in {None, plain} or (units is None and not is_owner):
        draft.say("LX760", _AUTHORITY_FIELD, plain, measure.text, str(measure.issuer or owner))
        return None
    if units is None and given.plain:
        _warn_of_other_issuer(draft, given.plain, measure)
    text = given.text or _write_registered_notation(draft, draft.law.authorities, plain)
    return _add_body(draft, (text, plain), measure)


def _warn_of_other_issuer(draft: Draft, plain: str, measure: Measure) -> None:
    """Warn of an adjective or compound ("legge regionale") that names another issuer."""
    stated = measure.stated
    known = collect_authority_words(draft.context.registry, draft.law.code)
    text = draft.given.measure or ""
    has_its_word = not set(make_key(text).split()).isdisjoint(re.split(r"[.;+]", plain))
    if stated.is_empty or has_its_word or stated.may_be(plain, known.select_kinds(stated)):
        return
    expected = " or ".join(stated.describe())
    draft.say("LX775", "measure", text, text, expected, plain)


def _write_registered_notation(draft: Draft, lexicon: Lexicon, notation: str) -> str:
    """Return a notation of the registry as a name has it in the mode."""
    known = choose_entries(lexicon.by_notation(notation), draft.words.language)
    if draft.mode is Mode.ASCII or not known:
        return notation
    return write_notation(known[0], draft.words, draft.mode, _AUTHORITY_FIELD)


def _find_implied_issuer(draft: Draft, measure: Measure, units: Units | None) -> str | None:
    """Return the authority of a unit, or the one that a type of measure belongs to.

    The words of some types name their issuer ("Act of the Scottish Parliament"). Others ("Act")
    belong to the state, which is not the issuer of what a unit enacts.
    """
    if draft.given.authority:
        return None
    entry, names_issuer = measure.entry, _names_issuer(draft, measure)
    if units is not None and not names_issuer:
        if units.issuer is not None:
            draft.step(_AUTHORITY_FIELD, Action.SUPPLIED, "", units.issuer, "RFC 9676 §2.1")
        return units.issuer
    if entry is None or entry.issuer is None or measure.qualified:
        return None
    if draft.law.conventions.get("local") and not names_issuer:
        draft.say("LX774", _AUTHORITY_FIELD, "", entry.issuer)
    draft.step(_AUTHORITY_FIELD, Action.SUPPLIED, "", entry.issuer, "RFC 9676 §6.1.6", entry.iri)
    return entry.issuer


def _names_issuer(draft: Draft, measure: Measure) -> bool:
    """Return True for a type whose label says more than the type: whose it is."""
    entry = measure.entry
    if entry is None or entry.issuer is None:
        return False
    words = draft.words
    labels = (write_phrase(each.text, words, Mode.ASCII, "measure").text for each in entry.labels)
    return entry.notation not in labels and ";" not in entry.notation


def _add_body(draft: Draft, authority: tuple[str, str], measure: Measure) -> str:
    """Return the authority with the body that the measure names, unless it is the issuer."""
    text, plain = authority
    body = measure.body
    if body is None or body in plain.split(";")[1:] or plain.startswith(f"{body}."):
        return text
    whole = f"{text};{_write_registered_notation(draft, draft.law.bodies, body)}"
    source = measure.entry.iri if measure.entry else None
    draft.step(_AUTHORITY_FIELD, Action.SUPPLIED, text, whole, "RFC 9676 §6.1.4", source)
    return whole
