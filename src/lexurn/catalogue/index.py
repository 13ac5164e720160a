"""Index of names in SQLite: the tables of the resolver, and the journal of the loader.

It follows from the store and can be made again from it. The journal holds each change of the store
that has begun, so that the next opening completes it after a crash. One process writes the file,
and any number read meanwhile.
"""

from __future__ import annotations

import datetime as dt
import json
import os
import sqlite3
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from lexurn.catalogue.catalogue import Merge, is_dated, make_rows
from lexurn.catalogue.listings import FORMAT, Listing, ListTables, list_families
from lexurn.errors import CatalogueError
from lexurn.model import Item, unpack_family
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from lexurn.catalogue.catalogue import FamilyRows
    from lexurn.findings import Finding
    from lexurn.model import Family


class TooLargeError(Exception):
    """Several alias sets that state more, together, than memory may hold."""


class IndexRows(NamedTuple):
    """Rows of some alias sets in the index: those of each set, and those of the lists."""

    families: Sequence[FamilyRows]
    listing: Listing


def make_index_rows(
    families: Sequence[Family], as_of: dt.date, nquads: Sequence[bytes] | None = None
) -> IndexRows:
    """Make the rows of some families.

    Args:
        families: the families.
        as_of: the day for which their computed layer was made.
        nquads: the quads of each; None where no digest of them is needed.
    """
    quads = [None] * len(families) if nquads is None else nquads
    rows = [make_rows(family, each, as_of) for family, each in zip(families, quads, strict=True)]
    return IndexRows(rows, list_families(families))


class RebuildOptions(NamedTuple):
    """Callbacks of a rebuild, and the number of worker processes.

    Attributes:
        progress: is called with the number of alias sets done.
        finding: is called with each fault in the statements of the store.
        jobs: how many processes read records and build families; None for one a processor.
    """

    progress: Callable[[int], None] | None = None
    finding: Callable[[Finding], None] | None = None
    jobs: int | None = None


DEFAULT_OPTIONS: Final = RebuildOptions()
_BATCH: Final = 1_000
_PAGE: Final = 100
_SETTINGS: Final = (
    "PRAGMA page_size = 16384",  # fewer and larger pages: a load is a fiftieth faster
    "PRAGMA journal_mode = WAL",
    "PRAGMA synchronous = FULL",
    "PRAGMA cache_size = -65536",  # KiB
    "PRAGMA temp_store = FILE",
)


class IndexFile:
    """Database of SQLite that one process writes and any number read meanwhile.

    Attributes:
        schema: the statements that make its tables.
        settings: the statements that every writer begins with.
        longest_wait: how many seconds to wait for another writer.
        path: the file.
        database: the connection.
    """

    schema: str
    settings: tuple[str, ...] = _SETTINGS
    longest_wait = 60.0

    def __init__(self, path: Path, *, write: bool = False) -> None:
        """Open the file, or make an empty one where there is none and ``write`` is given.

        Raises:
            CatalogueError: it is damaged, or cannot be read or written.
        """
        self.path = path
        self._write, self._is_within = write, False
        with self._faults():
            self._connect()
            if write:
                try:
                    self._prepare()
                except BaseException:
                    self.close()
                    raise

    def _connect(self) -> None:
        # Without write access nor a log of a writer, the file is read as an immutable one.
        has_log = _find_log(self.path).exists() or os.access(self.path.parent, os.W_OK)
        self._seen = None if self._write or has_log else _read_state(self.path)
        self.database = sqlite3.connect(
            self.uri("mode=rwc" if self._write else "mode=ro"),
            uri=True,
            isolation_level=None,
            check_same_thread=False,
            timeout=self.longest_wait,
        )

    def uri(self, mode: str = "mode=ro") -> str:
        """Return the URI of SQLite for the file, here and beside other tables."""
        return f"{self.path.absolute().as_uri()}?{mode}{'&immutable=1' if self._seen else ''}"

    def _prepare(self) -> None:
        for setting in self.settings:
            self.database.execute(setting)
        if self._is_blank():
            with self.transaction():
                if self._is_blank():  # another process may have been quicker
                    self._make_tables()

    def _make_tables(self) -> None:
        for statement in self.schema.split(";\n"):
            self.database.execute(statement)

    def _is_blank(self) -> bool:
        return not self.database.execute("SELECT 1 FROM sqlite_master LIMIT 1").fetchone()

    def close(self) -> None:
        """Close the file."""
        self.database.close()

    def run(self, statement: str, *values: object) -> None:
        """Run an SQL statement."""
        with self._faults():
            self.database.execute(statement, values)

    def setting(self, name: str) -> str | None:
        """Return a setting, None where it was never set."""
        found = self.rows("SELECT value FROM setting WHERE name = ?", name)
        return next((value for (value,) in found), None)

    def set(self, **settings: str) -> None:
        """Write settings."""
        with self.transaction():
            self.database.executemany(_PUT_SETTING, settings.items())

    def is_sound(self) -> bool:
        """Return whether all pages of the file are sound; reads all of it."""
        return [*self.rows("PRAGMA quick_check(1)")] == [("ok",)]

    def rows(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an SQL query, read on while they are used."""
        return self._read_rows(statement, values, _BATCH)

    def named_rows(self, statement: str, values: Mapping[str, object]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an SQL query with values by name, some at a time."""
        return self._read_rows(statement, values, _PAGE)

    def read_pages(self, statement: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an SQL query that is asked again for each page, sorted.

        A query that stays open would keep the log of a writer growing.

        Args:
            statement: the query; its values are the first column of the last row, and a limit.
        """
        last = ""
        while found := list(self.rows(statement, last, _BATCH)):
            yield from found
            last = found[-1][0]

    def _read_rows(self, statement: str, values: Any, size: int) -> Iterator[tuple[Any, ...]]:
        with self._faults():
            if self._seen is not None and self._seen != _read_state(self.path):
                self.database.close()
                self._connect()  # somebody has changed it
            cursor = self.database.execute(statement, values)
            found = [()] * size
            while len(found) == size:
                found = cursor.fetchmany(size)
                if self._seen is not None and self._seen != _read_state(self.path):
                    raise CatalogueError(f"{self.path} was changed while it was read. Try again.")
                yield from found

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write all changes in the block, or none; a block inside is part of it."""
        if self._is_within:
            yield
            return
        with self._faults():
            self.database.execute("BEGIN IMMEDIATE")
            self._is_within = True
            try:
                yield
                self.database.execute("COMMIT")
            except BaseException:
                # On a full disk SQLite has rolled back itself.
                if self.database.in_transaction:
                    self.database.execute("ROLLBACK")
                raise
            finally:
                self._is_within = False

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Explain faults of SQLite.

        Raises:
            CatalogueError: in place of what SQLite raises.
        """
        try:
            yield
        except sqlite3.DatabaseError as fault:
            raise CatalogueError(self.explain(str(fault))) from None

    def explain(self, message: str) -> str:
        """Return an error message for a message of SQLite on the file."""
        if "closed database" in message:
            return f"{self.path.parent} is closed. Open it again."
        if "locked" in message:
            return f"{self.path} is in use by another process. Wait until it is done."
        if is_disk_full(message):
            return f"{self.path}: the disk is full ({message}). Free space, then try again."
        if is_damage(message):
            return f"{self.path} is damaged ({message}). Rebuild it: lexurn catalogue rebuild"
        return f"{self.path} cannot be used: {message}"


def is_disk_full(message: str) -> bool:
    """Return whether SQLite reports that the disk cannot be written."""
    return "full" in message or "disk I/O" in message


def is_damage(message: str) -> bool:
    """Return whether SQLite reports that a file is damaged."""
    return any(words in message for words in ("malformed", "not a database", "no such table"))


def _read_state(path: Path) -> tuple[int, int, bool]:
    """Return time and size of a file, and whether a log is beside it: equal if nothing changed."""
    try:
        state = path.stat()
    except OSError:
        return 0, 0, False
    return state.st_mtime_ns, state.st_size, _find_log(path).exists()


def _find_log(path: Path) -> Path:
    return path.with_name(f"{path.name}-wal")


GENERATION: Final = "generation"
"""Setting that holds the stamp of the store."""
STALE: Final = "stale"
"""Setting that is not empty while the store changes without the index."""
_LISTS: Final = "lists"
"""Setting that holds the format of the lists, and the stamp of the store whose lists they are."""

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
_NEXT_SETS: Final = "SELECT key, data FROM alias_set WHERE key > ? ORDER BY key LIMIT ?"
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
    """Index of the names of a catalogue in a folder; see `lexurn.catalogue.NameLookup`."""

    schema = _SCHEMA

    def _make_tables(self) -> None:
        super()._make_tables()
        self._make_lists()

    def _make_lists(self) -> None:
        ListTables(self.database).make()
        self.mark_lists(are_whole=True)

    def mark_lists(self, *, are_whole: bool) -> None:
        """Write whether the lists of ready queries are whole, so that they can be read."""
        mark = f"{FORMAT} {self.setting(GENERATION) or ''}" if are_whole else ""
        self.set(**{_LISTS: mark})

    def has_lists(self) -> bool:
        """Return whether the lists of ready queries are whole, and in step with the names.

        An older index has none, and an older lexurn does not keep them in step: a rebuild does.
        """
        return self.setting(_LISTS) == f"{FORMAT} {self.setting(GENERATION) or ''}"

    def can_answer(self, generation: str | None) -> bool:
        """Return whether the lists of ready queries give the answers of the store.

        Args:
            generation: the stamp of the store that is asked; None for the present one.
        """
        is_other = generation is not None and generation != self.setting(GENERATION)
        return not is_other and not self.setting(STALE) and self.has_lists()

    def family(self, act: str) -> Family | None:
        """Return the alias set that has an act or one of its aliases."""
        found = self.rows(_FIND.format("?"), act)
        return next((unpack_family(data) for _, data in found), None)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """Return the alias sets that have any of ``acts``, each once, sorted by key.

        Args:
            acts: the acts.
            most: how many characters all that is stated of several may have; None for any number.

        Raises:
            TooLargeError: it has more; ask for fewer acts.
        """
        if most is not None:
            sizes = dict(self._each(_SIZES, acts))
            if len(sizes) > 1 and sum(sizes.values()) > most:
                raise TooLargeError
        found = dict(self._each(_FIND, acts))
        return tuple(unpack_family(found[key]) for key in sorted(found))

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """Return the acts and aliases of acts that have a number, sorted."""
        text = "SELECT DISTINCT act FROM detail WHERE jurisdiction = ? AND number = ?"
        if year is None:
            found = self.rows(f"{text} ORDER BY act", jurisdiction, number)
        else:
            found = self.rows(f"{text} AND year = ? ORDER BY act", jurisdiction, number, year)
        return tuple(act for (act,) in found)

    def dated(self, head: str, day: str) -> Sequence[str]:
        """Return the acts and aliases of acts with a head and a first date, sorted."""
        start = f"{head}:{day}"
        text = "SELECT name FROM act WHERE name >= ? AND name < ? ORDER BY name"
        found = self.rows(text, start, f"{start}~")
        return tuple(act for (act,) in found if is_dated(act, head, day))

    def spelled(self, text: str) -> Sequence[str]:
        """Return the names of which ``text`` is a spelling in a dialect."""
        found = self.rows("SELECT name FROM spelling WHERE text = ? ORDER BY name", text)
        return tuple(name for (name,) in found)

    def holders(self, urls: Collection[str], most: int) -> Mapping[str, Sequence[str]]:
        """Return for each URL of a copy that is held the keys of at most ``most`` alias sets.

        A gazette may be a copy of a million acts.
        """
        query = (
            "SELECT DISTINCT alias_set.key FROM copy JOIN alias_set ON alias_set.id = copy.set_id "
            "WHERE copy.url = ? ORDER BY copy.set_id LIMIT ?"
        )
        held = {url: tuple(key for (key,) in self.rows(query, url, most)) for url in urls}
        return {url: keys for url, keys in held.items() if keys}

    def copies(self, url: str, without: Collection[str]) -> Iterator[Item]:
        """Yield the statements on a copy by alias sets other than those with some keys."""
        own = {number for (number,) in self._each(_NUMBERS, without)}
        for number, size, digest in self.rows(_STATED_SIZES, url):
            if number not in own:
                yield Item(url=url, bytes=size, sha256=digest)

    def count_alias_sets(self) -> int:
        """Return the number of alias sets."""
        ((count,),) = self.rows("SELECT count(*) FROM alias_set")
        return int(count)

    def keys(self) -> Iterator[str]:
        """Return the keys of all alias sets, sorted."""
        return (key for (key,) in self.read_pages(_NEXT_KEYS))

    def packed_families(self) -> Iterator[tuple[str, str]]:
        """Return the key of each alias set and its data, sorted, for `unpack_family`."""
        return ((key, data) for key, data in self.read_pages(_NEXT_SETS))

    def is_empty(self) -> bool:
        """Return whether nothing at all is held."""
        return not any(True for _ in self.rows("SELECT 1 FROM alias_set LIMIT 1"))

    def _each(self, statement: str, values: Collection[str]) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query for many values, some at a time."""
        waiting = iter(values)
        while some := tuple(islice(waiting, _MOST_VALUES)):
            yield from self.rows(statement.format(",".join("?" * len(some))), *some)

    def known(self, acts: Collection[str]) -> frozenset[str]:
        """Return those of some acts that are known."""
        found = self._each("SELECT name FROM act WHERE name IN ({})", acts)
        return frozenset(name for (name,) in found)

    def digests(self, keys: Collection[str]) -> Mapping[str, bytes]:
        """Return the digests of the quads of those of some alias sets that are known."""
        return dict(self._each("SELECT key, digest FROM alias_set WHERE key IN ({})", keys))

    def begin(self, journal: Iterable[str]) -> None:
        """Write a change into the journal, so that it is done even if the process dies.

        Args:
            journal: the change, in one or more texts.
        """
        with self.transaction():
            self.database.executemany(
                "INSERT INTO journal VALUES (?)", ((text,) for text in journal)
            )

    def abandon(self) -> None:
        """Clear the journal of a change of which nothing was done."""
        self.run("DELETE FROM journal")

    def is_pending(self) -> bool:
        """Return whether a change was begun and not settled."""
        return any(True for _ in self.rows("SELECT 1 FROM journal LIMIT 1"))

    def pending(self) -> Iterator[str]:
        """Yield the journal of a change that was begun and not settled, in its texts."""
        for (text,) in self.rows("SELECT data FROM journal ORDER BY rowid"):
            yield text

    def settle(
        self,
        old: Sequence[IndexRows],
        new: Iterable[IndexRows],
        *,
        generation: str | None = None,
    ) -> None:
        """Delete the rows of some alias sets, insert those of others, and clear the journal.

        Args:
            old: the rows to delete.
            new: the rows to insert, of which one element is in memory at a time.
            generation: the stamp that the store has now.
        """
        with self.transaction():
            self.database.execute("DELETE FROM journal")  # first, so that rows take its pages
            for each in (each for some in old for each in some.families):
                self._delete(each)
            lists = ListTables(self.database) if self.has_lists() else None
            if lists is not None:
                lists.replace([each.listing for each in old], (), self._is_known)
            for some in new:
                self._insert(some.families)
                if lists is not None:
                    lists.replace((), [some.listing], self._is_known)
            if generation is not None:
                self.database.execute(_PUT_SETTING, (GENERATION, generation))
                if lists is not None:
                    self.mark_lists(are_whole=True)

    def _delete(self, rows: FamilyRows) -> None:
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

    def _insert(self, families: Sequence[FamilyRows]) -> None:
        (last,) = self.database.execute("SELECT COALESCE(MAX(id), 0) FROM alias_set").fetchone()
        numbered = [(last + number, rows) for number, rows in enumerate(families, 1)]
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

    def _is_known(self, iri: str) -> bool:
        """Return whether a name, of any level, has a record; it is given as an IRI."""
        text = iri.replace("%7C", "|")
        if self.known((iri, text)):
            return True
        name = check(iri).name
        if name is None or name.is_act:
            return False
        family = self.family(str(name.act_name))
        return family is not None and family.record(name) is not None

    def clear(self) -> None:
        """Delete everything that follows from the store."""
        with self.transaction():
            for statement in (
                "DELETE FROM alias_set",
                "DELETE FROM act",
                "DELETE FROM detail",
                "DELETE FROM copy",
                "DELETE FROM spelling",
                "DELETE FROM journal",
            ):
                self.database.execute(statement)
            self._make_lists()


def write_journal(old: Iterable[str], new: Iterable[str], as_of: dt.date) -> str:
    """Write a change as text.

    Args:
        old: the keys of the alias sets that are taken out.
        new: the data of those that are put in, of `make_rows`.
        as_of: the day for which the version in force is asked.
    """
    journal = {"as_of": as_of.isoformat(), "old": list(old), "new": list(new)}
    return json.dumps(journal, ensure_ascii=False)


def read_journal(text: str, index: Index) -> tuple[Merge, dt.date]:
    """Read the change that `write_journal` wrote, and its day; the old sets are still held."""
    journal = json.loads(text)
    merge = Merge(
        old=tuple(index.families(journal["old"])),
        new=tuple(unpack_family(data) for data in journal["new"]),
    )
    return merge, dt.date.fromisoformat(journal["as_of"])


def list_journal_names(text: str) -> frozenset[str]:
    """Return the names that a change puts in."""
    sets = (json.loads(data.partition("\n")[0]) for data in json.loads(text)["new"])
    return frozenset(name for records in sets for name, _ in records)


T = TypeVar("T")
MOST_STATED: Final = 4_000_000
"""Maximum number of characters stated of several alias sets: of some 10,000 names."""


def read_in_lots(
    holdings: Index, things: Sequence[T], act_of: Callable[[T], str]
) -> Iterator[tuple[Sequence[T], Sequence[Family]]]:
    """Yield the alias sets that have the acts of some things, with these, in their order.

    Each lot is read when it is asked for, so changes by earlier lots are seen.

    Args:
        holdings: the names of the catalogue.
        things: things with an act each.
        act_of: the act of each.
    """
    try:
        families = holdings.families({act_of(each) for each in things}, MOST_STATED)
    except TooLargeError:
        half = len(things) // 2
        yield from read_in_lots(holdings, things[:half], act_of)
        yield from read_in_lots(holdings, things[half:], act_of)
    else:
        yield things, families
