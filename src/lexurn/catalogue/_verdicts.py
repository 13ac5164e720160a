"""Which families break a shape."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lexurn.shacl import Severity, check_families

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Mapping, Sequence

    from lexurn.model import Family
    from lexurn.shacl import Result

__all__ = ["broken_families"]


def broken_families(
    families: Sequence[Family], *, as_of: dt.date, base: str | None
) -> Mapping[int, tuple[Result, ...]]:
    """The violations of those families that have any, by their place among those given.

    Raises:
        CheckError: as `lexurn.shacl.check_families`.
    """
    found = _violations(families, as_of, base)
    if not found:
        return {}
    holders: dict[str, set[int]] = {}
    for place, family in enumerate(families):
        for node in _nodes(family):
            holders.setdefault(node, set()).add(place)
    if any(result.focus not in holders for result in found):
        # A node that no record has: whose it is shows when each family stands alone.
        alone = {place: _violations((each,), as_of, base) for place, each in enumerate(families)}
        return {place: results for place, results in alone.items() if results}
    broken: dict[int, list[Result]] = {}
    for result in found:
        for place in sorted(holders[result.focus]):
            broken.setdefault(place, []).append(result)
    return {place: tuple(results) for place, results in sorted(broken.items())}


def _violations(families: Sequence[Family], as_of: dt.date, base: str | None) -> tuple[Result, ...]:
    results = check_families(families, as_of=as_of, base=base)
    return tuple(result for result in results if result.severity is Severity.VIOLATION)


def _nodes(family: Family) -> set[str]:
    names = {f"<{record.name.iri}>" for record in family.records}
    return names | {f"<{item.url}>" for record in family.records for item in record.items}
