"""The files of a folder: those that may take a name, and what was left behind there."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.embedding._formats import formats
from lexurn.embedding._sidecar_reading import SUFFIXES, document_beside

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["documents_in", "is_leftover", "relative"]

_LEFTOVER = re.compile(r"\..{1,40}\.[0-9a-f]{16}\.part", re.DOTALL)


def documents_in(folder: Path) -> Iterator[Path]:
    """The files below a folder that by their suffixes may take a name, sorted; and leftovers.

    Files that have their names beside them are among these, and sidecars whose files are gone.

    Hidden files and folders are left out, and links to folders are not followed.
    """
    suffixes = frozenset(suffix for each in formats() for suffix in each.suffixes)
    for place, folders, files in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        known = frozenset(files)
        for file in sorted(files):
            has_sidecar = not known.isdisjoint(file + suffix for suffix in SUFFIXES)
            is_orphan = document_beside(file) not in {None, *known}
            if is_orphan or is_leftover(file) or has_sidecar or _may_take(file, suffixes):
                yield Path(place, file)


def _may_take(file: str, suffixes: frozenset[str]) -> bool:
    if file.startswith(".") or file.endswith(tuple(SUFFIXES)):
        return False
    return Path(file).suffix.lower() in suffixes


def is_leftover(file: str) -> bool:
    """Whether a file was left behind by a run that was killed, going by its name."""
    return _LEFTOVER.fullmatch(file) is not None


def relative(path: Path, folder: Path) -> str:
    """A path as seen from a folder, with ``/`` between its parts."""
    return path.relative_to(folder).as_posix()
