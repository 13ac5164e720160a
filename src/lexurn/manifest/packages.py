"""Layouts of tables that a file beside them states: CSVW (W3C) and Data Package (Frictionless).

Encoding, separator and row of the header are read; a mapping file takes precedence.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError
from lexurn.manifest.mapping import SEPARATORS, is_text_encoding

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lexurn.manifest.plan import TablePlan

_LARGEST_FILE = 10 << 20


def apply_package(plan: TablePlan, path: Path) -> TablePlan:
    """Return a plan with the layout of its table that a file beside it states.

    Raises:
        ManifestError: that file cannot be read, or states a layout that cannot be read.
    """
    # CSVW, section 5 (https://www.w3.org/TR/tabular-data-model/#locating-metadata), then
    # https://datapackage.org/standard/data-package/
    for name in (f"{path.name}-metadata.json", "csv-metadata.json", "datapackage.json"):
        file = path.with_name(name)
        if not file.is_file():
            continue
        try:
            if file.stat().st_size > _LARGEST_FILE:
                raise ManifestError(f"{file}: larger than 10 MB, so not a description of a table")
            described = json.loads(file.read_bytes().decode("utf-8-sig"))
        except (OSError, ValueError, RecursionError) as broken:
            raise ManifestError(
                f"{file}: cannot be read as JSON, to see the layout of {path.name}: {broken}"
            ) from None
        for table, dialect in _list_tables(described, path.name):
            layout = _read_layout(table, dialect, f"{file}: {path.name}")
            mapping = plan.mapping
            missing = {key: each for key, each in layout.items() if getattr(mapping, key) is None}
            return replace(plan, mapping=replace(mapping, **missing))
    return plan


def _list_tables(described: Any, name: str) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield each description of the table of this name, and its dialect."""
    root = described if isinstance(described, dict) else {}
    tables = [root, *(root.get("tables") or ()), *(root.get("resources") or ())]
    for table in tables:
        if isinstance(table, dict) and name in {table.get("url"), table.get("path")}:
            dialect = table.get("dialect") or root.get("dialect")
            yield table, dialect if isinstance(dialect, dict) else {}


def _read_layout(table: dict[str, Any], dialect: dict[str, Any], where: str) -> dict[str, Any]:
    """Read encoding, separator and row of the header, as a mapping file has them."""
    encoding = table.get("encoding") or dialect.get("encoding")
    separator = dialect.get("delimiter")
    rows = dialect.get("headerRows") or [1 + (dialect.get("skipRows") or 0)]
    if dialect.get("header") is False or dialect.get("headerRowCount") == 0:
        raise ManifestError(f"{where} has no header; add a row with the names of the columns")
    if encoding is not None and not (isinstance(encoding, str) and is_text_encoding(encoding)):
        raise ManifestError(f"{where}: encoding {encoding!r} is not known; correct it there")
    if separator is not None and separator not in SEPARATORS:
        raise ManifestError(f"{where}: {separator!r} cannot separate cells; use , ; | or a tab")
    if len(rows) != 1 or not isinstance(rows[0], int):
        raise ManifestError(f"{where}: the header has several rows; leave one")
    layout = {"encoding": encoding, "separator": separator}
    return layout if rows == [1] else layout | {"header": rows[0]}
