"""Manifests: tables that describe named things, a row each.

Takes tables in CSV, JSON Lines or Parquet, and mapping files for tables with other columns.
Gives families of records, grouped by alias set in bounded memory; bad rows become findings.
Read in this order: cells, mapping, tables, csv, jsonl, parquet, rows, families, reader,
alias_sets, rejects, manifest.
"""

from __future__ import annotations

from lexurn.manifest.alias_sets import AliasSets, JoinedActs, write_joined_acts
from lexurn.manifest.cells import is_absolute_iri, is_web_url
from lexurn.manifest.families import (
    FamilyResult,
    GroupedRow,
    PackedGroup,
    PackedRow,
    RejectedRow,
    build_family,
)
from lexurn.manifest.manifest import Manifest, open_manifest
from lexurn.manifest.reader import FieldRow, RowReader, read_fields
from lexurn.manifest.rejects import (
    check_rejects_file,
    check_rejects_name,
    suggest_rejects_file,
    suggest_rejects_files,
)
from lexurn.manifest.tables import Portion, TableFormat

__all__ = [
    "AliasSets",
    "FamilyResult",
    "FieldRow",
    "GroupedRow",
    "JoinedActs",
    "Manifest",
    "PackedGroup",
    "PackedRow",
    "Portion",
    "RejectedRow",
    "RowReader",
    "TableFormat",
    "build_family",
    "check_rejects_file",
    "check_rejects_name",
    "is_absolute_iri",
    "is_web_url",
    "open_manifest",
    "read_fields",
    "suggest_rejects_file",
    "suggest_rejects_files",
    "write_joined_acts",
]
