"""Command mint: names from options, from tables and from JSON Lines."""

from __future__ import annotations

import codecs
import csv
import json
import sys
import tempfile
from collections import deque
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import click

from lexurn import minting
from lexurn.cli import shared, tables
from lexurn.cli.shared import escape_text
from lexurn.errors import LexurnError
from lexurn.findings import make_finding
from lexurn.manifest.formats import TABLE_FORMATS, FieldRow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue import Minter
    from lexurn.findings import Finding
    from lexurn.manifest import Manifest
    from lexurn.name import Name
    from lexurn.registry import Registry

    Report = Callable[[FieldRow, minting.Minted], None]

FIELD_HELP = {
    "jurisdiction": "The code, with its units: it, or br;sao.paulo.",
    "authority": "The issuers, separated by +, with ; before a body.",
    "measure": "The type of measure, in full or abbreviated.",
    "measure_specifications": "Further specifications of the measure.",
    "date": "The date or dates, in words or digits.",
    "date_order": "The order of dates in digits: dmy, mdy or ymd.",
    "local_date": "The date in the local calendar.",
    "calendar": "The calendar of a computed local date: hebrew, hijri or japanese.",
    "period": "A period in place of a date, such as a legislature.",
    "number": "The number or numbers.",
    "number_suffix": "A suffix for numbers that are otherwise equal.",
    "unnumbered": "The N of lex-N, or true for the next free N.",
    "annex": "The annex: heading; title.",
    "version": "A date, the word for original, or a phase.",
    "amendment_date": "The day of the last amending act.",
    "event_date": "The day on which the version comes into force.",
    "event": "The event that made the version.",
    "version_language": "The language tag of the text.",
    "editor": "The publisher's domain name.",
    "media_type": "The media type: application/pdf; 1.7.",
    "component": "The component of the document.",
    "feature": "Another feature of the document.",
    "partition": "A part of the text: its id, or its heading.",
    "title": "The title.",
    "language": "The language of the values.",
    "mode": "The alphabet of the name: ascii, or utf8 for percent-encoded letters.",
    "citation": "A citation in one line, for the fields that are not given.",
}
"""Fields that have an option of their own, with their lines of help."""

FIELD_NAMES = {"media_type": "format"}
"""Fields whose options have another name; ``--format`` is the format of the output."""

CHOICES: Final = {
    "calendar": [str(each) for each in minting.Calendar],
    "date_order": [str(each) for each in minting.DateOrder],
    "mode": [str(each) for each in minting.Mode],
}
"""Fields that take one of a few values; as options they are checked before anything is read."""

BATCH_SIZE: Final = 100
"""Number of names given out at once, while other processes wait."""

_MOST_KEPT: Final = 10
"""Number of rows that changed and keep their names up to which each is listed."""

BYTE_ORDER_MARK: Final = "\ufeff"


def _add_field_options(function: Callable[..., Any]) -> Callable[..., Any]:
    for field, about in reversed(FIELD_HELP.items()):
        short = ("-j",) if field == "jurisdiction" else ()
        values = click.Choice(CHOICES[field]) if field in CHOICES else None
        name = f"--{field.replace('_', '-')}"
        option = click.option(name, field, *short, type=values, metavar="TEXT", help=about)
        function = option(function)
    return function


@click.command("mint")
@click.argument("manifests", nargs=-1, metavar="[TABLE...]")
@_add_field_options
@tables.manifest_options(shared.MAP, shared.REGISTRY, shared.REJECTS)
@click.option(
    "--taken",
    "taken_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Names in use, one per line, or a manifest. They are not minted again; lex-N continues.",
)
@shared.catalogue_option(
    "The folder of a catalogue: its names are not minted again, and it records the new ones. With "
    "a TABLE, a new or empty folder becomes one."
)
@click.option(
    "--resume",
    is_flag=True,
    help="Keep the names that rows of a TABLE got from the catalogue in an earlier run.",
)
@click.option(
    "--changed",
    type=click.Choice(["keep", "new"]),
    help="With --resume, where rows have changed and others are new: keep takes as many new rows "
    "as have gone for the same acts in the same order, new takes all for other acts.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the rows to a manifest in CSV; rejected ones have no name there. Only --resume "
    "replaces an existing file.",
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Do everything except writing: the catalogue gives out no name, and no file is written.",
)
@click.option(
    "--given",
    "list_given",
    is_flag=True,
    help="List the names that the catalogue has given out but does not contain; mint nothing.",
)
@click.option(
    "--explain", is_flag=True, help="Show each step that leads to the name, with its rule."
)
@shared.format_option(
    "text", "jsonl", help="Names, one per line, or objects with name, steps and findings."
)
def mint_command(
    manifests: tables.ManifestSources,
    taken_files: tuple[str, ...],
    location: str | None,
    form: str,
    out: str | None,
    *,
    resume: bool,
    changed: Literal["keep", "new"] | None,
    dry_run: bool,
    list_given: bool,
    explain: bool,
    **options: str | None,
) -> bool:
    """Mint names from metadata, given as options or as rows of a TABLE.

    A TABLE is a manifest in any format. `mint` reads and checks it as `publish` does: a row that
    states its name keeps it, and a rejected row gets none. Options apply to each row that has no
    value of its own. Without --map and --out, - is JSON Lines on standard input, which are minted
    line by line.

    A catalogue gives out each name only once, even if this run is interrupted. --given lists the
    names that it has given out but that are not loaded yet, with their rows. Exit code 3 if rows
    have no name and others have one, 1 if no row has one.

    \b
    lexurn mint -j it --measure D.P.R. --date "28 dicembre 2000" --number 445
    lexurn mint -j it --citation "Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000"
    lexurn mint acts.csv --map columns.toml --format jsonl
    lexurn mint acts.csv --catalogue law --resume
    lexurn mint laws.csv --map columns.toml --catalogue law --out acts.csv
    """
    fields = {FIELD_NAMES.get(name, name): value for name, value in options.items() if value}
    sources = manifests.files
    is_stream = "-" in sources and manifests.mapping is None and out is None
    _check_usage(
        sources, fields, location, out, resume=resume, changed=changed, list_given=list_given
    )
    if is_stream and len(sources) > 1:
        raise click.UsageError("- is JSON Lines without --map. Give it alone.")
    if out is not None:
        _check_out(out, (*sources, manifests.mapping or ""), location if resume else None)
    registry = shared.require_registry(manifests.registries)
    # Without files, only numbers of this run are taken.
    taken = minting.Taken(unique=bool(taken_files))
    for name in chain.from_iterable(map(_read_names_in_file, taken_files)):
        taken.add(name)
    if dry_run:
        manifests, out = replace(manifests, rejects=None), None
    with ExitStack() as stack:
        read_rows, report = stack.enter_context(
            _open_rows(manifests, fields, form, None if resume else taken, is_stream=is_stream)
        )
        keep = None if out is None else stack.enter_context(_open_manifest_file(out))
        write = partial(_write_results, form=form, report=report, explain=explain, keep=keep)
        mint = partial(minting.try_mint, registry=registry)
        if location is None:
            draw = _make_drawer(lambda row: mint(row.fields or {}, taken=taken), mint, taken)
            named, total = write((row, draw(row)) for row in read_rows())
        else:
            minter = stack.enter_context(
                _open_minter(location, taken, is_new_allowed=bool(sources), dry_run=dry_run)
            )
            if list_given:
                return _list_given(minter, form)
            if resume:
                _follow_rows(minter, _take_stated(read_rows(), taken), registry, changed)
            give = partial(minter.mint, registry=registry, again=resume)
            draw = _make_drawer(
                lambda row: give(
                    row.fields or {}, location=row.location, list_cells=row.list_cells
                ),
                mint,
                taken,
            )
            size = 1 if is_stream else BATCH_SIZE
            named, total = write(_mint_batches(minter, read_rows(), size, draw))
    if is_stream and named < total:
        shared.echo_line(f"{total - named:,} of {total:,} rows have no name")
    if 0 < named < total:
        click.get_current_context().exit(shared.DONE_WITH_REJECTS)
    return named == total


@contextmanager
def _open_minter(
    location: str, taken: minting.Taken, *, is_new_allowed: bool, dry_run: bool
) -> Iterator[Minter]:
    """Open the minter of a catalogue, and make the catalogue where that is allowed."""
    from lexurn.catalogue import is_catalogue, open_minter

    if is_new_allowed and not (dry_run or is_catalogue(Path(location))):
        with shared.use_catalogue(location, write=True):
            shared.echo_line(f"{location} is a new catalogue")
    with (
        shared.use_catalogue(location, dry_run=dry_run and is_new_allowed) as catalogue,
        open_minter(catalogue, also=taken, dry_run=dry_run) as minter,
    ):
        yield minter


def _follow_rows(
    minter: Minter,
    rows: Iterator[FieldRow],
    registry: Registry,
    changed: Literal["keep", "new"] | None,
) -> None:
    """Find the rows of earlier runs, and note those that are recognised though they changed."""
    kept = minter.follow_rows(rows, registry=registry, changed=changed)
    for location, name in kept[:_MOST_KEPT]:
        shared.echo_note(f"{location} has changed and keeps {name}")
    if (more := len(kept) - _MOST_KEPT) > 0:
        shared.echo_note(f"{more:,} more rows have changed and keep their names")


def _echo_findings(form: str, _: FieldRow, minted: minting.Minted) -> None:
    """Print the findings on fields that were given as options; JSON has them itself."""
    for finding in minted.findings if form == "text" else ():
        shared.echo_findings(finding.text, [finding], location=finding.component)


def _report_row(report: Callable[[Finding], None], row: FieldRow, minted: minting.Minted) -> None:
    """Report the findings on an object of JSON Lines."""
    for finding in minted.findings:
        report(replace(finding, file=row.file, line=row.line))


def _reject_row(manifest: Manifest, row: FieldRow, minted: minting.Minted) -> None:
    """Reject a row whose name is taken; all else was reported when the table was read."""
    if row.fields is None:
        return
    new = [each for each in minted.findings if minted.name is None or each.code == "LX776"]
    for finding in (placed := [row.place(each) for each in new]):
        manifest.report(finding)
    if minted.name is None:
        manifest.reject([row.number], placed)


def _list_given(minter: Minter, form: str) -> bool:
    """List the names that the catalogue has given out and does not contain."""
    for each in minter.waiting():
        day = each.given_on.isoformat()
        values = {"name": each.name, "given_on": day, "place": each.location}
        if form == "jsonl":
            shared.write_json(values)
        else:
            shared.write_line("\t".join(map(escape_text, values.values())).rstrip("\t"))
    return True


def _check_usage(
    sources: Sequence[str],
    fields: Mapping[str, object],
    location: str | None,
    out: str | None,
    *,
    resume: bool,
    changed: str | None,
    list_given: bool,
) -> None:
    """Refuse arguments that contradict each other or are empty."""
    if "" in sources:
        raise click.UsageError("A TABLE is empty. Name a file, or - for standard input.")
    if changed is not None and not resume:
        raise click.UsageError("--changed needs --resume.")
    if location is None and (resume or list_given):
        raise click.UsageError("--resume and --given need --catalogue.")
    if out is not None and not sources:
        raise click.UsageError("--out needs a TABLE.")
    if list_given and (sources or fields):
        raise click.UsageError("--given does not mint. Leave out the TABLE and the fields.")
    if location is not None and len({Path(each).name for each in sources}) < len(sources):
        raise click.UsageError(
            "Two TABLES have one file name, by which a catalogue knows the rows. Rename one."
        )
    if resume and (not sources or "-" in sources):
        raise click.UsageError("--resume needs a TABLE that is a file.")
    if not list_given and not sources and not fields:
        raise click.UsageError("Give the fields of a document, or a TABLE; - is standard input.")


def _check_out(out: str, inputs: Sequence[str], resumed: str | None) -> None:
    """Refuse a file that may be somebody's own table, or whose names a catalogue has lost."""
    if Path(out).resolve() in {Path(each).resolve() for each in inputs}:
        raise click.UsageError("--out is a file that is read. Name another one.")
    if not Path(out).exists():
        return
    if resumed is None:
        raise click.UsageError(
            f"{escape_text(out)} exists, and is replaced only with --resume. Name another file."
        )
    from lexurn.catalogue import is_catalogue

    if not is_catalogue(Path(resumed)):
        raise click.UsageError(
            f"{escape_text(out)} exists, but {escape_text(resumed)} is no catalogue that knows its "
            "names: other acts would get them. Correct --catalogue, or restore its folder from a "
            "copy. If there is none, name another --out, and add this one as --taken."
        )


@contextmanager
def _open_manifest_file(path: str) -> Iterator[Callable[[FieldRow, Name | None], object]]:
    """Open a manifest in CSV for rows; it appears when all are there, with all their columns.

    Equal rows of one act stand there once. A rejected row has no name there, so that other
    commands reject it again; without any name, there is no file.
    """
    headers: dict[str, None] = {}
    repeated: set[int] = set()
    has_name = False
    with tempfile.TemporaryFile("w+", encoding="utf-8") as rows:

        def keep(row: FieldRow, name: Name | None) -> None:
            nonlocal has_name
            cells = {"urn": "" if name is None else str(name), **row.list_cells()}
            line = json.dumps(cells)
            has_name = has_name or name is not None
            if row.first is not None and name is not None:
                if hash(line) in repeated:
                    return
                repeated.add(hash(line))
            headers.update(dict.fromkeys(cells))
            rows.write(f"{line}\n")

        yield keep
        if not has_name:
            return
        rows.seek(0)
        with shared.open_output(path) as stream:
            text = codecs.getwriter("utf-8")(stream, "replace")
            writer = csv.DictWriter(text, headers, lineterminator="\n")
            writer.writeheader()
            writer.writerows(map(json.loads, rows))


def _make_drawer(
    give: Callable[[FieldRow], minting.Minted],
    mint: Callable[[Mapping[str, object]], minting.Minted],
    taken: minting.Taken,
) -> Callable[[FieldRow], minting.Minted]:
    """Make a function that mints the name of a row; a name that a row states is taken.

    Args:
        give: mints a name that nobody has.
        mint: mints a name whether it is taken or not, for further rows of one name.
        taken: the names of this run.
    """
    refused: set[int] = set()
    numbers: dict[int, int] = {}

    def draw(row: FieldRow) -> minting.Minted:
        if row.name is not None:
            taken.add(row.name)
        if row.name is not None or row.fields is None:
            return minting.Minted(name=row.name, findings=row.findings)
        if row.is_further and row.first not in refused:
            number = numbers.get(row.first or 0)
            return mint(row.fields if number is None else {**row.fields, "unnumbered": number})
        minted = give(row)
        if minted.name is None:
            refused.add(row.number)
        elif row.first is not None:
            found = minting.split_lex_number(str(minted.name.act_name))
            if found is not None:
                numbers[row.number] = found[1]
        return minted

    return draw


def _mint_batches(
    minter: Minter,
    rows: Iterator[FieldRow],
    size: int,
    draw: Callable[[FieldRow], minting.Minted],
) -> Iterator[tuple[FieldRow, minting.Minted]]:
    """Mint names in batches, and yield each only when it is given out for good."""
    while batch := [*islice(rows, size)]:
        with minter.together():
            results = [(row, draw(row)) for row in batch]
        yield from results


def _write_results(
    results: Iterable[tuple[FieldRow, minting.Minted]],
    form: str,
    report: Report,
    *,
    explain: bool,
    keep: Callable[[FieldRow, Name | None], object] | None,
) -> tuple[int, int]:
    """Write results as they come; return the numbers of names and of rows."""
    total = named = 0
    for row, minted in results:
        total += 1
        named += minted.valid
        if keep is not None:
            keep(row, minted.name)
        if form == "jsonl":
            shared.write_json(minting.minted_to_json(minted))
        elif minted.name is not None:
            lines = [str(minted.name)]
            for step in minted.steps if explain else ():
                change = f'"{escape_text(step.before)}" -> "{escape_text(step.after)}"'
                source = f" <{step.source}>" if step.source else ""
                action = step.action.value
                lines.append(f"  {step.field:<14} {action:<10} {change}  {step.rule}{source}")
            shared.write_line("\n".join(lines))
        report(row, minted)
    return named, total


def _read_names_in_file(file: str) -> Iterator[Name]:
    from lexurn.name import check

    if Path(file).suffix.removeprefix(".").lower() in TABLE_FORMATS:
        from lexurn.manifest import open_manifest

        with open_manifest(file) as manifest:
            for family in manifest.families():
                yield from (record.name for record in family.records)
            if manifest.rejected:
                raise LexurnError(
                    f"{file}: {manifest.rejected} rows have no valid name. Correct them."
                )
        return
    with Path(file).open("rb") as stream:
        for number, line in enumerate(shared.read_lines(stream), 1):
            text = line.strip().removeprefix(BYTE_ORDER_MARK if number == 1 else "")
            name = check(text).name if text else None
            if name is not None:
                yield name
            elif text:
                raise LexurnError(f"{file}:{number}: not a valid name: {text[:200]}")


def _take_stated(rows: Iterable[FieldRow], taken: minting.Taken) -> Iterator[FieldRow]:
    """Yield rows; add the names that one row alone has, and states, to those that are taken."""
    for row in rows:
        if row.name is not None and row.first is None:
            taken.add(row.name)
        yield row


@contextmanager
def _open_rows(
    manifests: tables.ManifestSources,
    fields: Mapping[str, str],
    form: str,
    taken: minting.Taken | None,
    *,
    is_stream: bool,
) -> Iterator[tuple[Callable[[], Iterator[FieldRow]], Report]]:
    """Open the rows: a function that reads them, and one that reports the findings on each.

    Tables are read as `publish` reads them; fields hold for rows that have no value of their own.
    The names that rows of a table state are added to ``taken``, unless that is None.
    """
    if not manifests.files:
        yield partial(iter, (FieldRow("", 0, fields),)), partial(_echo_findings, form)
        return
    if is_stream:
        options = manifests.findings_file, manifests.max_findings
        with tables.open_summary(*options) as summary:
            yield partial(_read_json_rows, fields, summary), partial(_report_row, summary)
        return
    from lexurn.manifest import choose_mapping

    known = choose_mapping(manifests.mapping)
    mapping = replace(known, constants={**fields, **known.constants})
    with (
        shared.show_progress() as progress,
        tables.open_manifests(manifests, progress, mapping) as manifest,
    ):
        if taken is not None:
            deque(_take_stated(manifest.field_rows(), taken), 0)
        yield manifest.field_rows, partial(_reject_row, manifest)
        if not manifest.rows:
            raise LexurnError(f"{', '.join(manifests.files)}: no row. No name was given out.")
        manifest.finish()


def _read_json_rows(
    fields: Mapping[str, str], report: Callable[[Finding], None]
) -> Iterator[FieldRow]:
    """Read JSON Lines on standard input, whose objects have lists for lists of values.

    An option holds for each object that has no value of its own.
    """
    if sys.stdin is None:
        raise LexurnError("Standard input is closed.")
    for number, text in enumerate(shared.read_lines(sys.stdin.buffer), 1):
        line = text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
        if not line.strip():
            continue
        fault = "another value"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError) as broken:
            values = None
            is_cut = len(line.encode("utf-8", "surrogateescape")) >= shared.MAX_LINE_BYTES
            fault = f"longer than {shared.MAX_LINE_BYTES:,} bytes" if is_cut else str(broken)
        if isinstance(values, dict):
            own = {key: value for key, value in values.items() if value is not None and value != ""}
            yield FieldRow("-", number, {**fields, **own})
        else:
            report(make_finding("LX507", named={"value": fault}, file="-", line=number))
            yield FieldRow("-", number, None)
