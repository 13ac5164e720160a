"""Rows that give no name but what it is minted from (RFC 9676 sections 3 to 7)."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, NamedTuple

from lexurn.manifest._draft import Place
from lexurn.manifest._faults import RowFinding, finding_of
from lexurn.manifest._mapping import NO_MAPPING, read_mapping
from lexurn.manifest._plan import plan_of
from lexurn.manifest._rows import read_cells
from lexurn.manifest._sources import open_table
from lexurn.minting import try_mint

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from lexurn.manifest._draft import Row
    from lexurn.manifest._plan import Plan
    from lexurn.manifest._sources import Source
    from lexurn.minting import MintFinding
    from lexurn.name import Name

__all__ = ["FieldRow", "fields_of", "minted_name", "read_fields"]

_VERSIONS = frozenset({"version", "amendment_date"})


class FieldRow(NamedTuple):
    """A row of a table as fields of metadata.

    Attributes:
        file: the table's file as given.
        line: the first line of the row.
        fields: its fields by name; None where its cells cannot be told apart.
        findings: what is to be said of its cells.
    """

    file: str
    line: int
    fields: Mapping[str, object] | None
    findings: tuple[RowFinding, ...] = ()


def read_fields(
    source: Source, *, mapping: str | Path | None = None, format: str | None = None
) -> Iterator[FieldRow]:
    """The rows of any table as fields of metadata, one after the other.

    Args:
        source: a path, ``-`` for standard input, or a stream of bytes.
        mapping: a TOML file that says what the columns mean.
        format: ``csv``, ``jsonl`` or ``parquet``; None to go by the file's extension.

    Raises:
        ManifestError: the table cannot be read at all.
        MissingExtraError: Parquet without pyarrow.
    """
    meaning = NO_MAPPING if mapping is None else read_mapping(mapping)
    with ExitStack() as stack:
        table = open_table(source, format, plan_of(meaning), stack)
        for raw in table.rows():
            if raw.cells is None:
                faults = () if raw.fault is None else (finding_of(raw.fault, table.file, raw.line),)
                yield FieldRow(table.file, raw.line, None, faults)
            else:
                row = read_cells(table.plan, raw.cells, table.file, raw.line)
                yield FieldRow(table.file, raw.line, fields_of(row), tuple(row.findings))


def minted_name(row: Row, plan: Plan) -> Name | None:
    """The name that a row's fields make; None where they make none, which is said in the row."""
    fields = fields_of(row)
    if str(fields.get("unnumbered", "")).lower() == "true":
        row.say_at(row.minted["unnumbered"], "LX525")
        return None
    minted = try_mint(fields, registry=plan.registry)
    row.findings += (_finding(found, row, plan) for found in minted.findings)
    return minted.name


def fields_of(row: Row) -> dict[str, object]:
    """The fields of metadata that a row holds.

    The column ``language`` is the language of the words and, behind a version, of the text that
    the name stands for (RFC 9676 section 5.6). A title serves where a measure is told by subject.
    """
    fields: dict[str, object] = {
        target: place.text[place.start :].strip() for target, place in row.minted.items()
    }
    if "language" in fields and _VERSIONS & fields.keys():
        fields.setdefault("version_language", fields["language"])
    titles = row.fields.get("titles")
    if titles:
        fields["title"] = titles[0][0]
    return fields


def _finding(found: MintFinding, row: Row, plan: Plan) -> RowFinding:
    """A finding of minting, at its place in the row."""
    place = row.minted.get("annex" if found.field == "annexes" else found.field)
    cell = place.text if place is not None else found.text
    start = max(cell.find(found.text), 0) if place is not None and found.text else 0
    return RowFinding(
        file=row.file,
        line=row.line,
        column=(place or Place(plan.header_of(found.field), "")).column,
        code=found.code,
        severity=found.severity,
        message=found.message,
        rule=found.rule,
        start=start + found.start,
        end=start + found.end,
        suggestion=found.suggestion,
        text=cell,
    )
