"""A document as it will be: edits done, nothing copied."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from lexurn.embedding._document import Document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.embedding._edit import Edit

__all__ = ["edited_document"]


class _Stretch(NamedTuple):
    """Some bytes of an edited document: where they begin, how many, and whence they come.

    Attributes:
        at: their offset in the edited document.
        size: how many.
        new: new bytes, None for those of the document itself.
        start: the offset of those in the document.
    """

    at: int
    size: int
    new: bytes | None
    start: int


def edited_document(document: Document, edits: Sequence[Edit]) -> Document:
    """A document with edits done, to be read like any other; the document must stay open.

    Args:
        document: the document.
        edits: what is to be done, in the order of their places and apart from each other.
    """
    stretches = tuple(_stretches(document, edits))
    starts = [each.at for each in stretches]
    size = stretches[-1].at + stretches[-1].size if stretches else 0

    def read_some(start: int, most: int) -> bytes:
        found = stretches[bisect_right(starts, start) - 1]
        skip = start - found.at
        most = min(most, found.size - skip)
        if found.new is not None:
            return found.new[skip : skip + most]
        return document.reader(found.start + skip, most)

    return Document(name=document.name, size=size, reader=read_some)


def _stretches(document: Document, edits: Sequence[Edit]) -> Iterator[_Stretch]:
    """The stretches, in order, none of them empty."""
    at = done = 0
    for edit in edits:
        for piece in (
            _Stretch(at, edit.start - done, None, done),
            _Stretch(at + edit.start - done, len(edit.new), edit.new, 0),
        ):
            if piece.size:
                yield piece
            at = piece.at + piece.size
        done = edit.end
    if done < document.size:
        yield _Stretch(at, document.size - done, None, done)
