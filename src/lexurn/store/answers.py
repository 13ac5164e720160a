"""Answers of queries: rows, triples or a boolean, read once, and written in any format.

Rows are written as a table or in the formats of the W3C, graphs as RDF.
"""

from __future__ import annotations

import datetime as dt
import re
from collections import deque
from contextlib import contextmanager
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Any, Final, Protocol, Self

import pyoxigraph

from lexurn import graph
from lexurn.errors import CatalogueError, CatalogueUsageError
from lexurn.findings import measure_width
from lexurn.lazy import compile_late
from lexurn.vocabulary import XSD

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from decimal import Decimal

    EngineAnswer = pyoxigraph.QuerySolutions | pyoxigraph.QueryBoolean | pyoxigraph.QueryTriples
    Term = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal | pyoxigraph.Triple

    Row = tuple[Term | None, ...]
    Value = str | int | float | Decimal | dt.date | dt.datetime | None

ENGINE_FAULTS: Final = (OSError, ValueError, RuntimeError, SyntaxError)
_DAMAGED: Final = (
    "{location} is damaged ({message}); copy given.sqlite, which lists the names given out, to a "
    "new folder, and load your sources into it"
)
_ENGINE_MESSAGES: Final = (
    (("corruption",), _DAMAGED),
    (("no space",), "{location}: the disk is full; free space, then try again"),
    (("lock file", "lock hold"), "{location} is in use by another process; wait until it is done"),
    (("read-write",), "{location} was opened for reading only and cannot be written"),
    (("read-only", "permission"), "{location} cannot be used: {message}"),
    (("no such file", "invalid argument"), _DAMAGED),
)
"""Words of the engine's messages, the surest first, and the sentences for them."""
_FAULT_POSITION: Final = compile_late(r"error at ([0-9]{1,9}):([0-9]{1,9}).*", re.DOTALL)
_SHOWN_CHARACTERS: Final = 40
_MOST_COUNTED: Final = 100
_MOST_SHOWN: Final = 5
_LONGEST_ROW: Final = 300


class Store(Protocol):
    """Store that answers SPARQL queries: one of this process, or one on a server.

    Attributes:
        location: the folder or the URL, for messages.
    """

    location: str

    def query(self, text: str) -> EngineAnswer:
        """Return the answer to a SPARQL query; its default graph is all layers together.

        Raises:
            CatalogueError: there is no answer; the message says why.
        """
        ...


def select_rows(store: Store, text: str) -> Iterator[pyoxigraph.QuerySolution]:
    """Yield the rows of a SELECT, read when they are asked for.

    Raises:
        CatalogueError: the store cannot be asked, or cannot be read.
    """
    answer = store.query(text)
    if not isinstance(answer, pyoxigraph.QuerySolutions):
        raise CatalogueError(f"{store.location} answered a SELECT with no rows")
    try:
        yield from answer
    except ENGINE_FAULTS as fault:
        raise CatalogueError(explain_engine_fault(store.location, str(fault))) from None


def format_literal(value: str) -> str:
    """Return a text as SPARQL and N-Quads write it."""
    return str(pyoxigraph.Literal(value))


def explain_engine_fault(location: str, message: str) -> str:
    """Return a fault of the engine as a sentence.

    Args:
        location: the folder of the store, or its name.
        message: the engine's message.

    >>> explain_engine_fault("law/store", "Corruption: bad checksum in law/store/1.sst")[:20]
    'law/store is damaged'
    """
    lowered = message.replace(f"{location}/", "").lower()
    for words, sentence in _ENGINE_MESSAGES:
        if any(each in lowered for each in words):
            return sentence.format(location=location, message=message)
    return f"{location}: {message}"


class AnswerSource(Protocol):
    """Process that an answer comes from."""

    has_more: bool

    def close(self) -> None:
        """End it."""
        ...


class _OpenAnswer:
    """Answer that is read once, and can be closed; a context manager."""

    def __init__(self, content: Any, source: AnswerSource | Solutions | None = None) -> None:
        self._content, self._source = content, source

    def _get_content(self) -> Any:
        """Return the content.

        Raises:
            CatalogueError: the answer is closed.
        """
        if self._content is None:
            raise CatalogueError("The answer is closed and cannot be read any more.")
        return self._content

    def _read_content(self) -> Iterator[Any]:
        """Yield each row or triple.

        Raises:
            CatalogueError: the query takes too long or too much memory, or cannot be answered;
                or the answer is closed.
        """
        with explain_faults():
            yield from self._get_content()

    @property
    def has_more(self) -> bool:
        """True if the answer was cut and goes on; known when all is read."""
        return self._source is not None and self._source.has_more

    def close(self) -> None:
        """Stop reading; a process that still works on it ends."""
        if self._source is not None:
            self._source.close()
        self._content = None  # no other thread than this one may drop it

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class Solutions(_OpenAnswer):
    """Rows of a SELECT, to be read once; a context manager.

    Attributes:
        variables: the column names.
    """

    def __init__(
        self, solutions: pyoxigraph.QuerySolutions, source: AnswerSource | None = None
    ) -> None:
        super().__init__(solutions, source)
        self.variables = tuple(variable.value for variable in solutions.variables)

    def __iter__(self) -> Iterator[Row]:
        """Return each row: a term for each column, None if there is none.

        Raises:
            CatalogueError: the query takes too long or too much memory, or cannot be answered;
                or the answer is closed.
        """
        return map(tuple, self._read_content())

    def serialize(self, target: IO[bytes], format: pyoxigraph.QueryResultsFormat) -> None:
        """Write all rows in a format of the W3C.

        Raises:
            CatalogueError: as when they are read; or the answer is closed.
        """
        with explain_faults():
            self._get_content().serialize(target, format)


class NamedRows(_OpenAnswer):
    """Rows of a SELECT by column name, with Python values; read once, a context manager.

    >>> from lexurn.store import EmbeddedStore, query
    >>> answer = query(EmbeddedStore(None), 'SELECT ("a" AS ?x) (1 AS ?y) ?z {}')
    >>> list(NamedRows(answer))
    [{'x': 'a', 'y': 1, 'z': None}]
    >>> NamedRows(query(EmbeddedStore(None), 'SELECT ?x { VALUES ?x { 1 2 } }'))
    <NamedRows of x: 2 to read
      {'x': 1}
      {'x': 2}>

    Attributes:
        variables: the column names.
    """

    def __init__(self, solutions: Solutions) -> None:
        super().__init__(solutions, solutions)
        self.variables = solutions.variables
        self._ahead: deque[dict[str, Value]] = deque()  # rows that only `repr` has read

    def __iter__(self) -> Iterator[dict[str, Value]]:
        """Return each row; a column without a value has None.

        Raises:
            CatalogueError: as of `Solutions`.
        """
        rows = self._get_content()
        while self._ahead:
            yield self._ahead.popleft()
        yield from map(self._convert_row, rows)

    def __repr__(self) -> str:
        """Describe the rows that are still to be read: columns, number, and the first rows.

        It reads at most 101 rows ahead; they stay to be read.
        """
        try:
            wanted = _MOST_COUNTED + 1 - len(self._ahead)
            self._ahead.extend(map(self._convert_row, islice(self._get_content(), wanted)))
        except CatalogueError as fault:
            return f"<NamedRows: {fault}>"
        count = len(self._ahead)
        number = f"more than {_MOST_COUNTED}" if count > _MOST_COUNTED else f"{count}"
        head = f"<NamedRows of {', '.join(self.variables)}: {number} to read"
        shown = (repr(row) for row in islice(self._ahead, _MOST_SHOWN))
        cut = (row if len(row) <= _LONGEST_ROW else f"{row[:_LONGEST_ROW]}..." for row in shown)
        more = ("...",) if count > _MOST_SHOWN else ()
        return "\n  ".join((head, *cut, *more)) + ">"

    def _convert_row(self, row: Row) -> dict[str, Value]:
        return dict(zip(self.variables, map(convert_term, row), strict=True))


def _read_decimal(text: str) -> Decimal:
    from decimal import Decimal  # noqa: PLC0415 - few answers have such numbers

    return Decimal(text)


_CONVERTERS: Final[Mapping[str, Callable[[str], Value]]] = {
    f"{XSD}integer": int,
    f"{XSD}nonNegativeInteger": int,
    f"{XSD}decimal": _read_decimal,
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
    """Triples of a CONSTRUCT or DESCRIBE, to be read once; a context manager."""

    def __iter__(self) -> Iterator[pyoxigraph.Triple]:
        """Return each triple; one may come more than once.

        Raises:
            CatalogueError: the query takes too long or too much memory, or cannot be answered;
                or the answer is closed.
        """
        return self._read_content()


QueryAnswer = Solutions | Triples | bool
"""Answer of a query; an ASK gives a boolean."""


@contextmanager
def explain_faults(text: str = "") -> Iterator[None]:
    """Turn faults of an engine that answers into sentences; a broken pipe stays itself.

    Args:
        text: the query, to show the position of a syntax error.

    Raises:
        CatalogueError: in place of the engine's exception.
    """
    try:
        yield
    except BrokenPipeError:
        raise
    except ENGINE_FAULTS as fault:
        raise CatalogueError(f"The query cannot be answered: {fault}") from None
    except CatalogueError as fault:
        message, lines = str(fault), text.split("\n")
        position = _FAULT_POSITION.search(message)
        if position is None or not 0 < int(position[1]) <= len(lines):
            raise CatalogueError(message) from None
        # The text at the fault stands in place of the list of expected tokens.
        row, column = int(position[1]), int(position[2])
        before = lines[row - 1][: column - 1].strip()[-_SHOWN_CHARACTERS:]
        after = lines[row - 1][column - 1 :].strip()[:_SHOWN_CHARACTERS]
        where = f"at {after!r}" if after else f"after {before!r}"
        raise CatalogueError(
            f"{message[: position.start()]}line {row}, column {column}, {where}"
        ) from None


_MEASURED_ROWS: Final = 500
_WIDEST_COLUMN: Final = 80
_MOST_IN_ORDER: Final = 100_000


_RESULTS: Final = {
    "table": None,
    "csv": pyoxigraph.QueryResultsFormat.CSV,
    "tsv": pyoxigraph.QueryResultsFormat.TSV,
    "json": pyoxigraph.QueryResultsFormat.JSON,
    "xml": pyoxigraph.QueryResultsFormat.XML,
}
_BOOLEANS: Final = {
    "json": '{{"head":{{}},"boolean":{}}}\n',
    "xml": (
        '<?xml version="1.0" encoding="UTF-8"?>'
        '<sparql xmlns="http://www.w3.org/2005/sparql-results#"><head></head>'
        "<boolean>{}</boolean></sparql>\n"
    ),
}


def write_answer(answer: QueryAnswer, form: str | None, target: IO[bytes]) -> None:
    """Write an answer as it comes.

    Tables and the formats of results take bounded memory. A graph of up to 100,000 triples is
    written in canonical bytes, a larger one as it comes.

    Args:
        answer: the answer.
        form: ``table``, ``csv``, ``tsv``, ``json`` or ``xml`` for rows and booleans, for a graph
            the name of a `Format` without named graphs; None for a table or, of a graph, Turtle.
        target: the file to write to.

    Raises:
        CatalogueUsageError: the format is not for such an answer.
        CatalogueError: the answer breaks off.
        GraphError: RDF/XML cannot hold a property.
    """
    if isinstance(answer, Triples):
        formats = {each.name.lower(): each for each in graph.Format if not each.has_graphs}
        rdf = formats.get(form or "turtle")
        if rdf is None:
            known = ", ".join(formats)
            raise CatalogueUsageError(
                f"this query returns a graph, which cannot be written as {form}; use one of {known}"
            )
        coming = iter(answer)
        first = list(islice(coming, _MOST_IN_ORDER + 1))
        if len(first) > _MOST_IN_ORDER:
            pyoxigraph.serialize(chain(first, coming), target, rdf.engine)
            return
        stated = {(str(each.subject), str(each.predicate), str(each.object)) for each in first}
        statements = graph.Statements(decoded=(), catalogued=tuple(sorted(stated)), computed=())
        target.write(graph.write(statements, rdf))
        return
    form = form or "table"
    if form not in _RESULTS:
        known = ", ".join(_RESULTS)
        raise CatalogueUsageError(
            f"this query returns no graph, so it cannot be written as {form}; use one of {known}"
        )
    results = _RESULTS[form]
    if isinstance(answer, bool):
        pattern = _BOOLEANS.get(form, "{}\n")
        target.write(pattern.format("true" if answer else "false").encode())
    elif results is None:
        _write_table(answer, target)
    else:
        answer.serialize(target, results)
        if form in _BOOLEANS:  # the engine ends them without a line end
            target.write(b"\n")


def _write_table(answer: Solutions, target: IO[bytes]) -> None:
    """Write columns as wide as the first rows need; a later cell that is wider stands out."""
    rows = (tuple(map(_format_cell, row)) for row in answer)
    first = list(islice(rows, _MEASURED_ROWS))
    head = answer.variables
    widths = [
        min(_WIDEST_COLUMN, max(map(measure_width, column)))
        for column in zip(head, *first, strict=True)
    ]
    rule = tuple("-" * width for width in widths)
    for row in chain((head, rule), first, rows):
        padded = (
            cell + " " * (width - measure_width(cell))
            for cell, width in zip(row, widths, strict=True)
        )
        target.write(f"{'  '.join(padded).rstrip()}\n".encode())


def _format_cell(term: Term | None) -> str:
    """Return a term for people: texts without quotes, with language, control characters escaped."""
    if term is None:
        return ""
    if isinstance(term, pyoxigraph.Literal):
        text = f"{term.value}@{term.language}" if term.language else term.value
    else:
        text = term.value if isinstance(term, pyoxigraph.NamedNode) else str(term)
    if text.isprintable():
        return text
    return "".join(each if each.isprintable() else ascii(each)[1:-1] for each in text)
