"""What one process does at a time: some files of a folder."""

from __future__ import annotations

import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from lexurn.embedding._findings import finding
from lexurn.embedding._outcome import Done, Outcome
from lexurn.embedding._pairs import family_kept, jobs_between
from lexurn.embedding._treating import Manner, Wish, treated
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from lexurn.embedding._pairs import Job

__all__ = ["Setting", "paths_between", "work"]

# While some files are brought to the disk, others are read.
_AT_ONCE = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What all files of a run have in common.

    Attributes:
        table: where it is kept which file has which name.
        folder: the folder of the files.
        base: the base of HTTP URIs.
        manner: how they are treated.
    """

    table: Path
    folder: Path
    base: str | None
    manner: Manner


def work(setting: Setting, first: int, last: int) -> list[Outcome]:
    """What becomes of the files of some numbers, both included, in order."""
    with closing(_reader(setting.table)) as connection:
        wishes = list(_wishes(setting, connection, jobs_between(connection, first, last)))
    with ThreadPoolExecutor(_AT_ONCE) as threads:
        return list(threads.map(partial(_outcome, setting), *zip(*wishes, strict=True)))


def _wishes(
    setting: Setting, connection: sqlite3.Connection, jobs: list[Job]
) -> Iterator[tuple[Job, Wish]]:
    number, family = None, None
    for job in jobs:
        if job.family is not None and job.family != number:
            number, family = job.family, family_kept(connection, job.family)
        wish = Wish(
            name=None if job.name is None else parse(job.name),
            records=() if family is None else family,
            base=setting.base,
        )
        yield job, wish


def _outcome(setting: Setting, job: Job, wish: Wish) -> Outcome:
    path = setting.folder / job.path
    if _is_absent(path):
        found = finding("LX390", str(path), place=job.place, name=job.name)
        return Outcome(file=job.path, name=wish.name, done=Done.ABSENT, findings=(found,))
    return replace(treated(path, wish, setting.manner, setting.folder), file=job.path)


def _is_absent(path: Path) -> bool:
    """Whether nothing is there; what may not be looked at is no such thing."""
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False
    return False


def paths_between(table: Path, folder: Path, first: int, last: int) -> list[Path]:
    """The files of some numbers."""
    with closing(_reader(table)) as connection:
        return [folder / job.path for job in jobs_between(connection, first, last)]


def _reader(table: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{table.as_uri()}?mode=ro", uri=True)
