"""The files of a folder: those that may take a name, and what was left behind there."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.embedding._document import opened
from lexurn.embedding._findings import EmbeddingError
from lexurn.embedding._formats import formats
from lexurn.embedding._sidecar_names import SUFFIXES, document_beside
from lexurn.embedding._sniff import key_of
from lexurn.files import is_leftover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["documents_in", "is_document", "relative"]


def documents_in(
    folder: Path,
    *,
    is_document: Callable[[Path], bool] | None = None,
    on_error: Callable[[OSError], None] | None = None,
) -> Iterator[Path]:
    """The files below a folder that by their suffixes may take a name, sorted; and leftovers.

    Files that have their names beside them are among these, and sidecars whose files are gone.

    Hidden files and folders are left out, and links to folders are not followed.

    Args:
        folder: the folder.
        is_document: whether a file of another suffix is one too; without it none is.
        on_error: is told of folders that cannot be read.
    """
    suffixes = frozenset(suffix for each in formats() for suffix in each.suffixes)
    for place, folders, files in os.walk(folder, onerror=on_error):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        known = frozenset(files)
        for file in sorted(files):
            path = Path(place, file)
            if (
                is_leftover(file)
                or _stands_beside(file, known)
                or _may_take(file, suffixes)
                or (is_document is not None and not _is_hidden(file) and is_document(path))
            ):
                yield path


def is_document(path: Path) -> bool:
    """Whether a file is a document by what is in it, whatever its suffix."""
    try:
        with opened(path) as document:
            return bool(document.size) and key_of(document)[0] is not None
    except EmbeddingError:
        return False


def _stands_beside(file: str, known: frozenset[str]) -> bool:
    """Whether a file has a sidecar, or is one whose document is gone."""
    document = document_beside(file)
    is_orphan = document is not None and document not in known
    return is_orphan or not known.isdisjoint(file + suffix for suffix in SUFFIXES)


def _is_hidden(file: str) -> bool:
    return file.startswith(".") or file.endswith(tuple(SUFFIXES))


def _may_take(file: str, suffixes: frozenset[str]) -> bool:
    return not _is_hidden(file) and Path(file).suffix.lower() in suffixes


def relative(path: Path, folder: Path) -> str:
    """A path as seen from a folder, with ``/`` between its parts."""
    return path.relative_to(folder).as_posix()
