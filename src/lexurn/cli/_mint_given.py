"""Names that ``lexurn mint --catalogue`` gives out."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lexurn.cli._parse import json_line
from lexurn.cli._screen import visible, write
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.catalogue import Given
    from lexurn.cli._mint_rows import Row
    from lexurn.minting import Minted
    from lexurn.registry import Registry

__all__ = ["BATCH", "batches_of", "give_all", "minted_of", "show_waiting"]

BATCH: Final = 100
"""How many names are given out at once: others wait meanwhile."""


def batches_of(rows: Iterator[Row], size: int) -> Iterator[Sequence[Row]]:
    """Rows some at a time; where no more can be read, first those that could."""
    is_over = False
    while not is_over:
        some: list[Row] = []
        try:
            some.extend(islice(rows, size))
        except LexurnError:
            yield some
            raise
        is_over = len(some) < size
        yield some


def give_all(
    given: Given,
    batches: Iterable[Sequence[Row]],
    mint: Callable[[Row], Minted],
    show: Callable[[str, Minted], None],
) -> bool:
    """Give out the names of all rows; whether each row has one.

    A name is shown only when it is given out for good.
    """
    good = True
    for rows in batches:
        with given.together():
            done = [(row.place, mint(row)) for row in rows]
        for place, minted in done:
            show(place, minted)
            good = good and minted.valid
    return good


def minted_of(given: Given, row: Row, *, registry: Registry, again: bool) -> Minted:
    """What becomes of a row; with ``again``, it keeps the name that it has."""
    from lexurn.minting import Minted

    if row.fields is None:
        return Minted(name=None)
    # A table may be read from another folder the next time.
    place = Path(row.place).name
    return given.mint(row.fields, registry=registry, place=place, again=again)


def show_waiting(given: Given, form: str) -> None:
    """List the names that were given out and are not held: when, and for which row."""
    keys = ("name", "given_on", "place")
    for each in given.waiting():
        stated = (each.name, each.given_on.isoformat(), each.place)
        if form == "jsonl":
            write(json_line(dict(zip(keys, stated, strict=True))))
        else:
            write("\t".join(map(visible, stated)).rstrip("\t"))
