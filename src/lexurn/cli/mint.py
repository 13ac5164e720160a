"""Command mint: names from options, from tables and from JSON Lines."""

from __future__ import annotations

import codecs
import csv
import json
import sys
import tempfile
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import click

from lexurn import minting
from lexurn.cli import shared, tables
from lexurn.cli.shared import TABLE_FORMATS, escape_text
from lexurn.errors import LexurnError
from lexurn.files import open_for_writing
from lexurn.findings import make_finding

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from lexurn.catalogue import Minter
    from lexurn.findings import Finding
    from lexurn.manifest import SuspectNames
    from lexurn.name import Name
    from lexurn.registry import Registry

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
    "calendar": ("hebrew", "hijri", "japanese"),
    "date_order": ("dmy", "mdy", "ymd"),
    "mode": ("ascii", "utf8"),
}
"""Fields that take one of a few values; as options they are checked before anything is read."""

BATCH_SIZE: Final = 100
"""Number of names given out at once, while other processes wait."""

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
@click.argument("sources", nargs=-1, metavar="[TABLE...]")
@_add_field_options
@shared.MAP
@shared.REGISTRY
@click.option(
    "--taken",
    "taken_files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False),
    help="Names in use, one per line, or a manifest: none is minted again, lex-N continues.",
)
@shared.catalogue_option(
    "The folder of a catalogue: its names are not minted again, and it records the new ones. A new "
    "or empty folder becomes one."
)
@click.option(
    "--resume",
    is_flag=True,
    help="Keep the names that rows of a TABLE got from the catalogue in an earlier run.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the named rows to a manifest in CSV. Only --resume replaces an existing file.",
)
@click.option(
    "--given",
    "list_given",
    is_flag=True,
    help="List the names that the catalogue has given out but does not contain; mint nothing.",
)
@tables.SUMMARY[0]
@tables.SUMMARY[1]
@tables.SUMMARY[2]
@click.option(
    "--explain", is_flag=True, help="Show each step that leads to the name, with its rule."
)
@shared.format_option(
    "text", "jsonl", help="Names, one per line, or objects with name, steps and findings."
)
def mint_command(
    sources: tuple[str, ...],
    mapping: str | None,
    registries: tuple[str, ...],
    taken_files: tuple[str, ...],
    location: str | None,
    form: str,
    findings_file: str | None,
    max_findings: int | None,
    out: str | None,
    *,
    resume: bool,
    list_given: bool,
    explain: bool,
    **options: str | None,
) -> bool:
    """Mint names from metadata: from options, or from each row of a TABLE.

    A TABLE is a manifest in any format; - is JSON Lines on standard input. It is read as `publish`
    reads it: a row that states its name keeps it. Options apply to each row that has no value of
    its own. A name that cannot be decided is refused, with the reason.

    A catalogue gives out each name once, even if this run is interrupted. --given lists names that
    were given out and are not loaded yet, with their rows. Exit code 1 if a row has no name.

    \b
    lexurn mint -j it --measure D.P.R. --date "28 dicembre 2000" --number 445
    lexurn mint -j it --citation "Ministero delle Finanze, decreto 20 dicembre 1999, n. 1/P/2000"
    lexurn mint acts.csv --map columns.toml --format jsonl
    lexurn mint acts.csv --catalogue law --resume
    lexurn mint laws.csv --map columns.toml --catalogue law --out acts.csv
    """
    fields = {FIELD_NAMES.get(name, name): value for name, value in options.items() if value}
    _check_usage(sources, fields, location, resume=resume, list_given=list_given)
    if out is not None:
        _check_out(out, sources, mapping, resume=resume)
    registry = shared.require_registry(registries)
    # Without files, only numbers of this run are taken.
    taken = minting.Taken(unique=bool(taken_files))
    for name in chain.from_iterable(map(_read_names_in_file, taken_files)):
        taken.add(name)
    with tables.open_summary(findings_file, max_findings) as summary, ExitStack() as stack:
        rows: Iterator[MintRow] = iter((MintRow("", 0, fields),))
        report: Callable[[Finding], None] = _echo_finding if form == "text" else lambda _: None
        if sources:
            rows = _read_rows(sources, mapping, fields, summary, is_manifest=out is not None)
            report = summary
        if sources and all(Path(each).is_file() for each in sources):  # not streams, read once
            from lexurn.manifest import SuspectNames, read_mapping
            from lexurn.model import today

            accepted = frozenset() if mapping is None else read_mapping(mapping).accept
            suspects = stack.enter_context(SuspectNames())
            known = _read_rows(
                sources, mapping, fields, lambda _: None, is_manifest=out is not None
            )
            with suppress(LexurnError):  # the second reading reports it
                _add_names(known, suspects, registry, accepted)
            suspects.check(today().isoformat(), accepted)
            rows = (
                row._replace(fault=suspects.find_fault(number)) for number, row in enumerate(rows)
            )
        write = partial(_write_results, form=form, report=report, explain=explain)
        if out is not None:
            write = partial(write, keep=stack.enter_context(_open_manifest_file(out)))
        if location is None:
            results = _mint_rows(
                rows, lambda row, _: minting.try_mint(row, registry=registry, taken=taken), taken
            )
            named, total = write(results)
        else:
            from lexurn.catalogue import is_catalogue, open_minter

            if sources and not resume and not is_catalogue(Path(location)):
                with shared.use_catalogue(location, write=True):
                    shared.echo_line(f"{location} is a new catalogue")
            with (
                shared.use_catalogue(location) as catalogue,
                open_minter(catalogue, also=taken) as minter,
            ):
                if list_given:
                    return _list_given(minter, form)
                mint = partial(minter.mint, registry=registry, again=resume)
                results = _mint_batches(
                    minter,
                    rows,
                    1 if "-" in sources else BATCH_SIZE,
                    lambda row, location: mint(row, location=location),
                    taken,
                )
                named, total = write(results)
    if sources and named < total:
        shared.echo_line(f"{total - named:,} of {total:,} rows have no name")
    return named == total


def _add_names(
    rows: Iterable[MintRow],
    suspects: SuspectNames,
    registry: Registry,
    accepted: Collection[str],
) -> None:
    """Mint the names of all rows, without giving them out, for the checks of the whole table."""
    from lexurn.manifest import (
        CheckedName,
        SuspectRow,
        find_act,
        find_unclear_date,
    )

    for number, row in enumerate(rows):
        if row.name is not None or row.fields is None or "unnumbered" in row.fields:
            continue
        minted = minting.try_mint(row.fields, registry=registry)
        if minted.name is None:
            continue
        act = find_act(minted.name)
        title = row.fields.get("title")
        text = title if isinstance(title, str) else None
        suspects.add(CheckedName(number, str(minted.name), act, text), f"{row.file}:{row.line}")
        words = find_unclear_date(row.fields, minted.findings, act)
        if words is not None and "LX545" not in accepted:
            suspects.add_suspect(SuspectRow(number, "LX545", "citation", words))


def _echo_finding(finding: Finding) -> None:
    """Print a finding on fields that were given as options."""
    shared.echo_findings(finding.text, [finding], location=finding.component)


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
    *,
    resume: bool,
    list_given: bool,
) -> None:
    """Refuse arguments that contradict each other or are empty."""
    if "" in sources:
        raise click.UsageError("A TABLE is empty. Name a file, or - for standard input.")
    if location is None and (resume or list_given):
        raise click.UsageError("--resume and --given need --catalogue.")
    if list_given and (sources or fields):
        raise click.UsageError("--given does not mint. Leave out the TABLE and the fields.")
    if resume and (not sources or "-" in sources):
        raise click.UsageError("--resume needs a TABLE that is a file.")
    if not list_given and not sources and not fields:
        raise click.UsageError("Give the fields of a document, or a TABLE; - is standard input.")


def _check_out(out: str, sources: Sequence[str], mapping: str | None, *, resume: bool) -> None:
    """Refuse a file that may be somebody's own table."""
    if not sources:
        raise click.UsageError("--out needs a TABLE.")
    if Path(out).resolve() in {Path(each).resolve() for each in (*sources, mapping or "")}:
        raise click.UsageError("--out is a file that is read. Name another one.")
    if Path(out).exists() and not resume:
        raise click.UsageError(
            f"{escape_text(out)} exists, and is replaced only with --resume. Name another file."
        )


@contextmanager
def _open_manifest_file(path: str) -> Iterator[Callable[[Mapping[str, str]], object]]:
    """Open a manifest in CSV for rows; it appears when all are there, with all their columns."""
    headers: dict[str, None] = {}
    with tempfile.TemporaryFile("w+", encoding="utf-8") as rows:

        def keep(cells: Mapping[str, str]) -> None:
            headers.update(dict.fromkeys(cells))
            rows.write(f"{json.dumps(cells)}\n")

        yield keep
        if not headers:
            return
        rows.seek(0)
        try:
            with open_for_writing(Path(path)) as stream:
                writer = csv.DictWriter(
                    codecs.getwriter("utf-8")(stream), headers, lineterminator="\n"
                )
                writer.writeheader()
                writer.writerows(map(json.loads, rows))
        except OSError as full:
            raise LexurnError(f"{path} cannot be written: {full.strerror or full}.") from None


def _mint_rows(
    rows: Iterable[MintRow],
    mint: Callable[[Mapping[str, object], str], minting.Minted],
    taken: minting.Taken,
) -> Iterator[tuple[MintRow, minting.Minted]]:
    """Mint a name for each row without one; a name that a row states is taken."""
    for row in rows:
        if row.name is not None:
            taken.add(row.name)
        is_minted = row.name is None and row.fields is not None and row.fault is None
        minted = minting.Minted(name=row.name, findings=(row.fault,) if row.fault else ())
        yield row, mint(row.fields or {}, row.location) if is_minted else minted


def _mint_batches(
    minter: Minter,
    rows: Iterator[MintRow],
    size: int,
    mint: Callable[[Mapping[str, object], str], minting.Minted],
    taken: minting.Taken,
) -> Iterator[tuple[MintRow, minting.Minted]]:
    """Mint names in batches, and yield each only when it is given out for good.

    Raises:
        LexurnError: reading fails; the rows before are minted.
    """
    fault: LexurnError | None = None
    is_over = False
    while not is_over:
        batch: list[MintRow] = []
        try:
            batch.extend(islice(rows, size))
        except LexurnError as error:
            fault = error
        with minter.together():
            results = list(_mint_rows(batch, mint, taken))
        yield from results
        is_over = len(batch) < size
    if fault is not None:
        raise fault


def _write_results(
    results: Iterable[tuple[MintRow, minting.Minted]],
    form: str,
    report: Callable[[Finding], None],
    *,
    explain: bool,
    keep: Callable[[Mapping[str, str]], object] = lambda _: None,
) -> tuple[int, int]:
    """Write results as they come; return the numbers of names and of rows."""
    total = named = 0
    for row, minted in results:
        total += 1
        named += minted.valid
        if minted.name is not None:
            keep({"urn": str(minted.name), **row.list_cells()})
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
        for finding in minted.findings:
            placed = replace(finding, file=row.file, line=row.line)
            report(placed if row.place is None else row.place(finding))
    return named, total


def _read_names_in_file(file: str) -> Iterator[Name]:
    from lexurn.name import check

    if _get_suffix(file) in TABLE_FORMATS:
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


def _get_suffix(file: str) -> str:
    return Path(file).suffix.removeprefix(".").lower()


class MintRow(NamedTuple):
    """Fields of one document, None if they cannot be read, and their file and line.

    Attributes:
        name: the name that the row itself states.
        place: returns a finding on its fields with its location.
        fault: the reason why its name would probably be wrong.
        list_cells: lists its other cells by column of a manifest.
    """

    file: str
    line: int
    fields: Mapping[str, object] | None
    name: Name | None = None
    place: Callable[[Finding], Finding] | None = None
    fault: Finding | None = None
    list_cells: Callable[[], dict[str, str]] = dict

    @property
    def location(self) -> str:
        """File and line, without folders: a table may be in another folder in the next run."""
        return f"{Path(self.file).name}:{self.line}" if self.line else ""


def _read_rows(
    sources: Sequence[str],
    mapping: str | None,
    fields: Mapping[str, str],
    report: Callable[[Finding], None],
    *,
    is_manifest: bool,
) -> Iterator[MintRow]:
    """Read the rows of all sources, each with the fields that hold for all."""
    from lexurn.manifest import read_fields

    for source in sources:
        suffix = _get_suffix(source)
        is_table = suffix == "json" or TABLE_FORMATS.get(suffix, "jsonl") != "jsonl"
        if mapping is None and not is_table and not is_manifest:
            for each in _read_json_rows(source, report):
                values = each.fields or {}
                own = {
                    key: value for key, value in values.items() if value is not None and value != ""
                }
                yield each if each.fields is None else each._replace(fields={**fields, **own})
            continue
        for row in read_fields(source, mapping=mapping, constants=fields):
            for finding in row.findings:
                report(finding)
            yield MintRow(
                row.file, row.line, row.fields, row.name, row.place, list_cells=row.list_cells
            )


def _read_json_rows(source: str, report: Callable[[Finding], None]) -> Iterator[MintRow]:
    """Read the objects of JSON Lines, which have lists for lists of values."""
    if source == "-" and sys.stdin is None:
        raise LexurnError("Standard input is closed.")
    try:
        with nullcontext(sys.stdin.buffer) if source == "-" else Path(source).open("rb") as stream:
            for number, text in enumerate(shared.read_lines(stream), 1):
                line = text.removeprefix(BYTE_ORDER_MARK) if number == 1 else text
                if line.strip():
                    values = _parse_json_object(line)
                    if isinstance(values, str):
                        named = {"value": values}
                        report(make_finding("LX507", named=named, file=source, line=number))
                    yield MintRow(source, number, None if isinstance(values, str) else values)
    except OSError as missing:
        raise LexurnError(f"{source}: cannot be read: {missing.strerror}") from None


def _parse_json_object(line: str) -> dict[str, object] | str:
    """Parse a JSON object, or return why it is not one."""
    try:
        value = json.loads(line)
    except (ValueError, RecursionError) as broken:
        is_cut = len(line.encode("utf-8", "surrogateescape")) >= shared.MAX_LINE_BYTES
        return f"longer than {shared.MAX_LINE_BYTES:,} bytes" if is_cut else str(broken)
    return value if isinstance(value, dict) else "another value"
