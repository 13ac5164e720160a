"""Queries by the user: refused where they do more than asked for, and held to limits.

With limits a query runs in a process of its own, which is ended when it takes too long; so no text
whatever can hang or break down the program that asks.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from lexurn.catalogue._endpoint import Endpoint
from lexurn.catalogue._process import QueryProcess
from lexurn.catalogue._process_task import Limits, Task
from lexurn.catalogue._solutions import Solutions, Triples, answer_of, explained
from lexurn.catalogue._sparql import QueryForm, limited_text, scan
from lexurn.errors import CatalogueError

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from typing import IO

    import pyoxigraph

    from lexurn.catalogue._protocols import Store
    from lexurn.catalogue._solutions import QueryAnswer
    from lexurn.catalogue._sparql import Scan

__all__ = ["ALLOWABLE", "query", "query_at", "update_at"]

ALLOWABLE: Final = ("update", "service")
"""What a text may do only where it is allowed."""

# Deeper or longer texts overflow the stack of an engine: they run where that harms nobody.
_DEEP: Final = 50
_LONG: Final = 2_000
_OF_A_STORE: Final = "CURRENT"


def query(
    store: Store,
    text: str,
    *,
    allow: Collection[str] = (),
    timeout: float | None = None,
    memory: int | None = None,
) -> QueryAnswer:
    """The answer to a SPARQL query.

    Without limits the query runs in this process, as quick as the engine itself. With a limit it
    runs in another one, with the store opened there for reading (a store in memory is copied). So
    does a text that has the letters of SERVICE or LOAD in a string or a name, where the store is
    in a folder: that process can open no connection, if the system can see to it (Linux).

    Args:
        store: what is asked; its default graph is all layers together, unless the text says
            with FROM which graphs it asks.
        text: a SPARQL 1.1 query.
        allow: ``service`` for a query that asks other servers.
        timeout: how many seconds may be spent waiting for the answer, all together; a year at most.
        memory: how many whole megabytes the query may take, beside what the open store takes.

    Raises:
        CatalogueError: the text is no query, does what is not allowed, or the engine refuses it;
            a limit is none that can be kept; also raised while the answer is read, where it takes
            too long or too much memory.
    """
    found = _checked(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("this is an update, no query; Catalogue.update does it")
    may_call = "service" in allow
    is_small = found.depth <= _DEEP and found.size <= _LONG
    is_doubtful = found.names_calls and not may_call and _is_on_disk(store)
    if timeout is None and memory is None and is_small and not is_doubtful:
        with explained(text):
            return answer_of(store.query(text))
    limits = Limits(timeout=timeout, memory=memory)
    task = _task_of(store, text, may_call=may_call)
    quads = list(store.dump()) if task.how == "quads" else ()
    return _run(task, limits, quads)


def query_at(  # noqa: PLR0913 - the words of `query`, and those of a catalogue that it opens
    place: str,
    text: str,
    *,
    allow: Collection[str] = (),
    timeout: float | None = None,
    memory: int | None = None,
    most: int | None = None,
    wait: float = 0.0,
) -> QueryAnswer:
    """The answer to a SPARQL query, by a process that opens the catalogue itself.

    Args:
        place: what `open_catalogue` opens.
        text: a SPARQL 1.1 query.
        allow: as of `query`.
        timeout: as of `query`.
        memory: as of `query`.
        most: after how many rows or triples the answer ends.
        wait: how many seconds to wait, besides, for others that use the catalogue.

    Raises:
        CatalogueError: as of `query`, or the catalogue cannot be opened.
    """
    found = _checked(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("this is an update, no query")
    if most is not None:
        text = limited_text(text, found, most + 1)
    limits = Limits(timeout=timeout, memory=memory, most=most)
    may_call = "service" in allow
    task = Task(how="catalogue", place=place, text=text, may_call=may_call, wait=wait)
    return _run(task, limits)


def update_at(
    place: str,
    text: str,
    *,
    allow: Collection[str] = ALLOWABLE[:1],
    timeout: float | None = None,
    memory: int | None = None,
    wait: float = 0.0,
) -> tuple[int, int] | None:
    """Do a SPARQL update, by a process that opens the catalogue for writing itself.

    Args:
        place: what `open_catalogue` opens.
        text: a SPARQL 1.1 update.
        allow: ``update``; and ``service`` for an update that asks other servers or reads files.
        timeout: as of `query`.
        memory: as of `query`.
        wait: as of `query_at`.

    Returns:
        How many statements there were before it and are after it; None of a server, which takes
        long to count them.

    Raises:
        CatalogueError: as of `query_at`.
    """
    found = _checked(text, allow)
    if found.form is not QueryForm.UPDATE:
        raise CatalogueError("this is a query, no update")
    may_call = "service" in allow
    task = Task(how="update", place=place, text=text, may_call=may_call, wait=wait)
    limits = Limits(timeout=timeout, memory=memory)
    with QueryProcess(task, limits) as process, explained(text):
        process.kind()
        counts = json.loads(process.read())
    return None if counts is None else (counts[0], counts[1])


def _checked(text: str, allow: Collection[str]) -> Scan:
    """What a text is.

    Raises:
        CatalogueError: it does what is not allowed, or nothing that is known.
    """
    unknown = sorted(set(allow) - set(ALLOWABLE))
    if unknown:
        raise CatalogueError(f"{unknown[0]!r} cannot be allowed; {' and '.join(ALLOWABLE)} can")
    found = scan(text)
    if found.form is QueryForm.UPDATE and "update" not in allow:
        raise CatalogueError(
            "this is an update, which changes the catalogue; allow it with --allow update"
        )
    if found.calls_out and "service" not in allow:
        raise CatalogueError(
            "this asks another server or reads a file (SERVICE, LOAD), or may be read so; write "
            "those letters in strings or whole IRIs only, or allow it with --allow service"
        )
    return found


def _is_on_disk(store: Store) -> bool:
    """Whether its place is a store's folder; a store in memory has a word for a place."""
    return Path(store.place, _OF_A_STORE).is_file()


def _task_of(store: Store, text: str, *, may_call: bool) -> Task:
    """How another process gets at the same quads."""
    endpoint = getattr(store, "endpoint", None)
    if isinstance(endpoint, Endpoint):
        # Its place is for messages: a URL without what may be secret.
        return Task(how="server", place=store.place, text=text, endpoint=asdict(endpoint))
    if _is_on_disk(store):
        return Task(how="store", place=store.place, text=text, may_call=may_call)
    return Task(how="quads", place=store.place, text=text, may_call=may_call)


def _run(task: Task, limits: Limits, quads: Sequence[bytes] = ()) -> QueryAnswer:
    """The answer of another process, read as it comes."""
    process = QueryProcess(task, limits, quads)
    try:
        with explained(task.text):
            kind = process.kind()
        if kind == "boolean":
            with process:
                return bool(process.read())
        with explained():
            return _parsed(process, is_graph=kind == "triples")
    except BaseException:
        process.close()
        raise


def _parsed(process: QueryProcess, *, is_graph: bool) -> QueryAnswer:
    import pyoxigraph  # noqa: PLC0415 - no engine is needed to refuse a text

    stream = cast("IO[bytes]", process)
    if is_graph:
        quads = pyoxigraph.parse(stream, pyoxigraph.RdfFormat.N_TRIPLES)
        return Triples((quad.triple for quad in quads), process)
    tsv = pyoxigraph.QueryResultsFormat.TSV
    solutions = pyoxigraph.parse_query_results(stream, tsv)
    return Solutions(cast("pyoxigraph.QuerySolutions", solutions), process)
