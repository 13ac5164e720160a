"""A catalogue on a SPARQL 1.1 server that somebody runs: the same commands, over HTTP."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Final, Self

from lexurn.catalogue._about import refuse_other_base
from lexurn.catalogue._bookkeeping import KEPT
from lexurn.catalogue._change import change_of, touched
from lexurn.catalogue._remote import RemoteStore
from lexurn.catalogue._remote_holdings import RemoteHoldings
from lexurn.catalogue._turn_there import TurnThere
from lexurn.catalogue._unreadable import unsaid
from lexurn.errors import CatalogueError
from lexurn.graph import nquads_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence
    from types import TracebackType

    from lexurn.catalogue._merge import Merge
    from lexurn.catalogue._rows import FamilyRows

__all__ = ["ServerCatalogue"]

_ABOUT: Final = f"<{KEPT}about>"
_BASE: Final = f"<{KEPT}base>"
_ASKED: Final = (
    f"SELECT ?base FROM NAMED {_ABOUT} "  # noqa: S608 - SPARQL of our own terms
    f"WHERE {{ GRAPH {_ABOUT} {{ {_ABOUT} {_BASE} ?base }} }}"
)


class ServerCatalogue:
    """A catalogue on a server; see `lexurn.catalogue.Catalogue`.

    There is no index beside it, and no journal: a load that was interrupted is completed when it
    is run again. One process writes at a time; any number read.
    """

    portion = 0  # what comes is sent at once: the turn to write is short

    def __init__(
        self, place: str, *, write: bool = False, base: str | None = None, wait: float = 0.0
    ) -> None:
        """Make ready to ask the server; `open_catalogue` says what may go wrong."""
        self.store = RemoteStore(place)
        self.holdings = RemoteHoldings(self.store)
        self.place = self.store.place
        self._turn: TurnThere | None = None
        try:
            if write:
                self._turn = TurnThere(self.store, wait=wait)
                # Whoever forgets to close it stops nobody, once the process ends.
                self._let_go = weakref.finalize(self, self._turn.release)
            self.base = self._base_of(base)
        except BaseException:
            self.close()
            raise

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
        """Let go of the turn to write, and of the connections."""
        if self._turn is not None:
            self._let_go()
            self._turn = None
        self.store.close()

    def _hold(self) -> None:
        """Make sure that nobody else writes.

        Raises:
            CatalogueError: somebody may, or it was opened for reading.
        """
        if self._turn is None:
            raise CatalogueError(f"{self.place} is open for reading only; open it for writing")
        self._turn.hold()

    def _base_of(self, asked: str | None) -> str | None:
        """The base that the catalogue was made with, which stands on the server."""
        found = self.store.rows(_ASKED)
        held = next((row["base"].value for row in found), None)
        if held is None and asked and self._turn is not None and self.holdings.is_empty():
            self.store.update(f'INSERT DATA {{ GRAPH {_ABOUT} {{ {_ABOUT} {_BASE} "{asked}" }} }}')
            return asked
        refuse_other_base(self.place, held, asked)
        return held

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Put new families in the place of old ones; gives back what really changed.

        Raises:
            CatalogueError: the server does not do it.
            GraphError: a value that no graph can hold.
        """
        # Whoever merges is told; of others only the keys and the copies are asked.
        readable = self.holdings.as_far_as_readable(unsaid)
        nquads = b"".join(nquads_of(f, as_of=as_of, base=self.base) for f in merge.new)
        change = change_of(merge, nquads, self.store, readable, as_of=as_of, base=self.base)
        self._hold()
        self.store.change(change.removed, change.added)
        return touched(merge, change)

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        acts = [name for each in rows for name, *_ in each.acts]
        urls = {url for each in rows for url, *_ in each.copies}
        return not self.holdings.is_any(acts) and not self.holdings.is_any_copy(urls)

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:  # noqa: ARG002 - none has it
        """None: a server tells only with what it takes to change them."""
        return frozenset()

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:  # noqa: ARG002 - the day stands in the quads
        """Put in families that are new.

        Raises:
            CatalogueError: the server does not take them.
        """
        if rows:
            self._hold()
            self.store.fill(nquads)

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own.

        Raises:
            CatalogueError: it is no update, or the server does not do it.
        """
        self._hold()
        self.store.update(text)
