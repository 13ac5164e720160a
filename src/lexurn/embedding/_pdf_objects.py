"""Indirect objects of a PDF, read at their places (ISO 32000-2 section 7.3.10)."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.embedding._pdf_syntax import (
    BLANKS,
    HEADER,
    Dictionary,
    PdfError,
    TruncatedError,
    value_at,
)

if TYPE_CHECKING:
    from lexurn.embedding._document import Document
    from lexurn.embedding._pdf_syntax import Reference, Value

__all__ = ["LARGEST_OBJECT", "Found", "object_at", "stream_bytes", "value_in"]

_FIRST_WINDOW = 1 << 12

LARGEST_OBJECT: Final = 1 << 20
"""Bytes of one object without its stream: catalogs and trailers have some thousand."""

# What may be cut at the end of a window and read as something else: two numbers of a reference.
_LONGEST_REFERENCE = 64
_STREAM = re.compile(rb"stream(\r?\n|\r)")
_END = re.compile(rb"[\x00\t\n\x0c\r ]*endstream")


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """An indirect object as it stands in the file.

    Attributes:
        value: its value; of a stream its dictionary.
        stream: where the bytes of its stream begin, None where it is no stream.
    """

    value: Value
    stream: int | None = None


def value_in(document: Document, at: int) -> tuple[Value, int]:
    """The value at an offset of a document, and the offset behind it.

    Raises:
        PdfError: there is none.
    """
    size = _FIRST_WINDOW
    while True:
        data = document.read(at, at + size)
        is_whole = at + len(data) >= document.size
        try:
            value, end = value_at(data, 0, is_whole=is_whole)
            if is_whole or end + _LONGEST_REFERENCE < len(data):
                return value, at + end
        except TruncatedError:
            if is_whole:
                raise
        except PdfError:
            # A reference that the window cut is no fault of the file.
            if is_whole or size > _FIRST_WINDOW:
                raise
        if size >= LARGEST_OBJECT:
            raise PdfError(f"an object is larger than {LARGEST_OBJECT:,} bytes")
        size *= 4


def object_at(document: Document, offset: int, reference: Reference | None) -> Found:
    """The indirect object at an offset.

    Args:
        document: the file.
        offset: the offset.
        reference: which one should stand there; None for any.

    Raises:
        PdfError: it does not stand there.
    """
    head = HEADER.match(document.read(offset, offset + 256))
    if head is None:
        raise PdfError(f"no object stands at {offset}")
    if reference is not None and (int(head[1]), int(head[2])) != reference:
        raise PdfError(f"another object than {reference.number} stands at {offset}")
    value, end = value_in(document, offset + head.end())
    if not isinstance(value, Dictionary):
        return Found(value=value)
    behind = document.read(end, end + 4096)
    at = _end_of_blanks(behind)
    stream = _STREAM.match(behind, at)
    return Found(value=value, stream=None if stream is None else end + stream.end())


def stream_bytes(document: Document, start: int, length: Value, limit: int) -> bytes:
    """The bytes of a stream as they stand in the file.

    Args:
        document: the file.
        start: where they begin.
        length: how many there are said to be.
        limit: how many there may be.

    Raises:
        PdfError: the length is wrong, or too large.
    """
    if not isinstance(length, int) or not 0 <= length <= document.size - start:
        raise PdfError("the length of a stream is wrong")
    if length > limit:
        raise PdfError(f"a stream is larger than {limit:,} bytes")
    end = start + length
    if _END.match(document.read(end, end + 64)) is None:
        raise PdfError("the length of a stream is wrong")
    return document.read(start, end)


def _end_of_blanks(data: bytes) -> int:
    found = BLANKS.match(data)
    return 0 if found is None else found.end()
