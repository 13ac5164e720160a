"""Check of a whole catalogue: by the shapes, and by the rules that no shape can express.

The quads of the store are checked in chunks of works, each an excerpt with its surroundings: a
shape sees the values of a node, the links to it, and the nodes one or two steps behind certain
links. So a chunk has the findings of the whole graph. Several processes read the catalogue if it
can be opened a second time. Blank nodes, which only an update of the user adds, are not checked.

One search crosses all chunks: that for names that are, over any number of others, aliases of
themselves. A broken catalogue may have long chains, so the search takes linear time.
"""

from __future__ import annotations

import re
from collections import defaultdict
from contextlib import closing
from dataclasses import dataclass, replace
from os import cpu_count
from typing import TYPE_CHECKING, Final, NamedTuple, TypeAlias, cast

import pyoxigraph

from lexurn.catalogue import chunks
from lexurn.catalogue.catalogue import list_some
from lexurn.catalogue.chunks import (
    ALIAS_LINKS,
    INVERSE_LINKS,
    RDF_TYPE,
    SAME,
    Portion,
    StoreScan,
    split_sample,
)
from lexurn.catalogue.collisions import find_collisions
from lexurn.catalogue.folder import open_catalogue
from lexurn.catalogue.index import Index
from lexurn.catalogue.report import (
    CatalogueReport,
    CheckFinding,
    CheckOptions,
    CheckSpool,
    convert_result,
    list_collision_rules,
    list_shape_rules,
    select_rules,
)
from lexurn.errors import CatalogueError
from lexurn.graph import Layer
from lexurn.shacl import check_triples
from lexurn.store import select_rows
from lexurn.vocabulary import IS_REPLACED_BY, OWN_CLASSES, RDFS, RECORD_END, SAME_AS, SH, TYPE
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue.folder import Catalogue
    from lexurn.catalogue.report import CheckRule, ProgressCallback
    from lexurn.registry import Registry
    from lexurn.store import Store

#: Graphs of a query.
FROM_LAYERS: Final = " ".join(f"FROM <{layer.iri}>" for layer in Layer)
_BATCH: Final = 500
_OUT_QUERY: Final = "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
_INTO_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?o {{ {nodes} }} ?s ?p ?o "
    "FILTER(?p IN ({links})) }} LIMIT {limit}"
)
_TYPES_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o "
    f"FILTER(?p = {TYPE}) }}}}"
)
_ANY_QUERY: Final = "SELECT DISTINCT ?s {layers} WHERE {{ VALUES ?s {{ {nodes} }} ?s ?p ?o }}"
_SUBCLASSES_QUERY: Final = (
    "CONSTRUCT {{ ?s ?p ?o }} {layers} WHERE {{ VALUES ?p {{ "
    f"<{RDFS}subClassOf> }}}} ?s ?p ?o }}}}"
)


def read_subclasses(store: Store) -> str:
    """Read the subclass statements of a store as N-Triples; usually there are none."""
    return _construct(store, _SUBCLASSES_QUERY)


def _split_batches(terms: list[str]) -> Iterator[list[str]]:
    """Split terms into batches for one query each."""
    for start in range(0, len(terms), _BATCH):
        yield terms[start : start + _BATCH]


def _construct(store: Store, query: str, nodes: Iterable[str] = (), **values: object) -> str:
    """Return the triples of a CONSTRUCT about some nodes (terms), as N-Triples.

    Raises:
        CatalogueError: the store cannot be asked.
    """
    text = query.format(layers=FROM_LAYERS, nodes=" ".join(nodes), **values)
    answer = cast("pyoxigraph.QueryTriples", store.query(text))
    return (answer.serialize(format=pyoxigraph.RdfFormat.N_TRIPLES) or b"").decode()


def read_pointing(
    store: Store, nodes: Sequence[str], links: str, most: int
) -> tuple[str, tuple[str, ...]]:
    """Read the links to some nodes as N-Triples, and the nodes with too many of them.

    Args:
        store: the store.
        nodes: the nodes.
        links: the predicates, separated by commas.
        most: the highest number of links to one node.
    """
    text = _construct(store, _INTO_QUERY, nodes, links=links, limit=most + 1)
    if text.count("\n") <= most:
        return text, ()
    if len(nodes) == 1:
        return "", tuple(nodes)
    half = len(nodes) // 2
    one, other = (read_pointing(store, each, links, most) for each in (nodes[:half], nodes[half:]))
    return one[0] + other[0], one[1] + other[1]


#: Highest number of links to a node that is examined.
MOST_LINKS: Final = 20_000

_READ_LINKS: Final = (
    INVERSE_LINKS | chunks.FOLLOWED_LINKS | chunks.CLASSED_LINKS | {RDF_TYPE, chunks.LICENSE}
)
_READ_LINE: Final = re.compile(
    rf"^([^ \n]+) <({'|'.join(map(re.escape, sorted(_READ_LINKS)))})> (.*) \.$", re.MULTILINE
)
_NO_IRI: Final = re.compile('[\x00-\x20<>"{}|^`\\\\]')
_ROUNDS: Final = 256
_FARTHEST: Final = 20_000
_BACKWARDS: Final = ", ".join(f"<{link}>" for link in sorted(INVERSE_LINKS))
_TYPE_LINK: Final = f" <{RDF_TYPE}> "


class ExcerptReader:
    """Triples read so far from a store, and the links among them.

    Attributes:
        out: the targets of a node, by link and node.
        into: the nodes with a link to a node, by link and node.
        is_cut: whether links lead farther than they were followed.
        crowded: the nodes that too many links lead to.
    """

    def __init__(self, store: Store, common: str, known: chunks.KnownNodes) -> None:
        self._store, self._known = store, known
        self._texts: list[str] = []
        self._read: set[str] = set()
        self._pointed: set[str] = set()
        self.out: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.into: dict[str, dict[str, list[str]]] = defaultdict(dict)
        self.is_cut = False
        self.crowded: set[str] = set()
        if common:
            self.keep(common)

    @property
    def text(self) -> str:
        """Return all triples read, each once."""
        lines = (line for text in self._texts for line in text.split("\n") if line)
        return "".join(f"{line}\n" for line in dict.fromkeys(lines))

    def take(self, nodes: Collection[str]) -> None:
        """Read all statements about some nodes that were not read before."""
        wanted = sorted(node for node in nodes if _is_named(node) and node not in self._read)
        self._read.update(wanted)
        known, absent = _split_known(wanted, self._known.statements)
        self.keep("".join(self._known.statements[node] for node in known))
        for some in _split_batches(absent):
            self.keep(_construct(self._store, _OUT_QUERY, some))

    def point(self, nodes: Collection[str]) -> set[str]:
        """Read the inverse links to some nodes.

        Links among these nodes are left out, because their statements are read anyway.

        Returns:
            The nodes that were skipped because too many links lead to them.
        """
        wanted = sorted(nodes)
        known, absent = _split_known(wanted, self._known.links)
        links = {node: self._known.links[node] for node in known}
        # Equal links in several layers count once.
        crowded = {
            node
            for node, lines in links.items()
            if len(lines) > MOST_LINKS and len(set(lines)) > MOST_LINKS
        }
        for some in _split_batches(absent):
            text, many = read_pointing(self._store, some, _BACKWARDS, MOST_LINKS)
            self.keep(text)
            crowded.update(many)
        taken = set(wanted) - crowded
        known_lines = (line for node in known if node in taken for line in links[node])
        self._keep_lines(line for line in known_lines if line.partition(" ")[0] not in taken)
        self._pointed |= taken
        self.crowded |= crowded
        self.is_cut = self.is_cut or bool(crowded)
        return crowded

    def undescribed(self, foci: Collection[str]) -> set[str]:
        """Yield the targets of examined links that have no statements of their own.

        They are never a subject, so no chunk has them as its own nodes.
        """
        pointed = self._over(foci, INVERSE_LINKS)
        found = {node for node in pointed if node.startswith('"')}
        named = sorted(node for node in pointed - self._read if _is_named(node))
        _, unknown = _split_known(named, self._known.links)
        for some in _split_batches(unknown):
            query = _ANY_QUERY.format(layers=FROM_LAYERS, nodes=" ".join(some))
            rows = select_rows(self._store, query)
            found |= set(some) - {str(row["s"]) for row in rows}
        return found

    def surround(self, foci: Collection[str]) -> None:
        """Read the nodes behind the links of some nodes."""
        near = self._over(foci, chunks.FOLLOWED_LINKS) | self._back(
            foci, ALIAS_LINKS | {chunks.VERSION, chunks.TOPIC}
        )
        self.take(near)
        same = self._over(foci, ALIAS_LINKS | {chunks.PART}) | self._back(foci, ALIAS_LINKS)
        self.take(self._over(same, {chunks.REALIZATION}))
        self._back_to(self._over(foci, {chunks.NEXT}), chunks.VERSION)
        self._back_to(self._over(foci, {chunks.CURRENT}), SAME)
        self.take(self._back(self._over(foci, {chunks.CURRENT}), {SAME}))
        self._follow(self._over(foci, {chunks.NEXT}), {chunks.NEXT})
        unlicensed = {
            s for s in foci if s in self.out[chunks.ITEM] and s not in self.out[chunks.LICENSE]
        }
        self._follow(unlicensed, chunks.UPWARD_LINKS, back=SAME)
        classed = self._over(foci, chunks.CLASSED_LINKS | INVERSE_LINKS) - self._read
        known, absent = _split_known(sorted(filter(_is_named, classed)), self._known.statements)
        for node in known:
            lines = self._known.statements[node].split("\n")
            self._keep_lines(line for line in lines if line.startswith(f"{node}{_TYPE_LINK}"))
        for some in _split_batches(absent):
            self.keep(_construct(self._store, _TYPES_QUERY, some))

    def _follow(self, start: Collection[str], links: Collection[str], back: str = "") -> None:
        """Read the nodes reached from some nodes by links, and by ``back`` backwards."""
        reached = frontier = set(start)
        for _ in range(_ROUNDS):
            if not frontier or len(reached) > _FARTHEST + len(start):
                break
            self.take(frontier)
            ahead = self._over(frontier, links)
            if back:
                # The links to a node that was read as a neighbour are not known yet.
                self._back_to(frontier - self._pointed, back)
                ahead |= self._back(reached, {back})
            frontier = {node for node in ahead if _is_named(node)} - reached
            reached = reached | frontier
        self.is_cut = self.is_cut or bool(frontier)

    def select_typed(self, nodes: Iterable[str]) -> set[str]:
        """Select the nodes with a class of lexurn."""
        types = self.out[RDF_TYPE]
        return {node for node in nodes if not OWN_CLASSES.isdisjoint(types.get(node, ()))}

    def _over(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """Return the targets of some nodes by links."""
        return _find_ends((self.out[link] for link in links), nodes)

    def _back(self, nodes: Collection[str], links: Collection[str]) -> set[str]:
        """Return the nodes read so far with links to some nodes."""
        return _find_ends((self.into[link] for link in links), nodes)

    def _back_to(self, nodes: Iterable[str], link: str) -> None:
        """Read the nodes with one link to some nodes."""
        wanted = sorted(node for node in nodes if _is_named(node))
        known, absent = _split_known(wanted, self._known.links)
        for node in known:
            end = f" <{link}> {node} ."
            self._keep_lines(line for line in self._known.links[node] if line.endswith(end))
        for some in _split_batches(absent):
            text, many = read_pointing(self._store, some, f"<{link}>", _FARTHEST)
            self.is_cut = self.is_cut or bool(many)
            self.keep(text)

    def _keep_lines(self, lines: Iterable[str]) -> None:
        self.keep("".join(f"{line}\n" for line in lines))

    def keep(self, text: str) -> None:
        """Add triples, and note the links among them."""
        if not text:
            return
        self._texts.append(text)
        for subject, link, value in _READ_LINE.findall(text):
            self.out[link].setdefault(subject, []).append(value)
            if link in INVERSE_LINKS:
                self.into[link].setdefault(value, []).append(subject)


def is_iri(text: str) -> bool:
    """Return whether a text can be an IRI in a query."""
    return _NO_IRI.search(text) is None


def _is_named(term: str) -> bool:
    return term.startswith("<") and is_iri(term[1:-1])


def _find_ends(links: Iterable[Mapping[str, Sequence[str]]], nodes: Collection[str]) -> set[str]:
    """Find the targets of links from some nodes."""
    starts = set(nodes)
    return {end for link in links for start in link.keys() & starts for end in link[start]}


def _split_known(nodes: Iterable[str], known: Collection[str]) -> tuple[list[str], list[str]]:
    """Split nodes into those whose statements were read before, and the others."""
    parts: tuple[list[str], list[str]] = ([], [])
    for node in nodes:
        parts[node not in known].append(node)
    return parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """Part of a graph with the nodes in it to check.

    Attributes:
        ntriples: the triples.
        foci: the nodes, terms as N-Triples writes them.
        typed: the number of them with a class of lexurn.
        untyped: the number of LEX names among them without one.
        is_cut: whether links lead farther than they are followed, or too many lead to one node.
        crowded: the nodes that were left out because too many links lead to them.
    """

    ntriples: str
    foci: frozenset[str]
    typed: int
    untyped: int
    is_cut: bool
    crowded: frozenset[str] = frozenset()


def read_excerpts(
    store: Store, portion: chunks.Portion, common: str, most: int
) -> Iterator[Excerpt]:
    """Yield excerpts of about ``most`` nodes of a portion, as `read_excerpt` does.

    Raises:
        CatalogueError: the store or the portion cannot be read.
    """
    known = chunks.NOTHING_KNOWN if portion.is_large else chunks.read_portion(portion)
    for nodes in chunks.split_portion(portion, most):
        yield read_excerpt(store, nodes, common, known)


def read_excerpt(
    store: Store,
    nodes: Iterable[str],
    common: str = "",
    known: chunks.KnownNodes = chunks.NOTHING_KNOWN,
) -> Excerpt:
    """Read some nodes of a store with their surroundings that shapes see.

    Args:
        store: the store.
        nodes: plain IRIs; invalid ones are left out.
        common: triples that belong to every excerpt, as N-Triples.
        known: statements read before, which are not queried again.

    Raises:
        CatalogueError: the store cannot be read.
    """
    reader = ExcerptReader(store, common, known)
    foci = {f"<{node}>" for node in nodes if is_iri(node)}
    # With only a part of the links to a node, shapes would report false faults.
    foci -= reader.point(foci)
    reader.take(foci)
    others = reader.undescribed(foci)
    foci |= others - reader.point(others)
    reader.surround(foci)
    typed = reader.select_typed(foci)
    names = {
        node
        for node in foci
        if node.startswith("<urn:lex:") and not node.endswith(f"{RECORD_END}>")
    }
    return Excerpt(
        ntriples=reader.text,
        foci=frozenset(foci),
        typed=len(typed),
        untyped=len(names - typed),
        is_cut=reader.is_cut,
        crowded=frozenset(reader.crowded),
    )


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
            f"{catalogue.location} is not a folder, and only a catalogue in a folder can be "
            "checked. Check the catalogue that the server mirrors."
        )
    rules = select_rules(list_check_rules(), options.only, options.skip)
    run = _CheckRun(catalogue, options, rules, on_progress)
    try:
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
        self.spool = CheckSpool()
        self.typed = self.untyped = 0
        self.is_blank = self.is_cut = False
        self.works: int | None = None
        self.crowded: set[str] = set()
        self._catalogue = catalogue
        self._options = options
        self._rules = rules
        self._on_progress = on_progress
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
                    scan.read(store, workers, reopen, self._on_progress)
                    self.is_blank = scan.is_blank
                    self._check_parts(list(scan.portions(self._options.chunk)), workers, reopen)
            else:
                base, most = self._catalogue.base, self._options.chunk
                works, parts = split_sample(self._catalogue.holdings, sample, base, most)
                self.works = works
                self._check_parts(parts, workers, reopen)

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
        if self.is_blank:
            yield "blank nodes are not checked; only a SPARQL update of your own can add them"
        if self.is_cut:
            yield (
                "some chains of links are too long, or too many links lead to one node; the rest "
                "was not checked"
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
        if focus in excerpt.foci:
            found.append(convert_result(result))
    return _ChunkResult(tuple(found), replace(excerpt, ntriples="", foci=frozenset()))
