"""A document: bytes that can be read at any place, however many there are."""

from __future__ import annotations

import io
import os
import stat
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from lexurn.embedding._findings import EmbeddingError, finding

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

__all__ = ["Document", "Stamp", "document_of", "opened"]

_PIECE = 1 << 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Stamp:
    """By what a file is known again: which it is, how large, and when it was last written."""

    device: int
    inode: int
    size: int
    modified: int

    @classmethod
    def of(cls, status: os.stat_result) -> Stamp:
        """The stamp in what the system says of a file."""
        return cls(
            device=status.st_dev,
            inode=status.st_ino,
            size=status.st_size,
            modified=status.st_mtime_ns,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A document that is open.

    Nothing of it is held in memory but what was asked for last, and nothing is mapped into memory:
    a file that somebody cuts meanwhile is short, and does not end the process.

    Attributes:
        name: its path or name, for messages and for its suffix.
        size: how many bytes it has.
        stamp: by what its file is known again; None for bytes in memory.
        reader: what gives at most so many bytes at a place.
    """

    name: str
    size: int
    stamp: Stamp | None = None
    reader: Callable[[int, int], bytes]

    @property
    def suffix(self) -> str:
        """The suffix of its name in lower case, with its dot: ``.html``."""
        return Path(self.name).suffix.lower()

    def read(self, start: int = 0, end: int | None = None) -> bytes:
        """The bytes between two offsets, as many as there are.

        Raises:
            EmbeddingError: they cannot be read, or the file has grown shorter meanwhile.
        """
        last = self.size if end is None else min(end, self.size)
        pieces: list[bytes] = []
        while start < last:
            piece = self._read_some(start, last - start)
            pieces.append(piece)
            start += len(piece)
        return b"".join(pieces)

    def _read_some(self, start: int, size: int) -> bytes:
        try:
            piece = self.reader(start, size)
        except OSError as fault:
            raise EmbeddingError(finding("LX302", self.name, why=fault.strerror)) from None
        if not piece:
            raise EmbeddingError(finding("LX303", self.name))
        return piece

    def pieces(self, start: int = 0, end: int | None = None) -> Iterator[bytes]:
        """The bytes between two offsets, some at a time.

        Raises:
            EmbeddingError: as `read`.
        """
        last = self.size if end is None else min(end, self.size)
        while start < last:
            piece = self.read(start, min(last, start + _PIECE))
            yield piece
            start += len(piece)

    def stream(self) -> BinaryIO:
        """A file of its bytes to be read and sought in, for libraries that want one."""
        return io.BufferedReader(_Stream(self))


class _Stream(io.RawIOBase):
    """A document as a file that can be read."""

    def __init__(self, document: Document) -> None:
        self._document = document
        self._at = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = os.SEEK_SET, /) -> int:
        base = {os.SEEK_SET: 0, os.SEEK_CUR: self._at, os.SEEK_END: self._document.size}[whence]
        self._at = max(0, base + offset)
        return self._at

    def readinto(self, buffer: memoryview, /) -> int:  # type: ignore[override]  # any buffer is one
        piece = self._document.read(self._at, self._at + len(buffer))
        buffer[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)


def document_of(data: bytes, name: str = "") -> Document:
    """Bytes in memory as a document.

    Args:
        data: the bytes.
        name: a name, for messages and for its suffix.
    """
    return Document(
        name=name, size=len(data), reader=lambda start, size: data[start : start + size]
    )


@contextmanager
def opened(path: Path, name: str | None = None) -> Iterator[Document]:
    """A file as a document.

    Args:
        path: the file.
        name: what to call it; its path where left out.

    Raises:
        EmbeddingError: there is none, it may not be read, or it is no regular file.
    """
    name = str(path) if name is None else name
    try:
        # Without this, to open a pipe that nobody writes to would wait for ever.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as fault:
        raise EmbeddingError(finding("LX301", name, why=fault.strerror)) from None
    except ValueError as fault:  # a zero byte, half of a character
        raise EmbeddingError(finding("LX301", name, why=fault)) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            is_folder = stat.S_ISDIR(status.st_mode)
            why = "it is a folder; name one with --folder" if is_folder else "it is no regular file"
            raise EmbeddingError(finding("LX301", name, why=why))
        yield Document(
            name=name,
            size=status.st_size,
            stamp=Stamp.of(status),
            reader=lambda start, size: os.pread(descriptor, size, start),
        )
    finally:
        os.close(descriptor)
