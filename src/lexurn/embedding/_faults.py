"""Findings of a document, gathered: each once, and not more than anybody reads."""

from __future__ import annotations

from typing import Final

from lexurn.embedding._findings import DocumentFinding, finding

__all__ = ["Faults", "shown"]

_MOST: Final = 1_000
_LONGEST_SHOWN = 200


def shown(text: str) -> str:
    """A text as a message shows it: the beginning of a long one."""
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}..."


class Faults:
    """Findings as they are found."""

    def __init__(self, file: str) -> None:
        """Begin with none.

        Args:
            file: the document's path or name.
        """
        self.file = file
        self._found: dict[DocumentFinding, None] = {}

    @property
    def is_full(self) -> bool:
        """Whether nothing more is taken in."""
        return len(self._found) >= _MOST

    def take(self, found: DocumentFinding) -> None:
        """Take in a finding."""
        if not self.is_full:
            self._found[found] = None

    def find(
        self, code: str, line: int, text: str, *, suggestion: str | None = None, **values: object
    ) -> None:
        """Take in a finding of a code; its message may show the text as ``{what}``."""
        values = {"what": shown(text), **values}
        self.take(finding(code, self.file, line=line, text=text, suggestion=suggestion, **values))

    def all(self) -> tuple[DocumentFinding, ...]:
        """All findings in the order of the document."""
        return tuple(sorted(self._found, key=lambda each: each.line))
