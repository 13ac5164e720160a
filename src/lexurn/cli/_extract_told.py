"""What ``lexurn extract`` says on standard error: findings, and progress."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.cli._findings_told import FindingsTold
from lexurn.cli._manifests import progress
from lexurn.cli._screen import echo_findings, in_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.embedding import Extraction
    from lexurn.manifest import RowFinding

__all__ = ["Told"]


class Told:
    """Tells what is wrong with documents, and keeps in mind whether anything is."""

    def __init__(self) -> None:
        """Begin: all is good."""
        self.is_good = True
        self.findings = FindingsTold()

    def each(self, found: Iterable[Extraction]) -> Iterator[Extraction]:
        """The same documents, told of as they pass."""
        with progress() as told:
            for done, each in enumerate(found, 1):
                self.is_good = self.is_good and each.is_good
                for finding in each.findings:
                    self.findings.say(finding)
                told("reading", done, None)
                yield each

    def row(self, finding: RowFinding) -> None:
        """Show what keeps a document out of RDF."""
        self.is_good = self.is_good and finding.severity != "error"
        echo_findings(finding.text, [finding], place=in_line(finding.place))
