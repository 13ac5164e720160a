"""A conversion while it is made: the text, its pieces, what was changed and what was found."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from lexurn.dialect._codes import CHANGES, FINDINGS
from lexurn.dialect._values import Change
from lexurn.name import Finding, Severity

if TYPE_CHECKING:
    from lexurn.dialect._speech import Speech

__all__ = ["Parts", "Piece", "Work", "cut", "finding", "is_error", "quoted"]

_SHOWN = 60


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


class Parts:
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


class Work:
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

    def __init__(self, text: str, speech: Speech, *, nir: bool = False) -> None:
        self.text = text
        self.speech = speech
        self.nir = nir
        self.parts = Parts()
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
        self.findings.append(finding(code, piece, *values))
        self.broken = self.broken or FINDINGS[code].severity is Severity.ERROR


def finding(code: str, piece: Piece, *values: str) -> Finding:
    """A finding of the table, at a piece."""
    row = FINDINGS[code]
    return Finding(
        code=code,
        severity=row.severity,
        component=row.component,
        start=piece.start,
        end=piece.end,
        message=_message(code, values or (quoted(piece.text),)),
        rule=row.rule,
    )


@lru_cache(maxsize=1024)
def _message(code: str, values: tuple[str, ...]) -> str:
    return FINDINGS[code].message.format(*values)


def is_error(found: Finding) -> bool:
    """Whether a finding breaks the name."""
    return found.severity is Severity.ERROR


def cut(piece: Piece, separator: str) -> list[Piece]:
    """The pieces between separators."""
    found, start = [], piece.start
    for text in piece.text.split(separator):
        found.append(Piece(start, text))
        start += len(text) + len(separator)
    return found


def quoted(text: str) -> str:
    """A piece as a message shows it."""
    if text.isprintable() and len(text) <= _SHOWN:
        return f'"{text}"'
    shown = text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
    return '"' + "".join(c if c.isprintable() else f"U+{ord(c):04X}" for c in shown) + '"'
