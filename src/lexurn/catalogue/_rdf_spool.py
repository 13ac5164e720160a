"""Statements on disk, grouped by alias set in bounded memory: a nameless SQLite database.

A *tail* is what is said of a node: a digit for where it was said (`Voice`), predicate and object as
N-Triples has them. What is said of copies and their digests is given to each alias set that has
them.
"""

from __future__ import annotations

import sqlite3
import tempfile
from contextlib import contextmanager
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lexurn.catalogue._scratch import scratch_place
from lexurn.errors import CatalogueError, ManifestError
from lexurn.manifest import Kin, write_kin

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["PackedTails", "QuadSpool", "RdfGroup", "Tails", "Voice", "unpacked_tails"]

_BATCH: Final = 5_000
_SETTINGS: Final = (
    "PRAGMA journal_mode = OFF",
    "PRAGMA synchronous = OFF",
    "PRAGMA locking_mode = EXCLUSIVE",
    "PRAGMA page_size = 16384",
    "PRAGMA cache_size = -32768",  # KiB: all the memory that statements on disk may take
    "PRAGMA temp_store = FILE",
)
_SCHEMA: Final = """
CREATE TABLE part (act TEXT, node TEXT, tails TEXT, source INTEGER, line INTEGER);
CREATE TABLE fact (node TEXT, tails TEXT, source INTEGER, line INTEGER);
CREATE TABLE held (url TEXT, act TEXT, source INTEGER);
CREATE TABLE digest (node TEXT, url TEXT, source INTEGER);
CREATE TABLE alias (act TEXT, target_act TEXT, is_act INTEGER, source INTEGER);
"""
_TABLES: Final = ("part", "fact", "held", "digest", "alias")
_INSERTS: Final = {
    "part": "INSERT INTO part VALUES (?, ?, ?, ?, ?)",
    "fact": "INSERT INTO fact VALUES (?, ?, ?, ?)",
    "held": "INSERT INTO held VALUES (?, ?, ?)",
    "digest": "INSERT INTO digest VALUES (?, ?, ?)",
    "alias": "INSERT INTO alias VALUES (?, ?, ?, ?)",
}
# The outer rows come in the order of the index that the inner ones are looked up in.
_JOIN_COPIES: Final = (
    "CREATE INDEX by_url ON held (url, act)",
    "CREATE INDEX by_node ON fact (node)",
    "CREATE INDEX by_digest ON digest (node, url)",
    """
    INSERT INTO part
    SELECT DISTINCT held.act, fact.node, fact.tails, fact.source, fact.line
    FROM fact INDEXED BY by_node CROSS JOIN held ON held.url = fact.node
    """,
    """
    INSERT INTO part
    SELECT DISTINCT held.act, fact.node, fact.tails, fact.source, fact.line
    FROM fact INDEXED BY by_node CROSS JOIN digest ON digest.node = fact.node
    CROSS JOIN held ON held.url = digest.url
    """,
)
_ORPHANS: Final = """
SELECT node, tails, source, line FROM fact
WHERE node NOT IN (SELECT url FROM held)
AND NOT EXISTS (
  SELECT 1 FROM digest JOIN held ON held.url = digest.url WHERE digest.node = fact.node)
ORDER BY node
"""
_CENTRES: Final = """
CREATE TABLE centre AS SELECT root_of(target_act) AS root, MIN(target_act) AS act FROM alias
WHERE target_act NOT IN (SELECT act FROM alias WHERE is_act) GROUP BY 1
"""
_MOVE: Final = """
UPDATE {table} SET act = COALESCE(
  (SELECT centre.act FROM centre WHERE centre.root = root_of({table}.act)), root_of(act))
WHERE act IN (SELECT act FROM alias UNION SELECT target_act FROM alias)
"""
_SHARED: Final = """
CREATE TABLE shared AS SELECT DISTINCT act, url FROM held WHERE url IN (
  SELECT url FROM held GROUP BY url HAVING MIN(act) < MAX(act))
"""
_SIZES: Final = """
SELECT act FROM part WHERE act IN (SELECT act FROM part GROUP BY act HAVING COUNT(*) > ?1)
AND node LIKE '<urn:lex:%' GROUP BY act HAVING COUNT(DISTINCT node) > ?1
"""
_PARTS: Final = "SELECT act, node, tails, source, line FROM part ORDER BY act"
_LOT: Final = "SELECT node, tails, source, line FROM part WHERE act = ? ORDER BY rowid"


class Voice(StrEnum):
    """Where a statement stands: in a layer's graph, or in none; the first digit of its tail.

    Attributes:
        MERGED: in no graph, as in Turtle: all layers in one.
        DECODED: in the graph of what names say themselves.
        CATALOGUED: in the graph of what publishers state.
        COMPUTED: in the graph of what follows from these.
        CLAIMED: in no graph, and of a kind that follows from what is stated.
        BROKEN: nowhere that can be told: a statement on the node cannot be read.
    """

    MERGED = "0"
    DECODED = "1"
    CATALOGUED = "2"
    COMPUTED = "3"
    CLAIMED = "4"
    BROKEN = "5"


class Tails(NamedTuple):
    """What a source says of a node in one place.

    Attributes:
        node: the node.
        tails: what is said, each with the digit of its voice.
        source: the number of the source.
        line: the line where it begins.
    """

    node: str
    tails: Sequence[str]
    source: int
    line: int


PackedTails = tuple[str, str, int, int]
"""The same with a line end between tails: quicker to give to another process."""


class RdfGroup(NamedTuple):
    """What is said of one alias set, from which `build_rdf` makes its family: plain values.

    Attributes:
        act: the act at its centre.
        parts: what is said of its names, its copies and their digests.
        shared: URLs of copies that it has, and other alias sets too.
        is_oversize: whether it has more names than an alias set may; it comes without its parts.
    """

    act: str
    parts: tuple[PackedTails, ...]
    shared: tuple[str, ...] = ()
    is_oversize: bool = False


class QuadSpool:
    """Statements on disk."""

    def __init__(self) -> None:
        """Open a database without a name.

        Raises:
            CatalogueError: there is no place for it.
        """
        with _on_disk():
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            for setting in _SETTINGS:
                self._database.execute(setting)
            self._database.executescript(_SCHEMA)
            self._database.execute("BEGIN")
        self._waiting: dict[str, list[tuple[object, ...]]] = {table: [] for table in _TABLES}

    def close(self) -> None:
        """Forget all."""
        self._database.close()

    def part(self, act: str, said: Tails) -> None:
        """Keep what is said of a node that belongs to an act."""
        self._add("part", (act, said.node, "\n".join(said.tails), said.source, said.line))

    def fact(self, said: Tails) -> None:
        """Keep what is said of a copy or of a digest."""
        self._add("fact", (said.node, "\n".join(said.tails), said.source, said.line))

    def held(self, url: str, act: str, source: int) -> None:
        """Note that an act, or what is under it, has a copy (a term)."""
        self._add("held", (url, act, source))

    def digest(self, node: str, url: str, source: int) -> None:
        """Note that a node is the digest of a copy."""
        self._add("digest", (node, url, source))

    def alias(self, act: str, target_act: str, source: int, *, is_act: bool) -> None:
        """Note that an act, or a name below it, is the alias of another act, or of one below."""
        self._add("alias", (act, target_act, is_act, source))

    def _add(self, table: str, row: tuple[object, ...]) -> None:
        waiting = self._waiting[table]
        waiting.append(row)
        if len(waiting) >= _BATCH:
            self._flush(table)

    def _flush(self, table: str) -> None:
        with _on_disk():
            self._database.executemany(_INSERTS[table], self._waiting[table])
        self._waiting[table].clear()

    def forget(self, source: int) -> None:
        """Forget all of one source."""
        for table in _TABLES:
            self._flush(table)
            self._run(f"DELETE FROM {table} WHERE source = ?", source)  # noqa: S608 - our own tables

    def settle(self) -> None:
        """Give copies to the acts that have them, and all to alias sets; once."""
        for table in _TABLES:
            self._flush(table)
        self._join_acts()
        for statement in (*_JOIN_COPIES, _SHARED, "CREATE INDEX by_sharer ON shared (act)"):
            self._run(statement)

    def _join_acts(self) -> None:
        pairs = "SELECT DISTINCT act, target_act FROM alias WHERE act <> target_act"
        if next(self._query(pairs), None) is None:
            return
        with _on_disk(), tempfile.TemporaryDirectory(dir=scratch_place()) as folder:
            path = Path(folder) / "kin"
            write_kin(path, self._query(pairs))
            with Kin(path) as kin:
                self._database.create_function("root_of", 1, kin.root)
                self._run(_CENTRES)
                self._run("CREATE INDEX by_root ON centre (root, act)")
                for table in ("part", "held"):
                    self._run(_MOVE.format(table=table))

    def orphans(self) -> Iterator[Tails]:
        """What is said of copies that no name has."""
        return (unpacked_tails(*row) for row in self._query(_ORPHANS))

    def groups(self, most: int) -> Iterator[RdfGroup]:
        """What is said of each alias set, sorted by act.

        Args:
            most: how many names an alias set may have; what has more is not held in memory.
        """
        oversize = {act for (act,) in self._query(_SIZES, most)}
        sharing = groupby(self._query("SELECT act, url FROM shared ORDER BY act"), itemgetter(0))
        sharer = next(sharing, None)
        for act, rows in groupby(self._query(_PARTS), itemgetter(0)):
            while sharer is not None and sharer[0] < act:
                sharer = next(sharing, None)
            shared: tuple[str, ...] = ()
            if sharer is not None and sharer[0] == act:
                shared = tuple(url[1:-1] for _, url in sharer[1])
            if act in oversize:
                yield RdfGroup(act, (), shared, is_oversize=True)
            else:
                yield RdfGroup(act, tuple(row[1:] for row in rows), shared)

    def parts(self, act: str) -> Iterator[Tails]:
        """What is said of one alias set, one by one, however large it is."""
        return (unpacked_tails(*row) for row in self._query(_LOT, act))

    def _query(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with _on_disk():
            cursor = self._database.execute(statement, values)
        while True:
            with _on_disk():
                found = cursor.fetchmany(_BATCH)
            if not found:
                return
            yield from found

    def _run(self, statement: str, *values: object) -> None:
        with _on_disk():
            self._database.execute(statement, values)


def unpacked_tails(node: str, tails: str, source: int, line: int) -> Tails:
    """What is said of a node, one by one."""
    return Tails(node, tails.split("\n") if tails else (), source, line)


@contextmanager
def _on_disk() -> Iterator[None]:
    """Say in one sentence why the disk does not hold the statements.

    Raises:
        CatalogueError: it does not.
    """
    try:
        yield
    except (sqlite3.Error, OSError, ManifestError) as full:
        raise CatalogueError(
            f"the statements cannot be kept in a temporary file: {full}; free space in "
            f"{scratch_place()}, or set TMPDIR to a folder on a larger disk"
        ) from None
