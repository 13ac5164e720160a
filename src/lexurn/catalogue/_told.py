"""Who is told of an index of names that is made again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.manifest import RowFinding

__all__ = ["NOBODY", "Told"]


def _silent(_: object) -> None:
    """Say nothing."""


class Told(NamedTuple):
    """What is called.

    Attributes:
        progress: with how many alias sets were done.
        finding: with what the store holds that cannot be read as records.
    """

    progress: Callable[[int], None] = _silent
    finding: Callable[[RowFinding], None] = _silent


NOBODY: Final = Told()
