"""Rows of a manifest made ready for a catalogue, in any process: families, quads, index rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.catalogue._rows import FamilyRows, rows_of
from lexurn.graph import nquads_of
from lexurn.manifest import build_family
from lexurn.shacl import verdicts_on

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from lexurn.manifest import PackedGroup, RowFinding
    from lexurn.model import Family
    from lexurn.shacl import Result

__all__ = ["Prepared", "prepared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """What some alias sets of a manifest are to a catalogue that holds none of them.

    Attributes:
        rows: of the index, one for each good alias set.
        nquads: of all good alias sets.
        places: of the good alias sets, among those given.
        torn: the places of those whose rows contradict each other.
        refused: the places of those that break a shape, each with what breaks it.
        findings: what is to be said of rows, besides.
        names: how many names the good alias sets have.
    """

    rows: tuple[FamilyRows, ...]
    nquads: bytes
    places: tuple[int, ...]
    torn: tuple[int, ...]
    refused: tuple[tuple[int, tuple[Result, ...]], ...]
    findings: tuple[RowFinding, ...]
    names: int


def prepared(
    groups: Sequence[PackedGroup], *, as_of: dt.date, base: str | None, check: bool
) -> Prepared:
    """Make some alias sets ready.

    Args:
        groups: of `lexurn.manifest.Manifest.groups`.
        as_of: the day for which the version in force is asked.
        base: what HTTP-URI equivalents begin with, or None.
        check: whether sets that break a shape are refused.
    """
    built = [build_family(group) for group in groups]
    families = {place: each.family for place, each in enumerate(built) if each.family is not None}
    refused = _refused(families, as_of, base) if check else {}
    names = 0
    rows: list[FamilyRows] = []
    nquads: list[bytes] = []
    for place, family in families.items():
        if place not in refused:
            text = nquads_of(family, as_of=as_of, base=base)
            rows.append(rows_of(family, text, as_of))
            nquads.append(text)
            names += len(family.records)
    return Prepared(
        rows=tuple(rows),
        nquads=b"".join(nquads),
        places=tuple(place for place in families if place not in refused),
        torn=tuple(place for place, each in enumerate(built) if each.family is None),
        refused=tuple(refused.items()),
        findings=tuple(finding for each in built for finding in each.findings),
        names=names,
    )


def _refused(
    families: Mapping[int, Family], as_of: dt.date, base: str | None
) -> dict[int, tuple[Result, ...]]:
    places = tuple(families)
    broken = verdicts_on(tuple(families.values()), as_of=as_of, base=base).broken
    return {places[number]: results for number, results in broken.items()}
