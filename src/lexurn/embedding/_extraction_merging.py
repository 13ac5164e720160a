"""Rows of several documents with one name, made into one row of a manifest."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, contextmanager
from itertools import groupby
from typing import TYPE_CHECKING

from lexurn.embedding._faults import shown
from lexurn.embedding._findings import finding
from lexurn.embedding._scratch import no_room

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.embedding._extraction_rows import Row
    from lexurn.embedding._findings import DocumentFinding

__all__ = ["merged_rows"]


# What a document says of another name than its own.
_OTHER = {"urn", "alias_of"}
# Two names that are the same by what both of their documents say: one of them is the canonical one.
_TURNED_ROUND = """
DELETE FROM kept WHERE is_other AND EXISTS (
  SELECT 1 FROM kept AS other
  WHERE other.urn = kept.alias_of AND other.alias_of = kept.urn
  AND (NOT other.is_other OR kept.urn < other.urn)
)
"""


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
    with closing(sqlite3.connect("")) as kept, _on_disk():
        kept.execute(
            "CREATE TABLE kept "
            "(urn TEXT, place INTEGER PRIMARY KEY, row TEXT, alias_of TEXT, is_other INTEGER)"
        )
        kept.executemany(
            "INSERT INTO kept (urn, row, alias_of, is_other) VALUES (?, ?, ?, ?)", map(_entry, rows)
        )
        kept.execute("CREATE INDEX aliases ON kept (urn, alias_of)")
        kept.execute(_TURNED_ROUND)
        found = kept.execute("SELECT urn, row FROM kept ORDER BY urn, place")
        for _, group in groupby(found, key=lambda pair: pair[0]):
            yield _merged((json.loads(text) for _, text in group), on_finding)


@contextmanager
def _on_disk() -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as full:
        raise no_room(full) from None


def _entry(row: Row) -> tuple[str | list[str], str, str | list[str] | None, bool]:
    return row["urn"], json.dumps(row), row.get("alias_of"), row.keys() == _OTHER


def _merged(rows: Iterator[Row], on_finding: Callable[[DocumentFinding], None] | None) -> Row:
    first = next(rows)
    files = dict.fromkeys(first, _file(first))
    joined: dict[str, dict[str, None]] = {}
    for other in rows:
        for column, value in other.items():
            one = first.setdefault(column, value)
            file = files.setdefault(column, _file(other))
            if isinstance(one, list) and isinstance(value, list):
                joined.setdefault(column, dict.fromkeys(one)).update(dict.fromkeys(value))
            elif one != value and on_finding is not None:
                on_finding(_difference(first, file, other, column))
    return first | {column: list(values) for column, values in joined.items()}


def _difference(first: Row, file: str, other: Row, column: str) -> DocumentFinding:
    """What two documents with one name say; nobody knows here which of them is right."""
    two = str(other[column])
    return finding(
        "LX371",
        _file(other),
        text=two,
        first=file or "another document",
        name=first["urn"],
        column=column,
        one=shown(str(first[column])),
        two=shown(two),
    )


def _file(row: Row) -> str:
    """The file that a row was read from; empty where that is not known."""
    file = row.get("file", "")
    return file[0] if isinstance(file, list) else file
