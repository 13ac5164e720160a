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

__all__ = ["free_port", "oxigraph_server", "started"]

_PATIENCE = 30


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
