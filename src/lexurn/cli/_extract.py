"""``lexurn extract``: what documents say of themselves."""

from __future__ import annotations

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click

from lexurn.cli._extract_told import Told
from lexurn.cli._manifests import AS_OF
from lexurn.cli._parse import json_line
from lexurn.cli._screen import echo_error, write_bytes
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Generator, Iterator

    from lexurn.embedding import Extraction

__all__ = ["command"]


@click.command("extract")
@click.argument("files", nargs=-1, metavar="[FILE]...")
@click.option(
    "--folder",
    type=click.Path(exists=True, file_okay=False),
    help="A folder whose documents are read, with paths from there.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(["jsonl", "csv", "turtle", "jsonld", "nquads"]),
    default="jsonl",
    show_default=True,
    help="One JSON object a document, a manifest, or RDF.",
)
@click.option(
    "--ours/--all",
    "is_ours_only",
    default=False,
    help="Only what lexurn wrote, or all that documents say.  [default: all]",
)
@AS_OF
@click.option(
    "--jobs", type=click.IntRange(1), help="How many processes.  [default: one a processor]"
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    files: tuple[str, ...],
    folder: str | None,
    form: str,
    as_of: dt.date,
    **options: Any,
) -> None:
    """Read what each FILE says of itself: its name in any dialect, versions, titles, dates.

    HTML and XHTML (Dublin Core, links, RDFa, microdata, JSON-LD), Akoma Ntoso, LexML and NIR XML,
    PDF, DOCX, ODT and EPUB; what is wrong is said on standard error. A manifest and RDF hold the
    documents that have a name, one row a name.

    Exit code: 0 if all is well, be it with warnings; 1 if a file cannot be read or an error was
    said, as where what lexurn wrote and what the document says contradict each other; 2 for wrong
    usage; 130 if it is ended with Ctrl-C. What could be read is written all the same.

    \b
    lexurn extract act.html act.pdf
    lexurn extract --folder site --format csv > acts.csv
    """  # noqa: D301 - click reads this backspace
    if not files and folder is None:
        raise click.UsageError("no file: name some, or a folder with --folder")
    told = Told()
    try:
        with closing(_extractions(files, folder, **options)) as found:
            for piece in _written(told.each(found), form, as_of, told):
                write_bytes(piece)
    except (LexurnError, ValueError) as fault:
        echo_error(str(fault))
        ctx.exit(1)
    told.findings.finish()
    ctx.exit(0 if told.is_good else 1)


def _extractions(
    files: tuple[str, ...], folder: str | None, *, is_ours_only: bool, jobs: int | None
) -> Generator[Extraction]:
    from lexurn.embedding import extract_files, extract_folder

    yield from extract_files(files, is_ours_only=is_ours_only, workers=jobs)
    if folder is not None:
        yield from extract_folder(folder, is_ours_only=is_ours_only, workers=jobs)


def _written(found: Iterator[Extraction], form: str, as_of: dt.date, told: Told) -> Iterator[bytes]:
    """The output, some bytes at a time."""
    from lexurn.embedding import csv_of, extraction_json, merged_rows, rdf_of, rows_of

    if form == "jsonl":
        for each in found:
            yield f"{json_line(extraction_json(each))}\n".encode()
        return
    rows = merged_rows((row for each in found for row in rows_of(each)), told.findings.say)
    if form == "csv":
        yield from csv_of(rows)
    else:
        yield from rdf_of(rows, form, as_of=as_of, on_finding=told.row)
