"""Check of a whole catalogue: against the shapes, and against the rules that no shape can have.

The quads in the store are checked, in chunks of works, each with all that the shapes look at beside
it. Processes open the catalogue and read their chunks themselves.
"""

from __future__ import annotations

from collections import deque
from os import cpu_count
from typing import TYPE_CHECKING

import pyoxigraph

from lexurn.catalogue.collisions import find_collisions
from lexurn.catalogue.excerpts import (
    FROM_LAYERS,
    MOST_LINKS,
    ExcerptCounts,
    gather_nodes,
    gather_sample,
    read_blank_excerpt,
    read_excerpt,
    read_subclasses,
    split_nodes,
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
from lexurn.vocabulary import SAME_AS
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from typing import Final

    from lexurn.catalogue.catalogue import Catalogue
    from lexurn.catalogue.excerpts import Excerpt
    from lexurn.catalogue.findings import CheckRule
    from lexurn.registry import Registry
    from lexurn.store import EmbeddedStore

    ProgressCallback = Callable[[str, int, int | None], None]

_DEFAULT_OPTIONS: Final = CheckOptions()


def list_check_rules() -> Mapping[str, CheckRule]:
    """Return all rules by code: the shapes, then those that no shape can have.

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
    on_progress: ProgressCallback = lambda _what, _done, _total: None,
) -> CatalogueReport:
    """Check the whole content of a catalogue (RFC 9676 sections 9 and 10).

    Args:
        catalogue: an open catalogue in a folder.
        options: the rules to apply, and how.
        registry: the registry of authorities, measures and words; None for the built-in one.
        reopen: the folder in which other processes can open the catalogue too. Without it (as the
            catalogue is open for writing) this process does all the work.
        on_progress: receives a step of the work, how much of it is done, and of how much.

    Returns:
        The report; it lies on disk until it is closed.

    Raises:
        CatalogueError: the catalogue cannot be read, or there is no such rule.
        CheckError: there are no shapes, or the engine is absent or failed.
    """
    index = catalogue.holdings
    if not isinstance(index, Index):
        raise CatalogueError(
            f"{catalogue.place} is no folder, and only a catalogue in a folder can be checked. "
            "Check the catalogue that the server mirrors."
        )
    rules = select_rules(list_check_rules(), options.only, options.skip)
    shapes = frozenset(rules.keys() & list_shape_rules().keys())
    spool = CheckSpool()
    try:
        # Loops cross chunks, so the whole store is searched for them.
        nodes = _NodeCheck(catalogue, options, shapes - {"AliasLoop"}, spool, rules)
        if nodes.shapes:
            nodes.run(reopen, on_progress)
        if "AliasLoop" in rules and (options.sample is None or not nodes.shapes):
            spool.keep(find_alias_loops(catalogue.store), rules)
        if rules.keys() & list_collision_rules().keys():
            found = find_collisions(index, spool, rules, registry=registry, on_progress=on_progress)
            spool.keep(found, rules)
        on_progress("sorting what was found", 0, None)
        spool.settle()
        return CatalogueReport(
            spool,
            place=catalogue.place,
            rules=rules,
            checked=nodes.typed,
            notes=tuple(nodes.list_notes()) if nodes.shapes else (),
            is_void=bool(nodes.shapes) and not nodes.typed,
        )
    except BaseException:
        spool.close()
        raise


# --- nodes against the shapes ---------------------------------------------------------

_ChunkResult = tuple[tuple[CheckFinding, ...], ExcerptCounts]


class _NodeCheck:
    """Check of nodes against the shapes, with totals over all chunks."""

    def __init__(
        self,
        catalogue: Catalogue,
        options: CheckOptions,
        shapes: frozenset[str],
        spool: CheckSpool,
        rules: Mapping[str, CheckRule],
    ) -> None:
        self.shapes = shapes
        self.typed = self._untyped = 0
        self._is_cut = False
        self._crowded: set[str] = set()
        self._works: int | None = None
        self._catalogue, self._options = catalogue, options
        self._spool, self._rules = spool, rules

    def run(self, reopen: str | None, on_progress: ProgressCallback) -> None:
        """Check all nodes, or those of a sample."""
        store, options, spool = self._catalogue.store, self._options, self._spool
        has_blank_nodes = False
        if options.sample is None:
            has_blank_nodes = gather_nodes(store, spool, on_progress)
        else:
            index, base = self._catalogue.holdings, self._catalogue.base
            self._works = gather_sample(index, spool, options.sample, base)
        ((total,),) = spool.rows("SELECT COUNT(DISTINCT iri) FROM node")
        done = 0
        on_progress("checking", done, total)
        for size, result in self._check_chunks(reopen):
            has_blank_nodes = self._add(result) or has_blank_nodes
            done += size
            on_progress("checking", done, total)
        if has_blank_nodes:
            on_progress("checking blank nodes", 0, None)
            excerpt = read_blank_excerpt(store, read_subclasses(store))
            self._add(check_excerpt(excerpt, self.shapes))

    def _check_chunks(self, reopen: str | None) -> Iterator[tuple[int, _ChunkResult]]:
        """Yield the result of each chunk, with its number of nodes."""
        store, shapes = self._catalogue.store, self.shapes
        common = read_subclasses(store)
        chunks = split_nodes(self._spool, self._options.chunk)
        if reopen is None:
            for nodes in chunks:
                yield len(nodes), check_excerpt(read_excerpt(store, nodes, common), shapes)
            return
        sizes: deque[int] = deque()

        def list_tasks() -> Iterator[tuple[str, Sequence[str], str, frozenset[str]]]:
            for nodes in chunks:
                sizes.append(len(nodes))
                yield reopen, nodes, common, shapes

        with Workers(self._options.jobs or cpu_count() or 1) as workers:
            for result in workers.map(_check_nodes_at, list_tasks()):
                yield sizes.popleft(), result

    def _add(self, result: _ChunkResult) -> bool:
        """Add the result of a chunk; return True if it has blank nodes."""
        findings, counts = result
        self._spool.keep(findings, self._rules)
        self.typed += counts.typed
        self._untyped += counts.untyped
        self._is_cut = self._is_cut or counts.is_cut
        self._crowded |= counts.crowded
        return counts.has_blank_nodes

    def list_notes(self) -> Iterator[str]:
        """Yield the remarks on the whole check."""
        if self._works is not None:
            yield f"only {_count_noun(self._works, 'work')} checked against the shapes: a sample"
        if not self.typed:
            yield "no shape found anything to check: no node is of a class of lexurn"
        if self._untyped:
            yield f"{_count_noun(self._untyped, 'LEX name')} of no class of lexurn"
        if self._is_cut:
            yield (
                "some links lead farther than the check follows them, or there are too many blank "
                "nodes or links to one node; the nodes behind were not looked at"
            )
        if self._crowded:
            left_out = "not checked against the shapes, since more than"
            nodes = sorted(node.strip("<>") for node in self._crowded)
            if len(nodes) == 1:
                yield f"a node is {left_out} {MOST_LINKS:,} links lead to it: {nodes[0]}"
            else:
                yield (
                    f"{len(nodes):,} nodes are {left_out} {MOST_LINKS:,} links lead to each: "
                    f"{list_some(nodes)}"
                )


def _count_noun(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{count:,} {noun}s are"


def _check_nodes_at(
    place: str, nodes: Sequence[str], common: str, shapes: frozenset[str]
) -> _ChunkResult:
    """Check nodes of a catalogue that this process opens itself."""
    with open_catalogue(place) as catalogue:
        return check_excerpt(read_excerpt(catalogue.store, nodes, common), shapes)


def check_excerpt(excerpt: Excerpt, shapes: frozenset[str] | None = None) -> _ChunkResult:
    """Return the findings of some shapes (None for all) in the nodes of an excerpt, and its counts.

    Raises:
        CheckError: there are no shapes, or the engine is absent or failed.
    """
    results = check_triples(excerpt.ntriples, shapes)
    findings = (convert_result(each) for each in results if _is_among(each.focus, excerpt.foci))
    return tuple(findings), excerpt.counts


def _is_among(focus: str, foci: frozenset[str]) -> bool:
    """Return True if an excerpt is about a node; blank nodes have an excerpt of their own."""
    if focus.startswith("_:"):
        return not foci
    if focus in foci or not focus.startswith('"'):
        return focus in foci
    line = f"<x:s> <x:p> {focus} ."  # literals are compared as Oxigraph writes them
    quad = next(iter(pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)))
    return str(quad.object) in foci


# --- loops of aliases -----------------------------------------------------------------

_CHAINS: Final = (
    f"SELECT DISTINCT ?alias ?name {FROM_LAYERS} "
    f"WHERE {{ ?alias {SAME_AS} ?name . ?name {SAME_AS} ?other }}"
)


def find_alias_loops(store: EmbeddedStore) -> Iterator[CheckFinding]:
    """Return a finding of the shape ``AliasLoop`` for each name whose aliases lead back to it.

    Raises:
        CatalogueError: the store cannot be read.
    """
    edges: dict[str, list[str]] = {}
    for row in select_rows(store, _CHAINS):
        edges.setdefault(str(row["alias"]), []).append(str(row["name"]))
    return (CheckFinding(rule="AliasLoop", focus=node) for node in sorted(find_loops(edges)))


def find_loops(edges: Mapping[str, Sequence[str]]) -> set[str]:
    """Return the nodes from which edges lead back to them, in linear time (Kosaraju).

    >>> sorted(find_loops({"a": ["b"], "b": ["c"], "c": ["b"], "d": ["d"]}))
    ['b', 'c', 'd']
    """
    backwards: dict[str, list[str]] = {}
    for node, others in edges.items():
        for other in others:
            backwards.setdefault(other, []).append(node)
    finished = [node for group in _group_reachable(edges, edges) for node in group]
    found: set[str] = set()
    for group in _group_reachable(backwards, reversed(finished)):
        if len(group) > 1 or group[0] in edges.get(group[0], ()):
            found.update(group)
    return found


def _group_reachable(
    edges: Mapping[str, Sequence[str]], starts: Iterable[str]
) -> Iterator[list[str]]:
    """Yield the nodes reached from each start and not before, each behind those it leads to."""
    seen: set[str] = set()
    for start in starts:
        if start in seen:
            continue
        seen.add(start)
        group: list[str] = []
        path = [(start, iter(edges.get(start, ())))]
        while path:
            node, ahead = path[-1]
            new = next((each for each in ahead if each not in seen), None)
            if new is None:
                group.append(node)
                path.pop()
            else:
                seen.add(new)
                path.append((new, iter(edges.get(new, ()))))
        yield group
