"""The run that turns a manifest into a site: check all, then write all, or nothing but why not."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

from lexurn.export._check import Checked, checked
from lexurn.export._render import Setting
from lexurn.export._report import is_violation
from lexurn.export._site import opened_site, refuse_emptying, refuse_foreign
from lexurn.export._spool import opened_spool
from lexurn.export._top import write_reports, write_site
from lexurn.name import http_of, parse
from lexurn.workers import Workers

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from os import PathLike

    from lexurn.export._check import Check, Progress
    from lexurn.export._report import CheckResult
    from lexurn.model import Family

__all__ = ["Manifest", "PublishReport", "publish"]

_MOST_WORKERS = 16
_ANY_NAME = "urn:lex:it:stato:legge:2000-01-01;1"


class Manifest(Protocol):
    """What a site is published from: families, sorted by key, each in full."""

    def families(self) -> Iterator[Family]:
        """The families."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishReport:
    """What a run did.

    Attributes:
        published: whether the site was written; False where violations stood in the way.
        families: how many alias sets the manifest has.
        nodes: how many names they have, each a folder of the site.
        written: how many files were new or had changed.
        counts: how many results of each severity the check found.
        results: the first 50,000 of them, in the order of the families.
        as_of: the day for what is in force.
    """

    published: bool
    families: int
    nodes: int
    written: int
    counts: Mapping[str, int]
    results: tuple[CheckResult, ...]
    as_of: dt.date

    @property
    def violations(self) -> tuple[CheckResult, ...]:
        """The results that forbid publication."""
        return tuple(filter(is_violation, self.results))


def publish(  # noqa: PLR0913 - one verb of the command line with all its options
    manifest: Manifest | Iterable[Family],
    out: str | PathLike[str],
    *,
    base: str,
    as_of: dt.date,
    check: Check,
    report: Callable[[Sequence[CheckResult]], bytes] | None = None,
    force: bool = False,
    workers: int | None = None,
    on_progress: Progress | None = None,
) -> PublishReport:
    """Write a static site of linked data: a folder for the HTTP URI of each name.

    Everything is checked before anything is written. Where a violation is found and ``force`` is
    not given, only ``report.ttl`` and ``report.html`` are written. Each folder appears whole or
    not at all; what has not changed is not touched; a run that was interrupted is simply run
    again. Names are never forgotten: folders of names that are no longer in the manifest stay.

    Args:
        manifest: families, sorted by key.
        out: the folder of the site: new, empty, or written by an earlier run.
        base: the base of HTTP URIs, for example ``https://law.example``.
        as_of: the day for what is in force.
        check: finds what is wrong with some families; it runs in other processes where it can be
            pickled.
        report: writes results as Turtle, for ``report.ttl``; without it there is none.
        force: publish in spite of violations, and a catalogue of no name at all over one of some.
        workers: how many processes work; by default one for each processor.
        on_progress: told of each step: ``check`` or ``write``, names done, all names or None.

    Raises:
        PublishError: the folder is not ours or cannot be written, two names fall on one path, or
            there is no name to publish where earlier runs have published some.
        ValueError: the base is none.
    """
    http_of(parse(_ANY_NAME), base)
    folder = Path(out)
    refuse_foreign(folder)
    with opened_spool() as spool, Workers(_count(workers)) as started:
        found = checked(spool, started.map, _families_of(manifest), check, on_progress)
        if not found.nodes and not force:
            refuse_emptying(folder)
        with opened_site(folder) as staging:
            setting = Setting(
                out=folder, staging=staging, table=spool.table, base=base, as_of=as_of
            )
            published = force or not found.counts.get("Violation")
            written = 0
            if published:
                written = write_site(spool, started.map, setting, found.nodes, on_progress)
            written += write_reports(found, setting, report)
    return _outcome(found, written, published=published, as_of=as_of)


def _outcome(found: Checked, written: int, *, published: bool, as_of: dt.date) -> PublishReport:
    return PublishReport(
        published=published,
        families=found.families,
        nodes=found.nodes,
        written=written,
        counts=found.counts,
        results=found.results,
        as_of=as_of,
    )


def _count(workers: int | None) -> int:
    return min(os.cpu_count() or 1, _MOST_WORKERS) if workers is None else max(workers, 1)


def _families_of(manifest: Manifest | Iterable[Family]) -> Iterable[Family]:
    families: Callable[[], Iterator[Family]] | None = getattr(manifest, "families", None)
    return cast("Iterable[Family]", manifest) if families is None else families()
