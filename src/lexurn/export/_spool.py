"""What one run keeps outside memory: chunks of families, and which paths are taken."""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
import tempfile
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.errors import PublishError
from lexurn.export._disk import naming
from lexurn.export._paths import collision_key, segments_of
from lexurn.model import family_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.model import Family
    from lexurn.name import Name

__all__ = ["Claim", "Spool", "claims_of", "families_in", "is_published", "opened_spool"]

Claim = tuple[bytes, str]
"""A path, digested, and the name whose folder it is."""

_SCHEMA = "CREATE TABLE taken (path BLOB PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID"
_CHUNK_RECORDS = 1_000
_readers: dict[Path, sqlite3.Connection] = {}


class Spool:
    """Chunks of families in one file, read as often as needed; the paths taken in a table."""

    def __init__(self, folder: Path) -> None:
        self.table = folder / "paths.sqlite"
        self._chunks = (folder / "chunks").open("w+b")
        self._places: list[tuple[int, int]] = []
        self._connection = sqlite3.connect(self.table, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute(_SCHEMA)

    def close(self) -> None:
        """Let go of the files."""
        self._connection.close()
        self._chunks.close()
        reader = _readers.pop(self.table, None)
        if reader is not None:
            reader.close()

    def keep(self, families: Iterable[Family]) -> Iterator[bytes]:
        """Keep families in chunks of about 1,000 records: what one worker does at a time."""
        batch: list[tuple[object, object]] = []
        records = 0
        for family in families:
            batch.append((family.records, family.shared))
            records += len(family.records)
            if records >= _CHUNK_RECORDS:
                yield self._kept(batch)
                batch, records = [], 0
        if batch:
            yield self._kept(batch)

    def _kept(self, batch: list[tuple[object, object]]) -> bytes:
        chunk = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
        with naming(Path(tempfile.gettempdir())):
            start = self._chunks.seek(0, 2)
            self._chunks.write(chunk)
            self._chunks.flush()
        self._places.append((start, len(chunk)))
        return chunk

    def chunks(self) -> Iterator[bytes]:
        """The chunks, in their order."""
        for start, length in self._places:
            self._chunks.seek(start)
            yield self._chunks.read(length)

    def claim(self, claims: Sequence[Claim]) -> None:
        """Take paths for names.

        Raises:
            PublishError: two names fall on one path of a disk that does not tell cases apart.
        """
        with naming(Path(tempfile.gettempdir())), _sqlite_faults():
            self._connection.execute("BEGIN")
            done = self._connection.executemany("INSERT OR IGNORE INTO taken VALUES (?, ?)", claims)
            self._connection.execute("COMMIT")
        if done.rowcount != len(claims):
            self._refuse_clash(claims)

    def _refuse_clash(self, claims: Sequence[Claim]) -> None:
        for path, name in claims:
            (holder,) = self._connection.execute(
                "SELECT name FROM taken WHERE path = ?", (path,)
            ).fetchone()
            if holder != name:
                raise PublishError(
                    f"{holder} and {name} fall on one path where a disk does not tell upper from "
                    "lower case, so nothing was written; leave one of them out of the manifest"
                )


@contextmanager
def _sqlite_faults() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as fault:
        place = tempfile.gettempdir()
        raise PublishError(
            f"the temporary folder {place} cannot be written: {fault}; free space there, or name "
            "another folder in TMPDIR"
        ) from fault


@contextmanager
def opened_spool() -> Iterator[Spool]:
    """A spool in a temporary folder that is gone afterwards.

    Raises:
        PublishError: the temporary folder cannot be written.
    """
    with ExitStack() as stack:
        with naming(Path(tempfile.gettempdir())), _sqlite_faults():
            temporary = tempfile.TemporaryDirectory(prefix="lexurn-", ignore_cleanup_errors=True)
            spool = Spool(Path(stack.enter_context(temporary)))
        stack.enter_context(closing(spool))
        yield spool


def families_in(chunk: bytes) -> tuple[Family, ...]:
    """The families of a chunk."""
    batch = pickle.loads(chunk)  # noqa: S301 - written by this very run
    return tuple(family_of(*family) for family in batch)


def claims_of(families: Iterable[Family]) -> list[Claim]:
    """The path of each name of some families, digested so that a table of them stays small."""
    return [
        (_digest(record.name), str(record.name)) for family in families for record in family.records
    ]


def _digest(name: Name) -> bytes:
    key = collision_key(segments_of(name)).encode()
    return hashlib.blake2b(key, digest_size=16).digest()


def is_published(table: Path, name: Name) -> bool:
    """Whether this run publishes a page about a name."""
    reader = _readers.get(table)
    if reader is None:
        reader = _readers[table] = sqlite3.connect(f"{table.as_uri()}?mode=ro", uri=True)
    question = "SELECT name FROM taken WHERE path = ?"
    holder: tuple[str] | None = reader.execute(question, (_digest(name),)).fetchone()
    return holder == (str(name),)
