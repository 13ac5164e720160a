"""``lexurn embed``: names into published documents, and out of them again."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from lexurn.cli._embed_given import Given, targets_of
from lexurn.cli._embed_told import Told, told_of
from lexurn.cli._interruption import INTERRUPTED, interruptible
from lexurn.cli._manifests import (
    BASE,
    DIALECT,
    MANIFEST,
    MAP,
    Tables,
    Teller,
    opened,
    progress,
    read_family,
)
from lexurn.cli._names import READING
from lexurn.cli._registries import REGISTRY
from lexurn.cli._screen import echo_error, echo_findings
from lexurn.errors import LexurnError
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Callable, Generator

    from lexurn.embedding import Outcome
    from lexurn.name import Name, Reading

    Progress = Callable[[str, int, int | None], None]

__all__ = ["command"]


@click.command("embed")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option("--urn", metavar="NAME", help="The name of each FILE.")
@MANIFEST
@MAP
@REGISTRY
@DIALECT
@BASE
@READING
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False),
    help="A folder whose files a manifest has names for.",
)
@click.option(
    "--site",
    metavar="URL",
    help="Where that folder is on the web: a copy's url below it is the file that lies there.",
)
@click.option("--in-place", is_flag=True, help="Write each file in its place.")
@click.option(
    "-o",
    "--output",
    type=click.Path(),
    help="Write the result there: a file, or a folder that is there already.",
)
@click.option("--diff", is_flag=True, help="Show what would change, and write nothing.")
@click.option("--remove", is_flag=True, help="Take out again what lexurn put in.")
@click.option("--sidecar", is_flag=True, help="Write files beside those that cannot take a name.")
@click.option("--force", is_flag=True, help="Change signed documents too; that breaks signatures.")
@click.option("--keep-times", is_flag=True, help="Leave files the times that they have.")
@click.option(
    "--report", type=click.Path(dir_okay=False), help="Write a line of JSON a file; - is allowed."
)
@click.option(
    "--jobs", type=click.IntRange(1), help="How many processes.  [default: one a processor]"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    urn: str | None,
    reading: Reading,
    jobs: int | None,
    report: str | None,
    manifests: tuple[str, ...],
    mapping: str | None,
    registries: tuple[str, ...],
    dialect: str | None,
    **options: object,
) -> None:
    """Put a name into each FILE, or into the files of a folder the names that a manifest has.

    HTML, XHTML, Akoma Ntoso, LexML and NIR XML, PDF, DOCX, ODT and EPUB take names; nothing but the
    bytes of lexurn's own block changes. Without --in-place or -o nothing is written, and it is
    shown what would change.

    \b
    lexurn embed act.html --urn "urn:lex:it:stato:legge:2003-09-21;456@2005-01-01:it" --in-place
    lexurn embed --manifest acts.csv --folder site --site https://law.example --in-place
    lexurn embed --remove act.html --in-place
    """  # noqa: D301 - click reads this backspace
    tables = Tables(files=manifests, mapping=mapping, registries=registries, dialect=dialect)
    given = Given.of(options, urn=urn, tables=tables, report=report)
    name = _name(ctx, urn, reading, dialect)
    try:
        with (
            progress() as on_progress,
            interruptible() as is_ended,
            told_of(given, report) as told,
            closing(_outcomes(given, name, told, _Course(jobs, on_progress, is_ended))) as outcomes,
        ):
            told.all(outcomes)
            told.is_interrupted = told.is_interrupted or is_ended()
    except (LexurnError, ValueError) as fault:
        echo_error(str(fault))
        ctx.exit(1)
    _finish(ctx, told)


def _name(
    ctx: click.Context, urn: str | None, reading: Reading, dialect: str | None
) -> Name | None:
    if urn is None:
        return None
    name = _checked(urn, reading) if dialect is None else _converted(urn, dialect)
    if name is None:
        ctx.exit(1)
    return name


def _checked(urn: str, reading: Reading) -> Name | None:
    report = check(urn, reading=reading)
    echo_findings(urn, report.findings)
    return report.name


def _converted(urn: str, dialect: str) -> Name | None:
    """The name that a text in a dialect is; what is lost by that is said."""
    from lexurn.cli._convert import SaidChange
    from lexurn.dialect import Dialect, convert

    conversion = convert(urn, source="auto" if dialect == "auto" else Dialect(dialect))
    echo_findings(urn, [*map(SaidChange, conversion.losses), *conversion.findings])
    return conversion.name


def _finish(ctx: click.Context, told: Told) -> None:
    told.finish()
    ctx.exit(INTERRUPTED if told.is_interrupted else 0 if told.is_good else 1)


class _Course(NamedTuple):
    """How a run goes: by how many processes, who is told how far it is, and whether it is ended."""

    workers: int | None
    on_progress: Progress
    is_ended: Callable[[], bool]


def _outcomes(given: Given, name: Name | None, told: Told, course: _Course) -> Generator[Outcome]:
    if given.folder is None:
        return _of_files(given, name, course)
    if given.removes:
        from lexurn.embedding import remove_folder

        return remove_folder(given.folder, manner=given.manner(), **course._asdict())
    return _of_folder(given, told, course)


def _of_files(given: Given, name: Name | None, course: _Course) -> Generator[Outcome]:
    """Single files, all with the same name; or without."""
    from lexurn.embedding import Wish, treated

    family = None
    if name is not None and given.tables.files:
        family = read_family(name, given.tables)
        if family is None:
            raise LexurnError(f"{name} is not in the manifest; nothing was done")
    wish = Wish(name=name, records=family if family is not None else (), base=given.base)
    for file, target in targets_of(given):
        if course.is_ended():
            return
        yield treated(Path(file), wish, given.manner(target))


def _of_folder(given: Given, told: Told, course: _Course) -> Generator[Outcome]:
    """The files of a folder, each with the name that a manifest has for it."""
    from lexurn.embedding import embed_folder

    with opened(given.tables, Teller(), course.on_progress) as rows:
        yield from embed_folder(
            rows.families(),
            given.folder or ".",
            site=given.site,
            base=given.base,
            manner=given.manner(),
            only=given.files or None,
            **course._asdict(),
        )
        if rows.rejected:
            told.is_good = False  # what is wrong with them was said as they were read
