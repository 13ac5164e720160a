"""A name in the making: the steps that were taken so far, and the findings."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lexurn.minting._codes import finding
from lexurn.minting._steps import Action, MintFinding, Step, Written

if TYPE_CHECKING:
    from lexurn.minting._metadata import Metadata
    from lexurn.minting._steps import Mode
    from lexurn.registry import Law, Registry, Words

__all__ = ["Context", "Draft"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Context:
    """What all fields of one document are read by; one value for each way of reading.

    Attributes:
        registry: the registry.
        law: the authorities, measures and conventions of the jurisdiction.
        words: the words of the language that the metadata are in.
        mode: how letters outside ASCII are written.
    """

    registry: Registry
    law: Law
    words: Words
    mode: Mode


@dataclass(slots=True)
class Draft:
    """Collects what the pieces answer; the one mutable value of minting.

    Attributes:
        given: the metadata.
        steps: in the order in which they were taken.
        findings: in the order in which they were found.
    """

    given: Metadata
    steps: list[Step] = field(default_factory=list)
    findings: list[MintFinding] = field(default_factory=list)

    def take(self, written: Written) -> str | None:
        """Keep what a piece did and found; its text."""
        self.steps += written.steps
        self.findings += written.findings
        return written.text

    def say(
        self, code: str, name: str, text: str = "", *, suggestion: str | None = None, **values: str
    ) -> None:
        """Note a finding of a whole field."""
        self.findings.append(finding(code, name, text, suggestion=suggestion, **values))

    def step(
        self, name: str, action: Action, before: str, after: str, rule: str, source: str | None
    ) -> None:
        """Note a step."""
        self.steps.append(
            Step(field=name, action=action, before=before, after=after, rule=rule, source=source)
        )

    @property
    def failed(self) -> bool:
        """Whether a finding keeps the name from being minted."""
        return any(found.is_error for found in self.findings)
