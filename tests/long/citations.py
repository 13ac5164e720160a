"""Citations by the hundred thousand, made of the registered issuers, types, dates and numbers.

    python tests/long/citations.py [COUNT [SEED]]

Prints how many of the names are right, refused, wrong with a warning, or wrong without one.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from itertools import count
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from made_citations import judge, make_acts

_SHOWN = 20


def main() -> int:
    """Run; exit code 1 if a name is wrong without a warning."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()
    found: Counter[str] = Counter()
    for part in count():
        if found.total() >= wanted:
            break
        for act in make_acts(seed + part, 1_000):
            for form in act.forms:
                judged = judge(act, form)
                found[judged] += 1
                if judged == "wrong" and found["wrong"] <= _SHOWN:
                    print(f"wrong: {act.code} ({act.language}): {form}")
        print(f"{found.total():,}: {dict(found)}", flush=True)
    print(f"seed {seed}")
    return 1 if found["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
