"""Opening of catalogues: a folder of this machine, or a SPARQL server."""

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


def open_catalogue(
    place: str | Path, *, write: bool = False, base: str | None = None, wait: float = 0.0
) -> Catalogue:
    """Open a catalogue.

    Args:
        place: a folder; or the URL of a SPARQL 1.1 server, or a TOML file that names its endpoints.
        write: whether it may be changed; a folder that is absent or empty then becomes one.
        base: what HTTP-URI equivalents begin with, for a new one; they stand in its graph.
        wait: how many seconds to wait for another process that has it open.

    Raises:
        CatalogueError: it is absent, in use, damaged, made by another version, or no catalogue;
            or the place is a URL that is not http or https.
        ValueError: ``base`` is no base of HTTP URIs.
    """
    if base is not None:
        make_sample_uri(base)
    text = str(place)
    if is_remote(text):
        from lexurn.catalogue.server import ServerCatalogue  # noqa: PLC0415  (needs an extra)

        return ServerCatalogue(text, write=write, base=base, wait=wait)

    return open_folder(Path(place), write=write, base=base, wait=wait)


def open_folder(folder: Path, *, write: bool, base: str | None, wait: float) -> FolderCatalogue:
    """Open the catalogue in a folder; as `open_catalogue`."""
    if not write:
        refuse_without_marker(folder)
        if not is_catalogue(folder):
            raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
        if not (folder / INDEX_FILE).is_file():
            raise CatalogueError(
                f"{folder}: the index of names is lost; make it again: lexurn catalogue rebuild"
            )
        _finish_interrupted(folder)
    return FolderCatalogue(folder, write=write, wait=wait, base=base)


def rebuild_folder(folder: Path, *, wait: float, told: RebuildOptions) -> FolderCatalogue:
    """The catalogue in a folder with an index made again, open for writing.

    Raises:
        CatalogueError: there is none, it is in use, or its store cannot be read.
    """
    refuse_without_marker(folder)
    if not is_catalogue(folder):
        raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
    with hold_lock(folder / LOCK_FILE, write=True, wait=wait):
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
    """Do what a process that died has left half done, where nobody else is at it."""
    index = Index(folder / INDEX_FILE)
    try:
        is_half_done = index.is_pending()
    finally:
        index.close()
    if is_half_done:
        # A live writer has the lock, and will do it itself; who may not write, or has no room to,
        # reads what was held before.
        with suppress(CatalogueError):
            FolderCatalogue(folder, write=True, wait=0).close()
