"""Things in portions: what one process holds and works on at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.model._family import Family

__all__ = ["chunks_of", "lots_of"]

T = TypeVar("T")


def chunks_of(families: Iterable[Family], names: int = 1_000) -> Iterator[tuple[Family, ...]]:
    """The families in tuples, in their order, each of about ``names`` names, one family or more.

    A family is never cut: it is one unit of work, however many names it has.
    """
    return lots_of(families, lambda family: len(family.records), names)


def lots_of(things: Iterable[T], size: Callable[[T], int], enough: int) -> Iterator[tuple[T, ...]]:
    """The things in tuples, in their order, each as long as it takes to have ``enough`` in size."""
    lot: list[T] = []
    held = 0
    for thing in things:
        lot.append(thing)
        held += size(thing)
        if held >= enough:
            yield tuple(lot)
            lot, held = [], 0
    if lot:
        yield tuple(lot)
