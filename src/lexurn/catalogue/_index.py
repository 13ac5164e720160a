"""The index of names in SQLite: what the resolver looks up, and the journal of the loader.

It follows from the store and can be made again from it. What is not in it yet but on its way into
the store stands in the journal, so that a crash between the two is mended at the next opening.
"""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from lexurn.catalogue._index_file import IndexFile
from lexurn.catalogue._keys import is_dated
from lexurn.catalogue._protocols import TooMuchError
from lexurn.catalogue._rows import family_in
from lexurn.model import Item

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from pathlib import Path

    from lexurn.catalogue._rows import FamilyRows
    from lexurn.model import Family

__all__ = ["GENERATION", "STALE", "Index"]

GENERATION: Final = "generation"
"""The setting that holds the stamp of the store."""
STALE: Final = "stale"
"""The setting that is not empty while the store is changed behind the back of the index."""

_MOST_VALUES: Final = 500
_BATCH: Final = 1_000

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
_SET: Final = "INSERT OR REPLACE INTO setting VALUES (?, ?)"
_NEXT_KEYS: Final = "SELECT key FROM alias_set WHERE key > ? ORDER BY key LIMIT ?"
_FIND: Final = (
    "SELECT DISTINCT alias_set.key, alias_set.data FROM act "
    "JOIN alias_set ON alias_set.id = act.set_id WHERE act.name IN ({}) ORDER BY alias_set.key"
)
_SIZES: Final = (
    "SELECT id, LENGTH(data) FROM alias_set WHERE id IN (SELECT set_id FROM act WHERE name IN ({}))"
)
_NUMBERS: Final = "SELECT id FROM alias_set WHERE key IN ({})"
_STATED: Final = (
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
        return next((family_in(data) for _, data in found), None)

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """The alias sets that have any of ``acts``, each once, sorted by key."""
        if most is not None:
            sizes = dict(self._each(_SIZES, acts))
            if len(sizes) > 1 and sum(sizes.values()) > most:
                raise TooMuchError
        found = dict(self._each(_FIND, acts))
        return tuple(family_in(found[key]) for key in sorted(found))

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
        for number, size, digest in self.rows(_STATED, url):
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
                self.database.execute(_SET, (GENERATION, generation))

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
            self.database.execute(_SET, (name, value))

    def clear(self) -> None:
        """Forget everything that follows from the store."""
        with self.transaction():
            for table in ("alias_set", "act", "detail", "copy", "spelling", "journal"):
                self.database.execute(f"DELETE FROM {table}")  # noqa: S608 - names from above
