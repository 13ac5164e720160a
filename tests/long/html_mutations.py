"""Put names into many mutated web pages; each must follow all laws, and referees must agree.

    python tests/long/html_mutations.py [--pages 100000] [--seed 9676] [--folder PLACE] [--jobs 1]

Pages are made of pieces of HTML as it should be and as it is found, a quarter of them with a name
in them that somebody then edited; with ``--folder`` half of all are the pages of a folder (and of
the folders in it), mutated in their beginning. A law that does
not hold, or another fault, is printed with the number of its page. Where the parser that is the
referee finds another tree, a browser decides, if one is there. Ends with exit code 1 at a fault.
"""

from __future__ import annotations

import argparse
import multiprocessing
import random
import sys
import tempfile
import time
import traceback
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "support"))

from embedding_html_browser import BROWSER, disagreements
from embedding_html_cases import (
    check_laws,
    check_laws_of_edited,
    check_tree,
    edited_page,
    made,
    mutated,
    texts_of,
)

SLOW = 2.0
BEGINNING = 20_000
STEP = 10_000


def page_of(seed: int, number: int, real: list[Path]) -> bytes:
    """The page of a number."""
    source = random.Random(f"{seed}/{number}")
    if not real or number % 2:
        return made(source).encode(source.choice(["utf-8"] * 6 + ["utf-16", "cp932"]), "ignore")
    data = source.choice(real).read_bytes()[:BEGINNING]
    for _ in range(source.randrange(5)):
        at = source.randrange(min(len(data), 3000) + 1)
        data = data[:at] + mutated(source, "").encode() + data[at + source.choice((0, 1, 5, 50)) :]
    return data


def fault_of(task: tuple[int, int, list[Path]]) -> tuple[int, str, str]:
    """What is wrong with one page: its number, ``law``, ``tree`` or nothing, and the trace."""
    seed, number, _ = task
    data = page_of(*task)
    began = time.monotonic()
    kind = "law"
    try:
        if number % 4 == 1:
            check_laws_of_edited(edited_page(random.Random(f"{seed}/{number}")))
        elif check_laws(data):
            kind = "tree"
            check_tree(data)
    except Exception:  # noqa: BLE001 - any fault is one
        return task[1], kind, traceback.format_exc()
    taken = time.monotonic() - began
    return task[1], "law" if taken > SLOW else "", f"it took {taken:.1f} s"


def judged_wrong(pages: dict[int, bytes]) -> list[int]:
    """Of which pages a browser too finds another tree; of all, where none can be asked."""
    numbers = list(pages)
    if BROWSER is None or not numbers:
        return numbers
    with tempfile.TemporaryDirectory() as folder:
        pairs = [texts_of(pages[number]) for number in numbers]
        return [numbers[at] for at in disagreements(pairs, Path(folder))]


def main() -> int:
    """Run all, and say what was wrong."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=9676)
    parser.add_argument("--folder", type=Path)
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    real = sorted(given.folder.rglob("*.htm*")) if given.folder else []
    real = [path for path in real if path.is_file() and path.stat().st_size]
    tasks = ((given.seed, number, real) for number in range(given.pages))
    wrong = 0
    doubts: dict[int, bytes] = {}
    with multiprocessing.Pool(given.jobs) as pool:
        answers = pool.imap_unordered(fault_of, tasks, chunksize=200)
        for done, (number, kind, trace) in enumerate(answers, 1):
            if done % STEP == 0:
                print(f"{done} pages done, {wrong} faults", flush=True)
            if kind == "tree":
                doubts[number] = page_of(given.seed, number, real)
            elif kind:
                wrong += 1
                print(f"page {number}: {kind}\n{trace}", flush=True)
    for number in judged_wrong(doubts):
        wrong += 1
        print(f"page {number}: another tree\n{doubts[number][:2000]!r}")
    print(f"{given.pages} pages, {wrong} faults; the referee was in doubt {len(doubts)} times")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
