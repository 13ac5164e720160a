"""Edits after edits, as edits of the document that was there first."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias

from lexurn.embedding._edit import Change, Edit
from lexurn.embedding._view import edited_document

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.embedding._document import Document

__all__ = ["composed", "renewed"]

# A stretch of the first document (start and end), or new bytes.
_Piece: TypeAlias = tuple[int, int] | bytes


def renewed(
    document: Document, removal: Sequence[Edit], addition: Callable[[Document], Change]
) -> Change:
    """What puts something in the place of what was put in before: as if that had never been there.

    Args:
        document: the document.
        removal: what takes out what was put in before.
        addition: what puts something into a document that has nothing of it; it is asked of the
            document as it is after the removal.

    Returns:
        The edits of both in one, none of them for bytes that stay the same.
    """
    if not removal:
        return addition(document)
    change = addition(edited_document(document, removal))
    return replace(change, edits=composed(document, removal, change.edits))


def composed(document: Document, first: Sequence[Edit], second: Sequence[Edit]) -> tuple[Edit, ...]:
    """Edits that do at once what two lists of edits do one after the other.

    Args:
        document: the document.
        first: edits of it.
        second: edits of what comes of those.
    """
    pieces = _changed(_changed([(0, document.size)], first), second)
    return tuple(_tidy(document, _edits(pieces, document.size)))


def _changed(pieces: Iterable[_Piece], edits: Sequence[Edit]) -> list[_Piece]:
    """Pieces of a document with edits done; offsets are those of the pieces put together."""
    found: list[_Piece] = []
    rest = list(pieces)[::-1]
    at = 0
    for edit in edits:
        found += _taken(rest, edit.start - at)
        _taken(rest, edit.end - edit.start)
        found.append(edit.new)
        at = edit.end
    return found + rest[::-1]


def _taken(rest: list[_Piece], size: int) -> list[_Piece]:
    """The first so many bytes, taken from the end of a list of pieces in reverse."""
    taken: list[_Piece] = []
    while size > 0:
        piece = rest.pop()
        length = len(piece) if isinstance(piece, bytes) else piece[1] - piece[0]
        if length > size:
            head, tail = _cut(piece, size)
            rest.append(tail)
            piece, length = head, size
        taken.append(piece)
        size -= length
    return taken


def _cut(piece: _Piece, size: int) -> tuple[_Piece, _Piece]:
    if isinstance(piece, bytes):
        return piece[:size], piece[size:]
    middle = piece[0] + size
    return (piece[0], middle), (middle, piece[1])


def _edits(pieces: Iterable[_Piece], size: int) -> Iterator[Edit]:
    """The edits that make pieces of a document: what stands between its stretches."""
    kept: list[tuple[int, int, bytes]] = [(0, 0, b"")]
    for piece in (*pieces, (size, size)):
        if isinstance(piece, bytes):
            start, end, new = kept[-1]
            kept[-1] = start, end, new + piece
        else:
            kept.append((*piece, b""))
    for (_, end, new), (start, _, _) in pairwise(kept):
        if new or start > end:
            yield Edit(start=end, end=start, new=new)


def _tidy(document: Document, edits: Iterable[Edit]) -> Iterator[Edit]:
    """Edits without the bytes at both ends that stay the same, and without those of nothing."""
    for edit in edits:
        old = document.read(edit.start, edit.end)
        if old == edit.new:
            continue
        head = _same(old, edit.new)
        tail = _same(old[head:][::-1], edit.new[head:][::-1])
        yield Edit(
            start=edit.start + head,
            end=edit.end - tail,
            new=edit.new[head : len(edit.new) - tail],
        )


def _same(one: bytes, other: bytes) -> int:
    """How many bytes two texts have in common at their start."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (each, else_) in pairs if each != else_), min(len(one), len(other)))
