"""Catalogue in a folder: an Oxigraph store and an index of names, kept in step; and its opening.

Store and index share a stamp. If the stamps differ, one of the two was lost or restored from
a copy.
"""

from __future__ import annotations

import pickle
import time
import uuid
from contextlib import AbstractContextManager, ExitStack, closing, nullcontext, suppress
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final

from lexurn import graph
from lexurn.catalogue import files
from lexurn.catalogue.catalogue import CatalogueQueries, Merge, make_rows
from lexurn.catalogue.changes import (
    compute_change,
    compute_concept_change,
    select_changed,
    write_concepts,
)
from lexurn.catalogue.filling import Filling
from lexurn.catalogue.index import (
    DEFAULT_OPTIONS,
    GENERATION,
    STALE,
    Index,
    IndexRows,
    RebuildOptions,
    make_index_rows,
    read_journal,
    write_journal,
)
from lexurn.catalogue.listings import list_families
from lexurn.errors import CatalogueError
from lexurn.name import normalize_base
from lexurn.store import is_remote

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from lexurn.catalogue.catalogue import FamilyRows
    from lexurn.catalogue.changes import QuadChange
    from lexurn.catalogue.server import ServerCatalogue
    from lexurn.findings import Finding
    from lexurn.model import Family
    from lexurn.store import EmbeddedStore, Solutions

_STAMP_FILE: Final = "lexurn-generation"
_UPDATED_FILE: Final = "lexurn-updated"
"""File beside a store that a SPARQL update changed: it may hold statements of no record."""
_ENGINE_FILE: Final = "CURRENT"
_UNFINISHED_FILES: Final = "bulk-*.sst"
"""Files that the engine writes during a bulk load and deletes at its end."""
_ATTEMPTS: Final = 40
_PAUSE: Final = 0.05


def write_stamp(store: Path) -> str:
    """Put a new stamp on a store; the index gets the same when it is in step with the store.

    Raises:
        CatalogueError: the folder of the store cannot be written.
    """
    text = uuid.uuid4().hex
    try:
        files.write_durably(store / _STAMP_FILE, text)
    except OSError as fault:
        raise CatalogueError(f"{store} cannot be written: {fault.strerror}") from None
    return text


def is_in_step(index: Index, store: Path) -> bool:
    """Return whether an index has the stamp of the store beside it."""
    held = _read_stamp(store)
    return held is not None and index.setting(GENERATION) == held


def _read_stamp(store: Path) -> str | None:
    try:
        return (store / _STAMP_FILE).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None


_PUT_BACK: Final = (
    "Restore a copy of the folder. Or copy given.sqlite, which lists the names given out, to a new "
    "folder, and load your sources into it."
)


class Catalogue(CatalogueQueries, AbstractContextManager["Catalogue"]):
    """Catalogue in a folder; a context manager.

    Only the index is open at first, since names can be looked up while another process writes.
    """

    portion = 1 << 31
    """Number of bytes of N-Quads after which new families are brought in: some ten million quads.

    Smaller portions leave the engine more files to merge. What was prepared of a portion is lost if
    the process ends.
    """

    def __init__(
        self,
        folder: Path,
        *,
        write: bool,
        wait: float,
        base: str | None = None,
        options: RebuildOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open the folder; see `open_catalogue`."""
        self._options = options
        self.location = str(folder)
        self._folder, self._write, self._wait = folder, write, wait
        self._store: EmbeddedStore | None = None
        self._snapshot: EmbeddedStore | None = None
        with ExitStack() as self._open:
            self._start(base)
            kept = self._open.pop_all()
        self._open = kept

    def _start(self, base: str | None) -> None:
        folder, write = self._folder, self._write
        if write:
            files.make_folder(folder)
            self._lock()
            files.make_catalogue(folder, base)
        self.base = files.read_base(folder, base)
        is_lost = (
            not (folder / files.INDEX_FILE).exists() and (folder / files.STORE_FOLDER).exists()
        )
        self._index = Index(folder / files.INDEX_FILE, write=write)
        self._open.callback(self._index.close)
        self._idle = _IdleIndex()
        self._open.callback(self._idle.close)
        is_stale = is_lost or bool(self._index.setting(STALE))
        if not is_stale:
            self._check_generation()
        if write:
            self.store.flush()  # creates a new one, and raises if it is damaged
            if not is_stale and not self._index.is_empty() and self.store.is_empty():
                # The engine did not find its files and began a new store.
                raise CatalogueError(
                    f"{self.location}: the store is empty, though names were loaded: its files "
                    f"were lost. {_PUT_BACK}"
                )
            if self._index.is_pending():  # a process died within a change
                # If the index is made again anyway, a change that fails must not prevent that.
                with suppress(CatalogueError) if is_stale else nullcontext():
                    self._complete_change()
            if is_stale:
                self.rebuild()
        elif is_stale:
            raise CatalogueError(
                f"{folder}: the index of names is out of date. Rebuild it, unless another process "
                "does so now: lexurn catalogue rebuild"
            )

    def _check_generation(self) -> None:
        """Check that the index has the stamp of the store.

        Raises:
            CatalogueError: it has another one.
        """
        for _ in range(_ATTEMPTS):
            held = _read_stamp(self._folder / files.STORE_FOLDER)
            if self._index.setting(GENERATION) == held or self._index.is_pending():
                return
            time.sleep(_PAUSE)  # a writer may be between the two
        raise CatalogueError(
            f"{self.location}: the store and the index of names do not match: one of them was lost "
            "or restored from a copy. Run lexurn catalogue rebuild, then load your sources again."
        )

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the store and the index, and let go of the lock."""
        self._store = self._snapshot = None
        self._open.close()

    @property
    def store(self) -> EmbeddedStore:
        """Store of its quads; nobody may write while they are read.

        Read each answer to its end before a load: a large one closes the store at its end.

        Raises:
            CatalogueError: another process writes, the store is damaged, or it is closed.
        """
        if self._store is None:
            self._index.run("SELECT 1")  # raises if the catalogue is closed
            if not self._write:
                self._lock()
            self._store = self._open_store(self._folder / files.STORE_FOLDER)
        return self._store

    def _open_store(self, folder: Path) -> EmbeddedStore:
        if (folder / _STAMP_FILE).exists() and not (folder / _ENGINE_FILE).exists():
            # The engine would begin a new store in its place.
            raise CatalogueError(f"{folder} is damaged ({_ENGINE_FILE} is lost). {_PUT_BACK}")
        from lexurn.store import EmbeddedStore  # noqa: PLC0415 - loads the engine

        store = EmbeddedStore(folder, write=self._write)
        if self._write:  # so no other process has it open
            for left in folder.glob(_UNFINISHED_FILES):
                with suppress(OSError):
                    left.unlink()
        self._open.callback(store.close)
        return store

    @property
    def queried_store(self) -> EmbeddedStore:
        """Store of its quads for queries.

        If the catalogue is open for reading, it stays as it was at the first query, and others
        may write to the catalogue meanwhile.

        Raises:
            CatalogueError: another process writes now, the store is damaged, or it is closed.
        """
        if self._write or self._store is not None:
            return self.store
        if self._snapshot is None:
            self._index.run("SELECT 1")  # raises if the catalogue is closed
            lock = self._folder / files.LOCK_FILE
            with files.hold_lock(lock, write=False, wait=self._wait):
                folder = self._open.enter_context(
                    files.make_snapshot(self._folder / files.STORE_FOLDER)
                )
                if folder is None:
                    return self.store
                self._snapshot = self._open_store(folder)
        return self._snapshot

    def answer_from_lists(
        self, text: str, *, most: int | None = None, timeout: float | None = None
    ) -> Solutions | None:
        """Answer a ready query from the lists in the index; None where only SPARQL can.

        The lists answer while they are in step with the store that queries read. A SPARQL update
        ends that, since it may add statements that no record has.

        Args:
            text: a query.
            most: number of rows after which the answer ends.
            timeout: seconds for the answer.

        Raises:
            CatalogueError: the index cannot be read, or the catalogue is closed.
        """
        from lexurn.store import BoundQuery  # noqa: PLC0415 - only a query needs query files

        if not isinstance(text, BoundQuery):
            return None
        from lexurn.catalogue.ready import ANSWERS, answer_from_lists  # noqa: PLC0415 - for ready queries alone

        if text.name not in ANSWERS:
            return None
        self._index.run("SELECT 1")  # raises if the catalogue is closed
        if self._write and self._index.is_pending():  # a change failed halfway
            return None
        snapshot = self._snapshot
        generation = None if snapshot is None else _read_stamp(Path(snapshot.location))
        index = self._idle.take() or Index(self._folder / files.INDEX_FILE)
        return answer_from_lists(
            index, text, keep=self._idle.keep, generation=generation, most=most, timeout=timeout
        )

    def _lock(self) -> None:
        lock = files.hold_lock(self._folder / files.LOCK_FILE, write=self._write, wait=self._wait)
        self._open.enter_context(lock)

    @property
    def holdings(self) -> Index:
        """Index of its names."""
        return self._index

    def apply(self, merge: Merge, *, as_of: dt.date, dry_run: bool = False) -> Merge:
        """Put new families in the place of old ones, and return the part that really changed.

        The journal is written first. After a crash at any moment, the next opening completes the
        change. A dry run writes nothing.

        Raises:
            CatalogueError: the store cannot be written.
            GraphError: no graph can hold a value.
        """
        rows, nquads = self._make_rows(merge, as_of)
        shared = {str(family.key): family.shared for family in merge.old}
        kept = {key for each in merge.new if each.shared == shared.get(key := str(each.key))}
        same = self.same(rows) & kept if merge.old else frozenset()
        if same:
            nquads = [n for n, each in zip(nquads, rows, strict=True) if each.key not in same]
            rows = [each for each in rows if each.key not in same]
            merge = Merge(
                old=tuple(family for family in merge.old if str(family.key) not in same),
                new=tuple(family for family in merge.new if str(family.key) not in same),
            )
        if dry_run:
            change = self._compute_change(merge, nquads, as_of) if merge.old else None
            return merge if change is None else select_changed(merge, change)
        new = IndexRows(rows, list_families(merge.new))
        if not merge.old:
            described = write_concepts(graph.find_concepts(merge.new))
            if rows:
                self._begin((), [new], as_of)
                self.store.fill(b"".join((*nquads, described)))
                self._settle((), [new], as_of)
            return merge
        change = self._compute_change(merge, nquads, as_of)
        self._begin(merge.old, [new], as_of)
        self._change_store(change)
        self._settle(merge.old, [new], as_of)
        return select_changed(merge, change)

    def _make_rows(self, merge: Merge, as_of: dt.date) -> tuple[list[FamilyRows], list[bytes]]:
        """Make the rows and the quads of the new families of a merge."""
        nquads = [graph.nquads_of(family, as_of=as_of, base=self.base) for family in merge.new]
        return [make_rows(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)], nquads

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Return whether nothing is held of some families, nor of their copies."""
        acts = [name for each in rows for name, *_ in each.acts]
        urls = {url for each in rows for url, *_ in each.copies}
        return not self._index.known(acts) and not self._index.holders(urls, most=1)

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:
        """Return the keys of the families whose quads are held unchanged."""
        known = self._index.digests([each.key for each in rows])
        return frozenset(each.key for each in rows if known.get(each.key) == each.digest)

    def fill(self, as_of: dt.date, *, is_begun: bool = False) -> Filling:
        """Begin to put in many families that are new; no other change may be made meanwhile.

        Args:
            as_of: the day for which the version in force is asked.
            is_begun: whether the journal already holds them.

        Raises:
            CatalogueError: no temporary file can be written, or a change failed before.
        """
        if not is_begun:
            self._refuse_unfinished()
        return Filling(
            self.store,
            begin=None if is_begun else partial(self._begin, (), as_of=as_of),
            settle=partial(self._settle, (), as_of=as_of),
        )

    def describe_concepts(self, concepts: Iterable[str], *, as_of: dt.date) -> None:
        """Describe the concepts that all acts have, and no others.

        Args:
            concepts: their terms.
            as_of: the day for which the version in force is asked.

        Raises:
            CatalogueError: the store cannot be written.
        """
        change = compute_concept_change(concepts, self.store)
        if change.removed or change.added:
            self._begin((), (), as_of)
            self._change_store(change)
            self._settle((), (), as_of)

    def _compute_change(self, merge: Merge, nquads: Iterable[bytes], as_of: dt.date) -> QuadChange:
        quads = b"".join(nquads)
        return compute_change(merge, quads, self.store, self._index, as_of=as_of, base=self.base)

    def _refuse_unfinished(self) -> None:
        """Refuse to begin a change after one that failed halfway.

        Raises:
            CatalogueError: one did.
        """
        if self._index.is_pending():
            raise CatalogueError(
                f"{self.location}: an earlier change failed halfway. Close the catalogue and open "
                "it again, which completes that change first."
            )

    def _change_store(self, change: QuadChange) -> None:
        """Change the store as a whole; if that fails, clear the journal.

        Raises:
            CatalogueError: the store cannot be written.
        """
        try:
            self.store.change(change.removed, change.added)
        except CatalogueError:
            with suppress(CatalogueError):
                self._index.abandon()
            raise

    def _begin(self, old: Iterable[Family], new: Iterable[IndexRows], as_of: dt.date) -> None:
        self._refuse_unfinished()
        self._index.begin(_write_journals(old, new, as_of))

    def _settle(self, old: Sequence[Family], new: Iterable[IndexRows], as_of: dt.date) -> None:
        """Bring the index in step with the store."""
        self.store.flush()
        stamp = write_stamp(self._folder / files.STORE_FOLDER)
        self._index.settle([make_index_rows(old, as_of)], new, generation=stamp)

    def _complete_change(self) -> None:
        """Complete a change that was begun."""
        changes = (read_journal(text, self._index) for text in self._index.pending())
        merge, as_of = next(changes)
        if merge.old:
            rows, nquads = self._make_rows(merge, as_of)
            self._change_store(self._compute_change(merge, nquads, as_of))
            self._settle(merge.old, [IndexRows(rows, list_families(merge.new))], as_of)
            return
        with closing(self.fill(as_of, is_begun=True)) as filling:
            for lot, _ in chain([(merge, as_of)], changes):
                rows, nquads = self._make_rows(lot, as_of)
                described = write_concepts(graph.find_concepts(lot.new))
                packed = pickle.dumps(IndexRows(rows, list_families(lot.new)))
                filling.add(packed, b"".join((*nquads, described)))
            filling.settle()

    def update(self, text: str) -> None:
        """Run a SPARQL update, then make the index again.

        Raises:
            CatalogueError: it is not an update, or the store cannot be written; or it was done, and
                acts can no longer be read as records.
        """
        self._refuse_unfinished()
        updated = self._folder / files.STORE_FOLDER / _UPDATED_FILE
        was_updated = updated.exists()
        self._index.set(stale="yes")
        try:
            files.write_durably(updated, "")
            self.store.update(text)
        except OSError as fault:
            self._index.set(stale="")
            raise CatalogueError(f"{updated} cannot be written: {fault.strerror}") from None
        except CatalogueError:
            self._index.set(stale="")  # nothing of it was done
            if not was_updated:
                updated.unlink()
            raise
        self.store.flush()
        lost = self.rebuild()
        if lost:
            raise CatalogueError(
                f"The update was done, but {lost:,} acts can no longer be read as records. "
                "lexurn catalogue rebuild reports why; load their rows again to repair them."
            )

    def rebuild(self) -> int:
        """Make the index again from the store, in bounded memory; readers see it when it is done.

        Acts that cannot be read as records are indexed by their names alone, so that nobody is
        given these names. Return how many such acts there are.

        Raises:
            CatalogueError: the store cannot be read, or the index not be written.
        """
        from lexurn.catalogue.rdf_source import fill_index  # noqa: PLC0415 - only for a lost index

        # An index that is in step stays so, and can be read, if the rebuild is interrupted.
        in_step = not self._index.setting(STALE) and is_in_step(
            self._index, self._folder / files.STORE_FOLDER
        )
        if not in_step:
            self._index.set(stale="yes")
        with self._index.transaction():
            lost = fill_index(self._index, self.store, self._options)
            if not in_step:
                stamp = write_stamp(self._folder / files.STORE_FOLDER)
                self._index.set(generation=stamp, stale="")
            is_updated = (self._folder / files.STORE_FOLDER / _UPDATED_FILE).exists()
            self._index.mark_lists(are_whole=not lost and not is_updated)
        return lost


def _write_journals(
    old: Iterable[Family], new: Iterable[IndexRows], as_of: dt.date
) -> Iterator[str]:
    """Write a change in one text, or one for each lot of many new families."""
    keys = [str(family.key) for family in old]
    data = ([each.data for each in rows.families] for rows in new)
    yield write_journal(keys, next(data, ()), as_of)
    yield from (write_journal((), lot, as_of) for lot in data)


class _IdleIndex:
    """Index that the last answer from lists has read, open for the next one."""

    def __init__(self) -> None:
        self._indexes: list[Index] = []  # one at most; `pop` gives it to one thread alone
        self._is_closed = False

    def take(self) -> Index | None:
        """Take the index, None if there is none."""
        try:
            return self._indexes.pop()
        except IndexError:
            return None

    def keep(self, index: Index) -> None:
        """Keep an index, unless there is one or the catalogue is closed."""
        if self._is_closed or self._indexes:
            index.close()
        else:
            self._indexes.append(index)

    def close(self) -> None:
        """Close the index, and each that comes."""
        self._is_closed = True
        if (index := self.take()) is not None:
            index.close()


def open_catalogue(
    location: str | Path, *, write: bool = False, base: str | None = None, wait: float = 0.0
) -> Catalogue:
    """Open a catalogue in a folder; `open_server` opens one on a server.

    Args:
        location: the folder.
        write: whether it may be changed; a folder that is absent or empty then becomes one.
        base: the start of HTTP-URI equivalents, for a new one; they stand in its graph.
        wait: how many seconds to wait for another process that has it open.

    Raises:
        CatalogueError: it is absent, in use, damaged, made by another version, or no catalogue;
            or the location is a server.
        ValueError: ``base`` is not a base of HTTP URIs.
    """
    if base is not None:
        normalize_base(base)
    if is_remote(str(location)):
        with open_server(str(location)) as server:  # raises if the URL is wrong
            raise CatalogueError(
                f"{server.location} is a SPARQL server, which can only be queried. Work on a "
                "folder, then mirror it there with lexurn catalogue push."
            )
    folder = Path(location)
    if not write:
        _refuse_absent(folder)
        if not (folder / files.INDEX_FILE).is_file():
            raise CatalogueError(
                f"{folder}: the index of names is lost. Rebuild it: lexurn catalogue rebuild."
            )
        with closing(Index(folder / files.INDEX_FILE)) as index:
            is_half_done = index.is_pending()
        if is_half_done:
            # Complete the change of a process that died. A live writer has the lock and does so
            # itself; a reader who may not write, or has no space, reads what was held before.
            with suppress(CatalogueError):
                Catalogue(folder, write=True, wait=0).close()
    return Catalogue(folder, write=write, wait=wait, base=base)


def open_server(location: str) -> ServerCatalogue:
    """Open a catalogue on a SPARQL 1.1 server for reading.

    Args:
        location: the URL of its query endpoint, or a TOML file that names its endpoints.

    Raises:
        CatalogueError: the location is not a server, or credentials cannot be read.
    """
    from lexurn.catalogue.server import ServerCatalogue  # noqa: PLC0415 - needs the extra remote

    return ServerCatalogue(location)


def open_readable(location: str | Path, *, wait: float = 0.0) -> Catalogue | ServerCatalogue:
    """Open a catalogue in a folder or on a server for reading; as `open_catalogue`."""
    if is_remote(str(location)):
        return open_server(str(location))
    return open_catalogue(location, wait=wait)


def _refuse_absent(folder: Path) -> None:
    files.refuse_without_marker(folder)
    if not files.is_catalogue(folder):
        raise CatalogueError(f"{folder} is not a catalogue. Create one: lexurn catalogue load.")


def rebuild(
    location: str,
    *,
    wait: float = 0.0,
    on_progress: Callable[[int], None] | None = None,
    on_finding: Callable[[Finding], None] | None = None,
    jobs: int | None = None,
) -> int:
    """Make the index of names of a catalogue again; return the number of its alias sets.

    Args:
        location: the folder of the catalogue.
        wait: how many seconds to wait for another process that has it open.
        on_progress: is called with the number of alias sets done.
        on_finding: is called with each fault in the statements of the store. Acts without any
            readable statement are indexed by their names, so that nobody is given these names.
        jobs: how many processes build families; None for one a processor.

    Raises:
        CatalogueError: the catalogue is on a server, in use, or its store cannot be read.
    """
    if is_remote(location):
        raise CatalogueError(f"{location} is on a server, which has no index of names.")
    folder = Path(location)
    _refuse_absent(folder)
    with files.hold_lock(folder / files.LOCK_FILE, write=True, wait=wait):
        is_current = _is_current(folder)
    options = RebuildOptions(on_progress, on_finding, jobs)
    with Catalogue(folder, write=True, wait=wait, options=options) as catalogue:
        if is_current:
            catalogue.rebuild()
        return catalogue.holdings.count_alias_sets()


def _is_current(folder: Path) -> bool:
    """Return whether an index is sound and in step with the store.

    Opening for writing rebuilds one that is not. It is marked as stale in its own file, which
    others may have open, or deleted if it is damaged.
    """
    with suppress(CatalogueError), closing(Index(folder / files.INDEX_FILE, write=True)) as index:
        if index.is_sound():
            is_current = not index.setting(STALE) and is_in_step(index, folder / files.STORE_FOLDER)
            if not is_current:
                index.set(stale="yes")
            return is_current
    for file in folder.glob(f"{files.INDEX_FILE}*"):
        file.unlink()
    return False
