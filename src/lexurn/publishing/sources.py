"""Sources of a site: tables, manifests, families and catalogues, as alias sets; and their check."""

from __future__ import annotations

import datetime as dt
import hashlib
import itertools
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, cast

from lexurn.manifest import (
    FamilyResult,
    Manifest,
    PackedGroup,
    build_family,
    has_rows,
    open_manifest,
    suggest_rejects_files,
)
from lexurn.model import Family, pack_family, unpack_family
from lexurn.publishing.state import CheckedSet, PathClaim, SourceSet, digest_path
from lexurn.shacl import Result
from lexurn.vocabulary import RECORD_END

if TYPE_CHECKING:
    from lexurn.findings import Finding

CheckFunction = Callable[[Sequence[Family]], Sequence[Result]]
"""Check of families; it runs in other processes where it can be pickled."""
ProgressCallback = Callable[[str, int, int | None], None]
"""Callback for progress: the step, the number of names done, and of all names where known."""

_FIRST_DAY, _LAST_DAY = "", "~"
"""Texts before and after all days in ISO 8601."""


class FamilySource(Protocol):
    """Source of families, each complete (a `lexurn.Manifest` is one)."""

    def families(self) -> Iterator[Family]:
        """Yield the families."""
        ...


class PackedSource(Protocol):
    """Source of families that are packed already, such as the holdings of a catalogue."""

    def packed_families(self) -> Iterator[tuple[str, str]]:
        """Yield the key of each family, and the family as `lexurn.model.pack_family` writes it."""
        ...


@contextmanager
def open_source(
    source: object, on_finding: Callable[[Finding], None] | None, tell: ProgressCallback
) -> Iterator[object]:
    """Open tables, also rows in memory, as a manifest; other sources stay as they are.

    Raises:
        ManifestError: a table cannot be read.
    """
    tables = [source] if isinstance(source, str | os.PathLike) else source
    has_paths = isinstance(tables, Sequence) and any(
        isinstance(each, str | os.PathLike) for each in tables
    )
    if not has_paths:
        first = None
        if isinstance(source, Iterator):
            first = next(source, None)
            source = itertools.chain(() if first is None else (first,), source)
        if isinstance(first, Mapping) or has_rows(source):
            with open_manifest(cast("Any", source), on_finding=on_finding) as manifest:
                yield manifest
        else:
            yield source
        return
    paths = [os.fspath(each) for each in cast("Sequence[str]", tables)]
    with open_manifest(
        [*paths],
        rejects=suggest_rejects_files(paths, replaces_untouched=True),
        on_finding=on_finding,
        on_progress=lambda rows: tell("reading", rows, None),
    ) as manifest:
        yield manifest


def list_sets(source: object) -> Iterator[SourceSet]:
    """Yield the alias sets of an open source."""
    if isinstance(source, Manifest):
        for group in source.groups():
            parts = [*(row.data for row in group.rows), *map(str.encode, group.shared)]
            yield SourceSet(group.act, _digest(*parts), group, len(group.rows))
    elif hasattr(source, "packed_families"):
        for key, data in cast("PackedSource", source).packed_families():
            yield SourceSet(key, _digest(data.encode()), data, data.count('["urn:lex:'))
    else:
        has_method = hasattr(source, "families")
        families = cast("FamilySource", source).families() if has_method else source
        for family in cast("Iterable[Family]", families):
            digest = _digest(pack_family(family).encode())
            yield SourceSet(str(family.key), digest, family, len(family.records))


def _digest(*parts: bytes) -> bytes:
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(len(part).to_bytes(8, "big") + part)
    return digest.digest()


def check_sets(
    sets: Sequence[SourceSet], check: CheckFunction, day: dt.date
) -> tuple[list[CheckedSet], list[Result]]:
    """Build and check some alias sets, in any process.

    Returns:
        The sets, each without data where its rows contradict each other, and the results.
    """
    built = [
        build_family(content)
        if isinstance(content, PackedGroup)
        else FamilyResult(unpack_family(content) if isinstance(content, str) else content)
        for _, _, content, *_ in sets
    ]
    # Nobody can act on results on names whose rows are gone.
    left = frozenset[str]().union(*(each.left for each in sets))
    families = [each.family for each in built if each.family is not None]
    results = [each for each in check(families) if find_focus(each) not in left]
    focuses = set(map(find_focus, results))
    checked = [_describe(*pair, focuses, day) for pair in zip(sets, built, strict=True)]
    known = {claim.name for each in checked for claim in each.claims}
    if not focuses <= known:  # a result on something else, such as a copy
        checked = [each._replace(has_remarks=True) for each in checked]
    return checked, results


def find_focus(result: Result) -> str:
    """Return the name that a result is on, or whose record it is on."""
    return result.focus.strip("<>").removesuffix(RECORD_END)


def _describe(
    source: SourceSet, built: FamilyResult, focuses: set[str], day: dt.date
) -> CheckedSet:
    family = built.family
    if family is None:
        return CheckedSet(source.key, source.digest, findings=built.findings)
    names = [(record.name, str(record.name)) for record in family.records]
    data = pack_family(family)
    since, until = find_period(family, day)
    return CheckedSet(
        key=source.key,
        digest=source.digest,
        data=data,
        content=_digest(data.encode(), since.encode(), until.encode()),
        since=since,
        until=until,
        claims=[PathClaim(digest_path(name), text, text in source.left) for name, text in names],
        amendments={
            (str(amending), str(record.name.work_name))
            for record in family.records
            for amending in record.amended_by
        },
        has_remarks=bool(built.findings) or any(text in focuses for _, text in names),
        findings=built.findings,
    )


def find_period(family: Family, day: dt.date) -> tuple[str, str]:
    """Find the period around a day in which all that depends on the day is the same.

    Returns:
        Its first day, and the first day after it, in ISO 8601; texts before and after all days
        where there is none.
    """
    days: set[dt.date | None] = set()
    for record in family.records:
        days |= {record.issued, record.published, record.in_force_from, record.in_force_until}
        days |= {record.force_on, record.withdrawn_on}
        for date in record.name.work.details.dates:
            days.add(date.day)
    for chain in family.chains:
        for version in chain.versions:
            days |= {version.start, version.until}
    change_days = {each for each in days if each is not None}
    change_days |= {each + dt.timedelta(days=1) for each in change_days if each < dt.date.max}
    since = max((each for each in change_days if each <= day), default=None)
    until = min((each for each in change_days if each > day), default=None)
    return (
        _FIRST_DAY if since is None else since.isoformat(),
        _LAST_DAY if until is None else until.isoformat(),
    )
