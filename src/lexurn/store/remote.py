"""Remote store: a SPARQL 1.1 server, asked and changed over HTTP.

Queries go as forms, which every server reads (some hang on the bare text that the protocol also
allows). Changes go as updates, or as pieces for a graph store.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, cast

import pyoxigraph

from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.store.endpoint import read_endpoint, redact_url
from lexurn.store.http import HttpClient, HttpRequest, HttpStatusError
from lexurn.store.protocol import restore_types
from lexurn.store.remote_answers import (
    MOST_PAGED_ROWS,
    TruncatedAnswerError,
    check_answer,
    choose_accept_header,
    parse_ntriples,
    read_count,
    read_row_limit,
    read_values,
    select_in_parts,
    select_pages,
)
from lexurn.store.sparql import QueryForm, scan_query
from lexurn.vocabulary import CHECKSUM, FRBR

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.store.endpoint import Endpoint
    from lexurn.store.protocol import EngineAnswer
    from lexurn.store.remote_answers import Term

_Lines = tuple[list[str], list[str]]

_PIECE_BYTES: Final = 1 << 23
_NAME_START: Final = "<urn:lex:"
_EXEMPLAR: Final = f"<{FRBR}exemplar>"
_LINE_END: Final = " .\n"
_DECODED: Final = f"<{Layer.DECODED.iri}>"


def write_updates(removed: Collection[str], added: Collection[str], *, most: int) -> Iterator[str]:
    """Updates that take out and put in N-Quads lines.

    One update where it names ``most`` lines at the most; else several, each with all lines of its
    nodes: where it breaks off between two, each node states what it did or what it will, never
    both. Each may be done twice with no harm.

    Args:
        removed: lines that go, unless they are in ``added`` too.
        added: lines that come.
        most: how many lines one update may name; one of a single node may name more, so may one
            of copies with their digests.

    Raises:
        CatalogueError: a line has a blank node, which no update can name.
    """
    kept = frozenset(added)
    nodes: dict[str, _Lines] = {}
    for place, lines in enumerate((sorted(set(removed) - kept), sorted(kept))):
        for line in lines:
            nodes.setdefault(line.partition(" ")[0], ([], []))[place].append(line)
    gone: list[str] = []
    come: list[str] = []
    for unit in _group_nodes(nodes):
        going = [line for node in unit for line in nodes[node][0]]
        coming = [line for node in unit for line in nodes[node][1]]
        if (gone or come) and len(gone) + len(come) + len(going) + len(coming) > most:
            yield _write_update(gone, come)
            gone, come = [], []
        gone += going
        come += coming
    if gone or come:
        yield _write_update(gone, come)


def _group_nodes(nodes: Mapping[str, _Lines]) -> list[list[str]]:
    """Nodes that change together, in the order in which they do.

    A copy cannot be read without its digest, and a digest not be found without a copy.
    """
    first: dict[str, str] = {}
    for node in sorted(nodes, key=_make_sort_key):
        for line in chain(*nodes[node]):
            subject, predicate, value = line.split(" ", 3)[:3]
            if predicate == CHECKSUM:
                one, other = sorted(
                    (_find_first(first, subject), _find_first(first, value)), key=_make_sort_key
                )
                if one != other:
                    first[other] = one
    units: dict[str, list[str]] = {}
    for node in sorted(
        nodes, key=lambda each: (_rank_node(each, nodes[each]), _make_sort_key(each))
    ):
        units.setdefault(_find_first(first, node), []).append(node)
    return list(units.values())


def _rank_node(node: str, lines: _Lines) -> int:
    """Names that only learn whether a copy is theirs alone come before those they learn it from.

    Those who share a copy are found by what comes in, as long as that is another than what is held.
    """
    if not node.startswith(_NAME_START):
        return 0
    return 2 - all(line.split(" ", 2)[1] == _EXEMPLAR for line in chain(*lines))


def _make_sort_key(node: str) -> tuple[bool, str]:
    """Copies come before the names that lead to them, names after what stands above them.

    So a copy that a name has no more is forgotten before the name does not lead to it any more.
    """
    return node.startswith(_NAME_START), node.rstrip(">")


def _find_first(first: dict[str, str], node: str) -> str:
    """The first node that changes together with one; paths are halved on the way."""
    while (before := first.get(node)) is not None:
        first[node] = first.get(before, before)
        node = before
    return node


def _write_update(gone: Iterable[str], come: Iterable[str]) -> str:
    return " ;\n".join(
        (*_write_operations("DELETE DATA", gone), *_write_operations("INSERT DATA", come))
    )


def _write_operations(verb: str, lines: Iterable[str]) -> Iterator[str]:
    """Operations of an update; N-Quads terms are SPARQL's too.

    One operation a graph: where one names several, Virtuoso leaves some literals behind.
    """
    graphs: dict[str, list[str]] = {}
    for line in lines:
        triple, graph = _split_line(line)
        graphs.setdefault(graph, []).append(triple)
    for graph, triples in sorted(graphs.items()):
        yield f"{verb} {{ GRAPH {graph} {{\n{''.join(triples)}}} }}"


def split_by_graph(nquads: bytes) -> Iterator[tuple[str, bytes]]:
    """N-Quads as N-Triples, each piece with the IRI of its graph.

    What is decoded comes first: names whose pieces are in, but not all, are known to be held.

    Raises:
        CatalogueError: a line has a blank node: twice the same would be two nodes.
    """
    graphs: dict[str, list[str]] = {}
    size = 0
    for line in nquads.decode().split("\n"):
        if not line:
            continue
        triple, graph = _split_line(f"{line}\n")
        graphs.setdefault(graph, []).append(triple)
        size += len(triple)
        if size > _PIECE_BYTES:
            yield from _order_pieces(graphs)
            graphs, size = {}, 0
    yield from _order_pieces(graphs)


def _order_pieces(graphs: Mapping[str, Iterable[str]]) -> Iterator[tuple[str, bytes]]:
    for graph in sorted(graphs, key=lambda each: each != _DECODED):
        yield graph[1:-1], "".join(graphs[graph]).encode()


def _split_line(line: str) -> tuple[str, str]:
    """The triple of a line as a line of its own, and the term of its graph.

    Raises:
        CatalogueError: it has a blank node, or is no line of N-Quads in a named graph.
    """
    triple, _, graph = line.removesuffix(_LINE_END).rpartition(" ")
    if not (graph.startswith("<") and graph.endswith(">") and triple.startswith("<")):
        raise CatalogueError(f"no quad in a named graph without blank nodes: {line.strip()}")
    value = triple.split(" ", 2)[-1]
    if value.startswith("_:"):
        raise CatalogueError(f"a blank node cannot be put on a server: {line.strip()}")
    return f"{triple}{_LINE_END}", graph


_LAYERS: Final = tuple(layer.iri for layer in Layer)
_LINES_AT_ONCE: Final = 20_000
_FEW_LINES: Final = 2_000
_UNCUT: Final = 1_000
_RAISE_LIMIT: Final = "have its limit of rows raised (Virtuoso: ResultSetMaxRows)"
_TOO_LARGE: Final = frozenset({400, 413, 500})
_NO_STORE: Final = frozenset({404, 405, 413, 501})
_NTRIPLES: Final = "application/n-triples"
_PLAIN: Final = frozenset({_NTRIPLES, "text/plain"})


class RemoteStore:
    """The quads of a catalogue on a server; see `lexurn.store.Store` for what it does.

    Attributes:
        place: the URL of its query endpoint.
        endpoint: where it lies.
    """

    def __init__(self, endpoint: Endpoint | str) -> None:
        """Make ready to ask a server; nothing is sent yet.

        Args:
            endpoint: where it lies, or a place that `read_endpoint` understands.

        Raises:
            CatalogueError: the place is none of a server, or credentials cannot be read.
        """
        self.endpoint = read_endpoint(endpoint) if isinstance(endpoint, str) else endpoint
        self.place = redact_url(self.endpoint.query)
        self._client = HttpClient(
            self.endpoint.urls,
            timeout=self.endpoint.timeout,
            cleartext=self.endpoint.cleartext,
        )
        self._store = self.endpoint.store
        self._most = self.endpoint.lines

    def query(self, text: str) -> EngineAnswer:
        """The answer to a SPARQL query; its default graph is the three layers together.

        A query with FROM or FROM NAMED has the graphs that it names.
        """
        found = scan_query(text)
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
        return read_values(self.rows(text), names, self.place)

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
            for text in write_updates(removed, added, most=most):
                self._do(text, is_safe=True)
        except HttpStatusError as fault:
            if fault.status not in _TOO_LARGE or min(count, most) <= _FEW_LINES:
                raise
            self._most = _FEW_LINES
            self._change(removed, added, _FEW_LINES)

    def fill(self, nquads: bytes) -> None:
        """Put in many N-Quads; a part may be in after a crash, so do it again then."""
        if self._store is None or not self._is_posted(self._store, nquads):
            lines = [f"{line}\n" for line in nquads.decode().split("\n") if line]
            self._change((), lines, min(_LINES_AT_ONCE, self._most))

    def _is_posted(self, store: str, nquads: bytes) -> bool:
        """Whether the graph store took the quads; False where there is none, or not for so many."""
        for graph, ntriples in split_by_graph(nquads):
            request = HttpRequest(
                url=store,
                parameters={"graph": graph},
                content=ntriples,
                headers={"Content-Type": _NTRIPLES},
            )
            try:
                self._client.whole(request, largest=self.endpoint.largest).body.close()
            except HttpStatusError as fault:
                if fault.status not in _NO_STORE:
                    raise
                self._store = None
                return False
        return True

    def quads(self, nodes: Collection[str]) -> Iterator[str]:
        """The N-Quads lines of the three layers whose subject is one of ``nodes``."""
        terms = [self.term(node) for node in dict.fromkeys(nodes)]
        return map(_format_line, select_in_parts(self, terms, _write_quads_query, "spog"))

    def dump(self) -> Iterator[bytes]:
        """All quads of the three layers as pieces of N-Quads, in no order, lines never cut."""
        for layer in Layer:
            for lines in self.stated(layer):
                yield restore_types("".join(lines)).encode()

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
            raise TruncatedAnswerError(
                f"{self.place} gave {given:,} of {expected:,} statements; {_RAISE_LIMIT}"
            )

    def _streamed(self, text: str, layer: Layer) -> Iterator[list[str]]:
        """The lines of a CONSTRUCT as they come."""
        request = HttpRequest(
            url=self.endpoint.query, form={"query": text}, headers={"Accept": _NTRIPLES}
        )
        with self._client.streamed(request) as (media_type, pieces):
            if media_type not in _PLAIN:
                raise CatalogueError(f"{self.place} gives no N-Triples, but {media_type!r}")
            yield from parse_ntriples(pieces, layer.iri, self.place)

    def _paged(
        self, layer: Layer, predicate: str, limit: int, expected: int
    ) -> Iterator[list[str]]:
        """The lines of a layer by pages, from a server that cuts every answer at ``limit`` rows.

        Raises:
            TruncatedAnswerError: there are too many for that.
        """
        said = f"{self.place} gives {limit:,} of {expected:,} statements; {_RAISE_LIMIT}"
        if expected > MOST_PAGED_ROWS:
            raise TruncatedAnswerError(said)
        same = "" if predicate == "?p" else f"BIND({predicate} AS ?p)"
        text = (
            f"SELECT ?s ?p ?o ?g WHERE {{ GRAPH <{layer.iri}> {{ ?s {predicate} ?o }} {same} "
            f"BIND(<{layer.iri}> AS ?g) }}"
        )
        for page in select_pages(self, text, "spog", TruncatedAnswerError(said, rows=limit)):
            yield list(map(_format_line, page))

    def _row_limit(self, where: str) -> int | None:
        """At how many rows the server cuts its answers, None where it does not say so."""
        request = HttpRequest(
            url=self.endpoint.query,
            form={"query": f"SELECT * {where}"},
            headers={"Accept": choose_accept_header(QueryForm.SELECT)},
        )
        return read_row_limit(self._client.headers(request))

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

    def _asked(self, form: dict[str, str | Sequence[str]], kind: QueryForm) -> EngineAnswer:
        headers = {"Accept": choose_accept_header(kind)}
        request = HttpRequest(url=self.endpoint.query, form=form, headers=headers)
        answer = self._client.whole(request, largest=self.endpoint.largest)
        return check_answer(answer, kind, self.place)

    def _do(self, text: str, *, is_safe: bool) -> None:
        if self.endpoint.update is None:
            raise CatalogueError(f"{self.place} is only read: no update endpoint is known of it")
        request = HttpRequest(url=self.endpoint.update, form={"update": text}, is_safe=is_safe)
        self._client.whole(request, largest=self.endpoint.largest).body.close()

    def _count(self, where: str) -> int:
        rows = list(self.values(f"SELECT (COUNT(*) AS ?n) {where}", ["n"]))
        if len(rows) != 1:
            raise CatalogueError(f"{self.place} answered with {len(rows)} rows to a count")
        return read_count(rows[0][0], self.place)


def _format_line(row: Sequence[Term]) -> str:
    """A row of ``?s ?p ?o ?g`` as a line of N-Quads."""
    return restore_types(f"{' '.join(map(str, row))} .\n")


def _write_quads_query(terms: Sequence[str]) -> str:
    """The query for all quads of some nodes."""
    values = f"VALUES ?s {{ {' '.join(terms)} }}"
    parts = " UNION ".join(
        f"{{ {values} GRAPH <{layer}> {{ ?s ?p ?o }} BIND(<{layer}> AS ?g) }}" for layer in _LAYERS
    )
    return f"SELECT ?g ?s ?p ?o WHERE {{ {parts} }}"
