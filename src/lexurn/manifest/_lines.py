"""Lines of a byte stream, in bounded memory whatever they hold."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, BinaryIO

from lexurn.errors import ManifestError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["LONGEST_ROW", "Lines", "read_block"]

LONGEST_ROW = 1 << 20
"""The most bytes that one row may have, its line end included."""

BLOCK = 1 << 18


def read_block(stream: BinaryIO, file: str, size: int = BLOCK) -> bytes:
    """The next bytes of a stream, empty at its end.

    Raises:
        ManifestError: the stream cannot be read, or holds no bytes.
    """
    try:
        block = stream.read(size)
    except (OSError, ValueError) as broken:
        why = (broken.strerror if isinstance(broken, OSError) else None) or broken
        raise ManifestError(f"{file}: cannot be read: {why}") from None
    if not isinstance(block, bytes):
        raise ManifestError(f"{file}: a stream of bytes is needed; open it in binary mode")
    return block


class Lines:
    """The lines of a stream with their line ends; lines can be put back.

    A line longer than `LONGEST_ROW` comes in pieces: the first is longer than that, the last one
    ends as lines do or with the stream.

    Attributes:
        file: their file as given.
        end: what ends a line.
        at: the offset of the next line in the file.
    """

    def __init__(
        self, stream: BinaryIO, file: str, head: bytes, *, start: int = 0, end: bytes = b""
    ) -> None:
        """Start with ``head``, what was read of the stream already.

        Args:
            stream: the bytes.
            file: their file, for messages.
            head: the first of them.
            start: where in the file these stand.
            end: what ends a line; empty to tell from ``head``: where the first line ends with a
                carriage return alone, so do all others.
        """
        self.file = file
        self.end = end or _line_end(head)
        self.at = start
        self._stream = stream
        self._put_back: deque[bytes] = deque()
        self._lines = _split(stream, file, head, self.end)

    def take(self) -> bytes:
        """The next line, empty at the end of the stream."""
        line = self._put_back.popleft() if self._put_back else next(self._lines, b"")
        self.at += len(line)
        return line

    def put_back(self, lines: list[bytes]) -> None:
        """Give lines back, to be taken again in the same order."""
        self._put_back.extendleft(reversed(lines))
        self.at -= sum(map(len, lines))

    def from_offset(self, start: int) -> Lines:
        """The lines of the same stream from an offset on; these here come to an end.

        Raises:
            ManifestError: the stream cannot go there.
        """
        try:
            self._stream.seek(start)
        except (OSError, ValueError, AttributeError) as fixed:
            raise ManifestError(
                f"{self.file}: cannot be read in parts: {fixed}; name a file"
            ) from None
        head = read_block(self._stream, self.file)
        return Lines(self._stream, self.file, head, start=start, end=self.end)

    def rest_of(self, piece: bytes) -> Iterator[bytes]:
        """The further pieces of a line that is too long."""
        while piece and not piece.endswith(self.end):
            piece = self.take()
            yield piece


def _line_end(head: bytes) -> bytes:
    feed, alone = head.find(b"\n"), head.find(b"\r")
    return b"\r" if alone >= 0 and feed < 0 else b"\n"


def _split(stream: BinaryIO, file: str, head: bytes, end: bytes) -> Iterator[bytes]:
    tail, block = b"", head
    while block:
        first, *others = block.split(end)
        tail += first
        for other in others:
            line = tail + end
            if len(line) > LONGEST_ROW:
                yield from _pieces(line)
            else:
                yield line
            tail = other
        while len(tail) > LONGEST_ROW:
            yield tail[: LONGEST_ROW + 1]
            tail = tail[LONGEST_ROW + 1 :]
        block = read_block(stream, file)
    if tail:
        yield tail


def _pieces(line: bytes) -> Iterator[bytes]:
    for at in range(0, len(line), LONGEST_ROW + 1):
        yield line[at : at + LONGEST_ROW + 1]
