"""The lines that edits change, with some around them: a unified diff of windows of a document.

Lines are bytes up to a line feed, whatever the encoding, since that is what ``patch`` takes for
lines: so it can do what is shown, byte for byte.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit

__all__ = ["hunks", "line_hunks", "lines_of"]

_AROUND = 3
# How far lines around a change are looked for at first, and at most: pages that programs write may
# be a single line. Changes nearer to each other than twice the first are shown together.
_REACH = 1 << 14
_LARGEST = 1 << 20
_NO_END = b"\n\\ No newline at end of file\n"


class _Window(NamedTuple):
    """A stretch of whole lines of a document, and the edits in it."""

    start: int
    end: int
    edits: tuple[Edit, ...]


def line_hunks(document: Document, edits: Sequence[Edit]) -> list[bytes] | None:
    """The lines of a unified diff, without the two of file names.

    Returns:
        The lines, each with its end; None where lines are too long to be shown.

    Raises:
        EmbeddingError: the document cannot be read.
    """
    windows = _windows(document, edits)
    if windows is None:
        return None
    found: list[bytes] = []
    counted, line, shift = 0, 1, 0
    for window in windows:
        line += sum(piece.count(b"\n") for piece in document.pieces(counted, window.start))
        counted = window.start
        old = document.read(window.start, window.end)
        new = _edited(old, window)
        found += hunks(lines_of(old), lines_of(new), line, line + shift)
        shift += new.count(b"\n") - old.count(b"\n")
    return found


def _windows(document: Document, edits: Sequence[Edit]) -> list[_Window] | None:
    """The edits by stretches that have them and the lines around them, apart from each other."""
    found: list[_Window] = []
    for group in _groups(edits):
        start, end = _before(document, group[0].start), _behind(document, group[-1].end)
        if start is None or end is None:
            return None
        window = _Window(start, end, group)
        if found and start < found[-1].end:
            before = found.pop()
            window = _Window(before.start, end, (*before.edits, *group))
        if window.end - window.start > 2 * _LARGEST:
            return None
        found.append(window)
    return found


def _groups(edits: Sequence[Edit]) -> Iterator[tuple[Edit, ...]]:
    """Edits by how near they are to each other."""
    waiting: list[Edit] = []
    for edit in edits:
        if waiting and edit.start - waiting[-1].end > 2 * _REACH:
            yield tuple(waiting)
            waiting = []
        waiting.append(edit)
    if waiting:
        yield tuple(waiting)


def _before(document: Document, at: int) -> int | None:
    """Where the lines before a place begin that are shown with it; None where that is far away."""
    for reach in (_REACH, _LARGEST):
        low = max(0, at - reach)
        ends = _ends(document.read(low, at))
        if len(ends) > _AROUND:
            return low + ends[-_AROUND - 1]
        if not low:
            return 0
    return None


def _behind(document: Document, at: int) -> int | None:
    """Where the lines behind a place end that are shown with it; None where that is far away."""
    for reach in (_REACH, _LARGEST):
        ends = _ends(document.read(at, at + reach))
        if len(ends) > _AROUND:
            return at + ends[_AROUND]
        if at + reach >= document.size:
            return document.size
    return None


def _ends(data: bytes) -> list[int]:
    """The offsets behind the line ends in some bytes."""
    found: list[int] = []
    at = data.find(b"\n")
    while at >= 0:
        found.append(at + 1)
        at = data.find(b"\n", at + 1)
    return found


def _edited(old: bytes, window: _Window) -> bytes:
    pieces: list[bytes] = []
    done = window.start
    for edit in window.edits:
        pieces += (old[done - window.start : edit.start - window.start], edit.new)
        done = edit.end
    return b"".join((*pieces, old[done - window.start :]))


def lines_of(data: bytes) -> list[bytes]:
    """The lines of some bytes, with their ends; the last may have none."""
    starts = [0, *_ends(data)]
    ends = [*starts[1:], len(data)]
    return [data[start:end] for start, end in zip(starts, ends, strict=True) if start < end]


def hunks(before: list[bytes], after: list[bytes], old: int = 1, new: int = 1) -> Iterator[bytes]:
    """The hunks of a unified diff of lines whose first ones have these numbers."""
    # With lines that are all alike set aside, it does not take the square of their number.
    matcher = difflib.SequenceMatcher(None, before, after)
    for group in matcher.get_grouped_opcodes(_AROUND):
        first, last = group[0], group[-1]
        was = _range(old + first[1], last[2] - first[1])
        becomes = _range(new + first[3], last[4] - first[3])
        yield f"@@ -{was} +{becomes} @@\n".encode()
        for tag, one, other, start, end in group:
            if tag == "equal":
                yield from _marked(b" ", before[one:other])
                continue
            yield from _marked(b"-", before[one:other])
            yield from _marked(b"+", after[start:end])


def _marked(mark: bytes, lines: list[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line if line.endswith(b"\n") else mark + line + _NO_END


def _range(first: int, count: int) -> str:
    """A range of lines as `diff -u` writes it; one of no lines stands behind the line before."""
    if count == 1:
        return str(first)
    return f"{first if count else first - 1},{count}"
