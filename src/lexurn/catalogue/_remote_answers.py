"""Answers of a server: checked whole before anybody sees the first row of them."""

from __future__ import annotations

import io
import re
from typing import IO, TYPE_CHECKING, Final, TypeAlias, TypeGuard

import pyoxigraph

from lexurn.catalogue._sparql import QueryForm
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue._http_client import HttpAnswer
    from lexurn.catalogue._protocols import Answer

__all__ = [
    "CutError",
    "Term",
    "answer_of",
    "lines_of_stream",
    "media_types_for",
    "row_limit",
    "values_of",
    "whole_number",
]

Term: TypeAlias = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal
"""What an RDF 1.1 graph is made of."""

_DIGITS: Final = 18
_RESULTS: Final = {
    "application/sparql-results+json": pyoxigraph.QueryResultsFormat.JSON,
    "application/json": pyoxigraph.QueryResultsFormat.JSON,
    "application/sparql-results+xml": pyoxigraph.QueryResultsFormat.XML,
}
_TRIPLES: Final = {
    "application/n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/plain": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/turtle": pyoxigraph.RdfFormat.TURTLE,
}
_ROWS_ACCEPTED: Final = "application/sparql-results+json, application/sparql-results+xml;q=0.5"
_TRIPLES_ACCEPTED: Final = "application/n-triples, text/turtle;q=0.5"
_CUT_HEADER: Final = "x-sparql-maxrows"
_LONGEST_LINE: Final = 1 << 26
_MENDABLE: Final = 1 << 26
_NODE_IRI: Final = re.compile(rb'("type"\s*:\s*"bnode"\s*,\s*"value"\s*:\s*")nodeID://')


class CutError(CatalogueError):
    """A server gave the beginning of an answer only.

    Attributes:
        rows: at how many rows it cuts its answers, None where it does not say so.
    """

    def __init__(self, message: str, *, rows: int | None = None) -> None:
        """Keep the limit."""
        super().__init__(message)
        self.rows = rows


def media_types_for(form: QueryForm) -> str:
    """What we can read of the answer to a query of some form, as ``Accept`` says it.

    Raises:
        CatalogueError: it is an update, which has no answer.
    """
    if form is QueryForm.UPDATE:
        raise CatalogueError("this is an update, and only a query has an answer")
    return _ROWS_ACCEPTED if form in {QueryForm.SELECT, QueryForm.ASK} else _TRIPLES_ACCEPTED


def row_limit(headers: Mapping[str, str]) -> int | None:
    """At how many rows an answer was cut, None where its headers do not say that it was."""
    said = headers.get(_CUT_HEADER, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) <= _DIGITS else None


def answer_of(answer: HttpAnswer, form: QueryForm, place: str) -> Answer:
    """The answer to a query.

    Args:
        answer: what the server sent, whole.
        form: that of the query.
        place: the server, for messages.

    Raises:
        CatalogueError: it is no answer of that form, or was cut by the server.
    """
    if _CUT_HEADER in answer.headers:
        raise CutError(
            f"{place} cut its answer at its limit of {answer.headers[_CUT_HEADER]} rows; ask for "
            "fewer (LIMIT), or have that limit raised (Virtuoso: ResultSetMaxRows)",
            rows=row_limit(answer.headers),
        )
    try:
        found = _parsed(answer, form)
    except (SyntaxError, ValueError, OSError) as fault:
        raise CatalogueError(f"{place} sent what is no {answer.media_type}: {fault}") from None
    if found is None:
        raise CatalogueError(
            f"{place} answered a {form.value.upper()} with {answer.media_type or 'no type'}; is "
            "this the address of a SPARQL endpoint?"
        )
    return found


def _parsed(answer: HttpAnswer, form: QueryForm) -> Answer | None:
    """The answer, None where it is of another kind than asked."""
    if form in {QueryForm.CONSTRUCT, QueryForm.DESCRIBE}:
        return _triples(answer.body, _TRIPLES.get(answer.media_type))
    results = _RESULTS.get(answer.media_type)
    if results is None:
        return None
    body = answer.body
    # Read once to the end: a fault in the last row must not come out in the middle of a table.
    try:
        kind = _kind(body, results)
    except SyntaxError:
        body = _with_labels(body)
        kind = _kind(body, results)
    if (form is QueryForm.ASK) is not (kind is pyoxigraph.QueryBoolean):
        return None
    body.seek(0)
    return pyoxigraph.parse_query_results(body, format=results)


def _kind(body: IO[bytes], results: pyoxigraph.QueryResultsFormat) -> type:
    """The kind of an answer that is right to its end."""
    found = pyoxigraph.parse_query_results(body, format=results)
    try:
        if isinstance(found, pyoxigraph.QuerySolutions):
            for _ in found:
                pass
        return type(found)
    finally:
        # Rows may not be let go of by another thread, as they might where a fault holds them.
        del found


def _with_labels(body: IO[bytes]) -> IO[bytes]:
    """The body of an answer with blank nodes as JSON results have them.

    Virtuoso writes IRIs of its own in place of their labels.
    """
    body.seek(0)
    data = body.read(_MENDABLE + 1)
    return io.BytesIO(_NODE_IRI.sub(rb"\1", data))


def _triples(body: IO[bytes], form: pyoxigraph.RdfFormat | None) -> Answer | None:
    if form is None:
        return None
    store = pyoxigraph.Store()
    store.bulk_load(body, format=form)
    return store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")


def values_of(
    found: pyoxigraph.QuerySolutions, names: Sequence[str], place: str
) -> Iterator[tuple[Term, ...]]:
    """The values of some variables in each row of a SELECT, all of which must be there.

    Raises:
        CatalogueError: a variable is missing, or has no value.
    """
    missing = {*names} - {variable.value for variable in found.variables}
    if missing:
        raise CatalogueError(f"{place} answered without the columns {', '.join(sorted(missing))}")
    try:
        for row in found:
            values = tuple(value for name in names if _is_term(value := row[name]))
            if len(values) < len(names):
                raise CatalogueError(f"{place} answered with a row that lacks what was asked for")
            yield values
    finally:
        del found


def _is_term(value: object) -> TypeGuard[Term]:
    return isinstance(value, pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal)


def whole_number(value: Term, place: str) -> int:
    """A count.

    Raises:
        CatalogueError: it is none.
    """
    text = value.value
    if not (text.isascii() and text.isdigit() and len(text) <= _DIGITS):
        raise CatalogueError(f"{place} answered with {text[:40]!r} where a number was asked for")
    return int(text)


def lines_of_stream(pieces: Iterable[bytes], graph: str, place: str) -> Iterator[list[str]]:
    """The N-Quads lines of N-Triples that come in pieces, in canonical form, in lists.

    Args:
        pieces: the pieces, cut anywhere.
        graph: the IRI of the graph that the triples are of.
        place: where they come from, for messages.

    Raises:
        CatalogueError: they are no N-Triples.
    """
    for block in _whole_lines(pieces, place):
        try:
            quads = list(pyoxigraph.parse(block, format=pyoxigraph.RdfFormat.N_TRIPLES))
        except SyntaxError as fault:
            raise CatalogueError(f"{place} sent what is no N-Triples: {fault.msg}") from None
        yield [f"{quad} <{graph}> .\n" for quad in quads]


def _whole_lines(pieces: Iterable[bytes], place: str) -> Iterator[bytes]:
    """The same bytes, cut behind line ends.

    Raises:
        CatalogueError: a line does not end.
    """
    rest: list[bytes] = []
    held = 0
    for piece in pieces:
        lines, end, new = piece.rpartition(b"\n")
        if end:
            yield b"".join((*rest, lines, end))
            rest, held = [], 0
        rest.append(new)
        held += len(new)
        if held > _LONGEST_LINE:
            raise CatalogueError(f"{place} sent a line of more than {_LONGEST_LINE:,} bytes")
    if held:
        yield b"".join(rest)
