"""Names as the command line gets them: arguments, or one a line on standard input."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, BinaryIO

import click

from lexurn.name import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["READING", "lines_of", "texts_of"]

_LINE_LIMIT = 65_536

READING = click.option(
    "--reading",
    type=click.Choice(["text", "grammar"]),
    default="text",
    show_default=True,
    callback=lambda _ctx, _param, value: Reading(value),
    help="Hold names to the RFC's whole text, or to the grammar of its section 8 alone.",
)


def texts_of(arguments: Iterable[str]) -> Iterator[str]:
    """The names given as arguments; each ``-`` stands for the lines of standard input."""
    for argument in arguments:
        if argument == "-":
            yield from lines_of(sys.stdin.buffer)
        else:
            yield argument


def lines_of(stream: BinaryIO) -> Iterator[str]:
    """The lines of a stream, without their ends, in bounded memory.

    Octets that are no UTF-8 stay in as lone surrogates, which no name allows; of a line over
    65,536 octets the rest is dropped, which leaves it longer than any name may be.
    """
    while line := stream.readline(_LINE_LIMIT):
        if not line.endswith(b"\n"):
            _skip_line(stream, line)
        yield line.rstrip(b"\r\n").decode("utf-8", "surrogateescape")


def _skip_line(stream: BinaryIO, line: bytes) -> None:
    while len(line) == _LINE_LIMIT and not line.endswith(b"\n"):
        line = stream.readline(_LINE_LIMIT)
