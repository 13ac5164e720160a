"""Folder of a site: one run at a time, files whole or absent, no writing through links."""

from __future__ import annotations

import errno
import filecmp
import itertools
import os
import shutil
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.errors import PublishError
from lexurn.files import try_lock

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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
def open_site(out: Path) -> Iterator[SiteFolder]:
    """Open the folder of a site for one run, and make it if it is absent.

    Its staging folder, on the same disk, is emptied first, and removed at the end. There, files
    are made before they are moved into place.

    Raises:
        PublishError: the folder holds files and is not a site, its files for lexurn are links,
            another run is writing into it, or it cannot be written.
    """
    refuse_foreign(out)
    site = SiteFolder(out)
    staging = site.find_path(STAGING_FOLDER)
    site.find_path(MARKER)
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
            yield site
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def is_site(out: Path) -> bool:
    """Return whether a folder is a site that lexurn has written."""
    with explain_disk_errors(out):
        return (out / MARKER).is_file()


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


def refuse_emptying(out: Path, *, rejected: int) -> None:
    """Refuse to publish an empty site of rejected rows alone, or in place of earlier pages.

    Raises:
        PublishError: rows were rejected, or there are pages in the folder.
    """
    with explain_disk_errors(out):
        has_pages = (out / _PAGES_FOLDER).is_dir()
    if has_pages:
        raise PublishError(
            f"No name can be published, but {out} contains pages of earlier runs; nothing was "
            "changed. Check the manifest, or use --force."
        )
    if rejected:
        raise PublishError(
            "No row is valid; nothing was published. Correct the manifest, or use --force."
        )


@contextmanager
def explain_disk_errors(path: Path) -> Iterator[None]:
    """Turn errors of the disk into one that names the file and the remedy."""
    try:
        yield
    except OSError as fault:
        remedy = _REMEDIES.get(fault.errno or 0, fault.strerror or str(fault))
        raise PublishError(f"{path} cannot be written: {remedy}") from fault


class SiteFolder:
    """Folder of a site in which files are written, by one process during one run.

    Attributes:
        out: the folder.
    """

    def __init__(self, out: Path) -> None:
        """Store the folder, which `open_site` has opened."""
        self.out = out
        self._staging = out / STAGING_FOLDER
        self._checked: set[str] = set()

    def make_staging_path(self) -> Path:
        """Return a new path where a file can be made before it is moved into place."""
        return self._staging / f"{os.getpid()}-{next(_staging_counter)}"

    def write_folder(self, path: str, files: Mapping[str, bytes], *, is_whole: bool) -> int:
        """Write files into a folder.

        A new folder is made whole in the staging folder, then moved. If it is there already (a
        further run, or the folder of something nested), each file is replaced by itself, the last
        one last. Other files and folders in it are left alone.

        Args:
            path: the path of the folder below the site.
            files: the files by their names.
            is_whole: whether these are all files of the folder.

        Returns:
            The number of files that had to be written.

        Raises:
            PublishError: the disk refuses, or the folder is behind a symbolic link.
        """
        with self._open_path(path) as folder:
            if is_whole and not folder.exists() and self._create_folder(folder, files):
                return len(files)
        return sum(self.write_file(f"{path}/{name}", files[name]) for name in files)

    def _create_folder(self, folder: Path, files: Mapping[str, bytes]) -> bool:
        """Create a folder; return False where another has taken its place meanwhile."""
        made = self.make_staging_path()
        made.mkdir()
        for name, content in files.items():
            (made / name).write_bytes(content)
        try:
            try:
                made.rename(folder)
            except FileNotFoundError:
                folder.parent.mkdir(parents=True, exist_ok=True)
                made.rename(folder)
        except OSError as fault:
            if fault.errno not in {errno.ENOTEMPTY, errno.EEXIST}:
                raise
            return False
        return True

    def write_file(self, path: str, content: bytes) -> bool:
        """Write a file atomically; return False where it has this content already.

        Raises:
            PublishError: the disk refuses, or the file is behind a symbolic link.
        """
        with self._open_path(path) as file:
            try:
                if file.read_bytes() == content:
                    return False
            except FileNotFoundError:
                file.parent.mkdir(parents=True, exist_ok=True)
            made = self.make_staging_path()
            made.write_bytes(content)
            made.replace(file)
        return True

    def move_file(self, made: Path, path: str) -> bool:
        """Move a finished file into its place; return False where an equal one is there already.

        Raises:
            PublishError: the disk refuses, or the file is behind a symbolic link.
        """
        with self._open_path(path) as file:
            if file.is_file() and filecmp.cmp(file, made, shallow=False):
                made.unlink()
                return False
            made.replace(file)
        return True

    def remove_file(self, path: str) -> None:
        """Remove a file, and the folders around it that are empty then.

        Raises:
            PublishError: the disk refuses, or the file is behind a symbolic link.
        """
        with self._open_path(path) as file:
            file.unlink(missing_ok=True)
            for folder in file.parents:
                if folder == self.out or (folder.exists() and any(folder.iterdir())):
                    return
                with suppress(FileNotFoundError):
                    folder.rmdir()

    @contextmanager
    def _open_path(self, path: str) -> Iterator[Path]:
        """Find a path, and explain the errors of the disk there."""
        found = self.find_path(path)
        with explain_disk_errors(found):
            yield found

    def find_path(self, path: str) -> Path:
        """Find a file or a folder by its path below the site.

        Raises:
            PublishError: it is a symbolic link, or behind one.
        """
        walked = str(self.out)
        *folders, last = path.split("/")
        for each in folders:
            walked = f"{walked}{os.sep}{each}"
            if walked not in self._checked:
                _refuse_link(walked)
                self._checked.add(walked)
        walked = f"{walked}{os.sep}{last}"
        _refuse_link(walked)
        return Path(walked)


def _refuse_link(path: str) -> None:
    if os.path.islink(path):  # noqa: PTH114 - quicker, and called for each file
        raise PublishError(
            f"{path} is a symbolic link. lexurn does not write through links: remove it, or "
            "publish into another folder."
        )
