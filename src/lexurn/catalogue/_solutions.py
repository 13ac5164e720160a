"""What a query gives: solutions or triples, to be read once, from this process or another."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Final, Protocol, Self

import pyoxigraph

from lexurn.catalogue._engine_faults import explained_fault
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from types import TracebackType

    from lexurn.catalogue._protocols import Answer, Store

    Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple
    Row = tuple[Term | None, ...]

__all__ = [
    "QueryAnswer",
    "Solutions",
    "Source",
    "Triples",
    "answer_of",
    "explained",
    "selected",
]

_PLACE: Final = re.compile(r"error at ([0-9]{1,9}):([0-9]{1,9}).*", re.DOTALL)
_CLOSED: Final = "the answer is closed: nothing of it can be read any more"
_SHOWN: Final = 40
_FAULTS: Final = (OSError, ValueError, RuntimeError, SyntaxError)


class Source(Protocol):
    """Where an answer comes from, if not from this process."""

    has_more: bool

    def close(self) -> None:
        """Let go of it."""
        ...


class _Answer:
    """What is open while an answer is read."""

    def __init__(self, source: Source | None) -> None:
        self._source = source

    @property
    def has_more(self) -> bool:
        """Whether the answer was cut where it went on; known when all is read."""
        return self._source is not None and self._source.has_more

    def close(self) -> None:
        """Ask for no more; a process that still works on it ends."""
        if self._source is not None:
            self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


class Solutions(_Answer):
    """The rows that a SELECT gives, to be read once; a context manager.

    Attributes:
        variables: what each column is called.
    """

    def __init__(self, solutions: pyoxigraph.QuerySolutions, source: Source | None = None) -> None:
        super().__init__(source)
        self._solutions: pyoxigraph.QuerySolutions | None = solutions
        self.variables = tuple(variable.value for variable in solutions.variables)

    def __iter__(self) -> Iterator[Row]:
        """Each row: a term for each column, None where there is none.

        Raises:
            CatalogueError: the query takes too long or too much memory, or cannot be answered; or
                the answer is closed.
        """
        if self._solutions is None:
            raise CatalogueError(_CLOSED)
        with explained():
            yield from map(tuple, self._solutions)

    def serialize(self, target: IO[bytes], format: pyoxigraph.QueryResultsFormat) -> None:
        """Write all rows in a format of the W3C.

        Raises:
            CatalogueError: as when they are read; or the answer is closed.
        """
        if self._solutions is None:
            raise CatalogueError(_CLOSED)
        with explained():
            self._solutions.serialize(target, format)

    def close(self) -> None:
        """Ask for no more; a process that still works on it ends."""
        super().close()
        self._solutions = None  # no other thread than this one may drop it


class Triples(_Answer):
    """The triples that a CONSTRUCT or DESCRIBE gives, to be read once; a context manager."""

    def __init__(self, triples: Iterable[pyoxigraph.Triple], source: Source | None = None) -> None:
        super().__init__(source)
        self._triples: Iterable[pyoxigraph.Triple] | None = triples

    def __iter__(self) -> Iterator[pyoxigraph.Triple]:
        """Each triple; one may come more than once.

        Raises:
            CatalogueError: the query takes too long or too much memory, or cannot be answered; or
                the answer is closed.
        """
        if self._triples is None:
            raise CatalogueError(_CLOSED)
        with explained():
            yield from self._triples

    def close(self) -> None:
        """Ask for no more; a process that still works on it ends."""
        super().close()
        self._triples = None  # no other thread than this one may drop them


QueryAnswer = Solutions | Triples | bool
"""What a query gives; an ASK gives a truth."""


def answer_of(answer: Answer) -> QueryAnswer:
    """What an engine gives, as this library gives it on."""
    if isinstance(answer, pyoxigraph.QuerySolutions):
        return Solutions(answer)
    if isinstance(answer, pyoxigraph.QueryBoolean):
        return bool(answer)
    return Triples(answer)


def selected(store: Store, text: str) -> Iterator[pyoxigraph.QuerySolution]:
    """The rows of a SELECT, from the first one on read when they are asked for.

    Raises:
        CatalogueError: the store cannot be asked, or what it holds not be read.
    """
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QuerySolutions):
        raise CatalogueError(f"{store.place} answered a SELECT with no rows")
    try:
        yield from answer
    except _FAULTS as fault:
        raise CatalogueError(explained_fault(store.place, str(fault))) from None


@contextmanager
def explained(text: str = "") -> Iterator[None]:
    """Faults of an engine while it answers, in words.

    Args:
        text: the query, to show where it is no SPARQL.

    Raises:
        CatalogueError: in place of what the engine raises.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except CatalogueError as fault:
        raise CatalogueError(_pointed(str(fault), text)) from None
    except _FAULTS as fault:
        raise CatalogueError(f"the query cannot be answered: {fault}") from None


def _pointed(message: str, text: str) -> str:
    """A message with the place it speaks of, without all that could stand there instead."""
    place = _PLACE.search(message)
    lines = text.split("\n")
    if place is None or not 0 < int(place[1]) <= len(lines):
        return message
    row, column = int(place[1]), int(place[2])
    before = lines[row - 1][: column - 1].strip()[-_SHOWN:]
    behind = lines[row - 1][column - 1 :].strip()[:_SHOWN]
    where = f"at {behind!r}" if behind else f"behind {before!r}"
    return f"{message[: place.start()]}line {row}, column {column}, {where}"
