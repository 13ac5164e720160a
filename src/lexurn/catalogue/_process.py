"""The process that a query runs in: started, listened to, ended when it takes too long."""

from __future__ import annotations

import json
import os
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from contextlib import ExitStack, contextmanager, suppress
from typing import IO, TYPE_CHECKING, Final, Self

from lexurn.catalogue._process_task import MEGABYTE
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from lexurn.catalogue._process_task import Limits, Task

__all__ = ["FRAME", "QueryProcess"]

FRAME: Final = struct.Struct(">cI")
"""In front of each piece of an answer: what it is, and how long."""

_START: Final = "from lexurn.catalogue._process_side import serve; serve()"
_KINDS: Final = {b"S": "solutions", b"B": "boolean", b"T": "triples", b"U": "done"}
_TOLD: Final = 4_000
_SHORTEST_PAUSE: Final = 0.01
_OUT_OF_MEMORY: Final = ("memory allocation", "bad_alloc", "MemoryError", "out of memory")
_KILLED: Final = (-signal.SIGABRT, -9)  # Windows has no SIGKILL
_STACK: Final = ("overflowed its stack",)


class QueryProcess:
    """A process that answers one query; a context manager, and a file of the answer's bytes.

    Attributes:
        has_more: whether the answer went on where it was cut.
    """

    def __init__(self, task: Task, limits: Limits, quads: Iterable[bytes] = ()) -> None:
        """Start the process.

        Args:
            task: what it does.
            limits: what it may take.
            quads: pieces of N-Quads that it is sent first, for a task of ``quads``.

        Raises:
            CatalogueError: no process can be started here.
        """
        if not sys.executable:
            raise CatalogueError("no process can be started here; ask without limits")
        self._limits = limits
        self.has_more = False
        self._kind: str | None = None
        self._rest, self._is_done, self._lines = b"", False, limits.most
        self._open = ExitStack()
        try:
            self._told: IO[bytes] = self._open.enter_context(tempfile.TemporaryFile())  # noqa: SIM115 - closed with all else
            self._process = _started(self._told)
        except OSError as fault:
            self._open.close()
            raise CatalogueError(f"no process can be started here: {fault.strerror}") from None
        self._open.callback(_end, self._process)
        seconds = None if limits.timeout is None else limits.timeout + task.wait
        self._watch = _Watch(self._process, seconds)
        self._open.callback(self._watch.stop)
        self._finish = weakref.finalize(self, self._open.close)
        # Threads know the process, not this object: who forgets it ends the process.
        self._sender = threading.Thread(
            target=_send, args=(self._process, _asked(task, limits), quads), daemon=True
        )
        self._sender.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._sender.join()
        self._finish()

    def kind(self) -> str:
        """What it gives: ``solutions``, ``boolean``, ``triples``; ``done`` of an update.

        Raises:
            CatalogueError: it gives nothing: the message says why.
        """
        if self._kind is None:
            mark, self._rest = self._frame()
            self._kind = _KINDS[mark]
            if self._lines is not None and self._kind == "solutions":
                self._lines += 1  # the line of column names
        return self._kind

    def read(self, size: int = -1) -> bytes:
        """The next bytes of the answer, none at its end.

        Raises:
            CatalogueError: it broke off: the message says why.
        """
        while not self._rest and not self._is_done:
            mark, piece = self._frame()
            if mark == b"Z":
                self._is_done = True
            else:
                self._rest = self._cut(piece)
        size = len(self._rest) if size < 0 else size
        piece, self._rest = self._rest[:size], self._rest[size:]
        if self._is_done and not self._rest:
            self.close()
        return piece

    def _cut(self, piece: bytes) -> bytes:
        """A piece up to the last line that is asked for."""
        if self._lines is None:
            return piece
        if self._lines > piece.count(b"\n"):
            self._lines -= piece.count(b"\n")
            return piece
        wanted = b"".join(piece.splitlines(keepends=True)[: self._lines]) if self._lines else b""
        self._lines -= wanted.count(b"\n")
        self.has_more = self._is_done = len(wanted) < len(piece)
        return wanted

    def _frame(self) -> tuple[bytes, bytes]:
        """The next piece of what the process says.

        Raises:
            CatalogueError: the process says that something is wrong, or is gone.
        """
        with self._watch.waiting():
            mark, piece = self._received()
        if mark == b"E":
            raise CatalogueError(piece.decode(errors="replace"))
        return mark, piece

    def _received(self) -> tuple[bytes, bytes]:
        stream = self._process.stdout
        head = b"" if stream is None else stream.read(FRAME.size)
        if stream is not None and len(head) == FRAME.size:
            mark, length = FRAME.unpack(head)
            piece = stream.read(length)
            if len(piece) == length:
                return mark, piece
        raise CatalogueError(self._obituary())

    def _obituary(self) -> str:
        """Why the process is gone."""
        if self._watch.is_late:
            return (
                f"the query took longer than {self._limits.timeout:g} seconds and was stopped; "
                "ask for less, or allow it more time"
            )
        code = self._process.wait()
        self._told.seek(max(0, self._told.seek(0, os.SEEK_END) - _TOLD))
        told = self._told.read().decode(errors="replace")
        if any(word in told for word in _STACK) or code == -signal.SIGSEGV:
            return "the query is too long or too deeply nested for the engine; make it simpler"
        if any(word in told for word in _OUT_OF_MEMORY) or code in _KILLED:
            most = self._limits.memory
            limit = "there is" if most is None else f"{most} megabytes"
            return f"the query takes more memory than {limit}; ask for less, or allow it more"
        return f"the process of the query ended (code {code}) without an answer"


class _Watch:
    """What ends a process that is waited for too long, in one thread however often that is.

    Attributes:
        is_late: whether it did.
    """

    def __init__(self, process: subprocess.Popen[bytes], seconds: float | None) -> None:
        self.is_late = False
        self._process, self._left = process, seconds
        self._late_at: float | None = None
        self._is_over = threading.Event()
        if seconds is not None:
            threading.Thread(target=self._look, args=(seconds,), daemon=True).start()

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Somebody waits for the process: of the time there is, this counts."""
        if self._left is None:
            yield
            return
        late_at = self._late_at = time.monotonic() + self._left
        try:
            yield
        finally:
            self._left = late_at - time.monotonic()
            self._late_at = None

    def stop(self) -> None:
        """Nobody waits any more."""
        self._is_over.set()

    def _look(self, pause: float) -> None:
        """Look after the process whenever its time may be over; till then it cannot be."""
        while not self._is_over.wait(min(max(pause, _SHORTEST_PAUSE), threading.TIMEOUT_MAX)):
            late_at, left = self._late_at, self._left or 0.0
            pause = left if late_at is None else late_at - time.monotonic()
            if pause <= 0:
                self.is_late = True
                self._process.kill()
                return


def _asked(task: Task, limits: Limits) -> bytes:
    """A task as a line."""
    asked = {
        "how": task.how,
        "place": task.place,
        "text": task.text,
        "endpoint": task.endpoint,
        "may_call": task.may_call,
        "wait": task.wait,
        "memory": None if limits.memory is None else limits.memory * MEGABYTE,
        "seconds": limits.timeout,
    }
    return json.dumps(asked).encode() + b"\n"


def _send(process: subprocess.Popen[bytes], asked: bytes, quads: Iterable[bytes]) -> None:
    """Tell the process what to do; its standard input then stays open as long as it is wanted.

    A process that ends before it has read all is asked why by whoever reads its answer.
    """
    stream = process.stdin
    if stream is None:  # pragma: no cover - it is a pipe
        return
    with suppress(OSError, ValueError):
        stream.write(asked)
        for piece in quads:
            stream.write(FRAME.pack(b"Q", len(piece)) + piece)
        stream.write(FRAME.pack(b"Z", 0))
        stream.flush()


def _started(told: IO[bytes]) -> subprocess.Popen[bytes]:
    search = os.pathsep.join(entry for entry in sys.path if entry)
    return subprocess.Popen(  # noqa: S603 - our own interpreter and our own code
        [sys.executable, "-P", "-c", _START],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=told,
        env={**os.environ, "PYTHONPATH": search},
    )


def _end(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            with suppress(OSError):
                pipe.close()
