"""Worker processes: module-level functions, called with arguments and results that can be pickled.

Each process is a fresh interpreter that reads tasks on its standard input and answers on its
standard output. So the way the caller was started and its threads do not matter, and the workers
end as soon as the caller dies.
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
from contextlib import contextmanager, suppress
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, NamedTuple, Self, TypeVar, cast

from lexurn.errors import LexurnError, WorkerError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

__all__ = ["Workers", "serve"]

_LENGTH = struct.Struct(">Q")
_START_CODE = "from lexurn.workers import serve; serve()"
_PIPE_SIZE = 1 << 18
_TASKS_AHEAD = 2
# The objects of a task are freed with its answer; frequent garbage collections cost a tenth of the
# time.
_GC_THRESHOLDS = 50_000, 50, 50
T = TypeVar("T")
_Task = TypeVar("_Task", bound=tuple[Any, ...])


class Workers:
    """Pool of worker processes; with a count of one, this process does the work itself."""

    def __init__(self, count: int) -> None:
        """Prepare the pool; processes start with the first tasks."""
        self._count = count if count > 1 and sys.executable else 1
        self._processes: list[subprocess.Popen[bytes]] = []
        self._questions: queue.SimpleQueue[_Question | None] = queue.SimpleQueue()
        self._gc_thresholds = gc.get_threshold()

    def __enter__(self) -> Self:
        self._gc_thresholds = gc.get_threshold()
        gc.set_threshold(*_GC_THRESHOLDS)
        return self

    def __exit__(self, *_: object) -> None:
        gc.set_threshold(*self._gc_thresholds)
        for process in self._processes:
            process.kill()
            self._questions.put(None)
        for process in self._processes:
            process.wait()
            for pipe in filter(None, (process.stdin, process.stdout)):
                with suppress(OSError):  # the other end may be closed, with bytes still in it
                    pipe.close()

    def map(self, function: Callable[..., T], tasks: Iterable[tuple[Any, ...]]) -> Iterator[T]:
        """Call a function for each task; return the results lazily, in the order of the tasks.

        Few tasks are read ahead. A single task runs in this process, where it is quicker.

        Raises:
            LexurnError: a task raised it, or a worker process ended during a task.
            RuntimeError: a task failed with another error; its traceback is in the message.
        """
        waiting = iter(tasks)
        first = list(islice(waiting, 2))
        if self._count == 1 or len(first) < 2:  # a single task
            yield from (function(*task) for task in chain(first, waiting))
            return
        answers: queue.SimpleQueue[_Answer] = queue.SimpleQueue()
        early: dict[int, _Answer] = {}
        asked = answered = 0
        for task in chain(first, waiting):
            self._start_one()
            self._questions.put(_Question(asked, function, task, answers))
            asked += 1
            if asked - answered >= self._count + _TASKS_AHEAD:
                yield _take_answer(answered, answers, early)
                answered += 1
        for number in range(answered, asked):
            yield _take_answer(number, answers, early)

    def map_with_tasks(
        self, function: Callable[..., T], tasks: Iterable[_Task]
    ) -> Iterator[tuple[_Task, T]]:
        """Call a function for each task, as `map`; return each task with its result."""
        waiting: deque[_Task] = deque()

        def list_tasks() -> Iterator[_Task]:
            for task in tasks:
                waiting.append(task)
                yield task

        for result in self.map(function, list_tasks()):
            yield waiting.popleft(), result

    def _start_one(self) -> None:
        if len(self._processes) == self._count:
            return
        search = os.pathsep.join(entry for entry in sys.path if entry)
        with _block_interrupts():
            process = subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
                [sys.executable, "-P", "-c", _START_CODE],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": search},
            )
        _widen_pipe(cast("IO[bytes]", process.stdout))
        self._processes.append(process)
        # Between threads, only queues of C: Ctrl-C inside `Condition`, so inside `Future.result`,
        # can leave its lock held for good, and the run would never end.
        threading.Thread(target=_ask, args=(process, self._questions), daemon=True).start()


class _Question(NamedTuple):
    """Task, its number in a call of `Workers.map`, and the queue that takes its answer."""

    number: int
    function: Callable[..., Any]
    task: tuple[Any, ...]
    answers: queue.SimpleQueue[_Answer]


class _Answer(NamedTuple):
    """Answer of a worker to a task, in bytes; the error where there is none."""

    number: int
    message: bytes | Exception


def _take_answer(
    number: int, answers: queue.SimpleQueue[_Answer], early: dict[int, _Answer]
) -> Any:
    """Return the result of a task; store the answers that arrive before it."""
    while number not in early:
        answer = answers.get()
        early[answer.number] = answer
    message = early.pop(number).message
    if isinstance(message, Exception):
        raise message
    # Read only now: as bytes, the answers that wait take a fraction of the memory.
    is_good, value = pickle.loads(message)  # noqa: S301 - written by our own process
    if not is_good:
        raise value
    return value


def _ask(process: subprocess.Popen[bytes], questions: queue.SimpleQueue[_Question | None]) -> None:
    """Give tasks to a process until there are no more."""
    while (question := questions.get()) is not None:
        message: bytes | Exception | None = None
        try:
            call = pickle.dumps((question.function, question.task), pickle.HIGHEST_PROTOCOL)
            with suppress(BrokenPipeError):
                _send_message(cast("IO[bytes]", process.stdin), call)
                message = _receive_message(cast("IO[bytes]", process.stdout))
        except Exception as fault:  # noqa: BLE001 - the caller of `map` raises it
            message = fault
        if message is None:
            message = WorkerError(
                "a worker process ended in the middle of a task (out of memory, or killed); try "
                "again, with fewer processes if memory is short"
            )
        question.answers.put(_Answer(question.number, message))


def _widen_pipe(pipe: IO[bytes]) -> None:
    """Let a pipe hold more, where the system can: large answers take less time."""
    with suppress(ImportError, OSError):  # not Linux, or the pipes of this user have a limit
        from fcntl import F_SETPIPE_SZ, fcntl  # noqa: PLC0415 - not on all systems

        fcntl(pipe.fileno(), F_SETPIPE_SZ, _PIPE_SIZE)


@contextmanager
def _block_interrupts() -> Iterator[None]:
    """Block Ctrl-C in processes started meanwhile: their caller decides if it needs all answers.

    They inherit the blocked signals, so there is no moment at which Ctrl-C would reach them.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _send_message(stream: IO[bytes], message: bytes) -> None:
    stream.write(_LENGTH.pack(len(message)))
    stream.write(message)
    stream.flush()


def _receive_message(stream: IO[bytes]) -> bytes | None:
    """Read the next message; return None at the end of the stream or of a broken message."""
    size = stream.read(_LENGTH.size)
    if len(size) < _LENGTH.size:
        return None
    (length,) = _LENGTH.unpack(size)
    message = stream.read(length)
    return message if len(message) == length else None


def serve() -> None:
    """Answer tasks until the standard input ends, at the latest when the caller dies."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.set_threshold(*_GC_THRESHOLDS)
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # output of libraries must not mix with the answers
    tasks: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_queue_tasks, args=(sys.stdin.buffer, tasks), daemon=True).start()
    while True:
        answer = _answer_task(tasks.get())
        try:
            _send_message(answers, answer)
        except OSError:
            os._exit(0)  # the caller is gone


def _queue_tasks(stream: IO[bytes], tasks: queue.SimpleQueue[bytes]) -> None:
    while (message := _receive_message(stream)) is not None:
        tasks.put(message)
    os._exit(0)  # the caller is gone, so a running task is pointless


def _answer_task(message: bytes) -> bytes:
    try:
        function, task = pickle.loads(message)  # noqa: S301 - written by our own caller
        return pickle.dumps((True, function(*task)), pickle.HIGHEST_PROTOCOL)
    except LexurnError as fault:
        with suppress(Exception):  # the constructor of an error may raise anything
            answer = pickle.dumps((False, fault))
            pickle.loads(answer)  # noqa: S301 - just written here
            return answer
        return pickle.dumps((False, LexurnError(str(fault))))
    except BaseException:  # noqa: BLE001 - every error is reported to the caller
        import traceback  # noqa: PLC0415 - only after an error

        return pickle.dumps((False, RuntimeError(traceback.format_exc())))
