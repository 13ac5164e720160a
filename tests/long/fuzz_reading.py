"""Damaged pages in any number are read: ``python tests/long/fuzz_reading.py 100000 [FOLDER]``.

With a folder, real pages in it are damaged; without one, small ones of ours.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from reading_mutations import PAGES, check, sample

_LARGEST = 100_000
_SLOWEST = 10.0


def main(count: int, folder: str = "") -> None:
    """Read so many damaged pages."""
    files = sorted(Path(folder).rglob("*.htm*")) if folder else []
    real = [path.read_bytes() for path in files if path.stat().st_size <= _LARGEST]
    names = 0
    for seed in range(count):
        data = sample(seed, (*PAGES, *real))
        began = time.perf_counter()
        try:
            names += check(data)
        except Exception:
            print(f"seed {seed}: {len(data)} bytes")
            raise
        if time.perf_counter() - began > _SLOWEST:
            raise SystemExit(f"seed {seed}: slower than {_SLOWEST} s")
    print(f"{count:,} pages, {names:,} names")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:3])
