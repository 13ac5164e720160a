"""Statements of RDF: read from files and streams, filtered, and spooled on disk by alias set.

N-Quads and N-Triples are read line by line: an invalid line is set apart, and the next one is read.
Turtle, TriG, JSON-LD and RDF/XML are read as a whole or not at all, in bounded memory. Documents
made to fill memory are refused: JSON nested too deep, XML entities that grow, texts without end.

Statements on names and copies are kept by node, the others are rejected. The decoded and the
computed layer are not kept, since they follow from the catalogued one. Graphs of N-Quads and TriG
tell the layer. In other formats the layers are merged: a decoded statement must follow from its
name, a computed one from all statements of its alias set.

The spool is a database of SQLite: a temporary store of Oxigraph takes three times as long.
"""

from __future__ import annotations

import datetime as dt
import io
import re
import sqlite3
import tempfile
from enum import StrEnum
from itertools import chain, groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import pyoxigraph

from lexurn import vocabulary as v
from lexurn.catalogue.files import BlockStream, choose_scratch_folder, explain_scratch_faults
from lexurn.errors import GraphError
from lexurn.files import read_rows
from lexurn.graph import (
    ALIAS_PROPERTIES,
    CATALOGUED_PROPERTIES,
    COMPUTED_PROPERTIES,
    CONCEPT_PROPERTIES,
    DECODED_PROPERTIES,
    ITEM_CLASSES,
    ITEM_LINKS,
    ITEM_PROPERTIES,
    LAYERS,
    LONGEST_TEXT,
    NAME_CLASSES,
    RECORD_PROPERTIES,
    Format,
    InvalidLanguageTag,
    Layer,
    check_quad,
    describe_concepts,
    guard_document,
    inline_context,
    statements_of,
)
from lexurn.manifest import JoinedActs, write_joined_acts
from lexurn.model import Record, family_of
from lexurn.name import check
from lexurn.registry import REGISTRY_BASE

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator

_BLOCK: Final = 1 << 16
Statement = tuple[str, str, str, str]
"""Subject, predicate and object as N-Triples has them; the graph, empty for none."""


class BrokenSourceError(Exception):
    """Error: a source cannot be read on; its message says why."""


class InvalidStatement(NamedTuple):
    """Line that is not a statement, or statement with an invalid language tag.

    Attributes:
        raw: its bytes, with the line end.
        line: its line, 0 in a format that is not read by lines.
        reason: the fault.
    """

    raw: bytes
    line: int
    reason: str


class RdfInput(NamedTuple):
    """Source, open at its start.

    Attributes:
        file: its name as it was given, ``-`` without one.
        format: the format of RDF.
        blocks: its bytes, decompressed.
    """

    file: str
    format: Format
    blocks: Iterator[bytes]


def read_statements(source: RdfInput, prefix: str) -> Iterator[Statement | InvalidStatement]:
    """Read the statements of a source.

    Args:
        source: the source.
        prefix: the start of the labels of blank nodes, so that two sources share none.

    Raises:
        BrokenSourceError: it cannot be read to its end, or is made to fill memory.
    """
    is_by_lines = source.format in {Format.NQUADS, Format.NTRIPLES}
    read = _read_lines if is_by_lines else _read_document
    try:
        yield from read(source, prefix)
    except GraphError as fault:
        raise BrokenSourceError(str(fault)) from None
    except SyntaxError as fault:
        message = str(fault.msg).removeprefix("Parser error at ")
        if "remote context" in message:
            message = (
                "its @context is in another document, and nothing is fetched from the network. "
                "Write the context itself into the document."
            )
        elif fault.lineno is not None:
            column = "" if fault.offset is None else f", column {fault.offset}"
            message = f"line {fault.lineno}{column}: {message.partition(': ')[2] or message}"
        raise BrokenSourceError(f"not {source.format.media_type}: {message}") from None
    except MemoryError:  # the engine's own bound
        raise BrokenSourceError(f"a text of more than {LONGEST_TEXT:,} bytes") from None


# Lines as lexurn and Oxigraph write them. Reading all others with the engine takes twice as long.
_IRI: Final = r"<[a-z]++:[!#-;=?-\[\]_a-z~]*+>"
_TEXT: Final = r'"(?:[^"\\\x00-\x1f\x7f\ufffe\uffff]++|\\["\\btnfr])*+"'
_TAG: Final = "@[a-z]{2,3}(?:-[a-z]{4})?(?:-[a-z]{2}|-[0-9]{3})?"
_LITERAL: Final = rf"{_TEXT}(?:{_TAG}|\^\^(?!<{v.XSD}string>){_IRI})?"
_LINE: Final = re.compile(
    rf"^({_IRI}) ({_IRI}) ({_IRI}|{_LITERAL})(?: ({_IRI}))? \.$", re.MULTILINE
)
_LIKE_TAG: Final = re.compile("[A-Za-z0-9-]+")


def _read_lines(source: RdfInput, prefix: str) -> Iterator[Statement | InvalidStatement]:
    number = 1
    for lines in _split_at_lines(source.blocks):
        count = lines.count(b"\n")
        try:
            found = _LINE.findall(lines.decode())
            if len(found) != count or not lines.endswith(b"\n"):
                found = [_convert_quad(quad, prefix) for quad in _parse_lines(lines)]
        except (SyntaxError, UnicodeDecodeError):
            for line_number, line in enumerate(io.BytesIO(lines), number):
                try:
                    yield from [_convert_quad(quad, prefix) for quad in _parse_lines(line)]
                except SyntaxError as fault:
                    yield InvalidStatement(line, line_number, _explain_line(fault, line))
        else:
            yield from found
        number += count


def _parse_lines(lines: bytes) -> Iterator[pyoxigraph.Quad]:
    return pyoxigraph.parse(lines, format=pyoxigraph.RdfFormat.N_QUADS)


def _split_at_lines(blocks: Iterable[bytes]) -> Iterator[bytes]:
    """Cut bytes after line ends.

    Raises:
        BrokenSourceError: a line is too long for memory.
    """
    rest = b""
    for block in blocks:
        lines, end, after = (rest + block).rpartition(b"\n")
        if end:
            yield lines + end
        rest = after
        if len(rest) > LONGEST_TEXT:
            raise BrokenSourceError(f"a line of more than {LONGEST_TEXT:,} bytes")
    if rest:
        yield rest


def _explain_line(fault: SyntaxError, line: bytes) -> str:
    """Return the parser's message on a line; of a language tag it names only the part at fault."""
    try:
        text = line.decode()
    except UnicodeDecodeError:
        return "it is not UTF-8"
    message = str(fault.msg).removeprefix("Parser error at ").partition(": ")[2] or str(fault.msg)
    start, end = (fault.offset or 1) - 1, fault.end_offset or 0
    tag = _LIKE_TAG.match(text, start, end)
    if tag is None or text[:start][-2:] != '"@':
        return message
    return f'"{tag[0]}" is not a language tag (RFC 5646): {message}'


def _convert_quad(quad: pyoxigraph.Quad, prefix: str) -> Statement:
    """Convert a quad of the engine; blank nodes get a label that no other source has."""
    subject, predicate, value, graph = map(str, quad)
    if "_:" in (subject[:2], value[:2], graph[:2]):
        subject, value, graph = (
            f"_:{prefix}{term[2:]}" if term.startswith("_:") else term
            for term in (subject, value, graph)
        )
    return subject, predicate, value, "" if graph == "DEFAULT" else graph


def _read_document(source: RdfInput, prefix: str) -> Iterator[Statement | InvalidStatement]:
    blocks = iter(guard_document(source.blocks, source.format))
    if source.format is not Format.JSONLD:
        stream = io.BufferedReader(BlockStream(blocks), _BLOCK)
        for quad in pyoxigraph.parse(stream, format=source.format.engine):
            yield _convert_quad(quad, prefix)
        return
    # A small document may have its keys in any order. A large one must begin with its context, or
    # with the URL of ours: held whole, it takes ten times as much memory in the engine.
    held: list[bytes] = []
    size = 0
    for block in blocks:
        held.append(block)
        size += len(block)
        if size > LONGEST_TEXT:
            break
    text = inline_context(b"".join(held))
    if size > LONGEST_TEXT:
        stream = io.BufferedReader(BlockStream(chain([text], blocks)), _BLOCK)
        streaming = pyoxigraph.RdfFormat.STREAMING_JSON_LD
        quads = pyoxigraph.parse(stream, format=streaming, lenient=True)
    else:
        quads = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.JSON_LD, lenient=True)
    del held, text
    for quad in quads:
        known = check_quad(quad)
        if isinstance(known, InvalidLanguageTag):
            yield InvalidStatement(f"{known.quad} .\n".encode(), 0, known.reason)
        elif known is not None:
            yield _convert_quad(known, prefix)


class Origin(StrEnum):
    """Graph of a statement; the first digit of its line in the spool.

    Attributes:
        MERGED: no graph, as in Turtle: the layers are merged.
        DECODED: the graph of the decoded layer.
        CATALOGUED: the graph of the catalogued layer.
        COMPUTED: the graph of the computed layer.
        CLAIMED: no graph, and a property of the computed layer.
        BROKEN: unknown: a statement on the node cannot be read.
    """

    MERGED = "0"
    DECODED = "1"
    CATALOGUED = "2"
    COMPUTED = "3"
    CLAIMED = "4"
    BROKEN = "5"


class NodeStatements(NamedTuple):
    """Statements of one source on a node.

    Attributes:
        node: the node.
        text: a line for each: its `Origin`, predicate and object as N-Triples has them.
        source: the number of the source.
    """

    node: str
    text: str
    source: int = 0

    @property
    def lines(self) -> list[str]:
        """List of its statements."""
        return self.text.split("\n") if self.text else []

    def with_lines(self, lines: Iterable[str]) -> NodeStatements:
        """Return the same with other statements."""
        return self._replace(text="\n".join(lines))


class RdfGroup(NamedTuple):
    """Statements on one alias set, from which `build_rdf` makes its family.

    Attributes:
        act: the canonical act.
        parts: the statements on its names, its copies and their digests.
        shared: URLs of copies that other alias sets have too.
    """

    act: str
    parts: tuple[NodeStatements, ...]
    shared: tuple[str, ...] = ()


_BATCH: Final = 5_000
_SETTINGS: Final = """
PRAGMA journal_mode = OFF;
PRAGMA synchronous = OFF;
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA page_size = 16384;
PRAGMA cache_size = -32768;  -- KiB: all the memory that it may take
PRAGMA temp_store = FILE;
"""
_TABLES: Final = {
    # Statements on a node that belongs to an act, and those on a copy or a digest.
    "part": "act TEXT, node TEXT, text TEXT, source INTEGER",
    "fact": "node TEXT, text TEXT, source INTEGER",
    # Links from acts, or names below them, to copies; from copies to digests; and to other acts.
    "held": "node TEXT, act TEXT, source INTEGER",
    "digest": "node TEXT, url TEXT, source INTEGER",
    "alias": "act TEXT, target_act TEXT, is_act INTEGER, source INTEGER",
    "reject": "line BLOB, source INTEGER",
}
_INSERTS: Final = {
    table: f"INSERT INTO {table} VALUES ({', '.join('?' for _ in columns.split(','))})"  # noqa: S608 - names of `_TABLES`
    for table, columns in _TABLES.items()
}
_FIND_CENTRES: Final = """
CREATE TABLE centre AS SELECT root_of(target_act) AS root, MIN(target_act) AS act FROM alias
WHERE target_act NOT IN (SELECT act FROM alias WHERE is_act) GROUP BY 1
"""
_MOVE_ACTS: Final = """
UPDATE {table} SET act = COALESCE(
  (SELECT centre.act FROM centre WHERE centre.root = root_of({table}.act)), root_of(act))
WHERE act IN (SELECT act FROM alias UNION SELECT target_act FROM alias)
"""
# A copy belongs to the alias sets that have it, a digest to those that have its copy. The outer
# rows come in the order of the index in which the inner ones are looked up.
_JOIN_COPIES: Final = (
    "CREATE INDEX by_act ON held (node, act)",
    "CREATE INDEX by_node ON fact (node)",
    """
    CREATE TABLE shared AS SELECT DISTINCT act, node AS url FROM held WHERE node IN (
      SELECT node FROM held GROUP BY node HAVING MIN(act) < MAX(act))
    """,
    "CREATE INDEX by_sharer ON shared (act)",
    """
    INSERT INTO held SELECT DISTINCT digest.node, held.act, 0
    FROM digest JOIN held ON held.node = digest.url
    """,
    """
    INSERT INTO part SELECT DISTINCT held.act, fact.node, fact.text, fact.source
    FROM fact INDEXED BY by_node CROSS JOIN held ON held.node = fact.node
    """,
)
_ORPHANS: Final = """
SELECT node, text, source FROM fact WHERE node NOT IN (SELECT node FROM held) ORDER BY node
"""
_OVERSIZE: Final = """
SELECT act FROM part WHERE act IN (SELECT act FROM part GROUP BY act HAVING COUNT(*) > ?1)
AND node LIKE '<urn:lex:%' AND node NOT LIKE '%#record>'
GROUP BY act HAVING COUNT(DISTINCT node) > ?1
"""
_PARTS: Final = "SELECT act, node, text, source FROM part ORDER BY act"
_PARTS_OF_ACT: Final = "SELECT node, text, source FROM part WHERE act = ? ORDER BY rowid"


class QuadSpool:
    """Statements on disk."""

    def __init__(self) -> None:
        """Open a database without a name, which is gone when it is closed or the process ends.

        Raises:
            CatalogueError: there is no place for it.
        """
        with explain_scratch_faults():
            self._database = sqlite3.connect("", isolation_level=None, check_same_thread=False)
            self._database.executescript(_SETTINGS)
            self._database.execute("BEGIN")
        for table, columns in _TABLES.items():
            self._run(f"CREATE TABLE {table} ({columns})")
        self._waiting: dict[str, list[tuple[object, ...]]] = {table: [] for table in _TABLES}

    def close(self) -> None:
        """Delete all."""
        self._database.close()

    def add(self, table: str, *row: object) -> None:
        """Add a row to a table of `_TABLES`."""
        waiting = self._waiting[table]
        waiting.append(row)
        if len(waiting) >= _BATCH:
            self._flush(table)

    def _flush(self, *tables: str) -> None:
        with explain_scratch_faults():
            for table in tables:
                self._database.executemany(_INSERTS[table], self._waiting[table])
                self._waiting[table].clear()

    def forget(self, source: int) -> None:
        """Delete all of one source."""
        self._flush(*_INSERTS)
        for table in _INSERTS:
            self._run(f"DELETE FROM {table} WHERE source = ?", source)  # noqa: S608 - as above

    def settle(self) -> None:
        """Give copies to the acts that have them, and acts to alias sets; once."""
        self._flush(*_INSERTS)
        pairs = "SELECT DISTINCT act, target_act FROM alias WHERE act <> target_act"
        if next(self._query(pairs), None) is not None:
            with (
                explain_scratch_faults(),
                tempfile.TemporaryDirectory(dir=choose_scratch_folder()) as folder,
            ):
                path = Path(folder) / "joined"
                write_joined_acts(path, self._query(pairs))
                with JoinedActs(path) as joined:
                    self._database.create_function("root_of", 1, joined.root)
                    self._run(_FIND_CENTRES)
                    self._run("CREATE INDEX by_root ON centre (root, act)")
                    for table in ("part", "held"):
                        self._run(_MOVE_ACTS.format(table=table))
        for statement in _JOIN_COPIES:
            self._run(statement)

    def orphans(self) -> Iterator[NodeStatements]:
        """Yield the statements on copies that no name has."""
        return (NodeStatements(*row) for row in self._query(_ORPHANS))

    def find_oversize(self, most: int) -> frozenset[str]:
        """Return the acts of the alias sets that have more than ``most`` names."""
        return frozenset(act for (act,) in self._query(_OVERSIZE, most))

    def groups(self, without: Collection[str] = ()) -> Iterator[RdfGroup]:
        """Yield the statements on each alias set but those of some acts, sorted by act."""
        sharing = groupby(self._query("SELECT act, url FROM shared ORDER BY act"), itemgetter(0))
        sharer = next(sharing, None)
        for act, rows in groupby(self._query(_PARTS), itemgetter(0)):
            while sharer is not None and sharer[0] < act:
                sharer = next(sharing, None)
            shared: tuple[str, ...] = ()
            if sharer is not None and sharer[0] == act:
                shared = tuple(url[1:-1] for _, url in sharer[1])
            if act not in without:
                yield RdfGroup(act, tuple(NodeStatements(*row[1:]) for row in rows), shared)

    def parts(self, act: str) -> Iterator[NodeStatements]:
        """Yield the statements on one alias set, however many they are."""
        return (NodeStatements(*row) for row in self._query(_PARTS_OF_ACT, act))

    def rejects(self) -> Iterator[bytes]:
        """Yield the lines for the rejects file."""
        self._flush("reject")
        return (line for (line,) in self._query("SELECT line FROM reject"))

    def _query(self, statement: str, *values: object) -> Iterator[tuple[Any, ...]]:
        return read_rows(self._database, statement, values, explain_scratch_faults)

    def _run(self, statement: str, *values: object) -> None:
        with explain_scratch_faults():
            self._database.execute(statement, values)


_LEX: Final = "<urn:lex:"
_RECORD_END: Final = f"{v.RECORD_END}>"
_REGISTRY: Final = f"<{REGISTRY_BASE}"
_SELF_EVIDENT: Final = DECODED_PROPERTIES - {v.TYPE}
_ANY_DAY: Final = dt.date(2000, 1, 1)
# Heads of names that are canonical as they stand: reading the whole name shows if it is valid.
_PLAIN_NODE: Final = re.compile(
    r"<(urn:lex:[a-z0-9.;-]+(?::[a-z0-9.;,+-]+){3})(?:[:@$~][^<>?#]*)?(?:#record)?>"
)
_DIRECTION: Final = re.compile(r'"@[A-Za-z0-9-]+--(?:ltr|rtl)\Z')


class Rejection(NamedTuple):
    """Code of the finding on rejected statements, and the value in its message."""

    code: str
    detail: str


def is_lex_node(term: str) -> bool:
    """Return whether a term should be a LEX name, in whatever case."""
    return term[: len(_LEX)].lower() == _LEX


def find_act(term: str) -> str | Rejection:
    """Return the canonical text of the act that a name belongs to."""
    plain = _PLAIN_NODE.fullmatch(term)
    if plain is not None:
        return plain[1]
    report = check(term[1:-1])
    if report.name is None:
        problem = report.errors[0]
        return Rejection("LX982", f"{term} is not a LEX name: {problem.message} ({problem.rule})")
    return str(report.name.act_name)


def is_act(term: str) -> bool:
    """Return whether a term is the node of an act, not of a name below one."""
    name = check(term[1:-1]).name
    return name is not None and name.is_act


class StatementFilter:
    """Filter that spools the statements on names and copies, and rejects all others.

    Most statements on a node come one after the other, and are spooled together.
    """

    def __init__(self, spool: QuadSpool, reject: Callable[[Statement, Rejection], None]) -> None:
        """Start without a node.

        Args:
            spool: receives the statements.
            reject: is called with each statement that is rejected.
        """
        self._spool, self._reject = spool, reject
        self._source = 0
        self.drop()

    def begin(self, source: int) -> None:
        """Go on with another source."""
        self.end()
        self._source = source

    def end(self) -> None:
        """Spool the statements on the last node."""
        if self._lines or self._is_described:
            part = NodeStatements(self._node, "\n".join(self._lines), self._source)
            if isinstance(self._act, str):
                self._spool.add("part", self._act, *part)
            else:
                self._spool.add("fact", *part)
        self.drop()

    def drop(self) -> None:
        """Forget the statements on the last node."""
        self._node = ""
        self._act: str | Rejection | None = None
        self._lines: list[str] = []
        self._is_described = False
        self._is_record = False
        self._own: frozenset[str] | None = None  # decoded predicates and objects

    def take(self, statement: Statement) -> None:
        """Spool or reject a statement."""
        subject, predicate, value, graph = statement
        if subject != self._node:
            self.end()
            self._node = subject
            self._act = find_act(subject) if is_lex_node(subject) else None
            self._is_record = self._act is not None and subject.endswith(_RECORD_END)
        act = self._act
        if act is None:
            rejection = self._take_copy(predicate, value, graph)
        elif not isinstance(act, str):
            rejection = act
        elif self._is_record:
            rejection = self._take_record(act, predicate, value, graph)
        elif graph == v.DECODED and predicate in _SELF_EVIDENT:  # most of all statements
            self._is_described = True
            return
        else:
            rejection = self._take_name(act, predicate, value, graph)
        if rejection is not None:
            self._reject(statement, rejection)

    def spoil(self, node: str) -> None:
        """Note that a statement on a node cannot be read, so that none on that node counts."""
        act = find_act(node) if is_lex_node(node) else None
        if isinstance(act, str):
            self._spool.add("part", act, node, Origin.BROKEN, self._source)

    def _take_name(self, act: str, predicate: str, value: str, graph: str) -> Rejection | None:
        layer = LAYERS.get(graph)
        if layer is Layer.DECODED:
            if predicate not in DECODED_PROPERTIES or _is_foreign_class(predicate, value):
                return _reject_foreign(predicate, value)
            self._is_described = True
            return None
        if layer is Layer.COMPUTED:
            return None if predicate in COMPUTED_PROPERTIES else _reject_foreign(predicate, value)
        if layer is None and graph:
            return Rejection("LX981", f"the graph {graph}")
        if predicate in CATALOGUED_PROPERTIES:
            return self._take_catalogued(act, predicate, value, layer)
        return _reject_foreign(predicate, value) if layer else self._take_merged(predicate, value)

    def _take_record(self, act: str, predicate: str, value: str, graph: str) -> Rejection | None:
        layer = LAYERS.get(graph)
        if graph and layer is not Layer.CATALOGUED:
            return Rejection("LX981", f"{self._node} in the graph {graph}")
        if predicate in RECORD_PROPERTIES:
            return self._take_catalogued(act, predicate, value, layer)
        if predicate == v.PRIMARY_TOPIC and value != self._node.replace(_RECORD_END, ">"):
            return Rejection("LX987", f"{predicate} {value}")
        if predicate != v.PRIMARY_TOPIC and (predicate, value) != (v.TYPE, v.CATALOG_RECORD):
            return _reject_foreign(predicate, value)
        self._is_described = True
        return None

    def _take_merged(self, predicate: str, value: str) -> Rejection | None:
        """Take a statement of the decoded or the computed layer that stands in no graph."""
        if predicate in DECODED_PROPERTIES and not _is_foreign_class(predicate, value):
            if self._own is None:
                name = check(self._node[1:-1]).name
                self._own = frozenset()
                if name is not None:
                    decoded = statements_of(family_of([Record(name=name)]), as_of=_ANY_DAY).decoded
                    node = f"<{name.iri}>"
                    self._own = frozenset(f"{p} {o}" for s, p, o in decoded if s == node)
            if f"{predicate} {value}" not in self._own:
                return Rejection("LX987", f"{predicate} {value}")
            self._is_described = True
        elif predicate in COMPUTED_PROPERTIES and value[0] != "_":
            self._lines.append(f"{Origin.CLAIMED}{predicate} {value}")
        else:
            return _reject_foreign(predicate, value)
        return None

    def _take_catalogued(
        self, act: str, predicate: str, value: str, layer: Layer | None
    ) -> Rejection | None:
        if value[0] != "<":
            if _DIRECTION.search(value):
                return Rejection("LX981", "a text with a direction (RDF 1.2)")
        elif is_lex_node(value):
            other = find_act(value) if predicate in ALIAS_PROPERTIES else None
            if isinstance(other, str):
                self._spool.add("alias", act, other, is_act(self._node), self._source)
        elif predicate in ALIAS_PROPERTIES:
            return Rejection("LX981", f"{predicate} {value}")
        else:
            try:
                pyoxigraph.NamedNode(value[1:-1])
            except ValueError:
                self.spoil(self._node)
                return Rejection("LX980", f"{value} is not an absolute IRI")
        if predicate == v.ITEM and value[0] == "<":
            self._spool.add("held", value, act, self._source)
        self._add_line(predicate, value, layer)
        return None

    def _add_line(self, predicate: str, value: str, layer: Layer | None) -> None:
        origin = Origin.MERGED if layer is None else Origin.CATALOGUED
        self._lines.append(f"{origin}{predicate} {value}")

    def _take_copy(self, predicate: str, value: str, graph: str) -> Rejection | None:
        layer = LAYERS.get(graph)
        if layer is Layer.COMPUTED:
            is_known = predicate in ITEM_LINKS and is_lex_node(value)
            is_known |= predicate in CONCEPT_PROPERTIES and self._node.startswith(_REGISTRY)
            return None if is_known else _reject_foreign(predicate, value)
        if layer is Layer.DECODED or (graph and layer is None):
            return Rejection("LX981", f"{self._node} in the graph {graph}")
        if predicate in ITEM_PROPERTIES and (predicate != v.TYPE or value in ITEM_CLASSES):
            if predicate == v.CHECKSUM:
                self._spool.add("digest", value, self._node, self._source)
            self._add_line(predicate, value, layer)
            return None
        if layer is None and predicate in CONCEPT_PROPERTIES:
            described = describe_concepts([self._node]).computed
            is_known = (self._node, predicate, value) in described
            return None if is_known else _reject_foreign(predicate, value)
        act = find_act(value) if is_lex_node(value) else None
        if layer is None and predicate in ITEM_LINKS and isinstance(act, str):
            claim = f"{Origin.CLAIMED}{predicate} {value}"
            self._spool.add("part", act, self._node, claim, self._source)
            return None
        return _reject_foreign(predicate, value)


def _is_foreign_class(predicate: str, value: str) -> bool:
    return predicate == v.TYPE and value not in NAME_CLASSES


def _reject_foreign(predicate: str, value: str) -> Rejection:
    what = f"the class {value}" if predicate == v.TYPE else f"the property {predicate}"
    return Rejection("LX981", what)
