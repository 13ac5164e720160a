"""Which file of a folder has which name, as a manifest says it: kept on disk, not in memory."""

from __future__ import annotations

import os
import pickle
import sqlite3
from typing import TYPE_CHECKING, NamedTuple

from lexurn.embedding._findings import finding
from lexurn.embedding._outcome import Done, Outcome
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path

    from lexurn.embedding._site import Site
    from lexurn.model import Family, Record
    from lexurn.name import Name

__all__ = ["Job", "Pairs", "family_kept", "jobs_between"]

# Paths are bytes, as the disk has them: they need not be text.
_SCHEMA = """
CREATE TABLE family (id INTEGER PRIMARY KEY, records BLOB NOT NULL);
CREATE TABLE wish (
    real BLOB NOT NULL, path BLOB NOT NULL, name TEXT NOT NULL, canonical TEXT NOT NULL,
    place TEXT NOT NULL, family INTEGER NOT NULL
);
CREATE INDEX wish_real ON wish (real);
CREATE TABLE job (
    id INTEGER PRIMARY KEY, path BLOB NOT NULL, name TEXT, place TEXT NOT NULL, family INTEGER
);
"""
_JOBS_OF_ONE = """
INSERT INTO job (path, name, place, family)
SELECT path, name, place, family FROM wish
GROUP BY real HAVING COUNT(DISTINCT name) = 1 ORDER BY family, path
"""
_CONTESTED = """
SELECT real FROM wish GROUP BY real HAVING COUNT(DISTINCT name) > 1 ORDER BY MIN(path)
"""
_ADD_JOB = "INSERT INTO job (path, name, place, family) VALUES (?, ?, ?, ?)"
_SHOWN = 3


class Job(NamedTuple):
    """A file, and what is to be said in it.

    Attributes:
        path: its path, from the folder down.
        name: its name; None where the name is to be taken out.
        place: the row that says so, for people.
        family: the number of the family of the name, by which it is kept.
    """

    path: str
    name: str | None
    place: str
    family: int | None


class Pairs:
    """The pairs of files and names of one run.

    Attributes:
        table: where they are kept.
        elsewhere: the first URL that is none of the site, None while there is none.
    """

    def __init__(self, table: Path, folder: Path, site: Site | None) -> None:
        """Begin with none.

        Args:
            table: a new file, where they are kept.
            folder: the folder of the files.
            site: where the folder is on the web; None where URLs say nothing of it.
        """
        self.table = table
        self.elsewhere: str | None = None
        self._folder, self._site = folder, site
        self._connection = sqlite3.connect(table, isolation_level=None)
        self._connection.executescript(
            f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}"
        )

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def take(self, family: Family) -> Iterator[Outcome]:
        """Keep which files have names of a family; gives what is wrong with its rows."""
        number: int | None = None
        for record in family.records:
            for path in self._paths_of(record):
                if isinstance(path, Outcome):
                    yield path
                    continue
                if number is None:
                    number = self._keep(family)
                self._want(path, record, family, number)

    def _paths_of(self, record: Record) -> Iterator[str | Outcome]:
        """The files of a record, from the folder down; an outcome for what is none."""
        yield from record.files
        site = self._site
        if site is None:
            return
        for item in record.items:
            try:
                path = site.path_of(item.url)
                has_query = site.has_query(item.url)
            except ValueError as fault:
                yield _astray(record, item.url, "LX393", str(fault))
                continue
            if has_query:
                yield _astray(record, item.url, "LX398")
            elif path is None:
                self.elsewhere = self.elsewhere or item.url
            else:
                is_folder = os.path.isdir(self._folder / path)  # noqa: PTH112 - for names too long, too
                yield f"{path}/index.html" if is_folder else path

    def _keep(self, family: Family) -> int:
        data = pickle.dumps(family, pickle.HIGHEST_PROTOCOL)
        done = self._connection.execute("INSERT INTO family (records) VALUES (?)", (data,))
        return int(done.lastrowid or 0)

    def _want(self, path: str, record: Record, family: Family, number: int) -> None:
        name, canonical = str(record.name), str(family.canonical(record.name))
        row = (self._real(path), os.fsencode(path), name, canonical, _place(record), number)
        self._connection.execute("INSERT INTO wish VALUES (?, ?, ?, ?, ?, ?)", row)

    def _real(self, path: str | Path) -> bytes:
        return os.fsencode(os.path.realpath(self._folder / path))

    def settle(self, only: frozenset[str] | None = None) -> Iterator[Outcome]:
        """Decide which name each file gets; gives the files for which that cannot be said.

        Args:
            only: the files that are meant, links followed; None for all.
        """
        if only is not None:
            self._drop_others(only)
        self._connection.execute(_JOBS_OF_ONE)
        for (real,) in self._connection.execute(_CONTESTED).fetchall():
            yield from self._decide(real)

    def _drop_others(self, only: frozenset[str]) -> None:
        self._connection.execute("CREATE TEMP TABLE meant (real BLOB PRIMARY KEY)")
        paths = ((os.fsencode(path),) for path in only)
        self._connection.executemany("INSERT INTO meant VALUES (?)", paths)
        self._connection.execute("DELETE FROM wish WHERE real NOT IN (SELECT real FROM meant)")

    def _decide(self, real: bytes) -> Iterator[Outcome]:
        query = "SELECT path, name, canonical, place, family FROM wish WHERE real = ?"
        rows = self._connection.execute(query, (real,)).fetchall()
        places: dict[Name, str] = {}
        for _, _, canonical, place, _ in rows:
            places.setdefault(parse(canonical), place)
        names = tuple(places)
        name = _lowest(names)
        path = os.fsdecode(rows[0][0])
        if name is None:
            yield _contested(path, self._folder, places)
            return
        place, family = next((p, f) for _, _, c, p, f in rows if c == str(name))
        self._connection.execute(_ADD_JOB, (rows[0][0], str(name), place, family))

    def add(self, paths: Iterable[str]) -> None:
        """Files whose names are to be taken out, each once, however many links lead to it."""
        take, add = self._connection.execute, _ADD_JOB
        take("CREATE TEMP TABLE IF NOT EXISTS taken (real BLOB PRIMARY KEY)")
        for path in paths:
            if take("INSERT OR IGNORE INTO taken VALUES (?)", (self._real(path),)).rowcount:
                take(add, (os.fsencode(path), None, "", None))

    @property
    def is_empty(self) -> bool:
        """Whether no row names a file."""
        return self._connection.execute("SELECT 1 FROM wish LIMIT 1").fetchone() is None

    @property
    def count(self) -> int:
        """How many files there are to do."""
        return int(self._connection.execute("SELECT COUNT(*) FROM job").fetchone()[0])

    def is_named(self, path: str | Path) -> bool:
        """Whether a row names a file, from the folder down, or wherever it is."""
        query = "SELECT 1 FROM wish WHERE real = ?"
        return self._connection.execute(query, (self._real(path),)).fetchone() is not None


def _lowest(names: tuple[Name, ...]) -> Name | None:
    """The name that all others stand above, None where they are of different documents.

    A copy may be stated of the work, the version and the file form alike: then it is the last.
    """
    for name in names:
        above = {name, *name.ancestors()}
        if all(other in above for other in names):
            return name
    return None


def _place(record: Record) -> str:
    source = record.source
    return "the manifest" if source is None else f"{source.file}:{source.line}"


def _astray(record: Record, url: str, code: str, why: str = "") -> Outcome:
    file, line = (url, 0) if record.source is None else (record.source.file, record.source.line)
    place, name = _place(record), record.name
    found = finding(code, file, line=line, text=url, place=place, name=name, url=url, why=why)
    done = Done.REFUSED if found.severity == "error" else Done.ABSENT
    return Outcome(file=url, name=record.name, done=done, findings=(found,))


def _contested(path: str, folder: Path, names: Mapping[Name, str]) -> Outcome:
    first = [f"{name} ({place})" for name, place in names.items()][:_SHOWN]
    shown = ", ".join(first) + (", ..." if len(names) > _SHOWN else "")
    found = finding("LX391", str(folder / path), count=len(names), names=shown)
    return Outcome(file=path, done=Done.REFUSED, findings=(found,))


def jobs_between(connection: sqlite3.Connection, first: int, last: int) -> list[Job]:
    """The jobs of some numbers, both included."""
    query = "SELECT path, name, place, family FROM job WHERE id BETWEEN ? AND ? ORDER BY id"
    rows = connection.execute(query, (first, last)).fetchall()
    return [Job(os.fsdecode(path), name, place, family) for path, name, place, family in rows]


def family_kept(connection: sqlite3.Connection, number: int) -> Family:
    """The family of a number."""
    query = "SELECT records FROM family WHERE id = ?"
    (data,) = connection.execute(query, (number,)).fetchone()
    family: Family = pickle.loads(data)  # noqa: S301 - written by this very run
    return family
