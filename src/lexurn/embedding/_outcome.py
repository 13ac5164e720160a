"""What became of a file: one value, one line of a report."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.name import Name

__all__ = ["Done", "Outcome", "json_of"]


class Done(StrEnum):
    """What became of a file, or would if it were written."""

    EMBEDDED = "embedded"
    REMOVED = "removed"
    SIDECAR = "sidecar"
    """Files beside it were written, or deleted."""
    UNCHANGED = "unchanged"
    """All was well as it is."""
    REFUSED = "refused"
    """Nothing was done; a finding says why."""
    ABSENT = "absent"
    """A row names a file that is not there."""
    UNNAMED = "unnamed"
    """No row names the file."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What became of a file.

    Attributes:
        file: its path, as given; below a folder from there, with ``/``.
        name: the name that it was to have; None where its name was to be taken out, or there is
            none.
        format: the key of its format; None where it is none that can take a name.
        done: what became of it.
        is_written: whether anything was written; else it only would be.
        findings: what to know about it.
        diff: what changes, where that was asked for: of texts a unified diff in their own bytes,
            which ``patch`` can apply, of others words.
    """

    file: str
    name: Name | None = None
    format: str | None = None
    done: Done
    is_written: bool = False
    findings: tuple[DocumentFinding, ...] = ()
    diff: bytes = b""

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong with it."""
        return not any(each.severity == "error" for each in self.findings)


def json_of(outcome: Outcome) -> str:
    """The outcome as one line of JSON; the order of the keys is fixed."""
    return json.dumps(
        {
            "file": outcome.file,
            "name": None if outcome.name is None else str(outcome.name),
            "format": outcome.format,
            "done": outcome.done,
            "written": outcome.is_written,
            "findings": [_finding(each) for each in outcome.findings],
        }
    )


def _finding(found: DocumentFinding) -> dict[str, object]:
    return {
        "code": found.code,
        "severity": found.severity,
        "line": found.line or None,
        "text": found.text or None,
        "message": found.message,
        "rule": found.rule,
        "suggestion": found.suggestion,
    }
