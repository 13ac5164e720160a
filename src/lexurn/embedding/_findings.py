"""What is said of a document: a finding, and the error that carries one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.embedding._codes import CODES
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from lexurn.name import Severity

__all__ = ["DocumentFinding", "EmbeddingError", "broken_down", "finding"]

_LONGEST_TEXT = 10_000
_LONGEST_WHY = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentFinding:
    """One thing to know about a document: where, what, by which rule, and what to write instead.

    Attributes:
        file: the document's path or name.
        line: the line, from 1; 0 where there are no lines or all of the document is meant.
        code: ``LX3`` and two digits, or the code of a finding on a name; stable.
        severity: an error keeps the document from being changed.
        message: what is wrong and what to do, for people.
        rule: the rule, for example ``RFC 9676 §5.8``.
        start: offset (code points) of the place in ``text``.
        end: offset behind the place.
        suggestion: what to write instead, or None.
        text: what stands there; empty where all of the document is meant.
    """

    file: str
    line: int
    code: str
    severity: Severity
    message: str
    rule: str
    start: int = 0
    end: int = 0
    suggestion: str | None = None
    text: str = ""

    @property
    def place(self) -> str:
        """The file and the line in it, for people: ``act.html:3``."""
        return f"{self.file}:{self.line}" if self.line else self.file


class EmbeddingError(LexurnError, ValueError):
    """A document that cannot be read, or that cannot take a name: what is wrong, what to do.

    Attributes:
        finding: all of it as a value.
    """

    def __init__(self, finding: DocumentFinding) -> None:
        """Keep the finding."""
        super().__init__(f"{finding.place}: {finding.code}: {finding.message}")
        self.finding = finding

    def __reduce__(self) -> tuple[type[EmbeddingError], tuple[DocumentFinding]]:
        """How it goes to another process: with its finding."""
        return type(self), (self.finding,)


def finding(
    code: str,
    file: str,
    *,
    line: int = 0,
    text: str = "",
    suggestion: str | None = None,
    **values: object,
) -> DocumentFinding:
    """A finding of a code.

    Args:
        code: a key of `CODES`.
        file: the document's path or name.
        line: the line, from 1; 0 where there is none.
        text: what stands there, all of it at fault.
        suggestion: what to write instead.
        values: what the message shows.
    """
    severity, rule, message = CODES[code]
    return DocumentFinding(
        file=file,
        line=line,
        code=code,
        severity=severity,
        message=message.format(**values),
        rule=rule,
        end=len(text[:_LONGEST_TEXT]),
        suggestion=suggestion,
        text=text[:_LONGEST_TEXT],
    )


def broken_down(file: str, fault: Exception) -> DocumentFinding:
    """The finding that lexurn itself is at fault.

    Args:
        file: the document's path or name.
        fault: what nobody has foreseen.
    """
    why = f"{type(fault).__name__}: {fault}"[:_LONGEST_WHY].replace("\n", " ")
    return finding("LX308", file, why=why)
