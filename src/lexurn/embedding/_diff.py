"""What an edit changes: lines of texts, as ``patch`` takes them; words for what has no lines."""

from __future__ import annotations

import os
import re
import struct
from typing import TYPE_CHECKING

from lexurn.embedding._diff_lines import hunks, line_hunks, lines_of
from lexurn.embedding._findings import EmbeddingError
from lexurn.embedding._view import edited_document

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._format import Format
    from lexurn.embedding._statement import Statement

__all__ = ["diff_of", "diff_of_texts"]

_CONTAINERS = frozenset({"docx", "odt", "epub"})
_NOWHERE = b"/dev/null"
_TO_QUOTE = re.compile(rb'[\x00-\x1f\x7f"\\]')


def diff_of(document: Document, edits: Sequence[Edit], format: Format) -> bytes:
    """What edits change in a document; nothing where there are none.

    For texts that is a unified diff of the places that change, however long the document is, in its
    own bytes, so that it can be applied. For other documents, and where lines are longer than
    anybody reads, it says which bytes change, and what the document says of itself before and
    after.

    Raises:
        EmbeddingError: the document cannot be read.
    """
    if not edits:
        return b""
    lines = None
    if format.key != "pdf" and format.key not in _CONTAINERS:
        lines = line_hunks(document, edits)
    if lines is None:
        lines = [f"{line}\n".encode() for line in _words(document, edits, format)]
    name = _quoted(document.name)
    return _whole(name, name, lines)


def diff_of_texts(name: str, old: bytes | None, new: bytes | None) -> bytes:
    """What changes in a small text file; None for a file that is not there."""
    before, after = (lines_of(text or b"") for text in (old, new))
    was, becomes = (_quoted(name) if text is not None else _NOWHERE for text in (old, new))
    return _whole(was, becomes, hunks(before, after))


def _whole(was: bytes, becomes: bytes, lines: Iterable[bytes]) -> bytes:
    return b"".join((b"--- ", was, b"\n+++ ", becomes, b"\n", *lines))


def _quoted(name: str) -> bytes:
    """A name of a file as ``patch`` reads it: else a blank or a quotation mark would end it."""
    data = os.fsencode(name)
    if _TO_QUOTE.search(data):
        return b'"%b"' % _TO_QUOTE.sub(lambda found: b"\\%03o" % ord(found[0]), data)
    return data + b"\t" if b" " in data else data


def _words(document: Document, edits: Sequence[Edit], format: Format) -> Iterator[str]:
    result = edited_document(document, edits)
    for edit in edits:
        yield f"@@ {_bytes_in_words(edit, document.size)} @@"
    if format.key in _CONTAINERS:
        yield from _members_in_words(_members(document), _members(result))
    before, after = _ours(document, format), _ours(result, format)
    yield from (f"-{_said(each)}" for each in before if each not in after)
    yield from (f"+{_said(each)}" for each in after if each not in before)


def _bytes_in_words(edit: Edit, size: int) -> str:
    """``12 bytes put in at 345``, ``12 bytes at 345 become 67``."""
    old, new = edit.end - edit.start, len(edit.new)
    if not old:
        place = "the end" if edit.start == size else f"{edit.start:,}"
        return f"{new:,} bytes put in at {place}"
    if not new:
        return f"{old:,} bytes taken out at {edit.start:,}"
    return f"{old:,} bytes at {edit.start:,} become {new:,}"


def _members(document: Document) -> dict[str, tuple[int, int]]:
    """The members of a container, with their sums and sizes; none where it cannot be read."""
    import zipfile  # noqa: PLC0415 - for this alone

    try:
        with document.stream() as stream, zipfile.ZipFile(stream) as container:
            return {each.filename: (each.CRC, each.file_size) for each in container.infolist()}
    except (zipfile.BadZipFile, NotImplementedError, ValueError, OSError, struct.error):
        return {}


def _members_in_words(
    before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]
) -> Iterator[str]:
    for member in dict.fromkeys((*before, *after)):
        if member not in after:
            yield f"@@ {member} is taken out @@"
        elif member not in before:
            yield f"@@ {member} is put in @@"
        elif before[member] != after[member]:
            yield f"@@ {member} changes @@"


def _ours(document: Document, format: Format) -> tuple[Statement, ...]:
    """What lexurn made a document say; nothing where it cannot be read."""
    try:
        statements = format.read(document).statements
    except EmbeddingError:
        return ()
    return tuple(each for each in statements if each.is_ours)


def _said(statement: Statement) -> str:
    language = f" ({statement.language})" if statement.language else ""
    return f"{statement.way}: {statement.term} {statement.value}{language}"
