"""Ctrl-C at any moment ends a run of several processes: no lock keeps it waiting."""

from __future__ import annotations

import operator
import random
import signal
from itertools import count

import pytest
from sizes import size

from lexurn.workers import Workers


def raise_once(*_: object) -> None:
    """Act as the second Ctrl-C of a command: the next ones are ignored."""
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    raise KeyboardInterrupt


def run_until_interrupted(seconds: float) -> None:
    """Do endless tasks, and interrupt them so many seconds after the first few."""
    with Workers(2) as workers:
        for result in workers.map(operator.add, ((number, 1) for number in count())):
            if result == 3:
                signal.setitimer(signal.ITIMER_REAL, seconds)


def test_an_interrupt_at_any_moment_ends_the_run() -> None:
    moments = random.Random(9676)
    before = signal.getsignal(signal.SIGALRM)
    try:
        for _ in range(size(40, 100)):
            signal.signal(signal.SIGALRM, raise_once)
            with pytest.raises(KeyboardInterrupt):
                run_until_interrupted(moments.uniform(0.0001, 0.01))
    finally:
        signal.signal(signal.SIGALRM, before)
