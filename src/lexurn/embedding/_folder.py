"""Whole folders: each file gets the name that a manifest has for it.

Which file has which name is said in one of two ways: the URL of a copy, which lies below the URL
of the site, is the file that lies there below the folder; or a column ``file`` names it. A run that
was interrupted is simply run again: what has its name already is not touched.
"""

from __future__ import annotations

import errno
import os
import sqlite3
import tempfile
from collections import deque
from contextlib import closing, contextmanager
from itertools import chain, takewhile
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.embedding._embed import check_base
from lexurn.embedding._findings import EmbeddingError, finding
from lexurn.embedding._lots import Setting, paths_between, work
from lexurn.embedding._outcome import Done, Outcome
from lexurn.embedding._pairs import Pairs
from lexurn.embedding._scratch import no_room
from lexurn.embedding._sidecar import own_change
from lexurn.embedding._sidecar_names import document_beside
from lexurn.embedding._site import site_of
from lexurn.embedding._treating import Manner
from lexurn.embedding._walk import documents_in, is_document, relative
from lexurn.files import is_leftover, leftovers
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from lexurn.model import Family

    Progress = Callable[[str, int, int | None], None]

__all__ = ["embed_folder", "remove_folder"]

# Few enough that an interruption leaves little undone, many enough that a process is told seldom.
_LOT = 32
_STEP = 1_000
# As many files as are done in the time that it takes to start another process.
_WORTH = 250
_MOST_WORKERS = 16


def embed_folder(  # noqa: PLR0913 - options by name, each with a default
    families: Iterable[Family],
    folder: str | Path,
    *,
    site: str | None = None,
    base: str | None = None,
    manner: Manner | None = None,
    only: Iterable[str | Path] | None = None,
    workers: int | None = None,
    on_progress: Progress | None = None,
    is_ended: Callable[[], bool] | None = None,
) -> Generator[Outcome]:
    """Put names into the files of a folder; gives what becomes of each, as it goes.

    Besides, files that could have a name and that no row names are given, and rows whose file is
    not there. Links out of the folder are refused.

    Args:
        families: what a manifest has, `lexurn.manifest.Manifest.families`.
        folder: the folder.
        site: the URL of the folder on the web; without it only the column ``file`` counts.
        base: the base of HTTP URIs; None for none.
        manner: how files are treated; without it nothing is written.
        only: the files that are meant; None for all.
        workers: how many processes work; by default one for each processor.
        on_progress: told of each step: ``reading`` or ``embedding``, how many, of how many.
        is_ended: asked now and then; once it is true, the files that are under way are finished,
            and no others begun.

    Raises:
        EmbeddingError: there is no such folder.
        ValueError: the site or the base is none.
        ManifestError: as the families.
    """
    check_base(base)
    where = None if site is None else site_of(site)
    place = _checked(folder)
    only = None if only is None else tuple(map(Path, only))
    meant = None if only is None else frozenset(map(os.path.realpath, only))
    tell, is_ended = on_progress or _silent, is_ended or _never
    with _scratch() as table, closing(Pairs(table, place, where)) as pairs:
        yield from _take_all(pairs, takewhile(lambda _: not is_ended(), families), tell)
        if is_ended():
            return
        if pairs.is_empty:
            yield _no_file(place, pairs.elsewhere)
        yield from pairs.settle(meant)
        setting = Setting(table=table, folder=place, base=base, manner=manner or Manner())
        yield from _run(setting, pairs.count, workers, tell, is_ended)
        rest = _unnamed(pairs, place) if only is None else _unmatched(pairs, only)
        yield from takewhile(lambda _: not is_ended(), rest)


def remove_folder(
    folder: str | Path,
    *,
    manner: Manner | None = None,
    workers: int | None = None,
    on_progress: Progress | None = None,
    is_ended: Callable[[], bool] | None = None,
) -> Generator[Outcome]:
    """Take the names out of all files of a folder; gives what becomes of each.

    These are documents by their suffixes, or by what is in them. What is hidden is left out.

    Args:
        folder: the folder.
        manner: how files are treated; without it nothing is written.
        workers: how many processes work; by default one for each processor.
        on_progress: told of how many files are done, of how many.
        is_ended: as `embed_folder`.

    Raises:
        EmbeddingError: there is no such folder.
    """
    place = _checked(folder)
    is_ended = is_ended or _never
    closed: list[OSError] = []
    with _scratch() as table, closing(Pairs(table, place, None)) as pairs:
        every = documents_in(place, is_document=is_document, on_error=closed.append)
        meant = takewhile(lambda _: not is_ended(), every)
        pairs.add(relative(each, place) for each in meant if not is_leftover(each.name))
        setting = Setting(table=table, folder=place, base=None, manner=manner or Manner())
        yield from _run(setting, pairs.count, workers, on_progress or _silent, is_ended)
    yield from map(_closed, closed)


def _closed(fault: OSError) -> Outcome:
    """A folder whose files nobody may look at."""
    found = finding("LX301", str(fault.filename), why=fault.strerror)
    return Outcome(file=str(fault.filename), done=Done.REFUSED, findings=(found,))


def _silent(_what: str, _done: int, _total: int | None) -> None:
    """Tell nobody."""


def _never() -> bool:
    return False


def _checked(folder: str | Path) -> Path:
    place = Path(folder)
    if not place.is_dir():
        why = "it is no folder" if place.exists() else "there is no such folder"
        raise EmbeddingError(finding("LX301", str(place), why=why))
    return place


@contextmanager
def _scratch() -> Iterator[Path]:
    """A path for a table that is gone afterwards.

    Raises:
        EmbeddingError: the disk does not hold it.
    """
    try:
        with tempfile.TemporaryDirectory(prefix="lexurn-", ignore_cleanup_errors=True) as folder:
            yield Path(folder).resolve() / "pairs.sqlite"
    except sqlite3.Error as full:
        raise no_room(full) from None


def _take_all(pairs: Pairs, families: Iterable[Family], tell: Progress) -> Iterator[Outcome]:
    names = 0
    for family in families:
        yield from pairs.take(family)
        before, names = names, names + len(family.records)
        if before // _STEP != names // _STEP:
            tell("reading", names, None)


def _no_file(folder: Path, url: str | None) -> Outcome:
    elsewhere = "" if url is None else f" (a URL is {url}, which is not below that of the site)"
    found = finding("LX394", str(folder), elsewhere=elsewhere)
    return Outcome(file=".", done=Done.REFUSED, findings=(found,))


def _run(
    setting: Setting,
    count: int,
    workers: int | None,
    tell: Progress,
    is_ended: Callable[[], bool],
) -> Iterator[Outcome]:
    """All files, by several processes; what a sudden end leaves unfinished is put away."""
    under_way: deque[tuple[int, int]] = deque()

    def tasks() -> Iterator[tuple[Setting, int, int]]:
        for first in range(1, count + 1, _LOT):
            if is_ended():
                return
            last = min(first + _LOT - 1, count)
            under_way.append((first, last))
            yield setting, first, last

    done = 0
    try:
        with Workers(_count(workers, count)) as started:
            for outcomes in started.map(work, tasks()):
                yield from outcomes
                under_way.popleft()
                done += len(outcomes)
                tell("embedding", done, count)
    finally:
        _tidy(setting, under_way)


def _tidy(setting: Setting, lots: Iterable[tuple[int, int]]) -> None:
    """Delete what processes that were ended in the middle of their work had begun to write."""
    if not setting.manner.writes:
        return
    paths = chain.from_iterable(
        paths_between(setting.table, setting.folder, first, last) for first, last in lots
    )
    for part in leftovers(*(Path(os.path.realpath(path)) for path in paths)):
        part.unlink(missing_ok=True)


def _count(workers: int | None, files: int) -> int:
    if workers is not None:
        return max(workers, 1)
    return min(os.cpu_count() or 1, _MOST_WORKERS, 1 + files // _WORTH)


def _unmatched(pairs: Pairs, only: Iterable[Path]) -> Iterator[Outcome]:
    """The files that were asked for and that no row names."""
    for path in only:
        if not pairs.is_named(path.absolute()):
            gone = finding("LX301", str(path), why=os.strerror(errno.ENOENT))
            found = finding("LX396", str(path)) if lexists(path) else gone
            yield Outcome(file=str(path), done=Done.UNNAMED, findings=(found,))


def _unnamed(pairs: Pairs, folder: Path) -> Iterator[Outcome]:
    """The files that no row names, and what runs that were killed have left."""
    closed: list[OSError] = []
    for path in documents_in(folder, on_error=closed.append):
        file = relative(path, folder)
        if is_leftover(path.name):
            found = finding("LX395", str(path))
            yield Outcome(file=file, done=Done.UNNAMED, findings=(found,))
        elif (document := document_beside(path.name)) is not None:
            if not own_change(path, file):
                continue
            found = finding("LX397", str(path), document=document)
            yield Outcome(file=file, done=Done.UNNAMED, findings=(found,))
        elif not pairs.is_named(file):
            found = finding("LX392", str(path))
            yield Outcome(file=file, done=Done.UNNAMED, findings=(found,))
    yield from map(_closed, closed)
