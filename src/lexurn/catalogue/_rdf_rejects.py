"""The rejects file of a source of RDF: all that is not ours, as N-Quads."""

from __future__ import annotations

from contextlib import contextmanager, suppress
from typing import IO, TYPE_CHECKING, Self

from lexurn.errors import CatalogueError
from lexurn.files import beside
from lexurn.manifest import check_rejects

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path
    from types import TracebackType

__all__ = ["Rejects"]


class Rejects:
    """What is turned down, on its way to a file; without a path it is only counted.

    Attributes:
        count: how many statements, or lines that are none, were turned down.
        written: the file that was written in the end, None where nothing was turned down.
    """

    def __init__(self, path: Path | None, sources: Iterable[object]) -> None:
        """Make sure that the file can be written.

        Raises:
            ManifestError: it is a source, named like something else, no file, or in no folder.
            CatalogueError: it cannot be written.
        """
        self.count = 0
        self.written: Path | None = None
        self._path = path
        self._stream: IO[bytes] | None = None
        self._is_ended = True
        self._marks = (0, 0, True)
        if path is not None:
            check_rejects(path, sources)
            self._part = beside(path)
            with self._on_disk():
                self._stream = self._part.open("xb")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Remove what is half written."""
        if self._stream is not None:
            with suppress(OSError):  # what could not be written before is tried once more
                self._stream.close()
            self._stream = None
            self._part.unlink(missing_ok=True)

    def add(self, line: bytes) -> None:
        """Keep a line; one without an end gets it when another follows."""
        self.count += 1
        self.add_piece(line if self._is_ended else b"\n" + line)

    def add_piece(self, piece: bytes) -> None:
        """Keep a piece of a line that was counted.

        Raises:
            CatalogueError: the disk is full.
        """
        if self._stream is not None:
            self._is_ended = piece.endswith(b"\n")
            with self._on_disk():
                self._stream.write(piece)

    def mark(self) -> None:
        """Note where a source begins.

        Raises:
            CatalogueError: the disk is full.
        """
        with self._on_disk():
            place = 0 if self._stream is None else self._stream.tell()
        self._marks = (self.count, place, self._is_ended)

    def back(self) -> None:
        """Forget what was turned down since the mark.

        Raises:
            CatalogueError: the disk is full.
        """
        self.count, place, self._is_ended = self._marks
        if self._stream is not None:
            with self._on_disk():
                self._stream.seek(place)
                self._stream.truncate()

    def finish(self) -> None:
        """Put the file in its place; one of an earlier run goes where nothing was turned down.

        Raises:
            CatalogueError: the disk is full.
        """
        if self._path is None or self._stream is None:
            return
        with self._on_disk():
            self._stream.close()
            if self.count:
                self._part.replace(self._path)
                self.written = self._path
            else:
                self._part.unlink()
                self._path.unlink(missing_ok=True)
        self._stream = None

    @contextmanager
    def _on_disk(self) -> Iterator[None]:
        try:
            yield
        except OSError as full:
            why = full.strerror or full
            raise CatalogueError(
                f"{self._path}: the rejects file cannot be written: {why}"
            ) from None
