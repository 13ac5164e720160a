"""The file of the index of names: opened, read while others write, written all or nothing."""

from __future__ import annotations

import os
import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["IndexFile", "is_damage"]

_WAIT: Final = 60.0
_BATCH: Final = 1_000
_SETTINGS: Final = (
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -65536",  # KiB
    "PRAGMA temp_store = FILE",
)


class IndexFile:
    """A database of SQLite that one process writes and any number read meanwhile."""

    def __init__(self, path: Path, *, schema: str, write: bool = False) -> None:
        """Open the file, or make an empty one where there is none and ``write`` is given.

        Args:
            path: the file.
            schema: the statements that make its tables.
            write: whether it may be changed.

        Raises:
            CatalogueError: it is damaged, or cannot be read or written.
        """
        self.path = path
        self._write, self._is_within = write, False
        with self._faults():
            self._connect()
            if write:
                self._prepare(schema)

    def _connect(self) -> None:
        self._seen = None if self._write or _may_log(self.path) else _state_of(self.path)
        self.database = sqlite3.connect(
            self.uri("mode=rwc" if self._write else "mode=ro"),
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=_WAIT,
        )

    def uri(self, mode: str = "mode=ro") -> str:
        """What the file is opened by, here and beside other tables."""
        return f"{self.path.absolute().as_uri()}?{mode}{'&immutable=1' if self._seen else ''}"

    def _follow(self) -> None:
        """Open the file anew where it was opened as one that nobody changes, and somebody did."""
        if self._seen is not None and self._seen != _state_of(self.path):
            self.database.close()
            self._connect()

    def _prepare(self, schema: str) -> None:
        for setting in _SETTINGS:
            self.database.execute(setting)
        with self.transaction():
            if not self.database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone():
                for statement in schema.split(";\n"):
                    self.database.execute(statement)

    def close(self) -> None:
        """Let go of the file."""
        self.database.close()

    def is_sound(self) -> bool:
        """Whether all pages of the file are what they should be; reads all of it."""
        return [*self.rows("PRAGMA quick_check(1)")] == [("ok",)]

    def rows(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """The rows of an SQL query, read on while they are used."""
        with self._faults():
            self._follow()
            cursor = self.database.execute(statement, values)
        while True:
            with self._faults():
                found = cursor.fetchmany(_BATCH)
            if self._seen is not None and self._seen != _state_of(self.path):
                raise CatalogueError(f"{self.path} was changed while it was read; do it again")
            yield from found
            if len(found) < _BATCH:
                return

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """All that is written within, or nothing of it; one within another is part of it."""
        if self._is_within:
            yield
            return
        self._is_within = True
        try:
            with self._whole():
                yield
        finally:
            self._is_within = False

    @contextmanager
    def _whole(self) -> Iterator[None]:
        with self._faults():
            self.database.execute("BEGIN IMMEDIATE")
            try:
                yield
                self.database.execute("COMMIT")
            except BaseException:
                # SQLite has done so itself where the disk is full.
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")
                raise

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Faults of SQLite in words.

        Raises:
            CatalogueError: in place of them.
        """
        try:
            yield
        except sqlite3.DatabaseError as fault:
            raise CatalogueError(self.explained(str(fault))) from None

    def explained(self, message: str) -> str:
        """What SQLite says of the file, in words that say what to do."""
        if "locked" in message:
            return f"{self.path} is in use by another process; wait until it is done"
        if "full" in message or "disk I/O" in message:
            return f"{self.path}: the disk takes no more ({message}); free space, then try again"
        if is_damage(message):
            return f"{self.path} is damaged ({message}); make it again: lexurn catalogue rebuild"
        return f"{self.path} cannot be used: {message}"


def is_damage(message: str) -> bool:
    """Whether SQLite says that a file is not what it was when it was written."""
    return any(words in message for words in ("malformed", "not a database", "no such table"))


def _may_log(path: Path) -> bool:
    """Whether a reader can take part in the log that a writer keeps beside the file."""
    return _log_of(path).exists() or os.access(path.parent, os.W_OK)


def _state_of(path: Path) -> tuple[int, int, bool]:
    """What shows that a file was changed: its time, its size, and whether a log is beside it."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0, False
    return state.st_mtime_ns, state.st_size, _log_of(path).exists()


def _log_of(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")
