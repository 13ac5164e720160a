"""Lines thrown into many buckets in one file, so that what belongs together is read together."""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._scratch import scratch_faults

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

__all__ = ["BUCKETS", "Buckets", "Segments", "Settled", "read_segments"]

#: How many buckets there are: of a catalogue of ten million documents one holds some 50 MB.
BUCKETS: Final = 1024
_WAITING: Final = 1 << 25
_OVERHEAD: Final = 41

Segments = tuple[tuple[str, int, int], ...]
"""Where the lines of a bucket lie: files, offsets and sizes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """Buckets with all that is thrown into them, to be read by any process.

    Attributes:
        path: the file.
        places: by bucket, offsets and sizes, in turn.
        counts: by bucket, how many lines there are.
    """

    path: str
    places: Sequence[array[int]]
    counts: Sequence[int]

    def segments(self, bucket: int) -> Segments:
        """Where the lines of a bucket lie."""
        found = self.places[bucket]
        return tuple((self.path, *each) for each in zip(found[::2], found[1::2], strict=True))


class Buckets:
    """Buckets of lines in a file; what was thrown in lately waits in memory."""

    def __init__(self, path: Path) -> None:
        """Begin a file.

        Raises:
            CatalogueError: it cannot be written.
        """
        self._path = path
        self._waiting: list[list[bytes]] = [[] for _ in range(BUCKETS)]
        self._size = 0
        self._end = 0
        self._segments = [array("Q") for _ in range(BUCKETS)]
        self._counts = [0] * BUCKETS
        with scratch_faults():
            self._file = path.open("wb", buffering=0)

    def add(self, bucket: int, lines: bytes) -> None:
        """Throw whole lines into a bucket."""
        self._waiting[bucket].append(lines)
        self._size += len(lines) + _OVERHEAD
        if self._size > _WAITING:
            self._write()

    def settle(self) -> Settled:
        """Write what waits; nothing is thrown in any more.

        Raises:
            CatalogueError: it cannot be written.
        """
        self._write()
        self.close()
        return Settled(path=str(self._path), places=self._segments, counts=self._counts)

    def close(self) -> None:
        """Let go of the file, which stays."""
        self._file.close()

    def _write(self) -> None:
        """Write what waits, bucket by bucket.

        Raises:
            CatalogueError: the disk is full.
        """
        for bucket, some in enumerate(self._waiting):
            if some:
                self._append(bucket, b"".join(some))
                some.clear()
        self._size = 0

    def _append(self, bucket: int, lines: bytes) -> None:
        rest = memoryview(lines)
        with scratch_faults():
            while rest:
                rest = rest[self._file.write(rest) :]
        self._segments[bucket].extend((self._end, len(lines)))
        self._counts[bucket] += lines.count(b"\n")
        self._end += len(lines)


def read_segments(segments: Segments) -> Iterator[bytes]:
    """The lines of a bucket, in pieces.

    Raises:
        CatalogueError: a file cannot be read.
    """
    for path, some in groupby(segments, key=itemgetter(0)):
        with scratch_faults(), Path(path).open("rb") as file:
            for _, offset, size in some:
                file.seek(offset)
                yield file.read(size)
