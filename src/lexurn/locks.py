"""Locks on open files, let go of by the system when the process ends in any way.

POSIX systems have shared and exclusive locks. On Windows every lock is exclusive. Elsewhere nothing
is locked.
"""

from __future__ import annotations

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]  # not on this system
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]  # not on this system

__all__ = ["HAS_LOCKS", "try_lock"]

HAS_LOCKS = fcntl is not None or msvcrt is not None
"""True if this system has locks on files."""


def try_lock(descriptor: int, *, shared: bool = False) -> bool:
    """Lock an open file, and return whether that succeeded; closing the file unlocks it.

    Args:
        descriptor: the file, open for reading, on Windows for writing too.
        shared: whether others may have a shared lock on it at the same time.

    Raises:
        OSError: the disk has no locks.
    """
    try:
        if fcntl is not None:
            fcntl.flock(descriptor, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        elif msvcrt is not None:  # pragma: no cover - Windows
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except (BlockingIOError, PermissionError):  # the latter on Windows and some network disks
        return False
    return True
