"""Statements of a site in one file, ``catalogue.nq.gz``: written in chunks, and counted.

A gzip file may have several members (RFC 1952 section 2.2), and here each chunk of alias sets is
one. The key of an alias set alone decides whether a chunk begins with it. So one changed act
changes one chunk, and the others are copied as they are.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
import zlib
from collections import Counter
from contextlib import ExitStack
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lexurn import vocabulary as v
from lexurn.graph import Format, describe_concepts, write
from lexurn.publishing.dcat import CLASSES, STATEMENTS_FILE
from lexurn.publishing.site import SiteFolder, explain_disk_errors

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from lexurn.publishing.dcat import SiteSettings
    from lexurn.publishing.state import SiteState

_CHUNK_SIZE = 16
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
    rows = state.read_rows("SELECT key, content, is_stale FROM alias_set ORDER BY key")
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
    with explain_disk_errors(file), file.open("rb") as stream:
        for chunk in chunks:
            place = None
            for start, length, checksum, counts in state.read_rows(query, chunk.key, chunk.digest):
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


def is_complete(state: SiteState, file: Path, chunks: Sequence[Chunk]) -> bool:
    """Return whether the file has all chunks and nothing else."""
    places = [each.place for each in chunks]
    return (
        None not in places
        and file.stat().st_size == sum(length for _, length, _ in filter(None, places))
        and bool(state.find_file(STATEMENTS_FILE))
    )


def write_statements(
    state: SiteState, settings: SiteSettings, chunks: Iterable[tuple[Chunk, PackedChunk | None]]
) -> bool:
    """Write the file; return whether it has changed.

    Args:
        state: the state, to save where the chunks are.
        settings: the settings of the run.
        chunks: the chunks in the order of their keys, each as it was made; None where the old file
            has it, and for that of the concepts.

    Raises:
        PublishError: the disk refuses.
    """
    site, file = SiteFolder(settings.out), settings.out / STATEMENTS_FILE
    staged, start, digest = site.make_staging_path(), 0, hashlib.blake2b(digest_size=16)
    rows: list[tuple[object, ...]] = []
    kept: list[str] = []
    concepts: set[str] = set()
    with explain_disk_errors(file), ExitStack() as stack:
        new = stack.enter_context(staged.open("wb"))
        old = stack.enter_context(file.open("rb")) if file.is_file() else None
        for chunk, new_chunk in chunks:
            if chunk.place is not None and old is not None:
                offset, length, counts = chunk.place
                old.seek(offset)
                packed = PackedChunk(old.read(length), counts, ())
                kept.append(chunk.key)
            else:
                packed = new_chunk or pack_quads(
                    write(describe_concepts(concepts), Format.NQUADS), settings.base
                )
            new.write(packed.data)
            length, checksum = len(packed.data), zlib.crc32(packed.data)
            rows.append((chunk.key, chunk.digest, start, length, checksum, packed.counts))
            if packed.copies:
                with state.open_transaction() as connection:  # quicker than one for each row
                    connection.executemany(
                        "INSERT OR IGNORE INTO new_copy VALUES (?, ?, ?)",
                        ((chunk.key, *copy) for copy in packed.copies),
                    )
            concepts.update(json.loads(packed.counts)["concepts"])
            digest.update(packed.data)
            start += length
    has_changed = site.move_file(staged, STATEMENTS_FILE)
    with state.open_transaction() as connection:
        connection.execute("DELETE FROM chunk")
        connection.executemany("INSERT INTO chunk VALUES (?, ?, ?, ?, ?, ?)", rows)
        delete = "DELETE FROM copy WHERE chunk NOT IN (SELECT value FROM json_each(?))"
        connection.execute(delete, (json.dumps(kept),))
        connection.execute("INSERT INTO copy SELECT * FROM new_copy")
        state.save_files({STATEMENTS_FILE: digest.digest()})
    return has_changed


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
    ((copies, items),) = state.read_rows(query)
    return StatementFigures(triples + copies, classes + Counter({v.ITEM_CLASS: items}))
