"""Child process of a query: it opens a store, answers one query, and ends."""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.errors import CatalogueError, LexurnError
from lexurn.store.queries import REFUSED_CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from typing import IO, Final

    from lexurn.store.protocol import EngineAnswer, Store

    Opener = Callable[[Mapping[str, object]], AbstractContextManager[Store]]

    Updater = Callable[[Mapping[str, object]], tuple[int, int] | None]

_STATUS_FILE: Final = Path("/proc/self/status")
_SPARE_SECONDS: Final = 10


def serve(opened: Opener | None = None, update: Updater | None = None) -> None:
    """Answer the query that standard input asks for, then end.

    Args:
        opened: opens the store of a task for reading; None for a store that the task names itself.
        update: does the update of a task; gives back what the caller is told of it.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = 0
    try:
        with os.fdopen(os.dup(1), "wb") as answer:
            os.dup2(2, 1)  # nothing that a library prints may get into the answer
            task = json.loads(sys.stdin.buffer.readline())
            threading.Thread(target=_wait_for_caller, daemon=True).start()
            _serve_task(task, answer, opened or _open_store, update)
    except BrokenPipeError:
        pass
    except (LexurnError, OSError, ValueError, RuntimeError, MemoryError) as fault:
        code = _report(_describe_fault(fault))
    except BaseException as fault:  # noqa: BLE001 - an engine that panics raises none of those
        code = _report(f"The engine broke down on this query: {fault}")
    os._exit(code)  # the listening thread has nothing to put away


def _report(message: str) -> int:
    """Write why there is no answer, behind a NUL; return the exit code that says so."""
    os.write(2, b"\0" + message.encode(errors="backslashreplace"))
    return REFUSED_CODE


def _describe_fault(fault: BaseException) -> str:
    if isinstance(fault, MemoryError):
        return "The query takes more memory than it may. Ask for less, or allow it more."
    return str(fault) if isinstance(fault, LexurnError) else f"the query failed: {fault}"


def _serve_task(
    task: Mapping[str, object], answer: IO[bytes], opened: Opener, update: Updater | None
) -> None:
    if update is not None and task["how"] == "update":
        answer.write(b"done\n" + json.dumps(update(task)).encode())
        return
    with opened(task) as store:
        limit_resources(task)
        _write_answer(store.query(str(task["text"])), answer)
        answer.flush()


def _write_answer(found: EngineAnswer, answer: IO[bytes]) -> None:
    if isinstance(found, pyoxigraph.QueryBoolean):
        answer.write(b"boolean\n" + (b"1" if found else b""))
    elif isinstance(found, pyoxigraph.QuerySolutions):
        answer.write(b"solutions\n")
        found.serialize(answer, pyoxigraph.QueryResultsFormat.TSV)
    else:
        answer.write(b"triples\n")
        pyoxigraph.serialize(found, answer, pyoxigraph.RdfFormat.N_TRIPLES)


@contextmanager
def _open_store(task: Mapping[str, object]) -> Iterator[Store]:
    """The store that is task, opened for reading or filled with what the caller sends."""
    store = _make_store(task)
    try:
        yield store
    finally:
        store.close()


def _make_store(task: Mapping[str, object]) -> Store:
    how, place, endpoint = task["how"], Path(str(task["place"])), task["endpoint"]
    if isinstance(endpoint, dict):
        from lexurn.store.endpoint import Endpoint  # noqa: PLC0415 - a folder needs none
        from lexurn.store.remote import RemoteStore  # noqa: PLC0415 - needs an extra

        return RemoteStore(Endpoint(**endpoint))
    from lexurn.store.embedded import EmbeddedStore  # noqa: PLC0415 - a server needs none

    store = EmbeddedStore(place if how == "store" else None)
    if how == "quads":
        store.fill(place.read_bytes())
    return store


def _wait_for_caller() -> None:
    """End with the caller: when its end of standard input closes, nobody wants an answer."""
    sys.stdin.buffer.read()
    os._exit(0)


def limit_resources(task: Mapping[str, object]) -> None:
    """Let this process take so much memory more, and not much more time than it is given.

    The caller ends it when it is late; the limit of the processor's time is for a caller that died.

    Raises:
        CatalogueError: memory is to be limited where the system cannot do it.
    """
    memory, seconds = task["memory"], task["seconds"]
    try:
        import resource  # noqa: PLC0415 - not on every system
    except ImportError:  # pragma: no cover - not on every system
        if memory is not None:
            raise CatalogueError("this system cannot limit memory; ask without it") from None
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if isinstance(seconds, int | float):
        most = int(seconds) * (os.cpu_count() or 1) + _SPARE_SECONDS
        _set_limit(resource.RLIMIT_CPU, most)
    if isinstance(memory, int):
        _set_limit(resource.RLIMIT_DATA, _measure_data() + memory)


def _set_limit(what: int, most: int) -> None:
    """Set a limit of this process, or keep a lower one that it was started with."""
    import resource  # noqa: PLC0415 - not on every system

    held = resource.getrlimit(what)[1]
    most = min(most, sys.maxsize if held == resource.RLIM_INFINITY else held)
    resource.setrlimit(what, (most, most))


def _measure_data() -> int:
    """The bytes of data that this process has already."""
    try:
        status = _STATUS_FILE.read_text(encoding="ascii")
    except OSError:  # pragma: no cover - not on every system
        return 0
    sizes = (line.split()[1] for line in status.splitlines() if line.startswith("VmData:"))
    return int(next(sizes, "0")) << 10
