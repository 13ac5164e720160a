"""User queries: refused if they do more than is allowed, and held to limits.

With limits, a query runs in a child process that is ended when it takes too long. So no text can
hang or break down the caller. The child is a new interpreter or, for the command line, a copy of
this process, which starts at once. The caller's side comes first, `serve` is the other one: it
opens a store, answers one query, and ends.
"""

from __future__ import annotations

import importlib.util
import json
import math
import os
import re
import signal
import sys
import tempfile
import threading
import time
import warnings
import weakref
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, Literal, NoReturn, Self, cast

import pyoxigraph

from lexurn.errors import CatalogueError, LexurnError
from lexurn.store.answers import ENGINE_FAULTS, Solutions, Triples, explain_fault, explain_faults
from lexurn.store.embedded import EmbeddedStore
from lexurn.store.endpoint import Endpoint
from lexurn.store.sparql import QueryForm, scan_query

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
    from io import BufferedReader

    from lexurn.store.answers import EngineAnswer, QueryAnswer, Store
    from lexurn.store.sparql import QueryScan

    Opener = Callable[[Mapping[str, object]], AbstractContextManager[Store]]
    Updater = Callable[[Mapping[str, object]], tuple[int, int]]

CAN_LIMIT_MEMORY: Final = importlib.util.find_spec("resource") is not None
"""True if this system can limit the memory of a process."""
NO_MEMORY_LIMIT: Final = "This system cannot limit the memory of a query. Only its time is limited."
ALLOWABLE: Final = ("update", "service")
"""Names of what a text does only if it is allowed."""
REFUSED_CODE: Final = 3
"""Exit code of a child that wrote on standard error why it gives no answer."""

_MEGABYTE: Final = 1 << 20
_LONGEST_TIMEOUT: Final = min(366 * 24 * 3_600, threading.TIMEOUT_MAX)  # some systems wait no year
_LARGEST_MEMORY: Final = sys.maxsize // _MEGABYTE
_THREADS_FOLDER: Final = Path("/proc/self/task")
_CHUNK: Final = 1 << 16
_STDERR_BYTES: Final = 4_000
_OUT_OF_MEMORY: Final = ("memory allocation", "bad_alloc", "MemoryError", "out of memory")
_KILLED: Final = (-signal.SIGABRT, -9)  # Windows has no SIGKILL
_STACK_OVERFLOW: Final = "overflowed its stack"
# Deeper or longer texts overflow the stack of an engine: they run in another process.
_DEEPEST: Final = 50
_MOST_TOKENS: Final = 2_000
_STORE_FILE: Final = "CURRENT"


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTask:
    """Task of a child process.

    Attributes:
        how: the kind of location: a ``catalogue`` for reading, or one that an ``update`` changes;
            the folder of a ``store``; a file of ``quads``; or, for messages, a ``server``.
        location: the path or the word for messages.
        text: the SPARQL.
        endpoint: the server: the fields of an `Endpoint`.
        wait: seconds to wait for others that use the catalogue, beside those of the query.
    """

    how: Literal["catalogue", "update", "store", "quads", "server"]
    location: str
    text: str
    endpoint: Mapping[str, object] | None = None
    wait: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryLimits:
    """Limits of a query.

    Attributes:
        timeout: seconds to wait for the process, all together, a year at most; None for no limit.
        memory: whole megabytes for the query; None for no limit.
        most: number of lines after which an answer ends; None for all.

    Raises:
        CatalogueError: a limit is impossible.
    """

    timeout: float | None = None
    memory: int | None = None
    most: int | None = None

    def __post_init__(self) -> None:
        timeout, memory = self.timeout, self.memory
        if timeout is not None and not (
            math.isfinite(timeout) and 0 <= timeout <= _LONGEST_TIMEOUT
        ):
            raise CatalogueError(
                f"A query cannot be limited to {timeout:g} seconds. Give a number from 0 to "
                f"{_LONGEST_TIMEOUT:,.0f}, or none for no limit."
            )
        is_whole = memory is None or type(memory) is int
        if memory is not None and not (is_whole and 1 <= memory <= _LARGEST_MEMORY):
            raise CatalogueError(
                f"A query cannot be limited to {memory} megabytes. Give a whole number from 1 to "
                f"{_LARGEST_MEMORY:,}, or none for no limit."
            )


class QueryProcess:
    """Child process that answers one query; a context manager, and a file of the answer's bytes.

    The child writes the kind of its answer on a line, then the answer. Its exit code says whether
    the answer is whole.

    Attributes:
        has_more: whether the answer went on where it was cut.
    """

    def __init__(
        self,
        task: QueryTask,
        limits: QueryLimits,
        quads: Iterable[bytes] = (),
        *,
        function: Callable[[], None] | None = None,
        may_fork: bool = False,
    ) -> None:
        """Start the process.

        Args:
            task: the task.
            limits: its limits.
            quads: pieces of N-Quads that are asked in the place of a store.
            function: a function of a module that serves the task; None for `serve` alone.
            may_fork: whether the child may be a copy of this process, which has no store open.

        Raises:
            CatalogueError: no process can be started here.
        """
        is_copy = may_fork and _has_one_thread()
        if not is_copy and not sys.executable:
            raise CatalogueError("No process can be started here. Query without limits.")
        if limits.memory is not None and not CAN_LIMIT_MEMORY:
            warnings.warn(NO_MEMORY_LIMIT, RuntimeWarning, stacklevel=2)
        self._limits = limits
        self.has_more = False
        self._rest, self._is_done, self._lines = b"", False, limits.most
        self._is_late = False
        self._seconds = None if limits.timeout is None else limits.timeout + task.wait
        self._open = ExitStack()
        function = function or serve
        try:
            self._errors: IO[bytes] = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with all else
            if task.how == "quads":
                folder = self._open.enter_context(tempfile.TemporaryDirectory())
                location = Path(folder, "store.nq")
                location.write_bytes(b"".join(quads))
                task = replace(task, location=str(location))
            start = _ForkedProcess if is_copy else _start_interpreter
            self._process = start(function, self._errors)
        except OSError as fault:
            self._open.close()
            raise CatalogueError(f"No process can be started here: {fault.strerror}") from None
        self._open.callback(_end_process, self._process)
        self._finish = weakref.finalize(self, self._open.close)
        memory = None if limits.memory is None else limits.memory * _MEGABYTE
        request = {**asdict(task), "memory": memory, "seconds": limits.timeout}
        with self._time_limit(), suppress(OSError):  # a child that is gone says why when it is read
            cast("IO[bytes]", self._process.stdin).write(json.dumps(request).encode() + b"\n")
            cast("IO[bytes]", self._process.stdin).flush()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._finish()

    def read_kind(self) -> str:
        """Read the kind, once: ``solutions``, ``boolean``, ``triples``; ``done`` of an update.

        Raises:
            CatalogueError: there is no answer; the message says why.
        """
        with self._time_limit():
            line = cast("IO[bytes]", self._process.stdout).readline()
        if not line.endswith(b"\n"):
            raise CatalogueError(self._explain_end())
        kind = line.decode("ascii").strip()
        if self._lines is not None and kind == "solutions":
            self._lines += 1  # the line of column names
        return kind

    def read(self, size: int = -1) -> bytes:
        """Return the next bytes of the answer, none at its end.

        Raises:
            CatalogueError: the answer broke off; the message says why.
        """
        if not self._rest and not self._is_done:
            with self._time_limit():
                piece = cast("BufferedReader", self._process.stdout).read1(_CHUNK)
                code = None if piece else self._process.wait()
            if code:
                raise CatalogueError(self._explain_end())
            self._is_done = not piece
            if self._lines is not None:
                if self._lines <= piece.count(b"\n"):  # it ends in this piece
                    wanted = b"".join(piece.splitlines(keepends=True)[: self._lines])
                    if len(wanted) < len(piece):
                        self.has_more = self._is_done = True
                    piece = wanted
                self._lines -= piece.count(b"\n")
            self._rest = piece
        size = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:size], self._rest[size:]
        if self._is_done and not self._rest:
            self.close()
        return piece

    @contextmanager
    def _time_limit(self) -> Iterator[None]:
        """End the process if it is waited for too long; only the time of waiting counts."""
        if self._seconds is None:
            yield
            return

        def stop_late_process() -> None:
            self._is_late = True
            self._process.kill()

        timer = threading.Timer(max(self._seconds, 0.01), stop_late_process)
        timer.daemon = True
        start = time.monotonic()
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
            timer.join()  # until then the thread keeps this object alive
            self._seconds -= time.monotonic() - start

    def _explain_end(self) -> str:
        """Return why the process gave no whole answer."""
        code = self._process.wait()
        if self._is_late:
            return (
                f"The query took longer than {self._limits.timeout:g} seconds and was stopped. "
                "Reduce the query, or raise the limit (--timeout)."
            )
        self._errors.seek(max(0, self._errors.seek(0, os.SEEK_END) - _STDERR_BYTES))
        errors = self._errors.read().decode(errors="replace")
        if code == REFUSED_CODE:
            return errors.rpartition("\0")[2]
        if _STACK_OVERFLOW in errors or code == -signal.SIGSEGV:
            return "The query is too long or too deeply nested for the engine. Make it simpler."
        if any(word in errors for word in _OUT_OF_MEMORY) or code in _KILLED:
            most = self._limits.memory
            limit = "there is" if most is None else f"{most} megabytes"
            return (
                f"The query takes more memory than {limit}. "
                "Reduce the query, or raise the limit (--memory)."
            )
        return f"The process of the query ended (code {code}) without an answer."


def _start_interpreter(function: Callable[[], None], errors: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a new interpreter, in which a function serves the task.

    Raises:
        OSError: the system has no room for it.
    """
    import subprocess  # noqa: PLC0415 - not for a copy of this process

    name = function.__name__
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
        [sys.executable, "-P", "-c", f"from {function.__module__} import {name}; {name}()"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=errors,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(entry for entry in sys.path if entry)},
    )


def _has_one_thread() -> bool:
    """Return whether this process certainly has one thread: a copy of it lacks all others.

    An engine that has opened a store has threads of its own. Only Linux counts them.
    """
    try:
        return len(list(_THREADS_FOLDER.iterdir())) == 1 and hasattr(os, "fork")
    except OSError:
        return False


class _ForkedProcess:
    """Copy of this process, in which a function serves a task; called as a `Popen` is.

    Attributes:
        stdin: its standard input.
        stdout: its standard output.
        returncode: its exit code once it was waited for, negative after a signal.
    """

    def __init__(self, function: Callable[[], None], errors: IO[bytes]) -> None:
        """Start it.

        Raises:
            OSError: the system has no room for it.
        """
        self.returncode: int | None = None
        question, request = os.pipe()
        source, answer = os.pipe()
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            self._pid = os.fork()
            if self._pid == 0:
                _serve_copy(function, (question, answer, errors.fileno()), (request, source))
        except OSError:
            os.close(request)
            os.close(source)
            raise
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
            os.close(question)
            os.close(answer)
        self.stdin, self.stdout = os.fdopen(request, "wb"), os.fdopen(source, "rb")

    def kill(self) -> None:
        """End it at once, unless it has been waited for."""
        if self.returncode is None:
            with suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)

    def wait(self) -> int:
        """Wait for its end; return its exit code."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self._pid, 0)[1])
        return self.returncode


def _serve_copy(
    function: Callable[[], None], streams: tuple[int, int, int], others: tuple[int, int]
) -> NoReturn:
    """Serve the task of a copied process, then end it without the clean-up of the caller.

    Args:
        function: serves the task.
        streams: the standard streams of the copy.
        others: the ends of the pipes that only the caller uses.
    """
    import fcntl  # noqa: PLC0415 - where there is a fork, there is this

    try:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        # Without standard streams of the caller, these may have the numbers 0 to 2 themselves.
        sources = [fcntl.fcntl(each, fcntl.F_DUPFD_CLOEXEC, 3) for each in streams]
        for each in (*others, *streams[:2]):
            os.close(each)
        for number, source in enumerate(sources):
            os.dup2(source, number)
            os.close(source)
        function()
    finally:
        os._exit(1)


def _end_process(process: subprocess.Popen[bytes] | _ForkedProcess) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()


def query(
    store: Store,
    text: str,
    *,
    allow: Collection[str] = (),
    timeout: float | None = None,
    memory: int | None = None,
) -> QueryAnswer:
    """Return the answer to a SPARQL query.

    Without limits the query runs in this process, as quick as the engine itself. With a limit it
    runs in another one, with the store opened there for reading (a store in memory is copied).

    Args:
        store: the store; its default graph is all layers together, unless the text names its
            graphs with FROM.
        text: a SPARQL 1.1 query.
        allow: ``service`` for a query that asks other servers.
        timeout: seconds to wait for the answer, all together; a year at most.
        memory: whole megabytes for the query, beside the memory of the open store.

    Raises:
        CatalogueError: the text is not a query, does what is not allowed, or the engine refuses
            it; a limit is impossible; also raised while the answer is read, if it takes too long
            or too much memory.
    """
    found = check_query(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("This is an update, not a query. Use Catalogue.update.")
    is_small = found.depth <= _DEEPEST and found.size <= _MOST_TOKENS
    if timeout is None and memory is None and is_small:
        try:
            answer = store.query(text)
        except (CatalogueError, *ENGINE_FAULTS) as fault:
            raise explain_fault(fault, text) from None
        if isinstance(answer, pyoxigraph.QuerySolutions):
            return Solutions(answer)
        return bool(answer) if isinstance(answer, pyoxigraph.QueryBoolean) else Triples(answer)
    limits = QueryLimits(timeout=timeout, memory=memory)
    endpoint = getattr(store, "endpoint", None)
    if isinstance(endpoint, Endpoint):
        # The location is for messages: a URL without secrets.
        task = QueryTask(
            how="server", location=store.location, text=text, endpoint=asdict(endpoint)
        )
    elif isinstance(store, EmbeddedStore) and not Path(store.location, _STORE_FILE).is_file():
        task = QueryTask(how="quads", location=store.location, text=text)
        return run_task(task, limits, list(store.dump()))
    else:
        task = QueryTask(how="store", location=store.location, text=text)
    return run_task(task, limits)


def check_query(text: str, allow: Collection[str]) -> QueryScan:
    """Return the properties of a text.

    Raises:
        CatalogueError: it does what is not allowed, or is not SPARQL.
    """
    if allow and (unknown := sorted(set(allow).difference(ALLOWABLE))):
        raise CatalogueError(f"{unknown[0]!r} cannot be allowed, only {' and '.join(ALLOWABLE)}.")
    found = scan_query(text)
    if found.form is QueryForm.UPDATE and "update" not in allow:
        raise CatalogueError(
            "This is an update, which changes the catalogue. Allow it with --allow update."
        )
    if found.calls_out and "service" not in allow:
        raise CatalogueError(
            "This query contains the letters of SERVICE or LOAD, so an engine might call "
            "another server or read a file. Write them in two parts in a string, such as "
            'CONCAT("SERV", "ICE"), or allow it with --allow service.'
        )
    return found


def run_task(
    task: QueryTask,
    limits: QueryLimits,
    quads: Sequence[bytes] = (),
    *,
    function: Callable[[], None] | None = None,
    may_fork: bool = False,
) -> QueryAnswer:
    """Return the answer of another process, read as it comes; the arguments are those of it."""
    process = QueryProcess(task, limits, quads, function=function, may_fork=may_fork)
    stream = cast("IO[bytes]", process)
    try:
        with explain_faults(task.text):
            kind = process.read_kind()
        if kind == "boolean":
            with process:
                return bool(process.read())
        with explain_faults():
            if kind == "triples":
                found = pyoxigraph.parse(stream, pyoxigraph.RdfFormat.N_TRIPLES)
                return Triples((quad.triple for quad in found), process)
            rows = pyoxigraph.parse_query_results(stream, pyoxigraph.QueryResultsFormat.TSV)
            return Solutions(cast("pyoxigraph.QuerySolutions", rows), process)
    except BaseException:
        process.close()
        raise


# --- in the child process -------------------------------------------------------------

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
            request = open(0, "rb", closefd=False)  # noqa: SIM115 - `sys.stdin` may be the caller's
            task = json.loads(request.readline())
            threading.Thread(target=_wait_for_caller, args=(request,), daemon=True).start()
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
    how, location, endpoint = task["how"], Path(str(task["location"])), task["endpoint"]
    if isinstance(endpoint, dict):
        from lexurn.store.remote import RemoteStore  # noqa: PLC0415 - needs an extra

        with closing(RemoteStore(Endpoint(**endpoint))) as remote:
            yield remote
        return
    with closing(EmbeddedStore(location if how == "store" else None)) as store:
        if how == "quads":
            store.fill(location.read_bytes())
        yield store


def _wait_for_caller(request: IO[bytes]) -> None:
    """End when the caller closes its end of standard input: nobody wants an answer then."""
    request.read()
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
