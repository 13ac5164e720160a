"""Whether all members of a container are whole, also those that say nothing of the document."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING, Final

from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._zip_members import STORED
from lexurn.embedding._zip_structure import broken

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.embedding._document import Document
    from lexurn.embedding._findings import DocumentFinding
    from lexurn.embedding._zip_members import Container, Member

__all__ = ["check_whole", "whole_findings"]

_MOST: Final = 64 << 20
"""Bytes that are unpacked to see whether they are whole: less than a second's work, which a run
over a folder can bear for each file."""
_PIECE: Final = 1 << 20


def check_whole(container: Container) -> tuple[DocumentFinding, ...]:
    """Unpack all members, a piece at a time, and make sure that they are what they were.

    Args:
        container: the container.

    Returns:
        What is not known of it: whether all members are whole where they unpack to very much.

    Raises:
        EmbeddingError: a member is broken, or packed in a way that no such document may have.
    """
    document, done, is_all = container.document, 0, True
    for member in container.members:
        container.check_method(member)
        size = max(member.entry.size, member.entry.packed)
        if done + size > _MOST:
            is_all = False
            continue
        done += size
        if not _is_whole(document, member):
            broken(document, f"{member.name} is broken")
    if is_all:
        return ()
    what = "the members of the container unpack to"
    return (finding("LX344", document.name, what=what, limit=_MOST >> 20),)


def whole_findings(container: Container) -> tuple[DocumentFinding, ...]:
    """What `check_whole` says or raises, for whom a fault is one thing among others."""
    try:
        return check_whole(container)
    except EmbeddingError as fault:
        return (fault.finding,)


def _is_whole(document: Document, member: Member) -> bool:
    size = crc = 0
    try:
        for content in _contents(document, member):
            size += len(content)
            crc = zlib.crc32(content, crc)
            if size > member.entry.size:
                return False
    except zlib.error:
        return False
    return (size, crc) == (member.entry.size, member.entry.crc)


def _contents(document: Document, member: Member) -> Iterator[bytes]:
    """What a member holds, a piece at a time.

    Raises:
        zlib.error: it is not packed as it should be.
    """
    pieces = document.pieces(member.data, member.end)
    if member.entry.method == STORED:
        yield from pieces
        return
    unpacker = zlib.decompressobj(-zlib.MAX_WBITS)
    for piece in pieces:
        rest = piece
        while content := unpacker.decompress(rest, _PIECE):
            yield content
            rest = unpacker.unconsumed_tail
        if unpacker.unused_data:
            break
    if not unpacker.eof or unpacker.unused_data:
        raise zlib.error("it ends too early or too late")
