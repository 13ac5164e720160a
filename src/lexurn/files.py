"""Files that appear whole: nobody finds half of one, and writers of one file do not meet."""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["beside", "is_leftover", "is_same", "leftovers", "replacing", "writing"]

_KEPT = 40
"""How many characters of a file's name its part has in its own: it must fit into 255 bytes."""


def beside(path: Path) -> Path:
    """A new path in the folder of a file, where the file can be made; nobody can guess it."""
    return path.with_name(f".{path.name[:_KEPT]}.{secrets.token_hex(8)}.part")


def is_same(one: str | Path, other: str | Path) -> bool:
    """Whether two paths are of the same file, whatever it is called, be it there or not yet."""
    with suppress(OSError, ValueError):  # one is not there, or can nowhere be
        return os.path.realpath(one) == os.path.realpath(other) or Path(one).samefile(other)
    return False


_PART = re.compile(rf"\.(.{{1,{_KEPT}}})\.[0-9a-f]{{16}}\.part", re.DOTALL)


def is_leftover(file: str) -> bool:
    """Whether a file was left behind by a process that was killed, going by its name."""
    return _PART.fullmatch(file) is not None


def leftovers(*paths: Path) -> Iterator[Path]:
    """What processes that were killed have left of files that they were about to write."""
    names: dict[Path, set[str]] = {}
    for path in paths:
        names.setdefault(path.parent, set()).add(path.name[:_KEPT])
    for folder, known in names.items():
        with suppress(OSError):
            for each in folder.iterdir():
                found = _PART.fullmatch(each.name)
                if found is not None and found[1] in known:
                    yield each


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """A new path; what is written there takes the place of a file if nothing goes wrong.

    Raises:
        OSError: it cannot be moved there.
    """
    part = beside(path)
    try:
        yield part
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


@contextmanager
def writing(path: Path) -> Iterator[IO[bytes]]:
    """A stream; what is written to it is the file if nothing goes wrong. Links are followed.

    What is there and is no regular file, a pipe or a device, is written into as it stands; what
    takes the place of a file has its mode.

    Raises:
        OSError: it cannot be written.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    with replacing(Path(os.path.realpath(path))) as part, _created(part, path) as stream:
        yield stream


def _created(part: Path, path: Path) -> IO[bytes]:
    """A new file in the place of an old one, if there is one: with its rights, and never more."""
    try:
        old = path.stat()
    except OSError:
        return part.open("xb")
    stream = open(part, "xb", opener=_for_nobody_else)  # noqa: SIM115 - whoever asked closes it
    if hasattr(os, "fchmod"):
        descriptor = stream.fileno()
        with suppress(OSError):
            os.chown(descriptor, -1, old.st_gid)
        with suppress(OSError):
            os.fchmod(descriptor, _mode_of(old, os.fstat(descriptor)))
    return stream


def _for_nobody_else(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


def _mode_of(old: os.stat_result, new: os.stat_result) -> int:
    """The mode of an old file for a new one; another group and others have what both had."""
    mode = stat.S_IMODE(old.st_mode) & 0o777
    if new.st_gid == old.st_gid:
        return mode
    shared = mode & mode >> 3 & stat.S_IRWXO
    return mode & stat.S_IRWXU | shared << 3 | shared
