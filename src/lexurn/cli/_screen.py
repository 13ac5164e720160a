"""How findings look on a terminal: one line that says it, one that shows it, one that mends it."""

from __future__ import annotations

import sys
import unicodedata
from typing import TYPE_CHECKING, Protocol, TextIO

import click

from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = [
    "Output",
    "PlacedFinding",
    "echo_error",
    "echo_findings",
    "in_line",
    "is_terminal",
    "visible",
    "write",
    "write_bytes",
]

_WINDOW = 100
_MESSAGE_WIDTH = 64
_COLOURS = {"error": "red", "warning": "yellow", "note": "blue"}


class PlacedFinding(Protocol):
    """What any finding has: a code, a weight, a message, a rule, a place, a suggestion."""

    @property
    def code(self) -> str: ...
    @property
    def severity(self) -> str: ...
    @property
    def message(self) -> str: ...
    @property
    def rule(self) -> str: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def suggestion(self) -> str | None: ...


def write(text: str) -> None:
    """Write a line to standard output; what no terminal can print is escaped, never an error."""
    write_bytes(text.encode("utf-8", "backslashreplace") + b"\n")


def write_bytes(data: bytes) -> None:
    """Write bytes to standard output, unchanged.

    Raises:
        BrokenPipeError: whoever read them reads no more.
        LexurnError: standard output is closed, or its disk is full.
    """
    stream: TextIO | None = sys.stdout
    if stream is None:
        raise LexurnError("standard output is closed")
    try:
        stream.buffer.write(data)
        stream.buffer.flush()
    except BrokenPipeError:
        raise
    except OSError as fault:
        raise LexurnError(f"standard output cannot be written: {fault.strerror}") from fault


class Output:
    """Standard output as a file of bytes, as much of one as is needed to write to it."""

    def __init__(self, *, is_text: bool = False) -> None:
        """Write to it; nothing in a text for people may steer the terminal."""
        self._is_text = is_text

    def write(self, data: bytes) -> int:
        """Write some bytes, whole lines if they are text."""
        if self._is_text:
            lines = data.decode().split("\n")
            data = "\n".join(map(visible, lines)).encode("utf-8", "backslashreplace")
        write_bytes(data)
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""


def echo_error(message: str) -> None:
    """Say on standard error what stands in the way."""
    click.echo(click.style("error", fg="red", bold=True) + f": {visible(message)}", err=True)


def visible(text: str) -> str:
    r"""The text with control, format and lone surrogate characters written out (``\u202e``).

    Nothing in a name may steer the terminal or hide what stands there.
    """
    if text.isascii() and text.isprintable():
        return text
    return "".join(_shown(character) for character in text)


def in_line(text: str) -> str:
    r"""The text as `visible` has it, in one line: a file's name may have a line end in it."""
    return visible(text).replace("\n", "\\n")


def _shown(character: str) -> str:
    if character != "\n" and unicodedata.category(character) in {"Cc", "Cf", "Cs", "Zl", "Zp"}:
        return character.encode("unicode_escape").decode("ascii")
    return character


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining marks none."""
    wide = sum(unicodedata.east_asian_width(c) in {"W", "F"} for c in text)
    return len(text) + wide - sum(unicodedata.combining(c) != 0 for c in text)


def _pointed(text: str, start: int, end: int) -> tuple[str, str]:
    """The text (a window of it where it is long) and the line of carets below it."""
    first = max(0, start - _WINDOW // 2) if len(text) > _WINDOW else 0
    last = min(len(text), max(first + _WINDOW, min(end, first + 2 * _WINDOW)))
    lead = "…" if first else ""
    before = lead + in_line(text[first:start])
    marked = in_line(text[start : min(end, last)])
    after = in_line(text[min(end, last) : last])
    tail = "…" if last < len(text) else ""
    carets = " " * _width(before) + "^" * max(1, _width(marked))
    return before + marked + after + tail, carets


def echo_findings(text: str, findings: Iterable[PlacedFinding], *, place: str = "") -> None:
    """Show findings on standard error, each pointing into its text.

    Args:
        text: the text that the findings' offsets point into; empty where a whole row is meant.
        findings: what to show, in this order.
        place: where the text stands, for example ``acts.csv:12``; shown first when given.
    """
    for finding in findings:
        _echo_finding(text, finding, place)


def _echo_finding(text: str, finding: PlacedFinding, place: str) -> None:
    colour = _COLOURS[str(finding.severity)]
    lead = f"{place}: " if place else ""
    label = click.style(f"{finding.severity} {finding.code}", fg=colour, bold=True)
    message = visible(finding.message)
    width = _MESSAGE_WIDTH - len(f"{finding.severity} {finding.code}: ")
    click.echo(f"{lead}{label}: {message:<{width}} {finding.rule}", err=True)
    if text or not place:
        line, carets = _pointed(text, finding.start, finding.end)
        click.echo(f"  {line}", err=True)
        click.echo(f"  {click.style(carets, fg=colour)}", err=True)
    if finding.suggestion is not None:
        click.echo(f"  try: {visible(finding.suggestion)}", err=True)


def is_terminal() -> bool:
    """Whether a person watches standard error."""
    return sys.stderr is not None and sys.stderr.isatty()
