"""Values of a conversion: dialects, changes, words of a jurisdiction, and the text in work."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn import data
from lexurn.findings import load_codes, make_finding
from lexurn.name import NameSyntaxError, parse

if TYPE_CHECKING:
    from collections.abc import Mapping

    from lexurn.findings import Finding
    from lexurn.name import Name
    from lexurn.registry import Law, Registry


class Dialect(StrEnum):
    """Form in which names are written."""

    RFC9676 = "rfc9676"
    LEXML = "lexml"
    NIR = "nir"
    DRAFT = "draft"


class Standing(StrEnum):
    """Standing of a text beside RFC 9676.

    VALID: a name as it stands. ACCIDENTAL: the grammar lets it through, but reads something else
    than the text means, or a rule of the prose forbids it. REPAIRABLE: not a name, but rules make
    one of it. BROKEN: no rule makes a name of it without inventing a part.
    """

    VALID = "valid"
    ACCIDENTAL = "valid by accident"
    REPAIRABLE = "repairable"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """Dialect that a text can be read in, with the reason.

    Attributes:
        dialect: the dialect.
        reason: the sign of it in the text.
        start: offset of the sign.
        end: offset after it.
    """

    dialect: Dialect
    reason: str
    start: int
    end: int


class ChangeRule(NamedTuple):
    """Rule of a change.

    Attributes:
        rule: the rule behind it.
        message: the change, for people.
        lost: what is lost by it (``{0}`` is the text before it), None if it can be undone.
    """

    rule: str
    message: str
    lost: str | None = None


@cache
def load_changes() -> Mapping[str, ChangeRule]:
    """Return the rules of changes by code, from ``ontology/changes.json``."""
    rows = json.loads(data.read_text("ontology/changes.json"))
    return {code: ChangeRule(**row) for code, row in rows.items()}


@cache
def _load_nir_authorities() -> Mapping[str, str]:
    """Return the jurisdiction of each authority of NIR that is not of Italy."""
    rows = json.loads(data.read_text("ontology/nir_authorities.json"))
    return {authority: row["jurisdiction"] for authority, row in rows.items()}


@lru_cache(maxsize=4096)
def find_nir_jurisdiction(authority: str) -> str:
    """Return the jurisdiction that all issuers are of; ``it`` if they have none in common."""
    issuers = (issuer.partition(";")[0] for issuer in authority.split("+"))
    found = {_load_nir_authorities().get(issuer, "it") for issuer in issuers}
    return found.pop() if len(found) == 1 else "it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """One change of a conversion.

    Attributes:
        code: ``LX8`` and two digits, stable; a key of `load_changes`.
        before: the text before the change.
        after: the text after it; empty if it was dropped.
        start: offset (code points) of the change in the text as given.
        end: offset after the change.
        lost: what the way back cannot restore, None if nothing is lost.
    """

    code: str
    before: str
    after: str
    start: int
    end: int
    lost: str | None = None

    @property
    def loss(self) -> bool:
        """True if something is lost."""
        return self.lost is not None

    @property
    def message(self) -> str:
        """Change and reason, for people."""
        after = f'becomes "{self.after}"' if self.after else "is dropped"
        return f'"{self.before}" {after}: {load_changes()[self.code].message}'

    @property
    def rule(self) -> str:
        """Rule that it follows, of the RFC or of the dialect."""
        return load_changes()[self.code].rule


LEXML_AUTHORITIES = frozenset({"federal", "estadual", "municipal", "distrital"})
"""Issuers by convention in LexML's grammar; they are no institutions."""
# Labels of partitions in LexML's grammar and in the identifiers of NIR's documents.
_LABELS = (
    "agh ali all anx art asp cap com cor cpt dpg inc ite let lib liv num omi par per pre prt pun"
    " rub sec sez sub tab tit"
)
_LABEL = re.compile(r"[a-z0-9]+(?:\.[a-z0-9]+)*")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class JurisdictionWords:
    """Words of one jurisdiction in names.

    Attributes:
        connectives: words that names drop (RFC 9676 section 4.1).
        folds: ASCII forms of letters, if not their base letter (3.4).
        annexes: headings of annexes (6.4.1).
        labels: labels of partitions, the longest first.
        units: notations of jurisdiction-units.
        authorities: notations of authorities.
        bodies: notations of bodies and functions.
        measures: notations of types of measure.
        law: its entries in the registry, None without a registry.
    """

    connectives: frozenset[str] = frozenset()
    folds: Mapping[str, str] = field(default_factory=dict)
    annexes: frozenset[str] = frozenset()
    labels: tuple[str, ...] = ()
    units: frozenset[str] = frozenset()
    authorities: frozenset[str] = frozenset()
    bodies: frozenset[str] = frozenset()
    measures: frozenset[str] = frozenset()
    law: Law | None = None


_NO_WORDS = JurisdictionWords()


@lru_cache(maxsize=256)
def load_words(registry: Registry | None, code: str) -> JurisdictionWords:
    """Return the words of a jurisdiction by a registry; None stands for the built-in one."""
    if registry is None:
        from lexurn.registry import load_registry  # noqa: PLC0415 - plain names need none of it

        return load_words(load_registry(), code)
    law = registry.law(code)
    words = [registry.words(language) for language in law.languages]
    known = {entry.notation for each in words for entry in each.partitions}.union(_LABELS.split())
    labels = sorted(filter(_LABEL.fullmatch, known), key=lambda label: (-len(label), label))
    return JurisdictionWords(
        connectives=frozenset(key for each in words for key in each.connectives if " " not in key),
        folds={letter: text for each in words for letter, text in each.folds.items()},
        annexes=frozenset(entry.notation for each in words for entry in each.annexes),
        labels=tuple(labels),
        units=frozenset(law.units.notations),
        authorities=frozenset(law.authorities.notations),
        bodies=frozenset(law.bodies.notations),
        measures=frozenset(law.measures.notations),
        law=law,
    )


@lru_cache(maxsize=256)
def list_references(words: JurisdictionWords) -> dict[str, tuple[tuple[str, Name], ...]]:
    """List issuers and full names of short references, by type of measure (RFC 9676 section 5.3).

    A type of which its authority has other acts is no reference to one of them, in whatever
    year: "law of 2012" names none. An act outside the series, without a number, stays.
    """
    found: dict[str, tuple[tuple[str, Name], ...]] = {}
    measures = () if words.law is None else words.law.measures
    types = {(entry.notation, entry.issuer) for entry in measures if entry.name is None}
    for entry in measures:
        if entry.name is None:
            continue
        try:
            name = parse(entry.name)
        except NameSyntaxError:
            continue
        authority, details = str(name.work.authority), name.work.details
        years = {date.iso[:4] for date in details.dates}
        is_outside = all(each.startswith("lex-") or each in years for each in details.numbers)
        for issuer in sorted({authority, entry.issuer or authority}):
            is_shared = not types.isdisjoint({(entry.notation, issuer), (entry.notation, None)})
            if is_outside or not is_shared:
                found[entry.notation] = (*found.get(entry.notation, ()), (issuer, name))
    return found


class Piece(NamedTuple):
    """Piece of the text and its offset."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Offset after it."""
        return self.start + len(self.text)

    def cut(self, start: int, text: str) -> Piece:
        """Return a piece of this piece."""
        return Piece(self.start + start, text)

    def split(self, separator: str) -> list[Piece]:
        """Return the pieces between separators of one character."""
        start, whole = self
        found = []
        for text in whole.split(separator):
            found.append(Piece(start, text))
            start += len(text) + 1
        return found


@dataclass(slots=True)
class NamePieces:
    """Pieces of a name by RFC 9676, as they will be written."""

    head: str = ""
    annexes: list[str] = field(default_factory=list)
    events: list[str] = field(default_factory=list)
    language: str = ""
    manifestation: str = ""
    partition: str = ""
    rest: str = ""

    def __str__(self) -> str:
        text = "urn:lex:" + ":".join((self.head, *self.annexes))
        if self.events:
            text += "@" + ";".join(self.events) + (f":{self.language}" if self.language else "")
        if self.manifestation:
            text += f"${self.manifestation}"
        if self.partition:
            text += f"~{self.partition}"
        return text + self.rest


@dataclass(slots=True)
class ConversionState:
    """Text that is being converted.

    Attributes:
        text: the text as given.
        words: the words of its jurisdiction.
        is_nir: True if it is read as NIR, False as a LEX name.
        is_detected: True if the dialect was found out, not given.
        parts: the pieces of the name.
        changes: the changes so far.
        findings: the findings so far.
        is_broken: True if a finding is an error.
    """

    text: str
    words: JurisdictionWords = _NO_WORDS
    is_nir: bool = False
    is_detected: bool = False
    parts: NamePieces = field(default_factory=NamePieces)
    changes: list[Change] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    is_broken: bool = False

    def change(self, code: str, piece: Piece, after: str, lost: str | None = None) -> None:
        """Note that a piece became something else; ``lost`` if the table does not say it."""
        template = load_changes()[code].lost
        if lost is None and template is not None:
            lost = template.format(piece.text)
        self.changes.append(
            Change(
                code=code,
                before=piece.text,
                after=after,
                start=piece.start,
                end=piece.end,
                lost=lost,
            )
        )

    def change_part(
        self, code: str, at: int, part: str, after: str, lost: str | None = None
    ) -> None:
        """Note the change of a part at an offset; below 0, it is a change of the whole text."""
        if at >= 0:
            part = self.text[at : at + len(part)]
        self.change(code, Piece(at, part), after, lost)
        if at < 0:
            self.changes[-1] = replace(self.changes[-1], start=0, end=len(self.text))

    def change_last(self, code: str, part: str, after: str) -> None:
        """Note the change of a part at its last position in the text."""
        self.change_part(code, self.fold_text().rfind(part.lower()), part, after)

    def fold_text(self) -> str:
        """Return the text in lower case, each letter at its offset."""
        return self.text.lower() if self.text.isascii() else self.text

    def say(self, code: str, piece: Piece, *values: str) -> None:
        """Note a finding at a piece."""
        found = find_at(code, piece, *values)
        self.findings.append(found)
        self.is_broken = self.is_broken or found.is_error


@lru_cache(maxsize=1024)
def find_at(code: str, piece: Piece, *values: str) -> Finding:
    """Return the finding of a code at a piece; its message shows the piece unless values do."""
    shown = values or (quote_text(piece.text),)
    return make_finding(
        code, *shown, component=load_codes()[code].component, start=piece.start, end=piece.end
    )


_LONGEST_QUOTE = 60


def quote_text(text: str) -> str:
    """Quote a text for a message."""
    shown = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    if shown.isprintable():
        return f'"{shown}"'
    return '"' + "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in shown) + '"'
