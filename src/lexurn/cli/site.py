"""Commands on sites: publish and preview."""

from __future__ import annotations

from contextlib import ExitStack, contextmanager, suppress
from dataclasses import replace
from functools import partial
from os.path import lexists
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from lexurn import publishing
from lexurn.cli import shared, tables
from lexurn.cli.shared import write_line
from lexurn.errors import LexurnError, PublishError
from lexurn.findings import Severity
from lexurn.name import parse

if TYPE_CHECKING:
    import datetime as dt
    from collections.abc import Collection, Iterator, Sequence

    from lexurn.shacl import Result

_MOST = 5
_MAX_LISTED = 2


def _inspect(context: click.Context, _parameter: click.Parameter, folder: str | None) -> None:
    """Write what is missing, changed or foreign in the folder of a site, and end the command."""
    if folder is None:
        return
    found = publishing.inspect_site(folder)
    for label, paths in found._asdict().items():
        for path in paths:
            write_line(f"{label} {shared.escape_text(path)}")
    if not found.is_sound:
        shared.echo_note("publish --rewrite makes missing and changed files again.")
    context.exit(0 if found.is_sound else 1)


@click.command("publish")
@click.argument("manifests", nargs=-1, metavar="[MANIFEST...]")
@click.option(
    "--out", required=True, type=click.Path(file_okay=False), help="The folder of the site."
)
@shared.REQUIRED_BASE
@shared.catalogue_option()
@tables.manifest_options(shared.MAP, shared.REGISTRY, shared.DIALECT, shared.REJECTS)
@shared.INLINE_CONTEXT
@shared.language_option(
    "The language of pages whose version and jurisdiction have none of de, en, es, fr, it, pt, and "
    "of the home page.  [default: that of --site, else of --map, else en]"
)
@click.option(
    "--site",
    metavar="FILE",
    help="A TOML file with the title, description, publisher, licence and contact of the site.",
)
@click.option(
    "--search",
    type=click.Choice(["pagefind"]),
    help="Add a search page that works without a server.",
)
@shared.AS_OF
@click.option(
    "--force",
    is_flag=True,
    help="Publish even with violations, with no valid name, or if many names have left the input.",
)
@click.option("--rebase", is_flag=True, help="Write all pages again for another --base.")
@click.option("--rewrite", is_flag=True, help="Write all files again, even unchanged ones.")
@click.option(
    "--dry-run",
    is_flag=True,
    help="Do everything except writing: no page, state, report or rejects file.",
)
@click.option(
    "--replaced",
    metavar="FILE",
    help="A CSV file with the columns old and new; the page of each old name links to the new one.",
)
@click.option(
    "--prune",
    is_flag=True,
    help="List the names that have left the input, ask, and remove their pages.",
)
@click.option(
    "--only",
    multiple=True,
    metavar="NAME",
    help="With --prune: only this name and those below it; repeatable.",
)
@click.option("--yes", is_flag=True, help="Answer the question of --prune with yes.")
@click.option(
    "--max-rejects",
    type=click.IntRange(0),
    metavar="N",
    help="Publish nothing if more than N rows are rejected.",
)
@click.option("--json", "as_json", is_flag=True, help="Write the summary as one JSON object.")
@click.option(
    "--check",
    metavar="FOLDER",
    is_eager=True,
    expose_value=False,
    callback=_inspect,
    help="Only compare the folder with the last run; list missing, changed and foreign files.",
)
@shared.JOBS
def publish_command(
    manifests: tables.ManifestSources,
    location: str | None,
    out: str,
    base: str,
    language: str | None,
    site: str | None,
    search: str | None,
    as_of: dt.date,
    replaced: str | None,
    only: tuple[str, ...],
    max_rejects: int | None,
    jobs: int | None,
    *,
    force: bool,
    rebase: bool,
    rewrite: bool,
    dry_run: bool,
    prune: bool,
    yes: bool,
    as_json: bool,
    inline_context: bool,
) -> bool:
    """Publish each MANIFEST, or a catalogue, as a site of linked data.

    A MANIFEST is a table in any format; - is standard input. The command checks everything first. A
    violation stops it before it writes a page. It writes rejected rows, unchanged, to the rejects
    file (acts.rejects.csv beside acts.csv). You can run it again at any time: it rewrites only what
    has changed. If a name is no longer in the input, its page stays and says that it is withdrawn.

    Exit code 0 if all was published, 3 if rows were rejected, 1 if nothing was published.

    \b
    lexurn publish acts.csv --out site --base https://law.example
    lexurn publish --check site
    """
    from lexurn.manifest import suggest_rejects_files
    from lexurn.publishing.dcat import DESCRIPTION_FILE
    from lexurn.publishing.left_names import read_replaced

    source = click.get_current_context().get_parameter_source("location")
    is_catalogue = location is not None and (
        not manifests.files or source is not ParameterSource.ENVIRONMENT
    )
    if bool(manifests.files) == is_catalogue:
        raise click.UsageError("Give a MANIFEST, or --catalogue.")
    if (only or yes) and not prune:
        raise click.UsageError("--only and --yes need --prune.")
    if dry_run and prune:
        raise click.UsageError("--dry-run removes nothing. Leave out --prune.")
    is_first = not lexists(Path(out, DESCRIPTION_FILE))
    rejects = None
    if not dry_run:
        rejects = manifests.rejects or suggest_rejects_files(
            manifests.files, replaces_untouched=True
        )
    with _explain_errors(as_json=as_json), shared.show_progress() as progress, ExitStack() as stack:
        publish = partial(
            publishing.publish,
            out=out,
            base=base,
            as_of=as_of,
            engine=shared.choose_engine(),
            force=force,
            inline_context=inline_context,
            language=language,
            site=site,
            search=search is not None,
            rebase=rebase,
            rewrite=rewrite,
            dry_run=dry_run,
            replaced=None if replaced is None else read_replaced(replaced),
            max_rejects=max_rejects,
            confirm_removal=partial(_confirm_removal, only=only, is_sure=yes) if prune else None,
            workers=jobs,
            on_progress=progress,
        )
        if location is None or not is_catalogue:
            sources = replace(manifests, rejects=rejects)
            report = publish(stack.enter_context(tables.open_manifests(sources, progress)))
        else:
            catalogue = stack.enter_context(shared.use_catalogue(location, must_exist=True))
            report = publish(catalogue.holdings)
    if as_json:
        shared.write_json(_summarize(report))
    else:
        _write_summary(report, out, is_dry=dry_run, is_first=is_first, has_site=site is not None)
    if report.published and report.rejected:
        click.get_current_context().exit(shared.DONE_WITH_REJECTS)
    return report.published


@contextmanager
def _explain_errors(*, as_json: bool) -> Iterator[None]:
    """Pass errors on; with --json, write them as the summary, too."""
    try:
        yield
    except LexurnError as fault:
        if as_json:
            shared.write_json({"published": False, "error": str(fault)})
        raise


def _confirm_removal(
    names: Sequence[str], *, only: Sequence[str], is_sure: bool
) -> Collection[str]:
    """List the names whose pages would be removed, and ask."""
    from lexurn.publishing.left_names import list_above

    wanted = {parse(each) for each in only}
    if wanted:
        names = [each for each in names if wanted & list_above(parse(each))]
    for name in names:
        click.echo(shared.escape_text(name), err=True)
    if is_sure or not names:
        return names
    try:
        question = f"Remove the pages of {_count_noun(len(names), 'name')}?"
        return names if click.confirm(question, err=True) else ()
    except click.Abort:
        raise PublishError("Nothing was changed. Answer the question, or use --yes.") from None


def _summarize(report: publishing.PublishReport) -> dict[str, object]:
    return {
        "published": report.published,
        "works": report.families,
        "names": report.nodes,
        "written": report.written,
        "rejected": report.rejected,
        "newly_rejected": {
            "count": report.newly_rejected,
            "rows": [
                {
                    "file": each.file,
                    "line": each.line,
                    "column": each.column or each.component or None,
                    "code": each.code,
                    "message": each.message,
                }
                for each in report.new_rejects
            ],
        },
        "rejects": [str(path) for path in report.rejects],
        "findings": {each: report.row_findings.get(each, 0) for each in Severity},
        "results": dict(report.counts),
        "new": {"count": report.new, "works": list(report.new_works)},
        "changed": {"count": report.changed, "works": list(report.changed_works)},
        "left": list(report.left_names),
        "kept": list(report.kept_names),
        "removed": list(report.removed_names),
        "lost_aliases": list(report.lost_aliases),
        "emptied": list(report.emptied_names),
        "missing": list(report.missing_keys),
        "as_of": report.as_of.isoformat(),
    }


def _write_summary(
    report: publishing.PublishReport, out: str, *, is_dry: bool, is_first: bool, has_site: bool
) -> None:
    _echo_violations(report)
    if not is_first:
        _note_new_rejects(report)
    if not report.published:
        why = f"See {out}/report.html; correct the manifest, or use --force."
        if is_dry:
            why = "Correct the manifest, or use --force."
        shared.echo_error(f"Nothing was published. {why}")
        return
    names = _count_noun(report.nodes, "name")
    works = _count_noun(report.families, "work")
    files = _count_noun(report.written, "file")
    findings = _count_noun(sum(report.counts.values()), "SHACL finding")
    folder = shared.escape_text(out)
    if is_dry:
        write_line(f"{names} of {works} for {folder}: {findings}; nothing was written (--dry-run)")
    else:
        write_line(f"{names} of {works} in {folder}: {files} written, {findings} in report.html")
    if not is_first and (report.new or report.changed):
        shared.echo_note(f"{_count_noun(report.new, 'work')} new, {report.changed:,} changed")
    _note_names(
        report.left_names,
        "no longer in the input; such a page says that its name is withdrawn",
        ". If a correction gave an act another name, --replaced says so (docs/site.md).",
    )
    _note_names(report.removed_names, "removed")
    _note_names(
        report.lost_aliases,
        "no longer an alias, because the input contradicts that; --replaced can name another",
    )
    _note_names(
        report.emptied_names,
        "without a row of its own now; the page stays, because names below it are in the input",
    )
    _note_names(
        report.kept_names,
        "not in the input; rows rejected since may be theirs, so their pages stay as they were",
        ". Correct these rows. To withdraw a name, keep its row with status = withdrawn.",
    )
    if report.missing_keys and (is_first or has_site):
        keys = ", ".join(report.missing_keys)
        required = "DCAT-AP requires publisher. " if "publisher" in report.missing_keys else ""
        shared.echo_note(
            f"catalogue.ttl lacks {keys}. {required}State them in a file (docs/site.md) and name "
            "it with --site."
        )


def _echo_violations(report: publishing.PublishReport) -> None:
    """Print each kind of violation once, with its first node; report.html has all of them."""
    if shared.is_quiet():
        return
    kinds: dict[tuple[str, str], list[Result]] = {}
    for result in report.violations:
        kinds.setdefault((result.message, result.rule), []).append(result)
    for (message, rule), results in sorted(kinds.items(), key=lambda each: -len(each[1]))[:_MOST]:
        source, focus = results[0].source, results[0].focus.strip("<>")
        place = focus if source is None else f"{source.file}:{source.line}: {focus}"
        times = f" ({len(results):,} times)" if len(results) > 1 else ""
        basis = f" ({rule})" if rule else ""
        shared.echo_line(f"{place}: violation{times}: {message}{basis}")
    if len(kinds) > _MOST:
        shared.echo_line(f"and {_count_noun(len(kinds) - _MOST, 'more kind')} of violation")


def _count_noun(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def _note_names(names: Sequence[str], what: str, remedy: str = "") -> None:
    if names:
        shown = _list_first(names, len(names))
        shared.echo_note(f"{_count_noun(len(names), 'name')} {what}: {shown}{remedy}")


def _note_new_rejects(report: publishing.PublishReport) -> None:
    if report.newly_rejected:
        verb = "is" if report.newly_rejected == 1 else "are"
        rows = _count_noun(report.rejected, "rejected row")
        places = [f"{each.location} ({each.code})" for each in report.new_rejects]
        shown = _list_first(places, report.newly_rejected)
        shared.echo_note(f"{report.newly_rejected:,} of {rows} {verb} new: {shown}")


def _list_first(texts: Sequence[str], count: int) -> str:
    """List the first of some texts, and say how many more there are."""
    more = count - _MAX_LISTED
    listed = ", ".join(texts[:_MAX_LISTED])
    return f"{listed} and {more:,} more (see --json)" if more > 0 else listed


@click.command("preview")
@click.argument("folder", type=click.Path(file_okay=False))
@click.option("--port", type=click.IntRange(0, 65_535), default=8000, show_default=True)
def preview_command(folder: str, port: int) -> bool:
    """Serve the FOLDER of a site, on this machine only, until you press Ctrl-C.

    Pages, files and links work. Redirects, and the choice of a format by Accept, need a server with
    the settings in server/.

    \b
    lexurn preview site
    """
    from lexurn.publishing.preview import open_preview

    with open_preview(folder, port) as server:
        write_line(f"http://127.0.0.1:{server.server_port}/ (Ctrl-C ends it)")
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return True
