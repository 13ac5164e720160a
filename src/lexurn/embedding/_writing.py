"""Documents written: whole or not at all, and only where nobody else has changed them meanwhile.

A file is never written into. What it becomes is made beside it, brought to the disk, dressed with
the mode, owner and attributes of the old one, and put in its place in one step; until then, and
wherever anything goes wrong, the old one stays. So other names of the same file (hard links) keep
the old content, as in copies that backups make of a folder.
"""

from __future__ import annotations

import os
import stat
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lexurn.embedding._document import Stamp
from lexurn.embedding._edit import applied
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.files import replacing

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path

    from lexurn.embedding._document import Document
    from lexurn.embedding._edit import Edit
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["rewrite", "write_copy", "write_file"]

_ACCESS_LIST = "system.posix_acl_access"
_SPECIAL = stat.S_ISUID | stat.S_ISGID


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
    with _saying(document.name):
        status = os.lstat(path)
        if not os.access(path, os.W_OK):
            raise EmbeddingError(finding("LX305", document.name))
        with replacing(path) as part:
            _fill(part, applied(document, edits))
            _dress(part, path, status, keeps_times=keeps_times)
            told = (*_hard_links(document.name, status), *_other_owner(document, status, part))
            _check_same(document, path)
    return told


def _hard_links(file: str, status: os.stat_result) -> Iterator[DocumentFinding]:
    if status.st_nlink > 1:
        yield finding("LX307", file, count=status.st_nlink - 1)


def _other_owner(document: Document, old: os.stat_result, part: Path) -> Iterator[DocumentFinding]:
    """A warning where a file could not be given to whom it belonged."""
    new = os.lstat(part)
    if (old.st_uid, old.st_gid) == (new.st_uid, new.st_gid):
        return
    before, now = stat.S_IMODE(old.st_mode), stat.S_IMODE(new.st_mode)
    rights = "" if before == now else f", and has the mode {now:o} for {before:o}"
    if rights and _access_list(part) is not None:
        rights += ", by which its access list grants nothing"
    yield finding(
        "LX300",
        document.name,
        owner=new.st_uid,
        group=new.st_gid,
        old_owner=old.st_uid,
        old_group=old.st_gid,
        rights=rights,
    )


def write_copy(
    document: Document,
    source: Path,
    edits: Sequence[Edit],
    target: Path,
    *,
    keeps_times: bool = False,
) -> None:
    """Write an edited document to another file, for those who may read it and nobody else.

    Args:
        document: the document, opened from the file.
        source: the file, no symbolic link.
        edits: what is to be done.
        target: the other file; what it holds is replaced.
        keeps_times: whether it gets the times of the source.

    Raises:
        EmbeddingError: somebody else has changed the source meanwhile, or the disk refuses; what
            the other file held is then as it was.
    """
    with _saying(str(target)), replacing(target) as part:
        _fill(part, applied(document, edits))
        status = os.lstat(source)
        _grant(part, source, status)
        if keeps_times:
            os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))
        _check_same(document, source)


def write_file(path: Path, data: bytes, called: str, source: Path) -> None:
    """Write a file of lexurn's own, whole: for those who may read what it tells of, nobody else.

    Args:
        path: the file; where it is there already, it keeps its mode, owner and attributes.
        data: what it is to hold.
        called: what to call it.
        source: the document that it tells of, whose mode and owner a new file gets, as far as that
            is allowed.

    Raises:
        EmbeddingError: the disk refuses; what the file held is then as it was.
    """
    with _saying(called), replacing(path) as part:
        _fill(part, (data,))
        try:
            old = os.lstat(path)
        except FileNotFoundError:
            _dress_new(part, source)
        else:
            _dress(part, path, old)


@contextmanager
def _saying(file: str) -> Iterator[None]:
    """Turn what the disk refuses into a finding."""
    try:
        yield
    except OSError as fault:
        raise EmbeddingError(finding("LX304", file, why=fault.strerror or fault)) from None


def _plain_mode(status: os.stat_result) -> int:
    """The mode of a file without what lets others act as its owner or group."""
    return stat.S_IMODE(status.st_mode) & ~_SPECIAL


def _mode_elsewhere(part: Path, path: Path, status: os.stat_result) -> int:
    """The mode of another file as far as this one may have it, so that nobody gains a right.

    Where its group cannot be kept, its members are others here, and some others are the group: both
    have what both had, and nothing where an access list, which then counts no more, may have
    refused them.

    Args:
        part: the file that is to have it.
        path: the other file.
        status: that of the other file.
    """
    mode = _plain_mode(status)
    if os.lstat(part).st_gid == status.st_gid:
        return mode
    shared = 0 if _access_list(path) is not None else mode & mode >> 3 & stat.S_IRWXO
    return mode & ~(stat.S_IRWXG | stat.S_IRWXO) | shared << 3 | shared


def _fill(part: Path, pieces: Iterable[bytes]) -> None:
    """Write bytes to a new file, down to the disk: a name must not lead to what is not there."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    with open(os.open(part, flags, 0o600), "wb", buffering=0) as stream:  # noqa: PTH123 - of a number
        for piece in pieces:
            _write_all(stream.fileno(), piece)
        os.fsync(stream.fileno())


def _write_all(descriptor: int, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[os.write(descriptor, rest) :]


def _dress(part: Path, path: Path, status: os.stat_result, *, keeps_times: bool = False) -> None:
    """Give a new file what belongs to the old one: owner, mode, attributes, perhaps times."""
    is_owned = _own(part, status)
    # Access lists among the attributes have rights of the group, too.
    _copy_attributes(path, part)
    part.chmod(stat.S_IMODE(status.st_mode) if is_owned else _mode_elsewhere(part, path, status))
    if keeps_times:
        os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))


def _dress_new(part: Path, path: Path) -> None:
    """Let those read a new file who may read another one."""
    status = os.stat(path)  # noqa: PTH116 - as all others here
    _own(part, status)
    _grant(part, path, status)


def _grant(part: Path, path: Path, status: os.stat_result) -> None:
    """Give a new file the mode and the access list of another one, so that nobody gains a right."""
    _drop_access_list(part)
    granted = _access_list(path)
    if granted is not None:
        with suppress(OSError):
            os.setxattr(part, _ACCESS_LIST, granted)
    part.chmod(_mode_elsewhere(part, path, status))


def _copy_attributes(path: Path, part: Path) -> None:
    """Copy extended attributes, access lists among them, as far as the disk has and allows them."""
    if not hasattr(os, "listxattr"):
        return
    _drop_access_list(part)
    with suppress(OSError):
        for name in os.listxattr(path):
            with suppress(OSError):
                os.setxattr(part, name, os.getxattr(path, name))


def _access_list(path: Path) -> bytes | None:
    """The access list of a file, None where it has none."""
    if hasattr(os, "getxattr"):
        with suppress(OSError):
            return os.getxattr(path, _ACCESS_LIST)
    return None


def _drop_access_list(part: Path) -> None:
    """Take the access list away that a new file has from its folder; the other may have none."""
    if hasattr(os, "removexattr"):
        with suppress(OSError):
            os.removexattr(part, _ACCESS_LIST)


def _own(part: Path, status: os.stat_result) -> bool:
    """Give a file to an owner and a group, where that is allowed; the group alone, where only that.

    Returns:
        Whether both are now what they should be.
    """
    made = os.lstat(part)
    if (made.st_uid, made.st_gid) == (status.st_uid, status.st_gid):
        return True
    for owner in (status.st_uid, -1):
        with suppress(PermissionError):
            os.chown(part, owner, status.st_gid)
            return owner != -1
    return False


def _check_same(document: Document, path: Path) -> None:
    """Make sure that the file is the one that was read, as it was then."""
    try:
        status = os.lstat(path)
    except FileNotFoundError:
        raise EmbeddingError(finding("LX303", document.name)) from None
    if document.stamp is not None and Stamp.of(status) != document.stamp:
        raise EmbeddingError(finding("LX303", document.name))
