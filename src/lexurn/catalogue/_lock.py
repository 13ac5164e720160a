"""Who may use the folder of a catalogue: one that writes, or any number that read."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

try:
    import fcntl
except ImportError:  # pragma: no cover - no such locks there; Oxigraph's own refuses two writers
    fcntl = None  # type: ignore[assignment]  # None says so

__all__ = ["InUseError", "locked"]

_PAUSE: Final = 0.05


class InUseError(CatalogueError):
    """Others use the catalogue at this moment."""


@contextmanager
def locked(file: Path, *, write: bool, wait: float = 0.0) -> Iterator[None]:
    """Hold the lock of a catalogue; the system lets go of it when the process ends in any way.

    Args:
        file: the lock file; made where it is absent.
        write: alone, or with others that read.
        wait: how many seconds to wait for others.

    Raises:
        CatalogueError: others use the catalogue, or the file cannot be opened.
    """
    descriptor = _opened(file, write=write)
    if descriptor is None:
        yield
        return
    try:
        _take(descriptor, file, write=write, until=time.monotonic() + wait)
        yield
    finally:
        os.close(descriptor)


def _opened(file: Path, *, write: bool) -> int | None:
    """The lock file, None where it is absent and cannot be made: there nobody can write."""
    if not write:
        with suppress(FileNotFoundError):
            return os.open(file, os.O_RDONLY)
    try:
        return os.open(file, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as fault:
        if write:
            raise CatalogueError(
                f"{file.parent} cannot be written ({fault.strerror}: {file.name}); "
                "do it as somebody who may write there, or with a copy of the folder"
            ) from None
        return None


def _take(descriptor: int, file: Path, *, write: bool, until: float) -> None:
    if fcntl is None:  # pragma: no cover - see above
        return
    kind = fcntl.LOCK_EX if write else fcntl.LOCK_SH
    while True:
        try:
            fcntl.flock(descriptor, kind | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):  # the latter on some network disks
            if time.monotonic() >= until:
                who = "another process uses it" if write else "another process writes to it"
                raise InUseError(
                    f"{file.parent} is in use: {who}; try again when it is done, or use --wait"
                ) from None
            time.sleep(_PAUSE)
            continue
        except OSError as fault:
            raise CatalogueError(
                f"{file} cannot be locked ({fault.strerror}); put the catalogue on a disk that "
                "knows locks, as not all network disks do"
            ) from None
        return
