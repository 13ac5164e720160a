"""How figures are taken: side by side in one run, medians, on whatever machine this is."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = [
    "Figure",
    "Run",
    "Sizes",
    "alternately",
    "ended",
    "ratio",
    "run_command",
    "seconds",
    "timed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sizes:
    """How much is measured, and how often.

    Attributes:
        rows: rows of the manifest that becomes N-Quads.
        triples: triples of the graph that becomes Turtle (and twice as many).
        documents: documents that are validated.
        works: works of the catalogue.
        memory: rows of the two manifests whose peak memory is compared.
        acts: acts of the site that is compared with a plain loop.
        versions: versions of the two acts that are compared.
        runs: runs of which the median counts.
        heavy_runs: the same for what takes seconds or minutes.
    """

    rows: int
    triples: int
    documents: int
    works: int
    memory: tuple[int, int]
    acts: int
    versions: tuple[int, int]
    runs: int
    heavy_runs: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """One line of the table: two measures, their ratio, and what it should be.

    Attributes:
        what: what is measured.
        ours: the measure of lexurn, with its unit.
        other: the measure beside it, with its unit.
        value: the ratio, or the measure that has an aim of its own.
        aim: what it should be, in words.
        met: whether it is; None where there is no aim.
    """

    what: str
    ours: str
    other: str
    value: str
    aim: str = ""
    met: bool | None = None


def timed(work: Callable[[], object], clock: Callable[[], float] = time.perf_counter) -> float:
    """Seconds that one call takes."""
    start = clock()
    work()
    return clock() - start


def alternately(
    runs: int, *works: Callable[[], object], clock: Callable[[], float] = time.perf_counter
) -> tuple[float, ...]:
    """Return the median seconds of each task; the tasks alternate, so that drift affects all."""
    taken = [[timed(work, clock) for work in works] for _ in range(runs)]
    return tuple(statistics.median(column) for column in zip(*taken, strict=True))


def ratio(
    what: str, ours: float, other: float, *, most: float | None = None, least: float | None = None
) -> Figure:
    """Return a line that compares two times: ``most`` bounds ours/other, ``least`` other/ours."""
    met: bool | None = None
    value, aim = f"{ours / other:.2f}", ""
    if least is not None:
        value, aim, met = f"{other / ours:.1f}x", f">= {least:g}x faster", other / ours >= least
    elif most is not None:
        aim, met = f"<= {most:g}", ours / other <= most
    return Figure(
        what=what, ours=seconds(ours), other=seconds(other), value=value, aim=aim, met=met
    )


def seconds(value: float) -> str:
    """Format a time."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value / 1e-6:.3g} us"


def ended(command: Sequence[str]) -> str:
    """Return the output of a command; raise with its messages if it fails."""
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    if run.returncode:
        raise SystemExit(f"{' '.join(command)}\n{run.stderr}")
    return run.stdout


class Run(NamedTuple):
    """Process time, peak memory and output of one command."""

    seconds: float
    megabytes: float
    bytes: int


def run_command(*arguments: str) -> Run:
    """Run a command of lexurn; count what it prints and the files that it writes."""
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen([sys.executable, "-m", "lexurn", *arguments], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        printed = out.seek(0, 2)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"lexurn {' '.join(arguments)} failed")
    written = sum(
        each.stat().st_size
        for option, folder in pairwise(arguments)
        if option in {"--out", "--catalogue"}
        for each in Path(folder).rglob("*")
        if each.is_file()
    )
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, printed + written)
