"""Families against all shapes by the bulk engine, with the file and line of each result."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lexurn.graph import Layer, nquads_of
from lexurn.name import check
from lexurn.shacl._bulk import bulk
from lexurn.shacl._shapes import catalogue
from lexurn.shacl._validate import results_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.model import Family, Record, Source
    from lexurn.shacl._results import Result

__all__ = ["check_families"]

_ENOUGH = 4_000_000
_GRAPHS = tuple(f" <{layer.iri}> .\n" for layer in Layer)


def check_families(
    families: Sequence[Family], *, as_of: dt.date, base: str | None = None
) -> tuple[Result, ...]:
    """Check some families (about a thousand works at a time is quickest).

    Families share no names, so that some can be checked without the others. What crosses them is
    for questions to the whole, and seen here at most by chance: one URL whose size or digest two
    families state differently, one HTTP-URI equivalent for names of two families, and whether an
    act that amends, or a twin, is described anywhere.

    Args:
        families: the families; they can be sent to other processes, and so can the results.
        as_of: the day for which the version in force is asked.
        base: where the HTTP-URI equivalents lie, or None.

    Returns:
        The results, sorted; ``source`` is where the record of the node was read or, where it has
        none, that of its nearest ancestor.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
        GraphError: a value that no graph can hold.
        ValueError: ``base`` is no base of HTTP URIs.
    """
    shapes = catalogue()
    results: set[Result] = set()
    for text in _texts_of(families, as_of, base):
        results.update(results_of(bulk(text, shapes), shapes))
    if not results:
        return ()
    sources = _sources_of(record for family in families for record in family.records)
    ordered = sorted(results, key=lambda result: result.order)
    return tuple(replace(each, source=_source_of(each.focus, sources)) for each in ordered)


def _texts_of(families: Sequence[Family], as_of: dt.date, base: str | None) -> Iterator[str]:
    """N-Triples of the families, as many at a time as an engine can hold in little memory."""
    parts: list[str] = []
    size = 0
    for family in families:
        text = nquads_of(family, as_of=as_of, base=base).decode()
        for graph in _GRAPHS:
            text = text.replace(graph, " .\n")
        parts.append(text)
        size += len(text)
        if size > _ENOUGH:
            yield "".join(parts)
            parts, size = [], 0
    if parts:
        yield "".join(parts)


def _sources_of(records: Iterable[Record]) -> Mapping[str, Source]:
    """The source of each node that a row described: names, copies and digests."""
    sources: dict[str, Source] = {}
    for record in records:
        if record.source is None:
            continue
        sources[f"<{record.name.iri}>"] = record.source
        for item in record.items:
            sources.setdefault(f"<{item.url}>", record.source)
            if item.sha256 is not None:
                sources.setdefault(f"<urn:sha256:{item.sha256}>", record.source)
    return sources


def _source_of(focus: str, sources: Mapping[str, Source]) -> Source | None:
    """The source of a node, or of the nearest name above it that has one."""
    if focus in sources:
        return sources[focus]
    name = check(focus.strip("<>")).name
    above = () if name is None else name.ancestors()
    found = (sources[node] for node in (f"<{each.iri}>" for each in above) if node in sources)
    return next(found, None)
