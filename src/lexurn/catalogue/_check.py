"""A whole catalogue against the shapes, and against the rules that no shape can have.

The quads that are in the store are checked, in chunks of works, each with what the shapes look at
beside it. Processes read for themselves where the catalogue can be opened a second time.
"""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, field
from os import cpu_count
from typing import TYPE_CHECKING, Final, TypeAlias

import pyoxigraph

from lexurn.catalogue._catalogue import open_catalogue
from lexurn.catalogue._check_asked import subclasses_of
from lexurn.catalogue._check_held import Portion
from lexurn.catalogue._check_nodes import chunks_of_nodes, gather_sample
from lexurn.catalogue._check_reach import Excerpt, excerpt_of, excerpts_of, unnamed_excerpt
from lexurn.catalogue._check_reader import MOST_LINKS
from lexurn.catalogue._check_scan import Scan
from lexurn.catalogue._check_spool import CatalogueReport, Spool
from lexurn.catalogue._check_values import CheckOptions, finding_of, selected, shape_rules
from lexurn.catalogue._collisions import RULES, collide
from lexurn.catalogue._crossing import alias_loops
from lexurn.catalogue._listed import listed
from lexurn.shacl import check_triples
from lexurn.workers import Workers

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lexurn.catalogue._catalogue import Catalogue
    from lexurn.catalogue._check_values import CheckFinding, CheckRule
    from lexurn.catalogue._protocols import Store
    from lexurn.registry import Registry

    Told = Callable[[str, int, int | None], None]

__all__ = ["check_catalogue", "check_excerpt", "check_rules"]

_Part: TypeAlias = Portion | tuple[str, ...]
"""What is checked in one go: a portion of what was read, or the nodes of works of a sample."""
_ALL: Final = CheckOptions()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checked:
    """What came of a chunk: its findings, and how many nodes had a class, or should have had."""

    findings: tuple[CheckFinding, ...]
    typed: int
    untyped: int
    is_cut: bool
    is_blank: bool
    crowded: frozenset[str]


@dataclass(slots=True, kw_only=True)
class _Sum:
    """What came of all chunks so far."""

    typed: int = 0
    untyped: int = 0
    is_blank: bool = False
    works: int | None = None
    is_cut: bool = False
    crowded: set[str] = field(default_factory=set)


def check_rules() -> Mapping[str, CheckRule]:
    """All rules by code: the shapes, then those that no shape can have.

    Raises:
        CheckError: there are no shapes.
    """
    return {**shape_rules(), **{rule.code: rule for rule in RULES}}


def check_catalogue(
    catalogue: Catalogue,
    options: CheckOptions = _ALL,
    *,
    registry: Registry | None = None,
    reopen: str | None = None,
    told: Told = lambda _what, _done, _total: None,
) -> CatalogueReport:
    """Check all that a catalogue holds (RFC 9676 sections 9 and 10).

    Args:
        catalogue: the catalogue, open.
        options: what is to be checked, and how.
        registry: whose authorities, measures and words are known; the built-in one if not given.
        reopen: the place where other processes can open the catalogue too; without it (it is in
            memory, or open for writing) this process does all the reading.
        told: is told what is done, how much of it, and of how much.

    Returns:
        The report; it lies on disk until it is closed.

    Raises:
        CatalogueError: the catalogue cannot be read, or there is no such rule.
        CheckError: there are no shapes, or the engine is absent or failed.
    """
    rules = selected(check_rules(), options.only, options.skip)
    run = _Run(catalogue, options, rules, told)
    try:
        if rules.keys() & shape_rules().keys():
            run.check_shapes(reopen)
        if rules.keys() & {rule.code for rule in RULES}:
            found = collide(catalogue.holdings, run.spool, rules, registry=registry, told=told)
            run.spool.keep(found, rules)
        told("sorting what was found", 0, None)
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


class _Run:
    """One check under way."""

    def __init__(
        self,
        catalogue: Catalogue,
        options: CheckOptions,
        rules: Mapping[str, CheckRule],
        told: Told,
    ) -> None:
        self.spool = Spool()
        self.sum = _Sum()
        self._catalogue, self._options, self._rules, self._told = catalogue, options, rules, told
        # Loops cross chunks, so that they are looked for in the whole, and in linear time.
        self._shapes = frozenset(rules.keys() & shape_rules().keys()) - {"AliasLoop"}

    def check_shapes(self, reopen: str | None) -> None:
        """Check all nodes, or those of a sample, against the shapes, and look for loops."""
        if self._shapes:
            self._check_nodes(reopen)
        if "AliasLoop" in self._rules and (self._options.sample is None or not self._shapes):
            self.spool.keep(alias_loops(self._catalogue.store), self._rules)

    def _check_nodes(self, reopen: str | None) -> None:
        store, sample = self._catalogue.store, self._options.sample
        with Workers(self._options.jobs or cpu_count() or 1) as workers:
            if sample is None:
                with closing(Scan(self.spool.folder)) as scan:
                    scan.read(store, workers, reopen, self._told)
                    self.sum.is_blank = scan.is_blank
                    self._check_parts(list(scan.portions(self._options.chunk)), workers, reopen)
            else:
                holdings = self._catalogue.holdings
                self.sum.works = gather_sample(holdings, self.spool, sample, self._catalogue.base)
                parts = list(chunks_of_nodes(self.spool, self._options.chunk))
                self._check_parts(parts, workers, reopen)
        if self.sum.is_blank:
            self._told("checking blank nodes", 0, None)
            self._add(check_excerpt(unnamed_excerpt(store, subclasses_of(store)), self._shapes))

    def _check_parts(self, parts: Sequence[_Part], workers: Workers, reopen: str | None) -> None:
        total = sum(map(_size_of, parts))
        done = 0
        self._told("checking", done, total)
        for size, checked in self._results(parts, workers, reopen):
            for each in checked:
                self._add(each)
            done += size
            self._told("checking", done, total)

    def _results(
        self, parts: Sequence[_Part], workers: Workers, reopen: str | None
    ) -> Iterator[tuple[int, Sequence[_Checked]]]:
        """What came of each part, with its size; some parts come in pieces, the size with one."""
        store, most, shapes = self._catalogue.store, self._options.chunk, self._shapes
        common = subclasses_of(store)
        if reopen is not None:
            tasks = ((reopen, each, common, most, shapes) for each in parts)
            yield from zip(map(_size_of, parts), workers.map(_check_there, tasks), strict=True)
            return
        sizes: list[int] = []

        def excerpts() -> Iterator[tuple[Excerpt, frozenset[str]]]:
            for part in parts:
                for place, excerpt in enumerate(_excerpts(store, part, common, most)):
                    sizes.append(0 if place else _size_of(part))
                    yield excerpt, shapes

        for place, checked in enumerate(workers.map(check_excerpt, excerpts())):
            yield sizes[place], (checked,)

    def _add(self, checked: _Checked) -> None:
        self.spool.keep(checked.findings, self._rules)
        self.sum.typed += checked.typed
        self.sum.untyped += checked.untyped
        self.sum.is_cut = self.sum.is_cut or checked.is_cut
        self.sum.is_blank = self.sum.is_blank or checked.is_blank
        self.sum.crowded |= checked.crowded

    @property
    def is_void(self) -> bool:
        """Whether the shapes found nothing to check."""
        return bool(self._shapes) and not self.sum.typed

    def notes(self) -> Iterator[str]:
        """What to know beside the findings."""
        if not self._shapes:
            return
        if self.sum.works is not None:
            yield f"only {_many(self.sum.works, 'work')} checked against the shapes: a sample"
        if self.is_void:
            yield "no shape found anything to check: no node is of a class of lexurn"
        if self.sum.untyped:
            yield f"{_many(self.sum.untyped, 'LEX name')} of no class of lexurn"
        if self.sum.is_cut:
            yield (
                "some links lead farther than anybody follows them, or there are too many blank "
                "nodes or links to one node; what lies behind was not looked at"
            )
        if self.sum.crowded:
            yield _crowded(sorted(node.strip("<>") for node in self.sum.crowded))


def _many(count: int, noun: str) -> str:
    return f"1 {noun} is" if count == 1 else f"{count:,} {noun}s are"


def _crowded(nodes: Sequence[str]) -> str:
    """Which nodes were left out, since too many links lead to them."""
    left_out = f"not checked against the shapes, since more than {MOST_LINKS:,} links lead to"
    if len(nodes) == 1:
        return f"a node is {left_out} it: {nodes[0]}"
    return f"{len(nodes):,} nodes are {left_out} each: {listed(nodes)}"


def _size_of(part: _Part) -> int:
    """How much there is in a part: statements, or nodes of a sample."""
    return part.size if isinstance(part, Portion) else len(part)


def _excerpts(store: Store, part: _Part, common: str, most: int) -> Iterator[Excerpt]:
    if isinstance(part, Portion):
        yield from excerpts_of(store, part, common, most)
    else:
        yield excerpt_of(store, part, common)


def _check_there(
    place: str, part: _Part, common: str, most: int, shapes: frozenset[str]
) -> tuple[_Checked, ...]:
    """Check a part that this process reads for itself."""
    with open_catalogue(place) as catalogue:
        excerpts = _excerpts(catalogue.store, part, common, most)
        return tuple(check_excerpt(each, shapes) for each in excerpts)


def check_excerpt(excerpt: Excerpt, shapes: frozenset[str] | None = None) -> _Checked:
    """What some shapes (all if not given) find with the nodes that an excerpt is about."""
    findings = [
        finding_of(result)
        for result in check_triples(excerpt.ntriples, shapes)
        if _is_among(result.focus, excerpt.foci)
    ]
    return _Checked(
        findings=tuple(findings),
        typed=excerpt.typed,
        untyped=excerpt.untyped,
        is_cut=excerpt.is_cut,
        is_blank=excerpt.is_blank,
        crowded=excerpt.crowded,
    )


def _is_among(focus: str, foci: frozenset[str]) -> bool:
    """Whether a node is among those that an excerpt is about; blank nodes have one of their own."""
    if focus.startswith("_:"):
        return not foci
    if focus in foci:
        return True
    return focus.startswith('"') and _canonical(focus) in foci


def _canonical(literal: str) -> str:
    """A literal as Oxigraph writes it."""
    line = f"<x:s> <x:p> {literal} ."
    quad = next(iter(pyoxigraph.parse(line, format=pyoxigraph.RdfFormat.N_TRIPLES)))
    return str(quad.object)
