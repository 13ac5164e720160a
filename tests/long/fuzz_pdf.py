"""Damaged PDF files by the thousand: ``python tests/long/fuzz_pdf.py [COUNT [SEED [FOLDER]]]``.

Files of FOLDER (``*.pdf``, up to a megabyte each) are damaged beside those made by hand, without
a name and with one. Nothing may be raised but what says what is wrong, no file may take long, and
no byte may be lost.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from pdf_files import FILES, embedded
from pdf_fuzzing import check, damaged

_LONGEST = 5.0
_LARGEST = 1 << 20


def main(count: int = 100_000, seed: int = 1, folder: str = "") -> None:
    """Check so many files."""
    real = sorted(Path(folder).rglob("*.pdf")) if folder else []
    files = [
        *FILES.values(),
        *(embedded(each) for each in FILES.values()),
        *(each.read_bytes() for each in real if each.stat().st_size <= _LARGEST),
    ]
    chance = random.Random(seed)
    results: Counter[str] = Counter()
    longest = 0.0
    for number in range(count):
        data = damaged(chance.choice(files), files, chance)
        start = time.perf_counter()
        try:
            results[check(data)] += 1
        except BaseException:
            Path("fault.pdf").write_bytes(data)
            print(f"input {number} is in fault.pdf")
            raise
        longest = max(longest, time.perf_counter() - start)
        assert longest < _LONGEST, f"input {number} took {longest:.1f} s"
    print(f"{count:,} files, the longest {longest:.2f} s: {dict(results.most_common())}")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:3]), *sys.argv[3:4])
