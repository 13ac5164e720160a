"""Lines sorted by their bytes, none twice, in bounded memory: an external merge sort."""

from __future__ import annotations

import tempfile
from bisect import bisect_right
from itertools import chain
from typing import IO, TYPE_CHECKING, Final

from lexurn.catalogue._scratch import scratch_faults, scratch_place

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = ["MEMORY", "sorted_lines"]

MEMORY: Final = 1 << 25
"""About how many bytes the lines that are held at a time take."""

_OVERHEAD: Final = 48
_LEAST: Final = 1 << 16


def sorted_lines(pieces: Iterable[bytes], *, memory: int = MEMORY) -> Iterator[bytes]:
    """The lines of all pieces, sorted by their bytes, none twice, in pieces again.

    Lines end at line feeds; the order is that of the lines with their ends, and of Unicode code
    points where they are UTF-8.

    Args:
        pieces: lines, never cut; the last one may lack its end.
        memory: about how many bytes may be held at a time.

    Raises:
        CatalogueError: the disk for temporary files is full.
    """
    with scratch_faults():
        scratch = tempfile.TemporaryFile(dir=scratch_place())  # noqa: SIM115 - closed below
    with scratch:
        runs: list[_Run] = []
        last: Sequence[bytes] = ()
        for lines in _portions(pieces, memory):
            if last:
                runs.append(_Run.of(last, scratch))
            last = sorted(set(lines))
        if not runs:
            # What fits into memory needs no disk.
            yield from _pieces(last)
            return
        runs.append(_Run.of(last, scratch))
        del last
        for lines in _merged(runs, max(_LEAST, memory // (2 * len(runs)))):
            yield b"".join(lines)


def _portions(pieces: Iterable[bytes], memory: int) -> Iterator[list[bytes]]:
    """Lines in portions that take about so many bytes."""
    lines: list[bytes] = []
    size = 0
    for piece in pieces:
        more = _lines(piece)
        lines += more
        size += len(piece) + _OVERHEAD * len(more)
        if size >= memory:
            yield lines
            lines, size = [], 0
    yield lines


def _lines(piece: bytes) -> list[bytes]:
    lines = piece.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return [line + b"\n" for line in lines]


def _pieces(lines: Sequence[bytes], count: int = 10_000) -> Iterator[bytes]:
    for start in range(0, len(lines), count):
        yield b"".join(lines[start : start + count])


class _Run:
    """Sorted lines on disk, and those of them that are in memory."""

    def __init__(self, scratch: IO[bytes], start: int, end: int) -> None:
        self._scratch, self._place, self._end = scratch, start, end
        self.lines: list[bytes] = []

    @classmethod
    def of(cls, lines: Sequence[bytes], scratch: IO[bytes]) -> _Run:
        """Write lines to the end of a file."""
        with scratch_faults():
            start = scratch.tell()
            scratch.writelines(lines)
            return cls(scratch, start, scratch.tell())

    @property
    def is_read(self) -> bool:
        """Whether nothing of it is left on disk."""
        return self._place == self._end

    def fill(self, size: int) -> None:
        """Read on where no line is in memory."""
        if self.lines or self.is_read:
            return
        with scratch_faults():
            self._scratch.seek(self._place)
            block = self._scratch.read(min(size, self._end - self._place))
            if not block.endswith(b"\n"):
                block += self._scratch.readline()
        self._place += len(block)
        self.lines = _lines(block)

    def taken(self, bound: bytes | None) -> list[bytes]:
        """The lines up to one, which are then no longer in memory; None for all."""
        cut = len(self.lines) if bound is None else bisect_right(self.lines, bound)
        taken = self.lines[:cut]
        del self.lines[:cut]
        return taken


def _merged(runs: Sequence[_Run], size: int) -> Iterator[list[bytes]]:
    """Lines of sorted runs as one, none twice: those up to where every run has been read."""
    while True:
        for run in runs:
            run.fill(size)
        bound = min((run.lines[-1] for run in runs if not run.is_read), default=None)
        lines = sorted(chain.from_iterable(run.taken(bound) for run in runs))
        if not lines:
            return
        yield list(dict.fromkeys(lines))
