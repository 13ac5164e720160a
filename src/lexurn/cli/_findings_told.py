"""Findings of many documents on standard error: all errors, and some of each other kind."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from lexurn.cli._screen import echo_findings, in_line

if TYPE_CHECKING:
    from lexurn.embedding import DocumentFinding

__all__ = ["FindingsTold"]

_MOST_OF_A_KIND = 20


class FindingsTold:
    """Shows findings, and counts those that are no errors."""

    def __init__(self) -> None:
        """Begin with none."""
        self._counts: Counter[str] = Counter()

    def say(self, finding: DocumentFinding) -> None:
        """Show a finding, unless enough of its kind were shown."""
        if finding.severity != "error":
            self._counts[finding.code] += 1
            if self._counts[finding.code] > _MOST_OF_A_KIND:
                return
        echo_findings(finding.text, [finding], place=in_line(finding.place))

    def finish(self) -> None:
        """Say how many findings were not shown."""
        for code, count in self._counts.items():
            if count > _MOST_OF_A_KIND:
                click.echo(f"{code}: {count - _MOST_OF_A_KIND:,} more of the same", err=True)
