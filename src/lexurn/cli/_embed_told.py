"""What ``lexurn embed`` says: a line a file, findings, a report, and how many files there were."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

import click

from lexurn.cli._embed_report import Report
from lexurn.cli._findings_told import FindingsTold
from lexurn.cli._screen import (
    Output,
    echo_error,
    in_line,
    visible,
    write,
    write_bytes,
)
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.cli._embed_given import Given
    from lexurn.embedding import Outcome

__all__ = ["Told", "told_of"]

_LONGEST_LINE = 1_000
_WOULD = {
    "embedded": "would embed",
    "removed": "would remove",
    "sidecar": "would write or delete sidecars",
}


@dataclass(slots=True, kw_only=True)
class Told:
    """Tells what became of files, and counts them.

    Attributes:
        given: what was asked for.
        report: where a line of JSON goes for each file.
        is_good: whether nothing was wrong so far.
        is_interrupted: whether it was ended before all was done.
        is_cut: whether that was at once, so that files under way are not counted.
        counts: how many files there were of each kind.
        findings: shows what was found.
    """

    given: Given
    report: Report | Output | None
    is_good: bool = True
    is_interrupted: bool = False
    is_cut: bool = False
    counts: dict[str, int] = field(default_factory=dict)
    findings: FindingsTold = field(default_factory=FindingsTold)

    def all(self, outcomes: Iterable[Outcome]) -> None:
        """Tell of files as they come; what ends that early leaves what was done so far to count.

        Raises:
            LexurnError: nothing was done.
        """
        try:
            for outcome in outcomes:
                self(outcome)
        except KeyboardInterrupt:
            self.is_interrupted = self.is_cut = True
        except BrokenPipeError:
            raise  # nobody reads on, which is no fault
        except (LexurnError, OSError) as fault:
            if isinstance(fault, LexurnError) and not self.counts:
                raise
            self.is_good = False
            echo_error(str(fault))

    def __call__(self, outcome: Outcome) -> None:
        """Tell of one file."""
        from lexurn.embedding import json_of

        if self._is_report(outcome):
            return
        self.is_good = self.is_good and outcome.is_good
        self.counts[outcome.done] = self.counts.get(outcome.done, 0) + 1
        for found in outcome.findings:
            self.findings.say(found)
        if self.report is not None:
            self.report.write(json_of(outcome).encode() + b"\n")
        if not isinstance(self.report, Output):
            self._show(outcome)

    def _is_report(self, outcome: Outcome) -> bool:
        """Whether what was found in the folder is the report itself, which is not whole yet."""
        folder = self.given.folder
        if outcome.done != "unnamed" or folder is None or not isinstance(self.report, Report):
            return False
        return self.report.is_own(Path(folder, outcome.file))

    def _show(self, outcome: Outcome) -> None:
        if outcome.diff:
            _show_diff(outcome.diff)
        is_dull = outcome.done in {"unchanged", "unnamed", "refused", "absent"}
        if self.given.shows_diff or (is_dull and self.given.folder is not None):
            return
        if outcome.done != "refused":
            write(self._line(outcome))

    def _line(self, outcome: Outcome) -> str:
        done = outcome.done if self.given.writes else _WOULD.get(outcome.done, outcome.done)
        name = "" if outcome.name is None else f" {outcome.name}"
        return f"{done} {in_line(outcome.file)}{name}"

    def finish(self) -> None:
        """Say how many files there were of each kind, and that nothing was written."""
        self.findings.finish()
        if self.given.folder is not None and not isinstance(self.report, Output):
            write(self._summary())
        if self.is_interrupted:
            more = " (files that were under way may be written, and are not counted)"
            left = f"run it again for what is left{more if self.is_cut else ''}"
            click.echo(f"interrupted; {left}", err=True)
        if not self.given.writes:
            how = "--in-place" if self.given.folder is not None else "--in-place, or -o FILE,"
            click.echo(f"nothing was written; {how} writes", err=True)

    def _summary(self) -> str:
        total = sum(self.counts.values())
        kinds = ", ".join(
            f"{count:,} {kind if self.given.writes else _WOULD.get(kind, kind)}"
            for kind, count in self.counts.items()
        )
        return f"{total:,} file{'s' * (total != 1)}: {kinds}" if total else "no files"


def _show_diff(diff: bytes) -> None:
    """Show a diff to a person; to anything else it goes as it is, so that it can be applied."""
    if not _is_watched():
        write_bytes(diff)
        return
    for line in diff.splitlines():
        # Of UTF-16 the letters of most languages are left, for the eye.
        text = line.replace(b"\0", b"").decode("utf-8", "backslashreplace")
        write("\t".join(map(visible, _cut(text).split("\t"))))


def _is_watched() -> bool:
    """Whether a person watches standard output."""
    stream: TextIO | None = sys.stdout
    return stream is not None and stream.isatty()


def _cut(line: str) -> str:
    """The two ends of a line that is very long, as programs write them."""
    half = _LONGEST_LINE // 2
    return line if len(line) <= _LONGEST_LINE else f"{line[:half]} … {line[-half:]}"


@contextmanager
def told_of(given: Given, report: str | None) -> Iterator[Told]:
    """What tells of files; its report appears whole in the end.

    Raises:
        LexurnError: the report cannot be written.
    """
    if report is None or report == "-":
        yield Told(given=given, report=None if report is None else Output())
        return
    with Report(report) as kept:
        told = Told(given=given, report=kept)
        yield told
    if kept.fault is not None:
        told.is_good = False
        echo_error(kept.fault)
