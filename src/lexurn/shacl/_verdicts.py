"""Which families break a shape, each by itself: the same in whatever company they are checked."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from lexurn.shacl._families import check_families
from lexurn.shacl._results import Severity

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from lexurn.model import Family
    from lexurn.shacl._results import Result

__all__ = ["Verdicts", "verdicts_on"]


class Verdicts(NamedTuple):
    """What is wrong with some families.

    Attributes:
        results: all of it, sorted; violations only of families that break a shape by themselves.
        broken: the violations of each family that does, by its place among those given.
    """

    results: tuple[Result, ...]
    broken: Mapping[int, tuple[Result, ...]]


def verdicts_on(families: Sequence[Family], *, as_of: dt.date, base: str | None = None) -> Verdicts:
    """Check some families, and find out which of them break a shape.

    What two of them contradict each other in is held against neither: whether they meet in one
    check is chance (see `check_families`).

    Raises:
        CheckError: as `check_families`.
        GraphError: as `check_families`.
        ValueError: as `check_families`.
    """
    found = check_families(families, as_of=as_of, base=base)
    heavy = {result.focus for result in _violations(found)}
    if not heavy:
        return Verdicts(found, {})
    # A thousand at a time is quickest; which of them it is, those at fault tell for themselves.
    alone = {
        place: _violations(check_families((families[place],), as_of=as_of, base=base))
        for place in _suspects(families, heavy)
    }
    broken = {place: results for place, results in alone.items() if results}
    lighter = (result for result in found if result.severity is not Severity.VIOLATION)
    results = dict.fromkeys(chain(lighter, *broken.values()))
    return Verdicts(tuple(sorted(results, key=lambda result: result.order)), broken)


def _violations(results: Iterable[Result]) -> tuple[Result, ...]:
    return tuple(result for result in results if result.severity is Severity.VIOLATION)


def _suspects(families: Sequence[Family], heavy: Collection[str]) -> Sequence[int]:
    """The places of the families of some nodes; of all, where a node is in no record."""
    theirs = [_nodes(family).intersection(heavy) for family in families]
    if not frozenset(heavy) <= frozenset(chain.from_iterable(theirs)):
        return range(len(families))
    return [place for place, nodes in enumerate(theirs) if nodes]


def _nodes(family: Family) -> set[str]:
    """The nodes of the names, copies and digests of a family."""
    nodes = {f"<{record.name.iri}>" for record in family.records}
    for record in family.records:
        nodes.update(f"<{item.url}>" for item in record.items)
        nodes.update(f"<urn:sha256:{item.sha256}>" for item in record.items if item.sha256)
    return nodes
