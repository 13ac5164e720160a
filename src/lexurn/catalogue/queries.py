"""Queries on a catalogue that another process opens, within limits; and counts of its contents."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.store import (
    ALLOWABLE,
    BoundQuery,
    QueryForm,
    QueryLimits,
    QueryProcess,
    QueryTask,
    add_limit,
    check_query,
    explain_faults,
    is_remote,
    limit_resources,
    run_task,
    select_rows,
    serve,
)
from lexurn.vocabulary import FRBR, IS_REPLACED_BY, LEXO, SAME_AS

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from lexurn.store import QueryAnswer, Store


def query_at(  # noqa: PLR0913 - the options of `query` and of a catalogue
    location: str,
    text: str,
    *,
    allow: Collection[str] = (),
    timeout: float | None = None,
    memory: int | None = None,
    most: int | None = None,
    wait: float = 0.0,
    may_fork: bool = False,
) -> QueryAnswer:
    """Return the answer to a SPARQL query, by a process that opens the catalogue itself.

    A ready query that the lists of a folder answer needs no other process.

    Args:
        location: a folder, or what `open_server` opens.
        text: a SPARQL 1.1 query.
        allow: as of `query`.
        timeout: as of `query`.
        memory: as of `query`.
        most: number of rows or triples after which the answer ends.
        wait: how many seconds to wait, besides, for others that use the catalogue.
        may_fork: whether the process may be a copy of this one, which has nothing open.

    Raises:
        CatalogueError: as of `query`, or the catalogue cannot be opened.
    """
    found = check_query(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("This is an update, not a query.")
    limits = QueryLimits(timeout=timeout, memory=memory, most=most)
    if isinstance(text, BoundQuery) and not is_remote(location):
        from lexurn.catalogue.folder import open_readable  # noqa: PLC0415 - not for a server

        with open_readable(location, wait=wait) as catalogue:
            listed = catalogue.answer_from_lists(text, most=most, timeout=timeout)
        if listed is not None:
            return listed
    if most is not None:
        text = add_limit(text, found, most + 1)
    task = QueryTask(location=location, text=text, wait=wait)
    return run_task(task, limits, function=serve_catalogue, may_fork=may_fork)


def update_at(
    location: str,
    text: str,
    *,
    allow: Collection[str] = ALLOWABLE[:1],
    timeout: float | None = None,
    memory: int | None = None,
    wait: float = 0.0,
) -> tuple[int, int]:
    """Do a SPARQL update, by a process that opens the catalogue for writing itself.

    Args:
        location: the folder.
        text: a SPARQL 1.1 update.
        allow: ``update``; and ``service`` for an update that asks other servers or reads files.
        timeout: as of `query`.
        memory: as of `query`.
        wait: as of `query_at`.

    Returns:
        The numbers of statements before it and after it.

    Raises:
        CatalogueError: as of `query_at`.
    """
    found = check_query(text, allow)
    if found.form is not QueryForm.UPDATE:
        raise CatalogueError("This is a query, not an update.")
    task = QueryTask(location=location, text=text, wait=wait, is_update=True)
    limits = QueryLimits(timeout=timeout, memory=memory)
    with QueryProcess(task, limits, function=serve_catalogue) as process, explain_faults(text):
        process.read_kind()
        before, after = json.loads(process.read())
    return before, after


def serve_catalogue() -> None:
    """Answer the query, or do the update, that standard input asks for, then end."""
    serve(_open_store, _update_catalogue)


@contextmanager
def _open_store(task: Mapping[str, object]) -> Iterator[Store]:
    """Open the store of the catalogue of a task for reading."""
    from lexurn.catalogue.folder import open_readable  # noqa: PLC0415 - only the child opens it

    with open_readable(str(task["location"]), wait=float(str(task["wait"]))) as catalogue:
        yield catalogue.store


def _update_catalogue(task: Mapping[str, object]) -> tuple[int, int]:
    """Do an update; return the numbers of statements before it and after it."""
    from lexurn.catalogue.folder import open_catalogue  # noqa: PLC0415 - as above

    location, wait = str(task["location"]), float(str(task["wait"]))
    with open_catalogue(location, write=True, wait=wait) as catalogue:
        limit_resources(task)
        before = catalogue.store.size()
        catalogue.update(str(task["text"]))
        return before, catalogue.store.size()


_KINDS: Final = ("Work", "Annex", "Expression", "Manifestation", "Partition", "Item")
_PREFIXES: Final = f"PREFIX lexo: <{LEXO}> PREFIX frbr: <{FRBR}> "
_DECODED, _CATALOGUED = f"GRAPH <{Layer.DECODED.iri}>", f"GRAPH <{Layer.CATALOGUED.iri}>"
_BY_KIND: Final = (
    f"{_PREFIXES} SELECT ?what (COUNT(*) AS ?n) WHERE {{ "
    f"VALUES ?what {{ {' '.join(f'lexo:{kind}' for kind in _KINDS)} }} "
    f"{{ {_DECODED} {{ ?s a ?what }} }} UNION {{ {_CATALOGUED} {{ ?s a ?what }} }} }} "
    "GROUP BY ?what"
)
_BY_JURISDICTION: Final = (
    f"{_PREFIXES} SELECT ?what (COUNT(*) AS ?n) "
    f"WHERE {{ {_DECODED} {{ ?s lexo:jurisdictionCode ?what }} }} GROUP BY ?what"
)
_COUNT: Final = f"{_PREFIXES} SELECT (COUNT(*) AS ?n) WHERE"
_ALIASES: Final = f"{_COUNT} {{ {_CATALOGUED} {{ ?s {SAME_AS}|{IS_REPLACED_BY} ?o }} }}"
_WITHDRAWN: Final = f"{_COUNT} {{ {_CATALOGUED} {{ ?s lexo:status lexo:Withdrawn }} }}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts of the contents of a catalogue.

    Attributes:
        quads: quads by layer.
        kinds: names and copies by class; annexes are counted among the works too.
        jurisdictions: acts by jurisdiction-code, aliases included.
        aliases: names stated to be aliases.
        withdrawn: withdrawn names.
    """

    quads: Mapping[str, int]
    kinds: Mapping[str, int]
    jurisdictions: Mapping[str, int]
    aliases: int
    withdrawn: int


def compute_stats(store: Store) -> Stats:
    """Count the contents of a store, which reads all of it.

    Raises:
        CatalogueError: the store cannot be asked.
    """
    kinds = _count_by(store, _BY_KIND)
    return Stats(
        quads={
            layer.value: _count(store, f"{_COUNT} {{ GRAPH <{layer.iri}> {{ ?s ?p ?o }} }}")
            for layer in Layer
        },
        kinds={kind.lower(): kinds.get(f"{LEXO}{kind}", 0) for kind in _KINDS},
        jurisdictions=dict(sorted(_count_by(store, _BY_JURISDICTION).items())),
        aliases=_count(store, _ALIASES),
        withdrawn=_count(store, _WITHDRAWN),
    )


def _count(store: Store, text: str) -> int:
    return next((int(row["n"].value) for row in select_rows(store, text)), 0)


def _count_by(store: Store, text: str) -> dict[str, int]:
    rows = select_rows(store, text)
    return {row["what"].value: int(row["n"].value) for row in rows if row["what"] is not None}
