"""Work spread over processes: functions of modules, arguments and results that can be pickled.

Each process is a fresh interpreter that reads tasks on its standard input and answers on its
standard output. So nothing depends on how the caller's own program was started or whether it has
threads, and when the caller dies, however suddenly, its workers end at once.
"""

from __future__ import annotations

import gc
import os
import pickle
import queue
import signal
import struct
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, Self, TypeVar

from lexurn.errors import LexurnError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from concurrent.futures import Future
    from types import TracebackType

__all__ = ["Workers", "serve"]

_SIZE = struct.Struct(">Q")
_START = "from lexurn.workers import serve; serve()"
_AHEAD = 2
_SELDOM = 50_000
T = TypeVar("T")


class Workers:
    """Some processes that work for this one; with a count of one, this one does it itself."""

    def __init__(self, count: int) -> None:
        self._count = count if count > 1 and sys.executable else 1
        self._idle: queue.SimpleQueue[subprocess.Popen[bytes]] = queue.SimpleQueue()
        self._processes: list[subprocess.Popen[bytes]] = []
        self._threads = ThreadPoolExecutor(self._count) if self._count > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._processes:
            process.kill()
        if self._threads is not None:
            self._threads.shutdown(cancel_futures=True)
        for process in self._processes:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    _close(pipe)

    def map(self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """The results of ``function`` for each task, in order; few tasks are under way at a time.

        A single task is done here: it would not pay to start a process for it.

        Raises:
            LexurnError: what a task raised, or a worker ended in the middle of its work.
            RuntimeError: a task broke down; its trace is in the message.
        """
        waiting = iter(tasks)
        first = list(islice(waiting, 2))
        if self._threads is None or len(first) < 2:  # noqa: PLR2004 - one is no crowd
            yield from (function(*task) for task in chain(first, waiting))
            return
        under_way: deque[Future[T]] = deque()
        for task in chain(first, waiting):
            self._start_one()
            under_way.append(self._threads.submit(self._call, function, task))
            if len(under_way) >= self._count + _AHEAD:
                yield under_way.popleft().result()
        while under_way:
            yield under_way.popleft().result()

    def _start_one(self) -> None:
        if len(self._processes) == self._count:
            return
        search = os.pathsep.join(entry for entry in sys.path if entry)
        with _deaf_to_interrupts():
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
                [sys.executable, "-P", "-c", _START],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": search},
            )
        self._processes.append(process)
        self._idle.put(process)

    def _call(self, function: Callable[..., T], task: tuple[Any, ...]) -> T:
        process = self._idle.get()
        try:
            answer = _ask(process, pickle.dumps((function, task), pickle.HIGHEST_PROTOCOL))
        finally:
            self._idle.put(process)
        good, value = pickle.loads(answer)  # noqa: S301 - written by our own process
        if not good:
            raise value
        result: T = value
        return result


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes that are started meanwhile never hear Ctrl-C: their caller may want all answers.

    They inherit what is blocked here, so that there is no moment at which they would hear it.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _ask(process: subprocess.Popen[bytes], question: bytes) -> bytes:
    if process.stdin is None or process.stdout is None:  # pragma: no cover - both are pipes
        raise RuntimeError("a worker has no pipes")
    try:
        _send(process.stdin, question)
        answer = _receive(process.stdout)
    except BrokenPipeError:
        answer = None
    if answer is None:
        raise WorkerError(
            "a process ended in the middle of its work (out of memory, or killed); run it again, "
            "with fewer processes if memory is short"
        )
    return answer


def _close(pipe: IO[bytes]) -> None:
    """Close a pipe whose other end may be gone, with bytes still in it."""
    with ExitStack() as stack:
        stack.push(lambda kind, _fault, _trace: kind is not None and issubclass(kind, OSError))
        pipe.close()


def _send(stream: IO[bytes], message: bytes) -> None:
    stream.write(_SIZE.pack(len(message)))
    stream.write(message)
    stream.flush()


def _receive(stream: IO[bytes]) -> bytes | None:
    """The next message, None at the end of the stream or in the middle of a message."""
    size = stream.read(_SIZE.size)
    if len(size) < _SIZE.size:
        return None
    (length,) = _SIZE.unpack(size)
    message = stream.read(length)
    return message if len(message) == length else None


def serve() -> None:
    """Be a worker until the standard input ends (which it does when the caller dies)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # What a task makes is gone when it is answered; to look for circles in it again and again takes
    # a tenth of the time.
    gc.set_threshold(_SELDOM, 50, 50)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that a library prints may get among the answers
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        answer = _answer(tasks.get())
        try:
            _send(answers, answer)
        except OSError:
            os._exit(0)  # nobody is there any more to answer to


def _listen(stream: IO[bytes], tasks: queue.SimpleQueue[bytes]) -> None:
    while (message := _receive(stream)) is not None:
        tasks.put(message)
    os._exit(0)  # whatever is under way has nobody to answer to


def _answer(message: bytes) -> bytes:
    try:
        function, task = pickle.loads(message)  # noqa: S301 - written by our own caller
        return pickle.dumps((True, function(*task)), pickle.HIGHEST_PROTOCOL)
    except LexurnError as fault:
        return pickle.dumps((False, _portable(fault)))
    except BaseException:  # noqa: BLE001 - the caller is told, whatever it is
        import traceback  # noqa: PLC0415 - only where something is wrong

        return pickle.dumps((False, RuntimeError(traceback.format_exc())))


def _portable(fault: LexurnError) -> LexurnError:
    """The error itself if it survives the way to the caller, else its words."""
    try:
        pickle.loads(pickle.dumps(fault))  # noqa: S301 - written right here
    except Exception:  # noqa: BLE001 - an error's own constructor may raise anything
        return LexurnError(str(fault))
    return fault
