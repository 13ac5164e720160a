"""Processes that work for a run: in order, honest about faults, gone when their caller is."""

from __future__ import annotations

import math
import operator
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lexurn.errors import GraphError, LexurnError, WorkerError
from lexurn.graph import Format
from lexurn.name import parse
from lexurn.workers import Workers


@pytest.mark.parametrize("count", [1, 2, 3])
def test_results_come_in_the_order_of_the_tasks(count: int) -> None:
    with Workers(count) as workers:
        found = list(workers.map(math.factorial, ((n,) for n in range(40))))
        again = list(workers.map(operator.add, ((n, 1) for n in range(3))))
    assert found == [math.factorial(n) for n in range(40)]
    assert again == [1, 2, 3]


@pytest.mark.parametrize("count", [1, 2])
def test_tasks_come_with_their_results(count: int) -> None:
    with Workers(count) as workers:
        found = list(workers.map_with_tasks(math.factorial, ((n,) for n in range(20))))
    assert found == [((n,), math.factorial(n)) for n in range(20)]


def test_tasks_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def tasks() -> object:
        for number in range(100):
            taken.append(number)
            yield (number,)

    with Workers(2) as workers:
        results = workers.map(math.factorial, tasks())  # type: ignore[arg-type]
        next(results)
        assert len(taken) < 10


def test_one_task_is_done_here() -> None:
    with Workers(2) as workers:
        assert list(workers.map(os.getpid, [()])) == [os.getpid()]
        assert set(workers.map(os.getpid, [()] * 5)).isdisjoint({os.getpid()})


def test_a_terminal_reaches_the_caller_alone() -> None:
    asked = (signal.SIG_BLOCK, ())
    with Workers(2) as workers:
        found = list(workers.map(signal.pthread_sigmask, [asked] * 5))
    assert all(signal.SIGINT in each for each in found)
    assert signal.SIGINT not in signal.pthread_sigmask(*asked)


@pytest.mark.parametrize("count", [1, 2])
def test_an_error_of_ours_comes_back_as_one_of_ours(count: int) -> None:
    tasks = [("urn:lex:it:stato:legge:2000-01-01;1",), ("urn:lex:nonsense",)]
    with Workers(count) as workers, pytest.raises(LexurnError, match="LX"):
        list(workers.map(parse, tasks))


def test_an_error_that_can_travel_keeps_its_kind() -> None:
    tasks = [("nt",), ("no such format",)]
    with Workers(2) as workers, pytest.raises(GraphError, match="no such format"):
        list(workers.map(Format.from_name, tasks))


def test_another_error_comes_back_with_its_trace() -> None:
    tasks = [(1, 1), (1, 0)]
    with Workers(2) as workers, pytest.raises(RuntimeError, match="ZeroDivisionError"):
        list(workers.map(operator.truediv, tasks))


def test_what_a_library_prints_does_not_disturb() -> None:
    with Workers(2) as workers:
        assert list(workers.map(print, [("x",), ("y",)])) == [None, None]


def test_a_worker_that_is_gone_is_told() -> None:
    with Workers(2) as workers, pytest.raises(WorkerError, match="ended in the middle"):
        list(workers.map(os._exit, [(3,), (3,)]))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system cannot kill outright")
def test_workers_end_with_their_caller() -> None:
    script = (
        "import os, time\n"
        "from lexurn.workers import Workers\n"
        "with Workers(2) as workers:\n"
        "    for pid in workers.map(os.getpid, [()] * 8):\n"
        "        print(pid, flush=True)\n"
        "    list(workers.map(time.sleep, [(60,)] * 2))\n"
    )
    path = os.pathsep.join(filter(None, sys.path))
    with subprocess.Popen(
        [sys.executable, "-c", script],
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": path},
    ) as caller:
        assert caller.stdout is not None
        workers = {int(caller.stdout.readline()) for _ in range(8)}
        caller.send_signal(signal.SIGKILL)
        caller.wait()
    end = time.monotonic() + 20
    while any(map(_lives, workers)) and time.monotonic() < end:
        time.sleep(0.05)
    assert not [pid for pid in workers if _lives(pid)]


def _lives(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2]
        return state.split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_worker_whose_answer_nobody_takes_ends_without_a_word() -> None:
    start = [sys.executable, "-c", "from lexurn.workers import serve; serve()"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    task = pickle.dumps((operator.mul, (b"answer", 1 << 20)))
    with subprocess.Popen(start, **pipes) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        process.stdin.write(len(task).to_bytes(8, "big") + task)
        process.stdin.flush()
        assert process.stderr.read() == b""
        assert process.wait(60) == 0
