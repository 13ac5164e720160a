"""Who may read and write a new file: nobody who might not do so with the one that it is made of.

Files are known by their descriptors, since others may put anything in the place of a name.
"""

from __future__ import annotations

import errno
import os
import stat
import struct
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["access_list", "dress", "dress_new", "drop_access_list", "grant", "keep_times"]

_ACCESS_LIST = "system.posix_acl_access"
# Its entries, by linux/posix_acl.h; where there are but three, they say what the mode says.
_OWNER, _NAMED_USER, _GROUP, _NAMED_GROUP, _MASK, _OTHERS = 1, 2, 4, 8, 16, 32
_ENTRY = struct.Struct("<HHL")
_LIST_OF_MODE = 4 + 3 * _ENTRY.size
_SPECIAL = stat.S_ISUID | stat.S_ISGID
_FULL = frozenset({errno.ENOSPC, errno.EDQUOT})


def dress(part: int, old: int, *, keeps_times: bool = False) -> None:
    """Give a new file what belongs to the old one: owner, attributes, mode, perhaps times."""
    status = os.fstat(old)
    is_owned = _own(part, status)
    _copy_attributes(old, part)
    grant(part, old, status.st_mode & _SPECIAL if is_owned else 0)
    if keeps_times:
        keep_times(part, old)


def dress_new(part: int, old: int) -> None:
    """Let those read a new file who may read another one, as far as that is allowed."""
    _own(part, os.fstat(old))
    grant(part, old)


def keep_times(part: int, old: int) -> None:
    """Give a file the times of another one."""
    status = os.fstat(old)
    os.utime(part, ns=(status.st_atime_ns, status.st_mtime_ns))


def grant(part: int, old: int, special: int = 0) -> None:
    """Give a new file the mode and the access list of another one, so that nobody gains a right.

    Args:
        part: the new file.
        old: the other one.
        special: the bits by which others act as its owner or group, where it may have them.

    Raises:
        OSError: the disk refuses the mode, or is full.
    """
    granted = access_list(old)
    mode = _mode_elsewhere(part, os.fstat(old), has_list=granted is not None)
    if granted is not None and not _takes_list(part, _with_mode(granted, mode)):
        mode = _without_list(mode, granted)
    os.fchmod(part, mode | special)


def _mode_elsewhere(part: int, status: os.stat_result, *, has_list: bool) -> int:
    """The mode of another file as far as this one may have it, so that nobody gains a right.

    Where its group cannot be kept, its members are others here, and some others are the group: both
    have what both had, and nothing where an access list, which then counts no more, may have
    refused them.

    Args:
        part: the file that is to have it.
        status: that of the other file.
        has_list: whether the other file has an access list.
    """
    mode = stat.S_IMODE(status.st_mode) & ~_SPECIAL
    if os.fstat(part).st_gid == status.st_gid:
        return mode
    shared = 0 if has_list else mode & mode >> 3 & stat.S_IRWXO
    return mode & ~(stat.S_IRWXG | stat.S_IRWXO) | shared << 3 | shared


def _with_mode(granted: bytes, mode: int) -> bytes:
    """An access list for a file of a mode: without it, more would be granted for a moment."""
    bits = {_OWNER: mode >> 6, _MASK: mode >> 3, _OTHERS: mode}
    return granted[:4] + b"".join(
        _ENTRY.pack(kind, bits.get(kind, rights) & stat.S_IRWXO, whose)
        for kind, rights, whose in _ENTRY.iter_unpack(granted[4:])
    )


def _without_list(mode: int, granted: bytes) -> int:
    """The mode of a file that loses its access list, so that nobody gains a right.

    The bits of the group were the mask, which nobody has by itself; and who had an entry of their
    own, which may have refused them something, are of the group or of the others now.
    """
    group = mask = mode >> 3 & stat.S_IRWXO
    others = mode & stat.S_IRWXO
    for kind, rights, _ in _ENTRY.iter_unpack(granted[4:]):
        if kind in {_NAMED_USER, _GROUP}:
            group &= rights
        if kind in {_NAMED_USER, _NAMED_GROUP}:
            others &= rights & mask
    return mode & ~(stat.S_IRWXG | stat.S_IRWXO) | group << 3 | others


def _copy_attributes(old: int, part: int) -> None:
    """Copy extended attributes, but for access lists, as far as the disk has and allows them.

    Raises:
        OSError: the disk is full.
    """
    if not hasattr(os, "listxattr"):
        return
    with _unless_full():
        for name in os.listxattr(old):
            if name != _ACCESS_LIST:
                with _unless_full():
                    os.setxattr(part, name, os.getxattr(old, name))


def _takes_list(part: int, granted: bytes) -> bool:
    """Give a file an access list, and say whether the disk has and allows it.

    Raises:
        OSError: the disk is full.
    """
    with _unless_full():
        os.setxattr(part, _ACCESS_LIST, granted)
        return True
    return False


def access_list(file: int) -> bytes | None:
    """The access list of a file, None where it has none that says more than its mode."""
    if hasattr(os, "getxattr"):
        with suppress(OSError):
            granted = os.getxattr(file, _ACCESS_LIST)
            return granted if len(granted) > _LIST_OF_MODE else None
    return None


def drop_access_list(part: int) -> None:
    """Take the access list away that a new file has from its folder; the other may have none."""
    if hasattr(os, "removexattr"):
        with suppress(OSError):
            os.removexattr(part, _ACCESS_LIST)


def _own(part: int, status: os.stat_result) -> bool:
    """Give a file to an owner and a group, where that is allowed; the group alone, where only that.

    Returns:
        Whether both are now what they should be.

    Raises:
        OSError: the disk is full, by the quota of the owner.
    """
    made = os.fstat(part)
    if (made.st_uid, made.st_gid) == (status.st_uid, status.st_gid):
        return True
    for owner in (status.st_uid, -1):
        with _unless_full():  # no right to it, or no such owner in this container
            os.chown(part, owner, status.st_gid)
            return owner != -1
    return False


@contextmanager
def _unless_full() -> Iterator[None]:
    """Go on without what is not allowed here; on a full disk nothing would be complete."""
    try:
        yield
    except OSError as fault:
        if fault.errno in _FULL:
            raise
