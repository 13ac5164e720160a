"""What is said where the disk does not hold what a run keeps there for its own use."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    import sqlite3

__all__ = ["no_room"]


def no_room(fault: sqlite3.Error | OSError) -> EmbeddingError:
    """The error that the temporary folder cannot be written."""
    return EmbeddingError(finding("LX358", tempfile.gettempdir(), why=fault))
