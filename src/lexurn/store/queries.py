"""User queries: refused if they do more than is allowed, and held to limits.

With limits, a query runs in a child process (`lexurn.store.processes`), so that no text can hang or
break down the caller.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pyoxigraph

from lexurn.errors import CatalogueError
from lexurn.store.answers import ENGINE_FAULTS, Solutions, Triples, explain_fault
from lexurn.store.embedded import EmbeddedStore
from lexurn.store.processes import QueryLimits, QueryTask, run_task
from lexurn.store.sparql import QueryForm, scan_query

if TYPE_CHECKING:
    from collections.abc import Collection

    from lexurn.store.answers import QueryAnswer, Store
    from lexurn.store.endpoint import Endpoint
    from lexurn.store.sparql import QueryScan

ALLOWABLE: Final = ("update", "service")
"""Names of what a text does only if it is allowed."""

# Deeper or longer texts overflow the stack of an engine: they run in another process.
_DEEPEST: Final = 50
_MOST_TOKENS: Final = 2_000


def query(
    store: Store,
    text: str,
    *,
    allow: Collection[str] = (),
    timeout: float | None = None,
    memory: int | None = None,
) -> QueryAnswer:
    """Return the answer to a SPARQL query.

    Without limits the query runs in this process, as quick as the engine itself. With a limit it
    runs in another one, with the store opened there for reading. A store in memory has no limits.

    Args:
        store: the store; its default graph is all layers together, unless the text names its
            graphs with FROM.
        text: a SPARQL 1.1 query.
        allow: ``service`` for a query that asks other servers.
        timeout: seconds to wait for the answer, all together; a year at most.
        memory: whole megabytes for the query, beside the memory of the open store.

    Raises:
        CatalogueError: the text is not a query, does what is not allowed, or the engine refuses
            it; a limit is impossible, or the store is in memory; also raised while the answer is
            read, if it takes too long or too much memory.
    """
    found = check_query(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("This is an update, not a query. Use Catalogue.update.")
    is_small = found.depth <= _DEEPEST and found.size <= _MOST_TOKENS
    if timeout is None and memory is None and is_small:
        try:
            answer = store.query(text)
        except (CatalogueError, *ENGINE_FAULTS) as fault:
            raise explain_fault(fault, text) from None
        if isinstance(answer, pyoxigraph.QuerySolutions):
            return Solutions(answer)
        return bool(answer) if isinstance(answer, pyoxigraph.QueryBoolean) else Triples(answer)
    limits = QueryLimits(timeout=timeout, memory=memory)
    idle = None
    if isinstance(store, EmbeddedStore):
        if store.folder is None:
            raise CatalogueError(
                "A store in memory has no limits, and answers no query that is so long or so "
                "deeply nested. Query a catalogue in a folder."
            )
        idle = store.idle_processes
    endpoint: Endpoint | None = getattr(store, "endpoint", None)
    task = QueryTask(location=store.location, text=text, endpoint=endpoint)
    return run_task(task, limits, idle=idle)


def check_query(text: str, allow: Collection[str]) -> QueryScan:
    """Return the properties of a text.

    Raises:
        CatalogueError: it does what is not allowed, or is not SPARQL.
    """
    if allow and (unknown := sorted(set(allow).difference(ALLOWABLE))):
        raise CatalogueError(f"{unknown[0]!r} cannot be allowed, only {' and '.join(ALLOWABLE)}.")
    found = scan_query(text)
    if found.form is QueryForm.UPDATE and "update" not in allow:
        raise CatalogueError(
            "This is an update, which changes the catalogue. Allow it with --allow update "
            'or, in Python, allow=["update"].'
        )
    if found.calls_out and "service" not in allow:
        raise CatalogueError(
            "This query contains the letters of SERVICE or LOAD, so an engine might call "
            "another server or read a file. Write them in two parts in a string, such as "
            'CONCAT("SERV", "ICE"), or allow it with --allow service.'
        )
    return found
