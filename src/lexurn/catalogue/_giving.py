"""Things given to a store one after the other, while the next ones are made."""

from __future__ import annotations

import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["give"]

T = TypeVar("T")
_AHEAD: Final = 10
"""What is built while a store takes in a portion of ten."""


def give(made: Iterable[T], take: Callable[[T], None]) -> None:
    """Give each of some things to the store, in their order, while the next ones are made."""
    under_way: deque[Future[None]] = deque()
    stopped = threading.Event()

    def taken(each: T) -> None:
        # What a store could not take in whole is done again first, before anything else comes.
        if not stopped.is_set():
            stopped.set()
            take(each)
            stopped.clear()

    with ThreadPoolExecutor(1) as writer:
        try:
            for each in made:
                if len(under_way) == _AHEAD:
                    under_way.popleft().result()
                under_way.append(writer.submit(taken, each))
            while under_way:
                under_way.popleft().result()
        except BaseException:
            writer.shutdown(cancel_futures=True)
            raise
