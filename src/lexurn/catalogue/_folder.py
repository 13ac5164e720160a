"""A catalogue in a folder: an Oxigraph store, and an index of names beside it, kept in step."""

from __future__ import annotations

import datetime as dt
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Final, Self

from lexurn.catalogue._about import (
    base_of,
    found,
    is_catalogue,
    made,
    refuse_headless,
    refuse_other_base,
)
from lexurn.catalogue._change import change_of, touched
from lexurn.catalogue._embedded import EmbeddedStore
from lexurn.catalogue._generation import check_generation, stamp
from lexurn.catalogue._index import GENERATION, Index
from lexurn.catalogue._journal import journal_of, read_journal
from lexurn.catalogue._lock import InUseError, locked
from lexurn.catalogue._merge import Merge
from lexurn.catalogue._rows import rows_of
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.model import chunks_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path
    from types import TracebackType

    from lexurn.catalogue._rows import FamilyRows
    from lexurn.model import Family

__all__ = ["FolderCatalogue", "open_folder"]

_NAMES: Final = "names.sqlite"
_STORE: Final = "store"
_LOCK: Final = "lock"
_OWN: Final = (_STORE, _NAMES)
_STALE: Final = "stale"
_CHUNK: Final = 5_000


class FolderCatalogue:
    """A catalogue in a folder; see `lexurn.catalogue.Catalogue`.

    The index alone is open at first, since names can be looked up while somebody else writes.
    """

    def __init__(self, folder: Path, *, write: bool, wait: float, base: str | None = None) -> None:
        """Open the folder; `open_catalogue` says what may go wrong."""
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
            found(folder, base, ours=_OWN, lock=_LOCK)
        self.base = base_of(folder)
        refuse_other_base(self.place, self.base, base)
        is_lost = not (folder / _NAMES).exists() and (folder / _STORE).exists()
        self._index = Index(folder / _NAMES, write=write)
        self._open.callback(self._index.close)
        is_stale = is_lost or bool(self._index.setting(_STALE))
        if not is_stale:
            check_generation(self._index, folder / _STORE)
        if write:
            self.store.flush()  # a new one is there now, and one that is damaged shows
            self._mend(is_stale=is_stale)
        elif is_stale:
            raise CatalogueError(
                f"{folder}: the index of names is not in step with the store; make it again: "
                "lexurn catalogue rebuild"
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
            self._store = EmbeddedStore(self._folder / _STORE, write=self._write)
            self._open.callback(self._forget_store)
        return self._store

    def _forget_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _lock(self) -> None:
        lock = locked(self._folder / _LOCK, write=self._write, wait=self._wait)
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
        same = self._same(rows) if merge.old else set()
        if same:
            nquads = [n for n, each in zip(nquads, rows, strict=True) if each.key not in same]
            rows = [each for each in rows if each.key not in same]
            merge = Merge(
                old=tuple(family for family in merge.old if str(family.key) not in same),
                new=tuple(family for family in merge.new if str(family.key) not in same),
            )
        if merge.old or merge.new:
            self._begin(merge.old, rows, as_of)
            return self._do(merge, rows, b"".join(nquads), as_of)
        return merge

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        acts = [name for each in rows for name, *_ in each.acts]
        urls = {url for each in rows for url, *_ in each.copies}
        return not self._index.is_any(acts) and not self._index.holders(urls, most=1)

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:
        """Put in families that are new.

        Raises:
            CatalogueError: the store cannot be written.
        """
        if rows:
            self._begin((), rows, as_of)
            self._do(Merge(old=(), new=()), rows, nquads, as_of)

    def _begin(self, old: Iterable[Family], rows: Iterable[FamilyRows], as_of: dt.date) -> None:
        keys = (str(family.key) for family in old)
        self._index.begin(journal_of(keys, (each.data for each in rows), as_of))

    def _same(self, rows: Sequence[FamilyRows]) -> set[str]:
        """The keys of the families whose quads are held just so."""
        known = self._index.digests([each.key for each in rows])
        return {each.key for each in rows if known.get(each.key) == each.digest}

    def _do(self, merge: Merge, rows: Sequence[FamilyRows], nquads: bytes, as_of: dt.date) -> Merge:
        """Do what was begun; gives back what that really changes."""
        changed = merge
        if merge.old:
            change = change_of(merge, self.store, self._index, as_of=as_of, base=self.base)
            self.store.change(change.removed, change.added)
            changed = touched(merge, change)
        else:
            self.store.fill(nquads)
        self.store.flush()
        old = [rows_of(family, b"", as_of) for family in merge.old]
        self._index.settle(old, rows, generation=stamp(self._folder / _STORE))
        return changed

    def _mend(self, *, is_stale: bool) -> None:
        """Do what was begun when a process died, and index what was changed behind its back."""
        journal = self._index.pending()
        if journal is not None:
            merge, as_of = read_journal(journal, self._index)
            nquads = [nquads_of(family, as_of=as_of, base=self.base) for family in merge.new]
            rows = [rows_of(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
            self._do(merge, rows, b"".join(nquads), as_of)
        if is_stale:
            self.rebuild()

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own, and index the names anew.

        Raises:
            CatalogueError: it is no update, or the store cannot be written.
        """
        self._index.set(_STALE, "yes")
        try:
            self.store.update(text)
            self.store.flush()
        finally:
            self.rebuild()

    def rebuild(self, on_progress: Callable[[int], None] | None = None) -> None:
        """Make the index again from the store, in bounded memory.

        Raises:
            CatalogueError: the store cannot be read, or the index not be written.
        """
        from lexurn.catalogue._rdf_source import rdf_families  # noqa: PLC0415  (seldom)

        self._index.set(_STALE, "yes")
        self._index.clear()
        done = 0
        with rdf_families([self.store.dump()]) as source:
            for chunk in chunks_of(source.families(), _CHUNK):
                # Nobody knows as of which day the store says what is in force.
                rows = (rows_of(family, b"", dt.date.min) for family in chunk)
                self._index.settle((), [replace(each, digest=b"") for each in rows])
                done += len(chunk)
                if on_progress is not None:
                    on_progress(done)
        self._index.set(GENERATION, stamp(self._folder / _STORE))
        self._index.set(_STALE, "")


def open_folder(folder: Path, *, write: bool, base: str | None, wait: float) -> FolderCatalogue:
    """Open the catalogue in a folder; as `open_catalogue`."""
    if not write:
        refuse_headless(folder, _OWN)
        if not is_catalogue(folder):
            raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
        if not (folder / _NAMES).is_file():
            raise CatalogueError(
                f"{folder}: the index of names is lost; make it again: lexurn catalogue rebuild"
            )
        _finish(folder)
    return FolderCatalogue(folder, write=write, wait=wait, base=base)


def rebuilt_folder(
    folder: Path, *, wait: float, on_progress: Callable[[int], None] | None
) -> FolderCatalogue:
    """The catalogue in a folder with an index made again, open for writing.

    Raises:
        CatalogueError: there is none, it is in use, or its store cannot be read.
    """
    if not is_catalogue(folder):
        raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
    with locked(folder / _LOCK, write=True, wait=wait):
        try:
            index = Index(folder / _NAMES, write=True)
            is_half_done = index.pending() is not None
            index.close()
        except CatalogueError:
            is_half_done = False
        if not is_half_done:
            for file in folder.glob(f"{_NAMES}*"):
                file.unlink()
    catalogue = FolderCatalogue(folder, write=True, wait=wait)
    if is_half_done:
        catalogue.rebuild(on_progress)
    return catalogue


def _finish(folder: Path) -> None:
    """Do what a process that died has left half done, where nobody else is at it."""
    index = Index(folder / _NAMES)
    try:
        is_half_done = index.pending() is not None
    finally:
        index.close()
    if is_half_done:
        # A live writer has the lock, and will do it itself.
        with suppress(InUseError):
            FolderCatalogue(folder, write=True, wait=0).close()
