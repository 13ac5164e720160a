"""Whole processes: the cold start of one command, and the peak memory of a long run.

Run by itself (``processes.py MANIFEST``) it turns a manifest into validated N-Quads and prints the
highest amount of memory that it held, in kilobytes.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Figure, alternately, ended, seconds
from tables import AS_OF, write_manifest

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
_MOST_SECONDS = 0.1
_MOST_MEGABYTES = 300
_FLAT = 1.3


def start(sizes: Sizes) -> list[Figure]:
    """Compare ``lexurn parse NAME`` with a Python process that does nothing."""
    ours, empty = alternately(
        sizes.runs,
        lambda: ended([sys.executable, "-m", "lexurn", "parse", _NAME]),
        lambda: ended([sys.executable, "-c", "pass"]),
    )
    return [
        Figure(
            what="cold start of `lexurn parse NAME` / `python -c pass`",
            ours=seconds(ours),
            other=seconds(empty),
            value=f"{ours / empty:.1f}",
            aim="< 0.1 s",
            met=ours < _MOST_SECONDS,
        )
    ]


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
