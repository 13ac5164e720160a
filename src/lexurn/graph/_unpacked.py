"""The bytes of a stream as they are or, where they were packed with gzip, as they were."""

from __future__ import annotations

import gzip
import io
import zlib
from typing import IO, TYPE_CHECKING, Any, Final, cast

from lexurn.errors import GraphError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["unpacked"]

_BLOCK: Final = 1 << 20
_GZIP: Final = b"\x1f\x8b"
_BOM: Final = b"\xef\xbb\xbf"


def unpacked(stream: IO[bytes]) -> Iterator[bytes]:
    """The bytes of a stream in blocks, unpacked, without a byte order mark.

    Args:
        stream: open at its start; that it was packed is told from its first bytes.

    Raises:
        GraphError: they cannot be read on, or are not what they were packed from.
    """
    try:
        head = stream.read(2)
        if head == _GZIP:
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=_Joined(head, stream)))
            head = b""
        head += stream.read(_BLOCK)
        yield head.removeprefix(_BOM)
        while block := stream.read(_BLOCK):
            yield block
    except EOFError:
        raise GraphError("it ends too early: it was not copied whole") from None
    except (OSError, zlib.error, ValueError) as broken:
        why = (broken.strerror if isinstance(broken, OSError) else None) or broken
        raise GraphError(f"it cannot be read: {why}") from None


class _Joined(io.RawIOBase):
    """A stream with bytes put back before it."""

    def __init__(self, head: bytes, stream: IO[bytes]) -> None:
        self._head, self._stream = head, stream

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        piece = self._head[: len(buffer)] or self._stream.read(len(buffer))
        self._head = self._head[len(piece) :] if self._head else b""
        buffer[: len(piece)] = piece
        return len(piece)
