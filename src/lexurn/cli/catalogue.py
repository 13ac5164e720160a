"""Commands of catalogue: load, check, dump, push, withdraw and upkeep of a catalogue."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from lexurn import catalogue
from lexurn.cli import shared, tables
from lexurn.cli.shared import escape_text, show_progress, use_catalogue, write_line
from lexurn.errors import CatalogueError, LexurnError
from lexurn.graph import Format
from lexurn.manifest.formats import TABLE_FORMATS
from lexurn.name import check

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from lexurn.name import Name

# Names of formats, and ends of file names.
_RDF_FORMATS = dict.fromkeys(
    (*(each.name.lower() for each in Format), *(each.extension for each in Format))
) | dict.fromkeys(("json", "xml", "owl"))


@click.command("load")
@click.argument("sources", nargs=-1, required=True, metavar="SOURCE...")
@shared.CATALOGUE
@tables.manifest_options(shared.MAP, shared.REGISTRY, shared.DIALECT, shared.REJECTS)
@shared.format_option(
    *(*dict.fromkeys(TABLE_FORMATS.values()), *_RDF_FORMATS),
    help="The format of all sources.  [default: from their names; - is a table]",
    has_default=False,
)
@shared.BASE
@shared.AS_OF
@click.option("--check", is_flag=True, help="Refuse works that violate a shape.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Do everything except writing: no catalogue and no rejects file.",
)
@shared.JOBS
@shared.WAIT
def load_command(
    sources: tuple[str, ...],
    location: str,
    manifests: tables.ManifestSources,
    form: str | None,
    base: str | None,
    as_of: dt.date,
    jobs: int | None,
    wait: float,
    *,
    check: bool,
    dry_run: bool,
) -> bool:
    """Load each SOURCE into a catalogue: manifests, or RDF files (N-Quads, Turtle, ...).

    A row replaces the earlier statements about its name; other names stay. Loading the same rows
    again changes nothing. To continue an interrupted load, run it again. A new or empty folder
    becomes a catalogue.

    \b
    lexurn catalogue load acts.csv --catalogue law
    lexurn catalogue load site/catalogue.nq.gz --catalogue law
    """
    from lexurn.manifest import suggest_rejects_file, suggest_rejects_files

    _check_sources(sources)
    # With a mapping, JSON is a table.
    rdf = _RDF_FORMATS.keys() - ({"json"} if manifests.mapping is not None else ())
    kinds = {(form or _strip_gzip_suffix(each).suffix[1:].lower()) in rdf for each in sources}
    if len(kinds) > 1:
        raise click.UsageError("The SOURCEs are tables and RDF. Load them in two runs.")
    is_rdf = True in kinds
    rejects = manifests.rejects
    if dry_run:
        rejects = None
    elif rejects is None and is_rdf:
        nquads = str(_strip_gzip_suffix(sources[0]).with_suffix(".nq"))
        rejects = suggest_rejects_file("-" if sources[0] == "-" else nquads)
    elif rejects is None:
        rejects = suggest_rejects_files(sources, form)
    manifests = replace(manifests, files=sources, rejects=rejects, form=form)
    if check:
        shared.choose_engine()
    refused = 0

    def report_refusal(refusal: catalogue.Refusal) -> None:
        nonlocal refused
        refused += 1
        if refused <= _SHOWN_REFUSALS:
            row = refusal.source
            place = "" if row is None else f"{row.file}:{row.line}: "
            shared.echo_error(f"{place}{refusal.key} was not loaded: {refusal.reason}")

    with (
        use_catalogue(location, write=True, base=base, wait=wait, dry_run=dry_run) as opened,
        show_progress() as progress,
    ):
        options = catalogue.LoadOptions(
            as_of=as_of,
            check=check,
            dry_run=dry_run,
            jobs=jobs,
            on_refused=report_refusal,
            on_progress=partial(progress, "loading"),
        )
        load = _load_graphs if is_rdf else _load_tables
        report, is_whole = load(opened, manifests, options, progress)
    if refused > _SHOWN_REFUSALS:
        shared.echo_error(f"{refused - _SHOWN_REFUSALS:,} more works were not loaded.")
    write_line(
        f"{report.names:,} name{'s' if report.names != 1 else ''} of "
        f"{report.families:,} work{'s' if report.families != 1 else ''} into "
        f"{escape_text(location)}: {report.added:,} added, {report.replaced:,} replaced, "
        f"{report.unchanged:,} unchanged, {report.refused:,} refused"
        f"{'; nothing was written (--dry-run)' if dry_run else ''}"
    )
    return is_whole and not refused


def _check_sources(sources: Sequence[str]) -> None:
    """Refuse sources that are not files."""
    for source in sources:
        path = Path(source)
        if source == "-" or path.is_file():
            continue
        if not source:
            raise click.UsageError("A SOURCE is empty. Name a file, or - for standard input.")
        if path.is_dir():
            raise LexurnError(f"{source} is a folder. Name the files in it.")
        if path.exists():
            raise LexurnError(f"{source} is not a regular file. Pass it on standard input, as -.")
        raise LexurnError(f"{source} does not exist. Check the path.")


def _strip_gzip_suffix(source: str) -> Path:
    path = Path(source)
    return path.with_suffix("") if path.suffix.lower() == ".gz" else path


_SHOWN_REFUSALS = 3


def _load_tables(
    opened: catalogue.Catalogue,
    sources: tables.ManifestSources,
    options: catalogue.LoadOptions,
    progress: shared.Progress,
) -> tuple[catalogue.LoadReport, bool]:
    """Load manifests; return the report, and whether no row was rejected."""
    with tables.open_manifests(sources, progress) as manifest:
        report = catalogue.load_manifest(opened, manifest, options)
    if not manifest.rows:
        shared.echo_line(f"no rows in {', '.join(sources.files)}")
    return report, not manifest.rejected


def _load_graphs(
    opened: catalogue.Catalogue,
    sources: tables.ManifestSources,
    options: catalogue.LoadOptions,
    progress: shared.Progress,
) -> tuple[catalogue.LoadReport, bool]:
    """Load RDF files; return the report, and whether no statement or file was left out."""
    files = list(sources.files)
    with (
        tables.open_summary(sources.findings_file, sources.max_findings) as summary,
        catalogue.open_rdf_source(
            files,
            format=sources.form,
            rejects=cast("str | None", sources.rejects),
            on_finding=summary,
            on_progress=partial(progress, "reading"),
        ) as source,
    ):
        report = catalogue.load_rdf(opened, source, options)
    if not source.statements:
        shared.echo_line(f"no statements in {', '.join(files)}")
    counts = []
    if source.rejected:
        counts.append(f"{source.rejected:,} of {source.statements:,} statements rejected")
    if source.left_out:
        counts.append(f"{len(source.left_out):,} of {len(files):,} files left out")
    if counts:
        kept = f"; kept in {source.rejects}" if source.rejects else ""
        shared.echo_line(f"{', '.join(counts)}: {summary.summarize()}{kept}")
    return report, not counts


def _list_rules(ctx: click.Context, _: click.Parameter, value: bool) -> None:  # noqa: FBT001 - click's signature
    if not value or ctx.resilient_parsing:
        return
    for rule in catalogue.list_check_rules().values():
        write_line(f"{rule.code:32} {rule.severity.value.lower():9} {rule.name} ({rule.basis})")
    ctx.exit()


@click.command("check")
@shared.CATALOGUE
@click.option(
    "--list",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_list_rules,
    help="List the rules.",
)
@shared.format_option("text", "html", "json", "sarif", "turtle", help="The format of the report.")
@click.option("--out", metavar="FILE", help="The file for the report; - for standard output.")
@shared.JOBS
@click.option(
    "--sample",
    type=click.IntRange(1),
    metavar="N",
    help="Check only N works against the shapes.",
)
@click.option("--only", multiple=True, metavar="RULE", help="Apply only this rule; repeatable.")
@click.option("--skip", multiple=True, metavar="RULE", help="Leave out this rule; repeatable.")
@shared.REGISTRY
@shared.WAIT
def check_command(
    location: str,
    form: str,
    out: str | None,
    jobs: int | None,
    sample: int | None,
    only: tuple[str, ...],
    skip: tuple[str, ...],
    registries: tuple[str, ...],
    wait: float,
) -> bool:
    """Check a catalogue: each node against the SHACL shapes, and works against each other.

    The second part finds two works with one name, and one URL for several works. It finds names
    that differ only in dialect, connectives, accents or leading zeros, and years in place of dates.
    It also finds alias sets that join distinct works, authorities outside their period, and gaps in
    series of numbers.

    Exit code 1 if there is a violation, or nothing to check; warnings do not count.

    \b
    lexurn catalogue check --catalogue law
    lexurn catalogue check --catalogue law --format html --out check.html
    lexurn catalogue check --catalogue law --only LX961 --only License
    """
    out = None if out == "-" else out
    if out is not None:
        if not out:
            raise click.UsageError("--out is empty. Name a file for the report, or leave it out.")
        if Path(out).is_dir():
            raise CatalogueError(f"{out} is a folder. Name a file in it.")
        if not Path(out).absolute().parent.is_dir():
            raise CatalogueError(f"{out} cannot be written: there is no folder {Path(out).parent}")
        catalogue.refuse_inside_catalogue(Path(out))
    options = catalogue.CheckOptions(jobs=jobs, sample=sample, only=only, skip=skip)
    registry = shared.require_registry(registries) if registries else None
    shared.choose_engine()
    with show_progress() as progress, use_catalogue(location, wait=wait) as opened:
        report = catalogue.check_catalogue(
            opened, options, registry=registry, reopen=location, on_progress=progress
        )
    with report:
        with shared.open_output(out, is_text=form == "text") as target:
            catalogue.write_check_report(report, target, catalogue.CheckFormat(form))
        if out is not None:
            verdict = catalogue.format_verdict(report)
            write_line(f"{escape_text(out)}: {report.checked:,} nodes checked: {verdict}")
        return report.conforms and not report.is_void


@click.command("dump")
@click.argument("target", default="-", metavar="[FILE]")
@shared.CATALOGUE
@shared.format_option(
    *("nquads", "ntriples", "turtle", "trig", "jsonld"),
    help="[default: by the name of the FILE, else nquads]",
    has_default=False,
)
@shared.INLINE_CONTEXT
@shared.WAIT
def dump_command(
    target: str, location: str, form: str | None, wait: float, *, inline_context: bool
) -> None:
    """Write the whole catalogue to a FILE, or to standard output.

    The same catalogue gives the same bytes: N-Quads and N-Triples are sorted; Turtle, TriG and
    JSON-LD are written work by work. A FILE that ends in .gz is compressed. You can load a dump
    again.

    \b
    lexurn catalogue dump law.nq.gz --catalogue law
    lexurn catalogue dump --catalogue law --format turtle | less
    """
    sink = shared.StandardOutput() if target == "-" else target
    with show_progress() as progress, use_catalogue(location, wait=wait) as opened:
        size = catalogue.dump(
            opened.queried_store, sink, form, inline_context=inline_context, on_progress=progress
        )
    if target != "-":
        packed = " before compression" if target.endswith(".gz") else ""
        text = f"{size:,} bytes{packed} of {escape_text(location)} in {escape_text(target)}"
        click.echo(text, err=True)


@click.command("push")
@click.argument("server", metavar="URL")
@shared.CATALOGUE
@click.option(
    "--replace",
    is_flag=True,
    help="Empty the graphs of the server first, if another catalogue filled them.",
)
@shared.WAIT
def push_command(server: str, location: str, wait: float, *, replace: bool) -> None:
    """Mirror a catalogue on the SPARQL 1.1 server at a URL, so that others can query it there.

    push sends only what changed since the last push. To continue an interrupted push, run it again.
    Give the URL of the query endpoint, or a TOML file with the endpoints. Credentials come from
    LEXURN_USER and LEXURN_PASSWORD (or LEXURN_TOKEN), or from a netrc file.

    \b
    lexurn catalogue push http://127.0.0.1:7878/query --catalogue law
    lexurn resolve "urn:lex:it:stato:legge:2003-09-21;456" -c http://127.0.0.1:7878/query
    """
    with show_progress() as progress:
        on_progress = partial(progress, "comparing")
        report = catalogue.push(
            location, server, replace=replace, wait=wait, on_progress=on_progress
        )
    write_line(
        f"{report.nodes:,} nodes of {escape_text(location)} on {escape_text(server)}: "
        f"{report.added:,} added, {report.replaced:,} replaced, {report.removed:,} removed"
    )
    if report.omitted:
        click.echo(f"{report.omitted:,} statements with blank nodes were not sent", err=True)


@click.command("stats")
@shared.catalogue_option(is_url_allowed=True, required=True)
@shared.format_option("text", "json", help="A table, or one JSON object.")
@shared.WAIT
def stats_command(location: str, form: str, wait: float) -> None:
    """Count the contents of a catalogue: quads, names of each level, acts of each jurisdiction.

    \b
    lexurn catalogue stats --catalogue law
    """
    with catalogue.open_readable(location, wait=wait) as opened:
        stats = catalogue.compute_stats(opened.queried_store)
    if form == "json":
        shared.write_json(asdict(stats))
        return
    counts = {
        **{"annexes" if kind == "annex" else f"{kind}s": n for kind, n in stats.kinds.items()},
        "aliases": stats.aliases,
        "withdrawn": stats.withdrawn,
        **{f"quads, {layer}": count for layer, count in stats.quads.items()},
        **{f"acts of {escape_text(code)}": count for code, count in stats.jurisdictions.items()},
    }
    widest = max(map(len, counts))
    for label, count in counts.items():
        write_line(f"{label:<{widest}} {count:>14,}")


def _read_past_day(ctx: click.Context, param: click.Parameter, value: str | None) -> dt.date | None:
    """Read a day that has begun somewhere on earth."""
    day = shared.read_day(ctx, param, value)
    if day is not None and day > (dt.datetime.now(tz=dt.UTC) + dt.timedelta(hours=14)).date():
        raise click.BadParameter(f"{day} is in the future. A withdrawal takes effect at once.")
    return day


@click.command("withdraw")
@click.argument("names", nargs=-1, required=True, metavar="NAME...")
@shared.CATALOGUE
@click.option(
    "--on",
    metavar="DATE",
    callback=_read_past_day,
    help="The day of the withdrawal, YYYY-MM-DD, also for names withdrawn earlier.  "
    "[default: today; names withdrawn earlier keep their day]",
)
@click.option(
    "--below", is_flag=True, help="Withdraw names below it too: annexes, versions, formats."
)
@shared.AS_OF
@shared.WAIT
def withdraw_command(
    names: tuple[str, ...],
    location: str,
    on: dt.date | None,
    as_of: dt.date,
    wait: float,
    *,
    below: bool,
) -> bool:
    """Withdraw each NAME: it stays, is marked as withdrawn, and is never given out again.

    Nothing is deleted (RFC 9676 section 9.4). To correct the day, withdraw the name again with
    --on. To undo a withdrawal, load the row of the name again. If you load a table regularly, state
    the withdrawal in it (columns status and withdrawn_on); otherwise the next load undoes it.

    \b
    lexurn catalogue withdraw "urn:lex:it:stato:legge:2003-09-21;456" --catalogue law
    lexurn catalogue withdraw - --on 2026-01-01 --catalogue law < names.txt
    """
    if not all(name.strip() for name in names):
        raise click.UsageError("A NAME is empty. Leave it out, or pass - for standard input.")
    good = True

    def read_valid_names() -> Iterator[Name]:
        """Yield the names; print findings on texts that are not names."""
        nonlocal good
        for text in map(str.strip, shared.read_names(names)):
            if not text:
                continue
            report = check(text)
            if report.name is not None:
                yield report.name
            else:
                good = False
                shared.echo_findings(report.text, report.findings)

    with use_catalogue(location, write=True, wait=wait, must_exist=True) as opened:
        outcomes = catalogue.WithdrawalOutcome
        given = read_valid_names()
        for each in catalogue.withdraw(opened, given, on=on, as_of=as_of, below=below):
            if each.outcome is outcomes.UNKNOWN:
                shared.echo_error(f"{each.name} is not in the catalogue. Check the name.")
                good = False
                continue
            since = f" on {each.on}" if each.on is not None else ""
            if each.outcome is outcomes.MOVED:
                before = f" from {each.before}" if each.before is not None else ""
                since = f"{before} to {each.on}"
            write_line(f"{each.name}: {each.outcome}{since}")
    return good


@click.command("refresh")
@shared.CATALOGUE
@shared.AS_OF
@shared.WAIT
def refresh_command(location: str, as_of: dt.date, wait: float) -> None:
    """Compute again which version of each work is in force, and change nothing else.

    The graph has the versions in force on the day of loading, so run this every night. The resolver
    and the ready queries do not need it, because they have a date of their own.

    \b
    lexurn catalogue refresh --catalogue law
    """
    with (
        show_progress() as progress,
        use_catalogue(location, write=True, wait=wait, must_exist=True) as opened,
    ):
        on_progress = partial(progress, "comparing works")
        changed = catalogue.refresh(opened, as_of=as_of, on_progress=on_progress)
    write_line(f"{changed:,} works changed in {escape_text(location)}, as of {as_of}")


@click.command("rebuild")
@shared.CATALOGUE
@shared.JOBS
@shared.WAIT
def rebuild_command(location: str, jobs: int | None, wait: float) -> bool:
    """Rebuild the index of names, if its file is lost or damaged.

    The store contains everything that the index needs. If works in the store are unreadable, the
    command reports them, and the exit code is 1.

    \b
    lexurn catalogue rebuild --catalogue law
    """
    with show_progress() as progress, tables.open_summary() as summary:
        on_progress = partial(progress, "indexing works")
        works = catalogue.rebuild(
            location, wait=wait, on_progress=on_progress, on_finding=summary, jobs=jobs
        )
    write_line(f"{works:,} works in the index of {escape_text(location)}")
    if summary.counts:
        click.echo(f"some works are unreadable: {summary.summarize()}", err=True)
    return not summary.counts


@click.command("optimize")
@shared.CATALOGUE
@shared.WAIT
def optimize_command(location: str, wait: float) -> None:
    """Compact the files of the store, so that checks, queries and dumps are faster.

    Run it once after a large load. It changes no content. For a million documents it takes some
    minutes, and as much space on the disk as the store itself. It does not free all the space of
    replaced rows: the smallest catalogue is a dump loaded into a new one.

    Ctrl-C takes effect at the end; killing the process at any moment does no harm.

    \b
    lexurn catalogue optimize --catalogue law
    """
    with (
        show_progress() as progress,
        use_catalogue(location, write=True, wait=wait, must_exist=True) as opened,
    ):
        progress("compacting the store", 0)
        before = _measure_folder(location)
        catalogue.optimize(opened)
    after = _measure_folder(location)
    write_line(f"{escape_text(location)}: {before:,} bytes before, {after:,} bytes now")


def _measure_folder(location: str) -> int:
    """Return how many bytes a folder takes."""
    size = 0
    for path in Path(location).rglob("*"):
        with suppress(FileNotFoundError):  # the engine deletes compacted files meanwhile
            size += path.lstat().st_size
    return size
