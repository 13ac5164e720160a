"""Embedded store: Oxigraph on disk, or in memory for small sets and tests."""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Any, Final

import pyoxigraph

from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.lazy import compile_late
from lexurn.store.answers import ENGINE_FAULTS, explain_engine_fault
from lexurn.store.sparql import has_dataset_clause, list_undeclared_prefixes
from lexurn.vocabulary import TURTLE_PREFIXES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterator
    from pathlib import Path

    from lexurn.store.answers import EngineAnswer

_LAYERS: Final = tuple(pyoxigraph.NamedNode(layer.iri) for layer in Layer)
_LAYER_ENDS: Final = tuple(f" <{layer.iri}> .\n".encode() for layer in Layer)
_PIECE: Final = 1 << 20
# The engine has one type for all integers; the graphs have another for sizes.
_BYTE_SIZE: Final = compile_late(
    rb'(<http://www\.w3\.org/ns/dcat#byteSize> "[0-9]+"\^\^<http://www\.w3\.org/2001/XMLSchema#)'
    rb"integer>"
)


class EmbeddedStore:
    """Oxigraph store of this process: quads in three named graphs, one a layer.

    Every method raises `CatalogueError` if the store cannot do what is asked.

    Attributes:
        location: the folder, or ``memory``, for messages.
        folder: the folder; None for a store in memory.
        idle_processes: processes that have the folder open and wait for queries, until the store is
            closed; None for a store that may change.
    """

    def __init__(self, location: Path | None, *, write: bool = False) -> None:
        """Open the store.

        Args:
            location: its folder; None for a store in memory, gone when it is closed.
            write: whether it may be changed; one process at a time may.

        Raises:
            CatalogueError: it is locked, corrupt, or cannot be read or written.
        """
        self.folder = location
        self.location = "memory" if location is None else str(location)
        self.idle_processes: list[Any] | None = None if write or location is None else []
        self._write = write
        self._opening = threading.Lock()
        self._engine: pyoxigraph.Store | None = self._open()

    def _open(self) -> pyoxigraph.Store:
        with self._explain_faults():
            if self.folder is None:
                return pyoxigraph.Store()
            if self._write:
                return pyoxigraph.Store(str(self.folder))
            return pyoxigraph.Store.read_only(str(self.folder))

    @property
    def _store(self) -> pyoxigraph.Store:
        with self._opening:
            if self._engine is None:
                self._engine = self._open()
            return self._engine

    def query(self, text: str) -> EngineAnswer:
        """Return the answer to a SPARQL query; its default graph is all graphs together.

        A query with FROM or FROM NAMED has the graphs that it names.
        """
        # The engine would take the union even if the text names its graphs.
        is_union = not has_dataset_clause(text)
        try:
            answer = self._store.query(text, use_default_graph_as_union=is_union)
        except ENGINE_FAULTS:
            with self._explain_faults("The query is not SPARQL", text):  # not around each query
                raise
        return answer

    def size(self) -> int:
        """Return the number of quads, counted now."""
        with self._explain_faults():
            return len(self._store)

    def update(self, text: str) -> None:
        """Do a SPARQL update, all of it or nothing."""
        with self._explain_faults("The update is not SPARQL", text):
            self._store.update(text)

    def change(self, removed: Collection[str], added: Collection[str]) -> None:
        """Remove and add N-Quads lines (each with its line end), all of them or nothing."""
        operations = []
        for keyword, lines in (("DELETE DATA", removed), ("INSERT DATA", added)):
            graphs: dict[str, list[str]] = {}
            for line in lines:  # terms of N-Quads are terms of SPARQL
                triple, _, graph = line.removesuffix(" .\n").rpartition(" ")
                graphs.setdefault(graph, []).append(f"{triple} .\n")
            if graphs:
                blocks = (
                    f"GRAPH {graph} {{\n{''.join(graphs[graph])}}}" for graph in sorted(graphs)
                )
                operations.append(f"{keyword} {{\n{' '.join(blocks)}\n}}")
        if operations:
            self.update(" ;\n".join(operations))

    def fill(self, nquads: bytes | IO[bytes]) -> None:
        """Add many N-Quads quickly: all of them, at the end, or nothing."""
        with self._explain_faults("These are not N-Quads"):
            self._store.flush()  # opens it here: its threads that merge files have all processors
            with _use_one_processor():
                self._store.bulk_load(nquads, format=pyoxigraph.RdfFormat.N_QUADS, lenient=True)

    def quads(self, nodes: Collection[str]) -> Iterator[str]:
        """Yield the N-Quads lines of the three layers with one of ``nodes`` as the subject.

        Args:
            nodes: plain IRIs.
        """
        for iri in nodes:
            with self._explain_faults():
                node = pyoxigraph.NamedNode(iri)
                found = list(self._store.quads_for_pattern(node, None, None))
            for quad in found:
                if quad.graph_name in _LAYERS:
                    yield _restore_types(f"{quad} .\n".encode()).decode()

    def dump(self) -> Generator[bytes, None, None]:
        """Yield all quads of the three layers as pieces of N-Quads, unsorted, in whole lines."""
        with self._explain_faults():
            has_others = any(graph not in _LAYERS for graph in self._store.named_graphs())
            default = self._store.quads_for_pattern(None, None, None, pyoxigraph.DefaultGraph())
            has_others = has_others or next(iter(default), None) is not None
        for piece in map(_restore_types, self._read_lines(pyoxigraph.RdfFormat.N_QUADS)):
            if has_others:
                lines = piece.splitlines(keepends=True)
                yield b"".join(line for line in lines if line.endswith(_LAYER_ENDS))
            else:
                yield piece

    def triples(self, layer: Layer) -> Iterator[bytes]:
        """Yield all triples of a layer as pieces of N-Triples, in whole lines.

        Terms are as queries give them: Oxigraph has one type for all integers.
        """
        graph = pyoxigraph.NamedNode(layer.iri)
        return self._read_lines(pyoxigraph.RdfFormat.N_TRIPLES, graph)

    def _read_lines(
        self, form: pyoxigraph.RdfFormat, graph: pyoxigraph.NamedNode | None = None
    ) -> Iterator[bytes]:
        """Yield all quads, or the triples of a graph, as pieces in whole lines."""

        def write(target: IO[bytes]) -> None:
            with self._explain_faults():
                self._store.dump(target, format=form, from_graph=graph)

        rest = b""
        for piece in _read_from_thread(write):
            lines, end, new = piece.rpartition(b"\n")
            if end:
                yield rest + lines + end
                rest = new
            else:
                rest += piece
        if rest:
            yield rest

    def is_empty(self) -> bool:
        """Return whether it has no quad."""
        with self._explain_faults():
            return next(self._store.quads_for_pattern(None, None, None), None) is None

    def optimize(self) -> None:
        """Rewrite the files of the store, so that terms are found sooner.

        A load leaves many files, and a term may be in any of them.
        """
        with self._explain_faults():
            self._store.optimize()

    def flush(self) -> None:
        """Return when everything written would survive a power cut."""
        with self._explain_faults():
            if self._engine is not None:
                self._engine.flush()

    def release(self) -> None:
        """Close the files of a store in a folder until it is used again.

        The engine merges the files of a large `fill` while they are open. An answer that was not
        read to its end keeps them open, and the store cannot be used until it is dropped.
        """
        if self.folder is not None:
            self.flush()
            with self._opening:
                self._engine = None

    def close(self) -> None:
        """Close the store; its lock ends when nobody reads an answer of it any more."""
        for process in self.idle_processes or ():
            process.close()
        self.idle_processes = None
        del self._engine

    @contextmanager
    def _explain_faults(self, syntax: str = "", text: str = "") -> Iterator[None]:
        """Turn faults of the engine into sentences.

        Raises:
            CatalogueError: in place of the engine's exception.
        """
        try:
            yield
        except SyntaxError as fault:
            for prefix in list_undeclared_prefixes(text)[:1]:
                known = TURTLE_PREFIXES.get(prefix[:-1], "...")
                raise CatalogueError(
                    f"{syntax}: the prefix {prefix} is not declared; begin with "
                    f"PREFIX {prefix} <{known}>"
                ) from None
            raise CatalogueError(f"{syntax}: {fault.msg}") from None
        except ENGINE_FAULTS as fault:
            raise CatalogueError(explain_engine_fault(self.location, str(fault))) from None


@contextmanager
def _use_one_processor() -> Iterator[None]:
    """Keep this thread, and those that it starts, on one processor, where the system can.

    The engine sorts a million quads at a time for each processor that its thread has: 300 MB of
    memory each.
    """
    processors: set[int] = set()
    with suppress(AttributeError, OSError):  # not on every system, nor in every sandbox
        processors = os.sched_getaffinity(0)
        os.sched_setaffinity(0, {sorted(processors)[os.getpid() % len(processors)]})
    try:
        yield
    finally:
        with suppress(AttributeError, OSError):
            os.sched_setaffinity(0, processors)


def _read_from_thread(write: Callable[[IO[bytes]], None]) -> Iterator[bytes]:
    """Yield the bytes that a function writes in another thread, a little at a time.

    Raises:
        BaseException: the exception of the writer.
    """
    source, target = os.pipe()
    faults: list[BaseException] = []

    def run() -> None:
        try:
            with os.fdopen(target, "wb", buffering=_PIECE) as stream:
                write(stream)
        except BaseException as fault:  # noqa: BLE001 - raised again by the reader
            faults.append(fault)

    thread = threading.Thread(target=run, daemon=True)
    with os.fdopen(source, "rb") as stream:
        thread.start()
        try:
            while piece := stream.read(_PIECE):
                yield piece
        finally:
            stream.close()  # a writer that is not done ends
            thread.join()
    if faults:
        raise faults[0]


def _restore_types(lines: bytes) -> bytes:
    """Return N-Quads with the types that lexurn writes."""
    return _BYTE_SIZE.sub(rb"\1nonNegativeInteger>", lines)
