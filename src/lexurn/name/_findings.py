"""What is said of a text that should be a LEX name: findings, and the report that holds them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from lexurn.name._name import Name
    from lexurn.name._values import Parts

__all__ = ["Finding", "NameSyntaxError", "Reading", "Report", "Severity"]


class Severity(StrEnum):
    """How much a finding weighs; only an error makes a name invalid."""

    ERROR = "error"
    WARNING = "warning"
    NOTE = "note"


class Reading(StrEnum):
    """By what a text is read: the grammar of RFC 9676 section 8 alone, or its prose as well."""

    GRAMMAR = "grammar"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing to know about a text: what, where, by which rule, and what to write instead.

    Attributes:
        code: ``LX`` and three digits, stable; one code has one severity per reading.
        severity: error, warning or note.
        component: the production of RFC 9676 at fault, for example ``language``.
        start: offset (code points) of the place in the text.
        end: offset behind the place.
        message: what is wrong, for people.
        rule: the rule, for example ``RFC 9676 §5.6``.
        suggestion: a whole repaired name, or None.
    """

    code: str
    severity: Severity
    component: str
    start: int
    end: int
    message: str
    rule: str
    suggestion: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """All that is known of one text: its name if it is valid, its readable parts, the findings.

    Attributes:
        text: the text as given.
        reading: the reading that it was held to.
        name: the name, or None where a finding is an error.
        parts: the parts that could be read, also of an invalid text.
        findings: in the order of their place.
    """

    text: str
    reading: Reading
    name: Name | None
    parts: Parts
    findings: tuple[Finding, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether no finding is an error."""
        return self.name is not None

    @property
    def errors(self) -> tuple[Finding, ...]:
        """The findings that make the text invalid."""
        return tuple(f for f in self.findings if f.severity is Severity.ERROR)

    def unwrap(self) -> Name:
        """The name.

        Raises:
            NameSyntaxError: the text is invalid.
        """
        if self.name is None:
            raise NameSyntaxError(self)
        return self.name


class NameSyntaxError(LexurnError, ValueError):
    """A text is no LEX name; ``report`` says where and by which rule of RFC 9676."""

    def __init__(self, report: Report) -> None:
        """Keep the report; the message is its first error."""
        first = report.errors[0]
        super().__init__(f"{first.code}: {first.message} (at {first.start}, {first.rule})")
        self.report = report
