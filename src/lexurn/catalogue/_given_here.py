"""Names given out by a catalogue in a folder: ``given.sqlite`` beside its store."""

from __future__ import annotations

import datetime as dt
import sqlite3
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from lexurn.catalogue._given import GivenName, moment, series_before
from lexurn.catalogue._index import STALE
from lexurn.catalogue._journal import names_in
from lexurn.errors import CatalogueError
from lexurn.minting import series_of
from lexurn.name import parse

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator

    from lexurn.catalogue._given import Claim
    from lexurn.catalogue._index import Index
    from lexurn.name import Name

__all__ = ["ClaimsHere"]

_VERSION: Final = 1
_WAIT: Final = 120.0
_SCHEMA: Final = f"""
CREATE TABLE given (
  name TEXT PRIMARY KEY, given_on TEXT NOT NULL, place TEXT NOT NULL, digest TEXT NOT NULL
  ) WITHOUT ROWID;
CREATE INDEX given_by_place ON given (place, digest);
CREATE TABLE series (before TEXT PRIMARY KEY, last INTEGER NOT NULL) WITHOUT ROWID;
PRAGMA user_version = {_VERSION};
"""
_RAISE: Final = (
    "INSERT INTO series VALUES (?, ?) "
    "ON CONFLICT (before) DO UPDATE SET last = MAX(last, excluded.last)"
)
_GIVEN: Final = "SELECT name, given_on, place FROM given WHERE name > ? ORDER BY name LIMIT ?"
_BATCH: Final = 1_000
_NUMBERED: Final = "SELECT name FROM act WHERE name >= ? AND name < ?"


class _Seen(NamedTuple):
    """What was read of an index.

    Attributes:
        version: when: another one has changed.
        arriving: the names that a load has begun to write.
        highest: by series, the highest N of ``lex-N``.
    """

    version: object
    arriving: frozenset[str]
    highest: dict[str, int]


class ClaimsHere:
    """See `lexurn.catalogue._given.Claims`; one process at a time has its turn.

    The index is only read, so that a load may go on meanwhile.
    """

    def __init__(self, folder: str, index: Index) -> None:
        """Open what was given out; the file is made where there is none.

        Raises:
            CatalogueError: it cannot be opened, is damaged, or another version made it.
        """
        self._path = Path(folder) / "given.sqlite"
        self._mark = Path(folder) / "given.begun"
        self._index = index
        self._depth = 0
        self._seen = _Seen(None, frozenset(), {})
        with self._faults():
            self._database = sqlite3.connect(self._path, isolation_level=None, timeout=_WAIT)
            try:
                self._prepare()
            except BaseException:
                self._database.close()
                raise

    def _prepare(self) -> None:
        if self._mark.exists() and self._version() == 0:
            raise CatalogueError(
                f"{self._path} was lost or emptied; put a copy of it back, since it says which "
                f"names are taken (or remove {self._mark.name}, if they may be given again)"
            )
        # A power cut must not bring a number back: the folder is synchronised too.
        self._database.execute("PRAGMA synchronous = EXTRA")
        if self._version() != _VERSION:
            with self.turn():
                if self._version() == 0:
                    for statement in _SCHEMA.split(";\n"):
                        self._database.execute(statement)
        if self._version() != _VERSION:
            raise CatalogueError(
                f"{self._path} was made by another version of lexurn; mint with that version"
            )
        if not self._mark.exists():
            with suppress(OSError):  # who may only read lists what was given out
                self._mark.touch()  # behind the tables: it is never there without them

    def _version(self) -> int:
        (version,) = self._database.execute("PRAGMA user_version").fetchone()
        return int(version)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """What is claimed within is claimed for good at the end, or not at all."""
        if self._depth:
            yield
            return
        self._run("BEGIN IMMEDIATE")
        self._depth = 1
        try:
            yield
            self._run("COMMIT")
        except BaseException:
            # SQLite has done so itself where the disk is full.
            if self._database.in_transaction:
                self._run("ROLLBACK")
            raise
        finally:
            self._depth = 0

    def has(self, name: Name) -> bool:
        """Whether a name is held by the catalogue, on its way into it, or given out."""
        text = str(name)
        if self._row("SELECT 1 FROM given WHERE name = ?", text):
            return True
        return text in self._index_now.arriving or self._is_held(name)

    def known(self, acts: Collection[str]) -> Collection[str]:
        """Which of some acts are held by the catalogue, on their way into it, or given out."""
        given = (self._row("SELECT name FROM given WHERE name = ?", act) for act in acts)
        held = self._index_now.arriving.intersection(acts) | self._index.known(acts)
        return {*(name for (name,) in filter(None, given)), *held}

    def _is_held(self, name: Name) -> bool:
        if name == name.act_name:
            found = self._index.is_any([str(name)])
        else:
            family = self._index.family(str(name.act_name))
            found = family is not None and any(record.name == name for record in family.records)
        if not found:
            self._check_whole()
        return found

    def _check_whole(self) -> None:
        """Refuse to believe an index that is being made anew.

        Raises:
            CatalogueError: names may be missing from it.
        """
        if self._index.setting(STALE):
            raise CatalogueError(
                f"{self._path.parent}: its index of names is being made again; mint when it is done"
            )

    @property
    def _index_now(self) -> _Seen:
        """What was read of the index, remembered until somebody changes it."""
        # The first counts what other connections commit, the second what this one does.
        version = (*self._index.rows("PRAGMA data_version"), self._index.database.total_changes)
        if self._seen.version != version:
            journal = self._index.pending()
            arriving = frozenset() if journal is None else names_in(journal)
            self._seen = _Seen(version, arriving, {})
        return self._seen

    def highest(self, before: str) -> int:
        """The highest N of ``lex-N`` that stands behind ``before``, held or given out; else 0."""
        series = series_before(before)
        if series is None:
            return 0
        given = self._row("SELECT last FROM series WHERE before = ?", series)
        return max(given[0] if given else 0, self._highest_held(series))

    def _highest_held(self, series: str) -> int:
        seen = self._index_now
        if series not in seen.highest:
            # "." comes right behind "-".
            rows = self._index.rows(_NUMBERED, f"{series}lex-", f"{series}lex.")
            names = [name for (name,) in rows]
            names += (name for name in seen.arriving if name.startswith(series))
            seen.highest[series] = _highest_in(names, series)
            self._check_whole()
        return seen.highest[series]

    def claim(self, claim: Claim) -> bool:
        """Write a claim down; False where the name is given out already."""
        row = (str(claim.name), moment(), claim.place, claim.digest)
        with self._faults():
            done = self._database.execute("INSERT OR IGNORE INTO given VALUES (?, ?, ?, ?)", row)
            numbered = series_of(str(claim.name.act_name))
            if done.rowcount and numbered is not None:
                self._database.execute(_RAISE, numbered)
        return bool(done.rowcount)

    def earlier(self, place: str, digest: str) -> str | None:
        """The name that was given to the same metadata at the same place."""
        row = self._row("SELECT name FROM given WHERE place = ? AND digest = ?", place, digest)
        return None if row is None else str(row[0])

    def waiting(self) -> Iterator[GivenName]:
        """Names given out that the catalogue does not hold, sorted."""
        last = ""
        # Some at a time: a query that stays open would keep all others from minting.
        while rows := self._rows(_GIVEN, last, _BATCH):
            for name, given_on, place in rows:
                if not self._is_held(parse(name)):
                    when = dt.datetime.fromisoformat(given_on)
                    yield GivenName(name=name, given_on=when, place=place)
            last = rows[-1][0]

    def close(self) -> None:
        """Let go of the file."""
        self._database.close()

    def _row(self, statement: str, *values: object) -> tuple[Any, ...] | None:
        return next(iter(self._rows(statement, *values)), None)

    def _rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        with self._faults():
            return self._database.execute(statement, values).fetchall()

    def _run(self, statement: str) -> None:
        with self._faults():
            self._database.execute(statement)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Faults of SQLite in words.

        Raises:
            CatalogueError: in place of what SQLite raises.
        """
        try:
            yield
        except sqlite3.Error as fault:
            raise CatalogueError(f"{self._path}: {_explained(fault)}") from None


def _highest_in(names: Iterable[str], series: str) -> int:
    """The highest N of the names that are ``lex-N`` behind ``series``."""
    found = (series_of(name) for name in names)
    return max((number for before, number in filter(None, found) if before == series), default=0)


def _explained(fault: sqlite3.Error) -> str:
    message = str(fault)
    if "locked" in message:
        return "others mint without a pause; try again"
    if "full" in message or "disk I/O" in message:
        return f"the disk takes no more ({message}); free space, then mint again"
    if "readonly" in message or "unable to open" in message:
        return "cannot be written; minting has to note the names that it gives out"
    if "not a database" in message or "malformed" in message:
        return f"is damaged ({message}); put a copy of it back, since it says which names are taken"
    return message
