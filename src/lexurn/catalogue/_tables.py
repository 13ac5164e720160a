"""Answers of queries as bytes: tables for people, the formats of the W3C, RDF."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from itertools import chain, islice
from typing import IO, TYPE_CHECKING, Final

import pyoxigraph

from lexurn.catalogue._solutions import Solutions, Triples
from lexurn.errors import CatalogueUsageError
from lexurn.graph import Format, Statements, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lexurn.catalogue._solutions import QueryAnswer, Term

__all__ = ["AnswerFormat", "write_answer"]

_AHEAD: Final = 500
_WIDEST: Final = 80
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
_TRUTH_IN_XML: Final = (
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
        _write_graph(answer, _graph_form(form), target)
    elif form in _GRAPHS:
        known = ", ".join(each for each in AnswerFormat if each not in _GRAPHS)
        raise CatalogueUsageError(
            f"this query gives no graph to write as {form}; write it as {known}"
        )
    elif isinstance(answer, bool):
        target.write(_truth(form, "true" if answer else "false").encode())
    elif form is not None and form in _RESULTS:
        answer.serialize(target, _RESULTS[form])
        if form in {AnswerFormat.JSON, AnswerFormat.XML}:
            target.write(b"\n")
    else:
        _write_table(answer, target)


def _graph_form(form: AnswerFormat | None) -> AnswerFormat:
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


def _truth(form: AnswerFormat | None, truth: str) -> str:
    if form is AnswerFormat.JSON:
        return f'{{"head":{{}},"boolean":{truth}}}\n'
    return _TRUTH_IN_XML.format(truth) if form is AnswerFormat.XML else f"{truth}\n"


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
    rows = (tuple(map(_cell, row)) for row in answer)
    first = list(islice(rows, _AHEAD))
    head = answer.variables
    widths = [min(_WIDEST, max(map(_width, column))) for column in zip(head, *first, strict=True)]
    rule = tuple("-" * width for width in widths)
    for row in chain((head, rule), first, rows):
        target.write(f"{_line(row, widths)}\n".encode())


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    padded = (
        cell + " " * (width - _width(cell)) for cell, width in zip(cells, widths, strict=True)
    )
    return "  ".join(padded).rstrip()


def _cell(term: Term | None) -> str:
    """A term for people: texts without quotes, languages behind them; nothing steers the screen."""
    if term is None:
        return ""
    if isinstance(term, pyoxigraph.Literal):
        text = f"{term.value}@{term.language}" if term.language else term.value
    else:
        text = term.value if isinstance(term, pyoxigraph.NamedNode) else str(term)
    return text if text.isprintable() else "".join(map(_printable, text))


def _printable(character: str) -> str:
    # Half a pair of surrogates never stands in a graph.
    return character if character.isprintable() else ascii(character)[1:-1]


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, combining marks none."""
    if text.isascii():
        return len(text)
    wide = sum(unicodedata.east_asian_width(character) in {"W", "F"} for character in text)
    return len(text) + wide - sum(unicodedata.combining(character) != 0 for character in text)
