"""Files written atomically, locks on open files, and rows of temporary databases.

Readers find the old file or the new one, never half of one. The system lets go of a lock when the
process ends in any way. POSIX systems have shared and exclusive locks. On Windows every lock is
exclusive. Elsewhere nothing is locked.
"""

from __future__ import annotations

import os
import re
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from lexurn.lazy import compile_late

try:
    import fcntl
except ImportError:  # pragma: no cover - Windows
    fcntl = None  # type: ignore[assignment]  # not on this system
try:
    import msvcrt
except ImportError:
    msvcrt = None  # type: ignore[assignment]  # not on this system

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

__all__ = [
    "HAS_LOCKS",
    "combine_modes",
    "find_leftovers",
    "is_leftover",
    "is_same_file",
    "make_part_path",
    "open_for_writing",
    "read_rows",
    "replace_atomically",
    "try_lock",
]

HAS_LOCKS = fcntl is not None or msvcrt is not None
"""True if this system has locks on files."""

_ROWS_AT_ONCE = 1_000

# A part has as much of its file's name as fits into 255 bytes.
_KEPT_CHARACTERS = 40
_PART_NAME = compile_late(rf"\.(.{{1,{_KEPT_CHARACTERS}}})\.[0-9a-f]{{16}}\.part", re.DOTALL)


def make_part_path(path: Path) -> Path:
    """Return an unpredictable new path in the folder of a file, where the file can be written."""
    return path.with_name(f".{path.name[:_KEPT_CHARACTERS]}.{os.urandom(8).hex()}.part")


def is_same_file(one: str | Path, other: str | Path) -> bool:
    """Return whether two paths lead to the same file, which need not exist yet."""
    with suppress(OSError, ValueError):  # a path that does not or cannot exist
        return os.path.realpath(one) == os.path.realpath(other) or Path(one).samefile(other)
    return False


def is_leftover(file: str) -> bool:
    """Return whether a file name is that of a part, left behind by a killed process."""
    return _PART_NAME.fullmatch(file) is not None


def find_leftovers(*paths: Path) -> Iterator[Path]:
    """Find the parts of some files that killed processes left behind."""
    names: dict[Path, set[str]] = {}
    for path in paths:
        names.setdefault(path.parent, set()).add(path.name[:_KEPT_CHARACTERS])
    for folder, known in names.items():
        with suppress(OSError):
            for file in folder.iterdir():
                found = _PART_NAME.fullmatch(file.name)
                if found is not None and found[1] in known:
                    yield file


@contextmanager
def replace_atomically(path: Path) -> Iterator[Path]:
    """Give a new path, and move the file written there to ``path`` unless an error is raised.

    Raises:
        OSError: the file cannot be moved.
    """
    part = make_part_path(path)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def open_for_writing(path: Path) -> Iterator[IO[bytes]]:
    """Open a stream whose content replaces a file, unless an error is raised.

    Links are followed. The new file gets the mode of the old one. A pipe or a device is written
    into directly.

    Raises:
        OSError: the file cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    with (
        replace_atomically(Path(os.path.realpath(path))) as part,
        _create_part(part, path) as stream,
    ):
        yield stream
        stream.flush()
        os.fsync(stream.fileno())


def _create_part(part: Path, path: Path) -> IO[bytes]:
    """Create a file that will replace another, with its group and never with wider access."""
    try:
        old = path.stat()
    except OSError:
        return part.open("xb")
    stream = open(part, "xb", opener=lambda path, flags: os.open(path, flags, 0o600))  # noqa: SIM115 - the caller closes it
    if hasattr(os, "fchmod") and hasattr(os, "chown"):
        descriptor = stream.fileno()
        with suppress(OSError):
            os.chown(descriptor, -1, old.st_gid)
        with suppress(OSError):
            os.fchmod(descriptor, combine_modes(old, os.fstat(descriptor)))
    return stream


def combine_modes(old: os.stat_result, new: os.stat_result) -> int:
    """Return the mode of the old file; with another group, only rights that all others had."""
    mode = stat.S_IMODE(old.st_mode) & 0o777
    if new.st_gid == old.st_gid:
        return mode
    shared = mode & mode >> 3 & stat.S_IRWXO
    return mode & stat.S_IRWXU | shared << 3 | shared


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


def read_rows(
    database: sqlite3.Connection,
    statement: str,
    values: tuple[object, ...],
    explain_faults: Callable[[], AbstractContextManager[None]],
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of an SQL query, read while they are used.

    Args:
        database: the database.
        statement: the query.
        values: its parameters.
        explain_faults: returns a context that raises faults of SQLite as other errors.
    """
    with explain_faults():
        cursor = database.execute(statement, values)
    while True:
        with explain_faults():
            found = cursor.fetchmany(_ROWS_AT_ONCE)
        if not found:
            return
        yield from found
