"""A catalogue, wherever it lies: a folder of this machine, or a SPARQL server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol, Self

from lexurn.catalogue._about import first_uri
from lexurn.catalogue._endpoint import is_remote

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence
    from types import TracebackType

    from lexurn.catalogue._merge import Merge
    from lexurn.catalogue._protocols import Holdings, Store
    from lexurn.catalogue._rows import FamilyRows

__all__ = ["Catalogue", "open_catalogue"]


class Catalogue(Protocol):
    """A catalogue that is open; a context manager.

    Attributes:
        place: the folder or the URL, for messages.
        base: what HTTP-URI equivalents begin with, None where it has none.
        portion: how many bytes of N-Quads are best added at a time.
    """

    place: str
    base: str | None
    portion: int

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

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families, nor of their copies."""
        ...

    def same(self, rows: Sequence[FamilyRows]) -> frozenset[str]:
        """The keys of the families whose quads are held just so, where that is known at once."""
        ...

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, *, as_of: dt.date) -> None:
        """Put in families that are new."""
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
        CatalogueError: it is absent, in use, damaged, made by another version, or no catalogue;
            or the place is a URL that is not http or https.
        ValueError: ``base`` is no base of HTTP URIs.
    """
    if base is not None:
        first_uri(base)
    text = str(place)
    if is_remote(text):
        from lexurn.catalogue._server import ServerCatalogue  # noqa: PLC0415  (needs an extra)

        return ServerCatalogue(text, write=write, base=base, wait=wait)
    from lexurn.catalogue._opening import open_folder  # noqa: PLC0415  (only what is asked for)

    return open_folder(Path(place), write=write, base=base, wait=wait)
