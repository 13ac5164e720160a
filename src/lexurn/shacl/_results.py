"""What a check says: results with their places, and the report that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from lexurn.model import Source

__all__ = ["CheckError", "CheckReport", "Result", "Severity"]

_SH = "http://www.w3.org/ns/shacl#"


class CheckError(LexurnError, RuntimeError):
    """A check that could not be made: no shapes, no engine, or an engine that failed."""


class Severity(StrEnum):
    """How much a result weighs; only a violation stands against publishing."""

    VIOLATION = "Violation"
    WARNING = "Warning"
    INFO = "Info"

    @property
    def iri(self) -> str:
        """The severity in SHACL's words."""
        return f"{_SH}{self.value}"

    @property
    def rank(self) -> int:
        """0 for the heaviest."""
        return tuple(Severity).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One thing that a shape found wrong with one node.

    Attributes:
        severity: violation, warning or info.
        focus: the node, a term as N-Triples writes it.
        path: the property or path at fault as SPARQL writes it, or None where it is the node.
        value: the value at fault, a term as N-Triples writes it, or None (a value is missing, or
            it is the node itself).
        message: what is wrong, a sentence for people.
        shape: the IRI of the shape.
        component: the IRI of the SHACL constraint component.
        rule: the rule behind the shape, for example ``RFC 9676 §5.6``.
        source: the file and line of the record that described the node, where that is known.
    """

    severity: Severity
    focus: str
    path: str | None = None
    value: str | None = None
    message: str
    shape: str
    component: str
    rule: str
    source: Source | None = None

    @property
    def order(self) -> tuple[int, str, str, str, str, str]:
        """Where the result stands in a report: the heaviest first, then by node."""
        return (
            self.severity.rank,
            self.focus,
            self.shape,
            self.path or "",
            self.value or "",
            self.component,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckReport:
    """All that a check found.

    Attributes:
        results: in the order of `Result.order`, none twice.
        checked: how many nodes of a class of lexurn were checked.
        notes: what to know besides, for example that nothing was checked.
    """

    results: tuple[Result, ...] = ()
    checked: int = 0
    notes: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """Whether no result is a violation."""
        return self.count(Severity.VIOLATION) == 0

    def count(self, severity: Severity) -> int:
        """How many results have this severity."""
        return sum(result.severity is severity for result in self.results)
