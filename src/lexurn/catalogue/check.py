"""Check of a whole catalogue: by the shapes, and by the rules that no shape can express.

The quads of the store are checked in chunks of works, each with its surroundings that shapes see.
Several processes read the catalogue if it can be opened a second time.

One search crosses all chunks: that for names that are, over any number of others, aliases of
themselves. A broken catalogue may have long chains, so the search takes linear time.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from os import cpu_count
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias

import pyoxigraph

from lexurn.catalogue import findings
from lexurn.catalogue.catalogue import list_some
from lexurn.catalogue.chunks import FROM_LAYERS, Portion, StoreScan, split_sample
from lexurn.catalogue.collisions import find_collisions
from lexurn.catalogue.excerpts import (
    MOST_LINKS,
    read_excerpt,
    read_excerpts,
    read_subclasses,
    read_unnamed_excerpt,
)
from lexurn.catalogue.findings import CatalogueReport, CheckFinding, CheckOptions
from lexurn.catalogue.folder import open_catalogue
from lexurn.catalogue.index import Index
from lexurn.errors import CatalogueError
from lexurn.shacl import check_triples
from lexurn.store import select_rows
from lexurn.vocabulary import IS_REPLACED_BY, SAME_AS, SH
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from lexurn.catalogue.excerpts import Excerpt
    from lexurn.catalogue.findings import CheckRule, ProgressCallback
    from lexurn.catalogue.folder import Catalogue
    from lexurn.registry import Registry
    from lexurn.store import Store

_ALIAS: Final = f"({SAME_AS}|{IS_REPLACED_BY})"
_CHAINS_QUERY: Final = (
    f"SELECT DISTINCT ?alias ?name {FROM_LAYERS} "
    f"WHERE {{ ?alias {_ALIAS} ?name . ?name {_ALIAS} ?other }}"
)


def find_alias_loops(store: Store) -> Iterator[CheckFinding]:
    """Yield a finding of the shape ``AliasLoop`` for each name that leads back to itself.

    Raises:
        CatalogueError: the store cannot be read.
    """
    edges: dict[str, list[str]] = {}
    for row in select_rows(store, _CHAINS_QUERY):
        edges.setdefault(str(row["alias"]), []).append(str(row["name"]))
    component = f"{SH}OrConstraintComponent"
    nodes = sorted(find_loops(edges))
    return (CheckFinding(rule="AliasLoop", focus=node, component=component) for node in nodes)


def find_loops(edges: Mapping[str, Collection[str]]) -> set[str]:
    """Find the nodes that lead back to themselves, by Kosaraju's algorithm without recursion.

    >>> sorted(find_loops({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["d"]}))
    ['b', 'c', 'd']
    """
    order: list[str] = []  # each node after those that it leads to, unless they lead back
    seen: set[str] = set()
    back: dict[str, list[str]] = {}
    for start in edges:
        waiting = [(start, False)]
        while waiting:
            node, is_done = waiting.pop()
            if is_done:
                order.append(node)
            elif node not in seen:
                seen.add(node)
                waiting.append((node, True))
                for each in edges.get(node, ()):
                    back.setdefault(each, []).append(node)
                    waiting.append((each, False))
    found: set[str] = set()
    for start in reversed(order):
        group: list[str] = []
        reached = [start]
        while reached:
            node = reached.pop()
            if node in seen:
                seen.remove(node)
                group.append(node)
                reached += back.get(node, ())
        if len(group) > 1 or start in edges.get(start, ()):
            found.update(group)
    return found


_Part: TypeAlias = Portion | tuple[str, ...]
"""Task of one process: a portion of the scan, or the nodes of a sample of works."""
_DEFAULT_OPTIONS: Final = CheckOptions()


class _ChunkResult(NamedTuple):
    """Findings of a chunk, and its excerpt without the triples and the nodes."""

    findings: tuple[CheckFinding, ...]
    excerpt: Excerpt


def list_check_rules() -> Mapping[str, CheckRule]:
    """Return all rules by code: the shapes, then those that no shape can express.

    Raises:
        CheckError: there are no shapes.
    """
    return {**findings.list_shape_rules(), **findings.list_collision_rules()}


def check_catalogue(
    catalogue: Catalogue,
    options: CheckOptions = _DEFAULT_OPTIONS,
    *,
    registry: Registry | None = None,
    reopen: str | None = None,
    on_progress: ProgressCallback = lambda _step, _done, _total: None,
) -> CatalogueReport:
    """Check the whole content of a catalogue (RFC 9676 sections 9 and 10).

    Args:
        catalogue: an open catalogue in a folder.
        options: the rules to apply, and how.
        registry: the registry of authorities, measures and words; None for the built-in one.
        reopen: the folder in which other processes can open the catalogue too. Without it (as the
        catalogue is open for writing) this process does all the reading.
        on_progress: receives each step, how much of it is done, and of how much.

    Returns:
        The report; it lies on disk until it is closed.

    Raises:
        CatalogueError: the catalogue cannot be read, or there is no such rule.
        CheckError: there are no shapes, or the engine is absent or failed.
    """
    index = catalogue.holdings
    if not isinstance(index, Index):
        raise CatalogueError(
            f"{catalogue.location} is not a folder, and only a catalogue in a folder can be "
            "checked. Check the catalogue that the server mirrors."
        )
    rules = findings.select_rules(list_check_rules(), options.only, options.skip)
    run = _CheckRun(catalogue, options, rules, on_progress)
    try:
        if rules.keys() & findings.list_shape_rules().keys():
            run.check_shapes(reopen)
        if rules.keys() & findings.list_collision_rules().keys():
            found = find_collisions(
                index, run.spool, rules, registry=registry, on_progress=on_progress
            )
            run.spool.keep(found, rules)
        on_progress("sorting the findings", 0, None)
        run.spool.settle()
        return CatalogueReport(
            run.spool,
            location=catalogue.location,
            rules=rules,
            checked=run.typed,
            notes=tuple(run.notes()),
            is_void=run.is_void,
        )
    except BaseException:
        run.spool.close()
        raise


class _CheckRun:
    """Run of a check."""

    def __init__(
        self,
        catalogue: Catalogue,
        options: CheckOptions,
        rules: Mapping[str, CheckRule],
        on_progress: ProgressCallback,
    ) -> None:
        self.spool = findings.CheckSpool()
        self.typed = self.untyped = 0
        self.is_blank = self.is_cut = False
        self.works: int | None = None
        self.crowded: set[str] = set()
        self._catalogue = catalogue
        self._options = options
        self._rules = rules
        self._on_progress = on_progress
        # Loops cross chunks, so the whole store is searched for them.
        self._shapes = frozenset(rules.keys() & findings.list_shape_rules().keys()) - {"AliasLoop"}

    def check_shapes(self, reopen: str | None) -> None:
        """Check all nodes, or those of a sample, against the shapes, and look for loops."""
        if self._shapes:
            self._check_nodes(reopen)
        if "AliasLoop" in self._rules and (self._options.sample is None or not self._shapes):
            self.spool.keep(find_alias_loops(self._catalogue.store), self._rules)

    def _check_nodes(self, reopen: str | None) -> None:
        store, sample = self._catalogue.store, self._options.sample
        with Workers(self._options.jobs or cpu_count() or 1) as workers:
            if sample is None:
                with closing(StoreScan(self.spool.folder)) as scan:
                    scan.read(store, workers, reopen, self._on_progress)
                    self.is_blank = scan.is_blank
                    self._check_parts(list(scan.portions(self._options.chunk)), workers, reopen)
            else:
                base, most = self._catalogue.base, self._options.chunk
                works, parts = split_sample(self._catalogue.holdings, sample, base, most)
                self.works = works
                self._check_parts(parts, workers, reopen)
        if self.is_blank:
            self._on_progress("checking blank nodes", 0, None)
            self._add(
                check_excerpt(read_unnamed_excerpt(store, read_subclasses(store)), self._shapes)
            )

    def _check_parts(self, parts: Sequence[_Part], workers: Workers, reopen: str | None) -> None:
        total = sum(map(_measure_part, parts))
        done = 0
        self._on_progress("checking", done, total)
        for size, checked in self._results(parts, workers, reopen):
            for each in checked:
                self._add(each)
            done += size
            self._on_progress("checking", done, total)

    def _results(
        self, parts: Sequence[_Part], workers: Workers, reopen: str | None
    ) -> Iterator[tuple[int, Sequence[_ChunkResult]]]:
        """Yield the result of each part with its size; one piece of a divided part has the size."""
        store, most, shapes = self._catalogue.store, self._options.chunk, self._shapes
        common = read_subclasses(store)
        if reopen is not None:
            tasks = ((reopen, each, common, most, shapes) for each in parts)
            yield from zip(
                map(_measure_part, parts), workers.map(_check_part_at, tasks), strict=True
            )
            return
        sizes: list[int] = []

        def excerpts() -> Iterator[tuple[Excerpt, frozenset[str]]]:
            for part in parts:
                for number, excerpt in enumerate(_read_excerpts(store, part, common, most)):
                    sizes.append(0 if number else _measure_part(part))
                    yield excerpt, shapes

        for number, checked in enumerate(workers.map(check_excerpt, excerpts())):
            yield sizes[number], (checked,)

    def _add(self, checked: _ChunkResult) -> None:
        self.spool.keep(checked.findings, self._rules)
        self.typed += checked.excerpt.typed
        self.untyped += checked.excerpt.untyped
        self.is_cut |= checked.excerpt.is_cut
        self.is_blank |= checked.excerpt.is_blank
        self.crowded |= checked.excerpt.crowded

    @property
    def is_void(self) -> bool:
        """True if the shapes found nothing to check."""
        return bool(self._shapes) and not self.typed

    def notes(self) -> Iterator[str]:
        """Yield the remarks on the whole check."""
        if not self._shapes:
            return
        if self.works is not None:
            works = _format_many(self.works, "work")
            yield f"only {works} checked against the shapes: a sample"
        if self.is_void:
            yield "nothing was checked: no node has a class of lexurn"
        if self.untyped:
            yield f"{_format_many(self.untyped, 'LEX name')} without a class of lexurn"
        if self.is_cut:
            yield (
                "some chains of links are too long, or there are too many blank nodes or links to "
                "one node; the rest was not checked"
            )
        if self.crowded:
            nodes = sorted(node.strip("<>") for node in self.crowded)
            subject, each = ("a node is", "it")
            if len(nodes) > 1:
                subject, each = (f"{len(nodes):,} nodes are", "each")
            yield (
                f"{subject} not checked against the shapes, because {each} has more than "
                f"{MOST_LINKS:,} incoming links: {list_some(nodes)}"
            )


def _format_many(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{count:,} {noun}s are"


def _measure_part(part: _Part) -> int:
    """Return the size of a part: its statements, or its nodes in a sample."""
    return part.size if isinstance(part, Portion) else len(part)


def _read_excerpts(store: Store, part: _Part, common: str, most: int) -> Iterator[Excerpt]:
    if isinstance(part, Portion):
        yield from read_excerpts(store, part, common, most)
    else:
        yield read_excerpt(store, part, common)


def _check_part_at(
    location: str, part: _Part, common: str, most: int, shapes: frozenset[str]
) -> tuple[_ChunkResult, ...]:
    """Check a part that this process reads itself."""
    with open_catalogue(location) as catalogue:
        excerpts = _read_excerpts(catalogue.store, part, common, most)
        return tuple(check_excerpt(each, shapes) for each in excerpts)


def check_excerpt(excerpt: Excerpt, shapes: frozenset[str]) -> _ChunkResult:
    """Check the focus nodes of an excerpt with some shapes."""
    found: list[CheckFinding] = []
    for result in check_triples(excerpt.ntriples, shapes):
        focus = result.focus
        if focus.startswith('"') and focus not in excerpt.foci:
            line = f"<x:s> <x:p> {focus} ."  # the literal, as Oxigraph writes it
            quad = next(iter(pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)))
            focus = str(quad.object)
        # Blank nodes have an excerpt of their own, without foci.
        if not excerpt.foci if focus.startswith("_:") else focus in excerpt.foci:
            found.append(findings.convert_result(result))
    return _ChunkResult(tuple(found), replace(excerpt, ntriples="", foci=frozenset()))
