"""Families built from the rows of one alias set, in any process.

Rows travel between processes and through files on disk as plain values.
"""

from __future__ import annotations

import marshal
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest.cells import Fault, place_fault
from lexurn.model import ModelError, Record, Source, family_of, unpack_fields
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.findings import Finding
    from lexurn.manifest.rows import RowValues
    from lexurn.model import Family


class PackedRow(NamedTuple):
    """Good row, read by itself.

    Attributes:
        number: its number among all rows of all tables, bad ones included, from 1.
        act: the canonical text of the act that its name belongs to.
        name: the canonical text of the name that it describes.
        place: the number of its table, from 0.
        line: its first line, from 1; in Parquet the row's number.
        data: its values, packed for this version of Python.
        raw: its bytes, where they are kept for a rejects file.
        alias_of: the canonical name of which its name is stated as an alias.
        alias_act: the act that this one belongs to.
        urls: the URLs of the copies that it names.
    """

    number: int
    act: str
    name: str
    place: int
    line: int
    data: bytes
    raw: bytes | None = None
    alias_of: str | None = None
    alias_act: str | None = None
    urls: tuple[str, ...] = ()


class RejectedRow(NamedTuple):
    """Bad row for a rejects file.

    Attributes:
        place: the number of its table, from 0.
        number: its number among all rows.
        line: its first line; in Parquet the row's number.
        raw: its bytes, or a piece of them; empty in Parquet.
    """

    place: int
    number: int
    line: int
    raw: bytes


class GroupedRow(NamedTuple):
    """Row in its alias set: its number, its file and line, its packed values."""

    number: int
    file: str
    line: int
    data: bytes


class PackedGroup(NamedTuple):
    """Rows of one alias set, from which `build_family` makes its family.

    Attributes:
        act: the act at its centre.
        rows: its rows, in the order of the input.
        shared: URLs of copies that it shares with other alias sets.
    """

    act: str
    rows: tuple[GroupedRow, ...]
    shared: tuple[str, ...] = ()


def pack_row(reading: RowValues, number: int) -> bytes:
    """Pack a good row in few bytes; the row's number orders a version without a date.

    Args:
        reading: the row.
        number: its number among all rows, from 1.
    """
    fields, undated = reading.fields, None
    if reading.undated is not None:
        if reading.undated is reading.name:
            fields.setdefault("version_order", number)
        else:
            undated = (str(reading.undated), number)
    if reading.alias_of is not None:
        fields["alias_of"] = str(reading.alias_of)
    return marshal.dumps((str(reading.name), fields, undated))


class FamilyResult(NamedTuple):
    """Family built from an alias set, and its findings.

    Attributes:
        family: the family; None where its rows contradict each other, and all are rejected.
        findings: the findings on its rows.
    """

    family: Family | None
    findings: tuple[Finding, ...] = ()


def build_family(group: PackedGroup) -> FamilyResult:
    """Build the family of an alias set.

    Args:
        group: its rows, of `Manifest.groups`.
    """
    records: list[Record] = []
    undated: dict[str, Record] = {}
    for row in group.rows:
        source = Source(file=row.file, line=row.line)
        name, fields, ordered = marshal.loads(row.data)  # noqa: S302 -- bytes of this very process
        records.append(Record(name=parse(name), source=source, **unpack_fields(fields)))
        if ordered is not None and ordered[0] not in undated:
            version, number = parse(ordered[0]), ordered[1]
            undated[ordered[0]] = Record(name=version, version_order=number, source=source)
    # The first row of a version that no row describes and no date orders does both.
    for record in records:
        undated.pop(str(record.name), None)
    records += undated.values()
    try:
        family = family_of(records, group.shared)
    except ModelError as torn:
        return FamilyResult(None, tuple(_explain_conflict(torn, records)))
    return FamilyResult(family, tuple(_place_findings(family)))


def _place_findings(family: Family) -> Iterator[Finding]:
    """Place each finding at the first of its names that a row describes."""
    for found in family.findings:
        described = (family.record(parse(name)) for name in found.names)
        sources = (None if record is None else record.source for record in described)
        source = next(filter(None, sources), None)
        if source is not None:
            yield replace(found, file=source.file, line=source.line)


def _explain_conflict(torn: ModelError, records: Sequence[Record]) -> Iterator[Finding]:
    """Make the finding on rows that contradict each other in a way that only the family shows."""
    names = () if torn.finding is None else torn.finding.names
    at_fault = [record for name in names for record in records if str(record.name) == name]
    source = next((r.source for r in (*at_fault, *records) if r.source is not None), None)
    if source is not None:
        fault = Fault(code="LX538", values={"value": str(torn)})
        yield place_fault(fault, source.file, source.line)
