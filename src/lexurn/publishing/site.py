"""Folder of a site: one run at a time, files whole or absent, no writing through links."""

from __future__ import annotations

import errno
import filecmp
import itertools
import os
import shutil
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lexurn.errors import PublishError
from lexurn.files import try_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

_REMEDIES = {
    errno.ENOSPC: "the disk is full. Free some space and publish again.",
    errno.EDQUOT: "your disk quota is used up. Free some space and publish again.",
    errno.EACCES: "writing there is not allowed. Change the permissions or choose another folder.",
    errno.EPERM: "writing there is not allowed. Change the permissions or choose another folder.",
    errno.EROFS: "the disk is read-only. Choose another folder.",
    errno.ENAMETOOLONG: "the path is too long for this disk. Choose a folder nearer to its root.",
    errno.ENOTDIR: "a file is in the place of a folder. Move it away.",
    errno.EEXIST: "something else has this path. Move it away.",
    errno.EISDIR: "a folder is in the place of a file. Move it away.",
    errno.EXDEV: "part of the site is on another disk. Publish into one disk.",
}
_staging_counter = itertools.count()

MARKER = ".lexurn"
"""File that marks a folder as a site of lexurn."""
STAGING_FOLDER = ".lexurn-new"
_PAGES_FOLDER = "lex"
_MARKER_TEXT = b"lexurn publish writes this folder. Without this file it refuses to.\n"


@contextmanager
def open_site(out: Path) -> Iterator[Path]:
    """Open the folder of a site for one run, and make it if it is absent.

    Yields:
        The staging folder, on the same disk, where files are made before they are moved into
        place. It is emptied first, and removed at the end.

    Raises:
        PublishError: the folder holds files and is not a site, its files for lexurn are links,
            another run is writing into it, or it cannot be written.
    """
    refuse_foreign(out)
    staging = out / STAGING_FOLDER
    refuse_links(out / MARKER, out)
    refuse_links(staging, out)
    with explain_disk_errors(out):
        out.mkdir(parents=True, exist_ok=True)
        marker = (out / MARKER).open("a+b")
    with marker:
        with explain_disk_errors(out / MARKER):
            if not try_lock(marker.fileno()):
                raise PublishError(f"another run is writing into {out}. Wait for it, or stop it.")
            marker.seek(0)
            if marker.read() != _MARKER_TEXT:
                marker.truncate(0)
                marker.write(_MARKER_TEXT)
                marker.flush()
            shutil.rmtree(staging, ignore_errors=True)
            staging.mkdir(exist_ok=True)
        try:
            yield staging
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def is_site(out: Path) -> bool:
    """Return whether a folder is a site that lexurn has written."""
    with explain_disk_errors(out):
        return (out / MARKER).is_file()


def remove_file(path: Path, out: Path) -> None:
    """Remove a file of a site, and the folders around it that are empty then.

    Raises:
        PublishError: the disk refuses, or the file is behind a symbolic link.
    """
    refuse_links(path, out)
    with explain_disk_errors(path):
        path.unlink(missing_ok=True)
        for folder in path.parents:
            if folder == out or (folder.exists() and any(folder.iterdir())):
                return
            with suppress(FileNotFoundError):
                folder.rmdir()


def refuse_foreign(out: Path) -> None:
    """Refuse a folder that holds files and is not a site; nothing in it is changed.

    Raises:
        PublishError: it is such a folder, or it cannot be read.
    """
    with explain_disk_errors(out):
        is_file = out.exists() and not out.is_dir()
        is_foreign = out.is_dir() and not is_site(out) and any(out.iterdir())
    if is_file:
        raise PublishError(f"{out} is a file. Name a folder for the site.")
    if is_foreign:
        raise PublishError(
            f"{out} contains files that lexurn did not write; nothing was changed. "
            f"Name a new or an empty folder (a site of lexurn contains a file {MARKER})."
        )


def refuse_emptying(out: Path) -> None:
    """Refuse to replace the catalogue of earlier runs by an empty one; nothing is changed.

    Raises:
        PublishError: there are pages in the folder.
    """
    with explain_disk_errors(out):
        has_pages = (out / _PAGES_FOLDER).is_dir()
    if has_pages:
        raise PublishError(
            f"No name can be published, but {out} contains pages of earlier runs; nothing was "
            "changed. Check the manifest, or use --force."
        )


def refuse_links(path: Path, out: Path) -> None:
    """Refuse a path inside a site that is a symbolic link, or leads through one.

    Raises:
        PublishError: it does.
    """
    walked = str(out)
    for part in path.relative_to(out).parts:
        walked = f"{walked}{os.sep}{part}"
        if os.path.islink(walked):  # noqa: PTH114 - called for each file of a site: quicker
            raise PublishError(
                f"{walked} is a symbolic link. lexurn does not write through links: remove it, or "
                "publish into another folder."
            )


@contextmanager
def explain_disk_errors(path: Path) -> Iterator[None]:
    """Turn errors of the disk into one that names the file and the remedy."""
    try:
        yield
    except OSError as fault:
        remedy = _REMEDIES.get(fault.errno or 0, fault.strerror or str(fault))
        raise PublishError(f"{path} cannot be written: {remedy}") from fault


def make_staging_path(staging: Path) -> Path:
    """Return a new path in the staging folder."""
    return staging / f"{os.getpid()}-{next(_staging_counter)}"


def write_folder(
    folder: Path, files: Mapping[str, bytes], staging: Path, *, is_whole: bool = True
) -> int:
    """Write files into a folder.

    A new folder is made whole in the staging folder, then moved. Where it is there already (a
    further run, or the folder of something nested), each file is replaced by itself, the last one
    last. Other files and folders in it are left alone.

    Args:
        folder: the folder.
        files: the files by their names.
        staging: the staging folder.
        is_whole: whether these are all files of the folder.

    Returns:
        The number of files that had to be written.

    Raises:
        PublishError: the disk refuses, or the folder is behind a symbolic link.
    """
    refuse_links(folder, staging.parent)
    with explain_disk_errors(folder):
        if is_whole and not folder.exists() and _create_folder(folder, files, staging):
            return len(files)
    return sum(write_file(folder / name, content, staging) for name, content in files.items())


def _create_folder(folder: Path, files: Mapping[str, bytes], staging: Path) -> bool:
    """Create a folder; return False where another has taken its place meanwhile."""
    made = make_staging_path(staging)
    made.mkdir()
    for name, content in files.items():
        with explain_disk_errors(folder / name):
            (made / name).write_bytes(content)
    folder.parent.mkdir(parents=True, exist_ok=True)
    try:
        made.rename(folder)
    except OSError as fault:
        if fault.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
            raise
        return False
    return True


def write_file(path: Path, content: bytes, staging: Path) -> bool:
    """Write a file atomically; return False where it has this content already.

    Raises:
        PublishError: the disk refuses, or the file is behind a symbolic link.
    """
    refuse_links(path, staging.parent)
    with explain_disk_errors(path):
        try:
            if path.read_bytes() == content:
                return False
        except FileNotFoundError:
            path.parent.mkdir(parents=True, exist_ok=True)
        made = make_staging_path(staging)
        made.write_bytes(content)
        made.replace(path)
    return True


def move_file(path: Path, made: Path, staging: Path) -> bool:
    """Move a finished file into its place; return False where an equal one is there already.

    Raises:
        PublishError: the disk refuses, or the file is behind a symbolic link.
    """
    refuse_links(path, staging.parent)
    with explain_disk_errors(path):
        if path.is_file() and filecmp.cmp(path, made, shallow=False):
            made.unlink()
            return False
        made.replace(path)
    return True
