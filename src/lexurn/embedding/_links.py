"""Symbolic links: followed inside of a folder, refused out of it."""

from __future__ import annotations

import os
from pathlib import Path

from lexurn.embedding._findings import EmbeddingError, finding

__all__ = ["followed"]


def followed(path: Path, folder: Path | None = None) -> Path:
    """The file that a path leads to.

    Args:
        path: the path.
        folder: the folder that it must lie in; the path's own where the path is a link, and else
            any, where none is given.

    Raises:
        EmbeddingError: a link leads out of the folder.
    """
    if folder is None and not os.path.islink(path):  # noqa: PTH114 - for names too long, too
        return path
    target = Path(os.path.realpath(path))
    if not _is_below(target, path.parent if folder is None else folder):
        raise EmbeddingError(finding("LX306", str(path), target=target))
    return target


def _is_below(target: Path, folder: Path) -> bool:
    """Whether a path without links lies in a folder, or in one below it."""
    return target.is_relative_to(os.path.realpath(folder))
