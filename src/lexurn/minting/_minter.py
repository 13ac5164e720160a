"""From metadata to a name: the parts are written one by one, and read back as a whole."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from lexurn.minting._annexes import annexes_of
from lexurn.minting._citation import read_citation
from lexurn.minting._details import dates_of, numbers_of
from lexurn.minting._draft import Context, Draft
from lexurn.minting._editions import expression_of, manifestation_of
from lexurn.minting._fields import metadata_of
from lexurn.minting._heads import head_of, subject_behind, warn_of_closed
from lexurn.minting._issuers import levels_in
from lexurn.minting._jurisdictions import Units, code_of, units_of
from lexurn.minting._minted import Minted
from lexurn.minting._partitions import partition_of
from lexurn.minting._steps import Action, MintFinding, Mode
from lexurn.minting._taken import Taken
from lexurn.name import check
from lexurn.registry import registry as built_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.minting._metadata import Metadata
    from lexurn.name import Finding, Name
    from lexurn.registry import Entry, Registry

__all__ = ["mint", "try_mint"]


def mint(
    fields: Mapping[str, object] | None = None,
    /,
    *,
    registry: Registry | None = None,
    taken: Taken | None = None,
    **more: object,
) -> Minted:
    """Mint the name of a document from its metadata (RFC 9676 sections 3 to 7).

    >>> mint(jurisdiction="it", measure="Legge", date="21 settembre 2003", number="456").name
    <Name urn:lex:it:stato:legge:2003-09-21;456>

    Args:
        fields: metadata by field name, as in a row of a table or an object of JSON Lines.
        registry: the registry to look words up in; None: the built-in one.
        taken: names already given; what is minted must not be one of them, and is added to them.
        more: further fields.

    Returns:
        The name with each step that led to it.

    Raises:
        MintError: the metadata make no name; its ``minted`` holds all findings.
    """
    minted = try_mint({**(fields or {}), **more}, registry=registry, taken=taken)
    minted.unwrap()
    return minted


def try_mint(
    fields: Mapping[str, object], *, registry: Registry | None = None, taken: Taken | None = None
) -> Minted:
    """The same for metadata that may be bad: never raises for any fields."""
    given, findings = metadata_of(fields)
    draft = Draft(given=given, findings=list(findings))
    text = _written(draft, registry or built_in(), taken if taken is not None else Taken())
    name = None if text is None or draft.failed else _read_back(draft, text)
    if name is not None and taken is not None:
        name = _claimed(draft, taken, name)
    return Minted(name=name, steps=tuple(draft.steps), findings=tuple(draft.findings))


def _claimed(draft: Draft, taken: Taken, name: Name) -> Name | None:
    if name in taken:
        draft.say("LX770", "number", value=str(name))
        return None
    other = None if draft.given.unnumbered == 0 else taken.alike(name)
    if other is not None:
        draft.say("LX776", "number", value=str(name), other=other)
    taken.add(name, given_out=draft.given.unnumbered == 0)
    return name


def _written(draft: Draft, registry: Registry, taken: Taken) -> str | None:
    """The text of the whole name; None where a part of it cannot be written."""
    code = code_of(draft)
    if code is None:
        return None
    context = _context_of(draft, registry, code)
    draft.given = _completed(draft, context)
    units = units_of(draft, context)
    work = _work(draft, context, units and (f"urn:lex:{code}{units.text}", units), taken)
    expression = expression_of(draft, context)
    manifestation = manifestation_of(draft, context)
    partition = partition_of(draft, context) if draft.given.partition else ""
    if work is None or expression is None or manifestation is None or partition is None:
        return None
    parts = (("@", expression), ("$", manifestation), ("~", partition))
    return work + "".join(mark + part for mark, part in parts if part)


def _work(
    draft: Draft, context: Context, place: tuple[str, Units] | None, taken: Taken
) -> str | None:
    """The name up to its annexes; every part is tried, so that all faults are said at once."""
    given = draft.given
    jurisdiction, units = place or (None, None)
    asked = (given.authority, given.measure, given.measure_specifications)
    head = head_of(context, *asked, units if units and units.text else None)
    draft.steps += head.steps
    draft.findings += head.findings
    if head.entry is not None and head.entry.name is not None and not _is_dated(given):
        return _by_short_name(draft, context, head.entry, head.entry.name)
    types = head.types and head.types + subject_behind(draft, context, head)
    dates = dates_of(draft, context)
    known = None not in (jurisdiction, head.authority, types, dates)
    _check_place(draft, context, jurisdiction, head.authority)
    before = f"{jurisdiction}:{head.authority}:{types}:{dates};" if known else None
    numbers = numbers_of(draft, context, before, taken)
    annexes = annexes_of(draft, context) if given.annexes else ""
    warn_of_closed(draft, head, dates)
    if before is None or numbers is None or annexes is None:
        return None
    return before + numbers + annexes


def _is_dated(given: Metadata) -> bool:
    """Whether anything tells one act from others of its type."""
    stated = given.date or given.period or given.number or given.authority
    return bool(stated) or given.unnumbered is not None


def _by_short_name(draft: Draft, context: Context, entry: Entry, name: str) -> str | None:
    """The one act that a short reference ("Codice civile") stands for, by the registry."""
    field = "measure"
    draft.step(
        field, Action.LOOKED_UP, draft.given.measure or "", name, "RFC 9676 §6.2.2", entry.iri
    )
    annexes = annexes_of(draft, context)
    return None if annexes is None else name + annexes


def _check_place(
    draft: Draft, context: Context, jurisdiction: str | None, authority: str | None
) -> None:
    """An authority that every unit has (a municipality's) is none without its unit (2.1)."""
    local = context.law.conventions.get("local", "").split()
    if authority in local and jurisdiction is not None and ";" not in jurisdiction:
        draft.say("LX773", "units", value=str(authority))


def _completed(draft: Draft, context: Context) -> Metadata:
    """The metadata, with what a citation says where no field says it."""
    given = draft.given
    if given.citation is None:
        return given
    cited = read_citation(given.citation, context.words, context.law)
    draft.steps += cited.steps
    draft.findings += cited.findings
    found: dict[str, object] = {}
    if cited.authority and not given.authority:
        found["authority"] = (levels_in(cited.authority, context),)
    if cited.measure and not given.measure:
        found["measure"] = cited.measure
    if cited.date and not (given.date or given.period):
        found["date"] = (cited.date,)
    if cited.number and not (given.number or given.unnumbered is not None):
        found["number"] = (cited.number,)
    return replace(given, **found)  # type: ignore[arg-type]  # fields by name


def _context_of(draft: Draft, registry: Registry, code: str) -> Context:
    """Law, words and mode for a jurisdiction, and what is to be said where they are not known."""
    given = draft.given
    context = _context(registry, code, given.language, given.mode)
    languages = context.law.languages
    if given.language is None and len(languages) > 1:
        draft.say("LX705", "language", value=code, expected=languages[0])
    words = context.words
    if not words.connectives and not words.months:
        draft.say("LX704", "language", words.language, value=words.language)
    return context


@lru_cache(maxsize=512)
def _context(registry: Registry, code: str, language: str | None, mode: Mode | None) -> Context:
    law = registry.law(code)
    known = (language or (law.languages[0] if law.languages else "und")).lower()
    mode = mode or Mode(law.conventions.get("mode", Mode.ASCII))
    return Context(registry=registry, law=law, words=registry.words(known), mode=mode)


def _read_back(draft: Draft, text: str) -> Name | None:
    """The name, read as anybody would read it; what the reader finds is said."""
    report = check(text)
    if report.name is None:
        worst = report.errors[0]
        draft.say(
            "LX768", worst.component, text, value=f"{worst.message} in {text}", rule=worst.rule
        )
    else:
        draft.findings += map(_noted, report.findings)
    return report.name


def _noted(found: Finding) -> MintFinding:
    """A warning or note of the reader of names, as one of minting."""
    return MintFinding(
        code=found.code,
        severity=found.severity,
        field=found.component,
        text="",
        start=0,
        end=0,
        message=found.message,
        rule=found.rule,
    )
