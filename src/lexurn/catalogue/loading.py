"""Loading: families into a catalogue, some at a time; what is there already changes nothing.

Rows of a manifest are made ready in any process; what is made is given to the store in order, while
the next is made. A family that contradicts what is held, or breaks a shape, is refused, with the
row that is to be mended.
"""

from __future__ import annotations

import os
import threading
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, TypeVar

from lexurn.catalogue.catalogue import (
    MOST_STATED,
    MendingHoldings,
    TooLargeError,
    UnreadableFamilyError,
    read_in_lots,
)
from lexurn.catalogue.changes import merge_families
from lexurn.catalogue.keys import make_rows
from lexurn.graph import nquads_of
from lexurn.manifest import FamilyResult, build_family
from lexurn.model import ModelError, split_by_size, split_families
from lexurn.shacl import find_invalid_families
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from concurrent.futures import Future
    from typing import Final

    from lexurn.catalogue.catalogue import Catalogue, Holdings, MendedFamily, Merge
    from lexurn.catalogue.keys import FamilyRows
    from lexurn.findings import Finding
    from lexurn.manifest import Manifest, PackedGroup
    from lexurn.model import Family, Record, Source
    from lexurn.shacl import Result

    Groups = tuple[PackedGroup, ...]

T = TypeVar("T")
_AHEAD: Final = 10
"""What is built while a store takes in a portion of ten."""


def feed_store(made: Iterable[T], take: Callable[[T], None]) -> None:
    """Give each of some things to the store, in their order, while the next ones are made."""
    under_way: deque[Future[None]] = deque()
    stopped = threading.Event()

    def taken(each: T) -> None:
        # What a store could not take in whole is done again first, before anything else comes.
        if not stopped.is_set():
            stopped.set()
            take(each)
            stopped.clear()

    with ThreadPoolExecutor(1) as writer:
        try:
            for each in made:
                if len(under_way) == _AHEAD:
                    under_way.popleft().result()
                under_way.append(writer.submit(taken, each))
            while under_way:
                under_way.popleft().result()
        except BaseException:
            writer.shutdown(cancel_futures=True)
            raise


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A family that was not taken in, since it contradicts what is held or breaks a shape.

    Or what is held of it cannot be read, nor mended.

    Attributes:
        key: the first of its names that a row describes, else its canonical act.
        reason: a sentence.
        results: what breaks a shape.
        source: the file and line of the row at fault, or of the first of several; None where no
            row of a table is.
    """

    key: str
    reason: str
    results: tuple[Result, ...] = ()
    source: Source | None = None


def _format_reason(results: Sequence[Result]) -> str:
    more = f" (and {len(results) - 1} more)" if len(results) > 1 else ""
    return f"{results[0].focus}: {results[0].message} ({results[0].rule}){more}"


def make_conflict_refusal(family: Family, fault: Exception) -> Refusal:
    """The refusal of a family that contradicts what is held, or cannot be put beside it."""
    found = fault.finding if isinstance(fault, ModelError) else None
    row = _find_row(family, map(str, found.names) if found is not None else ())
    return Refusal(
        key=str(family.key if row is None else row.name),
        reason=str(fault),
        source=row.source if row else None,
    )


def make_shape_refusal(family: Family | None, key: str, results: tuple[Result, ...]) -> Refusal:
    """The refusal of a family that breaks a shape."""
    row = family and _find_row(family, (each.focus for each in results))
    return Refusal(
        key=str(row.name) if row else key,
        reason=_format_reason(results),
        results=results,
        source=row.source if row else None,
    )


def _find_row(family: Family, at_fault: Iterable[str]) -> Record | None:
    """The record whose row is to be mended: of a name at fault, else the first that has a row."""
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
class PreparedFamilies:
    """What some alias sets of a manifest are to a catalogue that holds none of them.

    Attributes:
        rows: of the index, one for each good alias set.
        nquads: of all good alias sets.
        places: of the good alias sets, among those given.
        torn: the places of those whose rows contradict each other.
        refused: the places of those that break a shape, each with what breaks it.
        findings: what is to be said of rows, besides.
        names: how many names the good alias sets have.
    """

    rows: tuple[FamilyRows, ...]
    nquads: bytes
    places: tuple[int, ...]
    torn: tuple[int, ...]
    refused: tuple[tuple[int, tuple[Result, ...]], ...]
    findings: tuple[Finding, ...]
    names: int


def prepare_families(
    groups: Sequence[PackedGroup], *, as_of: dt.date, base: str | None, check: bool
) -> PreparedFamilies:
    """Make some alias sets ready.

    Args:
        groups: of `lexurn.manifest.Manifest.groups`.
        as_of: the day for which the version in force is asked.
        base: what HTTP-URI equivalents begin with, or None.
        check: whether sets that break a shape are refused.
    """
    built = [build_family(group) for group in groups]
    families = {place: each.family for place, each in enumerate(built) if each.family is not None}
    refused = _find_refused(families, as_of, base) if check else {}
    names = 0
    rows: list[FamilyRows] = []
    nquads: list[bytes] = []
    for place, family in families.items():
        if place not in refused:
            text = nquads_of(family, as_of=as_of, base=base)
            rows.append(make_rows(family, text, as_of))
            nquads.append(text)
            names += len(family.records)
    return PreparedFamilies(
        rows=tuple(rows),
        nquads=b"".join(nquads),
        places=tuple(place for place in families if place not in refused),
        torn=tuple(place for place, each in enumerate(built) if each.family is None),
        refused=tuple(refused.items()),
        findings=tuple(finding for each in built for finding in each.findings),
        names=names,
    )


def _find_refused(
    families: Mapping[int, Family], as_of: dt.date, base: str | None
) -> dict[int, tuple[Result, ...]]:
    places = tuple(families)
    broken = find_invalid_families(tuple(families.values()), as_of=as_of, base=base).broken
    return {places[number]: results for number, results in broken.items()}


_NAMES_AT_ONCE: Final = 5_000
"""About a hundred thousand quads: what a process builds at a time."""


@dataclass(slots=True, kw_only=True)
class LoadReport:
    """What a load did, counted in alias sets, and `names` in names.

    Attributes:
        families: how many came in, those that were refused aside.
        names: how many names they have.
        added: how many were not known.
        replaced: how many of those held changed, or were joined or torn apart.
        unchanged: how many were held just so.
        refused: how many were not taken in.
        mended: how many of those held could not be read, and were made anew.
    """

    families: int = 0
    names: int = 0
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    refused: int = 0
    mended: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadOptions:
    """How a load is done.

    Attributes:
        as_of: the day for which the version in force is asked.
        check: whether a family that breaks a shape is refused.
        on_refused: is told of each family that is not taken in.
        on_mended: is told of each family that was held so that it could not be read, with what
            is lost of it: what could not be read, and what no row stated anew.
        on_progress: is told how many names were done.
        jobs: how many processes build families; None for one a processor.
    """

    as_of: dt.date
    check: bool = False
    on_refused: Callable[[Refusal], None] | None = None
    on_mended: Callable[[MendedFamily], None] | None = None
    on_progress: Callable[[int], None] | None = None
    jobs: int | None = None


def load(catalogue: Catalogue, families: Iterable[Family], options: LoadOptions) -> LoadReport:
    """Take families into a catalogue that is open for writing.

    A record replaces the one of its name; records that do not come in stay. When the process ends
    at any moment, the same call again goes on where it stopped.

    Args:
        catalogue: the catalogue.
        families: families that share no name, in bounded memory.
        options: how.

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
    """Take the rows of a manifest into a catalogue; as `load`, with several processes.

    Rows that are refused here go to the rejects of the manifest, like all that are no good.

    Raises:
        CatalogueError: the store cannot be written.
        CheckError: the check could not be made.
        ManifestError: the manifest cannot be read any further.
    """
    loader = Loader(catalogue, options)
    waiting: deque[Groups] = deque()

    def tasks() -> Iterator[tuple[Groups]]:
        for groups in split_by_size(
            manifest.groups(), lambda group: len(group.rows), _NAMES_AT_ONCE
        ):
            waiting.append(groups)
            yield (groups,)

    make = partial(prepare_families, as_of=options.as_of, base=catalogue.base, check=options.check)
    with Workers(options.jobs or os.cpu_count() or 1) as workers:
        manifest.read(workers.map)
        feed_store(
            workers.map(make, tasks()),
            lambda each: loader.take_prepared(manifest, waiting.popleft(), each),
        )
    loader.finish()
    manifest.finish()
    return loader.report


class Loader:
    """One load under way, and what it did so far."""

    def __init__(self, catalogue: Catalogue, options: LoadOptions) -> None:
        self.report = LoadReport()
        self._catalogue, self._options = catalogue, options
        self._is_new = catalogue.holdings.is_empty()
        self._added: list[tuple[Sequence[FamilyRows], bytes, int]] = []
        self._size = 0
        self._refused_copies: set[str] = set()

    def take_prepared(self, manifest: Manifest, groups: Groups, made: PreparedFamilies) -> None:
        """Take in what another process made of some rows; by families, where some are held."""
        for finding in made.findings:
            manifest.report(finding)
        for place in (*made.torn, *dict(made.refused)):
            manifest.accept(groups[place], FamilyResult(None))
            self._refused_copies.update(groups[place].shared)
        for place, results in made.refused:
            family = build_family(groups[place]).family
            self._refuse(make_shape_refusal(family, groups[place].act, results))
        if self.is_new(made.rows):
            self.add(made.rows, made.nquads, made.names)
            return
        same = self._catalogue.same(made.rows)
        places = [at for at, row in zip(made.places, made.rows, strict=True) if row.key not in same]
        built = [build_family(groups[place]).family for place in places]
        families = [family for family in built if family is not None]
        self.leave(len(same), made.names - sum(len(family.records) for family in families))
        for at in self.take(families):
            manifest.accept(groups[places[at]], FamilyResult(None))

    def is_new(self, rows: Sequence[FamilyRows]) -> bool:
        """Whether nothing is held of some families that come in with all that they share with."""
        return self._is_new or self._catalogue.is_new(rows)

    def add(self, rows: Sequence[FamilyRows], nquads: bytes, names: int) -> None:
        """Take in families that are new, and have so many names, when there are enough of them."""
        self._added.append((rows, nquads, names))
        self._size += len(nquads)
        if self._size >= self._catalogue.portion:
            self.flush()

    def flush(self) -> None:
        """Take in the new families that wait."""
        waiting, self._added, self._size = self._added, [], 0
        rows = [row for some, _, _ in waiting for row in some]
        nquads = b"".join(each for _, each, _ in waiting)
        names = sum(each for _, _, each in waiting)
        del waiting
        if rows:
            self._catalogue.add(rows, nquads, as_of=self._options.as_of)
            self.report.added += len(rows)
            self._count(len(rows), names)

    def finish(self) -> None:
        """Take in what waits; a copy that was shared only with what is refused is one's alone."""
        self.flush()
        holdings = self._catalogue.holdings
        held = holdings.holders(self._refused_copies, most=2) if self._refused_copies else {}
        alone = sorted({keys[0] for keys in held.values() if len(keys) == 1})
        for _, families in read_in_lots(holdings, alone, str) if alone else ():
            self._catalogue.apply(merge_families(families, holdings), as_of=self._options.as_of)

    def leave(self, families: int, names: int) -> None:
        """Note that so many families are held just as they come in."""
        self.report.unchanged += families
        self._count(families, names)

    def take(self, families: Sequence[Family]) -> Sequence[int]:
        """Take families in; the places of those that were refused."""
        self.flush()
        refused = [*self._take(families, 0)] if families else []
        sizes = [len(family.records) for family in families]
        names = sum(sizes) - sum(sizes[place] for place in refused)
        self._count(len(families) - len(refused), names)
        return refused

    def _take(self, families: Sequence[Family], first: int) -> Iterator[int]:
        """Take families in, by halves where not all can be at once; the places of those refused."""
        refusal, half = self._try(families), len(families) // 2
        if refusal is not None and half:
            yield from self._take(families[:half], first)
            yield from self._take(families[half:], first + half)
        elif refusal is not None:
            self._refuse(refusal)
            self._refused_copies.update(families[0].shared)
            yield first

    def _count(self, families: int, names: int) -> None:
        self.report.families += families
        self.report.names += names
        if self._options.on_progress is not None:
            self._options.on_progress(self.report.names)

    def _try(self, families: Sequence[Family]) -> Refusal | None:
        """Take all of some families in, or none."""
        family, as_of = families[0], self._options.as_of
        mended: list[MendedFamily] = []
        try:
            merged = merge_families(
                families, self._readable(mended), MOST_STATED if len(families) > 1 else None
            )
        except (ModelError, UnreadableFamilyError, TooLargeError) as torn:
            return make_conflict_refusal(family, torn)
        if self._options.check:
            broken = find_invalid_families(
                merged.new, as_of=as_of, base=self._catalogue.base
            ).broken
            results = tuple(chain.from_iterable(broken.values()))
            if results:
                return make_shape_refusal(family, str(family.key), results)
        try:
            changed = self._catalogue.apply(merged, as_of=as_of)
        except UnreadableFamilyError as torn:
            return make_conflict_refusal(family, torn)
        self._tell(mended, families)
        self._note(families, changed)
        return None

    def _note(self, families: Sequence[Family], changed: Merge) -> None:
        """Count what became of families; not those that only learn who else has their copies."""
        old = {str(family.key): family for family in changed.old}
        came = {record.name for family in families for record in family.records}
        moved = [
            family
            for family in changed.new
            if any(each.name in came for each in family.records)
            or old.get(str(family.key)) != family
        ]
        added = sum(str(family.key) not in old for family in moved)
        names = {record.name for family in moved for record in family.records}
        self.report.added += added
        self.report.replaced += len(moved) - added
        self.report.unchanged += sum(family.key not in names for family in families)

    def _readable(self, mended: list[MendedFamily]) -> Holdings:
        """What is held; of what cannot be read whole all that can be, which ``mended`` is told."""
        holdings = self._catalogue.holdings
        return (
            holdings.as_far_as_readable(mended.append)
            if isinstance(holdings, MendingHoldings)
            else holdings
        )

    def _tell(self, mended: Sequence[MendedFamily], families: Sequence[Family]) -> None:
        """Say what was made anew; what a row states anew is not lost."""
        named = {str(record.name) for family in families for record in family.records}
        for each in {each.key: each for each in mended}.values():
            self.report.mended += 1
            if self._options.on_mended is not None:
                lost = tuple((name, fault) for name, fault in each.lost if name not in named)
                self._options.on_mended(replace(each, lost=lost))

    def _refuse(self, refusal: Refusal) -> None:
        self.report.refused += 1
        if self._options.on_refused is not None:
            self._options.on_refused(refusal)
