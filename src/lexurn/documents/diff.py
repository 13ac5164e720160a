"""Diffs of edits: lines of texts, which ``patch`` can apply; descriptions of other documents.

A line is bytes up to a line feed in any encoding, as ``patch`` has it. So the result of ``patch``
is right byte for byte.
"""

from __future__ import annotations

import difflib
import io
import os
import re
from itertools import islice
from typing import TYPE_CHECKING

from lexurn.documents.document import preview_edits
from lexurn.documents.findings import DocumentError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.documents.document import Document, DocumentFormat, Edit

_BINARY_FORMATS = frozenset({"pdf", "docx", "odt", "epub"})
_NO_FILE = "/dev/null"
_NO_NEWLINE = b"\n\\ No newline at end of file\n"
_QUOTED_BYTES = re.compile(rb'[\x00-\x1f\x7f"\\]')
_START_LINE = re.compile(rb"(?<=[-+])[0-9]+")
_CONTEXT_LINES = 3
_LONGEST_REACH = 1 << 20
"""Bytes around the edits in which lines are sought: pages of programs may be a single line."""


def diff_edits(document: Document, edits: Sequence[Edit], format: DocumentFormat) -> bytes:
    """Return the changes of edits to a document as a diff; empty without edits.

    For texts, it is a unified diff in the document's own bytes, which can be applied. For other
    documents and very long lines, it lists the ranges of bytes that change. The statements of
    lexurn that change follow.
    """
    if not edits:
        return b""
    lines = None if format.key in _BINARY_FORMATS else diff_lines(document, edits)
    if lines is None:
        lines = [f"{line}\n".encode() for line in _describe_changes(document, edits, format)]
    return _join_diff(document.name, document.name, lines)


def diff_texts(name: str, old: bytes | None, new: bytes | None) -> bytes:
    """Return the diff of a small text file; None stands for an absent file."""
    before, after = (split_lines(text or b"") for text in (old, new))
    was, becomes = (_NO_FILE if text is None else name for text in (old, new))
    return _join_diff(was, becomes, _format_hunks(before, after))


def _join_diff(was: str, becomes: str, lines: Iterable[bytes]) -> bytes:
    """Return a diff with file names quoted for ``patch``, which ends them at a blank or quote."""
    names = [os.fsencode(name) for name in (was, becomes)]
    for at, name in enumerate(names):
        if _QUOTED_BYTES.search(name):
            quoted = _QUOTED_BYTES.sub(lambda found: b"\\%03o" % ord(found[0]), name)
            names[at] = b'"%b"' % quoted
        elif b" " in name:
            names[at] = name + b"\t"
    return b"--- %b\n+++ %b\n%b" % (*names, b"".join(lines))


def _describe_changes(
    document: Document, edits: Sequence[Edit], format: DocumentFormat
) -> Iterator[str]:
    """Yield the ranges of bytes that change, then the statements."""
    for edit in edits:
        old, new = edit.end - edit.start, len(edit.new)
        if not old:
            where = "the end" if edit.start == document.size else f"byte {edit.start:,}"
            yield f"@@ {new:,} bytes inserted at {where} @@"
        elif not new:
            yield f"@@ {old:,} bytes removed at byte {edit.start:,} @@"
        else:
            yield f"@@ {old:,} bytes at {edit.start:,} become {new:,} @@"
    result = preview_edits(document, edits)
    before, after = _list_own_statements(document, format), _list_own_statements(result, format)
    yield from (f"-{each}" for each in before if each not in after)
    yield from (f"+{each}" for each in after if each not in before)


def _list_own_statements(document: Document, format: DocumentFormat) -> list[str]:
    """Return the statements that lexurn embedded in a document, if it can be read."""
    try:
        statements = format.read(document).statements
    except DocumentError:
        return []
    return [
        f"{each.notation}: {each.term} {each.value}{f' ({each.language})' if each.language else ''}"
        for each in statements
        if each.is_embedded
    ]


def diff_lines(document: Document, edits: Sequence[Edit]) -> list[bytes] | None:
    """Return the lines of a unified diff, without the two of file names.

    Only the edits and the lines around them are held in memory.

    Returns:
        The lines, each with its end; None for very long lines, or edits far apart.
    """
    start, end = edits[0].start, edits[-1].end
    head = document.read(max(0, start - _LONGEST_REACH), start)
    tail = document.read(end, end + _LONGEST_REACH)
    before = head.rsplit(b"\n", _CONTEXT_LINES + 1)
    after = tail.split(b"\n", _CONTEXT_LINES + 1)
    if len(before) > _CONTEXT_LINES + 1:
        start -= len(head) - len(before[0]) - 1
    elif len(head) == start:
        start = 0
    else:
        return None
    if len(after) > _CONTEXT_LINES + 1:
        end += len(tail) - len(after[-1])
    elif end + len(tail) == document.size:
        end = document.size
    else:
        return None
    if end - start > 2 * _LONGEST_REACH:
        return None
    old = document.read(start, end)
    result = preview_edits(document, edits)
    new = result.read(start, result.size - (document.size - end))
    first = 1 + sum(piece.count(b"\n") for piece in document.pieces(0, start))
    return list(_format_hunks(split_lines(old), split_lines(new), first))


def split_lines(data: bytes) -> list[bytes]:
    """Split bytes into lines with their ends; the last may have none."""
    return io.BytesIO(data).readlines()


def _format_hunks(before: list[bytes], after: list[bytes], first: int = 1) -> Iterator[bytes]:
    """Yield the hunks of a unified diff; ``first`` is the number of the first line."""
    lines = difflib.diff_bytes(difflib.unified_diff, before, after, n=_CONTEXT_LINES)
    for line in islice(lines, 2, None):  # after the file names
        if line.startswith(b"@@"):
            yield _START_LINE.sub(lambda found: b"%d" % (int(found[0]) + first - 1), line)
        else:
            yield line if line.endswith(b"\n") else line + _NO_NEWLINE
