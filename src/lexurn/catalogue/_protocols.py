"""What every catalogue has, wherever it lies: a store for SPARQL, and holdings by name.

The embedded catalogue has an Oxigraph store and an index in SQLite; one on a server has both by
SPARQL alone. What resolves, queries, checks and loads knows these two; only where one of them can
do more (tables that SQL looks into, rows as they come, another process that opens the store) it is
asked which one it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    import pyoxigraph

    from lexurn.graph import Layer
    from lexurn.model import Family, Item

    Answer = pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples

__all__ = ["Holdings", "Store", "TooMuchError"]


class TooMuchError(Exception):
    """Several alias sets state more, together, than is to be held in memory."""


class Store(Protocol):
    """Quads in three named graphs, one a layer, and SPARQL 1.1 over them.

    Every method raises `CatalogueError` where the store cannot do what is asked, and says why.

    Attributes:
        place: the folder or the URL, for messages.
    """

    place: str

    def query(self, text: str) -> Answer:
        """The answer to a SPARQL query; its default graph is all graphs together."""
        ...

    def update(self, text: str) -> None:
        """Do a SPARQL update, all of it or nothing."""
        ...

    def change(self, removed: Collection[str], added: Collection[str]) -> None:
        """Take out and put in N-Quads lines (each with its line end), all of it or nothing."""
        ...

    def fill(self, nquads: bytes) -> None:
        """Put in many N-Quads, as quick as it goes; a part may be in after a crash."""
        ...

    def quads(self, nodes: Collection[str]) -> Iterator[str]:
        """The N-Quads lines of the three layers whose subject is one of ``nodes`` (plain IRIs)."""
        ...

    def dump(self) -> Iterator[bytes]:
        """All quads of the three layers as pieces of N-Quads, in no order, lines never cut."""
        ...

    def triples(self, layer: Layer) -> Iterator[bytes]:
        """All triples of a layer as pieces of N-Triples, lines never cut.

        Terms are as queries give them: Oxigraph has one type for all integers.
        """
        ...

    def flush(self) -> None:
        """Come back when all that was written would survive a power cut."""
        ...

    def close(self) -> None:
        """Let go of the store."""
        ...


class Holdings(Protocol):
    """What a catalogue holds, by name."""

    def family(self, act: str) -> Family | None:
        """The alias set that has an act or one of its aliases (canonical text, no annex)."""
        ...

    def families(self, acts: Collection[str], most: int | None = None) -> Sequence[Family]:
        """The alias sets that have any of ``acts``, each once, sorted by key.

        Args:
            acts: the acts.
            most: how many characters all that is stated of several may have; None for any number.

        Raises:
            TooMuchError: it has more; fewer acts are to be asked for.
        """
        ...

    def near(self, jurisdiction: str, number: str, year: str | None = None) -> Sequence[str]:
        """The acts and aliases of acts that have a number, sorted.

        Args:
            jurisdiction: the whole element, ``br;sao.paulo``.
            number: one number as `number_key` has it; acts with several numbers have each.
            year: four digits: only acts with a date or a period in that year.
        """
        ...

    def dated(self, head: str, day: str) -> Sequence[str]:
        """The acts and aliases of acts with a head and a first date, whatever their number; sorted.

        Args:
            head: jurisdiction, authority and measure: ``urn:lex:fr:etat:loi``.
            day: ``1881-07-29``.
        """
        ...

    def spelled(self, text: str) -> Sequence[str]:
        """The names (of any level) of which ``text`` is a spelling in a dialect; sorted."""
        ...

    def holders(self, urls: Collection[str], most: int = 2) -> Mapping[str, Sequence[str]]:
        """For each URL of a copy that is held, keys of the alias sets that have it.

        Args:
            urls: the URLs.
            most: how many keys for each are enough (a gazette may hold a million acts).
        """
        ...

    def copies(self, url: str, without: Collection[str]) -> Iterable[Item]:
        """What alias sets other than those with the keys ``without`` state of a copy.

        What several state may come several times; who has read enough of it, reads no more.
        """
        ...

    def keys(self) -> Iterator[str]:
        """The keys of all alias sets, sorted."""
        ...

    def is_empty(self) -> bool:
        """Whether nothing at all is held, which is known at once."""
        ...
