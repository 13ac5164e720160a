"""Statements of a site in one file, ``catalogue.nq.gz``: written in chunks, and counted.

A gzip file may have several members (RFC 1952 section 2.2), and here each chunk of alias sets is
one. Where a chunk begins depends on the key of its first alias set alone. So one changed act
changes one chunk, and the others are copied as they are.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections import Counter
from contextlib import ExitStack, suppress
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple, Self

from lexurn import vocabulary as v
from lexurn.graph import Format, describe_concepts, write
from lexurn.publishing import site
from lexurn.publishing.dcat import CLASSES, STATEMENTS_FILE

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from lexurn.publishing.state import SiteSettings, SiteState

_CHUNK_SIZE = 64
"""Number of alias sets that a chunk has on average."""
_CONCEPTS = "~"
"""Key of the last chunk, that of the concepts; it comes after all names."""


class Chunk(NamedTuple):
    """Chunk of the file.

    Attributes:
        key: the key of its first alias set.
        end: the key of the first alias set after it.
        digest: the digest of its alias sets.
        has_stale: whether pages of its alias sets are to be written.
        place: its place in the file, where that has it: its start, its length and its counts.
    """

    key: str
    end: str
    digest: bytes
    has_stale: bool
    place: tuple[int, int, str] | None = None

    @property
    def is_due(self) -> bool:
        """True if pages or statements of its alias sets are to be written."""
        return self.key != _CONCEPTS and (self.has_stale or self.place is None)


class PackedChunk(NamedTuple):
    """Chunk that was made.

    Attributes:
        data: a member of a gzip file.
        counts: the numbers of its statements, without those on copies, and of the members of
            classes; its concepts.
        copies: digests of the statements on copies, and whether it is that of the class; several
            alias sets may have the same copy.
    """

    data: bytes
    counts: str
    copies: Sequence[tuple[bytes, bool]]


class StatementFigures(NamedTuple):
    """Numbers of statements, and of members of each of `CLASSES`; each copy counts once."""

    triples: int
    classes: Counter[str]


def list_chunks(state: SiteState, file: Path) -> list[Chunk]:
    """List the chunks of the alias sets, and last that of the concepts."""
    settings = json.dumps(state.settings).encode()
    chunks: list[Chunk] = []
    first, has_stale, digest = "", False, hashlib.blake2b(settings, digest_size=16)
    every = digest.copy()
    rows = state.rows("SELECT key, content, is_stale FROM alias_set ORDER BY key")
    for key, content, is_stale in chain(rows, [(_CONCEPTS, b"", False)]):
        is_start = key == _CONCEPTS or zlib.crc32(key.encode()) % _CHUNK_SIZE == 0
        if first and is_start:
            chunks.append(Chunk(first, key, digest.digest(), has_stale))
            first, has_stale, digest = "", False, hashlib.blake2b(settings, digest_size=16)
        first, has_stale = first or key, has_stale or bool(is_stale)
        for each in (digest, every):
            each.update(f"{key}\n".encode() + content)
    chunks.append(Chunk(_CONCEPTS, _CONCEPTS, every.digest(), has_stale=False))
    return _find_places(state, file, chunks)


def _find_places(state: SiteState, file: Path, chunks: list[Chunk]) -> list[Chunk]:
    """Find the chunks that the file has unchanged."""
    if not file.is_file():
        return chunks
    found: list[Chunk] = []
    query = "SELECT start, length, checksum, counts FROM chunk WHERE key = ? AND digest = ?"
    with site.explain_disk_errors(file), file.open("rb") as stream:
        for chunk in chunks:
            place = None
            for start, length, checksum, counts in state.rows(query, chunk.key, chunk.digest):
                stream.seek(start)
                if zlib.crc32(stream.read(length)) == checksum:
                    place = start, length, counts
            found.append(chunk._replace(place=place))
    return found


def pack_quads(quads: bytes, base: str, concepts: Iterable[str] = ()) -> PackedChunk:
    """Pack N-Quads, and count them."""
    ends = {each: f" {v.TYPE} {each} ".encode() for each in CLASSES}
    classes = Counter({each: quads.count(end) for each, end in ends.items()})
    own = re.escape(f"{base}/lex/".encode())
    foreign = re.findall(rb"^<(?!urn:lex:|%b).*\n" % own, quads, re.MULTILINE)
    copies = [
        (hashlib.blake2b(line, digest_size=16).digest(), ends[v.ITEM_CLASS] in line)
        for line in foreign
    ]
    classes[v.ITEM_CLASS] -= sum(is_item for _, is_item in copies)
    counts = {
        "triples": quads.count(b"\n") - len(copies),
        "classes": +classes,
        "concepts": sorted(concepts),
    }
    return PackedChunk(gzip.compress(quads, mtime=0), json.dumps(counts), copies)


class StatementsWriter:
    """Writer of the file: chunks that were made, and others of the old file.

    Attributes:
        has_changed: whether the file has changed.
    """

    def __init__(self, state: SiteState, settings: SiteSettings, chunks: Sequence[Chunk]) -> None:
        """Open the new file, unless the old one has all chunks and nothing else.

        Raises:
            PublishError: the disk refuses.
        """
        self.has_changed = False
        self._state, self._settings = state, settings
        self._file = settings.out / STATEMENTS_FILE
        self._rows: list[tuple[object, ...]] = []
        self._concepts: set[str] = set()
        self._start, self._digest = 0, hashlib.blake2b(digest_size=16)
        length = sum(each.place[1] for each in chunks if each.place is not None)
        self._is_needed = (
            any(each.place is None for each in chunks)
            or self._file.stat().st_size != length
            or not state.find_file(STATEMENTS_FILE)
        )
        self._stack = ExitStack()
        self._staged = site.make_staging_path(settings.staging)
        if self._is_needed:
            with site.explain_disk_errors(self._file):
                self._stream = self._stack.enter_context(self._staged.open("wb"))
                if any(each.place for each in chunks):
                    self._old = self._stack.enter_context(self._file.open("rb"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # of a full disk, which was reported
            self._stack.close()

    def add(self, chunk: Chunk, packed: PackedChunk | None = None) -> None:
        """Add a chunk, in the order of the keys; the old one where none was made.

        Raises:
            PublishError: the disk refuses.
        """
        if not self._is_needed:
            return
        with site.explain_disk_errors(self._file):
            if chunk.place is not None:
                start, length, counts = chunk.place
                self._old.seek(start)
                packed = PackedChunk(self._old.read(length), counts, ())
            elif packed is None:  # that of the concepts
                concepts = write(describe_concepts(self._concepts), Format.NQUADS)
                packed = pack_quads(concepts, self._settings.base)
            self._stream.write(packed.data)
        length, checksum = len(packed.data), zlib.crc32(packed.data)
        row = (chunk.key, chunk.digest, self._start, length, checksum, packed.counts)
        self._rows.append(row)
        copies = ((chunk.key, *copy) for copy in packed.copies)
        self._state.connection.executemany(
            "INSERT OR IGNORE INTO new_copy VALUES (?, ?, ?)", copies
        )
        self._concepts.update(json.loads(packed.counts)["concepts"])
        self._digest.update(packed.data)
        self._start += length

    def finish(self, chunks: Iterable[Chunk]) -> None:
        """Move the file into its place, and save where its chunks are.

        Raises:
            PublishError: the disk refuses.
        """
        if not self._is_needed:
            return
        with site.explain_disk_errors(self._file):
            self._stack.close()
        self.has_changed = site.move_file(self._file, self._staged, self._settings.staging)
        made = ((each.key,) for each in chunks if each.place is None)
        with self._state.transaction() as connection:
            connection.executemany("DELETE FROM copy WHERE chunk = ?", made)
            connection.execute("DELETE FROM chunk")
            connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?)", self._rows)
            connection.execute("INSERT OR IGNORE INTO copy SELECT * FROM new_copy")
            connection.execute("DELETE FROM copy WHERE chunk NOT IN (SELECT key FROM chunk)")
            self._state.save_files({STATEMENTS_FILE: self._digest.digest()})


def count_statements(state: SiteState) -> StatementFigures:
    """Count the statements of the file."""
    triples, classes = 0, Counter[str]()
    for counts in state.list_column("SELECT counts FROM chunk"):
        found = json.loads(counts)
        triples += found["triples"]
        classes.update(found["classes"])
    query = (
        "SELECT count(*), coalesce(sum(is_item), 0) FROM"
        " (SELECT DISTINCT digest, is_item FROM copy)"
    )
    ((copies, items),) = state.rows(query)
    return StatementFigures(triples + copies, classes + Counter({v.ITEM_CLASS: items}))
