"""Check of a whole catalogue: by the shapes, and by the rules that no shape can express.

The quads of the store are checked in chunks of works, each with its surroundings that shapes see.
Several processes read the catalogue if it can be opened a second time.

One search crosses all chunks: that for names that are, over any number of others, aliases of
themselves. A broken catalogue may have long chains, so the search takes linear time.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from os import cpu_count
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.catalogue.chunks import FROM_LAYERS, Portion, StoreScan, gather_sample, split_sample
from lexurn.catalogue.collisions import find_collisions
from lexurn.catalogue.excerpts import (
    MOST_LINKS,
    read_excerpt,
    read_excerpts,
    read_subclasses,
    read_unnamed_excerpt,
)
from lexurn.catalogue.findings import (
    CatalogueReport,
    CheckFinding,
    CheckOptions,
    CheckSpool,
    convert_result,
    list_collision_rules,
    list_shape_rules,
    select_rules,
)
from lexurn.catalogue.index import Index
from lexurn.catalogue.keys import list_some
from lexurn.catalogue.opening import open_catalogue
from lexurn.errors import CatalogueError
from lexurn.shacl import check_triples
from lexurn.store import select_rows
from lexurn.vocabulary import OWL
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Final, TypeAlias

    from lexurn.catalogue.catalogue import Catalogue
    from lexurn.catalogue.excerpts import Excerpt
    from lexurn.catalogue.findings import CheckRule
    from lexurn.registry import Registry
    from lexurn.store import Store

    ProgressCallback = Callable[[str, int, int | None], None]

_SAME_AS: Final = f"<{OWL}sameAs>"
_CHAINS_QUERY: Final = (
    f"SELECT DISTINCT ?alias ?name {FROM_LAYERS} "
    f"WHERE {{ ?alias {_SAME_AS} ?name . ?name {_SAME_AS} ?other }}"
)


def find_alias_loops(store: Store) -> Iterator[CheckFinding]:
    """Yield a finding of the shape ``AliasLoop`` for each name that leads back to itself.

    Raises:
        CatalogueError: the store cannot be read.
    """
    edges: dict[str, list[str]] = {}
    for row in select_rows(store, _CHAINS_QUERY):
        edges.setdefault(str(row["alias"]), []).append(str(row["name"]))
    return (CheckFinding(rule="AliasLoop", focus=node) for node in sorted(find_loops(edges)))


def find_loops(edges: Mapping[str, Iterable[str]]) -> set[str]:
    """Find the nodes that lead back to themselves, by Tarjan's algorithm without recursion.

    >>> sorted(find_loops({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["d"]}))
    ['b', 'c', 'd']
    """
    found: set[str] = set()
    search = _LoopSearch(edges)
    for node in edges:
        if node not in search.order:
            for group in search.groups_from(node):
                if len(group) > 1 or group[0] in edges.get(group[0], ()):
                    found.update(group)
    return found


class _LoopSearch:
    """Search of a graph for groups of nodes that reach each other."""

    def __init__(self, edges: Mapping[str, Iterable[str]]) -> None:
        self.order: dict[str, int] = {}
        self._edges = edges
        self._lowest: dict[str, int] = {}
        self._waiting: list[str] = []
        self._is_waiting: set[str] = set()

    def groups_from(self, start: str) -> Iterator[list[str]]:
        """Yield the groups that a node reaches, except those found earlier."""
        path = [(start, iter(self._enter(start)))]
        while path:
            node, ahead = path[-1]
            new = next((each for each in ahead if self._meets(node, each)), None)
            if new is not None:
                path.append((new, iter(self._enter(new))))
                continue
            path.pop()
            if path:
                above = path[-1][0]
                self._lowest[above] = min(self._lowest[above], self._lowest[node])
            if self._lowest[node] == self.order[node]:
                yield self._leave(node)

    def _enter(self, node: str) -> Iterable[str]:
        self.order[node] = self._lowest[node] = len(self.order)
        self._waiting.append(node)
        self._is_waiting.add(node)
        return self._edges.get(node, ())

    def _meets(self, node: str, other: str) -> bool:
        """Return whether another node is new; note it if it is on the path."""
        if other not in self.order:
            return True
        if other in self._is_waiting:
            self._lowest[node] = min(self._lowest[node], self.order[other])
        return False

    def _leave(self, node: str) -> list[str]:
        group = [self._waiting.pop()]
        while group[-1] != node:
            group.append(self._waiting.pop())
        self._is_waiting.difference_update(group)
        return group


_Part: TypeAlias = Portion | tuple[str, ...]
"""Task of one process: a portion of the scan, or the nodes of a sample of works."""
_DEFAULT_OPTIONS: Final = CheckOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class _ChunkResult:
    """Result of a chunk: its findings, and its numbers of nodes with and without a class."""

    findings: tuple[CheckFinding, ...]
    typed: int
    untyped: int
    is_cut: bool
    is_blank: bool
    crowded: frozenset[str]


@dataclass(slots=True, kw_only=True)
class _Totals:
    """Totals over the chunks so far."""

    typed: int = 0
    untyped: int = 0
    is_blank: bool = False
    works: int | None = None
    is_cut: bool = False
    crowded: set[str] = field(default_factory=set)


def list_check_rules() -> Mapping[str, CheckRule]:
    """Return all rules by code: the shapes, then those that no shape can express.

    Raises:
        CheckError: there are no shapes.
    """
    return {**list_shape_rules(), **list_collision_rules()}


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
            f"{catalogue.place} is not a folder, and only a catalogue in a folder can be checked. "
            "Check the catalogue that the server mirrors."
        )
    rules = select_rules(list_check_rules(), options.only, options.skip)
    run = _CheckRun(catalogue, options, rules, on_progress)
    try:
        if rules.keys() & list_shape_rules().keys():
            run.check_shapes(reopen)
        if rules.keys() & list_collision_rules().keys():
            found = find_collisions(
                index, run.spool, rules, registry=registry, on_progress=on_progress
            )
            run.spool.keep(found, rules)
        on_progress("sorting the findings", 0, None)
        run.spool.settle()
        return CatalogueReport(
            run.spool,
            place=catalogue.place,
            rules=rules,
            checked=run.sum.typed,
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
        told: ProgressCallback,
    ) -> None:
        self.spool = CheckSpool()
        self.sum = _Totals()
        self._catalogue, self._options, self._rules, self._told = catalogue, options, rules, told
        # Loops cross chunks, so the whole store is searched for them.
        self._shapes = frozenset(rules.keys() & list_shape_rules().keys()) - {"AliasLoop"}

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
                    scan.read(store, workers, reopen, self._told)
                    self.sum.is_blank = scan.is_blank
                    self._check_parts(list(scan.portions(self._options.chunk)), workers, reopen)
            else:
                holdings = self._catalogue.holdings
                self.sum.works = gather_sample(holdings, self.spool, sample, self._catalogue.base)
                parts = list(split_sample(self.spool, self._options.chunk))
                self._check_parts(parts, workers, reopen)
        if self.sum.is_blank:
            self._told("checking blank nodes", 0, None)
            self._add(
                check_excerpt(read_unnamed_excerpt(store, read_subclasses(store)), self._shapes)
            )

    def _check_parts(self, parts: Sequence[_Part], workers: Workers, reopen: str | None) -> None:
        total = sum(map(_measure_part, parts))
        done = 0
        self._told("checking", done, total)
        for size, checked in self._results(parts, workers, reopen):
            for each in checked:
                self._add(each)
            done += size
            self._told("checking", done, total)

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
                for place, excerpt in enumerate(_read_excerpts(store, part, common, most)):
                    sizes.append(0 if place else _measure_part(part))
                    yield excerpt, shapes

        for place, checked in enumerate(workers.map(check_excerpt, excerpts())):
            yield sizes[place], (checked,)

    def _add(self, checked: _ChunkResult) -> None:
        self.spool.keep(checked.findings, self._rules)
        self.sum.typed += checked.typed
        self.sum.untyped += checked.untyped
        self.sum.is_cut = self.sum.is_cut or checked.is_cut
        self.sum.is_blank = self.sum.is_blank or checked.is_blank
        self.sum.crowded |= checked.crowded

    @property
    def is_void(self) -> bool:
        """True if the shapes found nothing to check."""
        return bool(self._shapes) and not self.sum.typed

    def notes(self) -> Iterator[str]:
        """Yield the remarks on the whole check."""
        if not self._shapes:
            return
        if self.sum.works is not None:
            works = _format_many(self.sum.works, "work")
            yield f"only {works} checked against the shapes: a sample"
        if self.is_void:
            yield "no shape found anything to check: no node is of a class of lexurn"
        if self.sum.untyped:
            yield f"{_format_many(self.sum.untyped, 'LEX name')} of no class of lexurn"
        if self.sum.is_cut:
            yield (
                "some links lead farther than anybody follows them, or there are too many blank "
                "nodes or links to one node; what lies behind was not looked at"
            )
        if self.sum.crowded:
            yield _format_crowded(sorted(node.strip("<>") for node in self.sum.crowded))


def _format_many(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{count:,} {noun}s are"


def _format_crowded(nodes: Sequence[str]) -> str:
    """Write which nodes were left out because too many links lead to them."""
    left_out = f"not checked against the shapes, since more than {MOST_LINKS:,} links lead to"
    if len(nodes) == 1:
        return f"a node is {left_out} it: {nodes[0]}"
    return f"{len(nodes):,} nodes are {left_out} each: {list_some(nodes)}"


def _measure_part(part: _Part) -> int:
    """Return the size of a part: its statements, or its nodes in a sample."""
    return part.size if isinstance(part, Portion) else len(part)


def _read_excerpts(store: Store, part: _Part, common: str, most: int) -> Iterator[Excerpt]:
    if isinstance(part, Portion):
        yield from read_excerpts(store, part, common, most)
    else:
        yield read_excerpt(store, part, common)


def _check_part_at(
    place: str, part: _Part, common: str, most: int, shapes: frozenset[str]
) -> tuple[_ChunkResult, ...]:
    """Check a part that this process reads itself."""
    with open_catalogue(place) as catalogue:
        excerpts = _read_excerpts(catalogue.store, part, common, most)
        return tuple(check_excerpt(each, shapes) for each in excerpts)


def check_excerpt(excerpt: Excerpt, shapes: frozenset[str] | None = None) -> _ChunkResult:
    """Check the focus nodes of an excerpt with some shapes, by default all."""
    findings = [
        convert_result(result)
        for result in check_triples(excerpt.ntriples, shapes)
        if _is_among(result.focus, excerpt.foci)
    ]
    return _ChunkResult(
        findings=tuple(findings),
        typed=excerpt.typed,
        untyped=excerpt.untyped,
        is_cut=excerpt.is_cut,
        is_blank=excerpt.is_blank,
        crowded=excerpt.crowded,
    )


def _is_among(focus: str, foci: frozenset[str]) -> bool:
    """Return whether a node is a focus of an excerpt; blank nodes have an excerpt of their own."""
    if focus.startswith("_:"):
        return not foci
    if focus in foci:
        return True
    return focus.startswith('"') and _normalise_literal(focus) in foci


def _normalise_literal(literal: str) -> str:
    """Write a literal as Oxigraph does."""
    line = f"<x:s> <x:p> {literal} ."
    quad = next(iter(pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)))
    return str(quad.object)
