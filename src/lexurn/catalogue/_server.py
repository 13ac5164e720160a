"""A catalogue on a SPARQL 1.1 server that somebody runs: the same commands, over HTTP."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Self

from lexurn.catalogue._about import refuse_other_base
from lexurn.catalogue._change import change_of, touched
from lexurn.catalogue._remote import RemoteStore
from lexurn.catalogue._remote_holdings import RemoteHoldings
from lexurn.catalogue._unreadable import UnreadableError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence
    from types import TracebackType

    from lexurn.catalogue._merge import Merge
    from lexurn.catalogue._rows import FamilyRows
    from lexurn.catalogue._unreadable import Mended

__all__ = ["ServerCatalogue", "open_server"]

_KEPT: Final = "https://w3id.org/lexurn/catalogue#"
_ABOUT: Final = f"<{_KEPT}about>"
_BASE: Final = f"<{_KEPT}base>"
_ASKED: Final = (
    f"SELECT ?base FROM NAMED {_ABOUT} "  # noqa: S608 - SPARQL of our own terms
    f"WHERE {{ GRAPH {_ABOUT} {{ {_ABOUT} {_BASE} ?base }} }}"
)


class ServerCatalogue:
    """A catalogue on a server; see `lexurn.catalogue.Catalogue`.

    There is no index beside it, and no journal: each change is one request, and a load that was
    interrupted is completed when it is run again.
    """

    def __init__(self, place: str, *, base: str | None = None) -> None:
        """Make ready to ask the server.

        Raises:
            CatalogueError: it cannot be asked, or its catalogue has another base.
        """
        self.store = RemoteStore(place)
        self.holdings = RemoteHoldings(self.store)
        self.place = self.store.place
        try:
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
        """Let go of the connections."""
        self.store.close()

    def _base_of(self, asked: str | None) -> str | None:
        """The base that the catalogue was made with, which stands on the server."""
        found = self.store.rows(_ASKED)
        held = next((row["base"].value for row in found), None)
        if asked is None or asked == held:
            return held
        if held is not None or not self.holdings.is_empty():
            refuse_other_base(self.place, held, asked)
        self.store.update(f'INSERT DATA {{ GRAPH {_ABOUT} {{ {_ABOUT} {_BASE} "{asked}" }} }}')
        return asked

    def apply(self, merge: Merge, *, as_of: dt.date) -> Merge:
        """Put new families in the place of old ones; gives back what really changed.

        Raises:
            CatalogueError: the server does not do it.
            GraphError: a value that no graph can hold.
        """
        readable = self.holdings.as_far_as_readable(_told_before)
        change = change_of(merge, self.store, readable, as_of=as_of, base=self.base)
        self.store.change(change.removed, change.added)
        return touched(merge, change)

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        acts = [name for each in rows for name, *_ in each.acts]
        urls = sorted({url for each in rows for url, *_ in each.copies})
        try:
            return not self.holdings.is_any(acts) and not self.holdings.holders(urls, most=1)
        except UnreadableError:
            return False

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:  # noqa: ARG002 - the day stands in the quads
        """Put in families that are new.

        Raises:
            CatalogueError: the server does not take them.
        """
        if rows:
            self.store.fill(nquads)

    def update(self, text: str) -> None:
        """Do a SPARQL update of somebody's own.

        Raises:
            CatalogueError: it is no update, or the server does not do it.
        """
        self.store.update(text)


def _told_before(mended: Mended) -> None:
    """Whoever merges is told; of others only the keys and the copies are asked."""


def open_server(place: str, *, base: str | None) -> ServerCatalogue:
    """Open the catalogue on a server; as `open_catalogue`."""
    return ServerCatalogue(place, base=base)
