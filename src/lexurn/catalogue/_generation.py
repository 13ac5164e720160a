"""The stamp that store and index share: who has another one was lost, or put back from a copy."""

from __future__ import annotations

import time
import uuid
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._durable import write_durably
from lexurn.catalogue._index import GENERATION
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from pathlib import Path

    from lexurn.catalogue._index import Index

__all__ = ["check_generation", "is_in_step", "refuse_half_done", "refuse_torn", "stamp"]

_FILE: Final = "lexurn-generation"
_FIRST: Final = "CURRENT"
_TIMES: Final = 40
_PAUSE: Final = 0.05


def stamp(store: Path) -> str:
    """Put a new stamp on a store; the index gets the same when it knows what the store holds.

    Raises:
        CatalogueError: the folder of the store cannot be written.
    """
    text = uuid.uuid4().hex
    try:
        write_durably(store / _FILE, text)
    except OSError as fault:
        raise CatalogueError(f"{store} cannot be written: {fault.strerror}") from None
    return text


def refuse_torn(store: Path) -> None:
    """Refuse a store that has a stamp, but not the file that its engine begins with.

    Raises:
        CatalogueError: the engine would begin a new store in its place.
    """
    if (store / _FILE).exists() and not (store / _FIRST).exists():
        raise CatalogueError(
            f"{store} is damaged ({_FIRST} is lost); put a copy of the folder back, or load your "
            "sources into a new catalogue (take given.sqlite along)"
        )


def check_generation(index: Index, store: Path) -> None:
    """See that an index is of the store beside it.

    Raises:
        CatalogueError: it is not.
    """
    for _ in range(_TIMES):
        held = _stamp_of(store)
        if index.setting(GENERATION) == held or index.is_pending():
            return
        time.sleep(_PAUSE)  # a writer may be between the two
    raise CatalogueError(
        f"{store.parent}: the store and the index of names are not of one time, one of them was "
        "lost or put back from a copy; run lexurn catalogue rebuild, then load your sources again"
    )


def is_in_step(index: Index, store: Path) -> bool:
    """Whether an index has the stamp of the store beside it."""
    held = _stamp_of(store)
    return held is not None and index.setting(GENERATION) == held


def refuse_half_done(index: Index, folder: Path) -> None:
    """Refuse to begin anything beside what was begun and could not be done to its end.

    Raises:
        CatalogueError: something was, and whoever was told went on all the same.
    """
    if index.is_pending():
        raise CatalogueError(
            f"{folder}: what was begun before could not be done to its end; close the catalogue "
            "and open it again, which does the rest first"
        )


def _stamp_of(store: Path) -> str | None:
    try:
        return (store / _FILE).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None
