"""Which acts belong together, in a file that many processes read at once."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self

from lexurn.errors import ManifestError
from lexurn.manifest._kin import join
from lexurn.manifest._spool import Spool

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

__all__ = ["Kin", "write_kin"]

_ROOT = "SELECT root FROM kin WHERE act = ?"


def write_kin(path: str | Path, pairs: Iterable[tuple[str, str]]) -> None:
    """Write a file that says which acts are joined by aliases of any level.

    Args:
        path: a file that is not there yet.
        pairs: the act of an alias and that of its canonical name, as `PackedRow` has them.

    Raises:
        ManifestError: the disk is full.
    """
    spool = Spool(str(path))
    try:
        join(spool, pairs)
        spool.run("COMMIT")
    finally:
        spool.close()


class Kin:
    """A file of `write_kin`, open for reading; a context manager."""

    def __init__(self, path: str | Path) -> None:
        """Open the file.

        Raises:
            ManifestError: it cannot be opened.
        """
        self._path = path
        with self._readable():
            address = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
            self._database = sqlite3.connect(address, uri=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._database.close()

    def root(self, act: str) -> str:
        """The act that stands for all acts that an act is joined with; itself where it is alone.

        Raises:
            ManifestError: the file cannot be read.
        """
        with self._readable():
            found = self._database.execute(_ROOT, (act,)).fetchone()
        return act if found is None else str(found[0])

    @contextmanager
    def _readable(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as broken:
            raise ManifestError(f"{self._path}: cannot be read: {broken}") from None
