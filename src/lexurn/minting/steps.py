"""Steps from the given words to a name, and the draft that collects them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.minting.metadata import make_field_finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from lexurn.findings import Finding
    from lexurn.minting.metadata import Metadata, Mode
    from lexurn.registry import Law, Registry, Words


class Action(StrEnum):
    """Action of a step on the words that were given."""

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
    """Step from the words that were given to the name.

    Attributes:
        field: the field of the metadata, for example ``authority``.
        action: the action.
        before: the words before it.
        after: the words behind it; empty if they were dropped.
        rule: the rule, for example ``RFC 9676 §4.1``.
        source: the IRI of the registry's entry that it follows, or None.
    """

    field: str
    action: Action
    before: str
    after: str
    rule: str
    source: str | None = None


def make_step(
    field: str, action: Action, before: str, after: str, rule: str, source: str | None = None
) -> Step:
    """Return a step, by position."""
    return Step(field=field, action=action, before=before, after=after, rule=rule, source=source)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """Text that one piece of metadata became.

    Attributes:
        text: the text as a name has it; None if a finding is an error.
        steps: the steps, in order.
        findings: the findings, in order.
    """

    text: str | None
    steps: tuple[Step, ...] = ()
    findings: tuple[Finding, ...] = ()

    def after(self, steps: Iterable[Step], findings: Iterable[Finding] = ()) -> Written:
        """Return the same text with earlier steps and findings in front."""
        return Written(
            text=self.text, steps=(*steps, *self.steps), findings=(*findings, *self.findings)
        )


def refuse(*findings: Finding) -> Written:
    """Return a result without a text, with the reasons."""
    return Written(text=None, findings=findings)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Context:
    """Context in which the fields of one document are read; shared by like documents.

    Attributes:
        registry: the registry.
        law: the authorities, measures and conventions of the jurisdiction.
        words: the words of the language of the metadata.
        mode: the mode of writing letters outside ASCII.
    """

    registry: Registry
    law: Law
    words: Words
    mode: Mode


@dataclass(slots=True)
class Draft:
    """Draft of a name: the metadata, the steps and the findings so far.

    Attributes:
        given: the metadata.
        steps: the steps in their order.
        findings: the findings in their order.
    """

    given: Metadata
    steps: list[Step] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)

    def take(self, written: Written) -> str | None:
        """Add the steps and findings of a piece; return its text."""
        self.steps += written.steps
        self.findings += written.findings
        return written.text

    def say(
        self, code: str, field: str, text: str = "", *values: str, suggestion: str | None = None
    ) -> None:
        """Add a finding of a whole field; its message shows the text unless values are given."""
        shown = values or (text,)
        self.findings.append(make_field_finding(code, field, text, *shown, suggestion=suggestion))

    def step(
        self,
        field: str,
        action: Action,
        before: str,
        after: str,
        rule: str,
        source: str | None = None,
    ) -> None:
        """Add a step."""
        self.steps.append(make_step(field, action, before, after, rule, source))
