"""Files on a disk: whole or absent, untouched where nothing changed, faults that name the file."""

from __future__ import annotations

import errno
import filecmp
import itertools
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lexurn.errors import PublishError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

__all__ = ["naming", "put_file", "put_finished", "put_folder", "staged"]

_REMEDIES = {
    errno.ENOSPC: "the disk is full; free some space and publish again",
    errno.EDQUOT: "your share of the disk is used up; free some space and publish again",
    errno.EACCES: "writing there is not allowed; change the permissions or choose another folder",
    errno.EPERM: "writing there is not allowed; change the permissions or choose another folder",
    errno.EROFS: "the disk is read-only; choose another folder",
    errno.ENAMETOOLONG: "the path is too long for this disk; choose a folder nearer to its root",
    errno.ENOTDIR: "a file lies where a folder must be; move it away",
    errno.EEXIST: "something else lies where this must be; move it away",
    errno.EISDIR: "a folder lies where a file must be; move it away",
    errno.EXDEV: "part of the site lies on another disk; publish into one disk",
}
_counter = itertools.count()


@contextmanager
def naming(path: Path) -> Iterator[None]:
    """Turn what the disk refuses into an error that names the file and says what to do."""
    try:
        yield
    except OSError as fault:
        remedy = _REMEDIES.get(fault.errno or 0, fault.strerror or str(fault))
        raise PublishError(f"{path} cannot be written: {remedy}") from fault


def staged(staging: Path) -> Path:
    """A new path in the folder where things are made before they are put in their place."""
    return staging / f"{os.getpid()}-{next(_counter)}"


def put_folder(folder: Path, files: Mapping[str, bytes], staging: Path) -> int:
    """Bring a folder to hold ``files``: made whole elsewhere, then moved into place.

    Where the folder is there already (a further run, or the folder of something nested), each file
    is replaced for itself, the last one last; other files and folders in it are left alone.

    Returns:
        How many files had to be written.

    Raises:
        PublishError: the disk refuses.
    """
    with naming(folder):
        if not folder.exists() and _move_in(folder, files, staging):
            return len(files)
    return sum(put_file(folder / name, content, staging) for name, content in files.items())


def _move_in(folder: Path, files: Mapping[str, bytes], staging: Path) -> bool:
    """Make a new folder; False where another has taken its place meanwhile."""
    made = staged(staging)
    made.mkdir()
    for name, content in files.items():
        with naming(folder / name):
            (made / name).write_bytes(content)
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.rename(folder)
    except OSError as fault:
        if fault.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
        return False
    return True


def put_file(path: Path, content: bytes, staging: Path) -> bool:
    """Bring a file to hold ``content``; False where it did already.

    Raises:
        PublishError: the disk refuses.
    """
    with naming(path):
        try:
            if path.read_bytes() == content:
                return False
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
        made = staged(staging)
        made.write_bytes(content)
        made.replace(path)
    return True


def put_finished(path: Path, made: Path) -> bool:
    """Move a finished file into its place; False where an equal one lies there already.

    Raises:
        PublishError: the disk refuses.
    """
    with naming(path):
        if path.is_file() and filecmp.cmp(path, made, shallow=False):
            made.unlink()
            return False
        made.replace(path)
    return True
