"""Embedded store: Oxigraph on disk, or in memory for small sets and tests."""

from __future__ import annotations

import queue
import threading
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, cast

import pyoxigraph

from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.store.protocol import explain_fault, restore_types, restore_types_in_bytes
from lexurn.store.sparql import has_dataset_clause

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Generator, Iterable, Iterator
    from pathlib import Path
    from typing import IO, Final

    from lexurn.store.protocol import EngineAnswer

_LAYERS: Final = tuple(pyoxigraph.NamedNode(layer.iri) for layer in Layer)
_LAYER_ENDS: Final = tuple(f" <{layer.iri}> .\n".encode() for layer in Layer)
_PIECE: Final = 1 << 20
_AHEAD: Final = 8


class EmbeddedStore:
    """An Oxigraph store of this process; see `lexurn.store.Store` for what it does."""

    def __init__(self, place: Path | None, *, write: bool = False) -> None:
        """Open the store.

        Args:
            place: its folder; None for a store in memory, gone when it is closed.
            write: whether it may be changed; one process at a time may.

        Raises:
            CatalogueError: it is locked, corrupt, or cannot be read or written.
        """
        self.place = "memory" if place is None else str(place)
        with self._faults():
            if place is None:
                self._store = pyoxigraph.Store()
            elif write:
                self._store = pyoxigraph.Store(str(place))
            else:
                self._store = pyoxigraph.Store.read_only(str(place))

    def query(self, text: str) -> EngineAnswer:
        """The answer to a SPARQL query; its default graph is all graphs together.

        A query with FROM or FROM NAMED has the graphs that it names.
        """
        # The engine would take the union even where the text names its graphs.
        is_union = not has_dataset_clause(text)
        with self._faults("the query is no SPARQL"):
            return self._store.query(text, use_default_graph_as_union=is_union)

    def size(self) -> int:
        """How many quads there are, which are counted for it."""
        with self._faults():
            return len(self._store)

    def update(self, text: str) -> None:
        """Do a SPARQL update, all of it or nothing."""
        with self._faults("the update is no SPARQL"):
            self._store.update(text)

    def change(self, removed: Collection[str], added: Collection[str]) -> None:
        """Take out and put in N-Quads lines, all of it or nothing."""
        parts = [*_write_operation("DELETE DATA", removed), *_write_operation("INSERT DATA", added)]
        if parts:
            self.update(" ;\n".join(parts))

    def fill(self, nquads: bytes) -> None:
        """Put in many N-Quads; a part may be in after a crash, so do it again then."""
        with self._faults("these are no N-Quads"):
            self._store.bulk_load(nquads, format=pyoxigraph.RdfFormat.N_QUADS, lenient=True)

    def quads(self, nodes: Collection[str]) -> Iterator[str]:
        """The N-Quads lines of the three layers whose subject is one of ``nodes``."""
        for iri in nodes:
            with self._faults():
                node = pyoxigraph.NamedNode(iri)
                found = list(self._store.quads_for_pattern(node, None, None))
            for quad in found:
                if quad.graph_name in _LAYERS:
                    yield restore_types(f"{quad} .\n")

    def dump(self) -> Generator[bytes, None, None]:
        """All quads of the three layers as pieces of N-Quads, in no order, lines never cut."""
        with self._faults():
            foreign = any(graph not in _LAYERS for graph in self._store.named_graphs())
            foreign = foreign or _has_quads_in(self._store, pyoxigraph.DefaultGraph())
        for piece in map(restore_types_in_bytes, _split_at_lines(_Pipe(self._write).pieces())):
            yield _select_own_layers(piece) if foreign else piece

    def triples(self, layer: Layer) -> Iterator[bytes]:
        """All triples of a layer as pieces of N-Triples, lines never cut."""
        graph = pyoxigraph.NamedNode(layer.iri)
        return _split_at_lines(_Pipe(partial(self._write_one, graph)).pieces())

    def _write_one(self, graph: pyoxigraph.NamedNode, target: _Pipe) -> None:
        with self._faults():
            self._store.dump(
                cast("IO[bytes]", target), format=pyoxigraph.RdfFormat.N_TRIPLES, from_graph=graph
            )

    def _write(self, target: _Pipe) -> None:
        with self._faults():
            self._store.dump(cast("IO[bytes]", target), format=pyoxigraph.RdfFormat.N_QUADS)

    def is_empty(self) -> bool:
        """Whether it holds no quad."""
        with self._faults():
            return next(self._store.quads_for_pattern(None, None, None), None) is None

    def optimize(self) -> None:
        """Write the files of the store anew, so that terms are found sooner.

        What is put in at once leaves many files, and a term may be in any of them.
        """
        with self._faults():
            self._store.optimize()

    def flush(self) -> None:
        """Come back when all that was written would survive a power cut."""
        with self._faults():
            self._store.flush()

    def close(self) -> None:
        """Let go of the store: its lock is free when nobody else holds an answer of it."""
        del self._store

    @contextmanager
    def _faults(self, syntax: str = "") -> Iterator[None]:
        """Faults of the engine in words.

        Raises:
            CatalogueError: in place of what the engine raises.
        """
        try:
            yield
        except SyntaxError as fault:
            raise CatalogueError(f"{syntax}: {fault.msg}") from None
        except (OSError, ValueError, RuntimeError) as fault:
            raise CatalogueError(explain_fault(self.place, str(fault))) from None


class _Pipe:
    """What one thread writes and another reads, a little at a time."""

    def __init__(self, source: Callable[[_Pipe], None]) -> None:
        self._pieces: queue.Queue[bytes | BaseException | None] = queue.Queue(_AHEAD)
        self._is_closed = False
        self._held: list[bytes] = []
        self._size = 0
        self._source = source

    def write(self, data: bytes) -> int:
        """Take some bytes; wait while the reader is behind.

        Raises:
            OSError: the reader reads no more.
        """
        self._held.append(bytes(data))
        self._size += len(data)
        if self._size >= _PIECE:
            self.flush()
        return len(data)

    def flush(self) -> None:
        """Hand on what is held."""
        if self._is_closed:
            raise OSError("nobody reads")
        if self._held:
            self._put(b"".join(self._held))
            self._held, self._size = [], 0

    def _put(self, piece: bytes | BaseException | None) -> None:
        while not self._is_closed:
            try:
                self._pieces.put(piece, timeout=1)
            except queue.Full:
                continue
            return

    def _run(self) -> None:
        try:
            self._source(self)
            self.flush()
            self._put(None)
        except BaseException as fault:  # noqa: BLE001 - raised again where it is read
            self._put(fault)

    def pieces(self) -> Iterator[bytes]:
        """The bytes as they come.

        Raises:
            BaseException: what the writer raised.
        """
        thread = threading.Thread(target=self._run, daemon=True)
        thread.start()
        try:
            while (piece := self._pieces.get()) is not None:
                if isinstance(piece, BaseException):
                    raise piece
                yield piece
        finally:
            self._is_closed = True
            thread.join()


def _split_at_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes, cut behind line ends."""
    rest = b""
    for piece in pieces:
        lines, end, new = piece.rpartition(b"\n")
        if end:
            yield rest + lines + end
            rest = new
        else:
            rest += piece
    if rest:
        yield rest


def _select_own_layers(piece: bytes) -> bytes:
    return b"".join(line for line in piece.splitlines(keepends=True) if line.endswith(_LAYER_ENDS))


def _has_quads_in(store: pyoxigraph.Store, graph: pyoxigraph.DefaultGraph) -> bool:
    return next(iter(store.quads_for_pattern(None, None, None, graph)), None) is not None


def _write_operation(verb: str, lines: Iterable[str]) -> Iterator[str]:
    """One operation of an update; N-Quads terms are SPARQL's too."""
    graphs: dict[str, list[str]] = {}
    for line in lines:
        triple, _, graph = line.removesuffix(" .\n").rpartition(" ")
        graphs.setdefault(graph, []).append(f"{triple} .\n")
    if graphs:
        blocks = (f"GRAPH {graph} {{\n{''.join(each)}}}" for graph, each in sorted(graphs.items()))
        yield f"{verb} {{\n{' '.join(blocks)}\n}}"
