"""The report of ``lexurn embed``: a line of JSON a document, in a file that appears whole."""

from __future__ import annotations

import json
import os
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Self

from lexurn.errors import LexurnError
from lexurn.files import leftovers, writing

if TYPE_CHECKING:
    from types import TracebackType

__all__ = ["Report", "is_report"]

_SURELY_OVER = 3_600
_LONGEST_LINE = 1 << 20
_KEYS = {"file", "name", "format", "done", "written", "findings"}


class Report:
    """A report under way; where the disk refuses it, the files that it is of are done all the same.

    Attributes:
        fault: why it cannot be written; None while it can.
    """

    def __init__(self, path: str) -> None:
        """Begin it.

        Raises:
            LexurnError: it cannot be written there.
        """
        self.fault: str | None = None
        self._path = path
        self._stack = ExitStack()
        _tidy(Path(path))
        try:
            self._stream = self._stack.enter_context(writing(Path(path)))
        except OSError as fault:
            why = f"the report {path} cannot be written: {fault.strerror}"
            raise LexurnError(f"{why}; name a file in a folder that is there") from None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Put it in its place, or away where something went wrong."""
        try:
            self._stack.__exit__(kind, fault, trace)
        except OSError as refused:
            self._fail(refused)

    def write(self, line: bytes) -> None:
        """Write a line, unless the disk has refused one before."""
        if self.fault is not None:
            return
        try:
            self._stream.write(line)
        except OSError as refused:
            self._fail(refused)
            with suppress(OSError):
                self._stack.__exit__(type(refused), refused, refused.__traceback__)

    def is_own(self, path: Path) -> bool:
        """Whether a file is the one that it is written to until it is whole."""
        return os.path.realpath(path) == os.path.realpath(self._stream.name)

    def _fail(self, refused: OSError) -> None:
        self.fault = f"the report {self._path} cannot be written: {refused.strerror}"


def is_report(path: Path) -> bool:
    """Whether a file is a report, going by its first line; an empty file may be one."""
    with path.open("rb") as stream:
        line = stream.readline(_LONGEST_LINE)
    try:
        first = json.loads(line) if line else None
    except ValueError:
        return False
    return not line or (isinstance(first, dict) and first.keys() >= _KEYS)


def _tidy(path: Path) -> None:
    """Delete what runs that were killed have left of a report; one that is under way is younger."""
    for part in leftovers(path):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _SURELY_OVER:
                part.unlink()
