"""Damaged DOCX, ODT and EPUB files: ``python tests/long/fuzz_zip.py [COUNT [SEED]]``.

Nothing may be raised but what says what is wrong, no file may take long, and no byte may be lost.
"""

from __future__ import annotations

import random
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from embedding_zip_fuzzing import any_document, check

_LONGEST = 5.0


def main(count: int = 100_000, seed: int = 1) -> None:
    """Check so many files."""
    chance = random.Random(seed)
    results: Counter[str] = Counter()
    longest = 0.0
    for number in range(count):
        kind, data = any_document(chance)
        start = time.perf_counter()
        try:
            results[check(kind, data)] += 1
        except BaseException:
            Path("fault.zip").write_bytes(data)
            print(f"input {number} ({kind}) is in fault.zip")
            raise
        longest = max(longest, time.perf_counter() - start)
        assert longest < _LONGEST, f"input {number} took {longest:.1f} s"
    print(f"{count:,} files, the longest {longest:.2f} s: {dict(results.most_common())}")


if __name__ == "__main__":
    main(*(int(each) for each in sys.argv[1:3]))
