"""Composition of a name from its metadata: each part is written, then the whole is read back."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING

from lexurn.errors import LexurnError
from lexurn.minting import issuers, parts
from lexurn.minting.characters import quote_characters
from lexurn.minting.citation import has_court
from lexurn.minting.comparison import CitedAct, compare_fields, prefer_citation
from lexurn.minting.draft import Action, Draft, Metadata, make_context, read_metadata
from lexurn.minting.forms import Citation, read_citation
from lexurn.minting.numbers import Taken, write_numbers
from lexurn.name import check
from lexurn.registry import load_registry

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from lexurn.findings import Finding
    from lexurn.minting.draft import Step
    from lexurn.minting.issuers import Units
    from lexurn.name import Name
    from lexurn.registry import Entry, Registry


# Fields that a citation may have.
_CITED = {"authority", "measure", "date", "number", "units", "date_order"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Minted:
    """Result of minting: the name, each step to it, and the findings.

    Attributes:
        name: the name; None if a finding is an error.
        steps: the words dropped, expanded, folded, looked up, in order.
        findings: errors, warnings and notes, in the order of the name's parts.
    """

    name: Name | None
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __str__(self) -> str:
        """Return the name, empty if there is none."""
        return "" if self.name is None else str(self.name)

    @property
    def valid(self) -> bool:
        """True if there is a name."""
        return self.name is not None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """Findings that keep the name from being minted."""
        return tuple(found for found in self.findings if found.is_error)

    def unwrap(self) -> Name:
        """Return the name.

        Raises:
            MintError: there is none.
        """
        if self.name is None:
            raise MintError(self)
        return self.name


class MintError(LexurnError, ValueError):
    """Metadata that make no name; ``minted`` has the fields at fault and the reasons."""

    def __init__(self, minted: Minted) -> None:
        """Store the result; the message has a line for each error."""
        lines = (
            f"{found.code}: {found.component}: {found.message} ({found.rule})"
            for found in minted.errors
        )
        super().__init__("\n".join(lines))
        self.minted = minted


def minted_to_json(minted: Minted) -> dict[str, Any]:
    """Return the name (null if there is none), its steps and findings as plain values."""
    keys = ("text", "start", "end", "message", "rule", "suggestion")
    return {
        "name": None if minted.name is None else str(minted.name),
        "steps": [step._asdict() for step in minted.steps],
        "findings": [
            {"code": found.code, "severity": found.severity, "field": found.component}
            | {key: getattr(found, key) for key in keys}
            for found in minted.findings
        ],
    }


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
        taken: names already given; the new name must not be one of them, and is added to them.
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
    """Mint a name as `mint` does, without raising for any fields."""
    given, findings = read_metadata(fields)
    draft = Draft(given, findings)
    text = _write_name(draft, registry or load_registry(), taken)
    name = None
    if text is not None and not draft.failed:
        report = check(text)
        name = report.name
        if name is None:
            worst = report.errors[0]
            draft.on(worst.component, text).say("LX768", f"{worst.message} in {text}", worst.rule)
        else:
            draft.findings += [
                replace(each, start=0, end=0, suggestion=None)
                for each in report.findings
                # A year that is given as a period is meant as one.
                if each.code != "LX220" or len(given.period or "") != len("YYYY")
            ]
    if name is not None and taken is not None:
        is_next = draft.given.unnumbered == 0
        if name in taken:
            draft.on("number").say("LX770", str(name))
            name = None
        else:
            other = None if is_next else taken.alike(name)
            if other is not None:
                draft.on("number").say("LX776", str(name), other)
            taken.add(name, given_out=is_next)
    return Minted(name=name, steps=tuple(draft.steps), findings=tuple(draft.findings))


def _write_name(draft: Draft, registry: Registry, taken: Taken | None) -> str | None:
    """Return the text of the whole name, None if a part cannot be written."""
    code = issuers.write_code(draft)
    if code is None:
        return None
    given = draft.given
    draft.enter(make_context(registry, code, given.language, given.mode))
    languages, words = draft.law.languages, draft.words
    if given.language is None and len(languages) > 1:
        draft.on("language").say("LX705", code, languages[0])
    if not words.connectives and not words.months:
        draft.on("language", words.language).say("LX704")
    cited = Citation() if given.citation is None else _take_citation(draft)
    if any(each.code == "LX777" for each in cited.findings):
        return None  # what is not a citation lacks nothing else
    work = _write_work(draft, issuers.write_units(draft), taken)
    if work is not None and not cited.fields.items() <= vars(draft.given).items():
        compare_fields(draft, CitedAct(draft, cited), work)
    if given.measure is None and "measure" in cited.fields:
        codes = {each.code for each in draft.findings if each.component in {"measure", "citation"}}
        if "LX724" in codes and "LX737" not in codes and len(draft.law.measures):
            words = cited.fields["measure"]
            draft.on("citation", words).say("LX785", quote_characters(words))
    expression = parts.write_expression(draft)
    manifestation = parts.write_manifestation(draft)
    partition = parts.write_partition(draft)
    if work is None or expression is None or manifestation is None or partition is None:
        return None
    pieces = (("@", expression), ("$", manifestation), ("~", partition))
    return work + "".join(mark + piece for mark, piece in pieces if piece)


def _take_citation(draft: Draft) -> Citation:
    """Read the citation, and complete the metadata by it."""
    given = draft.given
    stated = _CITED.intersection(vars(given))
    if given.period:
        stated.add("date")
    if given.unnumbered is not None:
        stated.add("number")
    if ";" in (given.jurisdiction or ""):
        stated.add("units")
    if given.authority and has_court(chain(*given.authority), draft.law):
        stated.add("court")
    cited = read_citation(given.citation or "", draft.context, stated)
    draft.steps += cited.steps
    draft.findings += cited.findings
    found = {name: each for name, each in cited.fields.items() if name not in stated}
    draft.given = Metadata.of(found | vars(given))
    if len(found) < len(cited.fields):
        prefer_citation(draft, CitedAct(draft, cited))
    return cited


def _write_work(draft: Draft, units: Units | None, taken: Taken | None) -> str | None:
    """Return the name up to its annexes; every part is tried, so that all faults are found."""
    given, has_no_units = draft.given, units is not None and not units.text
    asked = (given.authority, given.measure, given.measure_specifications)
    head = issuers.write_head(draft.context, *asked, units if units and units.text else None)
    draft.steps += head.steps
    draft.findings += head.findings
    entry, types = head.entry, head.types
    is_one_of_many = given.date or given.period or given.number or given.authority
    if entry and entry.name and not is_one_of_many and given.unnumbered is None:
        # A short reference ("Codice civile") stands for one act.
        annexes = parts.write_annexes(draft)
        return None if annexes is None else _name_act(draft, entry) + annexes
    if types and entry is not None and entry.titled and not given.measure_specifications:
        subject = issuers.read_subject(draft, entry, head.issuers)
        types = f"{types};{subject}" if subject else types
    is_supplied = not given.authority and any(
        each.action is Action.SUPPLIED and not each.before for each in head.steps
    )
    if entry and has_no_units and is_supplied:
        issuers.warn_of_units(draft, entry)
    dates = parts.write_dates(draft)
    # An authority of every unit (a municipality's) needs its unit (2.1).
    issuer, _, body = (head.authority or "").partition(";")
    is_shared = has_no_units and issuer in draft.law.list_values("shared-issuers")
    if has_no_units and head.authority in draft.law.list_values("local"):
        draft.on("units").say("LX773", str(head.authority))
    elif is_shared and (not body or draft.law.bodies.by_notation(body)):
        shown = quote_characters("; ".join(chain(*given.authority)) or issuer)
        draft.on("authority", issuer).say("LX774", f"{shown} exists in many places")
    before = None
    if units is not None and None not in (head.authority, types, dates):
        before = f"urn:lex:{draft.law.code}{units.text}:{head.authority}:{types}:{dates};"
    numbers = write_numbers(draft, before, taken, dates, entry)
    annexes = parts.write_annexes(draft)
    _warn_of_closed_entries(draft, head, dates)
    if before is None or numbers is None or annexes is None:
        return None
    if entry and entry.name and entry.name.endswith(f":{dates};{numbers}"):
        # The title of the act, with its own date and number: "Rikoslaki (39/1889)".
        return _name_act(draft, entry) + annexes
    return before + numbers + annexes


def _name_act(draft: Draft, entry: Entry) -> str:
    """Return the name of the one act that the words of a measure stand for."""
    words = draft.given.measure or "", str(entry.name)
    draft.on("measure").step(Action.LOOKED_UP, *words, "RFC 9676 §6.2.2", entry.iri)
    return str(entry.name)


def _warn_of_closed_entries(draft: Draft, head: issuers.Head, dates: str | None) -> None:
    """Warn of an entry that is closed for new names, or registered for other days (2.2)."""
    entries = [("authority", each) for each in head.issuers]
    if head.entry is not None:
        entries.append(("measure", head.entry))
    day = (dates or "")[:10]
    for field, entry in entries:
        if entry.obsolete and not (entry.valid_until and entry.valid_on(day)):
            instead = f"write {entry.replaced_by}" if entry.replaced_by else "it has no successor"
            draft.on(field).say("LX707", entry.notation, instead)
        is_limited = entry.valid_from or entry.valid_until
        if is_limited and day[4:5] == "-" and not entry.valid_on(day):
            start = f"from {entry.valid_from} " if entry.valid_from else ""
            end = f"until {entry.valid_until}" if entry.valid_until else ""
            draft.on(field).say("LX708", entry.notation, f"{start}{end}".strip())
