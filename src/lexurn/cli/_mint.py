"""``lexurn mint``: names from metadata."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from lexurn.cli._catalogues import catalogue_option, opened_catalogue
from lexurn.cli._manifests import MAP
from lexurn.cli._mint_given import BATCH, batches_of, give_all, minted_of, show_waiting
from lexurn.cli._mint_rows import MARK, TABLES, Row, rows_of
from lexurn.cli._names import lines_of
from lexurn.cli._parse import json_line
from lexurn.cli._registries import REGISTRY, registry_of
from lexurn.cli._screen import echo_findings, visible, write
from lexurn.errors import LexurnError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from lexurn.minting import Minted, Taken
    from lexurn.name import Name
    from lexurn.registry import Registry

__all__ = ["command"]

#: Fields that an option of their own gives; ``--format`` is the format of the answer.
_OPTIONS = {
    "jurisdiction": "the code, with units behind ; or without: it, or br;sao.paulo",
    "authority": "the issuers, with + between them and ; before a body",
    "measure": "the type of measure, in words or abbreviated",
    "measure_specifications": "what tells it from others of its type",
    "date": "the date or dates, in words or digits",
    "date_order": "how dates in digits are meant: dmy, mdy or ymd",
    "local_date": "the date in the local calendar",
    "calendar": "compute the local date: hebrew, hijri or japanese",
    "period": "what stands for a date, such as a legislature",
    "number": "the number or numbers",
    "number_suffix": "an ending that tells apart numbers that become one",
    "unnumbered": "N of lex-N, or true for the next free one",
    "annex": "the annex: heading; title",
    "version": "a date, the word for original, or a phase",
    "amendment_date": "the day of the last amending act",
    "event_date": "the day on which the version comes into force",
    "event": "the event that made the version",
    "version_language": "the language tag of the text",
    "editor": "the publisher's domain name",
    "media_type": "the media type: application/pdf; 1.7",
    "component": "the part of the document",
    "feature": "another trait of the document",
    "partition": "a part of the text: its id, or its words",
    "title": "the title",
    "language": "the language of the words",
    "mode": "ascii, or utf8 for percent-encoded letters",
    "citation": "a reference in one line, read where no field says it",
}


def _field_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for field, words in reversed(_OPTIONS.items()):
        short = ("-j",) if field == "jurisdiction" else ()
        option = click.option(f"--{field.replace('_', '-')}", field, *short, help=words)
        function = option(function)
    return function


@click.command("mint")
@click.argument("sources", nargs=-1, metavar="[TABLE...]")
@_field_options
@MAP
@REGISTRY
@click.option(
    "--taken",
    "taken_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Names already given, one a line, or a manifest: none is given again, lex-N goes on.",
)
@catalogue_option(
    "A catalogue: what it holds or has given out is taken, and what is minted is given out."
)
@click.option(
    "--resume",
    is_flag=True,
    help="Rows of a TABLE that the catalogue gave a name in an earlier run keep it.",
)
@click.option(
    "--given",
    "list_given",
    is_flag=True,
    help="List the names that the catalogue has given out and does not hold; mint nothing.",
)
@click.option("--explain", is_flag=True, help="Show every step to the name, and by which rule.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "jsonl"]),
    default="text",
    show_default=True,
    help="Names, one a line; or objects with name, steps and findings.",
)
@click.pass_context
def command(
    ctx: click.Context,
    /,
    sources: tuple[str, ...],
    mapping: str | None,
    registries: tuple[str, ...],
    taken_files: tuple[str, ...],
    place: str | None,
    form: str,
    *,
    resume: bool,
    list_given: bool,
    explain: bool,
    **options: str | None,
) -> None:
    """Mint names from metadata: from options, or from each row of a TABLE.

    A TABLE is CSV, Parquet or JSON Lines; - is JSON Lines on standard input. Options hold for every
    row that does not say otherwise. What cannot be decided is refused, with the reason.

    With a catalogue, a name that is minted is given out for good: nobody else is given it, even if
    this run dies (--given lists what became of no document, with its row).

    \b
    lexurn mint -j it --measure D.P.R. --date "28 dicembre 2000" --number 445
    lexurn mint -j it --citation "Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000"
    lexurn mint acts.csv --map columns.toml --format jsonl
    lexurn mint acts.csv --catalogue law --resume
    """  # noqa: D301 - click reads this backspace
    fields = {_FIELD_OF.get(name, name): value for name, value in options.items() if value}
    _check_usage(sources, fields, place, resume=resume, list_given=list_given)
    registry = registry_of(registries)
    taken = _taken(taken_files)
    show = _show_jsonl if form == "jsonl" else _text_shower(explain=explain)
    rows = rows_of(sources, mapping, fields) if sources else iter((Row("", fields),))
    if place is None:
        good = _mint_all(rows, registry, taken, show)
    else:
        from lexurn.catalogue import given_in

        with opened_catalogue(place) as catalogue, given_in(catalogue, also=taken) as given:
            if list_given:
                show_waiting(given, form)
                good = True
            else:
                batch = 1 if "-" in sources else BATCH
                mint = partial(minted_of, given, registry=registry, again=resume)
                good = give_all(given, batches_of(rows, batch), mint, show)
    ctx.exit(0 if good else 1)


def _check_usage(
    sources: Sequence[str],
    fields: Mapping[str, object],
    place: str | None,
    *,
    resume: bool,
    list_given: bool,
) -> None:
    """Refuse what makes no sense, alone or together."""
    if "" in sources:
        raise click.UsageError("a TABLE is empty: name a file, or - for standard input")
    if place is None and (resume or list_given):
        raise click.UsageError("--resume and --given need a --catalogue")
    if list_given and (sources or fields):
        raise click.UsageError("--given mints nothing: leave out the TABLE and the fields")
    if resume and (not sources or "-" in sources):
        raise click.UsageError("--resume needs a TABLE that can be read again")
    if not list_given and not sources and not fields:
        raise click.UsageError("give the fields of a document, or a TABLE; - is standard input")


_FIELD_OF = {"media_type": "format"}


def _mint_all(
    rows: Iterator[Row], registry: Registry, taken: Taken, show: Callable[[str, Minted], None]
) -> bool:
    from lexurn.minting import Minted, try_mint

    good = True
    for row in rows:
        minted = (
            Minted(name=None)
            if row.fields is None
            else try_mint(row.fields, registry=registry, taken=taken)
        )
        show(row.place, minted)
        good = good and minted.valid
    return good


def _taken(files: Sequence[str]) -> Taken:
    """The names in lists and manifests; without any, only numbers of this run are kept apart."""
    from lexurn.minting import Taken

    taken = Taken(unique=bool(files))
    for file in files:
        for name in _names_in(file):
            taken.add(name)
    return taken


def _names_in(file: str) -> Iterator[Name]:
    from lexurn.name import check

    if Path(file).suffix.lower() in {*TABLES, ".jsonl"}:
        from lexurn.manifest import open_manifest

        with open_manifest(file) as manifest:
            for family in manifest.families():
                yield from (record.name for record in family.records)
            if manifest.rejected:
                raise LexurnError(f"{file}: {manifest.rejected} rows cannot be read as names")
        return
    with Path(file).open("rb") as stream:
        for number, line in enumerate(lines_of(stream), 1):
            text = line.strip().removeprefix(MARK if number == 1 else "")
            name = check(text).name if text else None
            if name is not None:
                yield name
            elif text:
                raise LexurnError(f"{file}:{number}: no LEX name: {text[:200]}")


def _show_jsonl(_place: str, minted: Minted) -> None:
    from lexurn.minting import json_of

    write(json_line(json_of(minted)))


def _text_shower(*, explain: bool) -> Callable[[str, Minted], None]:
    def show(place: str, minted: Minted) -> None:
        if minted.name is not None:
            lines = [str(minted.name), *(_explained(minted) if explain else ())]
            write("\n".join(lines))
        for found in minted.findings:
            where = ", ".join(filter(None, (place, found.field)))
            echo_findings(found.text, [found], place=where)

    return show


def _explained(minted: Minted) -> Iterator[str]:
    for step in minted.steps:
        change = f'"{visible(step.before)}" -> "{visible(step.after)}"'
        source = f" <{step.source}>" if step.source else ""
        yield f"  {step.field:<14} {step.action.value:<10} {change}  {step.rule}{source}"
