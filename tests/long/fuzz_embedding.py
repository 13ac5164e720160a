"""Damaged documents of all formats by the thousand.

    python tests/long/fuzz_embedding.py [COUNT [SEED [FOLDER]]]

Half of them are files of FOLDER and of the folders in it, where one is given. Prints what became of
them; each that breaks a law is kept in the folder that it names.
"""

from __future__ import annotations

import sys
import tempfile
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from embedding_whole import DOCUMENTS, damaged, outcome

_SLOW = 5.0
_LARGEST = 1 << 18


def main() -> int:
    """Run; exit code 1 where a document crashed something, broke a law or took long."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()
    folder = Path(sys.argv[3]) if len(sys.argv) > 3 else None
    real = [
        (each.suffix, each.read_bytes())
        for each in (sorted(folder.rglob("*")) if folder else ())
        if each.is_file() and each.stat().st_size <= _LARGEST
    ]
    documents = (*real, *DOCUMENTS * (1 + len(real) // len(DOCUMENTS)))
    kept = Path(tempfile.mkdtemp(prefix="lexurn-fuzz-"))
    outcomes: Counter[str] = Counter()
    for number, (name, data) in enumerate(damaged(seed, count, documents)):
        start = time.perf_counter()
        try:
            outcomes[outcome(name, data)] += 1
        except Exception:  # noqa: BLE001 - whatever it is, it is kept
            outcomes["BROKEN"] += 1
            kept.joinpath(f"{number}-{name}").write_bytes(data)
            traceback.print_exc()
        if time.perf_counter() - start > _SLOW:
            outcomes["SLOW"] += 1
            kept.joinpath(f"{number}-slow-{name}").write_bytes(data)
    print(f"seed {seed}, {count:,} documents, kept in {kept}")
    print(*(f"{times:>8} {kind}" for kind, times in outcomes.most_common()), sep="\n")
    return 1 if outcomes["BROKEN"] or outcomes["SLOW"] else 0


if __name__ == "__main__":
    sys.exit(main())
