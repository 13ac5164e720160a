"""A head and its specifications, parted by semicolons: the shape that most elements have."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.name._leaf import Kind, Parsed, read_leaf, shifted

if TYPE_CHECKING:
    from lexurn.name._codes import Fault

__all__ = ["read_series"]


def read_series(text: str, kind: Kind, head: str, rest: str) -> Parsed[tuple[str, ...]]:
    """Read ``head *(";" rest)`` by one character rule; ``head`` and ``rest`` are components."""
    pieces = text.split(";")
    if all(map(kind.clean.fullmatch, pieces)):
        return Parsed(tuple(pieces), text)
    values: list[str | None] = []
    texts: list[str] = []
    faults: list[Fault] = []
    start = 0
    for piece in pieces:
        read = read_leaf(piece, kind, rest if values else head)
        values.append(read.value)
        texts.append(read.text)
        faults += shifted(read.faults, start)
        start += len(piece) + 1
    known = tuple(value for value in values if value is not None)
    whole = known if len(known) == len(values) else None
    return Parsed(whole, ";".join(texts), tuple(faults))
