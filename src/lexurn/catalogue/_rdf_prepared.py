"""What is said of alias sets made ready for a catalogue, in any process: quads and index rows."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lexurn.catalogue._rdf_built import build_rdf
from lexurn.catalogue._rows import rows_of
from lexurn.graph import nquads_of
from lexurn.model import lots_of
from lexurn.shacl import verdicts_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.catalogue._rdf_built import RdfBuilt
    from lexurn.catalogue._rdf_spool import RdfGroup
    from lexurn.catalogue._rows import FamilyRows
    from lexurn.model import Family

__all__ = ["PreparedRdf", "prepared_rdf", "reindexed_rdf", "tasks_of", "undated_rows"]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedRdf:
    """What some alias sets of a source are to a catalogue that holds none of them.

    Attributes:
        rows: of the index, one for each.
        places: of the groups that these were made from, among those given.
        nquads: of all; empty where only the rows were asked for.
        settled: for `RdfSource.settle`: what was turned down, without the families.
        names: how many names they have.
        is_sound: whether it was asked if any of them breaks a shape, and none does.
    """

    rows: tuple[FamilyRows, ...]
    places: tuple[int, ...]
    nquads: bytes
    settled: tuple[RdfBuilt, ...]
    names: int
    is_sound: bool


def tasks_of(groups: Iterable[RdfGroup], nodes: int) -> Iterator[tuple[tuple[RdfGroup, ...]]]:
    """The groups as tasks for workers, in their order, each of about ``nodes`` nodes."""
    return ((lot,) for lot in lots_of(groups, lambda group: len(group.parts), nodes))


def prepared_rdf(
    groups: Sequence[RdfGroup], *, as_of: dt.date, base: str | None, check: bool
) -> PreparedRdf:
    """Make some alias sets ready for a load.

    Args:
        groups: of `RdfSource.groups`.
        as_of: the day for which the version in force is asked.
        base: what HTTP-URI equivalents begin with, or None.
        check: whether it is asked if any breaks a shape.
    """
    families, places, settled = _built(groups)
    nquads = [nquads_of(family, as_of=as_of, base=base) for family in families]
    return PreparedRdf(
        rows=tuple(rows_of(f, n, as_of) for f, n in zip(families, nquads, strict=True)),
        places=places,
        nquads=b"".join(nquads),
        settled=settled,
        names=sum(len(family.records) for family in families),
        is_sound=check and not verdicts_on(families, as_of=as_of, base=base).broken,
    )


def reindexed_rdf(groups: Sequence[RdfGroup]) -> PreparedRdf:
    """Make some alias sets that a store holds ready for its index."""
    families, places, settled = _built(groups)
    return PreparedRdf(
        rows=tuple(map(undated_rows, families)),
        places=places,
        nquads=b"",
        settled=settled,
        names=sum(len(family.records) for family in families),
        is_sound=False,
    )


def undated_rows(family: Family) -> FamilyRows:
    """The rows of a family in a store.

    Nobody knows as of which day the store says what is in force, nor all of its quads.
    """
    return replace(rows_of(family, b"", dt.date.min), digest=b"")


def _built(
    groups: Iterable[RdfGroup],
) -> tuple[list[Family], tuple[int, ...], tuple[RdfBuilt, ...]]:
    families: list[Family] = []
    places: list[int] = []
    settled: list[RdfBuilt] = []
    for place, group in enumerate(groups):
        built = build_rdf(group)
        families += built.families
        places += [place] * len(built.families)
        if built.rejected or built.oversize is not None:
            settled.append(replace(built, families=()))
    return families, tuple(places), tuple(settled)
