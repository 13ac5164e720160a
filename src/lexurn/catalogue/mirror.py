"""Mirror of a catalogue on a SPARQL 1.1 server: only what changed is sent.

The folder is the truth. Beside the store a small database keeps, for each server, which nodes were
sent and a digest of the statements on each. A push compares the sorted statements of the store with
it. Nodes that differ are replaced on the server, some thousand statements an update, and noted
before and after. So a push that was interrupted, in whatever way, is simply run again. A mark on
the server and in the database tells who pushed last: nobody else may push there.
"""

from __future__ import annotations

import hashlib
import uuid
from contextlib import closing
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from lexurn.catalogue.files import hold_lock, sort_lines
from lexurn.catalogue.folder import open_catalogue
from lexurn.catalogue.index import GENERATION, IndexFile
from lexurn.catalogue.server import MIRROR, MIRROR_BASE
from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.model import split_by_size
from lexurn.store import HttpStatusError, RemoteStore, format_literal, is_remote

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

_SCHEMA: Final = """
CREATE TABLE node (term TEXT PRIMARY KEY, digest BLOB) WITHOUT ROWID;
CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""
_MARK: Final = "<https://w3id.org/lexurn/catalogue#mark>"
_LAYERS: Final = tuple(f"<{layer.iri}>" for layer in Layer)
_LINES: Final = 2_000
_FEWEST_LINES: Final = 25
_TOO_LARGE: Final = frozenset({400, 413, 500})
_CHARACTERS: Final = 300_000
_REPORT_EVERY: Final = 1_000


class PushReport(NamedTuple):
    """Report of a push.

    Attributes:
        nodes: the nodes of the catalogue: names, files, checksums.
        added: nodes that are new on the server.
        replaced: nodes on which the server has other statements now.
        removed: nodes that the server has no more.
        omitted: statements that were not sent, since blank nodes cannot be mirrored.
    """

    nodes: int
    added: int
    replaced: int
    removed: int
    omitted: int


class PushState(IndexFile):
    """Nodes that were sent to one server, and settings; a file beside the store."""

    schema = _SCHEMA

    def nodes(self) -> Iterator[tuple[str, bytes | None]]:
        """Return the terms of all nodes, sorted, with their digests; None if that is uncertain."""
        query = "SELECT term, digest FROM node WHERE term > ? ORDER BY term LIMIT ?"
        return ((term, digest) for term, digest in self.read_pages(query))

    def begin(self, nodes: Iterable[_ChangedNode]) -> None:
        """Note that the server may have any statements on some nodes from now on."""
        with self.transaction():
            self.database.executemany(
                "INSERT OR REPLACE INTO node VALUES (?, NULL)", [(node.term,) for node in nodes]
            )

    def settle(self, nodes: Sequence[_ChangedNode]) -> None:
        """Note what the server has now."""
        kept = [(node.digest, node.term) for node in nodes if node.lines]
        removed = [(node.term,) for node in nodes if not node.lines]
        with self.transaction():
            self.database.executemany("UPDATE node SET digest = ? WHERE term = ?", kept)
            self.database.executemany("DELETE FROM node WHERE term = ?", removed)

    def clear(self) -> None:
        """Forget everything."""
        with self.transaction():
            self.database.execute("DELETE FROM node")
            self.database.execute("DELETE FROM setting")

    def explain(self, message: str) -> str:
        """Return a message of SQLite as a sentence that says what to do."""
        if "locked" in message or "full" in message or "disk I/O" in message:
            return super().explain(message)
        return f"{self.path} cannot be used ({message}); delete it, then push with --replace"


class _ChangedNode(NamedTuple):
    """Node on which the server must have other statements.

    Attributes:
        term: the node as N-Quads writes it.
        digest: of its statements.
        lines: its statements as N-Quads; none if it is to be removed.
        is_known: True if the server may have statements on it.
    """

    term: str
    digest: bytes
    lines: Sequence[str]
    is_known: bool


def push(
    location: str | Path,
    server: str,
    *,
    replace: bool = False,
    wait: float = 0.0,
    on_progress: Callable[[int], None] | None = None,
) -> PushReport:
    """Make a server hold the same statements as a catalogue.

    Args:
        location: the folder of the catalogue.
        server: the URL of the query endpoint, or a TOML file that names the endpoints.
        replace: whether the graphs of the server are emptied first, whoever filled them.
        wait: how many seconds to wait for others that use the catalogue.
        on_progress: called with the number of nodes compared.

    Raises:
        CatalogueError: the catalogue cannot be read, the server cannot be written, or it holds
            what was not pushed from this folder. Sent statements stay; push again to complete it.
    """
    if is_remote(str(location)):
        raise CatalogueError(f"{location} is a server. Push from the folder of a catalogue.")
    folder = Path(location)
    with (
        closing(RemoteStore(server)) as remote,
        open_catalogue(folder, wait=wait) as catalogue,
    ):
        key = hashlib.sha256(remote.endpoint.query.encode()).hexdigest()[:16]
        path = folder / f"push-{key}.sqlite"
        store = catalogue.store  # nobody writes from here on
        with (
            hold_lock(path.with_suffix(".lock"), write=True, wait=wait),
            closing(PushState(path, write=True)) as state,
        ):
            mark = _claim_server(remote, state, catalogue.base, replace=replace)
            generation = catalogue.holdings.setting(GENERATION) or ""
            if generation and state.setting(GENERATION) == generation:
                return PushReport(int(state.setting("nodes") or 0), 0, 0, 0, 0)
            state.set(generation="")
            counts = dict.fromkeys(PushReport._fields, 0)
            sender = _Sender(remote, state)
            for node in _find_changes(store.dump(), state, counts, on_progress):
                sent = "replaced" if node.is_known else "added"
                counts[sent if node.lines else "removed"] += 1
                sender.add(node)
            sender.flush()
            report = PushReport(**counts)
            if _read_mark(remote) != mark:
                raise CatalogueError(
                    f"{remote.location}: another catalogue was pushed there at the same time. Push "
                    "again from the right one, with --replace."
                )
            if not report.omitted:
                state.set(generation=generation, nodes=str(report.nodes))
            return report


def _claim_server(remote: RemoteStore, state: PushState, base: str | None, *, replace: bool) -> str:
    """Put a new mark on the server, beside the base of the catalogue; return the mark.

    Raises:
        CatalogueError: the server holds what was not pushed from here, or does not show at once
            what was written.
    """
    found = _read_mark(remote)
    if replace:
        state.clear()
        graphs = (*_LAYERS, MIRROR)
        remote.update(" ;\n".join(f"CLEAR SILENT GRAPH {graph}" for graph in graphs))
    elif found is None:
        union = " UNION ".join(f"{{ GRAPH {layer} {{ ?s ?p ?o }} }}" for layer in _LAYERS)
        if any(remote.select(f"SELECT ?s WHERE {{ {union} }} LIMIT 1", "s")):
            raise CatalogueError(
                f"{remote.location} contains a catalogue that was not pushed from this folder. "
                "Name another server, or replace all of it with --replace."
            )
        state.clear()  # an empty server has none of the nodes that were sent before
    elif found not in (state.setting("mark"), state.setting("next_mark")):
        raise CatalogueError(
            f"{remote.location} was last pushed to from another catalogue, or from a copy of this "
            "one. Push from there, or replace all of it with --replace."
        )
    mark = uuid.uuid4().hex
    about = f'{_MARK} "{mark}"' + (f" ; {MIRROR_BASE} {format_literal(base)}" if base else "")
    state.set(mark=found or "", next_mark=mark)  # either may be there if this is interrupted
    remote.update(
        f"DELETE WHERE {{ GRAPH {MIRROR} {{ ?s ?p ?o }} }} ;\n"
        f"INSERT DATA {{ GRAPH {MIRROR} {{ {MIRROR} {about} }} }}"
    )
    if _read_mark(remote) != mark:
        raise CatalogueError(
            f"{remote.location} does not return the data that was just written. Push to the "
            "primary server, not to a copy of it."
        )
    state.set(mark=mark)
    return mark


def _read_mark(remote: RemoteStore) -> str | None:
    text = f"SELECT ?mark WHERE {{ GRAPH {MIRROR} {{ {MIRROR} {_MARK} ?mark }} }}"
    return next((mark.value for (mark,) in remote.select(text, "mark")), None)


class _Sender:
    """Nodes on their way to the server, sent some at a time."""

    def __init__(self, remote: RemoteStore, state: PushState) -> None:
        self._remote, self._state = remote, state
        self._most = _LINES
        self._nodes: list[_ChangedNode] = []
        self._lines = self._size = 0

    def add(self, node: _ChangedNode) -> None:
        """Take a node, and send those that wait if they are enough."""
        self._nodes.append(node)
        self._lines += len(node.lines) + 1
        self._size += sum(map(len, node.lines)) + len(node.term)
        if self._lines >= self._most or self._size >= _CHARACTERS:
            self.flush()

    def flush(self) -> None:
        """Send the nodes that wait, and note it before and after."""
        nodes, self._nodes, self._lines, self._size = self._nodes, [], 0, 0
        self._state.begin(nodes)
        self._send(nodes)
        self._state.settle(nodes)

    def _send(self, nodes: Sequence[_ChangedNode]) -> None:
        """Replace all statements on some nodes, in smaller updates if the server fails."""
        try:
            for text in _write_updates(nodes, self._most):
                self._remote.update(text)
        except HttpStatusError as fault:
            if fault.status not in _TOO_LARGE or self._most <= _FEWEST_LINES:
                raise
            self._most = max(_FEWEST_LINES, self._most // 4)
            for some in split_by_size(nodes, lambda node: len(node.lines) + 1, self._most):
                self._send(some)


def _write_updates(nodes: Sequence[_ChangedNode], most: int) -> Iterator[str]:
    """Yield updates that replace all statements on some nodes: one, unless a node has too many.

    All of them may be done twice with no harm.
    """
    operations: list[str] = []
    if known := " ".join(node.term for node in nodes if node.is_known):
        operations += (
            f"DELETE {{ GRAPH {layer} {{ ?s ?p ?o }} }} "
            f"WHERE {{ VALUES ?s {{ {known} }} GRAPH {layer} {{ ?s ?p ?o }} }}"
            for layer in _LAYERS
        )
    every = [line for node in nodes for line in node.lines]
    for start in range(0, len(every) or 1, 2 * most):
        # One operation a graph: if one names several, Virtuoso leaves some literals behind.
        graphs: dict[str, list[str]] = {}
        for line in every[start : start + 2 * most]:
            triple, _, graph = line.removesuffix(" .").rpartition(" ")
            graphs.setdefault(graph, []).append(f"{triple} .\n")
        for graph in sorted(graphs):
            operations.append(f"INSERT DATA {{ GRAPH {graph} {{\n{''.join(graphs[graph])}}} }}")
        if operations:
            yield " ;\n".join(operations)
        operations = []


def _find_changes(
    dump: Iterable[bytes],
    state: PushState,
    counts: dict[str, int],
    on_progress: Callable[[int], None] | None,
) -> Iterator[_ChangedNode]:
    """Yield the nodes on which the server may have other statements than a dump, in order.

    Both sides are sorted by the bytes of the terms, and read side by side.
    """
    sent = state.nodes()
    known = next(sent, None)
    split = (line for piece in sort_lines(dump) for line in piece.split(b"\n") if line)
    for subject, group in groupby(split, key=lambda line: line[: line.index(b" ")]):
        stated = list(group)
        # Objects that are blank nodes stand after the second space.
        kept = [
            line
            for line in stated
            if not line.startswith(b"_:")
            and (b" _:" not in line or line.split(b" ", 2)[2][:2] != b"_:")
        ]
        counts["omitted"] += len(stated) - len(kept)
        if not kept:
            continue
        term = subject.decode()
        while known is not None and known[0] < term:
            yield _ChangedNode(known[0], b"", (), is_known=True)
            known = next(sent, None)
        digest = hashlib.blake2b(b"\n".join(kept), digest_size=16).digest()
        is_known = known is not None and known[0] == term
        if known is None or not is_known or known[1] != digest:
            yield _ChangedNode(term, digest, [line.decode() for line in kept], is_known)
        if is_known:
            known = next(sent, None)
        counts["nodes"] += 1
        if on_progress is not None and counts["nodes"] % _REPORT_EVERY == 0:
            on_progress(counts["nodes"])
    while known is not None:
        yield _ChangedNode(known[0], b"", (), is_known=True)
        known = next(sent, None)
