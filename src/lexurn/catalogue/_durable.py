"""Small files that are whole, or as before, even after a power cut."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["staged_beside", "write_durably"]


def staged_beside(path: Path) -> Path:
    """Where a file is written before it takes its place; a process that died may have left it."""
    return path.with_name(f"{path.name}.new")


def write_durably(path: Path, text: str) -> None:
    """Write a file, and come back when it would survive a power cut.

    Raises:
        OSError: it cannot be written; what was there is there still.
    """
    staged = staged_beside(path)
    with staged.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    staged.replace(path)
    if os.name == "posix":  # elsewhere folders cannot be opened
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
