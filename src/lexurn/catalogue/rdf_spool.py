"""Spool of RDF: statements on disk, filtered, and grouped by alias set in bounded memory.

What is said of names and copies is kept by node, the rest is rejected. What names say themselves,
and what follows from all that is known, is not kept: it is made anew. Where a graph says of which
layer it is (N-Quads, TriG), that is believed. Where layers are merged, a name must say what is said
to be its own, and what is said to follow must follow in the end.

What is said of a node is kept as texts: a digit for where it was said (`Origin`), predicate and
object as N-Triples has them. What is said of copies and their digests is given to each alias set
that has them.
"""

from __future__ import annotations

import datetime as dt
import re
import sqlite3
import tempfile
from contextlib import contextmanager
from enum import StrEnum
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pyoxigraph

from lexurn import vocabulary as v
from lexurn.catalogue.files import find_scratch_place
from lexurn.errors import CatalogueError, ManifestError
from lexurn.graph import (
    CATALOGUED_PROPERTIES,
    COMPUTED_PROPERTIES,
    DECODED_PROPERTIES,
    ITEM_CLASSES,
    ITEM_LINKS,
    ITEM_PROPERTIES,
    LAYERS,
    NAME_CLASSES,
    Layer,
    statements_of,
)
from lexurn.manifest import JoinedActs, write_joined_acts
from lexurn.model import Record, family_of
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, Final

    from lexurn.catalogue.rdf_reading import Statement

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
_FIND_CENTRES: Final = """
CREATE TABLE centre AS SELECT root_of(target_act) AS root, MIN(target_act) AS act FROM alias
WHERE target_act NOT IN (SELECT act FROM alias WHERE is_act) GROUP BY 1
"""
_MOVE_ACTS: Final = """
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
_PARTS_OF_ACT: Final = "SELECT node, tails, source, line FROM part WHERE act = ? ORDER BY rowid"


class Origin(StrEnum):
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


class NodeStatements(NamedTuple):
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


PackedStatements = tuple[str, str, int, int]
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
    parts: tuple[PackedStatements, ...]
    shared: tuple[str, ...] = ()
    is_oversize: bool = False


class QuadSpool:
    """Statements on disk."""

    def __init__(self) -> None:
        """Open a database without a name.

        Raises:
            CatalogueError: there is no place for it.
        """
        with _explain_disk_faults():
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            for setting in _SETTINGS:
                self._database.execute(setting)
            self._database.executescript(_SCHEMA)
            self._database.execute("BEGIN")
        self._waiting: dict[str, list[tuple[object, ...]]] = {table: [] for table in _TABLES}

    def close(self) -> None:
        """Forget all."""
        self._database.close()

    def part(self, act: str, said: NodeStatements) -> None:
        """Keep what is said of a node that belongs to an act."""
        self._add("part", (act, said.node, "\n".join(said.tails), said.source, said.line))

    def fact(self, said: NodeStatements) -> None:
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
        with _explain_disk_faults():
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
        with (
            _explain_disk_faults(),
            tempfile.TemporaryDirectory(dir=find_scratch_place()) as folder,
        ):
            path = Path(folder) / "kin"
            write_joined_acts(path, self._query(pairs))
            with JoinedActs(path) as kin:
                self._database.create_function("root_of", 1, kin.root)
                self._run(_FIND_CENTRES)
                self._run("CREATE INDEX by_root ON centre (root, act)")
                for table in ("part", "held"):
                    self._run(_MOVE_ACTS.format(table=table))

    def orphans(self) -> Iterator[NodeStatements]:
        """What is said of copies that no name has."""
        return (unpack_statements(*row) for row in self._query(_ORPHANS))

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

    def parts(self, act: str) -> Iterator[NodeStatements]:
        """What is said of one alias set, one by one, however large it is."""
        return (unpack_statements(*row) for row in self._query(_PARTS_OF_ACT, act))

    def _query(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        with _explain_disk_faults():
            cursor = self._database.execute(statement, values)
        while True:
            with _explain_disk_faults():
                found = cursor.fetchmany(_BATCH)
            if not found:
                return
            yield from found

    def _run(self, statement: str, *values: object) -> None:
        with _explain_disk_faults():
            self._database.execute(statement, values)


def unpack_statements(node: str, tails: str, source: int, line: int) -> NodeStatements:
    """What is said of a node, one by one."""
    return NodeStatements(node, tails.split("\n") if tails else (), source, line)


@contextmanager
def _explain_disk_faults() -> Iterator[None]:
    """Say in one sentence why the disk does not hold the statements.

    Raises:
        CatalogueError: it does not.
    """
    try:
        yield
    except (sqlite3.Error, OSError, ManifestError) as full:
        raise CatalogueError(
            f"the statements cannot be kept in a temporary file: {full}; free space in "
            f"{find_scratch_place()}, or set TMPDIR to a folder on a larger disk"
        ) from None


_LEX: Final = "<urn:lex:"
_DECODED: Final = f"<{Layer.DECODED.iri}>"
_SELF_EVIDENT: Final = DECODED_PROPERTIES - {v.TYPE}
_ANY_DAY: Final = dt.date(2000, 1, 1)
# Heads of names that are canonical as they stand: whoever reads the whole name says if it is one.
_PLAIN_NODE: Final = re.compile(
    r"<(urn:lex:[a-z0-9.;-]+(?::[a-z0-9.;,+-]+){3})(?:[:@$~][^<>?#]*)?>"
)

_DIRECTION: Final = re.compile(r'"@[A-Za-z0-9-]+--(?:ltr|rtl)\Z')


class Rejection(NamedTuple):
    """A statement that is turned down: a key of `REJECTION_CODES`, and what it says of it."""

    code: str
    detail: str


def is_lex_node(term: str) -> bool:
    """Whether a term should be a LEX name, in whatever case."""
    return term[: len(_LEX)].lower() == _LEX


def format_statement(statement: Statement) -> str:
    """The N-Quads line of a statement."""
    subject, predicate, value, graph = statement
    end = f" {graph} ." if graph else " ."
    return f"{subject} {predicate} {value}{end}\n"


class StatementFilter:
    """What comes in is put on disk, a node at a time; statements of a node mostly come together."""

    def __init__(self, spool: QuadSpool, refuse: Callable[[Statement, Rejection], None]) -> None:
        """Keep the parts.

        Args:
            spool: where statements are kept.
            refuse: is given each statement that is turned down.
        """
        self._spool, self._refuse = spool, refuse
        self._source = self._line = 0
        self._node = ""
        self._act: str | Rejection | None = None
        self._is_described = False
        self._tails: list[str] = []
        self._own: frozenset[str] | None = None

    def begin(self, source: int) -> None:
        """Go on with another source."""
        self.end()
        self._source = source

    def end(self) -> None:
        """Put what is held on disk."""
        if self._tails or self._is_described:
            said = NodeStatements(self._node, self._tails, self._source, self._line)
            if isinstance(self._act, str):
                self._spool.part(self._act, said)
            else:
                self._spool.fact(said)
        self.drop()

    def drop(self) -> None:
        """Forget what is held."""
        self._node = ""
        self._tails = []
        self._is_described = False

    def take(self, statement: Statement, line: int) -> None:
        """Take in a statement, at a line of the source."""
        subject, predicate, value, graph = statement
        if subject != self._node:
            self.end()
            self._node, self._line, self._own = subject, line, None
            self._act = find_act(subject) if is_lex_node(subject) else None
        act = self._act
        if act is None:
            refused = self._of_other(predicate, value, graph)
        elif not isinstance(act, str):
            refused = act
        elif graph == _DECODED and predicate in _SELF_EVIDENT:  # most of all that comes in
            self._is_described = True
            return
        else:
            refused = self._of_name(act, predicate, value, graph)
        if refused is not None:
            self._refuse(statement, refused)

    def spoil(self, node: str, line: int) -> None:
        """Note that something said of a name cannot be read, so that nothing said of it counts."""
        act = find_act(node) if is_lex_node(node) else None
        if isinstance(act, str):
            self._spool.part(act, NodeStatements(node, (Origin.BROKEN,), self._source, line))

    def _of_name(self, act: str, predicate: str, value: str, graph: str) -> Rejection | None:
        layer = LAYERS.get(graph)
        if layer is Layer.DECODED:
            known = predicate in DECODED_PROPERTIES and (
                predicate != v.TYPE or value in NAME_CLASSES
            )
            self._is_described = self._is_described or known
            return None if known else _reject_foreign(predicate, value)
        if layer is Layer.COMPUTED:
            return None if predicate in COMPUTED_PROPERTIES else _reject_foreign(predicate, value)
        if layer is None and graph:
            return Rejection("LX981", f"the graph {graph}")
        if predicate in CATALOGUED_PROPERTIES:
            return self._stated(act, predicate, value, layer)
        if layer is not None:
            return _reject_foreign(predicate, value)
        return self._merged(predicate, value)

    def _merged(self, predicate: str, value: str) -> Rejection | None:
        is_foreign = predicate == v.TYPE and value not in NAME_CLASSES
        if predicate in DECODED_PROPERTIES and not is_foreign:
            if f"{predicate} {value}" not in self._says_itself():
                return Rejection("LX987", f"{predicate} {value}")
            self._is_described = True
        elif predicate in COMPUTED_PROPERTIES and value[0] != "_":
            self._tails.append(f"{Origin.CLAIMED}{predicate} {value}")
        else:
            return _reject_foreign(predicate, value)
        return None

    def _says_itself(self) -> frozenset[str]:
        """What the name says itself: predicates and objects."""
        if self._own is None:
            name = check(self._node[1:-1]).name
            own: frozenset[str] = frozenset()
            if name is not None:
                family = family_of([Record(name=name)])
                decoded = statements_of(family, as_of=_ANY_DAY).decoded
                own = frozenset(f"{p} {o}" for node, p, o in decoded if node == f"<{name.iri}>")
            self._own = own
        return self._own

    def _stated(
        self, act: str, predicate: str, value: str, layer: Layer | None
    ) -> Rejection | None:
        if value[0] == "<":
            if predicate == v.SAME_AS and not is_lex_node(value):
                return Rejection("LX981", f"owl:sameAs {value}")
            if not is_lex_node(value) and not _is_iri(value):
                self.spoil(self._node, self._line)
                return Rejection("LX980", f"{value} is not an absolute IRI")
            self._note(act, predicate, value)
        elif _DIRECTION.search(value):
            return Rejection("LX981", "a text with a direction (RDF 1.2)")
        voice = Origin.MERGED if layer is None else Origin.CATALOGUED
        self._tails.append(f"{voice}{predicate} {value}")
        return None

    def _note(self, act: str, predicate: str, value: str) -> None:
        if predicate == v.ITEM:
            self._spool.held(value, act, self._source)
        elif predicate == v.SAME_AS:
            other = find_act(value)
            if isinstance(other, str):
                self._spool.alias(act, other, self._source, is_act=is_act(self._node))

    def _of_other(self, predicate: str, value: str, graph: str) -> Rejection | None:
        layer = LAYERS.get(graph)
        if layer is Layer.COMPUTED:
            known = predicate in ITEM_LINKS and is_lex_node(value)
            return None if known else _reject_foreign(predicate, value)
        if layer is Layer.DECODED or (graph and layer is None):
            return Rejection("LX981", f"{self._node} in the graph {graph}")
        if predicate in ITEM_PROPERTIES and (predicate != v.TYPE or value in ITEM_CLASSES):
            if predicate == v.CHECKSUM:
                self._spool.digest(value, self._node, self._source)
            voice = Origin.MERGED if layer is None else Origin.CATALOGUED
            self._tails.append(f"{voice}{predicate} {value}")
            return None
        act = find_act(value) if is_lex_node(value) else None
        if layer is None and predicate in ITEM_LINKS and isinstance(act, str):
            claim = f"{Origin.CLAIMED}{predicate} {value}"
            self._spool.part(act, NodeStatements(self._node, (claim,), self._source, self._line))
            return None
        return _reject_foreign(predicate, value)


def find_act(term: str) -> str | Rejection:
    """The canonical text of the act that a name belongs to."""
    plain = _PLAIN_NODE.fullmatch(term)
    if plain is not None:
        return plain[1]
    report = check(term[1:-1])
    if report.name is None:
        problem = report.errors[0]
        said = f"{term} is not a LEX name: {problem.message} ({problem.rule})"
        return Rejection("LX982", said)
    return str(report.name.act_name)


def is_act(term: str) -> bool:
    """Whether a term is the node of an act, not of what stands below one."""
    name = check(term[1:-1]).name
    return name is not None and name.is_act


def _reject_foreign(predicate: str, value: str) -> Rejection:
    if predicate == v.TYPE:
        return Rejection("LX981", f"the class {value}")
    return Rejection("LX981", f"the property {predicate}")


def _is_iri(term: str) -> bool:
    try:
        pyoxigraph.NamedNode(term[1:-1])
    except ValueError:
        return False
    return True
