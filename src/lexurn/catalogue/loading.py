"""Loading of families into a catalogue, from records, tables and RDF; and its upkeep.

Worker processes prepare families; the store takes them in order, while the next are prepared. A
family that contradicts the catalogue, or breaks a shape, is refused, with the row to correct. A
name is withdrawn by the load of a tombstone, and never deleted (RFC 9676 §2.2, §9.4).
"""

from __future__ import annotations

import os
import pickle
import threading
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from itertools import chain, islice
from typing import TYPE_CHECKING, Final, TypeVar

from lexurn.catalogue.catalogue import Merge
from lexurn.catalogue.changes import merge_families, write_concepts
from lexurn.catalogue.index import MOST_STATED, TooLargeError, make_index_rows, read_in_lots
from lexurn.catalogue.rdf_source import build_groups
from lexurn.errors import CatalogueError
from lexurn.graph import find_concepts, nquads_of
from lexurn.manifest import FamilyResult, build_family
from lexurn.model import (
    ModelError,
    Record,
    Status,
    family_of,
    split_by_size,
    split_families,
    today,
    unpack_family,
)
from lexurn.shacl import find_invalid_families
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue.catalogue import FamilyRows
    from lexurn.catalogue.filling import Filling
    from lexurn.catalogue.folder import Catalogue
    from lexurn.catalogue.index import IndexRows
    from lexurn.catalogue.rdf_source import RdfFamilies, RdfSource
    from lexurn.catalogue.rdf_statements import RdfGroup
    from lexurn.findings import Finding
    from lexurn.manifest import Manifest, PackedGroup
    from lexurn.model import Family, Source
    from lexurn.name import Name
    from lexurn.shacl import Result

_Group = TypeVar("_Group")
_NAMES_AT_ONCE: Final = 5_000
"""Number of names that are taken in without worker processes: about a hundred thousand quads."""
_NAMES_IN_TASK: Final = 1_000
"""Number of names, or of nodes of RDF, in a task: with more, a process takes longer for each."""
_TASKS_AHEAD: Final = 2
"""Number of tasks that are prepared while the store takes in others."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Refusal of a family that contradicts the catalogue or breaks a shape.

    Attributes:
        key: the first of its names that a row describes, else its canonical act.
        reason: a sentence.
        results: the results of validation, where it breaks a shape.
        source: the file and line of the row at fault, or of the first of several; None where the
            family does not come from a table.
    """

    key: str
    reason: str
    results: tuple[Result, ...] = ()
    source: Source | None = None


def make_shape_refusal(family: Family | None, key: str, results: tuple[Result, ...]) -> Refusal:
    """Make the refusal of a family that breaks a shape."""
    row = family and _find_row(family, (each.focus for each in results))
    more = f" (and {len(results) - 1} more)" if len(results) > 1 else ""
    return Refusal(
        key=str(row.name) if row else key,
        reason=f"{results[0].focus}: {results[0].message} ({results[0].rule}){more}",
        results=results,
        source=row.source if row else None,
    )


def _find_row(family: Family, at_fault: Iterable[str]) -> Record | None:
    """Find the record to correct: that of a name at fault, else the first that has a row."""
    described = {
        text: record
        for record in family.records
        if record.source is not None
        for text in (str(record.name), record.name.iri)
    }
    known = (described.get(each) for each in at_fault)
    first = next(iter(described.values()), None)
    return next((each for each in known if each is not None), first)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Families of some groups, ready for a catalogue that holds none of them.

    Attributes:
        packed_rows: their rows in the index, pickled.
        positions: the position of the group of each family.
        nquads: the quads of all families, and those on their concepts.
        names: the number of their names.
        is_sound: whether no family may break a shape, or shapes do not matter.
        torn: the positions of groups whose rows contradict each other.
        refused: the positions of groups that break a shape, with the results of validation.
        findings: further findings on rows.
        rejected: statements of RDF that were rejected, for `RdfSource.settle`.
    """

    packed_rows: bytes
    positions: tuple[int, ...]
    nquads: bytes
    names: int
    is_sound: bool = True
    torn: tuple[int, ...] = ()
    refused: tuple[tuple[int, tuple[Result, ...]], ...] = ()
    findings: tuple[Finding, ...] = ()
    rejected: tuple[RdfFamilies, ...] = ()

    def unpack_rows(self) -> Sequence[FamilyRows]:
        """Return the rows of the families."""
        rows: IndexRows = pickle.loads(self.packed_rows)  # noqa: S301 - of our own processes
        return rows.families


def prepare_families(
    groups: Sequence[PackedGroup], *, as_of: dt.date, base: str | None, check: bool
) -> Prepared:
    """Prepare some alias sets of a manifest.

    Args:
        groups: of `lexurn.manifest.Manifest.groups`.
        as_of: the day for which the version in force is asked.
        base: the start of HTTP-URI equivalents, or None.
        check: whether sets that break a shape are refused.
    """
    built = [build_family(group) for group in groups]
    positions = [position for position, each in enumerate(built) if each.family is not None]
    families = [each.family for each in built if each.family is not None]
    nquads = [nquads_of(family, as_of=as_of, base=base) for family in families]
    broken: Mapping[int, tuple[Result, ...]] = {}
    if check:
        broken = find_invalid_families(families, as_of=as_of, base=base, nquads=nquads).broken
    good = [number for number in range(len(families)) if number not in broken]
    made = _prepare(
        [families[number] for number in good],
        [nquads[number] for number in good],
        tuple(positions[number] for number in good),
        as_of,
    )
    return replace(
        made,
        torn=tuple(position for position, each in enumerate(built) if each.family is None),
        refused=tuple((positions[number], results) for number, results in broken.items()),
        findings=tuple(finding for each in built for finding in each.findings),
    )


def _prepare(
    families: Sequence[Family],
    nquads: Sequence[bytes],
    positions: tuple[int, ...],
    as_of: dt.date,
) -> Prepared:
    return Prepared(
        packed_rows=pickle.dumps(make_index_rows(families, as_of, nquads)),
        positions=positions,
        nquads=b"".join((*nquads, write_concepts(find_concepts(families)))),
        names=sum(len(family.records) for family in families),
    )


def prepare_rdf(
    groups: Sequence[RdfGroup], *, as_of: dt.date, base: str | None, check: bool, is_new: bool
) -> Prepared:
    """Prepare some alias sets of a source of RDF.

    Args:
        groups: of `lexurn.catalogue.RdfSource.groups`.
        as_of: the day for which the version in force is asked.
        base: the start of HTTP-URI equivalents, or None.
        check: whether sets that break a shape are refused, later.
        is_new: whether the catalogue holds nothing, so that they can be checked now.
    """
    families, positions, rejected = build_groups(groups)
    nquads = [nquads_of(family, as_of=as_of, base=base) for family in families]
    is_sound = not check or (
        is_new and not find_invalid_families(families, as_of=as_of, base=base, nquads=nquads).broken
    )
    made = _prepare(families, nquads, positions, as_of)
    return replace(made, is_sound=is_sound, rejected=rejected)


@dataclass(slots=True, kw_only=True)
class LoadReport:
    """Counts of a load, in alias sets but for `names`.

    Attributes:
        families: the number of sets that were taken in.
        names: the number of their names.
        added: the sets that were new.
        replaced: the sets that were changed or joined.
        unchanged: the sets that were held already, also as part of one that was split.
        refused: the sets that were not taken in.
    """

    families: int = 0
    names: int = 0
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    refused: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """Options of a load.

    Attributes:
        as_of: the day for which the version in force is asked.
        check: whether a family that breaks a shape is refused.
        on_refused: is called with each refusal.
        on_progress: is called with the number of names done; new acts among them are held at the
            end of their portion.
        jobs: how many processes build families; None for one a processor.
        dry_run: whether nothing is written; then the catalogue may be open for reading.
    """

    as_of: dt.date
    check: bool = False
    dry_run: bool = False
    on_refused: Callable[[Refusal], None] | None = None
    on_progress: Callable[[int], None] | None = None
    jobs: int | None = None


def load(catalogue: Catalogue, families: Iterable[Family], options: LoadOptions) -> LoadReport:
    """Load families into a catalogue that is open for writing.

    A record replaces the one of its name; all other records stay. If the process ends at any
    moment, the same call goes on where it stopped.

    Args:
        catalogue: the catalogue.
        families: families that share no name, in bounded memory.
        options: the options.

    Raises:
        CatalogueError: the store cannot be written.
        CheckError: the check could not be made.
    """
    loader = Loader(catalogue, options)
    for chunk in split_families(families, _NAMES_AT_ONCE):
        loader.take(chunk)
    loader.finish()
    return loader.report


def load_manifest(catalogue: Catalogue, manifest: Manifest, options: LoadOptions) -> LoadReport:
    """Load the rows of a manifest into a catalogue; as `load`, with several processes.

    Rows of families that are refused go to the rejects of the manifest, like all invalid rows.

    Raises:
        CatalogueError: the store cannot be written.
        CheckError: the check could not be made.
        ManifestError: the manifest cannot be read any further.
    """
    loader = Loader(catalogue, options)

    def take(groups: Sequence[PackedGroup], made: Prepared) -> None:
        def refuse(position: int) -> None:
            manifest.accept(groups[position], FamilyResult(None))

        for finding in made.findings:
            manifest.report(finding)
        for position in (*made.torn, *dict(made.refused)):
            refuse(position)
            loader.refuse_copies(groups[position].shared)
        for position, results in made.refused:
            family = build_family(groups[position]).family
            loader.refuse(make_shape_refusal(family, groups[position].act, results))
        # The rows of records are not packed, but named in refusals.
        loader.take_prepared(
            made,
            lambda at, _: build_family(groups[made.positions[at]]).family,
            lambda at, _: refuse(at),
        )

    make = partial(prepare_families, as_of=options.as_of, base=catalogue.base, check=options.check)
    with loader, Workers(options.jobs or os.cpu_count() or 1) as workers:
        manifest.read(workers.map)
        lots = split_by_size(manifest.groups(), lambda group: len(group.rows), _NAMES_IN_TASK)
        _run_tasks(workers, make, lots, take, loader.finish)
    manifest.finish()
    return loader.report


def load_rdf(catalogue: Catalogue, source: RdfSource, options: LoadOptions) -> LoadReport:
    """Load sources of RDF into a catalogue; as `load`, with several processes.

    Statements on families that are refused go to the rejects, like all invalid statements.

    Args:
        catalogue: the catalogue, open for writing.
        source: the sources, not yet read.
        options: the options.

    Raises:
        CatalogueError: the store cannot be written, or the disk is full.
        CheckError: the check could not be made.
    """
    loader = Loader(catalogue, options)

    def take(groups: Sequence[RdfGroup], made: Prepared) -> None:
        for built in made.rejected:
            source.settle(built)
        loader.take_prepared(
            made,
            lambda _, row: unpack_family(row.data),
            lambda position, family: source.refuse(groups[position], family),
        )

    make = partial(
        prepare_rdf,
        as_of=options.as_of,
        base=catalogue.base,
        check=options.check,
        is_new=catalogue.holdings.is_empty(),
    )
    with loader, Workers(options.jobs or os.cpu_count() or 1) as workers:
        lots = split_by_size(source.groups(), lambda group: len(group.parts), _NAMES_IN_TASK)
        _run_tasks(workers, make, lots, take, loader.finish)
    source.finish()
    return loader.report


def _run_tasks(
    workers: Workers,
    make: Callable[[Sequence[_Group]], Prepared],
    lots: Iterable[Sequence[_Group]],
    take: Callable[[Sequence[_Group], Prepared], None],
    finish: Callable[[], None],
) -> None:
    """Prepare lots of groups in worker processes; take them in order in one thread, then finish."""
    under_way: deque[Future[None]] = deque()
    stopped = threading.Event()

    def take_next(lot: Sequence[_Group], made: Prepared) -> None:
        # After a failure nothing else is taken: the store has to complete that change first.
        if not stopped.is_set():
            stopped.set()
            take(lot, made)
            stopped.clear()

    with ThreadPoolExecutor(1) as writer:
        try:
            for (lot,), made in workers.map_with_tasks(make, ((lot,) for lot in lots)):
                if len(under_way) == _TASKS_AHEAD:
                    under_way.popleft().result()
                under_way.append(writer.submit(take_next, lot, made))
            while under_way:
                under_way.popleft().result()
            writer.submit(finish).result()
        except BaseException:
            writer.shutdown(cancel_futures=True)
            raise


class Loader(AbstractContextManager["Loader"]):
    """Load under way, with its counts; a context manager."""

    def __init__(self, catalogue: Catalogue, options: LoadOptions) -> None:
        self.report = LoadReport()
        self._catalogue, self._options = catalogue, options
        self._is_new = catalogue.holdings.is_empty()
        self._filling: Filling | None = None
        self._refused_copies: set[str] = set()

    def __exit__(self, *_: object) -> None:
        if self._filling is not None:
            self._filling.close()

    def take_prepared(
        self,
        made: Prepared,
        build: Callable[[int, FamilyRows], Family | None],
        on_refused: Callable[[int, Family], None],
    ) -> None:
        """Take in prepared families: at once if they are new, else those that differ, merged.

        Args:
            made: the families.
            build: returns the family at a position, given its row.
            on_refused: is called with the position of the group and the family of each refused one.
        """
        if not made.positions:
            return
        rows = [] if self._is_new and made.is_sound else made.unpack_rows()
        if made.is_sound and (self._is_new or self._catalogue.is_new(rows)):
            if not self._options.dry_run:
                if self._filling is None:
                    self._filling = self._catalogue.fill(self._options.as_of)
                self._filling.add(made.packed_rows, made.nquads)
            self.report.added += len(made.positions)
            self._count(len(made.positions), made.names)
            if self._filling is not None and self._filling.size >= self._catalogue.portion:
                self._flush()
            return
        # An unchanged family may break a shape.
        same = self._catalogue.same(rows) if made.is_sound else frozenset()
        left = [at for at, row in enumerate(rows) if row.key not in same]
        some = ((made.positions[at], build(at, rows[at])) for at in left)
        built = [(position, family) for position, family in some if family is not None]
        families = [family for _, family in built]
        self.report.unchanged += len(same)
        self._count(len(same), made.names - sum(len(family.records) for family in families))
        for at in self.take(families):
            on_refused(*built[at])

    def _flush(self, *, is_last: bool = False) -> None:
        """Bring in the new families that wait."""
        if self._filling is not None:
            self._filling.settle(is_last=is_last)
            self._filling.close()
            self._filling = None

    def finish(self) -> None:
        """Take in the rest; a copy that only refused families shared is no longer shared."""
        self._flush(is_last=True)
        holdings = self._catalogue.holdings
        held = holdings.holders(self._refused_copies, most=2) if self._refused_copies else {}
        alone = sorted({keys[0] for keys in held.values() if len(keys) == 1})
        as_of, dry_run = self._options.as_of, self._options.dry_run
        for _, families in read_in_lots(holdings, alone, str) if alone else ():
            merged = merge_families(families, holdings)
            self._catalogue.apply(merged, as_of=as_of, dry_run=dry_run)

    def take(self, families: Sequence[Family]) -> Sequence[int]:
        """Take in families, and return the positions of those that were refused."""
        self._flush()
        refused = [*self._take(families, 0)] if families else []
        sizes = [len(family.records) for family in families]
        names = sum(sizes) - sum(sizes[position] for position in refused)
        self._count(len(families) - len(refused), names)
        return refused

    def _take(self, families: Sequence[Family], first: int) -> Iterator[int]:
        """Take in families, by halves if not all can be; yield the positions of those refused."""
        refusal, half = self._try(families), len(families) // 2
        if refusal is not None and half:
            yield from self._take(families[:half], first)
            yield from self._take(families[half:], first + half)
        elif refusal is not None:
            self.refuse(refusal)
            self.refuse_copies(families[0].shared)
            yield first

    def _try(self, families: Sequence[Family]) -> Refusal | None:
        """Take in all of some families, or none."""
        family, as_of = families[0], self._options.as_of
        most = MOST_STATED if len(families) > 1 else None
        try:
            merged = merge_families(families, self._catalogue.holdings, most)
        except (ModelError, TooLargeError) as torn:
            found = torn.finding if isinstance(torn, ModelError) else None
            row = _find_row(family, map(str, found.names) if found is not None else ())
            key = str(family.key if row is None else row.name)
            return Refusal(key=key, reason=str(torn), source=row.source if row else None)
        if self._options.check:
            checked = find_invalid_families(merged.new, as_of=as_of, base=self._catalogue.base)
            results = tuple(chain.from_iterable(checked.broken.values()))
            if results:
                return make_shape_refusal(family, str(family.key), results)
        dry_run = self._options.dry_run
        changed = self._catalogue.apply(merged, as_of=as_of, dry_run=dry_run)
        self._count_changes(families, changed)
        return None

    def _count_changes(self, families: Sequence[Family], changed: Merge) -> None:
        """Count what became of families, without those that only share a copy with them."""
        old = {str(family.key): family for family in changed.old}
        held = {record.name: record for family in changed.old for record in family.records}
        came = {record.name for family in families for record in family.records}

        def is_rest(family: Family) -> bool:
            is_held = all(held.get(record.name) == record for record in family.records)
            return is_held and old.get(str(family.key)) != family

        # The rest of a set that was split may have come with others, so it never counts.
        moved = [
            family
            for family in changed.new
            if any(record.name in came for record in family.records) and not is_rest(family)
        ]
        added = sum(str(family.key) not in old for family in moved)
        names = {record.name for family in moved for record in family.records}
        self.report.added += added
        self.report.replaced += len(moved) - added
        self.report.unchanged += sum(family.key not in names for family in families)

    def _count(self, families: int, names: int) -> None:
        self.report.families += families
        self.report.names += names
        if self._options.on_progress is not None:
            self._options.on_progress(self.report.names)

    def refuse(self, refusal: Refusal) -> None:
        """Count and report a refusal."""
        self.report.refused += 1
        if self._options.on_refused is not None:
            self._options.on_refused(refusal)

    def refuse_copies(self, urls: Iterable[str]) -> None:
        """Note the shared copies of a family that is refused."""
        self._refused_copies.update(urls)


# --- upkeep ---------------------------------------------------------------------------

_MANY_NAMES: Final = 500


def refresh(
    catalogue: Catalogue, *, as_of: dt.date, on_progress: Callable[[int], None] | None = None
) -> int:
    """Compute again which version of each work is in force; return how many alias sets changed.

    The concepts of the registry are described anew.

    Args:
        catalogue: the catalogue, open for writing.
        as_of: the day.
        on_progress: is called with the number of alias sets done.

    Raises:
        CatalogueError: the store cannot be written.
    """
    keys, done, changed = catalogue.holdings.keys(), 0, 0
    concepts: set[str] = set()
    while some := tuple(islice(keys, _MANY_NAMES)):
        for lot, held in read_in_lots(catalogue.holdings, some, str):
            families = tuple(held)
            changed += len(catalogue.apply(Merge(old=families, new=families), as_of=as_of).new)
            concepts |= find_concepts(families)
            done += len(lot)
            if on_progress is not None:
                on_progress(done)
    catalogue.describe_concepts(concepts, as_of=as_of)
    return changed


def optimize(catalogue: Catalogue) -> None:
    """Compact the files of a store, so that it is read faster.

    This pays once, after a large load, and needs as much disk space again as the store takes.
    Replaced statements still take some space; a dump that is loaded into a new catalogue does not.

    Args:
        catalogue: the catalogue, open for writing.

    Raises:
        CatalogueError: the disk is full.
    """
    catalogue.store.optimize()
    catalogue.store.flush()


class WithdrawalOutcome(StrEnum):
    """Outcome of the withdrawal of a name."""

    WITHDRAWN = "withdrawn"
    BEFORE = "withdrawn before"
    MOVED = "withdrawal moved"
    UNKNOWN = "not held"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdrawal:
    """Withdrawal of a name.

    Attributes:
        name: the name.
        outcome: the outcome.
        on: the day since which it is withdrawn; None where that is unknown.
        before: the day that was stated until now, where that was another.
    """

    name: Name
    outcome: WithdrawalOutcome
    on: dt.date | None = None
    before: dt.date | None = None


def withdraw(
    catalogue: Catalogue,
    names: Iterable[Name],
    *,
    as_of: dt.date,
    on: dt.date | None = None,
    below: bool = False,
) -> Iterator[Withdrawal]:
    """Withdraw names: they stay, with all statements on them, and are marked as withdrawn.

    Args:
        catalogue: a catalogue that is open for writing.
        names: the names, of any level; each by itself.
        as_of: the day for which the version in force is asked.
        on: the day since which they are withdrawn, also those that were withdrawn before. None:
            today, and those withdrawn before keep their day. In any case they are withdrawn at
            once.
        below: whether everything below a name is withdrawn with it: annexes, versions, formats.
            Those withdrawn before keep their day.

    Yields:
        The withdrawal of each name, in their order; those below follow the name, sorted.

    Raises:
        CatalogueError: the catalogue cannot be written.
    """
    waiting = iter(names)

    def refuse(refusal: Refusal) -> None:
        raise CatalogueError(f"{refusal.key} cannot be changed: {refusal.reason}")

    options = LoadOptions(as_of=as_of, jobs=1, on_refused=refuse)
    while some := tuple(islice(waiting, _MANY_NAMES)):
        for lot, families in read_in_lots(
            catalogue.holdings, some, lambda name: str(name.act_name)
        ):
            held = {record.name: record for family in families for record in family.records}
            reached = _find_reached(lot, held, below=below)
            stones: dict[Name, Record] = {}
            for each in chain.from_iterable(reached.values()):
                record = held[each]
                # One withdrawn before keeps its day, unless another is given for it.
                if record.status is not Status.WITHDRAWN or (on is not None and each in reached):
                    record = replace(record, status=Status.WITHDRAWN, withdrawn_on=on or today())
                stones[each] = record
            changed: list[Family] = []
            for family in families:
                records = tuple(stones.get(record.name, record) for record in family.records)
                if records != family.records:
                    changed.append(family_of(records, family.shared))
            load(catalogue, changed, options)
            for name in lot:
                for each in reached[name] or (name,):
                    yield _make_withdrawal(each, held.get(each), stones.get(each))
                held.update((each, stones[each]) for each in reached[name])


def _find_reached(
    names: Iterable[Name], held: Mapping[Name, Record], *, below: bool
) -> dict[Name, Sequence[Name]]:
    """Find for each of some names the held ones that are withdrawn with it, itself first."""
    by_act: dict[Name, list[Name]] = {}
    for name in held if below else ():
        by_act.setdefault(name.act_name, []).append(name)
    reached: dict[Name, Sequence[Name]] = {}
    for name in names:
        near = by_act.get(name.act_name, ())
        under = sorted((each for each in near if name in each.ancestors()), key=str)
        reached[name] = (name, *under) if name in held else ()
    return reached


def _make_withdrawal(name: Name, before: Record | None, stone: Record | None) -> Withdrawal:
    if before is None or stone is None:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.UNKNOWN)
    after, was = stone.withdrawn_on, before.withdrawn_on
    if before.status is not Status.WITHDRAWN:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.WITHDRAWN, on=after)
    if after != was:
        return Withdrawal(name=name, outcome=WithdrawalOutcome.MOVED, on=after, before=was)
    return Withdrawal(name=name, outcome=WithdrawalOutcome.BEFORE, on=after)
