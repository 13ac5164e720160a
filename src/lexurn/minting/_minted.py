"""The answer of minting: a name, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from lexurn.minting._steps import MintFinding, Step
    from lexurn.name import Name

__all__ = ["MintError", "Minted"]


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
