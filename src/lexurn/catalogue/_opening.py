"""The opening of a catalogue in a folder: for reading, for writing, with an index made again."""

from __future__ import annotations

from contextlib import closing, suppress
from typing import TYPE_CHECKING

from lexurn.catalogue._about import LOCK, NAMES, STORE, is_catalogue, refuse_headless
from lexurn.catalogue._folder import FolderCatalogue
from lexurn.catalogue._generation import is_in_step
from lexurn.catalogue._index import STALE, Index
from lexurn.catalogue._lock import locked
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.catalogue._told import Told

__all__ = ["open_folder", "rebuilt_folder"]


def open_folder(folder: Path, *, write: bool, base: str | None, wait: float) -> FolderCatalogue:
    """Open the catalogue in a folder; as `open_catalogue`."""
    if not write:
        refuse_headless(folder)
        if not is_catalogue(folder):
            raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
        if not (folder / NAMES).is_file():
            raise CatalogueError(
                f"{folder}: the index of names is lost; make it again: lexurn catalogue rebuild"
            )
        _finish(folder)
    return FolderCatalogue(folder, write=write, wait=wait, base=base)


def rebuilt_folder(folder: Path, *, wait: float, told: Told) -> FolderCatalogue:
    """The catalogue in a folder with an index made again, open for writing.

    Raises:
        CatalogueError: there is none, it is in use, or its store cannot be read.
    """
    refuse_headless(folder)
    if not is_catalogue(folder):
        raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
    with locked(folder / LOCK, write=True, wait=wait):
        is_current = _is_current(folder)
    catalogue = FolderCatalogue(folder, write=True, wait=wait, told=told)
    if is_current:
        _rebuild(catalogue)
    return catalogue


def _rebuild(catalogue: FolderCatalogue) -> None:
    try:
        catalogue.rebuild()
    except BaseException:
        catalogue.close()
        raise


def _is_current(folder: Path) -> bool:
    """Whether an index is sound and in step with the store.

    One that is not is made again by whoever opens it to write: it is marked in its own file, which
    others may have open, or taken away where it is damaged.
    """
    names = folder / NAMES
    try:
        with closing(Index(names, write=True)) as index:
            if index.is_sound():
                is_current = not index.setting(STALE) and is_in_step(index, folder / STORE)
                if not is_current:
                    index.set(STALE, "yes")
                return is_current
    except CatalogueError:
        pass
    for file in folder.glob(f"{NAMES}*"):
        file.unlink()
    return False


def _finish(folder: Path) -> None:
    """Do what a process that died has left half done, where nobody else is at it."""
    index = Index(folder / NAMES)
    try:
        is_half_done = index.is_pending()
    finally:
        index.close()
    if is_half_done:
        # A live writer has the lock, and will do it itself; who may not write, or has no room to,
        # reads what was held before.
        with suppress(CatalogueError):
            FolderCatalogue(folder, write=True, wait=0).close()
