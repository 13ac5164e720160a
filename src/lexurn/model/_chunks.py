"""Families in portions: what one process holds and works on at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.model._family import Family

__all__ = ["chunks_of"]


def chunks_of(families: Iterable[Family], names: int = 1_000) -> Iterator[tuple[Family, ...]]:
    """The families in tuples, in their order, each of about ``names`` names, one family or more.

    A family is never cut: it is one unit of work, however many names it has.
    """
    chunk: list[Family] = []
    held = 0
    for family in families:
        chunk.append(family)
        held += len(family.records)
        if held >= names:
            yield tuple(chunk)
            chunk, held = [], 0
    if chunk:
        yield tuple(chunk)
