"""Damaged XML documents in any number: ``python tests/long/fuzz_embedding_xml.py 100000 [FOLDER]``.

With a folder, real documents in it are damaged; without one, small ones of ours.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "support"))

from xml_mutations import check, sample

from lexurn.documents import document_from_bytes
from lexurn.documents.identification import identify_root

_LARGEST = 200_000
_SLOWEST = 5.0


def _documents(folder: Path) -> list[tuple[str, bytes]]:
    found = []
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        data = path.read_bytes()
        key = identify_root(document_from_bytes(data))[0] if len(data) <= _LARGEST else None
        if key is not None:
            found.append((key, data))
    return found


def main(count: int, folder: str = "") -> None:
    """Hold so many damaged documents to the laws."""
    documents = _documents(Path(folder)) if folder else ()
    took = 0
    for seed in range(count):
        key, data = sample(seed, documents)
        began = time.perf_counter()
        try:
            took += check(key, data)
        except Exception:
            print(f"seed {seed}: {key}, {len(data)} bytes")
            raise
        if time.perf_counter() - began > _SLOWEST:
            raise SystemExit(f"seed {seed}: slower than {_SLOWEST} s")
    print(f"{count:,} documents, {took:,} of them took a name")


if __name__ == "__main__":
    main(int(sys.argv[1]), *sys.argv[2:3])
