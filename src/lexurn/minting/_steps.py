"""What minting answers: each step that was taken, each finding, and the text that came of them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.name import Severity

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["Action", "MintFinding", "Mode", "Step", "Written"]


class Mode(StrEnum):
    """How letters outside ASCII are written (RFC 9676 section 3.4)."""

    ASCII = "ascii"
    UTF8 = "utf8"


class Action(StrEnum):
    """What a step did to the words that were given."""

    LOWERED = "lowered"
    FOLDED = "folded"
    ENCODED = "encoded"
    DROPPED = "dropped"
    JOINED = "joined"
    EXPANDED = "expanded"
    NUMBERED = "numbered"
    REPLACED = "replaced"
    LOOKED_UP = "looked up"
    DATED = "dated"
    COMPUTED = "computed"
    ALLOCATED = "allocated"
    SUPPLIED = "supplied"
    READ = "read"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step from the words that were given to the name.

    Attributes:
        field: the field of the metadata that it worked on, for example ``authority``.
        action: what was done.
        before: the words before it.
        after: what they became; empty where they were dropped.
        rule: the rule, for example ``RFC 9676 §4.1``.
        source: the IRI of the registry's entry that it follows, or None.
    """

    field: str
    action: Action
    before: str
    after: str
    rule: str
    source: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MintFinding:
    """One thing to know about the metadata: what, where, by which rule, and what to do.

    Attributes:
        code: ``LX7`` and two digits, stable; one code has one severity.
        severity: error, warning or note; an error means that there is no name.
        field: the field of the metadata at fault.
        text: the text of that field.
        start: offset (code points) of the place in ``text``.
        end: offset behind the place.
        message: what is wrong and what to do, for people.
        rule: the rule, for example ``RFC 9676 §3.6``.
        suggestion: what the field could hold instead, or None.
    """

    code: str
    severity: Severity
    field: str
    text: str
    start: int
    end: int
    message: str
    rule: str
    suggestion: str | None = None

    @property
    def is_error(self) -> bool:
        """Whether it keeps the name from being minted."""
        return self.severity is Severity.ERROR


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What one piece of metadata became.

    Attributes:
        text: the text as a name has it; None where a finding is an error.
        steps: what was done, in order.
        findings: what is to be said of it.
    """

    text: str | None
    steps: tuple[Step, ...] = ()
    findings: tuple[MintFinding, ...] = ()

    def after(self, steps: Iterable[Step], findings: Iterable[MintFinding] = ()) -> Written:
        """The same with what was done and found before it in front."""
        return Written(
            text=self.text, steps=(*steps, *self.steps), findings=(*findings, *self.findings)
        )
