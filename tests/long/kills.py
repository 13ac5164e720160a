"""Kill loads of a large manifest at random moments; what is held in the end must be the same.

    python tests/long/kills.py [--documents 100000] [--kills 50] [--seed 9676]

A load is killed (SIGKILL, the whole process group), run again, killed again, until it comes to its
end; then the dump is held against that of an undisturbed load, byte for byte, and a new load
begins, until all kills are done. Prints one line a load; ends with exit code 1 at a difference.
"""

from __future__ import annotations

import hashlib
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from killing import read_numbers, run_or_kill
from tables import write_documents


def load(manifest: Path, place: Path, most: float | None = None) -> bool:
    """Load a manifest; whether the run came to its end in so many seconds."""
    command = ["catalogue", "load", str(manifest), "--as-of", "2026-01-01", "-c", str(place)]
    return run_or_kill(command, most)


def digest(place: Path, folder: Path) -> str:
    """The SHA-256 of the dump of a catalogue."""
    dump = folder / "dump.nq"
    run_or_kill(["catalogue", "dump", str(dump), "-c", str(place)])
    with dump.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main() -> int:
    """Do it; the exit code."""
    chosen = read_numbers(__doc__, documents=100_000, kills=50, seed=9676)
    moments = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        manifest = write_documents(folder / "acts.csv", chosen.documents)
        start = time.monotonic()
        load(manifest, folder / "whole")
        taken = time.monotonic() - start
        wanted = digest(folder / "whole", folder)
        print(f"undisturbed: {taken:.1f} s, {wanted}", flush=True)
        kills = loads = 0
        while kills < chosen.kills:
            place, before, loads = folder / "killed", kills, loads + 1
            # Half a load at most, since one that goes on is quicker than the first was.
            while kills < chosen.kills and not load(manifest, place, moments.uniform(0, taken / 2)):
                kills += 1
            load(manifest, place)
            found = digest(place, folder)
            print(f"load {loads}: {kills - before} kills, {found}", flush=True)
            if found != wanted:
                return 1
            shutil.rmtree(place)
        print(f"{kills} kills in {loads} loads, every dump the same")
        return 0


if __name__ == "__main__":
    sys.exit(main())
