"""Families that a load does not take in, and the row that is to be mended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.model import ModelError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from lexurn.model import Family, Record, Source
    from lexurn.shacl import Result

__all__ = ["Refusal", "broken_refusal", "torn_refusal"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A family that was not taken in, since it contradicts what is held or breaks a shape.

    Or what is held of it cannot be read, nor mended.

    Attributes:
        key: the first of its names that a row describes, else its canonical act.
        reason: a sentence.
        results: what breaks a shape.
        source: the file and line of the row at fault, or of the first of several; None where no
            row of a table is.
    """

    key: str
    reason: str
    results: tuple[Result, ...] = ()
    source: Source | None = None


def _reason(results: Sequence[Result]) -> str:
    more = f" (and {len(results) - 1} more)" if len(results) > 1 else ""
    return f"{results[0].focus}: {results[0].message} ({results[0].rule}){more}"


def torn_refusal(family: Family, fault: Exception) -> Refusal:
    """The refusal of a family that contradicts what is held, or cannot be put beside it."""
    found = fault.finding if isinstance(fault, ModelError) else None
    row = _row_of(family, map(str, found.names) if found is not None else ())
    return Refusal(
        key=str(family.key if row is None else row.name),
        reason=str(fault),
        source=row.source if row else None,
    )


def broken_refusal(family: Family | None, key: str, results: tuple[Result, ...]) -> Refusal:
    """The refusal of a family that breaks a shape."""
    row = family and _row_of(family, (each.focus for each in results))
    return Refusal(
        key=str(row.name) if row else key,
        reason=_reason(results),
        results=results,
        source=row.source if row else None,
    )


def _row_of(family: Family, at_fault: Iterable[str]) -> Record | None:
    """The record whose row is to be mended: of a name at fault, else the first that has a row."""
    described = {
        text: record
        for record in family.records
        if record.source is not None
        for text in (str(record.name), record.name.iri)
    }
    known = (described.get(each) for each in at_fault)
    first = next(iter(described.values()), None)
    return next((each for each in known if each is not None), first)
