"""From metadata to a name: the parts are written one by one, and read back as a whole."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import LexurnError
from lexurn.minting._annexes import annexes_of
from lexurn.minting._citation import read_citation
from lexurn.minting._details import dates_of, numbers_of
from lexurn.minting._draft import Context, Draft
from lexurn.minting._editions import expression_of, manifestation_of
from lexurn.minting._issuers import authority_with, issuers_of
from lexurn.minting._jurisdictions import code_of, units_of
from lexurn.minting._measures import measure_of
from lexurn.minting._metadata import Metadata, metadata_of
from lexurn.minting._partitions import partition_of
from lexurn.minting._phrase import specification
from lexurn.minting._steps import MintFinding, Mode
from lexurn.minting._subjects import subject_of
from lexurn.minting._taken import Taken
from lexurn.name import check
from lexurn.registry import registry as built_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.minting._measures import Measure
    from lexurn.minting._steps import Step
    from lexurn.name import Finding, Name
    from lexurn.registry import Entry, Registry

__all__ = ["MintError", "Minted", "mint", "try_mint"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Minted:
    """What became of some metadata: the name, each step to it, and what is to be said.

    Attributes:
        name: the name; None where a finding is an error.
        steps: what was dropped, expanded, folded, looked up, in order.
        findings: errors, warnings and notes, in the order of the name's parts.
    """

    name: Name | None
    steps: tuple[Step, ...] = ()
    findings: tuple[MintFinding, ...] = ()

    def __str__(self) -> str:
        """The name; empty where there is none."""
        return "" if self.name is None else str(self.name)

    @property
    def valid(self) -> bool:
        """Whether there is a name."""
        return self.name is not None

    @property
    def errors(self) -> tuple[MintFinding, ...]:
        """The findings that keep the name from being minted."""
        return tuple(found for found in self.findings if found.is_error)

    def unwrap(self) -> Name:
        """The name.

        Raises:
            MintError: there is none.
        """
        if self.name is None:
            raise MintError(self)
        return self.name


class MintError(LexurnError, ValueError):
    """Metadata that make no name; ``minted`` says which field and why."""

    def __init__(self, minted: Minted) -> None:
        """Keep the answer; the message is its first error."""
        first = minted.errors[0]
        super().__init__(f"{first.code}: {first.field}: {first.message} ({first.rule})")
        self.minted = minted


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
    Name('urn:lex:it:stato:legge:2003-09-21;456')

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
    if taken.unique and name in taken:
        draft.say("LX770", "number", value=str(name))
        return None
    taken.add(name)
    return name


def _written(draft: Draft, registry: Registry, taken: Taken) -> str | None:
    """The text of the whole name; None where a part of it cannot be written."""
    code = code_of(draft)
    if code is None:
        return None
    context = _context_of(draft, registry, code)
    draft.given = _completed(draft, context)
    units = units_of(draft, context)
    work = _work(draft, context, None if units is None else f"urn:lex:{code}{units}", taken)
    expression = expression_of(draft, context)
    manifestation = manifestation_of(draft, context)
    partition = partition_of(draft, context) if draft.given.partition else ""
    if work is None or expression is None or manifestation is None or partition is None:
        return None
    parts = (("@", expression), ("$", manifestation), ("~", partition))
    return work + "".join(mark + part for mark, part in parts if part)


def _work(draft: Draft, context: Context, jurisdiction: str | None, taken: Taken) -> str | None:
    """The name up to its annexes; every part is tried, so that all faults are said at once."""
    given = draft.given
    head = _head(context, given.authority, given.measure, given.measure_specifications)
    draft.steps += head.steps
    draft.findings += head.findings
    types = head.types and head.types + _subject(draft, context, head)
    dates = dates_of(draft, context)
    known = None not in (jurisdiction, head.authority, types, dates)
    _check_place(draft, context, jurisdiction, head.authority)
    before = f"{jurisdiction}:{head.authority}:{types}:{dates};" if known else None
    numbers = numbers_of(draft, context, before, taken)
    annexes = annexes_of(draft, context) if given.annexes else ""
    _warn_of_closed(draft, head, dates)
    if before is None or numbers is None or annexes is None:
        return None
    return before + numbers + annexes


def _check_place(
    draft: Draft, context: Context, jurisdiction: str | None, authority: str | None
) -> None:
    """An authority that every unit has (a municipality's) is none without its unit (2.1)."""
    local = context.law.conventions.get("local", "").split()
    if authority in local and jurisdiction is not None and ";" not in jurisdiction:
        draft.say("LX773", "units", value=str(authority))


class _Head(NamedTuple):
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
def _head(
    context: Context,
    authority: tuple[tuple[str, ...], ...],
    measure: str | None,
    specifications: tuple[str, ...],
) -> _Head:
    """Authority and measure from their words; remembered, since they recur."""
    given = Metadata(authority=authority, measure=measure, measure_specifications=specifications)
    draft = Draft(given=given)
    issuers = issuers_of(draft, context)
    found = measure_of(draft, context, issuers.text)
    written = authority_with(draft, context, issuers.text, found) if found else None
    types = _specified(draft, context, found) if found else None
    entry = found.entry if found else None
    return _Head(written, types, entry, issuers.entries, tuple(draft.steps), tuple(draft.findings))


def _specified(draft: Draft, context: Context, measure: Measure) -> str | None:
    """The measure with the specifications that are given (RFC 9676 section 6.2.2)."""
    words, mode, field = context.words, context.mode, "measure_specifications"
    given = draft.given.measure_specifications
    written = [draft.take(specification(each, words, mode, field)) for each in given]
    return None if None in written else ";".join((measure.text, *filter(None, written)))


def _subject(draft: Draft, context: Context, head: _Head) -> str:
    """The subject that a title states, behind its ``;``, of a type that is told by subject."""
    entry = head.entry
    if entry is None or not entry.titled or draft.given.measure_specifications:
        return ""
    subject = subject_of(draft, context, entry, head.issuers)
    return f";{subject}" if subject else ""


def _warn_of_closed(draft: Draft, head: _Head, dates: str | None) -> None:
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
        found["authority"] = ((cited.authority,),)
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
