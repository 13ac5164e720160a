"""Alias sets: rows on disk, compared with each other and grouped in bounded memory.

The rows lie in a SQLite database without a name, which is gone when it is closed or when the
process ends in whatever way. Sets are joined there by union-find.
"""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from lexurn.errors import ManifestError
from lexurn.manifest.cells import Fault, quote_value
from lexurn.manifest.families import GroupedRow, PackedGroup, RejectedRow
from lexurn.manifest.tables import explain_disk_errors, make_disk_error

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import TracebackType
    from typing import Any, Self

    from lexurn.findings import Finding
    from lexurn.manifest.families import PackedRow
    from lexurn.manifest.reader import RowReader

_BATCH = 1_000

SPOOL_SETTINGS = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA page_size = 16384",
    "PRAGMA cache_size = -8192",  # KiB: all the memory that rows on disk may take
    "PRAGMA temp_store = FILE",
)

_SPOOL_SCHEMA = """
CREATE TABLE row (
  id INTEGER PRIMARY KEY, act TEXT, name TEXT, file INTEGER, line INTEGER, data BLOB, raw BLOB);
CREATE TABLE alias (
  id INTEGER PRIMARY KEY, name TEXT, target TEXT, act TEXT, target_act TEXT);
CREATE TABLE copy (id INTEGER, url TEXT);
CREATE TABLE reject (file INTEGER, id INTEGER, line INTEGER, raw BLOB);
CREATE TABLE marked (id INTEGER PRIMARY KEY);
CREATE TABLE joined (act TEXT PRIMARY KEY, root TEXT) WITHOUT ROWID;
"""


class Spool:
    """Rows of a manifest on disk.

    Attributes:
        rejected: the number of good rows that were rejected later.
    """

    def __init__(self, path: str = "") -> None:
        """Open the database.

        Args:
            path: a new file; empty for one without a name, which nobody can find.

        Raises:
            ManifestError: there is no place for it.
        """
        with explain_disk_errors():
            self.database = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
            for setting in SPOOL_SETTINGS:
                self.database.execute(setting)
            self.database.executescript(_SPOOL_SCHEMA)
            self.database.execute("BEGIN")
        self.rejected = 0
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
        with explain_disk_errors():
            self.database.executemany(
                "INSERT INTO reject VALUES (?, ?, ?, ?)",
                ((file, number, line, piece) for piece in pieces),
            )

    def flush(self) -> None:
        """Write the rows that are still in memory."""
        with explain_disk_errors():
            self.database.executemany("INSERT INTO row VALUES (?, ?, ?, ?, ?, ?, ?)", self._rows)
            self.database.executemany("INSERT INTO alias VALUES (?, ?, ?, ?, ?)", self._aliases)
            self.database.executemany("INSERT INTO copy VALUES (?, ?)", self._copies)
        self._copies.clear()
        self._rows.clear()
        self._aliases.clear()

    def query(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a query, read on while they are used."""
        with explain_disk_errors():
            cursor = self.database.execute(statement, values)
        while True:
            with explain_disk_errors():
                found = cursor.fetchmany(_BATCH)
            if not found:
                return
            yield from found

    def one(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        """Return the first row of a query."""
        try:
            found: tuple[Any, ...] | None = self.database.execute(statement, values).fetchone()
        except sqlite3.Error as full:
            raise make_disk_error(full) from None
        return found

    def run(self, statement: str, *values: object) -> int:
        """Run a statement without a result; return the number of rows that it changed."""
        try:
            return self.database.execute(statement, values).rowcount
        except sqlite3.Error as full:
            raise make_disk_error(full) from None

    def mark_row(self, number: int) -> None:
        """Mark a good row to be rejected."""
        self.run("INSERT OR IGNORE INTO marked VALUES (?)", number)

    def reject_marked(self) -> None:
        """Move the marked rows to the rejected ones."""
        marked = "WHERE id IN (SELECT id FROM marked)"
        self.run(f"INSERT INTO reject SELECT file, id, line, raw FROM row {marked}")  # noqa: S608
        self.run(f"DELETE FROM alias {marked}")  # noqa: S608
        self.rejected += self.run(f"DELETE FROM row {marked}")  # noqa: S608
        self.run("DELETE FROM marked")

    def close(self) -> None:
        """Close the database, which deletes it."""
        self.database.close()


LARGEST_ALIAS_SET = 100_000
"""The most rows of one alias set."""

_LONGEST_CHAIN = 100

_SELECT_DUPLICATES = """
SELECT later.id, later.file, later.line, later.name, first.file, first.line, a.target, b.target
FROM (SELECT id, file, line, name, MIN(id) OVER (PARTITION BY act, name) AS first FROM row) later
JOIN row first ON first.id = later.first
LEFT JOIN alias a ON a.id = later.id LEFT JOIN alias b ON b.id = first.id
WHERE later.id <> later.first ORDER BY later.id
"""
_SELECT_CHAINS = """
SELECT link.id, row.file, row.line, link.name, link.target FROM alias link
JOIN row ON row.id = link.id WHERE link.target IN (SELECT name FROM alias) ORDER BY link.id
"""
_SELECT_SIZES = """
SELECT MIN(id), act, COUNT(*) FROM row GROUP BY act HAVING COUNT(*) > ? ORDER BY act
"""
_JOIN_ROWS = (
    """
CREATE TABLE centre AS SELECT joined.root AS root, MIN(alias.target_act) AS act
FROM alias JOIN joined ON joined.act = alias.target_act
WHERE alias.target_act NOT IN (SELECT name FROM alias) GROUP BY joined.root
""",
    "CREATE INDEX by_root ON centre (root, act)",
    """
UPDATE row SET act = (
  SELECT centre.act FROM joined JOIN centre ON centre.root = joined.root
  WHERE joined.act = row.act)
WHERE act IN (SELECT act FROM joined)
""",
)
_FIND_SHARED = (
    "CREATE TABLE repeated AS SELECT url FROM copy GROUP BY url HAVING COUNT(*) > 1",
    """
CREATE TABLE shared AS SELECT DISTINCT row.act AS act, url FROM copy JOIN row ON row.id = copy.id
WHERE url IN (
  SELECT url FROM copy JOIN row ON row.id = copy.id WHERE url IN (SELECT url FROM repeated)
  GROUP BY url HAVING MIN(row.act) < MAX(row.act))
""",
    "CREATE INDEX by_holder ON shared (act)",
)
_SELECT_GROUPS = "SELECT act, id, file, line, data FROM row ORDER BY act"
_SELECT_SHARED = "SELECT act, url FROM shared ORDER BY act"
_SELECT_COPIES = "SELECT DISTINCT row.act, url FROM copy JOIN row ON row.id = copy.id"
_SELECT_REJECTED = "SELECT file, id, line, raw FROM reject ORDER BY file, id, rowid"
_SELECT_ROOT = "SELECT root FROM joined WHERE act = ?"
_SHORTEN_PATHS = """
UPDATE joined SET root = (SELECT above.root FROM joined above WHERE above.act = joined.root)
WHERE root <> (SELECT above.root FROM joined above WHERE above.act = joined.root)
"""


class _RowFault(NamedTuple):
    """Fault of a row that was good by itself: the row's number, file and line."""

    id: int
    file: int
    line: int
    fault: Fault


class AliasSets:
    """Rows on disk, grouped by alias set in bounded memory; a context manager.

    All rows of an alias set, aliases of any level included, must come to the same object. Copies
    count as shared between the alias sets in it.

    Attributes:
        spool: the rows on disk.
    """

    def __init__(self, readers: Sequence[RowReader]) -> None:
        """Open a temporary file.

        Args:
            readers: the readers of the rows, by the place of their table.

        Raises:
            ManifestError: there is no place for it.
        """
        self.spool = Spool()
        self._readers = readers

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Delete the rows."""
        self.spool.close()

    def add(self, row: PackedRow) -> None:
        """Take in a good row.

        Raises:
            ManifestError: the disk is full.
        """
        self.spool.add(row)

    def join(self) -> Iterator[Finding]:
        """Reject the rows that do not fit the others, and join the rest to alias sets; once.

        Yields:
            Errors in rows that were good by themselves.

        Raises:
            ManifestError: the disk is full.
        """
        spool = self.spool
        spool.flush()
        yield from self._reject(self._find_duplicates())
        yield from self._reject(self._find_chains())
        # An alias of any level joins the acts of its two names.
        join_acts(spool, spool.query("SELECT act, target_act FROM alias WHERE act <> target_act"))
        for statement in _JOIN_ROWS:
            spool.run(statement)
        yield from self._reject(self._find_oversized())
        for statement in _FIND_SHARED:
            spool.run(statement)

    def _reject(self, faults: Iterable[_RowFault]) -> Iterator[Finding]:
        for number, place, line, fault in faults:
            self.spool.mark_row(number)
            yield self._readers[place].place_fault(fault, line)
        self.spool.reject_marked()

    def _find_duplicates(self) -> Iterator[_RowFault]:
        """Find the rows whose name an earlier row has."""
        self.spool.run("CREATE INDEX by_act ON row (act, name)")
        found = self.spool.query(_SELECT_DUPLICATES)
        for number, file, line, name, other_file, other_line, target, other_target in found:
            is_torn = None not in {target, other_target} and target != other_target
            text = target if is_torn else name
            place = f"{self._readers[other_file].file}:{other_line}"
            fault = Fault(
                code="LX532" if is_torn else "LX531",
                column="alias_of" if is_torn else "urn",
                end=len(text),
                text=text,
                values={"value": quote_value(name), "expected": place},
            )
            yield _RowFault(number, file, line, fault)

    def _find_chains(self) -> Iterator[_RowFault]:
        """Find the rows whose canonical name is an alias itself."""
        self.spool.run("CREATE INDEX by_alias ON alias (name)")
        for number, file, line, name, target in self.spool.query(_SELECT_CHAINS):
            end = self._find_chain_end(name, target)
            fault = Fault(
                code="LX536" if end is None else "LX535",
                column="alias_of",
                end=len(target),
                text=target,
                suggestion=end,
                values={"value": quote_value(target), "expected": quote_value(end or "")},
            )
            yield _RowFault(number, file, line, fault)

    def _find_chain_end(self, name: str, target: str) -> str | None:
        """Return the last name in a chain of aliases, None where the chain is a loop."""
        seen = {name}
        while target not in seen:
            seen.add(target)
            found = self.spool.one("SELECT target FROM alias WHERE name = ?", target)
            if found is None or len(seen) > _LONGEST_CHAIN:
                return target
            target = found[0]
        return None

    def _find_oversized(self) -> Iterator[_RowFault]:
        """Find the alias sets that are too large, and mark their rows."""
        for number, act, count in self.spool.query(_SELECT_SIZES, LARGEST_ALIAS_SET):
            place = self.spool.one("SELECT file, line FROM row WHERE id = ?", number)
            self.spool.run("INSERT OR IGNORE INTO marked SELECT id FROM row WHERE act = ?", act)
            values = {"value": quote_value(act), "expected": count, "most": LARGEST_ALIAS_SET}
            if place is not None:
                yield _RowFault(number, place[0], place[1], Fault(code="LX537", values=values))

    def groups(self) -> Iterator[PackedGroup]:
        """Yield the rows by alias set, sorted by act.

        Raises:
            ManifestError: the disk fails.
        """
        sharing = groupby(self.spool.query(_SELECT_SHARED), key=itemgetter(0))
        sharer = next(sharing, None)
        for act, found in groupby(self.spool.query(_SELECT_GROUPS), key=itemgetter(0)):
            rows = sorted(found, key=itemgetter(1))
            shared: tuple[str, ...] = ()
            while sharer is not None and act is not None and sharer[0] < act:
                sharer = next(sharing, None)
            if sharer is not None and sharer[0] == act:
                shared = tuple(url for _, url in sharer[1])
            files = self._readers
            yield PackedGroup(
                act,
                tuple(
                    GroupedRow(number, files[p].file, line, data)
                    for _, number, p, line, data in rows
                ),
                shared,
            )

    def copies(self) -> Iterator[tuple[str, str]]:
        """Yield the act of each alias set with the URLs of its copies, each once.

        Raises:
            ManifestError: the disk fails.
        """
        return self.spool.query(_SELECT_COPIES)

    def reject(self, group: PackedGroup) -> None:
        """Reject the rows of an alias set that contradict each other."""
        for row in group.rows:
            self.spool.mark_row(row.number)
        self.spool.reject_marked()

    @property
    def rejected(self) -> int:
        """Number of rows that were rejected here."""
        return self.spool.rejected

    def rejects(self) -> Iterator[RejectedRow]:
        """Yield the rejected rows unchanged."""
        return (RejectedRow(*row) for row in self.spool.query(_SELECT_REJECTED))


def join_acts(spool: Spool, pairs: Iterable[tuple[str, ...]]) -> None:
    """Note for each act in some pairs the act that stands for all acts joined with it."""
    for act, other in pairs:
        one, two = sorted((_find_root(spool, act), _find_root(spool, other)))
        if one != two:
            spool.run("UPDATE joined SET root = ? WHERE act = ?", one, two)
    while spool.run(_SHORTEN_PATHS):
        pass


def _find_root(spool: Spool, act: str) -> str:
    """Find the act that stands for all acts joined with ``act`` so far; halve paths on the way."""
    above = spool.one(_SELECT_ROOT, act)
    if above is None:
        spool.run("INSERT INTO joined VALUES (?, ?)", act, act)
        return act
    while above[0] != act:
        further = spool.one(_SELECT_ROOT, above[0])
        root = above[0] if further is None else further[0]
        if root == above[0]:
            return str(root)
        spool.run("UPDATE joined SET root = ? WHERE act = ?", root, act)
        act = root
        above = spool.one(_SELECT_ROOT, act) or (act,)
    return act


def write_joined_acts(path: str | Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write a file of the acts that aliases of any level join.

    Args:
        path: a file that does not exist yet.
        pairs: the act of an alias and that of its canonical name, as `PackedRow` has them.

    Raises:
        ManifestError: the disk is full.
    """
    spool = Spool(str(path))
    try:
        join_acts(spool, pairs)
        spool.run("COMMIT")
    finally:
        spool.close()


class JoinedActs:
    """File of `write_joined_acts`, open for reading; a context manager."""

    def __init__(self, path: str | Path) -> None:
        """Open the file.

        Raises:
            ManifestError: it cannot be opened.
        """
        self._path = path
        with self._explain_errors():
            address = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
            self._database = sqlite3.connect(address, uri=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._database.close()

    def root(self, act: str) -> str:
        """Return the act that stands for all acts joined with an act; itself where it is alone.

        Raises:
            ManifestError: the file cannot be read.
        """
        with self._explain_errors():
            found = self._database.execute(_SELECT_ROOT, (act,)).fetchone()
        return act if found is None else str(found[0])

    @contextmanager
    def _explain_errors(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as broken:
            raise ManifestError(f"{self._path}: cannot be read: {broken}") from None
