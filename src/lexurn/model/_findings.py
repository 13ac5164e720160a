"""What is said of records that do not fit together: findings, and the faults that stop a family."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.errors import LexurnError
from lexurn.name import Severity

if TYPE_CHECKING:
    from lexurn.name import Name

__all__ = ["ModelError", "ModelFinding", "fault", "warning"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelFinding:
    """One thing to know about records: what, of which names, by which rule, and what to do.

    Attributes:
        code: ``LX6`` and two digits, stable; codes below ``LX610`` are errors, the others warnings.
        severity: error or warning.
        message: what is wrong and what to do, for people.
        names: the names at fault, the one to mend first.
        rule: the rule, for example ``RFC 9676 §5.5``.
    """

    code: str
    severity: Severity
    message: str
    names: tuple[Name, ...]
    rule: str


class ModelError(LexurnError, ValueError):
    """Records that contradict each other, for example one name described twice.

    Attributes:
        finding: code, message, names at fault and rule; None where no record is at fault.
    """

    def __init__(self, message: str, *, finding: ModelFinding | None = None) -> None:
        """Keep the finding."""
        super().__init__(message)
        self.finding = finding


def fault(code: str, message: str, names: tuple[Name, ...], rule: str) -> ModelError:
    """The error of records that contradict each other; it carries its finding."""
    finding = ModelFinding(
        code=code, severity=Severity.ERROR, message=message, names=names, rule=rule
    )
    return ModelError(f"{code}: {message} ({rule})", finding=finding)


def warning(code: str, message: str, names: tuple[Name, ...], rule: str) -> ModelFinding:
    """A finding that stops nothing."""
    return ModelFinding(
        code=code, severity=Severity.WARNING, message=message, names=names, rule=rule
    )
