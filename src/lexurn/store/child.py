"""Child process of a query: it opens a store, answers one query, and ends."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
import threading
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.errors import LexurnError
from lexurn.store.embedded import EmbeddedStore
from lexurn.store.endpoint import Endpoint
from lexurn.store.queries import CAN_LIMIT_MEMORY, REFUSED_CODE

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from contextlib import AbstractContextManager
    from typing import IO, Final

    from lexurn.store.answers import EngineAnswer, Store

    Opener = Callable[[Mapping[str, object]], AbstractContextManager[Store]]
    Updater = Callable[[Mapping[str, object]], tuple[int, int]]

_STATUS_FILE: Final = Path("/proc/self/status")
_SPARE_SECONDS: Final = 10


def serve(opened: Opener | None = None, update: Updater | None = None) -> None:
    """Answer the query that standard input asks for, then end.

    Args:
        opened: opens the store of a task for reading; None for a store that the task names itself.
        update: does the update of a task; returns the counts for the caller.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    code = 0
    try:
        with os.fdopen(os.dup(1), "wb") as answer:
            os.dup2(2, 1)  # nothing that a library prints may get into the answer
            task = json.loads(sys.stdin.buffer.readline())
            threading.Thread(target=_wait_for_caller, daemon=True).start()
            if update is not None and task["how"] == "update":
                answer.write(b"done\n" + json.dumps(update(task)).encode())
            else:
                with (opened or _open_store)(task) as store:
                    limit_resources(task)
                    _write_answer(store.query(str(task["text"])), answer)
                    answer.flush()
    except BrokenPipeError:
        pass
    except MemoryError:
        code = _report(
            "The query takes more memory than is allowed. Reduce the query, or raise the limit "
            "(--memory)."
        )
    except LexurnError as fault:
        code = _report(str(fault))
    except (OSError, ValueError, RuntimeError) as fault:
        code = _report(f"the query failed: {fault}")
    except BaseException as fault:  # noqa: BLE001 - an engine that panics raises none of those
        code = _report(f"The engine broke down on this query: {fault}")
    os._exit(code)  # the listening thread has nothing to put away


def _report(message: str) -> int:
    """Write why there is no answer, after a NUL; return the exit code that says so."""
    os.write(2, b"\0" + message.encode(errors="backslashreplace"))
    return REFUSED_CODE


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
    """Open the store of a task for reading, or fill one with the quads that the caller sends."""
    how, place, endpoint = task["how"], Path(str(task["place"])), task["endpoint"]
    if isinstance(endpoint, dict):
        from lexurn.store.remote import RemoteStore  # noqa: PLC0415 - needs an extra

        with closing(RemoteStore(Endpoint(**endpoint))) as remote:
            yield remote
        return
    with closing(EmbeddedStore(place if how == "store" else None)) as store:
        if how == "quads":
            store.fill(place.read_bytes())
        yield store


def _wait_for_caller() -> None:
    """End when the caller closes its end of standard input: nobody wants an answer then."""
    sys.stdin.buffer.read()
    os._exit(0)


def limit_resources(task: Mapping[str, object]) -> None:
    """Limit the memory and the processor time of this process.

    The caller ends it when it is late; the limit of the processor time is for a caller that died.
    A system without such limits has the time limit alone.
    """
    if not CAN_LIMIT_MEMORY:  # pragma: no cover - not on every system
        return
    memory, seconds = task["memory"], task["seconds"]
    import resource  # noqa: PLC0415 - not on every system

    limits = {resource.RLIMIT_CORE: 0}
    if isinstance(seconds, int | float):
        limits[resource.RLIMIT_CPU] = int(seconds) * (os.cpu_count() or 1) + _SPARE_SECONDS
    if isinstance(memory, int):
        status = _STATUS_FILE.read_text(encoding="ascii") if _STATUS_FILE.is_file() else ""
        held = re.search(r"^VmData:\s*([0-9]+) kB", status, re.MULTILINE)
        limits[resource.RLIMIT_DATA] = memory + (int(held[1]) << 10 if held else 0)
    for kind, limit in limits.items():
        inherited = resource.getrlimit(kind)[1]
        most = min(limit, sys.maxsize if inherited == resource.RLIM_INFINITY else inherited)
        resource.setrlimit(kind, (most, most))
