"""A catalogue: a folder of this machine, or a SPARQL server; opened, mended, changed."""

from __future__ import annotations

import json
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol, Self

from lexurn.catalogue._change import change_of
from lexurn.catalogue._embedded import EmbeddedStore
from lexurn.catalogue._index import Index
from lexurn.catalogue._journal import journal_of, read_journal
from lexurn.catalogue._lock import locked
from lexurn.catalogue._merge import Merge
from lexurn.catalogue._rows import rows_of
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of
from lexurn.name import http_of, parse

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence
    from types import TracebackType

    from lexurn.catalogue._protocols import Holdings, Store
    from lexurn.catalogue._rows import FamilyRows

__all__ = ["Catalogue", "EmbeddedCatalogue", "open_catalogue"]

FORMAT: Final = 1
_ABOUT: Final = "catalogue.json"
_STALE: Final = "stale"
_ANY_NAME: Final = "urn:lex:it:stato:legge:2000-01-01;1"


class Catalogue(Protocol):
    """A catalogue that is open; a context manager.

    Attributes:
        place: the folder or the URL, for messages.
        base: what HTTP-URI equivalents begin with, None where it has none.
    """

    place: str
    base: str | None

    @property
    def store(self) -> Store:
        """Its quads."""
        ...

    @property
    def holdings(self) -> Holdings:
        """Its names."""
        ...

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Put new families in the place of old ones; gives back what really changed."""
        ...

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own."""
        ...

    def close(self) -> None:
        """Let go of it."""
        ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...


class EmbeddedCatalogue:
    """A catalogue in a folder: an Oxigraph store, and an index of names beside it.

    The index alone is open at first, since names can be looked up while somebody else writes.
    """

    def __init__(self, folder: Path, *, write: bool, wait: float, base: str | None = None) -> None:
        """Open the folder; `open_catalogue` says what may go wrong."""
        self.place = str(folder)
        self._folder, self._write, self._wait = folder, write, wait
        self._open = ExitStack()
        self._store: EmbeddedStore | None = None
        with ExitStack() as opened:
            if write:
                self._lock(opened)
                _found(folder, base)
            about = _about(folder)
            self.base: str | None = about.get("base")
            _refuse_other_base(self.place, self.base, base)
            self._index = Index(folder / "names.sqlite", write=write)
            opened.callback(self._index.close)
            self._open = opened.pop_all()
        if write:
            self._mend()

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
    def store(self) -> Store:
        """Its quads; nobody may write while they are read.

        Raises:
            CatalogueError: somebody writes, or the store is damaged.
        """
        if self._store is None:
            if not self._write:
                self._lock(self._open)
            self._store = EmbeddedStore(self._folder / "store", write=self._write)
            self._open.callback(self._forget_store)
        return self._store

    def _forget_store(self) -> None:
        if self._store is not None:
            self._store.close()
            self._store = None

    def _lock(self, stack: ExitStack) -> None:
        self._folder.mkdir(parents=True, exist_ok=True) if self._write else None
        lock = locked(self._folder / "lock", write=self._write, wait=self._wait)
        stack.enter_context(lock)

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
        changed, rows, nquads = self._changed(merge, as_of)
        if not changed.old and not changed.new:
            return changed
        self._index.begin(journal_of(changed, as_of))
        self._do(changed, rows, nquads, as_of)
        return changed

    def _changed(
        self, merge: Merge, as_of: dt.date
    ) -> tuple[Merge, Sequence[FamilyRows], Sequence[bytes]]:
        """The merge without the families that stay as they are, with the rows of the others."""
        nquads = [nquads_of(family, as_of=as_of, base=self.base) for family in merge.new]
        rows = [rows_of(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
        known = self._index.digests([each.key for each in rows]) if merge.old else {}
        same = {each.key for each in rows if known.get(each.key) == each.digest}
        if not same:
            return merge, rows, nquads
        kept = [place for place, each in enumerate(rows) if each.key not in same]
        changed = Merge(
            old=tuple(family for family in merge.old if str(family.key) not in same),
            new=tuple(merge.new[place] for place in kept),
        )
        return changed, [rows[place] for place in kept], [nquads[place] for place in kept]

    def _do(
        self, merge: Merge, rows: Sequence[FamilyRows], nquads: Sequence[bytes], as_of: dt.date
    ) -> None:
        if merge.old:
            change = change_of(merge, self.store, self._index, as_of=as_of, base=self.base)
            self.store.change(change.removed, change.added)
        else:
            self.store.fill(b"".join(nquads))
        self.store.flush()
        self._index.settle([rows_of(family, b"", as_of) for family in merge.old], rows)

    def _mend(self) -> None:
        """Do what was begun when a process died, and index what was changed behind its back."""
        journal = self._index.pending()
        if journal is not None:
            merge, as_of = read_journal(journal, self._index)
            nquads = [nquads_of(family, as_of=as_of, base=self.base) for family in merge.new]
            rows = [rows_of(f, n, as_of) for f, n in zip(merge.new, nquads, strict=True)]
            self._do(merge, rows, nquads, as_of)

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own, and index the names anew.

        Raises:
            CatalogueError: it is no update, or the store cannot be written.
        """
        self._index.set(_STALE, "yes")
        self.store.update(text)
        self.store.flush()


def open_catalogue(
    place: str | Path, *, write: bool = False, base: str | None = None, wait: float = 0.0
) -> Catalogue:
    """Open a catalogue.

    Args:
        place: a folder; or the URL of a SPARQL 1.1 server, or a TOML file that names its endpoints.
        write: whether it may be changed; a folder that is absent or empty then becomes one.
        base: what HTTP-URI equivalents begin with, for a new one; they stand in its graph.
        wait: how many seconds to wait for another process that has it open.

    Raises:
        CatalogueError: it is absent, in use, damaged, made by another version, or no catalogue.
        ValueError: ``base`` is no base of HTTP URIs.
    """
    if base is not None:
        http_of(parse(_ANY_NAME), base)
    text = str(place)
    if text.startswith(("http://", "https://")) or text.endswith(".toml"):
        from lexurn.catalogue._remote import open_remote  # noqa: PLC0415  (needs an extra)

        return open_remote(text, base=base)
    folder = Path(place)
    if not write and not (folder / _ABOUT).is_file():
        raise CatalogueError(f"{folder} is no catalogue; make one: lexurn catalogue load")
    return EmbeddedCatalogue(folder, write=write, wait=wait, base=base)


def _found(folder: Path, base: str | None) -> None:
    """Make a folder a catalogue where it is none yet.

    Raises:
        CatalogueError: it holds something else.
    """
    about = folder / _ABOUT
    if about.is_file():
        return
    if any(path.name not in {"lock", "store", "names.sqlite"} for path in folder.iterdir()):
        raise CatalogueError(f"{folder} holds other things; name a new or an empty folder")
    text = json.dumps({"format": FORMAT, "base": base}, indent=1)
    staged = about.with_suffix(".new")
    staged.write_text(f"{text}\n", encoding="utf-8")
    staged.replace(about)


def _about(folder: Path) -> dict[str, str | None]:
    try:
        about = json.loads((folder / _ABOUT).read_text(encoding="utf-8"))
        version = about["format"]
    except (OSError, ValueError, TypeError, KeyError) as fault:
        raise CatalogueError(f"{folder / _ABOUT} cannot be read: {fault}") from None
    if version != FORMAT:
        raise CatalogueError(
            f"{folder} was made by another version of lexurn (format {version}, not {FORMAT}); "
            "dump it with that version, and load the dump into a new catalogue"
        )
    return {"base": about.get("base")}


def _refuse_other_base(place: str, held: str | None, asked: str | None) -> None:
    if asked is not None and asked != held:
        raise CatalogueError(
            f"{place} was made with {f'the base {held}' if held else 'no base'}, which stands in "
            "its graph; load into a new catalogue to have another"
        )
