"""Documents written: whole or not at all, and only where nobody else has changed them meanwhile.

A file is never written into. What it becomes is made beside it, brought to the disk, dressed with
the mode, owner and attributes of the old one, and put in its place in one step; until then, and
wherever anything goes wrong, the old one stays. So other names of the same file (hard links) keep
the old content, as in copies that backups make of a folder.

Others may write in the folder, and put anything in the place of a name at any moment. So the new
file is dressed by its descriptor, after that of the old one, and has its rights only at the end.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager
from os.path import lexists
from typing import TYPE_CHECKING

from lexurn.embedding._document import Stamp
from lexurn.embedding._edit import applied
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._rights import (
    access_list,
    dress,
    dress_new,
    drop_access_list,
    grant,
    keep_times,
)
from lexurn.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["rewrite", "write_copy", "write_file"]


def rewrite(
    document: Document, path: Path, edits: Sequence[Edit], *, keeps_times: bool = False
) -> tuple[DocumentFinding, ...]:
    """Put an edited document in the place of its file.

    Args:
        document: the document, opened from the file.
        path: the file, no symbolic link.
        edits: what is to be done to it.
        keeps_times: whether the file keeps the times that it has.

    Returns:
        What to know about it.

    Raises:
        EmbeddingError: the file may not be written, somebody else has changed it meanwhile, or the
            disk refuses; it is then as it was.
    """
    if not os.access(path, os.W_OK) and lexists(path):
        raise EmbeddingError(finding("LX305", document.name))
    pieces = applied(document, edits)
    with _there(path, document.name) as old, _made(path, pieces, document.name) as part:
        _check_same(document, old)
        dress(part, old, keeps_times=keeps_times)
        told = (*_hard_links(document.name, os.fstat(old)), *_lost(document.name, old, part))
        _check_same(document, path)
    return told


def _hard_links(file: str, status: os.stat_result) -> Iterator[DocumentFinding]:
    if status.st_nlink > 1:
        yield finding("LX307", file, count=status.st_nlink - 1)


def _lost(file: str, old: int, part: int) -> Iterator[DocumentFinding]:
    """A warning where a new file has not the owner, the group or the access list of the old one."""
    was, new, changed = os.fstat(old), os.fstat(part), []
    if (was.st_uid, was.st_gid) != (new.st_uid, new.st_gid):
        changed.append(
            f"belongs to user {new.st_uid} and group {new.st_gid} now, since you may not give it "
            f"to user {was.st_uid} and group {was.st_gid}"
        )
    has_list = access_list(part) is not None
    if not has_list and access_list(old) is not None:
        changed.append("has lost its access list, which cannot be set here")
    before, now = stat.S_IMODE(was.st_mode), stat.S_IMODE(new.st_mode)
    if changed and before != now:
        is_void = has_list and not now & stat.S_IRWXG
        rest = ", by which its access list grants nothing" if is_void else ""
        changed.append(f"has the mode {now:o} for {before:o}{rest}")
    if changed:
        yield finding("LX300", file, changed=", and ".join(changed))


def write_copy(
    document: Document,
    source: Path,
    edits: Sequence[Edit],
    target: Path,
    *,
    keeps_times: bool = False,
) -> tuple[DocumentFinding, ...]:
    """Write an edited document to another file, for those who may read it and nobody else.

    Args:
        document: the document, opened from the file.
        source: the file, no symbolic link.
        edits: what is to be done.
        target: the other file; what it holds is replaced.
        keeps_times: whether it gets the times of the source.

    Returns:
        What to know about it.

    Raises:
        EmbeddingError: somebody else has changed the source meanwhile, or the disk refuses; what
            the other file held is then as it was.
    """
    pieces = applied(document, edits)
    with _there(source, document.name) as old, _made(target, pieces, str(target)) as part:
        _check_same(document, old)
        grant(part, old)
        if keeps_times:
            keep_times(part, old)
        told = tuple(_hard_links(str(target), os.lstat(target))) if lexists(target) else ()
        _check_same(document, source)
    return told


def write_file(path: Path, data: bytes, called: str, source: Path) -> None:
    """Write a file of lexurn's own, whole: for those who may read what it tells of, nobody else.

    Args:
        path: the file, no symbolic link; where it is there already, it keeps its mode, owner and
            attributes.
        data: what it is to hold.
        called: what to call it.
        source: the document that it tells of, whose mode and owner a new file gets, as far as that
            is allowed.

    Raises:
        EmbeddingError: the disk refuses; what the file held is then as it was.
    """
    is_new = not lexists(path)
    with (
        _there(source if is_new else path, called) as old,
        _made(path, (data,), called) as part,
    ):
        if is_new:
            dress_new(part, old)
        else:
            dress(part, old)


@contextmanager
def _there(path: Path, called: str) -> Iterator[int]:
    """A file that is there, no symbolic link, by its descriptor.

    Raises:
        EmbeddingError: it is gone, or may not be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    with _saying(called):
        descriptor = os.open(path, flags)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


@contextmanager
def _saying(file: str) -> Iterator[None]:
    """Turn what the disk refuses into a finding."""
    try:
        yield
    except OSError as fault:
        raise EmbeddingError(finding("LX304", file, why=fault.strerror or fault)) from None


@contextmanager
def _made(path: Path, pieces: Iterable[bytes], called: str) -> Iterator[int]:
    """A new file of some bytes, by its descriptor; it takes the place of another if all goes well.

    Raises:
        EmbeddingError: the disk refuses, or somebody else has put something in its place.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with (
        _saying(called),
        replacing(path) as part,
        open(os.open(part, flags, 0o600), "wb", buffering=0) as stream,  # noqa: PTH123 - of a number
    ):
        descriptor = stream.fileno()
        drop_access_list(descriptor)
        for piece in pieces:
            _write_all(descriptor, piece)
        os.fsync(descriptor)  # a name must not lead to what is not there
        yield descriptor
        if not os.path.samestat(os.fstat(descriptor), os.lstat(part)):
            raise EmbeddingError(finding("LX303", called))


def _write_all(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _check_same(document: Document, file: Path | int) -> None:
    """Make sure that a file is the one that was read, as it was then."""
    try:
        status = os.fstat(file) if isinstance(file, int) else os.lstat(file)
    except FileNotFoundError:
        raise EmbeddingError(finding("LX303", document.name)) from None
    if document.stamp is not None and Stamp.of(status) != document.stamp:
        raise EmbeddingError(finding("LX303", document.name))
