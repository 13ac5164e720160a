"""Many documents, read by several processes: what they say comes in their order all the same."""

from __future__ import annotations

import os
from contextlib import suppress
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.embedding._extracting import extract
from lexurn.embedding._extraction import Extraction
from lexurn.embedding._findings import finding
from lexurn.embedding._walk import documents_in, is_document, relative
from lexurn.files import is_leftover
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator

    Named = tuple[Path, str]

__all__ = ["extract_files", "extract_folder"]

# What all processes hold at a time is bounded by the sizes of files, not by their number alone.
_LOT = 32
_LARGEST_LOT = 1 << 23
# As many files as are read in the time that it takes to start another process.
_WORTH = 64
_MOST_WORKERS = 16


def extract_folder(
    folder: str | Path, *, is_ours_only: bool = False, workers: int | None = None
) -> Generator[Extraction]:
    """What the documents below a folder say of themselves, one after the other, sorted.

    These are documents by their suffixes, or by what is in them; what is hidden is left out. A
    document that cannot be read says nothing but why. Paths are as seen from the folder, with
    ``/``.

    Args:
        folder: the folder.
        is_ours_only: whether only what lexurn wrote counts.
        workers: how many processes work; by default one for each processor.

    Raises:
        MissingExtraError: a package that reads a format is not installed.
    """
    place = Path(folder)
    closed: list[OSError] = []
    paths = (
        path
        for path in documents_in(place, is_document=is_document, on_error=closed.append)
        if not is_leftover(path.name)
    )
    named = ((path, relative(path, place)) for path in paths)
    yield from _extracted(named, is_ours_only=is_ours_only, workers=workers)
    for fault in closed:
        found = finding("LX301", str(fault.filename), why=fault.strerror)
        yield Extraction(file=str(fault.filename), format=None, findings=(found,))


def extract_files(
    paths: Iterable[str | Path], *, is_ours_only: bool = False, workers: int | None = None
) -> Generator[Extraction]:
    """What files say of themselves, in their order; as `extract_folder`.

    Args:
        paths: the files.
        is_ours_only: whether only what lexurn wrote counts.
        workers: how many processes work; by default one for each processor.

    Raises:
        MissingExtraError: a package that reads a format is not installed.
    """
    named = ((Path(path), str(path)) for path in paths)
    yield from _extracted(named, is_ours_only=is_ours_only, workers=workers)


def _extracted(
    files: Iterator[Named], *, is_ours_only: bool, workers: int | None
) -> Iterator[Extraction]:
    first = list(islice(files, _WORTH))
    count = _most(workers) if len(first) == _WORTH else 1
    every = chain(first, files)
    if count == 1:
        yield from (extract(path, name=name, is_ours_only=is_ours_only) for path, name in every)
        return
    with Workers(count) as started:
        tasks = ((lot, is_ours_only) for lot in _lots(every))
        yield from chain.from_iterable(started.map(_work, tasks))


def _most(workers: int | None) -> int:
    return max(workers, 1) if workers is not None else min(os.cpu_count() or 1, _MOST_WORKERS)


def _lots(files: Iterable[Named]) -> Iterator[list[Named]]:
    """Some files at a time, few where they are large."""
    lot: list[Named] = []
    size = 0
    for path, name in files:
        lot.append((path, name))
        with suppress(OSError, ValueError):
            size += path.stat().st_size
        if len(lot) == _LOT or size >= _LARGEST_LOT:
            yield lot
            lot, size = [], 0
    if lot:
        yield lot


def _work(lot: list[Named], is_ours_only: bool) -> list[Extraction]:  # noqa: FBT001 - a task
    return [extract(path, name=name, is_ours_only=is_ours_only) for path, name in lot]
