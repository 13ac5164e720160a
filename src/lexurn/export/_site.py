"""The folder of a site: ours or not, one run at a time, nothing half-made left behind."""

from __future__ import annotations

import shutil
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING

from lexurn.errors import PublishError
from lexurn.export._disk import naming

try:
    import fcntl
except ImportError:  # pragma: no cover - a system without file locks: runs are not kept apart
    fcntl = None  # type: ignore[assignment]  # None says so

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["MARKER", "opened_site", "refuse_emptying", "refuse_foreign"]

MARKER = ".lexurn"
"""The file by which a folder is known as ours."""
_STAGING = ".lexurn-new"
_PAGES = "lex"
_NOTE = b"lexurn publish writes this folder. Without this file it refuses to.\n"


@contextmanager
def opened_site(out: Path) -> Iterator[Path]:
    """Open the folder of a site for one run, and make it if it is absent.

    Yields:
        The folder, on the same disk, where things are made before they are moved into place. What
        an interrupted run left there is gone; at the end it is gone itself.

    Raises:
        PublishError: the folder holds files and is not ours, another run is writing into it, or it
            cannot be written.
    """
    refuse_foreign(out)
    staging = out / _STAGING
    with naming(out):
        out.mkdir(parents=True, exist_ok=True)
        marker = (out / MARKER).open("a+b")
    with marker:
        with naming(out / MARKER):
            _lock(marker, out)
            _sign(marker)
            shutil.rmtree(staging, ignore_errors=True)
            staging.mkdir(exist_ok=True)
        try:
            yield staging
        finally:
            shutil.rmtree(staging, ignore_errors=True)


def refuse_foreign(out: Path) -> None:
    """Refuse a folder that holds files and is not ours; nothing in it is touched.

    Raises:
        PublishError: it is one, or it cannot be read.
    """
    with naming(out):
        stray = out.exists() and not out.is_dir()
    if stray:
        raise PublishError(f"{out} is a file; name a folder for the site")
    with naming(out):
        foreign = out.is_dir() and not (out / MARKER).is_file() and any(out.iterdir())
    if foreign:
        raise PublishError(
            f"{out} holds files that lexurn did not write, nothing was touched; "
            f"name a new or an empty folder (a folder of ours holds a file {MARKER})"
        )


def refuse_emptying(out: Path) -> None:
    """Refuse to put a catalogue of nothing over that of earlier runs; nothing is touched.

    Raises:
        PublishError: there are pages in the folder.
    """
    with naming(out):
        full = (out / _PAGES).is_dir()
    if full:
        raise PublishError(
            f"no name can be published, but {out} holds pages of earlier runs, so nothing was "
            "touched; look at the manifest, or use --force"
        )


def _lock(marker: IO[bytes], out: Path) -> None:
    if fcntl is None:  # pragma: no cover - see the import
        return
    try:
        fcntl.flock(marker, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise PublishError(f"another run is writing into {out}; wait for it, or stop it") from None


def _sign(marker: IO[bytes]) -> None:
    marker.seek(0)
    if marker.read() != _NOTE:
        marker.truncate(0)
        marker.write(_NOTE)
        marker.flush()
