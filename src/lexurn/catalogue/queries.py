"""Queries on a catalogue that another process opens, within limits; and counts of what it holds."""

from __future__ import annotations

import json
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.store import (
    ALLOWABLE,
    QueryForm,
    QueryLimits,
    QueryProcess,
    QueryTask,
    add_limit,
    check_query,
    explain_faults,
    run_task,
    select_rows,
)
from lexurn.vocabulary import FRBR, LEXO, OWL

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping
    from typing import Final

    from lexurn.store import QueryAnswer, Store

PROGRAM: Final = "from lexurn.catalogue.queries import serve_catalogue; serve_catalogue()"


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
    found = check_query(text, allow)
    if found.form is QueryForm.UPDATE:
        raise CatalogueError("this is an update, no query")
    if most is not None:
        text = add_limit(text, found, most + 1)
    limits = QueryLimits(timeout=timeout, memory=memory, most=most)
    task = QueryTask(how="catalogue", place=place, text=text, wait=wait, program=PROGRAM)
    return run_task(task, limits)


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
    found = check_query(text, allow)
    if found.form is not QueryForm.UPDATE:
        raise CatalogueError("this is a query, no update")
    task = QueryTask(how="update", place=place, text=text, wait=wait, program=PROGRAM)
    limits = QueryLimits(timeout=timeout, memory=memory)
    with QueryProcess(task, limits) as process, explain_faults(text):
        process.kind()
        counts = json.loads(process.read())
    return None if counts is None else (counts[0], counts[1])


def serve_catalogue() -> None:
    """Answer the query, or do the update, that standard input asks for, then end."""
    from lexurn.store import serve  # noqa: PLC0415 - for the other process alone

    serve(_open_store, _update_catalogue)


@contextmanager
def _open_store(asked: Mapping[str, object]) -> Iterator[Store]:
    """The store of the catalogue that is asked, opened for reading."""
    from lexurn.catalogue.opening import open_catalogue  # noqa: PLC0415 - has more to load

    with open_catalogue(str(asked["place"]), wait=float(str(asked["wait"]))) as catalogue:
        yield catalogue.store


def _update_catalogue(asked: Mapping[str, object]) -> tuple[int, int] | None:
    """Do an update; how many statements there were and are, where that is soon counted."""
    from lexurn.catalogue.opening import open_catalogue  # noqa: PLC0415 - has more to load
    from lexurn.store import EmbeddedStore, limit_resources  # noqa: PLC0415 - as above

    place, wait = str(asked["place"]), float(str(asked["wait"]))
    with open_catalogue(place, write=True, wait=wait) as catalogue:
        limit_resources(asked)
        store = catalogue.store
        held = store.size() if isinstance(store, EmbeddedStore) else 0
        catalogue.update(str(asked["text"]))
        return (held, store.size()) if isinstance(store, EmbeddedStore) else None


_KINDS: Final = ("Work", "Annex", "Expression", "Manifestation", "Partition", "Item")
_PREFIXES: Final = f"PREFIX lexo: <{LEXO}> PREFIX owl: <{OWL}> PREFIX frbr: <{FRBR}> "
_BY_KIND: Final = (
    _PREFIXES + "SELECT ?what (COUNT(*) AS ?n) WHERE { "
    f"VALUES ?what {{ {' '.join(f'lexo:{kind}' for kind in _KINDS)} }} ?s a ?what }} GROUP BY ?what"
)
_BY_JURISDICTION: Final = (
    _PREFIXES
    + "SELECT ?what (COUNT(*) AS ?n) WHERE { ?s lexo:jurisdictionCode ?what } GROUP BY ?what"
)
_ALIASES: Final = _PREFIXES + (
    f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH <{Layer.CATALOGUED.iri}> {{ ?s owl:sameAs ?o }} }}"
)
_WITHDRAWN: Final = _PREFIXES + "SELECT (COUNT(*) AS ?n) WHERE { ?s lexo:status lexo:Withdrawn }"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """How much a catalogue holds.

    Attributes:
        quads: by layer.
        kinds: names and copies by class; annexes are counted among the works too.
        jurisdictions: acts by jurisdiction-code, aliases included.
        aliases: names that are stated to be aliases.
        withdrawn: names that are withdrawn.
    """

    quads: Mapping[str, int]
    kinds: Mapping[str, int]
    jurisdictions: Mapping[str, int]
    aliases: int
    withdrawn: int


def compute_stats(store: Store) -> Stats:
    """Count what a store holds; this reads all of it.

    Raises:
        CatalogueError: the store cannot be asked.
    """
    kinds = _count_by(store, _BY_KIND)
    return Stats(
        quads={layer.value: _count_quads(store, layer) for layer in Layer},
        kinds={kind.lower(): kinds.get(f"{LEXO}{kind}", 0) for kind in _KINDS},
        jurisdictions=dict(sorted(_count_by(store, _BY_JURISDICTION).items())),
        aliases=_count(store, _ALIASES),
        withdrawn=_count(store, _WITHDRAWN),
    )


def _count_quads(store: Store, layer: Layer) -> int:
    return _count(store, f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH <{layer.iri}> {{ ?s ?p ?o }} }}")


def _count(store: Store, text: str) -> int:
    return next((int(row["n"].value) for row in select_rows(store, text)), 0)


def _count_by(store: Store, text: str) -> dict[str, int]:
    rows = select_rows(store, text)
    return {row["what"].value: int(row["n"].value) for row in rows if row["what"] is not None}
