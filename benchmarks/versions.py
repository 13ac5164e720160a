"""Long acts: what ``describe``, ``load`` and ``publish`` take for an act with many versions.

Run by itself (``versions.py 1000 2000``) it prints quads, bytes, seconds and peak memory for acts
with so many versions.
"""

from __future__ import annotations

import datetime as dt
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from measure import Figure, run_command, seconds

from lexurn.graph import nquads_of
from lexurn.manifest import open_manifest

if TYPE_CHECKING:
    from measure import Run, Sizes

__all__ = ["versions", "write_act"]

_ACT = "urn:lex:it:stato:legge:1900-01-01;1"
_AS_OF = dt.date(2024, 1, 1)
_MOST_MEGABYTES = 300
_LINEAR = 1.2


def versions(sizes: Sizes) -> list[Figure]:
    """Compare the time and the output of each version of two acts, a short and a long one."""
    (few, short), (many, long) = ((count, _run_all(count)) for count in sizes.versions)
    figures = []
    for name, run in long.items():
        one, other = run.seconds / many, short[name].seconds / few
        size, smaller = run.bytes / many, short[name].bytes / few
        figures += [
            Figure(
                what=f"`{name}`: time of a version, {many:,} of one act / {few:,}",
                ours=seconds(one),
                other=seconds(other),
                value=f"{one / other:.2f}",
                aim=f"linear: <= {_LINEAR:g}",
                met=one / other <= _LINEAR,
            ),
            Figure(
                what=f"`{name}`: bytes of a version, {many:,} of one act / {few:,}",
                ours=f"{size:,.0f}",
                other=f"{smaller:,.0f}",
                value=f"{size / smaller:.2f}",
                aim=f"linear: <= {_LINEAR:g}",
                met=size / smaller <= _LINEAR,
            ),
            Figure(
                what=f"`{name}`: peak memory, {many:,} versions of one act",
                ours=f"{run.megabytes:.0f} MB",
                other=f"{short[name].megabytes:.0f} MB",
                value="",
                aim=f"< {_MOST_MEGABYTES} MB",
                met=run.megabytes < _MOST_MEGABYTES,
            ),
        ]
    return figures


def write_act(path: Path, count: int) -> Path:
    """Write the manifest of an act with an original and its amended versions, a day apart."""
    lines = ["urn,title@it,license"]
    lines += [f"{_ACT},Legge,https://law.example/licence", f"{_ACT}@originale:it,,"]
    first = dt.date(1900, 1, 2).toordinal()
    days = (dt.date.fromordinal(first + each) for each in range(count - 1))
    lines += [f"{_ACT}@{day.isoformat()}:it,," for day in days]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _run_all(count: int) -> dict[str, Run]:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        table = write_act(folder / "act.csv", count)
        day, base = ("--as-of", _AS_OF.isoformat()), ("--base", "https://law.example")
        work = (_ACT, "--manifest", str(table), "--format", "nquads", *day, *base)
        site, law = str(folder / "site"), str(folder / "law")
        return {
            "describe": run_command("describe", *work),
            "catalogue load": run_command(
                "catalogue", "load", str(table), "--catalogue", law, "--jobs", "1"
            ),
            "publish": run_command(
                "publish", str(table), "--out", site, *base, *day, "--jobs", "1"
            ),
        }


def count_quads(table: Path) -> int:
    """Count the quads of a manifest."""
    with open_manifest(table) as manifest:
        families = (nquads_of(each, as_of=_AS_OF) for each in manifest.families())
        return sum(quads.count(b"\n") for quads in families)


def _main(counts: list[int]) -> None:
    print(f"{'versions':>8}  {'command':<16} {'quads':>9} {'bytes':>13} {'seconds':>8} {'MB':>5}")
    for count in counts:
        with tempfile.TemporaryDirectory() as folder:
            quads = count_quads(write_act(Path(folder, "act.csv"), count))
        for name, run in _run_all(count).items():
            print(
                f"{count:>8,}  {name:<16} {quads:>9,} {run.bytes:>13,} {run.seconds:>8.1f}"
                f" {run.megabytes:>5.0f}",
                flush=True,
            )


if __name__ == "__main__":
    _main([int(each) for each in sys.argv[1:]] or [1_000, 2_000, 4_000, 10_000])
