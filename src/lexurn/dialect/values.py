"""Values of a conversion: dialects, changes, detections, and the text while it is converted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from lexurn.dialect.changes import CHANGES, Change
from lexurn.findings import load_codes, make_finding

if TYPE_CHECKING:
    from lexurn.dialect.jurisdictions import JurisdictionWords
    from lexurn.findings import Finding


class Dialect(StrEnum):
    """How a name is written."""

    RFC9676 = "rfc9676"
    LEXML = "lexml"
    NIR = "nir"
    DRAFT = "draft"


class Standing(StrEnum):
    """How a text stands to RFC 9676.

    VALID: a name as it stands. ACCIDENTAL: the grammar lets it through, but reads something else
    than what is written there, or a rule of the prose forbids it. REPAIRABLE: no name, but rules
    make one of it. BROKEN: no rule makes a name of it without inventing what is not there.
    """

    VALID = "valid"
    ACCIDENTAL = "valid by accident"
    REPAIRABLE = "repairable"
    BROKEN = "broken"


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """A dialect that a text can be read in, and why.

    Attributes:
        dialect: the dialect.
        reason: what in the text speaks for it.
        start: offset of what speaks for it.
        end: offset behind it.
    """

    dialect: Dialect
    reason: str
    start: int
    end: int


_LONGEST_QUOTE = 60


class Piece(NamedTuple):
    """A piece of the text and where it starts."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    def at(self, start: int, text: str) -> Piece:
        """A piece of this piece."""
        return Piece(self.start + start, text)


class NameParts:
    """The pieces of a name by RFC 9676, as they will be written."""

    __slots__ = ("annexes", "events", "head", "language", "manifestation", "partition", "rest")

    def __init__(self) -> None:
        self.head = ""
        self.annexes: list[str] = []
        self.events: list[str] = []
        self.language = ""
        self.manifestation = ""
        self.partition = ""
        self.rest = ""

    def __str__(self) -> str:
        text = "urn:lex:" + ":".join((self.head, *self.annexes))
        if self.events:
            text += "@" + ";".join(self.events) + (f":{self.language}" if self.language else "")
        if self.manifestation:
            text += f"${self.manifestation}"
        if self.partition:
            text += f"~{self.partition}"
        return text + self.rest


class ConversionState:
    """A text that is being converted.

    Attributes:
        text: the text as given.
        speech: how its jurisdiction speaks.
        dialect: whether it is read as NIR (else as a LEX name).
        changes: what was changed.
        findings: what was found.
        broken: whether a finding is an error.
        auto: whether the dialect was found out, not given.
    """

    __slots__ = ("auto", "broken", "changes", "findings", "nir", "parts", "speech", "text")

    def __init__(self, text: str, speech: JurisdictionWords, *, nir: bool = False) -> None:
        self.text = text
        self.speech = speech
        self.nir = nir
        self.parts = NameParts()
        self.changes: list[Change] = []
        self.findings: list[Finding] = []
        self.broken = False
        self.auto = False

    def change(self, code: str, piece: Piece, after: str, lost: str | None = None) -> None:
        """Note that a piece became something else; ``lost`` where the table does not say it."""
        template = CHANGES[code].lost
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

    def say(self, code: str, piece: Piece, *values: str) -> None:
        """Note a finding at a piece."""
        found = find_at(code, piece, *values)
        self.findings.append(found)
        self.broken = self.broken or found.is_error


def find_at(code: str, piece: Piece, *values: str) -> Finding:
    """Return the finding of a code at a piece, which its message shows unless values are given."""
    shown = values or (quote_text(piece.text),)
    return make_finding(
        code, *shown, component=load_codes()[code].component, start=piece.start, end=piece.end
    )


def split_piece(piece: Piece, separator: str) -> list[Piece]:
    """The pieces between separators."""
    found, start = [], piece.start
    for text in piece.text.split(separator):
        found.append(Piece(start, text))
        start += len(text) + len(separator)
    return found


def quote_text(text: str) -> str:
    """A piece as a message shows it."""
    if text.isprintable() and len(text) <= _LONGEST_QUOTE:
        return f'"{text}"'
    shown = text if len(text) <= _LONGEST_QUOTE else text[: _LONGEST_QUOTE - 1] + "…"
    return '"' + "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in shown) + '"'
