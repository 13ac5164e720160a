"""The lines that edits change, with some around them: a unified diff of windows of a document."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit

__all__ = ["line_hunks"]

_AROUND = 3
# How far lines around a change are looked for, how near two changes are shown together, and from
# which length a line is cut: pages that programs write may be a single line.
_REACH = 1 << 14
_LONGEST_LINE = 1_000
_LARGEST = 1 << 20


class _Text(NamedTuple):
    """How the lines of a document are told: the bytes of a line end, and of a character."""

    encoding: str
    width: int
    end: bytes


class _Window(NamedTuple):
    """A stretch of a document, and the edits in it."""

    start: int
    end: int
    edits: tuple[Edit, ...]


def line_hunks(document: Document, edits: Sequence[Edit]) -> Iterator[str]:
    """The lines of a unified diff, without the two of file names.

    Raises:
        EmbeddingError: the document cannot be read.
    """
    text = _text_of(document)
    counted, line, shift = 0, 1, 0
    for window in _windows(document, edits, text):
        line += _lines_between(document, counted, window.start, text)
        counted = window.start
        if window.end - window.start > _LARGEST:
            yield f"@@ {window.end - window.start:,} bytes at {window.start:,} change @@"
            continue
        old = document.read(window.start, window.end)
        new = _edited(old, window)
        before, after = _split(old, text), _split(new, text)
        yield from _hunks(before, after, line, line + shift)
        shift += new.count(text.end) - old.count(text.end)


def _text_of(document: Document) -> _Text:
    mark = document.read(0, 2)
    if mark == b"\xff\xfe":
        return _Text("utf-16-le", 2, b"\n\x00")
    if mark == b"\xfe\xff":
        return _Text("utf-16-be", 2, b"\x00\n")
    return _Text("utf-8", 1, b"\n")


def _windows(document: Document, edits: Sequence[Edit], text: _Text) -> Iterator[_Window]:
    """The edits by stretches that have them and the lines around them."""
    waiting: list[Edit] = []
    for edit in edits:
        if waiting and edit.start - waiting[-1].end > 2 * _REACH:
            yield _window(document, waiting, text)
            waiting = []
        waiting.append(edit)
    if waiting:
        yield _window(document, waiting, text)


def _window(document: Document, edits: list[Edit], text: _Text) -> _Window:
    first, last = edits[0].start, edits[-1].end
    start = _before(document, first - first % text.width, text)
    return _Window(start, _behind(document, last - last % text.width, text), tuple(edits))


def _before(document: Document, at: int, text: _Text) -> int:
    """Where the lines before a place begin that are shown with it."""
    low = max(0, at - _REACH)
    ends = _ends(document.read(low, at), text)
    if len(ends) > _AROUND:
        return low + ends[-_AROUND - 1]
    return low


def _behind(document: Document, at: int, text: _Text) -> int:
    """Where the lines behind a place end that are shown with it."""
    ends = _ends(document.read(at, at + _REACH), text)
    if len(ends) > _AROUND:
        return at + ends[_AROUND]
    return min(document.size, at + _REACH)


def _ends(data: bytes, text: _Text) -> list[int]:
    """The offsets behind the line ends in some bytes."""
    found: list[int] = []
    at = data.find(text.end)
    while at >= 0:
        if at % text.width == 0:
            found.append(at + text.width)
        at = data.find(text.end, at + 1)
    return found


def _lines_between(document: Document, start: int, end: int, text: _Text) -> int:
    # In UTF-16 a line end across two pieces, or two halves that look like one, are not worth more
    # work: this is a number for people.
    return sum(piece.count(text.end) for piece in document.pieces(start, end))


def _edited(old: bytes, window: _Window) -> bytes:
    pieces: list[bytes] = []
    done = window.start
    for edit in window.edits:
        pieces += (old[done - window.start : edit.start - window.start], edit.new)
        done = edit.end
    return b"".join((*pieces, old[done - window.start :]))


def _split(data: bytes, text: _Text) -> list[str]:
    """The lines of some bytes, without their ends, cut where they are very long."""
    decoded = _decoded(data, text)
    lines = decoded.split("\n")
    if not lines[-1]:
        lines.pop()
    return [_cut(line.removesuffix("\r")) for line in lines]


def _decoded(data: bytes, text: _Text) -> str:
    if text.width > 1:
        return data.decode(text.encoding, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _cut(line: str) -> str:
    if len(line) <= _LONGEST_LINE:
        return line
    half = _LONGEST_LINE // 2
    return f"{line[:half]} … {line[-half:]}"


def _hunks(before: list[str], after: list[str], old: int, new: int) -> Iterator[str]:
    """The hunks of a unified diff of lines whose first ones have these numbers."""
    matcher = difflib.SequenceMatcher(None, before, after, autojunk=False)
    for group in matcher.get_grouped_opcodes(_AROUND):
        first, last = group[0], group[-1]
        was = _range(old + first[1], last[2] - first[1])
        becomes = _range(new + first[3], last[4] - first[3])
        yield f"@@ -{was} +{becomes} @@"
        for tag, one, other, start, end in group:
            if tag == "equal":
                yield from (f" {line}" for line in before[one:other])
                continue
            yield from (f"-{line}" for line in before[one:other])
            yield from (f"+{line}" for line in after[start:end])


def _range(first: int, count: int) -> str:
    """A range of lines as `diff -u` writes it; one of no lines stands behind the line before."""
    if count == 1:
        return str(first)
    return f"{first if count else first - 1},{count}"
