"""Families into a catalogue, some at a time; what is there already changes nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from lexurn.catalogue._merge import merge
from lexurn.model import ModelError, chunks_of

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Sequence

    from lexurn.catalogue._catalogue import Catalogue
    from lexurn.model import Family
    from lexurn.shacl import Result

    Check = Callable[[Sequence[Family]], Sequence[Result]]

__all__ = ["LoadReport", "Refusal", "load"]

_NAMES: Final = 5_000
"""About a hundred thousand quads: what a store takes in best at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A family that was not taken in, since it contradicts what is held or breaks a shape."""

    family: Family
    reason: str
    results: tuple[Result, ...] = ()


@dataclass(slots=True, kw_only=True)
class LoadReport:
    """What a load did, counted in alias sets, and `names` in names.

    Attributes:
        families: how many came in.
        names: how many names they have.
        added: how many were not known.
        replaced: how many of those held changed, or were joined or torn apart.
        unchanged: how many were held just so.
        refused: how many were not taken in.
    """

    families: int = 0
    names: int = 0
    added: int = 0
    replaced: int = 0
    unchanged: int = 0
    refused: int = 0


def load(
    catalogue: Catalogue,
    families: Iterable[Family],
    *,
    as_of: dt.date,
    check: Check | None = None,
    on_refused: Callable[[Refusal], None] | None = None,
    on_progress: Callable[[int], None] | None = None,
) -> LoadReport:
    """Take families into a catalogue that is open for writing.

    A record replaces the one of its name; records that do not come in stay. When the process ends
    at any moment, the same call again goes on where it stopped.

    Args:
        catalogue: the catalogue.
        families: families that share no name, in bounded memory.
        as_of: the day for which the version in force is asked.
        check: finds what is wrong with families before they are taken in; a family with a
            violation is refused.
        on_refused: is told of each family that is not taken in.
        on_progress: is told how many names were done.

    Raises:
        CatalogueError: the store cannot be written.
    """
    loader = _Loader(catalogue, as_of, check, on_refused)
    for chunk in chunks_of(families, _NAMES):
        loader.take(chunk)
        if on_progress is not None:
            on_progress(loader.report.names)
    return loader.report


class _Loader:
    def __init__(
        self,
        catalogue: Catalogue,
        as_of: dt.date,
        check: Check | None,
        on_refused: Callable[[Refusal], None] | None,
    ) -> None:
        self.report = LoadReport()
        self._catalogue, self._as_of = catalogue, as_of
        self._check, self._on_refused = check, on_refused

    def take(self, families: Sequence[Family]) -> None:
        self.report.families += len(families)
        self.report.names += sum(len(family.records) for family in families)
        if self._try(families) is not None:
            # Somewhere among them something is wrong: it shall hold back nobody else.
            for family in families:
                refusal = self._try((family,))
                if refusal is not None:
                    self._refuse(refusal)

    def _try(self, families: Sequence[Family]) -> Refusal | None:
        """Take all of some families in, or none."""
        try:
            merged = merge(families, self._catalogue.holdings)
        except ModelError as torn:
            return Refusal(family=families[0], reason=str(torn))
        results = () if self._check is None else self._check(merged.new)
        heavy = tuple(result for result in results if result.severity == "Violation")
        if heavy:
            return Refusal(family=families[0], reason=heavy[0].message, results=heavy)
        changed = self._catalogue.apply(merged, as_of=self._as_of)
        old = {str(family.key) for family in changed.old}
        added = sum(str(family.key) not in old for family in changed.new)
        self.report.added += added
        self.report.replaced += len(changed.new) - added
        self.report.unchanged += max(0, len(families) - len(changed.new))
        return None

    def _refuse(self, refusal: Refusal) -> None:
        self.report.refused += 1
        if self._on_refused is not None:
            self._on_refused(refusal)
