"""Alias sets that a store holds, but that cannot be read: known by a fault of their own.

Nothing of the kind is in a catalogue that only this package writes to, one update after the other.
A server may hold what others wrote, or what a change left that broke off half way.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, runtime_checkable

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.catalogue._protocols import Holdings

__all__ = ["Mended", "Mending", "UnreadableError", "unsaid"]


class UnreadableError(CatalogueError):
    """An alias set is held so that it cannot be read; of all others nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Mended:
    """An alias set that was read as far as it can be.

    Attributes:
        key: its canonical act, as far as that is known.
        fault: why it cannot be read whole.
        lost: what was left out: the name (canonical text) of which it is stated, and the fault.
    """

    key: str
    fault: str
    lost: tuple[tuple[str, str], ...]


def unsaid(_: Mended) -> None:
    """Tell nobody: it does not matter here what was left out, or is told elsewhere."""


@runtime_checkable
class Mending(Protocol):
    """Holdings that may hold what cannot be read."""

    def as_far_as_readable(self, on_mended: Callable[[Mended], None]) -> Holdings:
        """The same, but of what cannot be read whole all that can be read of it.

        Args:
            on_mended: is told of each alias set of which something was left out.
        """
        ...
