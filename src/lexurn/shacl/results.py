"""Results of a check: severities, results, and the report that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import LexurnError
from lexurn.vocabulary import SH

if TYPE_CHECKING:
    from lexurn.model import Source


class CheckError(LexurnError, RuntimeError):
    """Check that could not be made: no shapes, no engine, or an engine that failed."""


class Severity(StrEnum):
    """Severities of SHACL; only a violation prevents publication."""

    VIOLATION = "Violation"
    WARNING = "Warning"
    INFO = "Info"

    @property
    def iri(self) -> str:
        """IRI of the severity in SHACL."""
        return f"{SH}{self.value}"

    @property
    def rank(self) -> int:
        """Rank of the severity: 0 for the gravest."""
        return tuple(Severity).index(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """Fault that a shape found in one node.

    Attributes:
        severity: violation, warning or info.
        focus: the node, a term as N-Triples writes it.
        path: the property or path at fault as SPARQL writes it, or None for the node itself.
        value: the value at fault, a term as N-Triples writes it. None where a value is missing, or
            where it is the node itself.
        message: the fault, a sentence for people.
        shape: the IRI of the shape.
        component: the IRI of the SHACL constraint component.
        rule: the rule behind the shape, for example ``RFC 9676 §5.6``.
        source: the file and line of the record that described the node, where known.
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
        """Sort key of the result in a report: the gravest first, then by node."""
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
    """Report of a check.

    Attributes:
        results: in the order of `Result.order`, each once.
        checked: the number of nodes checked, those of a class of lexurn.
        notes: remarks on the whole check, for example that nothing was checked.
    """

    results: tuple[Result, ...] = ()
    checked: int = 0
    notes: tuple[str, ...] = ()

    @property
    def conforms(self) -> bool:
        """True where no result is a violation."""
        return self.count(Severity.VIOLATION) == 0

    def count(self, severity: Severity) -> int:
        """Count the results of a severity."""
        return sum(result.severity is severity for result in self.results)


class EngineResult(NamedTuple):
    """Result as an engine gives it; terms as N-Triples writes them."""

    focus: str
    shape: str
    component: str
    value: str | None = None
