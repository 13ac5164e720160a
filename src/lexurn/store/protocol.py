"""Protocol of a store: quads in three named graphs, one a layer, and SPARQL 1.1 over them.

An embedded store is Oxigraph on disk or in memory; a remote one is any SPARQL 1.1 server. The
helpers here read the rows of either, and explain the faults of an engine.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Protocol

import pyoxigraph

from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from typing import Final

    from lexurn.graph import Layer

    EngineAnswer = pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples


class Store(Protocol):
    """Quads in three named graphs, one a layer, and SPARQL 1.1 over them.

    Every method raises `CatalogueError` where the store cannot do what is asked, and says why.

    Attributes:
        place: the folder or the URL, for messages.
    """

    place: str

    def query(self, text: str) -> EngineAnswer:
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


_DAMAGED: Final = (
    "{place} is damaged ({message}); load the sources into a new catalogue (take given.sqlite "
    "along, which says what names are given out)"
)
_SENTENCES: Final = (
    (("corruption",), _DAMAGED),
    (("no space",), "{place}: the disk is full; free space, then run the same again"),
    (("lock file", "lock hold"), "{place} is in use by another process; wait until it is done"),
    (("read-write",), "{place} was opened for reading only and cannot be written"),
    (("read-only", "permission"), "{place} cannot be used: {message}"),
    (("no such file", "invalid argument"), _DAMAGED),
)
"""What the engine may say, the surest first, and what that means."""


def explain_fault(place: str, message: str) -> str:
    """A fault of the engine as a sentence.

    Args:
        place: the folder of the store, or what it is called.
        message: what the engine says; the paths in it say nothing of the fault.

    >>> explain_fault("law/store", "Corruption: block checksum mismatch in law/store/1.sst")[:20]
    'law/store is damaged'
    """
    said = message.replace(f"{place}/", "").lower()
    for words, sentence in _SENTENCES:
        if any(each in said for each in words):
            return sentence.format(place=place, message=message)
    return f"{place}: {message}"


_SIZE: Final = (
    r'(<http://www\.w3\.org/ns/dcat#byteSize> "[0-9]+"\^\^<http://www\.w3\.org/2001/XMLSchema#)'
    r"integer>"
)
_TEXT: Final = re.compile(_SIZE)
_BYTES: Final = re.compile(_SIZE.encode())


def restore_types(lines: str) -> str:
    """N-Triples or N-Quads with the types that lexurn writes."""
    return _TEXT.sub(r"\1nonNegativeInteger>", lines)


def restore_types_in_bytes(lines: bytes) -> bytes:
    """The same for bytes."""
    return _BYTES.sub(rb"\1nonNegativeInteger>", lines)


def select_rows(store: Store, text: str) -> Iterator[pyoxigraph.QuerySolution]:
    """The rows of a SELECT, from the first one on read when they are asked for.

    Raises:
        CatalogueError: the store cannot be asked, or what it holds not be read.
    """
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QuerySolutions):
        raise CatalogueError(f"{store.place} answered a SELECT with no rows")
    try:
        yield from answer
    except ENGINE_FAULTS as fault:
        raise CatalogueError(explain_fault(store.place, str(fault))) from None


ENGINE_FAULTS: Final = (OSError, ValueError, RuntimeError, SyntaxError)


def select_values(store: Store, text: str, *columns: str) -> list[tuple[str, ...]]:
    """The values of a SELECT, without their types; of rows that have them all.

    Raises:
        CatalogueError: the store cannot be asked, or what it holds not be read.
    """
    rows = ([row[column] for column in columns] for row in select_rows(store, text))
    return [tuple(term.value for term in row) for row in rows if None not in row]


def format_literal(value: str) -> str:
    """A text as SPARQL and N-Quads write it."""
    return str(pyoxigraph.Literal(value))
