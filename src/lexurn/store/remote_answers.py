"""Answers of a server, checked whole before anybody sees the first row of them.

What a server says is checked, not believed: the media type, that the whole answer is there, that it
is what it says it is. Questions about many nodes are asked a part at a time.
"""

from __future__ import annotations

import io
import re
from itertools import count
from typing import TYPE_CHECKING, Protocol

import pyoxigraph

from lexurn.errors import CatalogueError
from lexurn.store.sparql import QueryForm

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import IO, Final, TypeAlias, TypeGuard

    from lexurn.graph import Triple
    from lexurn.store.http import HttpResponse
    from lexurn.store.protocol import EngineAnswer

    TextOf = Callable[[Sequence[str]], str]

Term: TypeAlias = pyoxigraph.NamedNode | pyoxigraph.BlankNode | pyoxigraph.Literal
"""What an RDF 1.1 graph is made of."""

_MOST_DIGITS: Final = 18
_RESULT_FORMATS: Final = {
    "application/sparql-results+json": pyoxigraph.QueryResultsFormat.JSON,
    "application/json": pyoxigraph.QueryResultsFormat.JSON,
    "application/sparql-results+xml": pyoxigraph.QueryResultsFormat.XML,
}
_TRIPLE_FORMATS: Final = {
    "application/n-triples": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/plain": pyoxigraph.RdfFormat.N_TRIPLES,
    "text/turtle": pyoxigraph.RdfFormat.TURTLE,
}
_ROWS_ACCEPTED: Final = "application/sparql-results+json, application/sparql-results+xml;q=0.5"
_TRIPLES_ACCEPTED: Final = "application/n-triples, text/turtle;q=0.5"
_CUT_HEADER: Final = "x-sparql-maxrows"
_LONGEST_LINE: Final = 1 << 26
_MOST_FIXED: Final = 1 << 26
_NODE_IRI: Final = re.compile(rb'("type"\s*:\s*"bnode"\s*,\s*"value"\s*:\s*")nodeID://')


class TruncatedAnswerError(CatalogueError):
    """A server gave the beginning of an answer only.

    Attributes:
        rows: at how many rows it cuts its answers, None where it does not say so.
    """

    def __init__(self, message: str, *, rows: int | None = None) -> None:
        """Keep the limit."""
        super().__init__(message)
        self.rows = rows


def choose_accept_header(form: QueryForm) -> str:
    """What we can read of the answer to a query of some form, as ``Accept`` says it.

    Raises:
        CatalogueError: it is an update, which has no answer.
    """
    if form is QueryForm.UPDATE:
        raise CatalogueError("this is an update, and only a query has an answer")
    return _ROWS_ACCEPTED if form in {QueryForm.SELECT, QueryForm.ASK} else _TRIPLES_ACCEPTED


def read_row_limit(headers: Mapping[str, str]) -> int | None:
    """At how many rows an answer was cut, None where its headers do not say that it was."""
    said = headers.get(_CUT_HEADER, "")
    return int(said) if said.isascii() and said.isdigit() and len(said) <= _MOST_DIGITS else None


def check_answer(answer: HttpResponse, form: QueryForm, place: str) -> EngineAnswer:
    """The answer to a query.

    Args:
        answer: what the server sent, whole.
        form: that of the query.
        place: the server, for messages.

    Raises:
        CatalogueError: it is no answer of that form, or was cut by the server.
    """
    if _CUT_HEADER in answer.headers:
        raise TruncatedAnswerError(
            f"{place} cut its answer at its limit of {answer.headers[_CUT_HEADER]} rows; ask for "
            "fewer (LIMIT), or have that limit raised (Virtuoso: ResultSetMaxRows)",
            rows=read_row_limit(answer.headers),
        )
    try:
        found = _parse_answer(answer, form)
    except (SyntaxError, ValueError, OSError) as fault:
        raise CatalogueError(f"{place} sent what is no {answer.media_type}: {fault}") from None
    if found is None:
        raise CatalogueError(
            f"{place} answered a {form.value.upper()} with {answer.media_type or 'no type'}; is "
            "this the address of a SPARQL endpoint?"
        )
    return found


def _parse_answer(answer: HttpResponse, form: QueryForm) -> EngineAnswer | None:
    """The answer, None where it is of another kind than asked."""
    if form in {QueryForm.CONSTRUCT, QueryForm.DESCRIBE}:
        return _load_triples(answer.body, _TRIPLE_FORMATS.get(answer.media_type))
    results = _RESULT_FORMATS.get(answer.media_type)
    if results is None:
        return None
    body = answer.body
    # Read once to the end: a fault in the last row must not come out in the middle of a table.
    try:
        kind = _read_kind(body, results)
    except SyntaxError:
        body = _fix_blank_nodes(body)
        kind = _read_kind(body, results)
    if (form is QueryForm.ASK) is not (kind is pyoxigraph.QueryBoolean):
        return None
    body.seek(0)
    return pyoxigraph.parse_query_results(body, format=results)


def _read_kind(body: IO[bytes], results: pyoxigraph.QueryResultsFormat) -> type:
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


def _fix_blank_nodes(body: IO[bytes]) -> IO[bytes]:
    """The body of an answer with blank nodes as JSON results have them.

    Virtuoso writes IRIs of its own in place of their labels.
    """
    body.seek(0)
    data = body.read(_MOST_FIXED + 1)
    return io.BytesIO(_NODE_IRI.sub(rb"\1", data))


def _load_triples(body: IO[bytes], form: pyoxigraph.RdfFormat | None) -> EngineAnswer | None:
    if form is None:
        return None
    store = pyoxigraph.Store()
    store.bulk_load(body, format=form)
    return store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")


def read_values(
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


def read_count(value: Term, place: str) -> int:
    """A count.

    Raises:
        CatalogueError: it is none.
    """
    text = value.value
    if not (text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS):
        raise CatalogueError(f"{place} answered with {text[:40]!r} where a number was asked for")
    return int(text)


def parse_ntriples(pieces: Iterable[bytes], graph: str, place: str) -> Iterator[list[str]]:
    """The N-Quads lines of N-Triples that come in pieces, in canonical form, in lists.

    Args:
        pieces: the pieces, cut anywhere.
        graph: the IRI of the graph that the triples are of.
        place: where they come from, for messages.

    Raises:
        CatalogueError: they are no N-Triples.
    """
    for block in _split_at_lines(pieces, place):
        try:
            quads = list(pyoxigraph.parse(block, format=pyoxigraph.RdfFormat.N_TRIPLES))
        except SyntaxError as fault:
            raise CatalogueError(f"{place} sent what is no N-Triples: {fault.msg}") from None
        yield [f"{quad} <{graph}> .\n" for quad in quads]


def _split_at_lines(pieces: Iterable[bytes], place: str) -> Iterator[bytes]:
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


_CHUNK: Final = 200
_FROM: Final = re.compile("FROM (?:NAMED )?<[^>]*>")
_LIMIT: Final = re.compile(" LIMIT [0-9]+\\Z")
MOST_PAGED_ROWS: Final = 500_000
# Virtuoso makes a text of an IRI that stands alone in VALUES, where a question is asked by pages.
_NO_NODE: Final = "<urn:x-lexurn:nobody>"


class RowSource(Protocol):
    """Store that gives the values of variables in the rows of a SELECT."""

    def values(self, text: str, names: Sequence[str]) -> Iterator[tuple[Term, ...]]:
        """Return the values of each row."""
        ...


def select_triples_in_parts(
    store: RowSource, terms: Sequence[str], text_of: TextOf
) -> Iterator[Triple]:
    """The triples (``?s ?p ?o``) that queries give, each of which names some of many terms."""
    for subject, predicate, value in select_in_parts(store, terms, text_of, "spo"):
        yield str(subject), str(predicate), str(value)


def select_in_parts(
    store: RowSource, terms: Sequence[str], text_of: TextOf, names: Sequence[str]
) -> Iterator[tuple[Term, ...]]:
    """The values of variables that queries give, each of which names some of many terms.

    Where a server cuts an answer, less is asked at once; what is known of one term comes by pages.

    Args:
        store: the server.
        terms: what is asked about.
        text_of: the query about some of them.
        names: the variables.
    """
    for start in range(0, len(terms), _CHUNK):
        yield from _select_some(store, terms[start : start + _CHUNK], text_of, names)


def _select_some(
    store: RowSource, terms: Sequence[str], text_of: TextOf, names: Sequence[str]
) -> Iterator[tuple[Term, ...]]:
    try:
        rows = store.values(text_of(terms), names)
    except TruncatedAnswerError as cut:
        if len(terms) == 1:
            for page in select_pages(store, text_of([*terms, _NO_NODE]), names, cut):
                yield from page
            return
        for half in (terms[: len(terms) // 2], terms[len(terms) // 2 :]):
            yield from _select_some(store, half, text_of, names)
    else:
        yield from rows


def select_pages(
    store: RowSource, text: str, names: Sequence[str], cut: TruncatedAnswerError
) -> Iterator[list[tuple[Term, ...]]]:
    """The rows of a SELECT by pages, from a server that cuts every answer.

    It sorts everything for each page, so that this goes for half a million rows at most.

    Args:
        store: the server.
        text: the SELECT; it has all variables that are asked for.
        names: the variables.
        cut: that it does, and where.

    Raises:
        TruncatedAnswerError: it does not say where, there are more, or the SELECT has a limit of
            its own.
    """
    if cut.rows is None or _LIMIT.search(text):
        raise cut
    columns, size = " ".join(f"?{name}" for name in names), max(cut.rows - 1, 1)
    dataset, inner = " ".join(_FROM.findall(text)), _FROM.sub("", text)
    for start in count(0, size):
        if start >= MOST_PAGED_ROWS:
            raise cut
        sorted_rows = f"{{ {inner} ORDER BY {columns} }}"
        page = f"SELECT {columns} {dataset} WHERE {{ {sorted_rows} }} LIMIT {size} OFFSET {start}"
        rows = list(store.values(page, names))
        yield rows
        if len(rows) < size:
            return
