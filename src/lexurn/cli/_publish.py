"""``lexurn publish``: a manifest becomes a site."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from lexurn.cli._manifests import (
    AS_OF,
    DIALECT,
    MAP,
    REJECTS,
    Tables,
    Teller,
    all_beside,
    opened,
    progress,
)
from lexurn.cli._registries import REGISTRY
from lexurn.cli._screen import echo_error, visible, write
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Sequence

    from lexurn.export import CheckResult, PublishReport
    from lexurn.shacl import Result

__all__ = ["command"]

_SHOWN = 50


@click.command("publish")
@click.argument("manifests", nargs=-1, required=True, metavar="MANIFEST...")
@click.option("--out", required=True, type=click.Path(file_okay=False), help="The site's folder.")
@click.option(
    "--base", required=True, help="What HTTP URIs begin with, for example https://law.example"
)
@MAP
@REGISTRY
@DIALECT
@REJECTS
@AS_OF
@click.option("--force", is_flag=True, help="Publish in spite of violations, or no name at all.")
@click.option(
    "--jobs", type=click.IntRange(1), help="How many processes.  [default: one a processor]"
)
@click.pass_context
def command(
    ctx: click.Context,
    manifests: tuple[str, ...],
    out: str,
    base: str,
    mapping: str | None,
    registries: tuple[str, ...],
    dialect: str | None,
    rejects: str | None,
    as_of: dt.date,
    jobs: int | None,
    *,
    force: bool,
) -> None:
    """Write a site of linked data from each MANIFEST (CSV, JSON Lines or Parquet; - is one too).

    Everything is checked first; violations stop the run before a page is written. Rows that are no
    good go to the rejects file (acts.rejects.csv beside acts.csv), unchanged, and the run ends with
    exit code 1. Run it again at any time: what has not changed is not touched.

    \b
    lexurn publish acts.csv --out site --base https://law.example
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import refuse_inside_catalogue
    from lexurn.export import publish
    from lexurn.shacl import check_families

    refuse_inside_catalogue(Path(out) / "index.html")

    teller = Teller()
    tables = Tables(
        files=manifests,
        mapping=mapping,
        registries=registries,
        dialect=dialect,
        rejects=rejects or all_beside(manifests),
    )
    try:
        with (
            progress() as told,
            opened(tables, teller, told) as rows,
        ):
            report = publish(
                rows,
                out,
                base=base,
                as_of=as_of,
                check=partial(check_families, as_of=as_of, base=base),
                report=_turtle_of,
                force=force,
                workers=jobs,
                on_progress=told,
            )
    except (LexurnError, ValueError) as fault:
        echo_error(str(fault))
        ctx.exit(1)
    _tell(report, out)
    ctx.exit(0 if report.published and not rows.rejected else 1)


def _turtle_of(results: Sequence[CheckResult]) -> bytes:
    from lexurn.shacl import CheckReport, graph_of_report

    named = (_with_file_alone(result) for result in cast("Sequence[Result]", results))
    return graph_of_report(CheckReport(results=tuple(named)))


def _with_file_alone(result: Result) -> Result:
    """The result without the folders of its file, which are nobody's business on the web."""
    if result.source is None:
        return result
    return replace(result, source=replace(result.source, file=Path(result.source.file).name))


def _tell(report: PublishReport, out: str) -> None:
    from lexurn.shacl import CheckReport, text_of

    if report.violations:
        heaviest = cast("tuple[Result, ...]", report.violations[:_SHOWN])
        click.echo(text_of(CheckReport(results=heaviest, checked=report.nodes)), err=True, nl=False)
    if not report.published:
        echo_error(f"nothing was published; {out}/report.html says why; mend it, or use --force")
        return
    names, works = _counted(report.nodes, "name"), _counted(report.families, "work")
    files = _counted(report.written, "file")
    remarks = _counted(sum(report.counts.values()), "remark")
    write(f"{names} of {works} in {visible(out)}: {files} written, {remarks} in report.html")


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
