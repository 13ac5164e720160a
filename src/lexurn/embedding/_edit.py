"""Edits: what is put in the place of some bytes, all others staying as they are."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["Change", "Edit", "afterwards", "applied", "edited"]


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Edit:
    """Bytes in the place of others.

    Attributes:
        start: the offset of the first byte that goes.
        end: the offset behind the last one; the same as ``start`` where bytes are only put in.
        new: what comes in their place.
    """

    start: int
    end: int
    new: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to be done to a document.

    Attributes:
        edits: in the order of their places, apart from each other; none where all is well as it is.
        findings: what to know about it.
    """

    edits: tuple[Edit, ...] = ()
    findings: tuple[DocumentFinding, ...] = field(default=())


def applied(document: Document, edits: Sequence[Edit]) -> Iterator[bytes]:
    """The bytes of a document with edits done, some at a time.

    Raises:
        EmbeddingError: the document cannot be read.
        ValueError: edits overlap, are out of order or lie outside of the document.
    """
    ends = [0, *(offset for edit in edits for offset in (edit.start, edit.end)), document.size]
    if any(one > other for one, other in pairwise(ends)):
        raise ValueError("edits overlap, or lie outside of the document")
    done = 0
    for edit in edits:
        yield from document.pieces(done, edit.start)
        yield edit.new
        done = edit.end
    yield from document.pieces(done)


def afterwards(document: Document, edits: Sequence[Edit]) -> Document:
    """A document as it is with edits done, of which nothing is made but what is read."""
    parts: list[tuple[int, int | bytes]] = []  # where each begins, and its offset before or itself
    done = begin = 0
    for edit in edits:
        parts += ((begin, done), (begin + edit.start - done, edit.new))
        begin += edit.start - done + len(edit.new)
        done = edit.end
    parts.append((begin, done))
    starts = [start for start, _ in parts]

    def read(start: int, size: int) -> bytes:
        at = bisect_right(starts, start) - 1
        first, what = parts[at]
        size = min(size, (starts[at + 1] if at + 1 < len(parts) else start + size) - start)
        if isinstance(what, bytes):
            return what[start - first :][:size]
        return document.read(what + start - first, what + start - first + size)

    size = begin + document.size - done
    return replace(document, size=size, stamp=None, reader=read)


def edited(document: Document, edits: Sequence[Edit]) -> bytes:
    """All bytes of a small document with edits done; see `applied`."""
    return b"".join(applied(document, edits))
