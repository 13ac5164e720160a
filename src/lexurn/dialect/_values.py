"""What a conversion answers: the name, how it stood, each change, each loss."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.dialect._codes import CHANGES

if TYPE_CHECKING:
    from lexurn.name import Finding, Name

__all__ = ["Change", "Conversion", "Detection", "Dialect", "Standing"]


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
class Change:
    """One thing that a conversion changed.

    Attributes:
        code: ``LX8`` and two digits, stable; a key of `CHANGES`.
        before: what stood there.
        after: what stands there now; empty where it was dropped.
        start: offset (code points) of the place in the text as given.
        end: offset behind the place.
        lost: what the way back cannot restore, None where nothing is lost.
    """

    code: str
    before: str
    after: str
    start: int
    end: int
    lost: str | None = None

    @property
    def loss(self) -> bool:
        """Whether something is lost."""
        return self.lost is not None

    @property
    def message(self) -> str:
        """What was done and why, for people."""
        after = f'becomes "{self.after}"' if self.after else "is dropped"
        return f'"{self.before}" {after}: {CHANGES[self.code].message}'

    @property
    def rule(self) -> str:
        """The rule that it follows, of the RFC or of the dialect."""
        return CHANGES[self.code].rule


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """All that came of converting one text.

    Attributes:
        text: the text as given.
        dialect: the dialect that it was read in.
        name: the name by RFC 9676, None where the text is broken.
        written: the name in the dialect asked for, None where it cannot be said there.
        standing: how the text stands to RFC 9676.
        changes: what was changed, in the order of the work.
        findings: what is wrong with a broken text, and what is worth knowing of any other.
    """

    text: str
    dialect: Dialect
    name: Name | None
    written: str | None
    standing: Standing
    changes: tuple[Change, ...] = ()
    findings: tuple[Finding, ...] = ()

    @property
    def readings(self) -> tuple[Detection, ...]:
        """Each dialect that the text can be read in, with the reason."""
        from lexurn.dialect._detect import detect  # noqa: PLC0415  (detection gives values)

        return detect(self.text)

    @property
    def losses(self) -> tuple[Change, ...]:
        """The changes that the way back cannot undo."""
        return tuple(change for change in self.changes if change.lost is not None)
