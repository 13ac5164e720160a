"""Real SPARQL servers on loopback, for tests: each a context manager that gives a URL.

Each server is this test's own: in memory or in a folder of its own, gone when the block ends.
"""

from __future__ import annotations

import contextlib
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["free_port", "oxigraph_server", "started", "virtuoso_server"]

_PATIENCE = 30
_VIRTUOSO = """
[Database]
DatabaseFile = {folder}/virtuoso.db
ErrorLogFile = {folder}/virtuoso.log
LockFile = {folder}/virtuoso.lck
TransactionFile = {folder}/virtuoso.trx
xa_persistent_file = {folder}/virtuoso.pxa
FileExtend = 200
Striping = 0
TempStorage = TempDatabase
[TempDatabase]
DatabaseFile = {folder}/temporary.db
TransactionFile = {folder}/temporary.trx
Striping = 0
[Parameters]
ServerPort = 127.0.0.1:{sql_port}
DisableUnixSocket = 1
CaseMode = 2
NumberOfBuffers = 10000
MaxDirtyBuffers = 6000
DirsAllowed = {folder}
ThreadsPerQuery = 2
[HTTPServer]
ServerPort = 127.0.0.1:{port}
ServerRoot = {folder}
MaxClientConnections = 10
ServerThreads = 10
MaxKeepAlives = 10
KeepAliveTimeout = 10
Charset = UTF-8
[SPARQL]
ResultSetMaxRows = {rows}
MaxQueryExecutionTime = 60
"""


@contextlib.contextmanager
def oxigraph_server(location: Path | None = None, *options: str) -> Iterator[str]:
    """The URL of the query endpoint of a new Oxigraph server (``/update``, ``/store`` beside it).

    Args:
        location: the folder of its data; None for a store in memory.
        options: further options of ``oxigraph serve``.
    """
    program = _program("oxigraph")
    if program is None:
        pytest.skip("no program oxigraph here: pip install oxigraph")
    kept = () if location is None else ("--location", str(location))

    def command(port: int) -> Sequence[str]:
        return (program, "serve", "--bind", f"127.0.0.1:{port}", *kept, *options)

    with started(command) as port:
        yield f"http://127.0.0.1:{port}/query"


@contextlib.contextmanager
def virtuoso_server(folder: Path, *, rows: int = 10_000) -> Iterator[str]:
    """The base URL of a new Virtuoso server, which user ``dba`` with password ``dba`` may write.

    Args:
        folder: a new folder for its data and settings.
        rows: how many rows an answer has at most.
    """
    program = _program("virtuoso-t")
    if program is None:
        pytest.skip("no program virtuoso-t here: apt-get install virtuoso-opensource-7")
    folder.mkdir(parents=True)

    def command(port: int) -> Sequence[str]:
        settings = folder / "virtuoso.ini"
        text = _VIRTUOSO.format(folder=folder, port=port, sql_port=free_port(), rows=rows)
        settings.write_text(text, encoding="utf-8")
        return (program, "-f", "-c", str(settings))

    with started(command, cwd=folder) as port:
        yield f"http://127.0.0.1:{port}"


@contextlib.contextmanager
def started(command: Callable[[int], Sequence[str]], cwd: Path | None = None) -> Iterator[int]:
    """The port on which a server that was just started answers; another one may take a port first.

    Args:
        command: the command that starts it on a port.
        cwd: where it is started.
    """
    for _ in range(5):
        port = free_port()
        with subprocess.Popen(
            command(port), cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            try:
                if _answers(process, port):
                    yield port
                    return
            finally:
                process.kill()
    raise RuntimeError(f"{command(0)[0]} did not start")


def free_port() -> int:
    """A port on which nobody listens now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
    return port


def _answers(process: subprocess.Popen[bytes], port: int) -> bool:
    """Whether a process comes to answer on its port; False where it ends before."""
    end = time.monotonic() + _PATIENCE
    while time.monotonic() < end and process.poll() is None:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                return True
        except urllib.error.HTTPError as answer:
            answer.close()
            return True
        except OSError:
            time.sleep(0.02)
    return False


def _program(name: str) -> str | None:
    """A program of this environment, else one on the path."""
    beside = Path(sys.executable).with_name(name)
    return str(beside) if beside.is_file() else shutil.which(name)
