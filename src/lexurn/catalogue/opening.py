"""Opening of catalogues: a folder of this machine, or a SPARQL server for reading."""

from __future__ import annotations

from contextlib import closing, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.catalogue.files import (
    INDEX_FILE,
    LOCK_FILE,
    STORE_FOLDER,
    hold_lock,
    is_catalogue,
    make_sample_uri,
    refuse_without_marker,
)
from lexurn.catalogue.folder import FolderCatalogue, is_in_step
from lexurn.catalogue.index import STALE, Index
from lexurn.errors import CatalogueError
from lexurn.store import is_remote

if TYPE_CHECKING:
    from lexurn.catalogue.catalogue import Catalogue
    from lexurn.catalogue.index import RebuildOptions
    from lexurn.catalogue.server import ServerCatalogue


def open_catalogue(
    place: str | Path, *, write: bool = False, base: str | None = None, wait: float = 0.0
) -> Catalogue:
    """Open a catalogue in a folder; `open_server` opens one on a server.

    Args:
        place: the folder.
        write: whether it may be changed; a folder that is absent or empty then becomes one.
        base: the start of HTTP-URI equivalents, for a new one; they stand in its graph.
        wait: how many seconds to wait for another process that has it open.

    Raises:
        CatalogueError: it is absent, in use, damaged, made by another version, or no catalogue;
            or the place is a server.
        ValueError: ``base`` is no base of HTTP URIs.
    """
    if base is not None:
        make_sample_uri(base)
    if is_remote(str(place)):
        with open_server(str(place)) as server:  # raises if the URL is wrong
            raise CatalogueError(
                f"{server.place} is a SPARQL server, which is only queried. Work on a folder, then "
                "mirror it there with lexurn catalogue push."
            )
    return open_folder(Path(place), write=write, base=base, wait=wait)


def open_server(place: str) -> ServerCatalogue:
    """Open a catalogue on a SPARQL 1.1 server for reading.

    Args:
        place: the URL of its query endpoint, or a TOML file that names its endpoints.

    Raises:
        CatalogueError: the place is not a server, or credentials cannot be read.
    """
    from lexurn.catalogue.server import ServerCatalogue  # noqa: PLC0415 - needs an extra

    return ServerCatalogue(place)


def open_readable(place: str | Path, *, wait: float = 0.0) -> Catalogue | ServerCatalogue:
    """Open a catalogue in a folder or on a server for reading; as `open_catalogue`."""
    if is_remote(str(place)):
        return open_server(str(place))
    return open_folder(Path(place), write=False, base=None, wait=wait)


def open_folder(folder: Path, *, write: bool, base: str | None, wait: float) -> FolderCatalogue:
    """Open the catalogue in a folder; as `open_catalogue`."""
    if not write:
        refuse_without_marker(folder)
        if not is_catalogue(folder):
            raise CatalogueError(f"{folder} is not a catalogue. Make one: lexurn catalogue load.")
        if not (folder / INDEX_FILE).is_file():
            raise CatalogueError(
                f"{folder}: the index of names is lost. Rebuild it: lexurn catalogue rebuild."
            )
        _finish_interrupted(folder)
    return FolderCatalogue(folder, write=write, wait=wait, base=base)


def rebuild_folder(folder: Path, *, wait: float, told: RebuildOptions) -> FolderCatalogue:
    """Return the catalogue in a folder with its index rebuilt, open for writing.

    Raises:
        CatalogueError: there is none, it is in use, or its store cannot be read.
    """
    refuse_without_marker(folder)
    if not is_catalogue(folder):
        raise CatalogueError(f"{folder} is not a catalogue. Make one: lexurn catalogue load.")
    with hold_lock(folder / LOCK_FILE, write=True, wait=wait):
        is_current = _is_current(folder)
    catalogue = FolderCatalogue(folder, write=True, wait=wait, told=told)
    if is_current:
        try:
            catalogue.rebuild()
        except BaseException:
            catalogue.close()
            raise
    return catalogue


def _is_current(folder: Path) -> bool:
    """Return whether an index is sound and in step with the store.

    Opening for writing rebuilds one that is not. It is marked as stale in its own file, which
    others may have open, or deleted if it is damaged.
    """
    names = folder / INDEX_FILE
    try:
        with closing(Index(names, write=True)) as index:
            if index.is_sound():
                is_current = not index.setting(STALE) and is_in_step(index, folder / STORE_FOLDER)
                if not is_current:
                    index.set(STALE, "yes")
                return is_current
    except CatalogueError:
        pass
    for file in folder.glob(f"{INDEX_FILE}*"):
        file.unlink()
    return False


def _finish_interrupted(folder: Path) -> None:
    """Complete the change of a process that died, if nobody else does."""
    index = Index(folder / INDEX_FILE)
    try:
        is_half_done = index.is_pending()
    finally:
        index.close()
    if is_half_done:
        # A live writer has the lock, and completes it itself; a reader who may not write, or has
        # no space, reads what was held before.
        with suppress(CatalogueError):
            FolderCatalogue(folder, write=True, wait=0).close()
