"""Cache of rows: the values and findings of rows that earlier runs have read.

The values of a row depend on its cells, on the meaning of the columns, and on the code and registry
of lexurn; the key of a cached row is a digest of all these. Rows that are rejected, those whose
number orders versions, and those of JSON, where each row has its own columns, are read each time.
Checks of the whole table are made each time, too.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from dataclasses import asdict, fields
from functools import cache
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lexurn import data
from lexurn.findings import Finding, Severity
from lexurn.manifest.rows import PackedRow, ReadRow
from lexurn.manifest.table_checks import CheckedName

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.manifest.opening import Table
    from lexurn.manifest.rows import RowReader
    from lexurn.manifest.tables import RawRow


class RowCache(Protocol):
    """Cache of rows by their keys, kept from run to run."""

    def find_rows(self, keys: Sequence[bytes]) -> Mapping[bytes, bytes]:
        """Return the rows that are known."""

    def add_rows(self, rows: Iterable[tuple[bytes, bytes]]) -> None:
        """Add rows, each after its key."""


def read_cached_rows(
    reader: RowReader, table: Table, rows_before: int, cache: RowCache
) -> Iterator[ReadRow]:
    """Read a table as `RowReader.read_rows` does; find its rows in a cache, or add them to it."""
    plan, rows = reader.plan, table.rows()
    # All that the values of a row depend on, but for its cells.
    mapping = (getattr(plan.mapping, each.name) for each in fields(plan.mapping))
    stated = [sorted(each) if isinstance(each, frozenset) else each for each in mapping]
    registry = plan.registry and plan.registry.own
    basis = _describe_code(), reader.format, [*table.headers], stated, plan.dialect, registry
    meaning = hashlib.blake2b(repr(basis).encode(), digest_size=32).digest()
    while batch := [*islice(rows, 500)]:
        keys = [_make_key(raw, meaning) for raw in batch]
        known = cache.find_rows([key for key in keys if key is not None])
        new: list[tuple[bytes, bytes]] = []
        for raw, key in zip(batch, keys, strict=True):
            if key is not None and key in known:
                yield _unpack_row(known[key], reader, raw, rows_before + 1)
            else:
                (read,) = reader.read_rows((raw,), rows_before)
                if key is not None and (packed := _pack_row(read)) is not None:
                    new.append((key, packed))
                yield read
            rows_before += not raw.is_further_piece
        cache.add_rows(new)


def _make_key(raw: RawRow, meaning: bytes) -> bytes | None:
    """Make the key of a row; None where it is not to be cached."""
    try:
        # Version 2 writes equal bytes for equal values.
        cells = None if raw.cells is None else marshal.dumps([*raw.cells.values()], 2)
    except ValueError:  # not a mere text
        cells = None
    return cells and hashlib.blake2b(cells, digest_size=16, key=meaning).digest()


@cache
def _describe_code() -> list[object]:
    """List Python's version, and the sizes and times of lexurn's code and data."""
    code, tables = Path(__file__).parents[1], data.find_folder("ontology")
    files = ((str(file), file.stat()) for file in (*code.rglob("*.py"), *tables.rglob("*.json")))
    return [sys.version, *sorted((file, st.st_size, st.st_mtime_ns) for file, st in files)]


def _pack_row(read: ReadRow) -> bytes | None:
    """Pack a row without its place; None where it is rejected or its number orders versions."""
    row = read.row
    _, values, order = ("", {}, None) if row is None else marshal.loads(row.data)  # noqa: S302 - bytes of this very process
    if row is None or order is not None or "version_order" in values:
        return None
    checked = row.checked and tuple(row.checked[1:])
    found = [asdict(each) | {"severity": str(each.severity)} for each in read.findings]
    kept = row.act, row.name, row.data, row.alias_of, row.alias_act, row.urls, checked
    return marshal.dumps((kept, found))


def _unpack_row(packed: bytes, reader: RowReader, raw: RawRow, number: int) -> ReadRow:
    """Unpack a row at its place in the table."""
    (act, name, values, alias_of, alias_act, urls, checked), found = marshal.loads(packed)  # noqa: S302 - the state of the publisher's own site
    kept = raw.raw if reader.keeps_raw else None
    made = checked and CheckedName(number, *checked)
    row = PackedRow(
        number, act, name, reader.table, raw.line, values, kept, alias_of, alias_act, urls, made
    )
    for each in found:
        each |= {"severity": Severity(each["severity"]), "file": reader.file, "line": raw.line}
    return ReadRow(row, None, [Finding(**each) for each in found])
