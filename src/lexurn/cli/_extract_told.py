"""What ``lexurn extract`` says on standard error: findings, and progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from lexurn.cli._manifests import progress
from lexurn.cli._screen import echo_findings, in_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.embedding import DocumentFinding, Extraction
    from lexurn.manifest import RowFinding

__all__ = ["Told"]

_MOST_OF_A_KIND = 20


class Told:
    """Tells what is wrong with documents, and keeps in mind whether anything is."""

    def __init__(self) -> None:
        """Begin: all is good."""
        self.is_good = True
        self._counts: dict[str, int] = {}

    def each(self, found: Iterable[Extraction]) -> Iterator[Extraction]:
        """The same documents, told of as they pass."""
        with progress() as told:
            for done, each in enumerate(found, 1):
                self.is_good = self.is_good and each.is_good
                for finding in each.findings:
                    self.say(finding)
                told("reading", done, None)
                yield each

    def say(self, finding: DocumentFinding) -> None:
        """Show a finding: all errors, the first of each other kind."""
        if finding.severity != "error":
            told = self._counts[finding.code] = self._counts.get(finding.code, 0) + 1
            if told > _MOST_OF_A_KIND:
                return
        echo_findings(finding.text, [finding], place=in_line(finding.place))

    def row(self, finding: RowFinding) -> None:
        """Show what keeps a document out of RDF."""
        self.is_good = self.is_good and finding.severity != "error"
        echo_findings(finding.text, [finding], place=in_line(finding.place))

    def finish(self) -> None:
        """Say how many findings were not shown."""
        for code, told in self._counts.items():
            if told > _MOST_OF_A_KIND:
                click.echo(f"{code}: {told - _MOST_OF_A_KIND:,} more of the same", err=True)
