"""Check of a run: alias sets that are new or have changed, and names that have left the input."""

from __future__ import annotations

import pickle
from collections import Counter
from typing import TYPE_CHECKING

from lexurn.manifest import FamilyResult, Manifest, PackedGroup
from lexurn.publishing.left_names import merge_left_names
from lexurn.publishing.sources import check_sets, find_focus, list_sets
from lexurn.shacl import Severity
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from lexurn.name import Name
    from lexurn.publishing.left_names import ConfirmFunction, LeftNames
    from lexurn.publishing.sources import CheckFunction, ProgressCallback, SourceSet
    from lexurn.publishing.state import CheckedSet, SiteState
    from lexurn.shacl import Result

_MAX_RESULTS = 50_000
_PORTION_NAMES = 1_000
_FEW_NAMES = 5
_MOST_LEAVING = 0.1
"""Share of the names of a site that may leave its input at once; a broken export loses more."""


class SourceCheck:
    """Check of a source, which notes its alias sets in the state of the site.

    Attributes:
        counts: the number of results of each severity.
        results: the first 50,000 of them; after these, violations alone, up to 100,000 in all.
    """

    def __init__(
        self,
        state: SiteState,
        pool: Workers,
        check: CheckFunction,
        day: dt.date,
        tell: ProgressCallback,
    ) -> None:
        """Store the parts; ``check`` runs in other processes where it can be pickled."""
        self.counts: Counter[str] = Counter()
        self.results: list[Result] = []
        self._state, self._check, self._day, self._tell = state, check, day, tell
        try:
            is_importable = b"__main__" not in pickle.dumps(check)
        except (pickle.PicklingError, AttributeError, TypeError):
            is_importable = False
        # Other processes cannot import a function within a function, nor one of the script itself.
        self._pool = pool if is_importable else Workers(1)
        self._done = 0

    def check_source(self, source: object, *, is_known: bool, checks_all: bool) -> None:
        """Check the alias sets of a source that are new, have changed, or had remarks before.

        Args:
            source: the source.
            is_known: whether the alias sets of the site are written with the settings of the run.
            checks_all: whether those that have not changed are checked, too.

        Raises:
            PublishError: two names have one path.
        """
        portions = self._list_portions(source, skips_known=is_known and not checks_all)
        tasks = ((portion, self._check, self._day) for portion in portions)
        for (sets, *_), (checked, results) in self._pool.map_with_tasks(check_sets, tasks):
            if isinstance(source, Manifest):
                _report_findings(source, sets, checked)
            self._add_sets(checked, results)
        if isinstance(source, Manifest):
            source.finish()

    def _list_portions(self, source: object, *, skips_known: bool) -> Iterator[list[SourceSet]]:
        """Yield what is to be checked in portions of about 1,000 names; note the rest as seen."""
        day = self._day.isoformat()
        portion: list[SourceSet] = []
        seen: list[str] = []
        size = 0
        for each in list_sets(source):
            if skips_known and self._state.is_current(each.key, each.digest, day):
                seen.append(each.key)
                if len(seen) == _PORTION_NAMES:
                    self._state.add_seen_sets(seen)
                    seen = []
                continue
            portion.append(each)
            size += each.size
            if size >= _PORTION_NAMES:
                yield portion
                portion, size = [], 0
        self._state.add_seen_sets(seen)
        if portion:
            yield portion

    def _add_sets(self, checked: Iterable[CheckedSet], results: Iterable[Result]) -> None:
        with self._state.open_transaction():
            for each in checked:
                if each.data:
                    self._state.add_set(each)
                    self._done += len(each.claims)
        for result in results:
            self.counts[str(result.severity)] += 1
            # Violations have room of their own, so that warnings do not crowd them out.
            room = _MAX_RESULTS * (2 if result.severity is Severity.VIOLATION else 1)
            if len(self.results) < room:
                self.results.append(result)
        self._tell("check", self._done, None)

    def check_left_names(
        self,
        *,
        rejects: Iterable[tuple[bytes, int]],
        replaced: Mapping[Name, Name],
        confirm: ConfirmFunction | None,
        force: bool,
    ) -> LeftNames:
        """Merge the names that have left the input into the alias sets of the run, and check these.

        Raises:
            PublishError: as `lexurn.publishing.left_names.merge_left_names`; with ``force`` any
                number of names may leave.
        """
        most = max(_FEW_NAMES, int(self._state.count_site_names() * _MOST_LEAVING))
        sets, names = merge_left_names(
            self._state,
            self._day.isoformat(),
            rejects=rejects,
            replaced=replaced,
            confirm=confirm,
            most=None if force else most,
        )
        for at in range(0, len(sets), _PORTION_NAMES):
            portion = sets[at : at + _PORTION_NAMES]
            checked, results = check_sets(portion, self._check, self._day)
            self._add_sets(checked, self._replace_results(checked, results))
        self._state.mark_equal_sets()
        return names

    def _replace_results(
        self, checked: Iterable[CheckedSet], results: Sequence[Result]
    ) -> list[Result]:
        """Drop the results on alias sets that no longer hold; return those that are new."""
        names = {claim.name for each in checked for claim in each.claims}
        found = {_make_result_key(each) for each in results}
        kept: list[Result] = []
        for each in self.results:
            if find_focus(each) in names and _make_result_key(each) not in found:
                self.counts[str(each.severity)] -= 1
            else:
                kept.append(each)
        self.results = kept
        known = set(map(_make_result_key, kept))
        return [each for each in results if _make_result_key(each) not in known]


def _make_result_key(result: Result) -> tuple[object, ...]:
    """Return all of a result but its source, which alias sets of the site do not have."""
    return result.focus, result.path, result.severity, result.message


def _report_findings(manifest: Manifest, sets: list[SourceSet], checked: list[CheckedSet]) -> None:
    """Report the findings on rows, and reject the rows of alias sets that have no data."""
    for source, each in zip(sets, checked, strict=True):
        if each.data:
            for finding in each.findings:
                manifest.report(finding)
        elif isinstance(source.content, PackedGroup):
            manifest.accept(source.content, FamilyResult(None, tuple(each.findings)))
