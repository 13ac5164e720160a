"""Findings about documents: how they are made and collected, and the error that carries one."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING, Any

from lexurn import findings
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    import sqlite3

    from lexurn.findings import Finding

_MAX_TEXT = 10_000
_MAX_REASON = 200
_MAX_FINDINGS = 1_000
_MAX_SHOWN = 200


class DocumentError(LexurnError, ValueError):
    """Error of a document that cannot be read or changed.

    Attributes:
        finding: the fault, its location and its remedy.
    """

    def __init__(self, finding: Finding) -> None:
        super().__init__(f"{finding.location}: {finding.code}: {finding.message}")
        self.finding = finding

    def __reduce__(self) -> tuple[type[DocumentError], tuple[Finding]]:
        """Return what pickle needs: the class and the finding."""
        return type(self), (self.finding,)


def make_finding(
    code: str,
    file: str,
    *,
    line: int = 0,
    text: str = "",
    suggestion: str | None = None,
    **values: object,
) -> Finding:
    """Return the finding of a code on a document; the values are for the placeholders in it.

    The line is 0 where the whole document is meant. A long text is cut.
    """
    text = text[:_MAX_TEXT]
    return findings.make_finding(
        code, named=values, file=file, line=line, text=text, end=len(text), suggestion=suggestion
    )


def make_error(code: str, file: str, **values: Any) -> DocumentError:
    """Return the error with the finding of a code on a document; see `make_finding`."""
    return DocumentError(make_finding(code, file, **values))


def make_crash_finding(file: str, fault: Exception) -> Finding:
    """Return the finding that lexurn itself failed, by an unexpected exception."""
    reason = f"{type(fault).__name__}: {fault}"[:_MAX_REASON].replace("\n", " ")
    return make_finding("LX308", file, why=reason)


def make_disk_error(fault: sqlite3.Error | OSError) -> DocumentError:
    """Return the error that the temporary folder cannot be written."""
    return make_error("LX358", tempfile.gettempdir(), why=fault)


def shorten_text(text: str) -> str:
    """Return a text as messages show it, cut after 200 characters."""
    return text if len(text) <= _MAX_SHOWN else f"{text[:_MAX_SHOWN]}..."


class FindingList:
    """Findings on one document, each once, up to a limit."""

    def __init__(self, file: str) -> None:
        self.file = file
        self._found: dict[Finding, None] = {}

    @property
    def is_full(self) -> bool:
        """True if the limit is reached, so that no more findings are added."""
        return len(self._found) >= _MAX_FINDINGS

    def take(self, found: Finding) -> None:
        """Add a finding."""
        if not self.is_full:
            self._found[found] = None

    def find(
        self, code: str, line: int, text: str, *, suggestion: str | None = None, **values: object
    ) -> None:
        """Add the finding of a code; its message may show the text as ``{what}``."""
        values = {"what": shorten_text(text), **values}
        self.take(
            make_finding(code, self.file, line=line, text=text, suggestion=suggestion, **values)
        )

    def all(self) -> tuple[Finding, ...]:
        """Return all findings, sorted by line."""
        return tuple(sorted(self._found, key=lambda each: each.line))
