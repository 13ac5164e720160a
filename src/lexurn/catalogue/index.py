"""Index of names in SQLite: what the resolver looks up, and the journal of the loader.

It follows from the store and can be made again from it. What is on its way into the store stands in
the journal, so that a crash between the two is mended at the next opening. One process writes the
file, and any number read meanwhile.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sqlite3
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from lexurn.catalogue.catalogue import Merge, TooLargeError
from lexurn.catalogue.keys import is_dated, unpack_family
from lexurn.errors import CatalogueError
from lexurn.model import Item

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path
    from typing import Any, Final

    from lexurn.catalogue.catalogue import Holdings
    from lexurn.catalogue.keys import FamilyRows
    from lexurn.findings import Finding
    from lexurn.model import Family


def _ignore(_: object) -> None:
    """Say nothing."""


class RebuildOptions(NamedTuple):
    """What is called, and how many processes do the work.

    Attributes:
        progress: with how many alias sets were done.
        finding: with what the store holds that cannot be read as records.
        jobs: how many processes read records and build families; None for one a processor.
    """

    progress: Callable[[int], None] = _ignore
    finding: Callable[[Finding], None] = _ignore
    jobs: int | None = None


DEFAULT_OPTIONS: Final = RebuildOptions()
_LONGEST_WAIT: Final = 60.0
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
        self._seen = None if self._write or _can_use_log(self.path) else _read_state(self.path)
        self.database = sqlite3.connect(
            self.uri("mode=rwc" if self._write else "mode=ro"),
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=_LONGEST_WAIT,
        )

    def uri(self, mode: str = "mode=ro") -> str:
        """What the file is opened by, here and beside other tables."""
        return f"{self.path.absolute().as_uri()}?{mode}{'&immutable=1' if self._seen else ''}"

    def _follow(self) -> None:
        """Open the file anew where it was opened as one that nobody changes, and somebody did."""
        if self._seen is not None and self._seen != _read_state(self.path):
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
            if self._seen is not None and self._seen != _read_state(self.path):
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


def _can_use_log(path: Path) -> bool:
    """Whether a reader can take part in the log that a writer keeps beside the file."""
    return _find_log(path).exists() or os.access(path.parent, os.W_OK)


def _read_state(path: Path) -> tuple[int, int, bool]:
    """What shows that a file was changed: its time, its size, and whether a log is beside it."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0, False
    return state.st_mtime_ns, state.st_size, _find_log(path).exists()


def _find_log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


GENERATION: Final = "generation"
"""The setting that holds the stamp of the store."""
STALE: Final = "stale"
"""The setting that is not empty while the store is changed behind the back of the index."""

_MOST_VALUES: Final = 500

_SCHEMA: Final = """
CREATE TABLE alias_set (
  id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, data TEXT NOT NULL, digest BLOB NOT NULL,
  as_of TEXT NOT NULL);
CREATE TABLE act (
  name TEXT PRIMARY KEY, set_id INTEGER NOT NULL, jurisdiction TEXT NOT NULL,
  authority TEXT NOT NULL, measure TEXT NOT NULL, details TEXT NOT NULL, canonical TEXT,
  withdrawn INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE detail (
  jurisdiction TEXT, number TEXT, year TEXT, date TEXT, act TEXT,
  PRIMARY KEY (jurisdiction, number, year, date, act)) WITHOUT ROWID;
CREATE TABLE copy (
  url TEXT, set_id INTEGER, bytes INTEGER, sha256 TEXT);
CREATE INDEX copy_by_url ON copy (url, set_id);
CREATE TABLE spelling (text TEXT, name TEXT, PRIMARY KEY (text, name)) WITHOUT ROWID;
CREATE TABLE journal (data TEXT NOT NULL);
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_PUT_SETTING: Final = "INSERT OR REPLACE INTO setting VALUES (?, ?)"
_NEXT_KEYS: Final = "SELECT key FROM alias_set WHERE key > ? ORDER BY key LIMIT ?"
_FIND: Final = (
    "SELECT DISTINCT alias_set.key, alias_set.data FROM act "
    "JOIN alias_set ON alias_set.id = act.set_id WHERE act.name IN ({}) ORDER BY alias_set.key"
)
_SIZES: Final = (
    "SELECT id, LENGTH(data) FROM alias_set WHERE id IN (SELECT set_id FROM act WHERE name IN ({}))"
)
_NUMBERS: Final = "SELECT id FROM alias_set WHERE key IN ({})"
_STATED_SIZES: Final = (
    "SELECT set_id, bytes, sha256 FROM copy "
    "WHERE url = ? AND (bytes IS NOT NULL OR sha256 IS NOT NULL)"
)


class Index(IndexFile):
    """The names of an embedded catalogue; see `lexurn.catalogue.Holdings` for what it is asked."""

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """Open the index, or make an empty one where there is none and ``write`` is given.

        Raises:
            CatalogueError: it is damaged, or cannot be read or written.
        """
        super().__init__(path, schema=_SCHEMA, write=write)

    # What it is asked

    def family(self, act: str) -> Family | None:
        """The alias set that has an act or one of its aliases."""
        found = self.rows(_FIND.format("?"), act)
        return next((unpack_family(data) for _, data in found), None)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """The alias sets that have any of ``acts``, each once, sorted by key."""
        if most is not None:
            sizes = dict(self._each(_SIZES, acts))
            if len(sizes) > 1 and sum(sizes.values()) > most:
                raise TooLargeError
        found = dict(self._each(_FIND, acts))
        return tuple(unpack_family(found[key]) for key in sorted(found))

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """The acts and aliases of acts that have a number, sorted."""
        text = "SELECT DISTINCT act FROM detail WHERE jurisdiction = ? AND number = ?"
        if year is None:
            found = self.rows(f"{text} ORDER BY act", jurisdiction, number)
        else:
            found = self.rows(f"{text} AND year = ? ORDER BY act", jurisdiction, number, year)
        return tuple(act for (act,) in found)

    def dated(self, head: str, day: str) -> Sequence[str]:
        """The acts and aliases of acts with a head and a first date, sorted."""
        start = f"{head}:{day}"
        text = "SELECT name FROM act WHERE name >= ? AND name < ? ORDER BY name"
        found = self.rows(text, start, f"{start}~")
        return tuple(act for (act,) in found if is_dated(act, head, day))

    def spelled(self, text: str) -> Sequence[str]:
        """The names of which ``text`` is a spelling in a dialect."""
        found = self.rows("SELECT name FROM spelling WHERE text = ? ORDER BY name", text)
        return tuple(name for (name,) in found)

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """For each URL of a copy that is held, at most so many keys of alias sets that have it."""
        query = (
            "SELECT DISTINCT alias_set.key FROM copy JOIN alias_set ON alias_set.id = copy.set_id "
            "WHERE copy.url = ? ORDER BY copy.set_id LIMIT ?"
        )
        held = {url: tuple(key for (key,) in self.rows(query, url, most)) for url in urls}
        return {url: keys for url, keys in held.items() if keys}

    def copies(self, url: str, without: Collection[str]) -> Iterator[Item]:
        """What alias sets other than those with the keys ``without`` state of a copy."""
        own = {number for (number,) in self._each(_NUMBERS, without)}
        for number, size, digest in self.rows(_STATED_SIZES, url):
            if number not in own:
                yield Item(url=url, bytes=size, sha256=digest)

    def keys(self) -> Iterator[str]:
        """The keys of all alias sets, sorted."""
        last = ""
        while True:
            # Some at a time: a query that stays open would keep the log of a writer growing.
            found = [key for (key,) in self.rows(_NEXT_KEYS, last, _BATCH)]
            yield from found
            if len(found) < _BATCH:
                return
            last = found[-1]

    def is_empty(self) -> bool:
        """Whether nothing at all is held."""
        return not any(True for _ in self.rows("SELECT 1 FROM alias_set LIMIT 1"))

    def _each(self, statement: str, values: Collection[str]) -> Iterator[tuple[Any, ...]]:
        """The rows of a query for many values, some at a time."""
        waiting = iter(values)
        while some := tuple(islice(waiting, _MOST_VALUES)):
            yield from self.rows(statement.format(",".join("?" * len(some))), *some)

    # What the loader tells it

    def is_any(self, acts: Collection[str]) -> bool:
        """Whether any of some acts is known."""
        return bool(self.known(acts))

    def known(self, acts: Collection[str]) -> frozenset[str]:
        """Those of some acts that are known."""
        found = self._each("SELECT name FROM act WHERE name IN ({})", acts)
        return frozenset(name for (name,) in found)

    def digests(self, keys: Collection[str]) -> Mapping[str, bytes]:
        """The digests of the quads of those of some alias sets that are known."""
        return dict(self._each("SELECT key, digest FROM alias_set WHERE key IN ({})", keys))

    def begin(self, journal: str) -> None:
        """Note what is going to be done, so that it is done even if the process dies."""
        with self.transaction():
            self.database.execute("INSERT INTO journal VALUES (?)", (journal,))

    def abandon(self) -> None:
        """Forget what was begun, of which nothing was done."""
        with self.transaction():
            self.database.execute("DELETE FROM journal")

    def is_pending(self) -> bool:
        """Whether anything was begun and not settled."""
        return any(True for _ in self.rows("SELECT 1 FROM journal LIMIT 1"))

    def pending(self) -> str | None:
        """What was begun and not settled."""
        return next((data for (data,) in self.rows("SELECT data FROM journal")), None)

    def settle(
        self, old: Iterable[FamilyRows], new: Iterable[FamilyRows], *, generation: str | None = None
    ) -> None:
        """Forget the rows of some alias sets, keep those of others, and clear the journal.

        Args:
            old: what is forgotten.
            new: what is kept.
            generation: the stamp that the store has now.
        """
        with self.transaction():
            for each in old:
                self._forget(each)
            self._keep(tuple(new))
            self.database.execute("DELETE FROM journal")
            if generation is not None:
                self.database.execute(_PUT_SETTING, (GENERATION, generation))

    def _forget(self, rows: FamilyRows) -> None:
        run = self.database.execute
        for (number,) in run("SELECT id FROM alias_set WHERE key = ?", (rows.key,)).fetchall():
            run("DELETE FROM alias_set WHERE id = ?", (number,))
            for url, *_ in rows.copies:
                run("DELETE FROM copy WHERE url = ? AND set_id = ?", (url, number))
        many = self.database.executemany
        many("DELETE FROM act WHERE name = ?", [(name,) for name, *_ in rows.acts])
        many(
            "DELETE FROM detail WHERE jurisdiction = ? AND number = ? AND year = ? AND date = ? "
            "AND act = ?",
            rows.details,
        )
        many("DELETE FROM spelling WHERE text = ? AND name = ?", rows.spellings)

    def _keep(self, families: Sequence[FamilyRows]) -> None:
        (last,) = self.database.execute("SELECT COALESCE(MAX(id), 0) FROM alias_set").fetchone()
        numbered = [(last + place, rows) for place, rows in enumerate(families, 1)]
        many = self.database.executemany
        many(
            "INSERT INTO alias_set VALUES (?, ?, ?, ?, ?)",
            ((n, r.key, r.data, r.digest, r.as_of) for n, r in numbered),
        )
        many(
            "INSERT INTO act VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            ((name, n, *rest) for n, r in numbered for name, *rest in r.acts),
        )
        many(
            "INSERT OR IGNORE INTO detail VALUES (?, ?, ?, ?, ?)",
            (row for r in families for row in r.details),
        )
        many(
            "INSERT INTO copy VALUES (?, ?, ?, ?)",
            ((url, n, size, digest) for n, r in numbered for url, size, digest in r.copies),
        )
        many(
            "INSERT OR IGNORE INTO spelling VALUES (?, ?)",
            (row for r in families for row in r.spellings),
        )

    def setting(self, name: str) -> str | None:
        """A setting, None where it was never set."""
        found = self.rows("SELECT value FROM setting WHERE name = ?", name)
        return next((value for (value,) in found), None)

    def set(self, name: str, value: str) -> None:
        """Keep a setting."""
        with self.transaction():
            self.database.execute(_PUT_SETTING, (name, value))

    def clear(self) -> None:
        """Forget everything that follows from the store."""
        with self.transaction():
            for table in ("alias_set", "act", "detail", "copy", "spelling", "journal"):
                self.database.execute(f"DELETE FROM {table}")  # noqa: S608 - names from above


def write_journal(old: Iterable[str], new: Iterable[str], as_of: dt.date) -> str:
    """What is going to be done, as text.

    Args:
        old: the keys of the alias sets that are taken out.
        new: the data of those that are put in, of `make_rows`.
        as_of: the day for which the version in force is asked.
    """
    said = {"as_of": as_of.isoformat(), "old": list(old), "new": list(new)}
    return json.dumps(said, ensure_ascii=False)


def read_journal(text: str, holdings: Holdings) -> tuple[Merge, dt.date]:
    """What `write_journal` wrote, and its day; what it takes out is held still."""
    said = json.loads(text)
    merge = Merge(
        old=tuple(holdings.families(said["old"])),
        new=tuple(unpack_family(data) for data in said["new"]),
    )
    return merge, dt.date.fromisoformat(said["as_of"])


def list_journal_names(text: str) -> frozenset[str]:
    """The names that are put in by what `write_journal` wrote."""
    sets = (json.loads(data.partition("\n")[0]) for data in json.loads(text)["new"])
    return frozenset(name for records in sets for name, _ in records)
