"""Filling of a catalogue with many families that are new."""

from __future__ import annotations

import io
import pickle
import queue
import tempfile
import threading
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from lexurn.catalogue import files
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from lexurn.catalogue.index import IndexRows
    from lexurn.store import EmbeddedStore

__all__ = ["Filling"]

_BLOCK: Final = 1 << 20
"""Number of bytes that the engine reads at a time."""
_LARGE: Final = 1 << 27
"""With more bytes of N-Quads than this, the engine merges files for seconds afterwards."""
_MOST_OUTSTANDING: Final = 3
"""Most answers outstanding: for the lot that the engine reads, for the next, and at the end."""


class Filling:
    """Many new families on their way into a catalogue.

    A thread fills the store while more are prepared, and their rows wait on disk. If the process
    ends before `settle`, the catalogue holds none of them.
    """

    def __init__(
        self,
        store: EmbeddedStore,
        *,
        begin: Callable[[Iterable[IndexRows]], None] | None,
        settle: Callable[[Iterable[IndexRows]], None],
    ) -> None:
        """Begin with no families; `Catalogue.fill` does.

        Args:
            store: takes their quads.
            begin: writes the journal; None if it is written.
            settle: brings the index in step with the store.

        Raises:
            CatalogueError: no temporary file can be written.
        """
        self._store, self._begin, self._settle = store, begin, settle
        self.size = 0
        """Number of bytes of their quads."""
        with files.explain_scratch_faults():
            self._rows = tempfile.TemporaryFile(dir=files.choose_scratch_folder())  # noqa: SIM115 - `close` closes it
        # Between threads, only queues of C, as in `Workers`.
        self._lots: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[BaseException | None] = queue.SimpleQueue()
        self._outstanding = 1  # answers: one for each lot, and one at the end
        self._is_whole = False
        self._thread = threading.Thread(target=self._fill, daemon=True)
        self._thread.start()

    def _fill(self) -> None:
        """Fill the store with the lots of quads that come; in the thread."""
        fault: BaseException | None = None
        try:
            self._store.fill(io.BufferedReader(files.BlockStream(self._take_lots()), _BLOCK))
        except BaseException as error:  # noqa: BLE001 - `_wait` raises it
            fault = error
        self._answers.put(fault)

    def _take_lots(self) -> Iterator[bytes]:
        """Yield the lots of quads that come, and answer for each; in the thread."""
        while (lot := self._lots.get()) is not None:
            yield lot
            self._answers.put(None)
        if not self._is_whole:
            raise CatalogueError("the load was given up")

    def add(self, rows: bytes, nquads: bytes) -> None:
        """Add families.

        Args:
            rows: their `IndexRows`, pickled.
            nquads: their quads, and those on their concepts.

        Raises:
            CatalogueError: the disk is full, or the store cannot be written.
        """
        with files.explain_scratch_faults():
            self._rows.write(rows)
        self.size += len(nquads)
        self._lots.put(nquads)
        self._outstanding += 1
        self._wait(_MOST_OUTSTANDING)

    def _wait(self, most: int) -> None:
        """Wait until at most ``most`` answers of the thread are outstanding."""
        while self._outstanding > most:
            fault = self._answers.get()
            if fault is not None:
                self._answers.put(fault)  # for all later calls
                raise fault
            self._outstanding -= 1

    def settle(self, *, is_last: bool = False) -> None:
        """Bring the families in; return when they would survive a power cut.

        Args:
            is_last: whether no others follow, so that the store can be closed.

        Raises:
            CatalogueError: the disk is full, or the store cannot be written.
        """
        self._wait(1)  # the engine has parsed all but the last block, so most refusals come here
        if self._begin is not None:
            self._begin(self._read_rows())
        self._is_whole = True
        self._lots.put(None)
        self._wait(0)
        if is_last and self.size >= _LARGE:
            self._store.release()
        self._settle(self._read_rows())

    def _read_rows(self) -> Iterator[IndexRows]:
        with files.explain_scratch_faults():
            self._rows.seek(0)
            while True:
                try:
                    rows = pickle.load(self._rows)  # noqa: S301 - written by this process
                except EOFError:
                    return
                yield rows

    def close(self) -> None:
        """Give up the families, unless they were brought in."""
        self._lots.put(None)
        self._thread.join()
        with suppress(OSError):  # the disk is full
            self._rows.close()
