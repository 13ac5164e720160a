"""Temporary files: where they lie, what goes wrong with them, and that none are left for ever."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterator

try:
    import fcntl
except ImportError:  # pragma: no cover - without such locks nobody knows what is left over
    fcntl = None  # type: ignore[assignment]  # None says so

__all__ = ["scratch_faults", "scratch_folder", "scratch_place"]

_LOCK: Final = "lock"


def scratch_place() -> str:
    """The folder that temporary files lie in: the one that the environment names, if it does.

    The standard library passes over a folder that cannot be written or is full, and fills another.
    """
    named = (os.environ.get(variable) for variable in ("TMPDIR", "TEMP", "TMP"))
    return next(filter(None, named), None) or tempfile.gettempdir()


@contextmanager
def scratch_faults() -> Iterator[None]:
    """Say in one sentence why temporary files cannot be written.

    Raises:
        CatalogueError: they cannot.
    """
    try:
        yield
    except OSError as full:
        raise CatalogueError(
            f"no temporary file can be written: {full.strerror or full}; free space in "
            f"{scratch_place()}, or set TMPDIR to a folder on a larger disk"
        ) from None


@contextmanager
def scratch_folder(prefix: str) -> Iterator[Path]:
    """A folder that is gone afterwards; those of processes that were killed are deleted first.

    Args:
        prefix: how its name begins; by it leftovers are found.

    Raises:
        CatalogueError: none can be made.
    """
    place = scratch_place()
    _sweep(Path(place), prefix)
    try:
        folder = tempfile.mkdtemp(prefix=prefix, dir=place)
    except OSError as fault:
        raise CatalogueError(
            f"no temporary folder can be made in {place}: {fault.strerror}; set TMPDIR to a folder "
            "that can be written"
        ) from None
    try:
        with _held(Path(folder)):
            yield Path(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _held(folder: Path) -> Iterator[None]:
    """Hold the lock of a folder; the system lets go of it when the process ends in any way."""
    if fcntl is None:  # pragma: no cover - see above
        yield
        return
    # Under its own name it appears only when it is held.
    draft = folder / f"{_LOCK}.new"
    with scratch_faults():
        descriptor = os.open(draft, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        with suppress(OSError):  # a disk without locks: then it is a leftover for ever
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            draft.rename(folder / _LOCK)
        yield
    finally:
        os.close(descriptor)


def _sweep(place: Path, prefix: str) -> None:
    """Delete the folders whose lock nobody holds any more."""
    for folder in place.glob(f"{prefix}*"):
        if _is_left(folder / _LOCK):
            shutil.rmtree(folder, ignore_errors=True)


def _is_left(lock: Path) -> bool:
    if fcntl is None:  # pragma: no cover - see above
        return False
    try:
        descriptor = os.open(lock, os.O_RDWR)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(descriptor)
