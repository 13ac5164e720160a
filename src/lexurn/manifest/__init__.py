"""Manifests: tables that describe named things, a row each.

In: tables in CSV, JSON, Parquet, workbooks or memory; mapping files for tables with other columns.
Out: families of records, made in bounded memory; bad rows become findings and rejects. For a table
without a mapping file, a proposal of one.
Read in this order: formats, cells, table_checks, mapping, days, plan, tables, json, sheets,
parquet, opening, rows, row_cache, alias_sets, manifest; columns, mapping_draft, encodings,
samples, number_columns, day_columns, proposal.
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
    from lexurn.manifest.cells import is_linkable, is_web_url
    from lexurn.manifest.formats import FORMATS, FieldRow, TableFormat
    from lexurn.manifest.json import find_lists, has_rows
    from lexurn.manifest.manifest import (
        Manifest,
        check_rejects_file,
        check_rejects_name,
        name_reasons_file,
        open_manifest,
        suggest_rejects_file,
        suggest_rejects_files,
    )
    from lexurn.manifest.mapping import (
        MAPPING_KEYS,
        EntryLines,
        MappingKey,
        TableMapping,
        read_mapping,
        read_toml,
    )
    from lexurn.manifest.mapping_draft import Guess, Proposal, Sample, write_mapping
    from lexurn.manifest.opening import RawTable, choose_mapping, open_rows
    from lexurn.manifest.proposal import propose_mapping
    from lexurn.manifest.rows import (
        PackedRow,
        ReadRow,
        RowReader,
        find_act,
        read_fields,
        read_portion,
    )
    from lexurn.manifest.samples import read_sample
    from lexurn.manifest.tables import Portion, RejectedRow

__all__ = [
    "FORMATS",
    "MAPPING_KEYS",
    "AliasSets",
    "EntryLines",
    "FamilyResult",
    "FieldRow",
    "Guess",
    "JoinedActs",
    "Manifest",
    "MappingKey",
    "PackedGroup",
    "PackedRow",
    "Portion",
    "Proposal",
    "RawTable",
    "ReadRow",
    "RejectedRow",
    "RowReader",
    "Sample",
    "TableFormat",
    "TableMapping",
    "build_family",
    "check_rejects_file",
    "check_rejects_name",
    "choose_mapping",
    "find_act",
    "find_lists",
    "has_rows",
    "is_linkable",
    "is_web_url",
    "name_reasons_file",
    "open_manifest",
    "open_rows",
    "propose_mapping",
    "read_fields",
    "read_mapping",
    "read_portion",
    "read_sample",
    "read_toml",
    "suggest_rejects_file",
    "suggest_rejects_files",
    "write_joined_acts",
    "write_mapping",
]

__getattr__, __dir__ = attach(__name__)
