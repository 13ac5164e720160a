"""Rows of several documents with one name, made into one row of a manifest."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from itertools import groupby
from typing import TYPE_CHECKING

from lexurn.embedding._findings import finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.embedding._extraction_rows import Row
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["merged_rows"]


def merged_rows(
    rows: Iterable[Row], on_finding: Callable[[DocumentFinding], None] | None = None
) -> Iterator[Row]:
    """Rows with one row a name, sorted by names: an HTML page and a PDF may be of one version.

    Lists are joined; of single values that differ the first one is kept, and that is said. All rows
    are kept on disk until the last one is there.

    Args:
        rows: the rows.
        on_finding: is told where documents with one name say different things.
    """
    # A database without a name is a file that nobody sees, and goes with the connection.
    with closing(sqlite3.connect("")) as kept:
        kept.execute("CREATE TABLE kept (urn TEXT, place INTEGER PRIMARY KEY, row TEXT)")
        pairs = ((row["urn"], json.dumps(row)) for row in rows)
        kept.executemany("INSERT INTO kept (urn, row) VALUES (?, ?)", pairs)
        found = kept.execute("SELECT urn, row FROM kept ORDER BY urn, place")
        for _, group in groupby(found, key=lambda pair: pair[0]):
            yield _merged([json.loads(text) for _, text in group], on_finding)


def _merged(rows: list[Row], on_finding: Callable[[DocumentFinding], None] | None) -> Row:
    first, *others = rows
    for other in others:
        for column, value in other.items():
            one = first.setdefault(column, value)
            if isinstance(one, list) and isinstance(value, list):
                first[column] = list(dict.fromkeys((*one, *value)))
            elif one != value and on_finding is not None:
                on_finding(_difference(first, other, column))
    return first


def _difference(first: Row, other: Row, column: str) -> DocumentFinding:
    file = other.get("file", "")
    return finding(
        "LX371",
        file[0] if isinstance(file, list) else file,
        text=str(other[column]),
        suggestion=str(first[column]),
        column=column,
        name=first["urn"],
    )
