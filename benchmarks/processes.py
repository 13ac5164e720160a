"""Whole processes: the cold start of one command, and the peak memory of a long run.

Run by itself (``processes.py MANIFEST``) it turns a manifest into validated N-Quads and prints the
highest amount of memory that it held, in kilobytes.
"""

from __future__ import annotations

import os
import resource
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Figure, ended, ratio, run_command
from tables import AS_OF, names, write_manifest

from lexurn.graph import nquads_of
from lexurn.manifest import open_manifest
from lexurn.shacl import check_families

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from measure import Sizes

    from lexurn.model import Family

__all__ = ["memory", "start"]

_NAME = "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it$gazette.example:application-pdf;1.7"
_CHUNK = 1_000
_COLD_RUNS = 20
_MOST_MEGABYTES = 300
_FLAT = 1.3


def start(_sizes: Sizes) -> list[Figure]:
    """Compare commands with a Python process that does nothing: the least processor time."""
    with tempfile.TemporaryDirectory() as folder:
        table, law = write_manifest(Path(folder, "acts.csv"), 100), str(Path(folder, "law"))
        run_command("catalogue", "load", str(table), "--catalogue", law, "--quiet")
        commands = {
            "parse NAME": (5, ("parse", _NAME)),
            "resolve NAME": (10, ("resolve", names(1)[0], "--catalogue", law)),
            "catalogue query NAME": (
                10,
                ("catalogue", "query", "acts-in-force", "--catalogue", law),
            ),
        }
        tasks = [("-c", "pass"), *(("-m", "lexurn", *task) for _, task in commands.values())]
        taken = [[_measure_processor(task) for task in tasks] for _ in range(_COLD_RUNS)]
    empty, *ours = map(min, zip(*taken, strict=True))
    return [
        ratio(f"cold start of `lexurn {what}` / `python -c pass`", own, empty, most=most)
        for own, (what, (most, _)) in zip(ours, commands.items(), strict=True)
    ]


def _measure_processor(arguments: Iterable[str]) -> float:
    """Return the processor's seconds of a Python process and of those that it starts."""
    process = subprocess.Popen([sys.executable, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"python {' '.join(arguments)} failed")
    return usage.ru_utime + usage.ru_stime


def memory(sizes: Sizes) -> list[Figure]:
    """Compare the peak memory of manifest -> validated N-Quads at two lengths."""
    small, large = (_peak(rows, sizes.heavy_runs) for rows in sizes.memory)
    few, many = sizes.memory
    what = "peak memory of a manifest as validated N-Quads"
    return [
        Figure(
            what=f"{what}, {many:,} rows",
            ours=f"{large:.0f} MB",
            other="",
            value="",
            aim=f"< {_MOST_MEGABYTES} MB",
            met=large < _MOST_MEGABYTES,
        ),
        Figure(
            what=f"{what}, {many:,} rows / {few:,}",
            ours=f"{large:.0f} MB",
            other=f"{small:.0f} MB",
            value=f"{large / small:.2f}",
            aim=f"flat: <= {_FLAT:g}",
            met=large / small <= _FLAT,
        ),
    ]


def _peak(rows: int, runs: int) -> float:
    with tempfile.TemporaryDirectory() as folder:
        table = write_manifest(Path(folder, "acts.csv"), rows)
        command = [sys.executable, __file__, str(table)]
        return statistics.median(int(ended(command)) / 1024 for _ in range(runs))


def _chunks(families: Iterable[Family]) -> Iterator[list[Family]]:
    """Families in chunks of about so many names, as `publish` checks them."""
    chunk: list[Family] = []
    size = 0
    for family in families:
        chunk.append(family)
        size += len(family.records)
        if size >= _CHUNK:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _publish(table: Path) -> None:
    with open_manifest(table) as manifest, table.with_suffix(".nq").open("wb") as out:
        for chunk in _chunks(manifest.families()):
            check_families(chunk, as_of=AS_OF)
            for family in chunk:
                out.write(nquads_of(family, as_of=AS_OF))


def _main(table: Path) -> None:
    _publish(table)
    print(_peak_of_this_process())


def _peak_of_this_process() -> int:
    status = Path("/proc/self/status")
    if status.is_file():
        lines = status.read_text(encoding="ascii", errors="replace").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith("VmHWM"))
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


if __name__ == "__main__":
    _main(Path(sys.argv[1]))
