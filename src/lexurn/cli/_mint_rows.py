"""The rows that ``lexurn mint`` names: of tables, and of JSON Lines."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexurn.cli._names import lines_of
from lexurn.cli._screen import echo_error, echo_findings
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import BinaryIO

__all__ = ["MARK", "TABLES", "Row", "rows_of"]

TABLES = frozenset({".csv", ".tsv", ".parquet"})
MARK = "\ufeff"  # what some editors put before the first line
_LONGEST_LINE = 65_536  # octets, of which `lines_of` keeps as many


class Row(NamedTuple):
    """The fields of one document, and where they stand; None where they cannot be read."""

    place: str
    fields: Mapping[str, object] | None


def rows_of(
    sources: Sequence[str], mapping: str | None, fields: Mapping[str, object]
) -> Iterator[Row]:
    """The rows of all sources, each with the fields that hold for all."""
    for source in sources:
        is_table = mapping is not None or Path(source).suffix.lower() in TABLES
        rows = _table_rows(source, mapping) if is_table else _object_rows(source)
        for row in rows:
            whole = None if row.fields is None else {**fields, **_stated(row.fields)}
            yield Row(row.place, whole)


def _stated(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None and value != ""}


def _table_rows(source: str, mapping: str | None) -> Iterator[Row]:
    from lexurn.manifest import read_fields

    for row in read_fields(source, mapping=mapping):
        place = f"{row.file}:{row.line}"
        for found in row.findings:
            echo_findings(found.text, [found], place=place)
        yield Row(place, row.fields)


def _object_rows(source: str) -> Iterator[Row]:
    """The objects of JSON Lines, nested where names have lists."""
    if source == "-":
        if sys.stdin is None:
            raise LexurnError("standard input is closed")
        yield from _objects(sys.stdin.buffer, source)
        return
    try:
        with Path(source).open("rb") as stream:
            yield from _objects(stream, source)
    except OSError as missing:
        raise LexurnError(f"{source}: cannot be read: {missing.strerror}") from None


def _objects(stream: BinaryIO, source: str) -> Iterator[Row]:
    for number, text in enumerate(lines_of(stream), 1):
        line = text.removeprefix(MARK) if number == 1 else text
        if not line.strip():
            continue
        place = f"{source}:{number}"
        try:
            value = json.loads(line)
        except (ValueError, RecursionError) as broken:
            is_cut = len(line.encode("utf-8", "surrogateescape")) >= _LONGEST_LINE
            what = f"the line is longer than {_LONGEST_LINE:,} bytes" if is_cut else broken
            echo_error(f"{place}: no JSON object: {what}")
            value = None
        else:
            if not isinstance(value, dict):
                echo_error(f"{place}: no JSON object; write one object a line")
        yield Row(place, value if isinstance(value, dict) else None)
