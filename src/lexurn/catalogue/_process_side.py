"""The other side: the process that opens a catalogue, answers one query, and ends."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import pyoxigraph

from lexurn.catalogue._process import FRAME
from lexurn.catalogue._process_wall import wall_in
from lexurn.errors import CatalogueError, LexurnError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from lexurn.catalogue._protocols import Answer, Store

__all__ = ["serve"]

_STATUS: Final = Path("/proc/self/status")
_SPARE_SECONDS: Final = 10


class _Frames:
    """The pipe to the caller, as a file that pieces of an answer are written to."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream

    def send(self, mark: bytes, piece: bytes = b"") -> None:
        """Write one piece with its mark."""
        self._stream.write(FRAME.pack(mark, len(piece)) + piece)
        self._stream.flush()

    def write(self, data: bytes) -> int:
        """Write a piece of the answer."""
        self.send(b"D", data)
        return len(data)

    def flush(self) -> None:
        """Nothing is held back."""


def serve() -> None:
    """Answer the query that standard input asks for, then end."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    frames = _Frames(os.fdopen(os.dup(1), "wb"))
    os.dup2(2, 1)  # nothing that a library prints may get among the answers
    try:
        _do(json.loads(sys.stdin.buffer.readline()), frames)
    except BrokenPipeError:
        pass
    except (LexurnError, OSError, ValueError, RuntimeError, MemoryError) as fault:
        frames.send(b"E", _words(fault).encode(errors="backslashreplace"))
    except BaseException as fault:  # noqa: BLE001 - an engine that panics raises none of those
        frames.send(b"E", f"the engine broke down on this query: {fault}".encode())
    os._exit(0)  # a listening thread has nothing to put away


def _words(fault: BaseException) -> str:
    if isinstance(fault, MemoryError):
        return "the query takes more memory than it may; ask for less, or allow it more"
    return str(fault) if isinstance(fault, LexurnError) else f"the query failed: {fault}"


def _do(asked: Mapping[str, object], frames: _Frames) -> None:
    if not asked["may_call"] and _is_here(asked):
        wall_in()  # before any other thread is started
    listening = threading.Thread(target=_await_end, daemon=True)
    if asked["how"] != "quads":  # which come by the way that it listens to
        listening.start()
    if asked["how"] == "update":
        frames.send(b"U", json.dumps(_update(asked)).encode())
        return
    with _opened(asked) as store:
        if asked["how"] == "quads":
            listening.start()
        _limit(asked)
        _answer(store.query(str(asked["text"])), frames)
        frames.send(b"Z")


def _is_here(asked: Mapping[str, object]) -> bool:
    """Whether what is asked is opened in this process, not by a server."""
    return asked["how"] in {"store", "quads"} or Path(str(asked["place"])).is_dir()


def _answer(answer: Answer, frames: _Frames) -> None:
    if isinstance(answer, pyoxigraph.QueryBoolean):
        frames.send(b"B", b"1" if answer else b"")
    elif isinstance(answer, pyoxigraph.QuerySolutions):
        frames.send(b"S")
        answer.serialize(frames, pyoxigraph.QueryResultsFormat.TSV)  # type: ignore[arg-type]  # a write method is enough
    else:
        frames.send(b"T")
        pyoxigraph.serialize(answer, frames, pyoxigraph.RdfFormat.N_TRIPLES)  # type: ignore[arg-type]  # as above


@contextmanager
def _opened(asked: Mapping[str, object]) -> Iterator[Store]:
    """The store that is asked, opened for reading or filled with what the caller sends."""
    if asked["how"] == "catalogue":
        from lexurn.catalogue._catalogue import open_catalogue  # noqa: PLC0415 - has more to load

        with open_catalogue(str(asked["place"]), wait=_wait(asked)) as catalogue:
            yield catalogue.store
        return
    store = _store_of(asked)
    try:
        yield store
    finally:
        store.close()


def _store_of(asked: Mapping[str, object]) -> Store:
    how, place, endpoint = asked["how"], str(asked["place"]), asked["endpoint"]
    if isinstance(endpoint, dict):
        from lexurn.catalogue._endpoint import Endpoint  # noqa: PLC0415 - a folder needs none
        from lexurn.catalogue._remote import RemoteStore  # noqa: PLC0415 - needs an extra

        return RemoteStore(Endpoint(**endpoint))
    from lexurn.catalogue._embedded import EmbeddedStore  # noqa: PLC0415 - a server needs none

    store = EmbeddedStore(Path(place) if how == "store" else None)
    if how == "quads":
        store.fill(b"".join(_sent()))
    return store


def _update(asked: Mapping[str, object]) -> tuple[int, int] | None:
    """Do an update; how many statements there were and are, where that is soon counted."""
    from lexurn.catalogue._catalogue import open_catalogue  # noqa: PLC0415 - has more to load
    from lexurn.catalogue._embedded import EmbeddedStore  # noqa: PLC0415 - as above

    with open_catalogue(str(asked["place"]), write=True, wait=_wait(asked)) as catalogue:
        _limit(asked)
        store = catalogue.store
        held = store.size() if isinstance(store, EmbeddedStore) else 0
        catalogue.update(str(asked["text"]))
        return (held, store.size()) if isinstance(store, EmbeddedStore) else None


def _wait(asked: Mapping[str, object]) -> float:
    """How many seconds to wait for others that use the catalogue."""
    return float(str(asked["wait"]))


def _sent() -> Iterator[bytes]:
    """The pieces of N-Quads that the caller sends."""
    while True:
        head = sys.stdin.buffer.read(FRAME.size)
        if len(head) < FRAME.size:
            return
        mark, length = FRAME.unpack(head)
        if mark == b"Z":
            return
        yield sys.stdin.buffer.read(length)


def _await_end() -> None:
    """End with the caller: when its end of standard input closes, nobody wants an answer."""
    sys.stdin.buffer.read()
    os._exit(0)


def _limit(asked: Mapping[str, object]) -> None:
    """Let this process take so much memory more, and not much more time than it is given.

    The caller ends it when it is late; the limit of the processor's time is for a caller that died.

    Raises:
        CatalogueError: memory is to be limited where the system cannot do it.
    """
    memory, seconds = asked["memory"], asked["seconds"]
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:  # pragma: no cover - not on every system
        if memory is not None:
            raise CatalogueError("this system cannot limit memory; ask without it") from None
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if isinstance(seconds, int | float):
        most = int(seconds) * (os.cpu_count() or 1) + _SPARE_SECONDS
        _hold(resource.RLIMIT_CPU, most)
    if isinstance(memory, int):
        _hold(resource.RLIMIT_DATA, _data_size() + memory)


def _hold(what: int, most: int) -> None:
    """Set a limit of this process, or keep a lower one that it was started with."""
    import resource  # noqa: PLC0415 - not on every system

    held = resource.getrlimit(what)[1]
    most = min(most, sys.maxsize if held == resource.RLIM_INFINITY else held)
    resource.setrlimit(what, (most, most))


def _data_size() -> int:
    """The bytes of data that this process has already."""
    try:
        status = _STATUS.read_text(encoding="ascii")
    except OSError:  # pragma: no cover - not on every system
        return 0
    sizes = (line.split()[1] for line in status.splitlines() if line.startswith("VmData:"))
    return int(next(sizes, "0")) << 10
