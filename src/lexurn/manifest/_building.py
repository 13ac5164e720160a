"""The rows of one alias set become a family; a function of its argument alone, in any process."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest._faults import Fault, finding_of, finding_of_family
from lexurn.manifest._records import unpacked
from lexurn.model import ModelError, Record, Source, family_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.manifest._faults import RowFinding
    from lexurn.manifest._packed import PackedGroup
    from lexurn.manifest._records import Ranked
    from lexurn.model import Family
    from lexurn.name import Name

__all__ = ["Built", "build_family"]


class Built(NamedTuple):
    """What became of the rows of an alias set.

    Attributes:
        family: the family; None where its rows contradict each other, and all are rejected.
        findings: what is to be said of its rows.
    """

    family: Family | None
    findings: tuple[RowFinding, ...] = ()


def build_family(group: PackedGroup) -> Built:
    """The family of an alias set, and what is odd in it.

    Args:
        group: its rows, of `Manifest.groups`.
    """
    records: list[Record] = []
    ranks: list[tuple[Ranked, Source]] = []
    for row in group.rows:
        source = Source(file=row.file, line=row.line)
        record, ranked = unpacked(row.data, source)
        records.append(record)
        if ranked is not None:
            ranks.append((ranked, source))
    if ranks:
        records += _ranked(ranks, {str(record.name) for record in records})
    try:
        family = family_of(records, group.shared)
    except ModelError as torn:
        return Built(None, tuple(_torn(torn, records)))
    return Built(family, tuple(_oddities(family)))


def _oddities(family: Family) -> Iterator[RowFinding]:
    for found in family.findings:
        at_fault = _source_of(found.names, family)
        if at_fault is not None:
            yield finding_of_family(found, at_fault)


def _torn(torn: ModelError, records: Sequence[Record]) -> Iterator[RowFinding]:
    """What rows contradict each other in a way that only the family shows."""
    names = () if torn.finding is None else torn.finding.names
    at_fault = [record for name in names for record in records if record.name == name]
    source = next((r.source for r in (*at_fault, *records) if r.source is not None), None)
    if source is not None:
        fault = Fault(code="LX538", values={"value": str(torn)})
        yield finding_of(fault, source.file, source.line)


def _source_of(names: Iterable[Name], family: Family) -> Source | None:
    """Where the first of some names that a row describes was read: the one to mend first."""
    sources = [record.source for record in map(family.record, names) if record is not None]
    return next((source for source in sources if source is not None), None)


def _ranked(ranks: Iterable[tuple[Ranked, Source]], known: set[str]) -> Iterator[Record]:
    """Records of versions that no row describes and no date orders: their first row does."""
    for (name, number), source in ranks:
        if name not in known:
            known.add(name)
            yield Record(name=parse(name), version_order=number, source=source)
