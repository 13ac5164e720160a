"""The second pass of a run: all folders, and the files at the top of the site."""

from __future__ import annotations

import gzip
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from lexurn import data
from lexurn.export._disk import naming, put_file, put_finished, staged
from lexurn.export._render import write_chunk
from lexurn.export._report import report_page

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from lexurn.export._check import Checked, Progress, Spread
    from lexurn.export._render import Setting, Written
    from lexurn.export._report import CheckResult
    from lexurn.export._spool import Spool

__all__ = ["write_reports", "write_site"]

_CATALOGUE = "catalogue.nq.gz"


def write_site(
    spool: Spool, spread: Spread, setting: Setting, total: int, tell: Progress | None
) -> int:
    """Write the folders of all names, the catalogue and the context.

    Returns:
        How many files had to be written.

    Raises:
        PublishError: the disk refuses.
    """
    parts: Iterator[Written] = spread(write_chunk, ((c, setting) for c in spool.chunks()))
    made, catalogue = staged(setting.staging), setting.out / _CATALOGUE
    written = done = 0
    with _packing(made, catalogue) as packed:
        for part in parts:
            with naming(catalogue):
                packed.write(part.quads)
            written, done = written + part.written, done + part.nodes
            if tell is not None:
                tell("write", done, total)
    context = data.text("ontology/context.jsonld").encode()
    return (
        written
        + put_finished(catalogue, made)
        + put_file(setting.out / "context.jsonld", context, setting.staging)
    )


@contextmanager
def _packing(made: Path, goal: Path) -> Iterator[gzip.GzipFile]:
    """A packed file, complete at the end; a disk that fills up is told once, with the goal.

    Raises:
        PublishError: the disk refuses.
    """
    with naming(goal):
        raw = made.open("wb")
    packed = gzip.GzipFile("", "wb", fileobj=raw, mtime=0)
    try:
        yield packed
    except BaseException:
        for file in (packed, raw):
            with suppress(OSError):
                file.close()
        raise
    with naming(goal), raw:
        packed.close()


def write_reports(
    found: Checked,
    setting: Setting,
    report: Callable[[Sequence[CheckResult]], bytes] | None,
) -> int:
    """Write what the check found, for people and, where ``report`` is given, as Turtle.

    Returns:
        How many files had to be written.

    Raises:
        PublishError: the disk refuses.
    """
    page = report_page(found.results, counts=found.counts, nodes=found.nodes).encode()
    written = int(put_file(setting.out / "report.html", page, setting.staging))
    if report is not None:
        turtle = report(found.results)
        written += put_file(setting.out / "report.ttl", turtle, setting.staging)
    return written
