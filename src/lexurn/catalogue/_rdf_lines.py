"""N-Quads and N-Triples by lines: what is no statement is set apart, and the next line is read.

Lines as lexurn and Oxigraph write them are told by a pattern, all others are given to the engine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

import pyoxigraph

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.catalogue._rdf_sieve import Statement

__all__ = ["BrokenLine", "Lines", "subject_in"]

# What is not matched here is not refused, but read by the engine, at a fifth of the speed.
_IRI: Final = r"<[a-z]++:[!#-;=?-\[\]_a-z~]*+>"
_TEXT: Final = r'"(?:[^"\\\x00-\x1f\x7f\ufffe\uffff]++|\\["\\btnfr])*+"'
_STRING: Final = "http://www.w3.org/2001/XMLSchema#string>"
_TAG: Final = "@[a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2}|-[0-9]{3})?"
_LITERAL: Final = rf"{_TEXT}(?:{_TAG}|\^\^(?!<{_STRING}){_IRI})?"
_LINE: Final = re.compile(
    rf"^({_IRI}) ({_IRI}) ({_IRI}|{_LITERAL})(?: ({_IRI}))? \.$", re.MULTILINE
)
_LIKE_TAG: Final = re.compile("[A-Za-z0-9-]+")
_SUBJECT: Final = re.compile(rb"\s*(<[^<>\s]*>)")
_LONGEST: Final = 1 << 24


class BrokenLine(NamedTuple):
    """A line that is no statement, or a piece of one that is too long to be read at once.

    Attributes:
        raw: its bytes, with its line end.
        line: its number.
        reason: what is wrong; None for all pieces of a line but the first.
    """

    raw: bytes
    line: int
    reason: str | None


class Lines:
    """The lines of a source, as statements or as what is none."""

    def __init__(self, blocks: Iterable[bytes], prefix: str) -> None:
        """Keep the source.

        Args:
            blocks: its bytes.
            prefix: what labels of blank nodes begin with, so that two sources share none.
        """
        self._blocks, self._prefix = blocks, prefix
        self._line = 1

    def __iter__(self) -> Iterator[tuple[Statement, int] | BrokenLine]:
        for lines in self._whole():
            if isinstance(lines, BrokenLine):
                yield lines
            else:
                yield from self._read(lines)

    def _whole(self) -> Iterator[bytes | BrokenLine]:
        """The same bytes, cut behind line ends."""
        rest: list[bytes] = []
        held = 0
        is_long = False
        for block in self._blocks:
            lines, end, new = block.rpartition(b"\n")
            if end and is_long:
                tail, end, lines = (lines + end).partition(b"\n")
                yield BrokenLine(tail + end, self._line, None)
                self._line += 1
                is_long = False
                yield lines
            elif end:
                yield b"".join((*rest, lines, end))
            if end:
                rest, held = [], 0
            rest.append(new)
            held += len(new)
            if held > _LONGEST or is_long:
                reason = None if is_long else f"a line of more than {_LONGEST:,} bytes"
                yield BrokenLine(b"".join(rest), self._line, reason)
                rest, held, is_long = [], 0, True
        if any(rest):
            yield b"".join(rest)

    def _read(self, lines: bytes) -> Iterator[tuple[Statement, int] | BrokenLine]:
        count = lines.count(b"\n")
        try:
            found = _LINE.findall(lines.decode())
        except UnicodeDecodeError:
            found = []
        first = self._line
        if len(found) == count and lines.endswith(b"\n"):
            self._line += count
            yield from zip(found, range(first, first + count), strict=True)
            return
        for raw in lines.splitlines(keepends=True) if b"\r" not in lines else _split(lines):
            yield from self._one(raw, self._line)
            self._line += 1

    def _one(self, raw: bytes, line: int) -> Iterator[tuple[Statement, int] | BrokenLine]:
        try:
            text = raw.rstrip(b"\r\n").decode()
        except UnicodeDecodeError:
            yield BrokenLine(raw, line, "it is not UTF-8")
            return
        plain = _LINE.fullmatch(text)
        if plain is not None:
            yield plain.groups(default=""), line  # type: ignore[misc]  # the pattern has the groups of a Statement
            return
        try:
            for quad in pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.N_QUADS):
                yield statement_of(quad, self._prefix), line
        except SyntaxError as fault:
            yield BrokenLine(raw, line, _explained(fault, text))
        except MemoryError:  # the engine's own bound
            yield BrokenLine(raw, line, f"a line of more than {_LONGEST:,} bytes")


def _split(lines: bytes) -> list[bytes]:
    return [line for line in re.split(rb"(?<=\n)", lines) if line]


def statement_of(quad: pyoxigraph.Quad, prefix: str) -> Statement:
    """A statement of the engine; blank nodes get a label that no other source has."""
    terms = (quad.subject, quad.predicate, quad.object, quad.graph_name)
    subject, predicate, value, graph = (
        f"_:{prefix}{term.value}" if isinstance(term, pyoxigraph.BlankNode) else str(term)
        for term in terms
    )
    return subject, predicate, value, "" if graph == "DEFAULT" else graph


def subject_in(raw: bytes) -> str | None:
    """What seems to be the subject of a line that is no statement."""
    found = _SUBJECT.match(raw)
    return None if found is None else found[1].decode(errors="replace")


def _explained(fault: SyntaxError, text: str) -> str:
    """What the engine says of a line; of a language tag it says only which part of it is wrong."""
    message = str(fault.msg).removeprefix("Parser error at ").partition(": ")[2] or str(fault.msg)
    start, end = (fault.offset or 1) - 1, fault.end_offset or 0
    tag = _LIKE_TAG.match(text, start, end)
    if tag is None or text[:start][-2:] != '"@':
        return message
    return f'"{tag[0]}" is not a language tag (RFC 5646): {message}'
