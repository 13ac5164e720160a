"""What a process is asked to do, and what it may take."""

from __future__ import annotations

import math
import sys
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["MEGABYTE", "Limits", "Task"]

MEGABYTE: Final = 1 << 20
_LONGEST: Final = min(366 * 24 * 3_600, threading.TIMEOUT_MAX)  # some systems wait no year
_LARGEST: Final = sys.maxsize // MEGABYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """What the process is to do.

    Attributes:
        how: what ``place`` is: a ``catalogue`` for reading, or one that an ``update`` changes; the
            folder of a ``store``; or a word for messages on sent ``quads`` or a ``server``.
        place: where.
        text: the SPARQL.
        endpoint: the server: the fields of an `Endpoint`.
        may_call: whether the engine may ask other servers. Where it may not, the process of a
            catalogue in a folder or of sent quads can open no connection, if the system can do it.
        wait: how many seconds to wait for others that use the catalogue, beside those of the query.
    """

    how: Literal["catalogue", "update", "store", "quads", "server"]
    place: str
    text: str
    endpoint: Mapping[str, object] | None = None
    may_call: bool = False
    wait: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What the process may take.

    Attributes:
        timeout: seconds that may be waited for it, all together, a year at most; None without end.
        memory: whole megabytes for the query; None for what there is.
        most: after how many lines of an answer it ends; None for all.

    Raises:
        CatalogueError: a limit is none that can be kept.
    """

    timeout: float | None = None
    memory: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        timeout, memory = self.timeout, self.memory
        if timeout is not None and not (math.isfinite(timeout) and 0 <= timeout <= _LONGEST):
            raise CatalogueError(
                f"a query cannot be held to {timeout:g} seconds; give a number from 0 to "
                f"{_LONGEST:,.0f}, or none for as long as it takes"
            )
        if memory is not None and not _is_whole(memory, _LARGEST):
            raise CatalogueError(
                f"a query cannot be held to {memory} megabytes; give a whole number from 1 to "
                f"{_LARGEST:,}, or none for all there is"
            )


def _is_whole(number: float, most: int) -> bool:
    return isinstance(number, int) and 1 <= number <= most
