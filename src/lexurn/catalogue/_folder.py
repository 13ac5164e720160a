"""A catalogue in a folder: an Oxigraph store, and an index of names beside it, kept in step."""

from __future__ import annotations

from contextlib import ExitStack, nullcontext, suppress
from typing import TYPE_CHECKING, Self

from lexurn.catalogue._about import LOCK, NAMES, STORE, base_of, found, made, refuse_other_base
from lexurn.catalogue._change import change_of, touched
from lexurn.catalogue._embedded import EmbeddedStore
from lexurn.catalogue._generation import (
    check_generation,
    is_in_step,
    refuse_half_done,
    refuse_torn,
    stamp,
)
from lexurn.catalogue._index import GENERATION, STALE, Index
from lexurn.catalogue._journal import journal_of, read_journal
from lexurn.catalogue._lock import locked
from lexurn.catalogue._merge import Merge
from lexurn.catalogue._rows import rows_of
from lexurn.catalogue._told import NOBODY
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

    from lexurn.catalogue._change import Change
    from lexurn.catalogue._rows import FamilyRows
    from lexurn.catalogue._told import Told
    from lexurn.model import Family

__all__ = ["FolderCatalogue"]


class FolderCatalogue:
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
        told: Told = NOBODY,
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
            made(folder)
            self._lock()
            found(folder, base)
        self.base = base_of(folder)
        refuse_other_base(self.place, self.base, base)
        is_lost = not (folder / NAMES).exists() and (folder / STORE).exists()
        self._index = Index(folder / NAMES, write=write)
        self._open.callback(self._index.close)
        is_stale = is_lost or bool(self._index.setting(STALE))
        if not is_stale:
            check_generation(self._index, folder / STORE)
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
            refuse_torn(self._folder / STORE)
            self._store = EmbeddedStore(self._folder / STORE, write=self._write)
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
        lock = locked(self._folder / LOCK, write=self._write, wait=self._wait)
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
        rows = [rows_of(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
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
        return touched(merge, change)

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

    def _change_of(self, merge: Merge, nquads: bytes, as_of: dt.date) -> Change:
        return change_of(merge, nquads, self.store, self._index, as_of=as_of, base=self.base)

    def _begin(self, old: Iterable[Family], rows: Iterable[FamilyRows], as_of: dt.date) -> None:
        refuse_half_done(self._index, self._folder)
        keys = (str(family.key) for family in old)
        self._index.begin(journal_of(keys, (each.data for each in rows), as_of))

    def _change(self, change: Change) -> None:
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
        gone = [rows_of(family, b"", as_of) for family in old]
        self._index.settle(gone, rows, generation=stamp(self._folder / STORE))

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
        rows = [rows_of(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
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
        refuse_half_done(self._index, self._folder)
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
        from lexurn.catalogue._reindex import reindex  # noqa: PLC0415  (seldom)

        # An index that is in step stays so, and can be read, if this is broken off.
        in_step = not self._index.setting(STALE) and is_in_step(self._index, self._folder / STORE)
        if not in_step:
            self._index.set(STALE, "yes")
        with self._index.transaction():
            lost = reindex(self._index, self.store, self._told)
            if not in_step:
                self._index.set(GENERATION, stamp(self._folder / STORE))
                self._index.set(STALE, "")
        return lost
