"""``lexurn catalogue check``: all that a catalogue holds, and what no shape sees."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import IO, TYPE_CHECKING

import click

from lexurn.cli._catalogues import CATALOGUE, WAIT, opened_catalogue
from lexurn.cli._manifests import progress
from lexurn.cli._registries import REGISTRY, registry_of
from lexurn.cli._screen import Output, visible, write
from lexurn.errors import CatalogueError
from lexurn.files import writing

if TYPE_CHECKING:
    from collections.abc import Iterator

    from lexurn.catalogue import CatalogueReport

__all__ = ["command"]

_FORMS = ("text", "html", "json", "sarif", "turtle")


def _list_rules(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's
    if not value or ctx.resilient_parsing:
        return
    from lexurn.catalogue import check_rules

    for rule in check_rules().values():
        write(f"{rule.code:32} {rule.severity.value.lower():9} {rule.name} ({rule.basis})")
    ctx.exit()


@click.command("check")
@CATALOGUE
@click.option(
    "--list",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_list_rules,
    help="List the rules.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(_FORMS),
    default="text",
    show_default=True,
    help="The form of the report.",
)
@click.option("--out", metavar="FILE", help="Write the report there; - for standard output.")
@click.option(
    "--jobs", type=click.IntRange(1), metavar="N", help="Processes.  [default: one a core]"
)
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Check only N works against the shapes.",
)
@click.option("--only", multiple=True, metavar="RULE", help="Look at this rule only; repeatable.")
@click.option("--skip", multiple=True, metavar="RULE", help="Leave this rule out; repeatable.")
@REGISTRY
@WAIT
@click.pass_context
def command(
    ctx: click.Context,
    place: str,
    form: str,
    out: str | None,
    jobs: int | None,
    sample: int | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    registries: tuple[str, ...],
    wait: float,
) -> None:
    """Check a catalogue: every node against the SHACL shapes, and what no shape sees.

    That is two works for one name, one URL for several works, names that differ only in dialect,
    connectives, accents or leading zeros, years that stand for dates, alias sets that join
    distinct works, authorities outside their time, gaps in series of numbers.

    Exit code 1 where there is a violation, or nothing to check; warnings do not count.

    \b
    lexurn catalogue check --catalogue law
    lexurn catalogue check --catalogue law --format html --out check.html
    lexurn catalogue check --catalogue law --only LX961 --only License
    """  # noqa: D301 - click reads this backspace
    from lexurn.catalogue import CheckOptions, check_catalogue, refuse_inside_catalogue

    out = None if out == "-" else out
    if out is not None:
        _refuse_place(out)
        refuse_inside_catalogue(Path(out))
    options = CheckOptions(jobs=jobs, sample=sample, only=only, skip=skip)
    registry = registry_of(registries) if registries else None
    with progress() as told, opened_catalogue(place, wait=wait) as catalogue:
        report = check_catalogue(catalogue, options, registry=registry, reopen=place, told=told)
    with report:
        _write(report, form, out)
        if out is not None:
            write(f"{visible(out)}: {_summary(report)}")
        ctx.exit(0 if report.conforms and not report.is_void else 1)


def _refuse_place(out: str) -> None:
    """Refuse a place where no report can be written, before all that is looked at.

    Raises:
        CatalogueError: there can be no file.
    """
    if not out:
        raise click.UsageError("--out is empty: name the file for the report, or leave it out")
    if Path(out).is_dir():
        raise CatalogueError(f"{out} is a folder; name a file in it")
    if not Path(out).absolute().parent.is_dir():
        raise CatalogueError(f"{out} cannot be written: there is no folder {Path(out).parent}")


def _summary(report: CatalogueReport) -> str:
    from lexurn.catalogue import verdict_of

    return f"{report.checked:,} nodes checked: {verdict_of(report)}"


def _write(report: CatalogueReport, form: str, out: str | None) -> None:
    from lexurn.catalogue import CheckFormat, write_check

    with _target(out, is_text=form == "text") as target:
        write_check(report, target, CheckFormat(form))


@contextmanager
def _target(out: str | None, *, is_text: bool) -> Iterator[IO[bytes]]:
    """Where the report goes: a file that appears whole, a pipe, a device, or standard output.

    Raises:
        CatalogueError: the file cannot be written.
    """
    if out is None:
        yield Output(is_text=is_text)  # type: ignore[misc]  # it has what is called of an IO, no more
        return
    try:
        with writing(Path(out)) as target:
            yield target
    except OSError as fault:
        raise CatalogueError(f"{out} cannot be written: {fault.strerror}") from None
