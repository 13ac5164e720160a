"""Output of commands: results on standard output; findings and progress on standard error."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections import Counter
from contextlib import contextmanager
from typing import TYPE_CHECKING, TextIO

import click

from lexurn.errors import LexurnError
from lexurn.findings import Severity

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.findings import Finding


_WINDOW_WIDTH = 100
_MESSAGE_WIDTH = 64
_COLOURS = {Severity.ERROR: "red", Severity.WARNING: "yellow", Severity.NOTE: "blue"}


def write_line(text: str) -> None:
    """Write a line to standard output; escape lone surrogates, which no terminal can print."""
    write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")


def write_json(value: object) -> None:
    """Write a value to standard output as one line of JSON."""
    write_bytes(encode_json(value))


def encode_json(value: object) -> bytes:
    """Return a value as one line of JSON in UTF-8; escape lone surrogates, which have no UTF-8."""
    try:
        return json.dumps(value, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(value).encode() + b"\n"


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output, unchanged.

    Raises:
        BrokenPipeError: the reader of a pipe has stopped reading.
        LexurnError: standard output is closed, or its disk is full.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise LexurnError("Standard output is closed.")
    try:
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise LexurnError(f"Cannot write to standard output: {fault.strerror}.") from fault


class StandardOutput:
    """Standard output as a binary file, with the methods that writers of reports call."""

    def __init__(self, *, is_text: bool = False) -> None:
        """Open it; escape control characters in text for people."""
        self._is_text = is_text

    def write(self, data: bytes) -> int:
        """Write bytes, which are whole lines if they are text."""
        if self._is_text:
            lines = data.decode().split("\n")
            data = "\n".join(map(escape_text, lines)).encode("utf-8", "backslashreplace")
        write_bytes(data)
        return len(data)

    def flush(self) -> None:
        """Do nothing: each write is flushed."""


def echo_note(message: str) -> None:
    """Write a note to standard error."""
    click.echo(click.style("note", fg="blue", bold=True) + f": {escape_text(message)}", err=True)


def escape_text(text: str) -> str:
    r"""Escape control, format and lone surrogate characters (``\u202e``), but not line ends.

    No name can steer the terminal or hide part of the text.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if character != "\n" and unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}
        else character
        for character in text
    )


def escape_line(text: str) -> str:
    r"""Escape as `escape_text` does, and line ends too: the name of a file may have one."""
    return escape_text(text).replace("\n", "\\n")


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is open and is a terminal."""
    return stream is not None and stream.isatty()


def echo_error(message: str) -> None:
    """Print an error on standard error."""
    click.echo(click.style("error", fg="red", bold=True) + f": {escape_text(message)}", err=True)


def echo_findings(text: str, findings: Iterable[Finding], *, place: str = "") -> None:
    """Print findings on standard error, each pointing into its text.

    Args:
        text: the text that the findings' offsets point into; empty where a whole row is meant.
        findings: the findings, in the order to print.
        place: the place of the text, for example ``acts.csv:12``, printed first when given.
    """
    lead = f"{escape_line(place)}: " if place else ""
    for finding in findings:
        colour = _COLOURS[finding.severity]
        label = f"{finding.severity} {finding.code}"
        message = f"{escape_text(finding.message):<{_MESSAGE_WIDTH - len(label) - 2}}"
        label = click.style(label, fg=colour, bold=True)
        click.echo(f"{lead}{label}: {message} {finding.rule}", err=True)
        if text or not place:
            line, carets = _point_into(text, finding.start, finding.end)
            click.echo(f"  {line}\n  {click.style(carets, fg=colour)}", err=True)
        if finding.suggestion is not None:
            click.echo(f"  try: {escape_text(finding.suggestion)}", err=True)


def echo_finding(finding: Finding) -> None:
    """Print a finding on standard error, with its own place and text."""
    column = finding.column
    place = finding.place if column is None else f"{finding.place}, column {column}"
    echo_findings(finding.text, [finding], place=place)


def _point_into(text: str, start: int, end: int) -> tuple[str, str]:
    """Return a text, or a window of a long one, and the line of carets to print below it."""
    first = max(0, start - _WINDOW_WIDTH // 2) if len(text) > _WINDOW_WIDTH else 0
    last = min(len(text), max(first + _WINDOW_WIDTH, min(end, first + 2 * _WINDOW_WIDTH)))
    before = ("…" if first else "") + escape_line(text[first:start])
    marked = escape_line(text[start : min(end, last)])
    after = escape_line(text[min(end, last) : last])
    tail = "…" if last < len(text) else ""
    carets = " " * _measure_width(before) + "^" * max(1, _measure_width(marked))
    return before + marked + after + tail, carets


def _measure_width(text: str) -> int:
    """Count columns on a terminal: wide characters take two, combining marks none."""
    wide = sum(unicodedata.east_asian_width(c) in {"W", "F"} for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


class FindingPrinter:
    """Findings of many rows or documents: all are counted, the first are printed.

    Attributes:
        counts: how many findings there were of each severity.
    """

    def __init__(self, *, limit: int | None = None, limit_of_code: int | None = None) -> None:
        """Begin with no finding.

        Args:
            limit: how many findings to print at most.
            limit_of_code: how many warnings or notes of one code to print at most.
        """
        self.counts: Counter[str] = Counter()
        self._limit, self._limit_of_code = limit, limit_of_code
        self._printed = 0
        self._hidden: Counter[str] = Counter()
        self._codes: Counter[str] = Counter()

    def __call__(self, finding: Finding) -> None:
        """Count a finding, and print it unless enough were printed."""
        severity, code = str(finding.severity), finding.code
        self.counts[severity] += 1
        self._codes[code] += 1
        is_over = self._limit is not None and self._printed >= self._limit
        if severity != "error" and self._limit_of_code is not None:
            is_over = is_over or self._codes[code] > self._limit_of_code
        if is_over:
            self._hidden[code] += 1
            return
        self._printed += 1
        echo_finding(finding)

    def summarize(self) -> str:
        """Return how many findings there were of each severity, and how many were not printed."""
        counts = [f"{n} {weight}{'s' * (n > 1)}" for weight, n in sorted(self.counts.items())]
        hidden = self._hidden.total()
        return ", ".join(counts) + (f" ({hidden} not shown)" if hidden else "")

    def echo_hidden(self) -> None:
        """Print for each code how many findings were not printed."""
        for code, count in self._hidden.items():
            click.echo(f"{code}: {count:,} more of the same", err=True)


class Progress:
    """Progress of a run, shown on standard error if that is a terminal."""

    def __init__(self, show: Callable[[str, int, int | None], object] | None) -> None:
        """Begin; without a function that shows it, nothing is shown."""
        self._show = show

    def __call__(self, action: str, done: int, total: int | None = None) -> None:
        """Show an action and how far it is."""
        if self._show is not None:
            self._show(action, done, total)

    def counter(self, action: str) -> Callable[[int], None]:
        """Return a function that shows how far an action is."""
        return lambda done: self(action, done)


@contextmanager
def show_progress() -> Iterator[Progress]:
    """Show progress in one line on standard error while the block runs."""
    if not is_terminal(sys.stderr):
        yield Progress(None)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)
        yield Progress(
            lambda action, done, total: bar.update(
                task, description=action, completed=done, total=total
            )
        )
