"""Spool of one run on disk: chunks of families, and the paths that are taken."""

from __future__ import annotations

import hashlib
import pickle
import sqlite3
import tempfile
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lexurn.errors import PublishError
from lexurn.model import family_of
from lexurn.pages import locate_folder, make_collision_key
from lexurn.publishing.site import explain_disk_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from lexurn.model import Family
    from lexurn.name import Name

PathClaim = tuple[bytes, str]
"""Digest of a path, and the name whose folder it is."""

_SCHEMA = "CREATE TABLE taken (path BLOB PRIMARY KEY, name TEXT NOT NULL) WITHOUT ROWID"
_CHUNK_RECORDS = 1_000
_readers: dict[Path, sqlite3.Connection] = {}


class Spool:
    """Chunks of families in one file, and a table of the paths that are taken."""

    def __init__(self, folder: Path) -> None:
        self.table = folder / "paths.sqlite"
        self._chunks = (folder / "chunks").open("w+b")
        self._places: list[tuple[int, int]] = []
        self._connection = sqlite3.connect(self.table, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = OFF")
        self._connection.execute("PRAGMA synchronous = OFF")
        self._connection.execute(_SCHEMA)

    def close(self) -> None:
        """Close the files."""
        self._connection.close()
        self._chunks.close()
        reader = _readers.pop(self.table, None)
        if reader is not None:
            reader.close()

    def add_families(self, families: Iterable[Family]) -> Iterator[bytes]:
        """Store families, and yield them in chunks of about 1,000 records, one task each."""
        batch: list[tuple[object, object]] = []
        records = 0
        for family in families:
            batch.append((family.records, family.shared))
            records += len(family.records)
            if records >= _CHUNK_RECORDS:
                yield self._add_chunk(batch)
                batch, records = [], 0
        if batch:
            yield self._add_chunk(batch)

    def _add_chunk(self, batch: list[tuple[object, object]]) -> bytes:
        chunk = pickle.dumps(batch, pickle.HIGHEST_PROTOCOL)
        with explain_disk_errors(Path(tempfile.gettempdir())):
            start = self._chunks.seek(0, 2)
            self._chunks.write(chunk)
            self._chunks.flush()
        self._places.append((start, len(chunk)))
        return chunk

    def chunks(self) -> Iterator[bytes]:
        """Yield the chunks, in their order."""
        for start, length in self._places:
            self._chunks.seek(start)
            yield self._chunks.read(length)

    def claim(self, claims: Sequence[PathClaim]) -> None:
        """Take paths for names.

        Raises:
            PublishError: two names have one path on a disk that ignores case.
        """
        with explain_disk_errors(Path(tempfile.gettempdir())), _explain_sqlite_errors():
            self._connection.execute("BEGIN")
            done = self._connection.executemany("INSERT OR IGNORE INTO taken VALUES (?, ?)", claims)
            self._connection.execute("COMMIT")
        if done.rowcount == len(claims):
            return
        for path, name in claims:
            question = "SELECT name FROM taken WHERE path = ?"
            (holder,) = self._connection.execute(question, (path,)).fetchone()
            if holder != name:
                raise PublishError(
                    f"{holder} and {name} have one path on a disk that ignores case; nothing was "
                    "written. Leave one of them out of the manifest."
                )


@contextmanager
def _explain_sqlite_errors() -> Iterator[None]:
    try:
        yield
    except sqlite3.OperationalError as fault:
        place = tempfile.gettempdir()
        raise PublishError(
            f"The temporary folder {place} cannot be written: {fault}. Free space there, or name "
            "another folder in TMPDIR."
        ) from fault


@contextmanager
def open_spool() -> Iterator[Spool]:
    """Open a spool in a temporary folder that is removed afterwards.

    Raises:
        PublishError: the temporary folder cannot be written.
    """
    with ExitStack() as stack:
        with explain_disk_errors(Path(tempfile.gettempdir())), _explain_sqlite_errors():
            temporary = tempfile.TemporaryDirectory(prefix="lexurn-", ignore_cleanup_errors=True)
            spool = Spool(Path(stack.enter_context(temporary)))
        stack.enter_context(closing(spool))
        yield spool


def read_families(chunk: bytes) -> tuple[Family, ...]:
    """Read the families of a chunk."""
    batch = pickle.loads(chunk)  # noqa: S301 - written by this very run
    return tuple(family_of(*family) for family in batch)


def make_claims(families: Iterable[Family]) -> list[PathClaim]:
    """Make the claim of each name to its path; digests keep the table small."""
    return [
        (_digest_path(record.name), str(record.name))
        for family in families
        for record in family.records
    ]


def _digest_path(name: Name) -> bytes:
    key = make_collision_key(locate_folder(name)).encode()
    return hashlib.blake2b(key, digest_size=16).digest()


def is_published(table: Path, name: Name) -> bool:
    """Return whether this run publishes a page about a name."""
    reader = _readers.get(table)
    if reader is None:
        reader = _readers[table] = sqlite3.connect(f"{table.as_uri()}?mode=ro", uri=True)
    question = "SELECT name FROM taken WHERE path = ?"
    holder: tuple[str] | None = reader.execute(question, (_digest_path(name),)).fetchone()
    return holder == (str(name),)
