"""Dumps: a whole catalogue as one file of RDF, in canonical bytes and bounded memory."""

from __future__ import annotations

import gzip
import json
import os
import stat
from contextlib import contextmanager
from itertools import groupby, starmap
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from lexurn import vocabulary as v
from lexurn.catalogue.files import STORE_FOLDER, is_catalogue, sort_lines
from lexurn.catalogue.rdf_reading import BrokenLine, QuadLines
from lexurn.catalogue.rdf_spool import (
    NodeStatements,
    Origin,
    QuadSpool,
    find_act,
    is_act,
    is_lex_node,
    unpack_statements,
)
from lexurn.errors import CatalogueError, CatalogueUsageError, GraphError
from lexurn.files import open_for_writing
from lexurn.graph import ITEM_LINKS, LAYERS, Format, Layer, Statements, write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Final

    from lexurn.catalogue.rdf_reading import Statement
    from lexurn.store import Store

_ORIGINS: Final = {
    Layer.DECODED: Origin.DECODED,
    Layer.CATALOGUED: Origin.CATALOGUED,
    Layer.COMPUTED: Origin.COMPUTED,
}
_GRAPH: Final = '\n  "@graph": ['
_LEADING: Final = ITEM_LINKS
_STEP: Final = 10_000
_NO_LIMIT: Final = 1 << 62


def group_by_alias_set(
    pieces: Iterable[bytes], on_progress: Callable[[int], None]
) -> Iterator[Statements]:
    """All that is said of each alias set and its copies, sorted by act; last what is of none.

    What is said of a copy that several sets have stands with each of them.

    Args:
        pieces: N-Quads of the three layers.
        on_progress: is told how many statements were read.

    Raises:
        CatalogueError: the disk for temporary files is full, or a line is no statement.
    """
    spool = QuadSpool()
    try:
        for node, statements in groupby(_count_statements(pieces, on_progress), itemgetter(0)):
            _keep_statements(spool, node, statements)
        spool.settle()
        for group in spool.groups(_NO_LIMIT):
            yield _collect_statements(starmap(unpack_statements, group.parts))
        orphans = _collect_statements(spool.orphans())
        if orphans.merged:
            yield orphans
    finally:
        spool.close()


def _count_statements(
    pieces: Iterable[bytes], on_progress: Callable[[int], None]
) -> Iterator[Statement]:
    for number, each in enumerate(QuadLines(pieces, ""), 1):
        if isinstance(each, BrokenLine):
            raise CatalogueError(
                f"the store gives a line that is no statement: {each.reason}; dump it as N-Quads, "
                f"mend the line, and load it into a new catalogue: {each.raw!r}"
            )
        if number % _STEP == 0:
            on_progress(number)
        yield each[0]


def _keep_statements(spool: QuadSpool, node: str, statements: Iterable[Statement]) -> None:
    """Keep what stands together on a node."""
    act = find_act(node) if is_lex_node(node) else None
    tails: list[str] = []
    for _, predicate, value, graph in statements:
        tail = f"{_ORIGINS[LAYERS[graph]]}{predicate} {value}"
        other = find_act(value) if is_lex_node(value) and predicate in _LEADING else None
        if not isinstance(act, str) and isinstance(other, str):
            # A gazette may be a copy of a million acts: each takes its own link.
            spool.part(other, NodeStatements(node, (tail,), 0, 0))
            continue
        tails.append(tail)
        if predicate == v.CHECKSUM:
            spool.digest(value, node, 0)
        elif isinstance(act, str) and predicate == v.ITEM:
            spool.held(value, act, 0)
        elif isinstance(act, str) and isinstance(other, str):
            spool.alias(act, other, 0, is_act=is_act(node))
    if tails and isinstance(act, str):
        spool.part(act, NodeStatements(node, tails, 0, 0))
    elif tails:
        spool.fact(NodeStatements(node, tails, 0, 0))


def _collect_statements(parts: Iterable[NodeStatements]) -> Statements:
    layers: dict[str, list[tuple[str, str, str]]] = {voice: [] for voice in _ORIGINS.values()}
    for part in parts:
        for tail in part.tails:
            predicate, _, value = tail[1:].partition(" ")
            layers[tail[0]].append((part.node, predicate, value))
    return Statements(
        decoded=tuple(layers[Origin.DECODED]),
        catalogued=tuple(layers[Origin.CATALOGUED]),
        computed=tuple(layers[Origin.COMPUTED]),
    )


def join_documents(sets: Iterable[Statements], format: Format) -> Iterator[bytes]:
    """One document that says what many sets of statements say, piece by piece.

    Args:
        sets: the statements.
        format: Turtle, TriG or JSON-LD.
    """
    joined: _Joiner = _JsonJoiner() if format is Format.JSONLD else _TurtleJoiner()
    yield joined.head()
    for statements in sets:
        yield joined.part(write(statements, format).decode()).encode()
    yield joined.foot()


class _Joiner(Protocol):
    """How documents become one."""

    def head(self) -> bytes: ...
    def part(self, document: str) -> str: ...
    def foot(self) -> bytes: ...


class _TurtleJoiner:
    """Turtle and TriG: each prefix is declared where it is first needed."""

    def __init__(self) -> None:
        self._declared: set[str] = set()
        self._is_begun = False

    def head(self) -> bytes:
        return b""

    def part(self, document: str) -> str:
        prefixes: list[str] = []
        while document.startswith("@prefix "):
            line, _, document = document.partition("\n")
            prefixes.append(f"{line}\n")
        new = [line for line in prefixes if line not in self._declared]
        self._declared.update(new)
        body = document.removeprefix("\n") if prefixes else document
        parts = ["".join(new), body] if new else [body]
        start = "\n" if self._is_begun else ""
        self._is_begun = True
        return start + "\n".join(parts)

    def foot(self) -> bytes:
        return b""


class _JsonJoiner:
    """JSON-LD: one context for all; a node that it would not let say what it says has none."""

    def __init__(self) -> None:
        self._head, _, _ = write(Statements(), Format.JSONLD).decode().partition(_GRAPH)
        self._is_begun = False

    def head(self) -> bytes:
        return f"{self._head}{_GRAPH}".encode()

    def part(self, document: str) -> str:
        head, _, graph = document.partition(_GRAPH)
        body = graph.rpartition("\n  ]\n}")[0]
        if head != self._head:
            nodes = [{"@context": None, **node} for node in json.loads(document)["@graph"]]
            text = json.dumps(nodes, ensure_ascii=False, indent=2)[1:-2]
            body = text.replace("\n", "\n  ")
        start = "," if self._is_begun else ""
        self._is_begun = True
        return start + body

    def foot(self) -> bytes:
        return b"\n  ]\n}\n" if self._is_begun else b"]\n}\n"


DUMP_FORMATS: Final = (
    Format.NQUADS,
    Format.NTRIPLES,
    Format.TURTLE,
    Format.TRIG,
    Format.JSONLD,
)
"""The formats that a whole catalogue can be written in."""


class ByteSink(Protocol):
    """What bytes can be written to."""

    def write(self, data: bytes, /) -> object:
        """Write some bytes."""
        ...


def dump(
    store: Store,
    target: str | Path | ByteSink,
    format: str | Format | None = None,
    *,
    on_progress: Callable[[str, int], None] | None = None,
) -> int:
    """Write all that a store holds; the same quads give the same bytes.

    N-Quads and N-Triples are sorted by their bytes, none twice. Turtle, TriG and JSON-LD are one
    document with one alias set after the other, sorted by act. A file is written beside its place
    and moved there when it is whole; one that ends in ``.gz`` is packed, without time and name. A
    pipe or a device is written into.

    Args:
        store: the store.
        target: a path, or what bytes are written to.
        format: one of `DUMP_FORMATS` or its name; None to go by the path, N-Quads where it says
            nothing.
        on_progress: is told what is done and how far: ``reading`` statements, ``writing`` bytes.

    Returns:
        How many bytes were written, before they were packed.

    Raises:
        CatalogueError: the store cannot be read, the target not be written, there is no such
            format, or the target lies in the folder of a catalogue.
    """
    told = on_progress or _ignore
    wanted = _choose_format(target, format)
    pieces = _write_pieces(store, wanted, lambda count: told("reading", count))
    size = 0
    with _open_target(target) as sink:
        for piece in pieces:
            sink.write(piece)
            size += len(piece)
            told("writing", size)
    return size


def refuse_inside_catalogue(path: Path) -> None:
    """Refuse a file among those that a catalogue is made of: it could take the place of one.

    Raises:
        CatalogueError: a folder above the file, links followed, is a catalogue.
    """
    for folder in Path(os.path.realpath(path)).parents:
        if is_catalogue(folder) and (folder / STORE_FOLDER).is_dir():
            raise CatalogueError(
                f"{path} cannot be written: {folder} is a catalogue, which keeps its own files "
                "there; name a file outside of it"
            )


def _choose_format(target: object, format: str | Format | None) -> Format:
    wanted = format
    if wanted is None and isinstance(target, str | Path):
        wanted = Path(str(target).removesuffix(".gz")).suffix
    try:
        found = Format.from_name(wanted) if isinstance(wanted, str) and wanted else wanted
    except GraphError as unknown:
        raise CatalogueUsageError(f"{target}: {unknown}; say which one is meant") from None
    if not isinstance(found, Format):
        return Format.NQUADS
    if found not in DUMP_FORMATS:
        known = ", ".join(each.name.lower() for each in DUMP_FORMATS)
        raise CatalogueUsageError(f"{found.name} is no format for a catalogue; there are {known}")
    return found


def _write_pieces(store: Store, format: Format, told: Callable[[int], None]) -> Iterator[bytes]:
    pieces = store.dump()
    if format is Format.NQUADS:
        return sort_lines(_count_lines(pieces, told))
    if format is Format.NTRIPLES:
        return sort_lines(map(_drop_graphs, _count_lines(pieces, told)))
    return join_documents(group_by_alias_set(pieces, told), format)


def _count_lines(pieces: Iterable[bytes], told: Callable[[int], None]) -> Iterator[bytes]:
    count = 0
    for piece in pieces:
        yield piece
        count += piece.count(b"\n")
        told(count)


def _drop_graphs(piece: bytes) -> bytes:
    lines = piece.split(b"\n")
    return b"".join(line[: line.rindex(b" <")] + b" .\n" for line in lines if line)


def _ignore(_what: str, _count: int) -> None:
    """Say nothing."""


@contextmanager
def _open_target(target: str | Path | ByteSink) -> Iterator[ByteSink]:
    """What bytes are written to; a file is there when it is whole.

    Raises:
        CatalogueError: it cannot be written.
    """
    if not isinstance(target, str | Path):
        yield target
        return
    path = Path(target)
    refuse_inside_catalogue(path)
    if path.is_dir() or not path.parent.is_dir():
        raise CatalogueError(f"{path}: no file can be written there; name one in a folder")
    try:
        with open_for_writing(path) as stream:
            with _open_gzip(stream, is_wanted=path.suffix == ".gz") as sink:
                yield sink
            _sync_file(stream)
    except OSError as full:
        raise CatalogueError(f"{path}: cannot be written: {full.strerror or full}") from None


def _sync_file(stream: IO[bytes]) -> None:
    """Come back when a file would survive a power cut; a pipe or a device keeps nothing."""
    stream.flush()
    if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
        os.fsync(stream.fileno())


@contextmanager
def _open_gzip(stream: IO[bytes], *, is_wanted: bool) -> Iterator[ByteSink]:
    if not is_wanted:
        yield stream
        return
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=stream, mtime=0) as sink:
        yield sink
