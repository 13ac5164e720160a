"""Ctrl-C: once, a run ends in good order; twice, at once."""

from __future__ import annotations

import signal
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["INTERRUPTED", "interruptible"]

INTERRUPTED: Final = 130
"""The exit code of a run that was ended by Ctrl-C, as shells have it."""


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Tells whether Ctrl-C was pressed; when it is pressed again, that is a `KeyboardInterrupt`.

    A run that was started so that Ctrl-C means nothing to it stays so.
    """
    asked = threading.Event()

    def ask(_number: int, _frame: object) -> None:
        if asked.is_set():
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # until all is tidy
            raise KeyboardInterrupt
        asked.set()

    is_main = threading.current_thread() is threading.main_thread()
    before = signal.getsignal(signal.SIGINT)
    if not is_main or before is signal.SIG_IGN:
        yield asked.is_set
        return
    signal.signal(signal.SIGINT, ask)
    try:
        yield asked.is_set
    finally:
        signal.signal(signal.SIGINT, before)
