"""Manifests: tables that describe named things, a row each.

In: tables in CSV, JSON Lines or Parquet, and mapping files for tables with other columns.
Out: families of records, made in bounded memory; bad rows become findings and rejects.
Read in this order: cells, table_checks, mapping, tables, parquet, rows, alias_sets, manifest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.lazy import attach

if TYPE_CHECKING:
    from lexurn.manifest.alias_sets import (
        AliasSets,
        FamilyResult,
        JoinedActs,
        PackedGroup,
        build_family,
        write_joined_acts,
    )
    from lexurn.manifest.cells import is_absolute_iri, is_web_url
    from lexurn.manifest.manifest import (
        Manifest,
        check_rejects_file,
        check_rejects_name,
        name_reasons_file,
        open_manifest,
        suggest_rejects_file,
        suggest_rejects_files,
    )
    from lexurn.manifest.mapping import EntryLines, read_toml
    from lexurn.manifest.rows import (
        FieldRow,
        PackedRow,
        ReadRow,
        RowReader,
        read_fields,
        read_portion,
    )
    from lexurn.manifest.tables import Portion, RejectedRow, TableFormat

__all__ = [
    "AliasSets",
    "EntryLines",
    "FamilyResult",
    "FieldRow",
    "JoinedActs",
    "Manifest",
    "PackedGroup",
    "PackedRow",
    "Portion",
    "ReadRow",
    "RejectedRow",
    "RowReader",
    "TableFormat",
    "build_family",
    "check_rejects_file",
    "check_rejects_name",
    "is_absolute_iri",
    "is_web_url",
    "name_reasons_file",
    "open_manifest",
    "read_fields",
    "read_portion",
    "read_toml",
    "suggest_rejects_file",
    "suggest_rejects_files",
    "write_joined_acts",
]

__getattr__, __dir__ = attach(__name__)
