"""Rows on disk: a nameless SQLite database that groups them by alias set in bounded memory.

The database has no name and is gone when it is closed, or when the process ends in whatever way.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from lexurn.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from lexurn.manifest._packed import PackedRow

__all__ = ["Spool", "on_disk"]

_BATCH = 1_000

SETTINGS = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA page_size = 16384",
    "PRAGMA cache_size = -8192",  # KiB: all the memory that rows on disk may take
    "PRAGMA temp_store = FILE",
)

_SCHEMA = """
CREATE TABLE row (
  id INTEGER PRIMARY KEY, act TEXT, name TEXT, file INTEGER, line INTEGER, data BLOB, raw BLOB);
CREATE TABLE alias (
  id INTEGER PRIMARY KEY, name TEXT, target TEXT, act TEXT, target_act TEXT);
CREATE TABLE copy (id INTEGER, url TEXT);
CREATE TABLE reject (file INTEGER, id INTEGER, line INTEGER, raw BLOB);
CREATE TABLE doomed (id INTEGER PRIMARY KEY);
CREATE TABLE kin (act TEXT PRIMARY KEY, root TEXT) WITHOUT ROWID;
"""


class Spool:
    """The rows of a manifest on disk.

    Attributes:
        dropped: how many good rows were moved to the rejected ones.
    """

    def __init__(self, path: str = "") -> None:
        """Open the database.

        Args:
            path: a new file; empty for one that has no name from the start and that nobody can
                find.

        Raises:
            ManifestError: there is no place for it.
        """
        with on_disk():
            self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            for setting in SETTINGS:
                self.database.execute(setting)
            self.database.executescript(_SCHEMA)
            self.database.execute("BEGIN")
        self.dropped = 0
        self._rows: list[tuple[object, ...]] = []
        self._aliases: list[tuple[object, ...]] = []
        self._copies: list[tuple[int, str]] = []

    def add(self, row: PackedRow) -> None:
        """Keep a good row."""
        number, act, name, place, line, data, raw, target, target_act, urls = row
        self._rows.append((number, act, name, place, line, data, raw))
        if target is not None:
            self._aliases.append((number, name, target, act, target_act))
        if urls:
            self._copies += ((number, url) for url in urls)
        if len(self._rows) >= _BATCH:
            self.flush()

    def reject(self, file: int, number: int, line: int, pieces: Iterable[bytes]) -> None:
        """Keep the bytes of a bad row."""
        with on_disk():
            self.database.executemany(
                "INSERT INTO reject VALUES (?, ?, ?, ?)",
                ((file, number, line, piece) for piece in pieces),
            )

    def flush(self) -> None:
        """Write what waits."""
        with on_disk():
            self.database.executemany("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?)", self._rows)
            self.database.executemany("INSERT INTO alias VALUES (?, ?, ?, ?, ?)", self._aliases)
            self.database.executemany("INSERT INTO copy VALUES (?, ?)", self._copies)
        self._copies.clear()
        self._rows.clear()
        self._aliases.clear()

    def query(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of a query, read on while they are used."""
        with on_disk():
            cursor = self.database.execute(statement, values)
        while True:
            with on_disk():
                found = cursor.fetchmany(_BATCH)
            if not found:
                return
            yield from found

    def one(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        """The first row of a query."""
        try:
            found: tuple[Any, ...] | None = self.database.execute(statement, values).fetchone()
        except sqlite3.Error as full:
            raise _disk_error(full) from None
        return found

    def run(self, statement: str, *values: object) -> int:
        """Run a statement that gives nothing back; how many rows it changed."""
        try:
            return self.database.execute(statement, values).rowcount
        except sqlite3.Error as full:
            raise _disk_error(full) from None

    def doom(self, number: int) -> None:
        """Note that a good row is to be rejected after all."""
        self.run("INSERT OR IGNORE INTO doomed VALUES (?)", number)

    def drop_doomed(self) -> int:
        """Move the rows that were noted to the rejected ones; how many these are."""
        self.run(
            "INSERT INTO reject SELECT file, id, line, raw FROM row "
            "WHERE id IN (SELECT id FROM doomed)"
        )
        self.run("DELETE FROM alias WHERE id IN (SELECT id FROM doomed)")
        dropped = self.run("DELETE FROM row WHERE id IN (SELECT id FROM doomed)")
        self.run("DELETE FROM doomed")
        self.dropped += dropped
        return dropped

    def close(self) -> None:
        """Forget all."""
        self.database.close()


@contextmanager
def on_disk() -> Iterator[None]:
    """Say in one sentence why the disk does not hold the rows.

    Raises:
        ManifestError: it does not.
    """
    try:
        yield
    except (sqlite3.Error, OSError) as full:
        raise _disk_error(full) from None


def _disk_error(full: Exception) -> ManifestError:
    return ManifestError(
        f"the rows cannot be kept in a temporary file: {full}; free space in "
        f"{tempfile.gettempdir()}, or set TMPDIR to a folder on a larger disk"
    )
