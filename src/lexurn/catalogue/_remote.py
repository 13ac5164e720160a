"""A catalogue's store on a SPARQL 1.1 server: queries, updates, graph store protocol over HTTP.

What a server says is checked, not believed: the media type, that the whole answer is there, that
it is what it says it is. Queries go as forms, which every server reads (some hang on the bare text
that the protocol also allows).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

import pyoxigraph

from lexurn.catalogue._endpoint import Endpoint, endpoint_of, shown
from lexurn.catalogue._http_client import HttpClient, HttpRequest
from lexurn.catalogue._http_faults import HttpFaultError
from lexurn.catalogue._literals import as_written
from lexurn.catalogue._remote_answers import (
    CutError,
    answer_of,
    lines_of_stream,
    media_types_for,
    row_limit,
    values_of,
    whole_number,
)
from lexurn.catalogue._remote_rows import MOST_PAGED, pages_of, rows_in_parts
from lexurn.catalogue._remote_updates import pieces_by_graph, updates_of
from lexurn.catalogue._sparql import QueryForm, scan
from lexurn.errors import CatalogueError
from lexurn.graph import Layer

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from lexurn.catalogue._protocols import Answer
    from lexurn.catalogue._remote_answers import Term

__all__ = ["RemoteStore"]

_LAYERS: Final = tuple(layer.iri for layer in Layer)
_PIECE: Final = 20_000
_FEW: Final = 2_000
_UNCUT: Final = 1_000
_RAISE: Final = "have its limit of rows raised (Virtuoso: ResultSetMaxRows)"
_TOO_LARGE: Final = frozenset({400, 413, 500})
_NO_STORE: Final = frozenset({404, 405, 413, 501})
_NTRIPLES: Final = "application/n-triples"
_PLAIN: Final = frozenset({_NTRIPLES, "text/plain"})


class RemoteStore:
    """The quads of a catalogue on a server; see `lexurn.catalogue.Store` for what it does.

    Attributes:
        place: the URL of its query endpoint.
        endpoint: where it lies.
    """

    def __init__(self, endpoint: Endpoint | str) -> None:
        """Make ready to ask a server; nothing is sent yet.

        Args:
            endpoint: where it lies, or a place that `endpoint_of` understands.

        Raises:
            CatalogueError: the place is none of a server, or credentials cannot be read.
        """
        self.endpoint = endpoint_of(endpoint) if isinstance(endpoint, str) else endpoint
        self.place = shown(self.endpoint.query)
        self._client = HttpClient(
            self.endpoint.urls,
            timeout=self.endpoint.timeout,
            cleartext=self.endpoint.cleartext,
        )
        self._store = self.endpoint.store
        self._most = self.endpoint.lines

    def query(self, text: str) -> Answer:
        """The answer to a SPARQL query; its default graph is the three layers together.

        A query with FROM or FROM NAMED has the graphs that it names.
        """
        found = scan(text)
        form: dict[str, str | Sequence[str]] = {"query": text}
        if not found.datasets:
            form |= {"default-graph-uri": _LAYERS, "named-graph-uri": _LAYERS}
        return self._asked(form, found.form)

    def rows(self, text: str) -> pyoxigraph.QuerySolutions:
        """The rows of a SELECT that names its graphs itself."""
        answer = self._asked({"query": text}, QueryForm.SELECT)
        # A SELECT is answered with rows, or with a fault.
        return cast("pyoxigraph.QuerySolutions", answer)

    def values(self, text: str, names: Sequence[str]) -> Iterator[tuple[Term, ...]]:
        """The values of some variables in each row of a SELECT that names its graphs itself."""
        return values_of(self.rows(text), names, self.place)

    def update(self, text: str) -> None:
        """Do a SPARQL update; all of it or nothing, as far as the server keeps to that."""
        self._do(text, is_safe=False)

    def change(self, removed: Collection[str], added: Collection[str]) -> None:
        """Take out and put in N-Quads lines; doing it again after a fault does the rest.

        One update does it all where the server takes one of that size. Else several do, each
        with all that changes of its nodes.
        """
        self._change(removed, added, self._most)

    def _change(self, removed: Collection[str], added: Collection[str], most: int) -> None:
        count = len(removed) + len(added)
        try:
            for text in updates_of(removed, added, most=most):
                self._do(text, is_safe=True)
        except HttpFaultError as fault:
            if fault.status not in _TOO_LARGE or min(count, most) <= _FEW:
                raise
            self._most = _FEW
            self._change(removed, added, _FEW)

    def fill(self, nquads: bytes) -> None:
        """Put in many N-Quads; a part may be in after a crash, so do it again then."""
        if self._store is None or not self._is_posted(self._store, nquads):
            lines = [f"{line}\n" for line in nquads.decode().split("\n") if line]
            self._change((), lines, min(_PIECE, self._most))

    def _is_posted(self, store: str, nquads: bytes) -> bool:
        """Whether the graph store took the quads; False where there is none, or not for so many."""
        for graph, ntriples in pieces_by_graph(nquads):
            request = HttpRequest(
                url=store,
                parameters={"graph": graph},
                content=ntriples,
                headers={"Content-Type": _NTRIPLES},
            )
            try:
                self._client.whole(request, largest=self.endpoint.largest).body.close()
            except HttpFaultError as fault:
                if fault.status not in _NO_STORE:
                    raise
                self._store = None
                return False
        return True

    def quads(self, nodes: Collection[str]) -> Iterator[str]:
        """The N-Quads lines of the three layers whose subject is one of ``nodes``."""
        terms = [self.term(node) for node in dict.fromkeys(nodes)]
        return map(_line_of, rows_in_parts(self, terms, _quads_text, "spog"))

    def dump(self) -> Iterator[bytes]:
        """All quads of the three layers as pieces of N-Quads, in no order, lines never cut."""
        for layer in Layer:
            for lines in self.stated(layer):
                yield as_written("".join(lines)).encode()

    def triples(self, layer: Layer) -> Iterator[bytes]:
        """All triples of a layer as pieces of N-Triples, lines never cut."""
        for lines in self.stated(layer):
            yield "".join(lines).replace(f" <{layer.iri}> .\n", " .\n").encode()

    def stated(self, layer: Layer, predicate: str = "?p") -> Iterator[list[str]]:
        """The N-Quads lines of one layer, in lists.

        Args:
            layer: the layer.
            predicate: a term: only lines with that predicate.

        Raises:
            CatalogueError: the server did not give all of them.
        """
        where = f"WHERE {{ GRAPH <{layer.iri}> {{ ?s {predicate} ?o }} }}"
        expected, given = self._count(where), 0
        limit = self._row_limit(where) if expected > _UNCUT else None
        if limit is None:
            found = self._streamed(f"CONSTRUCT {{ ?s {predicate} ?o }} {where}", layer)
        else:
            found = self._paged(layer, predicate, limit, expected)
        for lines in found:
            given += len(lines)
            yield lines
        if given < expected and given < self._count(where):
            raise CutError(f"{self.place} gave {given:,} of {expected:,} statements; {_RAISE}")

    def _streamed(self, text: str, layer: Layer) -> Iterator[list[str]]:
        """The lines of a CONSTRUCT as they come."""
        request = HttpRequest(
            url=self.endpoint.query, form={"query": text}, headers={"Accept": _NTRIPLES}
        )
        with self._client.streamed(request) as (media_type, pieces):
            if media_type not in _PLAIN:
                raise CatalogueError(f"{self.place} gives no N-Triples, but {media_type!r}")
            yield from lines_of_stream(pieces, layer.iri, self.place)

    def _paged(
        self, layer: Layer, predicate: str, limit: int, expected: int
    ) -> Iterator[list[str]]:
        """The lines of a layer by pages, from a server that cuts every answer at ``limit`` rows.

        Raises:
            CutError: there are too many for that.
        """
        said = f"{self.place} gives {limit:,} of {expected:,} statements; {_RAISE}"
        if expected > MOST_PAGED:
            raise CutError(said)
        same = "" if predicate == "?p" else f"BIND({predicate} AS ?p)"
        text = (
            f"SELECT ?s ?p ?o ?g WHERE {{ GRAPH <{layer.iri}> {{ ?s {predicate} ?o }} {same} "
            f"BIND(<{layer.iri}> AS ?g) }}"
        )
        for page in pages_of(self, text, "spog", CutError(said, rows=limit)):
            yield list(map(_line_of, page))

    def _row_limit(self, where: str) -> int | None:
        """At how many rows the server cuts its answers, None where it does not say so."""
        request = HttpRequest(
            url=self.endpoint.query,
            form={"query": f"SELECT * {where}"},
            headers={"Accept": media_types_for(QueryForm.SELECT)},
        )
        return row_limit(self._client.headers(request))

    def flush(self) -> None:
        """Nothing to wait for: a server answers an update when it has it."""

    def close(self) -> None:
        """Let go of the server."""
        self._client.close()

    def term(self, iri: str) -> str:
        """An IRI as SPARQL writes it; one that is none cannot be asked for.

        Raises:
            CatalogueError: it is no IRI.
        """
        try:
            return str(pyoxigraph.NamedNode(iri))
        except ValueError:
            raise CatalogueError(f"{iri!r} is not an IRI, so nothing can be known of it") from None

    def _asked(self, form: dict[str, str | Sequence[str]], kind: QueryForm) -> Answer:
        headers = {"Accept": media_types_for(kind)}
        request = HttpRequest(url=self.endpoint.query, form=form, headers=headers)
        answer = self._client.whole(request, largest=self.endpoint.largest)
        return answer_of(answer, kind, self.place)

    def _do(self, text: str, *, is_safe: bool) -> None:
        if self.endpoint.update is None:
            raise CatalogueError(f"{self.place} is only read: no update endpoint is known of it")
        request = HttpRequest(url=self.endpoint.update, form={"update": text}, is_safe=is_safe)
        self._client.whole(request, largest=self.endpoint.largest).body.close()

    def _count(self, where: str) -> int:
        rows = list(self.values(f"SELECT (COUNT(*) AS ?n) {where}", ["n"]))
        if len(rows) != 1:
            raise CatalogueError(f"{self.place} answered with {len(rows)} rows to a count")
        return whole_number(rows[0][0], self.place)


def _line_of(row: Sequence[Term]) -> str:
    """A row of ``?s ?p ?o ?g`` as a line of N-Quads."""
    return as_written(f"{' '.join(map(str, row))} .\n")


def _quads_text(terms: Sequence[str]) -> str:
    """The query for all quads of some nodes."""
    values = f"VALUES ?s {{ {' '.join(terms)} }}"
    parts = " UNION ".join(
        f"{{ {values} GRAPH <{layer}> {{ ?s ?p ?o }} BIND(<{layer}> AS ?g) }}" for layer in _LAYERS
    )
    return f"SELECT ?g ?s ?p ?o WHERE {{ {parts} }}"
