"""From pieces to values: each piece is read by the function of its production, and remembered.

Pieces recur from name to name (authorities, measures, days), so reading the same one again costs a
look-up. Only short pieces are remembered, so that the memory stays small whatever is read.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar, cast

from lexurn.name._codes import CODES, Fault
from lexurn.name._edition import read_expression, read_manifestation, read_partition
from lexurn.name._findings import Reading, Severity
from lexurn.name._leaf import FATAL, Parsed, shifted
from lexurn.name._pieces import PREFIX, SEPARATORS, Pieces
from lexurn.name._values import Parts
from lexurn.name._work import (
    read_annex,
    read_authority,
    read_details,
    read_jurisdiction,
    read_measure,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from lexurn.name._values import Annex

__all__ = ["SHORT", "Read", "Weighed", "read_pieces", "remembered"]

T = TypeVar("T")

SHORT = 512


class Weighed(NamedTuple, Generic[T]):
    """What was read of a piece.

    Attributes:
        value: the value; none where the weight is two.
        text: the canonical text of the value.
        weight: how many readings the worst fault is an error in; one is the grammar. Less than none
            where nothing was found.
        faults: what was found, offsets relative to the piece.
    """

    value: T
    text: str
    weight: int
    faults: tuple[Fault, ...]


class Read(NamedTuple):
    """All that was read of a text.

    Attributes:
        parts: the parts that could be read.
        canonical: the canonical text, if the name is valid.
        faults: what was found, offsets in the text.
    """

    parts: Parts
    canonical: str
    faults: tuple[Fault, ...]


class _Remembered(NamedTuple):
    """The readers of all pieces, by the field of `Pieces`."""

    jurisdiction: Callable[[str], Weighed[Any]]
    authority: Callable[[str], Weighed[Any]]
    measure: Callable[[str], Weighed[Any]]
    details: Callable[[str], Weighed[Any]]
    annexes: Callable[[str], Weighed[Any]]
    expression: Callable[[str], Weighed[Any]]
    manifestation: Callable[[str], Weighed[Any]]
    partition: Callable[[str], Weighed[Any]]


def _weighed(reader: Callable[[str], Parsed[T]], text: str) -> Weighed[T]:
    value, canonical, faults = reader(text)
    weights = (
        sum(CODES[fault.code].severity(reading) is Severity.ERROR for reading in Reading)
        for fault in faults
    )
    return Weighed(cast("T", value), canonical, max(weights, default=-1), faults)


def _remembering(reader: Callable[[str], Parsed[T]]) -> Callable[[str], Weighed[T]]:
    """The reader, remembering what it read."""

    @lru_cache(maxsize=4096)
    def read(text: str) -> Weighed[T]:
        return _weighed(reader, text)

    return read


_READERS: tuple[Callable[[str], Parsed[Any]], ...] = (
    read_jurisdiction,
    read_authority,
    read_measure,
    read_details,
    read_annex,
    read_expression,
    read_manifestation,
    read_partition,
)
remembered = _Remembered(*map(_remembering, _READERS))


def read_pieces(pieces: Pieces) -> Read:
    """Read every piece of a name, up to details that have no numbers."""
    values: dict[str, Any] = {}
    annexes: list[Annex] = []
    texts = [PREFIX]
    faults = list(pieces.faults)
    for field, text, start in pieces.placed():
        value, canonical, _, found = _read_piece(field, text)
        faults += shifted(found, start)
        texts.append(SEPARATORS.get(field, ":") + canonical)
        if field != "annexes":
            values[field] = value
        elif value is not None:
            annexes.append(value)
        if field == "details" and ";" not in text:
            break
    if ";" not in (pieces.details or ""):
        faults = _without_sequels(faults)
    parts = Parts(**values, annexes=tuple(annexes), components=pieces.components)
    return Read(parts, "".join(texts), tuple(faults))


def _read_piece(field: str, text: str) -> Weighed[Any]:
    """Read one piece; long ones are not remembered."""
    if len(text) <= SHORT:
        read: Weighed[Any] = getattr(remembered, field)(text)
        return read
    return _weighed(_READERS[_Remembered._fields.index(field)], text)


def _without_sequels(faults: list[Fault]) -> list[Fault]:
    """The faults up to the first error: where elements are missing, what follows comes of that."""
    first = min((f for f in faults if f.code in FATAL), key=lambda fault: fault.start)
    return [first, *(f for f in faults if f.end <= first.start and f.code not in FATAL)]
