"""Queries of users: refused if they do more than is allowed, and held to limits.

With limits of time or memory, a query runs in a child process, which is ended when it takes too
long. So no text can hang or break down the caller. The child is a new interpreter or, for the
command line, a copy of this process, which starts at once. A child whose answer was read waits for
the next query on its store if that is open for reading only. The caller's side comes first, `serve`
is the other one: it opens a store, then answers one query after the other.
"""

from __future__ import annotations

import importlib.util
import io
import json
import math
import os
import queue
import re
import signal
import struct
import sys
import tempfile
import threading
import time
import warnings
import weakref
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, NoReturn, Self, cast

import pyoxigraph

from lexurn.errors import CatalogueError, LexurnError
from lexurn.store.answers import ENGINE_FAULTS, Solutions, Triples, explain_faults
from lexurn.store.embedded import EmbeddedStore
from lexurn.store.endpoint import Endpoint
from lexurn.store.sparql import QueryForm, scan_query

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable, Collection, Iterator, Mapping

    from lexurn.store.answers import QueryAnswer, Store
    from lexurn.store.sparql import QueryScan

    Opener = Callable[[Mapping[str, object]], AbstractContextManager[Store]]
    Updater = Callable[[Mapping[str, object]], tuple[int, int]]

CAN_LIMIT_MEMORY: Final = importlib.util.find_spec("resource") is not None
"""True if this system can limit the memory of a process."""
NO_MEMORY_LIMIT: Final = "This system cannot limit the memory of a query. Only its time is limited."
REFUSED_CODE: Final = 3
"""Exit code of a child that wrote on standard error why it gives no answer."""

_MEGABYTE: Final = 1 << 20
_LONGEST_TIMEOUT: Final = min(366 * 24 * 3_600, threading.TIMEOUT_MAX)  # some systems wait no year
_LARGEST_MEMORY: Final = sys.maxsize // _MEGABYTE
_CHUNK: Final = 1 << 16
_PART: Final = struct.Struct(">I")
"""Size of a part of an answer, which stands before it."""
_MOST_IDLE: Final = 4
_OUT_OF_MEMORY: Final = ("memory allocation", "bad_alloc", "MemoryError", "out of memory")
_KILLED: Final = (-signal.SIGABRT, -9)  # Windows has no SIGKILL


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryTask:
    """Task of a child process.

    Attributes:
        location: the folder of the store or the catalogue; of a server, its URL for messages.
        text: the SPARQL.
        endpoint: the server; None for a folder.
        wait: seconds to wait for others that use the catalogue, beside those of the query.
        is_update: whether the text changes the catalogue.
    """

    location: str
    text: str
    endpoint: Endpoint | None = None
    wait: float = 0.0
    is_update: bool = False


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


class _Child:
    """Child process that answers queries on one store.

    Attributes:
        process: the process.
        memory: the megabytes that its queries may take; None for no limit.
        errors: its standard error.
    """

    def __init__(self, function: Callable[[], None], memory: int | None, *, is_copy: bool) -> None:
        """Start it.

        Args:
            function: serves its tasks.
            memory: the megabytes that its queries may take; None for no limit.
            is_copy: whether it is a copy of this process.

        Raises:
            OSError: the system has no room for it.
        """
        self.memory = memory
        with ExitStack() as stack:
            self.errors: IO[bytes] = stack.enter_context(tempfile.TemporaryFile())
            start = _ForkedProcess if is_copy else _start_interpreter
            self.process = start(function, self.errors)
            stack.callback(_end_process, self.process)
            self.close = weakref.finalize(self, stack.pop_all().close)

    def is_alive(self) -> bool:
        """Return whether the process of an interpreter still runs."""
        return cast("subprocess.Popen[bytes]", self.process).poll() is None

    def send(self, request: Mapping[str, object]) -> None:
        """Send a task; where the process is gone, the reader of its answer finds out why."""
        stream = cast("IO[bytes]", self.process.stdin)
        with suppress(OSError):
            stream.write(json.dumps(request).encode() + b"\n")
            stream.flush()

    def read_part(self) -> bytes | None:
        """Read the next part of an answer, empty at its end; None where the process is gone."""
        stream = cast("IO[bytes]", self.process.stdout)
        head = stream.read(_PART.size)
        size = _PART.unpack(head)[0] if len(head) == _PART.size else -1
        part = stream.read(size) if size >= 0 else b""
        return part if len(part) == size else None


class QueryProcess:
    """Answer of a child process to one query; a context manager, and a file of its bytes.

    The first part of the answer is its kind. An empty part says that it is whole.

    Attributes:
        has_more: whether the answer went on where it was cut.
    """

    def __init__(
        self,
        task: QueryTask,
        limits: QueryLimits,
        *,
        function: Callable[[], None] | None = None,
        may_fork: bool = False,
        idle: list[_Child] | None = None,
    ) -> None:
        """Start the process, or take one that is idle.

        Args:
            task: the task.
            limits: its limits.
            function: a function of a module that serves the task; None for `serve` alone.
            may_fork: whether the child may be a copy of this process, which has no store open.
            idle: processes that have the store open and no query. The one that answers joins them
                when its answer has been read. None to end it then.

        Raises:
            CatalogueError: no process can be started here.
        """
        is_copy = may_fork and _has_one_thread()
        if not is_copy and not sys.executable:
            raise CatalogueError("No process can be started here. Query without limits.")
        if limits.memory is not None and not CAN_LIMIT_MEMORY:
            warnings.warn(NO_MEMORY_LIMIT, RuntimeWarning, stacklevel=2)
        self._limits, self._idle = limits, idle
        self.has_more = False
        self._rest, self._lines = b"", limits.most
        self._is_done = self._is_whole = self._is_late = self._is_closed = False
        self._seconds = None if limits.timeout is None else limits.timeout + task.wait
        found: _Child | None = None
        with suppress(IndexError):  # another thread may have taken the last idle process
            while idle and found is None:
                child = idle.pop()
                if child.memory == limits.memory and child.is_alive():
                    found = child
                else:
                    child.close()
        try:
            self._child = found or _Child(function or serve, limits.memory, is_copy=is_copy)
        except OSError as fault:
            raise CatalogueError(f"No process can be started here: {fault.strerror}") from None
        memory = None if limits.memory is None else limits.memory * _MEGABYTE
        with self._time_limit():
            self._child.send({**asdict(task), "memory": memory, "seconds": limits.timeout})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the process, unless its answer is whole and it may wait for a further query."""
        if self._is_closed:
            return
        self._is_closed = True
        may_wait = self._is_whole and not self._is_late
        if may_wait and self._idle is not None and len(self._idle) < _MOST_IDLE:
            self._idle.append(self._child)
        else:
            self._child.close()

    def read_kind(self) -> str:
        """Read the kind, once: ``solutions``, ``boolean``, ``triples``; ``done`` of an update.

        Raises:
            CatalogueError: there is no answer; the message says why.
        """
        with self._time_limit():
            part = self._child.read_part()
        if part is None:
            raise CatalogueError(self._explain_end())
        kind = part.decode("ascii")
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
                piece = self._child.read_part()
            if piece is None:
                raise CatalogueError(self._explain_end())
            self._is_done = self._is_whole = not piece
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
            self._child.process.kill()

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
        code = self._child.process.wait()
        if self._is_late:
            return (
                f"The query took longer than {self._limits.timeout:g} seconds and was stopped. "
                "Reduce the query, or raise the limit (--timeout)."
            )
        stream = self._child.errors
        stream.seek(max(0, stream.seek(0, os.SEEK_END) - 4_000))
        errors = stream.read().decode(errors="replace")
        if code == REFUSED_CODE:
            return errors.rpartition("\0")[2]
        if "overflowed its stack" in errors or code == -signal.SIGSEGV:
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
        return len(list(Path("/proc/self/task").iterdir())) == 1 and hasattr(os, "fork")
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
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
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
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
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


def run_task(
    task: QueryTask,
    limits: QueryLimits,
    *,
    function: Callable[[], None] | None = None,
    may_fork: bool = False,
    idle: list[_Child] | None = None,
) -> QueryAnswer:
    """Return the answer of another process, read as it comes; the arguments are those of it."""
    process = QueryProcess(task, limits, function=function, may_fork=may_fork, idle=idle)
    stream = cast("IO[bytes]", process)
    try:
        with explain_faults(task.text):
            kind = process.read_kind()
        if kind == "boolean":
            with process:
                return bool(b"".join(iter(process.read, b"")))
        with explain_faults():
            if kind == "triples":
                found = pyoxigraph.parse(stream, pyoxigraph.RdfFormat.N_TRIPLES)
                return Triples((quad.triple for quad in found), process)
            rows = pyoxigraph.parse_query_results(stream, pyoxigraph.QueryResultsFormat.TSV)
            return Solutions(cast("pyoxigraph.QuerySolutions", rows), process)
    except BaseException:
        process.close()
        raise


ALLOWABLE: Final = ("update", "service")
"""Names of what a text does only if it is allowed."""

# Deeper or longer texts overflow the stack of an engine: they run in another process.
_DEEPEST: Final = 50
_MOST_TOKENS: Final = 2_000


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
    runs in another one, with the store opened there for reading. A store in memory has no limits.

    Args:
        store: the store; its default graph is all layers together, unless the text names its
            graphs with FROM.
        text: a SPARQL 1.1 query.
        allow: ``service`` for a query that asks other servers.
        timeout: seconds to wait for the answer, all together; a year at most.
        memory: whole megabytes for the query, beside the memory of the open store.

    Raises:
        CatalogueError: the text is not a query, does what is not allowed, or the engine refuses
            it; a limit is impossible, or the store is in memory; also raised while the answer is
            read, if it takes too long or too much memory.
    """
    found = check_query(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("This is an update, not a query. Use Catalogue.update.")
    is_small = found.depth <= _DEEPEST and found.size <= _MOST_TOKENS
    if timeout is None and memory is None and is_small:
        try:
            answer = store.query(text)
        except (CatalogueError, *ENGINE_FAULTS):
            with explain_faults(text):  # not around each query, since it takes time
                raise
        if isinstance(answer, pyoxigraph.QuerySolutions):
            return Solutions(answer)
        return bool(answer) if isinstance(answer, pyoxigraph.QueryBoolean) else Triples(answer)
    limits = QueryLimits(timeout=timeout, memory=memory)
    idle = None
    if isinstance(store, EmbeddedStore):
        if store.folder is None:
            raise CatalogueError(
                "A store in memory has no limits, and answers no query that is so long or so "
                "deeply nested. Query a catalogue in a folder."
            )
        idle = store.idle_processes
    task = QueryTask(location=store.location, text=text, endpoint=getattr(store, "endpoint", None))
    return run_task(task, limits, idle=idle)


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
            "This is an update, which changes the catalogue. Allow it with --allow update "
            'or, in Python, allow=["update"].'
        )
    if found.calls_out and "service" not in allow:
        raise CatalogueError(
            "This query contains the letters of SERVICE or LOAD, so an engine might call "
            "another server or read a file. Write them in two parts in a string, such as "
            'CONCAT("SERV", "ICE"), or allow it with --allow service.'
        )
    return found


# --- in the child process -------------------------------------------------------------

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
        output = os.fdopen(os.dup(1), "wb")
        os.dup2(2, 1)  # nothing that a library prints may get into the answer
        tasks: queue.SimpleQueue[dict[str, Any]] = queue.SimpleQueue()
        threading.Thread(target=_read_tasks, args=(tasks,), daemon=True).start()
        task = tasks.get()
        if update is not None and task["is_update"]:
            counts = json.dumps(update(task)).encode()
            _write_answer(output, "done", lambda stream: stream.write(counts))
        else:
            with (opened or _open_store)(task) as store:
                while True:
                    limit_resources(task)
                    _answer_query(store, str(task["text"]), output)
                    task = tasks.get()
    except BrokenPipeError:
        pass
    except MemoryError:
        code = _report(
            "The query takes more memory than is allowed. Reduce the query, or raise the limit "
            "(--memory)."
        )
    except LexurnError as fault:
        code = _report(str(fault))
    except BaseException as fault:  # noqa: BLE001 - a panic of the engine is no Exception
        code = _report(f"The query failed: {fault}")
    os._exit(code)  # the listening thread has nothing to put away


def _report(message: str) -> int:
    """Write why there is no answer, after a NUL; return the exit code that says so."""
    os.write(2, b"\0" + message.encode(errors="backslashreplace"))
    return REFUSED_CODE


class _PartWriter(io.RawIOBase):
    """Stream whose bytes are written in parts, each after its size."""

    def __init__(self, output: IO[bytes]) -> None:
        self._output = output

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        part = bytes(data)
        self._output.write(_PART.pack(len(part)) + part)
        self._output.flush()
        return len(part)


def _write_answer(output: IO[bytes], kind: str, write: Callable[[IO[bytes]], object]) -> None:
    """Write an answer in parts: its kind, its bytes, and an empty part."""
    parts = _PartWriter(output)
    parts.write(kind.encode())
    with io.BufferedWriter(parts, _CHUNK) as stream:
        write(stream)
        stream.flush()
        parts.write(b"")


def _answer_query(store: Store, text: str, output: IO[bytes]) -> None:
    found = store.query(text)
    if isinstance(found, pyoxigraph.QueryBoolean):
        _write_answer(output, "boolean", lambda stream: stream.write(b"1" if found else b""))
    elif isinstance(found, pyoxigraph.QuerySolutions):
        form = pyoxigraph.QueryResultsFormat.TSV
        _write_answer(output, "solutions", lambda stream: found.serialize(stream, form))
    else:
        triples = pyoxigraph.RdfFormat.N_TRIPLES
        _write_answer(
            output, "triples", lambda stream: pyoxigraph.serialize(found, stream, triples)
        )


@contextmanager
def _open_store(task: Mapping[str, object]) -> Iterator[Store]:
    """Open the store of a task for reading."""
    endpoint = task["endpoint"]
    if isinstance(endpoint, dict):
        from lexurn.store.remote import RemoteStore  # noqa: PLC0415 - needs an extra

        with closing(RemoteStore(Endpoint(**endpoint))) as remote:
            yield remote
        return
    with closing(EmbeddedStore(Path(str(task["location"])))) as store:
        yield store


def _read_tasks(tasks: queue.SimpleQueue[dict[str, Any]]) -> None:
    """Read tasks; end when the caller closes its end of standard input: nobody wants an answer."""
    with open(0, "rb", closefd=False) as request:  # `sys.stdin` may be the caller's
        for line in request:
            tasks.put(json.loads(line))
    os._exit(0)


def limit_resources(task: Mapping[str, object]) -> None:
    """Limit the memory and the processor time of this process for a query.

    The caller ends it when it is late; the limit of the processor time is for a caller that died.
    A system without such limits has the time limit alone.
    """
    if not CAN_LIMIT_MEMORY:  # pragma: no cover - not on every system
        return
    memory, seconds = task["memory"], task["seconds"]
    import resource  # noqa: PLC0415 - not on every system

    limits = {resource.RLIMIT_CORE: 0, resource.RLIMIT_CPU: _read_limit(resource.RLIMIT_CPU)}
    if isinstance(seconds, int | float):
        spent = int(time.process_time())
        limits[resource.RLIMIT_CPU] = spent + int(seconds) * (os.cpu_count() or 1) + _SPARE_SECONDS
    if isinstance(memory, int):
        limits[resource.RLIMIT_DATA] = memory + _measure_data()
    for kind, limit in limits.items():
        hard = resource.getrlimit(kind)[1]
        most = min(limit, sys.maxsize if hard == resource.RLIM_INFINITY else hard)
        resource.setrlimit(kind, (most, hard))


@cache
def _read_limit(kind: int) -> int:
    """Read a limit as it was before the first query."""
    import resource  # noqa: PLC0415 - as above

    return resource.getrlimit(kind)[0]


@cache
def _measure_data() -> int:
    """Measure the bytes of data of this process before its first query, 0 if nobody knows."""
    file = Path("/proc/self/status")
    status = file.read_text(encoding="ascii") if file.is_file() else ""
    held = re.search(r"^VmData:\s*([0-9]+) kB", status, re.MULTILINE)
    return int(held[1]) << 10 if held else 0
