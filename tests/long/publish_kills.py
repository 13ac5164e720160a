"""Kill runs of publish at random moments; the next run must give the site of undisturbed runs.

    python tests/long/publish_kills.py [--acts 5000] [--kills 30] [--seed 9676]

Two tables are published in turn into one folder. In the second one, some acts are changed, some
are missing, and some are new. Each run is killed (SIGKILL, the whole process group) up to three
times before it is left to its end. Prints one line a site; ends with exit code 1 at a difference.
"""

from __future__ import annotations

import hashlib
import random
import sys
import tempfile
import time
from pathlib import Path

from killing import read_numbers, run_or_kill

PUBLISH = ["publish", "--base", "https://law.example", "--as-of", "2026-01-01"]
STATE = ".lexurn-site.sqlite"


def write_table(path: Path, acts: int, *, is_second: bool) -> Path:
    """Write a table of acts with a version and a file each."""
    with path.open("w", encoding="utf-8") as table:
        table.write("urn,title@it,issued,url,amended_by\n")
        for number in range(acts):
            if number % 50 == (7 if is_second else 8):
                continue
            day = f"{1950 + number % 70}-0{1 + number % 9}-15"
            act = f"urn:lex:it:stato:legge:{day};{number}"
            title = f"Legge {number}" + " cambiata" * (is_second and number % 10 == 0)
            amending = act.replace(f";{number}", f";{number + 630}") * (number % 100 == 0)
            table.write(f"{act},{title},{day},,{amending}\n{act}@{day}:it,,,,\n")
            table.write(f"{act}@{day}:it$stato.it:application-pdf,,,https://f.example/{number},\n")
    return path


def publish(table: Path, place: Path, most: float | None = None) -> bool:
    """Publish a table; whether the run came to its end in so many seconds."""
    return run_or_kill([*PUBLISH, str(table), "--out", str(place)], most)


def digest(place: Path) -> str:
    """The SHA-256 of all files of a site but its state."""
    whole = hashlib.sha256()
    for path in sorted(place.rglob("*")):
        if path.is_file() and path.name != STATE:
            whole.update(f"{path.relative_to(place)}\n".encode() + path.read_bytes())
    return whole.hexdigest()


def main() -> int:
    """Do it; the exit code."""
    chosen = read_numbers(__doc__, acts=5_000, kills=30, seed=9676)
    moments = random.Random(chosen.seed)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        first = write_table(folder / "first.csv", chosen.acts, is_second=False)
        second = write_table(folder / "second.csv", chosen.acts, is_second=True)
        wanted: list[tuple[Path, str, float]] = []
        for table in (first, second, first):
            start = time.monotonic()
            publish(table, folder / "calm")
            wanted.append((table, digest(folder / "calm"), time.monotonic() - start))
            print(f"undisturbed: {wanted[-1][2]:.1f} s, {wanted[-1][1]}", flush=True)
        kills = runs = 0
        while kills < chosen.kills:
            # After the first site, that of the first table has the names of the second that left.
            table, right, taken = wanted[runs if runs == 0 else 2 - runs % 2]
            for _ in range(3):
                kills += not publish(table, folder / "killed", moments.uniform(0, taken))
            publish(table, folder / "killed")
            runs += 1
            found = digest(folder / "killed")
            print(f"site {runs}: {kills} kills so far, {found}", flush=True)
            if found != right:
                print(f"it differs from the undisturbed one: {right}")
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
