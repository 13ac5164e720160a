"""The first pass of a run: keep, check and place all families before anything is written."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lexurn.export._report import CheckResult, is_violation
from lexurn.export._spool import claims_of, families_in

if TYPE_CHECKING:
    from lexurn.export._spool import Claim, Spool
    from lexurn.model import Family

    Check = Callable[[Sequence[Family]], Sequence[CheckResult]]

__all__ = ["Check", "Checked", "Progress", "Spread", "checked"]

_MOST_KEPT = 50_000

Progress = Callable[[str, int, int | None], None]
"""Told of a step, of how many names are done, and of how many there are, where that is known."""
Spread = Callable[..., Iterator[Any]]
"""Something that maps a function over tasks, perhaps in other processes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checked:
    """What the first pass learned: how many families and names there are, and what is wrong.

    Attributes:
        families: how many families.
        nodes: how many names they have.
        counts: how many results of each severity.
        results: the first of them, violations before others where there are too many.
    """

    families: int
    nodes: int
    counts: Mapping[str, int]
    results: tuple[CheckResult, ...]


def checked(
    spool: Spool,
    spread: Spread,
    families: Iterable[Family],
    check: Check,
    tell: Progress | None,
) -> Checked:
    """Keep all families in the spool, check them, and take a path for each name.

    Raises:
        PublishError: two names fall on one path, or the temporary folder cannot be written.
    """
    count, nodes, kept = 0, 0, _Kept()
    run = spread if _can_travel(check) else _here
    for several, claims, found in run(_check_chunk, ((c, check) for c in spool.keep(families))):
        spool.claim(claims)
        count, nodes = count + several, nodes + len(claims)
        kept.add(found)
        if tell is not None:
            tell("check", nodes, None)
    results = tuple(kept.results)
    return Checked(families=count, nodes=nodes, counts=kept.counts, results=results)


class _Kept:
    """Results in bounded memory: all are counted, the first are kept."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.results: list[CheckResult] = []

    def add(self, found: Iterable[CheckResult]) -> None:
        for result in found:
            self.counts[str(result.severity)] += 1
            room = _MOST_KEPT * (2 if is_violation(result) else 1)
            if len(self.results) < room:
                self.results.append(result)


def _check_chunk(chunk: bytes, check: Check) -> tuple[int, list[Claim], list[CheckResult]]:
    """How many families a chunk has, which paths its names take, what is wrong with it."""
    families = families_in(chunk)
    return len(families), claims_of(families), list(check(families))


def _here(function: Callable[..., Any], tasks: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
    return (function(*task) for task in tasks)


def _can_travel(check: Check) -> bool:
    """Whether another process can be given the check: it lies in a module that can be imported.

    A function within a function does not, nor does one of the script that was started.
    """
    try:
        return b"__main__" not in pickle.dumps(check)
    except (pickle.PicklingError, AttributeError, TypeError):
        return False
