"""Diffs of edits: lines of texts, as ``patch`` takes them; words for what has no lines.

Lines are bytes up to a line feed, whatever the encoding, since that is what ``patch`` takes for
lines: so it can do what is shown, byte for byte.
"""

from __future__ import annotations

import difflib
import os
import re
import struct
from typing import TYPE_CHECKING, NamedTuple

from lexurn.documents.document import preview_edits
from lexurn.documents.findings import DocumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.documents.document import Document, DocumentFormat, Edit, Statement

_CONTAINERS = frozenset({"docx", "odt", "epub"})
_NO_FILE = b"/dev/null"
_QUOTED_BYTES = re.compile(rb'[\x00-\x1f\x7f"\\]')


def diff_edits(document: Document, edits: Sequence[Edit], format: DocumentFormat) -> bytes:
    """Return the changes of edits to a document as a diff; empty without edits.

    For texts that is a unified diff of the places that change, however long the document is, in its
    own bytes, so that it can be applied. For other documents, and where lines are longer than
    anybody reads, it says which bytes change, and what the document says of itself before and
    after.

    Raises:
        DocumentError: the document cannot be read.
    """
    if not edits:
        return b""
    lines = None
    if format.key != "pdf" and format.key not in _CONTAINERS:
        lines = diff_lines(document, edits)
    if lines is None:
        lines = [f"{line}\n".encode() for line in _describe_changes(document, edits, format)]
    name = _quote_filename(document.name)
    return _join_diff(name, name, lines)


def diff_texts(name: str, old: bytes | None, new: bytes | None) -> bytes:
    """Return the diff of a small text file; None stands for an absent file."""
    before, after = (split_lines(text or b"") for text in (old, new))
    was, becomes = (_quote_filename(name) if text is not None else _NO_FILE for text in (old, new))
    return _join_diff(was, becomes, _format_hunks(before, after))


def _join_diff(was: bytes, becomes: bytes, lines: Iterable[bytes]) -> bytes:
    return b"".join((b"--- ", was, b"\n+++ ", becomes, b"\n", *lines))


def _quote_filename(name: str) -> bytes:
    """Quote a file name for ``patch``, which ends it at a blank or quotation mark."""
    data = os.fsencode(name)
    if _QUOTED_BYTES.search(data):
        return b'"%b"' % _QUOTED_BYTES.sub(lambda found: b"\\%03o" % ord(found[0]), data)
    return data + b"\t" if b" " in data else data


def _describe_changes(
    document: Document, edits: Sequence[Edit], format: DocumentFormat
) -> Iterator[str]:
    result = preview_edits(document, edits)
    for edit in edits:
        yield f"@@ {_describe_edit(edit, document.size)} @@"
    if format.key in _CONTAINERS:
        yield from _describe_members(_list_members(document), _list_members(result))
    before, after = _read_own_statements(document, format), _read_own_statements(result, format)
    yield from (f"-{_format_statement(each)}" for each in before if each not in after)
    yield from (f"+{_format_statement(each)}" for each in after if each not in before)


def _describe_edit(edit: Edit, size: int) -> str:
    """Return ``12 bytes put in at 345`` or ``12 bytes at 345 become 67``."""
    old, new = edit.end - edit.start, len(edit.new)
    if not old:
        place = "the end" if edit.start == size else f"{edit.start:,}"
        return f"{new:,} bytes put in at {place}"
    if not new:
        return f"{old:,} bytes taken out at {edit.start:,}"
    return f"{old:,} bytes at {edit.start:,} become {new:,}"


def _list_members(document: Document) -> dict[str, tuple[int, int]]:
    """Return the checksums and sizes of the members of a container, if it can be read."""
    import zipfile  # noqa: PLC0415 - for this alone

    try:
        with document.stream() as stream, zipfile.ZipFile(stream) as container:
            return {each.filename: (each.CRC, each.file_size) for each in container.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error):
        return {}


def _describe_members(
    before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]
) -> Iterator[str]:
    for member in dict.fromkeys((*before, *after)):
        if member not in after:
            yield f"@@ {member} is taken out @@"
        elif member not in before:
            yield f"@@ {member} is put in @@"
        elif before[member] != after[member]:
            yield f"@@ {member} changes @@"


def _read_own_statements(document: Document, format: DocumentFormat) -> tuple[Statement, ...]:
    """Return the statements that lexurn embedded in a document, if it can be read."""
    try:
        statements = format.read(document).statements
    except DocumentError:
        return ()
    return tuple(each for each in statements if each.is_embedded)


def _format_statement(statement: Statement) -> str:
    language = f" ({statement.language})" if statement.language else ""
    return f"{statement.notation}: {statement.term} {statement.value}{language}"


_CONTEXT_LINES = 3
# How far lines around a change are looked for at first, and at most: pages that programs write may
# be a single line. Changes nearer to each other than twice the first are shown together.
_FIRST_REACH = 1 << 14
_LONGEST_REACH = 1 << 20
_NO_NEWLINE = b"\n\\ No newline at end of file\n"


class _Window(NamedTuple):
    """Range of whole lines of a document, with the edits in it."""

    start: int
    end: int
    edits: tuple[Edit, ...]


def diff_lines(document: Document, edits: Sequence[Edit]) -> list[bytes] | None:
    """Return the lines of a unified diff, without the two of file names.

    Returns:
        The lines, each with its end; None where lines are too long to be shown.

    Raises:
        DocumentError: the document cannot be read.
    """
    windows = _find_windows(document, edits)
    if windows is None:
        return None
    found: list[bytes] = []
    counted, line, shift = 0, 1, 0
    for window in windows:
        line += sum(piece.count(b"\n") for piece in document.pieces(counted, window.start))
        counted = window.start
        old = document.read(window.start, window.end)
        new = _edit_window(old, window)
        found += _format_hunks(split_lines(old), split_lines(new), line, line + shift)
        shift += new.count(b"\n") - old.count(b"\n")
    return found


def _find_windows(document: Document, edits: Sequence[Edit]) -> list[_Window] | None:
    """Group edits into separate ranges that include the lines around them."""
    found: list[_Window] = []
    for group in _group_edits(edits):
        start, end = (
            _find_context_start(document, group[0].start),
            _find_context_end(document, group[-1].end),
        )
        if start is None or end is None:
            return None
        window = _Window(start, end, group)
        if found and start < found[-1].end:
            before = found.pop()
            window = _Window(before.start, end, (*before.edits, *group))
        if window.end - window.start > 2 * _LONGEST_REACH:
            return None
        found.append(window)
    return found


def _group_edits(edits: Sequence[Edit]) -> Iterator[tuple[Edit, ...]]:
    """Group edits by their distance."""
    waiting: list[Edit] = []
    for edit in edits:
        if waiting and edit.start - waiting[-1].end > 2 * _FIRST_REACH:
            yield tuple(waiting)
            waiting = []
        waiting.append(edit)
    if waiting:
        yield tuple(waiting)


def _find_context_start(document: Document, at: int) -> int | None:
    """Return where the context before a place begins, or None if it is far away."""
    for reach in (_FIRST_REACH, _LONGEST_REACH):
        low = max(0, at - reach)
        ends = _find_line_ends(document.read(low, at))
        if len(ends) > _CONTEXT_LINES:
            return low + ends[-_CONTEXT_LINES - 1]
        if not low:
            return 0
    return None


def _find_context_end(document: Document, at: int) -> int | None:
    """Return where the context behind a place ends, or None if it is far away."""
    for reach in (_FIRST_REACH, _LONGEST_REACH):
        ends = _find_line_ends(document.read(at, at + reach))
        if len(ends) > _CONTEXT_LINES:
            return at + ends[_CONTEXT_LINES]
        if at + reach >= document.size:
            return document.size
    return None


def _find_line_ends(data: bytes) -> list[int]:
    """Return the offsets behind the line ends."""
    found: list[int] = []
    at = data.find(b"\n")
    while at >= 0:
        found.append(at + 1)
        at = data.find(b"\n", at + 1)
    return found


def _edit_window(old: bytes, window: _Window) -> bytes:
    pieces: list[bytes] = []
    done = window.start
    for edit in window.edits:
        pieces += (old[done - window.start : edit.start - window.start], edit.new)
        done = edit.end
    return b"".join((*pieces, old[done - window.start :]))


def split_lines(data: bytes) -> list[bytes]:
    """Split bytes into lines with their ends; the last may have none."""
    starts = [0, *_find_line_ends(data)]
    ends = [*starts[1:], len(data)]
    return [data[start:end] for start, end in zip(starts, ends, strict=True) if start < end]


def _format_hunks(
    before: list[bytes], after: list[bytes], old: int = 1, new: int = 1
) -> Iterator[bytes]:
    """Yield the hunks of a unified diff; ``old`` and ``new`` number the first lines."""
    # With lines that are all alike set aside, it does not take the square of their number.
    matcher = difflib.SequenceMatcher(None, before, after)
    for group in matcher.get_grouped_opcodes(_CONTEXT_LINES):
        first, last = group[0], group[-1]
        was = _format_range(old + first[1], last[2] - first[1])
        becomes = _format_range(new + first[3], last[4] - first[3])
        yield f"@@ -{was} +{becomes} @@\n".encode()
        for tag, one, other, start, end in group:
            if tag == "equal":
                yield from _mark_lines(b" ", before[one:other])
                continue
            yield from _mark_lines(b"-", before[one:other])
            yield from _mark_lines(b"+", after[start:end])


def _mark_lines(mark: bytes, lines: list[bytes]) -> Iterator[bytes]:
    for line in lines:
        yield mark + line if line.endswith(b"\n") else mark + line + _NO_NEWLINE


def _format_range(first: int, count: int) -> str:
    """Return a range of lines as `diff -u` writes it."""
    if count == 1:
        return str(first)
    return f"{first if count else first - 1},{count}"
