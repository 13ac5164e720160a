"""How an index of names is made again, and who is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.manifest import RowFinding

__all__ = ["NOBODY", "Told"]


def _silent(_: object) -> None:
    """Say nothing."""


class Told(NamedTuple):
    """What is called, and how many processes do the work.

    Attributes:
        progress: with how many alias sets were done.
        finding: with what the store holds that cannot be read as records.
        jobs: how many processes read records and build families; None for one a processor.
    """

    progress: Callable[[int], None] = _silent
    finding: Callable[[RowFinding], None] = _silent
    jobs: int | None = None


NOBODY: Final = Told()
