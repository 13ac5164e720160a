"""Catalogue in a folder: an Oxigraph store, and an index of names beside it, kept in step.

Store and index share a stamp: one that has another was lost, or put back from a copy.
"""

from __future__ import annotations

import time
import uuid
from contextlib import ExitStack, nullcontext, suppress
from typing import TYPE_CHECKING

from lexurn.catalogue.catalogue import CatalogueQueries, Merge
from lexurn.catalogue.changes import compute_change, select_changed
from lexurn.catalogue.files import (
    INDEX_FILE,
    LOCK_FILE,
    STORE_FOLDER,
    hold_lock,
    make_catalogue,
    make_folder,
    read_base,
    refuse_other_base,
    write_durably,
)
from lexurn.catalogue.index import (
    DEFAULT_OPTIONS,
    GENERATION,
    STALE,
    Index,
    read_journal,
    write_journal,
)
from lexurn.catalogue.keys import make_rows
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.store import EmbeddedStore

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType
    from typing import Final, Self

    from lexurn.catalogue.changes import QuadChange
    from lexurn.catalogue.index import RebuildOptions
    from lexurn.catalogue.keys import FamilyRows
    from lexurn.model import Family

_STAMP_FILE: Final = "lexurn-generation"
_ENGINE_FILE: Final = "CURRENT"
_ATTEMPTS: Final = 40
_PAUSE: Final = 0.05


def write_stamp(store: Path) -> str:
    """Put a new stamp on a store; the index gets the same when it knows what the store holds.

    Raises:
        CatalogueError: the folder of the store cannot be written.
    """
    text = uuid.uuid4().hex
    try:
        write_durably(store / _STAMP_FILE, text)
    except OSError as fault:
        raise CatalogueError(f"{store} cannot be written: {fault.strerror}") from None
    return text


def refuse_damaged(store: Path) -> None:
    """Refuse a store that has a stamp, but not the file that its engine begins with.

    Raises:
        CatalogueError: the engine would begin a new store in its place.
    """
    if (store / _STAMP_FILE).exists() and not (store / _ENGINE_FILE).exists():
        raise CatalogueError(
            f"{store} is damaged ({_ENGINE_FILE} is lost); put a copy of the folder back, or load "
            "your sources into a new catalogue (take given.sqlite along)"
        )


def check_generation(index: Index, store: Path) -> None:
    """See that an index is of the store beside it.

    Raises:
        CatalogueError: it is not.
    """
    for _ in range(_ATTEMPTS):
        held = _read_stamp(store)
        if index.setting(GENERATION) == held or index.is_pending():
            return
        time.sleep(_PAUSE)  # a writer may be between the two
    raise CatalogueError(
        f"{store.parent}: the store and the index of names are not of one time, one of them was "
        "lost or put back from a copy; run lexurn catalogue rebuild, then load your sources again"
    )


def is_in_step(index: Index, store: Path) -> bool:
    """Whether an index has the stamp of the store beside it."""
    held = _read_stamp(store)
    return held is not None and index.setting(GENERATION) == held


def refuse_unfinished(index: Index, folder: Path) -> None:
    """Refuse to begin anything beside what was begun and could not be done to its end.

    Raises:
        CatalogueError: something was, and whoever was told went on all the same.
    """
    if index.is_pending():
        raise CatalogueError(
            f"{folder}: what was begun before could not be done to its end; close the catalogue "
            "and open it again, which does the rest first"
        )


def _read_stamp(store: Path) -> str | None:
    try:
        return (store / _STAMP_FILE).read_text(encoding="ascii")
    except (OSError, UnicodeDecodeError):
        return None


class FolderCatalogue(CatalogueQueries):
    """A catalogue in a folder; see `lexurn.catalogue.Catalogue`.

    The index alone is open at first, since names can be looked up while somebody else writes.
    """

    # About 700,000 quads: the engine sorts them in memory, in less than a gigabyte. In portions of
    # a tenth, 30 million quads take it two thirds longer, since it has to merge ten times as many.
    portion = 1 << 27

    def __init__(
        self,
        folder: Path,
        *,
        write: bool,
        wait: float,
        base: str | None = None,
        told: RebuildOptions = DEFAULT_OPTIONS,
    ) -> None:
        """Open the folder; `open_catalogue` says what may go wrong."""
        self._told = told
        self.place = str(folder)
        self._folder, self._write, self._wait = folder, write, wait
        self._store: EmbeddedStore | None = None
        self._open = ExitStack()
        try:
            self._start(base)
        except BaseException:
            self.close()
            raise

    def _start(self, base: str | None) -> None:
        folder, write = self._folder, self._write
        if write:
            make_folder(folder)
            self._lock()
            make_catalogue(folder, base)
        self.base = read_base(folder)
        refuse_other_base(self.place, self.base, base)
        is_lost = not (folder / INDEX_FILE).exists() and (folder / STORE_FOLDER).exists()
        self._index = Index(folder / INDEX_FILE, write=write)
        self._open.callback(self._index.close)
        is_stale = is_lost or bool(self._index.setting(STALE))
        if not is_stale:
            check_generation(self._index, folder / STORE_FOLDER)
        if write:
            self.store.flush()  # a new one is there now, and one that is damaged shows
            if not is_stale:
                self._refuse_emptied()
            self._mend(is_stale=is_stale)
        elif is_stale:
            raise CatalogueError(
                f"{folder}: the index of names is not in step with the store; unless somebody is "
                "making it again just now, do it: lexurn catalogue rebuild"
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the folder."""
        self._open.close()

    @property
    def store(self) -> EmbeddedStore:
        """Its quads; nobody may write while they are read.

        Raises:
            CatalogueError: somebody writes, or the store is damaged.
        """
        if self._store is None:
            if not self._write:
                self._lock()
            refuse_damaged(self._folder / STORE_FOLDER)
            self._store = EmbeddedStore(self._folder / STORE_FOLDER, write=self._write)
            self._open.callback(self._forget_store)
        return self._store

    def _refuse_emptied(self) -> None:
        """Refuse a store that holds nothing beside an index that knows names.

        Raises:
            CatalogueError: an engine that does not find its files may begin a new store in silence.
        """
        if not self._index.is_empty() and self.store.is_empty():
            raise CatalogueError(
                f"{self.place}: the store holds nothing, though names were loaded: its files were "
                "lost; put a copy of the folder back, or load your sources into a new catalogue "
                "(take given.sqlite along, which says what names are given out)"
            )

    def _forget_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _lock(self) -> None:
        lock = hold_lock(self._folder / LOCK_FILE, write=self._write, wait=self._wait)
        self._open.enter_context(lock)

    @property
    def holdings(self) -> Index:
        """Its names."""
        return self._index

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Put new families in the place of old ones; gives back what really changed.

        What is begun is written down first, so that a crash at any moment is mended when the
        catalogue is opened again.

        Raises:
            CatalogueError: the store cannot be written.
            GraphError: a value that no graph can hold.
        """
        nquads = [nquads_of(family, as_of=as_of, base=self.base) for family in merge.new]
        rows = [make_rows(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
        same = self.same(rows) if merge.old else frozenset()
        if same:
            nquads = [n for n, each in zip(nquads, rows, strict=True) if each.key not in same]
            rows = [each for each in rows if each.key not in same]
            merge = Merge(
                old=tuple(family for family in merge.old if str(family.key) not in same),
                new=tuple(family for family in merge.new if str(family.key) not in same),
            )
        if not merge.old:
            self.add(rows, b"".join(nquads), as_of=as_of)
            return merge
        change = self._change_of(merge, b"".join(nquads), as_of)
        self._begin(merge.old, rows, as_of)
        self._change(change)
        self._settle(merge.old, rows, as_of)
        return select_changed(merge, change)

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        acts = [name for each in rows for name, *_ in each.acts]
        urls = {url for each in rows for url, *_ in each.copies}
        return not self._index.is_any(acts) and not self._index.holders(urls, most=1)

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:
        """The keys of the families whose quads are held just so."""
        known = self._index.digests([each.key for each in rows])
        return frozenset(each.key for each in rows if known.get(each.key) == each.digest)

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:
        """Put in families that are new.

        Raises:
            CatalogueError: the store cannot be written.
        """
        if rows:
            self._begin((), rows, as_of)
            self.store.fill(nquads)
            self._settle((), rows, as_of)

    def _change_of(self, merge: Merge, nquads: bytes, as_of: dt.date) -> QuadChange:
        return compute_change(merge, nquads, self.store, self._index, as_of=as_of, base=self.base)

    def _begin(self, old: Iterable[Family], rows: Iterable[FamilyRows], as_of: dt.date) -> None:
        refuse_unfinished(self._index, self._folder)
        keys = (str(family.key) for family in old)
        self._index.begin(write_journal(keys, (each.data for each in rows), as_of))

    def _change(self, change: QuadChange) -> None:
        """Change the store; what cannot be done is no longer begun, since nothing of it was done.

        Raises:
            CatalogueError: the store cannot be written.
        """
        try:
            self.store.change(change.removed, change.added)
        except CatalogueError:
            with suppress(CatalogueError):
                self._index.abandon()
            raise

    def _settle(self, old: Iterable[Family], rows: Iterable[FamilyRows], as_of: dt.date) -> None:
        """Index what the store holds now."""
        self.store.flush()
        gone = [make_rows(family, b"", as_of) for family in old]
        self._index.settle(gone, rows, generation=write_stamp(self._folder / STORE_FOLDER))

    def _mend(self, *, is_stale: bool) -> None:
        """Do what was begun when a process died; make the index again where it is marked so."""
        journal = self._index.pending()
        if journal is not None:
            # What cannot be done any more shall not stand in the way of what makes all good.
            with suppress(CatalogueError) if is_stale else nullcontext():
                self._do_again(journal)
        if is_stale:
            self.rebuild()

    def _do_again(self, journal: str) -> None:
        merge, as_of = read_journal(journal, self._index)
        nquads = [nquads_of(family, as_of=as_of, base=self.base) for family in merge.new]
        rows = [make_rows(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
        if merge.old:
            self._change(self._change_of(merge, b"".join(nquads), as_of))
        else:
            self.store.fill(b"".join(nquads))
        self._settle(merge.old, rows, as_of)

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own, and index the names anew.

        Raises:
            CatalogueError: it is no update, or the store cannot be written; or it was done, and
                acts can no longer be read as records.
        """
        refuse_unfinished(self._index, self._folder)
        self._index.set(STALE, "yes")
        try:
            self.store.update(text)
        except CatalogueError:
            self._index.set(STALE, "")  # nothing of it was done
            raise
        self.store.flush()
        lost = self.rebuild()
        if lost:
            raise CatalogueError(
                f"the update was done, but {lost:,} acts can no longer be read as records; "
                "lexurn catalogue rebuild says why, and to load their rows again mends them"
            )

    def rebuild(self) -> int:
        """Make the index again from the store, in bounded memory; who reads it sees it when done.

        Acts that cannot be read as records are known by their names alone, so that nobody is given
        them; how many they are is given back.

        Raises:
            CatalogueError: the store cannot be read, or the index not be written.
        """
        from lexurn.catalogue.rdf_loading import fill_index  # noqa: PLC0415  (seldom)

        # An index that is in step stays so, and can be read, if this is broken off.
        in_step = not self._index.setting(STALE) and is_in_step(
            self._index, self._folder / STORE_FOLDER
        )
        if not in_step:
            self._index.set(STALE, "yes")
        with self._index.transaction():
            lost = fill_index(self._index, self.store, self._told)
            if not in_step:
                self._index.set(GENERATION, write_stamp(self._folder / STORE_FOLDER))
                self._index.set(STALE, "")
        return lost
