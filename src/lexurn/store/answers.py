"""Answers of queries: rows, triples or a truth, read once, and written in any format.

Rows are written as a table or in the formats of the W3C, graphs as RDF.
"""

from __future__ import annotations

import datetime as dt
import re
import unicodedata
from contextlib import contextmanager
from decimal import Decimal
from enum import StrEnum
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol

import pyoxigraph

from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.graph import Format, Statements, write
from lexurn.store.protocol import ENGINE_FAULTS
from lexurn.vocabulary import XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from types import TracebackType
    from typing import IO, Final, Self

    from lexurn.store.protocol import EngineAnswer

    Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple

    Row = tuple[Term | None, ...]
    Value = str | int | float | Decimal | dt.date | dt.datetime | None

_FAULT_PLACE: Final = re.compile(r"error at ([0-9]{1,9}):([0-9]{1,9}).*", re.DOTALL)
_CLOSED: Final = "the answer is closed: nothing of it can be read any more"
_SHOWN_CHARACTERS: Final = 40


class AnswerSource(Protocol):
    """Where an answer comes from, if not from this process."""

    has_more: bool

    def close(self) -> None:
        """Let go of it."""
        ...


class _OpenAnswer:
    """What is open while an answer is read."""

    def __init__(self, source: AnswerSource | None) -> None:
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


class Solutions(_OpenAnswer):
    """The rows that a SELECT gives, to be read once; a context manager.

    Attributes:
        variables: what each column is called.
    """

    def __init__(
        self, solutions: pyoxigraph.QuerySolutions, source: AnswerSource | None = None
    ) -> None:
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
        with explain_faults():
            yield from map(tuple, self._solutions)

    def serialize(self, target: IO[bytes], format: pyoxigraph.QueryResultsFormat) -> None:
        """Write all rows in a format of the W3C.

        Raises:
            CatalogueError: as when they are read; or the answer is closed.
        """
        if self._solutions is None:
            raise CatalogueError(_CLOSED)
        with explain_faults():
            self._solutions.serialize(target, format)

    def close(self) -> None:
        """Ask for no more; a process that still works on it ends."""
        super().close()
        self._solutions = None  # no other thread than this one may drop it


class NamedRows:
    """Rows of a SELECT by column name, with Python values; read once, a context manager.

    >>> from lexurn.store import EmbeddedStore, query
    >>> answer = query(EmbeddedStore(None), 'SELECT ("a" AS ?x) (1 AS ?y) ?z {}')
    >>> list(NamedRows(answer))
    [{'x': 'a', 'y': 1, 'z': None}]

    Attributes:
        variables: the column names.
    """

    def __init__(self, solutions: Solutions) -> None:
        self._solutions = solutions
        self.variables = solutions.variables

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Return each row; a column without a value has None.

        Raises:
            CatalogueError: as of `Solutions`.
        """
        for row in self._solutions:
            yield dict(zip(self.variables, map(convert_term, row), strict=True))

    def close(self) -> None:
        """Stop reading."""
        self._solutions.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


_CONVERTERS: Final[Mapping[str, Callable[[str], Value]]] = {
    f"{XSD}integer": int,
    f"{XSD}nonNegativeInteger": int,
    f"{XSD}decimal": Decimal,
    f"{XSD}double": float,
    f"{XSD}boolean": lambda text: text in {"true", "1"},
    f"{XSD}date": dt.date.fromisoformat,
    f"{XSD}dateTime": dt.datetime.fromisoformat,
}


def convert_term(term: Term | None) -> Value:
    """Return a term as a Python value.

    IRIs and texts are `str`; numbers, booleans and dates have their Python types. A value that its
    type does not allow stays a text.
    """
    if term is None:
        return None
    if not isinstance(term, pyoxigraph.Literal):
        return term.value if isinstance(term, pyoxigraph.NamedNode) else str(term)
    try:
        return _CONVERTERS.get(term.datatype.value, str)(term.value)
    except (ValueError, ArithmeticError):
        return term.value


class Triples(_OpenAnswer):
    """The triples that a CONSTRUCT or DESCRIBE gives, to be read once; a context manager."""

    def __init__(
        self, triples: Iterable[pyoxigraph.Triple], source: AnswerSource | None = None
    ) -> None:
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
        with explain_faults():
            yield from self._triples

    def close(self) -> None:
        """Ask for no more; a process that still works on it ends."""
        super().close()
        self._triples = None  # no other thread than this one may drop them


QueryAnswer = Solutions | Triples | bool
"""What a query gives; an ASK gives a truth."""


def wrap_answer(answer: EngineAnswer) -> QueryAnswer:
    """What an engine gives, as this library gives it on."""
    if isinstance(answer, pyoxigraph.QuerySolutions):
        return Solutions(answer)
    if isinstance(answer, pyoxigraph.QueryBoolean):
        return bool(answer)
    return Triples(answer)


@contextmanager
def explain_faults(text: str = "") -> Iterator[None]:
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
        raise CatalogueError(_point_at_fault(str(fault), text)) from None
    except ENGINE_FAULTS as fault:
        raise CatalogueError(f"the query cannot be answered: {fault}") from None


def _point_at_fault(message: str, text: str) -> str:
    """A message with the place it speaks of, without all that could stand there instead."""
    place = _FAULT_PLACE.search(message)
    lines = text.split("\n")
    if place is None or not 0 < int(place[1]) <= len(lines):
        return message
    row, column = int(place[1]), int(place[2])
    before = lines[row - 1][: column - 1].strip()[-_SHOWN_CHARACTERS:]
    behind = lines[row - 1][column - 1 :].strip()[:_SHOWN_CHARACTERS]
    where = f"at {behind!r}" if behind else f"behind {before!r}"
    return f"{message[: place.start()]}line {row}, column {column}, {where}"


_MEASURED_ROWS: Final = 500
_WIDEST_COLUMN: Final = 80
_MOST_IN_ORDER: Final = 100_000


class AnswerFormat(StrEnum):
    """How an answer is written: solutions and truths in the first five, graphs in the others."""

    TABLE = "table"
    CSV = "csv"
    TSV = "tsv"
    JSON = "json"
    XML = "xml"
    TURTLE = "turtle"
    NTRIPLES = "ntriples"
    JSONLD = "jsonld"
    RDFXML = "rdfxml"


_RESULTS: Final = {
    AnswerFormat.CSV: pyoxigraph.QueryResultsFormat.CSV,
    AnswerFormat.TSV: pyoxigraph.QueryResultsFormat.TSV,
    AnswerFormat.JSON: pyoxigraph.QueryResultsFormat.JSON,
    AnswerFormat.XML: pyoxigraph.QueryResultsFormat.XML,
}
_GRAPHS: Final = {
    AnswerFormat.TURTLE: (Format.TURTLE, pyoxigraph.RdfFormat.TURTLE),
    AnswerFormat.NTRIPLES: (Format.NTRIPLES, pyoxigraph.RdfFormat.N_TRIPLES),
    AnswerFormat.JSONLD: (Format.JSONLD, pyoxigraph.RdfFormat.JSON_LD),
    AnswerFormat.RDFXML: (Format.RDFXML, pyoxigraph.RdfFormat.RDF_XML),
}
_BOOLEAN_IN_XML: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>'
    '<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head></head>'
    "<boolean>{}</boolean></sparql>\n"
)


def write_answer(answer: QueryAnswer, form: AnswerFormat | None, target: IO[bytes]) -> None:
    """Write an answer as it comes.

    Tables and the formats of results take bounded memory. A graph is written in canonical bytes
    where it has up to 100,000 triples, and as it comes where it has more.

    Args:
        answer: what a query gave.
        form: how; None for a table or, of a graph, Turtle.
        target: where to.

    Raises:
        CatalogueUsageError: the format is not for such an answer.
        CatalogueError: the answer breaks off.
        GraphError: RDF/XML has no way to hold some property.
    """
    if isinstance(answer, Triples):
        _write_graph(answer, _choose_graph_format(form), target)
    elif form in _GRAPHS:
        known = ", ".join(each for each in AnswerFormat if each not in _GRAPHS)
        raise CatalogueUsageError(
            f"this query gives no graph to write as {form}; write it as {known}"
        )
    elif isinstance(answer, bool):
        target.write(_format_boolean(form, "true" if answer else "false").encode())
    elif form is not None and form in _RESULTS:
        answer.serialize(target, _RESULTS[form])
        if form in {AnswerFormat.JSON, AnswerFormat.XML}:
            target.write(b"\n")
    else:
        _write_table(answer, target)


def _choose_graph_format(form: AnswerFormat | None) -> AnswerFormat:
    """The format of a graph.

    Raises:
        CatalogueUsageError: the format is none of graphs.
    """
    if form is None:
        return AnswerFormat.TURTLE
    if form not in _GRAPHS:
        known = ", ".join(_GRAPHS)
        raise CatalogueUsageError(f"this query gives a graph, not for {form}; write it as {known}")
    return form


def _format_boolean(form: AnswerFormat | None, truth: str) -> str:
    if form is AnswerFormat.JSON:
        return f'{{"head":{{}},"boolean":{truth}}}\n'
    return _BOOLEAN_IN_XML.format(truth) if form is AnswerFormat.XML else f"{truth}\n"


def _write_graph(triples: Triples, form: AnswerFormat, target: IO[bytes]) -> None:
    ours, engines = _GRAPHS[form]
    coming = iter(triples)
    first = list(islice(coming, _MOST_IN_ORDER + 1))
    if len(first) > _MOST_IN_ORDER:
        pyoxigraph.serialize(chain(first, coming), target, engines)
        return
    stated = {(str(each.subject), str(each.predicate), str(each.object)) for each in first}
    statements = Statements(decoded=(), catalogued=tuple(sorted(stated)), computed=())
    target.write(write(statements, ours))


def _write_table(answer: Solutions, target: IO[bytes]) -> None:
    """Columns as wide as the first rows need; a later cell that is wider stands out."""
    rows = (tuple(map(_format_cell, row)) for row in answer)
    first = list(islice(rows, _MEASURED_ROWS))
    head = answer.variables
    widths = [
        min(_WIDEST_COLUMN, max(map(_measure_width, column)))
        for column in zip(head, *first, strict=True)
    ]
    rule = tuple("-" * width for width in widths)
    for row in chain((head, rule), first, rows):
        target.write(f"{_format_row(row, widths)}\n".encode())


def _format_row(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell + " " * (width - _measure_width(cell))
        for cell, width in zip(cells, widths, strict=True)
    )
    return "  ".join(padded).rstrip()


def _format_cell(term: Term | None) -> str:
    """A term for people: texts without quotes, languages behind them; nothing steers the screen."""
    if term is None:
        return ""
    if isinstance(term, pyoxigraph.Literal):
        text = f"{term.value}@{term.language}" if term.language else term.value
    else:
        text = term.value if isinstance(term, pyoxigraph.NamedNode) else str(term)
    return text if text.isprintable() else "".join(map(_escape_character, text))


def _escape_character(character: str) -> str:
    # Half a pair of surrogates never stands in a graph.
    return character if character.isprintable() else ascii(character)[1:-1]


def _measure_width(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in {"W", "F"} for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) != 0 for character in text)
